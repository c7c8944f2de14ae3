// Games that are there more than once: three passes over the inputs (duplicates.h).
#include "duplicates.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "runtime/database/database.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "output.h"
#include "passes.h"
#include "same.h"

// So many games with the same hash are compared with each game: their number grows without bound where the same few moves are stored
// again and again. What is not compared is kept.
enum { MOST_COMPARED = 256 };

// What the temporary file has of a game, followed by the texts: the names of key_begin, the words of the moves or, when they cannot be read,
// the pass_movetext, and what is shown.
enum { TEXT_NAMES, TEXT_MOVES, TEXT_WHITE, TEXT_BLACK, TEXT_DATE, TEXT_RESULT, TEXTS };
typedef struct DetailHead {
    uint64_t line;
    uint32_t length[TEXTS];
} DetailHead;

// Details that were read again.
typedef struct Detail {
    size_t game; // 1 + index; 0: none
    DetailHead head;
    Buffer bytes;
    const char *text[TEXTS];
} Detail;

struct Duplicates {
    GameSource source;
    int64_t fixed;
    GameKey *key; // by game
    size_t capacity, dropped, begins;
    uint32_t *slot; // a hash table: 1 + the first game with a hash of moves, or 0
    uint8_t
        *may_be; // a bit for each hash of moves that is in the table, and for others: a look at it is cheaper
    uint8_t *met;                     // two bits for each hash of players: there is a game, there are more
    size_t slots, bytes;              // of `slot`, and of `may_be` and `met`: powers of 2
    int temporary;                    // a file
    uint64_t temporary_bytes, *place; // by game, of its details
    Detail detail[2];
    int error; // of the temporary file
};

// ---- keys -------------------------------------------------------------------------------------------------

// GameKey.moves of the game, whose moves were read.
static uint64_t hash_moves(const PassReader *r, const GameKey *key)
{
    uint64_t hash = key_start(key);
    if (!r->readable) {
        const Text text = pass_movetext(r);
        return hash ^ XXH3_64bits(text.start, text.length);
    }
    for (size_t i = 0; i < r->count; i++)
        hash = key_move(hash, r->word[i * r->stride]);
    return key_has_few(key, (uint32_t)r->count) ? hash ^ key_tags(key) : hash;
}

static void visit_key(PassReader *r, size_t game)
{
    GameKey key = {.next = NO_GAME, .like = NO_GAME, .flags = KEY_ABSENT};
    r->names.length = 0;
    if ((r->source || r->stored) && pass_read_tags(r)) {
        const int tag = r->game.view.result;
        key_begin(&key, &r->game, &r->names);
        pass_read_moves(r);
        key.result = (uint8_t)(r->result != RESULT_UNKNOWN ? r->result : tag);
        key.plies = (uint32_t)r->count;
        key.flags |= r->readable ? 0 : KEY_UNREADABLE;
        key.moves = hash_moves(r, &key);
    }
    key.flags |= (int64_t)game < ((const Duplicates *)r->pass->user)->fixed ? KEY_FIXED : 0;
    buffer_append(&r->keys, (const char *)&key, sizeof key);
}

static void keep_keys(PassReader *r, size_t first)
{
    Duplicates *d = r->pass->user;
    const size_t end = first + r->keys.length / sizeof *d->key;
    pthread_mutex_lock(&r->pass->output);
    d->key = memory_grow(d->key, &d->capacity, end, sizeof *d->key);
    memcpy(d->key + first, r->keys.start, r->keys.length);
    pthread_mutex_unlock(&r->pass->output);
}

// The first game with a hash of moves, or NO_GAME; *slot: where it belongs.
static uint32_t find_moves(const Duplicates *d, uint64_t moves, size_t *slot)
{
    for (size_t i = moves;; i++) {
        *slot = i & (d->slots - 1);
        const uint32_t game = d->slot[*slot] - 1;
        if (game == NO_GAME || d->key[game].moves == moves)
            return game;
    }
}

static size_t bit_of(const Duplicates *d, uint64_t moves)
{
    return moves >> 20 & (8 * d->bytes - 1);
}

// False when no game has this hash of moves.
static bool may_be(const Duplicates *d, uint64_t moves)
{
    const size_t bit = bit_of(d, moves);
    return d->may_be[bit / 8] >> bit % 8 & 1;
}

// Notes a game with these players. They are told apart by some bits of their hash.
static void meet(Duplicates *d, uint32_t players)
{
    const size_t i = players & (4 * d->bytes - 1), shift = 2 * (i % 4);
    const unsigned known = d->met[i / 4] >> shift & 1;
    d->met[i / 4] |= (uint8_t)((1 + known) << shift);
}

static bool have_met(const Duplicates *d, uint32_t players)
{
    const size_t i = players & (4 * d->bytes - 1);
    return d->met[i / 4] >> 2 * (i % 4) & 2;
}

// Makes the hash table. Games with the same moves are in a list, in order.
static void make_tables(Duplicates *d)
{
    for (d->slots = 64; d->slots < 2 * d->source.games;)
        d->slots *= 2;
    d->bytes =
        d->slots; // at most a sixteenth of the hashes, and an eighth of the players, are taken for others
    d->slot = memory_zeroed(d->slots, sizeof *d->slot);
    d->may_be = memory_zeroed(d->bytes, 1);
    d->met = memory_zeroed(d->bytes, 1);
    for (size_t i = d->source.games; i-- > 0;) {
        size_t slot;
        if (d->key[i].flags & KEY_ABSENT)
            continue;
        meet(d, d->key[i].players);
        d->key[i].next = find_moves(d, d->key[i].moves, &slot);
        d->slot[slot] = (uint32_t)i + 1;
        d->may_be[bit_of(d, d->key[i].moves) / 8] |= (uint8_t)(1 << bit_of(d, d->key[i].moves) % 8);
    }
}

// ---- beginnings -------------------------------------------------------------------------------------------

// The games that are this one up to a ply: notes it if it is the longest such game so far.
static void note_beginnings(PassReader *r, uint32_t first, size_t game, uint32_t plies)
{
    Duplicates *d = r->pass->user;
    const GameKey *longer = &d->key[game];
    uint32_t i = first;
    for (int n = 0; i != NO_GAME && n < MOST_COMPARED; i = d->key[i].next, n++) {
        GameKey *key = &d->key[i];
        if (key->plies != plies || key->flags & KEY_UNREADABLE || !keys_agree(key, longer))
            continue;
        pthread_mutex_lock(&r->pass->output);
        const GameKey *like = key->like != NO_GAME ? &d->key[key->like] : NULL;
        if (!like || longer->plies > like->plies || (longer->plies == like->plies && game < key->like))
            key->like = (uint32_t)game;
        pthread_mutex_unlock(&r->pass->output);
    }
}

static void visit_beginnings(PassReader *r, size_t game)
{
    const Duplicates *d = r->pass->user;
    const GameKey *key = game < d->source.games ? &d->key[game] : NULL;
    if (!key || (!(key->flags & KEY_ABSENT) && !r->source && !r->stored)) {
        pass_note_change(r);
        return;
    }
    if (key->flags & (KEY_ABSENT | KEY_UNREADABLE) || !have_met(d, key->players) ||
        (!pass_has_stored_moves(r) && !pass_read_tags(r)))
        return;
    pass_read_moves(r);
    uint64_t hash = key_start(key);
    const uint64_t tags = key_tags(key);
    for (uint32_t ply = 0; ply < r->count; ply++) {
        size_t slot;
        const uint64_t moves = key_has_few(key, ply) ? hash ^ tags : hash;
        const uint32_t first = may_be(d, moves) ? find_moves(d, moves, &slot) : NO_GAME;
        if (first != NO_GAME)
            note_beginnings(r, first, game, ply);
        hash = key_move(hash, r->word[ply * r->stride]);
    }
    if ((key_has_few(key, (uint32_t)r->count) ? hash ^ tags : hash) != key->moves)
        pass_note_change(r);
}

static void mark_involved(Duplicates *d)
{
    for (size_t i = 0; i < d->source.games; i++) {
        const uint32_t other[] = {d->key[i].next, d->key[i].like};
        for (int k = 0; k < 2; k++)
            if (other[k] != NO_GAME) {
                d->key[i].flags |= KEY_INVOLVED;
                d->key[other[k]].flags |= KEY_INVOLVED;
            }
    }
}

// ---- details ----------------------------------------------------------------------------------------------

// How much there is in a game besides its moves: tags that say something, comments, variations, glyphs.
static uint16_t weigh(const PassReader *r, size_t begin)
{
    size_t tags, weight = 0;
    const Tag *tag = game_tags(&r->game, &tags);
    const Text text = {r->whole.text.start + begin, r->whole.text.length - begin};
    for (size_t i = 0; i < tags; i++)
        weight += !text_is_unknown(tag[i].value) && tag[i].value.start[0] != '?';
    for (size_t i = 0; i < text.length; i++)
        weight +=
            text.start[i] == '{' || text.start[i] == '(' || text.start[i] == '$' || text.start[i] == ';';
    return weight < UINT16_MAX ? (uint16_t)weight : UINT16_MAX;
}

static void add_detail(PassReader *r, const GameKey *key)
{
    const TagRoster *roster = game_roster(&r->game);
    if (r->stride > 1) {
        r->words.length = 0;
        for (size_t i = 0; i < r->count; i++)
            buffer_append(&r->words, (const char *)&r->word[i * r->stride], sizeof *r->word);
        r->word = (const MoveWord *)(const void *)r->words.start;
    }
    const Text text[TEXTS] = {[TEXT_NAMES] = {r->names.start, r->names.length},
                              [TEXT_MOVES] = r->readable
                                                 ? (Text){(const char *)r->word, r->count * sizeof *r->word}
                                                 : pass_movetext(r),
                              [TEXT_WHITE] = roster->white,
                              [TEXT_BLACK] = roster->black,
                              [TEXT_DATE] = {roster->date, 10},
                              [TEXT_RESULT] = text_of(result_text(key->result))};
    DetailHead head = {.line = r->source ? r->source->line : 0};
    for (int i = 0; i < TEXTS; i++)
        head.length[i] = (uint32_t)text[i].length;
    buffer_append(&r->details, (const char *)&head, sizeof head);
    for (int i = 0; i < TEXTS; i++)
        buffer_append(&r->details, text[i].start, text[i].length);
}

// Writes the details of a block to the temporary file, and remembers where those of each game are.
static void keep_details(PassReader *r, size_t first)
{
    Duplicates *d = r->pass->user;
    (void)first;
    pthread_mutex_lock(&r->pass->output);
    const uint64_t begin = d->temporary_bytes;
    if (r->details.length > 0 && !d->error &&
        !output_write_all(d->temporary, r->details.start, r->details.length))
        d->error = errno;
    d->temporary_bytes += r->details.length;
    const size_t *added = (const size_t *)(const void *)r->keys.start; // pairs: game, offset
    for (size_t i = 0; i < r->keys.length / sizeof *added; i += 2)
        d->place[added[i]] = begin + added[i + 1];
    const bool failed = d->error != 0;
    pthread_mutex_unlock(&r->pass->output);
    if (failed)
        pass_end(r->pass);
}

static void visit_detail(PassReader *r, size_t game)
{
    Duplicates *d = r->pass->user;
    GameKey *key = game < d->source.games ? &d->key[game] : NULL, now;
    if (!key || !(key->flags & KEY_INVOLVED))
        return;
    r->names.length = 0;
    const size_t pair[] = {game, r->details.length};
    if (!(r->source || r->stored) || !pass_read_tags(r)) {
        pass_note_change(r);
        return;
    }
    key_begin(&now, &r->game, &r->names);
    pass_read_moves(r);
    if (now.players != key->players || hash_moves(r, &now) != key->moves) {
        pass_note_change(r);
        return;
    }
    add_detail(r, key);
    buffer_append(&r->keys, (const char *)pair, sizeof pair);
    const size_t begin = game_movetext_start(&r->game);
    const bool bare = pass_has_stored_moves(r) && !(r->stored->flags & (STORED_NOTES | STORED_VARIATIONS));
    if (bare || pass_read_text(r))
        key->weight = weigh(r, begin < r->whole.text.length ? begin : r->whole.text.length);
}

static bool read_at(Duplicates *d, void *bytes, size_t length, uint64_t offset)
{
    for (size_t got = 0; got < length;) {
        const ssize_t count = pread(d->temporary, (char *)bytes + got, length - got, (off_t)(offset + got));
        if (count == 0 || (count < 0 && errno != EINTR)) {
            d->error = count < 0 ? errno : EIO;
            return false;
        }
        got += count > 0 ? (size_t)count : 0;
    }
    return true;
}

// Reads the details of a game, one of two at a time; NULL after an error.
static const Detail *read_detail(Duplicates *d, int which, size_t game)
{
    Detail *detail = &d->detail[which];
    if (detail->game == game + 1)
        return detail;
    detail->game = 0;
    size_t length = 0;
    if (!read_at(d, &detail->head, sizeof detail->head, d->place[game]))
        return NULL;
    for (int i = 0; i < TEXTS; i++)
        length += detail->head.length[i];
    detail->bytes.length = 0;
    const char *text = buffer_room(&detail->bytes, length + 1);
    if (!read_at(d, detail->bytes.start, length, d->place[game] + sizeof detail->head))
        return NULL;
    for (int i = 0; i < TEXTS; i++) {
        detail->text[i] = text;
        text += detail->head.length[i];
    }
    detail->game = game + 1;
    return detail;
}

// ---- decisions --------------------------------------------------------------------------------------------

// Are the players, starts and moves of two games equal, or those of the first one the beginning of the other's?
static bool is_same(Duplicates *d, size_t game, size_t other, bool begins)
{
    const Detail *a = read_detail(d, 0, other), *b = a ? read_detail(d, 1, game) : NULL;
    if (!b || a->head.length[TEXT_NAMES] != b->head.length[TEXT_NAMES] ||
        memcmp(a->text[TEXT_NAMES], b->text[TEXT_NAMES], b->head.length[TEXT_NAMES]) != 0)
        return false;
    const uint32_t length = b->head.length[TEXT_MOVES];
    return (begins ? a->head.length[TEXT_MOVES] > length : a->head.length[TEXT_MOVES] == length) &&
           ((d->key[game].flags ^ d->key[other].flags) & KEY_UNREADABLE) == 0 &&
           memcmp(a->text[TEXT_MOVES], b->text[TEXT_MOVES], length) == 0;
}

static void drop(Duplicates *d, uint32_t game, uint32_t kept)
{
    d->key[game].flags |= KEY_DROPPED;
    d->key[game].like = kept;
}

// The best game comes first: one that stays, one with more in it, an earlier one.
static int compare_games(const void *left, const void *right, void *keys)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const GameKey *x = (const GameKey *)keys + a, *y = (const GameKey *)keys + b;
    const int fixed = (y->flags & KEY_FIXED) - (x->flags & KEY_FIXED);
    return fixed ? fixed : x->weight != y->weight ? y->weight - x->weight : (a > b) - (a < b);
}

typedef struct Games {
    uint32_t *game;
    size_t count, capacity;
} Games;

// Drops those of the games with a hash of moves that are the same as another one, and notes which of the others begin a longer one.
static void decide_equal(Duplicates *d, uint32_t first, Games *all, Games *kept)
{
    all->count = kept->count = 0;
    for (uint32_t i = first; i != NO_GAME; i = d->key[i].next)
        MEMORY_PUSH(all->game, all->count, all->capacity, i);
    qsort_r(all->game, all->count, sizeof *all->game, compare_games, d->key);
    for (size_t i = 0; i < all->count; i++) {
        const uint32_t game = all->game[i];
        GameKey *key = &d->key[game];
        size_t k = key->flags & KEY_FIXED ? kept->count : 0;
        while (k < kept->count &&
               !(keys_agree(&d->key[kept->game[k]], key) && is_same(d, game, kept->game[k], false)))
            k++;
        if (k < kept->count) {
            drop(d, game, kept->game[k]);
            continue;
        }
        if (kept->count < MOST_COMPARED)
            MEMORY_PUSH(kept->game, kept->count, kept->capacity, game);
        if (key->like != NO_GAME && !(key->flags & KEY_FIXED) && is_same(d, game, key->like, true))
            drop(d, game, key->like);
    }
}

// A game may be dropped for one that is dropped itself. Settles it after that: it is dropped for the one that is kept in the end, or, if it
// does not agree with that, it is kept, too.
static void settle(Duplicates *d, uint32_t game, Games *chain)
{
    chain->count = 0;
    for (; (d->key[game].flags & (KEY_DROPPED | KEY_SETTLED)) == KEY_DROPPED; game = d->key[game].like)
        MEMORY_PUSH(chain->game, chain->count, chain->capacity, game);
    while (chain->count > 0) {
        GameKey *key = &d->key[chain->game[--chain->count]];
        const uint32_t last = d->key[key->like].flags & KEY_DROPPED ? d->key[key->like].like : key->like;
        if (keys_agree(key, &d->key[last])) {
            key->flags |= KEY_SETTLED;
            key->like = last;
            d->dropped++;
            d->begins += d->key[last].plies > key->plies;
        } else {
            key->flags &= (uint8_t)~KEY_DROPPED;
        }
    }
}

static void decide(Duplicates *d)
{
    Games all = {0}, kept = {0};
    for (size_t i = 0; i < d->source.games && !d->error; i++) {
        size_t slot;
        if (d->key[i].flags & KEY_INVOLVED && find_moves(d, d->key[i].moves, &slot) == i)
            decide_equal(d, (uint32_t)i, &all, &kept);
    }
    for (size_t i = 0; i < d->source.games; i++)
        settle(d, (uint32_t)i, &all);
    free(all.game);
    free(kept.game);
}

// ---- the whole --------------------------------------------------------------------------------------------

static bool find_all(Duplicates *d)
{
    const int threads = d->source.options.threads;
    GamePass keys = {.from = &d->source,
                     .user = d,
                     .parts = CHUNK_TAGS,
                     .first = true,
                     .visit = visit_key,
                     .end_block = keep_keys};
    if (!pass_run(&keys, threads))
        return false;
    if (d->source.games >= NO_GAME) {
        d->error = EOVERFLOW;
        return false;
    }
    make_tables(d);
    GamePass beginnings = {.from = &d->source, .user = d, .visit = visit_beginnings};
    if (!pass_run(&beginnings, threads))
        return false;
    mark_involved(d);
    d->place = memory_zeroed(d->source.games, sizeof *d->place);
    d->temporary = output_temporary();
    d->error = d->temporary < 0 ? errno : 0;
    GamePass details = {.from = &d->source, .user = d, .visit = visit_detail, .end_block = keep_details};
    if (d->error || !pass_run(&details, threads))
        return false;
    decide(d);
    return !d->error;
}

static void report_change(const Duplicates *d)
{
    printf_sanitized(stderr, "cqlgen: %s has changed while it was read; try again\n", d->source.changed);
}

Duplicates *duplicates_find(const SearchOptions *options, int64_t fixed, int *status)
{
    Duplicates *d = memory_zeroed(1, sizeof *d);
    Buffer reports = {0};
    d->source.options = *options;
    d->source.inputs.options = &d->source.options;
    d->fixed = fixed;
    d->temporary = -1;
    d->source.input = memory_zeroed(options->input_count, sizeof *d->source.input);
    const bool good = inputs_spool(&d->source.inputs, &reports) && find_all(d);
    *status = d->source.failed ? STATUS_INPUT : STATUS_OK;
    if (good)
        return d;
    *status = d->error ? STATUS_OUTPUT : STATUS_INPUT;
    if (reports.length > 0)
        print_lines(stderr, reports.start, reports.length);
    else if (d->source.changed)
        report_change(d);
    else if (d->error == EOVERFLOW)
        printf_sanitized(stderr, "cqlgen: there are too many games: %zu\n", d->source.games);
    else if (d->error)
        printf_sanitized(stderr, "cqlgen: cannot use a temporary file: %s\n", strerror(d->error));
    else
        *status = STATUS_INTERRUPTED;
    buffer_free(&reports);
    duplicates_free(d);
    return NULL;
}

void duplicates_free(Duplicates *d)
{
    if (!d)
        return;
    inputs_close(&d->source.inputs);
    if (d->temporary >= 0)
        close(d->temporary);
    for (int i = 0; i < 2; i++)
        buffer_free(&d->detail[i].bytes);
    free(d->source.input);
    free(d->key);
    free(d->slot);
    free(d->met);
    free(d->may_be);
    free(d->place);
    free(d);
}

int64_t duplicates_games(const Duplicates *d)
{
    return (int64_t)d->source.games;
}

int64_t duplicates_dropped(const Duplicates *d)
{
    return (int64_t)d->dropped;
}

int64_t duplicates_begins(const Duplicates *d)
{
    return (int64_t)d->begins;
}

bool duplicates_whole(const Duplicates *d)
{
    return !d->source.lost;
}

bool duplicates_drops(const Duplicates *d, size_t i, int64_t number)
{
    const int64_t game = d->source.input[i].base + number - 1;
    return d->source.input[i].has_games && game < (int64_t)d->source.games &&
           d->key[game].flags & KEY_DROPPED;
}

// What is shown of a game; false after an error.
static bool show(Duplicates *d, int which, size_t game, DuplicateGame *shown)
{
    const Detail *detail = read_detail(d, which, game);
    if (!detail)
        return false;
    size_t i = d->source.options.input_count - 1;
    while (i > 0 && (!d->source.input[i].has_games || d->source.input[i].base > (int64_t)game))
        i--;
    const char *name = d->source.options.input[i];
    *shown = (DuplicateGame){.file = strcmp(name, "-") == 0 ? "<stdin>" : name,
                             .number = (int64_t)game - d->source.input[i].base + 1,
                             .line = detail->head.line,
                             .white = {detail->text[TEXT_WHITE], detail->head.length[TEXT_WHITE]},
                             .black = {detail->text[TEXT_BLACK], detail->head.length[TEXT_BLACK]},
                             .date = {detail->text[TEXT_DATE], detail->head.length[TEXT_DATE]},
                             .result = {detail->text[TEXT_RESULT], detail->head.length[TEXT_RESULT]},
                             .plies = d->key[game].plies};
    return true;
}

bool duplicates_next(Duplicates *d, int64_t *at, DuplicateGame *dropped, DuplicateGame *kept, bool *failed)
{
    size_t game = (size_t)*at;
    *failed = false;
    while (game < d->source.games && !(d->key[game].flags & KEY_DROPPED))
        game++;
    *at = (int64_t)game + 1;
    if (game == d->source.games)
        return false;
    *failed = !show(d, 0, d->key[game].like, kept) || !show(d, 1, game, dropped);
    return !*failed;
}

typedef struct Writing {
    const Duplicates *d;
    bool (*write)(void *user, const void *bytes, size_t length);
    void *user;
    bool failed;
} Writing;

static void visit_write(PassReader *r, size_t game)
{
    static const char between[] = "\n\n";
    Writing *w = r->pass->user;
    if (w->failed || game >= w->d->source.games || w->d->key[game].flags & (KEY_DROPPED | KEY_ABSENT) ||
        !pass_read_text(r))
        return;
    w->failed =
        !w->write(w->user, r->whole.text.start, r->whole.text.length) || !w->write(w->user, between, 2);
    if (w->failed)
        pass_end(r->pass);
}

bool duplicates_write(Duplicates *d, bool (*write)(void *user, const void *bytes, size_t length), void *user,
                      int *status)
{
    Writing w = {.d = d, .write = write, .user = user};
    GamePass p = {.from = &d->source, .user = &w, .visit = visit_write};
    const bool good = pass_run(&p, 1);
    if (d->source.changed)
        report_change(d);
    *status = w.failed            ? STATUS_OUTPUT
              : d->source.changed ? STATUS_INPUT
              : !good             ? STATUS_INTERRUPTED
              : d->source.failed  ? STATUS_INPUT
                                  : *status;
    return good;
}

InputFile *duplicates_open(const Duplicates *d, size_t i)
{
    if (d->source.inputs.spool[i] < 0)
        return input_open(d->source.options.input[i], d->source.options.stop);
    const int fd = dup(d->source.inputs.spool[i]);
    return fd >= 0 && lseek(fd, 0, SEEK_SET) == 0 ? input_open_descriptor(fd, d->source.options.stop) : NULL;
}
