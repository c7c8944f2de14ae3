// Compressed output is what the libraries make at their usual levels, in whatever pieces it comes.
#include "test_game.h"

#include <bzlib.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "runtime/format/packed.h"
#include "runtime/search/input.h"
#include "runtime/value/memory.h"

enum { MOST = 150000 };

static char bytes[MOST];

// Bytes that cannot be compressed, then the same again, as far back as gzip can look.
static void fill(void)
{
    enum { BACK = 32500 };
    uint32_t random = 1;
    for (int i = 0; i < MOST; i++) {
        random = random * 1664525 + 1013904223;
        bytes[i] = i % (2 * BACK) < BACK ? (char)(random >> 24) : bytes[i - BACK];
    }
}

static bool take(void *user, const void *data, size_t length)
{
    assert_true(length > 0); // only what came out is passed on
    buffer_append(user, data, length);
    return true;
}

static void pack(Buffer *out, const char *name, size_t length, size_t piece)
{
    out->length = 0;
    Packed *p = packed_new(name, take, out);
    assert_non_null(p);
    for (size_t at = 0; at < length; at += piece)
        assert_true(packed_add(p, bytes + at, length - at < piece ? length - at : piece));
    assert_true(packed_end(p));
    packed_free(p);
}

// What was packed can be read, to its end and no further.
static void check_reads(const Buffer *packed, size_t length)
{
    char *got = memory_new(MOST + 1);
    ssize_t n;
    size_t read = 0;
    InputFile *f = input_open_memory(packed->start, packed->length, NULL);
    while ((n = input_read(f, got + read, MOST + 1 - read)) > 0)
        read += (size_t)n;
    assert_int_equal(n, 0);
    assert_int_equal(read, length);
    assert_memory_equal(got, bytes, length);
    input_close(f);
    free(got);
}

static void test_pieces(void **state)
{
    (void)state;
    static const char *const names[] = {"a.zst", "a.gz", "a.pgn.BZ2", ".xz"};
    static const size_t lengths[] = {1, 131072, MOST}, pieces[] = {MOST, 131072, 777};
    Buffer out = {0};
    fill();
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 3; k++)
            for (size_t n = 0; n < 3; n++) {
                pack(&out, names[i], lengths[k], pieces[n]);
                check_reads(&out, lengths[k]);
            }
    assert_null(packed_new("a.pgn", take, &out));
    assert_null(packed_new("gz", take, &out));
    buffer_free(&out);
}

// gzip and zlib compress alike, between heads of 10 and 2 bytes and ends of 8 and 4.
static void test_levels(void **state)
{
    (void)state;
    Buffer out = {0};
    char *want = memory_new(2 * MOST);
    fill();
    uLongf zlib = 2 * MOST;
    assert_int_equal(compress((Bytef *)want, &zlib, (const Bytef *)bytes, MOST), Z_OK);
    pack(&out, "a.gz", MOST, MOST);
    assert_int_equal(out.length, zlib - 6 + 18);
    assert_memory_equal(out.start + 10, want + 2, zlib - 6);
    unsigned bzip = 2 * MOST;
    assert_int_equal(BZ2_bzBuffToBuffCompress(want, &bzip, bytes, MOST, 9, 0, 0), BZ_OK);
    pack(&out, "a.bz2", MOST, MOST);
    assert_int_equal(out.length, bzip);
    assert_memory_equal(out.start, want, bzip);
    free(want);
    // the head of an xz stream has the kind of its check sum, and of its block the size of the dictionary
    static const uint8_t head[] = {0xFD, '7', 'z', 'X', 'Z', 0, 0, LZMA_CHECK_CRC64};
    lzma_options_lzma usual;
    assert_false(lzma_lzma_preset(&usual, LZMA_PRESET_DEFAULT));
    pack(&out, "a.xz", 1000, 1000);
    assert_memory_equal(out.start, head, sizeof head);
    lzma_filter filters[LZMA_FILTERS_MAX + 1];
    lzma_block block = {.check = LZMA_CHECK_CRC64, .filters = filters};
    block.header_size = lzma_block_header_size_decode((uint8_t)out.start[12]);
    assert_int_equal(lzma_block_header_decode(&block, NULL, (const uint8_t *)out.start + 12), LZMA_OK);
    assert_int_equal(((const lzma_options_lzma *)filters[0].options)->dict_size, usual.dict_size);
    free(filters[0].options);
    buffer_free(&out);
}

static bool refuse(void *user, const void *data, size_t length)
{
    (void)data, (void)length;
    ++*(int *)user;
    return false;
}

// After a failure nothing more is written, and each call says that it failed.
static void test_full(void **state)
{
    (void)state;
    static const char *const names[] = {"a.zst", "a.gz", "a.bz2", "a.xz"};
    fill();
    for (size_t i = 0; i < 4; i++) {
        int calls = 0;
        Packed *p = packed_new(names[i], refuse, &calls);
        for (int k = 0; k < 4; k++) {
            const bool good = packed_add(p, bytes, k < 3 ? MOST : 0);
            assert_int_equal(good, calls == 0);
        }
        assert_false(packed_end(p));
        assert_false(packed_add(p, bytes, 0));
        assert_false(packed_end(p));
        assert_int_equal(calls, 1);
        packed_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces), cmocka_unit_test(test_levels),
                                       cmocka_unit_test(test_full)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
