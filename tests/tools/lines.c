#include "lines.h"

#include <stdlib.h>

#include "runtime/chess/chess.h"
#include "runtime/chess/word.h"

// The main lines of the games that databases store in groups; the other games are in no lane.
typedef struct Lines {
    LineGroup group[MAX_GAMES / LINE_LANES + 1];
    int game[MAX_GAMES + LINE_LANES]; // by group and lane
    int games;
} Lines;

static bool is_plain_line(const Game *g)
{
    bool plain = !g->has_fen && !g->damaged && !g->skipped && g->view.count == g->ply_count + 1;
    for (int i = 1; i < g->view.count && plain; i++)
        plain = !(g->view.node[i].move.flags & MOVE_NULL);
    return plain;
}

static uint16_t facts_of(const Game *g)
{
    const Position *last = g->view.position[g->view.count - 1];
    int facts = pos_has_legal_move(last) ? 0 : pos_in_check(last, last->side) ? LINE_MATE : LINE_STALEMATE;
    for (int i = 1; i < g->view.count; i++) {
        const Move m = g->view.node[i].move;
        facts |= (m.flags & MOVE_CASTLE_KING ? LINE_CASTLES_KING : 0) |
                 (m.flags & MOVE_CASTLE_QUEEN ? LINE_CASTLES_QUEEN : 0) |
                 (m.flags & MOVE_EN_PASSANT ? LINE_EN_PASSANT : 0) |
                 (m.promoted != EMPTY ? LINE_PROMOTES : 0);
    }
    return (uint16_t)facts;
}

static void make_lines(Lines *lines, const Games *games)
{
    *lines = (Lines){0};
    for (int k = 0; k < games->count; k++)
        if (is_plain_line(&games->game[k]))
            lines->game[lines->games++] = k;
    for (int first = 0; first < lines->games; first += LINE_LANES) {
        LineGroup *group = &lines->group[first / LINE_LANES];
        for (int lane = 0; lane < LINE_LANES && first + lane < lines->games; lane++) {
            const Game *g = &games->game[lines->game[first + lane]];
            group->length[lane] = (uint16_t)g->ply_count;
            group->facts[lane] = facts_of(g);
            for (int side = WHITE; side <= BLACK; side++)
                group->men[side][lane] =
                    (uint16_t)bb_count(g->view.position[g->view.count - 1]->board[BOARD_WHITE + side]);
            group->rows = g->ply_count > group->rows ? g->ply_count : group->rows;
        }
        uint16_t *word = calloc((size_t)group->rows * LINE_LANES + 1, sizeof *word);
        for (int lane = 0; lane < LINE_LANES && first + lane < lines->games; lane++)
            for (int i = 0; i < group->length[lane]; i++)
                word[i * LINE_LANES + lane] =
                    word_of(games->game[lines->game[first + lane]].view.node[i + 1].move);
        group->word = word;
    }
}

typedef int32_t Found[MAX_GAMES / LINE_LANES + 1][LINE_LANES];

// What the screen finds, alone or with the other queries that may share its function.
static void run_screen(const QueryInfo *query, const Lines *lines, bool alone, Found *found)
{
    static Found others;
    int32_t(*place[SCREEN_QUERIES])[LINE_LANES];
    for (int i = 0; i < SCREEN_QUERIES; i++)
        place[i] = alone ? NULL : others;
    place[query->screen_place] = *found;
    query->screen(lines->group, (lines->games + LINE_LANES - 1) / LINE_LANES, place);
}

bool screen_agrees(const QueryInfo *query, const Games *games, const int32_t *hits, int *game)
{
    static Lines lines;
    static Found found, together;
    if (lines.games == 0)
        make_lines(&lines, games);
    if (!query->screen)
        return true;
    run_screen(query, &lines, true, &found);
    run_screen(query, &lines, false, &together);
    for (int i = 0; i < lines.games; i++) {
        const int32_t count = found[i / LINE_LANES][i % LINE_LANES];
        *game = lines.game[i];
        if (count != together[i / LINE_LANES][i % LINE_LANES])
            return false;
        const bool is_other_result = query->results & ~(1u << games->game[*game].view.result);
        if (hits[*game] == NOT_EVALUATED || is_other_result)
            continue;
        if (count == 0 ? hits[*game] != 0 : (query->flags & QUERY_EXACT_SCREEN) && count != hits[*game])
            return false;
    }
    return true;
}
