// Reads games into memory.
#include "games.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int64_t read_file(void *user, void *buffer, size_t size)
{
    return read(*(int *)user, buffer, size);
}

static void add_game(Games *games, GameText text, unsigned flags)
{
    Game *g = &games->game[games->count];
    char *copy = games->text[games->count] = malloc(text.text.length + 1);
    if (!copy)
        abort();
    memcpy(copy, text.text.start, text.text.length);
    text.text.start = copy;
    game_init(g);
    game_parse(g, &text, flags, NULL, NULL);
    g->view.number = ++games->count;
    g->view.last_number = MAX_GAMES;
    if (!g->skipped)
        games->positions += g->view.count;
}

void games_load(Games *games, const char *path, unsigned flags, int most, int64_t positions)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0) {
        perror(path);
        exit(2);
    }
    PgnSplitter *splitter = pgn_split_open(read_file, &fd, NULL, NULL);
    GameText text;
    most = most < MAX_GAMES ? most : MAX_GAMES;
    while (games->count < most && games->positions < positions && pgn_split_next(splitter, &text))
        add_game(games, text, flags);
    pgn_split_close(splitter);
    close(fd);
}

void games_free(Games *games)
{
    for (int i = 0; i < games->count; i++) {
        game_free(&games->game[i]);
        free(games->text[i]);
    }
}
