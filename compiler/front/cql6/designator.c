// Piece designators (language reference 1.10): `Ra1`, `[Qq]a-h1-8`, `♖♜[a1,b2]`.
#include "compiler/language/ast.h"
#include "lexer.h"

#include <string.h>

// ---- squares ---------------------------------------------------------------------------------------------

typedef struct Scanner {
    const char *start; // of the designator
    Designator *result;
} Scanner;

static void note_mistake(Scanner *s, const char *mistake, const char *from, const char *to)
{
    if (s->result->mistake != NULL)
        return;
    s->result->mistake = mistake;
    s->result->mistake_start = (size_t)(from - s->start);
    s->result->mistake_length = (size_t)(to - from);
}

static Bitboard block_mask(int file, int last_file, int rank, int last_rank)
{
    Bitboard mask = 0;
    for (int r = rank; r <= last_rank; r++)
        for (int f = file; f <= last_file; f++)
            mask |= (Bitboard)1 << (8 * r + f);
    return mask;
}

// block = file , [ "-" , file ] , rank , [ "-" , rank ]
// Adds its squares to *mask. Returns the end, or NULL when there is no block here.
static const char *scan_block(Scanner *s, const char *text, Bitboard *mask)
{
    const char *p = text;
    if (!is_file(*p))
        return NULL;
    int file = *p++ - 'a', last_file = file;
    if (p[0] == '-' && is_file(p[1])) {
        last_file = p[1] - 'a';
        p += 2;
    }
    if (!is_rank(*p))
        return NULL;
    int rank = *p++ - '1', last_rank = rank;
    if (p[0] == '-' && is_rank(p[1])) {
        last_rank = p[1] - '1';
        p += 2;
    }
    if (last_file < file)
        note_mistake(s, "reversed range of files: the first file must not be to the right of the second",
                     text, p);
    if (last_rank < rank)
        note_mistake(s, "reversed range of ranks: the first rank must not be above the second", text, p);
    *mask |= block_mask(file, last_file, rank, last_rank);
    return p;
}

// squares = block | "[" , block , { "," , block } , "]"
static const char *scan_squares(Scanner *s, const char *text, Bitboard *mask)
{
    if (*text != '[')
        return scan_block(s, text, mask);
    const char *p = text;
    do {
        p = scan_block(s, p + 1, mask);
    } while (p != NULL && *p == ',');
    return p != NULL && *p == ']' ? p + 1 : NULL;
}

// ---- pieces ----------------------------------------------------------------------------------------------

typedef struct PieceSymbol {
    const char *text;
    uint32_t symbols;
} PieceSymbol;

static const PieceSymbol ascii_pieces[] = {
    {"K", 1 << WHITE_KING},   {"Q", 1 << WHITE_QUEEN},  {"R", 1 << WHITE_ROOK},   {"B", 1 << WHITE_BISHOP},
    {"N", 1 << WHITE_KNIGHT}, {"P", 1 << WHITE_PAWN},   {"k", 1 << BLACK_KING},   {"q", 1 << BLACK_QUEEN},
    {"r", 1 << BLACK_ROOK},   {"b", 1 << BLACK_BISHOP}, {"n", 1 << BLACK_KNIGHT}, {"p", 1 << BLACK_PAWN},
    {"A", SYMBOL_WHITE},      {"a", SYMBOL_BLACK},      {"_", SYMBOL_EMPTY},      {NULL, 0}};

static const PieceSymbol unicode_pieces[] = {{"♔", 1 << WHITE_KING},
                                             {"♕", 1 << WHITE_QUEEN},
                                             {"♖", 1 << WHITE_ROOK},
                                             {"♗", 1 << WHITE_BISHOP},
                                             {"♘", 1 << WHITE_KNIGHT},
                                             {"♙", 1 << WHITE_PAWN},
                                             {"♚", 1 << BLACK_KING},
                                             {"♛", 1 << BLACK_QUEEN},
                                             {"♜", 1 << BLACK_ROOK},
                                             {"♝", 1 << BLACK_BISHOP},
                                             {"♞", 1 << BLACK_KNIGHT},
                                             {"♟", 1 << BLACK_PAWN},
                                             {"△", SYMBOL_WHITE},
                                             {"▲", SYMBOL_BLACK},
                                             {"◭", SYMBOL_WHITE | SYMBOL_BLACK},
                                             {"□", SYMBOL_EMPTY},
                                             {NULL, 0}};

static const PieceSymbol *find_piece(const PieceSymbol *table, const char *text)
{
    for (const PieceSymbol *piece = table; piece->text != NULL; piece++)
        if (strncmp(text, piece->text, strlen(piece->text)) == 0)
            return piece;
    return NULL;
}

size_t designator_symbol_length(const char *text)
{
    const PieceSymbol *piece = find_piece(unicode_pieces, text);
    return piece ? strlen(piece->text) : 0;
}

uint32_t designator_piece(const char *text, size_t *length)
{
    const PieceSymbol *piece = find_piece(ascii_pieces, text);
    if (piece == NULL)
        piece = find_piece(unicode_pieces, text);
    *length = piece ? strlen(piece->text) : 0;
    return piece ? piece->symbols : 0;
}

const char *designator_spelling(uint32_t symbols, bool unicode)
{
    const PieceSymbol *piece = unicode ? unicode_pieces : ascii_pieces;
    while (piece->text != NULL && piece->symbols != symbols)
        piece++;
    return piece->text;
}

// { piece-letter }
static const char *scan_letters(const char *text, uint32_t *pieces)
{
    const PieceSymbol *piece;
    for (; (piece = find_piece(ascii_pieces, text)) != NULL; text++)
        *pieces |= piece->symbols;
    return text;
}

// { uni-piece }, each at most once
static const char *scan_symbols(Scanner *s, const char *text, uint32_t *pieces)
{
    const PieceSymbol *piece;
    while ((piece = find_piece(unicode_pieces, text)) != NULL) {
        const char *next = text + strlen(piece->text);
        if (*pieces & piece->symbols)
            note_mistake(s, "a non-ASCII piece may stand only once in a designator", text, next);
        *pieces |= piece->symbols;
        text = next;
    }
    return text;
}

// pieces = piece-letter | "[" , piece-letter , { piece-letter } , "]"
//        | uni-piece , { uni-piece } | "[" , uni-piece , { uni-piece } , "]"
// Returns the end, or NULL when there are no pieces here.
static const char *scan_pieces(Scanner *s, const char *text, uint32_t *pieces)
{
    const PieceSymbol *letter = find_piece(ascii_pieces, text);
    if (letter != NULL) {
        *pieces = letter->symbols;
        return text + 1;
    }
    bool bracket = *text == '[';
    const char *inside = text + bracket, *p = inside;
    if (bracket)
        p = scan_letters(inside, pieces);
    if (p == inside)
        p = scan_symbols(s, inside, pieces);
    if (p == inside)
        return NULL;
    if (!bracket)
        return p;
    return *p == ']' ? p + 1 : NULL;
}

// ---- designators -----------------------------------------------------------------------------------------

// 1.10.3: what may follow a designator.
static bool may_end_before(const char *text)
{
    if (*text == '[')
        return strncmp(text, "[x]", 3) == 0;
    return *text != ']' && !is_word_byte(*text);
}

// designator = squares | pieces , squares | pieces
Designator designator_scan(const char *text)
{
    Designator d = {0};
    Scanner s = {text, &d};

    const char *end = scan_squares(&s, text, &d.mask);
    if (end != NULL && (d.mistake != NULL || may_end_before(end))) {
        d.length = (size_t)(end - text);
        d.pieces = ANY_SQUARE;
        d.has_squares = true;
        return d;
    }
    d = (Designator){0};
    const char *pieces_end = scan_pieces(&s, text, &d.pieces);
    if (pieces_end == NULL)
        return (Designator){0};
    end = scan_squares(&s, pieces_end, &d.mask);
    if (end != NULL && (d.mistake != NULL || may_end_before(end))) {
        d.length = (size_t)(end - text);
        d.has_squares = true;
        return d;
    }
    d.mask = ~(Bitboard)0;
    if (d.mistake != NULL || may_end_before(pieces_end)) {
        d.length = (size_t)(pieces_end - text);
        return d;
    }
    return (Designator){0};
}
