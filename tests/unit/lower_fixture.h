// Queries that are lowered, and nothing else is done with them.
#ifndef CQL_LOWER_FIXTURE_H
#define CQL_LOWER_FIXTURE_H

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/front/detect/dialect.h"
#include "compiler/middle/ir/build.h"
#include "compiler/middle/lower/lower.h"
#include "compiler/middle/transform/transforms.h"
#include "runtime/game/view.h"

static Arena *arena; // of one test

// `variations` as in LowerOptions.
static inline const Module *lowered_with(Dialect dialect, const char *text, int variations)
{
    Source *source = arena_alloc(arena, sizeof *source);
    *source = (Source){"test", text, strlen(text), NULL};
    source_index(arena, source);
    Diagnostics d = {.arena = arena, .source = source};
    const ParseOptions parsing = {.variations = -1};
    const LowerOptions options = {.optimize = true, .variations = variations};
    Query *query = parse_any(arena, source, dialect, &parsing, &d, NULL, NULL);
    const Module *m = query != NULL && transform_query(query, &d) ? lower_query(query, &options, &d) : NULL;
    if (m == NULL)
        fail_msg("`%s`: %s", text, d.count > 0 ? d.list[0].message : "refused");
    assert_null(ir_verify(m));
    return m;
}

static inline const Module *lowered(const char *text)
{
    return lowered_with(DIALECT_CQL6, text, -1);
}

static inline int open_arena(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static inline int close_arena(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

// As `cqlgen explain` prints it.
static inline const char *printed(const Module *m)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    ir_print(out, m);
    fclose(out);
    const char *copy = arena_copy(arena, text, length);
    free(text);
    return copy;
}

#endif
