// Jumps from one byte of movetext that can matter to the splitter to the next. Internal to runtime/game.
#ifndef CQL_GAME_MARKS_H
#define CQL_GAME_MARKS_H

#include <stdbool.h>
#include <stdint.h>

// Going from mark to mark in the buffer, past comments without inner braces that white space comes before, past
// parentheses, and past what is within a token: up to the first other mark, or to a place where more input is needed.
typedef struct MarkScan {
    const char *place, *clean; // the mark; as PgnSplitter.clean
    int32_t depth;             // of variations
} MarkScan;
MarkScan marks_skip(MarkScan s, const char *end);

// Whether the '-', '/' or ':' at p is part of a move, which most are, or else of a word. `low`: where a token may begin.
bool mark_is_within_token(const char *p, const char *low, const char *end);

#endif
