// Attack tables, the attacks of all pieces, and their letters.
#include "sliders.h"

const char fen_letters[] = " PNBRQKpnbrqk";

Bitboard knight_table[64], king_table[64], pawn_table[2][64];
Bitboard between_table[64][64];
Bitboard line_table[64][64];
Bitboard ray_table[8][64];
Bitboard reach_table[PIECE_CODES][64];

SliderLines slider_lines[64];
Bitboard slider_rank_fill[8][64];
Bitboard slider_file_a[8][64];

typedef struct Step {
    int file, rank;
} Step;

// In the order of enum Direction.
static const Step direction_steps[8] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
static const Step knight_steps[8] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static Bitboard stepped(Bitboard square, Step step)
{
    return bb_step(square, step.file, step.rank);
}

static void fill_steps(int square)
{
    for (int i = 0; i < 8; i++) {
        king_table[square] |= stepped(bb_of(square), direction_steps[i]);
        knight_table[square] |= stepped(bb_of(square), knight_steps[i]);
    }
    pawn_table[WHITE][square] = bb_step(bb_of(square), -1, 1) | bb_step(bb_of(square), 1, 1);
    pawn_table[BLACK][square] = bb_step(bb_of(square), -1, -1) | bb_step(bb_of(square), 1, -1);
}

static void fill_rays(int square)
{
    for (int d = 0; d < 8; d++) {
        for (Bitboard next = bb_of(square); (next = stepped(next, direction_steps[d]));) {
            between_table[square][bb_first(next)] = ray_table[d][square];
            ray_table[d][square] |= next;
        }
    }
}

static void fill_lines(int square)
{
    for (int d = 0; d < 8; d++) {
        const Bitboard line = ray_table[d][square] | ray_table[(d + 4) & 7][square] | bb_of(square);
        for (Bitboard rest = ray_table[d][square]; rest; rest &= rest - 1)
            line_table[square][bb_first(rest)] = line;
    }
    slider_lines[square].diagonal = ray_table[NORTH_EAST][square] | ray_table[SOUTH_WEST][square];
    slider_lines[square].antidiagonal = ray_table[NORTH_WEST][square] | ray_table[SOUTH_EAST][square];
    slider_lines[square].rank = ray_table[EAST][square] | ray_table[WEST][square];
}

static void fill_reach(int square)
{
    const SliderLines *lines = &slider_lines[square];
    const Bitboard diagonal = lines->diagonal | lines->antidiagonal;
    const Bitboard straight = lines->rank | ray_table[NORTH][square] | ray_table[SOUTH][square];
    for (int colour = WHITE; colour <= BLACK; colour++) {
        Bitboard(*reach)[64] = reach_table + colour * 6;
        reach[WHITE_PAWN][square] = pawn_table[colour][square];
        reach[WHITE_KNIGHT][square] = knight_table[square];
        reach[WHITE_BISHOP][square] = diagonal;
        reach[WHITE_ROOK][square] = straight;
        reach[WHITE_QUEEN][square] = diagonal | straight;
        reach[WHITE_KING][square] = king_table[square];
    }
}

// The squares that a slider on `place` attacks on a line of eight; `blockers` are places too.
static unsigned line_attacks(int place, unsigned blockers)
{
    unsigned attacked = 0;
    for (int step = -1; step <= 1; step += 2) {
        for (int i = place + step; i >= 0 && i < 8; i += step) {
            attacked |= 1u << i;
            if (blockers >> i & 1)
                break;
        }
    }
    return attacked;
}

static void fill_sliders(int place)
{
    for (unsigned inner = 0; inner < 64; inner++) {
        slider_rank_fill[place][inner] = line_attacks(place, inner << 1) * BB_FILE_A;
        // The multiplication gathers a file upside down: bit 0 is rank 7, bit 5 is rank 2.
        unsigned blockers = 0;
        for (int i = 0; i < 6; i++)
            blockers |= (inner >> i & 1) << (6 - i);
        const unsigned attacked = line_attacks(place, blockers);
        for (int rank = 0; rank < 8; rank++)
            slider_file_a[place][inner] |= (Bitboard)(attacked >> rank & 1) << (8 * rank);
    }
}

// The priority runs this before the constructors of other files.
__attribute__((constructor(101))) static void fill_tables(void)
{
    for (int square = 0; square < 64; square++) {
        fill_steps(square);
        fill_rays(square);
    }
    for (int square = 0; square < 64; square++) {
        fill_lines(square);
        fill_reach(square);
    }
    for (int place = 0; place < 8; place++)
        fill_sliders(place);
}

Bitboard attacks_from(const Position *p, int square)
{
    const int piece = p->square[square], type = piece_type(piece);
    if (type <= WHITE_PAWN)
        return piece == EMPTY ? 0 : pawn_table[piece_colour(piece)][square];
    return slider_type_attacks(type, square, p->board[BOARD_OCCUPIED]);
}

Bitboard attackers_to(const Position *p, int square, Bitboard occupied)
{
    const Bitboard *board = p->board;
    const Bitboard queens = board[WHITE_QUEEN] | board[BLACK_QUEEN];
    const Bitboard straight = board[WHITE_ROOK] | board[BLACK_ROOK] | queens;
    const Bitboard diagonal = board[WHITE_BISHOP] | board[BLACK_BISHOP] | queens;
    return (pawn_table[BLACK][square] & board[WHITE_PAWN]) | (pawn_table[WHITE][square] & board[BLACK_PAWN]) |
           (knight_table[square] & (board[WHITE_KNIGHT] | board[BLACK_KNIGHT])) |
           (king_table[square] & (board[WHITE_KING] | board[BLACK_KING])) |
           (slider_rook(square, occupied) & straight) | (slider_bishop(square, occupied) & diagonal);
}
