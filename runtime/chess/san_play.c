// Plays moves in the usual spelling: the fast way of the game reader.
#include <string.h>

#include "make.h"
#include "usual.h"

const uint8_t usual_kind[256] = {['a' ... 'h'] = WHITE_PAWN, ['N'] = WHITE_KNIGHT, ['B'] = WHITE_BISHOP,
                                 ['R'] = WHITE_ROOK,         ['Q'] = WHITE_QUEEN,  ['K'] = WHITE_KING};

// 0: there is no such byte.
const Bitboard usual_origin[256] = {
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

enum { RIGHTS = 15 };
const uint8_t usual_rights[64] = {
    [0] = RIGHTS & ~CASTLE_WHITE_QUEEN,
    [1 ... 3] = RIGHTS,
    [4] = RIGHTS & ~(CASTLE_WHITE_KING | CASTLE_WHITE_QUEEN),
    [5 ... 6] = RIGHTS,
    [7] = RIGHTS & ~CASTLE_WHITE_KING,
    [8 ... 55] = RIGHTS,
    [56] = RIGHTS & ~CASTLE_BLACK_QUEEN,
    [57 ... 59] = RIGHTS,
    [60] = RIGHTS & ~(CASTLE_BLACK_KING | CASTLE_BLACK_QUEEN),
    [61 ... 62] = RIGHTS,
    [63] = RIGHTS & ~CASTLE_BLACK_KING,
};

// The enemies of `side` other than the king that attack the square.
static inline Bitboard attackers(const Position *p, int square, int side, Bitboard occupied)
{
    const Bitboard *enemy = p->board + !side * 6, *between = between_table[square];
    const Bitboard straight = (enemy[WHITE_ROOK] | enemy[WHITE_QUEEN]) & reach_table[WHITE_ROOK][square],
                   oblique = (enemy[WHITE_BISHOP] | enemy[WHITE_QUEEN]) & reach_table[WHITE_BISHOP][square];
    Bitboard found =
        (pawn_table[side][square] & enemy[WHITE_PAWN]) | (knight_table[square] & enemy[WHITE_KNIGHT]);
    for (Bitboard rest = straight | oblique; rest; rest &= rest - 1)
        if (!(between[bb_first(rest)] & occupied))
            found |= rest & -rest;
    return found;
}

bool usual_is_attacked(const Position *p, int square, int side, Bitboard occupied, Bitboard counted)
{
    return attackers(p, square, side, occupied) & counted;
}

// ---- the move -------------------------------------------------------------------------------------------------

// Plays a move other than a promotion, castling or an en passant capture.
FOR_EACH_SIDE void play_usual(Position *restrict next, const Position *restrict p, Move *restrict m,
                              int piece, int from, int to, bool capture, int side)
{
    const bool double_step = piece == piece_make(side, WHITE_PAWN) && (from ^ to) == 16;
    m->from = (uint8_t)from;
    m->to = (uint8_t)to;
    m->victim = capture ? (uint8_t)to : NO_SQUARE;
    m->promoted = EMPTY;
    m->piece = (uint8_t)piece;
    m->flags = (uint8_t)(capture * MOVE_CAPTURE + double_step * MOVE_DOUBLE_STEP);
    m->rook_from = m->rook_to = NO_SQUARE;
    make_ordinary(next, p, piece, piece, from, to, double_step, side);
}

FOR_EACH_SIDE bool play(Position *restrict next, const Position *restrict p, Move *restrict m, int piece,
                        Bitboard origin, int to, int side)
{
    if (!origin)
        return false;
    const int from = bb_first(origin);
    if (!usual_is_safe(p, (size_t)from, (size_t)to, false, side))
        return false;
    play_usual(next, p, m, piece, from, to, p->board[BOARD_OCCUPIED] & bb_of(to), side);
    next->check = usual_check_after(next, (size_t)piece, (size_t)from, (size_t)to, side);
    return true;
}

FOR_EACH_SIDE bool play_side(Position *restrict next, const Position *restrict p, const Spelling *s,
                             Move *restrict m, int side)
{
    if (s->kind == WHITE_PAWN)
        return play(next, p, m, piece_make(side, WHITE_PAWN), usual_pawn_origin(p, s, side), s->to, side);
    const int piece = piece_make(side, s->kind);
    return play(next, p, m, piece, usual_piece_origin(p, s, piece, side), s->to, side);
}

// The move `kind` from `from` to `to`; see pos_play_word.
FOR_EACH_SIDE bool play_plain(Position *restrict next, const Position *restrict p, Move *restrict m, int kind,
                              int from, int to, int side)
{
    const unsigned no_target = side == WHITE ? USUAL_OWN_OF_WHITE : USUAL_OWN_OF_BLACK;
    const int piece = piece_make(side, kind);
    if (p->square[from] != piece || (no_target >> p->square[to] & 1))
        return false;
    play_usual(next, p, m, piece, from, to, p->square[to] != EMPTY, side);
    if (p->check != CHECK_UNKNOWN)
        next->check = usual_check_after(next, (size_t)piece, (size_t)from, (size_t)to, side);
    return true;
}

static __attribute__((noinline)) bool play_special(Position *restrict next, const Position *restrict p,
                                                   MoveWord word, Move *restrict m)
{
    if (!word_move(p, word, m))
        return false;
    pos_make(next, p, *m);
    if (m->flags & MOVE_NULL)
        pos_find_check(next);
    else if (p->check != CHECK_UNKNOWN)
        next->check = pos_in_check(next, next->side) ? CHECK_GIVEN : CHECK_NONE;
    return true;
}

static inline __attribute__((always_inline)) bool
play_word(Position *restrict next, const Position *restrict p, MoveWord word, Move *restrict m)
{
    const int from = word & 63, to = word >> 6 & 63, kind = word_kind(word);
    if (kind < WORD_PAWN || kind > WORD_KING)
        return play_special(next, p, word, m);
    return p->side == WHITE ? play_plain(next, p, m, kind, from, to, WHITE)
                            : play_plain(next, p, m, kind, from, to, BLACK);
}

bool pos_play_word(Position *restrict next, const Position *restrict p, MoveWord word, Move *restrict m)
{
    return play_word(next, p, word, m);
}

size_t pos_play_line(Position *line, Node *node, const MoveWord *word, size_t stride, size_t count)
{
    size_t i = 0;
    while (i < count && play_word(&line[i + 1], &line[i], word[i * stride], &node[i + 1].move))
        i++;
    return i;
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
    const bool check = usual_is_attacked(next, king, !side, next->board[BOARD_OCCUPIED], BB_ALL);
    next->check = check ? CHECK_GIVEN : CHECK_NONE;
    return text + length;
}

const char *san_play(Position *restrict next, const Position *restrict p, const char *text, Move *restrict m)
{
    if (p->check == CHECK_UNKNOWN)
        return NULL;
    const Spelling s = usual_spelling(text);
    if (s.length == 0)
        return *text == 'O' ? play_castling(next, p, text, m) : NULL;
    const bool played =
        p->side == WHITE ? play_side(next, p, &s, m, WHITE) : play_side(next, p, &s, m, BLACK);
    return played ? text + s.length : NULL;
}

// ---- in place -------------------------------------------------------------------------------------------------

_Static_assert(sizeof(Position) - offsetof(Position, side) == sizeof(uint64_t), "UsualUndo.state");

void usual_undo(Position *restrict before, const Position *restrict p, MoveWord word, UsualUndo undo)
{
    *before = *p;
    memcpy(&before->side, &undo.state, sizeof undo.state);
    const int from = word & 63, to = word >> 6 & 63, side = before->side;
    const int piece = p->square[to], captured = undo.captured;
    const Bitboard origin = bb_of(from), target = bb_of(to);
    before->square[from] = (uint8_t)piece;
    before->square[to] = (uint8_t)captured;
    before->board[piece] ^= origin | target;
    before->board[BOARD_WHITE + side] ^= origin | target;
    before->board[EMPTY] &= ~origin;
    before->board[captured] |= target;
    if (captured != EMPTY)
        before->board[BOARD_WHITE + !side] |= target;
    before->board[BOARD_OCCUPIED] = ~before->board[EMPTY];
}

const char *usual_castle(Position *p, const char *text, MoveWord *word)
{
    const int wing = memcmp(text, "O-O-O", 5) == 0, length = wing ? 5 : 3, side = p->side;
    const int back = side == WHITE ? 0 : 56, from = back + 4, rook_from = back + (wing ? 0 : 7);
    const int to = back + (wing ? 2 : 6), rook_to = back + (wing ? 3 : 5);
    const Bitboard empty = (wing ? 0x0EULL : 0x60ULL) << back;
    if (memcmp(text, "O-O", 3) != 0 || (unsigned char)text[length] > '+' || p->check != CHECK_NONE ||
        !(p->castling >> (side * 2 + wing) & 1) || (p->board[BOARD_OCCUPIED] & empty))
        return NULL;
    for (int square = rook_to;; square = to) {
        if ((king_table[square] & p->board[piece_make(!side, WHITE_KING)]) ||
            attackers(p, square, side, p->board[BOARD_OCCUPIED]))
            return NULL;
        if (square == to)
            break;
    }
    const int king = piece_make(side, WHITE_KING), rook = piece_make(side, WHITE_ROOK);
    const Bitboard kings = bb_of(from) | bb_of(to), rooks = bb_of(rook_from) | bb_of(rook_to);
    p->square[from] = p->square[rook_from] = EMPTY;
    p->square[to] = (uint8_t)king;
    p->square[rook_to] = (uint8_t)rook;
    p->board[king] ^= kings;
    p->board[rook] ^= rooks;
    p->board[BOARD_WHITE + side] ^= kings | rooks;
    p->board[BOARD_OCCUPIED] ^= kings | rooks;
    p->board[EMPTY] ^= kings | rooks;
    p->side = !side;
    p->en_passant = NO_SQUARE;
    p->castling &= (uint8_t) ~(3u << (2 * side));
    const int other = bb_first(p->board[piece_make(!side, WHITE_KING)]);
    const bool check = usual_is_attacked(p, other, !side, p->board[BOARD_OCCUPIED], BB_ALL);
    p->check = check ? CHECK_GIVEN : CHECK_NONE;
    *word = (MoveWord)(from | rook_from << 6 | (wing ? WORD_CASTLE_QUEEN : WORD_CASTLE_KING) << 12);
    return text + length;
}
