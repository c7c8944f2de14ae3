// Loading a matcher.so.
#include "load.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "seal.h"

// True when a part that a header describes is within a file of `size` bytes.
static bool lies_within(uint64_t offset, uint64_t length, uint64_t size)
{
    return offset <= size && length <= size - offset;
}

// True for a complete shared object. dlopen trusts the headers and ends the program when a part is missing.
static bool is_complete(FILE *file, uint64_t size)
{
    ElfW(Ehdr) header;
    if (fread(&header, sizeof header, 1, file) != 1 || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_type != ET_DYN || header.e_phentsize != sizeof(ElfW(Phdr)) ||
        !lies_within(header.e_phoff, (uint64_t)header.e_phnum * header.e_phentsize, size) ||
        !lies_within(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize, size))
        return false;
    for (unsigned i = 0; i < header.e_phnum; i++) {
        ElfW(Phdr) segment;
        if (fseek(file, (long)(header.e_phoff + i * sizeof segment), SEEK_SET) != 0 ||
            fread(&segment, sizeof segment, 1, file) != 1 ||
            !lies_within(segment.p_offset, segment.p_filesz, size))
            return false;
    }
    return true;
}

static bool check_file(const char *path, char **message)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode)) {
        *message = line_new("cannot read the matcher %s", path);
        if (file)
            fclose(file);
        return false;
    }
    bool complete = is_complete(file, (uint64_t)status.st_size);
    fclose(file);
    if (!complete)
        *message = line_new("%s is not a matcher: not a shared object, or incomplete", path);
    return complete;
}

// Refuses a file that is damaged, or made for another processor.
static bool check_seal(const char *path, char **message)
{
    size_t length;
    char *bytes = seal_read_file(path, true, &length);
    if (!bytes) {
        *message = line_new("cannot read the matcher %s", path);
        return false;
    }
    const char *missing = seal_missing_feature(bytes, length);
    if (seal_state(bytes, length) == SEAL_BROKEN)
        *message = line_new("the matcher %s is damaged: compile the query again", path);
    else if (missing)
        *message = line_new("the matcher %s was compiled for a processor with %s, which this one lacks: "
                            "compile the query again here",
                            path, missing);
    free(bytes);
    return *message == NULL;
}

const Matcher *matcher_check(const Matcher *m, const char *path, char **message)
{
    if (!m || m->magic != CQL_MAGIC)
        *message = line_new("%s is not a matcher", path);
    else if (m->abi_version != CQL_ABI_VERSION)
        *message = line_new("%s has version %u of the matcher interface, this program version "
                            "%d: compile the query again",
                            path, m->abi_version, CQL_ABI_VERSION);
    else if (m->layout != CQL_LAYOUT)
        *message = line_new(
            "%s was compiled with another header of the matcher interface than this program: compile the "
            "query again",
            path);
    else
        return m;
    return NULL;
}

const Matcher *matcher_load(const char *path, void **handle, char **message)
{
    *handle = NULL;
    *message = NULL;
    if (!check_file(path, message) || !check_seal(path, message))
        return NULL;
    // dlopen searches the library path for a name without a slash
    char *name = strchr(path, '/') ? memory_format("%s", path) : memory_format("./%s", path);
    void *object = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    free(name);
    if (!object) {
        *message = line_new("cannot load the matcher: %s", dlerror());
        return NULL;
    }
    MatcherEntry *entry;
    *(void **)&entry = dlsym(object, "cql_matcher");
    const Matcher *m = NULL;
    if (entry)
        m = matcher_check(entry(), path, message);
    else
        *message = line_new("%s is not a matcher: it has no function cql_matcher", path);
    if (!m)
        dlclose(object);
    else
        *handle = object;
    return m;
}

void matcher_unload(void *handle)
{
    if (handle)
        dlclose(handle);
}
