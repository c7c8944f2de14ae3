// Compiled matchers as files: shared objects, compilers that fail, the cache.
#include "engine_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "compiler/back/backends.h"
#include "runtime/match/seal.h"

// Compiles the text with a change to a matcher that the program must refuse, for the reason.
static void check_refused(char *text, const char *place, const char *other, const char *path,
                          const char *reason)
{
    char *at = strstr(text, place), *message, kept[64];
    assert_non_null(at);
    memcpy(kept, at, strlen(other));
    memcpy(at, other, strlen(other));
    Engine e;
    assert_true(cc_build(text, strlen(text), path, NULL, &message));
    assert_false(engine_load(&e, path, &message));
    assert_non_null(strstr(message, reason));
    free(message);
    memcpy(at, kept, strlen(other));
}

static void test_shared_object(void **state)
{
    (void)state;
    char folder[64], path[128], *message;
    size_t length;
    make_folder(folder);
    snprintf(path, sizeof path, "%s/matcher.so", folder);
    Module *m = small_module();
    char *text = emit_c(&m, 1, HEADER_EMBEDDED, &length, NULL);
    assert_true(cc_build(text, length, path, NULL, &message));
    Engine e;
    assert_true(engine_load(&e, path, &message));
    assert_string_equal(e.matcher->query->name, "test");
    assert_int_equal(hits_of(e.matcher), 3);
    engine_close(&e);
    assert_false(cc_build("this isn't C", 12, path, NULL, &message));
    assert_non_null(strstr(message, "failed"));
    free(message);
    assert_true(engine_load(&e, path, &message)); // what was there stays
    engine_close(&e);
    check_refused(text, "CQL_ABI_VERSION = ", "CQL_ABI_VERSION = 9", path, "version 9");
    // A struct of another size, which the version does not tell.
    check_refused(text, "int32_t screen_cost;", "int64_t screen_cost;", path, "another header");
    check_refused(text, "enum { LINE_LANES = 8 }", "enum { LINE_LANES = 4 }", path, "another header");
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

// The words of CC, or of the option before it; cc without either.
static void test_commands(void **state)
{
    (void)state;
    static const struct {
        const char *variable, *option, *words;
    } cases[] = {
        {NULL, NULL, "cc|"},
        {"", NULL, "cc|"},
        {"  ", NULL, "cc|"},
        {" \t ", NULL, "cc|"},
        {"", "", "cc|"},
        {"x", "  ", "cc|"},
        {"gcc", NULL, "gcc|"},
        {"gcc", "clang", "clang|"},
        {"ccache gcc -O1", NULL, "ccache|gcc|-O1|"},
        {" a\tb  c ", NULL, "a|b|c|"},
        {"a b c d e f", NULL, "a|b|c|d|e|f|"},
        {NULL, "a", "a|"},
    };
    const char *usual = getenv("CC");
    char *kept = usual ? strdup(usual) : NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[64] = "";
        const EngineOptions options = {.cc = cases[i].option};
        if (cases[i].variable)
            setenv("CC", cases[i].variable, 1);
        else
            unsetenv("CC");
        char **word = cc_command(&options);
        for (int k = 0; word[k]; k++)
            strcat(strcat(words, word[k]), "|");
        free(word);
        assert_string_equal(words, cases[i].words);
    }
    if (kept)
        setenv("CC", kept, 1);
    else
        unsetenv("CC");
    free(kept);
}

// What a cached object depends on: the command, the file that it starts, found as a shell finds it, and the flags.
static void test_identity(void **state)
{
    (void)state;
    static const char *const extra[] = {"-mavx2", NULL};
    char folder[64], first[128], second[128], program[192], search[512], command[1024];
    make_folder(folder);
    snprintf(first, sizeof first, "%s/first", folder);
    snprintf(second, sizeof second, "%s/second", folder);
    snprintf(command, sizeof command,
             "mkdir -p %s/own-cc %s && echo >%s/plain-cc && echo >%s/own-cc && cd %s && chmod +x own-cc",
             first, second, first, second, second);
    assert_int_equal(system(command),
                     0); // the first folder has a folder of that name, and a file that is no program
    snprintf(program, sizeof program, "%s/own-cc", second);
    struct stat s;
    assert_int_equal(stat(program, &s), 0);
    char whole[1024], path[320], *text;
    snprintf(path, sizeof path, "%s %lld %lld %ld\n", program, (long long)s.st_size,
             (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
    char *kept = strdup(getenv("PATH"));
    const struct {
        const char *folders[2], *command;
        bool found;
    } cases[] = {{{first, second}, "own-cc", true},      {{"/nowhere", second}, "own-cc", true},
                 {{second, "/nowhere"}, "own-cc", true}, {{first, ""}, "own-cc", false},
                 {{first, second}, "plain-cc", false},   {{"/nowhere", first}, program, true},
                 {{second, second}, "own-cc", true}}; // once, though it is found twice
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length;
        const EngineOptions options = {.cc = cases[i].command};
        snprintf(search, sizeof search, "%s:%s", cases[i].folders[0], cases[i].folders[1]);
        FILE *out = open_memstream(&text, &length);
        setenv("PATH", search, 1);
        cc_identity(out, &options, i == 0 ? extra : NULL);
        setenv("PATH", kept, 1);
        fclose(out);
        snprintf(whole, sizeof whole,
                 "%s\n%s-O2\n-shared\n-fPIC\n-std=gnu11\n-w\n--param=ira-max-loops-num=20\n%s",
                 cases[i].command, cases[i].found ? path : "", i == 0 ? "-mavx2\n" : "");
        assert_string_equal(text, whole);
        free(text);
    }
    free(kept);
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
    assert_int_equal(hits_of(e.matcher), 3);
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

// What a compiler has made cannot be sealed: the message says what cannot be written, and nothing is in its place.
static void test_failing_seal(void **state)
{
    (void)state;
    char folder[64], path[128], made[128], wanted[160], *message;
    struct stat s;
    make_folder(folder);
    snprintf(path, sizeof path, "%s/compiler", folder);
    snprintf(made, sizeof made, "%s/matcher.so", folder);
    snprintf(wanted, sizeof wanted, "cannot write %s: ", made);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(
        file,
        "#!/bin/sh\ncat > /dev/null\nwhile [ \"$1\" != -o ]; do shift; done\nrm -f \"$2\" && mkdir \"$2\"\n");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0755), 0);
    const EngineOptions options = {.cc = path};
    assert_false(cc_build("int x;", 6, made, &options, &message));
    assert_non_null(message);
    assert_memory_equal(message, wanted, strlen(wanted));
    assert_int_not_equal(stat(made, &s), 0);
    free(message);
    remove_folder(folder);
}

// The folders of the cache are made for the user alone, whatever the mask.
static void test_cache_folders(void **state)
{
    (void)state;
    static const char *const made[] = {"new", "new/er", "new/er/cqlgen"};
    char folder[64], path[128];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/new/er", folder);
    setenv("XDG_CACHE_HOME", path, 1);
    const mode_t mask = umask(0);
    const EngineOptions options = {0};
    const Matcher *matcher;
    assert_null(cache_find("int x;", 6, &options, &matcher));
    umask(mask);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        struct stat s;
        snprintf(path, sizeof path, "%s/%s", folder, made[i]);
        assert_int_equal(stat(path, &s), 0);
        assert_int_equal(s.st_mode & 07777, 0700);
    }
    unsetenv("XDG_CACHE_HOME");
    const char *usual = getenv("HOME");
    char *kept = usual ? strdup(usual) : NULL;
    setenv("HOME", folder, 1);
    assert_null(cache_find("int x;", 6, &options, &matcher));
    snprintf(path, sizeof path, "%s/.cache/cqlgen", folder);
    assert_int_equal(access(path, F_OK), 0);
    if (kept)
        setenv("HOME", kept, 1);
    free(kept);
    remove_folder(folder);
}

static char *read_whole(const char *path, size_t *length)
{
    char *bytes = seal_read_file(path, false, length);
    assert_non_null(bytes);
    assert_int_equal(bytes[*length], 0);
    return bytes;
}

// A seal is good over all bytes before it, its magic and its hash; the name is what ends before it.
static void test_seals(void **state)
{
    (void)state;
    enum { SEAL = 32 };
    char folder[64], path[128];
    size_t length;
    make_folder(folder);
    snprintf(path, sizeof path, "%s/sealed", folder);
    for (int named = 0; named < 2; named++) {
        FILE *file = fopen(path, "w");
        fputs("some code", file);
        fclose(file);
        assert_true(seal_add(path, named ? "/name" : NULL));
        char *bytes = read_whole(path, &length);
        assert_int_equal(length, strlen("some code") + (named ? strlen("/name") : 0) + SEAL);
        assert_memory_equal(bytes, named ? "some code/namecqlgen matcher\n" : "some codecqlgen matcher\n",
                            length - SEAL + 15);
        assert_int_equal(seal_state(bytes, length), SEAL_GOOD);
        assert_int_equal(seal_has_name(bytes, length, "/name"), named);
        assert_int_equal(seal_has_name(bytes, length, "name"), named); // its end
        assert_false(seal_has_name(bytes, length, "/nome"));
        assert_false(seal_has_name(bytes, length, "some code/name"));
        assert_false(seal_has_name(bytes, length, "and some code/name"));
        for (size_t i = 0; i < length; i++) {
            bytes[i] ^= 1;
            assert_int_equal(seal_state(bytes, length),
                             i >= length - SEAL && i < length - SEAL / 2 ? SEAL_NONE : SEAL_BROKEN);
            assert_false(seal_has_name(bytes, length, "/name"));
            bytes[i] ^= 1;
        }
        assert_int_equal(seal_state(bytes, length - 1), SEAL_NONE);
        assert_int_equal(seal_state(bytes + length - SEAL, SEAL), SEAL_NONE); // nothing before it
        assert_int_equal(seal_state(bytes, 0), SEAL_NONE);
        free(bytes);
    }
    assert_null(seal_read_file(folder, true, &length));
    assert_int_equal(length, 0);
    char link[160];
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(symlink("sealed", link), 0);
    assert_null(seal_read_file(link, false, &length));
    char *bytes = seal_read_file(link, true, &length);
    assert_non_null(bytes);
    assert_int_equal(length, 9 + 5 + SEAL);
    free(bytes);
    // a program without a standard input opens files as number 0, and closes them
    const int kept = dup(0);
    close(0);
    bytes = seal_read_file(link, true, &length);
    const bool closed = fcntl(0, F_GETFD) < 0;
    dup2(kept, 0);
    close(kept);
    assert_true(closed);
    assert_non_null(bytes);
    free(bytes);
    assert_int_equal(truncate(link, 1 << 27), 0);
    bytes = seal_read_file(link, true, &length);
    assert_non_null(bytes);
    assert_int_equal(length, 1 << 27);
    free(bytes);
    assert_int_equal(truncate(link, 1 << 28), 0); // larger than any matcher
    assert_null(seal_read_file(link, true, &length));
    assert_int_equal(length, 0);
    assert_false(seal_add(folder, "x"));
    remove_folder(folder);
}

// What a matcher says that it needs; a text without its end, or other words, say nothing.
static void test_features(void **state)
{
    (void)state;
#ifdef __x86_64__
    static const char begin[] = "\177ELF cqlgen sealed matcher, needs:";
    const bool has = __builtin_cpu_supports("fma4"), popcnt = __builtin_cpu_supports("popcnt");
    const struct {
        const char *needs;
        bool fma4;
    } cases[] = {{" fma4;", true},   {" fma4 popcnt;", true}, {" popcnt fma4;", true},
                 {";", false},       {" popcnt;", false},     {" fma4x;", false},
                 {" xfma4;", false}, {"; fma4;", false},      {" fma4", false},
                 {"", false},        {" fma4 ", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases && popcnt; i++) {
        char text[128];
        const int length = snprintf(text, sizeof text, "%s%s", begin, cases[i].needs);
        const char *missing = seal_missing_feature(text, (size_t)length);
        if (cases[i].fma4 && !has)
            assert_string_equal(missing, "fma4");
        else
            assert_null(missing);
        assert_int_equal(seal_state(text, (size_t)length), SEAL_BROKEN); // it has lost its seal
        assert_null(seal_missing_feature(text + strlen("\177ELF c"), (size_t)length - strlen("\177ELF c")));
    }
#endif
    assert_null(strstr(seal_text(), "cqlgen sealed matcher")); // this program does not have it whole
    assert_non_null(strstr(seal_text(), "\"cqlgen sealed \" \"matcher, needs:\"\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_object),  cmocka_unit_test(test_commands),
        cmocka_unit_test(test_identity),       cmocka_unit_test(test_bad_compiler),
        cmocka_unit_test(test_failing_screen), cmocka_unit_test(test_failing_seal),
        cmocka_unit_test(test_seals),          cmocka_unit_test(test_features),
        cmocka_unit_test(test_cache_folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
