// What the processor can do beyond what every one of its kind can. Other files ask here and name no processor.
#ifndef CQL_CPU_H
#define CQL_CPU_H

#include <stdbool.h>

// CPU_FEATURES: F(name, macro, flag) for each feature: the macro by which a compiler says that it may use the feature, and whether
// queries are compiled with its flag. CPU_TARGET marks a function that may use features, and is called only where CPU_HAS them.
#ifdef __x86_64__
#define CPU_FEATURES(F)                                                                                      \
    F("popcnt", "__POPCNT__", true)                                                                          \
    F("ssse3", "__SSSE3__", false)                                                                           \
    F("sse4.1", "__SSE4_1__", false)                                                                         \
    F("sse4.2", "__SSE4_2__", false)                                                                         \
    F("bmi", "__BMI__", true)                                                                                \
    F("bmi2", "__BMI2__", true)                                                                              \
    F("fma", "__FMA__", false)                                                                               \
    F("fma4", "__FMA4__", false)                                                                             \
    F("avx", "__AVX__", false)                                                                               \
    F("avx2", "__AVX2__", true)                                                                              \
    F("avx512f", "__AVX512F__", true)                                                                        \
    F("avx512bw", "__AVX512BW__", true)                                                                      \
    F("avx512cd", "__AVX512CD__", true)                                                                      \
    F("avx512dq", "__AVX512DQ__", true)                                                                      \
    F("avx512vl", "__AVX512VL__", true)                                                                      \
    F("avx512vbmi", "__AVX512VBMI__", false)                                                                 \
    F("avx512vpopcntdq", "__AVX512VPOPCNTDQ__", true)
#define CPU_HAS(name) (__builtin_cpu_supports(name) != 0)
#define CPU_TARGET(names) __attribute__((target(names)))
#else
#define CPU_FEATURES(F)
#define CPU_HAS(name) false
#define CPU_TARGET(names)
#endif

// Vectors of 256 bits, and the instructions that came with them.
#define CPU_WIDE CPU_TARGET("avx2,bmi,bmi2,lzcnt,popcnt")
static inline bool cpu_is_wide(void)
{
#ifndef __clang__ // some versions do not know the name; processors with BMI2 have it
    if (!CPU_HAS("lzcnt"))
        return false;
#endif
    return CPU_HAS("avx2") && CPU_HAS("bmi") && CPU_HAS("bmi2") && CPU_HAS("popcnt");
}

// Vectors of 512 bits.
static inline bool cpu_is_widest(void)
{
    return cpu_is_wide() && CPU_HAS("avx512f") && CPU_HAS("avx512bw") && CPU_HAS("avx512dq") &&
           CPU_HAS("avx512vl") && CPU_HAS("avx512vpopcntdq");
}

#endif
