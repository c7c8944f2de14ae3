// What path and line share: slots, functions in continuation style, texts of the best match.
#include "search.h"

Ir *store_sum(Lower *l, int slot, int32_t added)
{
    Ir *sum = ir_with_int(IR_ADD, ir_slot(l->arena, IRT_INT, slot), added);
    return ir_store(slot, sum);
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
    IrFunction *outer = l->f;
    l->f = ir_new_function(l->m, arena_printf(l->arena, "%s_%d", s->prefix, s->functions++), number);
    return outer;
}

void search_function_end(Lower *l, int number, Ir *body, IrFunction *outer)
{
    l->m->function[number]->body = body != NULL ? body : ir_bool(l->arena, true);
    l->f = outer;
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
        s.mark_set = l->m->info.mark_set_count++;
    return s;
}

static Ir *quick_now(Lower *l, const Search *s)
{
    Arena *a = l->arena;
    if (s->ast->flags & AST_QUIET && !s->texts)
        return ir_store_int(l->arena, s->quick, 1);
    Ir *unwanted = ir_not(ir_call(a, IR_CALL_comments_wanted, 0));
    return ir_store(s->quick, ir_int_of(unwanted));
}

Ir *search_not_marked(Lower *l, const Search *s)
{
    if (s->mark_set < 0)
        return NULL;
    Ir *marked = ir_call(l->arena, IR_CALL_marked, 2, ir_int(l->arena, s->mark_set), ir_current(l->arena));
    return ir_not(marked);
}

Ir *search_start(Lower *l, const Search *s)
{
    Arena *a = l->arena;
    Ir *all = ir_and(ir_store(s->start, ir_current(l->arena)), ir_store_int(l->arena, s->best_valid, 0));
    if (s->texts)
        all = ir_and(all, ir_store(s->log_mark, ir_call(a, IR_CALL_log_mark, 0)));
    return s->quick >= 0 ? ir_and(all, quick_now(l, s)) : all;
}

Ir *search_found(Lower *l, const Search *s)
{
    return ir_with_int(IR_EQ, ir_slot(l->arena, IRT_INT, s->best_valid), 1);
}

Ir *search_keep_texts(Lower *l, const Search *s)
{
    if (!s->texts)
        return NULL;
    return ir_call(l->arena, IR_CALL_texts_keep, 2, ir_int(l->arena, s->text_register),
                   ir_slot(l->arena, IRT_INT, s->log_mark));
}

Ir *search_put_texts(Lower *l, const Search *s)
{
    return s->texts ? ir_call(l->arena, IR_CALL_texts_put, 1, ir_int(l->arena, s->text_register)) : NULL;
}

Ir *search_quick(Lower *l, const Search *s)
{
    return s->quick >= 0 ? ir_nonzero(ir_slot(l->arena, IRT_INT, s->quick)) : ir_bool(l->arena, false);
}
