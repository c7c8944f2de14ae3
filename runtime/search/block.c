// The plan of a search, and the results of a block of games.
#include "block.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "budget.h"
#include "candidates.h"
#include "output_name.h"
#include "sink.h"

// ---- plan -------------------------------------------------------------------------------------------------

static bool query_sorts(const QueryInfo *query)
{
    return query->sort_key_count > 0 || (query->flags & QUERY_SORT_MATCHCOUNT);
}

static void plan_query(Plan *p, ResultPlan *result, const QueryInfo *query)
{
    const bool tree = query->flags & QUERY_VARIATIONS;
    *(tree ? &p->tree_parse : &p->line_parse) |= run_parse_flags(query);
    p->trees |= tree;
    p->lines |= !tree;
    p->sequential |= (query->flags & QUERY_SEQUENTIAL) != 0;
    p->needs_last_number |= (query->flags & QUERY_NEEDS_LAST_NUMBER) != 0;
    const bool sorts =
        p->format_flags & FORMAT_SORTED || (p->format_flags & FORMAT_BEST && p->options->limit > 0);
    result->sorted |= query_sorts(query) && sorts && !p->options->no_sort;
    int64_t last = query->flags & QUERY_HAS_GAMENUMBER ? query->gamenumber_high : INT64_MAX;
    if (last > result->last_wanted)
        result->last_wanted = last;
}

static void plan_result(Plan *p, ResultPlan *result)
{
    const SearchOptions *o = p->options;
    for (uint32_t q = 0; q < result->count; q++)
        plan_query(p, result, &p->matcher->query[result->first + q]);
    if (o->last_game > 0 && o->last_game < result->last_wanted)
        result->last_wanted = o->last_game;
    result->split = o->split_output && !o->outputs && o->format != FORMAT_NONE && result->output &&
                    output_name_has_tags(result->output);
    result->stored = result->sorted || result->split || (p->format_flags & FORMAT_PAGE) || o->before_results;
    result->limit = result->sorted ? 0 : o->limit;
    if (result->last_wanted > p->last_wanted)
        p->last_wanted = result->last_wanted;
}

Plan plan_search(const Matcher *matcher, const SearchOptions *options)
{
    Plan p = {.options = options,
              .matcher = matcher,
              .memory_of_tree = search_memory_of_tree(options),
              .format_flags = options->sink       ? options->sink->flags
                              : options->count_by ? 0
                                                  : format_info[options->format].flags};
    p.result_count = options->outputs ? matcher->query_count : 1;
    p.result = memory_zeroed(p.result_count, sizeof *p.result);
    for (uint32_t r = 0; r < p.result_count; r++) {
        p.result[r].first = r;
        p.result[r].count = options->outputs ? 1 : matcher->query_count;
        p.result[r].output = options->outputs ? options->outputs[r] : options->output;
        plan_result(&p, &p.result[r]);
    }
    p.written_parse = PARSE_NOTES | (options->format == FORMAT_PGN && !options->sink ? 0u : PARSE_CLOCKS);
    if (p.tree_parse && (p.format_flags & FORMAT_GAME)) // then the writers need no other tree
        p.tree_parse |= p.written_parse;
    const unsigned all_names = (1U << (COLUMN_SITE + 1)) - 1;
    p.candidates = candidates_new(matcher, options->sample     ? all_names
                                           : options->count_by ? options->count_by->columns
                                                               : 0);
    return p;
}

void plan_free(Plan *plan)
{
    free(plan->result);
    candidates_free(plan->candidates);
    plan->result = NULL;
    plan->candidates = NULL;
}

Matcher result_matcher(const ResultPlan *result, const Matcher *matcher)
{
    Matcher own = *matcher;
    own.query += result->first;
    own.query_count = result->count;
    return own;
}

// ---- blocks -----------------------------------------------------------------------------------------------

Block *block_new(const Plan *plan)
{
    Block *block = memory_zeroed(1, sizeof *block);
    block->part_count = plan->result_count;
    block->part = memory_zeroed(block->part_count, sizeof *block->part);
    for (uint32_t r = 0; r < block->part_count; r++) {
        Part *part = &block->part[r];
        part->query_count = plan->result[r].count;
        part->query = memory_zeroed(part->query_count, sizeof *part->query);
    }
    return block;
}

static void part_free(Part *part)
{
    buffer_free(&part->reports);
    buffer_free(&part->foreign);
    buffer_free(&part->messages);
    buffer_free(&part->output);
    sorted_free(&part->sorted);
    groups_free(&part->groups);
    free(part->query);
    free(part->mark);
    free(part->mark_query);
    free(part->texts);
}

void block_free(Block *block)
{
    pgn_block_free(&block->input.pgn);
    buffer_free(&block->reports);
    for (uint32_t r = 0; r < block->part_count; r++)
        part_free(&block->part[r]);
    free(block->part);
    free(block);
}

static void part_clear(Part *p)
{
    p->reports.length = p->foreign.length = p->messages.length = p->output.length = 0;
    p->begins_line = p->exhausted = false;
    sorted_cut(&p->sorted, 0);
    groups_clear(&p->groups);
    p->totals = (SearchTotals){0};
    memset(p->query, 0, p->query_count * sizeof *p->query);
    p->mark_count = p->texts_count = 0;
}

void block_clear(Block *block)
{
    block->reports.length = 0;
    block->games = block->positions = block->bytes = 0;
    for (uint32_t r = 0; r < block->part_count; r++)
        part_clear(&block->part[r]);
}

size_t block_bytes(const Block *block)
{
    size_t sum = block->reports.length;
    for (uint32_t r = 0; r < block->part_count; r++) {
        const Part *part = &block->part[r];
        sum += part->reports.length + part->messages.length + part->output.length + part->foreign.length +
               part->sorted.memory + part->sorted.count * sizeof *part->sorted.game +
               (part->groups.count > 0 ? groups_bytes(&part->groups) : 0);
    }
    return sum;
}

void part_set_mark(Part *p)
{
    const size_t queries = p->query_count;
    p->mark = memory_grow(p->mark, &p->mark_capacity, p->mark_count + 1, sizeof *p->mark);
    p->mark_query = memory_grow(p->mark_query, &p->mark_query_capacity, (p->mark_count + 1) * queries,
                                sizeof *p->mark_query);
    memcpy(p->mark_query + p->mark_count * queries, p->query, queries * sizeof *p->query);
    p->mark[p->mark_count++] = (Mark){p->reports.length, p->messages.length, p->output.length,
                                      p->sorted.count,   p->texts_count,     p->totals};
}

void part_cut(Part *p, size_t count)
{
    const Mark *mark = &p->mark[count - 1];
    p->reports.length = mark->reports;
    p->messages.length = mark->messages;
    p->output.length = mark->output;
    sorted_cut(&p->sorted, mark->sorted);
    p->texts_count = mark->texts;
    p->totals = mark->totals;
    memcpy(p->query, p->mark_query + (count - 1) * p->query_count, p->query_count * sizeof *p->query);
    p->mark_count = count;
}

// ---- texts of several results -----------------------------------------------------------------------------

void part_end_texts(Part *p, int64_t game, size_t reports, size_t messages, size_t damage, bool failed)
{
    if (p->reports.length == reports && p->messages.length == messages)
        return;
    MEMORY_PUSH(p->texts, p->texts_count, p->texts_capacity,
                (GameTexts){game, damage, p->reports.length, p->messages.length, failed});
}

// Appends the texts of the i-th game of the part that has some. Returns true when they contain damage.
static bool join_game(const Part *p, size_t i, bool damage_reported, Buffer *reports, Buffer *messages)
{
    const GameTexts *end = &p->texts[i];
    const GameTexts begin = i > 0 ? p->texts[i - 1] : (GameTexts){0};
    const size_t from = damage_reported ? end->damage : begin.reports;
    buffer_append(reports, p->reports.start + from, end->reports - from);
    buffer_append(messages, p->messages.start + begin.messages, end->messages - begin.messages);
    return end->damage > begin.reports;
}

void block_join_texts(const Block *block, const bool *complete, Buffer *reports, Buffer *messages,
                      SearchTotals *totals)
{
    size_t *next = memory_zeroed(block->part_count, sizeof *next);
    for (;;) {
        int64_t game = INT64_MAX;
        for (uint32_t r = 0; r < block->part_count; r++) {
            const Part *p = &block->part[r];
            if (!(complete && complete[r]) && next[r] < p->texts_count && p->texts[next[r]].game < game)
                game = p->texts[next[r]].game;
        }
        if (game == INT64_MAX)
            break;
        bool damage_reported = false, failed = false;
        for (uint32_t r = 0; r < block->part_count; r++) {
            const Part *p = &block->part[r];
            if ((complete && complete[r]) || next[r] >= p->texts_count || p->texts[next[r]].game != game)
                continue;
            failed |= p->texts[next[r]].failed;
            damage_reported |= join_game(p, next[r]++, damage_reported, reports, messages);
        }
        totals->damaged += damage_reported;
        totals->errors += failed;
    }
    free(next);
}
