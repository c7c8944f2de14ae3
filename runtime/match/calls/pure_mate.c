// Pure, model and ideal mates and stalemates (language reference 3.16). The reference defines them for Black
// to move and mirrors the board otherwise; here the mated side and its opponent are parameters.
#include "moves.h"

enum { PURE_MATE, MODEL_MATE, IDEAL_MATE, PURE_STALEMATE, MODEL_STALEMATE, IDEAL_STALEMATE };

// The position under examination: the mated side ("we") and its opponent ("they").
typedef struct Mating {
    const Position *p;
    int side; // to move
    int king; // its king's square
    Bitboard our, their;
    Bitboard field; // squares next to the king
    Bitboard checkers;
    Bitboard pinned; // `pin`: both sides
    Bitboard goals;  // their king, the checkers and what lies between these and the king
    Generator pseudolegal;
} Mating;

static Bitboard both_kings(const Position *p)
{
    return p->board[WHITE_KING] | p->board[BLACK_KING];
}

static void mating_init(Mating *m, Context *c, int32_t n)
{
    const Position *p = c->position[n];
    m->p = p;
    m->side = p->side;
    m->our = p->board[BOARD_WHITE + m->side];
    m->their = p->board[BOARD_WHITE + !m->side];
    const Bitboard king = p->board[piece_make(m->side, WHITE_KING)];
    m->king = bb_first(king);
    m->field = king_table[m->king];
    m->checkers = attackers_of_colour(p, m->king, !m->side);
    m->pinned = rt_pin(p, BB_ALL, BB_ALL, both_kings(p), 0);
    m->goals = p->board[piece_make(!m->side, WHITE_KING)] | m->checkers | rt_between(m->checkers, king);
    generator_init(&m->pseudolegal, c, n, true);
}

static Bitboard pseudolegal_targets(const Mating *m, int square)
{
    return generator_ordinary(&m->pseudolegal, square) | generator_en_passant(&m->pseudolegal, square);
}

static bool single_check(const Mating *m)
{
    return bb_count(m->checkers) == 1;
}

// ---- pure mate --------------------------------------------------------------------------------------------

// Their pieces that guard a square next to the king, through the king as well.
static int guards(const Mating *m, int square)
{
    return bb_count(attackers_to(m->p, square, m->p->board[BOARD_OCCUPIED] & ~bb_of(m->king)) & m->their);
}

// Condition 2: our piece next to the king.
static bool block_is_pure(const Mating *m, int square)
{
    const int count = guards(m, square);
    if (count == 0)
        return true;
    if (!single_check(m) || count != 1 || !(m->pinned & bb_of(square)))
        return false;
    const Bitboard answers = m->checkers | rt_between(m->checkers, bb_of(m->king));
    return (pseudolegal_targets(m, square) & answers) || generator_en_passant(&m->pseudolegal, square);
}

// Condition 3: each of several checks could be answered if there were no others.
static bool checks_are_needed(const Mating *m)
{
    if (bb_count(m->checkers) < 2)
        return true;
    const Bitboard defenders = m->our & ~m->pinned & ~bb_of(m->king);
    for (Bitboard rest = m->checkers; rest; rest &= rest - 1) {
        const Bitboard others = m->checkers & ~(rest & -rest);
        if (!rt_attackers(m->p, defenders, others | rt_between(others, bb_of(m->king))))
            return false;
    }
    return true;
}

static bool is_pure_mate(const Mating *m)
{
    if (!m->checkers || pos_has_legal_move(m->p))
        return false;
    for (Bitboard rest = m->field; rest; rest &= rest - 1) {
        const int square = bb_first(rest);
        if (m->our >> square & 1 ? !block_is_pure(m, square) : guards(m, square) != 1)
            return false;
    }
    return checks_are_needed(m);
}

// ---- participants of a mate -------------------------------------------------------------------------------

// The pieces of `candidates` in the middle of a chain first -> x -> last.
static Bitboard chain_middles(const Position *p, Bitboard first, Bitboard candidates, Bitboard last)
{
    Bitboard result = 0;
    for (; candidates; candidates &= candidates - 1) {
        const Bitboard sets[3] = {first, candidates & -candidates, last};
        if (rt_chain_from(p, 0xFF, 1, sets, 3))
            result |= sets[1];
    }
    return result;
}

// Our pieces that could go to one of the goals by a pseudolegal move.
static Bitboard reaching_goals(const Mating *m)
{
    Bitboard result = 0;
    for (Bitboard rest = m->our; rest; rest &= rest - 1)
        if (pseudolegal_targets(m, bb_first(rest)) & m->goals)
            result |= rest & -rest;
    return result;
}

static Bitboard their_participants(const Mating *m)
{
    Bitboard result = m->checkers | rt_attackers(m->p, m->their, m->field) | (m->pinned & m->their);
    if (single_check(m)) {
        const Bitboard reaching = reaching_goals(m);
        result |= rt_pin(m->p, m->their, reaching, both_kings(m->p), 1);
        result |= chain_middles(m->p, reaching, m->their, m->goals);
    }
    return result;
}

static Bitboard our_participants(const Mating *m)
{
    Bitboard result = bb_of(m->king) | (m->our & m->field);
    result |= chain_middles(m->p, m->our, m->our, m->p->board[piece_make(!m->side, WHITE_KING)]);
    if (single_check(m))
        result |= chain_middles(m->p, m->our, m->our, m->goals);
    return result;
}

// Their queens, rooks, bishops and knights.
static Bitboard their_officers(const Mating *m)
{
    return m->their & ~m->p->board[piece_make(!m->side, WHITE_PAWN)] &
           ~m->p->board[piece_make(!m->side, WHITE_KING)];
}

static Bitboard mate(const Mating *m, int kind)
{
    if (!is_pure_mate(m))
        return 0;
    const Bitboard theirs = their_participants(m), ours = our_participants(m);
    if (kind == MODEL_MATE && (their_officers(m) & ~theirs))
        return 0;
    if (kind == IDEAL_MATE && ((m->their & ~theirs) || (m->our & ~ours)))
        return 0;
    return theirs | ours;
}

// ---- stalemates -------------------------------------------------------------------------------------------

static bool is_pure_stalemate(const Mating *m)
{
    for (Bitboard rest = m->field; rest; rest &= rest - 1) {
        const int square = bb_first(rest);
        const int count = bb_count(attackers_of_colour(m->p, square, !m->side));
        const int wanted = m->our >> square & 1 ? (m->pinned >> square & 1) != 0 : 1;
        if (count != wanted)
            return false;
    }
    return true;
}

static Bitboard stalemate(const Mating *m, int kind)
{
    if (!is_pure_stalemate(m))
        return 0;
    const Bitboard theirs = (m->pinned & m->their) | rt_pin(m->p, m->their, BB_ALL, both_kings(m->p), 1) |
                            rt_attackers(m->p, m->their, m->field);
    const Bitboard demanded = kind == MODEL_STALEMATE   ? their_officers(m)
                              : kind == IDEAL_STALEMATE ? m->their
                                                        : 0;
    return demanded & ~theirs ? 0 : theirs | m->our;
}

Bitboard rt_pure_mate(Context *c, int32_t n, int32_t kind)
{
    const Position *p = c->position[n];
    const bool check = pos_in_check(p, p->side);
    const bool stale = kind >= PURE_STALEMATE;
    if (check == stale || (stale && (c->node[n].first_child >= 0 || rt_has_legal_move(p))))
        return 0;
    // Pure mates are about one king a side and moves of chess.
    if (variant_is(p) &&
        (rt_has_legal_move(p) || bb_count(p->white.king) != 1 || bb_count(p->black.king) != 1))
        return 0;
    Mating m;
    mating_init(&m, c, n);
    return stale ? stalemate(&m, kind) : mate(&m, kind);
}
