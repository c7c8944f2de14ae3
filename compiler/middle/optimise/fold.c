// Constant folding and identities of numbers, conditions and loops. Sets are folded in sets.c.
#include "internal.h"

static bool is_int(const Ir *ir, int32_t value)
{
    return ir->op == IR_INT && ir->number == value;
}

static bool is_true(const Ir *ir)
{
    return ir->op == IR_TRUE;
}

static bool is_false(const Ir *ir)
{
    return ir->op == IR_FALSE;
}

static Ir *constant(const Ir *node, bool value)
{
    return ir_bool(node->arena, value);
}

static Ir *negation(Ir *kid)
{
    return fold_node(ir_not(kid));
}

// ---- numbers ---------------------------------------------------------------------------------------------

static Ir *fold_arithmetic(Ir *node)
{
    Ir *a = node->kid[0], *b = node->kid[1];
    const IrOp op = (IrOp)node->op;
    if ((op == IR_ADD || op == IR_SUB) && is_int(b, 0))
        return a;
    if (op == IR_ADD && is_int(a, 0))
        return b;
    if ((op == IR_MUL || op == IR_DIV) && is_int(b, 1))
        return a;
    if (op == IR_MUL && is_int(a, 1))
        return b;
    return op == IR_ADD || op == IR_SUB ? fold_sum(node) : node;
}

static Ir *fold_conversion(Ir *node)
{
    Ir *kid = node->kid[0];
    const bool to_int = node->op == IR_INT_OF;
    if (to_int && (is_true(kid) || is_false(kid)))
        return ir_int(node->arena, is_true(kid));
    const bool back =
        to_int ? kid->op == IR_POSITION_OF : kid->op == IR_INT_OF && kid->kid[0]->type == IRT_POSITION;
    return back ? kid->kid[0] : node;
}

// ---- comparisons -----------------------------------------------------------------------------------------

static IrOp mirrored(IrOp op)
{
    static const uint8_t mirror[IR_OP_COUNT] = {
        [IR_EQ] = IR_EQ, [IR_NE] = IR_NE, [IR_LT] = IR_GT, [IR_LE] = IR_GE, [IR_GT] = IR_LT, [IR_GE] = IR_LE};
    return (IrOp)mirror[op];
}

// Compares a number of squares with a constant: when 0 to 64 all give the same result, that is the result; when
// only 0 gives another one, it is ANY.
static Ir *fold_count_test(Ir *node)
{
    const IrOp op = (IrOp)node->op;
    const int32_t bound = node->kid[1]->number;
    Ir *set = node->kid[0]->kid[0];
    const bool empty = ir_compare(op, 0, bound);
    bool same = true, others_same = true;
    for (int32_t n = 1; n <= 64; n++) {
        same = same && ir_compare(op, n, bound) == empty;
        others_same = others_same && ir_compare(op, n, bound) != empty;
    }
    if (same && ir_is_droppable(set))
        return constant(node, empty);
    if (!others_same)
        return node;
    Ir *any = fold_node(ir_any(set));
    return empty ? negation(any) : any;
}

static Ir *fold_comparison(Ir *node)
{
    Ir *a = node->kid[0], *b = node->kid[1];
    const IrOp op = (IrOp)node->op;
    if (a->op == IR_INT) {
        Ir *turned = ir_binary(mirrored(op), b, a);
        return fold_comparison(turned);
    }
    if (a->op == IR_COUNT && b->op == IR_INT)
        return fold_count_test(node);
    if (a->op == IR_INT_OF && a->kid[0]->type == IRT_BOOL && is_int(b, 0) && (op == IR_NE || op == IR_EQ))
        return op == IR_NE ? a->kid[0] : negation(a->kid[0]);
    if (ir_equal(a, b) && ir_is_droppable(a))
        return constant(node, ir_compare(op, 0, 0));
    return node;
}

static bool has_kid(const Ir *list, const Ir *kid)
{
    for (int i = 0; i < list->kid_count; i++) {
        if (ir_equal(list->kid[i], kid))
            return true;
    }
    return false;
}

// A set equals a part of itself when it has no squares outside that part.
static Ir *subset_test(Ir *part, Ir *whole)
{
    if (part->op != IR_SET_AND || !ir_is_droppable(part) || !ir_is_droppable(whole))
        return NULL;
    Ir *others = ir_new(part->arena, IR_SET_AND, IRT_SET, 0);
    for (int i = 0; i < part->kid_count; i++) {
        const bool of_whole =
            whole->op == IR_SET_AND ? has_kid(whole, part->kid[i]) : ir_equal(whole, part->kid[i]);
        if (!of_whole)
            ir_add_kid(others, part->kid[i]);
    }
    const int of_whole = whole->op == IR_SET_AND ? whole->kid_count : 1;
    if (others->kid_count != part->kid_count - of_whole || others->kid_count == 0)
        return NULL;
    Ir *limit = others->kid_count == 1 ? others->kid[0] : others;
    Ir *outside = ir_set_not(limit);
    Ir *rest = fold_set(ir_set_and(whole, fold_set(outside)));
    return negation(fold_node(ir_any(rest)));
}

static Ir *fold_set_equality(Ir *node)
{
    Ir *a = node->kid[0], *b = node->kid[1];
    if (ir_equal(a, b) && ir_is_droppable(a))
        return constant(node, true);
    for (int i = 0; i < 2; i++) {
        Ir *other = node->kid[1 - i];
        if (node->kid[i]->op == IR_SET && node->kid[i]->set == 0)
            return negation(fold_node(ir_any(other)));
    }
    Ir *subset = subset_test(a, b);
    if (subset == NULL)
        subset = subset_test(b, a);
    return subset != NULL ? subset : node;
}

// ---- conditions ------------------------------------------------------------------------------------------

// A condition that replaces another one takes its note.
static void pass_note(const Ir *from, Ir *to)
{
    if (from->note != NULL && to->type == IRT_BOOL && to->note == NULL)
        to->note = from->note;
}

// Copies the kids of an AND or OR to `list`, nested ones of the same kind in place. Returns the kid that
// decides the list, which is not copied, or NULL.
static Ir *flatten(const Ir *node, Ir *list)
{
    const bool is_and = list->op == IR_AND;
    for (int i = 0; i < node->kid_count; i++) {
        Ir *kid = node->kid[i];
        if (kid->op == list->op) {
            for (int k = 0; !is_and && k < kid->kid_count; k++)
                pass_note(kid, kid->kid[k]);
            Ir *decided = flatten(kid, list);
            if (decided != NULL)
                return decided;
        } else if (is_and ? is_false(kid) : is_true(kid)) {
            return kid;
        } else if (!(is_and ? is_true(kid) : is_false(kid))) {
            ir_add_kid(list, kid);
        }
    }
    return NULL;
}

// When a FALSE alternative is dropped and the rest ends in FALSE, the rest takes the place of the alternative.
static void keep_place(Ir *folded, int32_t place)
{
    while ((folded->op == IR_AND || folded->op == IR_OR) && folded->kid_count > 0)
        folded = folded->kid[folded->kid_count - 1];
    if (is_false(folded) && folded->number == 0)
        folded->number = place;
}

// Is there nothing to fold?
static bool is_folded(const Ir *list)
{
    for (int i = 0; i < list->kid_count; i++) {
        const int op = list->kid[i]->op;
        if (op == list->op || op == IR_TRUE || op == IR_FALSE)
            return false;
    }
    return list->kid_count > 1;
}

static Ir *fold_junction(Ir *node)
{
    if (is_folded(node))
        return node;
    const bool is_and = node->op == IR_AND;
    Ir *list = ir_new(node->arena, (IrOp)node->op, IRT_BOOL, 0);
    Ir *decided = flatten(node, list);
    if (decided != NULL) {
        // Trailing operands without effects only decide whether evaluation comes this far.
        while (list->kid_count > 0 && ir_is_droppable(list->kid[list->kid_count - 1]))
            list->kid_count--;
        ir_add_kid(list, decided);
    }
    Ir *folded = list->kid_count == 0 ? constant(node, is_and) : list->kid_count == 1 ? list->kid[0] : list;
    if (!is_and && node->kid_count > 0 && is_false(node->kid[0]))
        keep_place(folded, node->kid[0]->number);
    return folded;
}

// Of operands that are all true but the last one, the last one is negated.
static Ir *fold_not_all(Ir *node)
{
    Ir *all = node->kid[0];
    const int last = all->kid_count - 1;
    for (int i = 0; i < last; i++)
        if (!ir_always_true(all->kid[i]))
            return node;
    all->kid[last] = negation(all->kid[last]);
    return all;
}

static Ir *fold_not(Ir *node)
{
    Ir *kid = node->kid[0];
    switch ((IrOp)kid->op) {
    case IR_NOT:
        return kid->kid[0];
    case IR_AND:
        return fold_not_all(node);
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE:
        return ir_binary(ir_opposite((IrOp)kid->op), kid->kid[0], kid->kid[1]);
    default:
        return node;
    }
}

static Ir *fold_if(Ir *node)
{
    Ir *test = node->kid[0], *yes = node->kid[1], *no = node->kid[2];
    if (is_true(test) || is_false(test))
        return is_true(test) ? yes : no;
    if (is_true(yes) && is_false(no))
        return test;
    if (is_false(yes) && is_true(no))
        return negation(test);
    return is_true(yes) && is_true(no) && ir_is_droppable(test) ? yes : node;
}

static Ir *fold_choose(Ir *node)
{
    const Ir *test = node->kid[0];
    if (is_true(test) || is_false(test))
        return is_true(test) ? node->kid[1] : node->kid[2];
    return ir_equal(node->kid[1], node->kid[2]) ? node->kid[1] : node;
}

// ---- loops and places ------------------------------------------------------------------------------------

static Ir *fold_each_square(Ir *node)
{
    const Ir *set = node->kid[0], *body = node->kid[1];
    if (set->op == IR_SET && set->set == 0)
        return constant(node, node->mode != MODE_ANY);
    if (node->mode == MODE_ANY && is_true(body))
        return fold_node(ir_any(node->kid[0]));
    return node;
}

static Ir *fold_each_child(Ir *node)
{
    if (node->mode != MODE_ANY || !is_true(node->kid[1]))
        return node;
    Ir *child = ir_node(IR_NODE_FIRST_CHILD, node->kid[0]);
    return ir_with_int(IR_GE, ir_int_of(child), 0);
}

static Ir *fold_at(Ir *node)
{
    const bool unseen = ir_is_droppable(node->kid[0]) && !ir_does_any(node->kid[1], IR_READS_POSITION);
    return unseen ? node->kid[1] : node;
}

static Ir *fold_place(Ir *node)
{
    Ir *kid = node->kid[0];
    if (is_false(kid))
        kid->number = node->number;
    return is_true(kid) || is_false(kid) ? kid : node;
}

static Ir *fold_always(Ir *node)
{
    if (ir_always_true(node->kid[0]))
        return node->kid[0];
    return ir_is_droppable(node->kid[0]) ? constant(node, true) : node;
}

// Whether there is a move at all is found sooner than all moves.
static Ir *fold_any_squares(Ir *node)
{
    enum { SOME = 4 }; // see moves.def
    Ir *call = node->kid[0];
    if (call->op != IR_CALL || (call->number != IR_CALL_legal_to && call->number != IR_CALL_legal_from))
        return node;
    const Ir *flags = call->kid[call->kid_count - 1];
    if (flags->op == IR_INT && !(flags->number & SOME))
        call->kid[call->kid_count - 1] = ir_int(node->arena, flags->number | SOME);
    return node;
}

// ---- any node --------------------------------------------------------------------------------------------

static uint64_t bits_of(const Ir *constant)
{
    return constant->op == IR_SET   ? constant->set
           : constant->op == IR_INT ? (uint64_t)constant->number
                                    : is_true(constant);
}

// An operation on constants only. NULL: it is none, or it is not in the table.
static Ir *fold_constants(const Ir *node)
{
    if (ir_op_info[node->op].value == NULL)
        return NULL;
    uint64_t bits[2] = {0};
    for (int i = 0; i < node->kid_count; i++) {
        if (!ir_is_constant(node->kid[i]))
            return NULL;
        bits[i] = bits_of(node->kid[i]);
    }
    const uint64_t value = ir_value_of(node, bits[0], bits[1]);
    return node->type == IRT_SET    ? ir_set(node->arena, value)
           : node->type == IRT_BOOL ? constant(node, value != 0)
                                    : ir_int(node->arena, (int32_t)value);
}

static Ir *fold_any_node(Ir *node)
{
    Ir *folded = fold_constants(node);
    if (folded != NULL)
        return folded;
    switch ((IrOp)node->op) {
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE:
        return fold_comparison(node);
    case IR_SET_EQ:
        return fold_set_equality(node);
    case IR_ANY:
        return fold_any_squares(node);
    case IR_AND:
    case IR_OR:
        return fold_junction(node);
    case IR_NOT:
        return fold_not(node);
    case IR_IF:
        return fold_if(node);
    case IR_CHOOSE:
        return fold_choose(node);
    case IR_ALWAYS:
        return fold_always(node);
    case IR_EACH_SQUARE:
        return fold_each_square(node);
    case IR_EACH_CHILD:
        return fold_each_child(node);
    case IR_AT:
        return fold_at(node);
    case IR_PLACE:
        return fold_place(node);
    case IR_POSITION_OF:
    case IR_INT_OF:
        return fold_conversion(node);
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_DIV:
        return fold_arithmetic(node);
    default:
        return fold_set(node);
    }
}

Ir *fold_node(Ir *node)
{
    Ir *folded = fold_any_node(node);
    if (folded != node && node->type == IRT_BOOL)
        pass_note(node, folded);
    return folded;
}

void fold_module(Module *m)
{
    rewrite_module(m, fold_node);
}
