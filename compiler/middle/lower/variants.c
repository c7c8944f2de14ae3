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
    return ir_let(l->arena, local,
                  ir_new(l->arena, IR_ADD, IRT_INT, 2, local_value(l, local), ir_int(l->arena, 1)));
}

// Evaluates all variants as conditions; the local counts those that succeed.
static Ir *count_variants(Lower *l, const Ast *ast, int count)
{
    Ir *all = ir_let(l->arena, count, ir_int(l->arena, 0));
    for (int i = 0; i < ast->kid_count; i++) {
        Ir *variant = ir_and(l, lower_condition_clean(l, ast->kid[i]), plus_one(l, count));
        all = ir_and(l, all, always(l, variant));
    }
    return all;
}

// One variant for its number: 1 in `better` when it is the greatest so far, texts of lesser ones cut off the
// log.
static Ir *try_greatest(Lower *l, const Ast *variant, int best, int found, int first_mark, int texts)
{
    Arena *a = l->arena;
    const int number = new_local(l, IRT_INT);
    Ir *value = lower_into(l, variant, number);
    Ir *none = ir_new(a, IR_EQ, IRT_BOOL, 2, local_value(l, found), ir_int(a, 0));
    Ir *greater = ir_new(a, IR_GT, IRT_BOOL, 2, local_value(l, number), local_value(l, best));
    Ir *better = ir_new(a, IR_OR, IRT_BOOL, 2, none, greater);
    Ir *take = ir_and(l, ir_let(a, best, local_value(l, number)), ir_let(a, found, ir_int(a, 1)));
    if (first_mark < 0)
        return always(l, ir_and(l, value, ir_and(l, better, take)));

    const int mark = new_local(l, IRT_INT);
    Ir *keep = ir_call(a, IR_CALL_texts_keep, 2, ir_int(a, texts), local_value(l, mark));
    Ir *cut = ir_call(a, IR_CALL_log_cut, 1, local_value(l, first_mark));
    Ir *put = ir_call(a, IR_CALL_texts_put, 1, ir_int(a, texts));
    take = ir_and(l, take, ir_and(l, keep, ir_and(l, cut, put)));
    Ir *equal = ir_new(a, IR_EQ, IRT_BOOL, 2, local_value(l, number), local_value(l, best));
    Ir *judge = ir_new(a, IR_IF, IRT_BOOL, 3, better, take, equal);
    Ir *drop = ir_call(a, IR_CALL_log_cut, 1, local_value(l, mark));
    Ir *kept = ir_new(a, IR_OR, IRT_BOOL, 2, ir_and(l, value, judge), drop);
    return ir_and(l, ir_let(a, mark, ir_call(a, IR_CALL_log_mark, 0)), kept);
}

static Value greatest_of_variants(Lower *l, const Ast *ast)
{
    Arena *a = l->arena;
    const int best = new_local(l, IRT_INT), found = new_local(l, IRT_INT);
    int mark = -1, texts = -1;
    Ir *all = ir_and(l, ir_let(a, best, ir_int(a, 0)), ir_let(a, found, ir_int(a, 0)));
    if (variants_add_text(l, ast)) {
        mark = new_local(l, IRT_INT);
        texts = new_slot(l, "texts of variants"); // gives the register a number of its own
        all = ir_and(l, all, ir_let(a, mark, ir_call(a, IR_CALL_log_mark, 0)));
    }
    for (int i = 0; i < ast->kid_count; i++)
        all = ir_and(l, all, try_greatest(l, ast->kid[i], best, found, mark, texts));
    return (Value){ir_and(l, all, is_nonzero(l, local_value(l, found))), local_value(l, best)};
}

Ir *lower_variants_condition(Lower *l, const Ast *ast)
{
    Arena *a = l->arena;
    if (!ast->range.present && ast->type == TYPE_INT && variants_add_text(l, ast))
        return greatest_of_variants(l, ast).pre; // whose texts are the ones to keep
    if (ast->range.present || variants_have_effects(ast) || variants_add_text(l, ast)) {
        const int count = new_local(l, IRT_INT);
        Ir *all = count_variants(l, ast, count);
        Ir *test = ast->range.present ? lower_range_test(l, &ast->range, local_value(l, count))
                                      : is_nonzero(l, local_value(l, count));
        return ir_and(l, all, test);
    }
    // Nothing tells how many variants were looked at.
    Ir *any = ir_new(a, IR_OR, IRT_BOOL, 0);
    for (int i = 0; i < ast->kid_count; i++)
        ir_add_kid(a, any, lower_condition(l, ast->kid[i]));
    return any;
}

// Adds the squares of one variant; texts of one without squares are cut off the log.
static Ir *add_squares(Lower *l, const Ast *variant, int squares)
{
    Arena *a = l->arena;
    const bool text = adds_text(l, variant);
    Value value = lower_value(l, variant);
    if (text) {
        const int local = new_local(l, IRT_SET);
        Ir *some =
            ir_and(l, ir_let(a, local, value.val), ir_new(a, IR_ANY, IRT_BOOL, 1, local_value(l, local)));
        value = (Value){always(l, with_rollback(l, ir_and(l, value.pre, some), text)), local_value(l, local)};
    }
    Ir *joined = ir_new(a, IR_SET_OR, IRT_SET, 2, local_value(l, squares), value.val);
    return ir_and(l, value.pre, ir_let(a, squares, joined));
}

static Value union_of_variants(Lower *l, const Ast *ast)
{
    Arena *a = l->arena;
    const int squares = new_local(l, IRT_SET);
    Ir *all = ir_let(a, squares, ir_set(a, 0));
    for (int i = 0; i < ast->kid_count; i++)
        all = ir_and(l, all, add_squares(l, ast->kid[i], squares));
    return (Value){all, local_value(l, squares)};
}

Value lower_variants_value(Lower *l, const Ast *ast)
{
    if (ast->range.present) {
        const int count = new_local(l, IRT_INT);
        Ir *all = count_variants(l, ast, count);
        return (Value){ir_and(l, all, lower_range_test(l, &ast->range, local_value(l, count))),
                       local_value(l, count)};
    }
    return ast->type == TYPE_SET ? union_of_variants(l, ast) : greatest_of_variants(l, ast);
}
