// Maps of squares, directions and colours (language reference 8.3, 8.5).
#include "maps.h"

#include "runtime/chess/chess.h"

bool transform_has_maps(Op op)
{
    switch (op) {
    case OP_FLIP:
    case OP_FLIPDIHEDRAL:
    case OP_DIHEDRAL:
    case OP_FLIPVERTICAL:
    case OP_FLIPHORIZONTAL:
    case OP_FLIPCOLOR:
    case OP_ROTATE90:
    case OP_ROTATE45:
    case OP_SHIFT:
    case OP_SHIFTHORIZONTAL:
    case OP_SHIFTVERTICAL:
    case OP_REVERSECOLOR:
        return true;
    default:
        return false;
    }
}

// ---- the lists of maps -----------------------------------------------------------------------------------

typedef struct Symmetry {
    bool exchange, mirror_x, mirror_y;
    const char *name;
} Symmetry;

// In the order of `flip`.
enum {
    IDENTITY,
    REFLECT_A1H8,
    REFLECT_H,
    COUNTERCLOCKWISE90,
    REFLECT_V,
    CLOCKWISE90,
    ROTATE180,
    REFLECT_A8H1,
    SYMMETRIES
};
static const Symmetry symmetries[SYMMETRIES] = {
    [IDENTITY] = {false, false, false, ""},
    [REFLECT_A1H8] = {true, false, false, "reflect_a1h8"},
    [REFLECT_H] = {false, false, true, "reflect_h"},
    [COUNTERCLOCKWISE90] = {true, true, false, "counterclockwise90"},
    [REFLECT_V] = {false, true, false, "reflect_v"},
    [CLOCKWISE90] = {true, false, true, "clockwise90"},
    [ROTATE180] = {false, true, true, "rotate180"},
    [REFLECT_A8H1] = {true, true, true, "reflect_a8h1"},
};

static void add_map(Arena *a, MapList *list, Map map)
{
    ARENA_PUSH(a, list->map, list->count, map);
}

static void add_symmetry(Arena *a, MapList *list, int which)
{
    const Symmetry *s = &symmetries[which];
    add_map(a, list,
            (Map){.kind = MAP_SYMMETRY,
                  .exchange = s->exchange,
                  .mirror_x = s->mirror_x,
                  .mirror_y = s->mirror_y,
                  .name = s->name});
}

static void add_colour_exchange(Arena *a, MapList *list)
{
    add_map(a, list,
            (Map){.kind = MAP_SYMMETRY, .mirror_y = true, .colours = true, .name = "invertcolor reflect_h"});
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
    int files = horizontal ? 7 : 0, ranks = vertical ? 7 : 0;
    for (int i = -files; i <= files; i++) {
        for (int j = -ranks; j <= ranks; j++) {
            if (i != 0 || j != 0)
                add_map(a, list,
                        (Map){.kind = MAP_SHIFT, .files = i, .ranks = j, .name = shift_name(a, i, j)});
        }
    }
}

MapList transform_maps(Arena *a, Op op)
{
    MapList list = {NULL, 0};
    if (op != OP_REVERSECOLOR)
        add_symmetry(a, &list, IDENTITY);
    switch (op) {
    case OP_FLIPVERTICAL:
        add_symmetry(a, &list, REFLECT_V);
        break;
    case OP_FLIPHORIZONTAL:
        add_symmetry(a, &list, REFLECT_H);
        break;
    case OP_FLIPCOLOR:
    case OP_REVERSECOLOR:
        add_colour_exchange(a, &list);
        break;
    case OP_ROTATE90:
        add_symmetry(a, &list, COUNTERCLOCKWISE90);
        add_symmetry(a, &list, ROTATE180);
        add_symmetry(a, &list, CLOCKWISE90);
        break;
    case OP_ROTATE45:
        for (int k = 1; k < 8; k++)
            add_map(a, &list,
                    (Map){.kind = MAP_ROTATE45, .turns = k, .name = arena_printf(a, "rotate45^%d", k)});
        break;
    case OP_SHIFT:
    case OP_SHIFTHORIZONTAL:
    case OP_SHIFTVERTICAL:
        add_shifts(a, &list, op != OP_SHIFTVERTICAL, op != OP_SHIFTHORIZONTAL);
        break;
    default:
        for (int s = IDENTITY + 1; s < SYMMETRIES; s++)
            add_symmetry(a, &list, s);
        break;
    }
    return list;
}

bool map_is_identity(const Map *m)
{
    return m->name[0] == '\0';
}

// ---- images ----------------------------------------------------------------------------------------------

// Complete files keep their place, everything else moves (8.5).
static Bitboard shift_ranks(Bitboard b, int ranks)
{
    Bitboard complete = 0;
    for (int file = 0; file < 8; file++) {
        if ((b & BB_FILE_A << file) == BB_FILE_A << file)
            complete |= BB_FILE_A << file;
    }
    Bitboard rest = b & ~complete;
    return complete | (ranks > 0 ? rest << 8 * ranks : rest >> -8 * ranks);
}

static Bitboard shift_files(Bitboard b, int files)
{
    Bitboard image = 0;
    for (int rank = 0; rank < 8; rank++) {
        unsigned row = b >> 8 * rank & 0xFF;
        if (row != 0xFF)
            row = (files > 0 ? row << files : row >> -files) & 0xFF;
        image |= (Bitboard)row << 8 * rank;
    }
    return image;
}

Bitboard map_mask(const Map *m, Bitboard mask, bool *undefined)
{
    switch (m->kind) {
    case MAP_SHIFT:
        if (m->ranks != 0)
            mask = shift_ranks(mask, m->ranks);
        return m->files != 0 ? shift_files(mask, m->files) : mask;
    case MAP_ROTATE45:
        if (mask != 0 && mask != BB_ALL)
            *undefined = true;
        return mask;
    case MAP_SYMMETRY:
        break;
    }
    if (m->exchange)
        mask = bb_exchange_files_and_ranks(mask);
    if (m->mirror_x)
        mask = bb_mirror_files(mask);
    return m->mirror_y ? bb_mirror_ranks(mask) : mask;
}

uint32_t map_pieces(const Map *m, uint32_t pieces)
{
    return m->colours ? symbols_exchange_colours(pieces) : pieces;
}

// A direction as a step, and back.
static const int8_t step_x[8] = {[NORTH] = 0, [NORTH_EAST] = 1,  [EAST] = 1,  [SOUTH_EAST] = 1,
                                 [SOUTH] = 0, [SOUTH_WEST] = -1, [WEST] = -1, [NORTH_WEST] = -1};
static const int8_t step_y[8] = {[NORTH] = 1,  [NORTH_EAST] = 1,  [EAST] = 0, [SOUTH_EAST] = -1,
                                 [SOUTH] = -1, [SOUTH_WEST] = -1, [WEST] = 0, [NORTH_WEST] = 1};

static int map_direction(const Map *m, int direction)
{
    if (m->kind == MAP_SHIFT)
        return direction;
    if (m->kind == MAP_ROTATE45)
        return (direction + 8 - m->turns) % 8; // the numbering runs clockwise
    int x = step_x[direction], y = step_y[direction];
    if (m->exchange) {
        int old = x;
        x = y;
        y = old;
    }
    x = m->mirror_x ? -x : x;
    y = m->mirror_y ? -y : y;
    int image = 0;
    while (step_x[image] != x || step_y[image] != y)
        image++;
    return image;
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

bool map_exchanges_light(const Map *m)
{
    switch (m->kind) {
    case MAP_SHIFT:
        return ((m->files + m->ranks) & 1) != 0;
    case MAP_SYMMETRY:
        // Each mirror changes the colour of every square; exchanging files and ranks does not.
        return m->mirror_x != m->mirror_y;
    case MAP_ROTATE45:
        break;
    }
    return false;
}
