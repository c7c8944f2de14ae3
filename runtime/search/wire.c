// Blocks as bytes: whole numbers in 8 bytes, the lowest first; texts with their lengths.
#include "wire.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"

// Of a block.
enum { FLAG_FAILED = 1, FLAG_PARTIAL = 2, FLAG_MORE = 4 };

// ---- writing ----------------------------------------------------------------------------------------------

static void put_number(Buffer *out, int64_t value)
{
    char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (char)((uint64_t)value >> 8 * i);
    buffer_append(out, bytes, sizeof bytes);
}

static void put_size(Buffer *out, size_t value)
{
    put_number(out, (int64_t)value);
}

static void put_text(Buffer *out, const char *text, size_t length)
{
    put_size(out, length);
    buffer_append(out, text, length);
}

static void put_buffer(Buffer *out, const Buffer *text)
{
    put_text(out, text->start, text->length);
}

static void put_totals(Buffer *out, const SearchTotals *t)
{
    put_number(out, t->games);
    put_number(out, t->matches);
    put_number(out, t->hits);
    put_number(out, t->positions);
    put_number(out, t->damaged);
    put_number(out, t->errors);
}

enum { NANOSECONDS = 1000000000 };

static void put_query(Buffer *out, const QueryTotals *t)
{
    put_number(out, t->matches);
    put_number(out, t->hits);
    put_number(out, t->errors);
    put_number(out, t->by_tags);
    put_number(out, t->by_moves);
    put_number(out, t->evaluated);
    put_number(out, (int64_t)(t->seconds * NANOSECONDS));
}

static void put_game(Buffer *out, const SortedGame *game)
{
    put_number(out, game->number);
    put_text(out, game->text, game->length);
    put_text(out, game->file, game->file ? strlen(game->file) : 0);
    put_size(out, game->index_length);
    put_size(out, game->key_count);
    for (size_t k = 0; k < game->key_count; k++) {
        const SortedKey *key = &game->key[k];
        put_number(out, key->has_value | key->is_min << 1 | (key->text != NULL) << 2);
        put_number(out, key->number);
        put_text(out, key->text, key->text ? key->length : 0);
    }
}

static void put_mark(Buffer *out, const Mark *mark)
{
    put_size(out, mark->reports);
    put_size(out, mark->messages);
    put_size(out, mark->output);
    put_size(out, mark->sorted);
    put_size(out, mark->texts);
    put_totals(out, &mark->totals);
}

static void put_group(Buffer *out, const GroupTable *table, const Group *group)
{
    const GroupNumbers *n = &group->numbers;
    put_number(out, group->query);
    put_text(out, table->values.start + group->start, group->length);
    put_number(out, n->games);
    put_number(out, n->positions);
    put_number(out, n->white);
    put_number(out, n->black);
    put_number(out, n->draws);
    put_number(out, n->searched);
}

static void put_part(Buffer *out, const Part *part)
{
    put_buffer(out, &part->reports);
    put_buffer(out, &part->messages);
    put_buffer(out, &part->output);
    put_buffer(out, &part->foreign);
    put_number(out, part->begins_line | part->exhausted << 1);
    put_totals(out, &part->totals);
    for (uint32_t q = 0; q < part->query_count; q++)
        put_query(out, &part->query[q]);
    put_size(out, part->sorted.count);
    for (size_t i = 0; i < part->sorted.count; i++)
        put_game(out, &part->sorted.game[i]);
    put_size(out, part->mark_count);
    for (size_t i = 0; i < part->mark_count; i++)
        put_mark(out, &part->mark[i]);
    for (size_t i = 0; i < part->mark_count * part->query_count; i++)
        put_query(out, &part->mark_query[i]);
    put_size(out, part->texts_count);
    for (size_t i = 0; i < part->texts_count; i++) {
        put_number(out, part->texts[i].game);
        put_number(out, part->texts[i].failed);
        put_size(out, part->texts[i].damage);
        put_size(out, part->texts[i].reports);
        put_size(out, part->texts[i].messages);
    }
    put_size(out, part->groups.count);
    for (size_t i = 0; i < part->groups.count; i++)
        put_group(out, &part->groups, &part->groups.group[i]);
}

void block_put(Buffer *out, const Block *block, bool more)
{
    put_number(out, (int64_t)block->sequence);
    put_number(out, (block->failed ? FLAG_FAILED : 0) | (block->partial ? FLAG_PARTIAL : 0) |
                        (more ? FLAG_MORE : 0));
    put_number(out, block->games);
    put_number(out, block->positions);
    put_number(out, block->bytes);
    put_buffer(out, &block->reports);
    put_number(out, block->part_count);
    for (uint32_t r = 0; r < block->part_count; r++)
        put_part(out, &block->part[r]);
}

// ---- reading ----------------------------------------------------------------------------------------------

// What is left to be read; `bad` when more was wanted.
typedef struct Reader {
    const unsigned char *at, *end;
    bool bad;
} Reader;

static size_t left(const Reader *r)
{
    return (size_t)(r->end - r->at);
}

static int64_t get_number(Reader *r)
{
    uint64_t value = 0;
    r->bad |= left(r) < 8;
    for (int i = 0; i < 8 && !r->bad; i++)
        value |= (uint64_t)*r->at++ << 8 * i;
    return (int64_t)value;
}

// A number up to `most`.
static size_t get_size(Reader *r, size_t most)
{
    const uint64_t value = (uint64_t)get_number(r);
    r->bad |= value > most;
    return r->bad ? 0 : (size_t)value;
}

// The number of the items that follow. Each has at least ITEM_LEAST bytes, as a sort key has: a wrong number needs little memory.
static size_t get_count(Reader *r)
{
    enum { ITEM_LEAST = 24 };
    return get_size(r, left(r) / ITEM_LEAST);
}

static const char *get_text(Reader *r, size_t *length)
{
    *length = get_size(r, SIZE_MAX);
    r->bad |= *length > left(r);
    if (r->bad)
        *length = 0;
    const char *text = (const char *)r->at;
    r->at += *length;
    return text;
}

static void get_buffer(Reader *r, Buffer *text)
{
    size_t length;
    const char *start = get_text(r, &length);
    buffer_append(text, start, length);
}

static void get_totals(Reader *r, SearchTotals *t)
{
    t->games = get_number(r);
    t->matches = get_number(r);
    t->hits = get_number(r);
    t->positions = get_number(r);
    t->damaged = get_number(r);
    t->errors = get_number(r);
}

static void get_query(Reader *r, QueryTotals *t)
{
    t->matches = get_number(r);
    t->hits = get_number(r);
    t->errors = get_number(r);
    t->by_tags = get_number(r);
    t->by_moves = get_number(r);
    t->evaluated = get_number(r);
    t->seconds = (double)get_number(r) / NANOSECONDS;
}

static void get_game(Reader *r, SortedGames *games, bool split)
{
    size_t length, file_length;
    const int64_t number = get_number(r);
    const char *text = get_text(r, &length), *file = get_text(r, &file_length);
    r->bad |= split != (file_length > 0);
    if (r->bad)
        return;
    SortedGame *game = sorted_add(games, number, text, length);
    game->file = split ? memory_copy(file, file_length) : NULL;
    game->index_length = get_size(r, length);
    const size_t keys = get_count(r);
    for (size_t k = 0; k < keys && !r->bad; k++) {
        const int64_t flags = get_number(r), value = get_number(r);
        size_t key_length;
        const char *key = get_text(r, &key_length);
        sorted_key_bytes(game, flags & 1, flags & 2, (int32_t)value, flags & 4 ? key : NULL, key_length);
    }
}

// A length up to that of the whole, not before an earlier one.
static void get_length(Reader *r, size_t *length, size_t earlier, size_t whole)
{
    *length = get_size(r, whole);
    r->bad |= *length < earlier;
}

// With a limit a part has a mark for each matching game.
static void get_marks(Reader *r, Part *part, bool limited)
{
    const size_t count = get_count(r);
    part->mark = memory_zeroed(count, sizeof *part->mark);
    part->mark_query = memory_zeroed(count * part->query_count, sizeof *part->mark_query);
    part->mark_capacity = part->mark_count = count;
    part->mark_query_capacity = count * part->query_count;
    Mark before = {0};
    for (size_t i = 0; i < count && !r->bad; i++) {
        Mark *mark = &part->mark[i];
        get_length(r, &mark->reports, before.reports, part->reports.length);
        get_length(r, &mark->messages, before.messages, part->messages.length);
        get_length(r, &mark->output, before.output, part->output.length);
        get_length(r, &mark->sorted, before.sorted, part->sorted.count);
        get_length(r, &mark->texts, before.texts, SIZE_MAX); // checked below
        get_totals(r, &mark->totals);
        before = *mark;
    }
    for (size_t i = 0; i < count * part->query_count; i++)
        get_query(r, &part->mark_query[i]);
    r->bad |= (limited ? part->totals.matches : 0) != (int64_t)count;
}

static void get_texts(Reader *r, Part *part)
{
    const size_t count = get_count(r);
    part->texts = memory_zeroed(count, sizeof *part->texts);
    part->texts_capacity = part->texts_count = count;
    GameTexts before = {0};
    for (size_t i = 0; i < count && !r->bad; i++) {
        GameTexts *texts = &part->texts[i];
        texts->game = get_number(r);
        texts->failed = get_number(r) != 0;
        get_length(r, &texts->damage, before.reports, part->reports.length);
        get_length(r, &texts->reports, texts->damage, part->reports.length);
        get_length(r, &texts->messages, before.messages, part->messages.length);
        before = *texts;
    }
    r->bad |= part->mark_count > 0 && part->mark[part->mark_count - 1].texts > count;
}

static void get_groups(Reader *r, Part *part, const GroupSpec *spec)
{
    const size_t count = get_count(r);
    r->bad |= count > 0 && !spec;
    for (size_t i = 0; i < count && !r->bad; i++) {
        const uint64_t query = (uint64_t)get_number(r);
        size_t length;
        const char *values = get_text(r, &length);
        GroupNumbers n;
        n.games = get_number(r);
        n.positions = get_number(r);
        n.white = get_number(r);
        n.black = get_number(r);
        n.draws = get_number(r);
        n.searched = get_number(r);
        r->bad |= (query >= part->query_count && query != GROUP_NO_QUERY) ||
                  !group_values_are_good(spec, values, length);
        if (!r->bad)
            groups_add(&part->groups, (uint32_t)query, values, length, &n);
    }
}

static void get_part(Reader *r, Part *part, const ResultPlan *result, const GroupSpec *spec)
{
    get_buffer(r, &part->reports);
    get_buffer(r, &part->messages);
    get_buffer(r, &part->output);
    get_buffer(r, &part->foreign);
    const int64_t flags = get_number(r);
    part->begins_line = flags & 1;
    part->exhausted = flags & 2;
    get_totals(r, &part->totals);
    for (uint32_t q = 0; q < part->query_count; q++)
        get_query(r, &part->query[q]);
    const size_t games = get_count(r);
    for (size_t i = 0; i < games && !r->bad; i++)
        get_game(r, &part->sorted, result->split);
    get_marks(r, part, result->limit > 0);
    get_texts(r, part);
    get_groups(r, part, spec);
}

bool share_block_head(const char *bytes, uint64_t *number, bool *more)
{
    Reader r = {.at = (const unsigned char *)bytes, .end = (const unsigned char *)bytes + SHARE_BLOCK_HEAD};
    *number = (uint64_t)get_number(&r);
    const int64_t flags = get_number(&r);
    *more = flags & FLAG_MORE;
    return !(flags & FLAG_PARTIAL);
}

Block *block_get(const Plan *plan, const char *bytes, size_t length)
{
    Reader r = {.at = (const unsigned char *)bytes, .end = (const unsigned char *)bytes + length};
    Block *block = block_new(plan);
    block->sequence = (uint64_t)get_number(&r);
    const int64_t flags = get_number(&r);
    block->failed = flags & FLAG_FAILED;
    block->partial = flags & FLAG_PARTIAL;
    block->more = flags & FLAG_MORE;
    block->games = get_number(&r);
    block->positions = get_number(&r);
    block->bytes = get_number(&r);
    get_buffer(&r, &block->reports);
    r.bad |= get_number(&r) != block->part_count;
    for (uint32_t p = 0; p < block->part_count && !r.bad; p++)
        get_part(&r, &block->part[p], &plan->result[p], plan->options->count_by);
    if (!r.bad && r.at == r.end)
        return block;
    block_free(block);
    return NULL;
}
