// What calling the functions of a module leads to: effects outside the game, and recursion.
#include "internal.h"

static bool reaches_outside(Search *s, const Ir *tree)
{
    if (--s->work < 0)
        return true;
    if (tree->op == IR_RAISE || (ir_is_call_that(tree, EFFECT) && !ir_is_call_that(tree, HIDDEN)) ||
        (tree->op == IR_INVOKE && s->outside[tree->number]))
        return true;
    for (int i = 0; i < tree->kid_count; i++)
        if (reaches_outside(s, tree->kid[i]))
            return true;
    return false;
}

bool reach_is_seen_outside(Search *s, const Ir *tree)
{
    return s->any_outside && reaches_outside(s, tree);
}

void reach_find_outside(Search *s)
{
    s->outside = arena_alloc(s->arena, (size_t)s->m->function_count);
    for (bool changes = true; changes;) {
        changes = false;
        for (int i = 0; i < s->m->function_count; i++)
            if (!s->outside[i] && reaches_outside(s, s->m->function[i]->body))
                changes = s->outside[i] = s->any_outside = true;
    }
}

void reach_enter(Search *s)
{
    enum { MOST_CALLS = 1000 };
    if (++s->depth > MOST_CALLS)
        s->work = -1;
}

// Does the tree call the function, directly or by another one that has not been entered? skips_open: nor is being visited.
static bool calls(Search *s, const Ir *tree, int function, bool skips_open)
{
    if (--s->work < 0)
        return true;
    for (int i = 0; i < tree->kid_count; i++)
        if (calls(s, tree->kid[i], function, skips_open))
            return true;
    if (tree->op != IR_INVOKE)
        return false;
    if (tree->number == function)
        return true;
    if (s->asked[tree->number] == s->question || (skips_open && s->open[tree->number]))
        return false;
    s->asked[tree->number] = s->question;
    reach_enter(s);
    const bool result = calls(s, s->m->function[tree->number]->body, function, skips_open);
    s->depth--;
    return result;
}

// Does the tree look for a result that an earlier call has kept?
static bool remembers(Search *s, const Ir *tree)
{
    if (--s->work < 0)
        return true;
    for (int i = 0; i < tree->kid_count; i++)
        if (remembers(s, tree->kid[i]))
            return true;
    return tree->op == IR_CALL && tree->number == IR_CALL_memo_find;
}

// Does the function call itself, or remember earlier calls? Calls by way of functions that are being visited may not count.
static bool finds_earlier_calls(Search *s, int function, bool skips_open)
{
    const Ir *body = s->m->function[function]->body;
    s->question++;
    return remembers(s, body) || calls(s, body, function, skips_open);
}

bool reach_is_recursive(Search *s, int function)
{
    enum { UNKNOWN, NO, YES };
    unsigned char *ever = &s->recursive[function]; // whatever is being visited
    if (*ever == UNKNOWN)
        *ever = finds_earlier_calls(s, function, false) ? YES : NO;
    return *ever == YES && finds_earlier_calls(s, function, true);
}
