// Files of records with checksums.
#include "records.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

// All versions begin with the same words, and a line of this length.
static const char magic[] = "cqlgen partial result 2\n";
enum { MAGIC = sizeof magic - 1, WORDS = MAGIC - 2, HEAD = 24, MOST_NUMBERS = 4 };

static void put_number(unsigned char *bytes, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t get_number(const unsigned char *bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

// ---- writing ----------------------------------------------------------------------------------------------

void record_begin_file(Buffer *out)
{
    buffer_append(out, magic, MAGIC);
}

void record_put(Buffer *out, uint64_t kind, const char *bytes, size_t length)
{
    unsigned char head[HEAD];
    put_number(head, kind);
    put_number(head + 8, length);
    put_number(head + 16, XXH3_64bits(bytes, length));
    buffer_append(out, (const char *)head, HEAD);
    buffer_append(out, bytes, length);
}

void record_put_numbers(Buffer *out, uint64_t kind, const int64_t *number, int count)
{
    unsigned char bytes[8 * MOST_NUMBERS];
    for (int i = 0; i < count; i++)
        put_number(bytes + 8 * i, (uint64_t)number[i]);
    record_put(out, kind, (const char *)bytes, 8 * (size_t)count);
}

// ---- reading ----------------------------------------------------------------------------------------------

static bool read_at(int fd, uint64_t offset, void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        const ssize_t count = pread(fd, (char *)bytes + done, length - done, (off_t)(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    return true;
}

RecordFile record_is_file(int fd, uint64_t *at)
{
    char begin[MAGIC];
    *at = MAGIC;
    if (!read_at(fd, 0, begin, MAGIC) || memcmp(begin, magic, WORDS) != 0)
        return RECORDS_NONE;
    return memcmp(begin, magic, MAGIC) == 0 ? RECORDS_THESE : RECORDS_OTHER;
}

bool record_next(int fd, uint64_t size, uint64_t *at, Record *record)
{
    unsigned char head[HEAD];
    if (*at > size || size - *at < HEAD || !read_at(fd, *at, head, HEAD))
        return false;
    *record = (Record){get_number(head), *at + HEAD, get_number(head + 8), get_number(head + 16)};
    if (record->length > size - record->offset)
        return false;
    *at = record->offset + record->length;
    return true;
}

bool record_start(int fd, const Record *record, char *bytes, size_t length)
{
    return length <= record->length && read_at(fd, record->offset, bytes, length);
}

bool record_read(int fd, const Record *record, char *bytes)
{
    return read_at(fd, record->offset, bytes, record->length) &&
           XXH3_64bits(bytes, record->length) == record->checksum;
}

bool record_numbers(int fd, const Record *record, int64_t *number, int count)
{
    unsigned char bytes[8 * MOST_NUMBERS];
    if (record->length != 8 * (uint64_t)count || !record_read(fd, record, (char *)bytes))
        return false;
    for (int i = 0; i < count; i++)
        number[i] = (int64_t)get_number(bytes + 8 * i);
    return true;
}
