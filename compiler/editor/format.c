// A query as CQL 6.2.
#include "format.h"

#include <string.h>

#include "compiler/convert/query.h"
#include "compiler/front/cql6/cql6.h"

// The result must be a valid query in CQL 6.2; its errors are reported for the converted query.
static bool is_accepted(const Compiled *c, const char *text, const CompileOptions *options)
{
    const Source source = {arena_printf(c->arena, "%s, converted", c->source.name), text, strlen(text), NULL};
    Diagnostics d = {.arena = c->arena, .source = &source};
    const ParseOptions parse = {.variations = options->variations, .pedantic = true};
    const bool good = parse_query(c->arena, &source, &parse, &d) != NULL && d.errors == 0;
    if (!good) {
        options->show(options->user, &d);
        options->fail(options->user,
                      arena_printf(c->arena, "%s cannot be expressed in CQL 6.2", c->source.name));
    }
    return good;
}

const char *format_compiled(Compiled *c, const CompileOptions *options)
{
    Diagnostics d = {.arena = c->arena, .source = &c->source};
    const char *text = print_query(c->query, c->dialect, &d);
    options->show(options->user, &d);
    return text != NULL && is_accepted(c, text, options) ? text : NULL;
}
