// How many men a position has at most where a condition is true. Men never come back, so the game ends with no more of them.
#include "internal.h"

enum { MOST_BOUNDS = 32, MOST_MEN = 16, BOTH = IR_WHITE_KINDS | IR_BLACK_KINDS };

// There are at most so many men of these kinds.
typedef struct Bound {
    int kinds, men;
} Bound;

typedef struct Bounds {
    Bound bound[MOST_BOUNDS];
    int count;
} Bounds;

static void add_bound(Bounds *b, int kinds, int men)
{
    if (kinds != 0 && (kinds & ~BOTH) == 0 && b->count < MOST_BOUNDS)
        b->bound[b->count++] = (Bound){kinds, men < 0 ? 0 : men};
}

// The kinds of men that a number counts, each man at least once; 0: it is another number.
static int counted_kinds(const Ir *number)
{
    switch ((IrOp)number->op) {
    case IR_COUNT: {
        const int kinds = ir_exact_kinds(number->kid[0]);
        return (kinds & ~BOTH) == 0 ? kinds : 0;
    }
    case IR_ADD: {
        const int a = counted_kinds(number->kid[0]), b = counted_kinds(number->kid[1]);
        return a == 0 || b == 0 ? 0 : a | b;
    }
    case IR_MUL:
        return number->kid[1]->op == IR_INT && number->kid[1]->number > 0 ? counted_kinds(number->kid[0]) : 0;
    default:
        return 0;
    }
}

static void note_bounds(Bounds *b, const Ir *condition)
{
    const Ir *first = condition->kid_count > 0 ? condition->kid[0] : NULL,
             *second = condition->kid_count == 2 ? condition->kid[1] : NULL;
    switch ((IrOp)condition->op) {
    case IR_AND:
        for (int i = 0; i < condition->kid_count; i++)
            note_bounds(b, condition->kid[i]);
        break;
    case IR_EQ:
    case IR_LE:
    case IR_LT:
        if (second->op == IR_INT)
            add_bound(b, counted_kinds(first), second->number - (condition->op == IR_LT));
        break;
    case IR_NOT:
        if (first->op == IR_ANY)
            add_bound(b, ir_exact_kinds(first->kid[0]), 0);
        break;
    case IR_SET_EQ: {
        const int a = ir_exact_kinds(first), c = ir_exact_kinds(second);
        if (a >= 0 && c >= 0)
            add_bound(b, a ^ c, 0);
        break;
    }
    default:
        break;
    }
}

// The most men of these kinds, by bounds for disjoint kinds that together are all of them. Each king is one man.
static int most_men(const Bounds *b, int kinds)
{
    int left = kinds, men = 0;
    for (int size = PIECE_CODES; size > 0; size--)
        for (int i = 0; i < b->count; i++) {
            const Bound *bound = &b->bound[i];
            if (__builtin_popcount((unsigned)bound->kinds) != size || (bound->kinds & ~left))
                continue;
            men += bound->men;
            left &= ~bound->kinds;
        }
    const int kings = left & (1 << WHITE_KING | 1 << BLACK_KING);
    return left == kings ? men + __builtin_popcount((unsigned)kings) : MOST_MEN * 2;
}

static Ir *at_most(Ir *men, int most)
{
    return ir_with_int(IR_LE, men, most);
}

Ir *piece_count_bound(const Ir *condition)
{
    Arena *a = condition->arena;
    Bounds b = {0};
    note_bounds(&b, condition);
    const int white = most_men(&b, IR_WHITE_KINDS), black = most_men(&b, IR_BLACK_KINDS),
              both = most_men(&b, BOTH);
    Ir *all = NULL;
    if (white < MOST_MEN)
        all = ir_and(all, at_most(ir_game(a, IR_GAME_WHITE_MEN), white));
    if (black < MOST_MEN)
        all = ir_and(all, at_most(ir_game(a, IR_GAME_BLACK_MEN), black));
    if (both < MOST_MEN * 2 && both < white + black)
        all =
            ir_and(all, at_most(ir_add(ir_game(a, IR_GAME_WHITE_MEN), ir_game(a, IR_GAME_BLACK_MEN)), both));
    return all;
}
