// The counter of basic blocks.
#include "blocks.h"

uint64_t blocks_run;

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
    blocks_run++;
}
