// Games that are there more than once: three searches of the inputs (duplicates.h).
#include "duplicates.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "runtime/database/database.h"
#include "runtime/value/file_open.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "output.h"
#include "same.h"
#include "sink.h"
#include "visits.h"

// So many games with the same hash are compared with each game: their number grows without bound where the same few moves are stored
// again and again. What is not compared is kept.
enum { MOST_COMPARED = 256 };

// What the temporary file has of a game, followed by the texts: the names of key_begin, the words of the moves or, when they cannot be read,
// the visit_movetext, and what is shown.
enum { TEXT_NAMES, TEXT_MOVES, TEXT_WHITE, TEXT_BLACK, TEXT_DATE, TEXT_RESULT, TEXTS };
typedef struct DetailHead {
    uint64_t game, line;
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
    SearchOptions options;
    Inputs inputs;                 // the copies of pipes, of inputs_spool
    _Atomic int64_t *first;        // by input: the number of its first game; 0: it has none
    Buffer told;                   // reports about the inputs
    bool failed;                   // something could not be read
    atomic_bool lost;              // games of a database could not be read
    _Atomic(const char *) changed; // the name of an input that has changed since the first search
    int64_t fixed;
    AmendFn *amend;
    void *amend_user;
    GameKey *key; // by game
    size_t games, capacity, dropped, begins;
    uint32_t *slot; // a hash table: 1 + the first game with a hash of moves, or 0
    uint8_t
        *may_be; // a bit for each hash of moves that is in the table, and for others: a look at it is cheaper
    uint8_t *met;                     // two bits for each hash of players: there is a game, there are more
    size_t slots, bytes;              // of `slot`, and of `may_be` and `met`: powers of 2
    int temporary;                    // a file
    uint64_t temporary_bytes, *place; // by game, of its details
    Detail detail[2];
    int error;                                                   // of the temporary file
    bool (*write)(void *user, const void *bytes, size_t length); // of duplicates_write,
    void *write_user;
    bool unwritten; // which has failed
};

// ---- searches ---------------------------------------------------------------------------------------------

// Prints what no earlier search has reported; after many reports, nothing.
static void tell(void *user, bool is_report, const char *text, size_t length)
{
    enum { MANY = 1 << 16 };
    Duplicates *d = user;
    (void)is_report;
    if (d->slot && (d->told.length > MANY || memmem(d->told.start, d->told.length, text, length)))
        return;
    print_lines(stderr, text, length);
    buffer_append(&d->told, text, length);
}

// Shows all games to the sink. False when it was interrupted, `take` has failed, or an input has changed.
static bool search_games(Duplicates *d, SearchSink sink)
{
    const Matcher none = {0};
    SearchOptions options = d->options;
    SearchTotals totals;
    sink.tell = tell;
    sink.user = d;
    sink.amend = d->amend;
    sink.amend_user = d->amend_user;
    options.sink = &sink;
    options.spool = d->inputs.spool;
    const int status = search_run(&none, &options, &totals);
    if (status == STATUS_MEMORY)
        memory_exhausted();
    const bool whole = (status == STATUS_OK || status == STATUS_INPUT) && !inputs_stopped(&d->inputs);
    d->failed |= status == STATUS_INPUT;
    if (d->slot && whole && totals.games != (int64_t)d->games)
        d->changed = d->options.input[0];
    return whole && !d->changed;
}

// The game of its index; NULL: there are more games than in the first search.
static GameKey *key_of(const Duplicates *d, const VisitedGame *v)
{
    return v->number <= (int64_t)d->games ? &d->key[v->number - 1] : NULL;
}

// The game is not as it was in the first search.
static void note_change(Duplicates *d, const VisitedGame *v)
{
    d->changed = v->block->input;
}

// ---- keys -------------------------------------------------------------------------------------------------

// GameKey.moves of the game, whose moves were read.
static uint64_t hash_moves(const VisitedGame *v, const GameKey *key)
{
    uint64_t hash = key_start(key);
    if (!v->readable) {
        const Text text = visit_movetext(v);
        return hash ^ XXH3_64bits(text.start, text.length);
    }
    for (size_t i = 0; i < v->count; i++)
        hash = key_move(hash, v->word[i * v->stride]);
    return key_has_few(key, (uint32_t)v->count) ? hash ^ key_tags(key) : hash;
}

static void visit_key(void *user, Buffer *out, VisitedGame *v)
{
    Duplicates *d = user;
    GameKey key = {.next = NO_GAME, .like = NO_GAME, .flags = KEY_ABSENT};
    d->first[v->block->index] = v->block->number_base + 1;
    v->names.length = 0;
    if (!visit_tags(v)) {
        d->lost = true;
    } else {
        const int tag = v->game->view.result;
        key_begin(&key, v->game, &v->names);
        visit_moves(v);
        key.result = (uint8_t)(v->result != RESULT_UNKNOWN ? v->result : tag);
        key.plies = (uint32_t)v->count;
        key.flags |= v->readable ? 0 : KEY_UNREADABLE;
        key.moves = hash_moves(v, &key);
    }
    key.flags |= v->number <= d->fixed ? KEY_FIXED : 0;
    buffer_append(out, (const char *)&key, sizeof key);
}

static bool take_keys(void *user, const char *bytes, size_t length)
{
    Duplicates *d = user;
    const size_t count = length / sizeof *d->key;
    d->key = memory_grow(d->key, &d->capacity, d->games + count, sizeof *d->key);
    memcpy(d->key + d->games, bytes, length);
    d->games += count;
    return true;
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
    for (d->slots = 64; d->slots < 2 * d->games;)
        d->slots *= 2;
    d->bytes =
        d->slots; // at most a sixteenth of the hashes, and an eighth of the players, are taken for others
    d->slot = memory_zeroed(d->slots, sizeof *d->slot);
    d->may_be = memory_zeroed(d->bytes, 1);
    d->met = memory_zeroed(d->bytes, 1);
    for (size_t i = d->games; i-- > 0;) {
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

// Two games, of which the first one begins the second one.
typedef struct Beginning {
    uint32_t game, longer;
} Beginning;

// Appends the games that are this one up to a ply.
static void add_beginnings(const Duplicates *d, Buffer *out, uint32_t first, const GameKey *longer,
                           uint32_t plies)
{
    uint32_t i = first;
    for (int n = 0; i != NO_GAME && n < MOST_COMPARED; i = d->key[i].next, n++) {
        const GameKey *key = &d->key[i];
        const Beginning found = {i, (uint32_t)(longer - d->key)};
        if (key->plies == plies && !(key->flags & KEY_UNREADABLE) && keys_agree(key, longer))
            buffer_append(out, (const char *)&found, sizeof found);
    }
}

static void visit_beginnings(void *user, Buffer *out, VisitedGame *v)
{
    Duplicates *d = user;
    const GameKey *key = key_of(d, v);
    if (!key || (!(key->flags & KEY_ABSENT) && !v->source && !v->stored)) {
        note_change(d, v);
        return;
    }
    if (key->flags & (KEY_ABSENT | KEY_UNREADABLE) || !have_met(d, key->players) ||
        (!visit_has_stored_moves(v) && !visit_tags(v)))
        return;
    visit_moves(v);
    uint64_t hash = key_start(key);
    const uint64_t tags = key_tags(key);
    for (uint32_t ply = 0; ply < v->count; ply++) {
        size_t slot;
        const uint64_t moves = key_has_few(key, ply) ? hash ^ tags : hash;
        const uint32_t first = may_be(d, moves) ? find_moves(d, moves, &slot) : NO_GAME;
        if (first != NO_GAME)
            add_beginnings(d, out, first, key, ply);
        hash = key_move(hash, v->word[ply * v->stride]);
    }
    if ((key_has_few(key, (uint32_t)v->count) ? hash ^ tags : hash) != key->moves)
        note_change(d, v);
}

// Notes for each beginning the longest game, of those the first one.
static bool take_beginnings(void *user, const char *bytes, size_t length)
{
    const Duplicates *d = user;
    for (Beginning found; length > 0; length -= sizeof found, bytes += sizeof found) {
        memcpy(&found, bytes, sizeof found);
        GameKey *key = &d->key[found.game];
        if (key->like == NO_GAME || d->key[found.longer].plies > d->key[key->like].plies)
            key->like = found.longer;
    }
    return true;
}

static void mark_involved(Duplicates *d)
{
    for (size_t i = 0; i < d->games; i++) {
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
static uint16_t weigh(const VisitedGame *v, size_t begin)
{
    size_t tags, weight = 0;
    const Tag *tag = game_tags(v->game, &tags);
    for (size_t i = 0; i < tags; i++)
        weight += !text_is_unknown(tag[i].value) && tag[i].value.start[0] != '?';
    for (size_t i = begin; i < v->whole.text.length; i++) {
        const char c = v->whole.text.start[i];
        weight += c == '{' || c == '(' || c == '$' || c == ';';
    }
    return weight < UINT16_MAX ? (uint16_t)weight : UINT16_MAX;
}

static void add_detail(Buffer *out, const VisitedGame *v, const GameKey *key)
{
    const TagRoster *roster = game_roster(v->game);
    const Text words = {(const char *)v->word, v->count * sizeof *v->word};
    const Text text[TEXTS] = {[TEXT_NAMES] = {v->names.start, v->names.length},
                              [TEXT_MOVES] = v->readable ? words : visit_movetext(v),
                              [TEXT_WHITE] = roster->white,
                              [TEXT_BLACK] = roster->black,
                              [TEXT_DATE] = {roster->date, 10},
                              [TEXT_RESULT] = text_of(result_text(key->result))};
    DetailHead head = {.game = (uint64_t)v->number - 1, .line = v->source ? v->source->line : 0};
    for (int i = 0; i < TEXTS; i++)
        head.length[i] = (uint32_t)text[i].length;
    buffer_append(out, (const char *)&head, sizeof head);
    for (int i = 0; i < TEXTS; i++)
        buffer_append(out, text[i].start, text[i].length);
}

static size_t detail_bytes(const DetailHead *head)
{
    size_t length = 0;
    for (int i = 0; i < TEXTS; i++)
        length += head->length[i];
    return length;
}

// Writes details to the temporary file, and remembers where those of each game are.
static bool take_details(void *user, const char *bytes, size_t length)
{
    Duplicates *d = user;
    DetailHead head;
    for (size_t at = 0; at < length; at += sizeof head + detail_bytes(&head)) {
        memcpy(&head, bytes + at, sizeof head);
        d->place[head.game] = d->temporary_bytes + at;
    }
    if (!output_write_all(d->temporary, bytes, length))
        d->error = errno;
    d->temporary_bytes += length;
    return d->error == 0;
}

static void visit_detail(void *user, Buffer *out, VisitedGame *v)
{
    Duplicates *d = user;
    GameKey *key = key_of(d, v), now;
    if (!key || !(key->flags & KEY_INVOLVED))
        return;
    v->names.length = 0;
    if (!visit_tags(v)) {
        note_change(d, v);
        return;
    }
    key_begin(&now, v->game, &v->names);
    visit_moves(v);
    if (now.players != key->players || hash_moves(v, &now) != key->moves) {
        note_change(d, v);
        return;
    }
    visit_pack_moves(v);
    add_detail(out, v, key);
    const size_t begin = game_movetext_start(v->game);
    const bool bare = visit_has_stored_moves(v) && !(v->stored->flags & (STORED_NOTES | STORED_VARIATIONS));
    if (bare || visit_text(v))
        key->weight = weigh(v, begin);
    else
        d->lost = true;
}

// Reads the details of a game, one of two at a time; NULL after an error.
static const Detail *read_detail(Duplicates *d, int which, size_t game)
{
    Detail *detail = &d->detail[which];
    if (detail->game == game + 1)
        return detail;
    detail->game = 0;
    bool good = file_read_at(d->temporary, d->place[game], &detail->head, sizeof detail->head);
    const size_t length = good ? detail_bytes(&detail->head) : 0;
    detail->bytes.length = 0;
    const char *text = buffer_room(&detail->bytes, length + 1);
    good =
        good && file_read_at(d->temporary, d->place[game] + sizeof detail->head, detail->bytes.start, length);
    if (!good) {
        d->error = errno;
        return NULL;
    }
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
    for (size_t i = 0; i < d->games && !d->error; i++) {
        size_t slot;
        if (d->key[i].flags & KEY_INVOLVED && find_moves(d, d->key[i].moves, &slot) == i)
            decide_equal(d, (uint32_t)i, &all, &kept);
    }
    for (size_t i = 0; i < d->games; i++)
        settle(d, (uint32_t)i, &all);
    free(all.game);
    free(kept.game);
}

// ---- the whole --------------------------------------------------------------------------------------------

static bool find_all(Duplicates *d)
{
    const SearchSink keys = {.visit = visit_key, .take = take_keys, .chunk_parts = CHUNK_TAGS},
                     beginnings = {.visit = visit_beginnings, .take = take_beginnings},
                     details = {.visit = visit_detail, .take = take_details};
    if (!search_games(d, keys))
        return false;
    if (d->games >= NO_GAME) {
        d->error = EOVERFLOW;
        return false;
    }
    make_tables(d);
    if (!search_games(d, beginnings))
        return false;
    mark_involved(d);
    d->place = memory_zeroed(d->games, sizeof *d->place);
    d->temporary = output_temporary();
    d->error = d->temporary < 0 ? errno : 0;
    if (d->error || !search_games(d, details))
        return false;
    decide(d);
    return !d->error;
}

static void report_change(const Duplicates *d)
{
    printf_sanitized(stderr, "cqlgen: %s has changed while it was read; try again\n", d->changed);
}

Duplicates *duplicates_find(const SearchOptions *options, int64_t fixed, AmendFn *amend, void *amend_user,
                            int *status)
{
    Duplicates *d = memory_zeroed(1, sizeof *d);
    Buffer reports = {0};
    d->options = *options;
    d->inputs.options = &d->options;
    d->fixed = fixed;
    d->amend = amend;
    d->amend_user = amend_user;
    d->temporary = -1;
    d->first = memory_zeroed(options->input_count, sizeof *d->first);
    const bool good = inputs_spool(&d->inputs, &reports) && find_all(d);
    *status = d->failed ? STATUS_INPUT : STATUS_OK;
    if (good)
        return d;
    *status = d->error ? STATUS_OUTPUT : STATUS_INPUT;
    if (reports.length > 0)
        print_lines(stderr, reports.start, reports.length);
    else if (d->changed)
        report_change(d);
    else if (d->error == EOVERFLOW)
        printf_sanitized(stderr, "cqlgen: there are too many games: %zu\n", d->games);
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
    inputs_close(&d->inputs);
    if (d->temporary >= 0)
        close(d->temporary);
    for (int i = 0; i < 2; i++)
        buffer_free(&d->detail[i].bytes);
    free(d->first);
    buffer_free(&d->told);
    free(d->key);
    free(d->slot);
    free(d->met);
    free(d->may_be);
    free(d->place);
    free(d);
}

int64_t duplicates_games(const Duplicates *d)
{
    return (int64_t)d->games;
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
    return !d->lost;
}

bool duplicates_drops(const Duplicates *d, size_t i, int64_t number)
{
    const int64_t game = d->first[i] - 1 + number - 1;
    return d->first[i] > 0 && game < (int64_t)d->games && d->key[game].flags & KEY_DROPPED;
}

// What is shown of a game; false after an error.
static bool show(Duplicates *d, int which, size_t game, DuplicateGame *shown)
{
    const Detail *detail = read_detail(d, which, game);
    if (!detail)
        return false;
    size_t i = d->options.input_count - 1;
    while (i > 0 && (d->first[i] == 0 || d->first[i] > (int64_t)game + 1))
        i--;
    const char *name = d->options.input[i];
    *shown = (DuplicateGame){.file = strcmp(name, "-") == 0 ? "<stdin>" : name,
                             .number = (int64_t)game + 2 - d->first[i],
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
    while (game < d->games && !(d->key[game].flags & KEY_DROPPED))
        game++;
    *at = (int64_t)game + 1;
    if (game == d->games)
        return false;
    *failed = !show(d, 0, d->key[game].like, kept) || !show(d, 1, game, dropped);
    return !*failed;
}

static void visit_write(void *user, Buffer *out, VisitedGame *v)
{
    Duplicates *d = user;
    const GameKey *key = key_of(d, v);
    if (!key || key->flags & (KEY_DROPPED | KEY_ABSENT))
        return;
    if (!visit_text(v)) {
        d->lost = true;
        return;
    }
    buffer_append(out, v->whole.text.start, v->whole.text.length);
    buffer_text(out, "\n\n");
}

static bool take_write(void *user, const char *bytes, size_t length)
{
    Duplicates *d = user;
    d->unwritten = !d->write(d->write_user, bytes, length);
    return !d->unwritten;
}

bool duplicates_write(Duplicates *d, bool (*write)(void *user, const void *bytes, size_t length), void *user,
                      int *status)
{
    d->write = write;
    d->write_user = user;
    d->amend = NULL;
    const bool good = search_games(d, (SearchSink){.visit = visit_write, .take = take_write});
    if (d->changed)
        report_change(d);
    *status = d->unwritten ? STATUS_OUTPUT
              : d->changed ? STATUS_INPUT
              : !good      ? STATUS_INTERRUPTED
              : d->failed  ? STATUS_INPUT
                           : *status;
    return good;
}

InputFile *duplicates_open(const Duplicates *d, size_t i)
{
    if (d->inputs.spool[i] < 0)
        return input_open(d->options.input[i], d->options.stop);
    const int fd = dup(d->inputs.spool[i]);
    return fd >= 0 && lseek(fd, 0, SEEK_SET) == 0 ? input_open_descriptor(fd, d->options.stop) : NULL;
}
