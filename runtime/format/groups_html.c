// Groups as a page: a bar chart as inline SVG and a table for each query.
#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "runtime/value/unicode.h"
#include "text.h"
#include "writers.h"

// What the style of all pages does not have.
static const char style[] =
    ":root { --white: #e8d9b8; --draw: #a9a9a9; --black: #4b5a73 }\n"
    ".scroll { overflow-x: auto }\n"
    ".scroll svg { width: 100%; min-width: 34rem; height: auto; font-size: 13px; fill: var(--ink) }\n"
    ".scroll .white { fill: var(--white) } .draws { fill: var(--draw) } .black { fill: var(--black) }\n"
    ".scroll table { width: auto; font-variant-numeric: tabular-nums }\n"
    ".scroll .n { white-space: nowrap }\n";

// ---- the chart --------------------------------------------------------------------------------------------

enum { BARS = 560, AFTER_BARS = 80, CHARACTER = 8, ROW = 22, MOST_BARS = 200 };
enum { FIT = 30 }; // characters of a label

// The values of all keys, as one label.
static void put_label(Buffer *out, const GroupSpec *spec, const GroupRow *row)
{
    for (size_t k = 0; k < spec->count; k++) {
        buffer_text(out, k > 0 ? ", " : "");
        text_html(out, row->value[k].text);
    }
}

// The width of a label beside its bar.
static int label_width(const GroupSpec *spec, const GroupRow *row)
{
    size_t characters = 1;
    for (size_t k = 0; k < spec->count; k++) {
        characters += k > 0 ? 2 : 0;
        characters += unicode_count(row->value[k].text.start, row->value[k].text.length);
    }
    return CHARACTER * (int)(characters < FIT + 2 ? characters : FIT + 2);
}

// The label cut to the characters that fit beside a bar.
static void put_short_label(Buffer *out, const GroupSpec *spec, const GroupRow *row)
{
    Buffer all = {0};
    for (size_t k = 0; k < spec->count; k++) {
        buffer_text(&all, k > 0 ? ", " : "");
        buffer_append(&all, row->value[k].text.start, row->value[k].text.length);
    }
    const size_t end = unicode_prefix(all.start, all.length, FIT);
    text_html(out, (Text){all.start, end});
    buffer_text(out, end < all.length ? "…" : "");
    buffer_free(&all);
}

// A bar with a part for each result; games without one leave it shorter than its length.
static void put_bar(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const GroupRow *row,
                    double most, int labels, int y)
{
    const GroupNumbers *n = &row->numbers;
    const int64_t part[] = {n->white, n->draws, n->black, n->games - n->white - n->draws - n->black};
    static const char *const classes[] = {"white", "draws", "black", "other"};
    const double length = most > 0 ? BARS * group_bar(spec, rows, row) / most : 0;
    double x = labels;
    buffer_text(out, "<g><title>");
    put_label(out, spec, row);
    buffer_format(out, ": %lld game%s, 1-0 %lld, 1/2-1/2 %lld, 0-1 %lld</title>\n", (long long)n->games,
                  n->games == 1 ? "" : "s", (long long)n->white, (long long)n->draws, (long long)n->black);
    buffer_format(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", labels - 8, y + 15);
    put_short_label(out, spec, row);
    buffer_text(out, "</text>\n");
    for (int i = 0; i < 4; i++) {
        const double width = n->games > 0 ? length * (double)part[i] / (double)n->games : 0;
        if (width > 0)
            buffer_format(out, "<rect class=\"%s\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\"%s/>\n",
                          classes[i], ascii_decimal(x, 1).text, y + 3, ascii_decimal(width, 1).text, ROW - 6,
                          i == 3 ? " fill=\"none\" stroke=\"currentColor\"" : "");
        x += width;
    }
    buffer_format(out, "<text x=\"%s\" y=\"%d\">%s%s</text></g>\n", ascii_decimal(x + 6, 1).text, y + 15,
                  ascii_decimal(group_bar(spec, rows, row), group_has_searched(spec)).text,
                  group_has_searched(spec) ? " %" : "");
}

static void put_chart(Buffer *out, const GroupSpec *spec, const GroupRows *rows, size_t begin, size_t end)
{
    double most = 0;
    size_t bars = 0;
    int labels = 0;
    for (size_t i = begin; i < end && bars < MOST_BARS && rows->row[i].value; i++, bars++) {
        const double value = group_bar(spec, rows, &rows->row[i]);
        most = value > most ? value : most;
        const int width = label_width(spec, &rows->row[i]);
        labels = width > labels ? width : labels;
    }
    buffer_format(
        out,
        "<div class=\"scroll\"><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Bars with the %s "
        "of each group\">\n",
        labels + BARS + AFTER_BARS, (int)bars * ROW + 30,
        group_has_searched(spec) ? "percentage of matches"
        : spec->per_position     ? "matching positions"
                                 : "matching games");
    for (size_t i = 0; i < bars; i++)
        put_bar(out, spec, rows, &rows->row[begin + i], most, labels, (int)i * ROW);
    static const char *const legend[][2] = {
        {"white", "White wins"}, {"draws", "draws"}, {"black", "Black wins"}};
    for (int i = 0; i < 3; i++)
        buffer_format(out,
                      "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"14\" height=\"14\"/><text x=\"%d\" "
                      "y=\"%d\">%s</text>\n",
                      legend[i][0], labels + 130 * i, (int)bars * ROW + 10, labels + 130 * i + 20,
                      (int)bars * ROW + 22, legend[i][1]);
    buffer_text(out, "</svg></div>\n");
    if (end - begin > bars && rows->row[begin + bars].value)
        buffer_format(out, "<p>The chart has the first %zu groups; the table has all.</p>\n", bars);
}

// ---- the table --------------------------------------------------------------------------------------------

static void put_row(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const GroupRow *row)
{
    buffer_text(out, "<tr>");
    for (size_t k = 0; k < spec->count; k++) {
        const bool number = row->value && row->value[k].kind == GROUP_VALUE_NUMBER;
        buffer_text(out, number ? "<td class=\"n\">" : "<td>");
        text_html(out, row->value ? row->value[k].text : text_of(k == 0 ? "(others)" : ""));
        buffer_text(out, "</td>");
    }
    for (size_t c = 0; c < group_columns(spec); c++) {
        buffer_text(out, "<td class=\"n\">");
        group_put_cell(out, spec, rows, row, c, false);
        buffer_text(out, "</td>");
    }
    buffer_text(out, "</tr>\n");
}

static void put_table(Buffer *out, const GroupSpec *spec, const GroupRows *rows, size_t begin, size_t end)
{
    buffer_text(out, "<div class=\"scroll\"><table>\n<thead><tr>");
    for (size_t k = 0; k < spec->count; k++) {
        buffer_text(out, "<th>");
        text_html(out, text_of(spec->key[k].name));
        buffer_text(out, "</th>");
    }
    for (size_t c = 0; c < group_columns(spec); c++) {
        buffer_text(out, "<th class=\"n\">");
        text_html(out, text_of(group_heading(spec, c, false)));
        buffer_text(out, "</th>");
    }
    buffer_text(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = begin; i < end; i++)
        put_row(out, spec, rows, &rows->row[i]);
    buffer_text(out, "</tbody></table></div>\n");
}

// ---- the page ---------------------------------------------------------------------------------------------

// A copy of the query's text, to be freed, without the expressions of keys and measures, which the compiler adds to its end.
static char *source_without_keys(const GroupSpec *spec, const char *source)
{
    size_t length = source ? strlen(source) : 0;
    const GroupMeasure *measure;
    for (int i = spec->expressions; i-- > 0;) {
        const char *key = group_expression(spec, i, &measure)->text;
        const size_t added = strlen(key) + 1; // after a line end
        if (added <= length && memcmp(source + length - added + 1, key, added - 1) == 0)
            length -= added;
    }
    return memory_copy(source ? source : "", length);
}

// What was searched, as on the page of found games.
static void put_search(Buffer *out, const GroupSpec *spec, const FormatSearch *search)
{
    const uint32_t count = search->matcher->query_count;
    QueryInfo *query = memory_zeroed(count, sizeof *query);
    Matcher matcher = *search->matcher;
    FormatSearch shown = *search;
    for (uint32_t q = 0; q < count; q++) {
        query[q] = search->matcher->query[q];
        query[q].source = source_without_keys(spec, query[q].source);
    }
    matcher.query = query;
    shown.matcher = &matcher;
    write_html_head(out, &shown, style);
    write_html_search(out, &shown);
    for (uint32_t q = 0; q < count; q++)
        free((char *)query[q].source);
    free(query);
}

void groups_write_html(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const FormatSearch *search)
{
    const Matcher *matcher = search->matcher;
    put_search(out, spec, search);
    buffer_text(out, spec->per_position ? "<h2>Positions by " : "<h2>Games by ");
    for (size_t k = 0; k < spec->count; k++) {
        buffer_text(out, k == 0 ? "" : k + 1 == spec->count ? " and " : ", ");
        text_html(out, text_of(spec->key[k].name));
    }
    buffer_text(out, "</h2>\n");
    for (size_t begin = 0, end; begin < rows->count; begin = end) {
        const uint32_t query = rows->row[begin].query;
        for (end = begin; end < rows->count && rows->row[end].query == query; end++)
            ;
        if (matcher->query_count > 1) {
            buffer_text(out, "<h3>");
            text_html(out, text_of(matcher->query[query].name));
            buffer_text(out, "</h3>\n");
        }
        put_chart(out, spec, rows, begin, end);
        put_table(out, spec, rows, begin, end);
    }
    buffer_text(out, "</body>\n</html>\n");
}
