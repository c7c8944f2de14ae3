// Integer types. Generated C is compiled without system headers, so it defines its own.
#ifndef CQL_INTEGERS_H
#define CQL_INTEGERS_H

#ifndef __LP64__
#error "cqlgen needs a 64-bit processor with pointers of 64 bits; build without -m32 and -mx32"
#endif

#ifdef CQL_GENERATED
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
#else
#include <stdint.h>
#endif

#endif
