// Generates retractions and takes moves back.
#include "retract.h"

// ---- positions --------------------------------------------------------------------------------------------

bool pos_is_legal_position(const Position *p)
{
    const Bitboard king = p->board[piece_make(!p->side, WHITE_KING)];
    return bb_count(p->white.king) == 1 && bb_count(p->black.king) == 1 &&
           !((p->white.pawn | p->black.pawn) & (BB_RANK_1 | BB_RANK_1 << 56)) &&
           !attackers_of_colour(p, bb_first(king), p->side);
}

// The pieces beyond those of the array, which were pawns.
static int promoted_men(const Pieces *own)
{
    const Bitboard light = own->bishop & BB_LIGHT, dark = own->bishop & BB_DARK;
    const int extra[] = {bb_count(own->queen) - 1, bb_count(own->rook) - 2, bb_count(own->knight) - 2,
                         bb_count(light) - 1, bb_count(dark) - 1};
    int sum = 0;
    for (size_t i = 0; i < sizeof extra / sizeof *extra; i++)
        sum += extra[i] > 0 ? extra[i] : 0;
    return sum;
}

// With one king, these are at most 16 men.
static bool army_is_possible(const Pieces *own)
{
    return bb_count(own->pawn) + promoted_men(own) <= 8;
}

bool pos_material_is_possible(const Position *p)
{
    return army_is_possible(&p->white) && army_is_possible(&p->black);
}

// The CASTLE_ bit of a castling move.
static int castling_right(Move m)
{
    const int right = m.flags & MOVE_CASTLE_KING ? CASTLE_WHITE_KING : CASTLE_WHITE_QUEEN;
    return piece_colour(m.piece) == WHITE ? right : right << 2;
}

static void put(Position *p, int square, int piece)
{
    p->board[p->square[square]] ^= bb_of(square);
    p->board[piece] ^= bb_of(square);
    p->square[square] = (uint8_t)piece;
}

static Bitboard all_of(const Pieces *own)
{
    return own->pawn | own->knight | own->bishop | own->rook | own->queen | own->king;
}

void pos_retract(Position *restrict before, const Position *restrict after, Retraction r)
{
    const Move m = r.move;
    *before = *after;
    before->side = !after->side;
    before->en_passant = m.flags & MOVE_EN_PASSANT ? m.to : NO_SQUARE;
    before->check = CHECK_UNKNOWN;
    put(before, m.to, EMPTY);
    put(before, m.from, m.piece);
    if (m.victim != NO_SQUARE)
        put(before, m.victim, r.captured);
    if (m.flags & MOVE_CASTLE) {
        put(before, m.rook_to, EMPTY);
        put(before, m.rook_from, after->square[m.rook_to]);
        before->castling |= castling_right(m);
    }
    before->white_pieces = all_of(&before->white);
    before->black_pieces = all_of(&before->black);
    before->occupied = before->white_pieces | before->black_pieces;
}

// ---- the generator ----------------------------------------------------------------------------------------

typedef struct Generator {
    const Position *p;
    int side;       // that made the move
    int back;       // a pawn's step back, in squares
    Bitboard empty; // squares from which a man can have come; a pawn not from its first rank
    Retraction *list;
    int count, limit;
} Generator;

// The rank as the mover sees it, 0..7.
static int rank_of(const Generator *g, int square)
{
    return g->side == WHITE ? square_rank(square) : 7 - square_rank(square);
}

static void add(Generator *g, Move m, int captured)
{
    if (g->count == g->limit)
        return;
    const Retraction r = {m, captured};
    Position before;
    pos_retract(&before, g->p, r);
    if (pos_is_legal_position(&before) && pos_material_is_possible(&before))
        g->list[g->count++] = r;
}

// The move as a capture, of each man that it can have captured on its arrival.
static void add_captures(Generator *g, Move m)
{
    const int rank = square_rank(m.to);
    m.victim = m.to;
    m.flags = MOVE_CAPTURE;
    for (int type = rank == 0 || rank == 7 ? WHITE_KNIGHT : WHITE_PAWN; type <= WHITE_QUEEN; type++)
        add(g, m, piece_make(!g->side, type));
}

static void retract_piece(Generator *g, int to)
{
    const int piece = g->p->square[to];
    for (Bitboard from = attacks_from(g->p, to) & g->empty; from && g->count < g->limit; from &= from - 1) {
        const Move m = pos_plain_move(piece, bb_first(from), to, false);
        add(g, m, EMPTY);
        add_captures(g, m);
    }
}

static void retract_double_step(Generator *g, int to)
{
    const int from = to + 2 * g->back;
    if (rank_of(g, to) != 3 || ~g->empty & (bb_of(to + g->back) | bb_of(from)))
        return;
    Move m = pos_plain_move(g->p->square[to], from, to, false);
    m.flags = MOVE_DOUBLE_STEP;
    add(g, m, EMPTY);
}

// The captured pawn reappears one step back from `to`; it came from the other side of that square.
static void retract_en_passant(Generator *g, int from, int to)
{
    if (rank_of(g, to) != 5 || ~g->empty & (bb_of(to + g->back) | bb_of(to - g->back)))
        return;
    Move m = pos_plain_move(g->p->square[to], from, to, true);
    m.victim = to + g->back;
    m.flags |= MOVE_EN_PASSANT;
    add(g, m, piece_make(!g->side, WHITE_PAWN));
}

// `promoted`: the piece on `to` that was a pawn, or EMPTY for a pawn.
static void retract_pawn(Generator *g, int to, int promoted)
{
    if (rank_of(g, to) < 2)
        return;
    const int pawn = piece_make(g->side, WHITE_PAWN);
    Move m = pos_plain_move(pawn, to + g->back, to, false);
    m.promoted = promoted;
    if (g->empty & bb_of(m.from))
        add(g, m, EMPTY);
    for (Bitboard from = pawn_table[!g->side][to] & g->empty; from; from &= from - 1) {
        m.from = bb_first(from);
        add_captures(g, m);
        retract_en_passant(g, m.from, to);
    }
    retract_double_step(g, to);
}

// King and rook go back to their squares of the array.
static void retract_castling(Generator *g, int wing)
{
    const int home = g->side == WHITE ? 0 : 56, king_from = home + 4, rook_from = home + (wing == 0 ? 7 : 0);
    const int king_to = home + (wing == 0 ? 6 : 2), rook_to = home + (wing == 0 ? 5 : 3);
    const int king = piece_make(g->side, WHITE_KING), rook = piece_make(g->side, WHITE_ROOK);
    if (g->p->square[king_to] != king || g->p->square[rook_to] != rook ||
        g->p->rook_file[g->side * 2 + wing] != square_file(rook_from) || !(g->empty & bb_of(rook_from)))
        return;
    if (~g->empty & (between_table[king_from][rook_from] | bb_of(king_from)) & ~bb_of(king_to) &
        ~bb_of(rook_to))
        return;
    Move m = pos_plain_move(king, king_from, king_to, false);
    m.flags = wing == 0 ? MOVE_CASTLE_KING : MOVE_CASTLE_QUEEN;
    m.rook_from = rook_from;
    m.rook_to = rook_to;
    Position before;
    pos_retract(&before, g->p, (Retraction){m, EMPTY});
    if (!attackers_of_colour(&before, king_from, !g->side) &&
        !attackers_of_colour(&before, rook_to, !g->side))
        add(g, m, EMPTY);
}

// The king with a right and the rook that it belongs to.
static Bitboard unmoved(const Position *p, int side)
{
    Bitboard set = 0;
    for (int wing = 0; wing < 2; wing++)
        if (p->castling >> (side * 2 + wing) & 1)
            set |= p->board[piece_make(side, WHITE_KING)] |
                   bb_of(p->rook_file[side * 2 + wing] + (side == WHITE ? 0 : 56));
    return set;
}

static void retract_man(Generator *g, int to)
{
    const int piece = g->p->square[to], type = piece_type(piece);
    if (type == WHITE_PAWN) {
        retract_pawn(g, to, EMPTY);
        return;
    }
    retract_piece(g, to);
    if (type != WHITE_KING && rank_of(g, to) == 7)
        retract_pawn(g, to, piece);
}

int pos_retractions(const Position *p, Retraction *list, int limit)
{
    Generator g = {.p = p,
                   .side = !p->side,
                   .back = p->side == WHITE ? 8 : -8,
                   .empty = p->board[EMPTY],
                   .list = list,
                   .limit = limit};
    if (!pos_is_legal_position(p) || !pos_material_is_possible(p))
        return 0;
    if (p->en_passant != NO_SQUARE) {
        const int to = p->en_passant - g.back;
        if (p->square[to] == piece_make(g.side, WHITE_PAWN))
            retract_double_step(&g, to);
        return g.count;
    }
    const Bitboard fixed = unmoved(p, g.side);
    for (Bitboard men = p->board[BOARD_WHITE + g.side] & ~fixed; men && g.count < limit; men &= men - 1)
        retract_man(&g, bb_first(men));
    if (!(fixed & p->board[piece_make(g.side, WHITE_KING)]))
        for (int wing = 0; wing < 2; wing++)
            retract_castling(&g, wing);
    return g.count;
}
