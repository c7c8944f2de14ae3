// What editors ask about a query: errors with cures, words that fit, help, another layout. The answers have the shapes of the
// Language Server Protocol; `cqlgen lsp` and `cqlgen serve` give them.
//
// The files of this room, lowest first: wrap, help_page, format, position, work, check, define, complete, describe, frames, lsp. Without the
// header of jansson only the first three have functions.
//
// A query is a text in UTF-8, NUL-terminated: a whole file with its header, or filters alone. Positions are {"line", "character"},
// both from 0; characters are UTF-16 units. The functions may be called from any thread. The caller owns the answers
// (json_decref). They are NULL when memory runs out, and where it is said. The query is read in a thread with a large stack, within the
// memory and time that a compilation may have; when it needs more, that is an error among the diagnostics.
#ifndef CQL_EDITOR_H
#define CQL_EDITOR_H

#if __has_include(<jansson.h>)
#include <jansson.h>
#define CQL_HAS_JSON 1

// {"dialect", "title", "diagnostics": [...]}; the dialect is named as by the option --dialect, and so is `dialect` (NULL: it is
// detected). The title is that of the first comment, or null. A diagnostic has "range", "severity", "source", "message" and "fixes":
// [{"title", "edits": [{"range", "newText"}]}].
json_t *editor_check(const char *query, const char *dialect);

// {"items": [CompletionItem]}: the words that fit where the cursor is, with "label", "kind", "detail" (a gloss), "documentation" (the
// syntax) and "textEdit", which replaces the word there. In comments and strings there are none.
json_t *editor_complete(const char *query, const char *dialect, int line, int character);

// {"word", "markdown", "text"}: help about a word or sign. NULL: there is none.
json_t *editor_help(const char *word);

// {"query"}: the query as `cqlgen convert` writes it. NULL when it has errors.
json_t *editor_format(const char *query, const char *dialect);

#endif

#endif
