// Position filters with a syntax of their own (language reference 3) and transforms (8.1).
#include "parser.h"

#include "runtime/chess/chess.h"

// Constant ranges are checked when compiling (3.8).
void check_direction_range(Parser *p, const Range *range, Span span)
{
    const Bound *bounds[] = {&range->low, &range->high};
    if (range->all)
        parse_fail(p, span, "a direction needs numbers from -7 to 7, not `count`");
    for (int i = 0; i < 2; i++)
        if (bounds[i]->variable == NULL && (bounds[i]->value < -7 || bounds[i]->value > 7))
            parse_fail(p, span, "a direction goes at most 7 squares, but the range has %d", bounds[i]->value);
    if (range->low.variable == NULL && range->high.variable == NULL && range->low.value > range->high.value)
        parse_fail(p, span, "the range %d %d is reversed; write the smaller number first", range->low.value,
                   range->high.value);
}

// "ray" [ "attack" | "attacks" | direction { direction } ] "(" set set { set } ")" | "xray" "(" … ")"
Ast *parse_ray(Parser *p)
{
    const Token *word = parse_next(p);
    Ast *node = parse_node(p, OP_RAY, TYPE_SET, word->span);
    bool attack = word->op == OP_XRAY;
    if (!attack && (parse_take_word(p, OP_WORD_ATTACK) || parse_take_word(p, OP_WORD_ATTACKS)))
        attack = true;
    node->flags = attack ? AST_CAPTURE : 0;
    for (const Token *t; t = parse_peek(p), t->kind == TOKEN_WORD && directions_of((Op)t->op) != 0;
         parse_next(p)) {
        if (attack)
            parse_fail(p, t->span, "`%s` takes no directions: each piece looks along its own",
                       word->op == OP_XRAY ? "xray" : "ray attack");
        if (node->number & directions_of((Op)t->op))
            parse_fail(p, t->span, "the direction `%s` is named twice", t->bytes);
        node->number |= directions_of((Op)t->op);
    }
    Surroundings outer =
        parse_open(p, PUNCT_LEFT_PAREN, arena_printf(p->arena, "before the sets of `%s`", word->bytes));
    while (parse_begins_filter(parse_peek(p)))
        parse_add(p, node, parse_require_op(p, parse_filter(p), TYPE_SET, (Op)word->op));
    parse_close(p, outer, PUNCT_RIGHT_PAREN, arena_printf(p->arena, "after the sets of `%s`", word->bytes));
    if (node->kid_count < 2)
        parse_fail(p, word->span, "`%s` needs at least two sets", word->bytes);
    return node;
}

// "pin" { ( "from" | "through" | "to" ) tight-set }
Ast *parse_pin(Parser *p)
{
    Ast *node = parse_node(p, OP_PIN, TYPE_SET, parse_next(p)->span);
    for (bool first = true;; first = false) {
        const Token *t = parse_peek(p);
        if (t->op != OP_FROM && t->op != OP_TO && t->op != OP_WORD_THROUGH)
            return node;
        Ast **operand = t->op == OP_FROM ? &node->kid_left
                        : t->op == OP_TO ? &node->kid_right
                                         : &node->kid_extra;
        if (*operand != NULL)
            parse_fail(p, t->span, "`%s` is given twice in one `pin`", t->bytes);
        if (first)
            node->number = t->op == OP_FROM ? PIN_GIVES_FROM
                           : t->op == OP_TO ? PIN_GIVES_TO
                                            : PIN_GIVES_THROUGH;
        parse_next(p);
        parse_need_filter(p, "`%s` of `pin` needs a set", t->bytes);
        *operand = parse_tight_set(p, OP_PIN);
    }
}

// "makesquare" ( str-arg | "(" str-arg ")" | "(" num-arg num-arg ")" )
Ast *parse_makesquare(Parser *p)
{
    Ast *node = parse_node(p, OP_MAKESQUARE, TYPE_SET, parse_next(p)->span);
    if (!parse_at(p, PUNCT_LEFT_PAREN)) {
        Ast *name = parse_sum(p);
        if (name->type == TYPE_INT)
            parse_fail(p, name->span, "`makesquare` needs a string, or file and rank in parentheses");
        parse_add(p, node, parse_require_op(p, name, TYPE_STRING, OP_MAKESQUARE));
        return node;
    }
    int parenthesis = p->position;
    Surroundings outer = parse_open(p, PUNCT_LEFT_PAREN, "");
    Ast *first = parse_sum(p);
    if (first->type == TYPE_INT) {
        parse_add(p, node, first);
        parse_need_filter(p, "`makesquare` needs two numbers, file and rank (a negative one in parentheses)");
        parse_add(p, node, parse_require_op(p, parse_sum(p), TYPE_INT, OP_MAKESQUARE));
        parse_close(p, outer, PUNCT_RIGHT_PAREN, "after file and rank");
        return node;
    }
    parse_require_op(p, first, TYPE_STRING, OP_MAKESQUARE);
    parse_close(p, outer, PUNCT_RIGHT_PAREN, "after the name of the square");
    // `makesquare ("e")+"4"`: the parentheses were only the beginning of the sum.
    first->flags |= AST_PAREN;
    parse_put_back(p, first, parenthesis, parenthesis);
    parse_add(p, node, parse_require_op(p, parse_sum(p), TYPE_STRING, OP_MAKESQUARE));
    return node;
}

// ---- fen --------------------------------------------------------------------------------------------------

static void add_fen_square(Parser *p, Ast *node, uint32_t pieces)
{
    int place = node->kid_count, square = 8 * (7 - place / 8) + place % 8;
    Ast *kid = parse_node(p, OP_DESIGNATOR, TYPE_SET, node->span);
    kid->mask = (Bitboard)1 << square;
    kid->pieces = pieces;
    parse_add(p, node, kid);
}

// The pattern of 3.18: 64 designators, one a square.
static void parse_fen_pattern(Parser *p, Ast *node, const Token *t)
{
    const char *text = t->bytes;
    for (int file = 0; node->kid_count < 64; text++) {
        if (file == 8) {
            if (*text != '/')
                parse_fail(p, t->span, "malformed FEN pattern: expected `/` after the 8 squares of rank %d",
                           8 - (node->kid_count - 1) / 8);
            file = 0;
            continue;
        }
        int squares = *text >= '1' && *text <= '8' ? *text - '0' : 1;
        uint32_t pieces = squares > 1 || *text == '1' ? SYMBOL_EMPTY
                          : *text == '.'              ? ANY_SQUARE
                                                      : symbol_of(*text);
        if (*text == '\0')
            parse_fail(p, t->span, "the FEN pattern is too short: it describes %d squares of 64",
                       node->kid_count);
        if (pieces == 0)
            parse_fail(p, t->span, "malformed FEN pattern: `%c` in rank %d is not a piece, number or `.`",
                       *text, 8 - node->kid_count / 8);
        if (file + squares > 8)
            parse_fail(p, t->span, "malformed FEN pattern: rank %d has more than 8 squares",
                       8 - node->kid_count / 8);
        for (int i = 0; i < squares; i++)
            add_fen_square(p, node, pieces);
        file += squares;
    }
}

// "fen" [ quoted ]
void finish_fen(Parser *p, Ast *node, const Token *word)
{
    if (node->text == NULL)
        return;
    node->type = TYPE_BOOL;
    parse_fen_pattern(p, node, word + 1);
    node->text = NULL;
}

// "exactfen" quoted
void finish_exactfen(Parser *p, Ast *node, const Token *word)
{
    parse_exact_position(p, node, word + 1);
}

// ---- transforms -------------------------------------------------------------------------------------------

// transform [ range ] filter
void finish_transform(Parser *p, Ast *node, const Token *word)
{
    (void)word;
    Ast *kid = node->kid[0];
    const bool keeps_type = kid->type == TYPE_SET || kid->type == TYPE_INT || kid->type == TYPE_BOOL ||
                            node->op == OP_NOTRANSFORM;
    node->type = node->range.present ? TYPE_INT : keeps_type ? kid->type : TYPE_BOOL;
    if (node->range.present || !keeps_type)
        parse_as_condition(p, kid);
}
