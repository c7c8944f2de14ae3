// A web page: a summary, and for each query its text, a table of its games, and the games with moves and diagrams of their
// matching positions (html_game.c); or a quiz or a worksheet of diagrams (html_task.c).
#include <stdlib.h>
#include <string.h>

#include "runtime/value/ascii.h"
#include "text.h"
#include "writers.h"

enum {
    MOST_TASKS = 5000, // diagrams of a quiz or worksheet
    SHORT_CONTENTS = 8 // queries; a longer list is folded, so that the first diagram is in view
};

void write_html_count(Buffer *out, int64_t number, const char *one, const char *many)
{
    buffer_format(out, "%lld %s", (long long)number, number == 1 ? one : many);
}

// ---- the head ---------------------------------------------------------------------------------------------

void write_html_head(Buffer *out, const FormatSearch *s, const char *style)
{
    buffer_text(
        out, "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
             "<meta name='viewport' content='width=device-width,initial-scale=1'>\n"
             "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src "
             "'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n<title>");
    write_html_title(out, s, false);
    buffer_format(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n", page_style, style);
}

static void write_heading(Buffer *out, const FormatSearch *s)
{
    buffer_text(out, "<h1>");
    write_html_title(out, s, true);
    buffer_text(out, "</h1>\n");
    if (s->matcher->query_count == 1 && !s->page.no_query)
        write_html_lead(out, &s->matcher->query[0]);
}

static void write_summary(Buffer *out, const FormatSearch *s)
{
    buffer_format(out, "<p class='total'><strong>%lld</strong> of ", (long long)s->totals->matches);
    write_html_count(out, s->totals->games, "game", "games");
    buffer_text(out, s->totals->matches == 1 ? " matches, with " : " match, with ");
    write_html_count(out, s->totals->hits, "position", "positions");
    buffer_text(out, s->matcher->query_count > 1 && !s->page.no_query ? ", counted for each query.</p>\n"
                                                                      : ".</p>\n");
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

void write_html_query(Buffer *out, const QueryInfo *query)
{
    buffer_text(out, "<details class='query'><summary>The query");
    if (!html_is_expression(query)) {
        buffer_text(out, " ");
        text_html(out, text_of(query->name));
    }
    buffer_text(out, "</summary><pre>");
    text_html(out, text_of(query->source ? query->source : ""));
    buffer_text(out, "</pre></details>\n");
}

// The only query of a page, unless it is the title.
static void write_only_query(Buffer *out, const FormatSearch *s)
{
    const QueryInfo *query = &s->matcher->query[0];
    if (s->matcher->query_count == 1 && !s->page.no_query && (s->page.title || !html_is_expression(query)))
        write_html_query(out, query);
}

void write_html_search(Buffer *out, const FormatSearch *s)
{
    write_heading(out, s);
    write_summary(out, s);
    write_only_query(out, s);
}

static bool has_tasks(const PageOptions *page)
{
    return page->quiz || page->sheet > 0;
}

// ---- sections ---------------------------------------------------------------------------------------------

bool page_by_query(const PageOptions *page, const Matcher *matcher)
{
    return matcher->query_count > 1 && !page->no_query && !has_tasks(page);
}

static uint32_t section_count(const FormatSearch *s)
{
    return page_by_query(&s->page, s->matcher) ? s->matcher->query_count : 1;
}

// Links to the sections.
static void write_contents(Buffer *out, const FormatSearch *s)
{
    const uint32_t count = section_count(s);
    if (count == 1)
        return;
    if (count > SHORT_CONTENTS)
        buffer_format(out, "<details class='contents'><summary>%u queries</summary>\n", count);
    buffer_text(out, "<nav aria-label='Queries'><ul>\n");
    for (uint32_t q = 0; q < count; q++) {
        buffer_format(out, "<li><a href='#q%u'>", q + 1);
        write_html_query_title(out, &s->matcher->query[q], true);
        buffer_text(out, "</a> <small class='soft'>");
        write_html_count(out, s->query[q].matches, "game", "games");
        buffer_text(out, "</small></li>\n");
    }
    buffer_text(out, count > SHORT_CONTENTS ? "</ul></nav></details>\n" : "</ul></nav>\n");
}

// The heading of a query that has a section, and what it has found.
static void begin_section(Buffer *out, const FormatSearch *s, uint32_t q)
{
    if (section_count(s) == 1)
        return;
    const QueryInfo *query = &s->matcher->query[q];
    buffer_format(out, "<h2 class='of-query' id='q%u'>", q + 1);
    write_html_query_title(out, query, true);
    buffer_text(out, " <small>");
    write_html_count(out, s->query[q].matches, "game", "games");
    buffer_text(out, ", ");
    write_html_count(out, s->query[q].hits, "position", "positions");
    buffer_text(out, "</small></h2>\n");
    write_html_lead(out, query);
    if (!html_is_expression(query))
        write_html_query(out, query);
}

static int64_t section_games(const FormatSearch *s, uint32_t q)
{
    return section_count(s) == 1 ? s->written : s->query[q].matches;
}

static void begin_table(Buffer *out, const FormatSearch *s, uint32_t section)
{
    if (section_games(s, section) == 0) {
        buffer_text(out, "<p>No game to show.</p>\n");
        return;
    }
    buffer_text(out, "<details class='table'><summary>");
    if (section_count(s) == 1)
        write_html_count(out, s->written, "game", "games");
    else
        buffer_text(out, "List of the games");
    buffer_text(out, "</summary>\n<table>\n<thead><tr><th class='n'>Game</th><th>White</th><th>Black</th>"
                     "<th>Result</th><th class='wide'>Date</th><th class='wide'>Event</th><th "
                     "class='n'>Found</th></tr></thead>\n<tbody>\n");
}

static void end_table(Buffer *out, const FormatSearch *s, uint32_t section)
{
    if (section_games(s, section) > 0)
        buffer_text(out, "</tbody>\n</table></details>\n");
}

// How many games of its query a section leaves out.
static void end_section(Buffer *out, const PageState *page, uint32_t section)
{
    const FormatSearch *s = page->search;
    if (section_count(s) == 1 || page->games == s->query[section].matches)
        return;
    buffer_text(out, "<p class='soft screen'>The page shows ");
    write_html_count(out, page->games, "game", "games");
    buffer_format(out, " of %lld.</p>\n", (long long)s->query[section].matches);
}

// ---- sheets -----------------------------------------------------------------------------------------------

// The title of a sheet of a worksheet.
static void write_sheet_title(Buffer *out, const FormatSearch *s, bool first, const char *word,
                              int64_t number)
{
    buffer_text(out, first ? "<h1>" : "<h2>");
    write_html_title(out, s, true);
    buffer_format(out, " <small>%s", word);
    if (number > 0)
        buffer_format(out, " %lld", (long long)number);
    buffer_text(out, first ? "</small></h1>\n" : "</small></h2>\n");
}

static void begin_task(Buffer *out, const PageState *page)
{
    const FormatSearch *s = page->search;
    const int64_t sheet = s->page.sheet, before = page->task - 1;
    if (sheet > 0 && before > 0 && before % sheet == 0)
        buffer_text(out, "</div>\n</section>\n");
    if (sheet > 0 && before % sheet == 0) {
        buffer_format(out, "<section class='sheet of-%lld'>\n", (long long)sheet);
        write_sheet_title(out, s, before == 0, "sheet", before / sheet + 1);
    }
    if (before == 0 || (sheet > 0 && before % sheet == 0))
        buffer_text(out, "<div class='tasks'>\n");
}

static void end_tasks(Buffer *out, const PageState *page)
{
    const PageOptions *o = &page->search->page;
    if (page->task == 0)
        buffer_text(out, "<p>No position to show.</p>\n");
    else
        buffer_text(out, o->sheet > 0 ? "</div>\n</section>\n" : "</div>\n");
    if (page->games > page->task)
        buffer_format(out, "<p class='soft screen'>The page shows the first %d positions.</p>\n", MOST_TASKS);
}

// ---- parts ------------------------------------------------------------------------------------------------

typedef enum PartKind { PART_TABLE, PART_GAMES, PART_TASKS, PART_SOLUTIONS, PART_NONE } PartKind;

static PartKind part_kind(const FormatSearch *s, int part, uint32_t *section)
{
    const uint32_t count = section_count(s), number = (uint32_t)part;
    if (part < 0 || number >= (s->page.quiz ? count : 2 * count))
        return PART_NONE;
    *section = number / 2;
    if (has_tasks(&s->page))
        return number % 2 == 0 ? PART_TASKS : PART_SOLUTIONS;
    return number % 2 == 0 ? PART_TABLE : PART_GAMES;
}

static void begin_page(Buffer *out, const FormatSearch *s)
{
    write_html_head(out, s, "");
    write_html_pieces(out);
    if (has_tasks(&s->page) && s->written < s->totals->matches)
        buffer_format(out,
                      "<p class='soft screen'>The positions are from the first %lld of %lld games.</p>\n",
                      (long long)s->written, (long long)s->totals->matches);
    if (s->page.quiz) {
        write_heading(out, s);
        write_only_query(out, s);
    } else if (s->page.sheet == 0) {
        write_html_search(out, s);
        write_contents(out, s);
    }
}

static void begin_part(PageState *page, Buffer *out, PartKind kind, uint32_t section)
{
    const FormatSearch *s = page->search;
    page->games = 0;
    if (kind == PART_TABLE) {
        begin_section(out, s, section);
        begin_table(out, s, section);
    } else if (kind == PART_SOLUTIONS && page->task > 0) {
        page->task = 0;
        buffer_text(out, "<section class='solutions'>\n");
        write_sheet_title(out, s, false, "solutions", 0);
        buffer_text(out, "<div class='list'>\n");
    }
}

static void end_part(PageState *page, Buffer *out, PartKind kind, uint32_t section)
{
    const FormatSearch *s = page->search;
    if (kind == PART_TABLE)
        end_table(out, s, section);
    else if (kind == PART_GAMES)
        end_section(out, page, section);
    else if (kind == PART_TASKS)
        end_tasks(out, page);
    else if (kind == PART_SOLUTIONS && page->task > 0)
        buffer_text(out, "</div>\n</section>\n");
}

bool page_next(PageState *page, Buffer *out)
{
    uint32_t section;
    PartKind kind = part_kind(page->search, page->next - 1, &section);
    if (kind != PART_NONE)
        end_part(page, out, kind, section);
    else
        begin_page(out, page->search);
    kind = part_kind(page->search, page->next++, &section);
    if (kind != PART_NONE) {
        begin_part(page, out, kind, section);
        return true;
    }
    if (!has_tasks(&page->search->page))
        buffer_format(out, "<script>\n%s</script>\n", page_script);
    buffer_text(out, "</body>\n</html>\n");
    return false;
}

// ---- pieces -----------------------------------------------------------------------------------------------

void begin_html_piece(Buffer *out, const FoundGame *g, bool second)
{
    const uint32_t section = g->section > 0 ? g->section - 1 : 0;
    buffer_format(out, PIECE_BEGIN "%u,", 2 * section + second);
}

// Appends a piece, with the number of its diagram.
static void add_piece(PageState *page, Buffer *out, PartKind kind, const char *piece, size_t length)
{
    const char *number = memchr(piece, *PIECE_NUMBER, length);
    page->games++;
    if (!number)
        buffer_append(out, piece, length);
    if (!number || page->task == MOST_TASKS)
        return;
    page->task++;
    if (kind == PART_TASKS)
        begin_task(out, page);
    buffer_append(out, piece, (size_t)(number - piece));
    buffer_format(out, "%lld", (long long)page->task);
    buffer_append(out, number + 1, (size_t)(piece + length - number - 1));
}

void page_add(PageState *page, Buffer *out, const char *game, size_t length)
{
    uint32_t section = 0;
    const PartKind kind = part_kind(page->search, page->next - 1, &section);
    const uint32_t wanted = 2 * section + (kind == PART_GAMES || kind == PART_SOLUTIONS);
    const char *p = game, *const end = game + length;
    while (p < end) {
        const char *next = memchr(p + 1, *PIECE_BEGIN, (size_t)(end - p - 1));
        next = next ? next : end;
        uint32_t number = 0;
        for (p++; p < next && is_digit(*p); p++)
            number = 10 * number + (uint32_t)(*p - '0');
        if (number == wanted && p < next)
            add_piece(page, out, kind, p + 1, (size_t)(next - p - 1));
        p = next;
    }
}
