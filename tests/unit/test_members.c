// A member of a shared search: results of others that are damaged or missing, and how many blocks there are.
#include "folder_fixture.h"
#include "mutex_fixture.h"
#include "run_fixture.h"

#include <unistd.h>

#include "runtime/search/search.h"

// ---- queries and searches ---------------------------------------------------------------------------------

// Matches at each position; fails in games of one move.
static void match_all(Context *c)
{
    if (c->game->count == 2)
        rt_raise(c, RAISE_ABORT, NULL);
    for (int32_t i = 0; i < c->game->count; i++)
        c->hit[c->hit_count++] = i;
}

static int run_search(SearchOptions o, SearchTotals *totals)
{
    static const QueryInfo query = {.name = "test", .source = "", .match_game = match_all};
    static const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &query, "test", CQL_LAYOUT};
    o.format = FORMAT_POSITIONS;
    o.quiet = true;
    return search_run(&matcher, &o, totals);
}

static const char two_games[] = "1. e4 e5 *\n\n1. d4 d5 2. c4 *\n";

// ---- what goes wrong --------------------------------------------------------------------------------------

typedef struct Received {
    const char *bytes;
    size_t length;
    int left;
} Received;

static bool receive(void *user, const char **bytes, size_t *length)
{
    Received *r = user;
    *bytes = r->bytes;
    *length = r->length;
    return r->left-- > 0;
}

// Keeps a block as bytes.
static bool keep(void *user, uint64_t number, const char *bytes, size_t length)
{
    Buffer *kept = user;
    if (number == 1)
        buffer_append(kept, bytes, length);
    return true;
}

static bool refuse(void *user, uint64_t number, const char *bytes, size_t length)
{
    (void)user, (void)number, (void)bytes, (void)length;
    return false;
}

static bool claim_all(void *user, uint64_t *begin, uint64_t *end)
{
    (void)user;
    *begin = 0;
    *end = 2;
    return true;
}

static bool claim_none(void *user, uint64_t *begin, uint64_t *end)
{
    (void)user, (void)begin, (void)end;
    return false;
}

static void expect_failure(Received received, const char *message)
{
    const char *const input[] = {path("two.pgn"), path("two.pgn")};
    const SearchShare share = {.user = &received, .receive = receive};
    const SearchOptions o = {
        .input = input, .input_count = 2, .threads = 1, .share = &share, .output = path("failed")};
    const int err = captured_begin(2), status = run_search(o, NULL);
    assert_string_equal(captured_end(2, err), message);
    assert_int_equal(status, STATUS_OUTPUT);
    assert_null(read_file(o.output));
}

static void test_failures(void **state)
{
    (void)state;
    Buffer block = {0};
    const char *const file = write_file(path("two.pgn"), two_games), *const input[] = {file, file};
    SearchShare share = {.user = &block, .claim = claim_all, .give = keep};
    SearchOptions o = {.input = input, .input_count = 2, .threads = 1, .share = &share};
    assert_int_equal(run_search(o, NULL), STATUS_OK);
    assert_true(block.length > 16);
    static const char damaged[] =
        "cqlgen: a result of another process is damaged, or comes from another version of cqlgen\n";
    expect_failure((Received){block.start, block.length - 1, 1}, damaged);
    expect_failure((Received){block.start, 16, 1}, damaged);
    expect_failure((Received){NULL, 0, 1}, ""); // it has been reported
    expect_failure(
        (Received){block.start, block.length, 1}, // the second block, without the first one
        "cqlgen: results of some games are missing: the inputs were not the same for all processes\n");
    buffer_free(&block);
    share.give = refuse;
    assert_int_equal(run_search(o, NULL), STATUS_OUTPUT);
    share.claim = claim_none;
    assert_int_equal(run_search(o, NULL), STATUS_OK);
}

// ---- plans ------------------------------------------------------------------------------------------------

// Blocks have more than one chunk where there are 65536 chunks and more, but not more than 64; PGN has a block for each 192 KB begun.
static void test_plans(void **state)
{
    (void)state;
    static const struct {
        int64_t chunks[2], block_chunks;
        uint64_t blocks;
    } cases[] = {
        {{0, 0}, 1, 0},
        {{100, 1}, 1, 101},
        {{65534, 1}, 1, 65535},
        {{65535, 1}, 2, 32768 + 1},
        {{65536, 65535}, 2, 32768 + 32768},
        {{65536, 65536}, 3, 21846 + 21846},
        {{62 * 65536, 65535}, 63, 64496 + 1041},
        {{63 * 65536, 0}, 64, 64512},
        {{64 * 65536, 0}, 64, 65536},
        {{1000 * 65536, 1}, 64, 1024000 + 1},
    };
    const char *const input[] = {path("absent.cqldb"), path("absent.cqldb"), path("a.pgn")};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const SearchShard shard[2] = {{.chunks = cases[i].chunks[0]}, {.chunks = cases[i].chunks[1]}};
        SearchOptions o = {.input = input, .input_count = 2, .shard = shard};
        assert_int_equal(search_plan_blocks(&o), cases[i].blocks);
        assert_int_equal(o.block_chunks, cases[i].block_chunks);
    }
    static const struct {
        long size;
        uint64_t blocks;
    } files[] = {{0, 1}, {1, 1}, {192 * 1024 - 1, 1}, {192 * 1024, 2}, {192 * 1024 * 10, 11}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        write_file(input[2], "");
        assert_int_equal(truncate(input[2], files[i].size), 0);
        SearchOptions o = {.input = input + 1, .input_count = 2}; // one is not there
        assert_int_equal(search_plan_blocks(&o), files[i].blocks);
        assert_int_equal(o.block_chunks, 1);
    }
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"two.pgn", "a.pgn", "failed"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_mutexes),
    };
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
