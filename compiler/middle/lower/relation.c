// `relation` of CQL 5, and its counts of pairs (language reference 11.4, 11.7).
//
// Every source visits all targets, so work is moved out of the pairs. Sets of the source are evaluated once per
// source. Target filters that depend only on the target are evaluated once per game, which leaves a set of marked
// positions to visit. When a parameter wants equal contents of constant squares, only the positions of the
// source's class are visited; when it wants all contents shifted, those with the kings as far from each other.
#include "runtime/match/calls/relation.h"
#include "internal.h"

// ---- counts of pairs --------------------------------------------------------------------------------------

static Value attack_pairs(Lower *l, const Ast *ast)
{
    Value a = lower_value(l, ast->kid[0]), b = lower_value(l, ast->kid[1]);
    Ir *pre = value_join(l, &a, &b);
    b = value_hold(l, b);
    const int square = ir_new_local(l->f, IRT_INT), count = ir_named_local(l->f, IRT_INT, "count");
    Ir *attacked = ir_call(l->arena, IR_CALL_attacked, 1, ir_bit(ir_local(l->f, square)));
    Ir *body = ir_let_sum(l->f, count, ir_count(ir_set_and(attacked, ir_copy(b.val))));
    return value_of(
        ir_all(4, pre, b.pre, ir_let_int(l->f, count, 0), ir_each_square(a.val, square, body, MODE_EACH)),
        ir_local(l->f, count));
}

// Adds one for each direction in which a chain from the square in the local reaches the last set.
static Ir *count_directions(Lower *l, const Ast *ast, const Value *v, int square, int count)
{
    const int directions = ast->number != 0 ? ast->number : 0xff;
    const int slider = (ast->flags & AST_CAPTURE) != 0;
    Ir *all = NULL;
    for (int d = 0; d < 8; d++) {
        if (!(directions >> d & 1))
            continue;
        Ir *walk = ir_call(l->arena, IR_CALL_chain_to, 2, ir_int(l->arena, 1 << d), ir_int(l->arena, slider));
        ir_add_kid(walk, ir_bit(ir_local(l->f, square)));
        for (int i = 1; i < ast->kid_count; i++)
            ir_add_kid(walk, ir_copy(v[i].val));
        all = ir_and(all, ir_always(ir_and(ir_any(walk), ir_increment(l->f, count))));
    }
    return all;
}

static Value ray_pairs(Lower *l, const Ast *ast)
{
    Value *v;
    Ir *pre = lower_kids(l, ast, &v);
    for (int i = 1; i < ast->kid_count; i++) {
        v[i].pre = NULL;
        v[i] = value_hold(l, v[i]);
        pre = ir_and(pre, v[i].pre);
    }
    const int square = ir_new_local(l->f, IRT_INT), count = ir_named_local(l->f, IRT_INT, "count");
    Ir *loop = ir_each_square(v[0].val, square, count_directions(l, ast, v, square, count), MODE_EACH);
    return value_of(ir_all(3, pre, ir_let_int(l->f, count, 0), loop), ir_local(l->f, count));
}

// ---- parameters -------------------------------------------------------------------------------------------

static Ir *source(Lower *l)
{
    return ir_local(l->f, l->in.relation->source);
}

static Ir *same_side(Lower *l, const Ast *ast)
{
    return ir_binary(ast->number ? IR_EQ : IR_NE, ir_side(l->arena), ir_local(l->f, l->in.relation->side));
}

// The number of squares is within low..high; NULL: it certainly is.
static Ir *count_within(Lower *l, Ir *set, int32_t low, int32_t high)
{
    if (low <= 0 && high >= 64)
        return NULL;
    if (high == 0 && low <= 0)
        return ir_not(ir_any(set));
    if (low == 1 && high >= 64)
        return ir_any(set);
    const int count = ir_named_local(l->f, IRT_INT, "count");
    const Range range = {.present = true, .low = {.value = low}, .high = {.value = high}};
    return ir_and(ir_let(count, ir_count(set)), range_test(l, &range, ir_local(l->f, count)));
}

static void match_range(const Ast *ast, int32_t *low, int32_t *high)
{
    *low = ast->range.present ? ast->range.low.value : 0;
    *high = ast->range.present ? ast->range.high.value : 64;
}

static int echo_transform(Op op)
{
    switch (op) {
    case OP_FLIPVERTICAL:
        return ECHO_FLIPVERTICAL;
    case OP_FLIPHORIZONTAL:
        return ECHO_FLIPHORIZONTAL;
    case OP_ROTATE90:
        return ECHO_ROTATE90;
    case OP_SHIFT:
        return ECHO_SHIFT;
    case OP_SHIFTHORIZONTAL:
        return ECHO_SHIFTHORIZONTAL;
    case OP_SHIFTVERTICAL:
        return ECHO_SHIFTVERTICAL;
    default:
        return ECHO_FLIP;
    }
}

// Compares the squares in the local with those of the source, at the target.
static Ir *compare_squares(Lower *l, const Ast *ast, int squares)
{
    int32_t low, high;
    match_range(ast, &low, &high);
    if (ast->number != 0)
        return ir_call(l->arena, IR_CALL_echo_squares, 8, source(l), ir_current(l->arena),
                       ir_local(l->f, squares), ir_int(l->arena, echo_transform((Op)ast->number)),
                       ir_int(l->arena, low), ir_int(l->arena, high), ir_int(l->arena, ast->low),
                       ir_int(l->arena, ast->high));
    const int equal = ir_named_local(l->f, IRT_SET, "equal");
    Ir *find_equal =
        ir_let(equal, ir_call(l->arena, IR_CALL_equal_squares, 2, source(l), ir_current(l->arena)));
    Ir *matches = ir_set_and(ir_local(l->f, squares), ir_local(l->f, equal));
    Ir *mismatches = ir_set_and(ir_local(l->f, squares), ir_set_not(ir_local(l->f, equal)));
    Ir *few = count_within(l, mismatches, ast->low, ast->high);
    return ir_all(3, find_equal, few, count_within(l, matches, low, high));
}

// A square parameter: the set of the source was evaluated before, into the local `of_source` (0, which
// is the source: all squares).
static Ir *squares_condition(Lower *l, const Ast *ast, int of_source)
{
    Value compared = value_of(NULL, of_source ? ir_local(l->f, of_source) : ir_set(l->arena, ~(Bitboard)0));
    if (ast->kid_right != NULL) {
        const Value target = lower_value(l, ast->kid_right);
        compared = value_of(target.pre, of_source ? ir_set_and(compared.val, target.val) : target.val);
    }
    const int squares = ir_named_local(l->f, IRT_SET, "squares");
    return ir_all(3, compared.pre, ir_let(squares, compared.val), compare_squares(l, ast, squares));
}

// The number of an lca parameter, from the plies of source, target and their lowest common ancestor.
static Value lca_number(Lower *l, const Ast *ast)
{
    const int ancestor = ir_new_local(l->f, IRT_INT), value = ir_named_local(l->f, IRT_INT, "value");
    Ir *common = ir_call(l->arena, IR_CALL_lca, 2, source(l), ir_current(l->arena));
    Ir *pre = ir_let(ancestor, ir_node(IR_NODE_PLY, common));
    Ir *of_source = ir_sub(ir_node(IR_NODE_PLY, source(l)), ir_local(l->f, ancestor));
    Ir *of_target = ir_sub(ir_node(IR_NODE_PLY, ir_current(l->arena)), ir_local(l->f, ancestor));
    Ir *result;
    switch (ast->number) {
    case RELATION_LCA_SOURCE:
        result = of_source;
        break;
    case RELATION_LCA_TARGET:
        result = of_target;
        break;
    case RELATION_LCA_SUM:
        result = ir_add(of_source, of_target);
        break;
    default:
        result = ir_choose(ir_gt(of_source, of_target), ir_copy(of_source), ir_copy(of_target));
        break;
    }
    return value_of(ir_and(pre, ir_let(value, result)), ir_local(l->f, value));
}

static Value lca_parameter(Lower *l, const Ast *ast)
{
    if (ast->number == RELATION_ANCESTOR || ast->number == RELATION_DESCENDANT) {
        const bool up = ast->number == RELATION_ANCESTOR;
        return value_of(value_is_ancestor(up ? ir_current(l->arena) : source(l),
                                          up ? source(l) : ir_current(l->arena), false),
                        ir_int(l->arena, 1));
    }
    Value v;
    if (ast->number == RELATION_SUBSTRING) {
        const int length = ir_named_local(l->f, IRT_INT, "length");
        v = value_of(
            ir_let(length, ir_call(l->arena, IR_CALL_common_run, 2, source(l), ir_current(l->arena))),
            ir_local(l->f, length));
    } else {
        v = lca_number(l, ast);
    }
    return value_of(ir_and(v.pre, range_test(l, &ast->range, ir_copy(v.val))), v.val);
}

// ---- relation ---------------------------------------------------------------------------------------------

// How the targets of one relation are found.
typedef struct Targets {
    const Ast *ast;
    int target, found;   // locals: the current target; whether there was a hit
    bool first;          // the first hit decides: only its own comments show whether others are visited
    bool loud;           // writes comments of its own
    int wanted;          // local, when loud and first: comments are wanted, so all are visited; else 0
    int number;          // of the relation, when loud
    int common_run;      // of the common runs that it keeps, when loud; -1: none
    bool filters_marked; // the filters are evaluated once per game
    int mark_set;        // where
    const Ast *equal;    // the parameter whose class of positions is visited, NULL: none
    int equal_class;
    const Ast *shifted; // without `equal`, the parameter that leaves out positions, NULL: none
} Targets;

static bool binds(const Ast *node, void *user)
{
    return (node->op == OP_SET_LOOP || node->op == OP_ASSIGN) && node->variable == user;
}

// A variable that is bound outside of the filter `user`.
static bool is_free_variable(const Ast *node, void *user)
{
    return node->op == OP_VARIABLE && !ast_contains(user, binds, node->variable);
}

// The filter depends only on the game and the position.
static bool is_of_position(const Lower *l, Ast *ast)
{
    return !facts_have_effects(ast) && !facts_add_text(l, ast) && !ast_contains(ast, is_free_variable, ast);
}

static bool is_constant_set(const Ast *ast)
{
    return ast == NULL || ast->op == OP_ALL_SQUARES ||
           (ast->op == OP_DESIGNATOR && ast->pieces == (uint32_t)ANY_SQUARE);
}

static Bitboard constant_set(const Ast *ast)
{
    return ast == NULL || ast->op == OP_ALL_SQUARES ? ~(Bitboard)0 : ast->mask;
}

// A parameter that wants the same contents of constant squares.
static bool wants_equal(const Ast *ast)
{
    return ast->op == OP_RELATION_SQUARES && ast->number == 0 && ast->low <= 0 && ast->high == 0 &&
           is_constant_set(ast->kid_left) && is_constant_set(ast->kid_right);
}

// A parameter that wants the same contents under a shift, of squares that depend on the source alone.
static bool wants_shifted(const Ast *ast)
{
    const bool shift =
        ast->number == OP_SHIFT || ast->number == OP_SHIFTHORIZONTAL || ast->number == OP_SHIFTVERTICAL;
    return ast->op == OP_RELATION_SQUARES && shift && ast->high == 0 && is_constant_set(ast->kid_right);
}

// Sets of the source, each in a local; `local` gets the locals by parameter.
static Ir *source_sets(Lower *l, const Ast *ast, int *local)
{
    Ir *all = NULL;
    for (int i = 0; i < ast->kid_count; i++) {
        const Ast *parameter = ast->kid[i];
        local[i] = 0;
        if (parameter->op != OP_RELATION_SQUARES || parameter->kid_left == NULL)
            continue;
        local[i] = ir_new_local(l->f, IRT_SET);
        all = ir_and(all, lower_into(l, parameter->kid_left, local[i]));
    }
    return all;
}

// Cheap parameters first, where the order cannot be noticed.
static int cost_of(const Ast *parameter)
{
    switch (parameter->op) {
    case OP_RELATION_SIDE:
        return 0;
    case OP_RELATION_SQUARES:
        return parameter->number == 0 ? 2 : 4;
    default:
        return parameter->number == RELATION_ANCESTOR || parameter->number == RELATION_DESCENDANT ? 1 : 3;
    }
}

static Ir *parameter_condition(Lower *l, const Ast *parameter, int of_source)
{
    return parameter->op == OP_RELATION_SQUARES ? squares_condition(l, parameter, of_source)
                                                : lower_condition(l, parameter);
}

// An operand may add texts or have other side effects; the relation's own comments do not count.
static bool operands_add_text(const Lower *l, const Ast *ast)
{
    return facts_add_text(l, ast->kid_left) || facts_kids_add_text(l, ast, ast->kid_count);
}

static bool operands_have_effects(const Ast *ast)
{
    return facts_have_effects(ast->kid_left) || facts_kids_have_effects(ast);
}

static Ir *parameters_condition(Lower *l, const Targets *t, const int *of_source)
{
    Ir *all = NULL;
    for (int cost = 0; cost < (t->first ? 5 : 1); cost++) {
        for (int i = 0; i < t->ast->kid_count; i++) {
            const Ast *parameter = t->ast->kid[i];
            if (parameter != t->equal && (!t->first || cost_of(parameter) == cost))
                all = ir_and(all, parameter_condition(l, parameter, of_source[i]));
        }
    }
    return all;
}

static bool is_parameter(const Ast *parameter, int which)
{
    return parameter->op == OP_RELATION_LCA && parameter->number == which;
}

// A parameter without the `sort` around it.
static const Ast *unsorted(const Ast *parameter)
{
    return parameter->op == OP_SORT ? parameter->kid[0] : parameter;
}

static bool has_parameter(const Ast *ast, int which)
{
    for (int i = 0; i < ast->kid_count; i++)
        if (is_parameter(unsorted(ast->kid[i]), which))
            return true;
    return false;
}

static bool has_lca_parameter(const Ast *ast)
{
    bool has = false;
    for (int which = RELATION_LCA_MAX; which <= RELATION_SUBSTRING && !has; which++)
        has = has_parameter(ast, which);
    return has;
}

// What a hit leaves for the comments. NULL: nothing.
static Ir *pair_comments(Lower *l, const Targets *t)
{
    if (!t->loud)
        return NULL;
    Ir *pair = ir_call(l->arena, IR_CALL_relation_pair, 4, ir_int(l->arena, t->number), source(l),
                       ir_local(l->f, t->target), ir_int(l->arena, has_lca_parameter(t->ast)));
    if (t->common_run < 0)
        return pair;
    Ir *source_name = ir_string(l->m, "SOURCEPATH"), *target_name = ir_string(l->m, "TARGETPATH");
    Ir *keep = ir_call(l->arena, IR_CALL_common_run_keep, 5, ir_int(l->arena, t->common_run), source(l),
                       ir_local(l->f, t->target), source_name, target_name);
    Ir *wanted = ir_call(l->arena, IR_CALL_comments_wanted, 0);
    return ir_and(pair, ir_always(ir_and(wanted, keep)));
}

// What is tested at one target.
static Ir *visit(Lower *l, const Targets *t, const int *of_source)
{
    const Ast *filters = t->ast->kid_left;
    Ir *test = filters != NULL && !t->filters_marked ? lower_condition(l, filters) : NULL;
    test = ir_and(test, parameters_condition(l, t, of_source));
    if (test != NULL)
        test = log_rollback(l, ir_at(ir_local(l->f, t->target), test), operands_add_text(l, t->ast));
    Ir *marked = NULL;
    if (t->filters_marked && (t->equal != NULL || t->shifted != NULL))
        marked =
            ir_call(l->arena, IR_CALL_marked, 2, ir_int(l->arena, t->mark_set), ir_local(l->f, t->target));
    Ir *other = ir_ne(ir_local(l->f, t->target), source(l));
    Ir *hit = ir_and(pair_comments(l, t), ir_let_int(l->f, t->found, 1));
    return ir_always(ir_all(4, other, marked, test, hit));
}

// The first and last positions that can be targets.
static Ir *least_target(Lower *l, const Ast *ast)
{
    return has_parameter(ast, RELATION_DESCENDANT) ? ir_with_int(IR_ADD, ir_int_of(source(l)), 1)
                                                   : ir_int(l->arena, 0);
}

static Ir *greatest_target(Lower *l, const Ast *ast)
{
    if (has_parameter(ast, RELATION_DESCENDANT))
        return ir_node(IR_NODE_LAST, source(l));
    if (has_parameter(ast, RELATION_ANCESTOR))
        return ir_with_int(IR_SUB, ir_int_of(source(l)), 1);
    return value_last_position(l);
}

// No other target needs to be visited.
static Ir *decided(Lower *l, const Targets *t)
{
    Ir *found = ir_nonzero(ir_local(l->f, t->found));
    return !t->wanted ? found : ir_and(found, ir_with_int(IR_EQ, ir_local(l->f, t->wanted), 0));
}

// Visits the targets from `begin` on; `next` is the one after the current target (ints, -1: none).
static Ir *walk(Lower *l, const Targets *t, Ir *begin, Ir *next, Ir *body)
{
    Ir *more = ir_with_int(IR_GE, ir_int_of(ir_local(l->f, t->target)), 0);
    if (t->first)
        more = ir_and(ir_not(decided(l, t)), more);
    Ir *step = ir_let(t->target, ir_position_of(next));
    return ir_and(ir_let(t->target, ir_position_of(begin)), ir_while(more, ir_and(body, step)));
}

// Visits the positions to which a shift may bring the pieces that the parameter compares.
static Ir *walk_shifted(Lower *l, const Targets *t, const int *of_source, Ir *body)
{
    const Bitboard of_target = constant_set(t->shifted->kid_right);
    Ir *compared = ir_set(l->arena, of_target);
    for (int i = 0; i < t->ast->kid_count; i++)
        if (t->ast->kid[i] == t->shifted && of_source[i])
            compared = ~of_target == 0 ? ir_local(l->f, of_source[i])
                                       : ir_set_and(ir_local(l->f, of_source[i]), compared);
    Ir *first =
        ir_call(l->arena, IR_CALL_shifted_next, 3, source(l), ir_copy(compared), ir_int(l->arena, -1));
    Ir *next =
        ir_call(l->arena, IR_CALL_shifted_next, 3, source(l), compared, ir_int_of(ir_local(l->f, t->target)));
    return walk(l, t, first, next, body);
}

static Ir *visit_targets(Lower *l, const Targets *t, const int *of_source)
{
    Ir *body = visit(l, t, of_source);
    Ir *at = ir_int_of(ir_local(l->f, t->target));
    if (t->equal != NULL) {
        const Bitboard squares = constant_set(t->equal->kid_left) & constant_set(t->equal->kid_right);
        Ir *first = ir_call(l->arena, IR_CALL_equal_first, 3, ir_int(l->arena, t->equal_class),
                            ir_set(l->arena, squares), source(l));
        Ir *next = ir_call(l->arena, IR_CALL_equal_next, 2, ir_int(l->arena, t->equal_class),
                           ir_local(l->f, t->target));
        return walk(l, t, first, next, body);
    }
    if (t->shifted != NULL)
        return walk_shifted(l, t, of_source, body);
    if (t->filters_marked) {
        Ir *first =
            ir_call(l->arena, IR_CALL_next_marked, 2, ir_int(l->arena, t->mark_set), least_target(l, t->ast));
        Ir *next = ir_call(l->arena, IR_CALL_next_marked, 2, ir_int(l->arena, t->mark_set),
                           ir_with_int(IR_ADD, at, 1));
        return walk(l, t, first, next, body);
    }
    Ir *last = greatest_target(l, t->ast);
    if (!t->first)
        return ir_each_position(least_target(l, t->ast), last, t->target, body, MODE_EACH);
    Ir *hit = ir_and(body, decided(l, t));
    return ir_always(ir_each_position(least_target(l, t->ast), last, t->target, hit, MODE_ANY));
}

// Marks the positions that match the filters, at the first source of a game.
static Ir *mark_targets(Lower *l, const Targets *t)
{
    const int position = ir_new_local(l->f, IRT_POSITION),
              done = ir_new_slot(l->m, IRT_INT, "targets are marked");
    Ir *matches = ir_at(ir_local(l->f, position), lower_condition(l, t->ast->kid_left));
    Ir *mark = ir_call(l->arena, IR_CALL_mark, 2, ir_int(l->arena, t->mark_set), ir_local(l->f, position));
    Ir *last = value_last_position(l);
    // The marks remember, so a loop over remembered positions would gain nothing: no AND here.
    Ir *visit = ir_if(matches, mark, ir_bool(l->arena, true));
    Ir *loop = ir_each_position(ir_int(l->arena, 0), last, position, visit, MODE_EACH);
    Ir *already = ir_nonzero(ir_read_slot(l->m, done));
    return ir_or(already, ir_and(loop, ir_store_int(l->arena, done, 1)));
}

static Targets plan_targets(Lower *l, const Ast *ast)
{
    Targets t = {.ast = ast, .first = !operands_have_effects(ast) && !operands_add_text(l, ast)};
    t.loud = l->query->cql5 && facts_add_text(l, ast) && !(ast->flags & AST_QUIET) &&
             facts_level(&l->query->header) == LEVEL_NORMAL;
    if (t.loud) {
        t.number = l->relation_count++;
        t.common_run = has_parameter(ast, RELATION_SUBSTRING) ? l->common_run_count++ : -1;
    }
    if (t.loud && t.first)
        t.wanted = ir_named_local(l->f, IRT_INT, "wanted");
    const bool pure_filters = !facts_have_effects(ast->kid_left);
    t.target = ir_named_local(l->f, IRT_POSITION, "target");
    t.found = ir_named_local(l->f, IRT_INT, "found");
    for (int i = 0; i < ast->kid_count && t.equal == NULL; i++) {
        if (!t.first && (i > 0 || !pure_filters))
            continue;
        if (wants_equal(ast->kid[i]))
            t.equal = ast->kid[i];
        else if (wants_shifted(ast->kid[i]))
            t.shifted = ast->kid[i];
    }
    if (t.equal != NULL)
        t.shifted = NULL;
    t.filters_marked = ast->kid_left != NULL && is_of_position(l, ast->kid_left);
    if (t.filters_marked)
        t.mark_set = l->m->info.mark_set_count++;
    if (t.equal != NULL)
        t.equal_class = l->equal_class_count++;
    return t;
}

// The match range of a parameter whose mismatches are none is a test of its squares alone.
static bool never_equal(const Targets *t)
{
    if (t->equal == NULL)
        return false;
    int32_t low, high;
    match_range(t->equal, &low, &high);
    const int squares =
        __builtin_popcountll(constant_set(t->equal->kid_left) & constant_set(t->equal->kid_right));
    return squares < low || squares > high;
}

static Ir *relation(Lower *l, const Ast *ast)
{
    RelationScope scope = {ir_new_local(l->f, IRT_POSITION), ir_new_local(l->f, IRT_INT)};
    Targets t = plan_targets(l, ast);
    int *of_source = arena_alloc(l->arena, sizeof *of_source * (size_t)ast->kid_count);
    Ir *begin = ir_all(4, ir_let(scope.source, ir_current(l->arena)), ir_let(scope.side, ir_side(l->arena)),
                       ir_let_int(l->f, t.found, 0), source_sets(l, ast, of_source));
    if (t.filters_marked)
        begin = ir_and(begin, mark_targets(l, &t));
    if (t.wanted)
        begin = ir_and(begin, ir_let(t.wanted, ir_int_of(ir_call(l->arena, IR_CALL_comments_wanted, 0))));
    l->in.relation = &scope;
    Ir *loop = visit_targets(l, &t, of_source);
    if (never_equal(&t))
        return ir_bool(l->arena, false);
    return ir_all(3, begin, loop, ir_nonzero(ir_local(l->f, t.found)));
}

// ---- the family -------------------------------------------------------------------------------------------

const Lowering lowering_relation[OP_COUNT_] = {
    [OP_ATTACK_PAIRS] = {attack_pairs},     [OP_RAY_PAIRS] = {ray_pairs},
    [OP_RELATION_LCA] = {lca_parameter},    [OP_RELATION] = {NULL, relation, .outside_dash = true},
    [OP_RELATION_SIDE] = {NULL, same_side},
};
