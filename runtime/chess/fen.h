// FEN for the other files of this room.
#ifndef CQL_FEN_H
#define CQL_FEN_H

#include "variant.h"

// Reads a FEN; *at is left at what is wrong. NULL rules: those of chess; else kings, men and assumed rights are those of the
// variant, and p->check stays unknown.
const char *fen_read_fields(const char *text, const char *end, Position *p, FenClocks *clocks,
                            const VariantRules *rules, const char **at);

// Writes the placement field of Crazyhouse, with marks and pockets; returns its end.
char *fen_write_pockets(const Position *p, char *out);

#endif
