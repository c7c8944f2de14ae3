// The explorer: which moves were played in a position, how often, and how they scored.
//
// A table has a position and those that moves lead to from there, each once, whatever the order of the moves. Tables are partial
// results: those of threads are added to one. Their numbers are sums, so they do not depend on the order of the games.
#ifndef CQL_FORMAT_EXPLORER_H
#define CQL_FORMAT_EXPLORER_H

#include "runtime/chess/chess.h"
#include "runtime/chess/word.h"
#include "runtime/game/game.h"
#include "runtime/value/buffer.h"

enum { EXPLORER_PLIES = 12, EXPLORER_BEST = 3 };

// What is known of a game.
typedef struct ExplorerFacts {
    int64_t number;
    int32_t rating[2]; // by colour, 0: none
    int32_t year;      // 0: unknown
    int32_t result;    // RESULT_
} ExplorerFacts;

typedef enum ExplorerTag {
    EXPLORER_WHITE,
    EXPLORER_BLACK,
    EXPLORER_EVENT,
    EXPLORER_LINK,
    EXPLORER_TAGS
} ExplorerTag;

// One of the best-known games of a position: those with the highest average rating.
typedef struct ExplorerGame {
    ExplorerFacts facts;
    bool moves;               // a move follows the position:
    MoveWord word;            // this one
    char *tag[EXPLORER_TAGS]; // UTF-8
} ExplorerGame;

// A game to be added.
typedef struct ExplorerSource {
    ExplorerFacts facts;
    const Game *(*tags)(void *user); // its tags, of the best-known games only; NULL: they are damaged
    void *user;
} ExplorerSource;

typedef struct ExplorerNumbers {
    int64_t games, white, draws, black;
    int64_t rated, ratings;        // games with a rating of the side to move, and the sum of these
    int64_t opposed, opponents;    // games with a result and a rating of the opponent, and the sum of these
    int64_t half_points;           // of the side to move in them
    int32_t first_year, last_year; // 0: none is known
} ExplorerNumbers;

typedef struct ExplorerMove {
    MoveWord word;
    int32_t next; // move of the same position, -1: none
    int32_t node; // the position after it, -1: beyond the depth of the table
    int64_t last; // number of the last game that was counted
    ExplorerNumbers numbers;
} ExplorerMove;

typedef struct ExplorerNode {
    Position position; // with an en passant square only where a capture is legal
    int32_t move;      // the first one
    int64_t last;
    ExplorerNumbers numbers;
    ExplorerGame best[EXPLORER_BEST]; // the best first
    int best_count;
} ExplorerNode;

// Node 0 is the position that is explored.
typedef struct ExplorerTable {
    int plies;     // the depth
    int fullmove;  // the number of the next move
    int64_t least; // moves with fewer games are not written
    ExplorerNode *node;
    size_t node_count, node_capacity;
    ExplorerMove *move;
    size_t move_count, move_capacity;
    uint32_t *slot; // 1 + node, by key; 0: free
    size_t slots;
} ExplorerTable;

// The same position with an en passant square only where a capture is legal: equal for positions in which the same moves are
// possible.
Position explorer_position(const Position *p);

// Begins a table of a position, which pos_read reads. NULL, or what is wrong at text[*fault], and there is no table.
const char *explorer_init(ExplorerTable *t, const char *text, int plies, size_t *fault);
void explorer_begin(ExplorerTable *t, const Position *position, int fullmove, int plies);
void explorer_free(ExplorerTable *t);

// Adds an occurrence of the position in a game; `count` words of the moves that followed are `stride` apart. Occurrences of a
// game are added one after the other: it counts once for each position and each move.
void explorer_add(ExplorerTable *t, const ExplorerSource *game, const MoveWord *word, size_t stride,
                  size_t count);

// Adds another table of the same position and depth, which gives up its texts.
void explorer_add_all(ExplorerTable *t, ExplorerTable *other);

// ---- writing ----------------------------------------------------------------------------------------------

typedef enum ExplorerFormat { EXPLORER_TEXT, EXPLORER_JSON, EXPLORER_HTML } ExplorerFormat;

// Writes the table (docs/command-line.md, The explorer).
void explorer_write(Buffer *out, ExplorerFormat format, const ExplorerTable *t);
void explorer_write_html(Buffer *out, const ExplorerTable *t);

// What the numbers of a move say: the columns of its row, with the names that they have in JSON.
enum { EXPLORER_SHARE = 1, EXPLORER_RESULTS = 2, EXPLORER_SCORE = 5, EXPLORER_COLUMNS = 10 };
extern const char *const explorer_columns[EXPLORER_COLUMNS];

// Writes a column of a move by `side` in a position with `all` games: numbers, shares in percent. Results are numbers of
// games, or with `percent` shares. False when it has no value; `out` is then empty.
enum { EXPLORER_CELL = 40 };
bool explorer_cell(char out[EXPLORER_CELL], int column, const ExplorerNumbers *n, int64_t all, int side,
                   bool percent);

// The moves of a node that are written, the most frequent first; returns their number.
enum { EXPLORER_MOVES = 512 };
int explorer_moves(const ExplorerTable *t, const ExplorerNode *node,
                   const ExplorerMove *move[EXPLORER_MOVES]);

// The move of a word, with its number when it is White's or `numbered`.
int explorer_san(const ExplorerTable *t, const Position *p, MoveWord word, int ply, bool numbered,
                 char out[2 * SAN_MAX]);

// Writes a game on one line, without its address; `put` writes its tags.
void explorer_put_game(Buffer *out, const ExplorerTable *t, const ExplorerNode *node, int ply,
                       const ExplorerGame *g, void (*put)(Buffer *out, Text tag));

#endif
