// The parser of CQL 5 from the inside: what its files share. Everybody else includes cql5.h.
//
// The grammar (language reference 11.2) is right-recursive: a filter with a filter as operand takes everything up
// to the end of the enclosing brace, parenthesis or file. Three constructs have two readings (11.3): `not`,
// `or` and transforms of sets are sets where a set is expected and conditions elsewhere. A parse function
// returns them unread, as OP_NOT, OP_OR or a transform of type set; the caller reads it with
// cql5_as_set or cql5_as_condition, exactly once.
#ifndef CQL_CQL5_PARSER_H
#define CQL_CQL5_PARSER_H

#include "lexer.h"
#include "compiler/front/shared/build.h"
#include "compiler/front/shared/parser.h"

enum { CQL5_COPIES = 1 }; // Ast.low of a transform: each of its equal copies counts (11.6)

// A variable bound by `square` or `piece` around this place.
typedef struct Cql5Scope {
    Variable *variable;
    Variable *origin; // its square when it was bound, once `origin` asks for it; else NULL
    struct Cql5Scope *outer;
} Cql5Scope;

// What a name means in the whole file.
typedef struct Cql5Name {
    const char *text;
    bool piece;
} Cql5Name;

// The state of the parser besides what all parsers have.
typedef struct Cql5 {
    bool old; // 5.1
    bool pedantic;
    Cql5Scope *scope;
    Cql5Name *name;
    int name_count;
    Variable *source, *target; // of the `relation` around this place
    int skipped;               // no token from here on was skipped after an error; 0: none at all
} Cql5;

static inline Cql5 *own(const Parser *p)
{
    return p->own;
}

// ---- readings.c: words, numbers, the two readings ----------------------------------------------------------
// A word as messages show it, with its spelling in CQL 6.2 where that differs.
const char *cql5_spelling(Parser *p, Op word);
// The number of the next token: an integer, else an error.
int32_t cql5_integer(Parser *p, const char *purpose);
const Token *cql5_string(Parser *p, Op word);
// range = [ int [ int ] ]; the range that must follow a word.
Range cql5_range(Parser *p);
Range cql5_required_range(Parser *p, Op word);

// A name without `$` is only a proposal for the printer: the variable is hidden.
Variable *cql5_variable(Parser *p, const char *name, VariableKind kind, Span span);

// A template of CQL 6.2 (cql6_template) with at most two operands.
Ast *cql5_tree(Parser *p, Span span, const char *text, Ast *first, Ast *second);

// The readings of a filter. cql5_as_set reports a filter that is not a set; `where` completes "… needs a set".
Ast *cql5_as_set(Parser *p, Ast *node, const char *where);
Ast *cql5_as_condition(Parser *p, Ast *node);

// ---- filters.c: the filter, position filters, loops (11.2 - 11.4, 11.6) -----------------------------
Ast *cql5_filter(Parser *p); // unread
bool cql5_begins_filter(const Token *t);
Ast *cql5_condition(Parser *p);
Ast *cql5_set(Parser *p, const char *where);
Ast *cql5_word(Parser *p); // a filter that begins with a word

// ---- game.c: header, text, tags, sorting ------------------------------------------------------------
void cql5_header(Parser *p);
unsigned cql5_colour(Parser *p); // AST_WHITE, AST_BLACK; 0: not written
void cql5_set_text(Ast *node, const Token *text);
Ast *cql5_elo(Parser *p);
Ast *cql5_result(Parser *p);
Ast *cql5_comment(Parser *p);
Ast *cql5_sort(Parser *p);
// [ "max" | "min" ] [ string ] after `sort`, then `value`, which must be a number.
Ast *cql5_sort_node(Parser *p, Span start);
void cql5_sort_value(Parser *p, Ast *sort, Ast *value);

// ---- parse_moves.c: move, next, previous (11.4, 11.5) -----------------------------------------------
Ast *cql5_move(Parser *p);
Ast *cql5_line(Parser *p);

// ---- parse_relation.c (11.7) ------------------------------------------------------------------------
Ast *cql5_relation(Parser *p);

#endif
