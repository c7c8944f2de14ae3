// Piece designators: `Ra1`, `[Qq]a-h1-8`, `♖♜[a1,b2]`.
#include "designator.h"

#include <string.h>

#include "characters.h"
#include "compiler/language/ast.h"
#include "runtime/chess/chess.h"

typedef struct Scanner {
    const DesignatorRules *rules;
    const char *start; // of the designator
    DesignatorScan *result;
} Scanner;

static void note_mistake(Scanner *s, const char *mistake, const char *from, const char *to)
{
    if (s->result->mistake != NULL)
        return;
    s->result->mistake = mistake;
    s->result->mistake_start = (size_t)(from - s->start);
    s->result->mistake_length = (size_t)(to - from);
}

// ---- squares ---------------------------------------------------------------------------------------------

// The files or the ranks of a block.
typedef struct Side {
    unsigned lines; // as bits
    char colour;    // 'L' or 'D': only the light or dark squares; else 0
    bool reversed;  // a range is
} Side;

static Bitboard block_mask(Side files, Side ranks)
{
    Bitboard mask = 0;
    for (int s = 0; s < 64; s++)
        if (files.lines >> (s & 7) & ranks.lines >> (s >> 3) & 1)
            mask |= (Bitboard)1 << s;
    const char colour = files.colour ? files.colour : ranks.colour;
    return colour == 'L' ? mask & BB_LIGHT : colour == 'D' ? mask & BB_DARK : mask;
}

// lines = letter [ "-" letter ], the letters being the eight from `first` on: adds them. Returns the end, or NULL.
static const char *scan_lines(const char *p, char first, bool ranges, Side *side)
{
    if (*p < first || *p > first + 7)
        return NULL;
    const bool range = ranges && p[1] == '-' && p[2] >= first && p[2] <= first + 7;
    const int low = p[0] - first, high = (range ? p[2] : p[0]) - first;
    for (int i = low; i <= high; i++)
        side->lines |= 1u << i;
    side->reversed |= high < low;
    return p + (range ? 3 : 1);
}

// side = lines | "?" | "L" | "D" | "[" { lines } "]"
static const char *scan_side(const DesignatorRules *rules, const char *p, char first, bool ranges, Side *side)
{
    const bool light_or_dark = rules->scidb && (*p == 'L' || *p == 'D');
    *side = (Side){0};
    if ((*p == '?' && rules->any_side) || light_or_dark) {
        side->lines = 0xff;
        side->colour = light_or_dark ? *p : 0;
        return p + 1;
    }
    if (*p != '[' || !rules->scidb)
        return scan_lines(p, first, ranges, side);
    do {
        p = scan_lines(p + (*p == '['), first, true, side);
    } while (p != NULL && *p != ']');
    return p != NULL ? p + 1 : NULL;
}

// block = files ranks: adds its squares to *mask. Returns its end, or NULL when no block begins here.
static const char *scan_block(Scanner *s, const char *text, bool ranges, Bitboard *mask)
{
    Side files, ranks;
    const char *p = scan_side(s->rules, text, 'a', ranges, &files);
    if (p != NULL)
        p = scan_side(s->rules, p, '1', ranges, &ranks);
    if (p == NULL)
        return NULL;
    if (files.reversed)
        note_mistake(s, "reversed range of files: the first file must not be to the right of the second",
                     text, p);
    if (ranks.reversed)
        note_mistake(s, "reversed range of ranks: the first rank must not be above the second", text, p);
    if (files.colour && ranks.colour)
        note_mistake(s, "light or dark squares (L, D) may replace the file or the rank, but not both", text,
                     p);
    *mask |= block_mask(files, ranks);
    return p;
}

// item = block | "+" | "*": pieces in hand, which are on no square, and all squares
static const char *scan_item(Scanner *s, const char *text, Bitboard *mask)
{
    if (!s->rules->scidb || (*text != '+' && *text != '*'))
        return scan_block(s, text, true, mask);
    *mask |= *text == '*' ? BB_ALL : 0;
    return text + 1;
}

// squares = block | "[" item { "," item } "]"
static const char *scan_squares(Scanner *s, const char *text, Bitboard *mask)
{
    if (*text != '[')
        return scan_block(s, text, s->rules->ranges_alone, mask);
    if (text[1] == ']' && s->rules->empty_lists)
        return text + 2;
    const char *p = text;
    do {
        p = scan_item(s, p + 1, mask);
    } while (p != NULL && *p == ',');
    if (p != NULL && *p == ']')
        return p + 1;
    return s->rules->scidb ? scan_block(s, text, s->rules->ranges_alone, mask) : NULL;
}

// ---- pieces ----------------------------------------------------------------------------------------------

typedef struct PieceSymbol {
    const char *letter, *unicode; // NULL: no such spelling
    uint32_t symbols;
} PieceSymbol;

static const PieceSymbol piece_symbols[] = {
    {"K", "♔", 1 << WHITE_KING},   {"Q", "♕", 1 << WHITE_QUEEN},  {"R", "♖", 1 << WHITE_ROOK},
    {"B", "♗", 1 << WHITE_BISHOP}, {"N", "♘", 1 << WHITE_KNIGHT}, {"P", "♙", 1 << WHITE_PAWN},
    {"k", "♚", 1 << BLACK_KING},   {"q", "♛", 1 << BLACK_QUEEN},  {"r", "♜", 1 << BLACK_ROOK},
    {"b", "♝", 1 << BLACK_BISHOP}, {"n", "♞", 1 << BLACK_KNIGHT}, {"p", "♟", 1 << BLACK_PAWN},
    {"A", "△", SYMBOL_WHITE},      {"a", "▲", SYMBOL_BLACK},      {NULL, "◭", SYMBOL_WHITE | SYMBOL_BLACK},
    {"_", "□", SYMBOL_EMPTY}};
enum { PIECE_SYMBOLS = sizeof piece_symbols / sizeof *piece_symbols };

// The letters of the older dialects, which DesignatorRules.more_letters allows.
static const PieceSymbol more_pieces[] = {{"_", NULL, SYMBOL_EMPTY},
                                          {".", NULL, SYMBOL_EMPTY},
                                          {"U", NULL, SYMBOL_WHITE | SYMBOL_BLACK},
                                          {"M", NULL, 1 << WHITE_QUEEN | 1 << WHITE_ROOK},
                                          {"m", NULL, 1 << BLACK_QUEEN | 1 << BLACK_ROOK},
                                          {"I", NULL, 1 << WHITE_BISHOP | 1 << WHITE_KNIGHT},
                                          {"i", NULL, 1 << BLACK_BISHOP | 1 << BLACK_KNIGHT},
                                          {"?", NULL, ANY_SQUARE}};

static const PieceSymbol *find_unicode(const char *text)
{
    for (int i = 0; i < PIECE_SYMBOLS; i++)
        if (strncmp(text, piece_symbols[i].unicode, strlen(piece_symbols[i].unicode)) == 0)
            return &piece_symbols[i];
    return NULL;
}

// The symbols of a letter, 0 when it is not a piece.
static uint32_t letter_symbols(const DesignatorRules *rules, char letter)
{
    if (letter == '\0' || strchr(rules->more_letters, letter) == NULL)
        return letter == '_' ? 0 : symbol_of(letter);
    size_t i = 0;
    while (more_pieces[i].letter[0] != letter)
        i++;
    return more_pieces[i].symbols;
}

size_t designator_symbol_length(const char *text)
{
    const PieceSymbol *piece = find_unicode(text);
    return piece ? strlen(piece->unicode) : 0;
}

uint32_t designator_piece(const char *text, size_t *length)
{
    const PieceSymbol *piece = find_unicode(text);
    const uint32_t symbols = piece ? piece->symbols : symbol_of(*text);
    *length = piece ? strlen(piece->unicode) : symbols != 0;
    return symbols;
}

const char *designator_spelling(uint32_t symbols, bool unicode)
{
    for (int i = 0; i < PIECE_SYMBOLS; i++)
        if (piece_symbols[i].symbols == symbols)
            return unicode ? piece_symbols[i].unicode : piece_symbols[i].letter;
    return NULL;
}

// { uni-piece }, each at most once
static const char *scan_symbols(Scanner *s, const char *text, uint32_t *pieces)
{
    const PieceSymbol *piece;
    while (s->rules->unicode && (piece = find_unicode(text)) != NULL) {
        const char *next = text + strlen(piece->unicode);
        if (*pieces & piece->symbols)
            note_mistake(s, "a non-ASCII piece may be written only once in a designator", text, next);
        *pieces |= piece->symbols;
        text = next;
    }
    return text;
}

// letter [ "~" | "~~" ]: adds its pieces. Returns the end, or NULL.
static const char *scan_letter(Scanner *s, const char *p, uint32_t *pieces)
{
    const uint32_t symbols = letter_symbols(s->rules, *p), men = symbols & ~(uint32_t)SYMBOL_EMPTY;
    if (symbols == 0)
        return NULL;
    const int marks = !s->rules->scidb || p[1] != '~' ? 0 : p[2] != '~' ? 1 : 2;
    *pieces |= marks == 0 ? symbols : symbols & SYMBOL_EMPTY;
    s->result->promoted |= marks == 1 ? men : 0;
    s->result->unpromoted |= marks == 2 ? men : 0;
    return p + 1 + marks;
}

// pieces = piece-letter | "[" piece-letter { piece-letter } "]"
//        | uni-piece { uni-piece } | "[" uni-piece { uni-piece } "]"
static const char *scan_pieces(Scanner *s, const char *text, uint32_t *pieces)
{
    *pieces = 0;
    const char *end = scan_letter(s, text, pieces);
    if (end != NULL)
        return end;
    const bool bracket = *text == '[';
    const char *inside = text + bracket, *p = inside;
    for (const char *next; bracket && (next = scan_letter(s, p, pieces)) != NULL;)
        p = next;
    if (p == inside)
        p = scan_symbols(s, inside, pieces);
    if (p == inside && !(bracket && s->rules->empty_lists))
        return NULL;
    if (!bracket)
        return p;
    return *p == ']' ? p + 1 : NULL;
}

// ---- designators -----------------------------------------------------------------------------------------

// Reads squares at `text` that end the designator. A mistake in them is reported whatever follows.
static bool ends_with_squares(Scanner *s, const char *text)
{
    DesignatorScan *d = s->result;
    const char *end = scan_squares(s, text, &d->mask);
    if (end == NULL || (d->mistake == NULL && !s->rules->may_end(end)))
        return false;
    d->length = (size_t)(end - s->start);
    d->has_squares = true;
    return true;
}

// designator = squares | pieces squares | pieces
DesignatorScan designator_scan(const DesignatorRules *rules, const char *text)
{
    DesignatorScan d = {.pieces = ANY_SQUARE};
    Scanner s = {rules, text, &d};
    if (rules->squares_alone && ends_with_squares(&s, text))
        return d;
    d = (DesignatorScan){.has_pieces = true};
    const char *end = scan_pieces(&s, text, &d.pieces);
    if (end == NULL)
        return (DesignatorScan){0};
    if (ends_with_squares(&s, end))
        return d;
    d.mask = ~(Bitboard)0;
    if (d.mistake == NULL && !rules->may_end(end))
        return (DesignatorScan){0};
    d.length = (size_t)(end - text);
    return d;
}

// ---- parts of designators --------------------------------------------------------------------------------

const char *designator_squares(const DesignatorRules *rules, const char *text, Bitboard *mask)
{
    DesignatorScan d = {.mistake = NULL};
    const char *end = scan_squares(&(Scanner){rules, text, &d}, text, mask);
    return d.mistake == NULL ? end : NULL;
}

const char *designator_pieces(const DesignatorRules *rules, const char *text, uint32_t *pieces)
{
    DesignatorScan d = {.mistake = NULL};
    const char *end = scan_pieces(&(Scanner){rules, text, &d}, text, pieces);
    return d.mistake == NULL ? end : NULL;
}
