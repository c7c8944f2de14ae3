// Found games as bytes. Numbers are as in memory, texts have a NUL after them; lists begin with their lengths.
#include "parcel.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/format/found.h"
#include "runtime/format/text.h"
#include "runtime/format/writers.h"
#include "runtime/value/memory.h"

// ---- writing ----------------------------------------------------------------------------------------------

static void put_number(Buffer *out, int64_t number)
{
    buffer_append(out, (const char *)&number, sizeof number);
}

// Texts of games as UTF-8, each for itself, as other formats write them. A NUL inside would end the text early.
static void put_text(Buffer *out, Text text)
{
    const size_t start = out->length;
    text_utf8(out, text);
    char *at = out->start + start, *end = out->start + out->length;
    for (; at < end && (at = memchr(at, 0, (size_t)(end - at))) != NULL; at++)
        *at = ' ';
    buffer_append(out, "", 1);
}

static void put_string(Buffer *out, const char *text)
{
    buffer_append(out, text, strlen(text) + 1);
}

static void put_tags(Buffer *out, const FormatMemory *m)
{
    int64_t count = 0;
    for (size_t i = 0; i < m->tag_count; i++)
        count += !found_tag_repeats(m, i);
    put_number(out, count);
    for (size_t i = 0; i < m->tag_count; i++) {
        if (found_tag_repeats(m, i))
            continue;
        put_text(out, m->tag[i].name);
        put_text(out, m->tag[i].value);
    }
}

// The move that leads to a position, as SAN and UCI; none to the first one.
static void put_move(Buffer *out, const GameView *view, int32_t id)
{
    char san[SAN_MAX] = "", uci[SAN_MAX] = "";
    if (id > 0) {
        const Node *node = &view->node[id];
        san_write(view->position[node->parent], node->move, san);
        uci_write(view->position[node->parent], node->move, uci);
    }
    put_string(out, san);
    put_string(out, uci);
}

static void put_value(Buffer *out, bool (*function)(const Game *, int32_t, int32_t *), const Game *game,
                      int32_t id)
{
    int32_t value;
    put_number(out, function(game, id, &value) ? value : CQL_NONE);
}

static void put_hit(Buffer *out, const FoundGame *g, FormatMemory *m, int32_t id)
{
    const GameView *view = &g->game->view;
    const Node *node = &view->node[id];
    char fen[FEN_MAX];
    put_number(out, id);
    put_number(out, node->ply);
    put_number(out, id > 0 ? found_move_number(g, id) : 0);
    put_number(out, node->depth);
    put_number(out, (int64_t)found_squares(g, id));
    put_value(out, game_clock, g->game, id);
    put_value(out, game_elapsed, g->game, id);
    put_value(out, game_eval, g->game, id);
    found_fen(m, g, id, fen);
    put_string(out, fen);
    put_move(out, view, id);
    put_move(out, view, node->first_child);
    put_text(out, found_comment(m, g, id));
}

// The comments added at positions that do not match.
static void put_notes(Buffer *out, const FoundGame *g, const FormatMemory *m, const RunResult *result)
{
    const GameView *view = &g->game->view;
    const size_t start = out->length;
    int64_t count = 0;
    int32_t hit = 0;
    put_number(out, 0);
    for (int32_t id = 0; id < view->count; id++) {
        while (hit < result->hit_count && result->hit[hit] < id)
            hit++;
        if ((hit < result->hit_count && result->hit[hit] == id) || m->added[id].length == 0)
            continue;
        put_number(out, id);
        put_number(out, view->node[id].ply);
        put_text(out, m->added[id]);
        count++;
    }
    memcpy(out->start + start, &count, sizeof count);
}

static void put_sort(Buffer *out, const Found *found)
{
    const QueryInfo *query = found->query;
    put_number(out, query->sort_key_count);
    for (int32_t k = 0; k < query->sort_key_count; k++) {
        const SortValue *value = &found->result->sort[k];
        put_string(out, query->sort_key[k].name);
        put_number(out, value->has_value);
        put_number(out, value->has_value && value->text);
        if (value->has_value && value->text)
            put_text(out, (Text){value->text->bytes, value->text->length});
        else
            put_number(out, value->has_value ? value->number : 0);
    }
}

static void put_hits(Buffer *out, const FoundGame *g, FormatMemory *m, const RunResult *result)
{
    for (int32_t i = 0; i < result->hit_count; i++)
        put_hit(out, g, m, result->hit[i]);
    put_notes(out, g, m, result);
}

// As the texts of a game differ in their encodings, so do the lines: tags and comments in Latin-1 meet UTF-8 of the query.
static void put_pgn(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    Buffer pgn = {0}, lines = {0};
    format_game(FORMAT_PGN, &pgn, g, m);
    for (size_t start = 0, end; start < pgn.length; start = end) {
        const char *feed = memchr(pgn.start + start, '\n', pgn.length - start);
        end = feed ? (size_t)(feed + 1 - pgn.start) : pgn.length;
        text_utf8(&lines, (Text){pgn.start + start, end - start});
    }
    put_text(out, (Text){lines.start, lines.length});
    buffer_free(&pgn);
    buffer_free(&lines);
}

void parcel_write(Buffer *out, const FoundGame *g, FormatMemory *m, uint32_t want)
{
    found_clocks(m, g);
    for (size_t i = 0; i < g->count; i++) {
        const Found *found = &g->found[i];
        FoundGame own = *g;
        own.found = found;
        own.count = 1;
        found_comments(m, g, found, 1, true);
        found_tags(m, g, found, 1);
        put_number(out, g->number);
        put_number(out, found->query - g->matcher->query);
        put_number(out, g->number_in_file);
        put_number(out, g->offset);
        put_number(out, want);
        put_string(out, g->input);
        put_string(out, found->query->name);
        put_tags(out, m);
        put_sort(out, found);
        put_number(out, found->result->hit_count);
        if (want & CQL_WANT_HITS)
            put_hits(out, &own, m, found->result);
        if (want & CQL_WANT_PGN)
            put_pgn(out, &own, m);
    }
}

// ---- reading ----------------------------------------------------------------------------------------------

static int64_t get_number(const char **next)
{
    int64_t number;
    memcpy(&number, *next, sizeof number);
    *next += sizeof number;
    return number;
}

static const char *get_text(const char **next)
{
    const char *text = *next;
    *next += strlen(text) + 1;
    return text;
}

static void get_tags(ParcelReader *r, const char **next)
{
    const int32_t count = r->game.tag_count = (int32_t)get_number(next);
    r->tag = memory_grow(r->tag, &r->tag_capacity, (size_t)count, sizeof *r->tag);
    for (int32_t i = 0; i < count; i++) {
        r->tag[i].name = get_text(next);
        r->tag[i].value = get_text(next);
    }
    r->game.tag = r->tag;
}

static void get_sort(ParcelReader *r, const char **next)
{
    const int32_t count = r->game.sort_count = (int32_t)get_number(next);
    r->sort = memory_grow(r->sort, &r->sort_capacity, (size_t)count, sizeof *r->sort);
    for (int32_t i = 0; i < count; i++) {
        CqlSort *sort = &r->sort[i];
        *sort = (CqlSort){.title = get_text(next)};
        sort->has_value = (int32_t)get_number(next);
        if (get_number(next))
            sort->text = get_text(next);
        else
            sort->number = (int32_t)get_number(next);
    }
    r->game.sort = r->sort;
}

static void get_hit(CqlHit *hit, const char **next)
{
    hit->position = (int32_t)get_number(next);
    hit->ply = (int32_t)get_number(next);
    hit->move_number = (int32_t)get_number(next);
    hit->variation = (int32_t)get_number(next);
    hit->squares = (uint64_t)get_number(next);
    hit->clock = (int32_t)get_number(next);
    hit->elapsed = (int32_t)get_number(next);
    hit->eval = (int32_t)get_number(next);
    hit->fen = get_text(next);
    hit->san = get_text(next);
    hit->uci = get_text(next);
    hit->next_san = get_text(next);
    hit->next_uci = get_text(next);
    hit->comment = get_text(next);
}

static void get_hits(ParcelReader *r, const char **next)
{
    const size_t count = (size_t)r->game.hit_count;
    r->hit = memory_grow(r->hit, &r->hit_capacity, count, sizeof *r->hit);
    r->hits = memory_grow(r->hits, &r->hits_capacity, count + 1, sizeof *r->hits);
    for (size_t i = 0; i < count; i++) {
        get_hit(&r->hit[i], next);
        r->hits[i] = &r->hit[i];
    }
    r->game.hit = r->hits;
}

static void get_notes(ParcelReader *r, const char **next)
{
    const int32_t count = r->game.note_count = (int32_t)get_number(next);
    r->note = memory_grow(r->note, &r->note_capacity, (size_t)count, sizeof *r->note);
    for (int32_t i = 0; i < count; i++) {
        r->note[i].position = (int32_t)get_number(next);
        r->note[i].ply = (int32_t)get_number(next);
        r->note[i].comment = get_text(next);
    }
    r->game.note = r->note;
}

void parcel_read(ParcelReader *r, const char **next)
{
    r->game = (CqlGame){.number = get_number(next)};
    r->game.query = (int32_t)get_number(next);
    r->game.number_in_file = get_number(next);
    r->game.offset = get_number(next);
    const uint32_t want = (uint32_t)get_number(next);
    r->game.file = get_text(next);
    r->game.query_name = get_text(next);
    get_tags(r, next);
    get_sort(r, next);
    r->game.hit_count = (int32_t)get_number(next);
    if (want & CQL_WANT_HITS) {
        get_hits(r, next);
        get_notes(r, next);
    }
    if (want & CQL_WANT_PGN)
        r->game.pgn = get_text(next);
}

void parcel_reader_free(ParcelReader *r)
{
    free(r->tag);
    free(r->hit);
    free(r->hits);
    free(r->sort);
    free(r->note);
    *r = (ParcelReader){0};
}
