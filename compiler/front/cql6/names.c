// Names: variables, assignments, loops and control (language reference 7.1-7.7).
#include "parser.h"

#include <string.h>

// ---- kinds of names --------------------------------------------------------------------------------------

void names_resolve(Parser *p)
{
    for (int i = 0; i < own(p)->pending_count; i++)
        own(p)->pending[i]->variable = name_find(p, own(p)->pending[i]->text);
}

VariableKind variable_kind(Type type)
{
    static const VariableKind kinds[TYPE_COUNT] = {[TYPE_INT] = VARIABLE_INT,
                                                   [TYPE_SET] = VARIABLE_SET,
                                                   [TYPE_STRING] = VARIABLE_STRING,
                                                   [TYPE_POSITION] = VARIABLE_POSITION};
    return kinds[type];
}

const char *kind_noun(VariableKind kind)
{
    static const char *const nouns[] = {"a numeric variable",  "a set variable",   "a string variable",
                                        "a position variable", "a piece variable", "a dictionary",
                                        "a function"};
    return nouns[kind];
}

const Token *parse_name(Parser *p, const char *purpose)
{
    const Token *t = parse_peek(p);
    if (t->kind == TOKEN_DESIGNATOR)
        parse_fail(p, t->span, "expected %s, but %s is a piece designator and cannot be a name", purpose,
                   parse_text(p, t));
    if (t->kind == TOKEN_WORD)
        parse_fail(p, t->span, "expected %s, but `%s` is a reserved word", purpose, t->bytes);
    if (t->kind != TOKEN_IDENTIFIER)
        parse_fail_found(p, "expected %s", purpose);
    return parse_next(p);
}

Variable *variable_of_kind(Parser *p, const Token *name, VariableKind kind)
{
    Variable *v = name_find(p, name->bytes);
    if (v == NULL)
        return name_add(p, name->bytes, kind, name->span);
    if (v->kind != kind)
        parse_fail(p, name->span, "expected %s, but `%s` is %s", kind_noun(kind), name->bytes,
                   kind_noun(v->kind));
    return v;
}

// The variable of a loop. In CQLi it lives in the body only.
static Variable *loop_variable(Parser *p, const Token *name, VariableKind kind)
{
    if (!own(p)->cqli)
        return variable_of_kind(p, name, kind);
    scope_enter(p, false);
    return scope_add(p, name, kind);
}

// filter, the body of a loop over `what`; its variable has been introduced
static Ast *parse_loop_body(Parser *p, Ast *node, const char *what)
{
    parse_need_filter(p, "expected the filter that the loop over `%s` evaluates", what);
    parse_add(p, node, parse_condition(p));
    if (own(p)->cqli)
        scope_leave(p);
    return node;
}

// "in", after `word` and a name
static void expect_in(Parser *p, const char *word, const char *name)
{
    if (!parse_take_word(p, OP_WORD_IN))
        parse_fail_found(p, "expected `in` after `%s %s`", word, name);
}

// ---- assignment -------------------------------------------------------------------------------------------

bool is_assignment_mark(const Token *t)
{
    return t->kind == TOKEN_PUNCTUATION &&
           (t->number == PUNCT_ASSIGN || t->number == PUNCT_SET_ASSIGN ||
            (t->number >= PUNCT_PLUS_ASSIGN && t->number <= PUNCT_INTERSECT_ASSIGN));
}

static bool is_assignment(Parser *p, const Token *t)
{
    return is_assignment_mark(t) && (t->number != PUNCT_ASSIGN || !own(p)->here.dash_right);
}

static bool operator_takes(int mark, Type type)
{
    switch (mark) {
    case PUNCT_ASSIGN:
        return type != TYPE_BOOL;
    case PUNCT_PLUS_ASSIGN:
        return type == TYPE_INT || type == TYPE_STRING;
    case PUNCT_SET_ASSIGN:
    case PUNCT_UNION_ASSIGN:
    case PUNCT_INTERSECT_ASSIGN:
        return type == TYPE_SET;
    default:
        return type == TYPE_INT;
    }
}

// What can be said about the variable before the right side is known.
static void check_target(Parser *p, const Token *name, const Variable *v, int mark, unsigned flags)
{
    if (v == NULL) {
        if (mark != PUNCT_ASSIGN && mark != PUNCT_SET_ASSIGN && !(flags & AST_PERSISTENT))
            parse_fail_unknown(p, name);
        return;
    }
    if (v->kind == VARIABLE_PIECE)
        parse_fail(p, name->span, "`%s` is a piece variable; assign it with `piece %s = …`", v->name,
                   v->name);
    if (v->kind > VARIABLE_PIECE)
        parse_fail(p, name->span, "`%s` is %s and cannot be assigned", v->name, kind_noun(v->kind));
    if (flags & AST_PERSISTENT && !v->persistent)
        parse_fail(p, name->span, "write `persistent` at the first assignment of `%s`", v->name);
    if (flags & AST_ATOMIC && v->persistent)
        parse_fail(p, name->span, "the persistent variable `%s` cannot be atomic", v->name);
}

static void check_value(Parser *p, const Token *name, const Variable *v, int mark, const Ast *value)
{
    const char *sign = punctuation_spelling[mark];
    if (value->type == TYPE_BOOL)
        parse_fail(p, value->span, "%s has no value that could be assigned to `%s`", type_noun(TYPE_BOOL),
                   name->bytes);
    if (!operator_takes(mark, value->type))
        parse_fail(p, value->span, "`%s` cannot assign %s", sign, type_noun(value->type));
    if (v != NULL && variable_type(v) != value->type)
        parse_fail(p, value->span, "`%s` is %s, but this is %s", v->name, kind_noun(v->kind),
                   type_noun(value->type));
}

// id ( "=" | "=?" | "+=" | … ) sum
static Ast *parse_assignment(Parser *p, Span start, unsigned flags)
{
    const Token *name = parse_name(p, "the name of a variable");
    Variable *v = name_find(p, name->bytes);
    if (!is_assignment(p, parse_peek(p)))
        parse_fail_found(p, "expected an assignment to `%s`", name->bytes);
    int mark = parse_next(p)->number;
    const bool replaces = (mark == PUNCT_ASSIGN || mark == PUNCT_SET_ASSIGN) && !(flags & AST_PERSISTENT) &&
                          scope_may_replace(p, name->bytes);
    if (!replaces)
        check_target(p, name, v, mark, flags);
    const char *outer = own(p)->here.assigned;
    own(p)->here.assigned = name->bytes;
    Ast *value = parse_sum(p);
    own(p)->here.assigned = outer;
    v = name_find(p, name->bytes);
    if (replaces && v != NULL && v->kind != variable_kind(value->type))
        v = NULL;
    check_target(p, name, v, mark, flags);
    check_value(p, name, v, mark, value);
    if (flags & AST_PERSISTENT && value->type == TYPE_POSITION)
        parse_fail(p, value->span, "a position belongs to one game and cannot be persistent");
    if (v == NULL) {
        v = flags & AST_PERSISTENT ? name_add(p, name->bytes, variable_kind(value->type), name->span)
                                   : scope_assign(p, name, variable_kind(value->type));
        v->persistent = (flags & AST_PERSISTENT) != 0;
        v->quiet = (flags & AST_QUIET) != 0;
    }
    v->atomic |= (flags & AST_ATOMIC) != 0;
    Ast *node = parse_node(p, OP_ASSIGN, TYPE_BOOL, start);
    node->variable = v;
    node->number = mark;
    node->flags = flags;
    parse_add(p, node, value);
    return node;
}

// ( "atomic" | "persistent" [ "quiet" ] ) assignment, or "persistent" "dictionary" …
Ast *parse_assignment_word(Parser *p)
{
    const Token *word = parse_peek(p);
    const Token *after = parse_peek_at(p, 1);
    if (word->op == OP_WORD_PERSISTENT && after->kind == TOKEN_WORD && after->op == OP_WORD_DICTIONARY)
        return parse_dictionary_word(p);
    parse_next(p);
    unsigned flags = word->op == OP_WORD_ATOMIC ? AST_ATOMIC : AST_PERSISTENT;
    if (flags == AST_PERSISTENT && parse_take_word(p, OP_WORD_QUIET))
        flags |= AST_QUIET;
    return parse_assignment(p, word->span, flags);
}

// string-var subscript "=" sum; the subscript has been read.
Ast *parse_part_assignment(Parser *p, Ast *part)
{
    parse_expect(p, PUNCT_ASSIGN, "after the part of a string");
    Ast *node =
        parse_node(p, part->op == OP_SLICE ? OP_SLICE_ASSIGN : OP_INDEX_ASSIGN, TYPE_BOOL, part->span);
    node->variable = part->kid[0]->variable;
    node->kid_left = part->kid_left;
    node->kid_right = part->kid_right;
    if (part->op == OP_SUBSCRIPT)
        parse_add(p, node, part->kid[1]);
    parse_add(p, node, parse_require(p, parse_sum(p), TYPE_STRING, "the new part of a string"));
    return parse_finish(p, node, part->span);
}

// ---- loops over squares and pieces ------------------------------------------------------------------------

// set-arg filter, after `in` or `∊`
static Ast *parse_set_loop(Parser *p, Span start, const Token *name, unsigned flags)
{
    Ast *node = parse_node(p, OP_SET_LOOP, flags & AST_ALL ? TYPE_BOOL : TYPE_SET, start);
    node->flags = flags;
    parse_add(p, node, parse_require(p, parse_move_x(p), TYPE_SET, "what a loop goes over"));
    node->variable = loop_variable(p, name, flags & AST_PIECES ? VARIABLE_PIECE : VARIABLE_SET);
    return parse_loop_body(p, node, name->bytes);
}

// "square" [ "all" ] id "in" set-arg filter
Ast *parse_square_loop(Parser *p)
{
    const Token *word = parse_next(p);
    unsigned flags = parse_take_word(p, OP_WORD_ALL) ? AST_ALL : 0;
    const Token *name = parse_name(p, "the variable of `square`");
    expect_in(p, "square", name->bytes);
    return parse_set_loop(p, word->span, name, flags);
}

// ( "piece" | piece-decl ) id "=" set-arg
static Ast *parse_piece_assignment(Parser *p, Span start, const Token *name)
{
    Ast *set = parse_require(p, parse_move_x(p), TYPE_SET, "what is assigned to a piece variable");
    Ast *node = parse_node(p, OP_PIECE_ASSIGN, TYPE_BOOL, start);
    parse_add(p, node, set);
    const Variable *v = name_find(p, name->bytes);
    const bool is_new = v == NULL || (v->kind != VARIABLE_PIECE && scope_may_replace(p, name->bytes));
    node->variable =
        is_new ? scope_assign(p, name, VARIABLE_PIECE) : variable_of_kind(p, name, VARIABLE_PIECE);
    return node;
}

// "piece" [ "all" ] id "in" set-arg filter | piece-decl id "[element]" set-arg filter | ( "piece" |
// piece-decl ) id "=" …
Ast *parse_piece_word(Parser *p)
{
    const Token *word = parse_next(p);
    bool declared = word->kind == TOKEN_PIECE_DECLARATION;
    unsigned flags = AST_PIECES;
    if (!declared && parse_take_word(p, OP_WORD_ALL))
        flags |= AST_ALL;
    const Token *name = parse_name(p, "the name of a piece variable");
    if (!(flags & AST_ALL) && parse_take(p, PUNCT_ASSIGN))
        return parse_piece_assignment(p, word->span, name);
    if (declared ? !parse_take(p, PUNCT_ELEMENT) : !parse_take_word(p, OP_WORD_IN))
        parse_fail_found(p, "expected `%s` or `=` after the piece variable `%s`",
                         declared ? "[element]" : "in", name->bytes);
    return parse_set_loop(p, word->span, name, flags);
}

// "[forall]" [ piece-decl ] id "[element]" set-arg filter
Ast *parse_forall(Parser *p)
{
    Span start = parse_next(p)->span;
    unsigned flags = AST_ALL;
    if (parse_peek(p)->kind == TOKEN_PIECE_DECLARATION) {
        parse_next(p);
        flags |= AST_PIECES;
    }
    const Token *name = parse_name(p, "the variable of `[forall]`");
    parse_expect(p, PUNCT_ELEMENT, "after the variable of `[forall]`");
    if (parse_at_dictionary(p))
        parse_fail(p, parse_peek(p)->span, "`[forall]` cannot go over a dictionary");
    return parse_set_loop(p, start, name, flags);
}

// ---- loops over dictionaries ------------------------------------------------------------------------------

// dict filter, after `∊` or `in`
static Ast *parse_dictionary_loop(Parser *p, Span start, const Token *name, bool strings)
{
    Ast *node = parse_node(p, OP_DICTIONARY_LOOP, TYPE_BOOL, start);
    const Token *t = parse_peek(p);
    Variable *dictionary = node->variable2 = parse_dictionary_name(p);
    if (!dictionary->has_key)
        parse_fail(p, t->span, "the type of the keys of `%s` is not known here: no entry is used before",
                   dictionary->name);
    if (strings && dictionary->key != TYPE_STRING)
        parse_fail(p, t->span, "the keys of `%s` are not strings; write `%s [element] %s`", dictionary->name,
                   name->bytes, dictionary->name);
    node->variable = loop_variable(p, name, variable_kind(dictionary->key));
    return parse_loop_body(p, node, dictionary->name);
}

// "string" id "in" dict filter
Ast *parse_string_loop(Parser *p)
{
    Span start = parse_next(p)->span;
    const Token *name = parse_name(p, "the variable of `string … in`");
    expect_in(p, "string", name->bytes);
    return parse_dictionary_loop(p, start, name, true);
}

// id "[element]" ( set-arg | dict ) filter
static Ast *parse_element_loop(Parser *p)
{
    const Token *name = parse_next(p);
    parse_next(p);
    if (parse_at_dictionary(p))
        return parse_dictionary_loop(p, name->span, name, false);
    return parse_set_loop(p, name->span, name, 0);
}

// ---- names as filters -------------------------------------------------------------------------------------

void parse_check_extension(Parser *p)
{
    const Token *t = parse_peek(p);
    if (own(p)->pedantic)
        parse_fail(p, t->span, "`%s` is an extension of cqlgen, not part of %s", t->bytes,
                   own(p)->cqli ? "CQLi" : "CQL 6.2");
}

// A filter of cqlgen's own whose word is not a name (15); NULL: there is none.
static Ast *parse_extension(Parser *p)
{
    const Token *t = parse_peek(p);
    const int op = op_from_word(t->bytes, t->length, IN_EXTENSION);
    if (op < 0 || name_is_poisoned(p, t->bytes))
        return NULL;
    parse_check_extension(p);
    return parse_by_syntax(p, (Op)op);
}

// id | call | assignment | loop | dictionary entry
Ast *parse_identifier(Parser *p)
{
    const Token *t = parse_peek(p), *after = parse_peek_at(p, 1);
    if (is_assignment(p, after))
        return parse_assignment(p, t->span, 0);
    if (token_is_mark(after, PUNCT_ELEMENT))
        return parse_element_loop(p);
    Variable *v = name_find(p, t->bytes);
    Ast *extension = v == NULL ? parse_extension(p) : NULL;
    if (extension != NULL)
        return extension;
    if (v == NULL)
        parse_fail_unknown(p, t);
    if (v->kind == VARIABLE_FUNCTION)
        return parse_call(p, v);
    if (v->kind == VARIABLE_DICTIONARY)
        return parse_dictionary_word(p);
    Ast *node = parse_node(p, OP_VARIABLE, variable_type(v), parse_next(p)->span);
    node->variable = v;
    return node;
}

// ( "isbound" | "isunbound" ) ( quoted | id )
Ast *parse_isbound(Parser *p)
{
    const Token *word = parse_next(p), *name = parse_peek(p);
    Ast *node = parse_node(p, (Op)word->op, TYPE_BOOL, word->span);
    if (name->kind != TOKEN_IDENTIFIER && !parse_is_quoted(p, name))
        parse_fail_found(p, "`%s` needs the name of a variable", word->bytes);
    parse_next(p);
    node->text = name->bytes;
    node->text_length = name->length;
    node->variable = name_find(p, name->bytes);
    if (node->variable == NULL)
        ARENA_PUSH(p->arena, own(p)->pending, own(p)->pending_count, node);
    return node;
}

// ---- control ----------------------------------------------------------------------------------------------

static Ast *parse_part(Parser *p, const char *what)
{
    parse_need_filter(p, "expected the filter %s", what);
    return parse_filter(p);
}

// "if" filter [ "then" ] filter [ "else" filter ]
Ast *parse_if(Parser *p)
{
    Ast *node = parse_node(p, OP_IF, TYPE_BOOL, parse_next(p)->span);
    parse_add(p, node, parse_as_condition(p, parse_part(p, "that `if` tests")));
    parse_take_word(p, OP_WORD_THEN);
    Ast *then = parse_part(p, "that `if` chooses when the test succeeds"), *otherwise = NULL;
    parse_add(p, node, then);
    if (parse_take_word(p, OP_WORD_ELSE)) {
        otherwise = parse_part(p, "after `else`");
        parse_add(p, node, otherwise);
    }
    if (otherwise != NULL && then->type == otherwise->type) {
        node->type = then->type;
    } else {
        parse_as_condition(p, then);
        if (otherwise != NULL)
            parse_as_condition(p, otherwise);
    }
    return node;
}

// "while" "(" filter ")" filter
Ast *parse_while(Parser *p)
{
    Ast *node = parse_node(p, OP_WHILE, TYPE_BOOL, parse_next(p)->span);
    Surroundings outer = parse_open(p, PUNCT_LEFT_PAREN, "after `while`");
    Ast *test = parse_condition(p);
    parse_close(p, outer, PUNCT_RIGHT_PAREN, "after the test of `while`");
    if (test->op == OP_REGEX && !(test->flags & AST_PAREN)) {
        node->op = OP_REGEX_LOOP;
        node->text = test->text;
        node->text_length = test->text_length;
        node->kid_extra = test->kid_extra;
        test = test->kid[0];
    }
    parse_add(p, node, test);
    parse_add(p, node, parse_as_condition(p, parse_part(p, "that `while` repeats")));
    return node;
}
