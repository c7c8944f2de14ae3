// Writing games as PGN (language reference 10.2, 10.3).
#include <stdio.h>
#include <string.h>

#include "game.h"

enum { LINE_WIDTH = 79 };

typedef struct Writer {
    Buffer *out;
    const Game *game;
    const GameChanges *changes;
    size_t column; // of the movetext
} Writer;

// ---- tags ------------------------------------------------------------------------------------------------

// Only a value set by a query can contain a line break, which would end the tag line: a space replaces it.
static void write_tag_value(Buffer *out, Text value)
{
    const size_t start = out->length;
    buffer_append(out, value.start, value.length);
    for (size_t i = start; i < out->length; i++)
        if (out->start[i] == '\n' || out->start[i] == '\r')
            out->start[i] = ' ';
}

static void write_tags(Writer *w)
{
    const GameChanges *c = w->changes;
    size_t count;
    const Tag *tag = game_written_tags(w->game, c ? c->set_tag : NULL, c ? c->set_tag_count : 0, &count);
    for (size_t i = 0; i < count; i++) {
        buffer_append(w->out, "[", 1);
        buffer_append(w->out, tag[i].name.start, tag[i].name.length);
        buffer_append(w->out, " \"", 2);
        write_tag_value(w->out, tag[i].value);
        buffer_append(w->out, "\"]\n", 3);
    }
}

// ---- words -----------------------------------------------------------------------------------------------

static void end_line(Writer *w)
{
    buffer_append(w->out, "\n", 1);
    w->column = 0;
}

static void put(Writer *w, const char *p, size_t length)
{
    buffer_append(w->out, p, length);
    w->column += length;
}

// Puts a space or a line break before a word of `length` bytes.
static void separate(Writer *w, size_t length)
{
    if (w->column == 0)
        return;
    if (w->column + 1 + length > LINE_WIDTH)
        end_line(w);
    else
        put(w, " ", 1);
}

static void put_word(Writer *w, const char *p, size_t length)
{
    separate(w, length);
    put(w, p, length);
}

// ---- comments --------------------------------------------------------------------------------------------

// Appends text of a comment at any column. A space may become a line break unless it is next to another space
// or the next line would begin like a tag or an escape.
static void put_comment_text(Writer *w, Text text, size_t after)
{
    const char *p = text.start, *end = p + text.length;
    while (p < end) {
        if (*p == ' ') {
            const char *q = p + 1;
            while (q < end && *q != ' ' && *q != '\n')
                q++;
            size_t length = (size_t)(q - p - 1) + (q == end ? after : 0);
            bool fixed =
                p + 1 == end || p[1] == ' ' || p[1] == '%' || p[1] == '[' || (p > text.start && p[-1] == ' ');
            if (!fixed && w->column + 1 + length > LINE_WIDTH)
                end_line(w);
            else
                put(w, " ", 1);
            p++;
            continue;
        }
        const char *q = p;
        while (q < end && *q != ' ' && *q != '{' && *q != '}' && *q != '\n')
            q++;
        put(w, p, (size_t)(q - p));
        if (q < end && *q == '\n')
            end_line(w);
        else if (q < end && *q != ' ')
            put(w, "_", 1);
        p = q + (q < end && *q != ' ');
    }
}

// Writes "{first second}", or "{first; second}"; returns false when both are empty.
static bool write_comment(Writer *w, Text first, Text second, bool semicolon)
{
    if (first.length == 0 && second.length == 0)
        return false;
    Text lead = first.length ? first : second;
    const char *space = memchr(lead.start, ' ', lead.length);
    separate(w, 2 + (space ? (size_t)(space - lead.start) : lead.length));
    put(w, "{", 1);
    put_comment_text(w, first, second.length == 0 || semicolon);
    if (first.length && second.length) {
        put(w, ";", semicolon);
        // for line breaks, the space between them counts as the beginning of the second
        const char *next = memchr(second.start, ' ', second.length);
        size_t length = next ? (size_t)(next - second.start) : second.length + 1;
        char c = second.start[0];
        if (w->column + 1 + length > LINE_WIDTH && c != ' ' && c != '[' && c != '%')
            end_line(w);
        else
            put(w, " ", 1);
    }
    put_comment_text(w, second, 1);
    put(w, "}", 1);
    return true;
}

static bool write_node_comment(Writer *w, int32_t id)
{
    const GameChanges *c = w->changes;
    bool drop = c && c->drop_comment && c->drop_comment[id];
    Text original = drop ? (Text){0} : w->game->note[id].comment;
    return write_comment(w, original, c && c->added ? c->added[id] : (Text){0}, c && c->semicolon);
}

// ---- moves -----------------------------------------------------------------------------------------------

// Writes one move with number, glyphs and comment; returns true when it wrote a comment.
static bool write_move(Writer *w, int32_t id, bool force_number)
{
    const Game *g = w->game;
    const Node *n = &g->view.node[id];
    const Position *before = g->view.position[n->parent];
    char word[16 + SAN_MAX];
    int length = 0, black_first = g->view.position[0]->side == BLACK;
    if (before->side == WHITE || force_number)
        length = snprintf(word, 16, "%d%s", g->clocks.fullmove + (n->ply - 1 + black_first) / 2,
                          before->side == WHITE ? "." : "...");
    length += san_write(before, n->move, word + length);
    put_word(w, word, (size_t)length);
    const Note *note = &g->note[id];
    for (int i = 0; i < note->nag_count; i++) {
        length = snprintf(word, sizeof word, "$%d", note->nag[i]);
        put_word(w, word, (size_t)length);
    }
    return write_node_comment(w, id);
}

static void open_variation(Writer *w, int32_t first)
{
    put_word(w, "(", 1);
    write_comment(w, w->game->note[first].start_comment, (Text){0}, false);
}

// A variation ends with its last move; the path back to its first one is the only stack that this needs.
WrittenMove game_next_written(const Node *node, int32_t id)
{
    if (node[id].index == 0 && node[id].next_sibling >= 0)
        return (WrittenMove){node[id].next_sibling, 0, true};
    WrittenMove next = {node[id].first_child, 0, false};
    while (next.id < 0) {
        while (id > 0 && node[id].index == 0)
            id = node[id].parent;
        if (id <= 0)
            break;
        next.closed++;
        next.opens = node[id].next_sibling >= 0;
        const int32_t primary = node[node[id].parent].first_child;
        next.id = next.opens ? node[id].next_sibling : node[primary].first_child;
        id = primary;
    }
    return next;
}

// Writes all moves after the root.
static void write_moves(Writer *w, bool force_number)
{
    const Node *node = w->game->view.node;
    for (WrittenMove next = {.id = node[0].first_child}; next.id >= 0;) {
        force_number = write_move(w, next.id, force_number);
        next = game_next_written(node, next.id);
        force_number |= next.closed > 0 || next.opens;
        for (int i = 0; i < next.closed; i++)
            put_word(w, ")", 1);
        if (next.opens)
            open_variation(w, next.id);
    }
}

void game_write_pgn(Buffer *out, const Game *g, const GameChanges *changes)
{
    Writer w = {out, g, changes, 0};
    write_tags(&w);
    buffer_text(out, "\n");
    if (write_node_comment(&w, 0))
        end_line(&w);
    write_moves(&w, true);
    const Text result = game_result_text(g);
    put_word(&w, result.start, result.length);
    buffer_text(out, "\n\n\n");
}
