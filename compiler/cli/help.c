// `cqlgen help`: usage, and help about filters, commands and options.
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/format/format.h"
#include "runtime/value/memory.h"

static void print_format(FILE *out, const FormatInfo *format)
{
    fprintf(out, "  %-12s %s\n", format->name, format->help);
}

void print_usage(FILE *out)
{
    fputs("cqlgen compiles CQL, the Chess Query Language, to native code and searches games with it.\n\n",
          out);
    unsigned commands = 0;
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "%s cqlgen %-55s %s\n", i == 0 ? "usage:" : "      ", command_info[i].arguments,
                command_info[i].help);
        commands |= command_info[i].style == STYLE_LONG ? 1U << i : 0;
    }
    fputs("\noptions:\n", out);
    print_options(out, STYLE_LONG, commands);
    fputs("\nformats:\n", out);
    for (int i = 0; i < FORMAT_COUNT_; i++)
        print_format(out, &format_info[i]);
    fputs("\nfields, besides tags by their names:\n", out);
    for (int i = 0; i < FIELD_TAG; i++)
        fprintf(out, "  %-12s %s\n", field_info[i].name, field_info[i].help);
    fputs(
        "\nGAMES are PGN files, plain or compressed with zstd, gzip, bzip2 or xz. `-` is standard input; "
        "`@FILE`\n"
        "lists file names, one per line. Without GAMES or -o, `input` and `output` in the header of the "
        "query\n"
        "name the files.\n"
        "\nexit status: 0 the search completed, 1 no game matches (--exit-status), 2 a bad query or option,\n"
        "             3 an input could not be read, 4 the query failed in some games,\n"
        "             or --max-seconds ended the search or the compilation, 5 the output could not be\n"
        "             written, 7 out of memory\n",
        out);
}

// What the value of a filter means as a condition.
static const char *condition_text(const OpInfo *row)
{
    if (row->condition == CONDITION_ALWAYS)
        return "always true";
    if (row->condition == CONDITION_ERROR)
        return "not allowed";
    if (row->condition == CONDITION_LAST)
        return "that of its last operand";
    return row->type == TYPE_SET   ? "true when it is not empty"
           : row->type == TYPE_ANY ? "true when it has a value (a set: when it is not empty)"
                                   : "true when it has a value";
}

static void print_type(const OpInfo *row)
{
    if (row->type == TYPE_BOOL && row->condition == CONDITION_VALUE)
        printf("    type: bool (true or false)\n");
    else
        printf("    type: %s; as a condition: %s\n",
               row->type == TYPE_ANY ? "depends on its form" : type_name(row->type), condition_text(row));
}

static void print_filter(const OpInfo *info)
{
    printf("%s", info->name);
    if (info->unicode)
        printf("  or  %s", info->unicode);
    printf("\n    %s\n", info->help);
    const OpInfo *row = &op_info[info->canonical];
    if (info->row == ROW_WORD || info->row == ROW_RESERVED)
        printf("    part of other constructs\n");
    else if (info->row == ROW_REFUSED)
        printf("    not supported\n");
    else
        print_type(row);
}

// True when `word` names a row; the colon of CQL 3 keywords may be left out.
static bool is_written(const OpInfo *info, const char *word)
{
    return strcmp(info->name, word) == 0 || (info->name[0] == ':' && strcmp(info->name + 1, word) == 0);
}

// The dialects that have a word of CQL 6.2, with the same meaning or another.
static void print_dialects(const OpInfo *info)
{
    static const struct {
        unsigned dialects;
        const char *name;
    } older[] = {{IN_CQL5, "CQL 5"}, {IN_CQL3, "CQL 3"}};
    const bool extension = info->dialects & IN_EXTENSION, modern = extension || info->dialects & IN_CQL6,
               cqli = extension || info->dialects & IN_CQLI;
    unsigned dialects = 0;
    for (int i = 0; i < OP_COUNT_; i++)
        if (op_info[i].row != ROW_STRUCTURE && is_written(&op_info[i], info->name))
            dialects |= op_info[i].dialects | op_info[i].also;
    printf("    in: %s%s%s", modern ? "CQL 6.2" : "", modern && cqli ? ", " : "", cqli ? "CQLi" : "");
    for (size_t i = 0; i < sizeof older / sizeof *older; i++)
        if (dialects & older[i].dialects)
            printf(", %s", older[i].name);
    printf("%s\n", extension ? ", as an extension of cqlgen" : "");
}

// True for the structure of a word that only an older dialect has.
static bool is_older_structure(const OpInfo *info)
{
    const size_t length = strlen(info->name);
    return info->row == ROW_STRUCTURE && op_from_word(info->name, length, IN_CQL6) < 0 &&
           op_from_word(info->name, length, IN_CQL5) >= 0;
}

static bool print_modern(const char *word)
{
    bool found = false;
    for (int i = 0; i < OP_COUNT_; i++) {
        const OpInfo *info = &op_info[i];
        if (found && (info->row == ROW_WORD ||
                      info->row == ROW_RESERVED)) // a sign or word of an operator that was described
            continue;
        const bool named =
            strcmp(info->name, word) == 0 || (info->unicode && strcmp(info->unicode, word) == 0);
        if (named && info->row < ROW_OLDER && !is_older_structure(info)) {
            print_filter(info);
            if (info->row != ROW_STRUCTURE)
                print_dialects(info);
            found = true;
        }
    }
    return found;
}

// The meaning of the word in older dialects, where it differs.
static bool print_older(const char *word)
{
    bool found = false;
    for (int i = 0; i < OP_COUNT_; i++) {
        const OpInfo *info = &op_info[i];
        const char *dialect = op_older_dialect((Op)i);
        if (dialect == NULL || !is_written(info, word))
            continue;
        printf("%s  (%s)\n    %s\n", info->name, dialect, info->help);
        if (info->modern)
            printf("    in CQL 6.2: %s\n", info->modern);
        found = true;
    }
    return found;
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
        print_option(stdout, command_info[i].style, &option_info[id]);
        found = printed[id] = true;
    }
    return found;
}

static bool print_named_format(const char *word)
{
    for (int i = 0; i < FORMAT_COUNT_; i++) {
        if (strcmp(format_info[i].name, word) != 0)
            continue;
        print_format(stdout, &format_info[i]);
        return true;
    }
    return false;
}

// Options without their dashes and formats only when the word names nothing else.
static bool print_named(const char *word)
{
    const bool modern = print_modern(word), older = print_older(word);
    const bool command = print_named_command(word);
    return modern || older || command || print_named_option(word) || print_named_format(word);
}

enum { SUGGESTIONS = 8 };

// Suggests the names that begin like the word, or else the nearest one.
static void suggest(const char *word)
{
    size_t modern, count = 0, shown = 0;
    const char *const *words = op_words(IN_CQL6, &modern);
    const char **names = memory_zeroed(OP_COUNT_, sizeof *names);
    for (size_t i = 0; i < modern; i++)
        names[count++] = words[i];
    for (int i = 0; i < OP_COUNT_; i++)
        if (op_older_dialect((Op)i) != NULL &&
            op_from_word(op_info[i].name, strlen(op_info[i].name), IN_CQL6) < 0)
            names[count++] = op_info[i].name;
    for (size_t i = 0; i < count && shown < SUGGESTIONS; i++)
        if (strncmp(names[i], word, 3) == 0)
            fprintf(stderr, "%s `%s`", shown++ ? "," : "did you mean", names[i]);
    const char *near = shown ? NULL : nearest_name(word, strlen(word), names, count);
    if (near)
        fprintf(stderr, "did you mean `%s`", near);
    if (near || shown)
        fputs("?\n", stderr);
    free(names);
}

// Lists words, filling lines.
typedef struct Column {
    int at;
} Column;

static void list_word(Column *c, const char *word)
{
    const int length = (int)strlen(word) + 1;
    if (c->at + length > 100) {
        printf("\n ");
        c->at = 1;
    }
    printf(" %s", word);
    c->at += length;
}

static bool is_listed(int op)
{
    for (int i = 0; i < op; i++)
        if (op_older_dialect((Op)i) != NULL && strcmp(op_info[i].name, op_info[op].name) == 0)
            return true;
    return false;
}

static void list_words(void)
{
    Column column = {1};
    printf("\nfilters:\n ");
    for (int i = 0; i < OP_COUNT_; i++)
        if (op_info[i].row == ROW_FILTER)
            list_word(&column, op_info[i].name);
    const char *last = "";
    for (int i = 0; i < OP_COUNT_; i++) {
        const char *dialect = op_older_dialect((Op)i);
        if (dialect == NULL)
            continue;
        if (strcmp(dialect, last) != 0) {
            printf("\n\nwords of %s that CQL 6.2 does not have or defines differently:\n ", dialect);
            column.at = 1;
            last = dialect;
        }
        if (!is_listed(i))
            list_word(&column, op_info[i].name);
    }
    printf("\n\n`cqlgen help WORD` explains one of them, a command, an option or a format.\n");
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
        print_usage(stdout);
        list_words();
        return STATUS_OK;
    }
    int status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        if (!print_named(argument[i])) {
            complain(NULL, "`%s` is not a filter, command, option or format", argument[i]);
            suggest(argument[i]);
            status = STATUS_QUERY;
        }
    }
    return status;
}
