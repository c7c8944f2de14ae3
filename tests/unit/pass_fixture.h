// Tables of trees and what a single pass of the optimiser makes of them.
#ifndef CQL_TEST_PASS_FIXTURE_H
#define CQL_TEST_PASS_FIXTURE_H

#include "ir_text.h"

#include "compiler/middle/optimise/internal.h"

typedef struct PassRow {
    const char *cells, *locals; // see module_of_text
    const char *before, *after; // NULL: as before
} PassRow;

static inline void check_passes(void (*pass)(Module *m), const PassRow *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Module *m = module_of_text(row[i].cells, row[i].locals, row[i].before);
        pass(m);
        assert_null(ir_verify(m));
        assert_ir(m, m->function[0]->body, row[i].after != NULL ? row[i].after : row[i].before);
        arena_free(m->arena);
    }
}

#define CHECK_PASS(pass, rows) check_passes(pass, rows, sizeof rows / sizeof *rows)

#endif
