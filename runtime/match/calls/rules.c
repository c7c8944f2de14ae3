// Castling rights, en passant and repetitions, for `exactfen`, `repetition` and CQL-S; the exchanges of CQL-S (language
// reference 12b.8, 12b.16, 17.1, 17.2).
#include <string.h>

#include "runtime/chess/variant.h"
#include "runtime/match/run_state.h"

int32_t rt_castling_rights(const Position *p, int32_t rights)
{
    return bb_count((Bitboard)(p->castling & rights));
}

Bitboard rt_legal_en_passant(const Position *p)
{
    return pos_legal_en_passant(p);
}

// What a variant adds to the board: pockets with the men that would go there as pawns, checks to give.
static bool is_same_variant(const VariantPosition *a, const VariantPosition *b)
{
    const bool pockets = variant_rules[a->variant].rules & RULE_POCKETS;
    return (!pockets || a->promoted == b->promoted) && memcmp(a->pocket, b->pocket, sizeof a->pocket) == 0 &&
           memcmp(a->checks, b->checks, sizeof a->checks) == 0;
}

static bool is_same(const Position *a, const Position *b)
{
    return pos_same(a, b) && (!variant_is(a) || is_same_variant(variant_position(a), variant_position(b)));
}

enum { POSITIONS_PER_STEP = 8 };

int32_t rt_occurrences(Context *c, int32_t n)
{
    const Position *p = c->position[n];
    const int most =
        variant_rules_of(p)->rules & RULE_POCKETS ? 64 : bb_count(p->occupied); // on the board before
    int32_t count = 0;
    size_t looked_at = 0;
    for (; n >= 0 && bb_count(c->position[n]->occupied) <= most; n = c->node[n].parent, looked_at++)
        count += is_same(p, c->position[n]);
    run_take_steps(c, looked_at / POSITIONS_PER_STEP);
    return count;
}

// ---- exchanges --------------------------------------------------------------------------------------------

static int value_of_piece(int piece)
{
    static const int values[] = {0, 1, 3, 3, 5, 9, 0};
    return values[piece_type(piece)];
}

// What a move wins by itself.
static int gain(const Position *p, Move m)
{
    return (m.flags & MOVE_CAPTURE ? value_of_piece(p->square[m.victim]) : 0) +
           (m.promoted != EMPTY ? value_of_piece(m.promoted) - 1 : 0);
}

// How many positions one call looks at. After that, which only strange positions reach, the piece of least value captures.
enum { MOST_POSITIONS = 4000 };

// The most that the side to move wins by capturing on the square or leaving it, if that is between the bounds.
// *left: positions that may still be looked at.
static int best_capture(const Position *p, int square, int low, int high, int *left)
{
    Move moves[MAX_MOVES];
    const int count = pos_legal_moves(p, moves);
    int best = 0;
    for (int piece = 0; piece <= 9; piece++) { // the pieces of least value capture first
        for (int i = 0; i < count && best < high; i++) {
            const Move m = moves[i];
            const int worth = piece_type(m.piece) == WHITE_KING ? 9 : value_of_piece(m.piece);
            if (worth != piece || m.to != square || !(m.flags & MOVE_CAPTURE) || m.victim != square)
                continue;
            Position next;
            pos_make(&next, p, m);
            const int won = gain(p, m), least = best > low ? best : low;
            const int score = won - best_capture(&next, square, won - high, won - least, left);
            best = score > best ? score : best;
            if (--*left < 0)
                return best;
        }
    }
    return best;
}

static int exchange_value(const Position *p, Move m, int *left)
{
    enum { ALL = 1000 };
    Position next;
    pos_make(&next, p, m);
    return gain(p, m) - best_capture(&next, m.to, -ALL, ALL, left);
}

int32_t rt_exchange(Context *c, int32_t n, int32_t *value)
{
    const int32_t parent = c->node[n].parent;
    if (parent < 0 || !(c->node[n].move.flags & MOVE_CAPTURE))
        return false;
    int left = MOST_POSITIONS;
    *value = exchange_value(c->position[parent], c->node[n].move, &left);
    return true;
}

int32_t rt_best_exchange(const Position *p, Bitboard from, Bitboard to, int32_t *value)
{
    bool found = false;
    int left = MOST_POSITIONS;
    for (int side = WHITE; side <= BLACK; side++) {
        Position turned = *p;
        Move moves[MAX_MOVES];
        if (side != p->side) {
            if (pos_in_check(p, side))
                continue;
            turned.side = (uint8_t)side;
            turned.en_passant = NO_SQUARE;
            turned.check = CHECK_UNKNOWN;
        }
        const int count = pos_legal_moves(&turned, moves);
        for (int i = 0; i < count; i++) {
            if (!(from >> moves[i].from & to >> moves[i].to & 1))
                continue;
            const int score = exchange_value(&turned, moves[i], &left);
            if (!found || score > *value)
                *value = score;
            found = true;
        }
    }
    return found;
}
