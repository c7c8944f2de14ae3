// What a query is about at a matching position, for diagrams: the squares of its set filters, the moves that its
// move filters find, and those of its paths.
#include "lower_moves.h"

// A transform with more variants (`shift`, `rotate45` with others) is not shown: it would be too much code.
enum { MOST_VARIANTS = 16 };

static Ir *show_filter(Lower *l, const Ast *ast);

// Does more than to set the status of a path, which is restored.
static bool has_effects(const Ast *ast)
{
    if (ast->op == OP_PATH)
        return facts_kids_have_effects(ast) || facts_have_effects(ast->kid_left) ||
               facts_have_effects(ast->kid_right);
    if (ast->op != OP_COMPOUND && ast->op != OP_AND && ast->op != OP_OR && ast->op != OP_VARIANTS)
        return facts_have_effects(ast);
    for (int i = 0; i < ast->kid_count; i++)
        if (has_effects(ast->kid[i]))
            return true;
    return false;
}

static Ir *show_set(Lower *l, const Ast *ast)
{
    const Value value = lower_value(l, ast);
    return ir_and(value.pre, ir_call(l->arena, IR_CALL_show_squares, 1, value.val));
}

// `move` is about the next moves of the game.
static bool is_next_move(const Ast *move)
{
    return !move_is_generated(move) && !(move->flags & AST_PREVIOUS) && !imaginary_is_listed(move);
}

// The next moves of the game that the filter admits.
static Ir *show_moves(Lower *l, const Ast *ast)
{
    const int move = ir_new_local(l->f, IRT_POSITION);
    Ir *show = ir_call(l->arena, IR_CALL_show_move, 1, ir_local(l->f, move));
    return ast->op == OP_DASH ? dash_each(l, ast, move, -1, show, MODE_EACH)
                              : ir_always(move_each(l, ast, move, show, MODE_EACH));
}

// The moves from the first to the last position of the best path or line.
static Ir *show_stretch(Lower *l, const Ast *ast)
{
    Ast *stretch = ast_copy_node(l->arena, ast);
    stretch->flags |= AST_LASTPOSITION;
    stretch->type = TYPE_POSITION;
    const Value last = lower_value(l, stretch);
    return ir_and(last.pre, ir_call(l->arena, IR_CALL_show_line, 1, last.val));
}

// Paths that are shown add no comments, and mark no positions for `nestban`: those that were evaluated have done so.
static bool make_quiet(const Ast *node, void *user)
{
    Ast *own = (Ast *)(uintptr_t)node; // a copy
    (void)user;
    if (node->op == OP_PATH || node->op == OP_LINE) {
        own->flags = (own->flags | AST_QUIET) & ~(unsigned)(AST_NESTBAN | AST_VERBOSE | AST_PIECEPATH);
        own->text = NULL;
    }
    return false;
}

// All parts are true where the whole is.
static Ir *show_parts(Lower *l, const Ast *ast)
{
    IrParts all = {0};
    for (int i = 0; i < ast->kid_count; i++)
        ir_append(&all, ir_always(show_filter(l, ast->kid[i])));
    return all.all;
}

// Those alternatives that are true, also after the one that was enough for the body.
static Ir *show_alternatives(Lower *l, const Ast *ast)
{
    IrParts all = {0};
    for (int i = 0; i < ast->kid_count; i++) {
        const Ast *kid = ast->kid[i];
        if (has_effects(kid))
            continue;
        Ir *show = show_filter(l, kid);
        if (show != NULL)
            ir_append(&all, ir_always(ir_and(lower_condition(l, kid), show)));
    }
    return all.all;
}

// Shows what a filter that matches the current position is about: a bool node, or NULL when there is nothing.
// Leaves out what the position was not found for, as under `not`, and what happens elsewhere; of a path, its moves.
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
    case OP_DASH:
        return facts_have_effects(ast) ? NULL : show_moves(l, ast);
    case OP_MOVE:
        return is_next_move(ast) && !facts_have_effects(ast) ? show_moves(l, ast) : NULL;
    case OP_PATH:
    case OP_LINE:
        return has_effects(ast) ? NULL : show_stretch(l, ast);
    case OP_AT: // squares of other positions
    case OP_IMAGINE:
    case OP_CURRENTMOVE:
    case OP_PREVIOUS:
        return NULL;
    default:
        return ast->type == TYPE_SET && !facts_have_effects(ast) ? show_set(l, ast) : NULL;
    }
}

void lower_show(Lower *l)
{
    Module *m = l->m;
    int number;
    l->f = ir_new_function(m, "show", &number);
    l->showing = true;
    l->uncertain++; // what one alternative says about variables is not true after it
    Ast *body = ast_copy(l->arena, l->query->body);
    ast_contains(body, make_quiet, NULL);
    Ir *show = show_filter(l, body);
    if (show == NULL) {
        m->function_count--;
        return;
    }
    m->function[number]->body = ir_always(show);
    m->show_function = number;
}
