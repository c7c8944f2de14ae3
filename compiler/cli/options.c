// The tables of commands and options.
#include "options.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

#include "runtime/format/format.h"
#include "compiler/editor/wrap.h"
#include "compiler/front/detect/dialect.h"

const CommandInfo command_info[COMMAND_COUNT] = {
#define COMMAND(id, name, program, style, arguments, function, help)                                         \
    {name, program, STYLE_##style, arguments, help},
#include "options.def"
};

enum {
    S = 1 << COMMAND_SEARCH,
    Q = 1 << COMMAND_EXPLORE,
    C = 1 << COMMAND_COMPILE,
    E = 1 << COMMAND_EXPLAIN,
    V = 1 << COMMAND_CONVERT,
    M = 1 << COMMAND_IMPORT,
    X = 1 << COMMAND_EXPORT,
    N = 1 << COMMAND_INFO,
    F = 1 << COMMAND_VERIFY,
    D = 1 << COMMAND_DUPLICATES,
    T = 1 << COMMAND_CLASSIFY,
    G = 1 << COMMAND_MERGE,
    B = 1 << COMMAND_BENCH,
    W = 1 << COMMAND_SERVE,
    L = 1 << COMMAND_EXAMPLES,
    H = 1 << COMMAND_HELP,
    R = 1 << COMMAND_CQL,
    I = 1 << COMMAND_CQLI
};

#define FORM_NUMBER(low, high) FORM_NUMBER, .least = low, .most = high
#define FORM_SPAN(low) FORM_SPAN, .least = low, .most = INT32_MAX
#define FORM_RANGE(low) FORM_RANGE, .least = low, .most = INT32_MAX
const OptionInfo option_info[OPTION_COUNT] = {
#define OPTION(id, commands_, names_, form_, argument_, kind_, text_, help_)                                 \
    {.commands = commands_,                                                                                  \
     .names = names_,                                                                                        \
     .argument = argument_,                                                                                  \
     .kind = KIND_##kind_,                                                                                   \
     .text = text_,                                                                                          \
     .help = help_,                                                                                          \
     .form = FORM_##form_},
#include "options.def"
};

// ---- names ------------------------------------------------------------------------------------------------

const char *next_name(const char **names, int *length)
{
    const char *name = *names;
    *length = (int)strcspn(name, " ");
    *names += *length + (name[*length] == ' ');
    return *length > 0 ? name : NULL;
}

const char *option_dashes(Style style, int length)
{
    return style == STYLE_LONG && length > 1 ? "--" : "-";
}

// True when the option has a name of this length and text: in the style LONG a letter after one dash, a longer name after
// two, otherwise either, in any case.
static bool has_name(const OptionInfo *o, Style style, size_t dashes, const char *text, size_t wanted)
{
    int length;
    if (o->form == FORM_SWITCH && strncasecmp(text, "no", 2) == 0) {
        text += 2;
        wanted -= 2;
    }
    for (const char *names = o->names, *name; (name = next_name(&names, &length));)
        if ((size_t)length == wanted &&
            (style == STYLE_LONG ? (length > 1) == (dashes == 2) && strncmp(name, text, wanted) == 0
                                 : strncasecmp(name, text, wanted) == 0))
            return true;
    return false;
}

OptionId find_option(CommandId command, const char *word, size_t *end)
{
    const Style style = command_info[command].style;
    const size_t dashes = word[0] != '-' ? 0 : word[1] == '-' ? 2 : 1;
    const char *name = word + dashes;
    const size_t length = style == STYLE_DASH ? strlen(name) : dashes == 2 ? strcspn(name, "=") : 1;
    OptionId id = 0;
    if (end)
        *end = dashes + length;
    if (dashes == 0 || !*name)
        return OPTION_COUNT;
    while (id < OPTION_COUNT && !((option_info[id].commands & 1U << command) &&
                                  has_name(&option_info[id], style, dashes, name, length)))
        id++;
    return id;
}

// ---- values and help ---------------------------------------------------------------------------------------

void option_choices(OptionId id, char *text, size_t size)
{
    size_t length = 0;
    const char *from = id == OPTION_DIALECT  ? dialect_names
                       : id == OPTION_FORMAT ? ""
                                             : option_info[id].argument;
    for (int i = 0; id == OPTION_FORMAT && i < FORMAT_COUNT_; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s", i ? " " : "", format_info[i].name);
    for (; *from && length + 1 < size; from++)
        if (*from != ',')
            text[length++] = *from == '|' ? ' ' : *from;
    text[length] = 0;
}

enum { COLUMN = 26 }; // width of the names of options

void option_title(char *title, size_t size, Style style, const OptionInfo *o)
{
    int length;
    const char *names = o->names, *name;
    size_t used =
        (size_t)snprintf(title, size, "%s", style == STYLE_LONG && strcspn(names, " ") > 1 ? "    " : "");
    while ((name = next_name(&names, &length)) && used < size)
        used += (size_t)snprintf(title + used, size - used, "%s%s%.*s%s", option_dashes(style, length),
                                 o->form == FORM_SWITCH ? "[no]" : "", length, name, *names ? ", " : "");
    if (o->argument && used < size)
        snprintf(title + used, size - used, " %s", o->argument);
}

void print_option(FILE *out, Style style, const OptionInfo *o)
{
    char title[96];
    option_title(title, sizeof title, style, o);
    wrap_entry(out, title, COLUMN, o->help);
}

void print_options(FILE *out, Style style, unsigned commands)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_info[i].commands & commands)
            print_option(out, style, &option_info[i]);
}

void print_command(FILE *out, CommandId id)
{
    const CommandInfo *c = &command_info[id];
    const char *end = strstr(c->help, "; see "); // this help
    fprintf(out, "usage: cqlgen %s\n    %.*s\n", c->arguments, end ? (int)(end - c->help) : INT_MAX, c->help);
    print_options(out, c->style, 1U << id);
}
