// Characters of emitted C. Text of the query reaches the output only through emit_literal and emit_comment.
#include "emit_internal.h"
#include "runtime/value/memory.h"

#include <stdlib.h>
#include <string.h>

// Deep nesting is not shown beyond DEEPEST columns: the text would grow with the square of the depth.
enum { WIDTH = 110, DEEPEST = 80 };

// The last place at or before `width` where a line may break: behind a space that follows an operator or
// comma.
static size_t break_place(const char *text, size_t length, size_t width)
{
    size_t best = 0;
    for (size_t i = 1; i < length && i <= width; i++)
        if (text[i - 1] == ' ' && i > 1 && strchr(",&|^?:=;+-", text[i - 2]) != NULL)
            best = i;
    return best;
}

static void put_indent(Emit *e, int columns)
{
    fprintf(e->out, "%*s", columns < DEEPEST ? columns : DEEPEST, "");
}

static void put_wrapped(Emit *e, const char *text)
{
    size_t length = strlen(text);
    const int indent = 4 * e->indent < DEEPEST ? 4 * e->indent : DEEPEST - 4;
    int columns = indent;
    for (;;) {
        const size_t width = columns + 40 < WIDTH ? (size_t)(WIDTH - columns) : 40;
        const size_t cut = length > width ? break_place(text, length, width) : 0;
        put_indent(e, columns);
        if (cut == 0) {
            fprintf(e->out, "%s\n", text);
            return;
        }
        fprintf(e->out, "%.*s\n", (int)cut - 1, text);
        text += cut;
        length -= cut;
        columns = indent + 4;
    }
}

void emit_line(Emit *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_vformat(format, arguments);
    va_end(arguments);
    put_wrapped(e, text);
    free(text);
}

void emit_open(Emit *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_vformat(format, arguments);
    va_end(arguments);
    put_wrapped(e, text);
    free(text);
    e->indent++;
}

void emit_close(Emit *e, const char *tail)
{
    e->indent--;
    emit_line(e, "}%s", tail);
}

void emit_literal(FILE *out, const char *bytes, size_t length, int indent)
{
    size_t column = 0;
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        if (column >= 90) {
            fprintf(out, "\"\n%*s\"", 4 * indent, "");
            column = 0;
        }
        // Three octal digits: no digit that follows can become part of the escape. '?' must not begin a
        // trigraph.
        if (byte == '\n')
            column += (size_t)fprintf(out, "\\n");
        else if (byte == '"' || byte == '\\' || (byte == '?' && i > 0 && bytes[i - 1] == '?'))
            column += (size_t)fprintf(out, "\\%c", byte);
        else if (byte >= ' ' && byte < 0x7f)
            column += (size_t)fprintf(out, "%c", byte);
        else
            column += (size_t)fprintf(out, "\\%03o", byte);
        if (byte == '\n' && i + 1 < length)
            column = 90;
    }
    fputc('"', out);
}

// Length of a UTF-8 character that may be shown: chess pieces (U+2654..265F), arrows (U+219x) and the signs
// of set algebra.
static int shown_character(const char *text, size_t length)
{
    const unsigned char *byte = (const unsigned char *)text;
    if (length < 3 || byte[0] != 0xe2 || byte[2] < 0x80 || byte[2] > 0xbf)
        return 0;
    if (byte[1] == 0x99)
        return byte[2] >= 0x94 && byte[2] <= 0x9f ? 3 : 0;
    if (byte[1] == 0x86)
        return byte[2] >= 0x90 && byte[2] <= 0x99 ? 3 : 0;
    return byte[1] == 0x88 ? 3 : 0;
}

static void show_characters(FILE *out, const char *text, size_t length)
{
    enum { LONGEST = 200 };
    const bool cut = length > LONGEST;
    length = cut ? LONGEST : length;
    for (size_t i = 0; i < length; i++) {
        const int shown = shown_character(text + i, length - i);
        const unsigned char byte = (unsigned char)text[i];
        if (shown) {
            fwrite(text + i, 1, 3, out);
            i += 2;
        } else if (byte == '\\') {
            fputc('/', out); // would join the next line to the comment
        } else if (byte == '?' && i + 1 < length && text[i + 1] == '?') {
            fputs("? ", out);
        } else {
            fputc(byte == '\t' ? ' ' : byte >= ' ' && byte < 0x7f ? byte : '.', out);
        }
    }
    fputs(cut ? " ..." : "", out);
}

void emit_shown(FILE *out, const char *text)
{
    show_characters(out, text, strlen(text));
}

void emit_source(FILE *out, const Source *source)
{
    const char *line = source->text, *end = line + source->length;
    fputs("//\n", out);
    while (line < end) {
        size_t length = strcspn(line, "\r\n");
        length = length < (size_t)(end - line) ? length : (size_t)(end - line);
        fputs(length ? "//     " : "//", out);
        show_characters(out, line, length);
        fputc('\n', out);
        line += length;
        line += line < end && line[0] == '\r' && line[1] == '\n' ? 2 : 1;
    }
}

void emit_comment(Emit *e, int line)
{
    if (line == e->line || line <= 0 || e->m->source == NULL || e->m->source->text == NULL)
        return;
    e->line = line;
    size_t length;
    const char *text = source_line(e->m->source, (uint32_t)line, &length);
    while (length && (*text == ' ' || *text == '\t'))
        text++, length--;
    put_indent(e, 4 * e->indent);
    fprintf(e->out, "// %d: ", line);
    show_characters(e->out, text, length);
    fputc('\n', e->out);
}

const char *emit_identifier(Arena *a, const char *name)
{
    char *result = arena_copy(a, name, strlen(name));
    for (char *c = result; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9')))
            *c = '_';
    return result;
}

static bool in_identifier(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Code lines are never comments in part.
static bool in_comment(const char *code, const char *place)
{
    while (place > code && place[-1] != '\n')
        place--;
    place += strspn(place, " ");
    return place[0] == '/' && place[1] == '/';
}

const char *emit_mentions(const char *code, const char *name, bool as_value)
{
    const size_t length = strlen(name);
    for (const char *found = code; (found = strstr(found, name)) != NULL; found++) {
        const bool whole =
            !in_identifier(found[length]) &&
            (found == code || (!in_identifier(found[-1]) && found[-1] != '.' && found[-1] != '>'));
        if (whole && !(as_value && strncmp(found + length, " = ", 3) == 0) && !in_comment(code, found))
            return found;
    }
    return NULL;
}
