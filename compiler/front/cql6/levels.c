// The levels of the expression grammar, tightest first (language reference 2.7).
#include "runtime/value/regex.h"
#include "parser.h"

static Ast *binary(Parser *p, Op op, Type type, Ast *left, Ast *right)
{
    Ast *node = parse_node(p, op, type, left->span);
    parse_add(p, node, left);
    parse_add(p, node, right);
    return parse_finish(p, node, left->span);
}

static const char *operand_role(Parser *p, const char *side, const char *operator)
{
    return arena_printf(p->arena, "the %s operand of `%s`", side, operator);
}

// ---- level 13 and 12 --------------------------------------------------------------------------------------

// at = primary [ ":" at ]
Ast *parse_at_level(Parser *p)
{
    Ast *left = parse_primary(p);
    if (left->type != TYPE_POSITION || !parse_take(p, PUNCT_COLON))
        return left;
    parse_inwards(p, left->span);
    Ast *right = parse_at_level(p);
    parse_outwards(p);
    return binary(p, OP_AT, right->type, left, right);
}

// subscript = "[" sum "]" | "[" [ sum ] ":" [ sum ] "]"
static Ast *parse_subscript(Parser *p, Ast *string)
{
    Surroundings outer = parse_enter(p);
    parse_expect(p, PUNCT_LEFT_BRACKET, "before a subscript");
    Ast *node = parse_node(p, OP_SUBSCRIPT, TYPE_STRING, string->span);
    parse_add(p, node, string);
    Ast *low = parse_at(p, PUNCT_COLON) ? NULL : parse_require(p, parse_sum(p), TYPE_INT, "a subscript");
    if (parse_take(p, PUNCT_COLON)) {
        node->op = OP_SLICE;
        node->kid_left = low;
        if (!parse_at(p, PUNCT_RIGHT_BRACKET))
            node->kid_right = parse_require(p, parse_sum(p), TYPE_INT, "a subscript");
    } else {
        parse_add(p, node, low);
    }
    parse_leave(p, outer);
    parse_expect(p, PUNCT_RIGHT_BRACKET, "behind the subscript");
    return parse_finish(p, node, string->span);
}

static void check_pattern(Parser *p, const Token *t)
{
    const char *problem = regex_check(t->bytes, t->length, own(p)->cqli ? REGEX_UNICODE | REGEX_NAMES : 0);
    if (problem != NULL)
        parse_fail(p, t->span, "malformed regular expression: %s", problem);
}

// quoted, in CQLi also at; behind `~~`
static Ast *parse_regex(Parser *p, Ast *string)
{
    Ast *node = parse_node(p, OP_REGEX, TYPE_STRING, string->span);
    parse_add(p, node, string);
    if (!parse_is_quoted(p, parse_peek(p))) { // CQLi (13.7)
        if (!own(p)->cqli || !parse_begins_filter(parse_peek(p)))
            parse_fail_found(p, "the right side of `~~` must be a pattern between double quotes");
        node->kid_extra = parse_require(p, parse_at_level(p), TYPE_STRING, "the right side of `~~`");
        return parse_finish(p, node, string->span);
    }
    const Token *t = parse_next(p);
    check_pattern(p, t);
    node->text = t->bytes;
    node->text_length = t->length;
    return parse_finish(p, node, string->span);
}

// postfix = at { subscript | "~~" quoted } | string-var subscript "=" sum
static Ast *parse_postfix(Parser *p)
{
    Ast *left = parse_at_level(p);
    while (left->type == TYPE_STRING) {
        if (parse_at(p, PUNCT_LEFT_BRACKET)) {
            bool assignable = left->op == OP_VARIABLE && !(left->flags & AST_PAREN);
            left = parse_subscript(p, left);
            if (assignable && parse_at(p, PUNCT_ASSIGN))
                left = parse_part_assignment(p, left);
        } else if (parse_take(p, PUNCT_REGEX)) {
            left = parse_regex(p, left);
        } else {
            break;
        }
    }
    return left;
}

// ---- sets: levels 11 to 7 ---------------------------------------------------------------------------------

static bool take_attack(Parser *p, Op *op)
{
    const Token *t = parse_peek(p);
    if (t->kind != TOKEN_WORD)
        return false;
    switch (t->op) {
    case OP_WORD_ATTACK:
    case OP_WORD_ATTACKS:
        *op = OP_ATTACKS;
        break;
    case OP_WORD_ATTACKEDBY:
    case OP_WORD_ATTACKED:
        *op = OP_ATTACKED_BY;
        break;
    default:
        return false;
    }
    parse_next(p);
    if (t->op == OP_WORD_ATTACKED && !parse_take_word(p, OP_WORD_BY))
        parse_fail_found(p, "expected `by` after `attacked`");
    return true;
}

// attack = postfix { ( "attacks" | "attack" | "attackedby" | "attacked" "by" ) postfix }
Ast *parse_attack(Parser *p)
{
    Ast *left = parse_postfix(p);
    Op op;
    while (left->type == TYPE_SET && take_attack(p, &op)) {
        Ast *right = parse_require(p, parse_postfix(p), TYPE_SET, operand_role(p, "right", op_info[op].name));
        left = binary(p, op, TYPE_SET, left, right);
    }
    return left;
}

// inter = attack { "&" attack }
static Ast *parse_inter(Parser *p)
{
    Ast *left = parse_attack(p);
    while ((left->type == TYPE_SET || left->type == TYPE_POSITION) && parse_take(p, PUNCT_INTERSECT)) {
        Ast *right = parse_require(p, parse_attack(p), left->type, operand_role(p, "right", "&"));
        left =
            binary(p, left->type == TYPE_SET ? OP_INTERSECT : OP_POSITION_INTERSECT, TYPE_SET, left, right);
    }
    return left;
}

// union = inter { "|" inter }
static Ast *parse_union(Parser *p)
{
    Ast *left = parse_inter(p);
    while (left->type == TYPE_SET && parse_take(p, PUNCT_UNION)) {
        Ast *right = parse_require(p, parse_inter(p), TYPE_SET, operand_role(p, "right", "|"));
        left = binary(p, OP_UNION, TYPE_SET, left, right);
    }
    return left;
}

// arrow-x = union { "->" union } | union { "<-" union }
Ast *parse_arrow(Parser *p)
{
    Ast *left = parse_union(p);
    if (left->type != TYPE_SET)
        return left;
    enum Punctuation mark = parse_at(p, PUNCT_ARROW_LEFT) ? PUNCT_ARROW_LEFT : PUNCT_ARROW_RIGHT;
    if (!parse_at(p, mark))
        return left;
    Ast *chain = parse_node(p, OP_ARROW, TYPE_SET, left->span);
    chain->flags = mark == PUNCT_ARROW_LEFT ? AST_LEFT_CHAIN : 0;
    parse_add(p, chain, left);
    while (parse_take(p, mark))
        parse_add(
            p, chain,
            parse_require(p, parse_union(p), TYPE_SET, operand_role(p, "right", punctuation_spelling[mark])));
    if (parse_at(p, PUNCT_ARROW_LEFT) || parse_at(p, PUNCT_ARROW_RIGHT))
        parse_fail(p, parse_peek(p)->span, "`->` and `<-` cannot be mixed in one chain; use parentheses");
    return parse_finish(p, chain, left->span);
}

// move-x = arrow-x [ dash dash-rest ] | dash dash-rest
static Ast *parse_move_from(Parser *p, Ast *first)
{
    Ast *left = first != NULL ? first : parse_arrow(p);
    const Token *t = parse_peek(p);
    if (!parse_is_dash(t) || !(t->flags & TOKEN_LEFT_TIE))
        return left;
    if (left->type == TYPE_SET)
        return first != NULL && t->flags & TOKEN_PATH_TOP ? left : parse_dash(p, left);
    if (t->flags & TOKEN_PATH_TOP)
        return left; // the next constituent begins here (5.2)
    parse_fail(p, left->span, "%s touches this filter, which must then be a set of squares, but is %s",
               parse_text(p, t), left->op == OP_DASH ? "a move" : type_noun(left->type));
}

Ast *parse_move_x(Parser *p)
{
    return parse_move_from(p, NULL);
}

Ast *parse_set_arg(Parser *p, Op op)
{
    return parse_require_op(p, parse_move_x(p), TYPE_SET, op);
}

Ast *parse_tight_set(Parser *p, Op op)
{
    return parse_require_op(p, parse_at_level(p), TYPE_SET, op);
}

// ---- numbers and strings: levels 6 and 5 ------------------------------------------------------------------

// + and * may be wildcards of `path` and `line` (1.12).
static bool take_arithmetic(Parser *p, enum Punctuation mark)
{
    return !(parse_peek(p)->flags & TOKEN_WILDCARD) && parse_take(p, mark);
}

static bool take_factor(Parser *p, Op *op, const char **text)
{
    static const struct {
        enum Punctuation mark;
        Op op;
    } table[] = {{PUNCT_STAR, OP_MULTIPLY}, {PUNCT_SLASH, OP_DIVIDE}, {PUNCT_PERCENT, OP_MODULO}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (take_arithmetic(p, table[i].mark)) {
            *op = table[i].op;
            *text = punctuation_spelling[table[i].mark];
            return true;
        }
    }
    return false;
}

// product = move-x { ( "*" | "/" | "%" ) move-x }
Ast *parse_product(Parser *p, Ast *first)
{
    Ast *left = parse_move_from(p, first);
    Op op;
    const char *text;
    while (left->type == TYPE_INT && take_factor(p, &op, &text)) {
        Ast *right = parse_require(p, parse_move_x(p), TYPE_INT, operand_role(p, "right", text));
        left = binary(p, op, TYPE_INT, left, right);
    }
    return left;
}

// sum = product { ( "+" | "-" ) product }
static Ast *parse_sum_from(Parser *p, Ast *first)
{
    Ast *left = parse_product(p, first);
    for (;;) {
        if ((left->type == TYPE_INT || left->type == TYPE_STRING) && take_arithmetic(p, PUNCT_PLUS)) {
            Ast *right = parse_require(p, parse_product(p, NULL), left->type, operand_role(p, "right", "+"));
            left = binary(p, left->type == TYPE_INT ? OP_ADD : OP_CONCATENATE, left->type, left, right);
        } else if (left->type == TYPE_INT && parse_take(p, PUNCT_MINUS)) {
            Ast *right = parse_require(p, parse_product(p, NULL), TYPE_INT, operand_role(p, "right", "-"));
            left = binary(p, OP_SUBTRACT, TYPE_INT, left, right);
        } else {
            return left;
        }
    }
}

Ast *parse_sum(Parser *p)
{
    return parse_sum_from(p, NULL);
}

// ---- relations: levels 4 and 3 ----------------------------------------------------------------------------

static bool relation_at(Parser *p, Op *op)
{
    static const struct {
        enum Punctuation mark;
        Op op;
    } table[] = {{PUNCT_LT, OP_LT},
                 {PUNCT_LE, OP_LE},
                 {PUNCT_GT, OP_GT},
                 {PUNCT_GE, OP_GE},
                 {PUNCT_EQ, OP_EQ},
                 {PUNCT_NE, OP_NE},
                 {PUNCT_ANCESTOR, OP_ANCESTOR},
                 {PUNCT_ANCESTOR_EQ, OP_ANCESTOR_EQ},
                 {PUNCT_DESCENDANT, OP_DESCENDANT},
                 {PUNCT_DESCENDANT_EQ, OP_DESCENDANT_EQ}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (parse_at(p, table[i].mark)) {
            *op = table[i].op;
            return true;
        }
    }
    return false;
}

// The type of a relation (2.8), after checking that its operands fit.
static Type relation_type(Parser *p, Op op, const Ast *left, const Ast *right)
{
    const char *text = op_info[op].name;
    Span both = {left->span.start, right->span.end > left->span.start ? right->span.end : left->span.end};
    bool counts = (left->type == TYPE_SET && right->type == TYPE_INT) ||
                  (left->type == TYPE_INT && right->type == TYPE_SET);
    if (op >= OP_ANCESTOR && op <= OP_DESCENDANT_EQ) {
        if (left->type != TYPE_POSITION || right->type != TYPE_POSITION)
            parse_fail(p, both, "`%s` compares two positions, but here stand %s and %s", text,
                       type_noun(left->type), type_noun(right->type));
        return TYPE_POSITION;
    }
    if (!counts && left->type != right->type)
        parse_fail(p, both, "`%s` cannot compare %s with %s", text, type_noun(left->type),
                   type_noun(right->type));
    if (op == OP_NE) {
        if (left->type == TYPE_POSITION)
            parse_accept_cqli(p, both, "`!=` between positions");
        return TYPE_BOOL;
    }
    if (left->type == TYPE_SET && right->type == TYPE_SET) {
        if (op != OP_EQ)
            parse_fail(p, both, "`%s` cannot compare two sets; compare their sizes: `#S %s #T`", text, text);
        return TYPE_BOOL;
    }
    return counts ? TYPE_INT : left->type;
}

// rel-x = sum [ relop rel-x ]
static Ast *parse_relation(Parser *p, Ast *first)
{
    Ast *left = parse_sum_from(p, first);
    Op op;
    if (left->type == TYPE_BOOL || !relation_at(p, &op))
        return left;
    parse_next(p);
    parse_inwards(p, left->span);
    Ast *right = parse_relation(p, NULL);
    parse_outwards(p);
    return binary(p, op, relation_type(p, op, left, right), left, right);
}

// in-x = rel-x [ "in" ( set-arg | rel-x ) ]
Ast *parse_in(Parser *p, Ast *first)
{
    Ast *left = parse_relation(p, first);
    if (!parse_at_word(p, OP_WORD_IN))
        return left;
    if (left->type != TYPE_SET && left->type != TYPE_STRING)
        parse_fail(p, left->span, "the left operand of `in` must be a set or a string, but this is %s",
                   type_noun(left->type));
    parse_next(p);
    Ast *right = left->type == TYPE_SET ? parse_move_x(p) : parse_relation(p, NULL);
    parse_require(p, right, left->type, operand_role(p, "right", "in"));
    left = binary(p, left->type == TYPE_SET ? OP_IN_SET : OP_IN_STRING, TYPE_BOOL, left, right);
    if (parse_at_word(p, OP_WORD_IN))
        parse_fail(p, parse_peek(p)->span, "`in` does not chain; combine two of them with `and`");
    return left;
}

// ---- conditions: levels 2 and 1 ---------------------------------------------------------------------------

// and-x = in-x { "and" in-x }
static Ast *parse_and(Parser *p, Ast *first)
{
    Ast *left = parse_in(p, first);
    while (parse_take_word(p, OP_WORD_AND)) {
        parse_as_condition(p, left);
        left = binary(p, OP_AND, TYPE_BOOL, left, parse_as_condition(p, parse_in(p, NULL)));
    }
    return left;
}

// filter = and-x { "or" and-x }
Ast *parse_filter_from(Parser *p, Ast *first)
{
    bool dash_right = own(p)->here.dash_right;
    own(p)->here.dash_right = false;
    Ast *left = parse_and(p, first);
    while (parse_take_word(p, OP_WORD_OR)) {
        parse_as_condition(p, left);
        left = binary(p, OP_OR, TYPE_BOOL, left, parse_as_condition(p, parse_and(p, NULL)));
    }
    own(p)->here.dash_right = dash_right;
    own(p)->last = left;
    return left;
}

Ast *parse_filter(Parser *p)
{
    return parse_filter_from(p, NULL);
}

Ast *parse_condition(Parser *p)
{
    return parse_as_condition(p, parse_filter(p));
}
