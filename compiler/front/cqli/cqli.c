// The dialect CQLi (language reference 13).
#include "cqli.h"

#include "compiler/front/cql6/cql6.h"

Query *parse_cqli(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics)
{
    return parse_dialect(arena, source, options, diagnostics, IN_CQLI);
}

void cqli_explain_failure(Arena *arena, const Source *source, const ParseOptions *options,
                          Diagnostics *diagnostics)
{
    Diagnostics silent = {.arena = arena, .source = source};
    if (options->pedantic || diagnostics->count == 0 || !parse_cqli(arena, source, options, &silent))
        return;
    const Span span = diagnostics->list[0].span;
    diag_add(diagnostics, DIAG_NOTE, span,
             "the query is valid CQLi; to have it read as CQLi, begin it with the line `// dialect: cqli`");
}
