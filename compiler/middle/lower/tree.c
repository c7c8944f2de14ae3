// The game tree (language reference 6): numbers of a position, other positions, comparison, find, echo,
// consecutivemoves, the tests of where a position lies, comments and glyphs of the input.
#include "build.h"
#include "moves.h"

#include <limits.h>

#include "runtime/chess/chess.h"

// ---- numbers ----------------------------------------------------------------------------------------------

static Ir *own(Lower *l, int field)
{
    return node_field(l, field, here(l));
}

static Ir *move_number(Lower *l)
{
    // (ply + b) / 2 + 1; b is 1 when Black began: ply and side to move differ in parity.
    Ir *black_began = int2(l, IR_AND_BITS, int2(l, IR_ADD, own(l, IR_NODE_PLY), side(l)), number(l, 1));
    Ir *half = int1(l, IR_SHIFT_RIGHT, int2(l, IR_ADD, own(l, IR_NODE_PLY), black_began));
    half->number = 1;
    return int2(l, IR_ADD, half, number(l, 1));
}

// ---- other positions --------------------------------------------------------------------------------------

// A field of the current node that may be -1.
static Value link(Lower *l, int field)
{
    return value_of(compare(l, IR_GE, own(l, field), 0), position_of(l, own(l, field)));
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
    return bool2(l, IR_LT, int1(l, IR_INT_OF, here(l)), game_fact(l, IR_GAME_COUNT));
}

static Value child(Lower *l, const Ast *ast)
{
    if (ast->kid_count == 0 || (ast->kid[0]->op == OP_NUMBER && ast->kid[0]->number == 0))
        return link(l, IR_NODE_FIRST_CHILD);
    const Value index = operand_outside_dash(l, ast->kid[0]);
    const int at = new_local(l, IRT_POSITION), left = new_local(l, IRT_INT);
    Ir *begin = ir_and(l, let(l, left, index.val), let(l, at, own(l, IR_NODE_FIRST_CHILD)));
    Ir *more = ir_and(l, compare(l, IR_GT, read_local(l, left), 0), compare(l, IR_GE, read_local(l, at), 0));
    Ir *next = let(l, at, node_field(l, IR_NODE_NEXT_SIBLING, position_of(l, read_local(l, at))));
    Ir *step = ir_and(l, next, let(l, left, int2(l, IR_SUB, read_local(l, left), number(l, 1))));
    Ir *exists =
        ir_and(l, compare(l, IR_EQ, read_local(l, left), 0), compare(l, IR_GE, read_local(l, at), 0));
    return value_of(ir_all(l, 4, index.pre, begin, while_loop(l, more, step), exists), read_local(l, at));
}

static Value numbered_position(Lower *l, const Ast *ast)
{
    const Value id = value_hold(l, operand_outside_dash(l, ast->kid[0]));
    Ir *exists = ir_and(l, compare(l, IR_GE, id.val, 0),
                        bool2(l, IR_LT, ir_copy(l->arena, id.val), game_fact(l, IR_GAME_COUNT)));
    return value_of(ir_and(l, id.pre, exists), position_of(l, ir_copy(l->arena, id.val)));
}

static Value root(Lower *l)
{
    return value_of(NULL, position_of(l, number(l, 0)));
}

// ---- evaluating elsewhere ---------------------------------------------------------------------------------

static Ir *at_position(Lower *l, Ir *position, Ir *node)
{
    return bool2(l, IR_AT, position, or_true(l, node));
}

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
    return ir_and(l, p.pre, at_position(l, p.val, node));
}

static Value at_value(Lower *l, const Ast *ast)
{
    DashScope *const dash = l->dash;
    LineScope *const line = l->line;
    l->dash = NULL;
    l->line = NULL;
    const Value p = lower_value(l, ast->kid[0]);
    const int local = new_local(l, ir_type_of(ast->type));
    Ir *node = at_position(l, p.val, lower_into(l, ast->kid[1], local));
    l->dash = dash;
    l->line = line;
    Ir *pre = ir_and(l, p.pre, node);
    if (ast->type != TYPE_SET)
        return value_of(pre, read_local(l, local));
    // The set is there, or empty without a position.
    Ir *found = always_true(l, with_rollback(l, pre, adds_text(l, ast->kid[0])));
    return value_of(ir_and(l, let(l, local, ir_set(l->arena, 0)), found), read_local(l, local));
}

// ---- comparison -------------------------------------------------------------------------------------------

// `a` is a proper ancestor of `b`, or (equal) the same.
static Ir *ancestor_test(Lower *l, Ir *a, Ir *b, bool equal)
{
    return ir_and(l, bool2(l, equal ? IR_LE : IR_LT, a, b),
                  bool2(l, IR_LE, ir_copy(l->arena, b), node_field(l, IR_NODE_LAST, ir_copy(l->arena, a))));
}

static Value family_relation(Lower *l, const Ast *ast, bool descendant, bool equal)
{
    Value a = value_hold(l, lower_value(l, ast->kid[0])), b = value_hold(l, lower_value(l, ast->kid[1]));
    Ir *pre = values_join(l, &a, &b);
    Ir *test = descendant ? ancestor_test(l, b.val, a.val, equal) : ancestor_test(l, a.val, b.val, equal);
    return value_of(ir_and(l, pre, test), ir_copy(l->arena, a.val));
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
    Ir *both = int2(l, IR_ADD, node_field(l, IR_NODE_PLY, a.val), node_field(l, IR_NODE_PLY, b.val));
    Ir *common = ir_call(l->arena, IR_CALL_lca, 2, ir_copy(l->arena, a.val), ir_copy(l->arena, b.val));
    Ir *twice = int2(l, IR_MUL, node_field(l, IR_NODE_PLY, common), number(l, 2));
    return value_of(pre, int2(l, IR_SUB, both, twice));
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
    if (!(ast->flags & AST_BACKWARD)) {
        Ir *loop = ir_new(l->arena, IR_EACH_POSITION, IRT_BOOL, 3, here(l), own(l, IR_NODE_LAST), round);
        return loop_of(loop, position, first ? MODE_ANY : MODE_EACH);
    }
    const int done = new_local(l, IRT_INT);
    Ir *more =
        ir_and(l, compare(l, IR_EQ, read_local(l, done), 0), compare(l, IR_GE, read_local(l, position), 0));
    Ir *up = let(l, position, node_field(l, IR_NODE_PARENT, position_of(l, read_local(l, position))));
    Ir *found = first ? bool2(l, IR_OR, ir_and(l, round, let_int(l, done, 1)), up)
                      : ir_and(l, always_true(l, round), up);
    Ir *loop = ir_all(l, 3, let_int(l, done, 0), let(l, position, here(l)), while_loop(l, more, found));
    return first ? ir_and(l, loop, compare(l, IR_NE, read_local(l, done), 0)) : loop;
}

static Value find_first(Lower *l, const Ast *ast)
{
    const char *const first_of_cql5 = ast->flags & AST_BACKWARD ? "previous* 1 of 1" : "next* 1 of 1";
    const int position = new_local(l, IRT_POSITION), found = new_local(l, IRT_POSITION);
    Ir *body = at_position(l, read_local(l, position), condition_outside_dash(l, ast->kid[0]));
    Ir *round = ir_and(l, body, let(l, found, read_local(l, position)));
    Ir *comment = !is_loud(l, ast) ? NULL
                                   : ir_call(l->arena, IR_CALL_log_auto, 2, read_local(l, found),
                                             text_constant(l, l->query->cql5 ? first_of_cql5 : "Found"));
    return value_of(ir_and(l, find_search(l, ast, position, round, true), comment), read_local(l, found));
}

static Value find_count(Lower *l, const Ast *ast)
{
    const int position = new_local(l, IRT_POSITION), count = new_local(l, IRT_INT);
    const bool loud = is_loud(l, ast);
    Ir *body = at_position(l, read_local(l, position), condition_outside_dash(l, ast->kid[0]));
    // The positions found are kept as a trail, whose number is that of a slot of its own.
    Ir *trail = loud ? number(l, new_slot(l, "found positions")) : NULL;
    Ir *note = loud ? ir_call(l->arena, IR_CALL_trail_push, 2, trail, read_local(l, position)) : NULL;
    Ir *round = always_true(l, ir_all(l, 3, body, note, let_increment(l, count)));
    Ir *search = find_search(l, ast, position, round, false);
    Ir *holds = ast->flags & AST_ALL ? compare(l, IR_GE, read_local(l, count), 1)
                                     : lower_range_test(l, &ast->range, read_local(l, count));
    Ir *pre = ir_and(l, let_int(l, count, 0), search);
    if (!loud)
        return value_of(ir_and(l, pre, holds), read_local(l, count));
    Ir *begin = ir_call(l->arena, IR_CALL_trail_start, 1, ir_copy(l->arena, trail));
    const char *word = !l->query->cql5 ? "Found" : ast->flags & AST_BACKWARD ? "previous*" : "next*";
    Ir *tell = ir_call(l->arena, IR_CALL_found_comments, 2, ir_copy(l->arena, trail), text_constant(l, word));
    return value_of(ir_all(l, 4, begin, pre, holds, tell), read_local(l, count));
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
    return ir_call(l->arena, IR_CALL_log_auto, 2, read_local(l, position_local), text);
}

// The name of one position is written at another one.
static Ir *link_comment(Lower *l, const char *arrow, int named, int at)
{
    const int name = new_local(l, IRT_STRING);
    Ir *make = let(l, name, ir_call(l->arena, IR_CALL_text_position, 1, read_local(l, named)));
    Ir *text = ir_call(l->arena, IR_CALL_concat, 2, text_constant(l, arrow), read_local(l, name));
    return ir_and(l, make, log_auto(l, at, text));
}

static Ir *echo_comments(Lower *l, const Echo *e)
{
    if (!is_loud(l, e->ast))
        return NULL;
    const int common = new_local(l, IRT_POSITION);
    Ir *find_lca =
        let(l, common, ir_call(l->arena, IR_CALL_lca, 2, read_local(l, e->source), read_local(l, e->target)));
    Ir *apart = ir_and(l, bool2(l, IR_NE, read_local(l, common), read_local(l, e->source)),
                       bool2(l, IR_NE, read_local(l, common), read_local(l, e->target)));
    Ir *lca_comment = bool1(l, IR_ALWAYS, ir_and(l, apart, log_auto(l, common, text_constant(l, "LCA"))));
    Ir *names = ir_and(l, log_auto(l, e->source, text_constant(l, e->ast->variable->name)),
                       log_auto(l, e->target, text_constant(l, e->ast->variable2->name)));
    Ir *links =
        ir_and(l, link_comment(l, "-->", e->source, e->target), link_comment(l, "<--", e->target, e->source));
    Ir *all = ir_all(l, 4, find_lca, lca_comment, names, links);
    return bool1(l, IR_ALWAYS, ir_and(l, ir_call(l->arena, IR_CALL_comments_wanted, 0), all));
}

// Inside `sort` only the texts of the best hit stay: a better one drops those before it, others lose their
// own.
static Ir *keep_best_texts(Lower *l, const Echo *e, Ir *better)
{
    Ir *keep =
        ir_all(l, 3, ir_call(l->arena, IR_CALL_texts_keep, 2, number(l, e->texts), read_local(l, e->mark)),
               ir_call(l->arena, IR_CALL_log_cut, 1, read_local(l, e->start)),
               ir_call(l->arena, IR_CALL_texts_put, 1, number(l, e->texts)));
    Ir *lose = ir_call(l->arena, IR_CALL_log_cut, 1, read_local(l, e->mark));
    return ir_new(l->arena, IR_IF, IRT_BOOL, 3, better, keep, lose);
}

static Ir *echo_hit(Lower *l, const Echo *e)
{
    Ir *comments = echo_comments(l, e);
    Ir *better = ir_bool(l->arena, false), *raise_best = NULL;
    if (e->best >= 0) {
        better = bool2(l, IR_OR, compare(l, IR_EQ, read_local(l, e->hit), 0),
                       bool2(l, IR_GT, read_local(l, e->value), read_local(l, e->best)));
        raise_best =
            always_true(l, ir_and(l, ir_copy(l->arena, better), let(l, e->best, read_local(l, e->value))));
    }
    Ir *texts = e->mark >= 0 ? keep_best_texts(l, e, better) : NULL;
    return ir_all(l, 4, comments, texts, raise_best, let_int(l, e->hit, 1));
}

static Ir *set_variable(Lower *l, const Variable *v, Ir *position)
{
    return ir_and(l, ir_store(l->arena, variable_slot(l, v), position),
                  ir_store(l->arena, variable_bound_slot(l, v), number(l, 1)));
}

static Ir *unset_variable(Lower *l, const Variable *v)
{
    return ir_store(l->arena, variable_bound_slot(l, v), number(l, 0));
}

static Ir *require_unset(Lower *l, const Variable *v)
{
    Ir *unset = compare(l, IR_EQ, ir_slot(l->arena, IRT_INT, variable_bound_slot(l, v)), 0);
    return bool2(l, IR_OR, unset, raise_error(l, RAISE_BOUND, v->name));
}

static Ir *echo_body(Lower *l, const Echo *e)
{
    const Ast *body = e->ast->kid[0];
    uint8_t *saved = bound_save(l);
    if (!(l->use[e->ast->variable2->number] & USE_UNBOUND))
        l->bound[e->ast->variable2->number] = 1;
    Ir *node = e->value >= 0 ? lower_into(l, body, e->value) : lower_condition(l, body);
    bound_restore(l, saved);
    return with_rollback(l, at_position(l, read_local(l, e->target), node), adds_text(l, body));
}

// The loop over all targets.
static Ir *echo_loop(Lower *l, const Echo *e)
{
    Ir *other = e->ast->flags & AST_IN_ALL
                    ? NULL
                    : bool2(l, IR_NE, read_local(l, e->target), read_local(l, e->source));
    Ir *mark = e->mark >= 0 ? let(l, e->mark, ir_call(l->arena, IR_CALL_log_mark, 0)) : NULL;
    Ir *set = set_variable(l, e->ast->variable2, read_local(l, e->target));
    Ir *round = ir_and(l, ir_all(l, 4, other, mark, set, echo_body(l, e)), echo_hit(l, e));
    Ir *last = int2(l, IR_SUB, game_fact(l, IR_GAME_COUNT), number(l, 1));
    Ir *loop = ir_new(l->arena, IR_EACH_POSITION, IRT_BOOL, 3, number(l, 0), last, always_true(l, round));
    return loop_of(loop, e->target, MODE_EACH);
}

static Value echo(Lower *l, const Ast *ast)
{
    DashScope *const dash = l->dash;
    LineScope *const line = l->line;
    l->dash = NULL;
    l->line = NULL;
    const bool numeric = ast->kid[0]->type == TYPE_INT;
    Echo e = {.ast = ast, .value = -1, .best = -1, .start = -1, .mark = -1};
    e.source = new_local(l, IRT_POSITION);
    e.target = new_local(l, IRT_POSITION);
    e.hit = new_local(l, IRT_INT);
    Ir *begin = let(l, e.source, here(l));
    begin = ir_all(l, 3, require_unset(l, ast->variable), require_unset(l, ast->variable2), begin);
    begin =
        ir_all(l, 3, begin, let_int(l, e.hit, 0), set_variable(l, ast->variable, read_local(l, e.source)));
    if (numeric) {
        e.value = new_local(l, IRT_INT);
        e.best = new_local(l, IRT_INT);
        begin = ir_and(l, begin, let_int(l, e.best, 0));
    }
    if (l->in_sort && adds_text(l, ast)) {
        e.start = new_local(l, IRT_INT);
        e.mark = new_local(l, IRT_INT);
        e.texts = new_slot(l, "texts of echo");
        begin = ir_and(l, begin, let(l, e.start, ir_call(l->arena, IR_CALL_log_mark, 0)));
    }
    Ir *loop = echo_loop(l, &e);
    Ir *end = ir_and(l, unset_variable(l, ast->variable), unset_variable(l, ast->variable2));
    l->dash = dash;
    l->line = line;
    return value_of(ir_all(l, 4, begin, loop, end, compare(l, IR_NE, read_local(l, e.hit), 0)),
                    numeric ? read_local(l, e.best) : number(l, 0));
}

// ---- resembling positions ---------------------------------------------------------------------------------

// Pieces on squares as two arguments of a call: the symbols and the squares.
static void add_pieces(Lower *l, Ir *call, const Ast *designator)
{
    const bool none = designator->op == OP_NO_SQUARES;
    ir_add_kid(l->arena, call, number(l, none ? 0 : (int32_t)designator->pieces));
    ir_add_kid(l->arena, call, ir_set(l->arena, none ? 0 : designator->mask));
}

static Ir *resembles(Lower *l, const Ast *ast)
{
    const Value other = lower_value(l, ast->kid[0]);
    const Bitboard squares = ast->kid_extra->op == OP_NO_SQUARES ? 0 : ast->kid_extra->mask;
    Ir *call =
        ir_call(l->arena, IR_CALL_resembles, 3, other.val, ir_set(l->arena, squares), number(l, ast->number));
    add_pieces(l, call, ast->kid_left);
    ir_add_kid(l->arena, call, number(l, ast->range.low.value));
    ir_add_kid(l->arena, call, number(l, ast->range.high.value));
    add_pieces(l, call, ast->kid_right);
    ir_add_kid(l->arena, call, number(l, ast->low));
    ir_add_kid(l->arena, call, number(l, ast->high));
    return ir_and(l, other.pre, call);
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
    const int length = new_local(l, IRT_INT);
    Ir *pre = values_join(l, &x.value, &y.value);
    Ir *run = let(l, length, ir_call(l->arena, IR_CALL_common_run, 2, x.value.val, y.value.val));
    Ir *holds = ir_and(l, compare(l, IR_GT, read_local(l, length), 0),
                       lower_range_test(l, &ast->range, read_local(l, length)));
    Ir *keep = NULL;
    if (is_loud(l, ast))
        keep = ir_call(l->arena, IR_CALL_common_run_keep, 5, number(l, l->common_run_count++),
                       ir_copy(l->arena, x.value.val), ir_copy(l->arena, y.value.val),
                       text_constant(l, x.name), text_constant(l, y.name));
    return value_of(ir_all(l, 4, pre, run, holds, keep), read_local(l, length));
}

// ---- comments of the input --------------------------------------------------------------------------------

static Value original_comment(Lower *l)
{
    const int local = new_local(l, IRT_STRING);
    return value_of(ir_call_out(l->arena, IR_CALL_original_comment, local, 0), read_local(l, local));
}

static Ir *comment_condition(Lower *l, const Ast *ast)
{
    if (ast->number > 0)
        return ir_call(l->arena, IR_CALL_has_nag, 1, number(l, ast->number));
    const Value comment = original_comment(l);
    Ir *found = NULL;
    if (ast->text != NULL && ast->type == TYPE_BOOL)
        found = ir_call(l->arena, IR_CALL_contains, 2, ir_text(l->module, ast->text, ast->text_length),
                        comment.val);
    return ir_and(l, comment.pre, found);
}

// ---- the family -------------------------------------------------------------------------------------------

// similarposition (6.15). INT_MAX: the comments stay in the log.
static Ir *similar_position(Lower *l, const Ast *ast)
{
    const int game = new_local(l, IRT_INT);
    Ir *found = ir_call_out(l->arena, IR_CALL_similar, game, 0);
    l->module->info.similar_file = ast->text;
    if (ast->flags & AST_NOTRANSFORM)
        l->module->info.flags |= QUERY_SIMILAR_PLAIN;
    if (ast->flags & AST_NOSORT)
        return found;
    return ir_and(l, found,
                  ir_call(l->arena, IR_CALL_sort_int, 4, number(l, ast->high), number(l, ast->low),
                          read_local(l, game), number(l, INT_MAX)));
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
        return compare(l, IR_EQ, int1(l, IR_INT_OF, here(l)), 0);
    case OP_TERMINAL:
        return compare(l, IR_LT, own(l, IR_NODE_FIRST_CHILD), 0);
    case OP_MAINLINE:
        return compare(l, IR_EQ, own(l, IR_NODE_DEPTH), 0);
    case OP_VARIATION:
        return compare(l, IR_GT, own(l, IR_NODE_DEPTH), 0);
    case OP_VIRTUALMAINLINE:
        return ir_call(l->arena, IR_CALL_virtual_mainline, 1, here(l));
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
        return value_of(l->imaginary_level > 0 ? is_of_game(l) : NULL, int1(l, IR_INT_OF, here(l)));
    case OP_PLY:
        return value_of(NULL, own(l, IR_NODE_PLY));
    case OP_DEPTH:
        return value_of(NULL, own(l, IR_NODE_DEPTH));
    case OP_MOVENUMBER:
        return value_of(NULL, move_number(l));
    case OP_CURRENTPOSITION:
        return value_of(NULL, here(l));
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
        return value_of(ir_call(l->arena, IR_CALL_is_try, 1, here(l)), number(l, 1));
    case OP_ORIGINALCOMMENT:
        return original_comment(l);
    default:
        lower_error(l, ast, "`%s` cannot be lowered for its value", op_info[ast->op].name);
        return value_of(ir_bool(l->arena, false), number(l, 0));
    }
}
