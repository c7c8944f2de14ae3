// Moves that are tried out and moves that may have been made, and the positions after and before them (language
// reference 13.5).
#include "moves.h"
#include "runtime/match/imaginary.h"

// Flags of rt_imagine_moves.
enum {
    IMAGINE_PSEUDOLEGAL = 1,
    IMAGINE_EN_PASSANT = 2,
    IMAGINE_CAPTURE = 4,
    IMAGINE_PRIMARY = 8,
    IMAGINE_SECONDARY = 16,
    IMAGINE_FROM = 32, // as GENERATE_FROM, GENERATE_DROP
    IMAGINE_DROP = 64
};

// ---- lists of moves ---------------------------------------------------------------------------------------

// What a move must have besides its origin (imagine_moves in cqli.def).
typedef struct Demands {
    Bitboard to, capture, en_passant;
    int32_t castling, promotion, flags;
    int32_t position; // where it is made
} Demands;

static bool promotion_fits(int32_t symbols, int piece)
{
    const int type = piece_type(piece);
    const int32_t wanted = 1 << type | 1 << (type + 6) | 1 << BOARD_WHITE | 1 << BOARD_BLACK;
    return piece != EMPTY && symbols & wanted;
}

// A move of the game from position n, the first one or another.
static bool is_played(const Context *c, int32_t n, Move m, bool first)
{
    for (int32_t child = c->node[n].first_child; child >= 0; child = c->node[child].next_sibling) {
        const Move played = c->node[child].move;
        if ((played.flags & MOVE_DROP) != (m.flags & MOVE_DROP) ||
            (m.flags & MOVE_DROP && played.piece != m.piece))
            continue;
        if ((c->node[child].index == 0) == first && !(played.flags & MOVE_NULL) && played.from == m.from &&
            played.to == m.to && played.promoted == m.promoted)
            return true;
    }
    return false;
}

static bool fits(const Context *c, const Demands *d, Move m)
{
    const int wing = m.flags & MOVE_CASTLE_KING ? 1 : m.flags & MOVE_CASTLE_QUEEN ? 2 : 0;
    if (d->castling && !(d->castling & wing))
        return false;
    if (d->promotion && !promotion_fits(d->promotion, m.promoted))
        return false;
    if (d->flags & IMAGINE_EN_PASSANT && !(m.flags & MOVE_EN_PASSANT && d->en_passant >> m.victim & 1))
        return false;
    if (d->flags & IMAGINE_CAPTURE && !(m.flags & MOVE_CAPTURE && d->capture >> m.victim & 1))
        return false;
    if (d->flags & (IMAGINE_PRIMARY | IMAGINE_SECONDARY) &&
        !is_played(c, d->position, m, d->flags & IMAGINE_PRIMARY))
        return false;
    return d->to >> m.to & 1;
}

// Makes room for `count` moves.
static void grow(Context *c, ImaginaryLevel *list, int32_t count)
{
    list->move = run_grow(c, list->move, &list->move_capacity, (size_t)count, sizeof *list->move);
}

static void add_move(Context *c, ImaginaryLevel *list, const Demands *d, Move m)
{
    if (!fits(c, d, m))
        return;
    grow(c, list, list->move_count + 1);
    list->move[list->move_count++] = (Retraction){m, EMPTY};
}

// The ordinary move or castling of the piece on `from`.
static Move plain_move(const Generator *g, int from, int to)
{
    Move m = pos_plain_move(g->p->square[from], from, to, g->p->square[to] != EMPTY);
    if (from == g->king && (to == from + 2 || to == from - 2))
        pos_castling_move(g->p, to < from, false, &m);
    else if (piece_type(m.piece) == WHITE_PAWN && (from ^ to) == 16)
        m.flags = MOVE_DOUBLE_STEP;
    return m;
}

static void add_plain_move(Context *c, ImaginaryLevel *list, const Demands *d, const Generator *g, int from,
                           int to)
{
    Move m = plain_move(g, from, to);
    if (piece_type(m.piece) != WHITE_PAWN || square_rank(to) != (g->side == WHITE ? 7 : 0)) {
        add_move(c, list, d, m);
        return;
    }
    for (int type = WHITE_QUEEN; type >= WHITE_KNIGHT; type--) {
        m.promoted = (uint8_t)piece_make(g->side, type);
        add_move(c, list, d, m);
    }
}

static void add_en_passant(Context *c, ImaginaryLevel *list, const Demands *d, const Generator *g, int from)
{
    if (!generator_en_passant(g, from))
        return;
    Move m = plain_move(g, from, g->passed);
    m.victim = (uint8_t)g->pawn;
    m.flags = MOVE_CAPTURE | MOVE_EN_PASSANT;
    add_move(c, list, d, m);
}

static void list_varied(Context *c, ImaginaryLevel *list, const Demands *d, Bitboard from)
{
    Move moves[MAX_VARIANT_MOVES];
    const int count = variant_moves(c->position[d->position], d->flags & IMAGINE_PSEUDOLEGAL, moves);
    const int32_t flags = (d->flags & IMAGINE_FROM ? GENERATE_FROM : 0) |
                          (d->flags & IMAGINE_DROP ? d->flags & ~255 : 0) |
                          (d->flags & IMAGINE_DROP ? GENERATE_DROP : 0);
    for (int i = 0; i < count; i++)
        if (moves_fits(moves[i], from, flags))
            add_move(c, list, d, moves[i]);
}

int32_t rt_imagine_moves(Context *c, int32_t n, int32_t level, Bitboard from, Bitboard to, Bitboard capture,
                         Bitboard en_passant, int32_t castling, int32_t promotion, int32_t flags)
{
    const Demands d = {to, capture, en_passant, castling, promotion, flags, n};
    ImaginaryLevel *list = &c->run->imaginary->level[level];
    Generator g;
    list->move_count = 0;
    if (moves_vary(c->position[n])) {
        list_varied(c, list, &d, from);
        return list->move_count;
    }
    if (flags & IMAGINE_DROP)
        return 0;
    generator_init(&g, c, n, flags & IMAGINE_PSEUDOLEGAL);
    for (from &= g.own; from; from &= from - 1) {
        const int square = bb_first(from);
        for (Bitboard targets = generator_ordinary(&g, square) & ~g.barred; targets; targets &= targets - 1)
            add_plain_move(c, list, &d, &g, square, bb_first(targets));
        add_en_passant(c, list, &d, &g, square);
    }
    return list->move_count;
}

int32_t rt_imagine_retractions(Context *c, int32_t n, int32_t level)
{
    ImaginaryLevel *list = &c->run->imaginary->level[level];
    grow(c, list, MAX_RETRACTIONS);
    list->move_count = moves_are_retracted(c->position[n])
                           ? pos_retractions(c->position[n], list->move, MAX_RETRACTIONS)
                           : 0;
    return list->move_count;
}

int32_t rt_imagine_square(Context *c, int32_t level, int32_t index, int32_t which)
{
    const Move m = c->run->imaginary->level[level].move[index].move;
    return which == 0 ? m.from : which == 1 ? m.to : m.victim;
}

// ---- playing ----------------------------------------------------------------------------------------------

int32_t rt_imagine_play(Context *c, int32_t n, int32_t level, int32_t index)
{
    ImaginaryLevel *l = &c->run->imaginary->level[level];
    if (variant_is(c->position[n]))
        variant_make(&l->position.varied, c->position[n], l->move[index].move);
    else
        pos_make(&l->position.board, c->position[n], l->move[index].move);
    return imaginary_enter(c, n, level, IMAGINED_MOVE, l->move[index]);
}

int32_t rt_imagine_child(Context *c, int32_t n, int32_t level, int32_t child)
{
    imaginary_copy(&c->run->imaginary->level[level].position, c->position[child]);
    return imaginary_enter(c, n, level, IMAGINED_MOVE, (Retraction){c->node[child].move, EMPTY});
}

int32_t rt_imagine_retract(Context *c, int32_t n, int32_t level, int32_t index)
{
    ImaginaryLevel *l = &c->run->imaginary->level[level];
    const int32_t id = imaginary_enter(c, n, level, IMAGINED_RETRACTION, l->move[index]);
    pos_retract(&l->position.board, c->position[n], l->move[index]);
    c->run->imaginary->node[id + c->query->imaginary_levels].move = l->move[index].move;
    return id;
}
