// What the values in the body of a loop over positions depend on. Values that the body keeps in locals are looked through.
#include "position_loops.h"

const Ir *loop_peeled(const Ir *tree)
{
    while (tree->op == IR_INT_OF || tree->op == IR_POSITION_OF)
        tree = tree->kid[0];
    return tree;
}

Ir *loop_as_int(Ir *value)
{
    return value->type == IRT_INT ? value : ir_int_of(value);
}

bool loop_is_visited(const Loop *loop, const Ir *position)
{
    position = loop_peeled(position);
    return position->op == IR_LOCAL && position->number == loop->node->number;
}

static bool is_written(const Loop *loop, int local)
{
    return local == loop->node->number || loop->r->seen[local].last_write >= loop->since;
}

bool loop_is_of_body(const Loop *loop, int local)
{
    const Places *seen = &loop->r->seen[local];
    return seen->first >= loop->since && seen->count == loop->r->uses[local];
}

Content *loop_content(const Loop *loop, int local)
{
    const LoopLocals *all = loop->r->loop_locals;
    Content *content = &all->content[local];
    if (content->loop != all->loops)
        *content = (Content){.loop = all->loops};
    return content;
}

bool loop_is_around(const Loop *loop, const Ir *position)
{
    position = loop_peeled(position);
    return position->op == IR_LOCAL && !is_written(loop, position->number) &&
           remember_has_current(loop->r, position->number);
}

// ---- values -----------------------------------------------------------------------------------------------

static const Resolved unknown = {NULL, FROM_ELSEWHERE};

const Ir *loop_known_value(const Loop *loop, const Ir *local, Site *site)
{
    const Content *content = loop_content(loop, local->number);
    if (!is_written(loop, local->number) || !content->is_known || content->last_write > site->time)
        return NULL;
    *site = (Site){content->at, content->since, site->depth + 1};
    return content->value;
}

static Resolved resolve_local(const Loop *loop, const Ir *tree, Site site)
{
    Ir *current = ir_current(tree->arena);
    Ir *const position = tree->type == IRT_POSITION ? current : ir_int_of(current);
    if (loop_is_visited(loop, tree))
        return (Resolved){position, FROM_VISITED};
    if (!is_written(loop, tree->number))
        return (Resolved){loop_is_around(loop, tree) ? position : ir_copy(tree), FROM_AROUND};
    const Ir *value = loop_known_value(loop, tree, &site);
    return value != NULL ? loop_resolve(loop, value, site) : unknown;
}

// The node without its operands.
static Resolved resolve_node(const Loop *loop, const Ir *tree, const Ir *at)
{
    const unsigned position = IR_READS_POSITION;
    Ir alone = *tree;
    alone.kid_count = 0;
    const bool is_cell = tree->op == IR_SLOT;
    if (is_cell ? !remember_is_unchanged(loop->r, tree->number, loop->since)
                : ir_does_any(&alone, ~(position | IR_READS_GAME)))
        return unknown;
    Ir *node = ir_copy_node(tree->arena, tree);
    if (is_cell)
        return (Resolved){node, FROM_AROUND};
    if (!ir_does_any(&alone, position))
        return (Resolved){node, 0};
    if (at == NULL || loop_is_around(loop, at))
        return (Resolved){node, FROM_AROUND};
    return loop_is_visited(loop, at) ? (Resolved){node, FROM_VISITED} : unknown;
}

Resolved loop_resolve(const Loop *loop, const Ir *tree, Site site)
{
    enum { DEEPEST = 12 };
    const IrOp op = (IrOp)tree->op;
    if (op == IR_LOCAL)
        return resolve_local(loop, tree, site);
    if (site.depth > DEEPEST || op == IR_AT || op == IR_WHILE || op == IR_ALWAYS || op == IR_EACH_ROW)
        return unknown;
    Resolved x = resolve_node(loop, tree, site.at);
    for (int i = 0; i < tree->kid_count && x.value != NULL; i++) {
        const Resolved kid = loop_resolve(loop, tree->kid[i], site);
        if (kid.value == NULL)
            return unknown;
        x.from |= kid.from;
        ir_add_kid(x.value, kid.value);
    }
    return x;
}

Resolved loop_resolve_now(const Loop *loop, const Ir *tree, const Ir *at)
{
    return loop_resolve(loop, tree, (Site){at, loop->time, 0});
}
