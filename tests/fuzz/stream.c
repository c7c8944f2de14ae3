// Compressed files: any sizes of reads deliver the same bytes and the same error.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/search/input.h"
#include "runtime/value/buffer.h"

enum { LONGEST = 1 << 16, MOST_EXPANDED = 1 << 20 };

// Reads at most MOST_EXPANDED bytes in pieces of `size`; appends the error after them.
static Buffer read_all(const uint8_t *data, size_t length, size_t size)
{
    Buffer b = {0};
    InputFile *f = input_open_memory((const char *)data, length, NULL);
    char *piece = malloc(size); // of its own, so that a sanitizer sees what is written after it
    int64_t got = 0;
    if (!f || !piece)
        fuzz_fail("cannot open the input");
    while (b.length < MOST_EXPANDED && (got = input_read(f, piece, size)) > 0) {
        if ((size_t)got > size)
            fuzz_fail("a read of %zu bytes delivers %lld", size, (long long)got);
        buffer_append(&b, piece, (size_t)got);
    }
    if ((got < 0) != (input_error(f) != NULL) && b.length < MOST_EXPANDED)
        fuzz_fail("result and error do not agree");
    if (b.length > MOST_EXPANDED)
        b.length = MOST_EXPANDED;
    if (got < 0)
        buffer_text(&b, input_error(f));
    if (input_offset(f) > length || input_size(f) > length)
        fuzz_fail("the input is longer than it is");
    free(piece);
    input_close(f);
    return b;
}

void fuzz_stream(const uint8_t *data, size_t size)
{
    static const size_t sizes[] = {1 << 16, 1000, 7};
    Buffer all = {0};
    if (size > LONGEST)
        return;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (i > 1 && all.length > 20000) // many short reads of a long text are slow
            break;
        Buffer b = read_all(size ? data : (const uint8_t *)"", size, sizes[i]);
        if (i > 0 && (b.length != all.length || (b.length && memcmp(b.start, all.start, b.length) != 0)))
            fuzz_fail("reads of %zu bytes deliver something else", sizes[i]);
        if (i == 0)
            all = b;
        else
            buffer_free(&b);
    }
    buffer_free(&all);
}
