// How filters stand together in a printed query: levels of operators, brackets, lines.
#include "internal.h"

#include <string.h>

#include "compiler/front/cql6/parser.h"

// ---- levels -----------------------------------------------------------------------------------------------

typedef struct Operator {
    Op op;
    const char *sign;
    Level level, left, right; // of the whole and of its operands
} Operator;

static const Operator operators[] = {
    {OP_OR, "or", LEVEL_OR, LEVEL_OR, LEVEL_AND},
    {OP_AND, "and", LEVEL_AND, LEVEL_AND, LEVEL_IN},
    {OP_IN_SET, "in", LEVEL_IN, LEVEL_RELATION, LEVEL_ARROW},
    {OP_IN_STRING, "in", LEVEL_IN, LEVEL_RELATION, LEVEL_SUM},
    {OP_LT, "<", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    {OP_LE, "<=", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    {OP_GT, ">", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    {OP_GE, ">=", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    {OP_EQ, "==", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    {OP_NE, "!=", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    {OP_ANCESTOR, "[<]", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    {OP_ANCESTOR_EQ, "[<=]", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    {OP_DESCENDANT, "[>]", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    {OP_DESCENDANT_EQ, "[>=]", LEVEL_RELATION, LEVEL_SUM, LEVEL_SUM},
    {OP_ADD, "+", LEVEL_SUM, LEVEL_SUM, LEVEL_PRODUCT},
    {OP_CONCATENATE, "+", LEVEL_SUM, LEVEL_SUM, LEVEL_PRODUCT},
    {OP_SUBTRACT, "-", LEVEL_SUM, LEVEL_SUM, LEVEL_PRODUCT},
    {OP_MULTIPLY, "*", LEVEL_PRODUCT, LEVEL_PRODUCT, LEVEL_MOVE},
    {OP_DIVIDE, "/", LEVEL_PRODUCT, LEVEL_PRODUCT, LEVEL_MOVE},
    {OP_MODULO, "%", LEVEL_PRODUCT, LEVEL_PRODUCT, LEVEL_MOVE},
    {OP_UNION, "|", LEVEL_UNION, LEVEL_UNION, LEVEL_INTERSECTION},
    {OP_INTERSECT, "&", LEVEL_INTERSECTION, LEVEL_INTERSECTION, LEVEL_ATTACK},
    {OP_POSITION_INTERSECT, "&", LEVEL_INTERSECTION, LEVEL_PRIMARY, LEVEL_PRIMARY},
    {OP_ATTACKS, "attacks", LEVEL_ATTACK, LEVEL_POSTFIX, LEVEL_POSTFIX},
    {OP_ATTACKED_BY, "attackedby", LEVEL_ATTACK, LEVEL_POSTFIX, LEVEL_POSTFIX},
    {OP_AT, ":", LEVEL_AT, LEVEL_PRIMARY, LEVEL_AT},
};

static const Operator *operator_of(const Ast *node)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].op == node->op)
            return &operators[i];
    return NULL;
}

static Level level_of_word(const Ast *node)
{
    const OpInfo *info = &op_info[node->op];
    if (info->row != ROW_FILTER || info->args == NULL)
        return LEVEL_PREFIX;
    if (info->args[0] == '\0' || info->args[0] == '(')
        return LEVEL_PRIMARY;
    return strcmp(info->args, "S") == 0 ? LEVEL_MOVE : LEVEL_PREFIX;
}

static Level level_of(const Ast *node)
{
    const Operator *operator= operator_of(node);
    if (operator!= NULL)
        return operator->level;
    switch (node->op) {
    case OP_COMPOUND:
    case OP_CALL:
    case OP_DESIGNATOR:
    case OP_ALL_SQUARES:
    case OP_NO_SQUARES:
    case OP_GROUP:
    case OP_GROUP_OFFSET:
    case OP_VARIABLE:
    case OP_ENTRY:
    case OP_FUNCTION:
    case OP_STR:
    case OP_MAX:
    case OP_MIN:
    case OP_RAY:
    case OP_CURRENTTRANSFORM:
    case OP_ATTACK_PAIRS:
    case OP_RAY_PAIRS:
    case OP_RAY_ENDS:
    case OP_RELATION_LCA:
    case OP_RESULT:
        return LEVEL_PRIMARY;
    case OP_COMPLEMENT: // takes an operand of that level, too, but as a left operand only in parentheses
        return LEVEL_ATTACK;
    case OP_NUMBER:
        return node->number < 0 ? LEVEL_SUM : LEVEL_PRIMARY;
    case OP_STRING:
        return node->text_length == 1 || memchr(node->text, '"', node->text_length) == NULL ? LEVEL_PRIMARY
                                                                                            : LEVEL_SUM;
    case OP_CHILD:
        return node->kid_count > 0 ? LEVEL_PRIMARY : LEVEL_POSTFIX;
    case OP_SUBSCRIPT:
    case OP_SLICE:
    case OP_REGEX:
        return LEVEL_POSTFIX;
    case OP_ARROW:
        return LEVEL_ARROW;
    case OP_NOT:
        return LEVEL_IN;
    case OP_DASH: // a promoted piece is a whole filter
        return node->kid_extra != NULL ? LEVEL_PREFIX : LEVEL_MOVE;
    case OP_COUNT_SET:
        return LEVEL_MOVE;
    default:
        return level_of_word(node);
    }
}

bool print_is_transform(const Ast *node)
{
    return node->op >= OP_FLIP && node->op <= OP_NOTRANSFORM;
}

// ---- brackets ---------------------------------------------------------------------------------------------

// Copies may be written as a transform, transforms as a list of copies.
static Level level_of_text(const Ast *node, const char *text)
{
    if (node->op == OP_VARIANTS || print_is_transform(node))
        return text[0] == '{' ? LEVEL_PRIMARY : LEVEL_PREFIX;
    return level_of(node);
}

const char *print_at_least(Printer *p, const Ast *node, Level level)
{
    const char *text = print_filter(p, node);
    return level_of_text(node, text) >= level ? text : arena_printf(p->arena, "(%s)", text);
}

const char *print_braced(Printer *p, const Ast *node)
{
    const char *text = print_filter(p, node);
    const bool complete = text[0] == '{' && level_of_text(node, text) == LEVEL_PRIMARY;
    const bool is_set_variable = node->op == OP_VARIABLE && node->type == TYPE_SET;
    return complete || node->op == OP_DESIGNATOR || is_set_variable ? text : print_braces(p, text);
}

// What the text of a filter begins with could continue the filter before it.
static bool continues(const char *text)
{
    return text[0] == '(' || text[0] == '"' || (text[0] == '-' && text[1] != '-');
}

// These would take what follows for parameters, or be one of what stands before.
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

static const char **texts_of(Printer *p, Ast *const *node, int count)
{
    const char **text = arena_alloc(p->arena, ((size_t)count + 1) * sizeof *text);
    for (int i = 0; i < count; i++)
        text[i] = print_member(p, node, i, count);
    return text;
}

const char *print_list(Printer *p, Ast *const *node, int count)
{
    return spaced(p, texts_of(p, node, count), count);
}

const char *print_lines(Printer *p, Ast *const *node, int count)
{
    return print_joined(p, texts_of(p, node, count), count, "\n");
}

const char *print_items(Printer *p, Ast *const *node, int count)
{
    const char **text = arena_alloc(p->arena, ((size_t)count + 1) * sizeof *text);
    for (int i = 0; i < count; i++) {
        // in a list no quoted text is an implicit search, so that it needs braces around it
        const bool plain = level_of(node[i]) == LEVEL_PRIMARY && !needs_braces(node[i]);
        text[i] = plain ? print_filter(p, node[i]) : print_braced(p, node[i]);
    }
    return arena_printf(p->arena, "(%s)", spaced(p, text, count));
}

// ---- operators -------------------------------------------------------------------------------------------

// `a or b or c`, where there is no room on several lines.
static const char *chain(Printer *p, const Ast *node, const Operator *operator)
{
    const Ast *first = node;
    int count = 1;
    for (; first->op == node->op; first = first->kid[0])
        count++;
    const char **text = arena_alloc(p->arena, (size_t)count * sizeof *text);
    for (int i = count - 1; i > 0; i--, node = node->kid[0])
        text[i] = print_at_least(p, node->kid[1], operator->right);
    text[0] = print_at_least(p, first, operator->left);
    return print_joined(
        p, text, count,
        arena_printf(p->arena, "%s%s ", print_fits_on_a_line(text, count) ? " " : "\n", operator->sign));
}

const char *print_operation(Printer *p, const Ast *node)
{
    const Operator *operator= operator_of(node);
    if (operator== NULL)
        return NULL;
    if (node->op == OP_OR || node->op == OP_AND || node->op == OP_UNION)
        return chain(p, node, operator);
    const char *left = print_at_least(p, node->kid[0], operator->left);
    const char *right = print_at_least(p, node->kid[1], operator->right);
    return arena_printf(p->arena, node->op == OP_AT ? "%s%s%s" : "%s %s %s", left, operator->sign, right);
}
