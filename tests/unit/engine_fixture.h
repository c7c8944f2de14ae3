// A query by hand, as the engines get it, and a folder for what compilers make.
#ifndef CQL_ENGINE_FIXTURE_H
#define CQL_ENGINE_FIXTURE_H

#include "run_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "compiler/back/engine.h"
#include "compiler/middle/ir/build.h"
#include "compiler/middle/screen/screen.h"

// Matches where Black has a queen.
static inline Module *small_module(void)
{
    Arena *a = arena_new();
    Module *m = arena_alloc(a, sizeof *m);
    m->arena = a;
    m->info.name = "test";
    m->info.source = "";
    ir_new_function(m, "body", NULL)->body = ir_any(ir_board(a, BLACK_QUEEN));
    return m;
}

// The hits of the matcher in a game of six positions; Black has a queen in the first three.
static inline int hits_of(const Matcher *matcher)
{
    Fixture f = {.query = *matcher->query};
    fixture_open(&f);
    fixture_play(&f, "[FEN \"3qk3/8/8/8/8/8/8/3RK3 w - - 0 1\"]\n\n1. Rd2 Ke7 2. Rxd8 Kf7 3. Rd1 *");
    const int hits = f.result.hit_count;
    fixture_close(&f);
    return hits;
}

static inline void make_folder(char path[64])
{
    strcpy(path, "/tmp/cqlgen-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

static inline void remove_folder(const char *path)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

#endif
