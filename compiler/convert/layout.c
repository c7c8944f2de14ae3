// Lays out filters next to each other: levels of operators, brackets, lists, lines.
#include "internal.h"

#include <string.h>

#include "compiler/language/signs.h"

// ---- levels -----------------------------------------------------------------------------------------------

// The row of a binary operator, or NULL.
static const OpInfo *operator_of(const Ast *node)
{
    const OpInfo *info = &op_info[node->op];
    return info->left != LEVEL_PREFIX ? info : NULL;
}

static Level level_of(const Ast *node)
{
    switch (node->op) {
    case OP_NUMBER:
        return node->number < 0 ? LEVEL_SUM : LEVEL_PRIMARY;
    case OP_STRING:
        return node->text_length == 1 || memchr(node->text, '"', node->text_length) == NULL ? LEVEL_PRIMARY
                                                                                            : LEVEL_SUM;
    case OP_CHILD:
        return node->kid_count > 0 ? LEVEL_PRIMARY : LEVEL_POSTFIX;
    case OP_DASH: // the promotion is a whole filter
        return node->kid_extra != NULL ? LEVEL_PREFIX : LEVEL_MOVE;
    default:
        return op_level(node->op);
    }
}

bool print_is_transform(const Ast *node)
{
    return op_is_transform(node->op) || node->op == OP_NOTRANSFORM;
}

// ---- brackets ---------------------------------------------------------------------------------------------

// Copies may be printed as a transform, and a transform as copies.
static Level level_of_text(const Ast *node, const char *text)
{
    if (node->op == OP_VARIANTS || print_is_transform(node))
        return text[0] == '{' ? LEVEL_PRIMARY : LEVEL_PREFIX;
    return level_of(node);
}

const char *print_at_least(Printer *p, const Ast *node, Level level)
{
    const char *text = print_filter(p, node);
    return level_of_text(node, text) >= level ? text : arena_printf(p->arena, "(%s)", print_held(p, text));
}

const char *print_braced(Printer *p, const Ast *node)
{
    const char *text = print_filter(p, node);
    const bool complete = text[0] == '{' && level_of_text(node, text) == LEVEL_PRIMARY;
    const bool is_set_variable = node->op == OP_VARIABLE && node->type == TYPE_SET;
    return complete || node->op == OP_DESIGNATOR || is_set_variable ? text : print_braces(p, text);
}

const char *print_parameter(Printer *p, const char *word, const Ast *set)
{
    return set == NULL ? "" : arena_printf(p->arena, " %s %s", word, print_braced(p, set));
}

// Text that begins like this could continue the filter before it.
static bool continues(const char *text)
{
    return text[0] == '(' || text[0] == '"' || (text[0] == '-' && text[1] != '-');
}

// Filters that would read what follows as parameters, or be read as a parameter of the filter before.
static bool needs_braces(const Ast *node)
{
    switch (node->op) {
    case OP_PATH:
    case OP_MOVE:
    case OP_PIN:
    case OP_HHDB:
    case OP_WHITE:
    case OP_BLACK:
    case OP_CHILD:
        return true;
    default:
        return false;
    }
}

const char *print_test(Printer *p, const Ast *node)
{
    const bool plain = level_of(node) > LEVEL_PREFIX && !needs_braces(node);
    return plain ? print_filter(p, node) : print_braced(p, node);
}

const char *print_member(Printer *p, Ast *const *node, int i, int count)
{
    const char *text = print_node(p, node[i], true);
    const bool alone = count == 1 || !needs_braces(node[i]);
    return alone && (i == 0 || !continues(text)) ? text : print_braces(p, text);
}

static const char *spaced(Printer *p, const char *const *text, int count)
{
    return print_joined(p, text, count, print_fits_on_a_line(text, count) ? " " : "\n");
}

const char *print_list(Printer *p, Ast *const *node, int count)
{
    const char **text = arena_alloc(p->arena, ((size_t)count + 1) * sizeof *text);
    for (int i = 0; i < count; i++)
        text[i] = print_member(p, node, i, count);
    return spaced(p, text, count);
}

const char *print_items(Printer *p, Ast *const *node, int count)
{
    const char **text = arena_alloc(p->arena, ((size_t)count + 1) * sizeof *text);
    for (int i = 0; i < count; i++) {
        // a quoted string is not an implicit search here, so a search needs braces
        const bool plain = level_of(node[i]) == LEVEL_PRIMARY && !needs_braces(node[i]);
        text[i] = plain ? print_filter(p, node[i]) : print_braced(p, node[i]);
    }
    return arena_printf(p->arena, "(%s)", print_held(p, spaced(p, text, count)));
}

// ---- operators -------------------------------------------------------------------------------------------

// `a or b or c`, on several lines when it is long.
static const char *chain(Printer *p, const Ast *node, const OpInfo *row)
{
    const Ast *first = node;
    int count = 1;
    for (; first->op == node->op; first = first->kid[0])
        count++;
    const char **text = arena_alloc(p->arena, (size_t)count * sizeof *text);
    for (int i = count - 1; i > 0; i--, node = node->kid[0])
        text[i] = print_at_least(p, node->kid[1], row->right);
    text[0] = print_at_least(p, first, row->left);
    const char *space = print_fits_on_a_line(text, count) ? " " : "\n";
    return print_joined(p, text, count, arena_printf(p->arena, "%s%s ", space, row->name));
}

const char *print_operation(Printer *p, const Ast *node)
{
    const OpInfo *row = operator_of(node);
    if (row == NULL)
        return NULL;
    if (node->op == OP_OR || node->op == OP_AND || node->op == OP_UNION || node->op == OP_CONCATENATE)
        return chain(p, node, row);
    const char *left = print_at_least(p, node->kid[0], row->left);
    const char *right = print_at_least(p, node->kid[1], row->right);
    return arena_printf(p->arena, node->op == OP_AT ? "%s%s%s" : "%s %s %s", left, row->name,
                        print_held(p, right));
}
