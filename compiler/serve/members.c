// The members of requests: parameters, forms and JSON objects.
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "compiler/front/detect/dialect.h"

enum {
    MOST_BODY = 1 << 20,
    MOST_DRAINED = 64 << 20 // bytes of a body that is too long, which are read before the answer
};

typedef enum Kind { TEXT, NUMBER, FLAG, NAMES, PLACE } Kind;

static const struct {
    const char *name;
    Kind kind;
} known[] = {
    {"api", NUMBER},    {"among", TEXT},       {"by", TEXT},       {"context", NUMBER},  {"databases", NAMES},
    {"dialect", TEXT},  {"fields", TEXT},      {"first", FLAG},    {"format", TEXT},     {"limit", NUMBER},
    {"measure", TEXT},  {"min_games", NUMBER}, {"no_query", FLAG}, {"of_all", FLAG},     {"order", TEXT},
    {"per", TEXT},      {"player", TEXT},      {"plies", NUMBER},  {"position", PLACE},  {"query", TEXT},
    {"quiz", FLAG},     {"sort", TEXT},        {"sort_min", FLAG}, {"title", TEXT},      {"token", TEXT},
    {"variants", FLAG}, {"variations", FLAG},  {"where", TEXT},    {"worksheet", NUMBER}};
enum { KNOWN = sizeof known / sizeof *known };

// ---- one member -------------------------------------------------------------------------------------------

static bool is_flag(const char *text, bool *value)
{
    *value = strcmp(text, "true") == 0 || strcmp(text, "1") == 0 || strcmp(text, "on") == 0;
    return *value || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

static bool is_number(const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return errno == 0 && end != text && *end == 0;
}

// The value as its kind, from JSON or from a text; NULL: it is something else. A new reference.
static json_t *of_kind(Kind kind, json_t *value)
{
    const char *text = json_string_value(value);
    int64_t number = 0;
    bool flag = false, good = true;
    switch (kind) {
    case TEXT:
        return text ? json_incref(value) : NULL;
    case NUMBER:
        good = text ? is_number(text, &number) : json_is_integer(value);
        number = text ? number : json_integer_value(value);
        return good && number >= 1 ? json_integer(number) : NULL;
    case FLAG:
        good = text ? is_flag(text, &flag) : json_is_boolean(value);
        return good ? json_boolean(text ? flag : json_is_true(value)) : NULL;
    case NAMES:
        if (text)
            return json_pack("[O]", value);
        for (size_t i = 0; i < json_array_size(value); i++)
            good &= json_is_string(json_array_get(value, i));
        return good && json_is_array(value) ? json_incref(value) : NULL;
    case PLACE:
        return text || json_is_object(value) ? json_incref(value) : NULL;
    }
    return NULL;
}

static bool take(Request *r, const char *name, json_t *value)
{
    static const char *const expected[] = {"a text", "a number from 1", "true or false", "names", "a text"};
    size_t i = 0;
    while (i < KNOWN && strcmp(known[i].name, name) != 0)
        i++;
    if (i == KNOWN)
        return request_fail(r, 400, name, "no such member: %s; docs/serve.md lists them", name);
    json_t *own = of_kind(known[i].kind, value);
    if (!own)
        return request_fail(r, 400, name, "expected %s: %s", expected[known[i].kind], name);
    json_object_set_new(r->member, name, own);
    return true;
}

// ---- parameters and forms ---------------------------------------------------------------------------------

static json_t *decoded(const char *text, size_t length)
{
    char *bytes = memory_new(length + 1);
    const int size = mg_url_decode(text, (int)length, bytes, (int)length + 1, 1);
    json_t *value = size >= 0 && strlen(bytes) == (size_t)size ? json_string(bytes) : NULL;
    free(bytes);
    return value;
}

// Adds NAME=VALUE; several values of one name make a list. An empty value, of a form, is absent.
static bool take_pair(Request *r, json_t *pairs, const char *pair, size_t length)
{
    const char *sign = memchr(pair, '=', length);
    const size_t size = sign ? (size_t)(sign - pair) : length;
    json_t *name = decoded(pair, size),
           *value = sign ? decoded(sign + 1, length - size - 1) : json_string("");
    const char *key = json_string_value(name);
    const bool good = key && value;
    json_t *before = good ? json_object_get(pairs, key) : NULL;
    if (!good)
        request_fail(r, 400, NULL, "a parameter is not text in UTF-8");
    else if (json_string_length(value) == 0)
        ;
    else if (json_is_array(before))
        json_array_append(before, value);
    else if (before)
        json_object_set_new(pairs, key, json_pack("[O, O]", before, value));
    else
        json_object_set(pairs, key, value);
    json_decref(name);
    json_decref(value);
    return good;
}

static json_t *read_pairs(Request *r, const char *text)
{
    json_t *pairs = json_object();
    bool good = true;
    for (size_t length; good && *text; text += length + (text[length] != 0)) {
        length = strcspn(text, "&");
        good = length == 0 || take_pair(r, pairs, text, length);
    }
    if (!good) {
        json_decref(pairs);
        return NULL;
    }
    return pairs;
}

// ---- bodies -----------------------------------------------------------------------------------------------

// Reads the body as a text; false after an answer.
static bool read_body(Request *r, Buffer *body)
{
    char piece[1 << 14];
    size_t drained = 0;
    for (int got; (got = mg_read(r->connection, piece, sizeof piece)) > 0;) {
        if (body->length + (size_t)got <= MOST_BODY)
            buffer_append(body, piece, (size_t)got);
        else if ((drained += (size_t)got) > MOST_DRAINED)
            break;
    }
    if (drained > 0 || r->info->content_length > MOST_BODY)
        return request_fail(r, 413, NULL, "the request is too long; the limit is %d bytes", MOST_BODY);
    if (memchr(body->start ? body->start : "", 0, body->length))
        return request_fail(r, 400, NULL, "the request has a NUL character");
    if (r->info->content_length > (long long)body->length)
        return request_fail(r, 400, NULL, "the request has ended early");
    buffer_append(body, "", 1);
    return true;
}

static json_t *read_json(Request *r, const char *text)
{
    json_error_t error;
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!object)
        request_fail(r, 400, NULL, "the body is not JSON: line %d, column %d: %s", error.line, error.column,
                     error.text);
    else if (!json_is_object(object))
        request_fail(r, 400, NULL, "expected an object of JSON in the body");
    if (json_is_object(object))
        return object;
    json_decref(object);
    return NULL;
}

static bool is_type(const Request *r, const char *type)
{
    const char *given = request_header(r, "Content-Type");
    const size_t length = strlen(type);
    return strncasecmp(given, type, length) == 0 && strchr("; ", given[length]);
}

static json_t *read_posted(Request *r)
{
    Buffer body = {0};
    json_t *pairs = NULL;
    if (!read_body(r, &body))
        ;
    else if (body.length == 1)
        pairs = json_object();
    else if (is_type(r, "application/json"))
        pairs = read_json(r, body.start);
    else if (is_type(r, "application/x-www-form-urlencoded"))
        pairs = read_pairs(r, body.start);
    else
        request_fail(r, 415, NULL, "expected Content-Type: application/json, or that of a form");
    buffer_free(&body);
    return pairs;
}

// ---- all --------------------------------------------------------------------------------------------------

static bool check(Request *r)
{
    const char *name = member_text(r, "dialect");
    const Dialect dialect = name ? dialect_from_name(name, strlen(name)) : DIALECT_NONE;
    if (member_number(r, "api") > 1)
        return request_fail(r, 400, "api", "this server speaks version 1 of the interface: api");
    if (!name)
        return true;
    if (dialect == DIALECT_NONE)
        return request_fail(r, 400, "dialect", "expected one of %s: dialect", dialect_names);
    json_object_set_new(r->member, "dialect", json_string(dialect_name(dialect)));
    return true;
}

bool members_read(Request *r)
{
    const bool posted = strcmp(r->info->request_method, "POST") == 0;
    const char *query = r->info->query_string, *name;
    json_t *pairs = posted ? read_posted(r) : read_pairs(r, query ? query : ""), *value;
    bool good = pairs != NULL;
    r->member = json_object();
    json_object_foreach(pairs, name, value) good = good && (json_is_null(value) || take(r, name, value));
    json_decref(pairs);
    return good && check(r);
}

const char *member_text(const Request *r, const char *name)
{
    return json_string_value(json_object_get(r->member, name));
}

int64_t member_number(const Request *r, const char *name)
{
    return json_integer_value(json_object_get(r->member, name));
}

bool member_is(const Request *r, const char *name, bool missing)
{
    const json_t *value = json_object_get(r->member, name);
    return value ? json_is_true(value) : missing;
}

const char *member_query(const Request *r)
{
    const char *query = member_text(r, "query");
    return query ? query : "true";
}
