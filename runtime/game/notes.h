// Comments of a game while it is read. Internal to runtime/game.
//
// A position may have several comments, some of them after its variations. All are kept, joined by spaces. Each is copied once: until
// the game is read, such a comment is a list of its parts, {NULL, number of its last part in GameMemory.part, from 1}.
#ifndef CQL_GAME_NOTES_H
#define CQL_GAME_NOTES_H

#include "game_memory.h"

// The text of a comment, without its braces, in its normal form: white space is folded and trimmed, inner braces become '_'. Copies
// only what changes.
Text notes_normal(struct GameMemory *m, const char *p, const char *end);

// Adds a comment, which is not empty, to the comment of a position.
void notes_add(struct GameMemory *m, Text *comment, Text more);

// Makes texts of the parts in the first `count` elements of m->note, and UTF-8 of those that are not; they are read from `movetext`.
void notes_finish(struct GameMemory *m, size_t count, Text movetext);

#endif
