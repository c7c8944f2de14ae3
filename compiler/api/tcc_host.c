// What libtcc takes from the C library when it is part of libcqlgen, under names that the Makefile gives it: variables,
// which code that was not compiled for a shared object cannot reach, and functions that would end or change the program.
#include <signal.h>
#include <stdio.h>

#include "runtime/value/memory.h"

extern FILE *cqlgen_tcc_stdout, *cqlgen_tcc_stderr;
extern char **cqlgen_tcc_environ;
_Noreturn void cqlgen_tcc_exit(int status);
int cqlgen_tcc_sigaction(int number, const struct sigaction *action, struct sigaction *old);
void *cqlgen_tcc_malloc(size_t size);
void *cqlgen_tcc_calloc(size_t count, size_t size);
void *cqlgen_tcc_realloc(void *memory, size_t size);

FILE *cqlgen_tcc_stdout, *cqlgen_tcc_stderr; // of messages that it cannot report: it reports all
char **cqlgen_tcc_environ;                   // of programs that it runs: none

// Without memory libtcc ends the program, or crashes.
_Noreturn void cqlgen_tcc_exit(int status)
{
    (void)status;
    memory_exhausted();
}

void *cqlgen_tcc_malloc(size_t size)
{
    return memory_new(size);
}

void *cqlgen_tcc_calloc(size_t count, size_t size)
{
    return memory_zeroed(count, size);
}

void *cqlgen_tcc_realloc(void *memory, size_t size)
{
    return memory_resized(memory, size, 1);
}

// It shows where programs crash that it runs: none.
int cqlgen_tcc_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    (void)number, (void)action, (void)old;
    return -1;
}
