// Lists of messages.
#include "messages.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "runtime/value/unicode.h"

enum { MOST_MESSAGES = 10000 };

struct CqlMessages {
    Arena *arena;
    CqlMessage *list;
    int count;
    char *text; // of cql_messages_text
};

CqlMessages *messages_of_memory(void)
{
    static CqlMessage message = {.severity = CQL_ERROR, .file = "", .text = "out of memory", .excerpt = ""};
    static CqlMessages list = {.list = &message, .count = 1, .text = "error: out of memory\n"};
    return &list;
}

CqlMessages *messages_new(void)
{
    CqlMessages *messages = memory_zeroed(1, sizeof *messages);
    messages->arena = arena_new();
    return messages;
}

int32_t cql_messages_count(const CqlMessages *messages)
{
    return messages ? messages->count : 0;
}

const CqlMessage *cql_messages_get(const CqlMessages *messages, int32_t i)
{
    return messages && i >= 0 && i < messages->count ? &messages->list[i] : NULL;
}

void cql_messages_free(CqlMessages *messages)
{
    if (!messages || messages == messages_of_memory())
        return;
    arena_free(messages->arena);
    free(messages->text);
    free(messages);
}

// As UTF-8: parts of games or queries may be in Latin-1. What a query prints is the host's to judge; all else is made harmless.
static const char *copy_text(CqlMessages *messages, int32_t severity, const char *text)
{
    Buffer own = {0};
    if (!text)
        return "";
    if (severity == CQL_OUTPUT)
        unicode_append(&own, text, strlen(text));
    else
        text_harmless(&own, text, strlen(text));
    const char *copied = arena_copy(messages->arena, own.length > 0 ? own.start : "", own.length);
    buffer_free(&own);
    return copied;
}

void messages_add(CqlMessages *messages, const CqlMessage *message)
{
    CqlMessage own = *message;
    if (messages->count >= MOST_MESSAGES)
        return;
    own.file = message->file ? arena_copy(messages->arena, message->file, strlen(message->file)) : "";
    own.text = copy_text(messages, message->severity, message->text);
    own.excerpt = copy_text(messages, message->severity, message->excerpt);
    ARENA_PUSH(messages->arena, messages->list, messages->count, own);
    free(messages->text);
    messages->text = NULL;
}

void messages_fail(CqlMessages *messages, const char *text)
{
    messages_add(messages, &(CqlMessage){.severity = CQL_ERROR, .text = text});
}

void messages_give(CqlMessages *messages, CqlMessages **to)
{
    const bool wanted = to && messages->count > 0;
    if (to)
        *to = wanted ? messages : NULL;
    if (!wanted)
        cql_messages_free(messages);
}

void messages_refuse(const char *text, CqlMessages **to)
{
    CqlMessages *messages = messages_new();
    messages_fail(messages, text);
    messages_give(messages, to);
}

void messages_output(CqlMessages *messages, const char *bytes, size_t length)
{
    while (length > 0 && bytes[length - 1] == '\n')
        length--;
    char *text = memory_copy(bytes, length);
    messages_add(messages, &(CqlMessage){.severity = CQL_OUTPUT, .text = text});
    free(text);
}

// ---- diagnostics of queries -------------------------------------------------------------------------------

// The line of the query and the carets: what is printed after the first line.
static char *excerpt_of(const Diagnostics *d, int i)
{
    char *text;
    size_t length;
    const Diagnostics one = {.arena = d->arena, .source = d->source, .list = &d->list[i], .count = 1};
    FILE *out = memory_stream(&text, &length);
    diag_print(&one, out, false);
    fclose(out);
    const char *line = strchr(text, '\n');
    char *excerpt = memory_copy(line ? line + 1 : "", line ? strlen(line + 1) : 0);
    free(text);
    return excerpt;
}

void messages_diagnostics(CqlMessages *messages, const Diagnostics *d)
{
    static const int32_t severity[] = {
        [DIAG_ERROR] = CQL_ERROR, [DIAG_WARNING] = CQL_WARNING, [DIAG_NOTE] = CQL_NOTE};
    for (int i = 0; i < d->count; i++) {
        const Diagnostic *entry = &d->list[i];
        const Place start = source_place(d->source, entry->span.start),
                    end = source_place(d->source, entry->span.end);
        char *excerpt = excerpt_of(d, i);
        Buffer text = {0};
        line_format(&text, "%s%s%s", entry->message, entry->suggestion ? "; " : "",
                    entry->suggestion ? entry->suggestion : "");
        buffer_append(&text, "", 1);
        messages_add(messages, &(CqlMessage){.severity = severity[entry->severity],
                                             .file = d->source->name,
                                             .line = (int32_t)start.line,
                                             .column = (int32_t)start.column,
                                             .end_line = (int32_t)end.line,
                                             .end_column = (int32_t)end.column,
                                             .text = text.start,
                                             .excerpt = excerpt});
        buffer_free(&text);
        free(excerpt);
    }
}

// ---- reports of searches ----------------------------------------------------------------------------------

// The length of the name, as reports show it, when the line begins with it and a colon; 0: it does not.
static size_t begins_with_name(const char *line, const char *name)
{
    Buffer shown = {0};
    line_format(&shown, "%s:", name);
    const bool begins = strncmp(line, shown.start, shown.length) == 0;
    const size_t length = begins ? shown.length : 0;
    buffer_free(&shown);
    return length;
}

// The longest of the files that the line begins with, followed by a colon; NULL: none.
static const char *file_of(const char *line, const ReportNames *names)
{
    const char *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < names->file_count; i++) {
        const char *file = names->file[i];
        const size_t length = begins_with_name(line, file);
        if (length > longest) {
            best = file;
            longest = length;
        }
    }
    return best;
}

// Moves *text past a number that follows `before` and that `after` follows; 0: there is none.
static long long take_number(const char **text, const char *before, const char *after)
{
    const size_t length = strlen(before);
    if (strncmp(*text, before, length) != 0 || strspn(*text + length, "0123456789") == 0)
        return 0;
    char *end;
    const long long number = strtoll(*text + length, &end, 10);
    if (strncmp(end, after, strlen(after)) != 0)
        return 0;
    *text = end + strlen(after);
    return number;
}

// In later files than the first, the number in all of them comes first.
static long long take_game(const char **text)
{
    const long long only = take_number(text, "game ", ": ");
    if (only > 0)
        return only;
    const char *rest = *text;
    const long long first = take_number(&rest, "game ", " (");
    if (take_number(&rest, "", " of this file): ") == 0)
        return 0;
    *text = rest;
    return first;
}

// Damage of a game is a warning: what can be read is searched. Errors of a query follow its name.
static int32_t severity_of(const char *text, const ReportNames *names)
{
    const char *rest = text;
    take_number(&rest, "position ", ": ");
    for (uint32_t q = 0; q < names->matcher->query_count; q++) {
        if (begins_with_name(rest, names->matcher->query[q].name) > 0)
            return CQL_ERROR;
    }
    return CQL_WARNING;
}

static void add_report(CqlMessages *messages, const char *line, const ReportNames *names)
{
    static const char error[] = "error: ";
    CqlMessage message = {.severity = CQL_ERROR, .file = file_of(line, names), .text = line};
    if (message.file) {
        message.text += begins_with_name(line, message.file);
        message.line = (int32_t)take_number(&message.text, "", ":");
        message.text += *message.text == ' ';
        message.game = take_game(&message.text);
        message.severity = severity_of(message.text, names);
        if (strncmp(message.text, error, strlen(error)) == 0) {
            message.text += strlen(error);
            message.severity = CQL_ERROR;
        }
    }
    messages_add(messages, &message);
}

void messages_reports(CqlMessages *messages, const char *lines, size_t length, const ReportNames *names)
{
    for (const char *end = lines + length, *next; lines < end; lines = next) {
        const char *stop = memchr(lines, '\n', (size_t)(end - lines));
        next = stop ? stop + 1 : end;
        char *line = memory_copy(lines, (size_t)((stop ? stop : end) - lines));
        add_report(messages, line, names);
        free(line);
    }
}

// ---- as text ----------------------------------------------------------------------------------------------

static void print_message(FILE *out, const CqlMessage *m)
{
    static const char *const name[] = {
        [CQL_ERROR] = "error: ", [CQL_WARNING] = "warning: ", [CQL_NOTE] = "note: ", [CQL_OUTPUT] = ""};
    Buffer file = {0}, text = {0};
    line_format(&file, "%s%s", m->file, *m->file ? ":" : "");
    text_harmless(&text, m->text, strlen(m->text));
    print_made(out, NULL, file.start, file.length);
    if (m->line > 0)
        fprintf(out, "%d:", (int)m->line);
    if (m->column > 0)
        fprintf(out, "%d:", (int)m->column);
    fprintf(out, "%s", *m->file ? " " : "");
    if (m->game > 0)
        fprintf(out, "game %lld: ", (long long)m->game);
    fputs(name[m->severity], out);
    print_made(out, NULL, text.start, text.length);
    fprintf(out, "\n%s", m->excerpt);
    buffer_free(&file);
    buffer_free(&text);
}

static void make_text(CqlMessages *m)
{
    char *text;
    size_t length;
    FILE *out = memory_stream(&text, &length);
    for (int i = 0; i < m->count; i++)
        print_message(out, &m->list[i]);
    fclose(out);
    m->text = text;
}

const char *cql_messages_text(const CqlMessages *messages)
{
    CqlMessages *m = (CqlMessages *)(uintptr_t)messages; // the text is made once
    MemoryEscape escape;
    if (!m || m->text)
        return m ? m->text : "";
    if (setjmp(escape.jump) != 0)
        return messages_of_memory()->text;
    memory_escape_begin(&escape);
    make_text(m);
    memory_escape_end(&escape);
    return m->text;
}
