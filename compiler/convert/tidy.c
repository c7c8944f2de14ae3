// Removes braces that a converted query has only because it was put together from pieces of text.
#include "internal.h"

// Replaces compounds in a compound by their filters.
static void flatten(Arena *arena, Ast *compound)
{
    Ast flat = {.op = OP_COMPOUND};
    for (int i = 0; i < compound->kid_count; i++) {
        const Ast *kid = compound->kid[i];
        if (kid->op != OP_COMPOUND) {
            ast_add_kid(arena, &flat, compound->kid[i]);
            continue;
        }
        for (int k = 0; k < kid->kid_count; k++) {
            kid->kid[k]->span = kid->span; // comments before the compound belong to it
            ast_add_kid(arena, &flat, kid->kid[k]);
        }
    }
    compound->kid = flat.kid;
    compound->kid_count = flat.kid_count;
}

Ast *print_tidy(Arena *arena, Ast *node)
{
    Ast **operand;
    for (int i = 0; (operand = ast_operand(node, i)) != NULL; i++)
        *operand = ast_unwrap(print_tidy(arena, *operand));
    if (node->op == OP_COMPOUND)
        flatten(arena, node);
    return node;
}
