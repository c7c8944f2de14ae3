// Dictionaries and their memory, strings that are kept, buffers, files that others change, and folders.
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/value/dictionary.h"
#include "runtime/value/folder.h"
#include "runtime/match/run_state.h"
#include "runtime/value/file_mark.h"
#include "run_fixture.h"

// ---- dictionaries -----------------------------------------------------------------------------------------

static void put_int(Dictionary *d, int32_t key, int32_t value, DeferredStrings *g)
{
    dict_put(d, dict_key_int(key), (Slot){.i = value}, g);
}

static void test_dictionary_order(void **state)
{
    (void)state;
    Dictionary d = {.key_type = DICT_INT, .value_type = DICT_INT};
    DeferredStrings g = {0};
    // a permutation of -500 .. 500, since 5 has no factor in common with 1001
    for (int i = 0; i < 1001; i++)
        put_int(&d, i * 5 % 1001 - 500, i, &g);
    assert_int_equal(d.size, 1001);
    int expected = -500;
    for (DictEntry *e = dict_above(&d, NULL); e; e = dict_above(&d, &e->key))
        assert_int_equal(e->key.i, expected++);
    assert_int_equal(expected, 501);
    for (int i = -500; i <= 500; i += 2)
        dict_remove(&d, dict_key_int(i), &g);
    assert_int_equal(d.size, 500);
    assert_null(dict_find(&d, dict_key_int(0)));
    assert_non_null(dict_find(&d, dict_key_int(1)));
    assert_int_equal(dict_above(&d, &(Slot){.i = 0})->key.i, 1);
    assert_int_equal(dict_above(&d, &(Slot){.i = 1})->key.i, 3);
    assert_null(dict_above(&d, &(Slot){.i = 499}));
    dict_clear(&d, &g);
    assert_int_equal(d.bytes, 0);
    dict_free(&d);
    deferred_strings_free(&g);
}

// A large dictionary gives its tables back when it is emptied, and goes on.
static void test_large_dictionary(void **state)
{
    (void)state;
    DeferredStrings g = {0};
    Dictionary d = {.key_type = DICT_INT, .value_type = DICT_INT};
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 70000; i++)
            put_int(&d, i, round, &g);
        assert_int_equal(d.size, 70000);
        assert_int_equal(dict_find(&d, dict_key_int(69999))->value.i, round);
        dict_clear(&d, &g);
        assert_int_equal(d.size, 0);
        assert_null(dict_find(&d, dict_key_int(0)));
        assert_null(dict_above(&d, NULL));
    }
    put_int(&d, 7, 8, &g);
    assert_int_equal(d.size, 1);
    assert_int_equal(dict_above(&d, NULL)->key.i, 7);
    dict_free(&d);
    deferred_strings_free(&g);
}

// A dictionary of strings against an array that is searched from the start: random changes, and an order that is asked for
// sooner or later.
static void check_dictionary_of_strings(bool borrows, uint32_t seed)
{
    enum { KEYS = 200, CHANGES = 3000 };
    static CqlString *key[KEYS];
    static int32_t value[KEYS]; // 0: no entry
    Dictionary d = {.key_type = DICT_STRING, .value_type = DICT_INT, .borrows = borrows};
    DeferredStrings g = {0};
    int32_t size = 0;
    memset(value, 0, sizeof value);
    for (int i = 0; i < KEYS; i++) { // 000 .. 199, with tails of different lengths
        char text[48];
        snprintf(text, sizeof text, "%03d%.*s", i, i % 30, "abcdefghijklmnopqrstuvwxyzabcd");
        key[i] = (CqlString *)(uintptr_t)string_copy(text, strlen(text));
    }
    for (int change = 1; change <= CHANGES; change++) {
        seed = seed * 1103515245u + 12345u;
        const int i = (int)(seed >> 16) % KEYS, what = (int)(seed >> 8) % 8;
        const DictKey k = dict_key_string(key[i]);
        if (what < 5) {
            size += !value[i];
            value[i] = change;
            dict_put(&d, k, (Slot){.i = change}, &g);
        } else if (what < 7) {
            size -= value[i] != 0;
            value[i] = 0;
            dict_remove(&d, k, &g);
        } else if (i == 0) {
            size = 0;
            memset(value, 0, sizeof value);
            dict_clear(&d, &g);
        }
        const DictEntry *found = dict_find(&d, k);
        assert_int_equal(found ? found->value.i : 0, value[i]);
        assert_int_equal(d.size, size);
        if (change % 500 != 0)
            continue;
        const DictEntry *e = dict_above(&d, NULL);
        for (int j = 0; j < KEYS; j++) {
            if (!value[j])
                continue;
            assert_int_equal(string_compare(e->key.t, key[j]), 0);
            assert_int_equal(e->value.i, value[j]);
            e = dict_above(&d, &(Slot){.t = key[j]});
        }
        assert_null(e);
    }
    dict_free(&d);
    deferred_strings_free(&g);
    for (int i = 0; i < KEYS; i++)
        string_free(key[i]);
}

static void test_dictionary_changes(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 4; seed++)
        check_dictionary_of_strings(seed % 2, seed);
}

enum { LOCAL, LASTING, SETS };
static const DictionaryInfo dictionaries[] = {{"Local", DICT_INT, DICT_INT, 1},
                                              {"Lasting", DICT_STRING, DICT_STRING, 0},
                                              {"Sets", DICT_SET, DICT_SET, 1}};

// ---- the empty string -------------------------------------------------------------------------------------

// In arguments NULL means the empty string (docs/matcher.md).
static void null_body(Context *c)
{
    int32_t number = 7;
    String s = NULL, key;
    assert_int_equal(rt_compare(c, NULL, STR("")), 0);
    assert_int_equal(rt_compare(c, STR(""), NULL), 0);
    assert_int_equal(1, rt_compare(c, NULL, STR("a")) < 0 && rt_compare(c, STR("a"), NULL) > 0);
    assert_int_equal(1, rt_contains(c, NULL, STR("a")) && rt_contains(c, NULL, NULL));
    assert_false(rt_contains(c, STR("a"), NULL));
    assert_int_equal(1, rt_index_of(c, NULL, NULL, &number));
    assert_int_equal(number, 0);
    assert_int_equal(rt_length(c, NULL), 0);
    assert_text(rt_concat(c, NULL, NULL), "");
    assert_text(rt_concat(c, NULL, STR("a")), "a");
    assert_text(rt_concat(c, STR("a"), NULL), "a");
    assert_false(rt_subscript(c, NULL, 0, &s));
    assert_text(rt_slice(c, NULL, 0, 1, 0), "");
    assert_false(rt_replace_index(c, NULL, 0, STR("a"), &s));
    assert_int_equal(1, rt_replace_index(c, STR("ab"), 0, NULL, &s));
    assert_text(s, "b");
    assert_text(rt_replace_slice(c, NULL, 0, 0, 0, STR("a")), "a");
    assert_text(rt_replace_slice(c, STR("ab"), 0, 1, 0, NULL), "b");
    assert_text(rt_upper(c, NULL), "");
    assert_text(rt_lower(c, NULL), "");
    assert_false(rt_parse_int(NULL, &number));
    assert_false(rt_char_code(NULL, &number));
    assert_true(rt_makesquare(NULL) == 0);
    assert_text(rt_keep(c, NULL), "");
    assert_text(rt_keep(c, STR("a")), "a");
    assert_false(rt_tag(c, NULL, &s));
    assert_int_equal(1, rt_comment_contains(c, 1, NULL));
    assert_false(rt_comment_contains(c, 0, NULL)); // there is no comment
    rt_dict_key_string(c, NULL);
    rt_dict_put_string(c, LASTING, NULL);
    rt_dict_key_string(c, STR(""));
    assert_int_equal(1, rt_dict_get_string(c, LASTING, &s));
    assert_text(s, "");
    assert_int_equal(1, rt_dict_next_string(c, LASTING, 1, &key));
    assert_text(key, "");
    key = NULL;
    assert_false(rt_dict_next_string(c, LASTING, 0, &key));
    rt_set_tag(c, STR("Tag"), NULL);
    rt_set_tag(c, NULL, STR("value"));
    rt_message(c, 0, NULL, 1);
    rt_sort_string(c, 0, 0, NULL, 0);
    rt_log_add(c, 1, NULL);
}

static void test_null_strings(void **state)
{
    (void)state;
    static const SortKeyInfo sort_key = {.name = "key", .is_string = 1};
    Fixture f = {.query = {.name = "test",
                           .match_game = null_body,
                           .dictionary = dictionaries,
                           .dictionary_count = 3,
                           .sort_key = &sort_key,
                           .sort_key_count = 1}};
    fixture_open(&f);
    fixture_play(&f, "1. e4 {x} *");
    if (f.result.error)
        fail_msg("%s", f.result.error);
    assert_int_equal(f.result.set_tag_count, 2);
    assert_int_equal(f.result.set_tag[0].value.length, 0);
    assert_non_null(f.result.set_tag[0].value.start);
    assert_int_equal(f.result.set_tag[1].name.length, 0);
    assert_int_equal(f.result.messages_length, 1);
    assert_true(f.result.sort[0].has_value && f.result.sort[0].text);
    assert_text(f.result.sort[0].text, "");
    fixture_close(&f);
}

// ---- files ------------------------------------------------------------------------------------------------

static char folder[64];

// Bytes that are not part of a character stay as they are (13.1).
static void characters_body(Context *c)
{
    assert_text(rt_upper(c, STR("a\xff\xc3\xa9")), "A\xff\xc3\x89");
    assert_text(rt_lower(c, STR("\xc3\x89\xc3")), "\xc3\xa9\xc3");
}

static void test_characters(void **state)
{
    (void)state;
    Fixture f = {.query = {.name = "test", .flags = QUERY_CQLI, .match_game = characters_body}};
    fixture_open(&f);
    fixture_play(&f, "*");
    assert_null(f.result.error);
    fixture_close(&f);
}

// ---- buffers, and files that others change ------------------------------------------------------------------

// Formatted texts of all lengths about the one for which there is room at first.
static void test_formatted(void **state)
{
    (void)state;
    for (int length = 1; length < 140; length++) {
        Buffer b = {0};
        char expected[200];
        buffer_text(&b, "x");
        buffer_format(&b, "%*d", length, 7);
        snprintf(expected, sizeof expected, "x%*d", length, 7);
        assert_int_equal(b.length, length + 1);
        assert_memory_equal(b.start, expected, b.length);
        buffer_free(&b);
    }
}

// A file is changed when its size or the time of its last change is another one, to the nanosecond; what is no ordinary file
// never is.
static void test_marks(void **state)
{
    (void)state;
    char name[] = "/tmp/cqlgen-mark.XXXXXX";
    const int fd = mkstemp(name);
    assert_true(fd >= 0);
    unlink(name);
    struct timespec time[2] = {{1000, 5}, {1000, 5}};
    assert_int_equal(futimens(fd, time), 0);
    const FileMark mark = file_mark(fd);
    assert_true(mark.is_ordinary);
    assert_false(file_is_changed(&mark, fd));
    time[0].tv_nsec = 6; // it was only read
    assert_int_equal(futimens(fd, time), 0);
    assert_false(file_is_changed(&mark, fd));
    time[1].tv_nsec = 6;
    assert_int_equal(futimens(fd, time), 0);
    assert_true(file_is_changed(&mark, fd));
    time[1] = (struct timespec){1001, 5};
    assert_int_equal(futimens(fd, time), 0);
    assert_true(file_is_changed(&mark, fd));
    assert_int_equal(ftruncate(fd, 1), 0);
    time[1] = (struct timespec){1000, 5};
    assert_int_equal(futimens(fd, time), 0);
    assert_true(file_is_changed(&mark, fd));
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(futimens(fd, time), 0);
    assert_false(file_is_changed(&mark, fd));
    close(fd);
    assert_true(file_is_changed(&mark, -1));
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const FileMark other = file_mark(ends[0]);
    assert_false(other.is_ordinary);
    assert_false(file_is_changed(&other, ends[0]));
    assert_false(file_mark(-1).is_ordinary);
    close(ends[0]);
    close(ends[1]);
}

// ---- folders ----------------------------------------------------------------------------------------------

// A folder with folders, files and a link is removed, and not what the link leads to.
static void test_folders(void **state)
{
    (void)state;
    char path[128], link[128];
    strcpy(folder, "/tmp/cqlgen-folder-XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (const char *name = "a\0a/b\0kept\0"; *name; name += strlen(name) + 1) {
        snprintf(path, sizeof path, "%s/%s", folder, name);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    for (const char *name = "a/b/c\0a/d\0kept/e\0"; *name; name += strlen(name) + 1) {
        snprintf(path, sizeof path, "%s/%s", folder, name);
        fclose(fopen(path, "w"));
    }
    snprintf(link, sizeof link, "%s/a/link", folder);
    assert_int_equal(symlink("../kept", link), 0);
    snprintf(path, sizeof path, "%s/a", folder);
    folder_remove(path);
    assert_int_not_equal(access(path, F_OK), 0);
    folder_remove(path); // there is nothing
    snprintf(path, sizeof path, "%s/kept/e", folder);
    assert_int_equal(access(path, F_OK), 0);
    folder_remove(path); // a file
    assert_int_not_equal(access(path, F_OK), 0);
    folder_remove(folder);
    assert_int_not_equal(access(folder, F_OK), 0);
}

// A program may begin without a standard input: then a file or a folder has the number 0.
static void test_descriptor_0(void **state)
{
    (void)state;
    char path[128];
    strcpy(folder, "/tmp/cqlgen-folder-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    fclose(fopen(path, "w"));
    const int kept = dup(0);
    close(0);
    const int fd = open(path, O_RDONLY);
    const FileMark mark = file_mark(fd);
    close(0);
    folder_remove(folder);
    const bool closed = fcntl(0, F_GETFD) < 0;
    dup2(kept, 0);
    close(kept);
    assert_int_equal(fd, 0);
    assert_true(mark.is_ordinary);
    assert_true(closed);
    assert_int_not_equal(access(folder, F_OK), 0);
}

// ---- strings of persistent variables ------------------------------------------------------------------------

enum { KEPT_LENGTH = 30000 };
static int kept_game;

static void check_kept(String s, char letter)
{
    assert_int_equal(s->length, KEPT_LENGTH);
    for (uint32_t i = 0; i < s->length; i++)
        if (s->bytes[i] != letter)
            fail_msg("game %d, byte %u", kept_game, (unsigned)i);
}

// The first variable keeps the string of the first game, the second one that of the game before.
static void keeping_body(Context *c)
{
    if (kept_game > 0) {
        check_kept(c->slot[0].t, 'a');
        check_kept(c->slot[1].t, (char)('a' + (kept_game - 1) % 26));
        assert_int_equal(c->slot[2].i, kept_game - 1);
    }
    CqlString *s = run_string_new(c, KEPT_LENGTH);
    memset(s->bytes, 'a' + kept_game % 26, KEPT_LENGTH);
    if (kept_game == 0)
        c->slot[0].t = rt_keep(c, s);
    c->slot[1].t = rt_keep(c, s);
    c->slot[2].i = kept_game;
}

// Strings that no variable has any more give their memory back (7.4), and the others stay: what is kept is looked through
// when there are more than 64 kilobytes, and more than twice as many as were in use the last time and 64 kilobytes.
static void test_kept_strings(void **state)
{
    (void)state;
    static const PersistentInfo persistent[] = {{.name = "First", .slot = 0, .bound_slot = 3, .type = 2},
                                                {.name = "Last", .slot = 1, .bound_slot = 4, .type = 2},
                                                {.name = "Number", .slot = 2, .bound_slot = 5, .type = 0}};
    // Each string takes 30008 bytes. After the third game there are 4: 2 of them are in use, and there may be 185568 bytes, which
    // are 6 strings; so 7 are the most.
    for (int less = 0; less < 2; less++) {
        Fixture f = {.query = {.name = "test",
                               .match_game = keeping_body,
                               .slot_count = 6,
                               .persistent_slots = 6,
                               .persistent = persistent,
                               .persistent_count = 3},
                     .options = {.memory = 7 * 30008 - (size_t)less}};
        fixture_open(&f);
        for (kept_game = 0; kept_game < 40 && !f.result.error; kept_game++) {
            fixture_play(&f, "*");
            game_free(&f.game);
        }
        assert_int_equal(f.result.error != NULL, less);
        assert_int_equal(kept_game, less ? 7 : 40);
        run_free(f.run);
    }
}

// ---- strings that are too long ------------------------------------------------------------------------------

static void test_longest_string(void **state)
{
    (void)state;
    StringArena arena = {.cap = SIZE_MAX};
    assert_null(string_arena_new(&arena, (size_t)INT32_MAX));
    string_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dictionary_order),
        cmocka_unit_test(test_large_dictionary),
        cmocka_unit_test(test_null_strings),
        cmocka_unit_test(test_dictionary_changes),
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_folders),
        cmocka_unit_test(test_descriptor_0),
        cmocka_unit_test(test_formatted),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_kept_strings),
        cmocka_unit_test(test_longest_string),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
