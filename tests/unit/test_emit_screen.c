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

// An operation on the squares of pieces and, `sets` times, on one square.
static Ir *joined(IrOp op, int number, int pieces, int sets)
{
    Ir *all = ir_new(module->arena, op, IRT_SET, 0);
    for (int i = 0; i < pieces; i++)
        ir_add_kid(all, piece(number));
    for (int i = 0; i < sets; i++)
        ir_add_kid(all, squares(1ULL << i));
    return all;
}

// ---- names ------------------------------------------------------------------------------------------------

// A text of more than 4000 characters gets a name: here `P ^ P ^ ...`, 4 for each piece but 3 for the first, and 13 for
// ` ^ SQUARE(A1)`.
static void test_long_values(void **state)
{
    (void)state;
    static const struct {
        int pieces, sets;
        bool named;
    } cases[] = {{1000, 0, false}, {991, 3, false}, {1001, 0, true}, {2000, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Ir *all = begin_screen();
        ir_add_kid(all, ir_any(joined(IR_SET_XOR, WHITE_PAWN, cases[i].pieces, cases[i].sets)));
        assert_int_equal(has("const Lanes value_2 = "), cases[i].named);
    }
}

// A value that is used twice gets a name, as long as there are less than 8192 values: the whole, two for each part, two for the
// comparison, and one more.
static void test_many_values(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        Ir *all = begin_screen();
        for (int i = 1; i <= 4094; i++)
            ir_add_kid(all, ir_any(ir_binary(IR_SET_XOR, piece(WHITE_PAWN), squares((uint64_t)i))));
        if (more)
            ir_add_kid(all, ir_any(piece(WHITE_PAWN)));
        Ir *again = ir_binary(IR_SET_XOR, piece(WHITE_PAWN), squares(1));
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

// A condition that is evaluated in a block; first: an operand of its set.
static Ir *costly(Ir *first)
{
    Ir *sum = joined(IR_SET_XOR, WHITE_PAWN, 60, 0);
    ir_add_kid(sum, first);
    return ir_any(sum);
}

// A name of a block ends with it, one from before the block does not.
static void test_names_of_blocks(void **state)
{
    (void)state;
    static const char line[] = "const Lanes value_", shared[] = " = N ^ SQUARE(A1);";
    for (int before = 0; before < 2; before++) {
        begin_screen();
        Ir *value = ir_binary(IR_SET_XOR, piece(WHITE_KNIGHT), squares(1));
        Ir *cheap = ir_any(before ? ir_set_and(ir_copy(value), piece(WHITE_ROOK)) : piece(WHITE_ROOK));
        begin_two(all_of(2, cheap, costly(value)), ir_any(ir_copy(value)));
        assert_int_equal(count_of(shared), before ? 1 : 2);
    }
    for (int parts = 1; parts <= 100; parts += 99) { // the first of all values, in two blocks
        begin_screen();
        Ir *sum = ir_new(module->arena, IR_OR, IRT_BOOL, 0);
        for (int i = 0; i < parts; i++)
            ir_add_kid(sum, ir_any(ir_binary(IR_SET_XOR, piece(WHITE_KNIGHT), squares((uint64_t)i + 1))));
        ir_add_kid(sum, costly(piece(WHITE_ROOK)));
        begin_two(sum, ir_copy(sum));
        assert_int_equal(count_of(line), 2);
    }
    begin_screen(); // the only value, here and after the other side's moves
    Ir *unlike = ir_with_int(IR_NE, numbered(ir_new(module->arena, IR_NODE, IRT_INT, 0), IR_NODE_PLY, 0), 7);
    begin_two(unlike, ir_copy(unlike));
    for (int i = 0; i < 2; i++)
        condition[i][SCREEN_BLACK_MOVED] = ir_copy(unlike);
    assert_int_equal(count_of(line), 2);
}

// ---- blocks -----------------------------------------------------------------------------------------------

// Parts that cost more than 60 are evaluated only where the others are true. A union costs one for itself and each operand, the
// test one more.
static void test_cheap_parts(void **state)
{
    (void)state;
    static const char line[] = "if (lanes_any(now_1)) {";
    for (int operands = 58; operands < 60; operands++) {
        Ir *all = begin_screen();
        ir_add_kid(all, ir_any(joined(IR_SET_XOR, WHITE_PAWN, operands, 0)));
        ir_add_kid(all, ir_any(piece(WHITE_KNIGHT)));
        assert_int_equal(has(line), operands == 59);
    }
}

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

// What is true of a whole game is asked once, unless it is not asked everywhere.
static void test_facts(void **state)
{
    (void)state;
    for (int everywhere = 0; everywhere < 2; everywhere++)
        for (int last = 0; last < 2; last++) {
            begin_screen();
            Ir *game = numbered(ir_new(module->arena, IR_GAME, IRT_INT, 0), IR_GAME_FACTS, 0);
            Ir *fact = ir_with_int(IR_NE, ir_with_int(IR_AND_BITS, game, LINE_MATE), 0);
            Ir *pawns = ir_any(piece(WHITE_PAWN)), *knights = ir_any(piece(WHITE_KNIGHT));
            condition[0][SCREEN_WHITE_MOVED] = last ? all_of(2, pawns, fact) : all_of(2, fact, pawns);
            condition[0][SCREEN_BLACK_MOVED] =
                all_of(2, knights, everywhere ? ir_copy(fact) : ir_any(piece(WHITE_ROOK)));
            assert_int_equal(has("const Lanes possible = lanes_all(~0ULL);"), !everywhere);
        }
}

// ---- boards -----------------------------------------------------------------------------------------------

// A condition that some piece of these is there.
static Ir *any_of(const char *letters)
{
    static const char letter[] = " PNBRQKpnbrqk";
    Ir *set = ir_new(module->arena, IR_SET_OR, IRT_SET, 0);
    for (const char *c = letters; *c; c++)
        ir_add_kid(set, piece((int)(strchr(letter, *c) - letter)));
    return ir_any(letters[1] == 0 ? set->kid[0] : set);
}

// A union of three boards that are kept is made from them, one of four is kept itself. Where there are more unions than
// pieces, the pieces alone are kept.
static void test_unions(void **state)
{
    (void)state;
    static const struct {
        const char *sets[8], *line;
        bool kept;
    } cases[] = {
        {{"P", "N", "B", "PNB", "qr"}, "Lanes PNB = ", false},
        {{"P", "N", "B", "R", "PNBR", "qr"}, "Lanes PNBR = ", true},
        {{"P", "N", "B", "R", "PNBR", "qr"}, "Lanes rq = ", true},
        {{"P", "N", "B", "R", "PN", "PNBR", "qr"},
         "Lanes PNBR = ",
         false}, // the largest parts first: PN, B, R
        {{"PN", "NB"}, "Lanes PN = ", true},
        {{"PN", "NB", "PB"}, "Lanes PN = ", true}, // three of three pieces
        {{"P", "N", "B", "R", "PNBR"}, "Lanes PNBR = ", false},
        {{"PN", "NB", "PB", "P"}, "Lanes PN = ", false},
        {{"PN", "NB", "PB", "P"}, "Lanes B = ", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Ir *all = begin_screen();
        for (int k = 0; cases[i].sets[k]; k++)
            ir_add_kid(all, any_of(cases[i].sets[k]));
        assert_int_equal(has(cases[i].line), cases[i].kept);
    }
}

// Unions of boards with other sets, and of what was empty before the move.
static void test_mixed_unions(void **state)
{
    (void)state;
    Ir *all = begin_screen();
    ir_add_kid(all, ir_any(joined(IR_SET_OR, WHITE_PAWN, 1, 1)));
    ir_add_kid(all->kid[0]->kid[0], piece(WHITE_KNIGHT));
    assert_true(has("now_1 = lanes_where(now_1, PN | SQUARE(A1));"));
    all = begin_screen();
    ir_add_kid(all, ir_any(ir_set_or(piece(BOARD_COUNT + EMPTY), piece(WHITE_PAWN))));
    assert_true(has("now_1 = lanes_where(now_1, P | ~(old_white | old_black));"));
}

// Castling puts the rook on its new square, and takes it from the old one unless that has been cleared with the squares of
// black pieces.
static void test_castled_rooks(void **state)
{
    (void)state;
    static const char *const sets[][2] = {
        {"R", ", 0, 32, 8, 0, 0);"},
        {"RQ", ", 0, 32, 8, 0, 0);"},
        {"Rq", ", 0, SQUARE(F1) | SQUARE(H1),\n           SQUARE(A1) | SQUARE(D1), 0, 0);\n"},
        {"RQq", ", 0, SQUARE(F1) | SQUARE(H1),\n           SQUARE(A1) | SQUARE(D1), 0, 0);\n"},
        {"Rk", ", 0, 32, 8, 0, 0);"}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        Ir *all = begin_screen();
        ir_add_kid(all, any_of(sets[i][0]));
        if (!has(sets[i][1]))
            fail_msg("%s: no %s", sets[i][0], sets[i][1]);
    }
}

// ---- kings ------------------------------------------------------------------------------------------------

// Sets that depend on a king alone are remembered when they take at least eight operations together, of those that take more
// than three. A king, a constant and an operation are one each.
static void test_kings(void **state)
{
    (void)state;
    static const struct {
        int constants[4]; // of each set
        bool remembered;
    } cases[] = {{{5}, false},          {{6}, true},           {{2, 2}, true}, {{2, 1}, false},
                 {{1, 1, 1, 1}, false}, {{2, 1, 1, 1}, false}, {{3, 1}, false}};
    for (int colour = WHITE; colour <= BLACK; colour++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            Ir *all = begin_screen();
            for (int k = 0; k < 4 && cases[i].constants[k]; k++) {
                Ir *set = joined(IR_SET_OR, colour == WHITE ? WHITE_KING : BLACK_KING, 1,
                                 cases[i].constants[k] - 1);
                ir_add_kid(set, squares(1ULL << (20 + k)));
                ir_add_kid(all, ir_any(set));
            }
            assert_int_equal(has(colour == WHITE ? "Lanes K_squares_1 = " : "Lanes k_squares_1 = "),
                             cases[i].remembered);
        }
}

// Everywhere the same condition, twice: a step of the king that is used twice, and a set with that step, which is remembered.
static void begin_steps(int colour)
{
    begin_screen();
    Ir *all = ir_new(module->arena, IR_AND, IRT_BOOL, 0);
    Ir *king = piece(colour == WHITE ? WHITE_KING : BLACK_KING);
    Ir *step = numbered(ir_unary(IR_STEP, king), 0, 1), *sum = ir_copy(step);
    for (int files = 1; files < 4; files++)
        sum = ir_set_or(sum, numbered(ir_unary(IR_STEP, ir_copy(king)), files, 0));
    ir_add_kid(all, ir_any(ir_set_and(step, piece(WHITE_PAWN))));
    ir_add_kid(all, ir_any(ir_set_and(ir_copy(step), piece(WHITE_KNIGHT))));
    ir_add_kid(all, ir_any(ir_set_and(sum, piece(WHITE_ROOK))));
    screen.count = 2;
    for (int i = 0; i < 2 * SCREEN_PLACES; i++)
        condition[i / SCREEN_PLACES][i % SCREEN_PLACES] = ir_copy(all);
}

// What is remembered of a king is made from boards, whatever names its parts have in the conditions before.
static void test_kings_and_values(void **state)
{
    (void)state;
    static const char *const lines[] = {"const Lanes value_2 = K << 8;", "const Lanes value_2 = k << 8;"};
    static const char *const kept[] = {"    K_squares_1 = (K << 8) | ", "    k_squares_1 = (k << 8) | "};
    for (int colour = WHITE; colour <= BLACK; colour++) {
        begin_steps(colour);
        assert_true(has(lines[colour]));
        begin_steps(colour);
        assert_true(has(kept[colour]));
        begin_steps(colour);
        assert_false(has("_squares_1 = value_"));
    }
}

// A set within another one is known by its name once it is made from the new square.
static void test_kings_within_others(void **state)
{
    (void)state;
    for (int inner_first = 0; inner_first < 2; inner_first++) {
        Ir *all = begin_screen();
        Ir *inner = joined(IR_SET_OR, WHITE_KING, 1, 7), *outer = ir_set_not(ir_copy(inner));
        ir_add_kid(all, ir_any(ir_set_and(inner_first ? inner : outer, piece(WHITE_ROOK))));
        ir_add_kid(all, ir_any(ir_set_and(inner_first ? outer : inner, piece(WHITE_KNIGHT))));
        // at the start, and after moves of the king
        assert_int_equal(count_of(inner_first ? "K_squares_2 = ~K_squares_1;" : "~K_squares_"),
                         2 * inner_first);
    }
}

// A set with one operand is known by its name, too.
static void test_names_of_kings(void **state)
{
    (void)state;
    Ir *all = begin_screen();
    ir_add_kid(all, ir_any(numbered(ir_unary(IR_STEP, joined(IR_SET_OR, WHITE_KING, 1, 6)), 1, 0)));
    assert_true(has("    now_1 = lanes_where(now_1, K_squares_1);"));
}

static Ir *line_through(IrOp op, int king)
{
    return ir_new(module->arena, op, IRT_SET, 2, piece(king), piece(BOARD_OCCUPIED));
}

// Pieces on a line through each king.
static Ir *on_lines(Ir *pieces)
{
    Ir *straight = line_through(IR_STRAIGHT, WHITE_KING), *diagonal = line_through(IR_DIAGONAL, BLACK_KING);
    Ir *set = ir_new(module->arena, IR_SET_AND, IRT_SET, 2, straight, diagonal);
    if (pieces)
        ir_add_kid(set, pieces);
    return set;
}

// Of a union that is tested, pieces on two lines are looked for in a block of their own, unless the union has a name.
static void test_lines(void **state)
{
    (void)state;
    static const char block[] = "if (lanes_rarely(", straight[] = " = straight_along(K_lines, ";
    for (int last = 0; last < 2; last++)
        for (int pieces = 0; pieces < 2; pieces++) {
            Ir *all = begin_screen();
            Ir *lines = on_lines(pieces ? piece(WHITE_ROOK) : NULL), *pawns = piece(WHITE_PAWN);
            Ir *sum = last ? ir_set_or(pawns, lines) : ir_set_or(lines, pawns);
            ir_add_kid(all, ir_any(sum));
            assert_int_equal(has(pieces ? "Lanes found_2 = P;" : block), pieces);
        }
    begin_screen();
    Ir *sum = ir_set_or(on_lines(piece(WHITE_ROOK)), piece(WHITE_PAWN));
    begin_two(ir_any(sum), ir_any(ir_set_and(ir_copy(sum), piece(WHITE_KNIGHT))));
    assert_false(has(block));
    begin_screen(); // a name of the block ends with it
    sum = ir_set_or(on_lines(piece(WHITE_ROOK)), piece(WHITE_PAWN));
    begin_two(ir_any(sum), ir_any(ir_set_and(line_through(IR_STRAIGHT, WHITE_KING), piece(WHITE_KNIGHT))));
    assert_int_equal(count_of(straight), 2);
}

// ---- tables and histories ---------------------------------------------------------------------------------

static Ir *of_move(int field)
{
    return ir_bit(numbered(ir_new(module->arena, IR_NODE, IRT_INT, 0), field, 0));
}

// Equal tables and sets of kinds of moves are one.
static void test_equal_tables(void **state)
{
    (void)state;
    Ir *all = begin_screen();
    ir_add_kid(all, ir_any(ir_set_and(of_move(IR_NODE_TO), piece(WHITE_KING))));
    assert_false(has("white_king_castled_2"));
    all = begin_screen();
    ir_add_kid(all, ir_any(piece(WHITE_KING)));
    ir_add_kid(all, ir_any(ir_set_and(squares(1ULL << WHITE_KING), of_move(IR_NODE_PIECE))));
    assert_true(has("    now_1 &= lanes_where_kind(king_from, kinds);")); // as the board of the king
}

// The square that a move goes to is one that castling has another name for.
static void test_targets(void **state)
{
    (void)state;
    static const Bitboard castling = 0xC5000000000000C5ULL; // a1, c1, g1, h1, and those of Black
    for (int square = 0; square < 64; square++) {
        Ir *all = begin_screen();
        ir_add_kid(all, ir_any(ir_set_and(squares(1ULL << square), of_move(IR_NODE_TO))));
        assert_int_equal(has("const Lanes target = "), castling >> square & 1);
    }
    Ir *all = begin_screen();
    ir_add_kid(all, ir_any(ir_set_and(of_move(IR_NODE_TO), piece(WHITE_KING))));
    assert_true(has("const Lanes target = "));
}

// Numbers of the move by its kind: the piece, what a pawn becomes, and flags.
static void test_numbers_of_moves(void **state)
{
    (void)state;
    static const struct {
        ScreenPlace place;
        int fields[3];
        const char *table;
    } cases[] = {
        {SCREEN_WHITE_MOVED,
         {IR_NODE_PIECE},
         "(piece_by_kind, 0, 1, 2, 3, 4, 5, 6, 1, 1, 1, 1, 1, 6, 6, 0, 0);"},
        {SCREEN_BLACK_MOVED,
         {IR_NODE_PIECE},
         "(piece_by_kind, 0, 7, 8, 9, 10, 11, 12, 7, 7, 7, 7, 7, 12, 12, 0, 0);"},
        {SCREEN_WHITE_MOVED,
         {IR_NODE_PIECE, IR_NODE_PROMOTED},
         "(promoted_by_kind, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 5, 0, 0, 0, 0);"},
        {SCREEN_BLACK_MOVED,
         {IR_NODE_PIECE, IR_NODE_PROMOTED},
         "(promoted_by_kind, 0, 0, 0, 0, 0, 0, 0, 0, 8, 9, 10, 11, 0, 0, 0, 0);"},
        {SCREEN_WHITE_MOVED,
         {IR_NODE_PIECE, IR_NODE_PROMOTED, IR_NODE_FLAGS},
         "(special, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 8, 16, 0, 0);"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin_screen();
        Ir *all = ir_new(module->arena, IR_AND, IRT_BOOL, 0);
        for (int k = 0; k < 3 && cases[i].fields[k]; k++)
            ir_add_kid(all, ir_with_int(IR_EQ, of_move(cases[i].fields[k])->kid[0], 3));
        condition[0][SCREEN_WHITE_MOVED] = ir_bool(module->arena, false);
        condition[0][cases[i].place] = all;
        if (!has(cases[i].table))
            fail_msg("no %s", cases[i].table);
    }
}

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

// A condition as a number is 0 or 1.
static void test_conditions_as_numbers(void **state)
{
    (void)state;
    Ir *all = begin_screen();
    Ir *sum = ir_add(ir_int_of(ir_any(piece(WHITE_PAWN))), ir_int_of(ir_any(piece(WHITE_KNIGHT))));
    ir_add_kid(all, ir_with_int(IR_EQ, sum, 2));
    assert_true(has("(lanes_not_empty(P) & 1) + (lanes_not_empty(N) & 1)"));
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
            Ir *shared = ir_binary(IR_SET_XOR, piece(WHITE_KING), squares(1));
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
        {" = K ^ SQUARE(A1);", {SCREEN_PLACES, 2 * SCREEN_PLACES}},
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
        cmocka_unit_test(test_long_values),
        cmocka_unit_test(test_many_values),
        cmocka_unit_test(test_cheap_parts),
        cmocka_unit_test(test_unions),
        cmocka_unit_test(test_kings),
        cmocka_unit_test(test_kings_and_values),
        cmocka_unit_test(test_names_of_blocks),
        cmocka_unit_test(test_names_of_kings),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_equal_tables),
        cmocka_unit_test(test_histories),
        cmocka_unit_test(test_conditions_as_numbers),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_two_queries),
        cmocka_unit_test(test_kings_within_others),
        cmocka_unit_test(test_mixed_unions),
        cmocka_unit_test(test_castled_rooks),
        cmocka_unit_test(test_numbers_of_moves),
        cmocka_unit_test(test_squares),
        cmocka_unit_test(test_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
