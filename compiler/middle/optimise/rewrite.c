// Rewriting of trees and modules, node by node.
#include "internal.h"

Ir *rewrite_tree(Module *m, Ir *tree, Ir *(*rewrite)(Module *m, Ir *node))
{
    for (int i = 0; i < tree->kid_count; i++)
        tree->kid[i] = rewrite_tree(m, tree->kid[i], rewrite);
    return rewrite(m, tree);
}

void rewrite_module(Module *m, Ir *(*rewrite)(Module *m, Ir *node))
{
    for (int i = 0; i < m->function_count; i++)
        m->function[i]->body = rewrite_tree(m, m->function[i]->body, rewrite);
    if (m->game_test != NULL)
        m->game_test = rewrite_tree(m, m->game_test, rewrite);
}

void unshare_trees(Module *m)
{
    for (int i = 0; i < m->function_count; i++)
        m->function[i]->body = ir_copy(m->function[i]->body);
}
