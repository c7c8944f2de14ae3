// Games to trees and back. What must agree when PGN is read in different ways:
//   - games found one by one, in blocks, and from a stream that delivers few bytes at a time;
//   - each position and what the move makes of the one before it, each move and what is read from its notation;
//   - the main line of a game read alone, and that of its tree;
//   - the clocks of a game that is packed without its tree, and those of its comments;
//   - the tree of a game and the tree of what game_write_pgn made of it.
#include "fuzz.h"

#include <string.h>

#include "runtime/game/game.h"

// Copies all games, found in blocks of `target` bytes (0: one by one), as lines "number offset line
// length\ntext\n".
static Buffer split_all(const char *text, size_t length, size_t step, size_t target)
{
    FuzzText source = {text, length, 0, step};
    PgnSplitter *s = pgn_split_open(fuzz_read_text, &source, NULL, NULL);
    Buffer b = {0};
    PgnBlock block = {0};
    GameText one;
    while (target ? pgn_split_block(s, target, &block) : pgn_split_next(s, &one)) {
        for (size_t i = 0; i < (target ? block.count : 1); i++) {
            const GameText *g = target ? &block.game[i] : &one;
            buffer_format(&b, "%lld %llu %llu %zu\n", (long long)g->number, (unsigned long long)g->offset,
                          (unsigned long long)g->line, g->text.length);
            buffer_append(&b, g->text.start, g->text.length);
            buffer_text(&b, "\n");
        }
        if (target)
            pgn_block_free(&block);
    }
    pgn_split_close(s);
    return b;
}

static bool same_text(Text a, Text b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.start, b.start, a.length) == 0);
}

// The next tag that has no part in names and ratings: a rating in a name becomes a tag, and what stood before
// it may be another one.
static const Tag *next_tag(const Tag *tag, const Tag *end)
{
    while (tag < end && tag->name.length >= 5 &&
           (memcmp(tag->name.start, "White", 5) == 0 || memcmp(tag->name.start, "Black", 5) == 0))
        tag++;
    return tag;
}

static bool same_tags(const Game *a, const Game *b)
{
    size_t count, again;
    const Tag *x = game_written_tags(a, NULL, 0, &count), *y = game_written_tags(b, NULL, 0, &again);
    for (const Tag *x_end = x + count, *y_end = y + again;; x++, y++) {
        x = next_tag(x, x_end);
        y = next_tag(y, y_end);
        if (x == x_end || y == y_end)
            return x == x_end && y == y_end;
        if (!same_text(x->name, y->name) || !same_text(x->value, y->value))
            return false;
    }
}

static bool same_tree(const Game *a, const Game *b)
{
    if (a->view.count != b->view.count || a->view.result != b->view.result)
        return false;
    for (int32_t i = 0; i < a->view.count; i++) {
        const Node *m = &a->view.node[i], *n = &b->view.node[i];
        if (memcmp(m, n, sizeof *m) != 0 ||
            memcmp(a->view.position[i], b->view.position[i], sizeof(Position)) != 0)
            return false;
        const Note *x = &a->note[i], *y = &b->note[i];
        if (!same_text(x->comment, y->comment) || !same_text(x->start_comment, y->start_comment) ||
            x->nag_count != y->nag_count || memcmp(x->nag, y->nag, x->nag_count) != 0)
            return false;
    }
    return true;
}

// Each node is what its move makes of its parent, and the move can be written and read back.
static void check_move(const Game *g, int32_t i)
{
    const Node *n = &g->view.node[i], *parent = &g->view.node[n->parent];
    const Position *before = g->view.position[n->parent];
    Position after;
    pos_make(&after, before, n->move);
    const int check = g->view.position[i]->check;
    if (check != CHECK_UNKNOWN && (check == CHECK_GIVEN) != pos_in_check(&after, after.side))
        fuzz_fail("a position does not know whether it is a check");
    after.check = check;
    if (memcmp(&after, g->view.position[i], sizeof after) != 0)
        fuzz_fail("a position is not what the move makes");
    if (n->ply != parent->ply + 1 || n->depth != parent->depth + (parent->first_child != i))
        fuzz_fail("wrong ply or depth");
    char san[SAN_MAX];
    int end = san_write(before, n->move, san);
    while (end > 0 && (san[end - 1] == '+' || san[end - 1] == '#'))
        end--;
    Move again;
    if (san_parse(before, san, (size_t)end, &again) != SAN_OK || memcmp(&again, &n->move, sizeof again) != 0)
        fuzz_fail("a move that was written is not read back");
}

static void check_preorder(const Game *g)
{
    for (int32_t i = 0; i < g->view.count; i++) {
        const Node *n = &g->view.node[i];
        bool root = i == 0 ? n->parent == -1 : n->parent >= 0 && n->parent < i;
        bool child = n->first_child == -1 ? n->last == i : n->first_child == i + 1 && n->last > i;
        bool sibling = n->next_sibling == -1 || g->view.node[n->next_sibling].parent == n->parent;
        if (!root || !child || !sibling || n->last >= g->view.count)
            fuzz_fail("the tree is not in preorder");
        if (i > 0)
            check_move(g, i);
    }
}

// The main line that was read alone is that of the game, which is not damaged.
static void check_line(const Game *g, const GameLine *line)
{
    const Position *last = g->view.position[g->view.count - 1];
    bool null_moves = false;
    if (g->damaged || g->skipped || line->count != (size_t)g->ply_count || line->result != g->view.result ||
        memcmp(&line->last, last, sizeof *last) != 0)
        fuzz_fail("the main line read alone differs");
    for (size_t i = 0; i < line->count; i++) {
        const Move m = g->view.node[i + 1].move;
        null_moves |= (m.flags & MOVE_NULL) != 0;
        if (line->word[i] != word_of(m))
            fuzz_fail("a move of the main line read alone differs");
    }
    if (null_moves != line->null_moves)
        fuzz_fail("null moves of the main line read alone differ");
}

// The text of a game that was packed without its tree comes out again.
static void check_packed(const Game *g, Game *again, const Buffer *packed, const Buffer *words,
                         const MainLine *line)
{
    Buffer clocks = {0}, out = {0};
    const size_t plies = (size_t)line->plies, movetext = game_movetext_start(g);
    const Text source = g->source.text;
    game_pack_clocks(g, &clocks);
    const NoteClocks *values =
        line->clock_codes ? game_clock_values(again, (Text){clocks.start, clocks.length}, plies) : NULL;
    if (!game_unpack(&out, (Text){packed->start, packed->length}, &pos_start, g->clocks,
                     (const MoveWord *)words->start, 1, plies, values) ||
        out.length != source.length - movetext || memcmp(out.start, source.start + movetext, out.length) != 0)
        fuzz_fail("packed text differs");
    buffer_free(&clocks);
    buffer_free(&out);
}

// A game that can be packed without its tree has the clocks that its comments have, also after they were packed.
static void check_clocks(Game *g, Game *again, const GameText *game)
{
    Buffer packed = {0}, words = {0};
    MainLine line;
    game_parse_tags(g, game);
    if (game_read_packed(g, &packed, &words, &line)) {
        check_packed(g, again, &packed, &words, &line);
        packed.length = 0;
        game_pack_clocks(g, &packed);
        const size_t first = packed.length;
        game_parse(g, game, PARSE_CLOCKS, NULL, NULL);
        game_keep_clocks(g);
        game_pack_clocks(g, &packed);
        if (packed.length != 2 * first || memcmp(packed.start, packed.start + first, first) != 0)
            fuzz_fail("packed clocks differ");
        game_parse_tags(again, game);
        if (!game_replay(again, PARSE_CLOCKS, (const MoveWord *)words.start, 1, (size_t)g->ply_count, 0) ||
            !game_unpack_clocks(again, (Text){packed.start, first}))
            fuzz_fail("packed clocks cannot be read");
        for (int32_t i = 0; i <= g->ply_count; i++)
            if (memcmp(&g->note[i].clocks, &again->note[i].clocks, sizeof g->note[i].clocks) != 0)
                fuzz_fail("unpacked clocks differ");
    }
    buffer_free(&packed);
    buffer_free(&words);
}

static void check_each(Game *g, Game *again, const char *text, size_t length, Buffer *out)
{
    GameLine main_line = {0};
    FuzzText source = {text, length, 0, 0};
    PgnSplitter *s = pgn_split_open(fuzz_read_text, &source, NULL, NULL);
    GameText game;
    while (pgn_split_next(s, &game)) {
        check_clocks(g, again, &game);
        game_parse_tags(g, &game);
        const bool alone = game_read_line(&main_line, g);
        game_parse(g, &game, 0, NULL, NULL);
        if (alone)
            check_line(g, &main_line);
        int32_t line = g->view.count;
        int result = g->view.result;
        check_preorder(g);
        game_parse(g, &game, PARSE_VARIATIONS | PARSE_NOTES | PARSE_CLOCKS, NULL, NULL);
        check_preorder(g);
        if (line != g->ply_count + 1 || result != g->view.result)
            fuzz_fail("main line differs with and without variations");
        out->length = 0;
        game_write_pgn(out, g, NULL);
        if (g->skipped)
            continue;
        GameText written = {{out->start, out->length}, 1, 0, 1};
        game_parse(again, &written, PARSE_VARIATIONS | PARSE_NOTES, NULL, NULL);
        if (!same_tree(g, again) || !same_tags(g, again))
            fuzz_fail("the written game reads differently");
    }
    game_line_free(&main_line);
    pgn_split_close(s);
}

static bool same_bytes(Buffer a, Buffer b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.start, b.start, a.length) == 0);
}

void fuzz_pgn(const uint8_t *data, size_t size)
{
    static Game game, again; // what was read before must not matter
    static Buffer out;
    const char *text = size ? (const char *)data : "";
    if (!out.start) {
        game_init(&game);
        game_init(&again);
        buffer_append(&out, "", 1);
    }
    Buffer a = split_all(text, size, 0, 0), b = split_all(text, size, 997, 0),
           c = split_all(text, size, 0, 1500);
    if (!same_bytes(a, b))
        fuzz_fail("short reads give other games");
    if (!same_bytes(a, c))
        fuzz_fail("blocks give other games");
    buffer_free(&a);
    buffer_free(&b);
    buffer_free(&c);
    check_each(&game, &again, text, size, &out);
}
