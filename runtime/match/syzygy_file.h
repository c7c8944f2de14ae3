// Is a file of tablebases whole? libfathom reads files without checking what they say, and past their ends.
#ifndef CQL_SYZYGY_FILE_H
#define CQL_SYZYGY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Is it a name like KRPvKR.rtbw or KRPvKR.rtbz, of a table for at most 7 men?
bool syzygy_is_name(const char *name);

// What is wrong with a table of this name, or NULL. bytes[0..length): the beginning of the file, SYZYGY_HEAD bytes or all;
// size: of the whole file.
enum { SYZYGY_HEAD = 1 << 18 };
const char *syzygy_file_fault(const char *name, const uint8_t *bytes, size_t length, uint64_t size);

#endif
