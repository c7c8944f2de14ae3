// Small trees of CQL 3, with the span of the test or list that is being built.
#include "internal.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "compiler/front/cql6/cql6.h"

Ast *cql3_node(Cql3 *c, Op op, Type type)
{
    return ast_new(c->arena, op, type, c->span);
}

static Ast *list_of(Cql3 *c, Op op, Type type, Ast **kid, int count)
{
    Ast *node = cql3_node(c, op, type);
    for (int i = 0; i < count; i++)
        ast_add_kid(c->arena, node, kid[i]);
    return node;
}

Ast *cql3_variants(Cql3 *c, Ast **kid, int count, Type type, Range range)
{
    Ast *node = list_of(c, OP_VARIANTS, type, kid, count);
    node->range = range;
    return node;
}

Ast *cql3_all(Cql3 *c, Ast **kid, int count)
{
    if (count == 0)
        return cql3_node(c, OP_TRUE, TYPE_BOOL);
    if (count == 1)
        return kid[0];
    return list_of(c, OP_COMPOUND, kid[count - 1]->type, kid, count);
}

Ast *cql3_any(Cql3 *c, Ast **kid, int count)
{
    if (count == 0)
        return cql3_node(c, OP_FALSE, TYPE_BOOL);
    if (count == 1)
        return kid[0];
    return cql3_variants(c, kid, count, TYPE_BOOL, (Range){0});
}

Ast *cql3_cond(Cql3 *c, Ast **list, int count)
{
    Ast *node = count % 2 != 0 ? list[--count] : cql3_node(c, OP_FALSE, TYPE_BOOL);
    for (int i = count - 2; i >= 0; i -= 2)
        node = cql3_tree(c, "if $1 then $2 else $3", list[i], list[i + 1], node);
    return node;
}

Ast *cql3_tree(Cql3 *c, const char *text, ...)
{
    Ast *operand[8];
    int count = 0;
    va_list operands;
    va_start(operands, text);
    for (const char *p = text; (p = strchr(p, '$')) != NULL; p++)
        count = p[1] - '0' > count ? p[1] - '0' : count;
    for (int i = 0; i < count; i++)
        operand[i] = va_arg(operands, Ast *);
    va_end(operands);
    return cql6_template(c->query, c->diagnostics, c->span, text, operand, count);
}

Ast *cql3_string(Cql3 *c, const char *text)
{
    Ast *node = cql3_node(c, OP_STRING, TYPE_STRING);
    node->text_length = (uint32_t)strlen(text);
    node->text = arena_copy(c->arena, text, node->text_length);
    return node;
}

Ast *cql3_regex(Cql3 *c, Ast *value, const char *regex)
{
    Ast *node = build_with(c->arena, OP_REGEX, TYPE_STRING, value);
    node->span = c->span;
    node->text_length = (uint32_t)strlen(regex);
    node->text = arena_copy(c->arena, regex, node->text_length);
    return node;
}

Ast *cql3_variable(Cql3 *c, const char *name, VariableKind kind)
{
    return build_read(c->arena, build_hidden_variable(c->query, name, kind, c->span), c->span);
}

Ast *cql3_visited(Cql3 *c)
{
    if (c->top != NULL && c->top->variations_only)
        return cql3_node(c, OP_VARIATION, TYPE_BOOL);
    return c->variations && !c->every_line ? cql3_node(c, OP_MAINLINE, TYPE_BOOL) : NULL;
}

Ast *cql3_set(Cql3 *c, uint32_t pieces, Bitboard squares)
{
    if (pieces == 0 || squares == 0)
        return cql3_node(c, OP_NO_SQUARES, TYPE_SET);
    Ast *node = cql3_node(c, OP_DESIGNATOR, TYPE_SET);
    node->pieces = pieces;
    node->mask = squares;
    return node;
}

// The pieces, whether or not they have a mark `~`.
static Ast *with_marked(Cql3 *c, const Designator *d, const Cql3Map *map, Bitboard squares)
{
    Ast *set = cql3_set(c, cql3_map_pieces(map, d->pieces), squares);
    for (int i = 0; i < 2; i++) {
        const uint32_t pieces = cql3_map_pieces(map, i == 0 ? d->promoted : d->unpromoted);
        Ast *promoted = cql3_node(c, OP_PROMOTEDPIECES, TYPE_SET);
        if (pieces == 0)
            continue;
        Ast *marked = cql3_tree(c, i == 0 ? "$1 & $2" : "$1 & ~$2", cql3_set(c, pieces, squares), promoted);
        set = set->op == OP_NO_SQUARES ? marked : build_pair(c->arena, OP_UNION, TYPE_SET, set, marked);
    }
    return set;
}

Ast *cql3_designator_set(Cql3 *c, const Designator *d, const Cql3Map *map)
{
    const Bitboard squares = cql3_map_squares(map, d->squares);
    if (d->tag < 0)
        return with_marked(c, d, map, squares);
    Ast *piece = build_read(c->arena, c->tag[d->tag].variable, c->span);
    if (squares == ~(Bitboard)0)
        return piece;
    return build_pair(c->arena, OP_INTERSECT, TYPE_SET, piece, cql3_set(c, ANY_SQUARE, squares));
}

static Ast *number_in_range(Cql3 *c, Ast *number, Range range)
{
    if (number->op == OP_COUNT_SET && range.low.value == 1 && range.high.value >= 64)
        return number->kid[0];
    if (number->op == OP_COUNT_SET && range.low.value <= 0 && range.high.value == 0)
        return cql3_tree(c, "not $1", number->kid[0]);
    if (number->op == OP_ELO && number->flags == 0) {
        Ast *white = number_in_range(c, cql3_tree(c, "elo white"), range);
        Ast *black = number_in_range(c, cql3_tree(c, "elo black"), range);
        return cql3_tree(c, "$1 or $2", white, black);
    }
    if ((number->op == OP_ELO || number->op == OP_YEAR) && range.low.value <= 0 && range.high.value >= 0)
        number = cql3_tree(c, "if $1 then $1 else 0", number); // a missing tag counts as 0
    return build_in_range(c->arena, number, range);
}

Ast *cql3_number_in(Cql3 *c, Ast *number, const Cql3Range *range)
{
    return range->special != 0 ? cql3_in_range(c, number, NULL, range)
                               : number_in_range(c, number, range->range);
}

static Ast *meaning(Cql3 *c, Keyword keyword, bool colours, Ast *operand)
{
    const char *text = op_info[keyword].meaning, *exchanged = strchr(text, ';');
    if (exchanged != NULL)
        text = colours ? exchanged + 1 : arena_copy(c->arena, text, (size_t)(exchanged - text));
    return cql3_tree(c, text, operand);
}

Ast *cql3_by_meaning(Cql3 *c, const Test *test, bool colours, Ast *operand)
{
    const Cql3Range *bounds = &test->bounds;
    Ast *node = meaning(c, test->keyword, colours, operand);
    if (bounds->low_from_end || bounds->high_from_end) {
        Ast *last =
            cql3_tree(c, "{initialposition:find quiet {mainline terminal}}:$1", ast_copy(c->arena, node));
        return cql3_in_range(c, node, last, bounds);
    }
    if (bounds->special != 0 && node->op == OP_ELO && node->flags == 0) {
        const char *both = bounds->special == '*' ? "elo white or elo black" : "not elo white not elo black";
        return cql3_tree(c, both);
    }
    if (bounds->special != 0)
        return cql3_in_range(c, node, NULL, bounds);
    return test->range.present ? number_in_range(c, node, test->range) : node;
}
