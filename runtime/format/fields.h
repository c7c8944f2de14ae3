// The values that rows, columns and members have, by name (fields.def).
#ifndef CQL_FORMAT_FIELDS_H
#define CQL_FORMAT_FIELDS_H

#include <stdbool.h>

#include "runtime/game/game.h"

typedef enum FieldId {
#define FIELD(id, name, level, help) FIELD_##id,
#include "fields.def"
    FIELD_TAG, // any other tag
    FIELD_COUNT_
} FieldId;

typedef struct FieldInfo {
    const char *name;
    bool of_position;
    const char *help;
} FieldInfo;
extern const FieldInfo field_info[FIELD_TAG];

typedef struct Field {
    FieldId id;
    Text tag; // its name, of FIELD_TAG
} Field;

enum { MOST_FIELDS = 64 };
typedef struct FieldList {
    Field field[MOST_FIELDS];
    int count; // 0: the default of the format
} FieldList;

// What tables contain unless the user names other fields. `context`: moves before and after the position too.
const FieldList *fields_of_tables(bool context);

// The same for the tables of a database: those of the game, then those of the position.
const FieldList *fields_of_database(bool context);

// Reads names with commas; the list points into them. NULL, or why they cannot be used; the caller frees it.
char *fields_read(FieldList *list, const char *names);

// True when a value of the list belongs to single positions.
bool fields_of_positions(const FieldList *list);

Text field_name(const Field *field);

// The tag that the field is; empty: it is something else.
Text field_tag(const Field *field);

typedef enum FieldKind {
    FIELD_NONE,
    FIELD_INTEGER,
    FIELD_TEXT,
    FIELD_WORDS, // text with spaces between its parts; an array in JSON
    FIELD_JSON   // text that is JSON
} FieldKind;

typedef struct FieldValue {
    FieldKind kind;
    int64_t number;
    Text text; // valid until the next call
} FieldValue;

struct FoundGame;
struct FormatMemory;
struct Found;

// The value of a field other than FIELD_SORT in what one query has found. `id`: the position, for fields of positions.
// After fields_begin.
FieldValue field_value(const Field *field, const struct FoundGame *game, struct FormatMemory *m,
                       const struct Found *found, int32_t id);

// Prepares the memory for the values of one query.
void fields_begin(const struct FoundGame *game, struct FormatMemory *m, const struct Found *found);

#endif
