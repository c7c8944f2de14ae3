// Regular expressions of a printed query (language reference 7.11). CQLi computes patterns and names groups
// (13.7): constant patterns become literals, and names the numbers of their groups.
#include "internal.h"

#include <string.h>

// ---- patterns ---------------------------------------------------------------------------------------------

typedef struct Text {
    const char *bytes; // NULL: not a constant
    uint32_t length;
} Text;

static Text constant_text(Arena *arena, const Ast *node)
{
    if (node->op == OP_STRING)
        return (Text){node->text, node->text_length};
    if (node->op == OP_COMPOUND && node->kid_count == 1)
        return constant_text(arena, node->kid[0]);
    if (node->op != OP_CONCATENATE)
        return (Text){NULL, 0};
    const Text left = constant_text(arena, node->kid[0]), right = constant_text(arena, node->kid[1]);
    if (left.bytes == NULL || right.bytes == NULL)
        return (Text){NULL, 0};
    const char *both =
        arena_printf(arena, "%.*s%.*s", (int)left.length, left.bytes, (int)right.length, right.bytes);
    return (Text){both, left.length + right.length};
}

static Text pattern_of(Arena *arena, const Ast *node)
{
    return node->kid_extra != NULL ? constant_text(arena, node->kid_extra)
                                   : (Text){node->text, node->text_length};
}

// ---- named groups -----------------------------------------------------------------------------------------

// The length of `(?<name>` when it stands here, else 0; the name is *name with *length bytes.
static size_t named_group(const char *at, const char **name, int *length)
{
    if (strncmp(at, "(?<", 3) != 0 || at[3] == '=' || at[3] == '!')
        return 0;
    const char *stop = strchr(at, '>');
    *name = at + 3;
    *length = stop != NULL ? (int)(stop - *name) : 0;
    return stop != NULL ? (size_t)(stop + 1 - at) : 0;
}

// Walks over the groups of a pattern. Returns the pattern without names; *number becomes the number of the
// group with the name `wanted` (NULL: none is), 0 when there is none.
static const char *read_groups(Arena *arena, const char *pattern, const char *wanted, int *number)
{
    char *out = arena_alloc(arena, strlen(pattern) + 1), *end = out;
    int groups = 0;
    bool class = false;
    for (const char *at = pattern; *at != '\0';) {
        const char *name = NULL;
        int length = 0;
        const size_t skipped = class ? 0 : named_group(at, &name, &length);
        if (skipped > 0 && wanted != NULL && (int)strlen(wanted) == length &&
            memcmp(name, wanted, (size_t)length) == 0)
            *number = groups + 1;
        groups += !class && *at == '(' && (at[1] != '?' || skipped > 0);
        class = *at == '[' || (class && *at != ']');
        *end++ = *at;
        if (*at == '\\' && at[1] != '\0')
            *end++ = at[1];
        at += skipped > 0 ? skipped : *at == '\\' && at[1] != '\0' ? 2 : 1;
    }
    return out;
}

static bool has_named_groups(const char *pattern)
{
    return strstr(pattern, "(?<") != NULL || strstr(pattern, "(?P") != NULL || strstr(pattern, "(?'") != NULL;
}

// Other spellings of names, and references to them in the pattern.
static bool has_unusual_names(const char *pattern)
{
    return strstr(pattern, "(?P") != NULL || strstr(pattern, "(?'") != NULL ||
           strstr(pattern, "\\k") != NULL || strstr(pattern, "(?|") != NULL;
}

const char *print_regex(Printer *p, const Ast *node)
{
    const Text pattern = pattern_of(p->arena, node);
    if (pattern.bytes == NULL)
        return print_refuse(p, node->span, "a computed regular expression (its patterns are literals)");
    const char *text = arena_copy(p->arena, pattern.bytes, pattern.length);
    if (p->dialect == DIALECT_CQLI && has_named_groups(text)) {
        if (has_unusual_names(text))
            return print_refuse(p, node->span, "a regular expression with such names of groups");
        int number = 0;
        text = read_groups(p->arena, text, NULL, &number);
    }
    return arena_printf(p->arena, "%s ~~ %s", print_at_least(p, node->kid[0], LEVEL_POSTFIX),
                        print_quoted(p, node, text, (uint32_t)strlen(text)));
}

// ---- references -------------------------------------------------------------------------------------------

// The number of a named group in all patterns of the query.
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
    const Text pattern = pattern_of(r->arena, node);
    int number = 0;
    if (pattern.bytes != NULL)
        read_groups(r->arena, arena_copy(r->arena, pattern.bytes, pattern.length), r->name, &number);
    r->differs |= number == 0 || (r->number != 0 && r->number != number);
    r->number = number;
    return false;
}

// A name stands for a group of the last match, whichever pattern that was of.
const char *print_group(Printer *p, const Ast *node, const char *sign)
{
    if (node->number >= 0)
        return arena_printf(p->arena, "%s%d", sign, node->number);
    Reference r = {p->arena, node->text, 0, false};
    ast_contains(p->query->body, look_up, &r);
    return r.number == 0 || r.differs
               ? print_refuse(p, node->span,
                              "the named group `%s`, which not all patterns have as the same group",
                              node->text)
               : arena_printf(p->arena, "%s%d", sign, r.number);
}
