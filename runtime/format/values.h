// Values as bytes: what passes from the threads of a search, or from other processes, to the writer of groups or tables.
#ifndef CQL_FORMAT_VALUES_H
#define CQL_FORMAT_VALUES_H

#include <stdbool.h>

#include "runtime/game/game.h"
#include "runtime/match/run.h"

void value_put_none(Buffer *out);
void value_put_number(Buffer *out, int64_t number);
void value_put_text(Buffer *out, Text text); // as UTF-8; SQL reads texts to their first NUL: spaces instead
void value_put_sort(Buffer *out, const SortValue *value);

typedef enum ValueKind { VALUE_NONE, VALUE_NUMBER, VALUE_TEXT } ValueKind;

typedef struct Value {
    ValueKind kind;
    int64_t number;
    Text text; // in the bytes that were read
} Value;

// Reads the value at *at and moves past it; false when the bytes before `end` are none.
bool value_get(const char **at, const char *end, Value *value);

#endif
