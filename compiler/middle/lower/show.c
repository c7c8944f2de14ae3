// What a query is about at a matching position, for diagrams: the squares that its set filters stand for, and
// the moves that its move filters find.
#include "moves.h"

// A transform with more variants (`shift`, `rotate45` with others) is about too much to be worth the code.
enum { MOST_VARIANTS = 16 };

static Ir *show_filter(Lower *l, const Ast *ast);

static Ir *show_set(Lower *l, const Ast *ast)
{
    const Value value = lower_value(l, ast);
    return ir_and(value.pre, ir_call(l->arena, IR_CALL_show_squares, 1, value.val));
}

// The next moves of the game that the filter admits; generated moves are not in the game.
static Ir *show_moves(Lower *l, const Ast *ast)
{
    const int move = ir_new_local(l->f, IRT_POSITION);
    Ir *show = ir_call(l->arena, IR_CALL_show_move, 1, ir_local(l->f, move));
    if (ast->op == OP_DASH)
        return lower_each_dash_move(l, ast, move, show);
    return lower_each_game_move(l, ast, move, show);
}

// The parts all hold where the whole does.
static Ir *show_parts(Lower *l, const Ast *ast)
{
    Ir *all = NULL;
    for (int i = 0; i < ast->kid_count; i++)
        all = ir_and(all, ir_always(show_filter(l, ast->kid[i])));
    return all;
}

// Of alternatives, those count that hold, also behind the one that was enough for the body.
static Ir *show_alternatives(Lower *l, const Ast *ast)
{
    Ir *all = NULL;
    for (int i = 0; i < ast->kid_count; i++) {
        const Ast *kid = ast->kid[i];
        if (has_side_effects(kid))
            continue;
        Ir *show = show_filter(l, kid);
        if (show != NULL)
            all = ir_and(all, ir_always(ir_and(lower_condition(l, kid), show)));
    }
    return all;
}

// Shows what a filter that holds at the current position is about: a bool node, or NULL when there is
// nothing. What the position was not found for, as under `not`, and what happens elsewhere, as in a path, is
// left out.
static Ir *show_filter(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_COMPOUND:
    case OP_AND:
        return show_parts(l, ast);
    case OP_OR:
        return show_alternatives(l, ast);
    case OP_VARIANTS:
        return ast->kid_count <= MOST_VARIANTS ? show_alternatives(l, ast) : NULL;
    case OP_NOTRANSFORM:
        return show_filter(l, ast->kid[0]);
    case OP_DASH:
        return has_side_effects(ast) ? NULL : show_moves(l, ast);
    case OP_MOVE: {
        const uint32_t others = AST_LEGAL | AST_PSEUDOLEGAL | AST_PREVIOUS;
        return has_side_effects(ast) || ast->flags & others || move_is_listed(ast) ? NULL
                                                                                   : show_moves(l, ast);
    }
    case OP_AT: // squares of other positions
    case OP_CURRENTMOVE:
    case OP_PREVIOUS:
        return NULL;
    default:
        return ast->type == TYPE_SET && !has_side_effects(ast) ? show_set(l, ast) : NULL;
    }
}

void lower_show(Lower *l)
{
    Module *m = l->m;
    int number;
    l->f = ir_new_function(m, "show", &number);
    l->showing = true;
    l->uncertain++; // what one alternative finds out about variables does not hold behind it
    Ir *show = show_filter(l, l->query->body);
    if (show == NULL) {
        m->function_count--;
        return;
    }
    m->function[number]->body = ir_always(show);
    m->show_function = number;
}
