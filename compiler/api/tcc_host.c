// What libtcc takes from the C library when it is part of libcqlgen, under names that the Makefile gives it: variables,
// which code that was not compiled for a shared object cannot reach, and `exit`, which would end the program.
#include <stdio.h>

#include "runtime/value/memory.h"

extern FILE *cqlgen_tcc_stdout, *cqlgen_tcc_stderr;
extern char **cqlgen_tcc_environ;
_Noreturn void cqlgen_tcc_exit(int status);

FILE *cqlgen_tcc_stdout, *cqlgen_tcc_stderr; // libtcc prints only what it cannot report
char **cqlgen_tcc_environ;                   // of programs that libtcc runs: none

// libtcc is out of memory.
_Noreturn void cqlgen_tcc_exit(int status)
{
    (void)status;
    memory_exhausted();
}
