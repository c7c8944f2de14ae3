// The format list: what people read on a terminal. A line has the game, its players, year and result, a match and its comment; further
// matches of the game follow without the game. Widths do not depend on what is found, so lines can be written as games come.
#include <stdio.h>
#include <string.h>

#include "runtime/value/terminal.h"
#include "runtime/value/unicode.h"
#include "found.h"
#include "text.h"
#include "writers.h"

enum {
    GAME_WIDTH = 7,
    YEAR_WIDTH = 4,
    RESULT_WIDTH = 3,
    MOVE_WIDTH = 12,
    LEAST_QUERY = 5,
    MOST_QUERY = 16,
    FIXED_WIDTH =
        GAME_WIDTH + YEAR_WIDTH + RESULT_WIDTH + MOVE_WIDTH + 2 * 5, // with the spaces between columns
    LEAST_PLAYERS = 9,
    MOST_PLAYERS = 44,
    LEAST_COMMENT = 8,
    USUAL_WIDTH = 120, // where there is no terminal
    MOST_MATCHES = 5   // of a game
};

// The widths of columns; query is 0 when there is one query.
typedef struct Widths {
    size_t players, query, comment;
} Widths;

static Widths find_widths(const Matcher *matcher, int width)
{
    Widths w = {0};
    for (uint32_t q = 0; q < matcher->query_count && matcher->query_count > 1; q++) {
        const size_t length = unicode_columns(matcher->query[q].name, strlen(matcher->query[q].name));
        w.query = length > w.query ? length : w.query;
    }
    w.query = w.query == 0            ? 0
              : w.query < LEAST_QUERY ? LEAST_QUERY
              : w.query > MOST_QUERY  ? MOST_QUERY
                                      : w.query;
    const int rest = (width > 0 ? width : USUAL_WIDTH) - FIXED_WIDTH - (int)w.query - (w.query > 0 ? 2 : 0);
    const int share = rest * 3 / 4,
              most = rest - LEAST_COMMENT < MOST_PLAYERS ? rest - LEAST_COMMENT : MOST_PLAYERS;
    const int players = share < most ? share : most;
    w.players = players < LEAST_PLAYERS ? LEAST_PLAYERS : (size_t)players;
    w.comment = rest < (int)w.players + LEAST_COMMENT ? LEAST_COMMENT : (size_t)rest - w.players;
    return w;
}

// A cell and the space after it.
static void put_cell(Buffer *out, const char *text, size_t length, size_t width, bool right)
{
    text_cell(out, (Text){text, length}, width, right);
    buffer_text(out, "  ");
}

static void put_text(Buffer *out, const char *text, size_t width, bool right)
{
    put_cell(out, text, strlen(text), width, right);
}

// Ends a line without spaces at its end.
static void end_line(Buffer *out)
{
    while (out->length > 0 && out->start[out->length - 1] == ' ')
        out->length--;
    buffer_text(out, "\n");
}

void write_list_header(Buffer *out, const FormatSearch *search)
{
    const Widths w = find_widths(search->matcher, search->width);
    put_text(out, "game", GAME_WIDTH, true);
    put_text(out, "players", w.players, false);
    put_text(out, "year", YEAR_WIDTH, false);
    put_text(out, "", RESULT_WIDTH, false);
    if (w.query > 0)
        put_text(out, "query", w.query, false);
    put_text(out, "match", MOVE_WIDTH, false);
    put_text(out, "comment", w.comment, false);
    end_line(out);
}

// ---- the game ---------------------------------------------------------------------------------------------

// Both names; when they are too long, the longer one is cut first.
static void put_players(Buffer *out, const FormatMemory *m, size_t width)
{
    Buffer white = {0}, black = {0}, both = {0};
    const Text names[] = {found_tag(m, "White"), found_tag(m, "Black")};
    text_line(&white, names[0].start, names[0].length);
    text_line(&black, names[1].start, names[1].length);
    const size_t room = width - 3;
    size_t a = unicode_columns(white.start, white.length), b = unicode_columns(black.start, black.length);
    if (a + b > room && b <= room / 2)
        a = room - b;
    else if (a + b > room) {
        a = a < room - room / 2 ? a : room - room / 2;
        b = room - a;
    }
    text_cell(&both, (Text){white.start, white.length}, a, false);
    buffer_text(&both, " – ");
    text_cell(&both, (Text){black.start, black.length}, b, false);
    put_cell(out, both.start, both.length, width, false);
    buffer_free(&white);
    buffer_free(&black);
    buffer_free(&both);
}

static void put_game(Buffer *out, const FoundGame *g, const FormatMemory *m, const Widths *w)
{
    char number[24];
    const Text date = found_tag(m, "Date");
    snprintf(number, sizeof number, "%lld", (long long)g->number);
    put_text(out, number, GAME_WIDTH, true);
    put_players(out, m, w->players);
    const bool dated = date.length > YEAR_WIDTH && date.start[0] >= '0' && date.start[0] <= '9';
    put_cell(out, date.start, dated ? YEAR_WIDTH : 0, YEAR_WIDTH, false);
    put_text(out, typeset_result(g), RESULT_WIDTH, false);
}

// ---- a match ----------------------------------------------------------------------------------------------

// The move that the query finds at the position, or else the one that leads there.
static void put_move(Buffer *out, const FoundGame *g, int32_t id)
{
    const GameView *view = &g->game->view;
    char move[SAN_MAX], text[SAN_MAX + 16] = "";
    int32_t shown = id;
    if (found_moves(g, id, &shown, 1) == 0)
        shown = id;
    if (shown > 0) {
        const Position *before = view->position[view->node[shown].parent];
        const int length = view_san(view, shown, move);
        snprintf(text, sizeof text, "%d%s%.*s", found_move_number(g, shown),
                 before->side == WHITE ? "." : "...", length, move);
    }
    put_text(out, text, MOVE_WIDTH, false);
}

static void write_harmless(Buffer *out, Text text)
{
    text_line(out, text.start, text.length);
}

// The values of sort keys, with the first match of a game; then the comment without its commands.
static void put_comment(Buffer *out, const FoundGame *g, FormatMemory *m, const Found *found, int32_t match,
                        size_t width)
{
    Buffer text = {0}, words = {0};
    for (int32_t k = 0; k < found->query->sort_key_count && match == 0; k++) {
        write_harmless(&text, text_of(found->query->sort_key[k].name));
        buffer_text(&text, ": ");
        found_sort_value(&text, &found->result->sort[k], write_harmless, "none");
        buffer_text(&text, "  ");
    }
    text_without_commands(&words, found_comment(m, g, found->result->hit[match]));
    write_harmless(&text, (Text){words.start, words.length});
    put_cell(out, text.start, text.length, width, false);
    buffer_free(&text);
    buffer_free(&words);
}

void write_list(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    const Widths w = find_widths(g->matcher, g->width);
    const size_t game_width = GAME_WIDTH + w.players + YEAR_WIDTH + RESULT_WIDTH + 2 * 4;
    FoundGame own = *g; // with one query
    own.count = 1;
    for (size_t i = 0; i < g->count; i++) {
        const Found *found = own.found = &g->found[i];
        const int32_t count = found->result->hit_count;
        fields_begin(g, m, found);
        for (int32_t k = 0; k == 0 || (k < count && k <= MOST_MATCHES); k++) {
            if (k == 0)
                put_game(out, g, m, &w);
            else
                text_cell(out, (Text){"", 0}, game_width, false);
            if (w.query > 0)
                put_text(out, k == 0 ? found->query->name : "", w.query, false);
            if (k == MOST_MATCHES && count > MOST_MATCHES + 1) {
                buffer_format(out, "… %d more", (int)(count - k));
            } else if (count > 0) { // else the game matches because none of its positions does
                put_move(out, &own, found->result->hit[k]);
                put_comment(out, g, m, found, k, w.comment);
            }
            end_line(out);
        }
    }
}
