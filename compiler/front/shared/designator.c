// Piece designators: `Ra1`, `[Qq]a-h1-8`, `♖♜[a1,b2]`.
#include "designator.h"

#include <string.h>

#include "characters.h"
#include "compiler/language/ast.h"

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

static Bitboard block_mask(int file, int last_file, int rank, int last_rank)
{
    Bitboard mask = 0;
    for (int r = rank; r <= last_rank; r++)
        for (int f = file; f <= last_file; f++)
            mask |= (Bitboard)1 << (8 * r + f);
    return mask;
}

// side = letter [ "-" letter ] | "?", the letters being the eight from `first` on. Returns its end, or NULL.
static const char *scan_side(const DesignatorRules *rules, const char *p, char first, bool ranges, int *low,
                             int *high)
{
    *low = 0;
    *high = 7;
    if (*p == '?' && rules->any_side)
        return p + 1;
    if (*p < first || *p > first + 7)
        return NULL;
    *low = *high = *p++ - first;
    if (!ranges || p[0] != '-' || p[1] < first || p[1] > first + 7)
        return p;
    *high = p[1] - first;
    return p + 2;
}

// block = files ranks: adds its squares to *mask. Returns its end, or NULL when no block begins here.
static const char *scan_block(Scanner *s, const char *text, bool ranges, Bitboard *mask)
{
    int file, last_file, rank, last_rank;
    const char *p = scan_side(s->rules, text, 'a', ranges, &file, &last_file);
    if (p != NULL)
        p = scan_side(s->rules, p, '1', ranges, &rank, &last_rank);
    if (p == NULL)
        return NULL;
    if (last_file < file)
        note_mistake(s, "reversed range of files: the first file must not be to the right of the second",
                     text, p);
    if (last_rank < rank)
        note_mistake(s, "reversed range of ranks: the first rank must not be above the second", text, p);
    *mask |= block_mask(file, last_file, rank, last_rank);
    return p;
}

// squares = block | "[" block { "," block } "]"
static const char *scan_squares(Scanner *s, const char *text, Bitboard *mask)
{
    if (*text != '[')
        return scan_block(s, text, s->rules->ranges_alone, mask);
    if (text[1] == ']' && s->rules->empty_lists)
        return text + 2;
    const char *p = text;
    do {
        p = scan_block(s, p + 1, true, mask);
    } while (p != NULL && *p == ',');
    return p != NULL && *p == ']' ? p + 1 : NULL;
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

// pieces = piece-letter | "[" piece-letter { piece-letter } "]"
//        | uni-piece { uni-piece } | "[" uni-piece { uni-piece } "]"
static const char *scan_pieces(Scanner *s, const char *text, uint32_t *pieces)
{
    *pieces = letter_symbols(s->rules, *text);
    if (*pieces != 0)
        return text + 1;
    const bool bracket = *text == '[';
    const char *inside = text + bracket, *p = inside;
    for (uint32_t symbols; bracket && (symbols = letter_symbols(s->rules, *p)) != 0; p++)
        *pieces |= symbols;
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
