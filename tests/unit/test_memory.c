// What happens to temporary files when memory runs out: which ones are removed, in a program and in a library.
#include "folder_fixture.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "runtime/value/memory.h"

enum { OUTER, INNER, ENDED, FOLDER, OTHERS, FILES };
static const char *const name[FILES] = {"outer", "inner", "ended", "folder", "others"};

// The files that are there, a letter each.
static const char *there(void)
{
    static char found[FILES + 1];
    char *end = found;
    for (int i = 0; i < FILES; i++)
        if (access(path(name[i]), F_OK) == 0)
            *end++ = name[i][0];
    *end = '\0';
    return found;
}

static void make_files(void)
{
    for (int i = 0; i < FILES; i++)
        if (i != FOLDER)
            write_file(path(name[i]), "text");
    assert_int_equal(mkdir(path("folder"), 0700), 0);
    assert_int_equal(mkdir(path("folder/inside"), 0700), 0);
    write_file(path("folder/inside/file"), "text");
    assert_string_equal(there(), "oiefo");
}

static void begin(MemoryFile *file, int which)
{
    memory_file_begin(file, path(name[which]));
}

static void *begin_in_another_thread(void *user)
{
    begin(user, OTHERS);
    return NULL;
}

// An escape removes what its thread has begun since it began itself, not what has ended and not what others have begun.
static void test_escape(void **state)
{
    (void)state;
    static MemoryFile file[FILES];
    static MemoryEscape outer, inner;
    static volatile int escapes;
    pthread_t thread;
    make_files();
    begin(&file[OUTER], OUTER);
    if (setjmp(outer.jump) == 0) {
        memory_escape_begin(&outer);
        begin(&file[ENDED], ENDED);
        if (setjmp(inner.jump) == 0) {
            memory_escape_begin(&inner);
            begin(&file[INNER], INNER);
            begin(&file[FOLDER], FOLDER);
            assert_int_equal(pthread_create(&thread, NULL, begin_in_another_thread, &file[OTHERS]), 0);
            pthread_join(thread, NULL);
            memory_exhausted();
        }
        escapes++;
        assert_string_equal(there(), "oeo");
        memory_file_end(&file[ENDED]);
        memory_exhausted();
    }
    assert_int_equal(escapes, 1);
    assert_string_equal(there(), "oeo");
    memory_file_end(&file[OUTER]);
    memory_file_end(&file[OTHERS]);
}

// Without an escape the program ends, and all temporary files of all threads are removed.
static void test_end(void **state)
{
    (void)state;
    static MemoryFile file[FILES];
    const int old = captured_begin(STDERR_FILENO);
    const pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        begin(&file[OUTER], OUTER);
        if (pthread_create(&thread, NULL, begin_in_another_thread, &file[OTHERS]) == 0)
            pthread_join(thread, NULL);
        memory_exhausted();
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_string_equal(captured_end(STDERR_FILENO, old), "cqlgen: out of memory\n");
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), MEMORY_STATUS);
    assert_string_equal(there(), "e");
}

static int remove_folder(void **state)
{
    (void)state;
    return remove_files(name, FILES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_escape), cmocka_unit_test(test_end)};
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
