// The searches of several members that share one search, and of one that gets a faster matcher: what each does, and what comes out.
#include "folder_fixture.h"
#include "mutex_fixture.h"
#include "run_fixture.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "runtime/search/search.h"
#include "runtime/share/hub.h"

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

// A member that is told what to claim.
typedef struct Member {
    Hub *h;
    uint64_t range[4][2];            // those to claim; an empty one: no more
    int claims, soon, given, pieces; // pieces: of the blocks given
    int64_t ended;                   // as it was told; -1: not told
} Member;

static bool claim(void *user, uint64_t *begin, uint64_t *end)
{
    Member *m = user;
    *begin = m->range[m->claims][0];
    *end = m->range[m->claims][1];
    if (*begin == *end)
        return false;
    m->claims++;
    return true;
}

static void claim_soon(void *user)
{
    ((Member *)user)->soon++;
}

static bool find_place(void *user, uint64_t number, SharePlace *place)
{
    return hub_place(((Member *)user)->h, number, place);
}

static void note_place(void *user, const SharePlace *place)
{
    hub_reached(((Member *)user)->h, place);
}

static bool give(void *user, uint64_t number, const char *bytes, size_t length)
{
    Member *m = user;
    uint64_t head;
    bool more;
    assert_true(share_block_head(bytes, &head, &more) && head == number);
    m->given += !more;
    m->pieces++;
    return hub_put(m->h, bytes, length);
}

static void note_end(void *user, uint64_t count)
{
    Member *m = user;
    m->ended = (int64_t)count;
    hub_ended(m->h, count);
}

static SearchShare share_of(Member *m)
{
    m->ended = -1;
    return (SearchShare){.user = m,
                         .claim = claim,
                         .soon = claim_soon,
                         .place = find_place,
                         .reached = note_place,
                         .give = give,
                         .ended = note_end};
}

static Hub *open_hub(void)
{
    return hub_new(&(HubOptions){.members = 2, .key = "key", .key_length = 3});
}

// Collects what the members have given; what is printed is in *said until the next capture.
static int collect(Hub *h, SearchOptions o, SearchTotals *totals, const char **said)
{
    SearchShare share = hub_share(h);
    share.claim = NULL;
    o.share = &share;
    const int err = captured_begin(2), status = run_search(o, totals);
    *said = captured_end(2, err);
    return status;
}

// ---- blocks -----------------------------------------------------------------------------------------------

enum { FILES = 20 };

static const char two_games[] = "1. e4 e5 *\n\n1. d4 d5 2. c4 *\n";

// Each file is a block. A member searches what it has claimed, and nothing else; it says when it wants more, and where the inputs
// end if it has read so far.
static void test_blocks(void **state)
{
    (void)state;
    const char *const file = write_file(path("two.pgn"), two_games), *input[FILES];
    for (int i = 0; i < FILES; i++)
        input[i] = file;
    SearchOptions o = {.input = input, .input_count = FILES, .threads = 1, .output = path("found")};
    SearchTotals totals;
    Member first = {.h = open_hub(), .range = {{0, 3}, {5, FILES}}},
           second = {.h = first.h, .range = {{3, 5}, {FILES, FILES + 4}}};
    SearchShare share = share_of(&first);
    o.share = &share;
    assert_int_equal(run_search(o, &totals), STATUS_OK);
    assert_null(read_file(o.output)); // it is written by another one
    assert_int_equal(first.given, 18);
    assert_int_equal(first.soon, 3 + 9); // at most 8 blocks are left after each of these
    assert_int_equal(first.ended, -1);
    assert_int_equal(totals.games, 36);
    assert_int_equal(totals.matches, 36);
    assert_int_equal(totals.hits, 18 * 7);
    assert_int_equal(totals.positions, 18 * 7);
    assert_int_equal(totals.bytes, 18 * (sizeof two_games - 1));
    share = share_of(&second);
    assert_int_equal(run_search(o, &totals), STATUS_OK);
    assert_int_equal(second.given, 2);
    assert_int_equal(second.ended, FILES);
    assert_int_equal(totals.games, 4);
    const char *said;
    assert_int_equal(collect(first.h, o, &totals, &said), STATUS_OK);
    assert_string_equal(said, "");
    assert_int_equal(totals.games, 40);
    assert_int_equal(totals.matches, 40);
    assert_int_equal(totals.hits, FILES * 7);
    assert_int_equal(totals.bytes, FILES * (sizeof two_games - 1));
    char expected[2000], *end = expected;
    for (int n = 1; n <= 2 * FILES; n++)
        end += sprintf(end, n % 2 ? "%d: 0 1 2\n" : "%d: 0 1 2 3\n", n);
    assert_string_equal(read_file(o.output), expected);
    hub_free(first.h, false);
}

// A member counts the errors and the damage of what it searches. A message about the end of the inputs is a block of its own; one
// about a file between others belongs to the next block.
static void test_errors(void **state)
{
    (void)state;
    const char *const bad = write_file(path("a.pgn"), "1. e4 *\n\n1. Ke5 *\n\n1. d4 Ke4 *\n"),
                      *const absent = path("absent.pgn"), *const input[] = {bad, absent, bad, bad, absent};
    char said_of_bad[400], expected[2000];
    snprintf(said_of_bad, sizeof said_of_bad,
             "%s:1: game 1: test: cql_abort was evaluated\n"
             "%s:3: game 2: illegal move 1. Ke5, the rest of the game is dropped\n"
             "%s:5: game 3: illegal move 1... Ke4, the rest of the game is dropped\n"
             "%s:5: game 3: test: cql_abort was evaluated\n",
             bad, bad, bad, bad);
    SearchOptions o = {.input = input, .input_count = 5, .threads = 1, .output = path("found")};
    SearchTotals totals;
    Member first = {.h = open_hub(), .range = {{0, 1}, {2, 3}}},
           second = {.h = first.h, .range = {{1, 2}, {3, 9}}};
    SearchShare share = share_of(&first);
    o.share = &share;
    assert_int_equal(run_search(o, &totals), STATUS_INPUT); // it has read past the file that is not there
    assert_int_equal(first.given, 2);
    assert_int_equal(first.ended, -1);
    assert_int_equal(totals.games, 6);
    assert_int_equal(totals.errors, 4);
    assert_int_equal(totals.damaged, 4);
    share = share_of(&second);
    assert_int_equal(run_search(o, &totals), STATUS_INPUT);
    assert_int_equal(second.given, 2);
    assert_int_equal(second.ended, 4);
    assert_int_equal(totals.games, 3);
    assert_int_equal(totals.errors, 2);
    assert_int_equal(totals.damaged, 2);
    const char *said;
    assert_int_equal(collect(first.h, o, &totals, &said), STATUS_INPUT);
    char *end = expected + sprintf(expected, "%s", said_of_bad);
    for (int i = 1; i <= 2; i++) {
        if (i == 1)
            end += sprintf(end, "%s: error: cannot read: No such file or directory\n", absent);
        end +=
            sprintf(end, "%s:1: game %d (1 of this file): test: cql_abort was evaluated\n", bad, 3 * i + 1);
        end += sprintf(
            end, "%s:3: game %d (2 of this file): illegal move 1. Ke5, the rest of the game is dropped\n",
            bad, 3 * i + 2);
        end += sprintf(
            end, "%s:5: game %d (3 of this file): illegal move 1... Ke4, the rest of the game is dropped\n",
            bad, 3 * i + 3);
        end +=
            sprintf(end, "%s:5: game %d (3 of this file): test: cql_abort was evaluated\n", bad, 3 * i + 3);
    }
    sprintf(end, "%s: error: cannot read: No such file or directory\n", absent);
    assert_string_equal(said, expected);
    assert_int_equal(totals.games, 9);
    assert_int_equal(totals.errors, 6);
    assert_int_equal(totals.damaged, 6);
    assert_string_equal(read_file(o.output), "2: 0\n5: 0\n8: 0\n");
    hub_free(first.h, false);
}

// A member claims no more when it has as many games as are wanted of all.
static void test_enough(void **state)
{
    (void)state;
    const char *const file = write_file(path("two.pgn"), two_games), *input[FILES];
    for (int i = 0; i < FILES; i++)
        input[i] = file;
    for (int limit = 1; limit <= 5; limit++) {
        Member m = {.h = open_hub(), .range = {{0, FILES}}};
        const SearchShare share = share_of(&m);
        const SearchOptions o = {
            .input = input, .input_count = FILES, .threads = 1, .share = &share, .limit = limit};
        assert_int_equal(run_search(o, NULL), STATUS_OK);
        assert_int_equal(m.given, (limit + 1) / 2);
        hub_free(m.h, false);
    }
}

// A game of a long file; `bad`: an illegal move or an error of the query, at some.
static void put_game(FILE *f, int n)
{
    fprintf(f, "[Event \"game %d of many, so that it takes some room\"]\n\n%s *\n\n", n,
            n % 1000 == 999 ? "1. e4 Ke5"
            : n % 1000 == 1 ? "1. e4"
            : n % 2         ? "1. d4 d5"
                            : "1. c4 c5 2. Nf3");
}

enum { LONG_GAMES = 30000 };

typedef struct Running {
    pthread_t thread;
    SearchOptions options;
    SearchShare share;
    SearchTotals totals;
    Member member;
    int status;
} Running;

static bool claim_of_hub(void *user, uint64_t *begin, uint64_t *end)
{
    Member *m = user;
    m->claims++;
    return hub_claim(m->h, 1, true, begin, end) == HUB_RANGE;
}

static void *run_member(void *user)
{
    Running *r = user;
    r->status = run_search(r->options, &r->totals);
    return NULL;
}

// Members that read the same files, each from places that others know, find what one search finds, and report the same lines.
static void test_members(void **state)
{
    (void)state;
    char long_name[100];
    strcpy(long_name, path("long.pgn"));
    FILE *f = fopen(long_name, "w");
    for (int n = 0; n < LONG_GAMES; n++)
        put_game(f, n);
    fclose(f);
    const char *const input[] = {long_name, write_file(path("two.pgn"), two_games), long_name};
    SearchOptions o = {.input = input, .input_count = 3, .threads = 2, .output = path("want")};
    SearchTotals one, all;
    const int err = captured_begin(2), status = run_search(o, &one);
    char *said = strdup(captured_end(2, err)), *want = strdup(read_file(o.output));
    assert_int_equal(status, STATUS_GAME_ERRORS);
    assert_true(strlen(said) > 2000);
    o.memory = 64 << 10; // a block finds too much for this, and is given away, or written, in pieces
    o.output = path("found");
    const int little = captured_begin(2), little_status = run_search(o, &all);
    assert_string_equal(captured_end(2, little), said);
    assert_int_equal(little_status, STATUS_GAME_ERRORS);
    assert_string_equal(read_file(o.output), want);
    for (int round = 0; round < 4; round++) { // in odd rounds the other member comes when all is over
        Hub *h = open_hub();
        o.memory = round >= 2 ? 64 << 10 : 0;
        o.share = NULL;
        Running other = {.options = o, .member = {.h = h}};
        other.share = share_of(&other.member);
        other.share.claim = claim_of_hub;
        other.options.share = &other.share;
        if (round % 2 == 0)
            assert_int_equal(pthread_create(&other.thread, NULL, run_member, &other), 0);
        const SearchShare share = hub_share(h);
        o.output = path("found");
        o.share = &share;
        const int stream = captured_begin(2), all_status = run_search(o, &all);
        const char *all_said = captured_end(2, stream);
        if (round % 2 == 0)
            pthread_join(other.thread, NULL);
        else
            run_member(&other);
        assert_int_equal(all_status, STATUS_GAME_ERRORS);
        assert_string_equal(all_said, said);
        assert_string_equal(read_file(o.output), want);
        assert_int_equal(all.games, one.games);
        assert_int_equal(all.hits, one.hits);
        assert_int_equal(all.positions, one.positions);
        assert_int_equal(all.damaged, one.damaged);
        assert_int_equal(all.errors, one.errors);
        assert_int_equal(all.bytes, one.bytes);
        assert_true(hub_places(h) > 0);
        assert_true(round < 2 ? other.member.pieces == other.member.given
                              : other.member.pieces >= other.member.given);
        assert_int_equal(other.totals.games > 0, other.member.given > 0);
        assert_true(round % 2 == 0 || (other.member.given == 0 && other.status == STATUS_OK));
        hub_free(h, false);
    }
    o.memory = 0;
    // the second half is read from the place that the first member has reached
    Member first = {.h = open_hub(), .range = {{0, 6}}}, second = {.h = first.h, .range = {{6, 1000}}};
    SearchShare share = share_of(&first);
    o.share = &share;
    o.threads = 1;
    const int stream = captured_begin(2);
    run_search(o, NULL);
    SharePlace place;
    const bool found = hub_place(first.h, 6, &place);
    assert_int_equal(hub_places(first.h), 1); // all was read before the first block was searched
    share = share_of(&second);
    run_search(o, NULL);
    captured_end(2, stream);
    assert_true(found);
    assert_int_equal(place.block, 6);
    assert_int_equal(place.input, 0);
    assert_true(place.pgn.offset >= 6 * 192 * 1024 && place.pgn.offset < 6 * 193 * 1024);
    assert_int_equal(second.ended, 6 + second.given);
    assert_int_equal(second.pieces, second.given);
    const char *half_said;
    assert_int_equal(collect(first.h, o, &all, &half_said), STATUS_GAME_ERRORS);
    assert_string_equal(half_said, said);
    assert_string_equal(read_file(o.output), want);
    hub_free(first.h, false);
    o.memory = 64 << 10;
    Member pieces = {.h = open_hub(), .range = {{0, 1000}}};
    share = share_of(&pieces);
    o.share = &share;
    const int err_of_pieces = captured_begin(2);
    run_search(o, NULL);
    captured_end(2, err_of_pieces);
    assert_true(pieces.pieces > 2 * pieces.given);
    assert_int_equal(collect(pieces.h, o, &all, &half_said), STATUS_GAME_ERRORS);
    assert_string_equal(half_said, said);
    assert_string_equal(read_file(o.output), want);
    assert_int_equal(all.games, one.games);
    assert_int_equal(all.hits, one.hits);
    hub_free(pieces.h, false);
    free(said);
    free(want);
}

// ---- what goes wrong --------------------------------------------------------------------------------------

// Of a database that a member does not have it claims no blocks; its games and blocks have their numbers all the same.
static void test_absent(void **state)
{
    (void)state;
    char command[400];
    const char *const here = path("here.cqldb"), *const input[] = {path("absent.cqldb"), here,
                                                                   path("absent.cqldb")};
    snprintf(command, sizeof command, "cqlgen import -q %s -o %s", write_file(path("two.pgn"), two_games),
             here);
    assert_int_equal(system(command), 0);
    const SearchShard shard[] = {{5, 10, true, {0}}, {1, 2, false, {0}}, {2, 4, true, {0}}};
    Member m = {.h = open_hub(), .range = {{3, 4}}};
    const SearchShare share = share_of(&m);
    SearchOptions o = {.input = input,
                       .input_count = 3,
                       .threads = 1,
                       .shard = shard,
                       .share = &share,
                       .block_chunks = 2,
                       .output = path("found")};
    SearchTotals totals;
    assert_int_equal(run_search(o, &totals), STATUS_OK);
    assert_int_equal(m.given, 1);
    assert_int_equal(totals.games, 2);
    Hub *const h = m.h; // the others give their blocks
    Member others = {.h = h, .range = {{0, 3}, {4, 9}}};
    SearchShare share_of_others = share_of(&others);
    const SearchShard nothing[] = {{5, 10, true, {0}}, {1, 2, true, {0}}, {2, 4, true, {0}}};
    o.share = &share_of_others;
    o.shard = nothing;
    assert_int_equal(run_search(o, &totals), STATUS_OK);
    assert_int_equal(others.given, 4); // three of the first one, one of the last one
    assert_int_equal(others.ended, 5);
    assert_int_equal(totals.games, 0);
    const char *said;
    assert_int_equal(collect(h, o, &totals, &said), STATUS_OK);
    assert_string_equal(said, "");
    assert_string_equal(read_file(o.output), "11: 0 1 2\n12: 0 1 2 3\n");
    hub_free(m.h, false);
}

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

// ---- a faster matcher -------------------------------------------------------------------------------------

static int slow, fast;
static int64_t searched_at[60]; // by game that the slow matcher evaluates: SearchUpgrade.searched
static int64_t upgrade_at;      // the game during which the faster matcher comes
static SearchUpgrade upgrade;

static void match_fast(Context *c)
{
    fast++;
    c->hit[c->hit_count++] = 0;
}

static const QueryInfo fast_query = {.name = "test", .source = "", .match_game = match_fast},
                       fast_sequential = {
                           .name = "test", .source = "", .match_game = match_fast, .flags = QUERY_SEQUENTIAL};
static const Matcher faster[] = {{CQL_MAGIC, CQL_ABI_VERSION, 1, &fast_query, "test", CQL_LAYOUT},
                                 {CQL_MAGIC, CQL_ABI_VERSION, 1, &fast_sequential, "test", CQL_LAYOUT}};
static const Matcher *better;

static void match_slow(Context *c)
{
    slow++;
    c->hit[c->hit_count++] = 0;
    searched_at[c->game->number] = atomic_load(&upgrade.searched);
    if (c->game->number == upgrade_at)
        atomic_store(&upgrade.matcher, better);
}

// The next game after a faster matcher has come is evaluated by that, in PGN and in databases; but not when a query has a memory.
static void test_upgrade(void **state)
{
    (void)state;
    enum { GAMES = 50 };
    char pgn[100], database[100], command[400];
    FILE *f = fopen(strcpy(pgn, path("many.pgn")), "w");
    for (int n = 0; n < GAMES; n++)
        put_game(f, 2 + n);
    const int64_t bytes = ftell(f);
    fclose(f);
    strcpy(database, path("here.cqldb"));
    unlink(database);
    snprintf(command, sizeof command, "cqlgen import -q %s -o %s", pgn, database);
    assert_int_equal(system(command), 0);
    struct stat status;
    assert_int_equal(stat(database, &status), 0);
    for (int i = 0; i < 2; i++)
        for (int sequential = 0; sequential < 2; sequential++)
            for (upgrade_at = 0; upgrade_at <= GAMES; upgrade_at += 10) {
                const char *const input[] = {i ? database : pgn};
                const QueryInfo query = {.name = "test",
                                         .source = "",
                                         .match_game = match_slow,
                                         .flags = sequential ? QUERY_SEQUENTIAL : 0};
                const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &query, "test", CQL_LAYOUT};
                better = &faster[sequential];
                upgrade.searched = upgrade.size = 0;
                atomic_store(&upgrade.matcher, NULL);
                slow = fast = 0;
                const SearchOptions o = {.input = input,
                                         .input_count = 1,
                                         .threads = 1,
                                         .quiet = true,
                                         .output = path("found"),
                                         .format = FORMAT_COUNT,
                                         .upgrade = &upgrade};
                assert_int_equal(search_run(&matcher, &o, NULL), STATUS_OK);
                assert_string_equal(read_file(o.output), "50\n");
                const int64_t by_slow = sequential || upgrade_at == 0 ? GAMES : upgrade_at;
                assert_int_equal(slow, by_slow);
                assert_int_equal(fast, GAMES - by_slow);
                assert_int_equal(upgrade.size, i ? status.st_size : bytes);
                if (!i)
                    assert_int_equal(upgrade.searched, bytes);
                else
                    assert_true(upgrade.searched > 0 && upgrade.searched <= upgrade.size);
                for (int n = 1; n <= by_slow; n++) // a chunk counts game by game, and one share for itself
                    assert_int_equal(searched_at[n], i ? (n + 1) * (upgrade.searched / (GAMES + 1)) : 0);
            }
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"two.pgn",    "long.pgn", "many.pgn", "a.pgn",
                                        "here.cqldb", "want",     "found"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),   cmocka_unit_test(test_enough),  cmocka_unit_test(test_errors),
        cmocka_unit_test(test_members),  cmocka_unit_test(test_absent),  cmocka_unit_test(test_plans),
        cmocka_unit_test(test_failures), cmocka_unit_test(test_upgrade), cmocka_unit_test(test_mutexes),
    };
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
