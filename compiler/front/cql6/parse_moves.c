// Filters about moves (language reference 4).
#include "parser.h"

// ---- dash -------------------------------------------------------------------------------------------------

// designator | "." | str: what follows the `=` of a promotion (4.3.3).
static Ast *parse_promotion(Parser *p)
{
    if (!parse_begins_filter(parse_peek(p)))
        parse_fail_found(p, "expected the promoted piece after `=`");
    Ast *filter = parse_filter(p), *inner = ast_unwrap(filter);
    if (inner->op == OP_DESIGNATOR && inner->mask != ~(Bitboard)0)
        parse_fail(p, inner->span, "the promoted piece must be written without squares");
    if (inner->op == OP_DESIGNATOR || inner->op == OP_ALL_SQUARES)
        return inner;
    if (filter->type == TYPE_STRING)
        return filter;
    parse_fail(p, filter->span,
               "the promoted piece must be a piece designator, `.` or a string (put the whole dash "
               "filter in braces if more follows)");
}

// dash [ arrow-x ] [ "=" filter ]; the left operand has been read.
static Ast *parse_dash_operands(Parser *p, Op op, Ast *left)
{
    const Token *dash = parse_next(p);
    Ast *node = parse_node(p, op, TYPE_BOOL, left != NULL ? left->span : dash->span);
    node->flags = dash->number == PUNCT_CAPTURE ? AST_CAPTURE : 0;
    node->kid_left = left;
    bool tie = (dash->flags & TOKEN_RIGHT_TIE) != 0;
    if (tie && parse_begins_filter(parse_peek(p)) && !parse_at(p, PUNCT_LEFT_PAREN)) {
        bool dash_right = own(p)->here.dash_right;
        own(p)->here.dash_right = true;
        node->kid_right =
            parse_require(p, parse_arrow(p), TYPE_SET,
                          arena_printf(p->arena, "what touches %s on the right", parse_text(p, dash)));
        own(p)->here.dash_right = dash_right;
    }
    if (parse_at(p, PUNCT_ASSIGN)) {
        if (!tie)
            parse_fail(p, parse_peek(p)->span,
                       "`=` of a promotion must touch the dash or follow its right side");
        parse_next(p);
        node->kid_extra = parse_promotion(p);
    }
    return node;
}

// target = "(" filter { filter } ")"
static void parse_target(Parser *p, Ast *dash)
{
    Surroundings outer = parse_enter(p);
    parse_next(p);
    if (!parse_begins_filter(parse_peek(p)))
        parse_fail_found(p, "expected a filter in the target of the move");
    while (parse_begins_filter(parse_peek(p))) {
        if (dash->kid_count > 0)
            parse_as_condition(p, dash->kid[dash->kid_count - 1]);
        Ast *kid = parse_filter(p);
        parse_add(p, dash, kid);
        dash->type = kid->type;
    }
    parse_leave(p, outer);
    parse_expect(p, PUNCT_RIGHT_PAREN, "after the target of the move");
}

// dash dash-rest; the left operand has been read.
Ast *parse_dash(Parser *p, Ast *left)
{
    Ast *node = parse_dash_operands(p, OP_DASH, left);
    if (parse_at(p, PUNCT_LEFT_PAREN) && !(parse_peek(p)->flags & TOKEN_SPACE_BEFORE))
        parse_target(p, node);
    if (parse_at(p, PUNCT_LEFT_PAREN))
        parse_fail(p, parse_peek(p)->span,
                   "a parenthesis after a move filter must touch it and be its only target; "
                   "otherwise put braces around the move filter");
    return parse_finish(p, node, node->span);
}

Ast *parse_path_dash(Parser *p, Ast *left)
{
    Ast *node = parse_dash_operands(p, OP_PATH_DASH, left);
    return parse_finish(p, node, node->span);
}

// ---- currentmove, countmoves, legal -----------------------------------------------------------------------

// move-x, after a word that needs a move filter
static Ast *parse_move_operand(Parser *p, const Token *word)
{
    if (!parse_begins_filter(parse_peek(p)))
        parse_fail_found(p, "`%s` needs a move filter such as `--`", word->bytes);
    return ast_unwrap(parse_move_x(p));
}

// ( "currentmove" | "previous" ) move-x
Ast *parse_currentmove(Parser *p)
{
    const Token *word = parse_next(p);
    Ast *node = parse_node(p, OP_CURRENTMOVE, TYPE_BOOL, word->span);
    Ast *move = parse_move_operand(p, word);
    if (move->op != OP_DASH && !(move->op == OP_COUNTMOVES && move->kid[0]->op == OP_DASH))
        parse_fail(p, move->span, "`%s` needs a move filter with `--` or `[x]`", word->bytes);
    node->type = move->type;
    parse_add(p, node, move);
    return node;
}

// "countmoves" move-x
Ast *parse_countmoves(Parser *p)
{
    const Token *word = parse_next(p);
    Ast *node = parse_node(p, OP_COUNTMOVES, TYPE_INT, word->span);
    Ast *move = parse_move_operand(p, word);
    if (move->op != OP_DASH && move->op != OP_LEGAL)
        parse_fail(p, move->span, "`countmoves` needs a move filter with `--` or `[x]`, or `legal`%s",
                   move->op == OP_MOVE ? "; with `move` write the parameter `count`" : "");
    if (move->op == OP_DASH && move->kid_count > 0)
        parse_as_condition(p, move->kid[move->kid_count - 1]);
    parse_add(p, node, move);
    return node;
}

// LEGAL_: what the target of `legal` demands (4.6).
static int legal_restriction(Parser *p, const Ast *dash, const Token *word)
{
    if (dash->kid_count == 0)
        return LEGAL_ANY;
    Op op = dash->kid_count == 1 ? dash->kid[0]->op : OP_COMPOUND;
    switch (op) {
    case OP_O_O:
        return LEGAL_SHORT;
    case OP_O_O_O:
        return LEGAL_LONG;
    case OP_CASTLE:
        return LEGAL_CASTLE;
    case OP_ENPASSANT:
        return LEGAL_EN_PASSANT;
    default:
        parse_fail(
            p, dash->kid[0]->span,
            "the target of `%s` can only be `castle`, `o-o`, `o-o-o` or `enpassant`; to try moves, write "
            "`move %s : F`, with `from S` and `to S` before the colon",
            word->bytes, word->bytes);
    }
}

// ( "legal" | "pseudolegal" ) move-x
Ast *parse_legal(Parser *p)
{
    const Token *word = parse_next(p);
    Ast *node = parse_node(p, OP_LEGAL, TYPE_SET, word->span);
    Ast *dash = parse_move_operand(p, word);
    if (dash->op == OP_COUNTMOVES && dash->kid[0]->op == OP_DASH)
        dash = dash->kid[0];
    if (dash->op != OP_DASH)
        parse_fail(p, dash->span, "`%s` needs a move filter with `--`", word->bytes);
    if (dash->flags & AST_CAPTURE)
        parse_fail(p, dash->span, "`%s` takes `--`, not `[x]`", word->bytes);
    if (dash->kid_extra != NULL)
        parse_fail(p, dash->kid_extra->span, "`%s` does not distinguish promotions", word->bytes);
    node->number = legal_restriction(p, dash, word);
    node->kid_left = dash->kid_left;
    node->kid_right = dash->kid_right;
    node->flags = word->op == OP_PSEUDOLEGAL ? AST_PSEUDOLEGAL : 0;
    return node;
}

// ---- move -------------------------------------------------------------------------------------------------

static void move_set(Parser *p, Ast **operand, const Token *word, bool may_repeat)
{
    if (*operand != NULL && !may_repeat)
        parse_fail(p, word->span, "`%s` is given twice in one `move`", word->bytes);
    if (!parse_begins_filter(parse_peek(p)))
        parse_fail_found(p, "`%s` of `move` needs a set", word->bytes);
    *operand = parse_require(p, parse_at_level(p), TYPE_SET,
                             arena_printf(p->arena, "the operand of `%s`", word->bytes));
}

static void move_bit(Parser *p, Ast *node, int bit, const Token *word)
{
    const int castling = MOVE_WORD_CASTLE | MOVE_WORD_SHORT | MOVE_WORD_LONG;
    if (node->low & bit)
        parse_fail(p, word->span, "`%s` is given twice in one `move`", word->bytes);
    if (bit & castling && node->low & castling)
        parse_fail(p, word->span, "one `move` takes one of `castle`, `o-o` and `o-o-o`");
    node->low |= bit;
}

// `enpassant` or `enpassantsquare` is next.
static void refuse_second_en_passant(Parser *p, const Ast *node)
{
    if (node->low & MOVE_WORD_EN_PASSANT || node->kid_extra2 != NULL)
        parse_fail(p, parse_peek(p)->span,
                   "one `move` takes `enpassant` or `enpassantsquare`, and only once");
}

// "promote" designator; the word has been read
static void move_promote(Parser *p, Ast *node, const Token *word)
{
    const Token *t = parse_peek(p);
    if (node->pieces != 0)
        parse_fail(p, word->span, "`promote` is given twice in one `move`");
    if (t->kind != TOKEN_DESIGNATOR)
        parse_fail_found(p, "`promote` needs a piece designator");
    if (t->mask != ~(Bitboard)0)
        parse_fail(p, t->span, "the promoted piece must be written without squares");
    node->pieces = parse_next(p)->pieces;
}

// "drop" designator; the word has been read
static void move_drop(Parser *p, Ast *node, const Token *word)
{
    move_bit(p, node, MOVE_WORD_DROP, word);
    const Token *t = parse_peek(p);
    if (t->kind != TOKEN_DESIGNATOR)
        parse_fail_found(p, "`drop` needs a piece designator");
    if (t->mask != ~(Bitboard)0)
        parse_fail(p, t->span, "the dropped piece must be written without squares");
    const uint32_t pieces = parse_next(p)->pieces,
                   types = pieces & (SYMBOL_WHITE | SYMBOL_BLACK) ? ~0u : pieces | pieces >> 6;
    node->high = (int32_t)(types & 0x3E); // pawn to queen, by 1 << type
}

// move-param = ( "from" | "to" | "capture" | "captures" | "enpassantsquare" ) tight-set
//            | "promote" designator | "castle" | "o-o" | "o-o-o" | "enpassant" | "null" | "previous"
//            | "primary" | "secondary" | "legal" | "pseudolegal" | "reverse" | "count" | "all"
//            | "drop" designator
// One, if there is one. *kind: MOVE_GIVES_, or 0.
static bool parse_move_parameter(Parser *p, Ast *node, int *kind)
{
    const Token *t = parse_peek(p), *after = parse_peek_at(p, 1);
    if (t->op < 0 || (t->kind == TOKEN_IDENTIFIER && token_is_mark(after, PUNCT_ASSIGN)))
        return false;
    *kind = t->op == OP_FROM                                        ? MOVE_GIVES_FROM
            : t->op == OP_TO                                        ? MOVE_GIVES_TO
            : t->op == OP_WORD_CAPTURE || t->op == OP_WORD_CAPTURES ? MOVE_GIVES_VICTIM
                                                                    : 0;
    if (parse_take_flag(p, node,
                        AST_NULL | AST_PREVIOUS | AST_PRIMARY | AST_SECONDARY | AST_LEGAL | AST_PSEUDOLEGAL |
                            AST_BACKWARD | AST_COUNT | AST_ALL))
        return true;
    switch (t->op) {
    case OP_FROM:
        move_set(p, &node->kid_left, parse_next(p), false);
        return true;
    case OP_TO:
        move_set(p, &node->kid_right, parse_next(p), false);
        return true;
    case OP_WORD_CAPTURE:
    case OP_WORD_CAPTURES:
        move_set(p, &node->kid_extra, parse_next(p), true);
        return true;
    case OP_ENPASSANTSQUARE:
        refuse_second_en_passant(p, node);
        move_set(p, &node->kid_extra2, parse_next(p), false);
        return true;
    case OP_WORD_PROMOTE:
        move_promote(p, node, parse_next(p));
        return true;
    case OP_CASTLE:
        move_bit(p, node, MOVE_WORD_CASTLE, parse_next(p));
        return true;
    case OP_O_O:
        move_bit(p, node, MOVE_WORD_SHORT, parse_next(p));
        return true;
    case OP_O_O_O:
        move_bit(p, node, MOVE_WORD_LONG, parse_next(p));
        return true;
    case OP_ENPASSANT:
        refuse_second_en_passant(p, node);
        move_bit(p, node, MOVE_WORD_EN_PASSANT, parse_next(p));
        return true;
    case OP_WORD_DROP:
        move_drop(p, node, parse_next(p));
        return true;
    default:
        return false;
    }
}

// The modes of `move` exclude each other (13.5).
static void check_modes(Parser *p, const Ast *node, Span span)
{
    const unsigned modes = node->flags & (AST_LEGAL | AST_PSEUDOLEGAL | AST_PREVIOUS | AST_BACKWARD);
    if ((node->flags & AST_LEGAL) && (node->flags & AST_PSEUDOLEGAL))
        parse_fail(p, span, "`move` cannot be both `legal` and `pseudolegal`");
    if (modes & (modes - 1))
        parse_fail(p, span, "`move` takes only one of `previous`, `legal`, `pseudolegal` and `reverse`");
    if (node->flags & AST_BACKWARD && node->flags & (AST_PRIMARY | AST_SECONDARY))
        parse_fail(p, span,
                   "`primary` and `secondary` of `move` are about moves of the game and exclude `reverse`");
}

// Combinations that make no sense (4.7.3); CQLi allows more (13.5), and so does a speculative move.
static void check_move(Parser *p, const Ast *node, Span span, bool speculative)
{
    const bool cqli = own(p)->cqli || speculative;
    unsigned generated = node->flags & (AST_LEGAL | AST_PSEUDOLEGAL);
    bool en_passant = node->low & MOVE_WORD_EN_PASSANT || node->kid_extra2 != NULL;
    if (node->flags & AST_ALL && !speculative)
        parse_fail(p, span, "`all` of `move` needs a colon and the filter that must match after every move");
    if (node->flags & AST_COUNT && !generated && !cqli)
        parse_fail(p, span, "`count` of `move` needs `legal` or `pseudolegal`");
    if (generated && !cqli &&
        (node->flags & (AST_PREVIOUS | AST_PRIMARY | AST_SECONDARY | AST_NULL) || node->pieces != 0 ||
         node->kid_extra != NULL))
        parse_fail(p, span,
                   "`move legal` takes only `from`, `to`, castling words, `enpassant`, `enpassantsquare` and "
                   "`count`");
    check_modes(p, node, span);
    if (node->flags & AST_NULL && (node->pieces != 0 || en_passant))
        parse_fail(p, span, "a null move is neither a promotion nor en passant");
    if (en_passant && node->pieces != 0)
        parse_fail(p, span, "a move cannot be both en passant and a promotion");
    if (node->flags & AST_PRIMARY && node->flags & AST_SECONDARY)
        parse_fail(p, span, "a move cannot be both `primary` and `secondary`");
}

// "move" { move-param } [ "comment" items ]
Ast *parse_move(Parser *p)
{
    const Token *word = parse_next(p);
    Ast *node = parse_node(p, OP_MOVE, TYPE_BOOL, word->span);
    bool first = true;
    for (int kind; parse_move_parameter(p, node, &kind); first = false)
        if (first)
            node->number = kind;
    const bool speculative = !own(p)->here.subscript && parse_at(p, PUNCT_COLON);
    check_move(p, node, parse_span_from(p, word->span), speculative);
    const bool of_game = !(node->flags & (AST_LEGAL | AST_PSEUDOLEGAL | AST_BACKWARD));
    node->type = node->flags & AST_COUNT ? TYPE_INT : node->number != 0 ? TYPE_SET : TYPE_BOOL;
    if (speculative)
        return parse_speculative(p, parse_finish(p, node, word->span));
    if (of_game && parse_take_word(p, OP_COMMENT))
        parse_items(p, node, OP_COMMENT);
    return node;
}
