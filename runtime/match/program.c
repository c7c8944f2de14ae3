// Programs that answer lines.
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/value/memory.h"

extern char **environ;

enum { LONGEST_ANSWER = 1 << 20, SLICE_MS = 50, END_MS = 1000 };

struct Program {
    pid_t pid;
    int input;  // its standard input: a socket, since writing to one need not raise SIGPIPE
    int output; // its standard output
};

// ---- starting ---------------------------------------------------------------------------------------------

// Cuts `command` into words, in place; the list ends with NULL.
static char **split_words(char *command)
{
    size_t count = 0, capacity = 0;
    char **words = NULL, *rest = NULL;
    for (char *word = strtok_r(command, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        words = memory_grow(words, &capacity, count + 2, sizeof *words);
        words[count++] = word;
        words[count] = NULL;
    }
    return words;
}

static int spawn(pid_t *pid, char **words, int input, int output)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, pipe_signal;
    sigemptyset(&none);
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    int error = posix_spawn_file_actions_init(&files); // or no memory
    error |= posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    error |= posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &pipe_signal);
    if (error == 0)
        error = posix_spawnp(pid, words[0], &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

Program *program_start(const char *command)
{
    char *copy = memory_copy(command, strlen(command));
    char **words = split_words(copy);
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    Program *p = memory_zeroed(1, sizeof *p);
    int error = !words ? ENOENT
                : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0 ||
                        pipe2(out, O_CLOEXEC | O_NONBLOCK) != 0
                    ? errno
                    : 0;
    if (error == 0) {
        fcntl(out[1], F_SETFL, 0); // only this end waits in poll
        error = spawn(&p->pid, words, in[1], out[1]);
    }
    free(words);
    free(copy);
    close(in[1]);
    close(out[1]);
    p->input = in[0];
    p->output = out[0];
    if (error == 0)
        return p;
    close(p->input);
    close(p->output);
    free(p);
    errno = error;
    return NULL;
}

// ---- asking -----------------------------------------------------------------------------------------------

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Sends what it takes now of [*text, end). False when the program no longer reads.
static bool send_some(const Program *p, const char **text, const char *end)
{
    const ssize_t sent = send(p->input, *text, (size_t)(end - *text), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0)
        return errno == EAGAIN || errno == EINTR;
    *text += sent;
    return true;
}

// Reads what is there now. False at the end of the output.
static bool read_some(const Program *p, Buffer *answer)
{
    char bytes[4096];
    const ssize_t length = read(p->output, bytes, sizeof bytes);
    if (length < 0)
        return errno == EAGAIN || errno == EINTR;
    buffer_append(answer, bytes, (size_t)length);
    return length > 0;
}

// Drops what the program wrote before; not for ever, if it goes on writing.
static void drop_output(const Program *p, Buffer *scratch)
{
    for (int i = 0; i < 256; i++) {
        scratch->length = 0;
        if (!read_some(p, scratch) || scratch->length == 0)
            break;
    }
    scratch->length = 0;
}

ProgramAnswer program_ask(Program *p, const char *line, size_t length, int seconds, Buffer *answer,
                          bool (*stopped)(void *user), void *user)
{
    const char *end = line + length;
    const int64_t until = now_ms() + (int64_t)seconds * 1000;
    drop_output(p, answer);
    while (answer->length <= LONGEST_ANSWER && now_ms() < until) {
        if (stopped && stopped(user))
            return PROGRAM_STOPPED;
        struct pollfd ready[2] = {{p->output, POLLIN, 0}, {p->input, POLLOUT, 0}};
        if (poll(ready, line < end ? 2 : 1, SLICE_MS) <= 0)
            continue;
        if (ready[1].revents && !send_some(p, &line, end))
            return PROGRAM_ENDED;
        const bool more = !ready[0].revents || read_some(p, answer);
        const char *eol = answer->length > 0 ? memchr(answer->start, '\n', answer->length) : NULL;
        if (eol) {
            answer->length = (size_t)(eol - answer->start);
            if (answer->length > 0 && eol[-1] == '\r')
                answer->length--;
            return PROGRAM_ANSWERED;
        }
        if (!more)
            return PROGRAM_ENDED;
    }
    return PROGRAM_SILENT;
}

// ---- ending -----------------------------------------------------------------------------------------------

void program_end(Program *p)
{
    if (!p)
        return;
    close(p->input);
    close(p->output);
    const int64_t until = now_ms() + END_MS;
    pid_t ended;
    while ((ended = waitpid(p->pid, NULL, WNOHANG)) == 0 && now_ms() < until)
        poll(NULL, 0, 5);
    kill(-p->pid, SIGKILL);
    if (ended == 0)
        waitpid(p->pid, NULL, 0);
    free(p);
}
