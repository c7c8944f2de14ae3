// Long pieces of a printed query. A text that contains a long piece has a sign in its place, so that nesting does not copy
// it again and again; the signs are replaced when the whole query is known.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"

enum { BEGIN = 1, END = 2 }; // of a sign: bytes that the query does not have
enum { DEEPEST = 80 }; // columns of indentation: otherwise the output grows with the square of the nesting

static bool has_sign(const Ast *node, void *user)
{
    (void)user;
    return node->text != NULL && memchr(node->text, BEGIN, node->text_length) != NULL;
}

void print_begin_holding(Printer *p)
{
    const Source *s = &p->query->source;
    p->holds = memchr(s->text, BEGIN, s->length) == NULL && !ast_contains(p->query->body, has_sign, NULL);
}

bool print_is_long(const char *text)
{
    const char sign[] = {'\n', BEGIN, 0};
    return strlen(text) > LINE_WIDTH || strpbrk(text, sign) != NULL;
}

const char *print_held(Printer *p, const char *text)
{
    if (!p->holds || !print_is_long(text))
        return text;
    bool is_new;
    const int number = text_map_number(p->arena, &p->held_number, text, (uint32_t)strlen(text), &is_new);
    if (is_new)
        ARENA_PUSH(p->arena, p->held, p->held_count, text);
    return arena_printf(p->arena, "%c%d%c", BEGIN, number, END);
}

// `columns`: of the line that the text begins in; its other lines are indented as far.
static void put(const Printer *p, FILE *out, const char *text, int columns)
{
    int here = columns;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == BEGIN && p->holds) {
            char *end;
            put(p, out, p->held[strtol(c + 1, &end, 10)], here);
            c = end;
            continue;
        }
        fputc(*c, out);
        if (*c != '\n')
            continue;
        const int own = (int)strspn(c + 1, " ");
        here = columns + own;
        fprintf(out, "%*s", here < DEEPEST ? here : DEEPEST, "");
        c += own;
    }
}

const char *print_released(Printer *p, const char *text)
{
    char *bytes;
    size_t length;
    FILE *out = memory_stream(&bytes, &length);
    put(p, out, text, 0);
    fflush(out);
    const char *copy = arena_copy(p->arena, bytes, length);
    fclose(out);
    free(bytes);
    return copy;
}
