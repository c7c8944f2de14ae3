// The structure checks on the token stream (language reference 1.12).
#include "compiler/language/ast.h"
#include "lexer.h"

#include <string.h>

enum { UNCLOSED_LIMIT = 3 }; // of brackets that are reported as never closed, the innermost first

// An open bracket or `path` word.
typedef struct Open {
    const Token *token;
    bool path_level; // a token right inside it is at path top level
} Open;

typedef struct Checker {
    Diagnostics *diagnostics;
    Open *open; // stack
    int depth;
    const Token *unsound; // the outermost bracket without partner when the first mismatch was met
    bool swallowed;       // an earlier error may have taken brackets away: those that are left say nothing
} Checker;

static bool is_word(const Token *token, int op)
{
    return token->kind == TOKEN_WORD && token->op == op;
}

static const Token *top(const Checker *c)
{
    return c->depth > 0 ? c->open[c->depth - 1].token : NULL;
}

static bool path_is_on_top(const Checker *c)
{
    return c->depth > 0 && is_word(top(c), OP_PATH);
}

static bool at_path_top_level(const Checker *c)
{
    return c->depth > 0 && c->open[c->depth - 1].path_level;
}

static void pop_paths(Checker *c)
{
    while (path_is_on_top(c))
        c->depth--;
}

static const Token *outermost_bracket(const Checker *c)
{
    for (int i = 0; i < c->depth; i++)
        if (token_bracket(c->open[i].token) > 0)
            return c->open[i].token;
    return NULL;
}

static void report_mismatch(Checker *c, const Token *close, const Token *open)
{
    if (c->swallowed)
        return;
    const char *text = punctuation_spelling[close->number];
    if (open == NULL) {
        diag_add(c->diagnostics, DIAG_ERROR, close->span, "`%s` without a `%s` before it", text,
                 punctuation_spelling[close->number - 1]);
        return;
    }
    Place place = source_place(c->diagnostics->source, open->span.start);
    diag_add(c->diagnostics, DIAG_ERROR, close->span, "`%s` does not match the `%s` at line %u, column %u",
             text, punctuation_spelling[open->number], place.line, place.column);
}

// Rule 1 for a closing bracket; it ends the paths inside its brackets too. One mistake leads to many; only
// the first is reported.
static void close_bracket(Checker *c, const Token *token)
{
    pop_paths(c);
    if (c->depth > 0 && token_is_mark(top(c), token->number - 1)) {
        c->depth--;
        return;
    }
    if (c->unsound != NULL)
        return;
    report_mismatch(c, token, top(c));
    const Token *open = outermost_bracket(c);
    c->unsound = open != NULL ? open : token;
}

// Rule 3.
static void check_path_level(Checker *c, Token *token)
{
    if (!at_path_top_level(c))
        return;
    token->flags |= TOKEN_PATH_TOP;
    if (token_is_mark(token, PUNCT_PLUS) || token_is_mark(token, PUNCT_STAR))
        token->flags |= TOKEN_WILDCARD;
    if (is_word(token, OP_LEGAL) || is_word(token, OP_COUNTMOVES))
        diag_add(c->diagnostics, DIAG_ERROR, token->span,
                 "`%s` cannot be a constituent of `path`; put it in braces: `{%s --}`", token->bytes,
                 token->bytes);
}

static bool has_bracket(const Checker *c, const Token *token)
{
    const char *text = c->diagnostics->source->text;
    for (uint32_t i = token->span.start; i < token->span.end; i++)
        if (text[i] != '\0' && strchr("(){}[]", text[i]) != NULL)
            return true;
    return false;
}

static void check_token(Checker *c, Token *token)
{
    if ((token->flags & TOKEN_BLANK_BEFORE) && path_is_on_top(c)) {
        token->flags |= TOKEN_PATH_END;
        pop_paths(c);
    }
    c->swallowed |= token->kind == TOKEN_ERROR && has_bracket(c, token);
    if (token_bracket(token) < 0)
        close_bracket(c, token);
    check_path_level(c, token);
    if (token_bracket(token) > 0 || is_word(token, OP_PATH)) {
        const bool inherited = token_is_mark(token, PUNCT_LEFT_PAREN) && at_path_top_level(c);
        c->open[c->depth++] = (Open){token, inherited || is_word(token, OP_PATH)};
    }
}

static void report_unclosed(Checker *c)
{
    if (c->unsound != NULL)
        return;
    c->unsound = outermost_bracket(c);
    if (c->swallowed)
        return;
    for (int i = c->depth - 1, reported = 0; i >= 0 && reported < UNCLOSED_LIMIT; i--) {
        const Token *open = c->open[i].token;
        if (token_bracket(open) <= 0)
            continue;
        reported++;
        diag_add(c->diagnostics, DIAG_ERROR, open->span,
                 "`%s` is never closed: no `%s` before the end of the query",
                 punctuation_spelling[open->number], punctuation_spelling[open->number + 1]);
    }
}

// What makes a `+` or `*` before it a wildcard (end of 1.12).
static bool follows_wildcard(const Token *next)
{
    return next->kind == TOKEN_END || next->kind == TOKEN_REPETITION || (next->flags & TOKEN_WILDCARD) != 0 ||
           token_is_mark(next, PUNCT_RIGHT_BRACE) || token_is_mark(next, PUNCT_RIGHT_PAREN) ||
           token_is_mark(next, PUNCT_LINE_RIGHT) || token_is_mark(next, PUNCT_LINE_LEFT);
}

// From the right to the left, because a wildcard makes the `+` or `*` before it one.
static void mark_wildcards(TokenList *tokens)
{
    for (int i = tokens->count - 2; i >= 0; i--) {
        Token *token = &tokens->token[i];
        if (token_is_mark(token, PUNCT_QUESTION) || token_is_mark(token, PUNCT_BRACE_PLUS) ||
            token_is_mark(token, PUNCT_BRACE_STAR))
            token->flags |= TOKEN_WILDCARD;
        else if ((token_is_mark(token, PUNCT_PLUS) || token_is_mark(token, PUNCT_STAR)) &&
                 follows_wildcard(&tokens->token[i + 1]))
            token->flags |= TOKEN_WILDCARD;
    }
}

// Puts a TOKEN_ERROR and the end in the place of the tokens from `first` on.
static void cut(TokenList *tokens, int first)
{
    const Token end = tokens->token[tokens->count - 1];
    tokens->token[first].kind = TOKEN_ERROR;
    tokens->token[first + 1] = end;
    tokens->count = first + 2;
    for (int i = 0; i < first; i++)
        if (tokens->token[i].kind == TOKEN_LINE_COMMENT && tokens->token[i].number > first)
            tokens->token[i].number = first + 1;
}

void token_check(TokenList *tokens, Diagnostics *diagnostics)
{
    Checker c = {.diagnostics = diagnostics};
    c.open = arena_alloc(diagnostics->arena, (size_t)tokens->count * sizeof *c.open);
    for (int i = 0; i < tokens->count; i++)
        check_token(&c, &tokens->token[i]);
    report_unclosed(&c);
    if (c.unsound != NULL)
        cut(tokens, (int)(c.unsound - tokens->token));
    mark_wildcards(tokens);
}
