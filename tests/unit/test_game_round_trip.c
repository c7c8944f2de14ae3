// Random trees written in the many ways in which PGN can be written: what is read must be the tree, and what
// game_write_pgn makes of it must read as the same tree again (language reference 9.4, 9.5, 10.2).
#include "test_game.h"

#include "runtime/value/unicode.h"

enum { GAMES = 600, MAX_NODES = 90, GLYPHS = 7, COMMENT_MAX = 160 };

// One node of the tree as it is meant to be read; node 0 is the root.
typedef struct Made {
    int parent, first_child, next_sibling, last_child;
    Position position;
    Move move;
    int glyph[GLYPHS], glyphs;
    char comment[COMMENT_MAX], start_comment[COMMENT_MAX]; // in their normal form; empty: none
} Made;

typedef struct Maker {
    Made node[MAX_NODES];
    int count;
    FenClocks clocks;
    const char *fen; // NULL: the array
    Buffer text, all;
    uint64_t random;
} Maker;

static const char *const starts[] = {
    NULL,
    NULL,
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 3 9",
    "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 40",
    "4k3/8/8/1pPp4/8/8/8/4K3 w - d6 0 30",
    "bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w CFcf - 0 1",
    "1rk4r/pppp1ppp/8/8/8/8/PPPP1PPP/1RK4R b HBhb - 2 7",
    "4k3/8/8/8/8/8/4r3/1R2K1RR w G - 0 1",
};

static uint32_t below(Maker *m, uint32_t limit)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return (uint32_t)(m->random >> 33) % limit;
}

// ---- the tree ---------------------------------------------------------------------------------------------

// A comment in its normal form. Inner braces are made when it is written.
static void make_comment(Maker *m, char out[COMMENT_MAX])
{
    static const char *const words[] = {"a",   "better",      "[Event", "\"x\"]",  "%eval",    "1-0",
                                        "*",   "e4",          "(",      ")",       "_mate_in", "$1",
                                        ";",   "caf\xC3\xA9", "--",     "\xA0",    "[%clk",    "0:01]",
                                        "12.", "!",           "N",      "1/2-1/2", "_"};
    out[0] = 0;
    for (uint32_t i = below(m, 12) + 1; i > 0; i--) {
        const char *word = words[below(m, sizeof words / sizeof *words)];
        if (out[0])
            strcat(out, " ");
        strcat(out, word);
    }
}

static void add_node(Maker *m, int parent)
{
    Made *p = &m->node[parent], *n = &m->node[m->count];
    Move moves[MAX_MOVES];
    const int legal = pos_legal_moves(&p->position, moves);
    if (legal == 0 && below(m, 4))
        return;
    *n = (Made){.parent = parent, .first_child = -1, .next_sibling = -1, .last_child = -1};
    n->move =
        legal == 0 || below(m, 12) == 0 ? pos_null_move(&p->position) : moves[below(m, (uint32_t)legal)];
    pos_make(&n->position, &p->position, n->move);
    for (n->glyphs = 0; n->glyphs < GLYPHS && below(m, 3) == 0; n->glyphs++)
        n->glyph[n->glyphs] = 1 + (int)below(m, 255);
    if (below(m, 4) == 0)
        make_comment(m, n->comment);
    if (p->first_child < 0) {
        p->first_child = m->count;
    } else {
        m->node[p->last_child].next_sibling = m->count;
        if (below(m, 3) == 0)
            make_comment(m, n->start_comment);
    }
    p->last_child = m->count++;
}

static void make_tree(Maker *m)
{
    Made *root = &m->node[0];
    m->fen = starts[below(m, sizeof starts / sizeof *starts)];
    m->clocks = (FenClocks){0, 1};
    *root =
        (Made){.parent = -1, .first_child = -1, .next_sibling = -1, .last_child = -1, .position = pos_start};
    if (m->fen)
        assert_null(fen_parse(m->fen, strlen(m->fen), &root->position, &m->clocks));
    if (below(m, 2))
        make_comment(m, root->comment);
    m->count = 1;
    for (int tries = 1 + (int)below(m, MAX_NODES - 1); tries > 0; tries--)
        add_node(m, below(m, 4) ? m->count - 1 : (int)below(m, (uint32_t)m->count));
}

// ---- its text ---------------------------------------------------------------------------------------------

static void put_white(Maker *m)
{
    static const char *const white[] = {" ",           " ",   "\n", "\r\n", "\t", "  ", " ; * ignored }\n",
                                        "\n% 1-0 {\n", "\xA0"};
    buffer_text(&m->text, white[below(m, sizeof white / sizeof *white)]);
}

// Writes a normal comment with other white space and with braces for its underscores.
static void put_comment(Maker *m, const char *normal)
{
    static const char *const white[] = {" ", " ", "\n", "\r\n", " \t ", "\n\n"};
    // a move or a tag line would end a comment with inner braces
    const bool nest = !strstr(normal, "e4") && !strchr(normal, '"');
    bool open = false;
    if (!normal[0])
        return;
    put_white(m);
    if (below(m, 5) == 0)
        buffer_text(&m->text, "{ }{}"); // no comments
    buffer_text(&m->text, below(m, 2) ? "{" : "{ ");
    for (const char *p = normal; *p; p++) {
        if (nest && *p == '_' && (open || strchr(p + 1, '_'))) {
            open = !open;
            buffer_text(&m->text, open ? "{" : "}");
        } else if (*p == ' ' && !open && below(m, 10) == 0) {
            buffer_text(&m->text, "}"); // another comment of the same position
            put_white(m);
            buffer_text(&m->text, "{");
        } else if (*p == ' ') {
            buffer_text(&m->text, white[below(m, sizeof white / sizeof *white)]);
        } else {
            buffer_append(&m->text, p, 1);
        }
    }
    buffer_text(&m->text, below(m, 2) ? "}" : "\n}");
}

static void put_glyphs(Maker *m, const Made *n)
{
    for (int i = 0; i < n->glyphs; i++) {
        if (below(m, 2))
            put_white(m);
        buffer_format(&m->text, "$%d", n->glyph[i]);
    }
}

// A move with its number, or without, or with a wrong one; returns whether its comment is still to be
// written.
static bool put_move(Maker *m, int id)
{
    const Made *n = &m->node[id];
    const Position *before = &m->node[n->parent].position;
    char move[SAN_MAX];
    put_white(m);
    if (before->side == WHITE || below(m, 2))
        buffer_format(&m->text, below(m, 2) ? "%d." : "%d...", 1 + (int)below(m, 60));
    // a null move and the castling of Chess960 have no coordinates
    const bool coordinates =
        !(n->move.flags & (MOVE_NULL | MOVE_CASTLE)) && !n->move.promoted && below(m, 4) == 0;
    if (coordinates)
        uci_write(before, n->move, move);
    else
        san_write(before, n->move, move);
    buffer_text(&m->text, move);
    const bool early = below(m, 2);
    if (early)
        put_comment(m, n->comment);
    put_glyphs(m, n);
    return !early;
}

// The line that begins with node `id`, its first move excepted. A variation may be inside the one before
// it, after its first move; it is still an alternative to that move (6.17).
static void put_line(Maker *m, int id);

static void put_variations(Maker *m, int id)
{
    if (id < 0)
        return;
    const bool inside = below(m, 4) == 0;
    put_white(m);
    buffer_text(&m->text, "(");
    put_comment(m, m->node[id].start_comment);
    const bool late = put_move(m, id);
    if (inside)
        put_variations(m, m->node[id].next_sibling);
    if (late)
        put_comment(m, m->node[id].comment);
    put_line(m, id);
    buffer_text(&m->text, below(m, 2) ? ")" : " )");
    if (!inside)
        put_variations(m, m->node[id].next_sibling);
}

static void put_line(Maker *m, int id)
{
    for (id = m->node[id].first_child; id >= 0; id = m->node[id].first_child) {
        const bool late = put_move(m, id);
        if (below(m, 8) == 0)
            buffer_text(&m->text, " ({no move} $3)");
        put_variations(m, m->node[id].next_sibling);
        if (late)
            put_comment(m, m->node[id].comment);
    }
}

static void put_game(Maker *m, int number)
{
    m->text.length = 0;
    buffer_format(&m->text, "[Event \"Round trip %d\"]\n[Note \"a \"b\" \\ c\"]\n", number);
    if (m->fen)
        buffer_format(&m->text, "[FEN \"%s\"]\n", m->fen);
    put_comment(m, m->node[0].comment);
    put_line(m, 0);
    put_white(m);
    buffer_text(&m->text, "1-0");
}

// ---- what is read -----------------------------------------------------------------------------------------

static void assert_same_text(Text got, const char *expected)
{
    assert_int_equal(got.length, strlen(expected));
    assert_memory_equal(got.length ? got.start : "", expected, got.length);
}

// Compares the game with the tree; its nodes are in preorder.
static void assert_read(const Maker *m, const Game *g)
{
    int made = 0, id = 0, place[MAX_NODES];
    assert_int_equal(g->view.count, m->count);
    for (;; id++) {
        const Made *n = &m->node[made];
        const Note *note = &g->note[id];
        place[made] = id;
        Position position = n->position;
        pos_find_check(&position);
        assert_memory_equal(g->view.position[id], &position, sizeof position);
        assert_int_equal(g->view.node[id].parent, n->parent < 0 ? -1 : place[n->parent]);
        if (id > 0)
            assert_memory_equal(&g->view.node[id].move, &n->move, sizeof n->move);
        Buffer utf8 = {0};
        unicode_append(&utf8, n->comment, strlen(n->comment));
        buffer_text(&utf8, "");
        assert_int_equal(note->comment.length, utf8.length);
        assert_true(utf8.length == 0 || memcmp(note->comment.start, utf8.start, utf8.length) == 0);
        buffer_free(&utf8);
        assert_same_text(note->start_comment, n->start_comment);
        assert_int_equal(note->nag_count, n->glyphs);
        for (int i = 0; i < n->glyphs; i++)
            assert_int_equal(note->nag[i], n->glyph[i]);
        if (n->first_child >= 0) {
            made = n->first_child;
            continue;
        }
        while (made > 0 && m->node[made].next_sibling < 0)
            made = m->node[made].parent;
        if (made == 0)
            break;
        made = m->node[made].next_sibling;
    }
    assert_int_equal(id + 1, m->count);
    assert_int_equal(g->view.result, RESULT_WHITE);
}

static void read_text(Game *g, const Buffer *text)
{
    GameText source = {{text->start, text->length}, 1, 0, 1};
    reports[0] = 0;
    game_parse(g, &source, PARSE_VARIATIONS | PARSE_NOTES, keep_report, NULL);
    if (reports[0])
        fail_msg("%s: %.*s", reports, (int)text->length, text->start);
}

static int64_t read_all(void *user, void *buffer, size_t size)
{
    Buffer *b = user;
    const size_t n = b->length < size ? b->length : size;
    memcpy(buffer, b->start, n);
    memmove(b->start, b->start + n, b->length - n);
    b->length -= n;
    return (int64_t)n;
}

static void test_round_trip(void **state)
{
    (void)state;
    static Maker m = {.random = 88172645463325252u};
    Game game, again;
    Buffer written = {0}, second = {0};
    GameText found;
    game_init(&game);
    game_init(&again);
    for (int i = 1; i <= GAMES; i++) {
        make_tree(&m);
        put_game(&m, i);
        read_text(&game, &m.text);
        assert_read(&m, &game);
        written.length = second.length = 0;
        game_write_pgn(&written, &game, NULL);
        read_text(&again, &written);
        assert_read(&m, &again);
        game_write_pgn(&second, &again, NULL);
        assert_int_equal(written.length, second.length);
        assert_memory_equal(written.start, second.start, written.length);
        buffer_append(&m.all, written.start, written.length);
    }
    PgnSplitter *s = pgn_split_open(read_all, &m.all, NULL, NULL);
    for (uint64_t end = 0; pgn_split_next(s, &found);
         end = found.offset + found.text.length + strlen("\n\n\n"))
        assert_int_equal(found.offset, end);
    assert_int_equal(found.number, GAMES);
    pgn_split_close(s);
    buffer_free(&written);
    buffer_free(&second);
    buffer_free(&m.text);
    buffer_free(&m.all);
    game_free(&game);
    game_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
