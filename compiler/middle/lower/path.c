// `path` (language reference 5.1 to 5.11) and the filters about the last path. search.h explains the parts of a
// search.
#include "search.h"

typedef struct Path {
    Search search;
    int count;         // slot: moves matched so far
    int best_count;    // slot: number of moves of the best path
    int tracked;       // slot: numbers of the pieces in focus; -1: no focus
    int focus_squares; // slot: the focus set at the start; -1: not wanted
    bool trail;        // moves or alternatives are recorded for comments
    int *atomic;       // slots of the atomic variables: value and bound
    int *best_atomic;  // slots: what these were when the best path was complete
    int atomic_count;  // of each
    Memo memo;
} Path;

static int path_match(Lower *l, Path *p, const Ast *constituent, int next);

// ---- atomic variables (5.8) -------------------------------------------------------------------------------

static void add_atomic_slot(Lower *l, Path *p, int slot)
{
    int count = p->atomic_count;
    const char *name = arena_printf(l->arena, "best %s", l->m->slot_name[slot]);
    const int best = ir_new_slot(l->m, l->m->slot_type[slot], name);
    ARENA_PUSH(l->arena, p->best_atomic, count, best);
    ARENA_PUSH(l->arena, p->atomic, p->atomic_count, slot);
}

static void add_atomic(Lower *l, Path *p, const Variable *v)
{
    for (int i = 0; i < p->atomic_count; i++)
        if (p->atomic[i] == variable_slot(l, v))
            return;
    add_atomic_slot(l, p, variable_slot(l, v));
    add_atomic_slot(l, p, variable_bound_slot(l, v));
}

// Collects the atomic assignments up to the end of this path in the text. True: the end was reached.
static bool collect_atomic(Lower *l, Path *p, const Ast *node)
{
    Ast **operand;
    for (int i = 0; (operand = ast_operand(node, i)) != NULL; i++)
        if (collect_atomic(l, p, *operand))
            return true;
    if (node->op == OP_ASSIGN && node->flags & AST_ATOMIC)
        add_atomic(l, p, node->variable);
    return node == p->search.ast;
}

static void find_atomic(Lower *l, Path *p)
{
    bool any = false;
    for (int i = 0; i < l->query->variable_count; i++)
        any = any || l->query->variable[i]->atomic;
    if (any)
        collect_atomic(l, p, l->query->body);
}

static Ir *copy_slots(Lower *l, const int *to, const int *from, int count)
{
    Ir *all = NULL;
    for (int i = 0; i < count; i++)
        all = ir_and(all, ir_copy_slot(l->m, to[i], from[i]));
    return all;
}

// ---- complete paths ---------------------------------------------------------------------------------------

static Ir *trail_keep(Lower *l, const Path *p, bool better)
{
    Arena *a = l->arena;
    Ir *mark = p->search.texts ? ir_read_slot(l->m, p->search.log_mark) : ir_call(a, IR_CALL_log_mark, 0);
    return ir_call(a, IR_CALL_trail_keep, 4, ir_int(a, p->search.start), mark,
                   ir_read_slot(l->m, p->search.best_value), ir_int(a, better));
}

static Ir *accept(Lower *l, const Path *p, int value)
{
    const Search *s = &p->search;
    Ir *count = p->best_count != s->best_value ? ir_copy_slot(l->m, p->best_count, p->count) : NULL;
    return ir_all(5, search_take(l, s, ir_current(l->arena)), ir_store(s->best_value, ir_local(l->f, value)),
                  count, copy_slots(l, p->best_atomic, p->atomic, p->atomic_count),
                  p->trail ? trail_keep(l, p, true) : search_keep_texts(l, s));
}

// offer(P) of 5.5: the function at the end of every list.
static int path_offer(Lower *l, Path *p)
{
    enum { LEAST_VALUE = -100000000 }; // values of max that are not greater are ignored (5.5)
    const Search *s = &p->search;
    const SearchFunction f = search_function(l, s, "end", NULL);
    const int value = ir_named_local(l->f, IRT_INT, "value");
    const Ast *max = s->ast->kid_right;
    Ir *moved = ir_ne(ir_current(l->arena), ir_read_slot(l->m, s->start));
    Ir *let = max == NULL
                  ? ir_let(value, ir_read_slot(l->m, p->count))
                  : ir_and(lower_into(l, max, value), ir_with_int(IR_GT, ir_local(l->f, value), LEAST_VALUE));
    Ir *better = search_better(l, s, ir_local(l->f, value)), *take = accept(l, p, value);
    if (s->ast->flags & AST_KEEPALLBEST) {
        Ir *equal = ir_eq(ir_local(l->f, value), ir_read_slot(l->m, s->best_value));
        take = ir_if(better, take, ir_and(equal, trail_keep(l, p, false)));
    } else {
        take = ir_and(better, take);
    }
    Ir *done = p->memo.first_is_best ? ir_bool(l->arena, true) : search_quick(l, s);
    const bool any_start = p->memo.kind == MEMO_LONGEST; // paths without a move count, too
    Ir *body = ir_all(5, any_start ? NULL : moved, let, ir_always(take), any_start ? moved : NULL, done);
    return search_function_end(l, f, log_rollback(l, body, facts_add_text(l, max)));
}

// ---- dash constituents ------------------------------------------------------------------------------------

// One counted move, to the position in the local: targets and the rest of the path there.
static Ir *take_move(Lower *l, Path *p, const Ast *dash, DashScope *scope, int move, int next)
{
    Ir *before;
    const int *saved = search_save(l, p->atomic, p->atomic_count, &before);
    before = ir_and(before, ir_store_sum(l->m, p->count, 1));
    Ir *after = ir_store_sum(l->m, p->count, -1);
    if (p->trail) {
        Ir *path = ir_int(l->arena, p->search.start);
        before = ir_and(before, ir_call(l->arena, IR_CALL_trail_push, 2, path, ir_local(l->f, move)));
        after = ir_and(after, ir_call(l->arena, IR_CALL_trail_pop, 1, ir_copy(path)));
    }
    after = ir_and(after, search_restore(l, p->atomic, p->atomic_count, saved));
    Ir *there = ir_and(dash_targets(l, dash, scope, -1), ir_invoke(l->arena, next));
    there = log_rollback(l, ir_at(ir_local(l->f, move), there), dash_adds_text(l, dash));
    return ir_and(before, ir_or(there, ir_then_false(l->arena, after)));
}

static bool sides_add_text(const Lower *l, const Ast *dash)
{
    return facts_add_text(l, dash->kid_left) || facts_add_text(l, dash->kid_right) || dash_adds_text(l, dash);
}

// Without focus: the children are the candidates.
static Ir *dash_to_children(Lower *l, Path *p, const Ast *dash, int next)
{
    DashScope scope;
    const int move = ir_new_local(l->f, IRT_POSITION);
    Ir *guard = ir_exists(ir_node(IR_NODE_FIRST_CHILD, ir_current(l->arena)));
    Ir *sides = dash_sides(l, dash, &scope);
    const bool primary = (p->search.ast->flags & AST_PRIMARY) != 0;
    Ir *first = primary ? ir_with_int(IR_EQ, move_node(l, IR_NODE_INDEX, move), 0) : NULL;
    Ir *body = ir_all(3, first, dash_fits(l, dash, &scope, move), dash_promotion(l, dash, move));
    body = ir_and(body, take_move(l, p, dash, &scope, move, next));
    return ir_all(3, guard, sides, ir_each_child(ir_current(l->arena), move, body, MODE_ANY));
}

// ---- focus (5.6) ------------------------------------------------------------------------------------------

static Ir *square_bit(Lower *l, int field, int move)
{
    return ir_bit(move_node(l, field, move));
}

static Ir *is_tracked(Lower *l, const Path *p, int move, Ir *squares)
{
    Ir *pieces = ir_call(l->arena, IR_CALL_pieces_on, 2, move_node(l, IR_NODE_PARENT, move), squares);
    return ir_any(ir_set_and(pieces, ir_read_slot(l->m, p->tracked)));
}

// The move in the local is in focus.
static Ir *in_focus(Lower *l, const Path *p, int move)
{
    Ir *squares = ir_set_or(square_bit(l, IR_NODE_FROM, move), square_bit(l, IR_NODE_ROOK_FROM, move));
    if (p->search.ast->flags & AST_CAPTURE)
        ir_add_kid(squares, square_bit(l, IR_NODE_VICTIM, move));
    return is_tracked(l, p, move, squares);
}

// Takes the squares of an untracked piece of castling out of both sides.
static Ir *drop_untracked(Lower *l, const Path *p, const DashScope *scope, int move, int from_field,
                          int to_field)
{
    const int local[2] = {scope->left, scope->right}, field[2] = {from_field, to_field};
    Ir *drop = NULL;
    for (int i = 0; i < 2; i++) {
        Ir *others = ir_set_not(square_bit(l, field[i], move));
        drop = ir_and(drop, ir_let(local[i], ir_set_and(ir_local(l->f, local[i]), others)));
    }
    return ir_or(is_tracked(l, p, move, square_bit(l, from_field, move)), drop);
}

// The sides at the head of a candidate that may come after skipped moves.
static Ir *focus_sides(Lower *l, const Path *p, const Ast *dash, DashScope *scope, int move)
{
    Ir *sides = dash_sides(l, dash, scope);
    if (sides != NULL)
        sides = ir_at(move_node(l, IR_NODE_PARENT, move), sides);
    int *const local[2] = {&scope->left, &scope->right};
    for (int i = 0; i < 2; i++) {
        if (*local[i] >= 0)
            continue;
        *local[i] = ir_new_local(l->f, IRT_SET);
        sides = ir_and(sides, ir_let(*local[i], ir_set(l->arena, BB_ALL)));
    }
    Ir *drop = ir_and(drop_untracked(l, p, scope, move, IR_NODE_FROM, IR_NODE_TO),
                      drop_untracked(l, p, scope, move, IR_NODE_ROOK_FROM, IR_NODE_ROOK_TO));
    return ir_and(sides, ir_always(ir_and(move_flag(l, MOVE_CASTLE, move), drop)));
}

// The candidate in the local is tried: its sides and promotion at its head, the rest of the path at its tail.
static Ir *try_in_focus(Lower *l, Path *p, const Ast *dash, int move, int next)
{
    DashScope scope;
    Ir *sides = focus_sides(l, p, dash, &scope, move);
    Ir *promotion = dash_promotion(l, dash, move);
    if (promotion != NULL)
        promotion = ir_at(move_node(l, IR_NODE_PARENT, move), promotion);
    Ir *fits = dash_fits(l, dash, &scope, move);
    Ir *try = ir_all(4, sides, fits, promotion, take_move(l, p, dash, &scope, move, next));
    return log_rollback(l, try, sides_add_text(l, dash));
}

static Ir *next_position(Ir *position)
{
    return ir_position_of(ir_with_int(IR_ADD, ir_int_of(position), 1));
}

// With focus: the first moves in focus on every line below. The subtree is walked in preorder, and what follows
// a candidate is skipped; at the start of the path only its own moves count.
static Ir *dash_in_focus(Lower *l, Path *p, const Ast *dash, int next)
{
    Arena *a = l->arena;
    const int move = ir_new_local(l->f, IRT_POSITION), last = ir_named_local(l->f, IRT_POSITION, "last");
    const int stop = ir_named_local(l->f, IRT_INT, "stop"), skip = ir_named_local(l->f, IRT_INT, "skip");
    Ir *try = try_in_focus(l, p, dash, move, next);
    Ir *visit = ir_all(4, in_focus(l, p, move), ir_let_int(l->f, skip, 1), try, ir_let_int(l->f, stop, 1));
    Ir *from =
        ir_choose(ir_nonzero(ir_local(l->f, skip)), move_node(l, IR_NODE_LAST, move), ir_local(l->f, move));
    Ir *at_start = ir_eq(ir_current(a), ir_read_slot(l->m, p->search.start));
    Ir *body =
        ir_all(3, ir_let(skip, ir_int_of(at_start)), ir_always(visit), ir_let(move, next_position(from)));
    Ir *more = ir_and(ir_with_int(IR_EQ, ir_local(l->f, stop), 0),
                      ir_le(ir_local(l->f, move), ir_local(l->f, last)));
    return ir_all(5, ir_let(move, next_position(ir_current(a))),
                  ir_let(last, ir_node(IR_NODE_LAST, ir_current(a))), ir_let_int(l->f, stop, 0),
                  ir_while(more, body), ir_nonzero(ir_local(l->f, stop)));
}

static Ir *path_dash(Lower *l, Path *p, const Ast *dash, int next)
{
    Ir *body = p->tracked >= 0 ? dash_in_focus(l, p, dash, next) : dash_to_children(l, p, dash, next);
    body = log_rollback(l, body, sides_add_text(l, dash));
    if (p->memo.kind == MEMO_LONGEST)
        return body;
    return ir_and(memo_can_improve(l, &p->memo, &p->search, p->count), body);
}

// ---- repetitions ------------------------------------------------------------------------------------------

// The rest of the path, or the constituent of the repetition once more.
static int repeat_end_function(Lower *l, Path *p, SearchFunction f, int next, int once)
{
    Ir *body = ir_or(ir_invoke(l->arena, next), ir_invoke(l->arena, once));
    body = memo_wrap(l, &p->memo, &p->search, body);
    return search_function_end(l, f, search_unless_done(l, &p->search, body));
}

// X* and X+ for an X that always moves: a function that tries the rest, then X and itself.
static int repeat_freely(Lower *l, Path *p, const Ast *repeat, int next)
{
    const SearchFunction f = search_function(l, &p->search, "repeat", repeat);
    const int once = path_match(l, p, repeat->kid[0], f.number);
    const int again = repeat_end_function(l, p, f, next, once);
    return repeat->low == 0 ? again : once;
}

// The end of a repetition, where `firstmatch` looks whether there is a path already. After a move without
// wildcard it does not, so the other moves from the same position are tried too (5.5).
static int repeat_end(Lower *l, Path *p, const Ast *repeat, int next)
{
    if (!(p->search.ast->flags & AST_FIRSTMATCH))
        return next;
    const SearchFunction f = search_function(l, &p->search, "after", repeat);
    return search_function_end(l, f, search_unless_done(l, &p->search, ir_invoke(l->arena, next)));
}

static int repeat_optional(Lower *l, Path *p, const Ast *repeat, int next)
{
    const SearchFunction f = search_function(l, &p->search, "optional", repeat);
    const int end = repeat->number ? repeat_end(l, p, repeat, next) : next;
    return repeat_end_function(l, p, f, next, path_match(l, p, repeat->kid[0], end));
}

// May a repetition begin, with `count` (local) done? After one that made no move only up to the minimum (5.5).
// NULL: yes.
static Ir *may_repeat(Lower *l, const Ast *repeat, int count, int began)
{
    Ir *allowed = NULL;
    if (repeat->high < UNLIMITED)
        allowed = ir_with_int(IR_LT, ir_local(l->f, count), repeat->high);
    if (!memo_can_stay(repeat->kid[0]))
        return allowed;
    Ir *needed = ir_with_int(IR_LT, ir_local(l->f, count), repeat->low > 1 ? repeat->low : 1);
    Ir *moved = ir_ne(ir_read_slot(l->m, began), ir_current(l->arena));
    return ir_and(allowed, ir_or(needed, moved));
}

// X{low,high} with a counter.
static int repeat_counted(Lower *l, Path *p, const Ast *repeat, int next)
{
    const int slot[2] = {search_slot(l, &p->search, IRT_INT, "repetitions"),
                         search_slot(l, &p->search, IRT_POSITION, "repetition began")};
    const SearchFunction f = search_function(l, &p->search, "repeat", repeat);
    const int least = repeat->low > 1 ? repeat->low : 1;
    const PathCounter counter = {slot[0], memo_can_stay(repeat->kid[0]) ? slot[1] : -1,
                                 repeat->high < UNLIMITED ? repeat->high : least, p->memo.counter};
    p->memo.counter = &counter;
    const int once = path_match(l, p, repeat->kid[0], f.number);
    Ir *save;
    const int *local = search_save(l, slot, 2, &save);
    Ir *rest = ir_and(ir_with_int(IR_GE, ir_local(l->f, local[0]), repeat->low), ir_invoke(l->arena, next));
    Ir *begin = ir_and(ir_store(slot[1], ir_current(l->arena)), ir_store_sum(l->m, slot[0], 1));
    Ir *restore = ir_then_false(l->arena, search_restore(l, slot, 2, local));
    Ir *once_more =
        ir_all(3, may_repeat(l, repeat, local[0], slot[1]), begin, ir_or(ir_invoke(l->arena, once), restore));
    Ir *body = memo_wrap(l, &p->memo, &p->search, ir_and(save, ir_or(rest, once_more)));
    p->memo.counter = counter.outer;
    search_function_end(l, f, search_unless_done(l, &p->search, body));
    return search_enter(l, &p->search, repeat, f.number, slot, 2);
}

static int path_repeat(Lower *l, Path *p, const Ast *repeat, int next)
{
    if (repeat->high == 0)
        return repeat_end(l, p, repeat, next);
    if (repeat->low == 1 && repeat->high == 1)
        return path_match(l, p, repeat->kid[0], repeat_end(l, p, repeat, next));
    if (repeat->low == 0 && repeat->high == 1)
        return repeat_optional(l, p, repeat, next);
    if (repeat->low <= 1 && repeat->high >= UNLIMITED && !memo_can_stay(repeat->kid[0]))
        return repeat_freely(l, p, repeat, next);
    return repeat_counted(l, p, repeat, next);
}

// ---- constituents -----------------------------------------------------------------------------------------

static Ir *path_filter(Lower *l, const Ast *filter, int next)
{
    Ir *body = ir_and(lower_condition(l, filter), ir_invoke(l->arena, next));
    return log_rollback(l, body, facts_add_text(l, filter));
}

// The function that matches a constituent and goes on with function `next`.
static int path_match(Lower *l, Path *p, const Ast *constituent, int next)
{
    if (constituent->op == OP_GROUP_CHAIN) {
        for (int i = constituent->kid_count - 1; i >= 0; i--)
            next = path_match(l, p, constituent->kid[i], next);
        return next;
    }
    if (constituent->op == OP_REPEAT)
        return path_repeat(l, p, constituent, next);
    const bool move = constituent->op == OP_PATH_DASH;
    const SearchFunction f = search_function(l, &p->search, move ? "move" : "filter", constituent);
    Ir *body = move ? path_dash(l, p, constituent, next) : path_filter(l, constituent, next);
    return search_function_end(l, f, search_unless_done(l, &p->search, body));
}

// ---- before and after the search --------------------------------------------------------------------------

// The set of focus or of singlecolor, at the start (5.6).
static Ir *track(Lower *l, const Path *p)
{
    Arena *a = l->arena;
    if (p->tracked < 0)
        return NULL;
    Value set;
    if (p->search.ast->flags & AST_SINGLECOLOR) {
        Ir *white = ir_with_int(IR_EQ, ir_side(a), WHITE);
        set = value_of(NULL, ir_choose(white, ir_board(a, BOARD_WHITE), ir_board(a, BOARD_BLACK)));
    } else {
        set = lower_value(l, p->search.ast->kid_left);
    }
    const int squares = ir_named_local(l->f, IRT_SET, "focus");
    Ir *pieces = ir_call(a, IR_CALL_pieces_on, 2, ir_current(a), ir_local(l->f, squares));
    return ir_all(4, set.pre, ir_let(squares, set.val), ir_store(p->tracked, pieces),
                  p->focus_squares >= 0 ? ir_store(p->focus_squares, ir_local(l->f, squares)) : NULL);
}

// Marks the positions from the start to the one before the end (5.7).
static Ir *mark_positions(Lower *l, const Path *p)
{
    const Search *s = &p->search;
    if (s->mark_set < 0)
        return NULL;
    const int at = ir_new_local(l->f, IRT_POSITION);
    Ir *up = ir_let(at, move_node(l, IR_NODE_PARENT, at));
    Ir *more = ir_ne(ir_local(l->f, at), ir_read_slot(l->m, s->start));
    Ir *loop = ir_while(more, ir_and(up, search_mark(l, s, at)));
    return ir_and(ir_let(at, ir_read_slot(l->m, s->best)), loop);
}

static Ir *path_comments(Lower *l, const Path *p)
{
    enum { QUIET = 1, MAX = 2, VERBOSE = 4, PIECEPATH = 8 }; // of rt_path_comments and rt_trail_comments
    Arena *a = l->arena;
    const Search *s = &p->search;
    const Ast *ast = s->ast;
    Ir *title = ast->text != NULL ? ir_text(l->m, ast->text, ast->text_length) : ir_string(l->m, "");
    int flags = (ast->flags & AST_QUIET ? QUIET : 0) | (ast->kid_right != NULL ? MAX : 0);
    Ir *start = ir_read_slot(l->m, s->start);
    if (p->trail) {
        flags |= (ast->flags & AST_VERBOSE ? VERBOSE : 0) | (ast->flags & AST_PIECEPATH ? PIECEPATH : 0);
        Ir *focus = p->focus_squares >= 0 ? ir_read_slot(l->m, p->focus_squares) : ir_set(a, 0);
        return ir_call(a, IR_CALL_trail_comments, 5, ir_int(a, s->start), start, focus, ir_int(a, flags),
                       title);
    }
    Ir *texts = search_put_texts(l, s);
    if (flags & QUIET && ast->text == NULL)
        return texts;
    return ir_and(texts, ir_call(a, IR_CALL_path_comments, 6, start, ir_read_slot(l->m, s->best),
                                 ir_read_slot(l->m, p->best_count), ir_read_slot(l->m, s->best_value),
                                 ir_int(a, flags), title));
}

// ---- the status of the last path (5.10) -------------------------------------------------------------------

enum { STATUS_VALID, STATUS_START, STATUS_LAST, STATUS_COUNT };
enum { STATUS_UNUSED = -2 }; // Lower.path_status_slots: no filter asks

static bool asks_status(const Ast *node, void *user)
{
    (void)user;
    const bool status = node->op == OP_PATHSTART || node->op == OP_PATHLASTPOSITION ||
                        node->op == OP_PATHCOUNT || node->op == OP_PATHCOUNTUNFOCUSED;
    return status && node->number == 0;
}

static void find_status(Lower *l, bool certainly)
{
    if (l->path_status_slots >= 0 || (l->path_status_slots == STATUS_UNUSED && !certainly))
        return;
    if (!certainly && !ast_contains(l->query->body, asks_status, NULL)) {
        l->path_status_slots = STATUS_UNUSED;
        return;
    }
    l->path_status_slots = ir_new_slot(l->m, IRT_INT, "a path was found");
    ir_new_slot(l->m, IRT_POSITION, "last path start");
    ir_new_slot(l->m, IRT_POSITION, "last path end");
    ir_new_slot(l->m, IRT_INT, "last path count");
}

static Ir *set_status(Lower *l, const Path *p)
{
    const int status = l->path_status_slots;
    if (status < 0)
        return NULL;
    return ir_all(4, ir_store_int(l->arena, status + STATUS_VALID, 1),
                  ir_copy_slot(l->m, status + STATUS_START, p->search.start),
                  ir_copy_slot(l->m, status + STATUS_LAST, p->search.best),
                  ir_copy_slot(l->m, status + STATUS_COUNT, p->best_count));
}

// pathstart, pathlastposition, pathcount, pathcountunfocused.
static Value status_value(Lower *l, const Ast *ast)
{
    PathScope last;
    const PathScope *scope = l->in.path;
    if (scope == NULL) {
        find_status(l, true);
        const int status = l->path_status_slots;
        last = (PathScope){.start = status + STATUS_START,
                           .count = status + STATUS_COUNT,
                           .best = status + STATUS_LAST,
                           .best_valid = status + STATUS_VALID};
        scope = &last;
    }
    const bool certain = scope == l->in.path && ast->op != OP_PATHLASTPOSITION;
    Ir *pre = certain ? NULL : ir_slot_is(l->m, scope->best_valid, 1);
    switch (ast->op) {
    case OP_PATHSTART:
        return value_of(pre, ir_read_slot(l->m, scope->start));
    case OP_PATHLASTPOSITION:
        return value_of(pre, ir_read_slot(l->m, scope->best));
    case OP_PATHCOUNT:
        return value_of(pre, ir_read_slot(l->m, scope->count));
    default: {
        Ir *start = ir_node(IR_NODE_PLY, ir_read_slot(l->m, scope->start));
        Ir *plies = ir_sub(ir_node(IR_NODE_PLY, ir_current(l->arena)), start);
        return value_of(pre, ir_sub(plies, ir_read_slot(l->m, scope->count)));
    }
    }
}

// ---- the filter -------------------------------------------------------------------------------------------

static Path path_begin(Lower *l, const Ast *ast, bool condition)
{
    const unsigned recorded = AST_VERBOSE | AST_PIECEPATH | AST_KEEPALLBEST;
    find_status(l, false);
    Path p = {.search = search_begin(l, ast, "path", condition), .tracked = -1, .focus_squares = -1};
    Search *s = &p.search;
    p.count = search_slot(l, s, IRT_INT, "count");
    s->best_value = search_slot(l, s, IRT_INT, "best value");
    p.best_count = ast->kid_right != NULL ? search_slot(l, s, IRT_INT, "best count") : s->best_value;
    p.trail = (ast->flags & recorded) != 0;
    if (ast->kid_left != NULL || ast->flags & AST_SINGLECOLOR) {
        p.tracked = search_slot(l, s, IRT_SET, "pieces in focus");
        l->m->info.flags |= QUERY_NEEDS_PIECES;
    }
    if (ast->flags & AST_PIECEPATH)
        p.focus_squares = search_slot(l, s, IRT_SET, "focus");
    find_atomic(l, &p);
    p.memo = memo_plan(l, s, p.tracked >= 0, p.atomic_count > 0);
    return p;
}

// Makes the functions of the search and returns the first one.
static int path_functions(Lower *l, Path *p)
{
    int next = path_offer(l, p);
    for (int i = p->search.ast->kid_count - 1; i >= 0; i--)
        next = path_match(l, p, p->search.ast->kid[i], next);
    return next;
}

// Bool node: runs the search. The slots of *p get the result.
static Ir *path_search(Lower *l, const Ast *ast, Path *p, bool condition)
{
    *p = path_begin(l, ast, condition);
    const Search *s = &p->search;
    PathScope scope = {p->search.start, p->count, s->best, s->best_valid};
    const Scopes outer = l->in;
    l->in = (Scopes){.path = &scope, .relation = outer.relation};
    Ir *trail = p->trail ? ir_call(l->arena, IR_CALL_trail_start, 1, ir_int(l->arena, s->start)) : NULL;
    Ir *begin = ir_all(5, search_start(l, s), ir_store_int(l->arena, p->count, 0), memo_begin(l, &p->memo),
                       track(l, p), trail);
    const int first = path_functions(l, p);
    l->in = outer;

    Ir *save;
    const int *saved = search_save(l, p->atomic, p->atomic_count, &save);
    Ir *run = ir_all(3, save, ir_always(ir_invoke(l->arena, first)),
                     search_restore(l, p->atomic, p->atomic_count, saved));
    Ir *value = ir_read_slot(l->m, s->best_value);
    Ir *moved = p->memo.kind == MEMO_LONGEST ? ir_with_int(IR_GT, ir_copy(value), 0) : NULL;
    Ir *found = ir_all(3, moved, ir_slot_is(l->m, s->best_valid, 1), range_test(l, &ast->range, value));
    Ir *end = ir_all(4, copy_slots(l, p->atomic, p->best_atomic, p->atomic_count), set_status(l, p),
                     mark_positions(l, p), path_comments(l, p));
    return ir_all(5, search_not_marked(l, s), begin, run, found, end);
}

static Value path_value(Lower *l, const Ast *ast)
{
    if (ast->op != OP_PATH)
        return status_value(l, ast);
    Path p;
    Ir *search = path_search(l, ast, &p, false);
    const int result = ast->flags & AST_LASTPOSITION ? p.search.best : p.search.best_value;
    const Value value = value_in_local(l, value_of(NULL, ir_read_slot(l->m, result)));
    return value_of(ir_and(search, value.pre), value.val);
}

static Ir *path_condition(Lower *l, const Ast *ast)
{
    Path p;
    if (ast->op == OP_PATH)
        return path_search(l, ast, &p, true);
    return ast->op == OP_PATHDEBUG ? ir_bool(l->arena, true) : ir_or_true(l->arena, status_value(l, ast).pre);
}

const Lowering lowering_path = {path_condition, path_value};
