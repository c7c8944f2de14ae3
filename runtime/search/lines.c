// Games of PGN as a chunk.
#include "lines.h"

#include <stdlib.h>

#include "runtime/database/lanes.h"
#include "runtime/value/memory.h"

void lines_begin(Lines *l)
{
    l->chunk.count = l->words.length = 0;
    buffer_room(&l->words, 1); // has a start, even when no main line is read
}

// What the main line just read says of its game.
static GameEntry entry_of(const GameLine *line)
{
    return (GameEntry){.ply_count = (uint16_t)line->count,
                       .flags = (uint16_t)((line->facts & (LINE_MATE | LINE_STALEMATE)) |
                                           (line->notes ? STORED_NOTES : 0) |
                                           (line->variations ? STORED_VARIATIONS : 0)),
                       .special = (uint8_t)(line->facts >> 8),
                       .result = (uint8_t)line->result};
}

void lines_add(Lines *l, const Game *game, size_t memory)
{
    enum { MOST_PLIES = 65535 };
    const size_t i = l->chunk.count++;
    l->chunk.entry = l->entry = memory_grow(l->entry, &l->entry_capacity, i + 1, sizeof *l->entry);
    l->first = memory_grow(l->first, &l->first_capacity, i + 1, sizeof *l->first);
    l->entry[i] = (GameEntry){.flags = STORED_UNGROUPED};
    l->first[i] = l->words.length / sizeof(MoveWord);
    if (game && game_fits(game->source.text, 0, memory) && game_read_line(&l->line, game) &&
        !l->line.null_moves && l->line.count <= MOST_PLIES) {
        l->entry[i] = entry_of(&l->line);
        buffer_append(&l->words, (const char *)l->line.word, l->line.count * sizeof(MoveWord));
    }
}

static const MoveWord *words_of(const Buffer *words)
{
    return (const MoveWord *)(const void *)words->start;
}

void lines_end(Lines *l)
{
    Chunk *c = &l->chunk;
    c->group_count = lanes_make(l->entry, c->count, &c->group_game, &l->order_capacity);
    c->group = memory_grow(c->group, &l->group_capacity, c->group_count, sizeof *c->group);
    l->rows.length = 0;
    for (size_t g = 0; g < c->group_count; g++)
        lanes_put(&l->rows, l->entry, words_of(&l->words), l->first, c->group_game + g * LINE_LANES);
    const MoveWord *row = words_of(&l->rows);
    size_t left = l->rows.length / sizeof *row;
    for (size_t g = 0; g < c->group_count; g++)
        lanes_take(&c->group[g], l->entry, c->group_game + g * LINE_LANES, &row, &left);
}

bool lines_game(const Lines *l, size_t i, StoredGame *game)
{
    const GameEntry *e = &l->entry[i];
    *game = (StoredGame){.word = words_of(&l->words) + l->first[i],
                         .ply_count = e->ply_count,
                         .flags = e->flags,
                         .special = e->special,
                         .result = e->result,
                         .stride = 1};
    return !(e->flags & STORED_UNGROUPED);
}

void lines_free(Lines *l)
{
    game_line_free(&l->line);
    free(l->entry);
    free(l->first);
    buffer_free(&l->words);
    buffer_free(&l->rows);
    free(l->chunk.group_game);
    free(l->chunk.group);
}
