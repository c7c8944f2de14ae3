// The hash key of a position (language reference 13.15).
#include "variant.h"

// Numbers of the random constants; a man of piece code c on square s has 64 * (c - 1) + s.
enum {
    KEY_RIGHTS = 768,
    KEY_EN_PASSANT = 772,
    KEY_WHITE_TO_MOVE = 780,
    KEY_PROMOTED = 781,
    KEY_POCKET = 845,
    KEY_CHECKS = 1005
};

// Output number n of SplitMix64 with seed 0.
static uint64_t key_constant(int n)
{
    uint64_t x = (uint64_t)(n + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

// What variants add (16.6).
static uint64_t variant_key(const VariantPosition *v)
{
    uint64_t key = 0;
    for (Bitboard rest = variant_rules[v->variant].rules & RULE_POCKETS ? v->promoted : 0; rest;
         rest &= rest - 1)
        key ^= key_constant(KEY_PROMOTED + bb_first(rest));
    for (int colour = WHITE; colour <= BLACK; colour++) {
        for (int type = 0; type < 5; type++)
            for (int k = 0; k < v->pocket[colour][type + 1] && k < 16; k++)
                key ^= key_constant(KEY_POCKET + 16 * (5 * colour + type) + k);
        if (v->checks[colour] < CHECKS_TO_GIVE)
            key ^= key_constant(KEY_CHECKS + 4 * colour + v->checks[colour]);
    }
    return key;
}

uint64_t pos_key(const Position *p)
{
    uint64_t key = p->side == WHITE ? key_constant(KEY_WHITE_TO_MOVE) : 0;
    if (variant_is(p))
        key ^= variant_key(variant_position(p));
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
