// The comment log (language reference 10.4): what a query adds to the comments of a game, in the order of
// evaluation. Comments of filters that fail are cut off again.
#ifndef CQL_LOG_H
#define CQL_LOG_H

#include "run.h"

typedef struct LogList {
    LogEntry *entry;
    int32_t count;
    size_t capacity;
} LogList;

// The log of the current game.
typedef struct Log {
    LogList list;
    bool wanted;         // the log is kept
    int32_t hits_logged; // hits whose matchstring is in the log
    int32_t first_end;   // texts up to the first hit, with RunOptions.first
    String matchstring;  // NULL: none is added
} Log;

void log_begin_game(Context *c);
void log_append(Context *c, int32_t position, String text);
void log_append_entry(Context *c, LogEntry entry);

// The bytes of a list with its texts, each as often as it is in the list.
size_t log_bytes(const LogList *list);

// Appends a text even beyond the cap.
void log_append_always(Context *c, int32_t position, String text);

// Adds the matchstrings of the hits that are not in the log yet.
void log_hits(Context *c);

// Replaces the contents of a list by a copy of the entries since `mark`.
void log_copy(Context *c, int32_t mark, LogList *list);
// Appends the entries of such a list.
void log_append_list(Context *c, const LogList *list);

// True when the query has none of the QUERY_ flags.
bool log_level_is(const Context *c, uint32_t flags);

// Whether the values of sort keys and the number of the game are written: not at the level silent; in CQL 5,
// `silent` in the header leaves only the texts of `comment` (11.8).
bool log_has_own_texts(const Context *c);
bool log_has_number(const Context *c);

#endif
