// Writing games as PGN (language reference 10.2, 10.3).
#include <stdio.h>
#include <string.h>

#include "runtime/value/regex.h"
#include "runtime/value/unicode.h"
#include "game_memory.h"
#include "scan.h"

enum { USUAL_WIDTH = 79 };

typedef struct Writer {
    Buffer *out;
    const Game *game;
    const GameChanges *changes;
    PgnForms forms;
    size_t width;      // the longest line
    size_t column;     // of the movetext
    bool attached;     // the next word follows without a space
    bool encodes;      // some texts are written otherwise than they are read
    bool latin;        // some texts are written in Latin-1, added ones too where that has their characters
    Buffer scratch[2]; // what is written of a text that is read as something else
} Writer;

// The text as it is written.
static Text encoded(Writer *w, Text text, bool latin, int scratch)
{
    Buffer *b = &w->scratch[scratch];
    b->length = 0;
    if (w->forms.utf8)
        unicode_append(b, text.start, text.length);
    else if (!latin || !unicode_append_latin(b, text.start, text.length))
        return text;
    return (Text){b->start, b->length};
}

// ---- tags ------------------------------------------------------------------------------------------------

// A backslash escapes quotes and backslashes. Only a value set by a query can contain a line break, which would end the tag line: a
// space replaces it.
static void write_tag_value(Buffer *out, Text value)
{
    for (const char *p = value.start, *end = p + value.length; p < end; p++) {
        const char *special = scan_value(p, end);
        buffer_append(out, p, (size_t)(special - p));
        if (special == end)
            break;
        p = special;
        const bool line = *p == '\n' || *p == '\r';
        buffer_append(out, line ? " " : "\\", 1);
        if (!line)
            buffer_append(out, p, 1);
    }
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
    w->latin = w->game->memory->latin; // now that the tags are known
    w->encodes = w->latin || w->forms.utf8;
    for (size_t i = 0; i < count; i++) {
        if (!is_tag_wanted(&w->forms, tag[i].name))
            continue;
        buffer_append(w->out, "[", 1);
        const Text name = w->encodes ? encoded(w, tag[i].name, false, 0) : tag[i].name;
        buffer_append(w->out, name.start, name.length);
        buffer_append(w->out, " \"", 2);
        write_tag_value(w->out, w->encodes ? encoded(w, tag[i].value, tag[i].latin, 0) : tag[i].value);
        buffer_append(w->out, "\"]\n", 3);
    }
}

// ---- words -----------------------------------------------------------------------------------------------

static inline void end_line(Writer *w)
{
    *buffer_room(w->out, 1) = '\n';
    w->out->length++;
    w->column = 0;
}

static inline void put(Writer *w, const char *p, size_t length)
{
    memcpy(buffer_room(w->out, length), p, length);
    w->out->length += length;
    w->column += length;
}

static inline void put_byte(Writer *w, char c)
{
    *buffer_room(w->out, 1) = c;
    w->out->length++;
    w->column++;
}

// Puts a space or a line break before a word of `length` bytes.
static inline void separate(Writer *w, size_t length)
{
    const bool attached = w->attached;
    w->attached = false;
    if (w->column == 0)
        return;
    if (w->column + !attached + length > w->width)
        end_line(w);
    else if (!attached)
        put_byte(w, ' ');
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

static bool is_special(char c)
{
    return c == '{' || c == '}' || c == '\n';
}

// A space may become a line break unless it is next to another space or the next line would begin like something else.
static bool is_fixed(const char *p, Text text)
{
    const char *end = text.start + text.length;
    return p + 1 == end || p[1] == ' ' || stays_in_line(p, end) || (p > text.start && p[-1] == ' ');
}

// Where a line of the text from p on ends, if `room` bytes fit into it and `after` more follow the text: at the first space
// that may become a line break and comes before a word that does not fit, or at the end.
static const char *line_of_comment(const char *p, Text text, size_t after, size_t room)
{
    const char *end = text.start + text.length;
    const size_t rest = (size_t)(end - p);
    if (rest + after <= room)
        return end;
    const char *space = memrchr(p, ' ', rest < room + 1 ? rest : room + 1);
    if (!space)
        space = memchr(p, ' ', rest);
    while (space && is_fixed(space, text))
        space = memchr(space + 1, ' ', (size_t)(end - space - 1));
    return space ? space : end;
}

// put_comment_text for text without braces and line breaks.
static void put_normal_text(Writer *w, Text text, size_t after)
{
    for (const char *p = text.start, *end = p + text.length; p < end; p++) {
        const size_t room = w->width > w->column ? w->width - w->column : 0;
        const char *stop = line_of_comment(p, text, after, room);
        put(w, p, (size_t)(stop - p));
        if (stop < end)
            end_line(w);
        p = stop;
    }
}

// Appends text of a comment at any column, which `after` bytes follow in its line.
static void put_comment_text(Writer *w, Text text, size_t after)
{
    if (scan_is_normal(text.start, text.start + text.length)) {
        put_normal_text(w, text, after);
        return;
    }
    const char *p = text.start, *end = p + text.length;
    while (p < end) {
        if (*p == ' ') {
            const char *q = p + 1;
            while (q < end && *q != ' ' && *q != '\n')
                q++;
            const size_t length = (size_t)(q - p - 1) + (q == end ? after : 0);
            if (!is_fixed(p, text) && w->column + 1 + length > w->width)
                end_line(w);
            else
                put_byte(w, ' ');
            p++;
            continue;
        }
        const char *q = p;
        while (q < end && *q != ' ' && !is_special(*q))
            q++;
        put(w, p, (size_t)(q - p));
        if (q < end && *q == '\n')
            end_line(w);
        else if (q < end && *q != ' ')
            put_byte(w, '_');
        p = q + (q < end && *q != ' ');
    }
}

// Writes "{first second}", or "{first; second}"; returns false when both are empty.
static bool write_comment(Writer *w, Text first, Text second, bool semicolon)
{
    if (first.length == 0 && second.length == 0)
        return false;
    Text lead = first.length ? first : second;
    const size_t wide = w->forms.wide_comments;
    const char *space = memchr(lead.start, ' ', lead.length);
    const size_t word = space ? (size_t)(space - lead.start) : lead.length + wide; // with what belongs to it
    separate(w, 2 + wide + word);
    put_byte(w, '{');
    if (wide)
        put_byte(w, ' ');
    put_comment_text(w, first, second.length == 0 ? 1 + wide : semicolon);
    if (first.length && second.length) {
        if (semicolon)
            put_byte(w, ';');
        // for line breaks, the space between them counts as the beginning of the second
        const char *next = memchr(second.start, ' ', second.length);
        size_t length = next ? (size_t)(next - second.start) : second.length + 1 + wide;
        char c = second.start[0];
        if (w->column + 1 + length > w->width && c != ' ' && c != '[' && c != '%')
            end_line(w);
        else
            put_byte(w, ' ');
    }
    put_comment_text(w, second, 1 + wide);
    if (wide)
        put_byte(w, ' ');
    put_byte(w, '}');
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

static inline bool write_both(Writer *w, Text original, Text added)
{
    const GameChanges *c = w->changes;
    return w->forms.apart ? write_apart(w, original, added)
                          : write_comment(w, original, added, c && c->semicolon);
}

static __attribute__((noinline)) bool write_encoded(Writer *w, Text original, bool latin, Text added)
{
    original = encoded(w, original, latin, 0);
    return write_both(w, original, encoded(w, added, w->latin, 1));
}

static bool write_node_comment(Writer *w, int32_t id)
{
    const GameChanges *c = w->changes;
    bool drop = c && c->drop_comment && c->drop_comment[id];
    Text original = drop ? (Text){0} : w->game->note[id].comment;
    Text added = c && c->added ? c->added[id] : (Text){0};
    if (w->forms.no_comments)
        return false;
    if (w->encodes)
        return write_encoded(w, original, w->game->note[id].latin, added);
    return write_both(w, original, added);
}

// ---- moves -----------------------------------------------------------------------------------------------

// A move with its number, and no more than that.
enum { MOVE_BYTES = 16 + SAN_MAX };

static void put_move(Writer *w, const char word[MOVE_BYTES], size_t length)
{
    separate(w, length);
    memcpy(buffer_room(w->out, MOVE_BYTES), word, MOVE_BYTES);
    w->out->length += length;
    w->column += length;
}

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

static void write_move_number(Writer *w, char word[MOVE_BYTES], int *length, int number, bool black)
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
    char word[MOVE_BYTES];
    int length = 0, black_first = g->view.position[0]->side == BLACK;
    if ((before->side == WHITE || force_number) && !w->forms.no_numbers)
        write_move_number(w, word, &length, g->clocks.fullmove + (n->ply - 1 + black_first) / 2,
                          before->side == BLACK);
    length += view_san(&g->view, id, word + length);
    put_move(w, word, (size_t)length);
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
        write_comment(w, encoded(w, w->game->note[first].start_comment, false, 0), (Text){0}, false);
}

static void close_variation(Writer *w)
{
    w->attached = w->forms.compact_variations;
    put_word(w, ")", 1);
}

// The only child of a move without alternatives, or -1.
static inline int32_t next_of_line(const Node *node, int32_t id)
{
    return node[id].index == 0 && node[id].next_sibling < 0 ? node[id].first_child : -1;
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
        const int32_t after = next_of_line(node, next.id);
        if (after >= 0) {
            next = (WrittenMove){.id = after};
            continue;
        }
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
    buffer_free(&w.scratch[0]);
    buffer_free(&w.scratch[1]);
}
