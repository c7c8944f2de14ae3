// The hub of a shared search: which blocks it hands out and how many, the order of results, waiting, failures.
#include "folder_fixture.h"
#include "hub_fixture.h"
#include "mutex_fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/share/records.h"

static void test_order(void **state)
{
    (void)state;
    Hub *h = open_hub(2, 0, NULL, "key");
    const SearchShare share = hub_share(h);
    put(h, 2, 0, "third");
    put(h, 0, 4, "first, a part");
    put(h, 1, 0, "second");
    put(h, 0, 0, "first, the rest");
    put(h, 1, 0, "once more"); // of a block that is done
    hub_ended(h, 3);
    expect_next(&share, "first, a part");
    expect_next(&share, "first, the rest");
    expect_next(&share, "second");
    expect_next(&share, "third");
    expect_end(&share);
    hub_free(h, false);
}

// The pieces of a block come in the order in which they were put, also those that come when the first ones have been received.
static void test_pieces(void **state)
{
    (void)state;
    Hub *h = open_hub(1, 0, NULL, "key");
    const SearchShare share = hub_share(h);
    put(h, 0, 4, "a");
    put(h, 0, 4, "b");
    put(h, 0, 0, "c");
    put(h, 1, 4, "d");
    expect_next(&share, "a");
    expect_next(&share, "b");
    expect_next(&share, "c");
    expect_next(&share, "d");
    put(h, 1, 4, "e");
    put(h, 1, 0, "f");
    expect_next(&share, "e");
    expect_next(&share, "f");
    hub_ended(h, 2);
    expect_end(&share);
    hub_free(h, false);
}

// The last places that members reached are known, four a member: the nearest one at or before a block is where another member may
// begin to read.
static void test_places(void **state)
{
    (void)state;
    Hub *h = open_hub(2, 0, NULL, "key");
    SharePlace place = {.block = 77};
    assert_false(hub_place(h, 5, &place));
    assert_int_equal(hub_places(h), 0);
    hub_reached(h, &(SharePlace){.block = 3, .pgn.offset = 300});
    assert_false(hub_place(h, 2, &place));          // the only place comes later
    assert_int_equal(place.block, 77);              // unchanged
    for (uint64_t block = 10; block <= 17; block++) // eight more: the first one is forgotten
        hub_reached(h, &(SharePlace){.block = block, .pgn.offset = 100 * block});
    assert_int_equal(hub_places(h), 9);
    assert_false(hub_place(h, 9, &place));
    assert_true(hub_place(h, 14, &place));
    assert_int_equal(place.pgn.offset, 1400);
    hub_reached(h, &(SharePlace){.block = 12, .pgn.offset = 1201}); // instead of 10; not in order
    assert_false(hub_place(h, 10, &place));
    assert_true(hub_place(h, 1000, &place));
    assert_int_equal(place.block, 17);
    hub_free(h, false);
}

// Numbers of blocks that would need more memory than there is.
static const uint64_t far[] = {1 << 24, (uint64_t)1 << 40, UINT64_MAX - 1, UINT64_MAX};

static void expect_all(Hub *h, const char *bytes, size_t length, bool good)
{
    const int err = captured_begin(2);
    const bool put = hub_put_all(h, bytes, length);
    assert_string_equal(captured_end(2, err),
                        good ? "" : "cqlgen: the results that another process has sent are damaged\n");
    assert_int_equal(put, good);
}

// What another process sends is several results, each after its length. A message that is cut anywhere else, or has results without
// a head or of blocks so far away, is refused, whatever its lengths say; what came before is kept.
static void test_messages(void **state)
{
    (void)state;
    Buffer message = {0};
    static const char *const text[] = {"first", "", "third"};
    size_t whole[4] = {0};
    for (uint64_t i = 0; i < 3; i++) {
        char bytes[64];
        const uint64_t length = make_result(bytes, i, 0, text[i]);
        buffer_append(&message, (const char *)&length, sizeof length);
        buffer_append(&message, bytes, length);
        whole[i + 1] = message.length;
    }
    for (size_t length = 0, results = 0; length <= message.length; length++) {
        Hub *h = open_hub(2, 0, NULL, "key");
        const SearchShare share = hub_share(h);
        char *exactly = memory_copy(message.start, length); // a sanitizer sees what reads beyond it
        exactly = memory_resized(exactly, length ? length : 1, 1);
        results += results < 3 && length == whole[results + 1];
        expect_all(h, exactly, length, length == whole[results]);
        hub_ended(h, results);
        for (size_t i = 0; i < results; i++)
            expect_next(&share, text[i]);
        expect_end(&share);
        free(exactly);
        hub_free(h, false);
    }
    static const uint64_t wrong[] = {0, 1, 15, 1000, 1ULL << 32, UINT64_MAX - 7, UINT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Hub *h = open_hub(2, 0, NULL, "key");
        memcpy(message.start, &wrong[i], sizeof wrong[i]);
        expect_all(h, message.start, message.length, false);
        hub_free(h, false);
    }
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        char bytes[8 + 64];
        const uint64_t length = make_result(bytes + 8, far[i], 0, "far");
        memcpy(bytes, &length, 8);
        Hub *h = open_hub(2, 0, NULL, "key");
        expect_all(h, bytes, 8 + length, false);
        hub_free(h, false);
    }
    buffer_free(&message);
}

// All blocks are handed out once, in ascending order to each member, and none after the end.
static void test_ranges(void **state)
{
    (void)state;
    enum { BLOCKS = 5000 };
    static int given[BLOCKS];
    uint64_t begin, end, last[3] = {0};
    Hub *h = open_hub(3, BLOCKS, NULL, "key");
    const SearchShare share = hub_share(h);
    hub_ended(h, BLOCKS);
    memset(given, 0, sizeof given);
    for (int i = 0;; i++) {
        const int member = i % 3;
        const HubAnswer answer = hub_claim(h, member, false, &begin, &end);
        if (answer == HUB_NONE)
            break;
        assert_int_equal(answer, HUB_RANGE);
        assert_true(begin >= last[member] && begin < end && end <= BLOCKS);
        last[member] = end;
        for (uint64_t k = begin; k < end; k++)
            given[k]++;
        share.written(share.user, end, false);
    }
    for (int i = 0; i < BLOCKS; i++)
        assert_int_equal(given[i], 1);
    hub_free(h, false);
}

static void test_window(void **state)
{
    (void)state;
    uint64_t begin, end, most = 0;
    Hub *h = open_hub(1, 0, NULL, "key");
    const SearchShare share = hub_share(h);
    HubAnswer answer;
    while ((answer = hub_claim(h, 0, false, &begin, &end)) == HUB_RANGE)
        most = end;
    assert_int_equal(answer, HUB_WAIT);
    assert_true(most > 1000 && most < 100000);
    share.written(share.user, most, false);
    assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_RANGE);
    assert_int_equal(begin, most);
    share.written(share.user, most, true); // no more results are wanted
    assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_NONE);
    share.written(share.user, most, false); // this does not change
    assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_NONE);
    expect_end(&share);
    hub_free(h, false);
}

// Each member gets only blocks of the spans that it may search.
static void test_spans(void **state)
{
    (void)state;
    uint64_t begin, end;
    Hub *h = open_hub(2, 0, NULL, "key");
    hub_allow(h, 0, hub_add_span(h, 0, 2));
    hub_allow(h, 1, hub_add_span(h, 2, 3));
    const size_t both = hub_add_span(h, 3, 4);
    hub_allow(h, 0, both);
    hub_allow(h, 1, both);
    assert_int_equal(hub_claim(h, 1, false, &begin, &end), HUB_RANGE);
    assert_int_equal(begin, 2);
    assert_int_equal(hub_claim(h, 1, false, &begin, &end), HUB_RANGE);
    assert_int_equal(begin, 3);
    assert_int_equal(hub_claim(h, 1, false, &begin, &end), HUB_NONE);
    for (uint64_t next = 0; next < 2; next = end) {
        assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_RANGE);
        assert_int_equal(begin, next);
    }
    assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_NONE);
    hub_free(h, false);
}

static void test_journal(void **state)
{
    (void)state;
    const char *name = path("journal");
    Hub *h = open_hub(1, 0, name, "one search");
    put(h, 1, 0, "second");
    put(h, 0, 4, "first, a part"); // the rest is missing
    put(h, 3, 2, "stopped before its end");
    put(h, 2, 0, "third");
    assert_null(open_hub(1, 0, name, "one search")); // in use
    hub_free(h, true);
    assert_null(open_hub(1, 0, name, "another search"));
    h = open_hub(1, 0, name, "one search");
    assert_non_null(h);
    assert_int_equal(hub_done(h), 2);
    uint64_t begin, end, wanted[] = {0, 3};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_RANGE);
        assert_int_equal(begin, wanted[i]);
    }
    const SearchShare share = hub_share(h);
    put(h, 0, 0, "first");
    put(h, 3, 0, "fourth");
    hub_ended(h, 4);
    expect_next(&share, "first");
    expect_next(&share, "second");
    expect_next(&share, "third");
    expect_next(&share, "fourth");
    expect_end(&share);
    hub_free(h, false);
    assert_int_equal(access(name, F_OK), -1);
}

// A journal ends before the first record that cannot be: a block so far away would need more memory than there is.
static void test_far_block(void **state)
{
    (void)state;
    const char *name = path("journal");
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        char bytes[64];
        Buffer file = {0};
        record_begin_file(&file);
        record_put(&file, RECORD_KEY, "key", 3);
        record_put(&file, RECORD_BLOCK, bytes, make_result(bytes, 0, 0, "first"));
        record_put(&file, RECORD_BLOCK, bytes, make_result(bytes, far[i], 0, "far"));
        FILE *f = fopen(name, "wb");
        fwrite(file.start, 1, file.length, f);
        fclose(f);
        buffer_free(&file);
        Hub *h = open_hub(1, 0, name, "key");
        assert_non_null(h);
        assert_int_equal(hub_done(h), 1);
        hub_free(h, false);
    }
}

// ---- how many blocks a claim has --------------------------------------------------------------------------

// The time of a hub that is told it.
static double told_seconds;

static double told_clock(void)
{
    return told_seconds;
}

static Hub *open_told_hub(int members, uint64_t blocks)
{
    told_seconds = 1;
    return hub_new(&(HubOptions){
        .members = members, .blocks = blocks, .key = "key", .key_length = 3, .clock = told_clock});
}

enum { MOST_CLAIMS = 20 };

// Claims of member 0, one right after the other, as their numbers of blocks.
static void expect_claims(int members, uint64_t blocks, uint64_t end_of_span, const uint64_t *wanted)
{
    uint64_t begin, end, next = 0;
    Hub *h = open_told_hub(members, blocks);
    const SearchShare share = hub_share(h);
    if (end_of_span > 0)
        hub_allow(h, 0, hub_add_span(h, 0, end_of_span));
    for (int i = 0; i < MOST_CLAIMS && wanted[i] > 0; i++) {
        assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_RANGE);
        assert_int_equal(begin, next);
        assert_int_equal(end - begin, wanted[i]);
        next = end;
        share.written(share.user, end, false);
    }
    hub_free(h, false);
}

// A member that is quick gets twice as many blocks each time, at most 1024, and never more than its share of a quarter of what is
// left; where that is not known, or all of the blocks that were expected are handed out, at most 16.
static void test_grain(void **state)
{
    (void)state;
    expect_claims(1, 0, 0, (const uint64_t[MOST_CLAIMS]){1, 2, 4, 8, 16, 16, 16});
    expect_claims(1, 0, 1 << 20,
                  (const uint64_t[MOST_CLAIMS]){1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024, 1024});
    // 40 blocks, two members: (40 - n) / 8 + 1 of them at most
    expect_claims(2, 40, 0, (const uint64_t[MOST_CLAIMS]){1, 2, 4, 5, 4, 4, 3, 3, 2,  2,
                                                          2, 2, 1, 1, 1, 1, 1, 1, 16, 16});
    // the same of a span, which ends there
    expect_claims(1, 7, 4, (const uint64_t[MOST_CLAIMS]){1, 1, 1, 1});
    expect_claims(1, 0, 9, (const uint64_t[MOST_CLAIMS]){1, 2, 2, 2, 1, 1});
}

// A member that needs more than 0.2 seconds for its blocks gets half as many, never less than one; from 0.05 to 0.2 as many as before.
static void test_slow_members(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        uint64_t wanted;
    } steps[] = {{0.06, 1}, {0.04, 2}, {0, 4}, {0.06, 4}, {0.19, 4}, {0.21, 2}, {0.21, 1}, {0.21, 1}, {0, 2}};
    uint64_t begin, end;
    Hub *h = open_told_hub(1, 0);
    hub_claim(h, 0, false, &begin, &end);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        told_seconds += steps[i].seconds;
        hub_claim(h, 0, false, &begin, &end);
        assert_int_equal(end - begin, steps[i].wanted);
    }
    hub_free(h, false);
    h = open_told_hub(1, 0); // exactly 0.05 seconds are not quick
    told_seconds = 1e-300;
    hub_claim(h, 0, false, &begin, &end);
    told_seconds = 0.05;
    hub_claim(h, 0, false, &begin, &end);
    assert_int_equal(end - begin, 1);
    const SearchShare share = hub_share(h);
    assert_true(share.claim(share.user, &begin, &end) && hub_waited(h) == 0); // no time has passed
    hub_free(h, false);
}

// The claims of a member are at most 2048 blocks a member ahead of the output, up to the end of the last claim.
static void test_ahead(void **state)
{
    (void)state;
    for (int members = 1; members <= 3; members++) {
        const uint64_t ahead = 2048 * (uint64_t)members;
        uint64_t begin, end = 0, last = 0;
        Hub *h = open_hub(members, 0, NULL, "key");
        const SearchShare share = hub_share(h);
        while (hub_claim(h, members - 1, false, &begin, &end) == HUB_RANGE) {
            assert_int_equal(begin, last);
            assert_true(begin <= ahead);
            last = end;
        }
        assert_true(last > ahead && last <= ahead + 16);
        share.written(share.user, last - ahead - 1, false);
        assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_WAIT);
        share.written(share.user, last - ahead, false);
        assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_RANGE);
        assert_int_equal(begin, last);
        hub_free(h, false);
    }
    // several spans are not in the order of the output: nothing waits
    uint64_t begin, end, next = 0;
    Hub *h = open_hub(1, 0, NULL, "key");
    hub_allow(h, 0, hub_add_span(h, 0, 10000));
    hub_allow(h, 0, hub_add_span(h, 10000, 10001));
    for (; next < 10001; next = end) {
        assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_RANGE);
        assert_int_equal(begin, next);
    }
    assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_NONE);
    hub_free(h, false);
}

// No block is handed out after the end of the inputs, and none that the journal has, which also ends a claim.
static void test_end_of_inputs(void **state)
{
    (void)state;
    uint64_t begin, end;
    Hub *h = open_hub(1, 0, NULL, "key");
    const SearchShare share = hub_share(h);
    assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_RANGE); // 0
    put(h, 3, 0, "fourth");
    assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_RANGE);
    assert_int_equal(begin, 1);
    assert_int_equal(end, 3);
    share.ended(share.user, 5);
    assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_RANGE);
    assert_int_equal(begin, 4);
    assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_NONE);
    hub_free(h, false);
}

// ---- waiting, failures, progress --------------------------------------------------------------------------

typedef struct Later {
    Hub *h;
    void (*act)(Hub *h);
    atomic_bool begun;
} Later;

static void *act_later(void *user)
{
    Later *l = user;
    nanosleep(&(struct timespec){0, 20000000}, NULL); // so that another thread waits, mostly
    l->begun = true;
    l->act(l->h);
    return NULL;
}

static void write_much(Hub *h)
{
    const SearchShare share = hub_share(h);
    share.written(share.user, 3000, false);
}

static void write_all_of_it(Hub *h)
{
    const SearchShare share = hub_share(h);
    share.written(share.user, 3000, true);
}

static void put_first(Hub *h)
{
    put(h, 0, 0, "first");
}

static void put_rest(Hub *h)
{
    put(h, 0, 0, "rest");
}

static void end_at_once(Hub *h)
{
    hub_ended(h, 0);
}

// A claim that must wait does so until the output has come on, there is a failure, or nothing more is wanted; the time counts when
// it gets blocks.
static void test_waiting_claims(void **state)
{
    (void)state;
    static const struct {
        void (*act)(Hub *h);
        bool gets;
    } cases[] = {{write_much, true}, {write_all_of_it, false}, {hub_fail, false}, {end_at_once, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t begin, end;
        pthread_t thread;
        Hub *h = open_hub(1, 0, NULL, "key");
        const SearchShare share = hub_share(h);
        while (hub_claim(h, 0, false, &begin, &end) == HUB_RANGE)
            ;
        assert_true(hub_waited(h) == 0);
        Later later = {h, cases[i].act, false};
        assert_int_equal(pthread_create(&thread, NULL, act_later, &later), 0);
        assert_int_equal(share.claim(share.user, &begin, &end), cases[i].gets);
        assert_true(later.begun);
        assert_true((hub_waited(h) > 0) == cases[i].gets);
        pthread_join(thread, NULL);
        hub_free(h, false);
    }
}

// So do the results.
static void test_waiting_results(void **state)
{
    (void)state;
    const char *bytes;
    size_t length;
    static void (*const act[])(Hub * h) = {put_first, end_at_once, write_all_of_it, hub_fail};
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        Hub *h = open_hub(2, 0, NULL, "key");
        const SearchShare share = hub_share(h);
        Later later = {h, act[i], false};
        assert_int_equal(pthread_create(&thread, NULL, act_later, &later), 0);
        const bool got = share.receive(share.user, &bytes, &length);
        assert_true(later.begun);
        assert_int_equal(got, act[i] == put_first || act[i] == hub_fail);
        if (act[i] == put_first)
            assert_memory_equal(bytes + 16, "first", 5);
        else
            assert_null(bytes); // with true: a failure
        pthread_join(thread, NULL);
        hub_free(h, false);
    }
}

// A block whose first results were received goes on when the others are there.
static void test_waiting_rest(void **state)
{
    (void)state;
    pthread_t thread;
    Hub *h = open_hub(1, 0, NULL, "key");
    const SearchShare share = hub_share(h);
    put(h, 0, 4, "first");
    expect_next(&share, "first");
    Later later = {h, put_rest, false};
    assert_int_equal(pthread_create(&thread, NULL, act_later, &later), 0);
    expect_next(&share, "rest");
    pthread_join(thread, NULL);
    hub_ended(h, 1);
    expect_end(&share);
    hub_free(h, false);
}

// What a journal has of a block that is not complete is of no use.
static void test_waiting_again(void **state)
{
    (void)state;
    pthread_t thread;
    const char *name = path("journal");
    Hub *h = open_hub(1, 0, name, "key");
    put(h, 0, 4, "a part");
    put(h, 1, 0, "second");
    hub_free(h, true);
    h = open_hub(1, 0, name, "key");
    const SearchShare share = hub_share(h);
    Later later = {h, put_first, false};
    assert_int_equal(pthread_create(&thread, NULL, act_later, &later), 0);
    expect_next(&share, "first");
    pthread_join(thread, NULL);
    expect_next(&share, "second");
    hub_free(h, false);
}

// After a failure nothing is handed out, and the next result is that failure, even if others are there.
static void test_failure(void **state)
{
    (void)state;
    uint64_t begin, end;
    const char *bytes = "";
    size_t length;
    Hub *h = open_hub(2, 0, NULL, "key");
    const SearchShare share = hub_share(h);
    put(h, 0, 0, "first");
    hub_fail(h);
    assert_int_equal(hub_claim(h, 1, true, &begin, &end), HUB_NONE);
    assert_true(share.receive(share.user, &bytes, &length));
    assert_null(bytes);
    hub_free(h, false);
}

// The part that is done is that of the blocks there are, before that is known of those that were expected; never more than all.
static void test_part(void **state)
{
    (void)state;
    Hub *h = open_hub(1, 0, NULL, "key");
    SearchShare share = hub_share(h);
    share.written(share.user, 3, false);
    assert_true(share.part(share.user) == 0); // not known
    share.ended(share.user, 4);
    assert_true(share.part(share.user) == 0.75);
    share.ended(share.user, 0);
    assert_true(share.part(share.user) == 0);
    hub_free(h, false);
    h = open_hub(1, 8, NULL, "key");
    share = hub_share(h);
    assert_true(share.part(share.user) == 0);
    share.written(share.user, 2, false);
    assert_true(share.part(share.user) == 0.25);
    share.written(share.user, 8, false);
    assert_true(share.part(share.user) == 1);
    share.written(share.user, 10, false);
    assert_true(share.part(share.user) == 1);
    share.ended(share.user, 20);
    assert_true(share.part(share.user) == 0.5);
    hub_free(h, false);
}

// What this process finds goes the same way as what others send, and is counted. Places matter only to others.
static void test_own_results(void **state)
{
    (void)state;
    char bytes[64];
    Hub *h = open_hub(1, 0, NULL, "key");
    SearchShare share = hub_share(h);
    assert_null(share.reached);
    assert_int_equal(hub_searched(h), 0);
    assert_true(share.give(share.user, 1, bytes, make_result(bytes, 1, 0, "second")));
    assert_true(share.give(share.user, 0, bytes, make_result(bytes, 0, 0, "first")));
    put(h, 2, 0, "of another one");
    assert_int_equal(hub_searched(h), 2);
    hub_ended(h, 3);
    expect_next(&share, "first");
    expect_next(&share, "second");
    expect_next(&share, "of another one");
    expect_end(&share);
    hub_free(h, false);
    h = open_hub(2, 0, NULL, "key");
    share = hub_share(h);
    SharePlace place;
    share.reached(share.user, &(SharePlace){.block = 5, .input = 2});
    assert_true(share.place(share.user, 5, &place));
    assert_int_equal(place.input, 2);
    assert_false(share.place(share.user, 4, &place));
    hub_free(h, false);
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"journal"};
    return remove_files(names, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),          cmocka_unit_test(test_places),
        cmocka_unit_test(test_messages),       cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_window),         cmocka_unit_test(test_spans),
        cmocka_unit_test(test_journal),        cmocka_unit_test(test_far_block),
        cmocka_unit_test(test_grain),          cmocka_unit_test(test_slow_members),
        cmocka_unit_test(test_ahead),          cmocka_unit_test(test_end_of_inputs),
        cmocka_unit_test(test_waiting_claims), cmocka_unit_test(test_waiting_results),
        cmocka_unit_test(test_failure),        cmocka_unit_test(test_part),
        cmocka_unit_test(test_own_results),    cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_waiting_rest),   cmocka_unit_test(test_waiting_again),
        cmocka_unit_test(test_mutexes),
    };
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
