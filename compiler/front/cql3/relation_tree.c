// `:relation` of CQL 3 to a tree (language reference 12.7).
#include "internal.h"

// The squares of all designators at the top level of the list, all 64 without `:pattern`.
static Bitboard allowable(const PositionList *list, const RelationSpec *spec, const Cql3Map *map)
{
    Bitboard squares = 0;
    if (!spec->pattern)
        return ~(Bitboard)0;
    for (int i = 0; i < list->test_count; i++)
        if (list->test[i].keyword == KEY_DESIGNATOR)
            squares |= cql3_map_squares(map, list->test[i].designator[0].squares);
    return squares;
}

static Ast *sides_to_move(Cql3 *c, const RelationSpec *spec, Variable *source)
{
    Ast *before = build_pair(c->arena, OP_AT, TYPE_INT, build_read(c->arena, source, c->span),
                             cql3_node(c, OP_SIDETOMOVE, TYPE_INT));
    const bool same = spec->side == SIDE_SAME;
    return build_pair(c->arena, same ? OP_EQ : OP_NE, same ? TYPE_INT : TYPE_BOOL,
                      cql3_node(c, OP_SIDETOMOVE, TYPE_INT), before);
}

static Ast *equal_squares(Cql3 *c, Variable *source, Variable *target)
{
    return build_pair(c->arena, OP_POSITION_INTERSECT, TYPE_SET, build_read(c->arena, source, c->span),
                      build_read(c->arena, target, c->span));
}

// Squares with different contents, without flip and shift.
static Ast *different_count(Cql3 *c, Range range, Bitboard squares, Variable *source, Variable *target)
{
    Ast *other = build_with(c->arena, OP_COMPLEMENT, TYPE_SET, equal_squares(c, source, target));
    other = build_pair(c->arena, OP_INTERSECT, TYPE_SET, other, cql3_set(c, ANY_SQUARE, squares));
    return build_in_range(c->arena, build_with(c->arena, OP_COUNT_SET, TYPE_INT, other), range);
}

// Squares with the same piece, without flip and shift.
static Ast *same_count(Cql3 *c, Range range, Bitboard squares, Variable *source, Variable *target)
{
    Ast *pieces = cql3_set(c, SYMBOL_WHITE | SYMBOL_BLACK, squares);
    Ast *same = build_pair(c->arena, OP_INTERSECT, TYPE_SET, equal_squares(c, source, target), pieces);
    return build_in_range(c->arena, build_with(c->arena, OP_COUNT_SET, TYPE_INT, same), range);
}

static Ast *resemblance(Cql3 *c, const RelationSpec *spec, Bitboard squares, Variable *source,
                        Variable *target)
{
    Ast *node = build_with(c->arena, OP_RESEMBLES, TYPE_BOOL, build_read(c->arena, source, c->span));
    ast_set_operand(node, &node->kid_left, cql3_set(c, spec->missing.pieces, spec->missing.squares));
    ast_set_operand(node, &node->kid_right, cql3_set(c, spec->added.pieces, spec->added.squares));
    ast_set_operand(node, &node->kid_extra, cql3_set(c, ANY_SQUARE, squares));
    node->variable2 = target;
    node->range = spec->missing_range;
    node->low = spec->added_range.low.value;
    node->high = spec->added_range.high.value;
    node->number = (spec->flip ? RESEMBLES_FLIPPED : 0) | (spec->shift ? RESEMBLES_SHIFTED : 0);
    return node;
}

// A later position is one with a greater number.
Ast *cql3_build_relation(Cql3 *c, const PositionList *list, const Test *test, const Cql3Map *map)
{
    const RelationSpec *spec = test->relation;
    Variable *source = build_hidden_variable(c->query, "source", VARIABLE_POSITION, c->span);
    Variable *target = build_hidden_variable(c->query, "target", VARIABLE_POSITION, c->span);
    const Bitboard squares = allowable(list, spec, map);
    Ast *part[6];
    int count = 0;
    part[count++] = build_pair(c->arena, OP_GT, TYPE_POSITION, build_read(c->arena, target, c->span),
                               build_read(c->arena, source, c->span));
    if (spec->variations_only)
        part[count++] = cql3_node(c, OP_VARIATION, TYPE_BOOL);
    else if (!spec->variations)
        part[count++] = cql3_node(c, OP_MAINLINE, TYPE_BOOL);
    if (spec->side != SIDE_ANY)
        part[count++] = sides_to_move(c, spec, source);
    if (spec->different.present)
        part[count++] = different_count(c, spec->different, squares, source, target);
    if (spec->same.present)
        part[count++] = same_count(c, spec->same, squares, source, target);
    part[count++] = resemblance(c, spec, squares, source, target);
    Ast *node = build_with(c->arena, OP_ECHO, TYPE_BOOL, cql3_all(c, part, count));
    node->variable = source;
    node->variable2 = target;
    node->flags = AST_QUIET;
    return node;
}
