// Loading a matcher.so.
#ifndef CQL_LOAD_H
#define CQL_LOAD_H

#include "matcher.h"

// Checks that a loaded matcher fits this program. Returns NULL and a message (malloc'd, the caller frees it) with the name `path`
// otherwise.
const Matcher *matcher_check(const Matcher *m, const char *path, char **message);

// Loads the shared object and checks that it is a matcher that fits this program. Returns NULL and a message
// (malloc'd, the caller frees it) otherwise. The matcher is valid until matcher_unload(*handle).
const Matcher *matcher_load(const char *path, void **handle, char **message);
void matcher_unload(void *handle);

#endif
