// Runs a search as a process, and reads what it writes.
#include "internal.h"
#include "child.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/value/clock.h"

enum {
    GRACE = 5,          // seconds for a search that its budget has ended
    MOST_LINE = 1 << 20 // bytes of a line of its report
};

typedef struct Running {
    Request *request;
    const Reader *reader;
    Child child;
    bool out, err;   // still open
    int64_t written; // bytes of its output
    Buffer line;     // begun line of its report
    RunEnd end;
} Running;

// A file that has the text; -1, with errno, when there cannot be one.
static int open_text(const char *text)
{
    const int file = memfd_create("query", MFD_CLOEXEC);
    for (size_t left = strlen(text); file >= 0 && left > 0;) {
        const ssize_t size = write(file, text, left);
        if (size < 0 && errno != EINTR) {
            close(file);
            return -1;
        }
        text += size > 0 ? size : 0;
        left -= size > 0 ? (size_t)size : 0;
    }
    if (file >= 0)
        lseek(file, 0, SEEK_SET);
    return file;
}

// A line that is not JSON was written when nothing else could be, such as without memory.
static bool take_line(Running *run, const char *line, size_t length)
{
    json_t *object = json_loadb(line, length, 0, NULL);
    json_t *event = json_object_get(object, "event");
    char *name = memory_format("%s", json_is_string(event) ? json_string_value(event) : "message");
    if (!json_is_object(object)) {
        json_decref(object);
        object = json_pack("{s:s, s:s%}", "severity", "error", "text", line, length);
    }
    json_object_del(object, "event");
    const bool good = !object || run->reader->report(run->reader->user, name, object);
    json_decref(object);
    free(name);
    return good;
}

static bool take_lines(Running *run, const char *bytes, size_t length)
{
    bool good = true;
    for (const char *end = bytes + length, *next; good && bytes < end; bytes = next) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        next = stop ? stop + 1 : end;
        if (run->line.length < MOST_LINE)
            buffer_append(&run->line, bytes, (size_t)((stop ? stop : end) - bytes));
        if (!stop)
            break;
        good = run->line.length == 0 || take_line(run, run->line.start, run->line.length);
        run->line.length = 0;
    }
    return good;
}

int64_t run_most_output(const Request *r, const Reader *reader)
{
    const int64_t most = r->server->options->max_output;
    return reader->most > 0 && reader->most < most ? reader->most : most;
}

// Reads once from a descriptor of the child; false at its end.
static bool read_some(Running *run, int from)
{
    char bytes[1 << 16];
    const ssize_t size = read(from, bytes, sizeof bytes);
    if (size <= 0)
        return size < 0 && errno == EINTR;
    if (from == run->child.err) {
        if (!take_lines(run, bytes, (size_t)size))
            run->end = RUN_GONE;
        return true;
    }
    const int64_t most = run_most_output(run->request, run->reader) << 20, left = most - run->written;
    const size_t taken = size <= left ? (size_t)size : (size_t)left;
    run->written += size;
    if (!run->reader->output(run->reader->user, bytes, taken))
        run->end = RUN_GONE;
    else if (run->written > most)
        run->end = RUN_LARGE;
    return true;
}

static void watch(Running *run)
{
    Request *r = run->request;
    const double until = clock_now() + (double)r->server->options->max_seconds + GRACE;
    while ((run->out || run->err) && run->end == RUN_COMPLETE) {
        struct pollfd watched[] = {{.fd = run->out ? run->child.out : -1, .events = POLLIN},
                                   {.fd = run->err ? run->child.err : -1, .events = POLLIN},
                                   {.fd = r->socket, .events = POLLRDHUP},
                                   {.fd = r->server->stop, .events = POLLIN}};
        const double left = until - clock_now();
        const int ready = left > 0 ? poll(watched, 4, left < 60 ? (int)(left * 1000) + 1 : 60000) : 0;
        if (left <= 0)
            run->end = RUN_LATE;
        if (ready <= 0)
            continue;
        if (watched[2].revents || watched[3].revents) {
            r->gone = true;
            run->end = RUN_GONE;
            break;
        }
        if (watched[1].revents)
            run->err = read_some(run, run->child.err);
        if (watched[0].revents && run->end == RUN_COMPLETE)
            run->out = read_some(run, run->child.out);
    }
}

RunEnd run_command(Request *r, const Command *c, const Reader *reader, int *status)
{
    Running run = {.request = r, .reader = reader, .out = true, .err = true, .end = RUN_COMPLETE};
    *status = -1;
    if (!r->running && !queue_wait(r))
        return RUN_GONE;
    const int in = c->in ? open_text(c->in) : r->server->nothing;
    if (in < 0 || !child_start(&run.child, c->word, in)) {
        json_t *message = json_pack("{s:s, s:o}", "severity", "error", "text",
                                    json_sprintf("cannot start a process: %s", strerror(errno)));
        reader->report(reader->user, "message", message);
        json_decref(message);
        run.end = RUN_FAILED;
    } else {
        watch(&run);
        *status = child_end(&run.child, run.end != RUN_COMPLETE);
        if (run.end == RUN_COMPLETE && *status >= 127)
            run.end = RUN_FAILED;
    }
    if (c->in && in >= 0)
        close(in);
    buffer_free(&run.line);
    return run.end;
}
