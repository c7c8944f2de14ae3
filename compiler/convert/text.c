// Puts pieces of text together: lines, lists, braces.
#include "internal.h"

#include <string.h>

static const char indentation[] = "    ";

const char *print_refuse(Printer *p, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *what = arena_vprintf(p->arena, format, arguments);
    va_end(arguments);
    if (p->diagnostics->errors == 0)
        diag_add(p->diagnostics, DIAG_ERROR, span, "CQL 6.2 cannot express this: %s", what);
    return "";
}

const char *print_joined(Printer *p, const char *const *text, int count, const char *separator)
{
    size_t length = 1;
    for (int i = 0; i < count; i++)
        length += strlen(text[i]) + strlen(separator);
    char *all = arena_alloc(p->arena, length), *at = all;
    for (int i = 0; i < count; i++)
        at = stpcpy(stpcpy(at, i > 0 ? separator : ""), text[i]);
    return all;
}

bool print_fits_on_a_line(const char *const *text, int count)
{
    size_t length = 0;
    bool one_line = true;
    for (int i = 0; i < count; i++) {
        length += strlen(text[i]) + 1;
        one_line &= !print_is_long(text[i]);
    }
    return one_line && length <= LINE_WIDTH;
}

const char *print_indented(Printer *p, const char *text)
{
    size_t lines = 1;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    char *out = arena_alloc(p->arena, strlen(text) + lines * strlen(indentation) + 1);
    char *at = stpcpy(out, indentation);
    for (const char *c = text; *c; c++) {
        *at++ = *c;
        if (*c == '\n')
            at = stpcpy(at, indentation);
    }
    return out;
}

const char *print_braces(Printer *p, const char *inside)
{
    return print_is_long(inside)
               ? arena_printf(p->arena, "{\n%s\n}", print_indented(p, print_held(p, inside)))
               : arena_printf(p->arena, "{ %s }", inside);
}
