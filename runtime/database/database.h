// Games in an SQLite database (docs/cqldb.md): imported from PGN, read again as PGN or as stored moves.
//
// The files, lowest first: checksum.h, lanes.c (games side by side), chunk.c (games to blobs and back), columns.c (numbers of games), names.c, rows.c,
// connection.c (what SQLite may do for a file), schema.c, database.c (the file), read.c (its chunks), stream.c, verify.c,
// import.c; spelling.c.
#ifndef CQL_DATABASE_H
#define CQL_DATABASE_H

#include <stdatomic.h>

#include "runtime/chess/variant.h"
#include "runtime/game/game.h"
#include "runtime/game/lines.h"

// ---- chunks -----------------------------------------------------------------------------------------------

// StoredGame.flags
enum {
    STORED_START = 1, // the game does not start from the standard position
    STORED_RAW =
        2, // its text is not packed and it has no moves: it is damaged, very long, or its result is 0-0
    STORED_VARIATIONS = 4,             // the text has variations, or is not packed
    STORED_NOTES = 8,                  // the text has comments or glyphs, or is not packed
    STORED_NULL = 16,                  // the main line has a null move
    STORED_MATE = LINE_MATE,           // the main line ends with checkmate,
    STORED_STALEMATE = LINE_STALEMATE, // or with stalemate
    STORED_VARIANT = 128,              // a tag Variant or Rules says something other than Standard
    STORED_CLOCK_CODES = 256,          // its packed text has comments as clocks, which are needed with it
};

// StoredGame.special: moves that the main line has.
enum {
    SPECIAL_WHITE_CASTLES_KING = 1,
    SPECIAL_WHITE_CASTLES_QUEEN = 2,
    SPECIAL_BLACK_CASTLES_KING = 4,
    SPECIAL_BLACK_CASTLES_QUEEN = 8,
    SPECIAL_WHITE_PROMOTES = 16,
    SPECIAL_BLACK_PROMOTES = 32,
    SPECIAL_EN_PASSANT = 64,
    SPECIAL_ALWAYS = 128,
};

// Games with these flags are in no group.
enum { STORED_UNGROUPED = STORED_START | STORED_RAW | STORED_NULL };

// One game of a chunk. The memory belongs to the chunk. The facts of a game that is STORED_RAW are not known: it has no
// STORED_NULL, STORED_MATE and STORED_STALEMATE.
typedef struct StoredGame {
    GameText tags;        // number; with CHUNK_TAGS the place in the PGN file and the text of the tag section
    Text text;            // with CHUNK_TEXTS: from the movetext on, packed unless STORED_RAW
    Text clocks;          // with CHUNK_CLOCKS: for game_unpack_clocks,
    const MoveWord *word; // the main line,
    uint32_t ply_count;
    uint16_t flags;
    uint8_t stride; // its words are so far apart: 1, or LINE_LANES for a game of a group
    uint8_t result;
    uint8_t special; // SPECIAL_ bits
    uint8_t men[2];  // of White and Black at the end of the main line; 0: not known
} StoredGame;

// What the index of a chunk says of a game: as in StoredGame.
typedef struct GameEntry {
    uint16_t ply_count, flags;
    uint8_t result, men[2], special;
} GameEntry;

// What can be read of a chunk. The lines are its games with all but their tags and texts.
// Texts come with clocks, which they need.
enum { CHUNK_LINES = 1, CHUNK_TAGS = 2, CHUNK_TEXTS = 4, CHUNK_CLOCKS = 8, CHUNK_ALL = 15 };

// Some thousand games in a row. Zero-initialised. Its memory is used again for the next chunk that is read into it.
typedef struct Chunk {
    int64_t index, first;   // in the database; the number of its first game
    const GameEntry *entry; // by game
    size_t count;
    StoredGame *game; // by game; made when chunk_game asks for one
    LineGroup *group; // the games that start from the standard position and have moves without null moves
    size_t group_count;
    int32_t *group_game; // LINE_LANES a group: indexes into `entry`; -1: no game
    int64_t bytes;       // of the games' texts
    unsigned parts;      // CHUNK_ bits: what was read
    struct ChunkMemory *memory;
} Chunk;

void chunk_free(Chunk *chunk);

// Game `i` of a chunk, valid until the next chunk is read into it.
const StoredGame *chunk_game(Chunk *chunk, size_t i);

// Appends the text of a game as it was in the PGN file, byte for byte. Needs its tags and its text. False when the
// stored game is damaged. `scratch` is a game for the use of this function.
bool chunk_game_text(const StoredGame *stored, Game *scratch, Buffer *out);

// ---- the file ---------------------------------------------------------------------------------------------

typedef struct Database Database;

typedef enum DatabaseMode { DATABASE_READ, DATABASE_APPEND, DATABASE_CREATE } DatabaseMode;

// What a file begins with (DATABASE_HEAD bytes are enough).
enum { DATABASE_HEAD = 72 };
bool database_is_head(const void *bytes, size_t length);

// From now on databases are mapped into memory: reading is faster, but a page beyond the end of a file that has become shorter
// raises SIGBUS. For programs that handle it, before they open a database.
void database_map_files(void);

// DATABASE_CREATE needs a name that does not exist, or continues an import that was cut off. NULL and a message, to be
// freed, when the file is not a database that can be used. Any thread may use a
// database that is open for reading.
// One process at a time may have it open for writing; another one gets a message. *stop, set by a signal, ends what SQLite
// does; NULL: nothing does.
Database *database_open(const char *name, DatabaseMode mode, const atomic_int *stop, char **message);

// Removes a file that is not a database, or has no games, unless another process writes to it.
void database_remove_empty(const char *name);
void database_close(Database *d);

// What a database contains.
typedef struct DatabaseInfo {
    int64_t games, plies, chunks, bytes; // bytes: of the games' texts
    int64_t players, events, sites, damaged;
    int64_t mates, stalemates;     // games that end so
    int64_t apart;                 // games in no LineGroup
    int64_t first_year, last_year; // 0: unknown
    int64_t file_bytes, move_bytes, tag_bytes, text_bytes;
} DatabaseInfo;
bool database_info(Database *d, DatabaseInfo *info);

// How many games there are of each variant of chess, by enum Variant, and last of unknown ones (language reference 16.1). Reads the
// tags of games that are STORED_VARIANT. False and a message, to be freed, when something cannot be read.
bool database_count_variants(Database *d, int64_t count[VARIANTS + 1], char **message);

int64_t database_chunk_count(const Database *d);
int64_t database_game_count(const Database *d);
// The number of games in a chunk that was there when the database was opened, and the bytes of their texts.
int64_t database_chunk_games(const Database *d, int64_t index);
int64_t database_chunk_bytes(const Database *d, int64_t index);

// A checksum of the checksums of all chunks: databases with other games have another one. Reads no games.
int64_t database_sum(Database *d);

// Reads the lines of chunk `index`, from 0, and of the other parts those that `parts` names. False and a message, to be
// freed, when one of them is damaged; the chunk then has no games.
bool database_read_chunk(Database *d, int64_t index, unsigned parts, Chunk *chunk, char **message);

// Adds tags, texts or clocks that were left out: for all games, or for one, which costs less. False and a message, to be freed,
// when they are damaged.
bool database_read_parts(Database *d, unsigned parts, Chunk *chunk, char **message);
bool database_read_game(Database *d, unsigned parts, Chunk *chunk, size_t game, char **message);

// ---- columns ----------------------------------------------------------------------------------------------

// What a search reads of the table game: the columns COLUMN_ in view.h.

// The values of COLUMN_RESULT: RESULT_, and bits. The others: ids of names; dates and openings as numbers; ratings, 0
// for none.
enum { RESULT_BITS = 3, RESULT_RAW = 4, RESULT_VARIANT = 8 }; // the game is STORED_RAW, STORED_VARIANT

typedef struct ChunkColumns {
    size_t count;                   // of games
    int32_t *value[STORED_COLUMNS]; // by game; none is negative
    size_t capacity[STORED_COLUMNS];
} ChunkColumns;

// Reads columns, bits 1 << COLUMN_, of chunk `index`, from 0. False when they are damaged. *c is zero-initialised and
// used again for the next chunk.
bool database_read_columns(Database *d, int64_t index, unsigned wanted, ChunkColumns *c);
void chunk_columns_free(ChunkColumns *c);

// The normal forms of a date and of an opening, whose length is returned.
void column_date(int32_t value, char date[11]);
size_t column_eco(int32_t value, char eco[6]);

typedef struct NamePlace {
    size_t start, length;
} NamePlace;

// The names of a table: place[id] in `text`. Ids without a name have the length 0.
typedef struct NameList {
    NamePlace *place;
    size_t count, place_capacity;
    Buffer text;
} NameList;

// Reads the names of a column of ids into an empty list. False when they are damaged.
bool database_names(Database *d, int column, NameList *l);

// Does STORED_VARIANT say which games have a tag Rules? Those of version 3 say nothing of it.
bool database_knows_rules(const Database *d);
void name_list_free(NameList *l);

// ---- verification -----------------------------------------------------------------------------------------

// SQLite's own check, the checksums of all chunks, and each game: that its moves can be played and that its text can be
// made. Calls `report` for each fault. Returns the number of faults.
int64_t database_verify(Database *d, void (*report)(void *user, const char *message), void *user);

// ---- as PGN -----------------------------------------------------------------------------------------------

typedef struct DatabaseStream DatabaseStream;

// The texts of all games in order, with an empty line after each. NULL and a message, to be freed, when the file is
// not a database that can be used. `stop`: as of database_open.
DatabaseStream *database_stream_open(const char *name, const atomic_int *stop, char **message);
void database_stream_close(DatabaseStream *s);

// Up to `size` bytes; 0 at the end, -1 there when something was damaged. Damaged chunks are left out.
int64_t database_stream_read(DatabaseStream *s, void *buffer, size_t size);

// The first damage, or NULL.
const char *database_stream_error(const DatabaseStream *s);

Database *database_stream_database(const DatabaseStream *s); // owned by the stream

// How much was read, 0 to 1.
double database_stream_part(const DatabaseStream *s);

// ---- import -----------------------------------------------------------------------------------------------

// Appends the text of a game with other tags to `out`, or returns false: it stays as it is. Called by any thread; `game` and `scratch`
// are for its use.
typedef bool AmendFn(void *user, const GameText *source, Game *game, Buffer *out, Buffer *scratch);

typedef struct ImportOptions {
    const char *source; // the name of the PGN file
    int threads;
    size_t game_memory; // bytes that a game may take, 0: any; one that needs more is reported and left out
    size_t
        name_memory; // about the bytes for names that are known, of which some are forgotten then; 0: no limit
    bool all_words;  // report each unknown word of a game, not only the first one
    ReportFn *report; // of damage; called by one thread at a time, in order
    ReportFn *note;   // of what is no damage, likewise; or NULL
    void *user;
    int64_t *cut_games,
        *ignored_words;              // what is left out, as in SearchTotals.cut and words, is added; or NULL
    const atomic_int *stop;          // ends the import after the games that are in work
    AmendFn *amend;                  // changes the text of games before they are stored; or NULL
    void *amend_user;
    int64_t *amended; // the number of games that it has changed is added; or NULL
    bool (*wanted)(
        void *user,
        int64_t number); // false: this game of the source is left out; by any thread. NULL: all are wanted
    // after a read error: the text may go further another time, so its incomplete last game is left out, and the source is
    // not complete
    bool (*cut)(void *user);
    void (*progress)(void *user, int64_t games,
                     int64_t bytes); // after each chunk, with the sums of this file; or NULL
} ImportOptions;

// Announces the sources of an import. A database with games is an error unless `append` is set or its last import was
// cut off; then the sources that are complete are left alone. False and a message, to be freed.
bool database_begin_import(Database *d, const char *const *source, size_t count, bool append, char **message);

// A source that was announced and is not complete is wanted; *stored: how many of its games the database has.
// SOURCE_UNKNOWN and a message, to be freed, when the database cannot be read.
typedef enum SourceState { SOURCE_NONE, SOURCE_WANTED, SOURCE_UNKNOWN } SourceState;
SourceState database_source(Database *d, const char *source, int64_t *stored, char **message);

// Adds the games of a source that is wanted. Chunks are stored twice a second, so that an import that was cut off
// continues with the first game that is missing. *games: how many were added. False and a message, to be freed, when
// the database cannot be written. *left_out: how many needed more than options->game_memory.
bool database_import(Database *d, PgnSplitter *splitter, const ImportOptions *options, int64_t *games,
                     int64_t *left_out, char **message);

#endif
