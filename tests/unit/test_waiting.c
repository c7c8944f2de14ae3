// What waits in a search until its turn: the results that a thread collects, the blocks ahead of the output, those that a member reads
// before it searches them.
#include "folder_fixture.h"
#include "run_fixture.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "record_fixture.h"
#include "runtime/search/search.h"
#include "runtime/search/wire.h"

// ---- queries and games ------------------------------------------------------------------------------------

static void match_start(Context *c)
{
    c->hit[c->hit_count++] = 0;
}

static const QueryInfo one = {.name = "test", .source = "", .match_game = match_start};

static int run_search(const QueryInfo *query, SearchOptions o)
{
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, query, "test", CQL_LAYOUT};
    o.quiet = true;
    return search_run(&matcher, &o, NULL);
}

// Games with a comment of this length.
static const char *games(int count, int comment)
{
    const char *file = path("games.pgn");
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    for (int i = 0; i < count; i++)
        fprintf(f, "1. e4 {%0*d} *\n\n", comment, i);
    fclose(f);
    return file;
}

// ---- the results of a thread ------------------------------------------------------------------------------

typedef struct GivenPieces {
    const Plan *plan;
    uint64_t blocks;
    size_t room, games; // of a block's results; that were given
    int full, wrong;    // pieces that others of their block follow; that should have another size
} GivenPieces;

static bool claim_blocks(void *user, uint64_t *begin, uint64_t *end)
{
    GivenPieces *p = user;
    *begin = 0;
    *end = p->blocks;
    p->blocks = 0;
    return *end > 0;
}

// A piece ends with the game that makes it greater than the room.
static bool measure(void *user, uint64_t number, const char *bytes, size_t length)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    GivenPieces *p = user;
    bool more;
    assert_true(share_block_head(bytes, &number, &more));
    Block *block = block_get(p->plan, bytes, length);
    assert_non_null(block);
    const size_t count = record_count(block->part), all = block_bytes(block);
    Buffer last = {0};
    const GameRecord end = count > 0 ? record_at(block->part, count - 1) : (GameRecord){0};
    if (count > 0)
        game_record_put(&last, &end);
    pthread_mutex_lock(&mutex);
    p->games += count;
    p->full += more;
    p->wrong += all - last.length > p->room || (all > p->room) != more;
    pthread_mutex_unlock(&mutex);
    buffer_free(&last);
    block_free(block);
    return true;
}

// A thread gives away its results when they are more than its room: all that results may take, divided by the threads, but from a
// thirty-second to a quarter of it.
static void test_room(void **state)
{
    (void)state;
    enum { GAMES = 1800, COMMENT = 200, RESULTS = 320000 }; // bytes of all results: half of the memory
    static const struct {
        int threads;
        size_t room;
    } cases[] = {{1, RESULTS / 4}, {3, RESULTS / 4},   {4, RESULTS / 4},  {5, RESULTS / 5},
                 {8, RESULTS / 8}, {33, RESULTS / 32}, {40, RESULTS / 32}};
    const char *const input[] = {games(GAMES, COMMENT)};
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &one, "test", CQL_LAYOUT};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GivenPieces p = {.blocks = 2, .room = cases[i].room};
        SearchShare share = {.user = &p, .claim = claim_blocks, .give = measure};
        const SearchOptions o = {.input = input,
                                 .input_count = 1,
                                 .threads = cases[i].threads,
                                 .format = FORMAT_PGN,
                                 .run.no_header = true,
                                 .memory = 2 * RESULTS,
                                 .share = &share};
        Plan plan = plan_search(&matcher, &o);
        p.plan = &plan;
        assert_int_equal(run_search(&one, o), STATUS_OK);
        assert_int_equal(p.games, GAMES);
        if (p.full == 0 || p.wrong > 0)
            fail_msg("%d threads: %d of %d pieces have another size", cases[i].threads, p.wrong, p.full);
        plan_free(&plan);
    }
}

// ---- blocks that are ahead --------------------------------------------------------------------------------

enum { BLOCK_COMMENT = 200000 }; // a game is a block

static atomic_int evaluated;
static int wanted; // games that are evaluated while the first one is
static atomic_bool came, more_came;

// The first game waits until the other thread has evaluated as many as are wanted, and a little longer.
static void match_ahead(Context *c)
{
    c->hit[c->hit_count++] = 0;
    if (c->game->number != 1) {
        atomic_fetch_add(&evaluated, 1);
        return;
    }
    for (int i = 0; i < 2000 && atomic_load(&evaluated) < wanted; i++)
        usleep(5000);
    came = atomic_load(&evaluated) >= wanted;
    usleep(30000);
    more_came = atomic_load(&evaluated) > wanted;
}

static void expect_ahead(SearchOptions o, int games_ahead)
{
    const QueryInfo query = {.name = "test", .source = "", .match_game = match_ahead};
    atomic_store(&evaluated, 0);
    wanted = games_ahead;
    o.threads = 2;
    assert_int_equal(run_search(&query, o), STATUS_OK);
    if (!came || more_came)
        fail_msg("%s games than %d were ahead", came ? "more" : "fewer", games_ahead);
}

// Threads go on while results wait for their turn: up to four blocks a thread, and while the results are not more than an eighth of
// the memory for them.
static void test_ahead(void **state)
{
    (void)state;
    const char *const input[] = {games(12, BLOCK_COMMENT)};
    SearchOptions o = {
        .input = input, .input_count = 1, .output = path("out"), .format = FORMAT_PGN, .run.no_header = true};
    assert_int_equal(run_search(&one, o), STATUS_OK);
    char *text = read_file(o.output);
    Buffer record = {0};
    game_record_put(&record, &(GameRecord){.output = {.start = text, .length = strlen(text) / 12}});
    const int64_t game = (int64_t)record.length;
    assert_true(game > BLOCK_COMMENT / 2);
    buffer_free(&record);
    expect_ahead(o, 8); // blocks 1 to 8, when block 0 is to be written
    static const struct {
        double room; // for so many games
        int ahead;
    } cases[] = {{0.5, 1}, {3.3, 4}, {4.4, 5}, {6.9, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        o.memory = (int64_t)(cases[i].room * (double)game * 8 * 2);
        expect_ahead(o, cases[i].ahead);
    }
    o.memory = 3 * game * 8 * 2; // exactly three are not more than that
    expect_ahead(o, 4);
}

// ---- blocks that are read before --------------------------------------------------------------------------

typedef struct Claims {
    uint64_t left, first_reached;
    int reached;
} Claims;

static bool claim_all(void *user, uint64_t *begin, uint64_t *end)
{
    Claims *c = user;
    *begin = 0;
    *end = c->left;
    c->left = 0;
    return *end > 0;
}

static bool drop(void *user, uint64_t number, const char *bytes, size_t length)
{
    (void)user, (void)number, (void)bytes, (void)length;
    return true;
}

static void note_reached(void *user, const SharePlace *place)
{
    Claims *c = user;
    if (c->reached++ == 0)
        c->first_reached = place->block;
}

// A member reads at most 32 MB of what it has claimed before it searches that, after its first block.
static void test_read_before(void **state)
{
    (void)state;
    enum { GAMES = 175, GAME = 200015, MOST = 32 << 20 };
    const char *const input[] = {games(GAMES, GAME - 13)};
    for (int few = 0; few <= 1; few++) {
        Claims c = {.left = few ? 10 : GAMES};
        SearchShare share = {.user = &c, .claim = claim_all, .give = drop, .reached = note_reached};
        assert_int_equal(run_search(&one, (SearchOptions){.input = input,
                                                          .input_count = 1,
                                                          .threads = 1,
                                                          .format = FORMAT_COUNT,
                                                          .share = &share}),
                         STATUS_OK);
        assert_int_equal(c.first_reached, few ? 10 : 1 + (MOST + GAME - 1) / GAME);
    }
}

// ---- threads that give their results away -----------------------------------------------------------------

static atomic_int begun_games, given_blocks;

static bool wait_until(atomic_int *number, int least)
{
    for (int i = 0; i < 2000 && atomic_load(number) < least; i++)
        usleep(5000);
    return atomic_load(number) >= least;
}

// The first two games wait for each other, so that both threads have one; the third waits for three blocks.
static void match_together(Context *c)
{
    c->hit[c->hit_count++] = 0;
    atomic_fetch_add(&begun_games, 1);
    if (c->game->number <= 2)
        came &= wait_until(&begun_games, 2);
    if (c->game->number == 3)
        came &= wait_until(&given_blocks, 3);
}

static bool claim_next(void *user, uint64_t *begin, uint64_t *end)
{
    atomic_int *next = user;
    *begin = (uint64_t)atomic_fetch_add(next, 1);
    *end = *begin + 1;
    return *begin < 6;
}

static bool count_given(void *user, uint64_t number, const char *bytes, size_t length)
{
    (void)user, (void)number, (void)bytes, (void)length;
    atomic_fetch_add(&given_blocks, 1);
    return true;
}

// A thread that has given its results away keeps no other one from doing so.
static void test_giving(void **state)
{
    (void)state;
    const char *const input[] = {games(6, BLOCK_COMMENT)};
    const QueryInfo query = {.name = "test", .source = "", .match_game = match_together};
    atomic_int next = 0;
    SearchShare share = {.user = &next, .claim = claim_next, .give = count_given};
    came = true;
    assert_int_equal(run_search(&query, (SearchOptions){.input = input,
                                                        .input_count = 1,
                                                        .threads = 2,
                                                        .format = FORMAT_COUNT,
                                                        .share = &share}),
                     STATUS_OK);
    assert_true(came);
    assert_int_equal(atomic_load(&given_blocks), 6);
}

// ---- stacks -----------------------------------------------------------------------------------------------

static size_t most_mapped; // bytes at once; 0: as the system says
static size_t stack_bytes;
static int32_t depth;

void *mmap(void *place, size_t size, int access, int flags, int file, off_t at)
{
    if (most_mapped > 0 && size > most_mapped)
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, place, size, access, flags, file, at);
}

static void match_stack(Context *c)
{
    pthread_attr_t attributes;
    void *start;
    assert_int_equal(pthread_getattr_np(pthread_self(), &attributes), 0);
    pthread_attr_getstack(&attributes, &start, &stack_bytes);
    pthread_attr_destroy(&attributes);
    depth = c->depth;
}

// Each thread has a stack of 256 MB, or the half as often as all stacks together need more than there is, but not less than 8 MB.
// Calls may nest the deeper the larger it is: 64000 times in 256 MB.
static void test_stacks(void **state)
{
    (void)state;
    enum { MB = 1 << 20 };
    static const struct {
        int threads;
        size_t mapped, stack; // MB
    } cases[] = {{4, 8, 8},    {1, 8, 8},    {1, 15, 8},    {1, 16, 16},   {1, 100, 64},
                 {3, 256, 64}, {2, 255, 64}, {2, 256, 128}, {1, 255, 128}, {1, 256, 256},
                 {2, 0, 256},  {1, 0, 256}}; // small ones first: the system keeps stacks for later threads
    const char *const input[] = {games(1, 0)};
    const QueryInfo query = {.name = "test", .source = "", .match_game = match_stack};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        most_mapped = cases[i].mapped * MB;
        const int status = run_search(&query, (SearchOptions){.input = input,
                                                              .input_count = 1,
                                                              .threads = cases[i].threads,
                                                              .format = FORMAT_COUNT,
                                                              .output = "/dev/null"});
        most_mapped = 0;
        assert_int_equal(status, STATUS_OK);
        assert_int_equal(stack_bytes, cases[i].stack * MB);
        assert_int_equal(depth, cases[i].stack * MB / (256 * MB / 64000));
    }
}

// ---- progress ---------------------------------------------------------------------------------------------

static bool quick_clock; // twenty times as fast

int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (syscall(SYS_clock_gettime, clock, t) != 0)
        return -1;
    if (quick_clock && clock == CLOCK_MONOTONIC) {
        const int64_t time = (t->tv_sec * 1000000000 + t->tv_nsec) * 20;
        *t = (struct timespec){time / 1000000000, time % 1000000000};
    }
    return 0;
}

static long waited_nanoseconds; // of the last wait

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    struct timespec now, soon;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    waited_nanoseconds = (until->tv_sec - now.tv_sec) * 1000000000 + until->tv_nsec - now.tv_nsec;
    if (quick_clock) {
        soon = (struct timespec){now.tv_sec + (now.tv_nsec + 5000000) / 1000000000,
                                 (now.tv_nsec + 5000000) % 1000000000};
        until = &soon;
    }
    return ((int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))dlsym(
        RTLD_NEXT, "pthread_cond_timedwait"))(condition, mutex, until);
}

static void match_in_time(Context *c)
{
    usleep(60000);
    c->hit[c->hit_count++] = 0;
}

// The progress of what has been read, once a second, while a block is searched.
static void test_progress(void **state)
{
    (void)state;
    enum { GAMES = 3, COMMENT = 2000000 };
    const char *const input[] = {games(GAMES, COMMENT)};
    const QueryInfo query = {.name = "test", .source = "", .match_game = match_in_time};
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &query, "test", CQL_LAYOUT};
    const SearchOptions o = {.input = input,
                             .input_count = 1,
                             .threads = 1,
                             .format = FORMAT_COUNT,
                             .output = "/dev/null",
                             .progress = true};
    quick_clock = true;
    const int err = captured_begin(2), status = search_run(&matcher, &o, NULL);
    char *text = strdup(captured_end(2, err));
    quick_clock = false;
    assert_int_equal(status, STATUS_OK);
    assert_true(waited_nanoseconds > 0 && waited_nanoseconds <= 1000000000);
    int lines = 0, last = -1;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        int percent, found, matches, rate;
        double bytes;
        assert_int_equal(sscanf(line, "%d%% %d games, %d match, %d games/s, %lf MB/s", &percent, &found,
                                &matches, &rate, &bytes),
                         5);
        assert_true((percent >= 33 || found == 0) && percent <= 100); // a game is read before it is searched
        assert_true(found >= last && found <= GAMES && matches == found);
        assert_true(bytes > 0);
        last = found;
    }
    assert_true(lines >= 1);
    free(text);
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"games.pgn", "out"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_room),        cmocka_unit_test(test_ahead),
                                       cmocka_unit_test(test_read_before), cmocka_unit_test(test_giving),
                                       cmocka_unit_test(test_stacks),      cmocka_unit_test(test_progress)};
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
