// Runs a program as a process of its own and measures it: time, processor time, memory.
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/value/clock.h"
#include "runtime/value/folder.h"
#include "runtime/value/memory.h"

extern char **environ;

// ---- the folder -------------------------------------------------------------------------------------------

char *bench_path(const BenchFolder *f, const char *name)
{
    return memory_format("%s/%s", f->path, name);
}

bool bench_folder_open(BenchFolder *f)
{
    const char *base = getenv("TMPDIR");
    *f = (BenchFolder){.path =
                           memory_format("%s/cqlgen-bench-XXXXXX", base && base[0] == '/' ? base : "/tmp")};
    if (!mkdtemp(f->path)) {
        free(f->path);
        f->path = NULL;
        return false;
    }
    memory_file_begin(&f->temporary, f->path);
    f->cache = bench_path(f, "cache");
    f->out = bench_path(f, "stdout");
    f->errors = bench_path(f, "stderr");
    return true;
}

void bench_folder_close(BenchFolder *f)
{
    if (f->path) {
        folder_remove(f->path);
        memory_file_end(&f->temporary);
    }
    free(f->path);
    free(f->cache);
    free(f->out);
    free(f->errors);
    *f = (BenchFolder){0};
}

char *bench_read(const char *path, bool end)
{
    enum { MOST = 4000 };
    char *text = memory_zeroed(MOST + 1, 1);
    FILE *file = fopen(path, "r");
    if (file) {
        if (end && fseek(file, -MOST, SEEK_END) != 0)
            rewind(file); // it is shorter
        text[fread(text, 1, MOST, file)] = 0;
        fclose(file);
    }
    return text;
}

// ---- processes --------------------------------------------------------------------------------------------

// The environment with another folder for compiled queries (one block; NULL: as it is).
static char **environment(const char *cache)
{
    static const char name[] = "XDG_CACHE_HOME=";
    int count = 0;
    while (environ[count])
        count++;
    char **list = memory_new((size_t)(count + 2) * sizeof *list + sizeof name + strlen(cache));
    char *text = (char *)(list + count + 2);
    strcat(strcpy(text, name), cache);
    int kept = 0;
    list[kept++] = text;
    for (int i = 0; i < count; i++)
        if (strncmp(environ[i], name, strlen(name)) != 0)
            list[kept++] = environ[i];
    list[kept] = NULL;
    return list;
}

static void wake(int signal_number)
{
    (void)signal_number; // interrupts ppoll
}

// Blocks the signals that end a wait; *before: the signals that were blocked.
static void hold_signals(sigset_t *before)
{
    static const int waking[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
    const struct sigaction action = {.sa_handler = wake};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof waking / sizeof *waking; i++)
        sigaddset(&set, waking[i]);
    sigaction(SIGCHLD, &action, NULL);
    sigprocmask(SIG_BLOCK, &set, before);
}

// Starts the program in a process group of its own; 0, or an error number.
static int start_process(const BenchFolder *f, char *const *argument, const char *cache, const sigset_t *mask,
                         pid_t *id)
{
    const int create = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files); // or no memory
    error |= posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    error |= posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, f->out, create, 0600);
    error |= posix_spawn_file_actions_addopen(&files, STDERR_FILENO, f->errors, create, 0600);
    posix_spawnattr_t attributes;
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    char **variables = cache ? environment(cache) : environ;
    if (error == 0)
        error = posix_spawnp(id, argument[0], &files, &attributes, argument, variables);
    if (cache)
        free(variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

// Ends the processes of a group: first with a signal that lets them clean up, then without mercy.
static void end_group(pid_t id)
{
    enum { PATIENCE_MILLISECONDS = 3000 };
    kill(-id, SIGTERM);
    for (int waited = 0; waited < PATIENCE_MILLISECONDS; waited += 10) {
        if (waitpid(id, NULL, WNOHANG) == id) {
            kill(-id, SIGKILL); // what it has left
            return;
        }
        poll(NULL, 0, 10);
    }
    kill(-id, SIGKILL);
    while (waitpid(id, NULL, 0) < 0 && errno == EINTR)
        ;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

// How a process failed, with the last line that it has complained; NULL: it did not.
static char *problem_of(const BenchFolder *f, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return NULL;
    char *text = bench_read(f->errors, true);
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        text[--length] = 0;
    const char *line = strrchr(text, '\n') ? strrchr(text, '\n') + 1 : text;
    char *how = WIFEXITED(status) ? memory_format("status %d", WEXITSTATUS(status))
                                  : memory_format("signal %d", WTERMSIG(status));
    char *problem = *line ? memory_format("%s: %s", how, line) : memory_format("%s, without a message", how);
    free(how);
    free(text);
    return problem;
}

bool bench_run(const BenchFolder *f, char *const *argument, const char *cache, const atomic_int *stop,
               BenchRun *run)
{
    sigset_t before;
    pid_t id, ended = 0;
    int status = 0;
    struct rusage usage;
    *run = (BenchRun){0};
    hold_signals(&before);
    const double begin = clock_now();
    const int error = start_process(f, argument, cache, &before, &id);
    while (!error && !*stop && (ended = wait4(id, &status, WNOHANG, &usage)) == 0)
        ppoll(NULL, 0, NULL, &before);
    run->seconds = clock_now() - begin;
    if (!error && ended != id)
        end_group(id);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (error)
        run->problem = memory_format("cannot run %s: %s", argument[0], strerror(error));
    if (error || ended != id)
        return !*stop;
    run->processor = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    run->memory = (int64_t)usage.ru_maxrss * 1024;
    run->problem = problem_of(f, status);
    return true;
}
