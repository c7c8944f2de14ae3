// Filters of CQLi on the record of a position: clocks, rights, hash key, promoted pieces, variant (language
// reference 13.15, 16).
#include "moves.h"
#include "runtime/chess/retract.h"
#include "runtime/match/facts.h"

int32_t rt_halfmove_clock(Context *c, int32_t n)
{
    return facts_record(c, n)->clocks.halfmove;
}

Bitboard rt_promoted_pieces(Context *c, int32_t n)
{
    const Position *p = c->position[n];
    return variant_is(p) ? variant_position(p)->promoted : facts_record(c, n)->promoted;
}

String rt_current_fen(Context *c, int32_t n, int32_t standard)
{
    Position p = *c->position[n];
    char text[FEN_MAX];
    if (standard)
        p.check = CHECK_UNKNOWN;
    const int length = fen_write(standard ? &p : c->position[n], facts_record(c, n)->clocks, text);
    return run_string(c, text, (size_t)length);
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
    return variant_is(p) ? variant_is_legal_position(p) : pos_is_legal_position(p);
}

int32_t rt_reachable_position(const Position *p)
{
    Retraction one;
    if (!moves_are_retracted(p))
        return rt_legal_position(p);
    return pos_is_legal_position(p) && pos_material_is_possible(p) &&
           (pos_key(p) == pos_key(&pos_start) || pos_retractions(p, &one, 1) > 0);
}

// ---- variants ---------------------------------------------------------------------------------------------

String rt_variant(Context *c)
{
    const char *name = variant_rules[run_game_of(c)->variant].name;
    return run_string(c, name, strlen(name));
}

int32_t rt_variant_end(Context *c, int32_t n, int32_t ends)
{
    const Position *p = c->position[n];
    return variant_is(p) && variant_ended(p) & ends;
}
