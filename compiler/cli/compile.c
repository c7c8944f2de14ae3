// The stages of compilation, and the command that compiles queries to a matcher or to C.
#include "cli.h"
#include "signals.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/search/search.h"
#include "compiler/middle/lower/lower.h"
#include "compiler/middle/transform/transforms.h"
#include "compiler/middle/optimise/optimise.h"
#include "compiler/middle/screen/screen.h"
#include "runtime/value/memory.h"

CompileOptions compile_options(const Arguments *a)
{
    const bool variations = a->value[OPTION_VARIATIONS] || a->value[OPTION_VIRTUALMAINLINE];
    return (CompileOptions){.optimize = !a->value[OPTION_NO_OPTIMIZE],
                            .variations = a->value[OPTION_MAINLINE] ? 0
                                          : variations              ? 1
                                                                    : -1,
                            .free_moves = a->value[OPTION_NOLINEARIZE] != NULL,
                            .dialect = a->value[OPTION_DIALECT],
                            .pedantic = a->value[OPTION_PEDANTIC] != NULL,
                            .secure = a->value[OPTION_SECURE] != NULL,
                            .diagrams = a->value[OPTION_SHOW] != NULL};
}

static void show(const CompileOptions *options, const Diagnostics *d)
{
    if (options->show)
        options->show(options->user, d);
    else
        diag_print(d, stderr, colour_wanted());
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
    else if ((wrong = read_source(c->arena, name, &c->source)))
        return complain(NULL, "%s", wrong);
    source_index(c->arena, &c->source);
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    ParseOptions parse = {
        .variations = options->variations, .filters_only = c->from_expression, .pedantic = options->pedantic};
    c->query = parse_any(c->arena, &c->source, dialect, &parse, &d, &c->dialect, &c->dialect_why);
    show(options, &d);
    return c->query && d.errors == 0;
}

bool compile_read_one(Compiled *c, const Arguments *a, const CompileOptions *options)
{
    if (a->word_count == 1 && a->expression_count == 0)
        return compile_read(c, a->words[0], NULL, options);
    if (a->word_count == 0 && a->expression_count == 1)
        return compile_read(c, "-e", a->expressions[0], options);
    *c = (Compiled){0};
    return complain(NULL, "expected one query: `cqlgen %s QUERY.cql`, --example NAME or -e 'FILTERS'",
                    command_info[a->command].name);
}

bool compile_expand(Compiled *c, const CompileOptions *options)
{
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    const bool good = transform_query(c->query, &d) && d.errors == 0;
    show(options, &d);
    return good;
}

// A filter that reaches beyond the games; *user becomes it.
static bool reaches_outside(const Ast *node, void *user)
{
    if (node->op != OP_COMMANDPIPE && node->op != OP_READFILE && node->op != OP_WRITEFILE)
        return false;
    *(const Ast **)user = node;
    return true;
}

bool compile_lower(Compiled *c, const CompileOptions *options)
{
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    const Ast *outside;
    if (options->secure && ast_contains(c->query->body, reaches_outside, &outside))
        diag_add(&d, DIAG_ERROR, outside->span, "`%s` is refused because of --secure",
                 op_info[outside->op].name);
    const LowerOptions lower = {.optimize = options->optimize,
                                .variations = options->variations,
                                .diagrams = options->diagrams,
                                .free_moves = options->free_moves};
    c->module = lower_query(c->query, &lower, &d);
    show(options, &d);
    if (d.errors > 0)
        c->module = NULL;
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

// Warns about a filter of the body that no position satisfies, unless it is `false` itself.
static void warn_of_impossible(const Compiled *c, Diagnostics *d)
{
    int32_t place = 0;
    if (!ir_is_never_true(c->module->function[0]->body, &place))
        return;
    int next = 0;
    const Ast *filter = filter_at(c, place, &next);
    if (filter != NULL && filter->op != OP_FALSE)
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
    if (filter != NULL && is_comparison(filter) && optimise_makes_true(tree->kid[0]))
        diag_add(d, DIAG_WARNING, filter->span, "this comparison is always true");
    for (int i = 0; i < tree->kid_count && tree->op != IR_PLACE; i++)
        warn_of_certain(c, tree->kid[i], next, d);
}

bool compile_finish(Compiled *c, const CompileOptions *options)
{
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    const bool warns = options->optimize && options->show == NULL;
    int next = 0;
    if (warns)
        warn_of_certain(c, c->module->function[0]->body, &next, &d);
    if (options->optimize)
        optimise(c->module);
    if (options->optimize)
        screen_module(c->module);
    if (options->optimize)
        remember_conditions(c->module);
    if (warns)
        warn_of_impossible(c, &d);
    if (options->optimize)
        evaluate_once(c->module);
    show(options, &d);
    place_keep(c->module);
    const char *wrong = ir_verify(c->module);
    if (wrong)
        fprintf(stderr, "%s: internal error: %s\n", c->source.name, wrong);
    return !wrong;
}

bool compile_query(Compiled *c, const char *name, const char *text, const CompileOptions *options)
{
    return compile_read(c, name, text, options) && compile_expand(c, options) && compile_lower(c, options) &&
           compile_finish(c, options);
}

bool compile_all(CompiledAll *all, const Arguments *a, int files, const CompileOptions *options)
{
    bool good = true;
    all->count = files + a->expression_count;
    all->compiled = memory_zeroed((size_t)all->count, sizeof *all->compiled);
    all->module = memory_zeroed((size_t)all->count, sizeof *all->module);
    for (int i = 0; i < all->count; i++) {
        const char *text = i < files ? NULL : a->expressions[i - files];
        char name[16] = "-e";
        if (a->expression_count > 1)
            snprintf(name, sizeof name, "-e%d", i - files + 1);
        good &= compile_query(&all->compiled[i], text ? name : a->words[i], text, options);
        all->module[i] = all->compiled[i].module;
    }
    return good;
}

void compiled_free(Compiled *c)
{
    if (c->arena)
        arena_free(c->arena);
    *c = (Compiled){0};
}

void compiled_free_all(CompiledAll *all)
{
    for (int i = 0; i < all->count; i++)
        compiled_free(&all->compiled[i]);
    free(all->compiled);
    free(all->module);
}

static int build(Module *const *module, int count, const char *name, bool standalone)
{
    size_t length;
    bool as_c = ends_with(name, ".c");
    char *c_text = emit_c(module, count,
                          !as_c        ? HEADER_BARE
                          : standalone ? HEADER_EMBEDDED
                                       : HEADER_INCLUDED,
                          &length);
    int status = STATUS_OK;
    if (as_c) {
        status = write_file(name, c_text, length) ? STATUS_OK : STATUS_OUTPUT;
    } else {
        const EngineOptions options = {.stop = signals_catch()};
        char *message = NULL;
        if (!cc_build(c_text, length, name, &options, &message)) {
            signals_end();
            complain(NULL, "%s", message ? message : "the C compiler failed");
            free(message);
            status = STATUS_OUTPUT;
        }
    }
    free(c_text);
    return status;
}

static void complain_of_command(const char *word)
{
    const char *commands[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++)
        commands[i] = command_info[i].name;
    const char *near = nearest_name(word, strlen(word), commands, COMMAND_COUNT);
    if (near)
        complain(NULL, "`%s` is neither a command nor a query file; did you mean `cqlgen %s`?", word, near);
    else
        complain(NULL, "`%s` is neither a command nor a query file; see `cqlgen help`", word);
}

int command_compile(int count, char **argument)
{
    Arguments a;
    if (!read_arguments(&a, COMMAND_COMPILE, NULL, NULL, count, argument))
        return STATUS_QUERY;
    const char *name = a.value[OPTION_OUTPUT];
    int queries = a.word_count + a.expression_count;
    if (a.word_count > 0 && !strpbrk(a.words[0], "./-") && access(a.words[0], F_OK) != 0) {
        complain_of_command(a.words[0]);
        return STATUS_QUERY;
    }
    if (queries == 0 || !name || !(ends_with(name, ".so") || ends_with(name, ".c"))) {
        complain(NULL,
                 "expected `cqlgen QUERY.cql... -o NAME.so` or `-o NAME.c`; to search games: `cqlgen search "
                 "QUERY.cql GAMES.pgn`");
        return STATUS_QUERY;
    }
    CompiledAll all;
    const CompileOptions options = compile_options(&a);
    const bool good = compile_all(&all, &a, a.word_count, &options);
    const int status =
        good ? build(all.module, queries, name, a.value[OPTION_STANDALONE] != NULL) : STATUS_QUERY;
    compiled_free_all(&all);
    return status;
}
