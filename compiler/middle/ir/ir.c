// Construction of IR trees.
#include "ir.h"

#include <stdarg.h>
#include <string.h>

#include "runtime/value/regex.h"

const IrOpInfo ir_op_info[IR_OP_COUNT] = {
#define IR_OP(name, result, operands, number, effects, help)                                                 \
    {#name, #result[0], operands, IR_NUMBER_##number, effects, NULL, NULL},
#define TEXT_OR_NULL(text) (sizeof(text) > 1 ? (text) : NULL)
#define IR_UNARY(name, result, operand, value, lanes, help)                                                  \
    {#name, #result[0], #operand, IR_NUMBER_NONE, 0, #value, TEXT_OR_NULL(#lanes)},
#define IR_BINARY(name, result, first, second, value, lanes, help)                                           \
    {#name, #result[0], #first #second, IR_NUMBER_NONE, 0, #value, TEXT_OR_NULL(#lanes)},
#include "ops.def"
};

const IrCallInfo ir_call_info[IR_CALL_COUNT] = {
#define CALL(name, result, parameters, facts, c_result, prototype, help)                                     \
    {#name, #result[0], parameters, facts},
#include "runtime/match/calls.def"
};

static Ir *node(Arena *a, IrOp op, IrType type)
{
    Ir *ir = arena_alloc(a, sizeof *ir);
    ir->op = (uint8_t)op;
    ir->type = (uint8_t)type;
    ir->out = -1;
    ir->arena = a;
    return ir;
}

static void take_kids(Ir *ir, int kid_count, va_list kids)
{
    for (int i = 0; i < kid_count; i++)
        ir_add_kid(ir, va_arg(kids, Ir *));
}

Ir *ir_new(Arena *a, IrOp op, IrType type, int kid_count, ...)
{
    Ir *ir = node(a, op, type);
    va_list kids;
    va_start(kids, kid_count);
    take_kids(ir, kid_count, kids);
    va_end(kids);
    return ir;
}

void ir_add_kid(Ir *parent, Ir *kid)
{
    ARENA_PUSH(parent->arena, parent->kid, parent->kid_count, kid);
    parent->noted = 0;
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
    const IrText text = {arena_copy(m->arena, bytes, length), length};
    bool is_new;
    const int number = text_map_number(m->arena, &m->text_number, text.bytes, length, &is_new);
    if (is_new)
        ARENA_PUSH(m->arena, m->text, m->text_count, text);
    return number;
}

Ir *ir_text(Module *m, const char *bytes, uint32_t length)
{
    Ir *ir = node(m->arena, IR_STRING, IRT_STRING);
    ir->number = text_number(m, bytes, length);
    return ir;
}

Ir *ir_string(Module *m, const char *text)
{
    return ir_text(m, text, (uint32_t)strlen(text));
}

IrText ir_pattern_literal(const Module *m, int pattern)
{
    const String text = m->info.pattern[pattern];
    char *bytes = arena_alloc(m->arena, text->length + 1); // the work may be left where the arena grows
    Buffer literal = {0};
    regex_literal(text->bytes, text->length, m->info.flags & QUERY_CQLI ? REGEX_UNICODE | REGEX_NAMES : 0,
                  &literal);
    const size_t length = literal.length < text->length ? literal.length : text->length;
    if (length > 0)
        memcpy(bytes, literal.start, length);
    buffer_free(&literal);
    return (IrText){bytes, (uint32_t)length};
}

Ir *ir_local(const IrFunction *f, int local)
{
    Ir *ir = node(f->arena, IR_LOCAL, f->local[local]);
    ir->number = local;
    return ir;
}

Ir *ir_slot(Arena *a, IrType type, int slot)
{
    Ir *ir = node(a, IR_SLOT, type);
    ir->number = slot;
    return ir;
}

static Ir *numbered(Arena *a, IrOp op, IrType type, int number)
{
    Ir *ir = node(a, op, type);
    ir->number = number;
    return ir;
}

Ir *ir_current(Arena *a)
{
    return node(a, IR_CURRENT, IRT_POSITION);
}

Ir *ir_side(Arena *a)
{
    return node(a, IR_SIDE, IRT_INT);
}

Ir *ir_board(Arena *a, int board)
{
    return numbered(a, IR_BOARD, IRT_SET, board);
}

Ir *ir_game(Arena *a, int fact)
{
    return numbered(a, IR_GAME, IRT_INT, fact);
}

Ir *ir_invoke(Arena *a, int function)
{
    return numbered(a, IR_INVOKE, IRT_BOOL, function);
}

int ir_new_slot(Module *m, IrType type, const char *name)
{
    int types = m->info.slot_count, searches = types;
    const char *copy = arena_copy(m->arena, name, strlen(name));
    ARENA_PUSH(m->arena, m->slot_type, types, type);
    ARENA_PUSH(m->arena, m->slot_of_search, searches, false);
    ARENA_PUSH(m->arena, m->slot_name, m->info.slot_count, copy);
    return m->info.slot_count - 1;
}

Ir *ir_read_slot(const Module *m, int slot)
{
    return ir_slot(m->arena, m->slot_type[slot], slot);
}

Ir *ir_let(int local, Ir *value)
{
    Ir *ir = ir_new(value->arena, IR_LET, IRT_BOOL, 1, value);
    ir->number = local;
    return ir;
}

Ir *ir_store(int slot, Ir *value)
{
    Ir *ir = ir_new(value->arena, IR_STORE, IRT_BOOL, 1, value);
    ir->number = slot;
    return ir;
}

IrType ir_type_of(char letter, IrType other)
{
    static const char letters[] = "bistx"; // in the order of IrType
    const char *found = strchr(letters, letter);
    return letter != '\0' && found != NULL ? (IrType)(found - letters) : other;
}

static IrType call_type(IrCall call)
{
    return ir_type_of(ir_call_info[call].result, IRT_BOOL);
}

Ir *ir_call(Arena *a, IrCall call, int kid_count, ...)
{
    Ir *ir = node(a, IR_CALL, call_type(call));
    ir->number = call;
    va_list kids;
    va_start(kids, kid_count);
    take_kids(ir, kid_count, kids);
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
    take_kids(ir, kid_count, kids);
    va_end(kids);
    return ir;
}

Ir *ir_node(int field, Ir *position)
{
    const bool is_position = field <= IR_NODE_LAST;
    Ir *ir = ir_new(position->arena, IR_NODE, is_position ? IRT_POSITION : IRT_INT, 1, position);
    ir->number = field;
    return ir;
}

int ir_new_local(IrFunction *f, IrType type)
{
    ARENA_PUSH(f->arena, f->local, f->local_count, type);
    return f->local_count - 1;
}

void ir_name_local(IrFunction *f, int local, const char *name)
{
    while (f->local_name_count <= local)
        ARENA_PUSH(f->arena, f->local_name, f->local_name_count, (const char *)NULL);
    f->local_name[local] = name;
}

int ir_named_local(IrFunction *f, IrType type, const char *name)
{
    const int local = ir_new_local(f, type);
    ir_name_local(f, local, name);
    return local;
}

IrFunction *ir_new_function(Module *m, const char *name, int *number)
{
    IrFunction *f = arena_alloc(m->arena, sizeof *f);
    f->arena = m->arena;
    f->name = arena_copy(m->arena, name, strlen(name));
    if (number != NULL)
        *number = m->function_count;
    ARENA_PUSH(m->arena, m->function, m->function_count, f);
    return f;
}

Ir *ir_copy_node(Arena *a, const Ir *node)
{
    Ir *ir = arena_alloc(a, sizeof *ir);
    *ir = *node;
    ir->kid = NULL;
    ir->kid_count = 0;
    ir->noted = ir->mark = 0;
    ir->arena = a;
    return ir;
}

bool ir_is_tag_atom(const Module *m, int function)
{
    for (int i = 0; i < m->info.tag_atom_count; i++)
        if (m->tag_atom[i] == function)
            return true;
    return false;
}

Ir *ir_copy(const Ir *tree)
{
    if (tree == NULL)
        return NULL;
    Ir *ir = ir_copy_node(tree->arena, tree);
    for (int i = 0; i < tree->kid_count; i++)
        ir_add_kid(ir, ir_copy(tree->kid[i]));
    return ir;
}
