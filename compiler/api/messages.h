// Lists of messages.
#ifndef CQL_API_MESSAGES_H
#define CQL_API_MESSAGES_H

#include "compiler/base/diagnostic.h"
#include "cqlgen.h"
#include "runtime/match/matcher.h"

CqlMessages *messages_new(void);

// The list that says that memory has run out; needs none, and is never freed.
CqlMessages *messages_of_memory(void);

// Adds a message; the list copies its texts. Beyond the limit of messages of a list does nothing.
void messages_add(CqlMessages *messages, const CqlMessage *message);

// Adds an error without a place.
void messages_fail(CqlMessages *messages, const char *text);

// Sets *to, unless `to` is NULL, to a list with nothing but this error.
void messages_refuse(const char *text, CqlMessages **to);

// Adds what a query prints.
void messages_output(CqlMessages *messages, const char *bytes, size_t length);

// Adds the diagnostics of a query.
void messages_diagnostics(CqlMessages *messages, const Diagnostics *d);

// What the reports of a search begin with.
typedef struct ReportNames {
    const char *const *file; // the inputs
    size_t file_count;
    const Matcher *matcher;
} ReportNames;

// Adds complete lines of reports of a search: `FILE:LINE: game N: TEXT`, where the text of a run-time error begins with
// the name of a query.
void messages_reports(CqlMessages *messages, const char *lines, size_t length, const ReportNames *names);

// Gives the list to the caller of a function of the library, or frees it; an empty one becomes NULL.
void messages_give(CqlMessages *messages, CqlMessages **to);

#endif
