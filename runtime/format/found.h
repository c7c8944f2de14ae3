// What the search adds to a matching game, by position: the facts that all formats write.
#ifndef CQL_FORMAT_FOUND_H
#define CQL_FORMAT_FOUND_H

#include "format.h"

// Fills m->added and m->drop from the logs of `count` queries (language reference 10.3): equal comments once,
// joined by single spaces. `without_marks` leaves out comments that only mark a matching position and values
// of sort keys, for formats that have other places for them.
void found_comments(FormatMemory *m, const FoundGame *g, const Found *found, size_t count,
                    bool without_marks);

// The complete comment of a position: the original one, unless it is dropped, and the added one. Valid until
// the next call.
Text found_comment(FormatMemory *m, const FoundGame *g, int32_t id);

// Fills m->set_tag with the tags that the queries set, in the order of their setting.
void found_set_tags(FormatMemory *m, const Found *found, size_t count);

// Points m->tag to all tags of the game as written (game_written_tags), including those that queries set.
// They belong to the game and are valid until the next call.
void found_tags(FormatMemory *m, const FoundGame *g, const Found *found, size_t count);

// True when tag i of m->tag has the name of an earlier one: only a second rating can.
bool found_tag_repeats(const FormatMemory *m, size_t i);

// The value of a tag in m->tag, or an empty string.
Text found_tag(const FormatMemory *m, const char *name);

// Fills in the halfmove clocks in m->position.
void found_clocks(FormatMemory *m, const FoundGame *g);

// Writes the FEN of a position, with clocks; after found_clocks. Returns the length.
int found_fen(const FormatMemory *m, const FoundGame *g, int32_t id, char fen[FEN_MAX]);

// The squares of the queries' set filters at a matching position; empty instead of the whole board.
Bitboard found_squares(const FoundGame *g, int32_t id);

// The moves that the queries find at a matching position, as the positions after them, in the order of the game and at
// most `most`; returns their number.
int found_moves(const FoundGame *g, int32_t id, int32_t *move, int most);

// The number of the move that leads to a position (1 for the first two from the standard position).
int found_move_number(const FoundGame *g, int32_t id);

// Marks in m->position the positions that some query found and the moves that its move filters found; returns the
// number of these positions. After found_clocks.
int32_t found_mark_hits(FormatMemory *m, const FoundGame *g);

// Appends the value of a sort key, a string as `write_text` writes it, or `none`.
void found_sort_value(Buffer *out, const SortValue *value, void (*write_text)(Buffer *, Text),
                      const char *none);

#endif
