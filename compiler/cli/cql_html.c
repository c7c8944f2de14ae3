// A query as HTML, with a class for each kind of token (language reference 02b, -html and -colorize).
#include "cql_html.h"

#include <string.h>

#include "runtime/format/text.h"

static const char *token_class(const Token *t)
{
    switch (t->kind) {
    case TOKEN_WORD:
        return "keyword";
    case TOKEN_IDENTIFIER:
    case TOKEN_PIECE_DECLARATION:
        return "name";
    case TOKEN_INTEGER:
    case TOKEN_RESULT:
    case TOKEN_REPETITION:
        return "number";
    case TOKEN_STRING:
    case TOKEN_GROUP:
    case TOKEN_GROUP_OFFSET:
    case TOKEN_FILE:
        return "string";
    case TOKEN_DESIGNATOR:
        return "piece";
    default:
        return "sign";
    }
}

static void add_span(Buffer *out, const char *name, const char *text, size_t length)
{
    if (length == 0)
        return;
    buffer_format(out, "<span class=\"%s\">", name);
    text_html(out, (Text){text, length});
    buffer_text(out, "</span>");
}

// The text between tokens: white space and comments.
static void add_gap(Buffer *out, const char *text, size_t length)
{
    size_t first = 0, last = length;
    while (first < last && strchr(" \t\n\r\v\f", text[first]))
        first++;
    while (last > first && strchr(" \t\n\r\v\f", text[last - 1]))
        last--;
    text_html(out, (Text){text, first});
    add_span(out, "comment", text + first, last - first);
    text_html(out, (Text){text + last, length - last});
}

void cql_add_spans(Buffer *out, const Source *source, const TokenList *tokens)
{
    size_t at = 0;
    for (int i = 0; i < tokens->count && tokens->token[i].kind != TOKEN_END; i++) {
        const Token *t = &tokens->token[i];
        add_gap(out, source->text + at, t->span.start - at);
        add_span(out, token_class(t), source->text + t->span.start, t->span.end - t->span.start);
        at = t->span.end;
    }
    add_gap(out, source->text + at, source->length - at);
}

void cql_add_page(Buffer *out, const Source *source, const TokenList *tokens)
{
    buffer_text(out, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>");
    text_html(out, text_of(source->name));
    buffer_text(out, "</title>\n<style>\n.keyword { color: #00c; font-weight: bold }\n.name { color: #708 }\n"
                     ".number { color: #a40 }\n.string { color: #a11 }\n.piece { color: #063 }\n"
                     ".comment { color: #777; font-style: italic }\n</style></head>\n<body><pre>");
    cql_add_spans(out, source, tokens);
    buffer_text(out, "</pre></body></html>\n");
}
