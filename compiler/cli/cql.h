// `cqlgen cql`: the command line of the reference program (language reference 02b). Its own options, messages
// on standard output, exit status 0 or 1.
#ifndef CQL_CLI_CQL_H
#define CQL_CLI_CQL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../front/ast.h"

// What follows an option.
typedef enum CqlForm {
    CQL_FORM_NONE,
    CQL_FORM_ONE,
    CQL_FORM_RANGE, // a number, and another one if the next argument is a number
    CQL_FORM_PAIR,
    CQL_FORM_SIMILAR, // [nosort] [notransform] FILE
    CQL_FORM_HHDB     // words of the `hhdb` filter, and a text
} CqlForm;

typedef enum CqlKind {
    CQL_KIND_SETTING,
    CQL_KIND_FILTER,     // adds a filter in front of the query
    CQL_KIND_TRANSFORM,  // wraps the whole query
    CQL_KIND_CONVERSION, // must come first; nothing is searched
    CQL_KIND_REFUSED     // known, but not available
} CqlKind;

typedef struct CqlOptionInfo {
    const char *names; // without dash, separated by spaces; case is ignored
    CqlForm form;
    const char *argument;
    CqlKind kind;
    const char *text;
    const char *help;
} CqlOptionInfo;

typedef enum CqlOptionId {
#define CQL_OPTION(id, names, form, argument, kind, text, help) CQL_OPTION_##id,
#include "cql_options.def"
    CQL_OPTION_COUNT
} CqlOptionId;
extern const CqlOptionInfo cql_option_info[CQL_OPTION_COUNT];

// The filters of one option. `string`: what the empty strings in the text stand for, or NULL.
typedef struct CqlFilter {
    const char *option; // as written, for messages
    const char *text;
    const char *string;
} CqlFilter;

typedef struct CqlArguments {
    Arena *arena;                        // owns the texts made here
    const char *value[CQL_OPTION_COUNT]; // the first argument, "" for an option without, NULL: not given
    int32_t low[CQL_OPTION_COUNT],
        high[CQL_OPTION_COUNT]; // of options with CQL_FORM_RANGE, and of -threads and the like
    CqlFilter *filter;          // in the order of the command line
    int filter_count;
    Op *transform; // the outermost first
    int transform_count;
    const char *query; // name of the query file with its extension, or NULL
    bool hhdb_help;    // -hhdb help
} CqlArguments;

// Reads the command line. After a mistake prints a message (02b: to standard output; for an unknown option
// the help) and returns false. Everything lives in `arena`.
bool cql_read_arguments(CqlArguments *a, Arena *arena, int count, char **argument);

// The option with this name (with its dashes), or CQL_OPTION_COUNT.
CqlOptionId cql_find_option(const char *word);

void cql_print_help(FILE *out);
void cql_print_version(FILE *out);

// Prints an error as 02b wants it, on standard output behind an empty line. Returns false.
bool cql_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Reads a text of at most 10,000,000 bytes into the arena ("-": standard input); prints a message and returns
// false when that fails.
bool cql_read_source(Arena *arena, const char *name, Source *source);

// The command that a conversion option names (02b, "Converting a query"): argument[0] is the option. Returns
// the exit status.
int cql_convert(CqlOptionId option, int count, char **argument);

// Completions for shells, made from the tables of options. Returns false for an unknown shell.
bool print_completion(FILE *out, const char *shell);

int command_cql(int count, char **argument);

#endif
