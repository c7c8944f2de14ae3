// Attacks and material for optimising compilers, to be inlined.

// With wide vectors, sets of sliders move together, in all directions at once.
#include "runtime/chess/rays.h"
#if RAYS_WIDE && !defined CQL_LARGE
#define chain_starts(c, p, ...) rays_chain_from((c)->rt->reach_table, p, __VA_ARGS__)
#define chain_ends(c, p, ...) rays_chain_to((c)->rt->reach_table, p, __VA_ARGS__)
#else
#define chain_starts(c, ...) ((c)->rt->chain_from(__VA_ARGS__))
#define chain_ends(c, ...) ((c)->rt->chain_to(__VA_ARGS__))
#endif

PRIMITIVE Bitboard pin_squares(const Context *c, const Position *p, Bitboard from, Bitboard through, Bitboard to, int32_t which)
{
    return rays_are_kings(p, to)
               ? rays_king_pins(c->rt->between_table, c->rt->reach_table, p, from, through, to, which)
               : c->rt->pin(p, from, through, to, which);
}

INLINE Bitboard pieces_of_kind(const Position *p, uint32_t kinds, int32_t piece)
{
    return kinds >> piece & 1 ? p->board[piece] : 0;
}

// The pieces of those kinds. There is no loop, so kinds that are left out cost nothing.
INLINE Bitboard pieces(const Position *p, uint32_t kinds)
{
    return pieces_of_kind(p, kinds, WHITE_PAWN) |
           pieces_of_kind(p, kinds, WHITE_KNIGHT) |
           pieces_of_kind(p, kinds, WHITE_BISHOP) |
           pieces_of_kind(p, kinds, WHITE_ROOK) |
           pieces_of_kind(p, kinds, WHITE_QUEEN) |
           pieces_of_kind(p, kinds, WHITE_KING) |
           pieces_of_kind(p, kinds, BLACK_PAWN) |
           pieces_of_kind(p, kinds, BLACK_KNIGHT) |
           pieces_of_kind(p, kinds, BLACK_BISHOP) |
           pieces_of_kind(p, kinds, BLACK_ROOK) |
           pieces_of_kind(p, kinds, BLACK_QUEEN) |
           pieces_of_kind(p, kinds, BLACK_KING);
}

#define KINDS_STRAIGHT (KIND_R | KIND_r | KIND_Q | KIND_q)
#define KINDS_DIAGONAL (KIND_B | KIND_b | KIND_Q | KIND_q)

// The squares of a ray up to its first blocker. Squares grow along the first kind of ray and fall along the
// second; the rays from a square are numbered as in enum Direction: N, NE, E, SE, S, SW, W, NW.
INLINE Bitboard growing(const Bitboard *ray, Bitboard occupied)
{
    const Bitboard blockers = *ray & occupied;
    return *ray & (blockers ^ (blockers - 1));
}

INLINE Bitboard falling(const Bitboard *ray, Bitboard occupied)
{
    return *ray & ~0ULL << (63 ^ __builtin_clzll((*ray & occupied) | 1));
}

// The squares in line with a square, whatever is between them: a cheap test before attacks are computed.
INLINE Bitboard straight_lines(const Runtime *rt, int32_t square)
{
    return rt->reach_table[64 * WHITE_ROOK + square];
}

INLINE Bitboard diagonal_lines(const Runtime *rt, int32_t square)
{
    return rt->reach_table[64 * WHITE_BISHOP + square];
}

INLINE Bitboard straight_attacks(const Runtime *rt, int32_t square, Bitboard occupied)
{
    const Bitboard *ray = rt->ray_table + square;
    return growing(ray, occupied) | growing(ray + 64 * 2, occupied) | falling(ray + 64 * 4, occupied) |
           falling(ray + 64 * 6, occupied);
}

INLINE Bitboard diagonal_attacks(const Runtime *rt, int32_t square, Bitboard occupied)
{
    const Bitboard *ray = rt->ray_table + square;
    return growing(ray + 64 * 1, occupied) | growing(ray + 64 * 7, occupied) |
           falling(ray + 64 * 3, occupied) | falling(ray + 64 * 5, occupied);
}

// The squares of `from` with pieces other than sliders that attack some square of `to`.
INLINE Bitboard step_attackers(const Position *p, uint32_t kinds, Bitboard from, Bitboard to)
{
    Bitboard found = 0;
    if (kinds & KIND_P)
        found |= p->white.pawn & black_pawn_attacks(to);
    if (kinds & KIND_p)
        found |= p->black.pawn & white_pawn_attacks(to);
    if (kinds & (KIND_N | KIND_n))
        found |= pieces(p, kinds & (KIND_N | KIND_n)) & knight_moves(to);
    if (kinds & (KIND_K | KIND_k))
        found |= pieces(p, kinds & (KIND_K | KIND_k)) & king_moves(to);
    return found & from;
}

// The squares of `straight` and `diagonal`, sliders that move that way, that attack some square of `to`. Looks from a
// single target at all sliders at once, otherwise from each slider.
INLINE Bitboard slide_attackers(const Context *c, Bitboard occupied, Bitboard straight, Bitboard diagonal, Bitboard to)
{
#if RAYS_WIDE
    if (to & (to - 1)) {
        const RayPaths paths = rays_paths(~occupied);
        return rays_union(rays_and(rays_fill(rays_of(to), &paths), rays_by_line(straight, diagonal)));
    }
#endif
    Bitboard found = 0;
    if (!(to & (to - 1))) {
        const int32_t square = __builtin_ctzll(to);
        if (straight & straight_lines(c->rt, square))
            found |= straight & straight_attacks(c->rt, square, occupied);
        if (diagonal & diagonal_lines(c->rt, square))
            found |= diagonal & diagonal_attacks(c->rt, square, occupied);
        return found;
    }
    for (; straight; straight &= straight - 1)
        if (straight_attacks(c->rt, __builtin_ctzll(straight), occupied) & to)
            found |= straight & -straight;
    for (; diagonal; diagonal &= diagonal - 1)
        if (diagonal_attacks(c->rt, __builtin_ctzll(diagonal), occupied) & to)
            found |= diagonal & -diagonal;
    return found;
}

// The squares of `from` that attack some square of `to`.
PRIMITIVE Bitboard attackers_among(const Context *c, const Position *p, uint32_t kinds, Bitboard from, Bitboard to)
{
    if (!to || !from)
        return 0;
    const Bitboard steppers = step_attackers(p, kinds, from, to);
    return steppers | slide_attackers(c, p->occupied, from & pieces(p, kinds & KINDS_STRAIGHT),
                                      from & pieces(p, kinds & KINDS_DIAGONAL), to);
}

// Is there such an attack?
PRIMITIVE int32_t some_attack(const Context *c, const Position *p, uint32_t kinds, Bitboard from, Bitboard to)
{
    if (!to || !from)
        return 0;
    if (step_attackers(p, kinds, from, to))
        return 1;
    const Bitboard straight = from & pieces(p, kinds & KINDS_STRAIGHT);
    const Bitboard diagonal = from & pieces(p, kinds & KINDS_DIAGONAL);
    return (straight | diagonal) && slide_attackers(c, p->occupied, straight, diagonal, to);
}

// The squares attacked from `from`.
PRIMITIVE Bitboard attacked_from(const Context *c, const Position *p, uint32_t kinds, Bitboard from)
{
    Bitboard found = 0;
    if (kinds & KIND_P)
        found |= white_pawn_attacks(from & p->white.pawn);
    if (kinds & KIND_p)
        found |= black_pawn_attacks(from & p->black.pawn);
    if (kinds & (KIND_N | KIND_n))
        found |= knight_moves(from & pieces(p, kinds & (KIND_N | KIND_n)));
    if (kinds & (KIND_K | KIND_k))
        found |= king_moves(from & pieces(p, kinds & (KIND_K | KIND_k)));
#if RAYS_WIDE
    const Bitboard straight = from & pieces(p, kinds & KINDS_STRAIGHT);
    const Bitboard diagonal = from & pieces(p, kinds & KINDS_DIAGONAL);
    if (straight | diagonal) {
        const RayPaths paths = rays_paths(p->empty);
        found |= rays_union(rays_fill(rays_by_line(straight, diagonal), &paths));
    }
#else
    const Bitboard occupied = p->occupied;
    if (kinds & KINDS_STRAIGHT)
        for (Bitboard rest = from & pieces(p, kinds & KINDS_STRAIGHT); rest; rest &= rest - 1)
            found |= straight_attacks(c->rt, __builtin_ctzll(rest), occupied);
    if (kinds & KINDS_DIAGONAL)
        for (Bitboard rest = from & pieces(p, kinds & KINDS_DIAGONAL); rest; rest &= rest - 1)
            found |= diagonal_attacks(c->rt, __builtin_ctzll(rest), occupied);
#endif
    return found;
}

// Is the king of the side to move attacked by the other side? The two kings do not give check to each other.
PRIMITIVE int32_t king_attacked(const Context *c, const Position *p)
{
    if (p->check)
        return (p->check & CHECK_GIVEN) != 0;
    const Bitboard king = p->board[p->side == WHITE ? WHITE_KING : BLACK_KING];
    const Bitboard *enemy = p->board + (p->side == WHITE ? BLACK_PAWN : WHITE_PAWN) - WHITE_PAWN;
    const Bitboard pawns = p->side == WHITE ? white_pawn_attacks(king) : black_pawn_attacks(king);
    if ((pawns & enemy[WHITE_PAWN]) | (knight_moves(king) & enemy[WHITE_KNIGHT]))
        return 1;
    return king && slide_attackers(c, p->occupied, enemy[WHITE_ROOK] | enemy[WHITE_QUEEN],
                                   enemy[WHITE_BISHOP] | enemy[WHITE_QUEEN], king);
}

// The material on the squares of `set`, which has pieces of those kinds only.
PRIMITIVE int32_t power_of(const Context *c, const Position *p, uint32_t kinds, Bitboard set)
{
    return count_squares(set & pieces(p, kinds & (KIND_P | KIND_p))) +
           3 * count_squares(set & pieces(p, kinds & (KIND_N | KIND_n | KIND_B | KIND_b))) +
           5 * count_squares(set & pieces(p, kinds & (KIND_R | KIND_r))) +
           9 * count_squares(set & pieces(p, kinds & (KIND_Q | KIND_q)));
}
