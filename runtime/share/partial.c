// The files of partial results: RECORD_PART, RECORD_FILES, RECORD_KEY, a RECORD_BLOCK for each result, RECORD_END (records.h).
#include "partial.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/value/memory.h"
#include "runtime/search/fingerprint.h"
#include "runtime/search/output.h"
#include "runtime/value/terminal.h"
#include "records.h"

// ---- writing ----------------------------------------------------------------------------------------------

struct Partial {
    OutputFile *file;
    pthread_mutex_t mutex; // guards `file` and `failed`
    bool failed;
    int64_t part, parts, next; // next: the number of the block to claim
    int64_t blocks;            // of the inputs, -1: not known
};

static void write_all(Partial *p, Buffer *bytes)
{
    p->failed = p->failed || !output_write(p->file, bytes->start, bytes->length);
    buffer_free(bytes);
}

Partial *partial_create(const char *name, int64_t part, int64_t parts, const Buffer *key, const Buffer *files)
{
    OutputFile *file = output_open(name, OUTPUT_PLAIN);
    if (!file)
        return NULL;
    Partial *p = memory_zeroed(1, sizeof *p);
    *p = (Partial){.file = file, .part = part, .parts = parts, .next = part - 1, .blocks = -1};
    pthread_mutex_init(&p->mutex, NULL);
    Buffer begin = {0};
    record_begin_file(&begin);
    record_put_numbers(&begin, RECORD_PART, (const int64_t[]){part, parts}, 2);
    record_put(&begin, RECORD_FILES, files->start, files->length);
    record_put(&begin, RECORD_KEY, key->start, key->length);
    write_all(p, &begin);
    return p;
}

static bool claim_block(void *user, uint64_t *begin, uint64_t *end)
{
    Partial *p = user;
    *begin = (uint64_t)p->next;
    *end = *begin + 1;
    p->next += p->parts;
    return true;
}

static bool give_record(void *user, uint64_t number, const char *bytes, size_t length)
{
    (void)number; // the bytes contain it
    Partial *p = user;
    Buffer record = {0};
    record_put(&record, RECORD_BLOCK, bytes, length);
    pthread_mutex_lock(&p->mutex);
    write_all(p, &record);
    const bool good = !p->failed;
    pthread_mutex_unlock(&p->mutex);
    return good;
}

static void note_end(void *user, uint64_t count)
{
    Partial *p = user;
    p->blocks = (int64_t)count;
}

SearchShare partial_share(Partial *p)
{
    return (SearchShare){.user = p, .claim = claim_block, .give = give_record, .ended = note_end};
}

bool partial_close(Partial *p, bool keep)
{
    Buffer end = {0};
    record_put_numbers(&end, RECORD_END, &p->blocks, 1);
    write_all(p, &end);
    const bool good = output_close(p->file, keep && !p->failed) && !p->failed;
    pthread_mutex_destroy(&p->mutex);
    free(p);
    return good;
}

// ---- reading ----------------------------------------------------------------------------------------------

typedef struct PartFile {
    const char *name;
    int fd;
    int64_t part, parts, blocks;
    Buffer key, files;
} PartFile;

// Where the bytes of a block are.
typedef struct Place {
    uint64_t number;
    Record record;
    size_t file;
} Place;

struct PartialSet {
    PartFile *file; // sorted by part once all are open
    size_t count;
    Place *place; // by block, and in each block in the order of the file
    size_t place_count, place_capacity, next;
    char *bytes; // of the block that was read last
    size_t capacity;
};

static bool complain_of_part(const char *name, const char *what)
{
    printf_sanitized(stderr, "cqlgen: %s%s%s\n", name, *name ? ": " : "", what);
    return false;
}

static bool take_bytes(const PartFile *f, const Record *record, Buffer *bytes)
{
    bytes->length = 0;
    buffer_room(bytes, record->length + 1); // never NULL
    bytes->length = record->length;
    return record_read(f->fd, record, bytes->start);
}

static bool take_block(PartialSet *s, const PartFile *f, const Record *record, size_t index)
{
    char head[SHARE_BLOCK_HEAD];
    bool more;
    if (!record_start(f->fd, record, head, sizeof head))
        return false;
    s->place = memory_grow(s->place, &s->place_capacity, s->place_count + 1, sizeof *s->place);
    Place *place = &s->place[s->place_count++];
    *place = (Place){.record = *record, .file = index};
    share_block_head(head, &place->number, &more);
    return true;
}

// Takes one record; false when it is damaged.
static bool take_record(PartialSet *s, PartFile *f, const Record *record, size_t index)
{
    int64_t part[2];
    switch (record->kind) {
    case RECORD_PART:
        if (!record_numbers(f->fd, record, part, 2))
            return false;
        f->part = part[0];
        f->parts = part[1];
        return f->part >= 1 && f->part <= f->parts;
    case RECORD_KEY:
        return take_bytes(f, record, &f->key);
    case RECORD_FILES:
        return take_bytes(f, record, &f->files);
    case RECORD_BLOCK:
        return take_block(s, f, record, index);
    case RECORD_END:
        return record_numbers(f->fd, record, &f->blocks, 1);
    default:
        return false;
    }
}

// Reads where the records of a file are; false after a message.
static bool read_records(PartialSet *s, PartFile *f, size_t index)
{
    struct stat status;
    Record record = {0};
    uint64_t at;
    const RecordFile file =
        fstat(f->fd, &status) == 0 && S_ISREG(status.st_mode) ? record_is_file(f->fd, &at) : RECORDS_NONE;
    if (file == RECORDS_NONE)
        return complain_of_part(f->name, "not a partial result of a search (made with --part)");
    if (file == RECORDS_OTHER)
        return complain_of_part(
            f->name, "the partial result of another version of cqlgen; search this part again with this one");
    while (record.kind != RECORD_END) {
        if (!record_next(f->fd, (uint64_t)status.st_size, &at, &record))
            return complain_of_part(f->name, "the partial result is incomplete; search this part again");
        if (!take_record(s, f, &record, index))
            return complain_of_part(f->name, "the partial result is damaged; search this part again");
    }
    return (f->key.start && f->files.start && f->parts > 0) ||
           complain_of_part(f->name, "the partial result is damaged; search this part again");
}

static bool open_file(PartialSet *s, PartFile *f, const char *name, size_t index)
{
    f->name = name;
    f->fd = open(name, O_RDONLY | O_CLOEXEC);
    if (f->fd >= 0)
        return read_records(s, f, index);
    printf_sanitized(stderr, "cqlgen: cannot read %s: %s\n", name, strerror(errno));
    return false;
}

// The file of a part, or NULL.
static const PartFile *find_part(const PartialSet *s, int64_t part, const PartFile *before)
{
    for (const PartFile *f = s->file; f < before; f++)
        if (f->part == part)
            return f;
    return NULL;
}

// Are they all parts of one search, each of them once?
static bool check_parts(const PartialSet *s)
{
    const PartFile *first = s->file, *end = s->file + s->count;
    for (const PartFile *f = first; f < end; f++) {
        const PartFile *same = find_part(s, f->part, f);
        if (f->parts != first->parts || f->key.length != first->key.length ||
            memcmp(f->key.start, first->key.start, f->key.length) != 0) {
            printf_sanitized(
                stderr,
                "cqlgen: %s and %s are not parts of one search: the queries, options, games, number of "
                "parts or "
                "version of cqlgen differ\n",
                first->name, f->name);
            return false;
        }
        if (same) {
            printf_sanitized(stderr, "cqlgen: %s and %s are both part %lld\n", same->name, f->name,
                             (long long)f->part);
            return false;
        }
    }
    for (int64_t part = 1; part <= first->parts; part++) {
        if (find_part(s, part, end))
            continue;
        printf_sanitized(stderr, "cqlgen: part %lld of %lld is missing: search it with --part %lld/%lld\n",
                         (long long)part, (long long)first->parts, (long long)part, (long long)first->parts);
        return false;
    }
    return true;
}

// Says that two parts have read different files; false unless only their times differ.
static bool tell_file(const FilePair *file, const PartFile *first, const PartFile *other)
{
    const bool same = file->differs == DIFFERS_TIME;
    Buffer how = {0};
    fingerprint_tell(&how, file);
    printf_sanitized(stderr, "cqlgen: %s%s of %s and that of %s differ in %.*s; %s\n",
                     same ? "warning: " : "", file->name, first->name, other->name, (int)how.length,
                     how.start,
                     same ? "samples of their content are the same, so the parts are merged"
                          : "search both parts again over the same file");
    buffer_free(&how);
    return same;
}

// Have all parts read the same files? Times are warned of once for each file.
static bool check_files(const PartialSet *s)
{
    bool good = true, *told = NULL;
    for (const PartFile *f = s->file + 1; good && f < s->file + s->count; f++) {
        size_t count;
        FilePair *pair = fingerprint_pairs(&s->file->files, &f->files, &count);
        if (!pair)
            good = complain_of_part(f->name, "the partial result is damaged; search this part again");
        if (pair && !told)
            told = memory_zeroed(count, sizeof *told);
        for (size_t i = 0; good && i < count; i++) {
            if (pair[i].differs && !(told[i] && pair[i].differs == DIFFERS_TIME))
                good = tell_file(&pair[i], s->file, f);
            told[i] |= pair[i].differs != 0;
        }
        free(pair);
    }
    free(told);
    return good;
}

// Have all parts read the same inputs?
static bool check_blocks(const PartialSet *s)
{
    const PartFile *known = NULL;
    for (const PartFile *f = s->file; f < s->file + s->count; f++) {
        if (f->blocks >= 0 && known && f->blocks != known->blocks) {
            printf_sanitized(stderr,
                             "cqlgen: %s and %s were made from different games: the inputs have changed\n",
                             known->name, f->name);
            return false;
        }
        known = f->blocks >= 0 ? f : known;
    }
    return true;
}

static int compare_places(const void *a, const void *b)
{
    const Place *x = a, *y = b;
    const int order = (x->number > y->number) - (x->number < y->number);
    return order ? order : (x->record.offset > y->record.offset) - (x->record.offset < y->record.offset);
}

PartialSet *partial_set_open(const char *const *name, size_t count)
{
    PartialSet *s = memory_zeroed(1, sizeof *s);
    s->file = memory_zeroed(count, sizeof *s->file);
    bool good = true;
    for (; s->count < count; s->count++)
        good &= open_file(s, &s->file[s->count], name[s->count], s->count);
    if (good && check_parts(s) && check_files(s) && check_blocks(s)) {
        if (s->place_count > 0)
            qsort(s->place, s->place_count, sizeof *s->place, compare_places);
        return s;
    }
    partial_set_close(s);
    return NULL;
}

void partial_set_close(PartialSet *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->file[i].fd >= 0)
            close(s->file[i].fd);
        buffer_free(&s->file[i].key);
        buffer_free(&s->file[i].files);
    }
    free(s->file);
    free(s->place);
    free(s->bytes);
    free(s);
}

const Buffer *partial_set_files(const PartialSet *s)
{
    return &s->file->files;
}

const char *partial_set_key(const PartialSet *s, size_t *length)
{
    *length = s->file->key.length;
    return s->file->key.start;
}

static bool receive_record(void *user, const char **bytes, size_t *length)
{
    PartialSet *s = user;
    if (s->next == s->place_count)
        return false;
    const Place *place = &s->place[s->next++];
    const PartFile *f = &s->file[place->file];
    s->bytes = memory_grow(s->bytes, &s->capacity, place->record.length, 1);
    *length = place->record.length;
    *bytes = s->bytes;
    if (!record_read(f->fd, &place->record, s->bytes)) {
        complain_of_part(f->name, "the partial result is damaged; search this part again");
        *bytes = NULL;
    }
    return true;
}

SearchShare partial_set_share(PartialSet *s)
{
    return (SearchShare){.user = s, .receive = receive_record};
}
