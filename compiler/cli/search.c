// `cqlgen search`.
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/search/format.h"
#include "upgrade.h"
#include "runtime/value/memory.h"

// The queries of one search: compiled here, or loaded from a matcher.so.
typedef struct Queries {
    CompiledAll all;
    Engine engine;
    bool open;
} Queries;

static bool engine_failed(char *message)
{
    fprintf(stderr, "cqlgen: %s\n", message ? message : "the query could not be prepared to run");
    free(message);
    return false;
}

static bool read_engine(const char *name, EngineKind *kind)
{
    static const EngineKind kinds[] = {ENGINE_AUTO, ENGINE_INTERP, ENGINE_TCC, ENGINE_CC};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        *kind = kinds[i];
        if (!name || strcmp(name, engine_name(*kind)) == 0)
            return true;
    }
    fprintf(stderr, "cqlgen: unknown engine `%s`; expected auto, interp, tcc or cc\n", name);
    return false;
}

static bool read_format(const char *name, const char *output, SearchFormat *format)
{
    *format = name ? format_by_name(name) : output ? format_by_file(output) : FORMAT_PGN;
    if (*format != FORMAT_COUNT_)
        return true;
    *format = FORMAT_PGN;
    if (!name)
        return true;
    fprintf(stderr, "cqlgen: unknown format `%s`; expected", name);
    for (int i = 0; i < FORMAT_COUNT_; i++)
        fprintf(stderr, "%s %s", i == 0 ? "" : i == FORMAT_COUNT_ - 1 ? " or" : ",", format_info[i].name);
    fputs("\n", stderr);
    return false;
}

// Refuses output names that promise another format.
static bool check_output(const char *output, const char *format)
{
    static const char *const packed[] = {".zst", ".gz", ".bz2", ".xz", ".zip"};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        if (ends_with(output, packed[i])) {
            fprintf(
                stderr,
                "cqlgen: output is not compressed, but %s names a compressed file; without -o you can pipe "
                "it to a compressor\n",
                output);
            return false;
        }
    }
    if (format || !ends_with(output, ".json"))
        return true;
    fprintf(stderr,
            "cqlgen: unknown output format `.json` of %s; did you mean `.jsonl`, an object on a line for "
            "each game?\n",
            output);
    return false;
}

// Compiles the query files and -e arguments of the command line.
static bool open_queries(Queries *q, const Arguments *a, int files, EngineKind kind,
                         const EngineOptions *engine, SearchFormat format)
{
    CompileOptions options = compile_options(a);
    options.diagrams = format == FORMAT_HTML;
    if (!compile_all(&q->all, a, files, &options))
        return false;
    char *message = NULL;
    q->open = engine_open(&q->engine, kind, q->all.module, q->all.count, engine, &message);
    return q->open || engine_failed(message);
}

static bool load_matcher(Queries *q, const char *path)
{
    char *message = NULL;
    q->open = engine_load(&q->engine, path, &message);
    return q->open || engine_failed(message);
}

static void close_queries(Queries *q)
{
    if (q->open)
        engine_close(&q->engine);
    compiled_free_all(&q->all);
}

// ---- the command ------------------------------------------------------------------------------------------

static void print_summary(const SearchTotals *t, const SearchOptions *search, const char *engine)
{
    double seconds = t->seconds > 1e-9 ? t->seconds : 1e-9;
    fprintf(stderr,
            "%lld of %lld games match (%lld positions searched, %.2f s, %.1f MB/s, %d thread%s, %s)\n",
            (long long)t->matches, (long long)t->games, (long long)t->positions, t->seconds,
            (double)t->bytes / 1e6 / seconds, search->threads, search->threads == 1 ? "" : "s", engine);
    if (t->damaged > 0)
        fprintf(stderr, "%lld game%s damaged; what could be read was searched\n", (long long)t->damaged,
                t->damaged == 1 ? " is" : "s are");
    if (t->errors > 0)
        fprintf(stderr, "the query failed in %lld game%s\n", (long long)t->errors, t->errors == 1 ? "" : "s");
}

// Complains about the word where a query was expected.
static void complain_of_query(const Arguments *a)
{
    const char *word = a->word_count > 0 ? a->words[0] : NULL;
    for (int i = 1; i < a->word_count; i++) {
        if (is_query_name(a->words[i])) {
            fprintf(stderr, "cqlgen: the query comes before the games: `cqlgen search %s %s`\n", a->words[i],
                    word);
            return;
        }
    }
    if (word && !strpbrk(word, "./@-"))
        fprintf(stderr,
                "cqlgen: `%s` is not a query file (.cql); put filters after -e: `cqlgen search -e '%s' "
                "GAMES.pgn`\n",
                word, word);
    else
        fprintf(stderr, "cqlgen: expected a query file (.cql), a matcher (.so) or -e 'FILTERS': `cqlgen "
                        "search QUERY.cql GAMES.pgn...`\n");
}

// Refuses filters or file names with spaces that the shell has split because they are not in quotes.
static bool check_quotes(const Arguments *a)
{
    for (int i = 0; i < a->word_count && a->expression_count > 0; i++) {
        const char *word = a->words[i];
        if (strpbrk(word, "./@-\\") || access(word, F_OK) == 0)
            continue;
        fprintf(stderr,
                "cqlgen: no such file: `%s`; put filters and names that contain spaces in quotes: -e "
                "'FILTERS', 'NAME OF A FILE.pgn'\n",
                word);
        return false;
    }
    return true;
}

// Refuses a query where games are expected.
static bool check_inputs(const InputNames *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const char *name = inputs->name[i];
        if (!is_query_name(name) && !ends_with(name, ".so"))
            continue;
        fprintf(stderr, "cqlgen: expected games, not %s; %s\n", name,
                is_query_name(name) ? "put queries before the games"
                                    : "put a matcher first, without other queries");
        return false;
    }
    return true;
}

// Takes input and output from the query's header if the command line does not name them.
static bool apply_header(const Queries *q, SearchOptions *search, InputNames *inputs)
{
    const QueryInfo *query = &q->engine.matcher->query[0];
    if (inputs->count == 0 && !query->input) {
        fprintf(stderr,
                "cqlgen: no games to search: name a PGN file, `-` for standard input, or use `input` in "
                "the header of the query\n");
        return false;
    }
    if (inputs->count == 0)
        inputs_add(inputs, query->input);
    search->input = inputs->name;
    search->input_count = inputs->count;
    if (!search->output && search->format == FORMAT_PGN)
        search->output = query->output;
    return check_inputs(inputs);
}

static int run(const Arguments *a, Queries *q, SearchOptions *search, bool may_upgrade,
               const EngineOptions *engine)
{
    SearchTotals totals;
    EngineKind used;
    int status = search_upgraded(&q->engine, may_upgrade ? q->all.module : NULL, q->all.count, engine, search,
                                 &totals, &used);
    if (!a->option[OPTION_QUIET] && totals.seconds > 0) // otherwise the search did not start
        print_summary(&totals, search, engine_name(used));
    return status == STATUS_OK && a->option[OPTION_EXIT_STATUS] && totals.matches == 0 ? STATUS_NO_MATCH
                                                                                       : status;
}

// The number of an option, if that is given.
static bool read_count(const Arguments *a, OptionId id, int64_t low, int64_t high, int64_t *value)
{
    return !a->option[id] || read_number(option_info[id].name, a->option[id], low, high, value);
}

// Reads the options that are not about queries.
static bool read_options(const Arguments *a, SearchOptions *search)
{
    int64_t threads = sysconf(_SC_NPROCESSORS_ONLN);
    const char *bad_start = a->option[OPTION_BAD_START], *games = a->option[OPTION_GAMES];
    const char *format = a->option[OPTION_FORMAT], *output = a->option[OPTION_OUTPUT];
    if (!read_format(format, output, &search->format) || (output && !check_output(output, format)) ||
        !read_count(a, OPTION_THREADS, 1, 1024, &threads) ||
        !read_count(a, OPTION_MAX_STEPS, 1, INT64_MAX, &search->max_steps) ||
        !read_count(a, OPTION_MAX_SECONDS, 1, 1000000000, &search->max_seconds) ||
        !read_count(a, OPTION_LIMIT, 1, INT64_MAX, &search->limit) ||
        (games && !read_games(games, &search->first_game, &search->last_game)))
        return false;
    if (bad_start && strcmp(bad_start, "skip") != 0 && strcmp(bad_start, "standard") != 0) {
        fprintf(stderr, "cqlgen: option `--bad-start` needs `skip` or `standard`, not `%s`\n", bad_start);
        return false;
    }
    search->bad_start_standard = bad_start && strcmp(bad_start, "standard") == 0;
    search->threads = threads > 0 ? (int)threads : 1;
    search->output = output;
    search->allow_files = a->option[OPTION_ALLOW_FILES];
    search->progress = a->option[OPTION_PROGRESS] != NULL;
    search->quiet = a->option[OPTION_QUIET] && !search->progress;
    search->steps_hint =
        "a game is abandoned when the query takes too many steps: --max-steps N sets the limit, "
        "--max-seconds N ends the whole search";
    return true;
}

int command_search(int count, char **argument)
{
    Arguments a;
    EngineKind kind;
    SearchOptions search = {0};
    InputNames inputs;
    if (!read_arguments(&a, COMMAND_SEARCH, count, argument) ||
        !read_engine(a.option[OPTION_ENGINE], &kind) || !read_options(&a, &search))
        return STATUS_QUERY;
    int files = 0; // leading query names
    while (files < a.word_count && is_query_name(a.words[files]))
        files++;
    bool loaded = files == 0 && a.expression_count == 0 && a.word_count > 0 && ends_with(a.words[0], ".so");
    if (files == 0 && a.expression_count == 0 && !loaded) {
        complain_of_query(&a);
        return STATUS_QUERY;
    }
    if (!check_quotes(&a))
        return STATUS_QUERY;
    if (!read_inputs(&inputs, a.words + files + loaded, a.word_count - files - loaded)) {
        inputs_free(&inputs);
        return STATUS_INPUT;
    }
    EngineOptions engine = {.no_cache = a.option[OPTION_NO_CACHE] != NULL};
    Queries q = {0};
    bool good =
        loaded ? load_matcher(&q, a.words[0]) : open_queries(&q, &a, files, kind, &engine, search.format);
    good = good && apply_header(&q, &search, &inputs);
    int status = good ? run(&a, &q, &search, kind == ENGINE_AUTO && !loaded, &engine) : STATUS_QUERY;
    close_queries(&q);
    inputs_free(&inputs);
    return status;
}
