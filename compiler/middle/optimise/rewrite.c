// Rewriting of trees and modules, node by node.
#include "internal.h"

Ir *rewrite_tree(Ir *tree, Ir *(*rewrite)(Ir *node))
{
    for (int i = 0; i < tree->kid_count; i++)
        tree->kid[i] = rewrite_tree(tree->kid[i], rewrite);
    return rewrite(tree);
}

void rewrite_module(Module *m, Ir *(*rewrite)(Ir *node))
{
    for (int i = 0; i < m->function_count; i++)
        m->function[i]->body = rewrite_tree(m->function[i]->body, rewrite);
}

void unshare_trees(Module *m)
{
    for (int i = 0; i < m->function_count; i++)
        m->function[i]->body = ir_copy(m->function[i]->body);
}
