// A condition where it is known which side has just moved.
#include "compiler/middle/optimise/optimise.h"
#include "internal.h"

static Ir *ply_is_last(Arena *a)
{
    return ir_eq(ir_game(a, IR_GAME_COUNT), ir_with_int(IR_ADD, ir_node(IR_NODE_PLY, ir_current(a)), 1));
}

static Ir *has_fact(Arena *a, int facts)
{
    return ir_with_int(IR_NE, ir_with_int(IR_AND_BITS, ir_game(a, IR_GAME_FACTS), facts), 0);
}

static bool is_call_here(const Ir *tree, IrCall call)
{
    return tree->op == IR_CALL && tree->number == (int)call && tree->low == HERE;
}

// Without a legal move, a main line is at its end, and its facts say whether it is mate or stalemate.
static Ir *without_move(Ir *all)
{
    Arena *a = all->arena;
    int no_move = -1, check = -1, no_check = -1;
    for (int i = 0; i < all->kid_count; i++) {
        const Ir *kid = all->kid[i], *inner = kid->op == IR_NOT ? kid->kid[0] : kid;
        if (is_call_here(inner, IR_CALL_has_legal_move) && kid != inner)
            no_move = i;
        if (is_call_here(inner, IR_CALL_in_check))
            *(kid == inner ? &check : &no_check) = i;
    }
    if (no_move < 0)
        return all;
    const int facts = check >= 0 ? LINE_MATE : no_check >= 0 ? LINE_STALEMATE : LINE_MATE | LINE_STALEMATE;
    if (check >= 0 || no_check >= 0)
        all->kid[check >= 0 ? check : no_check] = ir_bool(a, true);
    all->kid[no_move] = ir_and(ply_is_last(a), has_fact(a, facts));
    return all;
}

static int side_at(ScreenPlace place, int at)
{
    return (place == SCREEN_WHITE_MOVED) != (at == BEFORE) ? BLACK : WHITE;
}

static Ir *call_at(ScreenPlace place, const Ir *call)
{
    Arena *a = call->arena;
    if (call->number == IR_CALL_in_check)
        return attack_check(a, side_at(place, call->low), call->low);
    if (call->low == BEFORE)
        return ir_bool(a, true);
    return ir_not(ir_and(ply_is_last(a), has_fact(a, LINE_MATE | LINE_STALEMATE)));
}

// `ply + added` compared with a constant is decided when every ply after a move gives the same result.
static Ir *compare_ply(Ir *comparison, int32_t added)
{
    const IrOp op = (IrOp)comparison->op;
    const int32_t bound = comparison->kid[1]->number;
    const bool first = ir_compare(op, 1 + added, bound), last = ir_compare(op, INT16_MAX * 2 + added, bound);
    const bool is_decided = first == last && op != IR_EQ && op != IR_NE;
    return is_decided || ((op == IR_EQ || op == IR_NE) && bound - added < 1)
               ? ir_bool(comparison->arena, (op == IR_EQ || op == IR_NE) ? op == IR_NE : first)
               : comparison;
}

static bool is_ply(const Ir *tree)
{
    return tree->op == IR_NODE && tree->number == IR_NODE_PLY;
}

static Ir *comparison_at(ScreenPlace place, Ir *tree)
{
    const Ir *a = tree->kid[0];
    if (place == SCREEN_START || tree->kid[1]->op != IR_INT)
        return tree;
    if (is_ply(a))
        return compare_ply(tree, 0);
    return a->op == IR_ADD && is_ply(a->kid[0]) && a->kid[1]->op == IR_INT ? compare_ply(tree, a->kid[1]->number)
                                                                           : tree;
}

static Ir *at_place(ScreenPlace place, Ir *tree)
{
    if (tree->op == IR_AND)
        tree = without_move(tree);
    for (int i = 0; i < tree->kid_count; i++)
        tree->kid[i] = at_place(place, tree->kid[i]);
    switch ((IrOp)tree->op) {
    case IR_SIDE:
        return ir_int(tree->arena, side_at(place, HERE));
    case IR_NODE:
        return place == SCREEN_START ? ir_int(tree->arena, 0) : tree;
    case IR_CALL:
        return at_place(place, call_at(place, tree));
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE:
        return comparison_at(place, tree);
    default:
        return tree;
    }
}

static bool reads_before(const Ir *tree)
{
    if (tree->op == IR_BOARD && tree->number >= BOARD_COUNT)
        return true;
    for (int i = 0; i < tree->kid_count; i++)
        if (reads_before(tree->kid[i]))
            return true;
    return false;
}

Ir *place_condition(const Ir *condition, ScreenPlace place)
{
    Ir *result = optimise_folded(at_place(place, ir_copy(condition)));
    return place == SCREEN_START && reads_before(result) ? NULL : result;
}
