// Encodings of strings: JSON, CSV, TSV, HTML.
#include "text.h"

#include "runtime/value/ascii.h"

#include "runtime/value/unicode.h"

void text_utf8(Buffer *out, Text text)
{
    unicode_append(out, text.start, text.length);
}

static bool is_latin(Text text)
{
    return !unicode_is_valid(text.start, text.length);
}

// The length of the character at s if it ends a line in Unicode (U+0085, U+2028 or U+2029), otherwise 0.
static size_t line_end(const char *s, size_t left, bool latin)
{
    if (latin)
        return *s == '\x85';
    if (left >= 2 && memcmp(s, "\xC2\x85", 2) == 0)
        return 2;
    return left >= 3 && memcmp(s, "\xE2\x80", 2) == 0 && (s[2] == '\xA8' || s[2] == '\xA9') ? 3 : 0;
}

void text_json(Buffer *out, Text text)
{
    const bool latin = is_latin(text);
    buffer_append(out, "\"", 1);
    for (size_t i = 0, taken; i < text.length; i += taken) {
        const char *at = text.start + i;
        const unsigned char byte = (unsigned char)*at;
        const size_t ends = byte >= 0x80 ? line_end(at, text.length - i, latin) : 0;
        taken = ends > 0 ? ends : 1;
        if (ends > 0)
            buffer_text(out, ends < 3 ? "\\u0085" : at[2] == '\xA8' ? "\\u2028" : "\\u2029");
        else if (byte == '"' || byte == '\\')
            buffer_format(out, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7F)
            buffer_format(out, "\\u%04x", byte);
        else
            unicode_append_byte(out, latin, *at);
    }
    buffer_append(out, "\"", 1);
}

static bool must_quote(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] == '"' || bytes[i] == ',' || bytes[i] == '\n' || bytes[i] == '\r')
            return true;
    return length > 0 && (bytes[0] == ' ' || bytes[length - 1] == ' ');
}

static void csv_field(Buffer *out, const char *before, Text text)
{
    const bool quote = must_quote(text.start, text.length), latin = is_latin(text);
    buffer_text(out, quote ? "\"" : "");
    buffer_text(out, before);
    for (size_t i = 0; i < text.length; i++) {
        if (text.start[i] == '"')
            buffer_append(out, "\"", 1);
        unicode_append_byte(out, latin, text.start[i]);
    }
    buffer_text(out, quote ? "\"" : "");
}

void text_csv(Buffer *out, Text text)
{
    csv_field(out, "", text);
}

void text_tsv(Buffer *out, Text text)
{
    const bool latin = is_latin(text);
    for (size_t i = 0; i < text.length; i++) {
        const char c = text.start[i];
        unicode_append_byte(out, latin, c == '\t' || c == '\n' || c == '\r' ? ' ' : c);
    }
}

static bool begins_formula(Text text)
{
    uint32_t c;
    if (text.length == 0 || unicode_decode(text.start, text.length, &c) == 0)
        return false;
    c -= c >= 0xFF01 && c <= 0xFF5E ? 0xFF01 - '!' : 0; // wide forms of ASCII
    return c == '=' || c == '+' || c == '-' || c == '@' || c == '\t' || c == '\n' || c == '\r';
}

void text_csv_safe(Buffer *out, Text text)
{
    csv_field(out, begins_formula(text) ? "'" : "", text);
}

void text_tsv_safe(Buffer *out, Text text)
{
    buffer_text(out, begins_formula(text) ? "'" : "");
    text_tsv(out, text);
}

void text_html(Buffer *out, Text text)
{
    const bool latin = is_latin(text);
    for (size_t i = 0; i < text.length; i++) {
        const unsigned char byte = (unsigned char)text.start[i];
        const char *special = byte == '<'    ? "&lt;"
                              : byte == '>'  ? "&gt;"
                              : byte == '&'  ? "&amp;"
                              : byte == '"'  ? "&quot;"
                              : byte == '\'' ? "&#39;"
                              : byte == 0x7F || (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r')
                                  ? "\xEF\xBF\xBD"
                                  : NULL;
        if (special)
            buffer_text(out, special);
        else
            unicode_append_byte(out, latin, text.start[i]);
    }
}

void text_without_commands(Buffer *out, Text text)
{
    const char *last = text.length > 0 ? memrchr(text.start, ']', text.length) : NULL;
    for (size_t at = 0; at < text.length;) {
        const char *p = text.start + at, *end = NULL;
        if (last && p < last && p[0] == '[' && p[1] == '%')
            end = memchr(p, ']', text.length - at);
        const bool command = end != NULL;
        if (!command && !(*p == ' ' && out->length == 0))
            buffer_append(out, p, 1);
        at += command ? (size_t)(end - p) + 1 : 1;
        while (command && out->length > 0 && out->start[out->length - 1] == ' ')
            out->length--;
    }
}

// ---- columns ----------------------------------------------------------------------------------------------

static void put_spaces(Buffer *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buffer_append(out, " ", 1);
}

void text_cell(Buffer *out, Text text, size_t width, bool right)
{
    size_t used = unicode_columns(text.start, text.length), bytes = text.length;
    const bool cut = used > width;
    if (cut) {
        bytes = unicode_fit(text.start, text.length, width > 0 ? width - 1 : 0);
        used = unicode_columns(text.start, bytes) + (width > 0);
    }
    put_spaces(out, right && used < width ? width - used : 0);
    for (size_t i = 0; i < bytes; i++) {
        const unsigned char byte = (unsigned char)text.start[i];
        buffer_append(out, byte < 0x20 || byte == 0x7F ? " " : text.start + i, 1);
    }
    if (cut && width > 0)
        buffer_text(out, "…");
    put_spaces(out, !right && used < width ? width - used : 0);
}

const char *text_address(Text text)
{
    static const char *const schemes[] = {"https://", "http://"};
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.start[i] <= ' ' || text.start[i] == '"' || text.start[i] == '<')
            return NULL;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const size_t length = strlen(schemes[i]);
        if (text.length > length && ascii_same_bytes(text.start, schemes[i], length))
            return text.start + length;
    }
    return NULL;
}
