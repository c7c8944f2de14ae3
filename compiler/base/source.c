// Places in a query text: lines and columns.
#include "source.h"

#include <string.h>

#include "utf8.h"

// Characters before `offset` on the line that begins at `start`; a malformed byte counts as one character,
// byte-order marks at the start of the text as none.
static uint32_t characters_before(const Source *s, size_t start, size_t offset)
{
    uint32_t count = 0;
    for (size_t i = start; i < offset;) {
        uint32_t character;
        size_t length = utf8_decode(s->text + i, s->length - i, &character);
        if (!(count == 0 && start == 0 && length == 3 && character == 0xFEFF))
            count++;
        i += length ? length : 1;
    }
    return count;
}

Place source_place(const Source *s, uint32_t offset)
{
    size_t end = offset < s->length ? offset : s->length;
    size_t line_start = 0;
    Place place = {1, 1};
    for (size_t i = 0; i < end; i++) {
        if (s->text[i] == '\n') {
            place.line++;
            line_start = i + 1;
        }
    }
    place.column += characters_before(s, line_start, end);
    return place;
}

const char *source_line(const Source *s, uint32_t line, size_t *length)
{
    const char *start = s->text, *end = s->text + s->length;
    for (uint32_t i = 1; i < line; i++) {
        const char *line_end = memchr(start, '\n', (size_t)(end - start));
        if (line_end == NULL) {
            *length = 0;
            return end;
        }
        start = line_end + 1;
    }
    const char *line_end = memchr(start, '\n', (size_t)(end - start));
    if (line_end == NULL)
        line_end = end;
    if (line_end > start && line_end[-1] == '\r')
        line_end--;
    *length = (size_t)(line_end - start);
    return start;
}
