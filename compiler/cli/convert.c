// `cqlgen convert`: a query of another dialect as CQL 6.2.
#include <string.h>

#include "runtime/search/search.h"
#include "compiler/front/cql6/cql6.h"
#include "compiler/convert/query.h"
#include "cli.h"

// The result must be a query of CQL 6.2; what it is refused for is reported as belonging to the query
// converted.
static bool is_accepted(const Compiled *c, const char *text, const CompileOptions *options)
{
    const Source source = {arena_printf(c->arena, "%s, converted", c->source.name), text, strlen(text)};
    Diagnostics d = {.arena = c->arena, .source = &source};
    const ParseOptions parse = {.variations = options->variations, .pedantic = true};
    const bool good = parse_query(c->arena, &source, &parse, &d) != NULL && d.errors == 0;
    if (!good) {
        diag_print(&d, stderr, colour_wanted());
        fprintf(stderr, "cqlgen: %s has no form in CQL 6.2\n", c->source.name);
    }
    return good;
}

static int convert(Compiled *c, const char *output, const CompileOptions *options)
{
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    const char *text = print_query(c->query, c->dialect, &d);
    diag_print(&d, stderr, colour_wanted());
    if (text == NULL || !is_accepted(c, text, options))
        return STATUS_QUERY;
    return write_file(output, text, strlen(text)) ? STATUS_OK : STATUS_OUTPUT;
}

int command_convert(int count, char **argument)
{
    Arguments a;
    if (!read_arguments(&a, COMMAND_CONVERT, count, argument))
        return STATUS_QUERY;
    const char *to = a.option[OPTION_TO];
    if (to && strcmp(to, "cql62") != 0 && strcmp(to, "cql6") != 0 && strcmp(to, "cql6.2") != 0) {
        fprintf(stderr, "cqlgen: option `--to` knows only cql62, not `%s`\n", to);
        return STATUS_QUERY;
    }
    if (a.word_count + a.expression_count != 1) {
        fprintf(stderr, "cqlgen: expected one query: `cqlgen convert QUERY.cql` or -e 'FILTERS'\n");
        return STATUS_QUERY;
    }
    const CompileOptions options = compile_options(&a);
    Compiled c;
    const bool read = a.word_count == 1 ? compile_read(&c, a.words[0], NULL, &options)
                                        : compile_read(&c, "-e", a.expressions[0], &options);
    const int status =
        read ? convert(&c, a.option[OPTION_OUTPUT] ? a.option[OPTION_OUTPUT] : "-", &options) : STATUS_QUERY;
    compiled_free(&c);
    return status;
}
