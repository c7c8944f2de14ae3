// Conditions as statements. A node is emitted with two targets, where to go when it is true and when it is
// false, and with the label that follows its code. A jump to that label needs no statement, so most nodes become
// plain ifs. A goto remains where C would need a copy of code or another variable to test:
// - A loop that is left early leads to other code than its end: `break` reaches only one of them (find, loops over
//   squares and moves, when more of the filter follows).
// - An alternative fails in nested blocks or after statements, and the next alternative follows (variants that count,
//   filters with comments, paths with several ways on).
// - A test inside a loop skips the rest of the round but not the statement that ends it (relations, lines).
#include "emit_internal.h"

#include <string.h>

typedef struct Targets {
    int yes, no, next;
} Targets;

enum { RETURN_TRUE = -1, RETURN_FALSE = -2, NOWHERE = 0 }; // labels count from 1

static void emit_test(Emit *e, const Ir *ir, Targets to);

// ---- labels and jumps ------------------------------------------------------------------------------------

static int new_label(Emit *e)
{
    if (e->label_count == 0)
        ARENA_PUSH(e->arena, e->label, e->label_count, (Label){0}); // 0 is NOWHERE
    ARENA_PUSH(e->arena, e->label, e->label_count, (Label){0});
    return e->label_count - 1;
}

static void jump(Emit *e, int label, int next)
{
    if (label == next)
        return;
    if (label == RETURN_TRUE)
        emit_line(e, "return 1;");
    else if (label == RETURN_FALSE)
        emit_line(e, "return 0;");
    else if (label == e->loop.next_round)
        emit_line(e, "continue;");
    else if (label == e->loop.after)
        emit_line(e, "break;");
    else
        emit_jump(e, label);
}

static void jump_if(Emit *e, Expr condition, int label)
{
    emit_if(e, condition);
    jump(e, label, NO_LABEL);
    emit_close(e);
}

// ---- expressions -----------------------------------------------------------------------------------------

// Conditions joined by && (or ||) that are one expression.
static void test_expression(Emit *e, Ir *const *kid, int count, bool all, Targets to)
{
    if (count == 1 && (kid[0]->op == IR_TRUE || kid[0]->op == IR_FALSE)) {
        jump(e, kid[0]->op == IR_TRUE ? to.yes : to.no, to.next);
    } else if (to.yes == to.no) {
        bool effects = false;
        for (int i = 0; i < count; i++)
            effects |= ir_noted_any(kid[i], IR_NOT_DROPPABLE);
        if (effects && count == 1 && (kid[0]->op == IR_CALL || kid[0]->op == IR_INVOKE))
            emit_line(e, "%e;", emit_condition(e, kid[0]));
        else if (effects)
            emit_line(e, "(void)(%e);", emit_joined(e, kid, count, all, false));
        jump(e, to.yes, to.next);
    } else if (to.yes == to.next) {
        jump_if(e, emit_joined(e, kid, count, all, true), to.no);
    } else if (to.no == to.next) {
        jump_if(e, emit_joined(e, kid, count, all, false), to.yes);
    } else if (to.yes == RETURN_TRUE && to.no == RETURN_FALSE) {
        emit_line(e, "return %e;", emit_as_truth(e, emit_joined(e, kid, count, all, false)));
    } else if (to.yes == RETURN_FALSE && to.no == RETURN_TRUE) {
        emit_line(e, "return %e;", emit_as_truth(e, emit_joined(e, kid, count, all, true)));
    } else {
        jump_if(e, emit_joined(e, kid, count, all, false), to.yes);
        jump(e, to.no, to.next);
    }
}

// ---- questions -----------------------------------------------------------------------------------------

// Does nothing in the body of a loop change the local that it binds?
static bool is_constant_in_loop(const Emit *e, const Ir *loop)
{
    return e->local[loop->number].in_loop && e->local[loop->number].writes == 1;
}

// Does nothing in the tree change the local that it reads?
static bool is_constant_at(const Emit *e, const Ir *tree, int local)
{
    const Local *l = &e->local[local];
    return l->writes == 0 || (l->in_loop && l->writes == 1) || !ir_writes_local(tree, local);
}

// Puts the value of a bool node that needs statements into the variable. With a type, declares it here.
static void compute(Emit *e, const Ir *ir, const char *type, Variable *variable)
{
    const int yes = new_label(e), no = new_label(e);
    emit_assignment(e, type, variable, emit_word("0"));
    emit_test(e, ir, (Targets){yes, no, yes});
    emit_label(e, yes);
    emit_assignment(e, NULL, variable, emit_word("1"));
    emit_label(e, no);
}

// ---- and, or, if -----------------------------------------------------------------------------------------

// How many operands from the first on make one expression. A new line of the query begins a new statement.
static int group_length(Ir *const *kid, int count)
{
    int length = 0;
    while (length < count && emit_is_expression(kid[length]) && (length == 0 || kid[length]->op != IR_PLACE))
        length++;
    return length;
}

static void show_place(Emit *e, const Ir *ir)
{
    if (ir->op == IR_PLACE)
        emit_comment(e, ir->number / PLACE_COLUMNS, NULL);
}

static void show_note(Emit *e, const Ir *ir)
{
    if (ir->note != NULL)
        emit_comment(e, 0, ir->note);
}

static void test_joined(Emit *e, Ir *const *kid, int count, bool all, Targets to);

typedef struct List {
    Ir **kid;
    int count;
} List;

// An AT whose body is an AND takes part in the list of an AND around it with two marks: copies of the AT with these
// modes go before and after the operands of its body. So a test in the body can be an `if` around all that follows.
enum { WHOLE_AT, BEGIN_AT, END_AT };

static Ir *marked(Emit *e, const Ir *node, uint8_t mode)
{
    Ir *copy = ir_copy_node(e->arena, node);
    copy->kid = node->kid;
    copy->kid_count = node->kid_count;
    copy->mode = mode;
    return copy;
}

// Adds the operands of an AND or OR with those of the same kind inside them; the first one keeps the place. last:
// nothing follows in the list.
static void add_operands(Emit *e, List *list, const Ir *ir, bool last)
{
    for (int i = 0; i < ir->kid_count; i++) {
        Ir *kid = ir->kid[i];
        const bool has_place = kid->op == IR_PLACE, is_last = last && i == ir->kid_count - 1;
        const Ir *inner = has_place ? kid->kid[0] : kid;
        const Ir *at = ir->op == IR_AND && inner->op == IR_AT && !is_last ? inner : NULL;
        const Ir *part = at != NULL ? at->kid[1] : inner;
        if (part->op != ir->op || part->kid_count == 0 || (at == NULL && emit_is_expression(part))) {
            ARENA_PUSH(e->arena, list->kid, list->count, kid);
            continue;
        }
        const int first = list->count;
        if (at != NULL)
            ARENA_PUSH(e->arena, list->kid, list->count, marked(e, at, BEGIN_AT));
        add_operands(e, list, part, is_last);
        if (at != NULL)
            ARENA_PUSH(e->arena, list->kid, list->count, marked(e, at, END_AT));
        if (!has_place)
            continue;
        Ir *place = marked(e, kid, kid->mode);
        place->kid = arena_alloc(e->arena, sizeof *place->kid);
        place->kid[0] = list->kid[first];
        list->kid[first] = place;
    }
}

static void begin_at(Emit *e, const Ir *ir);
static void end_at(Emit *e);

static bool passes_mark(Emit *e, const Ir *kid)
{
    const Ir *inner = kid->op == IR_PLACE ? kid->kid[0] : kid;
    if (inner->op != IR_AT || inner->mode == WHOLE_AT)
        return false;
    if (inner->mode == BEGIN_AT)
        begin_at(e, inner);
    else
        end_at(e);
    return true;
}

// Emits an OR whose first operand is a condition followed by statements that are always true as an `if`, with the
// other operands in its `else`. Returns false when the OR has another form.
static bool test_alternatives(Emit *e, Ir *const *kid, int count, Targets to)
{
    const Ir *first = kid[0]->op == IR_PLACE ? kid[0]->kid[0] : kid[0];
    if (count < 2 || first->op != IR_AND || to.yes != to.next)
        return false;
    const int group = group_length(first->kid, first->kid_count);
    if (group == 0 || group == first->kid_count)
        return false;
    for (int i = group; i < first->kid_count; i++)
        if (!ir_always_true(first->kid[i]))
            return false;
    emit_if(e, emit_joined(e, first->kid, group, true, false));
    show_note(e, first);
    test_joined(e, first->kid + group, first->kid_count - group, true, to);
    emit_else(e);
    test_joined(e, kid + 1, count - 1, false, to);
    emit_close(e);
    return true;
}

// AND (`all`) and OR. An operand decides alone when its value is the opposite of `all`.
static void test_joined(Emit *e, Ir *const *kid, int count, bool all, Targets to)
{
    enum { DEEPEST = 19 };
    const int decided = all ? to.no : to.yes;
    while (count > 0) {
        show_place(e, kid[0]);
        if (passes_mark(e, kid[0])) {
            kid++, count--;
            continue;
        }
        if (!all && test_alternatives(e, kid, count, to))
            return;
        int group = group_length(kid, count);
        if (group == 1)
            show_note(e, kid[0]);
        if (group == count) {
            test_expression(e, kid, count, all, to);
            return;
        }
        if (count == 1) {
            emit_test(e, kid[0], to);
            return;
        }
        if (group && decided == to.next && e->code->depth < DEEPEST) {
            emit_if(e, emit_joined(e, kid, group, all, !all));
            test_joined(e, kid + group, count - group, all, to);
            emit_close(e);
            return;
        }
        const int more = new_label(e);
        const Targets kid_targets = {all ? more : decided, all ? decided : more, more};
        if (group)
            test_expression(e, kid, group, all, kid_targets);
        else
            emit_test(e, kid[0], kid_targets);
        emit_label(e, more);
        group = group ? group : 1;
        kid += group;
        count -= group;
    }
    jump(e, all ? to.yes : to.no, to.next);
}

static bool is_nothing(const Ir *ir, Targets to)
{
    return (ir->op == IR_TRUE && to.yes == to.next) || (ir->op == IR_FALSE && to.no == to.next);
}

// Do the branches only set a local to 1 and 0?
static bool is_flag(const Ir *condition, const Ir *yes, const Ir *no)
{
    return yes->op == IR_LET && no->op == IR_LET && yes->number == no->number && yes->kid[0]->op == IR_INT &&
           yes->kid[0]->number == 1 && no->kid[0]->op == IR_INT && no->kid[0]->number == 0 &&
           !ir_uses_local(condition, yes->number);
}

static void test_if(Emit *e, const Ir *ir, Targets to)
{
    const Ir *condition = ir->kid[0], *yes = ir->kid[1], *no = ir->kid[2];
    if (is_flag(condition, yes, no)) {
        Variable *flag = emit_local(e, yes->number);
        emit_assignment(e, NULL, flag, emit_truth(e, condition));
        jump(e, to.yes, to.next);
        return;
    }
    if (is_nothing(yes, to)) {
        emit_if(e, emit_negation(e, condition));
        emit_test(e, no, to);
        emit_close(e);
        return;
    }
    emit_if(e, emit_condition(e, condition));
    emit_test(e, yes, to);
    const bool goes_on = to.yes == to.next || to.no == to.next;
    if (is_nothing(no, to) || !goes_on)
        emit_close(e);
    if (is_nothing(no, to))
        return;
    if (goes_on)
        emit_else(e);
    emit_test(e, no, to);
    if (goes_on)
        emit_close(e);
}

// The condition needs statements, perhaps with effects that the branches see.
static void test_if_code(Emit *e, const Ir *ir, Targets to)
{
    if (is_flag(ir->kid[0], ir->kid[1], ir->kid[2])) {
        compute(e, ir->kid[0], NULL, emit_local(e, ir->kid[1]->number));
        jump(e, to.yes, to.next);
        return;
    }
    const int yes = new_label(e), no = new_label(e);
    emit_test(e, ir->kid[0], (Targets){yes, no, yes});
    emit_label(e, yes);
    emit_test(e, ir->kid[1], (Targets){to.yes, to.no, NOWHERE});
    emit_label(e, no);
    emit_test(e, ir->kid[2], to);
}

// ---- loops -----------------------------------------------------------------------------------------------

// If the loop uses its local, fills the blank line with its assignment, and declares it there unless it is declared
// outside the loop.
static void bind(Emit *e, const Ir *ir, Statement *blank, const char *value)
{
    const Local *local = &e->local[ir->number];
    if (!local->in_loop && local->uses > 1) {
        emit_fill(e, blank, " = %s;", value);
        blank->assigned = emit_local(e, ir->number);
        blank->assigned->is_used = true;
        blank->assigned->assignments++;
    } else if (local->in_loop && local->variable.is_used) {
        const bool constant = is_constant_in_loop(e, ir);
        emit_fill(e, blank, constant ? "const int32_t %v = %s;" : "int32_t %v = %s;",
                  emit_local(e, ir->number), value);
    }
}

// The code between the braces of a loop. value: what its local takes in each round, or NULL.
static void loop_body(Emit *e, const Ir *ir, Targets to, const char *value)
{
    const int next_round = new_label(e), natural = ir->mode == MODE_ANY ? to.no : to.yes;
    const LoopLabels outer = e->loop;
    const Targets body = {ir->mode == MODE_ANY ? to.yes : next_round,
                          ir->mode == MODE_ALL ? to.no : next_round, next_round};
    e->loop = (LoopLabels){next_round, natural == to.next && to.next > 0 ? to.next : NO_LABEL};
    Statement *blank = emit_blank(e);
    emit_line(e, "take_step(c);");
    emit_test(e, ir->kid[ir->kid_count - 1], body);
    emit_label(e, next_round);
    e->loop = outer;
    if (value != NULL)
        bind(e, ir, blank, value);
}

static void end_loop(Emit *e, const Ir *ir, Targets to)
{
    emit_close(e);
    emit_leave(e);
    jump(e, ir->mode == MODE_ANY ? to.no : to.yes, to.next);
}

static void each_square(Emit *e, const Ir *ir, Targets to)
{
    enum { LONG = 50 };
    const Expr set = emit_value(e, ir->kid[0]);
    const bool is_long = strlen(set.text) > LONG;
    if (!is_long)
        emit_enter(e);
    const char *rest = emit_own_name(e, "rest");
    if (is_long) {
        emit_line(e, "Bitboard %s = %e;", rest, set);
        emit_enter(e);
        emit_loop(e, "for (; %s; %s &= %s - 1)", rest, rest, rest);
    } else {
        emit_loop(e, "for (Bitboard %s = %e; %s; %s &= %s - 1)", rest, set, rest, rest, rest);
    }
    loop_body(e, ir, to, arena_printf(e->arena, "first_square(%s)", rest));
    end_loop(e, ir, to);
}

// The variable that counts: the local itself when nothing in the loop changes it.
static const char *counter(Emit *e, const Ir *ir, const char *stem, bool *is_local)
{
    *is_local = is_constant_in_loop(e, ir);
    return *is_local ? emit_local(e, ir->number)->name : emit_own_name(e, stem);
}

static void each_position(Emit *e, const Ir *ir, Targets to)
{
    bool is_local;
    const Expr from = emit_value(e, ir->kid[0]), to_last = emit_value(e, ir->kid[1]);
    emit_enter(e);
    const char *i = counter(e, ir, "at", &is_local);
    const char *last = emit_own_name(e, "last");
    if (ir->low > 0)
        emit_loop(e,
                  "for (int32_t %s = %e, %s = c->rt->next_member(c, %d, %e, %s); %s >= 0; "
                  "%s = c->rt->next_member(c, %d, %s + 1, %s))",
                  last, to_last, i, ir->low - 1, from, last, i, i, ir->low - 1, i, last);
    else
        emit_loop(e, "for (int32_t %s = %e, %s = %e; %s <= %s; %s++)", i, from, last, to_last, i, last, i);
    loop_body(e, ir, to, is_local ? NULL : i);
    end_loop(e, ir, to);
}

// Positions whose values compare with those of the current one.
static void each_compared(Emit *e, const Ir *ir, Targets to)
{
    bool is_local;
    const Expr key = emit_value(e, ir->kid[0]), low = emit_value(e, ir->kid[1]),
               high = emit_value(e, ir->kid[2]), from = emit_value(e, ir->kid[3]),
               to_last = emit_value(e, ir->kid[4]);
    emit_enter(e);
    const char *i = counter(e, ir, "at", &is_local);
    const char *last = emit_own_name(e, "last");
    const Expr wanted =
        emit_expr(e, STRENGTH_PRIMARY, "c->rt->next_compared(c, %d, %e, %e, %e", ir->low - 1, key, low, high);
    emit_loop(e, "for (int32_t %s = %e, %s = %e, %e, %s); %s >= 0; %s = %e, %s + 1, %s))", last, to_last, i,
              wanted, from, last, i, i, wanted, i, last);
    loop_body(e, ir, to, is_local ? NULL : i);
    end_loop(e, ir, to);
}

// The positions of the game from `from` to the root; those where a condition is true.
static void each_ancestor(Emit *e, const Ir *ir, Targets to)
{
    bool is_local;
    const Expr from = emit_value(e, ir->kid[0]);
    emit_enter(e);
    const char *i = counter(e, ir, "at", &is_local);
    if (ir->low > 0)
        emit_loop(e,
                  "for (int32_t %s = c->rt->last_member(c, %d, %e); %s >= 0; "
                  "%s = c->rt->last_member(c, %d, previous_position(c, %s)))",
                  i, ir->low - 1, from, i, i, ir->low - 1, i);
    else
        emit_loop(e, "for (int32_t %s = %e; %s >= 0; %s = previous_position(c, %s))", i, from, i, i, i);
    loop_body(e, ir, to, is_local ? NULL : i);
    end_loop(e, ir, to);
}

static void each_child(Emit *e, const Ir *ir, Targets to)
{
    bool is_local;
    const Expr parent = emit_value(e, ir->kid[0]);
    emit_enter(e);
    const char *i = counter(e, ir, "at", &is_local);
    emit_loop(e, "for (int32_t %s = c->node[%e].first_child; %s >= 0; %s = c->node[%s].next_sibling)", i,
              parent, i, i, i);
    loop_body(e, ir, to, is_local ? NULL : i);
    end_loop(e, ir, to);
}

static void repeat(Emit *e, const Ir *ir, Targets to)
{
    const int next_round = new_label(e), after = new_label(e);
    const LoopLabels outer = e->loop;
    const bool simple = emit_is_expression(ir->kid[0]);
    if (simple) {
        emit_loop(e, "while (%e)", emit_condition(e, ir->kid[0]));
        e->loop = (LoopLabels){next_round, after};
    } else {
        emit_loop(e, "for (;;)");
        e->loop = (LoopLabels){next_round, after};
        const int goes_on = new_label(e);
        emit_test(e, ir->kid[0], (Targets){goes_on, after, goes_on});
        emit_label(e, goes_on);
    }
    emit_line(e, "take_step(c);");
    emit_test(e, ir->kid[1], (Targets){next_round, next_round, next_round});
    emit_label(e, next_round);
    e->loop = outer;
    emit_close(e);
    emit_label(e, after);
    jump(e, to.yes, to.next);
}

// ---- the rest --------------------------------------------------------------------------------------------

// Names a position after the relation that leads to it.
static const char *position_stem(Emit *e, const Ir *position)
{
    if (position->op == IR_LOCAL) {
        const char *stem = e->local[position->number].stem;
        return stem != NULL && strcmp(stem, "child") == 0 ? "after" : "there";
    }
    return position->op == IR_NODE && position->number == IR_NODE_PARENT        ? "before"
           : position->op == IR_NODE && position->number == IR_NODE_FIRST_CHILD ? "after"
                                                                                : "there";
}

// The position at which an AT evaluates its body, while that is emitted.
typedef struct At {
    const Ir *node;
    Expr position;
    Variable *n, *p; // n: NULL when the position has a name already
    Statement *declare_n, *declare_p;
    Here here;
    const Here *outer;
    struct At *previous;
} At;

static void begin_at(Emit *e, const Ir *ir)
{
    At *at = arena_alloc(e->arena, sizeof *at);
    const bool is_name = ir->kid[0]->op == IR_LOCAL && is_constant_at(e, ir->kid[1], ir->kid[0]->number);
    const char *stem = position_stem(e, ir->kid[0]);
    at->node = ir;
    at->position = emit_value(e, ir->kid[0]);
    at->n = is_name ? NULL : emit_new_variable(e, arena_printf(e->arena, "n_%s", stem));
    at->p = emit_new_variable(e, stem);
    at->here = (Here){is_name ? at->position : emit_variable(at->n), emit_variable(at->p)};
    at->declare_n = emit_blank(e);
    at->declare_p = emit_blank(e);
    at->outer = e->here;
    at->previous = e->at;
    e->here = &at->here;
    e->at = at;
}

// Fills in the lines that declare the names: now it is known which of them are needed.
static void end_at(Emit *e)
{
    const At *at = e->at;
    const bool needs_n = at->n != NULL && at->n->is_used, needs_p = at->p->is_used;
    if (needs_p)
        emit_fill(e, at->declare_p, "const Position *const %v = c->position[%e];", at->p,
                  needs_n ? at->here.n : at->position);
    if (needs_n)
        emit_fill(e, at->declare_n, "const int32_t %v = %e;", at->n, at->position);
    if (!needs_n && !needs_p && !ir_is_droppable(at->node->kid[0]))
        emit_fill(e, at->declare_n, "(void)(%e);", at->position);
    e->here = at->outer;
    e->at = at->previous;
}

// `x |= value` and the like: an operation on what the variable or cell itself contains. NULL: it is not one.
static const char *operator_on_itself(Emit *e, const Ir *value, const char *target)
{
    const Ir *first = value->kid_count == 2 ? value->kid[0] : NULL;
    if (first == NULL || (first->op != IR_LOCAL && first->op != IR_SLOT) ||
        strcmp(emit_value(e, first).text, target) != 0)
        return NULL;
    return value->op == IR_SET_OR ? "|=" : value->op == IR_SET_AND ? "&=" : NULL;
}

static void let(Emit *e, const Ir *ir)
{
    Variable *v = emit_local(e, ir->number);
    const char *op = operator_on_itself(e, ir->kid[0], v->name);
    if (op == NULL) {
        emit_assignment(e, NULL, v, emit_of_type(e, ir->kid[0]));
        return;
    }
    emit_line(e, "%v %s %e;", v, op, emit_value(e, ir->kid[0]->kid[1]));
    v->assignments++;
}

static void store(Emit *e, const Ir *ir)
{
    const Ir *value = ir->kid[0];
    const Expr cell = emit_cell(e, ir->number, (IrType)value->type);
    const char *op = operator_on_itself(e, value, cell.text);
    if (ir->number == e->m->info.place_cell - 1 && value->op == IR_INT)
        emit_line(e, "%e = PLACE(%d, %d);", cell, value->number / PLACE_COLUMNS,
                  value->number % PLACE_COLUMNS);
    else if (op != NULL)
        emit_line(e, "%e %s %e;", cell, op, emit_value(e, value->kid[1]));
    else
        emit_line(e, "%e = %e;", cell, emit_of_type(e, value));
}

static void abandon(Emit *e, const Ir *ir, Targets to)
{
    static const char *const reason[] = {"0",           "RAISE_UNBOUND", "RAISE_BOUND",  "RAISE_STEPS",
                                         "RAISE_RANGE", "RAISE_GROUP",   "RAISE_ASSERT", "RAISE_ABORT",
                                         "RAISE_FILE",  "RAISE_MEMORY",  "RAISE_OTHER"};
    const bool known = ir->number > 0 && ir->number <= RAISE_OTHER;
    if (ir->low >= 0)
        emit_line(e, "c->rt->raise(c, %s, %s);", known ? reason[ir->number] : "RAISE_OTHER",
                  emit_string(e, ir->low));
    else
        emit_line(e, "abandon(c, %s);", known ? reason[ir->number] : "RAISE_OTHER");
    jump(e, to.no, to.next);
}

// A call without a result.
static void emit_void_call(Emit *e, const Ir *ir)
{
    const Ir as_number = {.op = IR_CALL,
                          .type = IRT_INT,
                          .number = ir->number,
                          .out = ir->out,
                          .kid_count = ir->kid_count,
                          .kid = ir->kid};
    emit_line(e, "%e;", emit_value(e, &as_number));
}

static void emit_test(Emit *e, const Ir *ir, Targets to)
{
    Ir *self = (Ir *)ir; // for functions that take lists of nodes
    List list;
    show_note(e, ir);
    switch ((IrOp)ir->op) {
    case IR_TRUE:
        jump(e, to.yes, to.next);
        return;
    case IR_FALSE:
        jump(e, to.no, to.next);
        return;
    case IR_AND:
    case IR_OR:
        list = (List){0};
        add_operands(e, &list, ir, true);
        test_joined(e, list.kid, list.count, ir->op == IR_AND, to);
        return;
    case IR_NOT:
        emit_test(e, ir->kid[0], (Targets){to.no, to.yes, to.next});
        return;
    case IR_IF:
    case IR_CHOOSE:
        if (emit_is_expression(ir->kid[0]))
            test_if(e, ir, to);
        else
            test_if_code(e, ir, to);
        return;
    case IR_PLACE:
        show_place(e, ir);
        emit_test(e, ir->kid[0], to);
        return;
    case IR_EACH_SQUARE:
        each_square(e, ir, to);
        return;
    case IR_EACH_POSITION:
        each_position(e, ir, to);
        return;
    case IR_EACH_COMPARED:
        each_compared(e, ir, to);
        return;
    case IR_EACH_ANCESTOR:
        each_ancestor(e, ir, to);
        return;
    case IR_EACH_CHILD:
        each_child(e, ir, to);
        return;
    case IR_AT:
        begin_at(e, ir);
        emit_test(e, ir->kid[1], to);
        end_at(e);
        return;
    case IR_RAISE:
        abandon(e, ir, to);
        return;
    case IR_WHILE:
        repeat(e, ir, to);
        return;
    case IR_ALWAYS:
        emit_test(e, ir->kid[0], (Targets){to.yes, to.yes, to.next});
        return;
    case IR_LET:
        let(e, ir);
        jump(e, to.yes, to.next);
        return;
    case IR_STORE:
        store(e, ir);
        jump(e, to.yes, to.next);
        return;
    default:
        if (ir->op == IR_CALL && ir_call_info[ir->number].result == 'v') {
            emit_void_call(e, ir);
            jump(e, to.yes, to.next);
            return;
        }
        test_expression(e, &self, 1, true, to);
    }
}

static Expr computed(Emit *e, const Ir *ir)
{
    Variable *found = emit_new_variable(e, "found");
    compute(e, ir, "int32_t", found);
    Expr x = emit_variable(found);
    x.is_truth = true;
    return x;
}

Code *emit_body(Emit *e, const Ir *body)
{
    e->computed = computed;
    Code *code = e->code = emit_code_new(e);
    emit_test(e, body, (Targets){RETURN_TRUE, RETURN_FALSE, NOWHERE});
    return code;
}
