// Primaries: everything that is tighter than any operator (language reference 2.10).
#include "parser.h"

#include <string.h>

// ---- tokens that are not filters ---------------------------------------------------------------------------

static _Noreturn void fail_reserved_word(Parser *p, const Token *t)
{
    const OpInfo *info = &op_info[t->op];
    if (t->op == OP_WORD_ANY)
        parse_fail(p, t->span, "`any` is no longer a filter; write `.` for all squares");
    if (t->op == OP_WORD_ELSE || t->op == OP_WORD_THEN)
        parse_fail(p, t->span, "`%s` without an `if`", info->name);
    if (t->op == OP_WORD_CQL)
        parse_fail(p, t->span, "write the header `cql ( … )` once, before all filters, and not in option -e");
    if (t->op == OP_WORD_COUNT)
        parse_fail(p, t->span, "expected a filter, found `count`; the number of squares in a set S is `#S`");
    if (t->op == OP_WORD_AND || t->op == OP_WORD_OR || t->op == OP_WORD_IN || t->op == OP_WORD_ATTACKS ||
        t->op == OP_WORD_ATTACKEDBY)
        parse_fail(p, t->span, "`%s` needs a filter on each side%s", info->name,
                   t->op == OP_WORD_ATTACKS      ? ": `Q attacks k`"
                   : t->op == OP_WORD_ATTACKEDBY ? ": `k attackedby Q`"
                                                 : "");
    if (info->row == ROW_RESERVED)
        parse_fail(p, t->span, "`%s` is reserved, and has no meaning", info->name);
    const bool captures = t->op == OP_WORD_CAPTURE || t->op == OP_WORD_CAPTURES, cqli = own(p)->cqli;
    const char *advice =
        t->op == OP_WORD_BY        ? "; a check by a knight is `check N attacks k`"
        : t->op == OP_WORD_PROMOTE ? (cqli ? "; a promotion is `move promote Q`" : "; a promotion is `--=Q`")
        : captures ? (cqli ? "; a capture is `move from N capture q`" : "; a capture is `[x]`, as in `N[x]q`")
        : t->op == OP_WORD_NULL
            ? (cqli ? "; a null move led here: `move previous null`" : "; a null move led here: `nullmove`")
        : t->op == OP_WORD_ALL ? "; all squares are `.`, all pieces `[Aa]`"
                               : "";
    parse_fail(p, t->span, "expected a filter, found `%s` (%s)%s", info->name, info->help, advice);
}

// An assignment operator after something that is not a name.
static void explain_assignment(Parser *p, const Token *t)
{
    if (t->kind != TOKEN_PUNCTUATION || p->position == 0)
        return;
    const bool assigns = is_assignment_mark(t);
    const Token *before = &p->token[p->position - 1], *after = parse_peek_at(p, 1);
    const char *compare = "";
    const bool more = token_is_mark(after, PUNCT_GT), less = token_is_mark(after, PUNCT_LT);
    if (assigns && (before->kind == TOKEN_DESIGNATOR || before->kind == TOKEN_WORD) &&
        t->number == PUNCT_ASSIGN) {
        compare = more ? "; `at least` is `>=`" : less ? "; `at most` is `<=`" : "; equality is `==`";
        parse_cure(p, (Span){t->span.start, more || less ? after->span.end : t->span.end},
                   more   ? ">="
                   : less ? "<="
                          : "==");
    }
    if (assigns && before->kind == TOKEN_DESIGNATOR)
        parse_fail(p, before->span, "%s is a piece designator and cannot be the name of a variable%s",
                   parse_text(p, before), compare);
    if (assigns && before->kind == TOKEN_WORD)
        parse_fail(p, before->span, "`%s` is a reserved word and cannot be the name of a variable%s",
                   before->bytes, compare);
}

// `1:30` and `1:00:00` are not numbers.
static void explain_time(Parser *p, const Token *t)
{
    long long seconds = p->position > 0 ? t[-1].number : 0;
    const int first = p->position - 1;
    int i = p->position;
    if (first < 0 || p->token[first].kind != TOKEN_INTEGER || p->token[first].number < 0)
        return;
    while (i + 1 < p->limit && i < first + 4 && token_is_mark(&p->token[i], PUNCT_COLON) &&
           p->token[i + 1].kind == TOKEN_INTEGER && p->token[i + 1].number >= 0 &&
           p->token[i + 1].number < 60) {
        seconds = 60 * seconds + p->token[i + 1].number;
        i += 2;
    }
    if (i > p->position && !token_is_mark(&p->token[i], PUNCT_COLON)) {
        parse_cure(p, (Span){p->token[first].span.start, p->token[i - 1].span.end},
                   arena_printf(p->arena, "%lld", seconds));
        parse_fail(p, t->span, "`:` cannot follow a number; a time is a number of seconds: `%lld`", seconds);
    }
}

// An operator that was not taken because of the type to its left (2.7).
static void explain_operator(Parser *p, const Token *t)
{
    if (t->kind != TOKEN_PUNCTUATION || p->position == 0 || own(p)->last == NULL)
        return;
    bool follows = own(p)->last->span.end == p->token[p->position - 1].span.end;
    if (follows && token_bracket(t) >= 0 && t->number != PUNCT_COMMA)
        parse_fail(p, t->span, "`%s` cannot follow %s%s", punctuation_spelling[t->number],
                   type_noun(own(p)->last->type), hint_for_operator(p, t->number, own(p)->last->type));
}

static bool compares(const Token *t)
{
    return token_is_mark(t, PUNCT_LT) || token_is_mark(t, PUNCT_GT) || token_is_mark(t, PUNCT_LE) ||
           token_is_mark(t, PUNCT_GE) || token_is_mark(t, PUNCT_EQ) || token_is_mark(t, PUNCT_NE);
}

// What the token before the cursor still needs, for a message.
static const char *missing_operand(const Parser *p)
{
    static const Type type_of[SYNTAX_FLAGS + 1] = {[SYNTAX_SET] = TYPE_SET,
                                                   [SYNTAX_TIGHT_SET] = TYPE_SET,
                                                   [SYNTAX_NUMBER] = TYPE_INT,
                                                   [SYNTAX_STRING] = TYPE_STRING,
                                                   [SYNTAX_TIGHT_STRING] = TYPE_STRING,
                                                   [SYNTAX_POSITION] = TYPE_POSITION};
    if (p->position == 0)
        return "expected a filter";
    const Token *before = &p->token[p->position - 1];
    const Op sign = operator_of_sign(before);
    if (sign != OP_COUNT_)
        return arena_printf(p->arena, "expected %s on the right of `%s`",
                            op_info[sign].level == LEVEL_ATTACK ? type_noun(TYPE_SET)
                            : op_info[sign].level == LEVEL_IN   ? "a set of squares or a string"
                                                                : "a filter",
                            op_info[sign].name);
    const char *syntax = before->kind == TOKEN_WORD ? op_info[before->op].syntax : NULL;
    SyntaxPart part = {.optional = true};
    while (part.optional || part.kind == SYNTAX_FLAGS || part.kind == SYNTAX_RANGE)
        if (syntax == NULL || !syntax_next(&syntax, &part))
            return "expected a filter";
    return arena_printf(p->arena, "expected %s after `%s`",
                        type_of[part.kind] == TYPE_BOOL ? "a filter" : type_noun(type_of[part.kind]),
                        op_info[before->op].name);
}

// The words that never begin a filter get a message of their own.
static _Noreturn void fail_not_a_filter(Parser *p)
{
    const Token *t = parse_peek(p);
    explain_assignment(p, t);
    explain_time(p, t);
    explain_operator(p, t);
    if (t->kind == TOKEN_PUNCTUATION && t->number == PUNCT_COMMA) {
        parse_cure(p, t->span, " ");
        parse_fail(p, t->span, "expected a filter, found `,`; separate filters with spaces");
    }
    if (t->kind == TOKEN_PUNCTUATION && t->number == PUNCT_LEFT_BRACKET)
        parse_fail(p, t->span,
                   "expected a filter, found `[`; the brackets of a piece designator contain pieces or "
                   "squares and no spaces, as in `[QR][a1,h1]`");
    if (compares(t) && p->position > 0 && (t[-1].op == OP_WORD_AND || t[-1].op == OP_WORD_OR))
        parse_fail(p, t->span,
                   "expected a filter, found %s; write both operands, or a chain: `10 < ply < 20`",
                   parse_text(p, t));
    switch (t->kind) {
    case TOKEN_WORD:
        fail_reserved_word(p, t);
    case TOKEN_RESULT:
        parse_fail(p, t->span,
                   "%s is a result, which is allowed only after `result`; put spaces around a minus sign",
                   parse_text(p, t));
    case TOKEN_REPETITION:
        parse_fail(p, t->span,
                   "%s is a repetition, not a filter; write a space after `{` for a number in braces",
                   parse_text(p, t));
    case TOKEN_FILE:
        parse_fail(p, t->span, "a file name is allowed only in the header");
    default:
        parse_fail_found(p, "%s", missing_operand(p));
    }
}

// ---- brackets ---------------------------------------------------------------------------------------------

// "(" filter ")"
static Ast *parse_parentheses(Parser *p)
{
    Surroundings outer = parse_open(p, PUNCT_LEFT_PAREN, "");
    if (parse_at(p, PUNCT_RIGHT_PAREN))
        parse_fail(p, parse_peek(p)->span, "these parentheses are empty; write one filter in them");
    Ast *node = parse_filter(p);
    if (parse_begins_filter(parse_peek(p)))
        parse_fail_found(p, "parentheses contain exactly one filter (use braces for several); expected `)`");
    parse_close(p, outer, PUNCT_RIGHT_PAREN, "after the filter in parentheses");
    node->flags |= AST_PAREN;
    return node;
}

// "{" filter { filter } "}"
static Ast *parse_braces(Parser *p)
{
    Surroundings outer = parse_enter(p);
    Ast *node = parse_node(p, OP_COMPOUND, TYPE_BOOL, parse_next(p)->span);
    if (parse_at(p, PUNCT_RIGHT_BRACE))
        parse_fail(p, parse_peek(p)->span, "these braces are empty; write at least one filter in them");
    for (;;) {
        Ast *kid = parse_filter(p);
        parse_add(p, node, kid);
        node->type = kid->type;
        if (parse_at(p, PUNCT_RIGHT_BRACE))
            break;
        if (parse_peek(p)->kind == TOKEN_END)
            parse_fail_found(p, "expected `}`");
        parse_as_condition(p, kid);
    }
    parse_leave(p, outer);
    parse_next(p);
    return node;
}

// ---- words ------------------------------------------------------------------------------------------------

// The parser function of each row that names one.
static Ast *(*const reader[OP_COUNT_])(Parser *) = {
#define OWN(op, word, type, name, ...) [OP_##op] = parse_##name,
#define PREFIX(op, word, name, ...) [OP_##op] = parse_##name,
#include "compiler/language/filters.def"
};

static Ast *parse_word(Parser *p)
{
    const Op op = op_info[parse_peek(p)->op].canonical;
    if (reader[op] != NULL)
        return reader[op](p);
    if (op_info[op].row == ROW_FILTER)
        return parse_by_syntax(p, op);
    if (op_info[op].row == ROW_REFUSED)
        parse_fail(p, parse_peek(p)->span, "the filter `%s` of CQLi is not supported", op_info[op].name);
    fail_not_a_filter(p);
}

// ---- other primaries --------------------------------------------------------------------------------------

// `a1-h8`: three tokens that touch (1.4).
static void refuse_rectangle(Parser *p)
{
    const Token *minus = parse_peek(p), *after = parse_peek_at(p, 1), *before = minus - 1;
    if (p->position > 0 && before->kind == TOKEN_DESIGNATOR && after->kind == TOKEN_DESIGNATOR &&
        !((minus->flags | after->flags) & TOKEN_SPACE_BEFORE))
        parse_fail(p, (Span){before->span.start, after->span.end},
                   "a range of squares is written as files, then ranks, as in `a-h1-8`");
}

// int | "-" int | "-" at
static Ast *parse_minus(Parser *p)
{
    refuse_rectangle(p);
    Ast *node = parse_node(p, OP_NEGATE, TYPE_INT, parse_next(p)->span);
    if (parse_peek(p)->kind == TOKEN_INTEGER) {
        node->op = OP_NUMBER;
        node->number = -parse_next(p)->number;
        return node;
    }
    parse_add(p, node, parse_require_op(p, parse_at_level(p), TYPE_INT, OP_NEGATE));
    return node;
}

// "~" attack
static Ast *parse_complement(Parser *p)
{
    Ast *node = parse_node(p, OP_COMPLEMENT, TYPE_SET, parse_next(p)->span);
    parse_add(p, node, parse_require_op(p, parse_attack(p), TYPE_SET, OP_COMPLEMENT));
    return node;
}

// dash dash-rest, without a left operand
static Ast *parse_bare_dash(Parser *p)
{
    const Token *t = parse_peek(p);
    if (t->flags & TOKEN_LEFT_TIE && !(t->flags & TOKEN_PATH_TOP))
        parse_fail(p, t->span,
                   "%s is attached to something that is not a set of squares; put a space between",
                   parse_text(p, t));
    return parse_dash(p, NULL);
}

// "`" primary, of CQLi (13.7)
static Ast *parse_identity(Parser *p)
{
    Ast *node = parse_node(p, OP_COMPOUND, TYPE_BOOL, parse_next(p)->span);
    parse_need_filter(p, "expected a filter after the backquote");
    Ast *kid = parse_primary(p);
    parse_add(p, node, kid);
    node->type = kid->type;
    return node;
}

static Ast *parse_literal(Parser *p, Op op, Type type)
{
    const Token *t = parse_next(p);
    Ast *node = parse_node(p, op, type, t->span);
    if (op == OP_STRING) {
        parse_keep_text(node, t);
    } else if (op == OP_DESIGNATOR) {
        node->mask = t->mask;
        node->pieces = t->pieces;
    } else {
        node->number = t->number;
        parse_keep_text(node, t);
    }
    return node;
}

// `{3}`, which is a repetition only in a path or line; in CQLi elsewhere a number in braces
static Ast *parse_braced_number(Parser *p)
{
    const Token *t = parse_peek(p);
    if (!parse_begins_filter(t))
        fail_not_a_filter(p);
    Ast *node = parse_node(p, OP_COMPOUND, TYPE_INT, t->span),
        *number = parse_literal(p, OP_NUMBER, TYPE_INT);
    number->number = t->low;
    parse_add(p, node, number);
    return node;
}

static Ast *parse_punctuation(Parser *p)
{
    const Token *t = parse_peek(p);
    switch (t->number) {
    case PUNCT_LEFT_PAREN:
        return parse_parentheses(p);
    case PUNCT_LEFT_BRACE:
        return parse_braces(p);
    case PUNCT_DOT:
        return parse_node(p, OP_ALL_SQUARES, TYPE_SET, parse_next(p)->span);
    case PUNCT_EMPTY_SET:
        return parse_node(p, OP_NO_SQUARES, TYPE_SET, parse_next(p)->span);
    case PUNCT_COMPLEMENT:
        return parse_complement(p);
    case PUNCT_COUNT:
        return parse_count(p);
    case PUNCT_MINUS:
        return parse_minus(p);
    case PUNCT_FORALL:
        return parse_forall(p);
    case PUNCT_BACKQUOTE:
        return parse_identity(p);
    case PUNCT_DASH:
    case PUNCT_CAPTURE:
        return parse_bare_dash(p);
    default:
        fail_not_a_filter(p);
    }
}

static Ast *parse_plain_primary(Parser *p)
{
    switch (parse_peek(p)->kind) {
    case TOKEN_INTEGER:
        return parse_literal(p, OP_NUMBER, TYPE_INT);
    case TOKEN_STRING:
        return parse_literal(p, OP_STRING, TYPE_STRING);
    case TOKEN_REPETITION:
        return parse_braced_number(p);
    case TOKEN_GROUP:
        return parse_literal(p, OP_GROUP, TYPE_STRING);
    case TOKEN_GROUP_OFFSET:
        return parse_literal(p, OP_GROUP_OFFSET, TYPE_INT);
    case TOKEN_DESIGNATOR:
        return parse_literal(p, OP_DESIGNATOR, TYPE_SET);
    case TOKEN_IDENTIFIER:
        return parse_identifier(p);
    case TOKEN_PIECE_DECLARATION:
        return parse_piece_word(p);
    case TOKEN_LINE_COMMENT:
        return parse_line_comment(p);
    case TOKEN_PUNCTUATION:
        return parse_punctuation(p);
    case TOKEN_WORD:
        return parse_word(p);
    default:
        fail_not_a_filter(p);
    }
}

// The node that was put back and begins here, or NULL.
static Ast *take_back(Parser *p)
{
    while (own(p)->memo != NULL && (own(p)->memo->token != p->token || own(p)->memo->start < p->position))
        own(p)->memo = own(p)->memo->later;
    const Memo *memo = own(p)->memo;
    if (memo == NULL || memo->start != p->position)
        return NULL;
    own(p)->memo = memo->later;
    p->position = memo->end;
    return memo->node;
}

// primary (2.10)
Ast *parse_primary(Parser *p)
{
    Ast *again = take_back(p);
    if (again != NULL)
        return again;
    Span start = parse_peek(p)->span;
    parse_inwards(p, start);
    Ast *node = parse_plain_primary(p);
    parse_outwards(p);
    return parse_finish(p, node, start);
}
