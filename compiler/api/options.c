// What callers fill in, checked and copied.
#include "options.h"

#include <stdbool.h>
#include <string.h>

#include "runtime/value/memory.h"

enum { MOST_SIZE = 1 << 9 }; // of a struct of any version

// Whether a later version's members, which follow those that are known, are used.
static bool uses_unknown(const char *from, size_t known, size_t given)
{
    for (size_t i = known; i < given; i++)
        if (from[i])
            return true;
    return false;
}

char *options_take(void *to, size_t size, const void *from, const char *name)
{
    size_t given = size;
    memset(to, 0, size);
    if (from)
        memcpy(&given, from, sizeof given);
    if (given < sizeof given || given > MOST_SIZE || given % sizeof given != 0)
        return memory_format("`size` of %s is %zu; set it to sizeof(%s), which is %zu", name, given, name,
                             size);
    if (from && uses_unknown(from, size, given))
        return memory_format("%s has members that version %s of the library does not know; leave them 0",
                             name, CQLGEN_VERSION);
    if (from)
        memcpy(to, from, given < size ? given : size);
    return NULL;
}

char *options_check(const OptionRange *range, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const OptionRange *r = &range[i];
        if (r->value >= r->least && r->value <= r->most) // false for NaN
            continue;
        return r->most > INT32_MAX
                   ? memory_format("`%s` is %.15g; expected %.15g or more", r->name, r->value, r->least)
                   : memory_format("`%s` is %.15g; expected %.15g to %.15g", r->name, r->value, r->least,
                                   r->most);
    }
    return NULL;
}
