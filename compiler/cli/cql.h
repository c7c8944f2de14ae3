// `cqlgen cql` and `cqlgen cqli`: the command lines of the reference program and of CQLi (language reference 02b,
// 13.20). Their own options, messages on standard output, exit status 0 or 1.
#ifndef CQL_CLI_CQL_H
#define CQL_CLI_CQL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/game/game.h"
#include "runtime/search/search.h"
#include "cli.h"

// ---- one run of the program -------------------------------------------------------------------------------
typedef struct CqlRun {
    Console console;
    Arguments arguments;
    CompileOptions options;
    Account account;
    Compiled compiled;
    Source whole;        // the query, followed by the texts of options
    Source *part;        // by filter of an option: its text alone, as shown in messages
    uint32_t *start;     // by filter: its place in `whole`
    ExtraFilters *extra; // by filter
    uint32_t body;       // where the query's own filters begin
    const char *input, *output;
    struct Regex *player, *include, *exclude; // -player, --includetagpattern, --excludetagpattern
    PgnForms forms;
    Engine engine;
    bool engine_open;
    int threads;
    uint64_t sample;       // SearchOptions.sample
    int64_t next_progress; // number of games after which -gui shows the progress again
    bool results_begun;    // -guipgnstdout: the games are being written
} CqlRun;

// Stages. Each returns false after a message.
bool cql_read_query(CqlRun *r);  // and the texts of options
bool cql_parse(CqlRun *r);       // with the filters, settings and transforms of options
bool cql_name_files(CqlRun *r);  // input and output
bool cql_open_engine(CqlRun *r); // makes the matcher
bool cql_run_search(CqlRun *r);  // writes the results

// The input that options name, or NULL.
const char *cql_named_input(const Arguments *a);

// True when the games go to standard output.
bool cql_writes_to_stdout(const Arguments *a);

// -lex, -parse: prints the tokens, and the parsed query.
bool cql_print_query(CqlRun *r);

// ---- other commands ---------------------------------------------------------------------------------------
// Runs a conversion option (02b, "Converting a query"): argument[0] is the option. Returns false after a
// message.
bool cql_convert(OptionId option, int count, char **argument);

extern const char license_text[]; // LICENSE

#endif
