// Sums of numbers of squares: sets that have no square in common are counted together, as their union.
#include "internal.h"

enum { MOST_TERMS = 16 }; // that are looked at, so that the work for long sums is proportional to them

// A number of squares times a factor.
typedef struct Counted {
    Ir *count; // NULL: something else
    int32_t factor;
} Counted;

static Counted counted(Ir *term)
{
    Counted c = {term, 1};
    if (term->op == IR_MUL && term->kid[1]->op == IR_INT)
        c = (Counted){term->kid[0], term->kid[1]->number};
    else if (term->op == IR_MUL && term->kid[0]->op == IR_INT)
        c = (Counted){term->kid[1], term->kid[0]->number};
    // Anything else might change between the places of the two terms.
    return c.count->op == IR_COUNT && ir_is_fixed(c.count) && ir_is_total(c.count) ? c : (Counted){NULL, 0};
}

// Adds the squares of one term to those that the other term counts.
static bool add_squares(Ir *term, const Counted *other)
{
    const Counted c = counted(term);
    if (c.count == NULL || c.factor != other->factor ||
        !sets_are_disjoint(c.count->kid[0], other->count->kid[0]))
        return false;
    c.count->kid[0] = fold_set(ir_set_or(c.count->kid[0], other->count->kid[0]));
    return true;
}

// ADD or SUB with a number of squares as its second operand, which joins a term with the same sign.
Ir *fold_sum(Ir *node)
{
    const Counted last = counted(node->kid[1]);
    Ir *sum = node->kid[0];
    for (int i = 0; last.count != NULL && i < MOST_TERMS; i++) {
        const bool is_sum = sum->op == IR_ADD || sum->op == IR_SUB;
        if (is_sum ? sum->op == node->op && add_squares(sum->kid[1], &last)
                   : node->op == IR_ADD && add_squares(sum, &last))
            return node->kid[0];
        if (!is_sum)
            return node;
        sum = sum->kid[0];
    }
    return node;
}
