// Characters in emitted C. Text from the query reaches the output only through emit_literal and emit_shown.
#include "emit_internal.h"
#include <string.h>

// Indentation ends at DEEPEST columns: otherwise the output would grow with the square of the nesting depth.
enum { WIDTH = 110, DEEPEST = 80 };

bool emit_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void put_indent(FILE *out, int columns)
{
    fprintf(out, "%*s", columns < DEEPEST ? columns : DEEPEST, "");
}

// How good a line break is after the operator that ends here; 0: not allowed.
static int break_rank(const char *after)
{
    switch (after[-1]) {
    case ';':
        return 10;
    case ',':
        return 9;
    case '?':
    case ':':
        return 8;
    case '|':
        return after[-2] == '|' ? 7 : 4;
    case '&':
        return after[-2] == '&' ? 6 : 3;
    case '=':
        return 1;
    case '+':
    case '-':
    case '/': // of a comment
        return 1;
    default:
        return 0;
    }
}

// A place where a line breaks, and the column at which the next one begins.
typedef struct Break {
    size_t place;
    int column;
} Break;

// The best place at or before `width`: inside the fewest parentheses, then after the weakest operator, then the last
// one. The next line is aligned with the inside of the parenthesis.
static Break find_break(const char *text, int width, int column, int indent, int outer_indent)
{
    enum { PARENTHESES = 64 };
    int open[PARENTHESES], depth = 0, best_depth = PARENTHESES, best_rank = 0;
    Break best = {0, indent};
    bool in_comment = false;
    for (int i = 0; text[i] && i <= width; i++) {
        const int rank = i > 1 && !in_comment && text[i - 1] == ' ' ? break_rank(text + i - 1) : 0;
        in_comment = in_comment ? strncmp(text + i, "*/", 2) != 0 : strncmp(text + i, "/*", 2) == 0;
        const int least = text[i > 1 ? i - 2 : 0] == '/' ? width / 2 : width / 6;
        if (rank && i > least && (depth < best_depth || (depth == best_depth && rank >= best_rank))) {
            best = (Break){(size_t)i, depth > 0 ? open[depth - 1] : indent};
            best_depth = depth;
            best_rank = rank;
        }
        if (text[i] == '(' && depth < PARENTHESES)
            open[depth++] = column + i + 1;
        else if (text[i] == ')' && depth > 0)
            depth--;
        else if (text[i] == ')') {
            best_depth = PARENTHESES; // now outside the parentheses that the line began in
            indent = outer_indent;
        }
    }
    return best;
}

void emit_wrapped(FILE *out, int indent, const char *text)
{
    const int first = 4 * indent < DEEPEST ? 4 * indent : DEEPEST - 4;
    int column = first;
    for (;;) {
        const int width = column + 40 < WIDTH ? WIDTH - column : 40;
        Break next = {0, 0};
        if (strnlen(text, (size_t)width + 1) > (size_t)width)
            next = find_break(text, width, column, column > first ? column : first + 4, first + 4);
        put_indent(out, column);
        if (next.place == 0) {
            fprintf(out, "%s\n", text);
            return;
        }
        fprintf(out, "%.*s\n", (int)next.place - 1, text);
        text += next.place;
        column = next.column < WIDTH / 2 + first ? next.column : first + 4;
    }
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

// Is it a UTF-8 character that can be shown: chess pieces (U+2654..265F), arrows (U+219x) and the signs of set algebra? They
// have three bytes.
static bool is_shown_character(const char *text, size_t length)
{
    const unsigned char *byte = (const unsigned char *)text;
    if (length < 3 || byte[0] != 0xe2 || byte[2] < 0x80 || byte[2] > 0xbf)
        return false;
    if (byte[1] == 0x99)
        return byte[2] >= 0x94 && byte[2] <= 0x9f;
    if (byte[1] == 0x86)
        return byte[2] >= 0x90 && byte[2] <= 0x99;
    return byte[1] == 0x88;
}

void emit_shown(FILE *out, const char *text, size_t length)
{
    enum { LONGEST = 200 };
    const bool cut = length > LONGEST;
    length = cut ? LONGEST : length;
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (is_shown_character(text + i, length - i)) {
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

void emit_source(FILE *out, const Source *source)
{
    const char *line = source->text, *end = line + source->length;
    fputs("//\n", out);
    while (line < end) {
        size_t length = strcspn(line, "\r\n");
        length = length < (size_t)(end - line) ? length : (size_t)(end - line);
        fputs(length ? "//     " : "//", out);
        emit_shown(out, line, length);
        fputc('\n', out);
        line += length;
        line += line < end && line[0] == '\r' && line[1] == '\n' ? 2 : 1;
    }
}

void emit_quoted(FILE *out, int indent, const Source *source, int line, const char *note)
{
    put_indent(out, 4 * indent);
    fputs("//", out);
    if (line > 0) {
        size_t length;
        const char *text = source_line(source, (uint32_t)line, &length);
        while (length && (*text == ' ' || *text == '\t'))
            text++, length--;
        fprintf(out, " %d: ", line);
        emit_shown(out, text, length);
    }
    if (note != NULL) {
        fputs(line > 0 ? " -- " : " ", out);
        emit_shown(out, note, strlen(note));
    }
    fputc('\n', out);
}
