// What the tests of runtime/game share: games from text, reports kept as text.
#ifndef CQL_TEST_GAME_H
#define CQL_TEST_GAME_H

#include "test.h"

#include <stdio.h>

#include "runtime/game/game.h"

// The reports of a run, one a line: "LINE GAME MESSAGE".
static char reports[4096];

static void keep_report(void *user, uint64_t line, int64_t game, const char *message)
{
    (void)user;
    size_t used = strlen(reports);
    snprintf(reports + used, sizeof reports - used, "%d %d %s\n", (int)line, (int)game, message);
}

static inline GameText game_of(const char *text)
{
    return (GameText){{text, strlen(text)}, 1, 0, 1};
}

// Parses one game with variations and notes.
static inline void parse(Game *g, const char *text)
{
    GameText source = game_of(text);
    reports[0] = 0;
    game_parse(g, &source, PARSE_VARIATIONS | PARSE_NOTES, keep_report, NULL);
}

static inline void assert_text(Text t, const char *expected)
{
    char got[512];
    snprintf(got, sizeof got, "%.*s", (int)t.length, t.length ? t.start : "");
    assert_string_equal(got, expected);
}

// Moves of the tree by positionid as UCI words with the parent: "0e2e4 1e7e5".
static inline void assert_tree(const Game *g, const char *expected)
{
    char got[1024] = "", move[SAN_MAX];
    for (int32_t i = 1; i < g->view.count; i++) {
        const Node *n = &g->view.node[i];
        uci_write(g->view.position[n->parent], n->move, move);
        size_t used = strlen(got);
        snprintf(got + used, sizeof got - used, "%s%d%s", i > 1 ? " " : "", (int)n->parent, move);
    }
    assert_string_equal(got, expected);
}

#endif
