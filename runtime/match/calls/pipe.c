// External programs that queries ask (language reference 13.18).
#include <errno.h>
#include <stdlib.h>

#include "runtime/match/program.h"
#include "runtime/match/run_state.h"

enum { DEFAULT_SECONDS = 10, MOST_PROGRAMS = 32 };

// One for each command line. A program that failed is not started again.
typedef struct Pipe {
    const char *command;
    Program *program; // NULL: it failed
} Pipe;

typedef struct PipeState {
    Pipe pipe[MOST_PROGRAMS];
    int count;
    bool refused; // it was reported that programs are not allowed
    Buffer line, answer;
} PipeState;

static void pipe_release(Context *c)
{
    PipeState *s = c->run->pipe;
    for (int i = 0; i < s->count; i++)
        program_end(s->pipe[i].program);
    buffer_free(&s->line);
    buffer_free(&s->answer);
}

const Subject pipe_subject = {.size = sizeof(PipeState), .release = pipe_release};

// Reports what is wrong with the program.
static void report(const Context *c, const Pipe *p, const char *format, const char *why)
{
    const RunOptions *o = &c->run->options;
    char *text = memory_format(format, p->command, why);
    if (o->report)
        o->report(o->report_user, text);
    free(text);
}

// The program fails: reports why, once, and ends it.
static void fail(const Context *c, Pipe *p, const char *why)
{
    report(c, p, "commandpipe: \"%.100s\" %s; it is not started again, and commandpipe has no value", why);
    program_end(p->program);
    p->program = NULL;
}

static Pipe *open_pipe(Context *c, const char *command)
{
    PipeState *s = c->run->pipe;
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->pipe[i].command, command) == 0)
            return &s->pipe[i];
    if (s->count == MOST_PROGRAMS)
        run_raise(c, "commandpipe: more than %d programs", MOST_PROGRAMS);
    Pipe *p = &s->pipe[s->count++];
    p->command = strcpy(run_zeroed(c, (int32_t)strlen(command) + 1, 1), command);
    p->program = program_start(command);
    if (!p->program)
        report(c, p, "commandpipe: cannot start \"%.100s\": %s; commandpipe has no value", strerror(errno));
    return p;
}

// The text as one line: line ends inside become spaces.
static void make_line(Buffer *line, String text)
{
    line->length = 0;
    buffer_append(line, text->bytes, text->length);
    for (size_t i = 0; i < line->length; i++)
        if (line->start[i] == '\n' || line->start[i] == '\r')
            line->start[i] = ' ';
    buffer_append(line, "\n", 1);
}

int32_t rt_command_pipe(Context *c, String command, String text, String *value)
{
    PipeState *s = c->run->pipe;
    const RunOptions *o = &c->run->options;
    command = string_or_empty(command);
    if (!o->allow_commands) {
        const bool first = !s->refused;
        s->refused = true;
        if (first)
            run_raise(c, "commandpipe: \"%.100s\" is not started without --allow-commands", command->bytes);
        return 0;
    }
    Pipe *p = open_pipe(c, command->bytes);
    if (!p->program)
        return 0;
    const int seconds = o->pipe_seconds > 0 ? o->pipe_seconds : DEFAULT_SECONDS;
    make_line(&s->line, string_or_empty(text));
    switch (
        program_ask(p->program, s->line.start, s->line.length, seconds, &s->answer, o->stopped, o->user)) {
    case PROGRAM_ANSWERED:
        *value = run_string(c, s->answer.start, s->answer.length);
        return 1;
    case PROGRAM_ENDED:
        fail(c, p, "has ended");
        break;
    case PROGRAM_SILENT:
        fail(c, p, "did not answer with a line in time (--pipetimeout)");
        break;
    default: // the search ends
        run_pause(c);
    }
    return 0;
}
