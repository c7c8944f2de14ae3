// What the files of the printer (query.h) share, lowest first: a file uses only those above it. The one way
// back is print_node, which prints an operand. The functions print_… return strings in the arena.
#ifndef CQL_PRINT_INTERNAL_H
#define CQL_PRINT_INTERNAL_H

#include "compiler/base/text_map.h"
#include "query.h"

// A stem of names, and how many names were made of it.
typedef struct Stem {
    const char *text;
    int names;
    const char *word; // the name that print_word gives, NULL: none yet
} Stem;

// A function that the printed query needs.
typedef struct PrintedFunction {
    const char *name, *parameters, *comment, *body;
} PrintedFunction;

// A line of a comment of the source.
typedef struct PrintedComment {
    uint32_t place; // offset of the line that it follows, or of itself
    uint32_t start;
    const char *text;
} PrintedComment;

// Filters, one a line.
typedef struct Lines {
    const char **line;
    int count;
} Lines;

typedef struct Printer {
    Arena *arena;
    const Query *query;
    Dialect dialect;
    bool older; // the dialect is CQL 5 or CQL 3
    Diagnostics *diagnostics;
    const char **name;    // of each variable by its number
    bool *introduced;     // dictionaries: has it been declared so far?
    bool keeps_functions; // definitions and calls stay as they are in the source
    Stem *stem;
    int stem_count;
    PrintedFunction *function;
    int function_count;
    PrintedComment *comment;
    int comment_count, comments_done;
    bool holds; // long pieces are held
    const char **held;
    int held_count;
    TextMap held_number, stem_number, variable_name, function_text;
    int transforms; // number of surrounding transforms
} Printer;

// ---- tree.c: the entry ------------------------------------------------------------------------------------
// Prints a filter without brackets. `condition`: only its success matters, so a shorter form may do.
const char *print_node(Printer *p, const Ast *node, bool condition);

static inline const char *print_filter(Printer *p, const Ast *node)
{
    return print_node(p, node, false);
}

// ---- deferred_text.c -----------------------------------------------------------------------------------------------
enum { LINE_WIDTH = 70 };
void print_begin_holding(Printer *p);
// The text, or a sign for it if it is long. Equal texts have equal signs.
const char *print_held(Printer *p, const char *text);
bool print_is_long(const char *text);                     // needs more than a line
const char *print_released(Printer *p, const char *text); // with what the signs stand for

// ---- text.c -----------------------------------------------------------------------------------------------
// Reports that CQL 6.2 cannot express a construct; returns an empty string.
const char *print_refuse(Printer *p, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *print_joined(Printer *p, const char *const *text, int count, const char *separator);
bool print_fits_on_a_line(const char *const *text, int count);
const char *print_indented(Printer *p, const char *text);
const char *print_braces(Printer *p, const char *inside); // `{ inside }`, on several lines when it is long

// ---- names.c ----------------------------------------------------------------------------------------------
void print_assign_names(Printer *p);
const char *print_name(const Printer *p, const Variable *v);
// A name that is not used yet: the stem, perhaps with a number.
const char *print_fresh_name(Printer *p, const char *stem);
// The name of a variable that printed functions share: the same for each call.
const char *print_word(Printer *p, const char *stem);
// The name of a function with this body. It will be defined before the first filter.
const char *print_function(Printer *p, const char *stem, const char *parameters, const char *comment,
                           const char *body);
const char *print_functions(Printer *p); // their definitions

// Like printf, and `$stem` in the format is replaced by print_word of the stem.
const char *print_code(Printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Adds a line that is formatted by print_code, unless it is empty.
void print_add(Printer *p, Lines *l, const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *print_added(Printer *p, const Lines *l);
const char *print_block(Printer *p, const Lines *l); // in braces

// ---- comments.c -------------------------------------------------------------------------------------------
void print_collect_comments(Printer *p);
const char *print_comments_before(Printer *p, uint32_t offset); // without those returned before
void print_skip_comments(Printer *p, uint32_t offset);

// ---- literals.c -------------------------------------------------------------------------------------------
const char *print_range(Printer *p, const Range *range); // ` 2 5`; empty: none
const char *print_pieces(Printer *p, uint32_t pieces);
const char *print_designator(Printer *p, const Ast *node);
const char *print_number(Printer *p, int32_t value);
const char *print_string(Printer *p, const Ast *node);
const char *print_quoted(Printer *p, const Ast *node, const char *text, uint32_t length);
const char *print_directions(Printer *p, int directions); // ` up left`; empty: none
const char *print_flags(Printer *p, unsigned flags);      // ` quiet all`; empty: none
const char *print_fen_pattern(Printer *p, const Ast *node);

// ---- layout.c ---------------------------------------------------------------------------------------------
bool print_is_transform(const Ast *node);
const char *print_operation(Printer *p, const Ast *node); // NULL: the node is not a binary operator
const char *print_at_least(Printer *p, const Ast *node, Level level); // in parentheses if it is looser
const char *print_braced(Printer *p, const Ast *node); // in braces unless it is a designator or compound
const char *print_parameter(Printer *p, const char *word, const Ast *set); // ` word SET`; NULL: empty
const char *print_test(Printer *p, const Ast *node); // in braces unless the next word ends it
// The filter node[i] in a list.
const char *print_member(Printer *p, Ast *const *node, int i, int count);
const char *print_list(Printer *p, Ast *const *node, int count);
const char *print_items(Printer *p, Ast *const *node, int count); // items of comment and the like

// ---- regex.c ----------------------------------------------------------------------------------------------
const char *print_regex(Printer *p, const Ast *node); // without brackets around it
const char *print_group(Printer *p, const Ast *node, const char *sign);

// ---- convert_moves.c --------------------------------------------------------------------------------------
const char *print_dash(Printer *p, const Ast *node);
const char *print_legal(Printer *p, const Ast *node);
const char *print_move(Printer *p, const Ast *node);
const char *print_path(Printer *p, const Ast *node);
const char *print_line(Printer *p, const Ast *node);

// ---- older.c: constructs of CQL 5 and CQL 3 that need several filters of CQL 6.2 --------------------------
// The value of OP_ATTACK_PAIRS, OP_RAY_PAIRS or OP_RAY_ENDS, or a test whether it is in a range.
const char *print_pairs(Printer *p, const Ast *node, const Range *range);
// `V >= 1 and V <= 3`. The value is of LEVEL_SUM or tighter.
const char *print_limits(Printer *p, const char *value, int64_t low, int64_t high);
// The same as a list of filters, which mentions a long value only once.
const char *print_long_limits(Printer *p, const char *value, int64_t low, int64_t high);
const char *print_tag_search(Printer *p, const Ast *node, const char *source);

// ---- copies.c: copies under transforms of CQL 5 and CQL 3 -------------------------------------------------
bool print_counts_equal_copies(const Ast *node); // a transform of CQL 5 with a range (11.6)
// Prints such a transform; `value`: the number matters.
const char *print_counted_transform(Printer *p, const Ast *node, bool value);
const char *print_variants(Printer *p, const Ast *node);

// ---- boards.c: comparison of boards under symmetries and shifts -------------------------------------------
// Boards are compared by mapping sets of squares. A transform such as `flip` maps the directions and the
// corner in the function `image`, so in each variant this function is the map. Shifts are loops over the
// variables `files` and `ranks`.
enum { MOST_SQUARES = 64 };

// Bounds for a number of squares.
typedef struct Limits {
    int64_t low, high;
} Limits;

bool print_limits_allow_all(Limits limits);
bool print_limits_allow_none(Limits limits); // only 0
// The test whether a number of squares is within the limits; empty: it always is.
const char *print_count_test(Printer *p, const char *number, Limits limits);

// Names of functions: the image of a set under the surrounding transform, which maps `right`, `up` and `a1`;
// a shifted set; whether the surrounding reflection or rotation is not in its first variant, the identity.
const char *print_image_function(Printer *p);
const char *print_first_square_function(Printer *p);
const char *print_shift_function(Printer *p);
const char *print_moved_function(Printer *p);
// Filters that match when the conditions are true for some shift along files, ranks or both. `prepared` comes
// before the conditions.
const char *print_some_shift(Printer *p, bool along_files, bool along_ranks, const char *prepared,
                             const Lines *conditions);

// ---- convert_relation.c, resemblance.c: relations of CQL 5 and CQL 3 --------------------------------------
const char *print_mapped_squares(Printer *p, const Ast *node); // OP_RELATION_SQUARES
const char *print_resemblance(Printer *p, const Ast *node);    // OP_RESEMBLES

// ---- tidy.c -----------------------------------------------------------------------------------------------
Ast *print_tidy(Arena *arena, Ast *tree); // changes it

#endif
