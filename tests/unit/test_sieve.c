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

// ---- bodies --------------------------------------------------------------------------------------------------------

enum { LOCALS = 4 }; // two sets, two numbers

static Module *m;
static Arena *a;

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
        cmocka_unit_test(test_whole),           cmocka_unit_test(test_partial),
        cmocka_unit_test(test_many_conditions), cmocka_unit_test(test_deep),
        cmocka_unit_test(test_gives_way),       cmocka_unit_test(test_group_sizes),
        cmocka_unit_test(test_locals),          cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
