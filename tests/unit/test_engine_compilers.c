// How compilers are called: the system compiler's words, environment and failures, the names of what it makes, and libtcc.
#include "engine_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "compiler/back/backends.h"
#include "runtime/match/load.h"

// ---- a compiler that writes down how it was called --------------------------------------------------------

static char folder[64], compiler[128];

static void begin(void)
{
    make_folder(folder);
    snprintf(compiler, sizeof compiler, "%s/compiler", folder);
}

static const char *in_folder(const char *name)
{
    static char path[4][512];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

// The action has the words as "$@" and the C text as text.c.
static void write_compiler(const char *action)
{
    remove(in_folder("calls"));
    FILE *file = fopen(compiler, "w");
    assert_non_null(file);
    fprintf(file,
            "#!/bin/sh\ncd %s || exit 1\necho call >> calls\nprintf '%%s\\n' \"$@\" > words\n"
            "tr '\\0' '\\n' < /proc/$$/environ > environment\ncat > text.c\n%s\n",
            folder, action);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(compiler, 0755), 0);
}

// The whole file, until the next call of this function; "" when there is none.
static const char *read_file(const char *name)
{
    static char *text;
    size_t length;
    free(text);
    FILE *file = fopen(in_folder(name), "r"), *copy = open_memstream(&text, &length);
    for (int c; file != NULL && (c = getc(file)) != EOF;)
        putc(c, copy);
    if (file != NULL)
        fclose(file);
    fclose(copy);
    return text;
}

static int line_count(const char *name, const char *start)
{
    int lines = 0;
    for (const char *at = read_file(name); at != NULL && *at; at = strchr(at, '\n'), at += at != NULL)
        lines += strncmp(at, start, strlen(start)) == 0;
    return lines;
}

// So many times a folder cannot be removed, as when another process makes a file in it.
static int refused;

int rmdir(const char *path)
{
    if (refused == 0)
        return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
    refused--;
    errno = ENOTEMPTY;
    return -1;
}

static const char compile[] = "exec cc \"$@\" < text.c";
static const char make_file[] = "while [ \"$1\" != -o ]; do shift; done; echo object > \"$2\"";
static const char usual[] = "-O2\n-shared\n-fPIC\n-std=gnu11\n-w\n--param=ira-max-loops-num=20\n";

static int open_files(void)
{
    DIR *directory = opendir("/proc/self/fd");
    assert_non_null(directory);
    int count = 0;
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

// ---- what is called, and what is made of it ---------------------------------------------------------------

// The folder of a build is removed once that is possible.
static void test_build_folder(void **state)
{
    (void)state;
    begin();
    setenv("TMPDIR", folder, 1);
    write_compiler(make_file);
    const EngineOptions options = {.cc = compiler, .no_cache = true};
    const Matcher *matcher;
    char *message = NULL;
    refused = 2;
    assert_null(cache_open("int x;", 6, &options, &matcher, &message)); // it has made no matcher
    assert_non_null(message);
    free(message);
    assert_int_equal(refused, 0);
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        assert_int_not_equal(strncmp(entry->d_name, "cqlgen-", 7), 0);
    closedir(directory);
    unsetenv("TMPDIR");
    remove_folder(folder);
}

// A file is made under a name that is free, in the caller's TMPDIR, for every machine, and has the usual permissions.
static void test_built_file(void **state)
{
    (void)state;
    begin();
    write_compiler(make_file);
    char first[64], second[64], path[160], wanted[512], *message;
    snprintf(first, sizeof first, "matcher.so.%ld.0", (long)getpid());
    snprintf(second, sizeof second, "matcher.so.%ld.1", (long)getpid());
    snprintf(path, sizeof path, "%s", in_folder("matcher.so"));
    FILE *file = fopen(in_folder(first), "w");
    fputs("of somebody else", file);
    fclose(file);
    const EngineOptions options = {.cc = compiler};
    const mode_t mask = umask(027);
    setenv("TMPDIR", "/tmp", 1);
    assert_true(cc_build("int x; int y;", 6, path, &options, &message));
    unsetenv("TMPDIR");
    umask(mask);
    assert_null(message);
    snprintf(wanted, sizeof wanted, "%s-o\n%s\n-x\nc\n-\n", usual, in_folder(second));
    assert_string_equal(read_file("words"), wanted);
    assert_int_equal(line_count("environment", "TMPDIR=/tmp"), 1);
    assert_int_equal(line_count("text.c", "int x;"), 1);
    assert_null(strstr(read_file("text.c"), "int y;"));
    assert_string_equal(read_file(first), "of somebody else");
    assert_memory_equal(read_file("matcher.so"), "object\n", 7);
    struct stat s;
    assert_int_not_equal(stat(in_folder(second), &s), 0);
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0750);
    remove(in_folder(first));
    assert_int_equal(remove(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(cc_build("int x;", 6, path, &options, &message));
    snprintf(wanted, sizeof wanted, "cannot write %s: Is a directory", path);
    assert_string_equal(message, wanted);
    free(message);
    assert_int_not_equal(stat(in_folder(first), &s), 0); // nothing is left
    assert_int_equal(line_count("calls", "call"), 2);
    snprintf(path, sizeof path, "%s", in_folder("missing/matcher.so"));
    assert_false(cc_build("int x;", 6, path, &options, &message));
    snprintf(wanted, sizeof wanted, "cannot write %s: No such file or directory", path);
    assert_string_equal(message, wanted);
    free(message);
    assert_int_equal(line_count("calls", "call"), 2); // not even begun
    remove_folder(folder);
}

// ---- failures ---------------------------------------------------------------------------------------------

// A compiler that fails is called once more without the screen, but not one that could not be started or was killed.
static void test_exits(void **state)
{
    (void)state;
    begin();
    static const struct {
        const char *action;
        int calls;
        const char *message; // after the compiler's name
    } cases[] = {
        {"exit 1", 2, "\" failed:\n"},
        {"echo to the output; echo and the errors >&2; exit 2", 2,
         "\" failed:\nto the output\nand the errors\n"},
        {"exit 125", 2, "\" failed:\n"},
        {"exit 126", 1, "\" failed:\n"},
        {"exit 127", 1, "\": No such file or directory"},
        {"exit 128", 1, "\" failed:\n"},
        {"kill -9 $$", 1, "\" failed:\n"},
    };
    Module *m = small_module();
    screen_module(m);
    assert_non_null(m->screen);
    const EngineOptions options = {.cc = compiler, .no_cache = true};
    char wanted[512], *message;
    Engine e;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_compiler(cases[i].action);
        assert_false(engine_open(&e, ENGINE_CC, &m, 1, &options, &message));
        assert_null(e.matcher);
        const bool started = strstr(cases[i].message, "failed") != NULL;
        snprintf(wanted, sizeof wanted, "%s \"%s%s", started ? "the C compiler" : "cannot run the C compiler",
                 compiler, cases[i].message);
        assert_string_equal(message, wanted);
        free(message);
        assert_int_equal(line_count("calls", "call"), cases[i].calls);
        assert_int_equal(line_count("words", "-DCQL_NO_SCREENS"), cases[i].calls - 1);
    }
    write_compiler("seq 1 3000; exit 1"); // all that it writes
    assert_false(engine_open(&e, ENGINE_CC, &m, 1, &options, &message));
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "the C compiler \"%s\" failed:\n", compiler);
    for (int i = 1; i <= 3000; i++)
        fprintf(out, "%d\n", i);
    fclose(out);
    assert_string_equal(message, text);
    free(text);
    free(message);
    assert_int_equal(chmod(compiler, 0644), 0);
    for (int missing = 0; missing < 2; missing++) {
        assert_false(engine_open(&e, ENGINE_CC, &m, 1, &options, &message));
        snprintf(wanted, sizeof wanted, "cannot run the C compiler \"%s\": %s", compiler,
                 missing ? "No such file or directory" : "Permission denied");
        assert_string_equal(message, wanted);
        free(message);
        remove(compiler);
    }
    arena_free(m->arena);
    remove_folder(folder);
}

// A compiler that can be stopped stands back behind this process; one that is stopped ends at once. No file stays open.
static void test_stop(void **state)
{
    (void)state;
    begin();
    const atomic_int never = 0, now = 1;
    const int own = getpriority(PRIO_PROCESS, 0), files = open_files();
    static const int more[] = {0, 1, 3};
    char wanted[512], path[160], *message;
    snprintf(path, sizeof path, "%s", in_folder("made"));
    write_compiler("sleep 0.1; nice > niceness");
    for (size_t i = 0; i < 2 * (sizeof more / sizeof *more); i++) {
        const bool can_stop = i & 1;
        const EngineOptions options = {.cc = compiler, .nice = more[i / 2], .stop = can_stop ? &never : NULL};
        assert_true(cc_compile("int x;", 6, path, NULL, &options, NULL, &message));
        const int there = own + (can_stop ? more[i / 2] : 0);
        snprintf(wanted, sizeof wanted, "%d\n", there < 19 ? there : 19);
        assert_string_equal(read_file("niceness"), wanted);
        assert_int_equal(open_files(), files);
    }
    write_compiler("sleep 30 & sleep 30");
    for (int background = 0; background < 2; background++) {
        const EngineOptions options = {.cc = compiler, .stop = &now, .background = background};
        const time_t start = time(NULL);
        assert_false(cc_compile("int x;", 6, path, NULL, &options, NULL, &message));
        assert_true(time(NULL) - start < 20);
        snprintf(wanted, sizeof wanted, "cannot run the C compiler \"%s\": Interrupted system call",
                 compiler);
        assert_string_equal(message, wanted);
        assert_int_equal(open_files(), files);
        free(message);
        if (!background) { // the compiler has ended
            assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
            assert_int_equal(errno, ECHILD);
        }
        while (waitpid(-1, NULL, 0) > 0)
            ;
    }
    // Of a program that does not want to know how its processes end, nobody knows whether the compiler has succeeded.
    write_compiler(make_file);
    const EngineOptions options = {.cc = compiler};
    signal(SIGCHLD, SIG_IGN);
    assert_false(cc_compile("int x;", 6, path, NULL, &options, NULL, &message));
    signal(SIGCHLD, SIG_DFL);
    snprintf(wanted, sizeof wanted, "cannot run the C compiler \"%s\": No child processes", compiler);
    assert_string_equal(message, wanted);
    free(message);
    remove_folder(folder);
}

// ---- libtcc -----------------------------------------------------------------------------------------------

static void check_tcc(const char *text, const char *part, const char *later)
{
    const Matcher *matcher = NULL;
    char *message;
    assert_null(memory_open(text, &matcher, &message));
    assert_null(matcher);
    const char *at = strstr(message, part);
    assert_non_null(at);
    assert_non_null(strstr(at, later));
    free(message);
}

// Nothing of the system is read; all errors are told, a line each; warnings are not.
static void test_tcc(void **state)
{
    (void)state;
    static const char warned[] = "void warned(void) { char *p = 5; }\n";
    const Matcher *matcher = NULL;
    char *message, wanted[256];
    assert_null(memory_open("int x;", &matcher, &message));
    assert_string_equal(message, "libtcc cannot be used");
    free(message);
    check_tcc("#include <stdio.h>\n", "stdio.h", "not found");
    check_tcc("int puts(const char *); int f(void) { return puts(\"\"); }", "undefined symbol", "puts");
    check_tcc("void warned(void) { char *p = 5; }\nint f(void) { return zz; }", "warning: ", "\n");
    check_tcc("void warned(void) { char *p = 5; }\nint f(void) { return zz; }", "\n", "zz");
    Module *m = small_module();
    size_t length;
    char *text = emit_c(&m, 1, HEADER_BARE, &length, NULL), *both;
    assert_true(asprintf(&both, "%s%s", warned, text) > 0);
    void *handle = memory_open(both, &matcher, &message);
    assert_non_null(handle);
    assert_null(message);
    assert_int_equal(matcher->query_count, 1);
    memory_close(handle);
    free(both);
    char *version = strstr(text, "CQL_ABI_VERSION = ");
    assert_non_null(version);
    memcpy(version + strlen("CQL_ABI_VERSION = "), "99", 2);
    assert_null(memory_open(text, &matcher, &message));
    assert_null(matcher);
    snprintf(wanted, sizeof wanted,
             "what libtcc has compiled has version 99 of the matcher interface, this program version %d: "
             "compile the "
             "query again",
             CQL_ABI_VERSION);
    assert_string_equal(message, wanted);
    free(message);
    free(text);
    arena_free(m->arena);
}

// ---- the choice -------------------------------------------------------------------------------------------

// Only where the C text may be compiled later, it is kept; the text of an engine like it is taken.
static void test_kept_text(void **state)
{
    (void)state;
    begin();
    write_compiler(compile);
    Module *m = small_module();
    size_t length, own;
    char *text = emit_c(&m, 1, HEADER_BARE, &length, &own), *message, *marked;
    const EngineOptions uncached = {.no_cache = true};
    Engine automatic, e;
    assert_true(engine_open(&automatic, ENGINE_AUTO, &m, 1, &uncached, &message));
    assert_int_equal(automatic.kind, ENGINE_TCC);
    assert_string_equal(automatic.c_text, text);
    assert_int_equal(automatic.c_length, length);
    assert_int_equal(automatic.c_own, own);
    assert_true(engine_open(&e, ENGINE_TCC, &m, 1, &uncached, &message));
    assert_null(e.c_text);
    assert_int_equal(e.c_length, 0);
    for (int made = 0; made < 2; made++) {
        Engine like = e, compiled;
        assert_true(asprintf(&marked, "%s// marked\n", text) > 0);
        if (made)
            like.c_text = marked, like.c_length = strlen(marked);
        const EngineOptions options = {.cc = compiler, .no_cache = true, .like = &like};
        assert_true(engine_open(&compiled, ENGINE_CC, &m, 1, &options, &message));
        assert_int_equal(compiled.kind, ENGINE_CC);
        engine_close(&compiled);
        assert_string_equal(read_file("text.c"), made ? marked : text);
        free(marked);
    }
    engine_close(&e);
    engine_close(&automatic);
    assert_null(automatic.c_text);
    engine_close(&automatic); // nothing to do
    free(text);
    assert_true(engine_open(&e, ENGINE_INTERP, &m, 1, NULL, &message));
    assert_int_equal(e.kind, ENGINE_INTERP);
    assert_null(e.handle);
    assert_int_equal(e.matcher->magic, CQL_MAGIC);
    assert_int_equal(e.matcher->abi_version, CQL_ABI_VERSION);
    assert_int_equal(e.matcher->layout, CQL_LAYOUT);
    assert_int_equal(e.matcher->query_count, 1);
    engine_close(&e);
    static const char *const names[] = {"auto", "interp", "tcc", "cc"};
    for (int kind = ENGINE_AUTO; kind <= ENGINE_CC; kind++)
        assert_string_equal(engine_name((EngineKind)kind), names[kind]);
    arena_free(m->arena);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_file), cmocka_unit_test(test_exits),
        cmocka_unit_test(test_stop),       cmocka_unit_test(test_tcc),
        cmocka_unit_test(test_kept_text),  cmocka_unit_test(test_build_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
