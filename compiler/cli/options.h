// The commands of cqlgen and their options, from the tables in options.def, and the parser of command lines.
#ifndef CQL_CLI_OPTIONS_H
#define CQL_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compiler/base/arena.h"
#include "compiler/language/table.h"
#include "console.h"

// ---- commands ---------------------------------------------------------------------------------------------
typedef enum CommandId {
#define COMMAND(id, name, program, style, arguments, function, help) COMMAND_##id,
#include "options.def"
    COMMAND_COUNT
} CommandId;

typedef enum Style {
    STYLE_LONG, // `-x` or `--name`, with the value after it, attached or not; words anywhere
    STYLE_DASH // `-name` or `--name` in any case; then its values; at last the query (language reference 02b)
} Style;

typedef struct CommandInfo {
    const char *name, *program;
    Style style;
    const char *arguments;
    const char *help;
} CommandInfo;
extern const CommandInfo command_info[COMMAND_COUNT];

// Each runs with the arguments after the command and returns the exit status.
#define COMMAND(id, name, program, style, arguments, function, help) int function(int count, char **argument);
#include "options.def"

// ---- options ----------------------------------------------------------------------------------------------
// What follows an option.
typedef enum OptionForm {
    FORM_NONE,
    FORM_ONE,
    FORM_LIST,   // one; the option may be repeated
    FORM_PGN,    // the name of a PGN file; cqli: or `stdout`
    FORM_CHOICE, // one of some words
    FORM_NUMBER,
    FORM_RANGE,   // a number, and another one if the next argument is a number
    FORM_SPAN,    // A-B, A-, -B or A
    FORM_PART,    // K/N
    FORM_SWITCH,  // nothing; the option has an opposite with `no` before its name
    FORM_PAIR,    // two; the option may be repeated
    FORM_SIMILAR, // [nosort] [notransform] FILE
    FORM_HHDB     // words of the `hhdb` filter, and a string
} OptionForm;

typedef enum OptionKind {
    KIND_SETTING,
    KIND_FILTER,    // adds a filter before the query
    KIND_TRANSFORM, // wraps the whole query
    KIND_CONVERSION // must come first; nothing is searched
} OptionKind;

typedef struct OptionInfo {
    unsigned commands; // 1 << CommandId
    const char *names; // without dashes, separated by spaces
    OptionForm form;
    int64_t least, most; // of numbers
    const char *argument;
    OptionKind kind;
    const char *text;
    const char *help;
} OptionInfo;

typedef enum OptionId {
#define OPTION(id, commands, names, form, argument, kind, text, help) OPTION_##id,
#include "options.def"
    OPTION_COUNT
} OptionId;
extern const OptionInfo option_info[OPTION_COUNT];

// The next name in a list separated by spaces, and its length; moves *names past it. NULL: none left.
const char *next_name(const char **names, int *length);

// The dashes before a name of an option.
const char *option_dashes(Style style, int length);

// The option of the command with this name, or OPTION_COUNT. *end, unless NULL: the length of dashes and name.
OptionId find_option(CommandId command, const char *word, size_t *end);

// Writes the words that an option with FORM_CHOICE takes, separated by spaces.
void option_choices(OptionId id, char *text, size_t size);

// Writes the names of an option and its argument: `-n, --limit N`; without a short name after four spaces.
void option_title(char *title, size_t size, Style style, const OptionInfo *o);

// Print an option, all options of some commands (bits), and how a command is used, with its options.
void print_option(FILE *out, Style style, const OptionInfo *o);
void print_options(FILE *out, Style style, unsigned commands);
void print_command(FILE *out, CommandId command);

// ---- command lines ----------------------------------------------------------------------------------------
// The filters of one option. `string`: the value of the empty string in the text, or NULL.
typedef struct AddedFilter {
    const char *option; // as written, for messages
    const char *text;
    const char *string;
} AddedFilter;

typedef struct AddedTransform {
    const char *option; // as written
    Op op;
} AddedTransform;

typedef struct Arguments {
    CommandId command;
    Console *console;                // NULL: messages go to stderr. -gui takes effect as soon as it is read
    Arena *arena;                    // owns what is made here; NULL: the command has no option that needs it
    const char *value[OPTION_COUNT]; // the first value, "" for an option without, NULL: not given
    bool off[OPTION_COUNT];          // given with `no`
    int64_t low[OPTION_COUNT], high[OPTION_COUNT]; // numbers and ranges; 0: none
    const char *const
        *words; // STYLE_LONG: all --example as names of files, then arguments that are not options
    int word_count, example_count;
    const char *const *expressions; // all -e
    int expression_count;
    const char *const *competitors; // all --against
    int competitor_count;
    const char *query;   // STYLE_DASH: the name of the query file with its extension, or NULL
    AddedFilter *filter; // in the order of the command line
    int filter_count;
    AddedTransform *transform; // the outermost first
    int transform_count;
    struct VariantAlias *alias; // --variantalias
    int alias_count;
    bool hhdb_help; // -hhdb help
} Arguments;

// Reads the arguments after a command. After an error prints a message and returns false. The arrays point into
// `argument`, whose order changes. `console` is for STYLE_DASH.
bool read_arguments(Arguments *a, CommandId command, Console *console, Arena *arena, int count,
                    char **argument);

// An option with FORM_SWITCH, or `missing` when it is not given.
bool is_on(const Arguments *a, OptionId id, bool missing);

// The name of a query file: adds `.cql` to a word without an extension. Prints a message and returns false
// for another extension.
bool name_query(const Console *console, Arena *arena, const char *word, const char **name);

#endif
