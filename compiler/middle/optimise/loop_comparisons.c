// Comparisons of a value at the visited position with one at the position around the loop, as a test of the body says them.
// Sums are taken apart where they cannot overflow: `here:power A - there:power A > 3` compares as
// `here:power A - 3 > there:power A`. Absolute values and distances give two comparisons.
#include "position_loops.h"

#include "runtime/match/calls/compared.h"

// ---- sums -------------------------------------------------------------------------------------------------

enum { MOST_TERMS = 16, DEEPEST = 12, LARGEST = 1 << 30, LARGEST_PLACE = 1 << 28 };

// A part of a sum that is one of two values.
typedef enum Bend {
    STRAIGHT_SUM,
    GREATER_OF_TWO, // abs(x): x or -x
    AT_MOST_BOTH    // the ply of the last common ancestor: at most those of the two positions
} Bend;

typedef struct Sum {
    const Loop *loop;
    int choice;           // which one of the two
    Ir *visited, *around; // the terms that depend on the visited position, and the negated others; NULL: none
    int64_t constant, most; // most: the sum of the greatest absolute values of all terms
    int terms;
    Bend bend;
    int bend_factor;
} Sum;

// The greatest absolute value of a number; more than LARGEST: not known.
static int64_t magnitude(const Ir *value)
{
    const Ir *const *kid = (const Ir *const *)value->kid;
    switch ((IrOp)value->op) {
    case IR_INT:
        return value->number < 0 ? -(int64_t)value->number : value->number;
    case IR_COUNT:
        return 64;
    case IR_SIDE:
        return 1;
    case IR_NODE:
    case IR_CURRENT:
        return LARGEST_PLACE;
    case IR_INT_OF:
        return kid[0]->type == IRT_BOOL ? 1 : magnitude(kid[0]);
    case IR_CALL:
        return value->number == IR_CALL_power ? 64 * 9 : (int64_t)LARGEST + 1;
    default:
        return (int64_t)LARGEST + 1;
    }
}

static Ir *with_term(Ir *sum, Ir *value, int factor)
{
    const int times = factor < 0 ? -factor : factor;
    Ir *term = times == 1 ? value : ir_with_int(IR_MUL, value, times);
    if (sum == NULL)
        return factor > 0 ? term : ir_binary(IR_SUB, ir_int(value->arena, 0), term);
    return ir_binary(factor > 0 ? IR_ADD : IR_SUB, sum, term);
}

static bool add_term(Sum *sum, const Ir *tree, Site site, int factor)
{
    const Resolved x = loop_resolve(sum->loop, tree, site);
    if (x.value == NULL || !ir_is_total(x.value) || x.from == (FROM_VISITED | FROM_AROUND) ||
        ++sum->terms > MOST_TERMS)
        return false;
    Ir *value = loop_as_int(x.value);
    const int64_t most = magnitude(value);
    if (most > LARGEST)
        return false;
    sum->most += most * (factor < 0 ? -factor : factor);
    if (x.from == FROM_VISITED)
        sum->visited = with_term(sum->visited, value, factor);
    else
        sum->around = with_term(sum->around, value, -factor);
    return sum->most <= LARGEST;
}

static bool add_sum(Sum *sum, const Ir *tree, Site site, int factor);

static bool is_zero(const Ir *tree)
{
    return tree->op == IR_INT && tree->number == 0;
}

// The operand of `x < 0 ? 0 - x : x`; NULL: it is something else.
static const Ir *operand_of_abs(const Ir *tree)
{
    const Ir *test = tree->kid[0], *negated = tree->kid[1], *plain = tree->kid[2];
    const bool is_abs = tree->type == IRT_INT && test->op == IR_LT && is_zero(test->kid[1]) &&
                        negated->op == IR_SUB && is_zero(negated->kid[0]) && ir_equal(test->kid[0], plain) &&
                        ir_equal(negated->kid[1], plain);
    return is_abs ? plain : NULL;
}

static bool add_bend(Sum *sum, Bend bend, int factor)
{
    const bool is_first = sum->bend == STRAIGHT_SUM;
    sum->bend = bend;
    sum->bend_factor = factor;
    return is_first;
}

// The ply of the last common ancestor of the two positions: that of one of them takes its place.
static bool add_ply_of_ancestor(Sum *sum, const Ir *node, int factor)
{
    const Ir *lca = node->kid[0];
    const Loop *loop = sum->loop;
    for (int i = 0; i < 2; i++)
        if (!loop_is_visited(loop, lca->kid[i]) && !loop_is_around(loop, lca->kid[i]))
            return false;
    Ir *ply = ir_node(node->number, ir_copy(lca->kid[sum->choice]));
    return add_bend(sum, AT_MOST_BOTH, factor) && add_term(sum, ply, (Site){NULL, loop->time, 0}, factor);
}

// Adds `factor` times the value of the tree. False: it is not such a sum.
static bool add_sum(Sum *sum, const Ir *tree, Site site, int factor)
{
    const Ir *value;
    int times;
    if (site.depth > DEEPEST || factor > MOST_TERMS || factor < -MOST_TERMS)
        return false;
    switch ((IrOp)tree->op) {
    case IR_INT:
        sum->constant += (int64_t)factor * tree->number;
        sum->most += magnitude(tree) * (factor < 0 ? -factor : factor);
        return sum->most <= LARGEST;
    case IR_ADD:
    case IR_SUB:
        site.depth++;
        return add_sum(sum, tree->kid[0], site, factor) &&
               add_sum(sum, tree->kid[1], site, tree->op == IR_ADD ? factor : -factor);
    case IR_MUL:
        times = tree->kid[0]->op == IR_INT ? 0 : 1; // the operand that is a number
        if (tree->kid[times]->op != IR_INT || magnitude(tree->kid[times]) > MOST_TERMS)
            return add_term(sum, tree, site, factor);
        site.depth++;
        return add_sum(sum, tree->kid[1 - times], site, factor * tree->kid[times]->number);
    case IR_CHOOSE:
        value = operand_of_abs(tree);
        if (value == NULL)
            return false;
        site.depth++;
        return add_bend(sum, GREATER_OF_TWO, factor) &&
               add_sum(sum, value, site, sum->choice == 0 ? factor : -factor);
    case IR_NODE:
        if (tree->number == IR_NODE_PLY && tree->kid[0]->op == IR_CALL && tree->kid[0]->number == IR_CALL_lca)
            return add_ply_of_ancestor(sum, tree, factor);
        return add_term(sum, tree, site, factor);
    case IR_LOCAL:
        value = loop_known_value(sum->loop, tree, &site);
        return value != NULL ? add_sum(sum, value, site, factor) : add_term(sum, tree, site, factor);
    default:
        return add_term(sum, tree, site, factor);
    }
}

// `first - second` as a sum.
static bool take_apart(Sum *sum, const Ir *test, Site site)
{
    if (!add_sum(sum, test->kid[0], site, 1) || !add_sum(sum, test->kid[1], site, -1) ||
        sum->visited == NULL || sum->around == NULL)
        return false;
    if (sum->constant != 0)
        sum->around = ir_with_int(IR_ADD, sum->around, (int32_t)-sum->constant);
    return true;
}

// ---- comparisons ------------------------------------------------------------------------------------------

static unsigned relation_of(const Ir *test)
{
    switch ((IrOp)test->op) {
    case IR_EQ:
    case IR_SET_EQ:
        return COMPARE_EQUAL;
    case IR_NE:
        return COMPARE_LESS | COMPARE_GREATER;
    case IR_LT:
        return COMPARE_LESS;
    case IR_LE:
        return COMPARE_LESS | COMPARE_EQUAL;
    case IR_GT:
        return COMPARE_GREATER;
    case IR_GE:
        return COMPARE_GREATER | COMPARE_EQUAL;
    default:
        return 0;
    }
}

static unsigned mirrored(unsigned relation)
{
    return (relation & COMPARE_EQUAL) | (relation & COMPARE_LESS ? COMPARE_GREATER : 0) |
           (relation & COMPARE_GREATER ? COMPARE_LESS : 0);
}

static void take(Loop *loop, Ir *visited, Ir *around, unsigned relation)
{
    const Comparison comparison = {visited, around, relation};
    if (relation == COMPARE_EQUAL) {
        if (loop->equal_count < MOST_KEYS)
            loop->equal[loop->equal_count++] = comparison;
    } else if (loop->number_count < NUMBERS) {
        loop->number[loop->number_count++] = comparison;
    }
}

// The two choices of a sum with a bend. The sum is compared with 0.
static void take_both(Loop *loop, const Sum *choice, unsigned relation)
{
    const unsigned outside = COMPARE_LESS | COMPARE_GREATER;
    const Bend bend = choice[0].bend;
    // The sum is at least (at most) what each of the choices gives.
    const bool is_least = (bend == AT_MOST_BOTH) == (choice[0].bend_factor < 0);
    const unsigned towards = is_least ? COMPARE_LESS : COMPARE_GREATER;
    if ((relation & outside) == outside)
        return;
    if (relation == COMPARE_EQUAL)
        relation |= towards;
    const bool both = relation & towards;
    if (!both && (bend == AT_MOST_BOTH || loop->number_count > 0))
        return;
    if (!both)
        loop->is_either = true;
    for (int i = 0; i < 2; i++)
        take(loop, choice[i].visited, choice[i].around, relation);
}

static void take_sum(Loop *loop, const Ir *test, const Ir *at)
{
    Sum choice[2] = {{.loop = loop}, {.loop = loop, .choice = 1}};
    const Site site = {at, loop->time, 0};
    if (!take_apart(&choice[0], test, site))
        return;
    if (choice[0].bend == STRAIGHT_SUM)
        take(loop, choice[0].visited, choice[0].around, relation_of(test));
    else if (take_apart(&choice[1], test, site))
        take_both(loop, choice, relation_of(test));
}

void loop_take_comparisons(Loop *loop, const Ir *test, const Ir *at)
{
    const unsigned relation = relation_of(test);
    if (relation == 0)
        return;
    const Resolved a = loop_resolve_now(loop, test->kid[0], at), b = loop_resolve_now(loop, test->kid[1], at);
    const bool is_plain = a.value != NULL && b.value != NULL && ir_is_total(a.value) && ir_is_total(b.value);
    if (is_plain && a.from == FROM_VISITED && b.from == FROM_AROUND)
        take(loop, a.value, b.value, relation);
    else if (is_plain && a.from == FROM_AROUND && b.from == FROM_VISITED)
        take(loop, b.value, a.value, mirrored(relation));
    else if (test->op != IR_SET_EQ)
        take_sum(loop, test, at);
}
