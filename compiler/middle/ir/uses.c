// Which locals trees use, and whether they have a node of some kind.
#include "uses.h"

bool ir_has_node(const Ir *tree, bool (*test)(const Ir *node, const void *user), const void *user)
{
    if (test(tree, user))
        return true;
    for (int i = 0; i < tree->kid_count; i++)
        if (ir_has_node(tree->kid[i], test, user))
            return true;
    return false;
}

static bool is_board_before(const Ir *node, const void *unused)
{
    (void)unused;
    return node->op == IR_BOARD && node->number >= BOARD_COUNT;
}

bool ir_reads_board_before(const Ir *tree)
{
    return ir_has_node(tree, is_board_before, NULL);
}

int ir_used_local(const Ir *node)
{
    return node->op == IR_LOCAL ? node->number : ir_written_local(node);
}

static bool writes(const Ir *node, const void *local)
{
    return ir_written_local(node) == *(const int *)local;
}

bool ir_writes_local(const Ir *tree, int local)
{
    return ir_has_node(tree, writes, &local);
}

static bool uses(const Ir *node, const void *local)
{
    return ir_used_local(node) == *(const int *)local;
}

bool ir_uses_local(const Ir *tree, int local)
{
    return ir_has_node(tree, uses, &local);
}

void ir_count_uses(const Ir *tree, int *reads, int *writes, int change)
{
    const int written = ir_written_local(tree);
    if (tree->op == IR_LOCAL && reads != NULL)
        reads[tree->number] += change;
    if (written >= 0 && writes != NULL)
        writes[written] += change;
    for (int i = 0; i < tree->kid_count; i++)
        ir_count_uses(tree->kid[i], reads, writes, change);
}

int ir_copy_local(IrFunction *to, const IrFunction *from, int local)
{
    const int copy = ir_new_local(to, from->local[local]);
    if (local < from->local_name_count && from->local_name[local] != NULL)
        ir_name_local(to, copy, from->local_name[local]);
    return copy;
}

void ir_move_locals(Ir *tree, IrFunction *to, const IrFunction *from, int *map)
{
    const int old = ir_used_local(tree);
    if (old >= 0) {
        if (map[old] < 0)
            map[old] = ir_copy_local(to, from, old);
        *(tree->op == IR_CALL ? &tree->out : &tree->number) = map[old];
    }
    for (int i = 0; i < tree->kid_count; i++)
        ir_move_locals(tree->kid[i], to, from, map);
}
