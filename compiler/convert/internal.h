// What the printer of queries (print_query.h) is made of. A function print_… returns the text of a node,
// which lives in the arena.
#ifndef CQL_PRINT_INTERNAL_H
#define CQL_PRINT_INTERNAL_H

#include "query.h"

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

// A stem of names, and how many names were made of it.
typedef struct Stem {
    const char *text;
    int names;
    const char *word; // the name that print_word gives, NULL: none yet
} Stem;

// A function that the text needs.
typedef struct PrintedFunction {
    const char *name, *parameters, *comment, *body;
} PrintedFunction;

// A line of a comment of the source.
typedef struct PrintedComment {
    uint32_t place; // offset of what it belongs to: the line that it stands behind, or itself
    uint32_t start;
    const char *text;
} PrintedComment;

typedef struct Printer {
    Arena *arena;
    const Query *query;
    Dialect dialect;
    Diagnostics *diagnostics;
    const char **name;    // of each variable by its number
    bool *introduced;     // dictionaries: was it declared in the text so far?
    bool keeps_functions; // definitions and calls stay as they are in the source
    Stem *stem;
    int stem_count;
    PrintedFunction *function;
    int function_count;
    PrintedComment *comment;
    int comment_count, comments_done;
    int transforms;                  // around this place
    const Variable *source, *target; // names of the relation around (CQL 5), NULL: none
} Printer;

// Adds the error that CQL 6.2 has no such construct; returns an empty text.
const char *print_refuse(Printer *p, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// ---- print_names.c ----
void print_give_names(Printer *p);
const char *print_name(const Printer *p, const Variable *v);
// A name that nothing else has: the stem, or one with a number.
const char *print_fresh_name(Printer *p, const char *stem);
// The name of a variable that the functions below share: the same for each call.
const char *print_word(Printer *p, const char *stem);
// The name of a function with this body, which is defined before the first filter.
const char *print_function(Printer *p, const char *stem, const char *parameters, const char *comment,
                           const char *body);
const char *print_functions(Printer *p); // their definitions

// ---- print_comments.c ----
void print_collect_comments(Printer *p);
const char *print_comments_before(Printer *p, uint32_t offset); // those that were not given before
void print_skip_comments(Printer *p, uint32_t offset);

// ---- print_tree.c ----
const char *print_filter(Printer *p, const Ast *node); // not in brackets

// ---- print_layout.c ----
bool print_is_transform(const Ast *node);
bool print_counts_equal_copies(const Ast *node);          // a transform of CQL 5 with a range (11.6)
const char *print_operation(Printer *p, const Ast *node); // NULL: the node is no operator with two operands
const char *print_at_least(Printer *p, const Ast *node, Level level); // in parentheses when it is looser
const char *print_braced(Printer *p, const Ast *node); // in braces unless it is a designator or compound
const char *print_test(Printer *p, const Ast *node);   // in braces unless a word behind it ends it
// The filter node[i] among others behind each other.
const char *print_one_of(Printer *p, Ast *const *node, int i, int count);
const char *print_list(Printer *p, Ast *const *node, int count);  // filters behind each other
const char *print_lines(Printer *p, Ast *const *node, int count); // filters, one a line
const char *print_items(Printer *p, Ast *const *node, int count); // items of comment and the like
const char *print_braces(Printer *p, const char *inside); // `{ inside }`, on several lines when it is long
const char *print_indented(Printer *p, const char *text); // its lines moved to the right
// Texts with a separator between them.
const char *print_joined(Printer *p, const char *const *text, int count, const char *separator);

// ---- print_literals.c ----
const char *print_range(Printer *p, const Range *range); // `2 5 `; empty: none
const char *print_pieces(Printer *p, uint32_t pieces);
const char *print_designator(Printer *p, const Ast *node);
const char *print_number(Printer *p, int32_t value);
const char *print_string(Printer *p, const Ast *node);
const char *print_quoted(Printer *p, const Ast *node, const char *text, uint32_t length);
const char *print_directions(Printer *p, int directions);
const char *print_fen_pattern(Printer *p, const Ast *node);

// ---- print_regex.c ----
const char *print_regex(Printer *p, const Ast *node); // without brackets around it
const char *print_group(Printer *p, const Ast *node, const char *sign);

// ---- print_moves.c ----
const char *print_dash(Printer *p, const Ast *node);
const char *print_legal(Printer *p, const Ast *node);
const char *print_move(Printer *p, const Ast *node);
const char *print_path(Printer *p, const Ast *node);
const char *print_line(Printer *p, const Ast *node);

// ---- print_tidy.c ----
Ast *print_tidy(Arena *arena, Ast *tree); // changes it

// ---- print_older.c: constructs of CQL 5 and CQL 3 that are several of CQL 6.2 ----
// A count that takes several filters (OP_ATTACK_PAIRS, OP_RAY_PAIRS, OP_RAY_ENDS), its value or in a range.
const char *print_pairs(Printer *p, const Ast *node, const Range *range);
// `V >= 1 and V <= 3`. The value is of LEVEL_SUM or tighter.
const char *print_limits(Printer *p, const char *value, int64_t low, int64_t high);
// The same as filters behind each other, for a value that is long.
const char *print_long_limits(Printer *p, const char *value, int64_t low, int64_t high);
const char *print_tag_search(Printer *p, const Ast *node, const char *source);

// ---- print_copies.c: copies under transforms of CQL 5 and CQL 3 ----
// A transform of CQL 5 that counts equal copies each; `value`: the number matters.
const char *print_counted_transform(Printer *p, const Ast *node, bool value);
const char *print_variants(Printer *p, const Ast *node);

// ---- print_relation.c, print_resemblance.c: relations of CQL 5 and CQL 3 ----
const char *print_relation(Printer *p, const Ast *node);
const char *print_relation_number(Printer *p, const Ast *node); // OP_RELATION_LCA
const char *print_resemblance(Printer *p, const Ast *node);     // OP_RESEMBLES

#endif
