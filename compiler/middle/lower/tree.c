// The game tree (language reference 6): numbers of a position, other positions, comparison, find, echo,
// consecutivemoves, the tests of where a position lies, comments and glyphs of the input.
#include "moves.h"

#include <limits.h>

#include "runtime/chess/chess.h"

// ---- numbers ----------------------------------------------------------------------------------------------

static Ir *own(Lower *l, int field)
{
    return ir_node(field, ir_current(l->arena));
}

static Ir *move_number(Lower *l)
{
    // (ply + b) / 2 + 1; b is 1 when Black began: ply and side to move differ in parity.
    Ir *black_began = ir_with_int(IR_AND_BITS, ir_add(own(l, IR_NODE_PLY), ir_side(l->arena)), 1);
    Ir *half = ir_unary(IR_SHIFT_RIGHT, ir_add(own(l, IR_NODE_PLY), black_began));
    half->number = 1;
    return ir_with_int(IR_ADD, half, 1);
}

// ---- other positions --------------------------------------------------------------------------------------

// A field of the current node that may be -1.
static Value link(Lower *l, int field)
{
    return value_of(ir_with_int(IR_GE, own(l, field), 0), ir_position_of(own(l, field)));
}

// A filter with another position or game-wide question in it: the dash around does not reach its operand
// (4.3.6).
static Value operand_outside_dash(Lower *l, const Ast *ast)
{
    DashScope *const dash = l->dash;
    l->dash = NULL;
    const Value v = lower_value(l, ast);
    l->dash = dash;
    return v;
}

static Ir *condition_outside_dash(Lower *l, const Ast *ast)
{
    DashScope *const dash = l->dash;
    uint8_t *saved = bound_save(l); // perhaps it never succeeds
    l->dash = NULL;
    Ir *condition = lower_condition_clean(l, ast);
    l->dash = dash;
    bound_restore(l, saved);
    return condition;
}

// The current position is not imaginary (13.5).
static Ir *is_of_game(Lower *l)
{
    return ir_lt(ir_int_of(ir_current(l->arena)), ir_game(l->arena, IR_GAME_COUNT));
}

static Value child(Lower *l, const Ast *ast)
{
    if (ast->kid_count == 0 || (ast->kid[0]->op == OP_NUMBER && ast->kid[0]->number == 0))
        return link(l, IR_NODE_FIRST_CHILD);
    const Value index = operand_outside_dash(l, ast->kid[0]);
    const int at = ir_new_local(l->f, IRT_POSITION), left = ir_new_local(l->f, IRT_INT);
    Ir *begin = ir_and(ir_let(left, index.val), ir_let(at, own(l, IR_NODE_FIRST_CHILD)));
    Ir *more = ir_and(ir_with_int(IR_GT, ir_local(l->f, left), 0), ir_with_int(IR_GE, ir_local(l->f, at), 0));
    Ir *next = ir_let(at, ir_node(IR_NODE_NEXT_SIBLING, ir_position_of(ir_local(l->f, at))));
    Ir *step = ir_and(next, ir_let(left, ir_with_int(IR_SUB, ir_local(l->f, left), 1)));
    Ir *exists =
        ir_and(ir_with_int(IR_EQ, ir_local(l->f, left), 0), ir_with_int(IR_GE, ir_local(l->f, at), 0));
    return value_of(ir_all(4, index.pre, begin, ir_while(more, step), exists), ir_local(l->f, at));
}

static Value numbered_position(Lower *l, const Ast *ast)
{
    const Value id = value_hold(l, operand_outside_dash(l, ast->kid[0]));
    Ir *exists =
        ir_and(ir_with_int(IR_GE, id.val, 0), ir_lt(ir_copy(id.val), ir_game(l->arena, IR_GAME_COUNT)));
    return value_of(ir_and(id.pre, exists), ir_position_of(ir_copy(id.val)));
}

static Value root(Lower *l)
{
    return value_of(NULL, ir_position_of(ir_int(l->arena, 0)));
}

// ---- evaluating elsewhere ---------------------------------------------------------------------------------

static Ir *at_condition(Lower *l, const Ast *ast)
{
    DashScope *const dash = l->dash;
    LineScope *const line = l->line;
    l->dash = NULL;
    l->line = NULL;
    const Value p = lower_value(l, ast->kid[0]);
    Ir *node = lower_condition(l, ast->kid[1]);
    l->dash = dash;
    l->line = line;
    return ir_and(p.pre, ir_at(p.val, node));
}

static Value at_value(Lower *l, const Ast *ast)
{
    DashScope *const dash = l->dash;
    LineScope *const line = l->line;
    l->dash = NULL;
    l->line = NULL;
    const Value p = lower_value(l, ast->kid[0]);
    const int local = ir_new_local(l->f, ir_type_of(ast->type));
    Ir *node = ir_at(p.val, lower_into(l, ast->kid[1], local));
    l->dash = dash;
    l->line = line;
    Ir *pre = ir_and(p.pre, node);
    if (ast->type != TYPE_SET)
        return value_of(pre, ir_local(l->f, local));
    // The set is there, or empty without a position.
    Ir *found = ir_always(with_rollback(l, pre, adds_text(l, ast->kid[0])));
    return value_of(ir_and(ir_let(local, ir_set(l->arena, 0)), found), ir_local(l->f, local));
}

// ---- comparison -------------------------------------------------------------------------------------------

// `a` is a proper ancestor of `b`, or (equal) the same.
static Ir *ancestor_test(Ir *a, Ir *b, bool equal)
{
    return ir_and(ir_binary(equal ? IR_LE : IR_LT, a, b),
                  ir_le(ir_copy(b), ir_node(IR_NODE_LAST, ir_copy(a))));
}

static Value family_relation(Lower *l, const Ast *ast, bool descendant, bool equal)
{
    Value a = value_hold(l, lower_value(l, ast->kid[0])), b = value_hold(l, lower_value(l, ast->kid[1]));
    Ir *pre = values_join(l, &a, &b);
    Ir *test = descendant ? ancestor_test(b.val, a.val, equal) : ancestor_test(a.val, b.val, equal);
    return value_of(ir_and(pre, test), ir_copy(a.val));
}

static Value lca(Lower *l, const Ast *ast)
{
    Value a = lower_value(l, ast->kid[0]), b = lower_value(l, ast->kid[1]);
    Ir *pre = values_join(l, &a, &b);
    return value_of(pre, ir_call(l->arena, IR_CALL_lca, 2, a.val, b.val));
}

static Value distance(Lower *l, const Ast *ast)
{
    Value a = value_hold(l, lower_value(l, ast->kid[0])), b = value_hold(l, lower_value(l, ast->kid[1]));
    Ir *pre = values_join(l, &a, &b);
    Ir *both = ir_add(ir_node(IR_NODE_PLY, a.val), ir_node(IR_NODE_PLY, b.val));
    Ir *common = ir_call(l->arena, IR_CALL_lca, 2, ir_copy(a.val), ir_copy(b.val));
    Ir *twice = ir_with_int(IR_MUL, ir_node(IR_NODE_PLY, common), 2);
    return value_of(pre, ir_sub(both, twice));
}

static Value same_contents(Lower *l, const Ast *ast)
{
    Value a = lower_value(l, ast->kid[0]), b = lower_value(l, ast->kid[1]);
    Ir *pre = values_join(l, &a, &b);
    return set_or_empty(l, pre, ir_call(l->arena, IR_CALL_same_contents, 2, a.val, b.val), adds_text(l, ast));
}

// ---- find -------------------------------------------------------------------------------------------------

// Does the filter write automatic comments?
static bool is_loud(const Lower *l, const Ast *ast)
{
    return !(ast->flags & AST_QUIET) && comment_level(&l->query->header) == LEVEL_NORMAL;
}

// Evaluates `round` for each position of the search, in order, with its id in `position`; stops at the first
// success when `first`.
static Ir *find_search(Lower *l, const Ast *ast, int position, Ir *round, bool first)
{
    if (!(ast->flags & AST_BACKWARD))
        return ir_each_position(ir_current(l->arena), own(l, IR_NODE_LAST), position, round,
                                first ? MODE_ANY : MODE_EACH);
    const int done = ir_new_local(l->f, IRT_INT);
    Ir *more =
        ir_and(ir_with_int(IR_EQ, ir_local(l->f, done), 0), ir_with_int(IR_GE, ir_local(l->f, position), 0));
    Ir *up = ir_let(position, ir_node(IR_NODE_PARENT, ir_position_of(ir_local(l->f, position))));
    Ir *found = first ? ir_or(ir_and(round, ir_let_int(l->f, done, 1)), up) : ir_and(ir_always(round), up);
    Ir *loop =
        ir_all(3, ir_let_int(l->f, done, 0), ir_let(position, ir_current(l->arena)), ir_while(more, found));
    return first ? ir_and(loop, ir_nonzero(ir_local(l->f, done))) : loop;
}

static Value find_first(Lower *l, const Ast *ast)
{
    const char *const first_of_cql5 = ast->flags & AST_BACKWARD ? "previous* 1 of 1" : "next* 1 of 1";
    const int position = ir_new_local(l->f, IRT_POSITION), found = ir_new_local(l->f, IRT_POSITION);
    Ir *body = ir_at(ir_local(l->f, position), condition_outside_dash(l, ast->kid[0]));
    Ir *round = ir_and(body, ir_let(found, ir_local(l->f, position)));
    Ir *comment = !is_loud(l, ast) ? NULL
                                   : ir_call(l->arena, IR_CALL_log_auto, 2, ir_local(l->f, found),
                                             ir_string(l->m, l->query->cql5 ? first_of_cql5 : "Found"));
    return value_of(ir_and(find_search(l, ast, position, round, true), comment), ir_local(l->f, found));
}

static Value find_count(Lower *l, const Ast *ast)
{
    const int position = ir_new_local(l->f, IRT_POSITION), count = ir_new_local(l->f, IRT_INT);
    const bool loud = is_loud(l, ast);
    Ir *body = ir_at(ir_local(l->f, position), condition_outside_dash(l, ast->kid[0]));
    // The positions found are kept as a trail, whose number is that of a slot of its own.
    Ir *trail = loud ? ir_int(l->arena, new_slot(l, "found positions")) : NULL;
    Ir *note = loud ? ir_call(l->arena, IR_CALL_trail_push, 2, trail, ir_local(l->f, position)) : NULL;
    Ir *round = ir_always(ir_all(3, body, note, ir_increment(l->f, count)));
    Ir *search = find_search(l, ast, position, round, false);
    Ir *holds = ast->flags & AST_ALL ? ir_with_int(IR_GE, ir_local(l->f, count), 1)
                                     : lower_range_test(l, &ast->range, ir_local(l->f, count));
    Ir *pre = ir_and(ir_let_int(l->f, count, 0), search);
    if (!loud)
        return value_of(ir_and(pre, holds), ir_local(l->f, count));
    Ir *begin = ir_call(l->arena, IR_CALL_trail_start, 1, ir_copy(trail));
    const char *word = !l->query->cql5 ? "Found" : ast->flags & AST_BACKWARD ? "previous*" : "next*";
    Ir *tell = ir_call(l->arena, IR_CALL_found_comments, 2, ir_copy(trail), ir_string(l->m, word));
    return value_of(ir_all(4, begin, pre, holds, tell), ir_local(l->f, count));
}

static Value find(Lower *l, const Ast *ast)
{
    LineScope *const line = l->line;
    l->line = NULL;
    const Value v = ast->range.present || ast->flags & AST_ALL ? find_count(l, ast) : find_first(l, ast);
    l->line = line;
    return v;
}

// ---- echo -------------------------------------------------------------------------------------------------

typedef struct Echo {
    const Ast *ast;
    int source, target; // locals: the pair of positions
    int hit, value,
        best; // locals: whether there was a hit; its number and the greatest one so far, -1 when not numeric
    int start, mark; // locals: lengths of the log before the echo and before this target, -1: not needed
    int texts;       // register
} Echo;

static Ir *log_auto(Lower *l, int position_local, Ir *text)
{
    return ir_call(l->arena, IR_CALL_log_auto, 2, ir_local(l->f, position_local), text);
}

// The name of one position is written at another one.
static Ir *link_comment(Lower *l, const char *arrow, int named, int at)
{
    const int name = ir_new_local(l->f, IRT_STRING);
    Ir *make = ir_let(name, ir_call(l->arena, IR_CALL_text_position, 1, ir_local(l->f, named)));
    Ir *text = ir_call(l->arena, IR_CALL_concat, 2, ir_string(l->m, arrow), ir_local(l->f, name));
    return ir_and(make, log_auto(l, at, text));
}

static Ir *echo_comments(Lower *l, const Echo *e)
{
    if (!is_loud(l, e->ast))
        return NULL;
    const int common = ir_new_local(l->f, IRT_POSITION);
    Ir *find_lca = ir_let(
        common, ir_call(l->arena, IR_CALL_lca, 2, ir_local(l->f, e->source), ir_local(l->f, e->target)));
    Ir *apart = ir_and(ir_ne(ir_local(l->f, common), ir_local(l->f, e->source)),
                       ir_ne(ir_local(l->f, common), ir_local(l->f, e->target)));
    Ir *lca_comment = ir_always(ir_and(apart, log_auto(l, common, ir_string(l->m, "LCA"))));
    Ir *names = ir_and(log_auto(l, e->source, ir_string(l->m, e->ast->variable->name)),
                       log_auto(l, e->target, ir_string(l->m, e->ast->variable2->name)));
    Ir *links =
        ir_and(link_comment(l, "-->", e->source, e->target), link_comment(l, "<--", e->target, e->source));
    Ir *all = ir_all(4, find_lca, lca_comment, names, links);
    return ir_always(ir_and(ir_call(l->arena, IR_CALL_comments_wanted, 0), all));
}

// Inside `sort` only the texts of the best hit stay: a better one drops those before it, others lose their
// own.
static Ir *keep_best_texts(Lower *l, const Echo *e, Ir *better)
{
    Ir *keep = ir_all(
        3, ir_call(l->arena, IR_CALL_texts_keep, 2, ir_int(l->arena, e->texts), ir_local(l->f, e->mark)),
        ir_call(l->arena, IR_CALL_log_cut, 1, ir_local(l->f, e->start)),
        ir_call(l->arena, IR_CALL_texts_put, 1, ir_int(l->arena, e->texts)));
    Ir *lose = ir_call(l->arena, IR_CALL_log_cut, 1, ir_local(l->f, e->mark));
    return ir_if(better, keep, lose);
}

static Ir *echo_hit(Lower *l, const Echo *e)
{
    Ir *comments = echo_comments(l, e);
    Ir *better = ir_bool(l->arena, false), *raise_best = NULL;
    if (e->best >= 0) {
        better = ir_or(ir_with_int(IR_EQ, ir_local(l->f, e->hit), 0),
                       ir_gt(ir_local(l->f, e->value), ir_local(l->f, e->best)));
        raise_best = ir_always(ir_and(ir_copy(better), ir_let(e->best, ir_local(l->f, e->value))));
    }
    Ir *texts = e->mark >= 0 ? keep_best_texts(l, e, better) : NULL;
    return ir_all(4, comments, texts, raise_best, ir_let_int(l->f, e->hit, 1));
}

static Ir *set_variable(Lower *l, const Variable *v, Ir *position)
{
    return ir_and(ir_store(variable_slot(l, v), position),
                  ir_store(variable_bound_slot(l, v), ir_int(l->arena, 1)));
}

static Ir *unset_variable(Lower *l, const Variable *v)
{
    return ir_store(variable_bound_slot(l, v), ir_int(l->arena, 0));
}

static Ir *require_unset(Lower *l, const Variable *v)
{
    Ir *unset = ir_with_int(IR_EQ, ir_slot(l->arena, IRT_INT, variable_bound_slot(l, v)), 0);
    return ir_or(unset, raise_error(l, RAISE_BOUND, v->name));
}

static Ir *echo_body(Lower *l, const Echo *e)
{
    const Ast *body = e->ast->kid[0];
    uint8_t *saved = bound_save(l);
    if (!(l->use[e->ast->variable2->number] & USE_UNBOUND))
        l->bound[e->ast->variable2->number] = 1;
    Ir *node = e->value >= 0 ? lower_into(l, body, e->value) : lower_condition(l, body);
    bound_restore(l, saved);
    return with_rollback(l, ir_at(ir_local(l->f, e->target), node), adds_text(l, body));
}

// The loop over all targets.
static Ir *echo_loop(Lower *l, const Echo *e)
{
    Ir *other =
        e->ast->flags & AST_IN_ALL ? NULL : ir_ne(ir_local(l->f, e->target), ir_local(l->f, e->source));
    Ir *mark = e->mark >= 0 ? ir_let(e->mark, ir_call(l->arena, IR_CALL_log_mark, 0)) : NULL;
    Ir *set = set_variable(l, e->ast->variable2, ir_local(l->f, e->target));
    Ir *round = ir_all(5, other, mark, set, echo_body(l, e), echo_hit(l, e));
    Ir *last = ir_with_int(IR_SUB, ir_game(l->arena, IR_GAME_COUNT), 1);
    return ir_each_position(ir_int(l->arena, 0), last, e->target, ir_always(round), MODE_EACH);
}

static Value echo(Lower *l, const Ast *ast)
{
    DashScope *const dash = l->dash;
    LineScope *const line = l->line;
    l->dash = NULL;
    l->line = NULL;
    const bool numeric = ast->kid[0]->type == TYPE_INT;
    Echo e = {.ast = ast, .value = -1, .best = -1, .start = -1, .mark = -1};
    e.source = ir_new_local(l->f, IRT_POSITION);
    e.target = ir_new_local(l->f, IRT_POSITION);
    e.hit = ir_new_local(l->f, IRT_INT);
    Ir *begin = ir_let(e.source, ir_current(l->arena));
    begin = ir_all(3, require_unset(l, ast->variable), require_unset(l, ast->variable2), begin);
    begin = ir_all(3, begin, ir_let_int(l->f, e.hit, 0),
                   set_variable(l, ast->variable, ir_local(l->f, e.source)));
    if (numeric) {
        e.value = ir_new_local(l->f, IRT_INT);
        e.best = ir_new_local(l->f, IRT_INT);
        begin = ir_and(begin, ir_let_int(l->f, e.best, 0));
    }
    if (l->in_sort && adds_text(l, ast)) {
        e.start = ir_new_local(l->f, IRT_INT);
        e.mark = ir_new_local(l->f, IRT_INT);
        e.texts = new_slot(l, "texts of echo");
        begin = ir_and(begin, ir_let(e.start, ir_call(l->arena, IR_CALL_log_mark, 0)));
    }
    Ir *loop = echo_loop(l, &e);
    Ir *end = ir_and(unset_variable(l, ast->variable), unset_variable(l, ast->variable2));
    l->dash = dash;
    l->line = line;
    return value_of(ir_all(4, begin, loop, end, ir_nonzero(ir_local(l->f, e.hit))),
                    numeric ? ir_local(l->f, e.best) : ir_int(l->arena, 0));
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

// ---- consecutivemoves -------------------------------------------------------------------------------------

// The name of one of the positions in comments, and its value.
typedef struct RunEnd {
    const char *name;
    Value value;
} RunEnd;

static RunEnd run_end(Lower *l, const Ast *ast, int i)
{
    const Variable *v = i == 0 ? ast->variable : ast->variable2;
    if (v != NULL)
        return (RunEnd){v->name,
                        value_of(require_bound(l, v), ir_slot(l->arena, IRT_POSITION, variable_slot(l, v)))};
    const Ast *position = ast->kid[i];
    const char *name = position->op == OP_VARIABLE ? position->variable->name
                       : i == 0                    ? "<source>"
                                                   : "<target>";
    return (RunEnd){name, value_hold(l, operand_outside_dash(l, position))};
}

static Value consecutive_moves(Lower *l, const Ast *ast)
{
    RunEnd x = run_end(l, ast, 0), y = run_end(l, ast, 1);
    const int length = ir_new_local(l->f, IRT_INT);
    Ir *pre = values_join(l, &x.value, &y.value);
    Ir *run = ir_let(length, ir_call(l->arena, IR_CALL_common_run, 2, x.value.val, y.value.val));
    Ir *holds = ir_and(ir_with_int(IR_GT, ir_local(l->f, length), 0),
                       lower_range_test(l, &ast->range, ir_local(l->f, length)));
    Ir *keep = NULL;
    if (is_loud(l, ast))
        keep = ir_call(l->arena, IR_CALL_common_run_keep, 5, ir_int(l->arena, l->common_run_count++),
                       ir_copy(x.value.val), ir_copy(y.value.val), ir_string(l->m, x.name),
                       ir_string(l->m, y.name));
    return value_of(ir_all(4, pre, run, holds, keep), ir_local(l->f, length));
}

// ---- comments of the input --------------------------------------------------------------------------------

static Value original_comment(Lower *l)
{
    const int local = ir_new_local(l->f, IRT_STRING);
    return value_of(ir_call_out(l->arena, IR_CALL_original_comment, local, 0), ir_local(l->f, local));
}

static Ir *comment_condition(Lower *l, const Ast *ast)
{
    if (ast->number > 0)
        return ir_call(l->arena, IR_CALL_has_nag, 1, ir_int(l->arena, ast->number));
    const Value comment = original_comment(l);
    Ir *found = NULL;
    if (ast->text != NULL && ast->type == TYPE_BOOL)
        found =
            ir_call(l->arena, IR_CALL_contains, 2, ir_text(l->m, ast->text, ast->text_length), comment.val);
    return ir_and(comment.pre, found);
}

// ---- the family -------------------------------------------------------------------------------------------

// similarposition (6.15). INT_MAX: the comments stay in the log.
static Ir *similar_position(Lower *l, const Ast *ast)
{
    const int game = ir_new_local(l->f, IRT_INT);
    Ir *found = ir_call_out(l->arena, IR_CALL_similar, game, 0);
    l->m->info.similar_file = ast->text;
    if (ast->flags & AST_NOTRANSFORM)
        l->m->info.flags |= QUERY_SIMILAR_PLAIN;
    if (ast->flags & AST_NOSORT)
        return found;
    return ir_and(found,
                  ir_call(l->arena, IR_CALL_sort_int, 4, ir_int(l->arena, ast->high),
                          ir_int(l->arena, ast->low), ir_local(l->f, game), ir_int(l->arena, INT_MAX)));
}

Ir *lower_tree_condition(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_AT:
        return at_condition(l, ast);
    case OP_IS_ANCESTOR:
        return family_relation(l, ast, false, false).pre;
    case OP_IS_DESCENDANT:
        return family_relation(l, ast, true, false).pre;
    case OP_ECHO:
        return echo(l, ast).pre;
    case OP_RESEMBLES:
        return resembles(l, ast);
    case OP_INITIAL:
        return ir_with_int(IR_EQ, ir_int_of(ir_current(l->arena)), 0);
    case OP_TERMINAL:
        return ir_with_int(IR_LT, own(l, IR_NODE_FIRST_CHILD), 0);
    case OP_MAINLINE:
        return ir_with_int(IR_EQ, own(l, IR_NODE_DEPTH), 0);
    case OP_VARIATION:
        return ir_with_int(IR_GT, own(l, IR_NODE_DEPTH), 0);
    case OP_VIRTUALMAINLINE:
        return ir_call(l->arena, IR_CALL_virtual_mainline, 1, ir_current(l->arena));
    case OP_EXTENSION:
        return ir_bool(l->arena, false);
    case OP_ORIGINALCOMMENT:
        return comment_condition(l, ast);
    case OP_SIMILARPOSITION:
        return similar_position(l, ast);
    default:
        return condition_of(l, lower_tree_value(l, ast), ast->type);
    }
}

Value lower_tree_value(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_AT:
        return at_value(l, ast);
    case OP_ANCESTOR:
        return family_relation(l, ast, false, false);
    case OP_ANCESTOR_EQ:
        return family_relation(l, ast, false, true);
    case OP_DESCENDANT:
        return family_relation(l, ast, true, false);
    case OP_DESCENDANT_EQ:
        return family_relation(l, ast, true, true);
    case OP_POSITION_INTERSECT:
        return same_contents(l, ast);
    case OP_CURRENTMUTATION:
        return lower_mutation(l);
    case OP_POSITIONID:
        return value_of(l->imaginary_level > 0 ? is_of_game(l) : NULL, ir_int_of(ir_current(l->arena)));
    case OP_PLY:
        return value_of(NULL, own(l, IR_NODE_PLY));
    case OP_DEPTH:
        return value_of(NULL, own(l, IR_NODE_DEPTH));
    case OP_MOVENUMBER:
        return value_of(NULL, move_number(l));
    case OP_CURRENTPOSITION:
        return value_of(NULL, ir_current(l->arena));
    case OP_PARENT:
        return link(l, IR_NODE_PARENT);
    case OP_CHILD:
        return child(l, ast);
    case OP_POSITION:
        return numbered_position(l, ast);
    case OP_INITIALPOSITION:
        return root(l);
    case OP_LCA:
        return lca(l, ast);
    case OP_DISTANCE:
        return distance(l, ast);
    case OP_FIND:
        return find(l, ast);
    case OP_ECHO:
        return echo(l, ast);
    case OP_CONSECUTIVEMOVES:
        return consecutive_moves(l, ast);
    case OP_TRY:
        return value_of(ir_call(l->arena, IR_CALL_is_try, 1, ir_current(l->arena)), ir_int(l->arena, 1));
    case OP_ORIGINALCOMMENT:
        return original_comment(l);
    default:
        lower_error(l, ast, "`%s` cannot be lowered for its value", op_info[ast->op].name);
        return value_of(ir_bool(l->arena, false), ir_int(l->arena, 0));
    }
}
