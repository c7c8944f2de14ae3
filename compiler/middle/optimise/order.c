// Cheap tests first: inside AND and OR a test moves before more expensive neighbours when that changes nothing
// else.
#include "internal.h"

// Only reads. Two such neighbours can change places if the one that moves forward does not rely on the other.
static bool is_test(const Ir *ir)
{
    return !ir_noted_any(ir, IR_NOT_DROPPABLE) && !ir_always_true(ir);
}

// What a test costs on average: one that ends early rarely pays for all of its operands.
static int price_of(const Ir *test)
{
    enum { OFTEN_ENDED = 4 };
    if (test->op == IR_PLACE || test->op == IR_NOT)
        return price_of(test->kid[0]);
    if ((test->op != IR_AND && test->op != IR_OR) || test->kid_count == 0)
        return ir_cost(test);
    int rest = 0;
    for (int i = 1; i < test->kid_count; i++)
        rest += ir_cost(test->kid[i]);
    return price_of(test->kid[0]) + rest / OFTEN_ENDED;
}

static Ir *order_kids(Ir *node)
{
    if (node->op != IR_AND && node->op != IR_OR)
        return node;
    for (int i = 1; i < node->kid_count; i++) {
        Ir *kid = node->kid[i];
        if (!is_test(kid) || !ir_is_total(kid))
            continue;
        const int price = price_of(kid);
        int to = i;
        for (; to > 0 && is_test(node->kid[to - 1]) && price_of(node->kid[to - 1]) > price; to--)
            node->kid[to] = node->kid[to - 1];
        node->kid[to] = kid;
    }
    return node;
}

void order_tests(Module *m)
{
    ir_forget_notes(m);
    rewrite_module(m, order_kids);
}
