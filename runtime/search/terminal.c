// Replaces what a terminal would obey.
#include "terminal.h"

#include <stdbool.h>
#include <unistd.h>

#include "runtime/value/unicode.h"

static bool is_control(uint32_t character)
{
    return (character < 0x20 && character != '\n' && character != '\t') ||
           (character >= 0x7F && character < 0xA0);
}

void text_harmless(Buffer *out, const char *bytes, size_t length)
{
    size_t done = 0;
    for (size_t i = 0; i < length;) {
        uint32_t character = (unsigned char)bytes[i];
        const size_t decoded = unicode_decode(bytes + i, length - i, &character);
        const size_t taken = decoded > 0 ? decoded : 1;
        if (is_control(decoded > 0 ? character : (unsigned char)bytes[i])) {
            buffer_append(out, bytes + done, i - done);
            buffer_append(out, "?", 1);
            done = i + taken;
        }
        i += taken;
    }
    buffer_append(out, bytes + done, length - done);
}

void print_harmless(FILE *out, const char *bytes, size_t length)
{
    if (length == 0)
        return;
    if (!isatty(fileno(out))) {
        fwrite(bytes, 1, length, out);
        return;
    }
    Buffer text = {0};
    text_harmless(&text, bytes, length);
    fwrite(text.start, 1, text.length, out);
    buffer_free(&text);
}

void say_list(FILE *out, const char *format, va_list list)
{
    Buffer text = {0};
    buffer_format_list(&text, format, list);
    print_harmless(out, text.start, text.length);
    buffer_free(&text);
}

void say(FILE *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say_list(out, format, list);
    va_end(list);
}
