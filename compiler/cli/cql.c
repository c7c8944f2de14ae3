// `cqlgen cql` and `cqlgen cqli`: the command lines of the reference program and of CQLi (language reference 02b,
// 13.20).
#include "cql.h"

#include "runtime/search/worker.h"
#include "runtime/value/regex.h"
#include "compiler/language/hhdb.h"

static bool expand(CqlRun *r)
{
    return compile_expand(&r->compiled, &r->options);
}

static void show_tree(const CqlRun *r)
{
    explain_tree(r->compiled.query);
}

static bool lower(CqlRun *r)
{
    return compile_lower(&r->compiled, &r->options);
}

static void show_module(const CqlRun *r)
{
    explain_module(r->compiled.module, false);
}

static bool finish(CqlRun *r)
{
    return compile_finish(&r->compiled, &r->options) ||
           complain(&r->console, "the query could not be compiled");
}

static void show_finished(const CqlRun *r)
{
    explain_module(r->compiled.module, true);
    explain_needs(r->compiled.module);
}

// The stages, in order, and what -debug shows after them.
static const struct {
    const char *name;
    bool (*run)(CqlRun *r);
    void (*show)(const CqlRun *r);
} stages[] = {
    {"reading", cql_read_query, NULL},    {"parsing", cql_parse, NULL},
    {"transforms", expand, show_tree},    {"lowering", lower, show_module},
    {"optimiser", finish, show_finished}, {"files", cql_name_files, NULL},
    {"engine", cql_open_engine, NULL},    {"search", cql_run_search, NULL},
};
enum { STAGES = sizeof stages / sizeof *stages, SEARCH = STAGES - 1 };

// A stage of compiling as one piece of work.
typedef struct Stage {
    CqlRun *run;
    bool (*function)(CqlRun *r);
    bool good;
} Stage;

static void run_stage(void *user)
{
    Stage *stage = user;
    stage->good = stage->function(stage->run);
}

static bool compile_stage(CqlRun *r, bool (*function)(CqlRun *r))
{
    Stage stage = {r, function, false};
    const char *query = r->arguments.query ? r->arguments.query : "the query";
    return compile_within(&r->options, query, run_stage, &stage) && stage.good;
}

static bool run_stages(CqlRun *r)
{
    const bool debug = r->arguments.value[OPTION_DEBUG] != NULL;
    double seconds[STAGES];
    bool good = true;
    int count = 0;
    for (; count < STAGES && good; count++) {
        const double start = clock_now();
        good = count < SEARCH ? compile_stage(r, stages[count].run) : stages[count].run(r);
        seconds[count] = clock_now() - start;
        if (good && debug && stages[count].show) {
            begin_frame(&r->console, FRAME_MESSAGE);
            stages[count].show(r);
            end_frame(&r->console, FRAME_MESSAGE);
        }
    }
    if (debug) {
        begin_frame(&r->console, FRAME_MESSAGE);
        explain_title("time");
        for (int i = 0; i < count; i++)
            printf("%-10s %.6f s\n", stages[i].name, seconds[i]);
        end_frame(&r->console, FRAME_MESSAGE);
    }
    return good;
}

static bool print_hhdb_words(void)
{
    for (size_t i = 0; i < hhdb_word_count; i++)
        if (!hhdb_words[i].cqli)
            printf("%s%s\n", hhdb_words[i].word, hhdb_words[i].type == TYPE_STRING ? " [\"TEXT\"]" : "");
    return true;
}

// Options that only print something. `cqlgen cql` has printed its version already.
static bool print_something(const Arguments *a)
{
    if (a->hhdb_help)
        return print_hhdb_words();
    if (a->value[OPTION_LICENSE])
        fputs(license_text, stdout);
    else if (a->value[OPTION_HELP_TEXT])
        print_command(stdout, a->command);
    else if (a->command == COMMAND_CQLI)
        puts("cqlgen " CQLGEN_VERSION ", command line of CQLi 1.0.7");
    return true;
}

static bool run_command(CqlRun *r, CommandId command, int count, char **argument)
{
    const Arguments *a = &r->arguments;
    if (!read_arguments(&r->arguments, command, &r->console, r->compiled.arena, count, argument))
        return false;
    if (a->value[OPTION_VERSION] || a->value[OPTION_HELP_TEXT] || a->value[OPTION_LICENSE] || a->hhdb_help)
        return print_something(a);
    if (cql_writes_to_stdout(a))
        r->console.out = stderr;
    show_variable(&r->console, "version", "6.2");
    show_variable(&r->console, "build", "cqlgen " CQLGEN_VERSION);
    const bool only_print = a->value[OPTION_LEX] || a->value[OPTION_PARSE];
    if (!a->query && !cql_named_input(a) && !(only_print && a->filter_count > 0))
        return complain(&r->console, "no query and no input; see -help");
    r->options = compile_options(a, &r->account);
    const bool good =
        only_print ? compile_stage(r, cql_read_query) && compile_stage(r, cql_print_query) : run_stages(r);
    if (good && r->console.gui)
        printf("<CqlGuiNormalExit>\n");
    return good;
}

static void make_arena(void *user)
{
    ((Compiled *)user)->arena = arena_new();
}

static bool search_as(CommandId command, int count, char **argument)
{
    CqlRun r = {.account.most = SIZE_MAX, .console.out = stdout};
    account_run(&r.account, make_arena, &r.compiled);
    const bool good = run_command(&r, command, count, argument);
    if (r.engine_open)
        engine_close(&r.engine);
    regex_free(r.player);
    regex_free(r.include);
    regex_free(r.exclude);
    compiled_free(&r.compiled);
    account_close(&r.account);
    return good;
}

int command_cql(int count, char **argument)
{
    const OptionId first = count > 0 ? find_option(COMMAND_CQL, argument[0], NULL) : OPTION_COUNT;
    bool good = true;
    if (first != OPTION_COLORIZE) {
        // programs that run the reference look for the names of its authors
        puts("CQL version 6.2 (build cqlgen " CQLGEN_VERSION "; language by Gady Costeff and Lewis Stiller)");
        fflush(stdout); // comes before messages on standard error
    }
    if (count == 0)
        print_command(stdout, COMMAND_CQL);
    else if (first != OPTION_COUNT && option_info[first].kind == KIND_CONVERSION)
        good = cql_convert(first, count, argument);
    else
        good = search_as(COMMAND_CQL, count, argument);
    return good && flush_output() ? 0 : 1;
}

int command_cqli(int count, char **argument)
{
    bool good = true;
    if (count == 0)
        print_command(stdout, COMMAND_CQLI);
    else
        good = search_as(COMMAND_CQLI, count, argument);
    return good && flush_output() ? 0 : 1;
}
