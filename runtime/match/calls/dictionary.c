// Dictionaries as matchers see them (language reference 7.13).
#include "runtime/value/dictionary.h"

#include "runtime/match/run_state.h"
#include "runtime/match/set_text.h"

typedef struct DictionaryState {
    Dictionary *dictionary; // by number
    DeferredStrings deferred;
    DictKey key;         // the key register
    DictKey last_string; // the last key of this game that is a string; strings do not change
} DictionaryState;

static Dictionary *dictionary_of(const Context *c, int32_t d)
{
    return &c->run->dictionary->dictionary[d];
}

static void dictionary_init(Context *c)
{
    const int32_t count = c->query->dictionary_count;
    c->run->dictionary->dictionary = run_zeroed(c, count, sizeof(Dictionary));
    for (int32_t i = 0; i < count; i++) {
        const DictionaryInfo *info = &c->query->dictionary[i];
        Dictionary *d = dictionary_of(c, i);
        d->key_type = info->key_type;
        d->value_type = info->value_type;
        d->borrows = info->local; // all strings last until the end of the game
    }
}

static void dictionary_begin_game(Context *c)
{
    for (int32_t i = 0; i < c->query->dictionary_count; i++)
        if (c->query->dictionary[i].local)
            dict_clear(dictionary_of(c, i), NULL);
    deferred_strings_empty(&c->run->dictionary->deferred);
    c->run->dictionary->last_string = (DictKey){0};
}

static void dictionary_release(Context *c)
{
    for (int32_t i = 0; i < c->query->dictionary_count; i++)
        dict_free(dictionary_of(c, i));
    deferred_strings_free(&c->run->dictionary->deferred);
}

const Subject dictionary_subject = {.size = sizeof(DictionaryState),
                                    .init = dictionary_init,
                                    .begin_game = dictionary_begin_game,
                                    .release = dictionary_release};

int32_t rt_dict_size(Context *c, int32_t d)
{
    return dictionary_of(c, d)->size;
}

void rt_dict_clear(Context *c, int32_t d)
{
    run_take_steps(c, (size_t)dictionary_of(c, d)->size);
    dict_clear(dictionary_of(c, d), &c->run->dictionary->deferred);
}

// ---- the key register -------------------------------------------------------------------------------------

void rt_dict_key_int(Context *c, int32_t key)
{
    c->run->dictionary->key = dict_key_int(key);
}

void rt_dict_key_set(Context *c, Bitboard key)
{
    c->run->dictionary->key = dict_key_set(key);
}

void rt_dict_key_string(Context *c, String key)
{
    DictionaryState *s = c->run->dictionary;
    key = string_or_empty(key);
    if (s->last_string.slot.t != key) {
        run_take_bytes(c, key->length);
        s->last_string = dict_key_string(key);
    }
    s->key = s->last_string;
}

// ---- steps ----------------------------------------------------------------------------------------------

// Takes steps for comparing or copying a value that is a string.
static void take_slot(Context *c, int32_t type, Slot slot)
{
    if (type == DICT_STRING && slot.t)
        run_take_bytes(c, slot.t->length);
}

// Takes steps for the way to a key in the order of keys, and for making this order.
static void take_order(Context *c, const Dictionary *d, const Slot *key)
{
    const size_t levels = 32 - (size_t)__builtin_clz((unsigned)d->size | 1);
    run_take_steps(c, levels);
    if (!d->ordered)
        run_take_steps(c, levels * ((size_t)d->size + d->bytes / BYTES_PER_STEP));
    if (key && d->key_type == DICT_STRING)
        run_take_bytes(c, levels * key->t->length);
}

// ---- access -----------------------------------------------------------------------------------------------

static const DictEntry *entry(Context *c, int32_t d)
{
    const Dictionary *dictionary = dictionary_of(c, d);
    take_slot(c, dictionary->key_type, c->run->dictionary->key.slot);
    return dict_find(dictionary, c->run->dictionary->key);
}

int32_t rt_dict_has(Context *c, int32_t d)
{
    return entry(c, d) != NULL;
}

int32_t rt_dict_get_int(Context *c, int32_t d, int32_t *value)
{
    const DictEntry *e = entry(c, d);
    if (e)
        *value = e->value.i;
    return e != NULL;
}

int32_t rt_dict_get_set(Context *c, int32_t d, Bitboard *value)
{
    const DictEntry *e = entry(c, d);
    if (e)
        *value = e->value.s;
    return e != NULL;
}

int32_t rt_dict_get_string(Context *c, int32_t d, String *value)
{
    const DictEntry *e = entry(c, d);
    if (e)
        *value = e->value.t;
    return e != NULL;
}

// What all dictionaries take, and the strings that were removed in this game.
static size_t dictionary_bytes(const Context *c)
{
    const DictionaryState *s = c->run->dictionary;
    size_t sum = s->deferred.bytes;
    for (int32_t i = 0; i < c->query->dictionary_count; i++)
        sum += s->dictionary[i].bytes;
    return sum;
}

static void put(Context *c, int32_t d, Slot value)
{
    DictionaryState *s = c->run->dictionary;
    if (dictionary_bytes(c) > c->run->options.memory)
        run_raise_memory(c);
    take_slot(c, s->dictionary[d].key_type, s->key.slot);
    take_slot(c, s->dictionary[d].value_type, value);
    dict_put(&s->dictionary[d], s->key, value, &s->deferred);
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
    put(c, d, (Slot){.t = string_or_empty(value)});
}

void rt_dict_remove(Context *c, int32_t d)
{
    Dictionary *dictionary = dictionary_of(c, d);
    const DictKey key = c->run->dictionary->key;
    if (dictionary->ordered)
        take_order(c, dictionary, &key.slot);
    take_slot(c, dictionary->key_type, key.slot);
    dict_remove(dictionary, key, &c->run->dictionary->deferred);
}

// ---- iteration --------------------------------------------------------------------------------------------

// The entry after `key`, or the first one.
static DictEntry *next_entry(Context *c, int32_t d, int32_t first, Slot key)
{
    Dictionary *dictionary = dictionary_of(c, d);
    take_order(c, dictionary, first ? NULL : &key);
    return dict_above(dictionary, first ? NULL : &key);
}

int32_t rt_dict_next_int(Context *c, int32_t d, int32_t first, int32_t *key)
{
    const DictEntry *e = next_entry(c, d, first, (Slot){.i = first ? 0 : *key});
    if (e)
        *key = e->key.i;
    return e != NULL;
}

int32_t rt_dict_next_set(Context *c, int32_t d, int32_t first, Bitboard *key)
{
    const DictEntry *e = next_entry(c, d, first, (Slot){.s = first ? 0 : *key});
    if (e)
        *key = e->key.s;
    return e != NULL;
}

int32_t rt_dict_next_string(Context *c, int32_t d, int32_t first, String *key)
{
    const DictEntry *e = next_entry(c, d, first, (Slot){.t = first ? NULL : string_or_empty(*key)});
    if (e)
        *key = e->key.t;
    return e != NULL;
}

// ---- conversion to text (7.12) ----------------------------------------------------------------------------

static void append_slot(Context *c, Buffer *b, int32_t type, Slot slot)
{
    char text[SET_TEXT_MAX];
    String name;
    switch (type) {
    case DICT_INT:
        buffer_format(b, "%d", (int)slot.i);
        break;
    case DICT_SET:
        buffer_append(b, text, (size_t)set_text(slot.s, text));
        break;
    case DICT_STRING:
        buffer_append(b, slot.t->bytes, slot.t->length);
        break;
    default:
        name = rt_text_position(c, slot.i);
        buffer_append(b, name->bytes, name->length);
    }
}

String rt_text_dictionary(Context *c, int32_t dictionary)
{
    Dictionary *d = dictionary_of(c, dictionary);
    Buffer *b = run_scratch(c);
    buffer_format(b, "Dictionary %s with %d entries: \n", c->query->dictionary[dictionary].name,
                  (int)d->size);
    for (DictEntry *e = next_entry(c, dictionary, 1, (Slot){0}); e;
         e = next_entry(c, dictionary, 0, e->key)) {
        append_slot(c, b, d->key_type, e->key);
        buffer_text(b, ": ");
        append_slot(c, b, d->value_type, e->value);
        buffer_text(b, "\n");
    }
    return run_scratch_string(c);
}

void dictionaries_print(Context *c, FILE *out)
{
    for (int32_t i = 0; i < c->query->dictionary_count; i++) {
        const DictionaryInfo *info = &c->query->dictionary[i];
        Dictionary *d = dictionary_of(c, i);
        for (DictEntry *e = info->local ? NULL : dict_above(d, NULL); e; e = dict_above(d, &e->key)) {
            Buffer *b = run_scratch(c);
            buffer_format(b, "%s[", info->name);
            append_slot(c, b, d->key_type, e->key);
            buffer_text(b, "] = ");
            append_slot(c, b, d->value_type == DICT_POSITION ? DICT_INT : d->value_type, e->value);
            buffer_text(b, "\n");
            fwrite(b->start, 1, b->length, out);
        }
    }
}
