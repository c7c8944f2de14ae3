// What the fuzzers try: each harness takes any bytes, and ends the program when something is wrong. libFuzzer and AFL++
// call them from entry.c (`make fuzz`), the tests from replay.c and tests/drivers/damaged.c.
#ifndef CQL_FUZZ_H
#define CQL_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FUZZ_HARNESSES(DO)                                                                                   \
    DO(query)    /* a query of any dialect, to IR and through the interpreter */                             \
    DO(pgn)      /* games, to trees and back */                                                              \
    DO(database) /* a database, or its blobs */                                                              \
    DO(notation) /* FEN and moves */                                                                         \
    DO(stream)   /* compressed files */                                                                      \
    DO(options)  /* command lines and lists of files */                                                      \
    DO(parts)    /* partial results and journals of shared searches */

#define FUZZ_DECLARE(name) void fuzz_##name(const uint8_t *data, size_t size);
FUZZ_HARNESSES(FUZZ_DECLARE)
#undef FUZZ_DECLARE

// The harness with this name; NULL: there is none.
typedef void (*FuzzHarness)(const uint8_t *data, size_t size);
FuzzHarness fuzz_find(const char *name);

// The bytes of a file, for the caller to free. They end where their memory ends, so that a sanitizer sees what reads beyond them.
uint8_t *fuzz_read(const char *name, size_t *size);

// A text that is read like a file, `step` bytes at a time or, with 0, as many as there are.
typedef struct FuzzText {
    const char *text;
    size_t length, at, step;
} FuzzText;
int64_t fuzz_read_text(void *text, void *buffer, size_t size);

// Ends the program because of a fault that no sanitizer sees.
_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A folder for the files of this process, which is removed at the end; the same in all calls.
const char *fuzz_folder(void);

// Writes a whole file.
void fuzz_write(const char *name, const char *bytes, size_t length);

// From now on stdout and stderr lead to /dev/null, which is returned; not the descriptors, which sanitizers write to.
FILE *fuzz_silence(void);

#endif
