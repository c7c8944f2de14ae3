// Counts matching games with a compiled matcher:
//
//     cqlgen examples/back-rank.cql -o matcher.so
//     cc examples/embed/count.c -Iruntime/search -Lout -lcqlgen -Wl,-rpath,out -o count
//     ./count matcher.so examples/games.pgn
#include <stdio.h>

#include "cqlgen.h"

static int32_t show(void *user, const CqlHit *hit)
{
    (void)user;
    printf("game %lld: %d position%s, first %d\n", (long long)hit->game, hit->position_count,
           hit->position_count == 1 ? "" : "s", hit->position_count > 0 ? hit->position[0] : -1);
    return 0;
}

int main(int count, char **argument)
{
    if (count != 3) {
        fprintf(stderr, "usage: count MATCHER.so GAMES.pgn\n");
        return 2;
    }
    CqlSearch *search = cql_open(argument[1]);
    if (!search) {
        fprintf(stderr, "count: %s\n", cql_error(NULL));
        return 1;
    }
    int64_t matches = cql_search_file(search, argument[2], show, NULL);
    if (matches < 0)
        fprintf(stderr, "count: %s\n", cql_error(search));
    else
        printf("%lld games match\n", (long long)matches);
    cql_close(search);
    return matches < 0;
}
