// Filters about moves: dash, currentmove, countmoves, and those about the move that led to the current position
// (language reference 4).
#include "lower_moves.h"

// ---- dash, currentmove ------------------------------------------------------------------------------------

static Ir *dash(Lower *l, const Ast *ast, int out)
{
    return dash_each(l, ast, ir_new_local(l->f, IRT_POSITION), out, NULL, MODE_ANY);
}

// A value that a bool node leaves in a local; sets are empty when the node fails.
static Value value_from(Lower *l, Ir *(*make)(Lower *l, const Ast *ast, int out), const Ast *ast)
{
    const int out = ir_new_local(l->f, value_type(ast->type));
    Ir *node = make(l, ast, out);
    if (ast->type == TYPE_SET)
        node = ir_and(ir_let(out, ir_set(l->arena, 0)), ir_always(node));
    return value_of(node, ir_local(l->f, out));
}

// ---- countmoves -------------------------------------------------------------------------------------------

static Value countmoves(Lower *l, const Ast *ast)
{
    const Ast *operand = ast_unwrap(ast->kid[0]);
    if (operand->op == OP_LEGAL)
        return legal_moves(l, operand, IR_CALL_legal_count);
    const int move = ir_new_local(l->f, IRT_POSITION), count = ir_named_local(l->f, IRT_INT, "count");
    Ir *loop = dash_each(l, operand, move, -1, ir_increment(l->f, count), MODE_EACH);
    return value_of(ir_and(ir_let_int(l->f, count, 0), loop), ir_local(l->f, count));
}

// `previous countmoves`: the number at the parent.
static Value past_count(Lower *l, const Ast *ast)
{
    const int out = ir_new_local(l->f, IRT_INT);
    const Value value = countmoves(l, ast);
    Ir *let = ir_and(value.pre, ir_let(out, value.val));
    Ir *there = ir_at(ir_node(IR_NODE_PARENT, ir_current(l->arena)), let);
    return value_of(ir_and(value_has_parent(l), there), ir_local(l->f, out));
}

// ---- the move that led here (4.5) -------------------------------------------------------------------------

static Ir *current_field(Lower *l, int field)
{
    return ir_node(field, ir_current(l->arena));
}

static Ir *current_flag(Lower *l, int flags)
{
    return ir_nonzero(ir_with_int(IR_AND_BITS, current_field(l, IR_NODE_FLAGS), flags));
}

static Ir *side_set(Lower *l, int local)
{
    return local ? ir_local(l->f, local) : ir_set(l->arena, BB_ALL);
}

// The part of the squares of king or rook that a dash around leaves: restricted by its side if the other end
// of that piece's move is in the other side (4.3.6).
static Ir *restricted(Lower *l, int field, int own_side, int other_field, int other_side)
{
    Ir *square = ir_set_and(side_set(l, own_side), ir_bit(current_field(l, field)));
    Ir *other = ir_in_set(current_field(l, other_field), side_set(l, other_side));
    return ir_choose(other, square, ir_set(l->arena, 0));
}

// `from` and `to`.
static Value squares_of_move(Lower *l, const Ast *ast)
{
    const bool is_from = ast->op == OP_FROM;
    const int king = is_from ? IR_NODE_FROM : IR_NODE_TO,
              rook = is_from ? IR_NODE_ROOK_FROM : IR_NODE_ROOK_TO;
    // A drop comes from nowhere.
    Ir *comes = is_from && l->query->variants ? ir_not(current_flag(l, MOVE_DROP)) : NULL;
    if (l->in.dash == NULL) {
        Ir *squares = ir_set_or(ir_bit(current_field(l, king)), ir_bit(current_field(l, rook)));
        Ir *moved = value_has_parent(l);
        return value_of(NULL, ir_choose(comes ? ir_and(moved, comes) : moved, squares, ir_set(l->arena, 0)));
    }
    const int king_other = is_from ? IR_NODE_TO : IR_NODE_FROM;
    const int rook_other = is_from ? IR_NODE_ROOK_TO : IR_NODE_ROOK_FROM;
    const int own = is_from ? l->in.dash->left : l->in.dash->right,
              other = is_from ? l->in.dash->right : l->in.dash->left;
    Ir *squares =
        ir_set_or(restricted(l, king, own, king_other, other), restricted(l, rook, own, rook_other, other));
    return value_of(NULL, comes ? ir_choose(comes, squares, ir_set(l->arena, 0)) : squares);
}

static Value en_passant_square(Lower *l, const Ast *ast)
{
    (void)ast;
    Ir *victim = ir_bit(current_field(l, IR_NODE_VICTIM));
    return value_of(NULL, ir_choose(current_flag(l, MOVE_EN_PASSANT), victim, ir_set(l->arena, 0)));
}

// ---- move -------------------------------------------------------------------------------------------------

static Ir *move_condition(Lower *l, const Ast *ast)
{
    if (imaginary_is_listed(ast))
        return value_condition(l, imaginary_moves(l, ast, NULL, false, ast->type), ast->type);
    if (!move_is_generated(ast))
        return move_in_game(l, ast);
    if (ast->flags & AST_COUNT)
        return value_condition(l, legal_moves(l, ast, IR_CALL_legal_count), TYPE_INT);
    return value_condition(l, legal_moves(l, ast, IR_CALL_legal_to), TYPE_SET);
}

static Value move_value(Lower *l, const Ast *ast)
{
    if (imaginary_is_listed(ast))
        return imaginary_moves(l, ast, NULL, false, ast->type);
    if (!move_is_generated(ast))
        return move_squares_in_game(l, ast);
    if (ast->flags & AST_COUNT)
        return legal_moves(l, ast, IR_CALL_legal_count);
    return legal_moves(l, ast, ast->number == MOVE_GIVES_FROM ? IR_CALL_legal_from : IR_CALL_legal_to);
}

// ---- the family -------------------------------------------------------------------------------------------

static Value dash_value(Lower *l, const Ast *ast)
{
    return value_from(l, dash, ast);
}

static Ir *dash_condition(Lower *l, const Ast *ast)
{
    return dash(l, ast, -1);
}

static Value current_move(Lower *l, const Ast *ast)
{
    const Ast *operand = ast_unwrap(ast->kid[0]);
    return operand->op == OP_DASH ? value_from(l, dash_past, operand) : past_count(l, operand);
}

static Ir *current_move_condition(Lower *l, const Ast *ast)
{
    const Ast *operand = ast_unwrap(ast->kid[0]);
    return operand->op == OP_DASH ? dash_past(l, operand, -1) : past_count(l, operand).pre;
}

static Ir *countmoves_condition(Lower *l, const Ast *ast)
{
    return ir_or_true(l->arena, ir_always(countmoves(l, ast).pre));
}

static Value legal(Lower *l, const Ast *ast)
{
    return legal_moves(l, ast, IR_CALL_legal_to);
}

static Value speculative(Lower *l, const Ast *ast)
{
    return imaginary_moves(l, ast->kid[0], ast->kid[1], (ast->flags & AST_ALL) != 0, ast->type);
}

static Value save_position(Lower *l, const Ast *ast)
{
    (void)ast;
    return value_lasting_position(l, value_of(NULL, ir_current(l->arena)));
}

// primary, secondary
static Ir *index_condition(Lower *l, const Ast *ast)
{
    Ir *test = ir_with_int((IrOp)lower_number(l, ast), current_field(l, IR_NODE_INDEX), 0);
    return ast->op == OP_PRIMARY ? ir_and(value_has_parent(l), test) : test;
}

static Ir *flag_condition(Lower *l, const Ast *ast)
{
    return current_flag(l, lower_number(l, ast));
}

const Lowering lowering_moves[OP_COUNT_] = {
    [OP_DASH] = {dash_value, dash_condition},
    [OP_CURRENTMOVE] = {current_move, current_move_condition},
    [OP_PREVIOUS] = {current_move, current_move_condition},
    [OP_COUNTMOVES] = {countmoves, countmoves_condition},
    [OP_LEGAL] = {legal},
    [OP_PSEUDOLEGAL] = {legal},
    [OP_MOVE] = {move_value, move_condition},
    [OP_SPECULATIVE] = {speculative},
    [OP_IMAGINE] = {imagine_value, imagine_condition},
    [OP_SAVEPOSITION] = {save_position},
    [OP_FROM] = {squares_of_move},
    [OP_TO] = {squares_of_move},
    [OP_ENPASSANTSQUARE] = {en_passant_square},
    [OP_CASTLE] = {NULL, flag_condition, MOVE_CASTLE},
    [OP_O_O] = {NULL, flag_condition, MOVE_CASTLE_KING},
    [OP_O_O_O] = {NULL, flag_condition, MOVE_CASTLE_QUEEN},
    [OP_ENPASSANT] = {NULL, flag_condition, MOVE_EN_PASSANT},
    [OP_NULLMOVE] = {NULL, flag_condition, MOVE_NULL},
    [OP_PRIMARY] = {NULL, index_condition, IR_EQ},
    [OP_SECONDARY] = {NULL, index_condition, IR_GT},
};
