// Running a query over a game: hits, the comment log, sort values, messages, identities, errors
// (language reference 5.9, 6.10, 6.11, 7.4, 7.5, 10.3 - 10.8).
#include <stdio.h>
#include <stdlib.h>

#include "runtime/match/run_state.h"
#include "run_fixture.h"

// 0 root, 1 e4, 2 e5, 3 Nf3, 4 Nc6, 5 Nf6 (variation on Nc6), 6 c5, 7 Nf3, 8 d6, 9 c3, 10 d5, 11 e6, 12 d4:
// the tree of 6.1.1
#define TREE "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6 2. d4) 2. Nf3 Nc6 (2... Nf6) *"

static void hit(Context *c, int32_t n)
{
    c->hit[c->hit_count++] = n;
}

// The log as `position:text|position:text|...`.
static void assert_log(const RunResult *result, const char *expected)
{
    Buffer b = {0};
    for (int32_t i = 0; i < result->log_count; i++) {
        buffer_format(&b, "%s%d:", i ? "|" : "", (int)result->log[i].position);
        buffer_append(&b, result->log[i].text->bytes, result->log[i].text->length);
    }
    buffer_append(&b, "", 1);
    assert_string_equal(b.start, expected);
    buffer_free(&b);
}

static void run_query(Fixture *f, QueryInfo query, const char *pgn)
{
    *f = (Fixture){.query = query, .options = {.comments = true}};
    f->query.name = "test";
    fixture_open(f);
    fixture_play(f, pgn);
}

static void no_error(const Fixture *f)
{
    if (f->result.error)
        fail_msg("%s", f->result.error);
}

// ---- the log (10.4) ---------------------------------------------------------------------------------------

// Position 1 matches with a comment on it and one on 3; 2 fails after a comment; 3 matches.
static void commenting_body(Context *c)
{
    for (int32_t n = 0; n < c->game->count && n <= 3; n++) {
        const int32_t mark = rt_log_mark(c);
        if (n == 1 || n == 2) {
            rt_log_add(c, n, STR("own"));
            rt_log_auto(c, 3, STR("auto"));
        }
        if (n == 1 || n == 3)
            hit(c, n);
        else
            rt_log_cut(c, mark);
    }
}

static void test_log(void **state)
{
    (void)state;
    static const struct {
        QueryInfo query;
        const char *log;
    } cases[] = {
        {{.match_game = commenting_body}, "0:Game number 1|1:own|3:auto|1:CQL|3:CQL"},
        {{.match_game = commenting_body, .matchstring = "Hit"}, "0:Game number 1|1:own|3:auto|1:Hit|3:Hit"},
        {{.match_game = commenting_body, .matchstring = ""}, "0:Game number 1|1:own|3:auto"},
        {{.match_game = commenting_body, .flags = QUERY_QUIET}, "0:Game number 1|1:own"},
        {{.match_game = commenting_body, .flags = QUERY_SILENT}, ""},
        // the game does not match
        {{.match_game = commenting_body,
          .flags = QUERY_HAS_MATCHCOUNT,
          .matchcount_low = 3,
          .matchcount_high = 9},
         ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture f;
        run_query(&f, cases[i].query, TREE);
        no_error(&f);
        assert_int_equal(f.result.hit_count, 2);
        assert_int_equal(f.result.matched, i != 5);
        assert_log(&f.result, cases[i].log);
        fixture_close(&f);
    }
}

static void no_hit_body(Context *c)
{
    const int32_t mark = rt_log_mark(c);
    rt_log_add(c, 0, STR("lost"));
    rt_log_cut(c, mark);
}

static void test_matchcount(void **state)
{
    (void)state;
    Fixture f;
    run_query(&f, (QueryInfo){.match_game = no_hit_body}, "*");
    assert_false(f.result.matched);
    fixture_close(&f);
    run_query(&f,
              (QueryInfo){.match_game = no_hit_body, .flags = QUERY_HAS_MATCHCOUNT | QUERY_SORT_MATCHCOUNT},
              "*");
    assert_true(f.result.matched);
    assert_log(&f.result, "0:Game number 1|0: matchcount: 0");
    fixture_close(&f);
    // the results of the header must all hold
    run_query(&f, (QueryInfo){.match_game = commenting_body, .results = 1 << RESULT_WHITE}, "1. e4 1-0");
    assert_true(f.result.matched);
    fixture_close(&f);
    run_query(&f,
              (QueryInfo){.match_game = commenting_body, .results = 1 << RESULT_WHITE | 1 << RESULT_BLACK},
              "1. e4 1-0");
    assert_false(f.result.matched);
    fixture_close(&f);
    run_query(
        &f,
        (QueryInfo){.match_game = no_hit_body, .results = 1 << RESULT_DRAW, .flags = QUERY_HAS_MATCHCOUNT},
        "*");
    assert_false(f.result.matched);
    fixture_close(&f);
}

// ---- sort values (10.6) -----------------------------------------------------------------------------------

static const SortKeyInfo keys[] = {{.name = "late"},
                                   {.name = "early", .is_min = 1},
                                   {.name = "name", .is_string = 1},
                                   {.name = "never"},
                                   {.name = "hidden", .quiet = 1}};

static void offer(Context *c, int32_t key, int32_t filter, int32_t value, String text)
{
    const int32_t mark = rt_log_mark(c);
    rt_log_add(c, 1, text);
    rt_sort_int(c, key, filter, value, mark);
}

static void sorting_body(Context *c)
{
    // the texts of the first best value count; filters 3 and 1 share no key, filter 1 is first in the
    // text
    offer(c, 0, 3, 5, STR("five"));
    offer(c, 0, 3, 7, STR("seven"));
    offer(c, 0, 3, 7, STR("seven again"));
    offer(c, 0, 2, 6, STR("six"));
    offer(c, 1, 1, 9, STR("nine"));
    offer(c, 1, 1, -2, STR("minus two"));
    rt_log_add(c, 1, STR("kept"));
    hit(c, 1);
    rt_sort_string(c, 2, 0, STR("B"), rt_log_mark(c));
    rt_sort_string(c, 2, 0, STR("a"), rt_log_mark(c));
    rt_sort_string(c, 2, 0, STR("Z"), rt_log_mark(c));
    rt_sort_int(c, 4, 5, 1, rt_log_mark(c));
}

static void test_sorting(void **state)
{
    (void)state;
    Fixture f;
    const QueryInfo query = {.match_game = sorting_body, .sort_key = keys, .sort_key_count = 5};
    run_query(&f, query, TREE);
    no_error(&f);
    assert_log(&f.result,
               "0:Game number 1|1:kept|1:CQL|1:minus two|1:seven|0: late: 7 early: -2 name: a never: none");
    assert_int_equal(f.result.sort[0].number, 7);
    assert_int_equal(f.result.sort[1].number, -2);
    assert_text(f.result.sort[2].text, "a");
    assert_false(f.result.sort[3].has_value);
    assert_true(f.result.sort[4].has_value);
    fixture_close(&f);
    // the values are there when no log is kept
    f = (Fixture){.query = query};
    fixture_open(&f);
    fixture_play(&f, TREE);
    assert_int_equal(f.result.sort[0].number, 7);
    assert_int_equal(f.result.log_count, 0);
    fixture_close(&f);
}

// ---- messages, tags, comments -----------------------------------------------------------------------------

static void changing_body(Context *c)
{
    rt_message(c, 2, STR("hello"), 0);
    rt_message(c, 6, STR("there"), 0);
    rt_message(c, 6, STR("quiet"), 1);
    rt_set_tag(c, STR("A"), STR("1"));
    rt_set_tag(c, STR("B"), STR("2"));
    rt_set_tag(c, STR("A"), STR("3"));
    rt_remove_comment(c, 3);
    hit(c, 0);
}

static void test_changes(void **state)
{
    (void)state;
    Fixture f;
    run_query(&f, (QueryInfo){.match_game = changing_body}, TREE);
    no_error(&f);
    static const char messages[] = "Game: 1 move 2(wtm): hello\nGame: 1 move 2(wtm)[6]: there\nquiet\n";
    assert_int_equal(f.result.messages_length, sizeof messages - 1);
    assert_memory_equal(f.result.messages, messages, sizeof messages - 1);
    assert_log(&f.result, "0:Game number 1|6:id:6|0:CQL");
    assert_int_equal(f.result.set_tag_count, 2);
    assert_memory_equal(f.result.set_tag[0].name.start, "A", 1);
    assert_memory_equal(f.result.set_tag[0].value.start, "3", 1);
    assert_memory_equal(f.result.set_tag[1].name.start, "B", 1);
    assert_non_null(f.result.drop_comment);
    for (int32_t n = 0; n < f.result.position_count; n++)
        assert_int_equal(f.result.drop_comment[n], n == 3);
    fixture_close(&f);
}

// ---- the tree ---------------------------------------------------------------------------------------------

static void tree_body(Context *c)
{
    assert_int_equal(c->game->count, 13);
    assert_int_equal(rt_lca(c, 8, 10), 6);
    assert_int_equal(rt_lca(c, 10, 8), 6);
    assert_int_equal(rt_lca(c, 4, 12), 1);
    assert_int_equal(rt_lca(c, 2, 5), 2);
    assert_int_equal(rt_lca(c, 5, 2), 2);
    assert_int_equal(rt_lca(c, 7, 7), 7);
    assert_int_equal(bb_count(rt_same_contents(c, 3, 4)), 62);
    assert_int_equal(bb_count(rt_same_contents(c, 3, 3)), 64);
    // Black's alternatives 6 and 11 stay in the virtual main line, White's 9 does not
    assert_int_equal(1, rt_virtual_mainline(c, 4));
    assert_int_equal(1, rt_virtual_mainline(c, 8));
    assert_int_equal(1, rt_virtual_mainline(c, 12));
    assert_false(rt_virtual_mainline(c, 9));
    assert_false(rt_virtual_mainline(c, 10));
    assert_int_equal(1, rt_is_try(c, 9));
    assert_int_equal(1, rt_is_try(c, 10));
    assert_false(rt_is_try(c, 8));
    assert_false(rt_is_try(c, 0));
    assert_false(rt_marked(c, 1, 12));
    rt_mark(c, 1, 12);
    assert_int_equal(1, rt_marked(c, 1, 12));
    assert_false(rt_marked(c, 1, 11));
    assert_false(rt_marked(c, 0, 12));
}

static void test_tree(void **state)
{
    (void)state;
    Fixture f = {.query = {.name = "test", .match_game = tree_body, .mark_set_count = 2}};
    fixture_open(&f);
    for (int game = 0; game < 2; game++) { // the marks are gone in the second game
        fixture_play(&f, TREE);
        no_error(&f);
        game_free(&f.game);
    }
    run_free(f.run);
}

static int32_t square_of(Context *c, int32_t n, int32_t piece)
{
    return rt_piece_square(c, n, piece);
}

// 1. e4 d5 2. exd5 c5 3. dxc6 Nf6 4. cxb7 Bd7 5. bxa8=Q (5. Nf3): en passant on c6, promotion on a8.
static void identity_body(Context *c)
{
    const int32_t pawn = rt_piece_number(c, 0, 12), victim = rt_piece_number(c, 0, 50),
                  rook = rt_piece_number(c, 0, 56);
    assert_int_equal(rt_piece_number(c, 0, 0), 0);
    assert_int_equal(pawn, 12);
    assert_int_equal(rt_piece_number(c, 0, 48), 16); // a7, after sixteen white men
    assert_int_equal(rt_piece_number(c, 0, 30), -1);
    assert_int_equal(rt_piece_number(c, 0, 63), 31);
    assert_int_equal(rt_piece_number(c, 0, -1), -1);
    assert_int_equal(rt_piece_number(c, 0, 64), -1);
    assert_int_equal(square_of(c, 0, 31), 63);
    assert_int_equal(square_of(c, 3, pawn), 35);
    assert_int_equal(square_of(c, 4, victim), 34); // c7-c5
    assert_int_equal(square_of(c, 5, pawn), 42);   // takes en passant on c6
    assert_int_equal(square_of(c, 5, victim), NO_SQUARE);
    assert_int_equal(square_of(c, 9, pawn), 56); // the new queen on a8 is the pawn
    assert_int_equal(c->position[9]->square[56], WHITE_QUEEN);
    assert_int_equal(square_of(c, 9, rook), NO_SQUARE);
    assert_int_equal(square_of(c, 10, rook), 56); // in the variation the rook is still there
    assert_int_equal(square_of(c, 10, pawn), 49);
    assert_true(rt_pieces_on(c, 9, SQ("a8") | SQ("e5")) == 1ULL << pawn);
    assert_int_equal(square_of(c, 0, -1), NO_SQUARE);
    assert_int_equal(square_of(c, 0, 64), NO_SQUARE);
}

static void castling_identity_body(Context *c)
{
    const int32_t king = rt_piece_number(c, 0, 4), rook = rt_piece_number(c, 0, 7);
    assert_int_equal(square_of(c, 1, king), 6);
    assert_int_equal(square_of(c, 1, rook), 5);
    assert_int_equal(rt_piece_number(c, 1, 7), -1);
}

static void test_identities(void **state)
{
    (void)state;
    with_game("1. e4 d5 2. exd5 c5 3. dxc6 Nf6 4. cxb7 Bd7 5. bxa8=Q (5. Nf3) *", identity_body);
    with_game("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *", castling_identity_body);
}

// ---- consecutive moves and paths --------------------------------------------------------------------------

// Two lines from the root: 1. Nf3 d5 2. g3 Nf6 and 1. g3 d5 2. Nf3 Nf6 (ids 1-4 and 5-8) share runs of one
// move only; with 1. c4 d5 2. g3 Nf6 (9-12) the first has d5 g3 Nf6 in common.
#define RUNS "1. Nf3 (1. g3 d5 2. Nf3 Nf6) (1. c4 d5 2. g3 Nf6) 1... d5 2. g3 Nf6 *"

static void runs_body(Context *c)
{
    assert_int_equal(rt_common_run(c, 4, 8), 1);
    assert_int_equal(rt_common_run(c, 4, 12), 3);
    assert_int_equal(rt_common_run(c, 12, 4), 3);
    assert_int_equal(rt_common_run(c, 3, 12), 2);
    assert_int_equal(rt_common_run(c, 1, 9), 0);
    assert_int_equal(rt_common_run(c, 1, 4), 0);
    assert_int_equal(rt_common_run(c, 4, 4), 0);
    rt_common_run_keep(c, 0, 4, 8, STR("p"), STR("q"));
    rt_common_run_keep(c, 0, 3, 12, STR("x"), STR("y"));
    rt_common_run_keep(c, 0, 11, 3, STR("u"), STR("v")); // as long: the first stays
    hit(c, 0);
}

// Texts per position do not depend on the order among positions, so they are compared as a set.
static int count_in_log(const RunResult *result, int32_t position, const char *text)
{
    int count = 0;
    for (int32_t i = 0; i < result->log_count; i++)
        count += result->log[i].position == position && strcmp(result->log[i].text->bytes, text) == 0;
    return count;
}

static void test_common_runs(void **state)
{
    (void)state;
    Fixture f;
    run_query(&f, (QueryInfo){.match_game = runs_body}, RUNS);
    no_error(&f);
    assert_int_equal(f.result.log_count, 6);
    assert_int_equal(count_in_log(&f.result, 2, "x-move[1]"), 1);
    assert_int_equal(count_in_log(&f.result, 3, "x-move[2]"), 1);
    assert_int_equal(count_in_log(&f.result, 10, "y-move[1]"), 1);
    assert_int_equal(count_in_log(&f.result, 11, "y-move[2]"), 1);
    fixture_close(&f);
    run_query(&f, (QueryInfo){.match_game = runs_body, .flags = QUERY_QUIET}, RUNS);
    assert_log(&f.result, "0:Game number 1");
    fixture_close(&f);
}

static void path_body(Context *c)
{
    rt_trail_start(c, 0);
    rt_trail_pop(c, 0); // there is nothing
    const int32_t mark = rt_log_mark(c);
    rt_trail_push(c, 0, 2);
    rt_log_add(c, 2, STR("seen"));
    rt_trail_keep(c, 0, 2, mark, 4, 1);
    rt_trail_push(c, 0, 3);
    rt_trail_keep(c, 0, 3, mark, 5, 1);
    rt_trail_pop(c, 0);
    rt_trail_pop(c, 0);
    rt_log_cut(c, mark);
    rt_trail_push(c, 0, 6);
    rt_trail_push(c, 0, 7);
    rt_trail_keep(c, 0, 7, mark, 5, 0);
    rt_trail_keep(c, 0, 7, mark, 5, 0); // the same moves again
    rt_trail_pop(c, 0);
    rt_trail_pop(c, 0);
    rt_trail_comments(c, 0, 1, SQ("e7") | SQ("g1") | SQ("a1"), 2 | 4 | 8, STR("T"));
}

static void path_hit_body(Context *c)
{
    path_body(c);
    hit(c, 1);
}

// The rook of a1 is piece number 0; what is taken on the way, and castling.
static void piecepath_body(Context *c)
{
    rt_trail_start(c, 0);
    for (int32_t n = 1; n < c->game->count; n++)
        rt_trail_push(c, 0, n);
    rt_trail_keep(c, 0, c->game->count - 1, rt_log_mark(c), 0, 1);
    rt_trail_comments(c, 0, 0, BB_ALL, 8 | 1, STR(""));
    hit(c, 0);
}

static void test_paths(void **state)
{
    (void)state;
    Fixture f;
    run_query(&f, (QueryInfo){.match_game = path_hit_body}, TREE);
    no_error(&f);
    assert_log(&f.result,
               "0:Game number 1|2:seen|1:T|1:Focus path: Ng1-f3 pe7-e5|2:T: move 1 of 2|3:T: move 2 of 2|"
               "3:End path of length 2 that starts at move 1(btm) Max value: 5|1:Start path that ends at "
               "move 2(btm)|"
               "1:T|1:Focus path: Ng1-f3|6:T: move 1 of 2|7:T: move 2 of 2|"
               "7:End path of length 2 that starts at move 1(btm) Max value: 5|7:id:7|"
               "1:Start path that ends at move 2(btm)[7]|7:alternative|1:CQL");
    fixture_close(&f);
}

static void test_piecepaths(void **state)
{
    (void)state;
    static const struct {
        const char *pgn, *log;
    } cases[] = {
        {"[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. Ra3 Kd7 2. Ra7+ Kc6 *",
         "0:Focus path: Ra1-a3-a7 ke8-d7-c6|0:CQL"},
        {"[FEN \"4k3/8/8/8/8/8/r7/R3K3 w Q - 0 1\"]\n\n1. Rxa2 Ke7 *",
         "0:Focus path: Ra1-a2 ra2(xa2) ke8-e7|0:CQL"},
        {"[FEN \"4k3/8/8/8/8/8/r7/R3K3 b Q - 0 1\"]\n\n1... Rxa1+ 2. Kd2 *",
         "0:Focus path: Ra1(xa1) Ke1-d2 ra2-a1|0:CQL"},
        {"[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O *", "0:Focus path: Ra1-d1 Ke1-c1|0:CQL"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture f = {.query = {.name = "test", .match_game = piecepath_body},
                     .options = {.comments = true, .no_header = true}};
        fixture_open(&f);
        fixture_play(&f, cases[i].pgn);
        no_error(&f);
        assert_log(&f.result, cases[i].log);
        fixture_close(&f);
    }
}

// ---- state between games ----------------------------------------------------------------------------------

static void counting_body(Context *c)
{
    assert_int_equal(c->slot[1].i, 1); // persistent variables are bound from the beginning
    assert_int_equal(c->slot[3].i, 1);
    assert_int_equal(c->slot[4].i, 0); // ordinary ones are reset
    c->slot[4].i = 7;
    c->slot[0].i++;
    c->slot[2].t = rt_keep(c, rt_concat(c, c->slot[2].t, STR("x")));
    hit(c, 0);
}

static void test_persistent(void **state)
{
    (void)state;
    static const PersistentInfo persistent[] = {{"n", 0, 0, 1, 0}, {"s", 2, 2, 3, 0}};
    Fixture f = {.query = {.name = "test",
                           .match_game = counting_body,
                           .slot_count = 5,
                           .persistent_slots = 4,
                           .persistent = persistent,
                           .persistent_count = 2}};
    fixture_open(&f);
    char *text;
    size_t size;
    for (int game = 0; game < 700; game++) {
        fixture_play(&f, "*");
        no_error(&f);
        game_free(&f.game);
    }
    FILE *out = open_memstream(&text, &size);
    run_print_persistent(f.run, out);
    fclose(out);
    assert_int_equal(size, strlen("n: 700\ns: \"\"\n") + 700);
    assert_memory_equal(text, "n: 700\ns: \"xxxx", 15);
    free(text);
    run_free(f.run);
}

// What is printed of persistent variables of each type, and of one that was never set.
static void setting_body(Context *c)
{
    c->slot[0].s = SQ("a1") | SQ("h8");
    c->slot[1].i = 1;
}

static void expect_persistent(const Fixture *f, const char *expected)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    run_print_persistent(f->run, out);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void test_persistent_types(void **state)
{
    (void)state;
    static const PersistentInfo persistent[] = {
        {"set", 1, 0, 1, 0}, {"unset", 0, 2, 3, 0}, {"own", 0, 2, 3, 1}};
    Fixture f = {.query = {.name = "test",
                           .match_game = setting_body,
                           .slot_count = 4,
                           .persistent_slots = 4,
                           .persistent = persistent,
                           .persistent_count = 3}};
    fixture_open(&f);
    f.run->context.slot[3].i = 0;
    fixture_play(&f, "*");
    no_error(&f);
    expect_persistent(&f, "set: [a1,h8]\nunset: <unbound>\n");
    fixture_close(&f);
}

// The first slot may say whether a variable has a value; one without such a slot always has.
static void test_persistent_slots(void **state)
{
    (void)state;
    static const PersistentInfo persistent[] = {{"bound", 0, 1, 0, 0}, {"always", 2, 2, -1, 0}};
    Fixture f = {.query = {.name = "test",
                           .slot_count = 3,
                           .persistent_slots = 3,
                           .persistent = persistent,
                           .persistent_count = 2}};
    fixture_open(&f);
    f.run->context.slot[1].i = 7;
    expect_persistent(&f, "bound: 7\nalways: \"\"\n");
    f.run->context.slot[0].i = 0;
    expect_persistent(&f, "bound: <unbound>\nalways: \"\"\n");
    run_free(f.run);
}

// ---- dictionaries as text (7.12) --------------------------------------------------------------------------

static const DictionaryInfo dictionaries[] = {
    {"Numbers", 0, 1, 0}, {"Places", 3, 2, 0}, {"Kept", 2, 3, 0}, {"Own", 0, 0, 1}};

static void dictionary_body(Context *c)
{
    rt_dict_key_int(c, 5);
    rt_dict_put_set(c, 0, SQ("e4"));
    rt_dict_key_int(c, -7);
    rt_dict_put_set(c, 0, 0);
    assert_text(rt_text_dictionary(c, 0), "Dictionary Numbers with 2 entries: \n-7: []\n5: e4\n");
    rt_dict_key_int(c, 1);
    rt_dict_put_string(c, 1, STR("one"));
    rt_dict_key_string(c, STR("last"));
    rt_dict_put_int(c, 2, 2);
    rt_dict_key_int(c, 1);
    rt_dict_put_int(c, 3, 1);
    const String place = rt_text_position(c, 1);
    Buffer expected = {0};
    buffer_format(&expected, "Dictionary Places with 1 entries: \n%s: one\n", place->bytes);
    buffer_append(&expected, "", 1);
    assert_text(rt_text_dictionary(c, 1), expected.start);
    buffer_free(&expected);
}

static void test_dictionaries(void **state)
{
    (void)state;
    Fixture f;
    run_query(&f,
              (QueryInfo){.match_game = dictionary_body, .dictionary = dictionaries, .dictionary_count = 4},
              "1. e4 e5 *");
    no_error(&f);
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    run_print_dictionaries(f.run, out);
    fclose(out);
    assert_memory_equal(text, "Numbers[-7] = []\nNumbers[5] = e4\nPlaces[",
                        strlen("Numbers[-7] = []\nNumbers[5] = e4\nPlaces["));
    assert_non_null(strstr(text, "] = one\nKept[last] = 2\n"));
    assert_null(strstr(text, "Own"));
    free(text);
    fixture_close(&f);
}

static const struct {
    int32_t code;
    const char *detail, *message;
} raised[] = {
    {RAISE_UNBOUND, "since", "the variable since has no value"},
    {RAISE_BOUND, "x", "the loop variable x already has a value"},
    {RAISE_RANGE, "", "a direction range must be within -7 to 7, lower bound first"},
    {RAISE_GROUP, "2", "a group of a regular expression was used without a match: 2"},
    {RAISE_FILE, "", "a file could not be used"},
    {RAISE_FILE, "the name of a file has no value", "the name of a file has no value"},
    {RAISE_MEMORY, "", "the query needs too much memory for this game (the limit is 1024 MB of texts)"},
    {RAISE_OTHER, "", "the query cannot be evaluated"},
    {RAISE_OTHER, "this is wrong", "this is wrong"},
};

static void any_error_body(Context *c)
{
    const int32_t i = c->game->number - 1;
    rt_raise(c, raised[i].code, run_string(c, raised[i].detail, strlen(raised[i].detail)));
}

static void test_messages(void **state)
{
    (void)state;
    Fixture f;
    run_query(&f, (QueryInfo){.match_game = any_error_body}, "*");
    for (size_t i = 0; i < sizeof raised / sizeof *raised; i++) {
        f.game.view.number = (int32_t)i + 1;
        run_game(f.run, &f.game, &f.result);
        assert_string_equal(f.result.error, raised[i].message);
    }
    fixture_close(&f);
}

static void raising_body(Context *c)
{
    if (c->game->number == 1)
        rt_raise(c, RAISE_UNBOUND, STR("since"));
    hit(c, 0);
}

static void test_errors(void **state)
{
    (void)state;
    Fixture f;
    run_query(&f, (QueryInfo){.match_game = raising_body}, "*");
    assert_false(f.result.matched);
    assert_string_equal(f.result.error, "the variable since has no value");
    f.game.view.number = 2;
    run_game(f.run, &f.game, &f.result);
    assert_null(f.result.error);
    assert_true(f.result.matched);
    fixture_close(&f);
}

// ---- limits of a game -----------------------------------------------------------------------------------

static void keeping_body(Context *c)
{
    assert_text(rt_keep(c, &string_empty), "");
    for (int i = 0; i < 40; i++)
        rt_keep(c, rt_slice(c, STR("0123456789"), 0, 10, 0));
    hit(c, 0);
}

static void many_patterns_body(Context *c)
{
    for (int32_t i = 0; i <= 10000; i++)
        rt_pattern(c, rt_text_int(c, i));
}

static void few_patterns_body(Context *c)
{
    for (int32_t i = 0; i < 10000; i++)
        assert_int_equal(rt_pattern(c, rt_text_int(c, i)), i);
    assert_int_equal(rt_pattern(c, STR("9")), 9);
    hit(c, 0);
}

static void many_texts_body(Context *c)
{
    for (int32_t i = 0; i <= 4000001; i++)
        rt_log_add(c, 0, &string_empty);
}

static void many_alternatives_body(Context *c)
{
    rt_trail_start(c, 0);
    for (int32_t end = 0; end < 2000; end++)
        rt_trail_keep(c, 0, end, 0, 0, 0);
    hit(c, 0);
}

static void doubtful_pattern_body(Context *c)
{
    rt_regex_found(c, rt_pattern(c, STR("^(a+)+$")), STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"));
}

// The body is evaluated with this error; NULL: without one.
static void expect_error(void (*body)(Context *c), RunOptions options, const char *error)
{
    Fixture f = {.query = {.name = "test", .match_game = body}, .options = options};
    fixture_open(&f);
    fixture_play(&f, "*");
    if (!error != !f.result.error || (error && strcmp(f.result.error, error) != 0))
        fail_msg("%s", f.result.error ? f.result.error : "no error");
    fixture_close(&f);
}

static void test_limits(void **state)
{
    (void)state;
    static const char memory[] = "the query needs too much memory for this game (the limit is 0 MB of texts)";
    static const char steps[] = "the query needs too many steps for this game";
    enum { KEPT = 40 * 16 }; // each string with its length and a NUL
    expect_error(keeping_body, (RunOptions){.memory = KEPT}, NULL);
    expect_error(keeping_body, (RunOptions){.memory = KEPT - 1}, memory);
    expect_error(few_patterns_body, (RunOptions){0}, NULL);
    expect_error(many_patterns_body, (RunOptions){0},
                 "more than 10000 different regular expressions were computed");
    expect_error(many_patterns_body, (RunOptions){.max_steps = 1000}, steps);
    expect_error(many_texts_body, (RunOptions){.comments = true},
                 "the query needs too much memory for this game (the limit is 1024 MB of texts)");
    expect_error(many_alternatives_body, (RunOptions){0}, NULL);
    expect_error(many_alternatives_body, (RunOptions){.max_steps = 100000},
                 steps); // each is compared with all others
    expect_error(doubtful_pattern_body, (RunOptions){.max_steps = 100000}, steps);
}

static int asked; // whether to stop

static bool stops_when_asked(void *user)
{
    asked++;
    return asked > *(int *)user;
}

// Each way through a path that is kept asks whether to stop.
static void keeps_ways(Context *c)
{
    rt_trail_start(c, 0);
    for (int32_t i = 0; i < 5; i++) {
        rt_trail_push(c, 0, i);
        rt_trail_keep(c, 0, i, 0, 1, 0);
        hit(c, i);
    }
}

static void test_stops_in_paths(void **state)
{
    (void)state;
    for (int most = 0; most <= 5; most++) {
        Fixture f = {.query = {.name = "test", .match_game = keeps_ways},
                     .options = {.stopped = stops_when_asked, .user = &most}};
        asked = 0;
        fixture_open(&f);
        fixture_play(&f, TREE);
        assert_int_equal(f.result.stopped, most < 5);
        assert_int_equal(asked, most < 5 ? most + 1 : 5);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_matchcount),
        cmocka_unit_test(test_sorting),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_identities),
        cmocka_unit_test(test_common_runs),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_piecepaths),
        cmocka_unit_test(test_persistent),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_persistent_types),
        cmocka_unit_test(test_persistent_slots),
        cmocka_unit_test(test_stops_in_paths),
        cmocka_unit_test(test_dictionaries),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
