// Reads one input file, decompressing it.
#include "input.h"

#include <bzlib.h>
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "runtime/database/database.h"
#include "runtime/value/file_mark.h"
#include "runtime/value/file_open.h"
#include "runtime/value/memory.h"
#include "ahead.h"
#include "budget.h"
#include "ending.h"

enum { RAW_BYTES = 128 * 1024, MAGIC_BYTES = 10 };

// The result of one call of a decoder.
typedef enum Step {
    STEP_GOES_ON,    // inside a compressed stream
    STEP_STREAM_END, // between two streams
    STEP_DAMAGED     // see f->detail
} Step;

// What a decoder reads and writes; it moves the pointers and counts down.
typedef struct Io {
    unsigned char *in;
    unsigned in_left;
    unsigned char *out;
    unsigned out_left;
} Io;

typedef struct Codec {
    const char *name;
    bool (*begin)(InputFile *f);
    Step (*step)(InputFile *f, Io *io);
    void (*end)(InputFile *f);
} Codec;

struct InputFile {
    char *name; // NULL: standard input or a descriptor
    int fd;
    bool owned;
    const char *memory; // instead of a file; NULL: none
    size_t memory_left, memory_size;
    size_t most_memory; // that a decoder may take; 0: the usual
    bool can_block;     // a pipe or a terminal
    bool changed;       // by another program, since it was opened
    FileMark opened;
    const atomic_int *stop;
    double deadline;
    const Codec *codec; // NULL: plain
    bool sniffed, raw_ended;
    bool between;           // at the end of a compressed stream
    bool damaged, finished; // nothing more to decode
    int failure;            // errno of a failed read
    const char *detail;     // message of a decoder
    char error[200];
    unsigned char *raw;
    size_t raw_at, raw_filled;
    uint64_t raw_base; // offset of raw[0] in the file
    ZSTD_DStream *zstd;
    size_t zstd_wanted; // bytes up to the next point where a step may end
    z_stream zlib;
    bz_stream bzip;
    lzma_stream xz;
    _Atomic uint64_t offset; // as input_offset
    DatabaseStream *database;
    ReadAhead *ahead; // decodes a regular file beside its reader; NULL: the reader decodes
};

static uint64_t raw_offset(const void *file)
{
    const InputFile *f = file;
    return f->raw_base + f->raw_at;
}

static void note_offset(InputFile *f)
{
    const uint64_t offset = f->database
                                ? (uint64_t)((double)input_size(f) * database_stream_part(f->database))
                            : f->ahead ? ahead_offset(f->ahead)
                                       : raw_offset(f);
    atomic_store_explicit(&f->offset, offset, memory_order_relaxed);
}

uint64_t input_offset(const InputFile *f)
{
    return atomic_load_explicit(&f->offset, memory_order_relaxed);
}

static bool has_raw(const InputFile *f)
{
    return f->raw_at < f->raw_filled;
}

static bool is_stopped(void *file)
{
    const InputFile *f = file;
    return (f->stop && *f->stop) || ending_is_late(f->deadline);
}

// Waits until there is something to read; false when the search is stopped before.
static bool wait_readable(InputFile *f)
{
    return !f->can_block || file_wait(f->fd, f->stop || f->deadline != 0 ? is_stopped : NULL, f);
}

static int64_t read_memory(InputFile *f, void *buffer, size_t size)
{
    const size_t count = size < f->memory_left ? size : f->memory_left;
    if (count > 0)
        memcpy(buffer, f->memory, count);
    f->memory += count;
    f->memory_left -= count;
    return (int64_t)count;
}

bool input_is_other(const InputFile *f, const FileMark *mark)
{
    return !f->memory && file_is_changed(mark, f->fd);
}

bool input_is_changed(const InputFile *f)
{
    return !f->memory && file_is_changed(&f->opened, f->fd);
}

static bool has_changed(InputFile *f)
{
    f->changed = input_is_changed(f);
    return f->changed;
}

static int64_t read_file(InputFile *f, void *buffer, size_t size)
{
    if (f->memory)
        return read_memory(f, buffer, size);
    for (;;) {
        if (!wait_readable(f))
            return 0;
        ssize_t count = read(f->fd, buffer, size);
        if (count > 0 || (count == 0 && !has_changed(f)))
            return count;
        if (count == 0 || errno != EINTR) {
            f->failure = count == 0 ? ESTALE : errno;
            return -1;
        }
    }
}

// Reads more raw bytes after the unused ones.
static void fill_raw(InputFile *f)
{
    if (f->raw_at > 0) {
        memmove(f->raw, f->raw + f->raw_at, f->raw_filled - f->raw_at);
        f->raw_filled -= f->raw_at;
        f->raw_base += f->raw_at;
        f->raw_at = 0;
    }
    int64_t count = read_file(f, f->raw + f->raw_filled, RAW_BYTES - f->raw_filled);
    if (count > 0)
        f->raw_filled += (size_t)count;
    else
        f->raw_ended = true;
}

// ---- zstd -------------------------------------------------------------------------------------------------

enum { ZSTD_FIRST_BYTES = 5, ZSTD_BLOCK_HEADER = 3 }; // RFC 8878: the shortest frame header, a block header
enum { USUAL_WINDOW = 27, LONGEST_WINDOW = 31 };      // as powers of 2

// Files made with --long need windows beyond the default of the library. A small file may ask for any.
static int longest_window(const InputFile *f)
{
    const size_t memory = f->most_memory > 0 ? f->most_memory : search_memory_share();
    int window = USUAL_WINDOW;
    while (window < LONGEST_WINDOW && memory >> (window + 1) > 0)
        window++;
    return window;
}

static bool zstd_begin(InputFile *f)
{
    f->zstd = ZSTD_createDStream();
    f->zstd_wanted = ZSTD_FIRST_BYTES;
    return f->zstd && !ZSTD_isError(ZSTD_DCtx_setParameter(f->zstd, ZSTD_d_windowLogMax, longest_window(f)));
}

// Decodes one block at most. A call that meets damage does not report what it decoded before, so no call may
// continue into another block, nor into its header, which the library asks for in advance.
static Step zstd_step(InputFile *f, Io *io)
{
    size_t wanted = f->zstd_wanted > ZSTD_BLOCK_HEADER ? f->zstd_wanted - ZSTD_BLOCK_HEADER : f->zstd_wanted;
    ZSTD_inBuffer in = {io->in, wanted < io->in_left ? wanted : io->in_left, 0};
    ZSTD_outBuffer out = {io->out, io->out_left, 0};
    size_t left = ZSTD_decompressStream(f->zstd, &out, &in);
    bool moved = in.pos > 0 || out.pos > 0;
    io->in_left -= (unsigned)in.pos;
    io->out_left -= (unsigned)out.pos;
    if (ZSTD_isError(left)) {
        if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation)
            f->failure = ENOMEM;
        f->detail = ZSTD_getErrorName(left);
        return STEP_DAMAGED;
    }
    f->zstd_wanted = left > 0 ? left : ZSTD_FIRST_BYTES;
    if (left == 0)
        return STEP_STREAM_END;
    // between two frames the library asks for the next header even without input
    return !moved && f->between ? STEP_STREAM_END : STEP_GOES_ON;
}

static void zstd_end(InputFile *f)
{
    ZSTD_freeDStream(f->zstd);
}

// ---- gzip -------------------------------------------------------------------------------------------------

static bool gzip_begin(InputFile *f)
{
    return inflateInit2(&f->zlib, 15 + 16) == Z_OK;
}

static Step gzip_step(InputFile *f, Io *io)
{
    if (f->between) {
        for (; io->in_left > 0 && *io->in == 0; io->in_left--) // padding
            io->in++;
        if (io->in_left == 0)
            return STEP_STREAM_END;
        inflateReset(&f->zlib);
    }
    f->zlib.next_in = io->in;
    f->zlib.avail_in = io->in_left;
    f->zlib.next_out = io->out;
    f->zlib.avail_out = io->out_left;
    int result = inflate(&f->zlib, Z_NO_FLUSH);
    io->in_left = f->zlib.avail_in;
    io->out_left = f->zlib.avail_out;
    if (result == Z_STREAM_END)
        return STEP_STREAM_END;
    if (result == Z_OK || result == Z_BUF_ERROR)
        return STEP_GOES_ON;
    if (result == Z_MEM_ERROR)
        f->failure = ENOMEM;
    f->detail = f->zlib.msg ? f->zlib.msg : "invalid data";
    return STEP_DAMAGED;
}

static void gzip_end(InputFile *f)
{
    inflateEnd(&f->zlib);
}

// ---- bzip2 ------------------------------------------------------------------------------------------------

static bool bzip_begin(InputFile *f)
{
    f->bzip = (bz_stream){0};
    return BZ2_bzDecompressInit(&f->bzip, 0, 0) == BZ_OK;
}

static void bzip_end(InputFile *f)
{
    BZ2_bzDecompressEnd(&f->bzip);
}

static Step bzip_step(InputFile *f, Io *io)
{
    if (f->between) {
        if (io->in_left == 0)
            return STEP_STREAM_END;
        bzip_end(f);
        if (!bzip_begin(f)) {
            f->failure = ENOMEM;
            return STEP_DAMAGED;
        }
    }
    f->bzip.next_in = (char *)io->in;
    f->bzip.avail_in = io->in_left;
    f->bzip.next_out = (char *)io->out;
    f->bzip.avail_out = io->out_left;
    int result = BZ2_bzDecompress(&f->bzip);
    io->in_left = f->bzip.avail_in;
    io->out_left = f->bzip.avail_out;
    if (result == BZ_STREAM_END)
        return STEP_STREAM_END;
    if (result == BZ_OK)
        return STEP_GOES_ON;
    if (result == BZ_MEM_ERROR)
        f->failure = ENOMEM;
    f->detail = result == BZ_DATA_ERROR_MAGIC ? "not a bzip2 stream" : "invalid data";
    return STEP_DAMAGED;
}

// ---- xz ---------------------------------------------------------------------------------------------------

static bool xz_begin(InputFile *f)
{
    f->xz = (lzma_stream)LZMA_STREAM_INIT;
    // as much as zstd may take with its longest window
    return lzma_stream_decoder(&f->xz, 1ULL << longest_window(f), LZMA_CONCATENATED) == LZMA_OK;
}

static Step xz_step(InputFile *f, Io *io)
{
    f->xz.next_in = io->in;
    f->xz.avail_in = io->in_left;
    f->xz.next_out = io->out;
    f->xz.avail_out = io->out_left;
    lzma_ret result = lzma_code(&f->xz, f->raw_ended ? LZMA_FINISH : LZMA_RUN);
    io->in_left = (unsigned)f->xz.avail_in;
    io->out_left = (unsigned)f->xz.avail_out;
    if (result == LZMA_STREAM_END)
        return STEP_STREAM_END;
    if (result == LZMA_OK || result == LZMA_BUF_ERROR)
        return STEP_GOES_ON;
    if (result == LZMA_MEM_ERROR)
        f->failure = ENOMEM;
    f->detail = result == LZMA_OPTIONS_ERROR    ? "unknown features"
                : result == LZMA_MEMLIMIT_ERROR ? "needs too much memory"
                                                : "invalid data";
    return STEP_DAMAGED;
}

static void xz_end(InputFile *f)
{
    lzma_end(&f->xz);
}

// ---- choosing ---------------------------------------------------------------------------------------------

static const Codec zstd_codec = {"zstd", zstd_begin, zstd_step, zstd_end};
static const Codec gzip_codec = {"gzip", gzip_begin, gzip_step, gzip_end};
static const Codec bzip_codec = {"bzip2", bzip_begin, bzip_step, bzip_end};
static const Codec xz_codec = {"xz", xz_begin, xz_step, xz_end};

static const Codec *recognise(const unsigned char *p, size_t length)
{
    static const char xz_magic[] = {'\xFD', '7', 'z', 'X', 'Z', 0};
    if (length >= 4 && memcmp(p, "\x28\xB5\x2F\xFD", 4) == 0)
        return &zstd_codec;
    if (length >= 4 && p[0] >> 4 == 5 && memcmp(p + 1, "\x2A\x4D\x18", 3) == 0) // a skippable frame
        return &zstd_codec;
    if (length >= 3 && memcmp(p, "\x1F\x8B\x08", 3) == 0)
        return &gzip_codec;
    if (length >= sizeof xz_magic && memcmp(p, xz_magic, sizeof xz_magic) == 0)
        return &xz_codec;
    bool block = length >= 10 &&
                 (memcmp(p + 4, "1AY&SY", 6) == 0 || memcmp(p + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0);
    return block && memcmp(p, "BZh", 3) == 0 && p[3] >= '1' && p[3] <= '9' ? &bzip_codec : NULL;
}

// Opens the file again as a database. Returns false when it is another one of SQLite, or cannot be used.
static bool open_database(InputFile *f)
{
    while (f->raw_filled < DATABASE_HEAD && !f->raw_ended)
        fill_raw(f);
    if (!database_is_head(f->raw, f->raw_filled)) {
        snprintf(f->error, sizeof f->error, "this is an SQLite database that `cqlgen import` did not make");
        return false;
    }
    if (f->can_block || f->memory) {
        snprintf(f->error, sizeof f->error, "a database cannot be read from %s; give its file name",
                 f->memory ? "memory" : "a pipe");
        return false;
    }
    char *message, descriptor[40];
    snprintf(descriptor, sizeof descriptor, "/proc/self/fd/%d", f->fd);
    f->database = database_stream_open(f->name ? f->name : descriptor, f->stop, &message);
    if (!f->database)
        snprintf(f->error, sizeof f->error, "%s", message);
    free(message);
    return f->database != NULL;
}

// Recognises the file by its first bytes. Returns false when it cannot be read.
static bool sniff(InputFile *f)
{
    f->sniffed = true;
    while (f->raw_filled < MAGIC_BYTES && !f->raw_ended)
        fill_raw(f);
    if (f->raw_filled >= 4 && memcmp(f->raw, "PK\x03\x04", 4) == 0) {
        snprintf(f->error, sizeof f->error, "this is a zip archive; unpack it first");
        return false;
    }
    if (f->raw_filled >= MAGIC_BYTES && memcmp(f->raw, "SQLite format 3", MAGIC_BYTES) == 0)
        return open_database(f);
    const Codec *codec = recognise(f->raw, f->raw_filled);
    if (codec && !codec->begin(f)) {
        f->failure = ENOMEM;
        snprintf(f->error, sizeof f->error, "cannot decode %s data: out of memory", codec->name);
        return false;
    }
    f->codec = codec;
    return true;
}

// ---- reading ----------------------------------------------------------------------------------------------

InputFile *input_open_descriptor(int fd, const atomic_int *stop)
{
    struct stat status;
    InputFile *f = memory_zeroed(1, sizeof *f);
    f->fd = fd;
    f->owned = true;
    f->stop = stop;
    f->opened = file_mark(fd);
    f->can_block = fstat(fd, &status) == 0 && !S_ISREG(status.st_mode);
    f->raw = memory_resized(NULL, RAW_BYTES, 1);
    posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return f;
}

InputFile *input_open_memory(const char *bytes, size_t length, const atomic_int *stop)
{
    InputFile *f = memory_zeroed(1, sizeof *f);
    f->fd = -1;
    f->stop = stop;
    f->memory = bytes;
    f->memory_left = f->memory_size = length;
    f->raw = memory_resized(NULL, RAW_BYTES, 1);
    return f;
}

bool input_status(const char *name, struct stat *status)
{
    return strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, status) == 0 : stat(name, status) == 0;
}

InputFile *input_open(const char *name, const atomic_int *stop)
{
    bool standard = strcmp(name, "-") == 0;
    int fd = standard ? STDIN_FILENO : file_open(name);
    if (fd < 0)
        return NULL;
    InputFile *f = input_open_descriptor(fd, stop);
    f->owned = !standard;
    f->name = standard ? NULL : memory_copy(name, strlen(name));
    return f;
}

void input_set_memory(InputFile *f, size_t bytes)
{
    f->most_memory = bytes;
}

void input_set_deadline(InputFile *f, double deadline)
{
    f->deadline = deadline;
}

void input_close(InputFile *f)
{
    if (f->ahead)
        ahead_close(f->ahead);
    if (f->codec)
        f->codec->end(f);
    if (f->database)
        database_stream_close(f->database);
    if (f->owned)
        close(f->fd);
    free(f->name);
    free(f->raw);
    free(f);
}

const char *input_error(const InputFile *f)
{
    const bool known = !f->ahead || ahead_ended(f->ahead); // otherwise the thread may be writing it
    return known && f->error[0] ? f->error : NULL;
}

bool input_is_cut(const InputFile *f)
{
    return input_error(f) && f->failure != 0;
}

static int64_t fail_read(InputFile *f)
{
    const unsigned long long at = f->raw_base + f->raw_filled;
    if (f->changed) {
        snprintf(f->error, sizeof f->error,
                 "another program changed the file while it was read (near byte %llu of the file)", at);
        return -1;
    }
    int used = snprintf(f->error, sizeof f->error, "cannot read: %s", strerror(f->failure));
    if (at > 0 && (size_t)used < sizeof f->error)
        snprintf(f->error + used, sizeof f->error - (size_t)used, " (near byte %llu of the file)", at);
    return -1;
}

static int64_t read_plain(InputFile *f, void *buffer, size_t size)
{
    if (has_raw(f)) { // bytes that sniff has read
        size_t count = f->raw_filled - f->raw_at < size ? f->raw_filled - f->raw_at : size;
        memcpy(buffer, f->raw + f->raw_at, count);
        f->raw_at += count;
        return (int64_t)count;
    }
    int64_t count = f->raw_ended ? 0 : read_file(f, buffer, size);
    if (count <= 0) {
        f->raw_ended = true;
        return f->failure ? fail_read(f) : 0;
    }
    f->raw_base += f->raw_filled + (uint64_t)count;
    f->raw_at = f->raw_filled = 0;
    return count;
}

static int64_t read_database(InputFile *f, void *buffer, size_t size)
{
    const int64_t count = database_stream_read(f->database, buffer, size);
    if (count < 0)
        snprintf(f->error, sizeof f->error, "%s", database_stream_error(f->database));
    return count;
}

static int64_t fail_decode(InputFile *f, const char *what)
{
    snprintf(f->error, sizeof f->error, "%s data %s (near byte %llu of the file)", f->codec->name, what,
             (unsigned long long)raw_offset(f));
    return -1;
}

static int64_t fail_damaged(InputFile *f)
{
    char what[120];
    if (f->failure == 0 && has_changed(f))
        f->failure = ESTALE;
    if (f->failure) // another time the data may be read further
        return fail_read(f);
    snprintf(what, sizeof what, f->between ? "are followed by something else (%s)" : "are damaged (%s)",
             f->detail);
    return fail_decode(f, what);
}

// Ends the input when the raw bytes are used up and no more can be decoded.
static int64_t finish_decoding(InputFile *f)
{
    f->finished = true;
    if (f->failure)
        return fail_read(f);
    return f->between || is_stopped(f) ? 0 : fail_decode(f, "end too early");
}

static int64_t read_compressed(void *file, void *buffer, size_t size)
{
    InputFile *f = file;
    while (!f->finished && !f->damaged) {
        if (!has_raw(f) && !f->raw_ended)
            fill_raw(f);
        const unsigned room = size < UINT32_MAX ? (unsigned)size : UINT32_MAX;
        const unsigned available = (unsigned)(f->raw_filled - f->raw_at);
        Io io = {f->raw + f->raw_at, available, buffer, room};
        Step step = f->codec->step(f, &io);
        const unsigned produced = room - io.out_left;
        const bool idle = produced == 0 && io.in_left == available;
        f->raw_at = f->raw_filled - io.in_left;
        if (idle && has_raw(f) && step == STEP_GOES_ON) {
            f->detail = "the decoder makes no progress";
            step = STEP_DAMAGED;
        }
        if (step == STEP_DAMAGED)
            f->damaged = true;
        else
            f->between = step == STEP_STREAM_END;
        if (produced > 0)
            return produced;
        if (step != STEP_DAMAGED && !has_raw(f) && f->raw_ended && (idle || f->between))
            return finish_decoding(f);
    }
    return f->damaged ? fail_damaged(f) : 0;
}

static int64_t read_decoded(InputFile *f, void *buffer, size_t size)
{
    if (f->ahead)
        return ahead_read(f->ahead, buffer, size);
    if (f->error[0] || (!f->sniffed && !sniff(f)))
        return -1;
    if (f->codec && !f->can_block && !f->finished && (f->ahead = ahead_open(read_compressed, raw_offset, f)))
        return ahead_read(f->ahead, buffer, size);
    if (f->database)
        return read_database(f, buffer, size);
    return f->codec ? read_compressed(f, buffer, size) : read_plain(f, buffer, size);
}

int64_t input_read(void *input, void *buffer, size_t size)
{
    const int64_t count = read_decoded(input, buffer, size);
    note_offset(input);
    return count;
}

bool input_can_go(const InputFile *f)
{
    return f->sniffed && !f->memory && !f->codec && !f->database && !f->can_block && !f->error[0];
}

bool input_go(InputFile *f, uint64_t offset)
{
    if ((!f->sniffed && !sniff(f)) || !input_can_go(f) || lseek(f->fd, (off_t)offset, SEEK_SET) < 0)
        return false;
    f->raw_base = offset;
    f->raw_at = f->raw_filled = 0;
    f->raw_ended = false;
    note_offset(f);
    return true;
}

Database *input_database(InputFile *f)
{
    if (!f->sniffed && !f->error[0])
        sniff(f);
    return f->database ? database_stream_database(f->database) : NULL;
}

uint64_t input_size(const InputFile *f)
{
    struct stat status;
    if (f->memory)
        return f->memory_size;
    return fstat(f->fd, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
}
