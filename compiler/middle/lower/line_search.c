// What path and line share: slots, functions in continuation style, texts of the best match.
#include "line_search.h"

#include <assert.h>
#include <string.h>

// ---- slots ------------------------------------------------------------------------------------------------

int search_slot(Lower *l, const Search *s, IrType type, const char *name)
{
    const int slot = ir_new_slot(l->m, type, arena_printf(l->arena, "%s %s", s->name, name));
    l->m->slot_of_search[slot] = true;
    return slot;
}

int *search_save(Lower *l, const int *slot, int count, Ir **code)
{
    int *local = arena_alloc(l->arena, sizeof *local * (size_t)count);
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

// Lists the constituents of a list; *count: of filters and moves so far. A group has the number of what comes next.
static void list_leaves(Lower *l, Search *s, const Ast *list, int *count)
{
    for (int i = 0; i < list->kid_count; i++) {
        const Ast *node = list->kid[i];
        const bool is_list = node->op == OP_GROUP_CHAIN || node->op == OP_REPEAT;
        int numbers = s->leaf_count;
        ARENA_PUSH(l->arena, s->ordinal, numbers, *count + 1);
        ARENA_PUSH(l->arena, s->leaf, s->leaf_count, node);
        if (is_list)
            list_leaves(l, s, node, count);
        else
            ++*count;
    }
}

// Constituents are asked for one after another, backwards.
int search_ordinal(const Search *s, const Ast *constituent)
{
    int at = *s->next_leaf;
    for (int left = s->leaf_count; s->leaf[at] != constituent; left--) {
        assert(left > 1); // list_leaves has listed all constituents
        at = at > 0 ? at - 1 : s->leaf_count - 1;
    }
    *s->next_leaf = at;
    return s->ordinal[at];
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

int search_list_end(Lower *l, const Search *s, SearchFunction f, Ir *body)
{
    if (s->kind->before != NULL)
        body = s->kind->before(l, s, f.number, body);
    return search_function_end(l, f, search_unless_done(l, s, body));
}

Ir *search_invoke(Lower *l, Rest rest)
{
    return rest.function >= 0 ? ir_invoke(l->arena, rest.function) : NULL;
}

// ---- repetitions (5.5) ------------------------------------------------------------------------------------

static Rest match(Lower *l, Search *s, const Ast *constituent, Rest next);

// The end of a repetition in a path, where `firstmatch` looks whether there is a path already. After a move without
// wildcard it does not, so the other moves from the same position are tried too.
static Rest repeat_end(Lower *l, const Search *s, const Ast *repeat, Rest next)
{
    if (s->ast->op != OP_PATH || !s->first)
        return next;
    const SearchFunction f = search_function(l, s, "after", repeat);
    next.function = search_list_end(l, s, f, search_invoke(l, next));
    return next;
}

// X?, and X* and X+ (again: what follows X is the repetition itself) for an X that always goes on.
static Rest repeat_freely(Lower *l, Search *s, const Ast *repeat, Rest next, bool again)
{
    const SearchFunction f = search_function(l, s, again ? "repeat" : "optional", repeat);
    Rest rest = next, after = next;
    rest.function = f.number;
    if (!again && repeat->number)
        after = repeat_end(l, s, repeat, next);
    const Rest once = match(l, s, repeat->kid[0], again ? rest : after);
    Ir *body = ir_or(search_invoke(l, next), search_invoke(l, once));
    search_list_end(l, s, f, memo_wrap(l, s, next.counter, body));
    return again && repeat->low == 1 ? once : rest;
}

// May a repetition begin, with `count` (local) done? After one that did not go on only up to the minimum. NULL: yes.
static Ir *may_repeat(Lower *l, const Ast *repeat, int count, int began)
{
    Ir *allowed = repeat->high < UNLIMITED ? ir_with_int(IR_LT, ir_local(l->f, count), repeat->high) : NULL;
    if (began == 0)
        return allowed;
    Ir *needed = ir_with_int(IR_LT, ir_local(l->f, count), repeat->low > 1 ? repeat->low : 1);
    Ir *moved = ir_ne(ir_read_slot(l->m, began), ir_current(l->arena));
    return ir_and(allowed, ir_or(needed, moved));
}

// The function that begins a counted repetition: sets the first slot, its counter, to 0 and puts all slots back
// afterwards, for an enclosing run of the same repetition.
static int repeat_begin(Lower *l, const Search *s, const Ast *repeat, int counted, const int *slot, int count)
{
    const SearchFunction f = search_function(l, s, "count", repeat);
    Ir *save;
    const int *local = search_save(l, slot, count, &save);
    Ir *restore = ir_then_false(l->arena, search_restore(l, slot, count, local));
    Ir *run = ir_or(ir_invoke(l->arena, counted), restore);
    return search_function_end(l, f, ir_all(3, save, ir_store_int(l->arena, slot[0], 0), run));
}

// X{low,high} with a counter.
static Rest repeat_counted(Lower *l, Search *s, const Ast *repeat, Rest next)
{
    const int count = memo_can_stay(s, repeat->kid[0]) ? 2 : 1;
    const int slot[2] = {search_slot(l, s, IRT_INT, "repetitions"),
                         count == 2 ? search_slot(l, s, IRT_POSITION, "repetition began") : 0};
    const int32_t most = repeat->high < UNLIMITED ? repeat->high : repeat->low > 1 ? repeat->low : 1;
    Counter *counter = arena_alloc(l->arena, sizeof *counter);
    *counter = (Counter){slot[0], slot[1], repeat->low, most, next.counter};
    const SearchFunction f = search_function(l, s, "repeat", repeat);
    const Rest once = match(l, s, repeat->kid[0], (Rest){f.number, next.demands, counter});
    Ir *save, *rest = search_invoke(l, next);
    const int *local = search_save(l, slot, count, &save);
    if (rest != NULL)
        rest = ir_and(ir_with_int(IR_GE, ir_local(l->f, local[0]), repeat->low), rest);
    Ir *begin =
        ir_and(count == 2 ? ir_store(slot[1], ir_current(l->arena)) : NULL, ir_store_sum(l->m, slot[0], 1));
    Ir *restore = ir_then_false(l->arena, search_restore(l, slot, count, local));
    Ir *once_more =
        ir_all(3, may_repeat(l, repeat, local[0], slot[1]), begin, ir_or(search_invoke(l, once), restore));
    search_list_end(l, s, f, memo_wrap(l, s, counter, ir_and(save, ir_or(rest, once_more))));
    return (Rest){repeat_begin(l, s, repeat, f.number, slot, count), repeat->low > 0 || next.demands,
                  next.counter};
}

static Rest match_repeat(Lower *l, Search *s, const Ast *repeat, Rest next)
{
    if (repeat->high == 0)
        return repeat_end(l, s, repeat, next);
    if (repeat->low == 1 && repeat->high == 1)
        return match(l, s, repeat->kid[0], repeat_end(l, s, repeat, next));
    if (repeat->low == 0 && repeat->high == 1)
        return repeat_freely(l, s, repeat, next, false);
    if (repeat->low <= 1 && repeat->high >= UNLIMITED && !memo_can_stay(s, repeat->kid[0]))
        return repeat_freely(l, s, repeat, next, true);
    return repeat_counted(l, s, repeat, next);
}

static Rest match_list(Lower *l, Search *s, const Ast *list, Rest next)
{
    for (int i = list->kid_count - 1; i >= 0; i--)
        next = match(l, s, list->kid[i], next);
    return next;
}

// The function that matches a constituent and goes on with `next`.
static Rest match(Lower *l, Search *s, const Ast *constituent, Rest next)
{
    if (constituent->op == OP_GROUP_CHAIN)
        return match_list(l, s, constituent, next);
    if (constituent->op == OP_REPEAT)
        return match_repeat(l, s, constituent, next);
    return s->kind->leaf(l, s, constituent, next);
}

Rest search_constituents(Lower *l, Search *s, Rest end)
{
    return match_list(l, s, s->ast, end);
}

// ---- the search -------------------------------------------------------------------------------------------

// It cannot be noticed which match was found.
static bool only_existence_matters(const Lower *l, const Ast *ast, bool condition)
{
    const unsigned watched = AST_NESTBAN | AST_VERBOSE | AST_PIECEPATH | AST_KEEPALLBEST;
    return condition && !ast->range.present && !(ast->flags & watched) && ast->text == NULL &&
           l->path_status_slots < 0 && !facts_have_effects(ast->kid_right) && !facts_kids_have_effects(ast);
}

Search search_begin(Lower *l, const Ast *ast, const SearchKind *kind, bool condition)
{
    const unsigned recorded = AST_VERBOSE | AST_PIECEPATH | AST_KEEPALLBEST;
    Search s = {.kind = kind, .ast = ast, .mark_set = -1};
    s.name = arena_printf(l->arena, "%s_%d", kind->name, ++l->search_count);
    int count = 0;
    list_leaves(l, &s, ast, &count);
    s.next_leaf = arena_alloc(l->arena, sizeof *s.next_leaf);
    s.start = search_slot(l, &s, IRT_POSITION, "start");
    s.best = search_slot(l, &s, IRT_POSITION, "best");
    s.best_valid = search_slot(l, &s, IRT_INT, "found");
    s.best_value = search_slot(l, &s, IRT_INT, "best value");
    s.trail = (ast->flags & recorded) != 0;
    s.texts = facts_add_text(l, ast->kid_right) || facts_kids_add_text(l, ast, ast->kid_count) ||
              (l->query->cql5 && facts_add_text(l, ast));
    if (s.texts)
        s.log_mark = search_slot(l, &s, IRT_INT, "log mark");
    if (only_existence_matters(l, ast, condition))
        s.quick = search_slot(l, &s, IRT_INT, "quick");
    // Where every match serves as well as the first, `firstmatch` says nothing.
    s.first = ast->flags & AST_FIRSTMATCH && !(s.quick && ast->flags & AST_QUIET && !s.texts);
    if (ast->flags & AST_NESTBAN)
        s.mark_set = l->m->info.mark_set_count++;
    return s;
}

// Without comments nothing but the existence of a match can ever be noticed.
static bool is_always_quick(const Search *s)
{
    return s->quick && s->ast->flags & AST_QUIET && !s->texts;
}

// Whether the search ends at the first match, where that is not known before.
static Ir *quick_now(Lower *l, const Search *s)
{
    if (!s->quick || is_always_quick(s) || (s->memo.first_is_best && s->memo.kind == MEMO_NONE))
        return NULL;
    return ir_store(s->quick, ir_int_of(ir_not(ir_call(l->arena, IR_CALL_comments_wanted, 0))));
}

static Ir *start(Lower *l, const Search *s)
{
    Arena *a = l->arena;
    Ir *mark = s->texts ? ir_store(s->log_mark, ir_call(a, IR_CALL_log_mark, 0)) : NULL;
    return ir_all(5, ir_store(s->start, ir_current(a)), ir_store_int(a, s->best_valid, 0), mark,
                  quick_now(l, s), s->trail ? ir_call(a, IR_CALL_trail_start, 1, ir_int(a, s->start)) : NULL);
}

static Ir *none_yet(Lower *l, const Search *s)
{
    return ir_slot_is(l->m, s->best_valid, 0);
}

Ir *search_better(Lower *l, const Search *s, Ir *value)
{
    return ir_or(none_yet(l, s), ir_gt(value, ir_read_slot(l->m, s->best_value)));
}

Ir *search_unless_done(Lower *l, const Search *s, Ir *body)
{
    return s->first && !s->memo.first_is_best ? ir_and(none_yet(l, s), body) : body;
}

Ir *search_take(Lower *l, const Search *s, Ir *position)
{
    return ir_and(ir_store_int(l->arena, s->best_valid, 1), ir_store(s->best, position));
}

// Keeps the texts of a match: the best one, or (with a trail) another one of the same value.
static Ir *keep(Lower *l, const Search *s, bool better)
{
    Arena *a = l->arena;
    Ir *mark = s->texts ? ir_read_slot(l->m, s->log_mark) : ir_call(a, IR_CALL_log_mark, 0);
    if (s->trail)
        return ir_call(a, IR_CALL_trail_keep, 5, ir_int(a, s->start), ir_current(a), mark,
                       ir_read_slot(l->m, s->best_value), ir_int(a, better));
    return s->texts ? ir_call(a, IR_CALL_texts_keep, 2, ir_int(a, s->log_mark), mark) : NULL;
}

Ir *search_put_texts(Lower *l, const Search *s)
{
    return s->texts ? ir_call(l->arena, IR_CALL_texts_put, 1, ir_int(l->arena, s->log_mark)) : NULL;
}

Ir *search_quick(Lower *l, const Search *s)
{
    if (is_always_quick(s))
        return ir_bool(l->arena, true);
    return s->quick ? ir_nonzero(ir_read_slot(l->m, s->quick)) : ir_bool(l->arena, false);
}

// Every path has a move: the list has one that is not repeated.
static bool certainly_moves(const Ast *path)
{
    for (int i = 0; i < path->kid_count; i++)
        if (path->kid[i]->op == OP_PATH_DASH)
            return true;
    return false;
}

int search_offer(Lower *l, const Search *s, SearchFunction f, Ir *let, int value, Ir *accept)
{
    Ir *better = search_better(l, s, ir_local(l->f, value));
    Ir *take = ir_all(4, search_take(l, s, ir_current(l->arena)),
                      ir_store(s->best_value, ir_local(l->f, value)), accept, keep(l, s, true));
    if (s->ast->flags & AST_KEEPALLBEST) {
        Ir *equal = ir_eq(ir_local(l->f, value), ir_read_slot(l->m, s->best_value));
        take = ir_if(better, take, ir_and(equal, keep(l, s, false)));
    } else {
        take = s->memo.first_is_best ? take : ir_and(better, take);
    }
    // Zero-length paths never match, but count where the longest path is found for all starts.
    Ir *moved = s->ast->op == OP_PATH && !certainly_moves(s->ast)
                    ? ir_ne(ir_current(l->arena), ir_read_slot(l->m, s->start))
                    : NULL;
    const bool any_start = s->memo.kind == MEMO_LONGEST;
    Ir *body = ir_all(5, any_start ? NULL : moved, let, ir_always(take), any_start ? moved : NULL,
                      s->memo.first_is_best ? ir_bool(l->arena, true) : search_quick(l, s));
    return search_function_end(l, f, log_rollback(l, body, facts_add_text(l, s->ast->kid_right)));
}

// ---- the filter -------------------------------------------------------------------------------------------

Ir *search_is_counted(Lower *l, const Search *s)
{
    return ir_eq(ir_side(l->arena), ir_read_slot(l->m, s->side));
}

// nestban: marks the positions of the match, but not the end of a path (5.7) and not what a line skips (5.13).
static Ir *mark_positions(Lower *l, const Search *s)
{
    if (s->mark_set < 0)
        return NULL;
    const int at = ir_new_local(l->f, IRT_POSITION), last = ir_named_local(l->f, IRT_POSITION, "last");
    Ir *end = ir_read_slot(l->m, s->best);
    Ir *mark = ir_call(l->arena, IR_CALL_mark, 2, ir_int(l->arena, s->mark_set), ir_local(l->f, at));
    if (s->side)
        mark = ir_always(ir_and(ir_at(ir_local(l->f, at), search_is_counted(l, s)), mark));
    Ir *more = ir_ne(ir_local(l->f, at), ir_local(l->f, last));
    Ir *up = ir_let(at, move_node(l, IR_NODE_PARENT, at));
    return ir_all(3, ir_let(at, s->ast->op == OP_PATH ? ir_node(IR_NODE_PARENT, end) : end),
                  ir_let(last, ir_node(IR_NODE_PARENT, ir_read_slot(l->m, s->start))),
                  ir_while(more, ir_and(mark, up)));
}

Ir *search_comments(Lower *l, const Search *s, int count, int focus)
{
    enum {
        QUIET = 1,
        MAX = 2,
        VERBOSE = 4,
        PIECEPATH = 8,
        LINE = 16
    }; // of rt_path_comments and rt_trail_comments
    Arena *a = l->arena;
    const Ast *ast = s->ast;
    const unsigned set = ast->flags;
    Ir *title = ast->text != NULL ? ir_text(l->m, ast->text, ast->text_length) : ir_string(l->m, "");
    Ir *start = ir_read_slot(l->m, s->start), *value = ir_read_slot(l->m, s->best_value);
    Ir *flags = ir_int(a, (set & AST_QUIET ? QUIET : 0) | (ast->kid_right != NULL ? MAX : 0) |
                              (set & AST_VERBOSE ? VERBOSE : 0) | (set & AST_PIECEPATH ? PIECEPATH : 0) |
                              (ast->op == OP_LINE ? LINE : 0));
    if (s->trail)
        return ir_call(a, IR_CALL_trail_comments, 5, ir_int(a, s->start), start,
                       focus ? ir_read_slot(l->m, focus) : ir_set(a, 0), flags, title);
    Ir *texts = search_put_texts(l, s);
    if (set & AST_QUIET && ast->text == NULL)
        return texts;
    return ir_and(texts, ir_call(a, IR_CALL_path_comments, 6, start, ir_read_slot(l->m, s->best),
                                 ir_read_slot(l->m, count), value, flags, title));
}

Ir *search_filter(Lower *l, const Search *s, Ir *begin, Ir *run, Ir *end)
{
    Arena *a = l->arena;
    Ir *free_start =
        s->mark_set < 0 ? NULL : ir_not(ir_call(a, IR_CALL_marked, 2, ir_int(a, s->mark_set), ir_current(a)));
    Ir *value = ir_read_slot(l->m, s->best_value);
    Ir *moved = s->memo.kind == MEMO_LONGEST ? ir_with_int(IR_GT, ir_copy(value), 0) : NULL;
    Ir *found = ir_all(3, moved, ir_slot_is(l->m, s->best_valid, 1), range_test(l, &s->ast->range, value));
    return ir_all(7, free_start, start(l, s), begin, run, found, mark_positions(l, s), end);
}

Value search_value(Lower *l, const Search *s, Ir *search)
{
    const int result = s->ast->flags & AST_LASTPOSITION ? s->best : s->best_value;
    const Value value = value_in_local(l, value_of(NULL, ir_read_slot(l->m, result)));
    return value_of(ir_and(search, value.pre), value.val);
}
