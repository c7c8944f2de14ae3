// Constructs of CQL 5 and CQL 3 in terms of CQL 6.2 (language reference 11 and 12).
#include "internal.h"

#include <limits.h>
#include <string.h>

#include "runtime/chess/chess.h"

// ---- counting ---------------------------------------------------------------------------------------------

const char *print_limits(Printer *p, const char *value, int64_t low, int64_t high)
{
    if (low > high)
        return "false";
    if (low == high)
        return arena_printf(p->arena, "%s == %s", value, print_number(p, (int32_t)low));
    const char *limit[2];
    int count = 0;
    if (low > INT32_MIN)
        limit[count++] = arena_printf(p->arena, "%s >= %d", value, (int)low);
    if (high < INT32_MAX)
        limit[count++] = arena_printf(p->arena, "%s <= %d", value, (int)high);
    return count > 0 ? print_joined(p, limit, count, " and ") : "true";
}

const char *print_long_limits(Printer *p, const char *value, int64_t low, int64_t high)
{
    enum { SHORT = 30 };
    if (low == high || low <= INT32_MIN || high >= INT32_MAX ||
        (strlen(value) <= SHORT && !print_is_long(value)))
        return print_limits(p, value, low, high);
    const char *total = print_word(p, "total");
    return arena_printf(p->arena, "%s = %s\n%s", total, value, print_limits(p, total, low, high));
}

static const char *later_sets(Printer *p, const Ast *node)
{
    return print_list(p, node->kid + 1, node->kid_count - 1);
}

static const char *sliders(int direction)
{
    const int diagonals = 1 << NORTH_EAST | 1 << SOUTH_EAST | 1 << SOUTH_WEST | 1 << NORTH_WEST;
    return diagonals >> direction & 1 ? "[QqBb]" : "[QqRr]";
}

// Counts a square once for every direction in which a ray from it succeeds.
static const char *count_rays(Printer *p, const Ast *node, const char *sum, const char *square)
{
    const int directions = node->number != 0 ? node->number : 0xff;
    const char *sets = later_sets(p, node), *first = square;
    Lines l = {0};
    for (int d = 0; d < 8; d++) {
        if (!(directions >> d & 1))
            continue;
        if (node->flags & AST_CAPTURE)
            first = arena_printf(p->arena, "{%s & %s}", square, sliders(d));
        print_add(p, &l, "if ray%s (%s %s) then %s += 1", print_directions(p, 1 << d), first, sets, sum);
    }
    return print_added(p, &l);
}

static const char *count_ends(Printer *p, const Ast *node, const char *sum, const char *square)
{
    const char *directions = node->flags & AST_CAPTURE ? " attack" : print_directions(p, node->number);
    return arena_printf(p->arena, "%s += #(ray%s (%s %s))", sum, directions, square, later_sets(p, node));
}

const char *print_pairs(Printer *p, const Ast *node, const Range *range)
{
    const bool attacks = node->op == OP_ATTACK_PAIRS;
    const char *sum = print_fresh_name(p, attacks ? "pairs" : "rays");
    const char *square = print_fresh_name(p, attacks ? "attacker" : "starting");
    const char *set = print_braced(p, node->kid[0]);
    const char *step = node->op == OP_RAY_PAIRS ? count_rays(p, node, sum, square)
                       : node->op == OP_RAY_ENDS
                           ? count_ends(p, node, sum, square)
                           : arena_printf(p->arena, "%s += #(%s attackedby %s)", sum,
                                          print_at_least(p, node->kid[1], LEVEL_POSTFIX), square);
    Lines l = {0};
    print_add(p, &l, "%s = 0", sum);
    print_add(p, &l, "square all %s in %s %s", square, set, print_braces(p, step));
    print_add(p, &l, "%s", range != NULL ? print_limits(p, sum, range->low.value, range->high.value) : sum);
    return print_block(p, &l);
}

// ---- tags -------------------------------------------------------------------------------------------------

// CQL 6.2 refuses implicit searches that look like patterns, and reads some as glyphs.
const char *print_tag_search(Printer *p, const Ast *node, const char *source)
{
    const char *text = print_quoted(p, node, node->text, node->text_length);
    if (!p->older)
        return arena_printf(p->arena, "%s %s", source, text);
    if (node->op == OP_PLAYER && !(node->flags & (AST_WHITE | AST_BLACK)))
        return arena_printf(p->arena, "{%s in player white or %s in player black}", text, text);
    return arena_printf(p->arena, "(%s in %s)", text, source);
}
