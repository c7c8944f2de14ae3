// The C back ends that engine.c chooses from. Functions that can fail return NULL or false and set *message
// (malloc'd; the caller frees it).
#ifndef CQL_BACKENDS_H
#define CQL_BACKENDS_H

#include "engine.h"

// ---- tcc.c: libtcc, in memory ----
// A compiled text, or NULL. *matcher is valid until memory_close.
void *memory_open(const char *c_text, const Matcher **matcher, char **message);
void memory_close(void *handle);

// ---- cc.c: the system compiler ----
// The words of the compiler command: options->cc, $CC or cc. Freed with free (one block).
char **cc_command(const EngineOptions *options);
// Compiles to the file `object`. extra: flags (NULL-terminated list or NULL) that follow the usual ones. folder: for the
// compiler's own temporary files, or NULL. A text with a screen on which the compiler fails is compiled once more without it.
bool cc_compile(const char *c_text, size_t length, const char *object, const char *folder,
                const EngineOptions *options, const char *const *extra, char **message);
// Writes what must be unchanged for a compiled object to be reused: command, flags, the compiler's file.
void cc_identity(FILE *out, const EngineOptions *options, const char *const *extra);

// ---- cache.c: compiled matchers, by the hash of what they were made from ----
// Loads the matcher if the cache has it; NULL otherwise. The handle goes to matcher_unload.
void *cache_find(const char *c_text, size_t length, const EngineOptions *options, const Matcher **matcher);
// Builds the matcher, or takes it from the cache, and loads it. The handle goes to matcher_unload.
void *cache_open(const char *c_text, size_t length, const EngineOptions *options, const Matcher **matcher,
                 char **message);

#endif
