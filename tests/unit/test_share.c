// Shared searches: the memory and the journal of the hub, blocks of several chunks, records, and parts of results.
#include "calls_fixture.h"
#include "folder_fixture.h"
#include "hub_fixture.h"
#include "mutex_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/database/database.h"
#include "runtime/share/partial.h"
#include "runtime/share/records.h"

// ---- memory and the file ----------------------------------------------------------------------------------

// The bytes of the unlinked files that this process has open.
static int64_t temporary_bytes(void)
{
    int64_t sum = 0;
    for (int fd = 3; fd < 100; fd++) {
        struct stat status;
        if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0)
            sum += status.st_size;
    }
    return sum;
}

// Results wait in up to 64 MB of memory; what is more waits in a file. What has been received makes room.
static void test_memory(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20, FIT = 64, RESULTS = 70, HEAD = 24, SMALL = 40 };
    char *bytes = calloc(1, SIZE);
    const int64_t before = temporary_bytes();
    Hub *h = open_hub(1, 0, NULL, "key");
    const SearchShare share = hub_share(h);
    const int64_t begin = temporary_bytes();
    assert_int_equal(begin, before + 24 + HEAD + 3); // the first line, and the key
    for (int i = 0; i < RESULTS; i++) {
        make_result(bytes, (uint64_t)i, 0, "");
        memset(bytes + 16, i + 1, SIZE - 16);
        if (i == FIT) { // one has room, no more
            const char *got;
            size_t length;
            assert_int_equal(temporary_bytes(), begin);
            assert_true(share.receive(share.user, &got, &length) && length == SIZE);
        }
        assert_true(hub_put(h, bytes, SIZE));
        assert_int_equal(temporary_bytes(), begin + (i > FIT ? (i - FIT) * (int64_t)(HEAD + SIZE) : 0));
    }
    for (int i = 0; i < SMALL; i++)
        put(h, (uint64_t)(RESULTS + i), 0, "small"); // in the file, too
    const int64_t full = temporary_bytes();
    for (int i = 1; i < RESULTS; i++) {
        const char *got;
        size_t length;
        assert_true(share.receive(share.user, &got, &length));
        assert_int_equal(length, SIZE);
        assert_true(got[0] == i && got[16] == i + 1 && got[SIZE - 1] == i + 1);
    }
    for (int i = 0; i < SMALL; i++)
        expect_next(&share, "small");
    for (int i = 0; i < FIT; i++) { // and now as many have room again, and nothing more
        make_result(bytes, (uint64_t)(RESULTS + SMALL + i), 0, "");
        assert_true(hub_put(h, bytes, SIZE));
        assert_int_equal(temporary_bytes(), full);
    }
    put(h, RESULTS + SMALL + FIT, 0, "small");
    assert_int_equal(temporary_bytes(), full + HEAD + 16 + 5);
    hub_ended(h, RESULTS + SMALL + FIT + 1);
    for (int i = 0; i < FIT; i++) {
        const char *got;
        size_t length;
        assert_true(share.receive(share.user, &got, &length) && length == SIZE);
    }
    expect_next(&share, "small");
    expect_end(&share);
    hub_free(h, false);
    free(bytes);
}

static void write_bytes(const char *name, const char *bytes, size_t length)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    fclose(f);
}

// A journal that ends anywhere has the blocks that are whole; what comes later is added after them.
static void test_cut_journal(void **state)
{
    (void)state;
    const char *name = path("journal");
    static const char *const text[] = {"first", "", "third"};
    char bytes[64];
    size_t end[4];
    Buffer file = {0};
    record_begin_file(&file);
    record_put(&file, RECORD_KEY, "key", 3);
    end[0] = file.length;
    for (int i = 0; i < 3; i++) {
        record_put(&file, RECORD_BLOCK, bytes, make_result(bytes, (uint64_t)i, 0, text[i]));
        end[i + 1] = file.length;
    }
    for (size_t size = 1; size <= file.length; size++) {
        const size_t blocks = (size_t)((size >= end[1]) + (size >= end[2]) + (size >= end[3]));
        write_bytes(name, file.start, size);
        Hub *h = open_hub(1, 0, name, "key");
        assert_non_null(h);
        assert_int_equal(hub_done(h), blocks);
        put(h, 3, 0, "fourth");
        hub_free(h, true);
        h = open_hub(1, 0, name, "key");
        assert_non_null(h);
        assert_int_equal(hub_done(h), blocks + 1);
        const SearchShare share = hub_share(h);
        for (size_t i = blocks; i < 3; i++)
            put(h, i, 0, "again");
        hub_ended(h, 4);
        for (size_t i = 0; i < 3; i++)
            expect_next(&share, i < blocks ? text[i] : "again");
        expect_next(&share, "fourth");
        expect_end(&share);
        hub_free(h, false);
    }
    // a damaged block: nothing after it counts
    file.start[end[2] - 1] ^= 1;
    write_bytes(name, file.start, file.length);
    Hub *h = open_hub(1, 0, name, "key");
    assert_int_equal(hub_done(h), 1);
    hub_free(h, true);
    // a file that ends in its key is begun again, also for another search
    write_bytes(name, file.start, end[0] - 1);
    h = open_hub(1, 0, name, "k");
    struct stat status;
    assert_int_equal(stat(name, &status), 0);
    assert_int_equal(status.st_size, 24 + 24 + 1);
    hub_free(h, false);
    // and so is one that has other records instead: what is before the key belongs to no search
    for (int i = 0; i < 3; i++) {
        file.length = 24;
        if (i == 0)
            record_put_numbers(&file, RECORD_PART, (const int64_t[]){1, 1}, 2);
        else
            record_put(&file, RECORD_BLOCK, bytes, make_result(bytes, 0, 0, "first"));
        if (i == 2)
            record_put(&file, RECORD_KEY, "key", 3);
        write_bytes(name, file.start, file.length);
        h = open_hub(1, 0, name, "key");
        assert_int_equal(hub_done(h), 0);
        assert_int_equal(stat(name, &status), 0);
        assert_int_equal(status.st_size, 24 + 24 + 3);
        put(h, 1, 0, "second");
        hub_free(h, true);
        h = open_hub(1, 0, name, "key");
        assert_int_equal(hub_done(h), 1);
        hub_free(h, false);
    }
    buffer_free(&file);
}

// Results that are in memory and in the file, in turn, of different lengths.
static void test_journal_and_memory(void **state)
{
    (void)state;
    enum { LONG = 1 << 20 };
    const char *name = path("journal");
    char *bytes = calloc(1, LONG);
    const char *got;
    size_t length;
    Hub *h = open_hub(1, 0, name, "key");
    for (uint64_t block = 0; block < 6; block += 2) {
        make_result(bytes, block, 0, "long");
        bytes[LONG - 1] = (char)(1 + block);
        assert_true(hub_put(h, bytes, LONG));
    }
    hub_free(h, true);
    h = open_hub(1, 0, name, "key");
    assert_int_equal(hub_done(h), 3);
    const SearchShare share = hub_share(h);
    put(h, 1, 0, "short");
    put(h, 3, 0, "shorter");
    hub_ended(h, 5);
    for (int block = 0; block < 5; block++) {
        if (block % 2) {
            expect_next(&share, block == 1 ? "short" : "shorter");
            continue;
        }
        assert_true(share.receive(share.user, &got, &length));
        assert_int_equal(length, LONG);
        assert_true(got && got[0] == block && memcmp(got + 16, "long", 4) == 0 && got[LONG - 1] == 1 + block);
    }
    expect_end(&share);
    hub_free(h, false);
    free(bytes);
}

// Which journals stay: those with results, when they are to be kept, and those that a search may not use.
static void test_kept_journal(void **state)
{
    (void)state;
    const char *name = path("journal");
    hub_free(open_hub(1, 0, name, "key"), true); // nothing in it
    assert_int_equal(access(name, F_OK), -1);
    const mode_t mask = umask(0);
    struct stat status;
    Hub *new = open_hub(1, 0, name, "key");
    assert_int_equal(stat(name, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0666);
    hub_free(new, false);
    umask(mask);
    for (int keep = 0; keep <= 1; keep++) {
        Hub *h = open_hub(1, 0, name, "key");
        put(h, 0, 0, "first");
        assert_int_equal(access(name, F_OK), 0);
        hub_free(h, keep);
        assert_int_equal(access(name, F_OK), keep ? 0 : -1);
    }
    hub_free(open_hub(1, 0, name, "key"), true); // of the search before
    assert_int_equal(access(name, F_OK), 0);
    unlink(name);
}

static void expect_refusal(const char *journal, const char *key, const char *message)
{
    const int err = captured_begin(2);
    Hub *h = open_hub(1, 0, journal, key);
    assert_string_equal(captured_end(2, err), message);
    assert_null(h);
}

static void test_refused_journals(void **state)
{
    (void)state;
    char message[500];
    const char *name = path("journal"), *nowhere = path("nowhere/journal");
    snprintf(message, sizeof message, "cqlgen: cannot open %s: No such file or directory\n", nowhere);
    expect_refusal(nowhere, "key", message);
    expect_refusal("/dev/full", "key", "cqlgen: cannot write /dev/full: No space left on device\n");
    assert_int_equal(access("/dev/full", F_OK), 0);
    static const char *const other[] = {"cqlgen partial results \n", // as long as the first line
                                        "cqlgen partial result 1\n"};
    static const char *const why[] = {
        "is not a journal of a search",
        "is the journal of another version of cqlgen; remove it, or name another journal"};
    for (int i = 0; i < 2; i++) {
        write_file(name, other[i]);
        snprintf(message, sizeof message, "cqlgen: %s %s\n", name, why[i]);
        expect_refusal(name, "key", message);
        assert_string_equal(read_file(name), other[i]);
    }
    unlink(name);
    Hub *h = open_hub(1, 0, name, "key");
    put(h, 0, 0, "first");
    snprintf(message, sizeof message, "cqlgen: %s is in use by another search\n", name);
    expect_refusal(name, "key", message);
    hub_free(h, true);
    snprintf(message, sizeof message,
             "cqlgen: %s is the journal of another search: the queries, options, games or version of cqlgen "
             "differ; remove it, or name another journal\n",
             name);
    expect_refusal(name, "keys", message);
    expect_refusal(name, "ke", message);
    expect_refusal(name, "kex", message);
    assert_int_equal(access(name, F_OK), 0);
    h = open_hub(1, 0, name, "key");
    assert_int_equal(hub_done(h), 1);
    hub_free(h, false);
}

// A disk that is full ends the search, with one message.
static void test_full_disk(void **state)
{
    (void)state;
    char bytes[64], message[200], key[1001] = "";
    const char *name = path("journal");
    memset(key, 'k', sizeof key - 1);
    Hub *h = open_hub(1, 0, name, key);
    struct rlimit limit, none;
    getrlimit(RLIMIT_FSIZE, &limit);
    none = limit;
    none.rlim_cur = 24 + 24 + sizeof key; // the message has room in its file
    const int err = captured_begin(2);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &none);
    const bool first = hub_put(h, bytes, make_result(bytes, 0, 0, "first")),
               second = hub_put(h, bytes, make_result(bytes, 1, 0, "second"));
    const uint64_t length = make_result(bytes + sizeof length, 2, 0, "third");
    memcpy(bytes, &length, sizeof length);
    const bool third = hub_put_all(h, bytes, sizeof length + length);
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_DFL);
    snprintf(message, sizeof message, "cqlgen: cannot write %s: File too large\n", name);
    assert_string_equal(captured_end(2, err), message);
    assert_false(first || second || third);
    uint64_t begin, end;
    assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_NONE);
    hub_free(h, false);
}

// A journal that somebody has removed cannot be removed again.
static void test_lost_journal(void **state)
{
    (void)state;
    char message[200];
    const char *name = path("journal");
    for (int keep = 0; keep < 2; keep++) {
        Hub *h = open_hub(1, 0, name, "key");
        if (keep)
            put(h, 0, 0, "first");
        unlink(name);
        const int err = captured_begin(2);
        hub_free(h, keep);
        snprintf(message, sizeof message, "cqlgen: cannot remove the journal %s: No such file or directory\n",
                 name);
        assert_string_equal(captured_end(2, err), keep ? "" : message);
    }
}

// A journal that cannot be read any more ends the search, with one message; a signal does not.
static void test_calls(void **state)
{
    (void)state;
    char message[200], bytes[64];
    const char *name = path("journal");
    slow_calls = true;
    Hub *h = open_hub(1, 0, name, "the key");
    put(h, 0, 0, "first");
    hub_free(h, true);
    h = open_hub(1, 0, name, "the key");
    assert_non_null(h);
    const SearchShare share = hub_share(h);
    expect_next(&share, "first");
    slow_calls = false;
    assert_int_equal(hub_done(h), 1);
    hub_free(h, true);
    h = open_hub(1, 0, name, "the key");
    const int err = captured_begin(2);
    failing_reads = EIO;
    const bool first = hub_put(h, bytes, make_result(bytes, 1, 0, "second"));
    failing_reads = 0;
    snprintf(message, sizeof message, "cqlgen: cannot read %s again\n", name);
    assert_string_equal(captured_end(2, err), message);
    assert_false(first);
    uint64_t begin, end;
    assert_int_equal(hub_claim(h, 0, false, &begin, &end), HUB_NONE);
    hub_free(h, false);
}

static void test_lost_results(void **state)
{
    (void)state;
    char message[200];
    const char *name = path("journal"), *bytes = "";
    size_t length;
    Hub *h = open_hub(1, 0, name, "key");
    put(h, 0, 0, "first");
    hub_free(h, true);
    h = open_hub(1, 0, name, "key"); // the result is in the file alone
    assert_int_equal(truncate(name, 60), 0);
    const SearchShare share = hub_share(h);
    const int err = captured_begin(2);
    assert_true(share.receive(share.user, &bytes, &length));
    snprintf(message, sizeof message, "cqlgen: cannot read %s again\n", name);
    assert_string_equal(captured_end(2, err), message);
    assert_null(bytes);
    hub_free(h, false);
}

// ---- blocks of several chunks ------------------------------------------------------------------------------

// A chunk has about 4 MB of PGN.
enum { GAMES = 12000, COMMENT = 1500 };

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
    static const char *const text[] = {"1", "", "the third one"};
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
    for (size_t i = begin; i <= file.length; i++) { // a byte is damaged; none in the end
        if (i < file.length)
            file.start[i] ^= 1;
        assert_int_equal(pwrite(fd, file.start, file.length, 0), file.length);
        uint64_t at = begin;
        Record record;
        char bytes[64];
        int good = 0;
        for (int k = 0; k < 3 && record_next(fd, file.length, &at, &record); k++)
            good += record.length < sizeof bytes && record.kind == RECORD_BLOCK &&
                    record_read(fd, &record, bytes) && record.length == strlen(text[k]) &&
                    memcmp(bytes, text[k], record.length) == 0;
        assert_int_equal(good == 3, i == file.length);
        if (i < file.length)
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
#define FILES                                                                                                \
    {                                                                                                        \
        RECORD_FILES, "", {0}, 0                                                                             \
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
    static const Written good[][MOST_RECORDS] = {{PART, FILES, KEY, END},
                                                 {PART, KEY, FILES, {RECORD_BLOCK, block, {0}, 16}, END}};
    static const Written bad[][MOST_RECORDS] = {
        {PART, FILES, KEY},
        {PART, FILES, END},
        {PART, KEY, END},
        {FILES, KEY, END},
        {{RECORD_PART, NULL, {2, 1}, 2}, FILES, KEY, END},
        {{RECORD_PART, NULL, {0, 1}, 2}, FILES, KEY, END},
        {{RECORD_PART, NULL, {1}, 1}, FILES, KEY, END},
        {PART, {RECORD_PART, NULL, {1}, 1}, FILES, KEY, END},
        {PART, FILES, KEY, {RECORD_BLOCK, block, {0}, 3}, END},
        {PART, FILES, KEY, {RECORD_FILES + 1, block, {0}, 3}, END},
        {PART, FILES, KEY, {0x100000000 + RECORD_BLOCK, block, {0}, 16}, END},
        {PART, FILES, KEY, {RECORD_END, NULL, {1, 1}, 2}},
        {PART, FILES, KEY, {RECORD_END, block, {0}, 0}},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(opens(good[i], false));
        assert_false(opens(good[i], true));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (opens(bad[i], false))
            fail_msg("case %d", (int)i);
}

#define OTHER_SEARCH                                                                                         \
    "cqlgen: %s and %s are not parts of one search: the queries, options, games, number of parts or "        \
    "version of cqlgen "                                                                                     \
    "differ\n"

#define OTHER_GAMES "cqlgen: %s and %s were made from different games: the inputs have changed\n"

// ---- parts that are wrong ----------------------------------------------------------------------------------

// The bytes of a set's next block.
static void expect_block(const SearchShare *share, uint64_t number, const char *text)
{
    char wanted[64];
    const size_t wanted_length = make_result(wanted, number, 0, text);
    const char *bytes;
    size_t length;
    assert_true(share->receive(share->user, &bytes, &length));
    assert_int_equal(length, wanted_length);
    assert_memory_equal(bytes, wanted, length);
}

static void give_block(const SearchShare *share, uint64_t number, const char *text)
{
    char bytes[64];
    assert_true(share->give(share->user, number, bytes, make_result(bytes, number, 0, text)));
}

static Partial *create(const char *name, int64_t part, int64_t parts, const char *key)
{
    const Buffer bytes = {(char *)(uintptr_t)key, strlen(key), strlen(key)};
    return partial_create(name, part, parts, &bytes, &(Buffer){0});
}

// Writes a part of a search of `blocks` blocks (-1: it ended before): blocks 10 and 2, and 10 once more.
static const char *make_part(const char *name, int64_t part, int64_t parts, const char *key, int64_t blocks)
{
    name = path(name);
    Partial *p = create(name, part, parts, key);
    assert_non_null(p);
    const SearchShare share = partial_share(p);
    give_block(&share, (uint64_t)(10 * part), "tens");
    give_block(&share, (uint64_t)part, "ones");
    give_block(&share, (uint64_t)(10 * part), "tens again");
    if (blocks >= 0)
        share.ended(share.user, (uint64_t)blocks);
    assert_true(partial_close(p, true));
    return name;
}

static void expect_bad_parts(const char *const *part, size_t count, const char *format, const char *a,
                             const char *b)
{
    char message[600];
    snprintf(message, sizeof message, format, a, b);
    const int err = captured_begin(2);
    PartialSet *set = partial_set_open(part, count);
    assert_string_equal(captured_end(2, err), message);
    assert_null(set);
}

static void test_wrong_parts(void **state)
{
    (void)state;
    const char *const one = make_part("part1", 1, 3, "key", 5),
                      *const two = make_part("part2", 2, 3, "key", 5),
                      *const three = make_part("part3", 3, 3, "key", -1);
    const char *const whole[] = {three, two, one};
    PartialSet *set = partial_set_open(whole, 3);
    assert_non_null(set);
    partial_set_close(set);
    expect_bad_parts((const char *[]){one}, 1, "cqlgen: part 2 of 3 is missing: search it with --part 2/3\n",
                     "", "");
    expect_bad_parts((const char *[]){two, three}, 2,
                     "cqlgen: part 1 of 3 is missing: search it with --part 1/3\n", "", "");
    expect_bad_parts((const char *[]){one, two}, 2,
                     "cqlgen: part 3 of 3 is missing: search it with --part 3/3\n", "", "");
    expect_bad_parts((const char *[]){three, one, two, one}, 4, "cqlgen: %s and %s are both part 1\n", one,
                     one);
    static const struct {
        int64_t parts;
        const char *key;
    } other[] = {{3, "kez"}, {3, "keys"}, {3, "ke"}, {2, "key"}};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        const char *const foreign = make_part("part4", 2, other[i].parts, other[i].key, 5);
        expect_bad_parts((const char *[]){one, foreign, three}, 3, OTHER_SEARCH, one, foreign);
        expect_bad_parts((const char *[]){foreign, one, three}, 3, OTHER_SEARCH, foreign, one);
    }
    for (int64_t blocks = 0; blocks <= 6; blocks += 6) {
        const char *const more = make_part("part4", 2, 3, "key", blocks);
        expect_bad_parts((const char *[]){one, three, more}, 3, OTHER_GAMES, one, more);
        expect_bad_parts((const char *[]){more, one, three}, 3, OTHER_GAMES, more, one);
    }
    const char *const absent = path("absent");
    expect_bad_parts((const char *[]){one, absent, three}, 3,
                     "cqlgen: cannot read %s: No such file or directory\n", absent, "");
    expect_bad_parts((const char *[]){folder}, 1,
                     "cqlgen: %s: not a partial result of a search (made with --part)\n", folder, "");
    expect_bad_parts((const char *[]){write_file(path("part4"), "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n")}, 1,
                     "cqlgen: %s: not a partial result of a search (made with --part)\n", path("part4"), "");
}

// A part that is cut off, and one whose results are damaged: this is seen when they are read.
static void test_damaged_parts(void **state)
{
    (void)state;
    char message[300];
    const char *const name = strdup(make_part("part1", 1, 1, "key", 5)), *bytes = "";
    struct stat status;
    size_t length;
    assert_int_equal(stat(name, &status), 0);
    const int fd = open(name, O_RDWR);
    assert_int_equal(pwrite(fd, "T", 1, 24 + (24 + 16) + (24 + 3) + 24 + 16), 1); // "Tens"
    PartialSet *set = partial_set_open(&name, 1);
    assert_non_null(set);
    const SearchShare share = partial_set_share(set);
    expect_block(&share, 1, "ones");
    const int err = captured_begin(2);
    assert_true(share.receive(share.user, &bytes, &length));
    snprintf(message, sizeof message, "cqlgen: %s: the partial result is damaged; search this part again\n",
             name);
    assert_string_equal(captured_end(2, err), message);
    assert_null(bytes);
    partial_set_close(set);
    for (off_t size = status.st_size - 1; size >= 24; size--) {
        assert_int_equal(ftruncate(fd, size), 0);
        expect_bad_parts(&name, 1, "cqlgen: %s: the partial result is incomplete; search this part again\n",
                         name, "");
    }
    close(fd);
    free((char *)name);
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"journal", "games.pgn", "games.cqldb", "found", "result.part",
                                        "part1",   "part2",     "part3",       "part4"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_parts),
        cmocka_unit_test(test_damaged_parts),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_cut_journal),
        cmocka_unit_test(test_journal_and_memory),
        cmocka_unit_test(test_kept_journal),
        cmocka_unit_test(test_refused_journals),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_lost_journal),
        cmocka_unit_test(test_lost_results),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_partial_records),
        cmocka_unit_test(test_mutexes),
    };
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
