// What is known where a condition is evaluated: in an AND, that the conditions before it are true; in an OR,
// that they are false; in the branches of an IF, the value of its test. A condition that is known, that
// contradicts what is known, or that asks where a king can be becomes a constant.
#include "internal.h"
#include "runtime/chess/chess.h"

enum {
    MOST_NODES = 1000
}; // of a fact, so that the work for conditions within conditions is proportional to the query

typedef struct Known {
    Module *m;
    TreeMap facts;    // in the form of ir_positive; TreeEntry.value: the value
    Bitboard king[2]; // by colour: squares where the only king of that colour can be
    int side;         // the side to move, -1: not known
} Known;

typedef struct Scope {
    int facts;
    Bitboard king[2];
    int side;
} Scope;

static Scope open_scope(const Known *k)
{
    return (Scope){k->facts.count, {k->king[0], k->king[1]}, k->side};
}

static void close_scope(Known *k, const Scope *s)
{
    tree_forget(&k->facts, s->facts);
    k->king[0] = s->king[0];
    k->king[1] = s->king[1];
    k->side = s->side;
}

// ---- facts -----------------------------------------------------------------------------------------------

// Is the condition that a king's board meets a constant? Every position of chess has one king of each colour; those of
// variants may not.
static bool is_king_test(const Known *k, const Ir *test, int *colour, Bitboard *squares)
{
    if (test->op != IR_ANY || k->m->info.flags & QUERY_VARIANTS)
        return false;
    const Ir *set = test->kid[0], *board = set;
    *squares = BB_ALL;
    if (set->op == IR_SET_AND && set->kid_count == 2 && set->kid[1]->op == IR_SET) {
        board = set->kid[0];
        *squares = set->kid[1]->set;
    }
    *colour = board->number == BLACK_KING;
    return board->op == IR_BOARD && (board->number == WHITE_KING || board->number == BLACK_KING);
}

static bool is_side_test(const Ir *test)
{
    return test->op == IR_EQ && test->kid[0]->op == IR_SIDE && test->kid[1]->op == IR_INT &&
           (test->kid[1]->number == WHITE || test->kid[1]->number == BLACK);
}

static void learn(Known *k, const Ir *condition, bool value);

static void learn_all(Known *k, const Ir *list, bool value)
{
    for (int i = 0; i < list->kid_count; i++)
        learn(k, list->kid[i], value);
}

// From here on in this scope the condition is known to have the value.
static void learn(Known *k, const Ir *condition, bool value)
{
    int colour;
    Bitboard squares;
    if (condition->op == IR_PLACE)
        learn(k, condition->kid[0], value);
    else if (condition->op == (value ? IR_AND : IR_OR))
        learn_all(k, condition, value);
    else if (is_king_test(k, condition, &colour, &squares))
        k->king[colour] &= value ? squares : ~squares;
    else if (!ir_is_constant(condition) && ir_noted_size(condition) <= MOST_NODES && ir_is_fixed(condition)) {
        const Ir *form = ir_positive(condition, &value);
        if (is_side_test(form))
            k->side = value ? form->kid[1]->number : !form->kid[1]->number;
        else
            tree_entry(&k->facts, form)->value = value;
    }
}

// The node, or the constant that it is known to be.
static Ir *decide(Known *k, Ir *node)
{
    int colour;
    Bitboard squares;
    if (node->op == IR_SIDE && k->side >= 0)
        return ir_int(k->m->arena, k->side);
    if (node->type != IRT_BOOL)
        return node;
    if (is_king_test(k, node, &colour, &squares)) {
        const bool inside = k->king[colour] & squares, outside = k->king[colour] & ~squares;
        return inside && outside ? node : ir_bool(k->m->arena, inside);
    }
    if (k->facts.count == 0 || ir_noted_size(node) > MOST_NODES)
        return node;
    bool value = true;
    const int fact = tree_find(&k->facts, ir_positive(node, &value));
    return fact < 0 ? node : ir_bool(k->m->arena, (k->facts.entry[fact].value != 0) == value);
}

// ---- the pass --------------------------------------------------------------------------------------------

static Ir *simplify(Known *k, Ir *node);

static void simplify_list(Known *k, Ir *list)
{
    const bool is_and = list->op == IR_AND;
    const Scope scope = open_scope(k);
    for (int i = 0; i < list->kid_count; i++) {
        list->kid[i] = simplify(k, list->kid[i]);
        if (list->kid[i]->op == (is_and ? IR_FALSE : IR_TRUE))
            list->kid_count = i + 1; // the others are never evaluated
        learn(k, list->kid[i], is_and);
    }
    close_scope(k, &scope);
}

static void simplify_branches(Known *k, Ir *node)
{
    node->kid[0] = simplify(k, node->kid[0]);
    for (int i = 1; i <= 2; i++) {
        const Scope scope = open_scope(k);
        learn(k, node->kid[0], i == 1);
        node->kid[i] = simplify(k, node->kid[i]);
        close_scope(k, &scope);
    }
}

static Ir *simplify_without_facts(Module *m, Ir *tree)
{
    Known k = {.m = m, .king = {BB_ALL, BB_ALL}, .side = -1};
    tree = simplify(&k, tree);
    tree_map_free(&k.facts);
    return tree;
}

static Ir *simplify(Known *k, Ir *node)
{
    switch ((IrOp)node->op) {
    case IR_AND:
    case IR_OR:
        simplify_list(k, node);
        break;
    case IR_IF:
    case IR_CHOOSE:
        simplify_branches(k, node);
        break;
    case IR_AT:
        node->kid[0] = simplify(k, node->kid[0]);
        node->kid[1] = simplify_without_facts(k->m, node->kid[1]);
        break;
    default:
        for (int i = 0; i < node->kid_count; i++)
            node->kid[i] = simplify(k, node->kid[i]);
    }
    return decide(k, fold_node(node));
}

void use_known_conditions(Module *m)
{
    ir_forget_notes(m);
    for (int i = 0; i < m->function_count; i++)
        m->function[i]->body = simplify_without_facts(m, m->function[i]->body);
}
