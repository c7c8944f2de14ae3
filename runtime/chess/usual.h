// Moves in the usual spelling, like Nf3, Nbd2, R1xe4, e4 or exd5: what reading them needs, inline for the hot paths of
// this room and of the reader of main lines. There are no loops over the text, and few branches, because the lengths and
// kinds of moves are hard to predict. The functions are compiled once for each side to move, which does alternate
// predictably.
#ifndef CQL_USUAL_H
#define CQL_USUAL_H

#include <stddef.h>
#include <string.h>

#include "sliders.h"
#include "word.h"

#define FOR_EACH_SIDE static inline __attribute__((always_inline))

// Squares are size_t here, which spares extensions of signs.
FOR_EACH_SIDE size_t usual_first(Bitboard b)
{
    return (size_t)__builtin_ctzll(b);
}

FOR_EACH_SIDE Bitboard usual_bit(size_t square)
{
    return 1ULL << square;
}

// What the first SAN_PLAY_BYTES bytes of a text say.
typedef struct Spelling {
    size_t length;    // 0: not a usual spelling
    size_t kind;      // type of the piece; 0: none
    size_t to;        // target square
    unsigned between; // the bytes between the piece letter, or the pawn's file, and the target
    uint8_t file;     // the first byte
} Spelling;

extern const uint8_t usual_kind[256];    // the type of the piece by the first byte; 0: none
extern const Bitboard usual_origin[256]; // from where a move may start, by a byte before its target square

FOR_EACH_SIDE Spelling usual_spelling(const char *text)
{
    Spelling s = {.length = 0};
    uint64_t bytes;
    memcpy(&bytes, text, SAN_PLAY_BYTES);
    // the high bits of the bytes up to the first one that is at most '+', which ends a move; or 0
    const uint64_t low = (bytes - 0x2C2C2C2C2C2C2C2Cu) & ~bytes & 0x8080808080808080u;
    const unsigned bits = __builtin_ctzll(low | 1ULL << 63) & 56; // 8 * length
    if (bits - 16 > 32 || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        return s;
    const unsigned target = (unsigned)(bytes >> (bits - 16)) - ('a' | '1' << 8);
    if (target & 0xF8F8)
        return s;
    s.kind = usual_kind[bytes & 0xFF];
    s.length = bits / 8;
    s.to = (target >> 5 & 56) | (target & 7);
    s.between = (unsigned)((bytes & ~(~0ULL << (bits - 16))) >> 8);
    s.file = (uint8_t)bytes;
    return s;
}

// The squares that the bytes between the piece letter and the target allow.
FOR_EACH_SIDE Bitboard usual_origins(unsigned between)
{
    const Bitboard first = usual_origin[between & 0xFF];
    if (between < 0x100)
        return first;
    return first & usual_origin[between >> 8 & 0xFF] & usual_origin[between >> 16];
}

// The piece codes that a move of a side cannot capture.
enum { USUAL_OWN_OF_WHITE = 0x107E, USUAL_OWN_OF_BLACK = 0x1FC0 };

// ---- where the piece comes from: a set of one square, or 0 when san_parse must decide -------------------------

FOR_EACH_SIDE Bitboard usual_piece_origin(const Position *p, const Spelling *s, size_t piece, int side)
{
    const Bitboard occupied = p->board[BOARD_OCCUPIED], *between = between_table[s->to];
    // nothing reaches a square without a piece letter
    const Bitboard origins = p->board[piece] & reach_table[s->kind][s->to] & usual_origins(s->between);
    const Bitboard second = origins & (origins - 1);
    const unsigned no_target = side == WHITE ? USUAL_OWN_OF_WHITE : USUAL_OWN_OF_BLACK;
    if (!origins || (second & (second - 1)) || (no_target >> p->square[s->to] & 1))
        return 0;
    const bool first_reaches = !(between[usual_first(origins)] & occupied);
    if (!second)
        return first_reaches ? origins : 0;
    const bool second_reaches = !(between[usual_first(second)] & occupied);
    if (first_reaches == second_reaches)
        return 0;
    return first_reaches ? origins ^ second : second;
}

FOR_EACH_SIDE Bitboard usual_backward(Bitboard squares, int side)
{
    return side == WHITE ? squares >> 8 : squares << 8;
}

FOR_EACH_SIDE Bitboard usual_pawn_origin(const Position *p, const Spelling *s, int side)
{
    const Bitboard to = usual_bit(s->to), pawns = p->board[piece_make(side, WHITE_PAWN)];
    if ((to & (BB_RANK_1 | BB_RANK_1 << 56)) || s->to == p->en_passant)
        return 0;
    if (s->length == 2) {
        const Bitboard empty = p->board[EMPTY], third = BB_RANK_1 << (side == WHITE ? 16 : 40);
        const Bitboard one = usual_backward(to & empty, side);
        return (one | usual_backward(one & empty & third, side)) & pawns;
    }
    const Bitboard victim = to & p->board[BOARD_WHITE + !side] & targets_of(p, side);
    return s->between == 'x' && victim ? pawn_table[!side][s->to] & pawns & usual_origin[s->file] : 0;
}

// ---- the kings ------------------------------------------------------------------------------------------------

FOR_EACH_SIDE Bitboard usual_sliders(const Position *p, int side)
{
    const Bitboard *own = p->board + side * 6;
    return own[WHITE_BISHOP] | own[WHITE_ROOK] | own[WHITE_QUEEN];
}

// Whether an enemy of `side` other than the king attacks the square. Seldom needed, so its registers do not burden
// the callers.
bool usual_is_attacked(const Position *p, int square, int side, Bitboard occupied, Bitboard counted);

// Whether a slider of `side` on the line attacks the king on it.
FOR_EACH_SIDE bool usual_line_attacked(const Position *p, size_t king, Bitboard line, Bitboard occupied,
                                       int side)
{
    const Bitboard *own = p->board + side * 6, *between = between_table[king];
    const Bitboard straight = (own[WHITE_ROOK] | own[WHITE_QUEEN]) & reach_table[WHITE_ROOK][king],
                   oblique = (own[WHITE_BISHOP] | own[WHITE_QUEEN]) & reach_table[WHITE_BISHOP][king];
    bool attacked = false;
    for (Bitboard snipers = (straight | oblique) & line; snipers; snipers &= snipers - 1)
        attacked |= !(between[usual_first(snipers)] & occupied);
    return attacked;
}

// Whether the own king is safe after the move; false, too, when it is not known whether it is in check. A king may go next to
// the other king, as in san_parse. Only a piece between the king and a slider can expose a king that is not in check.
FOR_EACH_SIDE bool usual_is_safe(const Position *p, size_t from, size_t to, bool pawn, int side)
{
    const size_t king = usual_first(p->board[piece_make(side, WHITE_KING)]);
    const Bitboard line = line_table[king][from];
    const bool king_moves = !pawn && from == king;
    if (!king_moves && p->check == CHECK_NONE && !(line & usual_sliders(p, !side)))
        return true;
    if (p->check == CHECK_UNKNOWN)
        return false;
    const Bitboard occupied = (p->board[BOARD_OCCUPIED] & ~usual_bit(from)) | usual_bit(to);
    if (!king_moves && p->check == CHECK_NONE)
        return !usual_line_attacked(p, king, line & ~usual_bit(to), occupied, !side);
    return !usual_is_attacked(p, (int)(king_moves ? to : king), side, occupied, ~usual_bit(to));
}

// The CHECK_ of the position after an ordinary move of `side` without promotion.
FOR_EACH_SIDE uint8_t usual_check_after(const Position *next, size_t piece, size_t from, size_t to, int side)
{
    const size_t king = usual_first(next->board[piece_make(!side, WHITE_KING)]);
    const Bitboard occupied = next->board[BOARD_OCCUPIED], line = line_table[king][from];
    if ((reach_table[piece][to] >> king & 1) && !(between_table[to][king] & occupied))
        return piece == (size_t)piece_make(side, WHITE_KING) ? CHECK_UNKNOWN : CHECK_GIVEN;
    return line & usual_sliders(next, side) && usual_line_attacked(next, king, line, occupied, side)
               ? CHECK_GIVEN
               : CHECK_NONE;
}

// ---- playing in place -----------------------------------------------------------------------------------------

// The castling rights that a move to or from a square keeps in games from the standard position.
extern const uint8_t usual_rights[64];

// Plays O-O or O-O-O in place. Returns its end, or NULL where san_parse must decide.
const char *usual_castle(Position *p, const char *text, MoveWord *word);

// What a move in place overwrites.
typedef struct UsualUndo {
    uint64_t state; // of the bytes from Position.side on
    uint8_t captured;
} UsualUndo;

// The CHECK_ of the position before the move.
static inline uint8_t usual_check_before(UsualUndo undo)
{
    uint8_t state[sizeof undo.state];
    memcpy(state, &undo.state, sizeof state);
    return state[offsetof(Position, check) - offsetof(Position, side)];
}

// Sets *before to the position before the move `word`, which usual_step has played, in `p`.
void usual_undo(Position *restrict before, const Position *restrict p, MoveWord word, UsualUndo undo);

// Plays the move of the piece on the square `origin` in place. Returns false, and nothing has changed, if there is no such
// square or san_parse must decide.
FOR_EACH_SIDE bool usual_play(Position *p, Bitboard origin, size_t kind, size_t to, MoveWord *word,
                              UsualUndo *undo, int side)
{
    const size_t piece = (size_t)side * 6 + kind, captured = p->square[to];
    const int own = BOARD_WHITE + side, enemy = BOARD_WHITE + !side;
    if (!origin)
        return false;
    const size_t from = usual_first(origin);
    if (!usual_is_safe(p, from, to, kind == WHITE_PAWN, side))
        return false;
    *word = (MoveWord)(from | to << 6 | kind << 12);
    const Bitboard target = usual_bit(to), both = origin | target;
    const Bitboard occupied = (p->board[BOARD_OCCUPIED] & ~origin) | target;
    memcpy(&undo->state, &p->side, sizeof undo->state);
    undo->captured = (uint8_t)captured;
    p->square[from] = EMPTY;
    p->square[to] = (uint8_t)piece;
    p->board[captured] ^= target;
    p->board[EMPTY] = ~occupied;
    p->board[BOARD_OCCUPIED] = occupied;
    p->board[piece] ^= both;
    p->board[own] ^= both;
    p->board[enemy] &= ~target;
    p->side = !side;
    p->en_passant = NO_SQUARE;
    if (kind == WHITE_PAWN && (from ^ to) == 16)
        p->en_passant = (uint8_t)(side == WHITE ? to - 8 : to + 8);
    if (kind != WHITE_PAWN) // pawns do not reach the last rank here
        p->castling &= usual_rights[from] & usual_rights[to];
    p->check = usual_check_after(p, piece, from, to, side);
    return true;
}

// The moves of pawns have a copy of their own, because they need less.
FOR_EACH_SIDE bool usual_step_side(Position *p, const Spelling *s, MoveWord *word, UsualUndo *undo, int side)
{
    if (s->kind == WHITE_PAWN)
        return usual_play(p, usual_pawn_origin(p, s, side), WHITE_PAWN, s->to, word, undo, side);
    const Bitboard origin = usual_piece_origin(p, s, (size_t)side * 6 + s->kind, side);
    return usual_play(p, origin, s->kind, s->to, word, undo, side);
}

// Plays a move in the usual spelling but castling in place, in a game from the standard position. Looks at
// text[0..SAN_PLAY_BYTES). Returns the end of the move; NULL, and nothing has changed, where san_play returns NULL.
static inline __attribute__((always_inline)) const char *usual_step(Position *p, const char *text,
                                                                    MoveWord *word, UsualUndo *undo)
{
    const Spelling s = usual_spelling(text);
    if (s.length == 0)
        return NULL;
    const bool played = p->side == WHITE ? usual_step_side(p, &s, word, undo, WHITE)
                                         : usual_step_side(p, &s, word, undo, BLACK);
    return played ? text + s.length : NULL;
}

#endif
