// The tokens of PGN movetext (language reference 9.4), shared by the splitter and the parser so that they
// agree on the extent of a game. Internal to runtime/game.
#ifndef CQL_GAME_LEX_H
#define CQL_GAME_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum PgnKind {
    PGN_END,      // no more tokens
    PGN_NUMBER,   // digits and dots
    PGN_MOVE,     // has the form of a move; san_parse decides
    PGN_ODD_MOVE, // may be a move in a spelling that only game_parse can read, if any: Sf3, 5254, nf3, P@f6
    PGN_COMMENT,  // {...}, braces included
    PGN_OPEN_COMMENT, // '{' without a closing brace; extends to the end of the text
    PGN_LINE,         // ';' or '%' up to the end of the line
    PGN_OPEN,         // (
    PGN_CLOSE,        // )
    PGN_GLYPH,        // value: the glyph's number, 0: ignore it
    PGN_IGNORED,      // check marks, "dbl ch", "e.p.", a lone '}', meaningless words that are not errors
    PGN_RESULT,       // value: RESULT_
    PGN_TAG,          // '[' that begins a tag line
    PGN_WORD          // unknown, and not a move: up to the next white space, parenthesis or '{'
} PgnKind;

typedef struct PgnToken {
    PgnKind kind;
    int value;
    const char *end; // one past its last byte
} PgnToken;

// The kind of a token other than a comment, line or tag depends on at most this many bytes after it.
enum { PGN_LOOKAHEAD = 16 };

// What a byte can be.
enum {
    BYTE_WHITE = 1, // space, tab, LF, VT, FF, CR, NUL
    BYTE_DIGIT = 2,
    BYTE_FILE = 4,  // a-h
    BYTE_RANK = 8,  // 1-8
    BYTE_JOIN = 16, // x : -
    BYTE_LETTER = 32,
    BYTE_PIECE = 64 // N B R Q K
};
extern const uint8_t pgn_byte[256];

static inline bool pgn_is(char c, unsigned what)
{
    return (pgn_byte[(unsigned char)c] & what) != 0;
}

// Skips white space, which in movetext includes no-break spaces and byte order marks.
const char *pgn_skip_white(const char *p, const char *end);

// Reads the token at p < end, which is not white space. `start` is the beginning of the text: a '[' counts
// only at the start of a line.
PgnToken pgn_lex(const char *start, const char *p, const char *end);

// True when only white space and byte order marks come between the start of the line and p.
bool pgn_at_line_start(const char *start, const char *p);

// The end of a drop, like N@f3 or @e4, which only games of variants have; NULL: none begins at p.
const char *pgn_drop_end(const char *p, const char *end);

// Has the token at p the form of a move, with a rank or as castling? Words of prose do not: "de", "--".
bool pgn_is_surely_move(PgnToken t, const char *p);

// Whether '[' at p begins a tag: [ name ". Returns 1, 0, or -1 when the text ends too early.
int pgn_is_tag_line(const char *p, const char *end);

// The end of the comment at p, '{' (comment.c): one past its last '}', or NULL when there is none in its game.
const char *pgn_comment_end(const char *p, const char *end);

// The same for a comment with a '{' before its first '}', which is at `close`. *cut: more text after `end` could change the answer.
const char *pgn_nested_comment_end(const char *p, const char *close, const char *end, bool *cut);

// True when only white space, comments and the next game's tags follow p, the end of a token.
bool pgn_nothing_follows(const char *start, const char *p, const char *end);

// Does a word have a piece letter of another language (`Sf3`, `a8=D`)? Does a move from p on have one?
bool pgn_is_foreign(const char *p, const char *end);
bool pgn_has_foreign_move(const char *start, const char *p, const char *end);

#endif
