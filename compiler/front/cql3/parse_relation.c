// Builds the tree of `:relation` of CQL 3 (language reference 12.7).
#include "internal.h"

static bool has(const PositionList *spec, Keyword keyword)
{
    return cql3_find(spec, keyword) != NULL;
}

// The squares of all designators at the top level of the list, all 64 without `:pattern`.
static Bitboard allowable(const PositionList *list, const PositionList *spec, const Cql3Map *map)
{
    Bitboard squares = 0;
    if (!has(spec, OP_CQL3_RELATION_PATTERN))
        return ~(Bitboard)0;
    for (int i = 0; i < list->test_count; i++)
        if (list->test[i].keyword == OP_CQL3_DESIGNATOR)
            squares |= cql3_map_squares(map, list->test[i].designator[0].squares);
    return squares;
}

// The pieces that may be missing or new; *range: how many.
static Ast *changed_pieces(Cql3 *c, const PositionList *spec, Keyword keyword, Range *range)
{
    const Test *test = cql3_find(spec, keyword);
    *range = test != NULL ? test->range : build_range(0, 0);
    return test != NULL ? cql3_set(c, test->designator[0].pieces, test->designator[0].squares)
                        : cql3_set(c, SYMBOL_WHITE | SYMBOL_BLACK, ~(Bitboard)0);
}

static bool is_none(Range range)
{
    return range.low.value <= 0 && range.high.value == 0;
}

static Ast *resemblance(Cql3 *c, const PositionList *spec, Ast *squares, Ast *source, Ast *target)
{
    Ast *node = build_with(c->arena, OP_RESEMBLES, TYPE_BOOL, source);
    Range added;
    node->number = (has(spec, OP_CQL3_RELATION_FLIP) ? RESEMBLES_FLIPPED : 0) |
                   (has(spec, OP_CQL3_RELATION_SHIFT) ? RESEMBLES_SHIFTED : 0);
    ast_set_operand(node, &node->kid_left,
                    changed_pieces(c, spec, OP_CQL3_RELATION_MISSINGPIECECOUNT, &node->range));
    ast_set_operand(node, &node->kid_right, changed_pieces(c, spec, OP_CQL3_RELATION_NEWPIECECOUNT, &added));
    if (node->number == 0 && is_none(node->range) && is_none(added))
        return cql3_tree(c, has(spec, OP_CQL3_RELATION_PATTERN) ? "$1 & $2 & $3 == $3" : "$1 & $2 == .",
                         source, target, squares);
    ast_set_operand(node, &node->kid_extra, squares);
    node->variable2 = target->variable;
    node->low = added.low.value;
    node->high = added.high.value;
    return node;
}

// The last keyword about the side to move decides; NULL: either side.
static const char *side_to_move(const PositionList *spec)
{
    const char *meaning = "sidetomove == $1:sidetomove";
    for (int i = 0; i < spec->test_count; i++)
        meaning = spec->test[i].keyword == OP_CQL3_RELATION_SAMESIDETOMOVE     ? "sidetomove == $1:sidetomove"
                  : spec->test[i].keyword == OP_CQL3_RELATION_CHANGESIDETOMOVE ? "sidetomove != $1:sidetomove"
                  : spec->test[i].keyword == OP_CQL3_RELATION_IGNORESIDETOMOVE ? NULL
                                                                               : meaning;
    return meaning;
}

// A later position is one with a greater number.
Ast *cql3_build_relation(Cql3 *c, const PositionList *list, const Test *test, const Cql3Map *map)
{
    const PositionList *spec = test->relation;
    const bool only = has(spec, OP_CQL3_RELATION_VARIATIONSONLY);
    const Test *different = cql3_find(spec, OP_CQL3_RELATION_ORIGINALDIFFERENTCOUNT);
    const Test *same = cql3_find(spec, OP_CQL3_RELATION_ORIGINALSAMECOUNT);
    const char *sides = side_to_move(spec);
    Ast *source = cql3_variable(c, "source", VARIABLE_POSITION);
    Ast *target = cql3_variable(c, "target", VARIABLE_POSITION);
    const Bitboard allowed = allowable(list, spec, map);
    Ast *squares = cql3_set(c, ANY_SQUARE, allowed), *part[6];
    int count = 0;
    part[count++] = cql3_tree(c, "$2 > $1", source, target);
    if (only || !has(spec, OP_CQL3_RELATION_VARIATIONS))
        part[count++] = cql3_tree(c, only ? "variation" : "mainline");
    if (sides != NULL)
        part[count++] = cql3_tree(c, sides, source);
    if (different != NULL) // without flip and shift
        part[count++] = build_in_range(c->arena, cql3_tree(c, "#(~($1 & $2) & $3)", source, target, squares),
                                       different->range);
    if (same != NULL)
        part[count++] = build_in_range(c->arena,
                                       cql3_tree(c, "#($1 & $2 & $3)", source, target,
                                                 cql3_set(c, SYMBOL_WHITE | SYMBOL_BLACK, allowed)),
                                       same->range);
    part[count++] = resemblance(c, spec, squares, source, target);
    return cql3_tree(c, "echo quiet ($1 $2) $3", source, target, cql3_all(c, part, count));
}
