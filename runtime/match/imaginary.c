// Room for imaginary positions.
#include "imaginary.h"

static void imaginary_begin_game(Context *c)
{
    if (!(c->query->flags & QUERY_IMAGINARY))
        return;
    ImaginaryState *s = c->run->imaginary;
    const size_t count = (size_t)c->game->count, all = count + IMAGINARY_LEVELS;
    s->position = run_grow(c, s->position, &s->position_capacity, all, sizeof *s->position);
    s->node = run_grow(c, s->node, &s->node_capacity, all, sizeof *s->node);
    memcpy(s->position, c->game->position, count * sizeof *s->position);
    memcpy(s->node, c->game->node, count * sizeof *s->node);
    for (size_t i = count; i < all; i++) {
        s->position[i] = c->game->position[0];
        s->node[i] = (Node){.parent = -1, .first_child = -1, .next_sibling = -1, .last = (int32_t)i};
    }
    c->position = s->position;
    c->node = s->node;
}

const Subject imaginary_subject = {.size = sizeof(ImaginaryState), .begin_game = imaginary_begin_game};
