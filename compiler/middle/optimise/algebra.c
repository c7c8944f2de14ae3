// Combines alternatives that a person would write as one condition: the same pieces on several squares, the same
// pattern at several places on the board, and tests that all of them share. Only alternatives that only read and are
// safe to evaluate speculatively are combined.
#include "internal.h"
#include "runtime/chess/chess.h"
#include "runtime/value/account.h"

#include <stdlib.h>

typedef struct Alternatives {
    Ir *list; // the OR
    Alternative *kid;
} Alternatives;

static Ir *without_place(Ir *ir)
{
    while (ir->op == IR_PLACE)
        ir = ir->kid[0];
    return ir;
}

static Alternatives split_alternatives(Ir *list)
{
    Alternatives a = {list, account_new((size_t)list->kid_count, sizeof *a.kid)};
    bool only_reads = true; // so far: no alternative may be moved past one that has effects
    for (int i = 0; i < list->kid_count; i++) {
        Ir *kid = without_place(list->kid[i]);
        Alternative *alternative = &a.kid[i];
        alternative->factor = -1;
        alternative->note = kid->note;
        only_reads = only_reads && !ir_noted_any(kid, IR_NOT_DROPPABLE);
        if (!only_reads || !ir_is_total(kid))
            continue; // no tests
        Ir **whole = arena_alloc(kid->arena, sizeof *whole);
        *whole = kid;
        alternative->test = kid->op == IR_AND ? kid->kid : whole;
        alternative->count = kid->op == IR_AND ? kid->kid_count : 1;
    }
    return a;
}

// The OR without the kids that are now NULL.
static void close_gaps(Ir *list)
{
    int count = 0;
    for (int i = 0; i < list->kid_count; i++) {
        if (list->kid[i] != NULL)
            list->kid[count++] = list->kid[i];
    }
    list->kid_count = count;
}

// ---- patterns of pieces on squares -----------------------------------------------------------------------

// A test of pieces on squares: some square of `squares` is in `set`.
typedef struct Pattern {
    Ir *set; // NULL: no pattern
    Bitboard squares;
    const char **note; // of those that were joined
    int note_count;
} Pattern;

static Pattern pattern_of(const Alternative *a)
{
    if (a->count != 1)
        return (Pattern){0};
    const PlacedTest test = placed_test(a->test[0]);
    if (test.set == NULL && a->test[0]->op == IR_ANY)
        return (Pattern){.set = a->test[0]->kid[0], .squares = BB_ALL};
    if (test.set == NULL || (test.negated && bb_count(test.mask) > 1))
        return (Pattern){0};
    Ir *set = test.negated ? fold_set(ir_set_not(test.set)) : test.set;
    return (Pattern){.set = set, .squares = test.mask};
}

// What patterns must have in common to be joined: the set, or with by_squares the squares. NULL: not joined.
static const Ir *key_of(const Alternatives *a, const Pattern *pattern, int i, bool by_squares)
{
    const Ir *set = a->list->kid[i] != NULL ? pattern[i].set : NULL;
    if (set == NULL || !by_squares)
        return set;
    const bool is_boards = set->op == IR_BOARD || (set->op == IR_SET_OR && set->kid[0]->op == IR_BOARD);
    return is_boards ? ir_set(a->list->arena, pattern[i].squares) : NULL;
}

// Joins patterns with the same key.
static void join_patterns(Alternatives *a, Pattern *pattern, bool by_squares)
{
    Ir **kid = a->list->kid;
    const int count = a->list->kid_count;
    TreeMap keys = {0};
    for (int i = 0; i < count; i++) {
        const Ir *key = key_of(a, pattern, i, by_squares);
        if (key != NULL)
            tree_entry(&keys, key)->value++; // how many have it, until the first of them becomes -1 - index
    }
    for (int i = 0; i < count; i++) {
        const Ir *key = key_of(a, pattern, i, by_squares);
        TreeEntry *entry = key != NULL ? tree_entry(&keys, key) : NULL;
        if (entry == NULL || entry->value == 0 || entry->value == 1)
            continue;
        if (entry->value > 0) {
            entry->value = -1 - i;
            continue;
        }
        Pattern *first = &pattern[-1 - entry->value];
        first->squares |= pattern[i].squares;
        for (int k = 0; k < pattern[i].note_count; k++)
            ARENA_PUSH(a->list->arena, first->note, first->note_count, pattern[i].note[k]);
        if (by_squares)
            first->set = fold_set(ir_set_or(first->set, pattern[i].set));
        kid[-1 - entry->value] = kid[i] = NULL; // the first one is made again
        pattern[i].set = NULL;
    }
    tree_map_free(&keys);
    for (int i = 0; i < count; i++) {
        Arena *arena = a->list->arena;
        if (kid[i] != NULL || pattern[i].set == NULL)
            continue;
        kid[i] = fold_node(ir_any(fold_set(ir_set_and(pattern[i].set, ir_set(arena, pattern[i].squares)))));
        kid[i]->note = ir_joined_note(arena, pattern[i].note, pattern[i].note_count);
    }
}

static void merge_patterns(Ir *list)
{
    Alternatives a = split_alternatives(list);
    join_placements(list, a.kid);
    Pattern *pattern = account_new((size_t)list->kid_count, sizeof *pattern);
    for (int i = 0; i < list->kid_count; i++) {
        pattern[i] = pattern_of(&a.kid[i]);
        if (a.kid[i].note != NULL)
            ARENA_PUSH(list->arena, pattern[i].note, pattern[i].note_count, a.kid[i].note);
    }
    join_patterns(&a, pattern, false);
    join_patterns(&a, pattern, true);
    close_gaps(list);
    account_free(pattern);
    account_free(a.kid);
}

// ---- tests that alternatives share -----------------------------------------------------------------------

typedef struct Factor {
    int uses, last; // alternatives that have the test, and the last one of them
    int gain;       // cost saved by evaluating it once
    int taken;      // alternatives that choose it
    Ir *rest;       // the OR of what remains of them
} Factor;

// Counts for each distinct test the alternatives that have it.
static Factor *count_tests(const Alternatives *a, TreeMap *tests)
{
    Factor *factor = NULL;
    size_t capacity = 0;
    for (int i = 0; i < a->list->kid_count; i++) {
        a->kid[i].number = arena_alloc(a->list->arena, sizeof(int) * (size_t)a->kid[i].count);
        for (int k = 0; k < a->kid[i].count; k++) {
            const int known = tests->count, number = tree_number(tests, a->kid[i].test[k]);
            a->kid[i].number[k] = number;
            factor = account_grow(factor, &capacity, (size_t)tests->count, sizeof *factor);
            if (number == known)
                factor[number] = (Factor){.last = -1};
            factor[number].uses += factor[number].last != i;
            factor[number].last = i;
        }
    }
    for (int i = 0; i < tests->count; i++)
        factor[i].gain = factor[i].uses > 1 ? (factor[i].uses - 1) * ir_cost(tests->entry[i].tree) : 0;
    return factor;
}

// Each alternative chooses the test that saves most.
static void choose_factors(Alternatives *a, Factor *factor)
{
    for (int i = 0; i < a->list->kid_count; i++) {
        int best = 0;
        for (int k = 0; k < a->kid[i].count; k++) {
            const int number = a->kid[i].number[k];
            if (factor[number].gain > best) {
                best = factor[number].gain;
                a->kid[i].chosen = k;
                a->kid[i].factor = number;
            }
        }
        if (best > 0)
            factor[a->kid[i].factor].taken++;
    }
}

// The rest of an alternative without one of its tests.
static Ir *without_test(const Alternative *kid, int chosen)
{
    Ir *rest = ir_new(kid->test[0]->arena, IR_AND, IRT_BOOL, 0);
    for (int k = 0; k < kid->count; k++) {
        if (k != chosen)
            ir_add_kid(rest, kid->test[k]);
    }
    rest->note = kid->note;
    return fold_node(rest);
}

static Ir *combine_list(Ir *list);

// Turns A && x || A && y into A && (x || y). Returns whether there was anything to factor out.
static bool draw_out(Ir *list)
{
    Alternatives a = split_alternatives(list);
    TreeMap tests = {0};
    Factor *factor = count_tests(&a, &tests);
    choose_factors(&a, factor);
    bool changed = false;
    for (int i = 0; i < list->kid_count; i++) {
        Factor *f = a.kid[i].factor < 0 ? NULL : &factor[a.kid[i].factor];
        if (f == NULL || f->taken < 2)
            continue;
        if (f->rest == NULL) {
            f->rest = ir_new(list->arena, IR_OR, IRT_BOOL, 0);
            f->last = i;
        }
        ir_add_kid(f->rest, without_test(&a.kid[i], a.kid[i].chosen));
        list->kid[i] = NULL;
        changed = true;
    }
    for (int i = 0; i < tests.count; i++) {
        if (factor[i].rest == NULL)
            continue;
        Ir *rest = combine_list(factor[i].rest);
        Ir *both = ir_binary(IR_AND, ir_copy(tests.entry[i].tree), rest);
        list->kid[factor[i].last] = fold_node(both);
    }
    close_gaps(list);
    tree_map_free(&tests);
    account_free(factor);
    account_free(a.kid);
    return changed;
}

// ---- the pass --------------------------------------------------------------------------------------------

static Ir *combine_list(Ir *list)
{
    enum { ROUNDS = 3 };
    list = fold_node(list);
    if (list->op != IR_OR)
        return list;
    merge_patterns(list);
    for (int round = 0; round < ROUNDS && list->kid_count > 1 && draw_out(list); round++)
        continue;
    return fold_node(list);
}

// !x && !y is !(x || y): patterns are merged there, too.
static Ir *combine_negated(Ir *list)
{
    Ir *either = ir_new(list->arena, IR_OR, IRT_BOOL, 0);
    int first = 0;
    for (int i = 0; i < list->kid_count && !ir_noted_any(list->kid[i], IR_NOT_DROPPABLE); i++) {
        if (list->kid[i]->op != IR_NOT || !ir_is_total(list->kid[i]))
            continue;
        if (either->kid_count == 0)
            first = i;
        ir_add_kid(either, list->kid[i]->kid[0]);
    }
    const int count = either->kid_count;
    if (count < 2)
        return list;
    merge_patterns(either);
    for (int i = first, next = 0; i < list->kid_count && either->kid_count < count && next < count; i++) {
        if (list->kid[i]->op != IR_NOT || !ir_is_total(list->kid[i]))
            continue;
        list->kid[i] = next < either->kid_count ? ir_not(either->kid[next]) : NULL;
        next++;
    }
    close_gaps(list);
    return fold_node(list);
}

static Ir *combine_node(Ir *node)
{
    if (node->op == IR_OR && node->kid_count > 1)
        return combine_list(node);
    return node->op == IR_AND && node->kid_count > 1 ? combine_negated(node) : node;
}

void combine_alternatives(Module *m)
{
    ir_forget_notes(m);
    rewrite_module(m, combine_node);
}
