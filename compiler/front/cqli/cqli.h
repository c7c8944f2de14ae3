// The dialect CQLi (language reference 13): CQL 6.1 with extensions. It shares the parser of CQL 6.2
// (parser.h); what differs in words and signs stands here, and the filters that only CQLi has.
#ifndef CQL_CQLI_H
#define CQL_CQLI_H

#include "compiler/language/ast.h"

// Parses a CQLi query. As parse_query: NULL when there were errors, everything lives in `arena`.
Query *parse_cqli(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics);

// After the parser of CQL 6.2 has refused a text: adds a note when it is valid CQLi (13.10). `options` are
// those of the failed attempt; nothing is added when they are pedantic.
void cqli_explain_failure(Arena *arena, const Source *source, const ParseOptions *options,
                          Diagnostics *diagnostics);

// ---- for the lexer ----

// Words that CQL 6.2 introduced and that are ordinary names in CQLi (13.9).
bool cqli_is_newer_word(int op);
// The op of a newer word that is a parameter inside `move`, `line` or `pin` of CQLi, else -1.
int cqli_parameter(const char *word, size_t length);
// Signs that CQL 6.2 introduced: `->`, the non-ASCII move and path signs, figurines. Bytes of the sign at
// `text`, or 0.
size_t cqli_is_newer_sign(const char *text);
// Bytes of a named group `\{name}` or `\-{name}` (13.7) at `text`, or 0.
size_t cqli_named_group(const char *text);

// ---- for the parser ----
struct Parser;

// A construct of CQLi has been read. In a file of CQL 6.2 this adds a note where `what`, which begins the
// message, is met first; with ParseOptions.pedantic it fails (13.10).
void cqli_accept(struct Parser *p, Span span, const char *what);

// The filter of CQLi that the next identifier names (13.5, 13.8), or NULL when it names none. What the
// reference leaves open is refused with a message that names it.
Ast *cqli_parse_word(struct Parser *p);

// Refuses the parameters of `move` that the reference leaves open (13.5), if one is next.
void cqli_refuse_move_parameter(struct Parser *p);

// Refuses the keys of `hhdb` whose meaning the reference does not give (13.9).
struct Token;
void cqli_refuse_hhdb_key(struct Parser *p, const struct Token *key);

// "`" primary (13.7)
Ast *cqli_parse_identity(struct Parser *p);

// ":" at, behind the parameters of `move`, which must have been checked: a speculative move (13.5).
Ast *cqli_parse_speculative(struct Parser *p, Ast *move);

// "(" id id ")" of `echo` (13.3) opens a scope with two new position variables; cqli_end_scope gives the
// names their meaning back.
typedef struct EchoScope {
    const char *name[2];
    Variable *outer[2];
} EchoScope;
EchoScope cqli_begin_scope(struct Parser *p, Ast *echo);
void cqli_end_scope(struct Parser *p, const EchoScope *scope);

#endif
