// Main lines of games side by side, those of about equal length together: in chunks, and of games of PGN that are screened.
#ifndef CQL_DATABASE_LANES_H
#define CQL_DATABASE_LANES_H

#include "runtime/value/buffer.h"
#include "database.h"

// Puts the games that are not STORED_UNGROUPED in groups, the shortest first, and those of equal length in order. The first group
// is the one with empty lanes (-1). Returns the number of groups; *game, of *capacity elements, has LINE_LANES a group.
size_t lanes_make(const GameEntry *entry, size_t count, int32_t **game, size_t *capacity);

// Appends the words of the games in a group, side by side. `first`: where the words of each game begin.
void lanes_put(Buffer *out, const GameEntry *entry, const MoveWord *words, const size_t *first,
               const int32_t game[LINE_LANES]);

// Sets a group, whose words begin at *word, and goes to their end; false when fewer than that are left.
bool lanes_take(LineGroup *group, const GameEntry *entry, const int32_t game[LINE_LANES],
                const MoveWord **word, size_t *left);

#endif
