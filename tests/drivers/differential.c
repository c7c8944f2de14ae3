// Differential test: random queries must give the same results with every back end, optimised and not, and
// match the same positions when they are converted to CQL 6.2. The screens of compiled queries must not rule out games that
// match.
//
//     differential [--dialect cql6|cqli|cql5|cql3] SEED COUNT GAMES.pgn...
//
// Prints each disagreement with the query's text and closes with `N passed, N failed`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/cli/cli.h"
#include "compiler/convert/query.h"
#include "runtime/chess/variant.h"
#include "tests/tools/dialect_generator.h"
#include "tests/tools/games.h"
#include "tests/tools/lines.h"
#include "tests/tools/query_generator.h"
#include "tests/tools/results.h"

enum { BATCH = 32, QUERY_SIZE = 20000 };

static int64_t steps_of(Detail detail)
{
    return detail == POSITIONS ? 300000 : 3000000;
}

typedef struct Way {
    const char *name;
    EngineKind engine;
    bool optimize;
} Way;

static const Way ways[] = {{"interp --no-optimize", ENGINE_INTERP, false},
                           {"interp", ENGINE_INTERP, true},
                           {"tcc --no-optimize", ENGINE_TCC, false},
                           {"tcc", ENGINE_TCC, true},
                           {"cc", ENGINE_CC, true}};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct Tally {
    int passed, failed, refused, matching, converted;
} Tally;

static void generate(Dialect dialect, uint64_t seed, char *text)
{
    if (dialect == DIALECT_CQL6)
        generate_query(seed, text, QUERY_SIZE);
    else
        generate_dialect_query(dialect, seed, text, QUERY_SIZE);
}

static bool same_results(const uint64_t *a, const uint64_t *b, int count, int *game)
{
    for (*game = 0; *game < count; ++*game)
        if (a[*game] != b[*game] && a[*game] != UINT64_MAX && b[*game] != UINT64_MAX)
            return false;
    return true;
}

// ---- texts -------------------------------------------------------------------------------------------------

// A text that begins with a header is a query file, any other one the filters of option -e. The file is written
// anew for each text and removed at the end.
static char query_file[] = "/tmp/differential-XXXXXX.cql";

static bool open_query_file(void)
{
    int fd = mkstemps(query_file, 4);
    return fd >= 0 && close(fd) == 0;
}

typedef bool Compile(Compiled *c, const char *name, const char *text, const CompileOptions *options);

static bool compile_text(Compile *compile, Compiled *c, const char *text, const CompileOptions *options)
{
    if (strncmp(text, "cql(", 4) != 0)
        return compile(c, "generated", text, options);
    FILE *file = fopen(query_file, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(query_file);
        exit(2);
    }
    return compile(c, query_file, NULL, options);
}

// ---- conversion -------------------------------------------------------------------------------------------

// Searches with the interpreter; false when the query is refused.
static bool results_of(const char *text, const CompileOptions *options, Games *games, Detail detail,
                       uint64_t *result)
{
    Compiled c;
    Engine engine;
    EngineOptions engine_options = {.no_cache = true};
    char *message = NULL;
    bool good = compile_text(compile_query, &c, text, options);
    if (good && engine_open(&engine, ENGINE_INTERP, &c.module, 1, &engine_options, &message)) {
        run_query(&engine.matcher->query[0], games, detail, steps_of(detail), result, NULL);
        engine_close(&engine);
    }
    compiled_free(&c);
    return good;
}

// The text in CQL 6.2, to be freed, without the header if the original has none; NULL when CQL 6.2 cannot say it,
// or only nearly.
static char *convert(const char *text, const CompileOptions *options)
{
    Compiled c;
    char *filters = NULL;
    if (compile_text(compile_read, &c, text, options)) {
        Diagnostics d = {.arena = c.arena, .source = &c.source};
        const char *whole = print_query(c.query, c.dialect, &d);
        const char *header = whole ? strstr(whole, "\ncql(") + 1 : NULL;
        bool exact = whole != NULL;
        for (int i = 0; i < d.count; i++)
            exact &= d.list[i].severity == DIAG_NOTE;
        if (exact)
            filters = strdup(strncmp(text, "cql(", 4) == 0 ? header : strchr(header, '\n'));
    }
    compiled_free(&c);
    return filters;
}

// Does the query perhaps contain a filter that only cqlgen has?
static bool uses_extension(const char *text)
{
    size_t count;
    const char *const *word = op_words(IN_EXTENSION, &count);
    for (size_t i = 0; i < count; i++)
        if (strstr(text, word[i]))
            return true;
    return false;
}

// A query in CQLi reads games of variants of chess by their rules, its conversion does not: they are not compared.
static void leave_out_variants(const Games *games, uint64_t *result)
{
    Text name;
    for (int k = 0; k < games->count; k++)
        if (game_variant(&games->game[k], &name) != VARIANT_STANDARD)
            result[k] = UINT64_MAX;
}

// The query and its conversion match the same positions; CQL 6.2 written anew gives the same output, too.
static bool check_conversion(const char *text, const CompileOptions *options, Games *games, Tally *tally)
{
    static uint64_t result[2][MAX_GAMES];
    const CompileOptions plain = {
        .optimize = true, .variations = -1, .show = show_diagnostics, .dialect = "cql6"};
    // CQL 6.2 has a form of all that it accepts, but for the filters of cqlgen
    const bool can_be_refused = options->dialect != NULL || uses_extension(text);
    const Detail detail = options->dialect ? POSITIONS : EVERYTHING;
    char *converted = convert(text, options);
    if (converted == NULL)
        return can_be_refused;
    int game = 0;
    bool same = results_of(text, options, games, detail, result[0]);
    if (same && results_of(converted, &plain, games, detail, result[1])) {
        tally->converted++;
        leave_out_variants(games, result[0]);
        same = same_results(result[0], result[1], games->count, &game);
    } else {
        same &= can_be_refused;
    }
    if (!same)
        printf("not the same in game %d when converted:\n%s\nto\n%s\n", game + 1, text, converted);
    free(converted);
    return same;
}

// ---- batches ----------------------------------------------------------------------------------------------

static int run_batch(Dialect dialect, uint64_t seed, int count, Games *games, Tally *tally)
{
    static char text[BATCH][QUERY_SIZE];
    static uint64_t result[WAYS][BATCH][MAX_GAMES];
    bool accepted[BATCH] = {0};
    for (int w = 0; w < WAYS; w++) {
        Compiled compiled[BATCH];
        Module *module[BATCH];
        int index[BATCH], modules = 0;
        CompileOptions options = {.optimize = ways[w].optimize,
                                  .variations = -1,
                                  .show = show_diagnostics,
                                  .dialect = dialect == DIALECT_CQL6 ? NULL : dialect_name(dialect)};
        for (int i = 0; i < count; i++) {
            if (w == 0)
                generate(dialect, seed + (uint64_t)i, text[i]);
            bool good =
                (w == 0 || accepted[i]) && compile_text(compile_query, &compiled[modules], text[i], &options);
            if (w == 0) {
                accepted[i] = good;
                if (!good) {
                    tally->refused++;
                    fprintf(stderr, "refused (seed %llu):\n%s\n", (unsigned long long)(seed + (uint64_t)i),
                            text[i]);
                    compiled_free(&compiled[modules]);
                }
            }
            if (good) {
                index[modules] = i;
                module[modules] = compiled[modules].module;
                modules++;
            }
        }
        Engine engine;
        EngineOptions engine_options = {.no_cache = true};
        char *message = NULL;
        if (modules > 0 &&
            !engine_open(&engine, ways[w].engine, module, modules, &engine_options, &message)) {
            fprintf(stderr, "%s: cannot compile batch %llu: %s\n", ways[w].name, (unsigned long long)seed,
                    message ? message : "");
            tally->failed += modules;
            return 1;
        }
        for (int m = 0; m < modules; m++) {
            const QueryInfo *query = &engine.matcher->query[m];
            static int32_t hits[MAX_GAMES];
            int game;
            run_query(query, games, EVERYTHING, steps_of(EVERYTHING), result[w][index[m]], hits);
            if (!screen_agrees(query, games, hits, &game)) {
                printf("the screen is wrong in game %d with %s (seed %llu):\n%s\n", game + 1, ways[w].name,
                       (unsigned long long)(seed + (uint64_t)index[m]), text[index[m]]);
                tally->failed++;
            }
        }
        if (modules > 0)
            engine_close(&engine);
        for (int m = 0; m < modules; m++)
            compiled_free(&compiled[m]);
    }
    for (int i = 0; i < count; i++) {
        if (!accepted[i])
            continue;
        const CompileOptions options = {.optimize = true,
                                        .variations = -1,
                                        .show = show_diagnostics,
                                        .dialect = dialect == DIALECT_CQL6 ? NULL : dialect_name(dialect)};
        bool same = true, some = false;
        int game = 0;
        for (int g = 0; g < games->count; g++)
            some |= result[0][i][g] != 0;
        for (int w = 1; w < WAYS && same; w++) {
            same = same_results(result[0][i], result[w][i], games->count, &game);
            if (!same)
                printf("not the same in game %d with %s (seed %llu):\n%s\n", game + 1, ways[w].name,
                       (unsigned long long)(seed + (uint64_t)i), text[i]);
        }
        same = check_conversion(text[i], &options, games, tally) && same;
        tally->matching += some;
        if (same)
            tally->passed++;
        else
            tally->failed++;
    }
    return 0;
}

int main(int count, char **argument)
{
    Dialect dialect = DIALECT_CQL6;
    if (count > 2 && strcmp(argument[1], "--dialect") == 0) {
        dialect = dialect_from_name(argument[2], strlen(argument[2]));
        argument += 2;
        count -= 2;
    }
    if (count < 4 || dialect == DIALECT_NONE || dialect == DIALECT_CQL51) {
        fprintf(stderr, "usage: differential [--dialect cql6|cqli|cql5|cql3] SEED COUNT GAMES.pgn...\n");
        return 2;
    }
    uint64_t seed = strtoull(argument[1], NULL, 10);
    int total = atoi(argument[2]);
    static Games games;
    for (int i = 3; i < count; i++)
        games_load(&games, argument[i], PARSE_NOTES | PARSE_CLOCKS | PARSE_VARIATIONS, 400, INT64_MAX);
    if (!open_query_file()) {
        perror(query_file);
        return 2;
    }
    Tally tally = {0};
    for (int done = 0; done < total; done += BATCH)
        run_batch(dialect, seed + (uint64_t)done, total - done < BATCH ? total - done : BATCH, &games,
                  &tally);
    printf("%d queries that match somewhere, %d refused, %d converted, over %d games\n", tally.matching,
           tally.refused, tally.converted, games.count);
    // A generator that is mostly refused, or whose queries never match, tests nothing.
    bool useful = tally.refused <= 1 + total / 20 && tally.matching * 4 >= tally.passed;
    printf("%d passed, %d failed\n", tally.passed, tally.failed + !useful);
    unlink(query_file);
    games_free(&games);
    return tally.failed > 0 || !useful;
}
