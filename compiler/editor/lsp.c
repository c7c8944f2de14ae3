// The language server: documents, requests and their answers.
#include "lsp.h"

#include "internal.h"

#ifndef CQL_HAS_JSON

bool lsp_is_built(void)
{
    return false;
}

bool lsp_serve(int in, int out)
{
    (void)in;
    (void)out;
    return false;
}

#else
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"

enum { MOST_TEXT = FRAME_MOST }; // bytes of a document

// Errors of JSON-RPC and of the protocol.
enum {
    PARSE_ERROR = -32700,
    INVALID_REQUEST = -32600,
    METHOD_NOT_FOUND = -32601,
    INVALID_PARAMS = -32602,
    NOT_INITIALIZED = -32002
};

// Kinds of symbols in the protocol.
enum { SYMBOL_FUNCTION = 12, SYMBOL_VARIABLE = 13 };

typedef struct Document {
    char *uri, *text;
    json_t *version;
    json_t *diagnostics; // of the text, with their fixes; NULL: not known yet
    bool is_published;
} Document;

typedef struct Server {
    FrameReader reader;
    int out;
    bool broken; // `out` cannot be written
    bool bytes;  // characters of positions are bytes
    bool initialized, is_shut_down, ended;
    Document *document;
    size_t count, capacity;
} Server;

bool lsp_is_built(void)
{
    return true;
}

// ---- messages ---------------------------------------------------------------------------------------------

// Takes the message.
static void send_message(Server *s, json_t *message)
{
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    s->broken = s->broken || !frame_write(s->out, message);
    json_decref(message);
}

static void notify(Server *s, const char *method, json_t *params)
{
    send_message(s, json_pack("{s:s, s:o}", "method", method, "params", params));
}

static void refuse(Server *s, json_t *id, int code, const char *text)
{
    send_message(s, json_pack("{s:O, s:{s:i, s:s}}", "id", id, "error", "code", code, "message", text));
}

// ---- documents --------------------------------------------------------------------------------------------

static Document *find_document(Server *s, const char *uri)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->document[i].uri, uri) == 0)
            return &s->document[i];
    return NULL;
}

// The document that the parameters of a request name; or NULL.
static Document *document_of(Server *s, json_t *params)
{
    const char *uri;
    return json_unpack(params, "{s:{s:s}}", "textDocument", "uri", &uri) == 0 ? find_document(s, uri) : NULL;
}

static EditorQuery query_of(const Server *s, const Document *d)
{
    return (EditorQuery){.text = d->text, .is_file = true, .bytes = s->bytes};
}

static void forget_diagnostics(Document *d)
{
    json_decref(d->diagnostics);
    d->diagnostics = NULL;
    d->is_published = false;
}

static void free_document(Document *d)
{
    forget_diagnostics(d);
    json_decref(d->version);
    free(d->uri);
    free(d->text);
}

static void close_document(Server *s, Document *d)
{
    free_document(d);
    *d = s->document[--s->count];
}

// What is wrong with the document, with fixes.
static json_t *diagnostics_of(const Server *s, Document *d)
{
    const EditorQuery query = query_of(s, d);
    if (d->diagnostics == NULL) {
        json_t *answer = memory_checked(check_query(&query));
        d->diagnostics = json_incref(json_object_get(answer, "diagnostics"));
        json_decref(answer);
    }
    return d->diagnostics;
}

// The diagnostic as clients know it: without its fixes.
static json_t *bare(const json_t *diagnostic)
{
    json_t *copy = json_copy((json_t *)(uintptr_t)diagnostic);
    json_object_del(copy, "fixes");
    return copy;
}

static void publish(Server *s, Document *d)
{
    size_t i;
    json_t *entry, *list = json_array();
    json_array_foreach(diagnostics_of(s, d), i, entry) json_array_append_new(list, bare(entry));
    json_t *params = json_pack("{s:s, s:o}", "uri", d->uri, "diagnostics", list);
    if (json_is_integer(d->version))
        json_object_set(params, "version", d->version);
    notify(s, "textDocument/publishDiagnostics", params);
    d->is_published = true;
}

static void publish_all(Server *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (!s->document[i].is_published)
            publish(s, &s->document[i]);
}

static void did_open(Server *s, json_t *params)
{
    const char *uri, *text;
    json_t *version = NULL;
    if (json_unpack(params, "{s:{s:s, s:s, s?o}}", "textDocument", "uri", &uri, "text", &text, "version",
                    &version) != 0)
        return;
    Document *old = find_document(s, uri);
    if (old != NULL)
        close_document(s, old);
    const Document d = {memory_copy(uri, strlen(uri)), memory_copy(text, strlen(text)), json_incref(version),
                        NULL, false};
    MEMORY_PUSH(s->document, s->count, s->capacity, d);
}

// Replaces a range of the document, or, without one, all of it. False when the document would be too long.
static bool change(const Server *s, Document *d, json_t *edit)
{
    const char *text;
    int line[2], character[2];
    const EditorQuery query = query_of(s, d);
    EditorText old = editor_text(&query);
    size_t start = 0, end = old.length;
    if (json_unpack(edit, "{s:s}", "text", &text) != 0)
        return true;
    if (json_unpack(edit, "{s:{s:{s:i, s:i}, s:{s:i, s:i}}}", "range", "start", "line", &line[0], "character",
                    &character[0], "end", "line", &line[1], "character", &character[1]) == 0) {
        start = editor_offset(&old, line[0], character[0]);
        end = editor_offset(&old, line[1], character[1]);
        end = end < start ? start : end;
    }
    const size_t length = strlen(text), rest = old.length - end;
    if (start + length + rest > MOST_TEXT)
        return false;
    char *changed = memory_new(start + length + rest + 1);
    memcpy(changed, d->text, start);
    memcpy(changed + start, text, length);
    memcpy(changed + start + length, d->text + end, rest + 1);
    free(d->text);
    d->text = changed;
    return true;
}

static void did_change(Server *s, json_t *params)
{
    Document *d = document_of(s, params);
    size_t i;
    json_t *edit, *version = NULL;
    if (d == NULL)
        return;
    forget_diagnostics(d);
    json_unpack(params, "{s:{s?o}}", "textDocument", "version", &version);
    json_decref(d->version);
    d->version = json_incref(version);
    json_array_foreach(json_object_get(params, "contentChanges"), i, edit)
    {
        if (change(s, d, edit))
            continue;
        notify(
            s, "window/showMessage",
            json_pack("{s:i, s:s}", "type", 1, "message", "cqlgen: the document is too long; it was closed"));
        close_document(s, d);
        return;
    }
}

static void did_close(Server *s, json_t *params)
{
    Document *d = document_of(s, params);
    if (d == NULL)
        return;
    notify(s, "textDocument/publishDiagnostics", json_pack("{s:s, s:[]}", "uri", d->uri, "diagnostics"));
    close_document(s, d);
}

// ---- requests ---------------------------------------------------------------------------------------------
// They return the result, or NULL when the parameters are wrong.

static json_t *initialize(Server *s, json_t *params)
{
    size_t i;
    json_t *entry, *encodings = NULL;
    json_unpack(params, "{s:{s:{s:o}}}", "capabilities", "general", "positionEncodings", &encodings);
    json_array_foreach(encodings, i, entry)
    {
        const char *name = json_string_value(entry);
        s->bytes = s->bytes || (name != NULL && strcmp(name, "utf-8") == 0);
    }
    s->initialized = true;
    return json_pack("{s:{s:s, s:{s:b, s:i}, s:{s:[s]}, s:b, s:b, s:{s:[s]}, s:b}, s:{s:s, s:s}}",
                     "capabilities", "positionEncoding", s->bytes ? "utf-8" : "utf-16", "textDocumentSync",
                     "openClose", 1, "change", 2, "completionProvider", "triggerCharacters", "\"",
                     "hoverProvider", 1, "documentFormattingProvider", 1, "codeActionProvider",
                     "codeActionKinds", "quickfix", "documentSymbolProvider", 1, "serverInfo", "name",
                     "cqlgen", "version", CQLGEN_VERSION);
}

static json_t *shut_down(Server *s, json_t *params)
{
    (void)params;
    s->is_shut_down = true;
    return json_null();
}

static bool read_position(json_t *params, int *line, int *character)
{
    return json_unpack(params, "{s:{s:i, s:i}}", "position", "line", line, "character", character) == 0;
}

static json_t *complete(Server *s, json_t *params)
{
    const Document *d = document_of(s, params);
    int line, character;
    if (d == NULL || !read_position(params, &line, &character))
        return NULL;
    const EditorQuery query = query_of(s, d);
    json_t *answer = memory_checked(complete_query(&query, line, character));
    json_object_set_new(answer, "isIncomplete", json_false());
    return answer;
}

static json_t *help_about(const char *text, size_t start, size_t length)
{
    char *word = memory_copy(text + start, length);
    json_t *help = editor_help(word);
    free(word);
    return help;
}

// Help about the sign at an offset: the longest one that has a page.
static json_t *help_about_sign(const EditorText *text, size_t offset, Span *span)
{
    enum { LONGEST = 5 };
    for (size_t length = LONGEST; length > 0; length--)
        for (size_t before = 0; before < length; before++) {
            const size_t start = offset - before;
            if (before > offset || start + length > text->length)
                continue;
            json_t *help = help_about(text->start, start, length);
            *span = (Span){(uint32_t)start, (uint32_t)(start + length)};
            if (help != NULL)
                return help;
        }
    return NULL;
}

static json_t *hover(Server *s, json_t *params)
{
    const Document *d = document_of(s, params);
    int line, character;
    size_t start;
    if (d == NULL || !read_position(params, &line, &character))
        return NULL;
    const EditorQuery query = query_of(s, d);
    EditorText text = editor_text(&query);
    const size_t offset = editor_offset(&text, line, character);
    if (editor_scope(d->text, text.length, offset, &start) != SCOPE_FILTERS)
        return json_null();
    Span span = editor_word(d->text, text.length, offset, false);
    const bool word = span.end > span.start;
    json_t *help = word ? help_about(d->text, span.start, span.end - span.start) : NULL;
    if (help == NULL)
        help = help_about_sign(&text, offset, &span);
    if (help == NULL)
        return json_null();
    json_t *value = json_incref(json_object_get(help, "markdown"));
    json_decref(help);
    return json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", "markdown", "value", value, "range",
                     editor_range(&text, span.start, span.end));
}

static json_t *format(Server *s, json_t *params)
{
    const Document *d = document_of(s, params);
    if (d == NULL)
        return NULL;
    const EditorQuery query = query_of(s, d);
    json_t *answer = format_query(&query);
    if (answer == NULL)
        return json_null();
    EditorText text = editor_text(&query);
    json_t *formatted = json_incref(json_object_get(answer, "query"));
    json_decref(answer);
    return json_pack("[{s:o, s:o}]", "range", editor_range(&text, 0, text.length), "newText", formatted);
}

// Is the first position after the second?
static bool is_after(json_t *a, json_t *b)
{
    int line[2] = {0, 0}, character[2] = {0, 0};
    json_unpack(a, "{s:i, s:i}", "line", &line[0], "character", &character[0]);
    json_unpack(b, "{s:i, s:i}", "line", &line[1], "character", &character[1]);
    return line[0] != line[1] ? line[0] > line[1] : character[0] > character[1];
}

static bool ranges_meet(json_t *a, json_t *b)
{
    return !is_after(json_object_get(a, "start"), json_object_get(b, "end")) &&
           !is_after(json_object_get(b, "start"), json_object_get(a, "end"));
}

static json_t *act(Server *s, json_t *params)
{
    Document *d = document_of(s, params);
    json_t *range = json_object_get(params, "range"), *entry, *fix, *actions = json_array();
    size_t i, k;
    if (d == NULL || range == NULL) {
        json_decref(actions);
        return NULL;
    }
    json_array_foreach(diagnostics_of(s, d), i, entry)
    {
        if (!ranges_meet(json_object_get(entry, "range"), range))
            continue;
        json_array_foreach(json_object_get(entry, "fixes"), k, fix) json_array_append_new(
            actions, json_pack("{s:O, s:s, s:b, s:[o], s:{s:{s:O}}}", "title", json_object_get(fix, "title"),
                               "kind", "quickfix", "isPreferred", 1, "diagnostics", bare(entry), "edit",
                               "changes", d->uri, json_object_get(fix, "edits")));
    }
    return actions;
}

static json_t *list_symbols(Server *s, json_t *params)
{
    const Document *d = document_of(s, params);
    size_t count;
    if (d == NULL)
        return NULL;
    const EditorQuery query = query_of(s, d);
    EditorText text = editor_text(&query);
    json_t *list = json_array();
    Definition *defined = editor_definitions(d->text, text.length, &count);
    for (size_t i = 0; i < count; i++) {
        json_t *range = editor_range(&text, defined[i].start, defined[i].start + defined[i].length);
        json_array_append_new(list, json_pack("{s:o, s:i, s:O, s:o}", "name",
                                              editor_string(defined[i].name, defined[i].length), "kind",
                                              defined[i].is_function ? SYMBOL_FUNCTION : SYMBOL_VARIABLE,
                                              "range", range, "selectionRange", range));
    }
    free(defined);
    return list;
}

// ---- dispatch ---------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    json_t *(*answer)(Server *s, json_t *params);
} requests[] = {{"initialize", initialize},
                {"shutdown", shut_down},
                {"textDocument/completion", complete},
                {"textDocument/hover", hover},
                {"textDocument/formatting", format},
                {"textDocument/codeAction", act},
                {"textDocument/documentSymbol", list_symbols}};

static const struct {
    const char *name;
    void (*take)(Server *s, json_t *params);
} notifications[] = {{"textDocument/didOpen", did_open},
                     {"textDocument/didChange", did_change},
                     {"textDocument/didClose", did_close}};

static void answer(Server *s, json_t *id, const char *method, json_t *params)
{
    size_t i = 0;
    while (i < sizeof requests / sizeof *requests && strcmp(requests[i].name, method) != 0)
        i++;
    const bool initializes = strcmp(method, "initialize") == 0;
    if (s->is_shut_down || (initializes && s->initialized)) {
        refuse(s, id, INVALID_REQUEST, s->is_shut_down ? "the server was shut down" : "initialized already");
    } else if (!s->initialized && !initializes) {
        refuse(s, id, NOT_INITIALIZED, "the first request must be `initialize`");
    } else if (i == sizeof requests / sizeof *requests) {
        refuse(s, id, METHOD_NOT_FOUND, "this server does not have this method");
    } else {
        json_t *result = requests[i].answer(s, params);
        if (result != NULL)
            send_message(s, json_pack("{s:O, s:o}", "id", id, "result", result));
        else
            refuse(s, id, INVALID_PARAMS, "the parameters are wrong, or the document is not open");
    }
}

static void take(Server *s, const char *method, json_t *params)
{
    s->ended = s->ended || strcmp(method, "exit") == 0;
    for (size_t i = 0; i < sizeof notifications / sizeof *notifications && s->initialized; i++)
        if (strcmp(notifications[i].name, method) == 0)
            notifications[i].take(s, params);
}

static void handle(Server *s, json_t *message)
{
    json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
    const char *method = json_string_value(json_object_get(message, "method"));
    const bool answers = json_object_get(message, "result") || json_object_get(message, "error");
    if (method != NULL && id != NULL)
        answer(s, id, method, params);
    else if (method != NULL)
        take(s, method, params);
    else if (!answers)
        refuse(s, id != NULL ? id : json_null(), INVALID_REQUEST, "expected an object with `method`");
}

static void handle_frame(Server *s)
{
    json_t *message = json_loadb(s->reader.body, s->reader.length, 0, NULL);
    if (message != NULL)
        handle(s, message);
    else
        refuse(s, json_null(), PARSE_ERROR, "this is not JSON");
    json_decref(message);
}

bool lsp_serve(int in, int out)
{
    Server s = {.reader = {.in = in}, .out = out};
    while (!s.ended && !s.broken) {
        if (!frame_is_waiting(&s.reader))
            publish_all(&s);
        const FrameStatus status = frame_read(&s.reader);
        if (status == FRAME_END)
            break;
        if (status == FRAME_TOO_LONG)
            refuse(&s, json_null(), INVALID_REQUEST, "the message is too long");
        else
            handle_frame(&s);
    }
    for (size_t i = 0; i < s.count; i++)
        free_document(&s.document[i]);
    free(s.document);
    free(s.reader.bytes);
    return s.is_shut_down && !s.broken;
}

#endif
