// What the search adds to a game that was found, by position: the facts behind all formats.
#ifndef CQL_SEARCH_FOUND_H
#define CQL_SEARCH_FOUND_H

#include "format.h"

// Fills m->added and m->drop from the logs of `count` queries (language reference 10.3): equal texts once,
// joined by single spaces. With `without_marks` the comments are left out that only mark a matching position,
// and the values of the sort keys: for formats that have other places for them.
void found_comments(FormatMemory *m, const FoundGame *g, const Found *found, size_t count,
                    bool without_marks);

// The complete comment of a position: the original one, unless it is dropped, and what is added. In
// m->comment, valid until the next call.
Text found_comment(FormatMemory *m, const FoundGame *g, int32_t id);

// Fills m->set_tag with the tags that the queries set, in the order of their setting.
void found_set_tags(FormatMemory *m, const Found *found, size_t count);

// Points m->tag to all tags of the game as they are written (game_written_tags), those that were set
// included. They are the game's, valid until the next call.
void found_tags(FormatMemory *m, const FoundGame *g, const Found *found, size_t count);

// Whether tag i of m->tag has the name of an earlier one: only a rating beyond the first can.
bool found_tag_repeats(const FormatMemory *m, size_t i);

// The value of a tag in m->tag, or an empty text.
Text found_tag(const FormatMemory *m, const char *name);

// Fills m->halfmove.
void found_clocks(FormatMemory *m, const FoundGame *g);

// Writes the FEN of a position, with clocks; m->halfmove must be filled. Returns the length.
int found_fen(const FormatMemory *m, const FoundGame *g, int32_t id, char fen[FEN_MAX]);

// The squares that the queries' set filters stand for at a matching position; empty when that is the whole
// board.
Bitboard found_squares(const FoundGame *g, int32_t id);

// The number of the move that leads to a position (1 for the first two of a game from the array).
int found_move_number(const FoundGame *g, int32_t id);

#endif
