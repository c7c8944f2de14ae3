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

static void plan_query(Plan *p, ResultPlan *result, const QueryInfo *query)
{
    const bool tree = query->flags & QUERY_VARIATIONS;
    *(tree ? &p->tree_parse : &p->line_parse) |= run_parse_flags(query);
    p->checks |= (query->flags & QUERY_NEEDS_CHECKS) != 0;
    p->trees |= tree;
    p->lines |= !tree;
    p->variants |= (query->flags & QUERY_VARIANTS) != 0;
    p->as_chess &= (query->flags & QUERY_AS_CHESS) != 0;
    p->sequential |= (query->flags & QUERY_SEQUENTIAL) != 0;
    p->needs_last_number |= (query->flags & QUERY_NEEDS_LAST_NUMBER) != 0;
    const bool sorts =
        p->format_flags & FORMAT_SORTED || (p->format_flags & FORMAT_BEST && p->options->limit > 0);
    const bool has_keys = query->sort_key_count > 0 || (query->flags & QUERY_SORT_MATCHCOUNT);
    result->sorted |= has_keys && sorts && !p->options->no_sort;
    int64_t last = query->flags & QUERY_HAS_GAMENUMBER ? query->gamenumber_high : INT64_MAX;
    if (last > result->last_wanted)
        result->last_wanted = last;
}

static void plan_result(Plan *p, ResultPlan *result)
{
    const SearchOptions *o = p->options;
    result->last_wanted = p->visits ? INT64_MAX : 0;
    for (uint32_t q = 0; q < result->count; q++)
        plan_query(p, result, &p->matcher->query[result->first + q]);
    if (o->last_game > 0 && o->last_game < result->last_wanted)
        result->last_wanted = o->last_game;
    result->split = o->split_output && !o->outputs && o->format != FORMAT_NONE && result->output &&
                    output_name_has_tags(result->output);
    result->stored = result->sorted || result->split || (p->format_flags & FORMAT_PAGE) || o->before_results;
    result->limit = result->sorted ? 0 : o->limit;
    result->most = result->sorted ? (size_t)o->limit : 0;
    if (result->sorted && p->format_flags & FORMAT_PAGE && (o->limit == 0 || o->limit > PAGE_GAMES))
        result->most = PAGE_GAMES;
    result->by_file = result->split && result->most == 0;
    if (result->last_wanted > p->last_wanted)
        p->last_wanted = result->last_wanted;
}

Plan plan_search(const Matcher *matcher, const SearchOptions *options)
{
    const bool visits = options->sink && options->sink->visit;
    Plan p = {.options = options,
              .visits = visits,
              .variants = visits,
              .as_chess = !visits,
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
    buffer_free(&part->records);
    buffer_free(&part->foreign);
    groups_free(&part->groups);
    free(part->query);
}

void block_free(Block *block)
{
    pgn_block_free(&block->input.pgn);
    buffer_free(&block->reports);
    buffer_free(&block->language);
    for (uint32_t r = 0; r < block->part_count; r++)
        part_free(&block->part[r]);
    free(block->part);
    free(block);
}

static void part_clear(Part *p)
{
    p->records.length = p->foreign.length = 0;
    p->exhausted = false;
    groups_clear(&p->groups);
    p->earlier += p->totals.matches;
    p->totals = (SearchTotals){0};
    memset(p->query, 0, p->query_count * sizeof *p->query);
}

void block_clear(Block *block)
{
    block->reports.length = block->language.length = 0;
    block->games = block->positions = block->bytes = block->cut = block->words = 0;
    for (uint32_t r = 0; r < block->part_count; r++)
        part_clear(&block->part[r]);
}

size_t block_bytes(const Block *block)
{
    size_t sum = block->reports.length + block->language.length;
    for (uint32_t r = 0; r < block->part_count; r++) {
        const Part *part = &block->part[r];
        sum += part->records.length + part->foreign.length +
               (part->groups.count > 0 ? groups_bytes(&part->groups) : 0);
    }
    return sum;
}

// ---- totals of a part -------------------------------------------------------------------------------------

void part_put_totals(Buffer *out, const Part *p)
{
    buffer_append(out, (const char *)&p->totals, sizeof p->totals);
    buffer_append(out, (const char *)p->query, p->query_count * sizeof *p->query);
}

void part_take_totals(Part *p, const char *bytes)
{
    memcpy(&p->totals, bytes, sizeof p->totals);
    memcpy(p->query, bytes + sizeof p->totals, p->query_count * sizeof *p->query);
}

size_t part_totals_size(const Part *p)
{
    return sizeof p->totals + p->query_count * sizeof *p->query;
}

void part_cut(Part *p, int64_t count)
{
    const char *at = p->records.start, *end = at + p->records.length;
    GameRecord game;
    while (count > 0 && game_record_get(&at, end, &game))
        count -= game.matches;
    p->records.length = (size_t)(at - p->records.start);
    part_take_totals(p, game.totals.start);
}

// ---- texts ------------------------------------------------------------------------------------------------

// The records of a part that have texts, one after the other.
typedef struct Reader {
    const char *at, *end;
    GameRecord game;
    bool has_game;
} Reader;

static void next_game(Reader *r)
{
    do {
        r->has_game = game_record_get(&r->at, r->end, &r->game);
    } while (r->has_game && r->game.reports.length + r->game.messages.length == 0);
}

// The reader with the first game, of several the first one; NULL at the end.
static Reader *first_reader(Reader *reader, uint32_t count)
{
    Reader *first = NULL;
    for (Reader *r = reader; r < reader + count; r++)
        if (r->has_game && (!first || r->game.game < first->game.game))
            first = r;
    return first;
}

static void add_texts(BlockTexts *t, const GameRecord *game, bool damage_reported)
{
    const size_t from = damage_reported ? game->damage : 0;
    Buffer *m = &t->messages;
    buffer_append(&t->reports, game->reports.start + from, game->reports.length - from);
    if (game->begins_line && m->length == 0)
        t->begins_line = true;
    else if (game->begins_line && m->start[m->length - 1] != '\n')
        buffer_append(m, "\n", 1);
    buffer_append(m, game->messages.start, game->messages.length);
}

BlockTexts block_texts(const Block *block, const bool *complete)
{
    BlockTexts texts = {0};
    GameRecord done = {.game = -1}; // what is known of the game
    Reader *reader = memory_zeroed(block->part_count, sizeof *reader);
    for (uint32_t r = 0; r < block->part_count; r++) {
        const Buffer *records = &block->part[r].records;
        reader[r] = (Reader){.at = records->start, .end = records->start + records->length};
        if (!(complete && complete[r]))
            next_game(&reader[r]);
    }
    for (Reader *r; (r = first_reader(reader, block->part_count)); next_game(r)) {
        if (r->game.game != done.game)
            done = (GameRecord){.game = r->game.game};
        add_texts(&texts, &r->game, done.damage > 0);
        texts.damaged += done.damage == 0 && r->game.damage > 0;
        texts.errors += !done.failed && r->game.failed;
        done.damage |= r->game.damage;
        done.failed |= r->game.failed;
    }
    free(reader);
    return texts;
}

void block_texts_free(BlockTexts *texts)
{
    buffer_free(&texts->reports);
    buffer_free(&texts->messages);
}
