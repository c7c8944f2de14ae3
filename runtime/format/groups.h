// Groups of matching games (--count-by): keys, tables of groups that can be added to each other, and their writers.
//
// A group is a combination of values of the keys. Tables are partial results: those of blocks of games, or of parts of a search,
// are added to one.
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
    GROUP_EXPRESSION // of CQL, evaluated at the first matching position; its value is the sort key of its number
} GroupKind;

enum { RATING_WHITE, RATING_BLACK, RATING_AVERAGE };

typedef struct GroupKey {
    GroupKind kind;
    char *name;       // as written: the heading of its column
    char *text;       // of GROUP_TAG the name of the tag, of GROUP_EXPRESSION the filters; otherwise NULL
    int part;         // of ratings the width of a band, of openings how many characters; 0: all
    int whose;        // of ratings: RATING_
    int expression;   // its number among the expressions
    unsigned columns; // of a database that are enough, bits 1 << COLUMN_; 0: it needs the tags of the game
} GroupKey;

typedef enum GroupOrder { GROUP_ORDER_USUAL, GROUP_ORDER_KEY, GROUP_ORDER_GAMES } GroupOrder;

enum { MOST_KEYS = 16 };

typedef struct GroupSpec {
    GroupKey *key;
    size_t count, capacity;
    int expressions;  // how many keys are
    unsigned columns; // of all keys; 0: some key needs tags or expressions
    bool of_all;      // also count the games that were searched
    GroupOrder order;
    int64_t limit; // show so many groups, and one for the others; 0: all
} GroupSpec;

// Reads keys with commas between them; commas inside brackets and quotes belong to an expression. Returns NULL, or a
// message to be freed. group_spec_free frees the result, even after an error.
char *group_spec_read(GroupSpec *spec, const char *text);
void group_spec_free(GroupSpec *spec);

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
} GroupFacts;

// The facts about a game whose tags were read.
GroupFacts group_facts(const Game *game, const char *file);

// False when a key needs more than the columns of this game: its date is unknown, but it may have a tag UTCDate.
bool group_facts_suffice(const GroupSpec *spec, const GroupFacts *facts);

// Writes the values of all keys. `value`: of the expressions.
void group_values(const GroupSpec *spec, Buffer *out, const GroupFacts *facts, const SortValue *value);

// Whether bytes can be the values of all keys.
bool group_values_are_good(const GroupSpec *spec, const char *values, size_t length);

// ---- tables -----------------------------------------------------------------------------------------------

typedef struct GroupNumbers {
    int64_t games, positions, white, black, draws; // games that match, positions of them, results of them
    int64_t searched;                              // games of the group, whether they match or not
} GroupNumbers;

enum { GROUP_NO_QUERY = UINT32_MAX };

typedef struct Group {
    size_t start, length; // of its values in GroupTable.values
    uint64_t hash;
    uint32_t query; // whose matches are counted; GROUP_NO_QUERY: the games that were searched
    GroupNumbers numbers;
} Group;

// Initialised to zero.
typedef struct GroupTable {
    Group *group; // in the order of their first games
    size_t count, capacity;
    Buffer values;
    uint32_t *slot; // 1 + index into `group`; 0: free
    size_t slots, slots_capacity;
} GroupTable;

void groups_add(GroupTable *table, uint32_t query, const char *values, size_t length,
                const GroupNumbers *numbers);
void groups_add_all(GroupTable *table, const GroupTable *other);
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

typedef struct GroupRow {
    uint32_t query;          // its number
    const GroupValue *value; // by key; NULL: the other groups of the query together
    GroupNumbers numbers;
} GroupRow;

typedef struct GroupRows {
    GroupRow *row;
    size_t count, capacity;
    int64_t *games; // by query: the games that match in all groups
    Pool pool;      // of everything above
} GroupRows;

// The groups of a table in order, those of each query together. They point into the table.
void group_rows(GroupRows *rows, const GroupSpec *spec, const GroupTable *table, const Matcher *matcher);
void group_rows_free(GroupRows *rows);

// Percentage of the matching games that are in the group, or with of_all, of the group's games that match.
double group_percent(const GroupSpec *spec, const GroupRows *rows, const GroupRow *row);

// What the length of the row's bar shows: the percentage with of_all, otherwise the matching games.
double group_bar(const GroupSpec *spec, const GroupRows *rows, const GroupRow *row);

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
