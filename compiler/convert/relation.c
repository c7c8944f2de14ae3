// `relation` of CQL 5 as an `echo` of CQL 6.2 (language reference 11.7).
//
// A surrounding transform must map only the sets of squares in a comparison under an echo transform, so the
// rest is under `notransform`.
#include "internal.h"

static const char contents[] = "KQRBNPkqrbnp_"; // of a square
enum { CONTENTS = sizeof contents - 1 };

// ---- echo transforms --------------------------------------------------------------------------------------

// The squares whose contents in the target are those in the source, moved by the map.
static const char *equal_contents(Printer *p, const char *map)
{
    const char *part[CONTENTS];
    for (int i = 0; i < CONTENTS; i++)
        part[i] = arena_printf(p->arena, "%s(compared & source:%c) & %c", map, contents[i], contents[i]);
    return print_joined(p, part, CONTENTS, "\n    | ");
}

// A function that assigns the numbers of matches and mismatches under one map.
static const char *compare_function(Printer *p, bool shift)
{
    const char *map = shift ? print_shift_function(p) : print_image_function(p);
    Lines l = {0};
    print_add(p, &l, "$equal_squares = #(\n    %s)", equal_contents(p, map));
    if (shift) { // squares beyond the edge are empty
        print_add(p, &l, "$empty_squares = compared & source:_");
        print_add(p, &l, "$equal_squares += #$empty_squares - #%s($empty_squares)", map);
    }
    print_add(p, &l, "$left_squares = compared & ~%s(compared)", map);
    print_add(p, &l, "$matches = $equal_squares + #($left_squares & _)");
    print_add(p, &l, "$mismatches = #compared - $equal_squares + #($left_squares & [Aa])");
    return print_function(p, shift ? "compare_shifted" : "compare_images", "compared source",
                          "Compares squares of the source with their images in this position.",
                          print_added(p, &l));
}

static void add_counts(Printer *p, Lines *l, Limits matches, Limits mismatches)
{
    print_add(p, l, "%s", print_count_test(p, print_word(p, "matches"), matches));
    print_add(p, l, "%s", print_count_test(p, print_word(p, "mismatches"), mismatches));
}

static const char *under_shifts(Printer *p, Op transform, const char *compare, Limits matches,
                                Limits mismatches)
{
    Lines conditions = {0};
    const bool files = transform != OP_SHIFTVERTICAL, ranks = transform != OP_SHIFTHORIZONTAL;
    print_add(p, &conditions,
              files && ranks ? "$files != 0 or $ranks != 0"
              : files        ? "$files != 0"
                             : "$ranks != 0");
    add_counts(p, &conditions, matches, mismatches);
    const char *text = print_some_shift(p, files, ranks, compare, &conditions);
    return p->transforms > 0 ? arena_printf(p->arena, "notransform %s", print_braces(p, text)) : text;
}

static const char *under_symmetries(Printer *p, Op transform, const char *compare, Limits matches,
                                    Limits mismatches)
{
    Lines conditions = {0};
    if (transform != OP_FLIP && transform != OP_DIHEDRAL && transform != OP_FLIPDIHEDRAL)
        print_add(p, &conditions, "%s()", print_moved_function(p));
    print_add(p, &conditions, "%s", compare);
    add_counts(p, &conditions, matches, mismatches);
    return arena_printf(p->arena, "%s%s %s", p->transforms > 0 ? "notransform " : "", op_info[transform].name,
                        print_block(p, &conditions));
}

static bool is_shift(Op op)
{
    return op == OP_SHIFT || op == OP_SHIFTHORIZONTAL || op == OP_SHIFTVERTICAL;
}

// ---- square parameters ------------------------------------------------------------------------------------

// `source:S & T`, "" when all squares are compared.
static const char *compared_squares(Printer *p, const Ast *node)
{
    const char *there = "", *here = "";
    if (node->kid_left != NULL)
        there = arena_printf(p->arena, "%s:%s", p->source, print_braced(p, node->kid_left));
    if (node->kid_right != NULL)
        here = print_at_least(p, node->kid_right, LEVEL_ATTACK);
    return arena_printf(p->arena, "%s%s%s", there, *there && *here ? " & " : "", here);
}

static void add_plain_squares(Printer *p, Lines *l, const char *compared, Limits matches, Limits mismatches)
{
    const char *equal = arena_printf(p->arena, "%s & %s", p->source, p->target), *different;
    if (*compared && !print_limits_allow_all(matches) && !print_limits_allow_all(mismatches)) {
        print_add(p, l, "$compared = %s", compared);
        compared = print_word(p, "compared");
    }
    different = *compared ? arena_printf(p->arena, "#(%s & ~(%s))", compared, equal)
                          : arena_printf(p->arena, "#~(%s)", equal);
    equal = *compared ? arena_printf(p->arena, "#(%s & %s)", equal, compared)
                      : arena_printf(p->arena, "#(%s)", equal);
    print_add(p, l, "%s", print_count_test(p, equal, matches));
    print_add(p, l, "%s", print_count_test(p, different, mismatches));
}

static void add_squares(Printer *p, Lines *l, const Ast *node)
{
    const Limits matches = {node->range.present ? node->range.low.value : 0,
                            node->range.present ? node->range.high.value : MOST_SQUARES};
    const Limits mismatches = {node->low, node->high};
    const char *compared = compared_squares(p, node);
    const Op transform = (Op)node->number;
    if (transform == 0) {
        add_plain_squares(p, l, compared, matches, mismatches);
        return;
    }
    const char *function = compare_function(p, is_shift(transform));
    print_add(p, l, "$compared = %s", *compared ? compared : ".");
    const char *compare = print_code(p, "%s($compared %s)", function, p->source);
    print_add(p, l, "%s",
              is_shift(transform) ? under_shifts(p, transform, compare, matches, mismatches)
                                  : under_symmetries(p, transform, compare, matches, mismatches));
}

// ---- the other parameters ---------------------------------------------------------------------------------

// `distance(S T)`, `max((S:ply - lca(S T):ply) (T:ply - lca(S T):ply))` and the like; NULL: not a number
static const char *relation_value(Printer *p, const Ast *node)
{
    const char *s = p->source, *t = p->target;
    const char *up = arena_printf(p->arena, "%s:ply - lca(%s %s):ply", s, s, t);
    const char *down = arena_printf(p->arena, "%s:ply - lca(%s %s):ply", t, s, t);
    switch (node->number) {
    case RELATION_LCA_MAX:
        return arena_printf(p->arena, "max((%s) (%s))", up, down);
    case RELATION_LCA_SUM:
        return arena_printf(p->arena, "distance(%s %s)", s, t);
    case RELATION_LCA_SOURCE:
        return up;
    case RELATION_LCA_TARGET:
        return down;
    default:
        return NULL;
    }
}

const char *print_relation_number(Printer *p, const Ast *node)
{
    const char *s = p->source, *t = p->target;
    const int32_t low = node->range.low.value, high = node->range.high.value;
    switch (node->number) {
    case RELATION_ANCESTOR:
        return arena_printf(p->arena, "(%s [<] %s)", t, s);
    case RELATION_DESCENDANT:
        return arena_printf(p->arena, "(%s [<] %s)", s, t);
    case RELATION_SUBSTRING:
        return arena_printf(p->arena, "{consecutivemoves quiet %d %d (%s %s)}", low, high, s, t);
    default:
        return arena_printf(p->arena, "((%s >= %d) <= %d)", relation_value(p, node), low, high);
    }
}

static void add_parameter(Printer *p, Lines *l, const Ast *node)
{
    const char *value = node->op == OP_RELATION_LCA ? relation_value(p, node) : NULL;
    if (node->op == OP_RELATION_SQUARES)
        add_squares(p, l, node);
    else if (node->op == OP_RELATION_SIDE)
        print_add(p, l, "sidetomove %s %s:sidetomove", node->number ? "==" : "!=", p->source);
    else if (value != NULL)
        print_add(p, l, "%s", print_long_limits(p, value, node->range.low.value, node->range.high.value));
    else // or one of these under `sort`
        print_add(p, l, "%s", print_filter(p, node));
}

// echo quiet (S T) { targets parameters }
const char *print_relation(Printer *p, const Ast *node)
{
    const char *outer_source = p->source, *outer_target = p->target;
    const char *source = print_fresh_name(p, "source"), *target = print_fresh_name(p, "target");
    Lines l = {0};
    if (node->kid_left != NULL)
        print_add(p, &l, "%s", print_list(p, node->kid_left->kid, node->kid_left->kid_count));
    p->source = source;
    p->target = target;
    for (int i = 0; i < node->kid_count; i++)
        add_parameter(p, &l, node->kid[i]);
    p->source = outer_source;
    p->target = outer_target;
    if (l.count == 0)
        print_add(p, &l, "true");
    return arena_printf(p->arena, "echo quiet (%s %s) %s", source, target, print_block(p, &l));
}
