// `cqlgen cql`: the command line of the reference program (language reference 02b).
#include "cql.h"

#include <time.h>

#include "runtime/value/regex.h"
#include "compiler/language/hhdb.h"

// The stages, in order.
static const struct {
    const char *name;
    bool (*run)(CqlRun *r);
} stages[] = {
    {"reading", cql_read_query}, {"parsing", cql_parse},      {"transforms", cql_expand},
    {"lowering", cql_lower},     {"optimiser", cql_optimise}, {"files", cql_name_files},
    {"engine", cql_open_engine}, {"search", cql_search},
};
enum { STAGES = sizeof stages / sizeof *stages };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run_stages(CqlRun *r)
{
    double seconds[STAGES];
    bool good = true;
    int count = 0;
    for (; count < STAGES && good; count++) {
        const double start = now();
        good = stages[count].run(r);
        seconds[count] = now() - start;
    }
    if (r->arguments.value[CQL_OPTION_DEBUG]) {
        cql_begin_frame(&r->console, CQL_FRAME_MESSAGE);
        explain_title("time");
        for (int i = 0; i < count; i++)
            printf("%-10s %.6f s\n", stages[i].name, seconds[i]);
        cql_end_frame(&r->console, CQL_FRAME_MESSAGE);
    }
    return good;
}

static bool print_hhdb_words(void)
{
    for (size_t i = 0; i < hhdb_word_count; i++)
        if (hhdb_words[i].place != HHDB_REFUSED)
            printf("%s%s\n", hhdb_words[i].word, hhdb_words[i].type == TYPE_STRING ? " [\"TEXT\"]" : "");
    return true;
}

static bool has_input(const CqlArguments *a)
{
    return a->value[CQL_OPTION_INPUT] || a->value[CQL_OPTION_VI] || a->value[CQL_OPTION_VII] ||
           a->value[CQL_OPTION_GUIPGNSTDIN];
}

static bool run(CqlRun *r, int count, char **argument)
{
    const CqlArguments *a = &r->arguments;
    if (!cql_read_arguments(&r->arguments, r->compiled.arena, &r->console, count, argument))
        return false;
    if (a->value[CQL_OPTION_VERSION])
        return true;
    if (a->value[CQL_OPTION_HELP]) {
        cql_print_help(stdout);
        return true;
    }
    if (a->hhdb_help)
        return print_hhdb_words();
    cql_show_variable(&r->console, "version", "6.2");
    cql_show_variable(&r->console, "build", "cqlgen " CQLGEN_VERSION);
    if (!a->query && !has_input(a))
        return cql_complain(&r->console, "no query and no input; see -help");
    const bool only_print = a->value[CQL_OPTION_LEX] || a->value[CQL_OPTION_PARSE];
    const bool good = only_print ? cql_read_query(r) && cql_print_query(r) : run_stages(r);
    if (good && r->console.gui)
        printf("<CqlGuiNormalExit>\n");
    return good;
}

static bool search(int count, char **argument)
{
    CqlRun r = {.compiled.arena = arena_new()};
    const bool good = run(&r, count, argument);
    if (r.engine_open)
        engine_close(&r.engine);
    regex_free(r.player);
    compiled_free(&r.compiled);
    return good;
}

int command_cql(int count, char **argument)
{
    const CqlOptionId first = count > 0 ? cql_find_option(argument[0]) : CQL_OPTION_COUNT;
    bool good = true;
    if (first != CQL_OPTION_COLORIZE) {
        cql_print_version(stdout);
        fflush(stdout); // comes before messages on standard error
    }
    if (count == 0)
        cql_print_help(stdout);
    else if (first != CQL_OPTION_COUNT && cql_option_info[first].kind == CQL_KIND_CONVERSION)
        good = cql_convert(first, count, argument);
    else
        good = search(count, argument);
    return good && flush_output() ? 0 : 1;
}
