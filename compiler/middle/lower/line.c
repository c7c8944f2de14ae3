// Lowering of `line` (language reference 5.12 to 5.14). The parts of a search are explained in
// lower_search.h.
//
// In a line each filter stands for one position, and a line ends where everything that follows can match
// nothing. So the function of a filter must know that about its continuation; counted repetitions make it a
// matter of counters.
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

// offer(P) of 5.13.
static void line_offer(Lower *l, Line *line)
{
    const Search *s = &line->search;
    IrFunction *outer = search_function(l, &line->search, &line->offer);
    Ir *farther = ir_binary(line->backward ? IR_LT : IR_GT, ir_node(IR_NODE_PLY, ir_current(l->arena)),
                            ir_node(IR_NODE_PLY, ir_slot(l->arena, IRT_POSITION, s->best)));
    Ir *better = ir_or(ir_with_int(IR_EQ, ir_slot(l->arena, IRT_INT, s->best_valid), 0), farther);
    Ir *take = ir_and(ir_store_int(l->arena, s->best_valid, 1), ir_store(s->best, ir_current(l->arena)));
    take = ir_and(take, search_keep_texts(l, s));
    search_function_end(l, line->offer, ir_and(ir_always(ir_and(better, take)), search_quick(l, s)), outer);
}

// Offers the current position if nothing more is needed. NULL: something is.
static Ir *offer_if_complete(Lower *l, const Line *line, const Rest *rest)
{
    if (rest->demands)
        return NULL;
    Ir *all = NULL;
    for (const Counter *c = rest->counter; c != NULL; c = c->next) {
        Ir *reached = ir_with_int(IR_GE, ir_slot(l->arena, IRT_INT, c->slot), c->low);
        all = ir_and(all, reached);
    }
    return ir_and(all, ir_invoke(l->arena, line->offer));
}

// ---- steps -----------------------------------------------------------------------------------------------

// primary, secondary: the child in the local may be stepped to. NULL: every child.
static Ir *permitted(Lower *l, const Line *line, int child)
{
    const unsigned flags = line->search.ast->flags;
    if (!(flags & (AST_PRIMARY | AST_SECONDARY)))
        return NULL;
    return ir_binary(flags & AST_PRIMARY ? IR_EQ : IR_GT, move_node(l, IR_NODE_INDEX, child),
                     ir_int(l->arena, 0));
}

// Calls a function at the next positions. NULL when there is none to call.
static Ir *step_on(Lower *l, const Line *line, int function)
{
    if (function < 0)
        return NULL;
    if (line->backward) {
        Ir *parent = ir_node(IR_NODE_PARENT, ir_current(l->arena));
        return ir_and(lower_has_parent(l), ir_at(parent, ir_invoke(l->arena, function)));
    }
    const int child = ir_new_local(l->f, IRT_POSITION);
    Ir *body = ir_and(permitted(l, line, child), ir_at(ir_local(l->f, child), ir_invoke(l->arena, function)));
    return ir_each_child(ir_current(l->arena), child, body, MODE_ANY);
}

// What every function of a list of constituents begins with (run of 5.13).
static Ir *enter(Lower *l, const Line *line, int function, Ir *body)
{
    Arena *a = l->arena;
    if (line->side >= 0) {
        Ir *mine = ir_eq(ir_side(a), ir_slot(l->arena, IRT_INT, line->side));
        body = ir_if(mine, body, step_on(l, line, function));
    }
    if (line->search.ast->flags & AST_FIRSTMATCH)
        body = ir_and(ir_with_int(IR_EQ, ir_slot(l->arena, IRT_INT, line->search.best_valid), 0), body);
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
    return ir_call(l->arena, IR_CALL_log_constituent, 2, ir_current(l->arena), ir_string(l->m, text));
}

static Ir *plain_step(Lower *l, const Line *line, const Ast *filter, const Rest *rest)
{
    LineScope *const outer = l->line;
    l->line = NULL;
    Ir *holds = lower_condition(l, filter);
    l->line = outer;
    Ir *on = ir_or(offer_if_complete(l, line, rest), step_on(l, line, rest->function));
    holds = ir_and(holds, constituent_comment(l, line, filter));
    return with_rollback(l, ir_and(holds, ir_or_false(l->arena, on)),
                         adds_text(l, filter) || tells_constituents(l, line));
}

// The filter is evaluated once for each child, its tied moves seeing only that child; once with none (-1) at
// a terminal position. The loop is written out so that the filter stands in it once.
static Ir *linked_step(Lower *l, const Line *line, const Ast *filter, const Rest *rest)
{
    const int child = ir_new_local(l->f, IRT_POSITION), more = ir_new_local(l->f, IRT_INT),
              stop = ir_new_local(l->f, IRT_INT);
    LineScope scope = {child}, *const outer = l->line;
    l->line = &scope;
    Ir *holds = lower_condition(l, filter);
    l->line = outer;
    Ir *on = NULL;
    if (rest->function >= 0)
        on = ir_and(ir_exists(ir_local(l->f, child)),
                    ir_at(ir_local(l->f, child), ir_invoke(l->arena, rest->function)));
    on = ir_or_false(l->arena, ir_or(offer_if_complete(l, line, rest), on));
    holds = ir_and(holds, constituent_comment(l, line, filter));
    Ir *visit = with_rollback(l, ir_and(holds, on), adds_text(l, filter) || tells_constituents(l, line));
    Ir *allowed = permitted(l, line, child);
    if (allowed != NULL) {
        Ir *none = ir_with_int(IR_LT, ir_int_of(ir_local(l->f, child)), 0);
        visit = ir_and(ir_or(none, allowed), visit);
    }
    if (line->search.ast->flags & AST_FIRSTMATCH)
        visit = ir_and(ir_with_int(IR_EQ, ir_slot(l->arena, IRT_INT, line->search.best_valid), 0), visit);

    visit = ir_always(ir_and(visit, ir_let_int(l->f, stop, 1)));
    Ir *advance = ir_and(ir_let(child, move_node(l, IR_NODE_NEXT_SIBLING, child)),
                         ir_let(more, ir_int_of(ir_exists(ir_local(l->f, child)))));
    Ir *next = ir_if(ir_exists(ir_local(l->f, child)), advance, ir_let_int(l->f, more, 0));
    Ir *going = ir_and(ir_nonzero(ir_local(l->f, more)), ir_with_int(IR_EQ, ir_local(l->f, stop), 0));
    Ir *loop = ir_while(going, ir_and(visit, next));
    Ir *begin = ir_all(3, ir_let(child, ir_node(IR_NODE_FIRST_CHILD, ir_current(l->arena))),
                       ir_let_int(l->f, more, 1), ir_let_int(l->f, stop, 0));
    return ir_all(3, begin, loop, ir_nonzero(ir_local(l->f, stop)));
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
    return rest->function >= 0 ? ir_invoke(l->arena, rest->function) : NULL;
}

// X?, and X* (again: the rest after X is the repetition itself).
static Rest line_optional(Lower *l, Line *line, const Ast *repeat, Rest next, bool again)
{
    Rest result = next;
    IrFunction *outer = search_function(l, &line->search, &result.function);
    const Rest once = line_match(l, line, repeat->kid[0], again ? result : next);
    Ir *body = ir_or(go_on(l, &next), ir_invoke(l->arena, once.function));
    search_function_end(l, result.function, enter(l, line, result.function, body), outer);
    return again && repeat->low == 1 ? once : result;
}

static int line_repeat_enter(Lower *l, Line *line, int counted, int done)
{
    int number;
    IrFunction *outer = search_function(l, &line->search, &number);
    const int old = ir_new_local(l->f, IRT_INT);
    Ir *save = ir_and(ir_let(old, ir_slot(l->arena, IRT_INT, done)), ir_store_int(l->arena, done, 0));
    Ir *run =
        ir_or(ir_invoke(l->arena, counted), ir_then_false(l->arena, ir_store(done, ir_local(l->f, old))));
    search_function_end(l, number, ir_and(save, run), outer);
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
    const int count = ir_new_local(l->f, IRT_INT);
    Ir *rest = go_on(l, &next);
    if (rest != NULL)
        rest = ir_and(ir_with_int(IR_GE, ir_local(l->f, count), repeat->low), rest);
    Ir *restore = ir_store(done, ir_local(l->f, count));
    Ir *once_more = ir_and(store_sum(l, done, 1),
                           ir_or(ir_invoke(l->arena, once.function), ir_then_false(l->arena, restore)));
    if (repeat->high < UNLIMITED)
        once_more = ir_and(ir_with_int(IR_LT, ir_local(l->f, count), repeat->high), once_more);
    Ir *body = ir_and(ir_let(count, ir_slot(l->arena, IRT_INT, done)), ir_or(rest, once_more));
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
    Ir *start = ir_node(IR_NODE_PLY, ir_slot(l->arena, IRT_POSITION, line->search.start));
    Ir *end = ir_node(IR_NODE_PLY, ir_slot(l->arena, IRT_POSITION, line->search.best));
    Ir *plies = ir_sub(line->backward ? start : end, line->backward ? end : start);
    if (line->side < 0)
        return ir_with_int(IR_ADD, plies, 1);
    Ir *positions = ir_with_int(IR_ADD, plies, 2);
    return ir_with_int(IR_DIV, positions, 2);
}

// Marks the positions of the line, both ends included, but not the skipped ones (5.13).
static Ir *mark_positions(Lower *l, const Line *line)
{
    Arena *a = l->arena;
    if (line->search.mark_set < 0)
        return NULL;
    const int at = ir_new_local(l->f, IRT_POSITION), last = ir_new_local(l->f, IRT_POSITION);
    Ir *mark = ir_call(a, IR_CALL_mark, 2, ir_int(a, line->search.mark_set), ir_local(l->f, at));
    if (line->side >= 0) {
        Ir *mine = ir_eq(ir_side(a), ir_slot(l->arena, IRT_INT, line->side));
        mark = ir_always(ir_and(ir_at(ir_local(l->f, at), mine), mark));
    }
    Ir *more = ir_ne(ir_local(l->f, at), ir_local(l->f, last));
    Ir *up = ir_let(at, move_node(l, IR_NODE_PARENT, at));
    Ir *loop = ir_while(more, ir_and(mark, up));
    Ir *begin =
        ir_and(ir_let(at, ir_slot(l->arena, IRT_POSITION, line->search.best)),
               ir_let(last, ir_node(IR_NODE_PARENT, ir_slot(l->arena, IRT_POSITION, line->search.start))));
    return ir_and(begin, loop);
}

static Ir *line_comments(Lower *l, const Line *line, int length)
{
    Ir *texts = search_put_texts(l, &line->search);
    if (line->search.ast->flags & AST_QUIET)
        return texts;
    if (tells_constituents(l, line))
        return ir_and(texts,
                      ir_call(l->arena, IR_CALL_line_numbers, 4,
                              ir_slot(l->arena, IRT_POSITION, line->search.start), ir_local(l->f, length),
                              ir_slot(l->arena, IRT_INT, line->search.log_mark),
                              ir_int(l->arena, line->side >= 0)));
    return ir_and(texts, ir_call(l->arena, IR_CALL_line_comments, 3,
                                 ir_slot(l->arena, IRT_POSITION, line->search.start),
                                 ir_slot(l->arena, IRT_POSITION, line->search.best), ir_local(l->f, length)));
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
        begin = ir_and(begin, ir_store(line->side, ir_side(a)));
    }
    line_offer(l, line);
    Rest rest = {.function = -1};
    for (int i = ast->kid_count - 1; i >= 0; i--)
        rest = line_match(l, line, ast->kid[i], rest);
    l->dash = dash;

    *length = ir_new_local(l->f, IRT_INT);
    Ir *run = ir_and(begin, ir_always(go_on(l, &rest)));
    Ir *found = ir_and(search_found(l, &line->search), ir_let(*length, line_length(l, line)));
    found = ir_and(found, lower_range_test(l, &ast->range, ir_local(l->f, *length)));
    Ir *end = ir_and(mark_positions(l, line), line_comments(l, line, *length));
    return ir_all(4, search_not_marked(l, &line->search), run, found, end);
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
        return value_of(search, ir_local(l->f, length));
    const int end = ir_new_local(l->f, IRT_POSITION);
    Ir *let = ir_let(end, ir_slot(l->arena, IRT_POSITION, line.search.best));
    return value_of(ir_and(search, let), ir_local(l->f, end));
}
