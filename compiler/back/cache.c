// The cache of compiled matchers: a folder of the user, with objects named after a hash of everything they were
// made from. An object ends with its name and a seal, the hash of its own bytes. One whose seal does not match is
// damaged, one with another name belongs to another query: it is built again, because loading it could crash the
// program or give wrong answers.
//
// Objects are built in a folder of their own and renamed, so other processes see a complete object or none. A file may
// disappear at any time: another process has removed it to keep the cache small.
#include "backends.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <xxhash.h>

#include "runtime/match/load.h"
#include "runtime/match/seal.h"
#include "runtime/value/cpu.h"
#include "runtime/value/folder.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"

enum {
    MOST_OBJECTS = 1000,
    USUAL_MEGABYTES = 256, // of all objects; CQLGEN_CACHE_SIZE sets another limit
    STALE_SECONDS = 3600   // what a process that was killed has left is removed after this time
};

typedef unsigned __int128 Hash;

static Hash hash_bytes(const void *bytes, size_t length)
{
    const XXH128_hash_t hash = XXH3_128bits(bytes, length);
    return (Hash)hash.high64 << 64 | hash.low64;
}

// ---- the folder ------------------------------------------------------------------------------------------

// Can others replace what is in the folder? In one like /tmp nobody replaces what belongs to the user or to root, and nothing else is
// used of it.
static bool others_may_replace(const struct stat *s)
{
    return (s->st_uid != 0 && s->st_uid != geteuid()) || ((s->st_mode & 022) != 0 && !(s->st_mode & S_ISVTX));
}

// Follows a path, folder by folder.
typedef struct Walk {
    int folder; // the last one, a descriptor
    char *path; // its name, without links
    char *rest; // the part of the path that is left
    size_t own; // length of the end of it that is not of a link: folders that are made when they are missing
    int links;  // followed so far
    char *distrusted; // a folder that others may change, or a link of theirs
} Walk;

static void walk_to(Walk *w, int folder, char *path)
{
    close(w->folder);
    free(w->path);
    w->folder = folder;
    w->path = path;
}

// Continues with what a link says, before the rest.
static bool follow_link(Walk *w, int link)
{
    enum { MOST_LINKS = 40 };
    char target[PATH_MAX];
    const ssize_t length = readlinkat(link, "", target, sizeof target);
    if (length <= 0 || length == sizeof target || ++w->links > MOST_LINKS)
        return false;
    w->own = w->own < strlen(w->rest) ? w->own : strlen(w->rest);
    char *rest = memory_format("%.*s%s", (int)length, target, w->rest);
    free(w->rest);
    w->rest = rest;
    if (target[0] == '/')
        walk_to(w, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), memory_format("%s", ""));
    return true;
}

// Goes up, or into the next folder. Looks at its descriptor: a name could mean something else a moment later.
static bool walk_step(Walk *w)
{
    char name[NAME_MAX + 1];
    const char *begin = w->rest + strspn(w->rest, "/");
    const size_t length = strcspn(begin, "/");
    const bool is_own = strlen(begin) <= w->own;
    if (length > NAME_MAX)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, begin);
    memmove(w->rest, begin + length, strlen(begin + length) + 1);
    const bool up = strcmp(name, "..") == 0;
    if (is_own && !up)
        mkdirat(w->folder, name, 0700); // when it is missing
    const int next = openat(w->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0)
        return false;
    struct stat s = {0};
    fstat(next, &s);
    const bool is_link = S_ISLNK(s.st_mode);
    const char *slash = strrchr(w->path, '/');
    char *path = up ? memory_format("%.*s", slash != NULL ? (int)(slash - w->path) : 0, w->path)
                 : strcmp(name, ".") == 0 ? memory_format("%s", w->path)
                                          : memory_format("%s/%s", w->path, name);
    if (is_link ? s.st_uid != 0 && s.st_uid != geteuid() : others_may_replace(&s)) {
        w->distrusted = path;
        close(next);
        return false;
    }
    if (!is_link) {
        walk_to(w, next, path);
        return S_ISDIR(s.st_mode);
    }
    free(path);
    const bool good = follow_link(w, next);
    close(next);
    return good;
}

// The folder by a name without links, if nobody but the user and root can change what is on the way to it: then that name stays
// good. NULL: there is none, or others can, in *distrusted (malloc'd, or NULL). make: makes the folders that are missing.
static char *trusted_folder(const char *path, bool make, char **distrusted)
{
    Walk w = {.folder = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC),
              .path = memory_format("%s", ""),
              .rest = memory_format("%s", path),
              .own = make ? strlen(path) : 0};
    bool good = w.folder >= 0;
    while (good && w.rest[strspn(w.rest, "/")] != 0)
        good = walk_step(&w);
    if (w.folder >= 0)
        close(w.folder);
    free(w.rest);
    *distrusted = w.distrusted;
    if (good)
        return w.path;
    free(w.path);
    return NULL;
}

// The cache folder (malloc'd), or NULL when none can be used; *distrusted as above, unless it is NULL.
static char *cache_folder(char **distrusted)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *wanted = base != NULL && base[0] == '/'   ? memory_format("%s/cqlgen", base)
                   : home != NULL && home[0] == '/' ? memory_format("%s/.cache/cqlgen", home)
                                                    : NULL;
    if (wanted == NULL)
        return NULL;
    char *others = NULL, *path = trusted_folder(wanted, true, &others);
    free(wanted);
    if (distrusted != NULL)
        *distrusted = others;
    else
        free(others);
    struct stat s;
    if (path == NULL || (stat(path, &s) == 0 && s.st_uid == geteuid() && (s.st_mode & 022) == 0 &&
                         access(path, R_OK | W_OK | X_OK) == 0))
        return path;
    free(path);
    return NULL;
}

char *cache_warning(void)
{
    char *distrusted = NULL;
    free(cache_folder(&distrusted));
    if (distrusted == NULL)
        return NULL;
    char *message = memory_format(
        "compiled queries are not kept: others can change what is in %s; take their permission away "
        "(chmod go-w), or set XDG_CACHE_HOME to a folder of your own",
        distrusted);
    free(distrusted);
    return message;
}

// ---- the folder of a build -------------------------------------------------------------------------------

static const char build_prefix[] = "build-";

static char *make_build_folder(const char *cache, char **message)
{
    const char *base = getenv("TMPDIR");
    char *distrusted = NULL;
    if (base == NULL || base[0] != '/')
        base = "/tmp";
    if (cache == NULL)
        free(trusted_folder(base, false, &distrusted));
    if (distrusted != NULL) {
        *message = memory_format("cannot compile in the temporary folder %s: others can change what is in "
                                 "%s; set TMPDIR to a folder "
                                 "of your own",
                                 base, distrusted);
        free(distrusted);
        return NULL;
    }
    char *path = cache != NULL ? memory_format("%s/%sXXXXXX", cache, build_prefix)
                               : memory_format("%s/cqlgen-XXXXXX", base);
    if (mkdtemp(path) != NULL)
        return path;
    *message = line_new("cannot make a temporary folder %s: %s", path, strerror(errno));
    free(path);
    return NULL;
}

// A compiler that was killed may still end a system call that makes a file.
static void remove_folder(const char *path)
{
    enum { TRIES = 100, PAUSE_NANOSECONDS = 10000000 };
    folder_remove(path);
    for (int i = 0; i < TRIES && access(path, F_OK) == 0; i++) {
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NANOSECONDS}, NULL);
        folder_remove(path);
    }
}

// ---- the bound -------------------------------------------------------------------------------------------

typedef struct Entry {
    char name[NAME_MAX + 1];
    int64_t bytes;
    struct timespec used;
} Entry;

enum { HASH_DIGITS = 32 };

static bool has_hash(const char *name)
{
    return strspn(name, "0123456789abcdef") == HASH_DIGITS;
}

static bool is_object(const char *name)
{
    return has_hash(name) && strcmp(name + HASH_DIGITS, ".so") == 0;
}

// Oldest use first.
static int compare_use(const void *left, const void *right)
{
    const struct timespec a = ((const Entry *)left)->used, b = ((const Entry *)right)->used;
    return a.tv_sec != b.tv_sec ? (a.tv_sec > b.tv_sec) - (a.tv_sec < b.tv_sec)
                                : (a.tv_nsec > b.tv_nsec) - (a.tv_nsec < b.tv_nsec);
}

static int64_t most_bytes(void)
{
    const char *text = getenv("CQLGEN_CACHE_SIZE");
    char *end = NULL;
    const long long megabytes = text != NULL ? strtoll(text, &end, 10) : 0;
    const bool good = text != NULL && end != text && *end == 0 && megabytes >= 0 && megabytes < INT_MAX;
    return (good ? megabytes : USUAL_MEGABYTES) << 20;
}

// Removes what a process that was killed has left; only names that this file gives.
static void remove_stale(const char *folder, const char *name, const struct stat *s)
{
    if (time(NULL) - s->st_mtim.tv_sec < STALE_SECONDS)
        return;
    char *path = memory_format("%s/%s", folder, name);
    if (S_ISDIR(s->st_mode) && strncmp(name, build_prefix, strlen(build_prefix)) == 0)
        remove_folder(path);
    else if (S_ISREG(s->st_mode) && has_hash(name))
        unlink(path);
    free(path);
}

// The objects of the cache; *count their number.
static Entry *list_objects(const char *folder, DIR *directory, size_t *count)
{
    Entry *list = NULL;
    size_t capacity = 0;
    *count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        struct stat s;
        if (fstatat(dirfd(directory), entry->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (!is_object(entry->d_name) || !S_ISREG(s.st_mode)) {
            remove_stale(folder, entry->d_name, &s);
            continue;
        }
        list = memory_grow(list, &capacity, *count + 1, sizeof *list);
        list[*count] = (Entry){.bytes = s.st_size, .used = s.st_mtim};
        strcpy(list[(*count)++].name, entry->d_name);
    }
    return list;
}

// Keeps the cache within its bounds.
static void prune(const char *folder)
{
    DIR *directory = opendir(folder);
    if (directory == NULL)
        return;
    size_t count;
    Entry *list = list_objects(folder, directory, &count);
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += list[i].bytes;
    if (count > 0)
        qsort(list, count, sizeof *list, compare_use);
    for (size_t i = 0; i < count && (sum > most_bytes() || count - i > MOST_OBJECTS); i++) {
        unlinkat(dirfd(directory), list[i].name, 0);
        sum -= list[i].bytes;
    }
    free(list);
    closedir(directory);
}

// Complete, and built under this name.
static bool is_sound(const char *path)
{
    size_t length;
    char *bytes = seal_read_file(path, false, &length);
    const bool sound = bytes != NULL && seal_has_name(bytes, length, strrchr(path, '/'));
    free(bytes);
    return sound;
}

// ---- building --------------------------------------------------------------------------------------------

typedef struct MachineFlags {
    const char *flag[16]; // those after the last are NULL
} MachineFlags;

// Flags for this machine only: the object runs nowhere else.
static MachineFlags machine_flags(void)
{
    MachineFlags m = {{NULL}};
    int count = 0;
#define ADD(name, macro, with_flag)                                                                          \
    if (with_flag && CPU_HAS(name))                                                                          \
        m.flag[count++] = "-m" name;
    CPU_FEATURES(ADD)
#undef ADD
    (void)count; // unused where there are none
    return m;
}

static char *object_name(const char *folder, const char *c_text, size_t length, const EngineOptions *options)
{
    char *key;
    size_t key_length;
    FILE *out = memory_stream(&key, &key_length);
    fprintf(out, "%d\n", CQL_ABI_VERSION);
    cc_identity(out, options, machine_flags().flag);
    fwrite(c_text, 1, length, out);
    fclose(out);
    const Hash hash = hash_bytes(key, key_length);
    free(key);
    return memory_format("%s/%016llx%016llx.so", folder, (unsigned long long)(hash >> 64),
                         (unsigned long long)hash);
}

// Builds and loads the matcher and, if possible, stores it as `object` (NULL: there is no cache).
static void *build(const char *cache, const char *object, const char *c_text, size_t length,
                   const EngineOptions *options, const Matcher **matcher, char **message)
{
    char *folder = make_build_folder(cache, message);
    if (folder == NULL)
        return NULL;
    MemoryFile temporary;
    memory_file_begin(&temporary, folder);
    char *made = memory_format("%s/matcher.so", folder);
    void *handle = NULL;
    if (cc_compile(c_text, length, made, folder, options, machine_flags().flag, message)) {
        const bool sealed = object != NULL && seal_add(made, strrchr(object, '/'));
        *matcher = matcher_load(made, &handle, message);
        if (*matcher != NULL && sealed)
            rename(made, object); // the cache works without it
    }
    remove_folder(folder);
    memory_file_end(&temporary);
    free(made);
    free(folder);
    return handle;
}

// Loads the object if it is complete; another process may remove it at any time.
static void *load(const char *object, const Matcher **matcher)
{
    void *handle = NULL;
    char *message = NULL;
    if (!is_sound(object))
        return NULL;
    *matcher = matcher_load(object, &handle, &message);
    free(message); // intact, but made for another machine, for example: it will be built here
    if (*matcher != NULL)
        utimensat(AT_FDCWD, object, NULL, AT_SYMLINK_NOFOLLOW); // the time of its last use
    return handle;
}

void *cache_find(const char *c_text, size_t length, const EngineOptions *options, const Matcher **matcher)
{
    *matcher = NULL;
    char *folder = options->no_cache ? NULL : cache_folder(NULL);
    if (folder == NULL)
        return NULL;
    char *object = object_name(folder, c_text, length, options);
    void *handle = load(object, matcher);
    free(object);
    free(folder);
    return handle;
}

void *cache_open(const char *c_text, size_t length, const EngineOptions *options, const Matcher **matcher,
                 char **message)
{
    *matcher = NULL;
    *message = NULL;
    char *folder = options->no_cache ? NULL : cache_folder(NULL);
    char *object = folder != NULL ? object_name(folder, c_text, length, options) : NULL;
    void *handle = object != NULL ? load(object, matcher) : NULL;
    if (handle == NULL) {
        handle = build(folder, object, c_text, length, options, matcher, message);
        if (folder != NULL)
            prune(folder);
    }
    free(object);
    free(folder);
    return handle;
}
