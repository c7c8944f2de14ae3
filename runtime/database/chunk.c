// Games to blobs and back.
#include "chunk.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>

#include "runtime/value/memory.h"

enum { MOST_PLIES = 65535, INDEX_ENTRY = 4, COMPRESSION = 3, MOST_BYTES = 1 << 30 };

const char *const blob_names[BLOBS] = {"moves", "games", "tags", "texts"};

// ---- numbers ----------------------------------------------------------------------------------------------

// Seven bits a byte, the lowest first; the high bit says that more follow.
static void put_number(Buffer *out, uint64_t value)
{
    unsigned char bytes[10];
    size_t length = 0;
    for (; value >= 128; value >>= 7)
        bytes[length++] = (unsigned char)(value | 128);
    bytes[length++] = (unsigned char)value;
    buffer_append(out, (const char *)bytes, length);
}

static bool get_number(const char **p, const char *end, uint64_t *value)
{
    *value = 0;
    for (int shift = 0; *p < end && shift < 64; shift += 7) {
        const unsigned char byte = (unsigned char)*(*p)++;
        *value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

static bool get_text(const char **p, const char *end, Text *text)
{
    uint64_t length;
    if (!get_number(p, end, &length) || length > (uint64_t)(end - *p))
        return false;
    *text = (Text){*p, (size_t)length};
    *p += length;
    return true;
}

// ---- writing ----------------------------------------------------------------------------------------------

unsigned chunk_add(ChunkWriter *w, const Game *g)
{
    const Text source = g->source.text;
    const size_t movetext = game_movetext_start(g);
    const Text text = {source.start + movetext, source.length - movetext};
    unsigned flags = g->has_fen ? STORED_START : 0;
    bool variations = true, notes = true;
    Buffer packed = {0};
    if (g->damaged || g->skipped || g->ply_count > MOST_PLIES ||
        !game_pack(&packed, g, &variations, &notes)) {
        flags |= STORED_RAW;
        buffer_append(&packed, text.start, text.length);
    }
    flags |= (variations ? STORED_VARIATIONS : 0) | (notes ? STORED_NOTES : 0);
    const uint32_t plies = flags & STORED_RAW ? 0 : (uint32_t)g->ply_count;
    for (uint32_t i = 1; i <= plies; i++) {
        const MoveWord word = word_of(g->view.node[i].move);
        const char bytes[2] = {(char)word, (char)(word >> 8)};
        buffer_append(&w->part[BLOB_MOVES], bytes, 2);
    }
    const char entry[INDEX_ENTRY] = {(char)plies, (char)(plies >> 8), (char)flags, (char)g->view.result};
    buffer_append(&w->part[BLOB_INDEX], entry, INDEX_ENTRY);
    put_number(&w->part[BLOB_TAGS], g->source.line);
    put_number(&w->part[BLOB_TAGS], g->source.offset);
    put_number(&w->part[BLOB_TAGS], movetext);
    buffer_append(&w->part[BLOB_TAGS], source.start, movetext);
    put_number(&w->part[BLOB_TEXTS], packed.length);
    buffer_append(&w->part[BLOB_TEXTS], packed.start, packed.length);
    buffer_free(&packed);
    w->count++;
    w->plies += plies;
    w->bytes += (int64_t)source.length;
    return flags;
}

static void compress_part(Buffer *part)
{
    const size_t bound = ZSTD_compressBound(part->length);
    char *memory = memory_new(bound);
    const size_t length =
        ZSTD_compress(memory, bound, part->start ? part->start : "", part->length, COMPRESSION);
    free(part->start);
    *part = (Buffer){memory, length, bound};
}

void chunk_finish(ChunkWriter *w)
{
    compress_part(&w->part[BLOB_TAGS]);
    compress_part(&w->part[BLOB_TEXTS]);
}

void chunk_writer_free(ChunkWriter *w)
{
    for (int i = 0; i < BLOBS; i++)
        buffer_free(&w->part[i]);
}

uint32_t chunk_checksum(const Text blobs[BLOBS])
{
    uLong sum = crc32(0, NULL, 0);
    for (int i = 0; i < BLOBS; i++)
        sum = crc32(sum, (const Bytef *)blobs[i].start, (uInt)blobs[i].length);
    return (uint32_t)sum;
}

// ---- reading ----------------------------------------------------------------------------------------------

// Decompresses a blob into memory of the chunk.
static bool expand(Chunk *chunk, Text blob, int slot, Text *out)
{
    const unsigned long long length = ZSTD_getFrameContentSize(blob.start, blob.length);
    if (length > MOST_BYTES)
        return false;
    char *memory = chunk->memory[slot] = memory_new((size_t)length + 1);
    const size_t got = ZSTD_decompress(memory, (size_t)length, blob.start, blob.length);
    *out = (Text){memory, (size_t)length};
    return !ZSTD_isError(got) && got == length;
}

static bool read_game(StoredGame *g, const unsigned char *entry, const char **tags, const char *tags_end,
                      const char **texts, const char *texts_end)
{
    g->ply_count = entry[0] | (uint32_t)entry[1] << 8;
    g->flags = entry[2];
    g->result = entry[3];
    return g->result <= RESULT_DRAW && get_number(tags, tags_end, &g->tags.line) &&
           get_number(tags, tags_end, &g->tags.offset) && get_text(tags, tags_end, &g->tags.text) &&
           get_text(texts, texts_end, &g->text);
}

const char *chunk_read(Chunk *chunk, const Text blobs[BLOBS], int64_t first)
{
    Text tags, texts;
    *chunk = (Chunk){0};
    if (!expand(chunk, blobs[BLOB_TAGS], 0, &tags) || !expand(chunk, blobs[BLOB_TEXTS], 1, &texts))
        return "its compressed parts are damaged";
    const size_t count = blobs[BLOB_INDEX].length / INDEX_ENTRY;
    chunk->game = chunk->memory[2] = memory_zeroed(count, sizeof *chunk->game);
    MoveWord *word = chunk->memory[3] = memory_new(blobs[BLOB_MOVES].length + 1);
    memcpy(word, blobs[BLOB_MOVES].start, blobs[BLOB_MOVES].length & ~(size_t)1);
    const MoveWord *end = word + blobs[BLOB_MOVES].length / 2;
    const unsigned char *entry = (const unsigned char *)blobs[BLOB_INDEX].start;
    const char *tag = tags.start, *text = texts.start;
    for (size_t i = 0; i < count; i++) {
        StoredGame *g = &chunk->game[i];
        if (!read_game(g, entry + i * INDEX_ENTRY, &tag, tags.start + tags.length, &text,
                       texts.start + texts.length) ||
            g->ply_count > (size_t)(end - word))
            return "its parts do not fit together";
        g->word = word;
        g->tags.number = first + (int64_t)i;
        word += g->ply_count;
        chunk->bytes += (int64_t)g->tags.text.length;
        chunk->count++;
    }
    return word == end ? NULL : "its parts do not fit together";
}

void chunk_free(Chunk *chunk)
{
    for (size_t i = 0; i < sizeof chunk->memory / sizeof *chunk->memory; i++)
        free(chunk->memory[i]);
    *chunk = (Chunk){0};
}

bool chunk_game_text(const StoredGame *stored, Game *scratch, Buffer *out)
{
    buffer_append(out, stored->tags.text.start, stored->tags.text.length);
    if (stored->flags & STORED_RAW) {
        buffer_append(out, stored->text.start, stored->text.length);
        return true;
    }
    const Position *start = &pos_start;
    FenClocks clocks = {0, 1};
    if (stored->flags & STORED_START) {
        game_parse_tags(scratch, &stored->tags);
        start = game_start(scratch);
        clocks = scratch->clocks;
    }
    return game_unpack(out, stored->text, start, clocks, stored->word, stored->ply_count);
}
