// Streams of text for tests of the splitter.
#ifndef CQL_SPLIT_FIXTURE_H
#define CQL_SPLIT_FIXTURE_H

#include "test_game.h"

typedef struct Stream {
    const char *text;
    size_t length, at;
    size_t step; // bytes a read delivers at most, 0: no limit
} Stream;

static inline int64_t read_stream(void *user, void *buffer, size_t size)
{
    Stream *s = user;
    size_t n = s->length - s->at;
    n = n > size ? size : n;
    n = s->step && n > s->step ? s->step : n;
    memcpy(buffer, s->text + s->at, n);
    s->at += n;
    return (int64_t)n;
}

static inline int64_t read_failing(void *user, void *buffer, size_t size)
{
    Stream *s = user;
    return s->at < s->length ? read_stream(user, buffer, size) : -1;
}

#endif
