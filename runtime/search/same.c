// When two records are of the same game.
#include "same.h"

#include <string.h>
#include <xxhash.h>

#include "runtime/value/unicode.h"

// ---- texts ------------------------------------------------------------------------------------------------

// Is it part of a word: a letter or a digit, or beyond ASCII?
static bool is_letter(char c)
{
    return (unsigned char)c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

void name_append_letters(Buffer *out, Text folded)
{
    char *to = buffer_room(out, folded.length);
    for (size_t i = 0; i < folded.length; i++)
        if (is_letter(folded.start[i])) {
            *to++ = folded.start[i];
            out->length++;
        }
}

static bool is_unknown(Text t)
{
    return text_is_unknown(t) || (t.length == 1 && *t.start == '-');
}

// The hash of the letters and digits of a tag; with `whole`, of all its characters.
static uint32_t tag_hash(Text value, bool whole)
{
    Buffer folded = {0}, letters = {0};
    if (is_unknown(value))
        return 0;
    unicode_append_folded(&folded, value.start, value.length);
    name_append_letters(&letters, (Text){folded.start, folded.length});
    const Buffer *b = whole || letters.length == 0 ? &folded : &letters;
    const uint32_t hash = (uint32_t)XXH3_64bits(b->start, b->length);
    buffer_free(&folded);
    buffer_free(&letters);
    return hash != 0 ? hash : 1;
}

static bool is_address(Text site)
{
    return memmem(site.start, site.length, "://", 3) != NULL;
}

static uint32_t digits(const char *p, int count)
{
    uint32_t number = 0;
    for (; count > 0; count--, p++)
        number = number * 10 + (*p == '?' ? 0 : (uint32_t)(*p - '0'));
    return number;
}

// ---- players ----------------------------------------------------------------------------------------------

// The number of the first letter, or 0.
static uint16_t first_letter(Text folded)
{
    size_t i = 0;
    uint32_t character = 0;
    while (i < folded.length && !is_letter(folded.start[i]))
        i++;
    if (i < folded.length && unicode_decode(folded.start + i, folded.length - i, &character) == 0)
        character = (unsigned char)folded.start[i];
    return (uint16_t)character;
}

void name_split(Text folded, Text *family, Text *given)
{
    const char *text = folded.start,
               *parenthesis = folded.length > 0 ? memchr(text, '(', folded.length) : NULL;
    const char *end =
        text + (parenthesis && parenthesis > text ? (size_t)(parenthesis - text) : folded.length);
    const char *comma = end > text ? memchr(text, ',', (size_t)(end - text)) : NULL, *word = comma;
    while (!comma && end > text && !is_letter(end[-1]))
        end--;
    if (!comma && end > text)
        word = memrchr(text, ' ', (size_t)(end - text));
    const Text before = {text, word ? (size_t)(word - text) : 0},
               after = {word ? word : text, (size_t)(end - (word ? word : text))};
    *family = comma ? before : after;
    *given = comma ? after : before;
}

// Appends the family name and a zero; *initial: that of the given name. False when the player is unknown.
static bool append_player(Buffer *out, Text name, uint16_t *initial)
{
    Buffer folded = {0};
    Text family, given;
    const size_t start = out->length;
    unicode_append_folded(&folded, name.start, name.length);
    name_split((Text){folded.start, folded.length}, &family, &given);
    name_append_letters(out, family);
    *initial = first_letter(given);
    buffer_free(&folded);
    const size_t length = out->length - start;
    if (length == 2 && memcmp(out->start + start, "nn", 2) == 0)
        out->length = start;
    const bool known = out->length > start;
    buffer_append(out, "", 1);
    return known;
}

// ---- keys -------------------------------------------------------------------------------------------------

// Appends the variant and the starting position, without counters.
static void append_start(Buffer *out, const Game *g)
{
    const Text fen = game_start_fen(g);
    size_t length = 0;
    for (int spaces = 0; length < fen.length && (spaces += fen.start[length] == ' ') < 4;)
        length++;
    buffer_format(out, "%d %.*s", g->variant, (int)length, length > 0 ? fen.start : "");
}

void key_begin(GameKey *key, const Game *g, Buffer *names)
{
    const TagRoster *r = game_roster(g);
    const size_t start = names->length;
    Text site = r->site, link;
    if (!is_address(site) && game_tag(g, text_of("Link"), &link) && is_address(link))
        site = link;
    *key = (GameKey){.next = NO_GAME, .like = NO_GAME, .result = (uint8_t)g->view.result};
    const bool white = append_player(names, r->white, &key->initial[WHITE]),
               black = append_player(names, r->black, &key->initial[BLACK]);
    append_start(names, g);
    key->players = (uint32_t)XXH3_64bits(names->start + start, names->length - start);
    key->event = tag_hash(r->event, false);
    key->site = tag_hash(site, true);
    key->round = tag_hash(r->round, true);
    key->date = 100 * (100 * digits(r->date, 4) + digits(r->date + 5, 2)) + digits(r->date + 8, 2);
    key->flags = (uint8_t)((is_address(site) ? KEY_ADDRESS : 0) | (white && black ? 0 : KEY_NAMELESS));
}

uint64_t key_tags(const GameKey *key)
{
    const uint32_t tags[] = {key->event, key->site, key->round, key->date};
    return XXH3_64bits(tags, sizeof tags);
}

static bool agree(uint32_t a, uint32_t b)
{
    return a == b || a == 0 || b == 0;
}

static bool dates_agree(uint32_t a, uint32_t b)
{
    return agree(a / 10000, b / 10000) && agree(a / 100 % 100, b / 100 % 100) && agree(a % 100, b % 100);
}

bool keys_agree(const GameKey *a, const GameKey *b)
{
    const uint32_t plies = a->plies < b->plies ? a->plies : b->plies;
    if (!agree(a->result, b->result) || !agree(a->initial[WHITE], b->initial[WHITE]) ||
        !agree(a->initial[BLACK], b->initial[BLACK]))
        return false;
    if (key_has_few(a, plies))
        return a->event == b->event && a->site == b->site && a->round == b->round && a->date == b->date;
    if (a->flags & b->flags & KEY_ADDRESS && a->site != b->site)
        return false;
    const bool known = (a->date >= 10000 && b->date >= 10000) || (a->event && b->event);
    return plies >= SAME_SURE_PLIES || (known && dates_agree(a->date, b->date) && agree(a->event, b->event) &&
                                        agree(a->site, b->site) && agree(a->round, b->round));
}
