// Checks modules. Every module that reaches a back end has passed, so that back ends need no checks.
#include "ir.h"

#include <string.h>

typedef struct Verify {
    const Module *module;
    const IrFunction *function;
    const char *where;
} Verify;

static bool is_int(IrType type)
{
    return type == IRT_INT || type == IRT_POSITION;
}

// Positions are ints.
static bool same_type(IrType a, IrType b)
{
    return a == b || (is_int(a) && is_int(b));
}

static bool type_fits(char letter, IrType type)
{
    return same_type(ir_type_of(letter, type), type);
}

// A message about the node: "matches: CALL: year: has 1 operands".
static const char *wrong(const Verify *v, const Ir *ir, const char *what)
{
    const bool is_call = ir->op == IR_CALL && ir->number >= 0 && ir->number < IR_CALL_COUNT;
    return arena_printf(v->module->arena, "%s: %s: %s%s%s", v->where, ir_op_info[ir->op].name,
                        is_call ? ir_call_info[ir->number].name : "", is_call ? ": " : "", what);
}

// `rule` is IrOpInfo.operands.
static const char *check_kids(const Verify *v, const Ir *ir, const char *rule)
{
    const int length = (int)strlen(rule);
    const bool repeats = length > 0 && rule[length - 1] == '+';
    const int needed = repeats ? length - 2 : length;
    if (repeats ? ir->kid_count < needed : ir->kid_count != needed)
        return wrong(v, ir, arena_printf(v->module->arena, "has %d operands", ir->kid_count));
    for (int i = 0; i < ir->kid_count; i++)
        if (ir->kid[i] == NULL || !type_fits(rule[i < needed ? i : needed], (IrType)ir->kid[i]->type))
            return wrong(v, ir, arena_printf(v->module->arena, "operand %d has the wrong type", i));
    return NULL;
}

static const char *check_call(const Verify *v, const Ir *ir)
{
    if (ir->number < 0 || ir->number >= IR_CALL_COUNT)
        return wrong(v, ir, "no such function");
    const IrCallInfo *info = &ir_call_info[ir->number];
    char rule[16], out = 0;
    int count = 0;
    for (const char *p = info->parameters; *p; p++) {
        if (strchr("ISTX", *p) != NULL)
            out = (char)(*p | 0x20);
        else if (strchr("cpn", *p) == NULL)
            rule[count++] = *p == 'v' ? 's' : *p;
        if (*p == 'v')
            rule[count++] = '+';
    }
    rule[count] = '\0';
    if (!type_fits(info->result == 'v' ? 'b' : info->result, (IrType)ir->type))
        return wrong(v, ir, "has the wrong type");
    if (ir->out >= 0 && out == 0)
        return wrong(v, ir, "has no result through a pointer");
    if (ir->out >= 0 && (v->function == NULL || ir->out >= v->function->local_count ||
                         !type_fits(out, v->function->local[ir->out])))
        return wrong(v, ir, arena_printf(v->module->arena, "local %d cannot take the result", ir->out));
    return check_kids(v, ir, rule);
}

static const char *check(const Verify *v, const Ir *ir, bool has_position);

static const char *check_invoke(const Verify *v, const Ir *ir)
{
    if (ir->number < 0 || ir->number >= v->module->function_count)
        return wrong(v, ir, "no such function");
    const IrFunction *f = v->module->function[ir->number];
    if (ir->kid_count != 0)
        return wrong(v, ir, arena_printf(v->module->arena, "%s has %d arguments", f->name, ir->kid_count));
    return NULL;
}

static const char *check_slot(const Verify *v, const Ir *ir, IrType type)
{
    const Module *m = v->module;
    const bool wrong_type = m->slot_type != NULL && !same_type(m->slot_type[ir->number], type);
    return wrong_type ? wrong(v, ir, "the slot has another type") : NULL;
}

static const char *check_local(const Verify *v, const Ir *ir, IrType type)
{
    if (v->function == NULL || ir->number < 0 || ir->number >= v->function->local_count)
        return wrong(v, ir, arena_printf(v->module->arena, "no such local: %d", ir->number));
    if (!same_type(v->function->local[ir->number], type))
        return wrong(v, ir, arena_printf(v->module->arena, "local %d has another type", ir->number));
    return NULL;
}

// How many numbers of its kind there are; -1: any number is right, or the kind has a check of its own.
static int limit_of(const Module *m, const Ir *ir)
{
    switch (ir_op_info[ir->op].number) {
    case IR_NUMBER_TEXT:
        return m->text_count;
    case IR_NUMBER_SLOT:
        return m->info.slot_count;
    case IR_NUMBER_BOARD:
        return BOARD_COUNT;
    case IR_NUMBER_FIELD:
        return IR_NODE_FIELDS;
    case IR_NUMBER_FACT:
        return IR_GAME_LAST_NUMBER + 1;
    default:
        return -1;
    }
}

// Numbers and types that check_kids does not cover.
static const char *check_details(const Verify *v, const Ir *ir)
{
    const int limit = limit_of(v->module, ir);
    if (limit >= 0 && (ir->number < 0 || ir->number >= limit))
        return wrong(v, ir, "the number does not exist");
    const char *message = NULL;
    switch ((IrOp)ir->op) {
    case IR_LOCAL:
        return check_local(v, ir, (IrType)ir->type);
    case IR_LET:
        return check_local(v, ir, (IrType)ir->kid[0]->type);
    case IR_EACH_SQUARE:
    case IR_EACH_CHILD:
        return check_local(v, ir, IRT_INT);
    case IR_EACH_POSITION:
    case IR_EACH_ANCESTOR:
    case IR_EACH_COMPARED:
        if (ir->low < 0 || ir->low > v->module->info.remembered_count)
            return wrong(v, ir, "no such condition");
        return check_local(v, ir, IRT_INT);
    case IR_SLOT:
        return check_slot(v, ir, (IrType)ir->type);
    case IR_STORE:
        return check_slot(v, ir, (IrType)ir->kid[0]->type);
    case IR_STEP:
        if (ir->number < -7 || ir->number > 7 || ir->low < -7 || ir->low > 7)
            message = "too far";
        break;
    case IR_SHIFT_RIGHT:
        if (ir->number < 0 || ir->number > 31)
            message = "too far";
        break;
    case IR_CHOOSE:
        if (!same_type(ir->kid[1]->type, ir->kid[2]->type) || !same_type(ir->kid[1]->type, ir->type))
            message = "the alternatives have different types";
        break;
    case IR_RAISE:
        if (ir->low >= v->module->text_count)
            message = "no such string";
        break;
    default:
        break;
    }
    return message != NULL ? wrong(v, ir, message) : NULL;
}

static bool needs_position(const Ir *ir)
{
    if (ir->op == IR_CALL)
        return strpbrk(ir_call_info[ir->number].parameters, "pn") != NULL;
    return ir->op != IR_INVOKE && ir_op_info[ir->op].effects & IR_READS_POSITION;
}

static const char *check(const Verify *v, const Ir *ir, bool has_position)
{
    if (ir->op >= IR_OP_COUNT)
        return arena_printf(v->module->arena, "%s: no such operation: %d", v->where, ir->op);
    if (!type_fits(ir_op_info[ir->op].result, (IrType)ir->type))
        return wrong(v, ir, "has the wrong type");
    const char *message = ir->op == IR_CALL     ? check_call(v, ir)
                          : ir->op == IR_INVOKE ? check_invoke(v, ir)
                                                : check_kids(v, ir, ir_op_info[ir->op].operands);
    if (message == NULL)
        message = check_details(v, ir);
    if (message == NULL && !has_position && needs_position(ir))
        message = wrong(v, ir, "no current position here");
    for (int i = 0; i < ir->kid_count && message == NULL; i++)
        message = check(v, ir->kid[i], has_position || (ir->op == IR_AT && i == 1));
    return message;
}

static const char *check_function(const Module *m, int number)
{
    const IrFunction *f = m->function[number];
    const Verify v = {m, f, f->name};
    if (f->body == NULL || f->body->type != IRT_BOOL)
        return arena_printf(m->arena, "%s: the body is not a condition", f->name);
    return check(&v, f->body, !ir_is_tag_atom(m, number));
}

const char *ir_verify(const Module *m)
{
    if (m->function_count < 1)
        return "the body is missing";
    for (int i = 0; i < m->function_count; i++) {
        const char *message = check_function(m, i);
        if (message != NULL)
            return message;
    }
    return NULL;
}
