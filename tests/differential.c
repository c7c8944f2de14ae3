// Differential test: random queries must give the same results with every back end, optimised and not.
//
//     differential SEED COUNT GAMES.pgn...
//
// Prints each disagreement with the query's text and closes with `N passed, N failed`.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../compiler/cli/cli.h"
#include "../runtime/match/runtime.h"
#include "tools/query_generator.h"

enum { BATCH = 32, QUERY_SIZE = 20000, MAX_GAMES = 400 };

typedef struct Games {
    Game *game;
    GameText *text;
    char **memory;
    int count;
} Games;

static int64_t read_file(void *user, void *buffer, size_t size)
{
    return read(*(int *)user, buffer, size);
}

static void load_games(Games *games, const char *path, bool variations)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0) {
        perror(path);
        exit(2);
    }
    PgnSplitter *splitter = pgn_split_open(read_file, &fd, NULL, NULL);
    GameText text;
    while (games->count < MAX_GAMES && pgn_split_next(splitter, &text)) {
        int k = games->count++;
        games->memory[k] = malloc(text.text.length + 1);
        memcpy(games->memory[k], text.text.start, text.text.length);
        games->text[k] = text;
        games->text[k].text.start = games->memory[k];
        game_init(&games->game[k]);
        game_parse(&games->game[k], &games->text[k], PARSE_NOTES | (variations ? PARSE_VARIATIONS : 0), NULL, NULL);
        games->game[k].view.number = k + 1;
        games->game[k].view.last_number = MAX_GAMES;
    }
    pgn_split_close(splitter);
    close(fd);
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ b[i]) * 0x100000001B3ULL;
    return hash;
}

// A fingerprint of everything that a game's evaluation left behind.
static uint64_t fingerprint(const RunResult *r, const QueryInfo *query)
{
    uint64_t hash = 0xCBF29CE484222325ULL;
    hash = mix(hash, &r->matched, sizeof r->matched);
    if (r->error)
        return mix(hash, r->error, strlen(r->error));
    hash = mix(hash, r->hit, (size_t)r->hit_count * sizeof *r->hit);
    for (int i = 0; i < r->log_count && r->matched; i++) {
        hash = mix(hash, &r->log[i].position, sizeof r->log[i].position);
        hash = mix(hash, r->log[i].text->bytes, r->log[i].text->length);
    }
    for (int k = 0; k < query->sort_key_count; k++)
        if (r->sort[k].has_value)
            hash = mix(hash, &r->sort[k].number, sizeof r->sort[k].number);
    return hash;
}

// Runs one query over all games; fills result[game].
static void run_query(const QueryInfo *query, Games *games, uint64_t *result)
{
    RunOptions options = {.max_steps = 3000000, .comments = true};
    const char *message = NULL;
    Run *run = run_new(query, &options, &message);
    if (!run) {
        fprintf(stderr, "differential: %s\n", message);
        exit(1);
    }
    for (int g = 0; g < games->count; g++) {
        result[g] = 0;
        if (games->game[g].skipped || !run_game_test(run, &games->game[g]))
            continue;
        RunResult found;
        run_game(run, &games->game[g], &found);
        if (found.error && strstr(found.error, "step"))
            result[g] = UINT64_MAX; // the budget counts steps, which the optimiser saves
        else if (found.matched || found.error)
            result[g] = fingerprint(&found, query);
    }
    run_free(run);
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
    int passed, failed, refused, matching;
} Tally;

static int run_batch(uint64_t seed, int count, Games *games, Tally *tally)
{
    static char text[BATCH][QUERY_SIZE];
    static uint64_t result[WAYS][BATCH][MAX_GAMES];
    bool accepted[BATCH] = {0};
    for (int w = 0; w < WAYS; w++) {
        Compiled compiled[BATCH];
        Module *module[BATCH];
        int index[BATCH], modules = 0;
        CompileOptions options = {.optimize = ways[w].optimize, .variations = -1};
        for (int i = 0; i < count; i++) {
            if (w == 0)
                generate_query(seed + (uint64_t)i, text[i], QUERY_SIZE);
            bool good = (w == 0 || accepted[i]) && compile_query(&compiled[modules], "generated", text[i], &options);
            if (w == 0) {
                accepted[i] = good;
                if (!good) {
                    tally->refused++;
                    fprintf(stderr, "refused (seed %llu):\n%s\n", (unsigned long long)(seed + (uint64_t)i), text[i]);
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
        if (modules > 0 && !engine_open(&engine, ways[w].engine, module, modules, &engine_options, &message)) {
            fprintf(stderr, "%s: cannot compile batch %llu: %s\n", ways[w].name, (unsigned long long)seed, message ? message : "");
            tally->failed += modules;
            return 1;
        }
        for (int m = 0; m < modules; m++)
            run_query(&engine.matcher->query[m], games, result[w][index[m]]);
        if (modules > 0)
            engine_close(&engine);
        for (int m = 0; m < modules; m++)
            compiled_free(&compiled[m]);
    }
    for (int i = 0; i < count; i++) {
        if (!accepted[i])
            continue;
        bool same = true, some = false;
        for (int w = 1; w < WAYS && same; w++) {
            for (int g = 0; g < games->count; g++) {
                uint64_t expected = result[0][i][g], got = result[w][i][g];
                some |= expected != 0;
                if (expected == got || expected == UINT64_MAX || got == UINT64_MAX)
                    continue;
                printf("not the same in game %d with %s (seed %llu):\n%s\n", g + 1, ways[w].name,
                       (unsigned long long)(seed + (uint64_t)i), text[i]);
                same = false;
                break;
            }
        }
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
    if (count < 4) {
        fprintf(stderr, "usage: differential SEED COUNT GAMES.pgn...\n");
        return 2;
    }
    uint64_t seed = strtoull(argument[1], NULL, 10);
    int total = atoi(argument[2]);
    Games games = {calloc(MAX_GAMES, sizeof(Game)), calloc(MAX_GAMES, sizeof(GameText)), calloc(MAX_GAMES, sizeof(char *)), 0};
    for (int i = 3; i < count; i++)
        load_games(&games, argument[i], true);
    Tally tally = {0};
    for (int done = 0; done < total; done += BATCH)
        run_batch(seed + (uint64_t)done, total - done < BATCH ? total - done : BATCH, &games, &tally);
    printf("%d queries that match somewhere, %d refused, over %d games\n", tally.matching, tally.refused, games.count);
    // A generator that is mostly refused, or whose queries never match, tests nothing.
    bool useful = tally.refused * 20 <= total && tally.matching * 4 >= tally.passed;
    printf("%d passed, %d failed\n", tally.passed, tally.failed + !useful);
    for (int g = 0; g < games.count; g++) {
        game_free(&games.game[g]);
        free(games.memory[g]);
    }
    free(games.game);
    free(games.text);
    free(games.memory);
    return tally.failed > 0 || !useful;
}
