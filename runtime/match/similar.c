// `similarposition` (language reference 6.15): an index of the positions of a file. The key of a position is
// the hash of the least of its images under the transforms, so similar positions have the same key. Positions
// with the same key are compared.
#include "similar.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "planes.h"
#include "runtime/game/game.h"
#include "runtime/value/file_open.h"
#include "runtime/value/memory.h"

typedef struct Entry {
    uint64_t key;
    Planes board;
    int32_t game, move_number;
    int32_t next; // entry of the same bucket, later in the file; -1: none
    uint8_t side;
} Entry;

struct SimilarFile {
    Entry *entry;
    int32_t count;
    size_t capacity;
    int32_t *bucket; // first entry by key, -1: none
    uint32_t mask;   // number of buckets - 1
    bool plain;
    atomic_int owners;
};

// ---- maps -------------------------------------------------------------------------------------------------

int similar_map_name(SimilarMap map, char out[SIMILAR_NAME_MAX])
{
    static const char *const names[BOARD_SYMMETRIES] = {"",
                                                        "reflect_v",
                                                        "reflect_h",
                                                        "rotate180",
                                                        "reflect_a1h8",
                                                        "reflect_a8h1",
                                                        "clockwise90",
                                                        "counterclockwise90"};
    const char *name = names[map.symmetry];
    if (map.files == 0)
        return snprintf(out, SIMILAR_NAME_MAX, "%s", name);
    return snprintf(out, SIMILAR_NAME_MAX, "%s^%d%s%s", map.files < 0 ? "left" : "right", abs(map.files),
                    *name ? " " : "", name);
}

// The maps that are allowed: shifts along the ranks and the left-right mirror image with pawns, all symmetries
// without.
static int symmetry_count(bool pawns, bool plain)
{
    return plain ? 1 : pawns ? 2 : BOARD_SYMMETRIES;
}

// `number` is that of the symmetry in the table in 8.3.
static Planes symmetry_image(const Planes *board, int number)
{
    static const uint8_t symmetry[BOARD_SYMMETRIES] = {0, 1, 2, 3, 4, 7, 6, 5};
    return planes_image(board, symmetry[number], 0);
}

static int first_file(const Planes *board)
{
    const Bitboard occupied = planes_difference(board, &(Planes){{0}});
    int file = 0;
    while (file < 7 && !(occupied & BB_FILE_A << file))
        file++;
    return file;
}

static bool has_pawns(const Position *p)
{
    return (p->board[WHITE_PAWN] | p->board[BLACK_PAWN]) != 0;
}

// The first map that takes `from` to the position: shifts before the mirror image.
static bool find_map(const Planes *from, const Position *p, bool plain, SimilarMap *map)
{
    const Planes to = planes_of(p);
    const bool pawns = has_pawns(p);
    for (int s = 0; s < symmetry_count(pawns, plain); s++) {
        Planes image = symmetry_image(from, s);
        *map = (SimilarMap){(uint8_t)s, 0};
        if (pawns && !plain) {
            map->files = (int8_t)(first_file(&to) - first_file(&image));
            image = planes_image(&image, 0, map->files);
        }
        if (!planes_difference(&image, &to))
            return true;
    }
    return false; // only the hashes are equal
}

// The hash of the least image of the position. With pawns all images are moved to the a-file.
static uint64_t key_of(const Position *p, bool plain)
{
    const Planes board = planes_of(p);
    const bool pawns = has_pawns(p);
    Planes least = board;
    for (int s = 0; s < symmetry_count(pawns, plain); s++) {
        Planes image = symmetry_image(&board, s);
        if (pawns && !plain)
            image = planes_image(&image, 0, -first_file(&image));
        if (s == 0 || memcmp(&image, &least, sizeof image) < 0)
            least = image;
    }
    return planes_hash(&least) + p->side;
}

// ---- reading ----------------------------------------------------------------------------------------------

static void add_position(SimilarFile *f, const Position *p, int32_t game, int32_t move_number)
{
    f->entry = memory_grow(f->entry, &f->capacity, (size_t)f->count + 1, sizeof *f->entry);
    Entry *e = &f->entry[f->count++];
    *e = (Entry){.key = key_of(p, f->plain),
                 .board = planes_of(p),
                 .game = game,
                 .move_number = move_number,
                 .side = p->side};
}

static void add_game(SimilarFile *f, const Game *game, int32_t number)
{
    const GameView *view = &game->view;
    const int32_t black_began = view->position[0]->side == BLACK;
    for (int32_t n = 0; n < view->count && f->count < INT32_MAX / 2; n++)
        add_position(f, view->position[n], number, (view->node[n].ply + black_began) / 2 + 1);
}

// Buckets are filled from the end, so that each chain is in the order of the file.
static void make_buckets(SimilarFile *f)
{
    uint32_t size = 16;
    while (size < (uint32_t)f->count)
        size *= 2;
    f->mask = size - 1;
    f->bucket = memory_new(size * sizeof *f->bucket);
    memset(f->bucket, 0xff, size * sizeof *f->bucket);
    for (int32_t i = f->count - 1; i >= 0; i--) {
        int32_t *first = &f->bucket[f->entry[i].key & f->mask];
        f->entry[i].next = *first;
        *first = i;
    }
}

// The open file, and when to stop waiting for a pipe.
typedef struct Reading {
    int fd;
    bool (*stopped)(void *user);
    void *user;
} Reading;

static int64_t read_bytes(void *user, void *buffer, size_t size)
{
    const Reading *r = user;
    for (;;) {
        if (!file_wait(r->fd, r->stopped, r->user))
            return 0;
        const ssize_t count = read(r->fd, buffer, size);
        if (count >= 0 || errno != EINTR)
            return count;
    }
}

static char *failure(const char *path, const char *why)
{
    return memory_format("similarposition: cannot read \"%.300s\": %s", path, why);
}

// False after a read error.
static bool read_games(SimilarFile *f, Reading *r, const char *path, char **message)
{
    PgnSplitter *splitter = pgn_split_open(read_bytes, r, NULL, NULL);
    GameText text;
    Game game;
    game_init(&game);
    while (pgn_split_next(splitter, &text)) {
        game_parse(&game, &text, 0, NULL, NULL);
        if (!game.skipped)
            add_game(f, &game, (int32_t)text.number);
    }
    game_free(&game);
    const char *error = pgn_split_error(splitter);
    if (error)
        *message = failure(path, error);
    pgn_split_close(splitter);
    return error == NULL;
}

SimilarFile *similar_read(const char *path, bool allowed, bool plain, bool (*stopped)(void *user), void *user,
                          char **message)
{
    Reading r = {allowed ? file_open(path) : -1, stopped, user};
    if (r.fd < 0) {
        *message =
            failure(path, allowed ? strerror(errno)
                                  : "it is outside the folder for files; --allow-files DIR permits it");
        return NULL;
    }
    SimilarFile *f = memory_zeroed(1, sizeof *f);
    f->plain = plain;
    atomic_init(&f->owners, 1);
    const bool good = read_games(f, &r, path, message);
    close(r.fd);
    if (!good) {
        similar_free(f);
        return NULL;
    }
    make_buckets(f);
    return f;
}

SimilarFile *similar_share(SimilarFile *file)
{
    atomic_fetch_add(&file->owners, 1);
    return file;
}

void similar_free(SimilarFile *file)
{
    if (!file || atomic_fetch_sub(&file->owners, 1) > 1)
        return;
    free(file->bucket);
    free(file->entry);
    free(file);
}

// ---- looking up -------------------------------------------------------------------------------------------

bool similar_next(const SimilarFile *file, const Position *p, int32_t *cursor, SimilarMatch *match)
{
    const uint64_t key = *cursor < 0 ? key_of(p, file->plain) : file->entry[*cursor].key;
    int32_t i = *cursor < 0 ? file->bucket[key & file->mask] : file->entry[*cursor].next;
    for (; i >= 0; i = file->entry[i].next) {
        const Entry *e = &file->entry[i];
        if (e->key != key || e->side != p->side || !find_map(&e->board, p, file->plain, &match->map))
            continue;
        match->game = e->game;
        match->move_number = e->move_number;
        *cursor = i;
        return true;
    }
    return false;
}
