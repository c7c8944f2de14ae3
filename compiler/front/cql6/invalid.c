// Text that is not a token of CQL (language reference 1.13), and what its writer may have meant.
#include "lexer.h"
#include "runtime/value/unicode.h"

#include <string.h>

enum { TEXT_SAMPLE = 512 }; // bytes that are looked at to tell a text from other files

// ---- whole files -----------------------------------------------------------------------------------------

static bool is_control(unsigned char c)
{
    return (c < 0x20 && strchr("\t\n\v\f\r", c) == NULL) || c == 0x7F || c == 0;
}

// Files of other programs, known by how they begin.
static const char *foreign_file(const char *bytes, size_t length)
{
    static const char document[] = "this is a document of a word processor; save the query as plain text";
    static const struct {
        const char *start, *what;
    } files[] = {
        {"{\\rtf", document},
        {"\xD0\xCF\x11\xE0", document},
        {"PK\x03\x04",
         "this is a zip archive or a document of a word processor; save the query as plain text"},
        {"<!DOCTYPE", "this is a web page; save the query alone, as plain text"},
        {"<html", "this is a web page; save the query alone, as plain text"},
        {"[Event ", "these are games in PGN; a query begins with `cql()`"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (length >= strlen(files[i].start) && memcmp(bytes, files[i].start, strlen(files[i].start)) == 0)
            return files[i].what;
    return NULL;
}

const char *invalid_text(const char *bytes, size_t length)
{
    const char *foreign = foreign_file(bytes, length);
    if (foreign != NULL)
        return foreign;
    if (length >= 2 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "\xFE\xFF", 2) == 0))
        return "the query is encoded as UTF-16; save it as UTF-8";
    const size_t sample = length < TEXT_SAMPLE ? length : TEXT_SAMPLE;
    size_t controls = 0;
    for (size_t i = 0; i < sample; i++)
        controls += is_control((unsigned char)bytes[i]);
    return controls > 8 && controls > sample / 20 ? "this is a binary file, not text" : NULL;
}

// ---- quotes ----------------------------------------------------------------------------------------------

static bool is_foreign_quote(uint32_t c)
{
    return c == '\'' || c == '`' || c == 0xAB || c == 0xBB || (c >= 0x2018 && c <= 0x201F);
}

// The length of the text up to its second quote on the line; of the first quote alone when there is only one.
static size_t quoted_length(const char *text, size_t available, size_t first)
{
    uint32_t c;
    for (size_t i = first, bytes; i < available && text[i] != '\n'; i += bytes) {
        bytes = unicode_decode(text + i, available - i, &c);
        if (bytes > 0 && (c == '"' || is_foreign_quote(c)))
            return i + bytes;
        bytes += bytes == 0;
    }
    return first;
}

// The text between its quotes, of which the first has so many bytes, in plain ones; NULL when there is only one.
static const char *quoted(Arena *arena, const char *text, size_t length, size_t first)
{
    size_t end = length - 1;
    while (end > first && ((unsigned char)text[end] & 0xC0) == 0x80)
        end--;
    return length > first ? arena_printf(arena, "\"%.*s\"", (int)(end - first), text + first) : NULL;
}

// ---- characters ------------------------------------------------------------------------------------------

// *cure: what to write instead, or NULL.
static const char *hint(uint32_t character, const char **cure)
{
    static const struct {
        uint32_t first, last;
        const char *hint, *cure;
    } hints[] = {
        {'!', '!', "negation is `not`, `not equal` is `!=`", NULL},
        {0xA0, 0xA0, "this is a no-break space; write an ordinary space", " "},
        {0xB7, 0xB7, "the current position is `∙` (U+2219)", "∙"},
        {0x2000, 0x200B, "this is a special space; write an ordinary space", " "},
        {0x2010, 0x2014, "write `-` or `--`", NULL},
        {0x2015, 0x2015, "a move token is two of them: `――`", NULL},
        {0x2022, 0x2022, "the current position is `∙` (U+2219)", "∙"},
        {0x202F, 0x202F, "this is a no-break space; write an ordinary space", " "},
        {0x2208, 0x2208, "the element sign is `∊` (U+220A) or `[element]`", "∊"},
        {0x2212, 0x2212, "write `-`", "-"},
        {0x22C5, 0x22C5, "the current position is `∙` (U+2219)", "∙"},
        {0x3000, 0x3000, "this is a special space; write an ordinary space", " "},
        {0xFE0F, 0xFE0F, "a variation selector may not follow a piece", ""},
        {0xFEFF, 0xFEFF, "a byte-order mark is allowed only at the start of the query", ""},
    };
    if (is_foreign_quote(character))
        return "put strings in plain double quotes: `\"`";
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (character >= hints[i].first && character <= hints[i].last) {
            *cure = hints[i].cure;
            return hints[i].hint;
        }
    return character < 0x80
               ? "no token of CQL begins with it"
               : "outside strings and comments, only the non-ASCII operators and pieces of CQL are allowed";
}

static bool begins_token(const char *text, size_t available)
{
    int number, op;
    return symbol_scan(text, available, &number, &op) > 0 || designator_symbol_length(text) > 0;
}

// Words in another script are one mistake, not one for each letter.
static size_t foreign_length(const char *text, size_t available, size_t first)
{
    uint32_t next;
    size_t length = first, bytes;
    while (length < available && !begins_token(text + length, available - length) &&
           (bytes = unicode_decode(text + length, available - length, &next)) > 1)
        length += bytes;
    return length;
}

static Invalid malformed(Arena *arena, const char *text, size_t available)
{
    uint32_t next;
    size_t length = 1;
    while (length < available && unicode_decode(text + length, available - length, &next) == 0)
        length++;
    const char *message =
        arena_printf(arena,
                     "malformed UTF-8 (byte 0x%02X); save the query as UTF-8, and put names "
                     "in double quotes",
                     (unsigned)(unsigned char)*text);
    return (Invalid){length, message, NULL};
}

Invalid invalid_scan(Arena *arena, const char *text, size_t available)
{
    uint32_t c;
    const size_t bytes = unicode_decode(text, available, &c);
    if (bytes == 0)
        return malformed(arena, text, available);
    const char *cure = NULL, *why = hint(c, &cure);
    size_t length = bytes;
    if (designator_symbol_length(text) > 0)
        why = "only squares may follow a non-ASCII piece, and its brackets may not "
              "contain ASCII pieces";
    else if (is_foreign_quote(c))
        cure = quoted(arena, text, length = quoted_length(text, available, bytes), bytes);
    else if (c >= 0x80)
        length = foreign_length(text, available, bytes);
    return (Invalid){length, arena_printf(arena, "invalid character U+%04X: %s", (unsigned)c, why),
                     length == bytes || is_foreign_quote(c) ? cure : NULL};
}
