// Fingerprints of files.
#include "fingerprint.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "runtime/database/database.h"
#include "runtime/value/file_mark.h"
#include "runtime/value/file_open.h"
#include "runtime/value/memory.h"

// ---- a file -----------------------------------------------------------------------------------------------

enum { END_BYTES = 64 << 10, SAMPLE_BYTES = 4 << 10, SAMPLES = 64 };
enum { MOST_BYTES = 2 * END_BYTES + SAMPLES * SAMPLE_BYTES }; // that are read

// Adds `length` bytes from `at` on to the checksum; false when they cannot be read.
static bool add_piece(int fd, int64_t at, size_t length, uint64_t *content)
{
    char *bytes = memory_new(length);
    const bool good = file_read_at(fd, (uint64_t)at, bytes, length);
    if (good)
        *content = XXH3_64bits_withSeed(bytes, length, *content);
    free(bytes);
    return good;
}

static bool add_samples(int fd, int64_t size, uint64_t *content)
{
    const int64_t apart = (size - 2 * END_BYTES) / SAMPLES;
    if (size <= MOST_BYTES)
        return add_piece(fd, 0, (size_t)size, content);
    bool good = add_piece(fd, 0, END_BYTES, content);
    for (int i = 0; good && i < SAMPLES; i++)
        good = add_piece(fd, END_BYTES + i * apart + (apart - SAMPLE_BYTES) / 2, SAMPLE_BYTES, content);
    return good && add_piece(fd, size - END_BYTES, END_BYTES, content);
}

// A database has checksums of its own. One that cannot be read is reported by the search.
static int64_t sum_of_database(int fd, const char *name)
{
    char head[DATABASE_HEAD], *message = NULL;
    int64_t sum = 0;
    const ssize_t count = pread(fd, head, sizeof head, 0);
    if (count < 0 || !database_is_head(head, (size_t)count))
        return 0;
    Database *d = database_open(name, DATABASE_READ, NULL, &message);
    if (d) {
        sum = database_sum(d);
        database_close(d);
    }
    free(message);
    return sum;
}

static bool look_at(int fd, const char *name, Fingerprint *print)
{
    const int64_t sum = sum_of_database(fd, name); // first: opening it may undo what a killed import left
    const FileMark mark = file_mark(fd);
    if (!mark.is_ordinary)
        return false;
    *print = (Fingerprint){.size = mark.size,
                           .seconds = mark.modified.tv_sec,
                           .nanoseconds = mark.modified.tv_nsec,
                           .content = (uint64_t)sum};
    return add_samples(fd, print->size, &print->content);
}

bool fingerprint_of(const char *name, Fingerprint *print)
{
    struct stat status;
    const bool known = stat(name, &status) == 0;
    *print = (Fingerprint){.size = FINGERPRINT_NONE};
    if (known && !S_ISREG(status.st_mode)) // opening a pipe would disturb those who write to it
        return true;
    const int fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return !known || access(name, R_OK) != 0;
    const bool good = known && look_at(fd, name, print);
    close(fd);
    return good;
}

FileMark fingerprint_mark(const Fingerprint *print)
{
    return (FileMark){
        print->size != FINGERPRINT_NONE, print->size, {(time_t)print->seconds, (long)print->nanoseconds}};
}

unsigned fingerprint_difference(const Fingerprint *a, const Fingerprint *b)
{
    return (a->size != b->size ? DIFFERS_SIZE : 0U) | (a->content != b->content ? DIFFERS_CONTENT : 0U) |
           (a->seconds != b->seconds || a->nanoseconds != b->nanoseconds ? DIFFERS_TIME : 0U);
}

// ---- lists of files ---------------------------------------------------------------------------------------

void fingerprint_put(Buffer *list, const char *name, const Fingerprint *print)
{
    buffer_append(list, name, strlen(name) + 1);
    buffer_format(list, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRIu64, print->size, print->seconds,
                  print->nanoseconds, print->content);
    buffer_append(list, "", 1);
}

// Takes the next text of a list, from *at; NULL at its end.
static const char *next_text(const Buffer *list, size_t *at)
{
    const char *text = list->start + *at;
    const char *end = *at < list->length ? memchr(text, 0, list->length - *at) : NULL;
    *at = end ? (size_t)(end - list->start) + 1 : list->length;
    return end ? text : NULL;
}

const char *fingerprint_get(const Buffer *list, size_t *at, Fingerprint *print)
{
    const char *name = next_text(list, at), *numbers = next_text(list, at);
    return numbers && sscanf(numbers, "%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNu64, &print->size,
                             &print->seconds, &print->nanoseconds, &print->content) == 4
               ? name
               : NULL;
}

bool fingerprint_put_again(Buffer *list, const Buffer *names, size_t first)
{
    Fingerprint print;
    const char *name = NULL;
    for (size_t at = 0, i = 0; at < names->length; i++) {
        if (!(name = fingerprint_get(names, &at, &print)) || (i >= first && !fingerprint_of(name, &print)))
            return false;
        fingerprint_put(list, name, &print);
    }
    return true;
}

FilePair *fingerprint_pairs(const Buffer *first, const Buffer *second, size_t *count)
{
    FilePair *pair = memory_new(1);
    size_t capacity = 0, at = 0, other_at = 0;
    bool same = true;
    *count = 0;
    while (same && (at < first->length || other_at < second->length)) {
        FilePair p;
        p.name = fingerprint_get(first, &at, &p.first);
        const char *name = fingerprint_get(second, &other_at, &p.second);
        same = p.name && name && strcmp(p.name, name) == 0;
        if (!same)
            break;
        p.differs = fingerprint_difference(&p.first, &p.second);
        MEMORY_PUSH(pair, *count, capacity, p);
    }
    if (same)
        return pair;
    *count = 0;
    free(pair);
    return NULL;
}

const FilePair *fingerprint_worst(const FilePair *pair, size_t count)
{
    const FilePair *retimed = NULL;
    for (const FilePair *p = pair; p < pair + count; p++) {
        if (p->differs & (DIFFERS_SIZE | DIFFERS_CONTENT))
            return p;
        retimed = retimed || !p->differs ? retimed : p;
    }
    return retimed;
}

static void tell_size(Buffer *out, int64_t size)
{
    if (size == FINGERPRINT_NONE)
        buffer_text(out, "no regular file");
    else
        buffer_format(out, "%" PRId64 " bytes", size);
}

static void tell_time(Buffer *out, const Fingerprint *print)
{
    const time_t seconds = (time_t)print->seconds;
    struct tm utc;
    if (gmtime_r(&seconds, &utc))
        buffer_format(out, "%d-%02d-%02d %02d:%02d:%02d.%09" PRId64 " UTC", utc.tm_year + 1900,
                      utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, print->nanoseconds);
    else
        buffer_format(out, "@%" PRId64 ".%09" PRId64, print->seconds, print->nanoseconds);
}

void fingerprint_tell(Buffer *out, const FilePair *p)
{
    const bool both = p->first.size != FINGERPRINT_NONE && p->second.size != FINGERPRINT_NONE;
    const unsigned differs = both ? p->differs : DIFFERS_SIZE;
    if (differs & DIFFERS_SIZE) {
        buffer_text(out, "size (");
        tell_size(out, p->first.size);
        buffer_text(out, " and ");
        tell_size(out, p->second.size);
        buffer_text(out, ")");
    }
    if (differs & DIFFERS_CONTENT)
        buffer_format(out, "%scontent", differs & DIFFERS_SIZE ? ", " : "");
    if (differs & DIFFERS_TIME) {
        buffer_format(out, "%stime of the last change (", differs != DIFFERS_TIME ? ", " : "");
        tell_time(out, &p->first);
        buffer_text(out, " and ");
        tell_time(out, &p->second);
        buffer_text(out, ")");
    }
}
