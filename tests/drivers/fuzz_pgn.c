// Damages PGN files at random and reads them: nothing may crash, leak or hang, and what must agree must
// agree:
//   - games found one by one, in blocks, and from a stream that delivers few bytes at a time;
//   - each position and what the move makes of the one before it, each move and what is read from its
//   notation;
//   - the main line of a game read alone, and that of its tree;
//   - the tree of a game and the tree of what game_write_pgn made of it.
//
// usage: fuzz_pgn ROUNDS SEED FILE...        (build with -fsanitize=address,undefined)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/game/game.h"

typedef struct Source {
    const char *text;
    size_t length, at, step;
} Source;

static int64_t read_source(void *user, void *buffer, size_t size)
{
    Source *s = user;
    size_t n = s->length - s->at;
    n = n > size ? size : n;
    n = s->step && n > s->step ? s->step : n;
    memcpy(buffer, s->text + s->at, n);
    s->at += n;
    return (int64_t)n;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void fail(const char *what, const char *text, size_t length)
{
    FILE *f = fopen("fuzz_pgn.failed", "wb");
    if (f) {
        fwrite(text, 1, length, f);
        fclose(f);
    }
    fprintf(stderr, "fuzz_pgn: %s; the input is in fuzz_pgn.failed\n", what);
    puts("0 passed, 1 failed");
    exit(1);
}

// Copies all games, found in blocks of `target` bytes (0: one by one), as lines "number offset line
// length\ntext\n".
static Buffer split_all(const char *text, size_t length, size_t step, size_t target)
{
    Source source = {text, length, 0, step};
    PgnSplitter *s = pgn_split_open(read_source, &source, NULL, NULL);
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
static void check_move(const Game *g, int32_t i, const char *text, size_t length)
{
    const Node *n = &g->view.node[i], *parent = &g->view.node[n->parent];
    const Position *before = g->view.position[n->parent];
    Position after;
    pos_make(&after, before, n->move);
    const int check = g->view.position[i]->check;
    if (check != CHECK_UNKNOWN && (check == CHECK_GIVEN) != pos_in_check(&after, after.side))
        fail("a position does not know whether it is a check", text, length);
    after.check = check;
    if (memcmp(&after, g->view.position[i], sizeof after) != 0)
        fail("a position is not what the move makes", text, length);
    if (n->ply != parent->ply + 1 || n->depth != parent->depth + (parent->first_child != i))
        fail("wrong ply or depth", text, length);
    char san[SAN_MAX];
    int end = san_write(before, n->move, san);
    while (end > 0 && (san[end - 1] == '+' || san[end - 1] == '#'))
        end--;
    Move again;
    if (san_parse(before, san, (size_t)end, &again) != SAN_OK || memcmp(&again, &n->move, sizeof again) != 0)
        fail("a move that was written is not read back", text, length);
}

static void check_preorder(const Game *g, const char *text, size_t length)
{
    for (int32_t i = 0; i < g->view.count; i++) {
        const Node *n = &g->view.node[i];
        bool root = i == 0 ? n->parent == -1 : n->parent >= 0 && n->parent < i;
        bool child = n->first_child == -1 ? n->last == i : n->first_child == i + 1 && n->last > i;
        bool sibling = n->next_sibling == -1 || g->view.node[n->next_sibling].parent == n->parent;
        if (!root || !child || !sibling || n->last >= g->view.count)
            fail("the tree is not in preorder", text, length);
        if (i > 0)
            check_move(g, i, text, length);
    }
}

// The main line that was read alone is that of the game, which is not damaged.
static void check_line(const Game *g, const GameLine *line, const char *text, size_t length)
{
    const Position *last = g->view.position[g->view.count - 1];
    bool null_moves = false;
    if (g->damaged || g->skipped || line->count != (size_t)g->ply_count || line->result != g->view.result ||
        memcmp(&line->last, last, sizeof *last) != 0)
        fail("the main line read alone differs", text, length);
    for (size_t i = 0; i < line->count; i++) {
        const Move m = g->view.node[i + 1].move;
        null_moves |= (m.flags & MOVE_NULL) != 0;
        if (line->word[i] != word_of(m))
            fail("a move of the main line read alone differs", text, length);
    }
    if (null_moves != line->null_moves)
        fail("null moves of the main line read alone differ", text, length);
}

// A game that can be packed without its tree has the clocks that its comments have, also after they were packed.
static void check_clocks(Game *g, Game *again, const GameText *game, const char *text, size_t length)
{
    Buffer packed = {0}, words = {0};
    MainLine line;
    game_parse_tags(g, game);
    if (game_read_packed(g, &packed, &words, &line)) {
        packed.length = 0;
        game_pack_clocks(g, &packed);
        const size_t first = packed.length;
        game_parse(g, game, PARSE_CLOCKS, NULL, NULL);
        game_keep_clocks(g);
        game_pack_clocks(g, &packed);
        if (packed.length != 2 * first || memcmp(packed.start, packed.start + first, first) != 0)
            fail("packed clocks differ", text, length);
        game_parse_tags(again, game);
        if (!game_replay(again, PARSE_CLOCKS, (const MoveWord *)words.start, 1, (size_t)g->ply_count, 0) ||
            !game_unpack_clocks(again, (Text){packed.start, first}))
            fail("packed clocks cannot be read", text, length);
        for (int32_t i = 0; i <= g->ply_count; i++)
            if (memcmp(&g->note[i].clocks, &again->note[i].clocks, sizeof g->note[i].clocks) != 0)
                fail("unpacked clocks differ", text, length);
    }
    buffer_free(&packed);
    buffer_free(&words);
}

static void check_games(Game *g, Game *again, const char *text, size_t length, Buffer *out)
{
    GameLine main_line = {0};
    Source source = {text, length, 0, 0};
    PgnSplitter *s = pgn_split_open(read_source, &source, NULL, NULL);
    GameText game;
    while (pgn_split_next(s, &game)) {
        check_clocks(g, again, &game, text, length);
        game_parse_tags(g, &game);
        const bool alone = game_read_line(&main_line, g);
        game_parse(g, &game, 0, NULL, NULL);
        if (alone)
            check_line(g, &main_line, text, length);
        int32_t line = g->view.count;
        int result = g->view.result;
        check_preorder(g, text, length);
        game_parse(g, &game, PARSE_VARIATIONS | PARSE_NOTES | PARSE_CLOCKS, NULL, NULL);
        check_preorder(g, text, length);
        if (line != g->ply_count + 1 || result != g->view.result)
            fail("main line differs with and without variations", text, length);
        out->length = 0;
        game_write_pgn(out, g, NULL);
        if (g->skipped)
            continue;
        GameText written = {{out->start, out->length}, 1, 0, 1};
        game_parse(again, &written, PARSE_VARIATIONS | PARSE_NOTES, NULL, NULL);
        if (!same_tree(g, again) || !same_tags(g, again))
            fail("the written game reads differently", text, length);
    }
    game_line_free(&main_line);
    pgn_split_close(s);
}

static void check(Game *g, Game *again, const char *text, size_t length, Buffer *out)
{
    Buffer a = split_all(text, length, 0, 0), b = split_all(text, length, 997, 0),
           c = split_all(text, length, 0, 1500);
    if (a.length != b.length || (a.length && memcmp(a.start, b.start, a.length) != 0))
        fail("short reads give other games", text, length);
    if (a.length != c.length || (a.length && memcmp(a.start, c.start, a.length) != 0))
        fail("blocks give other games", text, length);
    buffer_free(&a);
    buffer_free(&b);
    buffer_free(&c);
    check_games(g, again, text, length, out);
}

// Changes a few bytes, preferring those that PGN is sensitive to.
static void damage(char *text, size_t length, uint64_t *random)
{
    static const char special[] = "{}()[]\"$;%*\n\r \0.-/!?10NO=+#e";
    size_t changes = 1 + next_random(random) % 8;
    for (size_t i = 0; i < changes && length; i++) {
        size_t at = next_random(random) % length;
        if (next_random(random) % 4)
            text[at] = special[next_random(random) % (sizeof special - 1)];
        else
            text[at] = (char)next_random(random);
    }
}

// Takes a few pieces out.
static size_t shorten(char *text, size_t length, uint64_t *random)
{
    for (int i = 0; i < 3 && length > 4; i++) {
        const size_t at = next_random(random) % (length - 1), rest = length - at;
        const size_t count = 1 + next_random(random) % (rest > 40 ? 40 : rest);
        memmove(text + at, text + at + count, rest - count);
        length -= count;
    }
    return length;
}

// Puts characters in, now and then a long row of one; `text` has room for LENGTHENED more.
enum { LONG_ROW = 300, INSERTIONS = 4, LENGTHENED = INSERTIONS * (LONG_ROW + 1) };
static size_t lengthen(char *text, size_t length, uint64_t *random)
{
    static const char special[] = "{}()[]\"$;%*\n\r \0.-/!?10NO=+#e";
    for (int i = 0; i < INSERTIONS; i++) {
        const size_t at = next_random(random) % (length + 1);
        const size_t count = 1 + (next_random(random) % 8 == 0 ? next_random(random) % LONG_ROW : 0);
        memmove(text + at + count, text + at, length - at);
        memset(text + at, special[next_random(random) % (sizeof special - 1)], count);
        length += count;
    }
    return length;
}

static char *read_file(const char *name, size_t *length)
{
    FILE *f = fopen(name, "rb");
    if (!f)
        return NULL;
    size_t capacity = 1 << 20;
    char *text = malloc(capacity);
    *length = 0;
    for (size_t n; text && (n = fread(text + *length, 1, capacity - *length, f)) > 0;) {
        *length += n;
        if (*length == capacity)
            text = realloc(text, capacity *= 2);
    }
    fclose(f);
    return text;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: fuzz_pgn ROUNDS SEED FILE...\n", stderr);
        return 1;
    }
    uint64_t random = 88172645463325252u ^ strtoull(argv[2], NULL, 10);
    long passed = 0;
    Game g, again;
    Buffer out = {0};
    game_init(&g);
    game_init(&again);
    for (int i = 3; i < argc; i++) {
        size_t length;
        char *text = read_file(argv[i], &length), *copy;
        if (!text) {
            fprintf(stderr, "fuzz_pgn: cannot read %s\n", argv[i]);
            return 1;
        }
        check(&g, &again, text, length, &out);
        for (long round = strtol(argv[1], NULL, 10); round-- > 0;) {
            size_t begin = length ? next_random(&random) % length : 0, rest = length - begin;
            size_t cut = rest ? next_random(&random) % (rest < 20000 ? rest : 20000) : 0;
            copy = malloc(cut + LENGTHENED);
            memcpy(copy, text + begin, cut);
            if (round % 3)
                damage(copy, cut, &random);
            if (round % 5 == 0)
                cut = shorten(copy, cut, &random);
            else if (round % 5 == 1)
                cut = lengthen(copy, cut, &random);
            check(&g, &again, copy, cut, &out);
            passed++;
            free(copy);
        }
        free(text);
    }
    buffer_free(&out);
    game_free(&g);
    game_free(&again);
    printf("%ld passed, 0 failed\n", passed);
    return 0;
}
