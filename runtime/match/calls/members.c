// The positions of a game at which remembered conditions are true: two bits for each position and condition.
//
// Positions are numbered in preorder, so a subtree is an interval, and a line without a branch on the way is too:
// searches forwards and backwards go over words of bits.
#include "runtime/match/imaginary.h"

// Bit k of word w of a condition belongs to position 64 * w + k.
typedef struct Members {
    uint64_t known, members;
} Members;

// What is known of a condition in this game.
typedef struct Condition {
    Members *word;
    int32_t gap, gap_end; // no position from `gap` up to this one, exclusive, is a member
    int32_t *before;      // by word: members of the words before it, which are known entirely
    int32_t counted;      // as far as `before` is made
} Condition;

typedef struct MembersState {
    Condition *condition; // by number
    Members *word;        // by condition and word
    int32_t *before;      // the same
    int32_t *line;        // by position: the first one of its run of first children, made when asked for
    size_t condition_capacity, word_capacity, before_capacity, line_capacity;
    uint64_t game, line_game; // RunState.game_serial of the conditions and of `line`
} MembersState;

const Subject members_subject = {.size = sizeof(MembersState)};

static int32_t word_count(const Context *c)
{
    return (c->game->count + 63) / 64;
}

// Forgets everything of earlier games.
static void begin(Context *c)
{
    MembersState *s = c->run->members;
    const size_t words = (size_t)word_count(c), count = (size_t)c->query->remembered_count;
    s->condition = run_grow(c, s->condition, &s->condition_capacity, count, sizeof *s->condition);
    s->word = run_grow(c, s->word, &s->word_capacity, count * words, sizeof *s->word);
    memset(s->word, 0, count * words * sizeof *s->word);
    s->before = run_grow(c, s->before, &s->before_capacity, count * words, sizeof *s->before);
    for (size_t i = 0; i < count; i++) {
        s->condition[i] =
            (Condition){.word = s->word + i * words, .before = s->before + i * words, .counted = 1};
        s->condition[i].before[0] = 0;
    }
    s->game = c->run->game_serial;
}

static inline Condition *condition_of(Context *c, int32_t condition)
{
    if (c->run->members->game != c->run->game_serial)
        begin(c);
    return &c->run->members->condition[condition];
}

static bool is_true_at(Context *c, int32_t condition, int32_t n)
{
    run_take_step(c);
    return c->query->remembered(c, condition, n) != 0;
}

// Evaluates the condition at a position of the game where it is not known.
static bool learn(Context *c, int32_t condition, int32_t n)
{
    const bool is_true = is_true_at(c, condition, n);
    Condition *k = condition_of(c, condition);
    const uint64_t bit = 1ULL << (n & 63);
    k->word[n >> 6].known |= bit;
    k->word[n >> 6].members |= is_true ? bit : 0;
    return is_true;
}

static bool is_member(Context *c, int32_t condition, int32_t n)
{
    // The numbers of imaginary positions are used again for others.
    if (n >= c->game->count)
        return is_true_at(c, condition, n);
    const Members *w = &condition_of(c, condition)->word[n >> 6];
    return w->known >> (n & 63) & 1 ? w->members >> (n & 63) & 1 : learn(c, condition, n);
}

int32_t rt_member(Context *c, int32_t n, int32_t condition)
{
    return is_member(c, condition, n);
}

// Evaluates the condition at `n` and the positions after it up to `last` that are not known, of one word, until it is true.
// The first position that was not evaluated or, *found, where it is true.
static int32_t learn_on(Context *c, int32_t condition, int32_t n, int32_t last, bool *found)
{
    const int32_t word = n >> 6;
    const uint64_t known = condition_of(c, condition)->word[word].known;
    uint64_t learnt = 0;
    last = last < (n | 63) ? last : n | 63;
    do {
        *found = is_true_at(c, condition, n);
        learnt |= 1ULL << (n & 63);
    } while (!*found && ++n <= last && !(known >> (n & 63) & 1));
    Members *w = &condition_of(c, condition)->word[word];
    w->known |= learnt;
    w->members |= *found ? 1ULL << (n & 63) : 0;
    return n;
}

// The first member from `first` to `last`, positions of the game; -1: none.
static int32_t next_of_game(Context *c, int32_t condition, int32_t first, int32_t last)
{
    Condition *k = condition_of(c, condition);
    const bool in_gap = k->gap <= first && first < k->gap_end;
    const int32_t begin = in_gap ? k->gap : first;
    int32_t n = in_gap ? k->gap_end : first;
    bool found = false;
    while (n <= last && !found) {
        const Members *w = &k->word[n >> 6];
        const uint64_t candidates = (w->members | ~w->known) >> (n & 63);
        if (!candidates) {
            n = (n | 63) + 1;
            continue;
        }
        n += bb_first(candidates);
        if (n > last)
            break;
        found = w->known >> (n & 63) & 1;
        n = found ? n : learn_on(c, condition, n, last, &found);
        k = condition_of(c, condition);
    }
    k->gap = begin;
    k->gap_end = n;
    return found ? n : -1;
}

int32_t rt_next_member(Context *c, int32_t condition, int32_t first, int32_t last)
{
    const int32_t count = c->game->count, last_of_game = last < count ? last : count - 1;
    int32_t found = -1;
    if (first <= last_of_game) {
        found = next_of_game(c, condition, first, last_of_game);
        first = last_of_game + 1;
    }
    for (; found < 0 && first <= last; first++)
        if (is_true_at(c, condition, first))
            found = first;
    return found;
}

// Are the members before the word counted, or can they be?
static bool is_counted(Condition *k, int32_t word)
{
    for (; k->counted <= word && k->word[k->counted - 1].known == ~0ULL; k->counted++)
        k->before[k->counted] = k->before[k->counted - 1] + bb_count(k->word[k->counted - 1].members);
    return word < k->counted;
}

// How many members are before position n.
static int32_t count_before(const Condition *k, int32_t n)
{
    const uint64_t earlier = (1ULL << (n & 63)) - 1;
    return k->before[n >> 6] + bb_count(k->word[n >> 6].members & earlier);
}

static int32_t count_of_game(Context *c, int32_t condition, int32_t first, int32_t last)
{
    Condition *k = condition_of(c, condition);
    int32_t count = 0;
    while (last >= first) {
        const int32_t start = first > (last & ~63) ? first : last & ~63;
        const uint64_t wanted = ~0ULL << (start & 63) & ~0ULL >> (63 - (last & 63));
        for (uint64_t rest = wanted & ~k->word[last >> 6].known; rest; rest &= rest - 1)
            learn(c, condition, (last & ~63) + bb_first(rest));
        count += bb_count(k->word[last >> 6].members & wanted);
        last = start - 1;
        if (last >= first && is_counted(k, start >> 6))
            return count + count_before(k, start) - count_before(k, first);
    }
    return count;
}

int32_t rt_count_members(Context *c, int32_t condition, int32_t first, int32_t last)
{
    const int32_t end = c->game->count - 1;
    int32_t count = count_of_game(c, condition, first, last < end ? last : end);
    for (first = first > end ? first : end + 1; first <= last; first++)
        count += is_true_at(c, condition, first);
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
    Condition *k = condition_of(c, condition);
    const int32_t start = from;
    while (from >= first) {
        if (k->gap <= from && from < k->gap_end) {
            from = k->gap - 1;
            continue;
        }
        const Members *w = &k->word[from >> 6];
        const uint64_t candidates = (w->members | ~w->known) << (63 - (from & 63));
        if (!candidates) {
            from = (from & ~63) - 1;
            continue;
        }
        from -= __builtin_clzll(candidates);
        if (from >= first && is_member(c, condition, from))
            break;
    }
    k->gap = from + 1;
    k->gap_end = start + 1;
    return from >= first ? from : -1;
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
