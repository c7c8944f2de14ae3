// The functions of setwise.h for all processors, and the choice among them.
#include "runtime/value/cpu.h"
#include "setwise_code.h"

const Setwise setwise_plain = SETWISE_FUNCTIONS;
Setwise setwise = SETWISE_FUNCTIONS;

__attribute__((constructor(102))) static void choose_functions(void)
{
    if (setwise_widest.attacked && cpu_is_widest())
        setwise = setwise_widest;
    else if (setwise_wide.attacked && cpu_is_wide())
        setwise = setwise_wide;
}
