// The query of `cqlgen cql`: its text, the additions of options, and its compilation (language reference
// 02b).
#include "cql.h"

#include <string.h>
#include <unistd.h>

#include "compiler/convert/query.h"
#include "compiler/front/cql6/cql6.h"
#include "compiler/front/cql6/token.h"
#include "compiler/front/cqli/cqli.h"
#include "runtime/value/terminal.h"

// ---- texts ------------------------------------------------------------------------------------------------

// The text of an option's filters as shown, with `string` in place of the first empty string.
static const char *shown_text(Arena *arena, const AddedFilter *f)
{
    const char *empty = f->string ? strstr(f->text, "\"\"") : NULL;
    return empty ? arena_printf(arena, "%.*s\"%s%s", (int)(empty - f->text), f->text, f->string, empty + 1)
                 : f->text;
}

// Appends the texts of the options to the query, each on a line of its own.
static void join_texts(CqlRun *r)
{
    Arena *arena = r->compiled.arena;
    const Source *source = &r->compiled.source;
    const int count = r->arguments.filter_count;
    size_t length = source->length;
    for (int i = 0; i < count; i++)
        length += 1 + strlen(r->arguments.filter[i].text);
    char *text = arena_alloc(arena, length + 1), *blank = arena_alloc(arena, length + 1);
    memset(blank, ' ', length);
    memcpy(text, source->text, source->length);
    r->whole = (Source){source->name, text, length, NULL};
    r->part = arena_alloc(arena, (size_t)(count + 1) * sizeof *r->part);
    r->start = arena_alloc(arena, (size_t)(count + 1) * sizeof *r->start);
    r->extra = arena_alloc(arena, (size_t)(count + 1) * sizeof *r->extra);
    size_t at = source->length;
    for (int i = 0; i < count; i++) {
        const AddedFilter *f = &r->arguments.filter[i];
        const size_t part = strlen(f->text);
        text[at++] = '\n';
        memcpy(text + at, f->text, part);
        char *alone = arena_copy(arena, blank, at + part);
        memcpy(alone + at, f->text, part);
        const char *shown = shown_text(arena, f);
        r->part[i] = (Source){f->option, shown, strlen(shown), NULL};
        r->start[i] = (uint32_t)at;
        r->extra[i] = (ExtraFilters){.source = {f->option, alone, at + part, NULL}, .string = f->string};
        at += part;
    }
    source_index(arena, &r->whole);
}

bool cql_read_query(CqlRun *r)
{
    static const char every[] = "cql() .";
    Compiled *c = &r->compiled;
    const char *wrong = NULL;
    if (r->arguments.query)
        wrong = read_source(c->arena, r->arguments.query, &c->source);
    else
        c->source = (Source){"cqldefault.cql", every, strlen(every), NULL};
    if (wrong)
        return complain(&r->console, "%s", wrong);
    source_index(c->arena, &c->source);
    join_texts(r);
    return true;
}

// ---- messages ---------------------------------------------------------------------------------------------

// The place of a byte of an option's text in the text as shown.
static uint32_t shown_place(const AddedFilter *f, uint32_t at)
{
    const char *empty = f->string ? strstr(f->text, "\"\"") : NULL;
    return empty && at > (uint32_t)(empty - f->text) ? at + (uint32_t)strlen(f->string) : at;
}

// The text that a diagnostic is about; its span becomes relative to that text.
static const Source *find_text(const CqlRun *r, Span *span)
{
    for (int k = 0; k < r->arguments.filter_count; k++) {
        const AddedFilter *f = &r->arguments.filter[k];
        const uint32_t start = r->start[k];
        if (span->start < start || span->start > start + strlen(f->text))
            continue;
        const uint32_t end = span->end > start ? span->end : span->start;
        *span = (Span){shown_place(f, span->start - start), shown_place(f, end - start)};
        return &r->part[k];
    }
    return &r->compiled.source;
}

// The column in bytes, from 1 (2.12).
static size_t byte_column(const Source *source, uint32_t at)
{
    size_t length;
    return (size_t)(source->text + at - source_line(source, source_place(source, at).line, &length)) + 1;
}

// With -gui, shows the place of the first error if it is in the query and not in an option.
static void show_place(const CqlRun *r, const Diagnostics *d)
{
    const Source *source = &r->compiled.source;
    int i = 0;
    while (i < d->count && d->list[i].severity != DIAG_ERROR)
        i++;
    Span span = i < d->count ? d->list[i].span : (Span){0};
    if (i == d->count || find_text(r, &span) != source)
        return;
    show_variable(&r->console, "linenumbererror", "%u", (unsigned)source_place(source, span.start).line);
    show_variable(&r->console, "columnnumbererror", "%zu", byte_column(source, span.start));
}

// The line in which programs that run the reference look for errors (language reference 02b).
static void print_reference_error(const CqlRun *r, const Source *source, const Diagnostic *one)
{
    const Place place = source_place(source, one->span.start);
    if (r->arguments.command == COMMAND_CQL && one->severity == DIAG_ERROR && source == &r->compiled.source)
        printf_sanitized(stdout, "CQL syntax error: %s {Line %u, Column %zu}\n", one->message,
                         (unsigned)place.line, byte_column(source, one->span.start));
}

// CompileOptions.show: prints each diagnostic with the text it is about.
static void show(void *user, const Diagnostics *d)
{
    const CqlRun *r = user;
    const Arguments *a = &r->arguments;
    const char *level = a->value[OPTION_WARNLEVEL];
    FILE *out = r->console.out;
    if (level && strcmp(level, "1") == 0 && d->errors == 0)
        return;
    show_place(r, d);
    for (int i = 0; i < d->count; i++) {
        Diagnostic one = d->list[i];
        const Source *source = find_text(r, &one.span);
        const Frame frame = one.severity == DIAG_ERROR ? FRAME_ERROR : FRAME_MESSAGE;
        const Diagnostics alone = {d->arena, source, &one, 1, one.severity == DIAG_ERROR};
        fputs(i == 0 && !r->console.gui ? "\n" : "", out);
        begin_frame(&r->console, frame);
        diag_print(&alone, out,
                   is_on(a, OPTION_ANSICOLORS, (out == stderr || terminal_is_guarded()) && colour_wanted()));
        print_reference_error(r, source, &one);
        end_frame(&r->console, frame);
    }
}

// ---- what options change ----------------------------------------------------------------------------------

static void set_range(Range *range, const Arguments *a, OptionId id)
{
    if (a->value[id])
        *range = (Range){.present = true, .low = {.value = a->low[id]}, .high = {.value = a->high[id]}};
}

// Options override the header.
static void change_header(Header *h, const Arguments *a)
{
    set_range(&h->gamenumber, a, OPTION_GAMENUMBER);
    set_range(&h->matchcount, a, OPTION_MATCHCOUNT);
    if (a->value[OPTION_MATCHSTRING])
        h->matchstring = a->value[OPTION_MATCHSTRING];
    if (a->value[OPTION_LEVEL_QUIET] || a->value[OPTION_LEVEL_SILENT]) {
        h->silent = h->first_is_silent = a->value[OPTION_LEVEL_SILENT] != NULL;
        h->quiet = !h->silent;
    }
    h->sort_matchcount |= a->value[OPTION_SORTMATCHCOUNT] != NULL;
}

// As if each `line` had the parameter keepallbest.
static void keep_all_best(Ast *node)
{
    if (node->op == OP_LINE)
        node->flags |= AST_KEEPALLBEST;
    for (int i = 0; i < node->kid_count; i++)
        keep_all_best(node->kid[i]);
}

// Where the body of the query itself begins, after the filters of options.
static uint32_t body_start(const CqlRun *r)
{
    const Ast *body = r->compiled.query->body;
    uint32_t start = body->span.start;
    for (int i = 0; i < body->kid_count; i++)
        if (body->kid[i]->span.start < r->compiled.source.length)
            return body->kid[i]->span.start;
    return start;
}

// Wraps the body in the transforms of the options, as if they were written before it.
static void wrap_body(CqlRun *r)
{
    Arena *arena = r->compiled.arena;
    Query *query = r->compiled.query;
    for (int i = r->arguments.transform_count - 1; i >= 0; i--) {
        Ast *kid = query->body;
        const bool keeps_type = kid->type == TYPE_SET || kid->type == TYPE_INT;
        Ast *node =
            ast_new(arena, r->arguments.transform[i].op, keeps_type ? kid->type : TYPE_BOOL, kid->span);
        ast_add_kid(arena, node, kid);
        query->body = ast_new(arena, OP_COMPOUND, node->type, kid->span);
        ast_add_kid(arena, query->body, node);
    }
}

// ---- -showfromstring --------------------------------------------------------------------------------------

// Prints what options add before and around the query, and the resulting query.
static void print_additions(const CqlRun *r)
{
    const Arguments *a = &r->arguments;
    const Compiled *c = &r->compiled;
    const Place place = source_place(&c->source, r->body);
    begin_frame(&r->console, FRAME_MESSAGE);
    explain_title("what options add");
    for (int i = 0; i < a->filter_count; i++)
        printf("before %s:%u:%u, %s: %s\n", c->source.name, (unsigned)place.line, (unsigned)place.column,
               a->filter[i].option, r->part[i].text);
    for (int i = 0; i < a->transform_count; i++)
        printf("around the query, %s: %s\n", a->transform[i].option, op_info[a->transform[i].op].name);
    if (a->value[OPTION_PLAYER])
        printf("of each game, -player: %s\n", a->value[OPTION_PLAYER]);
    if (a->value[OPTION_YEAR])
        printf("of each game, -year: %d %d\n", (int)a->low[OPTION_YEAR], (int)a->high[OPTION_YEAR]);
    explain_title("the whole query");
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    const char *text = print_query(c->query, DIALECT_CQL6, &d);
    if (text)
        fputs(text, stdout);
    else
        printf("it cannot be shown: %s\n", d.count > 0 ? d.list[0].message : "CQL 6.2 cannot express it");
    end_frame(&r->console, FRAME_MESSAGE);
}

// ---- stages -----------------------------------------------------------------------------------------------

// Adds a note about a query in another dialect, which `cqlgen search` would read.
static void note_other_dialect(const Source *source, Diagnostics *d)
{
    Diagnostics unused = {.arena = d->arena, .source = source};
    const char *why;
    const Dialect dialect = dialect_detect(source, DIALECT_NONE, &unused, &why);
    if (dialect != DIALECT_CQL6)
        diag_add(
            d, DIAG_NOTE, (Span){0, 0},
            "this is %s (%s), but here only CQL 6.2 is read; `cqlgen search` takes it, and `cqlgen convert` "
            "writes it as CQL 6.2",
            dialect_name(dialect), why);
}

// The query in CQL 6.2.
static Query *parse_reference(CqlRun *r, const ParseOptions *options, Diagnostics *d)
{
    Compiled *c = &r->compiled;
    Query *query = parse_query(c->arena, &c->source, options, d);
    if (query)
        return query;
    cqli_retry(c->arena, &c->source, options, d, false);
    note_other_dialect(&c->source, d);
    return NULL;
}

// The query in CQLi, unless a marker names another dialect.
static Query *parse_cqli_or_marked(CqlRun *r, const ParseOptions *options, Diagnostics *d)
{
    Compiled *c = &r->compiled;
    const Dialect marked = dialect_marked(&c->source);
    c->dialect = marked == DIALECT_NONE ? DIALECT_CQLI : marked;
    if (options->extra_count > 0 && c->dialect != DIALECT_CQLI && c->dialect != DIALECT_CQL6) {
        diag_add(d, DIAG_ERROR, (Span){0, 0}, "option %s cannot add a filter to a query in %s",
                 r->arguments.filter[0].option, dialect_name(c->dialect));
        return NULL;
    }
    return parse_any(c->arena, &c->source, c->dialect, options, d, NULL, NULL);
}

bool cql_parse(CqlRun *r)
{
    const Arguments *a = &r->arguments;
    Compiled *c = &r->compiled;
    r->options.show = show;
    r->options.warn = r->arguments.command == COMMAND_CQLI;
    r->options.user = r;
    const ParseOptions options = {.variations = r->options.variations,
                                  .extra = r->extra,
                                  .extra_count = a->filter_count,
                                  .whole = &r->whole};
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    c->query =
        a->command == COMMAND_CQL ? parse_reference(r, &options, &d) : parse_cqli_or_marked(r, &options, &d);
    show(r, &d);
    if (!c->query || d.errors > 0)
        return false;
    r->body = body_start(r);
    change_header(&c->query->header, a);
    wrap_body(r);
    if (a->value[OPTION_KEEPALLBEST])
        keep_all_best(c->query->body);
    if (a->value[OPTION_SHOWFROMSTRING])
        print_additions(r);
    return true;
}

// ---- -lex, -parse -----------------------------------------------------------------------------------------

// Prints the tokens of the query, or of the text of an option.
static void print_tokens(const CqlRun *r, const Source *source, Diagnostics *d)
{
    Arena *arena = r->compiled.arena;
    const TokenList tokens = lex(arena, source, IN_CQL6, d);
    for (int i = 0; i < tokens.count; i++) {
        Token token = tokens.token[i];
        const Source *shown = find_text(r, &token.span);
        const Place place = source_place(shown, token.span.start);
        printf("%u:%u %s\n", (unsigned)place.line, (unsigned)place.column, token_text(arena, shown, &token));
    }
}

// --parse of CQLi: the text and the tree.
static bool print_text_and_tree(CqlRun *r)
{
    const Source *source = &r->compiled.source;
    const bool ascii = !is_on(&r->arguments, OPTION_CONSOLEUNICODE, true);
    if (!cql_parse(r))
        return false;
    for (int i = 0; i < r->arguments.filter_count; i++)
        puts(r->part[i].text);
    for (size_t i = 0; i < source->length; i++) {
        const unsigned char c = (unsigned char)source->text[i];
        if (!ascii || c < 0x80)
            putchar(c);
        else if (c >= 0xc0) // the first byte of a character
            putchar('?');
    }
    puts("");
    ast_print(stdout, r->compiled.query->body);
    return true;
}

bool cql_print_query(CqlRun *r)
{
    if (r->arguments.command == COMMAND_CQLI)
        return print_text_and_tree(r);
    const Source *query = &r->compiled.source;
    Diagnostics d = {.arena = r->compiled.arena, .source = query};
    begin_frame(&r->console, FRAME_MESSAGE);
    for (int i = 0; i < r->arguments.filter_count; i++) {
        printf("%s\n", r->part[i].name);
        print_tokens(r, &r->extra[i].source, &d);
    }
    print_tokens(r, query, &d);
    end_frame(&r->console, FRAME_MESSAGE);
    if (r->arguments.value[OPTION_LEX]) {
        show(r, &d);
        return d.errors == 0;
    }
    if (!cql_parse(r))
        return false;
    begin_frame(&r->console, FRAME_MESSAGE);
    ast_print(stdout, r->compiled.query->body);
    end_frame(&r->console, FRAME_MESSAGE);
    return true;
}
