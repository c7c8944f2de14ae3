// The functions of setwise.h for processors with vectors of 256 bits.
#include "setwise.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("avx2,popcnt,bmi,bmi2")
#include "setwise_code.h"
const Setwise setwise_wide = SETWISE_FUNCTIONS;
#else
const Setwise setwise_wide;
#endif
