// The limits of emitted screens: what gets a name, a board or a block of its own (back/emit_screen.c, emit_lanes.c, emit_boards.c,
// emit_kings.c).
#include "engine_fixture.h"

static Module *module;
static Ir *condition[2][SCREEN_PLACES];
static Screen screen;

// A condition after moves of White; false elsewhere. It gets operands.
static Ir *begin_screen(void)
{
    module = new_module();
    module->function[0]->body = ir_bool(module->arena, true);
    for (int i = 0; i < 2 * SCREEN_PLACES; i++)
        condition[i / SCREEN_PLACES][i % SCREEN_PLACES] = ir_bool(module->arena, false);
    screen = (Screen){.count = 1, .condition = condition};
    module->screen = &screen;
    return condition[0][SCREEN_WHITE_MOVED] = ir_new(module->arena, IR_AND, IRT_BOOL, 0);
}

static int times(const char *text, const char *line)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, line)) != NULL; at++)
        count++;
    return count;
}

// How often has the text such a line? Ends what begin_screen began.
static int count_of(const char *line)
{
    size_t length;
    char *text = emit_c(&module, 1, HEADER_INCLUDED, &length, NULL);
    assert_non_null(strstr(text, "static void screen("));
    const int count = times(text, line);
    free(text);
    module->screen = NULL;
    arena_free(module->arena);
    return count;
}

static bool has(const char *line)
{
    return count_of(line) > 0;
}

static Ir *piece(int number)
{
    return board(module->arena, number);
}

static Ir *squares(uint64_t set)
{
    return ir_set(module->arena, set);
}

// ---- names ------------------------------------------------------------------------------------------------

// A value that is used twice gets a name, as long as there are less than 8192 values: the whole, two for each part, two for the
// comparison, and one more.
static void test_many_values(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        Ir *all = begin_screen();
        for (int i = 1; i <= 4094; i++)
            ir_add_kid(all, ir_any(ir_set_and(piece(WHITE_PAWN), squares((uint64_t)i))));
        if (more)
            ir_add_kid(all, ir_any(piece(WHITE_PAWN)));
        Ir *again = ir_set_and(piece(WHITE_PAWN), squares(1));
        ir_add_kid(all, ir_with_int(IR_GT, ir_count(again), 3));
        assert_int_equal(has("const Lanes value_2 = "), !more);
    }
}

static Ir *all_of(int count, Ir *first, Ir *second)
{
    return ir_new(module->arena, IR_AND, IRT_BOOL, count, first, second);
}

// Two conditions after moves of White.
static void begin_two(Ir *first, Ir *second)
{
    screen.count = 2;
    condition[0][SCREEN_WHITE_MOVED] = first;
    condition[1][SCREEN_WHITE_MOVED] = second;
}

// ---- blocks -----------------------------------------------------------------------------------------------

// Squares that sets must contain are one comparison, if they differ.
static void test_squares(void **state)
{
    (void)state;
    static const struct {
        Bitboard squares[3];
        const char *line;
    } cases[] = {
        {{1, 2}, "now_1 = lanes_where_equal(now_1, (P & SQUARE(A1)) | (N & SQUARE(B1)),"},
        {{1ULL << 63, 1ULL << 62}, "now_1 = lanes_where_equal(now_1, (P & SQUARE(H8)) | (N & SQUARE(G8)),"},
        {{4, 3}, "now_1 = lanes_where(now_1, N & SQUARES(A1, B1));"},
        {{1, 1, 2}, "now_1 = lanes_where(now_1, N & SQUARE(A1));"},
        {{1, 1, 2}, "now_1 = lanes_where_equal(now_1, (P & SQUARE(A1)) | (B & SQUARE(B1)),"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Ir *all = begin_screen();
        for (int k = 0; k < 3 && cases[i].squares[k]; k++)
            ir_add_kid(all, ir_any(ir_set_and(piece(WHITE_PAWN + k), squares(cases[i].squares[k]))));
        if (!has(cases[i].line))
            fail_msg("no %s", cases[i].line);
    }
}

// ---- tables and histories ---------------------------------------------------------------------------------

static Ir *repeats(const int half[2][3])
{
    Ir *ir = numbered(ir_new(module->arena, IR_REPEATS, IRT_BOOL, 0), 4, 0);
    for (int i = 0; i < 6; i++)
        ir_add_kid(ir, piece(half[i / 3][i % 3]));
    return ir;
}

// What positions before had is kept once, whatever it is compared with.
static void test_histories(void **state)
{
    (void)state;
    enum { P = WHITE_PAWN, N = WHITE_KNIGHT, B = WHITE_BISHOP };
    static const int first[2][3] = {{P, N, B}, {B, P, N}}, same[2][3] = {{P, N, B}, {N, P, B}},
                     other[2][3] = {{P, B, N}, {B, P, N}};
    begin_screen();
    begin_two(repeats(first), repeats(same));
    assert_false(has("history_2"));
    begin_screen();
    begin_two(repeats(first), repeats(other));
    assert_true(has("history_2"));
    begin_screen();
    begin_two(repeats(first), repeats(same));
    assert_true(has("history_1[0] = lanes_mixed(P, lanes_mixed(N, B));"));
    begin_screen();
    begin_two(repeats(first), repeats(same));
    assert_true(has("lanes_mixed(B, lanes_mixed(P, N))"));
    for (int i = 0; i < 6; i++) { // what is before the first position is nowhere
        const int before = BOARD_COUNT + (i % 2 ? EMPTY : B);
        const int old[2][3] = {{i / 2 == 0 ? before : P, i / 2 == 1 ? before : N, i / 2 == 2 ? before : B},
                               {P, N, B}};
        begin_screen();
        condition[0][SCREEN_BLACK_MOVED] = repeats(old);
        assert_true(has("history_1[0] = lanes_all(0ULL);"));
    }
}

// ---- several queries --------------------------------------------------------------------------------------

// The C of two queries that share a screen. `facts`: the first one, too, is ruled out by how a game ends.
static char *two_queries(bool facts)
{
    enum { FIRST = 1, SECOND = 2 }; // how many conditions each has
    Ir *conditions[FIRST + SECOND][SCREEN_PLACES];
    Module *modules[2];
    Screen screens[2] = {{.count = FIRST, .condition = conditions},
                         {.count = SECOND, .condition = conditions + FIRST}};
    for (int i = 0; i < FIRST + SECOND; i++) {
        const int q = i >= FIRST;
        if (i == 0 || i == FIRST) {
            module = modules[q] = new_module();
            module->function[0]->body = ir_bool(module->arena, true);
            module->screen = &screens[q];
        }
        for (int place = 0; place < SCREEN_PLACES; place++) {
            Ir *game = numbered(ir_new(module->arena, IR_GAME, IRT_INT, 0), IR_GAME_FACTS, 0);
            Ir *ends = ir_with_int(IR_AND_BITS, game, q ? LINE_MATE : LINE_STALEMATE);
            Ir *shared = ir_set_or(piece(WHITE_KING), squares(1));
            conditions[i][place] =
                all_of(2, ir_any(piece(WHITE_PAWN + i)), ir_any(ir_set_and(shared, piece(WHITE_ROOK + i))));
            if (q || facts)
                ir_add_kid(conditions[i][place], ir_with_int(IR_NE, ends, 0));
        }
    }
    size_t length;
    char *text = emit_c(modules, 2, HEADER_INCLUDED, &length, NULL);
    for (int q = 0; q < 2; q++) {
        modules[q]->screen = NULL;
        arena_free(modules[q]->arena);
    }
    return text;
}

// The conditions of a query that may be ruled out are evaluated only if it is wanted; names end with its block.
static void test_two_queries(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int counts[2]; // without facts of the first query, and with them
    } lines[] = {
        {"// Looks for games in which each of these queries may match, straight from their moves:\nstatic "
         "void s1_screen(",
         {1, 1}},
        {"const Lanes possible_1 = found[0] ? lanes_all(~0ULL) : lanes_all(0ULL);", {1, 0}},
        {"const Lanes possible_1 = found[0] ? ~lanes_equal(", {0, 1}},
        {"const Lanes possible_2 = found[1] ?", {1, 1}},
        {"const int wanted_1 = lanes_some(possible_1);", {0, 1}},
        {"const int wanted_2 = lanes_some(possible_2);", {1, 1}},
        {"if (!lanes_some(possible_1 | possible_2)) {\n", {0, 1}},
        {"                if (found[0]) lanes_write(found[0][group] + lane, possible_1);\n", {0, 1}},
        {"                if (found[1]) lanes_write(found[1][group] + lane, possible_2);\n", {0, 1}},
        {"            if (found[0]) lanes_write(found[0][group] + lane, lanes_not_empty(seen_1) & possible_1 "
         "& 1);\n",
         {1, 1}},
        {"if (found[1]) lanes_write(found[1][group] + lane,", {1, 2}},
        {"if (wanted_1) {\n", {0, SCREEN_PLACES}},
        {"if (wanted_2) {\n", {SCREEN_PLACES, SCREEN_PLACES}},
        {" = K | SQUARE(A1);", {SCREEN_PLACES, 2 * SCREEN_PLACES}},
        {", P);", {SCREEN_PLACES, SCREEN_PLACES}},
        {", N);", {SCREEN_PLACES, SCREEN_PLACES}},
        {", B);", {SCREEN_PLACES, SCREEN_PLACES}},
        {"seen_1 = lanes_marked(seen_1, now_1);\n            }\n", {0, 1}},
        {"seen_1 = lanes_marked(seen_1, now_1);\n            if (wanted_2) {\n                Where ",
         {1, 0}},
    };
    for (int facts = 0; facts < 2; facts++) {
        char *text = two_queries(facts);
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            if (times(text, lines[i].text) != lines[i].counts[facts])
                fail_msg("%d times, %d: %s", times(text, lines[i].text), facts, lines[i].text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {

        cmocka_unit_test(test_many_values),

        cmocka_unit_test(test_histories),

        cmocka_unit_test(test_two_queries),

        cmocka_unit_test(test_squares),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
