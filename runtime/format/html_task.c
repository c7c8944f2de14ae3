// The diagrams of a quiz or a worksheet, and their solutions.
#include <string.h>

#include "found.h"
#include "text.h"
#include "writers.h"

enum { MOST_TASKS_OF_GAME = 1000, USUAL_PLIES = 6 };

// What is on the board but for what the query has found, which the solution says.
static void write_board(Buffer *out, const FoundGame *g, int32_t id)
{
    const GameView *view = &g->game->view;
    Buffer label = {0};
    write_html_label(&label, view->position[id]);
    const Diagram d = {.position = view->position[id],
                       .last = id > 0 && g->page.quiz ? &view->node[id].move : NULL,
                       .label = label.start};
    write_html_board(out, &d);
    buffer_free(&label);
}

// The last moves before the position: those of the context, or one.
static void write_moves_before(Buffer *out, const FoundGame *g, int32_t id)
{
    const Node *node = g->game->view.node;
    int32_t way[1000];
    const int most = g->context > 0 ? g->context : 1;
    int count = 0;
    for (int32_t at = id; at > 0 && count < most && count < (int)(sizeof way / sizeof *way);
         at = node[at].parent)
        way[count++] = at;
    if (count == 0)
        return;
    buffer_text(out, "<small>after ");
    for (int i = count; i-- > 0;) {
        write_html_san(out, g, way[i], i + 1 == count);
        buffer_text(out, i > 0 ? " " : "</small>");
    }
}

// The moves of the game after the position, up to so many.
static void write_moves_from(Buffer *out, const FoundGame *g, int32_t id, int most, bool force)
{
    const Node *node = g->game->view.node;
    for (int i = 0; i < most && node[id].first_child >= 0; i++) {
        id = node[id].first_child;
        buffer_text(out, i > 0 || !force ? " " : "");
        write_html_san(out, g, id, force && i == 0);
    }
}

// The moves that the query finds: single ones, or the line of a path, which the game may go on; or else those of the game.
static void write_line(Buffer *out, const FoundGame *g, int32_t id)
{
    const Node *node = g->game->view.node;
    const int most = g->context > 0 ? g->context : USUAL_PLIES;
    int32_t move[MOST_ARROWS], last = id;
    const int count = found_moves(g, id, move, MOST_ARROWS);
    bool line = true;
    for (int i = 0; i < count; i++) {
        const bool goes_on = i > 0 && node[move[i]].parent == move[i - 1];
        buffer_text(out, goes_on ? " " : i > 0 ? "</b>, <b>" : "<b>");
        write_html_san(out, g, move[i], !goes_on);
        line &= node[move[i]].parent == last;
        last = move[i];
    }
    buffer_text(out, count > 0 ? "</b>" : "");
    if (line)
        write_moves_from(out, g, last, most - count, count == 0);
}

static void write_source(Buffer *out, const FoundGame *g, const FormatMemory *m, int32_t id)
{
    buffer_text(out, "<small>");
    for (size_t i = 0; i < g->count && g->matcher->query_count > 1 && !g->page.no_query; i++) {
        const RunResult *result = g->found[i].result;
        for (int32_t k = 0; k < result->hit_count; k++)
            if (result->hit[k] == id) {
                write_html_query_title(out, g->found[i].query, true);
                buffer_text(out, " \u00B7 ");
            }
    }
    write_html_players(out, g, m, false);
    const Text date = found_tag(m, "Date");
    if (date.length >= 4 && date.start[0] != '?') {
        buffer_text(out, ", ");
        text_html(out, (Text){date.start, 4});
    }
    buffer_format(out, ", %s</small>", typeset_result(g));
}

static bool is_over(const FoundGame *g, int32_t id)
{
    return g->game->view.node[id].first_child < 0;
}

// The answer of a quiz, which its reader opens.
static void write_answer(Buffer *out, const FoundGame *g, FormatMemory *m, int32_t id)
{
    buffer_text(out, "<details class='answer'><summary>Show the move</summary><p class='moves'>");
    if (is_over(g, id))
        buffer_text(out, "The game ends here.");
    else if (g->context > 0)
        write_line(out, g, id);
    else
        write_html_moves_after(out, g, m, id);
    buffer_text(out, "</p>");
    write_source(out, g, m, id);
    buffer_text(out, "</details>");
}

static void write_task(Buffer *out, const FoundGame *g, FormatMemory *m, int32_t id)
{
    begin_html_piece(out, g, false);
    buffer_text(out, "<figure>");
    write_board(out, g, id);
    buffer_format(out, "<figcaption><b>" PIECE_NUMBER ".</b> %s", html_status(g->game->view.position[id]));
    if (g->page.quiz) {
        write_moves_before(out, g, id);
        write_answer(out, g, m, id);
    } else {
        buffer_text(out, "<span class='rule'></span>");
    }
    buffer_text(out, "</figcaption></figure>\n");
}

static void write_solution(Buffer *out, const FoundGame *g, const FormatMemory *m, int32_t id)
{
    begin_html_piece(out, g, true);
    buffer_text(out, "<p><b>" PIECE_NUMBER ".</b> ");
    if (is_over(g, id))
        buffer_text(out, "The game ends here.");
    else
        write_line(out, g, id);
    buffer_text(out, " ");
    write_source(out, g, m, id);
    buffer_text(out, "</p>\n");
}

void write_html_tasks(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    int count = 0;
    for (int32_t id = 0; id < g->game->view.count && count < MOST_TASKS_OF_GAME; id++) {
        if (!m->position[id].hit)
            continue;
        count++;
        write_task(out, g, m, id);
        if (g->page.sheet > 0)
            write_solution(out, g, m, id);
    }
}
