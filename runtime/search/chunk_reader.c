// The chunk of a database that a worker searches.
#include "chunk_reader.h"

#include <stdlib.h>

#include "runtime/value/terminal.h"

// Reports the damage of a part once.
static bool report_damage(ChunkReader *r, Block *block, char *message)
{
    if (message && !r->failed)
        line_format(&block->reports, "%s: error: %s\n", block->input.input, message);
    block->failed |= message != NULL;
    r->failed |= message != NULL;
    free(message);
    return false;
}

void chunk_reader_open(ChunkReader *r, Block *block, unsigned parts)
{
    char *message;
    r->failed = false;
    if (!database_read_chunk(block->input.database, block->input.chunk, parts, &r->chunk, &message))
        report_damage(r, block, message);
}

void chunk_reader_free(ChunkReader *r)
{
    chunk_free(&r->chunk);
}

bool chunk_reader_read_all(ChunkReader *r, Block *block, unsigned parts)
{
    char *message;
    return database_read_parts(block->input.database, parts, &r->chunk, &message) ||
           report_damage(r, block, message);
}

bool chunk_reader_read(ChunkReader *r, Block *block, unsigned parts, const StoredGame *game)
{
    char *message;
    const size_t index = (size_t)(game - r->chunk.game);
    return database_read_game(block->input.database, parts, &r->chunk, index, &message) ||
           report_damage(r, block, message);
}

bool chunk_reader_text(ChunkReader *r, Block *block, const StoredGame *game, Game *scratch, Buffer *text)
{
    if (!chunk_reader_read(r, block, CHUNK_TAGS | CHUNK_TEXTS, game))
        return false;
    if (chunk_game_text(game, scratch, text))
        return true;
    line_format(&block->reports, "%s: error: game %lld is damaged\n", block->input.input,
                (long long)(game->tags.number + block->input.number_base));
    block->failed = true;
    return false;
}
