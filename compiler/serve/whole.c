// Answers that are what a search writes: files, pages, games.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/format/format.h"

// An answer whose head is sent with the first bytes: a search that fails before has a status of its own.
typedef struct Whole {
    Request *request;
    const char *type, *policy, *headers;
    bool chunked;
    Buffer messages; // errors, or else warnings
    bool errors;
    Buffer text; // of a game: all that was written
} Whole;

static bool take_message(void *user, const char *event, json_t *line)
{
    Whole *w = user;
    const char *text = json_string_value(json_object_get(line, "text"));
    const char *severity = json_string_value(json_object_get(line, "severity"));
    const bool error = severity && strcmp(severity, "error") == 0;
    if (strcmp(event, "message") != 0 || !text || (w->errors && !error))
        return true;
    if (error && !w->errors)
        w->messages.length = 0;
    w->errors |= error;
    if (w->messages.length < 10000)
        buffer_format(&w->messages, "%s%s", w->messages.length > 0 ? "\n" : "", text);
    return true;
}

static bool begin(Whole *w)
{
    return w->request->answered || request_begin(w->request, 200, w->type, w->policy, w->headers);
}

static bool take_bytes(void *user, const char *bytes, size_t length)
{
    Whole *w = user;
    char head[24];
    const int size = snprintf(head, sizeof head, "%zx\r\n", length);
    if (length == 0 || !begin(w))
        return length == 0;
    if (!w->chunked)
        return request_send(w->request, bytes, length);
    return request_send(w->request, head, (size_t)size) && request_send(w->request, bytes, length) &&
           request_send(w->request, "\r\n", 2);
}

// Sends the reason why the search failed.
static void fail(Whole *w, const Reader *reader, RunEnd end, int status)
{
    Request *r = w->request;
    if (end == RUN_LATE)
        request_fail(r, 503, NULL, "time limit reached: %lld seconds",
                     (long long)r->server->options->max_seconds);
    else if (end == RUN_LARGE)
        request_fail(r, 413, NULL, "the answer has more than %lld MB", (long long)run_most_output(r, reader));
    else if (w->messages.length > 0)
        request_fail(r, 400, NULL, "%.*s", (int)w->messages.length, w->messages.start);
    else
        request_fail(r, 500, NULL, "the search ended with status %d", status);
}

// Results that are incomplete because of an input or the time are results, too.
static bool is_result(RunEnd end, int status)
{
    return end == RUN_COMPLETE && (status == 0 || status == 3 || status == 4);
}

// Sends the output of the command. One that breaks off lacks its last chunk.
static void answer_with(Whole *w, const Command *c)
{
    Request *r = w->request;
    int status;
    w->chunked = strcmp(r->info->http_version, "1.0") != 0;
    char *headers = memory_format("%s%s", w->headers, w->chunked ? "Transfer-Encoding: chunked\r\n" : "");
    w->headers = headers;
    if (queue_enter(r)) {
        const Reader reader = {.user = w, .output = take_bytes, .report = take_message};
        const RunEnd end = run_command(r, c, &reader, &status);
        if (!is_result(end, status))
            fail(w, &reader, end, status);
        else if (begin(w) && w->chunked)
            request_send(r, "0\r\n\r\n", 5);
    }
    queue_leave(r);
    free(headers);
    buffer_free(&w->messages);
}

// ---- files and pages --------------------------------------------------------------------------------------

// A page of results runs its own scripts, in a sandbox apart from the server's page.
static const char page_policy[] = "default-src 'none'; style-src 'unsafe-inline'; script-src "
                                  "'unsafe-inline'; img-src data:; base-uri 'none'; "
                                  "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox";

static const char *type_of(SearchFormat format)
{
    switch (format) {
    case FORMAT_PGN:
        return "application/x-chess-pgn";
    case FORMAT_JSONL:
        return "application/jsonl";
    case FORMAT_JSON:
        return "application/json";
    case FORMAT_CSV:
        return "text/csv; charset=utf-8";
    case FORMAT_TSV:
        return "text/tab-separated-values; charset=utf-8";
    case FORMAT_HTML:
        return "text/html; charset=utf-8";
    case FORMAT_SVG:
        return "image/svg+xml";
    case FORMAT_SQLITE:
        return "application/vnd.sqlite3";
    default:
        return "text/plain; charset=utf-8";
    }
}

static bool add_export_options(Command *c, Request *r, bool groups)
{
    command_add_flag(c, r, "no_query", "--no-query", NULL);
    command_add_flag(c, r, "quiz", "--quiz", NULL);
    command_add_number(c, r, "worksheet", "--worksheet");
    if (!groups)
        command_add_number(c, r, "context", "--context");
    return (groups || command_add_text(c, r, "fields", "--fields")) &&
           command_add_text(c, r, "title", "--title");
}

void answer_export(Request *r)
{
    const char *name = member_text(r, "format");
    const bool groups = member_text(r, "by") != NULL;
    const SearchFormat format = format_by_name(name ? name : groups ? "csv" : "pgn");
    if (format == FORMAT_COUNT_) {
        request_fail(r, 400, "format", "no such format: %s; `cqlgen help formats` lists them", name);
        return;
    }
    const FormatInfo *f = &format_info[format];
    const bool page = format == FORMAT_HTML || format == FORMAT_SVG; // a browser shows it
    char *headers = memory_format("Content-Disposition: %s; filename=\"found%s\"\r\n",
                                  page ? "inline" : "attachment", f->ending ? f->ending : ".txt");
    Whole w = {.request = r,
               .type = type_of(format),
               .policy = format == FORMAT_HTML ? page_policy : NULL,
               .headers = headers};
    Command c;
    if (command_make(&c, r, groups ? COMMAND_OF_GROUPS : COMMAND_OF_GAMES, member_query(r), f->name)) {
        if (add_export_options(&c, r, groups))
            answer_with(&w, &c);
    }
    command_free(&c);
    free(headers);
}

void answer_page_of_games(Request *r)
{
    Whole w = {.request = r, .type = "text/html; charset=utf-8", .policy = page_policy, .headers = ""};
    Command c;
    if (command_make(&c, r, COMMAND_OF_GAMES, member_query(r), "html"))
        answer_with(&w, &c);
    command_free(&c);
}

// ---- a game -----------------------------------------------------------------------------------------------

static bool take_text(void *user, const char *bytes, size_t length)
{
    Whole *w = user;
    buffer_append(&w->text, bytes, length);
    return true;
}

// What the search for `query` in one game writes, NUL-terminated, for free(); NULL after an answer.
static char *search_game(Request *r, const char *query, int64_t number, const char *format)
{
    Whole w = {.request = r};
    Command c;
    int status;
    char *text = NULL;
    if (command_make(&c, r, COMMAND_OF_GAMES, query, format)) {
        command_add(&c, true, "--games=%lld-%lld", (long long)number, (long long)number);
        command_add(&c, true, "--utf8");
        const Reader reader = {&w, MOST_MEMORY, take_text, take_message};
        const RunEnd end = run_command(r, &c, &reader, &status);
        buffer_append(&w.text, "", 1);
        if (is_result(end, status))
            text = w.text.start;
        else
            fail(&w, &reader, end, status);
    }
    if (!text)
        buffer_free(&w.text);
    command_free(&c);
    buffer_free(&w.messages);
    return text;
}

// The game in what a search has written, as a text of JSON: the section of a page, or PGN. NULL: none was found.
static json_t *cut_game(const char *text, bool pgn)
{
    const char *start = strstr(text, "<section "), *end = start ? strstr(start, "</section>") : NULL;
    if (pgn)
        return *text ? json_string(text) : NULL;
    return end ? json_stringn(start, (size_t)(end - start) + strlen("</section>")) : NULL;
}

// False after an answer.
static bool find_game(Request *r, const char *query, int64_t number, bool pgn, json_t **game)
{
    char *text = search_game(r, query, number, pgn ? "pgn" : "html");
    *game = text ? cut_game(text, pgn) : NULL;
    free(text);
    return text != NULL;
}

void answer_game(Request *r, int64_t number)
{
    static const char unmarked[] = "cql(silent matchcount 0) false"; // for a game without a match
    const char *format = member_text(r, "format");
    const bool pgn = format && strcmp(format, "pgn") == 0;
    json_t *game = NULL;
    if (format && !pgn && strcmp(format, "html") != 0) {
        request_fail(r, 400, "format", "expected html or pgn: format");
        return;
    }
    json_object_del(r->member, "sort");
    json_object_del(r->member, "limit");
    if (!queue_enter(r))
        return;
    bool good = find_game(r, member_query(r), number, pgn, &game);
    if (good && !game) {
        json_object_del(r->member, "where");
        json_object_del(r->member, "dialect");
        good = find_game(r, unmarked, number, pgn, &game);
    }
    if (game)
        request_answer_json(r,
                            json_pack("{s:I, s:o}", "game", (json_int_t)number, pgn ? "pgn" : "html", game));
    else if (good)
        request_fail(r, 404, NULL, "no game %lld", (long long)number);
    queue_leave(r);
}
