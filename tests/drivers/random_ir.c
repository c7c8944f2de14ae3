// Random IR (tests/tools/random_ir.h): every pass of the optimiser, alone and in order, keeps what the interpreter finds; the C of the
// result finds the same; its screen rules out no game that matches.
//
//     random_ir SEED COUNT GAMES.pgn...
//
// Prints each disagreement with a tree that is as small as it can be, and closes with `N passed, N failed`.
#include "tests/tools/random_ir.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/back/engine.h"
#include "compiler/back/interp.h"
#include "compiler/middle/optimise/internal.h"
#include "compiler/middle/screen/screen.h"
#include "tests/tools/games.h"
#include "tests/tools/lines.h"
#include "tests/tools/smaller_ir.h"

// STEPS: of a game, for passes; a little for engines, which must agree about the end of steps, too.
enum { STEPS = 30000, BATCH = 32, MOST_EDITS = 400, PASS_GAMES = 4, MOST_SHOWN = 10 };

typedef struct Pass {
    const char *name;
    void (*run)(Module *m);
    bool wants_folded; // comes after fold_module
} Pass;

static const char *volatile at_pass = ""; // what a crash is reported with
static volatile uint64_t at_seed;

static void crash(int number)
{
    printf("signal %d after %s (seed %llu or one of the next)\n0 passed, 1 failed\n", number, at_pass,
           (unsigned long long)at_seed);
    fflush(stdout);
    _exit(1);
}

static void run_pass(const Pass *pass, Module *m)
{
    at_pass = pass->name;
    if (pass->wants_folded)
        fold_module(m);
    pass->run(m);
}

static void screen(Module *m, void *user)
{
    (void)user;
    screen_module(m);
}

// As compile.c does it.
static void in_order(Module *m)
{
    optimise(m, screen, NULL);
}

static void before_screens(Module *m)
{
    optimise(m, NULL, NULL);
}

// What remember_conditions makes, and what comes after it.
static void once_remembered(Module *m)
{
    remember_conditions(m);
    evaluate_once(m);
}

// libtcc is wrong about constants among conditions (CompileOptions.fold): unfolded modules are not for it.
static const Pass only_folded = {"fold_module alone", fold_module, false};
#define PASS(name)                                                                                           \
    {                                                                                                        \
#name, name, true                                                                                    \
    }
static const Pass passes[] = {
    {"in order", in_order, false},
    {"passes before screens", before_screens, false},
    {"fold_module", fold_module, false},
    PASS(use_known_cells),
    PASS(use_single_squares),
    PASS(use_squares_of_pieces),
    PASS(remove_dead_locals),
    PASS(restrict_loops),
    PASS(name_attacks),
    PASS(use_known_conditions),
    PASS(combine_alternatives),
    PASS(order_tests),
    PASS(share_calls),
    PASS(split_tags),
    PASS(remember_conditions),
    PASS(evaluate_once),
    PASS(once_remembered),
    PASS(inline_searches),
    PASS(stage_intersections),
};
#undef PASS
enum { PASSES = sizeof passes / sizeof *passes };

typedef struct Tally {
    int passed, failed, matching, screens;
    int changed[PASSES]; // modules that the pass changed
} Tally;

static Games some, all; // for passes; for screens and engines

// ---- one pass ---------------------------------------------------------------------------------------------

typedef struct Result {
    uint64_t game[PASS_GAMES];
    const char *wrong; // what ir_verify says
} Result;

static Result result_of(Module *m)
{
    static uint64_t result[MAX_GAMES];
    Result r = {.wrong = ir_verify(m)};
    if (r.wrong != NULL)
        return r;
    const Matcher *matcher = interp_new(&m, 1);
    run_query(&matcher->query[0], &some, EVERYTHING, STEPS, result, NULL);
    interp_free(matcher);
    memcpy(r.game, result, (size_t)some.count * sizeof *result);
    return r;
}

// The same where both ended within the steps, which passes save.
static bool same_result(const Result *a, const Result *b)
{
    if (a->wrong != NULL || b->wrong != NULL)
        return a->wrong == b->wrong;
    for (int g = 0; g < some.count; g++)
        if (a->game[g] != b->game[g] && a->game[g] != UINT64_MAX && b->game[g] != UINT64_MAX)
            return false;
    return true;
}

static Module *edited(uint64_t seed, const Edit *edit, int edits)
{
    at_seed = seed;
    Module *m = random_module(seed);
    for (int i = 0; i < edits; i++)
        edit_body(m, edit[i]);
    return m;
}

// Is a property broken for the module of the seed, after edits?
typedef bool IsWrong(const Pass *pass, uint64_t seed, const Edit *edit, int edits);

static bool pass_is_wrong(const Pass *pass, uint64_t seed, const Edit *edit, int edits)
{
    Module *m = edited(seed, edit, edits);
    const Result before = result_of(m);
    arena_free(m->arena);
    m = edited(seed, edit, edits);
    run_pass(pass, m);
    const Result after = result_of(m);
    const bool wrong = !same_result(&before, &after);
    arena_free(m->arena);
    return wrong;
}

// Shows the smallest tree that is found for which the property is broken, and what the pass makes of it.
static void show_smallest(const char *title, IsWrong *is_wrong, const Pass *pass, uint64_t seed)
{
    static Edit edit[MOST_EDITS + 1];
    int edits = 0;
    for (int node = 0; edits < MOST_EDITS; node++) {
        Module *m = edited(seed, edit, edits);
        const int size = tree_size(m->function[0]->body);
        arena_free(m->arena);
        if (node >= size)
            break;
        for (int kid = -1; kid < 5 && edits < MOST_EDITS; kid++) {
            edit[edits] = (Edit){node, kid};
            m = edited(seed, edit, edits);
            const bool possible = edit_body(m, edit[edits]);
            arena_free(m->arena);
            if (possible && is_wrong(pass, seed, edit, edits + 1)) {
                edits++;
                node = kid < 0 ? node : node - 1;
                break;
            }
        }
    }
    printf("%s (seed %llu):\n", title, (unsigned long long)seed);
    Module *m = edited(seed, edit, edits);
    const bool is_alone = !ir_does_any(m->function[0]->body, IR_INVOKES);
    m->function_count = is_alone ? 1 : m->function_count;
    ir_print(stdout, m);
    run_pass(pass, m);
    printf("became\n");
    ir_print(stdout, m);
    const char *wrong = ir_verify(m);
    printf("%s\n", wrong != NULL ? wrong : "");
    arena_free(m->arena);
}

// Does a pass change a module that is folded already, if it wants that?
static bool is_changed(const Module *m, const Module *by_pass)
{
    if (m->function_count != by_pass->function_count)
        return true;
    for (int i = 0; i < m->function_count; i++)
        if (!ir_equal(m->function[i]->body, by_pass->function[i]->body))
            return true;
    return false;
}

static void check_passes(uint64_t seed, Tally *tally)
{
    Module *m = edited(seed, NULL, 0);
    const char *fault = module_fault(m);
    if (fault != NULL) {
        printf("the generator is wrong (seed %llu): %s\n", (unsigned long long)seed, fault);
        tally->failed++;
    }
    const Result before = result_of(m);
    Module *folded = random_module(seed);
    fold_module(folded);
    for (int i = 0; i < PASSES; i++) {
        Module *by_pass = random_module(seed);
        run_pass(&passes[i], by_pass);
        tally->changed[i] += is_changed(passes[i].wants_folded ? folded : m, by_pass);
        const Result after = result_of(by_pass);
        arena_free(by_pass->arena);
        const bool same = same_result(&before, &after);
        *(same ? &tally->passed : &tally->failed) += 1;
        if (!same && tally->failed < MOST_SHOWN)
            show_smallest(passes[i].name, pass_is_wrong, &passes[i], seed);
    }
    arena_free(folded->arena);
    arena_free(m->arena);
}

// ---- engines and screens ------------------------------------------------------------------------------------

static Engine engine_of(EngineKind kind, Module *const *module, int count)
{
    Engine e;
    char *message;
    if (!engine_open(&e, kind, module, count, &(EngineOptions){.no_cache = true}, &message)) {
        printf("%s\n0 passed, 1 failed\n", message);
        exit(1);
    }
    return e;
}

// Does the interpreter find what the engine finds, and does the screen let it through? The modules are optimised, or not.
static bool agrees(const QueryInfo *interpreted, const QueryInfo *compiled, Tally *tally)
{
    static uint64_t result[2][MAX_GAMES];
    static int32_t hits[2][MAX_GAMES];
    run_query(interpreted, &all, EVERYTHING, STEPS / 10, result[0], hits[0]);
    run_query(compiled, &all, EVERYTHING, STEPS / 10, result[1], hits[1]);
    tally->screens += compiled->screen != NULL;
    for (int g = 0; g < all.count; g++)
        if (hits[0][g] > 0) {
            tally->matching++;
            break;
        }
    int game;
    return memcmp(result[0], result[1], (size_t)all.count * sizeof **result) == 0 &&
           screen_agrees(compiled, &all, hits[0], &game);
}

static void check_batch(EngineKind kind, Module *const *module, int count, bool *good, Tally *tally)
{
    Engine interpreter = engine_of(ENGINE_INTERP, module, count), engine = engine_of(kind, module, count);
    for (int i = 0; i < count; i++)
        good[i] = agrees(&interpreter.matcher->query[i], &engine.matcher->query[i], tally);
    engine_close(&interpreter);
    engine_close(&engine);
}

static EngineKind wrong_kind; // of the engine that differs

static bool engine_is_wrong(const Pass *pass, uint64_t seed, const Edit *edit, int edits)
{
    Module *m = edited(seed, edit, edits);
    run_pass(pass, m);
    bool good = true;
    check_batch(wrong_kind, &m, 1, &good, &(Tally){0});
    arena_free(m->arena);
    return !good;
}

static void check_engine(EngineKind kind, uint64_t seed, int count, const Pass *pass, Tally *tally)
{
    Module *module[BATCH] = {0};
    bool good[BATCH];
    at_pass = engine_name(kind);
    at_seed = seed;
    for (int i = 0; i < count; i++) {
        module[i] = random_module(seed + (uint64_t)i);
        run_pass(pass, module[i]);
        if (ir_verify(module[i]) != NULL)
            return; // check_passes shows it
    }
    check_batch(kind, module, count, good, tally);
    for (int i = 0; i < count; i++) {
        arena_free(module[i]->arena);
        *(good[i] ? &tally->passed : &tally->failed) += 1;
        if (!good[i] && tally->failed < MOST_SHOWN) {
            printf("%s or the screen differs from the interpreter, modules %s\n", engine_name(kind),
                   pass->name);
            wrong_kind = kind;
            show_smallest("for example", engine_is_wrong, pass, seed + (uint64_t)i);
        }
    }
}

int main(int count, char **argument)
{
    if (count < 4) {
        fprintf(stderr, "usage: random_ir SEED COUNT GAMES.pgn...\n");
        return 2;
    }
    const uint64_t seed = strtoull(argument[1], NULL, 10);
    const int total = atoi(argument[2]);
    for (int i = 3; i < count; i++) {
        games_load(&some, argument[i], PARSE_NOTES | PARSE_VARIATIONS, i == 3 ? PASS_GAMES : 0, INT64_MAX);
        games_load(&all, argument[i], PARSE_NOTES | PARSE_VARIATIONS, 400, INT64_MAX);
    }
    signal(SIGSEGV, crash);
    signal(SIGABRT, crash);
    Tally tally = {0};
    for (int i = 0; i < total; i++)
        check_passes(seed + (uint64_t)i, &tally);
    for (int i = 0; i < total; i += BATCH) {
        const int batch = total - i < BATCH ? total - i : BATCH;
        check_engine(ENGINE_TCC, seed + (uint64_t)i, batch, &only_folded, &tally);
        check_engine(ENGINE_TCC, seed + (uint64_t)i, batch, &passes[0], &tally);
    }
    check_engine(ENGINE_CC, seed, total < BATCH ? total : BATCH, &passes[0], &tally);
    // A pass that nothing calls for is not tested.
    for (int i = 0; i < PASSES; i++) {
        printf("%s changes %d of %d\n", passes[i].name, tally.changed[i], total);
        tally.failed += total >= 800 && tally.changed[i] == 0;
    }
    printf("%d matching, %d with screens\n%d passed, %d failed\n", tally.matching, tally.screens,
           tally.passed, tally.failed);
    games_free(&some);
    games_free(&all);
    return tally.failed > 0;
}
