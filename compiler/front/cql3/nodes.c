// Small trees of CQL 3, with the span of the test or list that is being built.
#include "internal.h"

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

Ast *cql3_at_initial(Cql3 *c, Ast *kid)
{
    return build_pair(c->arena, OP_AT, kid->type, cql3_node(c, OP_INITIALPOSITION, TYPE_POSITION), kid);
}

Ast *cql3_find(Cql3 *c, Ast *kid)
{
    Ast *node = build_with(c->arena, OP_FIND, TYPE_POSITION, kid);
    node->flags = AST_QUIET;
    return node;
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

Ast *cql3_designator_set(Cql3 *c, const Designator *d, const Cql3Map *map)
{
    const Bitboard squares = cql3_map_squares(map, d->squares);
    if (d->tag < 0)
        return cql3_set(c, cql3_map_pieces(map, d->pieces), squares);
    Ast *piece = build_read(c->arena, c->tag[d->tag].variable, c->span);
    if (squares == ~(Bitboard)0)
        return piece;
    return build_pair(c->arena, OP_INTERSECT, TYPE_SET, piece, cql3_set(c, ANY_SQUARE, squares));
}

Ast *cql3_tag_in_range(Cql3 *c, Op op, unsigned flags, Range range)
{
    if (range.low.value <= 0 && range.high.value >= 0)
        return build_in_range(c->arena, build_number_or_zero(c->arena, op, flags, c->span), range);
    Ast *number = cql3_node(c, op, TYPE_INT);
    number->flags = flags;
    return build_in_range(c->arena, number, range);
}
