// The dialect CQLi (language reference 13).
#include "cqli.h"

#include "compiler/front/cql6/cql6.h"
#include "compiler/front/cql6/token.h"
#include "compiler/front/shared/preamble.h"

// CQLi itself has no comments that begin with `;` (13.11).
static void refuse_semicolons(Arena *arena, const Source *source, Diagnostics *diagnostics)
{
    Diagnostics silent = {.arena = arena, .source = source};
    const TokenList tokens = lex(arena, source, IN_CQLI, &silent);
    size_t at = preamble_start(source->text, source->length);
    for (int i = 0; i < tokens.count; at = tokens.token[i++].span.end) {
        for (size_t next; (next = preamble_skip(source->text, source->length, at)) != at; at = next) {
            if (source->text[at] != ';')
                continue;
            diag_add(diagnostics, DIAG_ERROR, (Span){(uint32_t)at, (uint32_t)at + 1},
                     "comments with `;` are not part of CQLi; write `//`");
            return;
        }
    }
}

Query *parse_cqli(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics)
{
    if (options->pedantic)
        refuse_semicolons(arena, source, diagnostics);
    return parse_dialect(arena, source, options, diagnostics, IN_CQLI);
}

static bool has_warning(const Diagnostics *diagnostics)
{
    for (int i = 0; i < diagnostics->count; i++)
        if (diagnostics->list[i].severity == DIAG_WARNING)
            return true;
    return false;
}

Query *cqli_retry(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *failed,
                  bool choose)
{
    Diagnostics again = {.arena = arena, .source = source};
    if (options->pedantic || failed->count == 0)
        return NULL;
    Query *query = parse_cqli(arena, source, options, &again);
    if (query != NULL && choose && query->only_cqli != NULL) {
        *failed = again;
        return query;
    }
    if (query != NULL && !has_warning(&again)) {
        diag_add(
            failed, DIAG_NOTE, failed->list[0].span,
            "the query is valid CQLi; to have it read as CQLi, begin it with the line `// dialect: cqli`");
        preamble_cure(failed, "// dialect: cqli");
    }
    return NULL;
}
