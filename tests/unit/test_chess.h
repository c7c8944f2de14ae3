// What the tests of the chess rules share.
#ifndef TEST_CHESS_H
#define TEST_CHESS_H

#include "test.h"

#include "runtime/chess/chess.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static inline Position position_of(const char *fen)
{
    Position p;
    const char *wrong = fen_parse(fen, strlen(fen), &p, NULL);
    if (wrong)
        fail_msg("%s: %s", fen, wrong);
    return p;
}

static inline int square_of(const char *name)
{
    return (name[1] - '1') * 8 + name[0] - 'a';
}

static inline SanResult parse(const Position *p, const char *text, Move *m)
{
    return san_parse(p, text, strlen(text), m);
}

// Plays moves separated by single spaces, all of which must be readable.
static inline void play(Position *p, const char *moves)
{
    while (*moves) {
        const size_t length = strcspn(moves, " ");
        Move m;
        if (san_parse(p, moves, length, &m) != SAN_OK)
            fail_msg("%.*s cannot be played", (int)length, moves);
        pos_play(p, m);
        moves += length;
        moves += *moves == ' ';
    }
}

#endif
