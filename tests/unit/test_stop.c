// Searches that are stopped at random moments: what they have found is what the games before that moment give.
#include "folder_fixture.h"

#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "compiler/api/query.h"
#include "runtime/database/database.h"
#include "runtime/search/search.h"
#include "runtime/search/sink.h"

// ---- games and queries ------------------------------------------------------------------------------------

enum { KINDS = 4, GAMES = 2400, SOURCES = 4, TRIES = 100 };

// Game N is of the kind N % KINDS. A comment makes it long: few games fill a block.
static const char *const moves[KINDS] = {"1. f3 e5 2. g4 Qh4# 0-1", "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 *",
                                         "1. e4 d5 2. exd5 Qxd5 *", "1. d4 e6 2. c4 Bb4+ 3. Nc3 1-0"};

static const struct {
    const char *text;
    bool finds[KINDS];
} queries[] = {{"check", {true, true, false, true}}, {"mate", {true}},
               {"Q attacks k", {false, true}},       {"result 1-0 b attacks K", {false, false, false, true}},
               {"qd5", {false, false, true}},        {"player \"Even\" qd5", {false, false, true}}};

// The queries of a search.
static const struct {
    uint32_t first, count;
} sets[] = {{0, 1}, {0, 2}, {0, 5}, {5, 1}};
enum { SETS = sizeof sets / sizeof *sets };

typedef enum InputKind { INPUT_PGN, INPUT_DATABASE, INPUT_PIPE, INPUTS } InputKind;
static const char *const input_names[INPUTS] = {"games.pgn", "games.cqldb", "games.pipe"};

static const char *pgn[SOURCES]; // each the same number of games
static CqlQuery *compiled[SETS];

static int64_t read_text(void *user, void *buffer, size_t size)
{
    const char **text = user;
    const size_t length = strlen(*text), count = length < size ? length : size;
    memcpy(buffer, *text, count);
    *text += count;
    return (int64_t)count;
}

static void no_report(void *user, uint64_t line, int64_t game, const char *message)
{
    (void)user, (void)line, (void)game;
    fail_msg("%s", message);
}

static bool not_cut(void *user)
{
    (void)user;
    return false;
}

// Each source becomes a chunk.
static void make_database(const char *name)
{
    static const char *const source[SOURCES] = {"1.pgn", "2.pgn", "3.pgn", "4.pgn"};
    char *message;
    Database *d = database_open(name, DATABASE_CREATE, NULL, &message);
    assert_non_null(d);
    assert_true(database_begin_import(d, source, SOURCES, false, &message));
    for (int i = 0; i < SOURCES; i++) {
        const char *text = pgn[i];
        int64_t games, left_out;
        PgnSplitter *splitter = pgn_split_open(read_text, &text, no_report, NULL);
        const ImportOptions options = {
            .source = source[i], .threads = 1, .report = no_report, .cut = not_cut};
        assert_true(database_import(d, splitter, &options, &games, &left_out, &message));
        assert_int_equal(games, GAMES / SOURCES);
        pgn_split_close(splitter);
    }
    database_close(d);
}

static CqlQuery *compile(uint32_t first, uint32_t count)
{
    CqlSource source[sizeof queries / sizeof *queries];
    for (uint32_t q = 0; q < count; q++)
        source[q] = (CqlSource){queries[first + q].text, queries[first + q].text};
    const CqlCompileOptions options = {.size = sizeof options, .engine = CQL_ENGINE_TCC};
    CqlQuery *query = cql_compile_sources(source, count, &options, NULL);
    assert_non_null(query);
    return query;
}

static int make_all(void **state)
{
    if (open_folder(state) != 0)
        return -1;
    FILE *file = fopen(path(input_names[INPUT_PGN]), "w");
    assert_non_null(file);
    for (int source = 0, n = 1; source < SOURCES; source++) {
        Buffer text = {0};
        for (int i = 0; i < GAMES / SOURCES; i++, n++)
            buffer_format(&text, "[White \"%s\"]\n\n{%0300d} %s\n\n", n % 2 ? "Odd" : "Even", n,
                          moves[n % KINDS]);
        fwrite(text.start, 1, text.length, file);
        buffer_append(&text, "", 1);
        pgn[source] = text.start;
    }
    fclose(file);
    make_database(path(input_names[INPUT_DATABASE]));
    for (size_t i = 0; i < SETS; i++)
        compiled[i] = compile(sets[i].first, sets[i].count);
    return mkfifo(path(input_names[INPUT_PIPE]), 0600);
}

static int remove_all(void **state)
{
    (void)state;
    for (int source = 0; source < SOURCES; source++)
        free((char *)pgn[source]);
    for (size_t i = 0; i < SETS; i++)
        cql_query_free(compiled[i]);
    return remove_files(input_names, INPUTS);
}

// ---- a search that is stopped -----------------------------------------------------------------------------

typedef struct Stopped {
    const Matcher *matcher;
    Buffer found;
    atomic_int left; // games or blocks before the stop
    atomic_int stop;
    atomic_bool told; // something is wrong with the input
    int pipe;         // open for reading and writing, so that neither side waits for the other to open it
    size_t bytes;     // that go into the pipe before the stop
} Stopped;

static void write_number(void *user, Buffer *out, const FoundGame *game, FormatMemory *memory)
{
    (void)memory;
    const Stopped *s = user;
    buffer_format(out, "%lld:", (long long)game->number);
    for (size_t i = 0; i < game->count; i++)
        buffer_format(out, " %d", (int)(game->found[i].query - s->matcher->query));
    buffer_text(out, "\n");
}

static bool take(void *user, const char *bytes, size_t length)
{
    buffer_append(&((Stopped *)user)->found, bytes, length);
    return true;
}

static void tell(void *user, bool is_report, const char *text, size_t length)
{
    (void)is_report, (void)text, (void)length;
    atomic_store(&((Stopped *)user)->told, true);
}

static void count_down(Stopped *s)
{
    if (atomic_fetch_sub(&s->left, 1) == 1)
        atomic_store(&s->stop, 1);
}

static bool stop_at_game(void *user, const Game *game)
{
    (void)game;
    count_down(user);
    return true;
}

static void stop_after_block(void *user, const SearchTotals *totals)
{
    (void)totals;
    count_down(user);
}

// Stops the search when it has read so many bytes and waits for more.
static void *feed(void *user)
{
    Stopped *s = user;
    size_t left = s->bytes;
    for (int source = 0; left > 0; source++) {
        const size_t length = strlen(pgn[source]), count = left < length ? left : length;
        for (size_t at = 0; at < count;)
            at += (size_t)write(s->pipe, pgn[source] + at, count - at);
        left -= count;
    }
    for (int waiting = 1; waiting > 0;)
        if (ioctl(s->pipe, FIONREAD, &waiting) == 0 && waiting > 0)
            poll(NULL, 0, 1);
    atomic_store(&s->stop, 1);
    return write(s->pipe, "\n", 1) == 1 ? s : NULL; // what waits for input looks whether it is stopped
}

// The games up to the last one that the queries find; how many, those of each query `apart` or together.
static int expect(Buffer *text, size_t set, int64_t last, bool apart)
{
    int matches = 0;
    for (int n = 1; n <= last; n++) {
        int found = 0;
        for (uint32_t q = 0; q < sets[set].count; q++) {
            if (!queries[sets[set].first + q].finds[n % KINDS])
                continue;
            if (found++ == 0)
                buffer_format(text, "%d:", n);
            buffer_format(text, " %d", (int)q);
        }
        buffer_text(text, found ? "\n" : "");
        matches += apart ? found : found > 0;
    }
    buffer_append(text, "", 1);
    return matches;
}

static uint32_t random_below(uint32_t count)
{
    static uint64_t state = 7;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(state >> 33) % count;
}

// Searches while another thread feeds the pipe.
static int search_pipe(Stopped *s, const SearchOptions *o, SearchTotals *totals)
{
    pthread_t thread;
    void *fed;
    s->pipe = open(o->input[0], O_RDWR | O_CLOEXEC);
    assert_true(s->pipe >= 0);
    s->bytes = 1 + random_below(SOURCES * (uint32_t)strlen(pgn[0]));
    assert_int_equal(pthread_create(&thread, NULL, feed, s), 0);
    const int status = search_run(s->matcher, o, totals);
    assert_int_equal(pthread_join(thread, &fed), 0);
    assert_non_null(fed);
    close(s->pipe);
    return status;
}

// All games up to the last one that was searched count, and no others.
static void check(Stopped *s, const SearchOptions *o, size_t set, int status, const SearchTotals *totals)
{
    Buffer expected = {0};
    const int games = (int)totals->games, matches = expect(&expected, set, games, o->outputs != NULL);
    buffer_append(&s->found, "", 1);
    if (status != STATUS_INTERRUPTED && !(status == STATUS_OK && games == GAMES))
        fail_msg("the status is %d after %d games", status, games);
    if (totals->matches != matches || (s->found.length > 1 && strcmp(s->found.start, expected.start) != 0))
        fail_msg("set %zu: %d of %d games match, not %d", set, (int)totals->matches, games, matches);
    assert_int_equal(s->found.length > 1, o->sink->write && matches > 0);
    assert_false(s->told);
    buffer_free(&expected);
    buffer_free(&s->found);
}

static void stop_one(InputKind kind, size_t set)
{
    static const char *const nowhere[] = {"/dev/null", "/dev/null", "/dev/null", "/dev/null", "/dev/null"};
    const char *const input[] = {path(input_names[kind])};
    const bool counts = random_below(3) == 0, by_blocks = counts || random_below(4) == 0;
    Stopped s = {.matcher = compiled[set]->engine.matcher};
    s.left = kind == INPUT_PIPE ? 0 : 1 + (int)random_below(by_blocks ? 5 : GAMES);
    const SearchSink sink = {.user = &s, .write = counts ? NULL : write_number, .take = take, .tell = tell};
    const SearchOptions options = {.input = input,
                                   .input_count = 1,
                                   .sink = &sink,
                                   .format = FORMAT_NONE,
                                   .outputs = counts && random_below(2) ? nowhere : NULL,
                                   .threads = 1 + (int)random_below(3),
                                   .quiet = true,
                                   .stop = &s.stop,
                                   .wanted = by_blocks ? NULL : stop_at_game,
                                   .progressed = by_blocks ? stop_after_block : NULL,
                                   .user = &s};
    SearchTotals totals = {0};
    const int status =
        kind == INPUT_PIPE ? search_pipe(&s, &options, &totals) : search_run(s.matcher, &options, &totals);
    check(&s, &options, set, status, &totals);
}

static void stop_searches(InputKind kind)
{
    for (size_t i = 0; i < TRIES; i++)
        stop_one(kind, i % SETS);
}

static void pgn_file(void **state)
{
    (void)state;
    stop_searches(INPUT_PGN);
}

static void database(void **state)
{
    (void)state;
    stop_searches(INPUT_DATABASE);
}

static void pipe_of_games(void **state)
{
    (void)state;
    stop_searches(INPUT_PIPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pgn_file), cmocka_unit_test(database),
                                       cmocka_unit_test(pipe_of_games)};
    return cmocka_run_group_tests(tests, make_all, remove_all);
}
