// Set algebra on constants and on the boards of the current position. A union of boards is the set of its piece
// codes, because the thirteen boards (one is the empty squares) are disjoint and cover all squares.
#include "internal.h"
#include "runtime/chess/chess.h"

// Splits kinds into boards, the largest unions first, and returns the number of boards.
static int split_kinds(int kinds, int boards[PIECE_CODES])
{
    static const int unions[] = {BOARD_OCCUPIED, BOARD_WHITE, BOARD_BLACK};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const int all = ir_board_kinds(unions[i]);
        if ((kinds & all) == all) {
            boards[count++] = unions[i];
            kinds &= ~all;
        }
    }
    for (int code = 0; code < PIECE_CODES; code++) {
        if (kinds >> code & 1)
            boards[count++] = code;
    }
    return count;
}

static Ir *union_of_kinds(Arena *a, int kinds)
{
    int boards[PIECE_CODES], others[PIECE_CODES];
    if (kinds == 0 || kinds == IR_ALL_KINDS)
        return ir_set(a, kinds == 0 ? 0 : ~0ULL);
    if ((kinds & (kinds - 1)) == 0)
        return ir_board(a, __builtin_ctz((unsigned)kinds));
    const int count = split_kinds(kinds, boards), other_count = split_kinds(IR_ALL_KINDS & ~kinds, others);
    const bool inverted = other_count + 1 < count;
    const int *chosen = inverted ? others : boards;
    const int chosen_count = inverted ? other_count : count;
    Ir *sum = ir_board(a, chosen[0]);
    if (chosen_count > 1) {
        sum = ir_new(a, IR_SET_OR, IRT_SET, 0);
        for (int i = 0; i < chosen_count; i++)
            ir_add_kid(sum, ir_board(a, chosen[i]));
    }
    return inverted ? ir_set_not(sum) : sum;
}

// ---- intersections and unions ----------------------------------------------------------------------------

enum { MANY = 16 }; // operands, among which equal ones are found by hashing

static bool has_equal(const Ir *list, TreeMap *numbers, const Ir *kid)
{
    if (list->kid_count > MANY) {
        for (int i = numbers->count; i < list->kid_count; i++)
            tree_number(numbers, list->kid[i]);
        return tree_find(numbers, kid) >= 0 && !ir_does_any(kid, IR_EFFECT);
    }
    for (int i = 0; i < list->kid_count; i++) {
        if (ir_equal(list->kid[i], kid) && !ir_does_any(kid, IR_EFFECT))
            return true;
    }
    return false;
}

// Collects the kids of nested nodes of one operation; constants and unions of boards are joined on the way.
typedef struct Operands {
    Ir *list;        // no two are equal, unless they have effects
    TreeMap numbers; // of has_equal: of the list
    Bitboard constant;
    int kinds;
    bool has_boards;
} Operands;

// A step of a designator: its squares can be moved at compile time.
static bool is_masked_step(const Ir *ir)
{
    return ir->op == IR_STEP && ir->kid[0]->op == IR_SET_AND && ir->kid[0]->kid_count == 2 &&
           ir->kid[0]->kid[1]->op == IR_SET;
}

static Ir *unmasked_step(const Ir *step)
{
    const Ir *designator = step->kid[0];
    Ir *moved = ir_step(designator->kid[0], step->number, step->low);
    return ir_set_and(moved, ir_set(step->arena, bb_step(designator->kid[1]->set, step->number, step->low)));
}

static void collect(const Ir *node, Operands *o)
{
    const bool is_and = node->op == IR_SET_AND;
    for (int i = 0; i < node->kid_count; i++) {
        Ir *kid = node->kid[i];
        const int kinds = ir_exact_kinds(kid);
        if (kid->op == node->op && kinds < 0) {
            collect(kid, o);
        } else if (is_and && is_masked_step(kid)) {
            collect(unmasked_step(kid), o);
        } else if (kid->op == IR_SET) {
            o->constant = is_and ? o->constant & kid->set : o->constant | kid->set;
        } else if (kinds >= 0) {
            o->kinds = is_and ? o->kinds & kinds : o->kinds | kinds;
            o->has_boards = true;
        } else if (!has_equal(o->list, &o->numbers, kid)) {
            ir_add_kid(o->list, kid);
        }
    }
}

static bool all_droppable(const Ir *node)
{
    for (int i = 0; i < node->kid_count; i++) {
        if (!ir_is_droppable(node->kid[i]))
            return false;
    }
    return true;
}

// Whether the list has both x and the complement of x.
static bool has_opposites(const Ir *list, TreeMap *numbers)
{
    for (int i = 0; i < list->kid_count; i++) {
        if (list->kid[i]->op == IR_SET_NOT && has_equal(list, numbers, list->kid[i]->kid[0]))
            return true;
    }
    return false;
}

// A constant set that includes the set.
static Bitboard bound(const Ir *set)
{
    const bool is_and = set->op == IR_SET_AND;
    Bitboard squares = is_and ? BB_ALL : 0;
    switch ((IrOp)set->op) {
    case IR_SET:
        return set->set;
    case IR_CALL:
        return set->number == IR_CALL_attackers ? bound(set->kid[0]) : BB_ALL;
    case IR_SET_AND:
    case IR_SET_OR:
        for (int i = 0; i < set->kid_count; i++)
            squares = is_and ? squares & bound(set->kid[i]) : squares | bound(set->kid[i]);
        return squares;
    default:
        return ir_is_moves(set) ? ir_value_of(set, bound(set->kid[0]), 0) : BB_ALL;
    }
}

bool sets_are_disjoint(const Ir *a, const Ir *b)
{
    return (ir_kinds(a) & ir_kinds(b)) == 0 || (bound(a) & bound(b)) == 0;
}

// Removes the parts of a union that have no square in `limit`. Returns whether there were any.
static bool drop_outside(Ir *set, Bitboard limit)
{
    const int count = set->kid_count;
    if (set->op != IR_SET_OR || limit == BB_ALL)
        return false;
    for (int i = 0; i < set->kid_count; i++) {
        if ((bound(set->kid[i]) & limit) == 0 && ir_is_droppable(set->kid[i]))
            set->kid[i--] = set->kid[--set->kid_count];
    }
    return set->kid_count < count;
}

static Ir *finish_operands(Operands *o, bool is_and)
{
    const Bitboard neutral = is_and ? ~0ULL : 0, zero = ~neutral;
    const int neutral_kinds = is_and ? IR_ALL_KINDS : 0;
    Ir *list = ir_new(o->list->arena, is_and ? IR_SET_AND : IR_SET_OR, IRT_SET, 0);
    const bool certain =
        o->constant == zero || (o->has_boards && o->kinds == (is_and ? 0 : IR_ALL_KINDS)) ||
        has_opposites(o->list, &o->numbers) ||
        (is_and && ((ir_kinds(o->list) & o->kinds) == 0 || (bound(o->list) & o->constant) == 0));
    if (certain && all_droppable(o->list))
        return ir_set(o->list->arena, zero);
    const bool kinds_known = is_and && (ir_kinds(o->list) & ~o->kinds) == 0;
    const bool squares_known = is_and && (bound(o->list) & ~o->constant) == 0;
    if (o->has_boards && o->kinds != neutral_kinds && !kinds_known)
        ir_add_kid(list, union_of_kinds(list->arena, o->kinds));
    if (o->constant != neutral && !squares_known)
        ir_add_kid(list, ir_set(o->list->arena, o->constant));
    for (int i = 0; i < o->list->kid_count; i++)
        ir_add_kid(list, o->list->kid[i]);
    if (list->kid_count == 0)
        return ir_set(o->list->arena, neutral);
    return list->kid_count == 1 ? list->kid[0] : list;
}

// Boards & constant: the usual form of a designator.
static bool is_designator(const Ir *ir, int *kinds, Bitboard *squares)
{
    if (ir->op != IR_SET_AND || ir->kid_count != 2 || ir->kid[1]->op != IR_SET)
        return false;
    *kinds = ir_exact_kinds(ir->kid[0]);
    *squares = ir->kid[1]->set;
    return *kinds >= 0;
}

static Ir *designator(Arena *a, int kinds, Bitboard squares)
{
    return ir_set_and(union_of_kinds(a, kinds), ir_set(a, squares));
}

// Designators with the same pieces or the same squares become one.
static void merge_designators(Ir *list)
{
    for (int i = 0; i < list->kid_count; i++) {
        for (int j = i + 1; j < list->kid_count; j++) {
            int kinds_i, kinds_j;
            Bitboard squares_i, squares_j;
            if (!is_designator(list->kid[i], &kinds_i, &squares_i) ||
                !is_designator(list->kid[j], &kinds_j, &squares_j) ||
                (kinds_i != kinds_j && squares_i != squares_j))
                continue;
            Ir *merged = designator(list->arena, kinds_i | kinds_j, squares_i | squares_j);
            list->kid[i] = rewrite_tree(merged, fold_set);
            list->kid[j] = list->kid[--list->kid_count];
            j = i; // the new one may go with others
        }
    }
}

// What an intersection with a union of boards asks of another operand: its squares of those kinds.
typedef struct Narrowing {
    int kinds;
    bool changed;
} Narrowing;

// Pieces of other kinds need not be asked what they attack, and empty squares never.
static Ir *narrow_attackers(Ir *call, Narrowing *n)
{
    const int all = ir_exact_kinds(call->kid[0]) & ~(1 << EMPTY), kinds = all & n->kinds;
    if (ir_exact_kinds(call->kid[0]) < 0 || kinds == all || !ir_is_droppable(call->kid[1]))
        return call;
    n->changed = true;
    call->kid[0] = union_of_kinds(call->arena, kinds);
    return kinds == 0 ? ir_set(call->arena, 0) : call;
}

// Leaves out the boards that have all of those squares.
static Ir *narrow_intersection(Ir *set, Narrowing *n)
{
    int kept = 0;
    for (int i = 0; i < set->kid_count; i++) {
        const int kinds = ir_exact_kinds(set->kid[i]);
        if (kinds < 0 || (n->kinds & ~kinds) != 0)
            set->kid[kept++] = set->kid[i];
    }
    n->changed |= kept < set->kid_count;
    set->kid_count = kept;
    return kept == 0 ? ir_set(set->arena, BB_ALL) : kept == 1 ? set->kid[0] : set;
}

// A cheaper set with the same squares of those kinds; `set` may change. Looks into unions and complements to a depth.
static Ir *narrowed(Ir *set, Narrowing *n, int depth)
{
    if (set->op == IR_CALL && set->number == IR_CALL_attackers)
        return narrow_attackers(set, n);
    if (set->op == IR_SET_AND)
        return narrow_intersection(set, n);
    if (depth == 0 || (set->op != IR_SET_NOT && set->op != IR_SET_OR))
        return set;
    Narrowing inside = {.kinds = n->kinds};
    for (int i = 0; i < set->kid_count; i++)
        set->kid[i] = narrowed(set->kid[i], &inside, depth - 1);
    n->changed |= inside.changed;
    return inside.changed ? fold_set(set) : set;
}

static Ir *fold_operands(Ir *node)
{
    const bool is_and = node->op == IR_SET_AND;
    if (is_and && node->kid_count == 2 && node->kid[0]->op == IR_BOARD && node->kid[1]->op == IR_SET &&
        node->kid[1]->set != 0 && node->kid[1]->set != BB_ALL)
        return node;
    Operands o = {.list = ir_new(node->arena, (IrOp)node->op, IRT_SET, 0),
                  .constant = is_and ? ~0ULL : 0,
                  .kinds = is_and ? IR_ALL_KINDS : 0};
    collect(node, &o);
    tree_map_free(&o.numbers); // the list changes
    if (!is_and)
        merge_designators(o.list);
    bool smaller = false;
    for (int i = 0; i < o.list->kid_count && is_and; i++) {
        Ir *kid = o.list->kid[i];
        if (drop_outside(kid, o.constant)) {
            o.list->kid[i] = fold_operands(kid);
            smaller = true;
        }
    }
    Narrowing narrowing = {.kinds = o.kinds};
    for (int i = 0; i < o.list->kid_count && is_and && o.has_boards; i++)
        o.list->kid[i] = narrowed(o.list->kid[i], &narrowing, 2);
    smaller |= narrowing.changed;
    Ir *set = finish_operands(&o, is_and);
    tree_map_free(&o.numbers);
    return smaller && set->op == IR_SET_AND ? fold_operands(set) : set; // what is left may join the others
}

// ---- other set values ------------------------------------------------------------------------------------

static Ir *fold_complement(Ir *node)
{
    const Ir *kid = node->kid[0];
    if (kid->op == IR_SET_NOT)
        return kid->kid[0];
    const int kinds = ir_exact_kinds(node);
    return kinds >= 0 && kid->op != IR_SET_OR ? union_of_kinds(node->arena, kinds) : node;
}

Ir *fold_set(Ir *node)
{
    switch ((IrOp)node->op) {
    case IR_SET_AND:
    case IR_SET_OR:
        return fold_operands(node);
    case IR_SET_NOT:
        return fold_complement(node);
    case IR_STEP:
        return node->number == 0 && node->low == 0 ? node->kid[0] : node;
    default:
        return node;
    }
}
