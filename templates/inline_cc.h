// Primitives for optimising compilers, to be inlined: `kinds` is a constant, so that only the code for the pieces that
// can occur remains.

INLINE int32_t count_squares(Bitboard set)
{
#ifdef __POPCNT__
    return __builtin_popcountll(set);
#else
    set -= set >> 1 & 0x5555555555555555ULL;
    set = (set & 0x3333333333333333ULL) + (set >> 2 & 0x3333333333333333ULL);
    return (int32_t)(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56);
#endif
}

INLINE int32_t first_square(Bitboard set)
{
    return set ? __builtin_ctzll(set) : NO_SQUARE;
}

INLINE Bitboard west(Bitboard set)
{
    return set >> 1 & 0x7f7f7f7f7f7f7f7fULL;
}

INLINE Bitboard east(Bitboard set)
{
    return set << 1 & 0xfefefefefefefefeULL;
}

INLINE Bitboard knight_moves(Bitboard set)
{
    const Bitboard near = west(set) | east(set);
    const Bitboard far = west(west(set)) | east(east(set));
    return near << 16 | near >> 16 | far << 8 | far >> 8;
}

INLINE Bitboard king_moves(Bitboard set)
{
    const Bitboard row = west(set) | set | east(set);
    return west(set) | east(set) | row << 8 | row >> 8;
}

INLINE Bitboard white_pawn_attacks(Bitboard set)
{
    return (west(set) | east(set)) << 8;
}

INLINE Bitboard black_pawn_attacks(Bitboard set)
{
    return (west(set) | east(set)) >> 8;
}

// The pieces of those kinds.
INLINE Bitboard pieces(const Position *p, uint32_t kinds)
{
    Bitboard set = 0;
    for (int32_t piece = WHITE_PAWN; piece < PIECE_CODES; piece++)
        if (kinds >> piece & 1)
            set |= p->board[piece];
    return set;
}

#define KINDS_STRAIGHT (KIND_R | KIND_r | KIND_Q | KIND_q)
#define KINDS_DIAGONAL (KIND_B | KIND_b | KIND_Q | KIND_q)

// Attacks along one line: its blockers are gathered by a multiplication into an index of six bits.
INLINE Bitboard along(const Runtime *rt, Bitboard line, int32_t square, Bitboard occupied)
{
    return rt->slider_rank_fill[64 * (square & 7) + (int32_t)(((line & occupied) * 0x0202020202020202ULL) >> 58)] & line;
}

INLINE Bitboard diagonal_attacks(const Runtime *rt, int32_t square, Bitboard occupied)
{
    const Bitboard *line = rt->slider_lines + 3 * square;
    return along(rt, line[0], square, occupied) | along(rt, line[1], square, occupied);
}

INLINE Bitboard straight_attacks(const Runtime *rt, int32_t square, Bitboard occupied)
{
    const int32_t file = square & 7;
    const int32_t blockers = (int32_t)(((occupied >> file & 0x0101010101010101ULL) * 0x0080402010080400ULL) >> 58);
    return along(rt, rt->slider_lines[3 * square + 2], square, occupied) |
           rt->slider_file_a[64 * (square >> 3) + blockers] << file;
}

// The squares of `from` with pieces other than sliders that attack some square of `to`.
INLINE Bitboard step_attackers(const Position *p, uint32_t kinds, Bitboard from, Bitboard to)
{
    Bitboard found = 0;
    if (kinds & KIND_P)
        found |= p->board[WHITE_PAWN] & black_pawn_attacks(to);
    if (kinds & KIND_p)
        found |= p->board[BLACK_PAWN] & white_pawn_attacks(to);
    if (kinds & (KIND_N | KIND_n))
        found |= pieces(p, kinds & (KIND_N | KIND_n)) & knight_moves(to);
    if (kinds & (KIND_K | KIND_k))
        found |= pieces(p, kinds & (KIND_K | KIND_k)) & king_moves(to);
    return found & from;
}

// The squares of `from` that attack some square of `to`.
INLINE Bitboard attackers_among(const Context *c, const Position *p, uint32_t kinds, Bitboard from, Bitboard to)
{
    const Bitboard occupied = p->board[BOARD_OCCUPIED];
    Bitboard found = step_attackers(p, kinds, from, to);
    if (!to)
        return 0;
    if (kinds & KINDS_STRAIGHT)
        for (Bitboard rest = from & pieces(p, kinds & KINDS_STRAIGHT); rest; rest &= rest - 1)
            if (straight_attacks(c->rt, __builtin_ctzll(rest), occupied) & to)
                found |= rest & -rest;
    if (kinds & KINDS_DIAGONAL)
        for (Bitboard rest = from & pieces(p, kinds & KINDS_DIAGONAL); rest; rest &= rest - 1)
            if (diagonal_attacks(c->rt, __builtin_ctzll(rest), occupied) & to)
                found |= rest & -rest;
    return found;
}

// Is there such an attack?
INLINE int32_t some_attack(const Context *c, const Position *p, uint32_t kinds, Bitboard from, Bitboard to)
{
    const Bitboard occupied = p->board[BOARD_OCCUPIED];
    if (!to)
        return 0;
    if (step_attackers(p, kinds, from, to))
        return 1;
    if (kinds & KINDS_STRAIGHT)
        for (Bitboard rest = from & pieces(p, kinds & KINDS_STRAIGHT); rest; rest &= rest - 1)
            if (straight_attacks(c->rt, __builtin_ctzll(rest), occupied) & to)
                return 1;
    if (kinds & KINDS_DIAGONAL)
        for (Bitboard rest = from & pieces(p, kinds & KINDS_DIAGONAL); rest; rest &= rest - 1)
            if (diagonal_attacks(c->rt, __builtin_ctzll(rest), occupied) & to)
                return 1;
    return 0;
}

// The squares attacked from `from`.
INLINE Bitboard attacked_from(const Context *c, const Position *p, uint32_t kinds, Bitboard from)
{
    const Bitboard occupied = p->board[BOARD_OCCUPIED];
    Bitboard found = 0;
    if (kinds & KIND_P)
        found |= white_pawn_attacks(from & p->board[WHITE_PAWN]);
    if (kinds & KIND_p)
        found |= black_pawn_attacks(from & p->board[BLACK_PAWN]);
    if (kinds & (KIND_N | KIND_n))
        found |= knight_moves(from & pieces(p, kinds & (KIND_N | KIND_n)));
    if (kinds & (KIND_K | KIND_k))
        found |= king_moves(from & pieces(p, kinds & (KIND_K | KIND_k)));
    if (kinds & KINDS_STRAIGHT)
        for (Bitboard rest = from & pieces(p, kinds & KINDS_STRAIGHT); rest; rest &= rest - 1)
            found |= straight_attacks(c->rt, __builtin_ctzll(rest), occupied);
    if (kinds & KINDS_DIAGONAL)
        for (Bitboard rest = from & pieces(p, kinds & KINDS_DIAGONAL); rest; rest &= rest - 1)
            found |= diagonal_attacks(c->rt, __builtin_ctzll(rest), occupied);
    return found;
}

// The king of the side to move is attacked by the other side.
INLINE int32_t king_attacked(const Context *c, const Position *p)
{
    if (p->side == WHITE)
        return some_attack(c, p, KIND_p | KIND_n | KIND_b | KIND_r | KIND_q | KIND_k, p->board[BOARD_BLACK],
                           p->board[WHITE_KING]);
    return some_attack(c, p, KIND_P | KIND_N | KIND_B | KIND_R | KIND_Q | KIND_K, p->board[BOARD_WHITE],
                       p->board[BLACK_KING]);
}
