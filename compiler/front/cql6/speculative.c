// Speculative moves: `move … : filter` (language reference 13.5).
#include "parser.h"

static bool keeps_position(const Ast *node, void *user)
{
    (void)user;
    switch (node->op) {
    case OP_ASSIGN:
        return node->kid[0]->type == TYPE_POSITION && !node->variable->hidden;
    case OP_ENTRY_ASSIGN:
        return node->kid[0]->type == TYPE_POSITION || node->kid[1]->type == TYPE_POSITION;
    default:
        return false;
    }
}

// ":" relation
Ast *parse_imaginary_target(Parser *p, const char *what)
{
    if (!parse_at(p, PUNCT_COLON))
        parse_fail_found(p, "expected `:` and the filter that is evaluated after %s", what);
    parse_accept_cqli(p, parse_next(p)->span, what);
    if (!parse_begins_filter(parse_peek(p)))
        parse_fail_found(p, "expected the filter that is evaluated after %s", what);
    Ast *target = parse_relation(p, NULL);
    // Imaginary positions vanish after the evaluation.
    if (ast_contains(target, keeps_position, NULL))
        parse_fail(p, target->span,
                   "an imaginary position cannot be kept in a variable or dictionary "
                   "(`saveposition` is not supported)");
    return target;
}

// ":" relation, after "move" { move-param }
Ast *parse_speculative(Parser *p, Ast *move)
{
    if (move->flags & AST_PREVIOUS)
        parse_fail(p, move->span, "`move previous` cannot be played from the current position");
    if (move->kid_count > 0)
        parse_fail(p, move->span, "a speculative move takes no `comment`; write it after the colon");
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
