// CQL 3 (language reference 12): transformation sets and the edge rule, copies of lists, messages, and whole
// queries run over small games. The expected numbers are those that the reference states, or were counted on
// the board.
#include <stdio.h>
#include <stdlib.h>

#include "compiler/back/interp.h"
#include "compiler/front/cql3/internal.h"
#include "compiler/middle/lower/lower.h"
#include "compiler/middle/transform/transforms.h"
#include "compiler/middle/optimise/optimise.h"
#include "run_fixture.h"

// ---- helpers ----------------------------------------------------------------------------------------------

typedef struct Parsed {
    Arena *arena;
    Source source;
    Diagnostics diagnostics;
    Query *query; // NULL: refused
} Parsed;

// The query is the contents of the match list.
static void parse(Parsed *p, const char *match, int variations)
{
    const ParseOptions options = {.variations = variations};
    p->arena = arena_new();
    const char *text = arena_printf(p->arena, "(match %s)", match);
    p->source = (Source){"test", text, strlen(text), NULL};
    p->diagnostics = (Diagnostics){.arena = p->arena, .source = &p->source};
    p->query = parse_cql3(p->arena, &p->source, &options, &p->diagnostics);
}

static void refuses_text(const char *text, const char *message)
{
    Parsed p = {.arena = arena_new()};
    const ParseOptions options = {.variations = -1};
    p.source = (Source){"test", text, strlen(text), NULL};
    p.diagnostics = (Diagnostics){.arena = p.arena, .source = &p.source};
    assert_null(parse_cql3(p.arena, &p.source, &options, &p.diagnostics));
    assert_true(p.diagnostics.errors > 0);
    if (p.diagnostics.errors > 1)
        fail_msg("`%s` also says\n  %s", text, p.diagnostics.list[1].message);
    if (strcmp(p.diagnostics.list[0].message, message) != 0)
        fail_msg("`%s` says\n  %s\nnot\n  %s", text, p.diagnostics.list[0].message, message);
    arena_free(p.arena);
}

static Module *compile(Parsed *p, int variations)
{
    const LowerOptions options = {.optimize = true, .variations = variations};
    assert_true(transform_query(p->query, &p->diagnostics));
    Module *module = lower_query(p->query, &options, &p->diagnostics);
    assert_non_null(module);
    optimise(module, NULL, NULL);
    assert_null(ir_verify(module));
    return module;
}

static void play(Fixture *f, const char *pgn)
{
    const GameText source = {{pgn, strlen(pgn)}, 1, 0, 1};
    const bool variations = (f->query.flags & QUERY_VARIATIONS) != 0;
    fixture_open(f);
    game_init(&f->game);
    game_parse(&f->game, &source, (variations ? PARSE_VARIATIONS : 0) | PARSE_NOTES, NULL, NULL);
    f->game.view.number = 1;
    run_game(f->run, &f->game, &f->result);
    if (f->result.error != NULL)
        fail_msg("%s", f->result.error);
}

// The matching positions must be those of `expected`, numbers with blanks between them.
static void check(const char *match, const char *pgn, int variations, const char *expected, int line)
{
    Parsed p;
    parse(&p, match, variations);
    if (p.query == NULL)
        fail_msg("line %d: `%s`: %s", line, match, p.diagnostics.list[0].message);
    Module *module = compile(&p, variations);
    const Matcher *matcher = interp_new(&module, 1);
    Fixture f = {.query = matcher->query[0]};
    play(&f, pgn);
    char got[400] = "";
    size_t length = 0;
    for (int i = 0; f.result.matched && i < f.result.hit_count && length < sizeof got; i++)
        length += (size_t)snprintf(got + length, sizeof got - length, i > 0 ? " %d" : "%d", f.result.hit[i]);
    if (strcmp(got, expected) != 0)
        fail_msg("line %d: `%s` matches at \"%s\", expected \"%s\"", line, match, got, expected);
    fixture_close(&f);
    interp_free(matcher);
    arena_free(p.arena);
}

#define MATCHES(match, pgn, expected) check(match, pgn, -1, expected, __LINE__)
#define FEN(fen) "[SetUp \"1\"]\n[FEN \"" fen "\"]\n\n*"

// ---- maps (12.6) ------------------------------------------------------------------------------------------

static Bitboard set_of(const char *squares)
{
    Bitboard set = 0;
    for (; *squares != '\0'; squares += 2 + (squares[2] == ' '))
        set |= SQ(squares);
    return set;
}

static Cql3Sets bit(Keyword keyword)
{
    return 1u << (keyword - OP_CQL3_FLIPHORIZONTAL);
}

static void test_numbers_of_maps(void **state)
{
    static const struct {
        Keyword keyword[3];
        int count;
    } sets[] = {{{OP_CQL3_FLIPHORIZONTAL}, 2},
                {{OP_CQL3_FLIPVERTICAL, OP_CQL3_FLIPHORIZONTAL}, 4},
                {{OP_CQL3_FLIPDIAGONAL}, 2},
                {{OP_CQL3_FLIPDIAGONAL, OP_CQL3_FLIPVERTICAL}, 8},
                {{OP_CQL3_FLIP}, 8},
                {{OP_CQL3_FLIPDIHEDRAL}, 8},
                {{OP_CQL3_FLIPCOLOR}, 2},
                {{OP_CQL3_FLIP, OP_CQL3_FLIPCOLOR}, 16},
                {{OP_CQL3_SHIFTHORIZONTAL}, 15},
                {{OP_CQL3_SHIFTVERTICAL}, 15},
                {{OP_CQL3_SHIFTMAINDIAGONAL}, 15},
                {{OP_CQL3_SHIFTDIAGONAL}, 29},
                {{OP_CQL3_SHIFT}, 225},
                {{OP_CQL3_SHIFTHORIZONTAL, OP_CQL3_SHIFTVERTICAL}, 225},
                {{OP_CQL3_SHIFT, OP_CQL3_FLIP}, 1568},
                {{OP_CQL3_SHIFT, OP_CQL3_FLIP, OP_CQL3_FLIPCOLOR}, 3136}};
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        Arena *arena = arena_new();
        Cql3Sets all = 0;
        for (int k = 0; k < 3; k++)
            all |= sets[i].keyword[k] != 0 ? bit(sets[i].keyword[k]) : 0;
        assert_int_equal(cql3_maps(arena, all).count, sets[i].count);
        arena_free(arena);
    }
}

// Some member of the set maps the squares so.
static bool has_image(Keyword keyword, Bitboard squares, Bitboard image)
{
    Arena *arena = arena_new();
    const Cql3Maps maps = cql3_maps(arena, bit(keyword));
    bool found = false;
    for (int i = 0; i < maps.count && !found; i++)
        found = cql3_map_squares(&maps.map[i], squares) == image;
    arena_free(arena);
    return found;
}

static void test_reflections(void **state)
{
    (void)state;
    assert_true(has_image(OP_CQL3_FLIPHORIZONTAL, SQ("b5"), SQ("b4")));
    assert_true(has_image(OP_CQL3_FLIPVERTICAL, SQ("b5"), SQ("g5")));
    assert_true(has_image(OP_CQL3_FLIPDIAGONAL, SQ("e2"), SQ("b5")));
    assert_true(has_image(OP_CQL3_FLIPOFFDIAGONAL, SQ("a1"), SQ("h8")));
    assert_true(has_image(OP_CQL3_FLIPOFFDIAGONAL, SQ("b1"), SQ("h7")));
    assert_true(has_image(OP_CQL3_FLIPCOLOR, SQ("c2"), SQ("c7")));
    static const char *const images[] = {"b1", "a2", "a7", "b8", "g8", "h7", "h2", "g1"};
    for (int i = 0; i < 8; i++)
        assert_true(has_image(OP_CQL3_FLIP, SQ("b1"), set_of(images[i])));
}

// The table of 12.6.
static void test_edge_rule(void **state)
{
    const Bitboard left_file = set_of("a3 a4 a5 a6 a7 a8");
    (void)state;
    assert_true(has_image(OP_CQL3_SHIFTHORIZONTAL, SQ("e5"), SQ("f5")));
    assert_true(has_image(OP_CQL3_SHIFTHORIZONTAL, SQ("e5"), SQ("h5")));
    assert_true(has_image(OP_CQL3_SHIFTHORIZONTAL, set_of("a6 d6 h6"), set_of("a6 b6 e6")));
    assert_true(has_image(OP_CQL3_SHIFTHORIZONTAL, SQ("a7"), set_of("a7 b7 c7")));
    assert_true(has_image(OP_CQL3_SHIFTVERTICAL, set_of("c1 c8 f1"), set_of("c1 c2 f1 f2")));
    assert_true(has_image(OP_CQL3_SHIFTHORIZONTAL, left_file, 0));
    assert_false(has_image(OP_CQL3_SHIFT, ~(Bitboard)0, 0));
    assert_true(has_image(OP_CQL3_SHIFTMAINDIAGONAL, SQ("c4"), SQ("a2")));
    assert_false(has_image(OP_CQL3_SHIFTMAINDIAGONAL, SQ("c4"), SQ("b5")));
    assert_true(has_image(OP_CQL3_SHIFTOFFDIAGONAL, SQ("c4"), SQ("b5")));
}

// ---- copies -----------------------------------------------------------------------------------------------

// The number of copies of the only position list.
static int copies_of(const char *list)
{
    Parsed p;
    parse(&p, list, -1);
    assert_non_null(p.query);
    const Ast *body = p.query->body->kid[0];
    const int count = body->op == OP_VARIANTS ? body->kid_count : body->op == OP_FALSE ? 0 : 1;
    arena_free(p.arena);
    return count;
}

static void test_copies(void **state)
{
    (void)state;
    assert_int_equal(copies_of("(position Kd4 nd5 :shift)"), 56);   // 8 files, 7 pairs of ranks
    assert_int_equal(copies_of("(position K k :shift :flip)"), 1);  // nothing changes
    assert_int_equal(copies_of("(position Kb1 :flip)"), 8);         // 8 images
    assert_int_equal(copies_of("(position Ka1 :flip)"), 4);         // the corners
    assert_int_equal(copies_of("(position :check :flipcolor)"), 1); // no colour in it
    assert_int_equal(copies_of("(position :wtm :flipcolor)"), 2);   // one in it
    assert_int_equal(copies_of("(position R[] :shift)"), 0);        // never
    assert_int_equal(copies_of("(position :rayvertical (R k) :flipdiagonal)"), 2); // files become ranks
    assert_int_equal(copies_of("(position :ray (R k) :flipdiagonal)"), 1);
    assert_int_equal(copies_of("(position [KQRBNP]e4 :and ((position Ae4 :flipvertical)) :flipvertical)"), 2);
}

// The option decides in place of the keywords, for the query and for each list.
static void test_variations_option(void **state)
{
    (void)state;
    for (int option = -1; option <= 1; option++)
        for (int keyword = 0; keyword <= 1; keyword++) {
            Parsed p;
            parse(&p, keyword ? "(position pc5 :variations)" : "(position pc5)", option);
            assert_non_null(p.query);
            assert_int_equal(p.query->header.variations, option < 0 ? keyword : option);
            arena_free(p.arena);
        }
}

// ---- messages (12.9) --------------------------------------------------------------------------------------

// The tree of a list with one test.
static const Ast *only_filter(const Ast *tree)
{
    while (tree->kid_count == 1 && (tree->op == OP_COMPOUND || tree->op == OP_VARIANTS))
        tree = tree->kid[0];
    return tree;
}

static void test_rays(void **state)
{
    static const struct {
        const char *match;
        unsigned flags;
        int directions;
    } rays[] = {{"(position :ray (Q R k))", 0, 8},       {"(position :rayorthogonal (R k))", 0, 4},
                {"(position :raydiagonal (B k))", 0, 4}, {"(position :rayhorizontal (R k))", 0, 2},
                {"(position :rayvertical (R k))", 0, 2}, {"(position :rayattack (R k))", AST_CAPTURE, 8}};
    (void)state;
    for (size_t i = 0; i < sizeof rays / sizeof *rays; i++) {
        Parsed p;
        parse(&p, rays[i].match, -1);
        assert_non_null(p.query);
        const Ast *ray = only_filter(p.query->body);
        assert_int_equal(ray->op, OP_RAY);
        assert_int_equal(ray->flags, rays[i].flags);
        assert_int_equal(bb_count((Bitboard)ray->number), rays[i].directions);
        arena_free(p.arena);
    }
}

static void test_nesting_is_bounded(void **state)
{
    enum { DEEP = 3000 };
    static char text[DEEP * 24];
    (void)state;
    strcpy(text, "(match ");
    for (int i = 0; i < DEEP; i++)
        strcat(text + strlen(text), "(position :and (");
    refuses_text(text, "lists nested too deeply (more than 60 levels)");
}

// ---- queries ----------------------------------------------------------------------------------------------

// 0 start, 1 e4, 2 e5, 3 Qh5, 4 Nc6, 5 Bc4, 6 Nf6, 7 Qxf7 mate
#define MATE "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0"

static void test_edges_of_the_board(void **state)
{
    (void)state;
    MATCHES("(position pe2 Re1 :shiftvertical)", FEN("7k/8/8/4p3/8/4R3/8/K7 w - - 0 1"), "0");
    MATCHES("(position pe2 Re1 :shiftvertical)", FEN("7k/8/4R3/4p3/8/8/8/K7 w - - 0 1"), "");
    MATCHES("(position pe2 Re1 :shift)", FEN("7k/8/8/2p5/8/2R5/8/K7 w - - 0 1"), "0");
    // The file left of the a-file holds no pawn.
    MATCHES("(position Pd4 :piececount p[c?] 0 :shift)", FEN("7k/8/8/8/P7/8/8/K7 w - - 0 1"), "0");
}

static void test_accumulators(void **state)
{
    const char *chain = FEN("7k/8/8/8/3P4/2P5/1P6/K7 w - - 0 1"); // two links
    (void)state;
    MATCHES("(position Pd3 Pe4 :shift :accumulate c :sumrange c 2)", chain, "0");
    MATCHES("(position Pd3 Pe4 :shift :accumulate c :sumrange c 3 8)", chain, "");
    MATCHES("(position Pd3 Ph4 :shift :accumulate c :sumrange c 0 8)", chain, "");
    // Two links of the nested list and one copy of the outer one.
    MATCHES("(position Pb2 :accumulate c :sumrange c 3 :and ((position Pc3 Pd4 :shift :accumulate c)))",
            chain, "0");
    MATCHES("(position Pb2 :accumulate c :sumrange c 2 :and ((position Pc3 Pd4 :shift :accumulate c)))",
            chain, "");
}

static void test_variations(void **state)
{
    const char *tree = "1. e4 e5 (1... c5) 2. Nf3 *"; // 0 start, 1 e4, 2 e5, 3 Nf3, 4 c5
    (void)state;
    MATCHES("(position pc5)", tree, "");
    MATCHES("(position pc5 :variations)", tree, "4");
    MATCHES("(position Pe4 :variationsonly)", tree, "4");
    MATCHES("(position pc5 :variations) (position pe5)", tree, "2 3 4");
    MATCHES("(position pe5 :variations) (position pc5)", tree, "");
    MATCHES("(position :movefrom p :moveto .[c?]) (position :variations)", tree, "");
    MATCHES("(position :movefrom p :moveto .[c?] :variations)", tree, "1");
    MATCHES("(position :sequence ((position :wtm) (position :btm) (position pc5)) :variations)", tree, "0");
    MATCHES("(position :sequence ((position :btm) (position pc5))) (position :variations)", tree, "");
    check("(position pc5)", tree, 1, "4", __LINE__);
    check("(position pc5 :variations)", tree, 0, "", __LINE__);
}

// 0 start, 1 Nf3, 2 Nf6, 3 Ng1, 4 Ng8
#define SHUFFLE "1. Nf3 Nf6 2. Ng1 Ng8 *"

static void test_relation(void **state)
{
    const char *kings = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd1 Kd8 *";
    (void)state;
    MATCHES("(position :relation (:samesidetomove))", SHUFFLE, "0");
    MATCHES("(position :relation (:changesidetomove))", SHUFFLE, "");
    MATCHES("(position :relation (:missingpiececount N 1 :newpiececount N 1 :changesidetomove))", SHUFFLE,
            "0 1 2");
    MATCHES("(position U[?1-2] :relation (:pattern :ignoresidetomove))", SHUFFLE, "0 1 3");
    MATCHES("(position :relation (:originaldifferentcount 0))", SHUFFLE, "0");
    MATCHES("(position :relation ())", kings, "");
    MATCHES("(position :relation (:flip))", kings, "0");
    MATCHES("(position :relation (:shift))", kings, "0");
    MATCHES("(position :relation (:shift :originalsamecount 1 2))", kings, "");
    MATCHES("(position :relation (:shift :changesidetomove :missingpiececount k 1 :newpiececount k 0 1))",
            kings, "0 1");
}

static void test_extensions(void **state)
{
    const char *start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    char query[200];
    (void)state;
    snprintf(query, sizeof query, "(position :fen \"%s\")", start);
    MATCHES(query, SHUFFLE, "0 4");
    MATCHES("(position :castling K :halfmovenumber 0 1)", MATE, "0 1");
    MATCHES("(position :castling [kQ])", FEN("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "");
    MATCHES("(position :castling k :flipcolor)", FEN("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "0");
    MATCHES("(position :terminal :ischeck)", MATE, "");
    MATCHES("(position :doublecheck)", FEN("4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1"), "0");
    MATCHES("(position :check !:doublecheck)", FEN("4k3/8/8/8/8/8/8/K3R3 b - - 0 1"), "0");
}

// ---- transforms around copies -----------------------------------------------------------------------------

// The number of variants of a transform around the query, as options of `cqlgen cql` put it there; -1: it is refused.
static int variants_around(Op transform, const char *match)
{
    Parsed p;
    parse(&p, match, -1);
    assert_non_null(p.query);
    Ast *body = p.query->body, *node = ast_new(p.arena, transform, TYPE_BOOL, body->span);
    ast_add_kid(p.arena, node, body);
    p.query->body = ast_new(p.arena, OP_COMPOUND, TYPE_BOOL, body->span);
    ast_add_kid(p.arena, p.query->body, node);
    const bool accepted = transform_query(p.query, &p.diagnostics);
    if (!accepted)
        assert_string_equal(p.diagnostics.list[0].message,
                            "this shift would drop some copies of the list, but not all");
    const Ast *first = p.query->body->kid[0];
    const int count = !accepted ? -1 : first->op == OP_VARIANTS ? first->kid_count : 1;
    arena_free(p.arena);
    return count;
}

// Copies keep their order, so lists of the same ones in another order are other variants. A shift drops the variants of which
// all copies have left the board; it is refused where only some have.
static void test_transforms_around(void **state)
{
    static const struct {
        Op transform;
        const char *match;
        int count;
    } rows[] = {
        {OP_SHIFTVERTICAL, "(position Ka1)", 8},
        {OP_SHIFTHORIZONTAL, "(position Ka1 :fliphorizontal)", 8}, // a1 a8, b1 b8, ... h1 h8
        {OP_SHIFTVERTICAL, "(position Ka1 :flipvertical)", 8},
        {OP_SHIFTHORIZONTAL, "(position Ka1 :shiftvertical)", 8},
        {OP_SHIFTVERTICAL, "(position Ka1 :fliphorizontal)", -1},
        {OP_SHIFT, "(position Ka1 :shift)", -1},
        {OP_FLIP, "(position Ka1 :fliphorizontal)", 8},
        {OP_FLIPCOLOR, "(position Ka1 :flipcolor)", 2},
        {OP_FLIPCOLOR, "(position [] :flipcolor)", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (variants_around(rows[i].transform, rows[i].match) != rows[i].count)
            fail_msg("%s: %d variants", rows[i].match, variants_around(rows[i].transform, rows[i].match));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_maps),
        cmocka_unit_test(test_reflections),
        cmocka_unit_test(test_edge_rule),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_variations_option),
        cmocka_unit_test(test_nesting_is_bounded),
        cmocka_unit_test(test_rays),
        cmocka_unit_test(test_edges_of_the_board),
        cmocka_unit_test(test_accumulators),
        cmocka_unit_test(test_variations),
        cmocka_unit_test(test_relation),
        cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_transforms_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
