// The squares that a query is about, for diagrams: what its set filters stand for at a matching position.
#include "lower_build.h"

// A transform with more variants (`shift`, `rotate45` with others) is about too many squares to be worth the code.
enum { MOST_VARIANTS = 16 };

static Ir *add_squares(Lower *l, int squares, const Ast *ast);

static Ir *add_set(Lower *l, int squares, const Ast *ast)
{
    const Value value = lower_value(l, ast);
    return ir_and(l, value.pre, let(l, squares, set2(l, IR_SET_OR, read_local(l, squares), value.val)));
}

// The parts all hold where the whole does.
static Ir *add_parts(Lower *l, int squares, const Ast *ast)
{
    Ir *all = NULL;
    for (int i = 0; i < ast->kid_count; i++)
        all = ir_and(l, all, always_true(l, add_squares(l, squares, ast->kid[i])));
    return all;
}

// Of alternatives, those count that hold.
static Ir *add_alternatives(Lower *l, int squares, const Ast *ast)
{
    Ir *all = NULL;
    for (int i = 0; i < ast->kid_count; i++) {
        const Ast *kid = ast->kid[i];
        if (has_side_effects(kid))
            continue;
        Ir *add = add_squares(l, squares, kid);
        if (add != NULL)
            all = ir_and(l, all, always_true(l, ir_and(l, lower_condition(l, kid), add)));
    }
    return all;
}

// Adds the squares of a filter that holds at the current position to the local `squares`: a bool node, or NULL when there
// are none. What the position was not found for, as under `not`, and what happens elsewhere, as in a path, is left out.
static Ir *add_squares(Lower *l, int squares, const Ast *ast)
{
    switch (ast->op) {
    case OP_COMPOUND:
    case OP_AND:
        return add_parts(l, squares, ast);
    case OP_OR:
        return add_alternatives(l, squares, ast);
    case OP_VARIANTS:
        return ast->kid_count <= MOST_VARIANTS ? add_alternatives(l, squares, ast) : NULL;
    case OP_NOTRANSFORM:
        return add_squares(l, squares, ast->kid[0]);
    default:
        return ast->type == TYPE_SET && !has_side_effects(ast) ? add_set(l, squares, ast) : NULL;
    }
}

void lower_squares(Lower *l)
{
    Module *m = l->module;
    int number;
    l->function = ir_new_function(m, "squares", &number);
    const int squares = new_local(l, IRT_SET);
    Ir *add = add_squares(l, squares, l->query->body);
    if (add == NULL) {
        m->function_count--;
        return;
    }
    Ir *keep = ir_call(l->arena, IR_CALL_found_squares, 1, read_local(l, squares));
    Ir *begin = let(l, squares, ir_set(l->arena, 0));
    m->function[number]->body = ir_and(l, ir_and(l, begin, always_true(l, add)), keep);
    m->squares_function = number;
}
