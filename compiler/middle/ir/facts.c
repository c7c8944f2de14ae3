// What is known about IR trees without evaluating them: effects, equality, safety, cost, the pieces of a set.
#include "ir.h"

#include <string.h>

// ---- effects ---------------------------------------------------------------------------------------------

static unsigned call_effects(const Ir *ir)
{
    const IrCallInfo *info = &ir_call_info[ir->number];
    const unsigned effect = info->facts & CALL_EFFECT;
    unsigned effects = IR_CALLS |
                       (effect == EFFECT ? IR_EFFECT | IR_READS_GAME
                        : effect == GAME ? IR_READS_GAME
                                         : 0) |
                       (info->facts & VOLATILE ? IR_VOLATILE : 0);
    if (strpbrk(info->parameters, "pn") != NULL)
        effects |= IR_READS_POSITION;
    // A function may read what its result pointer points to (dict_next).
    if (ir->out >= 0)
        effects |= IR_READS_LOCAL | IR_WRITES_LOCAL;
    return effects;
}

static unsigned own_effects(const Ir *ir)
{
    return ir->op == IR_CALL ? call_effects(ir) : ir_op_info[ir->op].effects;
}

bool ir_is_call_that(const Ir *node, unsigned facts)
{
    return node->op == IR_CALL && (ir_call_info[node->number].facts & facts) != 0;
}

bool ir_has_own_effect(const Ir *node)
{
    return (own_effects(node) & IR_EFFECT) != 0;
}

bool ir_does_any(const Ir *tree, unsigned effects)
{
    if (tree == NULL)
        return false;
    if (own_effects(tree) & effects)
        return true;
    int here = tree->kid_count;
    // The second operand does not see the position around it, but another one, which is a fact of the game.
    if (tree->op == IR_AT) {
        const bool of_game = (effects & IR_READS_GAME) != 0;
        here = 1;
        if (ir_does_any(tree->kid[1],
                        of_game ? effects | IR_READS_POSITION : effects & ~(unsigned)IR_READS_POSITION))
            return true;
    }
    for (int i = 0; i < here; i++)
        if (ir_does_any(tree->kid[i], effects))
            return true;
    return false;
}

// Ir.noted: effects, whether it is always true, and from bit SIZE_SHIFT on the number of nodes; 0: nothing is noted.
enum { ALWAYS_TRUE = 1 << 15, SIZE_SHIFT = 16, EFFECTS = ALWAYS_TRUE - 1 };

static bool always_true(const Ir *tree, bool (*kid_is)(const Ir *kid));

static uint32_t notes_of(Ir *tree)
{
    if (tree->noted != 0)
        return tree->noted;
    uint32_t effects = own_effects(tree), size = 1;
    for (int i = 0; i < tree->kid_count; i++) {
        const uint32_t kid = notes_of(tree->kid[i]);
        const bool elsewhere = tree->op == IR_AT && i == 1 && (kid & IR_READS_POSITION) != 0;
        effects |= elsewhere ? (kid & ~(uint32_t)IR_READS_POSITION) | IR_READS_GAME : kid;
        size += kid >> SIZE_SHIFT;
        size = size < IR_MOST_NOTED_NODES ? size : IR_MOST_NOTED_NODES;
    }
    effects = (effects & EFFECTS) | (always_true(tree, ir_noted_always_true) ? ALWAYS_TRUE : 0);
    return tree->noted = effects | size << SIZE_SHIFT;
}

bool ir_noted_any(const Ir *tree, unsigned effects)
{
    return (notes_of((Ir *)tree) & effects) != 0;
}

int ir_noted_size(const Ir *tree)
{
    return (int)(notes_of((Ir *)tree) >> SIZE_SHIFT);
}

bool ir_noted_always_true(const Ir *tree)
{
    return (notes_of((Ir *)tree) & ALWAYS_TRUE) != 0;
}

static void forget_notes(Ir *tree)
{
    tree->noted = 0;
    for (int i = 0; i < tree->kid_count; i++)
        forget_notes(tree->kid[i]);
}

void ir_forget_notes(const Module *m)
{
    for (int i = 0; i < m->function_count; i++)
        forget_notes(m->function[i]->body);
}

bool ir_is_droppable(const Ir *tree)
{
    return !ir_does_any(tree, IR_NOT_DROPPABLE);
}

bool ir_is_fixed(const Ir *tree)
{
    return !ir_does_any(tree, ~(unsigned)(IR_READS_POSITION | IR_READS_GAME | IR_CALLS | IR_VOLATILE));
}

bool ir_is_loop(const Ir *node)
{
    return node->op >= IR_EACH_SQUARE && node->op <= IR_EACH_CHILD;
}

int ir_written_local(const Ir *node)
{
    if (node->op == IR_CALL)
        return node->out;
    return ir_op_info[node->op].effects & IR_WRITES_LOCAL ? node->number : -1;
}

// ---- values ----------------------------------------------------------------------------------------------

static bool all_always_true(const Ir *tree, int from, bool (*kid_is)(const Ir *kid))
{
    for (int i = from; i < tree->kid_count; i++)
        if (!kid_is(tree->kid[i]))
            return false;
    return true;
}

static bool some_always_true(const Ir *tree, bool (*kid_is)(const Ir *kid))
{
    for (int i = 0; i < tree->kid_count; i++)
        if (kid_is(tree->kid[i]))
            return true;
    return false;
}

// `kid_is` answers for the operands.
static bool always_true(const Ir *tree, bool (*kid_is)(const Ir *kid))
{
    switch ((IrOp)tree->op) {
    case IR_TRUE:
    case IR_LET:
    case IR_STORE:
    case IR_ALWAYS:
    case IR_WHILE:
        return true;
    case IR_CALL:
        return ir_call_info[tree->number].result == 'v';
    case IR_AND:
        return all_always_true(tree, 0, kid_is);
    case IR_OR:
        return some_always_true(tree, kid_is);
    case IR_NOT:
        return tree->kid[0]->op == IR_FALSE;
    case IR_IF:
    case IR_AT:
        return all_always_true(tree, 1, kid_is);
    case IR_PLACE:
        return kid_is(tree->kid[0]);
    default:
        return ir_is_loop(tree) && (tree->mode == MODE_EACH ||
                                    (tree->mode == MODE_ALL && kid_is(tree->kid[tree->kid_count - 1])));
    }
}

bool ir_always_true(const Ir *tree)
{
    return always_true(tree, ir_always_true);
}

bool ir_is_never_true(const Ir *tree, int32_t *place)
{
    switch ((IrOp)tree->op) {
    case IR_FALSE:
        *place = tree->number;
        return true;
    case IR_AND:
        for (int i = tree->kid_count - 1; i >= 0; i--)
            if (ir_is_never_true(tree->kid[i], place))
                return true;
        return false;
    case IR_OR:
        for (int i = tree->kid_count - 1; i >= 0; i--)
            if (!ir_is_never_true(tree->kid[i], place))
                return false;
        return true;
    default:
        return false;
    }
}

bool ir_is_constant(const Ir *ir)
{
    return ir->op == IR_INT || ir->op == IR_SET || ir->op == IR_STRING || ir->op == IR_TRUE ||
           ir->op == IR_FALSE;
}

bool ir_equal(const Ir *a, const Ir *b)
{
    if (a == b)
        return true;
    if (a == NULL || b == NULL)
        return false;
    if (a->op != b->op || a->type != b->type || a->mode != b->mode || a->number != b->number ||
        a->low != b->low || a->out != b->out || a->kid_count != b->kid_count ||
        (a->op == IR_SET && a->set != b->set))
        return false;
    for (int i = 0; i < a->kid_count; i++)
        if (!ir_equal(a->kid[i], b->kid[i]))
            return false;
    return true;
}

uint64_t ir_joined_hash(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 29;
}

uint64_t ir_own_hash(const Ir *ir)
{
    const uint32_t small =
        (uint32_t)ir->low << 24 ^ (uint32_t)ir->out << 16 ^ (uint32_t)ir->op << 8 ^ (uint32_t)ir->kid_count;
    return ir_joined_hash((uint64_t)(uint32_t)ir->number << 32 | small, ir->op == IR_SET ? ir->set : 0);
}

uint64_t ir_hash(const Ir *tree)
{
    uint64_t hash = ir_own_hash(tree);
    for (int i = 0; i < tree->kid_count; i++)
        hash = ir_joined_hash(hash, ir_hash(tree->kid[i]));
    return hash;
}

int ir_size(const Ir *tree, int most)
{
    int size = 1;
    for (int i = 0; i < tree->kid_count && size <= most; i++)
        size += ir_size(tree->kid[i], most);
    return size;
}

// ---- safety and cost -------------------------------------------------------------------------------------

bool ir_is_total(const Ir *tree)
{
    switch ((IrOp)tree->op) {
    case IR_DIV:
    case IR_MOD:
    case IR_SQRT:
    case IR_FIRST:
    case IR_AT:
    case IR_RAISE:
    case IR_EACH_CHILD:
    case IR_EACH_ANCESTOR:
    case IR_SQUARE:
        return false;
    case IR_NODE:
        return tree->kid[0]->op == IR_CURRENT;
    case IR_CALL: // a function that takes a position or a string from the query relies on the tests before it
        if (strpbrk(ir_call_info[tree->number].parameters, "xtT") != NULL)
            return false;
        break;
    default:
        break;
    }
    for (int i = 0; i < tree->kid_count; i++) {
        if (!ir_is_total(tree->kid[i]))
            return false;
    }
    return true;
}

// How often a loop is supposed to evaluate its operands.
static int rounds_of(const Ir *tree)
{
    enum { LOOP = 6 };
    switch ((IrOp)tree->op) {
    case IR_EACH_SQUARE:
    case IR_EACH_CHILD:
    case IR_WHILE:
        return LOOP;
    case IR_EACH_POSITION:
    case IR_EACH_ANCESTOR:
        return 8 * LOOP;
    default:
        return 1;
    }
}

int ir_own_cost(const Ir *tree)
{
    int cost;
    switch ((IrOp)tree->op) {
    case IR_CALL:
        cost = (int)(ir_call_info[tree->number].facts >> CALL_COST_SHIFT);
        return cost != 0 ? cost : CALL_COST;
    case IR_INVOKE:
        return 1000;
    case IR_WHITE_PAWN_ATTACKS:
    case IR_BLACK_PAWN_ATTACKS:
        return 4;
    case IR_KNIGHT_MOVES:
    case IR_KING_MOVES:
        return 16;
    default:
        return 1;
    }
}

// Subtracts the cost from *left, as long as there is any left. Returns whether there is.
static bool spend(const Ir *tree, int rounds, int *left)
{
    if (rounds < *left) // else the node alone costs enough
        rounds *= rounds_of(tree);
    const int own = ir_own_cost(tree);
    if (*left <= own || *left <= own * rounds)
        return false;
    *left -= own * rounds;
    for (int i = 0; i < tree->kid_count; i++)
        if (!spend(tree->kid[i], rounds, left))
            return false;
    return true;
}

int ir_cost(const Ir *tree)
{
    enum { LIMIT = 1000000 };
    int left = LIMIT;
    return spend(tree, 1, &left) ? LIMIT - left : LIMIT;
}

bool ir_costs_at_least(const Ir *tree, int cost)
{
    return !spend(tree, 1, &cost);
}

// ---- pieces ----------------------------------------------------------------------------------------------

int ir_board_kinds(int board)
{
    switch (board) {
    case BOARD_WHITE:
        return IR_WHITE_KINDS;
    case BOARD_BLACK:
        return IR_BLACK_KINDS;
    case BOARD_OCCUPIED:
        return IR_WHITE_KINDS | IR_BLACK_KINDS;
    default:
        return board < PIECE_CODES ? 1 << board : IR_ALL_KINDS;
    }
}

int ir_exact_kinds(const Ir *set)
{
    int kinds;
    switch ((IrOp)set->op) {
    case IR_BOARD:
        return set->number < BOARD_COUNT ? ir_board_kinds(set->number) : -1;
    case IR_SET:
        return set->set == 0 ? 0 : set->set == ~0ULL ? IR_ALL_KINDS : -1;
    case IR_SET_NOT:
        kinds = ir_exact_kinds(set->kid[0]);
        return kinds < 0 ? -1 : IR_ALL_KINDS & ~kinds;
    case IR_SET_OR:
        kinds = 0;
        for (int i = 0; i < set->kid_count && kinds >= 0; i++) {
            const int kid = ir_exact_kinds(set->kid[i]);
            kinds = kid < 0 ? -1 : kinds | kid;
        }
        return kinds;
    default:
        return -1;
    }
}

int ir_kinds(const Ir *set)
{
    int kinds;
    switch ((IrOp)set->op) {
    case IR_BOARD:
        return ir_board_kinds(set->number);
    case IR_SET:
        return set->set == 0 ? 0 : IR_ALL_KINDS;
    case IR_SET_AND:
        kinds = IR_ALL_KINDS;
        for (int i = 0; i < set->kid_count; i++)
            kinds &= ir_kinds(set->kid[i]);
        return kinds;
    case IR_SET_OR:
        kinds = 0;
        for (int i = 0; i < set->kid_count; i++)
            kinds |= ir_kinds(set->kid[i]);
        return kinds;
    case IR_CHOOSE:
        return ir_kinds(set->kid[1]) | ir_kinds(set->kid[2]);
    case IR_CALL:
        // Both functions return some of the squares they are given.
        return set->number == IR_CALL_attackers ? ir_kinds(set->kid[0]) : IR_ALL_KINDS;
    default:
        return IR_ALL_KINDS;
    }
}

bool ir_is_algebra(const Ir *set)
{
    return set->op >= IR_SET_AND && set->op <= IR_KING_MOVES;
}

bool ir_is_moves(const Ir *set)
{
    return set->op >= IR_STEP && set->op <= IR_KING_MOVES;
}
