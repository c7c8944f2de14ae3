// `cqlgen convert`: a query of another dialect as CQL 6.2.
#include <string.h>

#include "runtime/search/search.h"
#include "compiler/front/cql6/cql6.h"
#include "compiler/convert/query.h"
#include "cli.h"
#include "signals.h"

// The result must be a valid query in CQL 6.2; its errors are reported for the converted query.
static bool is_accepted(const Compiled *c, const char *text, const CompileOptions *options)
{
    const Source source = {arena_printf(c->arena, "%s, converted", c->source.name), text, strlen(text), NULL};
    Diagnostics d = {.arena = c->arena, .source = &source};
    const ParseOptions parse = {.variations = options->variations, .pedantic = true};
    const bool good = parse_query(c->arena, &source, &parse, &d) != NULL && d.errors == 0;
    if (!good) {
        diag_print(&d, stderr, colour_wanted());
        complain(NULL, "%s cannot be expressed in CQL 6.2", c->source.name);
    }
    return good;
}

typedef struct Conversion {
    Compiled compiled;
    const Arguments *arguments;
    const CompileOptions *options;
    const char *text; // the result; NULL after messages
} Conversion;

static void convert(void *user)
{
    Conversion *v = user;
    Compiled *c = &v->compiled;
    if (!compile_read_one(c, v->arguments, v->options))
        return;
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    const char *text = print_query(c->query, c->dialect, &d);
    diag_print(&d, stderr, colour_wanted());
    if (text != NULL && is_accepted(c, text, v->options))
        v->text = text;
}

int command_convert(int count, char **argument)
{
    Arguments a;
    if (!read_arguments(&a, COMMAND_CONVERT, NULL, NULL, count, argument))
        return STATUS_QUERY;
    Account account = {0};
    const CompileOptions options = compile_options(&a, &account);
    Conversion v = {.arguments = &a, .options = &options};
    limit_begin(a.low[OPTION_MAX_SECONDS]);
    if (!compile_within(&options, query_name(&a), convert, &v))
        return STATUS_QUERY;
    limit_end();
    const char *output = a.value[OPTION_OUTPUT] ? a.value[OPTION_OUTPUT] : "-";
    const int status = !v.text                                      ? STATUS_QUERY
                       : write_file(output, v.text, strlen(v.text)) ? STATUS_OK
                                                                    : STATUS_OUTPUT;
    compiled_free(&v.compiled);
    return status;
}
