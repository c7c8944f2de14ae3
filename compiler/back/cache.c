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

static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        const bool failed = mkdir(path, 0700) != 0 && errno != EEXIST;
        *slash = '/';
        if (failed)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

// Code is loaded from there: nobody else may be able to write into the folder, or to put another in its place.
static bool is_private(const char *path)
{
    struct stat s, name, above;
    char *parent = memory_format("%s/..", path);
    const bool good = stat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() &&
                      (s.st_mode & 022) == 0 && access(path, R_OK | W_OK | X_OK) == 0 &&
                      lstat(path, &name) == 0 && (!S_ISLNK(name.st_mode) || name.st_uid == geteuid()) &&
                      stat(parent, &above) == 0 && ((above.st_mode & 002) == 0 || (above.st_mode & S_ISVTX));
    free(parent);
    return good;
}

// The cache folder (malloc'd), or NULL when none can be used.
static char *cache_folder(void)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *path = base != NULL && base[0] == '/'   ? memory_format("%s/cqlgen", base)
                 : home != NULL && home[0] == '/' ? memory_format("%s/.cache/cqlgen", home)
                                                  : NULL;
    if (path != NULL && make_folders(path) && is_private(path))
        return path;
    free(path);
    return NULL;
}

// ---- the folder of a build -------------------------------------------------------------------------------

static const char build_prefix[] = "build-";

static char *make_build_folder(const char *cache, char **message)
{
    const char *base = getenv("TMPDIR");
    char *path = cache != NULL
                     ? memory_format("%s/%sXXXXXX", cache, build_prefix)
                     : memory_format("%s/cqlgen-XXXXXX", base != NULL && base[0] == '/' ? base : "/tmp");
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
#ifdef __x86_64__
    int count = 0;
#define ADD_FEATURE(name)                                                                                    \
    if (__builtin_cpu_supports(name))                                                                        \
        m.flag[count++] = "-m" name;
    ADD_FEATURE("popcnt")
    ADD_FEATURE("bmi")
    ADD_FEATURE("bmi2")
    ADD_FEATURE("avx2")
    ADD_FEATURE("avx512f")
    ADD_FEATURE("avx512bw")
    ADD_FEATURE("avx512cd")
    ADD_FEATURE("avx512dq")
    ADD_FEATURE("avx512vl")
    ADD_FEATURE("avx512vpopcntdq")
#undef ADD_FEATURE
#endif
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
    char *folder = options->no_cache ? NULL : cache_folder();
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
    char *folder = options->no_cache ? NULL : cache_folder();
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
