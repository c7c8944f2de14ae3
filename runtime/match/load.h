// Loading a matcher.so.
#ifndef CQL_LOAD_H
#define CQL_LOAD_H

#include "matcher.h"

// Loads the shared object and checks that it is a matcher of this ABI version. Returns NULL and a message
// (malloc'd, the caller frees it) otherwise. The matcher is valid until matcher_unload(*handle).
const Matcher *matcher_load(const char *path, void **handle, char **message);
void matcher_unload(void *handle);

#endif
