// Memory of a game.
#include "game_memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

char *game_text_room(struct GameMemory *m, size_t length)
{
    assert(length <= m->text_capacity - m->text_length);
    (void)length;
    return m->text + m->text_length;
}

void game_init(Game *g)
{
    *g = (Game){0};
    g->memory = memory_new(sizeof *g->memory);
    memset(g->memory, 0, sizeof *g->memory);
    g->view.game = g;
}

void game_free(Game *g)
{
    struct GameMemory *m = g->memory;
    if (!m)
        return;
    void *all[] = {m->tag,          m->tag_use,      m->tag_hash,     m->written, m->text,      m->line,
                   m->side,         m->line_pointer, m->tree_pointer, m->node,    m->ordered,   m->place,
                   m->id,           m->note,         m->ordered_note, m->level,   m->move_text, m->ply_clocks,
                   m->clock_values, m->part,         m->varied};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(m);
    *g = (Game){0};
}
