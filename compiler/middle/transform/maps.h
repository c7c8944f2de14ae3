// The maps of the board, of directions and of colours that transforms are made of (language
// reference 8.3, 8.5).
#ifndef CQL_TRANSFORM_MAPS_H
#define CQL_TRANSFORM_MAPS_H

#include "compiler/language/ast.h"

// One map: a symmetry, a shift or a rotation of directions. The identity has all parts 0.
typedef struct Map {
    int symmetry;     // bits as for bb_image
    bool colours;     // exchanges the colours
    int files, ranks; // shifts
    int turns;        // of `rotate45`: eighths, counterclockwise
} Map;

typedef struct MapList {
    Map *map;
    int count;
} MapList;

// The maps of a transform in list order (8.3), which may begin with the identity twice (11.6). In the arena.
MapList map_list(Arena *a, Op op, bool identity_twice);

bool map_is_identity(const Map *m);
// As `currenttransform` gives it, "" for the identity.
const char *map_name(Arena *a, const Map *m);
// As a reader of the query would say it: `flipcolor`, `shift a1 to c3`, map_identity_note.
const char *map_note(Arena *a, const Map *m);
extern const char map_identity_note[];

// The image of a mask; squares that leave the board are lost (8.5). A rotation of directions keeps the empty
// and the full mask; *undefined is set for any other.
Bitboard map_mask(const Map *m, Bitboard mask, bool *undefined);
// Symbols of a designator (SYMBOL_ bits, piece codes).
uint32_t map_pieces(const Map *m, uint32_t pieces);
DirectionSet map_directions(const Map *m, DirectionSet directions);
// Light and dark squares change places.
bool map_exchanges_light(const Map *m);

#endif
