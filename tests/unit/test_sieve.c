// The sieve (compiler/back/sieve.h, runtime/chess/sieve.h) finds what the interpreter finds, on boards of all kinds, with the
// functions for each kind of processor; and it decides before the compiled body where it can.
#include "engine_fixture.h"

#include "compiler/back/interp.h"
#include "compiler/back/sieve.h"
#include "runtime/chess/setwise.h"

enum { BOARDS = 150 };           // three groups of SIEVE_POSITIONS, the last one not full
static int board_count = BOARDS; // of the game

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(random_state >> 33) % limit;
}

// ---- boards -------------------------------------------------------------------------------------------------------

static Position some_board[BOARDS];
static const Position *some_position[BOARDS];

static void make_boards(void)
{
    random_state = 1;
    for (int i = 0; i < BOARDS; i++) {
        Position *p = &some_board[i];
        *p = (Position){.side = i & 1, .en_passant = NO_SQUARE, .rook_file = {7, 0, 7, 0}};
        const int white = (int)random_below(64), black = (white + 1 + (int)random_below(63)) % 64;
        p->square[white] = WHITE_KING;
        p->square[black] = BLACK_KING;
        for (int men = (int)random_below(24); men > 0; men--) {
            static const uint8_t kind[] = {WHITE_PAWN, WHITE_KNIGHT, WHITE_BISHOP, WHITE_ROOK, WHITE_QUEEN};
            const int square = (int)random_below(64);
            const int type =
                kind[random_below(square < 8 || square > 55 ? 4 : 5) + (square < 8 || square > 55)];
            if (p->square[square] == EMPTY)
                p->square[square] = (uint8_t)(type + 6 * (int)random_below(2));
        }
        pos_rebuild(p);
        some_position[i] = p;
    }
}

static int32_t plain_power(const Position *p, Bitboard set)
{
    static const int worth[] = {0, 1, 3, 3, 5, 9, 0};
    int32_t sum = 0;
    for (; set; set &= set - 1)
        sum += p->square[bb_first(set)] == EMPTY ? 0 : worth[(p->square[bb_first(set)] - 1) % 6 + 1];
    return sum;
}

static int32_t plain_has_legal_move(const Position *p)
{
    Move moves[MAX_MOVES];
    return pos_legal_moves(p, moves) > 0;
}

// ---- running --------------------------------------------------------------------------------------------------------

typedef struct Found {
    int32_t hit[BOARDS];
    int count;
    int asked; // positions at which the body was evaluated
} Found;

static int asked;

static int32_t ask_interpreter(Context *c, int32_t n, const Position *p, int32_t depth)
{
    assert_ptr_equal(p, c->position[n]);
    assert_int_equal(depth, c->depth);
    assert_int_equal(n, c->at);
    asked++;
    return c->query->remembered(c, 0, n);
}

static Found find(const Matcher *matcher, const Sieve *sieve)
{
    static Runtime rt;
    rt = mock;
    rt.power = plain_power;
    rt.has_legal_move = plain_has_legal_move;
    Found found = {.count = 0};
    Slot slot[CELLS] = {{0}};
    const GameView view = {.count = board_count, .position = some_position};
    Context c = {.rt = &rt,
                 .game = &view,
                 .position = some_position,
                 .slot = slot,
                 .hit = found.hit,
                 .steps = INT64_MAX,
                 .depth = CALL_DEPTH,
                 .query = matcher->query};
    asked = 0;
    if (sieve == NULL)
        matcher->query->match_game(&c);
    else
        sieve_match(sieve, &c, ask_interpreter);
    found.count = c.hit_count;
    found.asked = asked;
    return found;
}

#ifdef __x86_64__
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#else
#define HAS_AVX2 false
#endif

// What the sieve of the module finds, with all functions, which must agree with the interpreter; count -1: there is no sieve.
static Found check_sieve(Module *m)
{
    static int body;
    m->remembered = &body;
    m->info.remembered_count = 1;
    check_verified(m);
    Arena *a = arena_new();
    const Matcher *matcher = interp_new(&m, 1);
    const Found expected = find(matcher, NULL);
    Found found = {.count = -1};
    static const Setwise *const kinds[] = {&setwise_plain, &setwise_wide, &setwise_widest, &setwise};
    const Setwise usual = setwise;
    for (int i = 0; i < 4; i++) {
        if (kinds[i]->sieve == NULL || (kinds[i] == &setwise_wide && !HAS_AVX2) ||
            (kinds[i] == &setwise_widest && usual.sieve != setwise_widest.sieve))
            continue;
        setwise = i < 3 ? *kinds[i] : usual;
        const Sieve *sieve = sieve_new(a, m);
        if (sieve == NULL)
            break;
        found = find(matcher, sieve);
        assert_int_equal(found.count, expected.count);
        assert_memory_equal(found.hit, expected.hit, sizeof *found.hit * (size_t)found.count);
    }
    setwise = usual;
    interp_free(matcher);
    arena_free(a);
    return found;
}

static Found check_body(Module *m, Ir *body)
{
    m->function[0]->body = body;
    const Found found = check_sieve(m);
    arena_free(m->arena);
    return found;
}

// ---- random bodies --------------------------------------------------------------------------------------------------

enum { LOCALS = 4 }; // two sets, two numbers

static Module *m;
static Arena *a;

static Ir *condition(int depth);
static Ir *number(int depth);

static Ir *all_steps(Ir *from, bool knight)
{
    Ir *sum = ir_new(a, IR_SET_OR, IRT_SET, 0);
    for (int files = -2; files <= 2; files++)
        for (int ranks = -2; ranks <= 2; ranks++)
            if (knight ? abs(files * ranks) == 2 : abs(files) < 2 && abs(ranks) < 2 && (files || ranks))
                ir_add_kid(sum, numbered(ir_unary(IR_STEP, ir_copy(from)), files, ranks));
    return sum;
}

static Ir *set(int depth)
{
    static const IrOp many[] = {IR_SET_AND, IR_SET_OR};
    if (depth <= 0)
        return random_below(4) ? board(a, (int)random_below(BOARD_COUNT))
                               : ir_set(a, 0x0123456789abcdefULL << random_below(60));
    switch (random_below(11)) {
    case 0:
        return ir_local(m->function[0], (int)random_below(2));
    case 1:
        return ir_set_not(set(depth - 1));
    case 2:
        return numbered(ir_unary(IR_STEP, set(depth - 1)), (int)random_below(15) - 7,
                        (int)random_below(15) - 7);
    case 3:
        return ir_binary(IR_SET_XOR, set(depth - 1), set(depth - 1));
    case 4: {
        Ir *test = condition(0);
        Ir *yes = set(depth - 1);
        return ir_choose(test, yes, set(depth - 1));
    }
    case 5:
    case 6: {
        Ir *from = set(depth - 1);
        return ir_call(a, IR_CALL_attackers, 2, from, set(depth - 1));
    }
    case 7:
        return ir_call(a, IR_CALL_attacked, 1, random_below(2) ? board(a, WHITE_QUEEN) : set(depth - 1));
    case 8:
        return all_steps(set(0), random_below(2));
    default: {
        Ir *sets = ir_new(a, many[random_below(2)], IRT_SET, 2, set(depth - 1), set(depth - 1));
        if (random_below(2))
            ir_add_kid(sets, set(0));
        return sets;
    }
    }
}

static Ir *number(int depth)
{
    static const IrOp two_numbers[] = {IR_ADD, IR_SUB, IR_MUL};
    static const int32_t constant[] = {0, 1, -1, 3, 70000, INT32_MAX, INT32_MIN};
    if (depth <= 0)
        return random_below(2) ? ir_int(a, constant[random_below(7)]) : ir_side(a);
    switch (random_below(8)) {
    case 0:
        return ir_local(m->function[0], 2 + (int)random_below(2));
    case 1:
        return ir_call(a, IR_CALL_power, 1, set(depth - 1));
    case 2: {
        Ir *test = condition(0);
        Ir *yes = number(depth - 1);
        return ir_choose(test, yes, number(depth - 1));
    }
    case 3:
    case 4: {
        Ir *first = number(depth - 1);
        return ir_binary(two_numbers[random_below(3)], first, number(depth - 1));
    }
    case 5:
        return random_below(6) ? ir_count(set(depth - 1)) : ir_shift_right(number(depth - 1), 1); // no step
    default:
        return ir_count(set(depth - 1));
    }
}

static Ir *condition(int depth)
{
    if (depth <= 0)
        return random_below(2) ? ir_any(set(0)) : ir_eq(ir_side(a), ir_int(a, (int)random_below(2)));
    switch (random_below(12)) {
    case 0:
        return ir_not(condition(depth - 1));
    case 1: {
        Ir *first = condition(depth - 1);
        return ir_new(a, IR_OR, IRT_BOOL, 3, first, condition(depth - 1), condition(0));
    }
    case 2:
    case 3: {
        Ir *first = condition(depth - 1);
        return ir_new(a, IR_AND, IRT_BOOL, 3, first, condition(depth - 1), condition(depth - 1));
    }
    case 4: {
        Ir *test = condition(depth - 1);
        Ir *yes = condition(depth - 1);
        return ir_if(test, yes, condition(depth - 1));
    }
    case 5:
        return ir_call(a, random_below(2) ? IR_CALL_in_check : IR_CALL_has_legal_move, 0);
    case 6:
        return random_below(2) ? ir_let((int)random_below(2), set(depth - 1))
                               : ir_let(2 + (int)random_below(2), number(depth - 1));
    case 7: {
        Ir *first = set(depth - 1);
        return ir_binary(IR_SET_EQ, first, set(depth - 1));
    }
    case 8:
    case 9: {
        Ir *first = number(depth - 1);
        return ir_binary((IrOp)(IR_EQ + random_below(6)), first, number(depth - 1));
    }
    case 10:
        return numbered(ir_new(a, IR_PLACE, IRT_BOOL, 1, condition(depth - 1)), PLACE(1, 1), 0);
    default:
        return ir_any(set(depth - 1));
    }
}

static void begin(void)
{
    m = new_module();
    a = m->arena;
    for (int i = 0; i < LOCALS; i++)
        ir_new_local(m->function[0], i < 2 ? IRT_SET : IRT_INT);
}

static Ir *both(Ir *first, Ir *second)
{
    return ir_new(a, IR_AND, IRT_BOOL, 2, first, second);
}

static void test_random_bodies(void **state)
{
    (void)state;
    int whole = 0, partial = 0, none = 0, hits = 0;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        random_state = seed * 77777 + 5;
        begin();
        Ir *body = condition(2 + (int)(seed % 4));
        if (seed & 4)
            body = both(body, condition(3));
        const Found found = check_body(m, body);
        whole += found.count >= 0 && found.asked == 0;
        partial += found.asked > 0;
        none += found.count < 0;
        hits += found.count > 0 && found.count < BOARDS;
    }
    // all kinds have been tried
    assert_true(whole > 500);
    assert_true(partial > 100);
    assert_true(none > 100);
    assert_true(hits > 500);
}

// ---- decisions ------------------------------------------------------------------------------------------------------

static Ir *in_check(void)
{
    return ir_call(a, IR_CALL_in_check, 0);
}

// The lowest square of a set: no step of the sieve, but a condition of libtcc's code.
static Ir *not_expressible(void)
{
    return ir_lt(ir_first(ir_set_or(board(a, WHITE_PAWN), ir_set(a, 1ULL << 63))), ir_int(a, 20));
}

static int checks(void)
{
    int count = 0;
    for (int i = 0; i < BOARDS; i++)
        count += pos_in_check(&some_board[i], some_board[i].side);
    return count;
}

static void test_whole(void **state)
{
    (void)state;
    begin();
    Found found = check_body(m, in_check());
    assert_int_equal(found.asked, 0);
    assert_int_equal(found.count, checks());
    begin();
    found = check_body(m, ir_not(in_check()));
    assert_int_equal(found.asked, 0);
    assert_int_equal(found.count, BOARDS - checks());
    begin(); // an intersection that is taken back: locals that later conditions read are kept with their positions
    Ir *some = both(
        ir_let(0, ir_set_and(board(a, BOARD_WHITE), ir_call(a, IR_CALL_attacked, 1, board(a, BLACK_QUEEN)))),
        ir_any(ir_local(m->function[0], 0)));
    ir_add_kid(some, ir_any(ir_set_and(ir_local(m->function[0], 0), ir_set_not(board(a, WHITE_KING)))));
    assert_int_equal(check_body(m, ir_not(some)).asked, 0);
}

static void test_partial(void **state)
{
    (void)state;
    begin();
    assert_int_equal(check_body(m, both(in_check(), not_expressible())).asked, checks());
    // what follows a condition that is not expressible does not count
    begin();
    assert_int_equal(check_body(m, both(not_expressible(), in_check())).count, -1);
    // the complement of a part is no part of the complement
    begin();
    assert_int_equal(check_body(m, ir_not(both(in_check(), not_expressible()))).count, -1);
}

static void test_nothing_to_keep(void **state)
{
    (void)state;
    begin();
    assert_int_equal(check_body(m, ir_bool(a, true)).count, -1);
    begin();
    assert_int_equal(check_body(m, ir_let(0, board(a, WHITE_QUEEN))).count, -1);
    begin();
    assert_int_equal(check_body(m, both(ir_let(0, board(a, WHITE_QUEEN)), not_expressible())).count, -1);
}

// More conditions than there is room for steps: the first ones are used.
static void test_many_conditions(void **state)
{
    (void)state;
    begin();
    Ir *all = ir_new(a, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < 200; i++)
        ir_add_kid(all, ir_any(ir_set_or(board(a, BOARD_OCCUPIED), board(a, WHITE_PAWN + i % 12))));
    const Found found = check_body(m, all);
    assert_true(found.count > BOARDS / 2);
    assert_int_equal(found.asked, found.count);
}

// A condition that is true everywhere, by number; *steps: how many it takes, with the one that ends it. NULL: no more.
static Ir *counted_condition(int number, int *steps)
{
    Ir *men = board(a, BOARD_OCCUPIED), *more = board(a, BOARD_OCCUPIED), *all = ir_set(a, ~0ULL);
    Ir *some = ir_any(men), *other = ir_any(more);
    const struct {
        int steps; // one for each operation and each operand that is no board or constant of an intersection or board of a union
        Ir *condition;
    } cases[] = {
        {3, some},
        {4, ir_any(ir_set_not(men))},
        {4, ir_any(ir_set_and(men, more))},
        {4, ir_any(ir_set_and(men, all))},
        {4, ir_any(ir_set_or(men, more))},
        {5, ir_any(ir_set_or(men, all))},
        {5, ir_any(ir_binary(IR_SET_XOR, men, all))},
        {4, ir_any(all_steps(men, true))},
        {4, ir_any(all_steps(men, false))},
        {4, ir_any(ir_call(a, IR_CALL_attacked, 1, men))},
        {5, ir_any(ir_call(a, IR_CALL_attackers, 2, men, all))},
        {6, ir_ge(ir_call(a, IR_CALL_power, 1, men), ir_int(a, 0))}, // not less
        {5, ir_gt(ir_count(men), ir_int(a, 0))},
        {6, ir_eq(ir_count(men), ir_count(more))},
        {7, ir_le(ir_count(men), ir_count(more))},
        {7, ir_gt(ir_add(ir_count(men), ir_int(a, 1)), ir_int(a, 0))},
        {4, ir_lt(ir_side(a), ir_int(a, 2))},
        {7, ir_new(a, IR_OR, IRT_BOOL, 2, some, other)},           // the second where the first is false
        {5, ir_not(ir_not(ir_new(a, IR_AND, IRT_BOOL, 1, some)))}, // and two negations
        {8,
         ir_not(ir_new(a, IR_AND, IRT_BOOL, 2, ir_not(some), other))}, // the second where the first is true
        {9, ir_if(some, other, ir_any(board(a, BOARD_OCCUPIED)))},     // the third where the first is false
    };
    if (number == sizeof cases / sizeof *cases)
        return NULL;
    *steps = cases[number].steps;
    return cases[number].condition;
}

// Conditions have 96 steps together; what follows is left to the body.
static void test_steps(void **state)
{
    (void)state;
    for (int number = 0, steps;; number++)
        for (int more = 0; more < 2; more++) {
            begin();
            if (counted_condition(number, &steps) == NULL) {
                arena_free(m->arena);
                return;
            }
            Ir *all = ir_new(a, IR_AND, IRT_BOOL, 0);
            int rest = 96 + more;
            for (; rest - steps >= 6; rest -= steps)
                ir_add_kid(all, counted_condition(number, &steps));
            for (; rest > 0; rest -= rest % 3 ? 4 : 3) {
                Ir *men = board(a, BOARD_OCCUPIED);
                ir_add_kid(all, ir_any(rest % 3 ? ir_set_not(men) : men));
            }
            const int asked_by_body = check_body(m, all).asked;
            if (asked_by_body != (more ? BOARDS : 0))
                fail_msg("condition %d: %d", number, asked_by_body);
        }
}

// Conditions within each other need a register for each level, one for the innermost operand, and one for what is compared with
// the whole. Locals take theirs from the same.
static void test_deep(void **state)
{
    (void)state;
    for (int locals = 0; locals < 3; locals++)
        for (int levels = 1; levels < 40; levels++) {
            begin();
            Ir *all = both(in_check(), ir_bool(a, true));
            for (int i = 0; i < locals; i++)
                ir_add_kid(all, ir_let(ir_new_local(m->function[0], IRT_SET), board(a, WHITE_PAWN)));
            Ir *deep = ir_count(board(a, WHITE_PAWN));
            for (int i = 0; i < levels; i++)
                deep = ir_sub(ir_count(board(a, BLACK_PAWN + i % 6)), deep);
            ir_add_kid(all, ir_gt(deep, ir_int(a, 0)));
            assert_int_equal(check_body(m, all).asked, levels + 2 + locals <= SIEVE_REGISTERS ? 0 : checks());
        }
}

// A tree that has itself, `levels` times, as its last operand: the others are boards or conditions on boards.
static Ir *nested(int form, int levels)
{
    Ir *inner = NULL;
    for (int i = 0; i <= levels; i++) {
        Ir *set = board(a, WHITE_PAWN + i % 12);
        if (form == 0)
            inner = inner ? ir_set_and(ir_set_not(set), inner) : set;
        else if (form == 1)
            inner = inner ? ir_call(a, IR_CALL_attackers, 2, set, inner) : set;
        else if (form == 4)
            inner = inner ? ir_choose(ir_any(set), ir_side(a), inner) : ir_side(a);
        else
            inner =
                inner ? ir_new(a, form == 2 ? IR_AND : IR_OR, IRT_BOOL, 2, ir_any(set), inner) : ir_any(set);
    }
    return form < 2 ? ir_any(inner) : form == 4 ? ir_eq(inner, ir_int(a, 1)) : ir_not(inner);
}

// The registers that each form of condition takes. A second operand takes one more, unless it is a board of an intersection. In a junction, a guard within another takes
// one for both; that of an OR is the negation of a register, in one more. A choice has a value besides, and the guards of both.
static void test_registers(void **state)
{
    (void)state;
    static const struct {
        int first, more; // registers for one level, and for each other one
    } cases[] = {{1, 1}, {2, 1}, {2, 2}, {3, 3}, {4, 5}};
    for (int form = 0; form < 5; form++)
        for (int levels = 1; levels < 26; levels++) {
            begin();
            Ir *all = both(in_check(), nested(form, levels));
            const bool fits = cases[form].first + cases[form].more * (levels - 1) <= SIEVE_REGISTERS;
            assert_int_equal(check_body(m, all).asked, fits ? 0 : checks());
        }
}

// A junction may have a single operand; one that begins with a local does not change it.
static void test_junctions(void **state)
{
    (void)state;
    for (int form = 0; form < 2; form++) {
        const IrOp op = form ? IR_AND : IR_OR;
        begin();
        assert_int_equal(check_body(m, ir_not(ir_not(ir_new(a, op, IRT_BOOL, 1, in_check())))).count,
                         checks());
        begin();
        const int local = ir_new_local(m->function[0], IRT_BOOL);
        Ir *white = ir_eq(ir_side(a), ir_int(a, WHITE)), *some = ir_any(board(a, WHITE_KING));
        Ir *other = form ? some : ir_not(some); // decides nothing, as the local
        Ir *joined = ir_new(a, op, IRT_BOOL, 3, ir_local(m->function[0], local), white, other);
        assert_int_equal(check_body(m, both(ir_let(local, ir_copy(other)), ir_not(ir_not(joined)))).count,
                         BOARDS / 2);
    }
}

// A local that is written where two conditions are true keeps its value where one of them is false.
static void test_guarded_locals(void **state)
{
    (void)state;
    for (int second = 0; second < 2; second++) {
        begin();
        Ir *condition[] = {ir_eq(ir_side(a), ir_int(a, WHITE)), ir_any(board(a, BOARD_OCCUPIED))};
        Ir *write = ir_new(a, IR_AND, IRT_BOOL, 2, condition[second], ir_let(0, board(a, BOARD_OCCUPIED)));
        Ir *outer = ir_new(a, IR_AND, IRT_BOOL, 2, condition[!second], ir_not(write));
        const Found found = check_body(m, both(ir_not(outer), ir_any(ir_local(m->function[0], 0))));
        assert_int_equal(found.asked, 0);
        assert_int_equal(found.count, BOARDS / 2);
    }
}

static int asked_of_game(Ir *body, int games)
{
    static int number;
    m->function[0]->body = body;
    m->remembered = &number;
    m->info.remembered_count = 1;
    const Matcher *matcher = interp_new(&m, 1);
    const Sieve *sieve = sieve_new(a, m);
    assert_non_null(sieve);
    int last = 0;
    for (int i = 0; i < games; i++)
        last = find(matcher, sieve).asked;
    interp_free(matcher);
    arena_free(m->arena);
    return last;
}

// A sieve that leaves most positions gives way to the body after 4096 of them, which are 27 games and some boards.
static void test_gives_way(void **state)
{
    (void)state;
    enum { SEEN = 4096 / BOARDS + 1 };
    const int few = checks(), most = BOARDS - few;
    assert_true(few < BOARDS / 2);
    for (int more = 0; more < 3; more++) {
        const int games = more == 0 ? 1 : more == 1 ? SEEN : SEEN + 1;
        const bool decided = games > SEEN;
        begin(); // the body has more conditions
        assert_int_equal(asked_of_game(both(in_check(), not_expressible()), games), few);
        begin();
        assert_int_equal(asked_of_game(both(ir_not(in_check()), not_expressible()), games),
                         decided ? BOARDS : most);
        begin(); // the body is as fast, for the sieve asks for sets of pieces only
        assert_int_equal(asked_of_game(ir_any(board(a, BOARD_OCCUPIED)), games), decided ? BOARDS : 0);
        begin();
        assert_int_equal(asked_of_game(ir_not(ir_any(board(a, BOARD_OCCUPIED))), games), 0);
        begin(); // nor does what follows its conditions
        const int local = ir_new_local(m->function[0], IRT_BOOL);
        assert_int_equal(
            asked_of_game(both(ir_any(board(a, BOARD_OCCUPIED)), ir_let(local, in_check())), games),
            decided ? BOARDS : 0);
        begin(); // what it asks for takes the body more time
        assert_int_equal(asked_of_game(ir_not(in_check()), games), 0);
    }
}

// It gives way after exactly 4096 positions, when it has left half of them or more.
static void test_limits_of_giving_way(void **state)
{
    (void)state;
    static const struct {
        int boards, games, asked; // of the last game, when the sieve leaves no position to the body
    } cases[] = {{128, 32, 0}, {128, 33, 128}, {105, 40, 0}, {105, 41, 105}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        board_count = cases[i].boards;
        begin();
        assert_int_equal(asked_of_game(ir_any(board(a, BOARD_OCCUPIED)), cases[i].games), cases[i].asked);
    }
    for (int colour = WHITE; colour <= BLACK;
         colour++) // every other board has Black to move, the last one White
        for (board_count = 127; board_count <= 128; board_count++) {
            begin();
            Ir *body = both(ir_eq(ir_side(a), ir_int(a, colour)), not_expressible());
            const bool less = board_count == 127 && colour == BLACK;
            assert_int_equal(asked_of_game(body, 34), less ? 63 : board_count);
        }
    board_count = BOARDS;
}

// What a function is asked for takes the body more time, whatever is left.
static void test_functions_pay(void **state)
{
    (void)state;
    enum { SEEN = 4096 / BOARDS + 2 };
    for (int function = 0; function < 5; function++) {
        begin();
        Ir *kings = ir_set_or(board(a, WHITE_KING), board(a, BLACK_KING));
        Ir *set = function == 0 ? ir_call(a, IR_CALL_attacked, 1, kings)
                  : function == 1
                      ? ir_call(a, IR_CALL_attackers, 2, board(a, BOARD_OCCUPIED), ir_set(a, ~0ULL))
                      : NULL;
        Ir *body = set != NULL     ? ir_any(set)
                   : function == 2 ? ir_lt(ir_call(a, IR_CALL_power, 1, kings), ir_int(a, 1))
                   : function == 3 ? ir_not(in_check())
                                   : ir_call(a, IR_CALL_has_legal_move, 0);
        assert_int_equal(asked_of_game(body, SEEN), 0);
    }
}

// Games whose last group of positions has any size.
static void test_group_sizes(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 63, 64, 65, 127, 128, 129};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        board_count = counts[i];
        begin();
        const int found = check_body(m, in_check()).count;
        begin();
        assert_int_equal(check_body(m, ir_not(in_check())).count, counts[i] - found);
        begin();
        assert_int_equal(check_body(m, ir_not(ir_any(board(a, BOARD_OCCUPIED)))).count, 0);
    }
    board_count = BOARDS;
}

// Each local has a register of its own, at most half of them; one that is written twice has none the second time.
static void test_locals(void **state)
{
    (void)state;
    for (int count = 1; count <= SIEVE_REGISTERS / 2 + 1; count++) {
        begin();
        Ir *all = ir_new(a, IR_AND, IRT_BOOL, 0);
        for (int i = 0; i < count; i++) {
            const int local = ir_new_local(m->function[0], IRT_SET);
            assert_int_equal(local, LOCALS + i);
            ir_add_kid(all, ir_let(local, board(a, WHITE_PAWN + i % 12)));
        }
        for (int i = count - 1; i >= 0; i--)
            ir_add_kid(all, ir_lt(ir_count(ir_local(m->function[0], LOCALS + i)), ir_int(a, 1 + i)));
        const Found found = check_body(m, all);
        assert_int_equal(found.count<0, count> SIEVE_REGISTERS /
                         2); // no condition comes before the first local
        assert_int_equal(found.asked, 0);
    }
    begin();
    Ir *twice = both(in_check(), ir_let(0, board(a, WHITE_ROOK)));
    ir_add_kid(twice, ir_any(ir_local(m->function[0], 0)));
    ir_add_kid(twice, ir_let(0, board(a, BLACK_QUEEN)));
    ir_add_kid(twice, ir_not(ir_any(ir_local(m->function[0], 0))));
    const Found found = check_body(m, twice);
    assert_true(found.asked > 0 && found.asked < checks());
}

// The place of a condition in the query does not keep its parts together.
static void test_places(void **state)
{
    (void)state;
    begin();
    Ir *part = both(in_check(), not_expressible());
    part = numbered(ir_new(a, IR_PLACE, IRT_BOOL, 1, part), PLACE(1, 1), 0);
    Ir *outer = numbered(ir_new(a, IR_PLACE, IRT_BOOL, 1, part), PLACE(1, 2), 0);
    assert_int_equal(check_body(m, both(outer, ir_any(board(a, WHITE_QUEEN)))).asked, checks());
}

int main(void)
{
    make_boards();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_bodies),   cmocka_unit_test(test_whole),
        cmocka_unit_test(test_partial),         cmocka_unit_test(test_nothing_to_keep),
        cmocka_unit_test(test_many_conditions), cmocka_unit_test(test_deep),
        cmocka_unit_test(test_gives_way),       cmocka_unit_test(test_functions_pay),
        cmocka_unit_test(test_group_sizes),     cmocka_unit_test(test_locals),
        cmocka_unit_test(test_places),          cmocka_unit_test(test_limits_of_giving_way),
        cmocka_unit_test(test_registers),       cmocka_unit_test(test_steps),
        cmocka_unit_test(test_junctions),       cmocka_unit_test(test_guarded_locals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
