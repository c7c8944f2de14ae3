// A condition that adds texts to the log is followed by code that cuts them off again when it fails:
//     LET mark = log_mark, OR(condition, AND(log_cut(mark), FALSE))
// Where the condition adds texts only when it is true, nothing has to be cut off.
#include "internal.h"

#include "runtime/value/account.h"

typedef struct Texts {
    bool calls_add; // functions other than the body add texts
    int *uses;      // by local of the function: places
} Texts;

// What evaluating a tree may do.
typedef struct Habit {
    bool adds;   // adds texts
    bool leaves; // is sometimes false and has added texts
    bool sure;   // is always true
} Habit;

static bool adds_itself(const Ir *node, const void *texts)
{
    if (node->op == IR_INVOKE)
        return ((const Texts *)texts)->calls_add;
    return node->op == IR_CALL && ir_has_own_effect(node) && !ir_is_call_that(node, TEXTLESS);
}

static bool is_mark(const Ir *tree)
{
    return tree->op == IR_LET && tree->kid[0]->op == IR_CALL && tree->kid[0]->number == IR_CALL_log_mark;
}

// Is it what cuts off the texts since the mark when the operands before it are false?
static bool cuts(const Ir *tree, int mark)
{
    return tree->op == IR_AND && tree->kid_count == 2 && tree->kid[0]->op == IR_CALL &&
           tree->kid[0]->number == IR_CALL_log_cut && tree->kid[0]->kid[0]->op == IR_LOCAL &&
           tree->kid[0]->kid[0]->number == mark && tree->kid[1]->op == IR_FALSE;
}

static Habit habit_of(const Texts *t, Ir *tree);

// The first operands of an OR. Those after one that is always true are never evaluated, and are left out.
static Habit habit_of_some(const Texts *t, Ir *any, int count)
{
    Habit result = {0};
    for (int i = 0; i < count && !result.sure; i++) {
        const Habit kid = habit_of(t, any->kid[i]);
        result.leaves = result.leaves || kid.leaves;
        result.adds = result.adds || kid.adds;
        result.sure = kid.sure;
        if (kid.sure)
            any->kid_count = i + 1;
    }
    return result;
}

// The operand of the AND before operand `at` that is the mark for what that one cuts off, and is used for nothing else; only
// other assignments are between them. -1: none.
static int mark_before(const Texts *t, const Ir *all, int at)
{
    const Ir *any = all->kid[at];
    if (any->op != IR_OR || any->kid_count < 2)
        return -1;
    for (int i = at - 1; i >= 0 && all->kid[i]->op == IR_LET; i--)
        if (is_mark(all->kid[i]) && cuts(any->kid[any->kid_count - 1], all->kid[i]->number))
            return t->uses[all->kid[i]->number] == 2 ? i : -1;
    return -1;
}

static Habit habit_of_all(const Texts *t, Ir *all)
{
    Habit result = {.sure = true};
    int kept = 0;
    for (int i = 0; i < all->kid_count; i++) {
        Ir *one = all->kid[kept] = all->kid[i];
        const int mark = mark_before(t, all, kept);
        Habit kid = mark < 0 ? habit_of(t, one) : habit_of_some(t, one, one->kid_count - 1);
        if (mark >= 0 && !kid.leaves) {
            one->kid_count -= !kid.sure;
            for (int k = mark; k < kept; k++)
                all->kid[k] = all->kid[k + 1];
            kept--;
        }
        kid.leaves = kid.leaves && mark < 0;
        kept++;
        result.leaves = result.leaves || kid.leaves || (result.adds && !kid.sure);
        result.adds = result.adds || kid.adds;
        result.sure = result.sure && kid.sure;
    }
    all->kid_count = kept;
    return result;
}

static Habit habit_of_if(const Texts *t, Ir *tree)
{
    const Habit test = habit_of(t, tree->kid[0]), yes = habit_of(t, tree->kid[1]),
                no = habit_of(t, tree->kid[2]);
    return (Habit){.adds = test.adds || yes.adds || no.adds,
                   .leaves = test.leaves || (test.adds && !yes.sure) || yes.leaves || no.leaves,
                   .sure = yes.sure && no.sure};
}

// The operands before the last one are values.
static Habit habit_of_last(const Texts *t, Ir *tree)
{
    Habit result = {0};
    for (int i = 0; i < tree->kid_count - 1; i++)
        result.adds = ir_has_node(tree->kid[i], adds_itself, t) || result.adds;
    const Habit last = habit_of(t, tree->kid[tree->kid_count - 1]);
    result.leaves = last.leaves || result.adds;
    result.adds = result.adds || last.adds;
    result.sure = last.sure;
    return result;
}

static Habit habit_of_loop(const Texts *t, Ir *loop)
{
    Habit result = habit_of_last(t, loop);
    result.sure = loop->mode == MODE_EACH || (loop->mode == MODE_ALL && result.sure);
    result.leaves = !result.sure && (loop->mode == MODE_ALL ? result.adds : result.leaves);
    return result;
}

static Habit habit_of_other(const Texts *t, Ir *tree)
{
    Habit result = {.adds = adds_itself(tree, t), .sure = ir_always_true(tree)};
    for (int i = 0; i < tree->kid_count; i++)
        result.adds = habit_of(t, tree->kid[i]).adds || result.adds;
    result.leaves = result.adds && !result.sure;
    return result;
}

static Habit habit_of(const Texts *t, Ir *tree)
{
    switch ((IrOp)tree->op) {
    case IR_AND:
        return habit_of_all(t, tree);
    case IR_OR:
        return habit_of_some(t, tree, tree->kid_count);
    case IR_IF:
        return habit_of_if(t, tree);
    case IR_PLACE:
    case IR_AT:
        return habit_of_last(t, tree);
    default:
        return ir_is_loop(tree) ? habit_of_loop(t, tree) : habit_of_other(t, tree);
    }
}

void keep_certain_texts(Module *m)
{
    Texts t = {0};
    for (int i = 1; i < m->function_count && !t.calls_add; i++)
        t.calls_add = ir_has_node(m->function[i]->body, adds_itself, &t);
    for (int i = 0; i < m->function_count; i++) {
        IrFunction *f = m->function[i];
        t.uses = account_new((size_t)f->local_count + 1, sizeof *t.uses);
        ir_count_uses(f->body, t.uses, t.uses, 1);
        habit_of(&t, f->body);
        account_free(t.uses);
    }
}
