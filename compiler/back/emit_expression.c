// Expressions of emitted C: text, how strongly it binds, and the variables that it mentions.
#include "emit_internal.h"
#include "runtime/value/account.h"

#include <stdlib.h>
#include <string.h>

static const Mentions *both(Emit *e, const Mentions *a, const Mentions *b)
{
    if (a == NULL || b == NULL || a == b)
        return a != NULL ? a : b;
    Mentions *m = arena_alloc(e->arena, sizeof *m);
    *m = (Mentions){NULL, a, b};
    return m;
}

static void append(Emit *e, size_t *length, const char *text, size_t count)
{
    e->buffer = account_grow(e->buffer, &e->capacity, *length + count + 1, 1);
    memcpy(e->buffer + *length, text, count);
    *length += count;
}

static Strength least_strength(char conversion)
{
    return conversion == 'u'   ? STRENGTH_UNARY
           : conversion == 'a' ? STRENGTH_ARITHMETIC
           : conversion == 'b' ? STRENGTH_BITS
                               : STRENGTH_CHOICE;
}

static Expr argument(char conversion, va_list *arguments, char number[16])
{
    switch (conversion) {
    case 's':
        return emit_word(va_arg(*arguments, const char *));
    case 'd':
        snprintf(number, 16, "%d", va_arg(*arguments, int));
        return emit_word(number);
    case 'v':
        return emit_variable(va_arg(*arguments, Variable *));
    default:
        return va_arg(*arguments, Expr);
    }
}

Expr emit_vformat(Emit *e, Strength strength, const char *format, va_list arguments)
{
    size_t length = 0;
    Expr x = {.strength = strength};
    va_list rest;
    va_copy(rest, arguments);
    for (const char *mark; (mark = strchr(format, '%')) != NULL; format = mark + 2) {
        char number[16];
        const Expr part = argument(mark[1], &rest, number);
        const bool wrapped = part.strength < least_strength(mark[1]);
        append(e, &length, format, (size_t)(mark - format));
        append(e, &length, "(", wrapped);
        append(e, &length, part.text, strlen(part.text));
        append(e, &length, ")", wrapped);
        x.mentions = both(e, x.mentions, part.mentions);
    }
    va_end(rest);
    append(e, &length, format, strlen(format));
    x.text = arena_copy(e->arena, e->buffer, length);
    return x;
}

Expr emit_expr(Emit *e, Strength strength, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const Expr x = emit_vformat(e, strength, format, arguments);
    va_end(arguments);
    return x;
}

Expr emit_primary(Emit *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const Expr x = emit_vformat(e, STRENGTH_PRIMARY, format, arguments);
    va_end(arguments);
    return x;
}

Expr emit_word(const char *text)
{
    return (Expr){.text = text, .strength = STRENGTH_PRIMARY};
}

Expr emit_variable(Variable *variable)
{
    variable->self.variable = variable;
    return (Expr){.text = variable->name, .strength = STRENGTH_PRIMARY, .mentions = &variable->self};
}

Expr emit_list(Emit *e, const Expr *item, int count, const char *separator, Strength strength)
{
    size_t length = 0;
    Expr x = {.strength = strength};
    for (int i = 0; i < count; i++) {
        append(e, &length, separator, i > 0 ? strlen(separator) : 0);
        append(e, &length, item[i].text, strlen(item[i].text));
    }
    for (int i = count - 1; i >= 0; i--)
        x.mentions = both(e, item[i].mentions, x.mentions);
    x.text = arena_copy(e->arena, e->buffer, length);
    return x;
}

static Strength table_strength(const char *text)
{
    if (text[1] != ' ')
        return text[0] == '~' || text[0] == '!' ? STRENGTH_UNARY : STRENGTH_PRIMARY;
    return strchr("&|^", text[2]) != NULL                                       ? STRENGTH_BITS
           : strchr("=!<>", text[2]) != NULL && strncmp(text + 2, ">>", 2) != 0 ? STRENGTH_COMPARE
                                                                                : STRENGTH_ARITHMETIC;
}

// Is the operand an argument of a function?
static bool is_argument(const char *operand)
{
    return operand[1] == ')' || operand[1] == ',';
}

Expr emit_by_table(Emit *e, const char *text, int number, const Expr value[2])
{
    static const char number_word[] = "ir->number";
    const Strength strength = table_strength(text);
    char format[80], *end = format;
    Expr part[2] = {0};
    int count = 0;
    for (const char *c = text; *c; c++) {
        const bool begins = c == text || !emit_is_word(c[-1]);
        if (begins && (*c == 'a' || *c == 'b') && !emit_is_word(c[1])) {
            *end++ = '%';
            *end++ = is_argument(c) ? 'e' : strength == STRENGTH_COMPARE ? 'a' : 'u';
            part[count++] = value[*c - 'a'];
        } else if (begins && strncmp(c, number_word, sizeof number_word - 1) == 0) {
            end += sprintf(end, "%d", number);
            c += sizeof number_word - 2;
        } else
            *end++ = *c;
    }
    *end = 0;
    return emit_expr(e, strength, format, part[0], part[1]);
}
