// What path and line share (language reference 5.4, 5.5, 5.13).
//
// A search is a set of functions in continuation style: each matches one constituent at the current position
// and calls the function of what follows it in the list. A function returns true to end the whole search;
// that happens only when nothing but the existence of a match is of interest ("quick"), so elsewhere every
// function returns false and the search is exhaustive. What a function changes it changes back before it
// returns false.
#ifndef CQL_LOWER_SEARCH_H
#define CQL_LOWER_SEARCH_H

#include "moves.h"

typedef struct Search {
    const Ast *ast;
    const char *name;            // of its slots and functions: "path_1"
    int start, best, best_valid; // slots: positions, and whether there is a best one
    int best_value;              // slot, path: its number of moves, or the value of the max filter
    int quick;                   // slot: only existence matters; -1: the best match is wanted
    int log_mark;                // slot: length of the comment log at the start; -1: no texts
    bool texts;                  // constituents may add comments; log_mark is the register of the best ones
    int mark_set;                // nestban: number of the set of marks
} Search;

enum { UNLIMITED = 100000 }; // Ast.high of repetitions without bound

// Gives the search its slots. `condition`: the value of the filter is not wanted.
Search search_begin(Lower *l, const Ast *ast, const char *kind, bool condition);
int search_slot(Lower *l, const Search *s, IrType type, const char *name);

// Bool nodes before, during and after the search. NULL: nothing to do.
Ir *search_start(Lower *l, const Search *s);
Ir *search_none_yet(Lower *l, const Search *s);              // no match was found so far
Ir *search_unless_done(Lower *l, const Search *s, Ir *body); // `firstmatch` tries nothing more after a match
Ir *search_better(Lower *l, const Search *s, Ir *value);     // than the best value, or nothing matched yet
Ir *search_take(Lower *l, const Search *s, Ir *position);    // becomes the end of the best match
Ir *search_keep_texts(Lower *l, const Search *s);
Ir *search_put_texts(Lower *l, const Search *s);
Ir *search_quick(Lower *l, const Search *s); // the result of an accepted match
Ir *search_not_marked(Lower *l, const Search *s);
Ir *search_mark(Lower *l, const Search *s, int position); // marks the position in the local

// A function of the search, which becomes Lower.f until search_function_end. `part` and the constituent name it;
// NULL: the search as a whole.
typedef struct SearchFunction {
    int number;
    IrFunction *outer;
} SearchFunction;
// The number of a constituent among the filters and moves of the search, in the order of the text, from 1.
int search_ordinal(const Search *s, const Ast *constituent);
SearchFunction search_function(Lower *l, const Search *s, const char *part, const Ast *constituent);
int search_function_end(Lower *l, SearchFunction f, Ir *body); // its number

// Slots that are put back: search_save copies them into new locals of the current function.
int *search_save(Lower *l, const int *slot, int count, Ir **code);
Ir *search_restore(Lower *l, const int *slot, int count, const int *local);
// The function that begins a counted repetition: sets the first slot, its counter, to 0 and puts all slots back
// afterwards, for an enclosing run of the same repetition.
int search_enter(Lower *l, const Search *s, const Ast *repeat, int counted, const int *slot, int count);

// ---- memo.c: what the search of a path may leave out (5.5, 5.19) ----

typedef enum MemoKind {
    MEMO_NONE,
    MEMO_VISITED, // a function is not called again at a position in one search
    MEMO_LONGEST  // the longest path from a position is found once a game, for all starts
} MemoKind;

// A counted repetition around what is being lowered, and what of its state matters.
typedef struct PathCounter {
    int done;     // slot: repetitions so far
    int began;    // slot: where the last one began; -1: does not matter
    int32_t most; // all counts from here on are alike
    const struct PathCounter *outer;
} PathCounter;

typedef struct Memo {
    MemoKind kind;
    int number;                 // for the runtime
    bool prune;                 // branches that cannot beat the best path may be left out
    bool first_is_best;         // all paths have the same value: the first one ends the search
    const PathCounter *counter; // the innermost
    int64_t codes;              // given out so far
} Memo;

// `focus`: pieces are followed; `atomic`: there are atomic variables.
// May the constituent of a path match without a move?
bool memo_can_stay(const Ast *constituent);
Memo memo_plan(Lower *l, const Search *s, bool focus, bool atomic);
Ir *memo_begin(Lower *l, const Memo *memo); // at the start of a search; NULL: nothing to do
// The body of a function that several ways lead to, in the function itself. With MEMO_LONGEST it offers paths
// without a move too.
Ir *memo_wrap(Lower *l, Memo *memo, const Search *s, Ir *body);
// False when no path that goes on from here can be longer than the best one. count: slot, the moves so far. NULL:
// not known.
Ir *memo_can_improve(Lower *l, const Memo *memo, const Search *s, int count);

#endif
