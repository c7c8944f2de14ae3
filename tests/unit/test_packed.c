// Compressed output when its compressor fails.
#include "test_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "runtime/search/output.h"

// In place of the library's: it has no memory, from the call on that says so.
static int calls_left;

size_t ZSTD_compressStream2(ZSTD_CCtx *c, ZSTD_outBuffer *out, ZSTD_inBuffer *in, ZSTD_EndDirective end)
{
    enum { NO_MEMORY = 64 };
    (void)c, (void)out, (void)end;
    if (calls_left-- <= 0)
        return (size_t)-NO_MEMORY;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
