// Makes steps of the sieve from IR, and runs them.
//
// A value goes into the register `to`, its operands into the registers from there on; locals have registers from the last one
// down. All operands of a condition are evaluated, but what takes time is skipped where the operands before it have decided:
// the guard is a register that says so.
#include "sieve.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/chess/setwise.h"

enum { MOST_STEPS = 96, MOST_LOCALS = SIEVE_REGISTERS / 2 };

struct Sieve {
    int count;
    bool is_whole;    // what the steps keep matches
    bool is_inverted; // the others match
    bool always_pays; // takes less time than the body, however many positions are left
    // Of the games so far: the share of positions that are left decides whether steps save time.
    atomic_long seen, left;
    SieveStep step[MOST_STEPS];
};

typedef struct Builder {
    SieveStep step[MOST_STEPS + 1]; // the last one for what does not count
    int count;
    int guard; // a register, or SIEVE_NO_GUARD
    int local[MOST_LOCALS];
    int local_count;
    bool failed; // something cannot be expressed, or there are too many steps
} Builder;

static int fail(Builder *b)
{
    b->failed = true;
    return 0;
}

static SieveStep *add(Builder *b, SieveOp op, int to, int a, int operand)
{
    if (b->count == MOST_STEPS || to >= SIEVE_REGISTERS - b->local_count)
        fail(b);
    SieveStep *step = &b->step[b->failed ? MOST_STEPS : b->count++];
    *step = (SieveStep){(uint8_t)op, (uint8_t)to, (uint8_t)a, (uint8_t)operand, SIEVE_NO_GUARD, 0, 0, 0};
    return step;
}

// A step with one operand.
static SieveStep *add_unary(Builder *b, SieveOp op, int to, int a)
{
    return add(b, op, to, a, a);
}

// A step without operands.
static SieveStep *add_source(Builder *b, SieveOp op, int to)
{
    return add(b, op, to, to, to);
}

static int value(Builder *b, const Ir *ir, int to);

// The register of a local that has a value; 0, which no local has: none.
static int register_of(const Builder *b, int local)
{
    for (int i = 0; i < b->local_count; i++)
        if (b->local[i] == local)
            return SIEVE_REGISTERS - 1 - i;
    return 0;
}

static int binary(Builder *b, SieveOp op, const Ir *ir, int to)
{
    const int first = value(b, ir->kid[0], to);
    const int second = value(b, ir->kid[1], to + 1);
    add(b, op, to, first, second);
    return to;
}

// The first operand compared with the second, or the other way round; or the negation of that.
static int comparison(Builder *b, SieveOp op, const Ir *ir, bool swapped, bool negated, int to)
{
    const int first = value(b, ir->kid[swapped], to);
    const int second = value(b, ir->kid[!swapped], to + 1);
    add(b, op, to, first, second);
    if (negated)
        add_unary(b, SIEVE_FALSE, to, to);
    return to;
}

static int unary(Builder *b, SieveOp op, const Ir *ir, int to)
{
    add_unary(b, op, to, value(b, ir, to));
    return to;
}

static int constant(Builder *b, uint64_t number, int to)
{
    add_source(b, SIEVE_CONSTANT, to)->set = number;
    return to;
}

static int board(Builder *b, SieveOp op, const Ir *ir, int to, int a)
{
    add_unary(b, op, to, a)->number = (int16_t)ir->number;
    return to;
}

// An intersection or union; boards and constant sets need no registers.
static int sets(Builder *b, const Ir *ir, int to)
{
    const bool all = ir->op == IR_SET_AND;
    int result = value(b, ir->kid[0], to);
    for (int i = 1; i < ir->kid_count && !b->failed; i++) {
        const Ir *kid = ir->kid[i];
        if (kid->op == IR_BOARD)
            board(b, all ? SIEVE_AND_BOARD : SIEVE_OR_BOARD, kid, to, result);
        else if (kid->op == IR_SET && all)
            add_unary(b, SIEVE_AND_CONSTANT, to, result)->set = kid->set;
        else
            add(b, all ? SIEVE_AND : SIEVE_OR, to, result, value(b, kid, to + 1));
        result = to;
    }
    return result;
}

static int union_of(Builder *b, const Ir *ir, int to)
{
    const Ir *from = ir_all_steps(ir, WHITE_KNIGHT);
    if (from != NULL)
        return unary(b, SIEVE_KNIGHT_MOVES, from, to);
    from = ir_all_steps(ir, WHITE_KING);
    return from != NULL ? unary(b, SIEVE_KING_MOVES, from, to) : sets(b, ir, to);
}

static int moved(Builder *b, const Ir *ir, int to)
{
    SieveStep *step = add_unary(b, SIEVE_MOVED, to, value(b, ir->kid[0], to));
    step->number = (int16_t)ir->number;
    step->low = (int16_t)ir->low;
    return to;
}

// ---- conditions that may decide before their last operand ------------------------------------------------------

// The operands from here on count only where the register `condition` is `wanted`: 1 or 0. Takes registers from *to on.
static void guard_by(Builder *b, int condition, bool wanted, int *to)
{
    int guard = condition;
    if (!wanted)
        add_unary(b, SIEVE_FALSE, guard = (*to)++, condition);
    if (b->guard != SIEVE_NO_GUARD) {
        const int both = (*to)++;
        add(b, SIEVE_AND, both, guard, b->guard);
        guard = both;
    }
    b->guard = guard;
}

static int junction(Builder *b, const Ir *ir, int to)
{
    const bool all = ir->op == IR_AND;
    const int guard = b->guard;
    if (ir->kid_count == 0)
        return constant(b, all, to);
    int result = value(b, ir->kid[0], to);
    for (int i = 1; i < ir->kid_count && !b->failed; i++) {
        int next = to + 1;
        guard_by(b, result, all, &next);
        add(b, all ? SIEVE_AND : SIEVE_OR, to, result, value(b, ir->kid[i], next));
        result = to;
        b->guard = guard;
    }
    return result;
}

static int choice(Builder *b, const Ir *ir, int to)
{
    const int guard = b->guard, condition = value(b, ir->kid[0], to);
    int next = to + 1;
    guard_by(b, condition, true, &next);
    const int yes = value(b, ir->kid[1], next++);
    b->guard = guard;
    guard_by(b, condition, false, &next);
    const int no = value(b, ir->kid[2], next);
    b->guard = guard;
    add(b, SIEVE_SELECT, to, yes, no)->guard = (uint8_t)condition;
    return to;
}

// A body that writes a local twice has no sieve. Where the guard is 0 the local keeps the value that all begin with.
static int let(Builder *b, const Ir *ir, int to)
{
    if (b->local_count == MOST_LOCALS || register_of(b, ir->number) != 0)
        return fail(b);
    const int from = value(b, ir->kid[0], to), target = SIEVE_REGISTERS - 1 - b->local_count;
    if (b->guard == SIEVE_NO_GUARD) {
        add(b, SIEVE_OR, target, from, from);
    } else {
        constant(b, 0, target);
        add(b, SIEVE_SELECT, target, from, target)->guard = (uint8_t)b->guard;
    }
    b->local[b->local_count++] = ir->number;
    return constant(b, 1, to);
}

// ---- calls ------------------------------------------------------------------------------------------------------

// A step that takes time: left out where the guard is 0.
static SieveStep *guarded(Builder *b, SieveOp op, int to, int first, int second)
{
    SieveStep *step = add(b, op, to, first, second);
    step->guard = (uint8_t)b->guard;
    return step;
}

static int call(Builder *b, const Ir *ir, int to)
{
    int from;
    switch ((IrCall)ir->number) {
    case IR_CALL_in_check:
        guarded(b, SIEVE_IN_CHECK, to, to, to);
        return to;
    case IR_CALL_has_legal_move:
        guarded(b, SIEVE_CAN_MOVE, to, to, to);
        return to;
    case IR_CALL_attacked:
        from = value(b, ir->kid[0], to);
        guarded(b, SIEVE_ATTACKED, to, from, from)->number = (int16_t)ir_kinds(ir->kid[0]);
        return to;
    case IR_CALL_power:
        from = value(b, ir->kid[0], to);
        guarded(b, SIEVE_POWER, to, from, from);
        return to;
    case IR_CALL_attackers:
        from = value(b, ir->kid[0], to);
        guarded(b, SIEVE_ATTACKERS, to, from, value(b, ir->kid[1], to + 1))->number =
            (int16_t)ir_kinds(ir->kid[0]);
        return to;
    default:
        return fail(b);
    }
}

// ---- any value ----------------------------------------------------------------------------------------------------

// Adds the steps that compute it. The register of the result is `to` or that of a local.
static int value(Builder *b, const Ir *ir, int to)
{
    if (b->failed)
        return fail(b);
    switch ((IrOp)ir->op) {
    case IR_INT:
        return constant(b, (uint64_t)(int64_t)ir->number, to);
    case IR_SET:
        return constant(b, ir->set, to);
    case IR_TRUE:
    case IR_FALSE:
        return constant(b, ir->op == IR_TRUE, to);
    case IR_LOCAL: {
        const int found = register_of(b, ir->number);
        return found != 0 ? found : fail(b);
    }
    case IR_BOARD:
        return board(b, SIEVE_BOARD, ir, to, to);
    case IR_SIDE:
        add_source(b, SIEVE_SIDE, to);
        return to;
    case IR_SET_AND:
        return sets(b, ir, to);
    case IR_SET_OR:
        return union_of(b, ir, to);
    case IR_SET_XOR:
        return binary(b, SIEVE_XOR, ir, to);
    case IR_SET_NOT:
        return unary(b, SIEVE_NOT, ir->kid[0], to);
    case IR_STEP:
        return moved(b, ir, to);
    case IR_COUNT:
        return unary(b, SIEVE_COUNT, ir->kid[0], to);
    case IR_ADD:
        return binary(b, SIEVE_ADD, ir, to);
    case IR_SUB:
        return binary(b, SIEVE_SUBTRACT, ir, to);
    case IR_MUL:
        return binary(b, SIEVE_MULTIPLY, ir, to);
    case IR_EQ:
    case IR_SET_EQ:
        return binary(b, SIEVE_EQUAL, ir, to);
    case IR_NE:
        return comparison(b, SIEVE_EQUAL, ir, false, true, to);
    case IR_LT:
        return comparison(b, SIEVE_LESS, ir, false, false, to);
    case IR_GE:
        return comparison(b, SIEVE_LESS, ir, false, true, to);
    case IR_GT:
        return comparison(b, SIEVE_LESS, ir, true, false, to);
    case IR_LE:
        return comparison(b, SIEVE_LESS, ir, true, true, to);
    case IR_ANY:
        return unary(b, SIEVE_SOME, ir->kid[0], to);
    case IR_NOT:
        return unary(b, SIEVE_FALSE, ir->kid[0], to);
    case IR_AND:
    case IR_OR:
        return junction(b, ir, to);
    case IR_IF:
    case IR_CHOOSE:
        return choice(b, ir, to);
    case IR_LET:
        return let(b, ir, to);
    case IR_PLACE:
        return value(b, ir->kid[0], to);
    case IR_CALL:
        return call(b, ir, to);
    default:
        return fail(b);
    }
}

// ---- the body -----------------------------------------------------------------------------------------------------

// The registers of the locals, which conditions that follow may read.
static uint64_t registers_of_locals(const Builder *b)
{
    uint64_t registers = 0;
    for (int i = 0; i < b->local_count; i++)
        registers |= 1ULL << (SIEVE_REGISTERS - 1 - i);
    return registers;
}

static const Ir *without_places(const Ir *condition)
{
    while (condition->op == IR_PLACE)
        condition = condition->kid[0];
    return condition;
}

// Adds the conditions in their order. False: the rest of them cannot be expressed, and the steps are those before it.
static bool add_conditions(Builder *b, const Ir *ir)
{
    ir = without_places(ir);
    if (ir->op == IR_AND) {
        for (int i = 0; i < ir->kid_count; i++)
            if (!add_conditions(b, ir->kid[i]))
                return false;
        return true;
    }
    const int count = b->count, locals = b->local_count, found = value(b, ir, 0);
    if (!ir_always_true(ir))
        add(b, SIEVE_KEEP, 0, found, 0)->set = registers_of_locals(b);
    if (!b->failed)
        return true;
    b->count = count;
    b->local_count = locals;
    return false;
}

static bool asks_functions(const Builder *b)
{
    for (int i = 0; i < b->count; i++)
        if (b->step[i].op >= SIEVE_ATTACKED && b->step[i].op < SIEVE_KEEP)
            return true;
    return false;
}

const Sieve *sieve_new(Arena *a, const Module *m)
{
    Builder b = {.guard = SIEVE_NO_GUARD};
    const Ir *body = without_places(m->function[0]->body);
    const bool inverted = body->op == IR_NOT;
    const bool whole = add_conditions(&b, inverted ? body->kid[0] : body);
    while (b.count > 0 && b.step[b.count - 1].op != SIEVE_KEEP)
        b.count--;
    if (b.count == 0 || (inverted && !whole))
        return NULL;
    Sieve *s = arena_alloc(a, sizeof *s); // zeroed
    s->count = b.count;
    s->is_whole = whole;
    s->is_inverted = inverted;
    s->always_pays = whole && asks_functions(&b);
    memcpy(s->step, b.step, sizeof *b.step * (size_t)b.count);
    return s;
}

// Other sieves must leave few positions: these go through the body as well, or it is as fast where it matches.
static bool pays(Sieve *s)
{
    enum { ENOUGH = 4096 };
    const long seen = atomic_load_explicit(&s->seen, memory_order_relaxed),
               left = atomic_load_explicit(&s->left, memory_order_relaxed);
    return s->always_pays || seen < ENOUGH || left < seen / 2;
}

static void match_at(Context *c, int32_t n, bool is_certain, SieveBody *matches)
{
    c->at = n;
    if (is_certain || matches(c, n, c->position[n], c->depth)) {
        c->hit[c->hit_count++] = n;
        if (c->show)
            c->rt->show(c);
    }
}

void sieve_match(const Sieve *sieve, Context *c, SieveBody *matches)
{
    Sieve *s = (Sieve *)sieve; // only its counters change
    const bool used = pays(s);
    long left = 0;
    for (int32_t from = 0; from < c->game->count; from += SIEVE_POSITIONS) {
        const int32_t rest = c->game->count - from, count = rest < SIEVE_POSITIONS ? rest : SIEVE_POSITIONS;
        const uint64_t all = count < 64 ? (1ULL << count) - 1 : ~0ULL;
        uint64_t kept = used ? setwise.sieve(s->step, s->count, c->position + from, count) : all;
        if (used && s->is_inverted)
            kept ^= all;
        left += __builtin_popcountll(kept);
        for (; kept; kept &= kept - 1)
            match_at(c, from + __builtin_ctzll(kept), used && s->is_whole, matches);
    }
    if (used && !s->always_pays) {
        atomic_fetch_add_explicit(&s->seen, c->game->count, memory_order_relaxed);
        atomic_fetch_add_explicit(&s->left, left, memory_order_relaxed);
    }
}
