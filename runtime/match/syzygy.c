// Loads libfathom and asks it, under a lock: Debian's is built without locks of its own. It ends the program when it is asked for
// what it cannot know, and when a file is damaged, so both are checked before.
#include "syzygy.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/chess/variant.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "syzygy_file.h"

#define LIBRARY "libfathom.so.1"

// Functions of tbprobe.h.
typedef bool Init(const char *path);
typedef unsigned ProbeWdl(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens, uint64_t rooks,
                          uint64_t bishops, uint64_t knights, uint64_t pawns, unsigned en_passant,
                          bool white_moves);
typedef unsigned ProbeRoot(uint64_t white, uint64_t black, uint64_t kings, uint64_t queens, uint64_t rooks,
                           uint64_t bishops, uint64_t knights, uint64_t pawns, unsigned halfmoves,
                           unsigned en_passant, bool white_moves, unsigned *moves);
enum { DRAW = 2, DTZ_SHIFT = 20, WDL_MASK = 15 };
#define FAILED 0xFFFFFFFFu

// The library and its tables, once in a process.
static struct {
    pthread_mutex_t lock;
    char *folders; // NULL: not open
    unsigned most_men;
    ProbeWdl *wdl;
    ProbeRoot *root;
} tables = {.lock = PTHREAD_MUTEX_INITIALIZER};

// ---- opening ------------------------------------------------------------------------------------------------

static char *check_file(const char *folder, const char *name)
{
    char *path = memory_format("%s/%s", folder, name), *message = NULL;
    const char *fault = NULL;
    struct stat status;
    FILE *file = fopen(path, "rb");
    uint8_t *head = memory_new(SYZYGY_HEAD);
    if (!file || fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode)) {
        message = line_new("cannot read the tablebase %s: %s", path, file ? "not a file" : strerror(errno));
    } else {
        const size_t length = fread(head, 1, SYZYGY_HEAD, file);
        fault = syzygy_file_fault(name, head, length, (uint64_t)status.st_size);
    }
    if (fault)
        message = line_new("the tablebase %s cannot be used: %s; get it again, or remove it", path, fault);
    if (file)
        fclose(file);
    free(head);
    free(path);
    return message;
}

// Checks the tables of a folder and counts them.
static char *check_folder(const char *folder, int *count)
{
    char *message = NULL;
    DIR *d = opendir(folder);
    if (!d)
        return line_new("cannot read the folder of tablebases %s: %s", folder, strerror(errno));
    for (const struct dirent *entry; !message && (entry = readdir(d)) != NULL;)
        if (syzygy_is_name(entry->d_name)) {
            message = check_file(folder, entry->d_name);
            ++*count;
        }
    closedir(d);
    return message;
}

static char *check_folders(const char *folders)
{
    char *copy = memory_format("%s", folders), *message = NULL, *rest = NULL;
    int count = 0;
    for (char *one = strtok_r(copy, ":", &rest); one && !message; one = strtok_r(NULL, ":", &rest))
        message = check_folder(one, &count);
    if (!message && count == 0)
        message = *folders ? line_new("there are no tablebases in %s: expected files like KRPvKR.rtbw", folders)
                           : line_new("the name of the folder of tablebases is empty");
    free(copy);
    return message;
}

static void *function_of(void *library, const char *name, char **message)
{
    void *function = dlsym(library, name);
    if (!function && !*message)
        *message = line_new("%s cannot be used: it has no %s", LIBRARY, name);
    return function;
}

static char *open_tables(const char *folders)
{
    char *message = check_folders(folders);
    if (message)
        return message;
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return line_new("tablebases need the library libfathom (Debian: libfathom1): %s", dlerror());
    Init *init = (Init *)function_of(library, "tb_init", &message);
    const unsigned *most_men = function_of(library, "TB_LARGEST", &message);
    tables.wdl = (ProbeWdl *)function_of(library, "tb_probe_wdl_impl", &message);
    tables.root = (ProbeRoot *)function_of(library, "tb_probe_root_impl", &message);
    if (message)
        return message;
    if (!init(folders) || *most_men == 0)
        return line_new("libfathom finds no tablebases in %s: are there files like KRPvKR.rtbw?", folders);
    tables.most_men = *most_men;
    tables.folders = memory_format("%s", folders);
    return NULL;
}

bool syzygy_open(const char *folders, char **message)
{
    pthread_mutex_lock(&tables.lock);
    *message =
        tables.folders == NULL ? open_tables(folders)
        : strcmp(tables.folders, folders) == 0
            ? NULL
            : line_new("the tablebases of %s are in use; a process can only use those of one list of folders",
                       tables.folders);
    pthread_mutex_unlock(&tables.lock);
    return *message == NULL;
}

bool syzygy_is_open(void)
{
    pthread_mutex_lock(&tables.lock);
    const bool open = tables.folders != NULL;
    pthread_mutex_unlock(&tables.lock);
    return open;
}

// ---- probing ------------------------------------------------------------------------------------------------

// The position may be asked for: few men, orthodox chess, no castling, and nothing that no game can reach by its rules.
static bool is_suitable(const Position *p)
{
    const Bitboard ends = BB_RANK_1 | BB_RANK_1 << 56;
    return !variant_is(p) && p->castling == 0 && (unsigned)bb_count(p->occupied) <= tables.most_men &&
           bb_count(p->white.king) == 1 && bb_count(p->black.king) == 1 &&
           !((p->white.pawn | p->black.pawn) & ends) && !pos_in_check(p, !p->side) &&
           !(king_table[bb_first(p->white.king)] & p->black.king);
}

#define MEN(p)                                                                                               \
    (p)->white_pieces, (p)->black_pieces, (p)->white.king | (p)->black.king,                                 \
        (p)->white.queen | (p)->black.queen, (p)->white.rook | (p)->black.rook,                              \
        (p)->white.bishop | (p)->black.bishop, (p)->white.knight | (p)->black.knight,                        \
        (p)->white.pawn | (p)->black.pawn

// 0: none; a1 is not one.
static unsigned en_passant_of(const Position *p)
{
    return pos_legal_en_passant(p) ? p->en_passant : 0;
}

bool syzygy_wdl(const Position *p, int *wdl)
{
    unsigned value = FAILED;
    pthread_mutex_lock(&tables.lock);
    if (tables.folders && is_suitable(p))
        value = tables.wdl(MEN(p), en_passant_of(p), p->side == WHITE);
    pthread_mutex_unlock(&tables.lock);
    *wdl = (int)value - DRAW;
    return value != FAILED;
}

bool syzygy_dtz(const Position *p, int *dtz)
{
    unsigned value = FAILED;
    pthread_mutex_lock(&tables.lock);
    if (tables.folders && is_suitable(p))
        value = tables.root(MEN(p), 0, en_passant_of(p), p->side == WHITE, NULL);
    pthread_mutex_unlock(&tables.lock);
    if (value == FAILED)
        return false;
    const int half_moves = (int)(value >> DTZ_SHIFT);
    *dtz = (value & WDL_MASK) < DRAW ? -half_moves : half_moves;
    if (pos_in_check(p, p->side) && !pos_has_legal_move(p)) // the library says that it wins
        *dtz = -1;
    return true;
}
