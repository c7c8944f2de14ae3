// The `hhdb` filters: conventions of study databases in tags and comments (language reference 9.7).
#include "hhdb.h"

#include "runtime/match/run_state.h"

// ---- texts ------------------------------------------------------------------------------------------------

static Text literal(const char *text)
{
    return (Text){text, strlen(text)};
}

// Offset of the first occurrence of `part` at or after `from`, or -1.
static int64_t find_text(Text whole, Text part, size_t from)
{
    for (size_t i = from; i + part.length <= whole.length; i++)
        if (memcmp(whole.start + i, part.start, part.length) == 0)
            return (int64_t)i;
    return -1;
}

static bool holds(Text whole, const char *part)
{
    return find_text(whole, literal(part), 0) >= 0;
}

static Text part_of(Text text, size_t begin, size_t end)
{
    return (Text){text.start + begin, end - begin};
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static Text comment_at(const Game *game, int32_t n)
{
    return game->note && n < game->view.count ? game->note[n].comment : (Text){"", 0};
}

static bool give(Context *c, Text text, String *value)
{
    *value = run_string(c, text.start, text.length);
    return true;
}

// ---- logical keys -----------------------------------------------------------------------------------------

static bool is_cooked(const Game *game)
{
    return game_text_holds(game, literal("<cook"));
}

static bool has_dual(Text black)
{
    return holds(black, "U1") || holds(black, "U2");
}

static bool has_flaw(Text black)
{
    return holds(black, "U3") || holds(black, "U4") || holds(black, "U5");
}

// No secondary move on the way here lacks the mark <main>.
static bool in_main_play(const Context *c, const Game *game, int32_t n)
{
    for (; n > 0; n = c->node[n].parent)
        if (c->node[n].index > 0 && !holds(comment_at(game, n), "<main>"))
            return false;
    return true;
}

int32_t rt_hhdb_bool(Context *c, int32_t n, int32_t key)
{
    const Game *game = run_game_of(c);
    const Text black = game->roster.black;
    switch (key) {
    case HHDB_COOKED:
        return is_cooked(game);
    case HHDB_COOK_HERE:
        return holds(comment_at(game, n), "<cook");
    case HHDB_MINOR_DUAL_HERE:
        return holds(comment_at(game, n), "<minor_dual");
    case HHDB_DUAL:
        return has_dual(black);
    case HHDB_SOUND:
        return !((has_dual(black) && is_cooked(game)) || has_flaw(black));
    case HHDB_UNSOUND:
        return has_dual(black) || has_flaw(black) || is_cooked(game);
    case HHDB_MAINLINE:
        return in_main_play(c, game, n);
    case HHDB_VARIATION:
        return !in_main_play(c, game, n);
    default:
        return 0;
    }
}

int32_t rt_hhdb_code(Context *c, String code)
{
    return holds(run_game_of(c)->roster.black, string_or_empty(code)->bytes);
}

int32_t rt_hhdb_text_here(Context *c, int32_t n, String text)
{
    return holds(comment_at(run_game_of(c), n), string_or_empty(text)->bytes);
}

// ---- string keys ------------------------------------------------------------------------------------------

static bool composer(const Game *game, Text *value)
{
    const Text white = game->roster.white;
    if (holds(game->roster.black, "MC")) {
        const Text comment = comment_at(game, 0);
        const int64_t point = find_text(comment, literal("."), 0);
        *value = part_of(comment, 0, point > 0 ? (size_t)point : 0);
        return point > 0;
    }
    const bool suffix = white.length >= 3 && memcmp(white.start + white.length - 3, " NN", 3) == 0;
    *value = part_of(white, 0, white.length - (suffix ? 3 : 0));
    return true;
}

static bool stipulation(Text comment, Text *value)
{
    const Text word = literal("stipulation: ");
    const int64_t at = find_text(comment, word, 0);
    if (at < 0)
        return false;
    const size_t begin = (size_t)at + word.length;
    const int64_t point = find_text(comment, literal("."), begin);
    if (point <= (int64_t)begin)
        return false;
    *value = part_of(comment, begin, (size_t)point);
    return true;
}

static bool diagram(Text event, Text *value)
{
    for (size_t i = 0; i + 1 < event.length; i++) {
        if (event.start[i] != '#' || event.start[i + 1] == ' ')
            continue;
        size_t end = i + 1;
        while (end < event.length && event.start[end] != ' ')
            end++;
        *value = part_of(event, i + 1, end);
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
        const Text code = part_of(black, i, i + GBR_LENGTH);
        *value = key == HHDB_GBR_MATERIAL ? part_of(code, 1, 8)
                 : key == HHDB_GBR_PIECES ? part_of(code, 1, 5)
                 : key == HHDB_GBR_PAWNS  ? part_of(code, 6, 8)
                 : key == HHDB_GBR_KINGS  ? part_of(code, 8, 12)
                                          : code;
        return true;
    }
    return false;
}

// Event, White, Black and the first comment, on lines of their own.
static String search_text(Context *c, const Game *game)
{
    const Text line[4] = {game->roster.event, game->roster.white, game->roster.black, comment_at(game, 0)};
    const int lines = line[3].length > 0 ? 4 : 3;
    size_t length = (size_t)lines - 1;
    for (int i = 0; i < lines; i++)
        length += line[i].length;
    CqlString *result = run_string_new(c, length);
    char *next = result->bytes;
    for (int i = 0; i < lines; i++) {
        if (i > 0)
            *next++ = '\n';
        if (line[i].length > 0)
            memcpy(next, line[i].start, line[i].length);
        next += line[i].length;
    }
    return result;
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
        found = diagram(game->roster.event, &text);
        break;
    case HHDB_SEARCH:
        *value = search_text(c, game);
        return 1;
    default:
        found = key >= HHDB_GBR && key <= HHDB_GBR_KINGS && gbr(game->roster.black, key, &text);
    }
    return found && give(c, text, value);
}

int32_t rt_hhdb_egdiagram(Context *c, int32_t *value)
{
    const Text comment = comment_at(run_game_of(c), 0);
    for (int64_t at = find_text(comment, literal("EG#"), 0); at >= 0;
         at = find_text(comment, literal("EG#"), (size_t)at + 1)) {
        size_t i = (size_t)at + 3;
        int64_t number = 0;
        for (; i < comment.length && is_digit(comment.start[i]) && number <= INT32_MAX; i++)
            number = number * 10 + comment.start[i] - '0';
        if (i > (size_t)at + 3) {
            *value = (int32_t)number;
            return number <= INT32_MAX;
        }
    }
    return 0;
}

// ---- awards (9.7.3) ---------------------------------------------------------------------------------------

typedef struct Award {
    int kind; // AWARD_
    bool special;
    int32_t first, last; // ranks, 0: none
} Award;

// Reads a rank at text[*at]; 0 when there is none or it is out of range.
static int32_t read_rank(Text text, size_t *at)
{
    const int64_t limit = 100000000;
    int64_t rank = 0;
    size_t i = *at;
    for (; i < text.length && is_digit(text.start[i]); i++)
        if (rank <= limit)
            rank = rank * 10 + text.start[i] - '0';
    if (rank < 1 || rank > limit)
        return 0;
    *at = i;
    return (int32_t)rank;
}

static bool skip(Text text, size_t *at, const char *word)
{
    const size_t length = strlen(word);
    if (text.length - *at < length || memcmp(text.start + *at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool read_award(Text event, Award *award)
{
    size_t at = 0;
    *award = (Award){.first = read_rank(event, &at)};
    award->last = award->first;
    if (award->first > 0 && skip(event, &at, "/")) {
        award->last = read_rank(event, &at);
        if (award->last <= award->first)
            return false;
    }
    award->special = skip(event, &at, award->first > 0 ? ".sp" : "sp");
    if (skip(event, &at, ".p"))
        award->kind = AWARD_PRIZE;
    else if (skip(event, &at, ".hm"))
        award->kind = AWARD_HM;
    else if (skip(event, &at, ".c"))
        award->kind = AWARD_COMMENDATION;
    return award->kind != 0;
}

static bool find_award(Context *c, int32_t kind, int32_t flags, Award *award)
{
    return read_award(run_game_of(c)->roster.event, award) && (kind == AWARD_ANY || award->kind == kind) &&
           (award->special || !(flags & AWARD_SPECIAL));
}

int32_t rt_hhdb_award(Context *c, int32_t kind, int32_t flags, int32_t *value)
{
    Award award;
    if (!find_award(c, kind, flags, &award))
        return 0;
    if (award.special && !(flags & (AWARD_SPECIAL | AWARD_SORT | AWARD_CATEGORY)))
        return 0;
    if (flags & AWARD_CATEGORY)
        *value = 2 * award.kind - 1 + award.special;
    else if (award.first == 0)
        *value = flags & AWARD_MAX ? 10000 : 1;
    else
        *value = flags & AWARD_MAX ? award.last : award.first;
    return 1;
}

int32_t rt_hhdb_award_holds(Context *c, int32_t kind, int32_t flags)
{
    Award award;
    return find_award(c, kind, flags, &award);
}
