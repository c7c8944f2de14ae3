// Comparison of two values of one type, and the greatest or least of several.
#include "internal.h"

// Four sets say what is on all squares: the white pieces, and for each bit of a type of piece, numbered from 1, those that
// have it.
enum { BOARD_CODE = 4 };

static Ir *code_set(Arena *a, int bit)
{
    Ir *set = bit == 0 ? ir_board(a, BOARD_WHITE) : NULL;
    for (int type = WHITE_PAWN; bit > 0 && type <= WHITE_KING; type++)
        for (int piece = type; type >> (bit - 1) & 1 && piece <= BLACK_KING; piece += BLACK_PAWN - WHITE_PAWN)
            set = set == NULL ? ir_board(a, piece) : ir_set_or(set, ir_board(a, piece));
    return set;
}

// These squares have the same contents at both positions: sets that are equal lead loops and screens to such positions.
static Ir *same_boards(Lower *l, const Ir *contents, const Ir *squares)
{
    IrParts first = {0}, second = {0};
    for (int bit = 0; bit < BOARD_CODE; bit++) {
        const int set = ir_new_local(l->f, IRT_SET);
        Ir *here = ir_set_and(code_set(l->arena, bit), ir_copy(squares));
        ir_append(&first, ir_let(set, here));
        ir_append(&second, ir_binary(IR_SET_EQ, ir_copy(here), ir_local(l->f, set)));
    }
    return ir_and(ir_at(ir_copy(contents->kid[0]), first.all), ir_at(ir_copy(contents->kid[1]), second.all));
}

// `x & y == .` or, for constant squares, `x & y & SQUARES == SQUARES`: the call; NULL: something else.
static const Ir *same_contents(const Ir *a, const Ir *b)
{
    const bool some = a->op == IR_SET_AND && a->kid[1]->op == IR_SET;
    const Bitboard squares = some ? a->kid[1]->set : ~(Bitboard)0;
    a = some ? a->kid[0] : a;
    const bool is_it = a->op == IR_CALL && a->number == IR_CALL_same_contents && b->op == IR_SET;
    return is_it && b->set == squares ? a : NULL;
}

Ir *compare_values(Lower *l, IrOp op, Type type, Ir *a, Ir *b)
{
    if (type == TYPE_STRING)
        return ir_with_int(op, ir_call(l->arena, IR_CALL_compare, 2, a, b), 0);
    if (type != TYPE_SET)
        return ir_binary(op, a, b);
    const Ir *left = same_contents(a, b), *right = same_contents(b, a);
    return left != NULL    ? same_boards(l, left, b)
           : right != NULL ? same_boards(l, right, a)
                           : ir_binary(IR_SET_EQ, a, b);
}

typedef struct Extreme {
    int best, has;   // locals: the best value so far; 1 when there is one
    int value;       // local: the current value
    int start, mark; // locals: lengths of the log before all values and before the current one; texts only
    int texts;       // register, -1: nothing adds text
    Type type;
    IrOp better;
} Extreme;

// A better value: texts of earlier ones are dropped, those of this one stay.
static Ir *take_better(Lower *l, const Extreme *e)
{
    Ir *first = ir_with_int(IR_EQ, ir_local(l->f, e->has), 0);
    Ir *better = compare_values(l, e->better, e->type, ir_local(l->f, e->value), ir_local(l->f, e->best));
    Ir *texts = e->texts >= 0 ? log_keep_last(l, e->texts, e->start, e->mark) : NULL;
    Ir *wins = ir_all(4, ir_or(first, better), texts, ir_let(e->best, ir_local(l->f, e->value)),
                      ir_let_int(l->f, e->has, 1));
    if (e->texts < 0)
        return wins;
    Ir *ties = compare_values(l, IR_EQ, e->type, ir_local(l->f, e->value), ir_local(l->f, e->best));
    return ir_new(l->arena, IR_OR, IRT_BOOL, 3, wins, ties, log_cut(l, e->mark));
}

Value compare_extreme(Lower *l, const Ast *ast, bool greatest)
{
    Extreme e = {.texts = -1, .type = ast->type, .better = greatest ? IR_GT : IR_LT};
    const IrType type = value_type(ast->type);
    e.best = ir_named_local(l->f, type, "best");
    e.value = ir_named_local(l->f, type, "value");
    e.has = ir_named_local(l->f, IRT_INT, "found");
    Ir *pre = ir_let_int(l->f, e.has, 0);
    if (facts_kids_add_text(l, ast, ast->kid_count)) {
        e.texts = log_register(l, "texts of the best value");
        e.start = ir_named_local(l->f, IRT_INT, "start");
        e.mark = ir_named_local(l->f, IRT_INT, "mark");
        pre = ir_and(pre, log_mark(l, e.start));
    }
    for (int i = 0; i < ast->kid_count; i++) {
        const Ast *kid = ast->kid[i];
        Ir *has_value = log_rollback(l, lower_into(l, kid, e.value), facts_add_text(l, kid));
        pre = ir_all(3, pre, e.texts >= 0 ? log_mark(l, e.mark) : NULL,
                     ir_always(ir_and(has_value, take_better(l, &e))));
    }
    return value_of(ir_and(pre, ir_nonzero(ir_local(l->f, e.has))), ir_local(l->f, e.best));
}
