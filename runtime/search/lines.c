// The search of PGN games by their main lines: these are read without trees, and screens rule games out; the others are
// evaluated as usual.
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/database/lanes.h"
#include "runtime/value/memory.h"
#include "candidates.h"

enum { UNKNOWN = CANDIDATE };

// A game of the block whose tags do not rule it out.
typedef struct Line {
    size_t index;   // in the block
    int64_t before; // games between the last one and this one
} Line;

// One worker's memory for PGN games.
typedef struct Lines {
    GameLine line;
    Line *game;
    size_t games, game_capacity;
    GameEntry *entry; // by game: what its main line is; STORED_UNGROUPED: it is not known
    size_t entry_capacity;
    size_t *first; // by game: where its words begin
    size_t first_capacity;
    int64_t after; // games after the last one: their tags rule them out
    Buffer words;
    int32_t *count; // by game and query: as Candidate.screened, or UNKNOWN
    size_t count_capacity;
    int32_t *order; // games in groups, LINE_LANES a group; -1: none
    size_t order_capacity;
    LineGroup *group;
    size_t group_count, group_capacity;
    Screens screens;
    bool *wants; // by query: it is screened and not equal to an earlier one
    Buffer rows; // of the groups
    ScreenStats stats;
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
    const ScreenStats *y = &l->stats;
    if (y->screened < FIRST_TRIED || y->ruled_out >= y->screened * MANY)
        return true;
    const bool is_expensive = w->matcher->query_count == 1 && !screens_pay(w->matcher->query, y);
    if (y->screened < TRIED ? y->passed * 10 < y->screened * 9
                            : y->passed * 3 < y->screened * 2 && !is_expensive)
        return true;
    if (++l->skipped < SKIPPED)
        return false;
    l->skipped = 0;
    l->stats = (ScreenStats){0};
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
    free(l->game);
    free(l->entry);
    free(l->first);
    buffer_free(&l->words);
    buffer_free(&l->rows);
    free(l->count);
    free(l->order);
    free(l->group);
    screens_free(&l->screens);
    free(l->wants);
    free(l);
}

// ---- reading ----------------------------------------------------------------------------------------------

// What the main line just read says of its game.
static GameEntry entry_of(const GameLine *line)
{
    return (GameEntry){.ply_count = (uint16_t)line->count,
                       .flags = (uint16_t)((line->facts & (LINE_MATE | LINE_STALEMATE)) |
                                           (line->notes ? STORED_NOTES : 0) |
                                           (line->variations ? STORED_VARIATIONS : 0)),
                       .special = (uint8_t)(line->facts >> 8),
                       .result = (uint8_t)line->result};
}

static bool is_read(const Lines *l, size_t game)
{
    return !(l->entry[game].flags & STORED_UNGROUPED);
}

// Reads the tags of a game, and its main line if the tags do not rule it out. That of a game that needs too much memory is not
// read: its evaluation reports it.
static void read_game(Worker *w, Block *block, size_t index)
{
    enum { MOST_PLIES = 65535 };
    Lines *l = w->lines;
    const uint32_t queries = w->matcher->query_count;
    const GameText *source = &block->input.pgn.game[index];
    bool ruled_out;
    const Game *game = evaluate_tags(w, block, *source, &ruled_out);
    l->after += ruled_out;
    if (!game)
        return;
    const size_t i = l->games;
    l->entry = memory_grow(l->entry, &l->entry_capacity, i + 1, sizeof *l->entry);
    l->first = memory_grow(l->first, &l->first_capacity, i + 1, sizeof *l->first);
    l->count = memory_grow(l->count, &l->count_capacity, (i + 1) * queries, sizeof *l->count);
    MEMORY_PUSH(l->game, l->games, l->game_capacity, (Line){index, l->after});
    l->after = 0;
    l->entry[i] = (GameEntry){.flags = STORED_UNGROUPED};
    l->first[i] = l->words.length / sizeof(MoveWord);
    if (game_fits(source->text, 0, w->plan->memory_of_tree) && game_read_line(&l->line, game) &&
        !l->line.null_moves && l->line.count <= MOST_PLIES) {
        l->entry[i] = entry_of(&l->line);
        buffer_append(&l->words, (const char *)l->line.word, l->line.count * sizeof(MoveWord));
    }
    for (uint32_t q = 0; q < queries; q++) {
        const bool may = !is_read(l, i) || !(w->matcher->query[q].results & ~(1u << l->entry[i].result));
        l->count[i * queries + q] = w->wanted[q] && may ? UNKNOWN : 0;
    }
}

static const MoveWord *words_of(const Buffer *words)
{
    return (const MoveWord *)(const void *)words->start;
}

// Puts the games with known main lines side by side.
static void make_groups(Lines *l)
{
    l->group_count = lanes_make(l->entry, l->games, &l->order, &l->order_capacity);
    l->group = memory_grow(l->group, &l->group_capacity, l->group_count, sizeof *l->group);
    l->rows.length = 0;
    for (size_t g = 0; g < l->group_count; g++)
        lanes_put(&l->rows, l->entry, words_of(&l->words), l->first, l->order + g * LINE_LANES);
    const MoveWord *row = words_of(&l->rows);
    size_t left = l->rows.length / sizeof *row;
    for (size_t g = 0; g < l->group_count; g++)
        lanes_take(&l->group[g], l->entry, l->order + g * LINE_LANES, &row, &left);
}

// ---- screens ----------------------------------------------------------------------------------------------

// Does the screen, which is about main lines, say something about the game?
static bool screen_sees(const QueryInfo *query, const GameEntry *e)
{
    return !(query->flags & QUERY_VARIATIONS && e->flags & STORED_VARIATIONS);
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
        l->stats.ruled_out += *count == 0;
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
    evaluate_screens(w, &l->screens, l->wants, screen_queries, l->count, l->games);
}

// ---- games ------------------------------------------------------------------------------------------------

static void search_games(Worker *w, Block *block)
{
    Lines *l = w->lines;
    const uint32_t queries = w->matcher->query_count;
    const bool counts = evaluate_wants_counts(w);
    int64_t games = 0, positions = 0;
    for (size_t i = 0; i < l->games && !block->partial; i++) {
        const GameEntry *e = &l->entry[i];
        const GameText source = block->input.pgn.game[l->game[i].index];
        const int32_t *count = l->count + i * queries;
        bool any = false, known = is_read(l, i);
        for (uint32_t q = 0; q < queries; q++) {
            any |= count[q] != 0;
            known &= count[q] != UNKNOWN;
        }
        games += l->game[i].before;
        l->stats.passed += any && !(counts && known);
        if (any && !(counts && known)) {
            const StoredGame line = {.word = words_of(&l->words) + l->first[i],
                                     .ply_count = e->ply_count,
                                     .flags = e->flags,
                                     .special = e->special,
                                     .result = e->result,
                                     .stride = 1};
            const Candidate candidate = {.source = source,
                                         .stored = is_read(l, i) ? &line : NULL,
                                         .has_text = true,
                                         .screened = count};
            if (!evaluate_goes_on(w, block))
                break;
            evaluate_game(w, block, &candidate);
            continue;
        }
        positions += (int64_t)e->ply_count + 1;
        if (any && (w->plan->options->count_by || w->plan->options->explorer || w->plan->result_count > 1)) {
            evaluate_game(
                w, block,
                &(Candidate){.source = source, .screened = count, .counted = true, .plies = e->ply_count});
            continue;
        }
        games++;
        if (any)
            evaluate_counts(w, block, source.number, count);
    }
    games += block->partial ? 0 : l->after;
    l->stats.screened += (int64_t)l->games;
    evaluate_ruled_out(w, block, games, positions);
}

static void search_part(Worker *w, Block *block, size_t first, size_t end)
{
    Lines *l = w->lines;
    l->games = l->words.length = 0;
    buffer_room(&l->words, 1); // has a start, even when no main line is read
    l->after = 0;
    for (size_t i = first; i < end && evaluate_goes_on(w, block); i++)
        read_game(w, block, i);
    if (block->partial)
        return;
    make_groups(l);
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
            l->stats.screened < FIRST_TRIED && count - done > FIRST_TRIED ? done + FIRST_TRIED : count;
        search_part(w, block, done, end);
        done = end;
    }
    return done;
}
