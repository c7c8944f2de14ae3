// What must be true somewhere in a game for a condition to be true. Everything is sound and nothing is complete: what a
// tree does not say in terms of single positions and moves is left out.
#include "compiler/middle/optimise/optimise.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ELSEWHERE = 12 };

// What follows from a condition that is true.
typedef struct Need {
    bool never;                    // it cannot be true
    bool only_again;               // implies `never`: but if an earlier call of the same function was true
    Ir *here;                      // true at the position; NULL: nothing
    Ir *next;                      // there is a next position, where this is true; NULL: nothing
    Ir *elsewhere[MOST_ELSEWHERE]; // each is true somewhere
    int elsewhere_count;
    Ir *pair; // true of the position and its partner; NULL: nothing
} Need;

static const Need again = {.never = true, .only_again = true};

static Need need(Frame *f, const Ir *tree);

// ---- combining --------------------------------------------------------------------------------------------

static bool has_elsewhere(const Need *n, const Ir *condition)
{
    for (int i = 0; i < n->elsewhere_count; i++)
        if (ir_equal(n->elsewhere[i], condition))
            return true;
    return false;
}

static void add_elsewhere(Need *n, Ir *condition)
{
    if (!has_elsewhere(n, condition) && n->elsewhere_count < MOST_ELSEWHERE)
        n->elsewhere[n->elsewhere_count++] = condition;
}

// The trees of needs are shared and never changed. What is used again counts as if it were copied, because whatever reads
// the whole visits it again.
static Ir *used(Search *s, Ir *tree)
{
    return screen_charge(s, tree) ? tree : NULL;
}

static Ir *both_conditions(Search *s, Ir *a, Ir *b)
{
    if (a == NULL || b == NULL)
        return a == NULL ? b : a;
    Ir *first = used(s, a);
    return ir_and(first, used(s, b));
}

static Ir *either_condition(Search *s, Ir *a, Ir *b)
{
    Ir *first = used(s, a);
    return ir_equal(a, b) ? first : ir_or(first, used(s, b));
}

static Need both(Search *s, const Need *a, const Need *b)
{
    Need n = *a;
    n.never = a->never || b->never;
    n.only_again = n.never && !(a->never && !a->only_again) && !(b->never && !b->only_again);
    n.here = both_conditions(s, a->here, b->here);
    n.next = both_conditions(s, a->next, b->next);
    for (int i = 0; i < b->elsewhere_count; i++)
        add_elsewhere(&n, b->elsewhere[i]);
    n.pair = both_conditions(s, a->pair, b->pair);
    return n;
}

// What is true of the position, of it and its partner, or of both.
static Need of_condition(Ir *condition)
{
    Need n = {0};
    for (int i = 0; i < (condition->op == IR_AND ? condition->kid_count : 1); i++) {
        Ir *part = condition->op == IR_AND ? condition->kid[i] : condition;
        Ir **sum = pair_mentions(part) ? &n.pair : &n.here;
        *sum = ir_and(*sum, part);
    }
    return n;
}

// What is said of the position and its partner, in terms of single positions, too.
static Need without_pair(Search *s, Need n)
{
    Ir *here, *elsewhere;
    if (n.pair == NULL)
        return n;
    pair_needs(n.pair, &here, &elsewhere);
    n.here = both_conditions(s, n.here, here);
    if (elsewhere != NULL)
        add_elsewhere(&n, elsewhere);
    return n;
}

// The parts of an AND that can be said about the position before.
static Ir *earlier(const Ir *condition)
{
    if (condition == NULL)
        return NULL;
    if (condition->op != IR_AND)
        return translate_earlier(condition);
    Ir *all = NULL;
    for (int i = 0; i < condition->kid_count; i++) {
        Ir *part = earlier(condition->kid[i]);
        all = part != NULL ? ir_and(all, part) : all;
    }
    return all;
}

// Everything that is true at one position and after the move to it; NULL: nothing.
static Ir *joined(Search *s, const Need *n)
{
    Ir *here = used(s, n->here);
    return n->next == NULL ? here : ir_and(earlier(here), used(s, n->next));
}

// All conditions, each true somewhere.
static Need closed(Search *s, const Need *n)
{
    Need all = {.never = n->never, .only_again = n->only_again};
    Ir *together = joined(s, n);
    if (together != NULL)
        add_elsewhere(&all, together);
    for (int i = 0; i < n->elsewhere_count; i++)
        add_elsewhere(&all, n->elsewhere[i]);
    return all;
}

static bool reads_board(const Ir *node, const void *unused)
{
    (void)unused;
    return node->op == IR_BOARD || (node->op == IR_NODE && node->number >= IR_NODE_FROM);
}

// How much a condition is likely to rule out.
static int weight_of(const Ir *condition)
{
    int sum = 0;
    switch ((IrOp)condition->op) {
    case IR_OR:
        sum = condition->kid_count > 0 ? weight_of(condition->kid[0]) : 0;
        for (int i = 1; i < condition->kid_count; i++) {
            const int weight = weight_of(condition->kid[i]);
            sum = weight < sum ? weight : sum;
        }
        return sum;
    case IR_AND:
        for (int i = 0; i < condition->kid_count; i++)
            sum += weight_of(condition->kid[i]);
        return sum;
    case IR_CALL:
        return 4;
    case IR_REPEATS:
        return 6;
    case IR_NOT:
        return condition->kid[0]->op == IR_CALL && condition->kid[0]->number == IR_CALL_has_legal_move ? 8
                                                                                                       : 1;
    default: // comparisons of plies say little
        return ir_has_node(condition, reads_board, NULL) ? 3 : condition->op == IR_EQ ? 1 : 0;
    }
}

static Ir *heaviest(const Need *n)
{
    Ir *best = NULL;
    for (int i = 0; i < n->elsewhere_count; i++)
        if (best == NULL || weight_of(n->elsewhere[i]) > weight_of(best))
            best = n->elsewhere[i];
    return best;
}

static Need either(Search *s, const Need *a, const Need *b)
{
    if (a->never && !a->only_again)
        return *b;
    if (b->never && !b->only_again)
        return *a;
    if (a->only_again || b->only_again)
        return a->only_again && b->only_again ? *a : closed(s, a->only_again ? b : a);
    Need n = {0};
    if (a->here != NULL && b->here != NULL)
        n.here = either_condition(s, a->here, b->here);
    if (a->pair != NULL && b->pair != NULL)
        n.pair = either_condition(s, a->pair, b->pair);
    if (a->next != NULL && b->next != NULL) {
        Ir *first = joined(s, a);
        n.next = ir_or(first, joined(s, b));
    }
    const Need all_a = closed(s, a), all_b = closed(s, b);
    for (int i = 0; i < all_a.elsewhere_count; i++)
        if (has_elsewhere(&all_b, all_a.elsewhere[i]))
            add_elsewhere(&n, used(s, all_a.elsewhere[i]));
    Ir *best_a = heaviest(&all_a), *best_b = heaviest(&all_b);
    bool is_said = n.next != NULL || (n.here != NULL && a->elsewhere_count + b->elsewhere_count == 0);
    is_said = is_said && best_a == all_a.elsewhere[0] && best_b == all_b.elsewhere[0];
    if (best_a != NULL && best_b != NULL && !is_said)
        add_elsewhere(&n, either_condition(s, best_a, best_b));
    return n;
}

// ---- frames -----------------------------------------------------------------------------------------------

// The same knowledge, said about the next position, or about a position that has nothing to do with this one.
static Frame moved_frame(const Frame *f, bool to_next, int local)
{
    Frame there = *f;
    meanings_move(f->search, &there.local, to_next, local);
    meanings_move(f->search, &there.slot, to_next, local);
    there.at = to_next && f->at == HERE ? BEFORE : ELSEWHERE;
    return there;
}

// What is needed at the next position, said about this one.
static Need from_next(Search *s, Need inner)
{
    Need n = {.never = inner.never, .only_again = inner.only_again};
    Arena *a = inner.here != NULL ? inner.here->arena : NULL;
    if (a != NULL)
        n.next = ir_and(ir_with_int(IR_GE, ir_node(IR_NODE_PLY, ir_current(a)), 1), used(s, inner.here));
    if (inner.next != NULL)
        add_elsewhere(&n, joined(s, &inner));
    for (int i = 0; i < inner.elsewhere_count; i++)
        add_elsewhere(&n, inner.elsewhere[i]);
    return n;
}

// ---- places where a position is evaluated -----------------------------------------------------------------

// What a visit makes of the body of a loop, a function and so on: need itself, or what is needed for a write.
typedef struct Visit {
    Need (*tree)(Frame *f, const Ir *tree, const struct Visit *visit);
    const Ir *written; // LET or STORE of a constant, whose local or slot is asked for,
    const Ir *test;    // and a comparison that is false for that constant
} Visit;

// May the position be one that the game does not have?
static bool may_be_imaginary(const Frame *f, int at)
{
    return at == ELSEWHERE && (f->search->m->info.flags & QUERY_IMAGINARY);
}

static Need at_position(Frame *f, const Ir *tree, const Visit *v)
{
    const int at = translate_position(f, tree->kid[0]);
    if (may_be_imaginary(f, at))
        return (Need){0};
    if (at == HERE || at == BEFORE) {
        Frame there = *f;
        there.at = at;
        return v->tree(&there, tree->kid[1], v);
    }
    const int local = tree->kid[0]->op == IR_LOCAL && at == ELSEWHERE ? tree->kid[0]->number : -1;
    Frame there = moved_frame(f, at == NEXT, local);
    there.at = HERE;
    if (local >= 0)
        meanings_set(f->search->arena, &there.local, local,
                     (Meaning){.kind = MEANS_POSITION, .before = HERE});
    Need inner = v->tree(&there, tree->kid[1], v);
    if (inner.pair != NULL && local >= 0 && meanings_get(&f->local, local)->kind == MEANS_OTHER)
        inner.pair = both_conditions(f->search, inner.pair, pair_differs(inner.pair->arena));
    inner = without_pair(f->search, inner);
    return at == NEXT ? from_next(f->search, inner) : closed(f->search, &inner);
}

static Need at_child(Frame *f, const Ir *tree, const Visit *v)
{
    const int at = translate_position(f, tree->kid[0]);
    if (may_be_imaginary(f, at))
        return (Need){0};
    Frame there = at == BEFORE ? *f : moved_frame(f, at == HERE, -1);
    meanings_set(f->search->arena, &there.local, tree->number,
                 (Meaning){.kind = MEANS_POSITION, .before = HERE});
    Need inner = v->tree(&there, tree->kid[1], v);
    if (at == BEFORE)
        return inner;
    inner = without_pair(f->search, inner);
    return at == HERE ? from_next(f->search, inner) : closed(f->search, &inner);
}

static Need in_loop(Frame *f, const Ir *tree, const Visit *v)
{
    const Ir *body = tree->kid[tree->kid_count - 1];
    writes_forget(f, tree);
    if (tree->op == IR_EACH_CHILD)
        return at_child(f, tree, v);
    Frame inside = *f;
    return v->tree(&inside, body, v);
}

// What is known of a function that is being visited.
struct Visited {
    const Ir *written;   // of the visit
    const Need *summary; // what follows from any call of it; NULL: not known yet
};

Visited *need_new_visited(Arena *a, int functions)
{
    return arena_alloc(a, sizeof(Visited) * (size_t)(functions + 1));
}

static Need in_open_function(const Frame *f, const Ir *tree, const Visit *v)
{
    const Visited *visited = &f->search->visited[tree->number];
    if (visited->written != v->written)
        return (Need){0};
    return visited->summary == NULL ? again
           : f->at == HERE          ? *visited->summary
                                    : closed(f->search, visited->summary);
}

// The frame of a called function: without knowledge, or with what the caller knows.
static Frame called_frame(Frame *f, const Ir *tree, bool knows)
{
    Search *s = f->search;
    Frame there = *f;
    there.f = s->m->function[tree->number];
    there.local = meanings_new(there.f->local_count);
    if (!knows)
        meanings_clear(&there.slot);
    there.at = knows ? f->at : HERE;
    return there;
}

// A function that calls itself, or remembers earlier calls, is first visited without knowledge, because what follows must be
// true for all its calls.
static Need in_function(Frame *f, const Ir *tree, const Visit *v)
{
    Search *s = f->search;
    if (s->open[tree->number])
        return in_open_function(f, tree, v);
    Visited *visited = &s->visited[tree->number];
    *visited = (Visited){.written = v->written};
    s->open[tree->number] = true;
    reach_enter(s);
    Need summary;
    if (reach_is_recursive(s, tree->number)) {
        Frame any = called_frame(f, tree, false);
        summary = v->tree(&any, any.f->body, v);
        visited->summary = &summary;
    }
    Frame there = called_frame(f, tree, true);
    const Need n = v->tree(&there, there.f->body, v);
    s->open[tree->number] = false;
    s->depth--;
    visited->summary = NULL;
    writes_forget(f, tree);
    return n;
}

// ---- writes -----------------------------------------------------------------------------------------------

static const Ir *without_place(const Ir *tree)
{
    while (tree->op == IR_PLACE)
        tree = tree->kid[0];
    return tree;
}

static bool is_same_cell(const Ir *a, const Ir *b)
{
    return a->op == b->op && a->number == b->number;
}

static bool writes(Search *s, const Ir *tree, const Ir *cell)
{
    if (--s->work < 0)
        return true;
    if (is_same_cell(tree, cell) || (cell->op == IR_LET && ir_written_local(tree) == cell->number))
        return true;
    for (int i = 0; i < tree->kid_count; i++)
        if (writes(s, tree->kid[i], cell))
            return true;
    if (tree->op != IR_INVOKE || cell->op != IR_STORE)
        return false;
    if (s->open[tree->number])
        return true;
    s->open[tree->number] = true;
    reach_enter(s);
    const bool result = writes(s, s->m->function[tree->number]->body, cell);
    s->open[tree->number] = false;
    s->depth--;
    return result;
}

// Writes a constant for which the test is false, too.
static bool keeps_test(const Ir *write, const Visit *v)
{
    return write->kid[0]->op == IR_INT &&
           !ir_compare((IrOp)v->test->op, write->kid[0]->number, v->test->kid[1]->number);
}

// A test of what the slot was before: then it had been written already.
static bool tests_old_slot(const Frame *f, const Ir *tree, const Visit *v)
{
    const Ir *test = without_place(tree);
    if (v->written->op != IR_STORE || test->op < IR_EQ || test->op > IR_GE || test->kid[0]->op != IR_LOCAL ||
        test->kid[1]->op != IR_INT)
        return false;
    const Meaning *m = meanings_get(&f->local, test->kid[0]->number);
    return m->kind == MEANS_SLOT && m->slot == v->written->number &&
           !ir_compare((IrOp)test->op, v->written->kid[0]->number, test->kid[1]->number);
}

// What is needed for evaluating the tree to write the cell so that the test may be true.
static Need need_write(Frame *f, const Ir *tree, const Visit *v)
{
    static const Need nothing, never = {.never = true};
    Need before = {0}, any = never;
    if (--f->search->left < 0 || f->search->work < 0)
        return nothing;
    if (is_same_cell(tree, v->written))
        return keeps_test(tree, v) ? never : nothing;
    if (v->written->op == IR_LET && ir_written_local(tree) == v->written->number)
        return nothing; // the variable of a loop, or what a call returns
    if (ir_is_loop(tree))
        return in_loop(f, tree, v);
    switch ((IrOp)tree->op) {
    case IR_AT:
        return at_position(f, tree, v);
    case IR_WHILE: // the test may write, too
        return writes(f->search, tree->kid[0], v->written) ? nothing : in_loop(f, tree, v);
    case IR_INVOKE:
        return in_function(f, tree, v);
    case IR_AND:
    case IR_OR:
    case IR_PLACE:
    case IR_ALWAYS:
    case IR_NOT:
    case IR_IF:
        for (int i = 0; i < tree->kid_count; i++) {
            if (writes(f->search, tree->kid[i], v->written)) {
                Frame copy = *f;
                const Need here = need_write(&copy, tree->kid[i], v),
                           both_needed = both(f->search, &before, &here);
                any = either(f->search, &any, &both_needed);
            }
            if (tree->op == IR_AND || (tree->op == IR_IF && i == 0)) {
                const Need one = tests_old_slot(f, tree->kid[i], v) ? again : need(f, tree->kid[i]);
                before = both(f->search, &before, &one);
            } else {
                writes_forget(f, tree->kid[i]);
            }
            if (tree->op == IR_IF && i == 1)
                before = (Need){0};
        }
        return any;
    default:
        return nothing;
    }
}

// The cell that a comparison with a constant reads, as it was assigned a constant by an earlier operand of the AND, and the
// comparison is false for that constant; -1: there is none. Then another operand must have changed it.
static int unchanged_cell(Search *s, const Ir *all, int test)
{
    const Ir *compared = without_place(all->kid[test]);
    if (compared->op < IR_EQ || compared->op > IR_GE || compared->kid[1]->op != IR_INT)
        return -1;
    const Ir *cell = compared->kid[0];
    if (cell->op != IR_LOCAL && cell->op != IR_SLOT)
        return -1;
    for (int i = test - 1; i >= 0 && --s->work > 0; i--) {
        const Ir *kid = all->kid[i];
        if (kid->op == (cell->op == IR_LOCAL ? IR_LET : IR_STORE) && kid->number == cell->number)
            return kid->kid[0]->op == IR_INT &&
                           !ir_compare((IrOp)compared->op, kid->kid[0]->number, compared->kid[1]->number)
                       ? i
                       : -1;
    }
    return -1;
}

// ---- conditions -------------------------------------------------------------------------------------------

static Need visit_need(Frame *f, const Ir *tree, const Visit *v)
{
    (void)v;
    return need(f, tree);
}

static const Visit usual_visit = {visit_need, NULL, NULL};

// A comparison that needs another operand of the AND to write a cell. `frames` has the knowledge before each operand.
static Need need_changed(const Ir *all, int test, Frame *frames)
{
    const int cell = unchanged_cell(frames[test].search, all, test);
    Need any = {.never = true};
    if (cell < 0)
        return (Need){0};
    const Visit v = {need_write, all->kid[cell], without_place(all->kid[test])};
    for (int i = cell + 1; i < test; i++) {
        if (!writes(frames[i].search, all->kid[i], all->kid[cell]))
            continue;
        Frame copy = frames[i];
        const Need one = need_write(&copy, all->kid[i], &v);
        any = either(frames[i].search, &any, &one);
    }
    return any;
}

// Adds what follows from another operand of an AND; `here` and `next` collect what sum->here and sum->next become.
static void add_need(Search *s, Need *sum, IrParts *here, IrParts *next, const Need *one)
{
    Need rest = *one;
    rest.here = rest.next = NULL;
    *sum = both(s, sum, &rest);
    ir_append(here, used(s, one->here));
    ir_append(next, used(s, one->next));
}

static Need need_all(Frame *f, const Ir *tree)
{
    Search *s = f->search;
    Need sum = {0};
    IrParts here = {0}, next = {0};
    Frame *frames = arena_alloc(s->arena, sizeof *frames * (size_t)(tree->kid_count + 1));
    for (int i = 0; i < tree->kid_count; i++) {
        if (reach_is_seen_outside(s, tree->kid[i]))
            break;
        frames[i] = *f;
        const Need changed = need_changed(tree, i, frames), one = need(f, tree->kid[i]);
        add_need(s, &sum, &here, &next, &changed);
        add_need(s, &sum, &here, &next, &one);
    }
    sum.here = here.all;
    sum.next = next.all;
    return sum;
}

static Need need_some(Frame *f, const Ir *tree, int from)
{
    Need any = {.never = true};
    for (int i = from; i < tree->kid_count; i++) {
        Frame copy = *f;
        const Need one = need(&copy, tree->kid[i]);
        any = either(f->search, &any, &one);
        writes_forget(f, tree->kid[i]);
    }
    return any;
}

static Need need_if(Frame *f, const Ir *tree)
{
    Frame copy = *f;
    const Need test = need(&copy, tree->kid[0]), yes = need(&copy, tree->kid[1]),
               first = both(f->search, &test, &yes);
    writes_forget(f, tree);
    Frame other = *f;
    const Need second = need(&other, tree->kid[2]);
    return either(f->search, &first, &second);
}

static Need need_loop(Frame *f, const Ir *tree)
{
    if (tree->mode != MODE_ANY) {
        writes_forget(f, tree);
        return (Need){0};
    }
    Need set = {0};
    if (tree->op == IR_EACH_SQUARE) {
        Ir *squares = translate(f, tree->kid[0]);
        set = squares != NULL ? of_condition(ir_any(squares)) : set;
    }
    const Need body = in_loop(f, tree, &usual_visit);
    return both(f->search, &set, &body);
}

// Does the tree have only operations that translate may know?
static bool is_plain(Search *s, const Ir *tree)
{
    if (tree->mark & (MARK_PLAIN | MARK_NOT_PLAIN))
        return (tree->mark & MARK_PLAIN) != 0;
    const IrOp op = (IrOp)tree->op;
    bool plain = --s->work >= 0 && op != IR_INVOKE && op != IR_ALWAYS && op != IR_WHILE &&
                 !ir_is_loop(tree) && !ir_has_own_effect(tree);
    for (int i = 0; i < tree->kid_count && plain; i++)
        plain = is_plain(s, tree->kid[i]);
    ((Ir *)tree)->mark |= plain ? MARK_PLAIN : MARK_NOT_PLAIN;
    return plain;
}

static Need need(Frame *f, const Ir *tree)
{
    const bool is_list = tree->op == IR_AND || tree->op == IR_PLACE; // whose first operands still count
    if (--f->search->left < 0 || f->search->work < 0 || (!is_list && reach_is_seen_outside(f->search, tree)))
        return (Need){0};
    Frame copy = *f;
    Ir *exact = is_plain(f->search, tree) ? translate(&copy, tree) : NULL;
    if (exact != NULL) {
        exact = optimise_folded(exact);
        *f = copy;
        if (exact->op == IR_TRUE || exact->op == IR_FALSE)
            return (Need){.never = exact->op == IR_FALSE};
        return of_condition(exact);
    }
    if (ir_is_loop(tree))
        return need_loop(f, tree);
    switch ((IrOp)tree->op) {
    case IR_AND:
        return need_all(f, tree);
    case IR_OR:
        return need_some(f, tree, 0);
    case IR_IF:
        return need_if(f, tree);
    case IR_PLACE:
        return need(f, tree->kid[0]);
    case IR_AT: {
        const Need n = at_position(f, tree, &usual_visit);
        writes_forget(f, tree);
        return n;
    }
    case IR_INVOKE:
        return in_function(f, tree, &usual_visit);
    case IR_NE: // of positions
        if (tree->kid[0]->op == IR_LOCAL && translate_position(f, tree->kid[1]) == HERE &&
            meanings_get(&f->local, tree->kid[0]->number)->kind == MEANS_NOTHING)
            meanings_set(f->search->arena, &f->local, tree->kid[0]->number, (Meaning){.kind = MEANS_OTHER});
        return (Need){0};
    case IR_CALL: // memo_find: an earlier call has found what it needs
        writes_forget(f, tree);
        return tree->number == IR_CALL_memo_find ? again : (Need){0};
    default:
        writes_forget(f, tree);
        return (Need){0};
    }
}

static int by_weight(const void *a, const void *b)
{
    return weight_of(*(Ir *const *)b) - weight_of(*(Ir *const *)a);
}

// Does the second condition follow from the first one, by their form?
static bool implies(const Ir *a, const Ir *b)
{
    if (b->op == IR_AND || b->op == IR_OR) {
        bool all = true, some = false;
        for (int i = 0; i < b->kid_count; i++) {
            const bool kid = implies(a, b->kid[i]);
            all &= kid;
            some |= kid;
        }
        return b->op == IR_AND ? all : some;
    }
    bool found = ir_equal(a, b);
    for (int i = 0; a->op == IR_AND && i < a->kid_count && !found; i++)
        found = implies(a->kid[i], b);
    return found;
}

// Takes out the conditions that follow from others; returns how many are left.
static int without_implied(Ir **condition, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        bool implied = false;
        for (int j = 0; j < count && !implied; j++)
            implied = j != i && implies(condition[j], condition[i]);
        if (implied)
            memmove(condition + i, condition + i + 1, sizeof *condition * (size_t)(--count - i));
    }
    return count;
}

int need_conditions(Frame *f, const Ir *body, Ir ***condition)
{
    reach_find_outside(f->search);
    const Need n = need(f, body), all = closed(f->search, &n);
    int count = all.elsewhere_count;
    *condition = arena_alloc(f->search->arena, sizeof all.elsewhere);
    if (f->search->left < 0 || f->search->work < 0 || n.only_again)
        return 0;
    if (n.never) {
        **condition = ir_bool(f->search->arena, false);
        return 1;
    }
    memcpy(*condition, all.elsewhere, sizeof *all.elsewhere * (size_t)count);
    qsort(*condition, (size_t)count, sizeof **condition, by_weight);
    while (count > 0 && weight_of((*condition)[count - 1]) == 0)
        count--;
    return without_implied(*condition, count);
}
