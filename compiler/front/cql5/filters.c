// Filters of CQL 5 about one position, loops over squares and pieces, and transforms (language reference 11.2
// - 11.4, 11.6).
#include "parser.h"

#include <string.h>

#include "runtime/chess/chess.h"

static Ast *parse_primary(Parser *p);

// ---- the filter ------------------------------------------------------------------------------------------

bool cql5_begins_filter(const Token *t)
{
    switch (t->kind) {
    case TOKEN_DESIGNATOR:
        return true;
    case TOKEN_PUNCTUATION:
        return t->number == PUNCT_DOT || t->number == PUNCT_LEFT_BRACE;
    case TOKEN_WORD:
        return op_info[t->op].row == ROW_FILTER || op_info[t->op].row == ROW_OLDER;
    default:
        return false;
    }
}

static bool at_filter(Parser *p)
{
    return cql5_begins_filter(parse_peek(p));
}

// filter = primary [ "or" filter | "on" set ]
Ast *cql5_filter(Parser *p)
{
    const Token *start = parse_peek(p);
    parse_inwards(p, start->span);
    Ast *node = parse_primary(p);
    if (parse_take_word(p, OP_CQL5_OR)) {
        Ast *right = cql5_filter(p);
        const bool sets = node->type == TYPE_SET && right->type == TYPE_SET;
        if (!sets) {
            node = cql5_as_condition(p, node);
            right = cql5_as_condition(p, right);
        }
        node = build_pair(p->arena, OP_OR, sets ? TYPE_SET : TYPE_BOOL, node, right);
    } else if (parse_take_word(p, OP_CQL5_ON)) {
        node = cql5_as_set(p, node, "the left side of `on` (in CQL 6.2 `&`)");
        node = build_pair(p->arena, OP_INTERSECT, TYPE_SET, node,
                          cql5_set(p, "the right side of `on` (in CQL 6.2 `&`)"));
    }
    parse_outwards(p);
    return node;
}

Ast *cql5_condition(Parser *p)
{
    return cql5_as_condition(p, cql5_filter(p));
}

Ast *cql5_set(Parser *p, const char *where)
{
    if (!at_filter(p))
        parse_fail_found(p, "%s needs a set of squares", where);
    return cql5_as_set(p, cql5_filter(p), where);
}

// "{" filter { filter } "}"
static Ast *parse_braces(Parser *p)
{
    const Token *open = parse_next(p);
    if (!at_filter(p))
        parse_fail_found(p, "expected a filter in the braces");
    Ast *first = cql5_filter(p);
    if (parse_take(p, PUNCT_RIGHT_BRACE))
        return first;
    Ast *node = build_with(p->arena, OP_COMPOUND, TYPE_BOOL, cql5_as_condition(p, first));
    while (at_filter(p))
        parse_add(p, node, cql5_condition(p));
    if (parse_peek(p)->kind == TOKEN_END)
        parse_fail(p, open->span, "this brace is never closed");
    parse_expect(p, PUNCT_RIGHT_BRACE, "or a filter");
    parse_finish(p, node, open->span);
    return node;
}

// ---- designators and variables ---------------------------------------------------------------------------

static Cql5Scope *find_variable(Parser *p, const char *name)
{
    for (Cql5Scope *s = own(p)->scope; s != NULL; s = s->outer)
        if (strcmp(s->variable->name, name) == 0)
            return s;
    return NULL;
}

static bool is_lone_variable(const Token *t)
{
    return t->kind == TOKEN_DESIGNATOR && t->flags == 0 && t->number == 1;
}

// The text that was skipped after an error may bind the variable.
static bool may_be_skipped(Parser *p, const char *name)
{
    for (int i = 0; i < own(p)->skipped; i++)
        if (is_lone_variable(&p->token[i]) && strcmp(p->token[i].bytes, name) == 0)
            return true;
    return false;
}

static void report_unbound(Parser *p, const char *name, Span span)
{
    if (may_be_skipped(p, name))
        return;
    parse_report(p, span,
                 "the variable `%s` is not bound here: no `square` or `piece` around it binds this name",
                 name);
    const char **names = NULL;
    int count = 0;
    for (const Cql5Scope *s = own(p)->scope; s != NULL; s = s->outer)
        ARENA_PUSH(p->arena, names, count, s->variable->name);
    diag_suggest(p->diagnostics, name, strlen(name), names, (size_t)count);
}

static Ast *all_squares(Parser *p, Span span)
{
    return parse_node(p, OP_ALL_SQUARES, TYPE_SET, span);
}

static Ast *parse_variable(Parser *p, const char *name, Span span)
{
    const Cql5Scope *s = find_variable(p, name);
    if (s == NULL) {
        report_unbound(p, name, span);
        return all_squares(p, span);
    }
    Ast *node = parse_node(p, OP_VARIABLE, TYPE_SET, span);
    node->variable = s->variable;
    return node;
}

// designator = [ pieces ] [ squares ] { variable }
static Ast *parse_designator(Parser *p)
{
    const Token *t = parse_next(p);
    Ast *node = NULL;
    if (t->flags != 0) {
        node = parse_node(p, OP_DESIGNATOR, TYPE_SET, t->span);
        node->pieces = t->pieces;
        node->mask = t->mask;
    }
    for (int i = 0; i < t->number; i++) {
        Ast *variable = parse_variable(p, cql5_variable_name(p->arena, t, i), t->span);
        node = node == NULL ? variable : build_pair(p->arena, OP_INTERSECT, TYPE_SET, node, variable);
    }
    return node;
}

// "any" of 5.1
static Ast *parse_any_squares(Parser *p)
{
    const Token *t = parse_next(p);
    if (!own(p)->old)
        parse_report(
            p, t->span,
            "`any` was the set of all squares in CQL 5.1; write `.`, as in CQL 6.2, or begin the file with "
            "`; dialect: cql51`");
    return all_squares(p, t->span);
}

// ---- filters by their rows -------------------------------------------------------------------------------

static void parse_part(Parser *p, Ast *node, Op word, const SyntaxPart *part)
{
    const char *where = cql5_spelling(p, word);
    switch (part->kind) {
    case SYNTAX_OPEN:
        parse_expect(p, PUNCT_LEFT_PAREN, arena_printf(p->arena, "before the two sets of %s", where));
        break;
    case SYNTAX_CLOSE:
        parse_expect(p, PUNCT_RIGHT_PAREN, arena_printf(p->arena, "after the two sets of %s", where));
        break;
    case SYNTAX_RANGE:
        node->range = part->optional ? cql5_range(p) : cql5_required_range(p, word);
        break;
    case SYNTAX_FLAGS:
        node->flags |= cql5_colour(p);
        break;
    case SYNTAX_SEARCH:
    case SYNTAX_QUOTED:
        cql5_set_text(node, cql5_string(p, word));
        node->type = TYPE_BOOL;
        break;
    case SYNTAX_FILTER:
        if (!at_filter(p))
            parse_fail_found(p, "expected a filter after `%s`", op_info[word].name);
        parse_add(p, node, cql5_filter(p));
        break;
    default:
        parse_add(p, node, cql5_set(p, where));
    }
}

static void finish_direction(Parser *p, Ast *node, Op word)
{
    const Range range = node->range;
    node->number = directions_of(word);
    if (range.present && (range.low.value < -7 || range.high.value > 7))
        parse_report(p, node->span, "a direction can go at most 7 squares, but its range is %d %d",
                     range.low.value, range.high.value);
}

static void finish_transform(Parser *p, Ast *node)
{
    Ast **operand = &node->kid[0];
    node->low = CQL5_COPIES;
    if (node->range.present || (*operand)->type != TYPE_SET)
        *operand = cql5_as_condition(p, *operand);
    node->type = node->range.present ? TYPE_INT : (*operand)->type == TYPE_SET ? TYPE_SET : TYPE_BOOL;
}

// The meaning of the filter, from its row.
static Ast *by_meaning(Parser *p, Ast *node, Op word)
{
    Ast *const *kid = node->kid;
    const int kids = node->kid_count;
    Ast *meaning =
        cql5_tree(p, node->span, op_info[word].meaning, kids > 0 ? kid[0] : NULL, kids > 1 ? kid[1] : NULL);
    return node->range.present ? build_in_range(p->arena, meaning, node->range) : meaning;
}

// word operands, by the syntax of the row
static Ast *parse_by_syntax(Parser *p)
{
    const Token *t = parse_next(p);
    const Op word = (Op)t->op, op = op_info[word].canonical;
    const Type type = op_info[op].type;
    Ast *node = parse_node(p, op, type == TYPE_ANY ? TYPE_BOOL : type, t->span);
    SyntaxPart part;
    for (const char *syntax = op_info[op_info[word].syntax != NULL ? word : op].syntax;
         syntax_next(&syntax, &part);)
        parse_part(p, node, word, &part);
    if (directions_of(word) != 0)
        finish_direction(p, node, word);
    if (op_is_transform(op))
        finish_transform(p, node);
    parse_finish(p, node, t->span);
    return op_info[word].meaning != NULL ? by_meaning(p, node, word) : node;
}

// "exactfen" quoted
static Ast *parse_exactfen(Parser *p)
{
    const Token *word = parse_next(p);
    Ast *node = parse_node(p, OP_EXACTFEN, TYPE_BOOL, word->span);
    parse_exact_position(p, node, cql5_string(p, OP_EXACTFEN));
    return parse_finish(p, node, word->span);
}

// "attack" [ range ] "(" set set ")"
static Ast *parse_attack(Parser *p)
{
    const Span start = parse_next(p)->span;
    Ast *node = parse_node(p, OP_ATTACK_PAIRS, TYPE_INT, start);
    SyntaxPart part;
    for (const char *syntax = "[range] (set set)"; syntax_next(&syntax, &part);)
        parse_part(p, node, OP_CQL5_ATTACK, &part);
    parse_finish(p, node, start);
    const Range range = node->range;
    node->range = (Range){0};
    if (range.present)
        return build_in_range(p->arena, node, range);
    return cql5_tree(p, node->span, "$2 attackedby $1", node->kid[0], node->kid[1]);
}

// ---- rays ---------------------------------------------------------------------------------

// raydirs = "attack" | "attacks" | direction { direction }
static void parse_ray_directions(Parser *p, Ast *node)
{
    if (parse_take_word(p, OP_CQL5_ATTACK) || parse_take_word(p, OP_CQL5_ATTACKS)) {
        node->flags |= AST_CAPTURE;
        return;
    }
    while (parse_peek(p)->kind == TOKEN_WORD && directions_of((Op)parse_peek(p)->op) != 0) {
        const Token *t = parse_next(p);
        if (node->number & directions_of((Op)t->op))
            parse_report(p, t->span, "the direction `%s` is named twice", t->bytes);
        node->number |= directions_of((Op)t->op);
    }
}

// "ray" [ range ] [ raydirs ] "(" set set { set } ")"
static Ast *parse_ray(Parser *p)
{
    const Span start = parse_next(p)->span;
    const Range range = cql5_range(p);
    Ast *node =
        parse_node(p, range.present ? OP_RAY_PAIRS : OP_RAY, range.present ? TYPE_INT : TYPE_SET, start);
    parse_ray_directions(p, node);
    parse_expect(p, PUNCT_LEFT_PAREN, "before the sets of `ray`");
    while (at_filter(p))
        parse_add(p, node, cql5_set(p, "`ray`"));
    parse_expect(p, PUNCT_RIGHT_PAREN, "after the sets of `ray`");
    parse_finish(p, node, start);
    if (node->kid_count < 2)
        parse_report(p, node->span, "`ray` needs at least two sets");
    return range.present ? build_in_range(p->arena, node, range) : node;
}

// ---- loops -----------------------------------------------------------------------------------------------

// The variable that a loop binds: one token of `$` and a name.
static const char *parse_loop_variable(Parser *p, bool piece)
{
    const Token *t = parse_peek(p);
    if (!is_lone_variable(t))
        parse_fail_found(p, "expected a variable such as `$x` after `%s`", piece ? "piece" : "square");
    const char *text = parse_next(p)->bytes;
    for (int i = 0; i < own(p)->name_count; i++) {
        if (strcmp(own(p)->name[i].text, text) != 0)
            continue;
        if (own(p)->name[i].piece != piece)
            parse_report(p, t->span, "`%s` is a %s variable in this file and cannot be a %s variable too",
                         text, piece ? "square" : "piece", piece ? "piece" : "square");
        return text;
    }
    const Cql5Name name = {text, piece};
    ARENA_PUSH(p->arena, own(p)->name, own(p)->name_count, name);
    return text;
}

// `origin $p` reads a set that is stored when the piece is bound.
static Ast *remember_origin(Parser *p, const Cql5Scope *s, Ast *body)
{
    if (s->origin == NULL)
        return body;
    Ast *square = build_read(p->arena, s->variable, body->span);
    return build_pair(
        p->arena, OP_COMPOUND, TYPE_BOOL,
        cql5_tree(p, body->span, "$1 = $2", build_read(p->arena, s->origin, body->span), square), body);
}

// filter { filter } up to the end of the brace, parenthesis or file
static Ast *parse_loop_body(Parser *p, const Token *word, bool may_be_empty)
{
    Ast *body = parse_node(p, OP_COMPOUND, TYPE_BOOL, parse_peek(p)->span);
    while (at_filter(p))
        parse_add(p, body, cql5_condition(p));
    if (body->kid_count == 0 && !may_be_empty)
        parse_fail_found(p, "`%s` needs at least one filter as its body", word->bytes);
    if (body->kid_count == 0)
        parse_add(p, body, parse_node(p, OP_TRUE, TYPE_BOOL, body->span));
    return body->kid_count == 1 ? body->kid[0] : body;
}

// ( "square" | "piece" ) [ range ] variable "in" set filter { filter } | "square" "all" variable [ "in" set ]
// { filter }
static Ast *parse_loop(Parser *p)
{
    const Token *word = parse_next(p);
    const bool piece = word->op == OP_CQL5_PIECE, all = !piece && parse_take_word(p, OP_CQL5_ALL);
    const Range range = all ? (Range){0} : cql5_range(p);
    Ast *node = parse_node(p, OP_SET_LOOP, all ? TYPE_BOOL : TYPE_SET, word->span);
    node->flags = (piece ? AST_PIECES : 0) | (all ? AST_ALL : 0);
    const char *name = parse_loop_variable(p, piece);
    if (parse_take_word(p, OP_CQL5_IN))
        parse_add(p, node, cql5_set(p, piece ? "`piece`" : "`square`"));
    else if (all)
        parse_add(p, node, all_squares(p, word->span));
    else
        parse_fail_found(p, "expected `in` after the variable of `%s`", word->bytes);
    node->variable = cql5_variable(p, name, piece ? VARIABLE_PIECE : VARIABLE_SET, word->span);
    Cql5Scope scope = {node->variable, NULL, own(p)->scope};
    own(p)->scope = &scope;
    Ast *body = parse_loop_body(p, word, all);
    own(p)->scope = scope.outer;
    parse_add(p, node, remember_origin(p, &scope, body));
    parse_finish(p, node, word->span);
    return range.present ? build_in_range(p->arena, build_with(p->arena, OP_COUNT_SET, TYPE_INT, node), range)
                         : node;
}

// "origin" variable
static Ast *parse_origin(Parser *p)
{
    const Token *word = parse_next(p), *t = parse_peek(p);
    if (!is_lone_variable(t))
        parse_fail_found(p, "expected a piece variable after `origin`");
    parse_next(p);
    Cql5Scope *s = find_variable(p, t->bytes);
    if (s == NULL) {
        report_unbound(p, t->bytes, t->span);
        return all_squares(p, t->span);
    }
    if (s->variable->kind != VARIABLE_PIECE)
        parse_report(p, t->span, "`origin` needs a piece variable, but `%s` is a square variable", t->bytes);
    if (s->origin == NULL)
        s->origin = cql5_variable(p, "origin", VARIABLE_SET, t->span);
    Ast *node = parse_node(p, OP_VARIABLE, TYPE_SET, word->span);
    node->variable = s->origin;
    parse_finish(p, node, word->span);
    return node;
}

// ---- not, transforms, silent -----------------------------------------------------------------------------

// "not" filter
static Ast *parse_not(Parser *p)
{
    const Span start = parse_next(p)->span;
    if (!at_filter(p))
        parse_fail_found(p, "expected a filter after `not`");
    Ast *operand = cql5_filter(p);
    Ast *node = build_with(p->arena, OP_NOT, operand->type == TYPE_SET ? TYPE_SET : TYPE_BOOL, operand);
    parse_finish(p, node, start);
    return node;
}

// The loop of `next* depth n F`, which follows an assignment.
static Ast *without_depth(Ast *node)
{
    return node->op == OP_COMPOUND && node->kid_count == 2 && node->kid[0]->op == OP_ASSIGN ? node->kid[1]
                                                                                            : node;
}

// "silent" filter
static Ast *parse_silent(Parser *p)
{
    const Token *word = parse_next(p), *t = parse_peek(p);
    if (!at_filter(p))
        parse_fail_found(p, "expected a filter after `silent`");
    Ast *node = cql5_filter(p), *inner = without_depth(node);
    if (inner->op != OP_ECHO && inner->op != OP_LINE && inner->op != OP_FIND)
        parse_report(p, t->span, "`silent` (in CQL 6.2 `quiet`) needs `relation`, `next` or `previous`");
    inner->flags |= AST_QUIET;
    parse_finish(p, node, word->span);
    return node;
}

// ---- primary ---------------------------------------------------------------------------------------------

// "extension"
static Ast *parse_extension(Parser *p)
{
    const Span span = parse_next(p)->span;
    parse_report(p, span, "`extension` was a debugging aid and is not supported");
    return parse_node(p, OP_TRUE, TYPE_BOOL, span);
}

// The parse functions of words that the table does not describe.
static Ast *(*const parse_of[OP_COUNT_])(Parser *) = {
    [OP_CQL5_ANY] = parse_any_squares, [OP_CQL5_NOT] = parse_not,
    [OP_CQL5_ATTACK] = parse_attack,   [OP_CQL5_RAY] = parse_ray,
    [OP_CQL5_SQUARE] = parse_loop,     [OP_CQL5_PIECE] = parse_loop,
    [OP_CQL5_ORIGIN] = parse_origin,   [OP_CQL5_MOVE] = cql5_move,
    [OP_CQL5_NEXT] = cql5_line,        [OP_CQL5_NEXT2] = cql5_line,
    [OP_CQL5_PREVIOUS] = cql5_line,    [OP_CQL5_PREVIOUS2] = cql5_line,
    [OP_CQL5_FUTURE] = cql5_line,      [OP_CQL5_PAST] = cql5_line,
    [OP_CQL5_ELO] = cql5_elo,          [OP_RESULT] = cql5_result,
    [OP_COMMENT] = cql5_comment,       [OP_CQL5_SORT] = cql5_sort,
    [OP_CQL5_SILENT] = parse_silent,   [OP_CQL5_EXTENSION] = parse_extension,
    [OP_CQL5_RELATION] = cql5_relation, [OP_EXACTFEN] = parse_exactfen};

Ast *cql5_word(Parser *p)
{
    const Token *word = parse_peek(p);
    Ast *(*const parse)(Parser *) = parse_of[word->op];
    if (own(p)->pedantic && op_info[word->op].dialects == IN_EXTENSION)
        parse_fail(p, word->span, "`%s` is an extension of cqlgen, not part of CQL 5", word->bytes);
    return parse != NULL ? parse(p) : parse_by_syntax(p);
}

// Of the brackets around the next token, which closes one, none is of its kind.
static bool closes_nothing(const Parser *p, const Token *t)
{
    int open = 0;
    for (int i = 0; i < p->position; i++) {
        open += token_is_mark(&p->token[i], t->number - 1);
        open -= token_is_mark(&p->token[i], t->number) && open > 0;
    }
    return open == 0;
}

_Noreturn static void fail_no_filter(Parser *p)
{
    const Token *t = parse_peek(p);
    if (token_is_mark(t, PUNCT_RIGHT_PAREN) && closes_nothing(p, t))
        parse_fail(p, t->span, "this parenthesis closes nothing");
    if (token_is_mark(t, PUNCT_RIGHT_BRACE) && closes_nothing(p, t))
        parse_fail(p, t->span, "this brace closes nothing");
    if (token_is_mark(t, PUNCT_LEFT_PAREN))
        parse_fail(p, t->span, "parentheses do not group filters in CQL 5; write braces");
    parse_fail_found(p, "expected a filter");
}

// primary = designator | "." | "{" filter { filter } "}" | word …
static Ast *parse_primary(Parser *p)
{
    const Token *t = parse_peek(p);
    if (!at_filter(p))
        fail_no_filter(p);
    if (t->kind == TOKEN_DESIGNATOR)
        return parse_designator(p);
    if (token_is_mark(t, PUNCT_DOT))
        return all_squares(p, parse_next(p)->span);
    if (t->kind == TOKEN_PUNCTUATION)
        return parse_braces(p);
    return cql5_word(p);
}
