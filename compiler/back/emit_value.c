// Values and conditions as C expressions.
#include "emit_internal.h"
#include "compiler/middle/ir/build.h"

#include <stdlib.h>
#include <string.h>

// ---- building expressions --------------------------------------------------------------------------------

static Expr truth(Expr x)
{
    x.is_truth = true;
    return x;
}

// ---- does it need statements? ----------------------------------------------------------------------------

static bool has_ordered_kids(const Ir *ir)
{
    int with_effects = 0;
    for (int i = 0; i < ir->kid_count && with_effects < 2; i++)
        with_effects += ir_noted_any(ir->kid[i], IR_EFFECT);
    return with_effects > 1;
}

static bool needs_statements(const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_LET:
    case IR_STORE:
    case IR_ALWAYS:
    case IR_WHILE:
    case IR_AT:
    case IR_RAISE:
    case IR_IF: // TinyCC goes wrong on ?: as a condition
        return true;
    case IR_CHOOSE:
        return ir->type == IRT_BOOL;
    case IR_CALL:
        return ir_call_info[ir->number].result == 'v';
    default:
        return ir_is_loop(ir);
    }
}

enum { MARK_EXPRESSION = 1, MARK_STATEMENTS = 2 }; // Ir.mark: what was found before

bool emit_is_expression(const Ir *ir)
{
    if (ir->mark & (MARK_EXPRESSION | MARK_STATEMENTS))
        return (ir->mark & MARK_EXPRESSION) != 0;
    bool is_expression = !needs_statements(ir);
    for (int i = 0; i < ir->kid_count && is_expression; i++)
        is_expression = emit_is_expression(ir->kid[i]);
    const bool has_order_of_its_own =
        ir->op == IR_AND || ir->op == IR_OR || ir->op == IR_NOT || ir->op == IR_CHOOSE;
    is_expression = is_expression && (has_order_of_its_own || !has_ordered_kids(ir));
    ((Ir *)ir)->mark |= is_expression ? MARK_EXPRESSION : MARK_STATEMENTS;
    return is_expression;
}

// The values of the operands. C does not define the order of evaluation, so operands with effects become variables,
// in order.
static void kid_values(Emit *e, const Ir *ir, Expr *value)
{
    const bool ordered = ir->kid_count > 1 && has_ordered_kids(ir);
    bool statements = ordered;
    for (int i = 0; i < ir->kid_count && !statements; i++)
        statements = !emit_is_expression(ir->kid[i]);
    for (int i = 0; i < ir->kid_count; i++) {
        const Ir *kid = ir->kid[i];
        value[i] = emit_of_type(e, kid);
        if (statements && ir_noted_any(kid, IR_EFFECT)) {
            const char *name = emit_own_name(e, "operand");
            emit_line(e, "const %s %s = %e;", emit_type((IrType)kid->type), name, value[i]);
            value[i] = emit_word(name);
        }
    }
}

// ---- sets ------------------------------------------------------------------------------------------------

Expr emit_joined_bits(Emit *e, Expr *value, int count, char op)
{
    if (count == 1)
        return value[0];
    for (int i = 0; i < count; i++)
        if (value[i].strength != STRENGTH_BITS || value[i].op != op)
            value[i] = emit_primary(e, "%u", value[i]);
    const char separator[] = {' ', op, ' ', 0};
    Expr x = emit_list(e, value, count, separator, STRENGTH_BITS);
    x.op = op;
    return x;
}

static Meaning meaning(Emit *e, const Ir *ir);

// Does the node test whether a piece is of one of several kinds? Then one operand is a constant set of piece codes and the
// other the set of one piece code.
static bool is_kind_test(Emit *e, const Ir *ir)
{
    return ir->op == IR_SET_AND && ir->kid_count == 2 && ir->kid[0]->op == IR_SET &&
           ir->kid[1]->op == IR_BIT && meaning(e, ir->kid[1]->kid[0]) == PIECE &&
           ir->kid[0]->set >> PIECE_CODES == 0 && (ir->kid[0]->set & 1) == 0;
}

static Expr kind_test(Emit *e, const Ir *ir)
{
    Expr part[2] = {emit_kinds(e, (int)ir->kid[0]->set),
                    emit_primary(e, "(1 << %e)", emit_value(e, ir->kid[1]->kid[0]))};
    return emit_joined_bits(e, part, 2, '&');
}

static Expr bits(Emit *e, const Ir *ir, char op)
{
    if (is_kind_test(e, ir))
        return kind_test(e, ir);
    Expr *value = arena_alloc(e->arena, sizeof *value * (size_t)ir->kid_count);
    kid_values(e, ir, value);
    return emit_joined_bits(e, value, ir->kid_count, op);
}

static Expr function_of(Emit *e, const char *function, const Ir *kid)
{
    return emit_primary(e, "%s(%e)", function, emit_value(e, kid));
}

static Expr emit_step(Emit *e, const Ir *ir)
{
    static const char *const name[3][3] = {
        {"south_west", "south", "south_east"}, {"west", NULL, "east"}, {"north_west", "north", "north_east"}};
    const int files = ir->number, distance = 8 * ir->low + files;
    if (distance == 0)
        return emit_value(e, ir->kid[0]);
    if (files >= -1 && files <= 1 && ir->low >= -1 && ir->low <= 1)
        return function_of(e, name[ir->low + 1][files + 1], ir->kid[0]);
    Expr set = emit_value(e, ir->kid[0]);
    if (files) {
        Expr part[2] = {set, emit_squares(e, emit_kept_files(files))};
        set = emit_joined_bits(e, part, 2, '&');
    }
    return emit_expr(e, STRENGTH_ARITHMETIC, files ? "%u %s %d" : "%u %s 8 * %d", set,
                     distance > 0 ? "<<" : ">>", abs(files ? distance : ir->low));
}

// ---- calls -----------------------------------------------------------------------------------------------

static Expr pointer_to_result(Emit *e, const Ir *ir, char letter)
{
    if (ir->out < 0)
        return emit_word(letter == 'S' ? "&(Bitboard){0}" : letter == 'T' ? "&(String){0}" : "&(int32_t){0}");
    Variable *v = emit_local(e, ir->out);
    v->has_pointer = true;
    return emit_primary(e, "&%v", v);
}

// All remaining sets as an array and its length.
static Expr set_array(Emit *e, const Expr *value, int count)
{
    return count == 0 ? emit_word("0, 0")
                      : emit_primary(e, "(const Bitboard[]){%e}, %d",
                                     emit_list(e, value, count, ", ", STRENGTH_PRIMARY), count);
}

static Expr inlined(Emit *e, const Ir *ir, const char *function, const Expr *value)
{
    const Expr argument[] = {emit_word("c"), e->here->p, emit_kinds(e, ir_kinds(ir->kid[0]) & ~(1 << EMPTY)),
                             value[0], ir->kid_count == 2 ? value[1] : value[0]};
    return emit_primary(e, "%s(%e)", function,
                        emit_list(e, argument, 3 + ir->kid_count, ", ", STRENGTH_PRIMARY));
}

// Calls that the header may inline; each has the context as its first argument.
static const char *inline_name(int call)
{
    switch ((IrCall)call) {
    case IR_CALL_chain_from:
        return "chain_starts";
    case IR_CALL_chain_to:
        return "chain_ends";
    case IR_CALL_pin:
        return "pin_squares";
    default:
        return NULL;
    }
}

static Expr runtime_call(Emit *e, const Ir *ir, const Expr *value)
{
    const IrCallInfo *info = &ir_call_info[ir->number];
    const char *name = inline_name(ir->number);
    Expr argument[17] = {emit_word("c")};
    int count = name != NULL, next = 0;
    for (const char *letter = info->parameters; *letter; letter++)
        switch (*letter) {
        case 'c':
            argument[count++] = emit_word("c");
            break;
        case 'p':
            argument[count++] = e->here->p;
            break;
        case 'n':
            argument[count++] = e->here->n;
            break;
        case 'v':
            argument[count++] = set_array(e, value + next, ir->kid_count - next);
            break;
        case 'I':
        case 'S':
        case 'T':
        case 'X':
            argument[count++] = pointer_to_result(e, ir, *letter);
            break;
        default:
            argument[count++] = value[next++];
        }
    const Expr arguments = emit_list(e, argument, count, ", ", STRENGTH_PRIMARY);
    return name != NULL ? emit_primary(e, "%s(%e)", name, arguments)
                        : emit_primary(e, "c->rt->%s(%e)", info->name, arguments);
}

static Expr call(Emit *e, const Ir *ir)
{
    Expr *value = arena_alloc(e->arena, sizeof *value * (size_t)(ir->kid_count + 1));
    kid_values(e, ir, value);
    switch ((IrCall)ir->number) {
    case IR_CALL_attackers:
        return inlined(e, ir, "attackers_among", value);
    case IR_CALL_attacked:
        return inlined(e, ir, "attacked_from", value);
    case IR_CALL_power:
        return inlined(e, ir, "power_of", value);
    case IR_CALL_in_check:
        return truth(emit_primary(e, "king_attacked(c, %e)", e->here->p));
    default:
        return runtime_call(e, ir, value);
    }
}

static Expr invoke(Emit *e, const Ir *ir)
{
    const Expr argument[] = {emit_word("c"), e->here->n, e->here->p,
                             emit_primary(e, "deeper(c, %v)", &e->depth)};
    return truth(
        emit_primary(e, "%s(%e)", emit_function_name(e, ir->number),
                     emit_list(e, argument, sizeof argument / sizeof *argument, ", ", STRENGTH_PRIMARY)));
}

// ---- values ----------------------------------------------------------------------------------------------

static Expr choice(Emit *e, const Ir *ir)
{
    if (ir->kid[0]->op == IR_TRUE || ir->kid[0]->op == IR_FALSE)
        return emit_value(e, ir->kid[ir->kid[0]->op == IR_TRUE ? 1 : 2]);
    if (emit_is_expression(ir)) {
        const Expr condition = emit_condition(e, ir->kid[0]), yes = emit_value(e, ir->kid[1]);
        return emit_expr(e, STRENGTH_CHOICE, "%b ? %b : %b", condition, yes, emit_value(e, ir->kid[2]));
    }
    const char *name = emit_own_name(e, "chosen");
    emit_line(e, "%s %s;", emit_type((IrType)ir->type), name);
    emit_if(e, emit_condition(e, ir->kid[0]));
    emit_line(e, "%s = %e;", name, emit_value(e, ir->kid[1]));
    emit_else(e);
    emit_line(e, "%s = %e;", name, emit_value(e, ir->kid[2]));
    emit_close(e);
    return emit_word(name);
}

static Expr node_field(Emit *e, const Ir *ir)
{
#define FIELD_NAME(name, member) #member,
    static const char *const field[] = {IR_NODE_FIELD_LIST(FIELD_NAME)};
    return emit_primary(e, "c->node[%e].%s", emit_value(e, ir->kid[0]), field[ir->number]);
}

static Expr as_number(Emit *e, const Ir *ir)
{
    if (ir->type == IRT_BOOL)
        return emit_truth(e, ir);
    const Expr value = emit_value(e, ir);
    return ir->type == IRT_STRING ? emit_as_truth(e, value) : value;
}

// ---- numbers ---------------------------------------------------------------------------------------------

static Meaning meaning(Emit *e, const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_SIDE:
        return SIDE;
    case IR_SQUARE:
        return PIECE;
    case IR_FIRST:
        return SQUARE;
    case IR_LOCAL:
        return e->local[ir->number].is_square ? SQUARE : PLAIN;
    case IR_GAME:
        return ir->number == IR_GAME_RESULT ? RESULT : PLAIN;
    case IR_NODE:
        switch (ir->number) {
        case IR_NODE_FROM:
        case IR_NODE_TO:
        case IR_NODE_VICTIM:
        case IR_NODE_ROOK_FROM:
        case IR_NODE_ROOK_TO:
            return SQUARE;
        case IR_NODE_PROMOTED:
        case IR_NODE_PIECE:
            return PIECE;
        case IR_NODE_FLAGS:
            return FLAGS;
        }
        return PLAIN;
    default:
        return PLAIN;
    }
}

// Is it a square and never NO_SQUARE?
static bool is_square(Emit *e, const Ir *ir)
{
    return (ir->op == IR_LOCAL && e->local[ir->number].is_square) ||
           (ir->op == IR_NODE && (ir->number == IR_NODE_FROM || ir->number == IR_NODE_TO));
}

// The values of two operands. A constant is written according to the meaning of the other operand.
static void pair(Emit *e, const Ir *ir, Expr value[2])
{
    const Ir *a = ir->kid[0], *b = ir->kid[1];
    kid_values(e, ir, value);
    if (b->op == IR_INT)
        value[1] = emit_constant(e, b->number, meaning(e, a));
    else if (a->op == IR_INT)
        value[0] = emit_constant(e, a->number, meaning(e, b));
}

// An upper bound of the number's absolute value if it is known and small, else -1.
static int64_t bound(Emit *e, const Ir *ir)
{
    int64_t a, b;
    switch ((IrOp)ir->op) {
    case IR_INT:
        return ir->number > -1000000 && ir->number < 1000000 ? (ir->number < 0 ? -ir->number : ir->number)
                                                             : -1;
    case IR_COUNT:
    case IR_FIRST:
        return 64;
    case IR_SHIFT_RIGHT:
        return meaning(e, ir->kid[0]) == SQUARE ? 64 : -1;
    case IR_AND_BITS:
        a = bound(e, ir->kid[1]);
        return ir->kid[1]->op == IR_INT && ir->kid[1]->number >= 0 ? a : -1;
    case IR_ADD:
    case IR_SUB:
        a = bound(e, ir->kid[0]);
        b = bound(e, ir->kid[1]);
        return a >= 0 && b >= 0 && a + b < 100000000 ? a + b : -1;
    default:
        return meaning(e, ir) != PLAIN ? 255 : -1;
    }
}

static Expr by_table(Emit *e, const Ir *ir)
{
    Expr value[2] = {0};
    kid_values(e, ir, value);
    return emit_by_table(e, ir_op_info[ir->op].value, ir->number, value);
}

static Expr sum(Emit *e, const Ir *ir)
{
    if (bound(e, ir) < 0)
        return by_table(e, ir);
    Expr value[2];
    kid_values(e, ir, value);
    const bool is_sum = value[0].strength == STRENGTH_ARITHMETIC && ir->kid[0]->op == ir->op;
    return emit_expr(e, STRENGTH_ARITHMETIC, is_sum ? "%e %s %u" : "%u %s %u", value[0],
                     ir->op == IR_ADD ? "+" : "-", value[1]);
}

static Expr and_bits(Emit *e, const Ir *ir)
{
    if (ir->kid_count == 2 && ir->kid[1]->op == IR_INT && ir->kid[1]->number == 7 &&
        meaning(e, ir->kid[0]) == SQUARE)
        return function_of(e, "file_of", ir->kid[0]);
    Expr value[2];
    pair(e, ir, value);
    return emit_joined_bits(e, value, 2, '&');
}

static Expr shift_right(Emit *e, const Ir *ir)
{
    if (ir->number == 3 && meaning(e, ir->kid[0]) == SQUARE)
        return function_of(e, "rank_of", ir->kid[0]);
    return by_table(e, ir);
}

static Expr number(Emit *e, const Ir *ir)
{
    static const char *const fact[] = {"count", "result", "number", "last_number"};
    switch ((IrOp)ir->op) {
    case IR_INT:
        return emit_constant(e, ir->number, PLAIN);
    case IR_CURRENT:
        return e->here->n;
    case IR_SQUARE:
        return emit_primary(e, "%e->square[%e]", e->here->p,
                            ir->kid[0]->op == IR_INT ? emit_constant(e, ir->kid[0]->number, SQUARE)
                                                     : emit_value(e, ir->kid[0]));
    case IR_SIDE:
        return emit_primary(e, "%e->side", e->here->p);
    case IR_NODE:
        return node_field(e, ir);
    case IR_GAME:
        return emit_primary(e, "c->game->%s", fact[ir->number]);
    case IR_ADD:
    case IR_SUB:
        return sum(e, ir);
    case IR_AND_BITS:
        return and_bits(e, ir);
    case IR_SHIFT_RIGHT:
        return shift_right(e, ir);
    case IR_POSITION_OF:
        return emit_value(e, ir->kid[0]);
    case IR_INT_OF:
        return as_number(e, ir->kid[0]);
    default:
        return by_table(e, ir);
    }
}

static Expr set(Emit *e, const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_SET:
        return emit_squares(e, ir->set);
    case IR_BOARD:
        return emit_primary(e, "%e->%s", e->here->p, emit_board_name[ir->number]);
    case IR_SET_AND:
        return bits(e, ir, '&');
    case IR_SET_OR:
        return bits(e, ir, '|');
    case IR_STEP:
        return emit_step(e, ir);
    case IR_BIT:
        return is_square(e, ir->kid[0]) ? function_of(e, "SQUARE", ir->kid[0]) : by_table(e, ir);
    default:
        return by_table(e, ir);
    }
}

Expr emit_value(Emit *e, const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_LOCAL:
        return emit_variable(emit_local(e, ir->number));
    case IR_SLOT:
        return emit_cell(e, ir->number, (IrType)ir->type);
    case IR_CHOOSE:
        return choice(e, ir);
    case IR_CALL:
        return call(e, ir);
    case IR_STRING:
        return emit_word(emit_string(e, ir->number));
    default:
        return ir->type == IRT_SET ? set(e, ir) : ir->type == IRT_BOOL ? emit_truth(e, ir) : number(e, ir);
    }
}

Expr emit_of_type(Emit *e, const Ir *ir)
{
    return ir->type == IRT_BOOL ? emit_truth(e, ir) : emit_value(e, ir);
}

// ---- conditions ------------------------------------------------------------------------------------------

static Expr opposite_of(Emit *e, Expr x)
{
    return truth(emit_expr(e, STRENGTH_UNARY, "!%u", x));
}

// Is a variable that is always 0 or 1 compared with 0 or 1? Then it is a condition by itself.
static bool is_flag_test(Emit *e, const Ir *ir)
{
    const Ir *a = ir->kid[0], *b = ir->kid[1];
    const bool is_flag = (a->op == IR_LOCAL && e->local[a->number].flag == FLAG_YES) ||
                         (a->op == IR_SLOT && e->slot_flag[a->number] == FLAG_YES);
    return is_flag && (ir->op == IR_EQ || ir->op == IR_NE) && b->op == IR_INT &&
           (b->number == 0 || b->number == 1);
}

static Expr comparison(Emit *e, const Ir *ir, bool negated)
{
    if (is_flag_test(e, ir)) {
        const Expr flag = truth(emit_value(e, ir->kid[0]));
        return ((ir->op == IR_EQ) == (ir->kid[1]->number == 1)) != negated ? flag : opposite_of(e, flag);
    }
    const IrOp op = ir->op == IR_SET_EQ ? IR_EQ : (IrOp)ir->op;
    Expr value[2];
    pair(e, ir, value);
    return truth(emit_by_table(e, ir_op_info[negated ? ir_opposite(op) : op].value, 0, value));
}

static Expr not_empty(Emit *e, const Ir *ir)
{
    const Ir *kid = ir->kid[0];
    if (kid->op == IR_CALL && kid->number == IR_CALL_attackers) {
        Expr value[2];
        kid_values(e, kid, value);
        return truth(inlined(e, kid, "some_attack", value));
    }
    return emit_value(e, kid);
}

// Operands of && and || are comparisons or in parentheses, which avoids compiler warnings.
static Expr operand(Emit *e, const Ir *ir, bool negated)
{
    const Expr x = negated ? emit_negation(e, ir) : emit_condition(e, ir);
    const bool in_parentheses = x.strength == STRENGTH_BITS || x.strength == STRENGTH_ARITHMETIC;
    const Expr part = emit_primary(e, in_parentheses ? "(%e)" : "%b", x);
    return ir->note != NULL && e->is_read ? emit_primary(e, "/* %s */ %e", ir->note, part) : part;
}

// Leaves out constants that change nothing.
Expr emit_joined(Emit *e, Ir *const *kid, int count, bool all, bool negated)
{
    const Ir **kept = arena_alloc(e->arena, sizeof *kept * (size_t)count);
    Expr *part = arena_alloc(e->arena, sizeof *part * (size_t)count);
    int kept_count = 0;
    for (int i = 0; i < count; i++)
        if (kid[i]->op != (all ? IR_TRUE : IR_FALSE))
            kept[kept_count++] = kid[i];
    if (kept_count < 2) {
        const Ir *only = kept_count ? kept[0] : kid[0];
        return negated ? emit_negation(e, only) : emit_condition(e, only);
    }
    for (int i = 0; i < kept_count; i++)
        part[i] = operand(e, kept[i], negated);
    const bool is_and = all != negated;
    return truth(
        emit_list(e, part, kept_count, is_and ? " && " : " || ", is_and ? STRENGTH_AND : STRENGTH_OR));
}

Expr emit_condition(Emit *e, const Ir *ir)
{
    const bool joins =
        ir->op == IR_AND || ir->op == IR_OR || ir->op == IR_IF || ir->op == IR_CHOOSE || ir->op == IR_NOT;
    const bool simple = emit_is_expression(ir);
    if (joins && !simple)
        return e->computed(e, ir);
    switch ((IrOp)ir->op) {
    case IR_TRUE:
        return truth(emit_word("1"));
    case IR_FALSE:
        return truth(emit_word("0"));
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE:
    case IR_SET_EQ:
        return comparison(e, ir, false);
    case IR_ANY:
        return not_empty(e, ir);
    case IR_AND:
    case IR_OR:
        if (ir->kid_count == 0)
            return truth(emit_word(ir->op == IR_AND ? "1" : "0"));
        return emit_joined(e, ir->kid, ir->kid_count, ir->op == IR_AND, false);
    case IR_NOT:
        return emit_negation(e, ir->kid[0]);
    case IR_INVOKE:
        return invoke(e, ir);
    case IR_PLACE:
        return emit_condition(e, ir->kid[0]);
    case IR_LOCAL:
    case IR_SLOT:
        return emit_value(e, ir);
    case IR_CALL:
        if (ir_call_info[ir->number].result != 'v')
            return call(e, ir);
        return e->computed(e, ir);
    default:
        return e->computed(e, ir);
    }
}

Expr emit_negation(Emit *e, const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE:
    case IR_SET_EQ:
        return comparison(e, ir, true);
    case IR_NOT:
        return emit_condition(e, ir->kid[0]);
    case IR_PLACE:
        return emit_negation(e, ir->kid[0]);
    case IR_TRUE:
        return truth(emit_word("0"));
    case IR_FALSE:
        return truth(emit_word("1"));
    case IR_AND:
    case IR_OR:
        if (ir->kid_count > 0 && emit_is_expression(ir))
            return emit_joined(e, ir->kid, ir->kid_count, ir->op == IR_AND, true);
        return opposite_of(e, emit_condition(e, ir));
    default:
        return opposite_of(e, emit_condition(e, ir));
    }
}

Expr emit_as_truth(Emit *e, Expr x)
{
    if (x.is_truth)
        return x;
    return truth(emit_expr(e, STRENGTH_COMPARE, "%u != 0", x));
}

Expr emit_truth(Emit *e, const Ir *ir)
{
    return emit_as_truth(e, emit_condition(e, ir));
}
