// Retractions: the vectors of the language reference, one rule after the other, and games played backwards.
#include "runtime/chess/retract.h"
#include "test_chess.h"

static Retraction list[MAX_RETRACTIONS];

static int count_of(const char *fen)
{
    const Position p = position_of(fen);
    return pos_retractions(&p, list, MAX_RETRACTIONS);
}

static void test_vectors(void **state)
{
    (void)state;
    assert_int_equal(count_of("7k/8/8/8/8/8/8/K7 w - - 0 1"), 15);
    assert_int_equal(count_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 4);
    assert_int_equal(count_of("4k3/8/8/8/8/8/8/K6N b - - 0 1"), 25);
    assert_int_equal(count_of("8/8/8/8/4P3/8/8/K6k b - - 0 1"), 27);
    assert_int_equal(count_of("N6k/8/8/8/8/8/8/K7 b - - 0 1"), 30);
    const int count = count_of("6k1/8/8/8/8/8/8/5RK1 b - - 0 1");
    int plain = 0;
    for (int i = 0; i < count; i++)
        plain += list[i].captured == EMPTY;
    assert_int_equal(count, 76);
    assert_int_equal(plain, 16);
}

// The number of retractions from one square to another.
static int between(const char *fen, const char *from, const char *to)
{
    int found = 0;
    for (int i = count_of(fen); i-- > 0;)
        found += list[i].move.from == square_of(from) && list[i].move.to == square_of(to);
    return found;
}

static void test_rules(void **state)
{
    (void)state;
    // White has a right: neither king nor rook h1 has moved, rook a1 may have.
    const char *rights = "4k3/8/8/8/8/8/8/R3K2R b K - 0 1";
    assert_int_equal(between(rights, "e2", "e1") + between(rights, "h2", "h1"), 0);
    assert_int_equal(between(rights, "a2", "a1"), 5);
    // The en passant square names the last move; a piece on the way refutes it.
    assert_int_equal(count_of("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"), 1);
    assert_int_equal(count_of("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1"), 0);
    // exd6 en passant needs d5 and d7 empty; besides, a man may reappear on d6.
    assert_int_equal(between("4k3/8/3P4/8/8/8/8/4K3 b - - 0 1", "e5", "d6"), 6);
    assert_int_equal(between("4k3/3n4/3P4/8/8/8/8/4K3 b - - 0 1", "e5", "d6"), 5);
    // Not castling through an attacked f1.
    assert_int_equal(between("k4r2/8/8/8/8/8/8/5RK1 b - - 0 1", "e1", "g1"), 0);
    assert_int_equal(between("k3r3/8/8/8/8/8/8/5RK1 b - - 0 1", "e1", "g1"), 0);
    assert_int_equal(between("k2r4/8/8/8/8/8/8/5RK1 b - - 0 1", "e1", "g1"), 1);
    // A position that is not legal, and material that is not possible.
    assert_int_equal(count_of("4k2R/8/8/8/8/8/8/4K3 w - - 0 1"), 0);
    assert_int_equal(count_of("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 b - - 0 1"), 0);
}

// Every legal move of a game, taken back.
static void test_games(void **state)
{
    (void)state;
    Position p = pos_start, before;
    uint64_t random = 88172645463325252ULL;
    for (int ply = 0; ply < 20000; ply++) {
        Move moves[MAX_MOVES];
        const int count = pos_legal_moves(&p, moves);
        if (count == 0 || ply % 120 == 0) {
            p = pos_start;
            continue;
        }
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        const Move m = moves[random % (unsigned)count];
        Position after;
        pos_make(&after, &p, m);
        bool found = false;
        for (int i = pos_retractions(&after, list, MAX_RETRACTIONS); i-- > 0 && !found;) {
            pos_retract(&before, &after, list[i]);
            found = memcmp(&list[i].move, &m, sizeof m) == 0 &&
                    memcmp(before.square, p.square, sizeof p.square) == 0 && before.side == p.side;
        }
        if (!found)
            fail_msg("ply %d: a move that was played is not a retraction", ply);
        assert_memory_equal(before.board, p.board, sizeof p.board);
        assert_int_equal(before.en_passant, m.flags & MOVE_EN_PASSANT ? p.en_passant : NO_SQUARE);
        assert_int_equal(before.check, CHECK_UNKNOWN);
        const bool castles = m.flags & MOVE_CASTLE;
        const int right = 2 * p.side + (m.flags & MOVE_CASTLE_KING ? 0 : 1);
        assert_int_equal(before.castling, after.castling | (castles ? 1 << right : 0));
        p = after;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
