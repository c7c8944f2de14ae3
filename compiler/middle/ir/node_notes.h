// Numbers that a pass notes for nodes of trees, so that questions about each level of a deep tree do not visit all levels below
// again. Notes are about trees that do not change any more.
#ifndef CQL_IR_NODE_NOTES_H
#define CQL_IR_NODE_NOTES_H

#include "ir.h"

typedef struct NodeNote {
    const Ir *node;
    uint64_t value;
} NodeNote;

// Begins with `arena` and zeros.
typedef struct NodeNotes {
    Arena *arena;
    NodeNote *slot;
    size_t slots, count;
} NodeNotes;

// The number noted for the node itself, whatever it is equal to, or NULL. Valid until the next note.
const uint64_t *node_note(const NodeNotes *n, const Ir *node);
void node_note_set(NodeNotes *n, const Ir *node, uint64_t value); // it has none yet

// ir_hash of the tree, noted for all its nodes that have operands.
uint64_t node_note_hash(NodeNotes *n, const Ir *tree);

#endif
