// Checksums with vectors of 256 bits, for processors that have them.
#if defined(__x86_64__) && !defined(__clang__)
#include <immintrin.h>

#pragma GCC target("avx2")
#define XXH_VECTOR 2 // AVX2
#include "checksum_code.h"

const ChecksumCode checksum_wide = CHECKSUM_CODE;
#else
typedef int ChecksumIsPlain; // a file must declare something
#endif
