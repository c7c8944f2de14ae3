// Groups as a table of text, as CSV, TSV and JSON.
#include "groups.h"

#include <string.h>

#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "runtime/value/unicode.h"
#include "group_picture.h"
#include "text.h"

static const Text others = {"(others)", 8};

// ---- a table of text --------------------------------------------------------------------------------------

enum { WIDEST = 40 }; // characters of a value

static size_t characters(Text text)
{
    return unicode_columns(text.start, text.length);
}

enum { MOST_COLUMNS = 3 + MOST_MEASURES, LEAST_WIDTH = 9, MATCHES_WIDTH = 11, PERCENT_WIDTH = 8 };

typedef struct Table {
    Buffer *out;
    const GroupSpec *spec;
    const GroupRows *rows;
    const Matcher *matcher;
    size_t width[MOST_KEYS];     // of columns of keys
    bool right[MOST_KEYS];       // they contain numbers
    size_t columns;              // of numbers and measures
    size_t column[MOST_COLUMNS]; // their widths, with the space before them
    Buffer cell;
    double most; // the greatest value of a bar
    size_t bar;  // its width
} Table;

static Text shown(const GroupRow *row, size_t k)
{
    return row->value ? row->value[k].text : k == 0 ? others : (Text){"", 0};
}

// What is in a column of numbers; NULL: the heading.
static Text cell_of(Table *t, const GroupRow *row, size_t column)
{
    if (!row)
        return text_of(group_heading(t->spec, column, false));
    t->cell.length = 0;
    group_put_cell(&t->cell, t->spec, t->rows, row, column, false);
    return (Text){t->cell.start, t->cell.length};
}

static void widen(size_t *width, size_t need)
{
    *width = need > *width ? need : *width;
}

static void measure(Table *t)
{
    for (size_t k = 0; k < t->spec->count; k++) {
        t->width[k] = characters(text_of(t->spec->key[k].name));
        t->right[k] = true;
    }
    t->columns = group_columns(t->spec);
    for (size_t c = 0; c < t->columns; c++) {
        const bool percent = strcmp(group_heading(t->spec, c, false), "%") == 0;
        t->column[c] = c == 0 || (c == 1 && !percent) ? MATCHES_WIDTH : percent ? PERCENT_WIDTH : LEAST_WIDTH;
        widen(&t->column[c], 2 + characters(cell_of(t, NULL, c)));
    }
    for (size_t i = 0; i < t->rows->count; i++) {
        const GroupRow *row = &t->rows->row[i];
        for (size_t k = 0; k < t->spec->count; k++) {
            widen(&t->width[k], characters(shown(row, k)));
            t->right[k] &= !row->value || row->value[k].kind != GROUP_VALUE_TEXT;
        }
        for (size_t c = 0; c < t->columns; c++)
            widen(&t->column[c], 2 + characters(cell_of(t, row, c)));
        if (row->value && group_bar(t->spec, t->rows, row) > t->most)
            t->most = group_bar(t->spec, t->rows, row);
    }
    for (size_t k = 0; k < t->spec->count; k++)
        t->width[k] = t->width[k] > WIDEST ? WIDEST : t->width[k];
}

static void put_bar(Table *t, const GroupRow *row)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (t->bar == 0 || !row->value || t->most <= 0)
        return;
    const size_t length = (size_t)(group_bar(t->spec, t->rows, row) / t->most * (double)t->bar * 8 + 0.5);
    buffer_text(t->out, length > 0 ? "  " : "");
    for (size_t i = 0; i < length / 8; i++)
        buffer_text(t->out, "█");
    buffer_text(t->out, eighths[length % 8]);
}

// A row; NULL: the headings.
static void put_row(Table *t, const GroupRow *row)
{
    for (size_t k = 0; k < t->spec->count; k++) {
        text_cell(t->out, row ? shown(row, k) : text_of(t->spec->key[k].name), t->width[k], t->right[k]);
        buffer_text(t->out, k + 1 < t->spec->count ? "  " : "");
    }
    for (size_t c = 0; c < t->columns; c++)
        text_cell(t->out, cell_of(t, row, c), t->column[c], true);
    if (row)
        put_bar(t, row);
    buffer_text(t->out, "\n");
}

// ---- boards of numbers ------------------------------------------------------------------------------------

static void put_board(Buffer *out, const HeatBoard *b)
{
    int width = 1;
    for (int i = 0; i < 64; i++) {
        const int length = (int)strlen(number_text(b->value[i]).text);
        width = length > width ? length : width;
    }
    for (int rank = 7; rank >= 0; rank--) {
        buffer_format(out, "%d", rank + 1);
        for (int file = 0; file < 8; file++) {
            const double value = b->value[8 * rank + file];
            if (value != 0)
                buffer_format(out, " %*s", width, number_text(value).text);
            else
                buffer_format(out, " %*s·", width - 1, "");
        }
        buffer_text(out, "\n");
    }
    buffer_text(out, " ");
    for (int file = 0; file < 8; file++)
        buffer_format(out, " %*c", width, 'a' + file);
    buffer_text(out, "\n");
}

static void put_boards(Buffer *out, const PictureRows *r)
{
    HeatBoards boards;
    heat_boards(&boards, r);
    for (size_t i = 0; i < boards.count; i++) {
        const HeatBoard *b = &boards.board[i];
        if (b->arrows > 0)
            continue;
        buffer_text(out, i > 0 || r->spec->count > 1 ? "\n" : "");
        if (boards.count > 1) {
            text_cell(out, b->title, characters(b->title), false);
            buffer_text(out, "\n");
        }
        put_board(out, b);
    }
    heat_boards_free(&boards);
}

// The rows of one query. On a terminal boards follow them; the board of a single key stands for the rows of its squares.
static void put_rows(Table *t, size_t begin, size_t end, int width)
{
    const PictureRows r = picture_rows(t->spec, t->rows, t->rows->row[begin].query);
    const bool boards = width > 0 && r.picture.kind == PICTURE_BOARDS;
    size_t shown_rows = 0;
    if (boards && t->spec->count == 1)
        put_boards(t->out, &r);
    for (size_t i = begin; i < end; i++) {
        const GroupRow *row = &t->rows->row[i];
        if (boards && t->spec->count == 1 && (!row->value || picture_square(row->value->text) >= 0))
            continue;
        if (shown_rows++ == 0)
            put_row(t, NULL);
        put_row(t, row);
    }
    if (boards && t->spec->count > 1)
        put_boards(t->out, &r);
}

static void write_text(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const Matcher *matcher,
                       int width)
{
    Table t = {.out = out, .spec = spec, .rows = rows, .matcher = matcher};
    size_t used = 2; // before the bars
    measure(&t);
    for (size_t k = 0; k < spec->count; k++)
        used += t.width[k] + (k > 0 ? 2 : 0);
    for (size_t c = 0; c < t.columns; c++)
        used += t.column[c];
    enum { LEAST_BAR = 5, MOST_BAR = 60 };
    t.bar = (size_t)width > used + LEAST_BAR ? (size_t)width - used - 1 : 0;
    t.bar = t.bar > MOST_BAR ? MOST_BAR : t.bar;
    for (size_t begin = 0, end; begin < rows->count; begin = end) {
        end = group_rows_end(rows, begin);
        if (matcher->query_count > 1)
            buffer_format(out, "%s%s\n", begin > 0 ? "\n" : "", matcher->query[rows->row[begin].query].name);
        put_rows(&t, begin, end, width);
    }
    if (rows->count == 0)
        put_row(&t, NULL);
    buffer_free(&t.cell);
}

// ---- CSV and TSV ------------------------------------------------------------------------------------------

// The names of columns are unique: `white` and `black` are those of results.
static const char *csv_heading(const GroupSpec *spec, const GroupKey *key)
{
    for (size_t c = 0; c < group_columns(spec); c++)
        if (key->kind == GROUP_TAG && strcmp(group_heading(spec, c, true), key->name) == 0)
            return key->text;
    return key->name;
}

// A table with `between` between its columns.
static void write_csv_groups(Buffer *out, const GroupSpec *spec, const GroupRows *rows,
                             const Matcher *matcher, TextWriter text, const char *between, const char *end)
{
    const size_t columns = group_columns(spec);
    buffer_format(out, "%s%s", matcher->query_count > 1 ? "query" : "",
                  matcher->query_count > 1 ? between : "");
    for (size_t k = 0; k < spec->count; k++) {
        text(out, text_of(csv_heading(spec, &spec->key[k])));
        buffer_text(out, between);
    }
    for (size_t c = 0; c < columns; c++) {
        text(out, text_of(group_heading(spec, c, true)));
        buffer_text(out, c + 1 < columns ? between : end);
    }
    for (size_t i = 0; i < rows->count; i++) {
        const GroupRow *row = &rows->row[i];
        if (matcher->query_count > 1) {
            text(out, text_of(matcher->query[row->query].name));
            buffer_text(out, between);
        }
        for (size_t k = 0; k < spec->count; k++) {
            if (row->value && row->value[k].kind != GROUP_VALUE_NONE)
                text(out, row->value[k].text);
            else if (!row->value && k == 0)
                text(out, others);
            buffer_text(out, between);
        }
        for (size_t c = 0; c < columns; c++) {
            group_put_cell(out, spec, rows, row, c, true);
            buffer_text(out, c + 1 < columns ? between : end);
        }
    }
}

// ---- JSON -------------------------------------------------------------------------------------------------

static void put_json_value(Buffer *out, const GroupKey *key, const GroupValue *v)
{
    const bool number = key->kind == GROUP_EXPRESSION || key->kind == GROUP_RATING ||
                        key->kind == GROUP_PLY || key->kind == GROUP_PLY_COUNT;
    if (v->kind == GROUP_VALUE_NONE)
        buffer_text(out, "null");
    else if (v->kind == GROUP_VALUE_NUMBER && number && key->part == 0)
        buffer_format(out, "%lld", (long long)v->number);
    else
        text_json(out, v->text);
}

static void put_json_row(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const GroupRow *row,
                         const Matcher *matcher)
{
    buffer_text(out, "{");
    if (matcher->query_count > 1) {
        buffer_text(out, "\"query\":");
        text_json(out, text_of(matcher->query[row->query].name));
        buffer_text(out, ",");
    }
    buffer_text(out, row->value ? "\"group\":{" : "\"others\":true,");
    for (size_t k = 0; row->value && k < spec->count; k++) {
        buffer_text(out, k > 0 ? "," : "");
        text_json(out, text_of(spec->key[k].name));
        buffer_text(out, ":");
        put_json_value(out, &spec->key[k], &row->value[k]);
    }
    buffer_text(out, row->value ? "}" : "");
    for (size_t c = 0; c < group_columns(spec); c++) {
        buffer_text(out, c > 0 || row->value ? "," : "");
        text_json(out, text_of(group_heading(spec, c, true)));
        buffer_text(out, ":");
        const size_t start = out->length;
        group_put_cell(out, spec, rows, row, c, true);
        buffer_text(out, out->length == start ? "null" : "");
    }
    buffer_text(out, "}");
}

// One array, or for JSON Lines an object on each line.
static void write_json(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const Matcher *matcher,
                       bool lines)
{
    buffer_text(out, lines ? "" : "[");
    for (size_t i = 0; i < rows->count; i++) {
        buffer_text(out, lines ? "" : i > 0 ? ",\n " : "\n ");
        put_json_row(out, spec, rows, &rows->row[i], matcher);
        buffer_text(out, lines ? "\n" : "");
    }
    buffer_text(out, lines ? "" : "\n]\n");
}

// ---- dispatch ---------------------------------------------------------------------------------------------

bool groups_have_format(SearchFormat format)
{
    return format_info[format].flags & (FORMAT_GROUPS | FORMAT_GROUPED);
}

void groups_write(Buffer *out, SearchFormat format, const GroupSpec *spec, const GroupTable *table,
                  const FormatSearch *search, int width)
{
    const Matcher *matcher = search->matcher;
    GroupRows rows;
    group_rows(&rows, spec, table, matcher);
    if (format == FORMAT_CSV)
        write_csv_groups(out, spec, &rows, matcher, search->csv_safe ? text_csv_safe : text_csv, ",", "\r\n");
    else if (format == FORMAT_TSV)
        write_csv_groups(out, spec, &rows, matcher, search->csv_safe ? text_tsv_safe : text_tsv, "\t", "\n");
    else if (format == FORMAT_JSON || format == FORMAT_JSONL)
        write_json(out, spec, &rows, matcher, format == FORMAT_JSONL);
    else if (format == FORMAT_HTML)
        groups_write_html(out, spec, &rows, search);
    else if (format == FORMAT_SVG)
        picture_svg(out, spec, &rows, matcher);
    else
        write_text(out, spec, &rows, matcher, width);
    group_rows_free(&rows);
}
