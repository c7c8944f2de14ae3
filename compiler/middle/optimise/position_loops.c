// Loops over positions (find, echo, relation) visit only positions that can count. From the tests at the beginning of a
// body, as far as nothing before them can be noticed in rounds that come to nothing:
//   - a test of the visited position alone becomes a remembered condition of the loop;
//   - a test that no round changes is made once, before the loop;
//   - a comparison with the position around the loop becomes a bound of the loop;
//   - `value here == value there`, or another comparison of numbers, also of sums and absolute values, leads the loop to the
//     positions where it can be true (EACH_COMPARED); the test stays.
#include "remember.h"

#include "compiler/middle/ir/closed.h"
#include "runtime/value/account.h"

#include <stdlib.h>

enum { MOST_KEYS = 16, MOST_TERMS = 16, DEEPEST = 12 };

// Where a value comes from. Bits.
enum { FROM_AROUND = 1, FROM_VISITED = 2, FROM_ELSEWHERE = 4 };

// What a local of the body contains in the round of a loop.
typedef struct Content {
    int loop; // of which; what is kept from another one means nothing
    const Ir *value;
    const Ir *at;   // the position at which it was evaluated; NULL: that around the loop
    int since;      // when it was put there
    int last_write; // when it was written last
    bool is_known;
} Content;

// By local. Kept from loop to loop, because a function may have as many loops as locals.
struct LoopLocals {
    int count, loops;
    Content *content;
};

// `visited`, evaluated at the visited position, is equal to `low`, evaluated at the position around the loop, or it is a number
// from `low` to `high`. Where `high` is less than `low`, the range goes on from the greatest number to the least. Trees without
// locals of the body that always have a value.
typedef struct Comparison {
    Ir *visited, *low, *high;
} Comparison;

typedef struct Loop {
    Remember *r;
    Ir *node;
    int since;                   // when the visit of the body began
    int time;                    // counts what is seen of the body
    Ir *filter;                  // what is true where the loop goes; NULL: nothing yet
    Ir *before;                  // tests before the loop; NULL: none
    Comparison equal[MOST_KEYS]; // of numbers or sets
    int equal_count;
    Comparison number; // another comparison of numbers; visited NULL: none
    bool is_open;      // what comes next can be evaluated before what was seen
    bool is_first;     // nothing was seen but the filter
} Loop;

// A value as an expression without locals of the body, and what it depends on.
typedef struct Resolved {
    Ir *value; // NULL: it cannot be said so
    unsigned from;
} Resolved;

// Where a tree is evaluated.
typedef struct Site {
    const Ir *at; // the position; NULL: that around the loop
    int time, depth;
} Site;

// ---- places ------------------------------------------------------------------------------------------------

// Without changes of its type.
static const Ir *peeled(const Ir *tree)
{
    while (tree->op == IR_INT_OF || tree->op == IR_POSITION_OF)
        tree = tree->kid[0];
    return tree;
}

static bool is_visited(const Loop *loop, const Ir *position)
{
    position = peeled(position);
    return position->op == IR_LOCAL && position->number == loop->node->number;
}

static bool is_written(const Loop *loop, int local)
{
    return local == loop->node->number || loop->r->seen[local].last_write >= loop->since;
}

static bool is_of_body(const Loop *loop, int local)
{
    const Places *seen = &loop->r->seen[local];
    return seen->first >= loop->since && seen->count == loop->r->uses[local];
}

static Content *content_of(const Loop *loop, int local)
{
    const LoopLocals *all = loop->r->loop_locals;
    Content *content = &all->content[local];
    if (content->loop != all->loops)
        *content = (Content){.loop = all->loops};
    return content;
}

// The position around the loop: `CURRENT` outside of every AT, or a local that has it.
static bool is_around(const Loop *loop, const Ir *position)
{
    position = peeled(position);
    return position->op == IR_LOCAL && !is_written(loop, position->number) &&
           remember_has_current(loop->r, position->number);
}

// ---- values -----------------------------------------------------------------------------------------------

static const Resolved unknown = {NULL, FROM_ELSEWHERE};

static Resolved resolve(const Loop *loop, const Ir *tree, Site site);

// What the body put into a local, and where it was evaluated; NULL: it is not known.
static const Ir *known_value(const Loop *loop, const Ir *local, Site *site)
{
    const Content *content = content_of(loop, local->number);
    if (!is_written(loop, local->number) || !content->is_known || content->last_write > site->time)
        return NULL;
    *site = (Site){content->at, content->since, site->depth + 1};
    return content->value;
}

static Resolved resolve_local(const Loop *loop, const Ir *tree, Site site)
{
    Ir *current = ir_current(tree->arena);
    Ir *const position = tree->type == IRT_POSITION ? current : ir_int_of(current);
    if (is_visited(loop, tree))
        return (Resolved){position, FROM_VISITED};
    if (!is_written(loop, tree->number))
        return (Resolved){is_around(loop, tree) ? position : ir_copy(tree), FROM_AROUND};
    const Ir *value = known_value(loop, tree, &site);
    return value != NULL ? resolve(loop, value, site) : unknown;
}

// The node without its operands.
static Resolved resolve_node(const Loop *loop, const Ir *tree, const Ir *at)
{
    Ir alone = *tree;
    alone.kid_count = 0;
    const bool is_cell = tree->op == IR_SLOT;
    if (is_cell ? !remember_is_unchanged(loop->r, tree->number, loop->since) : !ir_is_fixed(&alone))
        return unknown;
    Ir *node = ir_copy_node(tree->arena, tree);
    if (is_cell)
        return (Resolved){node, FROM_AROUND};
    if (!ir_does_any(&alone, IR_READS_POSITION))
        return (Resolved){node, 0};
    if (at == NULL || is_around(loop, at))
        return (Resolved){node, FROM_AROUND};
    return is_visited(loop, at) ? (Resolved){node, FROM_VISITED} : unknown;
}

static Resolved resolve(const Loop *loop, const Ir *tree, Site site)
{
    const IrOp op = (IrOp)tree->op;
    if (op == IR_LOCAL)
        return resolve_local(loop, tree, site);
    if (site.depth > DEEPEST || op == IR_AT || op == IR_WHILE || op == IR_ALWAYS)
        return unknown;
    Resolved x = resolve_node(loop, tree, site.at);
    for (int i = 0; i < tree->kid_count && x.value != NULL; i++) {
        const Resolved kid = resolve(loop, tree->kid[i], site);
        if (kid.value == NULL)
            return unknown;
        x.from |= kid.from;
        ir_add_kid(x.value, kid.value);
    }
    return x;
}

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
        if (!is_visited(loop, test->kid[i]) && !is_around(loop, test->kid[i]))
            return false;
    return true;
}

// A comparison of the visited position with that around the loop bounds the loop.
static bool take_bound(Loop *loop, const Ir *test)
{
    Ir *node = loop->node;
    if (test->op < IR_LT || test->op > IR_GE || node->op != IR_EACH_POSITION)
        return false;
    const bool swapped = is_visited(loop, test->kid[0]);
    if (!is_visited(loop, test->kid[!swapped]))
        return false;
    const Ir *other = peeled(test->kid[swapped]),
             *node_of = other->op == IR_NODE ? peeled(other->kid[0]) : NULL;
    const bool last = node_of != NULL && other->number == IR_NODE_LAST && is_around(loop, node_of);
    const bool is_least = (test->op <= IR_LE) != swapped; // other < visited
    const bool strict = test->op == IR_LT || test->op == IR_GT;
    const Ir *least = node->kid[0], *greatest = node->kid[1];
    const bool to_the_end = greatest->op == IR_SUB && greatest->kid[0]->op == IR_GAME &&
                            greatest->kid[0]->number == IR_GAME_COUNT && greatest->kid[1]->op == IR_INT &&
                            greatest->kid[1]->number == 1;
    if (!last && !is_around(loop, other))
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

// ---- comparisons ------------------------------------------------------------------------------------------

// A position becomes a number.
static Ir *as_number(Ir *value)
{
    return value->type == IRT_POSITION ? ir_int_of(value) : value;
}

static bool is_total(const Resolved *x)
{
    return x->value != NULL && ir_is_total(x->value);
}

// The greatest absolute value of a number; 2^31: it may be any.
static int64_t magnitude(const Ir *value)
{
    const int64_t any_number = -(int64_t)INT32_MIN;
    int64_t kid[2] = {0};
    for (int i = 0; i < 2 && i < value->kid_count && value->kid[i]->type == IRT_INT; i++)
        kid[i] = magnitude(value->kid[i]);
    int64_t most = any_number;
    if (value->op == IR_INT)
        most = value->number < 0 ? -(int64_t)value->number : value->number;
    else if (value->op == IR_COUNT)
        most = 64;
    else if (value->op == IR_CALL && value->number == IR_CALL_power)
        most = 64 * 9;
    else if (value->op == IR_NODE || value->op == IR_INT_OF ||
             value->op == IR_SIDE) // plies, positions, 0 or 1
        most = 1 << 28;
    else if (value->op == IR_ADD || value->op == IR_SUB)
        most = kid[0] + kid[1];
    else if (value->op == IR_MUL)
        most = kid[0] * kid[1];
    return most < any_number ? most : any_number;
}

// A sum: the terms of the visited position, less those that no round changes.
typedef struct Sum {
    Ir *visited, *around; // NULL: none
    int64_t most;         // the sum of the magnitudes
    int terms;
} Sum;

static void add_term(Sum *sum, const Resolved *term, bool is_negative)
{
    const bool is_visited = term->from == FROM_VISITED, is_subtracted = is_negative == is_visited;
    Ir **all = is_visited ? &sum->visited : &sum->around;
    Ir *value = as_number(term->value), *before = *all != NULL ? *all : ir_int(value->arena, 0);
    sum->most += magnitude(value);
    sum->terms++;
    *all = *all == NULL && !is_subtracted
               ? value
               : fold_node(ir_binary(is_subtracted ? IR_SUB : IR_ADD, before, value));
}

// Adds the terms of a tree, or subtracts them. False: it has others.
static bool add_terms(const Loop *loop, const Ir *tree, Site site, bool is_negative, Sum *sum)
{
    const Resolved whole = resolve(loop, tree, site);
    if (whole.value != NULL && whole.from != (FROM_VISITED | FROM_AROUND)) {
        add_term(sum, &whole, is_negative);
        return is_total(&whole) && sum->terms <= MOST_TERMS;
    }
    if (tree->op == IR_LOCAL) {
        tree = known_value(loop, tree, &site);
        return tree != NULL && add_terms(loop, tree, site, is_negative, sum);
    }
    site.depth++;
    return (tree->op == IR_ADD || tree->op == IR_SUB) && site.depth <= DEEPEST &&
           add_terms(loop, tree->kid[0], site, is_negative, sum) &&
           add_terms(loop, tree->kid[1], site, is_negative != (tree->op == IR_SUB), sum);
}

// The value of an operand that no round changes; NULL: it is another one.
static Ir *value_around(const Loop *loop, const Ir *operand, Site site)
{
    const Resolved x = resolve(loop, operand, site);
    return is_total(&x) && (x.from & ~(unsigned)FROM_AROUND) == 0 ? as_number(x.value) : NULL;
}

static Ir *plus(const Ir *value, int32_t number)
{
    return fold_node(ir_with_int(IR_ADD, ir_copy(value), number));
}

// The numbers that compare so with a value. May be too many, where the value is the least or greatest number.
static Comparison range_of(IrOp op, bool swapped, Ir *value)
{
    Ir *const least = ir_int(value->arena, INT32_MIN), *const greatest = ir_int(value->arena, INT32_MAX);
    switch (op) {
    case IR_NE:
        return (Comparison){NULL, plus(value, 1), plus(value, -1)};
    case IR_LT:
    case IR_GT:
        return (op == IR_LT) != swapped ? (Comparison){NULL, least, plus(value, -1)}
                                        : (Comparison){NULL, plus(value, 1), greatest};
    case IR_LE:
    case IR_GE:
        return (op == IR_LE) != swapped ? (Comparison){NULL, least, value}
                                        : (Comparison){NULL, value, greatest};
    default:
        return (Comparison){NULL, value, ir_copy(value)};
    }
}

static bool is_zero(const Ir *tree)
{
    return tree->op == IR_INT && tree->number == 0;
}

// The operand of `x < 0 ? 0 - x : x`; NULL: it is something else.
static const Ir *operand_of_abs(const Ir *tree)
{
    if (tree->op != IR_CHOOSE)
        return NULL;
    const Ir *test = tree->kid[0], *negated = tree->kid[1], *plain = tree->kid[2];
    const bool is_abs = test->op == IR_LT && is_zero(test->kid[1]) && negated->op == IR_SUB &&
                        is_zero(negated->kid[0]) && ir_equal(test->kid[0], plain) &&
                        ir_equal(negated->kid[1], plain);
    return is_abs ? plain : NULL;
}

// Makes a range of abs(x) one of x. False: it has none. abs(INT32_MIN) is INT32_MIN; is_regular: x is another number.
static bool undo_abs(Comparison *x, bool is_regular)
{
    Arena *a = x->low->arena;
    const int32_t low = x->low->number, high = x->high->number;
    if (x->low->op != IR_INT || x->high->op != IR_INT)
        return false;
    const bool is_one = low == high && low >= 0, is_most = low == INT32_MIN && high >= 0;
    if (low > 0 && high == INT32_MAX)
        x->high = ir_int(a, -low); // all numbers but those between
    else if (is_one || (is_most && is_regular))
        x->low = ir_int(a, -high);
    else
        return false;
    return true;
}

// `first - second` is a sum that is compared with 0, if it cannot go around.
static bool compare_difference(const Loop *loop, const Ir *test, Site site, Comparison *x, Sum *sum)
{
    *x = range_of((IrOp)test->op, false, ir_int(test->arena, 0));
    return add_terms(loop, test->kid[0], site, false, sum) &&
           add_terms(loop, test->kid[1], site, true, sum) && sum->most <= INT32_MAX;
}

// A sum, or its absolute value, is compared with what no round changes.
static bool compare_sum(const Loop *loop, const Ir *test, Site site, Comparison *x, Sum *sum)
{
    const bool swapped = value_around(loop, test->kid[1], site) == NULL;
    Ir *bound = value_around(loop, test->kid[!swapped], site);
    if (bound == NULL)
        return false;
    const Ir *whole = test->kid[swapped], *operand = operand_of_abs(whole);
    *x = range_of((IrOp)test->op, swapped, bound);
    return add_terms(loop, operand != NULL ? operand : whole, site, false, sum) &&
           (operand == NULL || undo_abs(x, sum->most <= INT32_MAX));
}

static void take_comparison(Loop *loop, const Ir *test, const Ir *at)
{
    const Site site = {at, loop->time, 0};
    Comparison x;
    Sum sum = {0}, difference = {0};
    if (test->op < IR_EQ || test->op > IR_SET_EQ)
        return;
    if (!compare_sum(loop, test, site, &x, &sum)) {
        if (test->op == IR_SET_EQ || !compare_difference(loop, test, site, &x, &difference))
            return;
        sum = difference;
    }
    if (sum.visited == NULL)
        return;
    x.visited = sum.visited;
    if (sum.around != NULL) {
        x.low = fold_node(ir_binary(IR_ADD, x.low, sum.around));
        x.high = fold_node(ir_binary(IR_ADD, x.high, ir_copy(sum.around)));
    }
    if (!ir_equal(x.low, x.high)) {
        if (test->op != IR_NE || loop->number.visited == NULL) // most numbers differ
            loop->number = x;
    } else if (loop->equal_count < MOST_KEYS) {
        loop->equal[loop->equal_count++] = x;
    }
}

// Takes the test out of the body if the loop can do without it. at: where it is evaluated; NULL: around the loop.
static bool take_test(Loop *loop, Ir *test, const Ir *at)
{
    Remember *r = loop->r;
    const bool here = at != NULL && is_visited(loop, at);
    if (here && (loop->is_first || ir_is_total(test)) && remember_is_closed(r, test)) {
        add_test(&loop->filter, test);
        return true;
    }
    if (take_bound(loop, test)) {
        remember_forget_uses(r, test);
        return true;
    }
    const Resolved whole = resolve(loop, test, (Site){at, loop->time, 0});
    if (!is_total(&whole) || (whole.from != FROM_VISITED && whole.from != FROM_AROUND)) {
        if (loop->node->op == IR_EACH_POSITION && !compares_places(loop, test))
            take_comparison(loop, test, at);
        return false;
    }
    if (whole.from == FROM_VISITED)
        add_test(&loop->filter, whole.value);
    else
        add_test(&loop->before, whole.value);
    remember_note_uses(r, whole.value);
    remember_forget_uses(r, test);
    return true;
}

// ---- the body ---------------------------------------------------------------------------------------------

static void forget_written(Loop *loop, const Ir *tree)
{
    const int written = ir_written_local(tree);
    if (written >= 0) {
        Content *content = content_of(loop, written);
        content->is_known = false;
        content->last_write = loop->time;
    }
    for (int i = 0; i < tree->kid_count; i++)
        forget_written(loop, tree->kid[i]);
}

static bool writes_of_body(const Loop *loop, const Ir *tree)
{
    const int written = ir_written_local(tree);
    if (written >= 0 && !is_of_body(loop, written))
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
        const bool here = at != NULL && is_visited(loop, at);
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
    if (tree->op == IR_AT && (is_visited(loop, tree->kid[0]) || is_around(loop, tree->kid[0]))) {
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
        *content_of(loop, tree->number) =
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

// The key of the values that are to be equal: those of the visited position, or of that around the loop.
static Ir *make_key(const Loop *loop, bool is_visited)
{
    Arena *a = loop->node->arena;
    Ir *sets = ir_call(a, IR_CALL_key_sets, 0);
    for (int i = 0; i < loop->equal_count; i++) {
        Ir *value = is_visited ? loop->equal[i].visited : loop->equal[i].low;
        if (value->type == IRT_SET)
            ir_add_kid(sets, value);
    }
    Ir *key = sets->kid_count > 0 ? sets : ir_int(a, 0);
    for (int i = 0; i < loop->equal_count; i++) {
        Ir *value = is_visited ? loop->equal[i].visited : loop->equal[i].low;
        if (value->type != IRT_SET)
            key = ir_call(a, IR_CALL_key_int, 2, key, value);
    }
    return key;
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
    Ir *node = loop->node, *own = NULL;
    Arena *a = node->arena;
    const Comparison all = {ir_int(a, 0), ir_int(a, INT32_MIN), ir_int(a, INT32_MAX)},
                     number = loop->number.visited != NULL ? loop->number : all;
    Ir *compared = ir_call(a, IR_CALL_compared, 2, make_key(loop, true), number.visited);
    Ir *condition = loop->filter != NULL ? ir_and(loop->filter, compared) : compared;
    const int condition_number = remember_compared(loop->r, condition);
    Ir *key = kept_value(loop, "key", make_key(loop, false), &own);
    Ir *low = kept_value(loop, "low", number.low, &own), *high = kept_value(loop, "high", number.high, &own);
    Ir *each =
        ir_new(a, IR_EACH_COMPARED, IRT_BOOL, 6, key, low, high, node->kid[0], node->kid[1], node->kid[2]);
    each->number = node->number;
    each->mode = node->mode;
    each->low = condition_number + 1;
    if (own == NULL)
        return each;
    remember_note_uses(loop->r, own);
    return ir_and(own, each);
}

static Ir *rebuilt(Loop *loop)
{
    Ir *node = loop->node;
    if (loop->equal_count > 0 || loop->number.visited != NULL) {
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
