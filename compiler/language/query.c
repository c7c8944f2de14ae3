// Variables of a query, and the names and results that headers take.
#include "query.h"

#include <string.h>

#include "runtime/game/game.h"

Variable *query_add_variable(Query *query, const char *name, VariableKind kind, Span span)
{
    Variable *v = arena_alloc(query->arena, sizeof *v);
    *v = (Variable){.name = name, .kind = kind, .number = query->variable_count, .span = span};
    ARENA_PUSH(query->arena, query->variable, query->variable_count, v);
    return v;
}

bool is_pgn_name(const char *text, size_t length)
{
    return length > 4 && (strcmp(text + length - 4, ".pgn") == 0 || strcmp(text + length - 4, ".PGN") == 0);
}

static bool is_listed(const char *text, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(text, *list) == 0)
            return true;
    return false;
}

bool tag_is_built_in(const char *name)
{
    static const char *const names[] = {"White",     "Black", "Event", "Site", "Date",
                                        "EventDate", "ECO",   "FEN",   NULL};
    return is_listed(name, names);
}

bool tag_is_refused(const char *name)
{
    static const char *const names[] = {"Round", "ROUND",     "Result",    "result",    "RESULT", "black",
                                        "BLACK", "white",     "WHITE",     "event",     "EVENT",  "site",
                                        "SITE",  "date",      "DATE",      "Eco",       "eco",    "Fen",
                                        "fen",   "eventdate", "eventDate", "EVENTDATE", NULL};
    const bool of_player = strncmp(name, "White", 5) == 0 || strncmp(name, "Black", 5) == 0;
    return !tag_is_built_in(name) && (name[0] == '*' || of_player || is_listed(name, names));
}

int result_number(const char *text)
{
    for (int result = RESULT_UNKNOWN; result <= RESULT_DRAW; result++)
        if (strcmp(text, result_text(result)) == 0)
            return result;
    return -1;
}
