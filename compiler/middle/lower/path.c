// Lowering of `path` (language reference 5.1 to 5.11) and of the path status filters. The parts of a search
// are explained in lower_search.h.
#include "search.h"

#include <string.h>

typedef struct AtomicVariable {
    const Variable *variable;
    int best_value, best_bound; // slots: what it was when the best path was complete
} AtomicVariable;

typedef struct Path {
    Search search;
    int count;         // slot: moves matched so far
    int best_value;    // slot: value of the best path: its number of moves, or the value of the max filter
    int best_count;    // slot: its number of moves
    int tracked;       // slot: numbers of the pieces in focus; -1: no focus
    int focus_squares; // slot: the focus set at the start; -1: not wanted
    bool trail;        // moves or alternatives are recorded for comments
    AtomicVariable *atomic;
    int atomic_count;
    Memo memo;
} Path;

static int path_match(Lower *l, Path *p, const Ast *constituent, int next);

// ---- atomic variables (5.8) -------------------------------------------------------------------------------

static IrType ir_type_of_variable(const Variable *v)
{
    return ir_type_of(variable_type(v));
}

static void add_atomic(Lower *l, Path *p, const Variable *v)
{
    for (int i = 0; i < p->atomic_count; i++) {
        if (p->atomic[i].variable == v)
            return;
    }
    AtomicVariable atomic = {v, new_slot(l, arena_printf(l->arena, "best %s", v->name)),
                             new_slot(l, arena_printf(l->arena, "best %s bound", v->name))};
    ARENA_PUSH(l->arena, p->atomic, p->atomic_count, atomic);
}

// Collects the atomic assignments up to the end of this path in the text. True: the end was reached.
static bool collect_atomic(Lower *l, Path *p, const Ast *node)
{
    const Ast *const roles[] = {node->kid_left, node->kid_right, node->kid_extra, node->kid_extra2};
    for (int i = 0; i < 4; i++) {
        if (roles[i] != NULL && collect_atomic(l, p, roles[i]))
            return true;
    }
    for (int i = 0; i < node->kid_count; i++) {
        if (collect_atomic(l, p, node->kid[i]))
            return true;
    }
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

// Copies all atomic variables into new locals of the current function; saved[2 * i] and [2 * i + 1] are their
// numbers.
static Ir *save_atomic(Lower *l, const Path *p, int **saved)
{
    Ir *all = NULL;
    *saved = arena_alloc(l->arena, sizeof(int) * (size_t)(2 * p->atomic_count + 1));
    for (int i = 0; i < p->atomic_count; i++) {
        const Variable *v = p->atomic[i].variable;
        const int value = ir_new_local(l->f, ir_type_of_variable(v)), bound = ir_new_local(l->f, IRT_INT);
        (*saved)[2 * i] = value;
        (*saved)[2 * i + 1] = bound;
        all = ir_and(all, ir_let(value, ir_slot(l->arena, ir_type_of_variable(v), variable_slot(l, v))));
        all = ir_and(all, ir_let(bound, ir_slot(l->arena, IRT_INT, variable_bound_slot(l, v))));
    }
    return all;
}

static Ir *restore_atomic(Lower *l, const Path *p, const int *saved)
{
    Ir *all = NULL;
    for (int i = 0; i < p->atomic_count; i++) {
        const Variable *v = p->atomic[i].variable;
        all = ir_and(all, ir_store(variable_slot(l, v), ir_local(l->f, saved[2 * i])));
        all = ir_and(all, ir_store(variable_bound_slot(l, v), ir_local(l->f, saved[2 * i + 1])));
    }
    return all;
}

static Ir *copy_slot(Lower *l, IrType type, int to, int from)
{
    return ir_store(to, ir_slot(l->arena, type, from));
}

// Between the variables and their values in the best path.
static Ir *copy_atomic(Lower *l, const Path *p, bool to_best)
{
    Ir *all = NULL;
    for (int i = 0; i < p->atomic_count; i++) {
        const AtomicVariable *atomic = &p->atomic[i];
        const int value = variable_slot(l, atomic->variable),
                  bound = variable_bound_slot(l, atomic->variable);
        const IrType type = ir_type_of_variable(atomic->variable);
        all = ir_and(all, to_best ? copy_slot(l, type, atomic->best_value, value)
                                  : copy_slot(l, type, value, atomic->best_value));
        all = ir_and(all, to_best ? copy_slot(l, IRT_INT, atomic->best_bound, bound)
                                  : copy_slot(l, IRT_INT, bound, atomic->best_bound));
    }
    return all;
}

// ---- complete paths ---------------------------------------------------------------------------------------

static Ir *trail_keep(Lower *l, const Path *p, bool better)
{
    Arena *a = l->arena;
    Ir *mark =
        p->search.texts ? ir_slot(l->arena, IRT_INT, p->search.log_mark) : ir_call(a, IR_CALL_log_mark, 0);
    Ir *value = ir_slot(l->arena, IRT_INT, p->best_value);
    return ir_call(a, IR_CALL_trail_keep, 4, ir_int(a, p->search.start), mark, value, ir_int(a, better));
}

static Ir *accept(Lower *l, const Path *p, int value)
{
    Ir *all = ir_and(ir_store_int(l->arena, p->search.best_valid, 1),
                     ir_store(p->search.best, ir_current(l->arena)));
    all = ir_and(all, ir_store(p->best_value, ir_local(l->f, value)));
    if (p->best_count != p->best_value)
        all = ir_and(all, copy_slot(l, IRT_INT, p->best_count, p->count));
    all = ir_and(all, copy_atomic(l, p, true));
    return ir_and(all, p->trail ? trail_keep(l, p, true) : search_keep_texts(l, &p->search));
}

// offer(P) of 5.5: the function at the end of every list.
static int path_offer(Lower *l, Path *p)
{
    Arena *a = l->arena;
    int number;
    IrFunction *outer = search_function(l, &p->search, &number);
    const int value = ir_new_local(l->f, IRT_INT);
    const Ast *max = p->search.ast->kid_right;
    Ir *moved = ir_ne(ir_current(l->arena), ir_slot(l->arena, IRT_POSITION, p->search.start));
    Ir *let = max != NULL ? lower_into(l, max, value) : ir_let(value, ir_slot(l->arena, IRT_INT, p->count));
    if (max != NULL) // values not above this are ignored (5.5)
        let = ir_and(let, ir_with_int(IR_GT, ir_local(l->f, value), -100000000));
    Ir *better = ir_gt(ir_local(l->f, value), ir_slot(l->arena, IRT_INT, p->best_value));
    better = ir_or(ir_with_int(IR_EQ, ir_slot(l->arena, IRT_INT, p->search.best_valid), 0), better);
    Ir *take = accept(l, p, value);
    if (p->search.ast->flags & AST_KEEPALLBEST) {
        Ir *equal = ir_eq(ir_local(l->f, value), ir_slot(l->arena, IRT_INT, p->best_value));
        Ir *beside = ir_and(equal, trail_keep(l, p, false));
        take = ir_if(better, take, beside);
    } else {
        take = ir_and(better, take);
    }
    Ir *done = p->memo.first_is_best ? ir_bool(a, true) : search_quick(l, &p->search);
    Ir *body;
    if (p->memo.kind == MEMO_LONGEST) // from here as from any start
        body = ir_all(4, let, ir_always(take), moved, done);
    else
        body = ir_all(4, moved, let, ir_always(take), done);
    search_function_end(l, number, body, outer);
    return number;
}

// `firstmatch`: nothing more is tried once there is a path.
static Ir *unless_done(Lower *l, const Path *p, Ir *body)
{
    if (!(p->search.ast->flags & AST_FIRSTMATCH))
        return body;
    return ir_and(ir_with_int(IR_EQ, ir_slot(l->arena, IRT_INT, p->search.best_valid), 0), body);
}

// ---- dash constituents ------------------------------------------------------------------------------------

// One counted move, to the position in the local: targets and the rest of the path there.
static Ir *take_move(Lower *l, Path *p, const Ast *dash, DashScope *scope, int move, int next)
{
    Arena *a = l->arena;
    int *saved;
    Ir *before = ir_and(save_atomic(l, p, &saved), store_sum(l, p->count, 1));
    Ir *after = store_sum(l, p->count, -1);
    if (p->trail) {
        const int path = p->search.start;
        before = ir_and(before, ir_call(a, IR_CALL_trail_push, 2, ir_int(a, path), ir_local(l->f, move)));
        after = ir_and(after, ir_call(a, IR_CALL_trail_pop, 1, ir_int(a, path)));
    }
    after = ir_and(after, restore_atomic(l, p, saved));
    Ir *there = ir_and(dash_targets(l, dash, scope), ir_invoke(l->arena, next));
    there = with_rollback(l, ir_at(ir_local(l->f, move), there), dash_adds_text(l, dash));
    return ir_and(before, ir_or(there, ir_then_false(l->arena, after)));
}

static bool sides_add_text(const Lower *l, const Ast *dash)
{
    return (dash->kid_left != NULL && adds_text(l, dash->kid_left)) ||
           (dash->kid_right != NULL && adds_text(l, dash->kid_right)) || dash_adds_text(l, dash);
}

// Without focus: the children are the candidates.
static Ir *dash_to_children(Lower *l, Path *p, const Ast *dash, int next)
{
    DashScope scope;
    const int move = ir_new_local(l->f, IRT_POSITION);
    Ir *guard = ir_exists(ir_node(IR_NODE_FIRST_CHILD, ir_current(l->arena)));
    Ir *sides = dash_sides(l, dash, &scope);
    Ir *valid = ir_and(dash_fits(l, dash, &scope, move), dash_promotion(l, dash, move));
    if (p->search.ast->flags & AST_PRIMARY) {
        Ir *index = move_node(l, IR_NODE_INDEX, move);
        valid = ir_and(ir_with_int(IR_EQ, index, 0), valid);
    }
    Ir *body = ir_and(valid, take_move(l, p, dash, &scope, move, next));
    return ir_all(3, guard, sides, ir_each_child(ir_current(l->arena), move, body, MODE_ANY));
}

static Ir *square_bit(Lower *l, int field, int move)
{
    return ir_bit(move_node(l, field, move));
}

static Ir *is_tracked(Lower *l, const Path *p, int move, Ir *squares)
{
    Arena *a = l->arena;
    Ir *pieces = ir_call(a, IR_CALL_pieces_on, 2, move_node(l, IR_NODE_PARENT, move), squares);
    Ir *both = ir_set_and(pieces, ir_slot(l->arena, IRT_SET, p->tracked));
    return ir_any(both);
}

// The move in the local is in focus (5.6).
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
    Ir *tracked = is_tracked(l, p, move, square_bit(l, from_field, move));
    const int local[2] = {scope->left, scope->right}, field[2] = {from_field, to_field};
    Ir *drop = NULL;
    for (int i = 0; i < 2; i++) {
        Ir *others = ir_set_not(square_bit(l, field[i], move));
        Ir *rest = ir_set_and(ir_local(l->f, local[i]), others);
        drop = ir_and(drop, ir_let(local[i], rest));
    }
    return ir_or(tracked, drop);
}

// The sides at the head of a candidate that may come after skipped moves.
static Ir *focus_sides(Lower *l, const Path *p, const Ast *dash, DashScope *scope, int move)
{
    Arena *a = l->arena;
    Ir *sides = dash_sides(l, dash, scope);
    if (sides != NULL)
        sides = ir_at(move_node(l, IR_NODE_PARENT, move), sides);
    int *const local[2] = {&scope->left, &scope->right};
    for (int i = 0; i < 2; i++) {
        if (*local[i] >= 0)
            continue;
        *local[i] = ir_new_local(l->f, IRT_SET);
        sides = ir_and(sides, ir_let(*local[i], ir_set(a, ~0ULL)));
    }
    Ir *drop = ir_and(drop_untracked(l, p, scope, move, IR_NODE_FROM, IR_NODE_TO),
                      drop_untracked(l, p, scope, move, IR_NODE_ROOK_FROM, IR_NODE_ROOK_TO));
    return ir_and(sides, ir_always(ir_and(move_flag(l, MOVE_CASTLE, move), drop)));
}

// With focus: the first moves in focus on every line below. The subtree is walked in preorder, jumping behind
// each candidate; at the start of the path only its own moves count.
static Ir *dash_in_focus(Lower *l, Path *p, const Ast *dash, int next)
{
    DashScope scope;
    const int move = ir_new_local(l->f, IRT_POSITION), last = ir_new_local(l->f, IRT_POSITION),
              stop = ir_new_local(l->f, IRT_INT);
    const int jump = ir_new_local(l->f, IRT_INT);
    Ir *sides = focus_sides(l, p, dash, &scope, move);
    Ir *promotion = dash_promotion(l, dash, move);
    if (promotion != NULL)
        promotion = ir_at(move_node(l, IR_NODE_PARENT, move), promotion);
    Ir *valid = ir_all(3, sides, dash_fits(l, dash, &scope, move), promotion);
    Ir *try = ir_and(valid, take_move(l, p, dash, &scope, move, next));
    try = with_rollback(l, try, sides_add_text(l, dash));

    Ir *at_start = ir_eq(ir_current(l->arena), ir_slot(l->arena, IRT_POSITION, p->search.start));
    Ir *visit = ir_all(3, in_focus(l, p, move), ir_let_int(l->f, jump, 1), try);
    visit = ir_always(ir_and(visit, ir_let_int(l->f, stop, 1)));
    Ir *behind =
        ir_choose(ir_nonzero(ir_local(l->f, jump)), move_node(l, IR_NODE_LAST, move), ir_local(l->f, move));
    Ir *advance = ir_let(move, ir_position_of(ir_with_int(IR_ADD, ir_int_of(behind), 1)));
    Ir *body = ir_all(3, ir_let(jump, ir_int_of(at_start)), visit, advance);
    Ir *more = ir_le(ir_local(l->f, move), ir_local(l->f, last));
    more = ir_and(ir_with_int(IR_EQ, ir_local(l->f, stop), 0), more);
    Ir *loop = ir_while(more, body);

    Ir *first = ir_with_int(IR_ADD, ir_int_of(ir_current(l->arena)), 1);
    Ir *begin = ir_and(ir_let(move, ir_position_of(first)),
                       ir_let(last, ir_node(IR_NODE_LAST, ir_current(l->arena))));
    begin = ir_and(begin, ir_let_int(l->f, stop, 0));
    return ir_all(3, begin, loop, ir_nonzero(ir_local(l->f, stop)));
}

static Ir *path_dash(Lower *l, Path *p, const Ast *dash, int next)
{
    Ir *body = p->tracked >= 0 ? dash_in_focus(l, p, dash, next) : dash_to_children(l, p, dash, next);
    body = with_rollback(l, body, sides_add_text(l, dash));
    if (p->memo.kind == MEMO_LONGEST)
        return body;
    return ir_and(memo_can_improve(l, &p->memo, &p->search, p->count, p->best_value), body);
}

// ---- repetitions ------------------------------------------------------------------------------------------

// X* and X+ for an X that always moves: a function that tries the rest, then X and itself.
static int repeat_freely(Lower *l, Path *p, const Ast *repeat, int next)
{
    int again;
    IrFunction *outer = search_function(l, &p->search, &again);
    const int once = path_match(l, p, repeat->kid[0], again);
    Ir *body = ir_or(ir_invoke(l->arena, next), ir_invoke(l->arena, once));
    body = memo_wrap(l, &p->memo, &p->search, p->best_value, body);
    search_function_end(l, again, unless_done(l, p, body), outer);
    return repeat->low == 0 ? again : once;
}

// The end of a repetition, where `firstmatch` looks whether there is a path already. Behind a move without
// wildcard it does not, so the other moves from the same position are tried too (5.5).
static int repeat_end(Lower *l, Path *p, int next)
{
    if (!(p->search.ast->flags & AST_FIRSTMATCH))
        return next;
    int number;
    IrFunction *outer = search_function(l, &p->search, &number);
    search_function_end(l, number, unless_done(l, p, ir_invoke(l->arena, next)), outer);
    return number;
}

static int repeat_optional(Lower *l, Path *p, const Ast *repeat, int next)
{
    int number;
    IrFunction *outer = search_function(l, &p->search, &number);
    const int end = repeat->number ? repeat_end(l, p, next) : next;
    const int once = path_match(l, p, repeat->kid[0], end);
    Ir *body = ir_or(ir_invoke(l->arena, next), ir_invoke(l->arena, once));
    body = memo_wrap(l, &p->memo, &p->search, p->best_value, body);
    search_function_end(l, number, unless_done(l, p, body), outer);
    return number;
}

// The function that begins a counted repetition: saves the counters of an enclosing run of the same one.
static int repeat_enter(Lower *l, Path *p, int counted, int done, int began)
{
    int number;
    IrFunction *outer = search_function(l, &p->search, &number);
    const int old_done = ir_new_local(l->f, IRT_INT), old_began = ir_new_local(l->f, IRT_POSITION);
    Ir *save = ir_and(ir_let(old_done, ir_slot(l->arena, IRT_INT, done)),
                      ir_let(old_began, ir_slot(l->arena, IRT_POSITION, began)));
    Ir *restore =
        ir_and(ir_store(done, ir_local(l->f, old_done)), ir_store(began, ir_local(l->f, old_began)));
    Ir *run = ir_or(ir_invoke(l->arena, counted), ir_then_false(l->arena, restore));
    search_function_end(l, number, ir_all(3, save, ir_store_int(l->arena, done, 0), run), outer);
    return number;
}

// X{low,high} with a counter. After a repetition that made no move no further one begins beyond the minimum
// (5.5).
static int repeat_counted(Lower *l, Path *p, const Ast *repeat, int next)
{
    const int done = new_slot(l, "repetitions"), began = new_slot(l, "repetition began");
    int number;
    IrFunction *outer = search_function(l, &p->search, &number);
    const PathCounter counter = {done, match_without_move(repeat->kid[0]) ? began : -1,
                                 repeat->high < UNLIMITED ? repeat->high
                                 : repeat->low > 1        ? repeat->low
                                                          : 1,
                                 p->memo.counter};
    p->memo.counter = &counter;
    const int once = path_match(l, p, repeat->kid[0], number);
    const int count = ir_new_local(l->f, IRT_INT), old_began = ir_new_local(l->f, IRT_POSITION);
    Ir *rest = ir_and(ir_with_int(IR_GE, ir_local(l->f, count), repeat->low), ir_invoke(l->arena, next));

    Ir *allowed = NULL;
    if (repeat->high < UNLIMITED)
        allowed = ir_with_int(IR_LT, ir_local(l->f, count), repeat->high);
    if (match_without_move(repeat->kid[0])) {
        const int32_t least = repeat->low > 1 ? repeat->low : 1;
        Ir *needed = ir_with_int(IR_LT, ir_local(l->f, count), least);
        Ir *moved = ir_ne(ir_slot(l->arena, IRT_POSITION, began), ir_current(l->arena));
        allowed = ir_and(allowed, ir_or(needed, moved));
    }
    Ir *begin = ir_and(ir_let(old_began, ir_slot(l->arena, IRT_POSITION, began)),
                       ir_store(began, ir_current(l->arena)));
    begin = ir_and(begin, store_sum(l, done, 1));
    Ir *restore = ir_and(ir_store(done, ir_local(l->f, count)), ir_store(began, ir_local(l->f, old_began)));
    Ir *once_more =
        ir_all(3, allowed, begin, ir_or(ir_invoke(l->arena, once), ir_then_false(l->arena, restore)));
    Ir *body = ir_and(ir_let(count, ir_slot(l->arena, IRT_INT, done)), ir_or(rest, once_more));
    body = memo_wrap(l, &p->memo, &p->search, p->best_value, body);
    p->memo.counter = counter.outer;
    search_function_end(l, number, unless_done(l, p, body), outer);
    return repeat_enter(l, p, number, done, began);
}

static int path_repeat(Lower *l, Path *p, const Ast *repeat, int next)
{
    if (repeat->high == 0)
        return repeat_end(l, p, next);
    if (repeat->low == 1 && repeat->high == 1)
        return path_match(l, p, repeat->kid[0], repeat_end(l, p, next));
    if (repeat->low == 0 && repeat->high == 1)
        return repeat_optional(l, p, repeat, next);
    if (repeat->low <= 1 && repeat->high >= UNLIMITED && !match_without_move(repeat->kid[0]))
        return repeat_freely(l, p, repeat, next);
    return repeat_counted(l, p, repeat, next);
}

// ---- constituents -----------------------------------------------------------------------------------------

static Ir *path_filter(Lower *l, const Ast *filter, int next)
{
    Ir *body = ir_and(lower_condition(l, filter), ir_invoke(l->arena, next));
    return with_rollback(l, body, adds_text(l, filter));
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
    int number;
    IrFunction *outer = search_function(l, &p->search, &number);
    Ir *body = constituent->op == OP_PATH_DASH ? path_dash(l, p, constituent, next)
                                               : path_filter(l, constituent, next);
    search_function_end(l, number, unless_done(l, p, body), outer);
    return number;
}

// ---- the filter -------------------------------------------------------------------------------------------

// The set of focus or of singlecolor, at the start (5.6).
static Ir *track(Lower *l, const Path *p)
{
    Arena *a = l->arena;
    if (p->tracked < 0)
        return NULL;
    Value set;
    if (p->search.ast->flags & AST_SINGLECOLOR) {
        Ir *board[2];
        for (int colour = WHITE; colour <= BLACK; colour++) {
            board[colour] = ir_new(a, IR_BOARD, IRT_SET, 0);
            board[colour]->number = BOARD_WHITE + colour;
        }
        Ir *white = ir_with_int(IR_EQ, ir_side(a), WHITE);
        set = value_of(NULL, ir_choose(white, board[WHITE], board[BLACK]));
    } else {
        set = lower_value(l, p->search.ast->kid_left);
    }
    const int squares = ir_new_local(l->f, IRT_SET);
    Ir *all = ir_and(set.pre, ir_let(squares, set.val));
    Ir *pieces = ir_call(a, IR_CALL_pieces_on, 2, ir_current(l->arena), ir_local(l->f, squares));
    all = ir_and(all, ir_store(p->tracked, pieces));
    if (p->focus_squares >= 0)
        all = ir_and(all, ir_store(p->focus_squares, ir_local(l->f, squares)));
    return all;
}

// Marks the positions from the start to the one before the end (5.7).
static Ir *mark_positions(Lower *l, const Path *p)
{
    Arena *a = l->arena;
    if (p->search.mark_set < 0)
        return NULL;
    const int at = ir_new_local(l->f, IRT_POSITION);
    Ir *up = ir_let(at, move_node(l, IR_NODE_PARENT, at));
    Ir *mark = ir_call(a, IR_CALL_mark, 2, ir_int(a, p->search.mark_set), ir_local(l->f, at));
    Ir *more = ir_ne(ir_local(l->f, at), ir_slot(l->arena, IRT_POSITION, p->search.start));
    Ir *loop = ir_while(more, ir_and(up, mark));
    return ir_and(ir_let(at, ir_slot(l->arena, IRT_POSITION, p->search.best)), loop);
}

enum { COMMENT_QUIET = 1, COMMENT_MAX = 2, COMMENT_VERBOSE = 4, COMMENT_PIECEPATH = 8 };

static Ir *path_comments(Lower *l, const Path *p)
{
    Arena *a = l->arena;
    const Ast *ast = p->search.ast;
    const char *title = ast->text != NULL ? ast->text : "";
    Ir *title_text = ir_text(l->m, title, ast->text != NULL ? ast->text_length : 0);
    int flags = (ast->flags & AST_QUIET ? COMMENT_QUIET : 0) | (ast->kid_right != NULL ? COMMENT_MAX : 0);
    Ir *start = ir_slot(l->arena, IRT_POSITION, p->search.start);
    if (p->trail) {
        flags |= (ast->flags & AST_VERBOSE ? COMMENT_VERBOSE : 0) |
                 (ast->flags & AST_PIECEPATH ? COMMENT_PIECEPATH : 0);
        Ir *focus = p->focus_squares >= 0 ? ir_slot(l->arena, IRT_SET, p->focus_squares) : ir_set(a, 0);
        return ir_call(a, IR_CALL_trail_comments, 5, ir_int(a, p->search.start), start, focus,
                       ir_int(a, flags), title_text);
    }
    Ir *texts = search_put_texts(l, &p->search);
    if (flags & COMMENT_QUIET && ast->text == NULL)
        return texts;
    return ir_and(texts,
                  ir_call(a, IR_CALL_path_comments, 6, start, ir_slot(l->arena, IRT_POSITION, p->search.best),
                          ir_slot(l->arena, IRT_INT, p->best_count),
                          ir_slot(l->arena, IRT_INT, p->best_value), ir_int(a, flags), title_text));
}

// ---- the status of the last path (5.10) -------------------------------------------------------------------

enum { STATUS_VALID, STATUS_START, STATUS_LAST, STATUS_COUNT, STATUS_SLOTS };
enum { STATUS_UNKNOWN = -1, STATUS_UNUSED = -2 };

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
    l->path_status_slots = new_slot(l, "path status");
    for (int i = 1; i < STATUS_SLOTS; i++)
        new_slot(l, "path status");
}

static Ir *set_status(Lower *l, const Path *p)
{
    if (l->path_status_slots < 0)
        return NULL;
    const int status = l->path_status_slots;
    Ir *all = ir_and(ir_store_int(l->arena, status + STATUS_VALID, 1),
                     copy_slot(l, IRT_POSITION, status + STATUS_START, p->search.start));
    all = ir_and(all, copy_slot(l, IRT_POSITION, status + STATUS_LAST, p->search.best));
    return ir_and(all, copy_slot(l, IRT_INT, status + STATUS_COUNT, p->best_count));
}

// ---- assembling -------------------------------------------------------------------------------------------

static Path path_begin(Lower *l, const Ast *ast, bool condition)
{
    const unsigned recorded = AST_VERBOSE | AST_PIECEPATH | AST_KEEPALLBEST;
    find_status(l, false);
    Path p = {.search = search_begin(l, ast, "path", condition), .tracked = -1, .focus_squares = -1};
    p.count = new_slot(l, "path count");
    p.best_value = new_slot(l, "path best value");
    p.best_count = ast->kid_right != NULL ? new_slot(l, "path best count") : p.best_value;
    p.trail = (ast->flags & recorded) != 0;
    if (ast->kid_left != NULL || ast->flags & AST_SINGLECOLOR)
        p.tracked = new_slot(l, "path pieces in focus");
    if (ast->flags & AST_PIECEPATH)
        p.focus_squares = new_slot(l, "path focus");
    if (p.tracked >= 0)
        l->m->info.flags |= QUERY_NEEDS_PIECES;
    find_atomic(l, &p);
    p.memo = memo_plan(l, &p.search, p.tracked >= 0, p.atomic_count > 0);
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

// Bool node: runs the search. The slots of *p hold the result.
static Ir *path_search(Lower *l, const Ast *ast, Path *p, bool condition)
{
    Arena *a = l->arena;
    *p = path_begin(l, ast, condition);
    PathScope scope = {p->search.start, p->count, p->search.best, p->search.best_valid, l->path};
    DashScope *const dash = l->dash;
    LineScope *const line = l->line;
    l->dash = NULL;
    l->line = NULL;
    l->path = &scope;
    Ir *begin = ir_and(search_start(l, &p->search), ir_store_int(l->arena, p->count, 0));
    begin = ir_all(3, begin, memo_begin(l, &p->memo), track(l, p));
    if (p->trail)
        begin = ir_and(begin, ir_call(a, IR_CALL_trail_start, 1, ir_int(a, p->search.start)));
    const int first = path_functions(l, p);
    l->dash = dash;
    l->line = line;
    l->path = scope.outer;

    int *saved;
    Ir *run = ir_and(save_atomic(l, p, &saved), ir_always(ir_invoke(l->arena, first)));
    run = ir_and(run, restore_atomic(l, p, saved));
    Ir *found = ir_and(search_found(l, &p->search),
                       lower_range_test(l, &ast->range, ir_slot(l->arena, IRT_INT, p->best_value)));
    if (p->memo.kind == MEMO_LONGEST)
        found = ir_and(ir_with_int(IR_GT, ir_slot(l->arena, IRT_INT, p->best_value), 0), found);
    Ir *end = ir_and(copy_atomic(l, p, false), set_status(l, p));
    end = ir_all(3, end, mark_positions(l, p), path_comments(l, p));
    return ir_all(5, search_not_marked(l, &p->search), begin, run, found, end);
}

static Value path_value(Lower *l, const Ast *ast)
{
    Path p;
    Ir *search = path_search(l, ast, &p, false);
    const bool position = (ast->flags & AST_LASTPOSITION) != 0;
    const IrType type = position ? IRT_POSITION : IRT_INT;
    const int result = ir_new_local(l->f, type);
    Ir *value = ir_slot(l->arena, type, position ? p.search.best : p.best_value);
    return value_of(ir_and(search, ir_let(result, value)), ir_local(l->f, result));
}

static Ir *path_condition(Lower *l, const Ast *ast)
{
    Path p;
    return path_search(l, ast, &p, true);
}

// pathstart, pathlastposition, pathcount, pathcountunfocused.
static Value status_value(Lower *l, const Ast *ast)
{
    int start, last, count, valid;
    if (l->path != NULL) {
        const PathScope *scope = l->path;
        start = scope->start_slot;
        count = scope->count_slot;
        last = scope->best_slot;
        valid = ast->op == OP_PATHLASTPOSITION ? scope->best_valid_slot : -1;
    } else {
        find_status(l, true);
        valid = l->path_status_slots + STATUS_VALID;
        start = l->path_status_slots + STATUS_START;
        last = l->path_status_slots + STATUS_LAST;
        count = l->path_status_slots + STATUS_COUNT;
    }
    Ir *pre = valid >= 0 ? ir_with_int(IR_EQ, ir_slot(l->arena, IRT_INT, valid), 1) : NULL;
    switch (ast->op) {
    case OP_PATHSTART:
        return value_of(pre, ir_slot(l->arena, IRT_POSITION, start));
    case OP_PATHLASTPOSITION:
        return value_of(pre, ir_slot(l->arena, IRT_POSITION, last));
    case OP_PATHCOUNT:
        return value_of(pre, ir_slot(l->arena, IRT_INT, count));
    default: {
        Ir *plies = ir_sub(ir_node(IR_NODE_PLY, ir_current(l->arena)),
                           ir_node(IR_NODE_PLY, ir_slot(l->arena, IRT_POSITION, start)));
        return value_of(pre, ir_sub(plies, ir_slot(l->arena, IRT_INT, count)));
    }
    }
}

Ir *lower_path_condition(Lower *l, const Ast *ast)
{
    if (ast->op == OP_PATH)
        return path_condition(l, ast);
    if (ast->op == OP_PATHDEBUG)
        return ir_bool(l->arena, true);
    Ir *pre = status_value(l, ast).pre;
    return pre != NULL ? pre : ir_bool(l->arena, true);
}

Value lower_path_value(Lower *l, const Ast *ast)
{
    return ast->op == OP_PATH ? path_value(l, ast) : status_value(l, ast);
}
