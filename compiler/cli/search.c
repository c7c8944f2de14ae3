// `cqlgen search`.
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/search/format.h"
#include "many.h"
#include "signals.h"
#include "upgrade.h"
#include "runtime/value/memory.h"

enum { MOST_THREADS = 1024 };

// The queries of one search: compiled here, or loaded from a matcher.so.
typedef struct Queries {
    CompiledAll all;
    Engine engine;
    bool open;
} Queries;

static bool engine_failed(char *message)
{
    complain(NULL, "%s", message ? message : "the query could not be prepared to run");
    free(message);
    return false;
}

static EngineKind read_engine(const char *name)
{
    static const EngineKind kinds[] = {ENGINE_AUTO, ENGINE_INTERP, ENGINE_TCC, ENGINE_CC};
    int i = 0;
    while (name && strcmp(name, engine_name(kinds[i])) != 0)
        i++;
    return kinds[i];
}

static SearchFormat read_format(const char *name, const char *output)
{
    const SearchFormat format = name ? format_by_name(name) : output ? format_by_file(output) : FORMAT_PGN;
    return format != FORMAT_COUNT_ ? format : FORMAT_PGN;
}

// Refuses output names that promise another format.
static bool check_output(const char *output, const char *format)
{
    static const char *const packed[] = {".zst", ".gz", ".bz2", ".xz", ".zip"};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        if (ends_with(output, packed[i])) {
            return complain(
                NULL,
                "output is not compressed, but %s names a compressed file; without -o you can pipe "
                "it to a compressor",
                output);
        }
    }
    if (format || !ends_with(output, ".json"))
        return true;
    return complain(NULL,
                    "unknown output format `.json` of %s; did you mean `.jsonl`, an object on a line for "
                    "each game?",
                    output);
}

// Compiles the query files and -e arguments of the command line.
static bool open_queries(Queries *q, const Arguments *a, int files, EngineKind kind, EngineOptions *engine,
                         SearchFormat format)
{
    CompileOptions options = compile_options(a);
    options.diagrams = format == FORMAT_HTML;
    if (!compile_all(&q->all, a, files, &options))
        return false;
    char *message = NULL;
    if (kind == ENGINE_CC)
        engine->stop = signals_catch(); // the compiler takes a while
    q->open = engine_open(&q->engine, kind, q->all.module, q->all.count, engine, &message);
    if (!q->open)
        signals_end();
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
    if (search->outputs)
        fprintf(stderr, "%lld game%s", (long long)t->games, t->games == 1 ? "" : "s");
    else
        fprintf(stderr, "%lld of %lld games match", (long long)t->matches, (long long)t->games);
    fprintf(stderr, " (%lld positions searched, %.2f s, %.1f MB/s, %d thread%s, %s)\n",
            (long long)t->positions, t->seconds, (double)t->bytes / 1e6 / seconds, search->threads,
            search->threads == 1 ? "" : "s", engine);
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
            complain(NULL, "the query comes before the games: `cqlgen search %s %s`", a->words[i], word);
            return;
        }
    }
    if (word && !strpbrk(word, "./@-"))
        complain(NULL,
                 "`%s` is not a query file (.cql); put filters after -e: `cqlgen search -e '%s' "
                 "GAMES.pgn`",
                 word, word);
    else
        complain(NULL, "expected a query file (.cql), a matcher (.so) or -e 'FILTERS': `cqlgen "
                       "search QUERY.cql GAMES.pgn...`");
}

// Refuses filters or file names with spaces that the shell has split because they are not in quotes.
static bool check_quotes(const Arguments *a)
{
    for (int i = 0; i < a->word_count && a->expression_count > 0; i++) {
        const char *word = a->words[i];
        if (strpbrk(word, "./@-\\") || access(word, F_OK) == 0)
            continue;
        return complain(NULL,
                        "no such file: `%s`; put filters and names that contain spaces in quotes: -e "
                        "'FILTERS', 'NAME OF A FILE.pgn'",
                        word);
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
        return complain(NULL, "expected games, not %s; %s", name,
                        is_query_name(name) ? "put queries before the games"
                                            : "put a matcher first, without other queries");
    }
    return true;
}

// Takes input and output from the query's header if the command line does not name them.
static bool apply_header(const Queries *q, SearchOptions *search, InputNames *inputs, bool to_folder)
{
    const QueryInfo *query = &q->engine.matcher->query[0];
    if (inputs->count == 0 && !query->input) {
        return complain(NULL,
                        "no games to search: name a PGN file, `-` for standard input, or use `input` in "
                        "the header of the query");
    }
    if (inputs->count == 0)
        inputs_add(inputs, query->input);
    search->input = inputs->name;
    search->input_count = inputs->count;
    if (!search->output && search->format == FORMAT_PGN && !to_folder)
        search->output = query->output;
    return check_inputs(inputs);
}

// Searches with everything prepared.
static int run(const Arguments *a, const Queries *q, const Many *many, SearchOptions *search,
               bool may_upgrade, const EngineOptions *engine)
{
    SearchTotals totals;
    EngineKind used;
    int status = search_upgraded(&q->engine, may_upgrade ? q->all.module : NULL, q->all.count, engine, search,
                                 &totals, &used);
    if (!a->value[OPTION_QUIET] && totals.seconds > 0) { // otherwise the search did not start
        print_summary(&totals, search, engine_name(used));
        if (many->matcher->query_count > 1 || many->output)
            many_print(many);
    }
    if (a->value[OPTION_STATS])
        many_print_stats(many);
    if (status == STATUS_OK && many->summary_failed)
        return STATUS_OUTPUT;
    return status == STATUS_OK && a->value[OPTION_EXIT_STATUS] && totals.matches == 0 ? STATUS_NO_MATCH
                                                                                      : status;
}

static int run_many(const Arguments *a, const Queries *q, SearchOptions *search, bool may_upgrade,
                    const EngineOptions *engine)
{
    Many many;
    int status = many_open(&many, a, q->engine.matcher, search);
    if (status == STATUS_OK)
        status = run(a, q, &many, search, may_upgrade, engine);
    many_close(&many);
    return status;
}

// The number of an option, or a default.
static int64_t number(const Arguments *a, OptionId id, int64_t missing)
{
    return a->value[id] ? a->low[id] : missing;
}

// Reads the options that are not about queries.
static bool read_options(const Arguments *a, SearchOptions *search)
{
    const int64_t threads = number(a, OPTION_THREADS, sysconf(_SC_NPROCESSORS_ONLN));
    const char *bad_start = a->value[OPTION_BAD_START], *output = a->value[OPTION_OUTPUT];
    search->format = read_format(a->value[OPTION_FORMAT], output);
    search->max_steps = a->low[OPTION_MAX_STEPS];
    search->max_seconds = a->low[OPTION_MAX_SECONDS];
    search->limit = a->low[OPTION_LIMIT];
    search->memory = a->low[OPTION_MEMORY] << 20;
    search->first_game = a->low[OPTION_GAMES];
    search->last_game = a->high[OPTION_GAMES];
    search->bad_start_standard = bad_start && strcmp(bad_start, "standard") == 0;
    search->threads = threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : (int)threads;
    search->output = output;
    search->split_output = true;
    search->allow_files = a->value[OPTION_ALLOW_FILES];
    search->allow_commands = a->value[OPTION_ALLOW_COMMANDS] != NULL;
    search->pipe_seconds = (int)a->low[OPTION_PIPETIMEOUT];
    search->progress = a->value[OPTION_PROGRESS] != NULL;
    search->quiet = a->value[OPTION_QUIET] && !search->progress;
    search->no_prefilter = a->value[OPTION_NO_PREFILTER] != NULL;
    search->steps_hint =
        "a game is abandoned when the query takes too many steps: --max-steps N sets the limit, "
        "--max-seconds N ends the whole search";
    return !output || check_output(output, a->value[OPTION_FORMAT]);
}

int command_search(int count, char **argument)
{
    Arguments a;
    SearchOptions search = {0};
    InputNames inputs;
    if (!read_arguments(&a, COMMAND_SEARCH, NULL, NULL, count, argument) || !read_options(&a, &search))
        return STATUS_QUERY;
    const EngineKind kind = read_engine(a.value[OPTION_ENGINE]);
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
    EngineOptions engine = {.no_cache = a.value[OPTION_NO_CACHE] != NULL};
    Queries q = {0};
    bool good =
        loaded ? load_matcher(&q, a.words[0]) : open_queries(&q, &a, files, kind, &engine, search.format);
    good = good && apply_header(&q, &search, &inputs, a.value[OPTION_OUTPUT_DIR] != NULL);
    int status = good ? run_many(&a, &q, &search, kind == ENGINE_AUTO && !loaded, &engine) : STATUS_QUERY;
    close_queries(&q);
    inputs_free(&inputs);
    return status;
}
