// Filters whose operands the syntax column of filters.def describes; ranges and flags.
#include "parser.h"

#include <string.h>

// ---- ranges -----------------------------------------------------------------------------------------------

// Neither punctuation nor an operator, except brackets and moves (8.1, rule 1).
static bool may_follow_bound(const Token *t)
{
    if (t->kind != TOKEN_PUNCTUATION)
        return true;
    switch (t->number) {
    case PUNCT_LEFT_PAREN:
    case PUNCT_RIGHT_PAREN:
    case PUNCT_LEFT_BRACE:
    case PUNCT_RIGHT_BRACE:
    case PUNCT_LINE_RIGHT:
    case PUNCT_LINE_LEFT:
    case PUNCT_DASH:
    case PUNCT_CAPTURE:
        return true;
    default:
        return false;
    }
}

// rnum = [ "-" ] int | id
// The number of its tokens, which stay; 0: none is next.
static int bound_at(Parser *p, Bound *bound)
{
    const int sign = parse_at(p, PUNCT_MINUS) ? 1 : 0;
    const Token *t = parse_peek_at(p, sign);
    *bound = (Bound){0};
    if (t->kind == TOKEN_INTEGER) {
        bound->value = sign ? -t->number : t->number;
        return sign + 1;
    }
    if (t->kind == TOKEN_IDENTIFIER && !sign)
        bound->variable = name_find(p, t->bytes);
    return bound->variable != NULL && bound->variable->kind == VARIABLE_INT ? 1 : 0;
}

// A number that an operator follows is given back: it begins the operand (8.1, rule 2).
static bool parse_bound(Parser *p, Bound *bound)
{
    const int count = bound_at(p, bound);
    if (count == 0 || !may_follow_bound(parse_peek_at(p, count)))
        return false;
    p->position += count;
    return true;
}

// range = rnum [ rnum ] | "count"
Range parse_range(Parser *p)
{
    Range range = {0};
    if (parse_take_word(p, OP_WORD_COUNT)) {
        range.present = range.all = true;
        return range;
    }
    range.present = parse_bound(p, &range.low);
    if (range.present && !parse_bound(p, &range.high))
        range.high = range.low;
    return range;
}

static _Noreturn void fail_lone_number(Parser *p, Span number, const char *word)
{
    parse_fail(
        p, number,
        "a number is part of the range of `%s` only if no operator follows it; put the operand in braces",
        word);
}

Ast *parse_after_range(Parser *p, Ast *operand, const char *word)
{
    const bool number = operand->op == OP_NUMBER || operand->op == OP_VARIABLE;
    if (number && operand->type == TYPE_INT && !(operand->flags & AST_PAREN))
        fail_lone_number(p, operand->span, word);
    return operand;
}

// ---- flags ------------------------------------------------------------------------------------------------

bool parse_take_flag(Parser *p, Ast *node, unsigned allowed)
{
    const Token *t = parse_peek(p);
    // in CQLi some of these words are names with the op of a parameter
    const unsigned flag = t->op >= 0 ? op_info[t->op].flag & allowed : 0;
    node->flags |= flag;
    if (flag != 0)
        parse_next(p);
    return flag != 0;
}

// ---- operands ---------------------------------------------------------------------------------------------

// sum: a number or a string, of the type of the operands before it
static Ast *parse_value(Parser *p, const Ast *node, Op op)
{
    Ast *kid = parse_sum(p);
    if (kid->type != TYPE_INT && kid->type != TYPE_STRING)
        parse_fail(p, kid->span, "the operand of `%s` must be a number or a string, but this is %s",
                   op_info[op].name, type_noun(kid->type));
    return node->kid_count == 0 ? kid : parse_require_op(p, kid, node->kid[0]->type, op);
}

// operand = set-arg | tight-set | num-arg | str-arg | product | filter, as the syntax says. `op`: of the word.
static Ast *parse_operand(Parser *p, const Ast *node, Op op, SyntaxKind kind)
{
    switch (kind) {
    case SYNTAX_SET:
        return parse_set_arg(p, op);
    case SYNTAX_TIGHT_SET:
        return parse_tight_set(p, op);
    case SYNTAX_NUMBER:
        return parse_require_op(p, parse_sum(p), TYPE_INT, op);
    case SYNTAX_STRING:
        return parse_require_op(p, parse_sum(p), TYPE_STRING, op);
    case SYNTAX_TIGHT_STRING:
        return parse_require_op(p, parse_product(p, NULL), TYPE_STRING, op);
    case SYNTAX_VALUE:
        return parse_value(p, node, op);
    case SYNTAX_POSITION:
        return parse_require_op(p, parse_filter(p), TYPE_POSITION, op);
    case SYNTAX_CONDITION:
        return parse_condition(p);
    case SYNTAX_TIGHT_CONDITION:
        return parse_as_condition(p, parse_in(p, NULL));
    default:
        return parse_filter(p);
    }
}

// [ range ] operand
static void parse_range_part(Parser *p, Ast *node, const Token *word, SyntaxKind operand)
{
    const Span start = parse_peek(p)->span;
    Bound number;
    node->range = parse_range(p);
    if (node->range.present && directions_of(node->op) != 0)
        check_direction_range(p, &node->range, parse_span_from(p, start));
    if (operand == SYNTAX_TIGHT_SET && bound_at(p, &number) > 0)
        fail_lone_number(p, parse_peek(p)->span, word->bytes);
    if (!parse_begins_filter(parse_peek(p)))
        parse_fail_found(p, "`%s` needs an operand", word->bytes);
    parse_add(p, node, parse_after_range(p, parse_operand(p, node, (Op)word->op, operand), word->bytes));
}

// quoted; an optional one is not taken in a list of items
static void parse_quoted_part(Parser *p, Ast *node, bool optional)
{
    const Token *t = parse_peek(p);
    const char *name = op_info[node->op].name;
    if (optional && (own(p)->here.list_item || !parse_is_quoted(p, t)))
        return;
    if (!parse_is_quoted(p, t))
        parse_fail_found(p, "`%s` needs a string in double quotes", name);
    if (t->length == 0)
        parse_fail(p, t->span, "the string of `%s` must not be empty", name);
    parse_next(p);
    node->text = t->bytes;
    node->text_length = t->length;
}

static void parse_operand_part(Parser *p, Ast *node, Op op, const SyntaxPart *part, bool inside)
{
    const OpInfo *info = &op_info[op];
    if (part->repeated) {
        while (parse_begins_filter(parse_peek(p)))
            parse_add(p, node, parse_operand(p, node, op, part->kind));
        return;
    }
    if (inside && parse_at(p, PUNCT_COMMA))
        parse_fail(p, parse_peek(p)->span,
                   "expected another argument of `%s%s`, found `,`; separate arguments with spaces",
                   info->name, info->syntax);
    if (inside && !parse_begins_filter(parse_peek(p)))
        parse_fail_found(
            p, "expected another argument of `%s%s`, after a space (a negative number in parentheses)",
            info->name, info->syntax);
    parse_add(p, node, parse_operand(p, node, op, part->kind));
}

// The operands of a filter, by its syntax column.
static void parse_operands(Parser *p, Ast *node, const Token *word)
{
    const OpInfo *info = &op_info[node->op];
    const char *syntax = info->syntax;
    Surroundings outer = own(p)->here;
    SyntaxPart part;
    for (bool inside = false; syntax_next(&syntax, &part);) {
        switch (part.kind) {
        case SYNTAX_OPEN:
            if (part.optional && !parse_at(p, PUNCT_LEFT_PAREN))
                return;
            outer = parse_enter(p);
            parse_expect(p, PUNCT_LEFT_PAREN, arena_printf(p->arena, "after `%s`", word->bytes));
            inside = true;
            break;
        case SYNTAX_CLOSE:
            parse_leave(p, outer);
            parse_expect(p, PUNCT_RIGHT_PAREN, arena_printf(p->arena, "of `%s%s`", info->name, info->syntax));
            inside = false;
            break;
        case SYNTAX_FLAGS:
            while (parse_take_flag(p, node, part.flags) && part.repeated)
                ;
            break;
        case SYNTAX_RANGE:
            syntax_next(&syntax, &part);
            parse_range_part(p, node, word, part.kind);
            break;
        case SYNTAX_QUOTED:
            parse_quoted_part(p, node, part.optional);
            break;
        case SYNTAX_NAME:
            // quoted | primary, the latter in CQLi only (13.9)
            if (own(p)->cqli && !parse_is_quoted(p, parse_peek(p)) && parse_begins_filter(parse_peek(p)))
                parse_add(p, node, parse_require_op(p, parse_primary(p), TYPE_STRING, node->op));
            else
                parse_quoted_part(p, node, false);
            break;
        case SYNTAX_SEARCH:
            parse_search(p, node);
            break;
        case SYNTAX_ITEMS:
            parse_items(p, node, (Op)word->op);
            break;
        default:
            parse_operand_part(p, node, (Op)word->op, &part, inside);
        }
    }
}

// The functions that complete a node, by the rows that name one.
static void (*const finish[OP_COUNT_])(Parser *, Ast *, const Token *) = {
#define CHECKED(op, word, type, syntax, name, ...) [OP_##op] = finish_##name,
#include "compiler/language/filters.def"
};

// word operands
Ast *parse_by_syntax(Parser *p, Op op)
{
    const Token *word = parse_next(p);
    const Type type = op_info[op].type;
    Ast *node = parse_node(p, op, type == TYPE_ANY ? TYPE_BOOL : type, word->span);
    Token named = *word; // the word of an extension is a name
    if (op_info[op].dialects == IN_EXTENSION)
        named.op = (int16_t)op;
    node->number = directions_of((Op)named.op);
    parse_operands(p, node, &named);
    if (type == TYPE_ANY && node->kid_count > 0)
        node->type = node->kid[0]->type;
    if (finish[op] != NULL)
        finish[op](p, node, word);
    return node;
}
