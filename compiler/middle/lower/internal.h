// What the files of the lowering share. One file a family of filters:
//   lower_query.c    entry: what the query needs, the body
//   lower.c          dispatch, conditions and values, held values, ranges, the comment log's rollback
//   lower_facts.c    what the tree says beforehand: uses of variables, numbers of sort filters and keys
//   lower_logic.c    compound, logic, control, arithmetic, relations (2, 7.7, 7.9)
//   lower_sets.c     designators, set algebra, attacks, chains, directions, pawn structure, mates (3)
//   lower_names.c    variables, assignment, loops over squares and pieces, dictionaries, calls (7)
//   lower_text.c     strings, regular expressions, conversion, comments, tags, sort (7, 9, 10)
//   lower_tree.c     the game tree: numbers, navigation, find, echo, consecutivemoves (6)
//   lower_moves.c    dash, currentmove, countmoves, legal, from, to, move (4)
//   lower_imaginary.c  speculative moves (13.5)
//   lower_path.c     path; lower_line.c  line (5)
//   lower_variants.c variants of transforms (8.7)
//   lower_relation.c relation, counts of pairs (11)
//   lower_show.c     the squares and moves that diagrams show
#ifndef CQL_LOWER_INTERNAL_H
#define CQL_LOWER_INTERNAL_H

#include "compiler/middle/ir/build.h"
#include "lower.h"

// A lowered value. `pre` is a bool node that must be evaluated first: false means "no value"; NULL means that
// there is nothing to do and always a value. `val` is the value, without effects, to be read after `pre` and
// before anything that could change what it reads (use value_hold when something with effects comes in
// between).
typedef struct Value {
    Ir *pre;
    Ir *val;
} Value;

static inline Value value_of(Ir *pre, Ir *val)
{
    return (Value){pre, val};
}

// The dash whose target is being lowered (language reference 4.3.6): restricts `from` and `to` at castling
// moves. The constructs named there set Lower.dash to NULL while they lower their operands.
typedef struct DashScope {
    int left, right; // locals (set) that hold L and R; -1: all squares
} DashScope;

// The path around what is being lowered (5.10); NULL outside.
typedef struct PathScope {
    int start_slot, count_slot, best_slot, best_valid_slot; // positions and counts of the search in progress
    struct PathScope *outer;
} PathScope;

// A forward line around a constituent: the move to which `move` filters are tied (5.13).
typedef struct LineScope {
    int child_local; // positionid of the child that the line may go to, -1 at a terminal position
} LineScope;

// The relation whose target is being looked at (11.7).
typedef struct RelationScope {
    int source, side; // locals: the position of the source; who is to move there
} RelationScope;

// How the query uses a variable. Bits.
enum {
    USE_ASSIGNED = 1, // by an assignment or `piece v =`
    USE_LOOP = 2,     // by a loop
    USE_UNBOUND = 4,  // by `unbind`
    USE_TESTED = 8,   // isbound, assert
    USE_ECHO = 16,    // by echo or consecutivemoves
    USE_OUTSIDE = 32, // outside the loops that bind it
    USE_NESTED = 64   // by a loop inside another loop that binds it
};
typedef uint8_t VariableUse;

typedef struct Lower {
    Arena *arena;
    Module *m;
    IrFunction *f;  // being lowered
    uint32_t place; // of the filter that is being lowered: its offset in the source
    Query *query;
    Diagnostics *diagnostics;
    const LowerOptions *options;
    bool variations;                 // the search sees side lines
    int *variable_slot, *bound_slot; // by Variable.number; -1: not yet given
    int *dictionary;                 // by Variable.number
    DashScope *dash;
    PathScope *path;
    LineScope *line;
    RelationScope *relation;
    bool imaginary;        // the query tries out moves: a position may have no parent and yet not be the root
    int imaginary_level;   // speculative moves around this place
    bool in_sort;          // inside the argument of `sort` (echo keeps its best hit only, 6.9)
    int path_status_slots; // first of the slots of "the last path that matched" (5.10), -1: not used
    int sort_filter_count;
    SortKeyInfo *sort_key; // in key order
    int sort_key_count;
    int equal_class_count; // relations that visit classes of equal positions, so far
    int memo_count;        // memos of paths so far
    int common_run_count;  // `consecutivemoves` filters so far, and relations with a common run
    int relation_count;    // relations with comments so far
    VariableUse *use;      // by Variable.number
    int *loop_local; // by Variable.number: local of `loop_function` that stands for the loop variable, -1:
                     // its slot
    IrFunction **loop_function;
    uint8_t *bound; // by Variable.number: 1 when the variable is certainly bound at this place
    int uncertain;  // > 0: inside a construct whose parts may not be evaluated in the order of lowering
    bool showing;   // in Module.show_function
} Lower;

// ---- lower.c ----
// The filter as a condition (2.3): a bool node.
Ir *lower_condition(Lower *l, const Ast *ast);
// The filter for its value. Sets: pre is NULL or ends true.
Value lower_value(Lower *l, const Ast *ast);
// The value in a local: a bool node (true iff there is a value) that leaves it in `local`.
Ir *lower_into(Lower *l, const Ast *ast, int local);
IrType ir_type_of(Type type);
// Makes sure that v.val stays what it is now: moves it into a new local (appended to pre) unless it is a
// constant or local that nobody else writes.
Value value_hold(Lower *l, Value v);
// Two operands in order: if the second one's `pre` has effects the first is held. Returns the joint pre.
Ir *values_join(Lower *l, Value *a, Value *b);
// Evaluates `ast` as a condition; when it fails, texts that it added to the comment log are cut off again.
// The plain condition when it cannot add any.
Ir *lower_condition_clean(Lower *l, const Ast *ast);
// The same for bool nodes made otherwise: `node` with the log cut back when it fails (adds_text: may it add
// any?).
Ir *with_rollback(Lower *l, Ir *node, bool adds_text);
// May evaluating the tree append to the comment log (comment, automatic comments, sort …)?
bool adds_text(const Lower *l, const Ast *ast);
bool has_side_effects(const Ast *ast);    // assignments, comments, dictionaries, `~~`, sort,
                                          // messages, files, nestban …
int new_slot(Lower *l, const char *name); // reset to zero at each game
void lower_error(Lower *l, const Ast *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
// The current position is not the root.
Ir *lower_has_parent(Lower *l);
// The range test (2.8): value (an int without effects) lies in it. true when the range is `count` or absent.
Ir *lower_range_test(Lower *l, const Range *range, Ir *value);
// A bound of a range as a value; raises RAISE_UNBOUND when its variable has none.
Value lower_bound(Lower *l, const Bound *bound);
// A bool node that raises RAISE_UNBOUND unless the variable is bound (NULL when it certainly is: persistent
// …).
Ir *require_bound(Lower *l, const Variable *v);
int variable_slot(Lower *l, const Variable *v);       // value
int variable_bound_slot(Lower *l, const Variable *v); // 1 when bound

// The comment level of the header (2.2).
typedef enum CommentLevel { LEVEL_NORMAL, LEVEL_QUIET, LEVEL_SILENT } CommentLevel;
CommentLevel comment_level(const Header *h);

// ---- lower.c, for the files above it ----
// The value as a condition of its type: a set must not be empty, others must have a value. Never NULL.
Ir *condition_of(Lower *l, Value v, Type type);
// A value that certainly exists: a set value that is empty when `pre` fails (text: `pre` may add texts, which
// are dropped then).
Value set_or_empty(Lower *l, Ir *pre, Ir *val, bool text);
// As values_join for any number of operands in order.
Ir *values_join_all(Lower *l, Value *v, int count);
// The value in a local, whatever it is.
Value value_in_local(Lower *l, Value v);
int text_index(Lower *l, const char *text);
// Gives the game up; what is shown of a position is only left out.
Ir *raise_error(Lower *l, int code, const char *detail);
// Numbers kept for the places where evaluation may leave the straight line: what is certainly bound.
uint8_t *bound_save(Lower *l);
void bound_restore(Lower *l, const uint8_t *saved);
void mark_bound(Lower *l, const Variable *v);

// ---- lower_facts.c ----
// Finds the uses of variables; numbers the sort filters (Ast.low) and their keys (Ast.high) in the order
// of 10.6.1.
void collect_facts(Lower *l);

// ---- families: each returns a node for the ops it owns ----
Ir *lower_logic_condition(Lower *l, const Ast *ast);
Value lower_logic_value(Lower *l, const Ast *ast);
Ir *lower_sets_condition(Lower *l, const Ast *ast);
Value lower_sets_value(Lower *l, const Ast *ast);
Ir *lower_names_condition(Lower *l, const Ast *ast);
Value lower_names_value(Lower *l, const Ast *ast);
Ir *lower_text_condition(Lower *l, const Ast *ast);
Value lower_text_value(Lower *l, const Ast *ast);
Ir *lower_tree_condition(Lower *l, const Ast *ast);
Value lower_tree_value(Lower *l, const Ast *ast);
Ir *lower_moves_condition(Lower *l,
                          const Ast *ast); // DASH CURRENTMOVE COUNTMOVES LEGAL FROM TO CASTLE O_O O_O_O
                                           // ENPASSANT ENPASSANTSQUARE NULLMOVE PRIMARY SECONDARY MOVE
Value lower_moves_value(Lower *l, const Ast *ast);
Ir *lower_path_condition(
    Lower *l, const Ast *ast); // PATH PATHSTART PATHLASTPOSITION PATHCOUNT PATHCOUNTUNFOCUSED PATHDEBUG
Value lower_path_value(Lower *l, const Ast *ast);
Ir *lower_line_condition(Lower *l, const Ast *ast); // LINE
Value lower_line_value(Lower *l, const Ast *ast);
// Makes Module.show_function, unless the query is about no squares and moves (lower_show.c).
void lower_show(Lower *l);
// RELATION, its parameters, ATTACK_PAIRS, RAY_PAIRS (lower_relation.c)
Ir *lower_relation_condition(Lower *l, const Ast *ast);
Value lower_relation_value(Lower *l, const Ast *ast);
Ir *lower_variants_condition(Lower *l, const Ast *ast); // VARIANTS (lower_variants.c)
Value lower_variants_value(Lower *l, const Ast *ast);

#endif
