// The functions of setwise.h for processors with vectors of 512 bits.
#include "setwise.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target(                                                                                          \
    "avx2,popcnt,bmi,bmi2,avx512f,avx512dq,avx512vl,avx512bw,avx512vpopcntdq,prefer-vector-width=512")
#include "setwise_code.h"
const Setwise setwise_widest = SETWISE_FUNCTIONS;
#else
const Setwise setwise_widest;
#endif
