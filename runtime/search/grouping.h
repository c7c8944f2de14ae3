// The groups of a worker's games (SearchOptions.count_by), and which games are in the sample (SearchOptions.sample).
// Internal to runtime/search.
#ifndef CQL_SEARCH_GROUPING_H
#define CQL_SEARCH_GROUPING_H

#include "evaluate.h"

typedef struct Grouping Grouping;
void grouping_free(Grouping *g);

// Whether a game whose tags were read is in the sample. It depends on the names of the players, the event and the site and on the
// date, which databases have as columns; where no player is known, also on the number of the game.
bool grouping_in_sample(Worker *w, const Game *game, int64_t number);

// Reads the columns of the block's chunk that groups and the sample need, and counts the games that are searched. False, after a
// report, when the sample cannot be known.
bool grouping_begin_chunk(Worker *w, Block *block);

// Whether game `i` of the chunk is left out by the sample.
bool grouping_leaves_out(const Worker *w, size_t i);

// Counts a game whose tags were read as searched.
void grouping_searched(Worker *w, const Game *game, const GameText *source);

// Adds a game that queries of result `r` have found.
void grouping_found(Worker *w, uint32_t r, const GameText *source, const Found *found, size_t count);

// The facts about a game that was found, or was counted without being read. With SearchOptions.explorer those that it counts.
GroupFacts grouping_facts(Worker *w, const GameText *source);

// The tags of a game of the block's chunk, whose moves may not have been read. NULL after damage, which is reported.
const Game *grouping_stored_tags(Worker *w, Block *block, size_t index);

// Counts the positions of a game that are among those of GroupSpec.among, whether or not the query has found it.
void grouping_among(Worker *w, uint32_t r, const GameText *source, const Found *found);

#endif
