// Lowering of `legal`, `pseudolegal` and the older `move` (language reference 4.6, 4.7).
#include "moves.h"

#include "runtime/chess/chess.h"

// ---- generated moves --------------------------------------------------------------------------------------

enum { E1 = 4, G1 = 6, C1 = 2, E8 = 60, G8 = 62, C8 = 58 };
static const Bitboard castle_short = 1ULL << G1 | 1ULL << G8;
static const Bitboard castle_long = 1ULL << C1 | 1ULL << C8;

// Flags of the runtime's legal_* functions.
enum { CALL_PSEUDOLEGAL = 1, CALL_EN_PASSANT = 2 };

typedef struct Generated {
    Ir *pre;                   // evaluates the sets; NULL: nothing to do
    Value left, right, victim; // val NULL: not given
    Bitboard castle_to;        // not 0: castling only, to these squares
    int flags;
} Generated;

// A white king on e1 or a black king on e8.
static Ir *kings_at_home(Lower *l)
{
    Ir *white = ir_set_and(ir_board(l->arena, WHITE_KING), ir_set(l->arena, 1ULL << E1));
    Ir *black = ir_set_and(ir_board(l->arena, BLACK_KING), ir_set(l->arena, 1ULL << E8));
    return ir_set_or(white, black);
}

static Value operand(Lower *l, const Ast *ast)
{
    if (ast == NULL || ast->op == OP_ALL_SQUARES)
        return (Value){NULL, NULL};
    return lower_value(l, ast);
}

// Joins the sets in order of evaluation; earlier ones are held when a later one has something to do first.
static void join(Lower *l, Generated *g)
{
    Value *const all[3] = {&g->left, &g->right, &g->victim};
    for (int i = 0; i < 3; i++) {
        for (int j = i + 1; j < 3; j++) {
            if (all[i]->val != NULL && all[j]->pre != NULL) {
                *all[i] = value_hold(l, *all[i]);
                break;
            }
        }
        g->pre = ir_and(g->pre, all[i]->pre);
    }
}

static Ir *generate(Lower *l, const Generated *g, IrCall call)
{
    Arena *a = l->arena;
    Ir *left = g->left.val, *right = g->right.val;
    if (g->castle_to != 0) {
        left = left == NULL ? kings_at_home(l) : ir_set_and(left, kings_at_home(l));
        right = right == NULL ? ir_set(a, g->castle_to) : ir_set_and(right, ir_set(a, g->castle_to));
    }
    left = left != NULL ? left : ir_set(a, BB_ALL);
    right = right != NULL ? right : ir_set(a, BB_ALL);
    Ir *victim = g->victim.val != NULL ? g->victim.val : ir_set(a, BB_ALL);
    return ir_call(a, call, 4, left, right, victim, ir_int(a, g->flags));
}

static Generated legal(Lower *l, const Ast *ast)
{
    static const Bitboard castle[] = {[LEGAL_SHORT] = castle_short,
                                      [LEGAL_LONG] = castle_long,
                                      [LEGAL_CASTLE] = castle_short | castle_long,
                                      [LEGAL_EN_PASSANT] = 0};
    Generated g = {.left = operand(l, ast->kid_left), .right = operand(l, ast->kid_right)};
    join(l, &g);
    g.castle_to = castle[ast->number];
    if (ast->op == OP_PSEUDOLEGAL || ast->flags & AST_PSEUDOLEGAL)
        g.flags |= CALL_PSEUDOLEGAL;
    if (ast->number == LEGAL_EN_PASSANT)
        g.flags |= CALL_EN_PASSANT;
    return g;
}

Value lower_legal_value(Lower *l, const Ast *ast)
{
    const Generated g = legal(l, ast);
    return value_of(g.pre, generate(l, &g, IR_CALL_legal_to));
}

Value lower_legal_count(Lower *l, const Ast *ast)
{
    const Generated g = legal(l, ast);
    return value_of(g.pre, generate(l, &g, IR_CALL_legal_count));
}

// ---- move -------------------------------------------------------------------------------------------------

static Generated generated_move(Lower *l, const Ast *ast)
{
    Generated g = {.left = operand(l, ast->kid_left),
                   .right = operand(l, ast->kid_right),
                   .victim = operand(l, ast->kid_extra2)};
    join(l, &g);
    if (ast->low & (MOVE_WORD_CASTLE | MOVE_WORD_SHORT | MOVE_WORD_LONG))
        g.castle_to = castle_short | castle_long;
    if (ast->low & MOVE_WORD_SHORT)
        g.castle_to &= castle_short;
    if (ast->low & MOVE_WORD_LONG)
        g.castle_to &= castle_long;
    if (ast->flags & AST_PSEUDOLEGAL)
        g.flags |= CALL_PSEUDOLEGAL;
    if (ast->low & MOVE_WORD_EN_PASSANT || ast->kid_extra2 != NULL)
        g.flags |= CALL_EN_PASSANT;
    return g;
}

static bool is_generated(const Ast *ast)
{
    return (ast->flags & (AST_LEGAL | AST_PSEUDOLEGAL)) != 0;
}

// The sets of the parameters, evaluated before any move is looked at; locals, -1: not given.
typedef struct Parameters {
    int from, to, capture, en_passant;
} Parameters;

static Ir *parameter(Lower *l, const Ast *set, int *local)
{
    *local = -1;
    if (set == NULL)
        return NULL;
    LineScope *const line = l->line;
    l->line = NULL;
    const Value value = lower_value(l, set);
    l->line = line;
    *local = ir_new_local(l->f, IRT_SET);
    return ir_and(value.pre, ir_let(*local, value.val));
}

static Ir *parameters(Lower *l, const Ast *ast, Parameters *p)
{
    Ir *from = parameter(l, ast->kid_left, &p->from), *to = parameter(l, ast->kid_right, &p->to);
    Ir *capture = parameter(l, ast->kid_extra, &p->capture);
    Ir *en_passant = parameter(l, ast->kid_extra2, &p->en_passant);
    return ir_all(4, from, to, capture, en_passant);
}

static Ir *field_in(Lower *l, int field, int move, int set)
{
    return set < 0 ? NULL : ir_in_set(move_node(l, field, move), ir_local(l->f, set));
}

static Ir *flag_if(Lower *l, bool wanted, int flags, int move)
{
    return wanted ? move_flag(l, flags, move) : NULL;
}

static Ir *index_if(Lower *l, bool wanted, IrOp comparison, int move)
{
    return wanted ? ir_binary(comparison, move_node(l, IR_NODE_INDEX, move), ir_int(l->arena, 0)) : NULL;
}

// The move in the local has all that the parameters demand. NULL: nothing is demanded.
static Ir *matches(Lower *l, const Ast *ast, const Parameters *p, int move)
{
    Ir *const test[] = {
        field_in(l, IR_NODE_FROM, move, p->from),
        field_in(l, IR_NODE_TO, move, p->to),
        flag_if(l, p->capture >= 0, MOVE_CAPTURE, move),
        field_in(l, IR_NODE_VICTIM, move, p->capture),
        flag_if(l, ast->low & MOVE_WORD_EN_PASSANT || p->en_passant >= 0, MOVE_EN_PASSANT, move),
        field_in(l, IR_NODE_VICTIM, move, p->en_passant),
        ast->pieces != 0 ? move_promotes_to(l, ast->pieces, move) : NULL,
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

// The `comment` that belongs to the filter, at the tail of the move. NULL: none.
static Ir *comment_at(Lower *l, const Ast *ast, int move)
{
    if (ast->kid_count == 0)
        return NULL;
    Ast *comment = ast_new(l->arena, OP_COMMENT, TYPE_BOOL, ast->span);
    for (int i = 0; i < ast->kid_count; i++)
        ast_add_kid(l->arena, comment, ast->kid[i]);
    LineScope *const line = l->line;
    l->line = NULL;
    Ir *body = lower_condition(l, comment);
    l->line = line;
    return ir_always(ir_at(ir_local(l->f, move), body));
}

static bool is_tied(const Lower *l, const Ast *ast)
{
    return (ast->flags & AST_LINKED) && l->line != NULL;
}

// Looks at the moves that the filter is about: evaluates `body` for each, as the mode says; `before` comes
// first.
static Ir *each_move(Lower *l, const Ast *ast, int move, Ir *before, Ir *body, IrMode mode)
{
    Arena *a = l->arena;
    body = body != NULL ? body : ir_bool(a, true);
    Ir *loop;
    if (is_tied(l, ast)) {
        Ir *child = ir_local(l->f, l->line->child_local);
        Ir *let = ir_let(move, ir_local(l->f, l->line->child_local));
        loop = ir_all(3, ir_exists(child), let, body);
    } else if (ast->flags & AST_PREVIOUS) {
        if (before != NULL)
            before = ir_at(move_node(l, IR_NODE_PARENT, move), before);
        Ir *let = ir_let(move, ir_current(a));
        loop = ir_all(4, lower_has_parent(l), let, before, body);
        before = NULL;
    } else {
        return ir_and(before, ir_each_child(ir_current(l->arena), move, body, mode));
    }
    return ir_and(before, mode == MODE_EACH ? ir_always(loop) : loop);
}

static Ir *game_move_condition(Lower *l, const Ast *ast)
{
    Parameters p;
    const int move = ir_new_local(l->f, IRT_POSITION);
    Ir *before = parameters(l, ast, &p);
    Ir *fits = matches(l, ast, &p, move), *comment = comment_at(l, ast, move);
    if (comment == NULL)
        return each_move(l, ast, move, before, fits, MODE_ANY);
    const int found = ir_new_local(l->f, IRT_INT);
    Ir *body = ir_all(3, fits, ir_let_int(l->f, found, 1), comment);
    Ir *loop = each_move(l, ast, move, before, body, MODE_EACH);
    return ir_all(3, ir_let_int(l->f, found, 0), loop, ir_nonzero(ir_local(l->f, found)));
}

static Value game_move_squares(Lower *l, const Ast *ast)
{
    static const int fields[] = {
        [MOVE_GIVES_FROM] = IR_NODE_FROM, [MOVE_GIVES_TO] = IR_NODE_TO, [MOVE_GIVES_VICTIM] = IR_NODE_VICTIM};
    Arena *a = l->arena;
    Parameters p;
    const int move = ir_new_local(l->f, IRT_POSITION), squares = ir_new_local(l->f, IRT_SET);
    Ir *before = parameters(l, ast, &p);
    Ir *fits = matches(l, ast, &p, move);
    Ir *square = ir_bit(move_node(l, fields[ast->number], move));
    Ir *add = ir_let(squares, ir_set_or(ir_local(l->f, squares), square));
    Ir *body = ir_all(3, fits, add, comment_at(l, ast, move));
    Ir *loop = each_move(l, ast, move, before, body, MODE_EACH);
    return value_of(ir_and(ir_let(squares, ir_set(a, 0)), loop), ir_local(l->f, squares));
}

Ir *lower_each_game_move(Lower *l, const Ast *move, int local, Ir *body)
{
    Parameters p;
    Ir *before = parameters(l, move, &p);
    Ir *fits = matches(l, move, &p, local);
    return ir_always(each_move(l, move, local, before, ir_and(fits, body), MODE_EACH));
}

Value lower_move_list(Lower *l, const Ast *move, int level)
{
    enum { LISTED_PSEUDOLEGAL = 1, LISTED_EN_PASSANT = 2, LISTED_CAPTURE = 4 }; // of rt_imagine_moves
    Arena *a = l->arena;
    Value set[4] = {operand(l, move->kid_left), operand(l, move->kid_right), operand(l, move->kid_extra),
                    operand(l, move->kid_extra2)};
    for (int i = 0; i < 4; i++)
        if (set[i].val == NULL)
            set[i].val = ir_set(a, BB_ALL);
    Ir *pre = values_join_all(l, set, 4);
    const bool en_passant = move->low & MOVE_WORD_EN_PASSANT || move->kid_extra2 != NULL;
    const int flags = (move->flags & AST_PSEUDOLEGAL ? LISTED_PSEUDOLEGAL : 0) |
                      (en_passant ? LISTED_EN_PASSANT : 0) | (move->kid_extra != NULL ? LISTED_CAPTURE : 0);
    int wings = move->low & (MOVE_WORD_CASTLE | MOVE_WORD_SHORT | MOVE_WORD_LONG) ? 3 : 0;
    if (move->low & MOVE_WORD_SHORT)
        wings &= 1;
    if (move->low & MOVE_WORD_LONG)
        wings &= 2;
    Ir *never = move->low & MOVE_WORD_SHORT && move->low & MOVE_WORD_LONG ? ir_set(a, 0) : NULL;
    return value_of(pre, ir_call(a, IR_CALL_imagine_moves, 8, ir_int(a, level),
                                 never != NULL ? never : set[0].val, set[1].val, set[2].val, set[3].val,
                                 ir_int(a, wings), ir_int(a, (int32_t)move->pieces), ir_int(a, flags)));
}

Ir *lower_move_condition(Lower *l, const Ast *ast)
{
    if (move_is_listed(ast)) {
        const Value v = lower_tried_moves(l, ast, NULL, false, ast->type);
        return condition_of(l, v, ast->type);
    }
    if (!is_generated(ast))
        return game_move_condition(l, ast);
    const Generated g = generated_move(l, ast);
    if (ast->flags & AST_COUNT)
        return g.pre != NULL ? ir_always(g.pre) : ir_bool(l->arena, true);
    return ir_and(g.pre, ir_any(generate(l, &g, IR_CALL_legal_to)));
}

Value lower_move_value(Lower *l, const Ast *ast)
{
    if (move_is_listed(ast))
        return lower_tried_moves(l, ast, NULL, false, ast->type);
    if (!is_generated(ast))
        return game_move_squares(l, ast);
    const Generated g = generated_move(l, ast);
    const IrCall call = ast->flags & AST_COUNT           ? IR_CALL_legal_count
                        : ast->number == MOVE_GIVES_FROM ? IR_CALL_legal_from
                                                         : IR_CALL_legal_to;
    return value_of(g.pre, generate(l, &g, call));
}
