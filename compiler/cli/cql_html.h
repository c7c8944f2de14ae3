// A query as HTML.
#ifndef CQL_CLI_CQL_HTML_H
#define CQL_CLI_CQL_HTML_H

#include "runtime/game/game.h"
#include "compiler/front/cql6/token.h"

// Appends the source with a `span` around each token and comment, whose class is keyword, name, number,
// string, piece, sign or comment. `tokens`: those of the source.
void cql_add_spans(Buffer *out, const Source *source, const TokenList *tokens);

// Appends a whole page that shows the source, with its name as the title.
void cql_add_page(Buffer *out, const Source *source, const TokenList *tokens);

#endif
