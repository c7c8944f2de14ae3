// The tree of a game that was read: its nodes, collected in text order, get their links and numbers (language reference 6.1.1).
#include "game_memory.h"

// The positions of a game of a variant, by node in text order or, with `id`, by positionid.
static void point_at_varied(Game *g, int32_t count, const int32_t *id)
{
    struct GameMemory *m = g->memory;
    m->tree_pointer =
        memory_grow(m->tree_pointer, &m->pointer_capacity, (size_t)count, sizeof *m->tree_pointer);
    for (int32_t i = 0; i < count; i++)
        m->tree_pointer[id ? id[i] : i] = &m->varied[i].board;
    g->view.position = (const Position *const *)m->tree_pointer;
}

// Without side lines the nodes are in order; only the links forward are missing.
static void finish_line(Game *g, int32_t count, bool notes)
{
    struct GameMemory *m = g->memory;
    int32_t last = count - 1;
    for (int32_t i = 0; i < last; i++) {
        m->node[i].first_child = i + 1;
        m->node[i].last = last;
    }
    m->node[last].first_child = -1;
    m->node[last].last = last;
    g->view.node = m->node;
    g->view.position = (const Position *const *)m->line_pointer;
    g->note = notes ? m->note : NULL;
}

// Gives node `old` (in text order) the next positionid.
static void place_node(struct GameMemory *m, int32_t old, int32_t id, bool notes)
{
    Node *n = &m->ordered[id];
    *n = m->node[old];
    m->id[old] = id;
    n->parent = n->parent < 0 ? -1 : m->id[n->parent];
    n->first_child = n->first_child < 0 ? -1 : id + 1;
    n->next_sibling = -1;
    m->tree_pointer[id] = position_of(m, old);
    if (notes)
        m->ordered_note[id] = m->note[old];
}

// Renumbers the tree in preorder.
static void finish_tree(Game *g, int32_t count, bool notes)
{
    struct GameMemory *m = g->memory;
    const size_t need = (size_t)count;
    m->ordered = memory_grow(m->ordered, &m->ordered_capacity, need, sizeof *m->ordered);
    m->id = memory_grow(m->id, &m->id_capacity, need, sizeof *m->id);
    m->tree_pointer = memory_grow(m->tree_pointer, &m->pointer_capacity, need, sizeof *m->tree_pointer);
    if (notes)
        m->ordered_note =
            memory_grow(m->ordered_note, &m->ordered_note_capacity, need, sizeof *m->ordered_note);
    int32_t old = 0, id = 0;
    for (;;) {
        place_node(m, old, id++, notes);
        if (m->node[old].first_child >= 0) {
            old = m->node[old].first_child;
            continue;
        }
        while (old > 0 && m->node[old].next_sibling < 0) {
            m->ordered[m->id[old]].last = id - 1;
            old = m->node[old].parent;
        }
        if (old == 0)
            break;
        m->ordered[m->id[old]].last = id - 1;
        m->ordered[m->id[old]].next_sibling = id;
        old = m->node[old].next_sibling;
    }
    m->ordered[0].last = id - 1;
    g->view.node = m->ordered;
    g->view.position = (const Position *const *)m->tree_pointer;
    g->note = notes ? m->ordered_note : NULL;
}

void tree_finish(Game *g, int32_t nodes, int32_t line_count, bool notes, bool varied)
{
    const bool line = nodes == line_count;
    if (line)
        finish_line(g, nodes, notes);
    else
        finish_tree(g, nodes, notes);
    if (varied)
        point_at_varied(g, nodes, line ? NULL : g->memory->id);
    g->view.count = nodes;
    g->ply_count = line_count - 1;
}
