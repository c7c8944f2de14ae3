// What the files of this room share. Each uses those above it only.
//   attack.c     attacks and pawn structure as set algebra
//   meanings.c   what is known of locals and slots
//   writes.c     which of them the parts of functions write
//   translate.c  values and conditions of a position as trees without locals, slots and calls
//   pair.c       conditions on two positions
//   reach.c      what calling functions leads to
//   necessary_conditions.c  what must be true for a condition to be true
//   men.c        how many men a game may end with
//   place.c      a condition after a move of White, of Black, and at the start
//   screen.c     the screen of a module
#ifndef CQL_SCREEN_INTERNAL_H
#define CQL_SCREEN_INTERNAL_H

#include "compiler/middle/ir/build.h"
#include "compiler/middle/ir/node_notes.h"
#include "compiler/middle/ir/tree_map.h"
#include "compiler/middle/ir/uses.h"
#include "screen.h"

// All conditions are about one position, "here", and the one before it, from which a move led there. While a position is
// visited that has nothing to do with the one where the visit began, that one is its partner: `echo` compares the two.
enum { NEXT = -1, HERE, BEFORE, ELSEWHERE, PARTNER };

// Ir.mark: what was found of a tree before.
enum { MARK_PLAIN = 4, MARK_NOT_PLAIN = 8 };

// What a local or a slot is known to be.
typedef struct Meaning {
    enum { MEANS_NOTHING, MEANS_VALUE, MEANS_POSITION, MEANS_SLOT, MEANS_LOCAL, MEANS_OTHER } kind;
    Ir *value;  // MEANS_VALUE: translated
    int before; // MEANS_POSITION: HERE, BEFORE or PARTNER; ELSEWHERE is never stored
    int slot;   // MEANS_SLOT: what the slot was at some time of this evaluation
    int local;  // MEANS_LOCAL: the variable of a loop that is being visited
} Meaning;      // MEANS_OTHER: a position that is not HERE

// The meanings of numbered things; a copy of the struct is a copy of them all.
typedef struct Meanings {
    const struct MeaningNode *root;
    int level;
} Meanings;

typedef struct Write Write;

// Shared by all frames of a screen.
typedef struct Search {
    const Module *m;
    Arena *arena;
    int left;                 // nodes that may still be visited
    int work;                 // nodes that may still be looked at or copied on the way
    int depth;                // calls around what is looked at
    bool *open;               // functions that are being visited,
    struct Visited *visited;  // and why
    bool *outside;            // functions that may print, write files or fail,
    bool any_outside;         // of which there are some
    unsigned char *recursive; // by function: of reach_is_recursive; 0: not looked at
    int *asked;               // by function: the question about calls for which it was entered last,
    int question;             // of which this one was the last; 0: none
    Write *write;             // of the functions whose writes have been listed,
    int write_count;          // and their number
    NodeNotes range;          // by part of a function: the first of its writes << 32 | the one after the last
    NodeNotes writers;        // by body of a function: what writes each local
    NodeNotes bounds;         // by translated number: of bound_of
} Search;

// What is known while a tree is visited.
typedef struct Frame {
    Search *search;
    const IrFunction *f;
    Meanings local; // of f
    Meanings slot;  // of the module
    int at;         // the current position: HERE, BEFORE or ELSEWHERE
} Frame;

// ---- attack.c ----
// All sets belong to the same position: boards are those of `at`. Operands are copied, and those that are not const may become
// part of the result. When no work is left for copies, trees are shared.
Ir *attack_attackers(Search *s, Ir *from, int from_kinds, Ir *to, int at); // NULL: the work is not counted
Ir *attack_attacked(Search *s, Ir *from, int from_kinds, int at);
Ir *attack_check(Arena *a, int side, int at); // the king of that side is attacked: a condition
// Some piece of `through` is pinned by one of `from` to one of `to`, which must be kings: a condition.
Ir *attack_pin(const Ir *from, const Ir *through, const Ir *to, int at);
Ir *attack_pawns(Arena *a, IrCall structure, int at); // connected_pawns, doubled_pawns, passed_pawns
Ir *attack_power(const Ir *set, int at);

// ---- meanings.c ----
// meanings_get returns a pointer that is never NULL; what is not known means nothing.
Meanings meanings_new(int count); // numbers below `count`, nothing known
const Meaning *meanings_get(const Meanings *m, int number);
uint64_t meanings_known(const Meanings *m); // bit n % 64: something may be known of number n
void meanings_set(Arena *a, Meanings *m, int number, Meaning meaning);
void meanings_clear(Meanings *m);
// What is known about the next position, or (to_next = false) about another one, which is in `local` (-1: in none).
// A constant remains one.
void meanings_move(Search *s, Meanings *m, bool to_next, int local);

// ---- writes.c ----
// Forgets locals and slots that the tree, a part of the frame's function, writes.
void writes_forget(Frame *f, const Ir *tree);
// Is the local written by one loop over positions and nothing else?
bool writes_by_loop(Search *s, const IrFunction *f, int local);

// ---- translate.c ----
Ir *screen_board(Arena *a, int board, int at);
// Counts the work of copying a tree. False for NULL, and when no work is left: then the result of the search is not used.
bool screen_charge(Search *s, const Ir *tree);
// The tree as one of a screen, or NULL. Assignments in it are noted in the frame.
Ir *translate(Frame *f, const Ir *tree);
// The position that a tree means: NEXT is the one after here.
int translate_position(const Frame *f, const Ir *tree);
// The same condition about the position before; NULL when it cannot be said.
Ir *translate_earlier(const Ir *condition);

// ---- pair.c ----
bool pair_mentions(const Ir *tree); // does it read the partner?
Ir *pair_ply(Arena *a);             // the ply of the partner
Ir *pair_differs(Arena *a);         // the partner is another position
// What follows from a condition on a position and its partner, for a position of the game: *here for this one, *elsewhere for
// some one; each is NULL when nothing follows.
void pair_needs(const Ir *condition, Ir **here, Ir **elsewhere);

// ---- reach.c ----
// Notes the functions whose bodies are seen outside, directly or by a call.
void reach_find_outside(Search *s);
// Can evaluating the tree print, write files or fail with an error? Then a game must be evaluated even if it cannot match.
bool reach_is_seen_outside(Search *s, const Ir *tree);
// Enters a called function; one call too many within each other ends the search, before the stack does.
void reach_enter(Search *s);
// Does the function call itself, or remember earlier calls? Calls by way of a function that is being visited do not count: what is
// known of that function applies to them.
bool reach_is_recursive(Search *s, int function);

// ---- necessary_conditions.c ----
// Conditions each of which is true somewhere in a game where the body of the query is true somewhere, those that rule out most
// first; returns their number.
typedef struct Visited Visited;
Visited *need_new_visited(Arena *a, int functions);
int need_conditions(Frame *f, const Ir *body, Ir ***condition);

// ---- men.c ----
// What a condition on a position says of the men that are left at the end of its game; NULL: nothing.
Ir *piece_count_bound(const Ir *condition);

// ---- place.c ----
// The condition after a move of that kind, folded; NULL when it cannot be said.
Ir *place_condition(const Ir *condition, ScreenPlace place);

#endif
