// The lexer (language reference, chapter 1). The rules of 1.2 are the table `rules`, in their order; the
// first that accepts the text at the current place makes the token.
#include "compiler/language/ast.h"
#include "lexer.h"
#include "runtime/value/unicode.h"

#include "runtime/game/view.h"

#include <string.h>

enum { QUERY_BYTES_LIMIT = 10000000 }; // a query must be shorter (1.1)
enum { ERROR_LIMIT = 20 };             // then the text is probably no query at all

typedef struct Lexer {
    Arena *arena;
    Diagnostics *diagnostics;
    const char *text;
    size_t length;
    size_t at; // the current byte
    Token *token;
    int count;
    int line_comment;  // index of the `///` whose line is being read, or -1
    bool blank_before; // there is a blank line before the current byte
    unsigned dialect;  // IN_CQL6 or IN_CQLI
} Lexer;

#define ERROR(lexer, start, end, ...)                                                                        \
    diag_add((lexer)->diagnostics, DIAG_ERROR, (Span){(uint32_t)(start), (uint32_t)(end)}, __VA_ARGS__)

static const char *here(const Lexer *l)
{
    return l->text + l->at;
}

static bool looking_at(const Lexer *l, const char *text)
{
    return strncmp(here(l), text, strlen(text)) == 0;
}

static size_t word_length(const char *text)
{
    if (!is_word_start(*text))
        return 0;
    size_t length = 1;
    while (is_word_byte(text[length]))
        length++;
    return length;
}

// Adds a token of `length` bytes at the current byte and moves past it. The pointer is valid until the next
// push.
static Token *push(Lexer *l, TokenKind kind, size_t length)
{
    Token token = {.kind = kind, .op = -1, .span = {(uint32_t)l->at, (uint32_t)(l->at + length)}};
    if (l->count == 0 || l->token[l->count - 1].span.end != l->at)
        token.flags |= TOKEN_SPACE_BEFORE;
    if (l->blank_before)
        token.flags |= TOKEN_BLANK_BEFORE;
    if (l->line_comment >= 0)
        token.flags |= TOKEN_IN_COMMENT_LINE;
    ARENA_PUSH(l->arena, l->token, l->count, token);
    l->at += length;
    l->blank_before = false;
    return &l->token[l->count - 1];
}

static void set_bytes(Lexer *l, Token *token, const char *bytes, size_t length)
{
    token->bytes = arena_copy(l->arena, bytes, length);
    token->length = (uint32_t)length;
}

// Text that has been reported and that no other token can replace.
static void push_error(Lexer *l, size_t length)
{
    push(l, TOKEN_ERROR, length);
}

static Token *push_word(Lexer *l, int op, size_t length)
{
    Token *token = push(l, TOKEN_WORD, length);
    token->op = (int16_t)op;
    token->bytes = op_info[op].name;
    token->length = (uint32_t)strlen(token->bytes);
    return token;
}

static Token *push_punctuation(Lexer *l, int number, size_t length)
{
    Token *token = push(l, TOKEN_PUNCTUATION, length);
    token->number = number;
    return token;
}

// ---- white space and comments (1.3) ----------------------------------------------------------------------

typedef struct Gap {
    size_t end;        // byte after the white space and comments
    bool blank;        // a blank line is among it
    bool line_ended;   // an LF outside block comments is among it
    bool unterminated; // a `/*` at `end` has no end
} Gap;

// Length of an ordinary comment at `text`: 0 when there is none, or when it is a block comment without an
// end.
static size_t comment_length(const char *text, const char *text_end, bool *unterminated)
{
    bool slashes = text[0] == '/' && text[1] == '/';
    if (slashes && text[2] == '/' && text[3] != '/')
        return 0;
    if (slashes || text[0] == ';') {
        const char *end = memchr(text, '\n', (size_t)(text_end - text));
        return (size_t)((end ? end : text_end) - text);
    }
    if (text[0] != '/' || text[1] != '*')
        return 0;
    for (const char *p = text + 2; p + 1 < text_end; p++)
        if (p[0] == '*' && p[1] == '/')
            return (size_t)(p + 2 - text);
    *unterminated = true;
    return 0;
}

static Gap scan_gap(const Lexer *l, size_t start)
{
    Gap gap = {.end = start};
    bool after_line_feed = false; // only white space since the last LF
    for (; gap.end < l->length;) {
        char c = l->text[gap.end];
        size_t comment = comment_length(l->text + gap.end, l->text + l->length, &gap.unterminated);
        if (comment > 0) {
            after_line_feed = false;
            gap.end += comment;
        } else if (c == '\n') {
            gap.blank |= after_line_feed;
            after_line_feed = gap.line_ended = true;
            gap.end++;
        } else if (c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r') {
            gap.end += strspn(l->text + gap.end, " \t\v\f\r");
        } else {
            break;
        }
    }
    return gap;
}

// Ends the argument list of the open `///` before the token that comes next.
static void close_line_comment(Lexer *l)
{
    if (l->line_comment < 0)
        return;
    Token *token = &l->token[l->line_comment];
    token->number = l->count;
    if (token->number == l->line_comment + 1) {
        ERROR(l, token->span.start, token->span.end,
              "`///` needs an argument on its line; an ordinary comment begins with `//`");
        token->kind = TOKEN_ERROR;
    }
    l->line_comment = -1;
}

// Rule 3. Returns false when nothing can follow.
static bool skip_gap(Lexer *l)
{
    Gap gap = scan_gap(l, l->at);
    l->at = gap.end;
    l->blank_before |= gap.blank;
    if (gap.line_ended)
        close_line_comment(l);
    if (gap.unterminated) {
        ERROR(l, gap.end, gap.end + 2,
              "the comment `/*` is never closed: no `*/` before the end of the query");
        push_error(l, l->length - l->at);
    }
    return l->at < l->length;
}

// ---- the rules, in the order of 1.2 ----------------------------------------------------------------------

static Token *push_designator(Lexer *l, const DesignatorScan *d)
{
    if (d->mistake != NULL) {
        size_t start = l->at + d->mistake_start;
        ERROR(l, start, start + d->mistake_length, "%s", d->mistake);
    }
    Token *token = push(l, TOKEN_DESIGNATOR, d->length);
    token->mask = d->mask;
    token->pieces = d->pieces;
    return token;
}

// 1.10.3: what may follow a designator.
static bool may_follow_designator(const char *text)
{
    if (*text == '[')
        return strncmp(text, "[x]", 3) == 0;
    return *text != ']' && !is_word_byte(*text);
}

static const DesignatorRules designator_rules = {.more_letters = "_",
                                                 .unicode = true,
                                                 .squares_alone = true,
                                                 .ranges_alone = true,
                                                 .may_end = may_follow_designator};

// Rule 1, 1.10.4: `[Aa]` or `◭` before the name of a piece variable.
static bool lex_piece_declaration(Lexer *l)
{
    size_t length = looking_at(l, "[Aa]") ? 4 : looking_at(l, "◭") && l->dialect != IN_CQLI ? strlen("◭") : 0;
    if (length == 0)
        return false;
    const char *name = here(l) + length;
    size_t name_length = word_length(name);
    if (name_length == 0 || designator_scan(&designator_rules, here(l)).length > length)
        return false;
    if (op_from_word(name, name_length, l->dialect) < 0) {
        push(l, TOKEN_PIECE_DECLARATION, length);
        return true;
    }
    ERROR(l, l->at, l->at + length + name_length,
          "the reserved word `%.*s` cannot name a piece variable; to write two filters, put a space after "
          "`%.*s`",
          (int)name_length, name, (int)length, here(l));
    push_error(l, length + name_length);
    return true;
}

// Rule 2: `///`.
static bool lex_line_comment(Lexer *l)
{
    if (!looking_at(l, "///") || here(l)[3] == '/')
        return false;
    if (l->line_comment >= 0) {
        ERROR(l, l->at, l->at + 3, "second `///` on the line");
        l->at += 3;
        return true;
    }
    push(l, TOKEN_LINE_COMMENT, 3);
    l->line_comment = l->count - 1;
    return true;
}

// Rule 4, 1.6: the whole run of letters, digits, `_ $ / -` must be a result.
static bool lex_result(Lexer *l)
{
    if (!is_digit(*here(l)))
        return false;
    static const struct {
        const char *text;
        int result;
    } results[] = {{"1-0", RESULT_WHITE}, {"0-1", RESULT_BLACK}, {"1/2-1/2", RESULT_DRAW}};
    size_t run = 0; // no need to count far: no result has more than seven bytes
    while (run < 8 && (is_word_byte(here(l)[run]) || here(l)[run] == '/' || here(l)[run] == '-'))
        run++;
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        if (strlen(results[i].text) == run && looking_at(l, results[i].text)) {
            push(l, TOKEN_RESULT, run)->number = results[i].result;
            return true;
        }
    }
    return false;
}

// Reads digits at *text and moves past them. Values above INT32_MAX become INT32_MAX + 1.
static int64_t read_digits(const char **text)
{
    const int64_t too_large = (int64_t)INT32_MAX + 1;
    int64_t value = 0;
    for (; is_digit(**text); ++*text) {
        value = 10 * value + (**text - '0');
        if (value > too_large)
            value = too_large;
    }
    return value;
}

// Rule 5, 1.6.
static bool lex_integer(Lexer *l)
{
    const char *end = here(l);
    int64_t value = read_digits(&end);
    size_t length = (size_t)(end - here(l));
    if (length == 0)
        return false;
    if (value > INT32_MAX) {
        ERROR(l, l->at, l->at + length, "number too large: the greatest is 2147483647");
        value = INT32_MAX;
    }
    push(l, TOKEN_INTEGER, length)->number = (int32_t)value;
    return true;
}

static bool check_repetition(Lexer *l, size_t length, bool empty, int64_t low, int64_t high)
{
    size_t end = l->at + length;
    if (empty)
        ERROR(l, l->at, end, "repetition without a number: write `{n}`, `{n,}`, `{,m}` or `{n,m}`");
    else if (low > REPEAT_UNLIMITED || high > REPEAT_UNLIMITED)
        ERROR(l, l->at, end, "repetition too large: the greatest number is %d", REPEAT_UNLIMITED);
    else if (high < low)
        ERROR(l, l->at, end, "repetition with a maximum below the minimum");
    else
        return true;
    return false;
}

// Rule 6, 1.6: `{n}` `{n,}` `{,m}` `{n,m}` without white space.
static bool lex_repetition(Lexer *l)
{
    if (*here(l) != '{')
        return false;
    const char *p = here(l) + 1, *low_text = p;
    int64_t low = read_digits(&p), high = low;
    bool has_low = p > low_text, comma = *p == ',', has_high = false;
    if (comma) {
        const char *high_text = ++p;
        high = read_digits(&p);
        has_high = p > high_text;
        if (!has_high)
            high = REPEAT_UNLIMITED;
    }
    if (*p != '}' || !(has_low || comma))
        return false;
    size_t length = (size_t)(p + 1 - here(l));
    if (!check_repetition(l, length, !has_low && !has_high, low, high)) {
        push_error(l, length);
        return true;
    }
    Token *token = push(l, TOKEN_REPETITION, length);
    token->low = (int32_t)low;
    token->high = (int32_t)high;
    if (l->dialect == IN_CQLI && !comma)
        token->flags |= TOKEN_BRACED_NUMBER;
    return true;
}

// Rule 7, 1.7.
static bool lex_castling(Lexer *l)
{
    if (looking_at(l, "o-o-o")) {
        push_word(l, OP_O_O_O, 5);
        return true;
    }
    if (!looking_at(l, "o-o") || here(l)[3] == '-' || is_word_start(here(l)[3]))
        return false;
    push_word(l, OP_O_O, 3);
    return true;
}

// Rule 8, 1.5.
static bool lex_symbol(Lexer *l)
{
    int number = -1, op = -1;
    size_t length =
        (unsigned char)*here(l) < 0x80 ? 0 : symbol_scan(here(l), l->length - l->at, &number, &op);
    bool move = number == PUNCT_DASH || number == PUNCT_CAPTURE; // rule 12
    if (length == 0 || move)
        return false;
    if (op >= 0)
        push_word(l, op, length);
    else
        push_punctuation(l, number, length);
    return true;
}

// Bytes of a named group `\{name}` or `\-{name}` (13.7) at `text`, or 0.
static size_t named_group(const char *text)
{
    if (text[0] != '\\')
        return 0;
    const size_t brace = text[1] == '-' ? 2 : 1;
    if (text[brace] != '{' || !is_word_start(text[brace + 1]) || text[brace + 1] == '$')
        return 0;
    size_t end = brace + 2;
    while (is_word_byte(text[end]) && text[end] != '$')
        end++;
    return text[end] == '}' ? end + 1 : 0;
}

// Bytes of a sign or piece at `text` that CQL 6.2 has and CQLi has not, or 0.
static size_t newer_sign(const char *text)
{
    const size_t length = symbol_missing(text, IN_CQLI);
    return length > 0 ? length : designator_symbol_length(text);
}

// What 13.7 adds and takes away.
static bool lex_cqli_sign(Lexer *l)
{
    size_t length = 0;
    if (l->dialect != IN_CQLI)
        return false;
    if (*here(l) == '`') {
        push_punctuation(l, PUNCT_BACKQUOTE, 1);
    } else if (looking_at(l, "<-") && here(l)[2] != '-') {
        push_punctuation(l, PUNCT_LT, 1);
    } else if (looking_at(l, "--") && here(l)[2] != '>') {
        push_punctuation(l, PUNCT_MINUS, 1);
    } else if ((length = named_group(here(l))) > 0) {
        const char *start = here(l);
        const size_t brace = start[1] == '-' ? 2 : 1;
        Token *token = push(l, brace == 2 ? TOKEN_GROUP_OFFSET : TOKEN_GROUP, length);
        token->number = -1;
        set_bytes(l, token, start + brace + 1, length - brace - 2);
    } else if ((length = newer_sign(here(l))) > 0) {
        ERROR(l, l->at, l->at + length, "`%.*s` is part of CQL 6.2, not of CQLi", (int)length, here(l));
        push_error(l, length);
    } else {
        return false;
    }
    return true;
}

// Rule 9, 1.9: a string of one byte.
static bool lex_escape(Lexer *l)
{
    static const char letters[] = "\"\\nrt", values[] = "\"\\\n\r\t";
    if (*here(l) != '\\' || here(l)[1] == '\0')
        return false;
    const char *letter = strchr(letters, here(l)[1]);
    if (letter == NULL || word_length(here(l) + 1) > 1)
        return false;
    set_bytes(l, push(l, TOKEN_STRING, 2), &values[letter - letters], 1);
    return true;
}

// Rule 10, 1.9. No other rule takes a backslash.
static bool lex_group(Lexer *l)
{
    if (*here(l) != '\\')
        return false;
    const char *p = here(l) + 1;
    bool offset = *p == '-';
    p += offset;
    const char *digits = p;
    int64_t group = read_digits(&p);
    if (p - digits == 1 || p - digits == 2) {
        push(l, offset ? TOKEN_GROUP_OFFSET : TOKEN_GROUP, (size_t)(p - here(l)))->number = (int32_t)group;
        return true;
    }
    if (p - digits > 2) {
        ERROR(l, l->at, p - l->text, "group reference with more than two digits");
    } else {
        p += word_length(p);
        ERROR(l, l->at, p - l->text,
              "bad backslash `%.*s`: expected `\\\"`, `\\\\`, `\\n`, `\\r`, `\\t` or the number of a group",
              (int)(p - here(l)), here(l));
    }
    push_error(l, (size_t)(p - here(l)));
    return true;
}

static bool is_ascii(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] >= 0x80)
            return false;
    return true;
}

// Rule 11, 1.10.
static bool lex_designator(Lexer *l)
{
    const DesignatorScan d = designator_scan(&designator_rules, here(l));
    if (d.length == 0)
        return false;
    if (l->dialect == IN_CQLI && !is_ascii(here(l), d.length)) {
        ERROR(l, l->at, l->at + d.length,
              "figurines in designators are part of CQL 6.2; in CQLi write letters");
        push_error(l, d.length);
        return true;
    }
    push_designator(l, &d);
    return true;
}

// Rule 12, 1.11. The ties are set when all tokens are there.
static bool lex_move(Lexer *l)
{
    if (l->dialect == IN_CQLI)
        return false;
    for (int mark = PUNCT_DASH; mark <= PUNCT_CAPTURE; mark++) {
        const char *ascii = punctuation_spelling[mark], *symbol = punctuation_symbol(mark);
        const char *text = looking_at(l, ascii) ? ascii : symbol;
        if (!looking_at(l, text) || looking_at(l, "-->"))
            continue;
        push_punctuation(l, mark, strlen(text));
        return true;
    }
    return false;
}

// Rule 13, 1.5: in the order of the table; the move tokens at its end are rule 12's.
static bool lex_punctuation(Lexer *l)
{
    for (int i = 0; i < PUNCT_DASH; i++) {
        if (looking_at(l, punctuation_spelling[i])) {
            push_punctuation(l, i, strlen(punctuation_spelling[i]));
            return true;
        }
    }
    return false;
}

// A string between quotes at byte `start`. Returns the byte after it; without a closing quote the end of the
// line, and *closed is false.
static size_t read_string(Lexer *l, size_t start, size_t *length, bool *closed)
{
    const char *text = l->text + start + 1, *limit = l->text + l->length;
    const char *quote = memchr(text, '"', (size_t)(limit - text));
    const char *line_end = memchr(text, '\n', (size_t)((quote != NULL ? quote : limit) - text));
    *closed = quote != NULL && line_end == NULL;
    const char *end = line_end != NULL ? line_end : quote != NULL ? quote : limit;
    *length = (size_t)(end - text);
    if (*closed)
        return start + *length + 2;
    ERROR(l, start, end - l->text, "string without a closing quote on its line");
    return start + *length + 1;
}

static void check_utf8(Lexer *l, size_t start, size_t end)
{
    uint32_t character;
    for (size_t i = start, bytes; i < end; i += bytes) {
        bytes = unicode_decode(l->text + i, end - i, &character);
        if (bytes == 0) {
            ERROR(l, i, i + 1, "malformed UTF-8 in a file name");
            return;
        }
    }
}

// Rule 14, 1.7: `input` or `output` with a file name.
static bool lex_file(Lexer *l)
{
    size_t word = word_length(here(l));
    int op = word >= 5 ? op_from_word(here(l), word, l->dialect) : -1;
    if (op != OP_WORD_INPUT && op != OP_WORD_OUTPUT)
        return false;
    Gap gap = scan_gap(l, l->at + word);
    size_t name = gap.end, length = 0, end;
    bool closed = true;
    if (name < l->length && l->text[name] == '"') {
        end = read_string(l, name++, &length, &closed);
    } else {
        length = strcspn(l->text + name, " \t\n\v\f\r()<>\"");
        end = name + length;
        if (length == 0 || gap.unterminated)
            return false;
        check_utf8(l, name, end);
    }
    Token *token = push(l, closed ? TOKEN_FILE : TOKEN_ERROR, end - l->at);
    token->number = op;
    set_bytes(l, token, l->text + name, length);
    if (gap.line_ended)
        close_line_comment(l);
    return true;
}

// Rule 16, 1.9.
static bool lex_string(Lexer *l)
{
    if (*here(l) != '"')
        return false;
    bool closed;
    size_t length, start = l->at, end = read_string(l, start, &length, &closed);
    Token *token = push(l, closed ? TOKEN_STRING : TOKEN_ERROR, end - start);
    token->bytes = token_string(l->arena, l->text + start + 1, &length);
    token->length = (uint32_t)length;
    return true;
}

// Rules 15 and 17, 1.8. (No other rule takes a letter, so that rule 16 may come before.)
static bool lex_word(Lexer *l)
{
    size_t length = word_length(here(l));
    if (length == 0)
        return false;
    const int op = op_from_word(here(l), length, l->dialect);
    if (op >= 0) {
        push_word(l, op, length);
        return true;
    }
    const char *name = here(l);
    Token *token = push(l, TOKEN_IDENTIFIER, length);
    set_bytes(l, token, name, length);
    if (l->dialect == IN_CQLI)
        token->op = (int16_t)op_from_word(name, length, IN_CQLI_PARAMETERS);
    return true;
}

// ---- the whole text --------------------------------------------------------------------------------------

static bool (*const rules[])(Lexer *) = {
    lex_piece_declaration, lex_line_comment, lex_result, lex_integer, lex_repetition, lex_castling,
    lex_cqli_sign,         lex_symbol,       lex_escape, lex_group,   lex_designator, lex_move,
    lex_punctuation,       lex_file,         lex_string, lex_word,
};

// `Müller`: the letters before and after the foreign ones belong to the same mistake.
static void take_back_name(Lexer *l)
{
    if (l->count == 0)
        return;
    const Token *last = &l->token[l->count - 1];
    if (last->span.end == l->at && (last->kind == TOKEN_IDENTIFIER || last->kind == TOKEN_WORD)) {
        l->at = last->span.start;
        l->count--;
    }
}

// What no rule accepts.
static void reject(Lexer *l)
{
    if (*here(l) == '\0') { // has been reported
        push_error(l, 1);
        return;
    }
    Invalid invalid = invalid_scan(l->arena, here(l), l->length - l->at);
    size_t end = l->at + invalid.length;
    ERROR(l, l->at, end, "%s", invalid.message);
    if (invalid.cure != NULL)
        diag_cure(l->diagnostics, (Span){(uint32_t)l->at, (uint32_t)end}, invalid.cure);
    if ((unsigned char)*here(l) >= 0x80) {
        take_back_name(l);
        while (is_word_byte(l->text[end]))
            end++;
    }
    push_error(l, end - l->at);
}

static void lex_token(Lexer *l)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i](l))
            return;
    reject(l);
}

// 1.11: does the token before a move token belong to it when it touches?
static bool may_tie_left(const Token *token)
{
    if (token->kind == TOKEN_LINE_COMMENT)
        return false;
    if (token->kind != TOKEN_PUNCTUATION)
        return true;
    const char *text = punctuation_spelling[token->number];
    bool open = strchr("({:+-*/><,~=|&", text[strlen(text) - 1]) != NULL;
    return !open && token->number != PUNCT_ELEMENT;
}

static bool may_tie_right(const Token *token)
{
    if (token->kind == TOKEN_END)
        return false;
    return token->kind != TOKEN_PUNCTUATION ||
           strchr("})*+?:", punctuation_spelling[token->number][0]) == NULL;
}

static void set_ties(Token *token, int count)
{
    for (int i = 0; i < count; i++) {
        if (token[i].kind != TOKEN_PUNCTUATION ||
            (token[i].number != PUNCT_DASH && token[i].number != PUNCT_CAPTURE))
            continue;
        if (i > 0 && !(token[i].flags & TOKEN_SPACE_BEFORE) && may_tie_left(&token[i - 1]))
            token[i].flags |= TOKEN_LEFT_TIE;
        if (i + 1 < count && !(token[i + 1].flags & TOKEN_SPACE_BEFORE) && may_tie_right(&token[i + 1]))
            token[i].flags |= TOKEN_RIGHT_TIE;
    }
}

// 1.1: rules for the text as a whole. Returns false when it is not worth reading.
static bool check_text(Lexer *l)
{
    if (l->length == 0) {
        ERROR(l, 0, 0, "the query is empty");
        return false;
    }
    if (l->length >= QUERY_BYTES_LIMIT) {
        ERROR(l, 0, 0, "the query is too long: it has %zu bytes, but must have fewer than %d", l->length,
              QUERY_BYTES_LIMIT);
        return false;
    }
    const char *no_text = invalid_text(l->text, l->length);
    if (no_text != NULL) {
        ERROR(l, 0, 0, "%s", no_text);
        return false;
    }
    const char *nul = memchr(l->text, '\0', l->length);
    if (nul != NULL) // in strings and comments too
        ERROR(l, nul - l->text, nul - l->text + 1, "NUL byte in the query");
    while (looking_at(l, "\xEF\xBB\xBF"))
        l->at += 3;
    if (looking_at(l, "#!")) // names the program that runs the file (14.2)
        l->at += strcspn(here(l), "\n");
    return true;
}

TokenList lex(Arena *arena, const Source *source, unsigned dialect, Diagnostics *diagnostics)
{
    Lexer l = {.arena = arena,
               .diagnostics = diagnostics,
               .text = source->text,
               .length = source->length,
               .line_comment = -1,
               .dialect = dialect};
    const bool sound = check_text(&l);
    if (sound) {
        while (skip_gap(&l) && diagnostics->errors < ERROR_LIMIT)
            lex_token(&l);
        close_line_comment(&l);
    }
    if (!sound || l.at < l.length)
        push_error(&l, l.length - l.at);
    // The end of the query is shown right after its last token, where something may be missing.
    l.at = l.count > 0 ? l.token[l.count - 1].span.end : 0;
    push(&l, TOKEN_END, 0)->flags |= TOKEN_SPACE_BEFORE;
    set_ties(l.token, l.count);
    return (TokenList){l.token, l.count};
}
