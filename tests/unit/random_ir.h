// Random IR modules that mean something, for tests that compare back ends. They use only the runtime
// functions that test_engines.c provides.
#ifndef CQL_RANDOM_IR_H
#define CQL_RANDOM_IR_H

#include <string.h>

#include "compiler/middle/ir/ir.h"

// Slots 9 and 10 are what the recursive function is given: a number that limits it, and a set.
enum { LIMIT = 9, GIVEN = 10, SLOTS = 11, TEXTS = 9, DEPTH = 5 };

typedef struct Maker {
    Module *m;
    Arena *a;
    IrFunction *f;
    uint64_t state;
    bool has_row; // inside EACH_ROW of table 0
    int loops;    // loops around
} Maker;

static Ir *condition(Maker *k, int depth);
static Ir *number(Maker *k, int depth);
static Ir *set(Maker *k, int depth);
static Ir *text(Maker *k, int depth);
static Ir *pure_condition(Maker *k, int depth);

static uint32_t random_below(Maker *k, uint32_t limit)
{
    k->state = k->state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(k->state >> 33) % limit;
}

// A local or slot of the type; locals 0-8 and slots 0-8 are: int int int, set set set, text text text.
static int of_type(Maker *k, IrType type)
{
    return (type == IRT_SET ? 3 : type == IRT_STRING ? 6 : 0) + (int)random_below(k, 3);
}

static Ir *with_number(Ir *ir, int32_t value, int32_t low)
{
    ir->number = value;
    ir->low = low;
    return ir;
}

// A call of the recursive function.
static Ir *again(const Maker *k, Ir *limit, Ir *given)
{
    return ir_new(k->a, IR_AND, IRT_BOOL, 3, ir_store(LIMIT, limit), ir_store(GIVEN, given),
                  ir_invoke(k->a, 1));
}

static Ir *cell(Maker *k, IrType type)
{
    if (random_below(k, 2))
        return ir_local(k->f, of_type(k, type));
    return ir_slot(k->a, type, of_type(k, type));
}

// A positionid that exists: a number modulo the number of positions, made positive.
static Ir *position(Maker *k, int depth)
{
    if (random_below(k, 2))
        return ir_current(k->a);
    Ir *count = with_number(ir_new(k->a, IR_GAME, IRT_INT, 0), IR_GAME_COUNT, 0);
    Ir *positive = ir_binary(IR_AND_BITS, number(k, depth - 1), ir_int(k->a, 0xffff));
    return ir_position_of(ir_binary(IR_MOD, positive, count));
}

static Ir *choose(Maker *k, int depth, Ir *(*make)(Maker *, int))
{
    Ir *first = make(k, depth - 1);
    return ir_choose(pure_condition(k, depth - 1), first, make(k, depth - 1));
}

static Ir *number(Maker *k, int depth)
{
    static const IrOp two[] = {IR_ADD, IR_SUB, IR_MUL, IR_AND_BITS};
    static const int32_t constant[] = {0, 1, -1, 5, 31, INT32_MAX, INT32_MIN};
    if (depth <= 0)
        return random_below(k, 2) ? ir_int(k->a, constant[random_below(k, 7)]) : cell(k, IRT_INT);
    switch (random_below(k, 14)) {
    case 0:
        return with_number(ir_unary(IR_SHIFT_RIGHT, number(k, depth - 1)), (int)random_below(k, 32), 0);
    case 1:
        return ir_binary(random_below(k, 2) ? IR_DIV : IR_MOD, number(k, depth - 1),
                         ir_int(k->a, random_below(k, 2) ? 3 : -1));
    case 2:
        return ir_unary(IR_SQRT, ir_binary(IR_AND_BITS, number(k, depth - 1), ir_int(k->a, INT32_MAX)));
    case 3:
        return ir_count(set(k, depth - 1));
    case 4: {
        Ir *some = ir_set_or(set(k, depth - 1), ir_set(k->a, 1ULL << random_below(k, 64)));
        Ir *first = ir_first(some);
        return random_below(k, 2) ? ir_unary(IR_SQUARE, first) : first;
    }
    case 5:
        return random_below(k, 2)
                   ? ir_side(k->a)
                   : with_number(ir_new(k->a, IR_GAME, IRT_INT, 0), (int)random_below(k, 4), 0);
    case 6: {
        Ir *field = ir_node((int)random_below(k, IR_NODE_FIELDS), position(k, depth - 1));
        return field;
    }
    case 7:
        return choose(k, depth, number);
    case 8:
        switch (random_below(k, 3)) {
        case 0:
            return ir_int_of(position(k, depth - 1));
        case 1:
            return ir_int_of(pure_condition(k, depth - 1));
        default:
            return ir_int_of(cell(k, IRT_STRING));
        }
    case 9:
        return random_below(k, 2) ? ir_call(k->a, IR_CALL_length, 1, text(k, depth - 1))
                                  : ir_call(k->a, IR_CALL_log_mark, 0);
    case 10:
        if (k->has_row)
            return with_number(ir_new(k->a, IR_ROW, IRT_INT, 0), 0, 0);
        return cell(k, IRT_INT);
    default:
        return ir_binary(two[random_below(k, 4)], number(k, depth - 1), number(k, depth - 1));
    }
}

static Ir *set(Maker *k, int depth)
{
    static const IrOp two[] = {IR_SET_AND, IR_SET_OR, IR_SET_XOR};
    if (depth <= 0)
        return random_below(k, 2)
                   ? with_number(ir_new(k->a, IR_BOARD, IRT_SET, 0), (int)random_below(k, BOARD_COUNT), 0)
                   : ir_set(k->a, 0x0123456789abcdefULL << random_below(k, 60));
    switch (random_below(k, 11)) {
    case 0:
        return cell(k, IRT_SET);
    case 1:
        return ir_set_not(set(k, depth - 1));
    case 2:
        return with_number(ir_unary(IR_STEP, set(k, depth - 1)), (int)random_below(k, 15) - 7,
                           (int)random_below(k, 15) - 7);
    case 3:
        return ir_bit(number(k, depth - 1));
    case 4:
        return choose(k, depth, set);
    case 5:
        return ir_call(k->a, IR_CALL_attackers, 2, set(k, depth - 1), set(k, depth - 1));
    case 6:
        return ir_call(k->a, IR_CALL_attacked, 1, set(k, depth - 1));
    case 7:
        return ir_call(k->a, IR_CALL_chain_from, 2 + (int)random_below(k, 3), ir_int(k->a, 255),
                       ir_int(k->a, 0), set(k, depth - 1), set(k, depth - 1));
    case 8:
        return k->has_row ? with_number(ir_new(k->a, IR_ROW, IRT_SET, 0), 0, 1) : set(k, 0);
    case 9:
        return ir_new(k->a, IR_SET_AND, IRT_SET, 3, set(k, depth - 1), set(k, 0), set(k, depth - 1));
    default:
        return ir_binary(two[random_below(k, 3)], set(k, depth - 1), set(k, depth - 1));
    }
}

static Ir *text(Maker *k, int depth)
{
    if (depth <= 0 || random_below(k, 3) == 0)
        return with_number(ir_new(k->a, IR_STRING, IRT_STRING, 0), (int)random_below(k, TEXTS), 0);
    switch (random_below(k, 4)) {
    case 0:
        return choose(k, depth, text);
    case 1:
        return ir_call(k->a, IR_CALL_text_int, 1, number(k, depth - 1));
    case 2:
        if (k->has_row)
            return with_number(ir_new(k->a, IR_ROW, IRT_STRING, 0), 0, 2);
        // fall through
    default:
        return ir_call(k->a, IR_CALL_text_position, 1, position(k, depth - 1));
    }
}

// Without effects, but perhaps with loops.
static Ir *pure_condition(Maker *k, int depth)
{
    if (depth <= 0)
        return ir_bool(k->a, random_below(k, 2));
    switch (random_below(k, 9)) {
    case 0: {
        Ir *loop = ir_new(k->a, IR_EACH_SQUARE, IRT_BOOL, 2, set(k, depth - 1), pure_condition(k, depth - 1));
        loop->mode = (uint8_t)random_below(k, 3);
        return with_number(loop, 9, 0);
    }
    case 1:
        return ir_not(pure_condition(k, depth - 1));
    case 2:
        return ir_binary(random_below(k, 2) ? IR_AND : IR_OR, pure_condition(k, depth - 1),
                         pure_condition(k, depth - 1));
    case 3:
        return ir_any(set(k, depth - 1));
    case 4:
        return ir_at(position(k, depth - 1), pure_condition(k, depth - 1));
    case 5:
        return ir_if(pure_condition(k, depth - 1), pure_condition(k, depth - 1),
                     pure_condition(k, depth - 1));
    case 6:
        return ir_binary(IR_SET_EQ, set(k, depth - 1), set(k, depth - 1));
    case 7:
        return ir_call(k->a, IR_CALL_in_check, 0);
    default:
        return ir_binary((IrOp)(IR_EQ + random_below(k, 6)), number(k, depth - 1), number(k, depth - 1));
    }
}

static Ir *loop(Maker *k, int depth)
{
    Ir *ir;
    k->loops++;
    switch (random_below(k, 4)) {
    case 0: {
        Ir *squares = set(k, depth - 1);
        ir = ir_new(k->a, IR_EACH_SQUARE, IRT_BOOL, 2, squares, condition(k, depth - 1));
        break;
    }
    case 1: {
        Ir *from = position(k, 1), *to = position(k, 1);
        ir = ir_new(k->a, IR_EACH_POSITION, IRT_BOOL, 3, from, to, condition(k, depth - 1));
        break;
    }
    case 2: {
        Ir *parent = position(k, depth - 1);
        ir = ir_new(k->a, IR_EACH_CHILD, IRT_BOOL, 2, parent, condition(k, depth - 1));
        break;
    }
    default: {
        const bool outer = k->has_row;
        k->has_row = true;
        ir = ir_unary(IR_EACH_ROW, condition(k, depth - 1));
        k->has_row = outer;
    }
    }
    k->loops--;
    if (ir->op != IR_EACH_ROW)
        ir->number = random_below(k, 2) ? 9 + k->loops % 3 : (int)random_below(k, 3);
    ir->mode = (uint8_t)random_below(k, 3);
    return ir;
}

// A loop that ends: local 12 counts down.
static Ir *counted_while(Maker *k, int depth)
{
    Ir *less = ir_sub(ir_local(k->f, 12), ir_int(k->a, 1));
    Ir *test = ir_gt(ir_local(k->f, 12), ir_int(k->a, 0));
    Ir *head = random_below(k, 2) ? test : ir_new(k->a, IR_AND, IRT_BOOL, 2, ir_store(1, number(k, 1)), test);
    Ir *body = ir_new(k->a, IR_AND, IRT_BOOL, 2, ir_let(12, less), condition(k, depth - 1));
    return ir_new(k->a, IR_AND, IRT_BOOL, 2, ir_let(12, ir_int(k->a, 3)), ir_while(head, body));
}

static Ir *assignment(Maker *k, int depth)
{
    const uint32_t type = random_below(k, 3);
    Ir *value = type == 0 ? number(k, depth - 1) : type == 1 ? set(k, depth - 1) : text(k, depth - 1);
    const int target = of_type(k, (IrType)value->type);
    return random_below(k, 2) ? ir_let(target, value) : ir_store(target, value);
}

static Ir *joined(Maker *k, int depth)
{
    Ir *ir = ir_new(k->a, random_below(k, 2) ? IR_AND : IR_OR, IRT_BOOL, 0);
    for (uint32_t count = random_below(k, 5); count; count--)
        ir_add_kid(ir, condition(k, depth - 1));
    return ir;
}

static Ir *condition(Maker *k, int depth)
{
    if (depth <= 0)
        return random_below(k, 2) ? assignment(k, 1) : pure_condition(k, 1);
    switch (random_below(k, 20)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return joined(k, depth);
    case 4:
        return ir_if(condition(k, depth - 1), condition(k, depth - 1), condition(k, depth - 1));
    case 5:
        return ir_not(condition(k, depth - 1));
    case 6:
        return ir_always(condition(k, depth - 1));
    case 7:
    case 8:
        return k->loops < 3 ? loop(k, depth) : assignment(k, depth);
    case 9:
        return k->loops == 0 ? counted_while(k, depth) : assignment(k, depth);
    case 10:
        return ir_at(position(k, depth - 1), condition(k, depth - 1));
    case 11:
        return again(k, number(k, 1), set(k, 1));
    case 12:
        return with_number(ir_new(k->a, IR_PLACE, IRT_BOOL, 1, condition(k, depth - 1)),
                           1 + (int)random_below(k, 3), 0);
    case 13:
        return ir_call(k->a, IR_CALL_log_add, 2, position(k, depth - 1), text(k, depth - 1));
    case 14:
        return ir_call_out(k->a, IR_CALL_parse_int, (int)random_below(k, 3), 1, text(k, depth - 1));
    case 15:
        if (random_below(k, 12) == 0)
            return with_number(ir_new(k->a, IR_RAISE, IRT_BOOL, 0), RAISE_UNBOUND,
                               (int)random_below(k, TEXTS) - 1);
        return ir_gt(ir_call(k->a, IR_CALL_compare, 2, text(k, depth - 1), text(k, depth - 1)),
                     number(k, depth - 1));
    case 16:
    case 17:
        return assignment(k, depth);
    default:
        return pure_condition(k, depth);
    }
}

static void add_locals(Maker *k)
{
    static const IrType type[13] = {IRT_INT, IRT_INT,      IRT_POSITION, IRT_SET,    IRT_SET,
                                    IRT_SET, IRT_STRING,   IRT_STRING,   IRT_STRING, IRT_INT,
                                    IRT_INT, IRT_POSITION, IRT_INT};
    for (int i = 0; i < 13; i++)
        ir_new_local(k->f, type[i]);
}

// Texts may be missing from cells that never took one: every function begins by filling them.
static Ir *prologue(Maker *k)
{
    Ir *ir = ir_new(k->a, IR_AND, IRT_BOOL, 0);
    for (int i = 6; i < 9; i++) {
        ir_add_kid(ir, ir_let(i, text(k, 0)));
        ir_add_kid(ir, ir_store(i, text(k, 0)));
    }
    return ir;
}

// The recursive function ends when its limit is 0.
static void add_functions(Maker *k)
{
    IrFunction *body = ir_new_function(k->m, "body", NULL), *recursive = ir_new_function(k->m, "again", NULL);
    Ir *less = with_number(ir_unary(IR_SHIFT_RIGHT, ir_slot(k->a, IRT_INT, LIMIT)), 4, 0);
    Ir *more = again(k, less, ir_set_not(ir_slot(k->a, IRT_SET, GIVEN)));
    Ir *go_on = ir_ne(ir_slot(k->a, IRT_INT, LIMIT), ir_int(k->a, 0));
    Ir *note = ir_store(4, ir_slot(k->a, IRT_SET, GIVEN));
    recursive->body =
        ir_if(go_on, ir_new(k->a, IR_AND, IRT_BOOL, 2, note, more), ir_any(ir_slot(k->a, IRT_SET, GIVEN)));
    k->f = body;
    add_locals(k);
    body->body = ir_new(k->a, IR_AND, IRT_BOOL, 2, prologue(k), condition(k, DEPTH));
}

static void add_table(Maker *k)
{
    static const uint64_t cells[] = {1, 0xff00, 0, (uint32_t)-7, 0x8100000000000081ULL, 1, 40, 1, 2};
    IrTable *t = arena_alloc(k->a, sizeof *t);
    t->column_count = t->row_count = 3;
    t->column = arena_alloc(k->a, 3 * sizeof *t->column);
    t->column[0] = IRT_INT;
    t->column[1] = IRT_SET;
    t->column[2] = IRT_STRING;
    t->cell = arena_alloc(k->a, sizeof cells);
    memcpy(t->cell, cells, sizeof cells);
    ARENA_PUSH(k->a, k->m->table, k->m->table_count, t);
}

// A module with a body, a recursive function, a table, texts and slots. The same seed gives the same module.
// It is freed with its arena.
static Module *random_module(uint64_t seed)
{
    static const Source source = {"random",
                                  "\"*/ int main( \\\n?"
                                  "?/ \xe2\x99\x94 R\xe2\x86\x92k \x01\nlast \\",
                                  34, NULL};
    Arena *a = arena_new();
    Maker k = {.m = arena_alloc(a, sizeof *k.m), .a = a, .state = seed * 2 + 1};
    k.m->arena = a;
    k.m->source = &source;
    k.m->info.name = "random";
    k.m->info.source = source.text;
    k.m->info.slot_count = SLOTS;
    ir_text(k.m, "", 0);
    ir_text(k.m, "12", 2);
    ir_text(k.m,
            "\"; } */ \\ \xff\x01"
            "7?"
            "?/",
            15);
    ir_text(k.m, "-34", 3);
    for (int i = 4; i < TEXTS; i++) // literals with the numbers of the locals that hold texts
        ir_text(k.m, &"x56789"[i - 4], (uint32_t)(10 - i));
    add_table(&k);
    add_functions(&k);
    return k.m;
}

#endif
