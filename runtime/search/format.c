#include "format.h"

#include <stdlib.h>
#include <string.h>

static void *grow(void *old, size_t count, size_t size)
{
    void *memory = realloc(old, count * size);
    if (!memory)
        abort();
    return memory;
}

static void reserve_positions(FormatMemory *m, int32_t count)
{
    if (count <= m->position_capacity)
        return;
    m->position_capacity = count * 2;
    size_t n = (size_t)m->position_capacity;
    m->added = grow(m->added, n, sizeof *m->added);
    m->drop = grow(m->drop, n, sizeof *m->drop);
    m->first = grow(m->first, n, sizeof *m->first);
    m->last = grow(m->last, n, sizeof *m->last);
}

void format_memory_free(FormatMemory *m)
{
    free(m->added);
    free(m->drop);
    free(m->first);
    free(m->last);
    free(m->next);
    buffer_free(&m->text);
    *m = (FormatMemory){0};
}

void format_positions(Buffer *out, int64_t game, const Found *found, bool label)
{
    if (found->result->hit_count == 0) // a game that matches because nothing in it does (matchcount 0)
        return;
    if (label)
        buffer_format(out, "%s\t", found->query->name);
    buffer_format(out, "%lld:", (long long)game);
    for (int32_t i = 0; i < found->result->hit_count; i++) {
        char number[16];
        int length = snprintf(number, sizeof number, " %d", found->result->hit[i]);
        buffer_append(out, number, (size_t)length);
    }
    buffer_append(out, "\n", 1);
}

// All log entries of the queries that found the game, as one list.
typedef struct Entries {
    const LogEntry **entry;
    int32_t count;
} Entries;

static bool same_text(const LogEntry *a, const LogEntry *b)
{
    return a->text->length == b->text->length && memcmp(a->text->bytes, b->text->bytes, a->text->length) == 0;
}

// Chains the entries of each position in order, leaving out empty texts and texts that stand there already (10.3).
static void chain_entries(FormatMemory *m, const Entries *entries, int32_t positions)
{
    if (entries->count > m->entry_capacity) {
        m->entry_capacity = entries->count * 2;
        m->next = grow(m->next, (size_t)m->entry_capacity, sizeof *m->next);
    }
    for (int32_t p = 0; p < positions; p++)
        m->first[p] = m->last[p] = -1;
    for (int32_t i = 0; i < entries->count; i++) {
        int32_t p = entries->entry[i]->position;
        bool wanted = entries->entry[i]->text->length > 0 && p < positions;
        for (int32_t k = wanted ? m->first[p] : -1; k >= 0 && wanted; k = m->next[k])
            wanted = !same_text(entries->entry[k], entries->entry[i]);
        m->next[i] = -1;
        if (!wanted)
            continue;
        if (m->first[p] < 0)
            m->first[p] = i;
        else
            m->next[m->last[p]] = i;
        m->last[p] = i;
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

// Joins the texts of each position by single spaces. The texts point into m->text, which is complete when they are made.
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
        m->added[p] = (Text){(const char *)start, m->text.length - start};
    }
    for (int32_t p = 0; p < positions; p++)
        m->added[p].start = m->text.start + (size_t)m->added[p].start;
}

static Entries collect_entries(const Found *found, size_t count)
{
    Entries entries = {0};
    for (size_t q = 0; q < count; q++)
        entries.count += found[q].result->log_count;
    entries.entry = grow(NULL, (size_t)entries.count + 1, sizeof *entries.entry);
    int32_t n = 0;
    for (size_t q = 0; q < count; q++)
        for (int32_t i = 0; i < found[q].result->log_count; i++)
            entries.entry[n++] = &found[q].result->log[i];
    return entries;
}

// The comments of each position in m->added; the caller frees nothing.
static void gather_comments(FormatMemory *m, const Found *found, size_t count, int32_t positions)
{
    reserve_positions(m, positions);
    Entries entries = collect_entries(found, count);
    chain_entries(m, &entries, positions);
    join_entries(m, &entries, positions);
    free(entries.entry);
}

// Tags set by all queries in the order of their first setting; the last value counts.
static Tag *gather_tags(const Found *found, size_t count, size_t *tag_count)
{
    size_t n = 0, room = 0;
    for (size_t q = 0; q < count; q++)
        room += (size_t)found[q].result->set_tag_count;
    Tag *tags = grow(NULL, room + 1, sizeof *tags);
    for (size_t q = 0; q < count; q++) {
        for (int32_t i = 0; i < found[q].result->set_tag_count; i++) {
            Tag tag = found[q].result->set_tag[i];
            size_t k = 0;
            while (k < n && (tags[k].name.length != tag.name.length ||
                             memcmp(tags[k].name.start, tag.name.start, tag.name.length) != 0))
                k++;
            tags[k] = tag;
            n += k == n;
        }
    }
    *tag_count = n;
    return tags;
}

void format_pgn(Buffer *out, Game *game, const Found *found, size_t count, FormatMemory *m)
{
    int32_t positions = game->view.count;
    gather_comments(m, found, count, positions);
    memset(m->drop, 0, (size_t)positions * sizeof *m->drop);
    bool any_dropped = false;
    for (size_t q = 0; q < count; q++) {
        const bool *drop = found[q].result->drop_comment;
        for (int32_t p = 0; drop && p < found[q].result->position_count && p < positions; p++) {
            m->drop[p] |= drop[p];
            any_dropped |= drop[p];
        }
    }
    GameChanges changes = {.added = m->added, .drop_comment = any_dropped ? m->drop : NULL};
    Tag *tags = gather_tags(found, count, &changes.set_tag_count);
    changes.set_tag = tags;
    game_write_pgn(out, game, &changes);
    free(tags);
}

// ---- JSON --------------------------------------------------------------------------------------------------------

// Length of the well-formed UTF-8 sequence at s, or 0.
static size_t utf8_length(const unsigned char *s, size_t left)
{
    size_t length = s[0] < 0x80 ? 1 : s[0] >= 0xC2 && s[0] < 0xE0 ? 2 : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
                    : s[0] >= 0xF0 && s[0] < 0xF5 ? 4 : 0;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF0 && s[1] < 0x90) ||
        (s[0] == 0xF4 && s[1] > 0x8F))
        return 0;
    return length;
}

// A JSON string. Bytes that are not UTF-8 are taken for Latin-1.
static void json_string(Buffer *out, const char *bytes, size_t length)
{
    buffer_append(out, "\"", 1);
    for (size_t i = 0; i < length;) {
        unsigned char byte = (unsigned char)bytes[i];
        size_t sequence = utf8_length((const unsigned char *)bytes + i, length - i);
        if (byte == '"' || byte == '\\') {
            buffer_format(out, "\\%c", byte);
        } else if (byte < 0x20 || byte == 0x7F) {
            buffer_format(out, "\\u%04x", byte);
        } else if (sequence > 0) {
            buffer_append(out, bytes + i, sequence);
        } else {
            char latin[2] = {(char)(0xC0 | byte >> 6), (char)(0x80 | (byte & 0x3F))};
            buffer_append(out, latin, 2);
        }
        i += sequence > 0 ? sequence : 1;
    }
    buffer_append(out, "\"", 1);
}

static void json_text(Buffer *out, Text text)
{
    json_string(out, text.start, text.length);
}

static void json_position(Buffer *out, const Game *game, int32_t id, Text comment)
{
    const GameView *view = &game->view;
    const Node *node = &view->node[id];
    char fen[FEN_MAX];
    int plies = node->ply + (view->position[0]->side == BLACK);
    FenClocks clocks = {0, game->clocks.fullmove + plies / 2};
    int length = fen_write(view->position[id], clocks, fen);
    buffer_format(out, "{\"id\":%d,\"ply\":%d,\"fen\":", id, node->ply);
    json_string(out, fen, (size_t)length);
    if (node->parent >= 0) {
        char move[SAN_MAX];
        length = san_write(view->position[node->parent], node->move, move);
        buffer_text(out, ",\"san\":");
        json_string(out, move, (size_t)length);
        length = uci_write(view->position[node->parent], node->move, move);
        buffer_text(out, ",\"uci\":");
        json_string(out, move, (size_t)length);
    }
    if (comment.length > 0) {
        buffer_text(out, ",\"comment\":");
        json_text(out, comment);
    }
    buffer_text(out, "}");
}

void format_jsonl(Buffer *out, Game *game, const Found *found, FormatMemory *m)
{
    gather_comments(m, found, 1, game->view.count);
    buffer_format(out, "{\"game\":%d,\"query\":", game->view.number);
    json_string(out, found->query->name, strlen(found->query->name));
    buffer_text(out, ",\"tags\":{");
    for (size_t i = 0; i < game->tag_count; i++) {
        if (i > 0)
            buffer_append(out, ",", 1);
        json_text(out, game->tag[i].name);
        buffer_append(out, ":", 1);
        json_text(out, game->tag[i].value);
    }
    buffer_text(out, "},\"positions\":[");
    for (int32_t i = 0; i < found->result->hit_count; i++) {
        int32_t id = found->result->hit[i];
        if (i > 0)
            buffer_append(out, ",", 1);
        json_position(out, game, id, m->added[id]);
    }
    buffer_text(out, "]");
    if (found->query->sort_key_count > 0) {
        buffer_text(out, ",\"sort\":{");
        for (int32_t k = 0; k < found->query->sort_key_count; k++) {
            const SortValue *value = &found->result->sort[k];
            if (k > 0)
                buffer_append(out, ",", 1);
            json_string(out, found->query->sort_key[k].name, strlen(found->query->sort_key[k].name));
            buffer_append(out, ":", 1);
            if (!value->has_value)
                buffer_text(out, "null");
            else if (value->text)
                json_string(out, value->text->bytes, value->text->length);
            else
                buffer_format(out, "%d", value->number);
        }
        buffer_text(out, "}");
    }
    buffer_text(out, "}\n");
}
