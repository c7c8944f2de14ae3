// FEN and moves: what is written reads as it was.
//
// The input is a FEN, then moves on the same line after a semicolon or on other lines, with spaces between them. No FEN:
// the standard position.
#include "fuzz.h"

#include <string.h>

#include "runtime/chess/chess.h"
#include "runtime/chess/word.h"

// The files of rooks matter where they may castle; whether it is a check may be known or not.
static bool same_position(const Position *a, const Position *b)
{
    for (int i = 0; i < 4; i++)
        if ((a->castling >> i & 1) && a->rook_file[i] != b->rook_file[i])
            return false;
    return memcmp(a->board, b->board, sizeof a->board) == 0 &&
           memcmp(a->square, b->square, sizeof a->square) == 0 && a->side == b->side &&
           a->castling == b->castling && a->en_passant == b->en_passant;
}

static void check_fen(const Position *p, FenClocks clocks)
{
    Position again;
    FenClocks again_clocks;
    char fen[FEN_MAX], twice[FEN_MAX];
    const int length = fen_write(p, clocks, fen);
    if (length <= 0 || length >= FEN_MAX || fen[length] != 0)
        fuzz_fail("a FEN of %d bytes", length);
    const char *wrong = fen_parse(fen, (size_t)length, &again, &again_clocks);
    if (wrong)
        fuzz_fail("the written FEN %s is refused: %s", fen, wrong);
    fen_write(&again, again_clocks, twice);
    if (strcmp(fen, twice) != 0)
        fuzz_fail("the FEN %s becomes %s", fen, twice);
    if (!same_position(&again, p))
        fuzz_fail("the FEN %s reads as another position", fen);
    size_t fault, fault_length;
    wrong = pos_read(fen, (size_t)length, &again, NULL, &fault, &fault_length);
    if (wrong || !same_position(&again, p))
        fuzz_fail("pos_read reads %s differently: %s", fen, wrong ? wrong : "");
}

// Any text is a position, or has a fault in it.
static void check_read(const char *text, size_t length)
{
    Position p;
    size_t fault, fault_length;
    if (pos_read(text, length, &p, NULL, &fault, &fault_length) &&
        (fault > length || fault_length > length - fault))
        fuzz_fail("a fault outside the text");
}

// May Position.check be known?
static bool is_ordinary(const Position *p)
{
    return bb_count(p->white.king) == 1 && bb_count(p->black.king) == 1 && !pos_in_check(p, !p->side);
}

// The usual spelling, read by san_play, is the same move.
static void check_play(const Position *p, const char *san, size_t length, Move m)
{
    char text[SAN_MAX + SAN_PLAY_BYTES] = {0};
    Position from = *p, next, want;
    Move played;
    memcpy(text, san, length);
    text[length] = ' ';
    from.check = pos_in_check(p, p->side) ? CHECK_GIVEN : CHECK_NONE;
    if (!san_play(&next, &from, text, &played))
        return;
    pos_make(&want, &from, m);
    if (memcmp(&played, &m, sizeof m) != 0 || memcmp(next.board, want.board, sizeof next.board) != 0 ||
        next.side != want.side)
        fuzz_fail("san_play reads %s differently", text);
    if (next.check != CHECK_UNKNOWN && (next.check == CHECK_GIVEN) != pos_in_check(&want, want.side))
        fuzz_fail("san_play does not know the check of %s", text);
}

static void check_legal_moves(const Position *p)
{
    Move move[MAX_MOVES];
    const int count = pos_legal_moves(p, move);
    if ((count > 0) != pos_has_legal_move(p))
        fuzz_fail("pos_has_legal_move is wrong");
    for (int i = 0; i < count; i++) {
        char san[SAN_MAX], uci[SAN_MAX];
        Move again;
        const size_t length = (size_t)san_write_move(p, move[i], san);
        if (san_parse(p, san, length, &again) != SAN_OK || memcmp(&again, &move[i], sizeof again) != 0)
            fuzz_fail("the written move %.*s reads differently", (int)length, san);
        if (is_ordinary(p))
            check_play(p, san, length, move[i]);
        if (uci_write(p, move[i], uci) < 4)
            fuzz_fail("a UCI move is too short");
        if (word_of(move[i]) == 0)
            fuzz_fail("a move without a word");
    }
}

static bool is_legal(const Position *p, Move m)
{
    Move move[MAX_MOVES];
    const int count = pos_legal_moves(p, move);
    for (int i = 0; i < count; i++)
        if (memcmp(&move[i], &m, sizeof m) == 0)
            return true;
    return false;
}

// Plays the move if it is one.
static void play(Position *p, const char *text, size_t length)
{
    Move m;
    if (san_parse(p, text, length, &m) != SAN_OK)
        return;
    if (!(m.flags & (MOVE_NULL | MOVE_CASTLE_KING | MOVE_CASTLE_QUEEN)) &&
        !is_legal(p, m)) // which need no right
        fuzz_fail("%.*s is not legal", (int)length, text);
    Position next;
    pos_make(&next, p, m);
    *p = next;
    check_fen(p, (FenClocks){0, 1});
}

void fuzz_notation(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *end = text + size;
    Position p = pos_start;
    FenClocks clocks = {0, 1};
    if (size == 0 || size > 2000)
        return;
    check_read(text, size);
    const char *at = text;
    while (at < end && *at != ';' && *at != '\n')
        at++;
    if (at > text && fen_parse(text, (size_t)(at - text), &p, &clocks))
        return;
    check_fen(&p, clocks);
    check_legal_moves(&p);
    for (at += at < end; at < end;) {
        const char *word = at;
        while (at < end && *at != ' ' && *at != '\n')
            at++;
        play(&p, word, (size_t)(at - word));
        at += at < end;
    }
    check_legal_moves(&p);
}
