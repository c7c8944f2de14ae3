// What the search of a path may leave out because it cannot change the result (language reference 5.5, 5.19).
// The number of moves matched is the same for all ways from the start to a position, so a function of the
// search that is called again at a position finds nothing better there.
#include "search.h"

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
        alone.kid_left = alone.kid_right = alone.kid_extra = alone.kid_extra2 = NULL;
        return has_side_effects(&alone);
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

// Of the constituents and the operand of max.
static bool parts_contain(const Ast *path, bool (*test)(const Ast *node, void *user))
{
    if (path->kid_right != NULL && ast_contains(path->kid_right, test, NULL))
        return true;
    for (int i = 0; i < path->kid_count; i++) {
        if (ast_contains(path->kid[i], test, NULL))
            return true;
    }
    return false;
}

static int choices(const Ast *constituent)
{
    int count = constituent->op == OP_REPEAT && constituent->low != constituent->high;
    if (constituent->op == OP_REPEAT || constituent->op == OP_GROUP_CHAIN) {
        for (int i = 0; i < constituent->kid_count; i++)
            count += choices(constituent->kid[i]);
    }
    return count;
}

static int path_choices(const Ast *path)
{
    int count = 0;
    for (int i = 0; i < path->kid_count; i++)
        count += choices(path->kid[i]);
    return count;
}

Memo memo_plan(Lower *l, const Search *s, bool focus, bool atomic)
{
    const Ast *path = s->ast;
    const unsigned recorded = AST_VERBOSE | AST_PIECEPATH | AST_KEEPALLBEST;
    Memo memo = {.kind = MEMO_NONE, .number = -1};
    if (atomic || path->flags & AST_KEEPALLBEST || parts_contain(path, has_lasting_effect) ||
        parts_contain(path, asks_best))
        return memo;
    const int count = path_choices(path);
    memo.prune = path->kid_right == NULL;
    memo.first_is_best = memo.prune && count == 0 && !s->texts && !(path->flags & recorded);
    if (count > 0 && memo.prune && !focus && !s->texts && !(path->flags & (recorded | AST_FIRSTMATCH)) &&
        !parts_contain(path, is_variable))
        memo.kind = MEMO_LONGEST;
    else if (count > 1)
        memo.kind = MEMO_VISITED;
    if (memo.kind != MEMO_NONE)
        memo.number = l->memo_count++;
    return memo;
}

// ---- states -----------------------------------------------------------------------------------------------

static int32_t counter_states(const PathCounter *c)
{
    return (c->most + 1) * (c->began >= 0 ? 2 : 1);
}

// The number of a function and of the state of the counters around it; NULL when there are too many.
static Ir *memo_code(Lower *l, Memo *memo)
{
    Arena *a = l->arena;
    int64_t states = 1;
    Ir *state = ir_int(a, 0);
    for (const PathCounter *c = memo->counter; c != NULL; c = c->outer) {
        states *= counter_states(c);
        if (states > INT32_MAX / 2)
            return NULL;
        Ir *done = ir_slot(l->arena, IRT_INT, c->done);
        Ir *less = ir_with_int(IR_LT, ir_slot(l->arena, IRT_INT, c->done), c->most);
        done = ir_choose(less, done, ir_int(a, c->most));
        state = ir_with_int(IR_MUL, state, c->most + 1);
        state = ir_add(state, done);
        if (c->began < 0)
            continue;
        Ir *idle = ir_eq(ir_slot(l->arena, IRT_POSITION, c->began), ir_current(l->arena));
        state = ir_with_int(IR_MUL, state, 2);
        state = ir_add(state, ir_int_of(idle));
    }
    if (memo->codes + states > INT32_MAX)
        return NULL;
    Ir *code = ir_add(ir_int(a, (int32_t)memo->codes), state);
    memo->codes += states;
    return code;
}

// ---- the search -------------------------------------------------------------------------------------------

Ir *memo_begin(Lower *l, const Memo *memo)
{
    if (memo->kind == MEMO_NONE)
        return NULL;
    return ir_call(l->arena, IR_CALL_memo_begin, 2, ir_int(l->arena, memo->number),
                   ir_int(l->arena, memo->kind == MEMO_LONGEST));
}

static Ir *plies(Ir *end, Ir *start)
{
    return ir_sub(ir_node(IR_NODE_PLY, end), ir_node(IR_NODE_PLY, start));
}

// Takes the end in the local, if there is one, when the path to it is longer than the best.
static Ir *offer_end(Lower *l, const Search *s, int best_value, int end)
{
    Ir *start = ir_slot(l->arena, IRT_POSITION, s->start);
    const int length = ir_new_local(l->f, IRT_INT);
    Ir *exists = ir_with_int(IR_GE, ir_int_of(ir_local(l->f, end)), 0);
    Ir *measure = ir_let(length, plies(ir_local(l->f, end), start));
    Ir *better = ir_gt(ir_local(l->f, length), ir_slot(l->arena, IRT_INT, best_value));
    better = ir_or(ir_with_int(IR_EQ, ir_slot(l->arena, IRT_INT, s->best_valid), 0), better);
    Ir *take = ir_and(ir_store_int(l->arena, s->best_valid, 1), ir_store(s->best, ir_local(l->f, end)));
    take = ir_and(take, ir_store(best_value, ir_local(l->f, length)));
    Ir *moved = ir_with_int(IR_GT, ir_local(l->f, length), 0);
    Ir *all = ir_all(4, exists, measure, better, take);
    return ir_all(3, all, moved, search_quick(l, s));
}

// The search from here with a best path of its own, which is kept. A search that ended (quick) has found some
// path, which need not be the longest one from here; that it makes a move is enough for any start. The code
// is in a local, since a search that ended leaves the counters as they were then.
static Ir *search_apart(Lower *l, const Search *s, const Memo *memo, int best_value, int code, Ir *body)
{
    Arena *a = l->arena;
    const int valid = ir_new_local(l->f, IRT_INT), best = ir_new_local(l->f, IRT_POSITION),
              value = ir_new_local(l->f, IRT_INT);
    const int ended = ir_new_local(l->f, IRT_INT);
    Ir *save = ir_and(ir_let(valid, ir_slot(l->arena, IRT_INT, s->best_valid)),
                      ir_let(best, ir_slot(l->arena, IRT_POSITION, s->best)));
    save = ir_and(save, ir_let(value, ir_slot(l->arena, IRT_INT, best_value)));
    save = ir_and(save, ir_store_int(l->arena, s->best_valid, 0));
    Ir *run = ir_if(body, ir_let_int(l->f, ended, 1), ir_let_int(l->f, ended, 0));

    Ir *none = ir_position_of(ir_int(a, -1));
    Ir *end = ir_choose(ir_with_int(IR_EQ, ir_slot(l->arena, IRT_INT, s->best_valid), 1),
                        ir_slot(l->arena, IRT_POSITION, s->best), none);
    Ir *exact = ir_with_int(IR_EQ, ir_local(l->f, ended), 0);
    Ir *moves = ir_ne(ir_slot(l->arena, IRT_POSITION, s->best), ir_current(l->arena));
    Ir *keep = ir_call(a, IR_CALL_memo_keep, 3, ir_int(a, memo->number), ir_local(l->f, code), end);
    keep = ir_always(ir_and(ir_or(exact, moves), keep));

    Ir *longer = ir_gt(ir_slot(l->arena, IRT_INT, best_value), ir_local(l->f, value));
    longer = ir_and(ir_with_int(IR_EQ, ir_slot(l->arena, IRT_INT, s->best_valid), 1), longer);
    Ir *restore = ir_and(ir_store_int(l->arena, s->best_valid, 1), ir_store(s->best, ir_local(l->f, best)));
    restore = ir_and(restore, ir_store(best_value, ir_local(l->f, value)));
    Ir *older = ir_and(ir_nonzero(ir_local(l->f, valid)), ir_or(longer, restore));
    Ir *merge = ir_always(older);
    Ir *result = ir_nonzero(ir_local(l->f, ended));
    return ir_all(4, save, run, keep, ir_or(result, ir_then_false(l->arena, merge)));
}

Ir *memo_wrap(Lower *l, Memo *memo, const Search *s, int best_value, Ir *body)
{
    Arena *a = l->arena;
    Ir *code = memo->kind != MEMO_NONE ? memo_code(l, memo) : NULL;
    if (code == NULL)
        return body;
    Ir *number = ir_int(a, memo->number);
    if (memo->kind == MEMO_VISITED)
        return ir_and(ir_call(a, IR_CALL_memo_visit, 2, number, code), body);
    const int end = ir_new_local(l->f, IRT_POSITION), code_local = ir_new_local(l->f, IRT_INT);
    Ir *known = ir_call_out(a, IR_CALL_memo_find, end, 2, number, ir_local(l->f, code_local));
    Ir *search = search_apart(l, s, memo, best_value, code_local, body);
    search = ir_if(known, offer_end(l, s, best_value, end), search);
    return ir_and(ir_let(code_local, code), search);
}

// The positions below are at least as many as the moves that can still be made.
Ir *memo_can_improve(Lower *l, const Memo *memo, const Search *s, int count, int best_value)
{
    if (!memo->prune)
        return NULL;
    Ir *last = ir_int_of(ir_node(IR_NODE_LAST, ir_current(l->arena)));
    Ir *below = ir_sub(last, ir_int_of(ir_current(l->arena)));
    Ir *most = ir_add(ir_slot(l->arena, IRT_INT, count), below);
    Ir *more = ir_gt(most, ir_slot(l->arena, IRT_INT, best_value));
    return ir_or(ir_with_int(IR_EQ, ir_slot(l->arena, IRT_INT, s->best_valid), 0), more);
}
