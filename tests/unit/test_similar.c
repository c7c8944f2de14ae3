// The index for `similarposition` (language reference 6.15): what counts as the same position, the names
// of the maps, the comments. Positions are small enough to be mapped by hand.
#include "run_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/match/similar.h"

static const char reference[] =
    "[Event \"1\"]\n[SetUp \"1\"]\n[FEN \"8/8/8/8/3k4/8/1R6/K7 w - - 0 1\"]\n[Result \"*\"]\n\n"
    "1. Rb3 (1. Rh2) Kc4 *\n\n"
    "[Event \"2\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/3P4/4K3 b - - 0 1\"]\n[Result \"*\"]\n\n"
    "1... Kd7 2. d4 *\n\n"
    "[Event \"3\"]\n[SetUp \"1\"]\n[FEN \"nonsense\"]\n[Result \"*\"]\n\n1. e4 *\n\n"
    "[Event \"4\"]\n[SetUp \"1\"]\n[FEN \"3k4/8/8/8/8/8/2P5/3K4 b - - 0 9\"]\n[Result \"*\"]\n\n*\n\n"
    "[Event \"5\"]\n[SetUp \"1\"]\n[FEN \"k7/8/8/8/8/8/P7/K7 w - - 0 1\"]\n[Result \"*\"]\n\n*\n";

static char path[] = "/tmp/cqlgen-similar-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    const int fd = mkstemp(path);
    const ssize_t length = (ssize_t)sizeof reference - 1;
    return fd < 0 || write(fd, reference, (size_t)length) != length || close(fd) != 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static SimilarFile *open_file(bool plain)
{
    char *message = NULL;
    SimilarFile *file = similar_read(path, true, plain, NULL, NULL, &message);
    assert_non_null(file);
    return file;
}

// The matches as "GAME/MOVE NAME;...".
static void assert_matches(const SimilarFile *file, const char *fen, const char *expected)
{
    Position p;
    SimilarMatch match;
    char text[256] = "", name[SIMILAR_NAME_MAX];
    int32_t cursor = -1;
    assert_null(fen_parse(fen, strlen(fen), &p, NULL));
    while (similar_next(file, &p, &cursor, &match)) {
        const int name_length = similar_map_name(match.map, name);
        assert_int_equal(name_length, strlen(name));
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%d/%d %s;", match.game, match.move_number, name);
    }
    assert_string_equal(text, expected);
}

// K on a corner, R and k next to it: the eight images are all different.
static void test_symmetries(void **state)
{
    (void)state;
    SimilarFile *file = open_file(false);
    assert_matches(file, "8/8/8/8/3k4/8/1R6/K7 w - - 0 1", "1/1 ;");
    assert_matches(file, "8/8/8/8/3k4/1R6/8/K7 b - - 0 1", "1/1 ;");
    assert_matches(file, "8/8/8/8/4k3/6R1/8/7K b - - 0 1", "1/1 reflect_v;");
    assert_matches(file, "K7/8/1R6/3k4/8/8/8/8 b - - 0 1", "1/1 reflect_h;");
    assert_matches(file, "7K/8/6R1/4k3/8/8/8/8 b - - 0 1", "1/1 rotate180;");
    assert_matches(file, "8/8/8/8/3k4/8/2R5/K7 b - - 0 1", "1/1 reflect_a1h8;");
    assert_matches(file, "7K/5R2/8/4k3/8/8/8/8 b - - 0 1", "1/1 reflect_a8h1;");
    assert_matches(file, "K7/2R5/8/3k4/8/8/8/8 b - - 0 1", "1/1 clockwise90;");
    assert_matches(file, "8/8/8/8/4k3/8/5R2/7K b - - 0 1", "1/1 counterclockwise90;");
    // Without pawns nothing is shifted, and the side to move counts.
    assert_matches(file, "8/8/8/8/4k3/8/2R5/1K6 w - - 0 1", "");
    assert_matches(file, "8/8/8/8/3k4/8/1R6/K7 b - - 0 1", "");
    similar_free(file);
}

static void test_pawns(void **state)
{
    (void)state;
    SimilarFile *file = open_file(false);
    assert_matches(file, "4k3/8/8/8/8/8/3P4/4K3 b - - 0 1", "2/1 ;4/1 right^1;");
    assert_matches(file, "2k5/8/8/8/8/8/1P6/2K5 b - - 0 1", "2/1 left^2;4/1 left^1;");
    assert_matches(file, "6k1/8/8/8/8/8/7P/6K1 b - - 0 1", "2/1 right^3 reflect_v;4/1 right^2 reflect_v;");
    assert_matches(file, "4k3/8/8/8/8/4P3/8/4K3 b - - 0 1", "");
    assert_matches(file, "3K4/2P5/8/8/8/8/8/3k4 b - - 0 1", "");
    assert_matches(file, "3K4/2p5/8/8/8/8/8/3k4 w - - 0 1", "");
    assert_matches(file, "8/3k4/8/8/8/8/3P4/4K3 w - - 0 1", "2/2 ;");
    // on one file: from the first to the last
    assert_matches(file, "k7/8/8/8/8/8/P7/K7 w - - 0 1", "5/1 ;");
    assert_matches(file, "1k6/8/8/8/8/8/1P6/1K6 w - - 0 1", "5/1 right^1;");
    assert_matches(file, "6k1/8/8/8/8/8/6P1/6K1 w - - 0 1", "5/1 right^6;");
    assert_matches(file, "7k/8/8/8/8/8/7P/7K w - - 0 1", "5/1 right^7;");
    assert_matches(file, "7k/8/8/8/8/8/7P/7K b - - 0 1", "");
    similar_free(file);
}

static void test_plain(void **state)
{
    (void)state;
    SimilarFile *file = open_file(true);
    assert_matches(file, "4k3/8/8/8/8/8/3P4/4K3 b - - 0 1", "2/1 ;");
    assert_matches(file, "8/8/8/8/4k3/8/6R1/7K w - - 0 1", "");
    similar_free(file);
}

// Side lines of the file and games without a position are not searched.
static void test_main_lines_only(void **state)
{
    (void)state;
    SimilarFile *file = open_file(false);
    assert_matches(file, "8/8/8/8/3k4/8/7R/K7 b - - 0 1", "");
    assert_matches(file, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "");
    similar_free(file);
}

// A program without a standard input opens the file as number 0.
static void test_descriptor_0(void **state)
{
    (void)state;
    char *message = NULL;
    const int kept = dup(0);
    close(0);
    errno = EINTR; // of a call before
    SimilarFile *file = similar_read(path, true, false, NULL, NULL, &message);
    const bool closed = fcntl(0, F_GETFD) < 0;
    dup2(kept, 0);
    close(kept);
    assert_true(closed);
    assert_non_null(file);
    assert_matches(file, "8/8/8/8/3k4/8/1R6/K7 w - - 0 1", "1/1 ;");
    similar_free(file);
}

static void test_missing_file(void **state)
{
    (void)state;
    char *message = NULL;
    assert_null(similar_read("/nonexistent/file.pgn", true, false, NULL, NULL, &message));
    assert_string_equal(message,
                        "similarposition: cannot read \"/nonexistent/file.pgn\": No such file or directory");
    free(message);
    assert_null(similar_read(path, false, false, NULL, NULL, &message));
    assert_non_null(strstr(message, path));
    assert_non_null(strstr(message, "\": it is outside the folder for files; --allow-files DIR permits it"));
    free(message);
    assert_null(similar_read("/", true, false, NULL, NULL, &message)); // opens, and cannot be read
    assert_non_null(strstr(message, "similarposition: cannot read \"/\""));
    free(message);
    const QueryInfo query = {.name = "test", .source = "", .similar_file = "/nonexistent/file.pgn"};
    message = NULL;
    assert_null(run_new(&query, NULL, NULL, &message));
    assert_non_null(message);
    free(message);
}

static int32_t least;

static void ask(Context *c)
{
    least = 0;
    if (rt_similar(c, 0, &least))
        c->hit[c->hit_count++] = 0;
}

static void test_comments(void **state)
{
    (void)state;
    Fixture f = {.query = {.name = "test",
                           .source = "",
                           .match_game = ask,
                           .similar_file = path,
                           .flags = QUERY_QUIET},
                 .options = {.comments = true, .any_similar = true, .no_header = true}};
    char expected[128];
    fixture_open(&f);
    fixture_play(&f, "[SetUp \"1\"]\n[FEN \"2k5/8/8/8/8/8/1P6/2K5 b - - 0 1\"]\n\n*\n");
    assert_null(f.result.error);
    assert_int_equal(least, 2);
    assert_int_equal(f.result.log_count, 2);
    snprintf(expected, sizeof expected, "see %s game: 2 at move: 1 btm left^2", path);
    assert_text(f.result.log[0].text, expected);
    snprintf(expected, sizeof expected, "see %s game: 4 at move: 1 btm left^1", path);
    assert_text(f.result.log[1].text, expected);
    game_free(&f.game);
    fixture_play(&f, "[Event \"?\"]\n\n*\n");
    assert_false(f.result.matched);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetries),   cmocka_unit_test(test_pawns),
        cmocka_unit_test(test_plain),        cmocka_unit_test(test_main_lines_only),
        cmocka_unit_test(test_missing_file), cmocka_unit_test(test_comments),
        cmocka_unit_test(test_descriptor_0),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
