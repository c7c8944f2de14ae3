// Functions of one position and generated moves over random positions and games, against the definitions of the language reference
// written out literally. Its examples by hand are sentences.
#include <stdio.h>

#include "run_fixture.h"
#include "runtime/chess/setwise.h"
#include "runtime/match/calls/moves.h"

// ---- directions -------------------------------------------------------------------------------------------

static int32_t bad_low, bad_high;

static void bad_direction_body(Context *c)
{
    rt_direction(c, SQ("e4"), 1 << NORTH, bad_low, bad_high);
}

static void test_directions(void **state)
{
    (void)state;
    static const int32_t bad[][2] = {{1, 8}, {-8, 1}, {2, 1}, {-1, -2}, {8, 8}, {-8, -8}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char expected[100];
        Fixture f = {.query = {.name = "test", .match_game = bad_direction_body}};
        bad_low = bad[i][0];
        bad_high = bad[i][1];
        fixture_open(&f);
        fixture_play(&f, "*");
        snprintf(expected, sizeof expected,
                 "the direction range %d %d must be within -7 to 7, lower bound first", bad_low, bad_high);
        assert_string_equal(f.result.error ? f.result.error : "", expected);
        assert_false(f.result.matched);
        fixture_close(&f);
    }
}

// ---- random positions against the definitions, written out literally ---------------------------------------

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(random_state >> 33) % n;
}

static Bitboard random_set(void)
{
    Bitboard set = 0;
    for (int i = 0; i < 64; i++)
        set |= (Bitboard)(random_below(3) == 0) << i;
    return set;
}

static Position random_position(void)
{
    Position p = {.en_passant = NO_SQUARE};
    for (int s = 0; s < 64; s++)
        p.square[s] = (uint8_t)(random_below(3) == 0 ? 1 + random_below(12) : EMPTY);
    pos_rebuild(&p);
    return p;
}

static const int dx[8] = {0, 1, 1, 1, 0, -1, -1, -1}, dy[8] = {1, 1, 0, -1, -1, -1, 0, 1};

// The next square in a direction, or -1.
static int next_square(int s, int d)
{
    const int x = s % 8 + dx[d], y = s / 8 + dy[d];
    return x >= 0 && x < 8 && y >= 0 && y < 8 ? 8 * y + x : -1;
}

static bool slides(int piece, int d)
{
    const int type = piece_type(piece);
    return type == WHITE_QUEEN || (type == WHITE_ROOK && d % 2 == 0) || (type == WHITE_BISHOP && d % 2 == 1);
}

// `walk` of 3.4, element numbers from 0.
static Bitboard walk(const Position *p, const Bitboard *set, int n, int s, int i, int d)
{
    Bitboard r = 0;
    for (;;) {
        s = next_square(s, d);
        if (s < 0)
            return r;
        const bool taken = p->square[s] != EMPTY;
        if (i == n - 1) {
            if (set[i] >> s & 1)
                r |= 1ULL << s;
            if (taken)
                return r;
        } else if (set[i] >> s & 1) {
            if (taken)
                i++;
            else
                r |= walk(p, set, n, s, i + 1, d);
        } else if (taken) {
            return r;
        }
    }
}

static void test_random_chains(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS(2000); round++) {
        const Position p = random_position();
        const Bitboard set[4] = {random_set(), random_set(), random_set(), random_set()};
        const int n = 2 + (int)random_below(3), sliders = (int)random_below(2),
                  directions = (int)random_below(256);
        Bitboard from = 0, to = 0;
        for (int s = 0; s < 64; s++) {
            for (int d = 0; d < 8; d++) {
                if (!(set[0] >> s & 1) || !(directions >> d & 1) || (sliders && !slides(p.square[s], d)))
                    continue;
                const Bitboard r = walk(&p, set, n, s, 1, d);
                from |= (Bitboard)(r != 0) << s;
                to |= r;
            }
        }
        assert_true(rt_chain_from(&p, directions, sliders, set, n) == from);
        assert_true(rt_chain_to(&p, directions, sliders, set, n) == to);
    }
}

// One square of a set, or none.
static Bitboard one_of(Bitboard set)
{
    return set & -set;
}

// Of any sets, and on one piece of each colour.
static void test_random_pins(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS(4000); round++) {
        const Position p = random_position();
        const Bitboard from = random_set(), through = random_set(), set = random_set();
        const Bitboard to = round & 1 ? set : one_of(set & p.white_pieces) | one_of(set & p.black_pieces);
        Bitboard expected[3] = {0, 0, 0};
        for (int f = 0; f < 64; f++) {
            for (int d = 0; d < 8; d++) {
                if (!(from >> f & 1) || p.square[f] == EMPTY || !slides(p.square[f], d))
                    continue;
                int middle = -1;
                for (int t = next_square(f, d); t >= 0; t = next_square(t, d)) {
                    const bool empty = p.square[t] == EMPTY;
                    if (middle >= 0 && (to >> t & 1) && (through >> middle & 1) &&
                        piece_colour(p.square[middle]) != piece_colour(p.square[f]) &&
                        (empty || piece_colour(p.square[t]) == piece_colour(p.square[middle]))) {
                        expected[0] |= 1ULL << middle;
                        expected[1] |= 1ULL << f;
                        expected[2] |= 1ULL << t;
                    }
                    if (!empty && middle >= 0)
                        break;
                    if (!empty)
                        middle = t;
                }
            }
        }
        for (int which = 0; which < 3; which++)
            assert_true(rt_pin(&p, from, through, to, which) == expected[which]);
    }
}

static void test_random_attacks(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS(2000); round++) {
        const Position p = random_position();
        const Bitboard from = random_set(), to = random_below(2) ? random_set() : 1ULL << random_below(64);
        Bitboard attackers = 0;
        for (int s = 0; s < 64; s++)
            if ((from >> s & 1) && (rt_attacked(&p, 1ULL << s) & to))
                attackers |= 1ULL << s;
        assert_true(rt_attackers(&p, from, to) == attackers);
    }
}

// The moves between two random sets; to: the destinations of the moves from each square.
static void compare_parts(Context *c, int32_t n, const Bitboard to[64], int32_t flags)
{
    const Bitboard left = random_set() | random_set(), right = random_set();
    Bitboard origins = 0, destinations = 0;
    int32_t count = 0;
    for (int s = 0; s < 64; s++) {
        const Bitboard found = left >> s & 1 ? to[s] & right : 0;
        origins |= found ? 1ULL << s : 0;
        destinations |= found;
        count += bb_count(found);
    }
    assert_true(rt_legal_from(c, n, left, right, 0, flags) == origins);
    assert_true(rt_legal_to(c, n, left, right, 0, flags) == destinations);
    assert_int_equal(rt_legal_count(c, n, left, right, 0, flags), count);
    const Bitboard from = rt_legal_from(c, n, left, right, 0, flags | GENERATE_SOME),
                   goal = rt_legal_to(c, n, left, right, 0, flags | GENERATE_SOME);
    assert_true(!(from & ~origins) && !(goal & ~destinations));
    assert_true((from != 0) == (origins != 0) && (goal != 0) == (destinations != 0));
}

static void compare_moves(Context *c, int32_t n, const Move *moves, int moves_count, int32_t flags)
{
    Bitboard to[64] = {0};
    for (int i = 0; i < moves_count; i++)
        to[moves[i].from] |= 1ULL << moves[i].to;
    int32_t total = 0;
    for (int s = 0; s < 64; s++) {
        if (rt_legal_to(c, n, 1ULL << s, BB_ALL, 0, flags) != to[s])
            fail_msg("position %d, square %d, flags %d", (int)n, s, (int)flags);
        total += bb_count(to[s]);
    }
    assert_int_equal(rt_legal_count(c, n, BB_ALL, BB_ALL, 0, flags), total);
    compare_parts(c, n, to, flags);
}

// In games from the array the moves of 4.2.2 are those of chess, promotions counted once.
static void compare_with_chess(Context *c)
{
    for (int32_t n = 0; n < c->game->count; n++) {
        Move moves[MAX_MOVES];
        compare_moves(c, n, moves, pos_legal_moves(c->position[n], moves), 0);
        compare_moves(c, n, moves, pos_pseudolegal_moves(c->position[n], moves), GENERATE_PSEUDOLEGAL);
        Position unknown = *c->position[n];
        unknown.check = CHECK_UNKNOWN;
        assert_int_equal(rt_in_check(c->position[n]), pos_in_check(&unknown, unknown.side));
        assert_int_equal(rt_in_check(&unknown), pos_in_check(&unknown, unknown.side));
    }
}

static void test_random_games(void **state)
{
    (void)state;
    for (int game = 0; game < ROUNDS(40); game++) {
        char pgn[4000] = "";
        size_t length = 0;
        Position p = pos_start, next;
        for (int ply = 0; ply < 200; ply++) {
            Move moves[MAX_MOVES];
            char san[SAN_MAX];
            const int count = pos_legal_moves(&p, moves);
            if (count == 0)
                break;
            const Move m = moves[random_below((uint32_t)count)];
            san_write(&p, m, san);
            length += (size_t)snprintf(pgn + length, sizeof pgn - length, "%s ", san);
            pos_make(&next, &p, m);
            p = next;
        }
        strcat(pgn, "*");
        with_game(pgn, compare_with_chess);
    }
}

// The same in positions with any men, where pins and double checks are frequent.
static void test_random_men(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS(3000); round++) {
        Position p = {.side = round & 1, .en_passant = NO_SQUARE, .rook_file = {7, 0, 7, 0}};
        const int men = 2 + (int)random_below(20);
        for (int i = 0; i < men; i++) {
            const int piece = 1 + (int)random_below(12), square = (int)random_below(64);
            const bool pawn = piece_type(piece) == WHITE_PAWN;
            if (piece_type(piece) != WHITE_KING && !(pawn && (square < 8 || square > 55)))
                p.square[square] = (uint8_t)piece;
        }
        const int white = (int)random_below(64), black = (int)random_below(64);
        if (white == black || white == 4 || black == 60) // a king at home may castle without a right (4.2.1)
            continue;
        p.square[white] = WHITE_KING;
        p.square[black] = BLACK_KING;
        pos_rebuild(&p);
        if ((king_table[white] >> black & 1) || pos_in_check(&p, !p.side))
            continue;
        char fen[FEN_MAX], pgn[FEN_MAX + 30];
        fen_write(&p, (FenClocks){0, 1}, fen);
        snprintf(pgn, sizeof pgn, "[FEN \"%s\"]\n\n*", fen);
        with_game(pgn, compare_with_chess);
    }
}

static int use_plain(void **state)
{
    (void)state;
    setwise = setwise_plain;
    return 0;
}

static int use_wide(void **state)
{
    (void)state;
#if defined(__x86_64__)
    if (setwise_wide.attacked && __builtin_cpu_supports("avx2"))
        setwise = setwise_wide;
#endif
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_directions),   cmocka_unit_test(test_random_chains),
        cmocka_unit_test(test_random_pins),  cmocka_unit_test(test_random_attacks),
        cmocka_unit_test(test_random_games), cmocka_unit_test(test_random_men),
    };
    // With the functions for this processor, and with those for lesser ones.
    return cmocka_run_group_tests(tests, NULL, NULL) + cmocka_run_group_tests(tests, use_wide, NULL) +
           cmocka_run_group_tests(tests, use_plain, NULL);
}
