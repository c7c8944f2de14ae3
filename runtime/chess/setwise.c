// The functions of setwise.h for all processors, and the choice among them.
#include "setwise_code.h"

const Setwise setwise_plain = SETWISE_FUNCTIONS;
Setwise setwise = SETWISE_FUNCTIONS;

__attribute__((constructor(102))) static void choose_functions(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (setwise_widest.attacked && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq"))
        setwise = setwise_widest;
    else if (setwise_wide.attacked && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
        setwise = setwise_wide;
#endif
}
