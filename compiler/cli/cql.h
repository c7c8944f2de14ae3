// `cqlgen cql`: the command line of the reference program (language reference 02b). Its own options, messages
// on standard output, exit status 0 or 1.
#ifndef CQL_CLI_CQL_H
#define CQL_CLI_CQL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/search/search.h"
#include "cli.h"

// ---- output -----------------------------------------------------------------------------------------------
// Everything goes to standard output. With -gui it is framed for a program that reads it.
typedef struct CqlConsole {
    bool gui;
} CqlConsole;

typedef enum CqlFrame { CQL_FRAME_MESSAGE, CQL_FRAME_ERROR } CqlFrame;

void cql_print_help(FILE *out);
void cql_print_version(FILE *out);

// Prints an error after an empty line or in a frame. Returns false.
bool cql_complain(const CqlConsole *console, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Print the lines around a group of output; nothing without -gui.
void cql_begin_frame(const CqlConsole *console, CqlFrame frame);
void cql_end_frame(const CqlConsole *console, CqlFrame frame);

// The frames of the output of a search.
const SearchFrames *cql_search_frames(const CqlConsole *console);

// Prints the line `<CqlGuiVariable> NAME VALUE`; nothing without -gui.
void cql_show_variable(const CqlConsole *console, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// ---- options ----------------------------------------------------------------------------------------------
// What follows an option.
typedef enum CqlForm {
    CQL_FORM_NONE,
    CQL_FORM_ONE,
    CQL_FORM_RANGE, // a number, and another one if the next argument is a number
    CQL_FORM_PAIR,
    CQL_FORM_SIMILAR, // [nosort] [notransform] FILE
    CQL_FORM_HHDB     // words of the `hhdb` filter, and a string
} CqlForm;

typedef enum CqlKind {
    CQL_KIND_SETTING,
    CQL_KIND_FILTER,    // adds a filter before the query
    CQL_KIND_TRANSFORM, // wraps the whole query
    CQL_KIND_CONVERSION // must come first; nothing is searched
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

// The filters of one option. `string`: the value of the empty string in the text, or NULL.
typedef struct CqlFilter {
    const char *option; // as written, for messages
    const char *text;
    const char *string;
} CqlFilter;

typedef struct CqlTransform {
    const char *option; // as written
    Op op;
} CqlTransform;

typedef struct CqlArguments {
    CqlConsole *console;                 // -gui takes effect as soon as it is read
    Arena *arena;                        // owns the strings made here
    const char *value[CQL_OPTION_COUNT]; // the first argument, "" for an option without, NULL: not given
    int32_t low[CQL_OPTION_COUNT],
        high[CQL_OPTION_COUNT]; // of options with CQL_FORM_RANGE, and of -threads and the like
    CqlFilter *filter;          // in the order of the command line
    int filter_count;
    CqlTransform *transform; // the outermost first
    int transform_count;
    const char *query; // name of the query file with its extension, or NULL
    bool hhdb_help;    // -hhdb help
} CqlArguments;

// The next name of an option and its length; moves *names past it. NULL: none left.
const char *cql_next_name(const char **names, int *length);

// Reads the command line. After an error prints a message (02b; for an unknown option the help) and returns
// false. Everything lives in `arena`.
bool cql_read_arguments(CqlArguments *a, Arena *arena, CqlConsole *console, int count, char **argument);

// The name of a query file: adds `.cql` to a word without an extension. Prints a message and returns false
// for another extension.
bool cql_name_query(const CqlConsole *console, Arena *arena, const char *word, const char **name);

// The option with this name (with its dashes), or CQL_OPTION_COUNT.
CqlOptionId cql_find_option(const char *word);

// ---- one run of the program -------------------------------------------------------------------------------
typedef struct CqlRun {
    CqlConsole console;
    CqlArguments arguments;
    CompileOptions options;
    Compiled compiled;
    Source whole;        // the query, followed by the texts of options
    Source *part;        // by filter of an option: its text alone, as shown in messages
    uint32_t *start;     // by filter: its place in `whole`
    ExtraFilters *extra; // by filter
    uint32_t body;       // where the query's own filters begin
    const char *input, *output;
    struct Regex *player; // -player
    Engine engine;
    bool engine_open;
    int threads;
    int64_t next_progress; // number of games after which -gui shows the progress again
    bool results_begun;    // -guipgnstdout: the games are being written
} CqlRun;

// The stages, in order (cql_query.c, cql_search.c). Each returns false after a message.
bool cql_read_query(CqlRun *r);  // and the texts of options
bool cql_parse(CqlRun *r);       // with the filters, settings and transforms of options
bool cql_expand(CqlRun *r);      // transforms
bool cql_lower(CqlRun *r);       // to the module
bool cql_optimise(CqlRun *r);    // the module
bool cql_open_engine(CqlRun *r); // makes the matcher
bool cql_name_files(CqlRun *r);  // input and output
bool cql_search(CqlRun *r);      // writes the results

// -lex, -parse: prints the tokens, and the parsed query.
bool cql_print_query(CqlRun *r);

// ---- other commands ---------------------------------------------------------------------------------------
// Runs a conversion option (02b, "Converting a query"): argument[0] is the option. Returns false after a
// message.
bool cql_convert(CqlOptionId option, int count, char **argument);

// Prints the completions for a shell, made from the tables of options. Returns false for an unknown shell.
bool print_completion(FILE *out, const char *shell);

int command_cql(int count, char **argument);

#endif
