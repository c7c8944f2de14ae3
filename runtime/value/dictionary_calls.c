// Dictionaries as the matcher sees them (language reference 7.13).
#include "runtime/match/run_state.h"

// Memory of one dictionary, and of the strings that were removed in one game.
#define DICTIONARY_CAP ((size_t)1 << 30)

void dictionaries_begin_game(Context *c)
{
    struct RunState *run = c->run;
    for (int32_t i = 0; i < c->query->dictionary_count; i++)
        if (c->query->dictionary[i].local && run->dictionary[i].root)
            dict_clear(&run->dictionary[i], NULL);
    graveyard_empty(&run->graveyard);
}

void dictionaries_free(struct RunState *run, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        dict_clear(&run->dictionary[i], NULL);
    graveyard_free(&run->graveyard);
}

int32_t rt_dict_size(Context *c, int32_t d)
{
    return c->run->dictionary[d].size;
}

void rt_dict_clear(Context *c, int32_t d)
{
    dict_clear(&c->run->dictionary[d], &c->run->graveyard);
}

// ---- the key register ------------------------------------------------------------------------------------

void rt_dict_key_int(Context *c, int32_t key)
{
    c->run->key.i = key;
}

void rt_dict_key_set(Context *c, Bitboard key)
{
    c->run->key.s = key;
}

void rt_dict_key_string(Context *c, String key)
{
    c->run->key.t = run_text(key);
}

// ---- access ----------------------------------------------------------------------------------------------

static const DictEntry *entry(const Context *c, int32_t d)
{
    return dict_find(&c->run->dictionary[d], c->run->key);
}

int32_t rt_dict_has(Context *c, int32_t d)
{
    return entry(c, d) != NULL;
}

int32_t rt_dict_get_int(Context *c, int32_t d, int32_t *value)
{
    const DictEntry *e = entry(c, d);
    if (!e)
        return 0;
    *value = e->value.i;
    return 1;
}

int32_t rt_dict_get_set(Context *c, int32_t d, Bitboard *value)
{
    const DictEntry *e = entry(c, d);
    if (!e)
        return 0;
    *value = e->value.s;
    return 1;
}

int32_t rt_dict_get_string(Context *c, int32_t d, String *value)
{
    const DictEntry *e = entry(c, d);
    if (!e)
        return 0;
    *value = e->value.t;
    return 1;
}

static void put(Context *c, int32_t d, Slot value)
{
    Dictionary *dictionary = &c->run->dictionary[d];
    Graveyard *graveyard = &c->run->graveyard;
    if (dictionary->bytes > DICTIONARY_CAP || graveyard->bytes > DICTIONARY_CAP ||
        !dict_put(dictionary, c->run->key, value, graveyard))
        rt_raise(c, RAISE_MEMORY, NULL);
}

void rt_dict_put_int(Context *c, int32_t d, int32_t value)
{
    put(c, d, (Slot){.i = value});
}

void rt_dict_put_set(Context *c, int32_t d, Bitboard value)
{
    put(c, d, (Slot){.s = value});
}

void rt_dict_put_string(Context *c, int32_t d, String value)
{
    put(c, d, (Slot){.t = run_text(value)});
}

void rt_dict_remove(Context *c, int32_t d)
{
    dict_remove(&c->run->dictionary[d], c->run->key, &c->run->graveyard);
}

// ---- iteration -------------------------------------------------------------------------------------------

static const DictEntry *next_entry(const Context *c, int32_t d, int32_t first, Slot key)
{
    return dict_above(&c->run->dictionary[d], first ? NULL : &key);
}

int32_t rt_dict_next_int(Context *c, int32_t d, int32_t first, int32_t *key)
{
    const DictEntry *e = next_entry(c, d, first, (Slot){.i = first ? 0 : *key});
    if (!e)
        return 0;
    *key = e->key.i;
    return 1;
}

int32_t rt_dict_next_set(Context *c, int32_t d, int32_t first, Bitboard *key)
{
    const DictEntry *e = next_entry(c, d, first, (Slot){.s = first ? 0 : *key});
    if (!e)
        return 0;
    *key = e->key.s;
    return 1;
}

int32_t rt_dict_next_string(Context *c, int32_t d, int32_t first, String *key)
{
    const DictEntry *e = next_entry(c, d, first, (Slot){.t = first ? NULL : run_text(*key)});
    if (!e)
        return 0;
    *key = e->key.t;
    return 1;
}
