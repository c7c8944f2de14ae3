// `legal`, `pseudolegal` and the older `move` (language reference 4.6, 4.7).
#include "lower_moves.h"

bool move_is_generated(const Ast *move)
{
    return (move->flags & (AST_LEGAL | AST_PSEUDOLEGAL)) != 0;
}

// The wings to which `move` may castle, as bits; -1: it need not castle.
enum { KING_SIDE = 1, QUEEN_SIDE = 2 };

static int castling_wings(const Ast *move)
{
    if (!(move->low & (MOVE_WORD_CASTLE | MOVE_WORD_SHORT | MOVE_WORD_LONG)))
        return -1;
    int wings = KING_SIDE | QUEEN_SIDE;
    if (move->low & MOVE_WORD_SHORT)
        wings &= KING_SIDE;
    if (move->low & MOVE_WORD_LONG)
        wings &= QUEEN_SIDE;
    return wings;
}

static bool wants_en_passant(const Ast *move)
{
    return move->low & MOVE_WORD_EN_PASSANT || move->kid_extra2 != NULL;
}

static Value set_or_all(Lower *l, const Ast *set)
{
    return set != NULL ? lower_value(l, set) : value_of(NULL, ir_set(l->arena, BB_ALL));
}

// ---- generated moves --------------------------------------------------------------------------------------

enum { E1 = 4, G1 = 6, C1 = 2, E8 = 60, G8 = 62, C8 = 58 };

// A white king on e1 or a black king on e8.
static Ir *kings_at_home(Lower *l)
{
    Arena *a = l->arena;
    Ir *white = ir_set_and(ir_board(a, WHITE_KING), ir_set(a, 1ULL << E1));
    Ir *black = ir_set_and(ir_board(a, BLACK_KING), ir_set(a, 1ULL << E8));
    return ir_set_or(white, black);
}

static Bitboard castling_targets(int wings)
{
    return (wings & KING_SIDE ? 1ULL << G1 | 1ULL << G8 : 0) |
           (wings & QUEEN_SIDE ? 1ULL << C1 | 1ULL << C8 : 0);
}

static int legal_wings(const Ast *ast)
{
    static const int wings[] = {[LEGAL_ANY] = -1,
                                [LEGAL_SHORT] = KING_SIDE,
                                [LEGAL_LONG] = QUEEN_SIDE,
                                [LEGAL_CASTLE] = KING_SIDE | QUEEN_SIDE,
                                [LEGAL_EN_PASSANT] = -1};
    return wings[ast->number];
}

Value legal_moves(Lower *l, const Ast *ast, IrCall call)
{
    // of rt_legal_*
    enum {
        PSEUDOLEGAL = 1,
        EN_PASSANT = 2,
        FROM = 8,
        CASTLE_KING = 16,
        CASTLE_QUEEN = 32,
        DROP = 64,
        TYPES = 8
    };
    const bool move = ast->op == OP_MOVE;
    Value set[3] = {set_or_all(l, ast->kid_left), set_or_all(l, ast->kid_right),
                    set_or_all(l, move ? ast->kid_extra2 : NULL)};
    Ir *pre = value_join_all(l, set, 3);
    if (ast->flags & AST_NULL) // no null move is legal
        set[0].val = ir_set(l->arena, 0);
    const int wings = move ? castling_wings(ast) : legal_wings(ast);
    if (wings == 0) // to both sides at once, which no move does
        set[0].val = ir_set(l->arena, 0);
    else if (wings > 0 && !l->query->variants) {
        set[0].val = ir_set_and(set[0].val, kings_at_home(l));
        set[1].val = ir_set_and(set[1].val, ir_set(l->arena, castling_targets(wings)));
    }
    const bool en_passant = move ? wants_en_passant(ast) : ast->number == LEGAL_EN_PASSANT;
    const bool pseudolegal = ast->op == OP_PSEUDOLEGAL || ast->flags & AST_PSEUDOLEGAL;
    int flags = (pseudolegal ? PSEUDOLEGAL : 0) | (en_passant ? EN_PASSANT : 0);
    // `.` on the left of a dash restricts nothing, `from .` of `move` says that there is an origin.
    const bool from = ast->kid_left != NULL && (move || ast->kid_left->op != OP_ALL_SQUARES);
    if (l->query->variants)
        flags |= (from ? FROM : 0) | (wings > 0 && wings & KING_SIDE ? CASTLE_KING : 0) |
                 (wings > 0 && wings & QUEEN_SIDE ? CASTLE_QUEEN : 0);
    if (move && ast->low & MOVE_WORD_DROP)
        flags |= DROP | ast->high << TYPES;
    return value_of(pre,
                    ir_call(l->arena, call, 4, set[0].val, set[1].val, set[2].val, ir_int(l->arena, flags)));
}

Value move_list(Lower *l, const Ast *move, int level)
{
    // of rt_imagine_moves
    enum {
        PSEUDOLEGAL = 1,
        EN_PASSANT = 2,
        CAPTURE = 4,
        PRIMARY = 8,
        SECONDARY = 16,
        FROM = 32,
        DROP = 64,
        TYPES = 8
    };
    Arena *a = l->arena;
    Value set[4] = {set_or_all(l, move->kid_left), set_or_all(l, move->kid_right),
                    set_or_all(l, move->kid_extra), set_or_all(l, move->kid_extra2)};
    Ir *pre = value_join_all(l, set, 4);
    const int flags = (move->flags & AST_PSEUDOLEGAL ? PSEUDOLEGAL : 0) |
                      (wants_en_passant(move) ? EN_PASSANT : 0) | (move->kid_extra != NULL ? CAPTURE : 0) |
                      (move->flags & AST_PRIMARY ? PRIMARY : 0) |
                      (move->flags & AST_SECONDARY ? SECONDARY : 0) | (move->kid_left != NULL ? FROM : 0) |
                      (move->low & MOVE_WORD_DROP ? DROP | move->high << TYPES : 0);
    const int wings = castling_wings(move);
    if (wings == 0 || move->flags & AST_NULL) // to both sides at once; no null move is legal
        set[0].val = ir_set(a, 0);
    return value_of(pre, ir_call(a, IR_CALL_imagine_moves, 8, ir_int(a, level), set[0].val, set[1].val,
                                 set[2].val, set[3].val, ir_int(a, wings > 0 ? wings : 0),
                                 ir_int(a, (int32_t)move->pieces), ir_int(a, flags)));
}

// ---- moves of the game ------------------------------------------------------------------------------------

// The sets of the parameters, evaluated before any move is looked at; locals after that of the move, 0: not given.
typedef struct Parameters {
    int from, to, capture, en_passant;
} Parameters;

static Ir *parameter(Lower *l, const Ast *set, int *local)
{
    *local = 0;
    if (set == NULL)
        return NULL;
    *local = ir_new_local(l->f, IRT_SET);
    return lower_into(l, set, *local);
}

static Ir *parameters(Lower *l, const Ast *ast, Parameters *p)
{
    Ir *from = parameter(l, ast->kid_left, &p->from), *to = parameter(l, ast->kid_right, &p->to);
    Ir *capture = parameter(l, ast->kid_extra, &p->capture);
    Ir *en_passant = parameter(l, ast->kid_extra2, &p->en_passant);
    return ir_all(4, from, to, capture, en_passant);
}

static Ir *flag_if(Lower *l, bool wanted, int flags, int move)
{
    return wanted ? move_flag(l, flags, move) : NULL;
}

static Ir *index_if(Lower *l, bool wanted, IrOp comparison, int move)
{
    return wanted ? ir_with_int(comparison, move_node(l, IR_NODE_INDEX, move), 0) : NULL;
}

// A drop of one of the types.
static Ir *drop_if(Lower *l, const Ast *ast, int move)
{
    const Bitboard types = (Bitboard)(unsigned)ast->high;
    if (!(ast->low & MOVE_WORD_DROP))
        return NULL;
    return ir_and(move_flag(l, MOVE_DROP, move),
                  ir_in_set(move_node(l, IR_NODE_PIECE, move), ir_set(l->arena, types | types << 6)));
}

// The move in the local has all that the parameters demand. NULL: nothing is demanded.
static Ir *matches(Lower *l, const Ast *ast, const Parameters *p, int move)
{
    Ir *const test[] = {
        move_field_in(l, IR_NODE_FROM, move, p->from),
        move_field_in(l, IR_NODE_TO, move, p->to),
        flag_if(l, p->capture != 0, MOVE_CAPTURE, move),
        move_field_in(l, IR_NODE_VICTIM, move, p->capture),
        flag_if(l, wants_en_passant(ast), MOVE_EN_PASSANT, move),
        move_field_in(l, IR_NODE_VICTIM, move, p->en_passant),
        ast->pieces != 0 ? move_promotes_to(l, ast->pieces, move) : NULL,
        drop_if(l, ast, move),
        flag_if(l, ast->low & MOVE_WORD_CASTLE, MOVE_CASTLE, move),
        flag_if(l, ast->low & MOVE_WORD_SHORT, MOVE_CASTLE_KING, move),
        flag_if(l, ast->low & MOVE_WORD_LONG, MOVE_CASTLE_QUEEN, move),
        flag_if(l, (ast->flags & AST_NULL) != 0, MOVE_NULL, move),
        index_if(l, (ast->flags & AST_PRIMARY) != 0, IR_EQ, move),
        index_if(l, (ast->flags & AST_SECONDARY) != 0, IR_GT, move),
    };
    Ir *all = NULL;
    for (size_t i = 0; i < sizeof test / sizeof test[0]; i++)
        all = ir_and(all, test[i]);
    return all;
}

// The `comment` that is part of the filter, at the tail of the move. NULL: none.
static Ir *comment_at(Lower *l, const Ast *ast, int move)
{
    if (ast->kid_count == 0)
        return NULL;
    Ast *comment = ast_new(l->arena, OP_COMMENT, TYPE_BOOL, ast->span);
    for (int i = 0; i < ast->kid_count; i++)
        ast_add_kid(l->arena, comment, ast->kid[i]);
    return ir_always(ir_at(ir_local(l->f, move), lower_condition(l, comment)));
}

// Evaluates `body` for each move that the filter is about, as the mode says; `before` comes first.
static Ir *each_move(Lower *l, const Ast *ast, int move, Ir *before, Ir *body, IrMode mode)
{
    Ir *visit;
    if ((ast->flags & AST_LINKED) && l->in.line != NULL) {
        Ir *child = ir_local(l->f, l->in.line->child_local);
        visit = ir_all(4, before, ir_exists(child), ir_let(move, ir_copy(child)), body);
    } else if (ast->flags & AST_PREVIOUS) {
        if (before != NULL)
            before = ir_at(move_node(l, IR_NODE_PARENT, move), before);
        visit = ir_all(4, value_has_parent(l), ir_let(move, ir_current(l->arena)), before, body);
    } else {
        return ir_and(before, ir_each_child(ir_current(l->arena), move, body, mode));
    }
    return mode == MODE_EACH ? ir_always(visit) : visit;
}

Ir *move_each(Lower *l, const Ast *move, int local, Ir *body, IrMode mode)
{
    Parameters p;
    Ir *before = parameters(l, move, &p);
    return each_move(l, move, local, before, ir_and(matches(l, move, &p, local), body), mode);
}

Ir *move_fits(Lower *l, const Ast *move, int local)
{
    Parameters p;
    Ir *before = parameters(l, move, &p);
    return ir_and(before, matches(l, move, &p, local));
}

Ir *move_in_game(Lower *l, const Ast *ast)
{
    const int move = ir_new_local(l->f, IRT_POSITION);
    if (ast->kid_count == 0)
        return move_each(l, ast, move, NULL, MODE_ANY);
    const int found = ir_named_local(l->f, IRT_INT, "found"); // every move that fits gets the comment
    Ir *note = ir_and(ir_let_int(l->f, found, 1), comment_at(l, ast, move));
    Ir *loop = move_each(l, ast, move, note, MODE_EACH);
    return ir_all(3, ir_let_int(l->f, found, 0), loop, ir_nonzero(ir_local(l->f, found)));
}

Value move_squares_in_game(Lower *l, const Ast *ast)
{
    static const int fields[] = {
        [MOVE_GIVES_FROM] = IR_NODE_FROM, [MOVE_GIVES_TO] = IR_NODE_TO, [MOVE_GIVES_VICTIM] = IR_NODE_VICTIM};
    const int move = ir_new_local(l->f, IRT_POSITION), squares = ir_named_local(l->f, IRT_SET, "squares");
    Ir *square = ir_bit(move_node(l, fields[ast->number], move));
    Ir *add = ir_let(squares, ir_set_or(ir_local(l->f, squares), square));
    Ir *loop = move_each(l, ast, move, ir_and(add, comment_at(l, ast, move)), MODE_EACH);
    return value_of(ir_and(ir_let(squares, ir_set(l->arena, 0)), loop), ir_local(l->f, squares));
}
