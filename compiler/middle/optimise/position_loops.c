// Loops over positions (find, echo, relation) visit only positions that can count. From the tests at the beginning of a
// body, as far as nothing before them can be noticed in rounds that come to nothing:
//   - a test of the visited position alone becomes a remembered condition of the loop;
//   - a test that no round changes is made once, before the loop;
//   - a comparison with the position around the loop becomes a bound of the loop;
//   - `value here == value there`, or another comparison of numbers, leads the loop to the positions where it can be true
//     (EACH_COMPARED); the test stays.
#include "position_loops.h"

#include "compiler/middle/ir/closed.h"
#include "runtime/match/calls/compared.h"
#include "runtime/value/account.h"

#include <stdlib.h>

// ---- what a test gives ------------------------------------------------------------------------------------

static void add_test(Ir **all, Ir *test)
{
    *all = *all == NULL ? test : ir_and(*all, test);
}

// A test that says nothing about what is at the visited position.
static bool compares_places(const Loop *loop, const Ir *test)
{
    if (test->op < IR_EQ || test->op > IR_GE)
        return false;
    for (int i = 0; i < 2; i++)
        if (!loop_is_visited(loop, test->kid[i]) && !loop_is_around(loop, test->kid[i]))
            return false;
    return true;
}

// A comparison of the visited position with that around the loop bounds the loop.
static bool take_bound(Loop *loop, const Ir *test)
{
    Ir *node = loop->node;
    if (test->op < IR_LT || test->op > IR_GE || node->op != IR_EACH_POSITION)
        return false;
    const bool swapped = loop_is_visited(loop, test->kid[0]);
    if (!loop_is_visited(loop, test->kid[!swapped]))
        return false;
    const Ir *other = loop_peeled(test->kid[swapped]),
             *node_of = other->op == IR_NODE ? loop_peeled(other->kid[0]) : NULL;
    const bool last = node_of != NULL && other->number == IR_NODE_LAST && loop_is_around(loop, node_of);
    const bool is_least = (test->op <= IR_LE) != swapped; // other < visited
    const bool strict = test->op == IR_LT || test->op == IR_GT;
    const Ir *least = node->kid[0], *greatest = node->kid[1];
    const bool to_the_end = greatest->op == IR_SUB && greatest->kid[0]->op == IR_GAME &&
                            greatest->kid[0]->number == IR_GAME_COUNT && greatest->kid[1]->op == IR_INT &&
                            greatest->kid[1]->number == 1;
    if (!last && !loop_is_around(loop, other))
        return false;
    if (is_least ? last || least->op != IR_INT || least->number != 0 : !to_the_end)
        return false;
    Ir *bound = ir_copy(other);
    if (bound->type == IRT_POSITION)
        bound = ir_int_of(bound);
    if (strict)
        bound = ir_with_int(IR_ADD, bound, is_least ? 1 : -1);
    node->kid[!is_least] = bound;
    remember_note_uses(loop->r, bound);
    return true;
}

// Takes the test out of the body if the loop can do without it. at: where it is evaluated; NULL: around the loop.
static bool take_test(Loop *loop, Ir *test, const Ir *at)
{
    Remember *r = loop->r;
    const bool here = at != NULL && loop_is_visited(loop, at);
    if (here && (loop->is_first || ir_is_total(test)) && remember_is_closed(r, test)) {
        add_test(&loop->filter, test);
        return true;
    }
    if (take_bound(loop, test)) {
        remember_forget_uses(r, test);
        return true;
    }
    if (loop->node->op == IR_EACH_POSITION && !compares_places(loop, test))
        loop_take_comparisons(loop, test, at);
    const Resolved whole = loop_resolve_now(loop, test, at);
    if (whole.value == NULL || !ir_is_total(whole.value))
        return false;
    if (whole.from == FROM_VISITED)
        add_test(&loop->filter, whole.value);
    else if (whole.from == FROM_AROUND)
        add_test(&loop->before, whole.value);
    else
        return false;
    remember_note_uses(r, whole.value);
    remember_forget_uses(r, test);
    return true;
}

// ---- the body ---------------------------------------------------------------------------------------------

static void forget_written(Loop *loop, const Ir *tree)
{
    const int written = ir_written_local(tree);
    if (written >= 0) {
        Content *content = loop_content(loop, written);
        content->is_known = false;
        content->last_write = loop->time;
    }
    for (int i = 0; i < tree->kid_count; i++)
        forget_written(loop, tree->kid[i]);
}

static bool writes_of_body(const Loop *loop, const Ir *tree)
{
    const int written = ir_written_local(tree);
    if (written >= 0 && !loop_is_of_body(loop, written))
        return false;
    for (int i = 0; i < tree->kid_count; i++)
        if (!writes_of_body(loop, tree->kid[i]))
            return false;
    return true;
}

// Can it be left out in rounds in which a later test is false?
static bool can_be_left_out(const Loop *loop, const Ir *tree)
{
    return !ir_does_any(tree, IR_WRITES_SLOT | IR_EFFECT | IR_INVOKES) && writes_of_body(loop, tree);
}

// Takes the tests out of a part of the body. Returns what is left.
static Ir *take_tests(Loop *loop, Ir *tree, const Ir *at)
{
    if (!loop->is_open || tree->op == IR_TRUE)
        return tree;
    if (tree->op != IR_AND && tree->op != IR_PLACE && take_test(loop, tree, at))
        return ir_bool(tree->arena, true);
    if (tree->op == IR_AND) {
        const bool here = at != NULL && loop_is_visited(loop, at);
        if (here && loop->is_first && take_test(loop, tree, at))
            return ir_bool(tree->arena, true);
        for (int i = 0; i < tree->kid_count; i++)
            tree->kid[i] = take_tests(loop, tree->kid[i], at);
        return fold_node(tree);
    }
    if (tree->op == IR_PLACE) {
        tree->kid[0] = take_tests(loop, tree->kid[0], at);
        return fold_node(tree);
    }
    if (tree->op == IR_AT && (loop_is_visited(loop, tree->kid[0]) || loop_is_around(loop, tree->kid[0]))) {
        tree->kid[1] = take_tests(loop, tree->kid[1], tree->kid[0]);
        Ir *folded = fold_node(tree);
        if (folded != tree)
            remember_forget_uses(loop->r, tree->kid[0]);
        return folded;
    }
    loop->is_open = can_be_left_out(loop, tree);
    if (!loop->is_open)
        return tree;
    loop->is_first = loop->is_first && compares_places(loop, tree);
    loop->time++;
    forget_written(loop, tree);
    if (tree->op == IR_LET)
        *loop_content(loop, tree->number) =
            (Content){loop->r->loop_locals->loops, tree->kid[0], at, loop->time, loop->time, true};
    return tree;
}

// The body of a loop of which every round counts, without its ALWAYS.
static Ir *body_of_each(Ir *body)
{
    while (body->op == IR_ALWAYS || body->op == IR_PLACE)
        body = body->kid[0];
    return body;
}

// ---- the loop ---------------------------------------------------------------------------------------------

static bool adds_one(const Ir *body)
{
    const Ir *sum = body->op == IR_LET ? body->kid[0] : NULL;
    return sum != NULL && sum->op == IR_ADD && sum->kid[0]->op == IR_LOCAL &&
           sum->kid[0]->number == body->number && sum->kid[1]->op == IR_INT && sum->kid[1]->number == 1;
}

// A loop that does nothing but count becomes a sum.
static Ir *count_rounds(Ir *loop)
{
    Ir *body = loop->kid[loop->kid_count - 1];
    if (loop->low == 0 || loop->mode != MODE_EACH || !adds_one(body))
        return loop;
    Arena *a = loop->arena;
    Ir *number = ir_int(a, loop->low - 1);
    Ir *count = loop->op == IR_EACH_POSITION
                    ? ir_call(a, IR_CALL_count_members, 3, number, loop->kid[0], loop->kid[1])
                    : ir_call(a, IR_CALL_count_members_before, 2, number, loop->kid[0]);
    body->kid[0]->kid[1] = count;
    return body;
}

enum Side { VISITED, AROUND };

static Ir *side_of(const Comparison *comparison, enum Side side)
{
    return side == VISITED ? comparison->visited : comparison->around;
}

// The key of the values that are to be equal.
static Ir *make_key(const Loop *loop, enum Side side)
{
    Arena *a = loop->node->arena;
    Ir *sets = ir_call(a, IR_CALL_key_sets, 0);
    for (int i = 0; i < loop->equal_count; i++) {
        Ir *value = side_of(&loop->equal[i], side);
        if (value->type == IRT_SET)
            ir_add_kid(sets, value);
    }
    Ir *key = sets->kid_count > 0 ? sets : ir_int(a, 0);
    for (int i = 0; i < loop->equal_count; i++) {
        Ir *value = side_of(&loop->equal[i], side);
        if (value->type != IRT_SET)
            key = ir_call(a, IR_CALL_key_int, 2, key, loop_as_int(value));
    }
    return key;
}

static Ir *number_of(const Loop *loop, int i, enum Side side)
{
    return i < loop->number_count ? loop_as_int(side_of(&loop->number[i], side))
                                  : ir_int(loop->node->arena, 0);
}

static int32_t relations_of(const Loop *loop)
{
    unsigned relations = loop->is_either ? COMPARE_EITHER : 0;
    for (int i = 0; i < NUMBERS; i++)
        relations |= (i < loop->number_count ? loop->number[i].relation : COMPARE_ANY) << i * COMPARE_BITS;
    return (int32_t)relations;
}

// Keeps a value in a new local, unless it is constant. Adds the assignment to `all`; returns the value.
static Ir *kept_value(Loop *loop, const char *name, Ir *value, Ir **all)
{
    Remember *r = loop->r;
    if (value->op == IR_INT)
        return value;
    const int local = ir_named_local(r->f, IRT_INT, name);
    remember_grow_locals(r);
    r->uses[local] = r->seen[local].count = 1;
    add_test(all, ir_let(local, value));
    return ir_local(r->f, local);
}

// The loop visits positions whose values compare with those of the position around it.
static Ir *loop_over_compared(Loop *loop)
{
    Ir *node = loop->node;
    Arena *a = node->arena;
    Ir *compared = ir_call(a, IR_CALL_compared, 4, make_key(loop, VISITED), ir_int(a, relations_of(loop)),
                           number_of(loop, 0, VISITED), number_of(loop, 1, VISITED));
    Ir *condition = loop->filter != NULL ? ir_and(loop->filter, compared) : compared;
    const int number = remember_compared(loop->r, condition);
    Ir *own = NULL;
    Ir *key = kept_value(loop, "key", make_key(loop, AROUND), &own);
    Ir *first = kept_value(loop, "wanted", number_of(loop, 0, AROUND), &own);
    Ir *second = kept_value(loop, "wanted", number_of(loop, 1, AROUND), &own);
    Ir *each = ir_new(a, IR_EACH_COMPARED, IRT_BOOL, 6, key, first, second, node->kid[0], node->kid[1],
                      node->kid[2]);
    each->number = node->number;
    each->mode = node->mode;
    each->low = 1 + number;
    if (own == NULL)
        return each;
    remember_note_uses(loop->r, own);
    return ir_and(own, each);
}

static Ir *rebuilt(Loop *loop)
{
    Ir *node = loop->node;
    if (loop->equal_count > 0 || loop->number_count > 0) {
        node = loop_over_compared(loop);
    } else if (loop->filter != NULL) {
        node->low = remember_condition(loop->r, loop->filter) + 1;
        node = count_rounds(node);
    }
    if (loop->before == NULL)
        return node;
    const bool always = loop->node->mode == MODE_EACH;
    node = ir_and(loop->before, node);
    return always ? ir_always(node) : node;
}

void remember_free_loops(Remember *r)
{
    if (r->loop_locals != NULL)
        account_free(r->loop_locals->content);
    account_free(r->loop_locals);
}

static LoopLocals *locals_of(Remember *r)
{
    LoopLocals *all = r->loop_locals != NULL ? r->loop_locals : account_new(1, sizeof *all);
    r->loop_locals = all;
    if (r->locals > all->count) {
        all->count = 2 * r->locals;
        account_free(all->content);
        all->content = account_new((size_t)all->count, sizeof *all->content);
    }
    return all;
}

Ir *remember_in_loop(Remember *r, Ir *node, int since)
{
    if (node->low != 0 || node->mode == MODE_ALL)
        return node;
    Ir **body = &node->kid[node->kid_count - 1];
    if (node->mode == MODE_EACH)
        *body = body_of_each(*body);
    locals_of(r)->loops++;
    Loop loop = {.r = r, .node = node, .since = since, .is_open = true, .is_first = true};
    *body = take_tests(&loop, *body, NULL);
    return rebuilt(&loop);
}
