// The lock of an import. Internal to runtime/database.
#ifndef CQL_DATABASE_LOCK_H
#define CQL_DATABASE_LOCK_H

#include <stdbool.h>

enum {
    LOCK_TAKEN = -1,
    LOCK_NONE = -2
}; // another import has it; the file or its file system cannot be locked

// Locks a database for an import; `create`: makes the file if there is none. Returns a descriptor, to be closed after SQLite's own
// connection (closing it ends the locks that SQLite has in this process), or LOCK_.
int lock_database(const char *name, bool create);

#endif
