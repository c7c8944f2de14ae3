// Constructs of CQL 5 and CQL 3 in terms of CQL 6.2 (language reference 11 and 12).
#include "print_internal.h"

#include <limits.h>
#include <string.h>

#include "../../runtime/chess/chess.h"
#include "../middle/lower.h"

// ---- counting ---------------------------------------------------------------------------------------------

const char *print_limits(Printer *p, const char *value, int64_t low, int64_t high)
{
    if (low == high)
        return arena_printf(p->arena, "%s == %d", value, (int)low);
    const char *least = low <= INT32_MIN ? "" : arena_printf(p->arena, "%s >= %d", value, (int)low);
    const char *most = high >= INT32_MAX ? "" : arena_printf(p->arena, "%s <= %d", value, (int)high);
    return *least && *most ? arena_printf(p->arena, "%s and %s", least, most)
           : *least        ? least
           : *most         ? most
                           : "true";
}

// { N=0  square S in FIRST N+=STEP or true  N }: the loop has no value when the set is empty.
static const char *sum_over_squares(Printer *p, const char *sum, const char *square, const char *set,
                                    const char *step)
{
    return arena_printf(p->arena, "{square %s in %s %s += %s} or true", square, set, sum, step);
}

const char *print_attack_pairs(Printer *p, const Ast *node)
{
    const char *sum = print_fresh_name(p, "pairs"), *square = print_fresh_name(p, "from");
    const char *attackers = print_braced(p, node->kid[0]),
               *squares = print_at_least(p, node->kid[1], LEVEL_POSTFIX);
    const char *step = arena_printf(p->arena, "#(%s attackedby %s)", squares, square);
    return arena_printf(p->arena, "{%s = 0 %s %s}", sum, sum_over_squares(p, sum, square, attackers, step),
                        sum);
}

static const char *later_sets(Printer *p, const Ast *node)
{
    return print_list(p, node->kid + 1, node->kid_count - 1);
}

const char *print_ray_ends(Printer *p, const Ast *node)
{
    const char *sum = print_fresh_name(p, "ends"), *square = print_fresh_name(p, "from");
    const char *first = print_braced(p, node->kid[0]);
    const char *directions = node->flags & AST_CAPTURE ? "attack " : print_directions(p, node->number);
    const char *step = arena_printf(p->arena, "#(ray %s(%s %s))", directions, square, later_sets(p, node));
    return arena_printf(p->arena, "{%s = 0 %s %s}", sum, sum_over_squares(p, sum, square, first, step), sum);
}

static const char *sliders(int direction)
{
    const int diagonals = 1 << NORTH_EAST | 1 << SOUTH_EAST | 1 << SOUTH_WEST | 1 << NORTH_WEST;
    return diagonals >> direction & 1 ? "[QqBb]" : "[QqRr]";
}

const char *print_ray_pairs(Printer *p, const Ast *node)
{
    const int directions = node->number != 0 ? node->number : 0xff;
    const char *sum = print_fresh_name(p, "rays"), *square = print_fresh_name(p, "from"), *steps = "";
    for (int d = 0; d < 8; d++) {
        if (!(directions >> d & 1))
            continue;
        const char *first = print_at_least(p, node->kid[0], LEVEL_ATTACK);
        first = node->flags & AST_CAPTURE ? arena_printf(p->arena, "{%s & %s}", first, sliders(d))
                                          : print_braced(p, node->kid[0]);
        const char *found = arena_printf(p->arena, "#{ray %s(%s %s)}", print_directions(p, 1 << d), square,
                                         later_sets(p, node));
        const char *step = arena_printf(p->arena, "{if %s > 0 then 1 else 0}", found);
        steps = arena_printf(p->arena, "%s%s ", steps, sum_over_squares(p, sum, square, first, step));
    }
    return arena_printf(p->arena, "{%s = 0 %s%s}", sum, steps, sum);
}

// ---- copies -----------------------------------------------------------------------------------------------

static const char *count_copies(Printer *p, const Ast *node)
{
    const char *sum = print_fresh_name(p, "copies"), *steps = "";
    for (int i = 0; i < node->kid_count; i++)
        steps =
            arena_printf(p->arena, "%sif %s then { %s += 1 }\n", steps, print_braced(p, node->kid[i]), sum);
    if (node->type == TYPE_BOOL)
        return print_braces(
            p, arena_printf(p->arena, "%s = 0\n%s%s", sum, steps,
                            print_limits(p, sum, node->range.low.value, node->range.high.value)));
    // The value of a comparison is that of its left side.
    if (node->range.all || (node->range.low.value <= 0 && node->range.high.value >= node->kid_count))
        return print_braces(p, arena_printf(p->arena, "%s = 0\n%s%s", sum, steps, sum));
    return print_braces(p, arena_printf(p->arena, "%s = 0\n%s((%s >= %d) <= %d)", sum, steps, sum,
                                        node->range.low.value, node->range.high.value));
}

static bool has_effect(const Ast *node, void *user)
{
    (void)user;
    return node->op == OP_ASSIGN || node->op == OP_COMMENT || node->op == OP_SORT;
}

static bool have_effects(const Ast *node)
{
    for (int i = 0; i < node->kid_count; i++)
        if (ast_contains(node->kid[i], has_effect, NULL))
            return true;
    return false;
}

const char *print_variants(Printer *p, const Ast *node)
{
    if (node->kid_count > PRINT_MAX_COPIES)
        return print_refuse(p, node->span, "%d copies, of which at most %d are written out", node->kid_count,
                            PRINT_MAX_COPIES);
    if (!node->range.present && node->type != TYPE_BOOL)
        return print_refuse(p, node->span, "the value of several copies");
    if (node->range.present)
        return count_copies(p, node);
    if (have_effects(node)) { // then all are evaluated
        Ast counted = *node;
        counted.range = (Range){.present = true, .low = {.value = 1}, .high = {.value = INT32_MAX}};
        counted.type = TYPE_BOOL;
        return count_copies(p, &counted);
    }
    const char *text = "";
    for (int i = 0; i < node->kid_count; i++)
        text = arena_printf(p->arena, "%s%s%s", text, i > 0 ? "\nor " : "", print_braced(p, node->kid[i]));
    return node->kid_count == 0 ? "{false}" : print_braces(p, text);
}

// In CQL 5 equal copies count each: the copies are written out.
const char *print_counted_transform(Printer *p, const Ast *node)
{
    Query copy = *p->query;
    copy.body = ast_copy(p->arena, node);
    if (!expand_transforms(&copy, p->diagnostics))
        return "";
    return copy.body->op == OP_VARIANTS ? print_variants(p, copy.body) : print_braced(p, copy.body);
}

// ---- relation of CQL 5 ------------------------------------------------------------------------------------

static const char *square_parameter(Printer *p, const Ast *node, const char *source, const char *target)
{
    if (node->number != 0)
        return print_refuse(p, node->span, "`echo%s` of `relation`", op_info[node->number].name);
    const char *compared = "";
    if (node->kid_left != NULL)
        compared = arena_printf(p->arena, " & (%s:%s)", source, print_braced(p, node->kid_left));
    if (node->kid_right != NULL)
        compared =
            arena_printf(p->arena, "%s & %s", compared, print_at_least(p, node->kid_right, LEVEL_ATTACK));
    const char *equal = arena_printf(p->arena, "#((%s & %s)%s)", source, target, compared);
    const char *other = arena_printf(p->arena, "#(~(%s & %s)%s)", source, target, compared);
    const bool matches = node->range.present, mismatches = node->low > 0 || node->high < 64;
    if (!matches && !mismatches)
        return "true";
    const char *first = matches ? print_limits(p, equal, node->range.low.value, node->range.high.value) : "";
    const char *second = mismatches ? print_limits(p, other, node->low, node->high) : "";
    return arena_printf(p->arena, "%s%s%s", first, matches && mismatches ? " and " : "", second);
}

// `max((S:ply - lca(S T):ply) (T:ply - lca(S T):ply))` and the like
static const char *relation_value(Printer *p, const Ast *node)
{
    const char *s = print_name(p, p->source), *t = print_name(p, p->target);
    const char *up = arena_printf(p->arena, "(%s:ply - lca(%s %s):ply)", s, s, t);
    const char *down = arena_printf(p->arena, "(%s:ply - lca(%s %s):ply)", t, s, t);
    switch (node->number) {
    case RELATION_LCA_MAX:
        return arena_printf(p->arena, "max(%s %s)", up, down);
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

static const char *relation_parameter(Printer *p, const Ast *node, const char *source, const char *target)
{
    switch (node->op) {
    case OP_RELATION_SQUARES:
        return square_parameter(p, node, source, target);
    case OP_RELATION_SIDE:
        return arena_printf(p->arena, "sidetomove %s %s:sidetomove", node->number ? "==" : "!=", source);
    default:
        return print_braced(p, node);
    }
}

// echo quiet (S T) { targets parameters }
const char *print_relation(Printer *p, const Ast *node)
{
    Variable *pair = arena_alloc(p->arena, 2 * sizeof *pair);
    const Variable *outer_source = p->source, *outer_target = p->target;
    const char *source = pair[0].name = print_fresh_name(p, "source");
    const char *target = pair[1].name = print_fresh_name(p, "target");
    pair[0].number = pair[1].number = -1;
    const char *text =
        node->kid_left != NULL ? print_list(p, node->kid_left->kid, node->kid_left->kid_count) : "";
    p->source = &pair[0];
    p->target = &pair[1];
    for (int i = 0; i < node->kid_count; i++)
        text = arena_printf(p->arena, "%s\n%s", text,
                            print_braces(p, relation_parameter(p, node->kid[i], source, target)));
    p->source = outer_source;
    p->target = outer_target;
    return arena_printf(p->arena, "echo quiet (%s %s) %s", source, target,
                        print_braces(p, *text == '\n' ? text + 1 : text));
}

// ---- tags -------------------------------------------------------------------------------------------------

// CQL 6.2 refuses implicit searches that look like patterns, and takes some for glyphs.
const char *print_tag_search(Printer *p, const Ast *node, const char *source)
{
    const char *text = print_quoted(p, node, node->text, node->text_length);
    if (p->dialect == DIALECT_CQL6 || p->dialect == DIALECT_CQLI)
        return arena_printf(p->arena, "%s %s", source, text);
    if (node->op == OP_PLAYER && !(node->flags & (AST_WHITE | AST_BLACK)))
        return arena_printf(p->arena, "{%s in player white or %s in player black}", text, text);
    return arena_printf(p->arena, "(%s in %s)", text, source);
}
