// What path and line share: slots, functions in continuation style, texts of the best match.
#include "search.h"

#include <string.h>

// ---- slots ------------------------------------------------------------------------------------------------

int search_slot(Lower *l, const Search *s, IrType type, const char *name)
{
    return ir_new_slot(l->m, type, arena_printf(l->arena, "%s %s", s->name, name));
}

int *search_save(Lower *l, const int *slot, int count, Ir **code)
{
    int *local = arena_alloc(l->arena, sizeof *local * (size_t)(count + 1));
    *code = NULL;
    for (int i = 0; i < count; i++) {
        Ir *value = ir_read_slot(l->m, slot[i]);
        const char *name = strrchr(l->m->slot_name[slot[i]], ' ');
        name = arena_printf(l->arena, "old_%s", name != NULL ? name + 1 : l->m->slot_name[slot[i]]);
        local[i] = ir_named_local(l->f, (IrType)value->type, name);
        *code = ir_and(*code, ir_let(local[i], value));
    }
    return local;
}

Ir *search_restore(Lower *l, const int *slot, int count, const int *local)
{
    Ir *all = NULL;
    for (int i = 0; i < count; i++)
        all = ir_and(all, ir_store(slot[i], ir_local(l->f, local[i])));
    return all;
}

// ---- functions --------------------------------------------------------------------------------------------

// Counts the filters and moves of a search up to the first one of a constituent.
static bool count_up_to(const Ast *node, const Ast *constituent, int *count)
{
    const bool list = node->op == OP_GROUP_CHAIN || node->op == OP_REPEAT;
    if (node == constituent || !list)
        ++*count;
    if (node == constituent)
        return true;
    for (int i = 0; list && i < node->kid_count; i++)
        if (count_up_to(node->kid[i], constituent, count))
            return true;
    return false;
}

int search_ordinal(const Search *s, const Ast *constituent)
{
    int count = 0;
    for (int i = 0; i < s->ast->kid_count; i++)
        if (count_up_to(s->ast->kid[i], constituent, &count))
            break;
    return count;
}

// The query's text of a part, for a comment: its first line, not too long. NULL: none.
static const char *source_excerpt(Lower *l, Span span)
{
    enum { LONGEST = 60 };
    if (span.end > l->query->source.length || span.start >= span.end)
        return NULL;
    const char *text = l->query->source.text + span.start;
    uint32_t length = 0;
    while (length < span.end - span.start && length < LONGEST && text[length] != '\n' && text[length] != '\r')
        length++;
    const bool whole = length == span.end - span.start;
    while (!whole && length > 0 && (text[length] & 0xC0) == 0x80) // the middle of a character
        length--;
    return arena_printf(l->arena, "%.*s%s", (int)length, text, whole ? "" : " ...");
}

SearchFunction search_function(Lower *l, const Search *s, const char *part, const Ast *constituent)
{
    SearchFunction f = {.outer = l->f};
    const char *name = constituent != NULL
                           ? arena_printf(l->arena, "%s_%s_%d", s->name, part, search_ordinal(s, constituent))
                           : arena_printf(l->arena, "%s_%s", s->name, part);
    l->f = ir_new_function(l->m, name, &f.number);
    if (constituent != NULL) {
        l->f->comment = source_excerpt(l, constituent->span);
    } else {
        l->f->comment = "the end of a match";
        l->f->place = place_at(l->query, s->ast->span.start);
    }
    return f;
}

int search_function_end(Lower *l, SearchFunction f, Ir *body)
{
    l->f->body = ir_or_true(l->arena, body);
    l->f = f.outer;
    return f.number;
}

int search_enter(Lower *l, const Search *s, const Ast *repeat, int counted, const int *slot, int count)
{
    const SearchFunction f = search_function(l, s, "count", repeat);
    Ir *save;
    const int *local = search_save(l, slot, count, &save);
    Ir *restore = ir_then_false(l->arena, search_restore(l, slot, count, local));
    Ir *run = ir_or(ir_invoke(l->arena, counted), restore);
    return search_function_end(l, f, ir_all(3, save, ir_store_int(l->arena, slot[0], 0), run));
}

// ---- the search -------------------------------------------------------------------------------------------

// It cannot be noticed which match was found.
static bool only_existence_matters(const Lower *l, const Ast *ast, bool condition)
{
    const unsigned watched = AST_NESTBAN | AST_VERBOSE | AST_PIECEPATH | AST_KEEPALLBEST;
    return condition && !ast->range.present && !(ast->flags & watched) && ast->text == NULL &&
           l->path_status_slots < 0 && !facts_have_effects(ast->kid_right) && !facts_kids_have_effects(ast);
}

Search search_begin(Lower *l, const Ast *ast, const char *kind, bool condition)
{
    Search s = {.ast = ast, .quick = -1, .log_mark = -1, .mark_set = -1};
    s.name = arena_printf(l->arena, "%s_%d", kind, ++l->search_count);
    s.start = search_slot(l, &s, IRT_POSITION, "start");
    s.best = search_slot(l, &s, IRT_POSITION, "best");
    s.best_valid = search_slot(l, &s, IRT_INT, "found");
    s.texts = facts_add_text(l, ast->kid_right) || facts_kids_add_text(l, ast, ast->kid_count) ||
              (l->query->cql5 && facts_add_text(l, ast));
    if (s.texts)
        s.log_mark = search_slot(l, &s, IRT_INT, "log mark");
    if (only_existence_matters(l, ast, condition))
        s.quick = search_slot(l, &s, IRT_INT, "quick");
    if (ast->flags & AST_NESTBAN)
        s.mark_set = l->m->info.mark_set_count++;
    return s;
}

static Ir *quick_now(Lower *l, const Search *s)
{
    if (s->ast->flags & AST_QUIET && !s->texts)
        return ir_store_int(l->arena, s->quick, 1);
    return ir_store(s->quick, ir_int_of(ir_not(ir_call(l->arena, IR_CALL_comments_wanted, 0))));
}

Ir *search_start(Lower *l, const Search *s)
{
    Ir *mark = s->texts ? ir_store(s->log_mark, ir_call(l->arena, IR_CALL_log_mark, 0)) : NULL;
    return ir_all(4, ir_store(s->start, ir_current(l->arena)), ir_store_int(l->arena, s->best_valid, 0), mark,
                  s->quick >= 0 ? quick_now(l, s) : NULL);
}

Ir *search_none_yet(Lower *l, const Search *s)
{
    return ir_slot_is(l->m, s->best_valid, 0);
}

Ir *search_better(Lower *l, const Search *s, Ir *value)
{
    return ir_or(search_none_yet(l, s), ir_gt(value, ir_read_slot(l->m, s->best_value)));
}

Ir *search_unless_done(Lower *l, const Search *s, Ir *body)
{
    return s->ast->flags & AST_FIRSTMATCH ? ir_and(search_none_yet(l, s), body) : body;
}

Ir *search_take(Lower *l, const Search *s, Ir *position)
{
    return ir_and(ir_store_int(l->arena, s->best_valid, 1), ir_store(s->best, position));
}

Ir *search_keep_texts(Lower *l, const Search *s)
{
    return s->texts ? ir_call(l->arena, IR_CALL_texts_keep, 2, ir_int(l->arena, s->log_mark),
                              ir_read_slot(l->m, s->log_mark))
                    : NULL;
}

Ir *search_put_texts(Lower *l, const Search *s)
{
    return s->texts ? ir_call(l->arena, IR_CALL_texts_put, 1, ir_int(l->arena, s->log_mark)) : NULL;
}

Ir *search_quick(Lower *l, const Search *s)
{
    return s->quick >= 0 ? ir_nonzero(ir_read_slot(l->m, s->quick)) : ir_bool(l->arena, false);
}

// ---- nestban ----------------------------------------------------------------------------------------------

Ir *search_not_marked(Lower *l, const Search *s)
{
    Arena *a = l->arena;
    return s->mark_set < 0 ? NULL
                           : ir_not(ir_call(a, IR_CALL_marked, 2, ir_int(a, s->mark_set), ir_current(a)));
}

Ir *search_mark(Lower *l, const Search *s, int position)
{
    return ir_call(l->arena, IR_CALL_mark, 2, ir_int(l->arena, s->mark_set), ir_local(l->f, position));
}
