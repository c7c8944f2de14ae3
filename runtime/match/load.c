#include "load.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *text(const char *format, ...)
{
    va_list arguments;
    char *result = NULL;
    va_start(arguments, format);
    if (vasprintf(&result, format, arguments) < 0)
        abort();
    va_end(arguments);
    return result;
}

static const Matcher *check(const Matcher *m, const char *path, char **message)
{
    if (!m || m->magic != CQL_MAGIC)
        *message = text("%s is not a matcher", path);
    else if (m->abi_version != CQL_ABI_VERSION)
        *message = text("%s was made for version %u of the matcher interface, this program has version %d: compile the query again",
                        path, m->abi_version, CQL_ABI_VERSION);
    else
        return m;
    return NULL;
}

const Matcher *matcher_load(const char *path, void **handle, char **message)
{
    *handle = NULL;
    *message = NULL;
    // dlopen searches the library path for a name without a slash
    char *name = strchr(path, '/') ? text("%s", path) : text("./%s", path);
    void *object = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    free(name);
    if (!object) {
        *message = text("cannot load the matcher: %s", dlerror());
        return NULL;
    }
    MatcherEntry *entry;
    *(void **)&entry = dlsym(object, "cql_matcher");
    const Matcher *m = NULL;
    if (entry)
        m = check(entry(), path, message);
    else
        *message = text("%s is not a matcher: it has no function cql_matcher", path);
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
