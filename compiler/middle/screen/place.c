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

// Is it the ply plus a constant?
static bool is_ply_sum(const Ir *tree, int32_t *added)
{
    *added = 0;
    for (; tree->op == IR_ADD && tree->kid[1]->op == IR_INT; tree = tree->kid[0])
        *added += tree->kid[1]->number;
    return tree->op == IR_NODE && tree->number == IR_NODE_PLY;
}

// `ply + added` compared with a constant is decided when every ply after a move gives the same result.
static Ir *compare_ply(Ir *comparison, int32_t added)
{
    const IrOp op = (IrOp)comparison->op;
    const bool is_equality = op == IR_EQ || op == IR_NE;
    const int32_t bound = comparison->kid[1]->number;
    const bool first = ir_compare(op, 1 + added, bound), last = ir_compare(op, INT16_MAX * 2 + added, bound);
    const bool is_decided = is_equality ? bound - added < 1 : first == last;
    return is_decided ? ir_bool(comparison->arena, is_equality ? op == IR_NE : first) : comparison;
}

// Comparisons of the ply that are known after a move, or at every position: there are more positions than plies.
static Ir *comparison_at(ScreenPlace place, Ir *tree)
{
    int32_t added;
    if (!is_ply_sum(tree->kid[0], &added))
        return tree;
    const bool with_count = tree->kid[1]->op == IR_GAME && tree->kid[1]->number == IR_GAME_COUNT;
    if (with_count && added <= 0 && (tree->op == IR_LT || tree->op == IR_GE))
        return ir_bool(tree->arena, tree->op == IR_LT);
    return place != SCREEN_START && tree->kid[1]->op == IR_INT ? compare_ply(tree, added) : tree;
}

// ---- the moved piece --------------------------------------------------------------------------------------

static bool is_field(const Ir *tree, int field)
{
    return tree->op == IR_BIT && tree->kid[0]->op == IR_NODE && tree->kid[0]->number == field;
}

// The kinds of a union of boards before the move; 0: it is something else.
static int kinds_before(const Ir *tree)
{
    int kinds = 0;
    if (tree->op == IR_BOARD && tree->number >= BOARD_COUNT)
        return ir_board_kinds(tree->number - BOARD_COUNT);
    for (int i = 0; tree->op == IR_SET_OR && i < tree->kid_count; i++) {
        const int kid = kinds_before(tree->kid[i]);
        if (kid == 0)
            return 0;
        kinds |= kid;
    }
    return kinds;
}

// The first square of the move in boards before it: the moved piece is of these kinds. So no board is needed.
static Ir *with_moved_piece(ScreenPlace place, Ir *any)
{
    Ir *all = any->kid[0], *rest = ir_new(any->arena, IR_SET_AND, IRT_SET, 0);
    int kinds = IR_ALL_KINDS, boards = 0;
    bool has_from = false;
    for (int i = 0; all->op == IR_SET_AND && i < all->kid_count; i++) {
        Ir *kid = all->kid[i];
        const int of_kid = kinds_before(kid);
        has_from |= is_field(kid, IR_NODE_FROM);
        if (of_kid != 0) {
            kinds &= of_kid;
            boards++;
        } else {
            ir_add_kid(rest, kid);
        }
    }
    if (!has_from || boards == 0)
        return any;
    const int movers = place == SCREEN_WHITE_MOVED ? IR_WHITE_KINDS : IR_BLACK_KINDS;
    kinds &= movers;
    if (kinds == 0)
        return ir_bool(any->arena, false);
    Ir *square = rest->kid_count == 1 ? ir_bool(any->arena, true) : ir_any(rest);
    if (kinds == movers)
        return square;
    return ir_and(ir_any(ir_set_and(ir_set(any->arena, (Bitboard)kinds),
                                    ir_bit(ir_node(IR_NODE_PIECE, ir_current(any->arena))))),
                  square);
}

static Ir *at_place(ScreenPlace place, Ir *tree)
{
    if (tree->op == IR_AND)
        tree = without_move(tree);
    for (int i = 0; i < tree->kid_count; i++)
        tree->kid[i] = at_place(place, tree->kid[i]);
    switch ((IrOp)tree->op) {
    case IR_REPEATS:
        return place == SCREEN_START ? ir_bool(tree->arena, false) : tree;
    case IR_SIDE:
        return ir_int(tree->arena, side_at(place, HERE));
    case IR_NODE:
        return place == SCREEN_START ? ir_int(tree->arena, 0) : tree;
    case IR_CALL:
        return at_place(place, call_at(place, tree));
    case IR_ANY:
        return place == SCREEN_START ? tree : with_moved_piece(place, tree);
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

// The facts of a game in which such a move is made; 0: it needs none.
static int facts_of_move(const Ir *condition)
{
    static const struct {
        int flag, fact;
    } row[] = {{MOVE_CASTLE_KING, LINE_CASTLES_KING},
               {MOVE_CASTLE_QUEEN, LINE_CASTLES_QUEEN},
               {MOVE_EN_PASSANT, LINE_EN_PASSANT}};
    int facts = 0, flags = 0;
    if (condition->op == IR_OR) {
        for (int i = 0; i < condition->kid_count; i++) {
            const int kid = facts_of_move(condition->kid[i]);
            if (kid == 0)
                return 0;
            facts |= kid;
        }
        return facts;
    }
    const Ir *a = condition->kid_count > 0 ? condition->kid[0] : NULL;
    if (condition->op == IR_NE && a->op == IR_AND_BITS && a->kid[0]->op == IR_NODE &&
        a->kid[0]->number == IR_NODE_FLAGS && a->kid[1]->op == IR_INT && condition->kid[1]->op == IR_INT &&
        condition->kid[1]->number == 0)
        flags = a->kid[1]->number;
    for (int i = 0; i < 3; i++) {
        facts |= flags & row[i].flag ? row[i].fact : 0;
        flags &= ~row[i].flag;
    }
    const bool is_promotion = condition->op == IR_ANY && a->op == IR_SET_AND && a->kid_count == 2 &&
                              a->kid[0]->op == IR_SET && !(a->kid[0]->set & 1) &&
                              is_field(a->kid[1], IR_NODE_PROMOTED);
    return is_promotion ? LINE_PROMOTES : flags != 0 ? 0 : facts;
}

// The condition with the facts that it needs, which cost nothing to look at.
static Ir *with_facts(Ir *condition)
{
    Ir *all = condition;
    const int count = condition->op == IR_AND ? condition->kid_count : 1;
    for (int i = 0; i < count; i++) {
        const int facts = facts_of_move(condition->op == IR_AND ? condition->kid[i] : condition);
        if (facts != 0)
            all = ir_and(all, has_fact(condition->arena, facts));
    }
    Ir *men = piece_count_bound(condition);
    return men != NULL ? ir_and(all, men) : all;
}

// An AND with each of its operands once.
static Ir *without_repeats(Ir *all)
{
    TreeMap seen = {0};
    int count = 0;
    for (int i = 0; i < all->kid_count; i++)
        if (tree_number(&seen, all->kid[i]) == count)
            all->kid[count++] = all->kid[i];
    tree_map_free(&seen);
    all->kid_count = count;
    return count == 1 ? all->kid[0] : all;
}

Ir *place_condition(const Ir *condition, ScreenPlace place)
{
    Ir *result = with_facts(optimise_folded(at_place(place, ir_copy(condition))));
    if (result->op == IR_AND)
        result = without_repeats(result);
    return place == SCREEN_START && ir_reads_board_before(result) ? NULL : result;
}
