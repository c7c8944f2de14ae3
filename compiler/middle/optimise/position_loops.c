// Loops over positions (find, echo, relation) visit only positions that can count. From the tests at the beginning of a
// body, as far as nothing before them can be noticed in rounds that come to nothing:
//   - a test of the visited position alone becomes a remembered condition of the loop;
//   - a test that no round changes is made once, before the loop;
//   - a comparison with the position around the loop becomes a bound of the loop;
//   - `value here == value there` leads the loop to the positions with an equal key (EACH_EQUAL); the test stays.
// Values that the body keeps in locals are looked through.
#include "remember.h"

#include "compiler/middle/ir/closed.h"
#include "runtime/value/account.h"

#include <stdlib.h>

enum { MOST_KEYS = 16 };

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

typedef struct Loop {
    Remember *r;
    Ir *node;
    int since;                                         // when the visit of the body began
    int time;                                          // counts what is seen of the body
    Ir *filter;                                        // what is true where the loop goes; NULL: nothing yet
    Ir *before;                                        // tests before the loop; NULL: none
    Ir *source_key[MOST_KEYS], *target_key[MOST_KEYS]; // values that are to be equal
    int key_count;
    bool is_open;  // what comes next can be evaluated before what was seen
    bool is_first; // nothing was seen but the filter
} Loop;

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

// A value as an expression without locals of the body, and what it depends on.
typedef struct Resolved {
    Ir *value; // NULL: it cannot be said so
    unsigned from;
} Resolved;

static const Resolved unknown = {NULL, FROM_ELSEWHERE};

// Where a tree is evaluated.
typedef struct Site {
    const Ir *at; // the position; NULL: that around the loop
    int time, depth;
} Site;

static Resolved resolve(const Loop *loop, const Ir *tree, Site site);

static Resolved resolve_local(const Loop *loop, const Ir *tree, Site site)
{
    Ir *current = ir_current(tree->arena);
    Ir *const position = tree->type == IRT_POSITION ? current : ir_int_of(current);
    if (is_visited(loop, tree))
        return (Resolved){position, FROM_VISITED};
    if (!is_written(loop, tree->number))
        return (Resolved){is_around(loop, tree) ? position : ir_copy(tree), FROM_AROUND};
    const Content *content = content_of(loop, tree->number);
    if (!content->is_known || content->last_write > site.time)
        return unknown;
    return resolve(loop, content->value, (Site){content->at, content->since, site.depth + 1});
}

// The node without its operands.
static Resolved resolve_node(const Loop *loop, const Ir *tree, const Ir *at)
{
    const unsigned position = IR_READS_POSITION;
    Ir alone = *tree;
    alone.kid_count = 0;
    if (ir_does_any(&alone, ~(position | IR_READS_GAME)))
        return unknown;
    Ir *node = ir_copy_node(tree->arena, tree);
    if (!ir_does_any(&alone, position))
        return (Resolved){node, 0};
    if (at == NULL || is_around(loop, at))
        return (Resolved){node, FROM_AROUND};
    return is_visited(loop, at) ? (Resolved){node, FROM_VISITED} : unknown;
}

static Resolved resolve(const Loop *loop, const Ir *tree, Site site)
{
    enum { DEEPEST = 12 };
    const IrOp op = (IrOp)tree->op;
    if (op == IR_LOCAL)
        return resolve_local(loop, tree, site);
    if (site.depth > DEEPEST || op == IR_AT || op == IR_WHILE || op == IR_ALWAYS || op == IR_EACH_ROW)
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

static Resolved resolve_now(const Loop *loop, const Ir *tree, const Ir *at)
{
    return resolve(loop, tree, (Site){at, loop->time, 0});
}

// ---- what a test gives ------------------------------------------------------------------------------------

static void add_test(Ir **all, Ir *test)
{
    *all = *all == NULL ? test : ir_and(*all, test);
}

// `value around == value visited` becomes a part of the keys.
static void take_key(Loop *loop, const Ir *test, const Ir *at)
{
    if ((test->op != IR_EQ && test->op != IR_SET_EQ) || loop->node->op != IR_EACH_POSITION ||
        loop->key_count == MOST_KEYS)
        return;
    Resolved side[2] = {resolve_now(loop, test->kid[0], at), resolve_now(loop, test->kid[1], at)};
    const int visited = side[0].from == FROM_VISITED ? 0 : 1;
    if (side[visited].from != FROM_VISITED || side[!visited].from != FROM_AROUND ||
        !ir_is_total(side[0].value) || !ir_is_total(side[1].value))
        return;
    loop->source_key[loop->key_count] = side[!visited].value;
    loop->target_key[loop->key_count++] = side[visited].value;
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
    take_key(loop, test, at);
    const Resolved whole = resolve_now(loop, test, at);
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

// Makes the key of the values.
static Ir *make_key(Arena *a, Ir *const *value, int count)
{
    Ir *sets = ir_call(a, IR_CALL_key_sets, 0), *all = sets;
    for (int i = 0; i < count; i++) {
        if (value[i]->type == IRT_SET)
            ir_add_kid(sets, value[i]);
        else
            all = ir_and(all, ir_call(a, IR_CALL_key_int, 1, ir_int_of(value[i])));
    }
    return all;
}

// The loop visits positions with the key of the position around it.
static Ir *loop_over_equal(Loop *loop)
{
    Remember *r = loop->r;
    Ir *node = loop->node;
    Arena *a = node->arena;
    bool same = true;
    for (int i = 0; i < loop->key_count; i++)
        same = same && ir_equal(loop->source_key[i], loop->target_key[i]);
    const int key = ir_named_local(r->f, IRT_INT, "key");
    remember_grow_locals(r);
    Ir *condition = make_key(a, loop->target_key, loop->key_count);
    const int number = remember_keyed(r, loop->filter != NULL ? ir_and(condition, loop->filter) : condition);
    Ir *own = same ? ir_let(key, ir_call(a, IR_CALL_key_at, 2, ir_int(a, number), ir_current(a)))
                   : ir_and(make_key(a, loop->source_key, loop->key_count),
                            ir_let(key, ir_call(a, IR_CALL_key_end, 0)));
    Ir *equal =
        ir_new(a, IR_EACH_EQUAL, IRT_BOOL, 4, ir_local(r->f, key), node->kid[0], node->kid[1], node->kid[2]);
    equal->number = node->number;
    equal->mode = node->mode;
    equal->low = 1 + number;
    r->uses[key] = r->seen[key].count = 1;
    remember_note_uses(r, own);
    return ir_and(own, equal);
}

static Ir *rebuilt(Loop *loop)
{
    Ir *node = loop->node;
    if (loop->key_count > 0) {
        node = loop_over_equal(loop);
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
