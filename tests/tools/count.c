// At the end of the program, the last line of standard error is the number of basic blocks that it ran and the greatest
// amount of memory, in KB.
#include "blocks.h"

#include <stdio.h>
#include <sys/resource.h>

__attribute__((destructor)) static void report(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    fprintf(stderr, "blocks %llu memory %ld\n", (unsigned long long)blocks_run, usage.ru_maxrss);
}
