// The cache of compiled matchers: a folder of the user, with objects named after a hash of everything they were
// made from. An object ends with a seal, the hash of its own bytes. An object whose seal does not match is damaged
// and is built again, because loading it could crash the program.
#include "backends.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/match/load.h"
#include "runtime/value/memory.h"

typedef unsigned __int128 Hash;

typedef struct Seal {
    char magic[16];
    Hash hash;
} Seal;

static const char seal_magic[16] = "cqlgen matcher\n";

// FNV-1a with 128 bits.
static Hash hash_bytes(const void *bytes, size_t length)
{
    const Hash prime = (Hash)1 << 88 | 0x13b;
    Hash hash = (Hash)0x6c62272e07bb0142ULL << 64 | 0x62b821756295c58dULL;
    for (const unsigned char *byte = bytes; length--; byte++)
        hash = (hash ^ *byte) * prime;
    return hash;
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

// Code is loaded from there: nobody else may be able to write into it.
static bool is_private(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() && (s.st_mode & 022) == 0 &&
           access(path, W_OK | X_OK) == 0;
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

static char *temporary_folder(char **message)
{
    const char *base = getenv("TMPDIR");
    char *path = memory_format("%s/cqlgen-XXXXXX", base != NULL && base[0] == '/' ? base : "/tmp");
    if (mkdtemp(path) != NULL)
        return path;
    *message = memory_format("cannot make a temporary folder %s: %s", path, strerror(errno));
    free(path);
    return NULL;
}

// ---- seals -----------------------------------------------------------------------------------------------

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    struct stat s;
    if (file == NULL)
        return NULL;
    char *bytes = fstat(fileno(file), &s) == 0 ? malloc((size_t)s.st_size + 1) : NULL;
    *length = bytes != NULL ? fread(bytes, 1, (size_t)s.st_size, file) : 0;
    fclose(file);
    return bytes;
}

static bool is_sound(const char *path)
{
    size_t length;
    char *bytes = read_file(path, &length);
    if (bytes == NULL)
        return false;
    Seal seal;
    bool sound = length > sizeof seal;
    if (sound) {
        memcpy(&seal, bytes + length - sizeof seal, sizeof seal);
        sound = memcmp(seal.magic, seal_magic, sizeof seal.magic) == 0 &&
                seal.hash == hash_bytes(bytes, length - sizeof seal);
    }
    free(bytes);
    return sound;
}

static bool add_seal(const char *path)
{
    size_t length;
    char *bytes = read_file(path, &length);
    FILE *file = bytes != NULL ? fopen(path, "ab") : NULL;
    if (file == NULL) {
        free(bytes);
        return false;
    }
    Seal seal = {.hash = hash_bytes(bytes, length)};
    memcpy(seal.magic, seal_magic, sizeof seal.magic);
    free(bytes);
    const bool written = fwrite(&seal, sizeof seal, 1, file) == 1;
    return fclose(file) == 0 && written;
}

// ---- building --------------------------------------------------------------------------------------------

// Flags for this machine only: the object runs nowhere else.
static const char *const *machine_flags(void)
{
    static const char *const none[] = {NULL};
#ifdef __x86_64__
    static const char *const popcnt[] = {"-mpopcnt", NULL};
    if (__builtin_cpu_supports("popcnt"))
        return popcnt;
#endif
    return none;
}

static char *object_name(const char *folder, const char *c_text, size_t length, const EngineOptions *options)
{
    char *key;
    size_t key_length;
    FILE *out = memory_stream(&key, &key_length);
    fprintf(out, "%d\n", CQL_ABI_VERSION);
    cc_identity(out, options, machine_flags());
    fwrite(c_text, 1, length, out);
    fclose(out);
    const Hash hash = hash_bytes(key, key_length);
    free(key);
    return memory_format("%s/%016llx%016llx.so", folder, (unsigned long long)(hash >> 64),
                         (unsigned long long)hash);
}

// Builds under a private name, seals, then renames: other processes see a complete object or none.
static bool build(const char *object, const char *c_text, size_t length, const EngineOptions *options,
                  char **message)
{
    char *unsealed = memory_format("%s.%ld.so", object, (long)getpid());
    bool built = cc_build_with(c_text, length, unsealed, options, machine_flags(), message);
    if (built && (!add_seal(unsealed) || rename(unsealed, object) != 0)) {
        *message = memory_format("cannot write %s: %s", object, strerror(errno));
        unlink(unsealed);
        built = false;
    }
    free(unsealed);
    return built;
}

static void *open_cached(const char *folder, const char *c_text, size_t length, const EngineOptions *options,
                         const Matcher **matcher, char **message)
{
    char *object = object_name(folder, c_text, length, options);
    void *handle = NULL;
    bool ready = is_sound(object);
    if (ready && (*matcher = matcher_load(object, &handle, message)) == NULL) {
        free(*message); // intact, but made for another machine, for example: build it here
        ready = false;
    }
    if (!ready && build(object, c_text, length, options, message))
        *matcher = matcher_load(object, &handle, message);
    if (options->keep_c && *matcher != NULL)
        cc_keep_c(object, c_text, length);
    free(object);
    return handle;
}

static void *open_temporary(const char *c_text, size_t length, const EngineOptions *options,
                            const Matcher **matcher, char **message)
{
    char *folder = temporary_folder(message);
    if (folder == NULL)
        return NULL;
    char *object = memory_format("%s/matcher.so", folder);
    void *handle = NULL;
    if (cc_build_with(c_text, length, object, options, machine_flags(), message))
        *matcher = matcher_load(object, &handle, message);
    unlink(object);
    rmdir(folder);
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
    if (folder == NULL)
        return open_temporary(c_text, length, options, matcher, message);
    void *handle = open_cached(folder, c_text, length, options, matcher, message);
    free(folder);
    return handle;
}
