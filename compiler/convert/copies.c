// Copies of a filter under transforms (language reference 11.6, 12.6) in terms of CQL 6.2.
//
// The copies of a position list of CQL 3 become transforms of CQL 6.2 when the variants of these transforms
// are exactly the copies. Then the differences between the two languages, such as the edge rule of shifts, do
// not matter. Otherwise every copy is written out.
#include "internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/middle/transform/transforms.h"
#include "runtime/value/ascii.h"

enum { COPIES_IN_A_GROUP = 100 }; // an `or` with many more would nest too deeply

// ---- sequences of transforms ------------------------------------------------------------------------------

enum { SEQUENCES = 2 * 5 * 4, SEQUENCES_WITHOUT_SHIFTS = 2 * 5, MOST_TRANSFORMS = 4 };

// Nested transforms, the outermost first.
typedef struct Sequence {
    Op transform[MOST_TRANSFORMS];
    int count;
    int32_t origin; // what they change, as COPIES_ bits
    int most;       // upper bound of the number of copies
} Sequence;

static void append(Sequence *s, Op transform, int32_t origin, int copies)
{
    s->transform[s->count++] = transform;
    s->origin |= origin;
    s->most *= copies;
}

// Every combination of an exchange of colours, symmetries and a shift has a number.
static Sequence sequence(int number)
{
    enum { FLIP = 1, VERTICAL = 2, HORIZONTAL = 3, BOTH = 4 };
    const int symmetry = number / 2 % 5, shift = number / SEQUENCES_WITHOUT_SHIFTS;
    Sequence s = {.most = 1};
    if (number % 2 != 0)
        append(&s, OP_FLIPCOLOR, COPIES_COLOURS, 2);
    if (symmetry == FLIP)
        append(&s, OP_FLIP, COPIES_SYMMETRIES, 8);
    if (symmetry == VERTICAL || symmetry == BOTH)
        append(&s, OP_FLIPVERTICAL, COPIES_SYMMETRIES, 2);
    if (symmetry == HORIZONTAL || symmetry == BOTH)
        append(&s, OP_FLIPHORIZONTAL, COPIES_SYMMETRIES, 2);
    if (shift > 0)
        append(&s,
               shift == 1   ? OP_SHIFT
               : shift == 2 ? OP_SHIFTHORIZONTAL
                            : OP_SHIFTVERTICAL,
               COPIES_SHIFTS, shift == 1 ? 15 * 15 : 15);
    return s;
}

static const char *words(Printer *p, const Sequence *s)
{
    const char *word[MOST_TRANSFORMS];
    for (int i = 0; i < s->count; i++)
        word[i] = op_info[s->transform[i]].name;
    return print_joined(p, word, s->count, " ");
}

// ---- sets of copies ---------------------------------------------------------------------------------------

// The signatures of copies, sorted.
typedef struct Signatures {
    const char **text;
    int count;
} Signatures;

static Signatures signatures_of(Arena *arena, Ast *const *copy, int count)
{
    Signatures s = {arena_alloc(arena, ((size_t)count + 1) * sizeof *s.text), count};
    for (int i = 0; i < count; i++)
        s.text[i] = ast_signature(arena, copy[i]);
    qsort(s.text, (size_t)count, sizeof *s.text, ascii_compare);
    return s;
}

// The index of a copy in the list, -1: not in it.
static int find_copy(const Signatures *s, const char *text)
{
    const char **found = bsearch(&text, s->text, (size_t)s->count, sizeof *s->text, ascii_compare);
    return found != NULL ? (int)(found - s->text) : -1;
}

// NULL: not allowed under the transforms.
static Ast *expand(Arena *arena, const Printer *p, const Ast *tree, Diagnostics *diagnostics)
{
    Query query = *p->query;
    query.arena = arena;
    query.body = ast_copy(arena, tree);
    return transform_query(&query, diagnostics) ? query.body : NULL;
}

// The copies that a sequence makes from a filter; none when the filter is not allowed under these transforms.
static Signatures copies_under(Arena *arena, const Printer *p, const Sequence *s, const Ast *filter)
{
    Diagnostics silent = {.arena = arena, .source = &p->query->source};
    Ast *tree = (Ast *)filter; // expand copies it
    for (int i = s->count - 1; i >= 0; i--) {
        Ast *node = ast_new(arena, s->transform[i], TYPE_BOOL, filter->span);
        ast_add_kid(arena, node, tree);
        tree = node;
    }
    tree = expand(arena, p, tree, &silent);
    if (tree == NULL)
        return (Signatures){NULL, 0};
    const bool several = tree->op == OP_VARIANTS;
    return signatures_of(arena, several ? tree->kid : &tree, several ? tree->kid_count : 1);
}

// ---- copies as transforms ---------------------------------------------------------------------------------

// Marks the copies that the transforms make from one copy. Returns their number, 0 when the transforms make
// anything else.
static int cover(Printer *p, const Sequence *s, const Ast *copy, const Signatures *all, bool *covered)
{
    Arena *arena = arena_new();
    const Signatures made = copies_under(arena, p, s, copy);
    int count = 0;
    for (int place; count < made.count && (place = find_copy(all, made.text[count])) >= 0; count++)
        covered[place] = true;
    arena_free(arena);
    return count == made.count ? count : 0;
}

// Adds to `result` copies from which the transforms make all others. False: there are none, or all are
// needed.
static bool generators(Printer *p, const Sequence *s, const Ast *node, const Signatures *all, Ast *result)
{
    bool *covered = arena_alloc(p->arena, (size_t)all->count * sizeof *covered);
    for (int i = 0; i < node->kid_count; i++) {
        if (covered[find_copy(all, ast_signature(p->arena, node->kid[i]))])
            continue;
        if (cover(p, s, node->kid[i], all, covered) == 0)
            return false;
        ast_add_kid(p->arena, result, node->kid[i]);
    }
    return result->kid_count < node->kid_count;
}

static const char *transformed(Printer *p, const Sequence *s, const Range *range, const Ast *node)
{
    p->transforms++;
    const char *text = print_braced(p, node);
    p->transforms--;
    return arena_printf(p->arena, "%s%s %s", words(p, s), print_range(p, range), text);
}

static Range range_of_copies(const Ast *node)
{
    Range range = node->range;
    if (range.present && range.low.value <= 0 && range.high.value >= node->kid_count)
        range.all = true;
    if (range.high.value > node->kid_count)
        range.high.value = node->kid_count;
    return range;
}

// The transforms that make all the copies from the first one, NULL: there are none.
static const char *as_one_transform(Printer *p, const Ast *node, const Signatures *all)
{
    const Range range = range_of_copies(node);
    bool *covered = arena_alloc(p->arena, (size_t)all->count * sizeof *covered);
    for (int length = 1; length <= MOST_TRANSFORMS; length++) {
        for (int i = 1; i < SEQUENCES; i++) {
            const Sequence s = sequence(i);
            const bool may = (s.origin & ~node->number) == 0 && s.most >= node->kid_count;
            if (may && s.count == length && cover(p, &s, node->kid[0], all, covered) == all->count)
                return transformed(p, &s, &range, node->kid[0]);
        }
    }
    return NULL;
}

// The transforms that make all copies from the fewest, NULL: there are none. Shifts are left out, because the
// variants of one transform are judged together (8.5).
static const char *as_transform_of_some(Printer *p, const Ast *node, const Signatures *all)
{
    Sequence best = {0};
    const Ast *fewest = NULL;
    for (int i = 1; i < SEQUENCES_WITHOUT_SHIFTS; i++) {
        const Sequence s = sequence(i);
        Ast *some = ast_new(p->arena, OP_VARIANTS, TYPE_BOOL, node->span);
        if ((s.origin & ~node->number) != 0 || !generators(p, &s, node, all, some))
            continue;
        if (fewest == NULL || some->kid_count < fewest->kid_count) {
            best = s;
            fewest = some;
        }
    }
    return fewest != NULL ? transformed(p, &best, &node->range, fewest) : NULL;
}

// ---- copies written out -----------------------------------------------------------------------------------

static const char *count_copies(Printer *p, const Ast *node, bool value)
{
    const char *sum = print_fresh_name(p, "copies");
    const int64_t low = node->range.low.value, high = node->range.high.value;
    Lines l = {0};
    print_add(p, &l, "%s = 0", sum);
    for (int i = 0; i < node->kid_count; i++)
        print_add(p, &l, "if %s then %s += 1", print_braced(p, node->kid[i]), sum);
    if (value && (node->range.all || (low <= 0 && high >= node->kid_count)))
        print_add(p, &l, "%s", sum);
    else if (value && low != high) // the value of a comparison is that of its left side
        print_add(p, &l, "((%s >= %d) <= %d)", sum, (int)low, (int)high);
    else
        print_add(p, &l, "%s", print_limits(p, sum, low, high));
    return print_block(p, &l);
}

// Position variables do not count: only the copy that assigns one reads it.
static bool has_effect(const Ast *node, void *user)
{
    (void)user;
    if (node->op == OP_ASSIGN)
        return node->variable->kind != VARIABLE_POSITION;
    return node->op == OP_COMMENT || node->op == OP_SORT;
}

static const char *any_copy(Printer *p, Ast *const *copy, int count)
{
    const char **part = arena_alloc(p->arena, ((size_t)count + 1) * sizeof *part);
    int parts = 0;
    for (int i = 0; i < count;) {
        const int group = count <= COPIES_IN_A_GROUP ? 1 : COPIES_IN_A_GROUP;
        const int size = count - i < group ? count - i : group;
        part[parts++] = size > 1                     ? any_copy(p, copy + i, size)
                        : copy[i]->op == OP_COMPOUND ? print_braced(p, copy[i])
                                                     : print_at_least(p, copy[i], LEVEL_AND);
        i += size;
    }
    return print_braces(p, print_joined(p, part, parts, "\nor "));
}

// ---- both -------------------------------------------------------------------------------------------------

static const char *written_out(Printer *p, const Ast *node, bool value)
{
    if (node->range.present)
        return count_copies(p, node, value);
    if (ast_contains(node, has_effect, NULL)) { // all copies must be evaluated
        Ast counted = *node;
        counted.range = (Range){.present = true, .low = {.value = 1}, .high = {.value = INT32_MAX}};
        return count_copies(p, &counted, false);
    }
    return any_copy(p, node->kid, node->kid_count);
}

const char *print_variants(Printer *p, const Ast *node)
{
    if (node->number == 0 || node->kid_count < 2)
        return written_out(p, node, node->type != TYPE_BOOL);
    const Signatures all = signatures_of(p->arena, node->kid, node->kid_count);
    const char *text = as_one_transform(p, node, &all);
    if (text == NULL && !node->range.present && node->type == TYPE_BOOL &&
        !ast_contains(node, has_effect, NULL))
        text = as_transform_of_some(p, node, &all);
    return text != NULL ? text : written_out(p, node, node->type != TYPE_BOOL);
}

bool print_counts_equal_copies(const Ast *node)
{
    return print_is_transform(node) && node->low != 0 && node->range.present;
}

// In CQL 5, equal copies count separately: if there are any, the copies are written out.
const char *print_counted_transform(Printer *p, const Ast *node, bool value)
{
    Ast merging = *node;
    merging.low = 0;
    const Ast *each = expand(p->arena, p, node, p->diagnostics);
    const Ast *distinct = expand(p->arena, p, &merging, p->diagnostics);
    if (each == NULL || distinct == NULL)
        return "";
    if (each->op != OP_VARIANTS)
        return print_braced(p, each);
    if (distinct->op != OP_VARIANTS || distinct->kid_count != each->kid_count)
        return written_out(p, each, value);
    const Sequence s = {.transform = {node->op}, .count = 1};
    return transformed(p, &s, &node->range, node->kid[0]);
}
