// Blobs of a chunk. Internal to runtime/database.
#ifndef CQL_DATABASE_CHUNK_H
#define CQL_DATABASE_CHUNK_H

#include "database.h"

// A chunk as it is stored.
enum { BLOB_MOVES, BLOB_INDEX, BLOB_TAGS, BLOB_TEXTS, BLOB_CLOCKS, BLOBS };
extern const char *const blob_names[BLOBS];
enum { CHUNK_MOST_BYTES = 1 << 30 }; // of a blob; of its games' texts

// ---- writing ----------------------------------------------------------------------------------------------

// Tags, texts or clocks on their way into a blob: slices of SLICE_GAMES games, each compressed by itself.
typedef struct SliceWriter {
    Buffer raw; // the slice in work
    Buffer table, frames;
} SliceWriter;

// Games on their way into the database.
typedef struct ChunkWriter {
    Buffer words; // the main lines, one after the other
    SliceWriter part[BLOBS - BLOB_TAGS];
    Buffer packed;
    struct ZSTD_CCtx_s *zstd;
    Buffer blob[BLOBS]; // what is stored, after chunk_finish
    size_t count;
    int64_t plies, bytes;
    bool has_clocks; // otherwise BLOB_CLOCKS is empty
    bool all_words;  // report each unknown word of a game
} ChunkWriter;

// The entry of a game that is not STORED_RAW, without the flags about its text.
GameEntry chunk_facts(const Game *g, const MainLine *line);

// Reads a game into *g, without its tree, and adds it. Returns its flags.
unsigned chunk_add(ChunkWriter *w, Game *g, const GameText *source, ReportFn *report, void *user);

// Makes blob[].
void chunk_finish(ChunkWriter *w);
void chunk_writer_clear(ChunkWriter *w); // leaves no games, and the memory
void chunk_writer_free(ChunkWriter *w);

// ---- reading ----------------------------------------------------------------------------------------------

// Room for a blob as it is stored, to be filled before one of the next two calls. NULL when it is too long.
char *chunk_room(Chunk *chunk, int blob, size_t length);

// Sets the games and groups from BLOB_MOVES and BLOB_INDEX. `first` is the number of the first game. Returns NULL or
// what is wrong.
const char *chunk_take_lines(Chunk *chunk, int64_t first, size_t count);

// Checks BLOB_TAGS, BLOB_TEXTS or BLOB_CLOCKS of a chunk with games. Returns NULL or what is wrong.
const char *chunk_take_part(Chunk *chunk, int blob);

// Sets the tags, the text or the clocks of a game, and of those in the same slice. Returns NULL or what is wrong.
const char *chunk_expand(Chunk *chunk, int blob, size_t game);

#endif
