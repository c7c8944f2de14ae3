// Formats for other programs: JSON Lines, CSV, FEN.
#include "runtime/value/memory.h"

#include <stdio.h>
#include <string.h>

#include "found.h"
#include "text.h"
#include "writers.h"

// ---- JSON Lines -------------------------------------------------------------------------------------------

static void json_tags(Buffer *out, const FormatMemory *m)
{
    buffer_text(out, ",\"tags\":{");
    for (size_t i = 0; i < m->tag_count; i++) {
        if (found_tag_repeats(m, i)) // names in an object are unique
            continue;
        if (i > 0)
            buffer_append(out, ",", 1);
        text_json(out, m->tag[i].name);
        buffer_append(out, ":", 1);
        text_json(out, m->tag[i].value);
    }
    buffer_text(out, "}");
}

static void json_position(Buffer *out, const FoundGame *g, FormatMemory *m, int32_t id)
{
    const GameView *view = &g->game->view;
    const Node *node = &view->node[id];
    char fen[FEN_MAX], move[SAN_MAX];
    found_fen(m, g, id, fen);
    buffer_format(out, "{\"id\":%d,\"ply\":%d,\"fen\":\"%s\"", (int)id, (int)node->ply, fen);
    if (node->parent >= 0) {
        san_write(view->position[node->parent], node->move, move);
        buffer_format(out, ",\"number\":%d,\"san\":\"%s\"", found_move_number(g, id), move);
        uci_write(view->position[node->parent], node->move, move);
        buffer_format(out, ",\"uci\":\"%s\"", move);
    }
    Text comment = found_comment(m, g, id);
    if (comment.length > 0) {
        buffer_text(out, ",\"comment\":");
        text_json(out, comment);
    }
    buffer_text(out, "}");
}

static void json_positions(Buffer *out, const FoundGame *g, FormatMemory *m, const RunResult *result)
{
    buffer_text(out, ",\"positions\":[");
    for (int32_t i = 0; i < result->hit_count; i++) {
        if (i > 0)
            buffer_append(out, ",", 1);
        json_position(out, g, m, result->hit[i]);
    }
    buffer_text(out, "]");
}

// The comments added at positions that do not match.
static void json_comments(Buffer *out, const FoundGame *g, const FormatMemory *m, const RunResult *result)
{
    const GameView *view = &g->game->view;
    int32_t hit = 0;
    bool any = false;
    for (int32_t id = 0; id < view->count; id++) {
        while (hit < result->hit_count && result->hit[hit] < id)
            hit++;
        bool matches = hit < result->hit_count && result->hit[hit] == id;
        if (matches || m->added[id].length == 0)
            continue;
        buffer_format(out, "%s{\"id\":%d,\"ply\":%d,\"comment\":", any ? "," : ",\"comments\":[", (int)id,
                      (int)view->node[id].ply);
        text_json(out, m->added[id]);
        buffer_text(out, "}");
        any = true;
    }
    if (any)
        buffer_text(out, "]");
}

static void json_sort(Buffer *out, const Found *found)
{
    for (int32_t k = 0; k < found->query->sort_key_count; k++) {
        const SortValue *value = &found->result->sort[k];
        buffer_text(out, k > 0 ? "," : ",\"sort\":{");
        text_json(out, text_of(found->query->sort_key[k].name));
        buffer_append(out, ":", 1);
        found_sort_value(out, value, text_json, "null");
    }
    if (found->query->sort_key_count > 0)
        buffer_text(out, "}");
}

void write_jsonl(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    found_clocks(m, g);
    for (size_t i = 0; i < g->count; i++) {
        const Found *found = &g->found[i];
        found_comments(m, g, found, 1, true);
        found_tags(m, g, found, 1);
        buffer_format(out, "{\"game\":%lld,\"file\":", (long long)g->number);
        text_json(out, text_of(g->input));
        buffer_text(out, ",\"query\":");
        text_json(out, text_of(found->query->name));
        json_tags(out, m);
        json_positions(out, g, m, found->result);
        json_comments(out, g, m, found->result);
        json_sort(out, found);
        buffer_text(out, "}\n");
    }
}

// ---- CSV --------------------------------------------------------------------------------------------------

static const struct {
    const char *column, *tag;
} csv_tags[] = {
    {"white", "White"},   {"black", "Black"}, {"white_elo", "WhiteElo"}, {"black_elo", "BlackElo"},
    {"result", "Result"}, {"date", "Date"},   {"event", "Event"},        {"site", "Site"},
    {"round", "Round"},   {"eco", "ECO"}};

enum { CSV_TAGS = sizeof csv_tags / sizeof *csv_tags };

// A column for each distinct name among the sort keys of all queries, in order: calls `use` with each.
typedef void UseKey(Buffer *out, const char *name, const Found *found);

static bool named_before(const Matcher *matcher, uint32_t query, int32_t key)
{
    const char *name = matcher->query[query].sort_key[key].name;
    for (uint32_t q = 0; q <= query; q++)
        for (int32_t k = 0; k < (q < query ? matcher->query[q].sort_key_count : key); k++)
            if (strcmp(matcher->query[q].sort_key[k].name, name) == 0)
                return true;
    return false;
}

static void each_key(Buffer *out, const Matcher *matcher, const Found *found, UseKey *use)
{
    for (uint32_t q = 0; q < matcher->query_count; q++)
        for (int32_t k = 0; k < matcher->query[q].sort_key_count; k++)
            if (!named_before(matcher, q, k))
                use(out, matcher->query[q].sort_key[k].name, found);
}

static void csv_key_name(Buffer *out, const char *name, const Found *found)
{
    (void)found;
    buffer_append(out, ",", 1);
    text_csv(out, text_of(name));
}

static void csv_key_value(Buffer *out, const char *name, const Found *found)
{
    buffer_append(out, ",", 1);
    for (int32_t k = 0; k < found->query->sort_key_count; k++) {
        const SortValue *value = &found->result->sort[k];
        if (strcmp(found->query->sort_key[k].name, name) != 0 || !value->has_value)
            continue;
        return found_sort_value(out, value, text_csv, "");
    }
}

void write_csv_header(Buffer *out, const FormatSearch *search)
{
    buffer_text(out, "game,file,query,position,ply,number,san,uci,fen");
    for (int i = 0; i < CSV_TAGS; i++)
        buffer_format(out, ",%s", csv_tags[i].column);
    buffer_text(out, ",comment");
    each_key(out, search->matcher, NULL, csv_key_name);
    buffer_text(out, "\r\n");
}

// The columns that are the same in all rows of a game.
static void csv_game_columns(Buffer *out, const FormatMemory *m)
{
    for (int i = 0; i < CSV_TAGS; i++) {
        Text value = found_tag(m, csv_tags[i].tag);
        buffer_append(out, ",", 1);
        text_csv(out, value);
    }
}

static void csv_position(Buffer *out, const FoundGame *g, const FormatMemory *m, int32_t id)
{
    const GameView *view = &g->game->view;
    const Node *node = &view->node[id];
    char fen[FEN_MAX], san[SAN_MAX] = "", uci[SAN_MAX] = "", number[16] = "";
    found_fen(m, g, id, fen);
    if (node->parent >= 0) {
        snprintf(number, sizeof number, "%d", found_move_number(g, id));
        san_write(view->position[node->parent], node->move, san);
        uci_write(view->position[node->parent], node->move, uci);
    }
    buffer_format(out, ",%d,%d,%s,%s,%s,%s", (int)id, (int)node->ply, number, san, uci, fen);
}

void write_csv(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    found_clocks(m, g);
    for (size_t i = 0; i < g->count; i++) {
        const Found *found = &g->found[i];
        found_comments(m, g, found, 1, true);
        found_tags(m, g, found, 1);
        for (int32_t k = 0; k < found->result->hit_count; k++) {
            int32_t id = found->result->hit[k];
            buffer_format(out, "%lld,", (long long)g->number);
            text_csv(out, text_of(g->input));
            buffer_append(out, ",", 1);
            text_csv(out, text_of(found->query->name));
            csv_position(out, g, m, id);
            csv_game_columns(out, m);
            Text comment = found_comment(m, g, id);
            buffer_append(out, ",", 1);
            text_csv(out, comment);
            each_key(out, g->matcher, found, csv_key_value);
            buffer_text(out, "\r\n");
        }
    }
}

// ---- FEN --------------------------------------------------------------------------------------------------

void write_fen(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    char fen[FEN_MAX];
    found_clocks(m, g);
    found_mark_hits(m, g);
    for (int32_t id = 0; id < g->game->view.count; id++)
        if (m->position[id].hit)
            buffer_format(out, "%.*s\n", found_fen(m, g, id, fen), fen);
}
