// `:relation` of CQL 3 to a tree (language reference 12.7).
#include "internal.h"

// The squares of all designators at the top level of the list, all 64 without `:pattern`.
static Bitboard allowable(const PositionList *list, const RelationSpec *spec, const Cql3Map *map)
{
    Bitboard squares = 0;
    if (!spec->pattern)
        return ~(Bitboard)0;
    for (int i = 0; i < list->test_count; i++)
        if (list->test[i].keyword == OP_CQL3_DESIGNATOR)
            squares |= cql3_map_squares(map, list->test[i].designator[0].squares);
    return squares;
}

static Ast *resemblance(Cql3 *c, const RelationSpec *spec, Bitboard squares, Ast *source, Ast *target)
{
    Ast *node = build_with(c->arena, OP_RESEMBLES, TYPE_BOOL, source);
    ast_set_operand(node, &node->kid_left, cql3_set(c, spec->missing.pieces, spec->missing.squares));
    ast_set_operand(node, &node->kid_right, cql3_set(c, spec->added.pieces, spec->added.squares));
    ast_set_operand(node, &node->kid_extra, cql3_set(c, ANY_SQUARE, squares));
    node->variable2 = target->variable;
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
    Ast *source = cql3_variable(c, "source", VARIABLE_POSITION);
    Ast *target = cql3_variable(c, "target", VARIABLE_POSITION);
    const Bitboard squares = allowable(list, spec, map);
    Ast *part[6];
    int count = 0;
    part[count++] = cql3_tree(c, "$2 > $1", source, target);
    if (!spec->variations || spec->variations_only)
        part[count++] = cql3_tree(c, spec->variations_only ? "variation" : "mainline");
    if (spec->side != SIDE_ANY)
        part[count++] = cql3_tree(
            c, spec->side == SIDE_SAME ? "sidetomove == $1:sidetomove" : "sidetomove != $1:sidetomove",
            source);
    if (spec->different.present) // squares with different contents, without flip and shift
        part[count++] = build_in_range(
            c->arena, cql3_tree(c, "#(~($1 & $2) & $3)", source, target, cql3_set(c, ANY_SQUARE, squares)),
            spec->different);
    if (spec->same.present) // squares with the same piece
        part[count++] = build_in_range(c->arena,
                                       cql3_tree(c, "#($1 & $2 & $3)", source, target,
                                                 cql3_set(c, SYMBOL_WHITE | SYMBOL_BLACK, squares)),
                                       spec->same);
    part[count++] = resemblance(c, spec, squares, source, target);
    return cql3_tree(c, "echo quiet ($1 $2) $3", source, target, cql3_all(c, part, count));
}
