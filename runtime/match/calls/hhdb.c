// The `hhdb` filters: conventions of study databases in tags and comments (language reference 9.7).
#include "hhdb_event.h"
#include "runtime/match/imaginary.h"
#include "runtime/value/ascii.h"

// ---- texts ------------------------------------------------------------------------------------------------

// The first occurrence of `part`, or NULL.
static const char *find(Text whole, const char *part)
{
    return memmem(whole.length ? whole.start : "", whole.length, part, strlen(part));
}

static bool contains(Text whole, const char *part)
{
    return find(whole, part) != NULL;
}

// The text from `begin` to `end`, or to the end of `whole`.
static Text between(const char *begin, const char *end)
{
    return (Text){begin, (size_t)(end - begin)};
}

static Text rest_from(Text whole, const char *begin)
{
    return between(begin, whole.start + whole.length);
}

static Text comment_at(const Game *game, int32_t n)
{
    return game->note && n < game->view.count ? game->note[n].comment : (Text){"", 0};
}

// ---- logical keys -----------------------------------------------------------------------------------------

static bool is_cooked(const Game *game)
{
    return game_text_holds(game, (Text){"<cook", 5});
}

static bool has_dual(Text black)
{
    return contains(black, "U1") || contains(black, "U2");
}

static bool has_flaw(Text black)
{
    return contains(black, "U3") || contains(black, "U4") || contains(black, "U5");
}

// No secondary move on the way here lacks the mark <main>.
static bool in_main_play(const Context *c, const Game *game, int32_t n)
{
    for (n = imaginary_root(c, n); n > 0; n = c->node[n].parent)
        if (c->node[n].index > 0 && !contains(comment_at(game, n), "<main>"))
            return false;
    return true;
}

int32_t rt_hhdb_bool(Context *c, int32_t n, int32_t key)
{
    const Game *game = run_game_of(c);
    const Text black = game_roster(game)->black;
    switch (key) {
    case HHDB_COOKED:
        return is_cooked(game);
    case HHDB_COOK_HERE:
        return contains(comment_at(game, n), "<cook");
    case HHDB_MINOR_DUAL_HERE:
        return contains(comment_at(game, n), "<minor_dual");
    case HHDB_DUAL:
        return has_dual(black);
    case HHDB_SOUND:
        return !((has_dual(black) && is_cooked(game)) || has_flaw(black));
    case HHDB_UNSOUND:
        return has_dual(black) || has_flaw(black) || is_cooked(game);
    case HHDB_MAINLINE:
        return in_main_play(c, game, n);
    default: // HHDB_VARIATION
        return !in_main_play(c, game, n);
    }
}

int32_t rt_hhdb_code(Context *c, String code)
{
    return contains(game_roster(run_game_of(c))->black, string_or_empty(code)->bytes);
}

int32_t rt_hhdb_text_here(Context *c, int32_t n, String text)
{
    return contains(comment_at(run_game_of(c), n), string_or_empty(text)->bytes);
}

// ---- string keys ------------------------------------------------------------------------------------------

// Sets *value to the text before the first full stop; false when it is empty or there is none.
static bool sentence(Text text, Text *value)
{
    const char *point = find(text, ".");
    if (point)
        *value = between(text.start, point);
    return point && value->length > 0;
}

static bool composer(const Game *game, Text *value)
{
    if (contains(game_roster(game)->black, "MC"))
        return sentence(comment_at(game, 0), value);
    *value = game_roster(game)->white;
    if (value->length >= 3 && memcmp(value->start + value->length - 3, " NN", 3) == 0)
        value->length -= 3;
    return true;
}

static bool stipulation(Text comment, Text *value)
{
    static const char word[] = "stipulation: ";
    const char *at = find(comment, word);
    return at && sentence(rest_from(comment, at + strlen(word)), value);
}

// What follows the first # that is not before a space or the end, up to a space.
static bool diagram(Text event, Text *value)
{
    for (size_t i = 0; i + 1 < event.length; i++) {
        if (event.start[i] != '#' || event.start[i + 1] == ' ')
            continue;
        const Text rest = rest_from(event, event.start + i + 1);
        const char *space = find(rest, " ");
        *value = space ? between(rest.start, space) : rest;
        return true;
    }
    return false;
}

static bool is_square(const char *s)
{
    return s[0] >= 'a' && s[0] <= 'h' && s[1] >= '1' && s[1] <= '8';
}

static bool is_gbr(const char *s)
{
    if (s[0] < '+' || s[0] > '=' || s[5] != '.')
        return false;
    for (int i = 1; i <= 7; i++)
        if (i != 5 && !is_digit(s[i]))
            return false;
    return is_square(s + 8) && is_square(s + 10);
}

static bool gbr(Text black, int32_t key, Text *value)
{
    enum { GBR_LENGTH = 12 };
    for (size_t i = 0; i + GBR_LENGTH <= black.length; i++) {
        if (!is_gbr(black.start + i))
            continue;
        const char *code = black.start + i;
        *value = key == HHDB_GBR_MATERIAL ? (Text){code + 1, 7}
                 : key == HHDB_GBR_PIECES ? (Text){code + 1, 4}
                 : key == HHDB_GBR_PAWNS  ? (Text){code + 6, 2}
                 : key == HHDB_GBR_KINGS  ? (Text){code + 8, 4}
                                          : (Text){code, GBR_LENGTH};
        return true;
    }
    return false;
}

// Event, White, Black and the first comment, each on a line of its own.
static String search_text(Context *c, const Game *game)
{
    const Text line[4] = {game_roster(game)->event, game_roster(game)->white, game_roster(game)->black,
                          comment_at(game, 0)};
    Buffer *b = run_scratch(c);
    for (int i = 0; i < 3 || (i < 4 && line[i].length > 0); i++) {
        buffer_text(b, i > 0 ? "\n" : "");
        buffer_append(b, line[i].start, line[i].length);
    }
    return run_scratch_string(c);
}

int32_t rt_hhdb_string(Context *c, int32_t key, String *value)
{
    const Game *game = run_game_of(c);
    Text text = {"", 0};
    bool found = false;
    switch (key) {
    case HHDB_COMPOSER:
        found = composer(game, &text);
        break;
    case HHDB_FIRSTCOMMENT:
        text = comment_at(game, 0);
        found = text.length > 0;
        break;
    case HHDB_STIPULATION:
        found = stipulation(comment_at(game, 0), &text);
        break;
    case HHDB_DIAGRAM:
        found = diagram(game_roster(game)->event, &text);
        break;
    case HHDB_SEARCH:
        *value = search_text(c, game);
        return 1;
    case HHDB_DISTINCTION:
    case HHDB_TOURNEY_NAME:
    case HHDB_TOURNEY_EDITION:
    case HHDB_TOURNEY_YEAR_PART:
        return hhdb_event_part(c, key, value);
    default:
        found = key >= HHDB_GBR && key <= HHDB_GBR_KINGS && gbr(game_roster(game)->black, key, &text);
    }
    if (found)
        *value = run_text(c, text);
    return found;
}

// The number after EG# in the first comment.
static bool egdiagram(const Game *game, int32_t *value)
{
    static const char word[] = "EG#";
    Text rest = comment_at(game, 0);
    for (const char *at = find(rest, word); at; at = find(rest, word)) {
        rest = rest_from(rest, at + strlen(word));
        int64_t number = 0;
        size_t digits = 0;
        for (; digits < rest.length && is_digit(rest.start[digits]) && number <= INT32_MAX; digits++)
            number = number * 10 + rest.start[digits] - '0';
        if (digits > 0) {
            *value = (int32_t)number;
            return number <= INT32_MAX;
        }
    }
    return false;
}

int32_t rt_hhdb_number(Context *c, int32_t key, int32_t *value)
{
    const Game *game = run_game_of(c);
    return key == HHDB_EGDIAGRAM ? egdiagram(game, value) : hhdb_year(game_roster(game)->event, key, value);
}
