// Comparing the contents of squares of two positions (language reference 11.7).
//
// A board is kept as four planes: bit i of the piece code of each square. Squares are equal where no plane
// differs, and a square that a map moves off the board reads as code 0, the empty square, which is just what
// an echo transform wants.
#include "relation.h"

#include <stdlib.h>

#include "run_state.h"
#include "runtime/value/memory.h"

typedef struct Planes {
    Bitboard plane[4];
} Planes;

// The positions of the game divided by the contents of some squares.
typedef struct EqualClasses {
    bool made;                      // in this game
    int32_t *first;                 // by position: the least of its class
    int32_t *next;                  // the next one of its class, -1 at the end
    int32_t *last, *bucket, *chain; // while it is made
    int32_t capacity;
} EqualClasses;

struct RelationState {
    Planes *planes; // by position, the first planes_count are made
    int32_t planes_count, planes_capacity;
    EqualClasses *classes;
    int32_t class_count, class_capacity;
};

static struct RelationState *state_of(Context *c)
{
    struct RunState *run = c->run;
    if (!run->relation)
        run->relation = memory_zeroed(1, sizeof *run->relation);
    return run->relation;
}

void relation_reset(struct RunState *run)
{
    if (!run->relation)
        return;
    run->relation->planes_count = 0;
    for (int32_t i = 0; i < run->relation->class_count; i++)
        run->relation->classes[i].made = false;
}

void relation_free(struct RunState *run)
{
    struct RelationState *s = run->relation;
    if (!s)
        return;
    for (int32_t i = 0; i < s->class_count; i++)
        free(s->classes[i].first);
    free(s->classes);
    free(s->planes);
    free(s);
    run->relation = NULL;
}

// ---- planes -----------------------------------------------------------------------------------------------

static Planes planes_of(const Position *p)
{
    const Bitboard *b = p->board;
    const Bitboard odd =
        b[WHITE_PAWN] | b[WHITE_BISHOP] | b[WHITE_QUEEN] | b[BLACK_PAWN] | b[BLACK_BISHOP] | b[BLACK_QUEEN];
    const Bitboard second =
        b[WHITE_KNIGHT] | b[WHITE_BISHOP] | b[WHITE_KING] | b[BLACK_PAWN] | b[BLACK_ROOK] | b[BLACK_QUEEN];
    const Bitboard third = b[WHITE_ROOK] | b[WHITE_QUEEN] | b[WHITE_KING] | b[BLACK_PAWN] | b[BLACK_KING];
    const Bitboard fourth =
        b[BLACK_KNIGHT] | b[BLACK_BISHOP] | b[BLACK_ROOK] | b[BLACK_QUEEN] | b[BLACK_KING];
    return (Planes){{odd, second, third, fourth}};
}

// All positions at once: a relation looks at all of them.
static const Planes *all_planes(Context *c)
{
    struct RelationState *s = state_of(c);
    const int32_t count = c->game->count;
    if (s->planes_count == count)
        return s->planes;
    if (count > s->planes_capacity) {
        s->planes_capacity = 2 * count;
        s->planes = memory_resized(s->planes, (size_t)s->planes_capacity, sizeof *s->planes);
    }
    for (int32_t i = 0; i < count; i++)
        s->planes[i] = planes_of(c->position[i]);
    s->planes_count = count;
    return s->planes;
}

static Bitboard difference(const Planes *a, const Planes *b)
{
    return (a->plane[0] ^ b->plane[0]) | (a->plane[1] ^ b->plane[1]) | (a->plane[2] ^ b->plane[2]) |
           (a->plane[3] ^ b->plane[3]);
}

Bitboard rt_equal_squares(Context *c, int32_t a, int32_t b)
{
    const Planes *planes = all_planes(c);
    return ~difference(&planes[a], &planes[b]);
}

// ---- echo transforms --------------------------------------------------------------------------------------

// One map of the board: a symmetry (files and ranks exchanged, then mirrored), or a shift.
typedef struct EchoMap {
    bool exchange, mirror_x, mirror_y;
    int8_t files, ranks;
} EchoMap;

static Bitboard image(const EchoMap *m, Bitboard b)
{
    if (m->files != 0 || m->ranks != 0)
        return bb_step(b, m->files, m->ranks);
    b = m->exchange ? bb_exchange_files_and_ranks(b) : b;
    b = m->mirror_x ? bb_mirror_files(b) : b;
    return m->mirror_y ? bb_mirror_ranks(b) : b;
}

// The squares whose images lie in `b`.
static Bitboard original(const EchoMap *m, Bitboard b)
{
    if (m->files != 0 || m->ranks != 0)
        return bb_step(b, -m->files, -m->ranks);
    b = m->mirror_y ? bb_mirror_ranks(b) : b;
    b = m->mirror_x ? bb_mirror_files(b) : b;
    return m->exchange ? bb_exchange_files_and_ranks(b) : b;
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
    const Bitboard differs = difference(e->source, &mapped) & e->squares;
    const Bitboard left = e->squares & ~image(m, e->squares); // squares that no square was sent to
    const int32_t mismatches = bb_count(differs) + bb_count(left & ~e->to->board[EMPTY]);
    const int32_t matches = bb_count(e->squares & ~differs) + bb_count(left & e->to->board[EMPTY]);
    return within(mismatches, e->mismatch_low, e->mismatch_high) &&
           within(matches, e->match_low, e->match_high);
}

// Of more pieces than may mismatch, one comes to an equal piece. That leaves few shifts to try: those that
// bring one of the rarest pieces to one of its kind.
static bool some_shift_of_pieces(const EchoTest *e, int files, int ranks)
{
    static const uint8_t rare_first[] = {WHITE_KING,   BLACK_KING,   WHITE_QUEEN,  BLACK_QUEEN,
                                         WHITE_ROOK,   BLACK_ROOK,   WHITE_BISHOP, BLACK_BISHOP,
                                         WHITE_KNIGHT, BLACK_KNIGHT, WHITE_PAWN,   BLACK_PAWN};
    int32_t tried = 0;
    for (size_t k = 0; k < sizeof rare_first; k++) {
        Bitboard pieces = e->from->board[rare_first[k]] & e->squares;
        for (; pieces != 0; pieces &= pieces - 1) {
            const int square = bb_first(pieces);
            for (Bitboard equal = e->to->board[rare_first[k]]; equal != 0; equal &= equal - 1) {
                const int i = (bb_first(equal) & 7) - (square & 7),
                          j = (bb_first(equal) >> 3) - (square >> 3);
                const bool listed = abs(i) <= files && abs(j) <= ranks && (i != 0 || j != 0);
                if (listed && holds_under(e, &(EchoMap){.files = (int8_t)i, .ranks = (int8_t)j}))
                    return true;
            }
            if (++tried > e->mismatch_high)
                return false;
        }
    }
    return false;
}

static bool some_shift(const EchoTest *e, int files, int ranks)
{
    if (bb_count(e->squares & ~e->from->board[EMPTY]) > e->mismatch_high)
        return some_shift_of_pieces(e, files, ranks);
    for (int i = -files; i <= files; i++)
        for (int j = -ranks; j <= ranks; j++)
            if ((i != 0 || j != 0) && holds_under(e, &(EchoMap){.files = (int8_t)i, .ranks = (int8_t)j}))
                return true;
    return false;
}

static bool some_symmetry(const EchoTest *e, const EchoMap *map, int count)
{
    for (int i = 0; i < count; i++)
        if (holds_under(e, &map[i]))
            return true;
    return false;
}

int32_t rt_echo_squares(Context *c, int32_t source, int32_t target, Bitboard squares, int32_t transform,
                        int32_t match_low, int32_t match_high, int32_t mismatch_low, int32_t mismatch_high)
{
    static const EchoMap identity_first[8] = {{0},
                                              {.mirror_x = true},
                                              {.mirror_y = true},
                                              {.mirror_x = true, .mirror_y = true},
                                              {.exchange = true},
                                              {.exchange = true, .mirror_x = true},
                                              {.exchange = true, .mirror_y = true},
                                              {.exchange = true, .mirror_x = true, .mirror_y = true}};
    static const EchoMap rotations[3] = {{.exchange = true, .mirror_x = true},
                                         {.mirror_x = true, .mirror_y = true},
                                         {.exchange = true, .mirror_y = true}};
    const Planes *planes = all_planes(c);
    const EchoTest e = {&planes[source], &planes[target], c->position[source], c->position[target], squares,
                        match_low,       match_high,      mismatch_low,        mismatch_high};
    switch ((enum EchoTransform)transform) {
    case ECHO_FLIP:
        return some_symmetry(&e, identity_first, 8);
    case ECHO_FLIPVERTICAL:
        return some_symmetry(&e, &identity_first[1], 1);
    case ECHO_FLIPHORIZONTAL:
        return some_symmetry(&e, &identity_first[2], 1);
    case ECHO_ROTATE90:
        return some_symmetry(&e, rotations, 3);
    case ECHO_SHIFT:
        return some_shift(&e, 7, 7);
    case ECHO_SHIFTHORIZONTAL:
        return some_shift(&e, 7, 0);
    case ECHO_SHIFTVERTICAL:
        return some_shift(&e, 0, 7);
    }
    return false;
}

// ---- classes of equal positions ---------------------------------------------------------------------------

static uint32_t hash_of(const Planes *p, Bitboard squares)
{
    uint64_t hash = 0;
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ (p->plane[i] & squares)) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 32);
}

static void reserve(EqualClasses *e, int32_t count)
{
    if (count <= e->capacity)
        return;
    int32_t capacity = 64;
    while (capacity < count)
        capacity *= 2; // a power of two: it is the number of buckets, too
    e->first = memory_resized(e->first, (size_t)capacity * 5, sizeof *e->first);
    e->next = e->first + capacity;
    e->last = e->next + capacity;
    e->bucket = e->last + capacity;
    e->chain = e->bucket + capacity;
    e->capacity = capacity;
}

// Each class is a list in ascending order; `chain` links the first positions of the classes of a bucket.
static void make_classes(Context *c, EqualClasses *e, Bitboard squares)
{
    const Planes *planes = all_planes(c);
    const int32_t count = c->game->count;
    reserve(e, count);
    for (int32_t i = 0; i < e->capacity; i++)
        e->bucket[i] = -1;
    for (int32_t i = 0; i < count; i++) {
        int32_t *bucket = &e->bucket[hash_of(&planes[i], squares) & (uint32_t)(e->capacity - 1)],
                at = *bucket;
        while (at >= 0 && difference(&planes[at], &planes[i]) & squares)
            at = e->chain[at];
        e->next[i] = -1;
        if (at >= 0) {
            e->next[e->last[at]] = i;
        } else {
            at = i;
            e->chain[i] = *bucket;
            *bucket = i;
        }
        e->first[i] = at;
        e->last[at] = i;
    }
    e->made = true;
}

int32_t rt_equal_first(Context *c, int32_t class, Bitboard squares, int32_t position)
{
    struct RelationState *s = state_of(c);
    if (class >= s->class_count) {
        const int32_t old = s->class_count;
        s->classes = run_grow(s->classes, &s->class_capacity, class + 1, sizeof *s->classes);
        memset(s->classes + old, 0, (size_t)(class + 1 - old) * sizeof *s->classes);
        s->class_count = class + 1;
    }
    if (!s->classes[class].made)
        make_classes(c, &s->classes[class], squares);
    return s->classes[class].first[position];
}

int32_t rt_equal_next(Context *c, int32_t class, int32_t position)
{
    return c->run->relation->classes[class].next[position];
}

// ---- marks ------------------------------------------------------------------------------------------------

int32_t rt_next_marked(Context *c, int32_t set, int32_t from)
{
    const MarkSet *m = &c->run->marks[set];
    if (!m->used || from >= c->game->count)
        return -1;
    const int32_t words = (c->game->count + 63) / 64;
    int32_t word = from >> 6;
    uint64_t bits = m->bits[word] >> (from & 63) << (from & 63);
    while (bits == 0 && ++word < words)
        bits = m->bits[word];
    return bits == 0 ? -1 : 64 * word + bb_first(bits);
}
