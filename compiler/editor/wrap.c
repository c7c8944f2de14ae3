// Breaks text into lines.
#include "wrap.h"

#include <string.h>

enum { LINE_WIDTH = 79 };

int wrap_columns(const char *text, size_t length)
{
    int count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

void wrap_words(FILE *out, const char *text, size_t length, int at, int indent)
{
    int first = 1;
    for (size_t i = 0; i < length; first = 0) {
        const char *end = memchr(text + i, ' ', length - i);
        const size_t word = end != NULL ? (size_t)(end - text) - i : length - i;
        const int width = wrap_columns(text + i, word);
        if (!first && at + 1 + width > LINE_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
        } else if (!first) {
            fputc(' ', out);
            at++;
        }
        fwrite(text + i, 1, word, out);
        at += width;
        i += word + (end != NULL);
    }
    fputc('\n', out);
}

void wrap_entry(FILE *out, const char *left, int width, const char *text)
{
    const int used = wrap_columns(left, strlen(left));
    if (used > width)
        fprintf(out, "  %s\n%*s", left, width + 4, "");
    else
        fprintf(out, "  %s%*s", left, width - used + 2, "");
    wrap_words(out, text, strlen(text), width + 4, width + 4);
}
