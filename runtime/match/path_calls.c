// Comments of paths and lines, and texts set aside (language reference 5.9, 5.14, 10.4).
#include "run_state.h"

#include <stdio.h>
#include <stdlib.h>

enum { RECORD_CAP = 100000 }; // alternatives of one path

enum { PATH_QUIET = 1, PATH_MAX = 2, PATH_VERBOSE = 4, PATH_PIECEPATH = 8 };

int32_t rt_comments_wanted(Context *c)
{
    return c->run->logging && log_level_is(c, QUERY_SILENT | QUERY_QUIET);
}

static bool is_empty(String s)
{
    return run_text(s)->length == 0;
}

// ---- registers of texts -----------------------------------------------------------------------------------

static void texts_copy(TextList *to, const Context *c, int32_t mark)
{
    const int32_t count = c->run->log_count > mark ? c->run->log_count - mark : 0;
    to->entry = run_grow(to->entry, &to->capacity, count, sizeof *to->entry);
    if (count > 0)
        memcpy(to->entry, c->run->log + mark, (size_t)count * sizeof *to->entry);
    to->count = count;
}

static void texts_append(Context *c, const TextList *texts)
{
    for (int32_t i = 0; i < texts->count; i++)
        log_append_entry(c, texts->entry[i]);
}

static TextList *texts_register(Context *c, int32_t number)
{
    struct RunState *run = c->run;
    const int32_t old = run->texts_count;
    if (number >= old) {
        run->texts = run_grow(run->texts, &run->texts_capacity, number + 1, sizeof *run->texts);
        memset(run->texts + old, 0, (size_t)(number + 1 - old) * sizeof *run->texts);
        run->texts_count = number + 1;
    }
    return &run->texts[number];
}

void rt_texts_keep(Context *c, int32_t texts, int32_t mark)
{
    texts_copy(texts_register(c, texts), c, mark);
}

void rt_texts_put(Context *c, int32_t texts)
{
    texts_append(c, texts_register(c, texts));
}

// ---- the two comments at the ends -------------------------------------------------------------------------

static void add_formatted(Context *c, int32_t position, const char *text, int length)
{
    rt_log_add(c, position, run_string(c, text, (size_t)length));
}

static void end_comments(Context *c, const char *what, int32_t start, int32_t end, int32_t count,
                         const int32_t *max)
{
    char text[160];
    int length = snprintf(text, sizeof text, "End %s of length %d that starts at %s", what, (int)count,
                          rt_text_position(c, start)->bytes);
    if (max)
        length += snprintf(text + length, sizeof text - (size_t)length, " Max value: %d", (int)*max);
    add_formatted(c, end, text, length);
    length = snprintf(text, sizeof text, "Start %s that ends at %s", what, rt_text_position(c, end)->bytes);
    add_formatted(c, start, text, length);
}

void rt_path_comments(Context *c, int32_t start, int32_t end, int32_t count, int32_t value, int32_t flags,
                      String title)
{
    if (!c->run->logging)
        return;
    if (!is_empty(title))
        rt_log_add(c, start, title);
    if (!(flags & PATH_QUIET) && rt_comments_wanted(c))
        end_comments(c, "path", start, end, count, flags & PATH_MAX ? &value : NULL);
}

void rt_line_comments(Context *c, int32_t start, int32_t end, int32_t count)
{
    if (rt_comments_wanted(c))
        end_comments(c, "line", start, end, count, NULL);
}

void rt_log_constituent(Context *c, int32_t position, String text)
{
    if (rt_comments_wanted(c))
        log_append_entry(c, (LogEntry){position, LOG_CONSTITUENT, text});
}

// Adds ` (position i of n)` to the constituents of a line, which stand in the log from `mark` on.
void rt_line_numbers(Context *c, int32_t start, int32_t count, int32_t mark, int32_t single_color)
{
    if (!rt_comments_wanted(c))
        return;
    for (int32_t i = mark; i < c->run->log_count; i++) {
        LogEntry *entry = &c->run->log[i];
        if (entry->part != LOG_CONSTITUENT)
            continue;
        const int32_t plies = abs(c->node[entry->position].ply - c->node[start].ply);
        char text[80];
        const int length = snprintf(text, sizeof text, " (position %d of %d)",
                                    (int)(single_color ? (plies + 2) / 2 : plies + 1), (int)count);
        *entry = (LogEntry){entry->position, LOG_TEXT,
                            rt_concat(c, entry->text, run_string(c, text, (size_t)length))};
    }
}

// ---- trails -----------------------------------------------------------------------------------------------

static Trail *trail_of(Context *c, int32_t path)
{
    struct RunState *run = c->run;
    const int32_t old = run->trail_count;
    if (path >= old) {
        run->trail = run_grow(run->trail, &run->trail_capacity, path + 1, sizeof *run->trail);
        memset(run->trail + old, 0, (size_t)(path + 1 - old) * sizeof *run->trail);
        run->trail_count = path + 1;
    }
    return &run->trail[path];
}

void rt_trail_start(Context *c, int32_t path)
{
    Trail *t = trail_of(c, path);
    t->count = t->record_count = 0;
}

void rt_trail_push(Context *c, int32_t path, int32_t position)
{
    Trail *t = trail_of(c, path);
    if (t->count == t->capacity)
        t->position = run_grow(t->position, &t->capacity, t->count + 1, sizeof *t->position);
    t->position[t->count++] = position;
}

void rt_trail_pop(Context *c, int32_t path)
{
    Trail *t = trail_of(c, path);
    t->count -= t->count > 0;
}

// True when a record has the same moves: found in a second way, it is no alternative (5.9).
static bool is_recorded(const Trail *t)
{
    for (int32_t i = 0; i < t->record_count; i++)
        if (t->record[i].count == t->count &&
            memcmp(t->record[i].position, t->position, (size_t)t->count * sizeof *t->position) == 0)
            return true;
    return false;
}

void rt_trail_keep(Context *c, int32_t path, int32_t mark, int32_t value, int32_t better)
{
    Trail *t = trail_of(c, path);
    if (t->count == 0)
        return;
    run_pause(c);
    if (better)
        t->record_count = 0;
    else if (is_recorded(t))
        return;
    if (t->record_count >= RECORD_CAP)
        rt_raise(c, RAISE_MEMORY, NULL);
    const int32_t old = t->record_capacity;
    if (t->record_count == old) {
        t->record = run_grow(t->record, &t->record_capacity, old + 1, sizeof *t->record);
        memset(t->record + old, 0, (size_t)(t->record_capacity - old) * sizeof *t->record);
    }
    TrailRecord *r = &t->record[t->record_count++];
    r->position = run_grow(r->position, &r->capacity, t->count, sizeof *r->position);
    memcpy(r->position, t->position, (size_t)t->count * sizeof *r->position);
    r->count = t->count;
    r->value = value;
    texts_copy(&r->texts, c, mark);
}

// ---- piecepath --------------------------------------------------------------------------------------------

static void append_square(Buffer *b, int square)
{
    const char name[2] = {(char)('a' + square_file(square)), (char)('1' + square_rank(square))};
    buffer_append(b, name, 2);
}

// What became of one piece between two positions of the trail's line: `-SQUARE` for a move, `(xSQUARE)` for
// its capture.
static void append_fate(Context *c, Buffer *b, int piece, int32_t n)
{
    const int before = run_identities(c, c->node[n].parent)->square[piece];
    const int after = run_identities(c, n)->square[piece];
    if (before == after)
        return;
    buffer_append(b, after == NO_SQUARE ? "(x" : "-", after == NO_SQUARE ? 2 : 1);
    append_square(b, after == NO_SQUARE ? before : after);
    if (after == NO_SQUARE)
        buffer_append(b, ")", 1);
}

// The positions after `start` down to `end`, in order, in the scratch list of the run; returns their number.
static int32_t line_between(Context *c, int32_t start, int32_t end)
{
    struct RunState *run = c->run;
    int32_t count = 0;
    for (int32_t n = end; n != start; n = c->node[n].parent)
        count++;
    run->line = run_grow(run->line, &run->line_capacity, count, sizeof *run->line);
    int32_t i = count;
    for (int32_t n = end; n != start; n = c->node[n].parent)
        run->line[--i] = n;
    return count;
}

// True when the piece leaves its square at some position of the scratch list.
static bool moves_on_line(Context *c, int piece, int square, int32_t count)
{
    for (int32_t i = 0; i < count && piece >= 0; i++)
        if (run_identities(c, c->run->line[i])->square[piece] != square)
            return true;
    return false;
}

static void piecepath_comment(Context *c, int32_t start, int32_t end, Bitboard focus)
{
    Buffer *b = &c->run->scratch;
    b->length = 0;
    buffer_text(b, "Focus path:");
    const int32_t count = line_between(c, start, end);
    for (focus &= c->position[start]->board[BOARD_OCCUPIED]; focus; focus &= focus - 1) {
        const int square = bb_first(focus);
        const int piece = run_identities(c, start)->number[square];
        if (!moves_on_line(c, piece, square, count))
            continue;
        buffer_append(b, " ", 1);
        buffer_append(b, rt_piece_letter(c->position[start]->square[square])->bytes, 1);
        append_square(b, square);
        for (int32_t i = 0; i < count; i++)
            append_fate(c, b, piece, c->run->line[i]);
    }
    rt_log_add(c, start, run_string(c, b->start, b->length));
}

// ---- all comments of a path -------------------------------------------------------------------------------

static void verbose_comments(Context *c, const TrailRecord *r, String title)
{
    for (int32_t i = 0; i < r->count; i++) {
        Buffer *b = &c->run->scratch;
        b->length = 0;
        if (!is_empty(title))
            buffer_format(b, "%s: ", title->bytes);
        buffer_format(b, "move %d of %d", (int)i + 1, (int)r->count);
        rt_log_add(c, r->position[i], run_string(c, b->start, b->length));
    }
}

static void record_comments(Context *c, const TrailRecord *r, int32_t start, Bitboard focus, int32_t flags,
                            String title)
{
    const int32_t end = r->position[r->count - 1];
    texts_append(c, &r->texts);
    if (!is_empty(title))
        rt_log_add(c, start, title);
    if (flags & PATH_PIECEPATH)
        piecepath_comment(c, start, end, focus);
    if (flags & PATH_VERBOSE)
        verbose_comments(c, r, title);
    if (!(flags & PATH_QUIET) && rt_comments_wanted(c))
        end_comments(c, "path", start, end, r->count, flags & PATH_MAX ? &r->value : NULL);
}

void rt_trail_comments(Context *c, int32_t path, int32_t start, Bitboard focus, int32_t flags, String title)
{
    if (!c->run->logging)
        return;
    const Trail *t = trail_of(c, path);
    for (int32_t i = 0; i < t->record_count; i++) {
        const TrailRecord *r = &t->record[i];
        record_comments(c, r, start, focus, flags, title);
        if (i > 0)
            rt_log_auto(c, r->position[r->count - 1], run_string(c, "alternative", 11));
    }
}
