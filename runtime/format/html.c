// A web page: a summary, a table of the games, and for each game its moves and diagrams of its matching
// positions.
#include "runtime/value/memory.h"

#include <stdlib.h>
#include <string.h>

#include "found.h"
#include "text.h"
#include "writers.h"

enum {
    MOST_DIAGRAMS = 12, // per game; the other positions are marked in its moves
    SHORT_QUERY = 20    // lines; a longer query is folded
};

static const char style[] =
    ":root{color-scheme:light dark;--paper:#fbfaf7;--ink:#22201c;--soft:#6d675d;--rule:#ddd7cb;"
    "--accent:#8a4b08;--mark:#fff1d6}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--paper:#1d1c1a;--ink:#e9e5dc;--soft:#a49d91;"
    "--rule:#3c3934;--accent:#e9a95c;--mark:#45371f}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:70rem;padding:1rem;background:var(--paper);color:var(--ink);"
    "font:1rem/1.5 system-ui,sans-serif;overflow-wrap:break-word}\n"
    "h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}\n"
    "h2{font-size:1.2rem;line-height:1.3;margin:0}\n"
    "h2 span{white-space:nowrap;margin-left:.4em}\n"
    "a{color:var(--accent)}\n"
    ".soft,figcaption small{color:var(--soft)}\n"
    "pre{overflow-x:auto;padding:.6rem .8rem;border:1px solid var(--rule);border-radius:.4rem;"
    "font-size:.85rem;white-space:pre-wrap}\n"
    "table{border-collapse:collapse;width:100%;font-size:.95rem}\n"
    "th,td{padding:.3rem .6rem .3rem 0;text-align:left;vertical-align:top;border-bottom:1px solid "
    "var(--rule)}\n"
    "th{font-weight:600;color:var(--soft)}\n"
    "th:last-child,td:last-child{padding-right:0}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums}\n"
    "td.r,td.d{white-space:nowrap}\n"
    "section{display:flow-root;margin-top:2.5rem;padding-top:1rem;border-top:2px solid var(--rule)}\n"
    "section p{margin:.3rem 0}\n"
    ".diagrams{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(15rem,100%),1fr));gap:1rem;"
    "margin:1rem 0}\n"
    ".one{float:left;width:17rem;margin:1rem 2rem .5rem 0;display:block}.one~.moves{margin-top:1rem}\n"
    "figure{margin:0;break-inside:avoid}\n"
    "figure:target{outline:3px solid var(--accent);outline-offset:3px}\n"
    "figcaption{line-height:1.35;padding-top:.3rem}\n"
    "figcaption small{display:block}\n"
    "figcaption code{display:block;font-size:.68rem;color:var(--soft);overflow-wrap:anywhere}\n"
    ".diagram{display:block;width:100%;height:auto}\n"
    ".light{fill:#f1ebdd}.dark{fill:#bfa98a}.last{fill:#f0c419;fill-opacity:.55}\n"
    ".next{fill:#1d6f5c;fill-opacity:.75;stroke:#fff;stroke-opacity:.6}\n"
    ".found{fill:none;stroke:#1d6f5c;stroke-width:2.5;stroke-opacity:.85}\n"
    ".diagram text,#board text{font:600 10px system-ui,sans-serif}"
    ".on-light{fill:#8d775a}.on-dark{fill:#f6f0e4}\n"
    ".w,.b{stroke:#15130f;stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}\n"
    ".w{fill:#fff;color:#15130f}.b{fill:#2b2822;color:#f4efe4}.d{stroke:currentColor;fill:none}\n"
    ".moves{max-width:46rem}.moves b{background:var(--mark);border-radius:.2rem;padding:0 .15rem}\n"
    ".moves a{text-decoration:none}.line{font-size:.93em}\n"
    ".moves u{text-decoration:underline 2px #2a947c;text-underline-offset:.2em}\n"
    ".comment{color:var(--soft);font-style:italic;unicode-bidi:isolate}\n"
    "@media screen{section{content-visibility:auto;contain-intrinsic-size:auto 30rem}}\n"
    "@media(max-width:40rem){.wide{display:none}table{font-size:.85rem}th,td{padding-right:.4rem}"
    ".one{float:none;width:min(100%,20rem)}figcaption code{display:none}"
    ".diagrams{grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));gap:.8rem}}\n"
    "@media print{body{max-width:none;padding:0;background:#fff;color:#000;font-size:10pt}"
    "a{color:inherit;text-decoration:none}tr,section{break-inside:avoid}"
    "h1,h2,h2+p{break-after:avoid}.diagrams{grid-template-columns:repeat(3,1fr)}"
    ".light,.dark,.last,.found,.next,.w,.b,.moves b{"
    "print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";

// ---- the page ---------------------------------------------------------------------------------------------

static bool is_expression(const QueryInfo *query)
{
    return strncmp(query->name, "-e", 2) == 0 &&
           strspn(query->name + 2, "0123456789") == strlen(query->name + 2);
}

static void write_title(Buffer *out, const Matcher *matcher)
{
    for (uint32_t q = 0; q < matcher->query_count; q++) {
        const QueryInfo *query = &matcher->query[q];
        if (q > 0)
            buffer_text(out, ", ");
        text_html(out, text_of(is_expression(query) ? query->source : query->name));
    }
}

static void write_number(Buffer *out, int64_t number, const char *one, const char *many)
{
    buffer_format(out, "%lld %s", (long long)number, number == 1 ? one : many);
}

static void write_summary(Buffer *out, const FormatSearch *s)
{
    buffer_format(out, "<p><strong>%lld</strong> of ", (long long)s->totals->matches);
    write_number(out, s->totals->games, "game", "games");
    buffer_text(out, s->totals->matches == 1 ? " matches, with " : " match, with ");
    write_number(out, s->totals->hits, "position", "positions");
    buffer_text(out, ".</p>\n");
    if (s->written < s->totals->matches) {
        buffer_text(out, "<p>The page shows the first ");
        write_number(out, s->written, "game", "games");
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
        buffer_text(out, "<summary>The query");
        if (s->matcher->query_count > 1) {
            buffer_text(out, " ");
            text_html(out, text_of(query->name));
            buffer_text(out, " (");
            write_number(out, s->query[q].matches, "game", "games");
            buffer_text(out, ")");
        }
        buffer_text(out, "</summary><pre>");
        text_html(out, text_of(query->source ? query->source : ""));
        buffer_text(out, "</pre></details>\n");
    }
}

void write_html_begin(Buffer *out, const FormatSearch *s)
{
    buffer_text(out, "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
                     "<meta name='viewport' content='width=device-width,initial-scale=1'>\n<title>");
    write_title(out, s->matcher);
    buffer_format(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", style);
    write_html_pieces(out);
    buffer_text(out, "<h1>");
    write_title(out, s->matcher);
    buffer_text(out, "</h1>\n");
    write_summary(out, s);
    write_queries(out, s);
    if (s->written > 0)
        buffer_text(out,
                    "<table>\n<thead><tr><th class='n'>Game</th><th>White</th><th>Black</th><th>Result</th>"
                    "<th class='wide'>Date</th><th class='wide'>Event</th><th "
                    "class='n'>Found</th></tr></thead>\n<tbody>\n");
}

void write_html_middle(Buffer *out, const FormatSearch *s)
{
    if (s->written > 0)
        buffer_text(out, "</tbody>\n</table>\n");
}

void write_html_end(Buffer *out)
{
    buffer_text(out, "</body>\n</html>\n");
}

// ---- one game ---------------------------------------------------------------------------------------------

// A string whose direction must not change the order of its neighbours.
static void write_isolated(Buffer *out, Text text)
{
    buffer_text(out, "<bdi>");
    text_html(out, text);
    buffer_text(out, "</bdi>");
}

// A date without its unknown parts.
static void write_date(Buffer *out, Text date)
{
    const char *unknown = memchr(date.start, '?', date.length);
    size_t length = unknown ? (size_t)(unknown - date.start) : date.length;
    while (length > 0 && date.start[length - 1] == '.')
        length--;
    text_html(out, (Text){date.start, length});
}

static void write_row(Buffer *out, const FoundGame *g, const FormatMemory *m, int32_t hits)
{
    buffer_format(out, "<tr><td class='n'><a href='#g%lld'>%lld</a></td><td>", (long long)g->number,
                  (long long)g->number);
    text_html(out, found_tag(m, "White"));
    buffer_text(out, "</td><td>");
    text_html(out, found_tag(m, "Black"));
    buffer_format(out, "</td><td class='r'>%s</td><td class='d wide'>", html_result(g));
    write_date(out, found_tag(m, "Date"));
    buffer_text(out, "</td><td class='wide'>");
    text_html(out, found_tag(m, "Event"));
    buffer_format(out, "</td><td class='n'>%d</td></tr>\n", (int)hits);
}

static void write_player(Buffer *out, const FormatMemory *m, const char *name, const char *elo)
{
    Text rating = found_tag(m, elo);
    write_isolated(out, found_tag(m, name));
    if (rating.length > 0) {
        buffer_text(out, " <small class='soft'>");
        text_html(out, rating);
        buffer_text(out, "</small>");
    }
}

// Appends ", TEXT" unless the text is unknown; returns true when the line is not empty.
static bool write_fact(Buffer *out, Text text, bool any)
{
    if (text.length == 0 || (text.length == 1 && *text.start == '?'))
        return any;
    if (any)
        buffer_text(out, ", ");
    write_isolated(out, text);
    return true;
}

static void write_heading(Buffer *out, const FoundGame *g, const FormatMemory *m)
{
    buffer_format(out, "<section id='g%lld'>\n<h2>", (long long)g->number);
    write_player(out, m, "White", "WhiteElo");
    buffer_text(out, " \u2013 ");
    write_player(out, m, "Black", "BlackElo");
    buffer_format(out, "<span>%s</span></h2>\n<p class='soft'>", html_result(g));
    bool any = write_fact(out, found_tag(m, "Event"), false);
    any = write_fact(out, found_tag(m, "Site"), any);
    Buffer date = {0};
    write_date(&date, found_tag(m, "Date"));
    any = write_fact(out, (Text){date.start, date.length}, any);
    buffer_free(&date);
    any = write_fact(out, found_tag(m, "ECO"), any);
    buffer_format(out, "%sgame %lld", any ? " \u00B7 " : "", (long long)g->number);
    if (g->several_inputs) {
        buffer_text(out, " \u00B7 ");
        write_isolated(out, (Text){g->input, strlen(g->input)});
    }
    buffer_text(out, "</p>\n");
}

static void write_sort_values(Buffer *out, const FoundGame *g)
{
    bool any = false;
    for (size_t i = 0; i < g->count; i++) {
        for (int32_t k = 0; k < g->found[i].query->sort_key_count; k++) {
            const SortValue *value = &g->found[i].result->sort[k];
            buffer_text(out, any ? " \u00B7 " : "<p>");
            text_html(out, text_of(g->found[i].query->sort_key[k].name));
            buffer_text(out, ": <b>");
            found_sort_value(out, value, text_html, "none");
            buffer_text(out, "</b>");
            any = true;
        }
    }
    if (any)
        buffer_text(out, "</p>\n");
}

// A move with its number.
static void write_move(Buffer *out, const FoundGame *g, int32_t id)
{
    const GameView *view = &g->game->view;
    const Position *before = view->position[view->node[id].parent];
    char san[SAN_MAX];
    san_write(before, view->node[id].move, san);
    buffer_format(out, "<b>%d%s %s</b>", found_move_number(g, id), before->side == WHITE ? "." : "\u2026",
                  san);
}

// The side to move, and the moves that the query finds.
static void write_next(Buffer *out, const FoundGame *g, const FormatMemory *m, int32_t id)
{
    const GameView *view = &g->game->view;
    bool any = false;
    buffer_format(out, "<small>%s to move", view->position[id]->side == WHITE ? "White" : "Black");
    for (int32_t next = view->node[id].first_child; next >= 0; next = view->node[next].next_sibling) {
        if (!m->position[next].move_found)
            continue;
        buffer_text(out, any ? ", " : ": ");
        write_move(out, g, next);
        any = true;
    }
    buffer_text(out, "</small>");
}

static void write_query_names(Buffer *out, const FoundGame *g, int32_t id)
{
    for (size_t i = 0; g->matcher->query_count > 1 && i < g->count; i++) {
        const RunResult *result = g->found[i].result;
        for (int32_t k = 0; k < result->hit_count; k++) {
            if (result->hit[k] != id)
                continue;
            buffer_text(out, "<small>");
            text_html(out, text_of(g->found[i].query->name));
            buffer_text(out, "</small>");
        }
    }
}

static void write_caption(Buffer *out, const FoundGame *g, FormatMemory *m, int32_t id, const char *fen)
{
    const Node *node = &g->game->view.node[id];
    buffer_text(out, "<figcaption>");
    if (node->parent >= 0)
        write_move(out, g, id);
    else
        buffer_text(out, "<b>Start</b>");
    if (node->depth > 0)
        buffer_text(out, " in a variation");
    write_next(out, g, m, id);
    Text comment = found_comment(m, g, id);
    if (comment.length > 0) {
        buffer_text(out, "<small class='comment'>");
        text_html(out, comment);
        buffer_text(out, "</small>");
    }
    write_query_names(out, g, id);
    buffer_format(out, "<code>%s</code></figcaption>", fen);
}

static void write_diagram(Buffer *out, const FoundGame *g, FormatMemory *m, int32_t id)
{
    const GameView *view = &g->game->view;
    char fen[FEN_MAX];
    found_fen(m, g, id, fen);
    Diagram d = {.position = view->position[id],
                 .last = id > 0 ? &view->node[id].move : NULL,
                 .squares = found_squares(g, id),
                 .label = fen};
    for (int32_t next = view->node[id].first_child; next >= 0; next = view->node[next].next_sibling)
        if (m->position[next].move_found && d.next_count < MOST_ARROWS)
            d.next[d.next_count++] = &view->node[next].move;
    buffer_format(out, "<figure id='g%lldp%d'>", (long long)g->number, (int)id);
    write_html_board(out, &d);
    write_caption(out, g, m, id, fen);
    buffer_text(out, "</figure>\n");
}

static void write_diagrams(Buffer *out, const FoundGame *g, FormatMemory *m, int32_t hits)
{
    int32_t shown = 0;
    if (hits > 0)
        buffer_text(out, hits == 1 ? "<div class='one'>\n" : "<div class='diagrams'>\n");
    for (int32_t id = 0; id < g->game->view.count && shown < MOST_DIAGRAMS; id++) {
        m->position[id].diagram = m->position[id].hit;
        if (!m->position[id].hit)
            continue;
        write_diagram(out, g, m, id);
        shown++;
    }
    if (hits > 0)
        buffer_text(out, "</div>\n");
    if (hits > shown) {
        buffer_text(out, "<p class='soft'>");
        write_number(out, hits - shown, "more position is", "more positions are");
        buffer_text(out, " marked in the moves.</p>\n");
    }
}

size_t write_html_game(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    size_t start = out->length;
    found_clocks(m, g);
    found_comments(m, g, g->found, g->count, true);
    found_tags(m, g, g->found, g->count);
    int32_t hits = found_mark_hits(m, g);
    write_row(out, g, m, hits);
    size_t index_length = out->length - start;
    write_heading(out, g, m);
    write_sort_values(out, g);
    write_diagrams(out, g, m, hits);
    write_html_moves(out, g, m);
    buffer_text(out, "</section>\n");
    return index_length;
}
