// Encodings of strings: JSON, CSV, TSV, HTML.
#include "text.h"

#include "runtime/value/unicode.h"

// Appends the character at s as UTF-8; returns how many bytes of s it took.
static size_t append_character(Buffer *out, const char *s, size_t left)
{
    uint32_t character;
    size_t length = unicode_decode(s, left, &character);
    if (length > 0) {
        buffer_append(out, s, length);
        return length;
    }
    unsigned char byte = (unsigned char)*s;
    char latin[2] = {(char)(0xC0 | byte >> 6), (char)(0x80 | (byte & 0x3F))};
    buffer_append(out, latin, 2);
    return 1;
}

void text_utf8(Buffer *out, Text text)
{
    uint32_t character;
    size_t valid = 0, length = 1;
    while (valid < text.length && length > 0)
        valid += length = unicode_decode(text.start + valid, text.length - valid, &character);
    if (length > 0 || text.length == 0) {
        buffer_append(out, text.start, text.length);
        return;
    }
    for (size_t i = 0; i < text.length; i++) // as databases do: all of it is Latin-1
        append_character(out, text.start + i, 1);
}

// True when the character at s ends a line in Unicode: U+0085, U+2028 or U+2029. A byte 0x85 alone becomes
// the first of them.
static bool ends_line(const char *s, size_t left)
{
    return *s == '\x85' || (left >= 2 && memcmp(s, "\xC2\x85", 2) == 0) ||
           (left >= 3 && memcmp(s, "\xE2\x80", 2) == 0 && (s[2] == '\xA8' || s[2] == '\xA9'));
}

void text_json(Buffer *out, Text text)
{
    const char *bytes = text.start;
    const size_t length = text.length;
    buffer_append(out, "\"", 1);
    for (size_t i = 0; i < length;) {
        unsigned char byte = (unsigned char)bytes[i];
        if (ends_line(bytes + i, length - i)) {
            const char *code = byte != 0xE2 ? "\\u0085" : bytes[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
            buffer_text(out, code);
            i += byte == 0xE2 ? 3 : byte == 0xC2 ? 2 : 1;
            continue;
        }
        if (byte == '"' || byte == '\\')
            buffer_format(out, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7F)
            buffer_format(out, "\\u%04x", byte);
        else {
            i += append_character(out, bytes + i, length - i);
            continue;
        }
        i++;
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

void text_csv(Buffer *out, Text text)
{
    const char *bytes = text.start;
    const size_t length = text.length;
    bool quote = must_quote(bytes, length);
    if (quote)
        buffer_append(out, "\"", 1);
    for (size_t i = 0; i < length;) {
        if (bytes[i] == '"')
            buffer_append(out, "\"", 1);
        i += append_character(out, bytes + i, length - i);
    }
    if (quote)
        buffer_append(out, "\"", 1);
}

void text_tsv(Buffer *out, Text text)
{
    for (size_t i = 0; i < text.length;) {
        const char c = text.start[i];
        if (c == '\t' || c == '\n' || c == '\r') {
            buffer_append(out, " ", 1);
            i++;
        } else {
            i += append_character(out, text.start + i, text.length - i);
        }
    }
}

void text_html(Buffer *out, Text text)
{
    const char *bytes = text.start;
    const size_t length = text.length;
    for (size_t i = 0; i < length;) {
        unsigned char byte = (unsigned char)bytes[i];
        const char *special = byte == '<'    ? "&lt;"
                              : byte == '>'  ? "&gt;"
                              : byte == '&'  ? "&amp;"
                              : byte == '"'  ? "&quot;"
                              : byte == '\'' ? "&#39;"
                              : byte == 0x7F || (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r')
                                  ? "\xEF\xBF\xBD"
                                  : NULL;
        if (special) {
            buffer_text(out, special);
            i++;
        } else {
            i += append_character(out, bytes + i, length - i);
        }
    }
}
