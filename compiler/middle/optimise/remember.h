// What the files of the last pass share: remember.c finds conditions worth remembering, position_loops.c loops over positions.
#ifndef CQL_REMEMBER_H
#define CQL_REMEMBER_H

#include "internal.h"

typedef struct LoopLocals LoopLocals; // of position_loops.c

// The places of a local that the pass has come to. Times count such places from 1.
typedef struct Places {
    int count;
    int first, last_write; // when; 0: not yet
} Places;

typedef struct Remember {
    Module *m;
    IrFunction *f;
    int *uses;    // by local of the function: places
    Places *seen; // by local
    int time;
    int *scope; // by local: the scope in which it gets the current position; less than 1: it is anything
    int locals; // of the arrays
    int scopes,
        here;   // parts of the function that are evaluated at one position, numbered from 1; the current one
    int *moved; // by local of a condition that leaves the function: its number in the new one, -1: none yet
    LoopLocals *loop_locals;
    int *slot_uses;     // by slot: places in the module
    int *slot_stored;   // by slot: when the pass came last to a STORE in the function; 0: not yet
    int last_invoke;    // the same of an INVOKE, which may store anything
    TreeMap conditions; // value: 1 + the number of the remembered condition; locals are numbered from 0
} Remember;

// Makes a closed condition a function whose results are remembered; returns its number. Equal conditions have the same.
int remember_condition(Remember *r, Ir *condition);
// The same for a compared condition (runtime/match/calls/members.def).
int remember_compared(Remember *r, Ir *condition);
// The local has the current position.
bool remember_has_current(const Remember *r, int local);
// Nothing in the part of the function that the pass has come to since then can store anything in the slot.
bool remember_is_unchanged(const Remember *r, int slot, int since);
void remember_grow_locals(Remember *r); // after locals were added
// Adds the places in a tree that is new in the function, and takes those off that are in a tree that leaves it.
void remember_note_uses(Remember *r, const Ir *tree);
void remember_forget_uses(Remember *r, const Ir *tree);

// Does a condition depend on nothing but the position at which it is evaluated? Then its results can be remembered.
bool remember_is_closed(const Remember *r, const Ir *condition);

// Whole searches of paths and lines (searches.c).
int *searches_count_slots(const Module *m); // with account_new
bool searches_closed(const Remember *r, const Ir *tree);

// A loop over positions whose own operands have been looked at, the body from the time `since` on. Returns what takes its
// place.
Ir *remember_in_loop(Remember *r, Ir *loop, int since);
void remember_free_loops(Remember *r);

#endif
