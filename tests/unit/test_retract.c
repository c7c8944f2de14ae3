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

// A position with the kings on a1 and h8 and these men, "Qd4 pe5 .h8": a point takes the man away.
static Position placed(const char *men, int side)
{
    Position p = position_of("7k/8/8/8/8/8/8/K7 w - - 0 1");
    for (; *men; men += strcspn(men, " "), men += *men == ' ')
        p.square[square_of(men + 1)] =
            (uint8_t)(*men == '.' ? EMPTY : strchr(fen_letters, *men) - fen_letters);
    p.side = (uint8_t)side;
    pos_rebuild(&p);
    return p;
}

// The language reference 13.15: one king a side, no pawn on the first or last rank, no king that could be taken.
static void test_legal_positions(void **state)
{
    (void)state;
    static const struct {
        const char *men;
        bool white, black; // is it legal with this side to move?
    } row[] = {
        {"", true, true},        {"Kb1", false, false}, {".a1", false, false},
        {"kg8", false, false},   {".h8", false, false}, {"Pa2 Ph7 pa7 ph2", true, true},
        {"Pa8", false, false},   {"Ph1", false, false}, {"pb8", false, false},
        {"pc1", false, false},   {"Rh1", false, true},  {"ra8", true, false},
        {"Pg7", false, true},    {"pb2", true, false},  {".h8 kb2", false, false}, // kings side by side
        {".h8 kc3", true, true},
    };
    for (size_t i = 0; i < LENGTH(row); i++) {
        const Position white = placed(row[i].men, WHITE), black = placed(row[i].men, BLACK);
        if (pos_is_legal_position(&white) != row[i].white || pos_is_legal_position(&black) != row[i].black)
            fail_msg("%s", row[i].men);
    }
}

// The same: pawns and promoted men are at most eight. Each of the rows is tried with 8 pawns less those that it needs, with one more,
// and for both sides.
static void test_material(void **state)
{
    (void)state;
    static const struct {
        const char *men;
        int promoted;
    } row[] = {
        {"Qb1 Rc1 Rd1 Ne1 Nf1 Bg1 Bh1", 0}, // an army; g1 is dark, h1 is light
        {"Qb1 Qc1", 1},
        {"Rb1 Rc1", 0},
        {"Rb1 Rc1 Rd1", 1},
        {"Nb1 Nc1 Nd1 Ne1", 2},
        {"Bb1 Bd1", 1},         // light
        {"Bc1 Be1 Bg1", 2},     // dark
        {"Bb1 Bd1 Bc1 Be1", 2}, // one of each is of the array
        {"Qb1 Qc1 Qd1 Rb3 Rc3 Rd3 Nb4 Nc4 Nd4 Bb5 Bd5 Bc5 Be5", 6},
    };
    for (size_t i = 0; i < LENGTH(row); i++) {
        for (int black = 0; black < 2; black++) {
            for (int more = 0; more < 2; more++) {
                Position p = placed(row[i].men, WHITE);
                for (int k = 0; k < 8 - row[i].promoted + more; k++)
                    p.square[k < 8 ? 8 + k : 40] = WHITE_PAWN;
                for (int square = 0; square < 64; square++)
                    if (black && p.square[square] >= WHITE_PAWN && p.square[square] < WHITE_KING)
                        p.square[square] = (uint8_t)piece_make(BLACK, p.square[square]);
                pos_rebuild(&p);
                if (pos_material_is_possible(&p) != !more)
                    fail_msg("%s: %d %d", row[i].men, black, more);
            }
        }
    }
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

// Every retraction is a legal move of the position before it, and leads back. A lower limit gives the first ones.
static void check_retractions(const Position *p)
{
    static Retraction fewer[MAX_RETRACTIONS];
    const int count = pos_retractions(p, list, MAX_RETRACTIONS);
    for (int limit = 0; limit <= count + 1;
         limit += limit < 3 || limit >= count - 1 ? 1 : count - 1 - limit) {
        assert_int_equal(pos_retractions(p, fewer, limit), limit < count ? limit : count);
        assert_memory_equal(fewer, list, (size_t)(limit < count ? limit : count) * sizeof *list);
    }
    for (int i = 0; i < count; i++) {
        Position before, after;
        Move moves[MAX_MOVES];
        bool legal = false;
        pos_retract(&before, p, list[i]);
        for (int k = pos_legal_moves(&before, moves); k-- > 0 && !legal;)
            legal = memcmp(&moves[k], &list[i].move, sizeof *moves) == 0;
        const Position copy = before;
        pos_rebuild(&before);
        assert_memory_equal(copy.board, before.board, sizeof copy.board);
        pos_make(&after, &before, list[i].move);
        if (!legal || memcmp(after.square, p->square, sizeof p->square) != 0 || after.side != p->side ||
            after.castling != p->castling) {
            char fen[FEN_MAX];
            fen_write(&before, (FenClocks){0, 1}, fen);
            fail_msg("%s: %d to %d", fen, list[i].move.from, list[i].move.to);
        }
        for (int k = 0; k < i; k++)
            assert_memory_not_equal(&list[i], &list[k], sizeof *list);
    }
}

static void test_back_and_forth(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 0 1",      "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "4k3/8/2PP4/8/8/3pp3/8/4K3 w - - 0 1",     "4k3/8/2PP4/8/8/3pp3/8/4K3 b - - 0 1",
        "Q2Nk2R/1P6/8/8/8/8/1p6/q2nK2r w - - 0 1", "QB1Nk3/1P5P/8/8/8/8/1p5p/qb1nK3 b - - 0 1",
        "4k3/pppp4/8/8/PP2PP1P/8/8/4K3 b - - 0 1", "4k3/8/8/pp2pp1p/8/8/PPPP4/4K3 w - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",       "1k6/8/8/8/8/8/8/2KR3R b - - 0 1",
        "5rk1/8/8/8/8/8/8/1K6 w - - 0 1",
    };
    for (size_t i = 0; i < LENGTH(fens); i++) {
        const Position p = position_of(fens[i]);
        check_retractions(&p);
    }
    Position p = pos_start;
    uint64_t random = 88172645463325252ULL;
    for (int ply = 0; ply < 400; ply++) {
        Move moves[MAX_MOVES];
        const int count = pos_legal_moves(&p, moves);
        check_retractions(&p);
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        if (count == 0 || ply % 80 == 0)
            p = pos_start;
        else
            pos_play(&p, moves[random % (unsigned)count]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),  cmocka_unit_test(test_rules), cmocka_unit_test(test_legal_positions),
        cmocka_unit_test(test_material), cmocka_unit_test(test_games), cmocka_unit_test(test_back_and_forth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
