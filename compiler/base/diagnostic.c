// Diagnostics: collecting, suggesting names, printing with the line of the source.
#include "diagnostic.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "runtime/value/unicode.h"
#include "utf8.h"

enum { PRINTED_LIMIT = 30 };  // diagnostics
enum { LONGEST_WORD = 64 };   // longer words get no suggestion
enum { LINE_COLUMNS = 100 };  // of a source line that is shown
enum { COLUMNS_BEFORE = 40 }; // shown before the place in a line that is cut

static const char *const severity_name[] = {
    [DIAG_ERROR] = "error", [DIAG_WARNING] = "warning", [DIAG_NOTE] = "note"};
static const char *const severity_colour[] = {
    [DIAG_ERROR] = "\033[1;31m", [DIAG_WARNING] = "\033[1;35m", [DIAG_NOTE] = "\033[1;36m"};

void diag_add(Diagnostics *d, Severity severity, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(d->arena, format, arguments);
    va_end(arguments);
    const Diagnostic entry = {.severity = severity, .span = span, .message = message};
    ARENA_PUSH(d->arena, d->list, d->count, entry);
    d->errors += severity == DIAG_ERROR;
}

// ---- suggestions -----------------------------------------------------------------------------------------

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Edit distance with exchanges of neighbours (optimal string alignment). Both words are at most LONGEST_WORD
// long.
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][LONGEST_WORD + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        last[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[b_length];
}

// A short word is near to too many others: one edit from three letters on, two from nine on, no other letter in words of up to
// four (where an edit is a letter too many, one that is missing, or two exchanged).
static bool is_near(const char *a, size_t a_length, const char *b, size_t b_length, size_t distance)
{
    const size_t shorter = least(a_length, b_length);
    if (distance > (a_length >= 9 ? 2U : a_length >= 3))
        return false;
    int change = 0; // of the sum of letters, which an exchange keeps
    for (size_t i = 0; i < shorter; i++)
        change += a[i] - b[i];
    return distance == 0 || shorter > 4 || a_length != b_length || change == 0;
}

const char *nearest_name(const char *word, size_t length, const char *const *names, size_t count)
{
    const char *best = NULL;
    if (length == 0 || length > LONGEST_WORD)
        return NULL;
    size_t best_distance = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t name_length = names[i] ? strlen(names[i]) : 0;
        if (name_length == 0 || name_length > LONGEST_WORD)
            continue;
        if (name_length == length && memcmp(word, names[i], length) == 0)
            continue;
        const bool case_only = name_length == length && ascii_same_bytes(word, names[i], length);
        size_t distance = case_only ? 0 : edit_distance(word, length, names[i], name_length);
        if (distance < best_distance && is_near(word, length, names[i], name_length, distance)) {
            best = names[i];
            best_distance = distance;
        }
    }
    return best;
}

void diag_suggest(Diagnostics *d, const char *word, size_t length, const char *const *names, size_t count)
{
    const char *best = d->count > 0 ? nearest_name(word, length, names, count) : NULL;
    if (best == NULL)
        return;
    Diagnostic *last = &d->list[d->count - 1];
    const Span span = last->span;
    last->suggestion = arena_printf(d->arena, "did you mean `%s`?", best);
    if (span.end <= d->source->length && span.end - span.start == length &&
        memcmp(d->source->text + span.start, word, length) == 0)
        last->cure = (Cure){span, best};
}

void diag_advise(Diagnostics *d, const char *advice)
{
    if (d->count > 0)
        d->list[d->count - 1].suggestion = advice;
}

static bool is_word(char c)
{
    return is_letter(c) || is_digit(c) || c == '_';
}

static bool joins(char a, char b)
{
    return is_word(a) && is_word(b);
}

void diag_cure(Diagnostics *d, Span span, const char *text)
{
    const size_t length = strlen(text);
    if (d->count == 0 || span.end > d->source->length)
        return;
    const char *all = d->source->text;
    const bool before = length > 0 && span.start > 0 && joins(all[span.start - 1], text[0]);
    const bool after = length > 0 && span.end < d->source->length && joins(text[length - 1], all[span.end]);
    d->list[d->count - 1].cure =
        (Cure){span, arena_printf(d->arena, "%s%s%s", before ? " " : "", text, after ? " " : "")};
}

void diag_sort(Diagnostics *d)
{
    // The list is short and nearly sorted: every group goes before those that follow it in the text.
    for (int i = 1, next; i < d->count; i = next) {
        next = i + 1;
        while (next < d->count && d->list[next].severity == DIAG_NOTE)
            next++;
        int to = 0;
        while (to < i &&
               (d->list[to].severity == DIAG_NOTE || d->list[to].span.start <= d->list[i].span.start))
            to++;
        for (int k = i; k < next && to < i; k++) {
            const Diagnostic moved = d->list[k];
            const int place = to + (k - i);
            memmove(&d->list[place + 1], &d->list[place], (size_t)(k - place) * sizeof moved);
            d->list[place] = moved;
        }
    }
}

// ---- printing --------------------------------------------------------------------------------------------

static void append_text(Buffer *out, const char *text)
{
    text_line(out, text, strlen(text));
}

// The part of a line that is shown, as byte offsets in the line.
typedef struct Window {
    size_t start, end;
} Window;

static size_t character_bytes(const char *text, size_t available)
{
    uint32_t character;
    size_t bytes = unicode_decode(text, available, &character);
    return bytes ? bytes : 1;
}

static Window window_around(const char *line, size_t length, size_t place)
{
    size_t *offset = memory_new((length + 1) * sizeof *offset); // of each character
    Window window = {0, length};
    size_t characters = 0, at = 0;
    for (size_t i = 0; i < length; i += character_bytes(line + i, length - i)) {
        if (i <= place)
            at = characters;
        offset[characters++] = i;
    }
    offset[characters] = length;
    if (characters > LINE_COLUMNS) {
        const size_t first = least(at > COLUMNS_BEFORE ? at - COLUMNS_BEFORE : 0, characters - LINE_COLUMNS);
        window.start = offset[first];
        window.end = offset[first + LINE_COLUMNS];
    }
    free(offset);
    return window;
}

// Columns of the character at `text` as it is shown; *bytes: its length.
static int shown_width(const char *text, size_t available, size_t *bytes)
{
    uint32_t character;
    *bytes = unicode_decode(text, available, &character);
    const int width = *bytes > 0 && text_is_harmless(character) ? utf8_width(character) : 1;
    *bytes += *bytes == 0;
    return width;
}

// Appends `^~~~` under the bytes [start, end) of the line; tabs are repeated so that it stays aligned.
static void append_carets(Buffer *out, const char *line, Window window, size_t start, size_t end)
{
    buffer_text(out, window.start > 0 ? "   " : "");
    bool first = true;
    for (size_t i = window.start, bytes; i < window.end && i < end; i += bytes) {
        const int width = shown_width(line + i, window.end - i, &bytes);
        if (i < start) {
            if (line[i] == '\t')
                buffer_text(out, "\t");
            else
                buffer_format(out, "%*s", width, "");
        } else {
            for (int column = 0; column < width || (first && column == 0); column++) {
                buffer_text(out, first ? "^" : "~");
                first = false;
            }
        }
    }
    buffer_text(out, first ? "^" : "");
}

static void append_excerpt(Buffer *out, const Source *source, Span span, uint32_t line_number,
                           const char *colour)
{
    size_t length;
    const char *line = source_line(source, line_number, &length);
    size_t line_offset = (size_t)(line - source->text);
    size_t start = span.start - line_offset, end = span.end > span.start ? span.end - line_offset : start;
    if (start > length)
        start = length;
    if (end > length)
        end = length;
    Window window = window_around(line, length, start);
    buffer_text(out, window.start > 0 ? "..." : "");
    text_harmless(out, line + window.start, window.end - window.start);
    buffer_text(out, window.end < length ? "...\n" : "\n");
    buffer_text(out, colour);
    append_carets(out, line, window, start, end);
    buffer_text(out, colour[0] != '\0' ? "\033[0m\n" : "\n");
}

static void append_one(Buffer *out, const Source *source, const Diagnostic *entry, bool colour)
{
    const char *bold = colour ? "\033[1m" : "", *plain = colour ? "\033[0m" : "";
    const char *tint = colour ? severity_colour[entry->severity] : "";
    Span span = entry->span;
    if (span.start > source->length)
        span.start = (uint32_t)source->length;
    Place place = source_place(source, span.start);
    buffer_text(out, bold);
    append_text(out, source->name);
    buffer_format(out, ":%u:%u:%s %s%s:%s ", place.line, place.column, plain, tint,
                  severity_name[entry->severity], plain);
    append_text(out, entry->message);
    if (entry->suggestion != NULL) {
        buffer_text(out, "; ");
        append_text(out, entry->suggestion);
    }
    buffer_text(out, "\n");
    if (source->length > 0)
        append_excerpt(out, source, span, place.line, tint);
}

void diag_print(const Diagnostics *d, FILE *out, bool colour)
{
    int printed = d->count < PRINTED_LIMIT ? d->count : PRINTED_LIMIT;
    Buffer text = {0};
    for (int i = 0; i < printed; i++)
        append_one(&text, d->source, &d->list[i], colour);
    if (d->count > printed)
        line_format(&text, "%s: %d more not shown\n", d->source->name, d->count - printed);
    print_made(out, d->errors > 0 ? "error" : "warning", text.start, text.length);
    buffer_free(&text);
}
