// Trees from templates: how the older dialects say in CQL 6.2 what their constructs mean.
#include "parser.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// The parser meets the operands in place of their tokens; a variable is the name of its token too.
static void put_operands(Parser *p, const TokenList *tokens, Ast *const operand[])
{
    unsigned used = 0;
    for (int i = tokens->count - 1; i >= 0; i--) {
        const Token *t = &tokens->token[i];
        const int number = t->kind == TOKEN_IDENTIFIER && t->bytes[0] == '$' ? atoi(t->bytes + 1) : 0;
        if (number == 0)
            continue;
        Ast *node = operand[number - 1];
        if (node->op == OP_VARIABLE)
            name_define(p, tokens->token[i].bytes, node->variable);
        const Token *after = &tokens->token[i + 1];
        p->position = i + 1;
        if (node->op != OP_VARIABLE || !(is_assignment_mark(after) || after->op == OP_WORD_IN))
            parse_put_back(p, used >> number & 1 ? ast_copy(p->arena, node) : node, i, i);
        used |= 1u << number;
    }
    p->position = 0;
}

// Braces around one filter and parentheses are only for the reader of the template.
static Ast *settle(Ast *node, Span span, Ast *const operand[], int count)
{
    for (int i = 0; i < count; i++)
        if (operand[i] == node)
            return node;
    Ast **kid;
    for (int i = 0; (kid = ast_operand(node, i)) != NULL; i++)
        *kid = settle(*kid, span, operand, count);
    node->span = span;
    node->flags &= ~(unsigned)AST_PAREN;
    return ast_unwrap(node);
}

static Ast *parse_all_filters(Parser *p)
{
    Ast *all = parse_node(p, OP_COMPOUND, TYPE_BOOL, (Span){0, 0});
    while (parse_peek(p)->kind != TOKEN_END) {
        Ast *filter = parse_filter(p);
        parse_add(p, all, filter);
        all->type = filter->type;
    }
    return parse_finish(p, all, all->span);
}

static Ast *no_filter(Parser *p)
{
    return parse_node(p, OP_FALSE, TYPE_BOOL, (Span){0, 0});
}

// The function of setjmp has no local, so there is none that a longjmp could leave indeterminate.
static Ast *parse_template(Parser *p)
{
    if (setjmp(p->recover) != 0)
        return no_filter(p);
    return parse_all_filters(p);
}

Ast *cql6_template(Query *query, Diagnostics *diagnostics, Span span, const char *text, Ast *const operand[],
                   int count)
{
    const Source source = {"template", text, strlen(text), NULL};
    Diagnostics wrong = {.arena = query->arena, .source = &source};
    TokenList tokens = lex(query->arena, &source, IN_CQL6, &wrong);
    token_check(&tokens, &wrong);
    Cql6 state = {.variations = true, .is_template = true};
    Parser p = parser_cql6(query, &source, &wrong, &state);
    p.token = tokens.token;
    p.limit = tokens.count - 1;
    const int variables = query->variable_count;
    put_operands(&p, &tokens, operand);
    Ast *tree = parse_template(&p);
    for (int i = variables; i < query->variable_count; i++)
        query->variable[i]->hidden = true;
    if (wrong.errors > 0)
        diag_add(diagnostics, DIAG_ERROR, span, "%s", wrong.list[0].message);
    return settle(tree, span, operand, count);
}
