// All passes over the IR in order.
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/value/terminal.h"

typedef struct Pass {
    const char *name;
    void (*run)(Module *m); // NULL: derives the screen
} Pass;

static const Pass passes[] = {
    {"unshare", unshare_trees},
    {"fold", fold_module},
    {"cells", use_known_cells},
    {"squares", use_single_squares},
    {"pieces", use_squares_of_pieces},
    {"locals", remove_dead_locals},
    {"loops", restrict_loops},
    {"attacks", name_attacks},
    {"fold", fold_module},
    {"known", use_known_conditions},
    {"algebra", combine_alternatives},
    {"known", use_known_conditions},
    {"order", order_tests},
    {"common", share_calls},
    {"locals", remove_dead_locals},
    {"fold", fold_module},
    {"comments", note_comments},
    {"tags", split_tags},
    {"screen", NULL},
    {"remember", remember_conditions},
    {"once", evaluate_once},
    {"searches", inline_searches},
    {"stages", stage_intersections},
};

// In checked runs (the tests set CQLGEN_CHECK) a pass that breaks the rules of the IR ends the program.
static void check(const Module *m, const char *pass)
{
    const char *wrong = ir_verify(m);
    if (wrong == NULL)
        return;
    printf_sanitized(stderr, "cqlgen: internal error after the pass `%s`: %s\n", pass, wrong);
    abort();
}

void optimise(Module *m, void (*screen)(Module *m, void *user), void *user)
{
    const bool checked = getenv("CQLGEN_CHECK") != NULL;
    if (checked)
        check(m, "lower");
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        if (passes[i].run != NULL)
            passes[i].run(m);
        else if (screen != NULL)
            screen(m, user);
        else
            return;
        if (checked)
            check(m, passes[i].name);
    }
}

Ir *optimise_folded(Ir *tree)
{
    return rewrite_tree(tree, fold_node);
}

bool optimise_makes_true(const Ir *condition)
{
    return optimise_folded(ir_copy(condition))->op == IR_TRUE;
}
