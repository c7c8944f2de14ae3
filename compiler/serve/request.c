// Requests: who may make them, and how answers are sent.
#include "internal.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "runtime/value/clock.h"

// The most seconds for which a client may read nothing, and the bytes that are sent at once.
enum { MOST_PATIENCE = 60, PIECE = 4096 };

// ---- who may ----------------------------------------------------------------------------------------------

const char *request_header(const Request *r, const char *name)
{
    const char *value = mg_get_header(r->connection, name);
    return value ? value : "";
}

// Equal, in a time that tells nothing about where they differ.
static bool is_secret(const char *given, size_t length, const char *secret)
{
    const size_t wanted = strlen(secret);
    volatile unsigned char different = length != wanted;
    for (size_t i = 0; i < wanted; i++)
        different |= (unsigned char)(secret[i] ^ (length > 0 ? given[i % length] : 0));
    return different == 0;
}

static bool has_token(const Request *r)
{
    static const char bearer[] = "Bearer ";
    const size_t size = sizeof bearer - 1;
    const char *header = request_header(r, "Authorization"), *query = r->info->query_string;
    char token[512];
    const int length = query ? mg_get_var(query, strlen(query), "token", token, sizeof token) : -1;
    const bool by_header = strncasecmp(header, bearer, size) == 0 &&
                           is_secret(header + size, strlen(header + size), r->server->token);
    return by_header | (length > 0 && is_secret(token, (size_t)length, r->server->token));
}

static bool is_address(const char *name)
{
    unsigned char address[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1;
}

// Is this the header Host of a page of this server? A name may lead anywhere (DNS rebinding), an address does not.
static bool is_host(const Server *s, const char *host)
{
    const char *address = s->options->address, *colon = strrchr(host, ':');
    const bool all = strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
    char name[64], *end = name;
    if (!colon || atoi(colon + 1) != s->port || (size_t)(colon - host) >= sizeof name)
        return false;
    memcpy(name, host, (size_t)(colon - host));
    name[colon - host] = 0;
    if (*name == '[' && (end = strchr(name, ']')))
        *end = 0;
    const char *plain = *name == '[' ? name + 1 : name;
    return strcasecmp(plain, "localhost") == 0 || strcmp(plain, address) == 0 || (all && is_address(plain));
}

static bool is_origin(const Request *r)
{
    static const char scheme[] = "http://";
    const char *origin = request_header(r, "Origin"), *host = request_header(r, "Host");
    return *origin == 0 || (strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
                            strcasecmp(origin + sizeof scheme - 1, host) == 0);
}

bool request_is_allowed(Request *r)
{
    if (!is_host(r->server, request_header(r, "Host")))
        return request_fail(r, 403, NULL, "the header Host must name %s:%d or localhost:%d",
                            r->server->options->address, r->server->port, r->server->port);
    if (!is_origin(r))
        return request_fail(r, 403, NULL, "another page must not use this server (header Origin)");
    return has_token(r) ||
           request_fail(r, 401, NULL,
                        "expected the token that `cqlgen serve` has printed: ?token=TOKEN, or the "
                        "header Authorization: Bearer TOKEN");
}

// ---- sending ----------------------------------------------------------------------------------------------

bool request_is_gone(Request *r, int milliseconds)
{
    struct pollfd watched[] = {{.fd = r->server->stop, .events = POLLIN},
                               {.fd = r->socket, .events = POLLRDHUP}};
    if (!r->gone && poll(watched, 2, milliseconds) > 0)
        r->gone = true;
    return r->gone;
}

// Waits until the client takes bytes; false when it has gone.
static bool is_ready(Request *r)
{
    struct pollfd watched[] = {{.fd = r->socket, .events = POLLOUT | POLLRDHUP},
                               {.fd = r->server->stop, .events = POLLIN}};
    const bool paused = r->running && poll(watched, 1, 0) == 0;
    if (paused)
        queue_pause(r);
    const bool ready =
        poll(watched, 2, MOST_PATIENCE * 1000) > 0 && watched[0].revents & POLLOUT && watched[1].revents == 0;
    if (paused && !queue_wait(r))
        return false;
    return ready;
}

bool request_send(Request *r, const void *bytes, size_t length)
{
    const char *next = bytes;
    while (length > 0 && !r->gone) {
        const size_t piece = length < PIECE ? length : PIECE;
        r->gone = (r->socket >= 0 && !is_ready(r)) || mg_write(r->connection, next, piece) != (int)piece;
        next += piece;
        length -= piece;
    }
    return !r->gone;
}

static const char *reason(int status)
{
    static const struct {
        int status;
        const char *text;
    } reasons[] = {{200, "OK"},
                   {400, "Bad Request"},
                   {401, "Unauthorized"},
                   {403, "Forbidden"},
                   {404, "Not Found"},
                   {405, "Method Not Allowed"},
                   {413, "Content Too Large"},
                   {415, "Unsupported Media Type"},
                   {500, "Internal Server Error"},
                   {503, "Service Unavailable"}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].status == status)
            return reasons[i].text;
    return "Error";
}

bool request_begin(Request *r, int status, const char *type, const char *policy, const char *more)
{
    Buffer head = {0};
    buffer_format(&head,
                  "HTTP/1.1 %d %s\r\n"
                  "Content-Type: %s\r\n"
                  "Cqlgen-Api: 1\r\n"
                  "Connection: close\r\n"
                  "Cache-Control: no-store\r\n"
                  "Content-Security-Policy: %s\r\n"
                  "Cross-Origin-Resource-Policy: same-origin\r\n"
                  "Referrer-Policy: same-origin\r\n"
                  "X-Content-Type-Options: nosniff\r\n%s\r\n",
                  status, reason(status), type,
                  policy ? policy : "default-src 'none'; frame-ancestors 'none'", more);
    r->answered = true;
    const bool sent = request_send(r, head.start, head.length);
    buffer_free(&head);
    return sent;
}

static void answer(Request *r, int status, const char *type, const char *policy, const char *more,
                   const char *text, size_t length)
{
    char *headers = memory_format("Content-Length: %zu\r\n%s", length, more);
    if (request_begin(r, status, type, policy, headers) && strcmp(r->info->request_method, "HEAD") != 0)
        request_send(r, text, length);
    free(headers);
}

void request_answer(Request *r, const char *type, const char *policy, const char *text, size_t length)
{
    answer(r, 200, type, policy, "", text, length);
}

static void answer_json(Request *r, int status, const char *more, json_t *json)
{
    char *text = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
    answer(r, text ? status : 500, "application/json", NULL, more, text ? text : "{}",
           text ? strlen(text) : 2);
    free(text);
    json_decref(json);
}

void request_answer_json(Request *r, json_t *json)
{
    answer_json(r, 200, "", json);
}

bool request_fail(Request *r, int status, const char *member, const char *format, ...)
{
    va_list list;
    if (r->answered)
        return false;
    va_start(list, format);
    char *text = memory_vformat(format, list);
    va_end(list);
    json_t *error =
        json_pack("{s:{s:i, s:s, s:s?}}", "error", "status", status, "text", text, "member", member);
    answer_json(r, status,
                status == 503   ? "Retry-After: 5\r\n"
                : status == 405 ? "Allow: GET, POST\r\n"
                                : "",
                error);
    free(text);
    return false;
}
