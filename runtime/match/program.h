// Programs that answer lines: the other end of `commandpipe` (language reference 13.18).
#ifndef CQL_PROGRAM_H
#define CQL_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/value/buffer.h"

typedef struct Program Program;

// Starts a program with its own process group. Spaces separate the words of `command`, the first of which is
// found in PATH; no shell reads them. Returns NULL and sets errno when it cannot be started.
Program *program_start(const char *command);

typedef enum ProgramAnswer {
    PROGRAM_ANSWERED,
    PROGRAM_ENDED,  // it ended, or closed a pipe
    PROGRAM_SILENT, // no whole line before the time was over, or one that is too long
    PROGRAM_STOPPED // the caller no longer waits
} ProgramAnswer;

// Sends a line and waits for one. What the program wrote before is dropped. `answer` becomes the line without
// its end. `stopped` is called several times a second; NULL: never.
ProgramAnswer program_ask(Program *p, const char *line, size_t length, int seconds, Buffer *answer,
                          bool (*stopped)(void *user), void *user);

// Closes the pipes and waits a second for the end of the program, then kills its process group.
void program_end(Program *p);

#endif
