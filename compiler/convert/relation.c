// `relation` of CQL 5 in terms of CQL 6.2 (language reference 11.7): an `echo`.
//
// Comparisons under echo transforms stand under `notransform` where a transform is around, for that maps
// nothing in them but the sets of squares.
#include "internal.h"

static const char contents[] = "KQRBNPkqrbnp_"; // of a square
enum { CONTENTS = sizeof contents - 1 };

// ---- echo transforms of CQL 5 -----------------------------------------------------------------------------

// The squares that hold the same in the source and, moved, in the target.
static const char *equal_contents(Printer *p, const char *map)
{
    const char *part[CONTENTS];
    for (int i = 0; i < CONTENTS; i++)
        part[i] = arena_printf(p->arena, "%s(compared & source:%c) & %c", map, contents[i], contents[i]);
    return print_joined(p, part, CONTENTS, "\n    | ");
}

// Assigns the numbers of matches and mismatches under one map.
static const char *compare_function(Printer *p, bool shift)
{
    const char *map = shift ? print_shift_function(p) : print_image_function(p);
    const char *equal = print_word(p, "equal_squares"), *left = print_word(p, "left_squares");
    Lines l = {0};
    print_add(p, &l, "%s = #(\n    %s)", equal, equal_contents(p, map));
    if (shift) { // what lies beyond the edge is empty
        const char *empty = print_word(p, "empty_squares");
        print_add(p, &l, "%s = compared & source:_", empty);
        print_add(p, &l, "%s += #%s - #%s(%s)", equal, empty, map, empty);
    }
    print_add(p, &l, "%s = compared & ~%s(compared)", left, map);
    print_add(p, &l, "%s = %s + #(%s & _)", print_word(p, "matches"), equal, left);
    print_add(p, &l, "%s = #compared - %s + #(%s & [Aa])", print_word(p, "mismatches"), equal, left);
    return print_function(p, shift ? "compare_shifted" : "compare_images", "compared source",
                          "Compares squares of the source with where they are moved to in this position.",
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
    if (files && ranks)
        print_add(p, &conditions, "%s != 0 or %s != 0", print_word(p, "files"), print_word(p, "ranks"));
    else
        print_add(p, &conditions, "%s != 0", print_word(p, files ? "files" : "ranks"));
    add_counts(p, &conditions, matches, mismatches);
    return print_some_shift(p, files, ranks, compare, &conditions);
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

// ---- square parameters of CQL 5 ---------------------------------------------------------------------------

// `source:S & T`, "" when all squares are compared.
static const char *compared_squares(Printer *p, const Ast *node, const char *source)
{
    const char *there = "", *here = "";
    if (node->kid_left != NULL)
        there = arena_printf(p->arena, "%s:%s", source, print_braced(p, node->kid_left));
    if (node->kid_right != NULL)
        here = print_at_least(p, node->kid_right, LEVEL_ATTACK);
    return arena_printf(p->arena, "%s%s%s", there, *there && *here ? " & " : "", here);
}

static void add_plain_squares(Printer *p, Lines *l, const char *compared, Limits matches, Limits mismatches)
{
    const char *s = print_name(p, p->source), *t = print_name(p, p->target);
    if (*compared && !print_limits_allow_all(matches) && !print_limits_allow_all(mismatches)) {
        print_add(p, l, "%s = %s", print_word(p, "compared"), compared);
        compared = print_word(p, "compared");
    }
    const char *equal = *compared ? arena_printf(p->arena, "#(%s & %s & %s)", s, t, compared)
                                  : arena_printf(p->arena, "#(%s & %s)", s, t);
    const char *different = *compared ? arena_printf(p->arena, "#(%s & ~(%s & %s))", compared, s, t)
                                      : arena_printf(p->arena, "#~(%s & %s)", s, t);
    print_add(p, l, "%s", print_count_test(p, equal, matches));
    print_add(p, l, "%s", print_count_test(p, different, mismatches));
}

static void add_squares(Printer *p, Lines *l, const Ast *node)
{
    const Limits matches = {node->range.present ? node->range.low.value : 0,
                            node->range.present ? node->range.high.value : MOST_SQUARES};
    const Limits mismatches = {node->low, node->high};
    const char *source = print_name(p, p->source), *compared = compared_squares(p, node, source);
    const Op transform = (Op)node->number;
    if (transform == 0) {
        add_plain_squares(p, l, compared, matches, mismatches);
        return;
    }
    const bool shift = is_shift(transform);
    const char *variable = print_word(p, "compared");
    print_add(p, l, "%s = %s", variable, *compared ? compared : ".");
    const char *compare = arena_printf(p->arena, "%s(%s %s)", compare_function(p, shift), variable, source);
    if (!shift) {
        print_add(p, l, "%s", under_symmetries(p, transform, compare, matches, mismatches));
        return;
    }
    const char *text = under_shifts(p, transform, compare, matches, mismatches);
    print_add(p, l, p->transforms > 0 ? "notransform %s" : "%s",
              p->transforms > 0 ? print_braces(p, text) : text);
}

// ---- the other parameters of CQL 5 ------------------------------------------------------------------------

// `distance(S T)`, `max((S:ply - lca(S T):ply) (T:ply - lca(S T):ply))` and the like
static const char *relation_value(Printer *p, const Ast *node)
{
    const char *s = print_name(p, p->source), *t = print_name(p, p->target);
    const char *up = arena_printf(p->arena, "%s:ply - lca(%s %s):ply", s, s, t);
    const char *down = arena_printf(p->arena, "%s:ply - lca(%s %s):ply", t, s, t);
    switch (node->number) {
    case RELATION_LCA_MAX:
        return arena_printf(p->arena, "max((%s) (%s))", up, down);
    case RELATION_LCA_SUM:
        return arena_printf(p->arena, "distance(%s %s)", s, t);
    case RELATION_LCA_SOURCE:
        return up;
    default:
        return down;
    }
}

const char *print_relation_number(Printer *p, const Ast *node)
{
    const char *s = print_name(p, p->source), *t = print_name(p, p->target);
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

static void add_number(Printer *p, Lines *l, const Ast *node)
{
    const char *s = print_name(p, p->source), *t = print_name(p, p->target);
    switch (node->number) {
    case RELATION_ANCESTOR:
        print_add(p, l, "%s [<] %s", t, s);
        break;
    case RELATION_DESCENDANT:
        print_add(p, l, "%s [<] %s", s, t);
        break;
    case RELATION_SUBSTRING:
        print_add(p, l, "%s", print_relation_number(p, node));
        break;
    default:
        print_add(
            p, l, "%s",
            print_long_limits(p, relation_value(p, node), node->range.low.value, node->range.high.value));
        break;
    }
}

static void add_parameter(Printer *p, Lines *l, const Ast *node)
{
    switch (node->op) {
    case OP_RELATION_SQUARES:
        add_squares(p, l, node);
        break;
    case OP_RELATION_SIDE:
        print_add(p, l, "sidetomove %s %s:sidetomove", node->number ? "==" : "!=", print_name(p, p->source));
        break;
    case OP_RELATION_LCA:
        add_number(p, l, node);
        break;
    default: // a sort of one of them
        print_add(p, l, "%s", print_filter(p, node));
        break;
    }
}

// echo quiet (S T) { targets parameters }
const char *print_relation(Printer *p, const Ast *node)
{
    Variable *pair = arena_alloc(p->arena, 2 * sizeof *pair);
    const Variable *outer_source = p->source, *outer_target = p->target;
    Lines l = {0};
    pair[0] = (Variable){.name = print_fresh_name(p, "source"), .number = -1};
    pair[1] = (Variable){.name = print_fresh_name(p, "target"), .number = -1};
    if (node->kid_left != NULL)
        print_add(p, &l, "%s", print_lines(p, node->kid_left->kid, node->kid_left->kid_count));
    p->source = &pair[0];
    p->target = &pair[1];
    for (int i = 0; i < node->kid_count; i++)
        add_parameter(p, &l, node->kid[i]);
    p->source = outer_source;
    p->target = outer_target;
    if (l.count == 0)
        print_add(p, &l, "true");
    return arena_printf(p->arena, "echo quiet (%s %s) %s", pair[0].name, pair[1].name,
                        l.count == 1 ? print_braces(p, l.line[0]) : print_block(p, &l));
}
