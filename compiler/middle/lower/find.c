// Filters that look at other positions of the game and compare them: find, echo, consecutivemoves,
// similarposition (language reference 6, 12.7).
#include "internal.h"

#include <limits.h>

// ---- find -------------------------------------------------------------------------------------------------

// Evaluates `round` for each position of the search, in order, with its id in `position`; stops at the first
// success when `first`.
static Ir *find_search(Lower *l, const Ast *ast, int position, Ir *round, bool first)
{
    const IrMode mode = first ? MODE_ANY : MODE_EACH;
    if (!(ast->flags & AST_BACKWARD))
        return ir_each_position(ir_current(l->arena), ir_node(IR_NODE_LAST, ir_current(l->arena)), position,
                                round, mode);
    return ir_each_ancestor(ir_current(l->arena), position, round, mode);
}

// The operand as a condition at the position in the local.
static Ir *condition_at(Lower *l, const Ast *operand, int position)
{
    const int saved = bound_save(l); // perhaps it never succeeds
    Ir *condition = lower_condition_clean(l, operand);
    bound_restore(l, saved);
    return ir_at(ir_local(l->f, position), condition);
}

static Ir *log_auto(Lower *l, int position, Ir *text)
{
    return ir_call(l->arena, IR_CALL_log_auto, 2, ir_local(l->f, position), text);
}

static Value find_first(Lower *l, const Ast *ast)
{
    const char *const first_of_cql5 = ast->flags & AST_BACKWARD ? "previous* 1 of 1" : "next* 1 of 1";
    const int position = ir_new_local(l->f, IRT_POSITION),
              found = ir_named_local(l->f, IRT_POSITION, "found");
    Ir *round = ir_and(condition_at(l, ast->kid[0], position), ir_let(found, ir_local(l->f, position)));
    Ir *search = find_search(l, ast, position, round, true);
    if (facts_is_loud(l, ast))
        search =
            ir_and(search, log_auto(l, found, ir_string(l->m, l->query->cql5 ? first_of_cql5 : "Found")));
    return value_of(search, ir_local(l->f, found));
}

static Value find_count(Lower *l, const Ast *ast)
{
    const int position = ir_new_local(l->f, IRT_POSITION), count = ir_named_local(l->f, IRT_INT, "count");
    const bool loud = facts_is_loud(l, ast);
    Ir *body = condition_at(l, ast->kid[0], position);
    // The positions found are kept as a trail.
    Ir *trail = loud ? ir_int(l->arena, log_register(l, "found positions")) : NULL;
    Ir *note = loud ? ir_call(l->arena, IR_CALL_trail_push, 2, trail, ir_local(l->f, position)) : NULL;
    Ir *round = ir_always(ir_all(3, body, note, ir_increment(l->f, count)));
    Ir *search = find_search(l, ast, position, round, false);
    Ir *matches = ast->flags & AST_ALL ? ir_with_int(IR_GE, ir_local(l->f, count), 1)
                                       : range_test(l, &ast->range, ir_local(l->f, count));
    Ir *pre = ir_and(ir_let_int(l->f, count, 0), search);
    if (!loud)
        return value_of(ir_and(pre, matches), ir_local(l->f, count));
    Ir *begin = ir_call(l->arena, IR_CALL_trail_start, 1, ir_copy(trail));
    const char *word = !l->query->cql5 ? "Found" : ast->flags & AST_BACKWARD ? "previous*" : "next*";
    Ir *comments = ir_call(l->arena, IR_CALL_found_comments, 2, ir_copy(trail), ir_string(l->m, word));
    return value_of(ir_all(4, begin, pre, matches, comments), ir_local(l->f, count));
}

static Value find(Lower *l, const Ast *ast)
{
    return ast->range.present || ast->flags & AST_ALL ? find_count(l, ast) : find_first(l, ast);
}

// ---- echo -------------------------------------------------------------------------------------------------

typedef struct Echo {
    const Ast *ast;
    int source, target; // locals: the pair of positions; they come before the others
    bool in_locals;     // and the variables are nothing else
    int hit;            // local: whether there was a hit
    int value, best;    // locals: its number and the greatest one so far, 0: not numeric
    int start, mark;    // locals: lengths of the log before the echo and before this target, 0: not needed
    int texts;          // register
} Echo;

// The name of one position is written at another one.
static Ir *link_comment(Lower *l, const char *arrow, int named, int at)
{
    const int name = ir_new_local(l->f, IRT_STRING);
    Ir *make = ir_let(name, ir_call(l->arena, IR_CALL_text_position, 1, ir_local(l->f, named)));
    Ir *text = ir_call(l->arena, IR_CALL_concat, 2, ir_string(l->m, arrow), ir_local(l->f, name));
    return ir_and(make, log_auto(l, at, text));
}

// Of `relation` of CQL 5 (11.7): its pairs, which get their texts at the end of the game.
static Ir *relation_comments(Lower *l, const Echo *e)
{
    Arena *a = l->arena;
    Ir *pair = ir_call(a, IR_CALL_relation_pair, 4, ir_int(a, l->relation_count++), ir_local(l->f, e->source),
                       ir_local(l->f, e->target), ir_int(a, (e->ast->number & ECHO_LCA) != 0));
    if (!(e->ast->number & ECHO_RUN))
        return pair;
    Ir *keep =
        ir_call(a, IR_CALL_common_run_keep, 5, ir_int(a, l->common_run_count++), ir_local(l->f, e->source),
                ir_local(l->f, e->target), ir_string(l->m, "SOURCEPATH"), ir_string(l->m, "TARGETPATH"));
    return ir_and(pair, ir_always(ir_and(ir_call(a, IR_CALL_comments_wanted, 0), keep)));
}

static Ir *echo_comments(Lower *l, const Echo *e)
{
    if (!facts_is_loud(l, e->ast))
        return NULL;
    if (l->query->cql5)
        return relation_comments(l, e);
    const int common = ir_named_local(l->f, IRT_POSITION, "common");
    Ir *find_lca = ir_let(
        common, ir_call(l->arena, IR_CALL_lca, 2, ir_local(l->f, e->source), ir_local(l->f, e->target)));
    Ir *apart = ir_and(ir_ne(ir_local(l->f, common), ir_local(l->f, e->source)),
                       ir_ne(ir_local(l->f, common), ir_local(l->f, e->target)));
    Ir *lca_comment = ir_always(ir_and(apart, log_auto(l, common, ir_string(l->m, "LCA"))));
    Ir *source_name = log_auto(l, e->source, ir_string(l->m, e->ast->variable->name));
    Ir *target_name = log_auto(l, e->target, ir_string(l->m, e->ast->variable2->name));
    Ir *there = link_comment(l, "-->", e->source, e->target);
    Ir *back = link_comment(l, "<--", e->target, e->source);
    Ir *all = ir_all(4, find_lca, lca_comment, ir_and(source_name, target_name), ir_and(there, back));
    return ir_always(ir_and(ir_call(l->arena, IR_CALL_comments_wanted, 0), all));
}

static Ir *echo_hit(Lower *l, const Echo *e)
{
    Ir *comments = echo_comments(l, e);
    Ir *better = ir_bool(l->arena, false), *raise_best = NULL;
    if (e->best) {
        better = ir_or(ir_with_int(IR_EQ, ir_local(l->f, e->hit), 0),
                       ir_gt(ir_local(l->f, e->value), ir_local(l->f, e->best)));
        raise_best = ir_always(ir_and(ir_copy(better), ir_let(e->best, ir_local(l->f, e->value))));
    }
    // Inside `sort` only the texts of the best hit stay: a better one drops those before it, others lose their own.
    Ir *texts =
        e->mark ? ir_if(better, log_keep_last(l, e->texts, e->start, e->mark), log_cut(l, e->mark)) : NULL;
    return ir_all(4, comments, texts, raise_best, ir_let_int(l->f, e->hit, 1));
}

static Ir *echo_body(Lower *l, const Echo *e)
{
    const Ast *body = e->ast->kid[0];
    const int saved = bound_enter(l, e->ast->variable2);
    if (e->in_locals) {
        variable_enter_local(l, e->ast->variable, e->source);
        variable_enter_local(l, e->ast->variable2, e->target);
    }
    Ir *node = e->value ? lower_into(l, body, e->value) : lower_condition(l, body);
    if (e->in_locals) {
        variable_leave_local(l, e->ast->variable);
        variable_leave_local(l, e->ast->variable2);
    }
    bound_restore(l, saved);
    return log_rollback(l, ir_at(ir_local(l->f, e->target), node), facts_add_text(l, body));
}

// Without comments nothing but the existence of a hit is of interest, and a round can be noticed by nothing else.
static bool first_hit_is_enough(const Echo *e, const Ir *body)
{
    const unsigned noticed = IR_READS_SLOT | IR_WRITES_SLOT | IR_EFFECT | IR_INVOKES;
    return !e->value && !e->mark && e->in_locals && !ir_does_any(body, noticed);
}

// Of the conditions of a hit the one that tells where a shift may bring the pieces of the source (11.7). NULL: none.
static const Ast *shift_of(const Ast *body)
{
    for (int i = 0; body->op == OP_COMPOUND && i < body->kid_count; i++)
        if (relation_is_shift(body->kid[i]))
            return body->kid[i];
    return relation_is_shift(body) ? body : NULL;
}

// Visits only the targets to which the shift may bring the pieces.
static Ir *each_shifted(Lower *l, const Echo *e, const Ast *shift, Ir *round, Ir *done)
{
    variable_enter_local(l, e->ast->variable, e->source);
    Ir *loop = relation_each_shifted(l, shift, e->target, round, done);
    variable_leave_local(l, e->ast->variable);
    return loop;
}

// The loop over all targets, or up to the first hit, and then what is to be done in the end. True when there was a hit.
static Ir *echo_loop(Lower *l, const Echo *e, Ir *end)
{
    Ir *other =
        e->ast->flags & AST_IN_ALL ? NULL : ir_ne(ir_local(l->f, e->target), ir_local(l->f, e->source));
    Ir *mark = e->mark ? log_mark(l, e->mark) : NULL;
    Ir *bind = e->in_locals ? NULL : variable_bind(l, e->ast->variable2, ir_local(l->f, e->target));
    Ir *body = echo_body(l, e), *first = ir_int(l->arena, 0), *last = value_last_position(l);
    const bool one = first_hit_is_enough(e, body), loud = facts_is_loud(l, e->ast);
    const Ast *shift = one ? shift_of(e->ast->kid[0]) : NULL;
    if (one && !loud && shift == NULL)
        return ir_each_position(first, last, e->target, ir_or_true(l->arena, ir_and(other, body)), MODE_ANY);
    Ir *round = ir_all(5, other, mark, bind, body, echo_hit(l, e)), *loop;
    Ir *enough = loud ? ir_not(ir_call(l->arena, IR_CALL_comments_wanted, 0)) : ir_bool(l->arena, true);
    if (shift != NULL)
        loop = each_shifted(l, e, shift, round, ir_and(ir_nonzero(ir_local(l->f, e->hit)), enough));
    else if (one)
        loop = ir_always(ir_each_position(first, last, e->target, ir_and(round, enough), MODE_ANY));
    else
        loop = ir_each_position(first, last, e->target, ir_always(round), MODE_EACH);
    return ir_all(4, ir_let_int(l->f, e->hit, 0), loop, end, ir_nonzero(ir_local(l->f, e->hit)));
}

static Value echo_value(Lower *l, const Ast *ast, bool is_condition)
{
    const Variable *source = ast->variable, *target = ast->variable2;
    Echo e = {.ast = ast};
    e.source = ir_named_local(l->f, IRT_POSITION, "source");
    e.target = ir_named_local(l->f, IRT_POSITION, "target");
    e.hit = ir_named_local(l->f, IRT_INT, "found");
    e.in_locals = source != target && variable_may_be_local(l, source, USE_ECHO, ast->kid[0]) &&
                  variable_may_be_local(l, target, USE_ECHO, ast->kid[0]);
    Ir *begin = value_is_of_game(l, ir_current(l->arena));
    if (!e.in_locals) {
        begin = ir_and(begin, variable_require_unbound(l, source));
        begin = ir_and(begin, variable_require_unbound(l, target));
    }
    begin = ir_and(begin, ir_let(e.source, ir_current(l->arena)));
    if (!e.in_locals)
        begin = ir_and(begin, variable_bind(l, source, ir_local(l->f, e.source)));
    const bool keeps_best = l->in_sort && facts_add_text(l, ast);
    if (ast->kid[0]->type == TYPE_INT && (!is_condition || keeps_best)) {
        e.value = ir_named_local(l->f, IRT_INT, "value");
        e.best = ir_named_local(l->f, IRT_INT, "best");
        begin = ir_and(begin, ir_let_int(l->f, e.best, 0));
    }
    if (keeps_best) {
        e.start = ir_named_local(l->f, IRT_INT, "start");
        e.mark = ir_named_local(l->f, IRT_INT, "mark");
        e.texts = log_register(l, "texts of echo");
        begin = ir_and(begin, log_mark(l, e.start));
    }
    Ir *end = NULL;
    if (!e.in_locals) {
        end = variable_unbind(l, source);
        end = ir_and(end, variable_unbind(l, target));
    }
    return value_of(ir_and(begin, echo_loop(l, &e, end)),
                    e.best ? ir_local(l->f, e.best) : ir_int(l->arena, 0));
}

static Value echo(Lower *l, const Ast *ast)
{
    return echo_value(l, ast, false);
}

static Ir *echo_condition(Lower *l, const Ast *ast)
{
    return echo_value(l, ast, true).pre;
}

// ---- consecutivemoves -------------------------------------------------------------------------------------

// The name of one of the positions in comments, and its value.
typedef struct RunEnd {
    const char *name;
    Value value;
} RunEnd;

static RunEnd run_end(Lower *l, const Ast *ast, int i)
{
    const Variable *v = i == 0 ? ast->variable : ast->variable2;
    if (v != NULL) {
        Ir *bound = variable_require_bound(l, v);
        return (RunEnd){v->name, value_of(bound, variable_read(l, v))};
    }
    const Ast *position = ast->kid[i];
    const char *name = position->op == OP_VARIABLE ? position->variable->name
                       : i == 0                    ? "<source>"
                                                   : "<target>";
    return (RunEnd){name, value_hold(l, lower_value(l, position))};
}

static Value consecutive_moves(Lower *l, const Ast *ast)
{
    RunEnd x = run_end(l, ast, 0), y = run_end(l, ast, 1);
    const int length = ir_named_local(l->f, IRT_INT, "length");
    Ir *pre = ir_and(value_is_of_game(l, ir_current(l->arena)), value_join(l, &x.value, &y.value));
    Ir *run = ir_let(length, ir_call(l->arena, IR_CALL_common_run, 2, x.value.val, y.value.val));
    Ir *matches = ir_and(ir_with_int(IR_GT, ir_local(l->f, length), 0),
                         range_test(l, &ast->range, ir_local(l->f, length)));
    Ir *keep = NULL;
    if (facts_is_loud(l, ast)) {
        Ir *x_name = ir_string(l->m, x.name), *y_name = ir_string(l->m, y.name);
        keep = ir_call(l->arena, IR_CALL_common_run_keep, 5, ir_int(l->arena, l->common_run_count++),
                       ir_copy(x.value.val), ir_copy(y.value.val), x_name, y_name);
    }
    return value_of(ir_all(4, pre, run, matches, keep), ir_local(l->f, length));
}

// ---- resembling positions ---------------------------------------------------------------------------------

// Pieces on squares as two arguments of a call: the symbols and the squares.
static void add_pieces(Lower *l, Ir *call, const Ast *designator)
{
    const bool none = designator->op == OP_NO_SQUARES;
    ir_add_kid(call, ir_int(l->arena, none ? 0 : (int32_t)designator->pieces));
    ir_add_kid(call, ir_set(l->arena, none ? 0 : designator->mask));
}

static Ir *resembles(Lower *l, const Ast *ast)
{
    const Value other = lower_value(l, ast->kid[0]);
    const Bitboard squares = ast->kid_extra->op == OP_NO_SQUARES ? 0 : ast->kid_extra->mask;
    Ir *call = ir_call(l->arena, IR_CALL_resembles, 3, other.val, ir_set(l->arena, squares),
                       ir_int(l->arena, ast->number));
    add_pieces(l, call, ast->kid_left);
    ir_add_kid(call, ir_int(l->arena, ast->range.low.value));
    ir_add_kid(call, ir_int(l->arena, ast->range.high.value));
    add_pieces(l, call, ast->kid_right);
    ir_add_kid(call, ir_int(l->arena, ast->low));
    ir_add_kid(call, ir_int(l->arena, ast->high));
    return ir_and(other.pre, call);
}

// similarposition (6.15). INT_MAX: the comments stay in the log.
static Ir *similar_position(Lower *l, const Ast *ast)
{
    const Value game = value_out(l, NULL, ir_call(l->arena, IR_CALL_similar, 0));
    l->m->info.similar_file = ast->text;
    if (ast->flags & AST_NOTRANSFORM)
        l->m->info.flags |= QUERY_SIMILAR_PLAIN;
    if (ast->flags & AST_NOSORT)
        return game.pre;
    return ir_and(game.pre, ir_call(l->arena, IR_CALL_sort_int, 4, ir_int(l->arena, ast->high),
                                    ir_int(l->arena, ast->low), game.val, ir_int(l->arena, INT_MAX)));
}

const Lowering lowering_find[OP_COUNT_] = {
    [OP_FIND] = {find, .outside_dash = true},
    [OP_ECHO] = {echo, echo_condition, .outside_dash = true},
    [OP_CONSECUTIVEMOVES] = {consecutive_moves, .outside_dash = true},
    [OP_RESEMBLES] = {NULL, resembles},
    [OP_SIMILARPOSITION] = {NULL, similar_position},
};
