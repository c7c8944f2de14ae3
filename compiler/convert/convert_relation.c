// The comparison of `relation` of CQL 5 under echo transforms in terms of CQL 6.2 (language reference 11.7).
//
// A surrounding transform must map only the set of squares in a comparison, so the rest is under `notransform`.
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

// ---- the comparison ---------------------------------------------------------------------------------------

const char *print_mapped_squares(Printer *p, const Ast *node)
{
    const Limits matches = {node->range.low.value, node->range.high.value};
    const Limits mismatches = {node->low, node->high};
    const Op transform = (Op)node->number;
    const char *function = compare_function(p, is_shift(transform));
    const char *compare = print_code(p, "%s($compared %s)", function, print_name(p, node->variable));
    Lines l = {0};
    print_add(p, &l, "$compared = %s", print_filter(p, node->kid[0]));
    print_add(p, &l, "%s",
              is_shift(transform) ? under_shifts(p, transform, compare, matches, mismatches)
                                  : under_symmetries(p, transform, compare, matches, mismatches));
    return print_added(p, &l);
}
