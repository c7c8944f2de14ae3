// Builds the trees of the tests in a position list of CQL 3, each under a transformation (language reference 12.4, 12.5).
#include "internal.h"

#include <limits.h>
#include <string.h>

#include "runtime/chess/chess.h"
#include "runtime/game/view.h"

// ---- pairs ------------------------------------------------------------------------------------------------

static bool exactly_none(Range range)
{
    return range.low.value <= 0 && range.high.value == 0;
}

// Testing whether there is one costs less than counting.
static bool is_counted(Range range)
{
    const bool at_least_one = range.low.value == 1 && range.high.value == INT32_MAX;
    return range.present && !at_least_one && !exactly_none(range);
}

static Ast *some_or_none(Cql3 *c, Ast *some, Range range)
{
    return range.present && exactly_none(range) ? cql3_tree(c, "not $1", some) : some;
}

static Ast *attack_count(Cql3 *c, const Test *test, const Cql3Map *map)
{
    Ast *attackers = cql3_designator_set(c, &test->designator[0], map);
    Ast *attacked = cql3_designator_set(c, &test->designator[1], map);
    if (!is_counted(test->range))
        return some_or_none(c, cql3_tree(c, "$1 attacks $2", attackers, attacked), test->range);
    return build_in_range(c->arena, build_pair(c->arena, OP_ATTACK_PAIRS, TYPE_INT, attackers, attacked),
                          test->range);
}

enum { // sets of directions
    VERTICAL = 1 << NORTH | 1 << SOUTH,
    HORIZONTAL = 1 << EAST | 1 << WEST,
    DIAGONAL = 1 << NORTH_EAST | 1 << SOUTH_EAST | 1 << SOUTH_WEST | 1 << NORTH_WEST
};

static DirectionSet ray_directions(Keyword keyword, const Cql3Map *map)
{
    switch (keyword) {
    case OP_CQL3_RAYORTHOGONAL:
        return VERTICAL | HORIZONTAL;
    case OP_CQL3_RAYDIAGONAL:
        return DIAGONAL;
    case OP_CQL3_RAYHORIZONTAL:
        return map->exchange ? VERTICAL : HORIZONTAL;
    case OP_CQL3_RAYVERTICAL:
        return map->exchange ? HORIZONTAL : VERTICAL;
    default:
        return VERTICAL | HORIZONTAL | DIAGONAL;
    }
}

static Ast *ray(Cql3 *c, const Test *test, const Cql3Map *map)
{
    const bool counted = is_counted(test->range);
    Ast *node = cql3_node(c, counted ? OP_RAY_ENDS : OP_RAY, counted ? TYPE_INT : TYPE_SET);
    for (int i = 0; i < test->designator_count; i++)
        ast_add_kid(c->arena, node, cql3_designator_set(c, &test->designator[i], map));
    node->number = ray_directions(test->keyword, map);
    node->flags = test->keyword == OP_CQL3_RAYATTACK ? AST_CAPTURE : 0;
    return counted ? build_in_range(c->arena, node, test->range) : some_or_none(c, node, test->range);
}

// ---- data of the game, the board --------------------------------------------------------------------------

Ast *cql3_result_is(Cql3 *c, int results, bool colours)
{
    const int white = colours ? RESULT_BLACK : RESULT_WHITE;
    Ast *any[5];
    int count = 0;
    if (results >> white & 1)
        any[count++] = cql3_tree(c, "result 1-0");
    if (results >> (RESULT_WHITE + RESULT_BLACK - white) & 1)
        any[count++] = cql3_tree(c, "result 0-1");
    if (results >> RESULT_DRAW & 1)
        any[count++] = cql3_tree(c, "result 1/2-1/2");
    // The Result tag may say what the token at the end does not. CQL 6.2 has no filter for `*`.
    static const char other[] = "not result 1-0 not result 0-1 not result 1/2-1/2",
                      lost[] = "{tag \"Result\" == \"0-0\"} or {tag \"*Result\" == \"0-0\"}";
    const int unknown = results >> RESULT_UNKNOWN & 1, by_both = results >> CQL3_RESULT_LOST & 1;
    if (unknown && by_both)
        any[count++] = cql3_tree(c, other);
    else if (unknown || by_both)
        any[count++] =
            cql3_tree(c, unknown ? "$1 not {$2}" : "$1 $2", cql3_tree(c, other), cql3_tree(c, lost));
    return cql3_any(c, any, count);
}

// ---- lists ------------------------------------------------------------------------------------------------

// Evaluates a list before all tests of the surrounding copy. Returns the test of its result.
static Ast *try_first(Cql3 *c, Ast *list)
{
    Ast *matches = cql3_variable(c, "matching", VARIABLE_INT);
    ARENA_PUSH(c->arena, c->tried.part, c->tried.count, cql3_tree(c, "$1 = 0", matches));
    ARENA_PUSH(c->arena, c->tried.part, c->tried.count, cql3_tree(c, "if $2 $1 = 1", matches, list));
    return cql3_tree(c, "$1 == 1", matches);
}

static bool is_sequence(const Test *test)
{
    return test->keyword == OP_CQL3_SEQUENCE || test->keyword == OP_CQL3_GAPPEDSEQUENCE ||
           test->keyword == OP_CQL3_MATCHCONSECUTIVE;
}

static Ast **build_lists(Cql3 *c, const Test *test, const Cql3Map *map)
{
    Ast **list = arena_alloc(c->arena, sizeof *list * (size_t)(test->list_count + 1));
    for (int i = 0; i < test->list_count; i++) {
        list[i] = cql3_build_list(c, test->list[i], map);
        if (!is_sequence(test) && cql3_adds(test->list[i]))
            list[i] = try_first(c, list[i]);
    }
    return list;
}

Ast *cql3_sequence(Cql3 *c, Ast **list, int count)
{
    Ast *node = cql3_node(c, OP_LINE, TYPE_INT);
    for (int i = 0; i < count; i++)
        ast_add_kid(c->arena, node, list[i]);
    node->flags = AST_QUIET;
    if (c->variations && !c->every_line)
        node->flags |= AST_PRIMARY;
    return node;
}

// The lists match in some order, one in each position from here on. The variable here[step] becomes the set of lists that match in
// that position, as squares: a1 is the first list. By Hall's theorem, an order exists if for every set of the positions at least as
// many lists match in one of them as the set has positions.
static Ast *consecutive(Cql3 *c, Ast **list, int count, Ast **here, int step)
{
    Cql3Parts parts = {0};
    here[step] = cql3_variable(c, "matching", VARIABLE_SET);
    ARENA_PUSH(c->arena, parts.part, parts.count, cql3_tree(c, "$1 = []", here[step]));
    for (int i = 0; i < count; i++)
        ARENA_PUSH(c->arena, parts.part, parts.count,
                   cql3_tree(c, "if $2 $1 = {$1 | $3}", here[step], ast_copy(c->arena, list[i]),
                             cql3_set(c, ANY_SQUARE, bb_of(i))));
    for (int others = 0; others < 1 << step; others++) { // this position with some of those before it
        Ast *matching = here[step];
        for (int k = 0; k < step; k++)
            if (others >> k & 1)
                matching = cql3_tree(c, "$1 | $2", matching, here[k]);
        ARENA_PUSH(c->arena, parts.part, parts.count,
                   build_in_range(c->arena, cql3_tree(c, "#($1)", matching),
                                  build_range(bb_count((Bitboard)others) + 1, count)));
    }
    if (step + 1 < count)
        ARENA_PUSH(
            c->arena, parts.part, parts.count,
            cql3_tree(c, c->every_line ? "--($1)" : "child:$1", consecutive(c, list, count, here, step + 1)));
    return cql3_all(c, parts.part, parts.count);
}

static Ast *gapped_sequence(Cql3 *c, Ast **list, int count)
{
    Ast *rest = NULL;
    for (int i = count - 1; i >= 0; i--) {
        Ast *visited = cql3_visited(c);
        Ast *here = visited != NULL ? cql3_tree(c, "$1 $2", visited, list[i]) : list[i];
        rest = rest == NULL ? here
                            : cql3_tree(c,
                                        "$1 earlier=currentposition "
                                        "find quiet {earlier [<] currentposition $2}",
                                        here, rest);
    }
    return cql3_tree(c, "find quiet $1", rest);
}

// Each list matches in some visited position of the game.
static Ast *matches_in_game(Cql3 *c, Ast **list, int count)
{
    for (int i = 0; i < count; i++) {
        Ast *visited = cql3_visited(c);
        list[i] = cql3_tree(c, "initialposition:find quiet $1",
                            visited != NULL ? cql3_tree(c, "$1 $2", visited, list[i]) : list[i]);
    }
    return cql3_all(c, list, count);
}

// ---- all tests --------------------------------------------------------------------------------------------

// White's number less Black's, `exchanged` under a colour flip; with two designators, the first one's less the other's.
static Ast *difference(Cql3 *c, const Test *test, const Cql3Map *map, const char *one, const char *exchanged,
                       const char *two)
{
    Ast *set[2] = {NULL};
    for (int i = 0; i < test->designator_count; i++)
        set[i] = cql3_designator_set(c, &test->designator[i], map);
    Ast *number = test->designator_count > 1 ? cql3_tree(c, two, set[0], set[1])
                                             : cql3_tree(c, map->colours ? exchanged : one, set[0]);
    return build_in_range(c->arena, number, test->range);
}

static Ast *tag_match(Cql3 *c, const Test *test, const Cql3Map *map)
{
    int tag = 0;
    while (strcmp(c->tag[tag].name, test->name) != 0)
        tag++;
    return cql3_tree(c, "$1 & $2", build_read(c->arena, c->tag[tag].variable, c->span),
                     cql3_designator_set(c, &test->designator[0], map));
}

static Ast *build_logic(Cql3 *c, const Test *test, const Cql3Map *map)
{
    Ast **list = build_lists(c, test, map);
    switch (test->keyword) {
    case OP_CQL3_AND:
        return cql3_all(c, list, test->list_count);
    case OP_CQL3_OR:
        return cql3_any(c, list, test->list_count);
    case OP_CQL3_XOR:
        return cql3_variants(c, list, test->list_count, TYPE_BOOL, build_range(1, 1));
    case OP_CQL3_COND:
        return cql3_cond(c, list, test->list_count);
    case OP_CQL3_MATCHCONSECUTIVE:
        return consecutive(c, list, test->list_count, (Ast *[8]){NULL}, 0);
    case OP_CQL3_SEQUENCE:
        return cql3_sequence(c, list, test->list_count);
    case OP_CQL3_GAPPEDSEQUENCE:
        return gapped_sequence(c, list, test->list_count);
    case OP_CQL3_POSITION_MATCH:
        return matches_in_game(c, list, test->list_count);
    default: // OP_CQL3_NOT
        return cql3_tree(c, "not $1", list[0]);
    }
}

// Combines a test with what it is in variations, if these are searched.
static Ast *outside_variations(Cql3 *c, const char *combined, Ast *test)
{
    return c->every_line ? cql3_tree(c, combined, test) : test;
}

Ast *cql3_build_test(Cql3 *c, const PositionList *list, const Test *test, const Cql3Map *map)
{
    const bool special = test->keyword == OP_CQL3_CONTACTCHECK && test->designator_count > 0;
    if (op_info[test->keyword].meaning != NULL && !special) {
        Ast *set = test->designator_count > 0 ? cql3_designator_set(c, &test->designator[0], map) : NULL;
        Ast *node = cql3_by_meaning(c, test, map->colours, set);
        return test->keyword == OP_CQL3_HALFMOVENUMBER || test->keyword == OP_CQL3_TERMINAL
                   ? outside_variations(c, "mainline $1", node)
                   : node;
    }
    Ast *move = cql3_single_move(c, test, map);
    if (move != NULL)
        return test->keyword == OP_CQL3_NOENPASSANT ? cql3_tree(c, "not $1", move) : move;
    switch (test->keyword) {
    case OP_CQL3_ATTACKCOUNT:
        return attack_count(c, test, map);
    case OP_CQL3_CASTLING:
        return cql3_has_rights(c, test, map);
    case OP_CQL3_FEN:
        return cql3_is_fen(c, test, map);
    case OP_CQL3_THREEFOLDREPETITION:
    case OP_CQL3_FIVEFOLDREPETITION:
        return outside_variations(c, "mainline $1", cql3_repetition(c, test));
    case OP_CQL3_HALFMOVECLOCK:
        return outside_variations(
            c, "variation or $1",
            build_in_range(c->arena, cql3_node(c, OP_HALFMOVECLOCK, TYPE_INT), test->range));
    case OP_CQL3_CONTACTCHECK:
        return cql3_contact_check(c, test, map);
    case OP_CQL3_OPPOSITION:
        return cql3_opposition(c, test, map);
    case OP_CQL3_GOODBISHOP:
        return cql3_good_bishop(c, test, map);
    case OP_CQL3_PAWNCOUNT:
    case OP_CQL3_PAWNCOUNTDIFFERENCE:
        return cql3_pawn_count(c, test, map);
    case OP_CQL3_EVALUATION:
    case OP_CQL3_MOVEEVALUATION:
        return cql3_build_evaluation(c, test, map);
    case OP_CQL3_MAXSWAPEVALUATION:
        return cql3_max_swap(c, test, map);
    case OP_CQL3_LINE:
    case OP_CQL3_LINE_STAR:
        return cql3_build_line(c, test, map);
    case OP_CQL3_INSIDE: // its squares are not transformed
        return cql3_tree(c, "$1 & $2", cql3_designator_set(c, &test->designator[0], map),
                         cql3_designator_set(c, &test->designator[1], cql3_identity()));
    case OP_CQL3_PIECECOUNTDIFFERENCE:
        return difference(c, test, map, "#($1 & A) - #($1 & a)", "#($1 & a) - #($1 & A)", "#$1 - #$2");
    case OP_CQL3_POWERDIFFERENCE:
        return difference(c, test, map, "power($1 & A) - power($1 & a)", "power($1 & a) - power($1 & A)",
                          "power $1 - power $2");
    case OP_CQL3_RESULT:
        return cql3_result_is(c, test->number, map->colours);
    case OP_CQL3_STARTPOSITION:
    case OP_CQL3_ISCHESS960:
    case OP_CQL3_ISSHUFFLECHESS:
        return cql3_start_position(c, test);
    case OP_CQL3_TAGMATCH:
        return tag_match(c, test, map);
    case OP_CQL3_RELATION:
        return cql3_build_relation(c, list, test, map);
    default:
        return test->list_count > 0 ? build_logic(c, test, map) : ray(c, test, map);
    }
}
