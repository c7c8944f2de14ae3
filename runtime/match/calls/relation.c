// Comparing the contents of squares of two positions under echo transforms (language reference 11.7).
#include "relation.h"

#include "runtime/match/imaginary.h"
#include "runtime/match/planes.h"
#include "runtime/match/run_state.h"
#include "shifts.h"

// A position among those whose kings are as far from each other, in the same direction: no shift brings both kings to
// those of any other position.
typedef struct KingsLink {
    int32_t next;      // of its class, -1 at the end
    int32_t next_else; // the next one of its class with the kings on other squares
    uint8_t white;     // the square of the white king, which in a class decides where the other one is
    uint8_t distance;  // the class
} KingsLink;

enum { KINGS_CLASSES = 256 };

typedef struct KingsClasses {
    bool made;       // in this game
    KingsLink *link; // by position
    size_t capacity;
    int32_t first[KINGS_CLASSES];
} KingsClasses;

// The kinds of pieces that were asked for last.
typedef struct KindsOfSource {
    int32_t source; // -1: none
    Bitboard squares;
    uint64_t kinds;
} KindsOfSource;

typedef struct RelationState {
    Planes *planes;  // by position, the first planes_count are made
    uint64_t *kinds; // by position, the first kinds_count are made
    int32_t planes_count, kinds_count;
    size_t planes_capacity, kinds_capacity;
    KindsOfSource of_source;
    KingsClasses kings;
} RelationState;

static void relation_begin_game(Context *c)
{
    RelationState *s = c->run->relation;
    s->planes_count = s->kinds_count = 0;
    s->of_source.source = -1;
    s->kings.made = false;
}

const Subject relation_subject = {.size = sizeof(RelationState), .begin_game = relation_begin_game};

// ---- kinds of pieces ----------------------------------------------------------------------------------------

// The numbers of the twelve kinds of pieces on the squares, five bits each, of which the highest is 0: 15 also stands
// for more.
static uint64_t kinds_of(const Bitboard *board, Bitboard squares)
{
    static const uint8_t kind[] = {WHITE_PAWN,   WHITE_KNIGHT, WHITE_BISHOP, WHITE_ROOK,
                                   WHITE_QUEEN,  WHITE_KING,   BLACK_PAWN,   BLACK_KNIGHT,
                                   BLACK_BISHOP, BLACK_ROOK,   BLACK_QUEEN,  BLACK_KING};
    uint64_t kinds = 0;
    for (size_t i = 0; i < sizeof kind; i++) {
        const int count = bb_count(board[kind[i]] & squares);
        kinds = kinds << 5 | (uint64_t)(count > 15 ? 15 : count);
    }
    return kinds;
}

// The number of kinds of which `of` has more than `than`.
static int more_kinds(uint64_t of, uint64_t than)
{
    const uint64_t highest = 0x0842108421084210; // bit 4 of each five
    return bb_count(~((than | highest) - of) & highest);
}

static uint64_t kinds_of_source(Context *c, int32_t source, Bitboard squares)
{
    KindsOfSource *last = &c->run->relation->of_source;
    if (last->source != source || last->squares != squares)
        *last = (KindsOfSource){source, squares, kinds_of(c->position[source]->board, squares)};
    return last->kinds;
}

// Of all positions.
static const uint64_t *all_kinds(Context *c)
{
    RelationState *s = c->run->relation;
    const int32_t count = c->game->count;
    if (s->kinds_count == count)
        return s->kinds;
    s->kinds = run_grow(c, s->kinds, &s->kinds_capacity, (size_t)count, sizeof *s->kinds);
    for (int32_t i = 0; i < count; i++)
        s->kinds[i] = kinds_of(c->position[i]->board, BB_ALL);
    s->kinds_count = count;
    return s->kinds;
}

// ---- planes -----------------------------------------------------------------------------------------------

// All positions at once: a relation looks at many of them.
static const Planes *all_planes(Context *c)
{
    RelationState *s = c->run->relation;
    const int32_t count = c->game->count;
    if (s->planes_count == count)
        return s->planes;
    s->planes = run_grow(c, s->planes, &s->planes_capacity, (size_t)count, sizeof *s->planes);
    for (int32_t i = 0; i < count; i++)
        s->planes[i] = planes_of(c->position[i]);
    s->planes_count = count;
    return s->planes;
}

Bitboard rt_same_contents(Context *c, int32_t a, int32_t b)
{
    if (is_imaginary(c, a) || is_imaginary(c, b)) {
        const Planes x = planes_of(c->position[a]), y = planes_of(c->position[b]);
        return ~planes_difference(&x, &y);
    }
    const Planes *planes = all_planes(c);
    return ~planes_difference(&planes[a], &planes[b]);
}

// ---- echo transforms --------------------------------------------------------------------------------------

// One map of the board: a symmetry (chess.h) or a shift.
typedef struct EchoMap {
    uint8_t symmetry;
    int8_t files, ranks;
} EchoMap;

static Bitboard image(const EchoMap *m, Bitboard b)
{
    return m->symmetry ? bb_image(b, m->symmetry) : bb_step(b, m->files, m->ranks);
}

// The squares whose images are in `b`.
static Bitboard original(const EchoMap *m, Bitboard b)
{
    static const uint8_t inverse[BOARD_SYMMETRIES] = {0, 1, 2, 3, 4, 6, 5, 7};
    return m->symmetry ? bb_image(b, inverse[m->symmetry]) : bb_step(b, -m->files, -m->ranks);
}

typedef struct EchoTest {
    const Planes *source, *target;
    const Position *from, *to; // the same boards
    Bitboard squares;          // compared
    int32_t match_low, match_high, mismatch_low, mismatch_high;
} EchoTest;

static bool within(int32_t count, int32_t low, int32_t high)
{
    count = count > 64 ? 64 : count;
    return count >= low && count <= high;
}

static bool holds_under(const EchoTest *e, const EchoMap *m)
{
    Planes mapped;
    for (int i = 0; i < 4; i++)
        mapped.plane[i] = original(m, e->target->plane[i]);
    const Bitboard differs = planes_difference(e->source, &mapped) & e->squares;
    const Bitboard left = e->squares & ~image(m, e->squares); // squares that no square was sent to
    const int32_t mismatches = bb_count(differs) + bb_count(left & ~e->to->board[EMPTY]);
    const int32_t matches = bb_count(e->squares & ~differs) + bb_count(left & e->to->board[EMPTY]);
    return within(mismatches, e->mismatch_low, e->mismatch_high) &&
           within(matches, e->match_low, e->match_high);
}

static bool holds_under_shift(const void *test, int files, int ranks)
{
    return (files != 0 || ranks != 0) &&
           holds_under(test, &(EchoMap){.files = (int8_t)files, .ranks = (int8_t)ranks});
}

static bool some_shift(const EchoTest *e, int files, int ranks)
{
    return shift_found(e->from->board, e->squares, e->to->board, e->mismatch_high, files, ranks,
                       holds_under_shift, e);
}

// `symmetries`: bit s for symmetry s.
static bool some_symmetry(const EchoTest *e, unsigned symmetries)
{
    for (int s = 0; s < BOARD_SYMMETRIES; s++)
        if (symmetries >> s & 1 && holds_under(e, &(EchoMap){.symmetry = (uint8_t)s}))
            return true;
    return false;
}

int32_t rt_echo_squares(Context *c, int32_t source, int32_t target, Bitboard squares, int32_t transform,
                        int32_t match_low, int32_t match_high, int32_t mismatch_low, int32_t mismatch_high)
{
    enum {
        FLIPS = 0xFF,
        ROTATIONS = 1 << (EXCHANGE_FILES_AND_RANKS | MIRROR_FILES) | 1 << (MIRROR_FILES | MIRROR_RANKS) |
                    1 << (EXCHANGE_FILES_AND_RANKS | MIRROR_RANKS)
    };
    // Each piece that has no equal one to come to is a mismatch.
    if (more_kinds(kinds_of_source(c, source, squares), all_kinds(c)[target]) > mismatch_high)
        return false;
    const Planes *planes = all_planes(c);
    const EchoTest e = {&planes[source], &planes[target], c->position[source], c->position[target], squares,
                        match_low,       match_high,      mismatch_low,        mismatch_high};
    switch ((enum EchoTransform)transform) {
    case ECHO_FLIP:
        return some_symmetry(&e, FLIPS);
    case ECHO_FLIPVERTICAL:
        return some_symmetry(&e, 1 << MIRROR_FILES);
    case ECHO_FLIPHORIZONTAL:
        return some_symmetry(&e, 1 << MIRROR_RANKS);
    case ECHO_ROTATE90:
        return some_symmetry(&e, ROTATIONS);
    case ECHO_SHIFT:
        return some_shift(&e, 7, 7);
    case ECHO_SHIFTHORIZONTAL:
        return some_shift(&e, 7, 0);
    default: // ECHO_SHIFTVERTICAL
        return some_shift(&e, 0, 7);
    }
}

// ---- classes of kings -------------------------------------------------------------------------------------

static KingsLink kings_link(const Position *p)
{
    const int white = bb_first(p->board[WHITE_KING]), black = bb_first(p->board[BLACK_KING]);
    const int files = square_file(black) - square_file(white),
              ranks = square_rank(black) - square_rank(white);
    return (KingsLink){-1, -1, (uint8_t)white, (uint8_t)((files + 7) << 4 | (ranks + 7))};
}

// From the last position to the first.
static void make_kings_classes(Context *c, KingsClasses *k)
{
    const int32_t count = c->game->count;
    k->made = true;
    k->link = run_grow(c, k->link, &k->capacity, (size_t)count, sizeof *k->link);
    memset(k->first, -1, sizeof k->first);
    for (int32_t i = count - 1; i >= 0; i--) {
        KingsLink *link = &k->link[i];
        *link = kings_link(c->position[i]);
        const int32_t next = link->next = k->first[link->distance];
        if (next >= 0)
            link->next_else = k->link[next].white == link->white ? k->link[next].next_else : next;
        k->first[link->distance] = i;
    }
}

// The shift that brings the kings of the source to those of the position brings no piece on the squares elsewhere than
// to a piece.
static bool pieces_come_to_pieces(Context *c, const KingsLink *from, Bitboard pieces, int32_t position)
{
    const int to = c->run->relation->kings.link[position].white;
    const int files = square_file(to) - square_file(from->white);
    const int ranks = square_rank(to) - square_rank(from->white);
    return (pieces & ~bb_step(~c->position[position]->board[EMPTY], -files, -ranks)) == 0;
}

int32_t rt_shifted_next(Context *c, int32_t source, Bitboard squares, int32_t after)
{
    KingsClasses *k = &c->run->relation->kings;
    if (variant_is(c->position[0])) // there may be other kings than one a side
        return after + 1 < c->game->count ? after + 1 : -1;
    if (!k->made)
        make_kings_classes(c, k);
    const Bitboard *board = c->position[source]->board;
    if ((board[WHITE_KING] | board[BLACK_KING]) & ~squares)
        return after + 1 < c->game->count ? after + 1 : -1;
    const KingsLink *from = &k->link[source];
    const Bitboard pieces = squares & ~board[EMPTY];
    int32_t next = after < 0 ? k->first[from->distance] : k->link[after].next;
    while (next >= 0) {
        if (k->link[next].white == from->white)
            next = k->link[next].next_else;
        else if (!pieces_come_to_pieces(c, from, pieces, next))
            next = k->link[next].next;
        else
            break;
    }
    return next;
}
