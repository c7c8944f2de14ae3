// A game, and what a query is said to have found in it, for tests of the output formats.
#ifndef CQL_FORMAT_FIXTURE_H
#define CQL_FORMAT_FIXTURE_H

#include "run_fixture.h"

#include "runtime/format/format.h"

typedef struct Sample {
    Game game;
    QueryInfo query;
    RunResult result;
    Matcher matcher;
    Found found;
    FoundGame g;
    FormatMemory memory;
    Buffer out;
} Sample;

static inline void sample_open(Sample *s, const char *pgn)
{
    const GameText source = {{pgn, strlen(pgn)}, 1, 0, 3};
    memset(s, 0, sizeof *s);
    game_init(&s->game);
    game_parse(&s->game, &source, PARSE_VARIATIONS | PARSE_NOTES | PARSE_CLOCKS, NULL, NULL);
    s->query = (QueryInfo){.name = "q.cql", .source = "cql() mate // <b>"};
    s->result.matched = true;
    s->matcher = (Matcher){CQL_MAGIC, CQL_ABI_VERSION, 1, &s->query, "test", CQL_LAYOUT};
    s->found = (Found){&s->query, &s->result};
    s->g = (FoundGame){.matcher = &s->matcher,
                       .input = "in.pgn",
                       .number = 3,
                       .game = &s->game,
                       .found = &s->found,
                       .count = 1};
}

static inline const char *sample_write(Sample *s, SearchFormat format)
{
    s->out.length = 0;
    format_game(format, &s->out, &s->g, &s->memory);
    buffer_append(&s->out, "", 1);
    return s->out.start;
}

static inline void sample_close(Sample *s)
{
    format_memory_free(&s->memory);
    buffer_free(&s->out);
    game_free(&s->game);
}

#endif
