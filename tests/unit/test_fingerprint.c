// Fingerprints of files, and what journals and partial results say of files that differ.
#include "calls_fixture.h"
#include "folder_fixture.h"
#include "hub_fixture.h"

#include <sys/stat.h>

#include "runtime/search/fingerprint.h"
#include "runtime/share/partial.h"

enum { KB = 1024, SIZE = 2000 * KB, SMALL = 384 * KB };

// Makes a file of bytes that differ from each other, last changed in 1970.
static const char *make_file(const char *name, size_t size)
{
    char *bytes = malloc(size);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(i * i >> 9 ^ i);
    name = path(name);
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
    free(bytes);
    return name;
}

static void set_time(const char *name, int64_t seconds, int64_t nanoseconds)
{
    const struct timespec time[2] = {{1, 1}, {seconds, nanoseconds}};
    assert_int_equal(utimensat(AT_FDCWD, name, time, 0), 0);
}

static Fingerprint look(const char *name)
{
    Fingerprint print;
    assert_true(fingerprint_of(name, &print));
    return print;
}

// Whether another byte at an offset makes another checksum.
static bool notices(const char *name, off_t at)
{
    const uint64_t before = look(name).content;
    const int fd = open(name, O_RDWR);
    char byte;
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte ^= 1;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    const bool noticed = look(name).content != before;
    byte ^= 1;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
    assert_true(look(name).content == before);
    return noticed;
}

// 64 KB at both ends, and between them 64 blocks of 4 KB at equal distances, count; of a small file all bytes.
static void test_samples(void **state)
{
    (void)state;
    const char *name = make_file("games", SIZE);
    assert_true(notices(name, 0) && notices(name, 64 * KB - 1));
    assert_true(notices(name, SIZE - 64 * KB) && notices(name, SIZE - 1));
    off_t last = 0, least = SIZE, most = 0;
    int runs = 0, noticed = 0;
    for (off_t at = 64 * KB; at < SIZE - 64 * KB; at += KB) {
        const bool now = notices(name, at), begins = now && (at == 64 * KB || !notices(name, at - KB));
        noticed += now;
        if (!begins)
            continue;
        if (runs++ > 0) {
            least = at - last < least ? at - last : least;
            most = at - last > most ? at - last : most;
        }
        last = at;
    }
    assert_int_equal(runs, 64);
    assert_int_equal(noticed, 64 * 4);
    assert_true(most - least <= KB);
    name = make_file("games", SMALL);
    for (off_t at = 0; at < SMALL; at += KB)
        assert_true(notices(name, at));
    assert_true(notices(name, SMALL - 1));
}

static void test_differences(void **state)
{
    (void)state;
    const char *const name = make_file("games", 1000), *const empty = make_file("empty", 0);
    set_time(name, 1000, 5);
    const Fingerprint print = look(name);
    assert_true(print.size == 1000 && print.seconds == 1000 && print.nanoseconds == 5);
    set_time(name, 1000, 6);
    Fingerprint other = look(name);
    assert_int_equal(fingerprint_difference(&print, &other), DIFFERS_TIME);
    set_time(name, 1001, 5);
    other = look(name);
    assert_int_equal(fingerprint_difference(&print, &other), DIFFERS_TIME);
    set_time(name, 1000, 5);
    other = look(name);
    assert_int_equal(fingerprint_difference(&print, &other), 0);
    make_file("games", 999);
    set_time(name, 1000, 5);
    other = look(name);
    assert_int_equal(fingerprint_difference(&print, &other), DIFFERS_SIZE | DIFFERS_CONTENT);
    assert_int_equal(look(empty).size, 0);
}

// A pipe is not opened: that would be noticed by those who write to it.
static void test_other_files(void **state)
{
    (void)state;
    const char *const pipe = path("pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    const Fingerprint of_pipe = look(pipe), of_folder = look(folder), of_nothing = look(path("absent"));
    assert_true(of_pipe.size == FINGERPRINT_NONE && of_pipe.content == 0 && of_pipe.seconds == 0);
    assert_true(of_folder.size == FINGERPRINT_NONE && of_nothing.size == FINGERPRINT_NONE);
    assert_int_equal(fingerprint_difference(&of_pipe, &of_nothing), 0);
}

// Reads that are interrupted or short make no other checksum; one that fails makes none.
static void test_reads(void **state)
{
    (void)state;
    const char *const name = make_file("games", 100 * KB);
    const Fingerprint print = look(name);
    Fingerprint other;
    slow_calls = true;
    other = look(name);
    slow_calls = false;
    assert_int_equal(fingerprint_difference(&print, &other), 0);
    failing_reads = EIO;
    const bool good = fingerprint_of(name, &other);
    failing_reads = 0;
    assert_false(good);
}

// ---- lists ------------------------------------------------------------------------------------------------

static const Fingerprint first_file = {1000, 1700000000, 5, 77}, no_file = {FINGERPRINT_NONE, 0, 0, 0};

// The list of `one` and of `two`, with the second file as it is given.
static Buffer list_of(const char *one, const char *two, const Fingerprint *second)
{
    Buffer list = {0};
    fingerprint_put(&list, one, &first_file);
    fingerprint_put(&list, two, second);
    return list;
}

static void test_lists(void **state)
{
    (void)state;
    const char *const name = "two\nlines and blanks ";
    const Fingerprint extreme = {INT64_MAX, INT64_MIN, 999999999, UINT64_MAX};
    Buffer list = list_of("one", name, &extreme), other = list_of("one", "two", &extreme);
    size_t at = 0, count;
    Fingerprint print;
    assert_string_equal(fingerprint_get(&list, &at, &print), "one");
    assert_string_equal(fingerprint_get(&list, &at, &print), name);
    assert_int_equal(fingerprint_difference(&print, &extreme), 0);
    assert_null(fingerprint_get(&list, &at, &print));
    FilePair *pair = fingerprint_pairs(&list, &list, &count);
    assert_int_equal(count, 2);
    assert_null(fingerprint_worst(pair, count));
    free(pair);
    assert_null(fingerprint_pairs(&list, &other, &count));
    for (other.length = 0; other.length < list.length; other.length++) { // cut anywhere
        memcpy(other.start = memory_grow(other.start, &other.capacity, list.length, 1), list.start,
               list.length);
        assert_null(fingerprint_pairs(&list, &other, &count));
        assert_null(fingerprint_pairs(&other, &list, &count));
        assert_int_equal(count, 0);
    }
    buffer_free(&list);
    buffer_free(&other);
}

// The files of a list as they are here, but for the first ones, which stay as they are in it.
static void test_again(void **state)
{
    (void)state;
    const char *const name = make_file("games", 10);
    const Fingerprint here = look(name);
    const Buffer list = list_of(name, name, &no_file);
    for (size_t first = 0; first <= 2; first++) {
        Buffer again = {0};
        size_t count;
        assert_true(fingerprint_put_again(&again, &list, first));
        FilePair *pair = fingerprint_pairs(&list, &again, &count);
        assert_int_equal(count, 2);
        assert_int_equal(fingerprint_difference(&pair[0].second, first > 0 ? &first_file : &here), 0);
        assert_int_equal(fingerprint_difference(&pair[1].second, first > 1 ? &no_file : &here), 0);
        free(pair);
        buffer_free(&again);
    }
    Buffer again = {0}, cut = list;
    cut.length--;
    assert_false(fingerprint_put_again(&again, &cut, 2));
    buffer_free(&again);
    buffer_free(&cut);
}

// What is said of a file that was first_file and is now `second`.
static void expect_told(const Fingerprint *second, const char *wanted)
{
    Buffer text = {0};
    const FilePair pair = {"games", first_file, *second, fingerprint_difference(&first_file, second)};
    fingerprint_tell(&text, &pair);
    buffer_append(&text, "", 1);
    assert_string_equal(text.start, wanted);
    buffer_free(&text);
}

#define FIRST_TIME "2023-11-14 22:13:20.000000005 UTC"

static void test_told(void **state)
{
    (void)state;
    expect_told(&(Fingerprint){1000, 1700000000, 5, 78}, "content");
    expect_told(&(Fingerprint){2000, 1700000000, 5, 78}, "size (1000 bytes and 2000 bytes), content");
    expect_told(&(Fingerprint){1000, 1700000001, 0, 77},
                "time of the last change (" FIRST_TIME " and 2023-11-14 22:13:21.000000000 UTC)");
    expect_told(&(Fingerprint){1000, 0, 999999999, 78},
                "content, time of the last change (" FIRST_TIME " and 1970-01-01 00:00:00.999999999 UTC)");
    expect_told(&(Fingerprint){1000, INT64_MAX, 1, 77},
                "time of the last change (" FIRST_TIME " and @9223372036854775807.000000001)");
    expect_told(&no_file, "size (1000 bytes and no regular file)");
}

// ---- journals and parts -----------------------------------------------------------------------------------

static Hub *open_journal(const char *name, const Buffer *files)
{
    return hub_new(
        &(HubOptions){.members = 1, .journal = name, .key = "key", .key_length = 3, .files = files});
}

static const Fingerprint longer = {2000, 1700000000, 5, 77}, changed = {1000, 1700000000, 5, 78},
                         newer = {1000, 1700000001, 5, 77};

static void test_journals(void **state)
{
    (void)state;
    static const struct {
        const Fingerprint *file;
        const char *message;
    } cases[] = {{&longer, "size (1000 bytes and 2000 bytes); remove %s to begin again, or restore the file"},
                 {&changed, "content; remove %s to begin again, or restore the file"},
                 {&newer,
                  "time of the last change (" FIRST_TIME " and 2023-11-14 22:13:21.000000005 UTC); remove %s "
                  "to begin again, or give the file the first of these times (touch -d) if you know that it "
                  "is the same: only samples of its content were compared"}};
    const char *const name = path("journal");
    Buffer files = list_of("one", "two", &first_file);
    Hub *h = open_journal(name, &files);
    put(h, 0, 0, "first");
    hub_free(h, true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buffer now = list_of("one", "two", cases[i].file), wanted = {0};
        buffer_format(&wanted,
                      "cqlgen: two is not the file with which the search of the journal %s began: they "
                      "differ in ",
                      name);
        buffer_format(&wanted, cases[i].message, name);
        buffer_append(&wanted, "\n", 2);
        const int err = captured_begin(2);
        h = open_journal(name, &now);
        assert_string_equal(captured_end(2, err), wanted.start);
        assert_null(h);
        buffer_free(&now);
        buffer_free(&wanted);
    }
    const Buffer *const other[] = {NULL, &(Buffer){0}};
    for (int i = 0; i < 2; i++) {
        const int err = captured_begin(2);
        h = open_journal(name, other[i]);
        assert_non_null(strstr(captured_end(2, err), "is the journal of another search"));
        assert_null(h);
    }
    h = open_journal(name, &files);
    assert_non_null(h);
    assert_int_equal(hub_done(h), 1);
    hub_free(h, false);
    buffer_free(&files);
}

static const char *make_part(const char *name, int64_t part, const Fingerprint *first,
                             const Fingerprint *second)
{
    Buffer files = {0};
    name = path(name);
    fingerprint_put(&files, "one", first);
    fingerprint_put(&files, "two", second);
    Partial *p = partial_create(name, part, 3, &(Buffer){"key", 3, 3}, &files);
    assert_non_null(p);
    assert_true(partial_close(p, true));
    buffer_free(&files);
    return name;
}

// Files whose times alone differ are warned of, each once; others are refused, also after a warning.
static void test_parts(void **state)
{
    (void)state;
    const char *const part[] = {make_part("part1", 1, &first_file, &first_file),
                                make_part("part2", 2, &first_file, &newer),
                                make_part("part3", 3, &newer, &newer)};
    Buffer wanted = {0};
    for (int file = 1; file >= 0; file--)
        buffer_format(
            &wanted,
            "cqlgen: warning: %s of %s and that of %s differ in time of the last change (" FIRST_TIME
            " and 2023-11-14 22:13:21.000000005 UTC); samples of their content are the same, so the "
            "parts are merged\n",
            file ? "two" : "one", part[0], part[file ? 1 : 2]);
    buffer_append(&wanted, "", 1);
    int err = captured_begin(2);
    PartialSet *set = partial_set_open(part, 3);
    assert_string_equal(captured_end(2, err), wanted.start);
    assert_non_null(set);
    partial_set_close(set);
    wanted.length = 0;
    make_part("part3", 3, &first_file, &changed);
    buffer_format(&wanted,
                  "cqlgen: two of %s and that of %s differ in content; search both parts again over the same "
                  "file\n",
                  part[0], part[2]);
    buffer_append(&wanted, "", 1);
    err = captured_begin(2);
    set = partial_set_open(part, 3);
    const char *said = captured_end(2, err);
    assert_string_equal(strchr(said, '\n') + 1, wanted.start);
    assert_null(set);
    buffer_free(&wanted);
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"games", "empty", "pipe", "journal", "part1", "part2", "part3"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),     cmocka_unit_test(test_differences),
        cmocka_unit_test(test_other_files), cmocka_unit_test(test_reads),
        cmocka_unit_test(test_lists),       cmocka_unit_test(test_again),
        cmocka_unit_test(test_told),        cmocka_unit_test(test_journals),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
