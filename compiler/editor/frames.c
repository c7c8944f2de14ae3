// Frames of the Language Server Protocol: `Content-Length: N`, an empty line, N bytes of JSON.
#include "internal.h"

#ifdef CQL_HAS_JSON
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "runtime/value/memory.h"

enum { LONGEST_LINE = 4096, READ_SIZE = 65536 };
static const char length_name[] = "Content-Length:";

// Reads more bytes. False at the end.
static bool fill(FrameReader *r)
{
    if (r->at > 0) {
        memmove(r->bytes, r->bytes + r->at, r->count - r->at);
        r->count -= r->at;
        r->at = 0;
    }
    r->bytes = memory_grow(r->bytes, &r->capacity, r->count + READ_SIZE, 1);
    ssize_t got;
    do
        got = read(r->in, r->bytes + r->count, READ_SIZE);
    while (got < 0 && errno == EINTR);
    r->count += got > 0 ? (size_t)got : 0;
    return got > 0;
}

bool frame_is_waiting(const FrameReader *r)
{
    struct pollfd poll_in = {.fd = r->in, .events = POLLIN};
    return r->at < r->count || poll(&poll_in, 1, 0) > 0;
}

// Takes the next line; of a line that is too long, a part. False at the end of the input.
static bool read_line(FrameReader *r, char line[LONGEST_LINE + 1])
{
    for (;;) {
        const size_t here = r->count - r->at;
        const char *start = r->bytes + r->at, *end = here > 0 ? memchr(start, '\n', here) : NULL;
        if (end == NULL && here < LONGEST_LINE) {
            if (!fill(r))
                return false;
            continue;
        }
        size_t length = end != NULL ? (size_t)(end - start) : here;
        length = length < LONGEST_LINE ? length : LONGEST_LINE;
        memcpy(line, start, length);
        r->at += length + (end == start + length);
        while (length > 0 && line[length - 1] == '\r')
            length--;
        line[length] = '\0';
        return true;
    }
}

// The number after the name of the field, wherever that is in the line: what is before it is left of a broken frame. -1: there is none.
static long long length_in(const char *line)
{
    for (; *line != '\0'; line++)
        if (strncasecmp(line, length_name, strlen(length_name)) == 0) {
            const char *digits = line + strlen(length_name) + strspn(line + strlen(length_name), " \t");
            const size_t count = strspn(digits, "0123456789");
            return count > 0 && count < 18 && digits[count + strspn(digits + count, " \t")] == '\0'
                       ? strtoll(digits, NULL, 10)
                       : -1;
        }
    return -1;
}

static FrameStatus read_body(FrameReader *r, size_t length)
{
    while (r->count - r->at < length)
        if (!fill(r))
            return FRAME_END;
    r->body = r->bytes + r->at;
    r->length = length;
    r->at += length;
    return FRAME_READ;
}

static FrameStatus skip_body(FrameReader *r, size_t length)
{
    while (r->count - r->at < length) {
        length -= r->count - r->at;
        r->at = r->count;
        if (!fill(r))
            return FRAME_END;
    }
    r->at += length;
    return FRAME_TOO_LONG;
}

FrameStatus frame_read(FrameReader *r)
{
    char line[LONGEST_LINE + 1];
    long long length = -1;
    while (read_line(r, line)) {
        const long long found = length_in(line);
        length = found >= 0 ? found : length;
        if (line[0] != '\0' || length < 0)
            continue;
        return length > FRAME_MOST ? skip_body(r, (size_t)length) : read_body(r, (size_t)length);
    }
    return FRAME_END;
}

static bool write_all(int out, const char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(out, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

bool frame_write(int out, const json_t *message)
{
    char head[64];
    char *body = memory_checked(json_dumps(message, JSON_COMPACT));
    const size_t length = strlen(body);
    const int size = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", length);
    const bool good = write_all(out, head, (size_t)size) && write_all(out, body, length);
    free(body);
    return good;
}

#endif
