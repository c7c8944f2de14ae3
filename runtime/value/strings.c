// Strings: comparing, copying, arenas.
#include "strings.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

const CqlString string_empty = {0, {0}};

int string_compare(String a, String b)
{
    const size_t shorter = a->length < b->length ? a->length : b->length;
    const int order = memcmp(a->bytes, b->bytes, shorter); // its size depends on the processor, even on the address
    return order ? (order > 0) - (order < 0) : (a->length > b->length) - (a->length < b->length);
}

#ifdef __SSE2__
enum { WIDE_BLOCK = 16, NARROW_BLOCK = 8 };

static __m128i load_block(const char *text, size_t width)
{
    const __m128i *block = (const __m128i *)(const void *)text;
    return width == WIDE_BLOCK ? _mm_loadu_si128(block) : _mm_loadl_epi64(block);
}

// Looks for the first and the last byte of `part`, a block of places at a time; the last block may overlap the one before.
// Where these are found too often in vain, the C library takes over. There are at least `width` places.
static const char *find_by_blocks(const char *text, size_t places, const char *part, size_t part_length,
                                  size_t width)
{
    enum { FAILURES = 16 };
    const size_t tail = part_length - 1;
    const char *end = text + places;
    const __m128i first = _mm_set1_epi8(part[0]), last = _mm_set1_epi8(part[tail]);
    for (int failures = 0; failures < FAILURES; text += width) {
        if ((size_t)(end - text) < width)
            text = end - width;
        const __m128i found = _mm_and_si128(_mm_cmpeq_epi8(load_block(text, width), first),
                                            _mm_cmpeq_epi8(load_block(text + tail, width), last));
        unsigned bits = (unsigned)_mm_movemask_epi8(found) & ((1U << width) - 1);
        for (; bits; bits &= bits - 1, failures++) {
            const char *place = text + __builtin_ctz(bits);
            if (part_length <= 2 || memcmp(place + 1, part + 1, part_length - 2) == 0)
                return place;
        }
        if (text + width == end)
            return NULL;
    }
    return memmem(text, (size_t)(end - text) + tail, part, part_length);
}

// The same for fewer places than in any block.
static const char *find_by_places(const char *text, size_t places, const char *part, size_t part_length)
{
    const size_t tail = part_length - 1;
    for (const char *end = text + places; text < end; text++)
        if (text[0] == part[0] && text[tail] == part[tail] && memcmp(text, part, part_length) == 0)
            return text;
    return NULL;
}
#endif

const char *string_find(const char *text, size_t length, const char *part, size_t part_length)
{
#ifdef __SSE2__
    if (part_length > length)
        return NULL;
    if (part_length > 0) {
        const size_t places = length - part_length + 1;
        if (places >= WIDE_BLOCK)
            return find_by_blocks(text, places, part, part_length, WIDE_BLOCK);
        if (places >= NARROW_BLOCK)
            return find_by_blocks(text, places, part, part_length, NARROW_BLOCK);
        return find_by_places(text, places, part, part_length);
    }
#endif
    return memmem(text, length, part, part_length);
}

// ---- ASCII ------------------------------------------------------------------------------------------------

#define EVERY_BYTE(byte) (0x0101010101010101ULL * (byte))

bool string_is_ascii(String s)
{
    uint64_t all = 0, word = 0;
    size_t at = 0;
    for (; at + sizeof word <= s->length; at += sizeof word) {
        memcpy(&word, s->bytes + at, sizeof word);
        all |= word;
    }
    memcpy(&word, s->bytes + at, s->length - at);
    return ((all | word) & EVERY_BYTE(0x80)) == 0;
}

// Eight bytes folded.
static uint64_t folded(uint64_t word, char first)
{
    // The highest bit of each byte becomes that of a comparison; bytes of other characters have it already.
    const uint64_t low = word & EVERY_BYTE(0x7F);
    const uint64_t from = low + EVERY_BYTE(0x80u - (unsigned char)first);
    const uint64_t beyond = low + EVERY_BYTE(0x80u - (unsigned char)first - 26);
    return word ^ (from & ~beyond & ~word & EVERY_BYTE(0x80)) >> 2;
}

void string_fold(char *to, const char *from, size_t length, char first)
{
    uint64_t word = 0;
    for (; length >= sizeof word; from += sizeof word, to += sizeof word, length -= sizeof word) {
        memcpy(&word, from, sizeof word);
        word = folded(word, first);
        memcpy(to, &word, sizeof word);
    }
    memcpy(&word, from, length);
    word = folded(word, first);
    memcpy(to, &word, length);
}

// ---- memory -----------------------------------------------------------------------------------------------

size_t string_size(String s)
{
    return offsetof(CqlString, bytes) + s->length + 1;
}

String string_copy(const char *bytes, size_t length)
{
    CqlString *copy = memory_new(sizeof *copy + length);
    copy->length = (uint32_t)length;
    memcpy(copy->bytes, bytes, length);
    copy->bytes[length] = '\0';
    return copy;
}

void string_free(String s)
{
    free((void *)(uintptr_t)s);
}

// ---- arenas -----------------------------------------------------------------------------------------------

enum { FIRST_CHUNK = 32 * 1024, KEPT_BYTES = 4 * 1024 * 1024 };

struct StringChunk {
    StringChunk *next;
    size_t size, used;
    _Alignas(8) char memory[];
};

static StringChunk *chunk_new(size_t size)
{
    StringChunk *chunk = malloc(sizeof *chunk + size);
    if (chunk) {
        chunk->next = NULL;
        chunk->size = size;
        chunk->used = 0;
    }
    return chunk;
}

// The next chunk with room for `size` bytes: one left from earlier games, or a new one twice as large as the
// last.
static StringChunk *next_chunk(StringArena *a, size_t size)
{
    StringChunk *last = a->current;
    StringChunk *next = last ? last->next : a->first;
    if (next && next->size >= size) {
        next->used = 0;
        return next;
    }
    size_t wanted = last ? 2 * last->size : FIRST_CHUNK;
    if (wanted > KEPT_BYTES)
        wanted = KEPT_BYTES;
    StringChunk *chunk = chunk_new(wanted > size ? wanted : size);
    if (!chunk)
        return NULL;
    chunk->next = next;
    if (last)
        last->next = chunk;
    else
        a->first = chunk;
    return chunk;
}

CqlString *string_arena_new(StringArena *a, size_t length)
{
    if (length > INT32_MAX - 16)
        return NULL;
    size_t size = (offsetof(CqlString, bytes) + length + 1 + 7) & ~(size_t)7;
    if (a->used + size > a->cap)
        return NULL;
    if (!a->current || a->current->size - a->current->used < size) {
        StringChunk *chunk = next_chunk(a, size);
        if (!chunk)
            return NULL;
        a->current = chunk;
    }
    CqlString *s = (CqlString *)(void *)(a->current->memory + a->current->used);
    a->current->used += size;
    a->used += size;
    s->length = (uint32_t)length;
    s->bytes[length] = '\0';
    return s;
}

void string_arena_reset(StringArena *a)
{
    if (a->used == 0)
        return;
    size_t kept = 0;
    StringChunk **link = &a->first;
    while (*link) {
        StringChunk *chunk = *link;
        if (kept + chunk->size <= KEPT_BYTES) {
            kept += chunk->size;
            link = &chunk->next;
        } else {
            *link = chunk->next;
            free(chunk);
        }
    }
    a->current = NULL;
    a->used = 0;
}

void string_arena_free(StringArena *a)
{
    while (a->first) {
        StringChunk *next = a->first->next;
        free(a->first);
        a->first = next;
    }
    a->current = NULL;
    a->used = 0;
}
