// A web page: a summary, a table of the games, and for each game its moves and diagrams of its matching
// positions (html_game.c).
#include "runtime/value/memory.h"

#include <stdlib.h>
#include <string.h>

#include "found.h"
#include "text.h"
#include "writers.h"

enum {
    SHORT_QUERY = 12, // lines; a longer query is folded
    SHORT_TABLE = 12  // games; a longer table is folded, so that the first diagram is in view
};

// ---- titles -----------------------------------------------------------------------------------------------

static bool is_expression(const QueryInfo *query)
{
    return strncmp(query->name, "-e", 2) == 0 &&
           strspn(query->name + 2, "0123456789") == strlen(query->name + 2);
}

// Appends the text of a comment without its signs and line breaks.
static void add_words(Buffer *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const bool space = strchr(" \t\r\n*/;", text[i]) != NULL && (out->length == 0 || text[i] <= ' ');
        if (!space)
            buffer_append(out, &text[i], 1);
        else if (out->length > 0 && out->start[out->length - 1] != ' ')
            buffer_append(out, " ", 1);
    }
}

// The comment that a query begins with: its lines up to the first empty one.
static void add_comment(Buffer *out, const char *source)
{
    source += strspn(source, " \t\r\n");
    if (strncmp(source, "/*", 2) == 0) {
        const char *end = strstr(source + 2, "*/");
        add_words(out, source + 2, end ? (size_t)(end - source - 2) : 0);
        return;
    }
    while (strncmp(source, "//", 2) == 0 || *source == ';') {
        const size_t length = strcspn(source, "\n");
        Buffer line = {0};
        add_words(&line, source, length);
        const bool is_text = line.length > 0 && (line.length < 8 || memcmp(line.start, "dialect:", 8) != 0);
        if (is_text && out->length > 0)
            buffer_append(out, " ", 1);
        if (is_text)
            buffer_append(out, line.start, line.length);
        const bool ends = line.length == 0 && out->length > 0;
        buffer_free(&line);
        if (ends)
            return;
        source += length + (source[length] == '\n');
        source += strspn(source, " \t");
    }
}

// Splits the comment into a title and what it says after a colon or a full stop; the title is empty when it would be too
// long.
static void split_comment(Text comment, Text *title, Text *rest)
{
    enum { LONGEST = 90, LONGEST_PART = 60 };
    *title = (Text){comment.start, 0};
    *rest = comment;
    for (size_t i = 1; i < comment.length && i <= LONGEST_PART; i++) {
        const bool last = i + 1 == comment.length;
        if ((comment.start[i] == ':' || comment.start[i] == '.') && (last || comment.start[i + 1] == ' ')) {
            title->length = i;
            *rest = last ? (Text){0} : (Text){comment.start + i + 2, comment.length - i - 2};
            return;
        }
    }
    if (comment.length <= LONGEST && comment.length > 0) {
        title->length = comment.length - (comment.start[comment.length - 1] == '.');
        *rest = (Text){0};
    }
}

// The title of a query: what its comment says, its text, or its name; and then the rest of the comment.
static void write_query_title(Buffer *out, const QueryInfo *query)
{
    Buffer comment = {0};
    Text title, rest;
    if (query->source && !is_expression(query))
        add_comment(&comment, query->source);
    split_comment((Text){comment.start, comment.length}, &title, &rest);
    if (title.length == 0)
        title = text_of(is_expression(query) ? query->source : query->name);
    text_html(out, title);
    buffer_free(&comment);
}

static void write_query_lead(Buffer *out, const QueryInfo *query)
{
    Buffer comment = {0};
    Text title, rest;
    if (query->source && !is_expression(query))
        add_comment(&comment, query->source);
    split_comment((Text){comment.start, comment.length}, &title, &rest);
    if (rest.length > 0) {
        char *text = memory_copy(rest.start, rest.length);
        if (text[0] >= 'a' && text[0] <= 'z')
            text[0] = (char)(text[0] - 'a' + 'A');
        buffer_text(out, "<p class='lead'>");
        text_html(out, text_of(text));
        buffer_text(out, "</p>\n");
        free(text);
    }
    buffer_free(&comment);
}

static void write_title(Buffer *out, const Matcher *matcher)
{
    for (uint32_t q = 0; q < matcher->query_count; q++) {
        if (q > 0)
            buffer_text(out, "; ");
        write_query_title(out, &matcher->query[q]);
    }
}

// ---- the page ---------------------------------------------------------------------------------------------

void write_html_count(Buffer *out, int64_t number, const char *one, const char *many)
{
    buffer_format(out, "%lld %s", (long long)number, number == 1 ? one : many);
}

static void write_summary(Buffer *out, const FormatSearch *s)
{
    buffer_format(out, "<p class='total'><strong>%lld</strong> of ", (long long)s->totals->matches);
    write_html_count(out, s->totals->games, "game", "games");
    buffer_text(out, s->totals->matches == 1 ? " matches, with " : " match, with ");
    write_html_count(out, s->totals->hits, "position", "positions");
    buffer_text(out, s->matcher->query_count > 1 ? ", counted for each query.</p>\n" : ".</p>\n");
    if (s->written < s->totals->matches) {
        buffer_text(out, "<p>The page shows the first ");
        write_html_count(out, s->written, "game", "games");
        buffer_text(out, " of them.</p>\n");
    }
    buffer_text(out, "<p class='soft'>Searched:");
    for (size_t i = 0; i < s->input_count; i++) {
        buffer_text(out, i > 0 ? ", " : " ");
        text_html(out, text_of(strcmp(s->input[i], "-") == 0 ? "standard input" : s->input[i]));
    }
    buffer_text(out, "</p>\n");
}

static int line_count(const char *text)
{
    int count = 1;
    while (text && (text = strchr(text, '\n')))
        count += *++text != 0;
    return count;
}

static void write_queries(Buffer *out, const FormatSearch *s)
{
    for (uint32_t q = 0; q < s->matcher->query_count; q++) {
        const QueryInfo *query = &s->matcher->query[q];
        if (s->matcher->query_count == 1 && is_expression(query)) // it is the title
            return;
        buffer_text(out, line_count(query->source) <= SHORT_QUERY ? "<details open>" : "<details>");
        buffer_text(out, "<summary>The query ");
        text_html(out, text_of(query->name));
        if (s->matcher->query_count > 1) {
            buffer_text(out, " (");
            write_html_count(out, s->query[q].matches, "game", "games");
            buffer_text(out, ")");
        }
        buffer_text(out, "</summary><pre>");
        text_html(out, text_of(query->source ? query->source : ""));
        buffer_text(out, "</pre></details>\n");
    }
}

void write_html_head(Buffer *out, const FormatSearch *s, const char *style)
{
    buffer_text(
        out, "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
             "<meta name='viewport' content='width=device-width,initial-scale=1'>\n"
             "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src "
             "'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n<title>");
    write_title(out, s->matcher);
    buffer_format(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n", page_style, style);
}

void write_html_search(Buffer *out, const FormatSearch *s)
{
    buffer_text(out, "<h1>");
    write_title(out, s->matcher);
    buffer_text(out, "</h1>\n");
    if (s->matcher->query_count == 1)
        write_query_lead(out, &s->matcher->query[0]);
    write_summary(out, s);
    write_queries(out, s);
}

void write_html_begin(Buffer *out, const FormatSearch *s)
{
    write_html_head(out, s, "");
    write_html_pieces(out);
    write_html_search(out, s);
    if (s->written == 0)
        return;
    buffer_text(out, s->written <= SHORT_TABLE ? "<details open>" : "<details>");
    buffer_text(out, "<summary>");
    write_html_count(out, s->written, "game", "games");
    buffer_text(out, "</summary>\n<table>\n<thead><tr><th class='n'>Game</th><th>White</th><th>Black</th>"
                     "<th>Result</th><th class='wide'>Date</th><th class='wide'>Event</th><th "
                     "class='n'>Found</th></tr></thead>\n<tbody>\n");
}

void write_html_middle(Buffer *out, const FormatSearch *s)
{
    if (s->written > 0)
        buffer_text(out, "</tbody>\n</table></details>\n");
    else
        buffer_text(out, "<p>No game to show.</p>\n");
}

void write_html_end(Buffer *out)
{
    buffer_format(out, "<script>\n%s</script>\n</body>\n</html>\n", page_script);
}
