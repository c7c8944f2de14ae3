// What path and line share (language reference 5.4, 5.5, 5.13).
//
// A search is a set of functions in continuation style: each matches one constituent at the current position
// and calls the function of what follows it in the list. A function returns true to end the whole search;
// that happens only when nothing but the existence of a match is of interest ("quick"), so elsewhere every
// function returns false and the search is exhaustive. What a function changes it changes back before it
// returns false.
#ifndef CQL_LOWER_LINE_SEARCH_H
#define CQL_LOWER_LINE_SEARCH_H

#include "lower_moves.h"

// A counted repetition that a list of constituents is in the middle of.
typedef struct Counter {
    int done;            // slot: repetitions so far
    int began;           // slot: where the last one began; 0: each one moves
    int32_t least, most; // it may end from `least` on; all counts from `most` on are alike
    const struct Counter *outer;
} Counter;

// What follows a constituent.
typedef struct Rest {
    int function;           // -1: nothing
    bool demands;           // line: it certainly matches at least one position more
    const Counter *counter; // line: else it can match nothing iff all these counters allow it
} Rest;

// ---- what the search of a path may leave out (5.5, 5.19) ----

typedef enum MemoKind {
    MEMO_NONE,
    MEMO_VISITED, // a function is not called again at a position in one search
    MEMO_LONGEST, // the longest path from a position is found once a game, for all starts
    MEMO_EXISTS // only existence matters: whether a function finds a match from a position is found once a game, or
                // once for the pieces in focus
} MemoKind;

typedef struct Memo {
    MemoKind kind;
    int number;         // of the table of what was found; -1: none
    int visits;         // of the table of the functions that one search has visited; -1: none
    bool prune;         // branches that cannot beat the best path may be left out
    bool first_is_best; // all matches have the same value: the first one ends the search
    int64_t codes;      // given out so far
} Memo;

// ---- the search ----

typedef struct Search Search;

typedef struct SearchKind {
    const char *name;
    // The function that matches a constituent that is a filter or a move and goes on with `next`.
    Rest (*leaf)(Lower *l, Search *s, const Ast *constituent, Rest next);
    // The body of a function of a list with what precedes all its constituents; may be NULL.
    Ir *(*before)(Lower *l, const Search *s, int function, Ir *body);
} SearchKind;

// Optional slots; 0: none. `start` is created first, so no other slot of a search has the number 0.
struct Search {
    const SearchKind *kind;
    const Ast *ast;
    const char *name;            // of its slots and functions: "path_1"
    int start, best, best_valid; // slots: positions, and whether there is a best one
    int best_value; // slot: its number of moves (path) or positions (line), or the value of the max filter
    int quick;      // slot: only existence matters; 0: the best match is wanted
    int log_mark;   // slot: length of the comment log at the start; 0: no texts
    bool texts;     // constituents may add comments; log_mark is the register of the best ones
    bool first;     // the first match is wanted
    bool trail;     // moves or alternatives are recorded for comments
    int mark_set;   // nestban: number of the set of marks
    int side;       // slot, line: singlecolor: the side whose positions count; 0
    Memo memo;
    const Ast **leaf;         // its filters and moves and their groups, in the order of the text
    int *ordinal, leaf_count; // the number of each
    int *next_leaf;           // where search_ordinal looks first
};

enum { UNLIMITED = 100000 }; // Ast.high of repetitions without bound

// A function of the search, which is Lower.f until its end.
typedef struct SearchFunction {
    int number;
    IrFunction *outer;
} SearchFunction;

// Gives the search its slots. `condition`: the value of the filter is not wanted.
Search search_begin(Lower *l, const Ast *ast, const SearchKind *kind, bool condition);
int search_slot(Lower *l, const Search *s, IrType type, const char *name);
// Ends function `f`, which offers the current position as the end of a match: `let` leaves its value in the local, or
// fails; `accept`, which may be NULL, is evaluated when the match is the best one.
int search_offer(Lower *l, const Search *s, SearchFunction f, Ir *let, int value, Ir *accept);
// The functions of the constituents before `end`; the first of them.
Rest search_constituents(Lower *l, Search *s, Rest end);
// The whole filter, a bool node. `begin` is evaluated before the search, `run` is the search, `end` follows when it has
// found a match within the range.
Ir *search_filter(Lower *l, const Search *s, Ir *begin, Ir *run, Ir *end);
// The value of the filter, after `search`.
Value search_value(Lower *l, const Search *s, Ir *search);

// Bool nodes. NULL: nothing to do.
Ir *search_invoke(Lower *l, Rest rest);
Ir *search_unless_done(Lower *l, const Search *s, Ir *body); // `firstmatch` tries nothing more after a match
Ir *search_better(Lower *l, const Search *s, Ir *value);     // than the best value, or nothing matched yet
Ir *search_take(Lower *l, const Search *s, Ir *position);    // becomes the end of the best match
Ir *search_put_texts(Lower *l, const Search *s);
// All comments of the match; slots: its length, and the focus set at the start (0: not wanted).
Ir *search_comments(Lower *l, const Search *s, int count, int focus);
Ir *search_quick(Lower *l, const Search *s);      // the result of an accepted match
Ir *search_is_counted(Lower *l, const Search *s); // singlecolor: the position counts

// The number of a constituent among the filters and moves of the search, in the order of the text, from 1.
int search_ordinal(const Search *s, const Ast *constituent);
// Begins a function. `part` and the constituent name it; NULL: the search as a whole.
SearchFunction search_function(Lower *l, const Search *s, const char *part, const Ast *constituent);
int search_function_end(Lower *l, SearchFunction f, Ir *body); // its number
// Ends a function of a list of constituents.
int search_list_end(Lower *l, const Search *s, SearchFunction f, Ir *body);

// Slots that are put back: search_save copies them into new locals of the current function.
int *search_save(Lower *l, const int *slot, int count, Ir **code);
Ir *search_restore(Lower *l, const int *slot, int count, const int *local);

// ---- memo.c ----

// May the constituent match without going on to another position?
bool memo_can_stay(const Search *s, const Ast *constituent);
// `focus`: pieces are followed; `atomic`: there are atomic variables.
Memo memo_plan(Lower *l, const Search *s, bool focus, bool atomic);
Memo memo_plan_line(Lower *l, const Search *s);
// At the start of a search; tracked: slot of the pieces that it follows, 0: none. NULL: nothing to do.
Ir *memo_begin(Lower *l, const Search *s, int tracked);
// The body of a function that several ways lead to, in the function itself, in the middle of these repetitions. With
// MEMO_LONGEST it offers paths without a move too.
Ir *memo_wrap(Lower *l, Search *s, const Counter *counter, Ir *body);
// False when no path that goes on from here can be longer than the best one. count: slot, the moves so far. NULL:
// not known.
Ir *memo_can_improve(Lower *l, const Search *s, int count);

#endif
