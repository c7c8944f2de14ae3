// Where a search puts what it has to say: standard output and standard error, or another program that has called it.
#ifndef CQL_SEARCH_SINK_H
#define CQL_SEARCH_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/database/database.h"
#include "runtime/format/format.h"
#include "runtime/format/groups.h"
#include "runtime/value/buffer.h"

struct SearchOptions;
struct VisitedGame;

// Takes what a search writes. With a sink the search opens no output and prints nothing.
typedef struct SearchSink {
    void *user;
    // Appends a matching game to `out`; called by any thread. NULL: only the totals are wanted.
    void (*write)(void *user, Buffer *out, const FoundGame *game, FormatMemory *memory);
    // Instead: is shown each game, and appends what `take` gets; called by any thread. The matcher has no queries.
    void (*visit)(void *user, Buffer *out, struct VisitedGame *game);
    AmendFn *amend; // with `visit`: changes games of PGN before they are shown; or NULL
    void *amend_user;
    unsigned chunk_parts; // with `visit`, CHUNK_: what it needs of all games of a database
    unsigned flags;       // FORMAT_: what `write` needs
    bool squares;         // `write` needs the squares of set filters, too
    // Takes what `write` has appended for one or more games, in the order of the result, by one thread at a time.
    // False: the search ends.
    bool (*take)(void *user, const char *bytes, size_t length);
    // Takes the groups of SearchOptions.count_by at the end of the search.
    void (*groups)(void *user, const GroupTable *table, const Matcher *matcher);
    // Takes whole lines: reports about inputs and games, in their order, made by line_format (terminal.h), or else the output of
    // `message` filters, as it is.
    // Called by any thread, by one at a time for all but reports about programs of commandpipe.
    void (*tell)(void *user, bool is_report, const char *text, size_t length);
} SearchSink;

// Reports a line about the search as a whole: `cqlgen: TEXT` on standard error, or the text to the sink.
void sink_report(const struct SearchOptions *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Reports complete lines that line_format has made.
void sink_lines(const struct SearchOptions *o, const Buffer *lines);

#endif
