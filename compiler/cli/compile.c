// The queries of command lines, and the command that compiles queries to a matcher or to C.
#include "cli.h"
#include "signals.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/search/budget.h"
#include "runtime/search/search.h"
#include "runtime/value/memory.h"

void show_diagnostics(void *user, const Diagnostics *d)
{
    (void)user;
    diag_print(d, stderr, colour_wanted());
}

static void show_failure(void *user, const char *message)
{
    (void)user;
    complain(NULL, "%s", message);
}

CompileOptions compile_options(const Arguments *a, Account *account)
{
    account->most = search_memory_of_queries(a->low[OPTION_MAX_MEMORY] << 20);
    const bool variations = a->value[OPTION_VARIATIONS] || a->value[OPTION_VIRTUALMAINLINE];
    return (CompileOptions){.optimize = !a->value[OPTION_NO_OPTIMIZE],
                            .variations = a->value[OPTION_MAINLINE] ? 0
                                          : variations              ? 1
                                                                    : -1,
                            .free_moves = a->value[OPTION_NOLINEARIZE] != NULL,
                            .dialect = a->value[OPTION_DIALECT],
                            .pedantic = a->value[OPTION_PEDANTIC] != NULL,
                            .variants = a->value[OPTION_VARIANTS] != NULL,
                            .no_variants = a->value[OPTION_NO_VARIANTS] != NULL,
                            .secure = a->value[OPTION_SECURE] != NULL,
                            .where = a->value[OPTION_WHERE],
                            .spelling = a->value[OPTION_SPELLING] != NULL,
                            .syzygy = a->value[OPTION_SYZYGY],
                            .runs_elsewhere = a->command == COMMAND_COMPILE || a->command == COMMAND_EXPLAIN,
                            .diagrams = a->value[OPTION_SHOW] != NULL,
                            .read = read_source,
                            .warn = true,
                            .account = account,
                            .show = show_diagnostics,
                            .fail = show_failure};
}

const char *query_name(const Arguments *a)
{
    return a->word_count > 0 ? a->words[0] : "-e";
}

bool compile_read_one(Compiled *c, const Arguments *a, const CompileOptions *options)
{
    if (a->word_count == 1 && a->expression_count == 0)
        return compile_read(c, a->words[0], NULL, options);
    if (a->word_count == 0 && a->expression_count == 1)
        return compile_read(c, "-e", a->expressions[0], options);
    *c = (Compiled){0};
    return complain(NULL, "expected one query: `cqlgen %s QUERY.cql`, --example NAME or -e 'FILTERS'",
                    command_info[a->command].name);
}

bool compile_all(CompiledAll *all, const Arguments *a, int files, const CompileOptions *options)
{
    bool good = true;
    all->count = files + a->expression_count;
    all->compiled = memory_zeroed((size_t)all->count, sizeof *all->compiled);
    all->module = memory_zeroed((size_t)all->count, sizeof *all->module);
    for (int i = 0; i < all->count; i++) {
        const char *text = i < files ? NULL : a->expressions[i - files];
        char name[16] = "-e";
        if (a->expression_count > 1)
            snprintf(name, sizeof name, "-e%d", i - files + 1);
        good &= compile_query(&all->compiled[i], text ? name : a->words[i], text, options);
        all->module[i] = all->compiled[i].module;
    }
    return good;
}

void compiled_free_all(CompiledAll *all)
{
    for (int i = 0; i < all->count; i++)
        compiled_free(&all->compiled[i]);
    account_close(&all->account);
    free(all->compiled);
    free(all->module);
}

bool compiled_within(const CompiledAll *all, const CompileOptions *options, void (*work)(void *user),
                     void *user)
{
    const char *first = all->compiled[0].source.name;
    char *names =
        all->count == 1 ? memory_format("%s", first) : memory_format("%s and %d more", first, all->count - 1);
    const bool good = compile_within(options, names, work, user);
    free(names);
    return good;
}

bool matcher_allowed(const Arguments *a, const char *path)
{
    return !a->value[OPTION_SECURE] ||
           complain(NULL,
                    "%s is refused because of --secure: the code of a matcher runs as soon as it is loaded, "
                    "and nothing can check it before; name the query that it was made of",
                    path);
}

// The C text of queries.
typedef struct Emission {
    const CompiledAll *all;
    HeaderForm header;
    char *text;
    size_t length;
} Emission;

static void emit(void *user)
{
    Emission *e = user;
    e->text = emit_c(e->all->module, e->all->count, e->header, &e->length, NULL);
}

static const char *name_in_folder(const QueryInfo *info)
{
    const char *slash = strrchr(info->name, '/');
    return slash ? slash + 1 : info->name;
}

// What is written does not depend on the folders of queries, unless only these tell two queries apart.
static void leave_out_folders(const CompiledAll *all)
{
    for (int i = 0; i < all->count; i++)
        for (int other = 0; other < i; other++)
            if (strcmp(name_in_folder(&all->module[i]->info), name_in_folder(&all->module[other]->info)) == 0)
                return;
    for (int i = 0; i < all->count; i++)
        all->module[i]->info.name = name_in_folder(&all->module[i]->info);
}

static int build(const CompiledAll *all, const CompileOptions *compile, const char *name, bool standalone)
{
    leave_out_folders(all);
    bool as_c = ends_with(name, ".c");
    Emission c = {.all = all, .header = !as_c ? HEADER_BARE : standalone ? HEADER_EMBEDDED : HEADER_INCLUDED};
    if (!compiled_within(all, compile, emit, &c))
        return STATUS_QUERY;
    int status = STATUS_OK;
    if (as_c) {
        limit_end();
        status = write_file(name, c.text, c.length) ? STATUS_OK : STATUS_OUTPUT;
    } else {
        const EngineOptions options = {.stop = signals_catch()};
        char *message = NULL;
        if (!cc_build(c.text, c.length, name, &options, &message)) {
            signals_end();
            complain_lines(message ? message : "the C compiler failed");
            free(message);
            status = STATUS_OUTPUT;
        }
    }
    free(c.text);
    return status;
}

static void complain_of_command(const char *word)
{
    const char *commands[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++)
        commands[i] = command_info[i].name;
    const char *near = nearest_name(word, strlen(word), commands, COMMAND_COUNT);
    if (near)
        complain(NULL, "`%s` is neither a command nor a query file; did you mean `cqlgen %s`?", word, near);
    else
        complain(NULL,
                 "`%s` is neither a command nor a query file; for filters write "
                 "`cqlgen search -e 'FILTERS' GAMES.pgn`; see `cqlgen help`",
                 word);
}

int command_compile(int count, char **argument)
{
    Arguments a;
    if (!read_arguments(&a, COMMAND_COMPILE, NULL, NULL, count, argument))
        return STATUS_QUERY;
    const char *name = a.value[OPTION_OUTPUT];
    int queries = a.word_count + a.expression_count;
    if (a.word_count > 0 && !strpbrk(a.words[0], "./-") && access(a.words[0], F_OK) != 0) {
        complain_of_command(a.words[0]);
        return STATUS_QUERY;
    }
    if (queries == 0 || !name || !(ends_with(name, ".so") || ends_with(name, ".c"))) {
        complain(NULL,
                 "expected `cqlgen QUERY.cql... -o NAME.so` or `-o NAME.c`; to search games: `cqlgen search "
                 "QUERY.cql GAMES.pgn`");
        return STATUS_QUERY;
    }
    CompiledAll all = {0};
    const CompileOptions options = compile_options(&a, &all.account);
    limit_begin(a.low[OPTION_MAX_SECONDS]);
    const bool good = compile_all(&all, &a, a.word_count, &options);
    const int status = good ? build(&all, &options, name, a.value[OPTION_STANDALONE] != NULL) : STATUS_QUERY;
    compiled_free_all(&all);
    return status;
}
