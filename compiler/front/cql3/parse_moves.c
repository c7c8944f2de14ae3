// Builds the tree of what a position list of CQL 3 requires of the next move (language reference 12.4).
#include "internal.h"

bool cql3_is_move_test(const Test *test)
{
    switch (test->keyword) {
    case OP_CQL3_MOVEFROM:
    case OP_CQL3_MOVETO:
    case OP_CQL3_PROMOTE:
    case OP_CQL3_ENPASSANT:
    case OP_CQL3_ISNULL:
    case OP_CQL3_ISCASTLING:
        return !test->negated;
    default:
        return false;
    }
}

// What a list requires of the next move.
typedef struct MoveDemand {
    Ast *from, *to; // NULL: anything
    unsigned flags;
    int low;
    bool promotes, keeps; // it must be a promotion; it must not be one
    uint32_t promoted;    // to one of these pieces
    Bitboard squares;     // on one of these squares
} MoveDemand;

static Ast *both(Cql3 *c, Ast *a, Ast *b)
{
    return a == NULL ? b : cql3_tree(c, "$1 & $2", a, b);
}

static void add_demand(Cql3 *c, MoveDemand *m, const Test *test, const Cql3Map *map)
{
    switch (test->keyword) {
    case OP_CQL3_MOVEFROM:
        m->from = both(c, m->from, cql3_designator_set(c, &test->designator[0], map));
        break;
    case OP_CQL3_MOVETO:
        m->to = both(c, m->to, cql3_designator_set(c, &test->designator[0], map));
        break;
    case OP_CQL3_PROMOTE: {
        const Designator *d = &test->designator[0];
        const uint32_t pieces =
            cql3_map_pieces(map, d->pieces | d->promoted); // what is unpromoted never results
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
        break;
    }
    case OP_CQL3_ENPASSANT:
        m->low |= MOVE_WORD_EN_PASSANT;
        break;
    case OP_CQL3_ISCASTLING:
        m->low |= MOVE_WORD_CASTLE;
        break;
    default: // OP_CQL3_ISNULL
        m->flags |= AST_NULL;
        break;
    }
}

static Ast *move_node(Cql3 *c, const MoveDemand *m, Ast *from, Ast *to)
{
    Ast *node = cql3_node(c, OP_MOVE, TYPE_BOOL);
    ast_set_operand(node, &node->kid_left, from != NULL ? ast_copy(c->arena, from) : NULL);
    ast_set_operand(node, &node->kid_right, to != NULL ? ast_copy(c->arena, to) : NULL);
    node->low = m->low;
    node->flags = m->flags;
    if (c->variations && !c->every_line)
        node->flags |= AST_PRIMARY;
    return node;
}

// The promoted piece has the colour of the side to move.
static Ast *promotion(Cql3 *c, const MoveDemand *m)
{
    const uint32_t types = 1u << WHITE_KNIGHT | 1u << WHITE_BISHOP | 1u << WHITE_ROOK | 1u << WHITE_QUEEN;
    const uint32_t side[2] = {m->promoted & types, m->promoted >> 6 & types};
    Ast *any[2];
    int count = 0;
    if (m->squares == 0 || m->low != 0 || m->flags & AST_NULL || m->keeps)
        return cql3_node(c, OP_FALSE, TYPE_BOOL);
    Ast *to = m->squares == ~(Bitboard)0 ? m->to : both(c, m->to, cql3_set(c, ANY_SQUARE, m->squares));
    for (int i = 0; i < 2; i++) {
        if (side[i] == 0)
            continue;
        Ast *move = move_node(c, m, m->from, to);
        move->pieces = side[i];
        any[count++] = cql3_tree(c, i == 0 ? "wtm $1" : "btm $1", move);
    }
    return cql3_any(c, any, count);
}

// No promotion: the move of a piece, or of a pawn within the ranks 2 to 7.
static Ast *no_promotion(Cql3 *c, const MoveDemand *m)
{
    Ast *by_piece = move_node(c, m, both(c, m->from, cql3_tree(c, "~[Pp]")), m->to);
    Ast *inside = move_node(c, m, m->from, both(c, m->to, cql3_tree(c, "a-h2-7")));
    return cql3_tree(c, "$1 or $2", by_piece, inside);
}

Ast *cql3_build_move(Cql3 *c, const PositionList *list, const Cql3Map *map)
{
    const Span outer = c->span;
    MoveDemand m = {.promoted = ~0u, .squares = ~(Bitboard)0};
    bool first = true;
    for (int i = 0; i < list->test_count; i++) {
        if (!cql3_is_move_test(&list->test[i]))
            continue;
        if (first)
            c->span = list->test[i].span;
        first = false;
        add_demand(c, &m, &list->test[i], map);
    }
    Ast *node = m.promotes ? promotion(c, &m)
                : m.keeps  ? no_promotion(c, &m)
                           : move_node(c, &m, m.from, m.to);
    c->span = outer;
    return node;
}

// A keyword of the move that is tested by itself: negated, or `:noenpassant`.
Ast *cql3_single_move(Cql3 *c, Keyword keyword)
{
    MoveDemand m = {0};
    m.low = keyword == OP_CQL3_ISCASTLING ? MOVE_WORD_CASTLE
            : keyword == OP_CQL3_ISNULL   ? 0
                                          : MOVE_WORD_EN_PASSANT;
    m.flags = keyword == OP_CQL3_ISNULL ? AST_NULL : 0;
    return move_node(c, &m, NULL, NULL);
}
