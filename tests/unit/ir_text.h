// IR that is written in a line, for tests of single passes:
//     -5  #ff  "text"      numbers, sets, strings
//     %0  $0  [K]  [K*]    locals, cells, boards, and those before the move
//     .ply(CURRENT)  @2    fields of positions, facts of the game by number
//     LET:0(1)  STEP:1,2([N])  EACH_SQUARE:0,any([N], TRUE)  EACH_ROW:0,all(TRUE)   number and low, or number and mode
//     attackers([R], [k])  tag:1("White")  in_check/1()     calls; the local that takes the result; low
//     OR'note'(TRUE, FALSE)     the note of a condition
#ifndef CQL_TEST_IR_TEXT_H
#define CQL_TEST_IR_TEXT_H

#include "test_chess.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/middle/ir/build.h"

typedef struct IrReader {
    Module *m;
    IrFunction *f;
    const char *at;
} IrReader;

static inline Ir *read_ir(IrReader *r);

static inline void ir_text_wrong(const IrReader *r)
{
    fail_msg("cannot read the IR from here: %s", r->at);
}

static inline bool ir_text_skips(IrReader *r, const char *text)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
    const size_t length = strlen(text);
    const bool found = strncmp(r->at, text, length) == 0;
    r->at += found ? length : 0;
    return found;
}

static inline int ir_text_number(IrReader *r, int base)
{
    char *end;
    const long number = strtol(r->at, &end, base);
    if (end == r->at)
        ir_text_wrong(r);
    r->at = end;
    return (int)number;
}

// The number of the name that is next, as a whole.
static inline int ir_text_name(IrReader *r, const char *const *name, int count)
{
    size_t length = 0;
    while (isalnum((unsigned char)r->at[length]) || strchr("_.", r->at[length] ? r->at[length] : ' '))
        length++;
    for (int i = 0; i < count; i++)
        if (name[i] != NULL && strlen(name[i]) == length && strncmp(name[i], r->at, length) == 0) {
            r->at += length;
            return i;
        }
    return -1;
}

static inline void read_kids(IrReader *r, Ir *node)
{
    if (!ir_text_skips(r, "("))
        return;
    while (!ir_text_skips(r, ")")) {
        ir_add_kid(node, read_ir(r));
        ir_text_skips(r, ",");
    }
}

static inline Ir *read_board(IrReader *r)
{
    static const char *const name[] = {"empty", "P", "N", "B", "R", "Q",     "K",     "p",
                                       "n",     "b", "r", "q", "k", "white", "black", "occupied"};
    int board = ir_text_name(r, name, BOARD_COUNT);
    if (board < 0)
        ir_text_wrong(r);
    board += ir_text_skips(r, "*") ? BOARD_COUNT : 0;
    if (!ir_text_skips(r, "]"))
        ir_text_wrong(r);
    return ir_board(r->m->arena, board);
}

static inline Ir *read_field(IrReader *r)
{
#define IR_TEXT_FIELD(name, member) #member,
    static const char *const name[] = {IR_NODE_FIELD_LIST(IR_TEXT_FIELD)};
#undef IR_TEXT_FIELD
    const int field = ir_text_name(r, name, IR_NODE_FIELDS);
    if (field < 0 || !ir_text_skips(r, "("))
        ir_text_wrong(r);
    Ir *node = ir_node(field, read_ir(r));
    if (!ir_text_skips(r, ")"))
        ir_text_wrong(r);
    return node;
}

static inline Ir *read_operation(IrReader *r)
{
    static const char *op_name[IR_OP_COUNT], *call_name[IR_CALL_COUNT];
    static const char *const mode[] = {"each", "any", "all"};
    for (int i = 0; i < IR_OP_COUNT; i++)
        op_name[i] = ir_op_info[i].name;
    for (int i = 0; i < IR_CALL_COUNT; i++)
        call_name[i] = ir_call_info[i].name;
    const int op = ir_text_name(r, op_name, IR_OP_COUNT);
    const int call = op < 0 ? ir_text_name(r, call_name, IR_CALL_COUNT) : -1;
    Ir *node = NULL;
    if (op >= 0)
        node = ir_new(r->m->arena, (IrOp)op, ir_type_of(ir_op_info[op].result, IRT_BOOL), 0);
    else if (call >= 0)
        node = ir_call(r->m->arena, (IrCall)call, 0);
    else
        ir_text_wrong(r);
    int *number = op >= 0 ? &node->number : &node->out;
    if (*r->at == ':') {
        r->at++;
        *number = ir_text_number(r, 10);
    }
    if (*r->at == '/') {
        r->at++;
        node->low = ir_text_number(r, 10);
    }
    if (*r->at == ',' && r->at[1] != ' ' && number == &node->number) {
        r->at++;
        const int found = ir_text_name(r, mode, 3);
        if (found >= 0)
            node->mode = (uint8_t)found;
        else
            node->low = ir_text_number(r, 10);
    }
    if (*r->at == '\'') {
        const char *start = ++r->at;
        r->at = strchr(start, '\'');
        node->note = arena_copy(r->m->arena, start, (size_t)(r->at++ - start));
    }
    read_kids(r, node);
    if (op == IR_CHOOSE && node->kid_count > 1)
        node->type = node->kid[1]->type;
    if (op == IR_ROW)
        node->type = IRT_INT; // tables have numbers here
    return node;
}

static inline Ir *read_ir(IrReader *r)
{
    Arena *a = r->m->arena;
    if (ir_text_skips(r, "#")) {
        char *end;
        Ir *set = ir_set(a, strtoull(r->at, &end, 16));
        r->at = end;
        return set;
    }
    if (ir_text_skips(r, "\"")) {
        const char *start = r->at, *end = strchr(start, '"');
        r->at = end + 1;
        return ir_text(r->m, start, (uint32_t)(end - start));
    }
    if (ir_text_skips(r, "%"))
        return ir_local(r->f, ir_text_number(r, 10));
    if (ir_text_skips(r, "$"))
        return ir_read_slot(r->m, ir_text_number(r, 10));
    if (ir_text_skips(r, "["))
        return read_board(r);
    if (ir_text_skips(r, "."))
        return read_field(r);
    if (ir_text_skips(r, "@"))
        return ir_game(a, ir_text_number(r, 10));
    if (isdigit((unsigned char)*r->at) || *r->at == '-')
        return ir_int(a, ir_text_number(r, 10));
    return read_operation(r);
}

static inline Ir *ir_from_text(Module *m, IrFunction *f, const char *text)
{
    IrReader r = {m, f, text};
    return read_ir(&r);
}

// A module with a cell for each letter of `cells`, and a local of the body for each letter of `locals`: i s t x, for numbers,
// sets, strings and positions.
static inline Module *module_of_text(const char *cells, const char *locals, const char *body)
{
    Arena *a = arena_new();
    Module *m = arena_alloc(a, sizeof *m);
    m->arena = a;
    m->info.name = "test";
    m->info.source = "";
    for (const char *type = cells; *type; type++)
        ir_new_slot(m, ir_type_of(*type, IRT_BOOL), "cell");
    IrFunction *f = ir_new_function(m, "body", NULL);
    for (const char *type = locals; *type; type++)
        ir_new_local(f, ir_type_of(*type, IRT_BOOL));
    f->body = ir_from_text(m, f, body);
    const char *wrong = ir_verify(m);
    if (wrong != NULL)
        fail_msg("%s: %s", wrong, body);
    return m;
}

// Another function, whose number is the next one.
static inline void add_ir_function(Module *m, const char *locals, const char *body)
{
    IrFunction *f = ir_new_function(m, "function", NULL);
    for (const char *type = locals; *type; type++)
        ir_new_local(f, ir_type_of(*type, IRT_BOOL));
    f->body = ir_from_text(m, f, body);
}

// The tree is as it is written.
static inline void assert_ir(Module *m, const Ir *tree, const char *wanted)
{
    const Ir *expected = ir_from_text(m, m->function[0], wanted);
    if (ir_equal(tree, expected))
        return;
    ir_print(stderr, m);
    fail_msg("not what was expected: %s", wanted);
}

#endif
