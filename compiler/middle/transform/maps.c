// Maps of squares, directions and colours (language reference 8.3, 8.5).
#include "maps.h"

#include "runtime/chess/chess.h"

// ---- the lists of maps ------------------------------------------------------------------------------------

static void add_map(Arena *a, MapList *list, Map map)
{
    ARENA_PUSH(a, list->map, list->count, map);
}

// `left^2 up^1`
static const char *shift_name(Arena *a, int files, int ranks)
{
    const char *x = files < 0 ? "left" : "right", *y = ranks < 0 ? "down" : "up";
    int i = files < 0 ? -files : files, j = ranks < 0 ? -ranks : ranks;
    if (j == 0)
        return arena_printf(a, "%s^%d", x, i);
    if (i == 0)
        return arena_printf(a, "%s^%d", y, j);
    return arena_printf(a, "%s^%d %s^%d", x, i, y, j);
}

static void add_shifts(Arena *a, MapList *list, bool horizontal, bool vertical)
{
    const int files = horizontal ? 7 : 0, ranks = vertical ? 7 : 0;
    for (int i = -files; i <= files; i++)
        for (int j = -ranks; j <= ranks; j++)
            if (i != 0 || j != 0)
                add_map(a, list, (Map){.files = i, .ranks = j, .name = shift_name(a, i, j)});
}

MapList map_list(Arena *a, Op op)
{
    static const Map left_right = {.symmetry = MIRROR_FILES, .name = "reflect_v"};
    static const Map up_down = {.symmetry = MIRROR_RANKS, .name = "reflect_h"};
    static const Map colours = {.symmetry = MIRROR_RANKS, .colours = true, .name = "invertcolor reflect_h"};
    static const Map turn = {.symmetry = EXCHANGE_FILES_AND_RANKS | MIRROR_FILES,
                             .name = "counterclockwise90"};
    static const Map turn2 = {.symmetry = MIRROR_FILES | MIRROR_RANKS, .name = "rotate180"};
    static const Map turn3 = {.symmetry = EXCHANGE_FILES_AND_RANKS | MIRROR_RANKS, .name = "clockwise90"};
    static const Map diagonal = {.symmetry = EXCHANGE_FILES_AND_RANKS, .name = "reflect_a1h8"};
    static const Map offdiagonal = {.symmetry = EXCHANGE_FILES_AND_RANKS | MIRROR_FILES | MIRROR_RANKS,
                                    .name = "reflect_a8h1"};
    MapList list = {NULL, 0};
    if (op != OP_REVERSECOLOR)
        add_map(a, &list, (Map){.name = ""});
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
            add_map(a, &list, (Map){.turns = k, .name = arena_printf(a, "rotate45^%d", k)});
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
    return m->name[0] == '\0';
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
