// The diagnostics of a query, with cures; the query in another layout.
#include "internal.h"

#ifdef CQL_HAS_JSON
#include <string.h>

#include "format.h"
#include "runtime/format/writers.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"

enum { MOST_DIAGNOSTICS = 1000 };

typedef struct Check {
    const EditorQuery *query;
    EditorText text;
    Dialect dialect;
    json_t *diagnostics;
} Check;

// ---- cures ------------------------------------------------------------------------------------------------

static bool is_blank(const char *text)
{
    return text[strspn(text, " \n")] == '\0';
}

// "write `TEXT`", "insert `TEXT`" or "remove `TEXT`".
static json_t *cure_title(const Source *source, const Cure *cure)
{
    Buffer title = {0};
    const size_t length = cure->span.end - cure->span.start;
    const char *shown = cure->text + strspn(cure->text, " \n");
    size_t end = strcspn(shown, "\n");
    while (end > 0 && shown[end - 1] == ' ')
        end--;
    if (is_blank(cure->text))
        line_format(&title, "remove `%.*s`", (int)length, source->text + cure->span.start);
    else
        line_format(&title, "%s `%.*s`", length > 0 ? "write" : "insert", (int)end, shown);
    json_t *string = editor_string(title.start, title.length);
    buffer_free(&title);
    return string;
}

static json_t *fixes_of(Check *check, const Source *source, const Cure *cure)
{
    if (cure->text == NULL)
        return json_array();
    json_t *range = editor_range(&check->text, cure->span.start, cure->span.end);
    return json_pack("[{s:o, s:[{s:o, s:o}]}]", "title", cure_title(source, cure), "edits", "range", range,
                     "newText", editor_string(cure->text, strlen(cure->text)));
}

// ---- diagnostics ------------------------------------------------------------------------------------------

static void add(Check *check, Severity severity, json_t *range, const char *message, const char *suggestion,
                json_t *fixes)
{
    static const int severities[] = {[DIAG_ERROR] = 1, [DIAG_WARNING] = 2, [DIAG_NOTE] = 3};
    Buffer text = {0};
    line_format(&text, "%s%s%s", message, suggestion ? "; " : "", suggestion ? suggestion : "");
    json_array_append_new(check->diagnostics,
                          json_pack("{s:o, s:i, s:s, s:o, s:o}", "range", range, "severity",
                                    severities[severity], "source", "cqlgen", "message",
                                    editor_string(text.start, text.length), "fixes", fixes));
    buffer_free(&text);
}

static void show(void *user, const Diagnostics *d)
{
    Check *check = user;
    for (int i = 0; i < d->count && json_array_size(check->diagnostics) < MOST_DIAGNOSTICS; i++) {
        const Diagnostic *entry = &d->list[i];
        json_t *range = editor_range(&check->text, entry->span.start, entry->span.end);
        add(check, entry->severity, range, entry->message, entry->suggestion,
            fixes_of(check, d->source, &entry->cure));
    }
}

static void fail(void *user, const char *message)
{
    Check *check = user;
    add(check, DIAG_ERROR, editor_range(&check->text, 0, 0), message, NULL, json_array());
}

static void compile(Compiled *compiled, const CompileOptions *options)
{
    Check *check = options->user;
    const bool good = editor_read(compiled, check->query, options);
    check->dialect = compiled->dialect;
    if (good && compile_expand(compiled, options) && compile_lower(compiled, options))
        compile_finish(compiled, options);
}

static json_t *title_of(const char *text)
{
    Buffer title = {0};
    json_t *string = comment_title(&title, text) ? editor_string(title.start, title.length) : json_null();
    buffer_free(&title);
    return string;
}

json_t *check_query(const EditorQuery *query)
{
    Check check = {query, editor_text(query), DIALECT_CQL6, json_array()};
    const CompileOptions options = {.show = show, .fail = fail, .user = &check};
    if (!editor_work(query, options, compile)) {
        json_decref(check.diagnostics);
        return NULL;
    }
    return json_pack("{s:s, s:o, s:o}", "dialect", dialect_name(check.dialect), "title",
                     title_of(query->text), "diagnostics", check.diagnostics);
}

json_t *editor_check(const char *query, const char *dialect)
{
    return check_query(&(EditorQuery){.text = query, .dialect = dialect});
}

// ---- layout -----------------------------------------------------------------------------------------------

typedef struct Format {
    const EditorQuery *query;
    json_t *answer;
} Format;

static void format(Compiled *compiled, const CompileOptions *options)
{
    Format *f = options->user;
    const char *text = editor_read(compiled, f->query, options) ? format_compiled(compiled, options) : NULL;
    if (text != NULL)
        f->answer = json_pack("{s:o}", "query", editor_string(text, strlen(text)));
}

json_t *format_query(const EditorQuery *query)
{
    Format f = {query, NULL};
    editor_work(query, (CompileOptions){.user = &f}, format);
    return f.answer;
}

json_t *editor_format(const char *query, const char *dialect)
{
    return format_query(&(EditorQuery){.text = query, .dialect = dialect});
}

#endif
