// `cqlgen info --names`: the players of a database, those next to each other whose names differ little.
#include <stdlib.h>
#include <string.h>

#include "runtime/database/database.h"
#include "runtime/search/same.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "runtime/value/unicode.h"
#include "cli.h"

typedef struct PlayerName {
    Text name;
    const char *family, *given; // their letters, which end with zeros
    int64_t games;
} PlayerName;

static int compare_players(const void *left, const void *right)
{
    const PlayerName *a = left, *b = right;
    const int family = strcmp(a->family, b->family), given = family ? family : strcmp(a->given, b->given);
    const size_t shorter = a->name.length < b->name.length ? a->name.length : b->name.length;
    const int name = given ? given : memcmp(a->name.start, b->name.start, shorter);
    return name ? name : (a->name.length > b->name.length) - (a->name.length < b->name.length);
}

// May two names, the first of which comes first, be those of one person: in other letters, or with a given name that is shortened?
static bool are_near(const PlayerName *a, const PlayerName *b)
{
    const size_t given = strlen(a->given);
    return strcmp(a->family, b->family) == 0 && *a->family != 0 &&
           (given > 0 ? strncmp(a->given, b->given, given) == 0 : *b->given == 0);
}

// Adds the games of all chunks by the ids of the names. False when columns are damaged.
static bool count_games(Database *d, int64_t *games, size_t names)
{
    static const int column[] = {COLUMN_WHITE, COLUMN_BLACK};
    ChunkColumns columns = {0};
    bool good = true;
    for (int64_t i = 0; i < database_chunk_count(d) && good; i++) {
        good = database_read_columns(d, i, 1U << COLUMN_WHITE | 1U << COLUMN_BLACK, &columns);
        for (size_t k = 0; good && k < 2 * columns.count; k++) {
            const size_t id = (size_t)columns.value[column[k % 2]][k / 2];
            if (id < names)
                games[id]++;
        }
    }
    chunk_columns_free(&columns);
    return good;
}

static PlayerName player_of(const NameList *list, size_t id, int64_t games, Pool *pool, size_t *capacity)
{
    const Text name = {list->text.start + list->place[id].start, list->place[id].length};
    Buffer folded = {0}, letters = {0};
    Text family, given;
    unicode_append_folded(&folded, name.start, name.length);
    name_split((Text){folded.start, folded.length}, &family, &given);
    name_append_letters(&letters, family);
    buffer_append(&letters, "", 1);
    const size_t second = letters.length;
    name_append_letters(&letters, given);
    buffer_append(&letters, "", 1);
    *capacity = 0;
    char *kept = pool_grow(pool, NULL, capacity, letters.length, 1);
    memcpy(kept, letters.start, letters.length);
    buffer_free(&folded);
    buffer_free(&letters);
    return (PlayerName){name, kept, kept + second, games};
}

static void print_list(PlayerName *player, size_t count)
{
    size_t kept = 0;
    qsort(player, count, sizeof *player, compare_players);
    for (size_t i = 0; i < count; i++) // a name may have several ids
        if (kept > 0 && compare_players(&player[kept - 1], &player[i]) == 0)
            player[kept - 1].games += player[i].games;
        else
            player[kept++] = player[i];
    printf("%10s  player\n", "games");
    for (size_t i = 0; i < kept; i++) {
        const bool near = (i > 0 && are_near(&player[i - 1], &player[i])) ||
                          (i + 1 < kept && are_near(&player[i], &player[i + 1]));
        printf_sanitized(stdout, "%c%9lld  %.*s\n", near ? '~' : ' ', (long long)player[i].games,
                         (int)player[i].name.length, player[i].name.start);
    }
}

bool print_players(Database *d)
{
    NameList list = {0};
    Pool pool = {0};
    size_t count = 0, capacity;
    bool good = database_names(d, COLUMN_WHITE, &list);
    int64_t *games = memory_zeroed(list.count, sizeof *games);
    PlayerName *player = memory_zeroed(list.count, sizeof *player);
    good = good && count_games(d, games, list.count);
    for (size_t id = 0; good && id < list.count; id++)
        if (games[id] > 0)
            player[count++] = player_of(&list, id, games[id], &pool, &capacity);
    if (good)
        print_list(player, count);
    free(games);
    free(player);
    pool_free(&pool);
    name_list_free(&list);
    return good;
}
