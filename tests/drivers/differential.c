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
#include "runtime/chess/word.h"
#include "runtime/match/run.h"
#include "runtime/match/variants.h"
#include "tests/tools/dialect_generator.h"
#include "tests/tools/games.h"
#include "tests/tools/query_generator.h"

enum { BATCH = 32, QUERY_SIZE = 20000 };

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ b[i]) * 0x100000001B3ULL;
    return hash;
}

// All that a game's output depends on, or only the positions that match.
typedef enum Detail { EVERYTHING, POSITIONS } Detail;

enum { NOT_EVALUATED = -2 };

// ---- screens ----------------------------------------------------------------------------------------------

// The main lines of the games that databases store in groups; the other games are in no lane.
typedef struct Lines {
    LineGroup group[MAX_GAMES / LINE_LANES + 1];
    int game[MAX_GAMES + LINE_LANES]; // by group and lane
    int games;
} Lines;

static bool is_plain_line(const Game *g)
{
    bool plain = !g->has_fen && !g->damaged && !g->skipped && g->view.count == g->ply_count + 1;
    for (int i = 1; i < g->view.count && plain; i++)
        plain = !(g->view.node[i].move.flags & MOVE_NULL);
    return plain;
}

static uint16_t facts_of(const Game *g)
{
    const Position *last = g->view.position[g->view.count - 1];
    int facts = pos_has_legal_move(last) ? 0 : pos_in_check(last, last->side) ? LINE_MATE : LINE_STALEMATE;
    for (int i = 1; i < g->view.count; i++) {
        const Move m = g->view.node[i].move;
        facts |= (m.flags & MOVE_CASTLE_KING ? LINE_CASTLES_KING : 0) |
                 (m.flags & MOVE_CASTLE_QUEEN ? LINE_CASTLES_QUEEN : 0) |
                 (m.flags & MOVE_EN_PASSANT ? LINE_EN_PASSANT : 0) |
                 (m.promoted != EMPTY ? LINE_PROMOTES : 0);
    }
    return (uint16_t)facts;
}

static void make_lines(Lines *lines, const Games *games)
{
    *lines = (Lines){0};
    for (int k = 0; k < games->count; k++)
        if (is_plain_line(&games->game[k]))
            lines->game[lines->games++] = k;
    for (int first = 0; first < lines->games; first += LINE_LANES) {
        LineGroup *group = &lines->group[first / LINE_LANES];
        for (int lane = 0; lane < LINE_LANES && first + lane < lines->games; lane++) {
            const Game *g = &games->game[lines->game[first + lane]];
            group->length[lane] = (uint16_t)g->ply_count;
            group->facts[lane] = facts_of(g);
            for (int side = WHITE; side <= BLACK; side++)
                group->men[side][lane] =
                    (uint16_t)bb_count(g->view.position[g->view.count - 1]->board[BOARD_WHITE + side]);
            group->rows = g->ply_count > group->rows ? g->ply_count : group->rows;
        }
        uint16_t *word = calloc((size_t)group->rows * LINE_LANES + 1, sizeof *word);
        for (int lane = 0; lane < LINE_LANES && first + lane < lines->games; lane++)
            for (int i = 0; i < group->length[lane]; i++)
                word[i * LINE_LANES + lane] =
                    word_of(games->game[lines->game[first + lane]].view.node[i + 1].move);
        group->word = word;
    }
}

typedef int32_t Found[MAX_GAMES / LINE_LANES + 1][LINE_LANES];

// What the screen finds, alone or with the other queries that may share its function.
static void run_screen(const QueryInfo *query, const Lines *lines, bool alone, Found *found)
{
    static Found others;
    int32_t(*place[SCREEN_QUERIES])[LINE_LANES];
    for (int i = 0; i < SCREEN_QUERIES; i++)
        place[i] = alone ? NULL : others;
    place[query->screen_place] = *found;
    query->screen(lines->group, (lines->games + LINE_LANES - 1) / LINE_LANES, place);
}

// The screen rules out no game that matches or fails, and an exact one counts the matching positions, whether it is asked alone or
// not. `hits`: by game, -1: an error.
static bool check_screen(const QueryInfo *query, const Games *games, const int32_t *hits, int *game)
{
    static Lines lines;
    static Found found, together;
    if (lines.games == 0)
        make_lines(&lines, games);
    if (!query->screen)
        return true;
    run_screen(query, &lines, true, &found);
    run_screen(query, &lines, false, &together);
    for (int i = 0; i < lines.games; i++) {
        const int32_t count = found[i / LINE_LANES][i % LINE_LANES];
        *game = lines.game[i];
        if (count != together[i / LINE_LANES][i % LINE_LANES])
            return false;
        const bool is_other_result = query->results & ~(1u << games->game[*game].view.result);
        if (hits[*game] == NOT_EVALUATED || is_other_result)
            continue;
        if (count == 0 ? hits[*game] != 0 : (query->flags & QUERY_EXACT_SCREEN) && count != hits[*game])
            return false;
    }
    return true;
}

// ---- results ----------------------------------------------------------------------------------------------

// A fingerprint of the results of evaluating a game.
static uint64_t fingerprint(const RunResult *r, const QueryInfo *query, Detail detail)
{
    uint64_t hash = 0xCBF29CE484222325ULL;
    hash = mix(hash, &r->matched, sizeof r->matched);
    if (r->error)
        return mix(hash, r->error, detail == EVERYTHING ? strlen(r->error) : 0);
    hash = mix(hash, r->hit, (size_t)r->hit_count * sizeof *r->hit);
    if (detail == POSITIONS)
        return hash;
    for (int i = 0; i < r->log_count && r->matched; i++) {
        hash = mix(hash, &r->log[i].position, sizeof r->log[i].position);
        hash = mix(hash, r->log[i].text->bytes, r->log[i].text->length);
    }
    for (int k = 0; k < query->sort_key_count; k++)
        if (r->sort[k].has_value) {
            hash = mix(hash, &r->sort[k].number, sizeof r->sort[k].number);
            if (r->sort[k].text)
                hash = mix(hash, r->sort[k].text->bytes, r->sort[k].text->length);
        }
    for (int i = 0; i < r->set_tag_count; i++) {
        hash = mix(hash, r->set_tag[i].name.start, r->set_tag[i].name.length);
        hash = mix(hash, r->set_tag[i].value.start, r->set_tag[i].value.length);
    }
    if (r->drop_comment)
        hash = mix(hash, r->drop_comment, (size_t)r->position_count * sizeof *r->drop_comment);
    return mix(hash, r->messages, r->messages_length);
}

// Runs one query over all games; fills result[game] and, unless it is NULL, hits[game]: -1 after an error,
// NOT_EVALUATED when its tags rule it out or it takes too many steps, or four games before it have taken too many.
static void run_query(const QueryInfo *query, Games *games, Detail detail, uint64_t *result, int32_t *hits)
{
    int32_t none[MAX_GAMES];
    if (!hits)
        hits = none;
    RunOptions options = {.max_steps = detail == POSITIONS ? 300000 : 3000000, .comments = true};
    char *message = NULL;
    Run *run = run_new(query, &options, NULL, &message);
    if (!run) {
        fprintf(stderr, "differential: %s\n", message);
        exit(1);
    }
    int too_long = 0;
    for (int g = 0; g < games->count; g++) {
        result[g] = too_long < 4 ? 0 : UINT64_MAX;
        hits[g] = NOT_EVALUATED;
        if (too_long == 4 || games->game[g].skipped || !run_game_test(run, &games->game[g]))
            continue;
        RunResult found;
        run_game(run, &games->game[g], &found);
        hits[g] = found.error && strstr(found.error, "step") ? NOT_EVALUATED
                  : found.error                              ? -1
                                                             : found.hit_count;
        if (found.error && strstr(found.error, "step")) {
            result[g] = UINT64_MAX; // the budget counts steps, which the optimiser saves
            too_long++;
        } else if (found.matched || found.error)
            result[g] = fingerprint(&found, query, detail);
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
        run_query(&engine.matcher->query[0], games, detail, result, NULL);
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

// A query in CQLi does not see games of other chess variants, its conversion does: they are not compared.
static void leave_out_variants(const Games *games, uint64_t *result)
{
    Text name;
    for (int k = 0; k < games->count; k++)
        if (variant_of(&games->game[k], &name) == VARIANT_FOREIGN)
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
            run_query(query, games, EVERYTHING, result[w][index[m]], hits);
            if (!check_screen(query, games, hits, &game)) {
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
