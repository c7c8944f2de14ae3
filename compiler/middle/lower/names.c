// Variables, assignments, loops over squares and pieces, calls, dictionaries (language reference 7.1
// - 7.8, 7.13).
#include "internal.h"

#include "compiler/language/signs.h"

// ---- reading ----------------------------------------------------------------------------------------------

static IrType cell_type(VariableKind kind)
{
    switch (kind) {
    case VARIABLE_SET:
        return IRT_SET;
    case VARIABLE_STRING:
        return IRT_STRING;
    case VARIABLE_POSITION:
        return IRT_POSITION;
    default:
        return IRT_INT;
    }
}

static bool in_local(const Lower *l, const Variable *v)
{
    return l->loop_local[v->number] >= 0 && l->loop_function[v->number] == l->f;
}

// What the variable's cell holds: for a piece variable the number of the piece.
static Ir *cell(Lower *l, const Variable *v)
{
    if (!in_local(l, v))
        return ir_slot(l->arena, cell_type(v->kind), variable_slot(l, v));
    Ir *local = ir_local(l->f, l->loop_local[v->number]);
    return v->kind == VARIABLE_SET ? ir_bit(local) : local;
}

static Ir *piece_place(Lower *l, const Variable *v)
{
    return ir_bit(ir_call(l->arena, IR_CALL_piece_square, 2, ir_current(l->arena), cell(l, v)));
}

static Value variable_value(Lower *l, const Variable *v)
{
    Ir *pre = require_bound(l, v);
    return value_of(pre, v->kind == VARIABLE_PIECE ? piece_place(l, v) : cell(l, v));
}

// ---- assignment -------------------------------------------------------------------------------------------

// Stores the value and binds the variable.
static Ir *bind(Lower *l, const Variable *v, Ir *value)
{
    if (v->persistent && v->kind == VARIABLE_STRING)
        value = ir_call(l->arena, IR_CALL_keep, 1, value);
    Ir *store = ir_store(variable_slot(l, v), value);
    const bool known =
        v->hidden || l->bound[v->number] || (v->persistent && !(l->use[v->number] & USE_UNBOUND));
    if (known)
        return store;
    mark_bound(l, v);
    return ir_and(store, ir_store(variable_bound_slot(l, v), ir_int(l->arena, 1)));
}

static Ir *unbind(Lower *l, const Variable *v)
{
    return ir_store(variable_bound_slot(l, v), ir_int(l->arena, 0));
}

// The value of `v op e`.
static Value combined(Lower *l, const Variable *v, int mark, Value e)
{
    Value old = variable_value(l, v);
    const bool divides = mark == PUNCT_DIVIDE_ASSIGN || mark == PUNCT_MODULO_ASSIGN;
    if (divides)
        e = value_hold(l, e);
    Ir *pre = values_join(l, &old, &e);
    if (divides)
        pre = ir_and(pre, ir_nonzero(ir_copy(e.val)));
    switch (mark) {
    case PUNCT_PLUS_ASSIGN:
        if (v->kind == VARIABLE_STRING)
            return value_of(pre, ir_call(l->arena, IR_CALL_concat, 2, old.val, e.val));
        return value_of(pre, ir_add(old.val, e.val));
    case PUNCT_MINUS_ASSIGN:
        return value_of(pre, ir_sub(old.val, e.val));
    case PUNCT_TIMES_ASSIGN:
        return value_of(pre, ir_mul(old.val, e.val));
    case PUNCT_DIVIDE_ASSIGN:
        return value_of(pre, ir_binary(IR_DIV, old.val, e.val));
    case PUNCT_MODULO_ASSIGN:
        return value_of(pre, ir_binary(IR_MOD, old.val, e.val));
    case PUNCT_UNION_ASSIGN:
        return value_of(pre, ir_set_or(old.val, e.val));
    default:
        return value_of(pre, ir_set_and(old.val, e.val));
    }
}

static Ir *assignment(Lower *l, const Ast *ast)
{
    const Variable *v = ast->variable;
    Value value = lower_value(l, ast->kid[0]);
    if (ast->number == PUNCT_SET_ASSIGN) {
        value = value_hold(l, value);
        value.pre = ir_and(value.pre, ir_any(ir_copy(value.val)));
    } else if (ast->number != PUNCT_ASSIGN) {
        value = combined(l, v, ast->number, value);
    }
    return ir_and(value.pre, bind(l, v, value.val));
}

// The number of the piece on the only square of a set; no value without such a square or piece.
static Value piece_number_of(Lower *l, const Ast *set)
{
    const Value s = value_hold(l, lower_value(l, set));
    Ir *one = ir_with_int(IR_EQ, ir_count(ir_copy(s.val)), 1);
    const int piece = ir_new_local(l->f, IRT_INT);
    Ir *found = ir_call(l->arena, IR_CALL_piece_number, 2, ir_current(l->arena), ir_first(s.val));
    return value_of(ir_all(4, s.pre, one, ir_let(piece, found), ir_with_int(IR_GE, ir_local(l->f, piece), 0)),
                    ir_local(l->f, piece));
}

static Ir *piece_assignment(Lower *l, const Ast *ast)
{
    const Value piece = piece_number_of(l, ast->kid[0]);
    return ir_and(piece.pre, bind(l, ast->variable, piece.val));
}

// ---- parts of strings -------------------------------------------------------------------------------------

static Ir *index_assignment(Lower *l, const Ast *ast)
{
    const Variable *v = ast->variable;
    Value part[2] = {lower_value(l, ast->kid[0]), lower_value(l, ast->kid[1])};
    Ir *pre = values_join_all(l, part, 2);
    Ir *bound = require_bound(l, v);
    const int result = ir_new_local(l->f, IRT_STRING);
    Ir *replace =
        ir_call_out(l->arena, IR_CALL_replace_index, result, 3, cell(l, v), part[0].val, part[1].val);
    return ir_all(4, pre, bound, replace, bind(l, v, ir_local(l->f, result)));
}

static Value slice_bound(Lower *l, const Ast *bound)
{
    return bound != NULL ? lower_value(l, bound) : value_of(NULL, ir_int(l->arena, 0));
}

static Ir *slice_assignment(Lower *l, const Ast *ast)
{
    const Variable *v = ast->variable;
    Value part[3] = {slice_bound(l, ast->kid_left), slice_bound(l, ast->kid_right),
                     lower_value(l, ast->kid[0])};
    const int missing = (ast->kid_left == NULL) | (ast->kid_right == NULL) << 1;
    Ir *pre = values_join_all(l, part, 3);
    Ir *bound = require_bound(l, v);
    Ir *replaced = ir_call(l->arena, IR_CALL_replace_slice, 5, cell(l, v), part[0].val, part[1].val,
                           ir_int(l->arena, missing), part[2].val);
    return ir_all(3, pre, bound, bind(l, v, replaced));
}

// ---- loops over squares and pieces ------------------------------------------------------------------------

static bool has_functions(const Ast *node, void *user)
{
    (void)user;
    return node->op == OP_PATH || node->op == OP_LINE || node->op == OP_REPEAT;
}

// A variable that nothing but this loop can see may live in a local.
static bool may_be_local(const Lower *l, const Ast *loop)
{
    return l->use[loop->variable->number] == USE_LOOP && !ast_contains(loop->kid[1], has_functions, NULL);
}

// One round with the variable in its cell: refuses a bound variable, binds it, evaluates the body, unbinds
// it.
static Ir *round_in_cell(Lower *l, const Variable *v, Ir *value, Ir *body)
{
    Ir *is_bound = ir_nonzero(ir_slot(l->arena, IRT_INT, variable_bound_slot(l, v)));
    Ir *refuse = ir_or(ir_not(is_bound), raise_error(l, RAISE_BOUND, v->name));
    Ir *begin = ir_all(3, refuse, ir_store(variable_slot(l, v), value),
                       ir_store(variable_bound_slot(l, v), ir_int(l->arena, 1)));
    if (ir_always_true(body))
        return ir_all(3, begin, body, unbind(l, v));
    Ir *failed = ir_and(unbind(l, v), ir_bool(l->arena, false));
    return ir_and(begin, ir_or(ir_and(body, unbind(l, v)), failed));
}

static Ir *bound_body(Lower *l, const Ast *ast)
{
    uint8_t *saved = bound_save(l);
    if (!(l->use[ast->variable->number] & USE_UNBOUND))
        l->bound[ast->variable->number] = 1;
    Ir *body = lower_condition_clean(l, ast->kid[1]);
    bound_restore(l, saved);
    return body;
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
    if (may_be_local(l, ast)) {
        l->loop_local[v->number] = local;
        l->loop_function[v->number] = l->f;
        Ir *body = lower_condition_clean(l, ast->kid[1]);
        l->loop_local[v->number] = -1;
        return ir_or_true(l->arena, ir_and(find_piece, body));
    }
    Ir *value = pieces ? ir_local(l->f, local) : ir_bit(ir_local(l->f, square));
    return ir_and(find_piece, round_in_cell(l, v, value, bound_body(l, ast)));
}

static Ir *square_loop(Lower *l, const Ast *ast, Value set, int square, Ir *body, IrMode mode)
{
    Ir *squares = ast->flags & AST_PIECES ? ir_set_and(set.val, ir_board(l->arena, BOARD_OCCUPIED)) : set.val;
    return ir_and(set.pre, ir_each_square(squares, square, body, mode));
}

static Value set_loop_value(Lower *l, const Ast *ast)
{
    const Value set = lower_value(l, ast->kid[0]);
    const int square = ir_new_local(l->f, IRT_INT), found = ir_new_local(l->f, IRT_SET);
    Ir *add = ir_let(found, ir_set_or(ir_local(l->f, found), ir_bit(ir_local(l->f, square))));
    Ir *body = ir_always(ir_and(round_of(l, ast, square), add));
    Ir *loop = square_loop(l, ast, set, square, body, MODE_EACH);
    return value_of(ir_and(ir_let(found, ir_set(l->arena, 0)), loop), ir_local(l->f, found));
}

static Ir *set_loop_condition(Lower *l, const Ast *ast)
{
    const bool all = (ast->flags & AST_ALL) != 0;
    // Every square is visited when that can be noticed.
    if (!all && has_side_effects(ast->kid[1]))
        return condition_of(l, set_loop_value(l, ast), TYPE_SET);
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

// Evaluates the key and puts it into the key register.
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
    const int local = ir_new_local(l->f, ir_type_of(d->value));
    Ir *get = ir_call_out(l->arena, call, local, 1, dictionary_number(l, d));
    Ir *pre = ir_and(entry_key(l, ast), get);
    return d->value == TYPE_SET ? set_or_empty(l, pre, ir_local(l->f, local), adds_text(l, ast->kid[0]))
                                : value_of(pre, ir_local(l->f, local));
}

static Ir *entry_assignment(Lower *l, const Ast *ast)
{
    const Variable *d = ast->variable;
    Value key = lower_value(l, ast->kid[0]), value = lower_value(l, ast->kid[1]);
    Ir *pre = values_join(l, &key, &value);
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
    const int key = ir_new_local(l->f, ir_type_of(d->key)), first = ir_new_local(l->f, IRT_INT);
    const IrCall call =
        call_for(d->key, IR_CALL_dict_next_int, IR_CALL_dict_next_set, IR_CALL_dict_next_string);
    Ir *next = ir_call_out(l->arena, call, key, 2, dictionary_number(l, d), ir_local(l->f, first));
    uint8_t *saved = bound_save(l);
    if (!(l->use[v->number] & USE_UNBOUND))
        l->bound[v->number] = 1;
    Ir *body = ir_always(lower_condition_clean(l, ast->kid[0]));
    bound_restore(l, saved);
    Ir *store = ir_and(ir_store(variable_slot(l, v), ir_local(l->f, key)),
                       ir_store(variable_bound_slot(l, v), ir_int(l->arena, 1)));
    Ir *round = ir_all(4, ir_let_int(l->f, first, 0), store, body, unbind(l, v));
    Ir *is_bound = ir_nonzero(ir_slot(l->arena, IRT_INT, variable_bound_slot(l, v)));
    Ir *refuse = ir_or(ir_not(is_bound), raise_error(l, RAISE_BOUND, v->name));
    return ir_all(4, refuse, ir_let(key, empty_value(l, d->key)), ir_let_int(l->f, first, 1),
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
    return ir_nonzero(ir_slot(l->arena, IRT_INT, variable_bound_slot(l, v)));
}

static Ir *unbind_condition(Lower *l, const Ast *ast)
{
    const Variable *v = ast->variable;
    if (v->kind != VARIABLE_DICTIONARY)
        return v->hidden ? ir_bool(l->arena, true) : unbind(l, v);
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
        Ir *pre = require_bound(l, operand->variable);
        return value_of(pre, cell(l, operand->variable));
    }
    return piece_number_of(l, operand);
}

static Ir *call_arguments(Lower *l, const Ast *ast)
{
    Ir *all = NULL;
    for (int i = 0; i < ast->kid_count - 1; i++)
        all = ir_and(all, lower_condition(l, ast->kid[i]));
    return all;
}

static Value call_value(Lower *l, const Ast *ast)
{
    Ir *arguments = call_arguments(l, ast);
    const Value body = lower_value(l, ast->kid[ast->kid_count - 1]);
    Ir *pre = ir_and(arguments, body.pre);
    return ast->type == TYPE_SET ? set_or_empty(l, pre, body.val, adds_text(l, ast))
                                 : value_of(pre, body.val);
}

// ---- the family -------------------------------------------------------------------------------------------

Ir *lower_names_condition(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_ASSIGN:
        return assignment(l, ast);
    case OP_PIECE_ASSIGN:
        return piece_assignment(l, ast);
    case OP_INDEX_ASSIGN:
        return index_assignment(l, ast);
    case OP_SLICE_ASSIGN:
        return slice_assignment(l, ast);
    case OP_SET_LOOP:
        return set_loop_condition(l, ast);
    case OP_DICTIONARY:
        return ir_bool(l->arena, true);
    case OP_ENTRY:
        return entry_exists(l, ast);
    case OP_ENTRY_ASSIGN:
        return entry_assignment(l, ast);
    case OP_DICTIONARY_LOOP:
        return dictionary_loop(l, ast);
    case OP_ISBOUND:
        return is_bound_condition(l, ast);
    case OP_ISUNBOUND:
        return ir_not(is_bound_condition(l, ast));
    case OP_UNBIND:
        return unbind_condition(l, ast);
    case OP_CALL:
        return ir_or_true(l->arena,
                          ir_and(call_arguments(l, ast), lower_condition(l, ast->kid[ast->kid_count - 1])));
    default:
        return condition_of(l, lower_names_value(l, ast), ast->type);
    }
}

Value lower_names_value(Lower *l, const Ast *ast)
{
    switch (ast->op) {
    case OP_VARIABLE:
        return variable_value(l, ast->variable);
    case OP_SET_LOOP:
        return set_loop_value(l, ast);
    case OP_ENTRY:
        return entry_value(l, ast);
    case OP_COUNT_DICTIONARY:
        return dictionary_size(l, ast);
    case OP_PIECEID:
        return piece_id(l, ast);
    case OP_CALL:
        return call_value(l, ast);
    default:
        lower_error(l, ast, "`%s` cannot be lowered for its value", op_info[ast->op].name);
        return value_of(ir_bool(l->arena, false), ir_int(l->arena, 0));
    }
}
