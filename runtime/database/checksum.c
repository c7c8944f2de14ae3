// Checksums of blobs.
#include "checksum.h"

#include "runtime/value/memory.h"
#include "checksum_code.h"

static const ChecksumCode *code(void)
{
    static const ChecksumCode plain = CHECKSUM_CODE;
#if defined(__x86_64__) && !defined(__clang__)
    if (__builtin_cpu_supports("avx2"))
        return &checksum_wide;
#endif
    return &plain;
}

int64_t checksum_of(const void *bytes, size_t length)
{
    return (int64_t)code()->all(bytes, length);
}

Checksum *checksum_new(void)
{
    return memory_checked(code()->make());
}

void checksum_free(Checksum *c)
{
    code()->drop(c);
}

void checksum_begin(Checksum *c)
{
    code()->begin(c);
}

void checksum_add(Checksum *c, const void *bytes, size_t length)
{
    code()->add(c, bytes, length);
}

int64_t checksum_end(const Checksum *c)
{
    return (int64_t)code()->end(c);
}
