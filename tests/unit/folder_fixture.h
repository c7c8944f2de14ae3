// A folder of its own for a test program.
#ifndef CQL_FOLDER_FIXTURE_H
#define CQL_FOLDER_FIXTURE_H

#include <fcntl.h>
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/cqlgen-test.XXXXXX";
static int files_at_first; // that are open

// How many files this process has open.
static inline int open_files(void)
{
    int count = 0;
    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

// The name of a file in the folder; valid for the next 63 calls.
static inline const char *path(const char *name)
{
    static char names[64][128];
    static int next;
    char *p = names[next++ % 64];
    snprintf(p, sizeof names[0], "%s/%s", folder, name);
    return p;
}

// Writes a file, anywhere; its name.
static inline const char *write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return name;
}

// What a file contains, until the next call; NULL when it is not there.
static inline char *read_file(const char *name)
{
    enum { ROOM_OF_FILE = 4000000 };
    static char *text;
    FILE *f = fopen(name, "r");
    if (!f)
        return NULL;
    free(text);
    text = calloc(1, ROOM_OF_FILE);
    assert_non_null(text);
    assert_true(fread(text, 1, ROOM_OF_FILE - 1, f) < ROOM_OF_FILE - 1);
    fclose(f);
    return text;
}

// Sends a stream, 1 or 2, to a file. Returns what captured_end needs.
static inline int captured_begin(int stream)
{
    fflush(NULL);
    const int old = dup(stream);
    FILE *file = fopen(path(stream == 1 ? "captured.out" : "captured.err"), "w");
    assert_non_null(file);
    dup2(fileno(file), stream);
    fclose(file);
    return old;
}

// What went there, until the next call.
static inline const char *captured_end(int stream, int old)
{
    fflush(NULL);
    dup2(old, stream);
    close(old);
    const char *file = path(stream == 1 ? "captured.out" : "captured.err"), *text = read_file(file);
    unlink(file);
    return text;
}

// For cmocka_run_group_tests.
static inline int open_folder(void **state)
{
    (void)state;
    files_at_first = open_files();
    return mkdtemp(folder) ? 0 : -1;
}

// Removes these files, as far as they are there, and the folder, in which nothing else may be left. No file may be left open either.
static inline int remove_files(const char *const *name, size_t count)
{
    for (size_t i = 0; i < count; i++)
        unlink(path(name[i]));
    const int left = open_files() - files_at_first;
    if (rmdir(folder) == 0 && left == 0)
        return 0;
    print_error("%s is not empty, or files are still open: %d\n", folder, left);
    exit(EXIT_FAILURE); // cmocka would go on to say that all is well
}

#endif
