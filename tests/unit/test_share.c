// Shared searches: the hub that hands out blocks and gives results in order, its journal, and blocks of several chunks.
#include "folder_fixture.h"
#include "run_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/database/database.h"
#include "runtime/search/search.h"
#include "runtime/share/hub.h"
#include "runtime/share/partial.h"
#include "runtime/share/records.h"

// ---- the hub ----------------------------------------------------------------------------------------------

// Results as a search gives them: the number of the block, flags (4: more follow, 2: stopped before its end), and a text.
static size_t make_result(char *bytes, uint64_t number, uint64_t flags, const char *text)
{
    for (int i = 0; i < 8; i++) {
        bytes[i] = (char)(number >> 8 * i);
        bytes[8 + i] = (char)(flags >> 8 * i);
    }
    memcpy(bytes + 16, text, strlen(text));
    return 16 + strlen(text);
}

static void put(Hub *h, uint64_t number, uint64_t flags, const char *text)
{
    char bytes[64];
    const size_t length = make_result(bytes, number, flags, text);
    assert_true(hub_put(h, bytes, length));
}

static void expect_next(const SearchShare *share, const char *text)
{
    const char *bytes;
    size_t length;
    assert_true(share->receive(share->user, &bytes, &length));
    assert_int_equal(length, 16 + strlen(text));
    assert_memory_equal(bytes + 16, text, strlen(text));
}

static void expect_end(const SearchShare *share)
{
    const char *bytes;
    size_t length;
    assert_false(share->receive(share->user, &bytes, &length));
}

static Hub *open_hub(int members, uint64_t blocks, const char *journal, const char *key)
{
    return hub_new(&(HubOptions){members, blocks, journal, key, strlen(key)});
}

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
    assert_false(hub_place(h, 2, &place)); // the only place comes later
    assert_int_equal(place.block, 77);     // unchanged
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
        assert_int_equal(hub_put_all(h, exactly, length), length == whole[results]);
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
        assert_false(hub_put_all(h, message.start, message.length));
        hub_free(h, false);
    }
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        char bytes[8 + 64];
        const uint64_t length = make_result(bytes + 8, far[i], 0, "far");
        memcpy(bytes, &length, 8);
        Hub *h = open_hub(2, 0, NULL, "key");
        assert_false(hub_put_all(h, bytes, 8 + length));
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

// ---- blocks of several chunks ------------------------------------------------------------------------------

// A chunk has about 4 MB of PGN.
enum { GAMES = 12000, COMMENT = 1500 };

static void match_length(Context *c)
{
    if (c->game->count % 3 == 1)
        c->hit[c->hit_count++] = c->game->count - 1;
}

static int64_t pgn_bytes; // of the games as PGN

static char *search(const char *input, int64_t chunks, int threads)
{
    static char text[1 << 20];
    QueryInfo query = {.name = "test", .source = "", .match_game = match_length};
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &query, "test", CQL_LAYOUT};
    SearchTotals totals;
    const SearchOptions o = {.input = &input,
                             .input_count = 1,
                             .output = path("found"),
                             .format = FORMAT_POSITIONS,
                             .threads = threads,
                             .quiet = true,
                             .block_chunks = chunks};
    assert_int_equal(search_run(&matcher, &o, &totals), STATUS_OK);
    assert_int_equal(totals.games, GAMES);
    assert_int_equal(totals.bytes, pgn_bytes - (strstr(input, ".cqldb") ? 2 * GAMES : 0)); // a database has no lines between games
    FILE *f = fopen(o.output, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    return text;
}

static void test_block_chunks(void **state)
{
    (void)state;
    const char *pgn = path("games.pgn"), *database = path("games.cqldb");
    char command[512];
    FILE *f = fopen(pgn, "w");
    for (int n = 0; n < GAMES; n++)
        fprintf(f, "[Round \"%d\"]\n\n{%*s} %s *\n\n", n, COMMENT, "",
                n % 2   ? "1. e4"
                : n % 3 ? "1. d4 d5"
                        : "1. c4 c5 2. Nf3");
    pgn_bytes = ftell(f);
    fclose(f);
    snprintf(command, sizeof command, "cqlgen import -q %s -o %s", pgn, database);
    assert_int_equal(system(command), 0);
    SearchShard shard;
    assert_true(search_look_at_shard(database, &shard));
    assert_int_equal(shard.games, GAMES);
    assert_true(shard.chunks >= 4);
    const SearchOptions three = {.block_chunks = 3};
    assert_int_equal(search_shard_blocks(&three, &shard), (shard.chunks + 2) / 3);
    char *want = strdup(search(pgn, 0, 1));
    assert_true(strlen(want) > 1000);
    for (int64_t chunks = 0; chunks <= shard.chunks + 1; chunks++)
        assert_string_equal(search(database, chunks, 1 + (int)(chunks % 3)), want);
    free(want);
}

// ---- records -----------------------------------------------------------------------------------------------

// How many records a file has that are complete.
static int records_of(int fd, uint64_t size)
{
    uint64_t at;
    Record record;
    int count = 0;
    assert_true(record_is_file(fd, &at));
    while (record_next(fd, size, &at, &record))
        count++;
    return count;
}

// A file that ends anywhere has the records that are whole, and no others; each byte of a record is covered by its checksum.
static void test_records(void **state)
{
    (void)state;
    static const char *const text[] = {"first", "", "the third one"};
    size_t end[3];
    Buffer file = {0};
    record_begin_file(&file);
    const size_t begin = file.length;
    for (int i = 0; i < 3; i++) {
        record_put(&file, RECORD_BLOCK, text[i], strlen(text[i]));
        end[i] = file.length;
    }
    const char *name = path("result.part");
    const int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, file.start, file.length, 0), file.length);
    for (size_t size = file.length; size >= begin; size--) {
        assert_int_equal(ftruncate(fd, (off_t)size), 0);
        assert_int_equal(records_of(fd, size), (size >= end[0]) + (size >= end[1]) + (size >= end[2]));
    }
    for (size_t i = begin; i < file.length; i++) { // a byte is damaged
        file.start[i] ^= 1;
        assert_int_equal(pwrite(fd, file.start, file.length, 0), file.length);
        uint64_t at = begin;
        Record record;
        char bytes[64];
        int good = 0;
        for (int k = 0; k < 3 && record_next(fd, file.length, &at, &record); k++)
            good += record.length < sizeof bytes && record.kind == RECORD_BLOCK && record_read(fd, &record, bytes) &&
                    record.length == strlen(text[k]) && memcmp(bytes, text[k], record.length) == 0;
        assert_true(good < 3);
        file.start[i] ^= 1;
    }
    close(fd);
    buffer_free(&file);
}

// ---- partial results --------------------------------------------------------------------------------------

typedef struct Written {
    uint64_t kind;
    const char *bytes; // NULL: the numbers
    int64_t number[2];
    size_t count; // of bytes or numbers
} Written;

enum { MOST_RECORDS = 5 };

static bool opens(const Written record[MOST_RECORDS], bool change_last_byte)
{
    Buffer file = {0};
    record_begin_file(&file);
    for (const Written *w = record; w < record + MOST_RECORDS && w->kind != 0; w++)
        if (w->bytes)
            record_put(&file, w->kind, w->bytes, w->count);
        else
            record_put_numbers(&file, w->kind, w->number, (int)w->count);
    file.start[file.length - 1] ^= change_last_byte;
    const char *name = path("result.part");
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(file.start, 1, file.length, out), file.length);
    fclose(out);
    buffer_free(&file);
    PartialSet *set = partial_set_open(&name, 1);
    if (set)
        partial_set_close(set);
    return set != NULL;
}

#define PART                                                                                                 \
    {                                                                                                        \
        RECORD_PART, NULL, {1, 1}, 2                                                                         \
    }
#define KEY                                                                                                  \
    {                                                                                                        \
        RECORD_KEY, "key", {0}, 3                                                                            \
    }
#define END                                                                                                  \
    {                                                                                                        \
        RECORD_END, NULL, {1}, 1                                                                             \
    }

// A file whose records are whole, but not what they should be, is refused.
static void test_partial_records(void **state)
{
    (void)state;
    static const char block[16] = "";
    static const Written good[][MOST_RECORDS] = {{PART, KEY, END},
                                                 {PART, KEY, {RECORD_BLOCK, block, {0}, 16}, END}};
    static const Written bad[][MOST_RECORDS] = {
        {PART, KEY},
        {PART, END},
        {KEY, END},
        {{RECORD_PART, NULL, {2, 1}, 2}, KEY, END},
        {{RECORD_PART, NULL, {0, 1}, 2}, KEY, END},
        {{RECORD_PART, NULL, {1}, 1}, KEY, END},
        {PART, KEY, {RECORD_BLOCK, block, {0}, 3}, END},
        {PART, KEY, {RECORD_END + 1, block, {0}, 3}, END},
        {PART, KEY, {0x100000000 + RECORD_BLOCK, block, {0}, 16}, END},
        {PART, KEY, {RECORD_END, NULL, {1, 1}, 2}},
        {PART, KEY, {RECORD_END, block, {0}, 0}},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(opens(good[i], false));
        assert_false(opens(good[i], true));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (opens(bad[i], false))
            fail_msg("case %d", (int)i);
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"journal", "games.pgn", "games.cqldb", "found", "result.part"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),           cmocka_unit_test(test_messages),
        cmocka_unit_test(test_places),          cmocka_unit_test(test_records),
        cmocka_unit_test(test_ranges),          cmocka_unit_test(test_window),
        cmocka_unit_test(test_spans),           cmocka_unit_test(test_journal),
        cmocka_unit_test(test_far_block),       cmocka_unit_test(test_block_chunks),
        cmocka_unit_test(test_partial_records),
    };
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
