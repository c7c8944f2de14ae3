// Files of records with checksums: partial results and journals.
//
// A file begins with a line of text. A record has its kind, the length of its bytes and their checksum in 8 bytes each, the lowest
// first, and then the bytes.
#ifndef CQL_SHARE_RECORDS_H
#define CQL_SHARE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/value/buffer.h"

enum {
    RECORD_PART = 1, // the number of the part and that of all parts, 8 bytes each
    RECORD_KEY,      // what search it is
    RECORD_BLOCK,    // results of a block (SearchShare.give)
    RECORD_END,      // the number of blocks of the inputs, 8 bytes; -1: the search ended before
    RECORD_FILES     // the files that it reads (fingerprint.h)
};

typedef struct Record {
    uint64_t kind, offset, length, checksum; // offset: of its bytes in the file
} Record;

void record_begin_file(Buffer *out);
void record_put(Buffer *out, uint64_t kind, const char *bytes, size_t length);
void record_put_numbers(Buffer *out, uint64_t kind, const int64_t *number, int count);

// How a file begins.
typedef enum RecordFile {
    RECORDS_NONE,  // it is something else, or ends before
    RECORDS_OTHER, // of another version of cqlgen
    RECORDS_THESE  // as it should
} RecordFile;

// *at: the offset of the first record.
RecordFile record_is_file(int fd, uint64_t *at);

// The record at an offset below the size of the file; moves *at past it. False when it is not complete.
bool record_next(int fd, uint64_t size, uint64_t *at, Record *record);

// Reads the first bytes of a record, without a look at the checksum; false when it has less.
bool record_start(int fd, const Record *record, char *bytes, size_t length);

// Reads the bytes of a record; false when they are not as they were written.
bool record_read(int fd, const Record *record, char *bytes);

// Reads a record of numbers; false when it has another length, or is damaged.
bool record_numbers(int fd, const Record *record, int64_t *number, int count);

#endif
