// Names in a printed query, the functions that it needs, and text with names filled in.
#include "internal.h"

#include <string.h>

#include "compiler/front/cql6/token.h"

// ---- names ------------------------------------------------------------------------------------------------

static bool is_identifier(Printer *p, const char *text)
{
    const Source source = {"", text, strlen(text), NULL};
    Diagnostics silent = {.arena = p->arena, .source = &source};
    const TokenList tokens = lex(p->arena, &source, IN_CQL6, &silent);
    return silent.errors == 0 && tokens.count == 2 && tokens.token[0].kind == TOKEN_IDENTIFIER;
}

static bool is_in_query(const Printer *p, const char *text)
{
    return text_map_find(&p->variable_name, text, (uint32_t)strlen(text)) >= 0;
}

static Stem *find_stem(Printer *p, const char *text)
{
    bool is_new;
    const int number = text_map_number(p->arena, &p->stem_number, text, (uint32_t)strlen(text), &is_new);
    const Stem new = {.text = text};
    if (is_new)
        ARENA_PUSH(p->arena, p->stem, p->stem_count, new);
    return &p->stem[number];
}

const char *print_fresh_name(Printer *p, const char *text)
{
    Stem *stem = find_stem(p, text);
    for (;;) {
        const int number = ++stem->names;
        const char *name = number == 1 ? stem->text : arena_printf(p->arena, "%s_%d", stem->text, number);
        if (!is_in_query(p, name) && is_identifier(p, name))
            return name;
    }
}

const char *print_word(Printer *p, const char *text)
{
    if (find_stem(p, text)->word == NULL) {
        const char *name = print_fresh_name(p, text);
        find_stem(p, text)->word = name;
    }
    return find_stem(p, text)->word;
}

const char *print_name(const Printer *p, const Variable *v)
{
    return v->number >= 0 && v->number < p->query->variable_count ? p->name[v->number] : v->name;
}

// Some hidden variables have a usable name; the others are named after their kind.
static const char *stem_of(Printer *p, const Variable *v)
{
    static const char *const stems[] = {"number",   "set",           "text",       "place",
                                        "chessman", "dictionary_of", "function_of"};
    return *v->name && is_identifier(p, v->name) ? v->name : stems[v->kind];
}

void print_assign_names(Printer *p)
{
    const int count = p->query->variable_count;
    p->name = arena_alloc(p->arena, ((size_t)count + 1) * sizeof *p->name);
    p->introduced = arena_alloc(p->arena, (size_t)count + 1);
    p->keeps_functions = p->dialect == DIALECT_CQL6;
    bool *is_first = arena_alloc(p->arena, (size_t)count + 1); // with this name
    for (int i = 0; i < count; i++) {
        const char *name = p->query->variable[i]->name;
        if (!p->query->variable[i]->hidden)
            text_map_number(p->arena, &p->variable_name, name, (uint32_t)strlen(name), &is_first[i]);
    }
    for (int i = 0; i < count; i++) {
        const Variable *v = p->query->variable[i];
        const bool kept = !v->hidden && is_first[i] && is_identifier(p, v->name);
        p->name[i] = kept ? v->name : print_fresh_name(p, stem_of(p, v));
        p->keeps_functions &= kept || v->hidden;
    }
}

// ---- functions --------------------------------------------------------------------------------------------

const char *print_function(Printer *p, const char *stem, const char *parameters, const char *comment,
                           const char *body)
{
    const char *text = arena_printf(p->arena, "%s)%s", parameters, body);
    bool is_new;
    const int number = text_map_number(p->arena, &p->function_text, text, (uint32_t)strlen(text), &is_new);
    if (!is_new)
        return p->function[number].name;
    const PrintedFunction new = {print_fresh_name(p, stem), parameters, comment, body};
    ARENA_PUSH(p->arena, p->function, p->function_count, new);
    return new.name;
}

// In the order in which the functions were made, so each definition precedes its calls.
const char *print_functions(Printer *p)
{
    Lines all = {0};
    for (int i = 0; i < p->function_count; i++) {
        const PrintedFunction *f = &p->function[i];
        const char *text = arena_printf(p->arena, "\n// %s\nfunction %s(%s) {\n%s\n}\n", f->comment, f->name,
                                        f->parameters, print_indented(p, f->body));
        ARENA_PUSH(p->arena, all.line, all.count, text);
    }
    ARENA_PUSH(p->arena, all.line, all.count, p->function_count > 0 ? "\n" : "");
    return print_joined(p, all.line, all.count, "");
}

// ---- text with names --------------------------------------------------------------------------------------

// The format with a name in the place of each `$stem`.
static const char *with_names(Printer *p, const char *format)
{
    const char *text = "", *sign;
    for (; (sign = strchr(format, '$')) != NULL; format = sign) {
        const char *stem = sign + 1;
        sign = stem + strspn(stem, "abcdefghijklmnopqrstuvwxyz_");
        const char *name = print_word(p, arena_copy(p->arena, stem, (size_t)(sign - stem)));
        text = arena_printf(p->arena, "%s%.*s%s", text, (int)(stem - 1 - format), format, name);
    }
    return arena_printf(p->arena, "%s%s", text, format);
}

const char *print_code(Printer *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(p->arena, with_names(p, format), arguments);
    va_end(arguments);
    return text;
}

void print_add(Printer *p, Lines *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(p->arena, with_names(p, format), arguments);
    va_end(arguments);
    if (*text != '\0')
        ARENA_PUSH(p->arena, l->line, l->count, text);
}

const char *print_added(Printer *p, const Lines *l)
{
    return print_joined(p, l->line, l->count, "\n");
}

const char *print_block(Printer *p, const Lines *l)
{
    return arena_printf(p->arena, "{\n%s\n}", print_indented(p, print_added(p, l)));
}
