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
        return arena_printf(p->arena, "%s == %d", value, (int)low);
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
    if (low == high || low <= INT32_MIN || high >= INT32_MAX || strlen(value) <= SHORT)
        return print_limits(p, value, low, high);
    const char *total = print_word(p, "total");
    return arena_printf(p->arena, "%s = %s\n%s", total, value, print_limits(p, total, low, high));
}

// Runs a step for each square of a set.
static const char *for_each_square(Printer *p, const char *square, const char *set, const char *step)
{
    return arena_printf(p->arena, "square all %s in %s %s", square, set, print_braces(p, step));
}

// A variable, and the filters that add to it.
typedef struct Sum {
    const char *name, *steps;
} Sum;

static Sum attack_pairs(Printer *p, const Ast *node)
{
    const char *sum = print_fresh_name(p, "pairs"), *square = print_fresh_name(p, "attacker");
    const char *attackers = print_braced(p, node->kid[0]),
               *squares = print_at_least(p, node->kid[1], LEVEL_POSTFIX);
    const char *step = arena_printf(p->arena, "%s += #(%s attackedby %s)", sum, squares, square);
    return (Sum){sum, for_each_square(p, square, attackers, step)};
}

static const char *later_sets(Printer *p, const Ast *node)
{
    return print_list(p, node->kid + 1, node->kid_count - 1);
}

static Sum ray_ends(Printer *p, const Ast *node)
{
    const char *sum = print_fresh_name(p, "rays"), *square = print_fresh_name(p, "starting");
    const char *set = print_braced(p, node->kid[0]);
    const char *directions = node->flags & AST_CAPTURE ? " attack" : print_directions(p, node->number);
    const char *step =
        arena_printf(p->arena, "%s += #(ray%s (%s %s))", sum, directions, square, later_sets(p, node));
    return (Sum){sum, for_each_square(p, square, set, step)};
}

static const char *sliders(int direction)
{
    const int diagonals = 1 << NORTH_EAST | 1 << SOUTH_EAST | 1 << SOUTH_WEST | 1 << NORTH_WEST;
    return diagonals >> direction & 1 ? "[QqBb]" : "[QqRr]";
}

// Counts each square once for every direction in which a ray from it succeeds.
static Sum ray_pairs(Printer *p, const Ast *node)
{
    const int directions = node->number != 0 ? node->number : 0xff;
    const char *sum = print_fresh_name(p, "rays"), *square = print_fresh_name(p, "starting"), *step[8];
    const char *sets = later_sets(p, node);
    int count = 0;
    for (int d = 0; d < 8; d++) {
        if (!(directions >> d & 1))
            continue;
        const char *first =
            node->flags & AST_CAPTURE ? arena_printf(p->arena, "{%s & %s}", square, sliders(d)) : square;
        step[count++] = arena_printf(p->arena, "if ray%s (%s %s) then %s += 1", print_directions(p, 1 << d),
                                     first, sets, sum);
    }
    const char *set = print_braced(p, node->kid[0]);
    return (Sum){sum, for_each_square(p, square, set, print_joined(p, step, count, "\n"))};
}

const char *print_pairs(Printer *p, const Ast *node, const Range *range)
{
    const Sum sum = node->op == OP_ATTACK_PAIRS ? attack_pairs(p, node)
                    : node->op == OP_RAY_PAIRS  ? ray_pairs(p, node)
                                                : ray_ends(p, node);
    const char *result =
        range != NULL ? print_limits(p, sum.name, range->low.value, range->high.value) : sum.name;
    return print_braces(p, arena_printf(p->arena, "%s = 0\n%s\n%s", sum.name, sum.steps, result));
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
