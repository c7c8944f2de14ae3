// `cqlgen help`: usage, and help about filters, commands and options.
#include "cli.h"
#include "examples.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/editor/help_page.h"
#include "compiler/editor/wrap.h"
#include "runtime/format/fields.h"
#include "runtime/format/format.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"

void print_usage(FILE *out)
{
    char line[128];
    fputs("cqlgen compiles CQL, the Chess Query Language, to native code and searches\n"
          "games with it.\n\nusage:\n",
          out);
    unsigned commands = 0;
    for (int i = 0; i < COMMAND_COUNT; i++) {
        snprintf(line, sizeof line, "cqlgen %s", command_info[i].arguments);
        wrap_entry(out, line, 26, command_info[i].help);
        commands |= command_info[i].style == STYLE_LONG ? 1U << i : 0;
    }
    fputs("\noptions:\n", out);
    print_options(out, STYLE_LONG, commands);
    fputs("\nformats:\n", out);
    for (int i = 0; i < FORMAT_COUNT_; i++)
        wrap_entry(out, format_info[i].name, 12, format_info[i].help);
    fputs("\nfields, besides tags by their names:\n", out);
    for (int i = 0; i < FIELD_TAG; i++)
        wrap_entry(out, field_info[i].name, 12, field_info[i].help);
    fputs("\nGAMES are PGN files, plain or compressed with zstd, gzip, bzip2 or xz. `-` is\n"
          "standard input; `@FILE` lists file names, one per line. Without GAMES or -o,\n"
          "`input` and `output` in the header of the query name the files.\n"
          "\nexit status: 0 the search completed, 1 no game matches (--exit-status),\n"
          "             2 a bad query or option, 3 an input could not be read,\n"
          "             4 the query failed in some games, or --max-seconds ended the\n"
          "             search or the compilation, 5 the output could not be written,\n"
          "             7 out of memory\n",
          out);
}

void print_commands(FILE *out)
{
    char line[32];
    fputs("cqlgen compiles CQL, the Chess Query Language, to native code and searches\n"
          "games with it.\n\nusage:\n",
          out);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        snprintf(line, sizeof line, "cqlgen %s", command_info[i].name);
        wrap_entry(out, line, 18, command_info[i].help);
    }
    fputs("\nfor example:\n"
          "  cqlgen search -e 'mate' GAMES.pgn\n"
          "  cqlgen search QUERY.cql GAMES.pgn -o found.html\n"
          "  cqlgen import GAMES.pgn -o GAMES.cqldb\n"
          "\n`cqlgen --help` lists all options, `cqlgen help search` those of a command;\n"
          "`cqlgen help` explains the filters.\n",
          out);
}

// True when a command with long options takes it.
static bool is_long_option(OptionId id)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (command_info[i].style == STYLE_LONG && option_info[id].commands & 1U << i)
            return true;
    return false;
}

static bool print_list(const HelpWriter *w, ManualText name)
{
    const bool commands = help_is_text(name, "{commands}");
    for (int i = 0; i < COMMAND_COUNT && commands; i++)
        wrap_entry(w->out, command_info[i].name, 12, command_info[i].help);
    for (int i = 0; i < OPTION_COUNT && !commands; i++)
        if (is_long_option(i))
            print_option(w->out, STYLE_LONG, &option_info[i]);
    return true;
}

// A command with its options.
static bool print_named_command(const char *word)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(command_info[i].name, word) != 0)
            continue;
        print_command(stdout, i);
        return true;
    }
    return false;
}

// An option with the commands that take it.
static void print_option_page(Style style, OptionId id)
{
    char text[512];
    option_title(text, sizeof text, style, &option_info[id]);
    printf("%s\n    ", text + strspn(text, " "));
    wrap_words(stdout, option_info[id].help, strlen(option_info[id].help), 4, 4);
    size_t used = (size_t)snprintf(text, sizeof text, "option of:");
    for (int i = 0; i < COMMAND_COUNT && used < sizeof text; i++)
        if (option_info[id].commands & 1U << i && command_info[i].style == style)
            used += (size_t)snprintf(text + used, sizeof text - used, " cqlgen %s,", command_info[i].name);
    printf("    ");
    wrap_words(stdout, text, strlen(text) - 1, 4, 4);
}

// An option of any command by its name, with or without dashes.
static bool print_named_option(const char *word)
{
    bool printed[OPTION_COUNT] = {false}, found = false;
    char name[64];
    snprintf(name, sizeof name, "%s%s", word[0] == '-' ? "" : "--", word);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const OptionId id = find_option(i, name, NULL);
        if (id == OPTION_COUNT || printed[id])
            continue;
        print_option_page(command_info[i].style, id);
        found = printed[id] = true;
    }
    return found;
}

// A format that has no page.
static bool print_named_format(const char *word)
{
    for (int i = 0; i < FORMAT_COUNT_; i++) {
        if (strcmp(format_info[i].name, word) != 0)
            continue;
        wrap_entry(stdout, format_info[i].name, 12, format_info[i].help);
        printf("    see `cqlgen help formats`\n");
        return true;
    }
    return false;
}

// Options without their dashes only when the word names nothing else.
static bool print_named(const char *word)
{
    const HelpWriter w = {.out = stdout, .list = print_list};
    const bool page = help_pages(&w, word), older = help_older(&w, word);
    const bool command = print_named_command(word);
    if (!page && print_named_format(word))
        return true;
    return page || older || command || print_named_option(word);
}

enum { SUGGESTIONS = 8 };

// Suggests the nearest name and those that begin like the word, or else the examples about it.
static void suggest(const char *word)
{
    size_t modern, count = 0, shown = 0;
    const char *const *words = op_words(IN_CQL6, &modern);
    const char **names = memory_zeroed(OP_COUNT_ + COMMAND_COUNT, sizeof *names);
    for (size_t i = 0; i < modern; i++)
        names[count++] = words[i];
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[count++] = command_info[i].name;
    for (int i = 0; i < OP_COUNT_; i++)
        if (op_older_dialect((Op)i) != NULL &&
            op_from_word(op_info[i].name, strlen(op_info[i].name), IN_CQL6) < 0)
            names[count++] = op_info[i].name;
    const char *near = nearest_name(word, strlen(word), names, count);
    if (near && strncmp(near, word, 3) != 0)
        printf_sanitized(stderr, "%s `%s`", shown++ ? "," : "did you mean", near);
    for (size_t i = 0; i < count && shown < SUGGESTIONS; i++)
        if (strncmp(names[i], word, 3) == 0)
            printf_sanitized(stderr, "%s `%s`", shown++ ? "," : "did you mean", names[i]);
    if (shown)
        printf_sanitized(stderr, "?\n");
    else if (example_mentioned(word))
        printf_sanitized(stderr, "queries that mention it: `cqlgen examples %s`\n", word);
    else
        printf_sanitized(stderr, "`cqlgen help` lists all words\n");
    free(names);
}

static bool is_listed(int op)
{
    for (int i = 0; i < op; i++)
        if (op_older_dialect((Op)i) != NULL && strcmp(op_info[i].name, op_info[op].name) == 0)
            return true;
    return false;
}

// The words of older dialects, each once.
static void list_older_words(void)
{
    const char *last = "";
    for (int i = 0; i < OP_COUNT_; i++) {
        const char *dialect = op_older_dialect((Op)i);
        if (dialect != NULL && strcmp(dialect, last) != 0)
            printf("\nWords of %s that CQL 6.2 does not have or defines differently\n", dialect);
        last = dialect != NULL ? dialect : last;
        if (dialect != NULL && !is_listed(i))
            wrap_entry(stdout, op_info[i].name, 20, op_info[i].help);
    }
}

static void print_overview(void)
{
    fputs("cqlgen compiles CQL, the Chess Query Language, to native code and searches\n"
          "games with it.\n\n"
          "    cqlgen search QUERY.cql GAMES.pgn     search games\n"
          "    cqlgen search -e 'FILTERS' GAMES.pgn  the same, query on the command line\n"
          "    cqlgen help WORD                      a page about a word, sign or option\n"
          "    cqlgen help syntax                    how a query is written\n"
          "    cqlgen --help                         all commands and options\n"
          "\nCommands\n",
          stdout);
    for (int i = 0; i < COMMAND_COUNT; i++)
        wrap_entry(stdout, command_info[i].name, 20, command_info[i].help);
    help_subjects(stdout);
    list_older_words();
}

int command_help(int count, char **argument)
{
    if (count == 2 && strcmp(argument[0], "--completion") == 0) {
        if (print_completion(stdout, argument[1]))
            return STATUS_OK;
        complain(NULL, "unknown shell `%s`; completions exist for bash and zsh", argument[1]);
        return STATUS_QUERY;
    }
    if (count == 0) {
        print_overview();
        return STATUS_OK;
    }
    int status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        if (i > 0)
            putchar('\n');
        if (!print_named(argument[i])) {
            complain(NULL, "`%s` is not a word of CQL, a sign, command, option or format", argument[i]);
            suggest(argument[i]);
            status = STATUS_QUERY;
        }
    }
    return status;
}
