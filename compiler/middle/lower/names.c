// Variables, assignments, loops over squares and pieces, calls, dictionaries (language reference 7.1
// - 7.8, 7.13).
#include "internal.h"

#include "compiler/language/signs.h"

// ---- assignment -------------------------------------------------------------------------------------------

static Value variable_value(Lower *l, const Ast *ast)
{
    const Variable *v = ast->variable;
    Ir *pre = variable_require_bound(l, v);
    return value_of(pre, v->kind == VARIABLE_PIECE
                             ? ir_bit(ir_call(l->arena, IR_CALL_piece_square, 2, ir_current(l->arena),
                                              variable_read(l, v)))
                             : variable_read(l, v));
}

// The operation of `v op= e` on ints and sets.
static IrOp operation(int mark)
{
    switch (mark) {
    case PUNCT_PLUS_ASSIGN:
        return IR_ADD;
    case PUNCT_MINUS_ASSIGN:
        return IR_SUB;
    case PUNCT_TIMES_ASSIGN:
        return IR_MUL;
    case PUNCT_DIVIDE_ASSIGN:
        return IR_DIV;
    case PUNCT_MODULO_ASSIGN:
        return IR_MOD;
    case PUNCT_UNION_ASSIGN:
        return IR_SET_OR;
    default:
        return IR_SET_AND;
    }
}

// The value of `v op e`.
static Value combined(Lower *l, const Ast *ast, Value e)
{
    Value old = variable_value(l, ast);
    if (ast->variable->kind != VARIABLE_STRING)
        return value_arithmetic(l, operation(ast->number), old, e);
    Ir *pre = value_join(l, &old, &e);
    return value_of(pre, ir_call(l->arena, IR_CALL_concat, 2, old.val, e.val));
}

static Ir *assignment(Lower *l, const Ast *ast)
{
    const Variable *v = ast->variable;
    Value value = lower_value(l, ast->kid[0]);
    if (ast->number == PUNCT_SET_ASSIGN) {
        value = value_hold(l, value);
        value.pre = ir_and(value.pre, ir_any(ir_copy(value.val)));
    } else if (ast->number != PUNCT_ASSIGN) {
        value = combined(l, ast, value);
    }
    return ir_and(value.pre, variable_assign(l, v, value.val));
}

// The number of the piece on the only square of a set, or on the first one; no value without such a square or piece.
static Value piece_number_of(Lower *l, const Ast *set, bool first)
{
    const Value s = value_hold(l, lower_value(l, set));
    Ir *one = first ? ir_any(ir_copy(s.val)) : ir_with_int(IR_EQ, ir_count(ir_copy(s.val)), 1);
    const int piece = ir_named_local(l->f, IRT_INT, "piece");
    Ir *found = ir_call(l->arena, IR_CALL_piece_number, 2, ir_current(l->arena), ir_first(s.val));
    return value_of(ir_all(4, s.pre, one, ir_let(piece, found), ir_with_int(IR_GE, ir_local(l->f, piece), 0)),
                    ir_local(l->f, piece));
}

static Ir *piece_assignment(Lower *l, const Ast *ast)
{
    const Value piece = piece_number_of(l, ast->kid[0], l->query->cqli); // 13.19
    return ir_and(piece.pre, variable_assign(l, ast->variable, piece.val));
}

// ---- parts of strings -------------------------------------------------------------------------------------

static Ir *index_assignment(Lower *l, const Ast *ast)
{
    const Variable *v = ast->variable;
    Value part[2] = {lower_value(l, ast->kid[0]), lower_value(l, ast->kid[1])};
    Ir *pre = value_join_all(l, part, 2);
    Ir *bound = variable_require_bound(l, v);
    const int result = ir_new_local(l->f, IRT_STRING);
    Ir *replace = ir_call_out(l->arena, IR_CALL_replace_index, result, 3, variable_read(l, v), part[0].val,
                              part[1].val);
    return ir_all(4, pre, bound, replace, variable_assign(l, v, ir_local(l->f, result)));
}

static Ir *slice_assignment(Lower *l, const Ast *ast)
{
    const Variable *v = ast->variable;
    int missing;
    Value part[3];
    lower_slice_bounds(l, ast, part, &missing);
    part[2] = lower_value(l, ast->kid[0]);
    Ir *pre = value_join_all(l, part, 3);
    Ir *bound = variable_require_bound(l, v);
    Ir *replaced = ir_call(l->arena, IR_CALL_replace_slice, 5, variable_read(l, v), part[0].val, part[1].val,
                           ir_int(l->arena, missing), part[2].val);
    return ir_all(3, pre, bound, variable_assign(l, v, replaced));
}

// ---- loops over squares and pieces ------------------------------------------------------------------------

// One round with the variable in its slot: refuses a bound variable, binds it, evaluates the body, unbinds it.
static Ir *round_in_slot(Lower *l, const Variable *v, Ir *value, Ir *body)
{
    Ir *unbound = variable_require_unbound(l, v);
    Ir *begin = ir_and(unbound, variable_bind(l, v, value));
    if (ir_always_true(body))
        return ir_all(3, begin, body, variable_unbind(l, v));
    Ir *failed = ir_then_false(l->arena, variable_unbind(l, v));
    return ir_and(begin, ir_or(ir_and(body, variable_unbind(l, v)), failed));
}

static Ir *bound_body(Lower *l, const Variable *v, const Ast *body)
{
    const int saved = bound_enter(l, v);
    Ir *condition = lower_condition_clean(l, body);
    bound_restore(l, saved);
    return condition;
}

// One round for the square in `square`: true when the body succeeds.
static Ir *round_of(Lower *l, const Ast *ast, int square)
{
    const Variable *v = ast->variable;
    const bool pieces = (ast->flags & AST_PIECES) != 0;
    int local = square;
    Ir *find_piece = NULL;
    if (pieces) {
        local = ir_new_local(l->f, IRT_INT);
        find_piece = ir_let(
            local, ir_call(l->arena, IR_CALL_piece_number, 2, ir_current(l->arena), ir_local(l->f, square)));
    }
    if (variable_may_be_local(l, v, USE_LOOP, ast->kid[1])) {
        variable_enter_local(l, v, local);
        Ir *body = lower_condition_clean(l, ast->kid[1]);
        variable_leave_local(l, v);
        return ir_or_true(l->arena, ir_and(find_piece, body));
    }
    Ir *value = pieces ? ir_local(l->f, local) : ir_bit(ir_local(l->f, square));
    return ir_and(find_piece, round_in_slot(l, v, value, bound_body(l, v, ast->kid[1])));
}

static Ir *square_loop(Lower *l, const Ast *ast, Value set, int square, Ir *body, IrMode mode)
{
    Ir *squares = ast->flags & AST_PIECES ? ir_set_and(set.val, ir_board(l->arena, BOARD_OCCUPIED)) : set.val;
    return ir_and(set.pre, ir_each_square(squares, square, body, mode));
}

static Value set_loop_value(Lower *l, const Ast *ast)
{
    const Value set = lower_value(l, ast->kid[0]);
    const int square = ir_new_local(l->f, IRT_INT), found = ir_named_local(l->f, IRT_SET, "found");
    Ir *add = ir_let(found, ir_set_or(ir_local(l->f, found), ir_bit(ir_local(l->f, square))));
    Ir *body = ir_always(ir_and(round_of(l, ast, square), add));
    Ir *loop = square_loop(l, ast, set, square, body, MODE_EACH);
    return value_of(ir_and(ir_let(found, ir_set(l->arena, 0)), loop), ir_local(l->f, found));
}

static Ir *set_loop_condition(Lower *l, const Ast *ast)
{
    const bool all = (ast->flags & AST_ALL) != 0;
    // Every square is visited when that can be noticed.
    if (!all && facts_have_effects(ast->kid[1]))
        return value_condition(l, set_loop_value(l, ast), TYPE_SET);
    const Value set = lower_value(l, ast->kid[0]);
    const int square = ir_new_local(l->f, IRT_INT);
    return square_loop(l, ast, set, square, round_of(l, ast, square), all ? MODE_ALL : MODE_ANY);
}

// ---- dictionaries -----------------------------------------------------------------------------------------

static Ir *dictionary_number(Lower *l, const Variable *d)
{
    return ir_int(l->arena, l->dictionary[d->number]);
}

static IrCall call_for(Type type, IrCall for_int, IrCall for_set, IrCall for_string)
{
    return type == TYPE_SET ? for_set : type == TYPE_STRING ? for_string : for_int;
}

static Ir *set_key(Lower *l, const Variable *d, Ir *key)
{
    return ir_call(l->arena,
                   call_for(d->key, IR_CALL_dict_key_int, IR_CALL_dict_key_set, IR_CALL_dict_key_string), 1,
                   key);
}

// Evaluates the key into the key register.
static Ir *entry_key(Lower *l, const Ast *ast)
{
    const Value key = lower_value(l, ast->kid[0]);
    return ir_and(key.pre, set_key(l, ast->variable, key.val));
}

static Ir *entry_exists(Lower *l, const Ast *ast)
{
    return ir_and(entry_key(l, ast),
                  ir_call(l->arena, IR_CALL_dict_has, 1, dictionary_number(l, ast->variable)));
}

static Value entry_value(Lower *l, const Ast *ast)
{
    const Variable *d = ast->variable;
    const IrCall call =
        call_for(d->value, IR_CALL_dict_get_int, IR_CALL_dict_get_set, IR_CALL_dict_get_string);
    const int local = ir_new_local(l->f, value_type(d->value));
    Ir *get = ir_call_out(l->arena, call, local, 1, dictionary_number(l, d));
    Ir *pre = ir_and(entry_key(l, ast), get);
    return d->value == TYPE_SET
               ? log_set_or_empty(l, pre, ir_local(l->f, local), facts_add_text(l, ast->kid[0]))
               : value_of(pre, ir_local(l->f, local));
}

// A key or value that the dictionary keeps.
static Value entry_part(Lower *l, const Ast *ast)
{
    const Value v = lower_value(l, ast);
    return ast->type == TYPE_POSITION ? value_lasting_position(l, v) : v;
}

static Ir *entry_assignment(Lower *l, const Ast *ast)
{
    const Variable *d = ast->variable;
    Value key = entry_part(l, ast->kid[0]), value = entry_part(l, ast->kid[1]);
    Ir *pre = value_join(l, &key, &value);
    const IrCall call =
        call_for(d->value, IR_CALL_dict_put_int, IR_CALL_dict_put_set, IR_CALL_dict_put_string);
    Ir *put = ir_call(l->arena, call, 2, dictionary_number(l, d), value.val);
    return ir_all(3, pre, set_key(l, d, key.val), put);
}

static Value dictionary_size(Lower *l, const Ast *ast)
{
    return value_in_local(
        l, value_of(NULL, ir_call(l->arena, IR_CALL_dict_size, 1, dictionary_number(l, ast->variable))));
}

static Ir *empty_value(Lower *l, Type type)
{
    return type == TYPE_SET      ? ir_set(l->arena, 0)
           : type == TYPE_STRING ? ir_string(l->m, "")
                                 : ir_int(l->arena, 0);
}

// Goes from key to the next greater key, so that the body may add and remove entries.
static Ir *dictionary_loop(Lower *l, const Ast *ast)
{
    const Variable *v = ast->variable, *d = ast->variable2;
    const int key = ir_named_local(l->f, value_type(d->key), "key"),
              first = ir_named_local(l->f, IRT_INT, "first");
    const IrCall call =
        call_for(d->key, IR_CALL_dict_next_int, IR_CALL_dict_next_set, IR_CALL_dict_next_string);
    Ir *next = ir_call_out(l->arena, call, key, 2, dictionary_number(l, d), ir_local(l->f, first));
    Ir *bind = variable_bind(l, v, ir_local(l->f, key));
    Ir *body = ir_always(bound_body(l, v, ast->kid[0]));
    Ir *round = ir_all(4, ir_let_int(l->f, first, 0), bind, body, variable_unbind(l, v));
    Ir *unbound = variable_require_unbound(l, v);
    return ir_all(4, unbound, ir_let(key, empty_value(l, d->key)), ir_let_int(l->f, first, 1),
                  ir_while(next, round));
}

// ---- bound or not -----------------------------------------------------------------------------------------

static Ir *is_bound_condition(Lower *l, const Ast *ast)
{
    const Variable *v = ast->variable;
    if (v == NULL || v->kind == VARIABLE_FUNCTION)
        return ir_bool(l->arena, false);
    if (v->kind == VARIABLE_DICTIONARY || v->hidden)
        return ir_bool(l->arena, true);
    return variable_is_bound(l, v);
}

static Ir *is_unbound_condition(Lower *l, const Ast *ast)
{
    return ir_not(is_bound_condition(l, ast));
}

static Ir *unbind_condition(Lower *l, const Ast *ast)
{
    const Variable *v = ast->variable;
    if (v->kind != VARIABLE_DICTIONARY)
        return v->hidden ? ir_bool(l->arena, true) : variable_unbind(l, v);
    if (ast->kid_count == 0)
        return ir_call(l->arena, IR_CALL_dict_clear, 1, dictionary_number(l, v));
    return ir_and(entry_key(l, ast), ir_call(l->arena, IR_CALL_dict_remove, 1, dictionary_number(l, v)));
}

// ---- pieces and calls -------------------------------------------------------------------------------------

static Value piece_id(Lower *l, const Ast *ast)
{
    const Ast *operand = ast->kid[0];
    if (operand->op == OP_VARIABLE && operand->variable->kind == VARIABLE_PIECE &&
        !(operand->flags & AST_PAREN)) {
        Ir *pre = variable_require_bound(l, operand->variable);
        return value_of(pre, variable_read(l, operand->variable));
    }
    return piece_number_of(l, operand, false);
}

static Value call_value(Lower *l, const Ast *ast)
{
    Ir *arguments = lower_conditions(l, ast, ast->kid_count - 1);
    const Value body = lower_value(l, ast->kid[ast->kid_count - 1]);
    Ir *pre = ir_and(arguments, body.pre);
    return ast->type == TYPE_SET ? log_set_or_empty(l, pre, body.val, facts_add_text(l, ast))
                                 : value_of(pre, body.val);
}

// ---- the family -------------------------------------------------------------------------------------------

static Ir *call_condition(Lower *l, const Ast *ast)
{
    return ir_or_true(l->arena, lower_conditions(l, ast, ast->kid_count));
}

const Lowering lowering_names[OP_COUNT_] = {
    [OP_VARIABLE] = {variable_value},
    [OP_ASSIGN] = {NULL, assignment},
    [OP_PIECE_ASSIGN] = {NULL, piece_assignment},
    [OP_INDEX_ASSIGN] = {NULL, index_assignment},
    [OP_SLICE_ASSIGN] = {NULL, slice_assignment},
    [OP_SET_LOOP] = {set_loop_value, set_loop_condition},
    [OP_DICTIONARY] = {NULL, lower_true},
    [OP_ENTRY] = {entry_value, entry_exists},
    [OP_ENTRY_ASSIGN] = {NULL, entry_assignment},
    [OP_DICTIONARY_LOOP] = {NULL, dictionary_loop},
    [OP_COUNT_DICTIONARY] = {dictionary_size},
    [OP_ISBOUND] = {NULL, is_bound_condition},
    [OP_ISUNBOUND] = {NULL, is_unbound_condition},
    [OP_UNBIND] = {NULL, unbind_condition},
    [OP_PIECEID] = {piece_id},
    [OP_CALL] = {call_value, call_condition},
};
