// What the files of the lowering share. From the bottom up:
//   place.c      places of filters in the query, for messages
//   value.c      values and conditions, and how operands follow each other
//   facts.c      what the tree says beforehand: uses of variables, effects, sort filters and keys
//   log.c        cutting the comment log back
//   variable.c   the slots of variables, which variables are certainly bound, ranges
//   lower.c      the entry to the families and their tables: lower_condition, lower_value
//   compare.c    comparison, the greatest of several values
// One file or a few a family of filters, which reach each other only through lower.c:
//   calls.c      filters that are one call of the runtime
//   logic.c      compounds, logic, control, arithmetic, relations (2, 7.7, 7.9)
//   sets.c       designators, set algebra, attacks, directions, pawn structure, mates (3)
//   dash.c, legal.c, imaginary.c, lower_moves.c   moves (4, 13.5)
//   line_search.c, memo.c, path.c, line.c         path and line (5)
//   tree.c       the game tree (6)
//   find.c       find, echo, consecutivemoves, similarposition (6, 12.7)
//   names.c      variables, assignments, loops, calls, dictionaries (7)
//   text.c       strings, comments, files, sort (7)
//   tags.c       tags and other facts of the game (9)
//   variants.c   variants of transforms (8.7)
//   lower_relation.c   comparisons under echo transforms, counts of pairs (11)
// On top:
//   show.c       the squares and moves that diagrams show
//   query.c      what the query needs, the body
#ifndef CQL_LOWER_INTERNAL_H
#define CQL_LOWER_INTERNAL_H

#include "compiler/middle/ir/build.h"
#include "compiler/middle/ir/uses.h"
#include "lower.h"

// A lowered value. `pre` is a bool node that must be evaluated first: false means "no value"; NULL means that
// there is nothing to do and always a value. `val` is the value, without effects. Read it after `pre` and
// before anything that could change what it reads; use value_hold when something with effects comes between.
typedef struct Value {
    Ir *pre;
    Ir *val;
} Value;

static inline Value value_of(Ir *pre, Ir *val)
{
    return (Value){pre, val};
}

typedef struct Lower Lower;

// How a filter is lowered: a row of the table of its family. Columns that a row leaves out are 0.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
typedef struct Lowering {
    Value (*value)(Lower *l, const Ast *ast);   // NULL: it has no value
    Ir *(*condition)(Lower *l, const Ast *ast); // NULL: that of the value
    int number;                                 // distinguishes filters of one function
    bool outside_dash;                          // a dash around does not reach its operands (4.3.6)
} Lowering;

// The dash whose target is being lowered (language reference 4.3.6): restricts `from` and `to` at castling
// moves. The constructs named there set Scopes.dash to NULL while they lower their operands.
typedef struct DashScope {
    int left, right; // locals (set) that hold L and R, after that of the move; 0: all squares
} DashScope;

// The path around what is being lowered (5.10): slots of the search in progress.
typedef struct PathScope {
    int start, count, best, best_valid;
} PathScope;

// A forward line around a constituent: the move to which `move` filters are tied (5.13).
typedef struct LineScope {
    int child_local; // the child that the line may go to, -1 at a terminal position
} LineScope;

// What is around the filter that is being lowered; NULL: none.
typedef struct Scopes {
    DashScope *dash;
    PathScope *path;
    LineScope *line;
} Scopes;

// How the query uses a variable. Bits.
typedef uint8_t VariableUse;
enum {
    USE_LOOP = 1,    // by a loop
    USE_UNBOUND = 2, // by `unbind`
    USE_ECHO = 4,    // by echo or consecutivemoves
    USE_OTHER = 8    // by an assignment or a test, outside the loops that bind it, or by a nested loop
};

struct Lower {
    Arena *arena;
    Module *m;
    IrFunction *f;  // being lowered
    uint32_t place; // of the filter that is being lowered: its offset in the source
    Query *query;
    Diagnostics *diagnostics;
    const LowerOptions *options;
    const Lowering *const *family;   // the tables, by Family
    bool variations;                 // the search sees side lines
    int *variable_slot, *bound_slot; // by Variable.number; -1: not yet given
    int *dictionary;                 // by Variable.number
    Scopes in;
    bool imaginary;        // there are imaginary positions: one without parent need not be the root
    bool saves_positions;  // some of them outlive the filter that made them
    int imaginary_level;   // filters around this place that make imaginary positions
    bool in_sort;          // inside the argument of `sort`, where echo keeps only its best hit (6.9)
    int path_status_slots; // first of the slots of "the last path that matched" (5.10), -1: not used
    int sort_filter_count;
    SortKeyInfo *sort_key; // in key order
    int sort_key_count;
    TextMap sort_key_number, pattern_number;
    int records_matches;   // of regular expressions: some filter asks what was found; -1: not known yet
    int search_count;      // paths and lines so far
    int memo_count;        // memos of paths so far
    int common_run_count;  // `consecutivemoves` filters so far, and relations with a common run
    int relation_count;    // relations with comments so far
    VariableUse *use;      // by Variable.number
    int *loop_local; // by Variable.number: local of `loop_function` with the loop variable, -1: its slot
    IrFunction **loop_function;
    uint8_t *bound;                // by Variable.number: 1 when the variable is certainly bound at this place
    int *bound_order, bound_count; // the numbers of those that are, in the order in which they became it
    int uncertain; // > 0: inside a construct whose parts may not be evaluated in the order of lowering
    bool showing;  // in Module.show_function
    bool *written; // of value_join_all: all false between two calls
    int written_size;
};

// ---- value.c ----------------------------------------------------------------------------------------------

// Reports an error at a node of the tree.
void value_error(Lower *l, const Ast *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
// The value of a filter that has none: a program error, reported as such.
Value value_missing(Lower *l, const Ast *ast);
IrType value_type(Type type);
// Abandons the game with RAISE_ `code`; while squares and moves are shown, false.
Ir *value_raise(Lower *l, int code, const char *detail);
// The value in a new local, whatever it is.
Value value_in_local(Lower *l, Value v);
// Makes sure that v.val stays what it is now: moves it into a new local (appended to pre) unless it is a
// constant or a local that nobody else writes.
Value value_hold(Lower *l, Value v);
// Two operands in order: if the second one's `pre` has effects the first is held. Returns the joint pre.
Ir *value_join(Lower *l, Value *a, Value *b);
// The same for any number of operands.
Ir *value_join_all(Lower *l, Value *v, int count);
// The value as a condition of its type: a set must not be empty, others must have a value. Never NULL.
Ir *value_condition(Lower *l, Value v, Type type);
// a `op` b for ints in order; no value when a divisor is 0.
Value value_arithmetic(Lower *l, IrOp op, Value a, Value b);
// A call with a result through a pointer, after `pre`; a new local takes the result.
Value value_out(Lower *l, Ir *pre, Ir *call);
Ir *value_literal(Lower *l, const Ast *ast); // the string of the node
// `a` is a proper ancestor of `b`, or (equal) the same.
Ir *value_is_ancestor(Ir *a, Ir *b, bool equal);
Ir *value_last_position(Lower *l); // the greatest number of a position
// A move led to the current position; its node's parent is the position before that move.
Ir *value_has_parent(Lower *l);
// The position is not imaginary (13.17). NULL: none is here.
Ir *value_is_of_game(Lower *l, Ir *position);
// A position that may be kept until the game ends: an imaginary one is copied (13.17).
Value value_lasting_position(Lower *l, Value position);

// ---- facts.c ----------------------------------------------------------------------------------------------

// Questions of ast_contains_kept.
enum { KEPT_ADDS_TEXT = 1, KEPT_HAS_EFFECTS = 4, KEPT_HAS_FUNCTIONS = 16 };

// The comment level of the header (2.2).
typedef enum CommentLevel { LEVEL_NORMAL, LEVEL_QUIET, LEVEL_SILENT } CommentLevel;
CommentLevel facts_level(const Header *h);
// May evaluating the tree append to the comment log? NULL: no.
bool facts_add_text(const Lower *l, const Ast *ast);
// The same for the first `count` kids.
bool facts_kids_add_text(const Lower *l, const Ast *ast, int count);
// Does evaluating the tree leave something besides its value: assignments, comments, dictionaries, `~~`, sort,
// messages, files, nestban …? NULL: no.
bool facts_have_effects(const Ast *ast);
bool facts_kids_have_effects(const Ast *ast);
// Does the filter write automatic comments?
bool facts_is_loud(const Lower *l, const Ast *ast);

// ---- lower_relation.c ----
// An OP_RELATION_SQUARES that leaves out targets by itself.
bool relation_is_shift(const Ast *ast);
// Evaluates `round` at the targets to which its shift may bring the pieces of the source, until `done`. target: local.
Ir *relation_each_shifted(Lower *l, const Ast *ast, int target, Ir *round, Ir *done);
// Does the node assign a position to a variable of the query?
bool facts_keeps_position(const Ast *node);
// Is it the string of `originalcomment`?
static inline bool is_original_comment(const Ast *node)
{
    return node->op == OP_ORIGINALCOMMENT && node->type == TYPE_STRING;
}
// Finds the uses of variables; numbers the sort filters (Ast.low) and their keys (Ast.high) in the order
// of 10.6.1.
void facts_collect(Lower *l);

// ---- log.c ------------------------------------------------------------------------------------------------

// `node` with the comment log cut back when it fails. adds_text: may it add any text? If not: node.
Ir *log_rollback(Lower *l, Ir *node, bool adds_text);
Ir *log_mark(Lower *l, int local); // leaves the length of the log in a local
Ir *log_cut(Lower *l, int local);  // cuts the log back to that length
// Of the texts after `start` only those after `mark` stay. `texts` is a register, see log_register.
Ir *log_keep_last(Lower *l, int texts, int start, int mark);
int log_register(Lower *l, const char *name); // a register for texts of its own
// A set value that certainly exists: empty when `pre` fails. adds_text: `pre` may add texts, which are
// dropped then.
Value log_set_or_empty(Lower *l, Ir *pre, Ir *val, bool adds_text);

// ---- variable.c -------------------------------------------------------------------------------------------

int variable_slot(Lower *l, const Variable *v); // of its value: of a piece variable the number of the piece
int variable_bound_slot(Lower *l, const Variable *v); // 1 when bound
Ir *variable_read(Lower *l, const Variable *v); // its value: the slot, or a local of the loop that binds it
// May a variable that only such loops use (USE_LOOP or USE_ECHO) be a local in the body of one?
bool variable_may_be_local(const Lower *l, const Variable *v, VariableUse use, const Ast *body);
// Until variable_leave_local it is this one.
void variable_enter_local(Lower *l, const Variable *v, int local);
void variable_leave_local(Lower *l, const Variable *v);
Ir *variable_is_bound(Lower *l, const Variable *v);
Ir *variable_bind(Lower *l, const Variable *v, Ir *value);   // stores the value; the variable is bound
Ir *variable_assign(Lower *l, const Variable *v, Ir *value); // the same; later places may rely on that
Ir *variable_unbind(Lower *l, const Variable *v);
Ir *variable_require_unbound(Lower *l, const Variable *v); // raises RAISE_BOUND unless it is unbound
// Raises RAISE_UNBOUND unless the variable is bound. NULL: it certainly is.
Ir *variable_require_bound(Lower *l, const Variable *v);
// What is certainly bound, for places where evaluation may branch.
int bound_save(Lower *l);
void bound_restore(Lower *l, int saved);
// Inside the body of a loop or echo that binds the variable, until bound_restore.
int bound_enter(Lower *l, const Variable *v);
// A bound of a range as a value; raises RAISE_UNBOUND when its variable has none.
Value range_bound(Lower *l, const Bound *bound);
// The value, an int without effects, is within the range (2.8). TRUE when the range is `count` or absent.
Ir *range_test(Lower *l, const Range *range, Ir *value);

// ---- lower.c ----------------------------------------------------------------------------------------------

// The filter as a condition (2.3): a bool node.
Ir *lower_condition(Lower *l, const Ast *ast);
// The same; when it fails, texts that it added to the comment log are cut off again.
Ir *lower_condition_clean(Lower *l, const Ast *ast);
// The first `count` kids as conditions, in order. NULL: there are none.
Ir *lower_conditions(Lower *l, const Ast *ast, int count);
// The operands of a chain of one operator, in the order of the text.
const Ast **lower_chain(Lower *l, const Ast *ast, int *count);
// The filter for its value. Sets: pre is NULL or ends true.
Value lower_value(Lower *l, const Ast *ast);
// The value in a local: a bool node (true iff there is a value) that leaves it in `local`.
Ir *lower_into(Lower *l, const Ast *ast, int local);
// The operand of a filter that is about another position or the game: a dash around does not reach it (4.3.6).
Value lower_outside_dash(Lower *l, const Ast *ast);
// The kids as values in order, in a new array. Returns the joint pre.
Ir *lower_kids(Lower *l, const Ast *ast, Value **v);
// A runtime call with the values of the kids as its arguments.
Value lower_call(Lower *l, const Ast *ast, IrCall call);
Value lower_call_value(Lower *l, const Ast *ast); // the same; Lowering.number is the call
// The two bounds of a part of a string; *missing: bits of those that are not given.
void lower_slice_bounds(Lower *l, const Ast *ast, Value *bound, int *missing);
int lower_number(const Lower *l, const Ast *ast); // Lowering.number of the filter
Ir *lower_true(Lower *l, const Ast *ast);         // the condition of filters that always match
Ir *lower_false(Lower *l, const Ast *ast);
Value lower_number_value(Lower *l, const Ast *ast); // the value of filters that are Lowering.number

// ---- compare.c --------------------------------------------------------------------------------------------

// a `op` b for values of the type; of sets only equality.
Ir *compare_values(Lower *l, IrOp op, Type type, Ir *a, Ir *b);
// The greatest or least value of the kids, whose type is that of the node; texts of the others are dropped.
Value compare_extreme(Lower *l, const Ast *ast, bool greatest);

// ---- tags.c -----------------------------------------------------------------------------------------------

// A search in `player` as searches in the single names, which a database answers by their columns: true where the value of the
// filter contains the text. NULL: it is another filter, or the text may be across the names.
Ir *tags_search_names(Lower *l, const Ast *ast, IrText text);

// ---- the families -----------------------------------------------------------------------------------------

extern const Lowering lowering_calls[OP_COUNT_], lowering_logic[OP_COUNT_], lowering_sets[OP_COUNT_],
    lowering_names[OP_COUNT_], lowering_text[OP_COUNT_], lowering_tags[OP_COUNT_], lowering_tree[OP_COUNT_],
    lowering_find[OP_COUNT_], lowering_moves[OP_COUNT_], lowering_path[OP_COUNT_], lowering_line[OP_COUNT_],
    lowering_variants[OP_COUNT_], lowering_relation[OP_COUNT_];
// Makes Module.show_function, unless the query is about no squares and moves.
void lower_show(Lower *l);

#endif
