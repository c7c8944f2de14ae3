// Speculative moves: `move … : filter` (language reference 13.5).
#include "parser.h"

// ":" relation
Ast *parse_imaginary_target(Parser *p, const char *what)
{
    if (!parse_at(p, PUNCT_COLON))
        parse_fail_found(p, "expected `:` and the filter that is evaluated after %s", what);
    parse_accept_cqli(p, parse_next(p)->span, what);
    parse_need_filter(p, "expected the filter that is evaluated after %s", what);
    return parse_relation(p, NULL);
}

// ":" relation, after "move" { move-param }
Ast *parse_speculative(Parser *p, Ast *move)
{
    Ast *target = parse_as_condition(p, parse_imaginary_target(p, "a speculative move"));
    Ast *node = parse_node(p, OP_SPECULATIVE, move->type, move->span);
    if (move->flags & AST_ALL) {
        node->flags = AST_ALL;
        node->type = move->flags & AST_COUNT ? TYPE_INT : TYPE_BOOL;
        move->flags &= ~(unsigned)AST_ALL;
    }
    parse_add(p, node, move);
    parse_add(p, node, target);
    return parse_finish(p, node, move->span);
}
