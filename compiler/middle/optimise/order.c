// Cheap tests first: inside AND and OR a test moves before more expensive neighbours when that changes nothing
// else.
#include "internal.h"

// Only reads. Two such neighbours can change places if the one that moves forward does not rely on the other.
static bool is_test(const Ir *ir)
{
    return ir_is_droppable(ir) && !ir_always_true(ir);
}

static Ir *order_kids(Ir *node)
{
    if (node->op != IR_AND && node->op != IR_OR)
        return node;
    for (int i = 1; i < node->kid_count; i++) {
        Ir *kid = node->kid[i];
        if (!is_test(kid) || !ir_is_total(kid))
            continue;
        const int price = ir_cost(kid);
        int to = i;
        for (; to > 0 && is_test(node->kid[to - 1]) && ir_cost(node->kid[to - 1]) > price; to--)
            node->kid[to] = node->kid[to - 1];
        node->kid[to] = kid;
    }
    return node;
}

void order_tests(Module *m)
{
    rewrite_module(m, order_kids);
}
