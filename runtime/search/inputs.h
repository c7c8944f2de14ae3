// The inputs of a search: several files read as one sequence of games, handed out in blocks.
#ifndef CQL_SEARCH_INPUTS_H
#define CQL_SEARCH_INPUTS_H

#include "runtime/game/game.h"
#include "fingerprint.h"
#include "input.h"
#include "search.h"

typedef struct Inputs {
    const SearchOptions *options;
    size_t next;      // index of the next file to open
    const char *name; // of the open file
    InputFile *file;
    PgnSplitter *splitter;     // NULL: no file is open
    int64_t earlier_games;     // games in the previous files
    int64_t file_games;        // games in this file so far
    int64_t earlier_bytes;     // decoded bytes of the previous files
    uint64_t earlier_stored;   // stored bytes of the previous files
    struct Database *database; // the open file is one that is read chunk by chunk
    int64_t chunk;             // of it, the next
    uint64_t absent_blocks;    // of a database that this process does not have, still to be handed out
    InputFile **kept;          // databases whose chunks may still be in use
    size_t kept_count, kept_capacity;
    Buffer *reports;      // where messages go
    double deadline;      // as Ending.deadline
    bool failed;          // some input could not be read
    size_t changed;       // `next` of the last file that was reported to have changed
    char *replaced;       // a message: an input is not as options->files says, and all end there; NULL: none
    Fingerprint prepared; // the last of options->files that was taken; `files_next` follows, at `files_at`
    size_t files_at, files_next;
    int *spool;                       // by input: a descriptor to read instead of the file, or -1; NULL: none
    _Atomic uint64_t stored, decoded; // bytes taken from all files, as stored and decoded: for progress
} Inputs;

// Games of one file, by ascending number.
typedef struct InputBlock {
    PgnBlock pgn;              // owned by the caller; empty for a chunk of a database
    struct Database *database; // of the chunks, NULL: none
    int64_t chunk, first_game; // the first one, and the number of its first game
    int64_t chunk_count;
    const char *input;   // name for messages,
    size_t index;        // and its place among the inputs
    int64_t number_base; // added to the game numbers in `pgn`
} InputBlock;

// The size of an input in bytes; 0: it cannot be opened, -1: not known, it is a pipe.
int64_t inputs_size_of(const SearchOptions *o, size_t i);

// The search ends: by SearchOptions.stop, or it is late.
bool inputs_stopped(const Inputs *in);

// Appends `NAME:LINE: game N: `. `game` counts from the first input, `base` is the number of games before this file: when there are
// some, the number in the file is given too. game 0: `NAME:LINE: `.
void inputs_report_game(Buffer *out, const char *name, uint64_t line, int64_t game, int64_t base);

// The same and a message with its line end.
void inputs_report(Buffer *out, const char *name, uint64_t line, int64_t game, int64_t base,
                   const char *message);

// The next games; false at the end of all inputs. Appends messages about the input to *reports. A block of a database that
// this process does not have is empty.
bool inputs_next_block(Inputs *in, Buffer *reports, InputBlock *block);

// Reports once that the open PGN file has changed since it was opened, for those who do not read it to its end.
void inputs_check_change(Inputs *in, Buffer *reports);

// The place after the last block; *place has no number of a block. False unless the file is a plain one of PGN.
bool inputs_place(Inputs *in, SharePlace *place);

// Goes on from a place after this one. False when the file cannot be read there: then nothing has changed.
bool inputs_go(Inputs *in, const SharePlace *place);

// The number of games handed out so far.
int64_t inputs_games(const Inputs *in);

// The decoded bytes of what was handed out so far.
int64_t inputs_bytes(const Inputs *in);

// Makes all inputs readable twice: copies those that are not regular files to unlinked temporary files. False
// after an error, which is in *reports.
bool inputs_spool(Inputs *in, Buffer *reports);

// The number of games in all inputs, at most `limit`. inputs_spool must have been called before.
int64_t inputs_count_games(const Inputs *in, int64_t limit);

// The stored size of all inputs, 0 when unknown.
uint64_t inputs_size(const Inputs *in);

// Closes what is open.
void inputs_close(Inputs *in);

#endif
