// The names of the dialects (language reference 14.2).
#include <string.h>

#include "internal.h"
#include "runtime/value/ascii.h"

const char dialect_names[] = "cql6, cqli, cql5, cql51, cql3";

static const struct {
    const char *name;
    Dialect dialect;
} names[] = {{"cql6", DIALECT_CQL6},    {"cqli", DIALECT_CQLI},    {"cql5", DIALECT_CQL5},
             {"cql51", DIALECT_CQL51},  {"cql3", DIALECT_CQL3},    {"cql6.2", DIALECT_CQL6},
             {"cql6.1", DIALECT_CQL6},  {"cql6.0", DIALECT_CQL6},  {"cql5.2", DIALECT_CQL5},
             {"cql5.1", DIALECT_CQL51}, {"cql5.0", DIALECT_CQL51}, {"cql-s", DIALECT_CQL3}};

const char *dialect_name(Dialect dialect)
{
    return dialect == DIALECT_NONE ? "none" : names[dialect].name;
}

const char *dialect_marker(Dialect dialect)
{
    static const char *const markers[] = {"// dialect: cql6", "// dialect: cqli", "; dialect: cql5",
                                          "; dialect: cql51", "; dialect: cql3"};
    return markers[dialect];
}

Dialect dialect_from_name(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == length && ascii_same_bytes(names[i].name, name, length))
            return names[i].dialect;
    return DIALECT_NONE;
}
