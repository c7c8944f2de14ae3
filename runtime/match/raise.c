// Errors of a game, and the budget of steps.
#include <stdarg.h>
#include <stdio.h>

#include "run_state.h"

enum { STEPS_AT_ONCE = 65536 }; // between two looks at RunOptions.stopped

void run_raise(Context *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->run->error, sizeof c->run->error, format, arguments);
    va_end(arguments);
    longjmp(*c->run->escape, 1);
}

void run_raise_memory(Context *c)
{
    run_raise(c, "the query needs too much memory for this game (the limit is %zu MB of texts)",
              c->run->options.memory >> 20);
}

size_t run_memory_cap(const Context *c, size_t most)
{
    return most < c->run->options.memory ? most : c->run->options.memory;
}

// ---- steps ------------------------------------------------------------------------------------------------

void run_give_steps(Context *c)
{
    struct RunState *run = c->run;
    const int64_t steps = run->steps_left < STEPS_AT_ONCE ? run->steps_left : STEPS_AT_ONCE;
    c->steps += steps;
    run->steps_left -= steps;
}

void run_pause(Context *c)
{
    struct RunState *run = c->run;
    if (!run->options.stopped || !run->options.stopped(run->options.user))
        return;
    run->stopped = true;
    run_raise(c, "the search was stopped");
}

// Context.steps is used up: refills it from the budget of the game.
static void refill_steps(Context *c)
{
    run_pause(c);
    c->run->exhausted = c->run->steps_left <= 0;
    if (c->run->exhausted)
        run_raise(c, "the query needs too many steps for this game");
    run_give_steps(c);
}

int64_t run_steps_left(const Context *c)
{
    const int64_t left = c->steps + c->run->steps_left;
    return left > 0 ? left : 1;
}

void run_take_steps(Context *c, size_t count)
{
    c->steps -= (int64_t)count;
    while (c->steps <= 0)
        refill_steps(c);
}

// ---- errors that matchers raise ---------------------------------------------------------------------------

// `detail` after `message`, when there is one.
static _Noreturn void raise_detail(Context *c, const char *message, const char *detail)
{
    run_raise(c, "%s%s%s", message, *detail ? ": " : "", detail);
}

void rt_raise(Context *c, int32_t code, String detail)
{
    const char *text = string_or_empty(detail)->bytes;
    switch (code) {
    case RAISE_UNBOUND:
        run_raise(c, "the variable %s has no value", text);
    case RAISE_BOUND:
        run_raise(c, "the loop variable %s already has a value", text);
    case RAISE_STEPS:
        refill_steps(c);
        return;
    case RAISE_RANGE:
        raise_detail(c, "a direction range must be within -7 to 7, lower bound first", text);
    case RAISE_GROUP:
        raise_detail(c, "a group of a regular expression was used without a match", text);
    case RAISE_ASSERT:
        raise_detail(c, "assert failed", text);
    case RAISE_ABORT:
        raise_detail(c, "cql_abort was evaluated", text);
    case RAISE_FILE:
        run_raise(c, "%s", *text ? text : "a file could not be used");
    case RAISE_MEMORY:
        run_raise_memory(c);
    default:
        run_raise(c, "%s", *text ? text : "the query cannot be evaluated");
    }
}
