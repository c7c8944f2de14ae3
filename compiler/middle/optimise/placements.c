// One pattern at several places of the board, as `shift` and its relatives write it: alternatives that test the same sets on
// masks that are one shape, moved and cut off at the edges, become set algebra over all places at once. algebra.c does so for
// masks of one square.
#include "internal.h"
#include "runtime/chess/chess.h"
#include "runtime/value/account.h"

#include <stdlib.h>

enum { MOST_FAMILIES = 16 }; // of shapes with the same tests

// A test of whether some square of a mask is in a set, or none is.
typedef struct PlacedTest {
    Ir *set; // NULL: no such test; it has the same meaning wherever the pattern is
    Bitboard mask;
    bool negated;
} PlacedTest;

typedef struct Placement {
    Ir *const *test;
    PlacedTest *placed;
    int count;
    int group; // those with the same tests except for the masks; -1: none
    const char *note;
} Placement;

static PlacedTest placed_test(const Ir *test)
{
    PlacedTest placed = {.mask = BB_ALL, .negated = test->op == IR_NOT};
    const Ir *any = placed.negated ? test->kid[0] : test;
    if (any->op != IR_ANY)
        return (PlacedTest){0};
    Ir *set = any->kid[0];
    if (set->op == IR_CALL && set->number == IR_CALL_attackers && set->kid[1]->op == IR_SET) {
        placed.mask = set->kid[1]->set;
        placed.set = ir_call(set->arena, IR_CALL_attacked, 1, ir_copy(set->kid[0]));
        return placed;
    }
    Ir *others = ir_new(set->arena, IR_SET_AND, IRT_SET, 0);
    for (int i = 0; set->op == IR_SET_AND && i < set->kid_count; i++) {
        if (set->kid[i]->op == IR_SET)
            placed.mask &= set->kid[i]->set;
        else
            ir_add_kid(others, set->kid[i]);
    }
    if (placed.mask != BB_ALL && others->kid_count > 0)
        placed.set = others->kid_count == 1 ? others->kid[0] : others;
    return placed;
}

// What placements of one group have in common.
static Ir *key_of(Arena *arena, const Placement *p)
{
    Ir *key = ir_new(arena, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < p->count; i++) {
        Ir *test = p->placed[i].set != NULL ? ir_any(p->placed[i].set) : p->test[i];
        ir_add_kid(key, p->placed[i].negated && p->placed[i].set != NULL ? ir_not(test) : test);
    }
    return key;
}

static bool is_anchor(const PlacedTest *test)
{
    return test->set != NULL && !test->negated && bb_count(test->mask) == 1;
}

// Not those that algebra.c joins: all their masks are squares.
static bool is_wanted(const Placement *p)
{
    bool anchored = false, wider = false;
    for (int i = 0; i < p->count; i++) {
        anchored = anchored || is_anchor(&p->placed[i]);
        wider = wider || (p->placed[i].set != NULL &&
                          (bb_count(p->placed[i].mask) > 1 || p->placed[i].set->op == IR_CALL));
    }
    return anchored && wider;
}

static Placement *find_placements(const Ir *list, TreeMap *keys)
{
    Placement *all = account_new((size_t)list->kid_count, sizeof *all);
    bool only_reads = true; // so far: no alternative may be moved past one that has effects
    for (int i = 0; i < list->kid_count; i++) {
        Placement *p = &all[i];
        const Ir *kid = list->kid[i];
        p->group = -1;
        only_reads = only_reads && !ir_noted_any(kid, IR_NOT_DROPPABLE);
        if (!only_reads || kid->op != IR_AND || !ir_is_total(kid))
            continue;
        p->test = kid->kid;
        p->count = kid->kid_count;
        p->note = kid->note;
        p->placed = arena_alloc(list->arena, sizeof *p->placed * (size_t)p->count);
        for (int k = 0; k < p->count; k++)
            p->placed[k] = placed_test(p->test[k]);
        if (is_wanted(p))
            p->group = tree_number(keys, key_of(list->arena, p));
    }
    return all;
}

// ---- one group --------------------------------------------------------------------------------------------

// The first test whose mask is a square in all placements of the group, or -1.
static int anchor_of(const Placement *all, int count, int group, int tests)
{
    for (int k = 0; k < tests; k++) {
        bool anchors = true;
        for (int i = 0; i < count && anchors; i++)
            anchors = all[i].group != group || is_anchor(&all[i].placed[k]);
        if (anchors)
            return k;
    }
    return -1;
}

static int squares_of(const Placement *p)
{
    int squares = 0;
    for (int k = 0; k < p->count; k++)
        squares += p->placed[k].set != NULL ? bb_count(p->placed[k].mask) : 0;
    return squares;
}

// The placement of the group with the most squares: nothing of its shape is cut off.
static int widest(const Placement *all, int count, int group)
{
    int best = -1;
    for (int i = 0; i < count; i++)
        if (all[i].group == group && (best < 0 || squares_of(&all[i]) > squares_of(&all[best])))
            best = i;
    return best;
}

// Whether `p` is the shape, moved.
static bool is_moved(const Placement *shape, const Placement *p, int anchor)
{
    const int from = bb_first(shape->placed[anchor].mask), to = bb_first(p->placed[anchor].mask);
    const int files = square_file(to) - square_file(from), ranks = square_rank(to) - square_rank(from);
    for (int k = 0; k < p->count; k++)
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

// All the placements at once: the squares of their anchors at which the shape fits.
static Ir *joined(const Placement *shape, int anchor, Bitboard anchors)
{
    const int from = bb_first(shape->placed[anchor].mask);
    Arena *arena = shape->placed[anchor].set->arena;
    Ir *cheap = ir_set_and(ir_copy(shape->placed[anchor].set), ir_set(arena, anchors)), *expensive = NULL,
       *tests = NULL;
    for (int k = 0; k < shape->count; k++) {
        const PlacedTest *test = &shape->placed[k];
        if (test->set == NULL)
            tests = ir_and(tests, ir_copy(shape->test[k]));
        if (test->set == NULL || k == anchor)
            continue;
        Ir *places = places_of(test->set, test->mask, from);
        places = test->negated ? ir_set_not(places) : places;
        if (ir_cost(places) < EXPENSIVE)
            cheap = ir_set_and(cheap, places);
        else
            expensive = expensive == NULL ? places : ir_set_and(expensive, places);
    }
    Ir *all = ir_any(optimise_folded(ir_copy(cheap)));
    if (expensive != NULL)
        all = ir_and(all, ir_any(optimise_folded(ir_set_and(cheap, expensive))));
    return ir_and(tests, all);
}

static void join(Ir *list, Placement *all, int shape, int anchor)
{
    const int group = all[shape].group;
    const char **note = NULL;
    int notes = 0, places = 0;
    Bitboard anchors = 0;
    for (int i = 0; i < list->kid_count; i++)
        places += all[i].group == group && is_moved(&all[shape], &all[i], anchor);
    if (places * all[shape].count < squares_of(&all[shape]) || places < 2) {
        all[shape].group = -1;
        return;
    }
    int first = -1;
    for (int i = 0; i < list->kid_count; i++) {
        if (all[i].group != group || !is_moved(&all[shape], &all[i], anchor))
            continue;
        anchors |= all[i].placed[anchor].mask;
        if (all[i].note != NULL)
            ARENA_PUSH(list->arena, note, notes, all[i].note);
        all[i].group = -1;
        first = first < 0 ? i : first;
        list->kid[i] = NULL;
    }
    list->kid[first] = joined(&all[shape], anchor, anchors);
    list->kid[first]->note = ir_joined_note(list->arena, note, notes);
}

void join_placements(Ir *list)
{
    TreeMap keys = {0};
    Placement *all = find_placements(list, &keys);
    for (int group = 0; group < keys.count; group++) {
        int shape = widest(all, list->kid_count, group);
        const int anchor = shape < 0 ? -1 : anchor_of(all, list->kid_count, group, all[shape].count);
        for (int i = 0; i < MOST_FAMILIES && shape >= 0 && anchor >= 0; i++) {
            join(list, all, shape, anchor);
            shape = widest(all, list->kid_count, group);
        }
    }
    int count = 0;
    for (int i = 0; i < list->kid_count; i++)
        if (list->kid[i] != NULL)
            list->kid[count++] = list->kid[i];
    list->kid_count = count;
    tree_map_free(&keys);
    account_free(all);
}
