// The comment log: texts that a filter added are cut off again when it fails or when another one wins.
#include "internal.h"

Ir *log_mark(Lower *l, int local)
{
    return ir_let(local, ir_call(l->arena, IR_CALL_log_mark, 0));
}

Ir *log_cut(Lower *l, int local)
{
    return ir_call(l->arena, IR_CALL_log_cut, 1, ir_local(l->f, local));
}

Ir *log_rollback(Lower *l, Ir *node, bool adds_text)
{
    if (!adds_text || node == NULL || ir_noted_always_true(node))
        return node;
    const int mark = ir_named_local(l->f, IRT_INT, "mark");
    return ir_and(log_mark(l, mark), ir_or(node, ir_then_false(l->arena, log_cut(l, mark))));
}

int log_register(Lower *l, const char *name)
{
    return ir_new_slot(l->m, IRT_INT, name); // no other register has the number of this slot
}

Ir *log_keep_last(Lower *l, int texts, int start, int mark)
{
    Arena *a = l->arena;
    Ir *keep = ir_call(a, IR_CALL_texts_keep, 2, ir_int(a, texts), ir_local(l->f, mark));
    Ir *put = ir_call(a, IR_CALL_texts_put, 1, ir_int(a, texts));
    return ir_all(3, keep, log_cut(l, start), put);
}

Value log_set_or_empty(Lower *l, Ir *pre, Ir *val, bool adds_text)
{
    if (pre == NULL || ir_always_true(pre))
        return value_of(pre, val);
    Ir *empty = ir_set(l->arena, 0);
    if (ir_is_droppable(pre))
        return value_of(NULL, ir_choose(pre, val, empty));
    const int local = ir_new_local(l->f, IRT_SET);
    Ir *found = ir_and(log_rollback(l, pre, adds_text), ir_let(local, val));
    return value_of(ir_and(ir_let(local, empty), ir_always(found)), ir_local(l->f, local));
}
