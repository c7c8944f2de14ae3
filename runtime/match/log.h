// The comment log (language reference 10.4): what a query adds to the comments of a game, in the order of
// evaluation. Comments of filters that fail are cut off again.
#ifndef CQL_LOG_H
#define CQL_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "matcher.h"

// One added comment.
typedef struct LogEntry {
    int32_t position;
    int32_t part; // one of LOG_, or above 0: of a relation's pair, which becomes a text when the game ends
    String text;
} LogEntry;

// LOG_KEYS: the values of the sort keys. LOG_CONSTITUENT: of a line that is being searched (11.5).
enum { LOG_CONSTITUENT = -2, LOG_KEYS, LOG_TEXT };

typedef struct LogList {
    LogEntry *entry;
    int32_t count;
    size_t capacity;
} LogList;

// The log of the current game.
typedef struct Log {
    LogList list;
    bool wanted;         // it is kept at all
    int32_t hits_logged; // hits whose matchstring is in the log
    String matchstring;  // NULL: none is added
} Log;

void log_begin_game(Context *c);
void log_append(Context *c, int32_t position, String text);
void log_append_entry(Context *c, LogEntry entry);

// Appends a text, also beyond the cap.
void log_append_always(Context *c, int32_t position, String text);

// Adds the matchstrings of the hits that are not in the log yet.
void log_hits(Context *c);

// The entries since `mark`: copied into a list in place of its contents; appended from such a list.
void log_copy(Context *c, int32_t mark, LogList *list);
void log_append_list(Context *c, const LogList *list);

// None of the QUERY_ flags is set.
bool log_level_is(const Context *c, uint32_t flags);

// The game's number and the values of sort keys are written: not at the level silent, and `silent` in the
// header of CQL 5 leaves only the texts of `comment` (11.8).
bool log_has_own_texts(const Context *c);
bool log_has_number(const Context *c);

#endif
