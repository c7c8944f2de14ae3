// Positions as such: what rules of chess they break, and their hash key (language reference 13b §7).
#include "chess.h"

// ---- legality ---------------------------------------------------------------------------------------------

#define PAWN_FREE_RANKS 0xFF000000000000FFULL

bool pos_is_valid(const Position *p)
{
    const Bitboard white = p->board[WHITE_KING], black = p->board[BLACK_KING];
    if (bb_count(white) != 1 || bb_count(black) != 1 ||
        (p->board[WHITE_PAWN] | p->board[BLACK_PAWN]) & PAWN_FREE_RANKS)
        return false;
    return !attackers_of_colour(p, bb_first(p->side == WHITE ? black : white), p->side);
}

static int beyond(Bitboard set, int number)
{
    const int count = bb_count(set);
    return count > number ? count - number : 0;
}

bool pos_material_is_possible(const Position *p)
{
    for (int colour = WHITE; colour <= BLACK; colour++) {
        const Bitboard *men = p->board + piece_make(colour, 0);
        const int pawns = bb_count(men[WHITE_PAWN]) + beyond(men[WHITE_QUEEN], 1) +
                          beyond(men[WHITE_ROOK], 2) + beyond(men[WHITE_KNIGHT], 2) +
                          beyond(men[WHITE_BISHOP] & BB_LIGHT, 1) + beyond(men[WHITE_BISHOP] & BB_DARK, 1);
        if (pawns > 8 || bb_count(p->board[BOARD_WHITE + colour]) > 16)
            return false;
    }
    return true;
}

// ---- hash key ---------------------------------------------------------------------------------------------

// Numbers of the random constants; a man of piece code c on square s has 64 * (c - 1) + s.
enum { KEY_RIGHTS = 768, KEY_EN_PASSANT = 772, KEY_WHITE_TO_MOVE = 780 };

// Output number n of SplitMix64 with seed 0.
static uint64_t key_constant(int n)
{
    uint64_t x = (uint64_t)(n + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

uint64_t pos_key(const Position *p)
{
    uint64_t key = p->side == WHITE ? key_constant(KEY_WHITE_TO_MOVE) : 0;
    for (Bitboard rest = p->board[BOARD_OCCUPIED]; rest; rest &= rest - 1)
        key ^= key_constant(64 * (p->square[bb_first(rest)] - 1) + bb_first(rest));
    for (int right = 0; right < 4; right++)
        if (p->castling >> right & 1)
            key ^= key_constant(KEY_RIGHTS + right);
    if (p->en_passant != NO_SQUARE &&
        pawn_table[!p->side][p->en_passant] & p->board[piece_make(p->side, WHITE_PAWN)])
        key ^= key_constant(KEY_EN_PASSANT + square_file(p->en_passant));
    return key;
}
