// Lowering of the dash filters (language reference 4.3, 4.4) and of the filters about the move that led to
// the current position (4.5). `legal` and the older `move` stand in lower_legal.c.
#include "moves.h"

// ---- builders ---------------------------------------------------------------------------------------------

Ir *local_value(Lower *l, int local)
{
    return ir_local(l->arena, l->function, local);
}

Ir *move_node(Lower *l, int field, int position_local)
{
    return ir_node(l->arena, field, local_value(l, position_local));
}

Ir *is_nonzero(Lower *l, Ir *number)
{
    return ir_new(l->arena, IR_NE, IRT_BOOL, 2, number, ir_int(l->arena, 0));
}

static Ir *flags_of(Lower *l, int flags, Ir *position)
{
    Ir *word = ir_node(l->arena, IR_NODE_FLAGS, position);
    return is_nonzero(l, ir_new(l->arena, IR_AND_BITS, IRT_INT, 2, word, ir_int(l->arena, flags)));
}

Ir *move_flag(Lower *l, int flags, int position_local)
{
    return flags_of(l, flags, local_value(l, position_local));
}

Ir *move_at(Lower *l, Ir *position, Ir *body)
{
    return ir_new(l->arena, IR_AT, IRT_BOOL, 2, position, body);
}

Ir *move_exists(Lower *l, Ir *position)
{
    return ir_new(l->arena, IR_GE, IRT_BOOL, 2, ir_new(l->arena, IR_INT_OF, IRT_INT, 1, position),
                  ir_int(l->arena, 0));
}

static Ir *bit(Lower *l, Ir *square)
{
    return ir_new(l->arena, IR_BIT, IRT_SET, 1, square);
}

static Ir *both_sets(Lower *l, Ir *a, Ir *b)
{
    return ir_new(l->arena, IR_SET_AND, IRT_SET, 2, a, b);
}

static Ir *either_set(Lower *l, Ir *a, Ir *b)
{
    return ir_new(l->arena, IR_SET_OR, IRT_SET, 2, a, b);
}

Ir *in_set(Lower *l, Ir *square, Ir *set)
{
    return ir_new(l->arena, IR_ANY, IRT_BOOL, 1, both_sets(l, set, bit(l, square)));
}

Ir *always(Lower *l, Ir *node)
{
    return node == NULL ? NULL : ir_new(l->arena, IR_ALWAYS, IRT_BOOL, 1, node);
}

static Ir *true_if_null(Lower *l, Ir *node)
{
    return node != NULL ? node : ir_bool(l->arena, true);
}

static Ir *current(Lower *l)
{
    return ir_new(l->arena, IR_CURRENT, IRT_POSITION, 0);
}

static Ir *at_root(Lower *l)
{
    if (l->imaginary)
        return ir_new(l->arena, IR_NOT, IRT_BOOL, 1,
                      move_exists(l, ir_node(l->arena, IR_NODE_PARENT, current(l))));
    Ir *id = ir_new(l->arena, IR_INT_OF, IRT_INT, 1, current(l));
    return ir_new(l->arena, IR_EQ, IRT_BOOL, 2, id, ir_int(l->arena, 0));
}

static Ir *not_at_root(Lower *l)
{
    return ir_new(l->arena, IR_NOT, IRT_BOOL, 1, at_root(l));
}

// ---- the parts of a dash ----------------------------------------------------------------------------------

static Ir *dash_side(Lower *l, const Ast *side, int *local)
{
    *local = -1;
    if (side == NULL || side->op == OP_ALL_SQUARES)
        return NULL;
    const Value value = lower_value(l, side);
    *local = new_local(l, IRT_SET);
    return ir_and(l, value.pre, ir_let(l->arena, *local, value.val));
}

Ir *dash_sides(Lower *l, const Ast *dash, DashScope *scope)
{
    DashScope *const outer = l->dash;
    l->dash = NULL;
    Ir *left = dash_side(l, dash->kid_left, &scope->left);
    Ir *right = dash_side(l, dash->kid_right, &scope->right);
    l->dash = outer;
    return ir_and(l, left, right);
}

// Evaluating the sides can be observed.
static bool sides_have_effects(const Ast *dash)
{
    return (dash->kid_left != NULL && has_side_effects(dash->kid_left)) ||
           (dash->kid_right != NULL && has_side_effects(dash->kid_right));
}

static Ir *field_in(Lower *l, int field, int move_local, int set_local)
{
    return set_local < 0 ? NULL : in_set(l, move_node(l, field, move_local), local_value(l, set_local));
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
        return ir_and(l, capture, ir_and(l, from, victim));
    }
    Ir *move = ir_and(l, from, field_in(l, IR_NODE_TO, move_local, scope->right));
    if (move == NULL || !may_hold_rook(dash->kid_left))
        return move;
    // The rook's squares are NO_SQUARE in every move but castling, and no set holds that.
    Ir *rook = ir_and(l, field_in(l, IR_NODE_ROOK_FROM, move_local, scope->left),
                      field_in(l, IR_NODE_ROOK_TO, move_local, scope->right));
    return ir_new(l->arena, IR_OR, IRT_BOOL, 2, move, rook);
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
    const int string = new_local(l, IRT_STRING);
    Ir *pre = ir_and(l, value.pre, ir_let(a, string, ir_call(a, IR_CALL_upper, 1, value.val)));
    Ir *piece = move_node(l, IR_NODE_PROMOTED, move_local);
    Ir *letter =
        ir_call(a, IR_CALL_contains, 2, ir_call(a, IR_CALL_type_letter, 1, piece), local_value(l, string));
    Ir *empty =
        ir_new(a, IR_EQ, IRT_BOOL, 2, ir_call(a, IR_CALL_length, 1, local_value(l, string)), ir_int(a, 0));
    Ir *dot = ir_new(a, IR_EQ, IRT_BOOL, 2,
                     ir_call(a, IR_CALL_compare, 2, local_value(l, string), ir_text(l->module, ".", 1)),
                     ir_int(a, 0));
    Ir *fits = ir_new(a, IR_OR, IRT_BOOL, 3, letter, empty, dot);
    return ir_and(l, pre, ir_and(l, is_nonzero(l, move_node(l, IR_NODE_PROMOTED, move_local)), fits));
}

Ir *move_promotes_to(Lower *l, uint32_t pieces, int move_local)
{
    const Bitboard codes = promotion_codes(pieces);
    return in_set(l, move_node(l, IR_NODE_PROMOTED, move_local), ir_set(l->arena, codes));
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
        all = ir_and(l, all, value ? lower_into(l, dash->kid[i], out) : lower_condition(l, dash->kid[i]));
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
        promotion = move_at(l, move_node(l, IR_NODE_PARENT, move_local), promotion);
    if (!here && goal != NULL)
        goal = move_at(l, local_value(l, move_local), goal);
    Ir *rest = ir_and(l, promotion, goal);
    if (rest == NULL)
        return NULL;
    rest = with_rollback(l, rest, dash_adds_text(l, dash));
    const bool set = out >= 0 && dash->type == TYPE_SET;
    return set ? always(l, rest) : rest;
}

static Ir *each_child(Lower *l, int move_local, Ir *body, IrMode mode)
{
    Ir *loop = ir_new(l->arena, IR_EACH_CHILD, IRT_BOOL, 2, current(l), true_if_null(l, body));
    loop->number = move_local;
    loop->mode = (uint8_t)mode;
    return loop;
}

// The sides are not evaluated at terminal positions.
static Ir *guard_terminal(Lower *l, const Ast *dash)
{
    return sides_have_effects(dash) ? move_exists(l, ir_node(l->arena, IR_NODE_FIRST_CHILD, current(l)))
                                    : NULL;
}

// True iff some move of the current position fits; out as in target().
static Ir *dash(Lower *l, const Ast *ast, int out)
{
    DashScope scope;
    const int move = new_local(l, IRT_POSITION);
    Ir *guard = guard_terminal(l, ast);
    Ir *sides = dash_sides(l, ast, &scope);
    Ir *fits = dash_fits(l, ast, &scope, move);
    Ir *body = ir_and(l, fits, dash_rest(l, ast, &scope, move, false, out));
    return ir_and(l, guard, ir_and(l, sides, each_child(l, move, body, MODE_ANY)));
}

Ir *lower_each_dash_move(Lower *l, const Ast *ast, int local, Ir *body)
{
    DashScope scope;
    Ir *guard = guard_terminal(l, ast);
    Ir *sides = dash_sides(l, ast, &scope);
    Ir *fits = dash_fits(l, ast, &scope, local);
    Ir *move = ir_and(l, ir_and(l, fits, dash_rest(l, ast, &scope, local, false, -1)), body);
    return always(l, ir_and(l, guard, ir_and(l, sides, each_child(l, local, move, MODE_EACH))));
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
    Arena *a = l->arena;
    DashScope scope;
    const int move = new_local(l, IRT_POSITION);
    Ir *sides = dash_sides(l, ast, &scope);
    if (sides != NULL)
        sides = move_at(l, move_node(l, IR_NODE_PARENT, move), sides);
    Ir *fits = dash_fits(l, ast, &scope, move);
    Ir *rest = dash_rest(l, ast, &scope, move, true, out);
    Ir *head = ir_and(l, not_at_root(l), ir_let(a, move, current(l)));
    return ir_and(l, head, ir_and(l, sides, ir_and(l, fits, rest)));
}

// A value that a bool node leaves in a local; sets are empty when the node fails.
static Value value_from(Lower *l, Ir *(*make)(Lower *l, const Ast *ast, int out), const Ast *ast)
{
    const int out = new_local(l, ir_type_of(ast->type));
    Ir *node = make(l, ast, out);
    if (ast->type == TYPE_SET)
        node = ir_and(l, ir_let(l->arena, out, ir_set(l->arena, 0)), always(l, node));
    return (Value){node, local_value(l, out)};
}

// ---- countmoves -------------------------------------------------------------------------------------------

static Value count_dash(Lower *l, const Ast *ast)
{
    Arena *a = l->arena;
    DashScope scope;
    const int move = new_local(l, IRT_POSITION), count = new_local(l, IRT_INT);
    Ir *guard = guard_terminal(l, ast);
    Ir *sides = dash_sides(l, ast, &scope);
    Ir *fits = dash_fits(l, ast, &scope, move);
    Ir *body = ir_and(l, fits, dash_rest(l, ast, &scope, move, false, -1));
    Ir *one_more = ir_let(a, count, ir_new(a, IR_ADD, IRT_INT, 2, local_value(l, count), ir_int(a, 1)));
    Ir *loop = ir_and(l, sides, each_child(l, move, ir_and(l, body, one_more), MODE_EACH));
    if (guard != NULL)
        loop = always(l, ir_and(l, guard, loop));
    return (Value){ir_and(l, ir_let(a, count, ir_int(a, 0)), loop), local_value(l, count)};
}

static Value countmoves(Lower *l, const Ast *ast)
{
    const Ast *operand = unwrap(ast->kid[0]);
    return operand->op == OP_LEGAL ? lower_legal_count(l, operand) : count_dash(l, operand);
}

static Ir *countmoves_condition(Lower *l, const Ast *ast)
{
    return true_if_null(l, always(l, countmoves(l, ast).pre));
}

// `previous countmoves`: the number at the parent.
static Value past_count(Lower *l, const Ast *ast)
{
    const int out = new_local(l, IRT_INT);
    Value value = countmoves(l, ast);
    Ir *let = ir_and(l, value.pre, ir_let(l->arena, out, value.val));
    Ir *there = move_at(l, ir_node(l->arena, IR_NODE_PARENT, current(l)), let);
    return (Value){ir_and(l, not_at_root(l), there), local_value(l, out)};
}

// ---- the move that led here (4.5) -------------------------------------------------------------------------

static Ir *current_field(Lower *l, int field)
{
    return ir_node(l->arena, field, current(l));
}

static Ir *empty_at_root(Lower *l, Ir *set)
{
    return ir_new(l->arena, IR_CHOOSE, IRT_SET, 3, at_root(l), ir_set(l->arena, 0), set);
}

static Ir *side_set(Lower *l, int local)
{
    return local < 0 ? ir_set(l->arena, ~0ULL) : local_value(l, local);
}

// The part of the squares of king or rook that a dash around leaves: `mine` restricted by its side if the
// other end of that piece's move lies in the other side (4.3.6).
static Ir *restricted(Lower *l, int field, int own_side, int other_field, int other_side)
{
    Ir *square = both_sets(l, side_set(l, own_side), bit(l, current_field(l, field)));
    Ir *other = in_set(l, current_field(l, other_field), side_set(l, other_side));
    return ir_new(l->arena, IR_CHOOSE, IRT_SET, 3, other, square, ir_set(l->arena, 0));
}

// `from` (is_from) and `to`.
static Ir *move_squares(Lower *l, bool is_from)
{
    const int king = is_from ? IR_NODE_FROM : IR_NODE_TO,
              rook = is_from ? IR_NODE_ROOK_FROM : IR_NODE_ROOK_TO;
    if (l->dash == NULL) {
        Ir *squares = either_set(l, bit(l, current_field(l, king)), bit(l, current_field(l, rook)));
        return empty_at_root(l, squares);
    }
    const int king_other = is_from ? IR_NODE_TO : IR_NODE_FROM;
    const int rook_other = is_from ? IR_NODE_ROOK_TO : IR_NODE_ROOK_FROM;
    const int own = is_from ? l->dash->left : l->dash->right,
              other = is_from ? l->dash->right : l->dash->left;
    return either_set(l, restricted(l, king, own, king_other, other),
                      restricted(l, rook, own, rook_other, other));
}

static Ir *en_passant_square(Lower *l)
{
    Ir *victim = bit(l, current_field(l, IR_NODE_VICTIM));
    return ir_new(l->arena, IR_CHOOSE, IRT_SET, 3, flags_of(l, MOVE_EN_PASSANT, current(l)), victim,
                  ir_set(l->arena, 0));
}

static Ir *index_test(Lower *l, IrOp comparison)
{
    return ir_new(l->arena, comparison, IRT_BOOL, 2, current_field(l, IR_NODE_INDEX), ir_int(l->arena, 0));
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
        return flags_of(l, MOVE_CASTLE, current(l));
    case OP_O_O:
        return flags_of(l, MOVE_CASTLE_KING, current(l));
    case OP_O_O_O:
        return flags_of(l, MOVE_CASTLE_QUEEN, current(l));
    case OP_ENPASSANT:
        return flags_of(l, MOVE_EN_PASSANT, current(l));
    case OP_NULLMOVE:
        return flags_of(l, MOVE_NULL, current(l));
    case OP_PRIMARY:
        return ir_and(l, not_at_root(l), index_test(l, IR_EQ));
    case OP_SECONDARY:
        return index_test(l, IR_GT);
    case OP_MOVE:
        return lower_move_condition(l, ast);
    case OP_SPECULATIVE:
        return condition_of(l, lower_moves_value(l, ast), ast->type);
    default: { // sets
        const Value value = lower_moves_value(l, ast);
        return ir_and(l, value.pre, ir_new(l->arena, IR_ANY, IRT_BOOL, 1, value.val));
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
        return (Value){NULL, en_passant_square(l)};
    default: // from, to
        return (Value){NULL, move_squares(l, ast->op == OP_FROM)};
    }
}
