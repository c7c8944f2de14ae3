// The positions of a game at which remembered conditions are true: two bits for each position and condition.
//
// Positions are numbered in preorder, so a subtree is an interval, and a line without a branch on the way is too:
// searches forwards and backwards go over words of bits.
#include "runtime/match/imaginary.h"

// Bit k of word w of a condition belongs to position 64 * w + k.
typedef struct Members {
    uint64_t known, members;
} Members;

typedef struct MembersState {
    Members *word; // by condition and word
    size_t capacity;
    int32_t words; // of each condition
    uint64_t game; // RunState.game_serial of the words
    int32_t *line; // by position: the first one of its run of first children, made when asked for
    size_t line_capacity;
    uint64_t line_game;
} MembersState;

const Subject members_subject = {.size = sizeof(MembersState)};

static Members *words_of(Context *c, int32_t condition)
{
    MembersState *s = c->run->members;
    if (s->game != c->run->game_serial) {
        s->words = (c->game->count + 63) / 64;
        const size_t count = (size_t)s->words * (size_t)c->query->remembered_count;
        s->word = run_grow(c, s->word, &s->capacity, count, sizeof *s->word);
        memset(s->word, 0, count * sizeof *s->word);
        s->game = c->run->game_serial;
    }
    return &s->word[(size_t)condition * (size_t)s->words];
}

static bool is_true_at(Context *c, int32_t condition, int32_t n)
{
    run_take_step(c);
    return c->query->remembered(c, condition, n) != 0;
}

// Evaluates the condition at a position of the game where it is not known.
static bool learn(Context *c, int32_t condition, Members *w, int32_t n)
{
    const uint64_t bit = 1ULL << (n & 63);
    const bool is_true = is_true_at(c, condition, n);
    w->known |= bit;
    w->members |= is_true ? bit : 0;
    return is_true;
}

static bool is_member(Context *c, int32_t condition, int32_t n)
{
    // The numbers of imaginary positions are used again for others.
    if (n >= c->game->count)
        return is_true_at(c, condition, n);
    Members *w = &words_of(c, condition)[n >> 6];
    return w->known >> (n & 63) & 1 ? w->members >> (n & 63) & 1 : learn(c, condition, w, n);
}

int32_t rt_member(Context *c, int32_t n, int32_t condition)
{
    return is_member(c, condition, n);
}

int32_t rt_next_member(Context *c, int32_t condition, int32_t first, int32_t last)
{
    Members *word = words_of(c, condition);
    while (first <= last && first < c->game->count) {
        Members *w = &word[first >> 6];
        const uint64_t found = (w->members | ~w->known) >> (first & 63);
        if (!found) {
            first = (first | 63) + 1;
            continue;
        }
        first += bb_first(found);
        if (first > last || first >= c->game->count)
            break;
        if (w->known >> (first & 63) & 1 || learn(c, condition, w, first))
            return first;
        first++;
    }
    for (; first <= last && first >= c->game->count; first++)
        if (is_true_at(c, condition, first))
            return first;
    return -1;
}

int32_t rt_count_members(Context *c, int32_t condition, int32_t first, int32_t last)
{
    Members *word = words_of(c, condition);
    int32_t count = 0;
    while (first <= last) {
        if (first >= c->game->count) {
            count += is_true_at(c, condition, first++);
            continue;
        }
        Members *w = &word[first >> 6];
        int32_t end = last < c->game->count ? last : c->game->count - 1;
        end = end < (first | 63) ? end : first | 63;
        const uint64_t wanted = ~0ULL << (first & 63) & ~0ULL >> (63 - (end & 63));
        for (uint64_t rest = wanted & ~w->known; rest; rest &= rest - 1)
            learn(c, condition, w, (first & ~63) + bb_first(rest));
        count += bb_count(w->members & wanted);
        first = end + 1;
    }
    return count;
}

// ---- towards the root -------------------------------------------------------------------------------------

// The first position of the longest line that ends at a position and whose positions have consecutive numbers.
static int32_t line_start(Context *c, int32_t n)
{
    const Node *node = c->node;
    MembersState *s = c->run->members;
    if (node[n].ply == n) // nothing but this line is before it
        return 0;
    if (s->line_game != c->run->game_serial) {
        const int32_t count = c->game->count;
        s->line = run_grow(c, s->line, &s->line_capacity, (size_t)count, sizeof *s->line);
        s->line[0] = 0;
        for (int32_t i = 1; i < count; i++)
            s->line[i] = node[i].parent == i - 1 ? s->line[i - 1] : i;
        s->line_game = c->run->game_serial;
    }
    return s->line[n];
}

// The last member from `first` to `from`, in one line; -1: none.
static int32_t last_of_line(Context *c, int32_t condition, int32_t first, int32_t from)
{
    Members *word = words_of(c, condition);
    while (from >= first) {
        Members *w = &word[from >> 6];
        const uint64_t found = (w->members | ~w->known) << (63 - (from & 63));
        if (!found) {
            from = (from & ~63) - 1;
            continue;
        }
        from -= __builtin_clzll(found);
        if (from >= first && (w->known >> (from & 63) & 1 || learn(c, condition, w, from)))
            return from;
        from--;
    }
    return -1;
}

int32_t rt_last_member(Context *c, int32_t condition, int32_t from)
{
    // Nothing is before an imaginary position.
    if (from >= c->game->count)
        return is_true_at(c, condition, from) ? from : -1;
    while (from >= 0) {
        const int32_t first = line_start(c, from), found = last_of_line(c, condition, first, from);
        if (found >= 0)
            return found;
        from = c->node[first].parent;
    }
    return -1;
}

int32_t rt_count_members_before(Context *c, int32_t condition, int32_t from)
{
    if (from >= c->game->count)
        return is_true_at(c, condition, from);
    int32_t count = 0;
    while (from >= 0) {
        const int32_t first = line_start(c, from);
        count += rt_count_members(c, condition, first, from);
        from = c->node[first].parent;
    }
    return count;
}
