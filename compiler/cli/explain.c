#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include "../../runtime/search/search.h"
#include "../middle/lower.h"
#include "../middle/optimise.h"

static void title(const char *text)
{
    printf("== %s ==\n", text);
}

static void print_needs(const Module *m)
{
    static const struct {
        uint32_t flag;
        const char *text;
    } needs[] = {
        {QUERY_NEEDS_TAGS, "tags"},
        {QUERY_NEEDS_NOTES, "comments and glyphs of the input"},
        {QUERY_NEEDS_PIECES, "identities of pieces"},
        {QUERY_COMMENTS, "the comment log, for formats that show comments"},
        {QUERY_NEEDS_LAST_NUMBER, "the number of games in the input"},
        {QUERY_SEQUENTIAL, "all games in order, in one thread"},
    };
    printf("visits: %s\n", m->info.flags & QUERY_VARIATIONS ? "all variations" : "the main line");
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (m->info.flags & needs[i].flag)
            printf("needs: %s\n", needs[i].text);
    printf("state: %d cells, %d of them kept from game to game\n", m->info.slot_count, m->info.persistent_slots);
    printf("skips games before their moves are read: %s\n", m->game_test || m->info.results ? "yes" : "no");
}

static int explain(const char *name, const char *text, const CompileOptions *options)
{
    Compiled c;
    bool good = compile_parse(&c, name, text, options);
    if (good) {
        printf("dialect %s (%s)\n", dialect_name(c.dialect), c.dialect_why);
        title("syntax tree, with types");
        ast_print(stdout, c.query->body);
        good = compile_lower(&c, options) != NULL;
    }
    if (good) {
        title("intermediate representation");
        ir_print(stdout, c.module);
        if (options->optimize) {
            optimise(c.module);
            title("intermediate representation, optimised");
            ir_print(stdout, c.module);
        }
        keep_lines(c.module);
        size_t length;
        char *c_text = emit_c(&c.module, 1, false, &length);
        title("C");
        fwrite(c_text, 1, length, stdout);
        free(c_text);
        title("what the query needs");
        print_needs(c.module);
    }
    compiled_free(&c);
    return good ? STATUS_OK : STATUS_QUERY;
}

int command_explain(int count, char **argument)
{
    Arguments a;
    if (!read_arguments(&a, COMMAND_EXPLAIN, count, argument))
        return STATUS_QUERY;
    if (a.word_count + a.expression_count != 1) {
        fprintf(stderr, "cqlgen: expected one query: `cqlgen explain QUERY.cql` or -e 'FILTERS'\n");
        return STATUS_QUERY;
    }
    CompileOptions options = compile_options(&a);
    return a.word_count == 1 ? explain(a.words[0], NULL, &options) : explain("-e", a.expressions[0], &options);
}
