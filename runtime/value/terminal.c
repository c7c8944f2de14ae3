// Replaces what a terminal would obey.
#include "terminal.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "unicode.h"

enum { USUAL_COLUMNS = 80 };

// Standard output as it was before terminal_guard; NULL: it is not guarded. Set once, by the first thread.
static FILE *guarded;

// Set once, by the first thread.
static bool json;

bool text_is_harmless(uint32_t c)
{
    const bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
    const bool turns = c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                       (c >= 0x2066 && c <= 0x2069); // Bidi_Control
    return !control && !turns && c != 0x2028 && c != 0x2029;
}

static void append(Buffer *out, const char *bytes, size_t length, bool lines)
{
    size_t done = 0;
    for (size_t i = 0, taken; i < length; i += taken) {
        uint32_t character = (unsigned char)bytes[i];
        taken = unicode_decode(bytes + i, length - i, &character);
        const bool latin = taken == 0;
        taken += latin;
        const bool crlf = lines && character == '\r' && i + 1 < length && bytes[i + 1] == '\n';
        const bool shown = crlf || (text_is_harmless(character) && (lines || character >= 0x20));
        if (shown && !latin)
            continue;
        buffer_append(out, bytes + done, i - done);
        if (shown)
            unicode_append_byte(out, true, bytes[i]);
        else
            buffer_append(out, "?", 1);
        done = i + taken;
    }
    buffer_append(out, bytes + done, length - done);
}

void text_harmless(Buffer *out, const char *bytes, size_t length)
{
    append(out, bytes, length, true);
}

void text_line(Buffer *out, const char *bytes, size_t length)
{
    append(out, bytes, length, false);
}

static void line_format_list(Buffer *out, const char *format, va_list list)
{
    Buffer text = {0};
    const size_t length = strlen(format);
    const bool ends = length > 0 && format[length - 1] == '\n';
    buffer_format_list(&text, format, list);
    text_line(out, text.start, text.length - ends);
    buffer_append(out, "\n", ends);
    buffer_free(&text);
}

void line_format(Buffer *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    line_format_list(out, format, list);
    va_end(list);
}

char *line_new(const char *format, ...)
{
    Buffer text = {0};
    va_list list;
    va_start(list, format);
    line_format_list(&text, format, list);
    va_end(list);
    buffer_append(&text, "", 1);
    return text.start;
}

// ---- messages as JSON -------------------------------------------------------------------------------------

void messages_as_json(void)
{
    json = true;
}

bool messages_are_json(void)
{
    return json;
}

// Appends the contents of a JSON string that has this harmless text.
static void append_json(Buffer *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char c = bytes[i];
        if (c == '"' || c == '\\')
            buffer_format(out, "\\%c", c);
        else if ((unsigned char)c < 0x20)
            buffer_format(out, "\\u%04x", c);
        else
            buffer_append(out, &c, 1);
    }
}

// Removes what the text begins with, if it does.
static bool skip(const char **bytes, size_t *length, const char *prefix)
{
    const size_t size = strlen(prefix);
    if (*length < size || memcmp(*bytes, prefix, size) != 0)
        return false;
    *bytes += size;
    *length -= size;
    return true;
}

// Prints one message, without its last line end, unless it is empty. severity NULL: error after `cqlgen: `, otherwise information.
static void print_json_message(const char *severity, const char *bytes, size_t length)
{
    Buffer text = {0};
    text_harmless(&text, bytes, length);
    const char *start = text.start;
    size_t left = text.length;
    const bool whole = skip(&start, &left, "cqlgen: ");
    if (skip(&start, &left, "warning: "))
        severity = "warning";
    while (left > 0 && start[left - 1] == '\n')
        left--;
    if (left > 0) {
        Buffer line = {0};
        buffer_format(&line, "{\"event\":\"message\",\"severity\":\"%s\",\"text\":\"",
                      severity ? severity : whole ? "error" : "information");
        append_json(&line, start, left);
        buffer_text(&line, "\"}\n");
        fwrite(line.start, 1, line.length, stderr);
        buffer_free(&line);
    }
    buffer_free(&text);
}

void print_json_lines(const char *severity, const char *bytes, size_t length)
{
    for (const char *end = bytes + length, *next; bytes < end; bytes = next) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        next = stop ? stop + 1 : end;
        if (next - bytes > 1 || *bytes != '\n')
            print_json_message(severity, bytes, (size_t)(next - bytes));
    }
}

void print_json(const char *format, ...)
{
    Buffer line = {0};
    va_list list;
    va_start(list, format);
    buffer_format_list(&line, format, list);
    va_end(list);
    buffer_text(&line, "\n");
    fwrite(line.start, 1, line.length, stderr);
    buffer_free(&line);
}

// ---- printing ---------------------------------------------------------------------------------------------

void printf_sanitized(FILE *out, const char *format, ...)
{
    Buffer text = {0};
    va_list list;
    va_start(list, format);
    line_format_list(&text, format, list);
    va_end(list);
    print_made(out, NULL, text.start, text.length);
    buffer_free(&text);
}

void print_lines(FILE *out, const char *bytes, size_t length)
{
    Buffer text = {0};
    if (json && out == stderr) {
        print_json_lines("warning", bytes, length);
        return;
    }
    if (out == stderr)
        text_harmless(&text, bytes, length);
    else
        buffer_append(&text, bytes, length);
    if (text.length > 0)
        fwrite(text.start, 1, text.length, out);
    buffer_free(&text);
}

void print_made(FILE *out, const char *severity, const char *bytes, size_t length)
{
    const bool apart = guarded && out == stdout; // the guard would take the colours away
    if (json && out == stderr) {
        print_json_message(severity, bytes, length);
        return;
    }
    if (apart)
        fflush(stdout);
    if (length > 0)
        fwrite(bytes, 1, length, apart ? guarded : out);
    if (apart)
        fflush(guarded);
}

// ---- progress ---------------------------------------------------------------------------------------------

static int columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL_COLUMNS;
}

void status_show(const char *line)
{
    Buffer text = {0};
    text_line(&text, line, strlen(line));
    const size_t length = unicode_prefix(text.start, text.length, (size_t)columns() - 1);
    fprintf(stderr, "\r%.*s\033[K", (int)length, text.length > 0 ? text.start : "");
    buffer_free(&text);
}

void status_clear(void)
{
    fputs("\r\033[K", stderr);
}

// ---- standard output --------------------------------------------------------------------------------------

// The `write` of a stream. A character that a buffer cuts, after a line of 64 KB, shows as other ones.
static ssize_t write_guarded(void *cookie, const char *bytes, size_t length)
{
    Buffer text = {0};
    FILE *out = cookie;
    text_harmless(&text, bytes, length);
    const bool good = fwrite(text.start, 1, text.length, out) == text.length && fflush(out) == 0;
    const int reason = errno;
    buffer_free(&text);
    errno = reason;
    return good ? (ssize_t)length : 0; // 0 is an error of the stream
}

void terminal_guard(void)
{
    static char buffer[1 << 16];
    if (guarded || !isatty(STDOUT_FILENO))
        return;
    FILE *stream = fopencookie(stdout, "w", (cookie_io_functions_t){.write = write_guarded});
    if (!stream)
        return;
    guarded = stdout;
    setvbuf(stream, buffer, _IOLBF, sizeof buffer);
    stdout = stream;
}

bool terminal_is_guarded(void)
{
    return guarded != NULL;
}
