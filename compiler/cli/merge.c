// `cqlgen merge`: makes the result of a search from the results of its parts.
#include "searching.h"

#include <string.h>

#include "runtime/format/format.h"
#include "runtime/search/numbers.h"
#include "runtime/search/output.h"
#include "runtime/search/output_name.h"
#include "runtime/share/partial.h"
#include "job.h"

// Options that the merger chooses; the others come from the parts.
static void take_options(Arguments *a, const Arguments *own)
{
    if (own->value[OPTION_FORMAT] && a->value[OPTION_COUNT_BY])
        a->value[OPTION_FORMAT] = own->value[OPTION_FORMAT];
    else if (a->value[OPTION_COUNT_BY] && own->value[OPTION_OUTPUT] &&
             format_by_file(own->value[OPTION_OUTPUT]) != FORMAT_COUNT_)
        a->value[OPTION_FORMAT] = NULL; // by the ending of the output
    static const OptionId taken[] = {OPTION_OUTPUT, OPTION_OUTPUT_DIR,  OPTION_SUMMARY,    OPTION_QUIET,
                                     OPTION_STATS,  OPTION_EXIT_STATUS, OPTION_MAX_MEMORY, OPTION_SYZYGY};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        if (own->value[taken[i]]) {
            a->value[taken[i]] = own->value[taken[i]];
            a->low[taken[i]] = own->low[taken[i]];
        }
    }
}

// The format that the merger names, also by the ending of the output; NULL: that of the parts.
static const char *wanted_format(const Arguments *own)
{
    const char *output = own->value[OPTION_OUTPUT];
    const SearchFormat by_name = output ? format_by_file(output) : FORMAT_COUNT_;
    if (own->value[OPTION_FORMAT] || by_name == FORMAT_COUNT_)
        return own->value[OPTION_FORMAT];
    return format_info[by_name].name;
}

// The outputs must be those that the parts were searched for, and the format one that they can be written in.
static bool check_outputs(const Arguments *a, const Arguments *own)
{
    const char *format = a->value[OPTION_FORMAT], *output = own->value[OPTION_OUTPUT];
    const char *wanted = wanted_format(own);
    const bool groups = a->value[OPTION_COUNT_BY]; // are written in any format
    const bool numbered =
        strcmp(format, "count") != 0 && strcmp(format, "none") != 0; // the parts know their games
    if (wanted && strcmp(wanted, format) != 0 && !groups && (!numbered || a->value[OPTION_OUTPUT_DIR]))
        return complain(NULL, "the parts were searched for the format %s; for %s search them with -f %s",
                        format, wanted, wanted);
    if (a->value[OPTION_OUTPUT_DIR] && output)
        return complain(NULL,
                        "the parts were searched with --output-dir: a result for each query; merge them with "
                        "--output-dir DIR instead of -o");
    if (own->value[OPTION_OUTPUT_DIR] && !a->value[OPTION_OUTPUT_DIR])
        return complain(
            NULL, "the parts were searched for one result of all queries; for a result for each query search "
                  "them with --output-dir");
    if (output && output_name_has_tags(output))
        return complain(NULL, "results of parts cannot be split into files by tags: %s", output);
    for (int i = 0; output && i < own->word_count; i++)
        if (output_is_input(output, own->words[i]))
            return complain(NULL, "%s is both a part and the output; choose another output name",
                            own->words[i]);
    return check_result_name(output, own->value[OPTION_FORMAT], groups);
}

// Parts that were searched for another format: searches the games that they have found again, and writes these.
static int write_again(const Job *job, const Arguments *a, Queries *q, PartialSet *set, GameNumbers *numbers)
{
    Arguments own = *a; // the summaries have been written
    SearchOptions search = {0};
    SearchTotals totals;
    const EngineOptions engine = {0};
    own.value[OPTION_QUIET] = "";
    own.value[OPTION_SUMMARY] = own.value[OPTION_STATS] = own.value[OPTION_EXIT_STATUS] = NULL;
    if (!read_search_options(&own, &search))
        return STATUS_QUERY;
    search.input = job->input;
    search.input_count = job->input_count;
    search.files = partial_set_files(set);
    search.only = numbers;
    numbers_sort(numbers);
    const int status = run_search(&own, q, &search, false, &engine, NULL, &totals);
    free_search_options(&search);
    return status;
}

// Options of the parts that the format does not know are left out.
static void choose_format(Arguments *a, const char *format)
{
    const SearchFormat chosen = format_by_name(format);
    const bool fields = format_info[chosen].flags & FORMAT_FIELDS;
    a->value[OPTION_FORMAT] = format;
    a->value[OPTION_TITLE] = a->value[OPTION_NO_QUERY] = NULL;
    a->value[OPTION_QUIZ] = a->value[OPTION_WORKSHEET] = NULL;
    if (!fields)
        a->value[OPTION_FIELDS] = NULL;
    if (!fields && chosen != FORMAT_PGN)
        a->low[OPTION_CONTEXT] = 0;
}

static int merge_job(const Job *job, Arguments *a, PartialSet *set, const char *wanted)
{
    SearchOptions search = {0}, other = {0};
    EngineOptions engine = {0};
    Queries q = {0};
    GameNumbers numbers = {0};
    const SearchShare share = partial_set_share(set);
    Arguments second = *a;
    const bool again = !a->value[OPTION_COUNT_BY] && wanted && strcmp(wanted, a->value[OPTION_FORMAT]) != 0;
    if (again)
        choose_format(&second, wanted);
    if (!read_search_options(&second, &other)) // before anything is written
        return STATUS_QUERY;
    CompileOptions options = search_compile_options(&second, &other, &q.all.account);
    options.runs_elsewhere = !again;
    if (again)
        a->value[OPTION_FIELDS] = NULL; // which this format may not know
    if (!read_search_options(a, &search))
        return STATUS_QUERY;
    search.share = &share;
    search.input = job->input;
    search.input_count = job->input_count;
    search.noted = again ? &numbers : NULL;
    const bool good = job_compile(job, &q.all, &options) &&
                      queries_open(&q, &options, again ? ENGINE_AUTO : ENGINE_INTERP, &engine);
    int status = good ? run_search(a, &q, &search, false, &engine, NULL, &numbers.totals) : STATUS_QUERY;
    if (again && status != STATUS_QUERY && status != STATUS_OUTPUT && status != STATUS_INTERRUPTED) {
        const int written = write_again(job, &second, &q, set, &numbers);
        status = written == STATUS_OK ? status : written;
    }
    queries_free(&q);
    numbers_free(&numbers);
    free_search_options(&search);
    free_search_options(&other);
    return status;
}

static int merge_set(const Arguments *own, PartialSet *set)
{
    Job job;
    Arguments a;
    Arena *arena = arena_new();
    size_t length;
    const char *key = partial_set_key(set, &length);
    int status = STATUS_INPUT;
    if (!job_get(&job, key, length)) {
        complain(NULL, "the parts were searched by another version of cqlgen");
    } else if (read_arguments(&a, COMMAND_SEARCH, NULL, arena, job.word_count, job.word)) {
        if (!a.value[OPTION_FORMAT]) // which a part always has, unless somebody has changed it
            a.value[OPTION_FORMAT] = format_info[FORMAT_PGN].name;
        const bool good = check_outputs(&a, own);
        take_options(&a, own);
        status = good ? merge_job(&job, &a, set, wanted_format(own)) : STATUS_QUERY;
    }
    job_free(&job);
    arena_free(arena);
    return status;
}

int command_merge(int count, char **argument)
{
    Arguments own;
    if (!read_arguments(&own, COMMAND_MERGE, NULL, NULL, count, argument))
        return STATUS_QUERY;
    if (own.word_count == 0) {
        complain(NULL, "expected the files of all parts: `cqlgen merge PART... -o FILE`; `cqlgen search "
                       "--part K/N` makes "
                       "them");
        return STATUS_QUERY;
    }
    PartialSet *set = partial_set_open(own.words, (size_t)own.word_count);
    if (!set)
        return STATUS_INPUT;
    const int status = merge_set(&own, set);
    partial_set_close(set);
    return status;
}
