// Positions and the moves that were played in them.
#include "explorer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "text.h"

// ---- positions --------------------------------------------------------------------------------------------

Position explorer_position(const Position *p)
{
    Position same = *p;
    if (p->en_passant != NO_SQUARE && !pos_legal_en_passant(p))
        same.en_passant = NO_SQUARE;
    return same;
}

// ---- nodes ------------------------------------------------------------------------------------------------

static size_t slot_of(const ExplorerTable *t, const Position *p)
{
    size_t i = pos_key(p) & (t->slots - 1);
    while (t->slot[i] != 0 && !pos_same(&t->node[t->slot[i] - 1].position, p))
        i = (i + 1) & (t->slots - 1);
    return i;
}

static void grow_slots(ExplorerTable *t)
{
    free(t->slot);
    t->slots = t->slots ? 2 * t->slots : 64;
    t->slot = memory_zeroed(t->slots, sizeof *t->slot);
    for (size_t n = 0; n < t->node_count; n++)
        t->slot[slot_of(t, &t->node[n].position)] = (uint32_t)n + 1;
}

// The node of a position, made when there is none.
static int32_t node_of(ExplorerTable *t, const Position *p)
{
    if (2 * (t->node_count + 1) > t->slots)
        grow_slots(t);
    const size_t i = slot_of(t, p);
    if (t->slot[i] == 0) {
        MEMORY_PUSH(t->node, t->node_count, t->node_capacity, (ExplorerNode){.position = *p, .move = -1});
        t->slot[i] = (uint32_t)t->node_count;
    }
    return (int32_t)t->slot[i] - 1;
}

static int32_t move_of(ExplorerTable *t, int32_t node, MoveWord word)
{
    int32_t move = t->node[node].move, last = -1;
    for (; move >= 0 && t->move[move].word != word; move = t->move[move].next)
        last = move;
    if (move < 0) {
        move = (int32_t)t->move_count;
        MEMORY_PUSH(t->move, t->move_count, t->move_capacity,
                    (ExplorerMove){.word = word, .next = -1, .node = -1});
        *(last < 0 ? &t->node[node].move : &t->move[last].next) = move;
    }
    return move;
}

// The node after a move; -1: the move cannot be played.
static int32_t node_after(ExplorerTable *t, int32_t node, int32_t move)
{
    if (t->move[move].node < 0) {
        Position next;
        Move played;
        const Position before = t->node[node].position;
        if (!pos_play_word(&next, &before, t->move[move].word, &played))
            return -1;
        next = explorer_position(&next);
        t->move[move].node = node_of(t, &next);
    }
    return t->move[move].node;
}

const char *explorer_init(ExplorerTable *t, const char *text, int plies, size_t *fault)
{
    Position position;
    FenClocks clocks;
    size_t length;
    const char *wrong = pos_read(text, strlen(text), &position, &clocks, fault, &length);
    if (!wrong)
        explorer_begin(t, &position, clocks.fullmove, plies);
    return wrong;
}

void explorer_begin(ExplorerTable *t, const Position *position, int fullmove, int plies)
{
    const Position same = explorer_position(position);
    *t = (ExplorerTable){.plies = plies, .fullmove = fullmove};
    node_of(t, &same);
}

static void free_tags(ExplorerGame *g)
{
    for (int i = 0; i < EXPLORER_TAGS; i++)
        free(g->tag[i]);
}

void explorer_free(ExplorerTable *t)
{
    for (size_t n = 0; n < t->node_count; n++)
        for (int i = 0; i < t->node[n].best_count; i++)
            free_tags(&t->node[n].best[i]);
    free(t->node);
    free(t->move);
    free(t->slot);
    *t = (ExplorerTable){0};
}

// ---- games ------------------------------------------------------------------------------------------------

static char *utf8_of(Text text)
{
    Buffer utf8 = {0};
    text_utf8(&utf8, text_is_unknown(text) ? (Text){"", 0} : text);
    char *copy = memory_copy(utf8.start ? utf8.start : "", utf8.length);
    buffer_free(&utf8);
    return copy;
}

// `game`: NULL when its tags are damaged.
static void set_tags(ExplorerGame *g, const Game *game)
{
    Text text[EXPLORER_TAGS] = {{"", 0}, {"", 0}, {"", 0}, {"", 0}};
    if (game) {
        const TagRoster *r = game_roster(game);
        Text link = {"", 0};
        if (!game_tag(game, text_of("Link"), &link) || !text_address(link))
            link = r->site;
        text[EXPLORER_WHITE] = r->white;
        text[EXPLORER_BLACK] = r->black;
        text[EXPLORER_EVENT] = r->event;
        text[EXPLORER_LINK] = text_address(link) ? link : (Text){"", 0};
    }
    for (int i = 0; i < EXPLORER_TAGS; i++)
        g->tag[i] = utf8_of(text[i]);
}

static int64_t rating_of(const ExplorerFacts *f)
{
    const int32_t *r = f->rating;
    return r[WHITE] > 0 && r[BLACK] > 0 ? r[WHITE] + r[BLACK] : 0;
}

static bool is_better(const ExplorerFacts *a, const ExplorerFacts *b)
{
    return rating_of(a) != rating_of(b) ? rating_of(a) > rating_of(b) : a->number < b->number;
}

// Puts the game among the best ones of the node and returns its place; NULL: it does not belong there.
static ExplorerGame *enter(ExplorerNode *node, const ExplorerGame *game)
{
    int at = node->best_count;
    while (at > 0 && is_better(&game->facts, &node->best[at - 1].facts))
        at--;
    if (at == EXPLORER_BEST)
        return NULL;
    if (node->best_count == EXPLORER_BEST)
        free_tags(&node->best[--node->best_count]);
    memmove(&node->best[at + 1], &node->best[at], (size_t)(node->best_count - at) * sizeof *node->best);
    node->best_count++;
    node->best[at] = *game;
    return &node->best[at];
}

// The numbers of one game, for the side to move.
static ExplorerNumbers numbers_of(const ExplorerFacts *f, int side)
{
    const bool opposed = f->result != RESULT_UNKNOWN && f->rating[!side] > 0;
    const int win = side == WHITE ? RESULT_WHITE : RESULT_BLACK;
    return (ExplorerNumbers){.games = 1,
                             .white = f->result == RESULT_WHITE,
                             .draws = f->result == RESULT_DRAW,
                             .black = f->result == RESULT_BLACK,
                             .rated = f->rating[side] > 0,
                             .ratings = f->rating[side],
                             .opposed = opposed,
                             .opponents = opposed ? f->rating[!side] : 0,
                             .half_points = !opposed           ? 0
                                            : f->result == win ? 2
                                                               : f->result == RESULT_DRAW,
                             .first_year = f->year,
                             .last_year = f->year};
}

static void add_numbers(ExplorerNumbers *n, const ExplorerNumbers *o)
{
    n->games += o->games;
    n->white += o->white;
    n->draws += o->draws;
    n->black += o->black;
    n->rated += o->rated;
    n->ratings += o->ratings;
    n->opposed += o->opposed;
    n->opponents += o->opponents;
    n->half_points += o->half_points;
    if (o->first_year > 0 && (n->first_year == 0 || o->first_year < n->first_year))
        n->first_year = o->first_year;
    if (o->last_year > n->last_year)
        n->last_year = o->last_year;
}

// Counts the game at the position, once. `word`: the move that follows; NULL: none.
static void add_to_node(ExplorerNode *node, const ExplorerSource *game, const ExplorerNumbers *one,
                        const MoveWord *word)
{
    if (node->last == game->facts.number)
        return;
    node->last = game->facts.number;
    add_numbers(&node->numbers, one);
    ExplorerGame *best = enter(node, &(ExplorerGame){game->facts, word != NULL, word ? *word : 0, {NULL}});
    if (best)
        set_tags(best, game->tags(game->user));
}

void explorer_add(ExplorerTable *t, const ExplorerSource *game, const MoveWord *word, size_t stride,
                  size_t left)
{
    int32_t node = 0;
    for (int ply = 0; ply < t->plies && node >= 0; ply++, word += stride, left--) {
        const ExplorerNumbers one = numbers_of(&game->facts, t->node[node].position.side);
        add_to_node(&t->node[node], game, &one, left > 0 ? word : NULL);
        if (left == 0)
            return;
        const int32_t move = move_of(t, node, *word);
        if (t->move[move].last != game->facts.number)
            add_numbers(&t->move[move].numbers, &one);
        t->move[move].last = game->facts.number;
        node = ply + 1 < t->plies ? node_after(t, node, move) : -1;
    }
}

// ---- sums -------------------------------------------------------------------------------------------------

void explorer_add_all(ExplorerTable *t, ExplorerTable *other)
{
    for (size_t n = 0; n < other->node_count; n++) {
        ExplorerNode *from = &other->node[n];
        const int32_t node = node_of(t, &from->position);
        add_numbers(&t->node[node].numbers, &from->numbers);
        for (int i = 0; i < from->best_count; i++)
            if (!enter(&t->node[node], &from->best[i]))
                free_tags(&from->best[i]);
        from->best_count = 0;
        for (int32_t m = from->move; m >= 0; m = other->move[m].next) {
            const int32_t move = move_of(t, node, other->move[m].word);
            add_numbers(&t->move[move].numbers, &other->move[m].numbers);
            if (other->move[m].node >= 0)
                node_after(t, node, move);
        }
    }
}

// ---- what the numbers say ---------------------------------------------------------------------------------

const char *const explorer_columns[EXPLORER_COLUMNS] = {
    "games", "share", "white", "draws", "black", "score", "rating", "performance", "first_year", "last_year"};

static bool put_share(char out[EXPLORER_CELL], int64_t part, int64_t all)
{
    if (all > 0)
        snprintf(out, EXPLORER_CELL, "%s", ascii_decimal(100.0 * (double)part / (double)all, 1).text);
    return all > 0;
}

static bool put_number(char out[EXPLORER_CELL], bool has_value, int64_t number)
{
    if (has_value)
        snprintf(out, EXPLORER_CELL, "%lld", (long long)number);
    return has_value;
}

static int64_t average(int64_t sum, int64_t count)
{
    return count > 0 ? (2 * sum + count) / (2 * count) : 0;
}

// The rating that would have been expected to score so against the opponents.
static int64_t performance(const ExplorerNumbers *n)
{
    enum { MOST = 800 }; // above or below the opponents
    const double games = (double)n->opposed, score = games > 0 ? (double)n->half_points / (2 * games) : 0;
    const double better = score <= 0 ? -MOST : score >= 1 ? MOST : 400 * log10(score / (1 - score));
    return games > 0 ? llround((double)n->opponents / games + fmax(-MOST, fmin(MOST, better))) : 0;
}

bool explorer_cell(char out[EXPLORER_CELL], int column, const ExplorerNumbers *n, int64_t all, int side,
                   bool percent)
{
    const int64_t known = n->white + n->draws + n->black, result[] = {n->white, n->draws, n->black};
    const int64_t wins = side == WHITE ? n->white : n->black;
    out[0] = 0;
    switch (column) {
    case 0:
        return put_number(out, true, n->games);
    case EXPLORER_SHARE:
        return put_share(out, n->games, all);
    case EXPLORER_RESULTS:
    case EXPLORER_RESULTS + 1:
    case EXPLORER_RESULTS + 2:
        return percent ? put_share(out, result[column - EXPLORER_RESULTS], known)
                       : put_number(out, true, result[column - EXPLORER_RESULTS]);
    case EXPLORER_SCORE:
        return put_share(out, 2 * wins + n->draws, 2 * known);
    case EXPLORER_SCORE + 1:
        return put_number(out, n->rated > 0, average(n->ratings, n->rated));
    case EXPLORER_SCORE + 2:
        return put_number(out, n->opposed > 0, performance(n));
    case EXPLORER_SCORE + 3:
        return put_number(out, n->first_year > 0, n->first_year);
    default:
        return put_number(out, n->last_year > 0, n->last_year);
    }
}

static int compare_moves(const void *a, const void *b)
{
    const ExplorerMove *x = *(const ExplorerMove *const *)a, *y = *(const ExplorerMove *const *)b;
    if (x->numbers.games != y->numbers.games)
        return x->numbers.games < y->numbers.games ? 1 : -1;
    return (int)x->word - (int)y->word;
}

int explorer_moves(const ExplorerTable *t, const ExplorerNode *node, const ExplorerMove *move[EXPLORER_MOVES])
{
    int moves = 0;
    for (int32_t m = node->move; m >= 0 && moves < EXPLORER_MOVES; m = t->move[m].next)
        if (t->move[m].numbers.games >= t->least)
            move[moves++] = &t->move[m];
    qsort(move, (size_t)moves, sizeof *move, compare_moves);
    return moves;
}

int explorer_san(const ExplorerTable *t, const Position *p, MoveWord word, int ply, bool numbered,
                 char out[2 * SAN_MAX])
{
    const int number = t->fullmove + (ply + (t->node->position.side == BLACK)) / 2;
    const int length = p->side == WHITE ? sprintf(out, "%d.", number)
                       : numbered       ? sprintf(out, "%d...", number)
                                        : 0;
    Move move;
    if (!word_move(p, word, &move))
        return length;
    return length + san_write(p, move, out + length);
}
