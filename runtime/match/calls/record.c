// Filters of CQLi on the record of a position: clocks, rights, hash key, promoted pieces, variant (language
// reference 13.15, 13.8).
#include "runtime/chess/retract.h"
#include "runtime/match/facts.h"

int32_t rt_halfmove_clock(Context *c, int32_t n)
{
    return facts_record(c, n)->clocks.halfmove;
}

Bitboard rt_promoted_pieces(Context *c, int32_t n)
{
    return facts_record(c, n)->promoted;
}

static int checks_left(const Record *r, int colour)
{
    return r->check[colour] < 3 ? 3 - r->check[colour] : 0;
}

String rt_current_fen(Context *c, int32_t n, int32_t standard)
{
    const Record *r = facts_record(c, n);
    char text[FEN_MAX];
    const int length = fen_write(c->position[n], r->clocks, text);
    if (standard || r->variant != VARIANT_THREE_CHECK)
        return run_string(c, text, (size_t)length);
    return run_format(c, "%s %d+%d", text, checks_left(r, WHITE), checks_left(r, BLACK));
}

String rt_zobrist_key(Context *c, int32_t n)
{
    char digits[16];
    uint64_t key = pos_key(c->position[n]);
    for (int i = 15; i >= 0; i--, key >>= 4)
        digits[i] = "0123456789abcdef"[key & 15];
    return run_string(c, digits, sizeof digits);
}

int32_t rt_legal_position(const Position *p)
{
    return pos_is_legal_position(p);
}

int32_t rt_reachable_position(const Position *p)
{
    Retraction one;
    return pos_is_legal_position(p) && pos_material_is_possible(p) &&
           (pos_key(p) == pos_key(&pos_start) || pos_retractions(p, &one, 1) > 0);
}

// ---- variants ---------------------------------------------------------------------------------------------

#define BB_CENTRE 0x0000001818000000ULL

String rt_variant(Context *c)
{
    const char *name = variant_name(facts_record(c, 0)->variant);
    return run_string(c, name, strlen(name));
}

// Did a rule of the variant end the game in favour of a side?
static bool has_won(Context *c, int32_t n, int colour)
{
    const Record *r = facts_record(c, n);
    return (r->variant == VARIANT_KING_OF_THE_HILL &&
            c->position[n]->board[piece_make(colour, WHITE_KING)] & BB_CENTRE) ||
           (r->variant == VARIANT_THREE_CHECK && checks_left(r, colour) == 0);
}

int32_t rt_variant_end(Context *c, int32_t n, int32_t ends)
{
    const int side = c->position[n]->side;
    return (ends & VARIANT_END_WON && has_won(c, n, side)) ||
           (ends & VARIANT_END_LOST && has_won(c, n, !side));
}
