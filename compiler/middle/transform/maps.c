// Maps of squares, directions and colours (language reference 8.3, 8.5).
#include "maps.h"

#include <stdlib.h>

#include "runtime/chess/chess.h"

// ---- the lists of maps ------------------------------------------------------------------------------------

static void add_map(Arena *a, MapList *list, Map map)
{
    ARENA_PUSH(a, list->map, list->count, map);
}

static void add_shifts(Arena *a, MapList *list, bool horizontal, bool vertical)
{
    const int files = horizontal ? 7 : 0, ranks = vertical ? 7 : 0;
    for (int i = -files; i <= files; i++)
        for (int j = -ranks; j <= ranks; j++)
            if (i != 0 || j != 0)
                add_map(a, list, (Map){.files = i, .ranks = j});
}

MapList map_list(Arena *a, Op op, bool identity_twice)
{
    static const Map left_right = {.symmetry = MIRROR_FILES};
    static const Map up_down = {.symmetry = MIRROR_RANKS};
    static const Map colours = {.symmetry = MIRROR_RANKS, .colours = true};
    static const Map turn = {.symmetry = EXCHANGE_FILES_AND_RANKS | MIRROR_FILES};
    static const Map turn2 = {.symmetry = MIRROR_FILES | MIRROR_RANKS};
    static const Map turn3 = {.symmetry = EXCHANGE_FILES_AND_RANKS | MIRROR_RANKS};
    static const Map diagonal = {.symmetry = EXCHANGE_FILES_AND_RANKS};
    static const Map offdiagonal = {.symmetry = EXCHANGE_FILES_AND_RANKS | MIRROR_FILES | MIRROR_RANKS};
    MapList list = {NULL, 0};
    if (op != OP_REVERSECOLOR)
        add_map(a, &list, (Map){0});
    if (identity_twice)
        add_map(a, &list, (Map){0});
    switch (op) {
    case OP_FLIPVERTICAL:
        add_map(a, &list, left_right);
        break;
    case OP_FLIPHORIZONTAL:
        add_map(a, &list, up_down);
        break;
    case OP_FLIPCOLOR:
    case OP_REVERSECOLOR:
        add_map(a, &list, colours);
        break;
    case OP_ROTATE90:
        add_map(a, &list, turn);
        add_map(a, &list, turn2);
        add_map(a, &list, turn3);
        break;
    case OP_ROTATE45:
        for (int k = 1; k < 8; k++)
            add_map(a, &list, (Map){.turns = k});
        break;
    case OP_SHIFT:
    case OP_SHIFTHORIZONTAL:
    case OP_SHIFTVERTICAL:
        add_shifts(a, &list, op != OP_SHIFTVERTICAL, op != OP_SHIFTHORIZONTAL);
        break;
    default: {
        const Map flips[] = {diagonal, up_down, turn, left_right, turn3, turn2, offdiagonal};
        for (size_t i = 0; i < sizeof flips / sizeof *flips; i++)
            add_map(a, &list, flips[i]);
    }
    }
    return list;
}

bool map_is_identity(const Map *m)
{
    return m->symmetry == 0 && !m->colours && m->files == 0 && m->ranks == 0 && m->turns == 0;
}

// ---- names ------------------------------------------------------------------------------------------------

const char *map_name(Arena *a, const Map *m)
{
    static const char *const symmetry[] = {[0] = "",
                                           [MIRROR_FILES] = "reflect_v",
                                           [MIRROR_RANKS] = "reflect_h",
                                           [MIRROR_FILES | MIRROR_RANKS] = "rotate180",
                                           [EXCHANGE_FILES_AND_RANKS] = "reflect_a1h8",
                                           [EXCHANGE_FILES_AND_RANKS | MIRROR_FILES] = "counterclockwise90",
                                           [EXCHANGE_FILES_AND_RANKS | MIRROR_RANKS] = "clockwise90",
                                           [EXCHANGE_FILES_AND_RANKS | MIRROR_FILES | MIRROR_RANKS] =
                                               "reflect_a8h1"};
    if (m->turns != 0)
        return arena_printf(a, "rotate45^%d", m->turns);
    if (m->files == 0 && m->ranks == 0)
        return m->colours ? "invertcolor reflect_h" : symmetry[m->symmetry];
    const char *x = arena_printf(a, "%s^%d", m->files < 0 ? "left" : "right", abs(m->files));
    const char *y = arena_printf(a, "%s^%d", m->ranks < 0 ? "down" : "up", abs(m->ranks));
    return m->ranks == 0 ? x : m->files == 0 ? y : arena_printf(a, "%s %s", x, y);
}

const char map_identity_note[] = "as written";

const char *map_note(Arena *a, const Map *m)
{
    if (m->files != 0 || m->ranks != 0) {
        const int file = m->files < 0 ? -m->files : 0,
                  rank = m->ranks < 0 ? -m->ranks : 0; // comes to the edge
        char note[] = "shift a1 to a1";
        note[6] = (char)('a' + file);
        note[7] = (char)('1' + rank);
        note[12] = (char)('a' + file + m->files);
        note[13] = (char)('1' + rank + m->ranks);
        return arena_copy(a, note, sizeof note - 1);
    }
    if (map_is_identity(m))
        return map_identity_note;
    return m->colours                                     ? "flipcolor"
           : m->turns == 0 && m->symmetry == MIRROR_FILES ? "flipvertical"
           : m->turns == 0 && m->symmetry == MIRROR_RANKS ? "fliphorizontal"
                                                          : map_name(a, m);
}

// ---- images -----------------------------------------------------------------------------------------------

// Complete files do not move, everything else does (8.5).
static Bitboard shift_ranks(Bitboard b, int ranks)
{
    Bitboard all = b & b >> 8;
    all &= all >> 16;
    all &= all >> 32;
    const Bitboard complete = (all & BB_RANK_1) * BB_FILE_A;
    return complete | bb_step(b & ~complete, 0, ranks);
}

static Bitboard shift_files(Bitboard b, int files)
{
    return bb_exchange_files_and_ranks(shift_ranks(bb_exchange_files_and_ranks(b), files));
}

Bitboard map_mask(const Map *m, Bitboard mask, bool *undefined)
{
    if (m->turns != 0)
        *undefined |= mask != 0 && mask != BB_ALL;
    if (m->ranks != 0)
        mask = shift_ranks(mask, m->ranks);
    if (m->files != 0)
        mask = shift_files(mask, m->files);
    return bb_image(mask, m->symmetry);
}

uint32_t map_pieces(const Map *m, uint32_t pieces)
{
    return m->colours ? symbols_exchange_colours(pieces) : pieces;
}

// Directions are numbered clockwise.
static int map_direction(const Map *m, int direction)
{
    if (m->symmetry & EXCHANGE_FILES_AND_RANKS)
        direction = NORTH + EAST - direction;
    if (m->symmetry & MIRROR_FILES)
        direction = -direction;
    if (m->symmetry & MIRROR_RANKS)
        direction = SOUTH - direction;
    return (direction - m->turns) & 7;
}

DirectionSet map_directions(const Map *m, DirectionSet directions)
{
    DirectionSet image = 0;
    for (int d = 0; d < 8; d++) {
        if (directions >> d & 1)
            image |= (DirectionSet)(1 << map_direction(m, d));
    }
    return image;
}

// Each mirror changes the colour of every square; exchanging files and ranks does not.
bool map_exchanges_light(const Map *m)
{
    const bool mirrors_files = m->symmetry & MIRROR_FILES, mirrors_ranks = m->symmetry & MIRROR_RANKS;
    return ((m->files + m->ranks) & 1) != 0 || mirrors_files != mirrors_ranks;
}
