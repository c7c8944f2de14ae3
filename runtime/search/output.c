#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct OutputFile {
    int fd;
    int error;            // errno of the first failed write, 0: none
    char *name;           // NULL: standard output
    char *temporary;      // name of the file being written, NULL: written in place (a device, a pipe)
};

// The temporary file of the output in progress, for the signal handler: an interrupted search leaves nothing behind.
static char unfinished[4096];
static volatile sig_atomic_t unfinished_set;

static void remove_unfinished(int signal_number)
{
    if (unfinished_set)
        unlink(unfinished);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void guard_temporary(const char *temporary)
{
    if (strlen(temporary) >= sizeof unfinished)
        return;
    strcpy(unfinished, temporary);
    unfinished_set = 1;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
            struct sigaction action = {.sa_handler = remove_unfinished};
            sigaction(signals[i], &action, NULL);
        }
    }
}

static char *duplicate(const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        abort();
    return copy;
}

OutputFile *output_open(const char *name)
{
    OutputFile *o = calloc(1, sizeof *o);
    if (!o)
        abort();
    if (!name || strcmp(name, "-") == 0) {
        o->fd = STDOUT_FILENO;
        return o;
    }
    o->name = duplicate(name);
    struct stat status;
    if (stat(name, &status) == 0 && !S_ISREG(status.st_mode)) {
        o->fd = open(name, O_WRONLY | O_CLOEXEC);
    } else {
        size_t size = strlen(name) + 16;
        o->temporary = malloc(size);
        if (!o->temporary)
            abort();
        snprintf(o->temporary, size, "%s.XXXXXX", name);
        o->fd = mkstemp(o->temporary);
        if (o->fd >= 0) {
            mode_t mask = umask(0);
            umask(mask);
            fchmod(o->fd, 0666 & ~mask);
            guard_temporary(o->temporary);
        }
    }
    if (o->fd < 0) {
        fprintf(stderr, "cqlgen: cannot write %s: %s\n", name, strerror(errno));
        free(o->temporary);
        free(o->name);
        free(o);
        return NULL;
    }
    return o;
}

bool output_write(OutputFile *o, const void *bytes, size_t length)
{
    const char *next = bytes;
    while (length > 0 && o->error == 0) {
        ssize_t written = write(o->fd, next, length);
        if (written < 0) {
            if (errno == EINTR)
                continue;
            o->error = errno;
            break;
        }
        next += written;
        length -= (size_t)written;
    }
    return o->error == 0;
}

bool output_close(OutputFile *o, bool keep)
{
    if (o->name && close(o->fd) != 0 && o->error == 0)
        o->error = errno;
    if (o->temporary) {
        if (keep && o->error == 0 && rename(o->temporary, o->name) != 0)
            o->error = errno;
        if (!keep || o->error != 0)
            unlink(o->temporary);
        unfinished_set = 0;
    }
    bool good = o->error == 0;
    if (!good)
        fprintf(stderr, "cqlgen: cannot write %s: %s\n", o->name ? o->name : "standard output", strerror(o->error));
    free(o->temporary);
    free(o->name);
    free(o);
    return good;
}
