// Replaces locals that are always the same constant, and removes assignments that are never read.
#include "internal.h"

typedef struct LocalUse {
    int writes, reads;
    const Ir *constant; // what the only LET assigns, when that is a constant
} LocalUse;

static bool is_constant(const Ir *ir)
{
    return ir->op == IR_INT || ir->op == IR_SET || ir->op == IR_STRING;
}

static void count_uses(const Ir *tree, LocalUse *use)
{
    const int written = ir_written_local(tree);
    if (tree->op == IR_LOCAL) {
        use[tree->number].reads++;
    } else if (tree->op == IR_LET) {
        use[written].writes++;
        use[written].constant = is_constant(tree->kid[0]) ? tree->kid[0] : NULL;
    } else if (written >= 0) {
        use[written].writes += 2;                  // never a constant
        use[written].reads += tree->op == IR_CALL; // it may look at what is there
    }
    for (int i = 0; i < tree->kid_count; i++)
        count_uses(tree->kid[i], use);
}

// Folds on the way, as values are assigned before they are read: constants of constants become known in one walk.
static Ir *replace(Module *m, Ir *tree, LocalUse *use)
{
    for (int i = 0; i < tree->kid_count; i++)
        tree->kid[i] = replace(m, tree->kid[i], use);
    if (tree->op == IR_LOCAL && use[tree->number].writes == 1 && use[tree->number].constant != NULL) {
        Ir *copy = ir_copy(use[tree->number].constant);
        copy->type = tree->type;
        return copy;
    }
    if (tree->op == IR_LET) {
        if (use[tree->number].reads == 0 && ir_is_droppable(tree->kid[0]))
            return ir_bool(m->arena, true);
        if (is_constant(tree->kid[0]))
            use[tree->number].constant = tree->kid[0];
    }
    return fold_node(tree);
}

void remove_dead_locals(Module *m)
{
    for (int i = 0; i < m->function_count; i++) {
        IrFunction *f = m->function[i];
        LocalUse *use = arena_alloc(m->arena, sizeof *use * (size_t)(f->local_count + 1));
        // Twice: after a constant replaced a local, its LET is not read any more.
        for (int round = 0; round < 2; round++) {
            for (int local = 0; local < f->local_count; local++)
                use[local] = (LocalUse){0, 0, NULL};
            count_uses(f->body, use);
            f->body = replace(m, f->body, use);
        }
    }
}
