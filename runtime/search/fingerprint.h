// Fingerprints of files, by which another process, or the same search at another time, knows whether it reads the same games.
//
// Of a regular file: its size, the time of its last change, and a checksum of the bytes as they are stored, compressed or not: of
// 64 KB at both ends and 64 blocks of 4 KB at equal distances between them; of all bytes when there are no more than these. So a
// file of any size costs 66 reads. For a database come the checksums that it has of its chunks, so that no change of its games
// escapes.
#ifndef CQL_SEARCH_FINGERPRINT_H
#define CQL_SEARCH_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/value/buffer.h"

typedef struct Fingerprint {
    int64_t size;                 // bytes; FINGERPRINT_NONE: all else is 0
    int64_t seconds, nanoseconds; // of the last change, since 1970
    uint64_t content;
} Fingerprint;
enum { FINGERPRINT_NONE = -1 }; // the file is not a regular one, or cannot be read

// Looks at a file. False when it is there and cannot be looked at: the system did not tell its size, or a read failed.
bool fingerprint_of(const char *name, Fingerprint *print);

// What an open file with this fingerprint is like (file_mark.h).
struct FileMark fingerprint_mark(const Fingerprint *print);

// In what files differ.
enum { DIFFERS_SIZE = 1, DIFFERS_CONTENT = 2, DIFFERS_TIME = 4 };
unsigned fingerprint_difference(const Fingerprint *a, const Fingerprint *b);

// ---- lists of files ---------------------------------------------------------------------------------------

// Appends a file to a list, as bytes: NAME, NUL, its numbers as text, NUL.
void fingerprint_put(Buffer *list, const char *name, const Fingerprint *print);

// Takes the next file of a list, from *at; its name, or NULL at the end, and where it is not a list.
const char *fingerprint_get(const Buffer *list, size_t *at, Fingerprint *print);

// Appends the files of another list, those from number `first` on as this process sees them; false when one of them cannot be
// looked at, or it is not a list.
bool fingerprint_put_again(Buffer *list, const Buffer *names, size_t first);

typedef struct FilePair {
    const char *name; // in the first list
    Fingerprint first, second;
    unsigned differs; // DIFFERS_ bits
} FilePair;

// The files of two lists, in order, for the caller to free; NULL when their names are not the same, or one is not a list.
FilePair *fingerprint_pairs(const Buffer *first, const Buffer *second, size_t *count);

// The first file that differs in size or content; if there is none, in time; NULL: none differs.
const FilePair *fingerprint_worst(const FilePair *pair, size_t count);

// Appends in what the files of a pair differ: `size (10 and 20 bytes) and content`. Times are UTC, as `touch -d` reads them.
void fingerprint_tell(Buffer *out, const FilePair *pair);

#endif
