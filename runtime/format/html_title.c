// The titles of queries, from the comments that they begin with.
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "text.h"
#include "writers.h"

bool html_is_expression(const QueryInfo *query)
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
    bool code = comment.length > 0 && comment.start[0] == '`';
    for (size_t i = 1; i < comment.length && i <= LONGEST_PART; i++) {
        const bool last = i + 1 == comment.length;
        code ^= comment.start[i] == '`';
        if (!code && (comment.start[i] == ':' || comment.start[i] == '.') &&
            (last || comment.start[i + 1] == ' ')) {
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

// Text with `code` in it. Without elements, as a title of the page has none, only the backticks are left out.
static void write_marked(Buffer *out, Text text, bool elements)
{
    const char *p = text.start, *const end = text.start + text.length;
    while (p < end) {
        const char *open = memchr(p, '`', (size_t)(end - p));
        const char *close = open ? memchr(open + 1, '`', (size_t)(end - open - 1)) : NULL;
        if (!close)
            break;
        text_html(out, (Text){p, (size_t)(open - p)});
        buffer_text(out, elements ? "<code>" : "");
        text_html(out, (Text){open + 1, (size_t)(close - open - 1)});
        buffer_text(out, elements ? "</code>" : "");
        p = close + 1;
    }
    text_html(out, (Text){p, (size_t)(end - p)});
}

bool comment_title(Buffer *out, const char *source)
{
    Buffer comment = {0};
    Text title, rest;
    add_comment(&comment, source);
    split_comment((Text){comment.start, comment.length}, &title, &rest);
    buffer_append(out, title.start ? title.start : "", title.length);
    buffer_free(&comment);
    return title.length > 0;
}

void write_html_query_title(Buffer *out, const QueryInfo *query, bool elements)
{
    Buffer title = {0};
    const bool expression = html_is_expression(query);
    if (query->source && !expression && comment_title(&title, query->source))
        write_marked(out, (Text){title.start, title.length}, elements);
    else
        text_html(out, text_of(expression ? query->source : query->name));
    buffer_free(&title);
}

void write_html_lead(Buffer *out, const QueryInfo *query)
{
    Buffer comment = {0};
    Text title, rest;
    if (query->source && !html_is_expression(query))
        add_comment(&comment, query->source);
    split_comment((Text){comment.start, comment.length}, &title, &rest);
    if (rest.length > 0) {
        char *text = memory_copy(rest.start, rest.length);
        if (text[0] >= 'a' && text[0] <= 'z')
            text[0] = (char)(text[0] - 'a' + 'A');
        buffer_text(out, "<p class='lead'>");
        write_marked(out, text_of(text), true);
        buffer_text(out, "</p>\n");
        free(text);
    }
    buffer_free(&comment);
}

void write_html_title(Buffer *out, const FormatSearch *s, bool elements)
{
    enum { MOST_TITLES = 4 };
    const uint32_t count = s->matcher->query_count;
    if (s->page.title)
        write_marked(out, text_of(s->page.title), elements);
    else if (s->page.no_query)
        buffer_text(out, s->page.sheet ? "Worksheet" : s->page.quiz ? "Quiz" : "Found games");
    else if (count > MOST_TITLES)
        buffer_format(out, "%u queries", count);
    for (uint32_t q = 0; q < count && count <= MOST_TITLES && !s->page.title && !s->page.no_query; q++) {
        buffer_text(out, q > 0 ? "; " : "");
        write_html_query_title(out, &s->matcher->query[q], elements);
    }
}
