// A limit on the stack holds for the first thread only: where it is too low, the program runs in a second one.
#include "stack.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>

#include "runtime/search/search.h"
#include "console.h"

enum { LEAST_STACK = 8 << 20, MOST_STACK = 64 << 20 };

typedef struct Program {
    int (*run)(int count, char **argument);
    int count;
    char **argument;
    int status;
} Program;

// The stack of the first thread grows up to the limit at that time.
static bool raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= LEAST_STACK)
        return true;
    if (limit.rlim_max < LEAST_STACK)
        return false;
    limit.rlim_cur = LEAST_STACK;
    return setrlimit(RLIMIT_STACK, &limit) == 0;
}

static void *run_in_thread(void *user)
{
    Program *p = user;
    p->status = p->run(p->count, p->argument);
    return NULL;
}

int run_with_stack(int (*run)(int count, char **argument), int count, char **argument)
{
    Program program = {run, count, argument, STATUS_MEMORY};
    if (raise_limit())
        return run(count, argument);
    for (size_t size = MOST_STACK; size >= LEAST_STACK; size /= 2) {
        pthread_attr_t attributes;
        pthread_t id;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, size);
        const bool started = pthread_create(&id, &attributes, run_in_thread, &program) == 0;
        pthread_attr_destroy(&attributes);
        if (started) {
            pthread_join(id, NULL);
            return program.status;
        }
    }
    complain(NULL, "not enough memory for a stack of 8 MB; raise the limit of the stack (ulimit -s) or of "
                   "memory (ulimit -v)");
    return STATUS_MEMORY;
}
