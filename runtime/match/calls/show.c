// What a query finds at matching positions, for diagrams.
#include <assert.h>

#include "runtime/match/run_state.h"

enum { SHOW_STEPS = 1000000 }; // budget of one game

typedef struct ShowState {
    int64_t steps; // left in this game
    Slot *slots;   // the query's slots as they were before QueryInfo.show was called
    FoundSquares *squares;
    int32_t squares_count;
    size_t squares_capacity;
    FoundMove *moves;
    int32_t moves_count;
    size_t moves_capacity;
} ShowState;

static void show_init(Context *c)
{
    c->run->show->slots = run_zeroed(c, c->query->slot_count, sizeof *c->slot);
}

static void show_begin_game(Context *c)
{
    ShowState *s = c->run->show;
    const int64_t steps = c->steps + c->run->steps_left;
    s->steps = steps < SHOW_STEPS ? steps : SHOW_STEPS;
    s->squares_count = s->moves_count = 0;
}

static void show_result(Context *c, RunResult *result)
{
    const ShowState *s = c->run->show;
    result->squares = s->squares;
    result->squares_count = s->squares_count;
    result->moves = s->moves;
    result->moves_count = s->moves_count;
}

const Subject show_subject = {
    .size = sizeof(ShowState), .init = show_init, .begin_game = show_begin_game, .result = show_result};

// Showing is not part of the evaluation, and may try alternatives that the body has skipped. It leaves no trace,
// and its errors do not abandon the game.
void rt_show(Context *c)
{
    struct RunState *run = c->run;
    ShowState *s = c->run->show;
    const size_t size = (size_t)c->query->slot_count * sizeof *c->slot;
    const int64_t steps = c->steps, steps_left = run->steps_left;
    jmp_buf *const outer = run->escape;
    jmp_buf escape;
    if (run->options.first && c->hit_count > 1)
        return;
    if (size > 0)
        memcpy(s->slots, c->slot, size);
    log_hits(c);
    const int32_t texts = run->log.list.count;
    c->steps = 0;
    run->steps_left = s->steps;
    run_give_steps(c);
    run->escape = &escape;
    if (!setjmp(escape))
        c->query->show(c, c->at, c->position[c->at], c->depth);
    run->escape = outer;
    run->log.list.count = texts;
    if (run->stopped)
        longjmp(*outer, 1);
    s->steps = run->steps_left + (c->steps > 0 ? c->steps : 0);
    c->steps = steps;
    run->steps_left = steps_left;
    if (size > 0)
        memcpy(c->slot, s->slots, size);
    run->exhausted = false;
}

void rt_show_squares(Context *c, int32_t n, Bitboard squares)
{
    ShowState *s = c->run->show;
    if (squares == 0)
        return;
    FoundSquares *last = s->squares_count > 0 ? &s->squares[s->squares_count - 1] : NULL;
    if (last && last->position == n) {
        last->squares |= squares;
        return;
    }
    s->squares =
        run_grow(c, s->squares, &s->squares_capacity, (size_t)s->squares_count + 1, sizeof *s->squares);
    s->squares[s->squares_count++] = (FoundSquares){n, squares};
}

void rt_show_move(Context *c, int32_t move)
{
    ShowState *s = c->run->show;
    assert(move < c->game->count); // what is about moves that are tried out is not shown
    s->moves = run_grow(c, s->moves, &s->moves_capacity, (size_t)s->moves_count + 1, sizeof *s->moves);
    s->moves[s->moves_count++] = (FoundMove){c->at, move};
}

void rt_show_line(Context *c, int32_t n, int32_t last)
{
    const int32_t from = n < last ? n : last;
    int32_t to = n < last ? last : n;
    const int32_t first = c->run->show->moves_count;
    for (; to > from; to = c->node[to].parent)
        rt_show_move(c, to);
    FoundMove *moves = c->run->show->moves;
    for (int32_t i = first, k = c->run->show->moves_count - 1; i < k; i++, k--) { // in the order of the game
        const FoundMove later = moves[i];
        moves[i] = moves[k];
        moves[k] = later;
    }
}
