// Room for imaginary positions.
#include "imaginary.h"

enum { SAVED_CAP = 1 << 18 }; // in one game

// The arrays with room for `count` positions and nodes.
static void grow(Context *c, size_t count)
{
    ImaginaryState *s = c->run->imaginary;
    s->position = run_grow(c, s->position, &s->position_capacity, count, sizeof *s->position);
    s->node = run_grow(c, s->node, &s->node_capacity, count, sizeof *s->node);
    c->position = s->position;
    c->node = s->node;
}

static void imaginary_begin_game(Context *c)
{
    if (!(c->query->flags & QUERY_IMAGINARY) || c->game->position == NULL) // only the tags of a first game have been read
        return;
    ImaginaryState *s = c->run->imaginary;
    const size_t count = (size_t)c->game->count, all = count + 2 * (size_t)c->query->imaginary_levels;
    s->saved_count = 0;
    grow(c, all);
    memcpy(s->position, c->game->position, count * sizeof *s->position);
    memcpy(s->node, c->game->node, count * sizeof *s->node);
    for (size_t i = count; i < all; i++) {
        s->position[i] = c->game->position[0];
        s->node[i] = (Node){.parent = -1, .first_child = -1, .next_sibling = -1, .last = (int32_t)i};
    }
}

static void imaginary_init(Context *c)
{
    c->run->imaginary->level = run_zeroed(c, c->query->imaginary_levels, sizeof(ImaginaryLevel));
}

const Subject imaginary_subject = {
    .size = sizeof(ImaginaryState), .init = imaginary_init, .begin_game = imaginary_begin_game};

int32_t imaginary_enter(Context *c, int32_t n, int32_t level, ImaginaryKind kind, Retraction made)
{
    ImaginaryState *s = c->run->imaginary;
    const int32_t id = c->game->count + level;
    Imaginary *position = &s->level[level].position;
    Node *node = &s->node[id];
    position->origin = n;
    position->kind = kind;
    position->made = made;
    position->change_count = 0;
    s->position[id] = &position->board;
    node->parent = kind == IMAGINED_MOVE ? n : -1;
    node->move = kind == IMAGINED_MOVE ? made.move : (Move){0};
    node->depth = c->node[n].depth;
    node->ply = c->node[n].ply;
    if (kind == IMAGINED_MOVE)
        node->ply++;
    else if (kind == IMAGINED_RETRACTION && node->ply > 0)
        node->ply--;
    return id;
}

// The next of the saved positions; returns its positionid.
static int32_t new_saved(Context *c)
{
    ImaginaryState *s = c->run->imaginary;
    if (s->saved_count == SAVED_CAP)
        run_raise_memory(c);
    if (s->saved_count == s->saved_made) {
        s->saved = run_grow(c, s->saved, &s->saved_capacity, (size_t)s->saved_made + 1, sizeof *s->saved);
        s->saved[s->saved_made++] = run_zeroed(c, 1, sizeof(Imaginary));
    }
    const int32_t id = c->game->count + 2 * c->query->imaginary_levels + s->saved_count;
    grow(c, (size_t)id + 1);
    s->position[id] = &s->saved[s->saved_count++]->board;
    return id;
}

static void copy_position(Context *c, Imaginary *to, const Imaginary *from)
{
    const size_t count = (size_t)from->change_count;
    to->change = run_grow(c, to->change, &to->change_capacity, count, sizeof *to->change);
    if (count > 0)
        memcpy(to->change, from->change, count * sizeof *to->change);
    imaginary_copy(to, &from->board);
    to->kind = from->kind;
    to->made = from->made;
    to->change_count = from->change_count;
}

int32_t imaginary_save(Context *c, int32_t n)
{
    ImaginaryState *s = c->run->imaginary;
    if (!is_passing(c, n))
        return n;
    // Passing positions nest no deeper than QueryInfo.imaginary_levels, and so does this.
    const int32_t origin = imaginary_save(c, imaginary_of(c, n)->origin), id = new_saved(c);
    Imaginary *copy = imaginary_of(c, id);
    copy_position(c, copy, imaginary_of(c, n));
    copy->origin = origin;
    s->node[id] = s->node[n];
    s->node[id].last = id;
    if (s->node[id].parent >= 0)
        s->node[id].parent = origin;
    return id;
}
