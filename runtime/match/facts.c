// History and identities of positions.
#include "facts.h"

#include "imaginary.h"

// Entries below *_count are valid; those of imaginary positions are computed each time.
typedef struct FactsState {
    History *history;
    Identities *identities;
    int32_t history_count, identities_count;
    size_t history_capacity, identities_capacity;
} FactsState;

static void facts_begin_game(Context *c)
{
    FactsState *s = c->run->facts;
    s->history_count = s->identities_count = 0;
}

const Subject facts_subject = {.size = sizeof(FactsState), .begin_game = facts_begin_game};

// The position from which position n was reached.
static int32_t origin_of(const Context *c, int32_t n)
{
    return is_imaginary(c, n) ? imaginary_level(c, n)->origin : c->node[n].parent;
}

// Extends the *count valid entries to entry n. Returns the first one to compute; n + 1: none.
static int32_t extend_to(const Context *c, int32_t n, int32_t *count)
{
    if (is_imaginary(c, n))
        return n;
    const int32_t first = n < *count ? n + 1 : *count;
    if (n >= *count)
        *count = n + 1;
    return first;
}

// ---- history ----------------------------------------------------------------------------------------------

// CASTLE_ bits: which kings and rooks are at home.
static uint8_t pieces_at_home(const Position *p)
{
    static const uint8_t rook[4] = {7, 0, 63, 56};
    uint8_t home = 0;
    for (int i = 0; i < 4; i++)
        if (p->square[i < 2 ? 4 : 60] == piece_make(i / 2, WHITE_KING) &&
            p->square[rook[i]] == piece_make(i / 2, WHITE_ROOK))
            home |= 1 << i;
    return home;
}

static History history_after(History before, const Context *c, int32_t n)
{
    const Move m = c->node[n].move;
    before.home &= pieces_at_home(c->position[n]);
    if (n > 0 && !(m.flags & MOVE_NULL))
        before.arrived |= bb_of(m.to);
    return before;
}

const History *facts_history(Context *c, int32_t n)
{
    FactsState *s = c->run->facts;
    const int32_t first = extend_to(c, n, &s->history_count);
    if (first > n)
        return &s->history[n];
    if (is_imaginary(c, n))
        facts_history(c, origin_of(c, n));
    s->history = run_grow(c, s->history, &s->history_capacity, (size_t)n + 1, sizeof *s->history);
    for (int32_t i = first; i <= n; i++)
        s->history[i] = history_after(i > 0 ? s->history[origin_of(c, i)] : (History){0, 0xF}, c, i);
    return &s->history[n];
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

static void identities_move(Identities *ids, Move m)
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

const Identities *facts_identities(Context *c, int32_t n)
{
    FactsState *s = c->run->facts;
    const int32_t first = extend_to(c, n, &s->identities_count);
    if (first > n)
        return &s->identities[n];
    if (is_imaginary(c, n))
        facts_identities(c, origin_of(c, n));
    s->identities = run_grow(c, s->identities, &s->identities_capacity, (size_t)n + 1, sizeof *s->identities);
    for (int32_t i = first; i <= n; i++) {
        if (i == 0) {
            identities_begin(&s->identities[0], c->position[0]);
            continue;
        }
        s->identities[i] = s->identities[origin_of(c, i)];
        identities_move(&s->identities[i], c->node[i].move);
    }
    return &s->identities[n];
}
