// Filters about one position (language reference 3): designators, set algebra, attacks and lines, directions,
// properties of squares and pieces, pawn structure, check and mate, FEN.
#include "internal.h"

#include "runtime/chess/chess.h"

// ---- designators ------------------------------------------------------------------------------------------

enum {
    WHITE_PIECES = 0x3f << WHITE_PAWN, // the bits of the six symbols
    BLACK_PIECES = 0x3f << BLACK_PAWN
};

// The symbols without those that another one covers.
static uint32_t plain_symbols(uint32_t symbols)
{
    if (symbols & SYMBOL_WHITE)
        symbols &= ~(uint32_t)WHITE_PIECES;
    if (symbols & SYMBOL_BLACK)
        symbols &= ~(uint32_t)BLACK_PIECES;
    return symbols;
}

// The squares with one of the symbols, on the whole board.
static Ir *symbol_board(Lower *l, uint32_t symbols)
{
    symbols = plain_symbols(symbols);
    if ((symbols & ANY_SQUARE) == ANY_SQUARE)
        return ir_set(l->arena, BB_ALL);
    Ir *all = NULL;
    if ((symbols & (SYMBOL_WHITE | SYMBOL_BLACK)) == (SYMBOL_WHITE | SYMBOL_BLACK)) {
        symbols &= ~(uint32_t)(SYMBOL_WHITE | SYMBOL_BLACK);
        all = ir_board(l->arena, BOARD_OCCUPIED);
    }
    for (int code = 0; code <= BOARD_BLACK; code++)
        if (symbols >> code & 1)
            all = all == NULL ? ir_board(l->arena, code) : ir_set_or(all, ir_board(l->arena, code));
    return all != NULL ? all : ir_set(l->arena, 0);
}

static Value designator(Lower *l, const Ast *ast)
{
    Ir *squares = symbol_board(l, ast->pieces);
    if (squares->op == IR_SET)
        squares = ir_set(l->arena, squares->set & ast->mask);
    else if (ast->mask != BB_ALL)
        squares = ir_set_and(squares, ir_set(l->arena, ast->mask));
    return value_of(NULL, squares);
}

// ---- algebra ----------------------------------------------------------------------------------------------

static Value algebra(Lower *l, const Ast *ast)
{
    int count;
    const Ast **operand = lower_chain(l, ast, &count);
    Value *v = arena_alloc(l->arena, sizeof *v * (size_t)count);
    for (int i = 0; i < count; i++)
        v[i] = lower_value(l, operand[i]);
    Ir *pre = value_join_all(l, v, count);
    Ir *all = ir_new(l->arena, (IrOp)lower_number(l, ast), IRT_SET, 0);
    for (int i = 0; i < count; i++)
        ir_add_kid(all, v[i].val);
    return value_of(pre, all);
}

// complement, number of squares
static Value unary(Lower *l, const Ast *ast)
{
    const Value v = lower_value(l, ast->kid[0]);
    return value_of(v.pre, ir_unary((IrOp)lower_number(l, ast), v.val));
}

// The light or dark ones.
static Value of_colour(Lower *l, const Ast *ast)
{
    const Value v = lower_value(l, ast->kid[0]);
    return value_of(v.pre, ir_set_and(v.val, ir_set(l->arena, ast->op == OP_LIGHT ? BB_LIGHT : BB_DARK)));
}

static Ir *subset(Lower *l, const Ast *ast)
{
    Value a = lower_value(l, ast->kid[0]), b = lower_value(l, ast->kid[1]);
    Ir *pre = value_join(l, &a, &b);
    Ir *outside = ir_set_and(a.val, ir_set_not(b.val));
    return ir_and(pre, ir_not(ir_any(outside)));
}

// ---- attacks and lines ------------------------------------------------------------------------------------

enum { ALL_DIRECTIONS = 0xff };

// Chains through sets in the order of the line; the value is the first set's part (from) or the last one's.
static Ir *chain(Lower *l, bool from, int directions, bool sliders, const Value *v, int count, bool reversed)
{
    Ir *call = ir_call(l->arena, from ? IR_CALL_chain_from : IR_CALL_chain_to, 2,
                       ir_int(l->arena, directions), ir_int(l->arena, sliders));
    for (int i = 0; i < count; i++)
        ir_add_kid(call, v[reversed ? count - 1 - i : i].val);
    return call;
}

static Value attacked_by(Lower *l, const Ast *ast)
{
    Value *v;
    Ir *pre = lower_kids(l, ast, &v);
    return value_of(pre, ir_set_and(v[0].val, ir_call(l->arena, IR_CALL_attacked, 1, v[1].val)));
}

static Value arrow(Lower *l, const Ast *ast)
{
    const bool left = (ast->flags & AST_LEFT_CHAIN) != 0;
    if (ast->kid_count == 2)
        return left ? attacked_by(l, ast) : lower_call(l, ast, IR_CALL_attackers);
    Value *v;
    Ir *pre = lower_kids(l, ast, &v);
    return value_of(pre, chain(l, !left, ALL_DIRECTIONS, true, v, ast->kid_count, left));
}

static Value ray(Lower *l, const Ast *ast)
{
    Value *v;
    Ir *pre = lower_kids(l, ast, &v);
    const int directions = ast->number != 0 ? ast->number : ALL_DIRECTIONS;
    return value_of(pre,
                    chain(l, false, directions, (ast->flags & AST_CAPTURE) != 0, v, ast->kid_count, false));
}

// The ends are counted for each first square on its own.
static Value ray_ends(Lower *l, const Ast *ast)
{
    Value *v;
    Ir *pre = lower_kids(l, ast, &v), *first = v[0].val;
    const int square = ir_new_local(l->f, IRT_INT), count = ir_named_local(l->f, IRT_INT, "count");
    const int directions = ast->number != 0 ? ast->number : ALL_DIRECTIONS;
    v[0].val = ir_bit(ir_local(l->f, square));
    Ir *ends = chain(l, false, directions, (ast->flags & AST_CAPTURE) != 0, v, ast->kid_count, false);
    Ir *add = ir_let_sum(l->f, count, ir_count(ends));
    Ir *loop = ir_each_square(first, square, add, MODE_EACH);
    return value_of(ir_all(3, pre, ir_let_int(l->f, count, 0), loop), ir_local(l->f, count));
}

static Value pin_operand(Lower *l, const Ast *ast, Ir *otherwise)
{
    return ast != NULL ? lower_value(l, ast) : value_of(NULL, otherwise);
}

static Value pin(Lower *l, const Ast *ast)
{
    Value v[3] = {pin_operand(l, ast->kid_left, ir_set(l->arena, BB_ALL)),
                  pin_operand(l, ast->kid_extra, ir_set(l->arena, BB_ALL))};
    v[2] = pin_operand(l, ast->kid_right,
                       ir_set_or(ir_board(l->arena, WHITE_KING), ir_board(l->arena, BLACK_KING)));
    Ir *pre = value_join_all(l, v, 3);
    return value_of(
        pre, ir_call(l->arena, IR_CALL_pin, 4, v[0].val, v[1].val, v[2].val, ir_int(l->arena, ast->number)));
}

// ---- directions -------------------------------------------------------------------------------------------

typedef struct Step {
    int files, ranks;
} Step;

static const Step steps[8] = {
    [NORTH] = {0, 1},  [NORTH_EAST] = {1, 1},   [EAST] = {1, 0},  [SOUTH_EAST] = {1, -1},
    [SOUTH] = {0, -1}, [SOUTH_WEST] = {-1, -1}, [WEST] = {-1, 0}, [NORTH_WEST] = {-1, 1}};

static Ir *moved(Ir *set, Step step, int distance)
{
    return ir_step(set, step.files * distance, step.ranks * distance);
}

// The squares low..high steps away, 0 <= low: the nearest, then each doubling covers twice as many. Squares
// that have left the board do not come back, so all steps go the same way.
static Ir *sweep_out(Lower *l, Ir *set, Step step, int low, int high, Ir **pre)
{
    Ir *all = moved(set, step, low);
    for (int covered = 1, wanted = high - low + 1; covered < wanted;) {
        const int more = wanted - covered < covered ? wanted - covered : covered;
        const Value held = value_hold(l, value_of(NULL, all));
        *pre = ir_and(*pre, held.pre);
        all = ir_set_or(held.val, moved(ir_copy(held.val), step, more));
        covered += more;
    }
    return all;
}

static Ir *sweep(Lower *l, Ir *set, Step step, int low, int high, Ir **pre)
{
    const Step back = {-step.files, -step.ranks};
    if (low >= 0)
        return sweep_out(l, set, step, low, high, pre);
    if (high <= 0)
        return sweep_out(l, set, back, -high, -low, pre);
    Ir *backward = sweep_out(l, set, back, 1, -low, pre);
    return ir_set_or(backward, sweep_out(l, ir_copy(set), step, 0, high, pre));
}

static Value unrolled_direction(Lower *l, Value set, int directions, int low, int high)
{
    if (low == 0 && high == 0)
        return set;
    if (directions == ALL_DIRECTIONS && low * low == 1 && low == high)
        return value_of(set.pre, ir_unary(IR_KING_MOVES, set.val));
    const bool several = (directions & (directions - 1)) != 0;
    if (several || (low < 0 && high >= 0))
        set = value_hold(l, set);
    Ir *all = NULL;
    for (int d = 0; d < 8; d++) {
        if (!(directions >> d & 1))
            continue;
        Ir *from = all == NULL ? set.val : ir_copy(set.val);
        Ir *part = sweep(l, from, steps[d], low, high, &set.pre);
        all = all == NULL ? part : ir_set_or(all, part);
    }
    return value_of(set.pre, all);
}

static Value direction(Lower *l, const Ast *ast)
{
    Range range = ast->range;
    if (!range.present)
        range = (Range){.present = true, .low.value = 1, .high.value = 7};
    const bool constant = range.low.variable == NULL && range.high.variable == NULL;
    // The bounds are read when the set is known.
    const Value set = lower_value(l, ast->kid[0]);
    if (constant)
        return unrolled_direction(l, set, ast->number, range.low.value, range.high.value);
    Value v[3] = {set, range_bound(l, &range.low), range_bound(l, &range.high)};
    Ir *pre = value_join_all(l, v, 3);
    Ir *call =
        ir_call(l->arena, IR_CALL_direction, 4, v[0].val, ir_int(l->arena, ast->number), v[1].val, v[2].val);
    return value_in_local(l, value_of(pre, call));
}

// ---- properties of squares and pieces ---------------------------------------------------------------------

// The only square of a set (an int), no value otherwise.
static Value only_square(Lower *l, const Ast *ast)
{
    const Value set = value_hold(l, lower_value(l, ast));
    Ir *one = ir_with_int(IR_EQ, ir_count(set.val), 1);
    return value_of(ir_and(set.pre, one), ir_first(ir_copy(set.val)));
}

static Value file_or_rank(Lower *l, const Ast *ast)
{
    const Value square = only_square(l, ast->kid[0]);
    Ir *index = ast->op == OP_FILE ? ir_with_int(IR_AND_BITS, square.val, 7) : ir_shift_right(square.val, 3);
    return value_of(square.pre, ir_with_int(IR_ADD, index, 1));
}

static Value piece_code(Lower *l, const Ast *ast)
{
    const Value square = only_square(l, ast->kid[0]);
    return value_hold(l, value_of(square.pre, ir_unary(IR_SQUARE, square.val)));
}

// 1 pawn … 6 king; of `colortype` Black negative.
static Value type_number(Lower *l, const Ast *ast)
{
    const Value code = piece_code(l, ast);
    Ir *black = ir_with_int(IR_GE, code.val, BLACK_PAWN);
    Ir *six = ir_int(l->arena, BLACK_PAWN - WHITE_PAWN), *copy = ir_copy(code.val);
    Ir *type = ast->op == OP_COLORTYPE ? ir_sub(six, copy) : ir_sub(copy, six);
    return value_of(code.pre, ir_choose(black, type, ir_copy(code.val)));
}

static Value piece_text(Lower *l, const Ast *ast)
{
    const Value code = piece_code(l, ast);
    return value_of(code.pre, ir_call(l->arena, (IrCall)lower_number(l, ast), 1, code.val));
}

static Ir *in_1_to_8(Ir *value)
{
    return ir_and(ir_with_int(IR_GE, value, 1), ir_with_int(IR_LE, ir_copy(value), 8));
}

static Value makesquare(Lower *l, const Ast *ast)
{
    const bool text = facts_add_text(l, ast);
    if (ast->kid_count == 1) {
        const Value name = lower_value(l, ast->kid[0]);
        return log_set_or_empty(l, name.pre, ir_call(l->arena, IR_CALL_makesquare, 1, name.val), text);
    }
    Value file = value_hold(l, lower_value(l, ast->kid[0])),
          rank = value_hold(l, lower_value(l, ast->kid[1]));
    Ir *pre = value_join(l, &file, &rank);
    pre = ir_all(3, pre, in_1_to_8(file.val), in_1_to_8(rank.val));
    // 8 * (rank - 1) + file - 1
    Ir *eighths = ir_with_int(IR_MUL, ir_copy(rank.val), 8);
    Ir *sum = ir_add(eighths, ir_copy(file.val));
    return log_set_or_empty(l, pre, ir_bit(ir_with_int(IR_SUB, sum, 9)), text);
}

// ---- pawns, mates, sides ----------------------------------------------------------------------------------

static Value isolated_pawns(Lower *l, const Ast *ast)
{
    (void)ast;
    Ir *pawns = ir_set_or(ir_board(l->arena, WHITE_PAWN), ir_board(l->arena, BLACK_PAWN));
    Ir *others = ir_set_not(ir_call(l->arena, IR_CALL_connected_pawns, 0));
    return value_of(NULL, ir_set_and(pawns, others));
}

static Ir *in_check(Lower *l)
{
    return ir_call(l->arena, IR_CALL_in_check, 0);
}

static Ir *cannot_move(Lower *l)
{
    return ir_not(ir_call(l->arena, IR_CALL_has_legal_move, 0));
}

static Ir *mate(Lower *l, const Ast *ast)
{
    (void)ast;
    return ir_and(in_check(l), cannot_move(l));
}

static Ir *stalemate(Lower *l, const Ast *ast)
{
    (void)ast;
    Ir *terminal = ir_with_int(IR_LT, ir_node(IR_NODE_FIRST_CHILD, ir_current(l->arena)), 0);
    return ir_all(3, terminal, ir_not(in_check(l)), cannot_move(l));
}

static Value pure_mate(Lower *l, const Ast *ast)
{
    return value_of(NULL, ir_call(l->arena, IR_CALL_pure_mate, 1, ir_int(l->arena, lower_number(l, ast))));
}

static Ir *is_to_move(Lower *l, const Ast *ast)
{
    return ir_with_int(IR_EQ, ir_side(l->arena), lower_number(l, ast));
}

static Value side_to_move(Lower *l, const Ast *ast)
{
    (void)ast;
    Ir *white = ir_with_int(IR_EQ, ir_side(l->arena), WHITE);
    return value_of(NULL, ir_choose(white, ir_int(l->arena, 1), ir_int(l->arena, -1)));
}

// The FEN pattern: 64 designators. Squares with the same demand are tested together.
static Ir *fen_pattern(Lower *l, const Ast *ast)
{
    Ir *all = NULL;
    bool done[64] = {false};
    for (int i = 0; i < ast->kid_count && i < 64; i++) {
        const uint32_t symbols = ast->kid[i]->pieces;
        Bitboard mask = 0;
        for (int j = i; j < ast->kid_count && j < 64; j++) {
            if (done[j] || ast->kid[j]->pieces != symbols)
                continue;
            done[j] = true;
            mask |= ast->kid[j]->mask;
        }
        Ir *squares = symbol_board(l, symbols);
        if (mask == 0 || (squares->op == IR_SET && squares->set == BB_ALL))
            continue;
        Ir *other = ir_set_and(ir_set_not(squares), ir_set(l->arena, mask));
        all = ir_and(all, ir_not(ir_any(other)));
    }
    return ir_or_true(l->arena, all);
}

// ---- the family -------------------------------------------------------------------------------------------

static Value all_or_no_squares(Lower *l, const Ast *ast)
{
    return value_of(NULL, ir_set(l->arena, ast->op == OP_ALL_SQUARES ? BB_ALL : 0));
}

static Ir *fen_condition(Lower *l, const Ast *ast)
{
    return ast->type == TYPE_BOOL ? fen_pattern(l, ast) : value_condition(l, lower_value(l, ast), ast->type);
}

const Lowering lowering_sets[OP_COUNT_] = {
    [OP_DESIGNATOR] = {designator},
    [OP_ALL_SQUARES] = {all_or_no_squares},
    [OP_NO_SQUARES] = {all_or_no_squares},
    [OP_UNION] = {algebra, NULL, IR_SET_OR},
    [OP_INTERSECT] = {algebra, NULL, IR_SET_AND},
    [OP_COMPLEMENT] = {unary, NULL, IR_SET_NOT},
    [OP_COUNT_SET] = {unary, NULL, IR_COUNT},
    [OP_IN_SET] = {NULL, subset},
    [OP_ARROW] = {arrow},
    [OP_ATTACKED_BY] = {attacked_by},
    [OP_RAY] = {ray},
    [OP_RAY_ENDS] = {ray_ends},
    [OP_PIN] = {pin},
    [OP_UP] = {direction},
    [OP_LIGHT] = {of_colour},
    [OP_DARK] = {of_colour},
    [OP_FILE] = {file_or_rank},
    [OP_RANK] = {file_or_rank},
    [OP_MAKESQUARE] = {makesquare},
    [OP_COLORTYPE] = {type_number},
    [OP_TYPE] = {type_number},
    [OP_PIECENAME] = {piece_text, NULL, IR_CALL_piece_letter},
    [OP_TYPENAME] = {piece_text, NULL, IR_CALL_type_letter},
    [OP_ISOLATEDPAWNS] = {isolated_pawns},
    [OP_MATE] = {NULL, mate},
    [OP_STALEMATE] = {NULL, stalemate},
    [OP_PUREMATE] = {pure_mate, NULL, 0},
    [OP_MODELMATE] = {pure_mate, NULL, 1},
    [OP_IDEALMATE] = {pure_mate, NULL, 2},
    [OP_PURESTALEMATE] = {pure_mate, NULL, 3},
    [OP_MODELSTALEMATE] = {pure_mate, NULL, 4},
    [OP_IDEALSTALEMATE] = {pure_mate, NULL, 5},
    [OP_WTM] = {NULL, is_to_move, WHITE},
    [OP_BTM] = {NULL, is_to_move, BLACK},
    [OP_SIDETOMOVE] = {side_to_move},
    [OP_WHITE] = {lower_number_value, NULL, 1},
    [OP_BLACK] = {lower_number_value, NULL, -1},
    [OP_FEN] = {lower_call_value, fen_condition, IR_CALL_fen},
};
