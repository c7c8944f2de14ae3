// Records of games as bytes. The length of what follows has 8 bytes; then come numbers of any length (bytes.h), and the texts.
#include "game_record.h"

#include <string.h>

#include "runtime/value/bytes.h"

enum { TEXTS = 6, MATCHES = 1, FAILED = 2, BEGINS_LINE = 4 };

static Buffer *text_at(GameRecord *r, int i)
{
    Buffer *const text[TEXTS] = {&r->output, &r->reports, &r->messages, &r->file, &r->keys, &r->totals};
    return text[i];
}

void game_record_begin(GameRecord *record, int64_t game)
{
    record->game = game;
    record->matches = record->failed = record->begins_line = false;
    record->damage = 0;
    for (int i = 0; i < TEXTS; i++)
        text_at(record, i)->length = 0;
}

void game_record_free(GameRecord *record)
{
    for (int i = 0; i < TEXTS; i++)
        buffer_free(text_at(record, i));
}

// ---- keys -------------------------------------------------------------------------------------------------

enum { HAS_KEY = 0, NO_KEY = 1 }; // games without a value come last

// Adds bytes to a key; the greatest one comes first unless is_min.
static void add_bytes(GameRecord *r, bool is_min, const char *bytes, size_t length)
{
    char *to = buffer_room(&r->keys, length);
    for (size_t i = 0; i < length; i++)
        to[i] = is_min ? bytes[i] : (char)~bytes[i];
    r->keys.length += length;
}

void game_record_add_no_key(GameRecord *r)
{
    bytes_put(&r->keys, NO_KEY, 1);
}

// The highest byte of a number comes first; negative numbers come before others.
void game_record_add_number(GameRecord *r, bool is_min, int32_t number)
{
    const uint32_t bits = (uint32_t)number ^ (uint32_t)INT32_MIN;
    const char bytes[] = {(char)(bits >> 24), (char)(bits >> 16), (char)(bits >> 8), (char)bits};
    bytes_put(&r->keys, HAS_KEY, 1);
    add_bytes(r, is_min, bytes, sizeof bytes);
}

// A text ends with two zeros; a zero in it is followed by a one.
void game_record_add_text(GameRecord *r, bool is_min, const char *text, size_t length)
{
    bytes_put(&r->keys, HAS_KEY, 1);
    for (const char *zero; length > 0 && (zero = memchr(text, 0, length));) {
        const size_t before = (size_t)(zero - text);
        add_bytes(r, is_min, text, before);
        add_bytes(r, is_min, "\0\1", 2);
        text = zero + 1;
        length -= before + 1;
    }
    add_bytes(r, is_min, text, length);
    add_bytes(r, is_min, "\0\0", 2);
}

// ---- bytes ------------------------------------------------------------------------------------------------

void game_record_put(Buffer *out, const GameRecord *record)
{
    const size_t start = out->length;
    GameRecord r = *record;
    bytes_put(out, 0, GAME_RECORD_HEAD);
    varint_put(out, (uint64_t)r.game);
    varint_put(out, (r.matches ? MATCHES : 0) | (r.failed ? FAILED : 0) | (r.begins_line ? BEGINS_LINE : 0));
    varint_put(out, r.damage);
    for (int i = 0; i < TEXTS; i++)
        varint_put(out, text_at(&r, i)->length);
    for (int i = 0; i < TEXTS; i++)
        buffer_append(out, text_at(&r, i)->start, text_at(&r, i)->length);
    bytes_write(out->start + start, out->length - start - GAME_RECORD_HEAD, GAME_RECORD_HEAD);
}

size_t game_record_size(const char head[GAME_RECORD_HEAD])
{
    return GAME_RECORD_HEAD + (size_t)bytes_read(head, GAME_RECORD_HEAD);
}

// Reads the texts, which end where the record does.
static bool get_texts(const char *at, const char *end, GameRecord *r)
{
    uint64_t length[TEXTS];
    for (int i = 0; i < TEXTS; i++)
        if (!varint_get(&at, end, &length[i]))
            return false;
    for (int i = 0; i < TEXTS; i++) {
        if (length[i] > (size_t)(end - at))
            return false;
        *text_at(r, i) = (Buffer){.start = (char *)(uintptr_t)at, .length = length[i]};
        at += length[i];
    }
    return at == end && r->damage <= r->reports.length;
}

bool game_record_get(const char **at, const char *end, GameRecord *record)
{
    uint64_t game, flags, damage;
    const size_t size = end - *at < GAME_RECORD_HEAD ? 0 : game_record_size(*at);
    if (size < GAME_RECORD_HEAD || size > (size_t)(end - *at))
        return false;
    const char *next = *at + GAME_RECORD_HEAD;
    end = *at + size;
    if (!varint_get(&next, end, &game) || !varint_get(&next, end, &flags) || !varint_get(&next, end, &damage))
        return false;
    *record = (GameRecord){.game = (int64_t)game,
                           .matches = flags & MATCHES,
                           .failed = flags & FAILED,
                           .begins_line = flags & BEGINS_LINE,
                           .damage = damage};
    if (!get_texts(next, end, record))
        return false;
    *at = end;
    return true;
}
