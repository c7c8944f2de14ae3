// Groups of matching games or positions (--count-by): keys, measures, tables of groups that can be added to each other, and their
// writers.
//
// A group is a combination of values of the keys, and has numbers and measures. Tables are partial results: those of blocks of games,
// or of parts of a search, are added to one.
//
// The files, lowest first: groups.c (tables), group_keys.c (reading keys and measures), group_values.c (their values at a match),
// group_rows.c (rows in order, with their measures), group_picture.c (what
// pictures show), group_chart.c (pictures as SVG), groups_html.c and groups_write.c.
#ifndef CQL_FORMAT_GROUPS_H
#define CQL_FORMAT_GROUPS_H

#include "runtime/match/run.h"
#include "runtime/value/memory.h"
#include "format.h"

// ---- keys -------------------------------------------------------------------------------------------------

typedef enum GroupKind {
    GROUP_TAG, // the value of a tag as filters see it (language reference 9.6)
    GROUP_YEAR,
    GROUP_MONTH,  // YYYY.MM
    GROUP_RATING, // of White, of Black or the average
    GROUP_RESULT,
    GROUP_ECO,
    GROUP_FILE,
    GROUP_PLAYER,   // each of both players: a game is in two groups
    GROUP_OPPONENT, // of that player, or of GroupSpec.player
    // of the matching position and the move that follows it in the game
    GROUP_MOVE, // SAN
    GROUP_UCI,
    GROUP_FROM,
    GROUP_TO,
    GROUP_PIECE,
    GROUP_CAPTURED,
    GROUP_PROMOTION,
    GROUP_SIDE, // to move
    GROUP_PLY,
    GROUP_MEN,           // each man on the board, by its letter and square at the start of the game
    GROUP_PLY_COUNT,     // of the main line
    GROUP_MATERIAL,      // `KRP-KR`
    GROUP_NEXT_MATERIAL, // after the next move
    GROUP_LINE,          // the moves from the start, as SAN
    GROUP_EXPRESSION // of CQL, evaluated at the matching position; a set has each of its squares as a value
} GroupKind;

enum { RATING_WHITE, RATING_BLACK, RATING_AVERAGE };

typedef struct GroupKey {
    GroupKind kind;
    char *name;       // as written: the heading of its column
    char *text;       // of GROUP_TAG the name of the tag, of GROUP_EXPRESSION the filters; otherwise NULL
    int part;         // of numbers the width of a band, of openings how many characters; 0: all
    int whose;        // of ratings: RATING_
    int expression;   // its number among the expressions
    bool of_position; // it needs the matching position, or the moves of the game
    unsigned columns; // of a database that are enough, bits 1 << COLUMN_; 0: it needs the tags of the game
} GroupKey;

typedef enum MeasureKind {
    MEASURE_GAMES, // with a match in the group
    MEASURE_WHITE, // of them: won by White, or by the player that the row is about
    MEASURE_DRAWS,
    MEASURE_BLACK,
    MEASURE_SCORE,   // percentage of points in games with a result
    MEASURE_AVERAGE, // of the values of `of` at the matches
    MEASURE_SUM,
    MEASURE_LEAST,
    MEASURE_GREATEST,
    MEASURE_MEDIAN,
    MEASURE_DISTINCT // how many values `of` has
} MeasureKind;

typedef struct GroupMeasure {
    MeasureKind kind;
    char *name; // as written: the heading of its column
    GroupKey of;
    int sum; // its number among the measures with a GroupSum; -1: it has none
} GroupMeasure;

typedef enum GroupOrder {
    GROUP_ORDER_USUAL,
    GROUP_ORDER_KEY,
    GROUP_ORDER_GAMES,  // the greatest number of matches first,
    GROUP_ORDER_RAREST, // or the least
    GROUP_ORDER_MEASURE // GroupSpec.order_measure, the greatest first
} GroupOrder;

enum { MOST_KEYS = 16, MOST_MEASURES = 16 };

typedef struct GroupSpec {
    GroupKey *key;
    size_t count, capacity;
    GroupMeasure *measure; // the columns after the number of matches and the share
    size_t measure_count, measure_capacity;
    size_t sums;      // measures that have a GroupSum
    int expressions;  // how many keys and measures are
    unsigned columns; // of all keys and measures; 0: one of them needs tags or expressions
    bool
        per_position; // each matching position counts; otherwise each game, with the values at its first match
    bool of_position;   // some key or measure needs positions
    bool by_player;     // some key is GROUP_PLAYER,
    bool by_side;       // or GROUP_OPPONENT: a match can be in a group for each player
    bool of_moves;      // some key or measure is GROUP_PLY_COUNT: GroupFacts.plies
    bool of_all;        // also count the games that were searched
    const char *among;  // filters: also count the positions or games where they match; NULL: none
    const char *player; // only games of this player count, and results and scores are his; NULL: any
    GroupOrder order;
    size_t order_measure;
    int64_t limit; // show so many groups, and one for the others; 0: all
} GroupSpec;

// Reads keys with commas between them; commas inside brackets and quotes belong to an expression. Returns NULL, or a
// message to be freed. group_spec_free frees the result, even after an error.
char *group_spec_read(GroupSpec *spec, const char *text);

// Reads measures with commas between them, or those that are usual if `text` is NULL. Called once, when the keys have been read and the
// other members are set.
char *group_measures_read(GroupSpec *spec, const char *text);

// What of the specification cannot be used together, as a message to be freed, or NULL.
char *group_spec_check(const GroupSpec *spec);
void group_spec_free(GroupSpec *spec);

// The expressions among the keys and measures by their numbers. *measure: the one that it belongs to; NULL: it is a key.
const GroupKey *group_expression(const GroupSpec *spec, int number, const GroupMeasure **measure);

// The names of keys that are no expressions, one after the other; NULL after the last one.
const char *group_key_name(size_t i);

// ---- values -----------------------------------------------------------------------------------------------

// What keys need to know about a game.
typedef struct GroupFacts {
    const Game *game; // its tags; NULL: only the columns below are known
    Text name[4];     // White, Black, event, site
    const char *date; // in normal form
    int rating[2];    // 0: none
    int result;       // RESULT_
    Text eco;
    const char *file;
    int32_t plies; // of the main line; only with GroupSpec.of_moves
} GroupFacts;

// The facts about a game whose tags were read.
GroupFacts group_facts(const Game *game, const char *file);

// The length of the main line of a game that was read.
int32_t group_plies(const GameView *game);

// False when a key needs more than the columns of this game: its date is unknown, but it may have a tag UTCDate.
bool group_facts_suffice(const GroupSpec *spec, const GroupFacts *facts);

// A match of a game that was read.
typedef struct GroupPlace {
    const GameView *game;
    int32_t fullmove; // the number of its first move
    int32_t position;
    const KeyValue *value; // of the expressions at this position
    int32_t value_count;
} GroupPlace;

// A combination of values of the keys at a match, and whose results count.
typedef struct GroupValues {
    size_t start, length; // in GroupMemory.values
    int side; // of the player of the row: WHITE, BLACK; -1: it is about no player, White's results count
} GroupValues;

// Initialised to zero.
typedef struct GroupMemory {
    Buffer values, item;
    GroupValues *list;
    size_t count, capacity;
    struct GroupItem *items;
    size_t item_count, item_capacity;
    int sides; // for which the last match counts, whatever its sets
} GroupMemory;
void group_memory_free(GroupMemory *m);

// Sets m->list to the combinations of values of the keys at a match; `place` may be NULL when no key needs it. None when a key has no
// value: a set without squares, or a game that is not one of GroupSpec.player.
void group_combine(const GroupSpec *spec, GroupMemory *m, const GroupFacts *facts, const GroupPlace *place);

// Small numbers for the values of keys, instead of bytes. group_codes: how many there are for all keys that are about positions; 0: they
// have too many values. group_code: that of the values at a match; -1: some key has several, or a rare one.
enum { MOST_CODES = 1 << 16 };
int32_t group_codes(const GroupSpec *spec);
int32_t group_code(const GroupSpec *spec, const GroupPlace *place);

// The values that a key or a measure has at a match, one after the other; returns how many.
size_t group_put_values(const GroupKey *key, Buffer *out, const GroupFacts *facts, const GroupPlace *place,
                        int side);

// Whether bytes can be the values of a group with the number `query`.
bool group_values_are_good(const GroupSpec *spec, uint32_t query, const char *values, size_t length);

// ---- tables -----------------------------------------------------------------------------------------------

typedef struct GroupNumbers {
    int64_t games, positions, white, black, draws; // games that match, positions of them, results of them
    int64_t searched; // games or positions of the group, whether they match or not
} GroupNumbers;

// What the values of a measure add up to.
typedef struct GroupSum {
    int64_t count, sum, least, greatest; // the last two are of no use with a count of 0
} GroupSum;

// Group.query: the number of the query whose matches are counted, in the lower bits, and what the group is for.
enum {
    GROUP_QUERY = 0xffff,
    GROUP_TOTAL = 0x10000, // all matches of the query, whatever their values: the keys have none
    GROUP_DETAIL =
        0x20000, // and a multiple of it: one more than the number of a measure. After those of the keys follows a value of it
    GROUP_NO_QUERY = UINT32_MAX // the games that were searched
};

typedef struct Group {
    size_t start, length; // of its values in GroupTable.values
    uint64_t hash;
    uint32_t query;
    GroupNumbers numbers;
    int64_t game; // the last one that was added by groups_add_match
} Group;

// Initialised to zero.
typedef struct GroupTable {
    Group *group; // in the order of their first games
    size_t count, capacity;
    GroupSum *sum; // by group
    size_t sums;   // of each group
    size_t sum_capacity;
    Buffer values;
    uint32_t *slot; // 1 + index into `group`; 0: free
    size_t slots, slots_capacity;
    uint64_t cleared; // how often
} GroupTable;

// Returns the index of the group.
size_t groups_add(GroupTable *table, uint32_t query, const char *values, size_t length,
                  const GroupNumbers *numbers);
// The same for a match of the game with this number. Games and results count once for the matches of a game that follow each other.
size_t groups_add_match(GroupTable *table, uint32_t query, const char *values, size_t length,
                        const GroupNumbers *numbers, int64_t game);
// The same for a group that the table has, and one match in a game with this RESULT_.
static inline void groups_count_again(Group *g, int result, int64_t game)
{
    g->numbers.positions++;
    if (g->game == game)
        return;
    g->game = game;
    g->numbers.games++;
    g->numbers.white += result == RESULT_WHITE;
    g->numbers.black += result == RESULT_BLACK;
    g->numbers.draws += result == RESULT_DRAW;
}
// Adds to sum `i` of the group, which has `sums` of them.
void groups_add_sum(GroupTable *table, size_t group, size_t sums, size_t i, const GroupSum *sum);
void groups_add_all(GroupTable *table, const GroupTable *other);
// The index of a group; SIZE_MAX: the table does not have it.
size_t groups_find(const GroupTable *table, uint32_t query, const char *values, size_t length);
void groups_clear(GroupTable *table);
void groups_free(GroupTable *table);
size_t groups_bytes(const GroupTable *table); // the memory it takes

// ---- rows -------------------------------------------------------------------------------------------------

typedef enum GroupValueKind { GROUP_VALUE_NONE, GROUP_VALUE_NUMBER, GROUP_VALUE_TEXT } GroupValueKind;

typedef struct GroupValue {
    GroupValueKind kind;
    int64_t number;
    Text text; // of every kind: as it is shown; that of a NONE is `(none)`
} GroupValue;

// A measure of a row: numerator / denominator.
typedef struct GroupAmount {
    int64_t numerator, denominator; // denominator 0: there is none
} GroupAmount;

typedef struct GroupRow {
    uint32_t query;          // its number
    const GroupValue *value; // by key; NULL: the other groups of the query together
    GroupNumbers numbers;
    GroupAmount *amount; // by measure
} GroupRow;

typedef struct GroupRows {
    GroupRow *row;
    size_t count, capacity;
    GroupRow *all; // the same without a limit, for pictures
    size_t all_count, all_capacity;
    int64_t *matches; // by query: of all groups
    Pool pool;        // of everything above
} GroupRows;

// The groups of a table in order, those of each query together. They point into the table.
void group_rows(GroupRows *rows, const GroupSpec *spec, const GroupTable *table, const Matcher *matcher);
void group_rows_free(GroupRows *rows);

// A key that is a tag, from key *k on, which none of the games in the table has; NULL: there is no more. *k becomes the next number.
const GroupKey *group_absent_tag(const GroupSpec *spec, const GroupTable *table, size_t *k);

// Where the rows of the query of row `begin` end.
size_t group_rows_end(const GroupRows *rows, size_t begin);

// The matches of the row: games, or positions.
int64_t group_matches(const GroupSpec *spec, const GroupRow *row);

// Percentage of the matches that are in the group, or with of_all or among, of what was searched in the group.
double group_percent(const GroupSpec *spec, const GroupRows *rows, const GroupRow *row);

// Whether the percentage is of what was searched in the group.
static inline bool group_has_searched(const GroupSpec *spec)
{
    return spec->of_all || spec->among;
}

// What the length of the row's bar shows: the percentage with of_all, otherwise the matches.
double group_bar(const GroupSpec *spec, const GroupRows *rows, const GroupRow *row);

// The columns after those of the keys: how many, their headings, and what a row has in them. `plain`: for programs.
size_t group_columns(const GroupSpec *spec);
const char *group_heading(const GroupSpec *spec, size_t column, bool plain);
void group_put_cell(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const GroupRow *row,
                    size_t column, bool plain);

// ---- writing ----------------------------------------------------------------------------------------------

// Whether groups can be written in the format.
bool groups_have_format(SearchFormat format);

// A page with what was searched, and a chart and a table for each query (groups_html.c).
void groups_write_html(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const FormatSearch *search);

// Writes all groups. `width`: of a terminal, for FORMAT_TEXT with bars; 0: no bars. Formats other than HTML need only the
// matcher of the search.
void groups_write(Buffer *out, SearchFormat format, const GroupSpec *spec, const GroupTable *table,
                  const FormatSearch *search, int width);

#endif
