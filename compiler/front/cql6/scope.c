// What names mean: the table of names, and the scopes of CQLi (language reference 13.14).
#include "parser.h"

#include <string.h>

// ---- the table -----------------------------------------------------------------------------------

static Name *find_entry(Parser *p, const char *text)
{
    const int number = text_map_find(&own(p)->names.number, text, (uint32_t)strlen(text));
    return number < 0 ? NULL : own(p)->names.name[number];
}

static Name *add_entry(Parser *p, const char *text)
{
    NameTable *names = &own(p)->names;
    const int number = text_map_number(p->arena, &names->number, text, (uint32_t)strlen(text), NULL);
    if (number == names->count)
        ARENA_PUSH(p->arena, names->name, names->count, arena_alloc(p->arena, sizeof(Name)));
    return names->name[number];
}

Variable *name_find(Parser *p, const char *text)
{
    Name *entry = find_entry(p, text);
    return entry == NULL ? NULL : entry->variable;
}

void name_poison(Parser *p, const char *text)
{
    add_entry(p, text)->poisoned = true;
}

bool name_is_poisoned(Parser *p, const char *text)
{
    const Name *entry = find_entry(p, text);
    return entry != NULL && entry->variable == NULL && entry->poisoned;
}

Variable *name_add(Parser *p, const char *text, VariableKind kind, Span span)
{
    Name *entry = add_entry(p, text);
    // Names of arguments that are variables begin so (functions.c).
    const Variable *alias = text[0] == ALIAS_SIGN ? entry->variable : NULL;
    Variable *v = query_add_variable(p->query, alias != NULL ? alias->name : text, kind, span);
    v->hidden = alias != NULL && alias->hidden;
    entry->variable = v;
    entry->scope = own(p)->scope;
    // Position variables come from `echo`, where CQL 6.2 says what is wrong (6.9).
    if (own(p)->cqli && kind != VARIABLE_POSITION && entry->kinds & ~(1u << kind))
        parse_note_only_cqli(p, span,
                             arena_printf(p->arena, "`%s` is the name of different variables", v->name));
    entry->kinds |= 1u << kind;
    return v;
}

void name_define(Parser *p, const char *text, Variable *v)
{
    add_entry(p, text)->variable = v;
}

void names_recover(Parser *p)
{
    while (own(p)->scope != NULL)
        scope_leave(p);
    for (int i = 0; i < p->query->variable_count; i++)
        if (p->query->variable[i]->function != NULL)
            p->query->variable[i]->function->expanding = false;
}

// ---- scopes -----------------------------------------------------------------------------------------------

void scope_enter(Parser *p, bool body)
{
    Scope *scope = arena_alloc(p->arena, sizeof *scope);
    *scope = (Scope){.outer = own(p)->scope, .body = body};
    own(p)->scope = scope;
}

void scope_leave(Parser *p)
{
    const Scope *scope = own(p)->scope;
    own(p)->scope = scope->outer;
    for (const Hidden *h = scope->hidden; h != NULL; h = h->next) {
        Name *entry = add_entry(p, h->text);
        entry->variable = h->variable;
        entry->scope = h->scope;
    }
}

// The meaning of the name comes back when the scope is left, unless a scope in it already says so.
static void hide(Parser *p, Scope *scope, const char *text)
{
    for (const Scope *s = own(p)->scope; s != scope->outer; s = s->outer)
        for (const Hidden *h = s->hidden; h != NULL; h = h->next)
            if (strcmp(h->text, text) == 0)
                return;
    const Name *entry = find_entry(p, text);
    Hidden *hidden = arena_alloc(p->arena, sizeof *hidden);
    *hidden = (Hidden){text, entry != NULL ? entry->variable : NULL, entry != NULL ? entry->scope : NULL,
                       scope->hidden};
    scope->hidden = hidden;
}

Variable *scope_add(Parser *p, const Token *name, VariableKind kind)
{
    hide(p, own(p)->scope, name->bytes);
    return name_add(p, name->bytes, kind, name->span);
}

static Scope *innermost_body(Parser *p)
{
    Scope *scope = own(p)->scope;
    while (scope != NULL && !scope->body)
        scope = scope->outer;
    return scope;
}

static bool is_open(Parser *p, const Scope *scope)
{
    const Scope *s = own(p)->scope;
    while (s != NULL && s != scope)
        s = s->outer;
    return s == scope;
}

Variable *scope_assign(Parser *p, const Token *name, VariableKind kind)
{
    Scope *body = innermost_body(p);
    if (body != NULL)
        hide(p, body, name->bytes);
    return name_add(p, name->bytes, kind, name->span);
}

bool scope_may_replace(Parser *p, const char *text)
{
    const Name *entry = find_entry(p, text);
    return own(p)->cqli && entry != NULL && entry->variable != NULL &&
           (innermost_body(p) != NULL || !is_open(p, entry->scope));
}
