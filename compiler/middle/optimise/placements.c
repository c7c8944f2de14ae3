// One pattern at several places of the board, as `shift` and its relatives write it: alternatives that test the same sets on
// masks that are one shape, moved and cut off at the edges, become set algebra over all places at once: `Kc3 Rc4` is the square
// c3 with a king, and a rook one rank above it.
#include "internal.h"
#include "runtime/chess/chess.h"
#include "runtime/value/account.h"

enum { MOST_FAMILIES = 64 }; // of shapes with the same tests

typedef struct Placement {
    Alternative *of;
    PlacedTest *placed; // its tests
    bool is_open;       // may be joined with others
    int next;           // of the same group; -1: none
} Placement;

// Placements with the same tests except for the masks.
typedef struct Group {
    int first, last;
} Group;

// The set without its constant operands, which restrict the mask; NULL: it has no others.
static Ir *without_mask(Ir *set, Bitboard *mask)
{
    if (set->op == IR_SET)
        *mask &= set->set;
    if (set->op != IR_SET_AND)
        return set->op != IR_SET ? set : NULL;
    Ir *others = NULL;
    for (int i = 0; i < set->kid_count; i++) {
        Ir *kid = without_mask(set->kid[i], mask);
        if (kid != NULL)
            others = others == NULL ? kid : ir_set_and(others, kid);
    }
    return others;
}

// Some square is attacked, or something on some square attacks.
static Ir *without_mask_of_attack(const Ir *call, Bitboard *mask)
{
    Ir *to = without_mask(call->kid[1], mask);
    if (*mask != BB_ALL) {
        Ir *attacked = ir_call(call->arena, IR_CALL_attacked, 1, ir_copy(call->kid[0]));
        return to == NULL ? attacked : ir_set_and(to, attacked);
    }
    Ir *from = without_mask(call->kid[0], mask);
    return from == NULL ? NULL : ir_call(call->arena, IR_CALL_attackers, 2, from, to);
}

PlacedTest placed_test(const Ir *test)
{
    PlacedTest placed = {.mask = BB_ALL, .negated = test->op == IR_NOT};
    const Ir *any = placed.negated ? test->kid[0] : test;
    if (any->op != IR_ANY)
        return (PlacedTest){0};
    Ir *set = any->kid[0];
    const bool is_attack = set->op == IR_CALL && set->number == IR_CALL_attackers;
    set = is_attack ? without_mask_of_attack(set, &placed.mask) : without_mask(set, &placed.mask);
    if (placed.mask != BB_ALL)
        placed.set = set;
    return placed;
}

static bool is_anchor(const PlacedTest *test)
{
    return test->set != NULL && bb_count(test->mask) == 1;
}

// What placements of one group have in common.
static Ir *key_of(Arena *arena, const Placement *p)
{
    Ir *key = ir_new(arena, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < p->of->count; i++) {
        Ir *test = p->placed[i].set != NULL ? ir_any(p->placed[i].set) : p->of->test[i];
        ir_add_kid(key, p->placed[i].negated && p->placed[i].set != NULL ? ir_not(test) : test);
    }
    return key;
}

// Returns the number of groups. What has one test only needs no anchor: algebra.c joins that.
static int find_placements(const Ir *list, Alternative *alternative, Placement *all, Group *group)
{
    TreeMap keys = {0};
    for (int i = 0; i < list->kid_count; i++) {
        Placement *p = &all[i];
        *p = (Placement){.of = &alternative[i], .next = -1};
        if (p->of->count < 2)
            continue;
        p->placed = arena_alloc(list->arena, sizeof *p->placed * (size_t)p->of->count);
        for (int k = 0; k < p->of->count; k++) {
            p->placed[k] = placed_test(p->of->test[k]);
            p->is_open = p->is_open || is_anchor(&p->placed[k]);
        }
        if (!p->is_open)
            continue;
        const int known = keys.count, number = tree_number(&keys, key_of(list->arena, p));
        if (number == known)
            group[number].first = i;
        else
            all[group[number].last].next = i;
        group[number].last = i;
    }
    const int groups = keys.count;
    tree_map_free(&keys);
    return groups;
}

// ---- one group --------------------------------------------------------------------------------------------

// The first test whose mask is a square in all placements of the group, or -1.
static int anchor_of(const Placement *all, const Group *group)
{
    for (int k = 0; k < all[group->first].of->count; k++) {
        int i = group->first;
        while (i >= 0 && is_anchor(&all[i].placed[k]))
            i = all[i].next;
        if (i < 0)
            return k;
    }
    return -1;
}

static int squares_of(const Placement *p)
{
    int squares = 0;
    for (int k = 0; k < p->of->count; k++)
        squares += p->placed[k].set != NULL ? bb_count(p->placed[k].mask) : 0;
    return squares;
}

// The placement of the group with the most squares: nothing of its shape is cut off. NULL: all are joined.
static Placement *widest(Placement *all, const Group *group)
{
    Placement *best = NULL;
    for (int i = group->first; i >= 0; i = all[i].next)
        if (all[i].is_open && (best == NULL || squares_of(&all[i]) > squares_of(best)))
            best = &all[i];
    return best;
}

// Whether `p` is the shape, moved.
static bool is_moved(const Placement *shape, const Placement *p, int anchor)
{
    if (!p->is_open)
        return false;
    const int from = bb_first(shape->placed[anchor].mask), to = bb_first(p->placed[anchor].mask);
    const int files = square_file(to) - square_file(from), ranks = square_rank(to) - square_rank(from);
    for (int k = 0; k < p->of->count; k++)
        if (p->placed[k].set != NULL && bb_step(shape->placed[k].mask, files, ranks) != p->placed[k].mask)
            return false;
    return true;
}

// The squares from which some square of the set is `files` files away and `first` to `last` ranks; `first` and `last` have
// the same sign, or are 0.
static Ir *ahead(const Ir *set, int files, int first, int last)
{
    const int way = first < 0 || last < 0 ? -1 : 1, near = way < 0 ? last : first,
              far = way < 0 ? first : last;
    Ir *all = ir_copy(set);
    for (int i = near; i != far; i += way)
        all = ir_set_or(ir_copy(set), ir_step(all, 0, -way));
    return ir_step(all, -files, -near);
}

// The squares relative to which some square of the mask is in the set, as the mask is to `anchor`.
static Ir *places_of(const Ir *set, Bitboard mask, int anchor)
{
    Ir *all = NULL;
    for (int file = 0; file < 8; file++) {
        for (int rank = 0; rank < 8; rank++) {
            if (!(mask >> (rank * 8 + file) & 1))
                continue;
            const int first = rank - square_rank(anchor);
            // A run of ranks does not go past the anchor's, because squares that leave the board do not come back.
            while (rank < 7 && (mask >> (rank * 8 + 8 + file) & 1) && rank + 1 != square_rank(anchor))
                rank++;
            Ir *run = ahead(set, file - square_file(anchor), first, rank - square_rank(anchor));
            all = all == NULL ? run : ir_set_or(all, run);
        }
    }
    return all;
}

static Ir *intersection(Ir *a, Ir *b)
{
    return a == NULL ? b : ir_set_and(a, b);
}

// All the placements at once: the squares of their anchors at which the shape fits.
static Ir *joined(const Placement *shape, int anchor, Bitboard anchors)
{
    const int from = bb_first(shape->placed[anchor].mask);
    Ir *cheap = NULL, *expensive = NULL, *all = NULL;
    for (int k = 0; k < shape->of->count; k++) {
        const PlacedTest *test = &shape->placed[k];
        if (test->set == NULL) {
            all = ir_and(all, ir_copy(shape->of->test[k]));
            continue;
        }
        Ir *places = places_of(test->set, test->mask, from);
        places = test->negated ? ir_set_not(places) : places;
        if (ir_cost(places) < EXPENSIVE)
            cheap = intersection(cheap, places);
        else
            expensive = intersection(expensive, places);
    }
    Ir *squares = ir_set(shape->of->test[0]->arena, anchors);
    if (cheap != NULL)
        all = ir_and(all, ir_any(optimise_folded(ir_set_and(ir_copy(cheap), squares))));
    if (expensive != NULL)
        all = ir_and(all,
                     ir_any(optimise_folded(ir_set_and(intersection(cheap, expensive), ir_copy(squares)))));
    return all;
}

// Joins what is the shape, moved, unless the steps of the shape cost more than the tests.
static void join_family(Ir *list, Placement *all, const Group *group, Placement *shape, int anchor)
{
    const char **note = NULL;
    int notes = 0, places = 0, first = -1;
    Bitboard anchors = 0;
    for (int i = group->first; i >= 0; i = all[i].next)
        if (is_moved(shape, &all[i], anchor)) {
            anchors |= all[i].placed[anchor].mask;
            places++;
        }
    shape->is_open = places >= shape->of->count && places * shape->of->count >= squares_of(shape);
    if (!shape->is_open)
        return;
    Ir *condition = joined(shape, anchor, anchors);
    for (int i = group->first; i >= 0; i = all[i].next) {
        if (!is_moved(shape, &all[i], anchor))
            continue;
        first = first < 0 ? i : first;
        if (all[i].of->note != NULL)
            ARENA_PUSH(list->arena, note, notes, all[i].of->note);
        all[i].is_open = false;
        all[i].of->count = 0;
        list->kid[i] = NULL;
    }
    list->kid[first] = condition;
    condition->note = ir_joined_note(list->arena, note, notes);
}

void join_placements(Ir *list, Alternative *alternative)
{
    Placement *all = account_new((size_t)list->kid_count, sizeof *all);
    Group *group = account_new((size_t)list->kid_count, sizeof *group);
    const int groups = find_placements(list, alternative, all, group);
    for (int g = 0; g < groups; g++) {
        const int anchor = anchor_of(all, &group[g]);
        Placement *shape = anchor < 0 ? NULL : widest(all, &group[g]);
        for (int i = 0; i < MOST_FAMILIES && shape != NULL; i++) {
            join_family(list, all, &group[g], shape, anchor);
            shape = widest(all, &group[g]);
        }
    }
    account_free(group);
    account_free(all);
}
