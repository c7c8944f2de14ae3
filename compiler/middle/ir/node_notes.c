// Numbers that a pass notes for nodes of trees.
#include "node_notes.h"

// The slot of the node, or the free slot where it would go.
static NodeNote *slot_of(const NodeNotes *n, const Ir *node)
{
    uint64_t i = (uintptr_t)node * 0x9E3779B97F4A7C15ULL >> 20;
    while (n->slot[i & (n->slots - 1)].node != NULL && n->slot[i & (n->slots - 1)].node != node)
        i++;
    return &n->slot[i & (n->slots - 1)];
}

const uint64_t *node_note(const NodeNotes *n, const Ir *node)
{
    const NodeNote *found = n->slots > 0 ? slot_of(n, node) : NULL;
    return found != NULL && found->node != NULL ? &found->value : NULL;
}

static void grow(NodeNotes *n)
{
    enum { FEWEST = 64 };
    const NodeNotes old = *n;
    n->slots = old.slots > 0 ? 4 * old.slots : FEWEST;
    n->slot = arena_alloc(n->arena, n->slots * sizeof *n->slot);
    for (size_t i = 0; i < old.slots; i++)
        if (old.slot[i].node != NULL)
            *slot_of(n, old.slot[i].node) = old.slot[i];
}

void node_note_set(NodeNotes *n, const Ir *node, uint64_t value)
{
    if (n->count * 2 >= n->slots)
        grow(n);
    *slot_of(n, node) = (NodeNote){node, value};
    n->count++;
}

uint64_t node_note_hash(NodeNotes *n, const Ir *tree)
{
    if (tree->kid_count == 0)
        return ir_hash(tree);
    const uint64_t *noted = node_note(n, tree);
    if (noted != NULL)
        return *noted;
    uint64_t hash = ir_own_hash(tree);
    for (int i = 0; i < tree->kid_count; i++)
        hash = ir_joined_hash(hash, node_note_hash(n, tree->kid[i]));
    node_note_set(n, tree, hash);
    return hash;
}
