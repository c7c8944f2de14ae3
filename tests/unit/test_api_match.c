// One position or game at a time (cql_match_fen, cql_match_game).
#include "api_fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "compiler/api/query.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

// ---- what takes memory ------------------------------------------------------------------------------------

#ifdef __SANITIZE_ADDRESS__
enum { COUNTS = 0 };
static atomic_long allocations;
#else
enum { COUNTS = 1 };
static atomic_long allocations;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    allocations++;
    return __libc_realloc(memory, size);
}
#endif

// ---- by hand ----------------------------------------------------------------------------------------------

static const char fools_mate[] = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
static const char fool[] = "[Event \"A\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

static int32_t match_game(CqlQuery *query, const char *pgn, CqlMatch *match, size_t room,
                          CqlMessages **messages)
{
    return cql_match_game(query, pgn, strlen(pgn), match, room, messages);
}

static void by_hand(void **state)
{
    (void)state;
    static const CqlEngine engines[] = {CQL_ENGINE_AUTO, CQL_ENGINE_INTERP, CQL_ENGINE_TCC, CQL_ENGINE_CC};
    for (size_t i = 0; i < LENGTH(engines); i++) {
        const CqlCompileOptions options = {.size = sizeof options, .engine = engines[i]};
        CqlQuery *query = compile_with("q attacks K", &options);
        CqlMatch match[2] = {{.query = -1}, {.query = -1}};
        CqlMessages *messages;
        assert_int_equal(cql_match_fen(query, fools_mate, match, 2, &messages), 1);
        assert_null(messages);
        assert_int_equal(match[0].query, 0);
        assert_int_equal(match[0].position, 0);
        assert_int_equal(match[0].ply, 0);
        assert_int_equal(match[0].variation, 0);
        assert_true(match[0].squares == 1ULL << 31); // the queen's square, h4
        assert_int_equal(match[1].query, -1);        // untouched
        assert_int_equal(cql_match_fen(query, "4k3/8/8/8/8/8/8/4K3 w", match, 2, NULL), 0);
        assert_int_equal(match_game(query, fool, match, 2, &messages), 1);
        assert_null(messages);
        assert_int_equal(match[0].position, 4);
        assert_int_equal(match[0].ply, 4);
        cql_query_free(query);
    }
}

// The matches of several queries come one after the other; what there is no room for is counted.
static void several(void **state)
{
    (void)state;
    const CqlSource sources[] = {
        {"a", "ply>=3"}, {"b", "cql(matchcount 0) stalemate"}, {"c", "check"}, {"d", "stalemate"}};
    CqlQuery *query = cql_compile_sources(sources, LENGTH(sources), NULL, NULL);
    const int wanted[][3] = {{0, 3, 3}, {0, 4, 4}, {1, -1, 0}, {2, 4, 4}};
    assert_non_null(query);
    for (size_t room = 0; room <= LENGTH(wanted); room++) {
        CqlMatch match[LENGTH(wanted)];
        memset(match, 0x55, sizeof match);
        assert_int_equal(match_game(query, fool, room ? match : NULL, room, NULL), LENGTH(wanted));
        for (size_t i = 0; i < LENGTH(wanted); i++) {
            assert_int_equal(match[i].query, i < room ? wanted[i][0] : 0x55555555);
            assert_int_equal(match[i].position, i < room ? wanted[i][1] : 0x55555555);
            assert_int_equal(match[i].ply, i < room ? wanted[i][2] : 0x55555555);
        }
    }
    cql_query_free(query);
}

static void refused(CqlQuery *query, const char *fen, const char *pgn, int column, const char *wanted)
{
    CqlMessages *messages;
    assert_int_equal(
        fen ? cql_match_fen(query, fen, NULL, 0, &messages) : match_game(query, pgn, NULL, 0, &messages), -1);
    if (!messages || !strstr(cql_messages_text(messages), wanted))
        fail_msg("%s: %s", wanted, cql_messages_text(messages));
    const CqlMessage *last = cql_messages_get(messages, cql_messages_count(messages) - 1);
    assert_int_equal(last->severity, CQL_ERROR);
    assert_int_equal(last->column, column);
    cql_messages_free(messages);
    assert_int_equal(fen ? cql_match_fen(query, fen, NULL, 0, NULL) : match_game(query, pgn, NULL, 0, NULL),
                     -1);
}

static void errors(void **state)
{
    (void)state;
    CqlQuery *query = compile("true");
    refused(
        query, "4k3/8/8/8/8/8/x7/4K3 w", NULL, 15,
        "FEN:1:15: error: FEN with an unknown character in the board; expected KQRBNPkqrbnp, 1 to 8 or /\n"
        "4k3/8/8/8/8/8/x7/4K3 w\n              ^\n");
    refused(query, "4k3/8/8/8/8/8/8/4K3 x", NULL, 21, "expected w or b after the board\n");
    refused(query, "4k3/8/8/8/8/8/8/4K3 w KQi", NULL, 25, "expected KQkq, A-H, a-h or -\n");
    refused(query, "  4k3/8/8", NULL, 10, "fewer than 64 squares");
    refused(query, "", NULL, 1, "fewer than 64 squares");
    refused(query, "4k3/8/8/8/8/8/8/8 w", NULL, 1, "without exactly one white king");
    refused(query, NULL, "", 0, "error: expected a game in PGN\n");
    refused(query, NULL, "\xFF\xFE[\0", 0, "error: the input is UTF-16; convert it to UTF-8\n");
    refused(query, NULL, games, 0, "error: more than one game; search several with cql_search\n");
    refused(query, NULL, "[FEN \"8/8 w\"]\n\n*", 0,
            "game:1: warning: bad FEN (FEN with fewer than 64 squares), the game is skipped\n"
            "error: its FEN is not a position\n");
    cql_query_free(query);
    static const char *const in_order[] = {"persistent X+=1", "dictionary D D[\"a\"]=\"b\" true",
                                           "readfile(\"x\")==\"y\""};
    for (size_t i = 0; i < LENGTH(in_order); i++) {
        query = compile(in_order[i]);
        refused(query, fools_mate, NULL, 0,
                "the query keeps values from game to game or uses files or programs; use cql_search");
        cql_query_free(query);
    }
    query = compile("x=0 while (x<1000000000) {x+=1} true");
    refused(query, fools_mate, NULL, 5, "query:1:5: error: the query needs too many steps for this game\n");
    cql_query_free(query);
    query = compile_with("true", &(CqlCompileOptions){.size = sizeof(CqlCompileOptions), .dialect = "cqli"});
    refused(query, NULL, "[Variant \"Bughouse\"]\n\n1. e4 *", 0,
            "error: the variant \"Bughouse\" is not supported\n");
    assert_int_equal(match_game(query, "[Variant \"Chess960\"]\n\n1. e4 *", NULL, 0, NULL), 2);
    cql_query_free(query);
}

// In Atomic 2. exd5 takes both pawns off. By default CQL 6.2 finds nothing in such a game (16.1).
static void variants(void **state)
{
    (void)state;
    static const char atomic[] = "[Variant \"Atomic\"]\n\n1. e4 d5 2. exd5 *";
    for (int variants = -1; variants <= 1; variants++) {
        CqlQuery *query =
            compile_with(variants < 0 ? "Pd5" : "P == 7 p == 7",
                         &(CqlCompileOptions){.size = sizeof(CqlCompileOptions), .variants = variants});
        if (variants == 0)
            refused(query, NULL, atomic, 0,
                    "error: games of the variant \"Atomic\" are not searched as chess\n");
        else
            assert_int_equal(match_game(query, atomic, NULL, 0, NULL), 1);
        cql_query_free(query);
    }
}

// Damage is a warning, and what a query prints is there; a query that fails leaves others as they are.
static void messages_of_games(void **state)
{
    (void)state;
    CqlMessages *messages;
    CqlQuery *query = compile("message(\"at\" ply) #A>=1");
    assert_int_equal(match_game(query, "words\n\n1. e4\nQh9 *", NULL, 0, &messages), 2);
    assert_string_equal(cql_messages_text(messages), "game:1: warning: text outside any game ignored\n"
                                                     "game:4: warning: unknown word \"Qh9\" ignored\n"
                                                     "Game: 1 move 1(wtm): at0\nGame: 1 move 1(btm): at1\n");
    cql_messages_free(messages);
    cql_query_free(query);
    const CqlSource both[] = {{"lines", "ply==1"}, {"trees", "cql(variations) ply==1"}};
    query = cql_compile_sources(both, 2, NULL, NULL);
    assert_int_equal(match_game(query, "1. e4 (1. d4) e5", NULL, 0, &messages), 3);
    assert_string_equal(cql_messages_text(messages),
                        "game:1: warning: no result token at the end of the game\n"); // once
    cql_messages_free(messages);
    cql_query_free(query);
}

// ---- the same as searches ---------------------------------------------------------------------------------

static const char *const queries[] = {
    "true",
    "mate",
    "q attacks K",
    "cql(variations) check",
    "cql(result 0-1) wtm",
    "cql(matchcount 2 3) ply>=1",
    "cql(matchcount 0) mate",
    "cql(gamenumber 2) true",
    "player \"Fool\"",
    "gamenumber==1 lastgamenumber==1",
    "tag \"Event\" ~~ \"B\"",
    "originalcomment ~~ \"sharp\"",
    "cql(variations) clock==300",
    "find mate",
    "path (--) N--",
    "echo (s t) { s:#A==t:#A }",
    "sort \"men\" #A initial comment(\"x\")",
    "flip { Pe4 }",
    "event \"A\" or event \"B\"",
};

static const char *const alone[] = {
    "[Event \"A\"]\n[White \"Fool\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n",
    ("[Event \"B\"]\n[Result \"*\"]\n\n1. e4 e5 (1... c5 {[%clk 0:05:00] sharp} 2. Nf3 (2. Bb5 Qa5)) 2. Bc4 "
     "Nc6 *\n\n"),
    "1. e4 {a comment\nof two lines} e5 2. Qh5 Ke7 3. Qxe5#",
    "[FEN \"7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\"]\n\n1. Qg7# 1-0",
    "[FEN \"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\"]\n\n1/2-1/2",
    "\xEF\xBB\xBF[Event \"C\"]\r\n\r\n1. d4 $1 d5 2. c4 dxc4 *\r\n",
    "% a line to skip\n\n1. e4 *",
    "[FEN \"rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1\"]\n[Variant \"Chess960\"]\n\n1. O-O O-O-O *",
};

// Compares what a game gives with what a search of it gives.
static void as_search(CqlQuery *query, const char *label, const char *pgn, const char *fen)
{
    enum { ROOM = 100 };
    CqlMatch match[ROOM];
    const CqlGame *game;
    const int32_t count =
        fen ? cql_match_fen(query, fen, match, ROOM, NULL) : match_game(query, pgn, match, ROOM, NULL);
    int32_t i = 0;
    CqlSearch *s = search_with(query, pgn, (CqlSearchOptions){.threads = 1, .no_sort = 1});
    while (cql_search_next(s, -1, &game) == CQL_GAME) {
        if (game->hit_count == 0 && (match[i].query != game->query || match[i++].position != -1))
            fail_msg("%s: %s", label, pgn);
        for (int32_t h = 0; h < game->hit_count; h++, i++) {
            const CqlHit *hit = game->hit[h];
            if (i >= count || match[i].query != game->query || match[i].position != hit->position ||
                match[i].ply != hit->ply || match[i].variation != hit->variation ||
                match[i].squares != hit->squares)
                fail_msg("%s: %s: match %d", label, pgn, i);
        }
    }
    cql_search_free(s);
    if (i != count)
        fail_msg("%s: %s: %d matches, not %d", label, pgn, count, i);
}

static void as_searches(void **state)
{
    (void)state;
    static const char *const fens[] = {fools_mate,
                                       "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
                                       "4k3/8/8/8/8/8/8/R3K2R w KQ - 3 20",
                                       "r3k3/8/8/3pP3/8/8/8/4K3 w q d6 0 1",
                                       "4k3/8/8/8/8/8/8/4K3 w",
                                       "nbrkr3/8/8/8/8/8/8/NBRKR3 w ECec - 0 1 more"};
    static const CqlEngine engines[] = {CQL_ENGINE_INTERP, CQL_ENGINE_TCC};
    CqlSource sources[LENGTH(queries)];
    for (size_t q = 0; q < LENGTH(queries); q++)
        sources[q] = (CqlSource){queries[q], queries[q]};
    for (size_t e = 0; e < LENGTH(engines); e++)
        for (size_t q = 0; q <= LENGTH(queries); q++) { // one by one, and all together
            const bool all = q == LENGTH(queries);
            const CqlCompileOptions options = {
                .size = sizeof options, .engine = engines[e], .no_squares = q % 4 == 3};
            CqlQuery *query = cql_compile_sources(all ? sources : &sources[q], all ? q : 1, &options, NULL);
            if (!query)
                fail_msg("%s", queries[q]);
            for (size_t i = 0; i < LENGTH(alone); i++)
                as_search(query, all ? "all" : queries[q], alone[i], NULL);
            for (size_t i = 0; i < LENGTH(fens); i++) {
                char pgn[200];
                snprintf(pgn, sizeof pgn, "[FEN \"%s\"]\n\n*\n", fens[i]);
                as_search(query, all ? "all" : queries[q], pgn, fens[i]);
            }
            cql_query_free(query);
        }
}

// ---- memory and threads -----------------------------------------------------------------------------------

// After the first call none takes memory.
static void takes_no_memory(void **state)
{
    (void)state;
    for (size_t q = 0; q < LENGTH(queries); q++) {
        CqlQuery *query = compile(queries[q]);
        CqlMatch match[100];
        long before = 0;
        for (int round = 0; round < 3; round++) {
            before = round == 1 ? allocations : before;
            cql_match_fen(query, fools_mate, match, 100, NULL);
            for (size_t i = 0; i < LENGTH(alone); i++)
                match_game(query, alone[i], match, 100, NULL);
        }
        if (COUNTS && allocations != before)
            fail_msg("%s: %ld allocations", queries[q], allocations - before);
        if (COUNTS && before == 0)
            fail_msg("nothing is counted");
        cql_query_free(query);
    }
}

// What a long game took is given back.
static void forgets_long_games(void **state)
{
    (void)state;
    enum { SIZE = 3 << 20 };
    static const char end[] = "} 1. e4 *";
    char *text = malloc(SIZE + sizeof end);
    memset(text, 'x', SIZE);
    text[0] = '{';
    memcpy(text + SIZE, end, sizeof end);
    CqlQuery *query = compile("originalcomment ~~ \"xx\"");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cql_match_fen(query, fools_mate, NULL, 0, NULL), 0);
        assert_non_null(query->hosts);
        assert_true(match_game(query, text, NULL, 0, NULL) >= 0);
        assert_null(query->hosts);
    }
    cql_query_free(query);
    free(text);
}

static void *match_many(void *user)
{
    enum { ROUNDS = 3000 };
    CqlQuery *query = user;
    size_t right = 0;
    for (int i = 0; i < ROUNDS; i++) {
        CqlMatch match[8];
        right += cql_match_fen(query, fools_mate, match, 8, NULL) == 1 && match[0].squares == 1ULL << 31;
        right += match_game(query, alone[i % 2], match, 8, NULL) == (i % 2 ? 0 : 1);
    }
    return (void *)(uintptr_t)(right == 2 * ROUNDS);
}

static void threads_share_a_query(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    CqlQuery *query = compile("q attacks K mate");
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, match_many, query);
    for (int i = 0; i < THREADS; i++) {
        void *right;
        pthread_join(thread[i], &right);
        assert_non_null(right);
    }
    cql_query_free(query);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(several),
        cmocka_unit_test(errors),
        cmocka_unit_test(variants),
        cmocka_unit_test(messages_of_games),
        cmocka_unit_test(as_searches),
        cmocka_unit_test(takes_no_memory),
        cmocka_unit_test(forgets_long_games),
        cmocka_unit_test(threads_share_a_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
