// From the text of a query to a module: the stages of compilation in order.
//
// The files of this room, lowest first: compile, upgrade, messages, query, parcel, groups, library_search, board. The interface of the library is
// cqlgen.h.
#ifndef CQL_API_COMPILE_H
#define CQL_API_COMPILE_H

#include "compiler/base/diagnostic.h"
#include "compiler/front/detect/dialect.h"
#include "compiler/middle/ir/ir.h"
#include "cqlgen.h"

typedef struct CompileOptions {
    bool optimize;
    bool fold; // without the optimiser, too, constants: libtcc gives `0 && ((a && 1) || b == c)` no value
    int variations;      // -1: from the header, 0: main line, 1: variations
    const Source *file;  // the query file, when it has been read; or NULL
    const char *dialect; // NULL: detect it
    bool pedantic;       // refuse CQLi features in CQL 6.2
    bool variants,
        no_variants; // read games of variants of chess by their rules, or as chess; neither: as the dialect does
    bool secure;     // refuse filters that use files or programs
    bool spelling;                    // the search has a spelling file
    const char *syzygy;               // folders of endgame tablebases, which `:` separates; or NULL
    const char *syzygy_option;        // sets it, for messages; NULL: --syzygy DIR
    bool runs_elsewhere;              // without them, queries that need them are not refused
    bool diagrams;                    // keep the squares and moves that the query is about
    bool free_moves;                  // `move` filters in a line are not tied to its next move
    const char *where;                // a filter in CQL 6.2 or CQLi that joins the query; or NULL
    const struct GroupSpec *count_by; // adds the expressions among these keys of groups; or NULL
    // Reads a query by its name, as source_read, which NULL means.
    const char *(*read)(Arena *arena, const char *name, Source *source);
    bool warn;                 // about filters that are always true or false
    struct Account *account;   // pays for the arenas and the emitted C (compile_within); NULL: nobody
    const char *memory_option; // sets what it has, for messages; NULL: --max-memory
    // Called with the diagnostics of each stage, which may be none, and with the reason when a stage fails without
    // one: a file that cannot be read. NULL: nothing is shown.
    void (*show)(void *user, const Diagnostics *d);
    void (*fail)(void *user, const char *message);
    void *user; // of show and fail
} CompileOptions;

// A query between its stages.
typedef struct Compiled {
    Arena *arena;
    Source source;
    size_t own_length;   // of the text without those of --where and keys of groups, which follow it
    struct KeyText *key; // these texts, for diagnostics
    int key_count;
    Query *query;
    Dialect dialect;
    const char *dialect_why; // how it was chosen
    Module *module;
    bool from_expression;   // -e
    const Diagnostic *lint; // warnings about its parts (lint.h)
    int lint_count;
} Compiled;

// Runs work(user), which compiles the named query or queries, and charges the account of the options for it. Reports and returns
// false when that needs more memory or time than the account has; what the work made is gone then.
bool compile_within(const CompileOptions *options, const char *name, void (*work)(void *user), void *user);

// Reads a query of limited size (language reference 1.1; "-": standard input). Returns NULL or an error message;
// both live in the arena.
const char *source_read(Arena *arena, const char *name, Source *source);

// True when the text begins with a header, as the text of a query file does.
bool compile_has_header(const char *text);

// Reads a query from a file ("-": standard input) or, when `text` is not NULL, filters from the string, and runs all
// stages, within the account. Shows diagnostics and returns false when the query has errors. compiled_free frees the result, even
// after a failure.
bool compile_query(Compiled *c, const char *name, const char *text, const CompileOptions *options);
void compiled_free(Compiled *c);

// The stages of compile_query, in order; each shows its diagnostics and returns false after errors.
// compile_read makes *c with the tree from the parser; compile_expand replaces the transforms; compile_lower
// makes the module; compile_finish optimises it, unless that is switched off, and verifies it.
bool compile_read(Compiled *c, const char *name, const char *text, const CompileOptions *options);
bool compile_expand(Compiled *c, const CompileOptions *options);
bool compile_lower(Compiled *c, const CompileOptions *options);
bool compile_finish(Compiled *c, const CompileOptions *options);

#endif
