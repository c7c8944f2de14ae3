// The search of `cqlgen cql` (language reference 02b, 2.1, 10.5-10.9).
#include "cql.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/game/game.h"
#include "runtime/search/output.h"
#include "runtime/value/memory.h"
#include "runtime/value/regex.h"
#include "runtime/value/terminal.h"
#include "searching.h"

// ---- files ------------------------------------------------------------------------------------------------

const char *cql_named_input(const Arguments *a)
{
    return a->value[OPTION_GUIPGNSTDIN] ? "-"
           : a->value[OPTION_VI]        ? "hhdbvi.pgn"
           : a->value[OPTION_VII]       ? "hhdbvii.pgn"
                                        : a->value[OPTION_INPUT];
}

// The output that options name, or NULL.
static const char *named_output(const Arguments *a)
{
    return a->value[OPTION_APPEND] ? a->value[OPTION_APPEND] : a->value[OPTION_PGN_OUTPUT];
}

bool cql_writes_to_stdout(const Arguments *a)
{
    const char *name = named_output(a);
    return name && strcmp(name, "stdout") == 0;
}

static const char *output_name(const CqlRun *r)
{
    const Arguments *a = &r->arguments;
    const char *const header = r->compiled.query->header.output;
    if (a->value[OPTION_GUIPGNSTDOUT] || cql_writes_to_stdout(a))
        return "-";
    if (named_output(a) || header)
        return named_output(a) ? named_output(a) : header;
    const char *path = r->compiled.source.name, *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return arena_printf(r->compiled.arena, "%.*s-out.pgn", (int)(strlen(name) - query_ending(name)), name);
}

bool cql_name_files(CqlRun *r)
{
    const char *const named = cql_named_input(&r->arguments);
    r->input = named ? named : r->compiled.query->header.input;
    r->output = output_name(r);
    if (!r->input)
        return complain(&r->console, "no input; use the option -i or `input` in the header");
    if (strcmp(r->input, "-") != 0 && access(r->input, R_OK) != 0)
        return complain(&r->console, "cannot read %s: %s", r->input, strerror(errno));
    return true;
}

// ---- games ------------------------------------------------------------------------------------------------

// The conditions of -player and -year.
static bool is_wanted(void *user, const Game *game)
{
    const CqlRun *r = user;
    const Arguments *a = &r->arguments;
    const TagRoster *tags = game_roster(game);
    if (a->value[OPTION_YEAR] && (tags->year < a->low[OPTION_YEAR] || tags->year > a->high[OPTION_YEAR]))
        return false;
    return !r->player || regex_found(r->player, tags->white.start, tags->white.length) ||
           regex_found(r->player, tags->black.start, tags->black.length);
}

// ---- what is shown ----------------------------------------------------------------------------------------

static const char *shown_output(const CqlRun *r)
{
    return strcmp(r->output, "-") == 0 ? "standard output" : r->output;
}

static void show_totals(const CqlRun *r, const SearchTotals *t)
{
    show_variable(&r->console, "currentgamenumber", "%lld", (long long)t->games);
    show_variable(&r->console, "numbermatches", "%lld", (long long)t->matches);
    show_variable(&r->console, "numbergamesexamined", "%lld", (long long)t->games);
    show_variable(&r->console, "seconds", "%.2f", t->seconds);
    fflush(stdout);
}

static int64_t line_increment(const Arguments *a)
{
    return a->value[OPTION_LINEINCREMENT] ? a->low[OPTION_LINEINCREMENT]
           : a->command == COMMAND_CQL    ? 10000
                                          : 1000;
}

// SearchOptions.progressed, with -gui.
static void show_progress(void *user, const SearchTotals *t)
{
    CqlRun *r = user;
    const int64_t increment = line_increment(&r->arguments);
    if (t->games < r->next_progress)
        return;
    show_totals(r, t);
    r->next_progress = (t->games / increment + 1) * increment;
}

// SearchOptions.before_results, with -guipgnstdout.
static void begin_results(void *user, int64_t games, int64_t bytes)
{
    CqlRun *r = user;
    printf("%s<CqlGuiPgn numbergames=%lld numberbytes=%lld>\n", r->console.gui ? "" : "\n", (long long)games,
           (long long)bytes);
    r->results_begun = true;
}

// The lines that programs look for (13.20).
static void print_cqli_summary(const CqlRun *r, const SearchTotals *t)
{
    const int64_t limit = r->arguments.low[OPTION_LIMIT];
    const int64_t games = limit > 0 && t->matches > limit ? limit : t->matches;
    FILE *out = r->console.out;
    fputs("\n", out);
    printf_sanitized(out, "Analyzed %lld games in %.2f seconds\n", (long long)t->games, t->seconds);
    if (t->hits > 0)
        printf_sanitized(out, "%lld CQL matches (in %lld games) written to %s\n", (long long)t->hits,
                         (long long)games, shown_output(r));
    else
        fputs("No CQL matches\n", out);
}

// SearchOptions.finished. Results are written even if the query failed in some games or an input could not be
// read to its end.
static void print_summary(void *user, int status, const SearchTotals *t)
{
    const CqlRun *r = user;
    if (status == STATUS_OUTPUT || status == STATUS_INTERRUPTED || r->arguments.value[OPTION_DRYRUN])
        return;
    if (r->results_begun)
        printf("</CqlGuiPgn>\n");
    show_totals(r, t);
    if (r->arguments.command == COMMAND_CQLI) {
        print_cqli_summary(r, t);
        return;
    }
    puts("");
    printf_sanitized(stdout, "%lld matches of %lld games in %.2f seconds using %d thread%s to %s\n",
                     (long long)t->matches, (long long)t->games, t->seconds, r->threads,
                     r->threads == 1 ? "" : "s", shown_output(r));
}

// ---- the search -------------------------------------------------------------------------------------------

static int thread_count(const CqlRun *r)
{
    const Arguments *a = &r->arguments;
    if (r->compiled.module->info.flags & QUERY_SEQUENTIAL) {
        begin_frame(&r->console, FRAME_MESSAGE);
        fputs("One thread: the query keeps values from game to game, or uses files.\n", r->console.out);
        end_frame(&r->console, FRAME_MESSAGE);
        return 1;
    }
    if (a->value[OPTION_SINGLETHREADED])
        return 1;
    if (a->value[OPTION_THREADS])
        return search_threads(a->low[OPTION_THREADS]);
    const int processors = search_threads(0);
    return processors > 2 ? processors - 1 : 1;
}

// The forms of written games; those of the reference are all zero.
static PgnForms written_forms(const CqlRun *r)
{
    const Arguments *a = &r->arguments;
    if (a->command == COMMAND_CQL)
        return (PgnForms){0};
    return (PgnForms){.apart = !is_on(a, OPTION_COALESCECOMMENTS, false),
                      .wide_comments = !is_on(a, OPTION_COMPACTCOMMENTS, true),
                      .wide_moves = !is_on(a, OPTION_COMPACTMOVES, true),
                      .split_moves = is_on(a, OPTION_SPLITMOVES, false),
                      .compact_variations = is_on(a, OPTION_COMPACTVARIATIONS, true),
                      .no_comments = is_on(a, OPTION_ELIDECOMMENTS, false),
                      .no_nags = is_on(a, OPTION_ELIDENAGS, false),
                      .no_variations = is_on(a, OPTION_ELIDEVARIATIONS, false),
                      .no_numbers = !is_on(a, OPTION_MOVENUMBERS, true),
                      .number_after_nag = is_on(a, OPTION_MOVENUMBERAFTERNAG, false),
                      .no_number_after_comment = !is_on(a, OPTION_MOVENUMBERAFTERCOMMENT, true),
                      .width = (size_t)a->low[OPTION_PGNLINEWIDTH],
                      .include = r->include,
                      .exclude = r->exclude};
}

static unsigned output_flags(const Arguments *a)
{
    return (a->value[OPTION_APPEND] ? OUTPUT_APPEND : 0) | (a->value[OPTION_NOCLOBBER] ? OUTPUT_NEW : 0) |
           (a->value[OPTION_CREATEDIRECTORIES] ? OUTPUT_FOLDERS : 0) |
           (a->value[OPTION_DRYRUN] ? OUTPUT_DRY : 0);
}

static SearchOptions search_options(CqlRun *r)
{
    const Arguments *a = &r->arguments;
    const bool gui = r->console.gui, progress = !a->value[OPTION_NOOUTPUTSTATUS];
    const bool threads = a->value[OPTION_SHOWTHREAD] != NULL;
    return (SearchOptions){.input = &r->input,
                           .input_count = 1,
                           .output = r->output,
                           .split_output = a->command == COMMAND_CQLI,
                           .format = FORMAT_PGN,
                           .threads = r->threads,
                           .run.max_steps = INT64_MAX, // no option changes it
                           .quiet = true,
                           .run.no_header = a->value[OPTION_NOHEADER] != NULL,
                           .run.no_sort_comments = a->value[OPTION_NOSORTCOMMENTS] != NULL,
                           .run.no_settag = a->value[OPTION_NOSETTAG] != NULL,
                           .run.no_remove_comment = a->value[OPTION_NOREMOVECOMMENT] != NULL,
                           .run.no_remove_tag = a->value[OPTION_NOREMOVETAG] != NULL,
                           .run.any_similar = a->value[OPTION_SIMILARPOSITION] != NULL,
                           .run.allow_commands = a->value[OPTION_ALLOW_COMMANDS] != NULL,
                           .run.pipe_seconds = (int)a->low[OPTION_PIPETIMEOUT],
                           .run.keep_comments =
                               a->value[OPTION_ALWAYSCOMMENT] || a->value[OPTION_NOCOMMITLOG],
                           .repeat_comments = !is_on(a, OPTION_UNIQUECOMMENTS, a->command == COMMAND_CQL),
                           .forms = &r->forms,
                           .no_sort = a->value[OPTION_NOSORT] != NULL,
                           .limit = a->low[OPTION_LIMIT],
                           .sample = r->sample,
                           .all_words = a->value[OPTION_STRICT] != NULL,
                           .alias = a->alias,
                           .alias_count = (size_t)a->alias_count,
                           .skip_variants = a->value[OPTION_SKIPUNKNOWNVARIANTS] != NULL,
                           .show_dictionaries = a->value[OPTION_SHOWDICTIONARIES] != NULL,
                           .output_flags = output_flags(a),
                           .discard_failed = true,
                           .game_bytes = a->low[OPTION_OUTPUTBUFFER],
                           .show_matches = a->value[OPTION_SHOWMATCHES] != NULL,
                           .show_games = progress && (!gui || threads) ? line_increment(a) : 0,
                           .show_threads = threads,
                           .frames = search_frames(&r->console),
                           .wanted = r->player || a->value[OPTION_YEAR] ? is_wanted : NULL,
                           .finished = print_summary,
                           .progressed = gui && progress ? show_progress : NULL,
                           .before_results = a->value[OPTION_GUIPGNSTDOUT] ? begin_results : NULL,
                           .user = r};
}

bool cql_open_engine(CqlRun *r)
{
    const EngineOptions options = {0};
    char *message = NULL;
    r->engine_open = engine_open(&r->engine, ENGINE_AUTO, &r->compiled.module, 1, &options, &message);
    if (!r->engine_open)
        complain(&r->console, "%s", message ? message : "the query could not be prepared to run");
    free(message);
    return r->engine_open;
}

// With -gui the front end does not see what the search wrote to standard error; cqli prints errors on standard output.
static void explain_status(const CqlRun *r, int status)
{
    if (!r->console.gui && r->arguments.command == COMMAND_CQL)
        return;
    if (status == STATUS_OUTPUT)
        complain(&r->console, "cannot write %s", shown_output(r));
    else if (status == STATUS_INPUT)
        complain(&r->console, "cannot read %s to its end",
                 strcmp(r->input, "-") == 0 ? "standard input" : r->input);
    else if (status == STATUS_QUERY)
        complain(&r->console, "the search could not start; see standard error");
}

static bool read_pattern(const CqlRun *r, OptionId id, Regex **pattern)
{
    const char *text = r->arguments.value[id], *wrong = NULL;
    *pattern = text ? regex_new(text, strlen(text), 0, &wrong) : NULL;
    return !wrong || complain(&r->console, "option -%s: %s", option_info[id].names, wrong);
}

bool cql_run_search(CqlRun *r)
{
    if (!read_pattern(r, OPTION_PLAYER, &r->player) ||
        !read_pattern(r, OPTION_INCLUDETAGPATTERN, &r->include) ||
        !read_pattern(r, OPTION_EXCLUDETAGPATTERN, &r->exclude))
        return false;
    if (!read_sample(&r->arguments, &r->sample))
        return false;
    r->forms = written_forms(r);
    r->threads = thread_count(r);
    show_variable(&r->console, "numberthreads", "%d", r->threads);
    if (!r->arguments.value[OPTION_GUIPGNSTDOUT])
        show_variable(&r->console, "outputfile", "%s", r->output);
    r->next_progress = line_increment(&r->arguments);
    const EngineOptions engine_options = {0};
    SearchOptions options = search_options(r);
    EngineKind used;
    const int status =
        search_until_signal(&r->engine, &r->compiled.module, 1, &engine_options, &options, NULL, &used);
    explain_status(r, status);
    return status == STATUS_OK;
}
