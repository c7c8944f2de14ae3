// What the search adds to a matching game.
#include "found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"

// ---- comments ---------------------------------------------------------------------------------------------

static void reserve_positions(FormatMemory *m, size_t count)
{
    if (count <= m->position_capacity)
        return;
    const size_t n = m->position_capacity = 2 * count;
    m->added = memory_resized(m->added, n, sizeof *m->added);
    m->drop = memory_resized(m->drop, n, sizeof *m->drop);
    m->halfmove = memory_resized(m->halfmove, n, sizeof *m->halfmove);
    m->hit = memory_resized(m->hit, n, sizeof *m->hit);
    m->move_found = memory_resized(m->move_found, n, sizeof *m->move_found);
    m->first = memory_resized(m->first, n, sizeof *m->first);
    m->last = memory_resized(m->last, n, sizeof *m->last);
}

static void reserve_entries(FormatMemory *m, size_t count)
{
    if (count <= m->entry_capacity)
        return;
    m->next = memory_grow(m->next, &m->entry_capacity, count, sizeof *m->next);
    size_t size = 16;
    while (size < 2 * m->entry_capacity)
        size *= 2;
    m->table = memory_grow(m->table, &m->table_capacity, size, sizeof *m->table);
}

void format_memory_free(FormatMemory *m)
{
    free(m->added);
    free(m->drop);
    free(m->halfmove);
    free(m->hit);
    free(m->move_found);
    free(m->first);
    free(m->last);
    free(m->next);
    free(m->table);
    free(m->set_tag);
    buffer_free(&m->text);
    buffer_free(&m->comment);
    *m = (FormatMemory){0};
}

// All log entries of the queries that found the game, as one list.
typedef struct Entries {
    const LogEntry **entry;
    size_t count;
} Entries;

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

static Entries collect_entries(const Found *found, size_t count, bool without_marks)
{
    size_t room = 1;
    for (size_t q = 0; q < count; q++)
        room += (size_t)found[q].result->log_count;
    Entries entries = {memory_zeroed(room, sizeof *entries.entry), 0};
    for (size_t q = 0; q < count; q++) {
        for (int32_t i = 0; i < found[q].result->log_count; i++) {
            const LogEntry *entry = &found[q].result->log[i];
            bool mark = is_matchstring(found[q].query, found[q].result, entry) || entry->part == LOG_KEYS;
            if (!without_marks || !mark)
                entries.entry[entries.count++] = entry;
        }
    }
    return entries;
}

static uint64_t hash_entry(const LogEntry *entry)
{
    uint64_t hash = 14695981039346656037ULL ^ (uint32_t)entry->position;
    for (uint32_t i = 0; i < entry->text->length; i++)
        hash = (hash ^ (unsigned char)entry->text->bytes[i]) * 1099511628211ULL;
    return hash ^ hash >> 29;
}

static bool same_entry(const LogEntry *a, const LogEntry *b)
{
    return a->position == b->position && a->text->length == b->text->length &&
           memcmp(a->text->bytes, b->text->bytes, a->text->length) == 0;
}

// Enters entry i into the hash table (a power of 2 cells of index + 1); false when it contains an equal one.
static bool enter(FormatMemory *m, const Entries *entries, size_t i, size_t mask)
{
    size_t cell = (size_t)hash_entry(entries->entry[i]) & mask;
    for (; m->table[cell]; cell = (cell + 1) & mask)
        if (same_entry(entries->entry[m->table[cell] - 1], entries->entry[i]))
            return false;
    m->table[cell] = (uint32_t)i + 1;
    return true;
}

// Chains the entries of each position in order, without empty ones and, unless `repeat`, without those that
// the position already has (10.3).
static void chain_entries(FormatMemory *m, const Entries *entries, int32_t positions, bool repeat)
{
    size_t size = 16;
    while (size < 2 * entries->count)
        size *= 2;
    reserve_entries(m, entries->count + 1);
    memset(m->table, 0, size * sizeof *m->table);
    for (int32_t p = 0; p < positions; p++)
        m->first[p] = m->last[p] = -1;
    for (size_t i = 0; i < entries->count; i++) {
        int32_t p = entries->entry[i]->position;
        m->next[i] = -1;
        if (entries->entry[i]->text->length == 0 || p >= positions ||
            !(enter(m, entries, i, size - 1) || repeat))
            continue;
        if (m->first[p] < 0)
            m->first[p] = (int32_t)i;
        else
            m->next[m->last[p]] = (int32_t)i;
        m->last[p] = (int32_t)i;
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

// Joins the comments of each position, in m->text, or keeps them apart, with 0 between them. That of the sort keys begins with a space of its own; in
// CQL 5 no semicolon precedes it.
static void join_entries(FormatMemory *m, const Entries *entries, int32_t positions, bool apart)
{
    m->text.length = 0;
    for (int32_t p = 0; p < positions; p++) {
        size_t start = m->text.length;
        for (int32_t k = m->first[p]; k >= 0; k = m->next[k]) {
            const bool joined = entries->entry[k]->part == LOG_KEYS && m->between[0] == ';';
            if (k != m->first[p] && apart)
                buffer_append(&m->text, "", 1);
            else if (k != m->first[p] && !joined)
                buffer_text(&m->text, m->between);
            append_without_braces(&m->text, entries->entry[k]->text);
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
    Entries entries = collect_entries(found, count, without_marks);
    chain_entries(m, &entries, positions, g->repeat_comments);
    join_entries(m, &entries, positions, g->forms && g->forms->apart);
    free(entries.entry);
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
            m->set_tag =
                memory_grow(m->set_tag, &m->set_tag_capacity, m->set_tag_count + 1, sizeof *m->set_tag);
            m->set_tag[m->set_tag_count++] = result->set_tag[i];
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
    m->halfmove[0] = g->game->clocks.halfmove;
    for (int32_t id = 1; id < view->count; id++) { // after its parent
        const Node *node = &view->node[id];
        bool pawn = node->move.piece == WHITE_PAWN || node->move.piece == BLACK_PAWN;
        bool resets = !(node->move.flags & MOVE_NULL) && (pawn || (node->move.flags & MOVE_CAPTURE));
        m->halfmove[id] = resets ? 0 : m->halfmove[node->parent] + 1;
    }
}

int32_t found_mark_hits(FormatMemory *m, const FoundGame *g)
{
    int32_t hits = 0;
    memset(m->hit, 0, (size_t)g->game->view.count * sizeof *m->hit);
    for (size_t i = 0; i < g->count; i++) {
        for (int32_t k = 0; k < g->found[i].result->hit_count; k++) {
            bool *hit = &m->hit[g->found[i].result->hit[k]];
            hits += !*hit;
            *hit = true;
        }
    }
    return hits;
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
    FenClocks clocks = {m->halfmove[id], g->game->clocks.fullmove + plies / 2};
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
