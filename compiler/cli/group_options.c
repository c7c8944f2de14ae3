// The options of `cqlgen search` about groups and samples: --count-by, --of-all, --order, --sample.
#include "searching.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "compiler/base/diagnostic.h"
#include "runtime/format/format.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"

// The width of the terminal that shows the output; 0: it goes elsewhere.
static int output_width(const Arguments *a)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    enum { USUAL = 80 };
    if ((a->value[OPTION_OUTPUT] && strcmp(a->value[OPTION_OUTPUT], "-") != 0) ||
        a->value[OPTION_OUTPUT_DIR] || !terminal_is_guarded())
        return 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return columns && atoi(columns) > 0 ? atoi(columns) : USUAL;
}

// Options that say how groups are counted are of no use without groups, and some others are of no use with them.
static bool check_options(const Arguments *a)
{
    static const OptionId about_groups[] = {OPTION_OF_ALL,  OPTION_ORDER, OPTION_PER,
                                            OPTION_MEASURE, OPTION_AMONG, OPTION_SCORED_PLAYER};
    for (size_t i = 0; i < sizeof about_groups / sizeof *about_groups; i++)
        if (a->value[about_groups[i]] && !a->value[OPTION_COUNT_BY])
            return complain(NULL, "option `--%s` is about groups; name their keys with --count-by KEY,...",
                            option_info[about_groups[i]].names);
    return true;
}

static bool check_format(const Arguments *a, SearchFormat format)
{
    const bool groups = a->value[OPTION_COUNT_BY] != NULL;
    if (groups && !groups_have_format(format))
        return complain(
            NULL,
            "--count-by writes a table as text, csv, tsv, json, jsonl or html, or a picture as svg, "
            "not as %s; choose one with --format",
            format_info[format].name);
    if (!groups && format_info[format].flags & FORMAT_GROUPS)
        return complain(
            NULL,
            "the format %s is that of groups, which --count-by KEY,... makes in a search; choose another "
            "format%s",
            format_info[format].name, format == FORMAT_JSON ? ", such as `jsonl`" : "");
    return true;
}

bool read_sample(const Arguments *a, uint64_t *sample)
{
    const char *text = a->value[OPTION_SAMPLE];
    if (!text)
        return true;
    char *end;
    const double percent = strtod(text, &end);
    end += *end == '%';
    if (strspn(text, "0123456789.%") != strlen(text) || *end || end == text || !(percent > 0) ||
        percent > 100)
        return complain(a->console,
                        "option `%ssample` needs a percentage above 0 and up to 100, as in `10%%`, not `%s`",
                        command_info[a->command].style == STYLE_DASH ? "-" : "--", text);
    *sample = search_sample(percent);
    return true;
}

// Reads the order of groups. NULL, or what is wrong.
static char *read_order(GroupSpec *spec, const char *order)
{
    static const char *const names[] = {"", "key", "games", "rarest"};
    if (!order)
        return NULL;
    for (int i = GROUP_ORDER_KEY; i <= GROUP_ORDER_RAREST; i++)
        if (strcmp(order, names[i]) == 0) {
            spec->order = (GroupOrder)i;
            return NULL;
        }
    spec->order = GROUP_ORDER_MEASURE;
    for (size_t i = 0; i < spec->measure_count; i++)
        if (strcmp(order, spec->measure[i].name) == 0) {
            spec->order_measure = i;
            return NULL;
        }
    return memory_format(
        "`%s` is not an order of groups; expected `key`, `games`, `rarest` or a measure as it is "
        "written after --measure",
        order);
}

// A tag that is usual in PGN and has a name like this one, or NULL.
static const char *nearest_tag(const char *name)
{
    static const char *const usual[] = {
#include "compiler/language/tags.def"
    };
    return nearest_name(name, strlen(name), usual, sizeof usual / sizeof *usual);
}

bool read_group_options(const Arguments *a, SearchOptions *search)
{
    if (!check_options(a) || !check_format(a, search->format) || !read_sample(a, &search->sample))
        return false;
    search->table_width = output_width(a);
    if (!a->value[OPTION_COUNT_BY])
        return true;
    GroupSpec *spec = memory_zeroed(1, sizeof *spec);
    char *message = group_spec_read(spec, a->value[OPTION_COUNT_BY]);
    spec->of_all = a->value[OPTION_OF_ALL] != NULL;
    spec->per_position = a->value[OPTION_PER] && strcmp(a->value[OPTION_PER], "position") == 0;
    spec->among = a->value[OPTION_AMONG];
    spec->player = a->value[OPTION_SCORED_PLAYER];
    spec->limit = search->limit;
    search->limit = 0;
    search->count_by = spec;
    search->nearest_tag = nearest_tag;
    message = message ? message : group_measures_read(spec, a->value[OPTION_MEASURE]);
    message = message ? message : read_order(spec, a->value[OPTION_ORDER]);
    message = message ? message : group_spec_check(spec);
    if (!message)
        return true;
    complain(NULL, "%s", message);
    free(message);
    free_search_options(search);
    return false;
}

void free_search_options(SearchOptions *search)
{
    GroupSpec *spec = (GroupSpec *)(uintptr_t)search->count_by;
    free_openings(search->run.openings);
    free_spelling(search->run.spelling);
    search->run.openings = NULL;
    search->run.spelling = NULL;
    search->count_by = NULL;
    if (spec)
        group_spec_free(spec);
    free(spec);
}
