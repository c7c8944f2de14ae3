// Files of records with checksums.
#include "records.h"

#include <string.h>
#include <xxhash.h>

#include "runtime/value/bytes.h"
#include "runtime/value/file_open.h"

// All versions begin with the same words, and a line of this length.
static const char magic[] = "cqlgen partial result 3\n";
enum { MAGIC = sizeof magic - 1, WORDS = MAGIC - 2, NUMBER = 8, HEAD = 3 * NUMBER, MOST_NUMBERS = 4 };

// ---- writing ----------------------------------------------------------------------------------------------

void record_begin_file(Buffer *out)
{
    buffer_append(out, magic, MAGIC);
}

void record_put(Buffer *out, uint64_t kind, const char *bytes, size_t length)
{
    bytes_put(out, kind, NUMBER);
    bytes_put(out, length, NUMBER);
    bytes_put(out, XXH3_64bits(bytes, length), NUMBER);
    buffer_append(out, bytes, length);
}

void record_put_numbers(Buffer *out, uint64_t kind, const int64_t *number, int count)
{
    char bytes[NUMBER * MOST_NUMBERS];
    for (int i = 0; i < count; i++)
        bytes_write(bytes + NUMBER * i, (uint64_t)number[i], NUMBER);
    record_put(out, kind, bytes, NUMBER * (size_t)count);
}

// ---- reading ----------------------------------------------------------------------------------------------

RecordFile record_is_file(int fd, uint64_t *at)
{
    char begin[MAGIC];
    *at = MAGIC;
    if (!file_read_at(fd, 0, begin, MAGIC) || memcmp(begin, magic, WORDS) != 0)
        return RECORDS_NONE;
    return memcmp(begin, magic, MAGIC) == 0 ? RECORDS_THESE : RECORDS_OTHER;
}

bool record_next(int fd, uint64_t size, uint64_t *at, Record *record)
{
    char head[HEAD];
    if (*at > size || size - *at < HEAD || !file_read_at(fd, *at, head, HEAD))
        return false;
    *record = (Record){.kind = bytes_read(head, NUMBER),
                       .offset = *at + HEAD,
                       .length = bytes_read(head + NUMBER, NUMBER),
                       .checksum = bytes_read(head + 2 * NUMBER, NUMBER)};
    if (record->length > size - record->offset)
        return false;
    *at = record->offset + record->length;
    return true;
}

bool record_start(int fd, const Record *record, char *bytes, size_t length)
{
    return length <= record->length && file_read_at(fd, record->offset, bytes, length);
}

bool record_read(int fd, const Record *record, char *bytes)
{
    return file_read_at(fd, record->offset, bytes, record->length) &&
           XXH3_64bits(bytes, record->length) == record->checksum;
}

bool record_numbers(int fd, const Record *record, int64_t *number, int count)
{
    char bytes[NUMBER * MOST_NUMBERS];
    if (record->length != NUMBER * (uint64_t)count || !record_read(fd, record, bytes))
        return false;
    for (int i = 0; i < count; i++)
        number[i] = (int64_t)bytes_read(bytes + NUMBER * i, NUMBER);
    return true;
}
