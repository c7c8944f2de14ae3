// Regular expressions in a printed query (language reference 7.11). CQLi allows computed patterns and named
// groups (13.7): constant patterns become literals, and names become the numbers of their groups.
#include "internal.h"

#include <string.h>

#include "runtime/value/regex.h"

enum { CQLI_REGEX = REGEX_UNICODE | REGEX_NAMES };

// ---- patterns ---------------------------------------------------------------------------------------------

// NULL: not constant.
static const char *constant_text(Arena *arena, Ast *node)
{
    node = ast_unwrap(node);
    if (node->op == OP_STRING)
        return node->text;
    if (node->op != OP_CONCATENATE)
        return NULL;
    const char *left = constant_text(arena, node->kid[0]), *right = constant_text(arena, node->kid[1]);
    return left != NULL && right != NULL ? arena_printf(arena, "%s%s", left, right) : NULL;
}

static const char *pattern_of(Arena *arena, const Ast *node)
{
    return node->kid_extra != NULL ? constant_text(arena, node->kid_extra) : node->text;
}

// Removes the names of groups from a well-formed pattern: `(` for `(?<name>`.
static const char *without_names(Arena *arena, const char *pattern)
{
    char *out = arena_alloc(arena, strlen(pattern) + 1), *end = out;
    bool class = false;
    for (const char *at = pattern; *at != '\0';) {
        const bool name = !class && strncmp(at, "(?<", 3) == 0; // CQLi has no tests of what precedes
        class = *at == '[' || (class && *at != ']');
        if (*at == '\\')
            *end++ = *at++;
        *end++ = *at;
        at = (name ? strchr(at, '>') : at) + 1;
    }
    return out;
}

const char *print_regex(Printer *p, const Ast *node)
{
    const char *pattern = pattern_of(p->arena, node);
    if (pattern == NULL)
        return print_refuse(p, node->span, "a computed regular expression (its patterns are literals)");
    if (p->dialect == DIALECT_CQLI) {
        const char *problem = regex_check(pattern, strlen(pattern), CQLI_REGEX);
        if (problem != NULL)
            return print_refuse(p, node->span, "a malformed regular expression: %s", problem);
        if (strstr(pattern, "\\k<") != NULL)
            return print_refuse(p, node->span, "a reference by name in a regular expression");
        pattern = without_names(p->arena, pattern);
    }
    const char *text = print_at_least(p, node->kid[0], LEVEL_POSTFIX);
    return arena_printf(p->arena, "%s ~~ %s", text,
                        print_quoted(p, node, pattern, (uint32_t)strlen(pattern)));
}

// ---- references -------------------------------------------------------------------------------------------

// Looks for the number that a named group has in all patterns of the query.
typedef struct Reference {
    Arena *arena;
    const char *name;
    int number; // 0: no pattern seen
    bool differs;
} Reference;

static bool look_up(const Ast *node, void *user)
{
    Reference *r = user;
    if (node->op != OP_REGEX && node->op != OP_REGEX_LOOP)
        return false;
    const char *pattern = pattern_of(r->arena, node), *message;
    Regex *regex = pattern != NULL ? regex_new(pattern, strlen(pattern), CQLI_REGEX, &message) : NULL;
    const int number = regex != NULL ? regex_group_number(regex, r->name) : -1;
    regex_free(regex);
    r->differs |= number < 0 || (r->number != 0 && r->number != number);
    r->number = number;
    return false;
}

// A name refers to a group of the last match, whichever pattern matched.
const char *print_group(Printer *p, const Ast *node, const char *sign)
{
    if (node->number >= 0)
        return arena_printf(p->arena, "%s%d", sign, node->number);
    Reference r = {p->arena, node->text, 0, false};
    ast_contains(p->query->body, look_up, &r);
    return r.number == 0 || r.differs
               ? print_refuse(p, node->span,
                              "the named group `%s`, whose number is not the same in all patterns",
                              node->text)
               : arena_printf(p->arena, "%s%d", sign, r.number);
}
