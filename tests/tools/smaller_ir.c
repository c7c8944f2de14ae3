#include "smaller_ir.h"

#include <string.h>

#include "compiler/middle/ir/build.h"
#include "compiler/middle/ir/closed.h"
#include "compiler/middle/ir/uses.h"

const char *module_fault(const Module *m)
{
    const char *wrong = ir_verify(m);
    for (int i = 0; i < m->function_count && wrong == NULL; i++) {
        const IrFunction *f = m->function[i];
        int *uses = arena_alloc(m->arena, sizeof *uses * (size_t)(f->local_count + 1));
        memset(uses, 0, sizeof *uses * (size_t)(f->local_count + 1));
        ir_count_uses(f->body, uses, uses, 1);
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

// Does the tree contain what relies on a test before it (`guarded`), which other constants might not keep?
static bool relies_on_test(const Ir *tree)
{
    bool relies = ((tree->op == IR_DIV || tree->op == IR_MOD) && tree->kid[1]->op != IR_INT &&
                   tree->kid[1]->op != IR_GAME) ||
                  (tree->op == IR_FIRST && tree->kid[0]->op != IR_SET_OR);
    for (int i = 0; i < tree->kid_count && !relies; i++)
        relies = relies_on_test(tree->kid[i]);
    return relies;
}

void vary_tree(Ir *tree, int files, int more)
{
    if (relies_on_test(tree))
        return;
    if (tree->op == IR_SET)
        tree->set = files < 0 ? tree->set >> (-files & 63) : tree->set << (files & 63);
    else if (tree->op == IR_INT && tree->number > 1 && tree->number < 1000)
        tree->number += more;
    else if (tree->op == IR_STEP && more % 3 == 1)
        tree->low = -tree->low;
    const bool keeps = tree->op == IR_DIV || tree->op == IR_MOD || tree->op == IR_CALL ||
                       tree->op == IR_POSITION_OF || tree->op == IR_FIRST || tree->op == IR_SQRT;
    for (int i = 0; i < tree->kid_count && !keeps; i++)
        vary_tree(tree->kid[i], files, more);
}
