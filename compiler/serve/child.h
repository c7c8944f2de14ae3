// Processes of this program: each does one search.
#ifndef CQL_SERVE_CHILD_H
#define CQL_SERVE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct Child {
    pid_t id;
    int out, err; // to read its standard output and standard error from
} Child;

// Starts this program with these arguments, of which the first is its name and the last NULL. `in`: the file that is its standard input.
// It is the head of a process group, and dies with the calling thread. False, with errno, when that fails.
bool child_start(Child *c, char *const *argument, int in);

// Waits for its end; when `end`, ends it first: with SIGTERM, after which it removes its temporary files, then with SIGKILL.
// Returns its exit status, or 128 and the number of the signal that has ended it.
int child_end(Child *c, bool end);

#endif
