// The screen of a module: the few conditions that rule out most games.
#include <string.h>

#include "internal.h"

enum { MOST_CONDITIONS = 4, MOST_NODES = 12000, MOST_VISITS = 20000, MOST_WORK = 2000000 };

// Adds the condition for each place. False when it rules out nothing, or is too large.
static bool add_condition(Screen *s, const Ir *condition, bool is_exact)
{
    Ir *at[SCREEN_PLACES];
    int size = 0;
    if (ir_noted_size(condition) > 2 * MOST_NODES) // places leave out some of it
        return false;
    for (int place = 0; place < SCREEN_PLACES; place++) {
        at[place] = place_condition(condition, (ScreenPlace)place);
        if (at[place] == NULL || (!is_exact && at[place]->op == IR_TRUE))
            return false;
        size += ir_size(at[place], MOST_NODES);
    }
    if (size > MOST_NODES || s->count == MOST_CONDITIONS)
        return false;
    memcpy(s->condition[s->count++], at, sizeof at);
    return true;
}

static Frame new_frame(Search *s)
{
    const IrFunction *f = s->m->function[0];
    return (Frame){.search = s,
                   .f = f,
                   .local = meanings_new(f->local_count),
                   .slot = meanings_new(s->m->info.slot_count),
                   .at = HERE};
}

// A query whose result depends on games that do not match, or that matches without a matching position.
static bool needs_all_games(const QueryInfo *q)
{
    return (q->flags & (QUERY_SEQUENTIAL | QUERY_SIMILAR_PLAIN)) || q->similar_file != NULL ||
           ((q->flags & QUERY_HAS_MATCHCOUNT) && q->matchcount_low < 1) || q->persistent_slots > 0;
}

void screen_module(Module *m)
{
    if (needs_all_games(&m->info))
        return;
    ir_forget_notes(m);
    Arena *a = m->arena;
    Search search = {.m = m,
                     .arena = a,
                     .left = MOST_VISITS,
                     .work = MOST_WORK,
                     .open = arena_alloc(a, (size_t)m->function_count),
                     .recursive = arena_alloc(a, (size_t)m->function_count),
                     .asked = arena_alloc(a, sizeof(int) * (size_t)m->function_count),
                     .visited = need_new_visited(a, m->function_count),
                     .range = {.arena = a},
                     .writers = {.arena = a},
                     .bounds = {.arena = a}};
    const Ir *body = m->function[0]->body;
    Screen *s = arena_alloc(a, sizeof *s);
    s->condition = arena_alloc(a, sizeof *s->condition * MOST_CONDITIONS);
    search.open[0] = true;
    Frame f = new_frame(&search);
    Ir *exact = translate(&f, body);
    s->is_exact = exact != NULL && add_condition(s, exact, true);
    if (!s->is_exact) {
        f = new_frame(&search);
        Ir **condition;
        const int count = need_conditions(&f, body, &condition);
        for (int i = 0; i < count; i++)
            add_condition(s, condition[i], false);
    }
    if (s->count > 0)
        m->screen = s;
    if (s->is_exact)
        m->info.flags |= QUERY_EXACT_SCREEN;
}
