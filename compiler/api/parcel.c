// Found games: a parcel is a CqlGame, followed by what its pointers lead to and by the list of its pointers. Until the parcel is
// opened, a pointer is the distance from the beginning of the parcel.
#include "parcel.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/format/found.h"
#include "runtime/format/text.h"
#include "runtime/format/writers.h"
#include "runtime/value/memory.h"

typedef struct Parcel {
    size_t length;          // bytes
    size_t pointers, count; // the place of a list of the places of pointers, and their number
    CqlGame game;
} Parcel;
_Static_assert(sizeof(size_t) == sizeof(void *), "a place takes the place of a pointer");

enum { USUAL_POINTERS = 60 }; // of a game with some tags and one matching position

// A parcel that is being written. Places are distances from its beginning.
typedef struct Packer {
    Buffer *out;
    size_t start;
    size_t *pointer; // the places of pointers
    size_t count, capacity;
} Packer;

// ---- writing ----------------------------------------------------------------------------------------------

static void pack(Packer *p, size_t place, const void *bytes, size_t size)
{
    memcpy(p->out->start + p->start + place, bytes, size);
}

// Adds zeros that begin where any type may begin; returns their place.
static size_t pack_room(Packer *p, size_t size)
{
    const size_t padding = -p->out->length % alignof(max_align_t);
    memset(buffer_room(p->out, padding + size), 0, padding + size);
    p->out->length += padding + size;
    return p->out->length - size - p->start;
}

// Makes the pointer at a place lead to another place.
static void pack_pointer(Packer *p, size_t pointer, size_t place)
{
    pack(p, pointer, &place, sizeof place);
    MEMORY_PUSH(p->pointer, p->count, p->capacity, pointer);
}

// Adds zeros for an array, to which the pointer leads.
static size_t pack_array(Packer *p, size_t pointer, size_t count, size_t size)
{
    const size_t place = pack_room(p, count * size);
    pack_pointer(p, pointer, place);
    return place;
}

// Texts of games as UTF-8, each for itself, as other formats write them. A NUL inside would end the text early.
static void pack_text(Packer *p, size_t pointer, Text text)
{
    const size_t start = p->out->length;
    pack_pointer(p, pointer, start - p->start);
    text_utf8(p->out, text);
    char *at = p->out->start + start, *end = p->out->start + p->out->length;
    for (; at < end && (at = memchr(at, 0, (size_t)(end - at))) != NULL; at++)
        *at = ' ';
    buffer_append(p->out, "", 1);
}

static void pack_string(Packer *p, size_t pointer, const char *text)
{
    pack_pointer(p, pointer, p->out->length - p->start);
    buffer_append(p->out, text, strlen(text) + 1);
}

static void pack_tags(Packer *p, const FormatMemory *m)
{
    int32_t count = 0;
    for (size_t i = 0; i < m->tag_count; i++)
        count += !found_tag_repeats(m, i);
    pack(p, offsetof(Parcel, game.tag_count), &count, sizeof count);
    size_t place = pack_array(p, offsetof(Parcel, game.tag), (size_t)count, sizeof(CqlTag));
    for (size_t i = 0; i < m->tag_count; i++) {
        if (found_tag_repeats(m, i))
            continue;
        pack_text(p, place + offsetof(CqlTag, name), m->tag[i].name);
        pack_text(p, place + offsetof(CqlTag, value), m->tag[i].value);
        place += sizeof(CqlTag);
    }
}

static void pack_sort(Packer *p, const Found *found)
{
    const QueryInfo *query = found->query;
    const int32_t count = query->sort_key_count;
    pack(p, offsetof(Parcel, game.sort_count), &count, sizeof count);
    size_t place = pack_array(p, offsetof(Parcel, game.sort), (size_t)count, sizeof(CqlSort));
    for (int32_t k = 0; k < count; k++, place += sizeof(CqlSort)) {
        const SortValue *value = &found->result->sort[k];
        const bool is_text = value->has_value && value->text;
        const CqlSort sort = {.has_value = value->has_value,
                              .number = value->has_value && !is_text ? value->number : 0};
        pack(p, place, &sort, sizeof sort);
        pack_string(p, place + offsetof(CqlSort, title), query->sort_key[k].name);
        if (is_text)
            pack_text(p, place + offsetof(CqlSort, text), (Text){value->text->bytes, value->text->length});
    }
}

// The move that leads to a position, as SAN and UCI; none to the first one.
static void pack_move(Packer *p, size_t san_pointer, size_t uci_pointer, const GameView *view, int32_t id)
{
    char san[SAN_MAX] = "", uci[SAN_MAX] = "";
    if (id > 0) {
        const Node *node = &view->node[id];
        san_write(view->position[node->parent], node->move, san);
        uci_write(view->position[node->parent], node->move, uci);
    }
    pack_string(p, san_pointer, san);
    pack_string(p, uci_pointer, uci);
}

static int32_t value_of(bool (*function)(const Game *, int32_t, int32_t *), const Game *game, int32_t id)
{
    int32_t value;
    return function(game, id, &value) ? value : CQL_NONE;
}

static void pack_hit(Packer *p, size_t place, const FoundGame *g, FormatMemory *m, int32_t id)
{
    const GameView *view = &g->game->view;
    const Node *node = &view->node[id];
    char fen[FEN_MAX];
    const CqlHit hit = {.position = id,
                        .ply = node->ply,
                        .move_number = id > 0 ? (int32_t)found_move_number(g, id) : 0,
                        .variation = node->depth,
                        .squares = found_squares(g, id),
                        .clock = value_of(game_clock, g->game, id),
                        .elapsed = value_of(game_elapsed, g->game, id),
                        .eval = value_of(game_eval, g->game, id)};
    pack(p, place, &hit, sizeof hit);
    found_fen(m, g, id, fen);
    pack_string(p, place + offsetof(CqlHit, fen), fen);
    pack_move(p, place + offsetof(CqlHit, san), place + offsetof(CqlHit, uci), view, id);
    pack_move(p, place + offsetof(CqlHit, next_san), place + offsetof(CqlHit, next_uci), view,
              node->first_child);
    pack_text(p, place + offsetof(CqlHit, comment), found_comment(m, g, id));
}

static void pack_hits(Packer *p, const FoundGame *g, FormatMemory *m, const RunResult *result)
{
    const size_t count = (size_t)result->hit_count;
    const size_t list = pack_array(p, offsetof(Parcel, game.hit), count, sizeof(CqlHit *));
    size_t place = pack_room(p, count * sizeof(CqlHit));
    for (size_t i = 0; i < count; i++, place += sizeof(CqlHit)) {
        pack_pointer(p, list + i * sizeof(CqlHit *), place);
        pack_hit(p, place, g, m, result->hit[i]);
    }
}

// The comments added at positions that do not match.
static void pack_notes(Packer *p, const FoundGame *g, const FormatMemory *m, const RunResult *result)
{
    const GameView *view = &g->game->view;
    int32_t *noted = NULL, hit = 0, count = 0;
    size_t capacity = 0;
    for (int32_t id = 0; id < view->count; id++) {
        while (hit < result->hit_count && result->hit[hit] < id)
            hit++;
        if ((hit == result->hit_count || result->hit[hit] != id) && m->added[id].length > 0)
            MEMORY_PUSH(noted, count, capacity, id);
    }
    pack(p, offsetof(Parcel, game.note_count), &count, sizeof count);
    size_t place = pack_array(p, offsetof(Parcel, game.note), (size_t)count, sizeof(CqlNote));
    for (int32_t i = 0; i < count; i++, place += sizeof(CqlNote)) {
        const CqlNote note = {.position = noted[i], .ply = view->node[noted[i]].ply};
        pack(p, place, &note, sizeof note);
        pack_text(p, place + offsetof(CqlNote, comment), m->added[noted[i]]);
    }
    free(noted);
}

// As the texts of a game differ in their encodings, so do the lines: tags and comments in Latin-1 meet UTF-8 of the query.
static void pack_pgn(Packer *p, const FoundGame *g, FormatMemory *m)
{
    Buffer pgn = {0}, lines = {0};
    format_game(FORMAT_PGN, &pgn, g, m);
    for (size_t start = 0, end; start < pgn.length; start = end) {
        const char *feed = memchr(pgn.start + start, '\n', pgn.length - start);
        end = feed ? (size_t)(feed + 1 - pgn.start) : pgn.length;
        text_utf8(&lines, (Text){pgn.start + start, end - start});
    }
    pack_text(p, offsetof(Parcel, game.pgn), (Text){lines.start, lines.length});
    buffer_free(&pgn);
    buffer_free(&lines);
}

static void pack_game(Buffer *out, const FoundGame *g, FormatMemory *m, uint32_t want)
{
    const Found *found = g->found;
    Packer p = {.out = out, .start = out->length};
    p.pointer = memory_grow(NULL, &p.capacity, USUAL_POINTERS, sizeof *p.pointer);
    Parcel parcel = {.game = {.number = g->number,
                              .query = (int32_t)(found->query - g->matcher->query),
                              .number_in_file = g->number_in_file,
                              .offset = g->offset,
                              .hit_count = found->result->hit_count}};
    pack(&p, pack_room(&p, sizeof parcel), &parcel, sizeof parcel);
    found_comments(m, g, found, 1, true);
    found_tags(m, g, found, 1);
    pack_string(&p, offsetof(Parcel, game.file), g->input);
    pack_string(&p, offsetof(Parcel, game.query_name), found->query->name);
    pack_tags(&p, m);
    pack_sort(&p, found);
    if (want & CQL_WANT_HITS) {
        pack_hits(&p, g, m, found->result);
        pack_notes(&p, g, m, found->result);
    }
    if (want & CQL_WANT_PGN)
        pack_pgn(&p, g, m);
    const size_t size = p.count * sizeof *p.pointer, list = pack_room(&p, size), end = pack_room(&p, 0);
    pack(&p, list, p.pointer, size);
    pack(&p, offsetof(Parcel, length), &end, sizeof end);
    pack(&p, offsetof(Parcel, pointers), &list, sizeof list);
    pack(&p, offsetof(Parcel, count), &p.count, sizeof p.count);
    free(p.pointer);
}

void parcel_write(Buffer *out, const FoundGame *g, FormatMemory *m, uint32_t want)
{
    found_clocks(m, g);
    for (size_t i = 0; i < g->count; i++) {
        FoundGame own = *g;
        own.found = &g->found[i];
        own.count = 1;
        pack_game(out, &own, m, want);
    }
}

// ---- reading ----------------------------------------------------------------------------------------------

const CqlGame *parcel_open(char **next)
{
    char *const start = *next;
    Parcel *const parcel = (void *)start;
    const size_t *pointer = (const void *)(start + parcel->pointers);
    for (size_t i = 0; i < parcel->count; i++) {
        size_t place;
        memcpy(&place, start + pointer[i], sizeof place);
        memcpy(start + pointer[i], &(char *){start + place}, sizeof(char *));
    }
    *next += parcel->length;
    return &parcel->game;
}
