// What path and line share: slots, functions in continuation style, texts of the best match.
#include "search.h"

Ir *invoke(Lower *l, int function)
{
    Ir *call = ir_new(l->arena, IR_INVOKE, IRT_BOOL, 0);
    call->number = function;
    return call;
}

Ir *slot_value(Lower *l, IrType type, int slot)
{
    return ir_slot(l->arena, type, slot);
}

Ir *store_int(Lower *l, int slot, int32_t value)
{
    return ir_store(l->arena, slot, ir_int(l->arena, value));
}

Ir *store_sum(Lower *l, int slot, int32_t added)
{
    Ir *sum = ir_new(l->arena, IR_ADD, IRT_INT, 2, slot_value(l, IRT_INT, slot), ir_int(l->arena, added));
    return ir_store(l->arena, slot, sum);
}

Ir *slot_equals(Lower *l, int slot, int32_t value)
{
    return ir_new(l->arena, IR_EQ, IRT_BOOL, 2, slot_value(l, IRT_INT, slot), ir_int(l->arena, value));
}

Ir *current_position(Lower *l)
{
    return ir_new(l->arena, IR_CURRENT, IRT_POSITION, 0);
}

Ir *either(Lower *l, Ir *a, Ir *b)
{
    if (a == NULL || b == NULL)
        return a != NULL ? a : b;
    return ir_new(l->arena, IR_OR, IRT_BOOL, 2, a, b);
}

Ir *then_false(Lower *l, Ir *node)
{
    return ir_and(l, node, ir_bool(l->arena, false));
}

bool match_without_move(const Ast *constituent)
{
    switch (constituent->op) {
    case OP_PATH_DASH:
        return false;
    case OP_REPEAT:
        return constituent->low == 0 || match_without_move(constituent->kid[0]);
    case OP_GROUP_CHAIN:
        for (int i = 0; i < constituent->kid_count; i++) {
            if (!match_without_move(constituent->kid[i]))
                return false;
        }
        return true;
    default:
        return true;
    }
}

// ---- functions --------------------------------------------------------------------------------------------

IrFunction *search_function(Lower *l, Search *s, int *number)
{
    IrFunction *outer = l->function;
    l->function =
        ir_new_function(l->module, arena_printf(l->arena, "%s_%d", s->prefix, s->functions++), number);
    return outer;
}

void search_function_end(Lower *l, int number, Ir *body, IrFunction *outer)
{
    l->module->function[number]->body = body != NULL ? body : ir_bool(l->arena, true);
    l->function = outer;
}

// ---- the search -------------------------------------------------------------------------------------------

static bool kids_have_effects(const Ast *ast)
{
    bool effects = ast->kid_right != NULL && has_side_effects(ast->kid_right);
    for (int i = 0; i < ast->kid_count && !effects; i++)
        effects = has_side_effects(ast->kid[i]);
    return effects;
}

static bool kids_add_text(const Lower *l, const Ast *ast)
{
    bool adds = ast->kid_right != NULL && adds_text(l, ast->kid_right);
    for (int i = 0; i < ast->kid_count && !adds; i++)
        adds = adds_text(l, ast->kid[i]);
    return adds;
}

// Nobody can tell which match was found.
static bool only_existence_matters(const Lower *l, const Ast *ast, bool condition)
{
    const unsigned watched = AST_NESTBAN | AST_VERBOSE | AST_PIECEPATH | AST_KEEPALLBEST;
    return condition && !ast->range.present && !(ast->flags & watched) && ast->text == NULL &&
           l->path_status_slots < 0 && !kids_have_effects(ast);
}

Search search_begin(Lower *l, const Ast *ast, const char *kind, bool condition)
{
    Search s = {.ast = ast, .quick = -1, .log_mark = -1, .text_register = -1, .mark_set = -1};
    s.start = new_slot(l, arena_printf(l->arena, "%s start", kind));
    s.best = new_slot(l, arena_printf(l->arena, "%s best", kind));
    s.best_valid = new_slot(l, arena_printf(l->arena, "%s found", kind));
    s.prefix = arena_printf(l->arena, "%s_%d", kind, s.start); // slots are unique, so the names are
    s.texts = kids_add_text(l, ast) || (l->query->cql5 && adds_text(l, ast));
    if (s.texts) {
        s.log_mark = new_slot(l, arena_printf(l->arena, "%s log mark", kind));
        s.text_register = s.log_mark;
    }
    if (only_existence_matters(l, ast, condition))
        s.quick = new_slot(l, arena_printf(l->arena, "%s quick", kind));
    if (ast->flags & AST_NESTBAN)
        s.mark_set = l->module->info.mark_set_count++;
    return s;
}

static Ir *quick_now(Lower *l, const Search *s)
{
    Arena *a = l->arena;
    if (s->ast->flags & AST_QUIET && !s->texts)
        return store_int(l, s->quick, 1);
    Ir *unwanted = ir_new(a, IR_NOT, IRT_BOOL, 1, ir_call(a, IR_CALL_comments_wanted, 0));
    return ir_store(a, s->quick, ir_new(a, IR_INT_OF, IRT_INT, 1, unwanted));
}

Ir *search_not_marked(Lower *l, const Search *s)
{
    if (s->mark_set < 0)
        return NULL;
    Ir *marked = ir_call(l->arena, IR_CALL_marked, 2, ir_int(l->arena, s->mark_set), current_position(l));
    return ir_new(l->arena, IR_NOT, IRT_BOOL, 1, marked);
}

Ir *search_start(Lower *l, const Search *s)
{
    Arena *a = l->arena;
    Ir *all = ir_and(l, ir_store(a, s->start, current_position(l)), store_int(l, s->best_valid, 0));
    if (s->texts)
        all = ir_and(l, all, ir_store(a, s->log_mark, ir_call(a, IR_CALL_log_mark, 0)));
    return s->quick >= 0 ? ir_and(l, all, quick_now(l, s)) : all;
}

Ir *search_found(Lower *l, const Search *s)
{
    return slot_equals(l, s->best_valid, 1);
}

Ir *search_keep_texts(Lower *l, const Search *s)
{
    if (!s->texts)
        return NULL;
    return ir_call(l->arena, IR_CALL_texts_keep, 2, ir_int(l->arena, s->text_register),
                   slot_value(l, IRT_INT, s->log_mark));
}

Ir *search_put_texts(Lower *l, const Search *s)
{
    return s->texts ? ir_call(l->arena, IR_CALL_texts_put, 1, ir_int(l->arena, s->text_register)) : NULL;
}

Ir *search_quick(Lower *l, const Search *s)
{
    return s->quick >= 0 ? is_nonzero(l, slot_value(l, IRT_INT, s->quick)) : ir_bool(l->arena, false);
}
