// Counts the basic blocks that code built with -fsanitize-coverage=trace-pc runs. At the end of the program it writes the
// count and the greatest amount of memory, in KB, as the last line of standard error.
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>

static uint64_t blocks;

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
    blocks++;
}

__attribute__((destructor)) static void report(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    fprintf(stderr, "blocks %llu memory %ld\n", (unsigned long long)blocks, usage.ru_maxrss);
}
