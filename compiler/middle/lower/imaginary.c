// Moves that are listed one by one: speculative moves with their imaginary positions, and the combinations of
// `move` that only CQLi has (language reference 13.5).
#include "moves.h"

// What a round leaves in locals; -1: not wanted.
typedef struct Outcome {
    int squares; // set of the squares that the first parameter names
    int matched; // number of moves for which the target matched
    int all;     // number of moves
} Outcome;

static int new_zero(Lower *l, Ir **begin)
{
    const int local = ir_new_local(l->f, IRT_INT);
    *begin = ir_and(*begin, ir_let_int(l->f, local, 0));
    return local;
}

static Outcome begin_outcome(Lower *l, Type type, bool all, Ir **begin)
{
    Outcome o = {-1, -1, -1};
    o.matched = new_zero(l, begin);
    if (all)
        o.all = new_zero(l, begin);
    if (type == TYPE_SET) {
        o.squares = ir_named_local(l->f, IRT_SET, "squares");
        *begin = ir_and(*begin, ir_let(o.squares, ir_set(l->arena, 0)));
    }
    return o;
}

// The target as a condition at the imaginary position that the call makes of the local. NULL: no target.
static Ir *try_out(Lower *l, const Ast *target, IrCall imagine, int level, int of)
{
    if (target == NULL)
        return NULL;
    const Scopes outer = l->in;
    uint8_t *saved = bound_save(l);
    const int local = ir_new_local(l->f, IRT_POSITION);
    l->in.dash = NULL;
    l->in.line = NULL;
    l->imaginary_level++;
    Ir *condition = lower_condition_clean(l, target);
    l->imaginary_level--;
    l->in = outer;
    bound_restore(l, saved);
    Ir *position = ir_call(l->arena, imagine, 2, ir_int(l->arena, level), ir_local(l->f, of));
    return ir_and(ir_let(local, position), ir_at(ir_local(l->f, local), condition));
}

// One admitted move; `square` is the one that its value is made of, NULL: none.
static Ir *round_of(Lower *l, const Outcome *o, Ir *target, Ir *square)
{
    Ir *note = ir_increment(l->f, o->matched);
    if (o->squares >= 0)
        note = ir_and(ir_let(o->squares, ir_set_or(ir_local(l->f, o->squares), ir_bit(square))), note);
    Ir *matched = ir_always(ir_and(target, note));
    return o->all < 0 ? matched : ir_and(ir_increment(l->f, o->all), matched);
}

static int level_here(Lower *l, const Ast *move)
{
    if (l->imaginary_level + 1 >= IMAGINARY_LEVELS)
        value_error(l, move, "more than %d speculative moves inside each other", IMAGINARY_LEVELS - 1);
    return l->imaginary_level;
}

// Moves of the game.
static Ir *game_rounds(Lower *l, const Ast *move, const Ast *target, const Outcome *o)
{
    static const int fields[] = {0, IR_NODE_FROM, IR_NODE_TO, IR_NODE_VICTIM};
    const int child = ir_new_local(l->f, IRT_POSITION), level = level_here(l, move);
    Ir *tried = try_out(l, target, IR_CALL_imagine_child, level, child);
    Ir *square = o->squares < 0 ? NULL : move_node(l, fields[move->number], child);
    return move_each(l, move, child, round_of(l, o, tried, square), MODE_EACH);
}

// Generated moves are listed, then played one by one.
static Ir *listed_rounds(Lower *l, const Ast *move, const Ast *target, const Outcome *o)
{
    const int count = ir_named_local(l->f, IRT_INT, "count"), index = ir_named_local(l->f, IRT_INT, "index"),
              level = level_here(l, move);
    const Value list = move_list(l, move, level);
    Ir *begin = ir_all(3, list.pre, ir_let(count, list.val), ir_let_int(l->f, index, 0));
    Ir *tried = try_out(l, target, IR_CALL_imagine_play, level, index), *square = NULL;
    if (o->squares >= 0) {
        const int local = ir_new_local(l->f, IRT_INT);
        Ir *which = ir_call(l->arena, IR_CALL_imagine_square, 3, ir_int(l->arena, level),
                            ir_local(l->f, index), ir_int(l->arena, move->number - 1));
        tried = ir_and(tried, ir_let(local, which));
        square = ir_local(l->f, local);
    }
    Ir *body = ir_and(round_of(l, o, tried, square), ir_increment(l->f, index));
    Ir *more = ir_lt(ir_local(l->f, index), ir_local(l->f, count));
    return ir_and(begin, ir_while(more, body));
}

Value imaginary_moves(Lower *l, const Ast *move, const Ast *target, bool all, Type type)
{
    Ir *begin = NULL;
    const Outcome o = begin_outcome(l, type, all, &begin);
    Ir *rounds =
        move_is_generated(move) ? listed_rounds(l, move, target, &o) : game_rounds(l, move, target, &o);
    Ir *pre = ir_and(begin, ir_always(rounds));
    if (all)
        pre = ir_and(pre, ir_eq(ir_local(l->f, o.matched), ir_local(l->f, o.all)));
    else if (type == TYPE_BOOL)
        pre = ir_and(pre, ir_with_int(IR_GT, ir_local(l->f, o.matched), 0));
    return value_of(pre, type == TYPE_SET ? ir_local(l->f, o.squares) : ir_local(l->f, o.matched));
}

bool imaginary_is_listed(const Ast *move)
{
    if (move_is_generated(move))
        return move->kid_extra != NULL || move->pieces != 0;
    return (move->flags & AST_COUNT) != 0;
}
