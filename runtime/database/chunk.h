// Blobs of a chunk. Internal to runtime/database.
#ifndef CQL_DATABASE_CHUNK_H
#define CQL_DATABASE_CHUNK_H

#include "database.h"

// A chunk as it is stored.
enum { BLOB_MOVES, BLOB_INDEX, BLOB_TAGS, BLOB_TEXTS, BLOBS };
extern const char *const blob_names[BLOBS];

// Games on their way into the database.
typedef struct ChunkWriter {
    Buffer part[BLOBS]; // not yet compressed
    size_t count;
    int64_t plies, bytes;
} ChunkWriter;

// Adds a game that game_parse has read without flags. Returns its flags.
unsigned chunk_add(ChunkWriter *w, const Game *g);

// Compresses the tags and the texts; blobs[] then are what is stored, owned by the writer.
void chunk_finish(ChunkWriter *w);
void chunk_writer_free(ChunkWriter *w);

// The checksum of blobs.
uint32_t chunk_checksum(const Text blobs[BLOBS]);

// Takes blobs apart. `first` is the number of the first game. Returns NULL or what is wrong.
const char *chunk_read(Chunk *chunk, const Text blobs[BLOBS], int64_t first);

#endif
