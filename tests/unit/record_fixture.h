// The records of a part, read again.
#ifndef RECORD_FIXTURE_H
#define RECORD_FIXTURE_H

#include <stddef.h>

#include "runtime/search/block.h"
#include "test.h"

static inline size_t record_count(const Part *part)
{
    const char *at = part->records.start, *end = at + part->records.length;
    size_t count = 0;
    for (GameRecord r; game_record_get(&at, end, &r);)
        count++;
    assert_true(at == end);
    return count;
}

static inline GameRecord record_at(const Part *part, size_t i)
{
    const char *at = part->records.start, *end = at + part->records.length;
    GameRecord r;
    for (size_t k = 0; k <= i; k++)
        assert_true(game_record_get(&at, end, &r));
    return r;
}

// The games of the part that match, by their records.
static inline size_t record_matches(const Part *part)
{
    size_t count = 0;
    for (size_t i = 0; i < record_count(part); i++)
        count += record_at(part, i).matches;
    return count;
}

// The texts of all records, one after the other; `member`: that of GameRecord.
#define RECORD_TEXTS(part, member) record_texts(part, offsetof(GameRecord, member))
static inline Buffer record_texts(const Part *part, size_t offset)
{
    Buffer all = {0};
    for (size_t i = 0; i < record_count(part); i++) {
        const GameRecord r = record_at(part, i);
        const Buffer *text = (const Buffer *)(const void *)((const char *)&r + offset);
        buffer_append(&all, text->start, text->length);
    }
    return all;
}

static inline void expect_bytes(const Buffer *text, const char *expected)
{
    assert_int_equal(text->length, strlen(expected));
    assert_true(text->length == 0 || memcmp(text->start, expected, text->length) == 0);
}

#define EXPECT_TEXTS(part, member, expected) expect_texts(part, offsetof(GameRecord, member), expected)
static inline void expect_texts(const Part *part, size_t offset, const char *expected)
{
    Buffer all = record_texts(part, offset);
    expect_bytes(&all, expected);
    buffer_free(&all);
}

#endif
