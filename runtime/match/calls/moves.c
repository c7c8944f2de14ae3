// Generated moves (language reference 4.2.2): possible moves, computed from the board and the moves since the
// root.
#include "moves.h"

#include "runtime/match/facts.h"
#include "runtime/match/imaginary.h"

// True when an enemy piece outside `taken` attacks `square` with these blockers.
static bool attacked_by_enemy(const Generator *g, int square, Bitboard blockers, Bitboard taken)
{
    return (attackers_to(g->p, square, blockers) & g->enemy & ~taken) != 0;
}

static void init_castling(Generator *g, Context *c, int32_t n)
{
    const int king = g->side == WHITE ? 4 : 60;
    if (g->king != king)
        return;
    const Bitboard arrived = facts_history(c, n)->arrived;
    Move m;
    for (int wing = 0; wing < 2; wing++)
        if (!(arrived & (bb_of(king) | bb_of(wing == 0 ? king + 3 : king - 4))) &&
            pos_castling_move(g->p, wing, false, &m))
            g->castling |= bb_of(m.to);
}

static void init_en_passant(Generator *g, const Context *c, int32_t n)
{
    g->pawn = g->passed = NO_SQUARE;
    if (n == 0)
        return;
    if (is_imaginary(c, n) && c->node[n].parent < 0) { // no move led here
        if (g->p->en_passant != NO_SQUARE) {
            g->passed = g->p->en_passant;
            g->pawn = g->passed + (g->side == WHITE ? -8 : 8);
        }
        return;
    }
    const Move m = c->node[n].move;
    const int back = g->side == WHITE ? 16 : -16; // to where the enemy pawn came from
    if (!(m.flags & MOVE_NULL) && m.from == m.to + back &&
        g->p->square[m.to] == piece_make(!g->side, WHITE_PAWN)) {
        g->pawn = m.to;
        g->passed = m.to + back / 2;
    }
}

void generator_init(Generator *g, Context *c, int32_t n, bool pseudo)
{
    const Position *p = c->position[n];
    *g = (Generator){.p = p, .side = p->side, .king = NO_SQUARE, .pseudo = pseudo, .evasion = BB_ALL};
    g->own = p->board[BOARD_WHITE + g->side];
    g->enemy = p->board[BOARD_WHITE + !g->side];
    g->barred = g->own | (is_imaginary(c, n) ? p->board[piece_make(!g->side, WHITE_KING)] : 0);
    const Bitboard king = p->board[piece_make(g->side, WHITE_KING)];
    if (king)
        g->king = bb_first(king);
    init_castling(g, c, n);
    init_en_passant(g, c, n);
    if (pseudo || !king)
        return;
    // The only own piece between the king and an enemy slider on one line may have to stay on that line.
    g->pinned = rt_pin(p, g->enemy, g->own, king, 0);
    const Bitboard checkers = attackers_to(p, g->king, p->board[BOARD_OCCUPIED]) & g->enemy;
    if (checkers)
        g->evasion = checkers & (checkers - 1) ? 0 : checkers | between_table[g->king][bb_first(checkers)];
}

static Bitboard pawn_targets(const Generator *g, int square)
{
    const Bitboard empty = g->p->board[EMPTY];
    const int forward = g->side == WHITE ? 8 : -8, next = square + forward;
    Bitboard targets = pawn_table[g->side][square] & g->enemy;
    if (next < 0 || next > 63 || !(empty & bb_of(next)))
        return targets;
    targets |= bb_of(next);
    if (square_rank(square) == (g->side == WHITE ? 1 : 6))
        targets |= empty & bb_of(next + forward);
    return targets;
}

static Bitboard safe_king_steps(const Generator *g, int square, Bitboard targets)
{
    const Bitboard blockers = g->p->board[BOARD_OCCUPIED] & ~bb_of(square);
    Bitboard safe = 0;
    for (; targets; targets &= targets - 1)
        if (!attacked_by_enemy(g, bb_first(targets), blockers, targets & -targets))
            safe |= targets & -targets;
    return safe;
}

Bitboard generator_ordinary(const Generator *g, int square)
{
    const int type = piece_type(g->p->square[square]);
    Bitboard targets = type == WHITE_PAWN ? pawn_targets(g, square) : attacks_from(g->p, square) & ~g->own;
    if (square == g->king)
        return (g->pseudo ? targets : safe_king_steps(g, square, targets)) | (g->castling & ~g->own);
    if (g->pinned & bb_of(square))
        targets &= line_table[g->king][square];
    return targets & g->evasion;
}

Bitboard generator_en_passant(const Generator *g, int square)
{
    if (g->pawn == NO_SQUARE || g->p->square[square] != piece_make(g->side, WHITE_PAWN) ||
        square_rank(square) != square_rank(g->pawn) || !(king_table[g->pawn] & bb_of(square)))
        return 0;
    const Bitboard taken = bb_of(g->pawn), to = bb_of(g->passed);
    if (g->pseudo || g->king == NO_SQUARE)
        return to;
    const Bitboard blockers = (g->p->board[BOARD_OCCUPIED] & ~taken & ~bb_of(square)) | to;
    return attacked_by_enemy(g, g->king, blockers, taken) ? 0 : to;
}

// ---- the calls --------------------------------------------------------------------------------------------

typedef struct Generated {
    Bitboard from, to;
    int32_t count;
} Generated;

static Generated generate(Context *c, int32_t n, Bitboard left, Bitboard right, Bitboard victims,
                          int32_t flags)
{
    Generator g;
    generator_init(&g, c, n, flags & GENERATE_PSEUDOLEGAL);
    const bool only_en_passant = flags & GENERATE_EN_PASSANT;
    const bool victim_fits = !only_en_passant || (g.pawn != NO_SQUARE && victims >> g.pawn & 1);
    Generated result = {0, 0, 0};
    right &= ~g.barred;
    for (left &= g.own; left; left &= left - 1) {
        const int square = bb_first(left);
        Bitboard to = only_en_passant ? 0 : generator_ordinary(&g, square);
        if (victim_fits)
            to |= generator_en_passant(&g, square);
        to &= right;
        if (to)
            result.from |= bb_of(square);
        result.to |= to;
        result.count += bb_count(to);
    }
    return result;
}

Bitboard rt_legal_to(Context *c, int32_t n, Bitboard left, Bitboard right, Bitboard en_passant, int32_t flags)
{
    return generate(c, n, left, right, en_passant, flags).to;
}

Bitboard rt_legal_from(Context *c, int32_t n, Bitboard left, Bitboard right, Bitboard en_passant,
                       int32_t flags)
{
    return generate(c, n, left, right, en_passant, flags).from;
}

int32_t rt_legal_count(Context *c, int32_t n, Bitboard left, Bitboard right, Bitboard en_passant,
                       int32_t flags)
{
    return generate(c, n, left, right, en_passant, flags).count;
}
