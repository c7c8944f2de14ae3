// Sets of marked positions (language reference 5.7).
#include "runtime/match/imaginary.h"

// Cleared at its first use in a game.
typedef struct MarkSet {
    uint64_t game;   // RunState.game_serial when it was cleared
    size_t capacity; // in words
    uint64_t *bits;
} MarkSet;

typedef struct MarksState {
    MarkSet *set; // by number
} MarksState;

static void marks_init(Context *c)
{
    c->run->marks->set = run_zeroed(c, c->query->mark_set_count, sizeof(MarkSet));
}

const Subject marks_subject = {.size = sizeof(MarksState), .init = marks_init};

static bool is_used(const Context *c, const MarkSet *m)
{
    return m->game == c->run->game_serial;
}

int32_t rt_marked(Context *c, int32_t set, int32_t position)
{
    const MarkSet *m = &c->run->marks->set[set];
    return is_used(c, m) && !is_imaginary(c, position) && m->bits[position >> 6] >> (position & 63) & 1;
}

void rt_mark(Context *c, int32_t set, int32_t position)
{
    MarkSet *m = &c->run->marks->set[set];
    if (is_imaginary(c, position))
        return;
    if (!is_used(c, m)) {
        const size_t words = ((size_t)c->game->count + 63) / 64;
        m->bits = run_grow(c, m->bits, &m->capacity, words, sizeof *m->bits);
        memset(m->bits, 0, words * sizeof *m->bits);
        m->game = c->run->game_serial;
    }
    m->bits[position >> 6] |= 1ULL << (position & 63);
}
