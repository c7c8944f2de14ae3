// Runs the system's C compiler without a shell: the command is split at spaces and passed as a list.
#include "backends.h"
#include "runtime/match/seal.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"

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
#include <time.h>
#include <unistd.h>

extern char **environ;

// The time in which GCC gives registers to loops within loops doubles with each level, unless few of them are regions of their own.
static const char *const usual_flags[] = {
    "-O2", "-shared", "-fPIC", "-std=gnu11", "-w", "--param=ira-max-loops-num=20", NULL};

static int word_count(const char *const *list)
{
    int count = 0;
    while (list != NULL && list[count] != NULL)
        count++;
    return count;
}

char **cc_command(const EngineOptions *options)
{
    const char *command = options->cc != NULL ? options->cc : getenv("CC");
    if (command == NULL || command[strspn(command, " \t")] == 0)
        command = "cc";
    const size_t length = strlen(command);
    char **word = memory_new((length / 2 + 2) * sizeof *word + length + 1);
    char *text = strcpy((char *)(word + length / 2 + 2), command), *rest;
    int count = 0;
    for (char *next = strtok_r(text, " \t", &rest); next != NULL; next = strtok_r(NULL, " \t", &rest))
        word[count++] = next;
    word[count] = NULL;
    return word;
}

// ---- identity --------------------------------------------------------------------------------------------

static bool describe_file(FILE *out, const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0 || !S_ISREG(s.st_mode))
        return false;
    fprintf(out, "%s %lld %lld %ld\n", path, (long long)s.st_size, (long long)s.st_mtim.tv_sec,
            s.st_mtim.tv_nsec);
    return true;
}

// The file that the command starts, as execvp finds it.
static void describe_program(FILE *out, const char *program)
{
    const char *path = getenv("PATH");
    if (strchr(program, '/') != NULL || path == NULL) {
        describe_file(out, program);
        return;
    }
    while (*path) {
        const size_t length = strcspn(path, ":");
        char *file = memory_format("%.*s/%s", (int)length, path, program);
        const bool found = access(file, X_OK) == 0 && describe_file(out, file);
        free(file);
        if (found)
            return;
        path += length + (path[length] == ':');
    }
}

void cc_identity(FILE *out, const EngineOptions *options, const char *const *extra)
{
    char **word = cc_command(options);
    for (int i = 0; word[i] != NULL; i++)
        fprintf(out, "%s\n", word[i]);
    describe_program(out, word[0]);
    for (int i = 0; usual_flags[i] != NULL; i++)
        fprintf(out, "%s\n", usual_flags[i]);
    for (int i = 0; extra != NULL && extra[i] != NULL; i++)
        fprintf(out, "%s\n", extra[i]);
    free(word);
}

// ---- running ---------------------------------------------------------------------------------------------

// The environment with another TMPDIR (one block; NULL: as it is).
static char **environment(const char *folder)
{
    int count = 0;
    while (environ[count] != NULL)
        count++;
    char **list = memory_new((size_t)(count + 2) * sizeof *list + strlen("TMPDIR=") + strlen(folder) + 1);
    char *text = (char *)(list + count + 2);
    sprintf(text, "TMPDIR=%s", folder);
    int kept = 0;
    list[kept++] = text;
    for (int i = 0; i < count; i++)
        if (strncmp(environ[i], text, strlen("TMPDIR=")) != 0)
            list[kept++] = environ[i];
    list[kept] = NULL;
    return list;
}

// A compiler that runs.
typedef struct Child {
    pid_t id;
    int alive; // end of a pipe that all its processes hold, or -1
} Child;

enum { STEP_NANOSECONDS = 1000000, KILLED_MILLISECONDS = 1000 };

// Exit statuses from NOT_STARTED on are not those of the compiler: it could not be started, or a signal ended it.
enum { NOT_STARTED = 126, NOT_FOUND = 127, SIGNALLED = 128 };

// Waits for the end of the compiler; its exit status, or -1 and errno. When options->stop becomes non-zero kills it with all
// the processes that it has started.
static int wait_for(const Child *child, const EngineOptions *options)
{
    const atomic_int *stop = options->stop;
    int status;
    pid_t ended;
    while ((ended = waitpid(child->id, &status, stop != NULL ? WNOHANG : 0)) <= 0) {
        if (ended < 0 && errno != EINTR)
            return -1;
        if (ended == 0 && *stop) {
            kill(-child->id, SIGKILL);
            errno = EINTR;
            if (options->background) // where other programs want the processor, even dying takes time
                return -1;
            while (waitpid(child->id, &status, 0) < 0 && errno == EINTR)
                ;
            struct pollfd others = {.fd = child->alive};
            poll(&others, 1, KILLED_MILLISECONDS); // until nobody can write into its folder any more
            errno = EINTR;
            return -1;
        }
        if (ended == 0)
            nanosleep(&(struct timespec){.tv_nsec = STEP_NANOSECONDS}, NULL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED;
}

// Runs the compiler with `in` as standard input and `err` as both outputs; its exit status, or -1 and errno. With
// options->stop, it is a process group of its own.
static int run_compiler(char *const *argument, int in, int err, const char *folder,
                        const EngineOptions *options)
{
    enum { PIPE = 3 };
    const atomic_int *stop = options->stop;
    int ends[2] = {-1, -1};
    if (stop != NULL && pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions); // or no memory
    error |= posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    error |= posix_spawn_file_actions_adddup2(&actions, err, STDOUT_FILENO);
    error |= posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    if (stop != NULL)
        error |= posix_spawn_file_actions_adddup2(&actions, ends[1], PIPE);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, stop != NULL ? POSIX_SPAWN_SETPGROUP : 0);
    char **variables = folder != NULL ? environment(folder) : environ;
    Child child = {.alive = ends[0]};
    if (error == 0)
        error = posix_spawnp(&child.id, argument[0], &actions, &attributes, argument, variables);
    if (error == 0 && stop != NULL && options->nice > 0)
        setpriority(PRIO_PGRP, (id_t)child.id, getpriority(PRIO_PROCESS, 0) + options->nice);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (folder != NULL)
        free(variables);
    if (stop != NULL)
        close(ends[1]);
    errno = error;
    const int status = error ? -1 : wait_for(&child, options);
    const int reason = errno;
    if (stop != NULL)
        close(ends[0]);
    errno = reason;
    return status;
}

static char *read_all(FILE *file)
{
    rewind(file);
    char *text;
    size_t length;
    FILE *copy = memory_stream(&text, &length);
    char buffer[4096];
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        fwrite(buffer, 1, got, copy);
    fclose(copy);
    return text;
}

// Runs the compiler on the text; its exit status, or -1. *message: NULL when it succeeds. last: one more flag, or NULL.
static int compile(const char *c_text, size_t length, const char *object, const char *folder,
                   const EngineOptions *options, const char *const *extra, const char *last, char **message)
{
    char **word = cc_command(options);
    const char
        *argument[word_count((const char *const *)word) + word_count(usual_flags) + word_count(extra) + 9];
    int count = 0, status = -1;
    for (int i = 0; word[i] != NULL; i++)
        argument[count++] = word[i];
    for (int i = 0; usual_flags[i] != NULL; i++)
        argument[count++] = usual_flags[i];
    for (int i = 0; i < word_count(extra); i++)
        argument[count++] = extra[i];
    if (last != NULL)
        argument[count++] = last;
    const char *const rest[] = {"-o", object, "-x", "c", "-", NULL};
    memcpy(argument + count, rest, sizeof rest);
    FILE *in = tmpfile(), *err = tmpfile();
    *message = NULL;
    if (in == NULL || err == NULL || fwrite(c_text, 1, length, in) != length || fflush(in) != 0 ||
        lseek(fileno(in), 0, SEEK_SET) != 0) {
        *message = line_new("cannot write a temporary file for the C compiler: %s", strerror(errno));
    } else {
        status = run_compiler((char *const *)argument, fileno(in), fileno(err), folder, options);
        if (status < 0 || status == NOT_FOUND)
            *message = line_new("cannot run the C compiler \"%s\": %s", word[0],
                                strerror(status == NOT_FOUND ? ENOENT : errno));
        else if (status > 0) {
            char *output = read_all(err), *failed = line_new("the C compiler \"%s\" failed:", word[0]);
            *message = memory_format("%s\n%s", failed, output);
            free(failed);
            free(output);
        }
    }
    if (in != NULL)
        fclose(in);
    if (err != NULL)
        fclose(err);
    free(word);
    return status;
}

bool cc_compile(const char *c_text, size_t length, const char *object, const char *folder,
                const EngineOptions *options, const char *const *extra, char **message)
{
    static const char screen[] = ".screen = SCREEN(";
    const int status = compile(c_text, length, object, folder, options, extra, NULL, message);
    if (status <= 0 || status >= NOT_STARTED || memmem(c_text, length, screen, strlen(screen)) == NULL)
        return status == 0;
    char *again;
    const bool built =
        compile(c_text, length, object, folder, options, extra, "-DCQL_NO_SCREENS", &again) == 0;
    free(again);
    if (built) {
        free(*message);
        *message = NULL;
    }
    return built;
}

// ---- files -----------------------------------------------------------------------------------------------

// Makes a new empty file next to `path`; its name (malloc'd), or NULL and errno.
static char *reserve(const char *path)
{
    for (int i = 0;; i++) {
        char *name = memory_format("%s.%ld.%d", path, (long)getpid(), i);
        const int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0777);
        if (file >= 0) {
            close(file);
            return name;
        }
        free(name);
        if (errno != EEXIST)
            return NULL;
    }
}

bool cc_build(const char *c_text, size_t length, const char *so_path, const EngineOptions *options,
              char **message)
{
    static const EngineOptions usual = {0};
    *message = NULL;
    MemoryFile file;
    char *text = memory_format("%.*s%s", (int)length, c_text, seal_text()), *temporary = reserve(so_path);
    if (temporary != NULL)
        memory_file_begin(&file, temporary);
    bool built = temporary != NULL && cc_compile(text, strlen(text), temporary, NULL,
                                                 options != NULL ? options : &usual, NULL, message);
    free(text);
    if (built && !seal_add(temporary, NULL)) {
        *message = line_new("cannot write %s: %s", so_path, strerror(errno));
        built = false;
    }
    if (temporary == NULL || (built && rename(temporary, so_path) != 0)) {
        *message = line_new("cannot write %s: %s", so_path, strerror(errno));
        built = false;
    }
    if (temporary != NULL)
        memory_file_end(&file);
    if (temporary != NULL && !built)
        unlink(temporary);
    free(temporary);
    return built;
}
