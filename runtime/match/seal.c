// Seals of compiled matchers.
#include "seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "runtime/value/cpu.h"
#include "runtime/value/memory.h"

enum { MOST_BYTES = 1 << 28 }; // a larger file is not a matcher

typedef struct Seal {
    char magic[16];
    XXH128_canonical_t hash;
} Seal;

static const char seal_magic[16] = "cqlgen matcher\n";

// Begins the text inside; the macro keeps this program from having it whole.
#define NEEDS_BEGIN "cqlgen sealed "
static const char needs_end[] = "matcher, needs:";

const char *seal_text(void)
{
#define FEATURE(name, macro, flag) "#ifdef " macro "\n\" " name "\"\n#endif\n"
    return "\n__attribute__((used, visibility(\"default\"))) const char cql_sealed[] = \"" NEEDS_BEGIN
           "\" \"matcher, needs:\"\n" CPU_FEATURES(FEATURE) "\";\";\n";
#undef FEATURE
}

// What follows the beginning of the text inside; NULL: there is none.
static const char *find_needs(const char *bytes, size_t length)
{
    char begin[64];
    const int size = snprintf(begin, sizeof begin, "%s%s", NEEDS_BEGIN, needs_end);
    const char *at = memmem(bytes, length, begin, (size_t)size);
    return at ? at + size : NULL;
}

SealState seal_state(const char *bytes, size_t length)
{
    Seal seal;
    if (length > sizeof seal) {
        memcpy(&seal, bytes + length - sizeof seal, sizeof seal);
        const XXH128_hash_t hash = XXH3_128bits(bytes, length - sizeof seal);
        XXH128_canonical_t want;
        XXH128_canonicalFromHash(&want, hash);
        if (memcmp(seal.magic, seal_magic, sizeof seal.magic) == 0)
            return memcmp(&seal.hash, &want, sizeof want) == 0 ? SEAL_GOOD : SEAL_BROKEN;
    }
    return find_needs(bytes, length) ? SEAL_BROKEN : SEAL_NONE;
}

const char *seal_missing_feature(const char *bytes, size_t length)
{
    const char *needs = find_needs(bytes, length), *end = needs ? strchr(needs, ';') : NULL;
    (void)end; // unread where CPU_FEATURES is empty
#define FEATURE(name, macro, flag)                                                                           \
    if (end && memmem(needs, (size_t)(end - needs) + 1, " " name, sizeof name) != NULL) {                    \
        const char *after =                                                                                  \
            (const char *)memmem(needs, (size_t)(end - needs) + 1, " " name, sizeof name) + sizeof name;     \
        if ((*after == ' ' || *after == ';') && !CPU_HAS(name))                                              \
            return name;                                                                                     \
    }
    CPU_FEATURES(FEATURE)
#undef FEATURE
    return NULL;
}

char *seal_read_file(const char *path, bool anybody, size_t *length)
{
    const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (anybody ? 0 : O_NOFOLLOW);
    const int fd = open(path, flags);
    struct stat s;
    char *bytes = NULL;
    *length = 0;
    if (fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && (anybody || s.st_uid == geteuid()) &&
        s.st_size < MOST_BYTES) {
        bytes = memory_new((size_t)s.st_size + 1);
        ssize_t got = 1;
        while (*length < (size_t)s.st_size && got != 0) {
            got = read(fd, bytes + *length, (size_t)s.st_size - *length);
            if (got < 0 && errno != EINTR)
                break;
            *length += got > 0 ? (size_t)got : 0;
        }
        bytes[*length] = 0;
        if (got < 0) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (fd >= 0)
        close(fd);
    return bytes;
}

bool seal_has_name(const char *bytes, size_t length, const char *name)
{
    const size_t end = sizeof(Seal) + strlen(name);
    return seal_state(bytes, length) == SEAL_GOOD && length > end &&
           memcmp(bytes + length - end, name, strlen(name)) == 0;
}

static bool append(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "ab");
    const bool written = file != NULL && fwrite(bytes, 1, length, file) == length;
    return file != NULL && fclose(file) == 0 && written;
}

bool seal_add(const char *path, const char *name)
{
    size_t length;
    if (name != NULL && !append(path, name, strlen(name)))
        return false;
    char *bytes = seal_read_file(path, false, &length);
    if (bytes == NULL)
        return false;
    Seal seal;
    XXH128_canonicalFromHash(&seal.hash, XXH3_128bits(bytes, length));
    memcpy(seal.magic, seal_magic, sizeof seal.magic);
    free(bytes);
    return append(path, &seal, sizeof seal);
}
