// Output files: where they come to be, with which content, and what is said when they cannot; what terminals get.
#include "calls_fixture.h"
#include "folder_fixture.h"
#include "run_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "runtime/search/output.h"
#include "runtime/search/output_name.h"
#include "runtime/value/terminal.h"
#include "runtime/value/memory.h"

// ---- systems without nameless files -----------------------------------------------------------------------

static bool needs_names; // files without a name cannot be made

int open(const char *name, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (needs_names && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return openat(AT_FDCWD, name, flags, mode);
}

// ---- files ------------------------------------------------------------------------------------------------

// Writes a text; what is said.
static const char *write_output(const char *name, unsigned flags, const char *text, bool keep, bool *good)
{
    const int err = captured_begin(2);
    OutputFile *o = output_open(name, flags);
    *good = o != NULL;
    if (o) {
        *good = output_write(o, text, strlen(text));
        *good &= output_close(o, keep);
    }
    return captured_end(2, err);
}

static void expect_written(const char *name, unsigned flags, const char *content)
{
    bool good;
    assert_string_equal(write_output(name, flags, "new\n", true, &good), "");
    assert_true(good);
    assert_string_equal(read_file(name), content);
}

static void expect_refused(const char *name, unsigned flags, const char *reason)
{
    bool good;
    char line[600];
    snprintf(line, sizeof line, "cqlgen: cannot write %s: %s\n", name, reason);
    const int err = captured_begin(2);
    assert_null(output_open(name, flags)); // before the search, not after it
    assert_string_equal(captured_end(2, err), line);
    write_output(name, flags, "new\n", true, &good);
    assert_false(good);
}

static mode_t mode_of(const char *name)
{
    struct stat status;
    assert_int_equal(stat(name, &status), 0);
    return status.st_mode & 0777;
}

static void test_kept(void **state)
{
    (void)state;
    bool good;
    const char *name = path("out");
    const mode_t mask = umask(027);
    expect_written(name, 0, "new\n");
    assert_int_equal(mode_of(name), 0640);
    umask(mask);
    chmod(name, 0604);
    write_file(name, "old\n");
    expect_written(name, 0, "new\n");
    assert_int_equal(mode_of(name), 0604);
    write_file(name, "old\n");
    write_output(name, 0, "new\n", false, &good);
    assert_string_equal(read_file(name), "old\n");
    expect_written(name, OUTPUT_APPEND, "old\nnew\n");
    expect_written(name, OUTPUT_APPEND, "old\nnew\nnew\n");
    write_output(name, OUTPUT_APPEND, "more\n", false, &good);
    assert_string_equal(read_file(name), "old\nnew\nnew\n");
    expect_refused(name, OUTPUT_NEW, "File exists");
    assert_string_equal(read_file(name), "old\nnew\nnew\n");
    unlink(name);
    expect_written(name, OUTPUT_NEW, "new\n");
    unlink(name);
    expect_written(name, OUTPUT_APPEND, "new\n"); // there was nothing
    unlink(name);
}

// How many files have names that begin with that of the output.
static int files_beside(void)
{
    DIR *listed = opendir(folder);
    int count = 0;
    for (const struct dirent *e; (e = readdir(listed));)
        count += strncmp(e->d_name, "out.", 4) == 0;
    closedir(listed);
    return count;
}

// The same where a file needs a name from the beginning: no other name is left, whether it is kept or not.
static void test_named(void **state)
{
    (void)state;
    bool good;
    const char *name = path("out");
    needs_names = true;
    test_kept(state);
    const mode_t mask = umask(0);
    expect_written(name, 0, "new\n");
    assert_int_equal(mode_of(name), 0666);
    umask(mask);
    OutputFile *o = output_open(name, 0);
    assert_non_null(o);
    assert_int_equal(files_beside(), 1);
    assert_true(output_write(o, "newer\n", 6) && output_close(o, true));
    assert_string_equal(read_file(name), "newer\n");
    unlink(name);
    write_output(name, 0, "new\n", false, &good);
    assert_int_equal(access(name, F_OK), -1);
    static OutputFile *lost; // of a search whose memory has run out
    MemoryEscape escape;
    write_file(name, "old\n");
    if (setjmp(escape.jump) == 0) {
        memory_escape_begin(&escape);
        output_close(output_open(path("file"), 0), true); // which stays
        lost = output_open(name, 0);
        assert_int_equal(files_beside(), 1);
        memory_exhausted();
    }
    assert_int_equal(files_beside(), 0);
    output_close(lost, false);
    assert_int_equal(unlink(path("file")), 0);
    assert_string_equal(read_file(name), "old\n");
    unlink(name);
    needs_names = false;
    for (int i = 0; i < 3; i++) { // names that others have
        char taken[40];
        snprintf(taken, sizeof taken, "out.%ld.%d", (long)getpid(), i);
        write_file(path(taken), "");
        expect_written(name, 0, "new\n");
    }
    for (int i = 0; i < 3; i++) {
        char taken[40];
        snprintf(taken, sizeof taken, "out.%ld.%d", (long)getpid(), i);
        assert_string_equal(read_file(path(taken)), "");
        unlink(path(taken));
    }
    unlink(name);
}

// A long file is copied whole.
static void test_long_copy(void **state)
{
    (void)state;
    enum { LONG = 200001 };
    static char text[LONG + 8];
    memset(text, 'x', LONG);
    text[65535] = 'y', text[65536] = 'z';
    const char *name = write_file(path("out"), text);
    strcat(text, "new\n");
    expect_written(name, OUTPUT_APPEND, text);
    unlink(name);
}

// What a signal interrupts goes on; an error is the end.
static void test_calls(void **state)
{
    (void)state;
    bool good;
    const char *name = write_file(path("out"), "");
    slow_calls = true;
    const char *said = write_output(name, 0, "a line of some length\n", true, &good);
    slow_calls = false;
    assert_string_equal(said, "");
    assert_true(good);
    assert_string_equal(read_file(name), "a line of some length\n");
    OutputFile *o = output_open(name, 0);
    failing_calls = EIO;
    const bool first = output_write(o, "x", 1);
    failing_calls = 0;
    const bool second = output_write(o, "y", 1); // it stays so
    const int err = captured_begin(2);
    const bool closed = output_close(o, true);
    char message[200];
    snprintf(message, sizeof message, "cqlgen: cannot write %s: Input/output error\n", name);
    assert_string_equal(captured_end(2, err), message);
    assert_false(first || second || closed);
    assert_string_equal(read_file(name), "a line of some length\n");
    unlink(name);
}

static void test_refused(void **state)
{
    (void)state;
    char endless[400];
    memset(endless, 'x', sizeof endless);
    snprintf(endless, sizeof endless, "%s/", folder);
    endless[strlen(endless)] = 'x';
    endless[sizeof endless - 1] = 0;
    const char *file = write_file(path("file"), ""), *loop = path("loop");
    assert_int_equal(symlink("loop", loop), 0);
    char below[200];
    snprintf(below, sizeof below, "%s/out", file);
    expect_refused(path("none/out"), 0, "No such file or directory");
    expect_refused(below, 0, "Not a directory");
    expect_refused(below, OUTPUT_FOLDERS, "Not a directory");
    expect_refused(folder, 0, "Is a directory");
    expect_refused(endless, 0, "File name too long");
    expect_refused(loop, 0, "Too many levels of symbolic links");
    unlink(loop);
    unlink(file);
}

// Links stay, and lead to the new file, also where there was none.
static void test_links(void **state)
{
    (void)state;
    const char *relative = path("relative"), *absolute = path("absolute"), *target = path("target");
    assert_int_equal(symlink("target", relative), 0);
    assert_int_equal(symlink(relative, absolute), 0); // to a link
    for (int i = 0; i < 2; i++) {
        expect_written(i ? absolute : relative, 0, "new\n");
        assert_string_equal(read_file(target), "new\n");
        unlink(target);
        struct stat status;
        assert_true(lstat(absolute, &status) == 0 && S_ISLNK(status.st_mode));
        assert_true(lstat(relative, &status) == 0 && S_ISLNK(status.st_mode));
    }
    unlink(relative);
    unlink(absolute);
    assert_int_equal(symlink("t", relative), 0); // the shortest name
    expect_written(relative, 0, "new\n");
    assert_int_equal(access(path("t"), F_OK), 0);
    unlink(path("t"));
    unlink(relative);
    for (int i = 0; i <= 40; i++) { // the system follows 40 links, to a file that is not there yet
        char link[16], to[16];
        snprintf(link, sizeof link, "link%d", i);
        snprintf(to, sizeof to, i > 0 ? "link%d" : "target", i - 1);
        assert_int_equal(symlink(to, path(link)), 0);
        if (i < 39)
            continue;
        if (i == 39)
            expect_written(path(link), 0, "new\n");
        else
            expect_refused(path(link), 0, "Too many levels of symbolic links");
        assert_int_equal(access(target, F_OK), i == 39 ? 0 : -1);
        unlink(target);
    }
    for (int i = 0; i <= 40; i++) {
        char link[16];
        struct stat status;
        snprintf(link, sizeof link, "link%d", i);
        assert_true(lstat(path(link), &status) == 0 && S_ISLNK(status.st_mode));
        unlink(path(link));
    }
    expect_written("/dev/null", 0, ""); // stays a device
    expect_written("/dev/null", OUTPUT_APPEND, "");
    struct stat status;
    assert_true(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
}

static void test_folders(void **state)
{
    (void)state;
    const char *name = path("a/b/out");
    expect_written(name, OUTPUT_FOLDERS, "new\n");
    unlink(name);
    assert_true(output_make_folder(path("a/b")));
    assert_true(output_make_folder(path("a/c/d")));
    assert_true(access(path("a/c/d"), F_OK) == 0);
    write_file(name, "");
    errno = 0;
    assert_false(output_make_folder(name));
    assert_int_equal(errno, EEXIST);
    assert_false(output_make_folder(path("a/b/out/c")));
    assert_int_equal(errno, ENOTDIR);
    unlink(name);
    rmdir(path("a/c/d"));
    rmdir(path("a/c"));
    rmdir(path("a/b"));
    assert_int_equal(rmdir(path("a")), 0);
    char *const before = getcwd(NULL, 0); // a name from here
    assert_int_equal(chdir(folder), 0);
    expect_written("a/b/out", OUTPUT_FOLDERS, "new\n");
    expect_written("out", OUTPUT_FOLDERS, "new\n");
    assert_true(output_make_folder("c"));
    assert_int_equal(unlink("a/b/out") + unlink("out") + rmdir("a/b") + rmdir("a") + rmdir("c"), 0);
    assert_int_equal(chdir(before), 0);
    free(before);
}

// Files and folders are for all whom the mask of the process does not exclude.
static void test_modes(void **state)
{
    (void)state;
    const mode_t mask = umask(0);
    const char *inside = path("new/inner/out");
    expect_written(inside, OUTPUT_FOLDERS, "new\n");
    assert_int_equal(mode_of(inside), 0666);
    assert_int_equal(mode_of(path("new/inner")), 0777);
    assert_int_equal(mode_of(path("new")), 0777);
    assert_true(output_make_folder(path("new/other")));
    assert_int_equal(mode_of(path("new/other")), 0777);
    umask(mask);
    unlink(inside);
    rmdir(path("new/other"));
    rmdir(path("new/inner"));
    rmdir(path("new"));
}

static void test_dry(void **state)
{
    (void)state;
    bool good;
    char line[200];
    const char *name = path("out");
    snprintf(line, sizeof line, "%s\n", name);
    const int out = captured_begin(1);
    assert_string_equal(write_output(name, OUTPUT_DRY, "new\n", true, &good), "");
    assert_string_equal(captured_end(1, out), line);
    assert_true(good);
    assert_null(read_file(name));
}

// The name says whether the file is compressed, unless that is not wanted.
static void test_packed(void **state)
{
    (void)state;
    bool good;
    const char *name = path("out.gz");
    expect_written(name, OUTPUT_PLAIN, "new\n");
    write_output(name, 0, "new\n", true, &good);
    assert_true(good);
    assert_memory_equal(read_file(name), "\x1F\x8B", 2);
    unlink(name);
}

static void test_temporary(void **state)
{
    (void)state;
    static const char *const folders[] = {NULL, "", "/tmp", "/none/of/these"};
    for (size_t i = 0; i < 4; i++) {
        if (folders[i])
            setenv("TMPDIR", folders[i], 1);
        else
            unsetenv("TMPDIR");
        const int fd = output_temporary();
        assert_int_equal(fd >= 0, i < 3);
        if (fd < 0)
            continue;
        char bytes[4] = "";
        struct stat status;
        assert_true(write(fd, "abc", 3) == 3 && pread(fd, bytes, 3, 0) == 3 && strcmp(bytes, "abc") == 0);
        assert_true(fstat(fd, &status) == 0 && status.st_nlink == 0 && (status.st_mode & 0777) == 0600);
        close(fd);
    }
    unsetenv("TMPDIR");
}

// Temporary files leave no name.
static void test_named_temporary(void **state)
{
    needs_names = true;
    setenv("TMPDIR", folder, 1);
    const int fd = output_temporary();
    struct stat status;
    assert_true(fd >= 0 && fstat(fd, &status) == 0 && status.st_nlink == 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    close(fd);
    setenv("TMPDIR", path("none"), 1);
    assert_int_equal(output_temporary(), -1);
    unsetenv("TMPDIR");
    test_temporary(state);
    needs_names = false;
}

static void test_reader(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(stdout);
    const int out = dup(1);
    dup2(ends[1], 1);
    const bool read = output_has_no_reader();
    close(ends[0]);
    const bool alone = output_has_no_reader();
    dup2(out, 1);
    close(out);
    close(ends[1]);
    assert_true(!read && alone);
}

// ---- terminals --------------------------------------------------------------------------------------------

// Control characters, in UTF-8 or as bytes, and those that turn text around become question marks; line ends and tabs stay.
static void test_harmless(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"", ""},
        {"plain\n\tx~ ", "plain\n\tx~ "},
        {"a\r\n\r\r\nb\r", "a\r\n?\r\nb?"},
        {"\xD8\x9C\xE2\x80\x8E\xE2\x80\x8F\xE2\x80\x90", "???\xE2\x80\x90"},
        {"\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA\xE2\x80\xAE\xE2\x80\xAF", "????\xE2\x80\xAF"},
        {"\xE2\x81\xA5\xE2\x81\xA6\xE2\x81\xA9\xE2\x81\xAA", "\xE2\x81\xA5??\xE2\x81\xAA"},
        {"\xC3\xA9\xFC\xED\xA0\x80", "\xC3\xA9\xC3\xBC\xC3\xAD\xC2\xA0?"},
        {"\x1B[31m", "?[31m"},
        {"a\x01\x1F\r\b\x7F"
         "b",
         "a?????b"},
        {"\xC2\x80\xC2\x9F\xC2\xA0\xC3\xA9", "??\xC2\xA0\xC3\xA9"},
        {"\x80\x9F\xA0\xE9", "??\xC2\xA0\xC3\xA9"}, // Latin-1
        {"\x1B", "?"},
        {"\xE2\x80\xA6\x07", "\xE2\x80\xA6?"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Buffer out = {0};
        text_harmless(&out, texts[i][0], strlen(texts[i][0]));
        assert_int_equal(out.length, strlen(texts[i][1]));
        buffer_append(&out, "", 1);
        assert_string_equal(out.start, texts[i][1]);
        buffer_free(&out);
    }
}

static bool terminal;

int isatty(int fd)
{
    (void)fd;
    return terminal;
}

// A line has a line end only where its format ends in one.
static void test_line(void **state)
{
    (void)state;
    Buffer out = {0};
    line_format(&out, "%s:%d: ", "a\n\r\n\tb", 3);
    line_format(&out, "%s\n", "c\n");
    line_format(&out, "%s", "");
    buffer_append(&out, "", 1);
    assert_string_equal(out.start, "a????b:3: c?\n");
    buffer_free(&out);
}

// Messages are made harmless, and what goes to a terminal; errors are found all the same.
static void test_terminal(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, "-"};
    for (int i = 0; i < 4; i++) {
        const char *const wanted = i & 2 ? "a?[31mb\n" : "a\x1B[31mb\n";
        terminal = i & 2;
        terminal_guard();
        assert_int_equal(terminal_is_guarded(), i >> 1);
        int stream = captured_begin(1);
        OutputFile *o = output_open(names[i & 1], 0);
        const bool good =
            output_write(o, "a\x1B[31mb\n", 8) && output_write(o, "", 0) && output_close(o, true);
        assert_string_equal(captured_end(1, stream), wanted);
        assert_true(good);
        stream = captured_begin(2);
        printf_sanitized(stderr, "%s%c[31mb\n", "a", 27);
        print_lines(stderr, "\x07x\ny", 4);
        print_lines(stderr, "", 0);
        print_made(stderr, NULL, "\x1B[1m", 4);
        assert_string_equal(captured_end(2, stream), "a?[31mb\n?x\ny\x1B[1m");
        stream = captured_begin(1);
        printf_sanitized(stdout, "a%cb\n", 27);
        print_lines(stdout, "\x07x\n", 3);
        print_made(stdout, NULL, "\x1B[1m", 4);
        printf("%s", "\x07y");
        assert_string_equal(captured_end(1, stream),
                            i & 2 ? "a?b\n?x\n\x1B[1m?y" : "a?b\n\x07x\n\x1B[1m\x07y");
        o = output_open(names[i & 1], 0);
        failing_calls = EIO;
        const bool first = output_write(o, "x", 1);
        failing_calls = 0;
        const bool second = output_write(o, "x", 1);
        stream = captured_begin(2);
        const bool closed = output_close(o, true);
        assert_string_equal(captured_end(2, stream),
                            "cqlgen: cannot write standard output: Input/output error\n");
        assert_false(first || second || closed);
    }
    terminal = true; // a file is none
    expect_written(path("out"), 0, "new\n");
    bool good;
    write_output(path("out"), 0, "\x1B\n", true, &good);
    assert_string_equal(read_file(path("out")), "\x1B\n");
    terminal = false;
    unlink(path("out"));
}

static int remove_folder(void **state)
{
    (void)state;
    return remove_files(NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),      cmocka_unit_test(test_long_copy),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_links),
        cmocka_unit_test(test_folders),   cmocka_unit_test(test_modes),
        cmocka_unit_test(test_dry),       cmocka_unit_test(test_packed),
        cmocka_unit_test(test_temporary), cmocka_unit_test(test_reader),
        cmocka_unit_test(test_harmless),  cmocka_unit_test(test_line),
        cmocka_unit_test(test_named),     cmocka_unit_test(test_named_temporary),
        cmocka_unit_test(test_calls),     cmocka_unit_test(test_terminal),
    };
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
