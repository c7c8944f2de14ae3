// Random games, ordinary and Chess960: the parts of the module must agree with each other move by move.
#include <stdio.h>

#include "runtime/chess/usual.h"
#include "test_chess.h"

static uint64_t random_state = 0x2545F4914F6CDD1DULL;

static unsigned random_below(unsigned bound)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 33) % bound;
}

// One of the 960 arrays, or close to it: the bishops may have the same colour.
static Position random_start(void)
{
    char rank[9] = "........";
    unsigned spot[3] = {random_below(6), 0, 7};
    spot[1] = spot[0] + 1 + random_below(6 - spot[0]);
    spot[2] = spot[1] + 1 + random_below(7 - spot[1]);
    for (int i = 0; i < 3; i++)
        rank[spot[i]] = "rkr"[i];
    for (const char *piece = "bbnnq"; *piece; piece++) {
        unsigned file;
        do
            file = random_below(8);
        while (rank[file] != '.');
        rank[file] = *piece;
    }
    char white[9], fen[FEN_MAX];
    for (int i = 0; i < 9; i++)
        white[i] = rank[i] ? (char)(rank[i] - 32) : 0;
    snprintf(fen, sizeof fen, "%s/pppppppp/8/8/8/8/PPPPPPPP/%s w KQkq - 0 1", rank, white);
    return position_of(fen);
}

static void fail_at(const Position *p, const char *what, const char *text)
{
    char fen[FEN_MAX];
    fen_write(p, (FenClocks){0, 1}, fen);
    fail_msg("%s: %s %s", fen, what, text);
}

static void expect(const Position *p, const char *text, size_t length, Move expected)
{
    Move m;
    if (san_parse(p, text, length, &m) != SAN_OK || memcmp(&m, &expected, sizeof m) != 0)
        fail_at(p, "misread", text);
}

static bool is_standard; // the game begins with the standard position

// The same move in place, and taken back.
static void check_in_place(const Position *before, const Position *after, const char *text, Move m)
{
    Position p = *before, again;
    MoveWord word;
    UsualUndo undo;
    if (m.flags & MOVE_CASTLE) {
        const char *end = usual_castle(&p, text, &word);
        if (!end || word != word_of(m) || end != text + (m.flags & MOVE_CASTLE_KING ? 3 : 5))
            fail_at(before, "misplayed in place", text);
        assert_memory_equal(&p, after, sizeof p);
        return;
    }
    if (!usual_step(&p, text, &word, &undo) || word != word_of(m))
        fail_at(before, "misplayed in place", text);
    assert_memory_equal(&p, after, sizeof p);
    usual_undo(&again, &p, word, undo);
    assert_memory_equal(&again, before, sizeof again);
    assert_int_equal(usual_check_before(undo), before->check);
}

// san_play reads nothing but what san_parse reads, and knows the check after it.
static const char *play_text(const Position *p, const char *text, Position *next)
{
    char padded[SAN_MAX + SAN_PLAY_BYTES];
    Position now = *p, expected_next;
    Move m, expected;
    snprintf(padded, sizeof padded, "%s %*s", text, SAN_PLAY_BYTES, "");
    pos_find_check(&now);
    const char *end = san_play(next, &now, padded, &m);
    if (!end)
        return NULL;
    const size_t played = (size_t)(end - padded), length = strcspn(text, "+#");
    if (san_parse(p, text, length, &expected) != SAN_OK || memcmp(&m, &expected, sizeof m) != 0 ||
        played != length)
        fail_at(p, "misplayed", text);
    pos_make(&expected_next, &now, m);
    pos_find_check(&expected_next);
    assert_memory_equal(next, &expected_next, sizeof *next);
    if (is_standard)
        check_in_place(&now, next, padded, m);
    return text + played;
}

// The usual spelling of a legal move is played, except where rare things are to be looked at: an illegal position,
// special moves, other pieces that may be pinned.
static void check_played(const Position *p, Move m)
{
    char text[SAN_MAX];
    Position now = *p, next;
    san_write(p, m, text);
    pos_find_check(&now);
    const bool special = m.promoted || m.flags & MOVE_EN_PASSANT;
    const bool several = piece_type(m.piece) != WHITE_PAWN && bb_count(p->board[m.piece]) > 1;
    if (!play_text(p, text, &next) && now.check != CHECK_UNKNOWN && !special && !several)
        fail_at(p, "not played", text);
}

// The move in all the ways it can be written.
static void check_forms(const Position *p, Move m)
{
    char text[SAN_MAX], from[3] = {0}, to[3] = {0};
    size_t length = (size_t)san_write(p, m, text);
    check_played(p, m);
    while (text[length - 1] == '+' || text[length - 1] == '#')
        length--;
    expect(p, text, length, m);
    uci_write(p, m, text);
    memcpy(from, text, 2);
    memcpy(to, text + 2, 2);
    if (m.promoted)
        text[4] -= 32;
    expect(p, text, strlen(text), m);
    if (piece_type(m.piece) != 1) {
        char full[SAN_MAX];
        snprintf(full, sizeof full, "%c%s%c%s", " PNBRQK"[piece_type(m.piece)], from,
                 m.flags & MOVE_CAPTURE ? 'x' : '-', to);
        expect(p, full, strlen(full), m);
    }
}

// Every "piece letter and target" against the list of legal moves.
static void check_all_targets(const Position *p, const Move *moves, int count)
{
    for (int type = 2; type <= 5; type++) {
        for (int to = 0; to < 64; to++) {
            const char text[] = {" PNBRQK"[type], (char)('a' + to % 8), (char)('1' + to / 8), 0};
            int fitting = 0;
            for (int i = 0; i < count; i++)
                fitting += piece_type(moves[i].piece) == type && moves[i].to == to;
            Move m;
            Position next;
            const SanResult wanted = fitting == 0 ? SAN_ILLEGAL : fitting == 1 ? SAN_OK : SAN_AMBIGUOUS;
            if (san_parse(p, text, 3, &m) != wanted || (play_text(p, text, &next) && wanted != SAN_OK))
                fail_at(p, "misjudged", text);
        }
    }
}

// Every two-file pawn capture without promotion against the list of legal moves.
static void check_short_captures(const Position *p, const Move *moves, int count)
{
    for (int from = 0; from < 8; from++) {
        for (int to = from ? from - 1 : 1; to <= from + 1 && to < 8; to += 2) {
            const char text[] = {(char)('a' + from), (char)('a' + to), 0};
            int fitting = 0;
            for (int i = 0; i < count; i++)
                fitting += piece_type(moves[i].piece) == 1 && square_file(moves[i].from) == from &&
                           square_file(moves[i].to) == to && !moves[i].promoted;
            Move m;
            const SanResult wanted = fitting == 0 ? SAN_ILLEGAL : fitting == 1 ? SAN_OK : SAN_AMBIGUOUS;
            if (san_parse(p, text, 2, &m) != wanted)
                fail_at(p, "misjudged", text);
        }
    }
}

// Attacked by anything, the enemy king included.
static bool king_attacked(const Position *p, int colour)
{
    const int king = bb_first(p->board[piece_make(colour, WHITE_KING)]);
    return attackers_of_colour(p, king, !colour) != 0;
}

// The legal moves are the pseudo-legal ones that leave the king safe, tried out on the board.
static void check_legality(const Position *p, int legal_count)
{
    Move moves[MAX_MOVES];
    const int count = pos_pseudolegal_moves(p, moves);
    int safe = 0;
    for (int i = 0; i < count; i++) {
        Position next;
        pos_make(&next, p, moves[i]);
        const bool legal = !king_attacked(&next, p->side);
        safe += legal;
        if (legal != pos_is_legal(p, moves[i]))
            fail_at(p, "wrong legality", "");
    }
    assert_int_equal(safe, legal_count);
    assert_int_equal(pos_has_legal_move(p), legal_count > 0);
}

static void check_incremental(const Position *p)
{
    Position rebuilt = *p;
    pos_rebuild(&rebuilt);
    assert_int_equal(rebuilt.check, CHECK_UNKNOWN);
    rebuilt.check = p->check;
    assert_memory_equal(&rebuilt, p, sizeof rebuilt);
}

static void check_fen(const Position *p)
{
    char fen[FEN_MAX];
    fen_write(p, (FenClocks){0, 1}, fen);
    Position again = position_of(fen);
    // The file of a right that is gone is not written.
    memcpy(again.rook_file, p->rook_file, sizeof again.rook_file);
    again.check = p->check;
    assert_memory_equal(&again, p, sizeof again);
}

static void random_game(Position p)
{
    for (int ply = 0; ply < 150; ply++) {
        Move moves[MAX_MOVES];
        const int count = pos_legal_moves(&p, moves);
        check_legality(&p, count);
        check_incremental(&p);
        check_fen(&p);
        check_all_targets(&p, moves, count);
        check_short_captures(&p, moves, count);
        if (count == 0)
            return;
        for (int i = 0; i < count; i++)
            check_forms(&p, moves[i]);
        pos_play(&p, moves[random_below((unsigned)count)]);
    }
}

static void test_random_games(void **state)
{
    (void)state;
    is_standard = true;
    for (int i = 0; i < ROUNDS(60); i++)
        random_game(pos_start);
    is_standard = false;
}

static void test_random_chess960_games(void **state)
{
    (void)state;
    for (int i = 0; i < ROUNDS(60); i++)
        random_game(random_start());
}

// Few pieces on an open board: checks, pins and promotions at every move.
static void test_random_endings(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "4k3/1P3P2/8/q6r/8/2B3b1/1p3p2/R3K2R w KQ - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "7k/8/8/1N6/1N3N2/8/1N3N2/K6q w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    };
    for (size_t i = 0; i < LENGTH(fens); i++)
        for (int game = 0; game < ROUNDS(20); game++)
            random_game(position_of(fens[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_games),
        cmocka_unit_test(test_random_chess960_games),
        cmocka_unit_test(test_random_endings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
