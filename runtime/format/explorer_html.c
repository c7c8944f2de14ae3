// The explorer as a page: a section for each position, of which one is shown; the moves are links to the others.
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "explorer.h"
#include "text.h"
#include "writers.h"

// The section that the address names is shown, otherwise that of the first position, which is the last one of the page.
static const char style[] =
    ":root { --white: #e8d9b8; --draw: #a9a9a9; --black: #4b5a73 }\n"
    "section { display: none; border: 0; margin-top: 0 } section:target { display: flow-root }\n"
    "#p0 { display: flow-root } section:target ~ #p0 { display: none }\n"
    ".scroll { overflow-x: auto } .scroll td, .scroll th { white-space: nowrap; padding-right: .6rem }\n"
    ".scroll table { width: auto }\n"
    ".share { display: flex; width: 5rem; height: 1.1rem; overflow: hidden; border: 1px solid var(--rule) }\n"
    "section ul { display: flow-root; margin: .3rem 0; padding-left: 1.2rem } .w1 { background: var(--white) "
    "} .d1 { background: var(--draw) }\n"
    ".b1 { background: var(--black) }\n"
    ".one { width: min(17rem, 100%) }\n"
    "@media print { section, section:target ~ #p0 { display: flow-root } }\n";

enum { MOST_SECTIONS = 3000 };

// The positions that the page shows, in the order of their distance from the first one.
typedef struct Section {
    int32_t node, from; // from: the section before the move that leads here first
    MoveWord word;
    int ply;
} Section;

typedef struct Page {
    Buffer *out;
    const ExplorerTable *t;
    Section *section;
    size_t count, capacity;
    int32_t *section_of; // by node; -1: it is not shown
} Page;

static void find_sections(Page *p)
{
    const ExplorerMove *move[EXPLORER_MOVES];
    for (size_t n = 0; n < p->t->node_count; n++)
        p->section_of[n] = -1;
    p->section_of[0] = 0;
    MEMORY_PUSH(p->section, p->count, p->capacity, (Section){0});
    for (size_t i = 0; i < p->count; i++) {
        const Section here = p->section[i];
        const int moves = explorer_moves(p->t, &p->t->node[here.node], move);
        for (int m = 0; m < moves && here.ply + 1 < p->t->plies && p->count < MOST_SECTIONS; m++) {
            if (move[m]->node < 0 || p->section_of[move[m]->node] >= 0)
                continue;
            p->section_of[move[m]->node] = (int32_t)p->count;
            MEMORY_PUSH(p->section, p->count, p->capacity,
                        (Section){move[m]->node, (int32_t)i, move[m]->word, here.ply + 1});
        }
    }
}

static void put_bar(Buffer *out, const ExplorerNumbers *n)
{
    static const char *const class[] = {"w1", "d1", "b1"};
    buffer_text(out, "<div class='share'>");
    for (int i = 0; i < 3; i++) {
        char percent[EXPLORER_CELL];
        if (explorer_cell(percent, EXPLORER_RESULTS + i, n, 0, WHITE, true))
            buffer_format(out, "<span class='%s' style='width:%s%%'></span>", class[i], percent);
    }
    buffer_text(out, "</div>");
}

static void put_row(Buffer *out, const ExplorerNumbers *n, int64_t all, int side)
{
    for (int i = 0; i < EXPLORER_COLUMNS; i++) {
        char cell[EXPLORER_CELL];
        explorer_cell(cell, i, n, all, side, true);
        buffer_format(out, "<td class='n'>%s</td>", cell[0] ? cell : "\u2013");
        if (i == EXPLORER_SHARE) {
            buffer_text(out, "<td>");
            put_bar(out, n);
            buffer_text(out, "</td>");
        }
    }
    buffer_text(out, "</tr>\n");
}

static void put_moves(Page *p, const Section *s)
{
    Buffer *out = p->out;
    const ExplorerNode *node = &p->t->node[s->node];
    const ExplorerMove *move[EXPLORER_MOVES];
    const int moves = explorer_moves(p->t, node, move);
    buffer_text(
        out,
        "<div class='scroll'><table>\n<thead><tr><th>Move</th><th class='n'>Games</th><th class='n'>%</th>"
        "<th>Results</th><th class='n'>1-0</th><th class='n'>\u00bd</th><th class='n'>0-1</th>"
        "<th class='n'>Score</th><th class='n'>Rating</th><th class='n'>Perf.</th>"
        "<th class='n'>First</th><th class='n'>Last</th></tr></thead>\n<tbody>\n");
    for (int i = 0; i < moves; i++) {
        char san[2 * SAN_MAX];
        const int32_t to = move[i]->node >= 0 ? p->section_of[move[i]->node] : -1;
        explorer_san(p->t, &node->position, move[i]->word, s->ply, true, san);
        buffer_text(out, "<tr><td>");
        if (to >= 0)
            buffer_format(out, "<a href='#p%d'>", (int)to);
        buffer_format(out, to >= 0 ? "%s</a></td>" : "%s</td>", san);
        put_row(out, &move[i]->numbers, node->numbers.games, node->position.side);
    }
    buffer_text(out, "<tr><td>all</td>");
    put_row(out, &node->numbers, node->numbers.games, node->position.side);
    buffer_text(out, "</tbody></table></div>\n");
}

static void put_isolated(Buffer *out, Text tag)
{
    buffer_text(out, "<bdi>");
    text_html(out, tag);
    buffer_text(out, "</bdi>");
}

static void put_game(Page *p, const Section *s, const ExplorerGame *g)
{
    const char *link = g->tag[EXPLORER_LINK];
    buffer_text(p->out, "<li>");
    if (*link) {
        buffer_text(p->out, "<a rel='noopener noreferrer' href='");
        text_html(p->out, text_of(link));
        buffer_text(p->out, "'>");
    }
    explorer_put_game(p->out, p->t, &p->t->node[s->node], s->ply, g, put_isolated);
    buffer_text(p->out, *link ? "</a></li>\n" : "</li>\n");
}

// The moves that lead to a section, each a link to where it leads.
static void put_way(Page *p, size_t index)
{
    const Section *s = &p->section[index];
    if (index == 0) {
        buffer_text(p->out, "<a href='#p0'>Start</a>");
        return;
    }
    put_way(p, (size_t)s->from);
    char san[2 * SAN_MAX];
    const Section *from = &p->section[s->from];
    explorer_san(p->t, &p->t->node[from->node].position, s->word, from->ply, from->ply == 0, san);
    buffer_format(p->out, " <a href='#p%zu'>%s</a>", index, san);
}

static void put_section(Page *p, size_t index)
{
    const Section *s = &p->section[index];
    const ExplorerNode *node = &p->t->node[s->node];
    Buffer *out = p->out;
    char fen[FEN_MAX];
    Buffer label = {0};
    write_html_label(&label, &node->position);
    const Diagram diagram = {.position = &node->position, .label = label.start};
    fen_write(&node->position,
              (FenClocks){0, p->t->fullmove + (s->ply + (p->t->node->position.side == BLACK)) / 2}, fen);
    buffer_format(out, "<section id='p%zu'>\n<p>", index);
    put_way(p, index);
    buffer_text(out, "</p>\n<figure class='one'>");
    write_html_board(out, &diagram);
    buffer_free(&label);
    buffer_format(out, "<figcaption>%s <small class='fen'>%s</small></figcaption></figure>\n",
                  html_status(&node->position), fen);
    if (node->numbers.games == 0) {
        buffer_text(out, "<p>No game reaches this position.</p>\n</section>\n");
        return;
    }
    put_moves(p, s);
    buffer_text(out, "<p>Best-known games</p>\n<ul>\n");
    for (int i = 0; i < node->best_count; i++)
        put_game(p, s, &node->best[i]);
    buffer_text(out, "</ul>\n</section>\n");
}

void explorer_write_html(Buffer *out, const ExplorerTable *t)
{
    const QueryInfo title = {.name = "-e", .source = "Explorer"};
    const Matcher matcher = {.query_count = 1, .query = &title};
    Page p = {.out = out, .t = t, .section_of = memory_zeroed(t->node_count, sizeof *p.section_of)};
    find_sections(&p);
    write_html_head(out, &(FormatSearch){.matcher = &matcher}, style);
    write_html_pieces(out);
    buffer_text(out, "<h1>Explorer</h1>\n");
    if (p.count == MOST_SECTIONS)
        buffer_format(out, "<p>The page shows the first %d positions.</p>\n", MOST_SECTIONS);
    for (size_t i = p.count; i-- > 0;)
        put_section(&p, i);
    buffer_text(out, "</body>\n</html>\n");
    free(p.section);
    free(p.section_of);
}
