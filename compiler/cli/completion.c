// Completions for bash and zsh, made from the tables of options, formats and filters.
#include <string.h>

#include "runtime/search/format.h"
#include "compiler/front/detect/words.h"
#include "cli.h"
#include "cql.h"

// Commands with options; `*` is compiling, which has no name.
static const struct {
    const char *name;
    unsigned bit;
} commands[] = {{"search", COMMAND_SEARCH},
                {"explain", COMMAND_EXPLAIN},
                {"convert", COMMAND_CONVERT},
                {"*", COMMAND_COMPILE}};

static const char command_names[] = "search explain convert help cql";

// The words that an option takes, separated by spaces; NULL: anything. `text` is memory for them.
static const char *argument_words(OptionId id, char *text, size_t room)
{
    const char *argument = option_info[id].argument;
    size_t length = 0;
    if (id == OPTION_FORMAT) {
        for (int i = 0; i < FORMAT_COUNT_ && length < room; i++)
            length +=
                (size_t)snprintf(text + length, room - length, "%s%s", i ? " " : "", format_info[i].name);
        return text;
    }
    if (id == OPTION_DIALECT)
        argument = dialect_names;
    else if (*argument >= 'A' && *argument <= 'Z') // a placeholder, not a word
        return NULL;
    for (; *argument && length + 1 < room; argument++)
        if (*argument != ',')
            text[length++] = *argument == '|' ? ' ' : *argument;
    text[length] = 0;
    return text;
}

// The names of filters and words of older dialects, separated by spaces.
static void print_filters(FILE *out)
{
    for (int i = 0; i < OP_COUNT_; i++)
        if (op_info[i].row == ROW_FILTER &&
            strspn(op_info[i].name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == strlen(op_info[i].name))
            fprintf(out, "%s ", op_info[i].name);
    size_t count;
    const DialectWord *word = dialect_words(&count);
    for (size_t i = 0; i < count; i++) {
        const char *name = word[i].word + (word[i].word[0] == ':');
        const int op = op_from_word(name, strlen(name), IN_CQL6);
        if (op < 0 || op_info[op].row != ROW_FILTER)
            fprintf(out, "%s ", name);
    }
}

static bool takes_file(const char *argument)
{
    return strstr(argument, "FILE") || strcmp(argument, "DIR") == 0;
}

// ---- bash -------------------------------------------------------------------------------------------------

static void print_words(FILE *out, unsigned command)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_info[i].commands & command)
            fprintf(out, " --%s", option_info[i].name);
}

// The names of an option of `cqlgen cql`.
static void print_names(FILE *out, const char *names)
{
    int length;
    for (const char *name; (name = cql_next_name(&names, &length));)
        fprintf(out, " -%.*s", length, name);
}

static void print_bash_values(FILE *out)
{
    char text[512];
    fputs("    case $previous in\n", out);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const OptionInfo *o = &option_info[i];
        const char *words = o->argument ? argument_words((OptionId)i, text, sizeof text) : NULL;
        if (words && o->letter)
            fprintf(out, "    --%s | -%c) words='%s' ;;\n", o->name, o->letter, words);
        else if (words)
            fprintf(out, "    --%s) words='%s' ;;\n", o->name, words);
    }
    fputs("    esac\n", out);
}

static void print_bash(FILE *out)
{
    fputs("# bash completion for cqlgen\n_cqlgen()\n{\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} "
          "command=${COMP_WORDS[1]} words=\n"
          "    [[ ${COMP_WORDS[0]##*/} == cqlgen-cql ]] && command=cql\n"
          "    COMPREPLY=()\n"
          "    if [[ $current == = ]]; then # of --OPTION=WORD\n        current=\n"
          "    elif [[ $previous == = && $COMP_CWORD -gt 2 ]]; then\n"
          "        previous=${COMP_WORDS[COMP_CWORD-2]}\n    fi\n",
          out);
    fputs("    if [[ $command == cql && $current == -* ]]; then\n        words='", out);
    for (int i = 0; i < CQL_OPTION_COUNT; i++)
        print_names(out, cql_option_info[i].names);
    fputs("'\n    elif [[ $command != cql && $current == -* ]]; then\n        case $command in\n", out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        fprintf(out, "        %s) words='", commands[i].name);
        print_words(out, commands[i].bit);
        fputs("' ;;\n", out);
    }
    fputs("        esac\n    elif [[ $command == help && $COMP_CWORD -gt 1 ]]; then\n        words='", out);
    print_filters(out);
    fputs("'\n    elif [[ $COMP_CWORD -eq 1 && $command != cql ]]; then\n", out);
    fprintf(out, "        words='%s'\n    fi\n", command_names);
    print_bash_values(out);
    fputs("    if [[ -n $words ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
          "    fi\n"
          "    if [[ ${#COMPREPLY[@]} -eq 0 || $COMP_CWORD -eq 1 ]]; then\n"
          "        local file\n"
          "        while IFS= read -r file; do\n            COMPREPLY+=(\"$file\")\n"
          "        done < <(compgen -f -- \"$current\")\n"
          "    fi\n"
          "}\ncomplete -o filenames -F _cqlgen cqlgen cqlgen-cql\n",
          out);
}

// ---- zsh --------------------------------------------------------------------------------------------------

// A help text inside '…[ ]'.
static void print_help_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:\\", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
    }
}

static void print_zsh_argument(FILE *out, const char *argument, const char *words)
{
    fputc(':', out);
    print_help_text(out, argument);
    if (words)
        fprintf(out, ":(%s)", words);
    else
        fputs(takes_file(argument) ? ":_files" : ": ", out);
}

static void print_zsh_command(FILE *out, unsigned command)
{
    char text[512];
    for (int i = 0; i < OPTION_COUNT; i++) {
        const OptionInfo *o = &option_info[i];
        if (!(o->commands & command))
            continue;
        for (int form = o->letter ? 0 : 1; form < 2; form++) {
            if (form == 0)
                fprintf(out, "            '*-%c[", o->letter);
            else
                fprintf(out, "            '*--%s%s[", o->name, o->argument ? "=" : "");
            print_help_text(out, o->help);
            fputc(']', out);
            if (o->argument)
                print_zsh_argument(out, o->argument, argument_words((OptionId)i, text, sizeof text));
            fputs("' \\\n", out);
        }
    }
    fputs("            '*:file:_files'\n", out);
}

static void print_zsh_cql(FILE *out)
{
    for (int i = 0; i < CQL_OPTION_COUNT; i++) {
        const CqlOptionInfo *o = &cql_option_info[i];
        int length;
        for (const char *names = o->names, *name; (name = cql_next_name(&names, &length));) {
            fprintf(out, "            '*-%.*s[", length, name);
            print_help_text(out, o->help);
            fputc(']', out);
            if (o->argument)
                print_zsh_argument(out, o->argument, NULL);
            fputs("' \\\n", out);
        }
    }
    fputs("            '*:query:_files -g \"*.cql\"'\n", out);
}

static void print_zsh(FILE *out)
{
    fprintf(
        out,
        "#compdef cqlgen cqlgen-cql\n"
        "_cqlgen()\n{\n"
        "    local command=${words[2]}\n"
        "    [[ ${words[1]:t} == cqlgen-cql ]] && command=cql\n"
        "    if [[ $CURRENT -eq 2 && ${words[1]:t} != cqlgen-cql ]]; then\n"
        "        _alternative 'commands:command:(%s)' 'files:query:_files -g \"*.cql\"'\n"
        "        return\n"
        "    fi\n"
        "    if [[ ${words[1]:t} != cqlgen-cql ]]; then\n        shift words\n        ((CURRENT--))\n    fi\n"
        "    case $command in\n    help)\n        compadd -- ",
        command_names);
    print_filters(out);
    fputs("\n        ;;\n    cql)\n        _arguments \\\n", out);
    print_zsh_cql(out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        fprintf(out, "        ;;\n    %s)\n        _arguments \\\n", commands[i].name);
        print_zsh_command(out, commands[i].bit);
    }
    // loaded from a folder of completions it is called at once; read by `source` it is registered
    fputs("        ;;\n    esac\n}\n"
          "if [[ ${funcstack[1]} == _cqlgen ]]; then\n    _cqlgen \"$@\"\n"
          "else\n    compdef _cqlgen cqlgen cqlgen-cql\nfi\n",
          out);
}

bool print_completion(FILE *out, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        print_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(out);
    else
        return false;
    return true;
}
