// Rewrites and shows the text of a query (language reference 02b, "Converting a query").
#include "cql.h"

#include <string.h>

#include "runtime/game/game.h"
#include "compiler/front/cql6/lexer.h"
#include "runtime/value/unicode.h"
#include "cql_html.h"

static const Console plain = {0}; // no frames

static bool read_query(Arena *arena, const char *name, Source *source)
{
    const char *wrong = read_source(arena, name, source);
    return !wrong || complain(&plain, "%s", wrong);
}

// ---- spellings -------------------------------------------------------------------------------------------

static bool is_ascii(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] & 0x80)
            return false;
    return true;
}

// A designator without pieces: `e4`, `a-h1`, `[a1,b2]`. In `a--e4` it is `a` alone.
static bool is_squares(const char *text, size_t length)
{
    if (*text != '[')
        return length > 1 && (is_digit(text[1]) || text[1] == '-');
    return is_digit(text[strcspn(text, "12345678]")]);
}

// Reads the pieces at the beginning of a designator, in order, each once: at most one for each symbol; returns their length
// in bytes.
static size_t read_pieces(const char *text, uint32_t piece[32], int *count)
{
    const bool bracket = *text == '[', ascii = is_ascii(text + bracket, 1);
    size_t at = bracket, length;
    uint32_t symbols, seen = 0;
    *count = 0;
    while ((symbols = designator_piece(text + at, &length)) != 0) {
        if (!bracket && *count > 0 && (ascii || is_ascii(text + at, 1)))
            break; // the file of a square
        if ((seen & symbols) != symbols)
            piece[(*count)++] = symbols;
        seen |= symbols;
        at += length;
    }
    return at + bracket;
}

static void spell_piece(Buffer *out, uint32_t symbols, bool unicode)
{
    const char *spelling = designator_spelling(symbols, unicode);
    if (spelling)
        buffer_text(out, spelling);
    else // any piece, for which there are two letters
        buffer_format(out, "%s%s", designator_spelling(SYMBOL_WHITE, unicode),
                      designator_spelling(SYMBOL_BLACK, unicode));
}

static void spell_designator(Buffer *out, const char *text, size_t length, bool unicode)
{
    const uint32_t any = SYMBOL_WHITE | SYMBOL_BLACK;
    uint32_t piece[32], all = 0;
    int count = 0;
    const size_t pieces = is_squares(text, length) ? 0 : read_pieces(text, piece, &count);
    for (int i = 0; i < count; i++)
        all |= piece[i];
    const bool bracket = !unicode && (count > 1 || (count == 1 && piece[0] == any));
    buffer_text(out, bracket ? "[" : "");
    bool any_written = false;
    for (int i = 0; i < count; i++) {
        const bool part_of_any = unicode && (all & any) == any && (piece[i] & any);
        if (!part_of_any)
            spell_piece(out, piece[i], unicode);
        else if (!any_written)
            spell_piece(out, any, unicode);
        any_written |= part_of_any;
    }
    buffer_text(out, bracket ? "]" : "");
    buffer_append(out, text + pieces, length - pieces);
}

static void spell_token(Buffer *out, const Token *t, const char *text, bool unicode)
{
    const size_t length = t->span.end - t->span.start;
    const char *spelling = NULL;
    if (unicode != is_ascii(text, length) && !(t->kind == TOKEN_DESIGNATOR && unicode))
        spelling = NULL; // as requested
    else if (t->kind == TOKEN_DESIGNATOR)
        return spell_designator(out, text, length, unicode);
    else if (t->kind == TOKEN_PIECE_DECLARATION)
        spelling = unicode ? designator_spelling(SYMBOL_WHITE | SYMBOL_BLACK, true) : "[Aa]";
    else if (t->kind == TOKEN_WORD)
        spelling = unicode ? op_info[t->op].unicode : op_info[t->op].name;
    else if (t->kind == TOKEN_PUNCTUATION)
        spelling = unicode ? punctuation_symbol(t->number) : punctuation_spelling[t->number];
    if (spelling)
        buffer_text(out, spelling);
    else
        buffer_append(out, text, length);
}

// ---- rewriting -------------------------------------------------------------------------------------------

// A word next to a sign must not merge with the sign's letters.
static void add_part(Buffer *out, const Buffer *part)
{
    if (out->length > 0 && part->length > 0 && is_word_byte(out->start[out->length - 1]) &&
        is_word_byte(part->start[0]))
        buffer_text(out, " ");
    buffer_append(out, part->start, part->length);
}

static void rewrite(Buffer *out, const Source *source, const TokenList *tokens, bool unicode)
{
    size_t at = 0;
    Buffer part = {0};
    for (int i = 0; i < tokens->count; i++) {
        const Token *t = &tokens->token[i];
        buffer_append(out, source->text + at, t->span.start - at);
        part.length = 0;
        if (t->kind != TOKEN_END)
            spell_token(&part, t, source->text + t->span.start, unicode);
        if (i > 0 && tokens->token[i - 1].kind == TOKEN_INTEGER) // digits do not merge with letters
            buffer_append(out, part.start, part.length);
        else
            add_part(out, &part);
        at = t->span.end;
    }
    buffer_append(out, source->text + at, source->length - at);
    buffer_free(&part);
}

static bool read_tokens(Arena *arena, const Source *source, TokenList *tokens)
{
    Diagnostics d = {.arena = arena, .source = source};
    *tokens = lex(arena, source, IN_CQL6, &d);
    if (d.errors > 0) {
        fputs("\n", stdout);
        diag_print(&d, stdout, false);
    }
    return d.errors == 0;
}

// Do the tokens mean the same, however they are spelled?
static bool same_token(const Token *a, const Token *b)
{
    return a->kind == b->kind && a->op == b->op && a->number == b->number && a->mask == b->mask &&
           a->pieces == b->pieces && a->low == b->low && a->high == b->high;
}

// Rewrites the query; false when it has errors or would change its meaning: signs that follow each other may merge with
// their new spelling, as in `-→`.
static bool convert(Arena *arena, const Source *source, bool unicode, Buffer *out)
{
    TokenList before, after;
    if (!read_tokens(arena, source, &before))
        return false;
    rewrite(out, source, &before, unicode);
    const Source result = {source->name, arena_copy(arena, out->start ? out->start : "", out->length),
                           out->length, NULL};
    Diagnostics d = {.arena = arena, .source = &result};
    after = lex(arena, &result, IN_CQL6, &d);
    bool same = d.errors == 0 && before.count == after.count;
    for (int i = 0; same && i < before.count; i++) {
        same = same_token(&before.token[i], &after.token[i]);
        if (!same)
            return complain(&plain, "%s:%u: the rewritten query would mean something else here", source->name,
                            (unsigned)source_place(source, before.token[i].span.start).line);
    }
    return same || complain(&plain, "%s: the rewritten query would mean something else", source->name);
}

static bool rewrite_file(Arena *arena, const char *name, const char *output, bool unicode)
{
    Source source;
    Buffer text = {0};
    bool good = read_query(arena, name, &source) && convert(arena, &source, unicode, &text);
    if (good && output)
        good = write_file(output, text.start, text.length);
    else if (good)
        fwrite(text.start, 1, text.length, stdout);
    buffer_free(&text);
    return good;
}

// ---- HTML ------------------------------------------------------------------------------------------------

static bool write_page(Arena *arena, const char *name, const char *output)
{
    Source source;
    TokenList tokens;
    Buffer page = {0};
    if (!read_query(arena, name, &source) || !read_tokens(arena, &source, &tokens))
        return false;
    cql_add_page(&page, &source, &tokens);
    if (output == NULL)
        output = arena_printf(arena, "%.*s-cql.html", (int)(strlen(name) - query_ending(name)), name);
    const bool good = write_file(output, page.start, page.length);
    buffer_free(&page);
    return good;
}

static bool colorize(Arena *arena)
{
    Source source;
    TokenList tokens;
    Buffer spans = {0};
    if (!read_query(arena, "-", &source) || !read_tokens(arena, &source, &tokens))
        return false;
    cql_add_spans(&spans, &source, &tokens);
    fwrite(spans.start, 1, spans.length, stdout);
    buffer_free(&spans);
    return true;
}

// ---- the characters of a file ----------------------------------------------------------------------------

// The name of a character; a sign of the language is followed by its ASCII form.
static const char *character_name(Arena *arena, const char *text, size_t length)
{
    static const char *const names[] = {
        ['\t'] = "tab", ['\n'] = "end of line", ['\r'] = "carriage return", [' '] = "space"};
    const unsigned char c = (unsigned char)*text;
    if (c < sizeof names / sizeof *names && names[c])
        return names[c];
    if (c < 0x20 || c == 0x7f)
        return "control character";
    Buffer ascii = {0};
    const Source source = {"character", arena_copy(arena, text, length), length, NULL};
    Diagnostics d = {.arena = arena, .source = &source};
    const TokenList tokens = lex(arena, &source, IN_CQL6, &d);
    if (length > 1 && d.errors == 0)
        rewrite(&ascii, &source, &tokens, false);
    const char *name = ascii.length > 0
                           ? arena_printf(arena, "%s = %.*s", source.text, (int)ascii.length, ascii.start)
                           : source.text;
    buffer_free(&ascii);
    return name;
}

static bool echo(Arena *arena, const char *name)
{
    Source source;
    if (!read_query(arena, name, &source))
        return false;
    unsigned line = 1, column = 1;
    for (size_t at = 0, length; at < source.length; at += length) {
        uint32_t character = (unsigned char)source.text[at];
        length = unicode_decode(source.text + at, source.length - at, &character);
        const bool good = length > 0;
        length = good ? length : 1;
        printf("%u %u %zu ", line, column, at);
        printf(good ? "U+%04X" : "-", (unsigned)character);
        for (size_t i = 0; i < length; i++)
            printf(" %02X", (unsigned char)source.text[at + i]);
        printf(" %s\n", good ? character_name(arena, source.text + at, length) : "not UTF-8");
        column += (unsigned)length;
        if (character == '\n') {
            line++;
            column = 1;
        }
    }
    return true;
}

// ---- the commands ----------------------------------------------------------------------------------------

static bool convert_file(Arena *arena, OptionId option, int count, char **argument)
{
    if (option == OPTION_COLORIZE)
        return count == 1 ? colorize(arena) : complain(&plain, "%s must be the only option", argument[0]);
    const bool page = option == OPTION_HTML;
    const bool has_output = (page || option == OPTION_UTF8) && count == 4 &&
                            find_option(COMMAND_CQL, argument[2], NULL) == OPTION_PGN_OUTPUT;
    if (count != 2 && !has_output)
        return complain(&plain, "%s needs one query file%s", argument[0],
                        page                    ? ", and may have -o FILE.html"
                        : option == OPTION_UTF8 ? ", and may have -o FILE.cql"
                                                : "");
    const char *name, *output = has_output ? argument[3] : NULL;
    if (!name_query(&plain, arena, argument[1], &name) ||
        (has_output && !page && !name_query(&plain, arena, output, &output)))
        return false;
    switch (option) {
    case OPTION_ASCII:
    case OPTION_UNICODE:
        return rewrite_file(arena, name, name, option == OPTION_UNICODE);
    case OPTION_UTF8:
        return rewrite_file(arena, name, output, true);
    case OPTION_HTML:
        return write_page(arena, name, output);
    default:
        return echo(arena, name);
    }
}

bool cql_convert(OptionId option, int count, char **argument)
{
    Arena *arena = arena_new();
    bool good = convert_file(arena, option, count, argument);
    arena_free(arena);
    return good;
}
