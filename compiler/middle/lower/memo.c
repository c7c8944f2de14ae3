// What the search of a path may leave out because it cannot change the result (language reference 5.5, 5.19).
// The number of moves matched is the same for all ways from the start to a position, so a function of the
// search that is called again at a position finds nothing better there.
#include "line_search.h"

// ---- what the tree says -----------------------------------------------------------------------------------

// Effects that stay when the search goes back: everything but texts, which are cut off the log.
static bool has_lasting_effect(const Ast *node, void *user)
{
    (void)user;
    switch (node->op) {
    case OP_COMMENT:
    case OP_FIND:
    case OP_MOVE:
    case OP_STR:
        return false;
    case OP_LINE:
        return (node->flags & AST_NESTBAN) != 0;
    default: {
        Ast alone = *node;
        alone.kid_count = 0;
        alone.kept = 0;
        alone.kid_left = alone.kid_right = alone.kid_extra = alone.kid_extra2 = NULL;
        return facts_have_effects(&alone);
    }
    }
}

// Depends on what the search has found before.
static bool asks_best(const Ast *node, void *user)
{
    (void)user;
    return node->op == OP_PATHLASTPOSITION;
}

// Depends on more than the position at which it is evaluated.
static bool is_variable(const Ast *node, void *user)
{
    (void)user;
    switch (node->op) {
    case OP_PATHSTART:
    case OP_PATHLASTPOSITION:
    case OP_PATHCOUNT:
    case OP_PATHCOUNTUNFOCUSED:
    case OP_GROUP:
    case OP_GROUP_OFFSET:
        return true;
    default:
        return node->variable != NULL || node->variable2 != NULL || node->range.low.variable != NULL ||
               node->range.high.variable != NULL;
    }
}

// Do the constituents or the operand of max contain such a node?
static bool parts_contain(const Ast *path, bool (*test)(const Ast *node, void *user))
{
    bool contain = path->kid_right != NULL && ast_contains(path->kid_right, test, NULL);
    for (int i = 0; i < path->kid_count && !contain; i++)
        contain = ast_contains(path->kid[i], test, NULL);
    return contain;
}

// How many repetitions of a list may go on or end.
static int choices(const Ast *list)
{
    int count = list->op == OP_REPEAT && list->low != list->high;
    if (list->op == OP_REPEAT || list->op == OP_GROUP_CHAIN || list->op == OP_PATH || list->op == OP_LINE)
        for (int i = 0; i < list->kid_count; i++)
            count += choices(list->kid[i]);
    return count;
}

// Does a list have a repetition that leads back to it?
static bool repeats(const Ast *list)
{
    bool found = list->op == OP_REPEAT && list->high > 1;
    if (list->op == OP_REPEAT || list->op == OP_GROUP_CHAIN || list->op == OP_PATH || list->op == OP_LINE)
        for (int i = 0; i < list->kid_count && !found; i++)
            found = repeats(list->kid[i]);
    return found;
}

bool memo_can_stay(const Search *s, const Ast *constituent)
{
    switch (constituent->op) {
    case OP_REPEAT:
        return constituent->low == 0 || memo_can_stay(s, constituent->kid[0]);
    case OP_GROUP_CHAIN:
        for (int i = 0; i < constituent->kid_count; i++)
            if (!memo_can_stay(s, constituent->kid[i]))
                return false;
        return true;
    default: // a filter of a line matches a position, and one of a path makes no move
        return s->ast->op == OP_PATH && constituent->op != OP_PATH_DASH;
    }
}

// Is there a match from a position or not, whatever led there?
static bool finds_once(const Search *s)
{
    return s->quick && !s->texts && !(s->ast->flags & AST_SINGLECOLOR) && repeats(s->ast) &&
           !parts_contain(s->ast, is_variable);
}

Memo memo_plan_line(Lower *l, const Search *s)
{
    Memo memo = {.kind = MEMO_NONE, .number = -1, .visits = -1};
    if (finds_once(s))
        memo = (Memo){.kind = MEMO_EXISTS, .number = l->memo_count++, .visits = -1};
    memo.first_is_best =
        choices(s->ast) == 0 && !s->texts && !s->trail && !parts_contain(s->ast, has_lasting_effect);
    return memo;
}

Memo memo_plan(Lower *l, const Search *s, bool focus, bool atomic)
{
    const Ast *path = s->ast;
    Memo memo = {.kind = MEMO_NONE, .number = -1, .visits = -1};
    if (atomic || path->flags & AST_KEEPALLBEST || parts_contain(path, has_lasting_effect) ||
        parts_contain(path, asks_best))
        return memo;
    const int count = choices(path);
    memo.prune = path->kid_right == NULL;
    memo.first_is_best = memo.prune && count == 0 && !s->texts && !s->trail;
    if (count > 0 && memo.prune && !focus && !s->texts && !s->trail && !s->first &&
        !parts_contain(path, is_variable))
        memo.kind = MEMO_LONGEST;
    else if (count > 1)
        memo.kind = MEMO_VISITED;
    if (memo.kind == MEMO_VISITED)
        memo.visits = l->memo_count++;
    if (memo.kind != MEMO_LONGEST && finds_once(s))
        memo.kind = MEMO_EXISTS;
    if (memo.kind == MEMO_LONGEST || memo.kind == MEMO_EXISTS)
        memo.number = l->memo_count++;
    return memo;
}

// ---- states -----------------------------------------------------------------------------------------------

// The number of a function, of the state of the counters around it and of a condition (NULL: none); NULL when there are
// too many.
static Ir *memo_code(Lower *l, Memo *memo, const Counter *counter, Ir *moved)
{
    Arena *a = l->arena;
    int64_t states = 1;
    Ir *state = ir_int(a, 0);
    if (moved != NULL) {
        states = 2;
        state = ir_int_of(moved);
    }
    for (const Counter *c = counter; c != NULL; c = c->outer) {
        states *= (c->most + 1) * (c->began ? 2 : 1);
        if (states > INT32_MAX / 2)
            return NULL;
        Ir *done = ir_read_slot(l->m, c->done);
        Ir *less = ir_with_int(IR_LT, ir_copy(done), c->most);
        state = ir_add(ir_with_int(IR_MUL, state, c->most + 1), ir_choose(less, done, ir_int(a, c->most)));
        if (!c->began)
            continue;
        Ir *idle = ir_eq(ir_read_slot(l->m, c->began), ir_current(a));
        state = ir_add(ir_with_int(IR_MUL, state, 2), ir_int_of(idle));
    }
    if (memo->codes + states > INT32_MAX)
        return NULL;
    Ir *code = ir_add(ir_int(a, (int32_t)memo->codes), state);
    memo->codes += states;
    return code;
}

// ---- the search -------------------------------------------------------------------------------------------

// The search looks for the best match, so what other searches have found does not help, but it visits no function twice.
static Ir *visits_now(Lower *l, const Search *s)
{
    return s->memo.visits >= 0 ? ir_not(search_quick(l, s)) : ir_bool(l->arena, false);
}

Ir *memo_begin(Lower *l, const Search *s, int tracked)
{
    Arena *a = l->arena;
    Ir *forget = ir_call(a, IR_CALL_memo_begin, 1, ir_int(a, s->memo.visits));
    if (s->memo.kind == MEMO_VISITED)
        return forget;
    if (s->memo.kind != MEMO_EXISTS)
        return NULL;
    Ir *follow = NULL;
    if (tracked)
        follow = ir_call(a, IR_CALL_memo_follow, 2, ir_int(a, s->memo.number), ir_read_slot(l->m, tracked));
    return ir_and(ir_if(visits_now(l, s), forget, ir_bool(a, true)), follow);
}

// Takes the end in the local, if there is one, when the path to it is longer than the best.
static Ir *offer_end(Lower *l, const Search *s, int end)
{
    const int length = ir_named_local(l->f, IRT_INT, "length");
    Ir *start = ir_node(IR_NODE_PLY, ir_read_slot(l->m, s->start));
    Ir *measure = ir_let(length, ir_sub(move_node(l, IR_NODE_PLY, end), start));
    Ir *take =
        ir_and(search_take(l, s, ir_local(l->f, end)), ir_store(s->best_value, ir_local(l->f, length)));
    Ir *moved = ir_with_int(IR_GT, ir_local(l->f, length), 0);
    return ir_all(6, ir_exists(ir_local(l->f, end)), measure, search_better(l, s, ir_local(l->f, length)),
                  take, moved, search_quick(l, s));
}

// The search from here with a best path of its own, which is kept. A search that ended (quick) has found some
// path, which need not be the longest one from here; that it makes a move is enough for every start. The code
// is in a local, since a search that ended leaves the counters as they were then.
static Ir *search_apart(Lower *l, const Search *s, int code, Ir *body)
{
    enum { VALID, BEST, VALUE, COUNT };
    Arena *a = l->arena;
    const int slot[COUNT] = {s->best_valid, s->best, s->best_value},
              ended = ir_named_local(l->f, IRT_INT, "ended");
    Ir *save;
    const int *outer = search_save(l, slot, COUNT, &save);
    save = ir_and(save, ir_store_int(a, s->best_valid, 0));
    Ir *run = ir_if(body, ir_let_int(l->f, ended, 1), ir_let_int(l->f, ended, 0));

    Ir *found = ir_slot_is(l->m, s->best_valid, 1), *best = ir_read_slot(l->m, s->best);
    Ir *end = ir_choose(found, best, ir_position_of(ir_int(a, -1)));
    Ir *exact = ir_with_int(IR_EQ, ir_local(l->f, ended), 0);
    Ir *moves = ir_ne(ir_copy(best), ir_current(a));
    Ir *keep = ir_call(a, IR_CALL_memo_keep, 3, ir_int(a, s->memo.number), ir_local(l->f, code), end);
    keep = ir_always(ir_and(ir_or(exact, moves), keep));

    Ir *longer = ir_gt(ir_read_slot(l->m, s->best_value), ir_local(l->f, outer[VALUE]));
    Ir *restore = ir_and(search_take(l, s, ir_local(l->f, outer[BEST])),
                         ir_store(s->best_value, ir_local(l->f, outer[VALUE])));
    Ir *merge = ir_always(
        ir_and(ir_nonzero(ir_local(l->f, outer[VALID])), ir_or(ir_and(ir_copy(found), longer), restore)));
    return ir_all(4, save, run, keep, ir_or(ir_nonzero(ir_local(l->f, ended)), ir_then_false(a, merge)));
}

// Runs the function from here once a game, as far as only existence matters; a match found before ends the search again.
// Else once in each search where that is allowed.
static Ir *search_once(Lower *l, const Search *s, Ir *code, Ir *body)
{
    Arena *a = l->arena;
    const int end = ir_new_local(l->f, IRT_POSITION), code_local = ir_named_local(l->f, IRT_INT, "code");
    Ir *number = ir_int(a, s->memo.number);
    Ir *keep[2];
    for (int found = 0; found < 2; found++)
        keep[found] = ir_call(a, IR_CALL_memo_keep, 3, ir_copy(number), ir_local(l->f, code_local),
                              found ? ir_current(a) : ir_position_of(ir_int(a, -1)));
    Ir *known = ir_call_out(a, IR_CALL_memo_find, end, 2, number, ir_local(l->f, code_local));
    Ir *again = ir_and(ir_exists(ir_local(l->f, end)), search_take(l, s, ir_current(a)));
    Ir *remembered = ir_all(3, search_quick(l, s), ir_let(code_local, code), known);
    Ir *none = ir_always(ir_and(search_quick(l, s), keep[0]));
    Ir *visit = ir_call(a, IR_CALL_memo_visit, 2, ir_int(a, s->memo.visits), ir_copy(code));
    Ir *search = ir_or(ir_and(body, keep[1]), ir_then_false(a, none));
    return ir_if(remembered, again, ir_and(ir_if(visits_now(l, s), visit, ir_bool(a, true)), search));
}

Ir *memo_wrap(Lower *l, Search *s, const Counter *counter, Ir *body)
{
    Arena *a = l->arena;
    // A path without a move is no match.
    Ir *moved = s->memo.kind == MEMO_EXISTS && s->ast->op == OP_PATH
                    ? ir_ne(ir_current(a), ir_read_slot(l->m, s->start))
                    : NULL;
    Ir *code = s->memo.kind != MEMO_NONE ? memo_code(l, &s->memo, counter, moved) : NULL;
    if (code == NULL)
        return body;
    if (s->memo.kind == MEMO_EXISTS)
        return search_once(l, s, code, body);
    if (s->memo.kind == MEMO_VISITED)
        return ir_and(ir_call(a, IR_CALL_memo_visit, 2, ir_int(a, s->memo.visits), code), body);
    Ir *number = ir_int(a, s->memo.number);
    const int end = ir_new_local(l->f, IRT_POSITION), code_local = ir_named_local(l->f, IRT_INT, "code");
    Ir *known = ir_call_out(a, IR_CALL_memo_find, end, 2, number, ir_local(l->f, code_local));
    Ir *search = search_apart(l, s, code_local, body);
    return ir_and(ir_let(code_local, code), ir_if(known, offer_end(l, s, end), search));
}

// The positions below are at least as many as the moves that can still be made.
Ir *memo_can_improve(Lower *l, const Search *s, int count)
{
    if (!s->memo.prune || s->memo.first_is_best) // nothing has been found while the search goes on
        return NULL;
    Ir *here = ir_current(l->arena);
    Ir *below = ir_sub(ir_int_of(ir_node(IR_NODE_LAST, here)), ir_int_of(ir_copy(here)));
    return search_better(l, s, ir_add(ir_read_slot(l->m, count), below));
}
