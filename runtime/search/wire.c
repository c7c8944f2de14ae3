// Blocks as bytes: whole numbers in 8 bytes, the lowest first; texts with their lengths.
#include "wire.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/bytes.h"
#include "runtime/value/memory.h"

enum { NUMBER_BYTES = 8, NANOSECONDS = 1000000000 };

// What is written, or what is left to be read. Each pass_ function does the one or the other.
typedef struct Wire {
    Buffer *out; // NULL: to be read
    const char *at, *end;
    bool bad; // more was wanted, or what was read cannot be
} Wire;

// ---- numbers and texts ------------------------------------------------------------------------------------

// What is read must be so.
static void expect(Wire *w, bool good)
{
    w->bad |= !w->out && !good;
}

static size_t left(const Wire *w)
{
    return (size_t)(w->end - w->at);
}

static void pass_number(Wire *w, int64_t *value)
{
    if (w->out) {
        bytes_put(w->out, (uint64_t)*value, NUMBER_BYTES);
        return;
    }
    expect(w, left(w) >= NUMBER_BYTES);
    *value = w->bad ? 0 : (int64_t)bytes_read(w->at, NUMBER_BYTES);
    w->at += w->bad ? 0 : NUMBER_BYTES;
}

static void pass_numbers(Wire *w, int64_t *const *value, int count)
{
    for (int i = 0; i < count; i++)
        pass_number(w, value[i]);
}

// As the bits of a number.
static void pass_flags(Wire *w, bool *const *flag, int count)
{
    int64_t bits = 0;
    for (int i = 0; i < count; i++)
        bits |= (int64_t)*flag[i] << i;
    pass_number(w, &bits);
    for (int i = 0; i < count; i++)
        *flag[i] = bits >> i & 1;
}

// A number up to `most`.
static void pass_size(Wire *w, size_t *size, size_t most)
{
    int64_t value = (int64_t)*size;
    pass_number(w, &value);
    expect(w, (uint64_t)value <= most);
    *size = w->bad ? 0 : (size_t)value;
}

// A length up to that of the whole, not before an earlier one.
static void pass_length(Wire *w, size_t *length, size_t earlier, size_t whole)
{
    pass_size(w, length, whole);
    expect(w, *length >= earlier);
}

// The number of the items that follow. Each has at least ITEM_LEAST bytes, as a sort key has: a wrong number needs little memory.
static size_t pass_count(Wire *w, size_t count)
{
    enum { ITEM_LEAST = 24 };
    pass_size(w, &count, left(w) / ITEM_LEAST);
    return count;
}

static void pass_text(Wire *w, const char **text, size_t *length)
{
    pass_size(w, length, SIZE_MAX);
    if (w->out) {
        buffer_append(w->out, *text, *length);
        return;
    }
    expect(w, *length <= left(w));
    *length = w->bad ? 0 : *length;
    *text = w->at;
    w->at += *length;
}

static void pass_buffer(Wire *w, Buffer *text)
{
    const char *start = text->start;
    size_t length = text->length;
    pass_text(w, &start, &length);
    if (!w->out)
        buffer_append(text, start, length);
}

// ---- parts ------------------------------------------------------------------------------------------------

static void pass_totals(Wire *w, SearchTotals *t)
{
    int64_t *const value[] = {&t->games, &t->matches, &t->hits, &t->positions, &t->damaged, &t->errors};
    pass_numbers(w, value, sizeof value / sizeof *value);
}

static void pass_query(Wire *w, QueryTotals *t)
{
    int64_t nanoseconds = (int64_t)(t->seconds * NANOSECONDS);
    int64_t *const value[] = {&t->matches,  &t->hits,      &t->errors,  &t->by_tags,
                              &t->by_moves, &t->evaluated, &nanoseconds};
    pass_numbers(w, value, sizeof value / sizeof *value);
    t->seconds = w->out ? t->seconds : (double)nanoseconds / NANOSECONDS;
}

// Key `k` of a game, which gets it when it is read.
static void pass_key(Wire *w, SortedGame *game, size_t k)
{
    SortedKey key = w->out ? game->key[k] : (SortedKey){0};
    bool has_text = key.text != NULL;
    int64_t number = key.number;
    pass_flags(w, (bool *const[]){&key.has_value, &key.is_min, &has_text}, 3);
    pass_number(w, &number);
    pass_text(w, &key.text, &key.length);
    if (!w->out)
        sorted_key_bytes(game, key.has_value, key.is_min, (int32_t)number, has_text ? key.text : NULL,
                         key.length);
}

// Game `i`, which is added when it is read.
static void pass_game(Wire *w, SortedGames *games, size_t i, bool split)
{
    SortedGame game = w->out ? games->game[i] : (SortedGame){0}, *g = &game;
    const char *text = game.text, *file = game.file;
    size_t file_length = file ? strlen(file) : 0;
    pass_number(w, &game.number);
    pass_text(w, &text, &game.length);
    pass_text(w, &file, &file_length);
    expect(w, split == (file_length > 0));
    if (w->bad)
        return;
    if (!w->out) {
        g = sorted_add(games, game.number, text, game.length);
        g->file = split ? memory_copy(file, file_length) : NULL;
    }
    pass_size(w, &g->index_length, game.length);
    const size_t keys = pass_count(w, game.key_count);
    for (size_t k = 0; k < keys && !w->bad; k++)
        pass_key(w, g, k);
}

// With a limit a part has a mark for each matching game.
static void pass_marks(Wire *w, Part *part, bool limited)
{
    const size_t count = pass_count(w, part->mark_count), queries = count * part->query_count;
    if (!w->out) {
        part->mark = memory_zeroed(count, sizeof *part->mark);
        part->mark_query = memory_zeroed(queries, sizeof *part->mark_query);
        part->mark_capacity = part->mark_count = count;
        part->mark_query_capacity = queries;
    }
    Mark before = {0};
    for (size_t i = 0; i < count && !w->bad; i++) {
        Mark *mark = &part->mark[i];
        pass_length(w, &mark->reports, before.reports, part->reports.length);
        pass_length(w, &mark->messages, before.messages, part->messages.length);
        pass_length(w, &mark->output, before.output, part->output.length);
        pass_length(w, &mark->sorted, before.sorted, part->sorted.count);
        pass_length(w, &mark->texts, before.texts, SIZE_MAX); // checked below
        pass_totals(w, &mark->totals);
        before = *mark;
    }
    for (size_t i = 0; i < queries; i++)
        pass_query(w, &part->mark_query[i]);
    expect(w, (limited ? part->totals.matches : 0) == (int64_t)count);
}

static void pass_texts(Wire *w, Part *part)
{
    const size_t count = pass_count(w, part->texts_count);
    if (!w->out) {
        part->texts = memory_zeroed(count, sizeof *part->texts);
        part->texts_capacity = part->texts_count = count;
    }
    GameTexts before = {0};
    for (size_t i = 0; i < count && !w->bad; i++) {
        GameTexts *texts = &part->texts[i];
        pass_number(w, &texts->game);
        pass_flags(w, (bool *const[]){&texts->failed}, 1);
        pass_length(w, &texts->damage, before.reports, part->reports.length);
        pass_length(w, &texts->reports, texts->damage, part->reports.length);
        pass_length(w, &texts->messages, before.messages, part->messages.length);
        before = *texts;
    }
    expect(w, part->mark_count == 0 || part->mark[part->mark_count - 1].texts <= count);
}

// Group `i`, which is added when it is read.
static void pass_group(Wire *w, Part *part, size_t i, const GroupSpec *spec)
{
    GroupTable *table = &part->groups;
    Group group = w->out ? table->group[i] : (Group){0};
    GroupNumbers *n = &group.numbers;
    int64_t *const value[] = {&n->games, &n->positions, &n->white, &n->black, &n->draws, &n->searched};
    const char *values = w->out ? table->values.start + group.start : NULL;
    int64_t query = group.query;
    pass_number(w, &query);
    pass_text(w, &values, &group.length);
    pass_numbers(w, value, sizeof value / sizeof *value);
    expect(w, (uint64_t)query < part->query_count || query == GROUP_NO_QUERY);
    expect(w, w->out || group_values_are_good(spec, values, group.length));
    if (!w->out && !w->bad)
        groups_add(table, (uint32_t)query, values, group.length, n);
}

static void pass_part(Wire *w, Part *part, const ResultPlan *result, const GroupSpec *spec)
{
    pass_buffer(w, &part->reports);
    pass_buffer(w, &part->messages);
    pass_buffer(w, &part->output);
    pass_buffer(w, &part->foreign);
    pass_flags(w, (bool *const[]){&part->begins_line, &part->exhausted}, 2);
    pass_totals(w, &part->totals);
    for (uint32_t q = 0; q < part->query_count; q++)
        pass_query(w, &part->query[q]);
    const size_t games = pass_count(w, part->sorted.count);
    for (size_t i = 0; i < games && !w->bad; i++)
        pass_game(w, &part->sorted, i, result->split);
    pass_marks(w, part, result->limit > 0);
    pass_texts(w, part);
    const size_t groups = pass_count(w, part->groups.count);
    expect(w, groups == 0 || spec);
    for (size_t i = 0; i < groups && !w->bad; i++)
        pass_group(w, part, i, spec);
}

// ---- blocks -----------------------------------------------------------------------------------------------

static void pass_head(Wire *w, Block *block)
{
    int64_t number = (int64_t)block->sequence;
    pass_number(w, &number);
    pass_flags(w, (bool *const[]){&block->failed, &block->partial, &block->more}, 3);
    block->sequence = (uint64_t)number;
}

// `plan` is that of what is read.
static void pass_block(Wire *w, Block *block, const Plan *plan)
{
    static const ResultPlan written = {0};
    int64_t parts = block->part_count;
    pass_head(w, block);
    pass_numbers(w, (int64_t *const[]){&block->games, &block->positions, &block->bytes}, 3);
    pass_buffer(w, &block->reports);
    pass_number(w, &parts);
    expect(w, parts == block->part_count);
    for (uint32_t p = 0; p < block->part_count && !w->bad; p++)
        pass_part(w, &block->part[p], plan ? &plan->result[p] : &written,
                  plan ? plan->options->count_by : NULL);
}

bool share_block_head(const char *bytes, uint64_t *number, bool *more)
{
    Wire w = {.at = bytes, .end = bytes + SHARE_BLOCK_HEAD};
    Block head = {0};
    pass_head(&w, &head);
    *number = head.sequence;
    *more = head.more;
    return !head.partial;
}

void block_put(Buffer *out, const Block *block, bool more)
{
    Block given = *block;
    given.more = more;
    pass_block(&(Wire){.out = out}, &given, NULL);
}

Block *block_get(const Plan *plan, const char *bytes, size_t length)
{
    Wire w = {.at = bytes, .end = bytes + length};
    Block *block = block_new(plan);
    pass_block(&w, block, plan);
    if (!w.bad && w.at == w.end)
        return block;
    block_free(block);
    return NULL;
}
