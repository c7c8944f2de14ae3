// The variants of a transform (language reference 8.7).
#include "internal.h"

// The condition says in emitted C which variant it is.
static Ir *noted(const Ast *variant, Ir *condition)
{
    if (condition != NULL)
        condition->note = variant->variant;
    return condition;
}

// Evaluates all variants as conditions; the local counts those that succeed.
static Ir *count_variants(Lower *l, const Ast *ast, int count)
{
    IrParts all = {.all = ir_let_int(l->f, count, 0)};
    for (int i = 0; i < ast->kid_count; i++) {
        Ir *variant = lower_condition_clean(l, ast->kid[i]);
        ir_append(&all, noted(ast->kid[i], ir_always(ir_and(variant, ir_increment(l->f, count)))));
    }
    return all.all;
}

// Adds the squares of one variant; texts of one without squares are cut off the log.
static Ir *add_squares(Lower *l, const Ast *variant, int squares)
{
    Value value = lower_value(l, variant);
    if (facts_add_text(l, variant)) {
        const int local = ir_new_local(l->f, IRT_SET);
        Ir *some = ir_all(3, value.pre, ir_let(local, value.val), ir_any(ir_local(l->f, local)));
        value = value_of(ir_always(log_rollback(l, some, true)), ir_local(l->f, local));
    }
    Ir *add = ir_let(squares, ir_set_or(ir_local(l->f, squares), value.val));
    noted(variant, value.pre != NULL && value.pre->op != IR_AND ? value.pre : add);
    return ir_and(value.pre, add);
}

static Value union_of_variants(Lower *l, const Ast *ast)
{
    const int squares = ir_named_local(l->f, IRT_SET, "squares");
    IrParts all = {.all = ir_let(squares, ir_set(l->arena, 0))};
    for (int i = 0; i < ast->kid_count; i++)
        ir_append(&all, add_squares(l, ast->kid[i], squares));
    return value_of(all.all, ir_local(l->f, squares));
}

static Value variants_value(Lower *l, const Ast *ast)
{
    if (!ast->range.present)
        return ast->type == TYPE_SET ? union_of_variants(l, ast) : compare_extreme(l, ast, true);
    const int count = ir_named_local(l->f, IRT_INT, "count");
    Ir *all = count_variants(l, ast, count);
    return value_of(ir_and(all, range_test(l, &ast->range, ir_local(l->f, count))), ir_local(l->f, count));
}

static Ir *variants_condition(Lower *l, const Ast *ast)
{
    const bool text = facts_kids_add_text(l, ast, ast->kid_count);
    if (ast->range.present)
        return variants_value(l, ast).pre;
    if (text || facts_kids_have_effects(ast)) {
        const int count = ir_named_local(l->f, IRT_INT, "count");
        return ir_and(count_variants(l, ast, count), ir_nonzero(ir_local(l->f, count)));
    }
    // It cannot be noticed how many variants were evaluated.
    Ir *any = ir_new(l->arena, IR_OR, IRT_BOOL, 0);
    for (int i = 0; i < ast->kid_count; i++)
        ir_add_kid(any, noted(ast->kid[i], lower_condition(l, ast->kid[i])));
    return any;
}

const Lowering lowering_variants[OP_COUNT_] = {[OP_VARIANTS] = {variants_value, variants_condition}};
