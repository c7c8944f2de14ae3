// The compressors of output: zstd, gzip, bzip2 and xz at their usual levels.
#include "packed.h"

#include <bzlib.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"

enum { OUT_BYTES = 1 << 17, BZIP_LEVEL = 9, MOST_IN = 1 << 30 };

// What is left to compress, and room for the result.
typedef struct Step {
    const char *in;
    size_t in_left;
    char *out;
    size_t out_left;
} Step;

typedef struct Codec {
    const char *ending;
    bool (*begin)(Packed *p);
    bool (*step)(Packed *p, Step *s, bool last); // true: with `last`, the stream is complete
    void (*end)(Packed *p);
} Codec;

struct Packed {
    const Codec *codec;
    PackedWrite *write;
    void *user;
    bool failed;
    ZSTD_CCtx *zstd;
    z_stream gzip;
    bz_stream bzip;
    lzma_stream xz;
    char out[OUT_BYTES];
};

static bool zstd_begin(Packed *p)
{
    p->zstd = ZSTD_createCCtx();
    return p->zstd != NULL;
}

static bool zstd_step(Packed *p, Step *s, bool last)
{
    ZSTD_inBuffer in = {s->in, s->in_left, 0};
    ZSTD_outBuffer out = {s->out, s->out_left, 0};
    const size_t left = ZSTD_compressStream2(p->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
    p->failed |= ZSTD_isError(left) != 0;
    *s = (Step){s->in + in.pos, s->in_left - in.pos, s->out + out.pos, s->out_left - out.pos};
    return last && left == 0;
}

static void zstd_end(Packed *p)
{
    ZSTD_freeCCtx(p->zstd);
}

static bool gzip_begin(Packed *p)
{
    enum { GZIP_HEADER = 16, MEMORY_LEVEL = 8 };
    return deflateInit2(&p->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP_HEADER, MEMORY_LEVEL,
                        Z_DEFAULT_STRATEGY) == Z_OK;
}

static bool gzip_step(Packed *p, Step *s, bool last)
{
    p->gzip.next_in = (Bytef *)(uintptr_t)s->in;
    p->gzip.avail_in = (uInt)s->in_left;
    p->gzip.next_out = (Bytef *)s->out;
    p->gzip.avail_out = (uInt)s->out_left;
    const int result = deflate(&p->gzip, last ? Z_FINISH : Z_NO_FLUSH);
    p->failed |= result == Z_STREAM_ERROR;
    *s = (Step){(const char *)p->gzip.next_in, p->gzip.avail_in, (char *)p->gzip.next_out, p->gzip.avail_out};
    return result == Z_STREAM_END;
}

static void gzip_end(Packed *p)
{
    deflateEnd(&p->gzip);
}

static bool bzip_begin(Packed *p)
{
    return BZ2_bzCompressInit(&p->bzip, BZIP_LEVEL, 0, 0) == BZ_OK;
}

static bool bzip_step(Packed *p, Step *s, bool last)
{
    p->bzip.next_in = (char *)(uintptr_t)s->in;
    p->bzip.avail_in = (unsigned)s->in_left;
    p->bzip.next_out = s->out;
    p->bzip.avail_out = (unsigned)s->out_left;
    const int result = BZ2_bzCompress(&p->bzip, last ? BZ_FINISH : BZ_RUN);
    p->failed |= result < 0;
    *s = (Step){p->bzip.next_in, p->bzip.avail_in, p->bzip.next_out, p->bzip.avail_out};
    return result == BZ_STREAM_END;
}

static void bzip_end(Packed *p)
{
    BZ2_bzCompressEnd(&p->bzip);
}

static bool xz_begin(Packed *p)
{
    return lzma_easy_encoder(&p->xz, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) == LZMA_OK;
}

static bool xz_step(Packed *p, Step *s, bool last)
{
    p->xz.next_in = (const uint8_t *)s->in;
    p->xz.avail_in = s->in_left;
    p->xz.next_out = (uint8_t *)s->out;
    p->xz.avail_out = s->out_left;
    const lzma_ret result = lzma_code(&p->xz, last ? LZMA_FINISH : LZMA_RUN);
    p->failed |= result != LZMA_OK && result != LZMA_STREAM_END && result != LZMA_BUF_ERROR;
    *s = (Step){(const char *)p->xz.next_in, p->xz.avail_in, (char *)p->xz.next_out, p->xz.avail_out};
    return result == LZMA_STREAM_END;
}

static void xz_end(Packed *p)
{
    lzma_end(&p->xz);
}

static const Codec codecs[] = {{".zst", zstd_begin, zstd_step, zstd_end},
                               {".gz", gzip_begin, gzip_step, gzip_end},
                               {".bz2", bzip_begin, bzip_step, bzip_end},
                               {".xz", xz_begin, xz_step, xz_end}};

static const Codec *find_codec(const char *name)
{
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof codecs / sizeof *codecs; i++)
        if (ascii_same(codecs[i].ending, ending))
            return &codecs[i];
    return NULL;
}

size_t packed_inner_length(const char *name)
{
    const Codec *codec = find_codec(name);
    return strlen(name) - (codec ? strlen(codec->ending) : 0);
}

Packed *packed_new(const char *name, PackedWrite *write, void *user)
{
    const Codec *codec = find_codec(name);
    if (!codec)
        return NULL;
    Packed *p = memory_zeroed(1, sizeof *p);
    *p = (Packed){.codec = codec, .write = write, .user = user};
    if (!codec->begin(p))
        memory_exhausted();
    return p;
}

// Compresses and passes on what comes out; with `last` to the end of the stream.
static bool add_bytes(Packed *p, const char *bytes, size_t length, bool last)
{
    Step s = {.in = bytes, .in_left = length};
    for (bool complete = false; !p->failed && !complete && (last || s.in_left > 0);) {
        s.out = p->out;
        s.out_left = OUT_BYTES;
        complete = p->codec->step(p, &s, last);
        if (s.out_left < OUT_BYTES && !p->write(p->user, p->out, OUT_BYTES - s.out_left))
            p->failed = true;
    }
    return !p->failed;
}

bool packed_add(Packed *p, const void *bytes, size_t length)
{
    const char *next = bytes;
    for (size_t piece; length > 0; next += piece, length -= piece) { // some libraries count in 32 bits
        piece = length < MOST_IN ? length : MOST_IN;
        if (!add_bytes(p, next, piece, false))
            return false;
    }
    return !p->failed;
}

bool packed_end(Packed *p)
{
    return add_bytes(p, "", 0, true);
}

void packed_free(Packed *p)
{
    p->codec->end(p);
    free(p);
}
