// Memory of a game.
#include "game_memory.h"

#include <assert.h>
#include <string.h>

char *game_text_room(struct GameMemory *m, size_t length)
{
    assert(length <= m->text_capacity - m->text_length);
    (void)length;
    return m->text + m->text_length;
}
