// The game tree (language reference 6): numbers of a position, other positions, comparison, where a position is,
// comments and glyphs of the input.
#include "internal.h"

// ---- numbers ----------------------------------------------------------------------------------------------

static Ir *current_field(Lower *l, int field)
{
    return ir_node(field, ir_current(l->arena));
}

// (ply + b) / 2 + 1; b is 1 when Black began: ply and side to move differ in parity.
static Value move_number(Lower *l, const Ast *ast)
{
    (void)ast;
    Ir *black_began = ir_with_int(IR_AND_BITS, ir_add(current_field(l, IR_NODE_PLY), ir_side(l->arena)), 1),
       *pre = NULL;
    if (value_is_of_game(l, ir_current(l->arena)) != NULL) { // the side to move may have been changed
        const int side = ir_new_local(l->f, IRT_INT);
        pre = ir_at(ir_position_of(ir_int(l->arena, 0)), ir_let(side, ir_side(l->arena)));
        black_began = ir_local(l->f, side);
    }
    return value_of(
        pre, ir_with_int(IR_ADD, ir_shift_right(ir_add(current_field(l, IR_NODE_PLY), black_began), 1), 1));
}

// ---- other positions --------------------------------------------------------------------------------------

// The current position is not imaginary (13.17).
static Ir *is_of_game(Lower *l)
{
    return value_is_of_game(l, ir_current(l->arena));
}

// A field of the current node that may be -1. Imaginary positions have no family.
static Value link(Lower *l, int field)
{
    return value_of(ir_and(is_of_game(l), ir_with_int(IR_GE, current_field(l, field), 0)),
                    ir_position_of(current_field(l, field)));
}

static Value parent(Lower *l, const Ast *ast)
{
    (void)ast;
    return link(l, IR_NODE_PARENT);
}

static Value child(Lower *l, const Ast *ast)
{
    if (ast->kid_count == 0 || (ast->kid[0]->op == OP_NUMBER && ast->kid[0]->number == 0))
        return link(l, IR_NODE_FIRST_CHILD);
    const Value index = lower_value(l, ast->kid[0]);
    const int at = ir_new_local(l->f, IRT_POSITION), left = ir_named_local(l->f, IRT_INT, "left");
    Ir *begin = ir_and(ir_let(left, index.val), ir_let(at, current_field(l, IR_NODE_FIRST_CHILD)));
    Ir *more = ir_and(ir_with_int(IR_GT, ir_local(l->f, left), 0), ir_with_int(IR_GE, ir_local(l->f, at), 0));
    Ir *next = ir_let(at, ir_node(IR_NODE_NEXT_SIBLING, ir_position_of(ir_local(l->f, at))));
    Ir *step = ir_and(next, ir_let(left, ir_with_int(IR_SUB, ir_local(l->f, left), 1)));
    Ir *exists =
        ir_and(ir_with_int(IR_EQ, ir_local(l->f, left), 0), ir_with_int(IR_GE, ir_local(l->f, at), 0));
    return value_of(ir_all(4, index.pre, begin, ir_while(more, step), exists), ir_local(l->f, at));
}

static Value numbered_position(Lower *l, const Ast *ast)
{
    const Value id = value_hold(l, lower_value(l, ast->kid[0]));
    Ir *exists =
        ir_and(ir_with_int(IR_GE, id.val, 0), ir_lt(ir_copy(id.val), ir_game(l->arena, IR_GAME_COUNT)));
    return value_of(ir_all(3, is_of_game(l), id.pre, exists), ir_position_of(ir_copy(id.val)));
}

// ---- evaluating elsewhere ---------------------------------------------------------------------------------

// The second operand at the position of the first one: into the local, or (-1) as a condition.
static Ir *at_position(Lower *l, const Ast *ast, int local)
{
    const Value p = lower_value(l, ast->kid[0]);
    Ir *there = local < 0 ? lower_condition(l, ast->kid[1]) : lower_into(l, ast->kid[1], local);
    return ir_and(p.pre, ir_at(p.val, there));
}

static Ir *at_condition(Lower *l, const Ast *ast)
{
    return at_position(l, ast, -1);
}

static Value at_value(Lower *l, const Ast *ast)
{
    const int local = ir_new_local(l->f, value_type(ast->type));
    Ir *pre = at_position(l, ast, local);
    if (ast->type == TYPE_SET && !ir_always_true(pre)) { // empty without a position
        Ir *found = ir_always(log_rollback(l, pre, facts_add_text(l, ast->kid[0])));
        pre = ir_and(ir_let(local, ir_set(l->arena, 0)), found);
    }
    return value_of(pre, ir_local(l->f, local));
}

// ---- comparison -------------------------------------------------------------------------------------------

enum { DESCENDANT = 1, OR_EQUAL = 2 }; // Lowering.number

static Value family_relation(Lower *l, const Ast *ast)
{
    const int number = lower_number(l, ast);
    const bool equal = (number & OR_EQUAL) != 0;
    Value a = value_hold(l, lower_value(l, ast->kid[0])), b = value_hold(l, lower_value(l, ast->kid[1]));
    Ir *pre = value_join(l, &a, &b);
    Ir *test =
        number & DESCENDANT ? value_is_ancestor(b.val, a.val, equal) : value_is_ancestor(a.val, b.val, equal);
    return value_of(ir_and(pre, test), ir_copy(a.val));
}

static Ir *family_condition(Lower *l, const Ast *ast)
{
    return ir_and(is_of_game(l), family_relation(l, ast).pre);
}

// The two positions of a filter that has no value unless they and the current one are of the game.
static Ir *two_of_game(Lower *l, const Ast *ast, Value *a, Value *b)
{
    *a = value_hold(l, lower_value(l, ast->kid[0]));
    *b = value_hold(l, lower_value(l, ast->kid[1]));
    Ir *pre = value_join(l, a, b);
    return ir_all(4, is_of_game(l), pre, value_is_of_game(l, ir_copy(a->val)),
                  value_is_of_game(l, ir_copy(b->val)));
}

static Value common_ancestor(Lower *l, const Ast *ast)
{
    Value a, b;
    Ir *pre = two_of_game(l, ast, &a, &b);
    return value_of(pre, ir_call(l->arena, IR_CALL_lca, 2, a.val, b.val));
}

static Value distance(Lower *l, const Ast *ast)
{
    Value a, b;
    Ir *pre = two_of_game(l, ast, &a, &b);
    Ir *both = ir_add(ir_node(IR_NODE_PLY, a.val), ir_node(IR_NODE_PLY, b.val));
    Ir *common = ir_call(l->arena, IR_CALL_lca, 2, ir_copy(a.val), ir_copy(b.val));
    Ir *twice = ir_with_int(IR_MUL, ir_node(IR_NODE_PLY, common), 2);
    return value_of(pre, ir_sub(both, twice));
}

static Value same_contents(Lower *l, const Ast *ast)
{
    const Value v = lower_call(l, ast, IR_CALL_same_contents);
    return log_set_or_empty(l, v.pre, v.val, facts_add_text(l, ast));
}

// ---- comments of the input --------------------------------------------------------------------------------

static Value original_comment(Lower *l, const Ast *ast)
{
    (void)ast;
    return value_out(l, NULL, ir_call(l->arena, IR_CALL_original_comment, 0));
}

static Ir *comment_condition(Lower *l, const Ast *ast)
{
    if (ast->number > 0)
        return ir_call(l->arena, IR_CALL_has_nag, 1, ir_int(l->arena, ast->number));
    if (ast->text != NULL && ast->type == TYPE_BOOL)
        return ir_call(l->arena, IR_CALL_comment_contains, 1, value_literal(l, ast));
    return original_comment(l, ast).pre;
}

// ---- the family -------------------------------------------------------------------------------------------

static Value position_id(Lower *l, const Ast *ast)
{
    (void)ast;
    return value_of(is_of_game(l), ir_int_of(ir_current(l->arena)));
}

static Value field(Lower *l, const Ast *ast)
{
    return value_of(NULL, current_field(l, lower_number(l, ast)));
}

static Value current_position(Lower *l, const Ast *ast)
{
    (void)ast;
    return value_of(NULL, ir_current(l->arena));
}

static Value root(Lower *l, const Ast *ast)
{
    (void)ast;
    return value_of(NULL, ir_position_of(ir_int(l->arena, 0)));
}

static Value is_try(Lower *l, const Ast *ast)
{
    (void)ast;
    return value_of(ir_call(l->arena, IR_CALL_is_try, 1, ir_current(l->arena)), ir_int(l->arena, 1));
}

static Ir *initial(Lower *l, const Ast *ast)
{
    (void)ast;
    return ir_with_int(IR_EQ, ir_int_of(ir_current(l->arena)), 0);
}

// A field of the current node compared with 0.
static Ir *field_condition(Lower *l, const Ast *ast)
{
    const int number = lower_number(l, ast);
    return ir_with_int((IrOp)(number & 0xff), current_field(l, number >> 8), 0);
}
#define COMPARED(field, op) (IR_NODE_##field << 8 | (op))

static Ir *virtual_mainline(Lower *l, const Ast *ast)
{
    (void)ast;
    return ir_call(l->arena, IR_CALL_virtual_mainline, 1, ir_current(l->arena));
}

const Lowering lowering_tree[OP_COUNT_] = {
    [OP_AT] = {at_value, at_condition, .outside_dash = true},
    [OP_ANCESTOR] = {family_relation, NULL, 0},
    [OP_ANCESTOR_EQ] = {family_relation, NULL, OR_EQUAL},
    [OP_DESCENDANT] = {family_relation, NULL, DESCENDANT},
    [OP_DESCENDANT_EQ] = {family_relation, NULL, DESCENDANT | OR_EQUAL},
    [OP_IS_ANCESTOR] = {NULL, family_condition, 0},
    [OP_IS_DESCENDANT] = {NULL, family_condition, DESCENDANT},
    [OP_POSITION_INTERSECT] = {same_contents},
    [OP_POSITIONID] = {position_id},
    [OP_PLY] = {field, NULL, IR_NODE_PLY},
    [OP_DEPTH] = {field, NULL, IR_NODE_DEPTH},
    [OP_MOVENUMBER] = {move_number},
    [OP_CURRENTPOSITION] = {current_position},
    [OP_PARENT] = {parent},
    [OP_CHILD] = {child, .outside_dash = true},
    [OP_POSITION] = {numbered_position, .outside_dash = true},
    [OP_INITIALPOSITION] = {root},
    [OP_LCA] = {common_ancestor},
    [OP_DISTANCE] = {distance},
    [OP_TRY] = {is_try},
    [OP_INITIAL] = {NULL, initial},
    [OP_TERMINAL] = {NULL, field_condition, COMPARED(FIRST_CHILD, IR_LT)},
    [OP_MAINLINE] = {NULL, field_condition, COMPARED(DEPTH, IR_EQ)},
    [OP_VARIATION] = {NULL, field_condition, COMPARED(DEPTH, IR_GT)},
    [OP_VIRTUALMAINLINE] = {NULL, virtual_mainline},
    [OP_EXTENSION] = {NULL, lower_false},
    [OP_ORIGINALCOMMENT] = {original_comment, comment_condition},
};
