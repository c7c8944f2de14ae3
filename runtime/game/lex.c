// The lexer of PGN movetext (language reference 9.4).
#include "lex.h"

#include <string.h>

#include "runtime/chess/chess.h"
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
    if (p == name || (!is_blank(*p) && *p != '"'))
        return 0;
    while (p < end && is_blank(*p))
        p++;
    return p == end ? -1 : *p == '"';
}

static inline bool is_high(char c)
{
    return (unsigned char)c >= 0x80;
}

// The character at p in the spelling of PGN, or 0. *length: of the text.
static char sign_at(const char *p, const char *end, int *length)
{
    const char c = at(p, end, 0);
    *length = 1;
    return is_high(c) ? san_sign(p, end, length) : c;
}

// The length of "-" at p, or of a dash that a word processor makes of it, or 0.
static int dash_length(const char *p, const char *end)
{
    int length;
    return sign_at(p, end, &length) == '-' ? length : 0;
}

// The length of a word of characters that are not ASCII, if it is at p, or 0.
static int is_there(const char *p, const char *end, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(end - p) >= length && memcmp(p, word, length) == 0 ? (int)length : 0;
}

static bool ends_result(char next)
{
    return !pgn_is(next, BYTE_LETTER | BYTE_DIGIT | BYTE_JOIN) && next != '/';
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
    return ends_result(at(p, end, length)) ? length : 0;
}

// The end of the points of a side, or NULL; *halves: twice the points.
static const char *points_end(const char *p, const char *end, int *halves)
{
    int half = is_there(p, end, "½");
    if (!half && at(p, end, 0) == '\xBD') // in ISO 8859-1
        half = 1;
    if (!half && at(p, end, 0) == '1' && at(p, end, 1) == '/' && at(p, end, 2) == '2')
        half = 3;
    if (!half && at(p, end, 0) != '0' && at(p, end, 0) != '1')
        return NULL;
    *halves = half ? 1 : 2 * (*p - '0');
    return p + (half ? half : 1);
}

static const char *skip_two_spaces(const char *p, const char *end)
{
    p += at(p, end, 0) == ' ';
    return p + (at(p, end, 0) == ' ');
}

// A result in another spelling: ½-½, 1–0, 1 - 0. Returns its end or NULL.
static const char *other_result(const char *p, const char *end, int *result)
{
    int halves, black;
    const char *q = points_end(p, end, &halves);
    if (!q)
        return NULL;
    const char *dash = skip_two_spaces(q, end);
    const int length = at(dash, end, 0) == ':' ? 1 : dash_length(dash, end);
    const char *after = length ? points_end(skip_two_spaces(dash + length, end), end, &black) : NULL;
    if (after && halves + black == 2)
        q = after;
    else if (halves != 1)
        return NULL;
    *result = halves == 2 ? RESULT_WHITE : halves == 1 ? RESULT_DRAW : RESULT_BLACK;
    return ends_result(at(q, end, 0)) ? q : NULL;
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
        if (pgn_is(*p, BYTE_WHITE) || *p == ')' || *p == '(' || *p == '{')
            break;
        // 0xA0 after another byte of a multi-byte character is part of that character
        if ((unsigned char)*p >= 0x80 && wide_white(p, end) &&
            ((unsigned char)*p != 0xA0 || (unsigned char)p[-1] < 0x80))
            break;
    }
    return p;
}

static bool is_castle_letter(char c)
{
    return c == 'O' || c == 'o' || c == '0';
}

static bool is_piece_or_pawn(char c)
{
    return pgn_is(c, BYTE_PIECE) || c == 'P';
}

// Moves of descriptive notation: P-K4, PxP, Kt-KB3.
static bool is_descriptive(const char *p, const char *end)
{
    const char *q = p;
    while (q < end && q - p < 3 && (is_piece_or_pawn(*q) || *q == 't'))
        q++;
    return q > p && (at(q, end, 0) == '-' || at(q, end, 0) == 'x') && is_piece_or_pawn(at(q, end, 1));
}

// May a word that is not a token be a move? One that contains a square, a figurine or a drop may, so do castling and
// descriptive notation.
static bool may_be_move(const char *p, const char *end)
{
    int length;
    for (const char *q = p; q < end; q++) {
        if (*q == '@' || (is_high(*q) && pgn_is(san_sign(q, end, &length), BYTE_PIECE)))
            return true;
        const char file = sign_at(q, end, &length);
        if ((pgn_is(file, BYTE_FILE) || (file >= 'A' && file <= 'H')) &&
            pgn_is(at(q, end, length), BYTE_RANK) && !pgn_is(at(q, end, length + 1), BYTE_DIGIT))
            return true;
    }
    if (is_castle_letter(*p)) {
        const int dash = dash_length(p + 1, end);
        if (dash && is_castle_letter(at(p, end, 1 + dash)))
            return true;
    }
    return is_descriptive(p, end);
}

static PgnToken word(const char *p, const char *end)
{
    const char *after = word_end(p, end);
    return token(may_be_move(p, after) ? PGN_ODD_MOVE : PGN_WORD, after);
}

static const char *dots_end(const char *p, const char *end)
{
    int length = 0;
    while (p < end && (*p == '.' || (is_high(*p) && (length = is_there(p, end, "…")) > 0)))
        p += *p == '.' ? 1 : length;
    return p;
}

// A move of ICCF, four digits and one for a promotion, or the null move of UCI. A dot makes it a move number.
static bool is_numeric_move(const char *p, const char *end)
{
    const ptrdiff_t digits = end - p;
    if (digits == 4 && memcmp(p, "0000", 4) == 0)
        return true;
    for (const char *q = p; q < end; q++)
        if (!pgn_is(*q, BYTE_RANK))
            return false;
    return digits == 4 || (digits == 5 && p[4] <= '4');
}

static PgnToken number(const char *p, const char *end)
{
    const char *digits = p;
    while (p < end && pgn_is(*p, BYTE_DIGIT))
        p++;
    const char *dots = dots_end(p, end);
    const bool alone = dots == p && !pgn_is(at(p, end, 0), BYTE_LETTER | BYTE_JOIN) && at(p, end, 0) != '/';
    return token(alone && is_numeric_move(digits, p) ? PGN_ODD_MOVE : PGN_NUMBER, dots);
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

static const char *castle_letter(const char *p, const char *end)
{
    int result;
    const char *letter = p + dash_length(p, end);
    if (!is_castle_letter(at(letter, end, 0)))
        return NULL;
    if (letter == p && *p == '0' && result_token(p, end, &result))
        return NULL;
    return letter + 1;
}

// castle = O-O | O-O-O with O, o or 0 as letter, with or without dashes. Returns its end or NULL.
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

// Check marks of older books and programs: the length, or 0.
static int check_word(const char *p, const char *end)
{
    static const char *const words[] = {"ch", "check", "checkmate", "dbl", "dblch", "dis", "disch", "mate"};
    int length = 0;
    if (*p != 'c' && *p != 'd' && *p != 'm')
        return 0;
    while (length < 10 && pgn_is(at(p, end, length), BYTE_LETTER | BYTE_DIGIT))
        length++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((size_t)length == strlen(words[i]) && memcmp(p, words[i], (size_t)length) == 0)
            return length + (at(p, end, length) == '.');
    return 0;
}

// The squares in a move.
typedef struct Body {
    const char *end;
    int files, ranks;
    bool adjacent; // the first two files are neighbours
    char rank;     // the last one, or 0
} Body;

// The file that is not ASCII, or the dash or cross before a square, at p, or 0. *length: of the text.
static char high_part(const char *p, const char *end, int *length)
{
    int next;
    const char c = is_high(at(p, end, 0)) ? san_sign(p, end, length) : 0;
    const bool joins =
        pgn_is(c, BYTE_JOIN) && pgn_is(sign_at(p + *length, end, &next), BYTE_FILE | BYTE_RANK);
    return joins || pgn_is(c, BYTE_FILE) ? c : 0;
}

// body = { file | rank | join }, stopping at anything that is glued to the move.
static Body move_body(const char *p, const char *end)
{
    Body b = {.end = p};
    char file = 0;
    for (int length = 1; b.end < end; b.end += length, length = 1) {
        const char *q = b.end, c = is_high(*q) ? high_part(q, end, &length) : *q;
        if (pgn_is(c, BYTE_FILE)) {
            if (b.ranks && (en_passant_mark(q, end) || check_word(q, end)))
                break;
            if (++b.files == 2)
                b.adjacent = c - file == 1 || file - c == 1;
            file = c;
        } else if (pgn_is(c, BYTE_RANK)) {
            if (q > p && pgn_is(q[-1], BYTE_RANK) && glued_number(q, end))
                break;
            b.ranks++;
            b.rank = *q;
        } else if (*q == '-') {
            char next = at(q, end, 1);
            if (next == '-' || next == '+' || next == '/')
                break;
        } else if (!pgn_is(c, BYTE_JOIN)) {
            break;
        }
    }
    return b;
}

// The length of the characters at p that are not ASCII, two Cyrillic letters at most, or 0.
static int high_length(const char *p, const char *end)
{
    int length = 0, part;
    while (length < 4 && is_high(at(p, end, length)) &&
           (length & 1 || !(wide_white(p + length, end) || high_part(p + length, end, &part))))
        length++;
    return length;
}

// The length of the letter of a piece at p, or 0. *usual: one that PGN knows. `any`: other capital letters count too.
static int promotion_letter(const char *p, const char *end, bool any, bool *usual)
{
    int length = 1;
    char c = at(p, end, 0);
    if (is_high(c))
        c = san_sign(p, end, &length);
    *usual = pgn_is(c, BYTE_PIECE) || (length == 1 && c && strchr("qrbnk", c));
    if (*usual)
        return length;
    if (any && is_high(at(p, end, 0)) && !c)
        return high_length(p, end);
    return any && c >= 'A' && c <= 'Z' && !is_castle_letter(c) ? 1 : 0;
}

// promotion = [ "=" | "/" ] letter | [ "=" ] "(" letter ")", after a pawn move to the rank. Returns its end.
static const char *promotion_end(const char *p, const char *end, char rank)
{
    const bool last = rank == '1' || rank == '8';
    const char *letter = p + (at(p, end, 0) == '=' || (last && at(p, end, 0) == '/'));
    const bool open = last && at(letter, end, 0) == '(';
    bool usual;
    letter += open;
    const int length = promotion_letter(letter, end, last, &usual);
    const char c = at(letter, end, 0);
    const char next =
        letter + length < end && check_word(letter + length, end) ? ' ' : at(letter, end, length);
    if (open)
        return length && next == ')' ? letter + length + 1 : p;
    if (!length)
        return p;
    if (pgn_is(next, BYTE_FILE | BYTE_RANK | BYTE_JOIN) && next != '-')
        return p; // the next move's piece
    const bool lower = c >= 'a';
    if (letter == p && (c == 'K' || ((lower || !usual) && pgn_is(next, BYTE_LETTER | BYTE_DIGIT))))
        return p;
    return (lower || !usual) && pgn_is(next, BYTE_LETTER) ? p : letter + length;
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
        return en_passant_mark(p, end) || check_word(p, end) || (c == 'o' && castle_end(p, end)) ||
               (c == 'n' && end - p >= 4 && memcmp(p, "null", 4) == 0);
    return pgn_is(c, BYTE_PIECE) || c == 'O' || c == 'P' || c == 'Z' || c == 'D';
}

// A move, or else a word. Its squares begin at `squares`, after the letter of a piece, if any; `pawn`: it may promote.
static PgnToken squares_move(const char *p, const char *squares, const char *end, bool pawn, PgnKind kind)
{
    Body body = move_body(squares, end);
    const char *q = body.end;
    const bool square = body.files >= 1 && body.ranks >= 1;
    if (!square && (!pawn || kind != PGN_MOVE || body.files != 2 || body.ranks || !body.adjacent))
        return word(p, end);
    if (pawn && square)
        q = promotion_end(q, end, body.rank);
    else if (pawn && q < end && pgn_is(*q == '=' && end - q > 1 ? q[1] : *q, BYTE_PIECE))
        q = promotion_end(q, end, 0); // abQ; in lower case it would be a word
    return move_may_end(q, end, square) ? token(kind, q) : word(p, end);
}

// Piece and pawn moves of 9.4.1 and their lower-case forms.
static PgnToken lex_move(const char *p, const char *end)
{
    const bool file = pgn_is(*p, BYTE_FILE), piece = pgn_is(*p, BYTE_PIECE);
    return squares_move(p, p + !file, end, !piece, file || piece || *p == 'P' ? PGN_MOVE : PGN_ODD_MOVE);
}

// A piece move with a letter of another language, or else a word.
static PgnToken foreign_move(const char *p, const char *end, int letter)
{
    return squares_move(p, p + letter, end, false, PGN_ODD_MOVE);
}

static PgnToken lex_letter(const char *p, const char *end)
{
    int length;
    const bool single =
        !pgn_is(at(p, end, 1), BYTE_LETTER | BYTE_DIGIT | BYTE_JOIN) && !high_part(p + 1, end, &length);
    const char *castle;
    if (single && at(p, end, 1) == '@') // a drop, which is not a move of chess: its letter is not a glyph
        return word(p, end);
    switch (*p) {
    case 'O':
    case 'o':
        castle = castle_end(p, end);
        return castle ? token(PGN_MOVE, castle) : word(p, end);
    case 'N':
        return single ? glyph(146, p + 1) : lex_move(p, end);
    case 'D': {
        if (single)
            return glyph(201, p + 1);
        const PgnToken t = foreign_move(p, end, 1);
        return t.kind == PGN_ODD_MOVE && t.end > p + 2 ? t : token(PGN_IGNORED, word_end(p, end)); // D1
    }
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
    case 'c':
    case 'd':
    case 'e':
    case 'm':
        length = *p == 'e' ? en_passant_mark(p, end) : check_word(p, end);
        return length ? token(PGN_IGNORED, p + length) : *p == 'm' ? word(p, end) : lex_move(p, end);
    case 'P':
    case 'p':
    case 'k':
    case 'q':
    case 'r':
        return lex_move(p, end);
    default:
        if (pgn_is(*p, BYTE_FILE))
            return lex_move(p, end);
        return *p < 'a' ? foreign_move(p, end, 1) : word(p, end);
    }
}

// The glyph of an annotation symbol that is not ASCII, or a token without an end.
static PgnToken lex_symbol(const char *p, const char *end)
{
    static const struct {
        const char *symbol;
        int value;
    } row[] = {{"‼", 3},  {"⁇", 4},  {"⁉", 5},  {"⁈", 6},  {"□", 7},
               {"∞", 13}, {"⩲", 14}, {"⩱", 15}, {"±", 16}, {"∓", 17}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const int length = is_there(p, end, row[i].symbol);
        if (length > 0)
            return glyph(row[i].value, p + length);
    }
    return (PgnToken){0};
}

// A token that begins with a character that is not ASCII.
static PgnToken lex_high(const char *p, const char *end)
{
    int length, result;
    const char sign = san_sign(p, end, &length);
    const char *q;
    if (is_piece_or_pawn(sign))
        return squares_move(p, p + length, end, sign == 'P', PGN_MOVE);
    if (pgn_is(sign, BYTE_FILE))
        return squares_move(p, p, end, true, PGN_MOVE);
    if (sign == '-' && at(p, end, length) == '+')
        return glyph(19, p + length + 1);
    if ((q = dots_end(p, end)) > p)
        return token(PGN_NUMBER, q);
    if ((q = other_result(p, end, &result)))
        return (PgnToken){PGN_RESULT, result, q};
    if ((length = is_there(p, end, "†")) || (length = is_there(p, end, "‡")))
        return token(PGN_IGNORED, p + length);
    const PgnToken symbol = lex_symbol(p, end);
    return symbol.end ? symbol : foreign_move(p, end, high_length(p, end));
}

static PgnToken lex_digit(const char *p, const char *end)
{
    int result, length = result_token(p, end, &result);
    const bool half = length == 3 && p[1] == '/'; // 1/2 - 1/2
    const char *other = length == 0 || half ? other_result(p, end, &result) : NULL;
    if (length || other)
        return (PgnToken){PGN_RESULT, result, other ? other : p + length};
    const char *castle = *p == '0' ? castle_end(p, end) : NULL;
    if (castle)
        return token(PGN_MOVE, castle);
    const int dash = *p == '0' ? dash_length(p + 1, end) : 0;
    return dash && is_castle_letter(at(p, end, 1 + dash)) ? word(p, end) : number(p, end);
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

// The evaluations written with + - = / ~, check marks, and the null moves "--" and "---".
static PgnToken lex_sign(const char *p, const char *end)
{
    char second = at(p, end, 1), third = at(p, end, 2);
    const int dash = dash_length(p + 1, end);
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
        if (second == '=')
            return glyph(14, p + 2);
        return dash > 0 ? glyph(18, p + 1 + dash) : token(PGN_IGNORED, p + 1);
    default: // '-'
        if (second == '/' && third == '+')
            return glyph(17, p + 3);
        if (second == '+')
            return glyph(19, p + 2);
        if (second == '-' && third == '-')
            return at(p, end, 3) != '-' && at(p, end, 3) != '>' ? token(PGN_MOVE, p + 3) : word(p, end);
        if (second == '-' && third != '>')
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
    case '<':
        return at(p, end, 1) == '>' ? token(PGN_MOVE, p + 2) : word(p, end);
    case '@':
        return is_there(p, end, "@@@@") ? token(PGN_MOVE, p + 4) : word(p, end);
    default:
        return is_high(*p) ? lex_high(p, end) : word(p, end);
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

bool pgn_is_foreign(const char *p, const char *end)
{
    for (int length = 1; p < end; p += length) {
        length = 1;
        if (*p >= 'A' && *p <= 'Z' && !strchr("KQRBNPOZ", *p))
            return true;
        if (is_high(*p) && !san_sign(p, end, &length))
            return true;
    }
    return false;
}

bool pgn_has_foreign_move(const char *start, const char *p, const char *end)
{
    while ((p = pgn_skip_white(p, end)) < end) {
        const PgnToken t = pgn_lex(start, p, end);
        if ((t.kind == PGN_MOVE || t.kind == PGN_ODD_MOVE) && pgn_is_foreign(p, t.end))
            return true;
        p = t.end;
    }
    return false;
}

bool pgn_nothing_follows(const char *start, const char *p, const char *end)
{
    while ((p = pgn_skip_white(p, end)) < end) {
        PgnToken t = pgn_lex(start, p, end);
        if (t.kind == PGN_TAG)
            return true;
        if (t.kind != PGN_COMMENT && t.kind != PGN_LINE && t.kind != PGN_OPEN_COMMENT)
            return false;
        p = t.end;
    }
    return true;
}
