// Writing games as PGN (language reference 10.2, 10.3).
#include <stdio.h>
#include <string.h>

#include "runtime/value/regex.h"
#include "game.h"

enum { USUAL_WIDTH = 79 };

typedef struct Writer {
    Buffer *out;
    const Game *game;
    const GameChanges *changes;
    PgnForms forms;
    size_t width;  // the longest line
    size_t column; // of the movetext
    bool attached; // the next word follows without a space
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

static bool is_tag_wanted(const PgnForms *f, Text name)
{
    return (!f->include || regex_found(f->include, name.start, name.length)) &&
           !(f->exclude && regex_found(f->exclude, name.start, name.length));
}

static void write_tags(Writer *w)
{
    const GameChanges *c = w->changes;
    size_t count;
    const Tag *tag = game_written_tags(w->game, c ? c->set_tag : NULL, c ? c->set_tag_count : 0, &count);
    for (size_t i = 0; i < count; i++) {
        if (!is_tag_wanted(&w->forms, tag[i].name))
            continue;
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
    const bool attached = w->attached;
    w->attached = false;
    if (w->column == 0)
        return;
    if (w->column + !attached + length > w->width)
        end_line(w);
    else if (!attached)
        put(w, " ", 1);
}

static void put_word(Writer *w, const char *p, size_t length)
{
    separate(w, length);
    put(w, p, length);
}

// ---- comments --------------------------------------------------------------------------------------------

// Would a line that begins with the text after the space at `p` be read as something else: a tag, an escape, or without its
// byte order mark?
static bool stays_in_line(const char *p, const char *end)
{
    return p[1] == '%' || p[1] == '[' || (end - p > 3 && memcmp(p + 1, "\xEF\xBB\xBF", 3) == 0);
}

// Appends text of a comment at any column. A space may become a line break unless it is next to another space
// or the next line would begin like something else.
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
                p + 1 == end || p[1] == ' ' || stays_in_line(p, end) || (p > text.start && p[-1] == ' ');
            if (!fixed && w->column + 1 + length > w->width)
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
    const size_t wide = w->forms.wide_comments;
    separate(w, 2 + wide + (space ? (size_t)(space - lead.start) : lead.length + wide));
    put(w, "{ ", 1 + wide);
    put_comment_text(w, first, second.length == 0 ? 1 + wide : semicolon);
    if (first.length && second.length) {
        put(w, ";", semicolon);
        // for line breaks, the space between them counts as the beginning of the second
        const char *next = memchr(second.start, ' ', second.length);
        size_t length = next ? (size_t)(next - second.start) : second.length + 1;
        char c = second.start[0];
        if (w->column + 1 + length > w->width && c != ' ' && c != '[' && c != '%')
            end_line(w);
        else
            put(w, " ", 1);
    }
    put_comment_text(w, second, 1 + wide);
    put(w, &" }"[1 - wide], 1 + wide);
    return true;
}

// Writes each comment in braces of its own; that of sort keys begins with a space.
static bool write_apart(Writer *w, Text original, Text added)
{
    bool written = write_comment(w, original, (Text){0}, false);
    for (const char *p = added.start, *end = p + added.length; p < end;) {
        const char *next = memchr(p, 0, (size_t)(end - p));
        next = next ? next : end;
        p += *p == ' ';
        written |= write_comment(w, (Text){p, (size_t)(next - p)}, (Text){0}, false);
        p = next + 1;
    }
    return written;
}

static bool write_node_comment(Writer *w, int32_t id)
{
    const GameChanges *c = w->changes;
    bool drop = c && c->drop_comment && c->drop_comment[id];
    Text original = drop ? (Text){0} : w->game->note[id].comment;
    Text added = c && c->added ? c->added[id] : (Text){0};
    if (w->forms.no_comments)
        return false;
    return w->forms.apart ? write_apart(w, original, added)
                          : write_comment(w, original, added, c && c->semicolon);
}

// ---- moves -----------------------------------------------------------------------------------------------

// The digits of a number below 1000.
static int put_small_number(char *p, int number)
{
    char *q = p;
    if (number >= 100)
        *q++ = (char)('0' + number / 100);
    if (number >= 10)
        *q++ = (char)('0' + number / 10 % 10);
    *q++ = (char)('0' + number % 10);
    return (int)(q - p);
}

static void write_move_number(Writer *w, char word[16 + SAN_MAX], int *length, int number, bool black)
{
    *length =
        number >= 0 && number < 1000 ? put_small_number(word, number) : snprintf(word, 12, "%d", number);
    memcpy(word + *length, "...", 3);
    *length += black ? 3 : 1;
    if (w->forms.split_moves) {
        put_word(w, word, (size_t)*length);
        w->attached = !w->forms.wide_moves;
        *length = 0;
    } else if (w->forms.wide_moves) {
        word[(*length)++] = ' ';
    }
}

// Writes one move with number, glyphs and comment; returns true when the next move of Black needs a number.
static bool write_move(Writer *w, int32_t id, bool force_number)
{
    const Game *g = w->game;
    const Node *n = &g->view.node[id];
    const Position *before = g->view.position[n->parent];
    char word[16 + SAN_MAX];
    int length = 0, black_first = g->view.position[0]->side == BLACK;
    if ((before->side == WHITE || force_number) && !w->forms.no_numbers)
        write_move_number(w, word, &length, g->clocks.fullmove + (n->ply - 1 + black_first) / 2,
                          before->side == BLACK);
    length += san_write(before, n->move, word + length);
    put_word(w, word, (size_t)length);
    const Note *note = &g->note[id];
    const int nags = w->forms.no_nags ? 0 : note->nag_count;
    for (int i = 0; i < nags; i++) {
        length = snprintf(word, sizeof word, "$%d", note->nag[i]);
        put_word(w, word, (size_t)length);
    }
    const bool commented = write_node_comment(w, id);
    return (commented && !w->forms.no_number_after_comment) || (nags > 0 && w->forms.number_after_nag);
}

static void open_variation(Writer *w, int32_t first)
{
    put_word(w, "(", 1);
    w->attached = w->forms.compact_variations;
    if (!w->forms.no_comments)
        write_comment(w, w->game->note[first].start_comment, (Text){0}, false);
}

static void close_variation(Writer *w)
{
    w->attached = w->forms.compact_variations;
    put_word(w, ")", 1);
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
        next = w->forms.no_variations ? (WrittenMove){.id = node[next.id].first_child}
                                      : game_next_written(node, next.id);
        force_number |= next.closed > 0 || next.opens;
        for (int i = 0; i < next.closed; i++)
            close_variation(w);
        if (next.opens)
            open_variation(w, next.id);
    }
}

void game_write_pgn(Buffer *out, const Game *g, const GameChanges *changes)
{
    Writer w = {.out = out, .game = g, .changes = changes, .width = USUAL_WIDTH};
    if (changes && changes->forms)
        w.forms = *changes->forms;
    if (w.forms.width > 0)
        w.width = w.forms.width;
    write_tags(&w);
    buffer_text(out, "\n");
    if (write_node_comment(&w, 0))
        end_line(&w);
    write_moves(&w, true);
    const Text result = game_result_text(g);
    put_word(&w, result.start, result.length);
    buffer_text(out, "\n\n\n");
}
