// Runs the system's C compiler without a shell: the command is split at spaces and passed as a list.
#include "backends.h"
#include "runtime/value/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *const usual_flags[] = {"-O2", "-shared", "-fPIC", "-std=gnu11", "-w", NULL};

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

// Starts the compiler with `in` as standard input and `err` as both outputs; its exit status, or -1 and
// errno.
static int run(char *const *argument, int in, int err)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    pid_t child;
    const int error = posix_spawnp(&child, argument[0], &actions, NULL, argument, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        errno = error;
        return -1;
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
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

static bool compile(const char *c_text, size_t length, const char *object, const EngineOptions *options,
                    const char *const *extra, char **message)
{
    char **word = cc_command(options);
    const char
        *argument[word_count((const char *const *)word) + word_count(usual_flags) + word_count(extra) + 8];
    int count = 0;
    for (int i = 0; word[i] != NULL; i++)
        argument[count++] = word[i];
    for (int i = 0; usual_flags[i] != NULL; i++)
        argument[count++] = usual_flags[i];
    for (int i = 0; i < word_count(extra); i++)
        argument[count++] = extra[i];
    const char *const rest[] = {"-o", object, "-x", "c", "-", NULL};
    memcpy(argument + count, rest, sizeof rest);
    FILE *in = tmpfile(), *err = tmpfile();
    bool built = false;
    if (in == NULL || err == NULL || fwrite(c_text, 1, length, in) != length || fflush(in) != 0 ||
        lseek(fileno(in), 0, SEEK_SET) != 0) {
        *message = memory_format("cannot write a temporary file for the C compiler: %s", strerror(errno));
    } else {
        const int status = run((char *const *)argument, fileno(in), fileno(err));
        built = status == 0;
        if (status < 0 || status == 127)
            *message = memory_format("cannot run the C compiler \"%s\": %s", word[0],
                                     strerror(status < 0 ? errno : ENOENT));
        else if (status > 0) {
            char *output = read_all(err);
            *message = memory_format("the C compiler \"%s\" failed:\n%s", word[0], output);
            free(output);
        }
    }
    if (in != NULL)
        fclose(in);
    if (err != NULL)
        fclose(err);
    free(word);
    return built;
}

// ---- files -----------------------------------------------------------------------------------------------

static bool write_file(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    const bool written = fwrite(text, 1, length, file) == length;
    return fclose(file) == 0 && written;
}

void cc_keep_c(const char *so_path, const char *c_text, size_t length)
{
    const size_t stem = strlen(so_path);
    const bool has_suffix = stem > 3 && strcmp(so_path + stem - 3, ".so") == 0;
    char *path = memory_format("%.*s.c", (int)(has_suffix ? stem - 3 : stem), so_path);
    write_file(path, c_text, length);
    free(path);
}

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

bool cc_build_with(const char *c_text, size_t length, const char *so_path, const EngineOptions *options,
                   const char *const *extra, char **message)
{
    *message = NULL;
    char *temporary = reserve(so_path);
    bool built = temporary != NULL && compile(c_text, length, temporary, options, extra, message);
    if (temporary == NULL || (built && rename(temporary, so_path) != 0)) {
        *message = memory_format("cannot write %s: %s", so_path, strerror(errno));
        built = false;
    }
    if (temporary != NULL && !built)
        unlink(temporary);
    free(temporary);
    return built;
}
