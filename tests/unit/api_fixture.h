// Queries and searches of the library (compiler/api/cqlgen.h), over games in memory.
#ifndef CQL_API_FIXTURE_H
#define CQL_API_FIXTURE_H

#include "test.h"

#include <stdio.h>

#include "compiler/api/cqlgen.h"

// The fool's mate; then a game with a variation and a comment, without a mate.
static const char games[] = "[Event \"A\"]\n[White \"Fool\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
                            "[Event \"B\"]\n[White \"Other\"]\n[Result \"*\"]\n\n"
                            "1. e4 e5 (1... c5 {[%clk 0:05:00] sharp} 2. Nf3) 2. Bc4 Nc6 *\n\n";

static inline CqlQuery *compile_with(const char *text, const CqlCompileOptions *options)
{
    CqlMessages *messages;
    CqlQuery *query = cql_compile(text, options, &messages);
    if (!query)
        fputs(cql_messages_text(messages), stderr);
    cql_messages_free(messages);
    assert_non_null(query);
    return query;
}

static inline CqlQuery *compile(const char *text)
{
    return compile_with(text, NULL);
}

static inline CqlSearch *search_with(CqlQuery *query, const char *text, CqlSearchOptions options)
{
    const CqlInput input = {"memory.pgn", text, strlen(text)};
    options.size = sizeof options;
    CqlSearch *search = cql_search(query, &input, 1, &options, NULL);
    assert_non_null(search);
    return search;
}

static inline void ends(CqlSearch *s, CqlStatus wanted)
{
    const CqlGame *game;
    assert_int_equal(cql_search_next(s, -1, &game), wanted);
    assert_null(game);
    cql_search_free(s);
}

#endif
