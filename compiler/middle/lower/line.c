// `line` (language reference 5.12 to 5.14). search.h explains the parts of a search.
//
// In a line each filter matches one position, and a line ends where everything that follows can match nothing.
// So the function of a filter must know that about its continuation; with counted repetitions it depends on
// counters.
#include "line_search.h"

typedef struct Line {
    Search search;
    int offer; // function that offers the current position as the end
    bool backward;
} Line;

// ---- complete lines --------------------------------------------------------------------------------------

// offer(P) of 5.13. The value is the number of positions.
static int line_offer(Lower *l, const Line *line)
{
    const Search *s = &line->search;
    const SearchFunction f = search_function(l, s, "end", NULL);
    const int value = ir_named_local(l->f, IRT_INT, "length");
    Ir *here = ir_node(IR_NODE_PLY, ir_current(l->arena));
    Ir *start = ir_node(IR_NODE_PLY, ir_read_slot(l->m, s->start));
    Ir *plies = line->backward ? ir_sub(start, here) : ir_sub(here, start);
    Ir *length =
        !s->side ? ir_with_int(IR_ADD, plies, 1) : ir_with_int(IR_DIV, ir_with_int(IR_ADD, plies, 2), 2);
    return search_offer(l, s, f, ir_let(value, length), value, NULL);
}

// Offers the current position if nothing more is needed. NULL: something is.
static Ir *offer_if_complete(Lower *l, const Line *line, Rest rest)
{
    if (rest.demands)
        return NULL;
    Ir *all = NULL;
    for (const Counter *c = rest.counter; c != NULL; c = c->outer)
        all = ir_and(all, ir_with_int(IR_GE, ir_read_slot(l->m, c->done), c->least));
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
static Ir *step_on(Lower *l, const Line *line, Rest rest)
{
    Ir *call = search_invoke(l, rest);
    if (call == NULL)
        return NULL;
    if (line->backward)
        return ir_all(3, value_is_of_game(l, ir_current(l->arena)), value_has_parent(l),
                      ir_at(ir_node(IR_NODE_PARENT, ir_current(l->arena)), call));
    const int child = ir_new_local(l->f, IRT_POSITION);
    Ir *body = ir_and(permitted(l, line, child), ir_at(ir_local(l->f, child), call));
    return ir_each_child(ir_current(l->arena), child, body, MODE_ANY);
}

// singlecolor: steps over positions that do not count (run of 5.13).
static Ir *step_over(Lower *l, const Search *s, int function, Ir *body)
{
    if (!s->side)
        return body;
    return ir_if(search_is_counted(l, s), body, step_on(l, (const Line *)s, (Rest){.function = function}));
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
static Ir *then_rest(Lower *l, const Line *line, const Ast *filter, Rest rest, Ir *condition, Ir *on)
{
    Ir *goal = ir_or_false(l->arena, ir_or(offer_if_complete(l, line, rest), on));
    return log_rollback(l, ir_and(condition, goal),
                        facts_add_text(l, filter) || comments_constituents(l, line));
}

static Ir *plain_step(Lower *l, const Line *line, const Ast *filter, Rest rest)
{
    Ir *condition = filter_condition(l, line, filter, NULL);
    return then_rest(l, line, filter, rest, condition, step_on(l, line, rest));
}

// One child of the loop of linked_step.
static Ir *linked_visit(Lower *l, const Line *line, const Ast *filter, Rest rest, int child)
{
    LineScope scope = {child};
    Ir *condition = filter_condition(l, line, filter, &scope), *on = search_invoke(l, rest);
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
static Ir *linked_step(Lower *l, const Line *line, const Ast *filter, Rest rest)
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

static Rest line_leaf(Lower *l, Search *s, const Ast *filter, Rest next)
{
    const Line *line = (const Line *)s;
    const SearchFunction f = search_function(l, s, "filter", filter);
    const bool may_link = !line->backward && !(l->options != NULL && l->options->free_moves);
    const bool linked = may_link && has_linked_moves(filter);
    Ir *step = linked ? linked_step(l, line, filter, next) : plain_step(l, line, filter, next);
    return (Rest){.function = search_list_end(l, s, f, step), .demands = true};
}

static const SearchKind line_kind = {"line", line_leaf, step_over};

// ---- the filter ------------------------------------------------------------------------------------------

static Ir *line_comments(Lower *l, const Line *line)
{
    const Search *s = &line->search;
    if (!comments_constituents(l, line))
        return search_comments(l, s, s->best_value, 0);
    return ir_and(search_put_texts(l, s),
                  ir_call(l->arena, IR_CALL_line_numbers, 4, ir_read_slot(l->m, s->start),
                          ir_read_slot(l->m, s->best_value), ir_read_slot(l->m, s->log_mark),
                          ir_int(l->arena, s->side != 0)));
}

// Bool node: runs the search.
static Ir *line_search(Lower *l, const Ast *ast, Line *line, bool condition)
{
    *line = (Line){.search = search_begin(l, ast, &line_kind, condition),
                   .backward = (ast->flags & AST_BACKWARD) != 0};
    Search *s = &line->search;
    Ir *begin = NULL;
    if (ast->flags & AST_SINGLECOLOR) {
        s->side = search_slot(l, s, IRT_INT, "side");
        begin = ir_store(s->side, ir_side(l->arena));
    }
    s->memo = memo_plan_line(l, s);
    begin = ir_and(begin, memo_begin(l, s, 0));
    line->offer = line_offer(l, line);
    const Rest first = search_constituents(l, s, (Rest){.function = -1});
    return search_filter(l, s, begin, ir_always(search_invoke(l, first)), line_comments(l, line));
}

static Ir *line_condition(Lower *l, const Ast *ast)
{
    Line line;
    return line_search(l, ast, &line, true);
}

static Value line_value(Lower *l, const Ast *ast)
{
    Line line;
    Ir *search = line_search(l, ast, &line, false);
    return search_value(l, &line.search, search);
}

const Lowering lowering_line[OP_COUNT_] = {[OP_LINE] = {line_value, line_condition, .outside_dash = true}};
