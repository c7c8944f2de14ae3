// Values and conditions as C expressions.
#include "emit_internal.h"

#include <string.h>

const char *emit_type(IrType type)
{
    return type == IRT_SET ? "Bitboard" : type == IRT_STRING ? "String" : "int32_t";
}

const char *emit_own_name(Emit *e, const char *stem)
{
    return arena_printf(e->arena, "%s_%d", stem, ++e->name_count);
}

// ---- building expressions --------------------------------------------------------------------------------

static Expr primary(const char *text)
{
    return (Expr){text, STRENGTH_PRIMARY, 0, false};
}

// In parentheses unless it binds at least as strongly.
static const char *within(Emit *e, Expr x, Strength strength)
{
    return x.strength >= strength ? x.text : arena_printf(e->arena, "(%s)", x.text);
}

static Expr truth(Expr x)
{
    x.is_truth = true;
    return x;
}

static Expr call2(Emit *e, const char *function, Expr a, Expr b)
{
    return primary(arena_printf(e->arena, "%s(%s, %s)", function, a.text, b.text));
}

// Joins texts with a separator, in time linear in their length.
static const char *joined(Arena *a, const char *const *text, int count, const char *separator)
{
    const size_t gap = strlen(separator);
    size_t length = 1;
    for (int i = 0; i < count; i++)
        length += strlen(text[i]) + gap;
    char *result = arena_alloc(a, length), *end = result;
    for (int i = 0; i < count; i++)
        end = stpcpy(i ? stpcpy(end, separator) : end, text[i]);
    return result;
}

// ---- does it need statements? ----------------------------------------------------------------------------

static bool has_ordered_kids(const Ir *ir)
{
    int with_effects = 0;
    for (int i = 0; i < ir->kid_count && with_effects < 2; i++)
        with_effects += ir_does_any(ir->kid[i], IR_EFFECT);
    return with_effects > 1;
}

static bool needs_statements(const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_LET:
    case IR_STORE:
    case IR_ALWAYS:
    case IR_EACH_SQUARE:
    case IR_EACH_POSITION:
    case IR_EACH_CHILD:
    case IR_EACH_ROW:
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
        return false;
    }
}

// One walk for both answers: it is asked at every level of deep trees. *effect: does the tree have the effect
// IR_EFFECT? Says nothing when the result is false.
static bool is_expression(const Ir *ir, bool *effect)
{
    if (needs_statements(ir))
        return false;
    int with_effects = 0;
    for (int i = 0; i < ir->kid_count; i++) {
        bool kid_effect;
        if (!is_expression(ir->kid[i], &kid_effect))
            return false;
        with_effects += kid_effect;
    }
    *effect = with_effects > 0 || ir_has_own_effect(ir);
    const bool has_order_of_its_own =
        ir->op == IR_AND || ir->op == IR_OR || ir->op == IR_NOT || ir->op == IR_CHOOSE;
    return has_order_of_its_own || with_effects < 2;
}

bool emit_is_expression(const Ir *ir)
{
    bool effect;
    return is_expression(ir, &effect);
}

// The values of the kids. C leaves the order of operands open: kids with effects become variables, in order.
static void kid_values(Emit *e, const Ir *ir, Expr *value)
{
    const bool ordered = ir->kid_count > 1 && has_ordered_kids(ir);
    bool statements = ordered;
    for (int i = 0; i < ir->kid_count && !statements; i++)
        statements = !emit_is_expression(ir->kid[i]);
    for (int i = 0; i < ir->kid_count; i++) {
        const Ir *kid = ir->kid[i];
        value[i] = kid->type == IRT_BOOL ? emit_truth(e, kid) : emit_value(e, kid);
        if (statements && ir_does_any(kid, IR_EFFECT)) {
            const char *name = emit_own_name(e, "operand");
            emit_line(e, "const %s %s = %s;", emit_type((IrType)kid->type), name, value[i].text);
            value[i] = primary(name);
        }
    }
}

// ---- sets ------------------------------------------------------------------------------------------------

static const char *const board_name[BOARD_COUNT] = {
    "EMPTY",      "WHITE_PAWN",  "WHITE_KNIGHT", "WHITE_BISHOP",  "WHITE_ROOK", "WHITE_QUEEN",
    "WHITE_KING", "BLACK_PAWN",  "BLACK_KNIGHT", "BLACK_BISHOP",  "BLACK_ROOK", "BLACK_QUEEN",
    "BLACK_KING", "BOARD_WHITE", "BOARD_BLACK",  "BOARD_OCCUPIED"};

static const char *kind_names(Emit *e, const Ir *set)
{
    const int kinds = ir_kinds(set) & ~(1 << EMPTY);
    if (kinds == (IR_WHITE_KINDS | IR_BLACK_KINDS))
        return "ANY_KIND";
    const char *name[PIECE_CODES];
    int count = 0;
    for (int piece = WHITE_PAWN; piece < PIECE_CODES; piece++)
        if (kinds >> piece & 1)
            name[count++] = arena_printf(e->arena, "KIND_%c", " PNBRQKpnbrqk"[piece]);
    return count ? joined(e->arena, name, count, " | ") : "0";
}

static Expr bits(Emit *e, const Ir *ir, char op)
{
    Expr *value = arena_alloc(e->arena, sizeof *value * (size_t)ir->kid_count);
    const char **text = arena_alloc(e->arena, sizeof *text * (size_t)ir->kid_count);
    kid_values(e, ir, value);
    for (int i = 0; i < ir->kid_count; i++)
        text[i] = value[i].strength == STRENGTH_BITS && value[i].op == op
                      ? value[i].text
                      : within(e, value[i], STRENGTH_UNARY);
    const char separator[] = {' ', op, ' ', 0};
    return (Expr){joined(e->arena, text, ir->kid_count, separator), STRENGTH_BITS, op, false};
}

static Expr step(Emit *e, const Ir *ir)
{
    const int files = ir->number, distance = 8 * ir->low + files;
    const Bitboard kept = (files >= 0 ? 0xffu >> files : 0xffu << -files & 0xffu) * 0x0101010101010101ULL;
    const char *set = within(e, emit_value(e, ir->kid[0]), STRENGTH_UNARY);
    if (files)
        set = arena_printf(e->arena, "(%s & 0x%016llxULL)", set, (unsigned long long)kept);
    if (distance == 0)
        return primary(set);
    const char *text = arena_printf(e->arena, "%s %s %d", set, distance > 0 ? "<<" : ">>",
                                    distance > 0 ? distance : -distance);
    return (Expr){text, STRENGTH_ARITHMETIC, 0, false};
}

// ---- calls -----------------------------------------------------------------------------------------------

static const char *pointer_to_result(Emit *e, const Ir *ir, char letter)
{
    if (ir->out >= 0)
        return arena_printf(e->arena, "&%s", e->local[ir->out].name);
    return letter == 'S' ? "&(Bitboard){0}" : letter == 'T' ? "&(String){0}" : "&(int32_t){0}";
}

// All remaining sets as an array and its length.
static const char *set_array(Emit *e, const Expr *value, int count)
{
    if (count == 0)
        return "0, 0";
    const char **text = arena_alloc(e->arena, sizeof *text * (size_t)count);
    for (int i = 0; i < count; i++)
        text[i] = value[i].text;
    return arena_printf(e->arena, "(const Bitboard[]){%s}, %d", joined(e->arena, text, count, ", "), count);
}

static Expr inlined(Emit *e, const Ir *ir, const char *function, const Expr *value)
{
    const char *kinds = kind_names(e, ir->kid[0]);
    const char *head = arena_printf(e->arena, "%s(c, %s, %s, %s", function, e->here->p, kinds, value[0].text);
    return primary(ir->kid_count == 2 ? arena_printf(e->arena, "%s, %s)", head, value[1].text)
                                      : arena_printf(e->arena, "%s)", head));
}

static Expr runtime_call(Emit *e, const Ir *ir, const Expr *value)
{
    const IrCallInfo *info = &ir_call_info[ir->number];
    const char *argument[16];
    int count = 0, next = 0;
    for (const char *letter = info->parameters; *letter; letter++)
        switch (*letter) {
        case 'c':
            argument[count++] = "c";
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
            argument[count++] = value[next++].text;
        }
    return primary(
        arena_printf(e->arena, "c->rt->%s(%s)", info->name, joined(e->arena, argument, count, ", ")));
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
    case IR_CALL_in_check:
        return truth(primary(arena_printf(e->arena, "king_attacked(c, %s)", e->here->p)));
    default:
        return runtime_call(e, ir, value);
    }
}

static Expr invoke(Emit *e, const Ir *ir)
{
    Expr *value = arena_alloc(e->arena, sizeof *value * (size_t)(ir->kid_count + 1));
    const char **argument = arena_alloc(e->arena, sizeof *argument * (size_t)(ir->kid_count + 4));
    kid_values(e, ir, value);
    argument[0] = "c";
    argument[1] = e->here->n;
    argument[2] = e->here->p;
    argument[3] = "deeper(c, depth)";
    for (int i = 0; i < ir->kid_count; i++)
        argument[4 + i] = value[i].text;
    return truth(primary(arena_printf(e->arena, "%s(%s)", emit_function_name(e, ir->number),
                                      joined(e->arena, argument, ir->kid_count + 4, ", "))));
}

// ---- values ----------------------------------------------------------------------------------------------

static Expr choice(Emit *e, const Ir *ir)
{
    if (ir->kid[0]->op == IR_TRUE || ir->kid[0]->op == IR_FALSE)
        return emit_value(e, ir->kid[ir->kid[0]->op == IR_TRUE ? 1 : 2]);
    if (emit_is_expression(ir)) {
        const char *condition = within(e, emit_condition(e, ir->kid[0]), STRENGTH_BITS);
        const char *yes = within(e, emit_value(e, ir->kid[1]), STRENGTH_BITS);
        const char *no = within(e, emit_value(e, ir->kid[2]), STRENGTH_BITS);
        return (Expr){arena_printf(e->arena, "%s ? %s : %s", condition, yes, no), STRENGTH_CHOICE, 0, false};
    }
    const char *name = emit_own_name(e, "chosen");
    emit_line(e, "%s %s;", emit_type((IrType)ir->type), name);
    const char *condition = emit_condition(e, ir->kid[0]).text;
    emit_open(e, "if (%s) {", condition);
    emit_line(e, "%s = %s;", name, emit_value(e, ir->kid[1]).text);
    e->indent--;
    emit_open(e, "} else {");
    emit_line(e, "%s = %s;", name, emit_value(e, ir->kid[2]).text);
    emit_close(e, "");
    return primary(name);
}

static Expr constant(Emit *e, int32_t value)
{
    if (value == INT32_MIN)
        return primary("(-2147483647 - 1)");
    return (Expr){arena_printf(e->arena, "%d", value), value < 0 ? STRENGTH_UNARY : STRENGTH_PRIMARY, 0,
                  false};
}

static Expr slot(Emit *e, const Ir *ir)
{
    const char member = ir->type == IRT_SET ? 's' : ir->type == IRT_STRING ? 't' : 'i';
    return primary(arena_printf(e->arena, "c->slot[%s].%c", e->slot_name[ir->number], member));
}

static Expr node_field(Emit *e, const Ir *ir)
{
    static const char *const field[IR_NODE_FIELDS] = {
        "parent",        "first_child", "next_sibling", "last",           "ply",
        "depth",         "index",       "move.from",    "move.to",        "move.victim",
        "move.promoted", "move.piece",  "move.flags",   "move.rook_from", "move.rook_to"};
    const char *position = emit_value(e, ir->kid[0]).text;
    return primary(arena_printf(e->arena, "c->node[%s].%s", position, field[ir->number]));
}

static Expr row(Emit *e, const Ir *ir)
{
    return primary(arena_printf(e->arena, "%s[%s].column_%d", emit_table_name(e, ir->number),
                                e->row[ir->number], ir->low));
}

static Expr as_number(Emit *e, const Ir *ir)
{
    if (ir->type == IRT_BOOL)
        return emit_truth(e, ir);
    const Expr value = emit_value(e, ir);
    if (ir->type != IRT_STRING)
        return value;
    return (Expr){arena_printf(e->arena, "%s != 0", within(e, value, STRENGTH_UNARY)), STRENGTH_COMPARE, 0,
                  true};
}

static Expr function_of(Emit *e, const char *function, const Ir *kid)
{
    return primary(arena_printf(e->arena, "%s(%s)", function, emit_value(e, kid).text));
}

static Expr arithmetic(Emit *e, const Ir *ir, const char *function)
{
    Expr value[2];
    kid_values(e, ir, value);
    return call2(e, function, value[0], value[1]);
}

static Expr number(Emit *e, const Ir *ir)
{
    static const char *const fact[] = {"count", "result", "number", "last_number"};
    switch ((IrOp)ir->op) {
    case IR_INT:
        return constant(e, ir->number);
    case IR_CURRENT:
        return primary(e->here->n);
    case IR_SQUARE: {
        const char *square = emit_value(e, ir->kid[0]).text;
        return primary(arena_printf(e->arena, "%s->square[%s]", e->here->p, square));
    }
    case IR_SIDE:
        return primary(arena_printf(e->arena, "%s->side", e->here->p));
    case IR_NODE:
        return node_field(e, ir);
    case IR_GAME:
        return primary(arena_printf(e->arena, "c->game->%s", fact[ir->number]));
    case IR_COUNT:
        return function_of(e, "count_squares", ir->kid[0]);
    case IR_FIRST:
        return function_of(e, "first_square", ir->kid[0]);
    case IR_ADD:
        return arithmetic(e, ir, "add");
    case IR_SUB:
        return arithmetic(e, ir, "subtract");
    case IR_MUL:
        return arithmetic(e, ir, "multiply");
    case IR_DIV:
        return arithmetic(e, ir, "divide");
    case IR_MOD:
        return arithmetic(e, ir, "modulo");
    case IR_AND_BITS:
        return bits(e, ir, '&');
    case IR_SHIFT_RIGHT:
        return primary(arena_printf(e->arena, "(int32_t)((uint32_t)%s >> %d)",
                                    within(e, emit_value(e, ir->kid[0]), STRENGTH_UNARY), ir->number));
    case IR_SQRT:
        return function_of(e, "square_root", ir->kid[0]);
    case IR_POSITION_OF:
        return emit_value(e, ir->kid[0]);
    default:
        return as_number(e, ir->kid[0]);
    }
}

static Expr set(Emit *e, const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_SET:
        return primary(ir->set ? arena_printf(e->arena, "0x%016llxULL", (unsigned long long)ir->set)
                               : "0ULL");
    case IR_BOARD:
        return primary(arena_printf(e->arena, "%s->board[%s]", e->here->p, board_name[ir->number]));
    case IR_SET_AND:
        return bits(e, ir, '&');
    case IR_SET_OR:
        return bits(e, ir, '|');
    case IR_SET_XOR:
        return bits(e, ir, '^');
    case IR_SET_NOT:
        return (Expr){arena_printf(e->arena, "~%s", within(e, emit_value(e, ir->kid[0]), STRENGTH_UNARY)),
                      STRENGTH_UNARY, 0, false};
    case IR_STEP:
        return step(e, ir);
    default:
        return function_of(e, "square_set", ir->kid[0]);
    }
}

Expr emit_value(Emit *e, const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_LOCAL:
        return primary(e->local[ir->number].name);
    case IR_SLOT:
        return slot(e, ir);
    case IR_ROW:
        return row(e, ir);
    case IR_CHOOSE:
        return choice(e, ir);
    case IR_CALL:
        return call(e, ir);
    case IR_STRING:
        return primary(emit_string(e, ir->number));
    default:
        return ir->type == IRT_SET ? set(e, ir) : ir->type == IRT_BOOL ? emit_truth(e, ir) : number(e, ir);
    }
}

// ---- conditions ------------------------------------------------------------------------------------------

static bool constant_comparison(IrOp op, const Ir *a, const Ir *b)
{
    switch (op) {
    case IR_SET_EQ:
        return a->set == b->set;
    case IR_EQ:
        return a->number == b->number;
    case IR_NE:
        return a->number != b->number;
    case IR_LT:
        return a->number < b->number;
    case IR_LE:
        return a->number <= b->number;
    case IR_GT:
        return a->number > b->number;
    default:
        return a->number >= b->number;
    }
}

static Expr comparison(Emit *e, const Ir *ir, bool negated)
{
    static const char *const sign[] = {"==", "!=", "<", "<=", ">", ">="};
    static const char *const opposite[] = {"!=", "==", ">=", ">", "<=", "<"};
    const int which = ir->op == IR_SET_EQ ? 0 : ir->op - IR_EQ;
    const Ir *a = ir->kid[0], *b = ir->kid[1];
    if ((a->op == IR_SET && b->op == IR_SET) || (a->op == IR_INT && b->op == IR_INT))
        return truth(primary(constant_comparison((IrOp)ir->op, a, b) != negated ? "1" : "0"));
    Expr value[2];
    kid_values(e, ir, value);
    const char *text =
        arena_printf(e->arena, "%s %s %s", within(e, value[0], STRENGTH_ARITHMETIC),
                     (negated ? opposite : sign)[which], within(e, value[1], STRENGTH_ARITHMETIC));
    return (Expr){text, STRENGTH_COMPARE, 0, true};
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

// Operands of && are comparisons or in parentheses; those of || as well, for the compiler's peace of mind.
static const char *operand(Emit *e, const Ir *ir)
{
    const Expr x = emit_condition(e, ir);
    return x.strength == STRENGTH_BITS || x.strength == STRENGTH_ARITHMETIC
               ? arena_printf(e->arena, "(%s)", x.text)
               : within(e, x, STRENGTH_BITS);
}

// Constants that change nothing are left out.
Expr emit_joined(Emit *e, Ir *const *kid, int count, bool all)
{
    const Ir **kept = arena_alloc(e->arena, sizeof *kept * (size_t)count);
    const char **text = arena_alloc(e->arena, sizeof *text * (size_t)count);
    int kept_count = 0;
    for (int i = 0; i < count; i++)
        if (kid[i]->op != (all ? IR_TRUE : IR_FALSE))
            kept[kept_count++] = kid[i];
    if (kept_count < 2)
        return emit_condition(e, kept_count ? kept[0] : kid[0]);
    for (int i = 0; i < kept_count; i++)
        text[i] = operand(e, kept[i]);
    return (Expr){joined(e->arena, text, kept_count, all ? " && " : " || "), all ? STRENGTH_AND : STRENGTH_OR,
                  0, true};
}

// A condition that needs statements, as a variable.
static Expr computed(Emit *e, const Ir *ir)
{
    const char *name = emit_own_name(e, "holds");
    emit_line(e, "int32_t %s = 0;", name);
    emit_into(e, ir, name);
    return truth(primary(name));
}

Expr emit_condition(Emit *e, const Ir *ir)
{
    const bool joins =
        ir->op == IR_AND || ir->op == IR_OR || ir->op == IR_IF || ir->op == IR_CHOOSE || ir->op == IR_NOT;
    const bool simple = emit_is_expression(ir);
    if (joins && !simple)
        return computed(e, ir);
    switch ((IrOp)ir->op) {
    case IR_TRUE:
        return truth(primary("1"));
    case IR_FALSE:
        return truth(primary("0"));
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
            return truth(primary(ir->op == IR_AND ? "1" : "0"));
        return emit_joined(e, ir->kid, ir->kid_count, ir->op == IR_AND);
    case IR_NOT:
        return emit_negation(e, ir->kid[0]);
    case IR_INVOKE:
        return invoke(e, ir);
    case IR_PLACE:
        return emit_condition(e, ir->kid[0]);
    case IR_LOCAL:
    case IR_SLOT:
    case IR_ROW:
        return emit_value(e, ir);
    case IR_CALL:
        if (ir_call_info[ir->number].result != 'v')
            return call(e, ir);
        return computed(e, ir);
    default:
        return computed(e, ir);
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
        return truth(primary("0"));
    case IR_FALSE:
        return truth(primary("1"));
    default:
        return (Expr){arena_printf(e->arena, "!%s", within(e, emit_condition(e, ir), STRENGTH_UNARY)),
                      STRENGTH_UNARY, 0, true};
    }
}

Expr emit_as_truth(Emit *e, Expr x)
{
    if (x.is_truth)
        return x;
    return (Expr){arena_printf(e->arena, "%s != 0", within(e, x, STRENGTH_UNARY)), STRENGTH_COMPARE, 0, true};
}

Expr emit_truth(Emit *e, const Ir *ir)
{
    return emit_as_truth(e, emit_condition(e, ir));
}
