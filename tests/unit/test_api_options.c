// The options of the library's functions, one by one, and what they change.
#include "api_fixture.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define COMPILE(text, ...)                                                                                   \
    compile_with(text, &(CqlCompileOptions){.size = sizeof(CqlCompileOptions), __VA_ARGS__})

// The first message about a query that is refused.
static void refused(const char *text, CqlCompileOptions options, const char *wanted)
{
    CqlMessages *messages;
    options.size = sizeof options;
    CqlQuery *query = cql_compile(text, &options, &messages);
    if (query)
        fail_msg("%s: not refused", text);
    if (!strstr(cql_messages_text(messages), wanted))
        fail_msg("%s: %s", text, cql_messages_text(messages));
    cql_messages_free(messages);
}

// The numbers of the games that the query finds, or of those of its positions, in order; the search ends with the status.
static void finds(CqlQuery *query, const char *text, CqlSearchOptions options, bool positions,
                  const char *wanted)
{
    char found[200] = "";
    const CqlGame *game;
    CqlSearch *s = search_with(query, text, options);
    while (cql_search_next(s, -1, &game) == CQL_GAME) {
        if (!positions)
            sprintf(found + strlen(found), "%d ", (int)game->number);
        for (int i = 0; i < game->hit_count && positions; i++)
            sprintf(found + strlen(found), "%d ", game->hit[i]->position);
    }
    assert_string_equal(found, wanted);
    ends(s, CQL_END);
}

static void finds_and_frees(CqlQuery *query, const char *wanted)
{
    finds(query, games, (CqlSearchOptions){0}, true, wanted);
    cql_query_free(query);
}

// ---- compiling --------------------------------------------------------------------------------------------

static void of_queries(void **state)
{
    (void)state;
    CqlMessages *messages;
    refused("chek", (CqlCompileOptions){.name = "mine"}, "mine:1:1: error: ");
    refused("check", (CqlCompileOptions){.dialect = "cql7"},
            "error: unknown dialect `cql7`; expected `cql6`, `cqli`, `cql5` or `cql3`\n");
    refused("writefile(\"x\" \"y\")", (CqlCompileOptions){.secure = 1},
            "error: `writefile` is refused because of --secure");
    refused("readfile(\"x\")==\"y\"", (CqlCompileOptions){.secure = 1},
            "error: `readfile` is refused because of --secure");
    refused("check wdl", (CqlCompileOptions){0},
            "query:1:7: error: `wdl` needs endgame tablebases: name their folder with `syzygy`");
    refused("dtz > 3", (CqlCompileOptions){.syzygy = "/no such folder"},
            "error: cannot read the folder of tablebases /no such folder: ");
    refused("check", (CqlCompileOptions){.count_by = "elo/"}, "error: ");
    refused("chek", (CqlCompileOptions){.count_by = "ply"}, "query:1:1: error: unknown name `chek`");
    refused("check chek", (CqlCompileOptions){.count_by = "ply,chek"},
            "query:1:7: error: unknown name `chek`");
    refused("check", (CqlCompileOptions){.count_by = "chek+1"}, "--count-by:1:1: error: unknown name `chek`");
    refused("check", (CqlCompileOptions){.count_by = "ply,chek+1,ply/2"},
            "--count-by:1:1: error: unknown name `chek`");
    refused("check", (CqlCompileOptions){.count_by = "ply/2,ply+chek"},
            "--count-by:1:5: error: unknown name `chek`");
    refused("check", (CqlCompileOptions){.count_by = "ply,1+chek"},
            "--count-by:1:3: error: unknown name `chek`");
    refused("check", (CqlCompileOptions){.memory = 1}, "left of the 0 MB for queries");
    refused("check", (CqlCompileOptions){.engine = CQL_ENGINE_CC, .no_cache = 1, .cc = "no-such-compiler"},
            "cannot run the C compiler \"no-such-compiler\"");
    assert_null(cql_compile_sources(NULL, 0, NULL, &messages));
    assert_string_equal(cql_messages_text(messages), "error: expected 1 to 32767 queries, not 0\n");
    cql_messages_free(messages);
    CqlSource *many = calloc(INT16_MAX + 1, sizeof *many);
    assert_null(cql_compile_sources(many, INT16_MAX + 1, NULL, &messages));
    assert_string_equal(cql_messages_text(messages), "error: expected 1 to 32767 queries, not 32768\n");
    cql_messages_free(messages);
    free(many);
    // An option that an older program does not know is 0.
    CqlQuery *query =
        cql_compile("check", &(CqlCompileOptions){.size = sizeof(size_t), .dialect = "cql7"}, NULL);
    assert_non_null(query);
    cql_query_free(query);
}

// What is part of CQLi alone is accepted with a note, or refused.
static void pedantic(void **state)
{
    (void)state;
    CqlMessages *messages;
    const char *text = "line --> check {2 3}"; // the space is CQLi's (13.6)
    CqlQuery *query = cql_compile(text, NULL, &messages);
    assert_non_null(query);
    assert_int_equal(cql_messages_get(messages, 0)->severity, CQL_NOTE);
    cql_messages_free(messages);
    cql_query_free(query);
    refused(text, (CqlCompileOptions){.pedantic = 1}, "is part of the dialect CQLi, not of CQL 6.2");
}

// What the C compiler has made is kept, unless that is not wanted.
static void caches(void **state)
{
    (void)state;
    for (int without = 0; without < 3; without++) {
        char folder[] = "/tmp/cqlgen-api-XXXXXX", command[100];
        assert_non_null(mkdtemp(folder));
        setenv("XDG_CACHE_HOME", folder, 1);
        finds_and_frees(COMPILE("mate", .engine = CQL_ENGINE_CC, .no_cache = without), "4 ");
        unsetenv("XDG_CACHE_HOME");
        snprintf(command, sizeof command, "ls %s/cqlgen/*.so >/dev/null 2>&1", folder);
        assert_int_equal(system(command) == 0, without == 0);
        snprintf(command, sizeof command, "rm -r %s", folder);
        assert_int_equal(system(command), 0);
    }
}

static void variations(void **state)
{
    (void)state;
    finds_and_frees(compile("pc5"), "");
    finds_and_frees(COMPILE("pc5", .variations = 1), "5 6 ");
    finds_and_frees(compile("cql(variations) pc5"), "5 6 ");
    finds_and_frees(COMPILE("cql(variations) pc5", .variations = -1), "");
}

// Every engine finds the same; a text is a whole query where it begins with a header.
static void engines(void **state)
{
    (void)state;
    for (int engine = CQL_ENGINE_AUTO; engine <= CQL_ENGINE_CC; engine++)
        for (int plain = 0; plain < 2; plain++)
            finds_and_frees(COMPILE("mate", .engine = engine, .no_cache = 1, .no_optimize = plain), "4 ");
    finds_and_frees(compile("  // a comment\n/* another */ cql ( ) mate"), "4 ");
    finds_and_frees(compile("cql(gamenumber 2) Bc4"), "3 4 ");
    finds_and_frees(compile("mate // cql()"), "4 ");
    finds_and_frees(COMPILE("(match :pgn x.pgn :output y.pgn (position qh4 Ke1))", .dialect = "cql3"), "4 ");
}

static void squares(void **state)
{
    (void)state;
    for (int without = 0; without < 2; without++) {
        const CqlGame *game;
        CqlQuery *query = COMPILE("mate qh4", .no_squares = without);
        CqlSearch *s = search_with(query, games, (CqlSearchOptions){0});
        assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
        assert_true(game->hit[0]->squares == (without ? 0 : 1ULL << 31)); // h4
        ends(s, CQL_END);
        cql_query_free(query);
    }
}

// The text of a message without the end of its line.
static void ends_of_messages(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"initial message quiet(\"seen\")", "seen"},
                                           {"initial message quiet(\"\")", ""},
                                           {"initial message quiet(\"a\")", "a"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const CqlGame *game;
        CqlQuery *query = compile(cases[i][0]);
        CqlSearch *s = search_with(query, games, (CqlSearchOptions){.last_game = 1});
        while (cql_search_next(s, -1, &game) == CQL_GAME)
            ;
        assert_int_equal(cql_messages_count(cql_search_messages(s)), 1);
        assert_string_equal(cql_messages_get(cql_search_messages(s), 0)->text, cases[i][1]);
        cql_search_free(s);
        cql_query_free(query);
    }
}

// What is found is shown once more for diagrams, without the messages of the query.
static void messages_once(void **state)
{
    (void)state;
    for (int engine = CQL_ENGINE_INTERP; engine <= CQL_ENGINE_TCC; engine++) {
        const CqlGame *game;
        CqlQuery *query = COMPILE("mate message quiet(\"seen\")", .engine = engine);
        CqlSearch *s = search_with(query, games, (CqlSearchOptions){0});
        assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
        assert_int_equal(cql_search_next(s, -1, &game), CQL_END);
        assert_int_equal(cql_messages_count(cql_search_messages(s)), 1);
        assert_string_equal(cql_messages_get(cql_search_messages(s), 0)->text, "seen");
        cql_search_free(s);
        cql_query_free(query);
    }
}

// The value of a persistent variable at the end is output of the query: num counts the ten positions.
static void persistent_values(void **state)
{
    (void)state;
    const CqlGame *game;
    CqlQuery *query = COMPILE("persistent num+=1 mate", .engine = CQL_ENGINE_INTERP);
    CqlSearch *s = search_with(query, games, (CqlSearchOptions){.threads = 2});
    assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
    assert_int_equal(cql_search_next(s, -1, &game), CQL_END);
    const CqlMessages *messages = cql_search_messages(s);
    assert_int_equal(cql_messages_count(messages), 1);
    assert_int_equal(cql_messages_get(messages, 0)->severity, CQL_OUTPUT);
    assert_string_equal(cql_messages_get(messages, 0)->text, "num: 10");
    cql_search_free(s);
    cql_query_free(query);
}

// What a query says of itself.
static void about_queries(void **state)
{
    (void)state;
    CqlQuery *query = COMPILE("sort \"men\" #A mate", .name = "mates");
    assert_int_equal(cql_query_count(query), 1);
    assert_string_equal(cql_query_name(query, 0), "mates");
    assert_null(cql_query_name(query, 1));
    assert_null(cql_query_name(query, -1));
    assert_string_equal(cql_query_dialect(query, 0), "cql6");
    assert_null(cql_query_dialect(query, 1));
    assert_int_equal(cql_query_sort_count(query, 0), 1);
    assert_int_equal(cql_query_sort_count(query, 1), 0);
    assert_string_equal(cql_query_sort_title(query, 0, 0), "men");
    assert_null(cql_query_sort_title(query, 0, 1));
    assert_null(cql_query_sort_title(query, 0, -1));
    assert_null(cql_query_sort_title(query, 1, 0));
    cql_query_free(query);
    cql_query_free(NULL);
}

// ---- searching --------------------------------------------------------------------------------------------

static void of_searches(void **state)
{
    (void)state;
    CqlQuery *query = compile("ply>2"); // positions 3, 4; 3, 4 of the main lines
    finds(query, games, (CqlSearchOptions){0}, false, "1 2 ");
    finds(query, games, (CqlSearchOptions){.limit = 1}, false, "1 ");
    finds(query, games, (CqlSearchOptions){.limit = 2}, false, "1 2 ");
    finds(query, games, (CqlSearchOptions){.first_game = 2}, false, "2 ");
    finds(query, games, (CqlSearchOptions){.last_game = 1}, false, "1 ");
    finds(query, games, (CqlSearchOptions){.first_game = 2, .last_game = 1}, false, "");
    finds(query, games, (CqlSearchOptions){.threads = 5000}, false, "1 2 ");
    finds(query, games, (CqlSearchOptions){.max_seconds = HUGE_VAL}, false, "1 2 ");
    finds(query, games, (CqlSearchOptions){.last_game = 1}, true, "3 4 ");
    finds(query, games, (CqlSearchOptions){.last_game = 1, .first = 1}, true, "3 ");
    cql_query_free(query);
    query = compile("sort \"ply\" -ply ply>2"); // the most first
    finds(query, games, (CqlSearchOptions){0}, false, "1 2 ");
    cql_query_free(query);
    query = compile("sort \"number\" gamenumber");
    finds(query, games, (CqlSearchOptions){0}, false, "2 1 ");
    finds(query, games, (CqlSearchOptions){.limit = 1}, false, "2 ");
    finds(query, games, (CqlSearchOptions){.no_sort = 1}, false, "1 2 ");
    finds(query, games, (CqlSearchOptions){.no_sort = 1, .limit = 1}, false, "1 ");
    cql_query_free(query);
}

// A query that takes too many steps in a game fails there, and the search goes on.
static void steps(void **state)
{
    (void)state;
    const CqlGame *game;
    CqlQuery *query = compile("x=0 while (x<1000) {x+=1} check");
    finds(query, games, (CqlSearchOptions){.max_steps = 1000000}, false, "1 ");
    CqlSearch *s = search_with(query, games, (CqlSearchOptions){.max_steps = 500});
    assert_int_equal(cql_search_next(s, -1, &game), CQL_END);
    assert_int_equal(cql_messages_count(cql_search_messages(s)), 2);
    const CqlMessage *m = cql_messages_get(cql_search_messages(s), 1);
    assert_int_equal(m->severity, CQL_ERROR);
    assert_int_equal(m->game, 2);
    CqlTotals totals = {.size = sizeof totals};
    cql_search_totals(s, &totals);
    assert_int_equal(totals.games, 2);
    assert_int_equal(totals.matches, 0);
    assert_int_equal(totals.errors, 2);
    cql_search_free(s);
    cql_query_free(query);
}

// Files and programs, only as far as they are allowed.
static void outside(void **state)
{
    (void)state;
    char folder[] = "/tmp/cqlgen-api-XXXXXX", path[64], text[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/text.pgn", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("h4", file);
    fclose(file);
    CqlQuery *query = compile("readfile(\"text.pgn\")==\"h4\" mate");
    finds(query, games, (CqlSearchOptions){.allow_files = folder}, false, "1 ");
    finds(query, games, (CqlSearchOptions){0}, false, "");
    cql_query_free(query);
    snprintf(text, sizeof text, "readfile(\"%s\")==\"h4\" mate", path);
    query = compile(text);
    finds(query, games, (CqlSearchOptions){.allow_files = "/"}, false, "1 ");
    finds(query, games, (CqlSearchOptions){.allow_files = folder}, false, "");
    cql_query_free(query);
    query = compile("commandpipe(\"cat\" \"h4\")==\"h4\" mate");
    finds(query, games, (CqlSearchOptions){.allow_commands = 1}, false, "1 ");
    finds(query, games, (CqlSearchOptions){0}, false, "");
    cql_query_free(query);
    unlink(path);
    rmdir(folder);
}

// Inputs one after the other; what of a game is wanted.
static void inputs(void **state)
{
    (void)state;
    const char *second = strstr(games, "[Event \"B\"]");
    const CqlInput input[] = {{"one.pgn", games, strlen(games)}, {NULL, second, strlen(second)}};
    const CqlGame *game;
    CqlQuery *query = compile("ply==0");
    CqlSearch *s = cql_search(query, input, 2, NULL, NULL);
    static const struct {
        const char *file;
        int number, number_in_file;
        bool at_start;
    } wanted[] = {{"one.pgn", 1, 1, true}, {"one.pgn", 2, 2, false}, {"games", 3, 1, true}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
        assert_string_equal(game->file, wanted[i].file);
        assert_int_equal(game->number, wanted[i].number);
        assert_int_equal(game->number_in_file, wanted[i].number_in_file);
        assert_int_equal(game->offset, wanted[i].at_start ? 0 : second - games);
        assert_int_equal(game->query, 0);
        assert_int_equal(game->hit[0]->move_number, 0);
        assert_string_equal(game->hit[0]->san, "");
        assert_string_equal(game->hit[0]->uci, "");
        assert_string_equal(game->hit[0]->next_uci, i == 0 ? "f2f3" : "e2e4");
        assert_int_equal(game->hit[0]->eval, CQL_NONE);
        assert_int_equal(game->hit[0]->elapsed, CQL_NONE);
        assert_null(game->pgn);
    }
    assert_int_equal(cql_search_next(s, -1, &game), CQL_END);
    CqlTotals totals = {.size = sizeof totals};
    cql_search_totals(s, &totals);
    assert_int_equal(totals.games, 3);
    assert_int_equal(totals.matches, 3);
    assert_int_equal(totals.hits, 3);
    assert_int_equal(totals.positions, 15);
    assert_int_equal(totals.bytes, strlen(games) + strlen(second));
    assert_int_equal(totals.damaged, 0);
    assert_true(totals.seconds > 0);
    cql_search_free(s);
    s = search_with(query, games, (CqlSearchOptions){.want = CQL_WANT_HITS | CQL_WANT_PGN});
    assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
    assert_non_null(game->pgn);
    assert_non_null(game->hit);
    cql_search_free(s);
    cql_query_free(query);
}

// Comments that a query adds elsewhere are notes; sort keys may be texts, or have no value.
static void notes_and_keys(void **state)
{
    (void)state;
    const CqlGame *game;
    CqlQuery *query = compile("initial find quiet {mate comment(\"end\") sort \"who\" player white} "
                              "({false sort \"none\" ply} or ply==0)");
    CqlSearch *s = search_with(query, games, (CqlSearchOptions){0});
    assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
    assert_int_equal(game->hit_count, 1);
    assert_int_equal(game->hit[0]->position, 0);
    assert_int_equal(game->note_count, 1);
    assert_int_equal(game->note[0].position, 4);
    assert_int_equal(game->note[0].ply, 4);
    assert_string_equal(game->note[0].comment, "end");
    assert_int_equal(game->sort_count, 2);
    assert_string_equal(game->sort[0].title, "who");
    assert_int_equal(game->sort[0].has_value, 1);
    assert_string_equal(game->sort[0].text, "Fool");
    assert_int_equal(game->sort[1].has_value, 0);
    assert_int_equal(game->sort[1].number, 0);
    assert_null(game->sort[1].text);
    ends(s, CQL_END);
    cql_query_free(query);
    // A NUL in a tag ends no text.
    static const char text[] = "[Event \"a\0b\"]\n[White \"x\"]\n\n1. e4 *\n";
    const CqlInput input = {"nul.pgn", text, sizeof text - 1};
    query = compile("ply==1");
    s = cql_search(query, &input, 1, NULL, NULL);
    assert_int_equal(cql_search_next(s, -1, &game), CQL_GAME);
    assert_string_equal(game->tag[0].value, "a b");
    assert_string_equal(game->hit[0]->uci, "e2e4");
    cql_search_free(s);
    cql_query_free(query);
}

// ---- groups -----------------------------------------------------------------------------------------------

static const char results[] =
    "[Date \"2001.??.??\"]\n[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
    "[Date \"1999.01.01\"]\n[White \"B\"]\n[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n\n"
    "[Date \"2001.??.??\"]\n[White \"B\"]\n[Result \"0-1\"]\n\n1. d4 0-1\n\n"
    "[White \"C\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";

static CqlSearch *grouped(const char *keys, CqlSearchOptions options, const CqlGroups **groups)
{
    CqlQuery *query = COMPILE("P & [d4,e4]", .count_by = keys);
    const CqlGame *game;
    options.want = CQL_WANT_GROUPS;
    CqlSearch *s = search_with(query, results, options);
    cql_query_free(query);
    assert_null(cql_search_next(s, 0, &game) == CQL_WAIT ? cql_search_groups(s) : NULL);
    while (cql_search_next(s, 100, &game) == CQL_WAIT)
        ;
    *groups = cql_search_groups(s);
    assert_non_null(*groups);
    return s;
}

static void groups_and_orders(void **state)
{
    (void)state;
    const CqlGroups *g;
    CqlSearch *s = grouped("year", (CqlSearchOptions){.group_order = CQL_GROUPS_BY_GAMES}, &g);
    assert_int_equal(g->key_count, 1);
    assert_string_equal(g->key[0], "year");
    assert_int_equal(g->count, 3);
    assert_int_equal(g->group[0]->value[0].kind, CQL_GROUP_NUMBER);
    assert_int_equal(g->group[0]->value[0].number, 2001);
    assert_string_equal(g->group[0]->value[0].text, "2001");
    assert_int_equal(g->group[0]->games, 2);
    assert_int_equal(g->group[0]->white, 1);
    assert_int_equal(g->group[0]->draws, 0);
    assert_int_equal(g->group[0]->black, 1);
    assert_int_equal(g->group[0]->searched, 0);
    assert_true(g->group[0]->percent == 50);
    cql_search_free(s);
    s = grouped("year", (CqlSearchOptions){.group_order = CQL_GROUPS_BY_KEY}, &g);
    int none = -1, old = -1, new = -1;
    for (int i = 0; i < g->count; i++) {
        const CqlGroupValue *value = g->group[i]->value;
        if (value->kind == CQL_GROUP_NONE)
            none = i;
        else
            *(value->number == 1999 ? &old : &new) = i;
    }
    assert_true(none >= 0 && old >= 0 && old < new);
    assert_int_equal(g->group[old]->draws, 1);
    cql_search_free(s);
    // Results are texts; those beyond the limit are one group.
    s = grouped("result", (CqlSearchOptions){.group_order = CQL_GROUPS_BY_GAMES, .limit = 1}, &g);
    assert_int_equal(g->count, 2);
    assert_int_equal(g->group[0]->value[0].kind, CQL_GROUP_TEXT);
    assert_string_equal(g->group[0]->value[0].text, "1-0");
    assert_int_equal(g->group[0]->games, 2);
    assert_null(g->group[1]->value);
    assert_int_equal(g->group[1]->games, 2);
    cql_search_free(s);
}

// ---- boards -----------------------------------------------------------------------------------------------

static bool board_has(CqlBoardOptions options, const char *part)
{
    options.size = sizeof options;
    char *svg = cql_board_svg("8/8/8/8/4K3/8/8/k7 w - - 0 1", &options);
    assert_non_null(svg);
    const bool found = strstr(svg, part) != NULL;
    cql_free(svg);
    return found;
}

static void boards(void **state)
{
    (void)state;
    static const struct {
        int32_t given;
        const char *width;
    } widths[] = {{0, "width='360'"}, {1, "width='1'"}, {500, "width='500'"}, {9999, "width='9999'"}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        assert_true(board_has((CqlBoardOptions){.width = widths[i].given}, widths[i].width));
    // Squares are 45 wide, a8 is at 0 0.
    assert_true(board_has((CqlBoardOptions){.last = "e2e4"}, "class='last' d='M180 270h45"));
    assert_true(board_has((CqlBoardOptions){.last = "e2e4"}, "class='last' d='M180 180h45"));
    assert_true(board_has((CqlBoardOptions){.last = "a1h8q"}, "class='last' d='M0 315h45"));
    assert_true(board_has((CqlBoardOptions){.last = "h8a1"}, "class='last' d='M315 0h45"));
    assert_true(board_has((CqlBoardOptions){.last = "e2e4", .flipped = 1}, "class='last' d='M135 45h45"));
    static const char *const no_move[] = {NULL,   "",     "e2e",  "i2e4", "e0e4", "e2i4",
                                          "e2e9", "`2e4", "e2`4", "E2e4", "O-O"};
    for (size_t i = 0; i < sizeof no_move / sizeof *no_move; i++) {
        assert_false(board_has((CqlBoardOptions){.last = no_move[i]}, "class='last'"));
        assert_false(board_has((CqlBoardOptions){.next = no_move[i]}, "class='next'"));
    }
    assert_true(board_has((CqlBoardOptions){.next = "e4e5"}, "class='next'"));
    assert_false(board_has((CqlBoardOptions){.next = "e4e5"}, "class='last'"));
    assert_true(board_has((CqlBoardOptions){.squares = 1}, "class='found' cx='22.5' cy='337.5'"));
    assert_false(board_has((CqlBoardOptions){.squares = 0}, "class='found'"));
    assert_true(
        board_has((CqlBoardOptions){.squares = 1, .flipped = 1}, "class='found' cx='337.5' cy='22.5'"));
    assert_true(board_has((CqlBoardOptions){0}, "aria-label='8/8/8/8/4K3/8/8/k7'"));
    char *plain = cql_board_svg("8/8/8/8/4K3/8/8/k7 w - - 0 1", NULL);
    assert_non_null(plain);
    cql_free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_queries),
        cmocka_unit_test(pedantic),
        cmocka_unit_test(variations),
        cmocka_unit_test(caches),
        cmocka_unit_test(engines),
        cmocka_unit_test(squares),
        cmocka_unit_test(messages_once),
        cmocka_unit_test(ends_of_messages),
        cmocka_unit_test(persistent_values),
        cmocka_unit_test(about_queries),
        cmocka_unit_test(of_searches),
        cmocka_unit_test(steps),
        cmocka_unit_test(outside),
        cmocka_unit_test(inputs),
        cmocka_unit_test(notes_and_keys),
        cmocka_unit_test(groups_and_orders),
        cmocka_unit_test(boards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
