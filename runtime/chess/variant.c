// The table of variants: how they end, how their moves are made, and which positions they have.
#include "variant.h"

#include <string.h>

#include "sliders.h"

#define CENTRE 0x0000001818000000ULL
#define RANK_8 (BB_RANK_1 << 56)

// ---- ends -------------------------------------------------------------------------------------------------

// The end where a condition, by colour, makes a side the winner.
static int won_by(bool own, bool other)
{
    return own && other ? VARIANT_END_LOST : own ? VARIANT_END_WON : other ? VARIANT_END_LOST : 0;
}

static Bitboard king_of(const Position *p, int colour)
{
    return p->board[piece_make(colour, WHITE_KING)];
}

static int over_on_hill(const VariantPosition *v)
{
    const Position *p = &v->board;
    return won_by(king_of(p, p->side) & CENTRE, king_of(p, !p->side) & CENTRE);
}

static int over_by_checks(const VariantPosition *v)
{
    const Position *p = &v->board;
    return won_by(v->checks[p->side] == 0, v->checks[!p->side] == 0);
}

static int over_by_explosion(const VariantPosition *v)
{
    const Position *p = &v->board;
    return won_by(!king_of(p, !p->side), !king_of(p, p->side));
}

static int over_without_men(const VariantPosition *v)
{
    const Position *p = &v->board;
    return won_by(!p->board[BOARD_WHITE + p->side], !p->board[BOARD_WHITE + !p->side]);
}

static bool is_bare(const Position *p, int colour)
{
    return p->board[BOARD_WHITE + colour] == king_of(p, colour);
}

static int over_when_bare(const VariantPosition *v)
{
    const Position *p = &v->board;
    return won_by(is_bare(p, p->side), is_bare(p, !p->side));
}

static int over_without_horde(const VariantPosition *v)
{
    const Position *p = &v->board;
    return p->white_pieces ? 0 : p->side == WHITE ? VARIANT_END_LOST : VARIANT_END_WON;
}

// Has Black a legal move that brings the king to the eighth rank?
static bool can_catch_up(const VariantPosition *v)
{
    const Position *p = &v->board;
    const int king = bb_first(p->black.king);
    for (Bitboard rest = king_table[king] & RANK_8 & variant_targets(p); rest; rest &= rest - 1) {
        const int to = bb_first(rest);
        if (variant_is_legal(p, pos_plain_move(BLACK_KING, king, to, p->square[to] != EMPTY)))
            return true;
    }
    return false;
}

static int over_by_race(const VariantPosition *v)
{
    const Position *p = &v->board;
    const bool white = p->white.king & RANK_8, black = p->black.king & RANK_8;
    if (white && black)
        return VARIANT_END_DRAWN;
    if (p->side == BLACK && white && can_catch_up(v))
        return 0;
    return won_by(p->side == WHITE ? white : black, p->side == WHITE ? black : white);
}

static int stuck_and_won(const VariantPosition *v)
{
    (void)v;
    return VARIANT_END_WON;
}

static int stuck_with_men(const VariantPosition *v)
{
    const Position *p = &v->board;
    const int own = bb_count(p->board[BOARD_WHITE + p->side]),
              other = bb_count(p->board[BOARD_WHITE + !p->side]);
    return own < other ? VARIANT_END_WON : own > other ? VARIANT_END_LOST : VARIANT_END_DRAWN;
}

// ---- the table --------------------------------------------------------------------------------------------

#define BOTH_ROYAL .royal = {true, true}, .least_kings = {1, 1}, .most_kings = {1, 1}
#define ANY_KINGS .least_kings = {0, 0}, .most_kings = {64, 64}, .most_men = {64, 64}
#define MEN_OF_CHESS .most_men = {16, 16}
#define ALL_RIGHTS .castling = 15

const VariantRules variant_rules[VARIANTS] = {
    [VARIANT_STANDARD] = {"Standard", NULL, RULE_CHESS | RULE_ANY_CASTLING, BOTH_ROYAL, MEN_OF_CHESS,
                          ALL_RIGHTS},
    [VARIANT_CHESS960] = {"Chess960", NULL, 0, BOTH_ROYAL, MEN_OF_CHESS, ALL_RIGHTS},
    [VARIANT_ATOMIC] = {"Atomic", NULL, RULE_EXPLOSIONS, .royal = {true, true}, .most_kings = {1, 1},
                        MEN_OF_CHESS, ALL_RIGHTS, .over = over_by_explosion},
    [VARIANT_CRAZYHOUSE] = {"Crazyhouse", NULL, RULE_POCKETS, BOTH_ROYAL, .most_men = {64, 64}, ALL_RIGHTS},
    [VARIANT_GIVEAWAY] = {"Giveaway", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
                          RULE_COMPULSORY | RULE_PROMOTES_TO_KING, ANY_KINGS, .over = over_without_men,
                          .stuck = stuck_and_won},
    [VARIANT_HORDE] = {"Horde", "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
                       RULE_FIRST_RANK | RULE_GOES_ON, .royal = {false, true}, .least_kings = {0, 1},
                       .most_kings = {0, 1}, .most_men = {64, 16},
                       .castling = CASTLE_BLACK_KING | CASTLE_BLACK_QUEEN, .over = over_without_horde},
    [VARIANT_KING_OF_THE_HILL] = {"King of the Hill", NULL, RULE_CHESS | RULE_ANY_CASTLING | RULE_GOES_ON,
                                  BOTH_ROYAL, MEN_OF_CHESS, ALL_RIGHTS, .over = over_on_hill},
    [VARIANT_LOSERS] = {"Losers", NULL, RULE_COMPULSORY | RULE_GOES_ON, BOTH_ROYAL, MEN_OF_CHESS, ALL_RIGHTS,
                        .over = over_when_bare, .stuck = stuck_and_won},
    [VARIANT_RACING_KINGS] = {"Racing Kings", "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
                              RULE_NO_CHECKS | RULE_NO_CASTLING | RULE_NO_PAWNS | RULE_GOES_ON, BOTH_ROYAL,
                              MEN_OF_CHESS, .over = over_by_race},
    [VARIANT_SUICIDE] = {"Suicide", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
                         RULE_COMPULSORY | RULE_PROMOTES_TO_KING, ANY_KINGS, .over = over_without_men,
                         .stuck = stuck_with_men},
    [VARIANT_THREE_CHECK] = {"Three-check", NULL,
                             RULE_CHESS | RULE_ANY_CASTLING | RULE_COUNTS_CHECKS | RULE_GOES_ON, BOTH_ROYAL,
                             MEN_OF_CHESS, ALL_RIGHTS, .over = over_by_checks},
};

// ---- checks and ends ----------------------------------------------------------------------------------------

bool variant_in_check(const Position *p, int colour)
{
    const VariantRules *rules = variant_rules_of(p);
    const Bitboard king = king_of(p, colour), other = king_of(p, !colour);
    if (!rules->royal[colour] || !king)
        return false;
    const int square = bb_first(king);
    if (rules->rules & RULE_EXPLOSIONS && king_table[square] & other)
        return false;
    return slider_attacked(p, square, !colour, p->board[BOARD_OCCUPIED], ~other);
}

void variant_find_check(VariantPosition *v)
{
    Position *p = &v->board;
    p->check = CHECK_VARIANT;
    p->check |= variant_in_check(p, p->side) ? CHECK_GIVEN : CHECK_NONE;
}

int variant_over(const Position *p)
{
    const VariantRules *rules = variant_rules_of(p);
    return rules->over ? rules->over(variant_position(p)) : 0;
}

int variant_ended(const Position *p)
{
    const int over = variant_over(p);
    const VariantRules *rules = variant_rules_of(p);
    Move moves[MAX_VARIANT_MOVES];
    return over || !rules->stuck || variant_moves(p, false, moves) > 0 ? over
                                                                       : rules->stuck(variant_position(p));
}

// ---- positions ----------------------------------------------------------------------------------------------

void variant_begin(VariantPosition *v, int variant, const Position *board)
{
    *v = (VariantPosition){.board = *board, .variant = (uint8_t)variant};
    v->checks[WHITE] = v->checks[BLACK] = CHECKS_TO_GIVE;
    variant_find_check(v);
}

bool variant_has_kings(const VariantRules *rules, const Position *p)
{
    for (int colour = WHITE; colour <= BLACK; colour++) {
        const int kings = bb_count(king_of(p, colour));
        if (kings < rules->least_kings[colour] || kings > rules->most_kings[colour])
            return false;
    }
    return !(rules->rules & RULE_EXPLOSIONS) || p->white.king | p->black.king;
}

const char *variant_men_fault(const VariantRules *rules, const Position *p)
{
    if (!variant_has_kings(rules, p))
        return "FEN with more or fewer kings than the variant has";
    if (bb_count(p->white_pieces) > rules->most_men[WHITE] ||
        bb_count(p->black_pieces) > rules->most_men[BLACK])
        return "FEN with more men of one side than the variant has";
    if (rules->rules & RULE_NO_PAWNS && p->white.pawn | p->black.pawn)
        return "FEN with a pawn, which the variant does not have";
    return p->occupied ? NULL : "FEN without a man";
}

bool variant_is_legal_position(const Position *p)
{
    const VariantRules *rules = variant_rules_of(p);
    const Bitboard edge = BB_RANK_1 | BB_RANK_1 << 56;
    const Bitboard white = rules->rules & RULE_FIRST_RANK ? BB_RANK_1 << 56 : edge;
    if (variant_men_fault(rules, p) || p->white.pawn & white || p->black.pawn & edge)
        return false;
    if (rules->rules & RULE_NO_CHECKS && variant_in_check(p, p->side))
        return false;
    const Bitboard king = king_of(p, !p->side);
    if (!rules->royal[!p->side] || !king || variant_over(p))
        return true;
    const bool touch = king_table[bb_first(king)] & king_of(p, p->side);
    return touch ? rules->rules & RULE_EXPLOSIONS : !variant_in_check(p, !p->side);
}

// ---- moves --------------------------------------------------------------------------------------------------

static void clear(Position *p, Bitboard squares)
{
    for (; squares; squares &= squares - 1)
        p->square[bb_first(squares)] = EMPTY;
    pos_rebuild(p);
}

static void put_drop(Position *p, Move m)
{
    p->square[m.to] = m.piece;
    p->en_passant = NO_SQUARE;
    p->side = !p->side;
    pos_rebuild(p);
}

// Rights without their king or rook end.
static void drop_rights(Position *p)
{
    for (int right = 0; right < 4; right++) {
        const int side = right / 2, back = side == WHITE ? 0 : 56;
        if (!(king_of(p, side) & BB_RANK_1 << back) ||
            p->square[back + p->rook_file[right]] != piece_make(side, WHITE_ROOK))
            p->castling &= (uint8_t) ~(1 << right);
    }
}

static void take_prisoner(VariantPosition *v, const VariantPosition *before, Move m)
{
    const int man = piece_type(before->board.square[m.victim]);
    uint8_t *place = &v->pocket[before->board.side][before->promoted >> m.victim & 1 ? WHITE_PAWN : man];
    *place += man != WHITE_KING && *place < 64;
}

static void move_marks(VariantPosition *v, Move m)
{
    const Bitboard to = bb_of(m.to);
    const bool marked = v->promoted & bb_of(m.from) || m.promoted;
    v->promoted &= ~(bb_of(m.from) | to | (m.victim != NO_SQUARE ? bb_of(m.victim) : 0));
    v->promoted |= marked ? to : 0;
}

void variant_make(VariantPosition *restrict next, const Position *restrict p, Move m)
{
    const VariantPosition *before = variant_position(p);
    const unsigned rules = variant_rules_of(p)->rules;
    *next = *before;
    Position *board = &next->board;
    if (m.flags & MOVE_DROP) {
        put_drop(board, m);
        next->pocket[p->side][piece_type(m.piece)]--;
    } else {
        pos_play(board, m);
        if (!(m.flags & MOVE_NULL))
            move_marks(next, m);
    }
    if (m.flags & MOVE_CAPTURE && rules & RULE_POCKETS)
        take_prisoner(next, before, m);
    if (m.flags & MOVE_CAPTURE && rules & RULE_EXPLOSIONS) {
        clear(board, bb_of(m.to) | (king_table[m.to] & ~(board->white.pawn | board->black.pawn)));
        next->promoted &= board->board[BOARD_OCCUPIED];
    }
    if (board->castling)
        drop_rights(board);
    variant_find_check(next);
    if (rules & RULE_COUNTS_CHECKS && board->check & CHECK_GIVEN && !(m.flags & MOVE_NULL) &&
        next->checks[p->side] > 0)
        next->checks[p->side]--;
}
