// Answers that are streams of events: searches, groups, moves.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/editor/editor.h"

typedef struct Stream {
    Request *request;
    bool lines;      // each line of the output is an event `match`; otherwise all of it is the event `table`
    bool checked;    // the client knows what /check says about the query
    Buffer output;   // that is not sent yet
    json_t *last;    // progress, without the members that only progress has
    json_t *totals;  // the event `end`
    const char *why; // the status of the end, unless the search has said so
} Stream;

static bool send_event(Request *r, const char *event, const char *data, size_t length)
{
    Buffer text = {0};
    buffer_format(&text, "event: %s\ndata: ", event);
    buffer_append(&text, data, length);
    buffer_text(&text, "\n\n");
    const bool sent = request_send(r, text.start, text.length);
    buffer_free(&text);
    return sent;
}

// Takes the reference.
static bool send_json(Request *r, const char *event, json_t *json)
{
    char *text = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
    const bool sent = text && send_event(r, event, text, strlen(text));
    free(text);
    json_decref(json);
    return sent;
}

static bool send_message(Request *r, const char *severity, const char *text)
{
    return send_json(r, "message", json_pack("{s:s, s:s}", "severity", severity, "text", text));
}

// ---- what the search writes -------------------------------------------------------------------------------

static bool take_output(void *user, const char *bytes, size_t length)
{
    Stream *s = user;
    bool good = true;
    for (const char *end = bytes + length, *next; good && bytes < end; bytes = next) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        next = stop ? stop + 1 : end;
        buffer_append(&s->output, bytes, (size_t)((stop ? stop : end) - bytes));
        if (!stop || !s->lines)
            continue;
        good = send_event(s->request, "match", s->output.start, s->output.length);
        s->output.length = 0;
    }
    return good;
}

// Does the message repeat what /check has said about the query?
static bool is_known(const Stream *s, const json_t *message)
{
    const char *text = json_string_value(json_object_get(message, "text"));
    const char *severity = json_string_value(json_object_get(message, "severity"));
    return s->checked && text && severity && strcmp(severity, "error") != 0 &&
           (strncmp(text, "-e:", 3) == 0 || strncmp(text, "<stdin>:", 8) == 0);
}

static bool take_report(void *user, const char *event, json_t *line)
{
    Stream *s = user;
    if (strcmp(event, "end") == 0) {
        json_decref(s->totals);
        s->totals = json_incref(line);
        return true;
    }
    if (strcmp(event, "progress") == 0) {
        json_decref(s->last);
        s->last = json_incref(line);
    }
    return is_known(s, line) || send_json(s->request, event, json_incref(line));
}

// ---- a stream ---------------------------------------------------------------------------------------------

static void send_end(Stream *s)
{
    json_t *end = s->totals ? json_incref(s->totals) : s->last ? json_incref(s->last) : json_object();
    json_object_del(end, "part");
    json_object_del(end, "left");
    json_object_del(end, "exit");
    if (s->why || !json_object_get(end, "status"))
        json_object_set_new(end, "status", json_string(s->why ? s->why : "failed"));
    send_json(s->request, "end", end);
}

static void explain_end(Stream *s, const Reader *reader, RunEnd end, int status)
{
    Request *r = s->request;
    char *text = NULL;
    if (end == RUN_LARGE)
        text = memory_format("the answer has more than %lld MB", (long long)run_most_output(r, reader));
    else if (end == RUN_LATE)
        text = memory_format("time limit reached: %lld seconds", (long long)r->server->options->max_seconds);
    else if (end == RUN_FAILED && status > 128)
        text = memory_format("signal %d ended the search", status - 128);
    s->why = end == RUN_LARGE ? "limit" : end == RUN_LATE ? "time" : end == RUN_FAILED ? "failed" : NULL;
    if (text)
        send_message(r, end == RUN_FAILED ? "error" : "warning", text);
    free(text);
}

// Sends `start` and, when there is something to say, `diagnostics`. False when the query has errors, or the client has gone.
static bool send_start(Stream *s, const Command *c)
{
    Request *r = s->request;
    json_t *check = editor_check(member_query(r), member_text(r, "dialect"));
    json_t *diagnostics = json_object_get(check, "diagnostics"), *one;
    bool good = true;
    size_t i;
    json_array_foreach(diagnostics, i, one) good &= json_integer_value(json_object_get(one, "severity")) != 1;
    char *command = good ? command_text(c) : NULL;
    json_t *start = json_pack("{s:s*, s:O?, s:O?}", "command", command, "dialect",
                              json_object_get(check, "dialect"), "title", json_object_get(check, "title"));
    free(command);
    bool sent = send_json(r, "start", start);
    s->checked = json_array_size(diagnostics) > 0;
    if (sent && s->checked)
        sent = send_json(r, "diagnostics", json_incref(check));
    json_decref(check);
    if (sent && !good)
        s->why = "failed";
    return sent && good;
}

static void stream(Request *r, CommandKind kind, const char *format)
{
    Stream s = {.request = r, .lines = kind == COMMAND_OF_GAMES};
    const Reader reader = {&s, s.lines ? 0 : MOST_MEMORY, take_output, take_report};
    Command c;
    if (command_make(&c, r, kind, member_query(r), format) && queue_enter(r) &&
        request_begin(r, 200, "text/event-stream", NULL, "")) {
        RunEnd end = RUN_COMPLETE;
        int status = 0;
        if (send_start(&s, &c)) {
            end = run_command(r, &c, &reader, &status);
            if (!s.lines && s.output.length > 0 && end == RUN_COMPLETE)
                send_event(r, "table", s.output.start, s.output.length);
            explain_end(&s, &reader, end, status);
        }
        send_end(&s);
    }
    queue_leave(r);
    command_free(&c);
    buffer_free(&s.output);
    json_decref(s.last);
    json_decref(s.totals);
}

void answer_search(Request *r)
{
    stream(r, COMMAND_OF_GAMES, "jsonl");
}

void answer_count(Request *r)
{
    stream(r, COMMAND_OF_GROUPS, "json");
}

void answer_explore(Request *r)
{
    stream(r, COMMAND_OF_MOVES, "json");
}
