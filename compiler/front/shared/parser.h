// What the recursive-descent parsers of CQL 6.2, CQLi and CQL 5 share: the cursor over the tokens, errors and
// recovery from them, nodes, the header and the list of filters.
//
// Errors are reported in one way: parse_fail adds a diagnostic and jumps back to the top level, which skips to the next
// line that can begin a filter and continues. Nothing is added when the next token is a TOKEN_ERROR, which the lexer has reported.
// Where the text was understood, parse_report reports an error without a jump.
#ifndef CQL_SHARED_PARSER_H
#define CQL_SHARED_PARSER_H

#include <setjmp.h>

#include "compiler/base/text_map.h"
#include "compiler/language/query.h"
#include "token.h"

enum {
    PARSER_MAX_ERRORS = 50,  // in one query; the rest is not read
    PARSER_MAX_DEPTH = 4000, // height of the tree; long chains of `+` or `or` count
};

typedef struct Parser Parser;

// What distinguishes the parser of a dialect. Functions that may be NULL do nothing then.
typedef struct ParserDialect {
    int max_nesting;                                  // of filters inside filters
    bool (*begins_filter)(const Token *t);            // may a filter begin here after broken text?
    Ast *(*condition)(Parser *p);                     // reads a filter as a condition
    bool (*ends_at)(const Parser *p, const Token *t); // the construct ends before this token; may be NULL
    const char *(*end_name)(const Parser *p);         // the name of that end for messages; may be NULL
    void (*note)(Parser *p);                          // adds notes to an error; may be NULL
    // After an error in the filter whose first token is number `start`: forgets its surroundings and returns to the
    // tokens of the query.
    void (*restart)(Parser *p, int start);
    void (*skipped)(Parser *p, int start, int end); // the parser passes over these tokens of the query
} ParserDialect;

struct Parser {
    Arena *arena;
    const Source *source;
    Diagnostics *diagnostics;
    Query *query;
    const ParserDialect *dialect;
    void *own;           // the state of the dialect
    const Token *token;  // the tokens of the query, or of the function body that is being expanded
    int position, limit; // the next token; the first one that may not be read
    int nesting;
    TextMap reported; // of parse_was_reported: the first `reported_count` diagnostics
    int reported_count;
    Token end; // what parse_peek returns at the end
    Cure cure; // of the next error or warning (parse_cure)
    jmp_buf recover;
};

// ---- errors -----------------------------------------------------------------------------------------------

// Reports an error and abandons the current top-level filter.
_Noreturn void parse_fail(Parser *p, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Reports `MESSAGE, found TOKEN` at the next token.
_Noreturn void parse_fail_found(Parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Reports an error and continues; the same error at the same place only once (functions are parsed at each
// call).
void parse_report(Parser *p, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
// What puts right the error or warning that is reported next.
void parse_cure(Parser *p, Span span, const char *text);
// Warns of what is legal but probably a mistake, once at each place.
void parse_warn(Parser *p, Span span, const char *message);
// Reports `expected EXPECTED, found TOKEN` at the next token, and suggests the nearest of the names.
_Noreturn void parse_fail_word(Parser *p, const char *expected, const char *const *names, size_t count);
// Abandons the filter without a message: only after an error has been reported.
_Noreturn void parse_abandon(Parser *p);
// The same error has been reported at the same place.
bool parse_was_reported(Parser *p, Span span, const char *message);

// ---- tokens -----------------------------------------------------------------------------------------------

// The next token; TOKEN_END at the end of the text and where ParserDialect.ends_at says so.
const Token *parse_peek(Parser *p);
const Token *parse_peek_at(Parser *p, int distance);
const Token *parse_next(Parser *p);
Span parse_span_from(const Parser *p, Span start); // from `start` to the token read last
bool parse_at_word(Parser *p, int word);
bool parse_at(Parser *p, enum Punctuation mark);
bool parse_take_word(Parser *p, int word);
bool parse_take(Parser *p, enum Punctuation mark);
// Takes the mark, or fails with "expected MARK WHY".
void parse_expect(Parser *p, enum Punctuation mark, const char *why);
const char *parse_text(Parser *p, const Token *t); // for messages
// Counts a level of nesting that begins at `start`; too many are an error. parse_outwards ends it.
void parse_inwards(Parser *p, Span start);
void parse_outwards(Parser *p);

// ---- nodes ------------------------------------------------------------------------------------------------

Ast *parse_node(Parser *p, Op op, Type type, Span span);
void parse_add(Parser *p, Ast *parent, Ast *kid);
// Ends the span at the token read last. Must be called for nodes built by hand when their operands are known; guards
// the height of the tree.
Ast *parse_finish(Parser *p, Ast *node, Span start);

// Gives a node of `exactfen` its parts (17.1), or fails.
void parse_exact_position(Parser *p, Ast *node, const Token *string);

// ---- the query --------------------------------------------------------------------------------------------

// "cql" "(" { parameter } ")": `cql` is the word, `parameter` reads one parameter. After an error in it the parser
// continues after its closing parenthesis.
void parse_header_with(Parser *p, int cql, void (*parameter)(Parser *p));
// Reads filters up to the end of the tokens into the body of the query, which must have at least one.
void parse_filters(Parser *p);

#endif
