// The stages of compilation.
#include "compile.h"
#include "lint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/front/shared/preamble.h"
#include "compiler/middle/lower/lower.h"
#include "compiler/middle/transform/transforms.h"
#include "compiler/middle/optimise/optimise.h"
#include "compiler/middle/screen/screen.h"
#include "runtime/format/groups.h"
#include "runtime/match/syzygy.h"
#include "runtime/value/account.h"
#include "runtime/value/file_mark.h"
#include "runtime/value/memory.h"

enum { QUERY_SIZE_LIMIT = 10000000 }; // bytes; language reference 1.1

// The text of an option: --where or a key of groups, and where it is in the text of the query and all of them.
typedef struct KeyText {
    Source source;
    uint32_t start;
} KeyText;

// The text that contains the place; NULL: it is in the query.
static const KeyText *key_at(const Compiled *c, uint32_t place)
{
    int i = c->key_count;
    while (i > 0 && c->key[i - 1].start > place)
        i--;
    return i > 0 ? &c->key[i - 1] : NULL;
}

// Shows the diagnostics, those of the query together, and those of options with their texts.
static void show_by_source(const CompileOptions *options, const Compiled *c, const Diagnostics *d)
{
    if (!options->show)
        return;
    Diagnostics some = {.arena = d->arena, .source = d->source};
    for (int i = 0; i < d->count; i++) {
        Diagnostic one = d->list[i];
        const KeyText *key = key_at(c, one.span.start);
        if (!key) {
            ARENA_PUSH(d->arena, some.list, some.count, one);
            some.errors += one.severity == DIAG_ERROR;
            continue;
        }
        one.span = (Span){one.span.start - key->start, one.span.end - key->start};
        one.cure = (Cure){{0, 0}, NULL}; // editors have no options
        options->show(options->user,
                      &(Diagnostics){d->arena, &key->source, &one, 1, one.severity == DIAG_ERROR});
    }
    options->show(options->user, c->key_count > 0 ? &some : d);
}

static bool report_failure(const CompileOptions *options, const char *message)
{
    if (options->fail)
        options->fail(options->user, message);
    return false;
}

const char *source_read(Arena *arena, const char *name, Source *source)
{
    const bool standard = strcmp(name, "-") == 0;
    FILE *file = standard ? stdin : fopen(name, "rb");
    if (!file)
        return arena_printf(arena, "cannot read %s: %s", name, strerror(errno));
    char *text = memory_new(QUERY_SIZE_LIMIT);
    const FileMark opened = file_mark(fileno(file));
    const size_t length = fread(text, 1, QUERY_SIZE_LIMIT, file);
    const char *wrong = NULL;
    if (ferror(file))
        wrong = arena_printf(arena, "cannot read %s: %s", name, strerror(errno));
    else if (length == QUERY_SIZE_LIMIT)
        wrong =
            arena_printf(arena, "%s: the query is too large; the limit is %d bytes", name, QUERY_SIZE_LIMIT);
    else if (file_is_changed(&opened, fileno(file)))
        wrong = arena_printf(arena, "another program changed %s while it was read", name);
    else
        *source = (Source){standard ? "<stdin>" : arena_copy(arena, name, strlen(name)),
                           arena_copy(arena, text, length), length, NULL};
    free(text);
    if (!standard)
        fclose(file);
    return wrong;
}

bool compile_has_header(const char *text)
{
    const size_t length = strlen(text);
    size_t at = preamble_end(text, length), next;
    if (!text_has(text, length, at, "cql"))
        return false;
    for (at += strlen("cql"); (next = preamble_skip(text, length, at)) != at;)
        at = next;
    return text_has(text, length, at, "(");
}

static char *append(char *end, const char *text, size_t length)
{
    memcpy(end, text, length);
    return end + length;
}

// Appends a text after a line end, and keeps where it is. Returns it for the parser, with spaces in place of all that comes before.
static Source add_text(Compiled *c, Source *all, const char *option, const char *text)
{
    const size_t start = all->length + 1, length = strlen(text);
    char *end = append(arena_alloc(c->arena, start + length + 1), all->text, all->length);
    *end++ = '\n';
    append(end, text, length);
    *all = (Source){all->name, end - start, start + length, NULL};
    KeyText key = {{option, text, length, NULL}, (uint32_t)start};
    source_index(c->arena, &key.source);
    ARENA_PUSH(c->arena, c->key, c->key_count, key);
    Source padded = {option, arena_printf(c->arena, "%*s%s", (int)start, "", text), start + length, NULL};
    source_index(c->arena, &padded);
    return padded;
}

// Lets the parser read the filter of --where before the query, and the expressions of groups besides it. Returns all texts, one
// after the other; NULL: there is only that of the query.
static const Source *add_texts(Compiled *c, const CompileOptions *options, ParseOptions *parse)
{
    const GroupSpec *spec = options->count_by;
    const int expressions = spec ? spec->expressions : 0;
    Source *whole = arena_alloc(c->arena, sizeof *whole);
    *whole = c->source;
    ExtraFilters *extra = arena_alloc(c->arena, 2 * sizeof *extra);
    parse->extra = extra;
    if (options->where)
        extra[parse->extra_count++].source = add_text(c, whole, "--where", options->where);
    if (spec && spec->player && !strpbrk(spec->player, "\"\\")) // other games are not counted
        extra[parse->extra_count++].source =
            add_text(c, whole, "--player", arena_printf(c->arena, "player \"%s\"", spec->player));
    ExtraFilters *key = arena_alloc(c->arena, ((size_t)expressions + 1) * sizeof *key);
    for (int i = 0; i < expressions; i++) {
        const GroupMeasure *measure;
        const GroupKey *of = group_expression(spec, i, &measure);
        key[i].source = add_text(c, whole, measure ? "--measure" : "--count-by", of->text);
        key[i].in_bands = of->part > 0;
        key[i].is_measure = measure && measure->kind != MEASURE_DISTINCT;
    }
    if (spec && spec->among) {
        key[expressions].source = add_text(c, whole, "--among", spec->among);
        parse->among = &key[expressions];
    }
    parse->key = key;
    parse->key_count = expressions;
    if (c->key_count == 0)
        return NULL;
    source_index(c->arena, whole);
    return parse->whole = whole;
}

// Keys are read by the parser of CQL 6.2 and CQLi.
static bool check_dialect(const Compiled *c, const CompileOptions *options)
{
    return c->dialect == DIALECT_CQL6 || c->dialect == DIALECT_CQLI ||
           report_failure(
               options,
               arena_printf(c->arena,
                            "%s is not written in CQL 6.2 or CQLi, so its games cannot be counted by an "
                            "expression or --among filters; use keys like tags and year, or convert the "
                            "query: `cqlgen convert`",
                            c->source.name));
}

bool compile_read(Compiled *c, const char *name, const char *text, const CompileOptions *options)
{
    *c = (Compiled){.arena = arena_new(), .from_expression = text != NULL};
    const Dialect dialect =
        options->dialect ? dialect_from_name(options->dialect, strlen(options->dialect)) : DIALECT_NONE;
    const char *wrong = NULL;
    if (text)
        c->source = (Source){arena_copy(c->arena, name, strlen(name)),
                             arena_copy(c->arena, text, strlen(text)), strlen(text), NULL};
    else if (options->file)
        c->source = (Source){arena_copy(c->arena, name, strlen(name)),
                             arena_copy(c->arena, options->file->text, options->file->length),
                             options->file->length, NULL};
    else if ((wrong = (options->read ? options->read : source_read)(c->arena, name, &c->source)))
        return report_failure(options, wrong);
    source_index(c->arena, &c->source);
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    c->own_length = c->source.length;
    ParseOptions parse = {.variations = options->variations,
                          .filters_only = c->from_expression,
                          .pedantic = options->pedantic,
                          .spelling = options->spelling || options->runs_elsewhere};
    if (add_texts(c, options, &parse))
        d.source = parse.whole;
    c->query = parse_any(c->arena, &c->source, dialect, &parse, &d, &c->dialect, &c->dialect_why);
    show_by_source(options, c, &d);
    if (parse.whole)
        c->source = *parse.whole;
    return c->query && d.errors == 0 && ((parse.key_count == 0 && !parse.among) || check_dialect(c, options));
}

bool compile_expand(Compiled *c, const CompileOptions *options)
{
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    if (options->optimize && options->warn && (c->dialect == DIALECT_CQL6 || c->dialect == DIALECT_CQLI)) {
        lint_sides(c->query->body, &d);
        lint_comparisons(c->query->body, &d);
        diag_sort(&d);
        c->lint = d.list;
        c->lint_count = d.count;
    }
    const bool good = transform_query(c->query, &d) && d.errors == 0;
    show_by_source(options, c, &d);
    return good;
}

// A filter that reaches beyond the games; *user becomes it.
static bool reaches_outside(const Ast *node, void *user)
{
    if (node->op != OP_COMMANDPIPE && node->op != OP_READFILE && node->op != OP_WRITEFILE &&
        node->op != OP_SIMILARPOSITION)
        return false;
    *(const Ast **)user = node;
    return true;
}

// A filter that asks endgame tablebases; *user becomes it.
static bool needs_tablebases(const Ast *node, void *user)
{
    if (node->op != OP_TABLEBASE && node->op != OP_WDL && node->op != OP_DTZ)
        return false;
    *(const Ast **)user = node;
    return true;
}

// Opens the tablebases for a query that needs them.
static void open_tablebases(const Compiled *c, const CompileOptions *options, Diagnostics *d)
{
    const Ast *asks;
    char *message = NULL;
    if (!ast_contains(c->query->body, needs_tablebases, &asks))
        return;
    if (options->syzygy == NULL && !options->runs_elsewhere)
        diag_add(d, DIAG_ERROR, asks->span, "`%s` needs endgame tablebases: name their folder with %s",
                 op_info[asks->op].name, options->syzygy_option ? options->syzygy_option : "--syzygy DIR");
    else if (options->syzygy != NULL && !syzygy_open(options->syzygy, &message))
        diag_add(d, DIAG_ERROR, asks->span, "%s", message);
    free(message);
}

bool compile_lower(Compiled *c, const CompileOptions *options)
{
    c->query->variants =
        options->variants || ((c->query->cqli || c->query->variants) && !options->no_variants);
    c->query->as_chess = options->no_variants;
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    const Ast *outside;
    if (options->secure && ast_contains(c->query->body, reaches_outside, &outside))
        diag_add(&d, DIAG_ERROR, outside->span, "`%s` is refused because of --secure",
                 op_info[outside->op].name);
    open_tablebases(c, options, &d);
    const LowerOptions lower = {.optimize = options->optimize,
                                .keys_everywhere = options->count_by && options->count_by->per_position,
                                .variations = options->variations,
                                .diagrams = options->diagrams,
                                .free_moves = options->free_moves};
    c->module = lower_query(c->query, &lower, &d);
    show_by_source(options, c, &d);
    if (d.errors > 0)
        c->module = NULL;
    if (c->module && c->key_count > 0) // pages show the query and --where
        c->module->info.source =
            arena_printf(c->arena, "%.*s%s%s", (int)c->own_length, c->source.text, options->where ? "\n" : "",
                         options->where ? options->where : "");
    return c->module != NULL;
}

// The filter of the body that begins at the place, searched for from *next on, which becomes the one after it; or NULL.
static const Ast *filter_at(const Compiled *c, int32_t place, int *next)
{
    const Ast *body = c->query->body;
    for (int i = 0; i < body->kid_count && place != 0; i++) {
        const int k = (*next + i) % body->kid_count;
        if (place_at(c->query, body->kid[k]->span.start) != place)
            continue;
        *next = k + 1;
        return body->kid[k];
    }
    return NULL;
}

// Has a part of the filter been warned of?
static bool is_linted(const Compiled *c, const Ast *filter)
{
    for (int i = 0; i < c->lint_count; i++)
        if (c->lint[i].span.start >= filter->span.start && c->lint[i].span.start < filter->span.end)
            return true;
    return false;
}

// Warns about a filter of the body that no position satisfies, unless it is `false` itself.
static void warn_of_impossible(const Compiled *c, Diagnostics *d)
{
    int32_t place = 0;
    if (!ir_is_never_true(c->module->function[0]->body, &place))
        return;
    int next = 0;
    const Ast *filter = filter_at(c, place, &next);
    if (filter != NULL && filter->op != OP_FALSE && !is_linted(c, filter))
        diag_add(d, DIAG_WARNING, filter->span,
                 "this query can never match: this filter is always false here");
}

static bool is_comparison(const Ast *filter)
{
    const Ast *inner = filter->op == OP_NOT ? filter->kid[0] : filter;
    return op_info[inner->op].level == LEVEL_RELATION || inner->op == OP_IN_SET || inner->op == OP_IN_STRING;
}

// Warns about comparisons of the body whose result is always true; `tree` is not optimised yet. *next: of filter_at.
static void warn_of_certain(const Compiled *c, const Ir *tree, int *next, Diagnostics *d)
{
    const Ast *filter = tree->op == IR_PLACE ? filter_at(c, tree->number, next) : NULL;
    if (filter != NULL && is_comparison(filter) && !is_linted(c, filter) && optimise_makes_true(tree->kid[0]))
        diag_add(d, DIAG_WARNING, filter->span, "this comparison is always true");
    for (int i = 0; i < tree->kid_count && tree->op != IR_PLACE; i++)
        warn_of_certain(c, tree->kid[i], next, d);
}

typedef struct Finish {
    const Compiled *compiled;
    Diagnostics *d;
    bool warns;
} Finish;

static void screen_and_warn(Module *m, void *user)
{
    const Finish *f = user;
    screen_module(m);
    if (f->warns)
        warn_of_impossible(f->compiled, f->d);
}

bool compile_finish(Compiled *c, const CompileOptions *options)
{
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    const bool warns = options->optimize && options->warn;
    int next = 0;
    if (warns)
        warn_of_certain(c, c->module->function[0]->body, &next, &d);
    if (options->optimize)
        optimise(c->module, screen_and_warn, &(Finish){c, &d, warns});
    for (int i = 0; i < c->module->function_count && options->fold && !options->optimize; i++) {
        IrFunction *f = c->module->function[i];
        f->body = optimise_folded(f->body);
    }
    show_by_source(options, c, &d);
    place_keep(c->module);
    const char *wrong = ir_verify(c->module);
    return !wrong ||
           report_failure(options, arena_printf(c->arena, "%s: internal error: %s", c->source.name, wrong));
}

bool compile_within(const CompileOptions *options, const char *name, void (*work)(void *user), void *user)
{
    if (account_run(options->account, work, user))
        return true;
    char *message =
        options->account->late
            ? memory_format("%s: to compile this takes too long; write a shorter query", name)
            : memory_format("%s: to compile this takes more memory than is left of the %zu MB for queries; "
                            "write a shorter query, or allow more with %s",
                            name, options->account->most >> 20,
                            options->memory_option ? options->memory_option : "--max-memory");
    report_failure(options, message);
    free(message);
    return false;
}

typedef struct Whole {
    Compiled *compiled;
    const char *name, *text;
    const CompileOptions *options;
    bool good;
} Whole;

static void compile_whole(void *user)
{
    Whole *w = user;
    w->good = compile_read(w->compiled, w->name, w->text, w->options) &&
              compile_expand(w->compiled, w->options) && compile_lower(w->compiled, w->options) &&
              compile_finish(w->compiled, w->options);
}

bool compile_query(Compiled *c, const char *name, const char *text, const CompileOptions *options)
{
    Whole w = {c, name, text, options, false};
    *c = (Compiled){0};
    if (compile_within(options, name, compile_whole, &w))
        return w.good;
    *c = (Compiled){0}; // gone with its arena
    return false;
}

void compiled_free(Compiled *c)
{
    if (c->arena)
        arena_free(c->arena);
    *c = (Compiled){0};
}
