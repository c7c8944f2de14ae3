// The inputs of a search as one sequence of games: blocks, sums, places to go on from; reading ahead; databases as text.
#include "folder_fixture.h"
#include "mutex_fixture.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <sqlite3.h>

#include "runtime/database/database.h"
#include "runtime/search/ahead.h"
#include "runtime/search/inputs.h"

static const char three[] = "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n\n1. c4 *\n\n";

static const char *import(const char *name, const char *text)
{
    const char *database = path(name);
    char command[400];
    snprintf(command, sizeof command, "cqlgen import -q %s -o %s", write_file(path("imported.pgn"), text),
             database);
    unlink(database);
    assert_int_equal(system(command), 0);
    return database;
}

// ---- reading ahead ----------------------------------------------------------------------------------------

enum { AHEAD_BYTES = 4 * 256 * 1024 }; // so much is kept at most

typedef struct Producer {
    size_t all, step;
    _Atomic size_t given;
    int64_t end; // what it returns then
    int ends;    // how often it has
} Producer;

static char byte_at(size_t i)
{
    return (char)(i * 7919 >> 8 ^ i);
}

static int64_t produce(void *user, void *buffer, size_t size)
{
    Producer *p = user;
    size_t count = p->all - p->given;
    count = count < p->step ? count : p->step;
    count = count < size ? count : size;
    for (size_t i = 0; i < count; i++)
        ((char *)buffer)[i] = byte_at(p->given + i);
    p->given += count;
    p->ends += count == 0;
    return count > 0 ? (int64_t)count : p->end;
}

static uint64_t produced(const void *user)
{
    return 10 + 2 * ((const Producer *)user)->given;
}

static void test_ahead(void **state)
{
    (void)state;
    enum { PIECE = AHEAD_BYTES / 4 };
    static const size_t lengths[] = {0, 1, PIECE - 1, PIECE, PIECE + 1, 9 * PIECE + 5},
                        steps[] = {1000, PIECE, 10 * PIECE}, sizes[] = {PIECE / 3, PIECE, 2 * PIECE};
    static char buffer[2 * PIECE];
    for (int i = 0; i < 6 * 3 * 2; i++) {
        Producer p = {.all = lengths[i % 6], .step = steps[i / 6 % 3], .end = i / 18 ? -1 : 0};
        const size_t size = sizes[(i + i / 6) % 3];
        ReadAhead *a = ahead_open(produce, produced, &p);
        assert_non_null(a);
        size_t done = 0;
        for (int64_t count; (count = ahead_read(a, buffer, size)) > 0; done += (size_t)count) {
            assert_true((size_t)count <= size);
            assert_false(ahead_ended(a));
            for (size_t k = 0; k < (size_t)count; k++)
                if (buffer[k] != byte_at(done + k))
                    fail_msg("byte %zu", done + k);
            const size_t begun = (done + (size_t)count + PIECE - 1) / PIECE * PIECE;
            assert_int_equal(ahead_offset(a), 10 + 2 * (begun < p.all ? begun : p.all));
        }
        assert_int_equal(done, p.all);
        assert_true(ahead_ended(a));
        assert_int_equal(ahead_offset(a), 10 + 2 * p.all);
        assert_int_equal(ahead_read(a, buffer, size), p.end);
        ahead_close(a);
        assert_int_equal(p.ends, 1); // nothing is read after the end
    }
}

// The memory is bounded, and a thread that waits for its reader can be ended.
static void test_ahead_waits(void **state)
{
    (void)state;
    char byte;
    Producer p = {.all = 100 * AHEAD_BYTES, .step = 5000};
    ReadAhead *a = ahead_open(produce, produced, &p);
    assert_int_equal(ahead_read(a, &byte, 1), 1);
    for (int i = 0; i < 2000 && atomic_load(&p.given) < AHEAD_BYTES; i++)
        usleep(1000);
    usleep(20000); // nothing more comes
    ahead_close(a);
    assert_int_equal(p.given, AHEAD_BYTES);
}

// ---- databases as text ------------------------------------------------------------------------------------

static void execute(const char *database, const char *sql)
{
    sqlite3 *s;
    assert_int_equal(sqlite3_open(database, &s), SQLITE_OK);
    assert_int_equal(sqlite3_exec(s, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(s);
}

// Reads everything in steps; the last result of input_read.
static int64_t read_text(InputFile *f, size_t step, char *text)
{
    int64_t count;
    while ((count = input_read(f, text, step)) > 0) {
        assert_true((size_t)count <= step);
        text += count;
    }
    *text = 0;
    return count;
}

// A database is read by its name alone.
static void test_nameless_database(void **state)
{
    (void)state;
    char text[100];
    const char *const database = import("games.cqldb", three), *const fifo = path("fifo");
    const int64_t size = 65536;
    char *bytes = malloc((size_t)size);
    FILE *in = fopen(database, "r");
    assert_int_equal(fread(bytes, 1, (size_t)size, in), size);
    fclose(in);
    InputFile *f = input_open_memory(bytes, (size_t)size, NULL);
    assert_int_equal(input_read(f, text, 100), -1);
    assert_string_equal(input_error(f), "a database cannot be read from memory; give its file name");
    assert_null(input_database(f));
    input_close(f);
    unlink(fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const pid_t child = fork();
    if (child == 0) {
        const int out = open(fifo, O_WRONLY);
        _exit(write(out, bytes, 1000) != 1000);
    }
    f = input_open(fifo, NULL);
    assert_int_equal(input_read(f, text, 100), -1);
    assert_string_equal(input_error(f), "a database cannot be read from a pipe; give its file name");
    input_close(f);
    assert_int_equal(waitpid(child, NULL, 0), child);
    unlink(fifo);
    free(bytes);
    f = input_open_descriptor(open(database, O_RDONLY), NULL); // a file without a name has one in /proc
    assert_int_equal(read_text(f, 90, text), 0);
    assert_string_equal(text, three);
    input_close(f);
}

static bool without_threads;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user)
{
    if (without_threads)
        return EAGAIN;
    return ((int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
        RTLD_NEXT, "pthread_create"))(thread, attributes, run, user);
}

// Without another thread nothing is read ahead; who reads a compressed file decodes it.
static void test_alone(void **state)
{
    (void)state;
    char text[100], command[300];
    const char *file = write_file(path("a.pgn"), "1. e4 *\n");
    Producer p = {.all = 100, .step = 10};
    without_threads = true;
    assert_null(ahead_open(produce, produced, &p));
    assert_int_equal(p.given, 0);
    snprintf(command, sizeof command, "gzip -kf %s", file);
    assert_int_equal(system(command), 0);
    InputFile *f = input_open(path("a.pgn.gz"), NULL);
    assert_int_equal(read_text(f, 100, text), 0);
    without_threads = false;
    assert_string_equal(text, "1. e4 *\n");
    assert_int_equal(input_offset(f), input_size(f));
    input_close(f);
    unlink(path("a.pgn.gz"));
}

static void test_database_text(void **state)
{
    (void)state;
    static const size_t steps[] = {1, 7, 1000};
    char text[1000];
    const char *database = import("games.cqldb", three);
    for (size_t i = 0; i < 3; i++) {
        InputFile *f = input_open(database, NULL);
        assert_int_equal(read_text(f, steps[i], text), 0);
        assert_string_equal(text, three);
        assert_null(input_error(f));
        assert_false(input_can_go(f));
        assert_int_equal(input_offset(f), input_size(f));
        input_close(f);
    }
    execute(database, "UPDATE chunk SET texts = zeroblob(length(texts))");
    InputFile *f = input_open(database, NULL);
    assert_int_equal(read_text(f, 100, text), -1);
    assert_string_equal(text, "");
    assert_non_null(strstr(input_error(f), "chunk 1 is damaged"));
    assert_false(input_is_cut(f)); // the file is not longer another time
    input_close(f);
}

// ---- blocks -----------------------------------------------------------------------------------------------

static int64_t size_of(const char *name)
{
    struct stat status;
    assert_int_equal(stat(name, &status), 0);
    return status.st_size;
}

typedef struct Expected {
    const char *input;
    int64_t base, games; // games before the file, those of the block
} Expected;

// Files of all kinds, in order.
static void test_blocks(void **state)
{
    (void)state;
    const char *pgn = write_file(path("a.pgn"), "1. e4 *\n\n1. d4 *\n"), *database = import("b.cqldb", three),
               *none = path("none.pgn"), *empty = write_file(path("empty.pgn"), "\n"), *memory = "memory";
    const char *const input[] = {pgn, none, database, empty, memory, database};
    const Text in_memory[6] = {[4] = {"1. a4 *", 7}};
    const SearchOptions o = {.input = input, .input_count = 6, .in_memory = in_memory};
    const Expected expected[] = {{pgn, 0, 2}, {database, 2, 3}, {memory, 5, 1}, {database, 6, 3}};
    Inputs in = {.options = &o};
    Buffer reports = {0};
    const int64_t texts = (int64_t)strlen(three) - 6; // without the lines between games
    const int64_t stored[] = {size_of(pgn), size_of(database), size_of(empty) + 7, size_of(database)},
                  decoded[] = {17, texts, 8, texts};
    int64_t stored_sum = 0, decoded_sum = 0;
    for (size_t i = 0; i < 4; i++) {
        InputBlock block = {0};
        assert_true(inputs_next_block(&in, &reports, &block));
        assert_string_equal(block.input, expected[i].input);
        assert_int_equal(block.number_base, expected[i].base);
        assert_int_equal(block.database != NULL, expected[i].input == database);
        if (block.database) {
            assert_true(block.chunk == 0 && block.chunk_count == 1 && block.first_game == 1);
        } else {
            assert_int_equal(block.pgn.count, expected[i].games);
            assert_int_equal(block.pgn.game[0].number, 1);
        }
        assert_int_equal(inputs_games(&in), expected[i].base + expected[i].games);
        stored_sum += stored[i];
        decoded_sum += decoded[i];
        assert_int_equal(atomic_load(&in.stored), stored_sum);
        assert_int_equal(atomic_load(&in.decoded), decoded_sum);
        assert_int_equal(inputs_bytes(&in), decoded_sum);
        pgn_block_free(&block.pgn);
    }
    assert_false(inputs_next_block(&in, &reports, &(InputBlock){0}));
    assert_int_equal(inputs_games(&in), 9);
    assert_int_equal(inputs_bytes(&in), decoded_sum);
    assert_true(in.failed);
    buffer_append(&reports, "", 1);
    char wanted[500];
    snprintf(wanted, sizeof wanted,
             "%s: error: cannot read: No such file or directory\n%s: warning: this file has no games\n", none,
             empty);
    assert_string_equal(reports.start, wanted);
    buffer_free(&reports);
    inputs_close(&in);
    assert_int_equal(inputs_size(&in), stored_sum);
    assert_int_equal(inputs_count_games(&in, 100), 9);
    assert_int_equal(inputs_count_games(&in, 9), 9);
    assert_int_equal(inputs_count_games(&in, 8), 8);
    assert_int_equal(inputs_size_of(&o, 4), 7);
    assert_int_equal(inputs_size_of(&o, 1), 0);
}

// The name of standard input, which stays open; and of files that seem to be it.
static void test_standard(void **state)
{
    (void)state;
    char text[100];
    const int in = dup(0), file = open(write_file(path("a.pgn"), "1. e4 *\n"), O_RDONLY);
    dup2(file, 0);
    InputFile *f = input_open("-", NULL);
    assert_int_equal(read_text(f, 100, text), 0);
    input_close(f);
    const bool stays = fcntl(0, F_GETFD) >= 0;
    const char *const input[] = {"-"};
    const SearchOptions o = {.input = input, .input_count = 1};
    Inputs inputs = {.options = &o};
    Buffer reports = {0};
    InputBlock block = {0};
    lseek(0, 0, SEEK_SET);
    const bool got = inputs_next_block(&inputs, &reports, &block);
    dup2(in, 0);
    close(in);
    close(file);
    assert_string_equal(text, "1. e4 *\n");
    assert_true(stays && got && block.pgn.count == 1);
    assert_string_equal(block.input, "<stdin>");
    pgn_block_free(&block.pgn);
    inputs_close(&inputs);
    static const char *const names[] = {"--", "-.pgn", "./none", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_null(input_open(names[i], NULL));
}

// A pipe has no size, and then neither have all inputs; the number of a game in its file follows where files came before.
static void test_small(void **state)
{
    (void)state;
    const char *fifo = path("fifo"), *pgn = write_file(path("a.pgn"), "1. e4 *\n");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const char *const input[] = {pgn, fifo};
    const SearchOptions o = {.input = input, .input_count = 2};
    Inputs in = {.options = &o};
    assert_int_equal(inputs_size_of(&o, 0), 8);
    assert_int_equal(inputs_size_of(&o, 1), -1);
    assert_int_equal(inputs_size(&in), 0);
    Buffer out = {0};
    inputs_report(&out, "x.pgn", 7, 0, 3, "a");
    inputs_report(&out, "x.pgn", 8, 5, 0, "b");
    inputs_report(&out, "x.pgn", 9, 5, 3, "c");
    inputs_report(&out, "x.pgn", 9, 1, 0, "d");
    inputs_report(&out, "x.pgn", 9, 2, 1, "e");
    buffer_append(&out, "", 1);
    assert_string_equal(
        out.start, "x.pgn:7: a\nx.pgn:8: game 5: b\nx.pgn:9: game 5 (2 of this file): c\nx.pgn:9: game 1: d\n"
                   "x.pgn:9: game 2 (1 of this file): e\n");
    buffer_free(&out);
}

// ---- places -----------------------------------------------------------------------------------------------

enum { MOST_BLOCKS = 32 };

typedef struct Seen {
    SharePlace place; // before the block
    bool known;
    const char *input;
    int64_t base, first, games, games_after, bytes_after;
    uint64_t line, stored_after;
    char begin[40]; // of its first game
} Seen;

static bool next_seen(Inputs *in, Seen *s)
{
    Buffer reports = {0};
    InputBlock block = {0};
    *s = (Seen){0};
    s->known = inputs_place(in, &s->place);
    if (!inputs_next_block(in, &reports, &block))
        return false;
    assert_int_equal(reports.length, 0);
    const GameText *game = block.pgn.game;
    s->input = block.input;
    s->base = block.number_base;
    s->first = game->number;
    s->line = game->line;
    s->games = (int64_t)block.pgn.count;
    s->games_after = inputs_games(in);
    s->bytes_after = inputs_bytes(in);
    s->stored_after = atomic_load(&in->stored);
    memcpy(s->begin, game->text.start, sizeof s->begin - 1);
    pgn_block_free(&block.pgn);
    return true;
}

static void many_games(const char *name, int count)
{
    FILE *f = fopen(path(name), "w");
    for (int i = 0; i < count; i++)
        fprintf(f, "[Event \"%s %d\"]\n[Site \"%0200d\"]\n\n1. e4 e5 *\n\n", name, i, i);
    fclose(f);
}

// From the place before a block any other reader of the same files gets the same block, whatever it has read before.
static void test_places(void **state)
{
    (void)state;
    many_games("a.pgn", 2500);
    many_games("c.pgn", 1700);
    const char *const input[] = {path("a.pgn"),
                                 write_file(path("b.pgn"), "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n"),
                                 path("c.pgn")};
    const SearchOptions o = {.input = input, .input_count = 3};
    Inputs in = {.options = &o};
    Seen seen[MOST_BLOCKS];
    size_t count = 0;
    while (next_seen(&in, &seen[count]))
        assert_true(++count < MOST_BLOCKS);
    inputs_close(&in);
    assert_true(count >= 7);
    assert_false(seen[0].known); // nothing is open
    size_t places = 0;
    for (size_t target = 0; target < count; target++) {
        const Seen *want = &seen[target];
        places += want->known;
        for (size_t start = 0; start < count && want->known; start++) {
            Inputs other = {.options = &o};
            Seen got;
            for (size_t i = 0; i < start; i++)
                assert_true(next_seen(&other, &got));
            assert_true(inputs_go(&other, &want->place));
            assert_true(next_seen(&other, &got));
            assert_string_equal(got.begin, want->begin);
            assert_string_equal(got.input, want->input);
            assert_true(got.base == want->base && got.first == want->first && got.games == want->games);
            assert_true(got.games_after == want->games_after && got.bytes_after == want->bytes_after);
            assert_int_equal(got.line, want->line);
            assert_true(got.stored_after > want->place.earlier_stored + want->place.pgn.offset);
            assert_false(other.failed);
            inputs_close(&other);
        }
    }
    assert_true(places >= count - 2);
}

// There are no places in what cannot be read from there, and none is gone to in a file that is not there.
static void test_no_places(void **state)
{
    (void)state;
    SharePlace place;
    const char *database = import("b.cqldb", three);
    const char *const input[] = {"memory", database, path("none.pgn")};
    const Text in_memory[3] = {{three, sizeof three - 1}};
    const SearchOptions o = {.input = input, .input_count = 3, .in_memory = in_memory};
    Inputs in = {.options = &o};
    for (int i = 0; i < 2; i++) {
        Buffer reports = {0};
        InputBlock block = {0};
        assert_true(inputs_next_block(&in, &reports, &block));
        assert_false(inputs_place(&in, &place));
        pgn_block_free(&block.pgn);
    }
    for (size_t i = 0; i < 3; i++)
        assert_false(inputs_go(&in, &(SharePlace){.input = i}));
    assert_int_equal(inputs_games(&in), 6); // as before
    inputs_close(&in);
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"a.pgn",        "b.pgn",       "c.pgn",   "empty.pgn",
                                        "imported.pgn", "games.cqldb", "b.cqldb", "fifo"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ahead),         cmocka_unit_test(test_ahead_waits),
        cmocka_unit_test(test_database_text), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_small),         cmocka_unit_test(test_places),
        cmocka_unit_test(test_no_places),     cmocka_unit_test(test_standard),
        cmocka_unit_test(test_alone),         cmocka_unit_test(test_nameless_database),
        cmocka_unit_test(test_mutexes),
    };
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
