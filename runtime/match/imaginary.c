// Moves that are tried out, and the positions after them (language reference 13.5).
#include "imaginary.h"

#include <stdio.h>
#include <stdlib.h>

#include "move_calls.h"
#include "runtime/value/memory.h"

static ImaginaryLevel *level_of(Context *c, int32_t level)
{
    ImaginaryLevel **entry = &c->run->imaginary->level[level];
    if (!*entry)
        *entry = memory_zeroed(1, sizeof **entry);
    return *entry;
}

static ImaginaryLevel *of_position(const Context *c, int32_t position)
{
    return c->run->imaginary->level[position - c->game->count];
}

// ---- the game and what follows it -------------------------------------------------------------------------

void imaginary_begin_game(Context *c)
{
    if (!c->run->imaginary)
        c->run->imaginary = memory_zeroed(1, sizeof *c->run->imaginary);
    if (!(c->query->flags & QUERY_IMAGINARY))
        return;
    Imaginary *im = c->run->imaginary;
    const int32_t count = c->game->count, all = count + IMAGINARY_LEVELS;
    int32_t capacity = im->capacity;
    im->position = run_grow(im->position, &capacity, all, sizeof *im->position);
    capacity = im->capacity;
    im->node = run_grow(im->node, &capacity, all, sizeof *im->node);
    im->capacity = capacity;
    memcpy(im->position, c->game->position, (size_t)count * sizeof *im->position);
    memcpy(im->node, c->game->node, (size_t)count * sizeof *im->node);
    for (int32_t i = count; i < all; i++) {
        im->position[i] = c->game->position[0];
        im->node[i] = (Node){.parent = -1, .first_child = -1, .next_sibling = -1, .last = i};
    }
    c->position = im->position;
    c->node = im->node;
}

void imaginary_free(struct RunState *run)
{
    Imaginary *im = run->imaginary;
    if (!im)
        return;
    for (int i = 0; i < IMAGINARY_LEVELS; i++) {
        if (im->level[i])
            free(im->level[i]->move);
        free(im->level[i]);
    }
    free(im->position);
    free(im->node);
    free(im);
}

int32_t imaginary_root(const Context *c, int32_t position)
{
    while (is_imaginary(c, position)) {
        const ImaginaryLevel *level = of_position(c, position);
        position = level ? level->origin : 0;
    }
    return position;
}

const History *imaginary_history(Context *c, int32_t position)
{
    ImaginaryLevel *level = of_position(c, position);
    const Move m = c->node[position].move;
    level->history = *run_history(c, level->origin);
    level->history.home &= history_pieces_at_home(&level->board);
    if (!(m.flags & MOVE_NULL))
        level->history.arrived |= bb_of(m.to);
    return &level->history;
}

const Identities *imaginary_identities(Context *c, int32_t position)
{
    ImaginaryLevel *level = of_position(c, position);
    level->identities = *run_identities(c, level->origin);
    identities_move(&level->identities, c->node[position].move);
    return &level->identities;
}

// ---- lists of moves ---------------------------------------------------------------------------------------

// What a move must have beside its origin, see calls_cqli.def.
typedef struct Demands {
    Bitboard to, capture, en_passant;
    int32_t castling, promotion, flags;
} Demands;

static bool promotion_fits(int32_t symbols, int piece)
{
    const int type = piece_type(piece);
    const int32_t wanted = 1 << type | 1 << (type + 6) | 1 << BOARD_WHITE | 1 << BOARD_BLACK;
    return piece != EMPTY && symbols & wanted;
}

static bool fits(const Demands *d, Move m)
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
    return d->to >> m.to & 1;
}

static void add_move(ImaginaryLevel *list, const Demands *d, Move m)
{
    if (!fits(d, m))
        return;
    if (list->move_count == list->move_capacity)
        list->move = run_grow(list->move, &list->move_capacity, list->move_count + 1, sizeof *list->move);
    list->move[list->move_count++] = m;
}

// The ordinary move or castling of the piece on `from`.
static Move plain_move(const Generator *g, int from, int to)
{
    Move m = {.from = (uint8_t)from,
              .to = (uint8_t)to,
              .victim = NO_SQUARE,
              .rook_from = NO_SQUARE,
              .rook_to = NO_SQUARE};
    m.piece = g->p->square[from];
    const int type = piece_type(m.piece);
    if (g->p->square[to] != EMPTY) {
        m.victim = (uint8_t)to;
        m.flags = MOVE_CAPTURE;
    }
    if (from == g->king && (to == from + 2 || to == from - 2)) {
        const bool short_wing = to > from;
        m.flags = short_wing ? MOVE_CASTLE_KING : MOVE_CASTLE_QUEEN;
        m.rook_from = (uint8_t)(short_wing ? from + 3 : from - 4);
        m.rook_to = (uint8_t)(short_wing ? from + 1 : from - 1);
    } else if (type == WHITE_PAWN && (to == from + 16 || to == from - 16)) {
        m.flags = MOVE_DOUBLE_STEP;
    }
    return m;
}

static void add_plain_move(ImaginaryLevel *list, const Demands *d, const Generator *g, int from, int to)
{
    Move m = plain_move(g, from, to);
    if (piece_type(m.piece) != WHITE_PAWN || square_rank(to) != (g->side == WHITE ? 7 : 0)) {
        add_move(list, d, m);
        return;
    }
    for (int type = WHITE_QUEEN; type >= WHITE_KNIGHT; type--) {
        m.promoted = (uint8_t)piece_make(g->side, type);
        add_move(list, d, m);
    }
}

static void add_en_passant(ImaginaryLevel *list, const Demands *d, const Generator *g, int from)
{
    if (!generator_en_passant(g, from))
        return;
    Move m = plain_move(g, from, g->passed);
    m.victim = (uint8_t)g->pawn;
    m.flags = MOVE_CAPTURE | MOVE_EN_PASSANT;
    add_move(list, d, m);
}

int32_t rt_imagine_moves(Context *c, int32_t n, int32_t level, Bitboard from, Bitboard to, Bitboard capture,
                         Bitboard en_passant, int32_t castling, int32_t promotion, int32_t flags)
{
    const Demands d = {to, capture, en_passant, castling, promotion, flags};
    ImaginaryLevel *list = level_of(c, level);
    Generator g;
    generator_init(&g, c, n, flags & IMAGINE_PSEUDOLEGAL);
    list->move_count = 0;
    for (from &= g.own; from; from &= from - 1) {
        const int square = bb_first(from);
        for (Bitboard targets = generator_ordinary(&g, square) & ~g.own; targets; targets &= targets - 1)
            add_plain_move(list, &d, &g, square, bb_first(targets));
        add_en_passant(list, &d, &g, square);
    }
    return list->move_count;
}

int32_t rt_imagine_square(Context *c, int32_t level, int32_t index, int32_t which)
{
    const Move m = level_of(c, level)->move[index];
    return which == 0 ? m.from : which == 1 ? m.to : m.victim;
}

// ---- playing ----------------------------------------------------------------------------------------------

static int32_t enter(Context *c, int32_t n, int32_t level)
{
    const int32_t id = c->game->count + level;
    Imaginary *im = c->run->imaginary;
    level_of(c, level)->origin = n;
    im->position[id] = &level_of(c, level)->board;
    im->node[id].ply = c->node[n].ply + 1;
    im->node[id].depth = c->node[n].depth;
    return id;
}

int32_t rt_imagine_play(Context *c, int32_t n, int32_t level, int32_t index)
{
    ImaginaryLevel *list = level_of(c, level);
    const int32_t id = enter(c, n, level);
    pos_make(&list->board, c->position[n], list->move[index]);
    c->run->imaginary->node[id].move = list->move[index];
    return id;
}

int32_t rt_imagine_child(Context *c, int32_t n, int32_t level, int32_t child)
{
    const int32_t id = enter(c, n, level);
    level_of(c, level)->board = *c->position[child];
    c->run->imaginary->node[id].move = c->node[child].move;
    return id;
}

// The number and sign before a move from position n: `4.` or `4...`.
static int move_number_text(const Context *c, int32_t n, char out[24])
{
    const int side = c->position[n]->side, ply = c->node[n].ply;
    const int black_began = (ply + side) & 1;
    return snprintf(out, 24, "%d%s", (ply + black_began) / 2 + 1, side == WHITE ? "." : "...");
}

int32_t rt_mutation(Context *c, int32_t n, String *result)
{
    if (!is_imaginary(c, n))
        return 0;
    const int32_t origin = of_position(c, n)->origin;
    char text[24 + SAN_MAX];
    const int length = move_number_text(c, origin, text);
    const int more = san_write(c->position[origin], c->node[n].move, text + length);
    *result = run_string(c, text, (size_t)(length + more));
    return 1;
}
