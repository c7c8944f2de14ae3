// Answers that are what a search writes: files, pages, games.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/format/format.h"
#include "runtime/format/text.h"

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
static void fail(Whole *w, RunEnd end, int status)
{
    Request *r = w->request;
    if (end == RUN_LATE)
        request_fail(r, 503, NULL, "time limit reached: %lld seconds",
                     (long long)r->server->options->max_seconds);
    else if (end == RUN_LARGE)
        request_fail(r, 413, NULL, "the answer has more than %lld MB",
                     (long long)r->server->options->max_output);
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
        const RunEnd end = run_command(r, c, &(Reader){w, take_bytes, take_message}, &status);
        if (!is_result(end, status))
            fail(w, end, status);
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
        const RunEnd end = run_command(r, &c, &(Reader){&w, take_text, take_message}, &status);
        buffer_append(&w.text, "", 1);
        if (is_result(end, status))
            text = w.text.start;
        else
            fail(&w, end, status);
    }
    if (!text)
        buffer_free(&w.text);
    command_free(&c);
    buffer_free(&w.messages);
    return text;
}

// The first element `section` of a page, as a text of JSON; NULL: there is none.
static json_t *cut_section(const char *page)
{
    const char *start = strstr(page, "<section "), *end = start ? strstr(start, "</section>") : NULL;
    return end ? json_stringn(start, (size_t)(end - start) + strlen("</section>")) : NULL;
}

static void answer_found(Request *r, int64_t number, char *page, const char *query)
{
    char *line = search_game(r, query, number, "jsonl"),
         *pgn = line ? search_game(r, query, number, "pgn") : NULL;
    json_t *found = line ? json_loads(line, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
    json_t *text = pgn ? json_string(pgn) : NULL;
    if (pgn && !text) { // it is in another encoding
        Buffer utf8 = {0};
        text_utf8(&utf8, (Text){pgn, strlen(pgn)});
        text = json_stringn(utf8.start, utf8.length);
        buffer_free(&utf8);
    }
    if (pgn)
        request_answer_json(r, json_pack("{s:I, s:O*, s:o, s:o}", "game", (json_int_t)number, "tags",
                                         json_object_get(found, "tags"), "pgn", text, "html",
                                         cut_section(page)));
    json_decref(found);
    free(line);
    free(pgn);
}

void answer_game(Request *r, int64_t number)
{
    static const char unmarked[] = "cql(silent matchcount 0) false"; // for a game without a match
    const char *query = member_query(r);
    json_object_del(r->member, "sort");
    json_object_del(r->member, "limit");
    if (!queue_enter(r))
        return;
    char *page = search_game(r, query, number, "html");
    if (page && !strstr(page, "<section ")) {
        free(page);
        query = unmarked;
        json_object_del(r->member, "where");
        json_object_del(r->member, "dialect");
        page = search_game(r, query, number, "html");
    }
    if (page && strstr(page, "<section "))
        answer_found(r, number, page, query);
    else
        request_fail(r, 404, NULL, "no game %lld", (long long)number);
    free(page);
    queue_leave(r);
}
