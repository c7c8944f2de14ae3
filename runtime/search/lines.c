// The search of PGN games by their main lines: these are read without trees, and screens rule games out; the others are
// evaluated as usual.
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/game/transpose.h"
#include "runtime/value/memory.h"
#include "candidates.h"

enum { UNKNOWN = CANDIDATE };

// A game of the block whose tags do not rule it out.
typedef struct LineEntry {
    size_t index;   // in the block
    size_t word;    // where its words begin
    bool read;      // its main line is known
    int64_t before; // games between the last entry and this one
    StoredGame game;
} LineEntry;

// How many games the screens have looked at and let pass, or could not look at; and how often they have ruled a game out for
// a query.
typedef struct Yield {
    int64_t screened, passed, ruled_out;
} Yield;

// One worker's memory for PGN games.
typedef struct Lines {
    GameLine line;
    LineEntry *entry;
    size_t entry_count, entry_capacity;
    int64_t after;  // games after the last entry: their tags rule them out
    MoveWord *word; // those of a game are followed by LINE_LANES zeros
    size_t word_count, word_capacity;
    int32_t *count; // by entry and query: as Candidate.screened, or UNKNOWN
    size_t count_capacity;
    int32_t *order; // entries in groups, LINE_LANES a group; -1: none
    size_t order_capacity;
    LineGroup *group;
    size_t group_count, group_capacity;
    Screens screens;
    bool *wants; // by query: it is screened and not equal to an earlier one
    MoveWord *row;
    size_t row_capacity;
    Yield yield;
    int skipped; // blocks since the screens were found not to be worthwhile
} Lines;

// ---- whether ----------------------------------------------------------------------------------------------

enum {
    FIRST_TRIED = 32, // games on which screens are tried
    MANY = 6          // queries that cost more than to read a game twice
};

// Screens that let most games pass are not worth reading them twice, unless they save many queries the work: those that let
// nearly all pass are found out after a few games, others after more. Other games may come later.
static bool is_worthwhile(const Worker *w, Lines *l)
{
    enum { TRIED = 256, SKIPPED = 32 };
    const Yield *y = &l->yield;
    if (y->screened < FIRST_TRIED || y->ruled_out >= y->screened * MANY)
        return true;
    const bool is_dear =
        w->matcher->query_count == 1 && !screens_pay(w->matcher->query, y->screened, y->passed);
    if (y->screened < TRIED ? y->passed * 10 < y->screened * 9 : y->passed * 3 < y->screened * 2 && !is_dear)
        return true;
    if (++l->skipped < SKIPPED)
        return false;
    l->skipped = 0;
    l->yield = (Yield){0};
    return true;
}

static bool is_screened(const QueryInfo *query)
{
    return query->screen && !query->tags_decide;
}

// Queries without screens want nearly all games.
static bool has_screens(const Worker *w)
{
    uint32_t screened = 0;
    for (uint32_t q = 0; q < w->matcher->query_count; q++)
        screened += is_screened(&w->matcher->query[q]);
    return screened == w->matcher->query_count || screened >= MANY;
}

static Lines *lines_of(Worker *w)
{
    if (w->lines)
        return w->lines;
    w->lines = memory_zeroed(1, sizeof *w->lines);
    w->lines->wants = memory_zeroed(w->matcher->query_count, sizeof *w->lines->wants);
    return w->lines;
}

void lines_free(Lines *l)
{
    if (!l)
        return;
    game_line_free(&l->line);
    free(l->entry);
    free(l->word);
    free(l->count);
    free(l->order);
    free(l->group);
    screens_free(&l->screens);
    free(l->wants);
    free(l->row);
    free(l);
}

// ---- reading ----------------------------------------------------------------------------------------------

static void take_line(Lines *l, LineEntry *e)
{
    const GameLine *line = &l->line;
    e->read = true;
    e->game = (StoredGame){.ply_count = (uint32_t)line->count,
                           .flags = (uint16_t)((line->facts & (LINE_MATE | LINE_STALEMATE)) |
                                               (line->notes ? STORED_NOTES : 0) |
                                               (line->variations ? STORED_VARIATIONS : 0)),
                           .special = (uint8_t)(line->facts >> 8),
                           .result = (uint8_t)line->result,
                           .stride = 1};
    l->word =
        memory_grow(l->word, &l->word_capacity, l->word_count + line->count + LINE_LANES, sizeof *l->word);
    memcpy(l->word + l->word_count, line->word, line->count * sizeof *l->word);
    memset(l->word + l->word_count + line->count, 0, LINE_LANES * sizeof *l->word);
    l->word_count += line->count + LINE_LANES;
}

// Reads the tags of a game, and its main line if the tags do not rule it out. That of a game that needs too much memory is not
// read: its evaluation reports it.
static void read_game(Worker *w, Block *block, size_t index)
{
    enum { MOST_PLIES = 65535 };
    Lines *l = w->lines;
    const uint32_t queries = w->matcher->query_count;
    bool ruled_out;
    const Game *game = evaluate_tags(w, block, block->input.pgn.game[index], &ruled_out);
    l->after += ruled_out;
    if (!game)
        return;
    l->entry = memory_grow(l->entry, &l->entry_capacity, l->entry_count + 1, sizeof *l->entry);
    l->count = memory_grow(l->count, &l->count_capacity, (l->entry_count + 1) * queries, sizeof *l->count);
    LineEntry *e = &l->entry[l->entry_count];
    *e = (LineEntry){.index = index, .word = l->word_count, .before = l->after};
    l->after = 0;
    const bool fits = game_fits(block->input.pgn.game[index].text, 0, w->plan->memory_of_tree);
    if (fits && game_read_line(&l->line, game) && !l->line.null_moves && l->line.count <= MOST_PLIES)
        take_line(l, e);
    for (uint32_t q = 0; q < queries; q++) {
        const bool may = !e->read || !(w->matcher->query[q].results & ~(1u << e->game.result));
        l->count[l->entry_count * queries + q] = w->wanted[q] && may ? UNKNOWN : 0;
    }
    l->entry_count++;
}

// ---- groups -----------------------------------------------------------------------------------------------

// Sorts the entries with known main lines by their length, so that those of a group are about equally long. The first
// group is the one with empty lanes.
static void make_groups(Lines *l)
{
    uint32_t most = 0, known = 0;
    for (size_t i = 0; i < l->entry_count; i++) {
        const LineEntry *e = &l->entry[i];
        most = e->read && e->game.ply_count > most ? e->game.ply_count : most;
        known += e->read;
    }
    l->group_count = (known + LINE_LANES - 1) / LINE_LANES;
    const size_t lanes = l->group_count * LINE_LANES;
    l->order = memory_grow(l->order, &l->order_capacity, lanes, sizeof *l->order);
    size_t *slot = memory_zeroed((size_t)most + 2, sizeof *slot); // by plies: where the next entry goes
    for (size_t i = 0; i < l->entry_count; i++)
        if (l->entry[i].read)
            slot[l->entry[i].game.ply_count + 1]++;
    slot[0] = lanes - known;
    for (uint32_t plies = 1; plies <= most; plies++)
        slot[plies] += slot[plies - 1];
    for (size_t i = 0; i < lanes - known; i++)
        l->order[i] = -1;
    for (size_t i = 0; i < l->entry_count; i++)
        if (l->entry[i].read)
            l->order[slot[l->entry[i].game.ply_count]++] = (int32_t)i;
    free(slot);
}

// The words of a group side by side; `row` has room for LINE_LANES rows more than the longest game.
static LineGroup fill_group(const Lines *l, const int32_t entry[LINE_LANES], MoveWord *row)
{
    static const MoveWord none[LINE_LANES];
    LineGroup group = {.word = row};
    const MoveWord *word[LINE_LANES], *lane[LINE_LANES];
    for (int i = 0; i < LINE_LANES; i++) {
        const LineEntry *e = entry[i] >= 0 ? &l->entry[entry[i]] : NULL;
        word[i] = e ? l->word + e->word : none;
        group.length[i] = e ? (uint16_t)e->game.ply_count : 0;
        for (int side = WHITE; side <= BLACK && e; side++)
            group.men[side][i] = e->game.men[side];
        group.facts[i] = e ? (uint16_t)(e->game.flags | e->game.special << 8) : 0;
        group.rows = group.length[i] > group.rows ? group.length[i] : group.rows;
    }
    for (int32_t at = 0; at < group.rows; at += LINE_LANES) {
        for (int i = 0; i < LINE_LANES; i++)
            lane[i] = at < group.length[i] ? word[i] + at : none;
        line_transpose(lane, row + at * LINE_LANES);
    }
    return group;
}

static size_t longest(const Lines *l, size_t group)
{
    return l->entry[l->order[(group + 1) * LINE_LANES - 1]].game.ply_count;
}

static void fill_groups(Lines *l)
{
    size_t rows = 0, row = 0;
    for (size_t g = 0; g < l->group_count; g++)
        rows += longest(l, g) + LINE_LANES;
    l->row = memory_grow(l->row, &l->row_capacity, rows * LINE_LANES, sizeof *l->row);
    l->group = memory_grow(l->group, &l->group_capacity, l->group_count, sizeof *l->group);
    for (size_t g = 0; g < l->group_count; g++) {
        l->group[g] = fill_group(l, l->order + g * LINE_LANES, l->row + row * LINE_LANES);
        row += longest(l, g) + LINE_LANES;
    }
}

// ---- screens ----------------------------------------------------------------------------------------------

// Does the screen, which is about main lines, say something about the game?
static bool screen_sees(const QueryInfo *query, const LineEntry *e)
{
    return !(query->flags & QUERY_VARIATIONS && e->game.flags & STORED_VARIATIONS);
}

static void take_found(Worker *w, uint32_t q, int32_t (*found)[LINE_LANES])
{
    Lines *l = w->lines;
    for (size_t i = 0; i < l->group_count * LINE_LANES; i++) {
        int32_t *count =
            l->order[i] >= 0 ? &l->count[(size_t)l->order[i] * w->matcher->query_count + q] : NULL;
        if (!count || *count == 0 || !screen_sees(&w->matcher->query[q], &l->entry[l->order[i]]))
            continue;
        *count = found[i / LINE_LANES][i % LINE_LANES];
        evaluate_totals(w, q)->by_moves += *count == 0;
        l->yield.ruled_out += *count == 0;
    }
}

// Screens the games for the chosen queries.
static void screen_queries(Worker *w)
{
    Lines *l = w->lines;
    screens_run(&l->screens, l->group, l->group_count);
    for (uint32_t i = 0; i < l->screens.count; i++)
        take_found(w, l->screens.member[i], screens_found(&l->screens, i));
}

static void screen_games(Worker *w)
{
    Lines *l = w->lines;
    const uint32_t queries = w->matcher->query_count;
    for (uint32_t q = 0; q < queries; q++)
        l->wants[q] = w->same[q] == q && is_screened(&w->matcher->query[q]);
    evaluate_screens(w, &l->screens, l->wants, screen_queries, l->count, l->entry_count);
}

// ---- games ------------------------------------------------------------------------------------------------

static void search_games(Worker *w, Block *block)
{
    Lines *l = w->lines;
    const uint32_t queries = w->matcher->query_count;
    const bool counts = evaluate_wants_counts(w);
    int64_t games = 0, positions = 0;
    for (size_t i = 0; i < l->entry_count && !block->partial; i++) {
        LineEntry *e = &l->entry[i];
        const int32_t *count = l->count + i * queries;
        bool any = false, known = e->read;
        for (uint32_t q = 0; q < queries; q++) {
            any |= count[q] != 0;
            known &= count[q] != UNKNOWN;
        }
        games += e->before;
        l->yield.passed += any && !(counts && known);
        if (any && !(counts && known)) {
            if (!evaluate_goes_on(w, block))
                break;
            evaluate_game(w, block,
                          &(Candidate){.source = block->input.pgn.game[e->index],
                                       .stored = e->read ? &e->game : NULL,
                                       .has_text = true,
                                       .screened = count});
            continue;
        }
        positions += (int64_t)e->game.ply_count + 1;
        if (any && (w->plan->options->count_by || w->plan->result_count > 1)) {
            evaluate_game(
                w, block,
                &(Candidate){.source = block->input.pgn.game[e->index], .screened = count, .counted = true});
            continue;
        }
        games++;
        if (any)
            evaluate_counts(w, block, block->input.pgn.game[e->index].number, count);
    }
    games += block->partial ? 0 : l->after;
    l->yield.screened += (int64_t)l->entry_count;
    evaluate_ruled_out(w, block, games, positions);
}

static void search_part(Worker *w, Block *block, size_t first, size_t end)
{
    Lines *l = w->lines;
    l->entry_count = l->word_count = 0;
    l->after = 0;
    for (size_t i = first; i < end && evaluate_goes_on(w, block); i++)
        read_game(w, block, i);
    if (block->partial)
        return;
    for (size_t i = 0; i < l->entry_count; i++)
        l->entry[i].game.word = l->word + l->entry[i].word;
    make_groups(l);
    fill_groups(l);
    screen_games(w);
    search_games(w, block);
}

size_t lines_search(Worker *w, Block *block)
{
    const size_t count = block->input.pgn.count;
    if (count == 0 || !has_screens(w) || !evaluate_may_rule_out(w) || !evaluate_counts_in_bulk(w))
        return 0;
    Lines *l = lines_of(w);
    size_t done = 0;
    while (done < count && is_worthwhile(w, l)) {
        const size_t end =
            l->yield.screened < FIRST_TRIED && count - done > FIRST_TRIED ? done + FIRST_TRIED : count;
        search_part(w, block, done, end);
        done = end;
    }
    return done;
}
