#include "game_memory.h"

#include <assert.h>
#include <string.h>

bool text_equal(Text a, Text b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.start, b.start, a.length) == 0);
}

char *memory_text(struct GameMemory *m, size_t length)
{
    assert(length <= m->text_capacity - m->text_length);
    (void)length;
    return m->text + m->text_length;
}
