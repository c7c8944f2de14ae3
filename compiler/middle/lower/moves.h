// What path constituents share with the move filters (language reference 4.3, 5.4). Internal to the lowering.
#ifndef CQL_LOWER_MOVES_H
#define CQL_LOWER_MOVES_H

#include "internal.h"

// Small builders. Every call makes new nodes; trees never share nodes.
Ir *move_node(Lower *l, int field, int position_local); // field of the tree node that a local names
Ir *move_flag(Lower *l, int flags, int position_local); // some of the MOVE_ flags is set

// Evaluates the left and right side of a dash at the current position into locals. May return NULL: nothing
// to do. Nothing in them is restricted by a dash around (4.3.6).
Ir *dash_sides(Lower *l, const Ast *dash, DashScope *scope);
// The move that led to the position in the local fits kind and sides (4.3.2). NULL: every move fits.
Ir *dash_fits(Lower *l, const Ast *dash, const DashScope *scope, int move_local);
// The promotion test; evaluated at the head of the move. NULL: none.
Ir *dash_promotion(Lower *l, const Ast *dash, int move_local);
// The targets as conditions, at the tail of the move. NULL: none.
Ir *dash_targets(Lower *l, const Ast *dash, DashScope *scope);
Ir *move_promotes_to(Lower *l, uint32_t pieces, int move_local); // SYMBOL_ bits, colour ignored
bool dash_adds_text(const Lower *l, const Ast *dash);            // in its targets or promotion

// ---- lower_legal.c: legal, pseudolegal and the older `move` (4.6, 4.7) ----
Value lower_legal_value(Lower *l, const Ast *ast);
Value lower_legal_count(Lower *l, const Ast *ast); // countmoves legal
// Evaluates `body` for each move of the game that the dash or `move` admits, with the position after it in
// the local; ends true.
Ir *lower_each_dash_move(Lower *l, const Ast *dash, int local, Ir *body);
Ir *lower_each_game_move(Lower *l, const Ast *move, int local, Ir *body);
// Lists the generated moves that `move` admits at a level of imaginary positions; the value is their number
// (13.5).
Value lower_move_list(Lower *l, const Ast *move, int level);
Ir *lower_move_condition(Lower *l, const Ast *ast);
Value lower_move_value(Lower *l, const Ast *ast);

// ---- lower_imaginary.c: moves one by one (13.5) ----
// `move` alone (target NULL) or speculative, as a value of the type; TYPE_BOOL: `pre` is the condition.
// `all`: the target must match for every move.
Value lower_tried_moves(Lower *l, const Ast *move, const Ast *target, bool all, Type type);
bool move_is_listed(const Ast *move); // `move` needs lower_tried_moves even alone
Value lower_mutation(Lower *l);       // currentmutation

#endif
