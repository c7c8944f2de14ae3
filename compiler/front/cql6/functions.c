// Functions (language reference 7.8), which are macros over tokens, and dictionaries (7.13).
#include "parser.h"

#include <string.h>

// ---- definition -------------------------------------------------------------------------------------------

// "(" { id } ")"
static void parse_parameters(Parser *p, FunctionDefinition *function)
{
    parse_expect(p, PUNCT_LEFT_PAREN, "after the name of the function");
    while (!parse_take(p, PUNCT_RIGHT_PAREN)) {
        const Token *t = parse_name(p, "the name of a parameter or `)`");
        for (int i = 0; i < function->parameter_count; i++)
            if (strcmp(function->parameter[i], t->bytes) == 0)
                parse_fail(p, t->span, "two parameters have the name `%s`", t->bytes);
        if (function->parameter_count == PARSER_MAX_PARAMETERS)
            parse_fail(p, t->span, "a function has at most %d parameters", PARSER_MAX_PARAMETERS);
        ARENA_PUSH(p->arena, function->parameter, function->parameter_count, t->bytes);
    }
}

// "{" tokens "}", up to the brace that closes the body; they are not parsed before a call. In CQLi `{5}`, too.
static void parse_body(Parser *p, FunctionDefinition *function)
{
    const bool number = parse_peek(p)->kind == TOKEN_REPETITION && parse_begins_filter(parse_peek(p));
    if (!parse_at(p, PUNCT_LEFT_BRACE) && !number)
        parse_fail_found(
            p, "expected `{`: put the body of a function in braces (a number with spaces: `{ 5 }`)");
    function->body_start = p->position;
    function->body = &p->token[p->position];
    for (int depth = 0; p->position < p->limit;) {
        const Token *t = &p->token[p->position++];
        depth += token_is_mark(t, PUNCT_LEFT_BRACE) - token_is_mark(t, PUNCT_RIGHT_BRACE);
        if (depth == 0)
            break;
    }
    function->body_count = p->position - function->body_start;
}

// "function" id "(" { id } ")" "{" tokens "}"
Ast *parse_function(Parser *p)
{
    Ast *node = parse_node(p, OP_FUNCTION, TYPE_BOOL, parse_next(p)->span);
    const Token *name = parse_name(p, "the name of a function");
    const Variable *v = name_find(p, name->bytes);
    if (v != NULL && !scope_may_replace(p, name->bytes))
        parse_fail(p, name->span, "the name `%s` is taken: it is %s", name->bytes, kind_noun(v->kind));
    FunctionDefinition *function = arena_alloc(p->arena, sizeof *function);
    Surroundings outer = parse_enter(p);
    parse_parameters(p, function);
    parse_body(p, function);
    parse_leave(p, outer);
    scope_assign(p, name, VARIABLE_FUNCTION)->function = function;
    return parse_finish(p, node, node->span);
}

// ---- call -------------------------------------------------------------------------------------------------

// filter, one argument: the name that replaces the parameter. An argument that is not exactly a variable is
// assigned to a hidden variable before the body is evaluated.
static const char *parse_argument(Parser *p, Ast *call)
{
    int start = p->position;
    const Token *t = parse_peek(p);
    Ast *value = parse_filter(p);
    bool by_name = p->position == start + 1 && (value->op == OP_VARIABLE || value->op == OP_DICTIONARY);
    if (by_name && !own(p)->cqli)
        return t->bytes;
    if (by_name) { // in the body, its name may belong to another variable
        const char *alias = arena_printf(p->arena, "%c%d", ALIAS_SIGN, own(p)->aliases++);
        name_define(p, alias, value->variable);
        return alias;
    }
    if (value->type == TYPE_BOOL)
        parse_fail(p, value->span, "%s has no value and cannot be an argument", type_noun(TYPE_BOOL));
    const char *key = arena_printf(p->arena, "#%d", p->query->variable_count);
    Variable *v = name_add(p, key, variable_kind(value->type), value->span);
    v->name = "";
    v->hidden = true;
    Ast *assignment = parse_node(p, OP_ASSIGN, TYPE_BOOL, value->span);
    assignment->variable = v;
    assignment->number = PUNCT_ASSIGN;
    parse_add(p, assignment, value);
    parse_add(p, call, assignment);
    return key;
}

// "(" { filter } ")", after the name of the function
static const char **parse_arguments(Parser *p, const Variable *v, Ast *call)
{
    const char **argument = NULL;
    int count = 0, wanted = v->function->parameter_count;
    Surroundings outer = parse_open(p, PUNCT_LEFT_PAREN, "");
    while (parse_begins_filter(parse_peek(p))) {
        const char *name = parse_argument(p, call);
        ARENA_PUSH(p->arena, argument, count, name);
    }
    parse_close(p, outer, PUNCT_RIGHT_PAREN, arena_printf(p->arena, "after the arguments of `%s`", v->name));
    if (count != wanted)
        parse_fail(p, parse_span_from(p, call->span), "`%s` has %d parameter%s, but %d argument%s given",
                   v->name, wanted, wanted == 1 ? "" : "s", count, count == 1 ? " is" : "s are");
    return argument;
}

// A copy of the body in which the parameters are replaced, all at once.
static Token *copy_body(Parser *p, const FunctionDefinition *function, const char **argument)
{
    int count = function->body_count;
    Token *copy = arena_alloc(p->arena, ((size_t)count + 1) * sizeof *copy);
    for (int i = 0; i < count; i++) {
        copy[i] = function->body[i];
        if (copy[i].kind == TOKEN_LINE_COMMENT) {
            int end = copy[i].number - function->body_start;
            copy[i].number = end < count ? end : count;
        }
        for (int k = 0; copy[i].kind == TOKEN_IDENTIFIER && k < function->parameter_count; k++) {
            if (strcmp(function->body[i].bytes, function->parameter[k]) == 0) {
                copy[i].bytes = argument[k];
                copy[i].length = (uint32_t)strlen(argument[k]);
                break;
            }
        }
    }
    copy[count] = (Token){.kind = TOKEN_END, .span = copy[count - 1].span};
    return copy;
}

// Parses the copy as one filter.
static Ast *expand(Parser *p, FunctionDefinition *function, const char **argument, Span call)
{
    const Token *token = p->token;
    int position = p->position, limit = p->limit;
    Surroundings outer = parse_enter(p);
    if (own(p)->expansions++ == 0)
        own(p)->call = call;
    own(p)->expanded_tokens += function->body_count;
    if (own(p)->expanded_tokens > PARSER_MAX_EXPANSION)
        parse_fail(p, call, "the calls of functions in this query expand to more than %d tokens",
                   PARSER_MAX_EXPANSION);
    function->expanding = true;
    p->token = copy_body(p, function, argument);
    p->position = 0;
    p->limit = function->body_count;
    if (own(p)->cqli)
        scope_enter(p, true);
    Ast *body = parse_filter(p); // in braces, so that nothing follows it
    if (own(p)->cqli)
        scope_leave(p);
    function->expanding = false;
    own(p)->expansions--;
    p->token = token;
    p->position = position;
    p->limit = limit;
    parse_leave(p, outer);
    return body;
}

// call = function-id "(" { filter } ")"
Ast *parse_call(Parser *p, Variable *v)
{
    const Token *name = parse_next(p);
    Ast *call = parse_node(p, OP_CALL, TYPE_BOOL, name->span);
    if (!parse_at(p, PUNCT_LEFT_PAREN))
        parse_fail(p, name->span, "`%s` is a function; its arguments must follow in parentheses", v->name);
    const char **argument = parse_arguments(p, v, call);
    if (v->function->expanding)
        parse_fail(p, name->span, "the function `%s` calls itself; its expansion would never end", v->name);
    Ast *body = expand(p, v->function, argument, parse_span_from(p, name->span));
    parse_add(p, call, body);
    call->type = body->type;
    return parse_finish(p, call, name->span);
}

// ---- dictionaries -----------------------------------------------------------------------------------------

static bool is_dictionary_word(const Token *t)
{
    return t->kind == TOKEN_WORD &&
           (t->op == OP_WORD_DICTIONARY || t->op == OP_WORD_LOCAL || t->op == OP_WORD_PERSISTENT);
}

// The variable that the token names, or NULL.
static Variable *named_by(Parser *p, const Token *t)
{
    return t->kind == TOKEN_IDENTIFIER ? name_find(p, t->bytes) : NULL;
}

static bool is_dictionary(const Variable *v)
{
    return v != NULL && v->kind == VARIABLE_DICTIONARY;
}

// Is the next filter a whole dictionary, not one of its entries?
bool parse_at_dictionary(Parser *p)
{
    int length = 0;
    while (is_dictionary_word(parse_peek_at(p, length)))
        length++;
    const Token *t = parse_peek_at(p, length);
    return t->kind == TOKEN_IDENTIFIER && (length > 0 || is_dictionary(named_by(p, t))) &&
           !token_is_mark(parse_peek_at(p, length + 1), PUNCT_LEFT_BRACKET);
}

// dict = dict-id | [ "local" | "persistent" ] "dictionary" id
Variable *parse_dictionary_name(Parser *p)
{
    bool local = parse_take_word(p, OP_WORD_LOCAL);
    bool persistent = !local && parse_take_word(p, OP_WORD_PERSISTENT);
    bool declared = parse_take_word(p, OP_WORD_DICTIONARY);
    if ((local || persistent) && !declared)
        parse_fail_found(p, "expected `dictionary` after `%s`", local ? "local" : "persistent");
    const Token *name = parse_name(p, "the name of a dictionary");
    Variable *v = name_find(p, name->bytes);
    if (v == NULL && !declared)
        parse_fail_unknown(p, name);
    if (v == NULL) {
        v = name_add(p, name->bytes, VARIABLE_DICTIONARY, name->span);
        v->local = local;
        v->persistent = !local;
    }
    if (v->kind != VARIABLE_DICTIONARY)
        parse_fail(p, name->span, "`%s` is %s, not a dictionary", name->bytes, kind_noun(v->kind));
    if (declared && v->local != local)
        parse_fail(p, name->span, "the dictionary `%s` was declared as %s before", name->bytes,
                   v->local ? "local" : "persistent");
    return v;
}

// Fixes the type of keys or values at the first use.
static void fix_type(Parser *p, const Variable *dictionary, bool *known, Type *type, const Ast *node,
                     const char *what)
{
    if (node->type == TYPE_BOOL)
        parse_fail(p, node->span, "%s cannot be the %s of a dictionary entry", type_noun(TYPE_BOOL), what);
    if (node->type == TYPE_POSITION && !dictionary->local)
        parse_fail(p, node->span, "a position can be the %s only in a `local dictionary`", what);
    if (*known && *type != node->type)
        parse_fail(p, node->span, "the %ss of `%s` are of another type: expected %s, but this is %s", what,
                   dictionary->name, type_noun(*type), type_noun(node->type));
    *known = true;
    *type = node->type;
}

// "[" filter "]"
static Ast *parse_key(Parser *p, Variable *dictionary)
{
    Surroundings outer = parse_open(p, PUNCT_LEFT_BRACKET, "before the key");
    Ast *key = parse_filter(p);
    parse_close(p, outer, PUNCT_RIGHT_BRACKET, "after the key");
    fix_type(p, dictionary, &dictionary->has_key, &dictionary->key, key, "key");
    return key;
}

// `D[a]`: what is attached to the name is a designator, not a subscript (1.4).
static void refuse_touching_designator(Parser *p)
{
    const Token *t = parse_peek(p);
    if (t->kind == TOKEN_DESIGNATOR && !(t->flags & TOKEN_SPACE_BEFORE) &&
        p->source->text[t->span.start] == '[')
        parse_fail(p, t->span, "%s is a piece designator; a subscript is written with spaces, `[ … ]`",
                   parse_text(p, t));
}

// dict [ "[" filter "]" [ "=" filter ] ]
Ast *parse_dictionary_word(Parser *p)
{
    Ast *node = parse_node(p, OP_DICTIONARY, TYPE_BOOL, parse_peek(p)->span);
    Variable *v = node->variable = parse_dictionary_name(p);
    refuse_touching_designator(p);
    if (!parse_at(p, PUNCT_LEFT_BRACKET))
        return node;
    parse_add(p, node, parse_key(p, v));
    const Token *t = parse_peek(p);
    if (!own(p)->here.dash_right && parse_take(p, PUNCT_ASSIGN)) {
        Ast *value = parse_filter(p);
        fix_type(p, v, &v->has_value, &v->value, value, "value");
        parse_add(p, node, value);
        node->op = OP_ENTRY_ASSIGN;
        return node;
    }
    if (t->kind == TOKEN_PUNCTUATION && t->number >= PUNCT_PLUS_ASSIGN && t->number <= PUNCT_INTERSECT_ASSIGN)
        parse_fail(p, t->span, "dictionary entries have no `%s`; write `D[k]=D[k]…`",
                   punctuation_spelling[t->number]);
    node->op = OP_ENTRY;
    node->type = v->has_value ? v->value : TYPE_BOOL;
    return node;
}

// "unbind" ( id | dict [ "[" filter "]" ] )
Ast *parse_unbind(Parser *p)
{
    Ast *node = parse_node(p, OP_UNBIND, TYPE_BOOL, parse_next(p)->span);
    const Token *t = parse_peek(p);
    Variable *v = named_by(p, t);
    if (is_dictionary_word(t) || is_dictionary(v)) {
        node->variable = parse_dictionary_name(p);
        if (parse_at(p, PUNCT_LEFT_BRACKET))
            parse_add(p, node, parse_key(p, node->variable));
        return node;
    }
    parse_name(p, "the name of a variable or dictionary");
    if (v == NULL)
        parse_fail_unknown(p, t);
    if (v->kind == VARIABLE_FUNCTION)
        parse_fail(p, t->span, "`%s` is a function; only variables and dictionaries can be unbound", v->name);
    node->variable = v;
    return node;
}

// ---- # ----------------------------------------------------------------------------------------------------

// { "+" product } after `left`. `#"ab"+1`: when the right operand turns out not to be a string, the sum is
// (#"ab")+1.
static Ast *parse_string_sum(Parser *p, Ast *left)
{
    for (;;) {
        int plus = p->position;
        if (parse_peek(p)->flags & TOKEN_WILDCARD || !parse_take(p, PUNCT_PLUS))
            return left;
        Ast *right = parse_product(p, NULL);
        if (right->type != TYPE_STRING) {
            parse_put_back(p, right, plus + 1, plus);
            return left;
        }
        Ast *sum = parse_node(p, OP_CONCATENATE, TYPE_STRING, left->span);
        parse_add(p, sum, left);
        parse_add(p, sum, right);
        left = parse_finish(p, sum, left->span);
    }
}

// "#" ( dict | set-arg | str-arg )
Ast *parse_count(Parser *p)
{
    Ast *node = parse_node(p, OP_COUNT_SET, TYPE_INT, parse_next(p)->span);
    const Token *t = parse_peek(p);
    if (parse_at_dictionary(p)) {
        node->op = OP_COUNT_DICTIONARY;
        node->variable = parse_dictionary_name(p);
        return node;
    }
    const Variable *v = named_by(p, t);
    if (is_dictionary(v))
        parse_fail(p, t->span,
                   "`#` counts the entries of a dictionary; for the size of an entry write `#{%s[…]}`",
                   v->name);
    if (!parse_begins_filter(t))
        parse_fail_found(p, "expected a set, a string or a dictionary after `#`%s",
                         p->position > 1 && p->token[p->position - 2].kind == TOKEN_DESIGNATOR &&
                                 !(p->token[p->position - 1].flags & TOKEN_SPACE_BEFORE)
                             ? " (a move that mates is `--(mate)`)"
                             : "");
    Ast *operand = parse_move_x(p);
    if (operand->type == TYPE_STRING) {
        node->op = OP_COUNT_STRING;
        operand = parse_string_sum(p, operand);
    } else if (operand->type != TYPE_SET) {
        parse_fail(p, operand->span,
                   "`#` counts the squares of a set, the bytes of a string or the entries of a "
                   "dictionary, but this is %s",
                   type_noun(operand->type));
    }
    parse_add(p, node, operand);
    return node;
}
