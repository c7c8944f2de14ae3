// Programs that answer lines (runtime/match/program.h).
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/match/program.h"

enum { LONG = 100 }; // seconds

static Buffer answer;

// A line and how the program answers.
static void expect(Program *p, const char *line, int seconds, ProgramAnswer how, const char *expected)
{
    assert_int_equal(program_ask(p, line, strlen(line), seconds, &answer, NULL, NULL), how);
    if (how != PROGRAM_ANSWERED)
        return;
    assert_int_equal(answer.length, strlen(expected));
    assert_memory_equal(answer.length > 0 ? answer.start : "", expected, answer.length);
}

static Program *start(const char *command)
{
    Program *p = program_start(command);
    assert_non_null(p);
    return p;
}

static void test_answers(void **state)
{
    (void)state;
    Program *p = start("cat");
    expect(p, "one\n", LONG, PROGRAM_ANSWERED, "one");
    expect(p, "\n", LONG, PROGRAM_ANSWERED, "");
    expect(p, "two\r\n", LONG, PROGRAM_ANSWERED, "two"); // a line ends with CR LF, too
    expect(p, "\r\n", LONG, PROGRAM_ANSWERED, "");
    expect(p, "a\rb\r\r\n", LONG, PROGRAM_ANSWERED, "a\rb\r");
    program_end(p);
    // spaces separate words; no other sign has a meaning
    p = start("  sed   -u s/.*/$HOME;&*/ ");
    expect(p, "x\n", LONG, PROGRAM_ANSWERED, "$HOME;x*");
    program_end(p);
    // a line that is written together with its answer, and would be the next answer
    p = start("sed -u s/.*/&\\n&/");
    expect(p, "first\n", LONG, PROGRAM_ANSWERED, "first");
    expect(p, "second\n", LONG, PROGRAM_ANSWERED, "second");
    program_end(p);
    // a line that does not go through the pipes at once
    static char line[300001];
    memset(line, 'x', sizeof line - 2);
    line[sizeof line - 2] = '\n';
    p = start("cat");
    assert_int_equal(program_ask(p, line, strlen(line), LONG, &answer, NULL, NULL), PROGRAM_ANSWERED);
    assert_int_equal(answer.length, sizeof line - 2);
    program_end(p);
}

// What a line of /proc/self/status of a program says; each line that it reads gives the next one.
static const char *status_of(Program *p, const char *name)
{
    static char text[100];
    do {
        assert_int_equal(program_ask(p, "\n", 1, LONG, &answer, NULL, NULL), PROGRAM_ANSWERED);
        snprintf(text, sizeof text, "%.*s", (int)answer.length, answer.length > 0 ? answer.start : "");
    } while (strncmp(text, name, strlen(name)) != 0);
    return text + strlen(name);
}

// A program begins with no signal blocked, ends at a closed pipe, leads a group of its own, and waits at its output when that is full,
// whatever this program does.
static void test_beginning(void **state)
{
    (void)state;
    sigset_t some, before;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &some, &before), 0);
    void (*const handler)(int) = signal(SIGPIPE, SIG_IGN);
    Program *p = start("sed -u -n R/proc/self/status"), *output = start("sed -u -n R/proc/self/fdinfo/1");
    const long pid = strtol(status_of(p, "Pid:"), NULL, 10);
    assert_true(pid > 0);
    assert_int_equal(strtol(strrchr(status_of(p, "NSpgid:"), '\t'), NULL, 10), pid);
    assert_int_equal(strtoull(status_of(p, "SigBlk:"), NULL, 16), 0);
    assert_int_equal(strtoull(status_of(p, "SigIgn:"), NULL, 16) >> (SIGPIPE - 1) & 1, 0);
    assert_int_equal(strtol(status_of(output, "flags:"), NULL, 8) & O_NONBLOCK, 0);
    program_end(p);
    program_end(output);
    signal(SIGPIPE, handler);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
}

static void expect_none(const char *command)
{
    errno = 0;
    assert_null(program_start(command));
    assert_int_equal(errno, ENOENT);
}

static void test_no_program(void **state)
{
    (void)state;
    expect_none("");
    expect_none("   ");
    expect_none("/no/such/program");
    expect_none("no-such-program with arguments");
    program_end(NULL);
}

static bool at_once(void *user)
{
    ++*(int *)user;
    return true;
}

static bool at_the_third_look(void *user)
{
    return ++*(int *)user == 3;
}

// No answer: the program has ended, the time is over, nobody waits, a line does not end.
static void test_silence(void **state)
{
    (void)state;
    enum { MOST = 1 << 20 };
    int looks = 0;
    Program *p = start("head -n 1");
    expect(p, "one\n", LONG, PROGRAM_ANSWERED, "one");
    expect(p, "two\n", LONG, PROGRAM_ENDED, "");
    program_end(p);
    p = start("cat");
    expect(p, "no end", 0, PROGRAM_SILENT, "");
    assert_int_equal(program_ask(p, "x", 1, LONG, &answer, at_once, &looks), PROGRAM_STOPPED);
    assert_int_equal(looks, 1);
    looks = 0;
    assert_int_equal(program_ask(p, "x", 1, LONG, &answer, at_the_third_look, &looks), PROGRAM_STOPPED);
    assert_int_equal(looks, 3);
    program_end(p);
    p = start("cat /dev/zero");
    expect(p, "\n", LONG, PROGRAM_SILENT, "");
    assert_true(answer.length >= MOST + 1 && answer.length <= MOST + 4096);
    program_end(p);
}

// A program that no longer reads has ended, though it is still there: it is killed after a second. Nothing is left of any program.
static void test_end(void **state)
{
    (void)state;
    static const char script[] = "read line\nexec <&-\necho $line\nexec sleep 1000\n";
    char name[] = "/tmp/cqlgen-program.XXXXXX", command[100];
    const int file = mkstemp(name);
    assert_int_equal(write(file, script, sizeof script - 1), sizeof script - 1);
    close(file);
    snprintf(command, sizeof command, "sh %s", name);
    Program *p = start(command);
    expect(p, "one\n", LONG, PROGRAM_ANSWERED, "one");
    expect(p, "two\n", 1, PROGRAM_ENDED, "");
    program_end(p);
    unlink(name);
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static int tear_down(void **state)
{
    (void)state;
    buffer_free(&answer);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers), cmocka_unit_test(test_no_program),
                                       cmocka_unit_test(test_silence), cmocka_unit_test(test_beginning),
                                       cmocka_unit_test(test_end)};
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
