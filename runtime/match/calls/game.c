// Tags and annotations of the game (language reference 6.13, 7.15, 9.6).
#include <stdio.h>
#include <string.h>

#include "regex_search.h"
#include "runtime/database/spelling.h"
#include "runtime/game/openings.h"
#include "runtime/match/run_state.h"

// ---- tags -------------------------------------------------------------------------------------------------

enum { TAGS_PER_STEP = 8 };

static int32_t give(Context *c, Text text, String *value)
{
    *value = run_text(c, text);
    return 1;
}

// The names of the roster, and those about the start position, are not additional tags (12b.6.5).
static bool is_additional(Text name)
{
    static const char others[] = " Event Site Date Round White Black Result SetUp FEN ";
    char between_spaces[16];
    const int length =
        snprintf(between_spaces, sizeof between_spaces, " %.*s ", (int)name.length, name.start);
    return (size_t)length >= sizeof between_spaces || strstr(others, between_spaces) == NULL;
}

// `*NAME`: the tag as it is written, not as filters see it. `*`: the values of all additional tags, each in a line of its own.
static bool give_written(Context *c, Text name, String *value)
{
    size_t count;
    const Tag *tag = game_tags(run_game_of(c), &count);
    const bool all = name.length == 1;
    String found = all ? run_string(c, "\n", 1) : NULL;
    run_take_steps(c, count / TAGS_PER_STEP);
    for (size_t i = 0; i < count; i++) {
        if (all && is_additional(tag[i].name))
            found = rt_concat(c, found, rt_concat(c, run_text(c, tag[i].value), run_string(c, "\n", 1)));
        else if (!all && tag[i].name.length == name.length - 1 &&
                 memcmp(tag[i].name.start, name.start + 1, name.length - 1) == 0)
            found = run_text(c, tag[i].value);
    }
    *value = found;
    return found != NULL && found->length > 1u * all;
}

int32_t rt_tag(Context *c, String name, String *value)
{
    Text text;
    name = string_or_empty(name);
    if (name->bytes[0] == '*')
        return give_written(c, (Text){name->bytes, name->length}, value);
    // game_tag may put the value into the game's memory.
    Game *game = (Game *)(uintptr_t)run_game_of(c);
    const Text tag = {name->bytes, name->length};
    const Spelling *spelling = c->run->options.spelling;
    const TagRoster *roster = game_roster(game);
    bool found = game_tag(game, tag, &text);
    if (spelling && (!found || text_is_unknown(text)))
        found |= spelling_tag(spelling, tag, roster->white, roster->black, &text);
    run_take_steps(c, game_listed_tags(game) / TAGS_PER_STEP);
    return found && give(c, text, value);
}

int32_t rt_player(Context *c, int32_t colour, String *value)
{
    const TagRoster *roster = game_roster(run_game_of(c));
    const Text name = colour == WHITE ? roster->white : roster->black;
    return name.length > 0 && give(c, name, value);
}

int32_t rt_opening(Context *c, int32_t code, String *value)
{
    const Openings *table = c->run->options.openings;
    const Opening *found = openings_of(table ? table : openings_usual(), c->game);
    return found && give(c, code ? found->code : found->name, value);
}

int32_t rt_elo(Context *c, int32_t colour, int32_t *value)
{
    const int32_t *rating = game_roster(run_game_of(c))->rating;
    *value = colour != 2 ? rating[colour] : rating[WHITE] > rating[BLACK] ? rating[WHITE] : rating[BLACK];
    return *value > 0;
}

int32_t rt_year(Context *c, int32_t *value)
{
    *value = game_roster(run_game_of(c))->year;
    return *value > 0;
}

// ---- annotations ------------------------------------------------------------------------------------------

// Empty: none.
static Text comment_of(const Context *c, int32_t n)
{
    const Note *note = run_game_of(c)->note;
    return note && n < c->game->count ? note[n].comment : (Text){"", 0};
}

int32_t rt_original_comment(Context *c, int32_t n, String *value)
{
    const Text comment = comment_of(c, n);
    return comment.length > 0 && give(c, comment, value);
}

int32_t rt_comment_contains(Context *c, int32_t n, String part)
{
    const Text comment = comment_of(c, n);
    part = string_or_empty(part);
    run_take_bytes(c, comment.length);
    return comment.length > 0 && string_find(comment.start, comment.length, part->bytes, part->length);
}

int32_t rt_comment_found(Context *c, int32_t n, int32_t pattern)
{
    const Text comment = comment_of(c, n);
    return comment.length > 0 && regex_found_in(c, pattern, comment);
}

int32_t rt_has_nag(Context *c, int32_t n, int32_t nag)
{
    const Note *note = run_game_of(c)->note;
    if (!note || n == 0 || n >= c->game->count)
        return 0;
    for (int i = 0; i < note[n].nag_count; i++)
        if (note[n].nag[i] == nag || nag == 256)
            return 1;
    return 0;
}

int32_t rt_game_fault(Context *c, int32_t cut)
{
    const Game *game = run_game_of(c);
    return cut ? game->cut : game->damaged;
}

// ---- clocks and evaluations (language reference 15) -------------------------------------------------------

// Imaginary positions have none.
static bool is_read(const Context *c, int32_t n)
{
    return n < c->game->count;
}

int32_t rt_clock(Context *c, int32_t n, int32_t *value)
{
    return is_read(c, n) && game_clock(run_game_of(c), n, value);
}

int32_t rt_elapsed(Context *c, int32_t n, int32_t *value)
{
    return is_read(c, n) && game_elapsed(run_game_of(c), n, value);
}

int32_t rt_eval(Context *c, int32_t n, int32_t *value)
{
    return is_read(c, n) && game_eval(run_game_of(c), n, value);
}
