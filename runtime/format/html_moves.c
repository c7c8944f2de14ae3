// Movetext as HTML: matching positions are marked, comments and variations are set apart.
#include "found.h"
#include "text.h"
#include "writers.h"

typedef struct Moves {
    Buffer *out;
    const FoundGame *g;
    FormatMemory *m;
} Moves;

static void write_glyphs(Buffer *out, const Note *note)
{
    static const char *const glyph[] = {"", "!", "?", "!!", "??", "!?", "?!"};
    for (int i = 0; i < note->nag_count; i++) {
        if (note->nag[i] >= 1 && note->nag[i] <= 6)
            buffer_text(out, glyph[note->nag[i]]);
        else
            buffer_format(out, " $%d", note->nag[i]);
    }
}

static void write_comment(Buffer *out, Text comment)
{
    buffer_text(out, "<span class='comment'>");
    text_html(out, comment);
    buffer_text(out, "</span> ");
}

static bool write_node_comment(Moves *w, int32_t id)
{
    Text comment = found_comment(w->m, w->g, id);
    if (comment.length > 0)
        write_comment(w->out, comment);
    return comment.length > 0;
}

// Writes one move with number, glyphs and comment; returns true when it wrote a comment.
static bool write_move(Moves *w, int32_t id, bool force_number)
{
    const GameView *view = &w->g->game->view;
    const Node *node = &view->node[id];
    const Position *before = view->position[node->parent];
    char san[SAN_MAX];
    san_write(before, node->move, san);
    if (w->m->position[id].diagram)
        buffer_format(w->out, "<a href='#g%lldp%d'>", (long long)w->g->number, (int)id);
    if (w->m->position[id].hit)
        buffer_text(w->out, "<b>");
    if (w->m->position[id].move_found)
        buffer_text(w->out, "<u>");
    if (before->side == WHITE || force_number)
        buffer_format(w->out, "%d%s\u00A0", found_move_number(w->g, id),
                      before->side == WHITE ? "." : "\u2026");
    buffer_text(w->out, san);
    write_glyphs(w->out, &w->g->game->note[id]);
    if (w->m->position[id].move_found)
        buffer_text(w->out, "</u>");
    if (w->m->position[id].hit)
        buffer_text(w->out, "</b>");
    if (w->m->position[id].diagram)
        buffer_text(w->out, "</a>");
    buffer_text(w->out, " ");
    return write_node_comment(w, id);
}

static void open_variation(Moves *w, int32_t first)
{
    Text comment = w->g->game->note[first].start_comment;
    buffer_text(w->out, "<span class='line'>(");
    if (comment.length > 0)
        write_comment(w->out, comment);
}

static void close_variation(Buffer *out)
{
    if (out->length > 0 && out->start[out->length - 1] == ' ')
        out->length--;
    buffer_text(out, ")</span> ");
}

// Writes all moves after the root.
static void write_line(Moves *w)
{
    const Node *node = w->g->game->view.node;
    bool force_number = true;
    for (WrittenMove next = {.id = node[0].first_child}; next.id >= 0;) {
        force_number = write_move(w, next.id, force_number);
        next = game_next_written(node, next.id);
        force_number |= next.closed > 0 || next.opens;
        for (int i = 0; i < next.closed; i++)
            close_variation(w->out);
        if (next.opens)
            open_variation(w, next.id);
    }
}

const char *html_result(const FoundGame *g)
{
    static const char *const sign[] = {"*", "1\u20130", "0\u20131", "\u00BD\u2013\u00BD"};
    return sign[g->game->view.result];
}

void write_html_moves(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    Moves w = {out, g, m};
    buffer_text(out, "<p class='moves'>");
    if (m->position[0].hit) // no move leads there
        buffer_format(out, m->position[0].diagram ? "<a href='#g%lldp0'><b>Start</b></a> " : "<b>Start</b> ",
                      (long long)g->number);
    write_node_comment(&w, 0);
    write_line(&w);
    buffer_format(out, "%s</p>\n", html_result(g));
}
