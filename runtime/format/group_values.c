// The values of keys and measures at a match.
#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "text.h"
#include "values.h"

// ---- values of games --------------------------------------------------------------------------------------

GroupFacts group_facts(const Game *game, const char *file)
{
    const TagRoster *r = game_roster(game);
    return (GroupFacts){.game = game,
                        .name = {r->white, r->black, r->event, r->site},
                        .date = r->date,
                        .rating = {r->rating[0], r->rating[1]},
                        .result = game->view.result,
                        .eco = r->eco,
                        .file = file};
}

static bool is_known_year(const char *date)
{
    return date[0] != '?';
}

bool group_facts_suffice(const GroupSpec *spec, const GroupFacts *facts)
{
    bool date = false;
    for (size_t i = 0; i < spec->count; i++)
        date |= spec->key[i].kind == GROUP_YEAR || spec->key[i].kind == GROUP_MONTH;
    for (size_t i = 0; i < spec->measure_count; i++)
        date |= spec->measure[i].of.kind == GROUP_YEAR || spec->measure[i].of.kind == GROUP_MONTH;
    return facts->game || !date || is_known_year(facts->date);
}

static void put_known_text(Buffer *out, Text text)
{
    if (text.length > 0)
        value_put_text(out, text);
    else
        value_put_none(out);
}

// Is this a dot and a month from 01 to 12?
static bool is_month(const char *text)
{
    return text[0] == '.' && ((text[1] == '0' && text[2] >= '1' && text[2] <= '9') ||
                              (text[1] == '1' && text[2] >= '0' && text[2] <= '2'));
}

static bool is_year(Text text)
{
    size_t digits = 0;
    while (digits < text.length && text.start[digits] >= '0' && text.start[digits] <= '9')
        digits++;
    return digits == 4;
}

static void put_number(Buffer *out, const GroupKey *key, int64_t value)
{
    const int64_t rest = key->part > 0 ? value % key->part : 0;
    value_put_number(out, value - rest - (rest < 0 ? key->part : 0));
}

// The year and month of Date, or when its year is not known, of UTCDate.
static void put_date(Buffer *out, const GroupKey *key, const GroupFacts *f, size_t length)
{
    const char *date = f->date;
    char other[8] = "????.??";
    Text utc;
    if (!is_known_year(date) && f->game && game_tag(f->game, text_of("UTCDate"), &utc) && is_year(utc)) {
        memcpy(other, utc.start, 4);
        if (utc.length >= 7 && is_month(utc.start + 4))
            memcpy(other + 5, utc.start + 5, 2);
        date = other;
    }
    if (key->part == 0)
        value_put_text(out, (Text){date, length});
    else if (is_year((Text){date, 4}))
        put_number(out, key, atoi((const char[]){date[0], date[1], date[2], date[3], '\0'}));
    else
        value_put_none(out);
}

static void put_rating(Buffer *out, const GroupKey *key, const int rating[2])
{
    const bool both = key->whose == RATING_AVERAGE;
    const int value = !both ? rating[key->whose] : rating[0] && rating[1] ? (rating[0] + rating[1]) / 2 : 0;
    if (value == 0)
        value_put_none(out);
    else
        put_number(out, key, value);
}

static void put_tag(Buffer *out, const GroupKey *key, const GroupFacts *f)
{
    Text value = {0};
    if (key->columns == 1U << COLUMN_DATE)
        value = (Text){f->date, 10};
    else if (key->columns)
        value = f->name[__builtin_ctz(key->columns)];
    else if (!game_tag(f->game, text_of(key->text), &value))
        value.length = 0;
    put_known_text(out, value);
}

// ---- values of positions ----------------------------------------------------------------------------------

static void put_letter(Buffer *out, int piece)
{
    static const char letters[] = " PNBRQKpnbrqk";
    if (piece == EMPTY)
        value_put_none(out);
    else
        value_put_text(out, (Text){&letters[piece], 1});
}

static void put_square(Buffer *out, int square)
{
    char name[2];
    square_name(square, name);
    value_put_text(out, (Text){name, 2});
}

// The position after the next move of the game; -1: it ends here.
static int32_t next_position(const GroupPlace *place)
{
    return place->game->node[place->position].first_child;
}

// The next move; NULL: there is none.
static const Move *next_move(const GroupPlace *place)
{
    const int32_t next = next_position(place);
    return next < 0 ? NULL : &place->game->node[next].move;
}

// A property of the next move.
static void put_move(Buffer *out, GroupKind kind, const GroupPlace *place)
{
    const Move *m = next_move(place);
    const Position *p = place->game->position[place->position];
    char text[SAN_MAX];
    const bool null = m && m->flags & MOVE_NULL;
    if (!m || (null && kind != GROUP_MOVE && kind != GROUP_UCI))
        value_put_none(out);
    else if (kind == GROUP_MOVE)
        value_put_text(out, (Text){text, (size_t)view_san(place->game, next_position(place), text)});
    else if (kind == GROUP_UCI)
        value_put_text(out, (Text){text, (size_t)uci_write(p, *m, text)});
    else if (kind == GROUP_FROM || kind == GROUP_TO)
        put_square(out, kind == GROUP_FROM ? m->from : m->to);
    else if (kind == GROUP_PIECE)
        put_letter(out, m->piece);
    else if (kind == GROUP_CAPTURED)
        put_letter(out, m->victim == NO_SQUARE ? EMPTY : p->square[m->victim]);
    else
        put_letter(out, m->promoted);
}

int32_t group_plies(const GameView *game)
{
    int32_t n = 0;
    while (game->node[n].first_child >= 0)
        n = game->node[n].first_child;
    return game->node[n].ply;
}

// For each of the squares the one where the man on it began.
static void first_squares(const GroupPlace *place, Bitboard squares, uint8_t first[64])
{
    uint8_t man[64]; // by square, some moves before: the square that its man will be on
    memset(man, NO_SQUARE, sizeof man);
    for (; squares; squares &= squares - 1)
        man[bb_first(squares)] = (uint8_t)bb_first(squares);
    for (int32_t n = place->position; n > 0; n = place->game->node[n].parent) {
        const Move *m = &place->game->node[n].move;
        if (m->flags & MOVE_NULL)
            continue;
        if (m->flags & MOVE_DROP && man[m->to] != NO_SQUARE)
            first[man[m->to]] = m->to;
        const uint8_t moved = m->flags & MOVE_DROP ? NO_SQUARE : man[m->to],
                      rook = m->flags & MOVE_CASTLE ? man[m->rook_to] : NO_SQUARE;
        man[m->to] = NO_SQUARE;
        if (m->flags & MOVE_CASTLE) {
            man[m->rook_to] = NO_SQUARE;
            man[m->rook_from] = rook;
        }
        man[m->from] = moved;
    }
    for (uint8_t square = 0; square < 64; square++)
        if (man[square] != NO_SQUARE)
            first[man[square]] = square;
}

// A man by the square where it began: its letter and the square.
static void put_man(Buffer *out, const GroupPlace *place, int first)
{
    static const char letters[] = "?PNBRQKpnbrqk";
    char name[3] = {letters[place->game->position[0]->square[first]]};
    square_name(first, name + 1);
    value_put_text(out, (Text){name, 3});
}

// The men of a position: `KRP-KR`.
static void put_material(Buffer *out, const Position *p)
{
    static const int order[] = {WHITE_KING, WHITE_QUEEN, WHITE_ROOK, WHITE_BISHOP, WHITE_KNIGHT, WHITE_PAWN};
    static const char letters[] = "KQRBNP";
    char text[2 * 64 + 1];
    size_t length = 0;
    for (int side = WHITE; side <= BLACK; side++) {
        if (side == BLACK)
            text[length++] = '-';
        for (int i = 0; i < 6; i++)
            for (int n =
                     __builtin_popcountll(p->board[order[i] + (side == BLACK ? BLACK_PAWN - WHITE_PAWN : 0)]);
                 n > 0; n--)
                text[length++] = letters[i];
    }
    value_put_text(out, (Text){text, length});
}

// The moves that lead to a position: `1.e4 c5 2.Nf3`.
static void put_line(Buffer *out, const GroupPlace *place)
{
    const GameView *game = place->game;
    const int32_t plies = game->node[place->position].ply;
    int32_t *way = memory_zeroed((size_t)plies + 1, sizeof *way);
    Buffer text = {0};
    way[plies] = place->position;
    for (int32_t i = plies; i > 0; i--)
        way[i - 1] = game->node[way[i]].parent;
    for (int32_t i = 1; i <= plies; i++) {
        const int32_t n = way[i], before = way[i - 1];
        const Position *p = game->position[before];
        const int number =
            place->fullmove + (game->node[before].ply + (game->position[0]->side == BLACK)) / 2;
        char san[SAN_MAX];
        const int length = view_san(game, n, san);
        if (p->side == WHITE || before == 0)
            buffer_format(&text, "%s%d.%s", before == 0 ? "" : " ", number, p->side == WHITE ? "" : "..");
        else
            buffer_text(&text, " ");
        buffer_append(&text, san, (size_t)length);
    }
    value_put_text(out, (Text){text.start, text.length});
    buffer_free(&text);
    free(way);
}

// One value for each square.
static size_t put_squares(Buffer *out, const GroupPlace *place, Bitboard squares, bool men)
{
    size_t count = 0;
    uint8_t first[64] = {0};
    if (men && squares)
        first_squares(place, squares, first);
    for (; squares; squares &= squares - 1, count++) {
        if (men)
            put_man(out, place, first[__builtin_ctzll(squares)]);
        else
            put_square(out, __builtin_ctzll(squares));
    }
    return count;
}

// The value of an expression; NULL: it has none.
static const KeyValue *value_of(const GroupKey *key, const GroupPlace *place)
{
    for (int32_t i = 0; place && i < place->value_count; i++)
        if (place->value[i].key == key->expression)
            return &place->value[i];
    return NULL;
}

static size_t put_expression(Buffer *out, const GroupKey *key, const GroupPlace *place)
{
    const KeyValue *v = value_of(key, place);
    if (!v)
        value_put_none(out);
    else if (v->kind == KEY_SQUARES || v->kind == KEY_MEN)
        return put_squares(out, place, v->squares, v->kind == KEY_MEN);
    else if (v->kind == KEY_STRING)
        value_put_text(out, (Text){v->text->bytes, v->text->length});
    else
        put_number(out, key, v->number);
    return 1;
}

// ---- codes ------------------------------------------------------------------------------------------------

enum { SQUARES = 65, PIECES = 13, NUMBERS = 256 }; // 0 of squares and pieces: none

static int32_t codes_of(const GroupKey *key)
{
    switch (key->kind) {
    case GROUP_FROM:
    case GROUP_TO:
        return SQUARES;
    case GROUP_PIECE:
    case GROUP_CAPTURED:
    case GROUP_PROMOTION:
        return PIECES;
    case GROUP_SIDE:
        return 2;
    case GROUP_PLY:
    case GROUP_EXPRESSION:
        return 2 * NUMBERS; // an expression may be a set or a number
    default:
        return key->of_position ? 0 : 1;
    }
}

int32_t group_codes(const GroupSpec *spec)
{
    int64_t codes = spec->by_player || spec->player ? 0 : 1;
    for (size_t k = 0; k < spec->count && codes <= MOST_CODES; k++)
        codes *= codes_of(&spec->key[k]);
    return codes <= MOST_CODES ? (int32_t)codes : 0;
}

static int32_t number_code(const GroupKey *key, int64_t number)
{
    number = key->part > 0 && number >= 0 ? number / key->part : number;
    return number >= 0 && number < NUMBERS ? (int32_t)number : -1;
}

static int32_t expression_code(const GroupKey *key, const GroupPlace *place)
{
    const KeyValue *v = value_of(key, place);
    if (v && v->kind == KEY_NUMBER)
        return number_code(key, v->number);
    if (v && v->kind == KEY_SQUARES && v->squares != 0 && (v->squares & (v->squares - 1)) == 0)
        return NUMBERS + __builtin_ctzll(v->squares);
    return v ? -1 : NUMBERS + SQUARES;
}

static int32_t move_code(GroupKind kind, const GroupPlace *place, const Move *m)
{
    if (!m || m->flags & MOVE_NULL)
        return 0;
    return kind == GROUP_FROM    ? m->from + 1
           : kind == GROUP_TO    ? m->to + 1
           : kind == GROUP_PIECE ? m->piece
           : kind == GROUP_CAPTURED
               ? (m->victim == NO_SQUARE ? 0 : place->game->position[place->position]->square[m->victim])
               : m->promoted;
}

int32_t group_code(const GroupSpec *spec, const GroupPlace *place)
{
    int32_t code = 0;
    const Move *next = next_move(place);
    for (size_t k = 0; k < spec->count; k++) {
        const GroupKey *key = &spec->key[k];
        if (!key->of_position)
            continue;
        const int32_t own = key->kind == GROUP_SIDE ? place->game->position[place->position]->side
                            : key->kind == GROUP_PLY
                                ? number_code(key, place->game->node[place->position].ply)
                            : key->kind == GROUP_EXPRESSION ? expression_code(key, place)
                                                            : move_code(key->kind, place, next);
        if (own < 0)
            return -1;
        code = code * codes_of(key) + own;
    }
    return code;
}

// ---- combinations -----------------------------------------------------------------------------------------

// Results in the order 1-0, 1/2-1/2, 0-1, *.
static const int result_rank[] = {
    [RESULT_UNKNOWN] = 3, [RESULT_WHITE] = 0, [RESULT_BLACK] = 2, [RESULT_DRAW] = 1};

static void put_of_game(Buffer *out, const GroupKey *key, const GroupFacts *f, int side)
{
    const size_t letters =
        key->part > 0 && (size_t)key->part < f->eco.length ? (size_t)key->part : f->eco.length;
    switch (key->kind) {
    case GROUP_TAG:
        put_tag(out, key, f);
        break;
    case GROUP_YEAR:
    case GROUP_MONTH:
        put_date(out, key, f, key->kind == GROUP_YEAR ? 4 : 7);
        break;
    case GROUP_RATING:
        put_rating(out, key, f->rating);
        break;
    case GROUP_RESULT:
        value_put_number(out, result_rank[f->result]);
        break;
    case GROUP_ECO:
        put_known_text(out, (Text){f->eco.start, letters});
        break;
    case GROUP_PLY_COUNT:
        put_number(out, key, f->plies);
        break;
    case GROUP_PLAYER:
        put_known_text(out, f->name[side == BLACK]);
        break;
    case GROUP_OPPONENT:
        put_known_text(out, f->name[side != BLACK]);
        break;
    default:
        value_put_text(out, text_of(f->file));
    }
}

size_t group_put_values(const GroupKey *key, Buffer *out, const GroupFacts *facts, const GroupPlace *place,
                        int side)
{
    if (key->kind == GROUP_EXPRESSION)
        return put_expression(out, key, place);
    if (key->kind == GROUP_PLAYER && side < 0) { // a measure of groups that are not about players
        put_of_game(out, key, facts, WHITE);
        put_of_game(out, key, facts, BLACK);
        return 2;
    }
    if (!key->of_position)
        put_of_game(out, key, facts, side);
    else if (!place)
        value_put_none(out);
    else if (key->kind == GROUP_MEN)
        return put_squares(out, place, place->game->position[place->position]->occupied, true);
    else if (key->kind == GROUP_SIDE)
        value_put_text(out,
                       text_of(place->game->position[place->position]->side == WHITE ? "white" : "black"));
    else if (key->kind == GROUP_PLY)
        put_number(out, key, place->game->node[place->position].ply);
    else if (key->kind == GROUP_MATERIAL)
        put_material(out, place->game->position[place->position]);
    else if (key->kind == GROUP_NEXT_MATERIAL && next_move(place))
        put_material(out, place->game->position[next_position(place)]);
    else if (key->kind == GROUP_NEXT_MATERIAL)
        value_put_none(out);
    else if (key->kind == GROUP_LINE)
        put_line(out, place);
    else
        put_move(out, key->kind, place);
    return 1;
}

// One value of a key.
struct GroupItem {
    size_t start, length; // in GroupMemory.item
};

void group_memory_free(GroupMemory *m)
{
    buffer_free(&m->values);
    buffer_free(&m->item);
    free(m->list);
    free(m->items);
    *m = (GroupMemory){0};
}

static void add_item(GroupMemory *m, size_t start, size_t end)
{
    const struct GroupItem item = {start, end - start};
    MEMORY_PUSH(m->items, m->item_count, m->item_capacity, item);
}

// Collects the values of a key as items; returns how many.
static size_t collect_items(const GroupKey *key, GroupMemory *m, const GroupFacts *facts,
                            const GroupPlace *place, int side)
{
    const size_t start = m->item.length, count = group_put_values(key, &m->item, facts, place, side);
    const char *at = m->item.start + start, *end = m->item.start + m->item.length;
    if (count == 1) {
        add_item(m, start, m->item.length);
        return 1;
    }
    Value value;
    for (const char *begin = at; at < end && value_get(&at, end, &value); begin = at)
        add_item(m, (size_t)(begin - m->item.start), (size_t)(at - m->item.start));
    return count;
}

// Adds the combinations of the items: `count` of them for each key, those of the first key first.
static void combine_items(const GroupSpec *spec, GroupMemory *m, const size_t *count, int side)
{
    size_t chosen[MOST_KEYS] = {0};
    for (;;) {
        GroupValues v = {m->values.length, 0, side};
        for (size_t k = 0, first = 0; k < spec->count; first += count[k], k++) {
            const struct GroupItem *item = &m->items[first + chosen[k]];
            buffer_append(&m->values, m->item.start + item->start, item->length);
        }
        v.length = m->values.length - v.start;
        MEMORY_PUSH(m->list, m->count, m->capacity, v);
        size_t k = spec->count;
        while (k > 0 && ++chosen[k - 1] == count[k - 1])
            chosen[--k] = 0;
        if (k == 0)
            return;
    }
}

// The combinations from the point of view of a side.
static void combine_side(const GroupSpec *spec, GroupMemory *m, const GroupFacts *facts,
                         const GroupPlace *place, int side)
{
    size_t count[MOST_KEYS];
    bool all = true, several = false;
    m->item_count = m->item.length = 0;
    for (size_t k = 0; k < spec->count; k++) {
        count[k] = collect_items(&spec->key[k], m, facts, place, side);
        all &= count[k] > 0;
        several |= count[k] > 1;
    }
    if (!all)
        return;
    if (several) {
        combine_items(spec, m, count, side);
        return;
    }
    const GroupValues v = {m->values.length, m->item.length, side};
    buffer_append(&m->values, m->item.start, m->item.length);
    MEMORY_PUSH(m->list, m->count, m->capacity, v);
}

static bool contains(Text name, const char *part)
{
    return name.length > 0 && memmem(name.start, name.length, part, strlen(part));
}

void group_combine(const GroupSpec *spec, GroupMemory *m, const GroupFacts *facts, const GroupPlace *place)
{
    const Text *name = facts->name;
    m->count = m->values.length = 0;
    m->sides = 0;
    if (!spec->by_player && !spec->player) {
        m->sides = 1;
        combine_side(spec, m, facts, place, -1);
        return;
    }
    // A player who is on both sides is counted as White; so is GroupSpec.player, if the keys are the same for both sides.
    const bool same =
        name[WHITE].length == name[BLACK].length &&
        (name[WHITE].length == 0 || memcmp(name[WHITE].start, name[BLACK].start, name[WHITE].length) == 0);
    for (int side = WHITE; side <= BLACK && (m->sides == 0 || (spec->by_side && !same)); side++)
        if (!spec->player || contains(name[side], spec->player)) {
            m->sides++;
            combine_side(spec, m, facts, place, side);
        }
}

bool group_values_are_good(const GroupSpec *spec, uint32_t query, const char *values, size_t length)
{
    const char *end = values + length;
    const bool detail = query != GROUP_NO_QUERY && query >= GROUP_DETAIL;
    Value value;
    if (detail && query / GROUP_DETAIL > spec->measure_count)
        return false;
    for (size_t i = 0; i < spec->count + detail; i++)
        if (!value_get(&values, end, &value))
            return false;
    return values == end;
}
