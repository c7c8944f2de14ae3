#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../runtime/search/output.h"
#include "../../runtime/search/search.h"
#include "../middle/lower.h"
#include "../middle/optimise.h"
#include "../../runtime/value/memory.h"

enum { QUERY_SIZE_LIMIT = 10000000 }; // bytes, language reference 1.1

CompileOptions compile_options(const Arguments *a)
{
    return (CompileOptions){.optimize = !a->option[OPTION_NO_OPTIMIZE],
                            .variations = a->option[OPTION_VARIATIONS] ? 1 : a->option[OPTION_MAINLINE] ? 0 : -1,
                            .dialect = a->option[OPTION_DIALECT],
                            .pedantic = a->option[OPTION_PEDANTIC] != NULL,
                            .found_squares = true};
}

// Reads a whole file into the arena; prints a message and returns false when it cannot be read.
static bool read_source(Compiled *c, const char *name)
{
    bool standard = strcmp(name, "-") == 0;
    FILE *file = standard ? stdin : fopen(name, "rb");
    if (!file) {
        fprintf(stderr, "cqlgen: cannot read %s: %s\n", name, strerror(errno));
        return false;
    }
    char *text = memory_new(QUERY_SIZE_LIMIT + 1);
    size_t length = fread(text, 1, QUERY_SIZE_LIMIT + 1, file);
    bool failed = ferror(file) != 0;
    int reason = errno;
    if (!standard)
        fclose(file);
    if (failed)
        fprintf(stderr, "cqlgen: cannot read %s: %s\n", name, strerror(reason));
    else if (length > QUERY_SIZE_LIMIT)
        fprintf(stderr, "%s:1:1: error: the query is larger than %d bytes\n", name, QUERY_SIZE_LIMIT);
    else
        c->source = (Source){standard ? "<stdin>" : arena_copy(c->arena, name, strlen(name)),
                             arena_copy(c->arena, text, length), length};
    free(text);
    return !failed && length <= QUERY_SIZE_LIMIT;
}

// Runs one stage with diagnostics; prints what it had to say.
static void show(const Diagnostics *d)
{
    diag_print(d, stderr, colour_wanted());
}

bool compile_read(Compiled *c, const char *name, const char *text, const CompileOptions *options)
{
    *c = (Compiled){.arena = arena_new(), .from_expression = text != NULL};
    Dialect dialect = DIALECT_NONE;
    if (options->dialect && (dialect = dialect_from_name(options->dialect, strlen(options->dialect))) == DIALECT_NONE) {
        fprintf(stderr, "cqlgen: there is no dialect `%s`; the names are %s\n", options->dialect, dialect_names);
        return false;
    }
    if (text)
        c->source = (Source){name, arena_copy(c->arena, text, strlen(text)), strlen(text)};
    else if (!read_source(c, name))
        return false;
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    ParseOptions parse = {.variations = options->variations,
                          .filters_only = c->from_expression,
                          .pedantic = options->pedantic};
    c->query = parse_any(c->arena, &c->source, dialect, &parse, &d, &c->dialect, &c->dialect_why);
    show(&d);
    return c->query && d.errors == 0;
}

bool compile_parse(Compiled *c, const char *name, const char *text, const CompileOptions *options)
{
    if (!compile_read(c, name, text, options))
        return false;
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    bool good = expand_transforms(c->query, &d) && d.errors == 0;
    show(&d);
    return good;
}

Module *compile_lower(Compiled *c, const CompileOptions *options)
{
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    LowerOptions lower = {.optimize = options->optimize,
                          .variations = options->variations,
                          .found_squares = options->found_squares};
    c->module = lower_query(c->query, &lower, &d);
    show(&d);
    if (d.errors > 0)
        c->module = NULL;
    return c->module;
}

bool compile_query(Compiled *c, const char *name, const char *text, const CompileOptions *options)
{
    if (!compile_parse(c, name, text, options) || !compile_lower(c, options))
        return false;
    if (options->optimize)
        optimise(c->module);
    keep_lines(c->module);
    const char *wrong = ir_verify(c->module);
    if (wrong)
        fprintf(stderr, "%s: internal error: %s\n", c->source.name, wrong);
    return !wrong;
}

void compiled_free(Compiled *c)
{
    if (c->arena)
        arena_free(c->arena);
    *c = (Compiled){0};
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

static int write_c(const char *c_text, size_t length, const char *name)
{
    OutputFile *out = output_open(name);
    if (!out)
        return STATUS_OUTPUT;
    bool written = output_write(out, c_text, length);
    return output_close(out, written) && written ? STATUS_OK : STATUS_OUTPUT;
}

static int build(Module *const *module, int count, const char *name)
{
    size_t length;
    bool as_c = ends_with(name, ".c");
    char *c_text = emit_c(module, count, true, &length);
    int status = STATUS_OK;
    if (as_c) {
        status = write_c(c_text, length, name);
    } else {
        EngineOptions options = {0};
        char *message = NULL;
        if (!cc_build(c_text, length, name, &options, &message)) {
            fprintf(stderr, "cqlgen: %s\n", message ? message : "the C compiler failed");
            free(message);
            status = STATUS_OUTPUT;
        }
    }
    free(c_text);
    return status;
}

int command_compile(int count, char **argument)
{
    Arguments a;
    if (!read_arguments(&a, COMMAND_COMPILE, count, argument))
        return STATUS_QUERY;
    const char *name = a.option[OPTION_OUTPUT];
    int queries = a.word_count + a.expression_count;
    if (a.word_count > 0 && !strpbrk(a.words[0], "./-") && access(a.words[0], F_OK) != 0) {
        fprintf(stderr, "cqlgen: there is no command and no query file `%s`; see `cqlgen help`\n", a.words[0]);
        return STATUS_QUERY;
    }
    if (queries == 0 || !name || !(ends_with(name, ".so") || ends_with(name, ".c"))) {
        fprintf(stderr, "cqlgen: expected `cqlgen QUERY.cql... -o NAME.so` or `-o NAME.c`; see `cqlgen help`\n");
        return STATUS_QUERY;
    }
    Compiled *compiled = memory_zeroed((size_t)queries, sizeof *compiled);
    Module **module = memory_zeroed((size_t)queries, sizeof *module);
    CompileOptions options = compile_options(&a);
    bool good = true;
    for (int i = 0; i < queries; i++) {
        const char *text = i < a.word_count ? NULL : a.expressions[i - a.word_count];
        good &= compile_query(&compiled[i], text ? "-e" : a.words[i], text, &options);
        module[i] = compiled[i].module;
    }
    int status = good ? build(module, queries, name) : STATUS_QUERY;
    for (int i = 0; i < queries; i++)
        compiled_free(&compiled[i]);
    free(compiled);
    free(module);
    return status;
}
