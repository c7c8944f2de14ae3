// The values of the keys of groups at matching positions, and the positions that groups count besides.
#include "runtime/match/run_state.h"

typedef struct KeysState {
    KeyValue *value;
    int32_t count;
    size_t capacity;
    int32_t *among;
    int32_t among_count;
    size_t among_capacity;
} KeysState;

static void keys_begin_game(Context *c)
{
    c->run->keys->count = c->run->keys->among_count = 0;
}

static void keys_result(Context *c, RunResult *result)
{
    const KeysState *s = c->run->keys;
    result->value = s->value;
    result->value_count = s->count;
    result->among = s->among;
    result->among_count = s->among_count;
}

const Subject keys_subject = {
    .size = sizeof(KeysState), .begin_game = keys_begin_game, .result = keys_result};

int32_t rt_first_match(Context *c)
{
    return c->hit_count == 0;
}

static KeyValue *add_value(Context *c, int32_t key, int32_t kind)
{
    KeysState *s = c->run->keys;
    s->value = run_grow(c, s->value, &s->capacity, (size_t)s->count + 1, sizeof *s->value);
    KeyValue *v = &s->value[s->count++];
    *v = (KeyValue){.position = c->at, .key = key, .kind = kind};
    return v;
}

void rt_key_number(Context *c, int32_t key, int32_t value)
{
    add_value(c, key, KEY_NUMBER)->number = value;
}

void rt_key_set(Context *c, int32_t key, Bitboard value, int32_t men)
{
    add_value(c, key, men ? KEY_MEN : KEY_SQUARES)->squares = value;
}

void rt_key_string(Context *c, int32_t key, String value)
{
    add_value(c, key, KEY_STRING)->text = string_or_empty(value);
}

void rt_count_among(Context *c)
{
    KeysState *s = c->run->keys;
    s->among = run_grow(c, s->among, &s->among_capacity, (size_t)s->among_count + 1, sizeof *s->among);
    s->among[s->among_count++] = c->at;
}
