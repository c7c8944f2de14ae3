// Groups and samples, by columns of a database where they are enough, otherwise by tags.
#include "grouping.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "runtime/format/text.h"
#include "runtime/format/values.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "candidates.h"

enum {
    SAMPLE_COLUMNS =
        1 << COLUMN_WHITE | 1 << COLUMN_BLACK | 1 << COLUMN_EVENT | 1 << COLUMN_SITE | 1 << COLUMN_DATE
};
enum { NAME_COLUMNS = COLUMN_SITE + 1 };

struct Grouping {
    ChunkColumns columns; // of the chunk,
    const NameList *name; // and its names; NULL: no chunk, or its columns are damaged
    bool *left_out;       // by game of the chunk; of no use without a sample
    size_t left_out_capacity;
    GroupMemory memory;
    Buffer text, detail;
    bool of_games;   // some key or measure is about the game
    int32_t codes;   // group_codes
    uint32_t *known; // by code: 1 + the index of the group in the table; of use where `known_at` is `now`
    uint64_t *known_at, now;
    struct KnownFor {
        const GroupTable *table;
        uint64_t block, cleared;
        int64_t game; // 0: the keys are about positions alone
        uint32_t query;
    } known_for;
    char date[11], eco[6]; // of the last columns_facts
};

void grouping_free(Grouping *g)
{
    if (!g)
        return;
    chunk_columns_free(&g->columns);
    free(g->left_out);
    group_memory_free(&g->memory);
    buffer_free(&g->text);
    buffer_free(&g->detail);
    free(g->known);
    free(g->known_at);
    free(g);
}

static Grouping *grouping_of(Worker *w)
{
    if (!w->grouping) {
        const GroupSpec *spec = w->plan->options->count_by;
        Grouping *g = w->grouping = memory_zeroed(1, sizeof *w->grouping);
        g->of_games = !spec || spec->by_player || spec->player;
        for (size_t i = 0; spec && i < spec->count; i++)
            g->of_games |= !spec->key[i].of_position;
        for (size_t i = 0; spec && i < spec->measure_count; i++)
            g->of_games |= spec->measure[i].of.name && !spec->measure[i].of.of_position;
        g->codes = spec && spec->of_position ? group_codes(spec) : 0;
        g->known = memory_zeroed((size_t)g->codes, sizeof *g->known);
        g->known_at = memory_zeroed((size_t)g->codes, sizeof *g->known_at);
    }
    return w->grouping;
}

// ---- columns ----------------------------------------------------------------------------------------------

static Text name_at(const Grouping *g, int column, size_t game)
{
    const NameList *l = &g->name[column == COLUMN_BLACK ? COLUMN_WHITE : column];
    const size_t id = (size_t)g->columns.value[column][game];
    if (id >= l->count || l->place[id].length == 0)
        return (Text){"", 0};
    return (Text){l->text.start + l->place[id].start, l->place[id].length};
}

// What the columns say about a game; valid until the next call.
static GroupFacts columns_facts(Grouping *g, unsigned wanted, size_t game)
{
    GroupFacts f = {.date = g->date};
    int32_t *const *value = g->columns.value;
    for (int i = 0; i < NAME_COLUMNS; i++)
        if (wanted & 1U << i)
            f.name[i] = name_at(g, i, game);
    if (wanted & 1U << COLUMN_DATE)
        column_date(value[COLUMN_DATE][game], g->date);
    for (int side = WHITE; side <= BLACK; side++)
        if (wanted & 1U << (COLUMN_WHITE_ELO + side))
            f.rating[side] = value[COLUMN_WHITE_ELO + side][game];
    if (wanted & 1U << COLUMN_RESULT)
        f.result = value[COLUMN_RESULT][game] & RESULT_BITS;
    if (wanted & 1U << COLUMN_ECO)
        f.eco = (Text){g->eco, column_eco(value[COLUMN_ECO][game], g->eco)};
    return f;
}

static unsigned wanted_columns(const Worker *w)
{
    const SearchOptions *o = w->plan->options;
    const unsigned explored = 1U << COLUMN_DATE | 1U << COLUMN_RESULT | 3U << COLUMN_WHITE_ELO;
    return (o->explorer ? explored : 0) |
           (o->count_by && o->count_by->columns ? o->count_by->columns | 1U << COLUMN_RESULT : 0) |
           (o->sample ? SAMPLE_COLUMNS : 0);
}

// ---- the sample -------------------------------------------------------------------------------------------

static bool in_sample(const Worker *w, Grouping *g, const GroupFacts *f, int64_t number)
{
    uint64_t hash[NAME_COLUMNS + 2] = {0};
    for (int i = 0; i < NAME_COLUMNS; i++) {
        g->text.length = 0;
        text_utf8(&g->text, f->name[i]);
        hash[i] = XXH3_64bits(g->text.start, g->text.length);
    }
    hash[NAME_COLUMNS] = XXH3_64bits(f->date, 10);
    if (text_is_unknown(f->name[COLUMN_WHITE]) && text_is_unknown(f->name[COLUMN_BLACK]))
        hash[NAME_COLUMNS + 1] = (uint64_t)number;
    return XXH3_64bits(hash, sizeof hash) < w->plan->options->sample;
}

bool grouping_in_sample(Worker *w, const Game *game, int64_t number)
{
    const GroupFacts facts = group_facts(game, "");
    return w->plan->options->sample == 0 || in_sample(w, grouping_of(w), &facts, number);
}

bool grouping_leaves_out(const Worker *w, size_t i)
{
    return w->plan->options->sample != 0 && w->grouping && w->grouping->name && w->grouping->left_out[i];
}

// ---- values of games --------------------------------------------------------------------------------------

// A game of the block's chunk; NULL after damage, which is reported.
static const StoredGame *stored_game(Worker *w, Block *block, size_t index)
{
    if (!w->chunk_is_open)
        chunk_reader_open(w->chunk, block, CHUNK_LINES);
    w->chunk_is_open = true;
    return index < w->chunk->chunk.count ? chunk_game(&w->chunk->chunk, index) : NULL;
}

const Game *grouping_stored_tags(Worker *w, Block *block, size_t index)
{
    const StoredGame *stored = stored_game(w, block, index);
    if (!stored)
        return NULL;
    if (!chunk_reader_read(w->chunk, block, CHUNK_TAGS, stored))
        return NULL;
    game_parse_tags(&w->scratch, &stored->tags);
    w->scratch.view.result = stored->result;
    return &w->scratch;
}

// Does the text end with a token of its own, neither in a comment to the end of the line nor part of a word?
static bool ends_with_token(Text text, const char *token)
{
    const size_t length = strlen(token);
    if (text.length <= length || memcmp(text.start + text.length - length, token, length) != 0)
        return false;
    const char *end = text.start + text.length - length;
    const char *feed = memrchr(text.start, '\n', (size_t)(end - text.start));
    const char *line = feed ? feed + 1 : text.start, *carriage = memrchr(line, '\r', (size_t)(end - line));
    line = carriage ? carriage + 1 : line;
    return strchr(" \t\r\n", end[-1]) && *line != '%' && !memchr(line, ';', (size_t)(end - line));
}

// The result of a game whose moves were not read: that at the end of the movetext, which counts more than the tag.
static int written_result(Worker *w, const GameText *source)
{
    for (int result = RESULT_UNKNOWN; result <= RESULT_DRAW; result++)
        if (ends_with_token(source->text, result_text(result)))
            return result;
    game_parse(&w->scratch, source, 0, NULL, NULL);
    return w->scratch.view.result;
}

// The game that was evaluated.
static Game *evaluated_game(Worker *w)
{
    return w->candidate.tree_read || !w->plan->lines ? &w->tree : &w->line;
}

// Its number in the block's chunk.
static size_t index_of(const Block *block, const GameText *source)
{
    return (size_t)(source->number - block->input.number_base - block->input.first_game);
}

// What tags and columns say.
static GroupFacts tag_facts(Worker *w, const GameText *source)
{
    Grouping *g = grouping_of(w);
    const GroupSpec *spec = w->plan->options->count_by;
    Block *block = w->block;
    const char *file = block->input.input;
    GroupFacts f;
    if (!g->of_games)
        return (GroupFacts){.result = evaluated_game(w)->view.result};
    if (!block->input.database) {
        Game *game = evaluated_game(w);
        if (w->candidate.counted) {
            game_parse_tags(game, source);
            game->view.result = written_result(w, source);
        }
        return group_facts(game, file);
    }
    const size_t index = index_of(block, source);
    if (g->name && (!spec || spec->columns)) {
        f = columns_facts(g, wanted_columns(w), index);
        f.file = file;
        if (!spec || group_facts_suffice(spec, &f))
            return f;
    }
    const Game *game = w->candidate.counted ? grouping_stored_tags(w, block, index) : evaluated_game(w);
    if (!game) { // damaged, which was reported
        game_parse_tags(&w->scratch, &(GameText){.text = {"", 0}});
        game = &w->scratch;
    }
    return group_facts(game, file);
}

GroupFacts grouping_facts(Worker *w, const GameText *source)
{
    const GroupSpec *spec = w->plan->options->count_by;
    GroupFacts facts = tag_facts(w, source);
    if (!spec || !spec->of_moves)
        return facts;
    const StoredGame *stored = w->candidate.counted && w->block->input.database
                                   ? stored_game(w, w->block, index_of(w->block, source))
                                   : NULL;
    facts.plies = stored                 ? (int32_t)stored->ply_count
                  : w->candidate.counted ? w->candidate.plies
                                         : group_plies(&evaluated_game(w)->view);
    return facts;
}

// Adds the values of the measures at a match to a group.
static void add_measures(Grouping *g, const GroupSpec *spec, GroupTable *table, uint32_t query, size_t group,
                         const GroupFacts *facts, const GroupPlace *place, int side)
{
    for (size_t i = 0; i < spec->measure_count; i++) {
        const GroupMeasure *m = &spec->measure[i];
        if (!m->of.name)
            continue;
        g->text.length = 0;
        group_put_values(&m->of, &g->text, facts, place, side);
        const char *at = g->text.start, *end = at + g->text.length, *from = at;
        for (Value value; at < end && value_get(&at, end, &value); from = at) {
            if (value.kind == VALUE_NONE)
                continue;
            if (m->sum >= 0) {
                groups_add_sum(table, group, spec->sums, (size_t)m->sum,
                               &(GroupSum){1, value.number, value.number, value.number});
                continue;
            }
            g->detail.length = 0;
            buffer_append(&g->detail, table->values.start + table->group[group].start,
                          table->group[group].length);
            buffer_append(&g->detail, from, (size_t)(at - from));
            groups_add(table, query | (uint32_t)(i + 1) * GROUP_DETAIL, g->detail.start, g->detail.length,
                       &(GroupNumbers){.positions = 1});
        }
    }
}

// Do measures need more than the numbers of a group?
static bool has_measures(const GroupSpec *spec)
{
    for (size_t i = 0; i < spec->measure_count; i++)
        if (spec->measure[i].of.name)
            return true;
    return false;
}

// Can a match be in several groups, or in none?
static bool has_total(const GroupSpec *spec)
{
    return spec->of_position || spec->by_side;
}

// Adds matches to the number of all.
static void add_total(GroupTable *table, const GroupSpec *spec, Grouping *g, uint32_t query, int64_t matches)
{
    g->detail.length = 0;
    for (size_t k = 0; k < spec->count; k++)
        value_put_none(&g->detail);
    groups_add(table, query | GROUP_TOTAL, g->detail.start, g->detail.length,
               &(GroupNumbers){.positions = matches});
}

// Adds a match, or with `searched` only counts it as searched. Returns the index of its group; SIZE_MAX: it is in several, or in none.
static size_t add_match(Worker *w, GroupTable *table, uint32_t query, const GroupFacts *facts,
                        const GroupPlace *place, int64_t positions, int64_t game, bool searched)
{
    const GroupSpec *spec = w->plan->options->count_by;
    Grouping *g = w->grouping;
    size_t group = SIZE_MAX;
    group_combine(spec, &g->memory, facts, place);
    for (size_t i = 0; i < g->memory.count; i++) {
        const GroupValues *v = &g->memory.list[i];
        const char *values = g->memory.values.start + v->start;
        const bool black = v->side == BLACK;
        const GroupNumbers n = {.games = 1,
                                .positions = positions,
                                .white = facts->result == (black ? RESULT_BLACK : RESULT_WHITE),
                                .black = facts->result == (black ? RESULT_WHITE : RESULT_BLACK),
                                .draws = facts->result == RESULT_DRAW};
        if (searched) {
            group = groups_add(table, query, values, v->length, &(GroupNumbers){.searched = positions});
            continue;
        }
        group = groups_add_match(table, query, values, v->length, &n, game);
        add_measures(g, spec, table, query, group, facts, place, v->side);
    }
    return g->memory.count == 1 ? group : SIZE_MAX;
}

// Forgets the groups of codes when they are those of another table, or with keys about games, of another game.
static void begin_codes(Worker *w, const GroupTable *table, uint32_t query, int64_t game)
{
    Grouping *g = w->grouping;
    const struct KnownFor now = {table, w->block->sequence, table->cleared, g->of_games ? game : 0, query};
    const struct KnownFor *old = &g->known_for;
    if (old->table == now.table && old->block == now.block && old->cleared == now.cleared &&
        old->game == now.game && old->query == now.query)
        return;
    g->known_for = now;
    g->now++;
}

// Adds a match to the group that its code has; false: no group is known for it.
static bool add_known(Worker *w, GroupTable *table, uint32_t query, const GroupFacts *facts,
                      const GroupPlace *place, int64_t game, bool searched, bool measures, int32_t code)
{
    const GroupSpec *spec = w->plan->options->count_by;
    Grouping *g = w->grouping;
    if (code < 0 || g->known_at[code] != g->now)
        return false;
    const size_t group = g->known[code];
    Group *known = &table->group[group];
    if (searched) {
        known->numbers.searched++;
        return true;
    }
    groups_count_again(known, facts->result, game);
    if (measures)
        add_measures(g, spec, table, query, group, facts, place, -1);
    return true;
}

// Adds the matches at these positions.
static void add_places(Worker *w, GroupTable *table, uint32_t query, const GroupFacts *facts,
                       const RunResult *result, const int32_t *position, int32_t count, int64_t game,
                       bool searched)
{
    const GroupSpec *spec = w->plan->options->count_by;
    Grouping *g = w->grouping;
    const Game *read = w->matcher->query[query].flags & QUERY_VARIATIONS ? &w->tree : &w->line;
    const int32_t used = spec->per_position ? count : 1;
    const bool coded = g->codes > 0 && spec->per_position, measures = has_measures(spec);
    if (coded)
        begin_codes(w, table, query, game);
    for (int32_t i = 0, v = 0; i < used; i++) {
        GroupPlace place = {.game = &read->view, .fullmove = read->clocks.fullmove, .position = position[i]};
        while (v < result->value_count && result->value[v].position < position[i])
            v++;
        place.value = result->value + v;
        while (v + place.value_count < result->value_count &&
               result->value[v + place.value_count].position == position[i])
            place.value_count++;
        const int32_t code = coded ? group_code(spec, &place) : -1;
        if (add_known(w, table, query, facts, &place, game, searched, measures, code))
            continue;
        const size_t group = add_match(w, table, query, facts, &place,
                                       spec->per_position || searched ? 1 : count, game, searched);
        if (code >= 0 && group != SIZE_MAX) {
            g->known[code] = (uint32_t)group;
            g->known_at[code] = g->now;
        }
    }
    if (has_total(spec) && !searched && (!spec->player || g->memory.sides > 0))
        add_total(table, spec, g, query, used);
}

// Adds a game of which only the number of matches is known.
static void add_counted(Worker *w, GroupTable *table, uint32_t query, const GroupFacts *facts,
                        int64_t positions, int64_t game)
{
    const GroupSpec *spec = w->plan->options->count_by;
    Grouping *g = w->grouping;
    add_match(w, table, query, facts, NULL, positions, game, false);
    if (has_total(spec) && (!spec->player || g->memory.sides > 0))
        add_total(table, spec, g, query, spec->per_position ? positions : 1);
}

void grouping_found(Worker *w, uint32_t r, const GameText *source, const Found *found, size_t count)
{
    const QueryInfo *first = w->matcher->query + w->plan->result[r].first;
    GroupTable *table = &w->block->part[r].groups;
    grouping_of(w);
    const GroupFacts facts = grouping_facts(w, source);
    for (size_t i = 0; i < count; i++) {
        const RunResult *result = found[i].result;
        const uint32_t query = (uint32_t)(found[i].query - first);
        if (result->hit)
            add_places(w, table, query, &facts, result, result->hit, result->hit_count, source->number,
                       false);
        else
            add_counted(w, table, query, &facts, result->hit_count, source->number);
    }
}

void grouping_among(Worker *w, uint32_t r, const GameText *source, const Found *found)
{
    const QueryInfo *first = w->matcher->query + w->plan->result[r].first;
    const RunResult *result = found->result;
    if (result->among_count == 0 || result->error)
        return;
    grouping_of(w);
    const GroupFacts facts = grouping_facts(w, source);
    add_places(w, &w->block->part[r].groups, (uint32_t)(found->query - first), &facts, result, result->among,
               result->among_count, source->number, true);
}

// ---- games that are searched ------------------------------------------------------------------------------

static void add_searched(Worker *w, Block *block, const GroupFacts *facts)
{
    static const GroupNumbers one = {.searched = 1};
    GroupMemory *m = &w->grouping->memory;
    group_combine(w->plan->options->count_by, m, facts, NULL);
    for (uint32_t r = 0; r < w->plan->result_count; r++)
        for (size_t i = 0; i < m->count; i++)
            groups_add(&block->part[r].groups, GROUP_NO_QUERY, m->values.start + m->list[i].start,
                       m->list[i].length, &one);
}

static bool counts_searched(const Worker *w)
{
    return w->plan->options->count_by && w->plan->options->count_by->of_all;
}

void grouping_searched(Worker *w, const Game *game, const GameText *source)
{
    if (!counts_searched(w) || w->block->input.database)
        return;
    grouping_of(w);
    GroupFacts facts = group_facts(game, w->block->input.input);
    facts.result = written_result(w, source);
    add_searched(w, w->block, &facts);
}

static void count_chunk_searched(Worker *w, Block *block, size_t games)
{
    Grouping *g = w->grouping;
    const GroupSpec *spec = w->plan->options->count_by;
    for (size_t i = 0; i < games; i++) {
        const int64_t number = block->input.number_base + block->input.first_game + (int64_t)i;
        if (!worker_wants_number(w, number) || grouping_leaves_out(w, i))
            continue;
        GroupFacts f = {0};
        const bool columns = g->name && spec->columns;
        if (columns)
            f = columns_facts(g, wanted_columns(w), i);
        if (!columns || !group_facts_suffice(spec, &f)) {
            const Game *game = grouping_stored_tags(w, block, i);
            if (!game)
                continue;
            f = group_facts(game, NULL);
        }
        f.file = block->input.input;
        add_searched(w, block, &f);
    }
}

static void choose_games(Worker *w, const Block *block, size_t games)
{
    Grouping *g = w->grouping;
    g->left_out = memory_grow(g->left_out, &g->left_out_capacity, games + 1, sizeof *g->left_out);
    for (size_t i = 0; i < games; i++) {
        const GroupFacts f = columns_facts(g, SAMPLE_COLUMNS, i);
        g->left_out[i] =
            !in_sample(w, g, &f, block->input.number_base + block->input.first_game + (int64_t)i);
    }
}

bool grouping_begin_chunk(Worker *w, Block *block)
{
    const SearchOptions *o = w->plan->options;
    if (!o->count_by && !o->sample && !o->explorer)
        return true;
    Grouping *g = grouping_of(w);
    Database *d = block->input.database;
    const unsigned wanted = wanted_columns(w);
    const size_t games = (size_t)database_chunk_games(d, block->input.chunk);
    g->name = wanted ? candidates_names(w->plan->candidates, d) : NULL;
    if (g->name &&
        (!database_read_columns(d, block->input.chunk, wanted, &g->columns) || g->columns.count != games))
        g->name = NULL;
    if (o->sample && !g->name) {
        line_format(&block->reports,
                    "%s: error: the columns of chunk %lld are damaged; its games cannot be in the sample\n",
                    block->input.input, (long long)block->input.chunk + 1);
        block->failed = true;
        return false;
    }
    if (o->sample)
        choose_games(w, block, games);
    if (counts_searched(w)) {
        if (!o->count_by->columns) {
            chunk_reader_open(w->chunk, block, CHUNK_LINES);
            w->chunk_is_open = true;
            chunk_reader_read_all(w->chunk, block, CHUNK_TAGS);
        }
        count_chunk_searched(w, block, games);
    }
    return true;
}
