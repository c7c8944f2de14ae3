// Construction of IR trees and the questions that passes ask about them.
#include "ir.h"

#include <stdarg.h>
#include <string.h>

const IrCallInfo ir_call_info[IR_CALL_COUNT] = {
#define CALL(name, result, parameters, effect, c_result, prototype, help)                                    \
    {#name, #result[0], parameters, effect},
#include "runtime/match/calls.def"
};

// ---- construction ----------------------------------------------------------------------------------------

static Ir *node(Arena *a, IrOp op, IrType type)
{
    Ir *ir = arena_alloc(a, sizeof *ir);
    ir->op = (uint8_t)op;
    ir->type = (uint8_t)type;
    ir->out = -1;
    return ir;
}

static void take_kids(Arena *a, Ir *ir, int kid_count, va_list kids)
{
    for (int i = 0; i < kid_count; i++)
        ir_add_kid(a, ir, va_arg(kids, Ir *));
}

Ir *ir_new(Arena *a, IrOp op, IrType type, int kid_count, ...)
{
    Ir *ir = node(a, op, type);
    va_list kids;
    va_start(kids, kid_count);
    take_kids(a, ir, kid_count, kids);
    va_end(kids);
    return ir;
}

void ir_add_kid(Arena *a, Ir *parent, Ir *kid)
{
    ARENA_PUSH(a, parent->kid, parent->kid_count, kid);
}

Ir *ir_int(Arena *a, int32_t value)
{
    Ir *ir = node(a, IR_INT, IRT_INT);
    ir->number = value;
    return ir;
}

Ir *ir_set(Arena *a, Bitboard set)
{
    Ir *ir = node(a, IR_SET, IRT_SET);
    ir->set = set;
    return ir;
}

Ir *ir_bool(Arena *a, bool value)
{
    return node(a, value ? IR_TRUE : IR_FALSE, IRT_BOOL);
}

static int text_number(Module *m, const char *bytes, uint32_t length)
{
    for (int i = 0; i < m->text_count; i++)
        if (m->text[i].length == length && memcmp(m->text[i].bytes, bytes, length) == 0)
            return i;
    const IrText text = {arena_copy(m->arena, bytes, length), length};
    ARENA_PUSH(m->arena, m->text, m->text_count, text);
    return m->text_count - 1;
}

Ir *ir_text(Module *m, const char *bytes, uint32_t length)
{
    Ir *ir = node(m->arena, IR_STRING, IRT_STRING);
    ir->number = text_number(m, bytes, length);
    return ir;
}

Ir *ir_local(Arena *a, const IrFunction *f, int local)
{
    Ir *ir = node(a, IR_LOCAL, f->local[local]);
    ir->number = local;
    return ir;
}

Ir *ir_slot(Arena *a, IrType type, int slot)
{
    Ir *ir = node(a, IR_SLOT, type);
    ir->number = slot;
    return ir;
}

Ir *ir_let(Arena *a, int local, Ir *value)
{
    Ir *ir = ir_new(a, IR_LET, IRT_BOOL, 1, value);
    ir->number = local;
    return ir;
}

Ir *ir_store(Arena *a, int slot, Ir *value)
{
    Ir *ir = ir_new(a, IR_STORE, IRT_BOOL, 1, value);
    ir->number = slot;
    return ir;
}

static IrType call_type(IrCall call)
{
    switch (ir_call_info[call].result) {
    case 'i':
        return IRT_INT;
    case 's':
        return IRT_SET;
    case 't':
        return IRT_STRING;
    case 'x':
        return IRT_POSITION;
    default:
        return IRT_BOOL;
    }
}

Ir *ir_call(Arena *a, IrCall call, int kid_count, ...)
{
    Ir *ir = node(a, IR_CALL, call_type(call));
    ir->number = call;
    va_list kids;
    va_start(kids, kid_count);
    take_kids(a, ir, kid_count, kids);
    va_end(kids);
    return ir;
}

Ir *ir_call_out(Arena *a, IrCall call, int out, int kid_count, ...)
{
    Ir *ir = node(a, IR_CALL, call_type(call));
    ir->number = call;
    ir->out = out;
    va_list kids;
    va_start(kids, kid_count);
    take_kids(a, ir, kid_count, kids);
    va_end(kids);
    return ir;
}

Ir *ir_node(Arena *a, int field, Ir *position)
{
    const bool is_position = field <= IR_NODE_LAST;
    Ir *ir = ir_new(a, IR_NODE, is_position ? IRT_POSITION : IRT_INT, 1, position);
    ir->number = field;
    return ir;
}

int ir_new_local(Arena *a, IrFunction *f, IrType type)
{
    ARENA_PUSH(a, f->local, f->local_count, type);
    return f->local_count - 1;
}

void ir_name_local(Arena *a, IrFunction *f, int local, const char *name)
{
    while (f->local_name_count <= local)
        ARENA_PUSH(a, f->local_name, f->local_name_count, (const char *)NULL);
    f->local_name[local] = name;
}

IrFunction *ir_new_function(Module *m, const char *name, int *number)
{
    IrFunction *f = arena_alloc(m->arena, sizeof *f);
    f->name = arena_copy(m->arena, name, strlen(name));
    if (number != NULL)
        *number = m->function_count;
    ARENA_PUSH(m->arena, m->function, m->function_count, f);
    return f;
}

Ir *ir_copy(Arena *a, const Ir *tree)
{
    if (tree == NULL)
        return NULL;
    Ir *ir = arena_alloc(a, sizeof *ir);
    *ir = *tree;
    ir->kid = NULL;
    ir->kid_count = 0;
    for (int i = 0; i < tree->kid_count; i++)
        ir_add_kid(a, ir, ir_copy(a, tree->kid[i]));
    return ir;
}

// ---- questions -------------------------------------------------------------------------------------------

static unsigned call_effects(const Ir *ir)
{
    const IrCallInfo *info = &ir_call_info[ir->number];
    unsigned effects = info->effect == EFFECT ? IR_EFFECT | IR_READS_GAME
                       : info->effect == GAME ? IR_READS_GAME
                                              : 0;
    if (strpbrk(info->parameters, "pn") != NULL)
        effects |= IR_READS_POSITION;
    // A function may read what its result pointer points to (dict_next).
    if (ir->out >= 0)
        effects |= IR_READS_LOCAL | IR_WRITES_LOCAL;
    return effects;
}

static unsigned own_effects(const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_LOCAL:
        return IR_READS_LOCAL;
    case IR_SLOT:
        return IR_READS_SLOT;
    case IR_CURRENT:
    case IR_BOARD:
    case IR_SQUARE:
    case IR_SIDE:
        return IR_READS_POSITION;
    case IR_NODE:
    case IR_GAME:
        return IR_READS_GAME;
    case IR_CALL:
        return call_effects(ir);
    case IR_LET:
    case IR_EACH_SQUARE:
    case IR_EACH_POSITION:
        return IR_WRITES_LOCAL;
    case IR_EACH_CHILD:
        return IR_WRITES_LOCAL | IR_READS_GAME;
    case IR_STORE:
        return IR_WRITES_SLOT;
    case IR_INVOKE:
        return IR_INVOKES | IR_READS_SLOT | IR_WRITES_SLOT | IR_EFFECT | IR_READS_POSITION | IR_READS_GAME;
    case IR_RAISE:
        return IR_EFFECT;
    default:
        return 0;
    }
}

bool ir_has_own_effect(const Ir *node)
{
    return (own_effects(node) & IR_EFFECT) != 0;
}

bool ir_does_any(const Ir *tree, unsigned effects)
{
    if (tree == NULL)
        return false;
    if (own_effects(tree) & effects)
        return true;
    for (int i = 0; i < tree->kid_count; i++) {
        unsigned sought = effects;
        // The second kid does not see the position around it, but another one, which is a fact of the game.
        if (tree->op == IR_AT && i == 1)
            sought = effects & IR_READS_GAME ? effects | IR_READS_POSITION
                                             : effects & ~(unsigned)IR_READS_POSITION;
        if (ir_does_any(tree->kid[i], sought))
            return true;
    }
    return false;
}

static bool all_always_true(const Ir *tree, int from)
{
    for (int i = from; i < tree->kid_count; i++)
        if (!ir_always_true(tree->kid[i]))
            return false;
    return true;
}

static bool some_always_true(const Ir *tree)
{
    for (int i = 0; i < tree->kid_count; i++)
        if (ir_always_true(tree->kid[i]))
            return true;
    return false;
}

bool ir_always_true(const Ir *tree)
{
    switch ((IrOp)tree->op) {
    case IR_TRUE:
    case IR_LET:
    case IR_STORE:
    case IR_ALWAYS:
    case IR_WHILE:
        return true;
    case IR_CALL:
        return ir_call_info[tree->number].result == 'v';
    case IR_AND:
        return all_always_true(tree, 0);
    case IR_OR:
        return some_always_true(tree);
    case IR_NOT:
        return tree->kid[0]->op == IR_FALSE;
    case IR_IF:
    case IR_AT:
        return all_always_true(tree, 1);
    case IR_PLACE:
        return ir_always_true(tree->kid[0]);
    case IR_EACH_SQUARE:
    case IR_EACH_POSITION:
    case IR_EACH_CHILD:
    case IR_EACH_ROW:
        return tree->mode == MODE_EACH ||
               (tree->mode == MODE_ALL && ir_always_true(tree->kid[tree->kid_count - 1]));
    default:
        return false;
    }
}

bool ir_equal(const Ir *a, const Ir *b)
{
    if (a == b)
        return true;
    if (a == NULL || b == NULL)
        return false;
    if (a->op != b->op || a->type != b->type || a->mode != b->mode || a->number != b->number ||
        a->low != b->low || a->out != b->out || a->set != b->set || a->kid_count != b->kid_count)
        return false;
    for (int i = 0; i < a->kid_count; i++)
        if (!ir_equal(a->kid[i], b->kid[i]))
            return false;
    return true;
}

int ir_written_local(const Ir *node)
{
    switch ((IrOp)node->op) {
    case IR_LET:
    case IR_EACH_SQUARE:
    case IR_EACH_POSITION:
    case IR_EACH_CHILD:
        return node->number;
    case IR_CALL:
        return node->out;
    default:
        return -1;
    }
}
