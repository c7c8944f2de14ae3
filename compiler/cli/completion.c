// Completions for bash and zsh, made from the tables of commands, options and filters; the words of the language for editors.
#include <string.h>

#include "bench.h"
#include "cli.h"
#include "compiler/language/manual.h"
#include "examples.h"
#include "runtime/format/fields.h"
#include "runtime/format/groups.h"

// The names of the commands, separated by spaces.
static void print_command_names(FILE *out)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", command_info[i].name);
}

// Sets `command`, and `named` if the name of the program says it.
static void print_programs(FILE *out, const char *program)
{
    fprintf(out, "    local named=\n    case %s in\n", program);
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (command_info[i].program)
            fprintf(out, "    %s) command=%s named=1 ;;\n", command_info[i].program, command_info[i].name);
    fputs("    esac\n", out);
}

// The names of programs: cqlgen, the same for clusters, and those of commands.
static void print_program_names(FILE *out)
{
    fputs("cqlgen cqlgen-mpi", out);
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (command_info[i].program)
            fprintf(out, " %s", command_info[i].program);
    fputs("\n", out);
}

// The pattern of a command: compiling, the last one, needs no name.
static const char *command_pattern(CommandId id)
{
    return id == COMMAND_COMPILE ? "*" : command_info[id].name;
}

static bool is_word(const char *name, size_t length)
{
    return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") >= length && *name != '-';
}

// What `cqlgen help` knows, separated by spaces: the words of the manual, of older dialects, commands.
static void print_help_words(FILE *out)
{
    ManualPage page = {0};
    while (manual_next(&page)) {
        ManualText names = page.names, name;
        while (manual_name(&names, &name))
            if (is_word(name.start, name.length))
                fprintf(out, "%.*s ", (int)name.length, name.start);
    }
    print_command_names(out);
    fputc(' ', out);
    for (int i = 0; i < OP_COUNT_; i++) {
        const char *name = op_info[i].name + (op_info[i].name[0] == ':');
        const int modern = op_from_word(name, strlen(name), IN_CQL6);
        const bool older =
            op_older_dialect((Op)i) != NULL && (modern < 0 || op_info[modern].row != ROW_FILTER);
        if (older && is_word(name, strlen(name)))
            fprintf(out, "%s ", name);
    }
}

// True when the option takes words with commas between them.
static bool takes_list(OptionId id)
{
    return id == OPTION_FIELDS || id == OPTION_COUNT_BY || id == OPTION_ENGINES;
}

// True when the words that an option takes are known.
static bool takes_words(OptionId id)
{
    return option_info[id].form == FORM_CHOICE || id == OPTION_EXAMPLE || takes_list(id);
}

// The words that an option takes, separated by spaces.
static void print_choices(FILE *out, OptionId id)
{
    char text[512];
    if (id == OPTION_EXAMPLE) {
        example_print_names(out);
    } else if (id == OPTION_FIELDS) {
        for (int i = 0; i < FIELD_TAG; i++)
            fprintf(out, "%s%s", i > 0 ? " " : "", field_info[i].name);
    } else if (id == OPTION_COUNT_BY) {
        const char *name;
        for (size_t i = 0; (name = group_key_name(i)); i++)
            fprintf(out, "%s%s", i > 0 ? " " : "", name);
    } else if (id == OPTION_ENGINES) {
        for (size_t i = 0; i < BENCH_ENGINES; i++)
            fprintf(out, "%s%s", i > 0 ? " " : "", bench_engine_names[i]);
    } else {
        option_choices(id, text, sizeof text);
        fputs(text, out);
    }
}

// ---- bash -------------------------------------------------------------------------------------------------

// The long names of an option, or all in the style DASH.
static void print_bash_option(FILE *out, Style style, const OptionInfo *o)
{
    int length;
    for (const char *names = o->names, *name; (name = next_name(&names, &length));) {
        if (style == STYLE_LONG && length == 1)
            continue;
        fprintf(out, " %s%.*s", option_dashes(style, length), length, name);
        if (o->form == FORM_SWITCH)
            fprintf(out, " %sno%.*s", option_dashes(style, length), length, name);
    }
}

// The words that an option takes, for each command that has it.
static void print_bash_values(FILE *out)
{
    int length;
    fputs("    case $command:$previous in\n", out);
    for (int i = 0; i < OPTION_COUNT * COMMAND_COUNT; i++) {
        const OptionId id = (OptionId)(i % OPTION_COUNT);
        const CommandId command = (CommandId)(i / OPTION_COUNT);
        if (!takes_words(id) || !(option_info[id].commands & 1U << command))
            continue;
        fputs("    ", out);
        for (const char *names = option_info[id].names, *name; (name = next_name(&names, &length));)
            fprintf(out, "%s:-%.*s | %s:--%.*s%s", command_pattern(command), length, name,
                    command_pattern(command), length, name, *names ? " | " : ") ");
        fprintf(out, "%swords='", takes_list(id) ? "list=1 " : "");
        print_choices(out, id);
        fputs("' ;;\n", out);
    }
    fputs("    esac\n", out);
}

static void print_bash(FILE *out)
{
    fputs("# bash completion for cqlgen\n_cqlgen()\n{\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} "
          "command=${COMP_WORDS[1]} words= list= before=\n",
          out);
    print_programs(out, "${COMP_WORDS[0]##*/}");
    fputs("    COMPREPLY=()\n"
          "    if [[ $current == = ]]; then # of --OPTION=WORD\n        current=\n"
          "    elif [[ $previous == = && $COMP_CWORD -gt 2 ]]; then\n"
          "        previous=${COMP_WORDS[COMP_CWORD-2]}\n    fi\n"
          "    if [[ $current == -* ]]; then\n        case $command in\n",
          out);
    for (CommandId id = 0; id < COMMAND_COUNT; id++) {
        fprintf(out, "        %s) words='", command_pattern(id));
        for (int k = 0; k < OPTION_COUNT; k++)
            if (option_info[k].commands & 1U << id)
                print_bash_option(out, command_info[id].style, &option_info[k]);
        fputs("' ;;\n", out);
    }
    fputs("        esac\n    elif [[ $command == help && $COMP_CWORD -gt 1 ]]; then\n        words='", out);
    print_help_words(out);
    fputs("'\n    elif [[ $command == examples && $COMP_CWORD -gt 1 ]]; then\n        words='", out);
    example_print_names(out);
    fputs("'\n    elif [[ $COMP_CWORD -eq 1 && -z $named ]]; then\n        words='", out);
    print_command_names(out);
    fputs("'\n    fi\n", out);
    print_bash_values(out);
    fputs("    if [[ -n $list && $current == *,* ]]; then # the next word of a list\n"
          "        before=${current%,*},\n    fi\n"
          "    if [[ -n $words ]]; then\n"
          "        COMPREPLY=($(compgen -P \"$before\" -W \"$words\" -- \"${current#\"$before\"}\"))\n"
          "    fi\n"
          "    if [[ ${#COMPREPLY[@]} -eq 0 || $COMP_CWORD -eq 1 ]]; then\n"
          "        local file\n"
          "        while IFS= read -r file; do\n            COMPREPLY+=(\"$file\")\n"
          "        done < <(compgen -f -- \"$current\")\n"
          "    fi\n"
          "}\ncomplete -o filenames -F _cqlgen ",
          out);
    print_program_names(out);
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

static void print_zsh_argument(FILE *out, OptionId id)
{
    fputc(':', out);
    print_help_text(out, option_info[id].argument);
    if (takes_words(id)) {
        fputs(takes_list(id) ? ":_values -s , word " : ":(", out);
        print_choices(out, id);
        fputs(takes_list(id) ? "" : ")", out);
    } else {
        const char *argument = option_info[id].argument;
        fputs(strstr(argument, "FILE") || strcmp(argument, "DIR") == 0 ? ":_files" : ": ", out);
    }
}

static void print_zsh_option(FILE *out, Style style, OptionId id)
{
    const OptionInfo *o = &option_info[id];
    int length;
    for (int no = 0; no <= (o->form == FORM_SWITCH); no++)
        for (const char *names = o->names, *name; (name = next_name(&names, &length));) {
            fprintf(out, "            '*%s%s%.*s%s[", option_dashes(style, length), no ? "no" : "", length,
                    name, style == STYLE_LONG && length > 1 && o->argument ? "=" : "");
            print_help_text(out, o->help);
            fputc(']', out);
            if (o->argument)
                print_zsh_argument(out, id);
            fputs("' \\\n", out);
        }
}

static void print_zsh(FILE *out)
{
    fputs("#compdef ", out);
    print_program_names(out);
    fputs("_cqlgen()\n{\n    local command=${words[2]}\n", out);
    print_programs(out, "${words[1]:t}");
    fputs("    if [[ $CURRENT -eq 2 && -z $named ]]; then\n        _alternative 'commands:command:(", out);
    print_command_names(out);
    fputs(")' 'files:query:_files -g \"*.(cql|cqls)\"'\n        return\n    fi\n"
          "    if [[ -z $named ]]; then\n        shift words\n        ((CURRENT--))\n    fi\n"
          "    case $command in\n",
          out);
    for (CommandId id = 0; id < COMMAND_COUNT; id++) {
        fprintf(out, "    %s)\n        ", command_pattern(id));
        fputs("_arguments \\\n", out);
        for (int k = 0; k < OPTION_COUNT; k++)
            if (option_info[k].commands & 1U << id)
                print_zsh_option(out, command_info[id].style, k);
        fputs("            '*:", out);
        if (id == COMMAND_HELP || id == COMMAND_EXAMPLES) {
            fputs("name:(", out);
            if (id == COMMAND_HELP)
                print_help_words(out);
            else
                example_print_names(out);
            fputs(")'", out);
        } else {
            fputs("file:_files'", out);
        }
        fputs("\n        ;;\n", out);
    }
    // loaded from a folder of completions it is called at once; read by `source` it is registered
    fputs("    esac\n}\n"
          "if [[ ${funcstack[1]} == _cqlgen ]]; then\n    _cqlgen \"$@\"\n"
          "else\n    compdef _cqlgen ",
          out);
    print_program_names(out);
    fputs("fi\n", out);
}

// ---- editors ----------------------------------------------------------------------------------------------

// The kinds of words that editors colour alike, in the order in which a word that is several of them takes one.
static const char *colour_kind(Op op, int kind)
{
    const OpInfo *info = &op_info[op];
    const Row row = info->row;
    const bool known =
        ((info->dialects | info->also) != 0) && row != ROW_STRUCTURE && !strchr(info->name, '*');
    const bool keyword = info->name[0] == ':', reserved = row == ROW_RESERVED || row == ROW_REFUSED;
    const bool is_kind[] = {keyword, op_is_transform(op), row == ROW_FILTER || row == ROW_OLDER,
                            row == ROW_WORD || row == ROW_OLDER_WORD, reserved};
    static const char *const names[] = {"keyword", "transform", "filter", "word", "reserved"};
    return known && is_kind[kind] && (kind == 0 || !keyword) ? names[kind] : NULL;
}

// `KIND WORD` in a line for each word of any dialect, once; keywords of CQL 3 without their colon.
static void print_words(FILE *out)
{
    bool printed[OP_COUNT_] = {false};
    for (int kind = 0; kind < 5; kind++)
        for (int op = 0; op < OP_COUNT_; op++) {
            const char *name = colour_kind((Op)op, kind);
            if (!name || printed[op])
                continue;
            fprintf(out, "%s %s\n", name, op_info[op].name + (kind == 0));
            for (int other = 0; other < OP_COUNT_; other++)
                printed[other] |=
                    op_info[other].row != ROW_STRUCTURE && strcmp(op_info[other].name, op_info[op].name) == 0;
        }
}

bool print_completion(FILE *out, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        print_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(out);
    else if (strcmp(shell, "words") == 0)
        print_words(out);
    else
        return false;
    return true;
}
