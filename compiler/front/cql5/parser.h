// The parser of CQL 5 from the inside: what the cql5_*.c files share. Everybody else includes cql5.h.
//
// The grammar (language reference 11.2) is right-recursive: a filter that takes a filter takes everything up
// to the end of the enclosing brace, parenthesis or file. Three constructs have two readings (11.3): `not`,
// `or` and transforms of sets are sets where a set is wanted and conditions elsewhere. A parse function
// returns them unread, as OP_NOT, OP_OR or a transform of type set; whoever takes a filter reads it with
// cql5_as_set or cql5_as_condition, exactly once.
//
// Errors take one of two roads. Where the text was understood, cql5_report says what is wrong and the parser
// goes on. Otherwise cql5_fail jumps back to the top level, which goes on at the next line that can begin a
// filter (recover.h).
#ifndef CQL_CQL5_PARSER_H
#define CQL_CQL5_PARSER_H

#include <setjmp.h>

#include "lexer.h"
#include "compiler/front/kit/recover.h"

enum {
    CQL5_MAX_NESTING = 800, // filters inside filters
    CQL5_COPIES = 1         // Ast.low of a transform: its equal copies are counted each (11.6)
};

// A variable bound by `square` or `piece` around this place.
typedef struct Cql5Scope {
    Variable *variable;
    Variable *origin; // its square when it was bound, once `origin` asks for it; else NULL
    struct Cql5Scope *outer;
} Cql5Scope;

// What a name stands for in the whole file.
typedef struct Cql5Name {
    const char *text;
    bool piece;
} Cql5Name;

typedef struct Cql5Parser {
    Arena *arena;
    const Source *source;
    Diagnostics *diagnostics;
    Query *query;
    const Cql5Token *token;
    int position;
    bool old; // 5.1
    int nesting;
    Cql5Scope *scope;
    Cql5Name *name;
    int name_count;
    int skipped; // no token from here on was skipped after an error; 0: none at all
    jmp_buf failed;
} Cql5Parser;

typedef struct Cql5Range {
    bool present;
    int32_t low, high;
} Cql5Range;

// ---- cql5_parser.c: errors, tokens, nodes, readings ------------------------------------------------------
void cql5_report(Cql5Parser *p, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
_Noreturn void cql5_fail(Cql5Parser *p, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Gives up without a message: only after an error has been reported.
_Noreturn void cql5_abandon(Cql5Parser *p);
// Fails with `MESSAGE, found TOKEN` at the next token; silently at one that the lexer has reported.
_Noreturn void cql5_fail_found(Cql5Parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
const Cql5Token *cql5_peek(const Cql5Parser *p);
const Cql5Token *cql5_next(Cql5Parser *p);
bool cql5_at(const Cql5Parser *p, Cql5WordId word);
bool cql5_take(Cql5Parser *p, Cql5WordId word);
bool cql5_at_mark(const Cql5Parser *p, char mark);
bool cql5_take_mark(Cql5Parser *p, char mark);
void cql5_expect(Cql5Parser *p, char mark, const char *where);
// A word as messages show it, with its spelling in CQL 6.2 where that differs.
const char *cql5_spelling(const Cql5Parser *p, Cql5WordId word);
// The number of the next token: an integer, else an error.
int32_t cql5_integer(Cql5Parser *p, const char *purpose);
const Cql5Token *cql5_string(Cql5Parser *p, Cql5WordId word);
// range = [ int [ int ] ]; the range that must stand behind a word.
Cql5Range cql5_range(Cql5Parser *p);
Cql5Range cql5_required_range(Cql5Parser *p, Cql5WordId word);

Ast *cql5_node(Cql5Parser *p, Op op, Type type, Span span);
void cql5_add(Cql5Parser *p, Ast *parent, Ast *kid);
Ast *cql5_with(Cql5Parser *p, Op op, Type type, Ast *kid);              // a node with one kid, its span
Ast *cql5_pair(Cql5Parser *p, Op op, Type type, Ast *left, Ast *right); // with two
Ast *cql5_number(Cql5Parser *p, int32_t number, Span span);
Range cql5_ast_range(Cql5Range range);
// `value` as a number that exists iff it lies in the range: the number is evaluated once.
Ast *cql5_in_range(Cql5Parser *p, Ast *value, Cql5Range range);
void cql5_finish(Cql5Parser *p, Ast *node, Span start); // the span ends at the token read last
Ast *cql5_assign(Cql5Parser *p, Variable *variable, Ast *value);
// A name without `$` is only a proposal for the printer: the variable is hidden.
Variable *cql5_variable(Cql5Parser *p, const char *name, VariableKind kind, Span span);

// The readings of a filter. cql5_as_set reports a filter that is no set; `where` completes "… needs a set".
Ast *cql5_as_set(Cql5Parser *p, Ast *node, const char *where);
Ast *cql5_as_condition(Cql5Parser *p, Ast *node);

// ---- cql5_filters.c: the filter, position filters, loops (11.2 - 11.4, 11.6) -----------------------------
Ast *cql5_filter(Cql5Parser *p); // unread
bool cql5_begins_filter(const Cql5Parser *p);
Ast *cql5_condition(Cql5Parser *p);
Ast *cql5_set(Cql5Parser *p, const char *where);
// `( set set )`
void cql5_two_sets(Cql5Parser *p, Cql5WordId word, Ast *sets[2]);

// ---- cql5_game.c: header, text, tags, sorting ------------------------------------------------------------
void cql5_header(
    Cql5Parser *p,
    int limit); // after an error the parser goes on behind its parenthesis; limit: the token CQL5_END
bool cql5_begins_game_filter(Cql5WordId word); // those that may stand in the header too
Ast *cql5_game_filter(Cql5Parser *p);          // player, elo, year, site, event, result
Ast *cql5_comment(Cql5Parser *p);
Ast *cql5_hascomment(Cql5Parser *p);
Ast *cql5_sort(Cql5Parser *p);
// [ "max" | "min" ] [ string ] behind `sort`, then `value`, which must be a number.
Ast *cql5_sort_node(Cql5Parser *p, Span start);
void cql5_sort_value(Cql5Parser *p, Ast *sort, Ast *value);

// ---- cql5_moves.c: move, next, previous (11.4, 11.5) -----------------------------------------------------
Ast *cql5_move(Cql5Parser *p);
Ast *cql5_line(Cql5Parser *p);

// ---- cql5_relation.c (11.7) ------------------------------------------------------------------------------
Ast *cql5_relation(Cql5Parser *p);

#endif
