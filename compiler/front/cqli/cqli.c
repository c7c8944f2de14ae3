// The dialect CQLi (language reference 13).
#include "cqli.h"

#include <string.h>

#include "compiler/front/cql6/lexer.h"
#include "compiler/front/cql6/parser.h"

// ---- words and signs --------------------------------------------------------------------------------------

bool cqli_is_newer_word(int op)
{
    return (op_info[op].dialects & IN_CQLI) == 0;
}

int cqli_parameter(const char *word, size_t length)
{
    const int op = op_from_word(word, length);
    return op >= 0 && op_info[op].dialects & IN_CQLI_PARAMETERS ? op : -1;
}

size_t cqli_is_newer_sign(const char *text)
{
    static const char *const signs[] = {"->", "→", "←", "×", "――", "⊢", "◎"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(text, signs[i], strlen(signs[i])) == 0)
            return strlen(signs[i]);
    return designator_symbol_length(text);
}

size_t cqli_named_group(const char *text)
{
    if (text[0] != '\\')
        return 0;
    const size_t brace = text[1] == '-' ? 2 : 1;
    if (text[brace] != '{' || !is_word_start(text[brace + 1]) || text[brace + 1] == '$')
        return 0;
    size_t end = brace + 2;
    while (is_word_byte(text[end]) && text[end] != '$')
        end++;
    return text[end] == '}' ? end + 1 : 0;
}

// ---- acceptance -------------------------------------------------------------------------------------------

void cqli_accept(Parser *p, Span span, const char *what)
{
    if (own(p)->cqli)
        return;
    if (own(p)->pedantic)
        parse_fail(p, span, "%s belongs to the dialect CQLi, not to CQL 6.2", what);
    for (int i = 0; i < own(p)->accepted_count; i++)
        if (strcmp(own(p)->accepted[i], what) == 0)
            return;
    ARENA_PUSH(p->arena, own(p)->accepted, own(p)->accepted_count, what);
    diag_add(p->diagnostics, DIAG_NOTE, span, "%s belongs to the dialect CQLi", what);
}

Query *parse_cqli(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics)
{
    return parse_dialect(arena, source, options, diagnostics, true);
}

void cqli_explain_failure(Arena *arena, const Source *source, const ParseOptions *options,
                          Diagnostics *diagnostics)
{
    Diagnostics silent = {.arena = arena, .source = source};
    if (options->pedantic || diagnostics->count == 0 || !parse_cqli(arena, source, options, &silent))
        return;
    const Span span = diagnostics->list[0].span;
    diag_add(diagnostics, DIAG_NOTE, span,
             "the text is valid CQLi; to have it read so, begin it with the line `// dialect: cqli`");
}

// ---- filters that only CQLi has ---------------------------------------------------------------------------

Ast *cqli_parse_word(Parser *p)
{
    static const char *const open[] = {"imagine",     "saveposition", "reachableposition",
                                       "variant",     "variantwin",   "variantloss",
                                       "variantdraw", "variantend",   NULL};
    const Token *t = parse_peek(p);
    if (strcmp(t->bytes, "currentmutation") == 0) {
        parse_next(p);
        return parse_node(p, OP_CURRENTMUTATION, TYPE_STRING, t->span);
    }
    for (int i = 0; open[i] != NULL; i++)
        if (strcmp(t->bytes, open[i]) == 0)
            parse_fail(p, t->span, "the filter `%s` of CQLi is not supported", t->bytes);
    return NULL;
}

void cqli_refuse_move_parameter(Parser *p)
{
    const Token *t = parse_peek(p);
    if (t->kind != TOKEN_IDENTIFIER || !(strcmp(t->bytes, "reverse") == 0 || strcmp(t->bytes, "drop") == 0))
        return;
    if (own(p)->cqli)
        parse_fail(p, t->span, "the parameter `%s` of `move` is not supported", t->bytes);
}

void cqli_refuse_hhdb_key(Parser *p, const Token *key)
{
    static const char *const open[] = {"tourney_edition",
                                       "tourney_name",
                                       "tourney_year",
                                       "tourney_year_end",
                                       "distinction",
                                       "tourney_year_part",
                                       NULL};
    for (int i = 0; open[i] != NULL; i++)
        if (strcmp(key->bytes, open[i]) == 0)
            parse_fail(p, key->span, "the key `%s` of `hhdb` is not supported", key->bytes);
}

Ast *cqli_parse_identity(Parser *p)
{
    Ast *node = parse_node(p, OP_COMPOUND, TYPE_BOOL, parse_next(p)->span);
    if (!parse_begins_filter(parse_peek(p)))
        parse_fail_found(p, "expected a filter behind the backquote");
    Ast *kid = parse_primary(p);
    parse_add(p, node, kid);
    node->type = kid->type;
    return node;
}

// ---- speculative moves ------------------------------------------------------------------------------------

static bool keeps_position(const Ast *node, void *user)
{
    (void)user;
    switch (node->op) {
    case OP_ASSIGN:
        return node->kid[0]->type == TYPE_POSITION && !node->variable->hidden;
    case OP_ENTRY_ASSIGN:
        return node->kid[0]->type == TYPE_POSITION || node->kid[1]->type == TYPE_POSITION;
    default:
        return false;
    }
}

Ast *cqli_parse_speculative(Parser *p, Ast *move)
{
    const Span colon = parse_next(p)->span;
    cqli_accept(p, colon, "a speculative move");
    if (move->flags & AST_PREVIOUS)
        parse_fail(p, move->span, "`move previous` cannot be played from the current position");
    if (move->kid_count > 0)
        parse_fail(p, move->span, "a speculative move has no `comment`; write it behind the colon");
    if (!parse_begins_filter(parse_peek(p)))
        parse_fail_found(p, "expected the filter that is evaluated after the move");
    Ast *target = parse_as_condition(p, parse_at_level(p));
    // Imaginary positions vanish after the evaluation.
    if (ast_contains(target, keeps_position, NULL))
        parse_fail(p, target->span,
                   "an imaginary position cannot be kept in a variable or dictionary "
                   "(`saveposition` is not supported)");
    Ast *node = parse_node(p, OP_SPECULATIVE, move->type, move->span);
    if (move->flags & AST_ALL) {
        node->flags = AST_ALL;
        node->type = move->flags & AST_COUNT ? TYPE_INT : TYPE_BOOL;
        move->flags &= ~(unsigned)AST_ALL;
    }
    parse_add(p, node, move);
    parse_add(p, node, target);
    return parse_finish(p, node, move->span);
}

// ---- the scope of echo ------------------------------------------------------------------------------------

EchoScope cqli_begin_scope(Parser *p, Ast *echo)
{
    EchoScope scope;
    Surroundings outer = parse_enter(p);
    parse_expect(p, PUNCT_LEFT_PAREN, "before the two variables of `echo`");
    const Token *t[2];
    for (int i = 0; i < 2; i++) {
        t[i] = parse_name(p, "the name of a position variable");
        scope.name[i] = t[i]->bytes;
    }
    if (strcmp(scope.name[0], scope.name[1]) == 0)
        parse_fail(p, t[1]->span, "`echo` needs two different variables");
    parse_leave(p, outer);
    parse_expect(p, PUNCT_RIGHT_PAREN, "behind the two variables of `echo`");
    for (int i = 0; i < 2; i++)
        scope.outer[i] = name_find(p, scope.name[i]);
    echo->variable = name_add(p, scope.name[0], VARIABLE_POSITION, t[0]->span);
    echo->variable2 = name_add(p, scope.name[1], VARIABLE_POSITION, t[1]->span);
    return scope;
}

void cqli_end_scope(Parser *p, const EchoScope *scope)
{
    for (int i = 0; i < 2; i++)
        name_restore(p, scope->name[i], scope->outer[i]);
}
