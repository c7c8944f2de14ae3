// Games in an SQLite database (docs/cqldb.md): imported from PGN, read again as PGN or as stored moves.
//
// The files, lowest first: chunk.c (games to blobs and back), database.c (the file), stream.c, import.c.
#ifndef CQL_DATABASE_H
#define CQL_DATABASE_H

#include <stdatomic.h>

#include "runtime/game/game.h"

// ---- chunks -----------------------------------------------------------------------------------------------

// StoredGame.flags
enum {
    STORED_START = 1,      // the game does not start from the standard position
    STORED_RAW = 2,        // its text is not packed and it has no moves: it is damaged, or very long
    STORED_VARIATIONS = 4, // the text has variations, or is not packed
    STORED_NOTES = 8,      // the text has comments or glyphs, or is not packed
};

// One game of a chunk. The memory belongs to the chunk.
typedef struct StoredGame {
    GameText tags;        // number, place in the PGN file, and the text of the tag section
    const MoveWord *word; // the main line
    uint32_t ply_count;
    uint8_t result, flags;
    Text text; // from the movetext on, packed unless STORED_RAW
} StoredGame;

// Some thousand games in a row. Zero-initialised.
typedef struct Chunk {
    StoredGame *game;
    size_t count;
    int64_t bytes; // of the games' texts
    void *memory[4];
} Chunk;

void chunk_free(Chunk *chunk);

// Appends the text of a game as it was in the PGN file, byte for byte. False when the stored game is damaged.
// `scratch` is a game for the use of this function.
bool chunk_game_text(const StoredGame *stored, Game *scratch, Buffer *out);

// ---- the file ---------------------------------------------------------------------------------------------

typedef struct Database Database;

typedef enum DatabaseMode { DATABASE_READ, DATABASE_APPEND, DATABASE_CREATE } DatabaseMode;

// What a file begins with (DATABASE_HEAD bytes are enough).
enum { DATABASE_HEAD = 72 };
bool database_is_head(const void *bytes, size_t length);

// DATABASE_CREATE needs a name that does not exist, or continues an import that was cut off. NULL and a message, to be
// freed, when the file is not a database that can be used. Any thread may use an open database.
Database *database_open(const char *name, DatabaseMode mode, char **message);
void database_close(Database *d);

// What a database contains.
typedef struct DatabaseInfo {
    int64_t games, plies, chunks, bytes; // bytes: of the games' texts
    int64_t players, events, sites, damaged;
    int64_t first_year, last_year; // 0: unknown
    int64_t file_bytes, move_bytes, tag_bytes, text_bytes;
} DatabaseInfo;
bool database_info(Database *d, DatabaseInfo *info);

int64_t database_chunk_count(const Database *d);
int64_t database_game_count(const Database *d);
// The number of games in a chunk that was there when the database was opened, and the bytes of their texts.
int64_t database_chunk_games(const Database *d, int64_t index);
int64_t database_chunk_bytes(const Database *d, int64_t index);

// Reads chunk `index`, from 0, into *chunk, which must be empty or freed. False and a message, to be freed, when it is
// damaged.
bool database_read_chunk(Database *d, int64_t index, Chunk *chunk, char **message);

// SQLite's own check, the checksums of all chunks, and each game: that its moves can be played and that its text can be
// made. Calls `report` for each fault. Returns the number of faults.
int64_t database_verify(Database *d, void (*report)(void *user, const char *message), void *user);

// ---- as PGN -----------------------------------------------------------------------------------------------

typedef struct DatabaseStream DatabaseStream;

// The texts of all games in order, with an empty line after each. NULL and a message, to be freed, when the file is
// not a database that can be used.
DatabaseStream *database_stream_open(const char *name, char **message);
void database_stream_close(DatabaseStream *s);

// Up to `size` bytes; 0 at the end, -1 there when something was damaged. Damaged chunks are left out.
int64_t database_stream_read(DatabaseStream *s, void *buffer, size_t size);

// The first damage, or NULL.
const char *database_stream_error(const DatabaseStream *s);

Database *database_stream_database(const DatabaseStream *s); // owned by the stream

// How much was read, 0 to 1.
double database_stream_part(const DatabaseStream *s);

// ---- import -----------------------------------------------------------------------------------------------

typedef struct ImportOptions {
    const char *source; // the name of the PGN file
    int threads;
    ReportFn *report; // of damage; called by one thread at a time, in order
    void *user;
    const atomic_int *stop; // ends the import after the games that are in work
    void (*progress)(void *user, int64_t games,
                     int64_t bytes); // after each chunk, with the sums of this file; or NULL
} ImportOptions;

// Announces the sources of an import. A database with games is an error unless `append` is set or its last import was
// cut off; then the sources that are complete are left alone. False and a message, to be freed.
bool database_begin_import(Database *d, const char *const *source, size_t count, bool append, char **message);

// A source that was announced and is not complete; *stored: how many of its games the database has.
bool database_source_wanted(Database *d, const char *source, int64_t *stored);

// Adds the games of a source that is wanted. Each chunk is stored at once, so that an import that was cut off
// continues with the first game that is missing. *games: how many were added. False and a message, to be freed, when
// the database cannot be written.
bool database_import(Database *d, PgnSplitter *splitter, const ImportOptions *options, int64_t *games,
                     char **message);

// After the last import: indexes for tags.
bool database_finish(Database *d, char **message);

#endif
