// Filters about moves: dash, currentmove, countmoves, and those about the move that led to the current position
// (language reference 4).
#include "moves.h"

static const Ast *unwrap(const Ast *ast)
{
    while (ast->op == OP_COMPOUND && ast->kid_count == 1)
        ast = ast->kid[0];
    return ast;
}

// ---- dash, currentmove ------------------------------------------------------------------------------------

static Ir *dash_condition(Lower *l, const Ast *ast, int out)
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
    const Ast *operand = unwrap(ast->kid[0]);
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
    return local < 0 ? ir_set(l->arena, BB_ALL) : ir_local(l->f, local);
}

// The part of the squares of king or rook that a dash around leaves: restricted by its side if the other end
// of that piece's move is in the other side (4.3.6).
static Ir *restricted(Lower *l, int field, int own_side, int other_field, int other_side)
{
    Ir *square = ir_set_and(side_set(l, own_side), ir_bit(current_field(l, field)));
    Ir *other = ir_in_set(current_field(l, other_field), side_set(l, other_side));
    return ir_choose(other, square, ir_set(l->arena, 0));
}

// `from` (is_from) and `to`.
static Ir *squares_of_move(Lower *l, bool is_from)
{
    const int king = is_from ? IR_NODE_FROM : IR_NODE_TO,
              rook = is_from ? IR_NODE_ROOK_FROM : IR_NODE_ROOK_TO;
    if (l->in.dash == NULL) {
        Ir *squares = ir_set_or(ir_bit(current_field(l, king)), ir_bit(current_field(l, rook)));
        return ir_choose(value_has_parent(l), squares, ir_set(l->arena, 0));
    }
    const int king_other = is_from ? IR_NODE_TO : IR_NODE_FROM;
    const int rook_other = is_from ? IR_NODE_ROOK_TO : IR_NODE_ROOK_FROM;
    const int own = is_from ? l->in.dash->left : l->in.dash->right,
              other = is_from ? l->in.dash->right : l->in.dash->left;
    return ir_set_or(restricted(l, king, own, king_other, other),
                     restricted(l, rook, own, rook_other, other));
}

static Ir *en_passant_square(Lower *l)
{
    Ir *victim = ir_bit(current_field(l, IR_NODE_VICTIM));
    return ir_choose(current_flag(l, MOVE_EN_PASSANT), victim, ir_set(l->arena, 0));
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

static Value moves_value(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_DASH:
        return value_from(l, dash_condition, ast);
    case OP_CURRENTMOVE:
    case OP_PREVIOUS: {
        const Ast *operand = unwrap(ast->kid[0]);
        return operand->op == OP_DASH ? value_from(l, dash_past, operand) : past_count(l, operand);
    }
    case OP_COUNTMOVES:
        return countmoves(l, ast);
    case OP_LEGAL:
    case OP_PSEUDOLEGAL:
        return legal_moves(l, ast, IR_CALL_legal_to);
    case OP_MOVE:
        return move_value(l, ast);
    case OP_SPECULATIVE:
        return imaginary_moves(l, ast->kid[0], ast->kid[1], (ast->flags & AST_ALL) != 0, ast->type);
    case OP_IMAGINE:
        return imagine_value(l, ast);
    case OP_SAVEPOSITION:
        return value_lasting_position(l, value_of(NULL, ir_current(l->arena)));
    case OP_ENPASSANTSQUARE:
        return value_of(NULL, en_passant_square(l));
    case OP_CURRENTMUTATION:
        return lower_call(l, ast, IR_CALL_mutation);
    default: // from, to
        return value_of(NULL, squares_of_move(l, ast->op == OP_FROM));
    }
}

static Ir *moves_condition(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_DASH:
        return dash_condition(l, ast, -1);
    case OP_CURRENTMOVE:
    case OP_PREVIOUS: {
        const Ast *operand = unwrap(ast->kid[0]);
        return operand->op == OP_DASH ? dash_past(l, operand, -1) : past_count(l, operand).pre;
    }
    case OP_COUNTMOVES:
        return ir_or_true(l->arena, ir_always(countmoves(l, ast).pre));
    case OP_CASTLE:
        return current_flag(l, MOVE_CASTLE);
    case OP_O_O:
        return current_flag(l, MOVE_CASTLE_KING);
    case OP_O_O_O:
        return current_flag(l, MOVE_CASTLE_QUEEN);
    case OP_ENPASSANT:
        return current_flag(l, MOVE_EN_PASSANT);
    case OP_NULLMOVE:
        return current_flag(l, MOVE_NULL);
    case OP_PRIMARY:
        return ir_and(value_has_parent(l), ir_with_int(IR_EQ, current_field(l, IR_NODE_INDEX), 0));
    case OP_SECONDARY:
        return ir_with_int(IR_GT, current_field(l, IR_NODE_INDEX), 0);
    case OP_MOVE:
        return move_condition(l, ast);
    case OP_IMAGINE:
        return imagine_condition(l, ast);
    default:
        return value_condition(l, moves_value(l, ast), ast->type);
    }
}

const Lowering lowering_moves = {moves_condition, moves_value};
