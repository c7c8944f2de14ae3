// `imagine`: changes of the position, and the filter that is evaluated after them (language reference 13.17).
#include "parser.h"

// The designator's squares, whatever is on them.
static Ast *squares_of(Parser *p, const Token *t)
{
    Ast *node = parse_node(p, OP_DESIGNATOR, TYPE_SET, t->span);
    node->pieces = ANY_SQUARE;
    node->mask = t->mask;
    return node;
}

// `pieces` on `squares`; SYMBOL_EMPTY: nothing.
static Ast *put(Parser *p, const Token *t, Ast *squares)
{
    Ast *node = parse_node(p, OP_IMAGINE_PUT, TYPE_BOOL, t->span);
    parse_add(p, node, squares);
    if (t->pieces != SYMBOL_EMPTY) {
        Ast *piece = parse_node(p, OP_DESIGNATOR, TYPE_SET, t->span);
        piece->pieces = t->pieces;
        piece->mask = ~(Bitboard)0;
        parse_add(p, node, piece);
    }
    return parse_finish(p, node, t->span);
}

static bool is_one_piece(uint32_t pieces)
{
    return (pieces & (pieces - 1)) == 0 && !(pieces & (SYMBOL_WHITE | SYMBOL_BLACK));
}

// piece-letter set | designator: `added`: after "add"
static Ast *parse_put(Parser *p, bool added)
{
    const Token *t = parse_peek(p);
    if (t->kind != TOKEN_DESIGNATOR || !is_one_piece(t->pieces) || (added && t->pieces == SYMBOL_EMPTY))
        parse_fail_found(p, "expected one piece%s and its squares, as in `Qd5`", added ? "" : " or `_`");
    const bool alone = t->mask == ~(Bitboard)0;
    if (alone && !added)
        parse_fail(p, t->span,
                   "`imagine` needs the squares of the piece, as in `Qd5`; for a set write `add Q SET`");
    parse_next(p);
    return put(p, t, alone ? parse_set_arg(p, OP_WORD_ADD) : squares_of(p, t));
}

// "sidetomove" ( "reverse" | "white" | "black" )
static Ast *parse_side(Parser *p)
{
    static const char *const sides[] = {"reverse", "white", "black"};
    Ast *node = parse_node(p, OP_IMAGINE_SIDE, TYPE_BOOL, parse_next(p)->span);
    if (parse_take_word(p, OP_WHITE))
        parse_add(p, node, parse_node(p, OP_WTM, TYPE_BOOL, node->span));
    else if (parse_take_word(p, OP_BLACK))
        parse_add(p, node, parse_node(p, OP_BTM, TYPE_BOOL, node->span));
    else if (!parse_take_word(p, OP_WORD_REVERSE))
        parse_fail_word(p, "`reverse`, `white` or `black` after `sidetomove`", sides, 3);
    return parse_finish(p, node, node->span);
}

// change = "sidetomove" side | "remove" set | "add" ( piece-letter set | designator ) | designator
static Ast *parse_change(Parser *p)
{
    if (parse_at_word(p, OP_SIDETOMOVE))
        return parse_side(p);
    if (parse_at_word(p, OP_WORD_REMOVE)) {
        Ast *node = parse_node(p, OP_IMAGINE_PUT, TYPE_BOOL, parse_next(p)->span);
        parse_add(p, node, parse_set_arg(p, OP_WORD_REMOVE));
        return parse_finish(p, node, node->span);
    }
    return parse_put(p, parse_take_word(p, OP_WORD_ADD));
}

static bool at_change(Parser *p)
{
    return parse_at_word(p, OP_SIDETOMOVE) || parse_at_word(p, OP_WORD_REMOVE) ||
           parse_at_word(p, OP_WORD_ADD) || parse_peek(p)->kind == TOKEN_DESIGNATOR;
}

// imagine = "imagine" change { change } ":" filter
Ast *parse_imagine(Parser *p)
{
    const Token *word = parse_next(p);
    Ast *node = parse_node(p, OP_IMAGINE, TYPE_BOOL, word->span);
    if (!at_change(p))
        parse_fail_found(
            p, "`imagine` needs a change: `sidetomove`, `remove`, `add` or a piece with its squares");
    while (at_change(p))
        parse_add(p, node, parse_change(p));
    Ast *target = parse_imaginary_target(p, "`imagine` and its changes");
    node->type = target->type;
    parse_add(p, node, target);
    return parse_finish(p, node, word->span);
}
