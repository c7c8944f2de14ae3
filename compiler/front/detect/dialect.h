// Which dialect a query is written in (language reference 14), and the parser of each.
//
// The compiler reads four languages. CQL 6.2 and CQLi share a parser; all parsers make one typed tree (ast.h).
// CQL 5 comes in two lexical versions.
#ifndef CQL_DIALECT_H
#define CQL_DIALECT_H

#include "compiler/language/query.h"

typedef enum Dialect {
    DIALECT_CQL6,
    DIALECT_CQLI,
    DIALECT_CQL5,  // 5.2
    DIALECT_CQL51, // 5.1 and 5.0
    DIALECT_CQL3,
    DIALECT_NONE // not named by an option
} Dialect;

// How a marker or option spells it: "cql6", "cqli", "cql5", "cql51", "cql3".
const char *dialect_name(Dialect dialect);

// The dialect of a name of 14.2 (case ignored, `cql5.2`, `cql-s` and the like too); DIALECT_NONE when there
// is none.
Dialect dialect_from_name(const char *name, size_t length);

// All names of dialects for messages, separated by commas.
extern const char dialect_names[];

// Decides by 14.1: the option, else the marker, else the rules of 14.3 for queries that CQL 6.2 refuses (which choose
// only what is certain). *why becomes a phrase for messages ("from line 2", "because of
// `relation`", "by option", "default") that lives in the diagnostics' arena. A marker that disagrees with the
// option is a warning; an unknown name in a marker is an error (then the default is returned); a file that
// has evidence for several dialects gets a note that lists it.
Dialect dialect_detect(const Source *source, Dialect option, Diagnostics *diagnostics, const char **why);

// The dialect that a marker names, or DIALECT_NONE.
Dialect dialect_marked(const Source *source);

// Parses a query in its dialect (14.1). A query without option and marker is tried as CQL 6.2 first. Returns NULL when
// there were errors. *dialect and *why (either may be NULL) say what was chosen, as for dialect_detect. When the rules of
// 14.3 chose CQL 5 or CQLi, a note proposes the marker.
Query *parse_any(Arena *arena, const Source *source, Dialect option, const ParseOptions *options,
                 Diagnostics *diagnostics, Dialect *dialect, const char **why);

#endif
