// The lexer of PGN movetext (language reference 9.4).
#include "lex.h"

#include <string.h>

#include "scan.h"
#include "view.h"

const uint8_t pgn_byte[256] = {
    [0] = BYTE_WHITE,
    ['\t'] = BYTE_WHITE,
    ['\n'] = BYTE_WHITE,
    ['\v'] = BYTE_WHITE,
    ['\f'] = BYTE_WHITE,
    ['\r'] = BYTE_WHITE,
    [' '] = BYTE_WHITE,
    ['0'] = BYTE_DIGIT,
    ['1' ... '8'] = BYTE_DIGIT | BYTE_RANK,
    ['9'] = BYTE_DIGIT,
    ['A'] = BYTE_LETTER,
    ['B'] = BYTE_LETTER | BYTE_PIECE,
    ['C' ... 'J'] = BYTE_LETTER,
    ['K'] = BYTE_LETTER | BYTE_PIECE,
    ['L' ... 'M'] = BYTE_LETTER,
    ['N'] = BYTE_LETTER | BYTE_PIECE,
    ['O' ... 'P'] = BYTE_LETTER,
    ['Q' ... 'R'] = BYTE_LETTER | BYTE_PIECE,
    ['S' ... 'Z'] = BYTE_LETTER,
    ['a' ... 'h'] = BYTE_LETTER | BYTE_FILE,
    ['i' ... 'w'] = BYTE_LETTER,
    ['x'] = BYTE_LETTER | BYTE_JOIN,
    ['y' ... 'z'] = BYTE_LETTER,
    [':'] = BYTE_JOIN,
    ['-'] = BYTE_JOIN,
};

// The byte at p[i], or a line end after the end of the text.
static inline char at(const char *p, const char *end, ptrdiff_t i)
{
    return i < end - p ? p[i] : '\n';
}

// The length of white space that only movetext has (NBSP in UTF-8 or Latin-1, a byte order mark), or 0.
static int wide_white(const char *p, const char *end)
{
    unsigned char c = (unsigned char)*p;
    if (c == 0xC2 && (unsigned char)at(p, end, 1) == 0xA0)
        return 2;
    if (c == 0xA0)
        return 1;
    if (c == 0xEF && (unsigned char)at(p, end, 1) == 0xBB && (unsigned char)at(p, end, 2) == 0xBF)
        return 3;
    return 0;
}

const char *pgn_skip_white(const char *p, const char *end)
{
    while (p < end) {
        int wide;
        if (pgn_is(*p, BYTE_WHITE))
            p++;
        else if ((unsigned char)*p >= 0x80 && (wide = wide_white(p, end)) != 0)
            p += wide;
        else
            break;
    }
    return p;
}

bool pgn_at_line_start(const char *start, const char *p)
{
    while (p > start) {
        unsigned char c = (unsigned char)p[-1];
        if (c == '\n' || c == '\r')
            return true;
        if (pgn_is((char)c, BYTE_WHITE))
            p--;
        else if (c == 0xBF && p - start >= 3 && (unsigned char)p[-2] == 0xBB && (unsigned char)p[-3] == 0xEF)
            p -= 3;
        else
            return false;
    }
    return true;
}

static bool is_blank(char c)
{
    return pgn_is(c, BYTE_WHITE) && c != '\n' && c != '\r';
}

int pgn_is_tag_line(const char *p, const char *end)
{
    const char *name = p + 1;
    while (name < end && is_blank(*name))
        name++;
    p = name;
    while (p < end && !pgn_is(*p, BYTE_WHITE) && *p != '"' && *p != ']')
        p++;
    if (p == end)
        return -1;
    if (p == name || !is_blank(*p))
        return 0;
    while (p < end && is_blank(*p))
        p++;
    return p == end ? -1 : *p == '"';
}

// The length of the result token at p, a digit, or 0; sets *result (RESULT_).
static int result_token(const char *p, const char *end, int *result)
{
    char first = *p, mid = at(p, end, 1), last = at(p, end, 2);
    int length = 3;
    if (first == '1' && (mid == '-' || mid == ':') && last == '0') {
        *result = RESULT_WHITE;
    } else if (first == '0' && (mid == '-' || mid == ':') && last == '1') {
        *result = RESULT_BLACK;
    } else if (first == '1' && mid == '/' && last == '2') {
        *result = RESULT_DRAW;
        char join = at(p, end, 3);
        if ((join == '-' || join == ':') && at(p, end, 4) == '1' && at(p, end, 5) == '/' &&
            at(p, end, 6) == '2')
            length = 7;
    } else {
        return 0;
    }
    char next = at(p, end, length);
    bool longer = pgn_is(next, BYTE_LETTER | BYTE_DIGIT | BYTE_JOIN) || next == '/';
    return longer ? 0 : length;
}

static PgnToken token(PgnKind kind, const char *end)
{
    return (PgnToken){.kind = kind, .end = end};
}

static PgnToken glyph(int value, const char *end)
{
    return (PgnToken){PGN_GLYPH, value, end};
}

static const char *word_end(const char *p, const char *end)
{
    for (p++; p < end; p++) {
        if (pgn_is(*p, BYTE_WHITE) || *p == ')')
            break;
        // 0xA0 after another byte of a multi-byte character is part of that character
        if ((unsigned char)*p >= 0x80 && wide_white(p, end) &&
            ((unsigned char)*p != 0xA0 || (unsigned char)p[-1] < 0x80))
            break;
    }
    return p;
}

static PgnToken word(const char *p, const char *end)
{
    return token(PGN_WORD, word_end(p, end));
}

static PgnToken number(const char *p, const char *end)
{
    while (p < end && pgn_is(*p, BYTE_DIGIT))
        p++;
    while (p < end && *p == '.')
        p++;
    return token(PGN_NUMBER, p);
}

// True when p, a digit, begins a move number ("12.") or a result that is glued to a move.
static bool glued_number(const char *p, const char *end)
{
    int result;
    if (result_token(p, end, &result))
        return true;
    // The bound keeps the look-ahead short.
    int i = 0;
    while (i < 6 && pgn_is(at(p, end, i), BYTE_DIGIT))
        i++;
    return at(p, end, i) == '.';
}

static bool is_castle_letter(char c)
{
    return c == 'O' || c == 'o' || c == '0';
}

static const char *castle_letter(const char *p, const char *end)
{
    int result;
    const char *letter = p + (at(p, end, 0) == '-');
    if (!is_castle_letter(at(letter, end, 0)))
        return NULL;
    if (letter == p && *p == '0' && result_token(p, end, &result))
        return NULL;
    return letter + 1;
}

// castle = O-O | O-O-O with O, o or 0 as letter, with or without "-". Returns its end or NULL.
static const char *castle_end(const char *p, const char *end)
{
    const char *second = castle_letter(p + 1, end);
    if (!second)
        return NULL;
    const char *third = castle_letter(second, end);
    const char *q = third ? third : second;
    char next = at(q, end, 0);
    int result;
    if (pgn_is(next, BYTE_DIGIT))
        return *p != '0' || result_token(q, end, &result) ? q : NULL;
    if (next == '-')
        return at(q, end, 1) == '+' || at(q, end, 1) == '/' ? q : NULL;
    if (*p == '0' && next == '.')
        return NULL;
    return pgn_is(next, BYTE_LETTER) && !pgn_is(next, BYTE_PIECE) ? NULL : q;
}

// "e.p." or "ep": the length, or 0.
static int en_passant_mark(const char *p, const char *end)
{
    if (*p != 'e')
        return 0;
    if (at(p, end, 1) == '.' && at(p, end, 2) == 'p')
        return at(p, end, 3) == '.' ? 4 : 3;
    return at(p, end, 1) == 'p' && !pgn_is(at(p, end, 2), BYTE_LETTER | BYTE_DIGIT) ? 2 : 0;
}

// The squares in a move.
typedef struct Body {
    const char *end;
    int files, ranks;
    bool adjacent; // the first two files are neighbours
} Body;

// body = { file | rank | "x" | ":" | "-" }, stopping at anything that is glued to the move.
static Body move_body(const char *p, const char *end)
{
    Body b = {p, 0, 0, false};
    char file = 0;
    for (; b.end < end; b.end++) {
        const char *q = b.end;
        if (pgn_is(*q, BYTE_FILE)) {
            if (b.ranks && en_passant_mark(q, end))
                break;
            if (++b.files == 2)
                b.adjacent = *q - file == 1 || file - *q == 1;
            file = *q;
        } else if (pgn_is(*q, BYTE_RANK)) {
            if (q > p && pgn_is(q[-1], BYTE_RANK) && glued_number(q, end))
                break;
            b.ranks++;
        } else if (*q == '-') {
            char next = at(q, end, 1);
            if (next == '-' || next == '+' || next == '/')
                break;
        } else if (!pgn_is(*q, BYTE_JOIN)) {
            break;
        }
    }
    return b;
}

// promotion = [ "=" ] letter, after a pawn move. Sets *bad for a letter that a pawn cannot become. Returns
// its end.
static const char *promotion_end(const char *p, const char *end, bool *bad)
{
    const char *letter = p + (at(p, end, 0) == '=');
    char c = at(letter, end, 0), next = at(letter, end, 1);
    bool upper = pgn_is(c, BYTE_PIECE), lower = c == 'q' || c == 'r' || c == 'b' || c == 'n' || c == 'k';
    if (!upper && !lower)
        return p;
    if (pgn_is(next, BYTE_FILE | BYTE_RANK | BYTE_JOIN) && next != '-')
        return p; // the next move's piece
    if (letter == p && (c == 'K' || (lower && pgn_is(next, BYTE_LETTER | BYTE_DIGIT))))
        return p;
    if (lower && pgn_is(next, BYTE_LETTER))
        return p;
    *bad = lower || c == 'K';
    return letter + 1;
}

// True when a move may end at p: nothing follows that would make the whole a word.
static bool move_may_end(const char *p, const char *end, bool square)
{
    char c = at(p, end, 0);
    if (pgn_is(c, BYTE_WHITE) || (c && strchr("(){};$!?+#=~*%[-", c)))
        return true;
    if (!square)
        return false;
    if (!pgn_is(c, BYTE_LETTER))
        return true;
    if (c >= 'a')
        return en_passant_mark(p, end) || (c == 'o' && castle_end(p, end)) ||
               (c == 'n' && end - p >= 4 && memcmp(p, "null", 4) == 0);
    return pgn_is(c, BYTE_PIECE) || c == 'O' || c == 'P' || c == 'Z' || c == 'D';
}

// Piece and pawn moves of 9.4.1 and their lower-case forms; otherwise a word.
static PgnToken lex_move(const char *p, const char *end)
{
    bool piece = pgn_is(*p, BYTE_PIECE);
    bool lower = !piece && *p != 'P' && !pgn_is(*p, BYTE_FILE);
    bool bad = lower;
    Body body = move_body(pgn_is(*p, BYTE_FILE) ? p : p + 1, end);
    const char *q = body.end;
    bool square = body.files >= 1 && body.ranks >= 1;
    if (!square && (piece || lower || body.files != 2 || body.ranks || !body.adjacent))
        return word(p, end);
    if (!piece && square) {
        if (q[-1] == 'b' && pgn_is(q[-2], BYTE_RANK))
            bad = true; // a8b: the bishop as promotion in lower case
        q = promotion_end(q, end, &bad);
    } else if (!piece && q < end && pgn_is(*q == '=' && end - q > 1 ? q[1] : *q, BYTE_PIECE)) {
        q = promotion_end(q, end, &bad); // abQ; in lower case it would be a word
    }
    if (!move_may_end(q, end, square))
        return word(p, end);
    return token(bad || lower ? PGN_BAD_MOVE : PGN_MOVE, q);
}

static PgnToken lex_letter(const char *p, const char *end)
{
    bool single = !pgn_is(at(p, end, 1), BYTE_LETTER | BYTE_DIGIT | BYTE_JOIN);
    const char *castle;
    int length;
    switch (*p) {
    case 'O':
    case 'o':
        castle = castle_end(p, end);
        return castle ? token(PGN_MOVE, castle) : word(p, end);
    case 'N':
        return single ? glyph(146, p + 1) : lex_move(p, end);
    case 'D':
        return single ? glyph(201, p + 1) : token(PGN_IGNORED, word_end(p, end));
    case 'B':
    case 'R':
    case 'Q':
    case 'K':
        return single ? token(PGN_IGNORED, p + 1) : lex_move(p, end);
    case 'Z':
        if (at(p, end, 1) == '0' && !pgn_is(at(p, end, 2), BYTE_LETTER | BYTE_DIGIT))
            return token(PGN_MOVE, p + 2);
        return word(p, end);
    case 'n':
        if (end - p >= 4 && memcmp(p, "null", 4) == 0 && !pgn_is(at(p, end, 4), BYTE_LETTER | BYTE_DIGIT))
            return token(PGN_MOVE, p + 4);
        return lex_move(p, end);
    case 'e':
        length = en_passant_mark(p, end);
        return length ? token(PGN_IGNORED, p + length) : lex_move(p, end);
    case 'P':
    case 'p':
    case 'k':
    case 'q':
    case 'r':
        return lex_move(p, end);
    default:
        return pgn_is(*p, BYTE_FILE) ? lex_move(p, end) : word(p, end);
    }
}

static PgnToken lex_digit(const char *p, const char *end)
{
    int result, length = result_token(p, end, &result);
    if (length)
        return (PgnToken){PGN_RESULT, result, p + length};
    const char *castle = *p == '0' ? castle_end(p, end) : NULL;
    return castle ? token(PGN_MOVE, castle) : number(p, end);
}

static PgnToken lex_dollar(const char *p, const char *end)
{
    const char *q = p + 1;
    int value = 0;
    for (; q < end && pgn_is(*q, BYTE_DIGIT); q++)
        value = value > 255 ? value : value * 10 + (*q - '0');
    if (q == p + 1)
        return word(p, end);
    return glyph(value > 255 ? 0 : value, q);
}

// A run of ! and ?: the first two count.
static PgnToken lex_marks(const char *p, const char *end)
{
    const char *q = p + 1;
    while (q < end && (*q == '!' || *q == '?'))
        q++;
    bool good = *p == '!';
    if (q == p + 1)
        return glyph(good ? 1 : 2, q);
    bool same = p[1] == *p;
    return glyph(same ? (good ? 3 : 4) : (good ? 5 : 6), q);
}

// The evaluations written with + - = / ~, check marks, and the null move "--".
static PgnToken lex_sign(const char *p, const char *end)
{
    char second = at(p, end, 1), third = at(p, end, 2);
    switch (*p) {
    case '~':
        return glyph(13, p + 1);
    case '=':
        if (second == '/' && third == '+')
            return glyph(15, p + 3);
        return second == '+' ? glyph(15, p + 2) : glyph(10, p + 1);
    case '+':
        if (second == '/' && (third == '=' || third == '-'))
            return glyph(third == '=' ? 14 : 16, p + 3);
        if (second == '=' || second == '-')
            return glyph(second == '=' ? 14 : 18, p + 2);
        return token(PGN_IGNORED, p + 1);
    default: // '-'
        if (second == '/' && third == '+')
            return glyph(17, p + 3);
        if (second == '+')
            return glyph(19, p + 2);
        if (second == '-' && third != '-' && third != '>')
            return token(PGN_MOVE, p + 2);
        return word(p, end);
    }
}

PgnToken pgn_lex(const char *start, const char *p, const char *end)
{
    const char *q;
    if (pgn_is(*p, BYTE_LETTER))
        return lex_letter(p, end);
    if (pgn_is(*p, BYTE_DIGIT))
        return lex_digit(p, end);
    switch (*p) {
    case '.':
        return number(p, end);
    case '{':
        q = pgn_comment_end(p, end);
        return q ? token(PGN_COMMENT, q) : token(PGN_OPEN_COMMENT, end);
    case '}':
    case '#':
        return token(PGN_IGNORED, p + 1);
    case ';':
    case '%':
        return token(PGN_LINE, scan_line_end(p, end));
    case '(':
        return token(PGN_OPEN, p + 1);
    case ')':
        return token(PGN_CLOSE, p + 1);
    case '*':
        return (PgnToken){PGN_RESULT, RESULT_UNKNOWN, p + 1};
    case '$':
        return lex_dollar(p, end);
    case '!':
    case '?':
        return lex_marks(p, end);
    case '+':
    case '-':
    case '=':
    case '~':
        return lex_sign(p, end);
    case '[':
        if (pgn_is_tag_line(p, end) > 0 && pgn_at_line_start(start, p))
            return token(PGN_TAG, scan_line_end(p, end));
        return word(p, end);
    default:
        return word(p, end);
    }
}

const char *pgn_drop_end(const char *p, const char *end)
{
    const char *q = p + (*p != '@');
    if (end - q < 3 || *q != '@' || (q > p && !strchr("PNBRQ", *p)) || !pgn_is(q[1], BYTE_FILE) ||
        !pgn_is(q[2], BYTE_RANK))
        return NULL;
    q += 3;
    return q < end && pgn_is(*q, BYTE_LETTER | BYTE_DIGIT) ? NULL : q;
}
