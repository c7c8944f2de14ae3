// Generates legal and pseudo-legal moves.
#include <assert.h>
#include <string.h>

#include "sliders.h"

typedef struct Generator {
    const Position *p;
    Move *next;
    Bitboard targets; // where pieces other than the king may go; in check: capture the checker or block
    Bitboard pinned;  // own pieces that may move only on the line through their king
    int king;         // own king's square, or NO_SQUARE
    bool legal;       // leave out moves that leave the own king attacked
} Generator;

static void add(Generator *g, Move m)
{
    *g->next++ = m;
}

// Own pieces that are alone between their king and an enemy slider.
static Bitboard pinned_pieces(const Position *p, int king)
{
    const Bitboard *enemy = p->board + !p->side * 6, own = p->board[BOARD_WHITE + p->side];
    const Bitboard others = p->board[BOARD_WHITE + !p->side];
    Bitboard pinned = 0;
    Bitboard snipers = (slider_rook(king, others) & (enemy[WHITE_ROOK] | enemy[WHITE_QUEEN])) |
                       (slider_bishop(king, others) & (enemy[WHITE_BISHOP] | enemy[WHITE_QUEEN]));
    for (; snipers; snipers &= snipers - 1) {
        const Bitboard shield = between_table[king][bb_first(snipers)] & own;
        if (shield && !(shield & (shield - 1)))
            pinned |= shield;
    }
    return pinned;
}

static Generator generator(const Position *p, Move *moves, bool legal)
{
    const Bitboard own_king = p->board[piece_make(p->side, WHITE_KING)];
    Generator g = {.p = p, .next = moves, .king = own_king ? bb_first(own_king) : NO_SQUARE, .legal = legal};
    g.targets = pos_targets(p);
    if (!legal || !own_king)
        return g;
    g.pinned = pinned_pieces(p, g.king);
    const Bitboard checkers = attackers_of_colour(p, g.king, !p->side);
    if (checkers & (checkers - 1))
        g.targets = 0;
    else if (checkers)
        g.targets &= between_table[g.king][bb_first(checkers)] | checkers;
    return g;
}

static Bitboard pin_line(const Generator *g, int from)
{
    return g->pinned & bb_of(from) ? line_table[g->king][from] : BB_ALL;
}

static void add_targets(Generator *g, int piece, int from, Bitboard targets)
{
    const Bitboard occupied = g->p->board[BOARD_OCCUPIED];
    for (Bitboard rest = targets & occupied; rest; rest &= rest - 1)
        add(g, pos_plain_move(piece, from, bb_first(rest), true));
    for (Bitboard rest = targets & ~occupied; rest; rest &= rest - 1)
        add(g, pos_plain_move(piece, from, bb_first(rest), false));
}

static void generate_pieces(Generator *g)
{
    const Position *p = g->p;
    for (int type = WHITE_KNIGHT; type <= WHITE_QUEEN; type++) {
        const int piece = piece_make(p->side, type);
        for (Bitboard rest = p->board[piece]; rest; rest &= rest - 1) {
            const int from = bb_first(rest);
            add_targets(g, piece, from, attacks_from(p, from) & g->targets & pin_line(g, from));
        }
    }
}

// Whether the king, lifted from the board, could go to `to`.
static bool is_safe_step(const Position *p, int king, int to)
{
    return !slider_attacked(p, to, !p->side, p->board[BOARD_OCCUPIED] & ~bb_of(king), ~bb_of(to));
}

static void generate_king_steps(Generator *g)
{
    const Position *p = g->p;
    if (g->king == NO_SQUARE)
        return;
    Bitboard targets = king_table[g->king] & pos_targets(p);
    if (g->legal)
        for (Bitboard rest = targets; rest; rest &= rest - 1)
            if (!is_safe_step(p, g->king, bb_first(rest)))
                targets &= ~bb_of(bb_first(rest));
    add_targets(g, p->square[g->king], g->king, targets);
}

static void generate_castling(Generator *g)
{
    Move m;
    for (int wing = 0; wing < 2; wing++)
        if ((g->p->castling >> (g->p->side * 2 + wing) & 1) && pos_castling_move(g->p, wing, true, &m))
            add(g, m);
}

static void add_pawn_moves(Generator *g, int from, Bitboard targets, bool capture)
{
    const int side = g->p->side, pawn = piece_make(side, WHITE_PAWN);
    for (; targets; targets &= targets - 1) {
        Move m = pos_plain_move(pawn, from, bb_first(targets), capture);
        if (square_rank(m.to) != (side == WHITE ? 7 : 0)) {
            add(g, m);
            continue;
        }
        for (int type = WHITE_QUEEN; type >= WHITE_KNIGHT; type--) {
            m.promoted = piece_make(side, type);
            add(g, m);
        }
    }
}

static Bitboard forward(int side, Bitboard squares)
{
    return side == WHITE ? squares << 8 : squares >> 8;
}

static void generate_pawns(Generator *g)
{
    const Position *p = g->p;
    const int side = p->side, pawn = piece_make(side, WHITE_PAWN);
    const Bitboard empty = p->board[EMPTY], enemy = p->board[BOARD_WHITE + !side];
    for (Bitboard rest = p->board[pawn]; rest; rest &= rest - 1) {
        const int from = bb_first(rest);
        const Bitboard allowed = g->targets & pin_line(g, from);
        add_pawn_moves(g, from, pawn_table[side][from] & enemy & allowed, true);
        const Bitboard one = forward(side, bb_of(from)) & empty;
        add_pawn_moves(g, from, one & allowed, false);
        const Bitboard two = forward(side, one) & empty & allowed;
        if (two && square_rank(from) == (side == WHITE ? 1 : 6)) {
            Move m = pos_plain_move(pawn, from, bb_first(two), false);
            m.flags = MOVE_DOUBLE_STEP;
            add(g, m);
        }
    }
}

static void generate_en_passant(Generator *g)
{
    const Position *p = g->p;
    const int side = p->side, pawn = piece_make(side, WHITE_PAWN);
    if (p->en_passant == NO_SQUARE)
        return;
    for (Bitboard rest = pawn_table[!side][p->en_passant] & p->board[pawn]; rest; rest &= rest - 1) {
        Move m = pos_plain_move(pawn, bb_first(rest), p->en_passant, true);
        m.victim = p->en_passant + (side == WHITE ? -8 : 8);
        m.flags |= MOVE_EN_PASSANT;
        // Two pawns leave their squares at once, which no pin describes.
        if (!g->legal || pos_is_legal(p, m))
            add(g, m);
    }
}

static int generate(const Position *p, Move *moves, bool legal)
{
    Generator g = generator(p, moves, legal);
    if (g.targets) {
        generate_pieces(&g);
        generate_pawns(&g);
    }
    generate_en_passant(&g);
    generate_king_steps(&g);
    generate_castling(&g);
    return (int)(g.next - moves);
}

Bitboard pos_legal_en_passant(const Position *p)
{
    Move moves[2];
    if (p->en_passant == NO_SQUARE)
        return 0;
    Generator g = generator(p, moves, true);
    generate_en_passant(&g);
    return g.next > moves ? bb_of(p->en_passant) : 0;
}

bool pos_same(const Position *a, const Position *b)
{
    return a->occupied == b->occupied && a->side == b->side && a->castling == b->castling &&
           memcmp(a->square, b->square, sizeof a->square) == 0 &&
           pos_legal_en_passant(a) == pos_legal_en_passant(b);
}

int pos_legal_moves(const Position *p, Move moves[MAX_MOVES])
{
    return generate(p, moves, true);
}

int pos_pseudolegal_moves(const Position *p, Move moves[MAX_MOVES])
{
    return generate(p, moves, false);
}

// True when the king of the side to move has a legal step.
static bool king_can_step(const Position *p)
{
    const Bitboard kings = p->board[piece_make(p->side, WHITE_KING)];
    assert(kings);
    const int king = bb_first(kings);
    for (Bitboard rest = king_table[king] & pos_targets(p); rest; rest &= rest - 1)
        if (is_safe_step(p, king, bb_first(rest)))
            return true;
    return false;
}

bool pos_has_legal_move(const Position *p)
{
    // The cheapest and most often successful steps come first.
    static void (*const steps[])(Generator *) = {generate_pawns, generate_pieces, generate_en_passant,
                                                 generate_castling};
    if (king_can_step(p))
        return true;
    Move moves[MAX_MOVES];
    Generator g = generator(p, moves, true);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        steps[i](&g);
        if (g.next != moves)
            return true;
    }
    return false;
}
