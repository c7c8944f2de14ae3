// Several queries in one search.
#include "many.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/format/format.h"
#include "runtime/share/hub.h"
#include "runtime/search/output.h"
#include "runtime/value/terminal.h"
#include "runtime/share/partial.h"
#include "runtime/format/text.h"
#include "runtime/value/memory.h"

// ---- result files -----------------------------------------------------------------------------------------

// DIR/NAME.ENDING for the query `…/NAME.cql`, DIR/e1.ENDING for `-e1`.
static char *result_name(const char *folder, const char *query, SearchFormat format)
{
    const char *slash = strrchr(query, '/'), *name = slash ? slash + 1 : query;
    const char *ending = format_info[format].ending;
    name += !slash && name[0] == '-';
    const size_t length = strlen(name) - query_ending(name);
    const bool closed = *folder && folder[strlen(folder) - 1] == '/';
    return memory_format("%s%s%.*s%s", folder, closed ? "" : "/", (int)length, name,
                         ending ? ending : ".txt");
}

static bool check_names(const MultiQuery *many)
{
    for (uint32_t q = 0; q < many->matcher->query_count; q++)
        for (uint32_t other = 0; other < q; other++)
            if (strcmp(many->output[q], many->output[other]) == 0)
                return complain(
                    NULL, "the results of %s and %s would both go to %s; rename one of the queries",
                    many->matcher->query[other].name, many->matcher->query[q].name, many->output[q]);
    return true;
}

// Each result file is open until the end of the search.
static void allow_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit); // otherwise opening one of them fails
}

static bool name_results(MultiQuery *many, const char *folder, SearchOptions *search)
{
    const uint32_t count = many->matcher->query_count;
    if (search->format == FORMAT_NONE)
        return complain(NULL,
                        "the format none writes no results; leave out --output-dir or choose another format");
    many->output = memory_zeroed(count, sizeof *many->output);
    for (uint32_t q = 0; q < count; q++)
        many->output[q] = result_name(folder, many->matcher->query[q].name, search->format);
    search->outputs = (const char *const *)many->output;
    return check_names(many);
}

static bool open_folder(MultiQuery *many, const char *folder)
{
    many->folder = folder;
    many->folder_made = access(folder, F_OK) != 0;
    if (!output_make_folder(folder))
        return complain(NULL, "cannot make the folder %s: %s", folder, strerror(errno));
    allow_files();
    return true;
}

// ---- the summary ------------------------------------------------------------------------------------------

// The part of a query in the time that all queries took.
static double time_share(const MultiQuery *many, uint32_t query)
{
    double sum = 0;
    for (uint32_t q = 0; q < many->matcher->query_count; q++)
        sum += many->totals[q].seconds;
    return many->matcher->query_count == 1 ? 1 : sum > 0 ? many->totals[query].seconds / sum : 0;
}

void many_print(const MultiQuery *many)
{
    printf_sanitized(stderr, "     games  positions   time  query\n");
    for (uint32_t q = 0; q < many->matcher->query_count; q++) {
        const QueryTotals *t = &many->totals[q];
        printf_sanitized(stderr, "%10lld %10lld  %4.0f%%  %s\n", (long long)t->matches, (long long)t->hits,
                         100 * time_share(many, q), many->matcher->query[q].name);
    }
}

void many_print_stats(const MultiQuery *many)
{
    printf_sanitized(stderr, "   by tags   by moves  evaluated   matching  query\n");
    for (uint32_t q = 0; q < many->matcher->query_count; q++) {
        const QueryTotals *t = &many->totals[q];
        printf_sanitized(stderr, "%10lld %10lld %10lld %10lld  %s\n", (long long)t->by_tags,
                         (long long)t->by_moves, (long long)t->evaluated, (long long)t->matches,
                         many->matcher->query[q].name);
    }
}

static bool write_summary(const MultiQuery *many)
{
    Buffer text = {0};
    buffer_text(&text, "query,games,positions,time_share\r\n");
    for (uint32_t q = 0; q < many->matcher->query_count; q++) {
        const QueryTotals *t = &many->totals[q];
        (many->csv_safe ? text_csv_safe : text_csv)(&text, text_of(many->matcher->query[q].name));
        buffer_format(&text, ",%lld,%lld,%.4f\r\n", (long long)t->matches, (long long)t->hits,
                      time_share(many, q));
    }
    const bool written = output_write(many->summary, text.start, text.length);
    buffer_free(&text);
    return written;
}

// The summary must not replace an input or a result.
static bool check_summary(const MultiQuery *many, const char *name, const SearchOptions *search)
{
    const char *other = NULL;
    for (size_t i = 0; i < search->input_count; i++)
        if (output_is_input(name, search->input[i]))
            other = "an input";
    for (uint32_t q = 0; q < many->matcher->query_count; q++) {
        const char *output = many->output ? many->output[q] : search->output;
        if (output && strcmp(name, output) == 0 && strcmp(name, "-") != 0)
            other = "the output";
    }
    return !other || complain(NULL, "%s is both %s and the summary; choose another name", name, other);
}

// ---- begin and end ----------------------------------------------------------------------------------------

static void close_folder(MultiQuery *many)
{
    if (many->folder_made)
        rmdir(many->folder); // fails when there are results
    many->folder_made = false;
}

// Called at the end of the search, before a signal that ended it ends the program.
static void finish(void *user, int status, const SearchTotals *totals)
{
    (void)totals;
    MultiQuery *many = user;
    const bool keep = status != STATUS_INTERRUPTED && status != STATUS_OUTPUT && status != STATUS_MEMORY;
    if (many->summary)
        many->summary_failed = !output_close(many->summary, keep && write_summary(many));
    many->summary = NULL;
    if (many->partial)
        many->partial_failed = !partial_close(many->partial, keep) && keep;
    many->partial = NULL;
    if (many->hub)
        hub_free(many->hub, !keep || (status == STATUS_GAME_ERRORS && many->timed));
    many->hub = NULL;
    close_folder(many);
}

int many_open(MultiQuery *many, const Arguments *a, const Matcher *matcher, SearchOptions *search)
{
    *many = (MultiQuery){
        .matcher = matcher, .timed = a->value[OPTION_MAX_SECONDS] != NULL, .csv_safe = search->csv_safe};
    many->totals = memory_zeroed(matcher->query_count, sizeof *many->totals);
    search->by_query = many->totals;
    search->finished = finish;
    search->user = many;
    const char *folder = a->value[OPTION_OUTPUT_DIR], *summary = a->value[OPTION_SUMMARY];
    if ((folder && !name_results(many, folder, search)) || (summary && !check_summary(many, summary, search)))
        return STATUS_QUERY;
    if ((folder && !a->value[OPTION_PART] && !open_folder(many, folder)) ||
        (summary && !(many->summary = output_open(summary, 0))))
        return STATUS_OUTPUT;
    return STATUS_OK;
}

void many_close(MultiQuery *many)
{
    if (many->summary)
        output_close(many->summary, false);
    if (many->partial)
        partial_close(many->partial, false);
    if (many->hub)
        hub_free(many->hub, true);
    buffer_free(&many->files);
    if (many->matcher)
        close_folder(many);
    for (uint32_t q = 0; many->output && q < many->matcher->query_count; q++)
        free(many->output[q]);
    free(many->output);
    free(many->totals);
    *many = (MultiQuery){0};
}
