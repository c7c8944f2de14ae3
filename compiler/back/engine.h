// Back ends: from modules to a Matcher that runs.
#ifndef CQL_ENGINE_H
#define CQL_ENGINE_H

#include <stdatomic.h>

#include "compiler/middle/ir/ir.h"

typedef enum EngineKind { ENGINE_AUTO, ENGINE_INTERP, ENGINE_TCC, ENGINE_CC } EngineKind;

// A matcher in memory.
typedef struct Engine {
    const Matcher *matcher;
    EngineKind kind;        // the one in use, never ENGINE_AUTO
    void *handle;           // of the back end
    char *c_text;           // ENGINE_AUTO without cc: what cc would compile; otherwise NULL
    size_t c_length, c_own; // its length, and that of the part that was made from the queries
} Engine;

// Options of the C back ends.
typedef struct EngineOptions {
    const char *cc; // compiler command, NULL: $CC, then cc
    bool no_cache;
    const atomic_int *stop; // ends the C compiler when it becomes non-zero; NULL: never
    const Engine
        *like;       // an engine with the C text of the same modules, so that it is not made again; or NULL
    int nice;        // niceness of the C compiler relative to this process, 0 to 19
    bool background; // when it is stopped, do not wait for its end
} EngineOptions;

// Makes one matcher for all modules (one query each) with the given back end. ENGINE_AUTO: cc when the cache has the
// matcher, otherwise tcc, or the interpreter when libtcc cannot be used; the caller may compile with cc in the background. Returns false and
// sets *message (malloc'd, the caller frees it) when the back end failed.
bool engine_open(Engine *e, EngineKind kind, Module *const *module, int count, const EngineOptions *options,
                 char **message);
void engine_close(Engine *e);

// Loads a matcher.so. Refuses another ABI version with a clear message.
bool engine_load(Engine *e, const char *path, char **message);

// How the C text gets cqlgen/matcher.h.
typedef enum HeaderForm {
    HEADER_INCLUDED,
    HEADER_EMBEDDED,
    HEADER_BARE // embedded without its comments, for compiling at once
} HeaderForm;

// The complete C text of a matcher (malloc'd; the caller frees it). *own, unless NULL: with HEADER_BARE, the length
// of the part that was made from the queries.
char *emit_c(Module *const *module, int count, HeaderForm header, size_t *length, size_t *own);

// Compiles C text to a shared object with the system compiler. The file gets its name only when it is
// complete.
bool cc_build(const char *c_text, size_t length, const char *so_path, const EngineOptions *options,
              char **message);

// Why the folder in which ENGINE_AUTO and ENGINE_CC keep compiled queries is not used: others could put theirs in it. A message
// for people (malloc'd, the caller frees it); NULL: it is used, or there is none.
char *cache_warning(void);

const char *engine_name(EngineKind kind);

#endif
