// Sets of one square: in a loop over squares, a set made from the loop's square has that square as its only element.
#include "internal.h"

// A fact: the local `set` is the set of the one square in the local `square`.
typedef struct Fact {
    int set, square;
} Fact;

static Ir *use_fact(Module *m, const IrFunction *f, Ir *tree, Fact fact)
{
    for (int i = 0; i < tree->kid_count; i++)
        tree->kid[i] = use_fact(m, f, tree->kid[i], fact);
    const bool asks = tree->op == IR_COUNT || tree->op == IR_FIRST || tree->op == IR_ANY;
    if (!asks || tree->kid[0]->op != IR_LOCAL || tree->kid[0]->number != fact.set)
        return tree;
    if (tree->op == IR_ANY)
        return ir_bool(m->arena, true);
    return tree->op == IR_COUNT ? ir_int(m->arena, 1) : ir_local(f, fact.square);
}

// The operands of an AND that follow a LET are evaluated after it.
static void use_let(Module *m, const IrFunction *f, Ir *all, int let, const bool *is_square)
{
    const Ir *node = all->kid[let];
    if (node->op != IR_LET || node->kid[0]->op != IR_BIT || node->kid[0]->kid[0]->op != IR_LOCAL)
        return;
    const Fact fact = {node->number, node->kid[0]->kid[0]->number};
    bool stays = is_square[fact.square];
    for (int i = let + 1; i < all->kid_count && stays; i++)
        stays = !ir_writes_local(all->kid[i], fact.set) && !ir_writes_local(all->kid[i], fact.square);
    for (int i = let + 1; i < all->kid_count && stays; i++)
        all->kid[i] = use_fact(m, f, all->kid[i], fact);
}

static void use_lets(Module *m, const IrFunction *f, Ir *tree, const bool *is_square)
{
    for (int i = 0; i < tree->kid_count; i++)
        use_lets(m, f, tree->kid[i], is_square);
    for (int i = 0; tree->op == IR_AND && i < tree->kid_count; i++)
        use_let(m, f, tree, i, is_square);
}

// Clears the locals that anything but a loop over squares assigns.
static void find_squares(const Ir *tree, bool *is_square)
{
    const int written = ir_written_local(tree);
    if (written >= 0 && tree->op != IR_EACH_SQUARE)
        is_square[written] = false;
    for (int i = 0; i < tree->kid_count; i++)
        find_squares(tree->kid[i], is_square);
}

void use_single_squares(Module *m)
{
    for (int i = 0; i < m->function_count; i++) {
        const IrFunction *f = m->function[i];
        bool *is_square = arena_alloc(m->arena, (size_t)f->local_count + 1);
        for (int local = 0; local < f->local_count; local++)
            is_square[local] = f->local[local] == IRT_INT;
        find_squares(f->body, is_square);
        use_lets(m, f, f->body, is_square);
    }
}
