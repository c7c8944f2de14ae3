// Compiles a query, searches games with it, and prints the positions that it finds.
//
//     cc search.c $(pkg-config --cflags --libs cqlgen) -o search
#include <cqlgen/cqlgen.h>
#include <stdio.h>
#include <stdlib.h>

static const char *tag(const CqlGame *game, const char *name)
{
    for (int32_t i = 0; i < game->tag_count; i++) {
        const char *a = game->tag[i].name, *b = name;
        while (*a && *a == *b)
            a++, b++;
        if (*a == *b)
            return game->tag[i].value;
    }
    return "";
}

static void print_game(const CqlGame *game)
{
    printf("game %lld, %s - %s\n", (long long)game->number, tag(game, "White"), tag(game, "Black"));
    for (int32_t i = 0; i < game->hit_count; i++) {
        const CqlHit *hit = game->hit[i];
        printf("  %d. %s  %s\n", (int)hit->move_number, hit->san, hit->fen);
    }
}

int main(int count, char **argument)
{
    if (count < 3) {
        fprintf(stderr, "usage: search QUERY GAMES...\n");
        return EXIT_FAILURE;
    }
    CqlMessages *messages;
    CqlQuery *query = cql_compile(argument[1], NULL, &messages);
    fputs(cql_messages_text(messages), stderr);
    cql_messages_free(messages);
    if (!query)
        return EXIT_FAILURE;

    CqlInput input[count];
    for (int i = 2; i < count; i++)
        input[i - 2] = (CqlInput){.name = argument[i]};
    const CqlSearchOptions options = {.size = sizeof options, .threads = 2};
    CqlSearch *search = cql_search(query, input, (size_t)count - 2, &options, &messages);
    cql_query_free(query); // the search keeps it
    if (!search) {
        fputs(cql_messages_text(messages), stderr);
        cql_messages_free(messages);
        return EXIT_FAILURE;
    }
    const CqlGame *game;
    CqlStatus status;
    while ((status = cql_search_next(search, -1, &game)) == CQL_GAME)
        print_game(game);
    fputs(cql_messages_text(cql_search_messages(search)), stderr);
    CqlTotals totals = {.size = sizeof totals};
    cql_search_totals(search, &totals);
    printf("%lld of %lld games match\n", (long long)totals.matches, (long long)totals.games);
    cql_search_free(search);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("standard output");
        return EXIT_FAILURE;
    }
    return status == CQL_END ? EXIT_SUCCESS : EXIT_FAILURE;
}
