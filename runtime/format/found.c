// What the search adds to a matching game.
#include "found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "runtime/value/strings.h"

// ---- comments ---------------------------------------------------------------------------------------------

static void reserve_positions(FormatMemory *m, size_t count)
{
    if (count <= m->position_capacity)
        return;
    const size_t n = m->position_capacity = 2 * count;
    m->added = memory_resized(m->added, n, sizeof *m->added);
    m->drop = memory_resized(m->drop, n, sizeof *m->drop);
    m->position = memory_resized(m->position, n, sizeof *m->position);
}

void format_memory_free(FormatMemory *m)
{
    free(m->added);
    free(m->drop);
    free(m->position);
    free(m->entry);
    free(m->set_tag);
    buffer_free(&m->text);
    buffer_free(&m->comment);
    buffer_free(&m->value);
    buffer_free(&m->json);
    *m = (FormatMemory){0};
}

static int compare_positions(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

static bool is_matchstring(const QueryInfo *query, const RunResult *result, const LogEntry *entry)
{
    const char *text = query->matchstring ? query->matchstring : "CQL";
    if (entry->text->length != strlen(text) || memcmp(entry->text->bytes, text, entry->text->length) != 0)
        return false;
    return result->hit_count > 0 && bsearch(&entry->position, result->hit, (size_t)result->hit_count,
                                            sizeof *result->hit, compare_positions);
}

// Collects the texts in the logs that belong to a position of the written game and are not empty.
static void collect_entries(FormatMemory *m, const Found *found, size_t count, int32_t positions,
                            bool without_marks)
{
    m->entry_count = 0;
    for (size_t q = 0; q < count; q++) {
        for (int32_t i = 0; i < found[q].result->log_count; i++) {
            const LogEntry *entry = &found[q].result->log[i];
            bool mark = is_matchstring(found[q].query, found[q].result, entry) || entry->part == LOG_KEYS;
            if ((without_marks && mark) || entry->text->length == 0 || entry->position >= positions)
                continue;
            m->entry = memory_grow(m->entry, &m->entry_capacity, m->entry_count + 1, sizeof *m->entry);
            m->entry[m->entry_count] = (FoundEntry){entry, m->entry_count, false};
            m->entry_count++;
        }
    }
}

// By position, then in the order of the logs.
static int compare_order(const void *a, const void *b)
{
    const FoundEntry *x = a, *y = b;
    const int order = compare_positions(&x->entry->position, &y->entry->position);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

// Entries of one position, by text.
static int compare_texts(const void *a, const void *b)
{
    const FoundEntry *x = a, *y = b;
    const int order = string_compare(x->entry->text, y->entry->text);
    return order ? order : compare_order(a, b);
}

static bool same_text(const FoundEntry *a, const FoundEntry *b)
{
    return a->entry->text->length == b->entry->text->length &&
           memcmp(a->entry->text->bytes, b->entry->text->bytes, a->entry->text->length) == 0;
}

// Marks the entries of one position whose text an earlier one has.
static void mark_repeated(FoundEntry *entry, size_t count)
{
    enum { FEW = 16 }; // quicker without sorting
    if (count <= FEW) {
        for (size_t i = 1; i < count; i++)
            for (size_t k = 0; k < i && !entry[i].repeated; k++)
                entry[i].repeated = same_text(&entry[k], &entry[i]);
        return;
    }
    qsort(entry, count, sizeof *entry, compare_texts);
    for (size_t i = 1; i < count; i++)
        entry[i].repeated = same_text(&entry[i - 1], &entry[i]);
    qsort(entry, count, sizeof *entry, compare_order);
}

// Sorts the entries by position. Unless `repeat`, marks those whose text the position already has (10.3).
static void sort_entries(FormatMemory *m, bool repeat)
{
    bool sorted = true;
    for (size_t i = 1; i < m->entry_count && sorted; i++)
        sorted = compare_order(&m->entry[i - 1], &m->entry[i]) < 0;
    if (!sorted)
        qsort(m->entry, m->entry_count, sizeof *m->entry, compare_order);
    for (size_t i = 0, end; i < m->entry_count && !repeat; i = end) {
        for (end = i + 1; end < m->entry_count; end++)
            if (m->entry[end].entry->position != m->entry[i].entry->position)
                break;
        if (end - i > 1)
            mark_repeated(&m->entry[i], end - i);
    }
}

static void append_without_braces(Buffer *out, String text)
{
    size_t start = out->length;
    buffer_append(out, text->bytes, text->length);
    for (size_t i = start; i < out->length; i++)
        if (out->start[i] == '{' || out->start[i] == '}')
            out->start[i] = '_';
}

// The separator of two comments: a space, in CQL 5 after a semicolon (language reference 10.3, 11.8).
static const char *separator(const Found *found, size_t count)
{
    for (size_t q = 0; q < count; q++)
        if (!(found[q].query->flags & QUERY_CQL5))
            return " ";
    return "; ";
}

// Joins the comments of each position, in m->text, or keeps them apart, with 0 between them. That of the sort
// keys begins with a space of its own; in CQL 5 no semicolon precedes it.
static void join_entries(FormatMemory *m, int32_t positions, bool apart)
{
    size_t k = 0;
    m->text.length = 0;
    for (int32_t p = 0; p < positions; p++) {
        const size_t start = m->text.length;
        for (; k < m->entry_count && m->entry[k].entry->position == p; k++) {
            const bool joined = m->entry[k].entry->part == LOG_KEYS && m->between[0] == ';';
            if (m->entry[k].repeated)
                continue;
            if (m->text.length > start && apart)
                buffer_append(&m->text, "", 1);
            else if (m->text.length > start && !joined)
                buffer_text(&m->text, m->between);
            append_without_braces(&m->text, m->entry[k].entry->text);
        }
        m->added[p] = (Text){NULL, m->text.length - start};
    }
    size_t offset = 0; // only now m->text no longer moves
    for (int32_t p = 0; p < positions; p++) {
        if (m->added[p].length > 0)
            m->added[p].start = m->text.start + offset;
        offset += m->added[p].length;
    }
}

static void gather_drops(FormatMemory *m, const Found *found, size_t count, int32_t positions)
{
    memset(m->drop, 0, (size_t)positions * sizeof *m->drop);
    m->any_drop = false;
    for (size_t q = 0; q < count; q++) {
        const bool *drop = found[q].result->drop_comment;
        for (int32_t p = 0; drop && p < found[q].result->position_count && p < positions; p++) {
            m->drop[p] |= drop[p];
            m->any_drop |= drop[p];
        }
    }
}

void found_comments(FormatMemory *m, const FoundGame *g, const Found *found, size_t count, bool without_marks)
{
    int32_t positions = g->game->view.count;
    reserve_positions(m, (size_t)positions);
    m->between = separator(found, count);
    collect_entries(m, found, count, positions, without_marks);
    sort_entries(m, g->repeat_comments);
    join_entries(m, positions, g->forms && g->forms->apart);
    gather_drops(m, found, count, positions);
}

Text found_comment(FormatMemory *m, const FoundGame *g, int32_t id)
{
    Text original = m->drop[id] ? (Text){0} : g->game->note[id].comment, added = m->added[id];
    if (original.length == 0 || added.length == 0)
        return original.length == 0 ? added : original;
    m->comment.length = 0;
    buffer_append(&m->comment, original.start, original.length);
    buffer_text(&m->comment, m->between);
    buffer_append(&m->comment, added.start, added.length);
    return (Text){m->comment.start, m->comment.length};
}

// ---- tags -------------------------------------------------------------------------------------------------

void found_set_tags(FormatMemory *m, const Found *found, size_t count)
{
    m->set_tag_count = 0;
    for (size_t q = 0; q < count; q++) {
        const RunResult *result = found[q].result;
        for (int32_t i = 0; i < result->set_tag_count; i++) {
            MEMORY_PUSH(m->set_tag, m->set_tag_count, m->set_tag_capacity, result->set_tag[i]);
        }
    }
}

void found_tags(FormatMemory *m, const FoundGame *g, const Found *found, size_t count)
{
    found_set_tags(m, found, count);
    m->tag = game_written_tags(g->game, m->set_tag, m->set_tag_count, &m->tag_count);
}

bool found_tag_repeats(const FormatMemory *m, size_t i)
{
    enum { RATINGS_END = 9 }; // seven tags that every game has, and two ratings
    for (size_t k = 0; k < i && k < RATINGS_END; k++)
        if (text_equal(m->tag[k].name, m->tag[i].name))
            return true;
    return false;
}

Text found_tag(const FormatMemory *m, const char *name)
{
    for (size_t i = 0; i < m->tag_count; i++)
        if (text_equal(m->tag[i].name, text_of(name)))
            return m->tag[i].value;
    return (Text){0};
}

// ---- positions --------------------------------------------------------------------------------------------

void found_clocks(FormatMemory *m, const FoundGame *g)
{
    const GameView *view = &g->game->view;
    reserve_positions(m, (size_t)view->count);
    m->position[0].halfmove = g->game->clocks.halfmove;
    for (int32_t id = 1; id < view->count; id++) { // after its parent
        const Node *node = &view->node[id];
        bool pawn = node->move.piece == WHITE_PAWN || node->move.piece == BLACK_PAWN;
        bool resets = !(node->move.flags & MOVE_NULL) && (pawn || (node->move.flags & MOVE_CAPTURE));
        m->position[id].halfmove = resets ? 0 : m->position[node->parent].halfmove + 1;
    }
}

int32_t found_mark_hits(FormatMemory *m, const FoundGame *g)
{
    int32_t hits = 0;
    for (int32_t id = 0; id < g->game->view.count; id++)
        m->position[id].hit = m->position[id].move_found = m->position[id].diagram = false;
    for (size_t i = 0; i < g->count; i++) {
        const RunResult *result = g->found[i].result;
        for (int32_t k = 0; k < result->hit_count; k++) {
            bool *hit = &m->position[result->hit[k]].hit;
            hits += !*hit;
            *hit = true;
        }
        for (int32_t k = 0; k < result->moves_count; k++)
            m->position[result->moves[k].move].move_found = true;
    }
    return hits;
}

int found_moves(const FoundGame *g, int32_t id, int32_t *move, int most)
{
    int count = 0;
    for (size_t q = 0; q < g->count; q++) {
        const RunResult *result = g->found[q].result;
        for (int32_t i = 0; i < result->moves_count && count < most; i++) {
            bool again = result->moves[i].position != id;
            for (int k = 0; k < count && !again; k++)
                again = move[k] == result->moves[i].move;
            if (!again)
                move[count++] = result->moves[i].move;
        }
    }
    return count;
}

void found_sort_value(Buffer *out, const SortValue *value, void (*write_text)(Buffer *, Text),
                      const char *none)
{
    if (!value->has_value)
        buffer_text(out, none);
    else if (value->text)
        write_text(out, (Text){value->text->bytes, value->text->length});
    else
        buffer_format(out, "%d", (int)value->number);
}

int found_fen(const FormatMemory *m, const FoundGame *g, int32_t id, char fen[FEN_MAX])
{
    const GameView *view = &g->game->view;
    int plies = view->node[id].ply + (view->position[0]->side == BLACK);
    FenClocks clocks = {m->position[id].halfmove, g->game->clocks.fullmove + plies / 2};
    return fen_write(view->position[id], clocks, fen);
}

int found_move_number(const FoundGame *g, int32_t id)
{
    const GameView *view = &g->game->view;
    int plies = view->node[id].ply - 1 + (view->position[0]->side == BLACK);
    return g->game->clocks.fullmove + plies / 2;
}

Bitboard found_squares(const FoundGame *g, int32_t id)
{
    Bitboard squares = 0;
    for (size_t q = 0; q < g->count; q++) {
        const RunResult *result = g->found[q].result;
        for (int32_t i = 0; i < result->squares_count; i++)
            if (result->squares[i].position == id)
                squares |= result->squares[i].squares;
    }
    return squares == BB_ALL ? 0 : squares;
}
