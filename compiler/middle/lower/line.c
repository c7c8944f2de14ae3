// Lowering of `line` (language reference 5.12 to 5.14). The parts of a search are explained in
// lower_search.h.
//
// In a line each filter stands for one position, and a line ends where everything that follows can match
// nothing. So the function of a filter must know that about its continuation; counted repetitions make it a
// matter of counters.
#include "build.h"
#include "search.h"

// A counted repetition that the rest of a line is in the middle of: it can end once `slot` has reached `low`.
typedef struct Counter {
    int slot;
    int32_t low;
    struct Counter *next;
} Counter;

// What follows a constituent.
typedef struct Rest {
    int function;     // -1: nothing follows
    bool demands;     // it certainly matches at least one position more
    Counter *counter; // else it can match nothing iff all these counters allow it
} Rest;

typedef struct Line {
    Search search;
    int side;  // slot: singlecolor: the side whose positions count; -1
    int offer; // function that offers the current position as the end
    bool backward;
} Line;

static Rest line_match(Lower *l, Line *line, const Ast *constituent, Rest next);

// ---- complete lines --------------------------------------------------------------------------------------

static Ir *ply_at(Lower *l, Ir *position)
{
    return ir_node(l->arena, IR_NODE_PLY, position);
}

// offer(P) of 5.13.
static void line_offer(Lower *l, Line *line)
{
    Arena *a = l->arena;
    const Search *s = &line->search;
    IrFunction *outer = search_function(l, &line->search, &line->offer);
    Ir *farther = ir_new(a, line->backward ? IR_LT : IR_GT, IRT_BOOL, 2, ply_at(l, current_position(l)),
                         ply_at(l, slot_value(l, IRT_POSITION, s->best)));
    Ir *better = either(l, slot_equals(l, s->best_valid, 0), farther);
    Ir *take = ir_and(l, store_int(l, s->best_valid, 1), ir_store(a, s->best, current_position(l)));
    take = ir_and(l, take, search_keep_texts(l, s));
    search_function_end(l, line->offer, ir_and(l, always(l, ir_and(l, better, take)), search_quick(l, s)),
                        outer);
}

// Offers the current position if nothing more is needed. NULL: something is.
static Ir *offer_if_complete(Lower *l, const Line *line, const Rest *rest)
{
    if (rest->demands)
        return NULL;
    Ir *all = NULL;
    for (const Counter *c = rest->counter; c != NULL; c = c->next) {
        Ir *reached =
            ir_new(l->arena, IR_GE, IRT_BOOL, 2, slot_value(l, IRT_INT, c->slot), ir_int(l->arena, c->low));
        all = ir_and(l, all, reached);
    }
    return ir_and(l, all, invoke(l, line->offer));
}

// ---- steps -----------------------------------------------------------------------------------------------

// primary, secondary: the child in the local may be stepped to. NULL: every child.
static Ir *permitted(Lower *l, const Line *line, int child)
{
    const unsigned flags = line->search.ast->flags;
    if (!(flags & (AST_PRIMARY | AST_SECONDARY)))
        return NULL;
    return ir_new(l->arena, flags & AST_PRIMARY ? IR_EQ : IR_GT, IRT_BOOL, 2,
                  move_node(l, IR_NODE_INDEX, child), ir_int(l->arena, 0));
}

// Calls a function at the next positions. NULL when there is none to call.
static Ir *step_on(Lower *l, const Line *line, int function)
{
    Arena *a = l->arena;
    if (function < 0)
        return NULL;
    if (line->backward) {
        Ir *exists = ir_new(a, IR_GT, IRT_BOOL, 2, ir_new(a, IR_INT_OF, IRT_INT, 1, current_position(l)),
                            ir_int(a, 0));
        if (l->imaginary)
            exists = move_exists(l, ir_node(a, IR_NODE_PARENT, current_position(l)));
        Ir *parent = ir_node(a, IR_NODE_PARENT, current_position(l));
        return ir_and(l, exists, move_at(l, parent, invoke(l, function)));
    }
    const int child = new_local(l, IRT_POSITION);
    Ir *body = ir_and(l, permitted(l, line, child), move_at(l, local_value(l, child), invoke(l, function)));
    Ir *loop = ir_new(a, IR_EACH_CHILD, IRT_BOOL, 2, current_position(l), body);
    loop->number = child;
    loop->mode = MODE_ANY;
    return loop;
}

static Ir *or_false(Lower *l, Ir *node)
{
    return node != NULL ? node : ir_bool(l->arena, false);
}

// What every function of a list of constituents begins with (run of 5.13).
static Ir *enter(Lower *l, const Line *line, int function, Ir *body)
{
    Arena *a = l->arena;
    if (line->side >= 0) {
        Ir *mine =
            ir_new(a, IR_EQ, IRT_BOOL, 2, ir_new(a, IR_SIDE, IRT_INT, 0), slot_value(l, IRT_INT, line->side));
        body = ir_new(a, IR_IF, IRT_BOOL, 3, mine, body, step_on(l, line, function));
    }
    if (line->search.ast->flags & AST_FIRSTMATCH)
        body = ir_and(l, slot_equals(l, line->search.best_valid, 0), body);
    return body;
}

static bool is_linked_move(const Ast *node, void *user)
{
    (void)user;
    return node->op == OP_MOVE && (node->flags & AST_LINKED);
}

// Does the constituent hold `move` filters tied to this line's next move? Those of a nested line are not.
static bool has_linked_moves(const Ast *node)
{
    if (node->op == OP_LINE)
        return false;
    if (is_linked_move(node, NULL))
        return true;
    const Ast *const roles[] = {node->kid_left, node->kid_right, node->kid_extra, node->kid_extra2};
    bool found = false;
    for (int i = 0; i < 4 && !found; i++)
        found = roles[i] != NULL && has_linked_moves(roles[i]);
    for (int i = 0; i < node->kid_count && !found; i++)
        found = has_linked_moves(node->kid[i]);
    return found;
}

// Counts the filters of a constituent up to one of them; true when it stands there.
static bool count_filters(const Ast *constituent, const Ast *filter, int *count)
{
    if (constituent->op != OP_GROUP_CHAIN && constituent->op != OP_REPEAT) {
        ++*count;
        return constituent == filter;
    }
    for (int i = 0; i < constituent->kid_count; i++)
        if (count_filters(constituent->kid[i], filter, count))
            return true;
    return false;
}

static bool tells_constituents(const Lower *l, const Line *line)
{
    return l->query->cql5 && line->search.texts && !(line->search.ast->flags & AST_QUIET);
}

// In CQL 5 the comments of a line stand at each of its positions (11.5). NULL: none.
static Ir *constituent_comment(Lower *l, const Line *line, const Ast *filter)
{
    if (!tells_constituents(l, line))
        return NULL;
    int count = 0;
    for (int i = 0; i < line->search.ast->kid_count; i++)
        if (count_filters(line->search.ast->kid[i], filter, &count))
            break;
    const char *text = arena_printf(l->arena, "%s %d", line->backward ? "PREVIOUS" : "NEXT", count);
    return ir_call(l->arena, IR_CALL_log_constituent, 2, current_position(l), text_constant(l, text));
}

static Ir *plain_step(Lower *l, const Line *line, const Ast *filter, const Rest *rest)
{
    LineScope *const outer = l->line;
    l->line = NULL;
    Ir *holds = lower_condition(l, filter);
    l->line = outer;
    Ir *on = either(l, offer_if_complete(l, line, rest), step_on(l, line, rest->function));
    holds = ir_and(l, holds, constituent_comment(l, line, filter));
    return with_rollback(l, ir_and(l, holds, or_false(l, on)),
                         adds_text(l, filter) || tells_constituents(l, line));
}

// The filter is evaluated once for each child, its tied moves seeing only that child; once with none (-1) at
// a terminal position. The loop is written out so that the filter stands in it once.
static Ir *linked_step(Lower *l, const Line *line, const Ast *filter, const Rest *rest)
{
    Arena *a = l->arena;
    const int child = new_local(l, IRT_POSITION), more = new_local(l, IRT_INT), stop = new_local(l, IRT_INT);
    LineScope scope = {child}, *const outer = l->line;
    l->line = &scope;
    Ir *holds = lower_condition(l, filter);
    l->line = outer;
    Ir *on = NULL;
    if (rest->function >= 0)
        on = ir_and(l, move_exists(l, local_value(l, child)),
                    move_at(l, local_value(l, child), invoke(l, rest->function)));
    on = or_false(l, either(l, offer_if_complete(l, line, rest), on));
    holds = ir_and(l, holds, constituent_comment(l, line, filter));
    Ir *visit = with_rollback(l, ir_and(l, holds, on), adds_text(l, filter) || tells_constituents(l, line));
    Ir *allowed = permitted(l, line, child);
    if (allowed != NULL) {
        Ir *none = ir_new(a, IR_LT, IRT_BOOL, 2, ir_new(a, IR_INT_OF, IRT_INT, 1, local_value(l, child)),
                          ir_int(a, 0));
        visit = ir_and(l, either(l, none, allowed), visit);
    }
    if (line->search.ast->flags & AST_FIRSTMATCH)
        visit = ir_and(l, slot_equals(l, line->search.best_valid, 0), visit);

    visit = always(l, ir_and(l, visit, ir_let(a, stop, ir_int(a, 1))));
    Ir *advance =
        ir_and(l, ir_let(a, child, move_node(l, IR_NODE_NEXT_SIBLING, child)),
               ir_let(a, more, ir_new(a, IR_INT_OF, IRT_INT, 1, move_exists(l, local_value(l, child)))));
    Ir *next = ir_new(a, IR_IF, IRT_BOOL, 3, move_exists(l, local_value(l, child)), advance,
                      ir_let(a, more, ir_int(a, 0)));
    Ir *going = ir_and(l, is_nonzero(l, local_value(l, more)),
                       ir_new(a, IR_EQ, IRT_BOOL, 2, local_value(l, stop), ir_int(a, 0)));
    Ir *loop = ir_new(a, IR_WHILE, IRT_BOOL, 2, going, ir_and(l, visit, next));
    Ir *begin = ir_and(l, ir_let(a, child, ir_node(a, IR_NODE_FIRST_CHILD, current_position(l))),
                       ir_and(l, ir_let(a, more, ir_int(a, 1)), ir_let(a, stop, ir_int(a, 0))));
    return ir_and(l, ir_and(l, begin, loop), is_nonzero(l, local_value(l, stop)));
}

static Rest line_filter(Lower *l, Line *line, const Ast *filter, Rest next)
{
    Rest result = {.demands = true};
    IrFunction *outer = search_function(l, &line->search, &result.function);
    const bool may_link = !line->backward && !(l->options != NULL && l->options->free_moves);
    const bool linked = may_link && has_linked_moves(filter);
    Ir *body = linked ? linked_step(l, line, filter, &next) : plain_step(l, line, filter, &next);
    search_function_end(l, result.function, enter(l, line, result.function, body), outer);
    return result;
}

// ---- repetitions -----------------------------------------------------------------------------------------

static Ir *go_on(Lower *l, const Rest *rest)
{
    return rest->function >= 0 ? invoke(l, rest->function) : NULL;
}

// X?, and X* (again: the rest after X is the repetition itself).
static Rest line_optional(Lower *l, Line *line, const Ast *repeat, Rest next, bool again)
{
    Rest result = next;
    IrFunction *outer = search_function(l, &line->search, &result.function);
    const Rest once = line_match(l, line, repeat->kid[0], again ? result : next);
    Ir *body = either(l, go_on(l, &next), invoke(l, once.function));
    search_function_end(l, result.function, enter(l, line, result.function, body), outer);
    return again && repeat->low == 1 ? once : result;
}

static int line_repeat_enter(Lower *l, Line *line, int counted, int done)
{
    Arena *a = l->arena;
    int number;
    IrFunction *outer = search_function(l, &line->search, &number);
    const int old = new_local(l, IRT_INT);
    Ir *save = ir_and(l, ir_let(a, old, slot_value(l, IRT_INT, done)), store_int(l, done, 0));
    Ir *run = either(l, invoke(l, counted), then_false(l, ir_store(a, done, local_value(l, old))));
    search_function_end(l, number, ir_and(l, save, run), outer);
    return number;
}

// X{low,high} with a counter.
static Rest line_counted(Lower *l, Line *line, const Ast *repeat, Rest next)
{
    Arena *a = l->arena;
    const int done = new_slot(l, "repetitions");
    Counter *counter = arena_alloc(a, sizeof *counter);
    *counter = (Counter){done, repeat->low, next.counter};
    Rest again = {.demands = next.demands, .counter = counter};
    IrFunction *outer = search_function(l, &line->search, &again.function);
    const Rest once = line_match(l, line, repeat->kid[0], again);
    const int count = new_local(l, IRT_INT);
    Ir *rest = go_on(l, &next);
    if (rest != NULL)
        rest = ir_and(l, ir_new(a, IR_GE, IRT_BOOL, 2, local_value(l, count), ir_int(a, repeat->low)), rest);
    Ir *restore = ir_store(a, done, local_value(l, count));
    Ir *once_more =
        ir_and(l, store_sum(l, done, 1), either(l, invoke(l, once.function), then_false(l, restore)));
    if (repeat->high < UNLIMITED)
        once_more = ir_and(l, ir_new(a, IR_LT, IRT_BOOL, 2, local_value(l, count), ir_int(a, repeat->high)),
                           once_more);
    Ir *body = ir_and(l, ir_let(a, count, slot_value(l, IRT_INT, done)), either(l, rest, once_more));
    search_function_end(l, again.function, enter(l, line, again.function, body), outer);

    Rest result = {.function = line_repeat_enter(l, line, again.function, done)};
    result.demands = repeat->low > 0 || next.demands;
    result.counter = next.counter;
    return result;
}

static Rest line_repeat(Lower *l, Line *line, const Ast *repeat, Rest next)
{
    if (repeat->high == 0)
        return next;
    if (repeat->low == 1 && repeat->high == 1)
        return line_match(l, line, repeat->kid[0], next);
    if (repeat->low == 0 && repeat->high == 1)
        return line_optional(l, line, repeat, next, false);
    if (repeat->low <= 1 && repeat->high >= UNLIMITED)
        return line_optional(l, line, repeat, next, true);
    return line_counted(l, line, repeat, next);
}

static Rest line_match(Lower *l, Line *line, const Ast *constituent, Rest next)
{
    if (constituent->op == OP_GROUP_CHAIN) {
        for (int i = constituent->kid_count - 1; i >= 0; i--)
            next = line_match(l, line, constituent->kid[i], next);
        return next;
    }
    if (constituent->op == OP_REPEAT)
        return line_repeat(l, line, constituent, next);
    return line_filter(l, line, constituent, next);
}

// ---- the filter ------------------------------------------------------------------------------------------

// Number of positions of the best line.
static Ir *line_length(Lower *l, const Line *line)
{
    Arena *a = l->arena;
    Ir *start = ply_at(l, slot_value(l, IRT_POSITION, line->search.start));
    Ir *end = ply_at(l, slot_value(l, IRT_POSITION, line->search.best));
    Ir *plies = ir_new(a, IR_SUB, IRT_INT, 2, line->backward ? start : end, line->backward ? end : start);
    if (line->side < 0)
        return ir_new(a, IR_ADD, IRT_INT, 2, plies, ir_int(a, 1));
    Ir *positions = ir_new(a, IR_ADD, IRT_INT, 2, plies, ir_int(a, 2));
    return ir_new(a, IR_DIV, IRT_INT, 2, positions, ir_int(a, 2));
}

// Marks the positions of the line, both ends included, but not the skipped ones (5.13).
static Ir *mark_positions(Lower *l, const Line *line)
{
    Arena *a = l->arena;
    if (line->search.mark_set < 0)
        return NULL;
    const int at = new_local(l, IRT_POSITION), last = new_local(l, IRT_POSITION);
    Ir *mark = ir_call(a, IR_CALL_mark, 2, ir_int(a, line->search.mark_set), local_value(l, at));
    if (line->side >= 0) {
        Ir *mine =
            ir_new(a, IR_EQ, IRT_BOOL, 2, ir_new(a, IR_SIDE, IRT_INT, 0), slot_value(l, IRT_INT, line->side));
        mark = always(l, ir_and(l, move_at(l, local_value(l, at), mine), mark));
    }
    Ir *more = ir_new(a, IR_NE, IRT_BOOL, 2, local_value(l, at), local_value(l, last));
    Ir *up = ir_let(a, at, move_node(l, IR_NODE_PARENT, at));
    Ir *loop = ir_new(a, IR_WHILE, IRT_BOOL, 2, more, ir_and(l, mark, up));
    Ir *begin =
        ir_and(l, ir_let(a, at, slot_value(l, IRT_POSITION, line->search.best)),
               ir_let(a, last, ir_node(a, IR_NODE_PARENT, slot_value(l, IRT_POSITION, line->search.start))));
    return ir_and(l, begin, loop);
}

static Ir *line_comments(Lower *l, const Line *line, int length)
{
    Ir *texts = search_put_texts(l, &line->search);
    if (line->search.ast->flags & AST_QUIET)
        return texts;
    if (tells_constituents(l, line))
        return ir_and(l, texts,
                      ir_call(l->arena, IR_CALL_line_numbers, 4,
                              slot_value(l, IRT_POSITION, line->search.start), local_value(l, length),
                              slot_value(l, IRT_INT, line->search.log_mark),
                              ir_int(l->arena, line->side >= 0)));
    return ir_and(l, texts,
                  ir_call(l->arena, IR_CALL_line_comments, 3, slot_value(l, IRT_POSITION, line->search.start),
                          slot_value(l, IRT_POSITION, line->search.best), local_value(l, length)));
}

// Bool node: runs the search and leaves the number of positions in a local.
static Ir *line_search(Lower *l, const Ast *ast, Line *line, int *length, bool condition)
{
    Arena *a = l->arena;
    *line = (Line){.search = search_begin(l, ast, "line", condition), .side = -1};
    line->backward = (ast->flags & AST_BACKWARD) != 0;
    DashScope *const dash = l->dash;
    l->dash = NULL;
    Ir *begin = search_start(l, &line->search);
    if (ast->flags & AST_SINGLECOLOR) {
        line->side = new_slot(l, "line side");
        begin = ir_and(l, begin, ir_store(a, line->side, ir_new(a, IR_SIDE, IRT_INT, 0)));
    }
    line_offer(l, line);
    Rest rest = {.function = -1};
    for (int i = ast->kid_count - 1; i >= 0; i--)
        rest = line_match(l, line, ast->kid[i], rest);
    l->dash = dash;

    *length = new_local(l, IRT_INT);
    Ir *run = ir_and(l, begin, always(l, go_on(l, &rest)));
    Ir *found = ir_and(l, search_found(l, &line->search), ir_let(a, *length, line_length(l, line)));
    found = ir_and(l, found, lower_range_test(l, &ast->range, local_value(l, *length)));
    Ir *end = ir_and(l, mark_positions(l, line), line_comments(l, line, *length));
    return ir_and(l, search_not_marked(l, &line->search), ir_and(l, run, ir_and(l, found, end)));
}

Ir *lower_line_condition(Lower *l, const Ast *ast)
{
    Line line;
    int length;
    return line_search(l, ast, &line, &length, true);
}

Value lower_line_value(Lower *l, const Ast *ast)
{
    Line line;
    int length;
    Ir *search = line_search(l, ast, &line, &length, false);
    if (!(ast->flags & AST_LASTPOSITION))
        return (Value){search, local_value(l, length)};
    const int end = new_local(l, IRT_POSITION);
    Ir *let = ir_let(l->arena, end, slot_value(l, IRT_POSITION, line.search.best));
    return (Value){ir_and(l, search, let), local_value(l, end)};
}
