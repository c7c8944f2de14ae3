// Comments of paths, lines and counted finds, and texts set aside (language reference 5.9, 5.14, 6.8, 10.4).
#include <stdlib.h>

#include "runtime/match/facts.h"

enum { RECORD_CAP = 100000 }; // alternatives of one path

enum { PATH_QUIET = 1, PATH_MAX = 2, PATH_VERBOSE = 4, PATH_PIECEPATH = 8, PATH_LINE = 16 };

typedef struct Positions {
    int32_t *position;
    int32_t count;
    size_t capacity;
} Positions;

// A complete path or line: the tails of the counted moves of a path, and what its constituents wrote on the way (5.9).
typedef struct TrailRecord {
    Positions tails;
    int32_t end, value;
    LogList texts;
} TrailRecord;

// The search of one `path` filter: where it is and what it has found so far.
typedef struct Trail {
    Positions tails;
    TrailRecord *record;
    int32_t record_count;
    size_t record_capacity;
} Trail;

typedef struct PathState {
    LogList *texts; // registers
    size_t texts_capacity;
    Trail *trail; // by path number
    size_t trail_capacity;
    Positions line; // scratch
} PathState;

static void path_begin_game(Context *c)
{
    PathState *s = c->run->path;
    for (size_t i = 0; i < s->texts_capacity; i++)
        s->texts[i].count = 0;
}

const Subject path_subject = {.size = sizeof(PathState), .begin_game = path_begin_game};

// Makes a list of `count` positions, which the caller fills in.
static void resize(Context *c, Positions *list, int32_t count)
{
    list->position = run_grow(c, list->position, &list->capacity, (size_t)count, sizeof *list->position);
    list->count = count;
}

static bool is_empty(String s)
{
    return string_or_empty(s)->length == 0;
}

// ---- registers of texts -----------------------------------------------------------------------------------

static LogList *texts_register(Context *c, int32_t number)
{
    PathState *s = c->run->path;
    s->texts = run_grow(c, s->texts, &s->texts_capacity, (size_t)number + 1, sizeof *s->texts);
    return &s->texts[number];
}

void rt_texts_keep(Context *c, int32_t texts, int32_t mark)
{
    log_copy(c, mark, texts_register(c, texts));
}

void rt_texts_put(Context *c, int32_t texts)
{
    log_append_list(c, texts_register(c, texts));
}

// ---- the two comments at the ends -------------------------------------------------------------------------

static void end_comments(Context *c, int32_t start, int32_t end, int32_t count, int32_t value, int32_t flags)
{
    if (flags & PATH_QUIET || !rt_comments_wanted(c))
        return;
    const char *what = flags & PATH_LINE ? "line" : "path";
    String text = run_format(c, "End %s of length %d that starts at %s", what, (int)count,
                             rt_text_position(c, start)->bytes);
    if (flags & PATH_MAX)
        text = run_format(c, "%s Max value: %d", text->bytes, (int)value);
    rt_log_add(c, end, text);
    rt_log_add(c, start, run_format(c, "Start %s that ends at %s", what, rt_text_position(c, end)->bytes));
}

void rt_path_comments(Context *c, int32_t start, int32_t end, int32_t count, int32_t value, int32_t flags,
                      String title)
{
    if (!c->run->log.wanted)
        return;
    if (!is_empty(title))
        rt_log_add(c, start, title);
    end_comments(c, start, end, count, value, flags);
}

void rt_log_constituent(Context *c, int32_t position, String text)
{
    if (rt_comments_wanted(c))
        log_append_entry(c, (LogEntry){position, LOG_CONSTITUENT, text});
}

// Adds ` (position i of n)` to the constituents of a line, which are in the log from `mark` on.
void rt_line_numbers(Context *c, int32_t start, int32_t count, int32_t mark, int32_t single_color)
{
    if (!rt_comments_wanted(c))
        return;
    for (int32_t i = mark; i < c->run->log.list.count; i++) {
        LogEntry *entry = &c->run->log.list.entry[i];
        if (entry->part != LOG_CONSTITUENT)
            continue;
        const int32_t plies = abs(c->node[entry->position].ply - c->node[start].ply);
        entry->part = LOG_TEXT;
        entry->text = run_format(c, "%s (position %d of %d)", string_or_empty(entry->text)->bytes,
                                 (int)(single_color ? (plies + 2) / 2 : plies + 1), (int)count);
    }
}

// ---- trails -----------------------------------------------------------------------------------------------

static Trail *trail_of(Context *c, int32_t path)
{
    PathState *s = c->run->path;
    s->trail = run_grow(c, s->trail, &s->trail_capacity, (size_t)path + 1, sizeof *s->trail);
    return &s->trail[path];
}

void rt_trail_start(Context *c, int32_t path)
{
    Trail *t = trail_of(c, path);
    t->tails.count = t->record_count = 0;
}

void rt_trail_push(Context *c, int32_t path, int32_t position)
{
    Positions *tails = &trail_of(c, path)->tails;
    resize(c, tails, tails->count + 1);
    tails->position[tails->count - 1] = position;
}

void rt_trail_pop(Context *c, int32_t path)
{
    Trail *t = trail_of(c, path);
    t->tails.count -= t->tails.count > 0;
}

// True when a record has the same end and moves: found in a second way, it is not an alternative (5.9).
static bool is_recorded(const Trail *t, int32_t end)
{
    for (int32_t i = 0; i < t->record_count; i++) {
        const Positions *tails = &t->record[i].tails;
        if (t->record[i].end == end && tails->count == t->tails.count &&
            memcmp(tails->position, t->tails.position, (size_t)tails->count * sizeof *tails->position) == 0)
            return true;
    }
    return false;
}

void rt_trail_keep(Context *c, int32_t path, int32_t end, int32_t mark, int32_t value, int32_t better)
{
    Trail *t = trail_of(c, path);
    const int32_t count = t->tails.count;
    run_pause(c);
    if (better)
        t->record_count = 0;
    run_take_bytes(c, (size_t)t->record_count * sizeof *t->record);
    if (is_recorded(t, end))
        return;
    if (t->record_count >= RECORD_CAP)
        run_raise_memory(c);
    t->record = run_grow(c, t->record, &t->record_capacity, (size_t)t->record_count + 1, sizeof *t->record);
    TrailRecord *r = &t->record[t->record_count++];
    resize(c, &r->tails, count);
    if (count > 0)
        memcpy(r->tails.position, t->tails.position, (size_t)count * sizeof *r->tails.position);
    r->end = end;
    r->value = value;
    log_copy(c, mark, &r->texts);
}

// ---- piecepath --------------------------------------------------------------------------------------------

static void append_square(Buffer *b, int square)
{
    char name[2];
    square_name(square, name);
    buffer_append(b, name, 2);
}

// What became of one piece between two positions of the trail's line: `-SQUARE` for a move, `(xSQUARE)` for
// its capture.
static void append_fate(Context *c, Buffer *b, int piece, int32_t n)
{
    const int before = facts_identities(c, c->node[n].parent)->square[piece];
    const int after = facts_identities(c, n)->square[piece];
    if (before == after)
        return;
    buffer_append(b, after == NO_SQUARE ? "(x" : "-", after == NO_SQUARE ? 2 : 1);
    append_square(b, after == NO_SQUARE ? before : after);
    if (after == NO_SQUARE)
        buffer_append(b, ")", 1);
}

// The positions after `start` down to `end`, in order.
static const Positions *line_between(Context *c, int32_t start, int32_t end)
{
    Positions *line = &c->run->path->line;
    int32_t i = c->node[end].ply - c->node[start].ply;
    resize(c, line, i);
    for (int32_t n = end; n != start; n = c->node[n].parent)
        line->position[--i] = n;
    return line;
}

// True when the piece leaves its square at some position of the line.
static bool moves_on_line(Context *c, int piece, int square, const Positions *line)
{
    for (int32_t i = 0; i < line->count && piece >= 0; i++)
        if (facts_identities(c, line->position[i])->square[piece] != square)
            return true;
    return false;
}

static void piecepath_comment(Context *c, int32_t start, int32_t end, Bitboard focus)
{
    Buffer *b = run_scratch(c);
    buffer_text(b, "Focus path:");
    const Positions *line = line_between(c, start, end);
    for (focus &= c->position[start]->board[BOARD_OCCUPIED]; focus; focus &= focus - 1) {
        const int square = bb_first(focus);
        const int piece = facts_identities(c, start)->number[square];
        if (!moves_on_line(c, piece, square, line))
            continue;
        buffer_format(b, " %s", rt_piece_letter(c->position[start]->square[square])->bytes);
        append_square(b, square);
        for (int32_t i = 0; i < line->count; i++)
            append_fate(c, b, piece, line->position[i]);
    }
    rt_log_add(c, start, run_scratch_string(c));
}

// ---- all comments of a path -------------------------------------------------------------------------------

static void verbose_comments(Context *c, const Positions *tails, String title)
{
    for (int32_t i = 0; i < tails->count; i++) {
        const bool titled = !is_empty(title);
        rt_log_add(c, tails->position[i],
                   run_format(c, "%s%smove %d of %d", titled ? title->bytes : "", titled ? ": " : "",
                              (int)i + 1, (int)tails->count));
    }
}

static void record_comments(Context *c, const TrailRecord *r, int32_t start, Bitboard focus, int32_t flags,
                            String title)
{
    log_append_list(c, &r->texts);
    if (!is_empty(title))
        rt_log_add(c, start, title);
    if (flags & PATH_PIECEPATH)
        piecepath_comment(c, start, r->end, focus);
    if (flags & PATH_VERBOSE)
        verbose_comments(c, &r->tails, title);
    end_comments(c, start, r->end, flags & PATH_LINE ? r->value : r->tails.count, r->value, flags);
}

void rt_trail_comments(Context *c, int32_t path, int32_t start, Bitboard focus, int32_t flags, String title)
{
    if (!c->run->log.wanted)
        return;
    const Trail *t = trail_of(c, path);
    for (int32_t i = 0; i < t->record_count; i++) {
        const TrailRecord *r = &t->record[i];
        record_comments(c, r, start, focus, flags, title);
        if (i > 0 && !(flags & PATH_LINE))
            rt_log_auto(c, r->end, run_string(c, "alternative", 11));
    }
}

// ---- counted finds (6.8) ----------------------------------------------------------------------------------

void rt_found_comments(Context *c, int32_t path, String word)
{
    if (!rt_comments_wanted(c))
        return;
    const Positions *found = &trail_of(c, path)->tails;
    for (int32_t i = 0; i < found->count; i++)
        rt_log_auto(c, found->position[i],
                    run_format(c, "%s %d of %d", word->bytes, (int)i + 1, (int)found->count));
}
