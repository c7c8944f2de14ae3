// Values and conditions of one position of a main line, as trees that need nothing but boards, the move that led there and
// constants of the game. In a main line, a positionid is a ply.
#include "internal.h"

#include <string.h>

static Ir *ply(Arena *a, int before)
{
    Ir *ply = ir_node(IR_NODE_PLY, ir_current(a));
    return before == 0 ? ply : ir_with_int(IR_ADD, ply, -before); // -1: the next one
}

static Ir *line_count(Arena *a)
{
    return ir_game(a, IR_GAME_COUNT);
}

bool screen_charge(Search *s, const Ir *tree)
{
    enum { COPY_WORK = 8 };
    if (tree == NULL || s->work < 0)
        return false;
    s->work -= COPY_WORK * ir_noted_size(tree);
    return true;
}

static bool is_near(int at)
{
    return at == HERE || at == BEFORE;
}

// ---- positions --------------------------------------------------------------------------------------------

int translate_position(const Frame *f, const Ir *tree)
{
    const Meaning *m;
    switch ((IrOp)tree->op) {
    case IR_CURRENT:
        return f->at;
    case IR_LOCAL:
        m = meanings_get(&f->local, tree->number);
        return m->kind == MEANS_POSITION ? m->before : ELSEWHERE;
    case IR_SLOT:
        m = meanings_get(&f->slot, tree->number);
        return m->kind == MEANS_POSITION ? m->before : ELSEWHERE;
    case IR_POSITION_OF:
    case IR_INT_OF:
        return translate_position(f, tree->kid[0]);
    case IR_NODE: {
        const int at = translate_position(f, tree->kid[0]);
        if (tree->number == IR_NODE_PARENT && at == HERE)
            return BEFORE;
        if (tree->number == IR_NODE_FIRST_CHILD && is_near(at))
            return at == HERE ? NEXT : HERE;
        return ELSEWHERE;
    }
    default:
        return ELSEWHERE;
    }
}

// ---- numbers ----------------------------------------------------------------------------------------------

static int64_t bound_of(Search *s, const Ir *tree);

static int64_t operand_bound(Search *s, const Ir *tree, int kid)
{
    return kid < tree->kid_count && tree->kid[kid]->type == IRT_INT ? bound_of(s, tree->kid[kid]) : 0;
}

static int64_t new_bound(Search *s, const Ir *tree)
{
    enum { MOST_PLIES = 1 << 16 };
    const int64_t a = operand_bound(s, tree, 0), b = operand_bound(s, tree, 1);
    switch ((IrOp)tree->op) {
    case IR_INT:
        return tree->number < 0 ? -(int64_t)tree->number : tree->number;
    case IR_COUNT:
        return 64;
    case IR_ADD:
    case IR_SUB:
        return a + b;
    case IR_MUL:
        return a * b;
    case IR_CHOOSE: {
        const int64_t c = operand_bound(s, tree, 2);
        return b > c ? b : c;
    }
    default:
        return MOST_PLIES;
    }
}

// A bound for the absolute value of a translated number, at most LARGE: lanes do not wrap as numbers of the query do.
static int64_t bound_of(Search *s, const Ir *tree)
{
    enum { LARGE = INT32_MAX };
    if (tree->kid_count == 0)
        return new_bound(s, tree);
    const uint64_t *noted = node_note(&s->bounds, tree);
    if (noted != NULL)
        return (int64_t)*noted;
    int64_t bound = new_bound(s, tree);
    bound = bound < LARGE ? bound : LARGE;
    node_note_set(&s->bounds, tree, (uint64_t)bound);
    return bound;
}

static const Ir *without_conversion(const Ir *tree)
{
    return tree->op == IR_INT_OF || tree->op == IR_POSITION_OF ? tree->kid[0] : tree;
}

// `first_child >= 0` and `first_child < 0`: whether the line goes on.
static Ir *goes_on(Frame *f, const Ir *tree)
{
    const Ir *child = without_conversion(tree->kid[0]), *zero = tree->kid[1];
    if ((tree->op != IR_GE && tree->op != IR_LT) || child->op != IR_NODE ||
        child->number != IR_NODE_FIRST_CHILD || zero->op != IR_INT || zero->number != 0)
        return NULL;
    Arena *a = f->search->arena;
    const int at = translate_position(f, child->kid[0]);
    if (at != HERE)
        return at == BEFORE ? ir_bool(a, tree->op == IR_GE) : NULL;
    Ir *next = ply(a, -1);
    return tree->op == IR_GE ? ir_lt(next, line_count(a)) : ir_eq(line_count(a), next);
}

static bool may_be_negative(const Ir *number)
{
    if (number->op == IR_SUB || (number->op == IR_INT && number->number < 0))
        return true;
    for (int i = 0; i < number->kid_count; i++)
        if (number->kid[i]->type == IRT_INT && may_be_negative(number->kid[i]))
            return true;
    return false;
}

static Ir *if_small(Search *s, Ir *number)
{
    const bool is_wrong = number->op == IR_SHIFT_RIGHT && may_be_negative(number->kid[0]);
    return !is_wrong && bound_of(s, number) < INT32_MAX ? number : NULL;
}

static Ir *node_field(Frame *f, const Ir *tree)
{
    Arena *a = f->search->arena;
    const int at = translate_position(f, tree->kid[0]);
    if (!is_near(at))
        return tree->number == IR_NODE_LAST  ? ir_with_int(IR_ADD, line_count(a), -1)
               : tree->number == IR_NODE_PLY ? translate(f, tree->kid[0])
                                             : NULL;
    switch (tree->number) {
    case IR_NODE_PLY:
        return ply(a, at);
    case IR_NODE_PARENT:
        return ply(a, at + 1);
    case IR_NODE_LAST:
        return ir_with_int(IR_ADD, line_count(a), -1);
    case IR_NODE_NEXT_SIBLING:
        return ir_int(a, -1);
    case IR_NODE_DEPTH:
    case IR_NODE_INDEX:
        return ir_int(a, 0);
    case IR_NODE_FIRST_CHILD: // of the last position -1
        return at == BEFORE ? ply(a, 0)
                            : ir_choose(ir_lt(ir_with_int(IR_ADD, ply(a, 0), 1), line_count(a)),
                                        ir_with_int(IR_ADD, ply(a, 0), 1), ir_int(a, -1));
    case IR_NODE_PROMOTED:
    case IR_NODE_PIECE:
    case IR_NODE_FLAGS:
        return at == HERE ? ir_node(tree->number, ir_current(a)) : NULL;
    default:
        return NULL;
    }
}

static Ir *position_ply(Arena *a, int at)
{
    return at == ELSEWHERE ? NULL : at == PARTNER ? pair_ply(a) : ply(a, at);
}

static Ir *meaning(Frame *f, const Meaning *m)
{
    if (m->kind == MEANS_POSITION)
        return position_ply(f->search->arena, m->before);
    return m->kind == MEANS_VALUE && screen_charge(f->search, m->value) ? ir_copy(m->value) : NULL;
}

// The set of a square of the move that led here.
static Ir *square_of_move(Frame *f, const Ir *tree)
{
    const Ir *field = tree->kid[0];
    const bool is_square =
        field->op == IR_NODE &&
        (field->number == IR_NODE_FROM || field->number == IR_NODE_TO || field->number == IR_NODE_VICTIM);
    if (!is_square || translate_position(f, field->kid[0]) != HERE)
        return NULL;
    return ir_bit(ir_node(field->number, ir_current(f->search->arena)));
}

// ---- calls ------------------------------------------------------------------------------------------------

static bool is_of_kings(const Ir *set)
{
    return (ir_kinds(set) & ~(1 << WHITE_KING | 1 << BLACK_KING)) == 0;
}

// A tree whose copies have been charged, unless no work was left for them.
static Ir *if_charged(const Frame *f, Ir *tree)
{
    return f->search->work >= 0 ? tree : NULL;
}

static Ir *call(Frame *f, const Ir *tree)
{
    Arena *a = f->search->arena;
    const IrCall number = (IrCall)tree->number;
    Ir *set[3] = {0};
    for (int i = 0; i < tree->kid_count && i < 3; i++)
        if (tree->kid[i]->type == IRT_SET && (set[i] = translate(f, tree->kid[i])) == NULL)
            return NULL;
    switch (number) {
    case IR_CALL_attackers:
        return if_charged(f, attack_attackers(f->search, set[0], ir_kinds(tree->kid[0]), set[1], f->at));
    case IR_CALL_attacked:
        return if_charged(f, attack_attacked(f->search, set[0], ir_kinds(tree->kid[0]), f->at));
    case IR_CALL_connected_pawns:
    case IR_CALL_doubled_pawns:
    case IR_CALL_passed_pawns:
        return attack_pawns(a, number, f->at);
    case IR_CALL_power:
        return attack_power(set[0], f->at);
    case IR_CALL_lca: { // of a main line, the earlier position
        Ir *first = translate(f, tree->kid[0]), *second = translate(f, tree->kid[1]);
        return first != NULL && second != NULL
                   ? ir_choose(ir_lt(first, second), ir_copy(first), ir_copy(second))
                   : NULL;
    }
    case IR_CALL_in_check:
    case IR_CALL_has_legal_move: {
        // Expanded when the side to move is known.
        Ir *copy = ir_call(a, number, 0);
        copy->low = f->at;
        return copy;
    }
    default:
        return NULL;
    }
}

// Some piece is pinned; which one is not known.
static Ir *some_pin(Frame *f, const Ir *set)
{
    if (set->op != IR_CALL || set->number != IR_CALL_pin || !is_of_kings(set->kid[2]))
        return NULL;
    if (!is_near(f->at))
        return NULL;
    Ir *from = translate(f, set->kid[0]), *through = translate(f, set->kid[1]),
       *to = translate(f, set->kid[2]);
    return from && through && to ? attack_pin(from, through, to, f->at) : NULL;
}

// ---- assignments ------------------------------------------------------------------------------------------

// What the operand of a LET or STORE means.
static Meaning assigned(Frame *f, const Ir *value)
{
    if (value->type == IRT_POSITION) {
        const int at = translate_position(f, value);
        if (is_near(at) || at == PARTNER)
            return (Meaning){.kind = MEANS_POSITION, .before = at};
        if (value->op == IR_LOCAL && writes_by_loop(f->search, f->f, value->number))
            return (Meaning){.kind = MEANS_LOCAL, .local = value->number};
    } else if (value->type == IRT_INT || value->type == IRT_SET) {
        Ir *translated = translate(f, value);
        if (translated != NULL)
            return (Meaning){.kind = MEANS_VALUE, .value = translated};
    }
    return (Meaning){.kind = MEANS_NOTHING};
}

// The local of a LET or the slot of a STORE gets what its operand means.
static void assign(Frame *f, const Ir *tree)
{
    Meanings *all = tree->op == IR_LET ? &f->local : &f->slot;
    Arena *a = f->search->arena;
    const Ir *value = tree->kid[0];
    const bool is_copy = value->op == IR_SLOT && meanings_get(&f->slot, value->number)->kind == MEANS_NOTHING;
    meanings_set(a, all, tree->number, (Meaning){.kind = MEANS_NOTHING});
    const Meaning meaning =
        is_copy ? (Meaning){.kind = MEANS_SLOT, .slot = value->number} : assigned(f, value);
    meanings_set(a, all, tree->number, meaning);
}

// ---- trees ------------------------------------------------------------------------------------------------

static Ir *with_kids(Frame *f, const Ir *tree)
{
    Ir *copy = ir_copy_node(f->search->arena, tree);
    for (int i = 0; i < tree->kid_count; i++) {
        Ir *kid = translate(f, tree->kid[i]);
        if (kid == NULL)
            return NULL;
        ir_add_kid(copy, kid);
        if (tree->op != IR_AND) // whose later operands are evaluated only after this one
            writes_forget(f, tree->kid[i]);
    }
    return copy->type == IRT_INT ? if_small(f->search, copy) : copy;
}

static Ir *elsewhere(Frame *f, const Ir *tree)
{
    const int at = translate_position(f, tree->kid[0]);
    if (!is_near(at) && at != PARTNER)
        return NULL;
    Frame there = *f;
    there.at = at;
    Ir *condition = translate(&there, tree->kid[1]);
    if (condition == NULL)
        return NULL;
    f->local = there.local;
    f->slot = there.slot;
    return condition;
}

Ir *translate(Frame *f, const Ir *tree)
{
    if (--f->search->left < 0)
        return NULL;
    switch ((IrOp)tree->op) {
    case IR_LOCAL:
        return meaning(f, meanings_get(&f->local, tree->number));
    case IR_SLOT:
        return meaning(f, meanings_get(&f->slot, tree->number));
    case IR_CURRENT:
        return position_ply(f->search->arena, f->at);
    case IR_BOARD:
        return f->at == ELSEWHERE ? NULL : screen_board(f->search->arena, tree->number, f->at);
    case IR_SIDE: {
        if (!is_near(f->at))
            return NULL;
        Ir *side = ir_side(f->search->arena);
        return f->at == HERE ? side : ir_sub(ir_int(f->search->arena, 1), side);
    }
    case IR_NODE:
        return node_field(f, tree);
    case IR_GAME:
        return tree->number == IR_GAME_COUNT ? line_count(f->search->arena) : NULL;
    case IR_CALL:
        return tree->out < 0 && is_near(f->at) ? call(f, tree) : NULL;
    case IR_PLACE:
        return translate(f, tree->kid[0]);
    case IR_POSITION_OF:
        return tree->kid[0]->type == IRT_INT ? translate(f, tree->kid[0]) : NULL;
    case IR_INT_OF:
        return tree->kid[0]->type == IRT_POSITION ? translate(f, tree->kid[0])
               : tree->kid[0]->type == IRT_BOOL   ? with_kids(f, tree)
                                                  : NULL;
    case IR_ANY: {
        Ir *pin = some_pin(f, tree->kid[0]);
        return pin != NULL ? pin : with_kids(f, tree);
    }
    case IR_BIT: {
        Ir *square = square_of_move(f, tree);
        return square != NULL ? square : with_kids(f, tree);
    }
    case IR_LET:
    case IR_STORE:
        assign(f, tree);
        return ir_bool(f->search->arena, true);
    case IR_AT:
        return elsewhere(f, tree);
    case IR_LT:
    case IR_GE: {
        Ir *last = goes_on(f, tree);
        return last != NULL ? last : with_kids(f, tree);
    }
    case IR_INT:
    case IR_SET:
    case IR_TRUE:
    case IR_FALSE:
    case IR_SET_AND:
    case IR_SET_OR:
    case IR_STEP:
    case IR_CHOOSE:
    case IR_AND:
    case IR_OR:
    case IR_IF:
        return with_kids(f, tree);
    default:
        return ir_op_info[tree->op].lanes != NULL ? with_kids(f, tree) : NULL;
    }
}

// ---- one move earlier -------------------------------------------------------------------------------------

Ir *translate_earlier(const Ir *tree)
{
    Ir *moved;
    switch ((IrOp)tree->op) {
    case IR_BOARD:
        return tree->number < BOARD_COUNT ? screen_board(tree->arena, tree->number, BEFORE) : NULL;
    case IR_SIDE:
        return ir_sub(ir_int(tree->arena, 1), ir_copy(tree));
    case IR_NODE:
        return tree->number == IR_NODE_PLY ? ir_with_int(IR_ADD, ir_copy(tree), -1) : NULL;
    case IR_CALL: // in_check, has_legal_move
        if (tree->low != HERE)
            return NULL;
        moved = ir_copy(tree);
        moved->low = BEFORE;
        return moved;
    default:
        moved = ir_copy_node(tree->arena, tree);
        for (int i = 0; i < tree->kid_count; i++) {
            Ir *kid = translate_earlier(tree->kid[i]);
            if (kid == NULL)
                return NULL;
            ir_add_kid(moved, kid);
        }
        return moved;
    }
}
