// Positions: setting up, making moves, king safety, castling.
#include <string.h>

#include "make.h"
#include "sliders.h"

#define RANK_2 0xFF00ULL
#define RANK_7 0xFF000000000000ULL

const Position pos_start = {
    .board = {[EMPTY] = 0x0000FFFFFFFF0000ULL,
              [WHITE_PAWN] = RANK_2,
              [WHITE_KNIGHT] = 0x42ULL,
              [WHITE_BISHOP] = 0x24ULL,
              [WHITE_ROOK] = 0x81ULL,
              [WHITE_QUEEN] = 0x08ULL,
              [WHITE_KING] = 0x10ULL,
              [BLACK_PAWN] = RANK_7,
              [BLACK_KNIGHT] = 0x42ULL << 56,
              [BLACK_BISHOP] = 0x24ULL << 56,
              [BLACK_ROOK] = 0x81ULL << 56,
              [BLACK_QUEEN] = 0x08ULL << 56,
              [BLACK_KING] = 0x10ULL << 56,
              [BOARD_WHITE] = 0xFFFFULL,
              [BOARD_BLACK] = 0xFFFF000000000000ULL,
              [BOARD_OCCUPIED] = 0xFFFF00000000FFFFULL},
    .square = {WHITE_ROOK,   WHITE_KNIGHT, WHITE_BISHOP, WHITE_QUEEN, WHITE_KING,        WHITE_BISHOP,
               WHITE_KNIGHT, WHITE_ROOK,   WHITE_PAWN,   WHITE_PAWN,  WHITE_PAWN,        WHITE_PAWN,
               WHITE_PAWN,   WHITE_PAWN,   WHITE_PAWN,   WHITE_PAWN,  [48] = BLACK_PAWN, BLACK_PAWN,
               BLACK_PAWN,   BLACK_PAWN,   BLACK_PAWN,   BLACK_PAWN,  BLACK_PAWN,        BLACK_PAWN,
               BLACK_ROOK,   BLACK_KNIGHT, BLACK_BISHOP, BLACK_QUEEN, BLACK_KING,        BLACK_BISHOP,
               BLACK_KNIGHT, BLACK_ROOK},
    .side = WHITE,
    .castling = 15,
    .en_passant = NO_SQUARE,
    .rook_file = {7, 0, 7, 0},
    .check = CHECK_NONE,
};

void pos_rebuild(Position *p)
{
    memset(p->board, 0, sizeof p->board);
    for (int square = 0; square < 64; square++)
        p->board[p->square[square]] |= bb_of(square);
    for (int type = 1; type <= 6; type++) {
        p->board[BOARD_WHITE] |= p->board[piece_make(WHITE, type)];
        p->board[BOARD_BLACK] |= p->board[piece_make(BLACK, type)];
    }
    p->board[BOARD_OCCUPIED] = p->board[BOARD_WHITE] | p->board[BOARD_BLACK];
    p->check = CHECK_UNKNOWN;
}

bool pos_in_check(const Position *p, int colour)
{
    if (p->check && colour == p->side)
        return p->check & CHECK_GIVEN;
    const Bitboard king = p->board[piece_make(colour, WHITE_KING)];
    const Bitboard not_king = ~p->board[piece_make(!colour, WHITE_KING)]; // adjacent kings do not give check
    return king && slider_attacked(p, bb_first(king), !colour, p->board[BOARD_OCCUPIED], not_king);
}

void pos_find_check(Position *p)
{
    const Bitboard white = p->white.king, black = p->black.king;
    p->check = CHECK_UNKNOWN;
    if (!white || !black || (white & (white - 1)) || (black & (black - 1)) ||
        (king_table[bb_first(white)] & black) || pos_in_check(p, !p->side))
        return;
    p->check = pos_in_check(p, p->side) ? CHECK_GIVEN : CHECK_NONE;
}

// ---- making moves -----------------------------------------------------------------------------------------

static void lift(Position *p, int square)
{
    const int piece = p->square[square];
    p->board[piece] ^= bb_of(square);
    p->board[BOARD_WHITE + piece_colour(piece)] ^= bb_of(square);
    p->square[square] = EMPTY;
}

static void put(Position *p, int square, int piece)
{
    p->board[piece] ^= bb_of(square);
    p->board[BOARD_WHITE + piece_colour(piece)] ^= bb_of(square);
    p->square[square] = piece;
}

// In Chess960 the king may go to the rook's square and the rook to the king's, so both are lifted first.
static void play_castling(Position *p, Move m)
{
    const int rook = p->square[m.rook_from];
    lift(p, m.from);
    lift(p, m.rook_from);
    put(p, m.to, m.piece);
    put(p, m.rook_to, rook);
}

void pos_play(Position *p, Move m)
{
    const int side = p->side;
    p->side = !side;
    p->en_passant = NO_SQUARE;
    p->check = CHECK_UNKNOWN;
    if (m.flags & MOVE_NULL)
        return;
    if (m.flags & MOVE_CASTLE) {
        play_castling(p, m);
    } else {
        if (m.victim != NO_SQUARE)
            lift(p, m.victim);
        const int placed = m.promoted ? m.promoted : m.piece;
        p->board[m.piece] ^= bb_of(m.from);
        p->board[placed] ^= bb_of(m.to);
        p->board[BOARD_WHITE + side] ^= bb_of(m.from) | bb_of(m.to);
        p->square[m.from] = EMPTY;
        p->square[m.to] = placed;
        if (m.flags & MOVE_DOUBLE_STEP)
            p->en_passant = (m.from + m.to) / 2;
    }
    const Bitboard occupied = p->board[BOARD_WHITE] | p->board[BOARD_BLACK];
    p->board[BOARD_OCCUPIED] = occupied;
    p->board[EMPTY] = ~occupied;
    drop_castling_rights(p, m.piece, m.from, m.to);
}

void pos_make(Position *restrict next, const Position *restrict p, Move m)
{
    if (!(m.flags & (MOVE_NULL | MOVE_CASTLE | MOVE_EN_PASSANT))) {
        const int placed = m.promoted ? m.promoted : m.piece;
        make_ordinary(next, p, m.piece, placed, m.from, m.to, m.flags & MOVE_DOUBLE_STEP, p->side);
        return;
    }
    *next = *p;
    pos_play(next, m);
}

Move pos_null_move(const Position *p)
{
    const Bitboard king = p->board[piece_make(p->side, WHITE_KING)];
    const int square = king ? bb_first(king) : 0;
    return (Move){.from = square,
                  .to = square,
                  .victim = NO_SQUARE,
                  .piece = king ? p->square[square] : EMPTY,
                  .flags = MOVE_NULL,
                  .rook_from = NO_SQUARE,
                  .rook_to = NO_SQUARE};
}

// ---- legality ---------------------------------------------------------------------------------------------

bool pos_is_legal(const Position *p, Move m)
{
    const Bitboard king = p->board[piece_make(p->side, WHITE_KING)];
    if (!king || (m.flags & MOVE_NULL))
        return true;
    Bitboard occupied = (p->board[BOARD_OCCUPIED] & ~bb_of(m.from)) | bb_of(m.to), counted = BB_ALL;
    if (m.victim != NO_SQUARE) {
        counted = ~bb_of(m.victim);
        if (m.victim != m.to)
            occupied &= counted;
    }
    if (m.flags & MOVE_CASTLE)
        occupied = (occupied & ~bb_of(m.rook_from)) | bb_of(m.rook_to) | bb_of(m.to);
    const bool king_moves = piece_type(m.piece) == WHITE_KING;
    return !slider_attacked(p, king_moves ? m.to : bb_first(king), !p->side, occupied, counted);
}

// Two squares on one rank and all squares between them.
static Bitboard span(int a, int b)
{
    return between_table[a][b] | bb_of(a) | bb_of(b);
}

bool pos_castling_way(const Position *p, int wing, bool need_right, Move *m)
{
    const int side = p->side, right = side * 2 + wing, back = side == WHITE ? 0 : 56;
    const int king_piece = piece_make(side, WHITE_KING);
    const Bitboard king = p->board[king_piece] & 0xFFULL << back;
    if (!king || (need_right && !(p->castling >> right & 1)))
        return false;
    const int from = bb_first(king);
    const int rook_from = back + (need_right ? p->rook_file[right] : wing == 0 ? 7 : 0);
    // Without a right nothing says where king and rook started, so only the ordinary squares are at home.
    if ((!need_right && from != back + 4) || p->square[rook_from] != piece_make(side, WHITE_ROOK))
        return false;
    const int to = back + (wing == 0 ? 6 : 2), rook_to = back + (wing == 0 ? 5 : 3);
    const Bitboard others = p->board[BOARD_OCCUPIED] & ~bb_of(from) & ~bb_of(rook_from);
    if (others & (span(from, to) | span(rook_from, rook_to)))
        return false;
    *m = (Move){.from = from,
                .to = to,
                .victim = NO_SQUARE,
                .piece = king_piece,
                .flags = wing == 0 ? MOVE_CASTLE_KING : MOVE_CASTLE_QUEEN,
                .rook_from = rook_from,
                .rook_to = rook_to};
    return true;
}

bool pos_castling_move(const Position *p, int wing, bool need_right, Move *m)
{
    if (!pos_castling_way(p, wing, need_right, m))
        return false;
    const int side = p->side, back = side == WHITE ? 0 : 56;
    const Bitboard known = p->check == CHECK_NONE ? bb_of(m->from) : 0;
    for (Bitboard path = span(m->from, m->to) & ~known; path; path &= path - 1)
        if (slider_attacked(p, bb_first(path), !side, p->board[BOARD_OCCUPIED], BB_ALL))
            return false;
    // The rook may have shielded the king from an attacker farther out on the rank, but not from its corner.
    return (m->from == back + 4 && m->rook_from == back + (wing == 0 ? 7 : 0)) || pos_is_legal(p, *m);
}
