// Input files, plain and compressed: what is delivered, and what is said about damage.
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bzlib.h>
#include <dlfcn.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "calls_fixture.h"
#include "runtime/database/database.h"
#include "runtime/search/input.h"
#include "runtime/search/output.h"

enum { ROOM = 1 << 20 };

static char text[200000];

static void fill_text(void)
{
    unsigned state = 1; // not too easy to compress, so that the streams are longer than a few bytes
    for (size_t i = 0; i < sizeof text; i++) {
        state = state * 1103515245u + 12345u;
        text[i] = "abcdefghKQRBN12345678 \n"[(state >> 16) % 23];
    }
}

// ---- making compressed data -------------------------------------------------------------------------------

typedef size_t Pack(const char *bytes, size_t length, char *out);

static size_t pack_plain(const char *bytes, size_t length, char *out)
{
    memcpy(out, bytes, length);
    return length;
}

static size_t pack_gzip(const char *bytes, size_t length, char *out)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes,
                  .avail_in = (unsigned)length,
                  .next_out = (unsigned char *)out,
                  .avail_out = ROOM};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return ROOM - z.avail_out;
}

static size_t pack_bzip(const char *bytes, size_t length, char *out)
{
    unsigned size = ROOM;
    assert_int_equal(
        BZ2_bzBuffToBuffCompress(out, &size, (char *)(uintptr_t)bytes, (unsigned)length, 1, 0, 0), BZ_OK);
    return size;
}

static size_t pack_xz(const char *bytes, size_t length, char *out)
{
    size_t size = 0;
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (const uint8_t *)bytes, length,
                                             (uint8_t *)out, &size, ROOM),
                     LZMA_OK);
    return size;
}

static size_t pack_zstd(const char *bytes, size_t length, char *out)
{
    size_t size = ZSTD_compress(out, ROOM, bytes, length, 1);
    assert_false(ZSTD_isError(size));
    return size;
}

static Pack *const packs[] = {pack_plain, pack_gzip, pack_bzip, pack_xz, pack_zstd};
enum { PACKS = sizeof packs / sizeof *packs };

// ---- decoders without memory ------------------------------------------------------------------------------

static bool cannot_begin, cannot_go_on;

#define REAL(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

ZSTD_DStream *ZSTD_createDStream(void)
{
    return cannot_begin ? NULL : REAL(ZSTD_createDStream)();
}

size_t ZSTD_decompressStream(ZSTD_DStream *stream, ZSTD_outBuffer *to, ZSTD_inBuffer *from)
{
    return cannot_go_on ? (size_t)-ZSTD_error_memory_allocation
                        : REAL(ZSTD_decompressStream)(stream, to, from);
}

int inflateInit2_(z_stream *stream, int bits, const char *version, int size)
{
    return cannot_begin ? Z_MEM_ERROR : REAL(inflateInit2_)(stream, bits, version, size);
}

static bool idles;

int inflate(z_stream *stream, int flush)
{
    if (idles)
        return Z_OK;
    return cannot_go_on ? Z_MEM_ERROR : REAL(inflate)(stream, flush);
}

int BZ2_bzDecompressInit(bz_stream *stream, int verbosity, int small)
{
    return cannot_begin ? BZ_MEM_ERROR : REAL(BZ2_bzDecompressInit)(stream, verbosity, small);
}

int BZ2_bzDecompress(bz_stream *stream)
{
    return cannot_go_on ? BZ_MEM_ERROR : REAL(BZ2_bzDecompress)(stream);
}

lzma_ret lzma_stream_decoder(lzma_stream *stream, uint64_t memory, uint32_t flags)
{
    return cannot_begin ? LZMA_MEM_ERROR : REAL(lzma_stream_decoder)(stream, memory, flags);
}

lzma_ret lzma_code(lzma_stream *stream, lzma_action action)
{
    return cannot_go_on ? LZMA_MEM_ERROR : REAL(lzma_code)(stream, action);
}

// ---- reading ----------------------------------------------------------------------------------------------

static InputFile *open_bytes(const char *bytes, size_t length)
{
    int fd = output_temporary();
    assert_true(fd >= 0);
    assert_true(output_write_all(fd, bytes, length));
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return input_open_descriptor(fd, NULL);
}

// Reads everything in steps of `step` bytes; returns the length, and the error in `error`.
static size_t read_all(const char *bytes, size_t length, size_t step, char *out, char error[256])
{
    InputFile *f = open_bytes(bytes, length);
    size_t total = 0;
    int64_t count;
    while ((count = input_read(f, out + total, step)) > 0) {
        assert_true((size_t)count <= step);
        total += (size_t)count;
        assert_true(total + step <= ROOM);
    }
    assert_int_equal(count < 0, input_error(f) != NULL);
    assert_true(input_read(f, out + total, step) == count); // it stays so
    snprintf(error, 256, "%s", input_error(f) ? input_error(f) : "");
    if (count == 0)
        assert_int_equal(input_offset(f), length);
    input_close(f);
    return total;
}

static char packed[ROOM], out[ROOM], error[256];

static void test_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < PACKS; i++) {
        static const size_t lengths[] = {0, 1, 9, 1000, sizeof text}, steps[] = {1, 7, 4096, 262144};
        for (size_t l = 0; l < 5; l++) {
            size_t length = packs[i](text, lengths[l], packed);
            for (size_t s = lengths[l] > 2000; s < 4; s++) {
                assert_int_equal(read_all(packed, length, steps[s], out, error), lengths[l]);
                assert_string_equal(error, "");
                assert_memory_equal(out, text, lengths[l]);
            }
        }
    }
}

static void test_several_streams(void **state)
{
    (void)state;
    for (size_t i = 1; i < PACKS; i++) {
        size_t length = packs[i](text, 1000, packed);
        length += packs[i](text + 1000, 0, packed + length);
        length += packs[i](text + 1000, 70000, packed + length);
        assert_int_equal(read_all(packed, length, 4096, out, error), 71000);
        assert_string_equal(error, "");
        assert_memory_equal(out, text, 71000);
        const size_t first = packs[i](text, 1000, packed);
        packs[i](text, 1000, packed + first);
        for (size_t cut = 1; cut < 20; cut++) { // in the second stream
            assert_int_equal(read_all(packed, first + cut, 4096, out, error), 1000);
            assert_non_null(strstr(error, "end too early"));
        }
    }
}

// Whatever is cut off, what is delivered is the beginning of the text, and the end is an error with a place.
static void test_truncated(void **state)
{
    (void)state;
    for (size_t i = 1; i < PACKS; i++) {
        size_t length = packs[i](text, 3000, packed);
        for (size_t cut = 10; cut < length; cut += 3) {
            size_t got = read_all(packed, cut, 512, out, error);
            assert_true(got <= 3000);
            assert_memory_equal(out, text, got);
            assert_non_null(strstr(error, "end too early"));
            assert_non_null(strstr(error, "near byte"));
        }
    }
}

static void test_damaged(void **state)
{
    (void)state;
    for (size_t i = 1; i < PACKS; i++) {
        size_t length = packs[i](text, 3000, packed);
        for (size_t at = 10; at < length; at += 5) {
            packed[at] ^= 0x40;
            InputFile *f = open_bytes(packed, length);
            while (input_read(f, out, sizeof out) > 0)
                ;
            input_close(f);
            packed[at] ^= 0x40;
        }
    }
    // the check sum after the data of a gzip stream
    size_t length = pack_gzip(text, 3000, packed);
    packed[length - 8] ^= 1;
    assert_int_equal(read_all(packed, length, 4096, out, error), 3000);
    assert_non_null(strstr(error, "gzip data are damaged"));
}

// What is said about each kind of damage. The text before it is delivered.
static void test_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        Pack *pack;
        size_t at;                      // of the byte that is damaged, from the end
        const char *damaged, *followed; // by other bytes
    } cases[] = {{pack_gzip, 1, "gzip data are damaged (incorrect length check)",
                  "gzip data are followed by something else (incorrect header check)"},
                 {pack_bzip, 4, "bzip2 data are damaged (invalid data)",
                  "bzip2 data are followed by something else (not a bzip2 stream)"},
                 {pack_xz, 12, "xz data are damaged (invalid data)", "xz data are damaged (invalid data)"},
                 {pack_zstd, 1, "zstd data are damaged (",
                  "zstd data are followed by something else (Unknown frame descriptor)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length = cases[i].pack(text, 3000, packed);
        memcpy(packed + length, "[Event \"a\"]\n\n", 13);
        assert_int_equal(read_all(packed, length + 13, 4096, out, error), 3000);
        assert_memory_equal(error, cases[i].followed, strlen(cases[i].followed));
        packed[length - cases[i].at] ^= 1;
        read_all(packed, length, 4096, out, error);
        assert_memory_equal(error, cases[i].damaged, strlen(cases[i].damaged));
    }
    size_t length = pack_xz(text, 3000, packed);
    packed[length / 2] ^= 1;
    read_all(packed, length, 4096, out, error);
    assert_memory_equal(error, "xz data are damaged (invalid data) (near byte ", 46);
}

// Sets the checksum of a part of the xz format at its end.
static void set_checksum(char *bytes, size_t length)
{
    const uint32_t sum = lzma_crc32((const uint8_t *)bytes, length, 0);
    for (int i = 0; i < 4; i++)
        bytes[length + (size_t)i] = (char)(sum >> 8 * i);
}

// Data for a decoder with a longer history than the memory has room for are refused. The room is a power of two from 128 MB to 2 GB.
static void test_long_history(void **state)
{
    (void)state;
    enum { HEADER = 12, MB_96 = 29, MB_128, MB_192, MB_256, GB_1 = 36, GB_2 = 38 }; // as the format codes it
    static const struct {
        uint64_t memory;
        int history;
        bool good;
    } cases[] = {{1, MB_96, true},
                 {1, MB_128, false}, // and a little for the decoder itself
                 {(1 << 28) - 1, MB_128, false},
                 {1 << 28, MB_192, true},
                 {1 << 28, MB_256, false},
                 {1ULL << 40, GB_1, true},
                 {1ULL << 40, GB_2, false}};
    const size_t length = pack_xz(text, 3000, packed);
    char *const block = packed + HEADER; // its size, flags, lengths, then the filter LZMA2 with one byte
    const size_t size = 4 * (size_t)(*block + 1) - 4;
    char *const filter = memmem(block, size, "\x21\1", 2);
    assert_non_null(filter);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        filter[2] = (char)cases[i].history;
        set_checksum(block, size);
        InputFile *f = open_bytes(packed, length);
        input_set_memory(f, cases[i].memory);
        int64_t count, all = 0;
        while ((count = input_read(f, out, sizeof out)) > 0)
            all += count;
        const char *said = input_error(f);
        if (all != (cases[i].good ? 3000 : 0) ||
            (said ? cases[i].good || !strstr(said, "xz data are damaged (needs too much memory) (near byte ")
                  : !cases[i].good))
            fail_msg("case %d: %s", (int)i, said ? said : "");
        input_close(f);
    }
    packed[6] = 1; // a flag of the stream that nobody knows
    set_checksum(packed + 6, 2);
    read_all(packed, length, 4096, out, error);
    assert_memory_equal(error, "xz data are damaged (unknown features)", 38);
}

static void test_trailing_bytes(void **state)
{
    (void)state;
    size_t length = pack_gzip(text, 500, packed);
    memset(packed + length, 0, 100); // tapes are padded with zeros
    assert_int_equal(read_all(packed, length + 100, 4096, out, error), 500);
    assert_string_equal(error, "");
    memcpy(packed + length, "[Event", 6);
    assert_int_equal(read_all(packed, length + 6, 4096, out, error), 500);
    assert_non_null(strstr(error, "followed by something else"));
}

static void test_looks_compressed(void **state)
{
    (void)state;
    static const char *const texts[] = {"BZh9 is a word", "BZh", "\x1F\x8B", "7zXZ", "(\xB5/", "%PGN"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t length = strlen(texts[i]);
        assert_int_equal(read_all(texts[i], length, 5, out, error), length);
        assert_memory_equal(out, texts[i], length);
        assert_string_equal(error, "");
    }
}

// The first bytes tell how data are compressed, as soon as there are enough of them.
static void test_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length; // that is enough
        const char *codec;
    } cases[] = {{"\x28\xB5\x2F\xFD", 4, "zstd"},
                 {"\x50\x2A\x4D\x18", 4, "zstd"}, // frames that are skipped
                 {"\x5F\x2A\x4D\x18", 4, "zstd"},
                 {"\x1F\x8B\x08", 3, "gzip"},
                 {"\xFD"
                  "7zXZ\0",
                  6, "xz"},
                 {"BZh11AY&SY", 10, "bzip2"},
                 {"BZh91AY&SY", 10, "bzip2"},
                 {"BZh5\x17\x72\x45\x38\x50\x90", 10, "bzip2"}, // an empty stream
                 {"BZh01AY&SY", 10, NULL},
                 {"BZh:1AY&SY", 10, NULL},
                 {"BZg91AY&SY", 10, NULL},
                 {"BZh91AY&SZ", 10, NULL},
                 {"\x4F\x2A\x4D\x18", 4, NULL},
                 {"\x60\x2A\x4D\x18", 4, NULL},
                 {"\x50\x2A\x4D\x19", 4, NULL},
                 {"\x28\xB5\x2F\xFC", 4, NULL},
                 {"\x1F\x8B\x09", 3, NULL},
                 {"\xFD"
                  "7zXZ1",
                  6, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t length = 1; length <= cases[i].length; length++) {
            const size_t got = read_all(cases[i].bytes, length, 100, out, error);
            const bool packed_data = length == cases[i].length && cases[i].codec;
            char said[40] = "";
            if (packed_data)
                snprintf(said, sizeof said, "%s data end too early", cases[i].codec);
            if (got != (packed_data ? 0 : length) || memcmp(out, cases[i].bytes, got) != 0 ||
                strncmp(error, said, packed_data ? strlen(said) : sizeof said) != 0)
                fail_msg("case %d, %d bytes: %s", (int)i, (int)length, error);
        }
    memcpy(packed, "PK\3\4", 4);
    assert_int_equal(read_all(packed, 3, 100, out, error), 3);
    assert_int_equal(read_all(packed, 4, 100, out, error), 0);
    assert_string_equal(error, "this is a zip archive; unpack it first");
    memcpy(packed, "\x55\x2A\x4D\x18\3\0\0\0abc", 11); // three bytes that are skipped
    const size_t length = pack_zstd(text, 1000, packed + 11);
    assert_int_equal(read_all(packed, 11 + length, 100, out, error), 1000);
    assert_string_equal(error, "");
}

static void test_pipe(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    size_t length = pack_xz(text, 2000, packed);
    assert_true(output_write_all(ends[1], packed, length));
    close(ends[1]);
    InputFile *f = input_open_descriptor(ends[0], NULL);
    size_t total = 0;
    int64_t count;
    while ((count = input_read(f, out + total, 300)) > 0)
        total += (size_t)count;
    assert_int_equal(total, 2000);
    assert_memory_equal(out, text, 2000);
    input_close(f);
}

// What a signal interrupts goes on; an error is the end, with its place.
static void test_calls(void **state)
{
    (void)state;
    for (size_t i = 0; i < PACKS; i++) {
        const size_t length = packs[i](text, 2000, packed);
        slow_calls = true;
        const size_t got = read_all(packed, length, 500, out, error);
        slow_calls = false;
        assert_string_equal(error, "");
        assert_int_equal(got, 2000);
        assert_memory_equal(out, text, 2000);
    }
    static const char *const ends[] = {"cannot read: Input/output error",
                                       "cannot read: Input/output error (near byte 10 of the file)"};
    for (int before = 0; before < 2; before++) {
        InputFile *f = open_bytes(text, 2000);
        if (before) {
            slow_calls = true; // so that not all is read
            assert_int_equal(input_read(f, out, 10), 10);
            slow_calls = false;
        }
        failing_calls = EIO;
        int64_t count = 10;
        while ((count = input_read(f, out, 10)) > 0)
            ;
        failing_calls = 0;
        assert_int_equal(count, -1);
        assert_true(input_is_cut(f));
        assert_memory_equal(input_error(f), ends[before], 31);
        assert_int_equal(strstr(input_error(f), "(near byte 12 of the file)") != NULL, before);
        input_close(f);
    }
}

// Another time the data may be read: it is no damage.
static void test_no_memory(void **state)
{
    (void)state;
    static const char *const names[] = {"", "gzip", "bzip2", "xz", "zstd"};
    char wanted[256];
    for (size_t i = 1; i < PACKS; i++) {
        const size_t length = packs[i](text, 3000, packed);
        for (int begins = 0; begins < 2; begins++) {
            InputFile *f = open_bytes(packed, length);
            cannot_begin = !begins;
            cannot_go_on = begins;
            assert_int_equal(input_read(f, out, sizeof out), -1);
            assert_int_equal(input_read(f, out, sizeof out), -1);
            snprintf(wanted, sizeof wanted, "cannot decode %s data: out of memory", names[i]);
            if (begins)
                snprintf(wanted, sizeof wanted,
                         "cannot read: Cannot allocate memory (near byte %zu of the file)", length);
            cannot_begin = cannot_go_on = false;
            assert_string_equal(input_error(f), wanted);
            assert_true(input_is_cut(f));
            input_close(f);
        }
    }
    const size_t idle_length = pack_gzip(text, 3000, packed);
    idles = true;
    assert_int_equal(read_all(packed, idle_length, 4096, out, error), 0);
    idles = false;
    assert_string_equal(error,
                        "gzip data are damaged (the decoder makes no progress) (near byte 0 of the file)");
    // the second of two streams
    size_t length = pack_bzip(text, 1000, packed);
    length += pack_bzip(text, 1000, packed + length);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_true(output_write_all(ends[1], packed, length));
    close(ends[1]);
    InputFile *f = input_open_descriptor(ends[0], NULL);
    assert_int_equal(input_read(f, out, 1000), 1000);
    cannot_begin = true;
    assert_int_equal(input_read(f, out, 1000), -1);
    cannot_begin = false;
    snprintf(wanted, sizeof wanted, "cannot read: Cannot allocate memory (near byte %zu of the file)",
             length);
    assert_string_equal(input_error(f), wanted);
    input_close(f);
}

// A pipe may give the first bytes, which tell how the data are compressed, in pieces.
static void test_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < PACKS; i++)
        for (size_t first = 1; first <= 12; first++) {
            int ends[2];
            assert_int_equal(pipe(ends), 0);
            const size_t length = packs[i](text, 2000, packed);
            const pid_t child = fork();
            if (child == 0) {
                const bool good = output_write_all(ends[1], packed, first);
                usleep(2000);
                _exit(!good || !output_write_all(ends[1], packed + first, length - first));
            }
            close(ends[1]);
            InputFile *f = input_open_descriptor(ends[0], NULL);
            size_t total = 0;
            for (int64_t count; (count = input_read(f, out + total, 300)) > 0;)
                total += (size_t)count;
            assert_null(input_error(f));
            assert_int_equal(total, 2000);
            assert_memory_equal(out, text, 2000);
            assert_int_equal(input_offset(f), length);
            input_close(f);
            assert_int_equal(waitpid(child, NULL, 0), child);
        }
}

// Ten bytes tell of a database of SQLite.
static void test_other_database(void **state)
{
    (void)state;
    static const char head[200] = "SQLite format 3";
    static const size_t lengths[] = {9, 10, 15, 100, 199};
    for (size_t i = 0; i < 5; i++) {
        const bool text_file = lengths[i] < 10;
        assert_int_equal(read_all(head, lengths[i], 50, out, error), text_file ? lengths[i] : 0);
        assert_string_equal(error,
                            text_file ? "" : "this is an SQLite database that `cqlgen import` did not make");
    }
}

static void test_stop(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    atomic_int stop = 1;
    InputFile *f = input_open_descriptor(ends[0], &stop);
    assert_int_equal(input_read(f, out, 10), 0); // nothing is written, and the other end stays open
    assert_null(input_error(f));
    input_close(f);
    close(ends[1]);
}

static void test_cannot_read(void **state)
{
    (void)state;
    assert_null(input_open("/nonexistent/file.pgn", NULL));
    InputFile *f = input_open("/", NULL);
    if (f) { // a folder can be opened, not read
        assert_int_equal(input_read(f, out, 10), -1);
        assert_non_null(strstr(input_error(f), "cannot read"));
        input_close(f);
    }
}

// A file that another program writes to while it is read is an error at its end; one that it replaces is not.
static void test_changed(void **state)
{
    (void)state;
    enum { SHORTER, LONGER, REPLACED, CHANGES };
    for (int change = SHORTER; change < CHANGES; change++) {
        char name[] = "/tmp/cqlgen-input-XXXXXX", other[] = "/tmp/cqlgen-input-XXXXXX";
        const int fd = mkstemp(name), replacing = mkstemp(other);
        assert_int_equal(write(fd, text, sizeof text), sizeof text);
        InputFile *f = input_open(name, NULL);
        assert_int_equal(input_read(f, out, 10), 10);
        assert_int_equal(change == SHORTER  ? ftruncate(fd, 5)
                         : change == LONGER ? ftruncate(fd, 2 * sizeof text)
                                            : rename(other, name),
                         0);
        int64_t count;
        while ((count = input_read(f, out, ROOM)) > 0)
            ;
        assert_int_equal(count, change == REPLACED ? 0 : -1);
        assert_int_equal(input_is_cut(f), change != REPLACED);
        if (change != REPLACED)
            assert_non_null(strstr(input_error(f), "another program changed the file while it was read"));
        input_close(f);
        close(fd);
        close(replacing);
        unlink(name);
        unlink(other);
    }
}

typedef struct Source {
    const char *bytes;
    bool fails; // instead of its end
} Source;

static int64_t read_source(void *user, void *buffer, size_t size)
{
    Source *s = user;
    const size_t left = strlen(s->bytes), count = left < size ? left : size;
    memcpy(buffer, s->bytes, count);
    s->bytes += count;
    return count > 0 ? (int64_t)count : s->fails ? -1 : 0;
}

static bool source_fails(void *user)
{
    return ((Source *)user)->fails;
}

static void unexpected_report(void *user, uint64_t line, int64_t game, const char *message)
{
    (void)user, (void)line, (void)game, (void)message;
    fail();
}

static void import_source(const char *name, Source *source, int64_t expected)
{
    const char *const names[] = {"games.pgn"};
    char *message = NULL;
    int64_t games = 0, left_out = 0;
    Database *d = database_open(name, DATABASE_CREATE, NULL, &message);
    assert_non_null(d);
    assert_true(database_begin_import(d, names, 1, false, &message));
    PgnSplitter *splitter = pgn_split_open(read_source, source, unexpected_report, NULL);
    const ImportOptions options = {
        .source = names[0], .threads = 1, .report = unexpected_report, .user = source, .cut = source_fails};
    assert_true(database_import(d, splitter, &options, &games, &left_out, &message));
    assert_int_equal(games, expected);
    pgn_split_close(splitter);
    database_close(d);
}

// The game in which reading fails is not stored: the import that continues stores all of it.
static void test_import_cut_in_a_game(void **state)
{
    (void)state;
    char folder[] = "/tmp/cqlgen-input-XXXXXX", name[64];
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/games.cqldb", folder);
    import_source(name, &(Source){"1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n1. c4 c", true}, 2);
    import_source(name, &(Source){"1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n1. c4 c5 1/2-1/2\n", false}, 1);
    unlink(name);
    rmdir(folder);
}

int main(void)
{
    fill_text();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),          cmocka_unit_test(test_several_streams),
        cmocka_unit_test(test_truncated),      cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_what_is_wrong),  cmocka_unit_test(test_long_history),
        cmocka_unit_test(test_trailing_bytes), cmocka_unit_test(test_looks_compressed),
        cmocka_unit_test(test_recognised),     cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_stop),           cmocka_unit_test(test_cannot_read),
        cmocka_unit_test(test_changed),        cmocka_unit_test(test_import_cut_in_a_game),
        cmocka_unit_test(test_calls),          cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_pieces),         cmocka_unit_test(test_other_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
