// One game and one query for tests of the runtime: the test's body runs as the query's match_game.
#ifndef CQL_RUN_FIXTURE_H
#define CQL_RUN_FIXTURE_H

#include "test.h"

#include "runtime/match/run.h"
#include "runtime/match/table.h"

// A string literal as a String that lives for ever, as the literals of a query do.
#define STR(text)                                                                                            \
    ({                                                                                                       \
        static const struct {                                                                                \
            uint32_t length;                                                                                 \
            char bytes[sizeof text];                                                                         \
        } string_ = {sizeof text - 1, text};                                                                 \
        (String)(const void *) & string_;                                                                    \
    })

#define SQ(name) (1ULL << ((name[1] - '1') * 8 + name[0] - 'a'))

typedef struct Fixture {
    Game game;
    QueryInfo query;
    RunOptions options;
    Run *run;
    RunResult result;
} Fixture;

static inline void fixture_parse(Fixture *f, const char *pgn)
{
    const GameText source = {{pgn, strlen(pgn)}, 1, 0, 1};
    game_init(&f->game);
    game_parse(&f->game, &source, PARSE_VARIATIONS | PARSE_NOTES, NULL, NULL);
    f->game.view.number = 1;
}

// Sets up f->run for f->query; the caller has filled in what it needs of query and options.
static inline void fixture_open(Fixture *f)
{
    char *message;
    f->run = run_new(&f->query, &f->options, NULL, &message);
    assert_non_null(f->run);
}

static inline void fixture_play(Fixture *f, const char *pgn)
{
    fixture_parse(f, pgn);
    run_game(f->run, &f->game, &f->result);
}

static inline void fixture_close(Fixture *f)
{
    run_free(f->run);
    game_free(&f->game);
}

// Runs `body` over a game with a query that has nothing else; the body must not raise.
static inline void with_game(const char *pgn, void (*body)(Context *c))
{
    Fixture f = {.query = {.name = "test", .source = "", .match_game = body}};
    fixture_open(&f);
    fixture_play(&f, pgn);
    if (f.result.error)
        fail_msg("%s", f.result.error);
    fixture_close(&f);
}

static inline void assert_text(String actual, const char *expected)
{
    assert_int_equal(actual->length, strlen(expected));
    assert_string_equal(actual->bytes, expected);
}

#endif
