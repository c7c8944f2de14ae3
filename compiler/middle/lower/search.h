// What path and line share (language reference 5.4, 5.5, 5.13). Internal to the lowering.
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
    const char *prefix;          // of the names of its functions
    int functions;               // made so far
    int start, best, best_valid; // slots: positions, and whether there is a best one
    int quick;                   // slot: only existence matters; -1: the best match is wanted
    int log_mark;                // slot: length of the comment log at the start, when `texts`
    bool texts;                  // constituents may add comments
    int text_register;           // for those of the best match, when `texts`
    int mark_set;                // nestban: number of the set of marks
} Search;

enum { UNLIMITED = 100000 }; // Ast.high of repetitions without bound

// Gives the search its slots. `condition`: the value of the filter is not wanted.
Search search_begin(Lower *l, const Ast *ast, const char *kind, bool condition);
// Bool node: sets the slots up, evaluates `first` (INVOKE of the whole list of constituents) and is true iff
// a match was found. Texts of the search are off the log afterwards.
Ir *search_start(Lower *l, const Search *s);
Ir *search_found(Lower *l, const Search *s);
Ir *search_put_texts(Lower *l, const Search *s); // NULL: nothing to do
Ir *search_keep_texts(Lower *l, const Search *s);
Ir *search_quick(Lower *l, const Search *s); // the result of an accepted match
Ir *search_not_marked(Lower *l, const Search *s);

// A function of the search; l->f becomes the new one until search_function_end.
IrFunction *search_function(Lower *l, Search *s, int *number);
void search_function_end(Lower *l, int number, Ir *body, IrFunction *outer);

Ir *store_sum(Lower *l, int slot, int32_t added);
bool match_without_move(const Ast *constituent); // may match without consuming a move or position (path)

// ---- lower_path_memo.c: what the search of a path may leave out (5.5, 5.19) ----

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
Memo memo_plan(Lower *l, const Search *s, bool focus, bool atomic);
Ir *memo_begin(Lower *l, const Memo *memo); // at the start of a search; NULL: nothing to do
// The body of a function that several ways lead to, in the function itself. With MEMO_LONGEST it offers paths
// without a move too.
Ir *memo_wrap(Lower *l, Memo *memo, const Search *s, int best_value, Ir *body);
// False when no path that goes on from here can be longer than the best one. NULL: not known.
Ir *memo_can_improve(Lower *l, const Memo *memo, const Search *s, int count, int best_value);

#endif
