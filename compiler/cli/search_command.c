// `cqlgen search`.
#include "searching.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/format/format.h"
#include "runtime/match/run.h"
#include "runtime/match/syzygy.h"
#include "runtime/format/packed.h"
#include "runtime/share/hub.h"
#include "runtime/search/output.h"
#include "runtime/share/partial.h"
#include "compiler/api/upgrade.h"
#include "examples.h"
#include "job.h"
#include "many.h"
#include "signals.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"

static bool engine_failed(char *message)
{
    complain_lines(message ? message : "the query could not be prepared to run");
    free(message);
    return false;
}

EngineKind read_engine(const char *name)
{
    static const EngineKind kinds[] = {ENGINE_AUTO, ENGINE_INTERP, ENGINE_TCC, ENGINE_CC};
    int i = 0;
    while (name && strcmp(name, engine_name(kinds[i])) != 0)
        i++;
    return kinds[i];
}

// Whether a search can write the format: those of groups are for --count-by.
static bool can_be(SearchFormat format, bool groups)
{
    return groups ? groups_have_format(format) : !(format_info[format].flags & FORMAT_GROUPS);
}

static SearchFormat format_of_name(const char *output, bool groups)
{
    const SearchFormat format = format_by_file(output);
    return format != FORMAT_COUNT_ && can_be(format, groups) ? format : FORMAT_COUNT_;
}

static SearchFormat read_format(const char *name, const char *output, bool groups)
{
    const SearchFormat format = name     ? format_by_name(name)
                                : output ? format_of_name(output, groups)
                                         : FORMAT_COUNT_;
    return format != FORMAT_COUNT_ ? format : groups ? FORMAT_TEXT : FORMAT_PGN;
}

bool check_result_name(const char *output, const char *format, bool groups)
{
    Buffer endings = {0};
    if (format || !output || !format_has_ending(output) || format_of_name(output, groups) != FORMAT_COUNT_)
        return true;
    for (int i = 0; i < FORMAT_COUNT_; i++)
        if (format_info[i].ending && can_be(i, groups))
            buffer_format(&endings, "%s%s", endings.length > 0 ? ", " : "", format_info[i].ending);
    complain(NULL,
             "the ending of %s names no format; write one of %.*s, and after it " PACKED_ENDINGS
             " to compress; with -f FORMAT any name will do",
             output, (int)endings.length, endings.start);
    buffer_free(&endings);
    return false;
}

// A terminal gets a list unless the user has asked for something else, or for what only PGN has.
static bool may_be_list(const Arguments *a, const SearchOptions *search)
{
    return search->table_width > 0 && !a->value[OPTION_FORMAT] && search->format == FORMAT_PGN &&
           search->context == 0 && !search->forms;
}

CompileOptions search_compile_options(const Arguments *a, const SearchOptions *search, Account *account)
{
    CompileOptions options = compile_options(a, account);
    options.diagrams =
        !search->count_by && (format_info[search->format].flags & FORMAT_SHOWN || may_be_list(a, search));
    options.count_by = search->count_by;
    return options;
}

// Compiles the query files and -e arguments of the command line.
static bool open_queries(Queries *q, const Arguments *a, int files, EngineKind kind, EngineOptions *engine,
                         const SearchOptions *search)
{
    CompileOptions options = search_compile_options(a, search, &q->all.account);
    options.fold = kind != ENGINE_INTERP;
    return compile_all(&q->all, a, files, &options) && queries_open(q, &options, kind, engine);
}

// engine_open as one piece of work.
typedef struct Opening {
    Queries *queries;
    EngineKind kind;
    const EngineOptions *options;
    char *message;
} Opening;

static void open_engine(void *user)
{
    Opening *o = user;
    Queries *q = o->queries;
    q->open = engine_open(&q->engine, o->kind, q->all.module, q->all.count, o->options, &o->message);
}

bool queries_open(Queries *q, const CompileOptions *options, EngineKind kind, EngineOptions *engine)
{
    Opening o = {q, kind, engine, NULL};
    if (kind == ENGINE_CC)
        engine->stop = signals_catch(); // the compiler takes a while
    const bool within = compiled_within(&q->all, options, open_engine, &o);
    if (!q->open)
        signals_end();
    return within && (q->open || engine_failed(o.message));
}

static bool load_matcher(Queries *q, const Arguments *a, const char *path)
{
    char *message = NULL;
    if (!matcher_allowed(a, path))
        return false;
    const char *syzygy = a->value[OPTION_SYZYGY];
    q->open = (!syzygy || syzygy_open(syzygy, &message)) && engine_load(&q->engine, path, &message);
    return q->open || engine_failed(message);
}

void queries_free(Queries *q)
{
    if (q->open)
        engine_close(&q->engine);
    compiled_free_all(&q->all);
}

// ---- the command ------------------------------------------------------------------------------------------

void begin_report(const Arguments *a)
{
    const char *form = a->value[OPTION_REPORT_FORM];
    if (form && strcmp(form, "json") == 0)
        messages_as_json();
}

void end_report(const Arguments *a, int status, const SearchTotals *t)
{
    const int64_t limit = a->value[OPTION_COUNT_BY] ? 0 : a->low[OPTION_LIMIT];
    const bool failed = status != STATUS_OK && status != STATUS_NO_MATCH && status != STATUS_GAME_ERRORS;
    if (!messages_are_json() || a->value[OPTION_QUIET])
        return;
    print_json(
        "{\"event\":\"end\",\"status\":\"%s\",\"exit\":%d,\"games\":%lld,\"matches\":%lld,\"hits\":%lld,"
        "\"positions\":%lld,\"damaged\":%lld,\"errors\":%lld,\"seconds\":%.3f}",
        failed                             ? "failed"
        : t->late                          ? "time"
        : limit > 0 && t->matches >= limit ? "limit"
                                           : "complete",
        status, (long long)t->games, (long long)t->matches, (long long)t->hits, (long long)t->positions,
        (long long)t->damaged, (long long)t->errors, t->seconds);
}

static void print_summary(const SearchTotals *t, const SearchOptions *search, const char *engine)
{
    double seconds = t->seconds > 1e-9 ? t->seconds : 1e-9;
    if (search->share && !search->share->claim) {
        printf_sanitized(stderr, "%lld of %lld games match (%lld positions searched)\n",
                         (long long)t->matches, (long long)t->games, (long long)t->positions);
        return;
    }
    if (search->outputs)
        printf_sanitized(stderr, "%lld game%s", (long long)t->games, t->games == 1 ? "" : "s");
    else
        printf_sanitized(stderr, "%lld of %lld games match", (long long)t->matches, (long long)t->games);
    printf_sanitized(stderr, " (%lld positions searched, %.2f s, %.1f MB/s, %d thread%s, %s)\n",
                     (long long)t->positions, t->seconds, (double)t->bytes / 1e6 / seconds, search->threads,
                     search->threads == 1 ? "" : "s", engine);
    if (t->damaged > 0) {
        char *what = damage_text(t->cut, t->words);
        printf_sanitized(stderr, "%lld game%s damaged; what could be read was searched%s\n",
                         (long long)t->damaged, t->damaged == 1 ? " is" : "s are", what);
        free(what);
    }
    if (t->errors > 0)
        printf_sanitized(stderr, "the query failed in %lld game%s\n", (long long)t->errors,
                         t->errors == 1 ? "" : "s");
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
    if (word && example_find(word))
        complain(
            NULL,
            "`%s` is a shipped query; put its name after --example: `cqlgen search --example %s GAMES.pgn`",
            word, word);
    else if (word && !strpbrk(word, "./@-"))
        complain(NULL,
                 "`%s` is not a query file (.cql); put filters after -e: `cqlgen search -e '%s' "
                 "GAMES.pgn`",
                 word, word);
    else
        complain(NULL,
                 "expected a query file (.cql), a matcher (.so), --example NAME or -e 'FILTERS': `cqlgen "
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

const QueryInfo *find_sequential(const Matcher *m)
{
    for (uint32_t q = 0; q < m->query_count; q++)
        if (m->query[q].flags & QUERY_SEQUENTIAL)
            return &m->query[q];
    return NULL;
}

// A search can only be divided when no game depends on others, and the same search can be made again.
static bool check_share(const Arguments *a, const Queries *q, const SearchOptions *search, OptionId id)
{
    const char *option = option_info[id].names;
    const QueryInfo *sequential = find_sequential(q->engine.matcher);
    if (q->all.count == 0)
        return complain(NULL, "--%s needs the text of the queries; name them instead of a compiled matcher",
                        option);
    if (sequential)
        return complain(
            NULL,
            "%s needs all games in their order (it has persistent variables, or writes files): search it "
            "without --%s",
            sequential->name, option);
    for (size_t i = 0; i < search->input_count; i++) {
        if (strcmp(search->input[i], "-") == 0)
            return complain(NULL, "--%s needs files: standard input cannot be read again", option);
        if (output_is_input(a->value[id == OPTION_PART ? OPTION_OUTPUT : id], search->input[i]))
            return complain(NULL, "%s is both an input and the output; choose another output name",
                            search->input[i]);
    }
    return true;
}

bool put_search_files(Buffer *files, const Queries *q, SearchOptions *search)
{
    const char *unknown = job_put_files(files, &q->all, search);
    search->files = files;
    return !unknown || complain(NULL, "cannot find out the size and content of %s", unknown);
}

// Lets the search write the results of one part to a file. Returns STATUS_OK, or another status after a message.
static int open_part(MultiQuery *many, const Arguments *a, const Queries *q, SearchOptions *search)
{
    Buffer key = {0};
    if (!a->value[OPTION_OUTPUT]) {
        complain(NULL, "--part needs -o FILE for the partial result");
        return STATUS_QUERY;
    }
    if (!check_share(a, q, search, OPTION_PART))
        return STATUS_QUERY;
    search_plan_blocks(search);
    if (!put_search_files(&many->files, q, search))
        return STATUS_INPUT;
    job_put(&key, a, &q->all, search, NULL);
    many->partial = partial_create(a->value[OPTION_OUTPUT], a->low[OPTION_PART], a->high[OPTION_PART], &key,
                                   &many->files);
    buffer_free(&key);
    if (!many->partial)
        return STATUS_OUTPUT;
    many->share = partial_share(many->partial);
    search->share = &many->share;
    search->split_output = false;
    return STATUS_OK;
}

bool check_journal(const Arguments *a)
{
    const char *journal = a->value[OPTION_JOURNAL], *output = a->value[OPTION_OUTPUT];
    return !journal || !output || strcmp(journal, output) != 0 ||
           complain(NULL, "%s is both the output and the journal; choose another name", journal);
}

// Lets the search note in a journal what it has done. Returns STATUS_OK, or another status after a message.
static int open_journal(MultiQuery *many, const Arguments *a, const Queries *q, SearchOptions *search)
{
    Buffer key = {0};
    if (!check_share(a, q, search, OPTION_JOURNAL) || !check_journal(a))
        return STATUS_QUERY;
    if (!put_search_files(&many->files, q, search))
        return STATUS_INPUT;
    job_put(&key, a, &q->all, search, NULL);
    many->hub = hub_new(&(HubOptions){.members = 1,
                                      .blocks = search_plan_blocks(search),
                                      .journal = a->value[OPTION_JOURNAL],
                                      .key = key.start,
                                      .key_length = key.length,
                                      .files = &many->files});
    buffer_free(&key);
    if (!many->hub)
        return STATUS_OUTPUT;
    if (!search->quiet && hub_done(many->hub) > 0)
        printf_sanitized(
            stderr,
            "cqlgen: %s has the results of %llu blocks of games; the search goes on with the others\n",
            a->value[OPTION_JOURNAL], (unsigned long long)hub_done(many->hub));
    many->share = hub_share(many->hub);
    search->share = &many->share;
    return STATUS_OK;
}

// The output that only the header of a query names must be a new file, in or below the current folder or that for files.
static bool check_header_output(const char *name, const SearchOptions *search)
{
    if (!name)
        return true;
    if (!files_may_use(name, search->run.allow_files))
        return complain(
            NULL,
            "the header of the query writes %s, outside the current folder: -o %s, or --allow-files "
            "DIR, permits it",
            name, name);
    for (size_t i = 0; i < search->input_count; i++)
        if (output_is_input(name, search->input[i])) // which the search refuses
            return true;
    return access(name, F_OK) != 0 ||
           complain(NULL, "%s exists, and only the header of the query names it: -o %s replaces it", name,
                    name);
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
    return (search->output != query->output || check_header_output(query->output, search)) &&
           check_inputs(inputs);
}

int search_until_signal(const Engine *engine, Module *const *module, int count, const EngineOptions *options,
                        SearchOptions *search, SearchTotals *totals, EngineKind *used)
{
    search->stop = signals_catch();
    const int status = search_upgraded(engine, module, count, options, search, totals, used);
    if (status == STATUS_INTERRUPTED)
        signals_end();
    return status;
}

// Searches with everything prepared.
static int search_and_print(const Arguments *a, const Queries *q, const MultiQuery *many,
                            SearchOptions *search, bool may_upgrade, const EngineOptions *engine,
                            SearchTotals *totals)
{
    EngineKind used;
    int status = search_until_signal(&q->engine, may_upgrade ? q->all.module : NULL, q->all.count, engine,
                                     search, totals, &used);
    if (!a->value[OPTION_QUIET] && totals->seconds > 0) { // otherwise the search did not start
        if (!messages_are_json())
            print_summary(totals, search, engine_name(used));
        if (many->matcher->query_count > 1 || many->output)
            many_print(many);
        if (status == STATUS_OK && totals->matches == 0 && !search->share)
            hint_at_names(q, search);
    }
    if (a->value[OPTION_STATS])
        many_print_stats(many);
    if ((status == STATUS_OK && many->summary_failed) || many->partial_failed)
        return STATUS_OUTPUT;
    return status == STATUS_OK && a->value[OPTION_EXIT_STATUS] && totals->matches == 0 ? STATUS_NO_MATCH
                                                                                       : status;
}

int run_search(const Arguments *a, const Queries *q, SearchOptions *search, bool may_upgrade,
               const EngineOptions *engine, const Sharing *sharing, SearchTotals *totals)
{
    MultiQuery many;
    if (find_sequential(q->engine.matcher))
        search->threads = 1;
    int status = many_open(&many, a, q->engine.matcher, search);
    if (status == STATUS_OK && a->value[OPTION_PART])
        status = open_part(&many, a, q, search);
    if (status == STATUS_OK && a->value[OPTION_JOURNAL] && !sharing)
        status = open_journal(&many, a, q, search);
    if (status == STATUS_OK && sharing)
        status = sharing->begin(sharing->user, a, q, search);
    if (status == STATUS_OK)
        status = search_and_print(a, q, &many, search, may_upgrade, engine, totals);
    many_close(&many);
    return status;
}

static const PgnForms utf8_form = {.utf8 = true};

static bool check_fields(const SearchOptions *search)
{
    for (int i = 0; i < search->fields.count; i++) {
        const FieldId id = search->fields.field[i].id;
        if (search->context == 0 && (id == FIELD_BEFORE || id == FIELD_AFTER))
            return complain(NULL, "--fields: before and after need --context N, the number of moves to show");
        if (search->format == FORMAT_SQLITE && (id == FIELD_POSITIONS || id == FIELD_COMMENTS))
            return complain(NULL, "--fields: positions and comments are for csv, tsv and jsonl; the table "
                                  "hit of sqlite has a row for each position");
    }
    return true;
}

// False when an option of pages is given, after a message.
static bool check_no_page(const Arguments *a, const char *format)
{
    static const OptionId id[] = {OPTION_TITLE, OPTION_NO_QUERY, OPTION_QUIZ, OPTION_WORKSHEET};
    for (size_t i = 0; i < sizeof id / sizeof *id; i++)
        if (a->value[id[i]])
            return complain(NULL,
                            "--%s is for html, not for the format %s: -f html or the ending .html of -o "
                            "chooses it",
                            option_info[id[i]].names, format);
    return true;
}

static bool read_page(const Arguments *a, SearchOptions *search)
{
    if (search->format != FORMAT_HTML)
        return check_no_page(a, format_info[search->format].name);
    const char *sheet = a->value[OPTION_WORKSHEET];
    search->page = (PageOptions){a->value[OPTION_TITLE], a->value[OPTION_NO_QUERY] != NULL,
                                 a->value[OPTION_QUIZ] != NULL, sheet ? *sheet - '0' : 0};
    return true;
}

// What the results show of each match. Options that the format does not know are refused.
static bool read_fields(const Arguments *a, SearchOptions *search)
{
    const char *names = a->value[OPTION_FIELDS], *format = format_info[search->format].name;
    const unsigned flags = format_info[search->format].flags;
    search->run.first = a->value[OPTION_FIRST] != NULL;
    search->context = (int)a->low[OPTION_CONTEXT];
    search->csv_safe = a->value[OPTION_CSV_SAFE] != NULL;
    if (a->value[OPTION_WRITE_UTF8])
        search->forms = &utf8_form;
    if (names && !(flags & FORMAT_FIELDS))
        return complain(NULL,
                        "--fields is for csv, tsv, jsonl and sqlite, not for the format %s: -f FORMAT or the "
                        "ending of -o "
                        "chooses one",
                        format);
    const bool tasks = a->value[OPTION_QUIZ] || a->value[OPTION_WORKSHEET];
    if (search->context > 0 && !(flags & FORMAT_FIELDS) && search->format != FORMAT_PGN && !tasks)
        return complain(NULL,
                        "--context is for pgn, csv, tsv, jsonl and sqlite, and for html with --quiz or "
                        "--worksheet, not for the format %s",
                        format);
    char *message = names ? fields_read(&search->fields, names) : NULL;
    if (message)
        complain(NULL, "--fields: %s", message);
    free(message);
    return !message && check_fields(search);
}

bool read_search_options(const Arguments *a, SearchOptions *search)
{
    const char *bad_start = a->value[OPTION_BAD_START], *output = a->value[OPTION_OUTPUT];
    search->format = read_format(a->value[OPTION_FORMAT], output, a->value[OPTION_COUNT_BY]);
    search->run.max_steps = a->low[OPTION_MAX_STEPS];
    search->max_seconds = (double)a->low[OPTION_MAX_SECONDS];
    search->limit = a->low[OPTION_LIMIT];
    search->memory = a->low[OPTION_MAX_MEMORY] << 20;
    search->first_game = a->low[OPTION_GAMES];
    search->last_game = a->high[OPTION_GAMES];
    search->all_words = a->value[OPTION_STRICT] != NULL;
    search->bad_start_standard = bad_start && strcmp(bad_start, "standard") == 0;
    search->alias = a->alias;
    search->alias_count = (size_t)a->alias_count;
    search->skip_variants = a->value[OPTION_SKIPUNKNOWNVARIANTS] != NULL;
    search->threads = search_threads(a->low[OPTION_THREADS]);
    search->output = output;
    search->split_output = true;
    search->run.allow_files = a->value[OPTION_ALLOW_FILES];
    search->run.max_output = a->low[OPTION_MAX_OUTPUT] << 20;
    search->run.allow_commands = a->value[OPTION_ALLOW_COMMANDS] != NULL;
    search->run.pipe_seconds = (int)a->low[OPTION_PIPETIMEOUT];
    search->progress = a->value[OPTION_PROGRESS] != NULL;
    search->quiet = a->value[OPTION_QUIET] && !search->progress;
    search->no_prefilter = a->value[OPTION_NO_PREFILTER] != NULL;
    search->steps_hint =
        "a game is abandoned when the query takes too many steps: --max-steps N sets the limit, "
        "--max-seconds N ends the whole search";
    if (output && a->value[OPTION_OUTPUT_DIR] && !a->value[OPTION_PART])
        return complain(NULL, "options --output-dir and --output cannot be used together");
    return (a->value[OPTION_PART] ||
            check_result_name(output, a->value[OPTION_FORMAT], a->value[OPTION_COUNT_BY])) &&
           read_page(a, search) && read_fields(a, search) && read_group_options(a, search) &&
           read_openings(a, &search->run.openings) && read_spelling(a, &search->run.spelling);
}

int command_search(int count, char **argument)
{
    SearchTotals totals;
    return search_shared(count, argument, NULL, &totals);
}

// Filters and keys of groups are compiled with the query.
static bool check_loaded(const Arguments *a, const SearchOptions *search)
{
    if (a->value[OPTION_WHERE])
        return complain(NULL, "--where needs the text of the query; name it instead of a compiled matcher");
    return !search->count_by || (search->count_by->expressions == 0 && !search->count_by->among) ||
           complain(NULL, "--count-by with an expression of CQL needs the text of the query; name it instead "
                          "of a compiled "
                          "matcher, or use keys like tags and year");
}

static bool check_terminal(const Arguments *a, const SearchOptions *search)
{
    if (!(format_info[search->format].flags & FORMAT_TABLES) || search->output ||
        a->value[OPTION_OUTPUT_DIR] || !isatty(STDOUT_FILENO))
        return true;
    return complain(NULL, "a database cannot be shown on a terminal; name its file: -o found.%s",
                    format_info[search->format].name);
}

static bool check_csv_safe(const Arguments *a, const SearchOptions *search)
{
    return !search->csv_safe || search->format == FORMAT_CSV || search->format == FORMAT_TSV ||
           a->value[OPTION_SUMMARY] ||
           complain(NULL,
                    "--csv-safe is for csv, tsv and --summary, not for the format %s: -f FORMAT or the "
                    "ending of -o chooses one",
                    format_info[search->format].name);
}

// Results must not replace the queries that find them, the first `files` words.
static bool check_queries_kept(const Arguments *a, int files, const char *output)
{
    const char *const written[] = {output, a->value[OPTION_SUMMARY], a->value[OPTION_JOURNAL]};
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        for (int f = 0; f < files && written[i]; f++)
            if (strcmp(written[i], "-") != 0 && output_is_input(written[i], a->words[f]))
                return complain(NULL, "%s is both a query and an output; choose another output name",
                                a->words[f]);
    return true;
}

int search_as_read(const Arguments *a, const Sharing *sharing, SearchOptions *search, SearchTotals *totals)
{
    InputNames inputs;
    if ((!sharing && !check_terminal(a, search)) || !check_csv_safe(a, search))
        return STATUS_QUERY;
    if (sharing)
        search->table_width = 0; // mpirun makes a terminal that nobody sees
    const EngineKind kind = read_engine(a->value[OPTION_ENGINE]);
    int files = 0; // leading query names
    while (files < a->word_count && is_query_name(a->words[files]))
        files++;
    bool loaded =
        files == 0 && a->expression_count == 0 && a->word_count > 0 && ends_with(a->words[0], ".so");
    if (files == 0 && a->expression_count == 0 && !loaded) {
        complain_of_query(a);
        return STATUS_QUERY;
    }
    if (!check_quotes(a))
        return STATUS_QUERY;
    if (a->value[OPTION_LOCAL] && !sharing) {
        complain(NULL, "--local is for cqlgen-mpi, which searches with several processes");
        return STATUS_QUERY;
    }
    if (!read_inputs(&inputs, a, files + loaded) ||
        (sharing && !sharing->find_inputs(sharing->user, a, &inputs, search))) {
        inputs_free(&inputs);
        return STATUS_INPUT;
    }
    EngineOptions engine = {.no_cache = a->value[OPTION_NO_CACHE] != NULL};
    char *warning =
        !loaded && !engine.no_cache && (kind == ENGINE_AUTO || kind == ENGINE_CC) ? cache_warning() : NULL;
    if (warning)
        complain(NULL, "%s", warning);
    free(warning);
    Queries q = {0};
    limit_begin(a->low[OPTION_MAX_SECONDS]);
    bool good = loaded ? load_matcher(&q, a, a->words[0]) : open_queries(&q, a, files, kind, &engine, search);
    search->max_seconds = limit_end();
    good = good && (!loaded || check_loaded(a, search)) &&
           apply_header(&q, search, &inputs, a->value[OPTION_OUTPUT_DIR] != NULL) &&
           check_queries_kept(a, files + loaded, search->output);
    if (may_be_list(a, search) && (!search->output || strcmp(search->output, "-") == 0))
        search->format = FORMAT_LIST;
    int status = good ? run_search(a, &q, search, kind == ENGINE_AUTO && !loaded, &engine, sharing, totals)
                      : STATUS_QUERY;
    queries_free(&q);
    inputs_free(&inputs);
    return status;
}

int search_shared(int count, char **argument, const Sharing *sharing, SearchTotals *totals)
{
    Arguments a;
    SearchOptions search = {0};
    Arena *arena = arena_new();
    int status = STATUS_QUERY;
    *totals = (SearchTotals){0};
    if (read_arguments(&a, COMMAND_SEARCH, NULL, arena, count, argument)) {
        begin_report(&a);
        status =
            read_search_options(&a, &search) ? search_as_read(&a, sharing, &search, totals) : STATUS_QUERY;
        end_report(&a, status, totals);
    }
    free_search_options(&search);
    arena_free(arena);
    return status;
}
