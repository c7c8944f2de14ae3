// Values that are not conditions (language reference 2.3, 6.3). The check goes from the place of use down to
// the filter that is finally evaluated, since the same tree may be fine where its value is wanted.
#include "parser.h"

#include <string.h>

#include "compiler/language/hhdb.h"
#include "lexer.h"

// The part of a tree that makes it unfit as a condition, or NULL.
static const Ast *offender_of(const Ast *node)
{
    if (node->type == TYPE_BOOL)
        return NULL;
    switch (node->op) {
    case OP_IF: {
        const Ast *then = offender_of(node->kid[1]);
        return then != NULL ? then : offender_of(node->kid[2]);
    }
    case OP_VARIABLE:
        return node->type == TYPE_SET ? NULL : node;
    case OP_PLAYER:
        return node->flags & (AST_WHITE | AST_BLACK) ? NULL : node;
    case OP_HHDB:
        return node->number == HHDB_COMPOSER || node->number == HHDB_SEARCH ? node : NULL;
    case OP_PATHCOUNT:
        return node->number != 0 ? node : NULL;
    default:
        break;
    }
    switch (op_info[node->op].condition) {
    case CONDITION_ERROR:
        return node;
    case CONDITION_LAST:
        return node->range.present || node->kid_count == 0 ? NULL
                                                           : offender_of(node->kid[node->kid_count - 1]);
    default:
        return NULL;
    }
}

// `year 1990`: the numeric filter without operands before the number, or NULL.
static const char *number_word(const Parser *p, const Ast *number)
{
    const int i = p->position - 2;
    if (i < 0 || p->token[i + 1].span.start != number->span.start || p->token[i].kind != TOKEN_WORD)
        return NULL;
    const OpInfo *info = &op_info[p->token[i].op];
    return info->row == ROW_FILTER && info->type == TYPE_INT ? info->name : NULL;
}

// `tag "Round" "3"`: a string in front of the string.
static bool follows_string(const Parser *p, const Ast *string)
{
    const int i = p->position - 2;
    return i >= 0 && p->token[i + 1].span.start == string->span.start && p->token[i].kind == TOKEN_STRING;
}

// `white elo > 2500`, `elo > 2500 white`.
static bool is_about_rating(const Parser *p, const Ast *side)
{
    const int i = p->position - 1;
    if (i < 0 || p->token[i].span.start != side->span.start)
        return false;
    return p->token[i + 1].op == OP_ELO ||
           (i >= 3 && p->token[i - 1].kind == TOKEN_INTEGER && p->token[i - 3].op == OP_ELO);
}

// `0-0` and `0-0-0`, differences of numbers, which are always true.
static bool is_castling_of_digits(const Ast *node)
{
    if (node->op == OP_NUMBER)
        return node->number == 0;
    return node->op == OP_SUBTRACT && is_castling_of_digits(node->kid[0]) &&
           is_castling_of_digits(node->kid[1]);
}

// `e4` alone, by which a pawn on e4 is meant, or a move to e4.
static void warn_of_squares(Parser *p, Span span)
{
    const char *text = p->source->text + span.start;
    const bool single = span.end - span.start == 2 && is_file(text[0]) && is_rank(text[1]);
    const Token *before = p->position > 1 ? &p->token[p->position - 2] : NULL;
    const bool torn = before != NULL && before->kind == TOKEN_DESIGNATOR &&
                      before[1].span.start == span.start && before->span.end + 1 == span.start &&
                      text[-1] == ' ' && text[-2] > '9';
    const Span piece = torn ? before->span : span;
    const char *whole = torn ? arena_printf(p->arena, "%.*s%.*s", (int)(piece.end - piece.start),
                                            p->source->text + piece.start, (int)(span.end - span.start), text)
                             : arena_printf(p->arena, "P%.2s", single ? text : "e4");
    if (torn || single)
        parse_cure(p, (Span){piece.start, span.end}, whole);
    parse_warn(
        p, span,
        arena_printf(p->arena,
                     torn ? "squares without a piece always match; write no blank between: `%s`"
                          : "squares without a piece always match; write the piece before its squares: `%s`",
                     whole));
}

Ast *parse_as_condition(Parser *p, Ast *node)
{
    const Ast *offender = offender_of(node);
    if (node->op == OP_DESIGNATOR && node->pieces == ANY_SQUARE)
        warn_of_squares(p, node->span);
    if (node->op == OP_SUBTRACT && is_castling_of_digits(node))
        parse_warn(p, node->span, "a difference of numbers is always true; castling is `o-o` or `o-o-o`");
    if (offender != NULL && own(p)->cqli) { // 13.12
        if (offender->op == OP_NUMBER || offender->op == OP_STRING)
            parse_warn(p, offender->span, "as a condition, this value is always true");
        node->flags |= AST_AS_CONDITION;
        return node;
    }
    if (offender == NULL)
        return node;
    const char *what = op_info[offender->op].name;
    const Token *next = parse_peek(p);
    if (next->kind == TOKEN_IDENTIFIER && takes_text(offender->op) && name_find(p, next->bytes) == NULL)
        return node; // `player Carlsen`: the name is reported
    if (token_is_mark(next, PUNCT_ASSIGN))
        return node; // `player = …`: the sign is reported
    if (offender->op == OP_VARIABLE && offender->variable->hidden)
        parse_report(p, offender->span, "this parameter is %s, not a condition", type_noun(offender->type));
    else if (offender->op == OP_VARIABLE)
        parse_report(p, offender->span,
                     "the variable `%s` is %s, not a condition; compare it, or write `isbound %s`",
                     offender->variable->name, type_noun(offender->type), offender->variable->name);
    else if (offender->op == OP_NUMBER && number_word(p, offender) != NULL) {
        parse_cure(p, (Span){offender->span.start, offender->span.start}, "== ");
        parse_report(p, offender->span, "a number is not a condition; to compare, write `%s == %d`",
                     number_word(p, offender), offender->number);
    } else if (offender->op == OP_NUMBER && token_is_mark(next, PUNCT_DOT))
        parse_report(p, offender->span,
                     "a move number is not a filter; a sequence of moves is `path P--e4 p--e5 N--f3`");
    else if (offender->op == OP_STRING && follows_string(p, offender))
        parse_report(p, offender->span,
                     "a string is not a condition; to compare, write `==` or `~~` before it");
    else if (offender->op == OP_FEN && next->kind == TOKEN_INTEGER)
        parse_report(p, offender->span, "put the pattern of `fen` in double quotes: `fen \"8/8/…\"`");
    else if ((offender->op == OP_WHITE || offender->op == OP_BLACK) && is_about_rating(p, offender))
        parse_report(p, offender->span, "`%s` is a number, not a condition; the rating is `elo %s`", what,
                     what);
    else if (offender->op == OP_WHITE || offender->op == OP_BLACK) {
        const char *side = op_info[offender->op == OP_WHITE ? OP_WTM : OP_BTM].name;
        parse_cure(p, offender->span, side);
        parse_report(p, offender->span, "`%s` is a number, not a condition; for the side to move, write `%s`",
                     what, side);
    } else if (offender->op == OP_NUMBER || offender->op == OP_STRING)
        parse_report(p, offender->span, "%s is not a condition", type_noun(offender->type));
    else
        parse_report(p, offender->span, "`%s` is %s, not a condition; compare it with something", what,
                     type_noun(offender->type));
    return node;
}
