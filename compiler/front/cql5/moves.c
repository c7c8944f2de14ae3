// `move`, `next`, `previous` and their starred forms (language reference 11.4, 11.5).
#include "parser.h"
#include "compiler/front/cql6/parser.h"

// ---- move ------------------------------------------------------------------------------------------------

enum { WHITE_TYPES = 0x3F << WHITE_PAWN, BLACK_TYPES = 0x3F << BLACK_PAWN };

static void parse_move_set(Cql5Parser *p, Ast *node, Ast **operand, const Cql5Token *word)
{
    if (*operand != NULL)
        cql5_report(p, word->span, "`%s` stands twice in one `move`", word->bytes);
    ast_set_operand(node, operand, cql5_set(p, arena_printf(p->arena, "`%s` of `move`", word->bytes)));
}

// "promote" designator
static void parse_promotion(Cql5Parser *p, Ast *node)
{
    const Cql5Token *t = cql5_peek(p);
    if (t->kind != CQL5_DESIGNATOR || !t->has_pieces)
        cql5_fail_found(p, "`promote` needs a piece designator");
    if (t->has_squares || t->variable_count > 0)
        cql5_report(p, t->span, "the promoted piece must be written without squares and variables");
    node->pieces = cql5_next(p)->pieces & ~(uint32_t)SYMBOL_EMPTY;
    if (node->pieces == 0)
        cql5_report(p, t->span, "a pawn cannot be promoted to an empty square");
    if (node->pieces & SYMBOL_WHITE)
        node->pieces |= WHITE_TYPES;
    if (node->pieces & SYMBOL_BLACK)
        node->pieces |= BLACK_TYPES;
    node->pieces &= WHITE_TYPES | BLACK_TYPES;
}

// moveparameter; false when there is none
static bool parse_move_parameter(Cql5Parser *p, Ast *node)
{
    const Cql5Token *t = cql5_peek(p);
    if (t->kind != CQL5_KEYWORD)
        return false;
    switch (t->word) {
    case CQL5_FROM:
        parse_move_set(p, node, &node->kid_left, cql5_next(p));
        return true;
    case CQL5_TO:
        parse_move_set(p, node, &node->kid_right, cql5_next(p));
        return true;
    case CQL5_ENPASSANTSQUARE:
        parse_move_set(p, node, &node->kid_extra2, cql5_next(p));
        return true;
    case CQL5_PROMOTE:
        cql5_next(p);
        parse_promotion(p, node);
        return true;
    case CQL5_ENPASSANT:
        cql5_next(p);
        node->low |= MOVE_WORD_EN_PASSANT;
        return true;
    case CQL5_NULL_MOVE:
        cql5_next(p);
        node->flags |= AST_NULL;
        return true;
    case CQL5_PRIMARY:
        cql5_next(p);
        node->flags |= AST_PRIMARY;
        return true;
    case CQL5_SECONDARY:
        cql5_next(p);
        node->flags |= AST_SECONDARY;
        return true;
    default:
        return false;
    }
}

static void check_move(Cql5Parser *p, const Ast *node)
{
    const bool en_passant = node->low != 0 || node->kid_extra2 != NULL;
    if (node->flags & AST_NULL && (node->kid_left || node->kid_right || node->pieces || en_passant))
        cql5_report(p, node->span,
                    "`null` cannot stand with `from`, `to`, `promote` or `enpassant` in one `move`");
    if (node->pieces != 0 && en_passant)
        cql5_report(p, node->span, "a move cannot be both en passant and a promotion");
    if (node->flags & AST_PRIMARY && node->flags & AST_SECONDARY)
        cql5_report(p, node->span, "a move cannot be both `primary` and `secondary`");
}

// The move with only the promotions of one colour, if that colour moves; NULL: it has none.
static Ast *moves_of_colour(Cql5Parser *p, const Ast *move, uint32_t types)
{
    if ((move->pieces & types) == 0)
        return NULL;
    Ast *copy = ast_copy(p->arena, move);
    copy->pieces &= types;
    return copy;
}

// CQL 6.2 does not look at the colour of a promotion, CQL 5 does: the types that only one colour may promote
// to are bound to its turn to move.
static Ast *colour_promotions(Cql5Parser *p, Ast *move)
{
    const uint32_t white_types = move->pieces >> WHITE_PAWN & 0x3F,
                   black_types = move->pieces >> BLACK_PAWN & 0x3F;
    if (white_types == black_types)
        return move;
    const Op white_moves =
        move->flags & AST_PREVIOUS ? OP_BTM : OP_WTM; // the side to move is that after the move
    const Op black_moves = white_moves == OP_WTM ? OP_BTM : OP_WTM;
    Ast *white = moves_of_colour(p, move, WHITE_TYPES), *black = moves_of_colour(p, move, BLACK_TYPES);
    if (white != NULL)
        white = cql5_pair(p, OP_COMPOUND, TYPE_SET, cql5_node(p, white_moves, TYPE_BOOL, move->span), white);
    if (black != NULL)
        black = cql5_pair(p, OP_COMPOUND, TYPE_SET, cql5_node(p, black_moves, TYPE_BOOL, move->span), black);
    if (white == NULL || black == NULL)
        return white != NULL ? white : black;
    return cql5_pair(p, OP_UNION, TYPE_SET, white, black);
}

// ( "move" | "move" "previous" ) { moveparameter }
Ast *cql5_move(Cql5Parser *p)
{
    const Span start = cql5_next(p)->span;
    Ast *node = cql5_node(p, OP_MOVE, TYPE_SET, start);
    // `move previous (…)`, `move previous 3 (…)` and `move previous* F` are two filters.
    const Cql5Token *after = &p->token[p->position + (cql5_at(p, CQL5_PREVIOUS) ? 1 : 0)];
    const bool sequence = after->kind == CQL5_INTEGER ||
                          (after->kind == CQL5_MARK && (after->mark == '*' || after->mark == '('));
    if (!sequence && cql5_take(p, CQL5_PREVIOUS))
        node->flags |= AST_PREVIOUS;
    while (parse_move_parameter(p, node))
        ;
    cql5_finish(p, node, start);
    check_move(p, node);
    node->number = MOVE_GIVES_TO;
    if (node->kid_right == NULL)
        ast_set_operand(node, &node->kid_right, cql5_node(p, OP_ALL_SQUARES, TYPE_SET, start));
    return colour_promotions(p, node);
}

// ---- next, previous --------------------------------------------------------------------------------------

static bool at_repetition(const Cql5Parser *p)
{
    return cql5_at_mark(p, '*') || cql5_at_mark(p, '+') || cql5_at_mark(p, '?') ||
           (cql5_at_mark(p, '{') && p->token[p->position + 1].kind == CQL5_INTEGER);
}

// "*" | "+" | "?" | "{" range "}"
static Cql5Range parse_repetition(Cql5Parser *p)
{
    const Cql5Token *t = cql5_next(p);
    if (t->mark != '{')
        return (Cql5Range){true, t->mark == '+', t->mark == '?' ? 1 : REPEAT_UNLIMITED};
    const Cql5Range range = cql5_range(p);
    cql5_expect(p, '}', "behind the number of repetitions");
    if (range.low < 0 || range.high < 1)
        cql5_report(p, t->span, "a repetition needs numbers from 0, the greater one at least 1");
    return range;
}

static Ast *parse_repetitions(Cql5Parser *p, Ast *constituent)
{
    while (at_repetition(p)) {
        const Cql5Token *t = cql5_peek(p);
        const Cql5Range times = parse_repetition(p);
        const bool empty = ast_can_be_empty(constituent);
        if (empty && times.high == 1)
            continue; // `X*?` is `X*`
        if (empty && constituent->op == OP_REPEAT && times.high >= REPEAT_UNLIMITED &&
            !ast_can_be_empty(constituent->kid[0])) {
            constituent->high = REPEAT_UNLIMITED; // `X?*`, `X*+` and the like are `X*`
            constituent->low = 0;
            continue;
        }
        if (empty) {
            cql5_report(p, t->span, "this repeats something that can match no position at all");
            continue;
        }
        Ast *repeat = cql5_with(p, OP_REPEAT, TYPE_BOOL, constituent);
        repeat->low = times.low;
        repeat->high = times.high;
        repeat->number = t->mark == '{'; // as in CQL 6.2
        cql5_finish(p, repeat, constituent->span);
        constituent = repeat;
    }
    return constituent;
}

// { constituent } ")"
static void parse_constituents(Cql5Parser *p, Ast *parent, const char *word)
{
    while (!cql5_at_mark(p, ')')) {
        const Cql5Token *t = cql5_peek(p);
        Ast *constituent;
        if (cql5_take_mark(p, '(')) {
            if (++p->nesting > CQL5_MAX_NESTING)
                cql5_fail(p, t->span, "filters are nested too deeply (more than %d levels)",
                          CQL5_MAX_NESTING);
            constituent = cql5_node(p, OP_GROUP_CHAIN, TYPE_BOOL, t->span);
            parse_constituents(p, constituent, word);
            cql5_finish(p, constituent, t->span);
            p->nesting--;
        } else {
            if (!cql5_begins_filter(p))
                cql5_fail_found(p, "expected a constituent of `%s` or `)`", word);
            constituent = cql5_condition(p);
        }
        cql5_add(p, parent, parse_repetitions(p, constituent));
    }
    if (parent->kid_count == 0)
        cql5_fail_found(p, "`%s` needs at least one constituent", word);
    cql5_next(p);
}

// ( "next" | "next2" ) [ range ] [ "nestban" ] "(" { constituent } ")" | ( "previous" | "previous2" ) [ range
// ] "(" … ")"
static Ast *parse_sequence(Cql5Parser *p, const Cql5Token *word, bool backward)
{
    Ast *node = cql5_node(p, OP_LINE, TYPE_INT, word->span);
    node->flags = backward ? AST_BACKWARD : 0;
    node->flags |= word->word == CQL5_NEXT2 || word->word == CQL5_PREVIOUS2 ? AST_SINGLECOLOR : 0;
    node->range = cql5_ast_range(cql5_range(p));
    const Cql5Token *t = cql5_peek(p);
    if (cql5_take(p, CQL5_NESTBAN)) {
        if (backward)
            cql5_report(p, t->span, "`nestban` has no meaning for `%s`", word->bytes);
        node->flags |= AST_NESTBAN;
    }
    cql5_expect(p, '(',
                arena_printf(p->arena, "before the constituents of %s", cql5_spelling(p, word->word)));
    parse_constituents(p, node, word->bytes);
    cql5_finish(p, node, word->span);
    return node;
}

// The operand of `next* depth n F`: { ply <= START + n F }, or `ply >= START - n` backwards
static Ast *within_depth(Cql5Parser *p, Variable *start, int32_t depth, bool backward, Ast *operand)
{
    const Span span = operand->span;
    Ast *ply = cql5_node(p, OP_PLY, TYPE_INT, span), *from = cql5_node(p, OP_VARIABLE, TYPE_INT, span);
    from->variable = start;
    Ast *bound = cql5_pair(p, backward ? OP_SUBTRACT : OP_ADD, TYPE_INT, from, cql5_number(p, depth, span));
    Ast *near = cql5_pair(p, backward ? OP_GE : OP_LE, TYPE_INT, ply, bound);
    return cql5_pair(p, OP_COMPOUND, TYPE_BOOL, near, operand);
}

// ( "next" "*" | "previous" "*" ) [ range ] [ "depth" int ] filter; the word has been read
static Ast *parse_starred(Cql5Parser *p, const Cql5Token *word, bool backward)
{
    cql5_next(p);
    Ast *node = cql5_node(p, OP_FIND, TYPE_POSITION, word->span);
    node->flags = backward ? AST_BACKWARD : 0;
    node->range = cql5_ast_range(cql5_range(p));
    node->type = node->range.present ? TYPE_INT : TYPE_POSITION;
    const bool has_depth = cql5_take(p, CQL5_DEPTH);
    const int32_t depth = has_depth ? cql5_integer(p, "a number behind `depth`") : 0;
    if (!cql5_begins_filter(p))
        cql5_fail_found(p, "expected the filter that `%s*` looks for", word->bytes);
    Ast *operand = cql5_condition(p);
    if (!has_depth) {
        cql5_add(p, node, operand);
        cql5_finish(p, node, word->span);
        return node;
    }
    Variable *start = cql5_variable(p, "start", VARIABLE_INT, word->span);
    cql5_add(p, node, within_depth(p, start, depth, backward, operand));
    cql5_finish(p, node, word->span);
    Ast *remember = cql5_assign(p, start, cql5_node(p, OP_PLY, TYPE_INT, word->span));
    return cql5_pair(p, OP_COMPOUND, node->type, remember, node);
}

// next, next2, previous, previous2; the words of early 5.0 too
Ast *cql5_line(Cql5Parser *p)
{
    const Cql5Token *word = cql5_next(p);
    const bool early = word->word == CQL5_FUTURE || word->word == CQL5_PAST;
    if (early && !p->old)
        cql5_report(p, word->span,
                    "`%s` is a word of CQL 5.0; write `%s`, or begin the file with `; dialect: cql51`",
                    word->bytes, word->word == CQL5_FUTURE ? "next" : "previous");
    const bool backward =
        word->word == CQL5_PREVIOUS || word->word == CQL5_PREVIOUS2 || word->word == CQL5_PAST;
    const bool single = word->word == CQL5_NEXT2 || word->word == CQL5_PREVIOUS2;
    if (cql5_at_mark(p, '*') && !single)
        return parse_starred(p, word, backward);
    return parse_sequence(p, word, backward);
}
