// The explorer as text and as JSON.
#include <stdio.h>
#include <string.h>

#include "runtime/value/unicode.h"
#include "explorer.h"
#include "text.h"

// ---- text -------------------------------------------------------------------------------------------------

static void put_board(Buffer *out, const Position *p)
{
    for (int rank = 7; rank >= 0; rank--) {
        buffer_format(out, "%d ", rank + 1);
        for (int file = 0; file < 8; file++) {
            const int piece = p->square[8 * rank + file];
            buffer_format(out, " %c", piece == EMPTY ? '.' : fen_letters[piece]);
        }
        buffer_text(out, "\n");
    }
    buffer_text(out, "   a b c d e f g h\n\n");
}

enum { MOVE_WIDTH = 10 };
static const int width[EXPLORER_COLUMNS] = {9, 8, 8, 9, 8, 8, 8, 13, 7, 6};

static void put_row(Buffer *out, const char *name, const ExplorerNumbers *n, int64_t all, int side)
{
    buffer_format(out, "%-*s", MOVE_WIDTH, name);
    for (int i = 0; i < EXPLORER_COLUMNS; i++) {
        char cell[EXPLORER_CELL];
        buffer_format(out, "%*s", width[i], explorer_cell(cell, i, n, all, side, true) ? cell : "-");
    }
    buffer_text(out, "\n");
}

// The rows of the moves at a node, and below each those of the next moves.
static void put_moves(Buffer *out, const ExplorerTable *t, const ExplorerNode *node, int ply)
{
    const ExplorerMove *move[EXPLORER_MOVES];
    const int count = explorer_moves(t, node, move);
    for (int i = 0; i < count; i++) {
        char name[2 * SAN_MAX + 2 * EXPLORER_PLIES];
        const int indent = snprintf(name, sizeof name, "%*s", 2 * ply, "");
        explorer_san(t, &node->position, move[i]->word, ply, true, name + indent);
        put_row(out, name, &move[i]->numbers, node->numbers.games, node->position.side);
        if (move[i]->node >= 0 && ply + 1 < t->plies)
            put_moves(out, t, &t->node[move[i]->node], ply + 1);
    }
}

// A tag on one line.
static void put_tag(Buffer *out, Text tag)
{
    for (size_t i = 0; i < tag.length; i++)
        buffer_append(out, (unsigned char)tag.start[i] < ' ' || tag.start[i] == 0x7F ? " " : tag.start + i,
                      1);
}

void explorer_put_game(Buffer *out, const ExplorerTable *t, const ExplorerNode *node, int ply,
                       const ExplorerGame *g, void (*put)(Buffer *out, Text tag))
{
    const ExplorerFacts *f = &g->facts;
    for (int side = WHITE; side <= BLACK; side++) {
        buffer_text(out, side == WHITE ? "" : " - ");
        put(out, text_of(*g->tag[side] ? g->tag[side] : "?"));
        if (f->rating[side] > 0)
            buffer_format(out, " (%d)", (int)f->rating[side]);
    }
    buffer_format(out, ", %s", result_text(f->result));
    if (*g->tag[EXPLORER_EVENT]) {
        buffer_text(out, ", ");
        put(out, text_of(g->tag[EXPLORER_EVENT]));
    }
    if (f->year > 0)
        buffer_format(out, ", %d", (int)f->year);
    if (g->moves) {
        char san[2 * SAN_MAX];
        explorer_san(t, &node->position, g->word, ply, true, san);
        buffer_format(out, ", %s", san);
    }
    buffer_format(out, ", game %lld", (long long)f->number);
}

static void put_text(Buffer *out, const ExplorerTable *t)
{
    const ExplorerNode *root = &t->node[0];
    const int side = root->position.side;
    char fen[FEN_MAX];
    fen_write(&root->position, (FenClocks){0, t->fullmove}, fen);
    put_board(out, &root->position);
    buffer_format(out, "%s\n%s to move\n\n", fen, side == WHITE ? "White" : "Black");
    if (root->numbers.games == 0) {
        buffer_text(out, "no game reaches this position\n");
        return;
    }
    buffer_format(out, "%-*s", MOVE_WIDTH, "move");
    static const char *const heading[EXPLORER_COLUMNS] = {
        "games", "share", "1-0", "1/2-1/2", "0-1", "score", "rating", "performance", "first", "last"};
    for (int i = 0; i < EXPLORER_COLUMNS; i++)
        buffer_format(out, "%*s", width[i], heading[i]);
    buffer_text(out, "\n");
    put_moves(out, t, root, 0);
    put_row(out, "all", &root->numbers, root->numbers.games, side);
    buffer_text(out, "\nbest-known games\n");
    for (int i = 0; i < root->best_count; i++) {
        const char *link = root->best[i].tag[EXPLORER_LINK];
        explorer_put_game(out, t, root, 0, &root->best[i], put_tag);
        buffer_format(out, "%s%s\n", *link ? ", " : "", link);
    }
}

// ---- JSON -------------------------------------------------------------------------------------------------

static void put_json_numbers(Buffer *out, const ExplorerNumbers *n, int64_t all, int side)
{
    for (int i = 0; i < EXPLORER_COLUMNS; i++) {
        char cell[EXPLORER_CELL];
        buffer_format(out, ",\"%s\":%s", explorer_columns[i],
                      explorer_cell(cell, i, n, all, side, false) ? cell : "null");
    }
}

static void put_json_move(Buffer *out, const Position *p, MoveWord word)
{
    char text[SAN_MAX];
    Move move;
    if (!word_move(p, word, &move))
        return;
    san_write(p, move, text);
    buffer_format(out, "\"san\":\"%s\"", text);
    uci_write(p, move, text);
    buffer_format(out, ",\"uci\":\"%s\"", text);
}

static void put_json_game(Buffer *out, const ExplorerNode *node, const ExplorerGame *g)
{
    static const char *const names[EXPLORER_TAGS] = {"white", "black", "event", "link"};
    static const char *const ratings[] = {"white_elo", "black_elo"};
    const ExplorerFacts *f = &g->facts;
    buffer_format(out, "{\"game\":%lld", (long long)f->number);
    for (int i = 0; i < EXPLORER_TAGS; i++) {
        buffer_format(out, ",\"%s\":", names[i]);
        if (*g->tag[i])
            text_json(out, text_of(g->tag[i]));
        else
            buffer_text(out, "null");
    }
    for (int side = WHITE; side <= BLACK; side++)
        buffer_format(out, f->rating[side] > 0 ? ",\"%s\":%d" : ",\"%s\":null", ratings[side],
                      (int)f->rating[side]);
    buffer_format(out, f->year > 0 ? ",\"result\":\"%s\",\"year\":%d" : ",\"result\":\"%s\",\"year\":null",
                  result_text(f->result), (int)f->year);
    buffer_text(out, g->moves ? ",\"move\":{" : ",\"move\":null");
    if (g->moves)
        put_json_move(out, &node->position, g->word);
    buffer_text(out, g->moves ? "}}" : "}");
}

static void put_json_node(Buffer *out, const ExplorerTable *t, const ExplorerNode *node, int ply)
{
    const ExplorerMove *move[EXPLORER_MOVES];
    const int count = explorer_moves(t, node, move), side = node->position.side;
    char fen[FEN_MAX];
    fen_write(&node->position, (FenClocks){0, t->fullmove + (ply + (t->node->position.side == BLACK)) / 2},
              fen);
    buffer_format(out, "{\"fen\":\"%s\",\"turn\":\"%s\"", fen, side == WHITE ? "white" : "black");
    put_json_numbers(out, &node->numbers, node->numbers.games, side);
    buffer_text(out, ",\"moves\":[");
    for (int i = 0; i < count; i++) {
        buffer_text(out, i > 0 ? ",\n{" : "\n{");
        put_json_move(out, &node->position, move[i]->word);
        put_json_numbers(out, &move[i]->numbers, node->numbers.games, side);
        if (move[i]->node >= 0 && ply + 1 < t->plies) {
            buffer_text(out, ",\"after\":");
            put_json_node(out, t, &t->node[move[i]->node], ply + 1);
        }
        buffer_text(out, "}");
    }
    buffer_text(out, "],\"best\":[");
    for (int i = 0; i < node->best_count; i++) {
        buffer_text(out, i > 0 ? ",\n" : "\n");
        put_json_game(out, node, &node->best[i]);
    }
    buffer_text(out, "]}");
}

void explorer_write(Buffer *out, ExplorerFormat format, const ExplorerTable *t)
{
    if (format == EXPLORER_HTML) {
        explorer_write_html(out, t);
    } else if (format == EXPLORER_JSON) {
        put_json_node(out, t, &t->node[0], 0);
        buffer_text(out, "\n");
    } else {
        put_text(out, t);
    }
}
