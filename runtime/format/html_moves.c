// Movetext as HTML: matching positions are marked, comments and variations are set apart; and the moves as squares.
#include <string.h>

#include "runtime/chess/variant.h"
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

// ---- comments, clocks and evaluations ---------------------------------------------------------------------

bool write_html_comment(Buffer *out, const char *tag, Text comment)
{
    Buffer text = {0};
    text_without_commands(&text, comment);
    const bool any = text.length > 0;
    if (any) {
        buffer_format(out, "<%s class='comment'>", tag);
        text_html(out, (Text){text.start, text.length});
        buffer_format(out, "</%s>", tag);
    }
    buffer_free(&text);
    return any;
}

static bool write_comment(Buffer *out, Text comment)
{
    const bool any = comment.length > 0 && write_html_comment(out, "span", comment);
    if (any)
        buffer_append(out, " ", 1);
    return any;
}

static void write_clock(Buffer *out, int32_t seconds)
{
    const int hours = seconds / 3600, minutes = seconds / 60 % 60;
    buffer_text(out, "<time>\u00A0");
    if (hours > 0)
        buffer_format(out, "%d:%02d:%02d</time>", hours, minutes, (int)seconds % 60);
    else
        buffer_format(out, "%d:%02d</time>", minutes, (int)seconds % 60);
}

static void write_evaluation(Buffer *out, int32_t centipawns)
{
    enum { MATE = 100000, MOST_MOVES = 1000 };
    const int size = centipawns < 0 ? -centipawns : centipawns;
    const char *sign = centipawns < 0 ? "\u2212" : centipawns > 0 ? "+" : "";
    if (size > MATE - MOST_MOVES)
        buffer_format(out, "<data>\u00A0%s#%d</data>", centipawns < 0 ? "\u2212" : "", MATE - size);
    else
        buffer_format(out, "<data>\u00A0%s%d.%02d</data>", sign, size / 100, size % 100);
}

static void write_numbers(Moves *w, int32_t id)
{
    int32_t value;
    if (game_clock(w->g->game, id, &value))
        write_clock(w->out, value);
    if (game_eval(w->g->game, id, &value))
        write_evaluation(w->out, value);
}

// ---- movetext ---------------------------------------------------------------------------------------------

static void write_square(Buffer *out, int square)
{
    const char name[] = {(char)('a' + square_file(square)), (char)('1' + square_rank(square))};
    buffer_append(out, name, sizeof name);
}

// Writes the drawings of the position's comment as an attribute, for the script.
static void write_drawings(Moves *w, int32_t id)
{
    Drawing drawing[MOST_DRAWINGS];
    const int count = html_drawings(found_comment(w->m, w->g, id), drawing);
    for (int i = 0; i < count; i++) {
        buffer_text(w->out, i == 0 ? " data-d='" : "");
        buffer_append(w->out, &drawing[i].colour, 1);
        write_square(w->out, drawing[i].from);
        if (drawing[i].to != drawing[i].from)
            write_square(w->out, drawing[i].to);
    }
    buffer_text(w->out, count > 0 ? "'" : "");
}

// Opens the marks of a matching position; what the script needs to draw it is in them.
static void open_hit(Moves *w, int32_t id)
{
    const GameView *view = &w->g->game->view;
    int32_t move[MOST_ARROWS];
    const int count = found_moves(w->g, id, move, MOST_ARROWS);
    bool later = false;
    Bitboard rings = found_squares(w->g, id);
    if (w->m->position[id].diagram)
        buffer_format(w->out, "<a href='#%sp%d'>", html_game_id(w->g).text, (int)id);
    buffer_text(w->out, rings ? "<b data-r='" : "<b");
    for (; rings; rings &= rings - 1)
        write_square(w->out, bb_first(rings));
    buffer_text(w->out, found_squares(w->g, id) ? "'" : "");
    for (int i = 0; i < count; i++)
        later |= view->node[move[i]].parent != id;
    for (int i = 0; later && i < count; i++) { // other arrows are those of the next moves
        const Move *m = &view->node[move[i]].move;
        buffer_text(w->out, i == 0 ? " data-a='" : "");
        if (!(m->flags & MOVE_NULL)) {
            write_square(w->out, m->from);
            write_square(w->out, m->to);
        }
    }
    buffer_text(w->out, later ? "'>" : ">");
}

static void close_hit(Moves *w, int32_t id)
{
    buffer_text(w->out, w->m->position[id].diagram ? "</b></a>" : "</b>");
}

// What the script, which knows no rules, shows where nobody is to move.
static void write_end(Moves *w, int32_t id)
{
    const Position *p = w->g->game->view.position[id];
    if (w->g->game->view.node[id].first_child >= 0 && !variant_is(p))
        return;
    const char *status = html_status(p);
    if (!strstr(status, " to move"))
        buffer_format(w->out, " data-end='%s'", status);
}

// Writes one move with number, glyphs and comment; returns true when it wrote a comment.
static bool write_move(Moves *w, int32_t id, bool force_number)
{
    const GameView *view = &w->g->game->view;
    const Node *node = &view->node[id];
    const Position *before = view->position[node->parent];
    const FoundPosition *position = &w->m->position[id];
    char san[SAN_MAX];
    view_san(view, id, san);
    if (position->hit)
        open_hit(w, id);
    if (position->move_found)
        buffer_text(w->out, "<u>");
    if (before->side == WHITE || force_number)
        buffer_format(w->out, "%d%s\u00A0", found_move_number(w->g, id),
                      before->side == WHITE ? "." : "\u2026");
    buffer_text(w->out, "<i");
    write_drawings(w, id);
    write_end(w, id);
    buffer_text(w->out, ">");
    buffer_text(w->out, san);
    write_glyphs(w->out, &w->g->game->note[id]);
    buffer_text(w->out, "</i>");
    if (position->move_found)
        buffer_text(w->out, "</u>");
    if (position->hit)
        close_hit(w, id);
    write_numbers(w, id);
    buffer_text(w->out, " ");
    return write_comment(w->out, found_comment(w->m, w->g, id));
}

static void open_variation(Moves *w, int32_t first)
{
    Text comment = w->g->game->note[first].start_comment;
    buffer_text(w->out, "<span class='line'>(");
    write_comment(w->out, comment);
}

static void close_variation(Buffer *out)
{
    if (out->length > 0 && out->start[out->length - 1] == ' ')
        out->length--;
    buffer_text(out, ")</span> ");
}

// Writes all moves after a position.
static void write_line(Moves *w, int32_t id)
{
    const Node *node = w->g->game->view.node;
    bool force_number = true;
    int open = 0;
    for (WrittenMove next = {.id = node[id].first_child}; next.id >= 0;) {
        force_number = write_move(w, next.id, force_number);
        next = game_next_written(node, next.id);
        if (next.id <= id || next.id > node[id].last) // the end of what follows the position
            next = (WrittenMove){-1, open, false};
        force_number |= next.closed > 0 || next.opens;
        for (int i = 0; i < next.closed; i++)
            close_variation(w->out);
        if (next.opens)
            open_variation(w, next.id);
        open += next.opens - next.closed;
    }
}

const char *typeset_result(const FoundGame *g)
{
    static const char *const sign[] = {"*", "1\u20130", "0\u20131", "\u00BD\u2013\u00BD"};
    return sign[g->game->view.result];
}

void write_html_moves(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    Moves w = {out, g, m};
    buffer_text(out, "<div class='moves'");
    write_drawings(&w, 0);
    write_end(&w, 0);
    buffer_text(out, ">");
    if (m->position[0].hit) { // no move leads there
        open_hit(&w, 0);
        buffer_text(out, "<i data-start>Start</i>");
        close_hit(&w, 0);
        buffer_text(out, " ");
    }
    write_comment(out, found_comment(m, g, 0));
    write_line(&w, 0);
    buffer_format(out, "%s</div>\n", typeset_result(g));
}

void write_html_moves_after(Buffer *out, const FoundGame *g, FormatMemory *m, int32_t id)
{
    Moves w = {out, g, m};
    write_line(&w, id);
}

// ---- moves as squares -------------------------------------------------------------------------------------

// The men that a capture in a variant of chess removes, but for one that another man takes the place of.
static Bitboard removed(const Position *before, const Position *after, const Move *move)
{
    const Bitboard gone = (before->occupied | bb_of(move->to)) & ~after->occupied;
    return gone & ~bb_of(move->from);
}

static void write_squares_of(Buffer *out, const Position *before, const Position *after, const Move *move)
{
    const bool varies = variant_is(after) && move->flags & MOVE_CAPTURE;
    const Bitboard gone = varies ? removed(before, after, move) : 0;
    if (move->flags & MOVE_NULL) {
        buffer_text(out, "--");
        return;
    }
    write_square(out, move->from);
    write_square(out, move->to);
    if (move->rook_from != NO_SQUARE && move->flags & MOVE_CASTLE) {
        buffer_text(out, "+");
        write_square(out, move->rook_from);
        write_square(out, move->rook_to);
    } else if (move->flags & MOVE_DROP) { // nothing moves, and the square gets another man
        buffer_format(out, "=%c", "-pnbrqk"[piece_type(move->piece)]);
    } else if (gone) {
        for (Bitboard rest = gone; rest; rest &= rest - 1) {
            buffer_text(out, "-");
            write_square(out, bb_first(rest));
        }
    } else if (move->flags & MOVE_CAPTURE && move->victim != move->to) {
        buffer_text(out, "-");
        write_square(out, move->victim);
    } else if (move->promoted != EMPTY) {
        buffer_format(out, "=%c", "-pnbrqk"[piece_type(move->promoted)]);
    }
}

void write_html_squares(Buffer *out, const FoundGame *g)
{
    const Node *node = g->game->view.node;
    const Position *const *position = g->game->view.position;
    for (WrittenMove next = {.id = node[0].first_child}; next.id >= 0;) {
        write_squares_of(out, position[node[next.id].parent], position[next.id], &node[next.id].move);
        next = game_next_written(node, next.id);
        for (int i = 0; i < next.closed; i++)
            buffer_text(out, ")");
        if (next.opens)
            buffer_text(out, "(");
    }
}
