// Filters about the game tree with a syntax of their own (language reference 6).
#include "parser.h"

#include <string.h>

// find-param = "quiet" | "all" | "<--" | range; false when there is none
static bool parse_find_parameter(Parser *p, Ast *node)
{
    if (own(p)->cqli && node->range.present &&
        (parse_at_word(p, OP_WORD_QUIET) || parse_at_word(p, OP_WORD_ALL) || parse_at(p, PUNCT_LINE_LEFT)))
        parse_fail_found(p, "in CQLi `quiet`, `<--` and `all` go before the range: `find quiet <-- 2 5 …`");
    const unsigned flag = parse_at_word(p, OP_WORD_QUIET) ? AST_QUIET
                          : parse_at_word(p, OP_WORD_ALL) ? AST_ALL
                          : parse_at(p, PUNCT_LINE_LEFT)  ? AST_BACKWARD
                                                          : 0;
    if (own(p)->cqli && node->flags & flag)
        parse_fail_found(p, "`quiet`, `<--` and `all` of `find` are given once each");
    if (flag != 0) {
        node->flags |= flag;
        parse_next(p);
        return true;
    }
    if (node->range.present)
        return false;
    node->range = parse_range(p);
    return node->range.present;
}

// "find" { "quiet" | "all" | "<--" | range } filter
Ast *parse_find(Parser *p)
{
    const Token *word = parse_next(p);
    Ast *node = parse_node(p, OP_FIND, TYPE_POSITION, word->span);
    while (parse_find_parameter(p, node))
        ;
    if (node->flags & AST_ALL && node->range.present)
        parse_fail(p, parse_span_from(p, word->span), "`find all` takes no range");
    parse_need_filter(p, "expected the filter that `find` looks for");
    Ast *operand = parse_after_range(p, parse_filter(p), word->bytes);
    parse_add(p, node, parse_as_condition(p, operand));
    node->type = node->flags & AST_ALL || node->range.present ? TYPE_INT : TYPE_POSITION;
    return node;
}

// "(" id id ")": two different position variables; `echo` in CQLi opens a scope with new ones (13.3)
static void parse_two_variables(Parser *p, Ast *node)
{
    const char *name = op_info[node->op].name;
    Surroundings outer =
        parse_open(p, PUNCT_LEFT_PAREN, arena_printf(p->arena, "before the two variables of `%s`", name));
    const Token *first = parse_name(p, "the name of a position variable");
    const Token *second = parse_name(p, "the name of a position variable");
    if (strcmp(first->bytes, second->bytes) == 0)
        parse_fail(p, second->span, "`%s` needs two different variables", name);
    parse_close(p, outer, PUNCT_RIGHT_PAREN, arena_printf(p->arena, "after the two variables of `%s`", name));
    const bool scoped = node->op == OP_ECHO && own(p)->cqli;
    if (scoped)
        scope_enter(p, false);
    node->variable =
        scoped ? scope_add(p, first, VARIABLE_POSITION) : variable_of_kind(p, first, VARIABLE_POSITION);
    node->variable2 =
        scoped ? scope_add(p, second, VARIABLE_POSITION) : variable_of_kind(p, second, VARIABLE_POSITION);
}

// "echo" [ "quiet" ] "(" id id ")" [ "in" "all" ] filter
Ast *parse_echo(Parser *p)
{
    Ast *node = parse_node(p, OP_ECHO, TYPE_BOOL, parse_next(p)->span);
    if (own(p)->inside_sort_min > 0)
        parse_fail(p, node->span, "`echo` finds the greatest value and cannot be used in `sort min`");
    if (parse_take_word(p, OP_WORD_QUIET))
        node->flags |= AST_QUIET;
    parse_two_variables(p, node);
    if (parse_take_word(p, OP_WORD_IN)) {
        if (!parse_take_word(p, OP_WORD_ALL))
            parse_fail_found(p, "expected `all` after `in`");
        node->flags |= AST_IN_ALL;
    }
    parse_need_filter(p, "expected the filter that `echo` evaluates");
    Ast *body = parse_filter(p);
    node->type = body->type == TYPE_INT ? TYPE_INT : TYPE_BOOL;
    if (body->type != TYPE_INT || ast_unwrap(body)->op == OP_NUMBER)
        parse_as_condition(p, body); // a numeric body is wanted for its value
    parse_add(p, node, body);
    if (own(p)->cqli)
        scope_leave(p);
    return node;
}

// Two variables, as in CQL 6.2: `(a b)`.
static bool at_two_names(Parser *p)
{
    const Token *end = parse_peek_at(p, 3);
    return parse_peek_at(p, 1)->kind == TOKEN_IDENTIFIER && parse_peek_at(p, 2)->kind == TOKEN_IDENTIFIER &&
           token_is_mark(end, PUNCT_RIGHT_PAREN);
}

// "(" position position ")" of CQLi (13.4)
static void parse_two_positions(Parser *p, Ast *node)
{
    Surroundings outer = parse_open(p, PUNCT_LEFT_PAREN, "before the two positions of `consecutivemoves`");
    for (int i = 0; i < 2; i++) {
        parse_need_filter(p, "`consecutivemoves` needs two positions without a comma");
        parse_add(p, node, parse_require_op(p, parse_filter(p), TYPE_POSITION, OP_CONSECUTIVEMOVES));
    }
    parse_close(p, outer, PUNCT_RIGHT_PAREN, "after the two positions of `consecutivemoves`");
}

// "consecutivemoves" [ "quiet" ] [ range ] [ "quiet" ] "(" id id ")", CQLi: "(" position position ")"
Ast *parse_consecutivemoves(Parser *p)
{
    Ast *node = parse_node(p, OP_CONSECUTIVEMOVES, TYPE_INT, parse_next(p)->span);
    bool quiet = parse_take_word(p, OP_WORD_QUIET);
    node->range = parse_range(p);
    if (parse_take_word(p, OP_WORD_QUIET) || quiet)
        node->flags |= AST_QUIET;
    if (!own(p)->cqli || at_two_names(p))
        parse_two_variables(p, node);
    else
        parse_two_positions(p, node);
    return node;
}

// "similarposition" { "nosort" | "notransform" } quoted
void finish_similarposition(Parser *p, Ast *node, const Token *word)
{
    const Span span = parse_span_from(p, word->span);
    const bool plain = (node->flags & AST_NOTRANSFORM) != 0;
    if (!is_pgn_name(node->text, node->text_length))
        parse_fail(p, span, "the file of `similarposition` must end in `.pgn`");
    if (own(p)->similar_file != NULL &&
        (strcmp(own(p)->similar_file, node->text) != 0 || own(p)->similar_plain != plain))
        parse_fail(p, span,
                   "all `similarposition` of a query must name the same file and agree in `notransform`");
    own(p)->similar_file = node->text;
    own(p)->similar_plain = plain;
}
