// `path` (language reference 5.1 to 5.11) and the filters about the last path. search.h explains the parts of a
// search.
#include "line_search.h"

typedef struct Path {
    Search search;
    int count;         // slot: moves matched so far
    int best_count;    // slot: number of moves of the best path
    int tracked;       // slot: numbers of the pieces in focus; 0: no focus
    int focus_squares; // slot: the focus set at the start; 0: not wanted
    int *atomic;       // slots of the atomic variables: value and bound
    int *best_atomic;  // slots: what these were when the best path was complete
    int atomic_count;  // of each
} Path;

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

// offer(P) of 5.5: the function at the end of every list.
static int path_offer(Lower *l, const Path *p)
{
    enum { LEAST_VALUE = -100000000 }; // values of max that are not greater are ignored (5.5)
    const Search *s = &p->search;
    const SearchFunction f = search_function(l, s, "end", NULL);
    const int value = ir_named_local(l->f, IRT_INT, "value");
    const Ast *max = s->ast->kid_right;
    Ir *let = max == NULL
                  ? ir_let(value, ir_read_slot(l->m, p->count))
                  : ir_and(lower_into(l, max, value), ir_with_int(IR_GT, ir_local(l->f, value), LEAST_VALUE));
    Ir *count = p->best_count != s->best_value ? ir_copy_slot(l->m, p->best_count, p->count) : NULL;
    Ir *accept = ir_and(count, copy_slots(l, p->best_atomic, p->atomic, p->atomic_count));
    return search_offer(l, s, f, let, value, accept);
}

// ---- dash constituents ------------------------------------------------------------------------------------

// One counted move, to the position in the local: targets and the rest of the path there.
static Ir *take_move(Lower *l, Path *p, const Ast *dash, DashScope *scope, int move, int next)
{
    Ir *before;
    const int *saved = search_save(l, p->atomic, p->atomic_count, &before);
    before = ir_and(before, ir_store_sum(l->m, p->count, 1));
    Ir *after = ir_store_sum(l->m, p->count, -1);
    if (p->search.trail) {
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
        if (*local[i])
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
    Ir *body = p->tracked ? dash_in_focus(l, p, dash, next) : dash_to_children(l, p, dash, next);
    body = log_rollback(l, body, sides_add_text(l, dash));
    if (p->search.memo.kind == MEMO_LONGEST)
        return body;
    return ir_and(memo_can_improve(l, &p->search, p->count), body);
}

// ---- constituents -----------------------------------------------------------------------------------------

static Ir *path_filter(Lower *l, const Ast *filter, int next)
{
    Ir *body = ir_and(lower_condition(l, filter), ir_invoke(l->arena, next));
    return log_rollback(l, body, facts_add_text(l, filter));
}

static Rest path_leaf(Lower *l, Search *s, const Ast *constituent, Rest next)
{
    Path *p = (Path *)s;
    const bool move = constituent->op == OP_PATH_DASH;
    const SearchFunction f = search_function(l, s, move ? "move" : "filter", constituent);
    Ir *body =
        move ? path_dash(l, p, constituent, next.function) : path_filter(l, constituent, next.function);
    next.function = search_list_end(l, s, f, body);
    return next;
}

static const SearchKind path_kind = {"path", path_leaf, NULL};

// ---- before and after the search --------------------------------------------------------------------------

// The set of focus or of singlecolor, at the start (5.6).
static Ir *track(Lower *l, const Path *p)
{
    Arena *a = l->arena;
    if (!p->tracked)
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
                  p->focus_squares ? ir_store(p->focus_squares, ir_local(l->f, squares)) : NULL);
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
    find_status(l, false);
    Path p = {.search = search_begin(l, ast, &path_kind, condition)};
    Search *s = &p.search;
    p.count = search_slot(l, s, IRT_INT, "count");
    p.best_count = ast->kid_right != NULL ? search_slot(l, s, IRT_INT, "best count") : s->best_value;
    if (ast->kid_left != NULL || ast->flags & AST_SINGLECOLOR) {
        p.tracked = search_slot(l, s, IRT_SET, "pieces in focus");
        l->m->info.flags |= QUERY_NEEDS_PIECES;
    }
    if (ast->flags & AST_PIECEPATH)
        p.focus_squares = search_slot(l, s, IRT_SET, "focus");
    find_atomic(l, &p);
    s->memo = memo_plan(l, s, p.tracked != 0, p.atomic_count > 0);
    return p;
}

// The move that every path begins with; NULL: not known.
static const Ast *first_dash(const Ast *list)
{
    const Ast *first = list->kid[0];
    if (list->op == OP_REPEAT && list->low == 0)
        return NULL;
    return first->op == OP_PATH_DASH                               ? first
           : first->op == OP_REPEAT || first->op == OP_GROUP_CHAIN ? first_dash(first)
                                                                   : NULL;
}

static bool is_plain_side(const Ast *side)
{
    return side == NULL || side->op == OP_DESIGNATOR || side->op == OP_ALL_SQUARES;
}

// Some move from here is like the first one of the path: tested before anything is prepared. NULL: it says nothing.
static Ir *may_begin(Lower *l, const Ast *ast)
{
    const Ast *dash = first_dash(ast);
    if (dash == NULL || !is_plain_side(dash->kid_left) || !is_plain_side(dash->kid_right))
        return NULL;
    DashScope scope;
    const int move = ir_new_local(l->f, IRT_POSITION);
    Ir *sides = dash_sides(l, dash, &scope), *fits = dash_fits(l, dash, &scope, move);
    return fits == NULL ? NULL : ir_and(sides, ir_each_child(ir_current(l->arena), move, fits, MODE_ANY));
}

// Is more done before the search than assignments?
static bool begin_costs(const Path *p)
{
    const Search *s = &p->search;
    return s->memo.kind != MEMO_NONE || s->texts || s->trail || p->tracked || p->atomic_count > 0;
}

// Bool node: runs the search. The slots of *p get the result.
static Ir *path_search(Lower *l, const Ast *ast, Path *p, bool condition)
{
    *p = path_begin(l, ast, condition);
    Search *s = &p->search;
    PathScope scope = {s->start, p->count, s->best, s->best_valid};
    l->in = (Scopes){.path = &scope};
    Ir *begin = ir_all(3, ir_store_int(l->arena, p->count, 0), track(l, p), memo_begin(l, s, p->tracked));
    const Rest first = search_constituents(l, s, (Rest){.function = path_offer(l, p)});
    Ir *save;
    const int *saved = search_save(l, p->atomic, p->atomic_count, &save);
    Ir *run = ir_all(3, save, ir_always(search_invoke(l, first)),
                     search_restore(l, p->atomic, p->atomic_count, saved));
    Ir *end = ir_all(3, copy_slots(l, p->atomic, p->best_atomic, p->atomic_count), set_status(l, p),
                     search_comments(l, s, p->best_count, p->focus_squares));
    // Where preparing costs nothing, the search itself begins with that test.
    Ir *test = begin_costs(p) ? may_begin(l, ast) : NULL;
    return ir_and(test, search_filter(l, s, begin, run, end));
}

static Value path_value(Lower *l, const Ast *ast)
{
    Path p;
    Ir *search = path_search(l, ast, &p, false);
    return search_value(l, &p.search, search);
}

static Ir *path_condition(Lower *l, const Ast *ast)
{
    Path p;
    return path_search(l, ast, &p, true);
}

const Lowering lowering_path[OP_COUNT_] = {
    [OP_PATH] = {path_value, path_condition}, [OP_PATHSTART] = {status_value},
    [OP_PATHLASTPOSITION] = {status_value},   [OP_PATHCOUNT] = {status_value},
    [OP_PATHCOUNTUNFOCUSED] = {status_value}, [OP_PATHDEBUG] = {NULL, lower_true},
};
