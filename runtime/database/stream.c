// The games of a database as PGN text.
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "database.h"

struct DatabaseStream {
    Database *database;
    int64_t next; // the chunk to read next
    Chunk chunk;
    size_t game; // of the chunk, to write next
    Game scratch;
    Buffer text;
    size_t given; // bytes of `text` that were read
    char *error;  // the first one
};

DatabaseStream *database_stream_open(const char *name, const atomic_int *stop, char **message)
{
    Database *database = database_open(name, DATABASE_READ, stop, message);
    if (!database)
        return NULL;
    DatabaseStream *s = memory_zeroed(1, sizeof *s);
    s->database = database;
    game_init(&s->scratch);
    return s;
}

void database_stream_close(DatabaseStream *s)
{
    chunk_free(&s->chunk);
    game_free(&s->scratch);
    buffer_free(&s->text);
    free(s->error);
    database_close(s->database);
    free(s);
}

static void fail(DatabaseStream *s, char *message)
{
    if (s->error)
        free(message);
    else
        s->error = message;
}

// The next chunk that can be read; false at the end.
static bool next_chunk(DatabaseStream *s)
{
    while (s->next < database_chunk_count(s->database)) {
        char *message;
        s->game = 0;
        if (database_read_chunk(s->database, s->next++, CHUNK_TAGS | CHUNK_TEXTS, &s->chunk, &message))
            return true;
        fail(s, message);
    }
    return false;
}

// Makes the text of the next game; false at the end.
static bool next_game(DatabaseStream *s)
{
    if (s->game == s->chunk.count && !next_chunk(s))
        return false;
    const StoredGame *stored = chunk_game(&s->chunk, s->game++);
    s->text.length = s->given = 0;
    if (!chunk_game_text(stored, &s->scratch, &s->text))
        fail(s, memory_format("game %lld is damaged", (long long)stored->tags.number));
    buffer_text(&s->text, "\n\n");
    return true;
}

int64_t database_stream_read(DatabaseStream *s, void *buffer, size_t size)
{
    size_t done = 0;
    while (done < size) {
        if (s->given == s->text.length && !next_game(s))
            break;
        const size_t left = s->text.length - s->given, count = left < size - done ? left : size - done;
        memcpy((char *)buffer + done, s->text.start + s->given, count);
        s->given += count;
        done += count;
    }
    return done > 0 ? (int64_t)done : s->error ? -1 : 0;
}

const char *database_stream_error(const DatabaseStream *s)
{
    return s->error;
}

double database_stream_part(const DatabaseStream *s)
{
    const int64_t all = database_chunk_count(s->database);
    return all > 0 ? (double)s->next / (double)all : 1;
}

Database *database_stream_database(const DatabaseStream *s)
{
    return s->database;
}
