// Blobs of databases byte by byte, and each message about blobs that are damaged though their checksums are right (docs/cqldb.md).
#include "database_fixture.h"

#include <zstd.h>

#include "runtime/database/checksum.h"
#include "runtime/database/chunk.h"
#include "runtime/game/game.h"

// ---- blobs ------------------------------------------------------------------------------------------------

// The bytes of hexadecimal digits, between which may be spaces.
static Buffer bytes_of(const char *digits)
{
    Buffer out = {0};
    buffer_append(&out, "", 1); // so that there is a start
    for (out.length = 0; *(digits += strspn(digits, " ")); digits += 2) {
        unsigned byte;
        assert_int_equal(sscanf(digits, "%2x", &byte), 1);
        buffer_append(&out, &(char){(char)byte}, 1);
    }
    return out;
}

// Puts a blob, with its checksum, into each row of a table.
static void set_blob(const char *name, const char *table, const char *column, const char *sum, Buffer bytes)
{
    sqlite3 *sql = open_sql(name);
    sqlite3_stmt *s;
    char statement[100];
    snprintf(statement, sizeof statement, "UPDATE %s SET %s = ?, %s = ?", table, column, sum);
    assert_int_equal(sqlite3_prepare_v2(sql, statement, -1, &s, NULL), SQLITE_OK);
    sqlite3_bind_blob(s, 1, bytes.start, (int)bytes.length, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, checksum_of(bytes.start, bytes.length));
    assert_int_equal(sqlite3_step(s), SQLITE_DONE);
    sqlite3_finalize(s);
    sqlite3_close(sql);
}

static Buffer get_blob(const char *name, const char *table, const char *column)
{
    char statement[100];
    snprintf(statement, sizeof statement, "SELECT hex(%s) FROM %s", column, table);
    char *digits = rows_of(name, statement);
    digits[strlen(digits) - 1] = '\0';
    const Buffer bytes = bytes_of(digits);
    free(digits);
    return bytes;
}

// A blob of one slice, which says that it has `more_stored` and `more_expanded` bytes more than it has.
static Buffer slice_of(const char *digits, int more_stored, int more_expanded)
{
    Buffer raw = bytes_of(digits), out = {0};
    char frame[1000];
    const size_t length = ZSTD_compress(frame, sizeof frame, raw.start, raw.length, 1);
    const size_t stored = length + (size_t)more_stored, expanded = raw.length + (size_t)more_expanded;
    assert_true(!ZSTD_isError(length) && stored < 128 && expanded < 128); // numbers of a byte
    buffer_append(&out, (char[]){(char)stored, (char)expanded}, 2);
    buffer_append(&out, frame, length);
    buffer_free(&raw);
    return out;
}

static uint64_t number_at(const Buffer *b, size_t *at)
{
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        const unsigned char byte = (unsigned char)b->start[(*at)++];
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
}

// What `slices` slices of a blob contain, as hexadecimal digits, each slice in a line; until the next call.
static const char *expanded(const char *name, const char *table, const char *column, size_t slices)
{
    static char out[10000];
    Buffer blob = get_blob(name, table, column);
    size_t at = 0, length[20][2], used = 0;
    for (size_t i = 0; i < slices; i++) {
        length[i][0] = number_at(&blob, &at);
        length[i][1] = number_at(&blob, &at);
    }
    for (size_t i = 0; i < slices; i++) {
        unsigned char text[2000];
        assert_int_equal(ZSTD_decompress(text, sizeof text, blob.start + at, length[i][0]), length[i][1]);
        at += length[i][0];
        for (size_t k = 0; k < length[i][1]; k++)
            used += (size_t)sprintf(out + used, "%02X", text[k]);
        used += (size_t)sprintf(out + used, "\n");
    }
    assert_int_equal(at, blob.length);
    buffer_free(&blob);
    return out;
}

// ---- what is said -----------------------------------------------------------------------------------------

static void keep_fault(void *user, const char *message)
{
    Buffer *out = user;
    buffer_text(out, out->length > 0 ? "\n" : "");
    buffer_text(out, message);
}

// The lines that `verify` prints, or what is said when the database cannot be opened.
static void expect_faults(const char *name, const char *expected)
{
    char *message = NULL;
    Buffer out = {0};
    Database *d = database_open(name, DATABASE_READ, NULL, &message);
    if (!d) {
        assert_string_equal(message + strlen(name) + 2, expected);
        free(message);
        return;
    }
    const int64_t faults = database_verify(d, keep_fault, &out);
    database_close(d);
    buffer_append(&out, "", 1);
    assert_string_equal(out.start, expected);
    int64_t lines = *expected != '\0';
    for (const char *p = expected; *p; p++)
        lines += *p == '\n';
    assert_int_equal(faults, lines);
    buffer_free(&out);
}

#define NOT_FIT "chunk 1 is damaged: its parts do not fit together"
#define NOT_FIT_ROW "chunk 1 is damaged: its numbers do not fit together"
#define SUMS "chunk 1: the sums of its games' plies and bytes are wrong"
#define BAD_PARTS "chunk 1 is damaged: its compressed parts are damaged"
#define GAME_1_MOVES "game 1: its moves or its text are damaged"
#define GAME_1_OTHERS "game 1: its moves are not those of its text"
#define GAME_2_OTHERS "game 2: its moves are not those of its text"
#define GAME_1_INDEX "game 1: what its index says is not so"
#define GAME_2_INDEX "game 2: what its index says is not so"
#define GAME_1_COLUMNS "game 1: its columns are not those of its tags and moves"
#define GAME_2_COLUMNS "game 2: its columns are not those of its tags and moves"
#define GAME_1_ROW "game 1: its row in the table game is not that of its moves"

static const char two_games[] = "1. e4 e5 *\n\n1. d4 *\n";

// The words of two moves and of one move, which lie in the last of eight lanes.
#define INDEX "0200 0000 00 10 10 80  0100 0000 00 10 10 80"
#define LANES_6 "0000 0000 0000 0000 0000 0000 "
#define LANES_7 "0000 " LANES_6
#define E4 "0C17 "
#define E5 "3419 "
#define D4 "CB16 "
#define MOVES LANES_6 D4 E4 LANES_7 E5

static void test_blobs(void **state)
{
    (void)state;
    const char *const name = make("games.cqldb", two_games);
    expect_rows(name, "SELECT hex(games), hex(moves) FROM chunk",
                "02000000001010800100000000101080|"
                "000000000000000000000000CB160C1700000000000000000000000000003419\n");
    // "1. " and a move, " " and a move, " *"; "1. " and a move, " *"
    assert_string_equal(expanded(name, "chunk", "texts", 1), "040502202A0305202A\n");
    // line 1, byte 0, no tags; line 3, byte 12, no tags
    assert_string_equal(expanded(name, "chunk", "tags", 1), "010000030C00\n");
    expect_rows(name, "SELECT length(clocks) FROM clocks", "0\n");
    expect_faults(name, "");
    // games without moves come before the others
    const char *const short_games = make("games.cqldb", "1. e4 *\n\n*\n\n1. d4 *\n\n*\n");
    expect_rows(short_games, "SELECT hex(moves) FROM chunk", "0000000000000000000000000C17CB16\n");
    expect_faults(short_games, "");
}

static void test_damaged_index(void **state)
{
    (void)state;
    static const struct {
        const char *index, *moves, *faults;
    } row[] = {
        {INDEX, MOVES, ""},
        {"", MOVES, NOT_FIT_ROW},
        {"0200 0000 00 10 10 80", MOVES, NOT_FIT_ROW},
        {INDEX "00", MOVES, NOT_FIT_ROW},
        {INDEX "0000 0000 00 10 10 80", MOVES, NOT_FIT_ROW},
        // numbers of plies
        {"0100 0000 00 10 10 80  0100 0000 00 10 10 80", MOVES, NOT_FIT},
        {"0300 0000 00 10 10 80  0100 0000 00 10 10 80", MOVES, NOT_FIT},
        // game 1 has a null move after d4 then, and game 2 has e4 and e5, of which its text has one
        {"0200 0000 00 10 10 80  0200 0000 00 10 10 80", MOVES, GAME_1_INDEX "\n" GAME_2_OTHERS},
        // words
        {INDEX, MOVES "00", NOT_FIT},
        {INDEX, MOVES "0000", NOT_FIT},
        {INDEX, LANES_6 D4 E4 LANES_7, NOT_FIT},
        {INDEX, LANES_6 D4 E4 LANES_7 "34", NOT_FIT},
        {INDEX, "", NOT_FIT},
        {INDEX, LANES_6 D4 "0C19" LANES_7 E5, GAME_1_OTHERS}, // e2e5: 1. e5
        {INDEX, LANES_6 D4 E4 LANES_7 E4, GAME_1_MOVES},
        // results
        {"0200 0000 01 10 10 80  0100 0000 00 10 10 80", MOVES, GAME_1_OTHERS},
        {"0200 0000 00 10 10 80  0100 0000 03 10 10 80", MOVES, GAME_2_OTHERS},
        {"0200 0000 00 10 10 80  0100 0000 04 10 10 80", MOVES, NOT_FIT},
        {"0200 0000 FF 10 10 80  0100 0000 00 10 10 80", MOVES, NOT_FIT},
        // variations and comments; the other flags
        {"0200 0400 00 10 10 80  0100 0800 00 10 10 80", MOVES, GAME_1_INDEX "\n" GAME_2_INDEX},
        {"0200 2000 00 10 10 80  0100 0000 00 10 10 80", MOVES, GAME_1_INDEX},
        {"0200 0000 00 10 10 80  0100 4000 00 10 10 80", MOVES, GAME_2_INDEX},
        {"0200 8000 00 10 10 80  0100 8000 00 10 10 80", MOVES, GAME_1_INDEX "\n" GAME_2_INDEX},
        // another start: the words of the game lie apart
        {"0200 0000 00 10 10 80  0100 0100 00 10 10 80", LANES_7 E4 LANES_7 E5 D4, GAME_2_INDEX},
        {"0200 0000 00 10 10 80  0100 0100 00 10 10 80", LANES_7 E4 LANES_7 E5, NOT_FIT},
        {"0200 0000 00 10 10 80  0100 0100 00 10 10 80", LANES_7 E4 LANES_7 E5 D4 D4, NOT_FIT},
        {"0200 1000 00 10 10 80  0100 1000 00 10 10 80", E4 E5 D4, GAME_1_INDEX "\n" GAME_2_INDEX},
        {"0200 1000 00 10 10 80  0100 1000 00 10 10 80", E4 E5, NOT_FIT},
        // text as it is, in which there may be anything
        {"0200 0000 00 10 10 80  0000 0200 00 00 00 00", LANES_7 E4 LANES_7 E5, GAME_2_INDEX},
        {"0200 0000 00 10 10 80  0100 0200 00 10 10 80", LANES_7 E4 LANES_7 E5 D4, NOT_FIT},
        // men and special moves
        {"0200 0000 00 0F 10 80  0100 0000 00 10 10 80", MOVES, GAME_1_INDEX},
        {"0200 0000 00 10 10 80  0100 0000 00 10 11 80", MOVES, GAME_2_INDEX},
        {"0200 0000 00 10 10 81  0100 0000 00 10 10 80", MOVES, GAME_1_INDEX},
        {"0200 0000 00 10 10 80  0100 0000 00 10 10 00", MOVES, GAME_2_INDEX},
    };
    const char *const name = make("games.cqldb", two_games);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Buffer index = bytes_of(row[i].index), moves = bytes_of(row[i].moves);
        set_blob(name, "chunk", "games", "games_sum", index);
        set_blob(name, "chunk", "moves", "moves_sum", moves);
        expect_faults(name, row[i].faults);
        buffer_free(&index);
        buffer_free(&moves);
    }
}

static void test_damaged_texts(void **state)
{
    (void)state;
    static const struct {
        const char *texts;
        int more_stored, more_expanded;
        const char *faults;
    } row[] = {
        {"04 0502202A  03 05202A", 0, 0, ""},
        {"04 0502202A  00", 0, 0, GAME_2_OTHERS},                   // no moves
        {"04 0502202A  06 0764342020 2A", 0, 0, SUMS},              // "d4  *" in its own spelling
        {"04 0502202A  05 076334202A", 0, 0, GAME_2_OTHERS},        // "c4 *"
        {"08 0520 07 6434202A 20  03 05202A", 0, 0, GAME_1_OTHERS}, // "1. e4 d4 *": an illegal move
        {"07 0520 07 6435 202A  03 05202A", 0, 0, GAME_1_OTHERS},   // "1. e4 d5 *"
        {"07 0520 07 6535 202A  03 05202A", 0, 0, ""},              // "1. e4 e5 *"
        {"05 050202202A  03 05202A", 0, 0, GAME_1_MOVES},           // three moves
        {"03 05202A  03 05202A", 0, 0, GAME_1_OTHERS},              // one move
        {"06 050220312D30  03 05202A", 0, 0, GAME_1_OTHERS},        // 1-0
        {"05 050220082A  03 05202A", 0, 0, GAME_1_INDEX}, // byte 8 means something only with flag 256
        // lengths of texts and of slices
        {"04 0502202A  04 05202A", 0, 0, BAD_PARTS},
        {"04 0502202A  02 05202A", 0, 0, BAD_PARTS},
        {"04 0502202A  83", 0, 0, BAD_PARTS},
        {"04 0502202A", 0, 0, BAD_PARTS},
        {"04 0502202A  03 05202A  00", 0, 0, BAD_PARTS},
        {"04 0502202A  03 05202A", 1, 0, BAD_PARTS},
        {"04 0502202A  03 05202A", -1, 0, BAD_PARTS},
        {"04 0502202A  03 05202A", 0, 1, BAD_PARTS},
        {"04 0502202A  03 05202A", 0, -1, BAD_PARTS},
    };
    const char *const name = make("games.cqldb", two_games);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Buffer texts = slice_of(row[i].texts, row[i].more_stored, row[i].more_expanded);
        set_blob(name, "chunk", "texts", "texts_sum", texts);
        expect_faults(name, row[i].faults);
        buffer_free(&texts);
    }
    static const char *const damaged[] = {"", "00", "8000", "8080", "0080"};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        Buffer blob = bytes_of(damaged[i]);
        set_blob(name, "chunk", "texts", "texts_sum", blob);
        expect_faults(name, BAD_PARTS);
        buffer_free(&blob);
    }
}

// Line, byte, length of the tags, tags.
static void test_damaged_tags(void **state)
{
    (void)state;
    static const struct {
        const char *tags, *faults;
    } row[] = {
        {"01 00 00  03 0C 00", ""},        {"09 07 00  8001 8001 00", ""}, // numbers that verify cannot know
        {"01 00 00  03 0C 01", BAD_PARTS}, {"01 00 00  03 0C 00  00", BAD_PARTS},
        {"01 00 00  03 0C", BAD_PARTS},    {"01 00 00  03 8C", BAD_PARTS},
        {"01 00 00  83", BAD_PARTS},       {"01 00 00", BAD_PARTS},
        {"01 00 01 0A  03 0C 00", SUMS},
    };
    const char *const name = make("games.cqldb", two_games);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Buffer tags = slice_of(row[i].tags, 0, 0);
        set_blob(name, "chunk", "tags", "tags_sum", tags);
        expect_faults(name, row[i].faults);
        buffer_free(&tags);
    }
}

// The clocks of a game: as codes in its text, and in its text alone.
static void test_damaged_clocks(void **state)
{
    (void)state;
#define BAD_CLOCKS "game 1: its clocks are not those of its text"
    const char *name = make("games.cqldb", "1. e4 { [%clk 0:01:00] } e5 *\n");
    expect_rows(name, "SELECT hex(games) FROM chunk", "0200080100101080\n"); // flags 256 and 8
    // "1. " and a move, a comment with spaces inside, " " and a move, " *"
    assert_string_equal(expanded(name, "chunk", "texts", 1), "06050821"
                                                             "02202A\n");
    // kind 1, in units of a second, two positions: none, and 1 + 120 for a difference of 60
    assert_string_equal(expanded(name, "clocks", "clocks", 1), "050164020079\n");
    static const struct {
        const char *clocks, *coded, *plain;
    } row[] = {
        {"05 0164020079", "", ""},
        {"05 016402007B", "", BAD_CLOCKS},           // a second more; the codes say the same then
        {"05 0164020077", "", BAD_CLOCKS},           // a second less
        {"00", GAME_1_MOVES, BAD_CLOCKS},            // none
        {"05 0164020000", GAME_1_MOVES, BAD_CLOCKS}, // none after the move
        {"04 01640200", GAME_1_MOVES, BAD_CLOCKS},
        {"06 0164020079", BAD_PARTS, BAD_PARTS},
        {"05 0164020079 00", BAD_PARTS, BAD_PARTS},
        {"", BAD_PARTS, BAD_PARTS},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Buffer clocks = slice_of(row[i].clocks, 0, 0);
        set_blob(name, "clocks", "clocks", "sum", clocks);
        expect_faults(name, row[i].coded);
        buffer_free(&clocks);
    }
    name = make("games.cqldb", "1. e4 {[%clk 0:01:00] good} e5 *\n");
    expect_rows(name, "SELECT hex(games) FROM chunk", "0200080000101080\n");
    assert_string_equal(expanded(name, "clocks", "clocks", 1), "050164020079\n");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Buffer clocks = slice_of(row[i].clocks, 0, 0);
        set_blob(name, "clocks", "clocks", "sum", clocks);
        expect_faults(name, row[i].plain);
        buffer_free(&clocks);
    }
    // with a tab, which is the byte after the code for clocks
    static const char tab[] = "1. e4 { [%clk 0:01:00] }\te5 { [%clk 0:01:00] } *\n\n";
    name = make("games.cqldb", tab);
    assert_string_equal(expanded(name, "chunk", "texts", 1), "09050821"
                                                             "0901"
                                                             "0821"
                                                             "202A\n");
    expect_faults(name, "");
    // from another position, which is read in another way, after a game with other clocks
    name = make("games.cqldb", "1. e4 {[%clk 0:01:00]} e5 {[%clk 0:01:00]} *\n\n"
                               "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 {[%clk 0:01:00]} *\n");
    assert_string_equal(expanded(name, "clocks", "clocks", 1), "06016403007979"
                                                               "050164020079\n");
    expect_faults(name, "");
}

static void test_damaged_rows(void **state)
{
    (void)state;
    static const struct {
        const char *statement, *faults;
    } row[] = {
        {"UPDATE chunk SET moves_sum = moves_sum + 1", "chunk 1 is damaged: its checksum is wrong"},
        {"UPDATE chunk SET games_sum = games_sum - 1", "chunk 1 is damaged: its checksum is wrong"},
        {"UPDATE chunk SET tags_sum = 0", "chunk 1 is damaged: its checksum is wrong"},
        {"UPDATE chunk SET texts_sum = 0", "chunk 1 is damaged: its checksum is wrong"},
        {"UPDATE clocks SET sum = 0", "chunk 1 is damaged: its checksum is wrong"},
        {"UPDATE chunk SET game_count = 0", NOT_FIT_ROW},
        {"UPDATE chunk SET game_count = 1", NOT_FIT_ROW},
        {"UPDATE chunk SET game_count = 3", NOT_FIT_ROW},
        {"UPDATE chunk SET first_game = 5; UPDATE chunk SET games = x'02000000001010800100000003101080',"
         " games_sum = -1",
         NOT_FIT_ROW},
        {"UPDATE chunk SET moves = 5", "chunk 1 is damaged: cannot open value of type integer"},
        {"UPDATE columns SET white = x'00'", "chunk 1 is damaged: its columns"},
        {"UPDATE columns SET ply_count = x'0102'", "chunk 1 is damaged: its columns"},
        {"DELETE FROM columns", "chunk 1 is damaged: its columns"},
        {"UPDATE columns SET player_names = x'00'", "the names in the columns are damaged: white"},
        {"UPDATE columns SET event_names = x'00'", "the names in the columns are damaged: event"},
        {"UPDATE columns SET site_names = x'00'", "the names in the columns are damaged: site"},
        {"UPDATE columns SET player_names = x'00', event_names = x'00', site_names = x'00', white = x'00'",
         "the names in the columns are damaged: white\nthe names in the columns are damaged: event\n"
         "the names in the columns are damaged: site\nchunk 1 is damaged: its columns"},
        {"PRAGMA writable_schema = 1;"
         " UPDATE sqlite_master SET sql = replace(sql, 'black_elo INTEGER', 'black_elo INTEGER NOT NULL')",
         "its schema has \"game\", which `cqlgen import` did not make; only indexes on columns may be added"},
        {"UPDATE game SET flags = 8 WHERE id = 1", GAME_1_ROW},
        {"UPDATE game SET ply_count = 5 WHERE id = 1", GAME_1_ROW},
        {"UPDATE game SET id = 7 WHERE id = 2", "game 2: the table game does not have it"},
        {"DELETE FROM game WHERE id = 1", "game 1: the table game does not have it"},
        {"INSERT INTO game SELECT 3, white, black, event, site, '', '', '', NULL, NULL, '', 0, 0 FROM game "
         "WHERE id = 1",
         "the table game has too many rows"},
        {"UPDATE game SET white = 9 WHERE id = 2",
         "row 2 of the table game names a row that the table player does not have"},
        {"UPDATE source SET game_count = 1", "the table source is damaged"},
        {"UPDATE source SET game_count = -5", "the table source is damaged"},
        {"UPDATE source SET complete = 2", "the table source is damaged"},
        {"UPDATE chunk SET ply_count = 4", SUMS},
        {"UPDATE chunk SET byte_count = 18", SUMS},
        {"UPDATE chunk SET byte_count = 1073741825", NOT_FIT_ROW},
        {"UPDATE chunk SET ply_count = 131071", NOT_FIT_ROW},
        {"UPDATE chunk SET first_game = 0", NOT_FIT_ROW},
        {"UPDATE chunk SET id = 2", NOT_FIT_ROW},
        {"UPDATE chunk SET game_count = 9223372036854775807", NOT_FIT_ROW},
        {"UPDATE chunk SET byte_count = 'x'", NOT_FIT_ROW},
        {"DELETE FROM clocks", "chunk 1 is damaged: no such rowid: 1"},
    };
    const char *const good = make("good.cqldb", two_games), *const name = path("games.cqldb");
    char copying[300];
    snprintf(copying, sizeof copying, "VACUUM INTO '%s'", name);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        unlink(name);
        change(good, copying);
        change(name, row[i].statement);
        expect_faults(name, row[i].faults);
    }
}

// The names of a chunk: id, length, name, as long as there are some; ids ascend. At their end is a checksum.
static void test_damaged_names(void **state)
{
    (void)state;
    static const struct {
        const char *names;
        bool good;
    } row[] = {{"01000000 02000000 6162  03000000 00000000", true},
               {"01000000 02000000 6162", true},
               {"", true},
               {"01000000 02000000 61", false},
               {"01000000 02000000 6162 01000000 0000", false},
               {"01000000 02000000 6162 03000000 000000", false},
               {"01000000 0200", false},
               {"00000000 02000000 6162", false},
               {"02000000 01000000 61  02000000 01000000 62", false},
               {"02000000 01000000 61  01000000 01000000 62", false},
               {"00001000 00000000", true},
               {"01001000 00000000", false}};
    const char *const name = make("games.cqldb", two_games);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Buffer names = bytes_of(row[i].names);
        const uint64_t sum = (uint64_t)checksum_of(names.start, names.length);
        char statement[400], *end = statement;
        end += sprintf(end, "UPDATE columns SET event_names = x'");
        for (size_t k = 0; k < names.length + 8; k++)
            end += sprintf(end, "%02X",
                           k < names.length ? (unsigned char)names.start[k]
                                            : (unsigned)(sum >> 8 * (k - names.length) & 255));
        sprintf(end, "'");
        change(name, statement);
        expect_faults(name, row[i].good ? GAME_1_COLUMNS "\n" GAME_2_COLUMNS
                                        : "the names in the columns are damaged: event");
        buffer_free(&names);
    }
}

// ---- several chunks, large blobs --------------------------------------------------------------------------

// One connection reads the clocks of one chunk after the other.
static void test_chunks(void **state)
{
    (void)state;
    const char *const name = make("games.cqldb", "1. e4 {[%clk 0:01:00]} *\n");
    Source s = source_of("1. d4 *\n\n1. d4 {[%clk 0:02:00]} *\n");
    import_text(name, "more.pgn", &s, (ImportOptions){0}, true);
    char *message = NULL;
    Chunk chunk = {0};
    Database *d = database_open(name, DATABASE_READ, NULL, &message);
    assert_true(database_chunk_count(d) == 2 && database_game_count(d) == 3);
    assert_true(database_chunk_games(d, 0) == 1 && database_chunk_games(d, 1) == 2);
    assert_true(database_chunk_bytes(d, 0) == 24 && database_chunk_bytes(d, 1) == 7 + 24);
    for (int64_t i = 0; i < 6; i++) {
        assert_true(database_read_chunk(d, i % 2, CHUNK_CLOCKS, &chunk, &message));
        assert_true(chunk.count == (size_t)i % 2 + 1 && chunk.first == i % 2 + 1);
        const StoredGame *game = chunk_game(&chunk, (size_t)i % 2);
        assert_true(game->clocks.length == (i % 2 ? 6 : 5));
        assert_int_equal(game->tags.number, 1 + 2 * (i % 2));
    }
    chunk_free(&chunk);
    database_close(d);
    expect_faults(name, "");
}

// Blobs are copied in pieces of 64 KiB.
static void test_large_blobs(void **state)
{
    (void)state;
    enum { LENGTH = 400000 };
    char *const text = calloc(1, LENGTH + 40);
    strcpy(text, "1. e4 {");
    uint64_t random = 1;
    for (int i = 0; i < LENGTH; i++) { // letters that do not compress well
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        text[7 + i] = (char)('A' + (random >> 40) % 58);
        if (strchr("[\\]^_`", text[7 + i]))
            text[7 + i] = ' ';
    }
    strcpy(text + 7 + LENGTH, "} *\n");
    const char *const name = make("games.cqldb", text);
    expect_rows(name, "SELECT length(texts) > 3 * 65536 FROM chunk", "1\n");
    expect_faults(name, "");
    char *message = NULL, *const read = calloc(1, LENGTH + 40);
    DatabaseStream *stream = database_stream_open(name, NULL, &message);
    assert_int_equal(database_stream_read(stream, read, LENGTH + 39), strlen(text) + 1);
    assert_memory_equal(read, text, strlen(text));
    database_stream_close(stream);
    free(read);
    free(text);
}

// ---- a writer ---------------------------------------------------------------------------------------------

// A chunk of these games; the writer may have been used before.
static void write_chunk(ChunkWriter *w, Game *g, const char *const *text, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const GameText source = {
            .text = {text[i], strlen(text[i])}, .number = (int64_t)i + 1, .line = 1 + i, .offset = 0};
        chunk_add(w, g, &source, NULL, NULL);
    }
    chunk_finish(w);
}

// What a writer has written before leaves no trace.
static void test_writer(void **state)
{
    (void)state;
    static const char *const first[] = {"1. e4 {[%clk 0:01:00]} e5 *", "[A \"b\"]\n\n1. e4 Ke5 *",
                                        "1. d4 -- 2. c4 *"},
                             *const second[] = {"1. a4 *", "1. b4 b5 1-0"};
    ChunkWriter used = {0}, fresh = {0};
    Game game;
    game_init(&game);
    write_chunk(&used, &game, first, 3);
    assert_true(used.count == 3 && used.plies == 2 + 0 + 3 && used.has_clocks);
    assert_int_equal(used.bytes, strlen(first[0]) + strlen(first[1]) + strlen(first[2]));
    chunk_writer_clear(&used);
    assert_true(used.count == 0 && used.plies == 0 && used.bytes == 0 && !used.has_clocks);
    write_chunk(&used, &game, second, 2);
    write_chunk(&fresh, &game, second, 2);
    assert_true(used.count == 2 && used.plies == 3 && used.bytes == 7 + 12);
    for (int i = 0; i < BLOBS; i++) {
        assert_int_equal(used.blob[i].length, fresh.blob[i].length);
        if (fresh.blob[i].length > 0)
            assert_memory_equal(used.blob[i].start, fresh.blob[i].start, fresh.blob[i].length);
    }
    assert_int_equal(fresh.blob[BLOB_CLOCKS].length, 0);
    chunk_writer_free(&used);
    chunk_writer_free(&fresh);
    game_free(&game);
}

// A slice has 64 games. Clocks may begin in any of them.
static void test_slices(void **state)
{
    (void)state;
    static const size_t before[] = {0, 1, 62, 63, 64, 65, 127, 128, 129};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        char text[4000] = "", wanted[2000] = "", *end = text, *out = wanted;
        for (size_t k = 0; k < before[i] + 2; k++) {
            const bool clock = k == before[i];
            end += sprintf(end, clock ? "1. e4 {[%%clk 0:01:00]} *\n\n" : "1. d4 *\n\n");
            out += sprintf(out, "%s%s", clock ? "050164020079" : "00", k % 64 == 63 ? "\n" : "");
        }
        const size_t games = before[i] + 2, slices = (games + 63) / 64;
        sprintf(out, games % 64 == 0 ? "" : "\n");
        const char *const name = make("games.cqldb", text);
        assert_string_equal(expanded(name, "clocks", "clocks", slices), wanted);
        expect_faults(name, "");
        char number[40];
        snprintf(number, sizeof number, "%zu|%zu\n", games, games);
        expect_rows(name, "SELECT game_count, ply_count FROM chunk", number);
    }
}

// Only a tag with exactly this name, in any case, tells of a variant.
static void test_variant(void **state)
{
    (void)state;
    const char *const name =
        make("games.cqldb", "[Variant \"a\"]\n\n*\n\n[VARIANT \"a\"]\n\n*\n\n[variant \"classical\"]\n\n*\n\n"
                            "[Varian \"a\"]\n\n*\n\n[Variants \"a\"]\n\n*\n\n[Varianu \"a\"]\n\n*\n\n"
                            "[Event \"Variant\"]\n\n*\n\n[A \"b\"]\n[Variant \"c\"]\n[B \"c\"]\n\n*\n\n"
                            "[Rules \"Chess\"]\n\n*\n\n[Variant \"?\"]\n[Rules \"Sofia\"]\n\n*\n");
    expect_rows(name, "SELECT flags FROM game ORDER BY id", "128\n128\n0\n0\n0\n0\n0\n128\n0\n128\n");
}

static int remove_folder(void **state)
{
    (void)state;
    return remove_files((const char *const[]){"games.cqldb", "good.cqldb"}, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blobs),          cmocka_unit_test(test_damaged_index),
        cmocka_unit_test(test_damaged_texts),  cmocka_unit_test(test_damaged_tags),
        cmocka_unit_test(test_damaged_clocks), cmocka_unit_test(test_damaged_rows),
        cmocka_unit_test(test_writer),         cmocka_unit_test(test_slices),
        cmocka_unit_test(test_variant),        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_large_blobs),    cmocka_unit_test(test_damaged_names),
    };
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
