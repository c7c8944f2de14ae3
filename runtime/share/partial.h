// Partial results: files with what the search of one of several parts of the inputs has found (docs/cluster.md).
#ifndef CQL_SHARE_PARTIAL_H
#define CQL_SHARE_PARTIAL_H

#include "runtime/search/search.h"
#include "runtime/value/buffer.h"

// ---- writing ----------------------------------------------------------------------------------------------
typedef struct Partial Partial;

// Opens the file of part `part` of `parts`, counted from 1. `key`: bytes that all parts of one search have in common, from
// which the whole result can be made. `files`: that it reads (fingerprint.h). Returns NULL after a message. The file appears under
// its name when it is complete.
Partial *partial_create(const char *name, int64_t part, int64_t parts, const Buffer *key,
                        const Buffer *files);

// Searches every `parts`-th block, and keeps what it finds in the file. Valid until partial_close.
SearchShare partial_share(Partial *p);

// Ends the file. keep: it gets its name. False after a message when it could not be written.
bool partial_close(Partial *p, bool keep);

// ---- reading ----------------------------------------------------------------------------------------------
typedef struct PartialSet PartialSet;

// Opens the files of all parts of one search, in any order. Returns NULL after messages: a file that is missing, incomplete or
// damaged, parts that are missing, twice there, of different searches, or of different files. Files that differ in their
// times alone are warned of.
PartialSet *partial_set_open(const char *const *name, size_t count);
void partial_set_close(PartialSet *s);

// The files that the parts have read (fingerprint.h). They live as long as the set.
const Buffer *partial_set_files(const PartialSet *s);

// The key of the search. It lives as long as the set.
const char *partial_set_key(const PartialSet *s, size_t *length);

// Searches nothing: all results come from the files. Valid until partial_set_close.
SearchShare partial_set_share(PartialSet *s);

#endif
