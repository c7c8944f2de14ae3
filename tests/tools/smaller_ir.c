#include "smaller_ir.h"

#include <string.h>

#include "compiler/middle/ir/build.h"
#include "compiler/middle/ir/closed.h"

const char *module_fault(const Module *m)
{
    const char *wrong = ir_verify(m);
    for (int i = 0; i < m->function_count && wrong == NULL; i++) {
        const IrFunction *f = m->function[i];
        int *uses = arena_alloc(m->arena, sizeof *uses * (size_t)(f->local_count + 1));
        memset(uses, 0, sizeof *uses * (size_t)(f->local_count + 1));
        closed_count_locals(f->body, uses);
        if (!closed_locals(f->body, uses))
            wrong = "a local is read where it may have no value";
    }
    return wrong;
}

int tree_size(const Ir *tree)
{
    int size = 1;
    for (int i = 0; i < tree->kid_count; i++)
        size += tree_size(tree->kid[i]);
    return size;
}

static bool same_kind(const Ir *a, const Ir *b)
{
    const bool ints =
        (a->type == IRT_INT || a->type == IRT_POSITION) && (b->type == IRT_INT || b->type == IRT_POSITION);
    return a->type == b->type || ints;
}

// Operands that must be within bounds.
static bool is_guarded(const Ir *parent)
{
    switch ((IrOp)parent->op) {
    case IR_DIV:
    case IR_MOD:
    case IR_FIRST:
    case IR_SQRT:
    case IR_POSITION_OF:
    case IR_SQUARE:
    case IR_CALL:
        return true;
    default:
        return false;
    }
}

static Ir *simplest(const Ir *node)
{
    switch ((IrType)node->type) {
    case IRT_BOOL:
        return ir_bool(node->arena, true);
    case IRT_INT:
        return ir_int(node->arena, 0);
    case IRT_SET:
        return ir_set(node->arena, 0);
    case IRT_POSITION:
        return ir_current(node->arena);
    default:
        return ir_new(node->arena, IR_STRING, IRT_STRING, 0);
    }
}

// Flags of moves are only asked for one by one.
static bool is_flags(const Ir *tree)
{
    return tree->op == IR_NODE && tree->number == IR_NODE_FLAGS;
}

// *at counts down to the node.
static bool edit_tree(Ir **place, int *at, int kid)
{
    Ir *tree = *place;
    if ((*at)-- == 0) {
        Ir *with = kid < 0 ? simplest(tree) : kid < tree->kid_count ? tree->kid[kid] : NULL;
        const bool is_simple = kid < 0 && tree->kid_count == 0;
        if (with == NULL || !same_kind(with, tree) || is_simple || ir_equal(with, tree) || is_flags(with))
            return false;
        *place = with;
        return true;
    }
    for (int i = 0; i < tree->kid_count; i++) {
        const int before = *at;
        if (is_guarded(tree) && before == 0)
            return false;
        if (edit_tree(&tree->kid[i], at, kid))
            return true;
        if (before >= 0 && *at < 0)
            return false;
    }
    return false;
}

bool edit_body(Module *m, Edit edit)
{
    int at = edit.node;
    return edit_tree(&m->function[0]->body, &at, edit.kid) && !module_fault(m);
}
