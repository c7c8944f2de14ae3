// Hands out blocks and keeps their results until their turn.
#include "hub.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/value/clock.h"
#include "runtime/value/memory.h"
#include "runtime/search/fingerprint.h"
#include "runtime/search/output.h"
#include "runtime/value/terminal.h"
#include "records.h"

// A claim has the blocks of about LEAST_SECONDS to MOST_SECONDS; results are at most AHEAD blocks a member ahead of the output.
enum {
    USUAL_BLOCKS = 16,
    MOST_BLOCKS = 1024,
    AHEAD = 2048,
    PLACES = 4,
    MEMORY_BYTES = 64 << 20,
    BLOCK_NUMBERS = 1 << 24
};
static const long LOOK_NANOSECONDS = 5000000; // the results that come are looked at so often
static const double LEAST_SECONDS = 0.05, MOST_SECONDS = 0.2, SYNC_SECONDS = 1;

// Results of a block, in memory or in the file.
typedef struct Piece {
    char *bytes; // NULL: in the file
    Record record;
    size_t next; // place of the next piece of the block plus 1, 0: none
} Piece;

typedef struct BlockState {
    size_t first, last; // places of its pieces plus 1, 0: none
    bool done;          // all pieces are there
} BlockState;

typedef struct Span {
    uint64_t next, end; // the next block to hand out
    bool *allowed;      // by member; NULL: all
} Span;

typedef struct Member {
    uint64_t claim_size; // blocks of a claim
    double claimed;      // when
} Member;

struct Hub {
    pthread_mutex_t mutex; // guards all below
    pthread_cond_t moved;
    int members;
    Member *member;
    Span *span;
    size_t span_count, span_capacity;
    BlockState *block;
    size_t block_capacity;
    uint64_t block_count; // with entries in `block`
    Piece *piece;
    size_t piece_count, piece_capacity;
    size_t memory;       // bytes of the pieces in memory
    int fd;              // of the file
    const char *journal; // its name, NULL: a temporary file
    bool opened;         // the journal is that of this search
    uint64_t size;       // of the file
    double synced;       // when it was written to the disk
    uint64_t next;       // block to be received
    size_t next_piece;   // of it, plus 1; 0: the first
    uint64_t written;    // blocks below it are collected
    uint64_t blocks;     // of the inputs; SHARE_NONE: not known
    uint64_t expected;   // the same before the inputs were read, 0: not known
    uint64_t done;       // blocks that the journal had
    double waited;       // seconds, for a range of this process
    SharePlace *place;   // a ring of the last ones that members have reached
    size_t place_capacity;
    _Atomic uint64_t place_count; // all that ever were in it
    _Atomic uint64_t searched;    // blocks, by this process
    bool complete;                // no more results are wanted
    bool failed;
    char *bytes; // that were received last
    size_t capacity;
    double (*clock)(void); // seconds
};

// ---- the file ---------------------------------------------------------------------------------------------

static BlockState *state_of(Hub *h, uint64_t number)
{
    if (number >= h->block_count) {
        h->block = memory_grow(h->block, &h->block_capacity, number + 1, sizeof *h->block);
        memset(h->block + h->block_count, 0, (number + 1 - h->block_count) * sizeof *h->block);
        h->block_count = number + 1;
    }
    return &h->block[number];
}

static bool is_done(const Hub *h, uint64_t number)
{
    return number < h->block_count && h->block[number].done;
}

// Notes a piece, whose bytes, if not NULL, it then owns. Results of a block that is done already are left out.
static void add_piece(Hub *h, const Record *record, char *bytes, uint64_t number, bool more)
{
    BlockState *block = state_of(h, number);
    if (block->done) {
        free(bytes);
        return;
    }
    h->memory += bytes ? record->length : 0;
    MEMORY_PUSH(h->piece, h->piece_count, h->piece_capacity, (Piece){bytes, *record, 0});
    if (block->last > 0)
        h->piece[block->last - 1].next = h->piece_count;
    else
        block->first = h->piece_count;
    block->last = h->piece_count;
    block->done = !more;
}

static bool write_file(Hub *h, const Buffer *bytes)
{
    if (lseek(h->fd, (off_t)h->size, SEEK_SET) < 0 || !output_write_all(h->fd, bytes->start, bytes->length)) {
        if (!h->failed)
            printf_sanitized(stderr, "cqlgen: cannot write %s: %s\n",
                             h->journal ? h->journal : "a temporary file", strerror(errno));
        h->failed = true;
        return false;
    }
    h->size += bytes->length;
    return true;
}

static void complain_of_reading(const Hub *h)
{
    printf_sanitized(stderr, "cqlgen: cannot read %s again\n", h->journal ? h->journal : "a temporary file");
}

// Blocks whose last results are missing are searched again.
static void drop_incomplete(Hub *h)
{
    for (uint64_t i = 0; i < h->block_count; i++) {
        if (!h->block[i].done)
            h->block[i] = (BlockState){0};
        h->done += h->block[i].done;
    }
}

static bool begin_file(Hub *h, const HubOptions *o)
{
    Buffer begin = {0};
    record_begin_file(&begin);
    if (o->files)
        record_put(&begin, RECORD_FILES, o->files->start, o->files->length);
    record_put(&begin, RECORD_KEY, o->key, o->key_length);
    const bool good = write_file(h, &begin);
    buffer_free(&begin);
    return good;
}

typedef enum JournalKind { JOURNAL_EMPTY, JOURNAL_SAME, JOURNAL_OTHER, JOURNAL_REFUSED } JournalKind;

// Complains of a file that has changed since the journal was begun.
static void refuse_file(const char *journal, const FilePair *file)
{
    Buffer how = {0};
    fingerprint_tell(&how, file);
    printf_sanitized(
        stderr,
        "cqlgen: %s is not the file with which the search of the journal %s began: they differ in %.*s; "
        "remove %s to begin again, or %s\n",
        file->name, journal, (int)how.length, how.start, journal,
        file->differs == DIFFERS_TIME
            ? "give the file the first of these times (touch -d) if you know that it is the same: only "
              "samples of its content were compared"
            : "restore the file");
    buffer_free(&how);
}

// The key of a journal is that of this search: were its files the same, too?
static JournalKind compare_files(const HubOptions *o, const Buffer *files)
{
    static const Buffer none;
    size_t count;
    FilePair *pair = fingerprint_pairs(files, o->files ? o->files : &none, &count);
    const FilePair *worst = pair ? fingerprint_worst(pair, count) : NULL;
    if (worst)
        refuse_file(o->journal, worst);
    const JournalKind kind = !pair ? JOURNAL_OTHER : worst ? JOURNAL_REFUSED : JOURNAL_SAME;
    free(pair);
    return kind;
}

// Reads the records of a journal. The last ones may be missing: the search was killed while it wrote them.
static JournalKind read_records(Hub *h, const HubOptions *o, uint64_t at, uint64_t size)
{
    JournalKind kind = JOURNAL_EMPTY;
    Buffer files = {0};
    Record record;
    while (record_next(h->fd, size, &at, &record)) {
        char *bytes = memory_new(record.length + SHARE_BLOCK_HEAD);
        bool good = record_read(h->fd, &record, bytes);
        if (good && record.kind == RECORD_FILES) {
            files.length = 0;
            buffer_append(&files, bytes, record.length);
        }
        if (good && record.kind == RECORD_KEY) {
            const bool same = record.length == o->key_length && memcmp(bytes, o->key, o->key_length) == 0;
            kind = same ? compare_files(o, &files) : JOURNAL_OTHER;
        }
        if (good && record.kind == RECORD_BLOCK && record.length >= SHARE_BLOCK_HEAD) {
            uint64_t number;
            bool more;
            const bool whole = share_block_head(bytes, &number, &more);
            good = kind == JOURNAL_SAME && number < BLOCK_NUMBERS; // each needs memory
            if (good && whole)
                add_piece(h, &record, NULL, number, more);
        }
        free(bytes);
        if (!good)
            break;
        h->size = at;
    }
    buffer_free(&files);
    drop_incomplete(h);
    return kind;
}

// Goes on with a journal; false after a message.
static bool read_journal(Hub *h, const HubOptions *o, uint64_t size)
{
    uint64_t at;
    JournalKind kind = JOURNAL_EMPTY;
    const RecordFile file = record_is_file(h->fd, &at);
    if (file == RECORDS_THESE) {
        kind = read_records(h, o, at, size);
    } else if (size >= at) {
        printf_sanitized(stderr,
                         file == RECORDS_OTHER
                             ? "cqlgen: %s is the journal of another version of cqlgen; remove it, or "
                               "name another journal\n"
                             : "cqlgen: %s is not a journal of a search\n",
                         o->journal);
        return false;
    }
    if (kind == JOURNAL_EMPTY) { // the search was killed when it began
        h->size = 0;
        return ftruncate(h->fd, 0) == 0 && begin_file(h, o);
    }
    if (kind == JOURNAL_OTHER)
        printf_sanitized(
            stderr,
            "cqlgen: %s is the journal of another search: the queries, options, games or version of cqlgen "
            "differ; remove it, or name another journal\n",
            o->journal);
    return kind == JOURNAL_SAME;
}

static bool open_file(Hub *h, const HubOptions *o)
{
    struct stat status;
    h->fd = o->journal ? open(o->journal, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : output_temporary();
    if (h->fd < 0) {
        printf_sanitized(stderr, "cqlgen: cannot open %s: %s\n", o->journal ? o->journal : "a temporary file",
                         strerror(errno));
        return false;
    }
    if (o->journal && flock(h->fd, LOCK_EX | LOCK_NB) != 0) {
        printf_sanitized(stderr, "cqlgen: %s is in use by another search\n", o->journal);
        return false;
    }
    const bool exists = o->journal && fstat(h->fd, &status) == 0 && status.st_size > 0;
    return exists ? read_journal(h, o, (uint64_t)status.st_size) : begin_file(h, o);
}

// Lets the disk have the journal now and then.
static void sync_file(Hub *h)
{
    const double time = h->clock();
    if (!h->journal || time - h->synced < SYNC_SECONDS)
        return;
    h->synced = time;
    fdatasync(h->fd); // a failure costs time at the next start only
}

// ---- begin and end ----------------------------------------------------------------------------------------

Hub *hub_new(const HubOptions *o)
{
    Hub *h = memory_zeroed(1, sizeof *h);
    h->members = o->members;
    h->member = memory_zeroed((size_t)o->members, sizeof *h->member);
    h->place_capacity = PLACES * (size_t)o->members;
    h->place = memory_zeroed(h->place_capacity, sizeof *h->place);
    h->journal = o->journal;
    h->blocks = SHARE_NONE;
    h->expected = o->blocks;
    h->clock = o->clock ? o->clock : clock_now;
    pthread_mutex_init(&h->mutex, NULL);
    pthread_cond_init(&h->moved, NULL);
    h->opened = open_file(h, o);
    if (h->opened)
        return h;
    hub_free(h, true);
    return NULL;
}

void hub_free(Hub *h, bool keep)
{
    if (h->opened && h->journal && (!keep || h->piece_count == 0) && unlink(h->journal) != 0)
        printf_sanitized(stderr, "cqlgen: cannot remove the journal %s: %s\n", h->journal, strerror(errno));
    if (h->fd >= 0)
        close(h->fd);
    for (size_t i = 0; i < h->span_count; i++)
        free(h->span[i].allowed);
    free(h->member);
    free(h->place);
    free(h->span);
    free(h->block);
    for (size_t i = 0; i < h->piece_count; i++)
        free(h->piece[i].bytes);
    free(h->piece);
    free(h->bytes);
    pthread_mutex_destroy(&h->mutex);
    pthread_cond_destroy(&h->moved);
    free(h);
}

uint64_t hub_done(const Hub *h)
{
    return h->done;
}

size_t hub_add_span(Hub *h, uint64_t begin, uint64_t end)
{
    h->span = memory_grow(h->span, &h->span_capacity, h->span_count + 1, sizeof *h->span);
    h->span[h->span_count] = (Span){begin, end, memory_zeroed((size_t)h->members, sizeof(bool))};
    return h->span_count++;
}

void hub_allow(Hub *h, int member, size_t span)
{
    h->span[span].allowed[member] = true;
}

// ---- handing out ------------------------------------------------------------------------------------------

// Moves to the next block of the span that is not done; false when there is none.
static bool find_open(const Hub *h, Span *span)
{
    while (span->next < span->end && is_done(h, span->next))
        span->next++;
    return span->next < span->end && span->next < h->blocks;
}

// How many blocks the member gets: twice as many when it was quick, never so many that others have nothing to do.
static uint64_t next_grain(const Hub *h, const Span *span, Member *m)
{
    const double time = h->clock(), used = time - m->claimed;
    if (m->claimed == 0)
        m->claim_size = 1;
    else if (used < LEAST_SECONDS && m->claim_size < MOST_BLOCKS)
        m->claim_size *= 2;
    else if (used > MOST_SECONDS && m->claim_size > 1)
        m->claim_size /= 2;
    m->claimed = time;
    const uint64_t end = span->end != SHARE_NONE ? span->end : h->expected;
    const uint64_t left =
        end > span->next ? (end - span->next) / (4 * (uint64_t)h->members) + 1 : USUAL_BLOCKS;
    return m->claim_size < left ? m->claim_size : left;
}

static HubAnswer find_range(Hub *h, int member, uint64_t *begin, uint64_t *end)
{
    if (h->complete || h->failed)
        return HUB_NONE;
    if (h->span_count == 0) {
        hub_add_span(h, 0, SHARE_NONE);
        memset(h->span->allowed, true, (size_t)h->members * sizeof(bool));
    }
    for (size_t i = 0; i < h->span_count; i++) {
        Span *span = &h->span[i];
        if (!span->allowed[member] || !find_open(h, span))
            continue;
        if (h->span_count == 1 && span->next > h->written + AHEAD * (uint64_t)h->members)
            return HUB_WAIT;
        const uint64_t most = next_grain(h, span, &h->member[member]);
        *begin = span->next;
        while (span->next < span->end && span->next - *begin < most && !is_done(h, span->next))
            span->next++;
        *end = span->next;
        return HUB_RANGE;
    }
    return HUB_NONE;
}

HubAnswer hub_claim(Hub *h, int member, bool wait, uint64_t *begin, uint64_t *end)
{
    HubAnswer answer;
    pthread_mutex_lock(&h->mutex);
    while ((answer = find_range(h, member, begin, end)) == HUB_WAIT && wait)
        pthread_cond_wait(&h->moved, &h->mutex);
    pthread_mutex_unlock(&h->mutex);
    return answer;
}

// The next range of this process.
static bool claim_here(void *user, uint64_t *begin, uint64_t *end)
{
    Hub *h = user;
    const double start = h->clock();
    const bool got = hub_claim(h, 0, true, begin, end) == HUB_RANGE;
    h->waited += got ? h->clock() - start : 0;
    return got;
}

uint64_t hub_searched(const Hub *h)
{
    return atomic_load(&h->searched);
}

double hub_waited(const Hub *h)
{
    return h->waited;
}

// ---- places -----------------------------------------------------------------------------------------------

void hub_reached(Hub *h, const SharePlace *place)
{
    pthread_mutex_lock(&h->mutex);
    h->place[h->place_count++ % h->place_capacity] = *place;
    pthread_mutex_unlock(&h->mutex);
}

bool hub_place(Hub *h, uint64_t number, SharePlace *place)
{
    const SharePlace *best = NULL;
    pthread_mutex_lock(&h->mutex);
    for (size_t i = 0; i < h->place_capacity && i < h->place_count; i++)
        if (h->place[i].block <= number && (!best || h->place[i].block > best->block))
            best = &h->place[i];
    if (best)
        *place = *best;
    pthread_mutex_unlock(&h->mutex);
    return best != NULL;
}

uint64_t hub_places(const Hub *h)
{
    return atomic_load(&h->place_count);
}

static void note_place(void *user, const SharePlace *place)
{
    hub_reached(user, place);
}

static bool find_place(void *user, uint64_t number, SharePlace *place)
{
    return hub_place(user, number, place);
}

// ---- results ----------------------------------------------------------------------------------------------

// Writes results to the file.
static bool put_in_file(Hub *h, const char *bytes, size_t length, Record *record)
{
    Buffer text = {0};
    uint64_t at = h->size;
    record_put(&text, RECORD_BLOCK, bytes, length);
    const bool written = write_file(h, &text), good = written && record_next(h->fd, h->size, &at, record);
    if (written && !good) {
        complain_of_reading(h);
        h->failed = true;
    }
    buffer_free(&text);
    sync_file(h);
    return good;
}

bool hub_put(Hub *h, const char *bytes, size_t length)
{
    Record record = {.length = length};
    uint64_t number;
    bool more;
    share_block_head(bytes, &number, &more);
    pthread_mutex_lock(&h->mutex);
    const bool kept = h->memory + length <= MEMORY_BYTES;
    const bool good = (kept && !h->journal) || put_in_file(h, bytes, length, &record);
    if (good)
        add_piece(h, &record, kept ? memory_copy(bytes, length) : NULL, number, more);
    else
        pthread_cond_broadcast(&h->moved);
    pthread_mutex_unlock(&h->mutex);
    return good;
}

bool hub_put_all(Hub *h, const char *bytes, size_t length)
{
    uint64_t size, number = 0;
    bool more;
    for (size_t at = 0; at < length; at += size) {
        bool good = length - at >= sizeof size;
        if (good)
            memcpy(&size, bytes + at, sizeof size);
        at += sizeof size;
        good = good && size <= length - at && size >= SHARE_BLOCK_HEAD;
        if (good)
            share_block_head(bytes + at, &number, &more);
        if (!good || number >= BLOCK_NUMBERS) {
            printf_sanitized(stderr, "cqlgen: the results that another process has sent are damaged\n");
            return false;
        }
        if (!hub_put(h, bytes + at, size))
            return false;
    }
    return true;
}

void hub_ended(Hub *h, uint64_t count)
{
    pthread_mutex_lock(&h->mutex);
    h->blocks = count;
    pthread_cond_broadcast(&h->moved);
    pthread_mutex_unlock(&h->mutex);
}

void hub_fail(Hub *h)
{
    pthread_mutex_lock(&h->mutex);
    h->failed = true;
    pthread_cond_broadcast(&h->moved);
    pthread_mutex_unlock(&h->mutex);
}

// The next piece in order, plus 1; 0 when it is not there yet.
static size_t find_piece(const Hub *h)
{
    if (h->next_piece > 0)
        return h->piece[h->next_piece - 1].next;
    return h->next < h->block_count ? h->block[h->next].first : 0;
}

// Waits for the next piece; 0 at the end.
static size_t wait_for_piece(Hub *h)
{
    size_t piece;
    while (!(piece = find_piece(h)) && h->next < h->blocks && !h->complete && !h->failed) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&h->moved, &h->mutex, &until); // not woken for each piece
    }
    return h->complete || h->failed ? 0 : piece;
}

static bool receive_piece(void *user, const char **bytes, size_t *length)
{
    Hub *h = user;
    pthread_mutex_lock(&h->mutex);
    const size_t piece = wait_for_piece(h);
    const bool failed = h->failed;
    Record record = {0};
    char *kept = NULL;
    if (piece > 0) {
        record = h->piece[piece - 1].record;
        kept = h->piece[piece - 1].bytes;
        h->piece[piece - 1].bytes = NULL;
        h->memory -= kept ? record.length : 0;
        h->next_piece = piece;
        if (h->block[h->next].done && h->block[h->next].last == piece) {
            h->next++;
            h->next_piece = 0;
        }
    }
    pthread_mutex_unlock(&h->mutex);
    *bytes = NULL;
    *length = record.length;
    if (piece == 0)
        return failed;
    if (kept) {
        free(h->bytes);
        h->bytes = kept;
        h->capacity = record.length;
        *bytes = kept;
        return true;
    }
    h->bytes = memory_grow(h->bytes, &h->capacity, record.length, 1);
    if (record_read(h->fd, &record, h->bytes))
        *bytes = h->bytes;
    else
        complain_of_reading(h);
    return true;
}

static void note_written(void *user, uint64_t next, bool complete)
{
    Hub *h = user;
    pthread_mutex_lock(&h->mutex);
    h->written = next;
    h->complete |= complete;
    pthread_cond_broadcast(&h->moved);
    pthread_mutex_unlock(&h->mutex);
}

static double part_done(void *user)
{
    Hub *h = user;
    pthread_mutex_lock(&h->mutex);
    const uint64_t blocks = h->blocks != SHARE_NONE ? h->blocks : h->expected;
    const double part = blocks > 0 ? (double)h->written / (double)blocks : 0;
    pthread_mutex_unlock(&h->mutex);
    return part < 1 ? part : 1;
}

static bool give_piece(void *user, uint64_t number, const char *bytes, size_t length)
{
    (void)number; // the bytes contain it
    Hub *h = user;
    atomic_fetch_add(&h->searched, 1);
    return hub_put(h, bytes, length);
}

static void note_end(void *user, uint64_t count)
{
    hub_ended(user, count);
}

SearchShare hub_share(Hub *h)
{
    return (SearchShare){.user = h,
                         .claim = claim_here,
                         .place = find_place,
                         .reached = h->members > 1 ? note_place : NULL,
                         .give = give_piece,
                         .receive = receive_piece,
                         .written = note_written,
                         .part = part_done,
                         .ended = note_end};
}
