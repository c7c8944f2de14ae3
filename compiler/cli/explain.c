// `cqlgen explain`: what a query becomes at each stage.
#include "cli.h"
#include "signals.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/game/game.h"
#include "runtime/search/search.h"

void explain_title(const char *text)
{
    printf("== %s ==\n", text);
}

void explain_tree(const Query *query)
{
    explain_title("syntax tree, with types");
    ast_print(stdout, query->body);
}

void explain_module(const Module *m, bool optimised)
{
    explain_title(optimised ? "intermediate representation, optimised" : "intermediate representation");
    ir_print(stdout, m);
}

// Prints the formula at *f with the columns of its atoms; returns what follows it.
static const int32_t *print_formula(const QueryInfo *info, const int32_t *f, int32_t outer)
{
    const int32_t op = *f++;
    if (op == TAGS_AND || op == TAGS_OR) {
        fputs(outer != op ? "(" : "", stdout);
        f = print_formula(info, f, op);
        fputs(op == TAGS_AND ? " and " : " or ", stdout);
        f = print_formula(info, f, op);
        fputs(outer != op ? ")" : "", stdout);
        return f;
    }
    if (op == TAGS_NOT) {
        fputs("not ", stdout);
        return print_formula(info, f, op);
    }
    const char *between = "";
    for (uint32_t rest = (uint32_t)info->tag_columns[op]; rest; rest &= rest - 1) {
        printf("%s%s", between, game_column_name[__builtin_ctz(rest)]);
        between = " with ";
    }
    return f;
}

// Prints what the host of a query must know.
static void explain_info(const QueryInfo *info)
{
    static const struct {
        uint32_t flag;
        const char *text;
    } needs[] = {
        {QUERY_NEEDS_TAGS, "tags"},
        {QUERY_NEEDS_NOTES, "comments and glyphs of the input"},
        {QUERY_NEEDS_CLOCKS, "clocks and evaluations in the comments of the input"},
        {QUERY_NEEDS_PIECES, "identities of pieces"},
        {QUERY_TABLEBASES, "endgame tablebases"},
        {QUERY_COMMENTS, "the comment log, for formats that show comments"},
        {QUERY_NEEDS_LAST_NUMBER, "the number of games in the input"},
        {QUERY_SEQUENTIAL, "all games in order, in one thread"},
    };
    explain_title("what the query needs");
    printf("visits: %s\n", info->flags & QUERY_VARIATIONS ? "all variations" : "the main line");
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (info->flags & needs[i].flag)
            printf("needs: %s\n", needs[i].text);
    printf("state: %d cells, %d of them kept from game to game\n", info->slot_count, info->persistent_slots);
    const bool skips = info->tag_atom_count > 0 || info->results;
    printf("skips games before their moves are read: %s\n", skips ? "yes" : "no");
    if (info->tag_atom_count > 0) {
        fputs("rules out games by their tags: ", stdout);
        print_formula(info, info->tag_formula, *info->tag_formula);
        puts(info->tags_decide ? ", which decide" : "");
    }
}

void explain_needs(const Module *m)
{
    explain_info(&m->info);
}

// What a compiled matcher says of itself: its queries and what they need.
static bool explain_matcher(const char *path)
{
    Engine engine;
    char *message = NULL;
    if (!engine_load(&engine, path, &message)) {
        complain(NULL, "%s", message);
        free(message);
        return false;
    }
    const Matcher *m = engine.matcher;
    printf("compiled matcher of %u quer%s, made by %s\n", (unsigned)m->query_count,
           m->query_count == 1 ? "y" : "ies", m->made_by);
    for (uint32_t q = 0; q < m->query_count; q++) {
        const QueryInfo *info = &m->query[q];
        const size_t length = strlen(info->source);
        explain_title(info->name);
        printf("%s%s", info->source, length > 0 && info->source[length - 1] == '\n' ? "" : "\n");
        for (int32_t i = 0; i < info->sort_key_count; i++)
            printf("sort key: \"%s\"%s\n", info->sort_key[i].name,
                   info->sort_key[i].is_min ? ", the least first" : "");
        for (int32_t i = 0; i < info->persistent_count; i++)
            printf("persistent variable: %s\n", info->persistent[i].name);
        explain_info(info);
    }
    engine_close(&engine);
    return true;
}

static void explain_c(Module *const *module)
{
    size_t length;
    char *text = emit_c(module, 1, HEADER_INCLUDED, &length, NULL);
    explain_title("C");
    fwrite(text, 1, length, stdout);
    free(text);
}

typedef struct Explanation {
    Compiled compiled;
    const Arguments *arguments;
    const CompileOptions *options;
    bool good;
} Explanation;

static void explain(void *user)
{
    Explanation *x = user;
    Compiled *c = &x->compiled;
    const CompileOptions *options = x->options;
    if (!compile_read_one(c, x->arguments, options) || !compile_expand(c, options))
        return;
    printf("dialect %s (%s)\n", dialect_name(c->dialect), c->dialect_why);
    explain_tree(c->query);
    if (!compile_lower(c, options))
        return;
    explain_module(c->module, false);
    if (!compile_finish(c, options))
        return;
    if (options->optimize)
        explain_module(c->module, true);
    explain_c(&c->module);
    explain_needs(c->module);
    x->good = true;
}

int command_explain(int count, char **argument)
{
    Arguments a;
    if (!read_arguments(&a, COMMAND_EXPLAIN, NULL, NULL, count, argument))
        return STATUS_QUERY;
    if (a.word_count == 1 && a.expression_count == 0 && ends_with(a.words[0], ".so"))
        return matcher_allowed(&a, a.words[0]) && explain_matcher(a.words[0]) ? STATUS_OK : STATUS_QUERY;
    Account account = {0};
    const CompileOptions options = compile_options(&a, &account);
    Explanation x = {.arguments = &a, .options = &options};
    limit_begin(a.low[OPTION_MAX_SECONDS]);
    if (!compile_within(&options, query_name(&a), explain, &x))
        return STATUS_QUERY;
    compiled_free(&x.compiled);
    return x.good ? STATUS_OK : STATUS_QUERY;
}
