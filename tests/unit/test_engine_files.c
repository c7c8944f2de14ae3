// Compiled matchers as files: shared objects, compilers that fail, the cache.
#include "engine_fixture.h"

#include <sys/stat.h>

static Module *small_module(void)
{
    Module *m = new_module();
    m->function[0]->body = ir_any(board(m->arena, BLACK_QUEEN));
    return m;
}

static void test_shared_object(void **state)
{
    (void)state;
    char folder[64], path[128], *message;
    size_t length;
    make_folder(folder);
    snprintf(path, sizeof path, "%s/matcher.so", folder);
    Module *m = small_module();
    char *text = emit_c(&m, 1, HEADER_EMBEDDED, &length);
    assert_true(cc_build(text, length, path, NULL, &message));
    Engine e;
    assert_true(engine_load(&e, path, &message));
    assert_string_equal(e.matcher->query->name, "test");
    static Trace t;
    run(e.matcher->query, 100, &t);
    assert_true(t.hit_count > 0);
    engine_close(&e);

    assert_false(cc_build("this isn't C", 12, path, NULL, &message));
    assert_non_null(strstr(message, "failed"));
    free(message);
    assert_true(engine_load(&e, path, &message)); // what was there stays
    engine_close(&e);

    char *version = strstr(text, "CQL_ABI_VERSION = ");
    assert_non_null(version);
    version[strlen("CQL_ABI_VERSION = ")] = '9';
    assert_true(cc_build(text, length, path, NULL, &message));
    assert_false(engine_load(&e, path, &message));
    assert_non_null(strstr(message, "version 9"));
    free(message);

    assert_false(engine_load(&e, folder, &message));
    assert_non_null(strstr(message, "cannot read the matcher"));
    free(message);

    assert_true(cc_build("int x;", 6, path, NULL, &message));
    assert_false(engine_load(&e, path, &message));
    assert_non_null(strstr(message, "cql_matcher"));
    free(message);
    free(text);
    arena_free(m->arena);
    remove_folder(folder);
}

static void test_bad_compiler(void **state)
{
    (void)state;
    Module *m = small_module();
    Engine e;
    char *message;
    const EngineOptions options = {.cc = "no-such-compiler; echo", .no_cache = true};
    assert_false(engine_open(&e, ENGINE_CC, &m, 1, &options, &message));
    assert_non_null(strstr(message, "no-such-compiler;"));
    free(message);
    assert_null(e.matcher);
    engine_close(&e);
    arena_free(m->arena);
}

// A command that compiles as cc does, but fails with a text that has a screen.
static void write_compiler(const char *path, const char *failure)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "#!/bin/sh\ncd \"$(dirname \"$0\")\" || exit 1\necho >> calls\ncat > text.c\n"
            "case \"$*\" in *CQL_NO_SCREENS*) ;; *) grep -q 'screen = SCREEN' text.c && %s ;; esac\n"
            "exec cc \"$@\" < text.c\n",
            failure);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0755), 0);
}

static int line_count(const char *folder, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    int lines = 0;
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    remove(path);
    return lines;
}

// A compiler that fails with a screen is used without it; one that is killed is not started again.
static void test_failing_screen(void **state)
{
    (void)state;
    char folder[64], path[128], *message;
    make_folder(folder);
    snprintf(path, sizeof path, "%s/compiler", folder);
    const EngineOptions options = {.cc = path, .no_cache = true};
    Module *m = small_module(), *without = small_module();
    screen_module(m);
    assert_non_null(m->screen);
    Engine e;

    write_compiler(path, "exit 1");
    assert_true(engine_open(&e, ENGINE_CC, &m, 1, &options, &message));
    assert_null(message);
    assert_true(e.matcher->query->screen == NULL);
    static Trace t;
    run(e.matcher->query, 100, &t);
    assert_true(t.hit_count > 0);
    engine_close(&e);
    assert_int_equal(line_count(folder, "calls"), 2);

    assert_true(engine_open(&e, ENGINE_CC, &without, 1, &options, &message));
    engine_close(&e);
    assert_int_equal(line_count(folder, "calls"), 1);

    write_compiler(path, "kill -9 $$");
    assert_false(engine_open(&e, ENGINE_CC, &m, 1, &options, &message));
    assert_non_null(strstr(message, "failed"));
    free(message);
    assert_int_equal(line_count(folder, "calls"), 1);

    write_compiler(path, "true");
    assert_true(engine_open(&e, ENGINE_CC, &m, 1, &options, &message));
    assert_true(e.matcher->query->screen != NULL);
    engine_close(&e);
    assert_int_equal(line_count(folder, "calls"), 1);
    arena_free(m->arena);
    arena_free(without->arena);
    remove_folder(folder);
}

// The one object of the cache folder; its name into path.
static void find_object(const char *folder, char path[512])
{
    char command[256];
    snprintf(command, sizeof command, "ls '%s'/cqlgen/*.so", folder);
    FILE *list = popen(command, "r");
    assert_non_null(list);
    assert_non_null(fgets(path, 512, list));
    path[strcspn(path, "\n")] = 0;
    char more[8];
    assert_null(fgets(more, sizeof more, list));
    pclose(list);
}

static void test_cache(void **state)
{
    (void)state;
    char folder[64], path[512], *message;
    struct stat first, second;
    make_folder(folder);
    setenv("XDG_CACHE_HOME", folder, 1);
    Module *m = small_module();
    Engine e;
    for (int round = 0; round < 3; round++) {
        assert_true(engine_open(&e, ENGINE_CC, &m, 1, NULL, &message));
        engine_close(&e);
        find_object(folder, path);
        assert_int_equal(stat(path, &second), 0);
        if (round == 1)
            assert_int_equal(first.st_ino, second.st_ino); // used again
        if (round == 2)
            assert_true(second.st_size > 1000); // built again
        first = second;
        if (round == 1)
            assert_int_equal(truncate(path, 700), 0);
    }
    unsetenv("XDG_CACHE_HOME");
    remove_folder(folder);

    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    assert_true(engine_open(&e, ENGINE_CC, &m, 1, NULL, &message));
    engine_close(&e);
    unsetenv("XDG_CACHE_HOME");
    arena_free(m->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_object),
        cmocka_unit_test(test_bad_compiler),
        cmocka_unit_test(test_failing_screen),
        cmocka_unit_test(test_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
