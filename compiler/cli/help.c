#include "cli.h"
#include "cql.h"

#include <string.h>

#include "../../runtime/search/format.h"

void print_usage(FILE *out)
{
    fputs(
        "cqlgen compiles CQL, the Chess Query Language, to native code and searches games with it.\n"
        "\n"
        "usage: cqlgen search QUERY.cql|MATCHER.so... GAMES.pgn... [options]   search games\n"
        "       cqlgen QUERY.cql... -o MATCHER.so [options]                    compile to a shared object, "
        "or to C (.c)\n"
        "       cqlgen explain QUERY.cql [options]                             show how a query is compiled\n"
        "       cqlgen convert QUERY.cql [options]                             write a query as CQL 6.2\n"
        "       cqlgen help [FILTER]                                           this help, or a filter of the "
        "language\n"
        "       cqlgen help --completion bash|zsh                              completions for a shell\n"
        "       cqlgen cql [options] [QUERY.cql]                               the command line of CQL 6.2; "
        "see `cqlgen cql -help`\n"
        "       cqlgen --version\n"
        "\noptions:\n",
        out);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const OptionInfo *o = &option_info[i];
        char name[64];
        snprintf(name, sizeof name, "%c%c%s --%s%s%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
                 o->letter ? "," : " ", o->name, o->argument ? " " : "", o->argument ? o->argument : "");
        fprintf(out, "  %-42s %s\n", name, o->help);
    }
    fputs("\nformats:\n", out);
    for (int i = 0; i < FORMAT_COUNT_; i++)
        fprintf(out, "  %-12s %s\n", format_info[i].name, format_info[i].help);
    fputs(
        "\nGAMES are PGN files, plain or compressed by zstd, gzip, bzip2 or xz; `-` is standard input, "
        "`@FILE`\n"
        "stands for the names in FILE, one a line. What the command line does not name, `input` and `output` "
        "in\n"
        "the header of the query do.\n"
        "\nexit status: 0 the search completed, 1 no game matches (--exit-status), 2 a bad query or option,\n"
        "             3 an input could not be read, 4 the query failed in some games,\n"
        "             or --max-seconds ended the search, 5 the output could not be written, 7 out of memory\n",
        out);
}

static const char *condition_text(Condition condition)
{
    switch (condition) {
    case CONDITION_ALWAYS:
        return "always holds";
    case CONDITION_ERROR:
        return "refused";
    default:
        return "holds when it has a value (a set: when it is not empty)";
    }
}

static void print_filter(const OpInfo *info)
{
    printf("%s", info->name);
    if (info->unicode)
        printf("  or  %s", info->unicode);
    printf("\n    %s\n", info->help);
    if (info->row == ROW_WORD)
        printf("    part of other constructs\n");
    else
        printf("    type: %s; as a condition: %s\n",
               strcmp(info->type, "*") == 0 ? "depends on its form" : info->type,
               condition_text(info->condition));
}

static bool print_named(const char *word)
{
    bool found = false;
    for (int i = 0; i < OP_COUNT_; i++) {
        const OpInfo *info = &op_info[i];
        if (found && info->row == ROW_WORD) // a sign or word of an operator that was described
            continue;
        if (strcmp(info->name, word) == 0 || (info->unicode && strcmp(info->unicode, word) == 0)) {
            print_filter(info);
            found = true;
        }
    }
    return found;
}

static void suggest(const char *word)
{
    size_t shown = 0;
    for (int i = 0; i < OP_COUNT_; i++) {
        if (op_info[i].row == ROW_FILTER && strncmp(op_info[i].name, word, 3) == 0) {
            fprintf(stderr, "%s `%s`", shown++ ? "," : "did you mean", op_info[i].name);
            if (shown == 8)
                break;
        }
    }
    if (shown)
        fputs("?\n", stderr);
}

int command_help(int count, char **argument)
{
    if (count == 2 && strcmp(argument[0], "--completion") == 0) {
        if (print_completion(stdout, argument[1]))
            return STATUS_OK;
        fprintf(stderr, "cqlgen: completions are there for bash and zsh, not for `%s`\n", argument[1]);
        return STATUS_QUERY;
    }
    if (count == 0) {
        print_usage(stdout);
        printf("\nfilters:\n ");
        int column = 1;
        for (int i = 0; i < OP_COUNT_; i++) {
            if (op_info[i].row != ROW_FILTER)
                continue;
            int length = (int)strlen(op_info[i].name) + 1;
            if (column + length > 100) {
                printf("\n ");
                column = 1;
            }
            printf(" %s", op_info[i].name);
            column += length;
        }
        printf("\n\n`cqlgen help FILTER` tells more about one of them.\n");
        return STATUS_OK;
    }
    int status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        if (!print_named(argument[i])) {
            fprintf(stderr, "cqlgen: no filter is named `%s`\n", argument[i]);
            suggest(argument[i]);
            status = STATUS_QUERY;
        }
    }
    return status;
}
