// Compounds, logic, control, arithmetic and relations (language reference 2.6 - 2.8, 7.7, 7.9).
#include "internal.h"

#include "runtime/chess/chess.h"

// ---- compounds, logic -------------------------------------------------------------------------------------

static Value compound_value(Lower *l, const Ast *ast)
{
    const int before = ast->kid_count - 1;
    Ir *tests = lower_conditions(l, ast, before);
    const Value last = lower_value(l, ast->kid[before]);
    Ir *pre = ir_and(tests, last.pre);
    return ast->type == TYPE_SET ? log_set_or_empty(l, pre, last.val, facts_kids_add_text(l, ast, before))
                                 : value_of(pre, last.val);
}

// The alternatives of a chain that adds no texts, in one OR.
static Ir *some_condition(Lower *l, const Ast *ast)
{
    int count;
    const Ast **operand = lower_chain(l, ast, &count);
    Ir *some = ir_new(l->arena, IR_OR, IRT_BOOL, 0);
    for (int i = 0; i < count; i++) {
        const int saved = bound_save(l);
        ir_add_kid(some, lower_condition(l, operand[i]));
        bound_restore(l, saved);
    }
    return some;
}

static Ir *or_condition(Lower *l, const Ast *ast)
{
    if (!facts_add_text(l, ast))
        return some_condition(l, ast);
    const int saved = bound_save(l);
    Ir *left = lower_condition_clean(l, ast->kid[0]);
    bound_restore(l, saved);
    return ir_or(left, lower_condition(l, ast->kid[1]));
}

// The negation of a test of `not` or `!=`, which leaves no texts of its operands (10.4.2).
static Ir *negation(Lower *l, const Ast *ast, Ir *test)
{
    if (!facts_kids_add_text(l, ast, ast->kid_count))
        return ir_not(test);
    const int mark = ir_named_local(l->f, IRT_INT, "mark");
    Ir *failed = ir_then_false(l->arena, log_cut(l, mark));
    return ir_and(log_mark(l, mark), ir_not(ir_or(ir_and(test, log_cut(l, mark)), failed)));
}

static Ir *not_condition(Lower *l, const Ast *ast)
{
    return negation(l, ast, lower_condition(l, ast->kid[0]));
}

static Ir *has_rights(Lower *l, int rights, int count)
{
    Ir *call = ir_call(l->arena, IR_CALL_castling_rights, 1, ir_int(l->arena, rights));
    return rights != 0 ? ir_with_int(IR_EQ, call, count) : NULL;
}

// The board and the side to move come first: they are what screens test.
static Ir *exact_position(Lower *l, const Ast *ast)
{
    Ir *all = lower_conditions(l, ast, ast->kid_count);
    all = ir_and(all, has_rights(l, ast->number, bb_count((Bitboard)ast->number)));
    return ir_and(all, has_rights(l, ~ast->number & 15, 0));
}

// ---- if ---------------------------------------------------------------------------------------------------

static Ir *if_condition(Lower *l, const Ast *ast)
{
    const int saved = bound_save(l);
    Ir *test = lower_condition_clean(l, ast->kid[0]);
    Ir *then = lower_condition(l, ast->kid[1]);
    bound_restore(l, saved);
    Ir *otherwise = ast->kid_count > 2 ? lower_condition(l, ast->kid[2]) : ir_bool(l->arena, true);
    return ir_if(test, then, otherwise);
}

static Value if_value(Lower *l, const Ast *ast)
{
    const int saved = bound_save(l);
    Ir *test = lower_condition_clean(l, ast->kid[0]);
    const Value then = lower_value(l, ast->kid[1]);
    bound_restore(l, saved);
    const Value otherwise = lower_value(l, ast->kid[2]);
    const IrType type = value_type(ast->type);
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
    const int rounds = ir_named_local(l->f, IRT_INT, "rounds");
    Ir *body = lower_condition_clean(l, ast->kid[0]);
    return ir_all(3, ir_let_int(l->f, rounds, 0), ir_while(body, ir_let_int(l->f, rounds, 1)),
                  ir_nonzero(ir_local(l->f, rounds)));
}

// ---- arithmetic -------------------------------------------------------------------------------------------

static Value arithmetic(Lower *l, const Ast *ast)
{
    const Value a = lower_value(l, ast->kid[0]), b = lower_value(l, ast->kid[1]);
    return value_arithmetic(l, (IrOp)lower_number(l, ast), a, b);
}

static Value negative(Lower *l, const Ast *ast)
{
    const Value v = lower_value(l, ast->kid[0]);
    return value_of(v.pre, ir_sub(ir_int(l->arena, 0), v.val));
}

static Value absolute(Lower *l, const Ast *ast)
{
    const Value v = value_hold(l, lower_value(l, ast->kid[0]));
    Ir *minus = ir_sub(ir_int(l->arena, 0), ir_copy(v.val));
    return value_of(v.pre, ir_choose(ir_with_int(IR_LT, v.val, 0), minus, ir_copy(v.val)));
}

static Value square_root(Lower *l, const Ast *ast)
{
    const Value v = value_hold(l, lower_value(l, ast->kid[0]));
    return value_of(ir_and(v.pre, ir_with_int(IR_GE, v.val, 0)), ir_unary(IR_SQRT, ir_copy(v.val)));
}

// ---- relations --------------------------------------------------------------------------------------------

// The operand of a relation: compared with a number, a set counts as its size.
static Value relation_operand(Lower *l, const Ast *ast, const Ast *other)
{
    Value v = lower_value(l, ast);
    if (ast->type == TYPE_SET && other->type != TYPE_SET)
        v.val = ir_count(v.val);
    return v;
}

static Type relation_type(const Ast *ast)
{
    const Type left = ast->kid[0]->type, right = ast->kid[1]->type;
    return left == right ? left : TYPE_INT;
}

// again: the value of the left side is wanted. One that is not made once by itself is kept.
static Value compare(Lower *l, const Ast *ast, bool again)
{
    Value a = relation_operand(l, ast->kid[0], ast->kid[1]),
          b = relation_operand(l, ast->kid[1], ast->kid[0]);
    Ir *pre = value_join(l, &a, &b);
    if (again && a.val->type == IRT_INT && !ir_is_total(a.val)) {
        a = value_hold(l, value_of(pre, a.val));
        pre = a.pre;
    }
    Ir *test = compare_values(l, (IrOp)lower_number(l, ast), relation_type(ast), a.val, b.val);
    return value_of(ir_and(pre, test), ir_copy(a.val));
}

static Value relation(Lower *l, const Ast *ast)
{
    return compare(l, ast, true);
}

static Ir *comparison(Lower *l, const Ast *ast)
{
    return compare(l, ast, false).pre;
}

// The negation of `==`, also when an operand has no value.
static Ir *not_equal(Lower *l, const Ast *ast)
{
    Value a = relation_operand(l, ast->kid[0], ast->kid[1]),
          b = relation_operand(l, ast->kid[1], ast->kid[0]);
    Ir *pre = value_join(l, &a, &b);
    Ir *equal = compare_values(l, IR_EQ, relation_type(ast), a.val, b.val);
    return negation(l, ast, ir_and(pre, equal));
}

// ---- equal ------------------------------------------------------------------------------------------------

typedef struct Operand {
    int has;   // local: 1 when there is a value, or when the condition is true
    int value; // local after that, 0 for conditions
} Operand;

static Ir *equal_operand(Lower *l, const Ast *ast, Operand *o)
{
    o->has = ir_new_local(l->f, IRT_INT);
    o->value = ast->type == TYPE_BOOL ? 0 : ir_new_local(l->f, value_type(ast->type));
    Ir *value = o->value ? lower_into(l, ast, o->value) : lower_condition(l, ast);
    value = log_rollback(l, value, facts_add_text(l, ast));
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
        if (a.value)
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
        const Ir *unbound = variable_require_bound(l, operand->variable);
        test = unbound == NULL ? ir_bool(l->arena, true) : unbound->kid[0];
    } else {
        test = lower_condition(l, operand);
    }
    return ir_or(test, value_raise(l, RAISE_ASSERT, ""));
}

// ---- the family -------------------------------------------------------------------------------------------

static Ir *all_conditions(Lower *l, const Ast *ast)
{
    return ir_or_true(l->arena, lower_conditions(l, ast, ast->kid_count));
}

static Ir *and_condition(Lower *l, const Ast *ast)
{
    int count;
    const Ast **operand = lower_chain(l, ast, &count);
    IrParts all = {0};
    for (int i = 0; i < count; i++)
        ir_append(&all, lower_condition(l, operand[i]));
    return ir_or_true(l->arena, all.all);
}

static Ir *abort_condition(Lower *l, const Ast *ast)
{
    (void)ast;
    return value_raise(l, RAISE_ABORT, "cql_abort");
}

static Ir *variations_condition(Lower *l, const Ast *ast)
{
    if (!l->variations)
        value_error(l, ast, "%s", ast->text);
    return ir_bool(l->arena, true);
}

static Value number(Lower *l, const Ast *ast)
{
    return value_of(NULL, ir_int(l->arena, ast->number));
}

static Value extreme(Lower *l, const Ast *ast)
{
    return compare_extreme(l, ast, ast->op == OP_MAX);
}

const Lowering lowering_logic[OP_COUNT_] = {
    [OP_COMPOUND] = {compound_value, all_conditions},
    [OP_EXACTFEN] = {NULL, exact_position},
    [OP_AND] = {NULL, and_condition},
    [OP_OR] = {NULL, or_condition},
    [OP_NOT] = {NULL, not_condition},
    [OP_IF] = {if_value, if_condition},
    [OP_WHILE] = {NULL, while_condition},
    [OP_LOOP] = {NULL, loop_condition},
    [OP_NUMBER] = {number},
    [OP_NEGATE] = {negative},
    [OP_ABS] = {absolute},
    [OP_SQRT] = {square_root},
    [OP_MAX] = {extreme},
    [OP_MIN] = {extreme},
    [OP_ADD] = {arithmetic, NULL, IR_ADD},
    [OP_SUBTRACT] = {arithmetic, NULL, IR_SUB},
    [OP_MULTIPLY] = {arithmetic, NULL, IR_MUL},
    [OP_DIVIDE] = {arithmetic, NULL, IR_DIV},
    [OP_MODULO] = {arithmetic, NULL, IR_MOD},
    [OP_LT] = {relation, comparison, IR_LT},
    [OP_LE] = {relation, comparison, IR_LE},
    [OP_GT] = {relation, comparison, IR_GT},
    [OP_GE] = {relation, comparison, IR_GE},
    [OP_EQ] = {relation, comparison, IR_EQ},
    [OP_NE] = {NULL, not_equal},
    [OP_EQUAL] = {NULL, equal_condition},
    [OP_ASSERT] = {NULL, assert_condition},
    [OP_CQL_ASSERTVARIATIONS] = {NULL, variations_condition},
    [OP_TRUE] = {NULL, lower_true},
    [OP_FUNCTION] = {NULL, lower_true},
    [OP_FALSE] = {NULL, lower_false},
    [OP_CQL_ABORT] = {NULL, abort_condition},
};
