// Moves of variants: all that the men can make, and which of them are legal. Each is tried out.
#include "sliders.h"
#include "variant.h"

typedef struct Generator {
    const Position *p;
    unsigned rules;
    Move *next;
} Generator;

static void add(Generator *g, Move m)
{
    *g->next++ = m;
}

Bitboard variant_targets(const Position *p)
{
    const VariantRules *rules = variant_rules_of(p);
    const bool may_take_king = rules->rules & RULE_EXPLOSIONS || !rules->royal[!p->side];
    return may_take_king ? ~p->board[BOARD_WHITE + p->side] : pos_targets(p);
}

// ---- all moves ----------------------------------------------------------------------------------------------

static void generate_pieces(Generator *g)
{
    const Position *p = g->p;
    for (int type = WHITE_KNIGHT; type <= WHITE_KING; type++) {
        const int piece = piece_make(p->side, type);
        for (Bitboard men = p->board[piece]; men; men &= men - 1) {
            const int from = bb_first(men);
            for (Bitboard to = attacks_from(p, from) & variant_targets(p); to; to &= to - 1)
                add(g, pos_plain_move(piece, from, bb_first(to), p->square[bb_first(to)] != EMPTY));
        }
    }
}

static void add_pawn_move(Generator *g, Move m)
{
    const int side = g->p->side, most = g->rules & RULE_PROMOTES_TO_KING ? WHITE_KING : WHITE_QUEEN;
    if (square_rank(m.to) != (side == WHITE ? 7 : 0)) {
        add(g, m);
        return;
    }
    for (int type = most; type >= WHITE_KNIGHT; type--) {
        m.promoted = (uint8_t)piece_make(side, type);
        add(g, m);
    }
}

static void generate_steps(Generator *g, int pawn, int from)
{
    const Position *p = g->p;
    const int forward = p->side == WHITE ? 8 : -8, rank = square_rank(from) ^ (p->side == WHITE ? 0 : 7);
    const int one = from + forward, two = one + forward;
    if (rank == 7 || p->square[one] != EMPTY)
        return;
    add_pawn_move(g, pos_plain_move(pawn, from, one, false));
    const bool first_rank = rank == 0 && p->side == WHITE && g->rules & RULE_FIRST_RANK;
    if ((rank != 1 && !first_rank) || p->square[two] != EMPTY)
        return;
    Move m = pos_plain_move(pawn, from, two, false);
    m.flags = first_rank ? 0 : MOVE_DOUBLE_STEP;
    add(g, m);
}

static void generate_pawns(Generator *g)
{
    const Position *p = g->p;
    const int side = p->side, pawn = piece_make(side, WHITE_PAWN);
    const Bitboard enemy = p->board[BOARD_WHITE + !side] & variant_targets(p);
    for (Bitboard pawns = p->board[pawn]; pawns; pawns &= pawns - 1) {
        const int from = bb_first(pawns);
        generate_steps(g, pawn, from);
        for (Bitboard to = pawn_table[side][from] & enemy; to; to &= to - 1)
            add_pawn_move(g, pos_plain_move(pawn, from, bb_first(to), true));
        if (p->en_passant == NO_SQUARE || !(pawn_table[side][from] & bb_of(p->en_passant)))
            continue;
        Move m = pos_plain_move(pawn, from, p->en_passant, true);
        m.victim = (uint8_t)(p->en_passant + (side == WHITE ? -8 : 8));
        m.flags |= MOVE_EN_PASSANT;
        add(g, m);
    }
}

static void generate_drops(Generator *g)
{
    const Position *p = g->p;
    for (int type = WHITE_PAWN; type <= WHITE_QUEEN; type++) {
        if (variant_position(p)->pocket[p->side][type] == 0)
            continue;
        Bitboard to = p->board[EMPTY];
        if (type == WHITE_PAWN)
            to &= ~(BB_RANK_1 | BB_RANK_1 << 56);
        for (; to; to &= to - 1)
            add(g, variant_drop(p->side, type, bb_first(to)));
    }
}

static int generate(const Position *p, Move *moves)
{
    Generator g = {p, variant_rules_of(p)->rules, moves};
    Move m;
    generate_pieces(&g);
    generate_pawns(&g);
    for (int wing = 0; wing < 2; wing++)
        if (variant_castling_move(p, wing, true, &m))
            add(&g, m);
    generate_drops(&g);
    return (int)(g.next - moves);
}

// ---- legality -----------------------------------------------------------------------------------------------

// No king of `colour` that is royal may be taken next, not by the other king either.
static bool is_safe(const Position *p, int colour)
{
    const VariantRules *rules = variant_rules_of(p);
    const Bitboard king = p->board[piece_make(colour, WHITE_KING)];
    const Bitboard other = p->board[piece_make(!colour, WHITE_KING)];
    const bool touch = king && king_table[bb_first(king)] & other;
    if (rules->royal[colour] && touch && !(rules->rules & RULE_EXPLOSIONS))
        return false;
    return !variant_in_check(p, colour);
}

// The pseudo-legal move leaves kings as it should; compulsory captures aside.
static bool leaves_kings(const Position *p, Move m)
{
    VariantPosition after;
    const VariantRules *rules = variant_rules_of(p);
    const int side = p->side;
    variant_make(&after, p, m);
    const Position *next = &after.board;
    if (rules->rules & RULE_EXPLOSIONS) {
        if (!next->board[piece_make(side, WHITE_KING)])
            return false;
        if (!next->board[piece_make(!side, WHITE_KING)])
            return true;
    }
    if (rules->rules & RULE_NO_CHECKS && !is_safe(next, !side))
        return false;
    return is_safe(next, side);
}

// The legal moves, whether or not the position is over.
static int legal_moves(const Position *p, Move *moves)
{
    const int all = generate(p, moves);
    const bool compulsory = variant_rules_of(p)->rules & RULE_COMPULSORY;
    int count = 0;
    bool captures = false;
    for (int i = 0; i < all; i++) {
        const bool capture = moves[i].flags & MOVE_CAPTURE;
        if ((compulsory && captures && !capture) || !leaves_kings(p, moves[i]))
            continue;
        if (compulsory && capture && !captures) {
            captures = true;
            count = 0;
        }
        moves[count++] = moves[i];
    }
    return count;
}

int variant_moves(const Position *p, bool pseudo, Move moves[MAX_VARIANT_MOVES])
{
    return variant_over(p) ? 0 : pseudo ? generate(p, moves) : legal_moves(p, moves);
}

static bool can_capture(const Position *p)
{
    Move moves[MAX_VARIANT_MOVES];
    return legal_moves(p, moves) > 0 && moves[0].flags & MOVE_CAPTURE;
}

bool variant_is_legal(const Position *p, Move m)
{
    const unsigned rules = variant_rules_of(p)->rules;
    if (!(rules & RULE_GOES_ON) && variant_over(p))
        return false;
    return leaves_kings(p, m) && (!(rules & RULE_COMPULSORY) || m.flags & MOVE_CAPTURE || !can_capture(p));
}

bool variant_has_move(const Position *p)
{
    Move moves[MAX_VARIANT_MOVES];
    if (variant_over(p) && !(p->check & CHECK_GIVEN && variant_rules_of(p)->rules & RULE_GOES_ON))
        return true;
    return legal_moves(p, moves) > 0;
}

// ---- castling -----------------------------------------------------------------------------------------------

// No square of the king's way is attacked, but for those beside the enemy king.
static bool is_way_safe(const Position *p, Move m)
{
    const Bitboard enemy = p->board[piece_make(!p->side, WHITE_KING)];
    Bitboard way = between_table[m.from][m.to] | bb_of(m.from) | bb_of(m.to);
    if (enemy)
        way &= ~king_table[bb_first(enemy)];
    for (; way; way &= way - 1)
        if (slider_attacked(p, bb_first(way), !p->side, p->board[BOARD_OCCUPIED], ~enemy))
            return false;
    return true;
}

bool variant_castling_move(const Position *p, int wing, bool need_right, Move *m)
{
    const VariantRules *rules = variant_rules_of(p);
    if (rules->rules & RULE_NO_CASTLING)
        return false;
    if (!rules->royal[p->side])
        return pos_castling_way(p, wing, need_right, m);
    if (rules->rules & RULE_EXPLOSIONS)
        return pos_castling_way(p, wing, need_right, m) && is_way_safe(p, *m);
    return pos_castling_move(p, wing, need_right, m);
}
