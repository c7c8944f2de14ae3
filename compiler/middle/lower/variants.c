// Lowering of the variants of a transform (language reference 8.7).
#include "moves.h"

static bool variants_add_text(const Lower *l, const Ast *ast)
{
    for (int i = 0; i < ast->kid_count; i++) {
        if (adds_text(l, ast->kid[i]))
            return true;
    }
    return false;
}

static bool variants_have_effects(const Ast *ast)
{
    for (int i = 0; i < ast->kid_count; i++) {
        if (has_side_effects(ast->kid[i]))
            return true;
    }
    return false;
}

static Ir *plus_one(Lower *l, int local)
{
    return ir_let(local, ir_with_int(IR_ADD, ir_local(l->f, local), 1));
}

// Evaluates all variants as conditions; the local counts those that succeed.
static Ir *count_variants(Lower *l, const Ast *ast, int count)
{
    Ir *all = ir_let_int(l->f, count, 0);
    for (int i = 0; i < ast->kid_count; i++) {
        Ir *variant = ir_and(lower_condition_clean(l, ast->kid[i]), plus_one(l, count));
        all = ir_and(all, ir_always(variant));
    }
    return all;
}

// One variant for its number: 1 in `better` when it is the greatest so far, texts of lesser ones cut off the
// log.
static Ir *try_greatest(Lower *l, const Ast *variant, int best, int found, int first_mark, int texts)
{
    Arena *a = l->arena;
    const int number = ir_new_local(l->f, IRT_INT);
    Ir *value = lower_into(l, variant, number);
    Ir *none = ir_with_int(IR_EQ, ir_local(l->f, found), 0);
    Ir *greater = ir_gt(ir_local(l->f, number), ir_local(l->f, best));
    Ir *better = ir_or(none, greater);
    Ir *take = ir_and(ir_let(best, ir_local(l->f, number)), ir_let_int(l->f, found, 1));
    if (first_mark < 0)
        return ir_always(ir_all(3, value, better, take));

    const int mark = ir_new_local(l->f, IRT_INT);
    Ir *keep = ir_call(a, IR_CALL_texts_keep, 2, ir_int(a, texts), ir_local(l->f, mark));
    Ir *cut = ir_call(a, IR_CALL_log_cut, 1, ir_local(l->f, first_mark));
    Ir *put = ir_call(a, IR_CALL_texts_put, 1, ir_int(a, texts));
    take = ir_all(4, take, keep, cut, put);
    Ir *equal = ir_eq(ir_local(l->f, number), ir_local(l->f, best));
    Ir *judge = ir_if(better, take, equal);
    Ir *drop = ir_call(a, IR_CALL_log_cut, 1, ir_local(l->f, mark));
    Ir *kept = ir_or(ir_and(value, judge), drop);
    return ir_and(ir_let(mark, ir_call(a, IR_CALL_log_mark, 0)), kept);
}

static Value greatest_of_variants(Lower *l, const Ast *ast)
{
    Arena *a = l->arena;
    const int best = ir_new_local(l->f, IRT_INT), found = ir_new_local(l->f, IRT_INT);
    int mark = -1, texts = -1;
    Ir *all = ir_and(ir_let_int(l->f, best, 0), ir_let_int(l->f, found, 0));
    if (variants_add_text(l, ast)) {
        mark = ir_new_local(l->f, IRT_INT);
        texts = new_slot(l, "texts of variants"); // gives the register a number of its own
        all = ir_and(all, ir_let(mark, ir_call(a, IR_CALL_log_mark, 0)));
    }
    for (int i = 0; i < ast->kid_count; i++)
        all = ir_and(all, try_greatest(l, ast->kid[i], best, found, mark, texts));
    return value_of(ir_and(all, ir_nonzero(ir_local(l->f, found))), ir_local(l->f, best));
}

Ir *lower_variants_condition(Lower *l, const Ast *ast)
{
    Arena *a = l->arena;
    if (!ast->range.present && ast->type == TYPE_INT && variants_add_text(l, ast))
        return greatest_of_variants(l, ast).pre; // whose texts are the ones to keep
    if (ast->range.present || variants_have_effects(ast) || variants_add_text(l, ast)) {
        const int count = ir_new_local(l->f, IRT_INT);
        Ir *all = count_variants(l, ast, count);
        Ir *test = ast->range.present ? lower_range_test(l, &ast->range, ir_local(l->f, count))
                                      : ir_nonzero(ir_local(l->f, count));
        return ir_and(all, test);
    }
    // Nothing tells how many variants were looked at.
    Ir *any = ir_new(a, IR_OR, IRT_BOOL, 0);
    for (int i = 0; i < ast->kid_count; i++)
        ir_add_kid(any, lower_condition(l, ast->kid[i]));
    return any;
}

// Adds the squares of one variant; texts of one without squares are cut off the log.
static Ir *add_squares(Lower *l, const Ast *variant, int squares)
{
    const bool text = adds_text(l, variant);
    Value value = lower_value(l, variant);
    if (text) {
        const int local = ir_new_local(l->f, IRT_SET);
        Ir *some = ir_and(ir_let(local, value.val), ir_any(ir_local(l->f, local)));
        value = value_of(ir_always(with_rollback(l, ir_and(value.pre, some), text)), ir_local(l->f, local));
    }
    Ir *joined = ir_set_or(ir_local(l->f, squares), value.val);
    return ir_and(value.pre, ir_let(squares, joined));
}

static Value union_of_variants(Lower *l, const Ast *ast)
{
    Arena *a = l->arena;
    const int squares = ir_new_local(l->f, IRT_SET);
    Ir *all = ir_let(squares, ir_set(a, 0));
    for (int i = 0; i < ast->kid_count; i++)
        all = ir_and(all, add_squares(l, ast->kid[i], squares));
    return value_of(all, ir_local(l->f, squares));
}

Value lower_variants_value(Lower *l, const Ast *ast)
{
    if (ast->range.present) {
        const int count = ir_new_local(l->f, IRT_INT);
        Ir *all = count_variants(l, ast, count);
        return value_of(ir_and(all, lower_range_test(l, &ast->range, ir_local(l->f, count))),
                        ir_local(l->f, count));
    }
    return ast->type == TYPE_SET ? union_of_variants(l, ast) : greatest_of_variants(l, ast);
}
