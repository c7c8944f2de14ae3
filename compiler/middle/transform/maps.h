// The maps of the board, of directions and of colours that transforms are made of (language
// reference 8.3, 8.5).
#ifndef CQL_TRANSFORM_MAPS_H
#define CQL_TRANSFORM_MAPS_H

#include "compiler/language/ast.h"

typedef enum MapKind { MAP_SYMMETRY, MAP_SHIFT, MAP_ROTATE45 } MapKind;

// One map. Symmetries are given by where (x,y) goes: first x and y are exchanged, then mirrored.
typedef struct Map {
    MapKind kind;
    bool exchange, mirror_x, mirror_y; // MAP_SYMMETRY
    bool colours;                      // exchanges the colours
    int files, ranks;                  // MAP_SHIFT
    int turns;                         // MAP_ROTATE45: eighths, counterclockwise
    const char *name;                  // as `currenttransform` gives it, "" for the identity
} Map;

typedef struct MapList {
    Map *map;
    int count;
} MapList;

// True for the transforms with maps: all but `notransform`.
bool transform_has_maps(Op op);

// The maps of a transform in list order (8.3). In the arena.
MapList transform_maps(Arena *a, Op op);

bool map_is_identity(const Map *m);

// The image of a mask; squares that leave the board are lost (8.5). MAP_ROTATE45 keeps the empty and the full
// mask; *undefined is set for any other.
Bitboard map_mask(const Map *m, Bitboard mask, bool *undefined);
// Symbols of a designator (SYMBOL_ bits, piece codes).
uint32_t map_pieces(const Map *m, uint32_t pieces);
DirectionSet map_directions(const Map *m, DirectionSet directions);
// Light and dark squares change places.
bool map_exchanges_light(const Map *m);

#endif
