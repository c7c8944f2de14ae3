// The boards that a screen keeps, each for pieces of one or several kinds, and the work of a move on them.
#include "emit_lanes.h"
#include "runtime/chess/word.h"

#include <string.h>

enum {
    COLOUR_KINDS = 6,
    MOST_PARTS = 3, // of a union that is not kept by itself
    PAWN_KINDS = 1 << WORD_PAWN | 1 << WORD_EN_PASSANT,
    PROMOTIONS = 15 << WORD_PROMOTION,
    CASTLING = 1 << WORD_CASTLE_KING | 1 << WORD_CASTLE_QUEEN,
    KING_MOVES = 1 << WORD_KING | CASTLING,
    ALL_MOVES = (1 << KINDS) - 2
};

// ---- which boards are kept --------------------------------------------------------------------------------

void boards_need_union(Screened *s, int kinds)
{
    for (int i = 0; i < s->needed_count; i++)
        if (s->needed[i] == kinds)
            return;
    ARENA_PUSH(s->e->arena, s->needed, s->needed_count, kinds);
}

// The kinds of a board of pieces; 0: it is not one.
static int kinds_of(const Ir *tree)
{
    return tree->op == IR_BOARD && tree->number != EMPTY && tree->number < BOARD_COUNT
               ? ir_board_kinds(tree->number)
               : 0;
}

bool boards_is_one(const Ir *tree)
{
    return kinds_of(tree) != 0;
}

int boards_exactly(const Ir *set)
{
    const int kinds = set->type == IRT_SET && set->op != IR_BOARD ? ir_exact_kinds(set) : -1;
    return kinds > 0 && !(kinds & 1 << EMPTY) ? kinds : 0;
}

int boards_united(const Ir *sum)
{
    int kinds = 0;
    for (int i = 0; sum->op == IR_SET_OR && i < sum->kid_count; i++)
        kinds |= kinds_of(sum->kid[i]);
    return kinds;
}

void boards_need_kinds(Screened *s, int board)
{
    const bool is_before = board >= BOARD_COUNT;
    board %= BOARD_COUNT;
    if (is_before && (board == EMPTY || board == BOARD_OCCUPIED)) {
        boards_need_kinds(s, BOARD_COUNT + BOARD_WHITE);
        boards_need_kinds(s, BOARD_COUNT + BOARD_BLACK);
        return;
    }
    s->before |= is_before ? 1u << board : 0;
    boards_need_union(s, ir_board_kinds(board == EMPTY ? BOARD_OCCUPIED : board));
}

static bool is_within(int kinds, int others)
{
    return (kinds & ~others) == 0;
}

// Is the set the union of few others that are needed, too?
static bool is_union(const Screened *s, int kinds)
{
    int sum = 0, parts = 0;
    for (int size = PIECE_CODES; size > 0; size--)
        for (int i = 0; i < s->needed_count; i++) {
            const int part = s->needed[i];
            if (__builtin_popcount((unsigned)part) != size || part == kinds || !is_within(part, kinds) ||
                is_within(part, sum))
                continue;
            sum |= part;
            parts++;
        }
    return sum == kinds && parts <= MOST_PARTS;
}

static const char *name_of(Screened *s, int kinds)
{
    static const char letter[] = " PNBRQKpnbrqk";
    char name[PIECE_CODES] = "";
    if (kinds == (IR_WHITE_KINDS | IR_BLACK_KINDS))
        return "occupied";
    if (kinds == IR_WHITE_KINDS || kinds == IR_BLACK_KINDS)
        return kinds == IR_WHITE_KINDS ? "white" : "black";
    for (int piece = WHITE_PAWN, length = 0; piece < PIECE_CODES; piece++)
        if (kinds >> piece & 1)
            name[length++] = letter[piece];
    return arena_printf(s->e->arena, "%s", name);
}

static void keep(Screened *s, int kinds)
{
    for (int i = 0; i < s->kept_count; i++)
        if (s->kept[i].kinds == kinds)
            return;
    s->kept[s->kept_count++] = (KeptBoard){kinds, name_of(s, kinds)};
}

// Many different unions are made from the boards of single kinds.
void boards_choose(Screened *s)
{
    int unions = 0, single = 0;
    for (int i = 0; i < s->needed_count; i++) {
        unions += !is_union(s, s->needed[i]);
        single |= s->needed[i];
    }
    const bool keeps_unions = unions <= __builtin_popcount((unsigned)single);
    for (int i = 0; i < s->needed_count; i++)
        if (keeps_unions && !is_union(s, s->needed[i]))
            keep(s, s->needed[i]);
    for (int piece = WHITE_PAWN; piece < PIECE_CODES && !keeps_unions; piece++)
        if (single >> piece & 1)
            keep(s, 1 << piece);
}

Expr boards_value(Screened *s, int kinds)
{
    Expr part[PIECE_CODES];
    int count = 0, sum = 0;
    for (int size = __builtin_popcount((unsigned)kinds); size > 0 && sum != kinds; size--)
        for (int i = 0; i < s->kept_count; i++) {
            const int kept = s->kept[i].kinds;
            if (__builtin_popcount((unsigned)kept) != size || !is_within(kept, kinds) || is_within(kept, sum))
                continue;
            part[count++] = emit_word(s->kept[i].name);
            sum |= kept;
        }
    return emit_joined_bits(s->e, part, count, '|');
}

const char *boards_old_name(Screened *s, int board)
{
    return arena_printf(s->e->arena, "old_%s", name_of(s, ir_board_kinds(board)));
}

// ---- the start --------------------------------------------------------------------------------------------

void boards_start(Screened *s)
{
    static const Bitboard men[] = {[WHITE_PAWN] = 0xff00, [WHITE_KNIGHT] = 0x42, [WHITE_BISHOP] = 0x24,
                                   [WHITE_ROOK] = 0x81,   [WHITE_QUEEN] = 0x08,  [WHITE_KING] = 0x10};
    for (int i = 0; i < s->kept_count; i++) {
        Bitboard set = 0;
        for (int type = WHITE_PAWN; type <= WHITE_KING; type++) {
            set |= s->kept[i].kinds >> type & 1 ? men[type] : 0;
            set |= s->kept[i].kinds >> (type + COLOUR_KINDS) & 1 ? __builtin_bswap64(men[type]) : 0;
        }
        lanes_line(s, "Lanes %s = lanes_all(%e);", s->kept[i].name, emit_squares(s->e, set));
    }
}

// ---- moves ------------------------------------------------------------------------------------------------

// The kinds of move words that take a piece of these types away from the first square.
static int kinds_from(int types)
{
    int kinds = 0;
    for (int type = WHITE_PAWN; type <= WHITE_KING; type++)
        if (types >> type & 1)
            kinds |= type == WHITE_PAWN   ? PAWN_KINDS | PROMOTIONS
                     : type == WHITE_KING ? KING_MOVES
                                          : 1 << type;
    return kinds;
}

// Those that put one on the second square or, for the rook of castling, take it away.
static int kinds_to(int types)
{
    int kinds = 0;
    for (int type = WHITE_PAWN; type <= WHITE_KING; type++) {
        if (!(types >> type & 1))
            continue;
        kinds |= type == WHITE_PAWN   ? PAWN_KINDS
                 : type == WHITE_KING ? 1 << WORD_KING
                                      : 1 << type | 1 << (WORD_PROMOTION + type - WHITE_KNIGHT);
        kinds |= type == WHITE_ROOK ? CASTLING : 0;
    }
    return kinds;
}

// The squares that castling changes besides those of its word. `is_cleared`: the rook is gone from its square.
static Bitboard castled(int types, int colour, int wing, bool is_cleared)
{
    const Bitboard king = wing == 0 ? 1ULL << 6 : 1ULL << 2, rook = wing == 0 ? 1ULL << 5 : 1ULL << 3;
    const Bitboard home = is_cleared ? (wing == 0 ? 1ULL << 7 : 1ULL) : 0;
    const Bitboard squares =
        (types >> WHITE_KING & 1 ? king : 0) | (types >> WHITE_ROOK & 1 ? rook | home : 0);
    return colour == WHITE ? squares : squares << 56;
}

static const char *castled_table(Screened *s, int types, int colour, bool is_cleared, const char *name)
{
    uint64_t value[KINDS] = {0};
    for (int wing = 0; wing < 2; wing++)
        value[WORD_CASTLE_KING + wing] = castled(types, colour, wing, is_cleared);
    const char *side = colour == WHITE ? "white" : "black";
    return lanes_table(s, arena_printf(s->e->arena, "%s_%s_castled", side, name), value);
}

const char *boards_king_castled(Screened *s, int colour)
{
    return castled_table(s, 1 << WHITE_KING, colour, false, "king");
}

static const char *types_name(Screened *s, int types)
{
    static const char *const stem[] = {
        [WHITE_PAWN] = "pawn", [WHITE_KNIGHT] = "knight", [WHITE_BISHOP] = "bishop",
        [WHITE_ROOK] = "rook", [WHITE_QUEEN] = "queen",   [WHITE_KING] = "king"};
    for (int type = WHITE_PAWN; type <= WHITE_KING; type++)
        if (types == 1 << type)
            return stem[type];
    return types == IR_WHITE_KINDS ? "piece" : name_of(s, types);
}

static void toggle(Screened *s, const KeptBoard *board, const char *square, int kinds, const char *name)
{
    if (kinds == ALL_MOVES)
        lanes_line(s, "%s ^= %s;", board->name, square);
    else
        lanes_line(s, "%s = lanes_toggled(%s, %s, %s, kinds);", board->name, board->name, square,
                   lanes_set(s, arena_printf(s->e->arena, "%s_%s", name, square), kinds));
}

static int types_of(int kinds, int colour)
{
    return kinds >> (colour == WHITE ? 0 : COLOUR_KINDS) & IR_WHITE_KINDS;
}

// Nothing of the side that moves is on the second square when the other one has lost pieces there.
static bool is_cleared(const KeptBoard *board, int colour)
{
    return types_of(board->kinds, !colour) & ~(1 << WHITE_KING);
}

void boards_castle(Screened *s, int colour)
{
    for (int i = 0; i < s->kept_count; i++) {
        const KeptBoard *board = &s->kept[i];
        const int types = types_of(board->kinds, colour);
        if (!(types & (1 << WHITE_ROOK | 1 << WHITE_KING)))
            continue;
        const bool is_without_rook = is_cleared(board, colour) && types >> WHITE_ROOK & 1;
        lanes_line(s, "%s ^= lanes_by_kind(%s, kind);", board->name,
                   castled_table(s, types, colour, is_without_rook, types_name(s, types)));
    }
}

// The other side loses the captured piece. Kings are not captured.
void boards_move(Screened *s, int colour)
{
    for (int i = 0; i < s->kept_count; i++) {
        const KeptBoard *board = &s->kept[i];
        const int own = types_of(board->kinds, colour), other = types_of(board->kinds, !colour);
        if (is_cleared(board, colour))
            lanes_line(s, other >> WHITE_PAWN & 1 ? "%s &= ~(to | passed);" : "%s &= ~to;", board->name);
        if (own == 0)
            continue;
        toggle(s, board, "from", kinds_from(own), types_name(s, own));
        toggle(s, board, "to", kinds_to(own), types_name(s, own));
    }
}

bool boards_have_pawns(const Screened *s, int colour)
{
    for (int i = 0; i < s->kept_count; i++)
        if (types_of(s->kept[i].kinds, colour) >> WHITE_PAWN & 1)
            return true;
    return false;
}

const char *boards_king_moves(Screened *s)
{
    return lanes_set(s, "king_from", KING_MOVES);
}
