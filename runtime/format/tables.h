// The games that were found as an SQLite database (format sqlite), with the tables query, game, tag and hit. Threads write games
// as bytes (write_sqlite); one writer puts them into a temporary file, which is copied to the output when it is complete.
#ifndef CQL_FORMAT_TABLES_H
#define CQL_FORMAT_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/match/matcher.h"
#include "fields.h"

typedef struct Tables Tables;

// Makes the tables in a temporary file without a name, with columns for the fields (none: the usual ones) that the games are
// written with. `context`: moves before and after each position. tables_close frees the result, even after an error.
Tables *tables_open(const Matcher *matcher, const FieldList *fields, int context);
void tables_close(Tables *t);

// Inserts games that write_sqlite has written. False after an error.
bool tables_take(Tables *t, const char *bytes, size_t length);

// Makes the indexes and passes the bytes of the database to `write`. False after an error, of which `write` may be the cause.
bool tables_end(Tables *t, bool (*write)(void *user, const void *bytes, size_t length), void *user);

// The first error, or NULL.
const char *tables_error(const Tables *t);

#endif
