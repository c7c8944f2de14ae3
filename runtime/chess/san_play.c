// Plays moves in the usual spelling: the fast way of the game reader. There are no loops over the text, and few
// branches, because the lengths and kinds of moves are hard to predict. The functions are compiled once for each side
// to move, which does alternate predictably.
#include <string.h>

#include "make.h"
#include "sliders.h"

// What the first eight bytes of a text say.
typedef struct Spelling {
    int length;       // 0: not a usual spelling
    int kind;         // type of the piece
    int to;           // target square
    unsigned between; // the bytes between the piece letter, or the pawn's file, and the target
    Bitboard origins; // the squares that the text allows
} Spelling;

static const uint8_t kind_of[256] = {['a' ... 'h'] = WHITE_PAWN, ['N'] = WHITE_KNIGHT, ['B'] = WHITE_BISHOP,
                                     ['R'] = WHITE_ROOK,         ['Q'] = WHITE_QUEEN,  ['K'] = WHITE_KING};

// The squares from which a move may start, by the byte before the target square; 0: there is no such byte.
static const Bitboard origin_of[256] = {
    [0] = BB_ALL,
    ['x'] = BB_ALL,
    ['a'] = BB_FILE_A,
    ['b'] = BB_FILE_A << 1,
    ['c'] = BB_FILE_A << 2,
    ['d'] = BB_FILE_A << 3,
    ['e'] = BB_FILE_A << 4,
    ['f'] = BB_FILE_A << 5,
    ['g'] = BB_FILE_A << 6,
    ['h'] = BB_FILE_A << 7,
    ['1'] = BB_RANK_1,
    ['2'] = BB_RANK_1 << 8,
    ['3'] = BB_RANK_1 << 16,
    ['4'] = BB_RANK_1 << 24,
    ['5'] = BB_RANK_1 << 32,
    ['6'] = BB_RANK_1 << 40,
    ['7'] = BB_RANK_1 << 48,
    ['8'] = BB_RANK_1 << 56,
};

static inline Spelling spelling_of(const char *text)
{
    Spelling s = {.length = 0};
    uint64_t bytes;
    memcpy(&bytes, text, SAN_PLAY_BYTES);
    // the high bits of the bytes up to the first one that is at most '+', which ends a move; or 0
    const uint64_t low = (bytes - 0x2C2C2C2C2C2C2C2Cu) & ~bytes & 0x8080808080808080u;
    const int bits = __builtin_ctzll(low | 1ULL << 63) & 56; // 8 * length
    if (bits < 16 || bits > 48 || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        return s;
    const uint64_t target = ((bytes >> (bits - 16)) - ('a' | '1' << 8)) & 0xFFFF;
    const uint64_t between = (bytes & ~(~0ULL << (bits - 16))) >> 8;
    s.kind = kind_of[bytes & 0xFF];
    if (target & 0xF8F8 || s.kind == 0)
        return s;
    s.length = bits / 8;
    s.to = (int)(target >> 5 | (target & 7));
    s.between = (unsigned)between;
    s.origins = (s.kind == WHITE_PAWN ? origin_of[bytes & 0xFF] : BB_ALL) & origin_of[between & 0xFF] &
                origin_of[between >> 8 & 0xFF] & origin_of[between >> 16];
    return s;
}

// For functions that are compiled once for each `side`, and some also for pawns and pieces.
#define FOR_EACH_SIDE static inline __attribute__((always_inline))

// ---- where the piece comes from: a set of one square, or 0 when san_parse must decide -------------------------

FOR_EACH_SIDE Bitboard piece_origin(const Position *p, const Spelling *s, int piece, int side)
{
    const Bitboard occupied = p->board[BOARD_OCCUPIED], *between = between_table[s->to];
    const Bitboard origins = p->board[piece] & reach_table[piece][s->to] & s->origins;
    const Bitboard second = origins & (origins - 1);
    if (!origins || (second & (second - 1)) || !(bb_of(s->to) & targets_of(p, side)))
        return 0;
    const bool first_reaches = !(between[bb_first(origins)] & occupied);
    const bool second_reaches = second && !(between[bb_first(second | 1ULL << 63)] & occupied);
    if (first_reaches == second_reaches)
        return 0;
    return first_reaches ? origins ^ second : second;
}

FOR_EACH_SIDE Bitboard backward(Bitboard squares, int side)
{
    return side == WHITE ? squares >> 8 : squares << 8;
}

FOR_EACH_SIDE Bitboard pawn_origin(const Position *p, const Spelling *s, int side)
{
    const Bitboard to = bb_of(s->to), pawns = p->board[piece_make(side, WHITE_PAWN)] & s->origins;
    if ((to & (BB_RANK_1 | BB_RANK_1 << 56)) || s->to == p->en_passant)
        return 0;
    if (s->length == 2) {
        const Bitboard empty = p->board[EMPTY], third = BB_RANK_1 << (side == WHITE ? 16 : 40);
        const Bitboard one = backward(to & empty, side);
        return (one | backward(one & empty & third, side)) & pawns;
    }
    const Bitboard victim = to & p->board[BOARD_WHITE + !side] & targets_of(p, side);
    return s->between == 'x' && victim ? pawn_table[!side][s->to] & pawns : 0;
}

// ---- the kings ------------------------------------------------------------------------------------------------

FOR_EACH_SIDE Bitboard sliders_of(const Position *p, int side)
{
    const Bitboard *own = p->board + side * 6;
    return own[WHITE_BISHOP] | own[WHITE_ROOK] | own[WHITE_QUEEN];
}

// Whether an enemy of `side` other than the king attacks the square. Seldom needed, so its registers do not burden
// the callers.
static __attribute__((noinline)) bool is_attacked(const Position *p, int square, int side, Bitboard occupied,
                                                  Bitboard counted)
{
    const Bitboard not_king = ~p->board[piece_make(!side, WHITE_KING)];
    return slider_attacked(p, square, !side, occupied, counted & not_king);
}

// Whether the own king is safe after the move. A king may go next to the other king, as in san_parse. Only a piece
// between the king and a slider can expose a king that is not in check.
FOR_EACH_SIDE bool is_safe(const Position *p, int from, int to, int side)
{
    const int king = bb_first(p->board[piece_make(side, WHITE_KING)]);
    const bool king_moves = from == king;
    if (!king_moves && p->check == CHECK_NONE && !(line_table[king][from] & sliders_of(p, !side)))
        return true;
    const Bitboard occupied = (p->board[BOARD_OCCUPIED] & ~bb_of(from)) | bb_of(to);
    return !is_attacked(p, king_moves ? to : king, side, occupied, ~bb_of(to));
}

// The CHECK_ of the position after an ordinary move of `side` without promotion.
FOR_EACH_SIDE uint8_t check_after(const Position *next, int piece, int from, int to, int side)
{
    const int king = bb_first(next->board[piece_make(!side, WHITE_KING)]);
    const Bitboard occupied = next->board[BOARD_OCCUPIED];
    if ((reach_table[piece][to] >> king & 1) && !(between_table[to][king] & occupied))
        return piece == piece_make(side, WHITE_KING) ? CHECK_UNKNOWN : CHECK_GIVEN;
    const bool discovered = line_table[king][from] & sliders_of(next, side);
    return discovered && is_attacked(next, king, !side, occupied, BB_ALL) ? CHECK_GIVEN : CHECK_NONE;
}

// ---- the move -------------------------------------------------------------------------------------------------

FOR_EACH_SIDE bool play(Position *restrict next, const Position *restrict p, Move *restrict m, int piece,
                        Bitboard origin, int to, int side)
{
    if (!origin)
        return false;
    const int from = bb_first(origin);
    if (!is_safe(p, from, to, side))
        return false;
    const bool double_step = piece == piece_make(side, WHITE_PAWN) && (from ^ to) == 16;
    const bool capture = p->board[BOARD_OCCUPIED] & bb_of(to);
    m->from = (uint8_t)from;
    m->to = (uint8_t)to;
    m->victim = capture ? (uint8_t)to : NO_SQUARE;
    m->promoted = EMPTY;
    m->piece = (uint8_t)piece;
    m->flags = (uint8_t)(capture * MOVE_CAPTURE + double_step * MOVE_DOUBLE_STEP);
    m->rook_from = m->rook_to = NO_SQUARE;
    make_ordinary(next, p, piece, piece, from, to, double_step, side);
    next->check = check_after(next, piece, from, to, side);
    return true;
}

FOR_EACH_SIDE bool play_side(Position *restrict next, const Position *restrict p, const Spelling *s,
                             Move *restrict m, int side)
{
    if (s->kind == WHITE_PAWN)
        return play(next, p, m, piece_make(side, WHITE_PAWN), pawn_origin(p, s, side), s->to, side);
    const int piece = piece_make(side, s->kind);
    return play(next, p, m, piece, piece_origin(p, s, piece, side), s->to, side);
}

// O-O and O-O-O.
static const char *play_castling(Position *restrict next, const Position *restrict p, const char *text,
                                 Move *m)
{
    const int wing = memcmp(text, "O-O-O", 5) == 0, length = wing ? 5 : 3, side = p->side;
    if (memcmp(text, "O-O", 3) != 0 || (unsigned char)text[length] > '+' ||
        !pos_castling_move(p, wing, true, m))
        return NULL;
    pos_make(next, p, *m);
    const int king = bb_first(next->board[piece_make(!side, WHITE_KING)]);
    const bool check = is_attacked(next, king, !side, next->board[BOARD_OCCUPIED], BB_ALL);
    next->check = check ? CHECK_GIVEN : CHECK_NONE;
    return text + length;
}

const char *san_play(Position *restrict next, const Position *restrict p, const char *text, Move *restrict m)
{
    if (p->check == CHECK_UNKNOWN)
        return NULL;
    const Spelling s = spelling_of(text);
    if (s.length == 0)
        return *text == 'O' ? play_castling(next, p, text, m) : NULL;
    const bool played =
        p->side == WHITE ? play_side(next, p, &s, m, WHITE) : play_side(next, p, &s, m, BLACK);
    return played ? text + s.length : NULL;
}
