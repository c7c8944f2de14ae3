// What the printer of queries (print_query.h) is made of. A function print_… returns the text of a node,
// which lives in the arena.
#ifndef CQL_PRINT_INTERNAL_H
#define CQL_PRINT_INTERNAL_H

#include "print_query.h"

// The levels of the expression grammar (language reference 2.7): how tight the text of a node is.
typedef enum Level {
    LEVEL_PREFIX, // takes all that follows, or would be continued by it: always in brackets as an operand
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_IN, // also `not`
    LEVEL_RELATION,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_MOVE, // dashes, and words and signs with one set as operand
    LEVEL_ARROW,
    LEVEL_UNION,
    LEVEL_INTERSECTION,
    LEVEL_ATTACK,
    LEVEL_POSTFIX,
    LEVEL_AT,
    LEVEL_PRIMARY
} Level;

typedef struct Printer {
    Arena *arena;
    const Query *query;
    Dialect dialect;
    Diagnostics *diagnostics;
    const char **name;               // of each variable by its number
    bool *introduced;                // dictionaries: was it declared in the text so far?
    int fresh;                       // names made so far
    const Variable *source, *target; // names of the relation around (CQL 5), NULL: none
} Printer;

// Adds the error that CQL 6.2 has no such construct; returns an empty text.
const char *print_refuse(Printer *p, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A name that nothing in the query has.
const char *print_fresh_name(Printer *p, const char *stem);
const char *print_name(const Printer *p, const Variable *v);

// ---- print_tree.c ----
const char *print_filter(Printer *p, const Ast *node);                // not in brackets
const char *print_at_least(Printer *p, const Ast *node, Level level); // in parentheses when it is looser
const char *print_braced(Printer *p, const Ast *node); // in braces unless it is a designator or compound
const char *print_list(Printer *p, Ast *const *node, int count);  // filters behind each other
const char *print_lines(Printer *p, Ast *const *node, int count); // filters, one a line
const char *print_items(Printer *p, Ast *const *node, int count); // items of comment and the like
const char *print_braces(Printer *p, const char *inside); // `{ inside }`, on several lines when it is long

// ---- print_literals.c ----
const char *print_range(Printer *p, const Range *range); // `2 5 `; empty: none
const char *print_pieces(Printer *p, uint32_t pieces);
const char *print_designator(Printer *p, const Ast *node);
const char *print_number(Printer *p, int32_t value);
const char *print_string(Printer *p, const Ast *node);
const char *print_quoted(Printer *p, const Ast *node, const char *text, uint32_t length);
const char *print_directions(Printer *p, int directions);
const char *print_fen_pattern(Printer *p, const Ast *node);

// ---- print_moves.c ----
const char *print_dash(Printer *p, const Ast *node);
const char *print_legal(Printer *p, const Ast *node);
const char *print_move(Printer *p, const Ast *node);
const char *print_path(Printer *p, const Ast *node);
const char *print_line(Printer *p, const Ast *node);

// ---- print_older.c: constructs of CQL 5 and CQL 3 that are several of CQL 6.2 ----
const char *print_attack_pairs(Printer *p, const Ast *node);
const char *print_ray_pairs(Printer *p, const Ast *node);
const char *print_ray_ends(Printer *p, const Ast *node);
const char *print_relation(Printer *p, const Ast *node);
const char *print_relation_number(Printer *p, const Ast *node); // OP_RELATION_LCA
const char *print_counted_transform(Printer *p, const Ast *node);
const char *print_variants(Printer *p, const Ast *node);
const char *print_limits(Printer *p, const char *value, int64_t low,
                         int64_t high); // `V >= 1 V <= 3` of a primary
const char *print_tag_search(Printer *p, const Ast *node, const char *source);

#endif
