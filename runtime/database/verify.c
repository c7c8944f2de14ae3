// Checks a whole database.
#include "columns.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"

typedef struct Verifier {
    void (*report)(void *user, const char *message);
    void *user;
    int64_t faults;
    Buffer clocks; // of a game
} Verifier;

static void report_fault(Verifier *v, char *message)
{
    v->faults++;
    v->report(v->user, message);
    free(message);
}

static int integrity_row(void *user, int columns, char **value, char **names)
{
    (void)names;
    if (columns > 0 && value[0] && strcmp(value[0], "ok") != 0)
        report_fault(user, memory_format("SQLite: %s", value[0]));
    return 0;
}

static bool clocks_are_right(Verifier *v, const StoredGame *stored, const Game *game)
{
    v->clocks.length = 0;
    game_keep_clocks(game);
    game_pack_clocks(game, &v->clocks);
    return text_equal((Text){v->clocks.start, v->clocks.length}, stored->clocks);
}

static void verify_game(Verifier *v, const StoredGame *stored, Game *game, Buffer *text)
{
    text->length = 0;
    if (!chunk_game_text(stored, game, text)) {
        report_fault(
            v, memory_format("game %lld: its moves or its text are damaged", (long long)stored->tags.number));
        return;
    }
    if (stored->flags & STORED_RAW)
        return;
    GameText source = stored->tags;
    source.text = (Text){text->start, text->length};
    game_parse(game, &source, PARSE_CLOCKS, NULL, NULL);
    bool same = (uint32_t)game->ply_count == stored->ply_count && game->view.result == stored->result;
    for (uint32_t i = 0; same && i < stored->ply_count; i++)
        same = word_of(game->view.node[i + 1].move) == stored->word[i * stored->stride];
    if (!same) {
        report_fault(v, memory_format("game %lld: its moves are not those of its text",
                                      (long long)stored->tags.number));
        return;
    }
    if (stored->clocks_known && !clocks_are_right(v, stored, game))
        report_fault(v, memory_format("game %lld: its clocks are not those of its text",
                                      (long long)stored->tags.number));
    MainLine line;
    game_main_line(game, &line);
    const GameEntry facts = chunk_facts(game, &line);
    if ((stored->flags & ~(STORED_VARIATIONS | STORED_NOTES | STORED_CLOCK_CODES)) != facts.flags ||
        stored->special != facts.special || memcmp(stored->men, facts.men, sizeof facts.men) != 0)
        report_fault(
            v, memory_format("game %lld: what its index says is not so", (long long)stored->tags.number));
}

int64_t database_verify(Database *d, void (*report)(void *user, const char *message), void *user)
{
    Verifier v = {.report = report, .user = user};
    Buffer text = {0};
    Chunk chunk = {0};
    ChunkColumns columns = {0};
    Game game;
    game_init(&game);
    if (sqlite3_exec(d->sql, "PRAGMA integrity_check", integrity_row, &v, NULL) != SQLITE_OK)
        report_fault(&v, memory_format("SQLite: %s", sqlite3_errmsg(d->sql)));
    DatabaseInfo info;
    if (!database_info(d, &info)) // a table is missing, or another program has changed it
        report_fault(
            &v, memory_format("the tables for other programs cannot be read: %s", sqlite3_errmsg(d->sql)));
    for (int64_t i = 0; i < d->chunks; i++) {
        char *message;
        if (!database_read_chunk(d, i, CHUNK_ALL, &chunk, &message)) {
            report_fault(&v, message);
            continue;
        }
        if (!database_read_columns(d, i, (1u << STORED_COLUMNS) - 1, &columns))
            report_fault(&v, memory_format("chunk %lld is damaged: its columns", (long long)i + 1));
        for (size_t k = 0; k < chunk.count; k++)
            verify_game(&v, chunk_game(&chunk, k), &game, &text);
    }
    chunk_free(&chunk);
    for (int column = COLUMN_BLACK; column <= COLUMN_SITE; column++) {
        NameList names = {0};
        if (!database_names(d, column, &names))
            report_fault(
                &v, memory_format("the names in the columns are damaged: %s", stored_column_names[column]));
        name_list_free(&names);
    }
    chunk_columns_free(&columns);
    game_free(&game);
    buffer_free(&text);
    buffer_free(&v.clocks);
    return v.faults;
}
