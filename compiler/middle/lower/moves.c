// Lowering of the dash filters (language reference 4.3, 4.4) and of the filters about the move that led to
// the current position (4.5). `legal` and the older `move` stand in lower_legal.c.
#include "moves.h"

// ---- builders ---------------------------------------------------------------------------------------------

Ir *move_node(Lower *l, int field, int position_local)
{
    return ir_node(field, ir_local(l->f, position_local));
}

static Ir *flags_of(int flags, Ir *position)
{
    Ir *word = ir_node(IR_NODE_FLAGS, position);
    return ir_nonzero(ir_with_int(IR_AND_BITS, word, flags));
}

Ir *move_flag(Lower *l, int flags, int position_local)
{
    return flags_of(flags, ir_local(l->f, position_local));
}

static Ir *at_root(Lower *l)
{
    if (l->imaginary)
        return ir_not(ir_exists(ir_node(IR_NODE_PARENT, ir_current(l->arena))));
    Ir *id = ir_int_of(ir_current(l->arena));
    return ir_with_int(IR_EQ, id, 0);
}

static Ir *not_at_root(Lower *l)
{
    return ir_not(at_root(l));
}

// ---- the parts of a dash ----------------------------------------------------------------------------------

static Ir *dash_side(Lower *l, const Ast *side, int *local)
{
    *local = -1;
    if (side == NULL || side->op == OP_ALL_SQUARES)
        return NULL;
    const Value value = lower_value(l, side);
    *local = ir_new_local(l->f, IRT_SET);
    return ir_and(value.pre, ir_let(*local, value.val));
}

Ir *dash_sides(Lower *l, const Ast *dash, DashScope *scope)
{
    DashScope *const outer = l->dash;
    l->dash = NULL;
    Ir *left = dash_side(l, dash->kid_left, &scope->left);
    Ir *right = dash_side(l, dash->kid_right, &scope->right);
    l->dash = outer;
    return ir_and(left, right);
}

// Evaluating the sides can be observed.
static bool sides_have_effects(const Ast *dash)
{
    return (dash->kid_left != NULL && has_side_effects(dash->kid_left)) ||
           (dash->kid_right != NULL && has_side_effects(dash->kid_right));
}

static Ir *field_in(Lower *l, int field, int move_local, int set_local)
{
    return set_local < 0 ? NULL : ir_in_set(move_node(l, field, move_local), ir_local(l->f, set_local));
}

static bool may_hold_rook(const Ast *side)
{
    const uint32_t rooks = SYMBOL_WHITE | SYMBOL_BLACK | 1u << WHITE_ROOK | 1u << BLACK_ROOK;
    return side == NULL || side->op != OP_DESIGNATOR || (side->pieces & rooks) != 0;
}

Ir *dash_fits(Lower *l, const Ast *dash, const DashScope *scope, int move_local)
{
    Ir *from = field_in(l, IR_NODE_FROM, move_local, scope->left);
    if (dash->flags & AST_CAPTURE) {
        Ir *victim = field_in(l, IR_NODE_VICTIM, move_local, scope->right);
        Ir *capture = move_flag(l, MOVE_CAPTURE, move_local);
        return ir_all(3, capture, from, victim);
    }
    Ir *move = ir_and(from, field_in(l, IR_NODE_TO, move_local, scope->right));
    if (move == NULL || !may_hold_rook(dash->kid_left))
        return move;
    // The rook's squares are NO_SQUARE in every move but castling, and no set holds that.
    Ir *rook = ir_and(field_in(l, IR_NODE_ROOK_FROM, move_local, scope->left),
                      field_in(l, IR_NODE_ROOK_TO, move_local, scope->right));
    return ir_or(move, rook);
}

// The piece codes that a promotion designator admits, as a set indexed by piece code (4.3.3).
static Bitboard promotion_codes(uint32_t pieces)
{
    Bitboard codes = 0;
    for (int type = WHITE_KNIGHT; type <= WHITE_QUEEN; type++) {
        if (pieces & (SYMBOL_WHITE | SYMBOL_BLACK | 1u << type | 1u << (type + 6)))
            codes |= 1ULL << type | 1ULL << (type + 6);
    }
    return codes;
}

// A promotion to a piece whose letter occurs in the text; the empty text and "." stand for any piece.
static Ir *promotion_in_text(Lower *l, const Ast *text, int move_local)
{
    Arena *a = l->arena;
    Value value = lower_value(l, text);
    const int string = ir_new_local(l->f, IRT_STRING);
    Ir *pre = ir_and(value.pre, ir_let(string, ir_call(a, IR_CALL_upper, 1, value.val)));
    Ir *piece = move_node(l, IR_NODE_PROMOTED, move_local);
    Ir *letter =
        ir_call(a, IR_CALL_contains, 2, ir_call(a, IR_CALL_type_letter, 1, piece), ir_local(l->f, string));
    Ir *empty = ir_with_int(IR_EQ, ir_call(a, IR_CALL_length, 1, ir_local(l->f, string)), 0);
    Ir *dot =
        ir_with_int(IR_EQ, ir_call(a, IR_CALL_compare, 2, ir_local(l->f, string), ir_text(l->m, ".", 1)), 0);
    Ir *fits = ir_new(a, IR_OR, IRT_BOOL, 3, letter, empty, dot);
    return ir_all(3, pre, ir_nonzero(move_node(l, IR_NODE_PROMOTED, move_local)), fits);
}

Ir *move_promotes_to(Lower *l, uint32_t pieces, int move_local)
{
    const Bitboard codes = promotion_codes(pieces);
    return ir_in_set(move_node(l, IR_NODE_PROMOTED, move_local), ir_set(l->arena, codes));
}

Ir *dash_promotion(Lower *l, const Ast *dash, int move_local)
{
    const Ast *promotion = dash->kid_extra;
    if (promotion == NULL)
        return NULL;
    if (promotion->op == OP_ALL_SQUARES)
        return move_promotes_to(l, SYMBOL_WHITE, move_local);
    if (promotion->op == OP_DESIGNATOR)
        return move_promotes_to(l, promotion->pieces, move_local);
    DashScope *const outer = l->dash;
    l->dash = NULL;
    Ir *test = promotion_in_text(l, promotion, move_local);
    l->dash = outer;
    return test;
}

bool dash_adds_text(const Lower *l, const Ast *dash)
{
    bool adds = dash->kid_extra != NULL && adds_text(l, dash->kid_extra);
    for (int i = 0; i < dash->kid_count && !adds; i++)
        adds = adds_text(l, dash->kid[i]);
    return adds;
}

// The target: all kids as conditions, or (out >= 0) the last one for its value.
static Ir *target(Lower *l, const Ast *dash, DashScope *scope, int out)
{
    DashScope *const outer = l->dash;
    LineScope *const line = l->line;
    l->dash = dash->flags & AST_CAPTURE || (scope->left < 0 && scope->right < 0) ? NULL : scope;
    l->line = NULL;
    Ir *all = NULL;
    for (int i = 0; i < dash->kid_count; i++) {
        const bool value = out >= 0 && i == dash->kid_count - 1;
        all = ir_and(all, value ? lower_into(l, dash->kid[i], out) : lower_condition(l, dash->kid[i]));
    }
    l->dash = outer;
    l->line = line;
    return all;
}

Ir *dash_targets(Lower *l, const Ast *dash, DashScope *scope)
{
    return target(l, dash, scope, -1);
}

// Promotion test at the head of the move and target at its tail. The current position is the head, or (here)
// already the tail. For sets the move decides even when this fails.
static Ir *dash_rest(Lower *l, const Ast *dash, DashScope *scope, int move_local, bool here, int out)
{
    Ir *promotion = dash_promotion(l, dash, move_local);
    Ir *goal = target(l, dash, scope, out);
    if (here && promotion != NULL)
        promotion = ir_at(move_node(l, IR_NODE_PARENT, move_local), promotion);
    if (!here && goal != NULL)
        goal = ir_at(ir_local(l->f, move_local), goal);
    Ir *rest = ir_and(promotion, goal);
    if (rest == NULL)
        return NULL;
    rest = with_rollback(l, rest, dash_adds_text(l, dash));
    const bool set = out >= 0 && dash->type == TYPE_SET;
    return set ? ir_always(rest) : rest;
}

// The sides are not evaluated at terminal positions.
static Ir *guard_terminal(Lower *l, const Ast *dash)
{
    return sides_have_effects(dash) ? ir_exists(ir_node(IR_NODE_FIRST_CHILD, ir_current(l->arena))) : NULL;
}

// True iff some move of the current position fits; out as in target().
static Ir *dash(Lower *l, const Ast *ast, int out)
{
    DashScope scope;
    const int move = ir_new_local(l->f, IRT_POSITION);
    Ir *guard = guard_terminal(l, ast);
    Ir *sides = dash_sides(l, ast, &scope);
    Ir *fits = dash_fits(l, ast, &scope, move);
    Ir *body = ir_and(fits, dash_rest(l, ast, &scope, move, false, out));
    return ir_all(3, guard, sides, ir_each_child(ir_current(l->arena), move, body, MODE_ANY));
}

Ir *lower_each_dash_move(Lower *l, const Ast *ast, int local, Ir *body)
{
    DashScope scope;
    Ir *guard = guard_terminal(l, ast);
    Ir *sides = dash_sides(l, ast, &scope);
    Ir *fits = dash_fits(l, ast, &scope, local);
    Ir *move = ir_all(3, fits, dash_rest(l, ast, &scope, local, false, -1), body);
    return ir_always(ir_all(3, guard, sides, ir_each_child(ir_current(l->arena), local, move, MODE_EACH)));
}

static const Ast *unwrap(const Ast *ast)
{
    while (ast->op == OP_COMPOUND && ast->kid_count == 1)
        ast = ast->kid[0];
    return ast;
}

// `currentmove` of a dash: only the move that led here is looked at (4.4).
static Ir *past_dash(Lower *l, const Ast *ast, int out)
{
    DashScope scope;
    const int move = ir_new_local(l->f, IRT_POSITION);
    Ir *sides = dash_sides(l, ast, &scope);
    if (sides != NULL)
        sides = ir_at(move_node(l, IR_NODE_PARENT, move), sides);
    Ir *fits = dash_fits(l, ast, &scope, move);
    Ir *rest = dash_rest(l, ast, &scope, move, true, out);
    Ir *head = ir_and(not_at_root(l), ir_let(move, ir_current(l->arena)));
    return ir_all(4, head, sides, fits, rest);
}

// A value that a bool node leaves in a local; sets are empty when the node fails.
static Value value_from(Lower *l, Ir *(*make)(Lower *l, const Ast *ast, int out), const Ast *ast)
{
    const int out = ir_new_local(l->f, ir_type_of(ast->type));
    Ir *node = make(l, ast, out);
    if (ast->type == TYPE_SET)
        node = ir_and(ir_let(out, ir_set(l->arena, 0)), ir_always(node));
    return value_of(node, ir_local(l->f, out));
}

// ---- countmoves -------------------------------------------------------------------------------------------

static Value count_dash(Lower *l, const Ast *ast)
{
    DashScope scope;
    const int move = ir_new_local(l->f, IRT_POSITION), count = ir_new_local(l->f, IRT_INT);
    Ir *guard = guard_terminal(l, ast);
    Ir *sides = dash_sides(l, ast, &scope);
    Ir *fits = dash_fits(l, ast, &scope, move);
    Ir *body = ir_and(fits, dash_rest(l, ast, &scope, move, false, -1));
    Ir *one_more = ir_let(count, ir_with_int(IR_ADD, ir_local(l->f, count), 1));
    Ir *loop = ir_and(sides, ir_each_child(ir_current(l->arena), move, ir_and(body, one_more), MODE_EACH));
    if (guard != NULL)
        loop = ir_always(ir_and(guard, loop));
    return value_of(ir_and(ir_let_int(l->f, count, 0), loop), ir_local(l->f, count));
}

static Value countmoves(Lower *l, const Ast *ast)
{
    const Ast *operand = unwrap(ast->kid[0]);
    return operand->op == OP_LEGAL ? lower_legal_count(l, operand) : count_dash(l, operand);
}

static Ir *countmoves_condition(Lower *l, const Ast *ast)
{
    return ir_or_true(l->arena, ir_always(countmoves(l, ast).pre));
}

// `previous countmoves`: the number at the parent.
static Value past_count(Lower *l, const Ast *ast)
{
    const int out = ir_new_local(l->f, IRT_INT);
    Value value = countmoves(l, ast);
    Ir *let = ir_and(value.pre, ir_let(out, value.val));
    Ir *there = ir_at(ir_node(IR_NODE_PARENT, ir_current(l->arena)), let);
    return value_of(ir_and(not_at_root(l), there), ir_local(l->f, out));
}

// ---- the move that led here (4.5) -------------------------------------------------------------------------

static Ir *current_field(Lower *l, int field)
{
    return ir_node(field, ir_current(l->arena));
}

static Ir *empty_at_root(Lower *l, Ir *set)
{
    return ir_choose(at_root(l), ir_set(l->arena, 0), set);
}

static Ir *side_set(Lower *l, int local)
{
    return local < 0 ? ir_set(l->arena, ~0ULL) : ir_local(l->f, local);
}

// The part of the squares of king or rook that a dash around leaves: `mine` restricted by its side if the
// other end of that piece's move lies in the other side (4.3.6).
static Ir *restricted(Lower *l, int field, int own_side, int other_field, int other_side)
{
    Ir *square = ir_set_and(side_set(l, own_side), ir_bit(current_field(l, field)));
    Ir *other = ir_in_set(current_field(l, other_field), side_set(l, other_side));
    return ir_choose(other, square, ir_set(l->arena, 0));
}

// `from` (is_from) and `to`.
static Ir *move_squares(Lower *l, bool is_from)
{
    const int king = is_from ? IR_NODE_FROM : IR_NODE_TO,
              rook = is_from ? IR_NODE_ROOK_FROM : IR_NODE_ROOK_TO;
    if (l->dash == NULL) {
        Ir *squares = ir_set_or(ir_bit(current_field(l, king)), ir_bit(current_field(l, rook)));
        return empty_at_root(l, squares);
    }
    const int king_other = is_from ? IR_NODE_TO : IR_NODE_FROM;
    const int rook_other = is_from ? IR_NODE_ROOK_TO : IR_NODE_ROOK_FROM;
    const int own = is_from ? l->dash->left : l->dash->right,
              other = is_from ? l->dash->right : l->dash->left;
    return ir_set_or(restricted(l, king, own, king_other, other),
                     restricted(l, rook, own, rook_other, other));
}

static Ir *en_passant_square(Lower *l)
{
    Ir *victim = ir_bit(current_field(l, IR_NODE_VICTIM));
    return ir_choose(flags_of(MOVE_EN_PASSANT, ir_current(l->arena)), victim, ir_set(l->arena, 0));
}

static Ir *index_test(Lower *l, IrOp comparison)
{
    return ir_binary(comparison, current_field(l, IR_NODE_INDEX), ir_int(l->arena, 0));
}

// ---- dispatch ---------------------------------------------------------------------------------------------

static Ir *currentmove_condition(Lower *l, const Ast *ast)
{
    const Ast *operand = unwrap(ast->kid[0]);
    if (operand->op == OP_DASH)
        return past_dash(l, operand, -1);
    return past_count(l, operand).pre;
}

Ir *lower_moves_condition(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_DASH:
        return dash(l, ast, -1);
    case OP_CURRENTMOVE:
    case OP_PREVIOUS:
        return currentmove_condition(l, ast);
    case OP_COUNTMOVES:
        return countmoves_condition(l, ast);
    case OP_CASTLE:
        return flags_of(MOVE_CASTLE, ir_current(l->arena));
    case OP_O_O:
        return flags_of(MOVE_CASTLE_KING, ir_current(l->arena));
    case OP_O_O_O:
        return flags_of(MOVE_CASTLE_QUEEN, ir_current(l->arena));
    case OP_ENPASSANT:
        return flags_of(MOVE_EN_PASSANT, ir_current(l->arena));
    case OP_NULLMOVE:
        return flags_of(MOVE_NULL, ir_current(l->arena));
    case OP_PRIMARY:
        return ir_and(not_at_root(l), index_test(l, IR_EQ));
    case OP_SECONDARY:
        return index_test(l, IR_GT);
    case OP_MOVE:
        return lower_move_condition(l, ast);
    case OP_SPECULATIVE:
        return condition_of(l, lower_moves_value(l, ast), ast->type);
    default: { // sets
        const Value value = lower_moves_value(l, ast);
        return ir_and(value.pre, ir_any(value.val));
    }
    }
}

Value lower_moves_value(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_DASH:
        return value_from(l, dash, ast);
    case OP_CURRENTMOVE:
    case OP_PREVIOUS: {
        const Ast *operand = unwrap(ast->kid[0]);
        return operand->op == OP_DASH ? value_from(l, past_dash, operand) : past_count(l, operand);
    }
    case OP_COUNTMOVES:
        return countmoves(l, ast);
    case OP_LEGAL:
    case OP_PSEUDOLEGAL:
        return lower_legal_value(l, ast);
    case OP_MOVE:
        return lower_move_value(l, ast);
    case OP_SPECULATIVE:
        return lower_tried_moves(l, ast->kid[0], ast->kid[1], (ast->flags & AST_ALL) != 0, ast->type);
    case OP_ENPASSANTSQUARE:
        return value_of(NULL, en_passant_square(l));
    default: // from, to
        return value_of(NULL, move_squares(l, ast->op == OP_FROM));
    }
}
