// Turns attacks by pieces that cannot be blocked into steps of sets (language reference 3.3).
#include "internal.h"

enum {
    WHITE_PAWNS = 1 << WHITE_PAWN,
    BLACK_PAWNS = 1 << BLACK_PAWN,
    KNIGHTS = 1 << WHITE_KNIGHT | 1 << BLACK_KNIGHT,
    KINGS = 1 << WHITE_KING | 1 << BLACK_KING,
    MAX_OPERAND = 6
};

typedef struct Step {
    int8_t files, ranks;
} Step;

// The steps of pieces of one kind; 0: sliders, or several kinds. EMPTY in `kinds` is ignored: it attacks nothing.
static int steps_of(int kinds, const Step **steps)
{
    static const Step white_pawn[] = {{-1, 1}, {1, 1}}, black_pawn[] = {{-1, -1}, {1, -1}};
    static const Step knight[] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const Step king[] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    kinds &= ~(1 << EMPTY);
    if (kinds == WHITE_PAWNS || kinds == BLACK_PAWNS) {
        *steps = kinds == WHITE_PAWNS ? white_pawn : black_pawn;
        return 2;
    }
    *steps = (kinds & ~KNIGHTS) == 0 ? knight : king;
    return kinds != 0 && ((kinds & ~KNIGHTS) == 0 || (kinds & ~KINGS) == 0) ? 8 : 0;
}

// The union of a set moved by each step (back = -1: against it).
static Ir *moved(const Ir *set, const Step *steps, int count, int back)
{
    Ir *sum = ir_new(set->arena, IR_SET_OR, IRT_SET, 0);
    for (int i = 0; i < count; i++) {
        Ir *step = ir_unary(IR_STEP, ir_copy(set));
        step->number = back * steps[i].files;
        step->low = back * steps[i].ranks;
        ir_add_kid(sum, step);
    }
    return sum;
}

// `from` without its empty squares, which do not attack.
static Ir *pieces_only(Ir *from)
{
    if (!(ir_kinds(from) & 1 << EMPTY))
        return from;
    return ir_set_and(from, ir_board(from->arena, BOARD_OCCUPIED));
}

static bool is_small(const Ir *set)
{
    return ir_is_droppable(set) && ir_cost(set) <= MAX_OPERAND;
}

// Is a king attacked? That is asked of the king, which sees few squares, not of the pieces that may attack it.
static Ir *ask_king(Ir *any)
{
    const Step *steps;
    Ir *set = any->kid[0], *from = NULL;
    int kinds = IR_ALL_KINDS, attacks = 0;
    for (int i = 0; set->op == IR_SET_AND && i < set->kid_count; i++) {
        const Ir *kid = set->kid[i];
        if (kid->op == IR_CALL && kid->number == IR_CALL_attacked && attacks++ == 0)
            from = kid->kid[0];
        else
            kinds &= ir_kinds(kid);
    }
    if (attacks != 1 || (kinds & ~KINGS) != 0 || steps_of(ir_kinds(from), &steps) != 0 ||
        !ir_is_droppable(set))
        return any;
    Ir *target = NULL;
    for (int i = 0; i < set->kid_count; i++)
        if (set->kid[i]->op != IR_CALL || set->kid[i]->number != IR_CALL_attacked)
            target = target == NULL ? set->kid[i] : ir_set_and(target, set->kid[i]);
    return ir_any(ir_call(set->arena, IR_CALL_attackers, 2, from, target));
}

static Ir *unroll(Ir *node)
{
    const Step *steps;
    if (node->op == IR_ANY)
        return ask_king(node);
    const bool is_attackers = node->op == IR_CALL && node->number == IR_CALL_attackers,
               is_attacked = node->op == IR_CALL && node->number == IR_CALL_attacked;
    if ((!is_attackers && !is_attacked) || !is_small(node->kid[is_attackers]))
        return node;
    const int count = steps_of(ir_kinds(node->kid[0]), &steps);
    if (count == 0)
        return node;
    return is_attackers ? ir_set_and(pieces_only(node->kid[0]), moved(node->kid[1], steps, count, -1))
                        : moved(pieces_only(node->kid[0]), steps, count, 1);
}

void unroll_attacks(Module *m)
{
    rewrite_module(m, unroll);
}
