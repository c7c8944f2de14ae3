// The filters `path` and `line` (language reference 5).
#include "parser.h"

#include <string.h>

// ---- wildcards --------------------------------------------------------------------------------------------

static bool is_wildcard(const Token *t)
{
    if (t->kind == TOKEN_REPETITION)
        return true;
    if (t->kind != TOKEN_PUNCTUATION)
        return false;
    if (t->number == PUNCT_PLUS || t->number == PUNCT_STAR)
        return (t->flags & TOKEN_WILDCARD) != 0;
    return t->number == PUNCT_BRACE_STAR || t->number == PUNCT_BRACE_PLUS || t->number == PUNCT_QUESTION;
}

static bool is_plus(const Token *t)
{
    return t->kind == TOKEN_PUNCTUATION && (t->number == PUNCT_PLUS || t->number == PUNCT_BRACE_PLUS);
}

static Ast *parse_repeat(Parser *p, Ast *constituent, int32_t low, int32_t high)
{
    Ast *node = parse_node(p, OP_REPEAT, TYPE_BOOL, constituent->span);
    parse_add(p, node, constituent);
    node->low = low;
    node->high = high;
    return parse_finish(p, node, constituent->span);
}

// wildcard = "*" | "+" | "?" | "{*}" | "{+}" | rep
static Ast *parse_wildcard(Parser *p, Ast *constituent)
{
    const Token *t = parse_next(p);
    if (t->kind != TOKEN_REPETITION)
        return parse_repeat(p, constituent, is_plus(t), t->number == PUNCT_QUESTION ? 1 : REPEAT_UNLIMITED);
    Ast *node = parse_repeat(p, constituent, t->low, t->high);
    node->number = 1; // `{0,1}` is not quite `?` (5.5)
    return node;
}

// ---- filters as constituents ------------------------------------------------------------------------------

// Numbers are nearly always misreadings there, so they are refused (5.2).
static Ast *check_constituent(Parser *p, Ast *filter, const char *construct)
{
    const Ast *inner = ast_unwrap(filter);
    bool arithmetic = inner->op >= OP_ADD && inner->op <= OP_MODULO;
    bool variable = inner->op == OP_VARIABLE && inner->type == TYPE_INT;
    if (inner->op == OP_NUMBER || arithmetic || variable)
        parse_fail(p, inner->span, "%s cannot be a filter of a `%s`; compare it with something, in braces",
                   inner->op == OP_NUMBER ? "a number"
                   : variable             ? "a numeric variable"
                                          : "an arithmetic expression",
                   construct);
    return parse_as_condition(p, filter);
}

// ---- path: constituents -----------------------------------------------------------------------------------

// A constituent or target may begin. In `x=path --{2} x>1`, where nothing introduces x before, the path ends before
// the second x (5.2).
static bool at_path_filter(Parser *p)
{
    const Token *t = parse_peek(p);
    const char *assigned = own(p)->here.assigned;
    const bool itself = assigned != NULL && t->kind == TOKEN_IDENTIFIER && strcmp(t->bytes, assigned) == 0 &&
                        !is_assignment_mark(parse_peek_at(p, 1));
    return parse_begins_filter(t) && !(itself && name_find(p, assigned) == NULL);
}

// A filter where a dash constituent may begin too: a set that touches a dash on its right is the left operand
// of that dash, and comes back in *left. NULL without *left: a move in braces, which ends the path (5.2) and
// is put back. leading: nothing precedes that it could end.
static Ast *parse_path_filter(Parser *p, Ast **left, bool leading)
{
    int start = p->position;
    Ast *first = parse_arrow(p);
    const Token *t = parse_peek(p);
    if (first->type == TYPE_SET && parse_is_dash(t) && t->flags & TOKEN_LEFT_TIE) {
        *left = first;
        return NULL;
    }
    Ast *filter = parse_filter_from(p, first);
    // A move in braces, which may contain more brackets, is neither a constituent nor a target.
    if (filter->op != OP_COMPOUND || ast_unwrap(filter)->op != OP_DASH)
        return filter;
    if (leading || filter->flags & AST_PAREN)
        parse_fail(p, filter->span,
                   "a move in braces is not part of a path; write it without braces, or as `{true --}`");
    parse_warn(p, filter->span,
               "a move in braces ends the path before it; for a filter of the path, write `{true --}`");
    parse_put_back(p, filter, start, start);
    return NULL;
}

// `(K--)` after a dash constituent: a chain after all.
static Ast *chain_of_move(Parser *p, Ast *move)
{
    Ast *chain = parse_node(p, OP_GROUP_CHAIN, TYPE_BOOL, move->span);
    for (int i = 0; i < move->kid_count; i++)
        check_constituent(p, move->kid[i], "path");
    move->op = OP_PATH_DASH;
    move->type = TYPE_BOOL;
    move->flags &= ~(unsigned)AST_PAREN;
    parse_add(p, chain, move);
    return chain;
}

// { filter }: the targets of a dash. *left: the left operand of the dash that follows; *chain: a chain that
// follows.
static void parse_targets(Parser *p, Ast *dash, Ast **left, Ast **chain)
{
    for (;;) {
        if (parse_is_dash(parse_peek(p)) || is_wildcard(parse_peek(p)) || !at_path_filter(p))
            return;
        Ast *filter = parse_path_filter(p, left, false);
        if (filter == NULL)
            return;
        if (filter->op == OP_DASH && filter->flags & AST_PAREN) {
            *chain = chain_of_move(p, filter);
            return;
        }
        parse_add(p, dash, check_constituent(p, filter, "path"));
    }
}

static void add_constituent(Parser *p, Ast *parent, Ast *constituent)
{
    if (is_wildcard(parse_peek(p)))
        constituent = parse_wildcard(p, constituent);
    parse_add(p, parent, constituent);
    if (is_wildcard(parse_peek(p)))
        parse_fail(p, parse_peek(p)->span,
                   "two wildcards in a row; put the constituent with the first one in "
                   "parentheses");
}

// [ arrow-x ] dash [ arrow-x ] [ "=" … ] { filter } [ wildcard ]
static void parse_dash_constituent(Parser *p, Ast *parent, Ast **left)
{
    Ast *chain = NULL, *dash = parse_path_dash(p, *left);
    *left = NULL;
    parse_targets(p, dash, left, &chain);
    parse_finish(p, dash, dash->span);
    if (chain == NULL && *left == NULL) {
        add_constituent(p, parent, dash);
        return;
    }
    parse_add(p, parent, dash);
    if (chain != NULL)
        add_constituent(p, parent, chain);
}

static void parse_constituents(Parser *p, Ast *parent);

// "(" path-con { path-con } ")"
static Ast *parse_chain(Parser *p)
{
    Surroundings outer = parse_enter(p);
    Ast *chain = parse_node(p, OP_GROUP_CHAIN, TYPE_BOOL, parse_next(p)->span);
    parse_inwards(p, chain->span);
    parse_constituents(p, chain);
    if (chain->kid_count == 0)
        parse_fail_found(p, "expected a constituent of the path");
    parse_outwards(p);
    parse_leave(p, outer);
    parse_expect(p, PUNCT_RIGHT_PAREN, "after the constituents in parentheses");
    return parse_finish(p, chain, chain->span);
}

// { path-con }
static void parse_constituents(Parser *p, Ast *parent)
{
    for (Ast *left = NULL;;) {
        const Token *t = parse_peek(p);
        if (left != NULL || parse_is_dash(t)) {
            parse_dash_constituent(p, parent, &left);
            continue;
        }
        if (parse_at(p, PUNCT_LEFT_PAREN)) {
            add_constituent(p, parent, parse_chain(p));
            continue;
        }
        if (is_wildcard(t))
            parse_fail_found(p, "a wildcard must follow a move or a group in parentheses");
        if (!at_path_filter(p))
            return;
        Ast *filter = parse_path_filter(p, &left, parent->kid_count == 0);
        if (filter == NULL && left == NULL)
            return;
        if (filter == NULL)
            continue;
        parse_add(p, parent, check_constituent(p, filter, "path"));
        if (is_wildcard(parse_peek(p)))
            parse_fail(p, parse_peek(p)->span,
                       "a filter that is not the target of a move cannot be repeated; write "
                       "`-- FILTER` or put it in parentheses");
    }
}

// ---- path: parameters -------------------------------------------------------------------------------------

// A parameter without operand, one of the flags `allowed`.
static bool take_flag(Parser *p, Ast *node, unsigned allowed)
{
    const Token *t = parse_peek(p);
    const unsigned before = node->flags & ~(unsigned)AST_LASTPOSITION;
    if (!parse_take_flag(p, node, allowed))
        return false;
    if (op_info[t->op].flag & before)
        parse_fail(p, t->span, "`%s` is given twice in one `%s`", t->bytes, op_info[node->op].name);
    return true;
}

// "focus" [ "capture" ] set-arg
static void parse_focus(Parser *p, Ast *node)
{
    const Token *word = parse_next(p);
    if (node->kid_left != NULL)
        parse_fail(p, word->span, "`focus` is given twice in one `path`");
    if (parse_take_word(p, OP_WORD_CAPTURE))
        node->flags |= AST_CAPTURE;
    if (!parse_begins_filter(parse_peek(p)))
        parse_fail_found(p, "`focus` needs a set");
    node->kid_left = parse_set_arg(p, OP_WORD_FOCUS);
}

// "max" filter
static void parse_max(Parser *p, Ast *node)
{
    const Token *word = parse_next(p);
    if (node->kid_right != NULL)
        parse_fail(p, word->span, "`max` is given twice in one `path`");
    if (!parse_begins_filter(parse_peek(p)))
        parse_fail_found(p, "`max` needs a numeric filter");
    node->kid_right = parse_require_op(p, parse_filter(p), TYPE_INT, OP_MAX);
}

// path-param = "primary" | "singlecolor" | "nestban" | "firstmatch" | "lastposition" | "keepallbest"
//            | "quiet" | "verbose" | "piecepath" | "title" quoted | "max" filter
//            | "focus" [ "capture" ] set-arg | range
// One; false when there is none.
static bool parse_path_parameter(Parser *p, Ast *node)
{
    const unsigned flags = AST_PRIMARY | AST_SINGLECOLOR | AST_NESTBAN | AST_FIRSTMATCH | AST_LASTPOSITION |
                           AST_KEEPALLBEST | AST_QUIET | AST_VERBOSE | AST_PIECEPATH;
    if (take_flag(p, node, flags))
        return true;
    if (parse_at_word(p, OP_SECONDARY))
        parse_fail(p, parse_peek(p)->span,
                   "`secondary` is not a parameter of `path`; for the filter write `{secondary}`");
    if (parse_take_word(p, OP_WORD_TITLE)) {
        const Token *t = parse_quoted(p, "the title of the path");
        node->text = t->bytes;
        node->text_length = t->length;
        return true;
    }
    if (parse_at_word(p, OP_MAX)) {
        parse_max(p, node);
        return true;
    }
    if (parse_at_word(p, OP_WORD_FOCUS)) {
        parse_focus(p, node);
        return true;
    }
    if (!node->range.present)
        node->range = parse_range(p);
    else
        return false;
    return node->range.present;
}

static void check_path_parameters(Parser *p, const Ast *node, Span span)
{
    bool single = (node->flags & AST_SINGLECOLOR) != 0, focus = node->kid_left != NULL;
    if (node->flags & AST_PRIMARY && (focus || single))
        parse_fail(p, span, "`primary` cannot be combined with `%s`", focus ? "focus" : "singlecolor");
    if (focus && single)
        parse_fail(p, span, "`focus` cannot be combined with `singlecolor`");
    if (node->flags & AST_PIECEPATH && !focus && !single)
        parse_fail(p, span, "`piecepath` needs `focus` or `singlecolor`");
}

// "path" { path-param } path-con { path-con }
Ast *parse_path(Parser *p)
{
    const Token *word = parse_next(p);
    Ast *node = parse_node(p, OP_PATH, TYPE_INT, word->span);
    Surroundings outer = own(p)->here;
    own(p)->here.dash_right = false;
    own(p)->here.open_paths++;
    own(p)->inside_path++;
    while (parse_path_parameter(p, node))
        ;
    check_path_parameters(p, node, parse_span_from(p, word->span));
    parse_constituents(p, node);
    if (node->kid_count == 0)
        parse_fail_found(p, "expected a constituent of the path, such as `--`");
    own(p)->inside_path--;
    own(p)->here = outer;
    node->type = node->flags & AST_LASTPOSITION ? TYPE_POSITION : TYPE_INT;
    return node;
}

// ---- line -------------------------------------------------------------------------------------------------

// A line while its constituents are read.
typedef struct LineSyntax {
    enum Punctuation arrow;
    bool unlinked; // `nolinearize`
} LineSyntax;

// The number of tokens of a repetition written with white space, which is next; 0: there is none. high: -1 when only one
// number is written.
static int spaced_repetition_at(Parser *p, int32_t *low, int32_t *high)
{
    int at = 1;
    *low = *high = -1;
    if (parse_peek_at(p, at)->kind == TOKEN_INTEGER)
        *low = parse_peek_at(p, at++)->number;
    if (token_is_mark(parse_peek_at(p, at), PUNCT_COMMA)) {
        *low = *low < 0 ? 0 : *low;
        *high = REPEAT_UNLIMITED;
        at++;
    }
    if (parse_peek_at(p, at)->kind == TOKEN_INTEGER)
        *high = parse_peek_at(p, at++)->number;
    const bool whole =
        parse_at(p, PUNCT_LEFT_BRACE) && token_is_mark(parse_peek_at(p, at), PUNCT_RIGHT_BRACE);
    return whole && *low >= 0 ? at + 1 : 0;
}

// "{" int [ int ] "}" | "{" int "," "}" | "{" "," int "}" | "{" int "," int "}", of `count` tokens
static Ast *parse_spaced_repetition(Parser *p, Ast *constituent, int count, int32_t low, int32_t high)
{
    const Span start = parse_peek(p)->span;
    p->position += count;
    const Span span = parse_span_from(p, start);
    const int32_t most = high < 0 ? low : high;
    if (low > REPEAT_UNLIMITED || most > REPEAT_UNLIMITED)
        parse_fail(p, span, "repetition too large: the greatest number is %d", REPEAT_UNLIMITED);
    if (most < low)
        parse_fail(p, span, "repetition with a maximum below the minimum");
    parse_accept_cqli(
        p, span,
        high < 0 ? arena_printf(p->arena, "a repetition with spaces (CQL 6.2: `{%d}`)", low)
                 : arena_printf(p->arena, "a repetition with a space (CQL 6.2: `{%d,%d}`)", low, most));
    return parse_repeat(p, constituent, low, most);
}

// { wildcard }
static Ast *parse_line_wildcards(Parser *p, Ast *constituent)
{
    int32_t low, high;
    for (bool after_plus = false;;) {
        const Token *t = parse_peek(p);
        const int spaced = spaced_repetition_at(p, &low, &high);
        if (!is_wildcard(t) && spaced == 0)
            break;
        if (ast_can_be_empty(constituent))
            parse_fail(p, t->span, "this wildcard repeats something that can match no position at all");
        if (after_plus && (is_plus(t) || t->kind == TOKEN_REPETITION || spaced > 0))
            parse_fail(p, t->span, "%s cannot follow `+`", parse_text(p, t));
        after_plus = is_plus(t);
        constituent = spaced > 0 ? parse_spaced_repetition(p, constituent, spaced, low, high)
                                 : parse_wildcard(p, constituent);
    }
    if (parse_at(p, PUNCT_PLUS) || parse_at(p, PUNCT_STAR))
        parse_fail(p, parse_peek(p)->span, "`%s` is arithmetic here; write `{%s}`, or put the line in braces",
                   punctuation_spelling[parse_peek(p)->number], punctuation_spelling[parse_peek(p)->number]);
    return constituent;
}

// `atomic` before a filter that is no assignment (13.6).
static bool take_atomic(Parser *p)
{
    const Token *t = parse_peek(p);
    if (!parse_at_word(p, OP_WORD_ATOMIC) || is_assignment_mark(parse_peek_at(p, 2)))
        return false;
    parse_accept_cqli(p, t->span, "a filter marked `atomic`");
    parse_next(p);
    return true;
}

// [ "atomic" ] filter, of a constituent. With `atomic`, or `nolinearize` for all, it is evaluated like `currentposition:F`, whose
// `move` filters are not linked.
static Ast *parse_line_filter(Parser *p, const LineSyntax *line)
{
    const bool unlinked = take_atomic(p) || line->unlinked;
    Ast *filter = check_constituent(p, parse_filter(p), "line");
    if (!unlinked)
        return filter;
    Ast *node = parse_node(p, OP_AT, filter->type, filter->span);
    parse_add(p, node, parse_node(p, OP_CURRENTPOSITION, TYPE_POSITION, filter->span));
    parse_add(p, node, filter);
    return parse_finish(p, node, filter->span);
}

static void parse_line_constituents(Parser *p, Ast *parent, const LineSyntax *line);

// ( filter | "(" line-con { arrow line-con } ")" ) { wildcard }
static Ast *parse_line_constituent(Parser *p, const LineSyntax *line)
{
    if (!parse_at(p, PUNCT_LEFT_PAREN)) {
        if (!parse_begins_filter(parse_peek(p)))
            parse_fail_found(p, "expected a filter after `%s`", punctuation_spelling[line->arrow]);
        return parse_line_wildcards(p, parse_line_filter(p, line));
    }
    Surroundings outer = parse_enter(p);
    Ast *group = parse_node(p, OP_GROUP_CHAIN, TYPE_BOOL, parse_next(p)->span);
    parse_inwards(p, group->span);
    parse_line_constituents(p, group, line);
    parse_outwards(p);
    parse_leave(p, outer);
    if (!parse_at(p, PUNCT_RIGHT_PAREN))
        parse_fail_found(p, "expected `%s` or `)`; a constituent of a line is one filter (several in braces)",
                         punctuation_spelling[line->arrow]);
    parse_next(p);
    return parse_line_wildcards(p, parse_finish(p, group, group->span));
}

// line-con { arrow line-con }
static void parse_line_constituents(Parser *p, Ast *parent, const LineSyntax *line)
{
    do
        parse_add(p, parent, parse_line_constituent(p, line));
    while (parse_take(p, line->arrow));
    if (parse_at(p, PUNCT_LINE_LEFT) || parse_at(p, PUNCT_LINE_RIGHT))
        parse_fail(p, parse_peek(p)->span, "all arrows of a line must have the same direction");
}

static void check_line_parameters(Parser *p, const Ast *node, Span span)
{
    if (node->flags & AST_PRIMARY && node->flags & AST_SECONDARY)
        parse_fail(p, span, "`primary` and `secondary` exclude each other");
    if (node->flags & AST_BACKWARD && node->flags & (AST_PRIMARY | AST_SECONDARY | AST_NESTBAN))
        parse_fail(p, span, "`primary`, `secondary` and `nestban` have no meaning in a line with `<--`");
}

// line-param = "singlecolor" | "primary" | "secondary" | "nestban" | "firstmatch" | "lastposition" | "quiet" | range
//            | "keepallbest" | "nolinearize" | "nonatomic"    of CQLi (13.6)
// One; false when there is none.
static bool parse_line_parameter(Parser *p, Ast *node, LineSyntax *line)
{
    const Token *t = parse_peek(p);
    const unsigned flags = AST_SINGLECOLOR | AST_PRIMARY | AST_SECONDARY | AST_NESTBAN | AST_FIRSTMATCH |
                           AST_LASTPOSITION | AST_QUIET | AST_KEEPALLBEST;
    const bool free = t->kind == TOKEN_IDENTIFIER && name_find(p, t->bytes) == NULL;
    const int op = free ? op_from_word(t->bytes, t->length, IN_CQLI_PARAMETERS) : t->op;
    const bool new_in_cqli =
        op == OP_WORD_KEEPALLBEST || op == OP_WORD_NOLINEARIZE || op == OP_WORD_NONATOMIC;
    if (new_in_cqli)
        parse_accept_cqli(p, t->span, arena_printf(p->arena, "the parameter `%s` of `line`", t->bytes));
    if (take_flag(p, node, flags))
        return true;
    if (new_in_cqli) {
        line->unlinked |= op == OP_WORD_NOLINEARIZE;
        parse_next(p);
        return true;
    }
    if (node->range.present)
        return false;
    node->range = parse_range(p);
    return node->range.present;
}

// "line" { line-param } arrow line-con { arrow line-con }
Ast *parse_line(Parser *p)
{
    const Token *word = parse_next(p);
    Ast *node = parse_node(p, OP_LINE, TYPE_INT, word->span);
    LineSyntax line = {0};
    while (parse_line_parameter(p, node, &line))
        ;
    if (!parse_at(p, PUNCT_LINE_LEFT) && !parse_at(p, PUNCT_LINE_RIGHT))
        parse_fail_found(p, "expected `-->`, `<--` or a parameter of `line`");
    line.arrow = (enum Punctuation)parse_next(p)->number;
    node->flags |= line.arrow == PUNCT_LINE_LEFT ? AST_BACKWARD : 0;
    check_line_parameters(p, node, parse_span_from(p, word->span));
    parse_line_constituents(p, node, &line);
    node->type = node->flags & AST_LASTPOSITION ? TYPE_POSITION : TYPE_INT;
    return node;
}

// ---- filters inside paths ---------------------------------------------------------------------------------

// "pathstart" | "pathlastposition" | "pathcount" | "pathcountunfocused" | "pathdebug"
void finish_path_status(Parser *p, Ast *node, const Token *word)
{
    if (node->op == OP_PATHDEBUG && own(p)->inside_path == 0)
        parse_fail(p, word->span, "`pathdebug` is allowed only inside a path");
    node->number = own(p)->inside_path > 0;
}
