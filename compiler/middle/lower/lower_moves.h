// What the files about moves share with each other and with paths and diagrams (language reference 4, 5.4, 13.5).
// Every function makes new nodes.
#ifndef CQL_LOWER_LOWER_MOVES_H
#define CQL_LOWER_LOWER_MOVES_H

#include "internal.h"

#include "runtime/chess/chess.h"

// ---- dash.c: one move, and the parts of a dash (4.3) ----

Ir *move_node(Lower *l, int field, int move);              // IR_NODE_ field of the tree node in the local
Ir *move_flag(Lower *l, int flags, int move);              // one of the MOVE_ flags is set
Ir *move_field_in(Lower *l, int field, int move, int set); // that square is in the set in a local; 0: NULL
Ir *move_promotes_to(Lower *l, uint32_t pieces, int move); // SYMBOL_ bits, colour ignored

// Evaluates the left and right side of a dash at the current position into locals. NULL: nothing to do.
// Nothing in them is restricted by a dash around (4.3.6).
Ir *dash_sides(Lower *l, const Ast *dash, DashScope *scope);
// The sides are not evaluated at terminal positions. NULL: that cannot be noticed.
Ir *dash_guard(Lower *l, const Ast *dash);
// The move that led to the position in the local fits kind and sides (4.3.2). NULL: every move does.
Ir *dash_fits(Lower *l, const Ast *dash, const DashScope *scope, int move);
// The promotion test; evaluated at the head of the move. NULL: none.
Ir *dash_promotion(Lower *l, const Ast *dash, int move);
// The targets as conditions at the tail of the move; `out` >= 0: the last one for its value, into that local.
// NULL: none.
Ir *dash_targets(Lower *l, const Ast *dash, DashScope *scope, int out);
bool dash_adds_text(const Lower *l, const Ast *dash); // in its targets or promotion
// True iff some move of the current position fits. MODE_EACH: evaluates `body` for all that fit, ends true.
// The local `move` takes the position after the move; `out` as in dash_targets. `body` may be NULL.
Ir *dash_each(Lower *l, const Ast *dash, int move, int out, Ir *body, IrMode mode);
// The same of the move that led to the current position (4.4).
Ir *dash_past(Lower *l, const Ast *dash, int out);

// ---- legal.c: legal, pseudolegal and the older `move` (4.6, 4.7) ----

bool move_is_generated(const Ast *move); // it is about moves that are not in the game
// Moves that `legal`, `pseudolegal` or a generated `move` admits, by the runtime function legal_*: their
// squares, or their number.
Value legal_moves(Lower *l, const Ast *ast, IrCall call);
// Evaluates `body` for each move of the game that `move` admits, with the position after it in the local, as the
// mode says. `body` may be NULL.
Ir *move_each(Lower *l, const Ast *move, int local, Ir *body, IrMode mode);
// The move in the local has all that the parameters of `move` demand, which are evaluated at the current position.
// NULL: nothing is demanded.
Ir *move_fits(Lower *l, const Ast *move, int local);
Ir *move_in_game(Lower *l, const Ast *move);           // some move of the game fits
Value move_squares_in_game(Lower *l, const Ast *move); // squares of those that fit
// Lists the generated moves that `move` admits at a level of imaginary positions; the value is their number.
Value move_list(Lower *l, const Ast *move, int level);

// ---- imaginary.c: moves one by one, and imagine (13.5, 13.17) ----

// `move` alone (target NULL) or speculative, as a value of the type; TYPE_BOOL: `pre` is the condition.
// `all`: the target must match for every move.
Value imaginary_moves(Lower *l, const Ast *move, const Ast *target, bool all, Type type);
bool imaginary_is_listed(const Ast *move); // `move` needs imaginary_moves even alone
int imaginary_depth(const Ast *ast);       // QueryInfo.imaginary_levels of the tree
Ir *imagine_condition(Lower *l, const Ast *ast);
Value imagine_value(Lower *l, const Ast *ast);

#endif
