// Tags, annotations and errors of the game (language reference 6.13, 7.15, 9.6).
#include "run_state.h"

#include <stdarg.h>
#include <stdio.h>

// ---- errors -----------------------------------------------------------------------------------------------

void run_raise(Context *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->run->error, sizeof c->run->error, format, arguments);
    va_end(arguments);
    longjmp(*c->run->escape, 1);
}

void rt_raise(Context *c, int32_t code, String detail)
{
    const char *text = run_text(detail)->bytes;
    switch (code) {
    case RAISE_UNBOUND:
        run_raise(c, "the variable %s has no value", text);
    case RAISE_BOUND:
        run_raise(c, "the loop variable %s already has a value", text);
    case RAISE_STEPS:
        if (!run_more_steps(c))
            run_raise(c, "the query needs too many steps for this game");
        return;
    case RAISE_RANGE:
        run_raise(c, "a direction range must lie in -7 to 7, the lower bound first%s%s", *text ? ": " : "",
                  text);
    case RAISE_GROUP:
        run_raise(c, "a group of a regular expression was asked for without a match%s%s", *text ? ": " : "",
                  text);
    case RAISE_ASSERT:
        run_raise(c, "assert failed%s%s", *text ? ": " : "", text);
    case RAISE_ABORT:
        run_raise(c, "cql_abort was evaluated%s%s", *text ? ": " : "", text);
    case RAISE_FILE:
        run_raise(c, "%s", *text ? text : "a file could not be used");
    case RAISE_MEMORY:
        run_raise(c, "the query needs too much memory for this game");
    default:
        run_raise(c, "%s", *text ? text : "the query cannot be evaluated");
    }
}

// ---- tags -------------------------------------------------------------------------------------------------

static int32_t give(Context *c, Text text, String *value)
{
    *value = run_string(c, text.start, text.length);
    return 1;
}

int32_t rt_tag(Context *c, String name, String *value)
{
    Text text;
    name = run_text(name);
    // Values that are made on demand are put into the game's memory, so game_tag wants it writable.
    Game *game = (Game *)(uintptr_t)run_game_of(c);
    return game_tag(game, (Text){name->bytes, name->length}, &text) && give(c, text, value);
}

int32_t rt_player(Context *c, int32_t colour, String *value)
{
    const TagRoster *roster = &run_game_of(c)->roster;
    const Text white = roster->white, black = roster->black;
    if (colour != 2) {
        const Text name = colour == WHITE ? white : black;
        return name.length > 0 && give(c, name, value);
    }
    if (white.length == 0 || black.length == 0)
        return 0;
    // The two names are joined by a backslash and an n, not by a line end (9.6).
    CqlString *both = run_string_new(c, white.length + 2 + black.length);
    memcpy(both->bytes, white.start, white.length);
    memcpy(both->bytes + white.length, "\\n", 2);
    memcpy(both->bytes + white.length + 2, black.start, black.length);
    *value = both;
    return 1;
}

int32_t rt_elo(Context *c, int32_t colour, int32_t *value)
{
    const int32_t *rating = run_game_of(c)->roster.rating;
    *value = colour != 2 ? rating[colour] : rating[WHITE] > rating[BLACK] ? rating[WHITE] : rating[BLACK];
    return *value > 0;
}

int32_t rt_year(Context *c, int32_t *value)
{
    *value = run_game_of(c)->roster.year;
    return *value > 0;
}

// ---- annotations ------------------------------------------------------------------------------------------

int32_t rt_original_comment(Context *c, int32_t n, String *value)
{
    const Note *note = run_game_of(c)->note;
    return note && n < c->game->count && note[n].comment.length > 0 && give(c, note[n].comment, value);
}

int32_t rt_has_nag(Context *c, int32_t n, int32_t nag)
{
    const Note *note = run_game_of(c)->note;
    if (!note || n == 0 || n >= c->game->count)
        return 0;
    for (int i = 0; i < note[n].nag_count; i++)
        if (note[n].nag[i] == nag)
            return 1;
    return 0;
}
