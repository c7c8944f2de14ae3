// A parsed query: its header and its tree; what parsers must know about the run.
#ifndef CQL_QUERY_H
#define CQL_QUERY_H

#include "ast.h"

// Header parameters (2.2).
typedef struct Header {
    const char *input, *output; // NULL: none
    bool variations, quiet, silent, sort_matchcount;
    bool first_is_silent;         // which of quiet/silent came first decides the level
    const char *matchstring;      // NULL: default "CQL"
    Range matchcount, gamenumber; // not present: none
    unsigned results;             // bit per RESULT_ that was demanded; all must be true
} Header;
bool is_pgn_name(const char *text, size_t length); // ends in .pgn or .PGN
int result_number(const char *text);               // the reverse of result_text, or -1
bool tag_is_built_in(const char *name);            // `tag` reads it, `settag` cannot set it (7.15)
bool tag_is_refused(const char *name);             // CQL 6.2 neither reads nor sets it (7.15)

// A parsed query.
typedef struct Query {
    Source source;
    Arena *arena;
    Header header;
    Ast *body;     // OP_COMPOUND of the filters after the header
    bool cql5;     // written in CQL 5: its comments are those of that language
    bool cql3;     // written in CQL 3
    bool cqli;     // written in CQLi: strings are Unicode
    bool variants; // games are read by the rules of their variants (16)
    bool as_chess; // games of all variants are read as chess (16.1)
    const char
        *only_cqli; // CQLi: what CQL 6.2 has not, besides words and signs (14.3), for messages; NULL: nothing
    Span only_cqli_span;
    Variable **variable;
    int variable_count;
} Query;

// Adds a variable to the query; it lives in the query's arena. The name must live as long.
Variable *query_add_variable(Query *query, const char *name, VariableKind kind, Span span);

// Filters of a text of their own that come before those of the query and share its names (--where; options of language
// reference 02b). Each text is read by itself: brackets and comments end in it.
typedef struct ExtraFilters {
    Source source;      // the text, padded with spaces so that its places are those in ParseOptions.whole
    const char *string; // what replaces the empty strings in it, NULL: nothing
    bool is_measure;    // of a key of groups: a measure, which is a number, so a set is its number of squares
    bool in_bands;      // of a key of groups: `KEY/N`, which is a number
} ExtraFilters;

// What the parser must know about the run.
typedef struct ParseOptions {
    int variations;    // -1: as the header says, 0: main line only, 1: variations
    bool filters_only; // the text has no `cql ( … )` header (option -e)
    bool pedantic;     // CQL 6.2 only: nothing of CQLi is accepted (13.10)
    bool spelling;     // there may be a spelling file; without one CQL-S refuses what only it says (12b.6.2)
    const ExtraFilters *extra; // older dialects: in CQL 6.2, with names of their own
    int extra_count;
    const ExtraFilters *key; // keys of groups: one filter each, after those of the query, or after `among`
    int key_count;
    const ExtraFilters
        *among;          // positions that groups count besides: filters before those of the query; or NULL
    const Source *whole; // with extra filters or keys: the query, then their texts; becomes Query.source
} ParseOptions;

#endif
