// Imaginary positions (language reference 13.5, 13.17): moves that are tried out and moves that may have been made,
// one by one, and `imagine`. Here are also the combinations of `move` that only CQLi has.
#include "lower_moves.h"

// ---- inside an imaginary position -------------------------------------------------------------------------

int imaginary_depth(const Ast *ast)
{
    int deepest = 0;
    Ast **operand;
    for (int i = 0; (operand = ast_operand(ast, i)) != NULL; i++) {
        const int depth = imaginary_depth(*operand);
        deepest = depth > deepest ? depth : deepest;
    }
    const bool own = ast->op == OP_SPECULATIVE || ast->op == OP_IMAGINE ||
                     (ast->op == OP_MOVE && imaginary_is_listed(ast));
    return deepest + own;
}

// The position, a value without effects, vanishes when the filter that makes the positions of the level ends.
static Ir *is_passing(Lower *l, Ir *position, int level)
{
    Ir *number = ir_sub(ir_int_of(position), ir_game(l->arena, IR_GAME_COUNT));
    return ir_and(ir_with_int(IR_GE, number, level),
                  ir_with_int(IR_LT, ir_copy(number), l->m->info.imaginary_levels));
}

// The variables that the tree assigns positions lose those that vanish. NULL: there are none.
static Ir *forget(Lower *l, const Ast *tree, int level)
{
    Ir *all = NULL;
    if (facts_keeps_position(tree)) {
        Ir *lost = is_passing(l, variable_read(l, tree->variable), level);
        all = ir_always(ir_and(lost, variable_unbind(l, tree->variable)));
    }
    Ast **operand;
    for (int i = 0; (operand = ast_operand(tree, i)) != NULL; i++)
        all = ir_and(all, forget(l, *operand, level));
    return all;
}

typedef struct Inside {
    Scopes outer;
    int saved;
} Inside;

static Inside enter(Lower *l)
{
    const Inside inside = {l->in, bound_save(l)};
    l->in.dash = NULL;
    l->imaginary_level++;
    return inside;
}

// `node` was lowered inside, from the filter; its result stays when the positions are forgotten.
static Ir *leave(Lower *l, Inside inside, const Ast *filter, Ir *node)
{
    l->imaginary_level--;
    l->in = inside.outer;
    bound_restore(l, inside.saved);
    Ir *forgotten = forget(l, filter, l->imaginary_level);
    if (forgotten == NULL)
        return node;
    const int matched = ir_named_local(l->f, IRT_INT, "matched");
    Ir *keep = ir_always(ir_and(node, ir_let_int(l->f, matched, 1)));
    return ir_all(4, ir_let_int(l->f, matched, 0), keep, forgotten, ir_nonzero(ir_local(l->f, matched)));
}

// The filter as a condition at the imaginary position in the local.
static Ir *condition_at(Lower *l, const Ast *filter, int position)
{
    const Inside inside = enter(l);
    Ir *condition = lower_condition_clean(l, filter);
    return leave(l, inside, filter, ir_at(ir_local(l->f, position), condition));
}

// ---- moves one by one -------------------------------------------------------------------------------------

// The locals that a round writes; 0: not wanted. `matched` is created first, so no other has the number 0.
typedef struct Outcome {
    int matched; // number of moves for which the target matched
    int squares; // set of the squares that the first parameter names
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
    Outcome o = {.matched = new_zero(l, begin)};
    if (all)
        o.all = new_zero(l, begin);
    if (type == TYPE_SET) {
        o.squares = ir_named_local(l->f, IRT_SET, "squares");
        *begin = ir_and(*begin, ir_let(o.squares, ir_set(l->arena, 0)));
    }
    return o;
}

// One admitted move; `square` is the one that its value is made of, NULL: none.
static Ir *round_of(Lower *l, const Outcome *o, Ir *target, Ir *square)
{
    Ir *note = ir_increment(l->f, o->matched);
    if (o->squares)
        note = ir_and(ir_let(o->squares, ir_set_or(ir_local(l->f, o->squares), ir_bit(square))), note);
    Ir *matched = ir_always(ir_and(target, note));
    return !o->all ? matched : ir_and(ir_increment(l->f, o->all), matched);
}

// The square that the value is made of, of the move in a local. NULL: none.
static Ir *square_of(Lower *l, const Ast *move, const Outcome *o, int local)
{
    static const int fields[] = {0, IR_NODE_FROM, IR_NODE_TO, IR_NODE_VICTIM};
    return !o->squares ? NULL : move_node(l, fields[move->number], local);
}

// The target at the position before the move that led here.
static Ir *target_before(Lower *l, const Ast *target, int move)
{
    const Scopes outer = l->in;
    const int saved = bound_save(l);
    l->in.dash = NULL;
    Ir *condition = lower_condition_clean(l, target);
    l->in = outer;
    bound_restore(l, saved);
    return ir_at(move_node(l, IR_NODE_PARENT, move), condition);
}

// The target after the move of the game that leads to the child in the local.
static Ir *target_after(Lower *l, const Ast *target, int child)
{
    const int position = ir_new_local(l->f, IRT_POSITION);
    Ir *call = ir_call(l->arena, IR_CALL_imagine_child, 2, ir_int(l->arena, l->imaginary_level),
                       ir_local(l->f, child));
    return ir_and(ir_let(position, call), condition_at(l, target, position));
}

// Moves of the game.
static Ir *game_rounds(Lower *l, const Ast *move, const Ast *target, const Outcome *o)
{
    const int child = ir_new_local(l->f, IRT_POSITION);
    Ir *tried = target == NULL               ? NULL
                : move->flags & AST_PREVIOUS ? target_before(l, target, child)
                                             : target_after(l, target, child);
    return move_each(l, move, child, round_of(l, o, tried, square_of(l, move, o, child)), MODE_EACH);
}

// Evaluates `body` for each entry of the list of a level. `list`: makes the list, its value is the length.
static Ir *each_listed(Lower *l, Value list, int index, Ir *body)
{
    const int count = ir_named_local(l->f, IRT_INT, "count");
    Ir *begin = ir_all(3, list.pre, ir_let(count, list.val), ir_let_int(l->f, index, 0));
    Ir *more = ir_lt(ir_local(l->f, index), ir_local(l->f, count));
    return ir_and(begin, ir_while(more, ir_and(body, ir_increment(l->f, index))));
}

// Generated moves are listed, then played one by one.
static Ir *generated_rounds(Lower *l, const Ast *move, const Ast *target, const Outcome *o)
{
    Arena *a = l->arena;
    const int index = ir_named_local(l->f, IRT_INT, "index"), level = l->imaginary_level;
    const Value list = move_list(l, move, level);
    Ir *tried = NULL, *square = NULL;
    if (target != NULL) {
        const int position = ir_new_local(l->f, IRT_POSITION);
        Ir *play = ir_call(a, IR_CALL_imagine_play, 2, ir_int(a, level), ir_local(l->f, index));
        tried = ir_and(ir_let(position, play), condition_at(l, target, position));
    }
    if (o->squares) {
        const int local = ir_new_local(l->f, IRT_INT);
        Ir *which = ir_call(a, IR_CALL_imagine_square, 3, ir_int(a, level), ir_local(l->f, index),
                            ir_int(a, move->number - 1));
        tried = ir_and(tried, ir_let(local, which));
        square = ir_local(l->f, local);
    }
    return each_listed(l, list, index, round_of(l, o, tried, square));
}

// Retractions are listed, then taken back one by one: their parameters are evaluated in the position before.
static Ir *retracted_rounds(Lower *l, const Ast *move, const Ast *target, const Outcome *o)
{
    Arena *a = l->arena;
    const int index = ir_named_local(l->f, IRT_INT, "index"), level = l->imaginary_level;
    const int before = ir_named_local(l->f, IRT_POSITION, "before"), made = ir_new_local(l->f, IRT_POSITION);
    Ir *list = ir_call(a, IR_CALL_imagine_retractions, 1, ir_int(a, level));
    Ir *retract = ir_call(a, IR_CALL_imagine_retract, 2, ir_int(a, level), ir_local(l->f, index));
    Ir *node =
        ir_position_of(ir_with_int(IR_ADD, ir_int_of(ir_local(l->f, before)), l->m->info.imaginary_levels));
    const Inside inside = enter(l);
    Ir *fits = move_fits(l, move, made);
    Ir *there = leave(l, inside, move, ir_or_true(a, fits));
    Ir *tried = ir_all(3, ir_let(before, retract), ir_let(made, node), ir_at(ir_local(l->f, before), there));
    if (target != NULL)
        tried = ir_and(tried, condition_at(l, target, before));
    Ir *square = square_of(l, move, o, made);
    return each_listed(l, value_of(NULL, list), index, round_of(l, o, tried, square));
}

// `count` has no value when no move fits, except that there may be 0 moves of `legal` and `pseudolegal` without target
// as in CQL 6.2, and that there are 0 legal null moves.
static bool needs_one(const Ast *move, const Ast *target)
{
    return !move_is_generated(move) || (target != NULL && !(move->flags & AST_NULL));
}

Value imaginary_moves(Lower *l, const Ast *move, const Ast *target, bool all, Type type)
{
    Ir *begin = NULL;
    const Outcome o = begin_outcome(l, type, all, &begin);
    Ir *rounds = move_is_generated(move)      ? generated_rounds(l, move, target, &o)
                 : move->flags & AST_BACKWARD ? retracted_rounds(l, move, target, &o)
                                              : game_rounds(l, move, target, &o);
    Ir *pre = ir_and(begin, ir_always(rounds));
    if (all)
        pre = ir_and(pre, ir_eq(ir_local(l->f, o.matched), ir_local(l->f, o.all)));
    if ((type == TYPE_BOOL && !all) || (type == TYPE_INT && needs_one(move, target)))
        pre = ir_and(pre, ir_with_int(IR_GT, ir_local(l->f, o.matched), 0));
    return value_of(pre, type == TYPE_SET ? ir_local(l->f, o.squares) : ir_local(l->f, o.matched));
}

bool imaginary_is_listed(const Ast *move)
{
    if (move->flags & AST_BACKWARD)
        return true;
    if (move_is_generated(move))
        return move->kid_extra != NULL || move->pieces != 0 || move->flags & (AST_PRIMARY | AST_SECONDARY);
    return (move->flags & AST_COUNT) != 0;
}

// ---- imagine ----------------------------------------------------------------------------------------------

// A change of the copy in the local; the local is its position again afterwards.
static Ir *change(Lower *l, const Ast *ast, int level, int position)
{
    Arena *a = l->arena;
    if (ast->op == OP_IMAGINE_SIDE) {
        const int side = ast->kid_count == 0 ? 2 : ast->kid[0]->op == OP_WTM ? WHITE : BLACK;
        return ir_let(position, ir_call(a, IR_CALL_imagine_side, 2, ir_int(a, level), ir_int(a, side)));
    }
    const int squares = ir_new_local(l->f, IRT_SET);
    const Inside inside = enter(l);
    Ir *find = lower_into(l, ast->kid[0], squares);
    find = leave(l, inside, ast->kid[0], ir_at(ir_local(l->f, position), find));
    // a designator with one piece letter
    Ir *piece = ir_int(a, ast->kid_count > 1 ? __builtin_ctz(ast->kid[1]->pieces) : EMPTY);
    Ir *put = ir_call(a, IR_CALL_imagine_put, 3, ir_int(a, level), piece, ir_local(l->f, squares));
    return ir_and(ir_always(find), ir_let(position, put));
}

// The copy with its changes, in the local. False when it has not one king a side.
static Ir *changed_position(Lower *l, const Ast *ast, int level, int position)
{
    Arena *a = l->arena;
    Ir *all = ir_let(position, ir_call(a, IR_CALL_imagine_begin, 1, ir_int(a, level)));
    for (int i = 0; i < ast->kid_count - 1; i++)
        all = ir_and(all, change(l, ast->kid[i], level, position));
    return ir_and(all, ir_call(a, IR_CALL_imagine_end, 1, ir_int(a, level)));
}

Ir *imagine_condition(Lower *l, const Ast *ast)
{
    const int position = ir_new_local(l->f, IRT_POSITION), level = l->imaginary_level;
    Ir *made = changed_position(l, ast, level, position);
    return ir_and(made, condition_at(l, ast->kid[ast->kid_count - 1], position));
}

Value imagine_value(Lower *l, const Ast *ast)
{
    const Ast *target = ast->kid[ast->kid_count - 1];
    const int position = ir_new_local(l->f, IRT_POSITION), level = l->imaginary_level;
    const int out = ir_new_local(l->f, value_type(ast->type));
    Ir *made = changed_position(l, ast, level, position);
    const Inside inside = enter(l);
    Ir *there = log_rollback(l, lower_into(l, target, out), facts_add_text(l, target));
    Ir *pre = ir_and(made, leave(l, inside, target, ir_at(ir_local(l->f, position), there)));
    if (ast->type == TYPE_SET)
        pre = ir_and(ir_let(out, ir_set(l->arena, 0)), ir_always(pre));
    if (ast->type == TYPE_POSITION) // a position that was made here does not exist any more
        pre = ir_and(pre, ir_not(is_passing(l, ir_local(l->f, out), level)));
    return value_of(pre, ir_local(l->f, out));
}
