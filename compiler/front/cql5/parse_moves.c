// `move`, `next`, `previous` and their starred forms (language reference 11.4, 11.5).
#include "parser.h"

// ---- move ------------------------------------------------------------------------------------------------

enum { WHITE_TYPES = 0x3F << WHITE_PAWN, BLACK_TYPES = 0x3F << BLACK_PAWN };

// set, after the word of the parameter
static void parse_move_set(Parser *p, Ast *node, Ast **operand, const Token *word)
{
    if (*operand != NULL)
        parse_report(p, word->span, "`%s` is written twice in one `move`", word->bytes);
    ast_set_operand(node, operand, cql5_set(p, arena_printf(p->arena, "`%s` of `move`", word->bytes)));
}

// "promote" designator
static void parse_promotion(Parser *p, Ast *node)
{
    const Token *t = parse_peek(p);
    if (t->kind != TOKEN_DESIGNATOR || !(t->flags & TOKEN_HAS_PIECES))
        parse_fail_found(p, "`promote` needs a piece designator");
    if (t->flags & TOKEN_HAS_SQUARES || t->number > 0)
        parse_report(p, t->span, "the promoted piece must be written without squares and variables");
    node->pieces = parse_next(p)->pieces & ~(uint32_t)SYMBOL_EMPTY;
    if (node->pieces == 0)
        parse_report(p, t->span, "a pawn cannot be promoted to an empty square");
    if (node->pieces & SYMBOL_WHITE)
        node->pieces |= WHITE_TYPES;
    if (node->pieces & SYMBOL_BLACK)
        node->pieces |= BLACK_TYPES;
    node->pieces &= WHITE_TYPES | BLACK_TYPES;
}

// moveparameter = ( "from" | "to" | "enpassantsquare" ) set | "promote" designator
//               | "enpassant" | "null" | "primary" | "secondary"; false when there is none
static bool parse_move_parameter(Parser *p, Ast *node)
{
    const Token *t = parse_peek(p);
    if (parse_take_word(p, OP_CQL5_FROM))
        parse_move_set(p, node, &node->kid_left, t);
    else if (parse_take_word(p, OP_CQL5_TO))
        parse_move_set(p, node, &node->kid_right, t);
    else if (parse_take_word(p, OP_CQL5_ENPASSANTSQUARE))
        parse_move_set(p, node, &node->kid_extra2, t);
    else if (parse_take_word(p, OP_CQL5_PROMOTE))
        parse_promotion(p, node);
    else if (parse_take_word(p, OP_CQL5_ENPASSANT))
        node->low |= MOVE_WORD_EN_PASSANT;
    else if (parse_take_word(p, OP_CQL5_NULL_MOVE))
        node->flags |= AST_NULL;
    else if (parse_take_word(p, OP_CQL5_PRIMARY))
        node->flags |= AST_PRIMARY;
    else if (parse_take_word(p, OP_CQL5_SECONDARY))
        node->flags |= AST_SECONDARY;
    else
        return false;
    return true;
}

static void check_move(Parser *p, const Ast *node)
{
    const bool en_passant = node->low != 0 || node->kid_extra2 != NULL;
    if (node->flags & AST_NULL && (node->kid_left || node->kid_right || node->pieces || en_passant))
        parse_report(p, node->span,
                     "`null` cannot be combined with `from`, `to`, `promote` or `enpassant` in one `move`");
    if (node->pieces != 0 && en_passant)
        parse_report(p, node->span, "a move cannot be both en passant and a promotion");
    if (node->flags & AST_PRIMARY && node->flags & AST_SECONDARY)
        parse_report(p, node->span, "a move cannot be both `primary` and `secondary`");
}

// The move with the promotions of one colour only, `side` being to move in this position; NULL when it has none.
static Ast *moves_of_colour(Parser *p, const Ast *move, uint32_t types, const char *side)
{
    if ((move->pieces & types) == 0)
        return NULL;
    Ast *copy = ast_copy(p->arena, move);
    copy->pieces &= types;
    return cql5_tree(p, move->span, side, copy, NULL);
}

// CQL 6.2 does not look at the colour of a promotion, CQL 5 does: piece types to which only one colour may
// promote are tested only when that colour moves. After a move the other side is to move.
static Ast *colour_promotions(Parser *p, Ast *move)
{
    if ((move->pieces >> WHITE_PAWN & 0x3F) == (move->pieces >> BLACK_PAWN & 0x3F))
        return move;
    const bool after = move->flags & AST_PREVIOUS;
    Ast *white = moves_of_colour(p, move, WHITE_TYPES, after ? "btm $1" : "wtm $1");
    Ast *black = moves_of_colour(p, move, BLACK_TYPES, after ? "wtm $1" : "btm $1");
    if (white == NULL || black == NULL)
        return white != NULL ? white : black;
    return cql5_tree(p, move->span, "$1 | $2", white, black);
}

// ( "move" | "move" "previous" ) { moveparameter }
Ast *cql5_move(Parser *p)
{
    const Span start = parse_next(p)->span;
    Ast *node = parse_node(p, OP_MOVE, TYPE_SET, start);
    // `move previous (…)`, `move previous 3 (…)` and `move previous* F` are two filters.
    const Token *after = &p->token[p->position + (parse_at_word(p, OP_CQL5_PREVIOUS) ? 1 : 0)];
    const bool sequence = after->kind == TOKEN_INTEGER || token_is_mark(after, PUNCT_STAR) ||
                          token_is_mark(after, PUNCT_LEFT_PAREN);
    if (!sequence && parse_take_word(p, OP_CQL5_PREVIOUS))
        node->flags |= AST_PREVIOUS;
    while (parse_move_parameter(p, node))
        ;
    parse_finish(p, node, start);
    check_move(p, node);
    node->number = MOVE_GIVES_TO;
    if (node->kid_right == NULL)
        ast_set_operand(node, &node->kid_right, parse_node(p, OP_ALL_SQUARES, TYPE_SET, start));
    return colour_promotions(p, node);
}

// ---- next, previous --------------------------------------------------------------------------------------

static bool at_repetition(Parser *p)
{
    return parse_at(p, PUNCT_STAR) || parse_at(p, PUNCT_PLUS) || parse_at(p, PUNCT_QUESTION) ||
           (parse_at(p, PUNCT_LEFT_BRACE) && p->token[p->position + 1].kind == TOKEN_INTEGER);
}

// "*" | "+" | "?" | "{" range "}"
static Range parse_repetition(Parser *p)
{
    const Token *t = parse_next(p);
    if (!token_is_mark(t, PUNCT_LEFT_BRACE))
        return build_range(token_is_mark(t, PUNCT_PLUS),
                           token_is_mark(t, PUNCT_QUESTION) ? 1 : REPEAT_UNLIMITED);
    const Range range = cql5_range(p);
    parse_expect(p, PUNCT_RIGHT_BRACE, "after the number of repetitions");
    if (range.low.value < 0 || range.high.value < 1)
        parse_report(p, t->span, "the numbers of a repetition must be 0 or more, the greater one at least 1");
    return range;
}

// constituent { repetition }
static Ast *parse_repetitions(Parser *p, Ast *constituent)
{
    while (at_repetition(p)) {
        const Token *t = parse_peek(p);
        const Range times = parse_repetition(p);
        const bool empty = ast_can_be_empty(constituent);
        if (empty && times.high.value == 1)
            continue; // `X*?` is `X*`
        if (empty && constituent->op == OP_REPEAT && times.high.value >= REPEAT_UNLIMITED &&
            !ast_can_be_empty(constituent->kid[0])) {
            constituent->high = REPEAT_UNLIMITED; // `X?*`, `X*+` and the like are `X*`
            constituent->low = 0;
            continue;
        }
        if (empty) {
            parse_report(p, t->span, "this repeats something that can match without any position");
            continue;
        }
        Ast *repeat = build_with(p->arena, OP_REPEAT, TYPE_BOOL, constituent);
        repeat->low = times.low.value;
        repeat->high = times.high.value;
        repeat->number = token_is_mark(t, PUNCT_LEFT_BRACE); // as in CQL 6.2
        parse_finish(p, repeat, constituent->span);
        constituent = repeat;
    }
    return constituent;
}

// { constituent } ")"
static void parse_constituents(Parser *p, Ast *parent, const char *word)
{
    while (!parse_at(p, PUNCT_RIGHT_PAREN)) {
        const Token *t = parse_peek(p);
        Ast *constituent;
        if (parse_take(p, PUNCT_LEFT_PAREN)) {
            parse_inwards(p, t->span);
            constituent = parse_node(p, OP_GROUP_CHAIN, TYPE_BOOL, t->span);
            parse_constituents(p, constituent, word);
            parse_finish(p, constituent, t->span);
            parse_outwards(p);
        } else {
            if (!cql5_begins_filter(parse_peek(p)))
                parse_fail_found(p, "expected a constituent of `%s` or `)`", word);
            constituent = cql5_condition(p);
        }
        parse_add(p, parent, parse_repetitions(p, constituent));
    }
    if (parent->kid_count == 0)
        parse_fail_found(p, "`%s` needs at least one constituent", word);
    parse_next(p);
}

// ( "next" | "next2" ) [ range ] [ "nestban" ] "(" { constituent } ")" | ( "previous" | "previous2" ) [ range
// ] "(" … ")"
static Ast *parse_sequence(Parser *p, const Token *word, bool backward)
{
    Ast *node = parse_node(p, OP_LINE, TYPE_INT, word->span);
    node->flags = backward ? AST_BACKWARD : 0;
    node->flags |= word->op == OP_CQL5_NEXT2 || word->op == OP_CQL5_PREVIOUS2 ? AST_SINGLECOLOR : 0;
    node->range = cql5_range(p);
    const Token *t = parse_peek(p);
    if (parse_take_word(p, OP_CQL5_NESTBAN)) {
        if (backward)
            parse_report(p, t->span, "`nestban` has no meaning for `%s`", word->bytes);
        node->flags |= AST_NESTBAN;
    }
    parse_expect(p, PUNCT_LEFT_PAREN,
                 arena_printf(p->arena, "before the constituents of %s", cql5_spelling(p, word->op)));
    parse_constituents(p, node, word->bytes);
    parse_finish(p, node, word->span);
    return node;
}

// ( "next" "*" | "previous" "*" ) [ range ] [ "depth" int ] filter; the word has been read
static Ast *parse_starred(Parser *p, const Token *word, bool backward)
{
    parse_next(p);
    Ast *node = parse_node(p, OP_FIND, TYPE_POSITION, word->span);
    node->flags = backward ? AST_BACKWARD : 0;
    node->range = cql5_range(p);
    node->type = node->range.present ? TYPE_INT : TYPE_POSITION;
    const bool has_depth = parse_take_word(p, OP_CQL5_DEPTH);
    const int32_t depth = has_depth ? cql5_integer(p, "a number after `depth`") : 0;
    if (!cql5_begins_filter(parse_peek(p)))
        parse_fail_found(p, "expected the filter that `%s*` looks for", word->bytes);
    Ast *operand = cql5_condition(p), *start = NULL;
    if (has_depth) {
        start = parse_node(p, OP_VARIABLE, TYPE_INT, word->span);
        start->variable = cql5_variable(p, "start", VARIABLE_INT, word->span);
        const char *near = arena_printf(p->arena, "ply %s $1 %s (%d) $2",
                                        backward ? ">=" : "<=", backward ? "-" : "+", depth);
        operand = cql5_tree(p, operand->span, near, start, operand);
    }
    parse_add(p, node, operand);
    parse_finish(p, node, word->span);
    return has_depth ? cql5_tree(p, node->span, "$1 = ply $2", start, node) : node;
}

// next, next2, previous, previous2; the words of early 5.0 too
Ast *cql5_line(Parser *p)
{
    const Token *word = parse_next(p);
    const bool early = word->op == OP_CQL5_FUTURE || word->op == OP_CQL5_PAST;
    if (early && !own(p)->old)
        parse_report(p, word->span,
                     "`%s` is a word of CQL 5.0; write `%s`, or begin the file with `; dialect: cql51`",
                     word->bytes, word->op == OP_CQL5_FUTURE ? "next" : "previous");
    const bool backward =
        word->op == OP_CQL5_PREVIOUS || word->op == OP_CQL5_PREVIOUS2 || word->op == OP_CQL5_PAST;
    const bool single = word->op == OP_CQL5_NEXT2 || word->op == OP_CQL5_PREVIOUS2;
    if (parse_at(p, PUNCT_STAR) && !single)
        return parse_starred(p, word, backward);
    return parse_sequence(p, word, backward);
}
