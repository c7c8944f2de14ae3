// Loops over squares whose body asks whether the square is in a set become set algebra, as far as they do: what the body
// requires of the square restricts the set that the loop runs over (language reference 7.6).
#include "internal.h"

#include <string.h>

enum {
    MOST_NODES = 300, // of a body that is searched for what its locals are, so that the work is proportional to the query
    MOST_STEPS = 16   // operands of a union: steps in eight directions
};

// When the function, as it was before the pass, reads and writes each of its locals: nodes are numbered in the order in which they
// are visited.
typedef struct Uses {
    int locals;
    int *first_read, *last_read, *first_write, *last_write; // by local; last -1: never
    int time;                                               // of the node being visited
    int *elsewhere, room; // by local: the reads of a body outside of one of its operands, while it is looked at; else 0
} Uses;

// A loop over the squares of `domain`, which assigns them to the local `square`.
typedef struct Loop {
    Module *m;
    IrFunction *f;
    Uses *uses;
    int first, last; // the times of the loop's body
    bool is_small;   // the body had at most MOST_NODES
    int square;
    const Ir *domain, *body;
    Ir *before; // AND of assignments that come before the loop
} Loop;

static bool writes_in_body(const Loop *l, int local)
{
    const Uses *u = l->uses;
    if (local < u->locals && (u->last_write[local] < l->first || u->first_write[local] > l->last))
        return false;
    return ir_writes_local(l->body, local);
}

static bool reads_what_is_written(const Ir *node, const void *loop)
{
    const Loop *l = loop;
    return node->op == IR_LOCAL && (node->number == l->square || writes_in_body(l, node->number));
}

// Has the same value in each round, and may be evaluated before the loop.
static bool is_invariant(const Loop *l, const Ir *tree)
{
    const unsigned changing = IR_WRITES_LOCAL | IR_WRITES_SLOT | IR_READS_SLOT | IR_EFFECT | IR_INVOKES;
    return !ir_does_any(tree, changing) && ir_is_total(tree) && !ir_has_node(tree, reads_what_is_written, l);
}

static bool is_square(const Loop *l, const Ir *set)
{
    return set->op == IR_BIT && set->kid[0]->op == IR_LOCAL && set->kid[0]->number == l->square;
}

static Ir *all_squares(const Loop *l)
{
    return ir_set(l->m->arena, ~(Bitboard)0);
}

// The intersection of the operands of an intersection other than number `left_out`. NULL when one is not invariant.
static Ir *other_operands(const Loop *l, const Ir *set, int left_out)
{
    Ir *all = all_squares(l);
    for (int i = 0; i < set->kid_count; i++) {
        if (i == left_out)
            continue;
        if (!is_invariant(l, set->kid[i]))
            return NULL;
        all = ir_set_and(all, ir_copy(set->kid[i]));
    }
    return all;
}

// The part of `set` that does not depend on the square, when it is the square or an intersection with it, else NULL.
static Ir *square_within(const Loop *l, const Ir *set)
{
    if (is_square(l, set))
        return all_squares(l);
    for (int i = 0; set->op == IR_SET_AND && i < set->kid_count; i++)
        if (is_square(l, set->kid[i]))
            return other_operands(l, set, i);
    return NULL;
}

// The pieces of the domain that attack a square of the set.
static Ir *attackers_of(const Loop *l, Ir *set)
{
    const bool simple = is_invariant(l, l->domain) && ir_cost(l->domain) < EXPENSIVE;
    Ir *from = simple ? ir_copy(l->domain) : ir_board(l->m->arena, BOARD_OCCUPIED);
    return ir_call(l->m->arena, IR_CALL_attackers, 2, from, set);
}

// The squares for which an attack between the square and an invariant set exists, or NULL.
static Ir *attack_with(const Loop *l, const Ir *call)
{
    if (call->op != IR_CALL || call->number != IR_CALL_attackers)
        return NULL;
    Ir *target = square_within(l, call->kid[1]);
    if (target != NULL && is_invariant(l, call->kid[0]))
        return ir_set_and(target, ir_call(l->m->arena, IR_CALL_attacked, 1, ir_copy(call->kid[0])));
    Ir *attacker = square_within(l, call->kid[0]);
    if (attacker != NULL && is_invariant(l, call->kid[1]))
        return ir_set_and(attacker, attackers_of(l, ir_copy(call->kid[1])));
    return NULL;
}

// The squares from which some square of an intersection with invariant sets is attacked, or NULL.
static Ir *attacks_within(const Loop *l, const Ir *set)
{
    for (int i = 0; set->op == IR_SET_AND && i < set->kid_count; i++) {
        const Ir *call = set->kid[i];
        if (call->op != IR_CALL || call->number != IR_CALL_attacked)
            continue;
        Ir *attacker = square_within(l, call->kid[0]), *target = other_operands(l, set, i);
        if (attacker != NULL && target != NULL)
            return ir_set_and(attacker, attackers_of(l, target));
    }
    return NULL;
}

// ---- sets of steps from the square ------------------------------------------------------------------------

static int reads_of(const Ir *tree, int local)
{
    int count = tree->op == IR_LOCAL && tree->number == local;
    for (int i = 0; i < tree->kid_count; i++)
        count += reads_of(tree->kid[i], local);
    return count;
}

static int writes_of(const Ir *tree, int local)
{
    int count = ir_written_local(tree) == local;
    for (int i = 0; i < tree->kid_count; i++)
        count += writes_of(tree->kid[i], local);
    return count;
}

// Nothing outside the body reads the local. Locals that this pass has made in the body are read there.
static bool is_read_in_body_only(const Loop *l, int local)
{
    const Uses *u = l->uses;
    return local >= u->locals || u->last_read[local] < 0 ||
           (u->first_read[local] >= l->first && u->last_read[local] <= l->last);
}

// Assigns a local that is read in the body only, so that tests after it may come before it.
static bool is_private_let(const Loop *l, const Ir *kid)
{
    return kid->op == IR_LET && ir_is_droppable(kid->kid[0]) && is_read_in_body_only(l, kid->number);
}

// The AND in the tree that has the only assignment of the local as an operand, with its number. NULL: there is none.
static const Ir *find_let(const Ir *tree, int local, int *operand)
{
    for (int i = 0; i < tree->kid_count; i++) {
        if (tree->op == IR_AND && tree->kid[i]->op == IR_LET && tree->kid[i]->number == local) {
            *operand = i;
            return tree;
        }
        const Ir *found = find_let(tree->kid[i], local, operand);
        if (found != NULL)
            return found;
    }
    return NULL;
}

// What an operand of an AND in the body assigns a local that only the operands after it read, and nothing else writes.
// NULL: not known.
static const Ir *value_in_body(const Loop *l, int local)
{
    int let = 0, reads = 0;
    const Ir *all = l->is_small ? find_let(l->body, local, &let) : NULL;
    if (all == NULL || !is_private_let(l, all->kid[let]) || writes_of(l->body, local) != 1)
        return NULL;
    for (int i = let + 1; i < all->kid_count; i++)
        reads += reads_of(all->kid[i], local);
    return reads == reads_of(l->body, local) ? all->kid[let]->kid[0] : NULL;
}

// A set that can be read several times, at little cost.
static Ir *kept(const Loop *l, Ir *set)
{
    set = optimise_folded(set);
    if (set->kid_count == 0)
        return set;
    const int local = ir_new_local(l->f, IRT_SET);
    ir_add_kid(l->before, ir_let(local, set));
    return ir_local(l->f, local);
}

// The set that the steps start from.
static const Ir *start_of(const Ir *set)
{
    while (ir_is_moves(set))
        set = set->kid[0];
    return set;
}

// The squares from which the steps lead to the target.
static Ir *stepped_back(const Ir *set, Ir *target)
{
    for (; ir_is_moves(set); set = set->kid[0])
        target = ir_moved_back(set, target);
    return target;
}

static Ir *squares_meeting(const Loop *l, const Ir *set, Ir *target);

// What start from the same set are steps to one target together.
static Ir *squares_of_union(const Loop *l, const Ir *set, Ir *target)
{
    Ir *all = NULL;
    target = kept(l, target);
    for (int i = 0; i < set->kid_count; i++) {
        const Ir *start = start_of(set->kid[i]);
        Ir *goal = NULL;
        bool is_first = true;
        for (int k = 0; k < set->kid_count; k++) {
            if (!ir_equal(start_of(set->kid[k]), start))
                continue;
            is_first = is_first && k >= i;
            goal = goal == NULL ? stepped_back(set->kid[k], ir_copy(target))
                                : ir_set_or(goal, stepped_back(set->kid[k], ir_copy(target)));
        }
        Ir *squares = is_first ? squares_meeting(l, start, goal) : NULL;
        if (is_first && squares == NULL)
            return NULL;
        if (is_first)
            all = all == NULL ? squares : ir_set_or(all, squares);
    }
    return all;
}

// The squares for which a set of steps from the square meets the target, which does not depend on it. NULL: not known.
static Ir *squares_meeting(const Loop *l, const Ir *set, Ir *target)
{
    const Ir *value = set->op == IR_LOCAL ? value_in_body(l, set->number) : NULL;
    if (is_square(l, set))
        return target;
    if (value != NULL)
        return squares_meeting(l, value, target);
    if (ir_is_moves(set))
        return squares_meeting(l, start_of(set), stepped_back(set, target));
    if (set->op == IR_SET_OR)
        return set->kid_count <= MOST_STEPS ? squares_of_union(l, set, target) : NULL;
    for (int i = 0; set->op == IR_SET_AND && i < set->kid_count; i++) {
        Ir *others = is_invariant(l, set->kid[i]) ? NULL : other_operands(l, set, i);
        if (others != NULL)
            return squares_meeting(l, set->kid[i], ir_set_and(target, others));
    }
    return NULL;
}

// The squares for which some steps from the square lead into sets that do not depend on it, or NULL.
static Ir *steps_within(const Loop *l, const Ir *set)
{
    const int assignments = l->before->kid_count;
    Ir *found = squares_meeting(l, set, all_squares(l));
    if (found == NULL)
        l->before->kid_count = assignments;
    return found;
}

// The squares for which the set is not empty, as a set, or NULL when that is not known, or found by many steps.
static Ir *squares_with_some(const Loop *l, const Ir *set)
{
    Ir *found = square_within(l, set);
    found = found != NULL ? found : attack_with(l, set);
    return found != NULL ? found : attacks_within(l, set);
}

static Ir *squares_with(const Loop *l, const Ir *condition);

static Ir *combined_squares(const Loop *l, const Ir *condition)
{
    Ir *all = NULL;
    for (int i = 0; i < condition->kid_count; i++) {
        if (condition->op == IR_AND && is_private_let(l, condition->kid[i]))
            continue; // what reads it knows its value
        Ir *one = squares_with(l, condition->kid[i]);
        if (one == NULL)
            return NULL;
        all = all == NULL ? one : condition->op == IR_AND ? ir_set_and(all, one) : ir_set_or(all, one);
    }
    return all;
}

// The squares for which the condition is true, as a set, or NULL when that is not known.
static Ir *squares_with(const Loop *l, const Ir *condition)
{
    Ir *set;
    switch ((IrOp)condition->op) {
    case IR_ANY:
        set = squares_with_some(l, condition->kid[0]);
        return set != NULL ? set : steps_within(l, condition->kid[0]);
    case IR_NOT:
        set = squares_with(l, condition->kid[0]);
        return set == NULL ? NULL : ir_set_not(set);
    case IR_AND:
    case IR_OR:
        return combined_squares(l, condition);
    case IR_PLACE:
        return squares_with(l, condition->kid[0]);
    default:
        return NULL;
    }
}

// The squares for which the condition may be true: those with a set that it requires to have more squares than another one.
static Ir *squares_required(const Loop *l, const Ir *condition)
{
    const Ir *more = condition->op == IR_GT   ? condition->kid[0]
                     : condition->op == IR_LT ? condition->kid[1]
                                              : NULL;
    if (more == NULL || more->op != IR_COUNT)
        return NULL;
    const Ir *less = condition->kid[more == condition->kid[0]];
    const bool counts = less->op == IR_COUNT || (less->op == IR_INT && less->number >= 0);
    return counts ? squares_with_some(l, more->kid[0]) : NULL;
}

// ---- what the body collects -------------------------------------------------------------------------------

// Reads the cell that `node` writes.
static bool reads_own_cell(const Ir *node, const Ir *value)
{
    const IrOp read = node->op == IR_STORE ? IR_SLOT : IR_LOCAL;
    return value->op == read && value->number == node->number;
}

// What a round adds to a set or a number, for all squares of the domain at once. NULL: it does something else.
static Ir *collected(const Loop *l, const Ir *node, const Ir *domain)
{
    if ((node->op != IR_LET && node->op != IR_STORE) || node->kid[0]->kid_count != 2 ||
        !reads_own_cell(node, node->kid[0]->kid[0]))
        return NULL;
    const Ir *added = node->kid[0]->kid[1];
    Ir *value = NULL;
    if (node->kid[0]->op == IR_SET_OR && is_square(l, added))
        value = ir_set_or(ir_copy(node->kid[0]->kid[0]), ir_copy(domain));
    else if (node->kid[0]->op == IR_ADD && added->op == IR_INT)
        value = ir_add(ir_copy(node->kid[0]->kid[0]), ir_mul(ir_count(ir_copy(domain)), ir_copy(added)));
    return value == NULL        ? NULL
           : node->op == IR_LET ? ir_let(node->number, value)
                                : ir_store(node->number, value);
}

static Ir *collect_all(const Loop *l, const Ir *body, Ir *domain)
{
    Ir *all = NULL;
    if (ir_cost(domain) >= EXPENSIVE && body->kid_count > 1) {
        const int local = ir_new_local(l->f, IRT_SET);
        all = ir_let(local, domain);
        domain = ir_local(l->f, local);
    }
    for (int i = 0; i < body->kid_count; i++) {
        Ir *one = collected(l, body->kid[i], domain);
        if (one == NULL)
            return NULL;
        all = ir_and(all, one);
    }
    return all;
}

// ---- loops ------------------------------------------------------------------------------------------------

static void remove_operand(Ir *list, int operand)
{
    list->kid_count--;
    memmove(list->kid + operand, list->kid + operand + 1,
            sizeof *list->kid * (size_t)(list->kid_count - operand));
}

// Removes assignments to locals that nothing reads any more.
static void drop_unread(const Loop *l, Ir *body)
{
    for (int i = body->kid_count - 1; i >= 0 && l->is_small; i--)
        if (is_private_let(l, body->kid[i]) && reads_of(body, body->kid[i]->number) == 0)
            remove_operand(body, i);
}

static bool writes_for_others(const Ir *node, const void *loop)
{
    const Loop *l = loop;
    const int local = ir_written_local(node);
    return local >= 0 && (!is_read_in_body_only(l, local) || l->uses->elsewhere[local] > 0);
}

// Is each local that the test writes read in the test only?
static bool writes_own_locals(const Loop *l, const Ir *test)
{
    Uses *u = l->uses;
    if (u->room < l->f->local_count) {
        u->room = 2 * l->f->local_count;
        u->elsewhere = arena_alloc(l->f->arena, sizeof *u->elsewhere * (size_t)u->room);
    }
    ir_count_uses(l->body, u->elsewhere, NULL, 1);
    ir_count_uses(test, u->elsewhere, NULL, -1);
    const bool own = !ir_has_node(test, writes_for_others, l);
    ir_count_uses(test, u->elsewhere, NULL, 1);
    ir_count_uses(l->body, u->elsewhere, NULL, -1);
    return own;
}

// A condition without effects but on locals that nothing else reads.
static bool is_test(const Loop *l, const Ir *test)
{
    return ir_is_droppable(test) ||
           (l->is_small && !ir_does_any(test, IR_NOT_DROPPABLE & ~(unsigned)IR_WRITES_LOCAL) &&
            writes_own_locals(l, test));
}

// Assignments of values that are the same in each round come before the loop.
static void hoist_assignments(const Loop *l)
{
    Ir *body = l->body->op == IR_ALWAYS ? l->body->kid[0] : (Ir *)l->body;
    for (int i = 0; body->op == IR_AND && i < body->kid_count; i++) {
        Ir *kid = body->kid[i];
        if (!l->is_small || !is_private_let(l, kid) || writes_of(l->body, kid->number) != 1 ||
            !is_invariant(l, kid->kid[0]) || ir_cost(kid->kid[0]) >= EXPENSIVE)
            continue;
        ir_add_kid(l->before, kid);
        remove_operand(body, i--);
    }
}

// Moves what the operands of `body` require of the square into *domain, and returns the rest of the body. Stops at an
// operand that does more than test, because operands after it may depend on it.
static Ir *restrict_domain(const Loop *l, const Ir *body, Ir **domain)
{
    Ir *rest = ir_new(l->m->arena, IR_AND, IRT_BOOL, 0);
    bool tests = true;
    for (int i = 0; i < body->kid_count; i++) {
        Ir *kid = body->kid[i], *required = NULL;
        const bool assigns = is_private_let(l, kid);
        tests = tests && (assigns || is_test(l, kid));
        Ir *exact = tests && !assigns ? squares_with(l, kid) : NULL;
        if (tests && !assigns && exact == NULL)
            required = squares_required(l, kid);
        Ir *set = exact != NULL ? exact : required;
        if (set != NULL)
            *domain = ir_set_and(*domain, set);
        if (exact == NULL)
            ir_add_kid(rest, kid);
    }
    return rest;
}

// The operands of an AND, or another condition as the only one.
static Ir *operands_of(Ir *condition)
{
    return condition->op == IR_AND ? condition : ir_unary(IR_AND, condition);
}

static Ir *rewrite_each_or_any(const Loop *l, Ir *node)
{
    const bool always = l->body->op == IR_ALWAYS;
    if (always && node->mode == MODE_ANY)
        return node;
    Ir *body = operands_of(always ? l->body->kid[0] : node->kid[1]);
    Ir *domain = node->kid[0];
    body = restrict_domain(l, body, &domain);
    drop_unread(l, body);
    if (body->kid_count == 0)
        return node->mode == MODE_ANY ? ir_any(domain) : ir_bool(l->m->arena, true);
    Ir *all = node->mode == MODE_EACH ? collect_all(l, body, domain) : NULL;
    node->kid[0] = domain;
    node->kid[1] = always ? ir_always(body) : body;
    return all != NULL ? all : node;
}

// All squares of the domain are in the set.
static Ir *domain_within(const Ir *domain, Ir *set)
{
    // Flat, for the loop around this one.
    return ir_not(ir_any(optimise_folded(ir_set_and(ir_copy(domain), ir_set_not(set)))));
}

// All squares of the domain are among those for which the operands are true, and pass the rest of the tests. Operands that
// are expensive are tests of their own, because a square that is not in one set makes the others unnecessary.
static Ir *rewrite_all(const Loop *l, Ir *node)
{
    Ir *body = operands_of(node->kid[1]), *wanted = NULL, *inside = NULL;
    Ir *tests = ir_new(l->m->arena, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < body->kid_count; i++)
        if (!is_private_let(l, body->kid[i]) && !is_test(l, body->kid[i]))
            return node;
    const bool simple = ir_cost(node->kid[0]) < EXPENSIVE;
    for (int i = 0; i < body->kid_count; i++) {
        Ir *set = body->kid[i]->op == IR_LET ? NULL : squares_with(l, body->kid[i]);
        if (set == NULL)
            ir_add_kid(tests, body->kid[i]);
        else if (simple && ir_cost(set) >= EXPENSIVE)
            inside = ir_and(inside, domain_within(node->kid[0], set));
        else
            wanted = wanted == NULL ? set : ir_set_and(wanted, set);
    }
    if (wanted != NULL)
        inside = ir_and(domain_within(node->kid[0], wanted), inside);
    drop_unread(l, tests);
    if (tests->kid_count == 0 || inside == NULL)
        return inside == NULL ? node : inside;
    node->kid[1] = tests;
    return ir_and(inside, node);
}

static Ir *rewrite_loops(Module *m, IrFunction *f, Uses *uses, Ir *tree)
{
    int first = ++uses->time; // of the last operand
    for (int i = 0; i < tree->kid_count; i++) {
        first = uses->time + 1;
        tree->kid[i] = rewrite_loops(m, f, uses, tree->kid[i]);
    }
    if (tree->op != IR_EACH_SQUARE || !ir_is_droppable(tree->kid[0]))
        return tree;
    Ir *before = ir_new(m->arena, IR_AND, IRT_BOOL, 0);
    const Loop loop = {.m = m,
                       .f = f,
                       .uses = uses,
                       .first = first,
                       .last = uses->time,
                       .is_small = uses->time - first < MOST_NODES,
                       .square = tree->number,
                       .domain = tree->kid[0],
                       .body = tree->kid[1],
                       .before = before};
    if (writes_in_body(&loop, loop.square) || !is_read_in_body_only(&loop, loop.square))
        return tree;
    hoist_assignments(&loop);
    tree = tree->mode == MODE_ALL ? rewrite_all(&loop, tree) : rewrite_each_or_any(&loop, tree);
    return before->kid_count > 0 ? ir_and(before, tree) : tree;
}

// ---- pieces -----------------------------------------------------------------------------------------------

// In a loop over the squares of pieces, the square of the piece in a local is that of the loop, at the position at which the
// local was assigned.
typedef struct PieceLoops {
    const IrFunction *f;
    const int *writes; // by local: how many nodes write it; only those that one writes are looked at
    int *square;       // by local with a piece: the local with its square, -1: not known
    int *known_at;     // by local: PieceLoops.here when that became known
    int here, scopes;  // the current position: a number for each AT around
} PieceLoops;

static bool is_call_on(const Ir *tree, IrCall call)
{
    return tree->op == IR_CALL && tree->number == (int)call && tree->kid[0]->op == IR_CURRENT &&
           tree->kid[1]->op == IR_LOCAL;
}

// The local that the operand of the body of a loop assigns the piece on the loop's square, for those after it; -1: none.
static int piece_of_loop(const PieceLoops *p, const Ir *loop, const Ir *body, int operand)
{
    const Ir *let = body->kid[operand];
    const bool is_piece = let->op == IR_LET && is_call_on(let->kid[0], IR_CALL_piece_number) &&
                          let->kid[0]->kid[1]->number == loop->number;
    return is_piece && p->writes[let->number] == 1 ? let->number : -1;
}

static Ir *use_squares(PieceLoops *p, Ir *tree);

// The operands of an AND that follow the assignment of the piece know its square.
static void use_squares_in_loop(PieceLoops *p, const Ir *loop, Ir *body)
{
    for (int i = 0; i < body->kid_count; i++) {
        body->kid[i] = use_squares(p, body->kid[i]);
        const int piece = piece_of_loop(p, loop, body, i);
        if (piece < 0)
            continue;
        p->square[piece] = loop->number;
        p->known_at[piece] = p->here;
    }
    for (int i = 0; i < body->kid_count; i++) {
        const int piece = piece_of_loop(p, loop, body, i);
        if (piece >= 0)
            p->square[piece] = -1;
    }
}

static Ir *use_squares(PieceLoops *p, Ir *tree)
{
    if (is_call_on(tree, IR_CALL_piece_square)) {
        const int piece = tree->kid[1]->number, square = p->square[piece];
        return square >= 0 && p->known_at[piece] == p->here ? ir_local(p->f, square) : tree;
    }
    const int outside = p->here;
    for (int i = 0; i < tree->kid_count; i++) {
        if (tree->op == IR_AT && i == 1)
            p->here = ++p->scopes;
        Ir *body = tree->kid[i]->op == IR_ALWAYS ? tree->kid[i]->kid[0] : tree->kid[i];
        const bool is_body = tree->op == IR_EACH_SQUARE && i == 1 && body->op == IR_AND &&
                             !(ir_kinds(tree->kid[0]) & 1 << EMPTY) && p->writes[tree->number] == 1;
        if (is_body)
            use_squares_in_loop(p, tree, body);
        else
            tree->kid[i] = use_squares(p, tree->kid[i]);
    }
    p->here = outside;
    return tree;
}

void use_squares_of_pieces(Module *m)
{
    for (int i = 0; i < m->function_count; i++) {
        IrFunction *f = m->function[i];
        const size_t size = sizeof(int) * (size_t)(f->local_count + 1);
        int *writes = arena_alloc(m->arena, size);
        PieceLoops p = {.f = f, .writes = writes, .known_at = arena_alloc(m->arena, size)};
        p.square = arena_alloc(m->arena, size);
        memset(p.square, 0xff, size);
        ir_count_uses(f->body, NULL, writes, 1);
        f->body = use_squares(&p, f->body);
    }
}

static void note_time(int *first, int *last, int time)
{
    if (*last < 0)
        *first = time;
    *last = time;
}

// Visits the nodes in the order of rewrite_loops.
static void find_uses(Uses *u, const Ir *tree)
{
    const int written = ir_written_local(tree), time = ++u->time;
    if (tree->op == IR_LOCAL)
        note_time(&u->first_read[tree->number], &u->last_read[tree->number], time);
    if (written >= 0)
        note_time(&u->first_write[written], &u->last_write[written], time);
    for (int i = 0; i < tree->kid_count; i++)
        find_uses(u, tree->kid[i]);
}

static Uses uses_in(const IrFunction *f)
{
    const size_t size = sizeof(int) * (size_t)(f->local_count + 1);
    Uses u = {.locals = f->local_count,
              .first_read = arena_alloc(f->arena, size),
              .last_read = arena_alloc(f->arena, size),
              .first_write = arena_alloc(f->arena, size),
              .last_write = arena_alloc(f->arena, size)};
    memset(u.last_read, 0xff, size);
    memset(u.last_write, 0xff, size);
    find_uses(&u, f->body);
    u.time = 0;
    return u;
}

void restrict_loops(Module *m)
{
    for (int i = 0; i < m->function_count; i++) {
        IrFunction *f = m->function[i];
        Uses uses = uses_in(f);
        f->body = rewrite_loops(m, f, &uses, f->body);
    }
}
