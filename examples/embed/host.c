// A host for a compiled query: matches one position or one game, as a server does that gets them one by one.
//
//     cqlgen examples/back-rank.cql -o matcher.so
//     cc host.c $(pkg-config --cflags --libs cqlgen) -o host
//     ./host matcher.so '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1'
//     ./host matcher.so game.pgn
//
// With --time it prints how long a call takes, and a search of the same game.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cqlgen/cqlgen.h>

enum { ROOM = 64, MOST_BYTES = 1 << 20 };

// A position, or a game in PGN.
static int32_t match(CqlQuery *query, const char *text, int is_game, CqlMatch *found, CqlMessages **messages)
{
    return is_game ? cql_match_game(query, text, strlen(text), found, ROOM, messages)
                   : cql_match_fen(query, text, found, ROOM, messages);
}

static int show(CqlQuery *query, const char *text, int is_game)
{
    CqlMatch found[ROOM];
    CqlMessages *messages;
    const int32_t count = match(query, text, is_game, found, &messages);
    fputs(cql_messages_text(messages), stderr);
    cql_messages_free(messages);
    for (int32_t i = 0; i < count && i < ROOM; i++)
        printf("%s: ply %d\n", cql_query_name(query, found[i].query), (int)found[i].ply);
    if (count < 0)
        return 2;
    printf("%d position%s\n", (int)count, count == 1 ? " matches" : "s match");
    return count == 0;
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void search(CqlQuery *query, const char *pgn)
{
    const CqlInput input = {"game", pgn, strlen(pgn)};
    const CqlSearchOptions options = {.size = sizeof options, .threads = 1};
    const CqlGame *game;
    CqlSearch *s = cql_search(query, &input, 1, &options, NULL);
    while (cql_search_next(s, -1, &game) == CQL_GAME)
        ;
    cql_search_free(s);
}

static void measure(CqlQuery *query, const char *text, int is_game)
{
    enum { CALLS = 100000, SEARCHES = 1000 };
    CqlMatch found[ROOM];
    char pgn[200];
    snprintf(pgn, sizeof pgn, "[FEN \"%.150s\"]\n\n*\n", text);
    double start = now();
    for (int i = 0; i < CALLS; i++)
        match(query, text, is_game, found, NULL);
    const double call = (now() - start) / CALLS;
    start = now();
    for (int i = 0; i < SEARCHES; i++)
        search(query, is_game ? text : pgn);
    const double whole = (now() - start) / SEARCHES;
    printf("a call %.2f us, a search %.0f us: %.0f times as long\n", call * 1e6, whole * 1e6, whole / call);
}

// The text of a file, or NULL when there is none.
static char *read_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    char *text = file ? malloc(MOST_BYTES + 1) : NULL;
    if (text)
        text[fread(text, 1, MOST_BYTES, file)] = 0;
    if (file)
        fclose(file);
    return text;
}

int main(int count, char **argument)
{
    const int timed = count > 1 && strcmp(argument[1], "--time") == 0;
    CqlMessages *messages;
    if (count != 3 + timed) {
        fprintf(stderr, "usage: host [--time] MATCHER.so FEN|GAME.pgn\n");
        return 2;
    }
    CqlQuery *query = cql_load(argument[1 + timed], &messages);
    fputs(cql_messages_text(messages), stderr);
    cql_messages_free(messages);
    if (!query)
        return 2;
    char *game = read_file(argument[2 + timed]);
    const char *text = game ? game : argument[2 + timed];
    const int status = show(query, text, game != NULL);
    if (timed && status < 2)
        measure(query, text, game != NULL);
    free(game);
    cql_query_free(query);
    return status;
}
