// `cqlgen merge`: makes the result of a search from the results of its parts.
#include "searching.h"

#include <string.h>

#include "runtime/format/format.h"
#include "runtime/search/output.h"
#include "runtime/search/output_name.h"
#include "runtime/share/partial.h"
#include "job.h"

// Options that the merger chooses; the others come from the parts.
static void take_options(Arguments *a, const Arguments *own)
{
    if (own->value[OPTION_FORMAT])
        a->value[OPTION_FORMAT] = own->value[OPTION_FORMAT];
    else if (a->value[OPTION_COUNT_BY] && own->value[OPTION_OUTPUT] &&
             format_by_file(own->value[OPTION_OUTPUT]) != FORMAT_COUNT_)
        a->value[OPTION_FORMAT] = NULL; // by the ending of the output
    static const OptionId taken[] = {OPTION_OUTPUT, OPTION_OUTPUT_DIR,  OPTION_SUMMARY,   OPTION_QUIET,
                                     OPTION_STATS,  OPTION_EXIT_STATUS, OPTION_MAX_MEMORY};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        if (own->value[taken[i]]) {
            a->value[taken[i]] = own->value[taken[i]];
            a->low[taken[i]] = own->low[taken[i]];
        }
    }
}

// The format and the outputs must be those that the parts were searched for.
static bool check_outputs(const Arguments *a, const Arguments *own)
{
    const char *format = a->value[OPTION_FORMAT], *output = own->value[OPTION_OUTPUT];
    const char *wanted = own->value[OPTION_FORMAT];
    const bool groups = a->value[OPTION_COUNT_BY]; // are written in any format
    const SearchFormat by_name = output ? format_by_file(output) : FORMAT_COUNT_;
    if (!wanted && by_name != FORMAT_COUNT_)
        wanted = format_info[by_name].name;
    if (wanted && strcmp(wanted, format) != 0 && !groups)
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

static int merge_job(const Job *job, Arguments *a, PartialSet *set)
{
    SearchOptions search = {0};
    EngineOptions engine = {0};
    Queries q = {0};
    SearchTotals totals;
    const SearchShare share = partial_set_share(set);
    if (!read_search_options(a, &search))
        return STATUS_QUERY;
    search.share = &share;
    search.input = job->input;
    search.input_count = job->input_count;
    CompileOptions options = search_compile_options(a, &search, &q.all.account);
    options.runs_elsewhere = true;
    const bool good =
        job_compile(job, &q.all, &options) && queries_open(&q, &options, ENGINE_INTERP, &engine);
    const int status = good ? run_search(a, &q, &search, false, &engine, NULL, &totals) : STATUS_QUERY;
    queries_free(&q);
    free_group_options(&search);
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
        const bool good = check_outputs(&a, own);
        take_options(&a, own);
        status = good ? merge_job(&job, &a, set) : STATUS_QUERY;
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
