// The chunk of a database that a worker searches. Tags and texts are read when a game needs them.
#ifndef CQL_SEARCH_CHUNK_READER_H
#define CQL_SEARCH_CHUNK_READER_H

#include "runtime/database/database.h"
#include "block.h"

typedef struct ChunkReader {
    Chunk chunk;
    bool failed; // a part is damaged, which was reported
} ChunkReader;

// Reads the lines of the block's chunk, and the other parts (CHUNK_) that are named. Damage is reported in the block; the chunk then has
// no games.
void chunk_reader_open(ChunkReader *r, Block *block, unsigned parts);
void chunk_reader_free(ChunkReader *r);

// Reads tags or texts: CHUNK_TAGS, CHUNK_TEXTS. of all games, or of one. False after damage.
bool chunk_reader_read_all(ChunkReader *r, Block *block, unsigned parts);
bool chunk_reader_read(ChunkReader *r, Block *block, unsigned parts, const StoredGame *game);

// Appends the text of a game to *text, with `scratch` to unpack it; what there is of it after damage, which gives false.
bool chunk_reader_text(ChunkReader *r, Block *block, const StoredGame *game, Game *scratch, Buffer *text);

#endif
