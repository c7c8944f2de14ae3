// The tables of a database. Internal to runtime/database.
#ifndef CQL_DATABASE_SCHEMA_H
#define CQL_DATABASE_SCHEMA_H

#include "internal.h"

// Makes the tables in an empty file. False and a message after an error.
bool schema_create(Database *d, char **message);

// Compares the tables of the file with those that an import makes: nothing else may be there but indexes on columns, and the
// statistics of SQLite's ANALYZE. False and a message when they differ.
bool schema_check(Database *d, char **message);

#endif
