// All games of some inputs, shown one by one, several times: each time is a pass, in some threads.
#ifndef CQL_SEARCH_PASSES_H
#define CQL_SEARCH_PASSES_H

#include <pthread.h>

#include "runtime/database/database.h"
#include "inputs.h"

// Where the games of an input begin.
typedef struct InputGames {
    int64_t base; // games of the inputs before
    bool has_games;
} InputGames;

// What passes over the same inputs share.
typedef struct GameSource {
    SearchOptions options;
    Inputs inputs;       // owns the copies of pipes, of inputs_spool
    InputGames *input;   // by input
    size_t games;        // in all inputs, set by the first pass
    bool lost;           // games of a database could not be read
    bool failed;         // something could not be read
    const char *changed; // the name of an input that has changed since the first pass
} GameSource;

// A thread that reads games. The caller owns `user` buffers, which a block's games may fill: they are empty at its beginning.
typedef struct PassReader {
    struct GamePass *pass;
    Buffer names, keys, details; // for the use of `visit`; the last two are those of a block
    // the game, one of a PGN file or of a database; neither: it is damaged
    const GameText *source;
    const StoredGame *stored;
    Game game;      // after pass_read_tags
    GameText whole; // its text, after pass_read_text; of a stored game after pass_read_tags its tags alone
    const MoveWord *word; // after pass_read_moves: the moves, `stride` apart,
    size_t stride, count;
    int result;    // RESULT_
    bool readable; // no move is left out
    // in the use of the pass
    InputBlock block;
    Chunk chunk;
    size_t at; // in the chunk
    Game scratch;
    GameLine line;
    Buffer text, words;
} PassReader;

typedef struct GamePass {
    GameSource *from;
    void *user;
    unsigned parts;                            // CHUNK_: what is read of each chunk of a database at once
    bool first;                                // counts the games, and prints all messages about inputs
    void (*visit)(PassReader *r, size_t game); // game: its number in all inputs, from 0
    void (*end_block)(PassReader *r,
                      size_t first); // after the games of a block, of which this was the first; or NULL
    pthread_mutex_t output;          // for `visit` and `end_block`, which any thread calls
    // in the use of the pass
    pthread_mutex_t input;
    bool ended, cut;
    Inputs in;
} GamePass;

// Shows all games in some threads; in order with one. False when it was interrupted, or an input has changed.
bool pass_run(GamePass *p, int threads);

// Ends it after the games that are in work.
void pass_end(GamePass *p);

// The game is not as it was in the first pass.
void pass_note_change(PassReader *r);

// Read parts of the game. False when it is damaged, which is noted.
bool pass_read_tags(PassReader *r);
bool pass_read_text(PassReader *r);

// Its moves are stored: they are read without its tags.
bool pass_has_stored_moves(const PassReader *r);

// Reads the moves; unless they are stored, after the tags.
void pass_read_moves(PassReader *r);

// The text after its tags, when it was read.
Text pass_movetext(const PassReader *r);

#endif
