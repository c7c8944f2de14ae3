// The cqlgen program: one file a command.
#ifndef CQL_CLI_H
#define CQL_CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compiler/back/engine.h"
#include "compiler/front/detect/dialect.h"

#define CQLGEN_VERSION "0.1.0"

// Which commands take an option.
enum { COMMAND_COMPILE = 1, COMMAND_SEARCH = 2, COMMAND_EXPLAIN = 4, COMMAND_CONVERT = 8 };

typedef struct OptionInfo {
    const char *name;
    char letter;          // 0: none
    const char *argument; // NULL: takes none
    unsigned commands;
    const char *help;
} OptionInfo;

typedef enum OptionId {
#define OPTION(id, name, letter, argument, commands, help) OPTION_##id,
#include "options.def"
    OPTION_COUNT
} OptionId;
extern const OptionInfo option_info[OPTION_COUNT];

// The command line after the options were taken out of it.
typedef struct Arguments {
    const char *option[OPTION_COUNT]; // argument of the option, "" for one without, NULL: not given
    const char *const *expressions;   // all -e
    int expression_count;
    const char *const *words; // the other arguments, in order
    int word_count;
} Arguments;

// Reads options of `command` (COMMAND_). Prints a message and returns false for an unknown option, a missing
// argument, an option given twice. The arrays point into `argument`, whose order changes.
bool read_arguments(Arguments *a, unsigned command, int count, char **argument);

// A whole number within [low, high]; prints a message that names the option and returns false otherwise.
bool read_number(const char *option, const char *text, int64_t low, int64_t high, int64_t *value);

// A range of game numbers `A-B`, `A-`, `-B` or `A`; 0 stands for no bound. Prints a message and returns false
// otherwise.
bool read_games(const char *text, int64_t *first, int64_t *last);

// The names of the inputs: `words` with each `@FILE` replaced by the lines of FILE (`@-`: of standard input).
// Blank lines are ignored. Prints a message and returns false when a list cannot be read. The names are
// copies; inputs_free frees them, also after a failure.
typedef struct InputNames {
    const char **name;
    size_t count, capacity;
} InputNames;
bool read_inputs(InputNames *inputs, const char *const *words, int count);
void inputs_add(InputNames *inputs, const char *name); // as it is
void inputs_free(InputNames *inputs);

// ---- files ------------------------------------------------------------------------------------------------
// The text has this end and something before it.
bool ends_with(const char *text, const char *end);

// The name ends in .cql or .CQL.
bool is_query_name(const char *name);

// Reads a query ("-": standard input), whose size is limited (language reference 1.1). Returns NULL, or what
// is wrong, without `cqlgen: `; both live in the arena.
const char *read_source(Arena *arena, const char *name, Source *source);

// Writes a whole file ("-": standard output) of `length` bytes, which appears only when it is complete.
// Prints a message to stderr and returns false when that fails.
bool write_file(const char *name, const char *text, size_t length);

// Ends what was printed on standard output. Prints a message to stderr and returns false when some of it
// could not be written.
bool flush_output(void);

// ---- compiling --------------------------------------------------------------------------------------------
typedef struct CompileOptions {
    bool optimize;
    int variations;                                 // -1: as the header says, 0 main line, 1 variations
    const char *dialect;                            // NULL: as the text says
    bool pedantic;                                  // nothing of CQLi in CQL 6.2
    bool diagrams;                                  // wanted: keep what set and move filters are about
    bool free_moves;                                // `move` filters in a line are not tied to its next move
    void (*show)(void *user, const Diagnostics *d); // prints them; NULL: to stderr
    void *user;                                     // of show
} CompileOptions;

// A query between its stages.
typedef struct Compiled {
    Arena *arena;
    Source source;
    Query *query;
    Dialect dialect;
    const char *dialect_why; // how it was chosen
    Module *module;
    bool from_expression; // -e
} Compiled;

// Reads a query from a file ("-": standard input) or, when `text` is not NULL, from the text, and runs all
// stages. Shows diagnostics and returns false when it is refused. The result is freed by compiled_free, also
// after a failure.
bool compile_query(Compiled *c, const char *name, const char *text, const CompileOptions *options);
// Compiles the first `files` words, which name query files, and all -e texts, named `-e`, or `-e1`, `-e2` and
// so on when they are several. False after messages about any of them.
bool compile_all(Compiled *compiled, Module **module, const Arguments *a, int files,
                 const CompileOptions *options);
void compiled_free(Compiled *c);
CompileOptions compile_options(const Arguments *a);

// The stages of compile_query, one after the other; each shows its diagnostics and returns false when there
// were errors. compile_read leaves the tree as the parser made it and makes *c; compile_expand replaces the
// transforms; compile_lower makes the module; compile_finish optimises it, if that is wanted, and checks it.
bool compile_read(Compiled *c, const char *name, const char *text, const CompileOptions *options);
bool compile_expand(Compiled *c, const CompileOptions *options);
bool compile_lower(Compiled *c, const CompileOptions *options);
bool compile_finish(Compiled *c, const CompileOptions *options);

// ---- what a query is compiled to, as text on standard output --------------------------------------
void explain_title(const char *text);
void explain_tree(const Query *query);
void explain_module(const Module *m, bool optimised);
void explain_needs(const Module *m);

// ---- commands; each returns the exit status ---------------------------------------------------------------
int command_compile(int count, char **argument);
int command_search(int count, char **argument);
int command_explain(int count, char **argument);
int command_convert(int count, char **argument);
int command_help(int count, char **argument);
void print_usage(FILE *out);

// True when messages to stderr may have colours.
bool colour_wanted(void);

#endif
