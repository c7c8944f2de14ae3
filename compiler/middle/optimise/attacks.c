// Turns attacks by pieces that cannot be blocked into moves of sets (language reference 3.3).
#include "internal.h"

enum {
    WHITE_PAWNS = 1 << WHITE_PAWN,
    BLACK_PAWNS = 1 << BLACK_PAWN,
    KNIGHTS = 1 << WHITE_KNIGHT | 1 << BLACK_KNIGHT,
    KINGS = 1 << WHITE_KING | 1 << BLACK_KING,
    NO_MOVES = 0 // no IrOp of moves
};

// How pieces of those kinds move; NO_MOVES: there are sliders, or several kinds. EMPTY is ignored: it attacks nothing.
static int moves_of(int kinds)
{
    kinds &= ~(1 << EMPTY);
    return kinds == 0                ? NO_MOVES
           : kinds == WHITE_PAWNS    ? IR_WHITE_PAWN_ATTACKS
           : kinds == BLACK_PAWNS    ? IR_BLACK_PAWN_ATTACKS
           : (kinds & ~KNIGHTS) == 0 ? IR_KNIGHT_MOVES
           : (kinds & ~KINGS) == 0   ? IR_KING_MOVES
                                     : NO_MOVES;
}

// `from` without its empty squares, which do not attack.
static Ir *pieces_only(Ir *from)
{
    if (!(ir_kinds(from) & 1 << EMPTY))
        return from;
    return ir_set_and(from, ir_board(from->arena, BOARD_OCCUPIED));
}

// Is a king attacked? That is asked of the king, which sees few squares, not of the pieces that may attack it.
static Ir *ask_king(Ir *any)
{
    Ir *set = any->kid[0], *from = NULL;
    int kinds = IR_ALL_KINDS, attacks = 0;
    for (int i = 0; set->op == IR_SET_AND && i < set->kid_count; i++) {
        const Ir *kid = set->kid[i];
        if (kid->op == IR_CALL && kid->number == IR_CALL_attacked && attacks++ == 0)
            from = kid->kid[0];
        else
            kinds &= ir_kinds(kid);
    }
    if (attacks != 1 || (kinds & ~KINGS) != 0 || moves_of(ir_kinds(from)) != NO_MOVES ||
        !ir_is_droppable(set))
        return any;
    Ir *target = NULL;
    for (int i = 0; i < set->kid_count; i++)
        if (set->kid[i]->op != IR_CALL || set->kid[i]->number != IR_CALL_attacked)
            target = target == NULL ? set->kid[i] : ir_set_and(target, set->kid[i]);
    return ir_any(ir_call(set->arena, IR_CALL_attackers, 2, from, target));
}

static Ir *name_moves(Ir *node)
{
    if (node->op == IR_ANY)
        return ask_king(node);
    const bool is_attackers = node->op == IR_CALL && node->number == IR_CALL_attackers,
               is_attacked = node->op == IR_CALL && node->number == IR_CALL_attacked;
    const int moves = is_attackers || is_attacked ? moves_of(ir_kinds(node->kid[0])) : NO_MOVES;
    if (moves == NO_MOVES)
        return node;
    Ir *from = pieces_only(node->kid[0]), *moved = ir_unary((IrOp)moves, from);
    return is_attackers ? ir_set_and(from, ir_moved_back(moved, node->kid[1])) : moved;
}

void name_attacks(Module *m)
{
    rewrite_module(m, name_moves);
}
