#include "found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../value/memory.h"

// ---- comments ---------------------------------------------------------------------------------------------

static void reserve_positions(FormatMemory *m, size_t count)
{
    if (count <= m->position_capacity)
        return;
    size_t n = m->position_capacity = 2 * count;
    m->added = memory_grow(m->added, &(size_t){0}, n, sizeof *m->added);
    m->drop = memory_grow(m->drop, &(size_t){0}, n, sizeof *m->drop);
    m->halfmove = memory_grow(m->halfmove, &(size_t){0}, n, sizeof *m->halfmove);
    m->hit = memory_grow(m->hit, &(size_t){0}, n, sizeof *m->hit);
    m->move_found = memory_grow(m->move_found, &(size_t){0}, n, sizeof *m->move_found);
    m->first = memory_grow(m->first, &(size_t){0}, n, sizeof *m->first);
    m->last = memory_grow(m->last, &(size_t){0}, n, sizeof *m->last);
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
    free(m->tag);
    buffer_free(&m->text);
    buffer_free(&m->comment);
    *m = (FormatMemory){0};
}

// All log entries of the queries that found the game, as one list.
typedef struct Entries {
    const LogEntry **entry;
    size_t count;
} Entries;

static bool is_matchstring(const QueryInfo *query, const RunResult *result, const LogEntry *entry)
{
    const char *text = query->matchstring ? query->matchstring : "CQL";
    if (entry->text->length != strlen(text) || memcmp(entry->text->bytes, text, entry->text->length) != 0)
        return false;
    int32_t low = 0, high = result->hit_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (result->hit[middle] < entry->position)
            low = middle + 1;
        else
            high = middle;
    }
    return low < result->hit_count && result->hit[low] == entry->position;
}

// Whether entry i is the text with the values of the sort keys, which comes last (language reference 10.4.1).
static bool is_key_text(const QueryInfo *query, const RunResult *result, int32_t i)
{
    bool loud = query->flags & QUERY_SORT_MATCHCOUNT;
    for (int32_t k = 0; k < query->sort_key_count; k++)
        loud |= !query->sort_key[k].quiet;
    const LogEntry *entry = &result->log[i];
    return loud && i == result->log_count - 1 && entry->position == 0 && entry->text->length > 0 &&
           entry->text->bytes[0] == ' ';
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
            bool mark = is_matchstring(found[q].query, found[q].result, entry) ||
                        is_key_text(found[q].query, found[q].result, i);
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

// Enters entry i into the hash table (of a power of 2 cells that hold index + 1); false when an equal one is
// there.
static bool enter(FormatMemory *m, const Entries *entries, size_t i, size_t mask)
{
    size_t cell = (size_t)hash_entry(entries->entry[i]) & mask;
    for (; m->table[cell]; cell = (cell + 1) & mask)
        if (same_entry(entries->entry[m->table[cell] - 1], entries->entry[i]))
            return false;
    m->table[cell] = (uint32_t)i + 1;
    return true;
}

// Chains the entries of each position in order, leaving out empty texts and, unless they may repeat, texts
// that stand there already (10.3).
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

// Joins the texts of each position by single spaces, in m->text.
static void join_entries(FormatMemory *m, const Entries *entries, int32_t positions)
{
    m->text.length = 0;
    for (int32_t p = 0; p < positions; p++) {
        size_t start = m->text.length;
        for (int32_t k = m->first[p]; k >= 0; k = m->next[k]) {
            if (k != m->first[p])
                buffer_append(&m->text, " ", 1);
            append_without_braces(&m->text, entries->entry[k]->text);
        }
        m->added[p] = (Text){NULL, m->text.length - start};
    }
    size_t offset = 0; // only now m->text stays where it is
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
    Entries entries = collect_entries(found, count, without_marks);
    chain_entries(m, &entries, positions, g->repeat_comments);
    join_entries(m, &entries, positions);
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
    buffer_append(&m->comment, " ", 1);
    buffer_append(&m->comment, added.start, added.length);
    return (Text){m->comment.start, m->comment.length};
}

// ---- tags -------------------------------------------------------------------------------------------------

static bool equal(Text text, Text other)
{
    return text.length == other.length && memcmp(text.start, other.start, text.length) == 0;
}

static Text text_of(const char *text)
{
    return (Text){text, strlen(text)};
}

// The place of a name in m->tag from index `from` on, or tag_count.
static size_t find_tag(const FormatMemory *m, size_t from, Text name)
{
    while (from < m->tag_count && !equal(m->tag[from].name, name))
        from++;
    return from;
}

static void put_tag(FormatMemory *m, Text name, Text value)
{
    m->tag = memory_grow(m->tag, &m->tag_capacity, m->tag_count + 1, sizeof *m->tag);
    m->tag[m->tag_count++] = (Tag){name, value};
}

static void set_tag(FormatMemory *m, Tag tag)
{
    size_t k = find_tag(m, 0, tag.name);
    if (k < m->tag_count)
        m->tag[k].value = tag.value;
    else
        put_tag(m, tag.name, tag.value);
}

static void set_tags(FormatMemory *m, const Found *found, size_t count)
{
    for (size_t q = 0; q < count; q++)
        for (int32_t i = 0; i < found[q].result->set_tag_count; i++)
            set_tag(m, found[q].result->set_tag[i]);
}

void found_set_tags(FormatMemory *m, const Found *found, size_t count)
{
    m->tag_count = 0;
    set_tags(m, found, count);
}

static const char *const rating_types[] = {"", "Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "BCF"};

static void put_rating(FormatMemory *m, const TagRoster *r, int colour)
{
    m->rating_name[colour][0] = 0;
    if (r->rating[colour] == 0)
        return;
    snprintf(m->rating_name[colour], sizeof m->rating_name[colour], "%s%s",
             colour == WHITE ? "White" : "Black", rating_types[r->rating_type[colour]]);
    snprintf(m->rating_value[colour], sizeof m->rating_value[colour], "%d", (int)r->rating[colour]);
    put_tag(m, text_of(m->rating_name[colour]), text_of(m->rating_value[colour]));
}

// Whether a tag of the input is one that stands in the roster, is *the* rating, or is a rating without a
// value.
static bool is_written_already(const FormatMemory *m, const Tag *tag)
{
    static const char *const names[] = {"Event", "Site",   "Date", "Round",     "White",
                                        "Black", "Result", "ECO",  "EventDate", "FEN"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (equal(tag->name, text_of(names[i])))
            return true;
    if (tag->name.length < 5 ||
        (memcmp(tag->name.start, "White", 5) != 0 && memcmp(tag->name.start, "Black", 5) != 0))
        return false;
    Text type = {tag->name.start + 5, tag->name.length - 5};
    for (size_t i = 1; i < sizeof rating_types / sizeof *rating_types; i++) {
        if (!equal(type, text_of(rating_types[i])))
            continue;
        bool digit = tag->value.length > 0 && tag->value.start[0] >= '1' && tag->value.start[0] <= '9';
        return !digit || equal(tag->name, text_of(m->rating_name[0])) ||
               equal(tag->name, text_of(m->rating_name[1]));
    }
    return false;
}

static const char *result_text(const Game *game)
{
    static const char *const text[] = {"*", "1-0", "0-1", "1/2-1/2"};
    return text[game->view.result];
}

void found_tags(FormatMemory *m, const FoundGame *g, const Found *found, size_t count)
{
    const Game *game = g->game;
    const TagRoster *r = &game->roster;
    m->tag_count = 0;
    put_tag(m, text_of("Event"), r->event);
    put_tag(m, text_of("Site"), r->site);
    put_tag(m, text_of("Date"), text_of(r->date));
    put_tag(m, text_of("Round"), r->round);
    put_tag(m, text_of("White"), r->white);
    put_tag(m, text_of("Black"), r->black);
    put_tag(m, text_of("Result"), text_of(result_text(game)));
    put_rating(m, r, WHITE);
    put_rating(m, r, BLACK);
    if (r->eco.length > 0)
        put_tag(m, text_of("ECO"), r->eco);
    if (strcmp(r->event_date, "????.??.??") != 0)
        put_tag(m, text_of("EventDate"), text_of(r->event_date));
    for (size_t i = 0; i < game->tag_count; i++)
        if (!is_written_already(m, &game->tag[i]))
            put_tag(m, game->tag[i].name, game->tag[i].value);
    if (game->has_fen)
        put_tag(m, text_of("FEN"), game_start_fen(game));
    set_tags(m, found, count);
}

Text found_tag(const FormatMemory *m, const char *name)
{
    size_t k = find_tag(m, 0, text_of(name));
    return k < m->tag_count ? m->tag[k].value : (Text){0};
}

// ---- positions --------------------------------------------------------------------------------------------

void found_clocks(FormatMemory *m, const FoundGame *g)
{
    const GameView *view = &g->game->view;
    reserve_positions(m, (size_t)view->count);
    m->halfmove[0] = g->game->clocks.halfmove;
    for (int32_t id = 1; id < view->count; id++) { // parents have smaller numbers
        const Node *node = &view->node[id];
        bool pawn = node->move.piece == WHITE_PAWN || node->move.piece == BLACK_PAWN;
        bool resets = !(node->move.flags & MOVE_NULL) && (pawn || (node->move.flags & MOVE_CAPTURE));
        m->halfmove[id] = resets ? 0 : m->halfmove[node->parent] + 1;
    }
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
