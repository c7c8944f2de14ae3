// Positions that are equal except for some pieces, up to symmetries and shifts of the board (language
// reference 12.7).
#include "runtime/match/table.h"
#include "shifts.h"

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

// ---- maps -------------------------------------------------------------------------------------------------

static bool fits(const Demand *d, const Board *now, int files, int ranks)
{
    const Bitboard occupied = bb_step(now->occupied, files, ranks);
    const Bitboard gone = d->occupied & ~occupied;
    if (gone & ~d->missing || !lies_in(bb_count(gone), d->missing_low, d->missing_high))
        return false;
    const Bitboard come = occupied & d->squares & ~d->occupied;
    if (!lies_in(bb_count(come), d->added_low, d->added_high))
        return false;
    if (come & ~(bb_step(chosen(now->piece, d->added), files, ranks) & d->added_squares))
        return false;
    const Bitboard both = d->occupied & occupied;
    for (int code = WHITE_PAWN; code < PIECE_CODES; code++)
        if (both & (d->before[code] ^ bb_step(now->piece[code], files, ranks)))
            return false;
    return true;
}

typedef struct Comparison {
    const Demand *demand;
    const Board *now;
} Comparison;

// The shift leads from the earlier position to the current one.
static bool fits_shifted(const void *user, int files, int ranks)
{
    const Comparison *c = user;
    return fits(c->demand, c->now, -files, -ranks);
}

static Board map_board(const Board *board, int symmetry)
{
    Board result = {.occupied = bb_image(board->occupied, symmetry)};
    for (int code = WHITE_PAWN; code < PIECE_CODES; code++)
        result.piece[code] = bb_image(board->piece[code], symmetry);
    return result;
}

static bool fits_mapped(const Demand *d, const Board *board, int32_t maps)
{
    for (int symmetry = 0; symmetry < (maps & MAP_FLIP ? BOARD_SYMMETRIES : 1); symmetry++) {
        const Board now = map_board(board, symmetry);
        if (maps & MAP_SHIFT ? shift_found(d->before, BB_ALL, now.piece, d->missing_high, 7, 7, fits_shifted,
                                           &(Comparison){d, &now})
                             : fits(d, &now, 0, 0))
            return true;
    }
    return false;
}

int32_t rt_resembles(Context *c, const Position *p, int32_t other, Bitboard squares, int32_t maps,
                     int32_t missing, Bitboard missing_squares, int32_t missing_low, int32_t missing_high,
                     int32_t added, Bitboard added_squares, int32_t added_low, int32_t added_high)
{
    const Bitboard *before = c->position[other]->board;
    Demand d = {.occupied = before[BOARD_OCCUPIED] & squares,
                .squares = squares,
                .missing_low = missing_low,
                .missing_high = missing_high,
                .added = added,
                .added_squares = added_squares,
                .added_low = added_low,
                .added_high = added_high};
    if (bb_count(d.occupied) - bb_count(p->board[BOARD_OCCUPIED]) > missing_high)
        return false;
    Board now = {.occupied = p->board[BOARD_OCCUPIED]};
    for (int code = WHITE_PAWN; code < PIECE_CODES; code++) {
        d.before[code] = before[code] & squares;
        now.piece[code] = p->board[code];
    }
    d.missing = chosen(d.before, missing) & missing_squares;
    return fits_mapped(&d, &now, maps);
}
