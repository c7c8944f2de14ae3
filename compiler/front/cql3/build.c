// Builds the trees of position lists of CQL 3: distinct copies under transformations, counts over copies and over
// the game (language reference 12.4, 12.6).
#include "internal.h"

#include <limits.h>
#include <string.h>

// ---- one copy ---------------------------------------------------------------------------------------------

typedef Cql3Parts Parts;

static void add_part(Cql3 *c, Parts *parts, Ast *part)
{
    if (part != NULL)
        ARENA_PUSH(c->arena, parts->part, parts->count, part);
}

// The distinct copies of a list; colours[i]: those of copy i are exchanged.
typedef struct Copies {
    Parts parts;
    int32_t *colours;
    int colour_count;
} Copies;

// Keywords that count copies or matches of the list are not tests of a copy.
static bool is_counting(const Test *test)
{
    switch (test->keyword) {
    case OP_CQL3_ACCUMULATE:
    case OP_CQL3_SUMRANGE:
    case OP_CQL3_MATCHCOUNT:
    case OP_CQL3_PRETRANSFORMMATCHCOUNT:
    case OP_CQL3_ACCUMULATE_COLOURS:
    case OP_CQL3_REPETITIONCOUNT:
    case OP_CQL3_PRETRANSFORMREPETITIONCOUNT:
        return true;
    default:
        return cql3_is_control(test);
    }
}

static Ast *test_node(Cql3 *c, const PositionList *list, const Test *test, const Cql3Map *map)
{
    const Span outer = c->span;
    c->span = test->span;
    Ast *node = cql3_build_test(c, list, test, map);
    if (test->negated)
        node = build_with(c->arena, OP_NOT, TYPE_BOOL, node);
    c->span = outer;
    return node;
}

static Ast *conjunction(Cql3 *c, const PositionList *list, const Cql3Map *map)
{
    Parts parts = {0};
    bool moves = false;
    for (int i = 0; i < list->test_count; i++)
        if (list->test[i].keyword == OP_CQL3_DESIGNATOR)
            add_part(c, &parts, test_node(c, list, &list->test[i], map));
    for (int i = 0; i < list->test_count; i++) {
        const Test *test = &list->test[i];
        if (test->keyword == OP_CQL3_DESIGNATOR || is_counting(test))
            continue;
        if (!cql3_is_move_test(test))
            add_part(c, &parts, test_node(c, list, test, map));
        else if (!moves)
            add_part(c, &parts, cql3_build_move(c, list, map)); // all of them test one move
        moves |= cql3_is_move_test(test);
    }
    return cql3_all(c, parts.part, parts.count);
}

// The conjunction of the tests; the designators, which cost least, first. Nested lists that add to an
// accumulator are tried before all of them.
static Ast *build_copy(Cql3 *c, const PositionList *list, const Cql3Map *map)
{
    const Parts outer = c->tried;
    c->tried = (Parts){0};
    Ast *tests = conjunction(c, list, map);
    Parts parts = c->tried;
    c->tried = outer;
    add_part(c, &parts, tests);
    return cql3_all(c, parts.part, parts.count);
}

// ---- counts over the game ---------------------------------------------------------------------------------

// A copy of the node where the surrounding top-level list is tried.
static Ast *where_visited(Cql3 *c, const Ast *node)
{
    Parts parts = {0};
    add_part(c, &parts, cql3_visited(c));
    add_part(c, &parts, ast_copy(c->arena, node));
    return cql3_all(c, parts.part, parts.count);
}

// The number of positions of the game where `node` matches is in the range.
static Ast *matches_in_game(Cql3 *c, const Ast *node, Range range)
{
    Ast *find = build_with(c->arena, OP_FIND, TYPE_INT, where_visited(c, node));
    find->flags = AST_QUIET;
    find->range = range;
    return cql3_tree(c, "initialposition:$1", find);
}

// The length of the run of matching positions around this one, counted back and forward, is in the range.
static Ast *run_in_range(Cql3 *c, const Ast *node, Range range)
{
    Ast *length = cql3_tree(c, "line quiet <-- {$1}+", where_visited(c, node));
    Ast *rest = cql3_tree(c, "line quiet primary --> {$1}+", where_visited(c, node));
    return build_in_range(c->arena, cql3_tree(c, "$1 + $2 - 1", length, rest), range);
}

// No position of the line through this one matches.
static Ast *nowhere_on_line(Cql3 *c, const Ast *node)
{
    return cql3_tree(c, "not {line quiet <-- .* <-- {$1}} not {line quiet primary --> .* --> {$2}}",
                     where_visited(c, node), where_visited(c, node));
}

// `node` with one of the counts. It matches here if it does so without the count and the count is in the range, and everywhere if it
// matches nowhere and 0 is in the range.
static Ast *with_count(Cql3 *c, Ast *node, const Test *test)
{
    if (test == NULL)
        return node;
    const bool of_runs =
        test->keyword == OP_CQL3_REPETITIONCOUNT || test->keyword == OP_CQL3_PRETRANSFORMREPETITIONCOUNT;
    Range range = test->range;
    Ast *none = NULL;
    if (range.low.value <= 0 && range.high.value >= 0)
        none = of_runs ? nowhere_on_line(c, node)
                       : cql3_tree(c, "not initialposition:find quiet $1", where_visited(c, node));
    if (none != NULL && range.high.value == 0)
        return none;
    range.low.value = none != NULL ? 1 : range.low.value;
    Ast *parts[2] = {node, of_runs ? run_in_range(c, node, range) : matches_in_game(c, node, range)};
    Ast *any[2] = {cql3_all(c, parts, 2), none};
    return cql3_any(c, any, 1 + (none != NULL));
}

// ---- counts over copies -----------------------------------------------------------------------------------

static Accumulator *find_accumulator(Cql3 *c, const char *name)
{
    for (int i = 0; i < c->accumulator_count; i++)
        if (strcmp(c->accumulator[i].name, name) == 0)
            return &c->accumulator[i];
    const Accumulator new = {.name = name};
    ARENA_PUSH(c->arena, c->accumulator, c->accumulator_count, new);
    return &c->accumulator[c->accumulator_count - 1];
}

static Ast *sum_of(Cql3 *c, Accumulator *accumulator, int colours)
{
    Variable **sum = &accumulator->sum[colours];
    if (*sum == NULL)
        *sum = build_hidden_variable(c->query, accumulator->name, VARIABLE_INT, c->span);
    return build_read(c->arena, *sum, c->span);
}

// The range of all `:sumrange` of a list for one accumulator.
static Range sum_range(const PositionList *list, const char *name)
{
    Range all = build_range(INT32_MIN, INT32_MAX);
    for (int i = 0; i < list->test_count; i++) {
        const Test *test = &list->test[i];
        if (test->keyword != OP_CQL3_SUMRANGE || strcmp(test->name, name) != 0)
            continue;
        if (test->range.low.value > all.low.value)
            all.low.value = test->range.low.value;
        if (test->range.high.value < all.high.value)
            all.high.value = test->range.high.value;
    }
    return all;
}

static int32_t origin_of_copies(const PositionList *list)
{
    int32_t origin = 0;
    for (int k = OP_CQL3_FLIPHORIZONTAL; k <= OP_CQL3_SHIFTDIAGONAL; k++)
        if (list->transformations >> (k - OP_CQL3_FLIPHORIZONTAL) & 1)
            origin |= k == OP_CQL3_FLIPCOLOR         ? COPIES_COLOURS
                      : k >= OP_CQL3_SHIFTHORIZONTAL ? COPIES_SHIFTS
                                                     : COPIES_SYMMETRIES;
    return origin;
}

static Ast *variants(Cql3 *c, const PositionList *list, Ast **copy, int count, Range range, Type type)
{
    Ast *node = cql3_variants(c, copy, count, type, range);
    node->number = origin_of_copies(list);
    return node;
}

// No other list adds to the accumulator: counts the copies that match and tests the count at once.
static Ast *count_alone(Cql3 *c, const PositionList *list, Ast **copy, int count, Range range)
{
    range.low.value = range.low.value > 1 ? range.low.value : 1;
    if (range.low.value > range.high.value)
        return cql3_node(c, OP_FALSE, TYPE_BOOL);
    return variants(c, list, copy, count, range, TYPE_BOOL);
}

// Adds the number of matching copies to the accumulators of the list; colours: 1 for copies with exchanged colours.
static void accumulate(Cql3 *c, Parts *parts, const PositionList *list, Ast *matches, int colours)
{
    for (int i = 0; i < list->test_count; i++) {
        const Test *test = &list->test[i];
        const bool by_colour = test->keyword == OP_CQL3_ACCUMULATE_COLOURS;
        if (test->keyword != OP_CQL3_ACCUMULATE && !by_colour)
            continue;
        Accumulator *accumulator = find_accumulator(c, test->name);
        if ((accumulator->sum[0] != NULL || accumulator->sum[1] != NULL) &&
            accumulator->by_colour != by_colour)
            cql3_error(c, test->span, "`%s` is used with both `:accumulate` and `:accumulate*`", test->name);
        accumulator->by_colour = by_colour;
        add_part(c, parts,
                 cql3_tree(c, "$1 = $1 + $2", sum_of(c, accumulator, by_colour ? colours : 0), matches));
    }
}

// Tries all copies. Counts those that match and adds the count to the accumulators of the list, which other
// lists use too.
static void count_shared(Cql3 *c, Parts *parts, const PositionList *list, const Copies *copies)
{
    Ast *sum = NULL;
    const bool by_colour = cql3_find(list, OP_CQL3_ACCUMULATE_COLOURS) != NULL;
    for (int colours = 0; colours <= by_colour; colours++) {
        Parts of = {0};
        for (int i = 0; i < copies->parts.count; i++)
            if (!by_colour || copies->colours[i] == colours)
                add_part(c, &of, copies->parts.part[i]);
        if (of.count == 0 && by_colour)
            continue;
        Ast *matches = cql3_variable(c, "matching", VARIABLE_INT);
        Ast *number = variants(c, list, of.part, of.count, build_range(0, INT32_MAX), TYPE_INT);
        add_part(c, parts, cql3_tree(c, "$1 = $2", matches, number));
        accumulate(c, parts, list, matches, colours);
        sum = sum == NULL ? matches : cql3_tree(c, "$1 + $2", sum, matches);
    }
    add_part(c, parts, sum != NULL ? cql3_tree(c, "$1 >= 1", sum) : cql3_node(c, OP_FALSE, TYPE_BOOL));
}

// Some list in this one adds to an accumulator.
static bool holds_adder(const PositionList *list)
{
    for (int i = 0; i < list->test_count; i++)
        for (int k = 0; k < list->test[i].list_count; k++)
            if (cql3_adds(list->test[i].list[k]))
                return true;
    return false;
}

bool cql3_adds(const PositionList *list)
{
    return cql3_find(list, OP_CQL3_ACCUMULATE) != NULL ||
           cql3_find(list, OP_CQL3_ACCUMULATE_COLOURS) != NULL || holds_adder(list);
}

// The name of the only accumulator of a list, when no other list adds to one; else NULL.
static const char *own_accumulator(Cql3 *c, const PositionList *list)
{
    int adds = 0;
    for (int i = 0; i < list->test_count; i++)
        adds += list->test[i].keyword == OP_CQL3_ACCUMULATE           ? 1
                : list->test[i].keyword == OP_CQL3_ACCUMULATE_COLOURS ? 2
                                                                      : 0;
    return adds == 1 && c->top == list && !holds_adder(list) ? cql3_find(list, OP_CQL3_ACCUMULATE)->name
                                                             : NULL;
}

// The accumulator, or one of the two that were increased, is in the range.
static Ast *sum_in_range(Cql3 *c, const Test *test)
{
    Accumulator *accumulator = find_accumulator(c, test->name);
    if (!accumulator->by_colour)
        return build_in_range(c->arena, sum_of(c, accumulator, 0), test->range);
    Range range = test->range;
    range.low.value = range.low.value > 1 ? range.low.value : 1;
    Ast *any[2];
    for (int i = 0; i < 2; i++)
        any[i] = build_in_range(c->arena, sum_of(c, accumulator, i), range);
    return range.low.value > range.high.value ? cql3_node(c, OP_FALSE, TYPE_BOOL) : cql3_any(c, any, 2);
}

static Ast *combine(Cql3 *c, const PositionList *list, const Copies *copies)
{
    const char *own = own_accumulator(c, list);
    Ast **copy = copies->parts.part;
    const int count = copies->parts.count;
    Parts parts = {0};
    if (own != NULL)
        add_part(c, &parts, count_alone(c, list, copy, count, sum_range(list, own)));
    else if (cql3_adds(list))
        count_shared(c, &parts, list, copies);
    else {
        Ast *any = cql3_any(c, copy, count);
        if (any->op == OP_VARIANTS && count > 1)
            any->number = origin_of_copies(list);
        add_part(c, &parts, any);
    }
    for (int i = 0; i < list->test_count; i++) {
        const Test *test = &list->test[i];
        if (test->keyword == OP_CQL3_SUMRANGE && (own == NULL || strcmp(test->name, own) != 0))
            add_part(c, &parts, sum_in_range(c, test));
    }
    return cql3_all(c, parts.part, parts.count);
}

// ---- lists ------------------------------------------------------------------------------------------------

// Sets the accumulators that are needed to 0 whenever the top-level list is evaluated.
static Ast *with_accumulators(Cql3 *c, Ast *body)
{
    Parts parts = {0};
    for (int i = 0; i < c->accumulator_count; i++)
        for (int k = 0; k < 2; k++)
            if (c->accumulator[i].sum[k] != NULL)
                add_part(c, &parts, cql3_tree(c, "$1 = 0", sum_of(c, &c->accumulator[i], k)));
    add_part(c, &parts, body);
    return cql3_all(c, parts.part, parts.count);
}

// A designator of the copy names nothing, so the copy never matches.
static bool is_impossible(const PositionList *list, const Cql3Map *map)
{
    for (int i = 0; i < list->test_count; i++) {
        const Designator *d = list->test[i].designator;
        if (list->test[i].keyword == OP_CQL3_DESIGNATOR &&
            (cql3_all_pieces(d) == 0 || cql3_map_squares(map, d->squares) == 0))
            return true;
    }
    return false;
}

static const Cql3Maps *maps_of(Cql3 *c, Cql3Sets sets)
{
    for (int i = 0; i < c->known_count; i++)
        if (c->known[i].sets == sets)
            return &c->known[i].maps;
    __typeof__(*c->known) new = {sets, cql3_maps(c->arena, sets)};
    ARENA_PUSH(c->arena, c->known, c->known_count, new);
    return &c->known[c->known_count - 1].maps;
}

static Cql3Scope scope_of(Cql3 *c, const PositionList *list)
{
    Cql3Scope scope = {0, false};
    for (int i = 0; i < list->test_count; i++) {
        const Test *test = &list->test[i];
        scope.directions |= test->keyword == OP_CQL3_RAYHORIZONTAL || test->keyword == OP_CQL3_RAYVERTICAL;
        for (int k = 0; k < test->designator_count; k++)
            if (test->designator[k].squares != ~(Bitboard)0) // no map changes the whole board
                scope.squares |= test->designator[k].squares;
        for (int k = 0; k < test->list_count; k++) {
            const Cql3Scope nested = scope_of(c, test->list[k]);
            const Cql3Maps maps = *maps_of(c, test->list[k]->transformations);
            scope.directions |= nested.directions;
            for (int m = 0; m < maps.count; m++)
                scope.squares |= cql3_map_squares(&maps.map[m], nested.squares);
        }
    }
    return scope;
}

// Adds the distinct copies under the transformations after `outer`. False: there are too many.
static bool add_copies(Cql3 *c, const PositionList *list, const Cql3Map *outer, Copies *copies)
{
    Arena *work = arena_new();
    const Cql3Maps maps =
        cql3_compositions(work, outer, *maps_of(c, list->transformations), scope_of(c, list));
    const Test *matches = cql3_find(list, OP_CQL3_PRETRANSFORMMATCHCOUNT);
    const Test *runs = cql3_find(list, OP_CQL3_PRETRANSFORMREPETITIONCOUNT);
    const bool known = c->copies > CQL3_MAX_COPIES;
    c->copies += maps.count;
    if (c->copies > CQL3_MAX_COPIES) {
        arena_free(work);
        return !known &&
               cql3_error(c, list->span,
                          "the transformations of this position list and of those around it make too many "
                          "copies");
    }
    TextMap seen = {0};
    for (int i = 0; i < maps.count; i++) {
        const Cql3Map map = maps.map[i];
        const int variables = c->query->variable_count;
        if (is_impossible(list, &map))
            continue;
        Ast *copy = build_copy(c, list, &map);
        const char *text = maps.count > 1 ? ast_signature(work, copy) : "";
        if (text_map_number(work, &seen, text, (uint32_t)strlen(text), NULL) == copies->parts.count) {
            add_part(c, &copies->parts, with_count(c, with_count(c, copy, runs), matches));
            ARENA_PUSH(c->arena, copies->colours, copies->colour_count, map.colours);
        } else {
            c->query->variable_count = variables;
        }
    }
    arena_free(work);
    return true;
}

static Ast *build_copies(Cql3 *c, const PositionList *list, const Cql3Map *outer)
{
    Copies copies = {0};
    if (!add_copies(c, list, outer, &copies))
        return cql3_node(c, OP_FALSE, TYPE_BOOL);
    Ast *node = combine(c, list, &copies);
    if (list == c->top)
        node = with_accumulators(c, node);
    node = with_count(c, node, cql3_find(list, OP_CQL3_REPETITIONCOUNT));
    return with_count(c, node, cql3_find(list, OP_CQL3_MATCHCOUNT));
}

Ast *cql3_build_list(Cql3 *c, const PositionList *list, const Cql3Map *outer)
{
    const Span span = c->span;
    const int number = c->list_number;
    c->span = list->span;
    c->list_number = list->number;
    if (list == c->top) {
        c->accumulator = NULL;
        c->accumulator_count = 0;
    }
    Ast *node = build_copies(c, list, outer);
    if (list->negated)
        node = build_with(c->arena, OP_NOT, TYPE_BOOL, node);
    c->span = span;
    c->list_number = number;
    return node;
}
