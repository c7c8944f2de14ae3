// One move of the game, and the parts of a dash: sides, promotion, targets (language reference 4.3, 4.4).
#include "lower_moves.h"

// ---- one move ---------------------------------------------------------------------------------------------

Ir *move_node(Lower *l, int field, int move)
{
    return ir_node(field, ir_local(l->f, move));
}

Ir *move_flag(Lower *l, int flags, int move)
{
    return ir_nonzero(ir_with_int(IR_AND_BITS, move_node(l, IR_NODE_FLAGS, move), flags));
}

Ir *move_field_in(Lower *l, int field, int move, int set)
{
    if (!set)
        return NULL;
    Ir *in = ir_in_set(move_node(l, field, move), ir_local(l->f, set));
    // A drop comes from nowhere.
    return field == IR_NODE_FROM && l->query->variants ? ir_and(ir_not(move_flag(l, MOVE_DROP, move)), in)
                                                       : in;
}

// The piece codes that a promotion designator admits, as a set indexed by piece code (4.3.3).
static Bitboard promotion_codes(uint32_t pieces)
{
    Bitboard codes = 0;
    for (int type = WHITE_KNIGHT; type <= WHITE_KING; type++) {
        if (pieces & (SYMBOL_WHITE | SYMBOL_BLACK | 1u << type | 1u << (type + 6)))
            codes |= 1ULL << type | 1ULL << (type + 6);
    }
    return codes;
}

Ir *move_promotes_to(Lower *l, uint32_t pieces, int move)
{
    return ir_in_set(move_node(l, IR_NODE_PROMOTED, move), ir_set(l->arena, promotion_codes(pieces)));
}

// ---- sides ------------------------------------------------------------------------------------------------

static Ir *dash_side(Lower *l, const Ast *side, int *local)
{
    *local = 0;
    if (side == NULL || side->op == OP_ALL_SQUARES)
        return NULL;
    const Value value = lower_outside_dash(l, side);
    *local = ir_new_local(l->f, IRT_SET);
    return ir_and(value.pre, ir_let(*local, value.val));
}

Ir *dash_sides(Lower *l, const Ast *dash, DashScope *scope)
{
    Ir *left = dash_side(l, dash->kid_left, &scope->left);
    Ir *right = dash_side(l, dash->kid_right, &scope->right);
    return ir_and(left, right);
}

Ir *dash_guard(Lower *l, const Ast *dash)
{
    const bool noticed = facts_have_effects(dash->kid_left) || facts_have_effects(dash->kid_right);
    return noticed ? ir_exists(ir_node(IR_NODE_FIRST_CHILD, ir_current(l->arena))) : NULL;
}

static bool may_hold_rook(const Ast *side)
{
    const uint32_t rooks = SYMBOL_WHITE | SYMBOL_BLACK | 1u << WHITE_ROOK | 1u << BLACK_ROOK;
    return side == NULL || side->op != OP_DESIGNATOR || (side->pieces & rooks) != 0;
}

Ir *dash_fits(Lower *l, const Ast *dash, const DashScope *scope, int move)
{
    Ir *from = move_field_in(l, IR_NODE_FROM, move, scope->left);
    if (dash->flags & AST_CAPTURE)
        return ir_all(3, move_flag(l, MOVE_CAPTURE, move), from,
                      move_field_in(l, IR_NODE_VICTIM, move, scope->right));
    Ir *fits = ir_and(from, move_field_in(l, IR_NODE_TO, move, scope->right));
    if (fits == NULL || !may_hold_rook(dash->kid_left))
        return fits;
    // The rook's squares are NO_SQUARE in every move but castling, which is not in any set.
    return ir_or(fits, ir_and(move_field_in(l, IR_NODE_ROOK_FROM, move, scope->left),
                              move_field_in(l, IR_NODE_ROOK_TO, move, scope->right)));
}

// ---- promotion and targets --------------------------------------------------------------------------------

// A promotion to a piece whose letter occurs in the string; the empty string and "." mean any piece.
static Ir *promotion_in_text(Lower *l, const Ast *text, int move)
{
    Arena *a = l->arena;
    const Value value = lower_outside_dash(l, text);
    const int string = ir_new_local(l->f, IRT_STRING);
    Ir *pre = ir_and(value.pre, ir_let(string, ir_call(a, IR_CALL_upper, 1, value.val)));
    Ir *letter = ir_call(a, IR_CALL_type_letter, 1, move_node(l, IR_NODE_PROMOTED, move));
    Ir *named = ir_call(a, IR_CALL_contains, 2, letter, ir_local(l->f, string));
    Ir *empty = ir_with_int(IR_EQ, ir_call(a, IR_CALL_length, 1, ir_local(l->f, string)), 0);
    Ir *dot = ir_call(a, IR_CALL_compare, 2, ir_local(l->f, string), ir_string(l->m, "."));
    Ir *fits = ir_new(a, IR_OR, IRT_BOOL, 3, named, empty, ir_with_int(IR_EQ, dot, 0));
    return ir_all(3, pre, ir_nonzero(move_node(l, IR_NODE_PROMOTED, move)), fits);
}

Ir *dash_promotion(Lower *l, const Ast *dash, int move)
{
    const Ast *promotion = dash->kid_extra;
    if (promotion == NULL)
        return NULL;
    if (promotion->op == OP_ALL_SQUARES)
        return move_promotes_to(l, SYMBOL_WHITE, move);
    if (promotion->op == OP_DESIGNATOR)
        return move_promotes_to(l, promotion->pieces, move);
    return promotion_in_text(l, promotion, move);
}

bool dash_adds_text(const Lower *l, const Ast *dash)
{
    return facts_add_text(l, dash->kid_extra) || facts_kids_add_text(l, dash, dash->kid_count);
}

Ir *dash_targets(Lower *l, const Ast *dash, DashScope *scope, int out)
{
    const Scopes outer = l->in;
    const int last = dash->kid_count - 1;
    l->in.dash = dash->flags & AST_CAPTURE || (!scope->left && !scope->right) ? NULL : scope;
    Ir *all = out < 0 ? lower_conditions(l, dash, dash->kid_count) : lower_conditions(l, dash, last);
    if (out >= 0 && last >= 0)
        all = ir_and(all, lower_into(l, dash->kid[last], out));
    l->in = outer;
    return all;
}

// ---- the whole dash ---------------------------------------------------------------------------------------

// Promotion test at the head of the move and target at its tail. The current position is the head, or (past)
// already the tail. For sets the move decides even when this fails.
static Ir *dash_rest(Lower *l, const Ast *dash, DashScope *scope, int move, bool past, int out)
{
    Ir *promotion = dash_promotion(l, dash, move);
    Ir *goal = dash_targets(l, dash, scope, out);
    if (past && promotion != NULL)
        promotion = ir_at(move_node(l, IR_NODE_PARENT, move), promotion);
    if (!past && goal != NULL)
        goal = ir_at(ir_local(l->f, move), goal);
    Ir *rest = log_rollback(l, ir_and(promotion, goal), dash_adds_text(l, dash));
    const bool set = out >= 0 && dash->type == TYPE_SET;
    return set ? ir_always(rest) : rest;
}

Ir *dash_each(Lower *l, const Ast *dash, int move, int out, Ir *body, IrMode mode)
{
    DashScope scope;
    Ir *guard = dash_guard(l, dash), *sides = dash_sides(l, dash, &scope);
    Ir *fits = dash_fits(l, dash, &scope, move);
    Ir *rest = dash_rest(l, dash, &scope, move, false, out);
    Ir *loop = ir_each_child(ir_current(l->arena), move, ir_all(3, fits, rest, body), mode);
    Ir *all = ir_all(3, guard, sides, loop);
    return mode == MODE_EACH ? ir_always(all) : all;
}

Ir *dash_past(Lower *l, const Ast *dash, int out)
{
    DashScope scope;
    const int move = ir_new_local(l->f, IRT_POSITION);
    Ir *sides = dash_sides(l, dash, &scope);
    if (sides != NULL)
        sides = ir_at(move_node(l, IR_NODE_PARENT, move), sides);
    Ir *fits = dash_fits(l, dash, &scope, move);
    Ir *rest = dash_rest(l, dash, &scope, move, true, out);
    return ir_all(5, value_has_parent(l), ir_let(move, ir_current(l->arena)), sides, fits, rest);
}
