// `line` (language reference 5.12 to 5.14). search.h explains the parts of a search.
//
// In a line each filter matches one position, and a line ends where everything that follows can match nothing.
// So the function of a filter must know that about its continuation; with counted repetitions it depends on
// counters.
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

static Ir *invoke(Lower *l, const Rest *rest)
{
    return rest->function >= 0 ? ir_invoke(l->arena, rest->function) : NULL;
}

static Ir *slot_ply(Lower *l, int slot)
{
    return ir_node(IR_NODE_PLY, ir_read_slot(l->m, slot));
}

// ---- complete lines --------------------------------------------------------------------------------------

// offer(P) of 5.13.
static int line_offer(Lower *l, const Line *line)
{
    const Search *s = &line->search;
    const SearchFunction f = search_function(l, s, "end", NULL);
    Ir *farther = ir_binary(line->backward ? IR_LT : IR_GT, ir_node(IR_NODE_PLY, ir_current(l->arena)),
                            slot_ply(l, s->best));
    Ir *take = ir_and(search_take(l, s, ir_current(l->arena)), search_keep_texts(l, s));
    Ir *offer = ir_always(ir_and(ir_or(search_none_yet(l, s), farther), take));
    return search_function_end(l, f, ir_and(offer, search_quick(l, s)));
}

// Offers the current position if nothing more is needed. NULL: something is.
static Ir *offer_if_complete(Lower *l, const Line *line, const Rest *rest)
{
    if (rest->demands)
        return NULL;
    Ir *all = NULL;
    for (const Counter *c = rest->counter; c != NULL; c = c->next)
        all = ir_and(all, ir_with_int(IR_GE, ir_read_slot(l->m, c->slot), c->low));
    return ir_and(all, ir_invoke(l->arena, line->offer));
}

// ---- steps -----------------------------------------------------------------------------------------------

// primary, secondary: the child in the local may be stepped to. NULL: every child.
static Ir *permitted(Lower *l, const Line *line, int child)
{
    const unsigned flags = line->search.ast->flags;
    if (!(flags & (AST_PRIMARY | AST_SECONDARY)))
        return NULL;
    return ir_with_int(flags & AST_PRIMARY ? IR_EQ : IR_GT, move_node(l, IR_NODE_INDEX, child), 0);
}

// Calls a function at the next positions. NULL when there is none to call.
static Ir *step_on(Lower *l, const Line *line, const Rest *rest)
{
    Ir *call = invoke(l, rest);
    if (call == NULL)
        return NULL;
    if (line->backward)
        return ir_and(value_has_parent(l), ir_at(ir_node(IR_NODE_PARENT, ir_current(l->arena)), call));
    const int child = ir_new_local(l->f, IRT_POSITION);
    Ir *body = ir_and(permitted(l, line, child), ir_at(ir_local(l->f, child), call));
    return ir_each_child(ir_current(l->arena), child, body, MODE_ANY);
}

// singlecolor: the position counts.
static Ir *is_counted(Lower *l, const Line *line)
{
    return ir_eq(ir_side(l->arena), ir_read_slot(l->m, line->side));
}

// Ends a function of a list of constituents; each begins with this (run of 5.13).
static void end_function(Lower *l, const Line *line, SearchFunction f, Ir *body)
{
    const Rest itself = {.function = f.number};
    if (line->side >= 0)
        body = ir_if(is_counted(l, line), body, step_on(l, line, &itself));
    search_function_end(l, f, search_unless_done(l, &line->search, body));
}

// Does the constituent contain `move` filters tied to this line's next move? Those of a nested line are not.
static bool has_linked_moves(const Ast *node)
{
    if (node->op == OP_LINE)
        return false;
    if (node->op == OP_MOVE && node->flags & AST_LINKED)
        return true;
    Ast **operand;
    for (int i = 0; (operand = ast_operand(node, i)) != NULL; i++)
        if (has_linked_moves(*operand))
            return true;
    return false;
}

static bool comments_constituents(const Lower *l, const Line *line)
{
    return l->query->cql5 && line->search.texts && !(line->search.ast->flags & AST_QUIET);
}

// The filter as a condition. In CQL 5 a line has comments at each of its positions (11.5).
static Ir *filter_condition(Lower *l, const Line *line, const Ast *filter, LineScope *scope)
{
    const Scopes outer = l->in;
    l->in.line = scope;
    Ir *condition = lower_condition(l, filter);
    l->in = outer;
    if (!comments_constituents(l, line))
        return condition;
    const char *text = arena_printf(l->arena, "%s %d", line->backward ? "PREVIOUS" : "NEXT",
                                    search_ordinal(&line->search, filter));
    return ir_and(condition,
                  ir_call(l->arena, IR_CALL_log_constituent, 2, ir_current(l->arena), ir_string(l->m, text)));
}

// What follows the filter, `on` at the next position; what the filter wrote is dropped when that fails.
static Ir *then_rest(Lower *l, const Line *line, const Ast *filter, const Rest *rest, Ir *condition, Ir *on)
{
    Ir *goal = ir_or_false(l->arena, ir_or(offer_if_complete(l, line, rest), on));
    return log_rollback(l, ir_and(condition, goal),
                        facts_add_text(l, filter) || comments_constituents(l, line));
}

static Ir *plain_step(Lower *l, const Line *line, const Ast *filter, const Rest *rest)
{
    Ir *condition = filter_condition(l, line, filter, NULL);
    return then_rest(l, line, filter, rest, condition, step_on(l, line, rest));
}

// One child of the loop of linked_step.
static Ir *linked_visit(Lower *l, const Line *line, const Ast *filter, const Rest *rest, int child)
{
    LineScope scope = {child};
    Ir *condition = filter_condition(l, line, filter, &scope), *on = invoke(l, rest);
    if (on != NULL)
        on = ir_and(ir_exists(ir_local(l->f, child)), ir_at(ir_local(l->f, child), on));
    Ir *visit = then_rest(l, line, filter, rest, condition, on);
    Ir *allowed = permitted(l, line, child);
    if (allowed != NULL)
        visit = ir_and(ir_or(ir_with_int(IR_LT, ir_int_of(ir_local(l->f, child)), 0), allowed), visit);
    return search_unless_done(l, &line->search, visit);
}

// The filter is evaluated once for each child, its tied moves seeing only that child; once with none (-1) at
// a terminal position. The loop is written out so that the filter is in it once.
static Ir *linked_step(Lower *l, const Line *line, const Ast *filter, const Rest *rest)
{
    const int child = ir_new_local(l->f, IRT_POSITION), more = ir_named_local(l->f, IRT_INT, "more"),
              stop = ir_named_local(l->f, IRT_INT, "stop");
    Ir *visit = linked_visit(l, line, filter, rest, child);
    visit = ir_always(ir_and(visit, ir_let_int(l->f, stop, 1)));
    Ir *exists = ir_exists(ir_local(l->f, child));
    Ir *advance = ir_and(ir_let(child, move_node(l, IR_NODE_NEXT_SIBLING, child)),
                         ir_let(more, ir_int_of(ir_copy(exists))));
    Ir *next = ir_if(exists, advance, ir_let_int(l->f, more, 0));
    Ir *going = ir_and(ir_nonzero(ir_local(l->f, more)), ir_with_int(IR_EQ, ir_local(l->f, stop), 0));
    return ir_all(5, ir_let(child, ir_node(IR_NODE_FIRST_CHILD, ir_current(l->arena))),
                  ir_let_int(l->f, more, 1), ir_let_int(l->f, stop, 0), ir_while(going, ir_and(visit, next)),
                  ir_nonzero(ir_local(l->f, stop)));
}

static Rest line_filter(Lower *l, Line *line, const Ast *filter, Rest next)
{
    const SearchFunction f = search_function(l, &line->search, "filter", filter);
    const bool may_link = !line->backward && !(l->options != NULL && l->options->free_moves);
    const bool linked = may_link && has_linked_moves(filter);
    end_function(l, line, f,
                 linked ? linked_step(l, line, filter, &next) : plain_step(l, line, filter, &next));
    return (Rest){.function = f.number, .demands = true};
}

// ---- repetitions -----------------------------------------------------------------------------------------

// X?, and X* (again: the rest after X is the repetition itself).
static Rest line_optional(Lower *l, Line *line, const Ast *repeat, Rest next, bool again)
{
    const SearchFunction f = search_function(l, &line->search, again ? "repeat" : "optional", repeat);
    Rest result = next;
    result.function = f.number;
    const Rest once = line_match(l, line, repeat->kid[0], again ? result : next);
    end_function(l, line, f, ir_or(invoke(l, &next), invoke(l, &once)));
    return again && repeat->low == 1 ? once : result;
}

// X{low,high} with a counter.
static Rest line_counted(Lower *l, Line *line, const Ast *repeat, Rest next)
{
    const int done = search_slot(l, &line->search, IRT_INT, "repetitions");
    Counter *counter = arena_alloc(l->arena, sizeof *counter);
    *counter = (Counter){done, repeat->low, next.counter};
    const SearchFunction f = search_function(l, &line->search, "repeat", repeat);
    const Rest again = {f.number, next.demands, counter};
    const Rest once = line_match(l, line, repeat->kid[0], again);
    Ir *save, *rest = invoke(l, &next);
    const int count = *search_save(l, &done, 1, &save);
    if (rest != NULL)
        rest = ir_and(ir_with_int(IR_GE, ir_local(l->f, count), repeat->low), rest);
    Ir *may = repeat->high < UNLIMITED ? ir_with_int(IR_LT, ir_local(l->f, count), repeat->high) : NULL;
    Ir *restore = ir_then_false(l->arena, search_restore(l, &done, 1, &count));
    Ir *once_more = ir_all(3, may, ir_store_sum(l->m, done, 1), ir_or(invoke(l, &once), restore));
    end_function(l, line, f, ir_and(save, ir_or(rest, once_more)));
    return (Rest){search_enter(l, &line->search, repeat, f.number, &done, 1), repeat->low > 0 || next.demands,
                  next.counter};
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
    const int start = line->search.start, best = line->search.best;
    Ir *plies =
        ir_sub(slot_ply(l, line->backward ? start : best), slot_ply(l, line->backward ? best : start));
    if (line->side < 0)
        return ir_with_int(IR_ADD, plies, 1);
    return ir_with_int(IR_DIV, ir_with_int(IR_ADD, plies, 2), 2);
}

// Marks the positions of the line, both ends included, but not the skipped ones (5.13).
static Ir *mark_positions(Lower *l, const Line *line)
{
    const Search *s = &line->search;
    if (s->mark_set < 0)
        return NULL;
    const int at = ir_new_local(l->f, IRT_POSITION), last = ir_named_local(l->f, IRT_POSITION, "last");
    Ir *mark = search_mark(l, s, at);
    if (line->side >= 0)
        mark = ir_always(ir_and(ir_at(ir_local(l->f, at), is_counted(l, line)), mark));
    Ir *more = ir_ne(ir_local(l->f, at), ir_local(l->f, last));
    Ir *up = ir_let(at, move_node(l, IR_NODE_PARENT, at));
    return ir_all(3, ir_let(at, ir_read_slot(l->m, s->best)),
                  ir_let(last, ir_node(IR_NODE_PARENT, ir_read_slot(l->m, s->start))),
                  ir_while(more, ir_and(mark, up)));
}

static Ir *line_comments(Lower *l, const Line *line, int length)
{
    Arena *a = l->arena;
    const Search *s = &line->search;
    Ir *texts = search_put_texts(l, s), *start = ir_read_slot(l->m, s->start);
    if (s->ast->flags & AST_QUIET)
        return texts;
    if (comments_constituents(l, line))
        return ir_and(texts, ir_call(a, IR_CALL_line_numbers, 4, start, ir_local(l->f, length),
                                     ir_read_slot(l->m, s->log_mark), ir_int(a, line->side >= 0)));
    return ir_and(texts, ir_call(a, IR_CALL_line_comments, 3, start, ir_read_slot(l->m, s->best),
                                 ir_local(l->f, length)));
}

// Bool node: runs the search and leaves the number of positions in a local.
static Ir *line_search(Lower *l, const Ast *ast, Line *line, int *length, bool condition)
{
    *line = (Line){.search = search_begin(l, ast, "line", condition), .side = -1};
    const Search *s = &line->search;
    line->backward = (ast->flags & AST_BACKWARD) != 0;
    Ir *begin = search_start(l, s);
    if (ast->flags & AST_SINGLECOLOR) {
        line->side = search_slot(l, s, IRT_INT, "side");
        begin = ir_and(begin, ir_store(line->side, ir_side(l->arena)));
    }
    const Scopes outer = l->in;
    l->in.dash = NULL;
    line->offer = line_offer(l, line);
    Rest rest = {.function = -1};
    for (int i = ast->kid_count - 1; i >= 0; i--)
        rest = line_match(l, line, ast->kid[i], rest);
    l->in = outer;

    *length = ir_named_local(l->f, IRT_INT, "length");
    Ir *run = ir_always(invoke(l, &rest));
    Ir *found = ir_all(3, ir_slot_is(l->m, s->best_valid, 1), ir_let(*length, line_length(l, line)),
                       range_test(l, &ast->range, ir_local(l->f, *length)));
    Ir *end = ir_and(mark_positions(l, line), line_comments(l, line, *length));
    return ir_all(5, search_not_marked(l, s), begin, run, found, end);
}

static Ir *line_condition(Lower *l, const Ast *ast)
{
    Line line;
    int length;
    return line_search(l, ast, &line, &length, true);
}

static Value line_value(Lower *l, const Ast *ast)
{
    Line line;
    int length;
    Ir *search = line_search(l, ast, &line, &length, false);
    if (!(ast->flags & AST_LASTPOSITION))
        return value_of(search, ir_local(l->f, length));
    const Value end = value_in_local(l, value_of(NULL, ir_read_slot(l->m, line.search.best)));
    return value_of(ir_and(search, end.pre), end.val);
}

const Lowering lowering_line = {line_condition, line_value};
