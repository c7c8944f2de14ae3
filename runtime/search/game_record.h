// What the search of a game leaves for one result: its part of the output, reports, messages. Threads, temporary files and other
// processes pass records on as bytes.
#ifndef CQL_SEARCH_GAME_RECORD_H
#define CQL_SEARCH_GAME_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/value/buffer.h"

typedef struct GameRecord {
    int64_t game; // its number
    bool matches;
    bool failed;      // a query has failed in it
    bool begins_line; // the messages begin with one that needs a line of its own
    size_t damage;    // bytes at the beginning of the reports: about damage of the game
    Buffer output, reports, messages;
    Buffer file;   // that the output goes to; empty: that of all games
    Buffer keys;   // those that sort games: the smallest bytes come first, then the smallest numbers of games
    Buffer totals; // of the part after this game (part_put_totals), where a limit may end the result
} GameRecord;

// Makes a record, which owns its texts, empty for a game.
void game_record_begin(GameRecord *record, int64_t game);
void game_record_free(GameRecord *record);

// Adds keys of a sort: what comes first has the smaller bytes (language reference 10.6).
void game_record_add_no_key(GameRecord *record);
void game_record_add_number(GameRecord *record, bool is_min, int32_t number);
void game_record_add_text(GameRecord *record, bool is_min, const char *text, size_t length);

// Appends the bytes of a record.
void game_record_put(Buffer *out, const GameRecord *record);

// Reads the record at *at and goes to its end. Its texts are parts of the bytes. False at the end, and where no record is.
bool game_record_get(const char **at, const char *end, GameRecord *record);

// The length of the record that begins with these bytes.
enum { GAME_RECORD_HEAD = 8 };
size_t game_record_size(const char head[GAME_RECORD_HEAD]);

#endif
