// Transformation sets of CQL 3 and its edge rule (language reference 12.6).
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/chess/chess.h"

// ---- maps of the board ------------------------------------------------------------------------------------

// The edge rule: squares on the edge towards which a unit shift moves vanish; those on the opposite edge both stay
// and move.
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

// `inner` first.
static Cql3Map compose(const Cql3Map *outer, const Cql3Map *inner)
{
    Cql3Map map = {.colours = outer->colours != inner->colours,
                   .exchange = outer->exchange != inner->exchange};
    for (int s = 0; s < 64; s++)
        map.image[s] = cql3_map_squares(outer, inner->image[s]);
    return map;
}

// ---- sets of maps -----------------------------------------------------------------------------------------

// A set of maps in order of appearance.
typedef struct MapSet {
    Arena *arena;
    TextMap known; // the bytes of the maps
    const Cql3Map **map;
    int count;
} MapSet;

static void add_map(MapSet *set, const Cql3Map *map)
{
    if (text_map_find(&set->known, (const char *)map, sizeof *map) >= 0)
        return;
    const char *copy = arena_copy(set->arena, (const char *)map, sizeof *map);
    text_map_number(set->arena, &set->known, copy, sizeof *map, NULL);
    ARENA_PUSH(set->arena, set->map, set->count, (const Cql3Map *)copy);
}

static MapSet only_identity(Arena *arena)
{
    MapSet set = {.arena = arena};
    add_map(&set, cql3_identity());
    return set;
}

// All compositions, `inner` first.
static void add_products(MapSet *result, const MapSet *outer, const MapSet *inner)
{
    for (int i = 0; i < inner->count; i++) {
        for (int k = 0; k < outer->count; k++) {
            const Cql3Map map = compose(outer->map[k], inner->map[i]);
            add_map(result, &map);
        }
    }
}

static bool has(Cql3Sets sets, Keyword keyword)
{
    return sets >> (keyword - OP_CQL3_FLIPHORIZONTAL) & 1;
}

// The group that the named reflections generate.
static MapSet reflections(Arena *arena, Cql3Sets sets)
{
    MapSet generators = only_identity(arena), group = only_identity(arena);
    const bool all = has(sets, OP_CQL3_FLIP) || has(sets, OP_CQL3_FLIPDIHEDRAL);
    const struct {
        Keyword keyword;
        Cql3Map map;
    } named[] = {
        {OP_CQL3_FLIPHORIZONTAL, symmetry_map(MIRROR_RANKS)},
        {OP_CQL3_FLIPVERTICAL, symmetry_map(MIRROR_FILES)},
        {OP_CQL3_FLIPDIAGONAL, symmetry_map(EXCHANGE_FILES_AND_RANKS)},
        {OP_CQL3_FLIPOFFDIAGONAL, symmetry_map(EXCHANGE_FILES_AND_RANKS | MIRROR_FILES | MIRROR_RANKS)}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (all || has(sets, named[i].keyword))
            add_map(&generators, &named[i].map);
    for (int i = 0; i < group.count; i++) { // the group grows while it is walked
        for (int k = 0; k < generators.count; k++) {
            const Cql3Map map = compose(generators.map[k], group.map[i]);
            add_map(&group, &map);
        }
    }
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

// The compositions of one member of each named shift set. `shift` is a horizontal shift and then a vertical one.
static MapSet shifts(Arena *arena, Cql3Sets sets)
{
    static const struct {
        Keyword keyword;
        int files, ranks;
        bool down_too; // and the same to the right and down
    } steps[] = {{OP_CQL3_SHIFTHORIZONTAL, 1, 0, false},
                 {OP_CQL3_SHIFTVERTICAL, 0, 1, false},
                 {OP_CQL3_SHIFT, 1, 0, false},
                 {OP_CQL3_SHIFT, 0, 1, false},
                 {OP_CQL3_SHIFTMAINDIAGONAL, 1, 1, false},
                 {OP_CQL3_SHIFTOFFDIAGONAL, 1, -1, false},
                 {OP_CQL3_SHIFTDIAGONAL, 1, 1, true}};
    MapSet all = only_identity(arena);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (!has(sets, steps[i].keyword))
            continue;
        MapSet next = {.arena = arena}, set = next;
        add_shifts(&set, steps[i].files, steps[i].ranks);
        if (steps[i].down_too)
            add_shifts(&set, 1, -1);
        add_products(&next, &set, &all);
        all = next;
    }
    return all;
}

Cql3Maps cql3_maps(Arena *arena, Cql3Sets sets)
{
    Arena *work = arena_new();
    MapSet d = reflections(work, sets), s = shifts(work, sets), all = only_identity(work);
    add_products(&all, &s, &d);
    add_products(&all, &d, &s);
    if (has(sets, OP_CQL3_FLIPCOLOR)) {
        Cql3Map flip = symmetry_map(MIRROR_RANKS);
        flip.colours = true;
        for (int i = 0, count = all.count; i < count; i++) {
            const Cql3Map map = compose(&flip, all.map[i]);
            add_map(&all, &map);
        }
    }
    Cql3Maps maps = {arena_alloc(arena, (size_t)all.count * sizeof *maps.map), all.count};
    for (int i = 0; i < all.count; i++)
        maps.map[i] = *all.map[i];
    arena_free(work);
    return maps;
}

Cql3Maps cql3_compositions(Arena *arena, const Cql3Map *outer, Cql3Maps inner, Cql3Scope scope)
{
    Cql3Maps maps = {NULL, 0};
    TextMap known = {0};
    for (int i = 0; i < inner.count; i++) {
        Cql3Map map = {.colours = outer->colours != inner.map[i].colours,
                       .exchange = scope.directions && outer->exchange != inner.map[i].exchange};
        Bitboard key[65] = {(Bitboard)(map.colours | map.exchange << 1)};
        uint32_t count = 1;
        for (Bitboard rest = scope.squares; rest != 0; rest &= rest - 1) {
            const int s = __builtin_ctzll(rest);
            key[count++] = map.image[s] = cql3_map_squares(outer, inner.map[i].image[s]);
        }
        const uint32_t size = count * (uint32_t)sizeof *key;
        if (text_map_find(&known, (const char *)key, size) >= 0)
            continue;
        text_map_number(arena, &known, arena_copy(arena, (const char *)key, size), size, NULL);
        ARENA_PUSH(arena, maps.map, maps.count, map);
    }
    return maps;
}
