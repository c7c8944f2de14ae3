// The game tree, the identity of pieces, what earlier moves have touched, sets of marks (language reference
// 6, 7.5, 3.18).
#include "imaginary.h"
#include "runtime/value/memory.h"

#include <stdlib.h>

int32_t rt_lca(Context *c, int32_t a, int32_t b)
{
    if (a == b)
        return a;
    a = imaginary_root(c, a);
    b = imaginary_root(c, b);
    // From the earlier of the two in the order of the game the way up is short: it is an ancestor of the
    // later one, or stands in a variation beside it.
    int32_t ancestor = a < b ? a : b;
    const int32_t later = a < b ? b : a;
    while (later > c->node[ancestor].last)
        ancestor = c->node[ancestor].parent;
    return ancestor;
}

Bitboard rt_same_contents(Context *c, int32_t a, int32_t b)
{
    const Bitboard *x = c->position[a]->board, *y = c->position[b]->board;
    Bitboard same = 0;
    for (int code = EMPTY; code < PIECE_CODES; code++)
        same |= x[code] & y[code];
    return same;
}

int32_t rt_virtual_mainline(Context *c, int32_t a)
{
    for (; a > 0; a = c->node[a].parent) {
        const Node *node = &c->node[a];
        // Black is to move after a move of White.
        if (node->move.flags & MOVE_NULL || (node->index > 0 && c->position[a]->side == BLACK))
            return 0;
    }
    return 1;
}

int32_t rt_is_try(Context *c, int32_t a)
{
    int count = 0;
    for (; a > 0 && c->node[a].depth > 0; a = c->node[a].parent)
        count += c->node[a].index > 0 && c->position[a]->side == BLACK;
    return count == 1;
}

// ---- history ----------------------------------------------------------------------------------------------

uint8_t history_pieces_at_home(const Position *p)
{
    return (uint8_t)(((p->square[4] == WHITE_KING && p->square[7] == WHITE_ROOK) ? CASTLE_WHITE_KING : 0) |
                     ((p->square[4] == WHITE_KING && p->square[0] == WHITE_ROOK) ? CASTLE_WHITE_QUEEN : 0) |
                     ((p->square[60] == BLACK_KING && p->square[63] == BLACK_ROOK) ? CASTLE_BLACK_KING : 0) |
                     ((p->square[60] == BLACK_KING && p->square[56] == BLACK_ROOK) ? CASTLE_BLACK_QUEEN : 0));
}

const History *run_history(Context *c, int32_t n)
{
    struct RunState *run = c->run;
    if (is_imaginary(c, n))
        return imaginary_history(c, n);
    if (n < run->history_count)
        return &run->history[n];
    run->history = run_grow(run->history, &run->history_capacity, n + 1, sizeof *run->history);
    for (int32_t i = run->history_count; i <= n; i++) {
        const Node *node = &c->node[i];
        History h = {0, history_pieces_at_home(c->position[i])};
        if (i > 0) {
            h.arrived = run->history[node->parent].arrived;
            h.home &= run->history[node->parent].home;
            if (!(node->move.flags & MOVE_NULL))
                h.arrived |= bb_of(node->move.to);
        }
        run->history[i] = h;
    }
    run->history_count = n + 1;
    return &run->history[n];
}

// ---- identity of pieces -----------------------------------------------------------------------------------

static void identities_begin(Identities *ids, const Position *p)
{
    int number = 0;
    memset(ids->square, NO_SQUARE, sizeof ids->square);
    for (int s = 0; s < 64; s++) {
        ids->number[s] = -1;
        if (p->square[s] != EMPTY) {
            ids->square[number] = (uint8_t)s;
            ids->number[s] = (int8_t)number++;
        }
    }
}

static int lift(Identities *ids, int square)
{
    const int number = ids->number[square];
    if (number >= 0)
        ids->square[number] = NO_SQUARE;
    ids->number[square] = -1;
    return number;
}

static void put_down(Identities *ids, int number, int square)
{
    if (number < 0)
        return;
    ids->number[square] = (int8_t)number;
    ids->square[number] = (uint8_t)square;
}

void identities_move(Identities *ids, Move m)
{
    if (m.flags & MOVE_NULL)
        return;
    if (m.victim != NO_SQUARE)
        lift(ids, m.victim);
    const bool castles = m.flags & MOVE_CASTLE;
    const int mover = lift(ids, m.from), rook = castles ? lift(ids, m.rook_from) : -1;
    put_down(ids, mover, m.to);
    if (castles)
        put_down(ids, rook, m.rook_to);
}

const Identities *run_identities(Context *c, int32_t n)
{
    struct RunState *run = c->run;
    if (is_imaginary(c, n))
        return imaginary_identities(c, n);
    if (n < run->identities_count)
        return &run->identities[n];
    run->identities = run_grow(run->identities, &run->identities_capacity, n + 1, sizeof *run->identities);
    for (int32_t i = run->identities_count; i <= n; i++) {
        if (i == 0) {
            identities_begin(&run->identities[0], c->position[0]);
            continue;
        }
        run->identities[i] = run->identities[c->node[i].parent];
        identities_move(&run->identities[i], c->node[i].move);
    }
    run->identities_count = n + 1;
    return &run->identities[n];
}

int32_t rt_piece_square(Context *c, int32_t position, int32_t piece)
{
    return piece < 0 || piece > 63 ? NO_SQUARE : run_identities(c, position)->square[piece];
}

int32_t rt_piece_number(Context *c, int32_t position, int32_t square)
{
    return square < 0 || square > 63 ? -1 : run_identities(c, position)->number[square];
}

Bitboard rt_pieces_on(Context *c, int32_t position, Bitboard squares)
{
    const Identities *ids = run_identities(c, position);
    Bitboard numbers = 0;
    for (squares &= c->position[position]->board[BOARD_OCCUPIED]; squares; squares &= squares - 1)
        if (ids->number[bb_first(squares)] >= 0)
            numbers |= bb_of(ids->number[bb_first(squares)]);
    return numbers;
}

// ---- marks ------------------------------------------------------------------------------------------------

int32_t rt_marked(Context *c, int32_t set, int32_t position)
{
    const MarkSet *m = &c->run->marks[set];
    return m->used && !is_imaginary(c, position) && m->bits[position >> 6] >> (position & 63) & 1;
}

void rt_mark(Context *c, int32_t set, int32_t position)
{
    MarkSet *m = &c->run->marks[set];
    if (is_imaginary(c, position))
        return;
    if (!m->used) {
        const size_t words = ((size_t)c->game->count + 63) / 64;
        if (words > m->capacity) {
            free(m->bits);
            m->capacity = 2 * words;
            m->bits = memory_new(m->capacity * sizeof *m->bits);
        }
        memset(m->bits, 0, words * sizeof *m->bits);
        m->used = true;
    }
    m->bits[position >> 6] |= 1ULL << (position & 63);
}
