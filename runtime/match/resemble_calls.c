// Positions that are equal but for some pieces, up to symmetries and shifts of the board (language
// reference 12.7).
#include "runtime.h"

#include "runtime/chess/chess.h"

enum { MAP_FLIP = 1, MAP_SHIFT = 2 };

// The pieces of the current position, under a symmetry of the board. What a shift moves off the board is
// empty, so the empty squares need no board of their own.
typedef struct Board {
    Bitboard piece[PIECE_CODES]; // from WHITE_PAWN
    Bitboard occupied;
} Board;

typedef struct Demand {
    Bitboard before[PIECE_CODES], occupied; // the other position, on the compared squares
    Bitboard squares;
    Bitboard missing; // where pieces may have gone
    int32_t missing_low, missing_high;
    int32_t added; // symbols of pieces that may have come
    Bitboard added_squares;
    int32_t added_low, added_high;
} Demand;

typedef struct Shift {
    int files, ranks;
} Shift;

static bool lies_in(int32_t count, int32_t low, int32_t high)
{
    return count >= low && count <= high;
}

// Symbols of a designator: bits of piece codes, of BOARD_WHITE and of BOARD_BLACK.
static bool has_symbol(int32_t symbols, int code)
{
    const int side = code < BLACK_PAWN ? BOARD_WHITE : BOARD_BLACK;
    return (symbols >> code | symbols >> side) & 1;
}

static Bitboard chosen(const Bitboard *piece, int32_t symbols)
{
    Bitboard set = 0;
    for (int code = WHITE_PAWN; code < PIECE_CODES; code++)
        if (has_symbol(symbols, code))
            set |= piece[code];
    return set;
}

// ---- one map ----------------------------------------------------------------------------------------------

static Bitboard moved(Bitboard b, Shift shift)
{
    return bb_step(b, shift.files, shift.ranks);
}

static bool fits(const Demand *d, const Board *now, Shift shift)
{
    const Bitboard occupied = moved(now->occupied, shift);
    const Bitboard gone = d->occupied & ~occupied;
    if (gone & ~d->missing || !lies_in(bb_count(gone), d->missing_low, d->missing_high))
        return false;
    const Bitboard come = occupied & d->squares & ~d->occupied;
    if (!lies_in(bb_count(come), d->added_low, d->added_high))
        return false;
    if (come & ~(moved(chosen(now->piece, d->added), shift) & d->added_squares))
        return false;
    const Bitboard both = d->occupied & occupied;
    for (int code = WHITE_PAWN; code < PIECE_CODES; code++)
        if (both & (d->before[code] ^ moved(now->piece[code], shift)))
            return false;
    return true;
}

// ---- shifts -----------------------------------------------------------------------------------------------

static bool fits_any_shift(const Demand *d, const Board *now)
{
    for (int ranks = -7; ranks <= 7; ranks++)
        for (int files = -7; files <= 7; files++)
            if (fits(d, now, (Shift){files, ranks}))
                return true;
    return false;
}

// The shifts that bring a piece like the one on `square` there.
static bool fits_with_piece(const Demand *d, const Board *now, int code, int square)
{
    for (Bitboard from = now->piece[code]; from != 0; from &= from - 1) {
        const int other = bb_first(from);
        const Shift shift = {square_file(square) - square_file(other),
                             square_rank(square) - square_rank(other)};
        if (fits(d, now, shift))
            return true;
    }
    return false;
}

// Of any pieces more than may have gone, one is still there: only the shifts that keep one of them are tried.
// Kings come first, for there is but one of each to try.
static bool fits_shifted(const Demand *d, const Board *now)
{
    static const uint8_t order[] = {WHITE_KING,   BLACK_KING,   WHITE_QUEEN, BLACK_QUEEN,
                                    WHITE_BISHOP, BLACK_BISHOP, WHITE_ROOK,  BLACK_ROOK,
                                    WHITE_KNIGHT, BLACK_KNIGHT, WHITE_PAWN,  BLACK_PAWN};
    int32_t wanted = d->missing_high;
    if (bb_count(d->occupied) <= d->missing_high)
        return fits_any_shift(d, now);
    for (unsigned i = 0; i < sizeof order; i++) {
        for (Bitboard set = d->before[order[i]]; set != 0; set &= set - 1) {
            if (fits_with_piece(d, now, order[i], bb_first(set)))
                return true;
            if (wanted-- == 0)
                return false;
        }
    }
    return false;
}

// ---- symmetries -------------------------------------------------------------------------------------------

static Board map_board(const Board *board, Bitboard (*map)(Bitboard))
{
    Board image = {.occupied = map(board->occupied)};
    for (int code = WHITE_PAWN; code < PIECE_CODES; code++)
        image.piece[code] = map(board->piece[code]);
    return image;
}

// The two reflections in turn lead through all eight symmetries of the board.
static bool fits_mapped(const Demand *d, Board now, int32_t maps)
{
    for (int i = 0; i < (maps & MAP_FLIP ? 8 : 1); i++) {
        if (i > 0)
            now = map_board(&now, i % 2 != 0 ? bb_mirror_files : bb_exchange_files_and_ranks);
        if (maps & MAP_SHIFT ? fits_shifted(d, &now) : fits(d, &now, (Shift){0, 0}))
            return true;
    }
    return false;
}

int32_t rt_resembles(Context *c, const Position *p, int32_t other, Bitboard squares, int32_t maps,
                     int32_t missing, Bitboard missing_squares, int32_t missing_low, int32_t missing_high,
                     int32_t added, Bitboard added_squares, int32_t added_low, int32_t added_high)
{
    const Bitboard *before = c->position[other]->board;
    Demand d = {.squares = squares, .missing_low = missing_low, .missing_high = missing_high};
    d.added = added;
    d.added_squares = added_squares;
    d.added_low = added_low;
    d.added_high = added_high;
    d.occupied = before[BOARD_OCCUPIED] & squares;
    if (bb_count(d.occupied) - bb_count(p->board[BOARD_OCCUPIED]) > missing_high)
        return false;
    Board now = {.occupied = p->board[BOARD_OCCUPIED]};
    for (int code = WHITE_PAWN; code < PIECE_CODES; code++) {
        d.before[code] = before[code] & squares;
        now.piece[code] = p->board[code];
    }
    d.missing = chosen(d.before, missing) & missing_squares;
    return fits_mapped(&d, now, maps);
}
