// Conditions on two positions of a game, of which one is "here" and the other one its partner. Boards of the partner have
// numbers from IR_BOARDS on, its ply is a local.
#include "internal.h"

enum { MOST_EQUAL = 4 };

// What a condition says of the two positions.
typedef struct Pair {
    Ir *partner[MOST_EQUAL], *here[MOST_EQUAL]; // equal sets
    int equal_count;
    enum { ANY_ORDER, PARTNER_FIRST, PARTNER_LAST } order;
    int distance; // they are at least so many plies apart
} Pair;

static bool is_of_partner(const Ir *node, const void *unused)
{
    (void)unused;
    return node->op == IR_LOCAL || (node->op == IR_BOARD && node->number >= IR_BOARDS);
}

bool pair_mentions(const Ir *tree)
{
    return ir_has_node(tree, is_of_partner, NULL);
}

Ir *pair_ply(Arena *a)
{
    return ir_new(a, IR_LOCAL, IRT_INT, 0);
}

Ir *pair_differs(Arena *a)
{
    return ir_binary(IR_NE, pair_ply(a), ir_node(IR_NODE_PLY, ir_current(a)));
}

// Is it a set that depends on nothing but boards from `first` on?
static bool is_of_boards(const Ir *tree, int first)
{
    if (tree->op == IR_BOARD)
        return tree->number >= first && tree->number < first + BOARD_COUNT;
    bool found = tree->op == IR_SET || ir_is_algebra(tree);
    for (int i = 0; i < tree->kid_count && found; i++)
        found = is_of_boards(tree->kid[i], first);
    return found;
}

static Ir *rebased(Ir *set)
{
    if (set->op == IR_BOARD)
        set->number %= IR_BOARDS;
    for (int i = 0; i < set->kid_count; i++)
        rebased(set->kid[i]);
    return set;
}

static void add_equal(Pair *p, const Ir *partner, const Ir *here)
{
    if (p->equal_count == MOST_EQUAL || !is_of_boards(partner, IR_BOARDS) || !is_of_boards(here, 0))
        return;
    p->partner[p->equal_count] = rebased(ir_copy(partner));
    p->here[p->equal_count++] = ir_copy(here);
}

static bool is_ply(const Ir *tree)
{
    return tree->op == IR_NODE && tree->number == IR_NODE_PLY && tree->kid[0]->op == IR_CURRENT;
}

static bool are_both_plies(const Ir *a, const Ir *b)
{
    return (is_ply(a) && b->op == IR_LOCAL) || (is_ply(b) && a->op == IR_LOCAL);
}

// Is it `a + b - min(a, b) * 2` of the two plies?
static bool is_distance(const Ir *tree)
{
    const Ir *sum = tree->kid_count == 2 ? tree->kid[0] : NULL, *twice = sum != NULL ? tree->kid[1] : NULL;
    if (tree->op != IR_SUB || sum->op != IR_ADD || !are_both_plies(sum->kid[0], sum->kid[1]) ||
        twice->op != IR_MUL || twice->kid[0]->op != IR_CHOOSE || twice->kid[1]->op != IR_INT ||
        twice->kid[1]->number != 2)
        return false;
    const Ir *first = twice->kid[0], *test = first->kid[0];
    return test->op == IR_LT && are_both_plies(test->kid[0], test->kid[1]) &&
           ir_equal(test->kid[0], first->kid[1]) && ir_equal(test->kid[1], first->kid[2]);
}

static void set_distance(Pair *p, int distance)
{
    p->distance = distance > p->distance ? distance : p->distance;
}

static void note_order(Pair *p, const Ir *comparison)
{
    const bool is_less = comparison->op == IR_LT || comparison->op == IR_LE;
    p->order = (comparison->kid[0]->op == IR_LOCAL) == is_less ? PARTNER_FIRST : PARTNER_LAST;
    set_distance(p, comparison->op == IR_LT || comparison->op == IR_GT);
}

static void note_comparisons(Pair *p, const Ir *condition)
{
    const Ir *a = condition->kid_count == 2 ? condition->kid[0] : NULL,
             *b = a != NULL ? condition->kid[1] : NULL;
    switch ((IrOp)condition->op) {
    case IR_AND:
        for (int i = 0; i < condition->kid_count; i++)
            note_comparisons(p, condition->kid[i]);
        break;
    case IR_SET_EQ:
        add_equal(p, a, b);
        add_equal(p, b, a);
        break;
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE:
        if (are_both_plies(a, b))
            note_order(p, condition);
        else if (condition->op >= IR_GT && is_distance(a) && b->op == IR_INT && b->number < INT16_MAX)
            set_distance(p, b->number + (condition->op == IR_GT));
        break;
    case IR_NE:
        set_distance(p, are_both_plies(a, b));
        break;
    default:
        break;
    }
}

static Ir *repeats(const Pair *p, Ir *const *first, Ir *const *last)
{
    Ir *repeated = ir_new(first[0]->arena, IR_REPEATS, IRT_BOOL, 0);
    for (int i = 0; i < p->equal_count; i++)
        ir_add_kid(repeated, ir_copy(first[i]));
    for (int i = 0; i < p->equal_count; i++)
        ir_add_kid(repeated, ir_copy(last[i]));
    repeated->number = p->distance;
    return repeated;
}

void pair_needs(const Ir *condition, Ir **here, Ir **elsewhere)
{
    Pair p = {0};
    *here = *elsewhere = NULL;
    note_comparisons(&p, condition);
    if (p.equal_count == 0 || p.distance < 1)
        return;
    Ir *after = repeats(&p, p.partner, p.here), *before = repeats(&p, p.here, p.partner);
    if (p.order == PARTNER_FIRST)
        *here = after;
    else
        *elsewhere = p.order == PARTNER_LAST || ir_equal(after, before) ? before : ir_or(after, before);
}
