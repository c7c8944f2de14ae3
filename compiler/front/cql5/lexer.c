// The lexer of CQL 5 (language reference 11.1, 11.9).
#include "lexer.h"

#include <limits.h>
#include <string.h>

#include "compiler/front/detect/dialect.h"
#include "compiler/front/kit/recover.h"
#include "compiler/front/cql6/token.h"

const Cql5WordInfo cql5_words[CQL5_WORD_COUNT] = {
#define CQL5_WORD(name, word, group, op, modern, help) {word, GROUP_##group, op, modern, help},
#include "words.def"
};

enum { MAX_TOKEN = 99, MAX_STRING = 499, MAX_NAME = 40 };

typedef struct Lexer {
    Arena *arena;
    const Source *source;
    Diagnostics *diagnostics;
    bool old; // 5.1
    Cql5Token *token;
    int count;
} Lexer;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_mark(char c)
{
    return c != '\0' && strchr("(){}*+?", c) != NULL;
}

static bool is_letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// ---- designators -----------------------------------------------------------------------------------------

// block = file [ "-" file ] rank [ "-" rank ]; returns its end, or NULL. *reversed: a range goes down.
static const char *scan_block(const char *p, Bitboard *mask, bool *reversed)
{
    if (*p < 'a' || *p > 'h')
        return NULL;
    int file = *p++ - 'a', last_file = file;
    if (p[0] == '-' && p[1] >= 'a' && p[1] <= 'h') {
        last_file = p[1] - 'a';
        p += 2;
    }
    if (*p < '1' || *p > '8')
        return NULL;
    int rank = *p++ - '1', last_rank = rank;
    if (p[0] == '-' && p[1] >= '1' && p[1] <= '8') {
        last_rank = p[1] - '1';
        p += 2;
    }
    *reversed |= last_file < file || last_rank < rank;
    for (int r = rank; r <= last_rank; r++)
        for (int f = file; f <= last_file; f++)
            *mask |= (Bitboard)1 << (8 * r + f);
    return p;
}

// squares = block | "[" block { "," block } "]"
static const char *scan_squares(const char *p, Bitboard *mask, bool *reversed)
{
    if (*p != '[')
        return scan_block(p, mask, reversed);
    do
        p = scan_block(p + 1, mask, reversed);
    while (p != NULL && *p == ',');
    return p != NULL && *p == ']' ? p + 1 : NULL;
}

// The symbols of a piece letter, 0 when it is none.
static uint32_t symbols_of(const Lexer *x, char c)
{
    if (c == 'U')
        return SYMBOL_WHITE | SYMBOL_BLACK;
    if (c == '_' || c == '.')
        return c == (x->old ? '.' : '_') ? SYMBOL_EMPTY : 0;
    return symbol_of(c);
}

// pieces = piece | "[" piece { piece } "]"
static const char *scan_pieces(const Lexer *x, const char *p, uint32_t *pieces)
{
    if (*p != '[') {
        *pieces = symbols_of(x, *p);
        return *pieces != 0 ? p + 1 : NULL;
    }
    for (p++; symbols_of(x, *p) != 0; p++)
        *pieces |= symbols_of(x, *p);
    return *pieces != 0 && *p == ']' ? p + 1 : NULL;
}

// { "$" name } to the end of the token; false when something else stands there.
static bool scan_variables(Lexer *x, const char *p, Cql5Token *t)
{
    while (*p == '$') {
        const char *start = p++;
        while (is_letter_or_digit(*p))
            p++;
        if (p == start + 1 || p - start > MAX_NAME + 1)
            return false;
        const char *name = arena_copy(x->arena, start, (size_t)(p - start));
        ARENA_PUSH(x->arena, t->variable, t->variable_count, name);
    }
    return *p == '\0';
}

// designator = [ pieces ] [ squares ] { variable }
static bool scan_designator(Lexer *x, Cql5Token *t, bool with_pieces, bool with_squares)
{
    const char *p = t->bytes;
    bool reversed = false;
    t->pieces = with_pieces ? 0 : ANY_SQUARE;
    t->mask = with_squares ? 0 : ~(Bitboard)0;
    t->variable_count = 0;
    if (with_pieces)
        p = scan_pieces(x, p, &t->pieces);
    if (p != NULL && with_squares)
        p = scan_squares(p, &t->mask, &reversed);
    if (p == NULL || !scan_variables(x, p, t))
        return false;
    t->has_pieces = with_pieces;
    t->has_squares = with_squares;
    if (reversed)
        diag_add(x->diagnostics, DIAG_ERROR, t->span,
                 "reversed range of squares in `%s`: write the smaller end first", t->bytes);
    return true;
}

static bool is_designator(Lexer *x, Cql5Token *t)
{
    return scan_designator(x, t, false, true) || scan_designator(x, t, true, true) ||
           scan_designator(x, t, true, false) || (t->bytes[0] == '$' && scan_designator(x, t, false, false));
}

// ---- tokens ----------------------------------------------------------------------------------------------

static bool is_word(Cql5Token *t)
{
    const char *text = t->bytes + (t->bytes[0] == ':');
    for (int i = 0; i < CQL5_WORD_COUNT; i++) {
        if (strcmp(text, cql5_words[i].word) == 0) {
            t->word = (Cql5WordId)i;
            return true;
        }
    }
    return false;
}

static bool is_integer(Lexer *x, Cql5Token *t)
{
    const char *p = t->bytes + (t->bytes[0] == '-');
    if (*p == '\0' || p[strspn(p, "0123456789")] != '\0')
        return false;
    int64_t value = 0;
    for (; *p != '\0' && value <= INT_MAX; p++)
        value = 10 * value + (*p - '0');
    if (value > INT_MAX)
        diag_add(x->diagnostics, DIAG_ERROR, t->span, "the number `%s` is too large", t->bytes);
    t->number = (int32_t)(t->bytes[0] == '-' ? -value : value);
    return true;
}

static bool is_result(const char *text)
{
    return strcmp(text, "1-0") == 0 || strcmp(text, "0-1") == 0 || strcmp(text, "1/2-1/2") == 0;
}

// A word of letters, digits, `. / - _` that ends as names of games do.
static bool is_file_name(const Cql5Token *t)
{
    for (uint32_t i = 0; i < t->length; i++) {
        const char c = t->bytes[i];
        if (!is_letter_or_digit(c) && strchr("./-_", c) == NULL && (unsigned char)c < 0x80)
            return false;
    }
    return is_pgn_name(t->bytes, t->length);
}

// With the empty square of the other version the token would be a designator.
static bool is_of_other_version(Lexer *x, const Cql5Token *t)
{
    char *text = arena_copy(x->arena, t->bytes, t->length);
    const char theirs = x->old ? '_' : '.', ours = x->old ? '.' : '_';
    for (char *p = text; *p != '\0'; p++)
        *p = *p == theirs ? ours : *p;
    Cql5Token other = *t;
    other.bytes = text;
    return is_designator(x, &other);
}

// The token stands where a file is named.
static bool is_name_of_file(const Lexer *x)
{
    const Cql5Token *before = x->count > 0 ? &x->token[x->count - 1] : NULL;
    return before != NULL && before->kind == CQL5_KEYWORD &&
           (before->word == CQL5_INPUT || before->word == CQL5_PGN || before->word == CQL5_OUTPUT);
}

static void refuse(Lexer *x, const Cql5Token *t)
{
    if (is_name_of_file(x)) {
        diag_add(x->diagnostics, DIAG_ERROR, t->span,
                 "expected the name of a file that ends in `.pgn`, of letters, digits, `.`, `/`, `-`, `_` or "
                 "between double quotes, found `%s`",
                 t->bytes);
        return;
    }
    if (is_of_other_version(x, t)) {
        diag_add(
            x->diagnostics, DIAG_ERROR, t->span,
            x->old ? "`%s`: in CQL 5.1 `.` is the empty square, not `_`; for CQL 5.2 write `; dialect: cql5`"
                   : "`%s`: `_` is the empty square, as in CQL 6.2; for CQL 5.1 write `; dialect: cql51`",
            t->bytes);
        return;
    }
    if (op_from_word(t->bytes, t->length) >= 0) {
        diag_add(x->diagnostics, DIAG_ERROR, t->span, "`%s` is a word of CQL 6.2 that CQL 5 does not have",
                 t->bytes);
        return;
    }
    const char *names[CQL5_WORD_COUNT];
    for (int i = 0; i < CQL5_WORD_COUNT; i++)
        names[i] = cql5_words[i].word;
    diag_add(x->diagnostics, DIAG_ERROR, t->span, "`%s` is no word, number or piece designator of CQL 5",
             t->bytes);
    diag_suggest(x->diagnostics, t->bytes, t->length, names, CQL5_WORD_COUNT);
}

static Cql5Kind kind_of(Lexer *x, Cql5Token *t)
{
    if (is_word(t))
        return CQL5_KEYWORD;
    if (is_integer(x, t))
        return CQL5_INTEGER;
    if (!x->old && strcmp(t->bytes, ".") == 0)
        return CQL5_ALL_SQUARES;
    if (is_designator(x, t))
        return CQL5_DESIGNATOR;
    if (is_result(t->bytes) || is_file_name(t))
        return CQL5_OTHER;
    refuse(x, t);
    return CQL5_BAD;
}

static void classify(Lexer *x, Cql5Token *t)
{
    const bool has_nul = memchr(t->bytes, '\0', t->length) != NULL;
    if (has_nul)
        diag_add(x->diagnostics, DIAG_ERROR, t->span, "this token holds a NUL byte");
    else if (t->length > MAX_TOKEN)
        diag_add(x->diagnostics, DIAG_ERROR, t->span, "this token is longer than %d characters", MAX_TOKEN);
    t->kind = has_nul || t->length > MAX_TOKEN ? CQL5_BAD : kind_of(x, t);
}

static void push(Lexer *x, Cql5Token t)
{
    ARENA_PUSH(x->arena, x->token, x->count, t);
}

// A string; returns its end.
static size_t lex_string(Lexer *x, size_t start)
{
    const char *text = x->source->text;
    size_t end = start + 1;
    while (end < x->source->length && text[end] != '"' && text[end] != '\n')
        end++;
    Cql5Token t = {.kind = CQL5_STRING, .span = {(uint32_t)start, (uint32_t)end + 1}};
    if (end >= x->source->length || text[end] != '"') {
        t.span.end = (uint32_t)end;
        diag_add(x->diagnostics, DIAG_ERROR, t.span, "this string has no closing quote on its line");
        t.kind = CQL5_BAD;
        t.bytes = "";
        push(x, t);
        return end;
    }
    t.length = (uint32_t)(end - start - 1);
    t.bytes = arena_copy(x->arena, text + start + 1, t.length);
    if (t.length == 0 || t.length > MAX_STRING)
        diag_add(x->diagnostics, DIAG_ERROR, t.span, "a string has 1 to %d characters", MAX_STRING);
    push(x, t);
    return end + 1;
}

// One token that is no string; returns its end.
static size_t lex_token(Lexer *x, size_t start)
{
    const char *text = x->source->text;
    if (is_mark(text[start])) {
        push(x, (Cql5Token){.kind = CQL5_MARK,
                            .mark = text[start],
                            .bytes = arena_copy(x->arena, text + start, 1),
                            .length = 1,
                            .span = {(uint32_t)start, (uint32_t)start + 1}});
        return start + 1;
    }
    size_t end = start;
    while (end < x->source->length && !is_space(text[end]) && !is_mark(text[end]))
        end++;
    Cql5Token t = {.length = (uint32_t)(end - start), .span = {(uint32_t)start, (uint32_t)end}};
    t.bytes = arena_copy(x->arena, text + start, t.length);
    classify(x, &t);
    push(x, t);
    return end;
}

Cql5Tokens cql5_lex(Arena *arena, const Source *source, Diagnostics *diagnostics, bool old)
{
    Lexer x = {.arena = arena, .source = source, .diagnostics = diagnostics, .old = old};
    const char *text = source->text;
    size_t i = dialect_preamble(text, source->length);
    while (i < source->length && diagnostics->errors < RECOVER_MAX_ERRORS) {
        if (is_space(text[i]))
            i++;
        else if (text[i] == ';')
            while (i < source->length && text[i] != '\n')
                i++;
        else
            i = text[i] == '"' ? lex_string(&x, i) : lex_token(&x, i);
    }
    push(&x, (Cql5Token){.kind = CQL5_END,
                         .bytes = "",
                         .span = {(uint32_t)source->length, (uint32_t)source->length}});
    return (Cql5Tokens){x.token, x.count};
}
