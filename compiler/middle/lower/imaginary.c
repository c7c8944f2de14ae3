// Moves that are listed one by one: speculative moves with their imaginary positions, and the combinations of
// `move` that only CQLi has (language reference 13.5).
#include "build.h"
#include "moves.h"

// What a round leaves in locals; -1: not wanted.
typedef struct Outcome {
    int squares; // set of the squares that the first parameter names
    int matched; // number of moves for which the target matched
    int all;     // number of moves
} Outcome;

static int new_zero(Lower *l, Ir **begin)
{
    const int local = new_local(l, IRT_INT);
    *begin = ir_and(l, *begin, let_int(l, local, 0));
    return local;
}

static Outcome begin_outcome(Lower *l, Type type, bool all, Ir **begin)
{
    Outcome o = {-1, -1, -1};
    o.matched = new_zero(l, begin);
    if (all)
        o.all = new_zero(l, begin);
    if (type == TYPE_SET) {
        o.squares = new_local(l, IRT_SET);
        *begin = ir_and(l, *begin, let(l, o.squares, ir_set(l->arena, 0)));
    }
    return o;
}

// The target at an imaginary position, as a condition.
static Ir *try_out(Lower *l, const Ast *target, Ir *position)
{
    DashScope *const dash = l->dash;
    LineScope *const line = l->line;
    uint8_t *saved = bound_save(l);
    const int local = new_local(l, IRT_POSITION);
    l->dash = NULL;
    l->line = NULL;
    l->imaginary_level++;
    Ir *condition = with_rollback(l, lower_condition(l, target), adds_text(l, target));
    l->imaginary_level--;
    l->dash = dash;
    l->line = line;
    bound_restore(l, saved);
    return ir_and(l, let(l, local, position), bool2(l, IR_AT, read_local(l, local), condition));
}

// One admitted move; `square` is the one that its value is made of, NULL: none.
static Ir *round_of(Lower *l, const Outcome *o, Ir *target, Ir *square)
{
    Ir *note = let_increment(l, o->matched);
    if (o->squares >= 0)
        note = ir_and(
            l, let(l, o->squares, set2(l, IR_SET_OR, read_local(l, o->squares), set1(l, IR_BIT, square))),
            note);
    Ir *matched = always_true(l, ir_and(l, target, note));
    return o->all < 0 ? matched : ir_and(l, let_increment(l, o->all), matched);
}

static int level_here(Lower *l, const Ast *move)
{
    if (l->imaginary_level + 1 >= IMAGINARY_LEVELS)
        lower_error(l, move, "more than %d speculative moves inside each other", IMAGINARY_LEVELS - 1);
    return l->imaginary_level;
}

// Moves of the game.
static Ir *game_rounds(Lower *l, const Ast *move, const Ast *target, const Outcome *o)
{
    static const int fields[] = {0, IR_NODE_FROM, IR_NODE_TO, IR_NODE_VICTIM};
    const int child = new_local(l, IRT_POSITION), level = level_here(l, move);
    Ir *tried = NULL;
    if (target != NULL)
        tried = try_out(l, target,
                        ir_call(l->arena, IR_CALL_imagine_child, 2, number(l, level), read_local(l, child)));
    Ir *square = o->squares < 0 ? NULL : move_node(l, fields[move->number], child);
    return lower_each_game_move(l, move, child, round_of(l, o, tried, square));
}

// Generated moves: a list is made, then played one by one.
static Ir *listed_rounds(Lower *l, const Ast *move, const Ast *target, const Outcome *o)
{
    const int count = new_local(l, IRT_INT), index = new_local(l, IRT_INT), level = level_here(l, move);
    const Value list = lower_move_list(l, move, level);
    Ir *begin = ir_all(l, 3, list.pre, let(l, count, list.val), let_int(l, index, 0));
    Ir *tried = NULL, *square = NULL;
    if (target != NULL)
        tried = try_out(l, target,
                        ir_call(l->arena, IR_CALL_imagine_play, 2, number(l, level), read_local(l, index)));
    if (o->squares >= 0) {
        const int local = new_local(l, IRT_INT);
        Ir *which = ir_call(l->arena, IR_CALL_imagine_square, 3, number(l, level), read_local(l, index),
                            number(l, move->number - 1));
        tried = ir_and(l, tried, let(l, local, which));
        square = read_local(l, local);
    }
    Ir *body = ir_and(l, round_of(l, o, tried, square), let_increment(l, index));
    Ir *more = bool2(l, IR_LT, read_local(l, index), read_local(l, count));
    return ir_and(l, begin, while_loop(l, more, body));
}

Value lower_tried_moves(Lower *l, const Ast *move, const Ast *target, bool all, Type type)
{
    Ir *begin = NULL;
    const Outcome o = begin_outcome(l, type, all, &begin);
    const bool generated = (move->flags & (AST_LEGAL | AST_PSEUDOLEGAL)) != 0;
    Ir *rounds = generated ? listed_rounds(l, move, target, &o) : game_rounds(l, move, target, &o);
    Ir *pre = ir_and(l, begin, always_true(l, rounds));
    if (all)
        pre = ir_and(l, pre, bool2(l, IR_EQ, read_local(l, o.matched), read_local(l, o.all)));
    else if (type == TYPE_BOOL)
        pre = ir_and(l, pre, compare(l, IR_GT, read_local(l, o.matched), 0));
    return value_of(pre, type == TYPE_SET ? read_local(l, o.squares) : read_local(l, o.matched));
}

bool move_is_listed(const Ast *move)
{
    if (move->flags & (AST_LEGAL | AST_PSEUDOLEGAL))
        return move->kid_extra != NULL || move->pieces != 0;
    return (move->flags & AST_COUNT) != 0;
}

Value lower_mutation(Lower *l)
{
    const int local = new_local(l, IRT_STRING);
    return value_of(ir_call_out(l->arena, IR_CALL_mutation, local, 0), read_local(l, local));
}
