// Attacks and pawn structure as set algebra (language reference 3.3, 3.6, 3.13, 3.14), so that it works on several games
// at once.
#include "internal.h"

enum {
    KNIGHTS = 1 << WHITE_KNIGHT | 1 << BLACK_KNIGHT,
    KINGS = 1 << WHITE_KING | 1 << BLACK_KING,
    STRAIGHT = 1 << WHITE_ROOK | 1 << BLACK_ROOK | 1 << WHITE_QUEEN | 1 << BLACK_QUEEN,
    DIAGONAL = 1 << WHITE_BISHOP | 1 << BLACK_BISHOP | 1 << WHITE_QUEEN | 1 << BLACK_QUEEN
};

// A set that the result has several times. The first time it is the tree itself, so that sets that are used once within each
// other are not copied at each level.
typedef struct Operand {
    Search *search; // NULL: the work is not counted
    Ir *set;
    bool used;
} Operand;

static Ir *use(Operand *o)
{
    if (!o->used) {
        o->used = true;
        return o->set;
    }
    if (o->search != NULL && ir_noted_size(o->set) == IR_MOST_NOTED_NODES) // or more: too large for a screen
        o->search->work = -1;
    return o->search == NULL || screen_charge(o->search, o->set) ? ir_copy(o->set) : o->set;
}

Ir *screen_board(Arena *a, int board, int at)
{
    return ir_board(a, board + (at == BEFORE ? BOARD_COUNT : at == PARTNER ? IR_BOARDS : 0));
}

// The pieces of those kinds in the set.
static Ir *among(Ir *set, int kinds, int at)
{
    Ir *sum = NULL;
    for (int piece = WHITE_PAWN; piece < PIECE_CODES; piece++) {
        if (!(kinds >> piece & 1))
            continue;
        Ir *board = screen_board(set->arena, piece, at);
        sum = sum == NULL ? board : ir_set_or(sum, board);
    }
    return sum == NULL ? ir_set(set->arena, 0) : ir_set_and(set, sum);
}

static void add_squares(Ir **sum, Ir *set)
{
    *sum = *sum == NULL ? set : ir_set_or(*sum, set);
}

static Ir *or_empty(Arena *a, Ir *set)
{
    return set != NULL ? set : ir_set(a, 0);
}

static Ir *lines(IrOp op, Ir *from, int at)
{
    return ir_binary(op, from, screen_board(from->arena, BOARD_OCCUPIED, at));
}

// How pieces that cannot be blocked move, and where they come from.
static const struct {
    int kinds;
    IrOp op, back;
} moves[] = {{1 << WHITE_PAWN, IR_WHITE_PAWN_ATTACKS, IR_BLACK_PAWN_ATTACKS},
             {1 << BLACK_PAWN, IR_BLACK_PAWN_ATTACKS, IR_WHITE_PAWN_ATTACKS},
             {KNIGHTS, IR_KNIGHT_MOVES, IR_KNIGHT_MOVES},
             {KINGS, IR_KING_MOVES, IR_KING_MOVES}};

Ir *attack_attackers(Search *s, Ir *from, int from_kinds, Ir *to, int at)
{
    Operand attackers = {s, from, false}, target = {s, to, false};
    Ir *sum = NULL;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        const int kinds = from_kinds & moves[i].kinds;
        if (kinds != 0) {
            Ir *men = among(use(&attackers), kinds, at);
            add_squares(&sum, ir_set_and(men, ir_unary(moves[i].back, use(&target))));
        }
    }
    if (from_kinds & STRAIGHT) {
        Ir *men = among(use(&attackers), from_kinds & STRAIGHT, at);
        add_squares(&sum, ir_set_and(men, lines(IR_STRAIGHT, use(&target), at)));
    }
    if (from_kinds & DIAGONAL) {
        Ir *men = among(use(&attackers), from_kinds & DIAGONAL, at);
        add_squares(&sum, ir_set_and(men, lines(IR_DIAGONAL, use(&target), at)));
    }
    return or_empty(from->arena, sum);
}

Ir *attack_attacked(Search *s, Ir *from, int from_kinds, int at)
{
    Operand attackers = {s, from, false};
    Ir *sum = NULL;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (from_kinds & moves[i].kinds)
            add_squares(&sum, ir_unary(moves[i].op, among(use(&attackers), from_kinds & moves[i].kinds, at)));
    if (from_kinds & STRAIGHT)
        add_squares(&sum, lines(IR_STRAIGHT, among(use(&attackers), from_kinds & STRAIGHT, at), at));
    if (from_kinds & DIAGONAL)
        add_squares(&sum, lines(IR_DIAGONAL, among(use(&attackers), from_kinds & DIAGONAL, at), at));
    return or_empty(from->arena, sum);
}

Ir *attack_check(Arena *a, int side, int at)
{
    const int king = side == WHITE ? WHITE_KING : BLACK_KING;
    const int enemies = (side == WHITE ? IR_BLACK_KINDS : IR_WHITE_KINDS) & ~KINGS;
    Ir *from = screen_board(a, side == WHITE ? BOARD_BLACK : BOARD_WHITE, at);
    return ir_any(attack_attackers(NULL, from, enemies, screen_board(a, king, at), at));
}

// ---- pins -------------------------------------------------------------------------------------------------

// The pieces that pin along ranks and files, or along diagonals: one piece of the king's colour is between each of
// them and the king.
static Ir *pinning(IrOp op, const Ir *from, const Ir *through, const Ir *king, int colour, int at)
{
    Arena *a = from->arena;
    const int sliders =
        (op == IR_STRAIGHT ? STRAIGHT : DIAGONAL) & (colour == WHITE ? IR_BLACK_KINDS : IR_WHITE_KINDS);
    Ir *own = screen_board(a, colour == WHITE ? BOARD_WHITE : BOARD_BLACK, at);
    Ir *near = lines(op, ir_copy(king), at);
    Ir *blockers = ir_set_and(ir_set_and(ir_copy(near), own), ir_copy(through));
    Ir *seen =
        ir_binary(op, ir_copy(king), ir_set_and(screen_board(a, BOARD_OCCUPIED, at), ir_set_not(blockers)));
    return ir_set_and(ir_set_and(seen, ir_set_not(near)), among(ir_copy(from), sliders, at));
}

Ir *attack_pin(const Ir *from, const Ir *through, const Ir *to, int at)
{
    Ir *sum = NULL;
    for (int colour = WHITE; colour <= BLACK; colour++) {
        const int kind = 1 << (colour == WHITE ? WHITE_KING : BLACK_KING);
        if (!(ir_kinds(to) & kind))
            continue;
        Ir *king = among(ir_copy(to), kind, at);
        add_squares(&sum, pinning(IR_STRAIGHT, from, through, king, colour, at));
        add_squares(&sum, pinning(IR_DIAGONAL, from, through, king, colour, at));
    }
    return ir_any(or_empty(from->arena, sum));
}

// ---- pawns and material ----------------------------------------------------------------------------------

// The set and all squares that lie beyond it, ranks = 1 upwards, -1 downwards.
static Ir *spread(const Ir *set, int ranks)
{
    Ir *sum = ir_copy(set);
    for (int distance = 1; distance < 8; distance *= 2)
        sum = ir_set_or(sum, ir_step(ir_copy(sum), 0, ranks * distance));
    return sum;
}

static Ir *with_neighbours(const Ir *set)
{
    return ir_set_or(ir_copy(set), ir_set_or(ir_step(ir_copy(set), -1, 0), ir_step(ir_copy(set), 1, 0)));
}

static Ir *pawn_structure(const Ir *pawns, const Ir *enemies, int colour, IrCall structure)
{
    const int forward = colour == WHITE ? 1 : -1;
    Ir *files, *beyond;
    switch (structure) {
    case IR_CALL_connected_pawns:
        files = ir_set_or(spread(pawns, 1), spread(pawns, -1));
        return ir_set_and(ir_copy(pawns), ir_set_or(ir_step(ir_copy(files), -1, 0), ir_step(files, 1, 0)));
    case IR_CALL_doubled_pawns:
        files = ir_set_or(ir_step(spread(pawns, 1), 0, 1), ir_step(spread(pawns, -1), 0, -1));
        return ir_set_and(ir_copy(pawns), files);
    default: // passed
        beyond = ir_step(spread(enemies, -forward), 0, -forward);
        return ir_set_and(ir_copy(pawns), ir_set_not(with_neighbours(beyond)));
    }
}

Ir *attack_pawns(Arena *a, IrCall structure, int at)
{
    const Ir *white = screen_board(a, WHITE_PAWN, at), *black = screen_board(a, BLACK_PAWN, at);
    return ir_set_or(pawn_structure(white, black, WHITE, structure),
                     pawn_structure(black, white, BLACK, structure));
}

Ir *attack_power(const Ir *set, int at)
{
    static const int value[] = {
        [WHITE_PAWN] = 1, [WHITE_KNIGHT] = 3, [WHITE_BISHOP] = 3, [WHITE_ROOK] = 5, [WHITE_QUEEN] = 9};
    Ir *sum = NULL;
    for (int type = WHITE_PAWN; type <= WHITE_QUEEN; type++) {
        const int kinds = ir_kinds(set) & (1 << type | 1 << (type + 6));
        Ir *part = ir_with_int(IR_MUL, ir_count(among(ir_copy(set), kinds, at)), value[type]);
        sum = sum == NULL ? part : ir_add(sum, part);
    }
    return sum;
}
