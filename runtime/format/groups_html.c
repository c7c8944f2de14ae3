// Groups as a page: a picture and a table for each query.
#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "group_picture.h"
#include "text.h"
#include "writers.h"

// What the style of all pages and that of pictures do not have.
static const char style[] =
    "h3 { margin-top: 1rem }\n.scroll { overflow-x: auto }\n"
    ".scroll table { width: auto; font-variant-numeric: tabular-nums }\n"
    ".scroll .n { white-space: nowrap }\n"
    ".scroll td { overflow-wrap: break-word }\n"
    ".charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); "
    "gap: 1rem 1.5rem; margin: 1rem 0 }\n"
    ".charts:has(figure:only-child) { display: block; max-width: 30rem }\n"
    ".charts figcaption { font-weight: 600; padding: 0 0 .3rem }\n"
    ".chart { display: block; width: 100%; height: auto; "
    "print-color-adjust: exact; -webkit-print-color-adjust: exact }\n"
    "@media print { .chart { width: auto; max-width: 100%; max-height: 24cm } }\n";

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
        buffer_text(out, "<th scope=\"col\">");
        text_html(out, text_of(spec->key[k].name));
        buffer_text(out, "</th>");
    }
    for (size_t c = 0; c < group_columns(spec); c++) {
        buffer_text(out, "<th scope=\"col\" class=\"n\">");
        text_html(out, text_of(group_heading(spec, c, false)));
        buffer_text(out, "</th>");
    }
    buffer_text(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = begin; i < end; i++)
        put_row(out, spec, rows, &rows->row[i]);
    buffer_text(out, "</tbody></table></div>\n");
}

// ---- the page ---------------------------------------------------------------------------------------------

// The length of a text without a line at its end, which may have line ends itself.
static size_t length_without(const char *text, size_t length, const char *line)
{
    const size_t own = strlen(line);
    const bool ends =
        own < length && text[length - own - 1] == '\n' && memcmp(text + length - own, line, own) == 0;
    return ends ? length - own - 1 : length;
}

// A copy of the query's text, to be freed, without what the compiler adds to its end: the expressions of keys and measures, and --among.
static char *source_without_keys(const GroupSpec *spec, const char *source)
{
    size_t length = source ? strlen(source) : 0;
    const GroupMeasure *measure;
    if (spec->among)
        length = length_without(source, length, spec->among);
    for (int i = spec->expressions; i-- > 0;)
        length = length_without(source, length, group_expression(spec, i, &measure)->text);
    return memory_copy(source ? source : "", length);
}

void groups_put_title(Buffer *out, const GroupSpec *spec)
{
    buffer_text(out, spec->per_position ? "Positions" : "Games");
    buffer_text(out, spec->player ? " of " : "");
    text_html(out, text_of(spec->player ? spec->player : ""));
    buffer_text(out, " by ");
    for (size_t k = 0; k < spec->count; k++) {
        buffer_text(out, k == 0 ? "" : k + 1 == spec->count ? " and " : ", ");
        text_html(out, text_of(spec->key[k].name));
    }
    buffer_text(out, spec->among ? ", among " : "");
    text_html(out, text_of(spec->among ? spec->among : ""));
}

static void put_head(Buffer *out, const GroupSpec *spec, const FormatSearch *search)
{
    Buffer rules = {0};
    buffer_text(&rules, style);
    buffer_text(&rules, picture_style);
    buffer_append(&rules, "", 1);
    write_html_head(out, search, rules.start);
    buffer_free(&rules);
    write_html_search(out, search);
    buffer_text(out, "<h2>");
    groups_put_title(out, spec);
    buffer_text(out, "</h2>\n");
}

// Of a query that is not the only one.
static void put_query(Buffer *out, const FormatSearch *search, uint32_t number)
{
    const QueryInfo *query = &search->matcher->query[number];
    buffer_text(out, "<h3>");
    if (search->page.no_query)
        buffer_format(out, "Query %u", number + 1);
    else
        write_html_query_title(out, query, true);
    buffer_text(out, "</h3>\n");
    if (!search->page.no_query && !html_is_expression(query))
        write_html_query(out, query);
}

static void put_groups(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const FormatSearch *search)
{
    put_head(out, spec, search);
    buffer_text(out, rows->count == 0 ? "<p>No groups.</p>\n" : "");
    for (size_t begin = 0, end; begin < rows->count; begin = end) {
        const uint32_t query = rows->row[begin].query;
        end = group_rows_end(rows, begin);
        if (search->matcher->query_count > 1)
            put_query(out, search, query);
        picture_html(out, spec, rows, query);
        put_table(out, spec, rows, begin, end);
    }
    buffer_text(out, "</body>\n</html>\n");
}

void groups_write_html(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const FormatSearch *search)
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
    put_groups(out, spec, rows, &shown);
    for (uint32_t q = 0; q < count; q++)
        free((char *)query[q].source);
    free(query);
}
