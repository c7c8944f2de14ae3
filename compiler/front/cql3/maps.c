// Transformation sets of CQL 3 and its edge rule (language reference 12.6).
#include "internal.h"
#include "runtime/value/memory.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/chess/chess.h"

// ---- maps of the board ------------------------------------------------------------------------------------

// The edge rule: squares on the edge that a unit shift moves towards vanish, those on the opposite edge stay
// as well as move.
static Bitboard unit_shift(Bitboard x, int files, int ranks)
{
    return bb_step(x, files, ranks) | (x & ~bb_step(BB_ALL, files, ranks));
}

const Cql3Map *cql3_identity(void)
{
    static const Cql3Map map = {
#define ROW(s)                                                                                               \
    1ull << (s), 1ull << ((s) + 1), 1ull << ((s) + 2), 1ull << ((s) + 3), 1ull << ((s) + 4),                 \
        1ull << ((s) + 5), 1ull << ((s) + 6), 1ull << ((s) + 7)
        .image = {ROW(0), ROW(8), ROW(16), ROW(24), ROW(32), ROW(40), ROW(48), ROW(56)}
#undef ROW
    };
    return &map;
}

// files and ranks may be negative: to the left, down.
static Cql3Map shift_map(int files, int ranks)
{
    Cql3Map map = *cql3_identity();
    for (int s = 0; s < 64; s++) {
        for (int k = 0; k < abs(files); k++)
            map.image[s] = unit_shift(map.image[s], files > 0 ? 1 : -1, 0);
        for (int k = 0; k < abs(ranks); k++)
            map.image[s] = unit_shift(map.image[s], 0, ranks > 0 ? 1 : -1);
    }
    return map;
}

static Cql3Map symmetry_map(int symmetry)
{
    Cql3Map map = {.exchange = (symmetry & EXCHANGE_FILES_AND_RANKS) != 0};
    for (int s = 0; s < 64; s++)
        map.image[s] = bb_of(square_image(s, symmetry));
    return map;
}

Bitboard cql3_map_squares(const Cql3Map *map, Bitboard squares)
{
    if (squares == ~(Bitboard)0)
        return squares; // every transformation keeps the whole board
    Bitboard image = 0;
    for (; squares != 0; squares &= squares - 1)
        image |= map->image[__builtin_ctzll(squares)];
    return image;
}

uint32_t cql3_map_pieces(const Cql3Map *map, uint32_t pieces)
{
    return map->colours ? symbols_exchange_colours(pieces) : pieces;
}

Cql3Map cql3_compose(const Cql3Map *outer, const Cql3Map *inner)
{
    Cql3Map map = {.colours = outer->colours != inner->colours,
                   .exchange = outer->exchange != inner->exchange};
    for (int s = 0; s < 64; s++)
        map.image[s] = cql3_map_squares(outer, inner->image[s]);
    return map;
}

// ---- sets of maps -----------------------------------------------------------------------------------------

// A set under construction: the maps in order of appearance, and a hash table of their numbers.
typedef struct MapSet {
    Cql3Map *map;
    int count, room;
    int *slot; // 1 + number of a map, 0: free
    int slots; // a power of two
} MapSet;

static uint64_t hash_map(const Cql3Map *map)
{
    uint64_t h = (uint64_t)map->colours << 1 | map->exchange;
    for (int s = 0; s < 64; s++) {
        h = (h ^ map->image[s]) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return h;
}

static bool equal_maps(const Cql3Map *a, const Cql3Map *b)
{
    return a->colours == b->colours && a->exchange == b->exchange &&
           memcmp(a->image, b->image, sizeof a->image) == 0;
}

// The place of a map in the table: where it is, or the free slot where it belongs.
static int find_slot(const MapSet *set, const Cql3Map *map)
{
    int i = (int)(hash_map(map) & (uint64_t)(set->slots - 1));
    while (set->slot[i] != 0 && !equal_maps(&set->map[set->slot[i] - 1], map))
        i = (i + 1) & (set->slots - 1);
    return i;
}

static void grow(MapSet *set)
{
    set->room = set->room == 0 ? 64 : 2 * set->room;
    set->map = memory_resized(set->map, (size_t)set->room, sizeof *set->map);
    free(set->slot);
    set->slots = 2 * set->room;
    set->slot = memory_zeroed((size_t)set->slots, sizeof *set->slot);
    for (int i = 0; i < set->count; i++)
        set->slot[find_slot(set, &set->map[i])] = i + 1;
}

static void add_map(MapSet *set, const Cql3Map *map)
{
    if (set->count == set->room)
        grow(set);
    const int slot = find_slot(set, map);
    if (set->slot[slot] != 0)
        return;
    set->map[set->count++] = *map;
    set->slot[slot] = set->count;
}

static MapSet only_identity(void)
{
    MapSet set = {0};
    add_map(&set, cql3_identity());
    return set;
}

static void free_set(MapSet *set)
{
    free(set->map);
    free(set->slot);
}

// All compositions, `inner` first.
static void add_products(MapSet *result, const MapSet *outer, const MapSet *inner)
{
    for (int i = 0; i < inner->count; i++) {
        for (int k = 0; k < outer->count; k++) {
            const Cql3Map map = cql3_compose(&outer->map[k], &inner->map[i]);
            add_map(result, &map);
        }
    }
}

static bool has(Cql3Sets sets, Keyword keyword)
{
    return sets >> (keyword - KEY_FLIPHORIZONTAL) & 1;
}

// The group that the named reflections generate.
static MapSet reflections(Cql3Sets sets)
{
    MapSet generators = only_identity(), group = only_identity();
    const bool all = has(sets, KEY_FLIP) || has(sets, KEY_FLIPDIHEDRAL);
    const struct {
        Keyword keyword;
        Cql3Map map;
    } named[] = {{KEY_FLIPHORIZONTAL, symmetry_map(MIRROR_RANKS)},
                 {KEY_FLIPVERTICAL, symmetry_map(MIRROR_FILES)},
                 {KEY_FLIPDIAGONAL, symmetry_map(EXCHANGE_FILES_AND_RANKS)},
                 {KEY_FLIPOFFDIAGONAL, symmetry_map(EXCHANGE_FILES_AND_RANKS | MIRROR_FILES | MIRROR_RANKS)}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (all || has(sets, named[i].keyword))
            add_map(&generators, &named[i].map);
    for (int i = 0; i < group.count; i++) { // the group grows while it is walked
        for (int k = 0; k < generators.count; k++) {
            const Cql3Map map = cql3_compose(&generators.map[k], &group.map[i]);
            add_map(&group, &map);
        }
    }
    free_set(&generators);
    return group;
}

// One shift set: shifts by k times (files, ranks), 0 <= k <= 7, both ways.
static void add_shifts(MapSet *set, int files, int ranks)
{
    for (int k = 0; k <= 7; k++) {
        for (int sign = 1; sign >= -1; sign -= 2) {
            const Cql3Map map = shift_map(sign * k * files, sign * k * ranks);
            add_map(set, &map);
        }
    }
}

static MapSet shifts_of(Keyword keyword)
{
    MapSet set = {0};
    const bool both = keyword == KEY_SHIFTDIAGONAL;
    if (keyword == KEY_SHIFTHORIZONTAL)
        add_shifts(&set, 1, 0);
    if (keyword == KEY_SHIFTVERTICAL)
        add_shifts(&set, 0, 1);
    if (keyword == KEY_SHIFTMAINDIAGONAL || both)
        add_shifts(&set, 1, 1);
    if (keyword == KEY_SHIFTOFFDIAGONAL || both)
        add_shifts(&set, 1, -1);
    return set;
}

// The compositions of one member of each named shift set.
static MapSet shifts(Cql3Sets sets)
{
    static const Keyword order[] = {KEY_SHIFTHORIZONTAL,   KEY_SHIFTVERTICAL,    KEY_SHIFT,        KEY_SHIFT,
                                    KEY_SHIFTMAINDIAGONAL, KEY_SHIFTOFFDIAGONAL, KEY_SHIFTDIAGONAL};
    MapSet all = only_identity();
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!has(sets, order[i]))
            continue;
        // `shift` is a horizontal shift and then a vertical one.
        const Keyword part = order[i] != KEY_SHIFT ? order[i]
                             : i == 2              ? KEY_SHIFTHORIZONTAL
                                                   : KEY_SHIFTVERTICAL;
        MapSet next = {0}, set = shifts_of(part);
        add_products(&next, &set, &all);
        free_set(&set);
        free_set(&all);
        all = next;
    }
    return all;
}

Cql3Maps cql3_maps(Arena *arena, Cql3Sets sets)
{
    MapSet d = reflections(sets), s = shifts(sets), all = only_identity();
    add_products(&all, &s, &d);
    add_products(&all, &d, &s);
    if (has(sets, KEY_FLIPCOLOR)) {
        Cql3Map flip = symmetry_map(MIRROR_RANKS);
        flip.colours = true;
        for (int i = 0, count = all.count; i < count; i++) {
            const Cql3Map map = cql3_compose(&flip, &all.map[i]);
            add_map(&all, &map);
        }
    }
    Cql3Maps maps = {arena_alloc(arena, (size_t)all.count * sizeof *maps.map), all.count};
    memcpy(maps.map, all.map, (size_t)all.count * sizeof *maps.map);
    free_set(&all);
    free_set(&d);
    free_set(&s);
    return maps;
}
