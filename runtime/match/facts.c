// History, identities and records of positions.
#include "facts.h"

#include "imaginary.h"

typedef enum FactKind { FACT_HISTORY, FACT_IDENTITIES, FACT_RECORD, FACT_KINDS } FactKind;

// One entry for each position; those below `count` are valid, those of imaginary positions are computed each
// time.
typedef struct Facts {
    char *entry;
    int32_t count;
    size_t capacity;
} Facts;

typedef struct FactsState {
    Facts kind[FACT_KINDS];
} FactsState;

static void facts_begin_game(Context *c)
{
    for (int kind = 0; kind < FACT_KINDS; kind++)
        c->run->facts->kind[kind].count = 0;
}

const Subject facts_subject = {.size = sizeof(FactsState), .begin_game = facts_begin_game};

// The position from which position n was reached.
static int32_t origin_of(const Context *c, int32_t n)
{
    return is_imaginary(c, n) ? imaginary_of(c, n)->origin : c->node[n].parent;
}

// ---- history ----------------------------------------------------------------------------------------------

// CASTLE_ bits: which kings and rooks are at home.
static uint8_t pieces_at_home(const Position *p)
{
    const Bitboard white = p->white.king >> 4 & 1, black = p->black.king >> 60 & 1;
    return (uint8_t)((p->white.rook >> 7 & white) | (p->white.rook & white) << 1 |
                     (p->black.rook >> 63 & black) << 2 | (p->black.rook >> 56 & black) << 3);
}

static void history_begin(Context *c, void *entry)
{
    *(History *)entry = (History){.home = pieces_at_home(c->position[0])};
}

static void history_advance(Context *c, int32_t n, void *entry)
{
    History *h = entry;
    const Move m = c->node[n].move;
    h->fen = NULL;
    if (h->home)
        h->home &= pieces_at_home(c->position[n]);
    if (!(m.flags & MOVE_NULL))
        h->arrived |= bb_of(m.to);
    // Black is to move after a move of White.
    const bool secondary = c->node[n].index > 0 && c->position[n]->side == BLACK;
    h->tries += secondary;
    h->off_virtual |= secondary || m.flags & MOVE_NULL;
}

static void history_change(Context *c, int32_t n, void *entry)
{
    History *h = entry;
    h->fen = NULL;
    h->home &= pieces_at_home(c->position[n]);
}

// ---- identity of pieces -----------------------------------------------------------------------------------

static void identities_begin(Context *c, void *entry)
{
    const Position *p = c->position[0];
    Identities *ids = entry;
    int number = 0;
    memset(ids->square, NO_SQUARE, sizeof ids->square);
    for (int s = 0; s < 64; s++) {
        ids->number[s] = -1;
        if (p->square[s] != EMPTY) {
            ids->square[number] = (uint8_t)s;
            ids->number[s] = (int8_t)number++;
        }
    }
    ids->count = (uint8_t)number;
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

static void identities_advance(Context *c, int32_t n, void *entry)
{
    Identities *ids = entry;
    const Move m = c->node[n].move;
    if (m.flags & MOVE_NULL)
        return;
    if (m.flags & MOVE_DROP) { // a new piece
        if (ids->count < 64)
            put_down(ids, ids->count++, m.to);
        return;
    }
    if (m.victim != NO_SQUARE)
        lift(ids, m.victim);
    const bool castles = m.flags & MOVE_CASTLE;
    const int mover = lift(ids, m.from), rook = castles ? lift(ids, m.rook_from) : -1;
    put_down(ids, mover, m.to);
    if (castles)
        put_down(ids, rook, m.rook_to);
    if (!variant_is(c->position[n]))
        return;
    for (Bitboard empty = c->position[n]->empty; empty; empty &= empty - 1) // explosions
        lift(ids, bb_first(empty));
}

// The squares whose contents are not those of the position that imaginary position n was made of.
static Bitboard changed_squares(const Context *c, int32_t n)
{
    const Position *p = c->position[n], *origin = c->position[origin_of(c, n)];
    Bitboard changed = 0;
    for (int code = EMPTY; code < PIECE_CODES; code++)
        changed |= p->board[code] ^ origin->board[code];
    return changed;
}

// Pieces that appear have no identity.
static void identities_change(Context *c, int32_t n, void *entry)
{
    Identities *ids = entry;
    if (imaginary_of(c, n)->kind == IMAGINED_RETRACTION) {
        const Move m = imaginary_of(c, n)->made.move;
        const bool castles = m.flags & MOVE_CASTLE;
        const int mover = lift(ids, m.to), rook = castles ? lift(ids, m.rook_to) : -1;
        put_down(ids, mover, m.from);
        if (castles)
            put_down(ids, rook, m.rook_from);
        return;
    }
    for (Bitboard changed = changed_squares(c, n); changed; changed &= changed - 1)
        lift(ids, bb_first(changed));
}

// ---- records ----------------------------------------------------------------------------------------------

static void record_begin(Context *c, void *entry)
{
    *(Record *)entry = (Record){.clocks = run_game_of(c)->clocks};
}

static void record_advance(Context *c, int32_t n, void *entry)
{
    Record *r = entry;
    const Move m = c->node[n].move;
    const int mover = !c->position[n]->side;
    r->clocks.fullmove += mover == BLACK;
    r->clocks.halfmove++;
    if (m.flags & MOVE_NULL)
        return;
    if (m.flags & MOVE_CAPTURE || piece_type(m.piece) == WHITE_PAWN)
        r->clocks.halfmove = 0;
    const Bitboard arrived = r->promoted & bb_of(m.from) || m.promoted ? bb_of(m.to) : 0;
    const Bitboard victim = m.victim != NO_SQUARE ? bb_of(m.victim) : 0;
    r->promoted = (r->promoted & ~bb_of(m.from) & ~victim) | arrived;
}

// A retraction is taken off the record; what `imagine` adds was never a pawn.
static void record_change(Context *c, int32_t n, void *entry)
{
    Record *r = entry;
    const Imaginary *p = imaginary_of(c, n);
    const Move m = p->made.move;
    if (p->kind == IMAGINED_CHANGES) {
        r->promoted &= ~changed_squares(c, n);
        return;
    }
    const bool resets = m.flags & MOVE_CAPTURE || piece_type(m.piece) == WHITE_PAWN;
    r->clocks.halfmove = resets || r->clocks.halfmove == 0 ? 0 : r->clocks.halfmove - 1;
    if (p->board.side == BLACK && r->clocks.fullmove > 1)
        r->clocks.fullmove--;
    const Bitboard moved = r->promoted & bb_of(m.to) && !m.promoted ? bb_of(m.from) : 0;
    r->promoted = (r->promoted & ~bb_of(m.to)) | moved;
}

// ---- entries ----------------------------------------------------------------------------------------------

// How the entry of the root begins, and how one that is a copy of the entry before becomes that of position n: after
// a move, or of an imaginary position that no move led to.
static const struct {
    size_t size;
    void (*begin)(Context *c, void *entry);
    void (*advance)(Context *c, int32_t n, void *entry);
    void (*change)(Context *c, int32_t n, void *entry);
} kinds[FACT_KINDS] = {{sizeof(History), history_begin, history_advance, history_change},
                       {sizeof(Identities), identities_begin, identities_advance, identities_change},
                       {sizeof(Record), record_begin, record_advance, record_change}};

static void *fact(Context *c, int32_t n, FactKind kind)
{
    Facts *all = &c->run->facts->kind[kind];
    const size_t size = kinds[kind].size;
    if (n < all->count)
        return all->entry + (size_t)n * size;
    const bool imaginary = is_imaginary(c, n);
    if (imaginary)
        fact(c, origin_of(c, n), kind);
    all->entry = run_grow(c, all->entry, &all->capacity, (size_t)n + 1, size);
    for (int32_t i = imaginary ? n : all->count; i <= n; i++) {
        char *entry = all->entry + (size_t)i * size;
        if (i == 0) {
            kinds[kind].begin(c, entry);
        } else {
            memcpy(entry, all->entry + (size_t)origin_of(c, i) * size, size);
            (c->node[i].parent < 0 ? kinds[kind].change : kinds[kind].advance)(c, i, entry);
        }
    }
    if (!imaginary)
        all->count = n + 1;
    return all->entry + (size_t)n * size;
}

History *facts_history(Context *c, int32_t n)
{
    return fact(c, n, FACT_HISTORY);
}

const Identities *facts_identities(Context *c, int32_t n)
{
    return fact(c, n, FACT_IDENTITIES);
}

const Record *facts_record(Context *c, int32_t n)
{
    return fact(c, n, FACT_RECORD);
}
