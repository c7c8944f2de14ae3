// Output files that are replaced as a whole.
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/format/packed.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "input.h"

struct OutputFile {
    int fd;
    int error;       // errno of the first failed write, 0: none
    char *name;      // for messages; NULL: standard output
    char *target;    // the file to replace: name, with symbolic links resolved; NULL: written in place
    char *temporary; // name of the file being written; NULL: none
    MemoryFile file; // the same, while memory may run out
    Packed *packed;  // compresses what is written; NULL: nothing does
    bool terminal;   // people look at it
};

bool output_write_all(int fd, const void *bytes, size_t length)
{
    const char *next = bytes;
    while (length > 0) {
        ssize_t written = write(fd, next, length);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            next += written;
            length -= (size_t)written;
        }
    }
    return true;
}

// The folder part of a file name, with the slash; "./" without one.
static char *folder_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? memory_copy(name, (size_t)(slash - name) + 1) : memory_format("./");
}

static mode_t usual_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// Files without a name get one through /proc.
static bool can_name_later(void)
{
    return access("/proc/self/fd", X_OK) == 0;
}

// Opens the file that will replace `target`, without a name if possible: then nothing is left over, however
// the program ends.
static void open_new(OutputFile *o)
{
    char *folder = folder_of(o->target);
    o->fd = can_name_later() ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    free(folder);
    if (o->fd >= 0)
        return;
    o->temporary = memory_format("%s.XXXXXX", o->target);
    o->fd = mkostemp(o->temporary, O_CLOEXEC);
    if (o->fd >= 0) {
        fchmod(o->fd, usual_mode());
        memory_file_begin(&o->file, o->temporary);
    }
}

static void output_free(OutputFile *o)
{
    memory_file_end(&o->file);
    if (o->packed)
        packed_free(o->packed);
    free(o->temporary);
    free(o->target);
    free(o->name);
    free(o);
}

// Makes the folders above a file.
static void make_folders(const char *name)
{
    char *path = memory_copy(name, strlen(name));
    for (char *slash = path; *path && (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        mkdir(path, 0777); // when this fails the file cannot be made
        *slash = '/';
    }
    free(path);
}

bool output_make_folder(const char *name)
{
    make_folders(name);
    struct stat status;
    const bool made = mkdir(name, 0777) == 0;
    const int reason = errno;
    if (made || (stat(name, &status) == 0 && S_ISDIR(status.st_mode)))
        return true;
    errno = reason;
    return false;
}

static bool copy_file(OutputFile *o, const char *name)
{
    char bytes[65536];
    FILE *from = fopen(name, "rb");
    bool good = from != NULL;
    for (size_t length = 1; good && length > 0;) {
        length = fread(bytes, 1, sizeof bytes, from);
        good = output_write_all(o->fd, bytes, length) && !ferror(from);
    }
    const int reason = errno;
    if (from)
        fclose(from);
    errno = reason;
    return good;
}

// What a terminal gets instead of the text of games.
static bool write_harmless(int fd, const void *bytes, size_t length)
{
    Buffer text = {0};
    text_harmless(&text, bytes, length);
    const bool good = output_write_all(fd, text.start, text.length);
    const int reason = errno;
    buffer_free(&text);
    errno = reason;
    return good;
}

static bool write_plain(void *output, const void *bytes, size_t length)
{
    OutputFile *o = output;
    if (o->terminal) {
        if (o->error == 0 && !write_harmless(o->fd, bytes, length))
            o->error = errno;
        return o->error == 0;
    }
    if (o->error == 0 && !output_write_all(o->fd, bytes, length))
        o->error = errno;
    return o->error == 0;
}

// The file that a name leads to through symbolic links, whether it exists or not.
static char *follow_links(const char *name)
{
    enum { MOST_LINKS = 40 };
    char *resolved = realpath(name, NULL), *path = memory_copy(name, strlen(name)), to[PATH_MAX];
    for (int i = 0; !resolved && i < MOST_LINKS; i++) {
        const ssize_t length = readlink(path, to, sizeof to);
        if (length <= 0 || (size_t)length == sizeof to)
            break;
        char *folder = folder_of(path),
             *next = memory_format("%s%.*s", *to == '/' ? "" : folder, (int)length, to);
        free(folder);
        free(path);
        path = next;
    }
    if (!resolved)
        return path;
    free(path);
    return resolved;
}

OutputFile *output_open(const char *name, unsigned flags)
{
    OutputFile *o = memory_zeroed(1, sizeof *o);
    if (!name || strcmp(name, "-") == 0) {
        o->fd = STDOUT_FILENO;
        o->terminal = terminal_is_guarded();
        return o;
    }
    o->name = memory_copy(name, strlen(name));
    struct stat status;
    const bool exists = stat(name, &status) == 0;
    if (!exists && errno != ENOENT && errno != ENOTDIR) {
        o->fd = -1; // it may exist
    } else if (exists && flags & OUTPUT_NEW) {
        o->fd = -1;
        errno = EEXIST;
    } else if (flags & OUTPUT_DRY) {
        printf_sanitized(stdout, "%s\n", name);
        o->fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    } else if (exists && !S_ISREG(status.st_mode)) {
        o->fd = open(name, O_WRONLY | O_CLOEXEC);
    } else {
        if (flags & OUTPUT_FOLDERS)
            make_folders(name);
        o->target = follow_links(name);
        open_new(o);
        if (o->fd >= 0 && exists)
            fchmod(o->fd, status.st_mode & 0777);
        if (o->fd >= 0 && exists && flags & OUTPUT_APPEND && !copy_file(o, name)) {
            close(o->fd);
            o->fd = -1;
        }
    }
    if (o->fd < 0) {
        printf_sanitized(stderr, "cqlgen: cannot write %s: %s\n", name, strerror(errno));
        output_free(o);
        return NULL;
    }
    if (!(flags & OUTPUT_PLAIN))
        o->packed = packed_new(name, write_plain, o);
    return o;
}

bool output_is_input(const char *output, const char *input)
{
    struct stat written, searched;
    const bool standard = !output || strcmp(output, "-") == 0;
    return (standard ? fstat(STDOUT_FILENO, &written) : stat(output, &written)) == 0 &&
           S_ISREG(written.st_mode) && input_status(input, &searched) && written.st_dev == searched.st_dev &&
           written.st_ino == searched.st_ino;
}

// Notes that a compressor has failed without an error of the system: it had no memory.
static bool is_packed(OutputFile *o, bool good)
{
    if (!good && o->error == 0)
        o->error = ENOMEM;
    return good;
}

bool output_write(OutputFile *o, const void *bytes, size_t length)
{
    return o->packed ? is_packed(o, packed_add(o->packed, bytes, length)) : write_plain(o, bytes, length);
}

// Gives the nameless file a name next to its target.
static bool give_name(OutputFile *o)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", o->fd);
    for (int i = 0; i < 1000; i++) {
        o->temporary = memory_format("%s.%ld.%d", o->target, (long)getpid(), i);
        if (linkat(AT_FDCWD, self, AT_FDCWD, o->temporary, AT_SYMLINK_FOLLOW) == 0)
            return true;
        free(o->temporary);
        o->temporary = NULL;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

bool output_close(OutputFile *o, bool keep)
{
    if (keep && o->packed)
        is_packed(o, packed_end(o->packed));
    keep = keep && o->error == 0;
    if (keep && o->target && !o->temporary && !give_name(o))
        o->error = errno;
    if (o->name && close(o->fd) != 0 && o->error == 0)
        o->error = errno;
    if (o->temporary) {
        if (keep && o->error == 0 && rename(o->temporary, o->target) != 0)
            o->error = errno;
        if (!keep || o->error != 0)
            unlink(o->temporary);
    }
    bool good = o->error == 0;
    if (!good && o->error != EPIPE) // otherwise the reader of a pipe has seen enough
        printf_sanitized(stderr, "cqlgen: cannot write %s: %s\n", o->name ? o->name : "standard output",
                         strerror(o->error));
    output_free(o);
    return good;
}

int output_temporary(void)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder)
        folder = "/tmp";
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    char *name = memory_format("%s/cqlgen.XXXXXX", folder);
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    free(name);
    return fd;
}

bool output_has_no_reader(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && out.revents & POLLERR;
}
