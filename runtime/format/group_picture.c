// Which picture suits groups, and the numbers that it shows.
#include "group_picture.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"

static double count_of(const PictureRows *r, const GroupNumbers *numbers)
{
    const GroupRow row = {.query = r->row->query, .numbers = *numbers};
    return group_bar(r->spec, r->rows, &row);
}

double picture_value(const PictureRows *r, const Group *g)
{
    if (!r->measure)
        return count_of(r, &g->numbers);
    const GroupAmount *a = &r->row[g->game].amount[r->measure - r->spec->measure];
    return (double)a->numerator / (double)a->denominator;
}

const char *picture_unit(const PictureRows *r)
{
    return r->measure                    ? (r->measure->kind == MEASURE_SCORE ? " %" : "")
           : group_has_searched(r->spec) ? " %"
                                         : "";
}

bool picture_counts(const PictureRows *r)
{
    return !r->measure && !group_has_searched(r->spec);
}

Decimal number_text(double number)
{
    const bool whole = number == (double)(int64_t)number;
    return ascii_decimal(number, whole ? 0 : number < 1 && number > -1 ? 2 : 1);
}

Decimal brief_number(double number)
{
    const char *unit = number < 1e6 ? "k" : "M";
    const double shown = number / (number < 1e6 ? 1e3 : 1e6);
    if (number < 10000)
        return number_text(number);
    Decimal d = ascii_decimal(shown, shown < 100);
    strcat(d.text, unit);
    return d;
}

// ---- values -----------------------------------------------------------------------------------------------

int picture_square(Text text)
{
    const bool square = text.length == 2 && text.start[0] >= 'a' && text.start[0] <= 'h' &&
                        text.start[1] >= '1' && text.start[1] <= '8';
    return square ? 8 * (text.start[1] - '1') + text.start[0] - 'a' : -1;
}

double picture_number(Text text)
{
    size_t i = text.length > 0 && text.start[0] == '-';
    double number = 0;
    for (; i < text.length && is_digit(text.start[i]); i++)
        number = 10 * number + (text.start[i] - '0');
    if (text.length == 7 && i == 4 && text.start[4] == '.')
        number += (10 * (text.start[5] - '0') + text.start[6] - '0' - 1) / 12.0;
    return text.length > 0 && text.start[0] == '-' ? -number : number;
}

static bool is_year(const GroupKey *key, const GroupValue *v)
{
    return (key->kind == GROUP_YEAR || key->kind == GROUP_MONTH) && v->text.length >= 4 &&
           is_digit(v->text.start[0]);
}

// Is this key a square in all rows that have a value of it? A move like `e4` is not.
static bool are_squares(const PictureRows *r, size_t k)
{
    size_t squares = 0, others = r->spec->key[k].kind == GROUP_MOVE;
    for (size_t i = 0; i < r->count && others == 0; i++) {
        const GroupValue *v = &r->row[i].value[k];
        squares += v->kind != GROUP_VALUE_NONE && picture_square(v->text) >= 0;
        others += v->kind != GROUP_VALUE_NONE && picture_square(v->text) < 0;
    }
    return squares > 0 && others == 0;
}

// Numbers and years; unknown ones are left out.
static bool has_place(const GroupKey *key, const GroupValue *v)
{
    return key->kind != GROUP_RESULT && (v->kind == GROUP_VALUE_NUMBER || is_year(key, v));
}

// Is this key a number in all rows, and are there enough different ones for a line?
static bool are_points(const PictureRows *r, size_t k)
{
    enum { FEW = 12 };
    GroupTable points = {0};
    const GroupKey *key = &r->spec->key[k];
    bool good = true;
    for (size_t i = 0; i < r->count && good; i++) {
        const GroupValue *v = &r->row[i].value[k];
        good = has_place(key, v) || v->kind == GROUP_VALUE_NONE || key->kind == GROUP_YEAR ||
               key->kind == GROUP_MONTH;
        if (has_place(key, v))
            groups_add(&points, 0, v->text.start, v->text.length, &r->row[i].numbers);
    }
    good = good && points.count > FEW;
    groups_free(&points);
    return good;
}

static Picture picture_of(const PictureRows *r)
{
    const size_t keys = r->spec->count;
    for (size_t k = 0; k < keys && keys <= 2; k++)
        if (are_squares(r, k)) {
            const size_t other = keys == 1 ? NO_KEY : 1 - k;
            return (Picture){PICTURE_BOARDS, k, other, other != NO_KEY && are_squares(r, other)};
        }
    for (size_t k = 0; k < keys && keys > 1; k++)
        if (r->spec->key[k].kind == GROUP_RESULT)
            return (Picture){PICTURE_BARS, NO_KEY, k, false};
    for (size_t k = 0; k < keys && keys <= 2; k++)
        if (are_points(r, k))
            return (Picture){PICTURE_LINES, k, keys == 1 ? NO_KEY : 1 - k, false};
    return (Picture){PICTURE_BARS, NO_KEY, NO_KEY, false};
}

// Has the row a value of this key, and of the measure?
static bool is_drawn(const PictureRows *r, const GroupRow *row, size_t needed)
{
    const bool good = needed == NO_KEY || picture_square(row->value[needed].text) >= 0 ||
                      has_place(&r->spec->key[needed], &row->value[needed]);
    return good && (!r->measure || row->amount[r->measure - r->spec->measure].denominator != 0);
}

// The first measure, if it is not a number of games and is known of all groups.
static const GroupMeasure *measure_of(const PictureRows *r)
{
    const GroupMeasure *m = r->spec->measure_count > 0 ? r->spec->measure : NULL;
    const bool joined = r->picture.arrows || (r->picture.kind == PICTURE_BARS && r->picture.split != NO_KEY);
    const bool limited =
        m && r->spec->limit > 0 && (m->kind == MEASURE_MEDIAN || m->kind == MEASURE_DISTINCT);
    return m && m->kind >= MEASURE_SCORE && !joined && !limited ? m : NULL;
}

PictureRows picture_rows(const GroupSpec *spec, const GroupRows *rows, uint32_t query)
{
    size_t begin = 0, end;
    while (begin < rows->all_count && rows->all[begin].query != query)
        begin++;
    for (end = begin; end < rows->all_count && rows->all[end].query == query; end++)
        ;
    PictureRows r = {.spec = spec, .rows = rows, .row = rows->all + begin, .count = end - begin};
    r.picture = picture_of(&r);
    r.measure = measure_of(&r);
    size_t drawn = 0;
    for (size_t i = 0; i < r.count; i++)
        drawn += is_drawn(&r, &r.row[i], r.picture.point);
    r.measure = drawn > 0 ? r.measure : NULL;
    return r;
}

// ---- joined rows ------------------------------------------------------------------------------------------

static bool same(Text a, Text b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.start, b.start, a.length) == 0);
}

void picture_join(GroupTable *table, const PictureRows *r, unsigned keys, size_t needed, size_t only,
                  Text value)
{
    Buffer label = {0};
    *table = (GroupTable){0};
    for (size_t i = 0; i < r->count; i++) {
        const GroupValue *v = r->row[i].value;
        if ((only != NO_KEY && !same(v[only].text, value)) || !is_drawn(r, &r->row[i], needed))
            continue;
        label.length = 0;
        for (size_t k = 0; k < r->spec->count; k++)
            if (keys >> k & 1) {
                buffer_text(&label, label.length > 0 ? ", " : "");
                buffer_append(&label, v[k].text.start, v[k].text.length);
            }
        const size_t group =
            groups_add(table, 0, label.start ? label.start : "", label.length, &r->row[i].numbers);
        table->group[group].game = (int64_t)i;
    }
    buffer_free(&label);
}

static int compare_starts(const void *left, const void *right)
{
    const Group *a = left, *b = right;
    return (a->start > b->start) - (a->start < b->start);
}

static int compare_games(const void *left, const void *right)
{
    const int64_t a = ((const Group *)left)->numbers.games, b = ((const Group *)right)->numbers.games;
    return a != b ? (a < b) - (a > b) : compare_starts(left, right);
}

static int compare_positions(const void *left, const void *right)
{
    const int64_t a = ((const Group *)left)->numbers.positions, b = ((const Group *)right)->numbers.positions;
    return a != b ? (a < b) - (a > b) : compare_starts(left, right);
}

// The groups with the most matches first, of equal ones the first.
static void sort_by_matches(GroupTable *t, const PictureRows *r)
{
    if (t->count > 1)
        qsort(t->group, t->count, sizeof *t->group,
              r->spec->per_position ? compare_positions : compare_games);
}

size_t picture_keep(GroupTable *table, const PictureRows *r, size_t most)
{
    if (table->count <= most)
        return table->count;
    sort_by_matches(table, r);
    qsort(table->group, most, sizeof *table->group, compare_starts);
    return most;
}

size_t picture_largest(GroupTable *table, const PictureRows *r, size_t key, size_t needed, Text *value,
                       size_t most)
{
    picture_join(table, r, 1U << key, needed, NO_KEY, (Text){0});
    sort_by_matches(table, r);
    const size_t count = table->count < most ? table->count : most;
    for (size_t i = 0; i < count; i++)
        value[i] = (Text){table->values.start + table->group[i].start, table->group[i].length};
    return count;
}

// ---- boards -----------------------------------------------------------------------------------------------

static void add_board(HeatBoards *b, const PictureRows *r, size_t point, size_t only, Text value, Text title)
{
    GroupTable squares;
    HeatBoard *board = &b->board[b->count++];
    *board = (HeatBoard){.title = title};
    picture_join(&squares, r, 1U << point, point, only, value);
    for (size_t i = 0; i < squares.count; i++) {
        const Group *g = &squares.group[i];
        const int square = picture_square((Text){squares.values.start + g->start, g->length});
        board->value[square] = picture_value(r, g);
    }
    groups_free(&squares);
}

static void add_arrow(HeatBoard *board, int from, int to, double value)
{
    int i = board->arrows;
    while (i > 0 && value > board->arrow[i - 1].value)
        i--;
    if (from < 0 || to < 0 || from == to || i == MOST_HEAT_ARROWS)
        return;
    board->arrows += board->arrows < MOST_HEAT_ARROWS;
    for (int k = board->arrows - 1; k > i; k--)
        board->arrow[k] = board->arrow[k - 1];
    board->arrow[i].from = from;
    board->arrow[i].to = to;
    board->arrow[i].value = value;
}

// Arrows go from the squares of the first key to those of the second, or from those of `from`.
static void add_arrows(HeatBoards *b, const PictureRows *r)
{
    HeatBoard *board = &b->board[b->count];
    const size_t from = r->spec->key[1].kind == GROUP_FROM;
    *board = (HeatBoard){.title = text_of("the most frequent arrows")};
    for (size_t i = 0; i < r->count; i++)
        add_arrow(board, picture_square(r->row[i].value[from].text),
                  picture_square(r->row[i].value[1 - from].text), count_of(r, &r->row[i].numbers));
    b->count += board->arrows > 0;
}

void heat_boards(HeatBoards *b, const PictureRows *r)
{
    const Picture *p = &r->picture;
    Text value[MOST_BOARDS];
    *b = (HeatBoards){0};
    if (p->split == NO_KEY || p->arrows)
        for (size_t k = 0; k < r->spec->count; k++)
            add_board(b, r, k, NO_KEY, (Text){0}, text_of(r->spec->key[k].name));
    if (p->arrows)
        add_arrows(b, r);
    else if (p->split != NO_KEY) {
        const size_t count = picture_largest(&b->titles, r, p->split, p->point, value, MOST_BOARDS);
        for (size_t i = 0; i < count; i++)
            add_board(b, r, p->point, p->split, value[i], value[i]);
    }
}

void heat_boards_free(HeatBoards *b)
{
    groups_free(&b->titles);
}
