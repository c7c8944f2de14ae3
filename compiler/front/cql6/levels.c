// The levels of the expression grammar, tightest first (language reference 2.7).
#include "parser.h"

#include <string.h>

#include "runtime/value/regex.h"

static Ast *binary(Parser *p, Op op, Type type, Ast *left, Ast *right)
{
    Ast *node = parse_node(p, op, type, left->span);
    parse_add(p, node, left);
    parse_add(p, node, right);
    return parse_finish(p, node, left->span);
}

static const char *operand_role(Parser *p, const char *side, const char *sign)
{
    return arena_printf(p->arena, "the %s operand of `%s`", side, sign);
}

// ---- operators of the table -------------------------------------------------------------------------------

static const Op operators[] = {
#define OPERATOR(op, ...) OP_##op,
#include "compiler/language/filters.def"
};

static bool is_sign(const Token *t, Op op)
{
    if (t->kind == TOKEN_WORD)
        return op_info[t->op].canonical == op;
    // + and * may be wildcards of `path` and `line` (1.12)
    return t->kind == TOKEN_PUNCTUATION && !(t->flags & TOKEN_WILDCARD) &&
           strcmp(punctuation_spelling[t->number], op_info[op].name) == 0;
}

Op operator_of_sign(const Token *t)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (is_sign(t, operators[i]) ||
            (t->kind == TOKEN_WORD && strcmp(op_info[t->op].name, op_info[operators[i]].name) == 0))
            return operators[i];
    return OP_COUNT_;
}

static Type operand_type(Op op)
{
    return op == OP_POSITION_INTERSECT ? TYPE_POSITION : op_info[op].type;
}

// The operator of the level that is next and takes a left operand of the type (TYPE_ANY: of any), or OP_COUNT_.
static Op operator_at(Parser *p, Level level, Type type)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        const Op op = operators[i];
        if (op_info[op].level == level && (type == TYPE_ANY || operand_type(op) == type) &&
            is_sign(parse_peek(p), op))
            return op;
    }
    return OP_COUNT_;
}

static Ast *parse_postfix(Parser *p);
static Ast *parse_move_from(Parser *p, Ast *first);

// level = tighter { operator tighter }, for operators that take operands of one type. `first`: as in parse_filter_from.
static Ast *parse_chain(Parser *p, Level level, Ast *first)
{
    if (level > LEVEL_ATTACK)
        return parse_postfix(p);
    if (level == LEVEL_MOVE)
        return parse_move_from(p, first);
    Ast *left = parse_chain(p, level + 1, first);
    for (Op op; (op = operator_at(p, level, left->type)) != OP_COUNT_;) {
        if (parse_next(p)->op == OP_WORD_ATTACKED && !parse_take_word(p, OP_WORD_BY))
            parse_fail_found(p, "expected `by` after `attacked`");
        Ast *right = parse_require(p, parse_chain(p, level + 1, NULL), operand_type(op),
                                   operand_role(p, "right", op_info[op].name));
        left = binary(p, op, op_info[op].type, left, right);
    }
    return left;
}

// ---- level 13 and 12 --------------------------------------------------------------------------------------

// at = primary [ ":" at ]
Ast *parse_at_level(Parser *p)
{
    Ast *left = parse_primary(p);
    if (left->type != TYPE_POSITION || own(p)->here.subscript || !parse_take(p, PUNCT_COLON))
        return left;
    parse_inwards(p, left->span);
    Ast *right = parse_at_level(p);
    parse_outwards(p);
    return binary(p, OP_AT, right->type, left, right);
}

// sum, in CQLi relation (13.13)
static Ast *parse_index(Parser *p)
{
    Ast *index = parse_relation(p, NULL);
    const Op op = index->op;
    if (op_info[op].level == LEVEL_RELATION && !(index->flags & AST_PAREN))
        parse_accept_cqli(p, index->span, "a comparison as a subscript");
    return parse_require(p, index, TYPE_INT, "a subscript");
}

// subscript = "[" index "]" | "[" [ index ] ":" [ index ] "]"
static Ast *parse_subscript(Parser *p, Ast *string)
{
    Surroundings outer = parse_enter(p);
    own(p)->here.subscript = own(p)->cqli;
    parse_expect(p, PUNCT_LEFT_BRACKET, "before a subscript");
    Ast *node = parse_node(p, OP_SUBSCRIPT, TYPE_STRING, string->span);
    parse_add(p, node, string);
    Ast *low = parse_at(p, PUNCT_COLON) ? NULL : parse_index(p);
    if (parse_take(p, PUNCT_COLON)) {
        node->op = OP_SLICE;
        node->kid_left = low;
        if (!parse_at(p, PUNCT_RIGHT_BRACKET))
            node->kid_right = parse_index(p);
    } else {
        parse_add(p, node, low);
    }
    parse_close(p, outer, PUNCT_RIGHT_BRACKET, "after the subscript");
    return parse_finish(p, node, string->span);
}

// quoted, in CQLi also at; after `~~`
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
    const char *problem = regex_check(t->bytes, t->length, own(p)->cqli ? REGEX_UNICODE | REGEX_NAMES : 0);
    if (problem != NULL)
        parse_fail(p, t->span, "malformed regular expression: %s", problem);
    parse_keep_text(node, t);
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

// attack = postfix { ( "attacks" | "attack" | "attackedby" | "attacked" "by" ) postfix }
Ast *parse_attack(Parser *p)
{
    return parse_chain(p, LEVEL_ATTACK, NULL);
}

// arrow-x = union { "->" union } | union { "<-" union }; union = inter { "|" inter }; inter = attack { "&" attack }
Ast *parse_arrow(Parser *p)
{
    Ast *left = parse_chain(p, LEVEL_UNION, NULL);
    if (left->type != TYPE_SET)
        return left;
    enum Punctuation mark = parse_at(p, PUNCT_ARROW_LEFT) ? PUNCT_ARROW_LEFT : PUNCT_ARROW_RIGHT;
    if (!parse_at(p, mark))
        return left;
    Ast *chain = parse_node(p, OP_ARROW, TYPE_SET, left->span);
    chain->flags = mark == PUNCT_ARROW_LEFT ? AST_LEFT_CHAIN : 0;
    parse_add(p, chain, left);
    while (parse_take(p, mark))
        parse_add(p, chain,
                  parse_require(p, parse_chain(p, LEVEL_UNION, NULL), TYPE_SET,
                                operand_role(p, "right", punctuation_spelling[mark])));
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

// product = move-x { ( "*" | "/" | "%" ) move-x }
Ast *parse_product(Parser *p, Ast *first)
{
    return parse_chain(p, LEVEL_PRODUCT, first);
}

// sum = product { ( "+" | "-" ) product }
Ast *parse_sum(Parser *p)
{
    return parse_chain(p, LEVEL_SUM, NULL);
}

// ---- relations: levels 4 and 3 ----------------------------------------------------------------------------

// The type of a relation (2.8), after checking that its operands fit.
static Type relation_type(Parser *p, Op op, const Ast *left, const Ast *right)
{
    const char *text = op_info[op].name;
    Span both = {left->span.start, right->span.end > left->span.start ? right->span.end : left->span.end};
    bool counts = (left->type == TYPE_SET && right->type == TYPE_INT) ||
                  (left->type == TYPE_INT && right->type == TYPE_SET);
    if (op_info[op].type == TYPE_POSITION) {
        if (left->type != TYPE_POSITION || right->type != TYPE_POSITION)
            parse_fail(p, both, "`%s` compares two positions, but these are %s and %s", text,
                       type_noun(left->type), type_noun(right->type));
        return TYPE_POSITION;
    }
    if (!counts && left->type != right->type)
        parse_fail(p, both, "`%s` cannot compare %s with %s%s", text, type_noun(left->type),
                   type_noun(right->type),
                   left->op == OP_DATE && right->type == TYPE_INT ? "; the year is `year`" : "");
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
Ast *parse_relation(Parser *p, Ast *first)
{
    Ast *left = parse_chain(p, LEVEL_SUM, first);
    const Op op = operator_at(p, LEVEL_RELATION, TYPE_ANY);
    if (left->type == TYPE_BOOL || op == OP_COUNT_)
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
        parse_fail(p, left->span, "the left operand of `in` must be a set or a string, but this is %s%s",
                   type_noun(left->type),
                   left->op == OP_MATE ? "; a move that mates is `--(mate)`, mate after two moves of a side "
                                         "`path -- -- -- mate`"
                                       : "");
    parse_next(p);
    Ast *right = left->type == TYPE_SET ? parse_move_x(p) : parse_relation(p, NULL);
    parse_require(p, right, left->type, operand_role(p, "right", "in"));
    left = binary(p, left->type == TYPE_SET ? OP_IN_SET : OP_IN_STRING, TYPE_BOOL, left, right);
    if (parse_at_word(p, OP_WORD_IN))
        parse_fail(p, parse_peek(p)->span, "`in` does not chain; combine two of them with `and`");
    return left;
}

// ---- conditions: levels 2 and 1 ---------------------------------------------------------------------------

// and-x = in-x { "and" in-x }; filter = and-x { "or" and-x }
static Ast *parse_logic(Parser *p, Op op, Ast *first)
{
    const int word = op == OP_AND ? OP_WORD_AND : OP_WORD_OR;
    Ast *left = op == OP_AND ? parse_in(p, first) : parse_logic(p, OP_AND, first);
    while (parse_take_word(p, word)) {
        Ast *right = op == OP_AND ? parse_in(p, NULL) : parse_logic(p, OP_AND, NULL);
        left = parse_as_condition(p, left);
        left = binary(p, op, TYPE_BOOL, left, parse_as_condition(p, right));
    }
    return left;
}

Ast *parse_filter_from(Parser *p, Ast *first)
{
    bool dash_right = own(p)->here.dash_right;
    own(p)->here.dash_right = false;
    Ast *left = parse_logic(p, OP_OR, first);
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
