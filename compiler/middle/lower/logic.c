// Compounds, logic, control, arithmetic and relations (language reference 2.6 - 2.8, 7.7, 7.9).
#include "internal.h"

// ---- compounds, logic -------------------------------------------------------------------------------------

// The first `count` filters of a compound as conditions.
static Ir *conditions(Lower *l, const Ast *compound, int count)
{
    Ir *all = NULL;
    for (int i = 0; i < count; i++)
        all = ir_and(all, lower_condition(l, compound->kid[i]));
    return all;
}

static bool kids_add_text(const Lower *l, const Ast *ast, int count)
{
    for (int i = 0; i < count; i++)
        if (adds_text(l, ast->kid[i]))
            return true;
    return false;
}

static Value compound_value(Lower *l, const Ast *ast)
{
    const int before = ast->kid_count - 1;
    Ir *tests = conditions(l, ast, before);
    const Value last = lower_value(l, ast->kid[before]);
    Ir *pre = ir_and(tests, last.pre);
    return ast->type == TYPE_SET ? set_or_empty(l, pre, last.val, kids_add_text(l, ast, before))
                                 : value_of(pre, last.val);
}

static Ir *either(Lower *l, const Ast *ast)
{
    uint8_t *saved = bound_save(l);
    Ir *left = lower_condition_clean(l, ast->kid[0]);
    bound_restore(l, saved);
    return ir_or(left, lower_condition(l, ast->kid[1]));
}

// Never leaves texts behind (10.4.2).
static Ir *not_condition(Lower *l, const Ast *operand)
{
    Ir *test = lower_condition(l, operand);
    if (!adds_text(l, operand))
        return ir_not(test);
    const int mark = ir_new_local(l->f, IRT_INT);
    Ir *cut = ir_call(l->arena, IR_CALL_log_cut, 1, ir_local(l->f, mark));
    Ir *held = ir_and(test, cut);
    Ir *failed =
        ir_and(ir_call(l->arena, IR_CALL_log_cut, 1, ir_local(l->f, mark)), ir_bool(l->arena, false));
    return ir_and(ir_let(mark, ir_call(l->arena, IR_CALL_log_mark, 0)), ir_not(ir_or(held, failed)));
}

// ---- if ---------------------------------------------------------------------------------------------------

static Ir *if_condition(Lower *l, const Ast *ast)
{
    uint8_t *saved = bound_save(l);
    Ir *test = lower_condition_clean(l, ast->kid[0]);
    Ir *then = lower_condition(l, ast->kid[1]);
    bound_restore(l, saved);
    Ir *otherwise = ast->kid_count > 2 ? lower_condition(l, ast->kid[2]) : ir_bool(l->arena, true);
    return ir_if(test, then, otherwise);
}

static Value if_value(Lower *l, const Ast *ast)
{
    uint8_t *saved = bound_save(l);
    Ir *test = lower_condition_clean(l, ast->kid[0]);
    const Value then = lower_value(l, ast->kid[1]);
    bound_restore(l, saved);
    const Value otherwise = lower_value(l, ast->kid[2]);
    const IrType type = ir_type_of(ast->type);
    if (ir_is_droppable(test) && then.pre == NULL && otherwise.pre == NULL)
        return value_of(NULL, ir_choose(test, then.val, otherwise.val));
    const int local = ir_new_local(l->f, type);
    Ir *pre = ir_if(test, ir_and(then.pre, ir_let(local, then.val)),
                    ir_and(otherwise.pre, ir_let(local, otherwise.val)));
    return value_of(pre, ir_local(l->f, local));
}

// ---- loops ------------------------------------------------------------------------------------------------

static Ir *while_condition(Lower *l, const Ast *ast)
{
    Ir *test = lower_condition_clean(l, ast->kid[0]);
    return ir_while(test, lower_condition_clean(l, ast->kid[1]));
}

// True when the body succeeded at least once.
static Ir *loop_condition(Lower *l, const Ast *ast)
{
    const int rounds = ir_new_local(l->f, IRT_INT);
    Ir *body = lower_condition_clean(l, ast->kid[0]);
    return ir_all(3, ir_let_int(l->f, rounds, 0), ir_while(body, ir_let_int(l->f, rounds, 1)),
                  ir_nonzero(ir_local(l->f, rounds)));
}

// ---- arithmetic -------------------------------------------------------------------------------------------

static Value arithmetic(Lower *l, const Ast *ast, IrOp op)
{
    Value a = lower_value(l, ast->kid[0]), b = lower_value(l, ast->kid[1]);
    const bool divides = op == IR_DIV || op == IR_MOD;
    if (divides)
        b = value_hold(l, b);
    Ir *pre = values_join(l, &a, &b);
    if (divides && !(b.val->op == IR_INT && b.val->number != 0))
        pre = ir_and(pre, ir_nonzero(b.val));
    return value_of(pre, ir_binary(op, a.val, divides ? ir_copy(b.val) : b.val));
}

static Value negative(Lower *l, const Ast *ast)
{
    const Value v = lower_value(l, ast->kid[0]);
    return value_of(v.pre, ir_sub(ir_int(l->arena, 0), v.val));
}

static Value absolute(Lower *l, const Ast *ast)
{
    const Value v = value_hold(l, lower_value(l, ast->kid[0]));
    Ir *test = ir_with_int(IR_LT, v.val, 0);
    Ir *minus = ir_sub(ir_int(l->arena, 0), ir_copy(v.val));
    return value_of(v.pre, ir_choose(test, minus, ir_copy(v.val)));
}

static Value square_root(Lower *l, const Ast *ast)
{
    const Value v = value_hold(l, lower_value(l, ast->kid[0]));
    return value_of(ir_and(v.pre, ir_with_int(IR_GE, v.val, 0)), ir_unary(IR_SQRT, ir_copy(v.val)));
}

// ---- relations --------------------------------------------------------------------------------------------

// The operand of a relation: beside a number a set counts as its size.
static Value relation_operand(Lower *l, const Ast *ast, const Ast *other)
{
    Value v = lower_value(l, ast);
    if (ast->type == TYPE_SET && other->type != TYPE_SET)
        v.val = ir_count(v.val);
    return v;
}

static Ir *compare_values(Lower *l, IrOp op, Type type, Ir *a, Ir *b)
{
    if (type == TYPE_STRING) {
        Ir *order = ir_call(l->arena, IR_CALL_compare, 2, a, b);
        return ir_with_int(op, order, 0);
    }
    if (type == TYPE_SET)
        return ir_binary(IR_SET_EQ, a, b);
    return ir_binary(op, a, b);
}

static Type relation_type(const Ast *ast)
{
    const Type left = ast->kid[0]->type, right = ast->kid[1]->type;
    return left == right ? left : TYPE_INT;
}

static Value relation(Lower *l, const Ast *ast, IrOp op)
{
    Value a = relation_operand(l, ast->kid[0], ast->kid[1]),
          b = relation_operand(l, ast->kid[1], ast->kid[0]);
    Ir *pre = values_join(l, &a, &b);
    Ir *test = compare_values(l, op, relation_type(ast), a.val, b.val);
    return value_of(ir_and(pre, test), ir_copy(a.val));
}

// The negation of `==`, also when an operand has no value; what the operands wrote then is dropped.
static Ir *not_equal(Lower *l, const Ast *ast)
{
    Value a = relation_operand(l, ast->kid[0], ast->kid[1]),
          b = relation_operand(l, ast->kid[1], ast->kid[0]);
    Ir *pre = values_join(l, &a, &b);
    Ir *equal = compare_values(l, IR_EQ, relation_type(ast), a.val, b.val);
    pre = with_rollback(l, pre, kids_add_text(l, ast, 2));
    return ir_not(ir_or_true(l->arena, ir_and(pre, equal)));
}

// ---- max, min ---------------------------------------------------------------------------------------------

typedef struct Extreme {
    int best, has;   // locals: the best value so far; 1 when there is one
    int value;       // local: the value of the argument at hand
    int start, mark; // locals: lengths of the log before all arguments and before the one at hand; texts only
    int texts;       // register, -1: the arguments write nothing
    Type type;
    bool greatest;
} Extreme;

// A better value: what earlier arguments wrote goes, what this one wrote stays.
static Ir *drop_losers(Lower *l, const Extreme *e)
{
    if (e->texts < 0)
        return NULL;
    return ir_all(
        3, ir_call(l->arena, IR_CALL_texts_keep, 2, ir_int(l->arena, e->texts), ir_local(l->f, e->mark)),
        ir_call(l->arena, IR_CALL_log_cut, 1, ir_local(l->f, e->start)),
        ir_call(l->arena, IR_CALL_texts_put, 1, ir_int(l->arena, e->texts)));
}

static Ir *take_extreme(Lower *l, const Extreme *e)
{
    const IrOp better_op = e->greatest ? IR_GT : IR_LT;
    Ir *first = ir_with_int(IR_EQ, ir_local(l->f, e->has), 0);
    Ir *better = compare_values(l, better_op, e->type, ir_local(l->f, e->value), ir_local(l->f, e->best));
    Ir *take =
        ir_all(3, drop_losers(l, e), ir_let(e->best, ir_local(l->f, e->value)), ir_let_int(l->f, e->has, 1));
    Ir *wins = ir_and(ir_or(first, better), take);
    if (e->texts < 0)
        return wins;
    Ir *ties = compare_values(l, IR_EQ, e->type, ir_local(l->f, e->value), ir_local(l->f, e->best));
    Ir *loses = ir_call(l->arena, IR_CALL_log_cut, 1, ir_local(l->f, e->mark));
    return ir_new(l->arena, IR_OR, IRT_BOOL, 3, wins, ties, loses);
}

static Value extreme(Lower *l, const Ast *ast)
{
    Extreme e = {.texts = -1, .type = ast->type, .greatest = ast->op == OP_MAX};
    const IrType type = ir_type_of(ast->type);
    e.best = ir_new_local(l->f, type);
    e.value = ir_new_local(l->f, type);
    e.has = ir_new_local(l->f, IRT_INT);
    Ir *pre = ir_let_int(l->f, e.has, 0);
    if (kids_add_text(l, ast, ast->kid_count)) {
        e.texts = new_slot(l, "texts of max or min");
        e.start = ir_new_local(l->f, IRT_INT);
        e.mark = ir_new_local(l->f, IRT_INT);
        pre = ir_and(pre, ir_let(e.start, ir_call(l->arena, IR_CALL_log_mark, 0)));
    }
    for (int i = 0; i < ast->kid_count; i++) {
        if (e.texts >= 0)
            pre = ir_and(pre, ir_let(e.mark, ir_call(l->arena, IR_CALL_log_mark, 0)));
        Ir *has_value = with_rollback(l, lower_into(l, ast->kid[i], e.value), adds_text(l, ast->kid[i]));
        pre = ir_and(pre, ir_always(ir_and(has_value, take_extreme(l, &e))));
    }
    return value_of(ir_and(pre, ir_nonzero(ir_local(l->f, e.has))), ir_local(l->f, e.best));
}

// ---- equal ------------------------------------------------------------------------------------------------

typedef struct Operand {
    int has;   // local: 1 when there is a value, or when the condition holds
    int value; // local, -1 for conditions
} Operand;

static Ir *equal_operand(Lower *l, const Ast *ast, Operand *o)
{
    o->has = ir_new_local(l->f, IRT_INT);
    o->value = ast->type == TYPE_BOOL ? -1 : ir_new_local(l->f, ir_type_of(ast->type));
    Ir *value = o->value < 0 ? lower_condition(l, ast) : lower_into(l, ast, o->value);
    value = with_rollback(l, value, adds_text(l, ast));
    return ir_and(ir_let_int(l->f, o->has, 0), ir_always(ir_and(value, ir_let_int(l->f, o->has, 1))));
}

static Ir *equal_condition(Lower *l, const Ast *ast)
{
    Operand a, b;
    const Type type = ast->kid[0]->type;
    Ir *first = equal_operand(l, ast->kid[0], &a), *second = equal_operand(l, ast->kid[1], &b);
    Ir *none =
        ir_and(ir_with_int(IR_EQ, ir_local(l->f, a.has), 0), ir_with_int(IR_EQ, ir_local(l->f, b.has), 0));
    Ir *same = none;
    if (ast->kid[1]->type == type) {
        Ir *both = ir_and(ir_nonzero(ir_local(l->f, a.has)), ir_nonzero(ir_local(l->f, b.has)));
        if (a.value >= 0)
            both = ir_and(both,
                          compare_values(l, IR_EQ, type, ir_local(l->f, a.value), ir_local(l->f, b.value)));
        same = ir_or(none, both);
    }
    return ir_all(3, first, second, same);
}

// ---- assert -----------------------------------------------------------------------------------------------

static Ir *assert_condition(Lower *l, const Ast *ast)
{
    const Ast *operand = ast->kid[0];
    Ir *test;
    if (operand->op == OP_VARIABLE && operand->variable != NULL && !(operand->flags & AST_PAREN)) {
        const Ir *unbound = require_bound(l, operand->variable);
        test = unbound == NULL ? ir_bool(l->arena, true) : unbound->kid[0];
    } else {
        test = lower_condition(l, operand);
    }
    return ir_or(test, raise_error(l, RAISE_ASSERT, ""));
}

// ---- the family -------------------------------------------------------------------------------------------

Ir *lower_logic_condition(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_COMPOUND:
        return ir_or_true(l->arena, conditions(l, ast, ast->kid_count));
    case OP_AND:
        return ir_or_true(l->arena, conditions(l, ast, 2));
    case OP_OR:
        return either(l, ast);
    case OP_NOT:
        return not_condition(l, ast->kid[0]);
    case OP_IF:
        return if_condition(l, ast);
    case OP_WHILE:
        return while_condition(l, ast);
    case OP_LOOP:
        return loop_condition(l, ast);
    case OP_NE:
        return not_equal(l, ast);
    case OP_EQ:
        return relation(l, ast, IR_EQ).pre;
    case OP_EQUAL:
        return equal_condition(l, ast);
    case OP_ASSERT:
        return assert_condition(l, ast);
    case OP_NOTRANSFORM:
        return lower_condition(l, ast->kid[0]);
    case OP_CQL_ASSERTVARIATIONS:
        if (!l->variations)
            lower_error(l, ast, "%s",
                        ast->text != NULL ? ast->text : "the query needs `variations` in its header");
        return ir_bool(l->arena, true);
    case OP_TRUE:
    case OP_FUNCTION:
        return ir_bool(l->arena, true);
    case OP_FALSE:
        return ir_bool(l->arena, false);
    case OP_CQL_ABORT:
        return raise_error(l, RAISE_ABORT, "cql_abort");
    default:
        return condition_of(l, lower_logic_value(l, ast), ast->type);
    }
}

Value lower_logic_value(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_COMPOUND:
        return compound_value(l, ast);
    case OP_IF:
        return if_value(l, ast);
    case OP_NOTRANSFORM:
        return lower_value(l, ast->kid[0]);
    case OP_NUMBER:
        return value_of(NULL, ir_int(l->arena, ast->number));
    case OP_ADD:
        return arithmetic(l, ast, IR_ADD);
    case OP_SUBTRACT:
        return arithmetic(l, ast, IR_SUB);
    case OP_MULTIPLY:
        return arithmetic(l, ast, IR_MUL);
    case OP_DIVIDE:
        return arithmetic(l, ast, IR_DIV);
    case OP_MODULO:
        return arithmetic(l, ast, IR_MOD);
    case OP_NEGATE:
        return negative(l, ast);
    case OP_ABS:
        return absolute(l, ast);
    case OP_SQRT:
        return square_root(l, ast);
    case OP_MAX:
    case OP_MIN:
        return extreme(l, ast);
    case OP_LT:
        return relation(l, ast, IR_LT);
    case OP_LE:
        return relation(l, ast, IR_LE);
    case OP_GT:
        return relation(l, ast, IR_GT);
    case OP_GE:
        return relation(l, ast, IR_GE);
    case OP_EQ:
        return relation(l, ast, IR_EQ);
    default:
        lower_error(l, ast, "`%s` cannot be lowered for its value", op_info[ast->op].name);
        return value_of(ir_bool(l->arena, false), ir_int(l->arena, 0));
    }
}
