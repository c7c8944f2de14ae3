// Filters of CQL 5 about one position, loops over squares and pieces, and transforms (language reference 11.2
// - 11.4, 11.6).
#include "parser.h"
#include "compiler/front/cql6/token.h"

#include <string.h>

#include "runtime/chess/chess.h"

static Ast *parse_primary(Cql5Parser *p);

// ---- the filter ------------------------------------------------------------------------------------------

bool cql5_begins_filter(const Cql5Parser *p)
{
    const Cql5Token *t = cql5_peek(p);
    switch (t->kind) {
    case CQL5_DESIGNATOR:
    case CQL5_ALL_SQUARES:
        return true;
    case CQL5_MARK:
        return t->mark == '{';
    case CQL5_KEYWORD:
        return cql5_words[t->word].group <= GROUP_TRANSFORM;
    default:
        return false;
    }
}

// filter = primary [ "or" filter | "on" set ]
Ast *cql5_filter(Cql5Parser *p)
{
    const Cql5Token *start = cql5_peek(p);
    if (++p->nesting > CQL5_MAX_NESTING)
        cql5_fail(p, start->span, "filters are nested too deeply (more than %d levels)", CQL5_MAX_NESTING);
    Ast *node = parse_primary(p);
    if (cql5_take(p, CQL5_OR)) {
        Ast *right = cql5_filter(p);
        const bool sets = node->type == TYPE_SET && right->type == TYPE_SET;
        if (!sets) {
            node = cql5_as_condition(p, node);
            right = cql5_as_condition(p, right);
        }
        node = cql5_pair(p, OP_OR, sets ? TYPE_SET : TYPE_BOOL, node, right);
    } else if (cql5_take(p, CQL5_ON)) {
        node = cql5_as_set(p, node, "the left side of `on` (in CQL 6.2 `&`)");
        node = cql5_pair(p, OP_INTERSECT, TYPE_SET, node,
                         cql5_set(p, "the right side of `on` (in CQL 6.2 `&`)"));
    }
    p->nesting--;
    return node;
}

Ast *cql5_condition(Cql5Parser *p)
{
    return cql5_as_condition(p, cql5_filter(p));
}

Ast *cql5_set(Cql5Parser *p, const char *where)
{
    if (!cql5_begins_filter(p))
        cql5_fail_found(p, "%s needs a set of squares", where);
    return cql5_as_set(p, cql5_filter(p), where);
}

// "{" filter { filter } "}"
static Ast *parse_braces(Cql5Parser *p)
{
    const Cql5Token *open = cql5_next(p);
    if (!cql5_begins_filter(p))
        cql5_fail_found(p, "expected a filter in the braces");
    Ast *first = cql5_filter(p);
    if (cql5_take_mark(p, '}'))
        return first;
    Ast *node = cql5_with(p, OP_COMPOUND, TYPE_BOOL, cql5_as_condition(p, first));
    while (cql5_begins_filter(p))
        cql5_add(p, node, cql5_condition(p));
    if (cql5_peek(p)->kind == CQL5_END)
        cql5_fail(p, open->span, "this brace is never closed");
    cql5_expect(p, '}', "or a filter");
    cql5_finish(p, node, open->span);
    return node;
}

// ---- designators and variables ---------------------------------------------------------------------------

static Cql5Scope *find_variable(const Cql5Parser *p, const char *name)
{
    for (Cql5Scope *s = p->scope; s != NULL; s = s->outer)
        if (strcmp(s->variable->name, name) == 0)
            return s;
    return NULL;
}

static bool is_lone_variable(const Cql5Token *t)
{
    return t->kind == CQL5_DESIGNATOR && !t->has_pieces && !t->has_squares && t->variable_count == 1;
}

// The text that was skipped after an error may bind the variable.
static bool may_be_skipped(const Cql5Parser *p, const char *name)
{
    for (int i = 0; i < p->skipped; i++)
        if (is_lone_variable(&p->token[i]) && strcmp(p->token[i].variable[0], name) == 0)
            return true;
    return false;
}

static void report_unbound(Cql5Parser *p, const char *name, Span span)
{
    if (may_be_skipped(p, name))
        return;
    cql5_report(p, span,
                "the variable `%s` is not bound here: no `square` or `piece` around this place names it",
                name);
    const char **names = NULL;
    int count = 0;
    for (const Cql5Scope *s = p->scope; s != NULL; s = s->outer)
        ARENA_PUSH(p->arena, names, count, s->variable->name);
    diag_suggest(p->diagnostics, name, strlen(name), names, (size_t)count);
}

static Ast *all_squares(Cql5Parser *p, Span span)
{
    return cql5_node(p, OP_ALL_SQUARES, TYPE_SET, span);
}

static Ast *parse_variable(Cql5Parser *p, const char *name, Span span)
{
    const Cql5Scope *s = find_variable(p, name);
    if (s == NULL) {
        report_unbound(p, name, span);
        return all_squares(p, span);
    }
    Ast *node = cql5_node(p, OP_VARIABLE, TYPE_SET, span);
    node->variable = s->variable;
    return node;
}

// designator = [ pieces ] [ squares ] { variable }
static Ast *parse_designator(Cql5Parser *p)
{
    const Cql5Token *t = cql5_next(p);
    Ast *node = NULL;
    if (t->has_pieces || t->has_squares) {
        node = cql5_node(p, OP_DESIGNATOR, TYPE_SET, t->span);
        node->pieces = t->pieces;
        node->mask = t->mask;
    }
    for (int i = 0; i < t->variable_count; i++) {
        Ast *variable = parse_variable(p, t->variable[i], t->span);
        node = node == NULL ? variable : cql5_pair(p, OP_INTERSECT, TYPE_SET, node, variable);
    }
    return node;
}

// "any" of 5.1
static Ast *parse_any_squares(Cql5Parser *p)
{
    const Cql5Token *t = cql5_next(p);
    if (!p->old)
        cql5_report(
            p, t->span,
            "`any` was the set of all squares in CQL 5.1; write `.`, as in CQL 6.2, or begin the file with "
            "`; dialect: cql51`");
    return all_squares(p, t->span);
}

// ---- sets ------------------------------------------------------------------------------------------------

void cql5_two_sets(Cql5Parser *p, Cql5WordId word, Ast *sets[2])
{
    const char *where = cql5_spelling(p, word);
    cql5_expect(p, '(', arena_printf(p->arena, "before the two sets of %s", where));
    sets[0] = cql5_set(p, where);
    sets[1] = cql5_set(p, where);
    cql5_expect(p, ')', arena_printf(p->arena, "behind the two sets of %s", where));
}

// "attack" [ range ] "(" set set ")"
static Ast *parse_attack(Cql5Parser *p)
{
    const Span start = cql5_next(p)->span;
    const Cql5Range range = cql5_range(p);
    Ast *sets[2];
    cql5_two_sets(p, CQL5_ATTACK, sets);
    Ast *node = range.present ? cql5_pair(p, OP_ATTACK_PAIRS, TYPE_INT, sets[0], sets[1])
                              : cql5_pair(p, OP_ATTACKED_BY, TYPE_SET, sets[1], sets[0]);
    cql5_finish(p, node, start);
    return range.present ? cql5_in_range(p, node, range) : node;
}

// "between" "(" set set ")"
static Ast *parse_between(Cql5Parser *p)
{
    const Span start = cql5_next(p)->span;
    Ast *sets[2];
    cql5_two_sets(p, CQL5_BETWEEN, sets);
    Ast *node = cql5_pair(p, OP_BETWEEN, TYPE_SET, sets[0], sets[1]);
    cql5_finish(p, node, start);
    return node;
}

// ( "countsquares" | "power" ) range set
static Ast *parse_count(Cql5Parser *p)
{
    const Cql5Token *word = cql5_next(p);
    const Cql5Range range = cql5_required_range(p, word->word);
    Ast *node = cql5_with(p, cql5_words[word->word].op, TYPE_INT, cql5_set(p, cql5_spelling(p, word->word)));
    cql5_finish(p, node, word->span);
    return cql5_in_range(p, node, range);
}

// "powerdifference" range "(" set set ")"
static Ast *parse_power_difference(Cql5Parser *p)
{
    const Span start = cql5_next(p)->span;
    const Cql5Range range = cql5_required_range(p, CQL5_POWERDIFFERENCE);
    Ast *sets[2];
    cql5_two_sets(p, CQL5_POWERDIFFERENCE, sets);
    Ast *node = cql5_pair(p, OP_SUBTRACT, TYPE_INT, cql5_with(p, OP_POWER, TYPE_INT, sets[0]),
                          cql5_with(p, OP_POWER, TYPE_INT, sets[1]));
    cql5_finish(p, node, start);
    return cql5_in_range(p, node, range);
}

// ---- directions and rays ---------------------------------------------------------------------------------

// The directions of a word, none when it is another word. They are spelled as in CQL 6.2.
static DirectionSet direction_set(Cql5WordId word)
{
    const char *name = cql5_words[word].word;
    const int op = op_from_word(name, strlen(name));
    return op < 0 ? 0 : directions_of((Op)op);
}

// direction [ range ] set
static Ast *parse_direction(Cql5Parser *p)
{
    const Cql5Token *word = cql5_next(p);
    Ast *node = cql5_node(p, OP_UP, TYPE_SET, word->span);
    node->number = direction_set(word->word);
    const Cql5Range range = cql5_range(p);
    if (range.present && (range.low < -7 || range.high > 7))
        cql5_report(p, word->span, "a direction can go at most 7 squares, but its range is %d %d", range.low,
                    range.high);
    node->range = cql5_ast_range(range);
    cql5_add(p, node, cql5_set(p, cql5_spelling(p, word->word)));
    cql5_finish(p, node, word->span);
    return node;
}

// raydirs = "attack" | "attacks" | direction { direction }
static void parse_ray_directions(Cql5Parser *p, Ast *node)
{
    if (cql5_take(p, CQL5_ATTACK) || cql5_take(p, CQL5_ATTACKS)) {
        node->flags |= AST_CAPTURE;
        return;
    }
    while (cql5_peek(p)->kind == CQL5_KEYWORD && direction_set(cql5_peek(p)->word) != 0) {
        const Cql5Token *t = cql5_next(p);
        if (node->number & direction_set(t->word))
            cql5_report(p, t->span, "the direction `%s` is named twice", t->bytes);
        node->number |= direction_set(t->word);
    }
}

// "ray" [ range ] [ raydirs ] "(" set set { set } ")"
static Ast *parse_ray(Cql5Parser *p)
{
    const Span start = cql5_next(p)->span;
    const Cql5Range range = cql5_range(p);
    Ast *node =
        cql5_node(p, range.present ? OP_RAY_PAIRS : OP_RAY, range.present ? TYPE_INT : TYPE_SET, start);
    parse_ray_directions(p, node);
    cql5_expect(p, '(', "before the sets of `ray`");
    while (cql5_begins_filter(p))
        cql5_add(p, node, cql5_set(p, "`ray`"));
    cql5_expect(p, ')', "behind the sets of `ray`");
    cql5_finish(p, node, start);
    if (node->kid_count < 2)
        cql5_report(p, node->span, "`ray` needs at least two sets");
    return range.present ? cql5_in_range(p, node, range) : node;
}

// ---- loops -----------------------------------------------------------------------------------------------

// The variable that a loop binds: one token, `$` and a name.
static const char *parse_loop_variable(Cql5Parser *p, bool piece)
{
    const Cql5Token *t = cql5_peek(p);
    if (!is_lone_variable(t))
        cql5_fail_found(p, "expected a variable such as `$x` behind `%s`", piece ? "piece" : "square");
    const char *text = cql5_next(p)->variable[0];
    for (int i = 0; i < p->name_count; i++) {
        if (strcmp(p->name[i].text, text) != 0)
            continue;
        if (p->name[i].piece != piece)
            cql5_report(p, t->span, "`%s` is a %s variable in this file and cannot be a %s variable too",
                        text, piece ? "square" : "piece", piece ? "piece" : "square");
        return text;
    }
    const Cql5Name name = {text, piece};
    ARENA_PUSH(p->arena, p->name, p->name_count, name);
    return text;
}

// `origin $p` reads a set that is taken when the piece is bound.
static Ast *remember_origin(Cql5Parser *p, const Cql5Scope *s, Ast *body)
{
    if (s->origin == NULL)
        return body;
    Ast *square = cql5_node(p, OP_VARIABLE, TYPE_SET, body->span);
    square->variable = s->variable;
    return cql5_pair(p, OP_COMPOUND, TYPE_BOOL, cql5_assign(p, s->origin, square), body);
}

// filter { filter } up to the end of the brace, parenthesis or file
static Ast *parse_loop_body(Cql5Parser *p, const Cql5Token *word, bool may_be_empty)
{
    Ast *body = cql5_node(p, OP_COMPOUND, TYPE_BOOL, cql5_peek(p)->span);
    while (cql5_begins_filter(p))
        cql5_add(p, body, cql5_condition(p));
    if (body->kid_count == 0 && !may_be_empty)
        cql5_fail_found(p, "`%s` needs at least one filter as its body", word->bytes);
    if (body->kid_count == 0)
        cql5_add(p, body, cql5_node(p, OP_TRUE, TYPE_BOOL, body->span));
    return body->kid_count == 1 ? body->kid[0] : body;
}

// ( "square" | "piece" ) [ range ] variable "in" set filter { filter } | "square" "all" variable [ "in" set ]
// { filter }
static Ast *parse_loop(Cql5Parser *p)
{
    const Cql5Token *word = cql5_next(p);
    const bool piece = word->word == CQL5_PIECE, all = !piece && cql5_take(p, CQL5_ALL);
    const Cql5Range range = all ? (Cql5Range){0} : cql5_range(p);
    Ast *node = cql5_node(p, OP_SET_LOOP, all ? TYPE_BOOL : TYPE_SET, word->span);
    node->flags = (piece ? AST_PIECES : 0) | (all ? AST_ALL : 0);
    const char *name = parse_loop_variable(p, piece);
    if (cql5_take(p, CQL5_IN))
        cql5_add(p, node, cql5_set(p, piece ? "`piece`" : "`square`"));
    else if (all)
        cql5_add(p, node, all_squares(p, word->span));
    else
        cql5_fail_found(p, "expected `in` behind the variable of `%s`", word->bytes);
    node->variable = cql5_variable(p, name, piece ? VARIABLE_PIECE : VARIABLE_SET, word->span);
    Cql5Scope scope = {node->variable, NULL, p->scope};
    p->scope = &scope;
    Ast *body = parse_loop_body(p, word, all);
    p->scope = scope.outer;
    cql5_add(p, node, remember_origin(p, &scope, body));
    cql5_finish(p, node, word->span);
    return range.present ? cql5_in_range(p, cql5_with(p, OP_COUNT_SET, TYPE_INT, node), range) : node;
}

// "origin" variable
static Ast *parse_origin(Cql5Parser *p)
{
    const Cql5Token *word = cql5_next(p), *t = cql5_peek(p);
    if (!is_lone_variable(t))
        cql5_fail_found(p, "expected a piece variable behind `origin`");
    cql5_next(p);
    Cql5Scope *s = find_variable(p, t->variable[0]);
    if (s == NULL) {
        report_unbound(p, t->variable[0], t->span);
        return all_squares(p, t->span);
    }
    if (s->variable->kind != VARIABLE_PIECE)
        cql5_report(p, t->span, "`origin` needs a piece variable, but `%s` is a square variable",
                    t->variable[0]);
    if (s->origin == NULL)
        s->origin = cql5_variable(p, "origin", VARIABLE_SET, t->span);
    Ast *node = cql5_node(p, OP_VARIABLE, TYPE_SET, word->span);
    node->variable = s->origin;
    cql5_finish(p, node, word->span);
    return node;
}

// ---- not, transforms, silent -----------------------------------------------------------------------------

// "not" filter
static Ast *parse_not(Cql5Parser *p)
{
    const Span start = cql5_next(p)->span;
    if (!cql5_begins_filter(p))
        cql5_fail_found(p, "expected a filter behind `not`");
    Ast *operand = cql5_filter(p);
    Ast *node = cql5_with(p, OP_NOT, operand->type == TYPE_SET ? TYPE_SET : TYPE_BOOL, operand);
    cql5_finish(p, node, start);
    return node;
}

// transform [ range ] filter
static Ast *parse_transform(Cql5Parser *p)
{
    const Cql5Token *word = cql5_next(p);
    Ast *node = cql5_node(p, cql5_words[word->word].op, TYPE_BOOL, word->span);
    const Cql5Range range = cql5_range(p);
    node->range = cql5_ast_range(range);
    node->low = CQL5_COPIES;
    if (!cql5_begins_filter(p))
        cql5_fail_found(p, "expected a filter behind `%s`", word->bytes);
    Ast *operand = cql5_filter(p);
    if (range.present || operand->type != TYPE_SET)
        operand = cql5_as_condition(p, operand);
    node->type = range.present ? TYPE_INT : operand->type == TYPE_SET ? TYPE_SET : TYPE_BOOL;
    cql5_add(p, node, operand);
    cql5_finish(p, node, word->span);
    return node;
}

static Ast *unwrap_range(Ast *node)
{
    while ((node->op == OP_LE || node->op == OP_GE || node->op == OP_EQ) && node->kid_count == 2)
        node = node->kid[0];
    return node->op == OP_COMPOUND && node->kid_count == 2 && node->kid[0]->op == OP_ASSIGN ? node->kid[1]
                                                                                            : node;
}

// "silent" filter
static Ast *parse_silent(Cql5Parser *p)
{
    const Cql5Token *word = cql5_next(p), *t = cql5_peek(p);
    if (!cql5_begins_filter(p))
        cql5_fail_found(p, "expected a filter behind `silent`");
    Ast *node = cql5_filter(p), *inner = unwrap_range(node);
    if (inner->op != OP_RELATION && inner->op != OP_LINE && inner->op != OP_FIND)
        cql5_report(p, t->span, "`silent` (in CQL 6.2 `quiet`) needs `relation`, `next` or `previous`");
    inner->flags |= AST_QUIET;
    cql5_finish(p, node, word->span);
    return node;
}

// "movenumber" range: counted from the first position, whatever its FEN says
static Ast *parse_movenumber(Cql5Parser *p)
{
    const Span start = cql5_next(p)->span;
    const Cql5Range range = cql5_required_range(p, CQL5_MOVENUMBER);
    Ast *half =
        cql5_pair(p, OP_DIVIDE, TYPE_INT, cql5_node(p, OP_PLY, TYPE_INT, start), cql5_number(p, 2, start));
    return cql5_in_range(p, cql5_pair(p, OP_ADD, TYPE_INT, half, cql5_number(p, 1, start)), range);
}

// ---- primary ---------------------------------------------------------------------------------------------

static Ast *parse_squares_of_colour(Cql5Parser *p)
{
    const Cql5Token *word = cql5_next(p);
    return cql5_with(p, cql5_words[word->word].op, TYPE_SET, all_squares(p, word->span));
}

static Ast *parse_extension(Cql5Parser *p)
{
    const Span span = cql5_next(p)->span;
    cql5_report(p, span, "`extension` was an aid for debugging and is not supported");
    return cql5_node(p, OP_TRUE, TYPE_BOOL, span);
}

static Ast *parse_word(Cql5Parser *p, Cql5WordId word)
{
    if (cql5_begins_game_filter(word))
        return cql5_game_filter(p);
    switch (word) {
    case CQL5_LIGHTSQUARES:
    case CQL5_DARKSQUARES:
        return parse_squares_of_colour(p);
    case CQL5_ANY:
        return parse_any_squares(p);
    case CQL5_NOT:
        return parse_not(p);
    case CQL5_ATTACK:
        return parse_attack(p);
    case CQL5_BETWEEN:
        return parse_between(p);
    case CQL5_COUNTSQUARES:
    case CQL5_POWER:
        return parse_count(p);
    case CQL5_POWERDIFFERENCE:
        return parse_power_difference(p);
    case CQL5_RAY:
        return parse_ray(p);
    case CQL5_SQUARE:
    case CQL5_PIECE:
        return parse_loop(p);
    case CQL5_ORIGIN:
        return parse_origin(p);
    case CQL5_MOVE:
        return cql5_move(p);
    case CQL5_MOVENUMBER:
        return parse_movenumber(p);
    case CQL5_COMMENT:
        return cql5_comment(p);
    case CQL5_HASCOMMENT:
        return cql5_hascomment(p);
    case CQL5_SORT:
        return cql5_sort(p);
    case CQL5_SILENT:
        return parse_silent(p);
    case CQL5_EXTENSION:
        return parse_extension(p);
    case CQL5_RELATION:
        return cql5_relation(p);
    default:
        return cql5_line(p);
    }
}

_Noreturn static void fail_no_filter(Cql5Parser *p)
{
    const Cql5Token *t = cql5_peek(p);
    if (t->kind == CQL5_MARK && t->mark == ')')
        cql5_fail(p, t->span, "this parenthesis closes nothing");
    if (t->kind == CQL5_MARK && t->mark == '}')
        cql5_fail(p, t->span, "this brace closes nothing");
    if (t->kind == CQL5_MARK && t->mark == '(')
        cql5_fail(p, t->span, "parentheses do not group filters in CQL 5; write braces");
    cql5_fail_found(p, "expected a filter");
}

static Ast *parse_primary(Cql5Parser *p)
{
    const Cql5Token *t = cql5_peek(p);
    if (!cql5_begins_filter(p))
        fail_no_filter(p);
    if (t->kind == CQL5_DESIGNATOR)
        return parse_designator(p);
    if (t->kind == CQL5_ALL_SQUARES)
        return all_squares(p, cql5_next(p)->span);
    if (t->kind == CQL5_MARK)
        return parse_braces(p);
    switch (cql5_words[t->word].group) {
    case GROUP_PLAIN:
        return cql5_node(p, cql5_words[t->word].op, TYPE_BOOL, cql5_next(p)->span);
    case GROUP_DIRECTION:
        return parse_direction(p);
    case GROUP_TRANSFORM:
        return parse_transform(p);
    default:
        return parse_word(p, t->word);
    }
}
