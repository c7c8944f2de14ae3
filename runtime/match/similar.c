// `similarposition` (language reference 6.15): an index of the positions of a file. The key of a position is
// the hash of the least of its images under the transforms, so similar positions have the same key; what has
// the same key is compared square by square.
#include "similar.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/game/game.h"
#include "runtime/value/memory.h"

typedef uint8_t Placement[64]; // piece codes by square

typedef struct Entry {
    uint64_t key;
    uint8_t packed[32]; // two squares a byte
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

// `number` is that of the symmetry in the table in 8.3.
static void apply_symmetry(Placement to, const Placement from, int number)
{
    static const uint8_t symmetry[BOARD_SYMMETRIES] = {0, 1, 2, 3, 4, 7, 6, 5};
    for (int square = 0; square < 64; square++)
        to[square_image(square, symmetry[number])] = from[square];
}

static int first_file(const Placement board)
{
    for (int file = 0; file < 8; file++)
        for (int square = file; square < 64; square += 8)
            if (board[square] != EMPTY)
                return file;
    return 0;
}

// Moves all pieces by `files`; none of them may leave the board.
static void shift_files(Placement board, int files)
{
    if (files == 0)
        return;
    for (int rank = 0; rank < 8; rank++) {
        uint8_t row[8] = {EMPTY};
        for (int x = 0; x < 8; x++)
            if (x - files >= 0 && x - files < 8)
                row[x] = board[8 * rank + x - files];
        memcpy(board + 8 * rank, row, sizeof row);
    }
}

static bool has_pawns(const Placement board)
{
    for (int square = 0; square < 64; square++)
        if (board[square] == WHITE_PAWN || board[square] == BLACK_PAWN)
            return true;
    return false;
}

// The least image: of the two that stand at the a-file, or of the eight symmetries.
static void least_image(Placement least, const Placement board)
{
    const bool pawns = has_pawns(board);
    const int symmetries = pawns ? 2 : BOARD_SYMMETRIES;
    for (int s = 0; s < symmetries; s++) {
        Placement image;
        apply_symmetry(image, board, s);
        if (pawns)
            shift_files(image, -first_file(image));
        if (s == 0 || memcmp(image, least, sizeof image) < 0)
            memcpy(least, image, sizeof image);
    }
}

// The first map that takes `from` to `to`: shifts before the mirror image.
static bool find_map(const Placement from, const Placement to, bool plain, SimilarMap *map)
{
    const bool pawns = has_pawns(from);
    const int symmetries = plain ? 1 : pawns ? 2 : BOARD_SYMMETRIES;
    for (int s = 0; s < symmetries; s++) {
        Placement image;
        apply_symmetry(image, from, s);
        *map = (SimilarMap){(uint8_t)s, 0};
        if (pawns && !plain) {
            map->files = (int8_t)(first_file(to) - first_file(image));
            shift_files(image, map->files);
        }
        if (memcmp(image, to, sizeof image) == 0)
            return true;
    }
    return false;
}

// ---- keys -------------------------------------------------------------------------------------------------

static void pack(uint8_t packed[32], const Placement board)
{
    for (int i = 0; i < 32; i++)
        packed[i] = (uint8_t)(board[2 * i] | board[2 * i + 1] << 4);
}

static void unpack(Placement board, const uint8_t packed[32])
{
    for (int i = 0; i < 32; i++) {
        board[2 * i] = packed[i] & 15;
        board[2 * i + 1] = packed[i] >> 4;
    }
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x7fb5d329728ea185ULL;
    x ^= x >> 27;
    x *= 0x81dadef4bc2dd44dULL;
    return x ^ x >> 33;
}

static uint64_t key_of(const Position *p, bool plain)
{
    Placement least;
    uint64_t word[4], key = p->side;
    if (plain)
        memcpy(least, p->square, sizeof least);
    else
        least_image(least, p->square);
    pack((uint8_t *)word, least);
    for (int i = 0; i < 4; i++)
        key = mix(key ^ word[i]) + 0x9e3779b97f4a7c15ULL;
    return key;
}

// ---- reading ----------------------------------------------------------------------------------------------

static void add_position(SimilarFile *f, const Position *p, int32_t game, int32_t move_number)
{
    f->entry = memory_grow(f->entry, &f->capacity, (size_t)f->count + 1, sizeof *f->entry);
    Entry *e = &f->entry[f->count++];
    *e = (Entry){.key = key_of(p, f->plain), .game = game, .move_number = move_number, .side = p->side};
    pack(e->packed, p->square);
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

static int64_t read_bytes(void *user, void *buffer, size_t size)
{
    for (;;) {
        const ssize_t count = read(*(const int *)user, buffer, size);
        if (count >= 0 || errno != EINTR)
            return count;
    }
}

static const char *failure(const char *path, const char *why)
{
    static _Thread_local char text[512];
    snprintf(text, sizeof text, "similarposition: cannot read \"%.300s\": %s", path, why);
    return text;
}

// False after a read error.
static bool read_games(SimilarFile *f, int *fd, const char *path, const char **message)
{
    PgnSplitter *splitter = pgn_split_open(read_bytes, fd, NULL, NULL);
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

SimilarFile *similar_read(const char *path, bool plain, const char **message)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        *message = failure(path, strerror(errno));
        return NULL;
    }
    SimilarFile *f = memory_zeroed(1, sizeof *f);
    f->plain = plain;
    atomic_init(&f->owners, 1);
    const bool good = read_games(f, &fd, path, message);
    close(fd);
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
        Placement board;
        if (e->key != key || e->side != p->side)
            continue;
        unpack(board, e->packed);
        if (!find_map(board, p->square, file->plain, &match->map))
            continue;
        match->game = e->game;
        match->move_number = e->move_number;
        *cursor = i;
        return true;
    }
    return false;
}
