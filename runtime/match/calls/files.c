// Files that queries read and write (language reference 7.16).
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/match/run_state.h"
#include "runtime/value/file_mark.h"
#include "runtime/value/file_open.h"

enum { NAME_MAX_LENGTH = 4000, DEFAULT_OUTPUT = 1 << 30 };

typedef struct FilesState {
    char **written; // names of files written so far
    size_t count, capacity;
    int64_t bytes; // written by the query
} FilesState;

const Subject files_subject = {.size = sizeof(FilesState)};

static bool has_extension(String name, const char *const *extensions)
{
    for (; *extensions; extensions++) {
        const size_t length = strlen(*extensions);
        if (name->length > length && memcmp(name->bytes + name->length - length, *extensions, length) == 0)
            return true;
    }
    return false;
}

static void check_extension(Context *c, const char *what, String name, const char *const *extensions)
{
    if (has_extension(name, extensions))
        return;
    char list[64] = "";
    for (size_t at = 0; *extensions && at < sizeof list; extensions++)
        at += (size_t)snprintf(list + at, sizeof list - at, " %s", *extensions);
    run_raise(c, "%s: the name \"%.100s\" must end in one of%s", what, name->bytes, list);
}

// Queries are not trusted, so they reach only files in and below their folder: no absolute names, no "..".
static bool stays_inside(const char *name)
{
    if (name[0] == '/')
        return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return false;
    }
    return true;
}

// True when links lead to a place in or below the folder. A file that does not exist yet is where its folder
// is.
static bool resolves_inside(const char *path, const char *folder)
{
    char *inside = realpath(folder, NULL), *place = realpath(path, NULL);
    struct stat status;
    if (!place && lstat(path, &status) == 0) { // a link to what does not exist yet
        free(inside);
        return false;
    }
    if (!place) {
        const char *slash = strrchr(path, '/');
        char *parent = slash == path ? strdup("/")
                       : slash       ? strndup(path, (size_t)(slash - path))
                                     : strdup(".");
        place = parent ? realpath(parent, NULL) : NULL;
        free(parent);
    }
    const size_t length = inside ? strlen(inside) : 0;
    // A path that leads nowhere cannot be opened, which has a message of its own.
    const bool good =
        !place || length == 1 ||
        (inside && strncmp(place, inside, length) == 0 && (place[length] == '/' || place[length] == '\0'));
    free(inside);
    free(place);
    return good;
}

// The path of a file by the name in the query. A folder "/" allows every name.
static const char *checked_path(Context *c, const char *what, String name, const char *const *extensions,
                                char path[2 * NAME_MAX_LENGTH])
{
    const char *folder = c->run->options.allow_files;
    const bool anywhere = folder && strcmp(folder, "/") == 0;
    name = string_or_empty(name);
    check_extension(c, what, name, extensions);
    if (name->length > NAME_MAX_LENGTH || strlen(name->bytes) != name->length ||
        (folder && strlen(folder) > NAME_MAX_LENGTH - 2))
        run_raise(c, "%s: the file name is too long or contains a NUL byte", what);
    if (!anywhere && !stays_inside(name->bytes))
        run_raise(c, "%s: \"%.100s\" is outside the folder for files (--allow-files)", what, name->bytes);
    if (folder && !anywhere)
        snprintf(path, 2 * NAME_MAX_LENGTH, "%s/%s", folder, name->bytes);
    else
        snprintf(path, 2 * NAME_MAX_LENGTH, "%s", name->bytes);
    if (!anywhere && !resolves_inside(path, folder ? folder : "."))
        run_raise(c, "%s: \"%.100s\" is outside the folder for files (--allow-files)", what, name->bytes);
    return path;
}

// The next bytes of a file; 0 at its end, -1 after an error, -2 when the search ends.
static ssize_t read_more(const Context *c, int fd, char *block, size_t size)
{
    for (;;) {
        if (!file_wait(fd, c->run->options.stopped, c->run->options.user))
            return -2;
        const ssize_t count = read(fd, block, size);
        if (count >= 0 || errno != EINTR)
            return count;
    }
}

// Reads a whole open file into a string of the game; NULL after an error. Does not raise, so that the caller
// can close the file.
static CqlString *read_all(Context *c, int fd, bool *too_large, bool *changed, bool *stopped)
{
    const FileMark opened = file_mark(fd);
    Buffer *b = run_scratch(c);
    char block[16384];
    ssize_t n;
    while ((n = read_more(c, fd, block, sizeof block)) > 0 && b->length <= c->run->strings.cap)
        buffer_append(b, block, (size_t)n);
    *changed = file_is_changed(&opened, fd);
    *stopped = n == -2;
    if (n < 0 || *changed)
        return NULL;
    CqlString *s = string_arena_new(&c->run->strings, b->length);
    *too_large = s == NULL;
    if (s && b->length > 0)
        memcpy(s->bytes, b->start, b->length);
    return s;
}

bool files_may_use(const char *name, const char *folder)
{
    return (folder && (strcmp(folder, "/") == 0 || resolves_inside(name, folder))) ||
           (stays_inside(name) && resolves_inside(name, "."));
}

String rt_read_file(Context *c, String name)
{
    static const char *const extensions[] = {".cqo", ".CQO", ".cql", ".CQL", ".pgn", ".PGN", NULL};
    char path[2 * NAME_MAX_LENGTH];
    checked_path(c, "readfile", name, extensions, path);
    const int fd = file_open(path);
    if (fd < 0)
        run_raise(c, "readfile: cannot open %.100s: %s", path, strerror(errno));
    bool too_large = false, changed = false, stopped = false;
    CqlString *text = read_all(c, fd, &too_large, &changed, &stopped);
    close(fd);
    if (stopped)
        run_pause(c);
    if (too_large)
        run_raise_memory(c);
    if (changed)
        run_raise(c, "readfile: another program changed %.100s while it was read", path);
    if (!text)
        run_raise(c, "readfile: cannot read %.100s", path);
    return text;
}

// True when the file was written before in this run; remembers it otherwise.
static bool is_written(Context *c, const char *path)
{
    FilesState *s = c->run->files;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->written[i], path) == 0)
            return true;
    s->written = run_grow(c, s->written, &s->capacity, s->count + 1, sizeof *s->written);
    s->written[s->count++] = strcpy(run_zeroed(c, (int32_t)strlen(path) + 1, 1), path);
    return false;
}

// Bounds what a query writes.
static void charge_output(Context *c, size_t length)
{
    const int64_t most = c->run->options.max_output > 0 ? c->run->options.max_output : DEFAULT_OUTPUT;
    if ((int64_t)length > most - c->run->files->bytes)
        run_raise(c, "writefile: the query writes more than %lld MB; --max-output N permits more",
                  (long long)(most >> 20));
    c->run->files->bytes += (int64_t)length;
}

void rt_write_file(Context *c, String name, String text)
{
    static const char *const extensions[] = {".cqo", ".CQO", ".cql", ".CQL", NULL};
    char path[2 * NAME_MAX_LENGTH];
    checked_path(c, "writefile", name, extensions, path);
    const bool again = is_written(c, path);
    const bool query = !has_extension(string_or_empty(name), (const char *const[]){".cqo", ".CQO", NULL});
    if (!again && query && !c->run->options.allow_files && access(path, F_OK) == 0)
        run_raise(
            c,
            "writefile: %.100s exists, and may be a query of yours; --allow-files DIR permits to replace it",
            path);
    charge_output(c, string_or_empty(text)->length);
    FILE *file = fopen(path, again ? "ab" : "wb");
    if (!file)
        run_raise(c, "writefile: cannot open %.100s: %s", path, strerror(errno));
    text = string_or_empty(text);
    const bool good = fwrite(text->bytes, 1, text->length, file) == text->length;
    if (fclose(file) != 0 || !good)
        run_raise(c, "writefile: cannot write %.100s: %s", path, strerror(errno));
}
