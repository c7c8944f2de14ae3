// Strings in persistent variables (language reference 7.4), which outlive the game.
#include "runtime/match/run_state.h"

#define KEPT_CAP ((size_t)256 << 20)

typedef struct KeptState {
    StringArena strings;
    size_t limit; // size at which it is compacted
} KeptState;

static void kept_init(Context *c)
{
    *c->run->kept = (KeptState){.strings.cap = run_memory_cap(c, KEPT_CAP), .limit = 65536};
}

static CqlString *copy_into(StringArena *arena, String s)
{
    CqlString *copy = string_arena_new(arena, s->length);
    if (copy)
        memcpy(copy->bytes, s->bytes, s->length);
    return copy;
}

// Copies the strings that are still in use into a fresh arena when the old one has grown too large.
static void kept_begin_game(Context *c)
{
    KeptState *s = c->run->kept;
    if (s->strings.used <= s->limit)
        return;
    StringArena fresh = {.cap = s->strings.cap};
    for (int32_t i = 0; i < c->query->persistent_count; i++) {
        const PersistentInfo *info = &c->query->persistent[i];
        Slot *slot = &c->slot[info->slot];
        if (info->type == 2 && slot->t && slot->t->length > 0)
            slot->t = memory_checked(copy_into(&fresh, slot->t));
    }
    string_arena_free(&s->strings);
    *s = (KeptState){fresh, 2 * fresh.used + 65536};
}

static void kept_release(Context *c)
{
    string_arena_free(&c->run->kept->strings);
}

const Subject kept_subject = {
    .size = sizeof(KeptState), .init = kept_init, .begin_game = kept_begin_game, .release = kept_release};

String rt_keep(Context *c, String s)
{
    s = string_or_empty(s);
    if (s->length == 0)
        return &string_empty;
    String copy = copy_into(&c->run->kept->strings, s);
    if (!copy)
        run_raise_memory(c);
    return copy;
}
