// Hubs, and results as a search gives them to one.
#ifndef CQL_TEST_HUB_FIXTURE_H
#define CQL_TEST_HUB_FIXTURE_H

#include "run_fixture.h"

#include <string.h>

#include "runtime/search/search.h"
#include "runtime/share/hub.h"

// Results as a search gives them: the number of the block, flags (4: more follow, 2: stopped before its end), and a text.
static inline size_t make_result(char *bytes, uint64_t number, uint64_t flags, const char *text)
{
    for (int i = 0; i < 8; i++) {
        bytes[i] = (char)(number >> 8 * i);
        bytes[8 + i] = (char)(flags >> 8 * i);
    }
    memcpy(bytes + 16, text, strlen(text));
    return 16 + strlen(text);
}

static inline void put(Hub *h, uint64_t number, uint64_t flags, const char *text)
{
    char bytes[64];
    const size_t length = make_result(bytes, number, flags, text);
    assert_true(hub_put(h, bytes, length));
}

static inline void expect_next(const SearchShare *share, const char *text)
{
    const char *bytes;
    size_t length;
    assert_true(share->receive(share->user, &bytes, &length));
    assert_int_equal(length, 16 + strlen(text));
    assert_memory_equal(bytes + 16, text, strlen(text));
}

static inline void expect_end(const SearchShare *share)
{
    const char *bytes;
    size_t length;
    assert_false(share->receive(share->user, &bytes, &length));
}

static inline Hub *open_hub(int members, uint64_t blocks, const char *journal, const char *key)
{
    return hub_new(&(HubOptions){
        .members = members, .blocks = blocks, .journal = journal, .key = key, .key_length = strlen(key)});
}

#endif
