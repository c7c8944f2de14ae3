// Main lines of games side by side.
#include "lanes.h"

#include <stdlib.h>

#include "runtime/game/transpose.h"
#include "runtime/value/memory.h"

// The plies of a game that goes into a group, otherwise -1. Grouping needs no more of the entry, and needs it often.
static inline int32_t grouped_plies(const GameEntry *entry)
{
    return entry->flags & STORED_UNGROUPED ? -1 : entry->ply_count;
}

size_t lanes_make(const GameEntry *entry, size_t count, int32_t **game, size_t *capacity)
{
    int32_t most = 0;
    uint32_t grouped = 0;
    for (size_t i = 0; i < count; i++) {
        const int32_t plies = grouped_plies(&entry[i]);
        most = plies > most ? plies : most;
        grouped += plies >= 0;
    }
    const uint32_t groups = (grouped + LINE_LANES - 1) / LINE_LANES, lanes = groups * LINE_LANES;
    uint32_t *slot = memory_zeroed((size_t)most + 2, sizeof *slot); // by plies: where the next game goes
    for (size_t i = 0; i < count; i++) {
        const int32_t plies = grouped_plies(&entry[i]);
        if (plies >= 0)
            slot[plies + 1]++;
    }
    slot[0] = lanes - grouped;
    for (int32_t plies = 1; plies <= most; plies++)
        slot[plies] += slot[plies - 1];
    *game = memory_grow(*game, capacity, lanes, sizeof **game);
    for (uint32_t i = 0; i < lanes - grouped; i++)
        (*game)[i] = -1;
    for (size_t i = 0; i < count; i++) {
        const int32_t plies = grouped_plies(&entry[i]);
        if (plies >= 0)
            (*game)[slot[plies]++] = (int32_t)i;
    }
    free(slot);
    return groups;
}

void lanes_put(Buffer *out, const GameEntry *entry, const MoveWord *words, const size_t *first,
               const int32_t game[LINE_LANES])
{
    const MoveWord *word[LINE_LANES];
    size_t plies[LINE_LANES], common = SIZE_MAX;
    for (int lane = 0; lane < LINE_LANES; lane++) {
        plies[lane] = game[lane] < 0 ? 0 : entry[game[lane]].ply_count;
        word[lane] = game[lane] < 0 ? words : words + first[game[lane]];
        common = plies[lane] < common ? plies[lane] : common;
    }
    const size_t rows = plies[LINE_LANES - 1], bytes = rows * LINE_LANES * sizeof(MoveWord);
    if (rows == 0)
        return;
    out->start = memory_grow(out->start, &out->capacity, out->length + bytes, 1);
    MoveWord *row = (MoveWord *)(out->start + out->length);
    size_t i = 0;
    for (; i + LINE_LANES <= common; i += LINE_LANES, row += LINE_LANES * LINE_LANES) {
        line_transpose(word, row);
        for (int lane = 0; lane < LINE_LANES; lane++)
            word[lane] += LINE_LANES;
    }
    for (int lane = 0; lane < LINE_LANES; lane++)
        word[lane] -= i;
    for (; i < rows; i++)
        for (int lane = 0; lane < LINE_LANES; lane++)
            *row++ = i < plies[lane] ? word[lane][i] : 0;
    out->length += bytes;
}

bool lanes_take(LineGroup *group, const GameEntry *entry, const int32_t game[LINE_LANES],
                const MoveWord **word, size_t *left)
{
    const size_t rows = entry[game[LINE_LANES - 1]].ply_count, words = rows * LINE_LANES;
    if (words > *left)
        return false;
    *group = (LineGroup){.word = *word, .rows = (int32_t)rows};
    for (int lane = 0; lane < LINE_LANES; lane++) {
        if (game[lane] < 0)
            continue;
        const GameEntry e = entry[game[lane]];
        group->length[lane] = e.ply_count;
        for (int side = WHITE; side <= BLACK; side++)
            group->men[side][lane] = e.men[side];
        group->facts[lane] = (uint16_t)((e.flags & 0xff) | e.special << 8);
    }
    *word += words;
    *left -= words;
    return true;
}
