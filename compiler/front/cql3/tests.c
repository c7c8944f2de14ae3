// Single tests of a position list to trees, each under a transformation (language reference 12.4, 12.5).
#include "internal.h"

#include <limits.h>
#include <string.h>

#include "runtime/chess/chess.h"
#include "runtime/game/view.h"

// ---- sets -------------------------------------------------------------------------------------------------

static Ast *size_of(Cql3 *c, Ast *set)
{
    return build_with(c->arena, OP_COUNT_SET, TYPE_INT, set);
}

// The size of a set is in the range; the common cases need no count.
static Ast *size_in_range(Cql3 *c, Ast *set, Range range)
{
    if (range.low.value == 1 && range.high.value >= 64)
        return set;
    if (range.low.value <= 0 && range.high.value == 0)
        return build_with(c->arena, OP_NOT, TYPE_BOOL, set);
    return build_in_range(c->arena, size_of(c, set), range);
}

// ---- pairs ------------------------------------------------------------------------------------------------

static bool at_least_one(Range range)
{
    return range.low.value == 1 && range.high.value == INT32_MAX;
}

static bool exactly_none(Range range)
{
    return range.low.value <= 0 && range.high.value == 0;
}

static Ast *attack_count(Cql3 *c, const Test *test, const Cql3Map *map)
{
    Ast *attackers = cql3_designator_set(c, &test->designator[0], map);
    Ast *attacked = cql3_designator_set(c, &test->designator[1], map);
    if (at_least_one(test->range) || exactly_none(test->range)) {
        Ast *some = build_pair(c->arena, OP_ATTACKS, TYPE_SET, attackers, attacked);
        return exactly_none(test->range) ? build_with(c->arena, OP_NOT, TYPE_BOOL, some) : some;
    }
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
    case KEY_RAYORTHOGONAL:
        return VERTICAL | HORIZONTAL;
    case KEY_RAYDIAGONAL:
        return DIAGONAL;
    case KEY_RAYHORIZONTAL:
        return map->exchange ? VERTICAL : HORIZONTAL;
    case KEY_RAYVERTICAL:
        return map->exchange ? HORIZONTAL : VERTICAL;
    default:
        return VERTICAL | HORIZONTAL | DIAGONAL;
    }
}

static Ast *ray(Cql3 *c, const Test *test, const Cql3Map *map)
{
    const bool none = test->range.present && exactly_none(test->range);
    const bool counted = test->range.present && !at_least_one(test->range) && !none;
    Ast *node = cql3_node(c, counted ? OP_RAY_ENDS : OP_RAY, counted ? TYPE_INT : TYPE_SET);
    for (int i = 0; i < test->designator_count; i++)
        ast_add_kid(c->arena, node, cql3_designator_set(c, &test->designator[i], map));
    node->number = ray_directions(test->keyword, map);
    node->flags = test->keyword == KEY_RAYATTACK ? AST_CAPTURE : 0;
    if (counted)
        return build_in_range(c->arena, node, test->range);
    return none ? build_with(c->arena, OP_NOT, TYPE_BOOL, node) : node;
}

// ---- material, data of the game ---------------------------------------------------------------------------

static Ast *power_of(Cql3 *c, const Test *test, const Cql3Map *map, uint32_t side)
{
    Ast *set = cql3_designator_set(c, &test->designator[0], map);
    if (side != 0)
        set = build_pair(c->arena, OP_INTERSECT, TYPE_SET, set, cql3_set(c, side, ~(Bitboard)0));
    return build_with(c->arena, OP_POWER, TYPE_INT, set);
}

static Ast *power_difference(Cql3 *c, const Test *test, const Cql3Map *map)
{
    Ast *mine = power_of(c, test, map, map->colours ? SYMBOL_BLACK : SYMBOL_WHITE);
    Ast *theirs = power_of(c, test, map, map->colours ? SYMBOL_WHITE : SYMBOL_BLACK);
    return build_in_range(c->arena, build_pair(c->arena, OP_SUBTRACT, TYPE_INT, mine, theirs), test->range);
}

Ast *cql3_elo(Cql3 *c, unsigned flags, Range range)
{
    if (flags != (AST_WHITE | AST_BLACK))
        return cql3_tag_in_range(c, OP_ELO, flags, range);
    return build_pair(c->arena, OP_OR, TYPE_BOOL, cql3_tag_in_range(c, OP_ELO, AST_WHITE, range),
                      cql3_tag_in_range(c, OP_ELO, AST_BLACK, range));
}

static Ast *player_elo(Cql3 *c, const Test *test, const Cql3Map *map)
{
    const bool white = (test->keyword == KEY_WHITEELO) != map->colours;
    return cql3_elo(c, white ? AST_WHITE : AST_BLACK, test->range);
}

static Ast *one_result(Cql3 *c, int result)
{
    Ast *node = cql3_node(c, OP_RESULT, TYPE_BOOL);
    node->number = result;
    return node;
}

Ast *cql3_result_is(Cql3 *c, int results, bool colours)
{
    static const int known[] = {RESULT_WHITE, RESULT_BLACK, RESULT_DRAW};
    static const int exchanged[] = {RESULT_BLACK, RESULT_WHITE, RESULT_DRAW};
    Ast *any[4], *none[3];
    int count = 0;
    for (int i = 0; i < 3; i++) {
        none[i] = build_with(c->arena, OP_NOT, TYPE_BOOL, one_result(c, known[i]));
        if (results >> known[i] & 1)
            any[count++] = one_result(c, colours ? exchanged[i] : known[i]);
    }
    if (results >> RESULT_UNKNOWN & 1) // CQL 6.2 has no filter for `*`
        any[count++] = cql3_all(c, none, 3);
    return cql3_any(c, any, count);
}

// One of the castling rights exists: the third field of `fen` (3.18) has its letter, so that king and rook
// have not moved.
static Ast *castling(Cql3 *c, const Test *test, const Cql3Map *map)
{
    static const char letters[] = "KQkq";
    char class[5] = "";
    int count = 0;
    for (int i = 0; i < 4; i++)
        if (test->number >> (map->colours ? i ^ 2 : i) & 1)
            class[count++] = letters[i];
    Ast *node = build_with(c->arena, OP_REGEX, TYPE_STRING, cql3_node(c, OP_FEN, TYPE_STRING));
    node->text = arena_printf(c->arena, "^[^ ]* [wb] [^ ]*[%s]", class);
    node->text_length = (uint32_t)strlen(node->text);
    return node;
}

// Every square is as the FEN says.
static Ast *placement(Cql3 *c, const Test *test, const Cql3Map *map)
{
    Ast *all[PIECE_CODES];
    for (int i = 0; i < test->designator_count; i++) {
        const Designator *d = &test->designator[i];
        Ast *squares = cql3_set(c, ANY_SQUARE, cql3_map_squares(map, d->squares));
        Ast *pieces = cql3_set(c, cql3_map_pieces(map, d->pieces), ~(Bitboard)0);
        all[i] = build_pair(c->arena, OP_IN_SET, TYPE_BOOL, squares, pieces);
    }
    return cql3_all(c, all, test->designator_count);
}

static Ast *double_check(Cql3 *c)
{
    Ast *side[2];
    for (int i = 0; i < 2; i++) {
        Ast *pieces = cql3_set(c, i == 0 ? SYMBOL_WHITE : SYMBOL_BLACK, ~(Bitboard)0);
        Ast *king = cql3_set(c, 1u << (i == 0 ? BLACK_KING : WHITE_KING), ~(Bitboard)0);
        Ast *attackers = build_pair(c->arena, OP_ATTACKS, TYPE_SET, pieces, king);
        side[i] = build_in_range(c->arena, size_of(c, attackers), build_range(2, INT32_MAX));
    }
    return build_pair(c->arena, OP_OR, TYPE_BOOL, side[0], side[1]);
}

static Ast *in_next_position(Cql3 *c, Op op)
{
    Ast *child = cql3_node(c, OP_CHILD, TYPE_POSITION);
    return build_pair(c->arena, OP_AT, TYPE_BOOL, child, cql3_node(c, op, TYPE_BOOL));
}

// ---- lists ------------------------------------------------------------------------------------------------

// Tries a list before all tests of the copy around it: MATCHES = 0  if {list} MATCHES = 1. Returns the
// test of MATCHES.
static Ast *try_first(Cql3 *c, Ast *list)
{
    Variable *matches = build_hidden_variable(c->query, "matching", VARIABLE_INT, c->span);
    Ast *set = build_assign(c->arena, matches, build_number(c->arena, 1, c->span));
    Ast *statement[2] = {build_assign(c->arena, matches, build_number(c->arena, 0, c->span)),
                         build_pair(c->arena, OP_IF, TYPE_BOOL, list, set)};
    for (int i = 0; i < 2; i++)
        ARENA_PUSH(c->arena, c->tried.part, c->tried.count, statement[i]);
    return build_in_range(c->arena, build_read(c->arena, matches, c->span), build_range(1, 1));
}

static bool is_sequence(const Test *test)
{
    return test->keyword == KEY_SEQUENCE || test->keyword == KEY_GAPPEDSEQUENCE;
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

// The result of the first condition that matches.
static Ast *conditional(Cql3 *c, Ast **list, int count)
{
    Ast *node = cql3_node(c, OP_FALSE, TYPE_BOOL);
    for (int i = count - 2; i >= 0; i -= 2) {
        Ast *otherwise = node;
        node = build_pair(c->arena, OP_IF, TYPE_BOOL, list[i], list[i + 1]);
        ast_add_kid(c->arena, node, otherwise);
    }
    return node;
}

static Ast *sequence(Cql3 *c, Ast **list, int count)
{
    Ast *node = cql3_node(c, OP_LINE, TYPE_INT);
    for (int i = 0; i < count; i++)
        ast_add_kid(c->arena, node, list[i]);
    node->flags = AST_QUIET;
    if (c->variations && !c->every_line)
        node->flags |= AST_PRIMARY;
    return node;
}

// find { l1  P = currentposition  find { P [<] currentposition  l2 … } }
static Ast *gapped_sequence(Cql3 *c, Ast **list, int count)
{
    Ast *rest = NULL;
    for (int i = count - 1; i >= 0; i--) {
        Ast *part[4];
        int parts = 0;
        if (cql3_visited(c) != NULL)
            part[parts++] = cql3_visited(c);
        part[parts++] = list[i];
        if (rest != NULL) {
            Variable *position = build_hidden_variable(c->query, "earlier", VARIABLE_POSITION, c->span);
            Ast *here = cql3_node(c, OP_CURRENTPOSITION, TYPE_POSITION);
            part[parts++] = build_assign(c->arena, position, here);
            Ast *later = build_pair(c->arena, OP_ANCESTOR, TYPE_POSITION,
                                    build_read(c->arena, position, c->span), ast_copy(c->arena, here));
            Ast *search = cql3_all(c, (Ast *[]){later, rest}, 2);
            part[parts++] = cql3_find(c, search);
        }
        rest = cql3_all(c, part, parts);
    }
    return cql3_find(c, rest);
}

// ---- all tests --------------------------------------------------------------------------------------------

static Ast *plain(Cql3 *c, Op op)
{
    return cql3_node(c, op, TYPE_BOOL);
}

static Ast *negation(Cql3 *c, Ast *node)
{
    return build_with(c->arena, OP_NOT, TYPE_BOOL, node);
}

static Ast *tag_match(Cql3 *c, const Test *test, const Cql3Map *map)
{
    int tag = 0;
    while (strcmp(c->tag[tag].name, test->name) != 0)
        tag++;
    Ast *piece = build_read(c->arena, c->tag[tag].variable, c->span);
    return build_pair(c->arena, OP_INTERSECT, TYPE_SET, piece,
                      cql3_designator_set(c, &test->designator[0], map));
}

static Ast *build_logic(Cql3 *c, const Test *test, const Cql3Map *map)
{
    Ast **list = build_lists(c, test, map);
    switch (test->keyword) {
    case KEY_AND:
        return cql3_all(c, list, test->list_count);
    case KEY_OR:
        return cql3_any(c, list, test->list_count);
    case KEY_XOR:
        return cql3_variants(c, list, test->list_count, TYPE_BOOL, build_range(1, 1));
    case KEY_COND:
        return conditional(c, list, test->list_count);
    case KEY_SEQUENCE:
        return sequence(c, list, test->list_count);
    case KEY_GAPPEDSEQUENCE:
        return gapped_sequence(c, list, test->list_count);
    default: // KEY_NOT_LIST
        return negation(c, list[0]);
    }
}

static Ast *build_count(Cql3 *c, const Test *test, const Cql3Map *map)
{
    switch (test->keyword) {
    case KEY_PIECECOUNT:
        return size_in_range(c, cql3_designator_set(c, &test->designator[0], map), test->range);
    case KEY_ATTACKCOUNT:
        return attack_count(c, test, map);
    case KEY_POWER:
        return build_in_range(c->arena, power_of(c, test, map, 0), test->range);
    case KEY_POWERDIFFERENCE:
        return power_difference(c, test, map);
    case KEY_MOVENUMBER:
    case KEY_HALFMOVENUMBER:
        return build_in_range(c->arena, cql3_node(c, cql3_words[test->keyword].op, TYPE_INT), test->range);
    case KEY_ELO:
        return cql3_elo(c, AST_WHITE | AST_BLACK, test->range);
    case KEY_WHITEELO:
    case KEY_BLACKELO:
        return player_elo(c, test, map);
    default:
        return ray(c, test, map);
    }
}

Ast *cql3_build_test(Cql3 *c, const PositionList *list, const Test *test, const Cql3Map *map)
{
    const Op op = cql3_words[test->keyword].op;
    switch (test->keyword) {
    case KEY_DESIGNATOR:
        return cql3_designator_set(c, &test->designator[0], map);
    case KEY_WTM:
    case KEY_BTM:
        return plain(c, (test->keyword == KEY_WTM) != map->colours ? OP_WTM : OP_BTM);
    case KEY_NOCHECK:
        return negation(c, plain(c, OP_CHECK));
    case KEY_ISCHECK:
    case KEY_ISMATE:
    case KEY_ISSTALEMATE:
        return in_next_position(c, op);
    case KEY_NOENPASSANT:
        return negation(c, cql3_single_move(c, KEY_ENPASSANT));
    case KEY_ENPASSANT: // these three only when they are negated
    case KEY_ISNULL:
    case KEY_ISCASTLING:
        return cql3_single_move(c, test->keyword);
    case KEY_DOUBLECHECK:
        return double_check(c);
    case KEY_CASTLING:
        return castling(c, test, map);
    case KEY_FEN:
        return placement(c, test, map);
    case KEY_RESULT:
        return cql3_result_is(c, test->number, map->colours);
    case KEY_TAGMATCH:
        return tag_match(c, test, map);
    case KEY_RELATION:
        return cql3_build_relation(c, list, test, map);
    case KEY_AND:
    case KEY_OR:
    case KEY_XOR:
    case KEY_COND:
    case KEY_NOT_LIST:
    case KEY_SEQUENCE:
    case KEY_GAPPEDSEQUENCE:
        return build_logic(c, test, map);
    default:
        return cql3_words[test->keyword].parameters[0] == '\0' ? plain(c, op) : build_count(c, test, map);
    }
}
