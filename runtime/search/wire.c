// Blocks as bytes: whole numbers in 8 bytes, the lowest first; texts with their lengths; totals as they are in memory.
#include "wire.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/bytes.h"
#include "runtime/value/memory.h"

enum { NUMBER_BYTES = 8, GROUP_LEAST = 8 * NUMBER_BYTES };

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

static void pass_totals(Wire *w, Part *part)
{
    const size_t size = part_totals_size(part);
    if (w->out) {
        part_put_totals(w->out, part);
        return;
    }
    expect(w, size <= left(w));
    if (!w->bad)
        part_take_totals(part, w->at);
    w->at += w->bad ? 0 : size;
}

// Can these be the records of a part? With a limit each matching game has the totals after it.
static bool are_records(const Part *part, const ResultPlan *result)
{
    const char *at = part->records.start, *end = at + part->records.length;
    const bool limited = result->limit > 0;
    int64_t matches = 0;
    for (GameRecord game; game_record_get(&at, end, &game);) {
        const size_t totals = limited && game.matches ? part_totals_size(part) : 0;
        const bool in_file = result->split && game.output.length > 0;
        matches += limited && game.matches;
        if (game.totals.length != totals || in_file != (game.file.length > 0))
            return false;
    }
    return at == end && matches == (limited ? part->totals.matches : 0);
}

// The sums of a group's measures.
static void pass_sums(Wire *w, GroupTable *table, size_t group, const GroupSpec *spec)
{
    size_t sums = table->sums;
    pass_size(w, &sums, MOST_MEASURES);
    expect(w, w->out || sums == 0 || sums == spec->sums);
    for (size_t k = 0; k < sums && !w->bad; k++) {
        GroupSum sum = w->out ? table->sum[group * sums + k] : (GroupSum){0};
        pass_numbers(w, (int64_t *const[]){&sum.count, &sum.sum, &sum.least, &sum.greatest}, 4);
        if (!w->out && !w->bad)
            groups_add_sum(table, group, sums, k, &sum);
    }
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
    expect(w, (uint64_t)query <= UINT32_MAX &&
                  ((query & GROUP_QUERY) < part->query_count || query == GROUP_NO_QUERY));
    expect(w, w->out || w->bad || group_values_are_good(spec, (uint32_t)query, values, group.length));
    if (!w->out && !w->bad)
        i = groups_add(table, (uint32_t)query, values, group.length, n);
    pass_sums(w, table, i, spec);
}

static void pass_part(Wire *w, Part *part, const ResultPlan *result, const GroupSpec *spec)
{
    pass_buffer(w, &part->records);
    pass_buffer(w, &part->foreign);
    pass_flags(w, (bool *const[]){&part->exhausted}, 1);
    pass_totals(w, part);
    expect(w, w->bad || w->out || are_records(part, result));
    size_t groups = part->groups.count;
    pass_size(w, &groups, left(w) / GROUP_LEAST); // a wrong number needs little memory
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
    int64_t parts = block->part_count;
    pass_head(w, block);
    int64_t *const number[] = {&block->games, &block->positions, &block->bytes, &block->cut, &block->words};
    pass_numbers(w, number, sizeof number / sizeof *number);
    pass_buffer(w, &block->reports);
    pass_buffer(w, &block->language);
    pass_number(w, &parts);
    expect(w, parts == block->part_count);
    for (uint32_t p = 0; p < block->part_count && !w->bad; p++)
        pass_part(w, &block->part[p], plan ? &plan->result[p] : NULL, plan ? plan->options->count_by : NULL);
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
