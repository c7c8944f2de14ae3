// What the commands that end in a search have in common.
#ifndef CQL_CLI_SEARCHING_H
#define CQL_CLI_SEARCHING_H

#include "cli.h"
#include "runtime/format/groups.h"
#include "runtime/search/search.h"

// The queries of one search: compiled here, or loaded from a matcher.so.
typedef struct Queries {
    CompiledAll all;
    Engine engine;
    bool open; // the engine
} Queries;
void queries_free(Queries *q);

// The first query that must see all games in their order; NULL: none.
const QueryInfo *find_sequential(const Matcher *m);

// Prepares the engine of the compiled queries; false after a message.
bool queries_open(Queries *q, const CompileOptions *options, EngineKind kind, EngineOptions *engine);

// The kind of engine with this name; NULL: ENGINE_AUTO.
EngineKind read_engine(const char *name);

// The journal must not be the output; false after a message.
bool check_journal(const Arguments *a);

// Appends the files that the results depend on (job_put_files), and makes the search end when it finds others; false after a
// message. They must live as long as the search.
bool put_search_files(Buffer *files, const Queries *q, SearchOptions *search);

// Refuses the name of a result whose ending is not that of a format, unless the format is given; false after a message.
bool check_result_name(const char *output, const char *format, bool groups);

// Reads the options of COMMAND_SEARCH that are not about queries; false after a message. free_search_options frees the keys of groups and
// the table of openings.
bool read_search_options(const Arguments *a, SearchOptions *search);
void free_search_options(SearchOptions *search);

// Makes all messages lines of JSON when --report json is given.
void begin_report(const Arguments *a);

// Then the last line: how the search ended, its exit status, and its totals. Nothing otherwise.
void end_report(const Arguments *a, int status, const SearchTotals *t);

// How queries are compiled for a search.
CompileOptions search_compile_options(const Arguments *a, const SearchOptions *search, Account *account);

// Part of it: the options about groups and samples.
bool read_sample(const Arguments *a, uint64_t *sample);
bool read_group_options(const Arguments *a, SearchOptions *search);

// How a search is shared with other processes.
typedef struct Sharing {
    void *user;
    // Called when everything is prepared: may set search->share. Returns STATUS_OK, or another status after a message.
    int (*begin)(void *user, const Arguments *a, const Queries *q, SearchOptions *search);
    // May replace the inputs, before they are looked at; false after a message.
    bool (*find_inputs)(void *user, const Arguments *a, InputNames *inputs, SearchOptions *search);
} Sharing;

// search_upgraded, which a signal ends in good order, and then the program. Sets search->stop.
int search_until_signal(const Engine *engine, Module *const *module, int count, const EngineOptions *options,
                        SearchOptions *search, SearchTotals *totals, EngineKind *used);

// After a search that found nothing: when no name of a player in the games contains the text of the first `player "TEXT"` of the queries, but
// one would without case and accents, says so. Looks at the names of databases, and at up to 64 MB of PGN.
void hint_at_names(const Queries *q, const SearchOptions *search);

// Searches with everything prepared, prints what the options ask for, and returns the exit status. may_upgrade: a
// search that lasts may get a faster matcher.
int run_search(const Arguments *a, const Queries *q, SearchOptions *search, bool may_upgrade,
               const EngineOptions *engine, const Sharing *sharing, SearchTotals *totals);

// Searches as the options say.
int search_as_read(const Arguments *a, const Sharing *sharing, SearchOptions *search, SearchTotals *totals);

// `cqlgen search`, shared with other processes unless `sharing` is NULL.
int search_shared(int count, char **argument, const Sharing *sharing, SearchTotals *totals);

#endif
