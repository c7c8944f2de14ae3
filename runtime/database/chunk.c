// Games to blobs and back (docs/cqldb.md).
#include "chunk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "runtime/value/bytes.h"
#include "runtime/value/memory.h"
#include "lanes.h"

enum { INDEX_ENTRY = 8, SLICE_GAMES = 64, COMPRESSION = -1, PARTS = BLOBS - BLOB_TAGS };

const char *const blob_names[BLOBS] = {"moves", "games", "tags", "texts", "clocks"};

static bool get_text(const char **p, const char *end, Text *text)
{
    uint64_t length;
    if (!varint_get(p, end, &length) || length > (uint64_t)(end - *p))
        return false;
    *text = (Text){*p, (size_t)length};
    *p += length;
    return true;
}

// ---- the index --------------------------------------------------------------------------------------------

static_assert(sizeof(GameEntry) == INDEX_ENTRY, "an entry is stored as it is");

static void put_entry(Buffer *out, GameEntry e)
{
    buffer_append(out, (const char *)&e, sizeof e);
}

static const GameEntry *index_entries(const Buffer *index)
{
    return (const GameEntry *)(const void *)index->start;
}

// ---- writing ----------------------------------------------------------------------------------------------

static uint16_t tag_flags(const Game *g)
{
    return (g->has_fen ? STORED_START : 0) | (game_may_be_variant(g) ? STORED_VARIANT : 0);
}

// The SPECIAL_ bits of moves of one side, from the MOVE_ bits of all of them.
static unsigned special_moves(unsigned flags, bool promotion, int side)
{
    const unsigned king = flags & MOVE_CASTLE_KING ? SPECIAL_WHITE_CASTLES_KING : 0,
                   queen = flags & MOVE_CASTLE_QUEEN ? SPECIAL_WHITE_CASTLES_QUEEN : 0,
                   promotes = promotion ? SPECIAL_WHITE_PROMOTES : 0;
    return (king | queen) << (side == WHITE ? 0 : 2) | promotes << side |
           (flags & MOVE_EN_PASSANT ? SPECIAL_EN_PASSANT : 0);
}

GameEntry chunk_facts(const Game *g, const MainLine *line)
{
    const Position *last = &line->last;
    GameEntry facts = {.ply_count = (uint16_t)line->plies,
                       .flags = tag_flags(g),
                       .result = (uint8_t)g->view.result,
                       .special = SPECIAL_ALWAYS};
    if ((line->flags[WHITE] | line->flags[BLACK]) & MOVE_NULL)
        facts.flags |= STORED_NULL;
    if (!pos_has_legal_move(last))
        facts.flags |= pos_in_check(last, last->side) ? STORED_MATE : STORED_STALEMATE;
    for (int side = WHITE; side <= BLACK; side++) {
        facts.men[side] = (uint8_t)bb_count(last->board[BOARD_WHITE + side]);
        facts.special |= special_moves(line->flags[side], line->promoted[side], side);
    }
    return facts;
}

static void compress_slice(ChunkWriter *w, SliceWriter *s)
{
    Buffer *out = &s->frames;
    const size_t bound = ZSTD_compressBound(s->raw.length);
    if (!w->zstd)
        w->zstd = memory_checked(ZSTD_createCCtx());
    out->start = memory_grow(out->start, &out->capacity, out->length + bound, 1);
    const size_t length =
        ZSTD_compressCCtx(w->zstd, out->start + out->length, bound, s->raw.start, s->raw.length, COMPRESSION);
    memory_checked(ZSTD_isError(length) ? NULL : w->zstd); // there is room: it can only lack memory
    varint_put(&s->table, length);
    varint_put(&s->table, s->raw.length);
    out->length += length;
    s->raw.length = 0;
}

// Adds numbers, and a text after its length.
static void add_text(SliceWriter *s, const uint64_t *number, int count, const char *start, size_t length)
{
    Buffer *out = &s->raw;
    const size_t most = ((size_t)count + 1) * VARINT_MAX + length;
    out->start = memory_grow(out->start, &out->capacity, out->length + most, 1);
    char *to = out->start + out->length;
    for (int i = 0; i < count; i++)
        to = varint_write(to, number[i]);
    to = varint_write(to, length);
    if (length > 0)
        memcpy(to, start, length);
    out->length = (size_t)(to + length - out->start);
}

static void compress_slices(ChunkWriter *w)
{
    for (int i = 0; i < PARTS; i++)
        if (w->part[i].raw.length > 0)
            compress_slice(w, &w->part[i]);
}

// Adds the packed clocks of a game. Nothing is written for the games before the first one that has any, until it comes.
static void add_clocks(ChunkWriter *w, Text packed)
{
    SliceWriter *s = &w->part[BLOB_CLOCKS - BLOB_TAGS];
    if (!w->has_clocks && packed.length == 0)
        return;
    for (size_t i = 0; !w->has_clocks && i < w->count;) {
        add_text(s, NULL, 0, "", 0);
        if (++i % SLICE_GAMES == 0)
            compress_slice(w, s);
    }
    w->has_clocks = true;
    add_text(s, NULL, 0, packed.start, packed.length);
}

// Reads a game and packs it; false when its text is to be stored as it is.
static bool read_packed(ChunkWriter *w, Game *g, const GameText *source, MainLine *line, ReportFn *report,
                        void *user)
{
    game_parse_tags(g, source);
    if (game_read_packed(g, &w->packed, &w->words, line))
        return true;
    const bool commands = memmem(source->text.start, source->text.length, "[%", 2) != NULL;
    const unsigned words = w->all_words ? PARSE_ALL_WORDS : 0u;
    game_parse(g, source, PARSE_MOVE_TEXTS | words | (commands ? PARSE_CLOCKS : 0u), report, user);
    return !g->damaged && !g->skipped && !g->both_lose && g->ply_count <= MAIN_LINE_PLIES &&
           game_pack(g, &w->packed, &w->words, line);
}

unsigned chunk_add(ChunkWriter *w, Game *g, const GameText *source, ReportFn *report, void *user)
{
    SliceWriter *tags = &w->part[0], *texts = &w->part[1];
    const Text text = source->text;
    GameEntry entry;
    MainLine line = {0};
    w->packed.length = 0;
    const bool packed = read_packed(w, g, source, &line, report, user);
    const size_t movetext = game_movetext_start(g);
    add_text(tags, (const uint64_t[]){source->line, source->offset}, 2, text.start, movetext);
    if (packed) {
        entry = chunk_facts(g, &line);
        entry.flags |= line.clock_codes ? STORED_CLOCK_CODES : 0;
        add_text(texts, NULL, 0, w->packed.start, w->packed.length);
        w->packed.length = 0;
        game_pack_clocks(g, &w->packed);
        add_clocks(w, (Text){w->packed.start, w->packed.length});
    } else {
        line.variations = line.notes = true;
        entry = (GameEntry){.flags = tag_flags(g) | STORED_RAW, .result = (uint8_t)g->view.result};
        add_text(texts, NULL, 0, text.start + movetext, text.length - movetext);
        add_clocks(w, (Text){0});
    }
    entry.flags |= (line.variations ? STORED_VARIATIONS : 0) | (line.notes ? STORED_NOTES : 0);
    put_entry(&w->blob[BLOB_INDEX], entry);
    w->count++;
    w->plies += entry.ply_count;
    w->bytes += (int64_t)text.length;
    if (w->count % SLICE_GAMES == 0)
        compress_slices(w);
    return entry.flags;
}

static void arrange_moves(ChunkWriter *w)
{
    const GameEntry *entry = index_entries(&w->blob[BLOB_INDEX]);
    const MoveWord *words = (const MoveWord *)w->words.start;
    Buffer *out = &w->blob[BLOB_MOVES];
    int32_t *game = NULL;
    size_t capacity = 0, *first = memory_new(w->count * sizeof *first), word = 0;
    for (size_t i = 0; i < w->count; i++) {
        first[i] = word;
        word += entry[i].ply_count;
    }
    const size_t groups = lanes_make(entry, w->count, &game, &capacity);
    for (size_t g = 0; g < groups; g++)
        lanes_put(out, entry, words, first, game + g * LINE_LANES);
    for (size_t i = 0; i < w->count; i++)
        if (entry[i].ply_count > 0 && (entry[i].flags & STORED_UNGROUPED))
            buffer_append(out, (const char *)(words + first[i]), entry[i].ply_count * sizeof *words);
    free(game);
    free(first);
}

void chunk_finish(ChunkWriter *w)
{
    arrange_moves(w);
    compress_slices(w);
    for (int i = 0; i < PARTS; i++) {
        SliceWriter *s = &w->part[i];
        buffer_append(&s->table, s->frames.start, s->frames.length);
        const Buffer blob = w->blob[BLOB_TAGS + i];
        w->blob[BLOB_TAGS + i] = s->table;
        s->table = blob;
    }
}

void chunk_writer_clear(ChunkWriter *w)
{
    for (int i = 0; i < PARTS; i++)
        w->part[i].raw.length = w->part[i].table.length = w->part[i].frames.length = 0;
    for (int i = 0; i < BLOBS; i++)
        w->blob[i].length = 0;
    w->words.length = w->packed.length = 0;
    w->count = 0;
    w->plies = w->bytes = 0;
    w->has_clocks = false;
}

void chunk_writer_free(ChunkWriter *w)
{
    for (int i = 0; i < PARTS; i++) {
        buffer_free(&w->part[i].raw);
        buffer_free(&w->part[i].table);
        buffer_free(&w->part[i].frames);
    }
    for (int i = 0; i < BLOBS; i++)
        buffer_free(&w->blob[i]);
    buffer_free(&w->words);
    buffer_free(&w->packed);
    ZSTD_freeCCtx(w->zstd);
}

// ---- reading ----------------------------------------------------------------------------------------------

// A compressed slice.
typedef struct Slice {
    size_t stored, stored_length; // in the blob
    size_t text, text_length;     // of the expanded text
    bool expanded;
} Slice;

typedef struct Part {
    Slice *slice;
    size_t count, capacity;
    char *text;
    size_t text_capacity;
} Part;

// A game that is in no group.
typedef struct ApartGame {
    int32_t game;
    const MoveWord *word;
} ApartGame;

// What a chunk keeps, from one chunk to the next.
struct ChunkMemory {
    Buffer blob[BLOBS];
    Part part[PARTS];
    size_t game_capacity, group_capacity, group_game_capacity;
    ApartGame *apart; // in order
    size_t apart_count, apart_capacity;
    bool *made; // by slice: Chunk.game has its games
    size_t made_capacity;
    int32_t *place; // by game: the lane of group_game, or ~i for apart[i]; set when the first slice is made
    size_t place_capacity;
    bool placed;
    ZSTD_DCtx *zstd;
};

char *chunk_room(Chunk *chunk, int blob, size_t length)
{
    if (length > CHUNK_MOST_BYTES)
        return NULL;
    if (!chunk->memory)
        chunk->memory = memory_zeroed(1, sizeof *chunk->memory);
    Buffer *b = &chunk->memory->blob[blob];
    if (length > b->capacity || !b->start) { // not grown: the contents need not be copied
        free(b->start);
        b->start = memory_new(length + 1);
        b->capacity = length;
    }
    b->length = length;
    return b->start;
}

// Finds the words of the groups and of the games that are apart.
static bool take_words(Chunk *chunk)
{
    struct ChunkMemory *m = chunk->memory;
    const Buffer *moves = &m->blob[BLOB_MOVES];
    const MoveWord *word = (const MoveWord *)moves->start;
    size_t left = moves->length / sizeof *word;
    for (size_t i = 0; i < chunk->group_count; i++)
        if (!lanes_take(&chunk->group[i], chunk->entry, chunk->group_game + i * LINE_LANES, &word, &left))
            return false;
    for (size_t i = 0; i < chunk->count; i++) {
        const GameEntry e = chunk->entry[i];
        if (!(e.flags & STORED_UNGROUPED))
            continue;
        if (e.ply_count > left)
            return false;
        MEMORY_PUSH(m->apart, m->apart_count, m->apart_capacity, (ApartGame){(int32_t)i, word});
        word += e.ply_count;
        left -= e.ply_count;
    }
    return left == 0 && moves->length % sizeof *word == 0;
}

// False when the index is empty or has an entry that cannot be.
static bool take_index(Chunk *chunk, size_t count)
{
    struct ChunkMemory *m = chunk->memory;
    const Buffer *index = &m->blob[BLOB_INDEX];
    if (count == 0 || count > CHUNK_MOST_BYTES / INDEX_ENTRY || index->length != count * INDEX_ENTRY)
        return false;
    const GameEntry *entry = index_entries(index);
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++) {
        wrong |= (unsigned)(entry[i].result > RESULT_DRAW);
        wrong |= (unsigned)((entry[i].flags & STORED_RAW) != 0) & (unsigned)(entry[i].ply_count > 0);
    }
    chunk->entry = entry;
    chunk->count = count;
    return !wrong;
}

const char *chunk_take_lines(Chunk *chunk, int64_t first, size_t count)
{
    struct ChunkMemory *m = chunk->memory;
    static const char wrong[] = "its parts do not fit together";
    chunk->count = chunk->group_count = 0;
    chunk->first = first;
    m->apart_count = 0;
    m->placed = false;
    if (!take_index(chunk, count))
        return wrong;
    const size_t slices = (count + SLICE_GAMES - 1) / SLICE_GAMES;
    m->made = memory_grow(m->made, &m->made_capacity, slices, sizeof *m->made);
    memset(m->made, 0, slices * sizeof *m->made);
    chunk->game = memory_grow(chunk->game, &m->game_capacity, count, sizeof *chunk->game);
    chunk->group_count = lanes_make(chunk->entry, count, &chunk->group_game, &m->group_game_capacity);
    chunk->group = memory_grow(chunk->group, &m->group_capacity, chunk->group_count, sizeof *chunk->group);
    return take_words(chunk) ? NULL : wrong;
}

// Finds where each game is.
static void place_games(Chunk *chunk)
{
    struct ChunkMemory *m = chunk->memory;
    m->place = memory_grow(m->place, &m->place_capacity, chunk->count, sizeof *m->place);
    for (size_t i = 0; i < chunk->group_count * LINE_LANES; i++)
        if (chunk->group_game[i] >= 0)
            m->place[chunk->group_game[i]] = (int32_t)i;
    for (size_t i = 0; i < m->apart_count; i++)
        m->place[m->apart[i].game] = ~(int32_t)i;
    m->placed = true;
}

// The game after the last one of a slice.
static size_t slice_end(const Chunk *chunk, size_t slice)
{
    const size_t end = (slice + 1) * SLICE_GAMES;
    return end < chunk->count ? end : chunk->count;
}

static void make_games(Chunk *chunk, size_t slice)
{
    struct ChunkMemory *m = chunk->memory;
    if (!m->placed)
        place_games(chunk);
    for (size_t i = slice * SLICE_GAMES; i < slice_end(chunk, slice); i++) {
        const GameEntry e = chunk->entry[i];
        const int32_t place = m->place[i];
        const bool grouped = place >= 0;
        chunk->game[i] = (StoredGame){
            .tags.number = chunk->first + (int64_t)i,
            .word =
                grouped ? chunk->group[place / LINE_LANES].word + place % LINE_LANES : m->apart[~place].word,
            .stride = grouped ? LINE_LANES : 1,
            .ply_count = e.ply_count,
            .flags = e.flags,
            .result = e.result,
            .men = {e.men[0], e.men[1]},
            .special = e.special,
        };
    }
    m->made[slice] = true;
}

const StoredGame *chunk_game(Chunk *chunk, size_t i)
{
    if (!chunk->memory->made[i / SLICE_GAMES])
        make_games(chunk, i / SLICE_GAMES);
    return &chunk->game[i];
}

static bool get_slice(const char **p, const char *end, Slice *s)
{
    uint64_t stored, text;
    if (!varint_get(p, end, &stored) || !varint_get(p, end, &text) || stored > CHUNK_MOST_BYTES ||
        text > CHUNK_MOST_BYTES)
        return false;
    s->stored_length = (size_t)stored;
    s->text_length = (size_t)text;
    return true;
}

// Packed texts, tags and clocks with their lengths take no more bytes than this, whatever a damaged blob says.
static size_t most_expanded(const Chunk *chunk)
{
    const size_t most = 4 * (size_t)chunk->bytes + 64 * chunk->count;
    return most < CHUNK_MOST_BYTES ? most : CHUNK_MOST_BYTES;
}

const char *chunk_take_part(Chunk *chunk, int blob)
{
    struct ChunkMemory *m = chunk->memory;
    const Buffer *stored = &m->blob[blob];
    Part *part = &m->part[blob - BLOB_TAGS];
    const char *p = stored->start, *end = p + stored->length;
    size_t at = 0, text = 0;
    part->count = 0;
    if (blob == BLOB_CLOCKS && stored->length == 0)
        return NULL;
    part->count = (chunk->count + SLICE_GAMES - 1) / SLICE_GAMES;
    part->slice = memory_grow(part->slice, &part->capacity, part->count, sizeof *part->slice);
    for (size_t i = 0; i < part->count; i++) {
        Slice *s = &part->slice[i];
        *s = (Slice){.stored = at, .text = text};
        if (!get_slice(&p, end, s))
            return "its compressed parts are damaged";
        at += s->stored_length;
        text += s->text_length;
    }
    const size_t table = (size_t)(p - stored->start);
    for (size_t i = 0; i < part->count; i++)
        part->slice[i].stored += table;
    if (at != stored->length - table || text > most_expanded(chunk))
        return "its compressed parts are damaged";
    if (text > part->text_capacity || !part->text) {
        free(part->text);
        part->text = memory_new(text + 1);
        part->text_capacity = text;
    }
    return NULL;
}

// Sets what a slice of a blob says of a game.
static bool set_text(StoredGame *g, int blob, const char **p, const char *end)
{
    switch (blob) {
    case BLOB_TEXTS:
        return get_text(p, end, &g->text);
    case BLOB_CLOCKS:
        return get_text(p, end, &g->clocks);
    default:
        return varint_get(p, end, &g->tags.line) && varint_get(p, end, &g->tags.offset) &&
               get_text(p, end, &g->tags.text);
    }
}

// Sets what a slice says of the games from `first` to before `last`.
static bool set_texts(Chunk *chunk, int blob, size_t first, size_t last, const char *p, const char *end)
{
    for (size_t i = first; i < last; i++)
        if (!set_text(&chunk->game[i], blob, &p, end))
            return false;
    return p == end;
}

const char *chunk_expand(Chunk *chunk, int blob, size_t game)
{
    struct ChunkMemory *m = chunk->memory;
    Part *part = &m->part[blob - BLOB_TAGS];
    if (part->count == 0) // no game has clocks
        return NULL;
    Slice *s = &part->slice[game / SLICE_GAMES];
    const size_t first = game / SLICE_GAMES * SLICE_GAMES, last = slice_end(chunk, game / SLICE_GAMES);
    if (s->expanded)
        return NULL;
    chunk_game(chunk, game);
    if (!m->zstd)
        m->zstd = memory_checked(ZSTD_createDCtx());
    char *text = part->text + s->text;
    const size_t length =
        ZSTD_decompressDCtx(m->zstd, text, s->text_length, m->blob[blob].start + s->stored, s->stored_length);
    if (length != s->text_length || !set_texts(chunk, blob, first, last, text, text + length))
        return "its compressed parts are damaged";
    s->expanded = true;
    return NULL;
}

void chunk_free(Chunk *chunk)
{
    struct ChunkMemory *m = chunk->memory;
    free(chunk->game);
    free(chunk->group);
    free(chunk->group_game);
    for (int i = 0; m && i < BLOBS; i++)
        buffer_free(&m->blob[i]);
    for (int i = 0; m && i < PARTS; i++) {
        free(m->part[i].slice);
        free(m->part[i].text);
    }
    if (m) {
        free(m->apart);
        free(m->made);
        free(m->place);
        ZSTD_freeDCtx(m->zstd);
    }
    free(m);
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
    const bool codes = stored->flags & STORED_CLOCK_CODES;
    const NoteClocks *values = codes ? game_clock_values(scratch, stored->clocks, stored->ply_count) : NULL;
    return (values || !codes) && game_unpack(out, stored->text, start, clocks, stored->word, stored->stride,
                                             stored->ply_count, values);
}
