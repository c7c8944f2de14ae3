// A search that evaluates no query: it shows each game to SearchSink.visit.
#ifndef CQL_SEARCH_VISITS_H
#define CQL_SEARCH_VISITS_H

#include "runtime/database/database.h"
#include "inputs.h"

// A game of a PGN file (`source`) or of a database (`stored`); neither: it is in a chunk that is damaged, which was reported.
typedef struct VisitedGame {
    const InputBlock *block;
    int64_t number; // in all inputs, from 1
    const GameText *source;
    const StoredGame *stored;
    Game *game;     // after visit_tags
    GameText whole; // its text, after visit_text; of a stored game after visit_tags its tags alone
    // after visit_moves: the moves, `stride` apart
    const MoveWord *word;
    size_t stride, count;
    int result;    // RESULT_, by the moves
    bool readable; // no move is left out
    Buffer names;  // for the use of the visitor
    // for the use of visits.c
    Buffer amended, scratch;
    struct Worker *worker;
    GameLine line;
    MoveWord *words;
    size_t words_capacity;
} VisitedGame;

// Read parts of the game. False when it is damaged, which is reported.
bool visit_tags(VisitedGame *v);
bool visit_text(VisitedGame *v);

// Its moves are stored: they are read without its tags.
bool visit_has_stored_moves(const VisitedGame *v);

// Reads the moves; unless they are stored, after the tags.
void visit_moves(VisitedGame *v);

// Puts them side by side: `stride` is 1.
void visit_pack_moves(VisitedGame *v);

// The text after its tags, when it was read.
Text visit_movetext(const VisitedGame *v);

// Show the games of the block's chunk, or all games of a block of PGN. For worker.c.
struct Block;
void visits_of_chunk(struct Worker *w, struct Block *block);
void visits_of_games(struct Worker *w, struct Block *block);
void visits_free(VisitedGame *v);

#endif
