// What the server answers at once, without a search.
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compiler/api/cqlgen.h"
#include "compiler/editor/editor.h"
#include "compiler/language/table.h"
#include "runtime/format/writers.h"
#include "runtime/search/search.h"
#include "runtime/value/ascii.h"

// The page, with placeholders.
extern const char serve_page[];

// The words that the editor colours, of all dialects.
static void write_words(Buffer *out)
{
    for (int op = 0; op < OP_COUNT_; op++)
        if (op_info[op].row != ROW_STRUCTURE && is_letter(op_info[op].name[0]))
            buffer_format(out, "%s ", op_info[op].name);
}

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

static void write_page(Buffer *out, const char *token, const char *nonce)
{
    for (const char *at = serve_page; *at;) {
        if (begins(at, "@TOKEN@")) {
            buffer_text(out, token);
        } else if (begins(at, "@NONCE@")) {
            buffer_text(out, nonce);
        } else if (begins(at, "@WORDS@")) {
            write_words(out);
        } else if (begins(at, "@PIECES@")) {
            write_html_pieces(out);
        } else {
            const size_t length = 1 + strcspn(at + 1, "@");
            buffer_append(out, at, length);
            at += length;
            continue;
        }
        at = strchr(at + 1, '@') + 1;
    }
}

void answer_page(Request *r)
{
    char nonce[33];
    Buffer page = {0};
    random_text(nonce, sizeof nonce);
    write_page(&page, r->server->token, nonce);
    char *policy =
        memory_format("default-src 'none'; script-src 'nonce-%s'; style-src 'nonce-%s'; connect-src 'self'; "
                      "img-src data: blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
                      nonce, nonce);
    request_answer(r, "text/html; charset=utf-8", policy, page.start, page.length);
    buffer_free(&page);
    free(policy);
}

static json_t *describe(const ServedFile *f)
{
    struct stat status;
    SearchShard shard;
    const json_int_t bytes = stat(f->input, &status) == 0 ? (json_int_t)status.st_size : 0;
    json_t *games = search_look_at_shard(f->input, &shard) ? json_integer(shard.games) : json_null();
    return json_pack("{s:s, s:s, s:o, s:I}", "name", f->name, "path", f->path, "games", games, "bytes",
                     bytes);
}

void answer_databases(Request *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->server->options->input_count; i++)
        json_array_append_new(list, describe(&r->server->file[i]));
    request_answer_json(r,
                        json_pack("{s:i, s:s, s:o}", "api", 1, "version", CQLGEN_VERSION, "databases", list));
}

void answer_check(Request *r)
{
    request_answer_json(r, editor_check(member_query(r), member_text(r, "dialect")));
}

static int number_of(const json_t *object, const char *name)
{
    const json_int_t value = json_integer_value(json_object_get(object, name));
    return value < 0 ? 0 : value > INT32_MAX ? INT32_MAX : (int)value;
}

void answer_complete(Request *r)
{
    const json_t *position = json_object_get(r->member, "position");
    if (!json_is_object(position)) {
        request_fail(r, 400, "position", "expected {\"line\": 0, \"character\": 0}: position");
        return;
    }
    request_answer_json(r, editor_complete(member_query(r), member_text(r, "dialect"),
                                           number_of(position, "line"), number_of(position, "character")));
}

void answer_help(Request *r, const char *word)
{
    json_t *page = editor_help(word);
    if (page)
        request_answer_json(r, page);
    else
        request_fail(r, 404, NULL, "no help page for `%s`", word);
}

void answer_format(Request *r)
{
    json_t *text = editor_format(member_query(r), member_text(r, "dialect"));
    if (text)
        request_answer_json(r, text);
    else
        request_fail(r, 400, "query", "the query has errors, which /check shows: query");
}

void answer_examples(Request *r)
{
    request_answer_json(r, json_incref(r->server->options->examples));
}
