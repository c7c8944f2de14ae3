// One input file: plain or compressed, by name, by descriptor or standard input.
//
// Recognises zstd, gzip, bzip2 and xz by their first bytes, not by the name. Concatenated compressed streams
// are read as one. Delivers everything that can be decoded before damaged data, then the error. A regular file that another
// program writes to before its end is read is an error too; one that is replaced under its name is not.
#ifndef CQL_SEARCH_INPUT_H
#define CQL_SEARCH_INPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct InputFile InputFile;
struct FileMark;

// Opens a file ("-": standard input). Returns NULL and sets errno when that fails. `stop` (may be NULL): when
// it becomes non-zero while a pipe has nothing to read, the input ends. A pipe may have no writer yet.
InputFile *input_open(const char *name, const atomic_int *stop);

// The same for an open descriptor, which the InputFile then owns.
InputFile *input_open_descriptor(int fd, const atomic_int *stop);

// The same for bytes in memory, which must live as long.
InputFile *input_open_memory(const char *bytes, size_t length, const atomic_int *stop);

// The memory that decoding may take, before the first read; the 128 MB that usual files need are always allowed. Without this,
// search_memory_share().
void input_set_memory(InputFile *f, size_t bytes);

// The input also ends at this time (clock_now) when a pipe has nothing to read; 0: never.
void input_set_deadline(InputFile *f, double deadline);

// A ReadFn (game.h): up to `size` decoded bytes; 0 at the end, -1 after an error.
int64_t input_read(void *input, void *buffer, size_t size);

// Goes to an offset of a plain file (neither compressed, a database nor a pipe): the next byte read is there. False for others.
bool input_go(InputFile *f, uint64_t offset);
bool input_can_go(const InputFile *f); // known once bytes were read

// Why input_read failed, with the offset in the stored file; NULL: it did not. Owned by the InputFile.
const char *input_error(const InputFile *f);

// The system could not read the file, had no memory, or the file changed: input_read may go further another time.
bool input_is_cut(const InputFile *f);

// Has another program written to the file since it was opened? What was read is then a mixture. False for pipes and memory.
bool input_is_changed(const InputFile *f);

// Is it another file than that of the mark, or has that been written to since then? False for memory.
bool input_is_other(const InputFile *f, const struct FileMark *mark);

// The database that the file is, owned by the InputFile; NULL: another file. Looks at its first bytes.
struct Database *input_database(InputFile *f);

// Bytes taken from the stored file. May be called while another thread reads.
uint64_t input_offset(const InputFile *f);

// The size of the stored file, 0: unknown.
uint64_t input_size(const InputFile *f);

void input_close(InputFile *f);

struct stat;

// stat of a file ("-": standard input); false when that fails.
bool input_status(const char *name, struct stat *status);

#endif
