// Conditions as statements. A node is emitted with two targets, where to go when it is true and when it is
// false, and with the label that will stand right behind its code: a jump to that one costs nothing, so that
// plain ifs come out where a programmer would write them and gotos only where C has no other word for it.
#include "emit_internal.h"
#include "runtime/value/memory.h"

#include <stdlib.h>

typedef struct Targets {
    int yes, no, next;
} Targets;

enum { RETURN_TRUE = -1, RETURN_FALSE = -2, NOWHERE = 0 }; // beside labels, which count from 1

static void emit_test(Emit *e, const Ir *ir, Targets to);

// ---- labels and jumps ------------------------------------------------------------------------------------

static int new_label(Emit *e)
{
    if (e->label_count == 0)
        ARENA_PUSH(e->arena, e->label_used, e->label_count, false); // 0 is NOWHERE
    ARENA_PUSH(e->arena, e->label_used, e->label_count, false);
    return e->label_count - 1;
}

static const char *jump_text(Emit *e, int label)
{
    if (label == RETURN_TRUE)
        return "return 1;";
    if (label == RETURN_FALSE)
        return "return 0;";
    if (label == e->loop.next_round)
        return "continue;";
    if (label == e->loop.after)
        return "break;";
    e->label_used[label] = true;
    return arena_printf(e->arena, "goto label_%d;", label);
}

static void jump(Emit *e, int label, int next)
{
    if (label != next)
        emit_line(e, "%s", jump_text(e, label));
}

// All jumps are forward: whether a label is needed is known when its place is reached.
static void place(Emit *e, int label)
{
    if (!e->label_used[label])
        return;
    e->indent--;
    emit_line(e, "label_%d:;", label);
    e->indent++;
}

static void jump_if(Emit *e, const char *condition, int label)
{
    emit_open(e, "if (%s)", condition);
    emit_line(e, "%s", jump_text(e, label));
    e->indent--;
}

// ---- expressions -----------------------------------------------------------------------------------------

static const char *negated(Emit *e, Ir *const *kid, int count, bool all)
{
    if (count == 1)
        return emit_negation(e, kid[0]).text;
    return arena_printf(e->arena, "!(%s)", emit_joined(e, kid, count, all).text);
}

// Conditions joined by && (or ||) that are one expression.
static void test_expression(Emit *e, Ir *const *kid, int count, bool all, Targets to)
{
    if (count == 1 && (kid[0]->op == IR_TRUE || kid[0]->op == IR_FALSE)) {
        jump(e, kid[0]->op == IR_TRUE ? to.yes : to.no, to.next);
    } else if (to.yes == to.no) {
        bool effects = false;
        for (int i = 0; i < count; i++)
            effects |= !ir_is_droppable(kid[i]);
        if (effects && count == 1 && (kid[0]->op == IR_CALL || kid[0]->op == IR_INVOKE))
            emit_line(e, "%s;", emit_condition(e, kid[0]).text);
        else if (effects)
            emit_line(e, "(void)(%s);", emit_joined(e, kid, count, all).text);
        jump(e, to.yes, to.next);
    } else if (to.yes == to.next) {
        jump_if(e, negated(e, kid, count, all), to.no);
    } else if (to.no == to.next) {
        jump_if(e, emit_joined(e, kid, count, all).text, to.yes);
    } else if (to.yes == RETURN_TRUE && to.no == RETURN_FALSE) {
        emit_line(e, "return %s;", emit_as_truth(e, emit_joined(e, kid, count, all)).text);
    } else if (to.yes == RETURN_FALSE && to.no == RETURN_TRUE) {
        emit_line(e, "return %s;",
                  count == 1 ? emit_as_truth(e, emit_negation(e, kid[0])).text : negated(e, kid, count, all));
    } else {
        jump_if(e, emit_joined(e, kid, count, all).text, to.yes);
        jump(e, to.no, to.next);
    }
}

// ---- and, or, if -----------------------------------------------------------------------------------------

// How many kids from the first make one expression. A new line of the query begins a new statement.
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
        emit_comment(e, ir->number / PLACE_COLUMNS);
}

// AND (`all`) and OR. A kid decides alone when it is the opposite of `all`.
static void test_joined(Emit *e, Ir *const *kid, int count, bool all, Targets to)
{
    const int decided = all ? to.no : to.yes;
    while (count > 0) {
        show_place(e, kid[0]);
        int group = group_length(kid, count);
        if (group == count) {
            test_expression(e, kid, count, all, to);
            return;
        }
        if (count == 1) {
            emit_test(e, kid[0], to);
            return;
        }
        if (group && decided == to.next && to.yes != to.no && e->indent < 20) {
            emit_open(e, "if (%s) {",
                      all ? emit_joined(e, kid, group, all).text : negated(e, kid, group, all));
            test_joined(e, kid + group, count - group, all, to);
            emit_close(e, "");
            return;
        }
        const int more = new_label(e);
        const Targets kid_targets = {all ? more : decided, all ? decided : more, more};
        if (group)
            test_expression(e, kid, group, all, kid_targets);
        else
            emit_test(e, kid[0], kid_targets);
        place(e, more);
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

static void test_if(Emit *e, const Ir *ir, Targets to)
{
    const Ir *condition = ir->kid[0], *yes = ir->kid[1], *no = ir->kid[2];
    if (is_nothing(yes, to)) {
        emit_open(e, "if (%s) {", emit_negation(e, condition).text);
        emit_test(e, no, to);
        emit_close(e, "");
        return;
    }
    emit_open(e, "if (%s) {", emit_condition(e, condition).text);
    emit_test(e, yes, to);
    if (!is_nothing(no, to)) {
        e->indent--;
        emit_open(e, "} else {");
        emit_test(e, no, to);
    }
    emit_close(e, "");
}

// The condition needs statements, perhaps with effects that its branches see.
static void test_if_code(Emit *e, const Ir *ir, Targets to)
{
    const int yes = new_label(e), no = new_label(e);
    emit_test(e, ir->kid[0], (Targets){yes, no, yes});
    place(e, yes);
    emit_test(e, ir->kid[1], (Targets){to.yes, to.no, NOWHERE});
    place(e, no);
    emit_test(e, ir->kid[2], to);
}

// ---- loops -----------------------------------------------------------------------------------------------

static bool is_constant_in(const Ir *ir, int local)
{
    if ((ir->op == IR_LET && ir->number == local) || (ir->op == IR_CALL && ir->out == local))
        return false;
    const bool binds = ir->op == IR_EACH_SQUARE || ir->op == IR_EACH_POSITION || ir->op == IR_EACH_CHILD;
    if (binds && ir->number == local)
        return false;
    for (int i = 0; i < ir->kid_count; i++)
        if (!is_constant_in(ir->kid[i], local))
            return false;
    return true;
}

// Gives the loop's local its value, if `code` needs it; declares it unless that was done at the top of the
// function.
static void bind(Emit *e, const Ir *ir, const char *value, const char *code)
{
    const LocalUse *local = &e->local[ir->number];
    if (!emit_mentions(code, local->name, false)) {
        if (!local->in_loop && local->uses > 1)
            emit_line(e, "%s = %s;", local->name, value);
        return;
    }
    const bool constant = is_constant_in(ir->kid[ir->kid_count - 1], ir->number);
    emit_line(e, "%s%s = %s;",
              !local->in_loop ? ""
              : constant      ? "const int32_t "
                              : "int32_t ",
              local->name, value);
    if (local->in_loop && !emit_mentions(code, local->name, true))
        emit_line(e, "(void)%s;", local->name);
}

// What stands between the braces of a loop. value: what its local takes in each round, or NULL.
static void loop_body(Emit *e, const Ir *ir, Targets to, const char *value)
{
    const int next_round = new_label(e), natural = ir->mode == MODE_ANY ? to.no : to.yes;
    const LoopLabels outer = e->loop;
    const Targets body = {ir->mode == MODE_ANY ? to.yes : next_round,
                          ir->mode == MODE_ALL ? to.no : next_round, next_round};
    FILE *out = e->out;
    char *code;
    size_t length;
    e->loop = (LoopLabels){next_round, natural == to.next && to.next > 0 ? to.next : NO_LABEL};
    e->out = memory_stream(&code, &length);
    emit_line(e, "take_step(c);");
    emit_test(e, ir->kid[ir->kid_count - 1], body);
    place(e, next_round);
    fclose(e->out);
    e->out = out;
    e->loop = outer;
    if (value != NULL)
        bind(e, ir, value, code);
    fwrite(code, 1, length, e->out);
    free(code);
}

static void end_loop(Emit *e, const Ir *ir, Targets to)
{
    emit_close(e, "");
    jump(e, ir->mode == MODE_ANY ? to.no : to.yes, to.next);
}

static void each_square(Emit *e, const Ir *ir, Targets to)
{
    const char *rest = emit_own_name(e, "rest");
    emit_open(e, "for (Bitboard %s = %s; %s; %s &= %s - 1) {", rest, emit_value(e, ir->kid[0]).text, rest,
              rest, rest);
    loop_body(e, ir, to, arena_printf(e->arena, "first_square(%s)", rest));
    end_loop(e, ir, to);
}

// The variable that counts: the local itself when nothing in the loop changes it.
static const char *counter(Emit *e, const Ir *ir, const Ir *body, const char *stem, bool *is_local)
{
    *is_local = e->local[ir->number].in_loop && is_constant_in(body, ir->number);
    return *is_local ? e->local[ir->number].name : emit_own_name(e, stem);
}

static void each_position(Emit *e, const Ir *ir, Targets to)
{
    bool is_local;
    const char *i = counter(e, ir, ir->kid[2], "at", &is_local);
    const char *last = emit_own_name(e, "last");
    const char *first = emit_value(e, ir->kid[0]).text;
    emit_open(e, "for (int32_t %s = %s, %s = %s; %s <= %s; %s++) {", i, first, last,
              emit_value(e, ir->kid[1]).text, i, last, i);
    loop_body(e, ir, to, is_local ? NULL : i);
    end_loop(e, ir, to);
}

static void each_child(Emit *e, const Ir *ir, Targets to)
{
    bool is_local;
    const char *i = counter(e, ir, ir->kid[1], "at", &is_local);
    const char *parent = emit_value(e, ir->kid[0]).text;
    emit_open(e, "for (int32_t %s = c->node[%s].first_child; %s >= 0; %s = c->node[%s].next_sibling) {", i,
              parent, i, i, i);
    loop_body(e, ir, to, is_local ? NULL : i);
    end_loop(e, ir, to);
}

static void each_row(Emit *e, const Ir *ir, Targets to)
{
    const char *outer = e->row[ir->number];
    const char *i = emit_own_name(e, "row");
    e->row[ir->number] = i;
    emit_open(e, "for (int32_t %s = 0; %s < %d; %s++) {", i, i, e->m->table[ir->number]->row_count, i);
    loop_body(e, ir, to, NULL);
    e->row[ir->number] = outer;
    end_loop(e, ir, to);
}

static void repeat(Emit *e, const Ir *ir, Targets to)
{
    const int next_round = new_label(e), after = new_label(e);
    const LoopLabels outer = e->loop;
    const bool simple = emit_is_expression(ir->kid[0]);
    if (simple) {
        emit_open(e, "while (%s) {", emit_condition(e, ir->kid[0]).text);
        e->loop = (LoopLabels){next_round, after};
    } else {
        emit_open(e, "for (;;) {");
        e->loop = (LoopLabels){next_round, after};
        const int goes_on = new_label(e);
        emit_test(e, ir->kid[0], (Targets){goes_on, after, goes_on});
        place(e, goes_on);
    }
    emit_line(e, "take_step(c);");
    emit_test(e, ir->kid[1], (Targets){next_round, next_round, next_round});
    place(e, next_round);
    e->loop = outer;
    emit_close(e, "");
    place(e, after);
    jump(e, to.yes, to.next);
}

// ---- the rest --------------------------------------------------------------------------------------------

// The code of the body is made first: it tells which of the names it needs.
static void test_at(Emit *e, const Ir *ir, Targets to)
{
    const int number = ++e->name_count;
    const Here *outer = e->here,
               here = {arena_printf(e->arena, "n_%d", number), arena_printf(e->arena, "p_%d", number)};
    emit_line(e, "{");
    e->indent++;
    const char *position = emit_value(e, ir->kid[0]).text;
    FILE *out = e->out;
    char *code;
    size_t length;
    e->here = &here;
    e->out = memory_stream(&code, &length);
    emit_test(e, ir->kid[1], to);
    fclose(e->out);
    e->out = out;
    e->here = outer;
    const bool needs_n = emit_mentions(code, here.n, false), needs_p = emit_mentions(code, here.p, false);
    if (needs_n)
        emit_line(e, "const int32_t %s = %s;", here.n, position);
    if (needs_p)
        emit_line(e, "const Position *const %s = c->position[%s];", here.p, needs_n ? here.n : position);
    if (!needs_n && !needs_p && !ir_is_droppable(ir->kid[0]))
        emit_line(e, "(void)(%s);", position);
    fwrite(code, 1, length, e->out);
    free(code);
    emit_close(e, "");
}

static void assign(Emit *e, const char *target, const Ir *value)
{
    emit_line(e, "%s = %s;", target,
              value->type == IRT_BOOL ? emit_truth(e, value).text : emit_value(e, value).text);
}

static void store(Emit *e, const Ir *ir)
{
    const Ir *value = ir->kid[0];
    const char member = value->type == IRT_SET ? 's' : value->type == IRT_STRING ? 't' : 'i';
    if (ir->number == e->m->info.place_cell - 1 && value->op == IR_INT) {
        emit_line(e, "c->slot[%s].i = PLACE(%d, %d);", e->slot_name[ir->number],
                  value->number / PLACE_COLUMNS, value->number % PLACE_COLUMNS);
        return;
    }
    assign(e, arena_printf(e->arena, "c->slot[%s].%c", e->slot_name[ir->number], member), value);
}

static void give_up(Emit *e, const Ir *ir, Targets to)
{
    static const char *const reason[] = {"0",           "RAISE_UNBOUND", "RAISE_BOUND",  "RAISE_STEPS",
                                         "RAISE_RANGE", "RAISE_GROUP",   "RAISE_ASSERT", "RAISE_ABORT",
                                         "RAISE_FILE",  "RAISE_MEMORY",  "RAISE_OTHER"};
    const bool known = ir->number > 0 && ir->number <= RAISE_OTHER;
    if (ir->low >= 0)
        emit_line(e, "c->rt->raise(c, %s, %s);", known ? reason[ir->number] : "RAISE_OTHER",
                  emit_string(e, ir->low));
    else
        emit_line(e, "give_up(c, %s);", known ? reason[ir->number] : "RAISE_OTHER");
    jump(e, to.no, to.next);
}

// A call without a result.
static void run(Emit *e, const Ir *ir)
{
    const Ir as_number = {.op = IR_CALL,
                          .type = IRT_INT,
                          .number = ir->number,
                          .out = ir->out,
                          .kid_count = ir->kid_count,
                          .kid = ir->kid};
    emit_line(e, "%s;", emit_value(e, &as_number).text);
}

static void emit_test(Emit *e, const Ir *ir, Targets to)
{
    Ir *self = (Ir *)ir; // for functions that take lists of nodes
    switch ((IrOp)ir->op) {
    case IR_TRUE:
        jump(e, to.yes, to.next);
        return;
    case IR_FALSE:
        jump(e, to.no, to.next);
        return;
    case IR_AND:
    case IR_OR:
        test_joined(e, ir->kid, ir->kid_count, ir->op == IR_AND, to);
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
        emit_comment(e, ir->number / PLACE_COLUMNS);
        emit_test(e, ir->kid[0], to);
        return;
    case IR_EACH_SQUARE:
        each_square(e, ir, to);
        return;
    case IR_EACH_POSITION:
        each_position(e, ir, to);
        return;
    case IR_EACH_CHILD:
        each_child(e, ir, to);
        return;
    case IR_EACH_ROW:
        each_row(e, ir, to);
        return;
    case IR_AT:
        test_at(e, ir, to);
        return;
    case IR_RAISE:
        give_up(e, ir, to);
        return;
    case IR_WHILE:
        repeat(e, ir, to);
        return;
    case IR_ALWAYS: {
        const int done = new_label(e);
        emit_test(e, ir->kid[0], (Targets){done, done, done});
        place(e, done);
        jump(e, to.yes, to.next);
        return;
    }
    case IR_LET:
        assign(e, e->local[ir->number].name, ir->kid[0]);
        jump(e, to.yes, to.next);
        return;
    case IR_STORE:
        store(e, ir);
        jump(e, to.yes, to.next);
        return;
    default:
        if (ir->op == IR_CALL && ir_call_info[ir->number].result == 'v') {
            run(e, ir);
            jump(e, to.yes, to.next);
            return;
        }
        test_expression(e, &self, 1, true, to);
    }
}

void emit_into(Emit *e, const Ir *ir, const char *name)
{
    const int yes = new_label(e), no = new_label(e);
    emit_test(e, ir, (Targets){yes, no, yes});
    place(e, yes);
    emit_line(e, "%s = 1;", name);
    place(e, no);
}

void emit_body(Emit *e, const Ir *body)
{
    emit_test(e, body, (Targets){RETURN_TRUE, RETURN_FALSE, NOWHERE});
}
