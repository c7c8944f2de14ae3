// The cqlgen program: one file for each command.
//
// The files, lowest first: options, console, signals, examples, serve, files, inputs, arguments, compile, explain, convert, completion,
// help, lsp, names, database, import, classify, duplicates, job, many, searching, name_hint, search_command, explore, merge; `cqlgen bench`: bench_run, bench_competitor, bench_report, bench_chart, bench; `cqlgen cql`: cql_html, cql_convert, cql_query, cql_search, cql; main.
#ifndef CQL_CLI_H
#define CQL_CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compiler/api/compile.h"
#include "compiler/back/engine.h"
#include "runtime/database/database.h"
#include "runtime/value/account.h"
#include "options.h"

// The names of the inputs: `words`, with each `@FILE` replaced by the lines of FILE (`@-`: standard input).
// Ignores empty lines. A folder means its files of games, by name: PGN, also compressed, and for a search databases; unless `-q` is
// given, says how many. Prints a message and returns false when a list cannot be read, or a folder has no games. The names are
// copies that inputs_free frees, even after a failure.
typedef struct InputNames {
    const char **name;
    size_t count, capacity;
} InputNames;
bool read_inputs(InputNames *inputs, const Arguments *a, int from);
void inputs_add(InputNames *inputs, const char *name); // as it is
void inputs_free(InputNames *inputs);

// ---- databases --------------------------------------------------------------------------------------------
struct Duplicates;

// Prints the players of a database and their numbers of games. False when the database is damaged.
bool print_players(Database *d);

// What an import leaves out and changes.
typedef struct ImportPlan {
    const struct Duplicates *without; // leaves out the duplicates that were found; NULL: none
    size_t first;                     // of the inputs, among those in which they were found
    AmendFn *amend;                   // changes games; or NULL
    void *amend_user;
    const char *amended; // what the games have that it has changed
} ImportPlan;

// Imports the games of the inputs into the database that -o names; --append adds to it. Returns a STATUS_, after messages.
int import_inputs(const Arguments *a, const InputNames *inputs, const ImportPlan *plan);

// Prints a message about a line of an input, and about a game if its number is not 0.
void print_damage(const char *name, uint64_t line, int64_t game, const char *message);

// duplicates_find with the options of the command line, for as long as `inputs` lives. Games are compared as `plan` amends them.
struct Duplicates *find_duplicates(const Arguments *a, const InputNames *inputs, int64_t fixed,
                                   const ImportPlan *plan, int *status);

// STATUS_OK, or another status after a message: an input cannot be read, or is the output (NULL or "-": standard output).
int check_sources(const InputNames *inputs, const char *output);

// ---- files ------------------------------------------------------------------------------------------------
// True when the string has this ending and something before it.
bool ends_with(const char *text, const char *end);

// The length of the ending of a query's name, .cql or .cqls (of CQL-S), also in capitals; 0: it has none.
size_t query_ending(const char *name);
bool is_query_name(const char *name);

// The name of the query that `--query -` reads from standard input; no real file is named so.
#define STANDARD_QUERY "<standard input>.cql"

// Reads a query of limited size (language reference 1.1; "-" and STANDARD_QUERY: standard input; a shipped one). Returns NULL or an error
// message without `cqlgen: `; both live in the arena.
const char *read_source(Arena *arena, const char *name, Source *source);

// The table of openings that --openings names; NULL when there is none. False after a message. free_openings frees it.
struct Openings;
bool read_openings(const Arguments *a, const struct Openings **table);
void free_openings(const struct Openings *table);

// The same for the spelling file that --spelling names.
struct Spelling;
bool read_spelling(const Arguments *a, const struct Spelling **table);
void free_spelling(const struct Spelling *table);

// Writes a whole file ("-": standard output), which appears only when it is complete. Prints a message to
// stderr and returns false when that fails.
bool write_file(const char *name, const char *text, size_t length);

// Flushes standard output. Prints a message to stderr and returns false when some of it could not be written.
bool flush_output(void);

// ---- compiling --------------------------------------------------------------------------------------------
// The queries of one command.
typedef struct CompiledAll {
    Account account;
    Compiled *compiled;
    Module **module;
    int count;
} CompiledAll;

// Compiles the first `files` words, which name query files, and all -e arguments, named `-e`, or `-e1`, `-e2`
// and so on. False after messages about any of them. compiled_free_all frees the result, even after a
// failure.
bool compile_all(CompiledAll *all, const Arguments *a, int files, const CompileOptions *options);
void compiled_free_all(CompiledAll *all);

// compile_within for all queries, of which there is at least one.
bool compiled_within(const CompiledAll *all, const CompileOptions *options, void (*work)(void *user),
                     void *user);

// False after a message when the command line has --secure: the matcher at `path` must not be loaded.
bool matcher_allowed(const Arguments *a, const char *path);

// The name of the only query of a command line for messages.
const char *query_name(const Arguments *a);

// CompileOptions of the command line, which show everything on stderr; the account gets what --max-memory leaves for queries.
CompileOptions compile_options(const Arguments *a, Account *account);
void show_diagnostics(void *user, const Diagnostics *d);

// compile_read of the query that the command line names, which must be the only one: a message otherwise.
bool compile_read_one(Compiled *c, const Arguments *a, const CompileOptions *options);

// ---- the stages of a query, printed on standard output ----------------------------------------------------
void explain_title(const char *text);
void explain_tree(const Query *query);
void explain_module(const Module *m, bool optimised);
void explain_needs(const Module *m);

// ---- help -------------------------------------------------------------------------------------------------
// Prints what cqlgen is, its commands and options; or only its commands, on one screen.
void print_usage(FILE *out);
void print_commands(FILE *out);

// Prints the completions for a shell, made from the tables of options. Returns false for an unknown shell.
bool print_completion(FILE *out, const char *shell);

#endif
