// The lexer of CQL 5 (language reference 11.1, 11.9).
#include "lexer.h"

#include <limits.h>
#include <string.h>

#include "compiler/front/shared/characters.h"
#include "compiler/front/shared/designator.h"
#include "compiler/front/shared/preamble.h"
#include "compiler/front/shared/parser.h"

enum { MAX_TOKEN = 99, MAX_STRING = 499, MAX_NAME = 40 };

typedef struct Lexer {
    Arena *arena;
    const Source *source;
    Diagnostics *diagnostics;
    bool old; // 5.1
    Token *token;
    int count;
} Lexer;

// The punctuation at which a token ends, or -1.
static int mark_of(char c)
{
    static const enum Punctuation marks[] = {PUNCT_LEFT_PAREN,  PUNCT_RIGHT_PAREN, PUNCT_LEFT_BRACE,
                                             PUNCT_RIGHT_BRACE, PUNCT_STAR,        PUNCT_PLUS,
                                             PUNCT_QUESTION};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (punctuation_spelling[marks[i]][0] == c)
            return (int)marks[i];
    return -1;
}

static bool is_letter_or_digit(char c)
{
    return is_letter(c) || is_digit(c);
}

// ---- designators -----------------------------------------------------------------------------------------

// { "$" name } to the end of the token: their number, -1 when something else follows.
static int count_variables(const char *p)
{
    int count = 0;
    for (; *p == '$'; count++) {
        const char *start = p++;
        while (is_letter_or_digit(*p))
            p++;
        if (p == start + 1 || p - start > MAX_NAME + 1)
            return -1;
    }
    return *p == '\0' ? count : -1;
}

const char *cql5_variable_name(Arena *arena, const Token *designator, int i)
{
    const char *start = strchr(designator->bytes, '$');
    for (; i > 0; i--)
        start = strchr(start + 1, '$');
    return arena_copy(arena, start, 1 + strcspn(start + 1, "$"));
}

static bool ends_or_names_variable(const char *after)
{
    return *after == '\0' || *after == '$';
}

// designator = [ pieces ] [ squares ] { variable }
static bool is_designator(Lexer *x, Token *t)
{
    const DesignatorRules rules = {.more_letters = x->old ? "U." : "U_",
                                   .squares_alone = true,
                                   .ranges_alone = true,
                                   .may_end = ends_or_names_variable};
    const DesignatorScan d = designator_scan(&rules, t->bytes);
    t->number = count_variables(t->bytes + d.length);
    if ((d.length == 0 && t->bytes[0] != '$') || t->number < 0)
        return false;
    t->pieces = d.length > 0 ? d.pieces : ANY_SQUARE;
    t->mask = d.length > 0 ? d.mask : ~(Bitboard)0;
    t->flags = (d.has_pieces ? TOKEN_HAS_PIECES : 0) | (d.has_squares ? TOKEN_HAS_SQUARES : 0);
    const uint32_t start = t->span.start + (uint32_t)d.mistake_start;
    if (d.mistake != NULL)
        diag_add(x->diagnostics, DIAG_ERROR, (Span){start, start + (uint32_t)d.mistake_length}, "%s",
                 d.mistake);
    return true;
}

// ---- tokens ----------------------------------------------------------------------------------------------

static bool is_integer(Lexer *x, Token *t)
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

// A word of letters, digits and `. / - _` that ends like the name of a PGN file.
static bool is_file_name(const Token *t)
{
    for (uint32_t i = 0; i < t->length; i++) {
        const char c = t->bytes[i];
        if (!is_letter_or_digit(c) && strchr("./-_", c) == NULL && (unsigned char)c < 0x80)
            return false;
    }
    return is_pgn_name(t->bytes, t->length);
}

// The token would be a designator in the other version, which writes the empty square differently.
static bool is_of_other_version(Lexer *x, const Token *t)
{
    char *text = arena_copy(x->arena, t->bytes, t->length);
    const char theirs = x->old ? '_' : '.', ours = x->old ? '.' : '_';
    for (char *p = text; *p != '\0'; p++)
        *p = *p == theirs ? ours : *p;
    Token other = *t;
    other.bytes = text;
    return is_designator(x, &other);
}

// A file name is expected here.
static bool is_name_of_file(const Lexer *x)
{
    const Token *before = x->count > 0 ? &x->token[x->count - 1] : NULL;
    return before != NULL && before->kind == TOKEN_WORD &&
           (before->op == OP_WORD_INPUT || before->op == OP_CQL5_PGN || before->op == OP_WORD_OUTPUT);
}

static void refuse(Lexer *x, const Token *t)
{
    if (is_name_of_file(x)) {
        diag_add(x->diagnostics, DIAG_ERROR, t->span,
                 "expected a file name that ends in `.pgn`, of letters, digits, `.`, `/`, `-`, `_` or "
                 "in double quotes, found `%s`",
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
    if (op_from_word(t->bytes, t->length, IN_CQL6) >= 0) {
        diag_add(x->diagnostics, DIAG_ERROR, t->span, "`%s` is a word of CQL 6.2 that CQL 5 does not have",
                 t->bytes);
        return;
    }
    size_t count;
    const char *const *names = op_words(IN_CQL5, &count);
    diag_add(x->diagnostics, DIAG_ERROR, t->span, "`%s` is not a word, number or piece designator of CQL 5",
             t->bytes);
    diag_suggest(x->diagnostics, t->bytes, t->length, names, count);
}

static TokenKind kind_of(Lexer *x, Token *t)
{
    const bool colon = t->bytes[0] == ':';
    t->op = (int16_t)op_from_word(t->bytes + colon, t->length - colon, IN_CQL5);
    if (t->op >= 0)
        return TOKEN_WORD;
    if (is_integer(x, t))
        return TOKEN_INTEGER;
    if (is_designator(x, t))
        return TOKEN_DESIGNATOR;
    t->number = PUNCT_DOT;
    if (!x->old && strcmp(t->bytes, ".") == 0)
        return TOKEN_PUNCTUATION;
    t->number = result_number(t->bytes);
    if (t->number >= 0)
        return TOKEN_RESULT;
    if (is_file_name(t))
        return TOKEN_FILE;
    refuse(x, t);
    return TOKEN_ERROR;
}

static void classify(Lexer *x, Token *t)
{
    const bool has_nul = memchr(t->bytes, '\0', t->length) != NULL;
    if (has_nul)
        diag_add(x->diagnostics, DIAG_ERROR, t->span, "this token contains a NUL byte");
    else if (t->length > MAX_TOKEN)
        diag_add(x->diagnostics, DIAG_ERROR, t->span, "this token is longer than %d characters", MAX_TOKEN);
    t->kind = has_nul || t->length > MAX_TOKEN ? TOKEN_ERROR : kind_of(x, t);
}

static void push(Lexer *x, Token t)
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
    Token t = {.kind = TOKEN_STRING, .span = {(uint32_t)start, (uint32_t)end + 1}};
    if (end >= x->source->length || text[end] != '"') {
        t.span.end = (uint32_t)end;
        diag_add(x->diagnostics, DIAG_ERROR, t.span, "this string has no closing quote on its line");
        t.kind = TOKEN_ERROR;
        t.bytes = "";
        push(x, t);
        return end;
    }
    size_t length = end - start - 1;
    t.bytes = token_string(x->arena, text + start + 1, &length);
    t.length = (uint32_t)length;
    if (t.length == 0 || t.length > MAX_STRING)
        diag_add(x->diagnostics, DIAG_ERROR, t.span, "a string has 1 to %d characters", MAX_STRING);
    push(x, t);
    return end + 1;
}

// One token that is not a string; returns its end.
static size_t lex_token(Lexer *x, size_t start)
{
    const char *text = x->source->text;
    const int mark = mark_of(text[start]);
    if (mark >= 0) {
        push(x, (Token){.kind = TOKEN_PUNCTUATION,
                        .number = mark,
                        .span = {(uint32_t)start, (uint32_t)start + 1}});
        return start + 1;
    }
    size_t end = start;
    while (end < x->source->length && !is_space(text[end]) && mark_of(text[end]) < 0)
        end++;
    Token t = {.length = (uint32_t)(end - start), .span = {(uint32_t)start, (uint32_t)end}};
    t.bytes = arena_copy(x->arena, text + start, t.length);
    classify(x, &t);
    push(x, t);
    return end;
}

TokenList cql5_lex(Arena *arena, const Source *source, Diagnostics *diagnostics, bool old)
{
    Lexer x = {.arena = arena, .source = source, .diagnostics = diagnostics, .old = old};
    const char *text = source->text;
    size_t i = preamble_end(text, source->length);
    while (i < source->length && diagnostics->errors < PARSER_MAX_ERRORS) {
        if (is_space(text[i]))
            i++;
        else if (text[i] == ';')
            while (i < source->length && text[i] != '\n')
                i++;
        else
            i = text[i] == '"' ? lex_string(&x, i) : lex_token(&x, i);
    }
    // The end of the query is shown right after its last token, where something may be missing.
    const uint32_t end = x.count > 0 ? x.token[x.count - 1].span.end : (uint32_t)source->length;
    push(&x, (Token){.kind = TOKEN_END, .bytes = "", .span = {end, end}});
    return (TokenList){x.token, x.count};
}
