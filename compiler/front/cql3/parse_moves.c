// Builds the tree of what a position list of CQL 3 requires of the next move (language reference 12.4, 12b.10).
#include "internal.h"

#include "runtime/chess/chess.h"

static bool is_of_next_move(Keyword keyword)
{
    switch (keyword) {
    case OP_CQL3_MOVEFROM:
    case OP_CQL3_MOVETO:
    case OP_CQL3_PROMOTE:
    case OP_CQL3_ENPASSANT:
    case OP_CQL3_ISNULL:
    case OP_CQL3_ISCASTLING:
    case OP_CQL3_ISCHECK:
    case OP_CQL3_ISCONTACTCHECK:
    case OP_CQL3_ISDOUBLECHECK:
    case OP_CQL3_ISMATE:
    case OP_CQL3_ISSTALEMATE:
    case OP_CQL3_FORCED:
    case OP_CQL3_EXCHANGEEVALUATION:
        return true;
    default:
        return false;
    }
}

bool cql3_is_move_test(const Test *test)
{
    return is_of_next_move(test->keyword) && !test->negated;
}

// What a list requires of the next move.
typedef struct MoveDemand {
    Ast *from, *to;               // NULL: anything
    bool king_leaves, king_stays; // the square that it leaves, or goes to, may hold a king
    bool moves;                   // it is not a null move
    bool null, en_passant, castles;
    int castling; // the ways to castle, CASTLE_ bits
    bool forced;
    bool promotes, keeps; // it must be a promotion; it must not be one
    uint32_t promoted;    // to one of these pieces
    Bitboard squares;     // on one of these squares
    Cql3Parts after;      // conditions on the position after it
} MoveDemand;

static const MoveDemand any_move = {
    .king_leaves = true, .king_stays = true, .castling = 15, .promoted = ~0u, .squares = ~(Bitboard)0};

static Ast *both(Cql3 *c, Ast *a, Ast *b)
{
    return a == NULL ? b : cql3_tree(c, "$1 & $2", a, b);
}

static bool may_be_king(const Designator *d)
{
    const uint32_t kings = 1u << WHITE_KING | 1u << BLACK_KING | SYMBOL_WHITE | SYMBOL_BLACK;
    return d->tag >= 0 || cql3_all_pieces(d) & kings;
}

static void add_promotion(Cql3 *c, MoveDemand *m, const Designator *d, const Cql3Map *map)
{
    const uint32_t pieces = cql3_map_pieces(map, d->pieces | d->promoted); // no promotion results in `~~`
    uint32_t all = pieces & ~(uint32_t)ANY_SQUARE;
    const bool none = cql3_all_pieces(d) == 0;
    if (d->tag >= 0) // the pawn that becomes something
        m->from = both(c, m->from, build_read(c->arena, c->tag[d->tag].variable, c->span));
    all |= pieces & SYMBOL_WHITE ? 0x3Fu << WHITE_PAWN : 0;
    all |= pieces & SYMBOL_BLACK ? 0x3Fu << BLACK_PAWN : 0;
    m->keeps |= none;
    m->promotes |= !none;
    m->promoted &= none ? ~0u : all;
    m->squares &= cql3_map_squares(map, d->squares);
}

// The number of checks that the side has given on the line, up to this position, is in the range.
static Ast *number_of_checks(Cql3 *c, const char *checks, Range range)
{
    Ast *find = build_with(c->arena, OP_FIND, TYPE_INT, cql3_tree(c, checks));
    find->flags = AST_QUIET | AST_BACKWARD;
    find->range = range;
    return find;
}

static Ast *numbered_check(Cql3 *c, Range range)
{
    return cql3_tree(c, "check {{wtm $1} or {btm $2}}", number_of_checks(c, "wtm check not initial", range),
                     number_of_checks(c, "btm check not initial", range));
}

static void add_demand(Cql3 *c, MoveDemand *m, const Test *test, const Cql3Map *map)
{
    const Keyword there = test->keyword == OP_CQL3_ISCONTACTCHECK  ? OP_CQL3_CONTACTCHECK
                          : test->keyword == OP_CQL3_ISDOUBLECHECK ? OP_CQL3_DOUBLECHECK
                          : test->keyword == OP_CQL3_ISMATE        ? OP_CQL3_MATE
                          : test->keyword == OP_CQL3_ISSTALEMATE   ? OP_CQL3_STALEMATE
                                                                   : OP_CQL3_CHECK;
    switch (test->keyword) {
    case OP_CQL3_MOVEFROM:
        m->from = both(c, m->from, cql3_designator_set(c, &test->designator[0], map));
        m->king_leaves &= may_be_king(&test->designator[0]);
        m->moves = true;
        break;
    case OP_CQL3_MOVETO:
        m->to = both(c, m->to, cql3_designator_set(c, &test->designator[0], map));
        m->king_stays &= may_be_king(&test->designator[0]);
        m->moves = true;
        break;
    case OP_CQL3_PROMOTE:
        add_promotion(c, m, &test->designator[0], map);
        m->moves = true;
        break;
    case OP_CQL3_ENPASSANT:
        m->en_passant = true;
        break;
    case OP_CQL3_ISCASTLING:
        m->castles = true;
        m->castling &= test->number == 0 ? 15 : cql3_rights(test, map);
        break;
    case OP_CQL3_ISNULL:
        m->null = true;
        break;
    case OP_CQL3_FORCED:
        m->forced = m->moves = true;
        break;
    case OP_CQL3_EXCHANGEEVALUATION: {
        Ast *value = build_in_range(c->arena, cql3_node(c, OP_EXCHANGE, TYPE_INT), test->range);
        ARENA_PUSH(c->arena, m->after.part, m->after.count, value);
        break;
    }
    default: {
        Ast *after =
            test->range.present ? numbered_check(c, test->range) : cql3_tree(c, op_info[there].meaning);
        ARENA_PUSH(c->arena, m->after.part, m->after.count, after);
    }
    }
}

// ---- trees ------------------------------------------------------------------------------------------------

// `low`: MOVE_WORD_ bits; promoted: the piece, 0: not given.
static Ast *move_node(Cql3 *c, const MoveDemand *m, Ast *from, Ast *to, int low, uint32_t promoted)
{
    Ast *node = cql3_node(c, OP_MOVE, TYPE_BOOL);
    ast_set_operand(node, &node->kid_left, from != NULL ? ast_copy(c->arena, from) : NULL);
    ast_set_operand(node, &node->kid_right, to != NULL ? ast_copy(c->arena, to) : NULL);
    node->low = low;
    node->pieces = promoted;
    node->flags = m->null ? AST_NULL : 0;
    if (c->variations && !c->every_line)
        node->flags |= AST_PRIMARY;
    if (c->every_line && m->after.count > 0)
        node->flags |= AST_PREVIOUS; // it is tested after the move
    return node;
}

// The promoted piece has the colour of the side to move.
static Ast *promotion(Cql3 *c, const MoveDemand *m)
{
    const uint32_t types = 1u << WHITE_KNIGHT | 1u << WHITE_BISHOP | 1u << WHITE_ROOK | 1u << WHITE_QUEEN;
    const uint32_t side[2] = {m->promoted & types, m->promoted >> 6 & types};
    const char *const mover[2][2] = {{"wtm $1", "btm $1"}, {"btm $1", "wtm $1"}}; // before, after the move
    Ast *any[2];
    int count = 0;
    if (m->squares == 0)
        return cql3_node(c, OP_FALSE, TYPE_BOOL);
    Ast *to = m->squares == ~(Bitboard)0 ? m->to : both(c, m->to, cql3_set(c, ANY_SQUARE, m->squares));
    for (int i = 0; i < 2; i++) {
        if (side[i] == 0)
            continue;
        Ast *move = move_node(c, m, m->from, to, 0, side[i]);
        any[count++] = cql3_tree(c, mover[(move->flags & AST_PREVIOUS) != 0][i], move);
    }
    return cql3_any(c, any, count);
}

// Castling in one of the ways.
static Ast *castling(Cql3 *c, const MoveDemand *m)
{
    static const struct {
        int rights, word;
        const char *king; // NULL: either
    } ways[] = {{15, MOVE_WORD_CASTLE, NULL},
                {CASTLE_WHITE_KING | CASTLE_BLACK_KING, MOVE_WORD_SHORT, NULL},
                {CASTLE_WHITE_QUEEN | CASTLE_BLACK_QUEEN, MOVE_WORD_LONG, NULL},
                {CASTLE_WHITE_KING | CASTLE_WHITE_QUEEN, MOVE_WORD_CASTLE, "K"},
                {CASTLE_BLACK_KING | CASTLE_BLACK_QUEEN, MOVE_WORD_CASTLE, "k"},
                {CASTLE_WHITE_KING, MOVE_WORD_SHORT, "K"},
                {CASTLE_WHITE_QUEEN, MOVE_WORD_LONG, "K"},
                {CASTLE_BLACK_KING, MOVE_WORD_SHORT, "k"},
                {CASTLE_BLACK_QUEEN, MOVE_WORD_LONG, "k"}};
    Ast *any[4];
    int rest = m->castling, count = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if ((ways[i].rights & ~rest) != 0)
            continue;
        Ast *from = ways[i].king != NULL ? both(c, m->from, cql3_tree(c, ways[i].king)) : m->from;
        any[count++] = move_node(c, m, from, m->to, ways[i].word, 0);
        rest &= ~ways[i].rights;
    }
    return cql3_any(c, any, count);
}

// A move that is neither castling nor a promotion by demand. A null move ends on the square of a king, as no other
// move does but castling in Chess960.
static Ast *ordinary(Cql3 *c, const MoveDemand *m)
{
    const bool may_pass = m->moves && m->king_leaves && m->king_stays;
    Ast *to = may_pass ? both(c, m->to, cql3_tree(c, "~[Kk]")) : m->to, *any[3];
    int count = 0;
    if (m->keeps) { // the move of a piece, or of a pawn within the ranks 2 to 7
        any[count++] = move_node(c, m, both(c, m->from, cql3_tree(c, "~[Pp]")), to, 0, 0);
        any[count++] = move_node(c, m, m->from, both(c, to, cql3_tree(c, "a-h2-7")), 0, 0);
    } else {
        any[count++] = move_node(c, m, m->from, to, 0, 0);
    }
    if (may_pass && m->to == NULL)
        any[count++] = move_node(c, m, m->from, NULL, MOVE_WORD_CASTLE, 0);
    return cql3_any(c, any, count);
}

static Ast *next_move(Cql3 *c, const MoveDemand *m)
{
    const int kinds = m->null + m->en_passant + m->castles + m->promotes;
    if (kinds > 1 || (m->null && m->moves) || (m->promotes && m->keeps))
        return cql3_node(c, OP_FALSE, TYPE_BOOL);
    return m->promotes     ? promotion(c, m)
           : m->castles    ? castling(c, m)
           : m->en_passant ? move_node(c, m, m->from, m->to, MOVE_WORD_EN_PASSANT, 0)
                           : ordinary(c, m);
}

// With variations, the conditions are tested after each move that fits.
static Ast *build_demand(Cql3 *c, const MoveDemand *m)
{
    const bool any = !m->null && !m->en_passant && !m->castles && !m->promotes && !m->moves;
    Ast *node = any ? NULL : next_move(c, m);
    if (m->after.count > 0) {
        Ast *after = cql3_all(c, m->after.part, m->after.count);
        if (node == NULL)
            node = cql3_tree(c, c->every_line ? "--($1)" : "child:$1", after);
        else
            node = cql3_tree(c, c->every_line ? "--($1 $2)" : "$1 child:$2", node, after);
    }
    return !m->forced ? node : cql3_tree(c, CQL3_ONE_LEGAL_MOVE " $1", node);
}

Ast *cql3_build_move(Cql3 *c, const PositionList *list, const Cql3Map *map)
{
    const Span outer = c->span;
    MoveDemand m = any_move;
    bool first = true;
    for (int i = 0; i < list->test_count; i++) {
        if (!cql3_is_move_test(&list->test[i]))
            continue;
        if (first)
            c->span = list->test[i].span;
        first = false;
        add_demand(c, &m, &list->test[i], map);
    }
    Ast *node = build_demand(c, &m);
    c->span = outer;
    return node;
}

Ast *cql3_single_move(Cql3 *c, const Test *test, const Cql3Map *map)
{
    Test tested = *test;
    if (test->keyword == OP_CQL3_NOENPASSANT)
        tested.keyword = OP_CQL3_ENPASSANT;
    if (!is_of_next_move(tested.keyword))
        return NULL;
    MoveDemand m = any_move;
    add_demand(c, &m, &tested, map);
    return build_demand(c, &m);
}
