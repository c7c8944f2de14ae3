// `cqlgen explore`: what was played in a position.
#include <stdlib.h>
#include <string.h>

#include "runtime/format/explorer.h"
#include "runtime/format/format.h"
#include "runtime/search/output.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "searching.h"

// The form that the options ask for; false after a message.
static bool read_form(const Arguments *a, const char *output, ExplorerFormat *form)
{
    static const char *const names[] = {"text", "json", "html"}, *const endings[] = {".txt", ".json",
                                                                                     ".html"};
    const char *name = a->value[OPTION_TABLE];
    for (int i = 0; i < 3; i++) {
        if (name ? strcmp(name, names[i]) == 0 : output && ends_with(output, endings[i])) {
            *form = (ExplorerFormat)i;
            return true;
        }
    }
    *form = EXPLORER_TEXT;
    return !output || !format_has_ending(output) ||
           complain(NULL,
                    "the ending of %s names no form of a table; write .txt, .json or .html, or say -f FORMAT",
                    output);
}

// Reads the position and the depth; false after a message.
static bool read_table(const Arguments *a, ExplorerTable *t)
{
    const char *text = a->value[OPTION_POSITION] ? a->value[OPTION_POSITION] : "";
    size_t fault;
    const char *wrong = explorer_init(t, text, a->low[OPTION_PLIES] ? (int)a->low[OPTION_PLIES] : 1, &fault);
    if (!wrong)
        return true;
    char *lines = memory_format("--position:1:%zu: %s\n%s\n%*s^", fault + 1, wrong, text, (int)fault, "");
    complain_lines(lines);
    free(lines);
    return false;
}

// Without a query all games are explored.
static bool choose_query(Arguments *a)
{
    static const char *const all[] = {"true"};
    int queries = a->expression_count + (a->word_count > 0 && ends_with(a->words[0], ".so"));
    for (int i = 0; i < a->word_count && is_query_name(a->words[i]); i++)
        queries++;
    if (queries == 0) {
        a->expressions = all;
        a->expression_count = 1;
        a->value[OPTION_ENGINE] = "interp"; // there is nothing to compile
        a->value[OPTION_DIALECT] = "cql6";
    }
    return queries <= 1 || complain(NULL, "explore takes one query; write all its filters after one -e");
}

// Writes the table; returns a STATUS_.
static int write_table(const Arguments *a, const char *output, ExplorerTable *t, ExplorerFormat form)
{
    Buffer out = {0};
    t->least = a->low[OPTION_MIN_GAMES] > 0 ? a->low[OPTION_MIN_GAMES]
               : t->plies > 1               ? (t->node->numbers.games + 99) / 100
                                            : 1;
    explorer_write(&out, form, t);
    const bool written = write_file(output ? output : "-", out.start, out.length) && flush_output();
    buffer_free(&out);
    return written ? STATUS_OK : STATUS_OUTPUT;
}

int command_explore(int count, char **argument)
{
    Arguments a;
    SearchOptions search = {0};
    SearchTotals totals = {0};
    ExplorerTable table = {0};
    ExplorerFormat form;
    Arena *arena = arena_new();
    int status = STATUS_QUERY;
    if (read_arguments(&a, COMMAND_EXPLORE, NULL, arena, count, argument)) {
        const char *output = a.value[OPTION_OUTPUT];
        begin_report(&a);
        a.value[OPTION_OUTPUT] = NULL; // it is not that of a search
        if (read_form(&a, output, &form) && read_table(&a, &table) && choose_query(&a) &&
            read_search_options(&a, &search)) {
            search.format = FORMAT_NONE;
            search.explorer = &table;
            status = search_as_read(&a, NULL, &search, &totals);
            free_search_options(&search);
        }
        const bool whole = status == STATUS_OK || status == STATUS_INPUT || status == STATUS_GAME_ERRORS;
        const int written = whole ? write_table(&a, output, &table, form) : STATUS_OK;
        status = written != STATUS_OK ? written : status;
        end_report(&a, status, &totals);
    }
    explorer_free(&table);
    arena_free(arena);
    return status;
}
