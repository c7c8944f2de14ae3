// Groups as a table of text, as CSV and as JSON.
#include "groups.h"

#include <string.h>

#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "runtime/value/unicode.h"
#include "text.h"

static const Text others = {"(others)", 8};

// ---- a table of text --------------------------------------------------------------------------------------

enum { WIDEST = 40 }; // characters of a value

static size_t characters(Text text)
{
    return unicode_columns(text.start, text.length);
}

typedef struct Table {
    Buffer *out;
    const GroupSpec *spec;
    const GroupRows *rows;
    const Matcher *matcher;
    size_t width[MOST_KEYS]; // of columns of keys
    bool right[MOST_KEYS];   // they contain numbers
    double most;             // the greatest value of a bar
    size_t bar;              // its width
} Table;

static Text shown(const GroupRow *row, size_t k)
{
    return row->value ? row->value[k].text : k == 0 ? others : (Text){"", 0};
}

static void measure(Table *t)
{
    for (size_t k = 0; k < t->spec->count; k++) {
        t->width[k] = characters(text_of(t->spec->key[k].name));
        t->right[k] = true;
    }
    for (size_t i = 0; i < t->rows->count; i++) {
        const GroupRow *row = &t->rows->row[i];
        for (size_t k = 0; k < t->spec->count; k++) {
            const size_t width = characters(shown(row, k));
            t->width[k] = width > t->width[k] ? width : t->width[k];
            t->right[k] &= !row->value || row->value[k].kind != GROUP_VALUE_TEXT;
        }
        if (row->value && group_bar(t->spec, t->rows, row) > t->most)
            t->most = group_bar(t->spec, t->rows, row);
    }
    for (size_t k = 0; k < t->spec->count; k++)
        t->width[k] = t->width[k] > WIDEST ? WIDEST : t->width[k];
}

// The width of the numbers' columns, after the keys.
enum { NUMBERS_WIDTH = 11 + 8 + 11 + 3 * 9, SEARCHED_WIDTH = 11 };

static void put_heading(Table *t)
{
    for (size_t k = 0; k < t->spec->count; k++) {
        text_cell(t->out, text_of(t->spec->key[k].name), t->width[k], t->right[k]);
        buffer_text(t->out, k + 1 < t->spec->count ? "  " : "");
    }
    buffer_format(t->out, "%11s", "games");
    if (t->spec->of_all)
        buffer_format(t->out, "%11s", "of all");
    buffer_format(t->out, "%8s%11s%9s%9s%9s\n", "%", "positions", "1-0", "1/2-1/2", "0-1");
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

static void put_row(Table *t, const GroupRow *row)
{
    const GroupNumbers *n = &row->numbers;
    for (size_t k = 0; k < t->spec->count; k++) {
        text_cell(t->out, shown(row, k), t->width[k], t->right[k]);
        buffer_text(t->out, k + 1 < t->spec->count ? "  " : "");
    }
    buffer_format(t->out, "%11lld", (long long)n->games);
    if (t->spec->of_all)
        buffer_format(t->out, "%11lld", (long long)n->searched);
    buffer_format(t->out, "%8s%11lld%9lld%9lld%9lld",
                  ascii_decimal(group_percent(t->spec, t->rows, row), 1).text, (long long)n->positions,
                  (long long)n->white, (long long)n->draws, (long long)n->black);
    put_bar(t, row);
    buffer_text(t->out, "\n");
}

static void write_text(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const Matcher *matcher,
                       int width)
{
    Table t = {.out = out, .spec = spec, .rows = rows, .matcher = matcher};
    size_t used = NUMBERS_WIDTH + (spec->of_all ? SEARCHED_WIDTH : 0);
    measure(&t);
    for (size_t k = 0; k < spec->count; k++)
        used += t.width[k] + 2; // before the next column
    enum { LEAST_BAR = 5, MOST_BAR = 60 };
    t.bar = (size_t)width > used + LEAST_BAR ? (size_t)width - used - 1 : 0;
    t.bar = t.bar > MOST_BAR ? MOST_BAR : t.bar;
    for (size_t i = 0; i < rows->count; i++) {
        const bool first = i == 0 || rows->row[i].query != rows->row[i - 1].query;
        if (first && matcher->query_count > 1)
            buffer_format(out, "%s%s\n", i > 0 ? "\n" : "", matcher->query[rows->row[i].query].name);
        if (first)
            put_heading(&t);
        put_row(&t, &rows->row[i]);
    }
    if (rows->count == 0)
        put_heading(&t);
}

// ---- CSV --------------------------------------------------------------------------------------------------

static void write_csv_groups(Buffer *out, const GroupSpec *spec, const GroupRows *rows,
                             const Matcher *matcher, TextWriter text)
{
    buffer_text(out, matcher->query_count > 1 ? "query," : "");
    for (size_t k = 0; k < spec->count; k++) {
        text(out, text_of(spec->key[k].name));
        buffer_text(out, ",");
    }
    buffer_format(out, "games,%spercent,positions,white,draws,black\r\n", spec->of_all ? "of_all," : "");
    for (size_t i = 0; i < rows->count; i++) {
        const GroupRow *row = &rows->row[i];
        const GroupNumbers *n = &row->numbers;
        if (matcher->query_count > 1) {
            text(out, text_of(matcher->query[row->query].name));
            buffer_text(out, ",");
        }
        for (size_t k = 0; k < spec->count; k++) {
            if (row->value && row->value[k].kind != GROUP_VALUE_NONE)
                text(out, row->value[k].text);
            else if (!row->value && k == 0)
                text(out, others);
            buffer_text(out, ",");
        }
        buffer_format(out, "%lld,", (long long)n->games);
        if (spec->of_all)
            buffer_format(out, "%lld,", (long long)n->searched);
        buffer_format(out, "%s,%lld,%lld,%lld,%lld\r\n",
                      ascii_decimal(group_percent(spec, rows, row), 2).text, (long long)n->positions,
                      (long long)n->white, (long long)n->draws, (long long)n->black);
    }
}

// ---- JSON -------------------------------------------------------------------------------------------------

static void put_json_value(Buffer *out, const GroupKey *key, const GroupValue *v)
{
    const bool number = key->kind == GROUP_EXPRESSION || key->kind == GROUP_RATING;
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
    const GroupNumbers *n = &row->numbers;
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
    buffer_format(out, "%s\"games\":%lld,", row->value ? "}," : "", (long long)n->games);
    if (spec->of_all)
        buffer_format(out, "\"of_all\":%lld,", (long long)n->searched);
    buffer_format(out, "\"percent\":%s,\"positions\":%lld,\"white\":%lld,\"draws\":%lld,\"black\":%lld}",
                  ascii_decimal(group_percent(spec, rows, row), 2).text, (long long)n->positions,
                  (long long)n->white, (long long)n->draws, (long long)n->black);
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
        write_csv_groups(out, spec, &rows, matcher, search->csv_safe ? text_csv_safe : text_csv);
    else if (format == FORMAT_JSON || format == FORMAT_JSONL)
        write_json(out, spec, &rows, matcher, format == FORMAT_JSONL);
    else if (format == FORMAT_HTML)
        groups_write_html(out, spec, &rows, search);
    else
        write_text(out, spec, &rows, matcher, width);
    group_rows_free(&rows);
}
