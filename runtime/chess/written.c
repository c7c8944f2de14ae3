// Reads a position as people write it: a FEN with all that tells positions apart, or the moves that lead to it.
#include <string.h>

#include "chess.h"
#include "runtime/value/ascii.h"

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

typedef struct Reader {
    const char *text, *next, *end;
    size_t *fault, *fault_length;
    FenClocks *clocks;
} Reader;

// The next word; its length is 0 at the end.
static const char *next_word(Reader *r, size_t *length)
{
    while (r->next < r->end && is_space(*r->next))
        r->next++;
    const char *word = r->next;
    while (r->next < r->end && !is_space(*r->next))
        r->next++;
    *length = (size_t)(r->next - word);
    return word;
}

static const char *fault_at(const Reader *r, const char *place, size_t length, const char *message)
{
    *r->fault = (size_t)(place - r->text);
    *r->fault_length = length;
    return message;
}

// ---- FEN --------------------------------------------------------------------------------------------------

static bool only(const char *p, size_t length, const char *allowed)
{
    for (size_t i = 0; i < length; i++)
        if (p[i] == '\0' || strchr(allowed, p[i]) == NULL)
            return false;
    return true;
}

static bool has_twice(const char *p, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (memchr(p, p[i], i) != NULL)
            return true;
    return false;
}

// By the number of the field.
static const char *const expected[] = {
    NULL,
    NULL,
    "expected the castling rights of the FEN (`KQkq`, some of these letters, letters of files, or `-`)",
    "expected the en passant square of the FEN (like `e3` or `-`)",
    "expected the number of half-moves of the FEN, or its end",
    "expected the number of the move of the FEN, or its end"};
enum { FIELDS = sizeof expected / sizeof *expected, LEAST_FIELDS = 4 };

static bool is_field(int number, const char *p, size_t length)
{
    const bool none = length == 1 && *p == '-';
    switch (number) {
    case 0: // fen_parse_to has read them
    case 1:
        return true;
    case 2:
        return none || (length <= 4 && only(p, length, "KQkqABCDEFGHabcdefgh") && !has_twice(p, length));
    case 3:
        return none || (length == 2 && *p >= 'a' && *p <= 'h' && (p[1] == '3' || p[1] == '6'));
    default:
        return only(p, length, "0123456789");
    }
}

static const char *read_fen(Reader *r, Position *p)
{
    size_t length, at = 0;
    const char *word = next_word(r, &length);
    const char *wrong = fen_parse_to(r->text, (size_t)(r->end - r->text), p, r->clocks, &at);
    if (wrong != NULL) // all of the board, or a character
        return fault_at(r, r->text + at, r->text + at == word ? length : r->text + at < r->end, wrong);
    r->next = r->text;
    for (int number = 0; number < FIELDS; number++) {
        word = next_word(r, &length);
        if (length == 0 ? number < LEAST_FIELDS : !is_field(number, word, length))
            return fault_at(r, word, length, expected[number]);
    }
    word = next_word(r, &length);
    return length > 0 ? fault_at(r, word, length, "a FEN has at most six fields") : NULL;
}

// ---- moves ------------------------------------------------------------------------------------------------

// `12`, `12.`, `12...` at the front of a word; 0: there is none. `0-0` has none.
static size_t number_length(const char *word, size_t length)
{
    size_t digits = 0, dots = 0;
    while (digits < length && is_digit(word[digits]))
        digits++;
    while (digits + dots < length && word[digits + dots] == '.')
        dots++;
    return dots > 0 || digits == length ? digits + dots : 0;
}

static const char *read_moves(Reader *r, Position *p)
{
    static const char *const wrong[] = {
        [SAN_NOT_A_MOVE] = "expected a FEN, or moves from the first position on like `1.e4 c5 2.Nf3`",
        [SAN_ILLEGAL] = "this move is not legal here",
        [SAN_AMBIGUOUS] = "this move is ambiguous here"};
    size_t length;
    *p = pos_start;
    *r->clocks = (FenClocks){0, 1};
    for (const char *word; word = next_word(r, &length), length > 0;) {
        const size_t number = number_length(word, length);
        const char *move = word + number;
        size_t letters = length - number;
        while (letters > 0 && strchr("+#!?", move[letters - 1]) != NULL)
            letters--;
        if (length == number)
            continue;
        Move m;
        const SanResult result = san_parse(p, move, letters, &m);
        if (result != SAN_OK)
            return fault_at(r, move, length - number, wrong[result]);
        r->clocks->fullmove += p->side == BLACK;
        pos_play(p, m);
    }
    return NULL;
}

// ---- either -----------------------------------------------------------------------------------------------

const char *pos_read(const char *text, size_t length, Position *p, FenClocks *clocks, size_t *fault,
                     size_t *fault_length)
{
    FenClocks unwanted;
    Reader r = {text, text, text + length, fault, fault_length, clocks ? clocks : &unwanted};
    size_t first;
    const char *word = next_word(&r, &first);
    r.next = text;
    return memchr(word, '/', first) != NULL ? read_fen(&r, p) : read_moves(&r, p);
}
