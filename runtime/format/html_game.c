// One game of a web page: its row in the table, its heading, its diagrams, its moves.
#include "runtime/value/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "found.h"
#include "text.h"
#include "writers.h"
#include "runtime/chess/variant.h"
#include "runtime/value/ascii.h"

enum { MOST_DIAGRAMS = 12 }; // the other positions are marked in the moves

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

HtmlId html_game_id(const FoundGame *g)
{
    HtmlId id;
    if (g->section > 0)
        snprintf(id.text, sizeof id.text, "q%u-g%lld", g->section, (long long)g->number);
    else
        snprintf(id.text, sizeof id.text, "g%lld", (long long)g->number);
    return id;
}

static void write_row(Buffer *out, const FoundGame *g, const FormatMemory *m, int32_t hits)
{
    buffer_format(out, "<tr><td class='n'><a href='#%s'>%lld</a></td><td>", html_game_id(g).text,
                  (long long)g->number);
    text_html(out, found_tag(m, "White"));
    buffer_text(out, "</td><td>");
    text_html(out, found_tag(m, "Black"));
    buffer_format(out, "</td><td class='r'>%s</td><td class='d wide'>", typeset_result(g));
    write_date(out, found_tag(m, "Date"));
    buffer_text(out, "</td><td class='wide'>");
    text_html(out, found_tag(m, "Event"));
    buffer_format(out, "</td><td class='n'>%d</td></tr>\n", (int)hits);
}

static void write_player(Buffer *out, const FormatMemory *m, const char *name, const char *elo)
{
    const Text player = found_tag(m, name), rating = elo ? found_tag(m, elo) : (Text){0};
    write_isolated(out, text_is_unknown(player) ? text_of("Unknown") : player);
    if (rating.length > 0) {
        buffer_text(out, " <small class='soft'>");
        text_html(out, rating);
        buffer_text(out, "</small>");
    }
}

// Appends ", TEXT" unless the text is unknown; returns true when the line is not empty. A web address is a link.
static bool write_fact(Buffer *out, Text text, bool any)
{
    if (text_is_unknown(text))
        return any;
    if (any)
        buffer_text(out, ", ");
    const char *shown = text_address(text);
    if (shown) {
        buffer_text(out, "<a rel='noopener noreferrer' href='");
        text_html(out, text);
        buffer_text(out, "'>");
        text_html(out, (Text){shown, text.length - (size_t)(shown - text.start)});
        buffer_text(out, "</a>");
    } else {
        write_isolated(out, text);
    }
    return true;
}

static bool is_nameless(const FormatMemory *m)
{
    return text_is_unknown(found_tag(m, "White")) && text_is_unknown(found_tag(m, "Black"));
}

void write_html_players(Buffer *out, const FoundGame *g, const FormatMemory *m, bool elo)
{
    if (is_nameless(m)) {
        buffer_format(out, "Game %lld", (long long)g->number);
        return;
    }
    write_player(out, m, "White", elo ? "WhiteElo" : NULL);
    buffer_text(out, " \u2013 ");
    write_player(out, m, "Black", elo ? "BlackElo" : NULL);
}

static void write_facts(Buffer *out, const FoundGame *g, const FormatMemory *m)
{
    buffer_text(out, "<p class='soft'>");
    bool any = write_fact(out, found_tag(m, "Event"), false);
    any = write_fact(out, found_tag(m, "Site"), any);
    if (text_address(found_tag(m, "Link")) && !text_equal(found_tag(m, "Link"), found_tag(m, "Site")))
        any = write_fact(out, found_tag(m, "Link"), any);
    Buffer date = {0};
    write_date(&date, found_tag(m, "Date"));
    any = write_fact(out, (Text){date.start, date.length}, any);
    buffer_free(&date);
    any = write_fact(out, found_tag(m, "ECO"), any);
    if (!is_nameless(m)) // then the number is the title
        buffer_format(out, "%sgame %lld", any ? " \u00B7 " : "", (long long)g->number);
    if (g->several_inputs) {
        buffer_text(out, any || !is_nameless(m) ? " \u00B7 " : "");
        write_isolated(out, text_of(g->input));
    }
    if (g->section > 0) {
        buffer_text(out, " \u00B7 found by ");
        write_html_query_title(out, &g->matcher->query[g->section - 1], true);
    }
    buffer_text(out, "</p>\n");
}

static void write_heading(Buffer *out, const FoundGame *g, const FormatMemory *m)
{
    const int level = g->section > 0 ? 3 : 2; // below the heading of the query
    Text fen = game_start_fen(g->game);
    const Position *start = g->game->view.position[0];
    char other[FEN_MAX];
    if (fen.length == 0 && variant_is(start)) // the array of another variant
        fen = (Text){other, (size_t)fen_write(start, g->game->clocks, other)};
    buffer_format(out, "<section id='%s'", html_game_id(g).text);
    if (fen.length > 0) {
        buffer_text(out, " data-fen='");
        text_html(out, fen);
        buffer_text(out, "'");
    }
    buffer_text(out, " data-moves='");
    write_html_squares(out, g);
    buffer_format(out, "'>\n<h%d>", level);
    write_html_players(out, g, m, true);
    buffer_format(out, "<span>%s</span></h%d>\n", typeset_result(g), level);
    write_facts(out, g, m);
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

void write_html_san(Buffer *out, const FoundGame *g, int32_t id, bool force)
{
    const GameView *view = &g->game->view;
    const Position *before = view->position[view->node[id].parent];
    char san[SAN_MAX];
    view_san(view, id, san);
    if (force || before->side == WHITE)
        buffer_format(out, "%d%s ", found_move_number(g, id), before->side == WHITE ? "." : "\u2026");
    buffer_text(out, san);
}

// Who is to move, and the moves that the query finds: single ones, or the line of a path.
static void write_next(Buffer *out, const FoundGame *g, int32_t id)
{
    const GameView *view = &g->game->view;
    int32_t move[MOST_ARROWS];
    const int count = found_moves(g, id, move, MOST_ARROWS);
    buffer_format(out, "<small>%s", html_status(view->position[id]));
    for (int i = 0; i < count; i++) {
        const bool goes_on = i > 0 && view->node[move[i]].parent == move[i - 1];
        buffer_text(out, goes_on ? " " : i > 0 ? "</b>, <b>" : ": <b>");
        write_html_san(out, g, move[i], !goes_on);
    }
    buffer_text(out, count > 0 ? "</b></small>" : "</small>");
}

// The name of a position: the move that leads there.
static void write_position_name(Buffer *out, const FoundGame *g, int32_t id)
{
    if (id > 0)
        write_html_san(out, g, id, true);
    else
        buffer_text(out, "Start");
}

// The FEN as a link to an analysis board.
static void write_fen_link(Buffer *out, const char *fen)
{
    buffer_text(out, "<a class='fen' rel='noopener noreferrer' href='https://lichess.org/analysis/");
    for (const char *p = fen; *p; p++)
        buffer_append(out, *p == ' ' ? "_" : p, 1);
    buffer_format(out, "'>%s</a>", fen);
}

static void write_caption(Buffer *out, const FoundGame *g, FormatMemory *m, int32_t id, const char *fen)
{
    buffer_text(out, "<figcaption><b>");
    write_position_name(out, g, id);
    buffer_text(out, "</b>");
    if (g->game->view.node[id].depth > 0)
        buffer_text(out, " in a variation");
    write_next(out, g, id);
    write_html_comment(out, "small", found_comment(m, g, id));
    write_fen_link(out, fen);
    buffer_text(out, "</figcaption>");
}

static void write_diagram(Buffer *out, const FoundGame *g, FormatMemory *m, int32_t id)
{
    const GameView *view = &g->game->view;
    char fen[FEN_MAX];
    int32_t move[MOST_ARROWS];
    Buffer label = {0};
    found_fen(m, g, id, fen);
    write_position_name(&label, g, id);
    buffer_text(&label, ". ");
    write_html_label(&label, view->position[id]);
    Drawing drawing[MOST_DRAWINGS];
    Diagram d = {.drawing = drawing,
                 .drawing_count = html_drawings(found_comment(m, g, id), drawing),
                 .position = view->position[id],
                 .last = id > 0 ? &view->node[id].move : NULL,
                 .squares = found_squares(g, id),
                 .next_count = found_moves(g, id, move, MOST_ARROWS),
                 .label = label.start};
    for (int i = 0; i < d.next_count; i++) {
        d.next[i] = &view->node[move[i]].move;
        d.later[i] = view->node[move[i]].parent != id;
    }
    buffer_format(out, "<figure id='%sp%d'>", html_game_id(g).text, (int)id);
    write_html_board(out, &d);
    write_caption(out, g, m, id, fen);
    buffer_text(out, "</figure>\n");
    buffer_free(&label);
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
        buffer_text(out, "<p class='soft more'>");
        write_html_count(out, hits - shown, "more position is", "more positions are");
        buffer_text(out, " marked in the moves.</p>\n");
    }
}

static void write_found(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    found_clocks(m, g);
    found_comments(m, g, g->found, g->count, true);
    found_tags(m, g, g->found, g->count);
    const int32_t hits = found_mark_hits(m, g);
    if (g->page.quiz || g->page.sheet > 0) {
        write_html_tasks(out, g, m);
        return;
    }
    begin_html_piece(out, g, false);
    write_row(out, g, m, hits);
    begin_html_piece(out, g, true);
    write_heading(out, g, m);
    write_sort_values(out, g);
    write_diagrams(out, g, m, hits);
    write_html_moves(out, g, m);
    buffer_text(out, "</section>\n");
}

void write_html_game(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    if (!page_by_query(&g->page, g->matcher)) {
        write_found(out, g, m);
        return;
    }
    for (size_t i = 0; i < g->count; i++) {
        FoundGame one = *g;
        one.found = &g->found[i];
        one.count = 1;
        one.section = 1 + (uint32_t)(g->found[i].query - g->matcher->query);
        write_found(out, &one, m);
    }
}
