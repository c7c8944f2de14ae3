// Compressed output and input when the library has no memory.
#include "test_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "runtime/search/input.h"
#include "runtime/search/output.h"

// In place of the library's: it has no memory, from the call on that says so.
static int calls_left;

size_t ZSTD_compressStream2(ZSTD_CCtx *c, ZSTD_outBuffer *out, ZSTD_inBuffer *in, ZSTD_EndDirective end)
{
    (void)c, (void)out, (void)end;
    if (calls_left-- <= 0)
        return (size_t)-ZSTD_error_memory_allocation;
    in->pos = in->size;
    return end == ZSTD_e_end ? 0 : 1;
}

// Nothing is left of it, whether it fails at the first bytes or at the end.
static void test_no_memory(void **state)
{
    (void)state;
    char name[] = "/tmp/cqlgen-packed-XXXXXX.zst";
    close(mkstemps(name, 4));
    unlink(name);
    for (int calls = 0; calls <= 2; calls++) {
        calls_left = calls;
        OutputFile *o = output_open(name, 0);
        assert_non_null(o);
        assert_int_equal(output_write(o, "a", 1), calls > 0);
        assert_int_equal(output_close(o, true), calls > 1);
        assert_int_equal(access(name, F_OK) == 0, calls > 1);
    }
    unlink(name);
}

// As above.
size_t ZSTD_decompressStream(ZSTD_DStream *d, ZSTD_outBuffer *out, ZSTD_inBuffer *in)
{
    (void)d, (void)out, (void)in;
    return (size_t)-ZSTD_error_memory_allocation;
}

// The data are not damaged: they may be read another time, and an import does not count them as read.
static void test_no_memory_to_read(void **state)
{
    (void)state;
    static const char bytes[] = "\x28\xB5\x2F\xFD and more";
    char out[16];
    InputFile *f = input_open_memory(bytes, sizeof bytes, NULL);
    assert_int_equal(input_read(f, out, sizeof out), -1);
    assert_true(input_is_cut(f));
    assert_non_null(strstr(input_error(f), "cannot read: Cannot allocate memory"));
    input_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_memory),
                                       cmocka_unit_test(test_no_memory_to_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
