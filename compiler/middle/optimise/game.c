// Makes the game test: conditions on tags that the body requires at every position decide about the game before
// its moves are read. They also stay in the body, because a program that runs a matcher need not call the game
// test.
#include "internal.h"

#include <string.h>

// A local of the body that the test does not have: UNSEEN, no node that writes it was found so far; UNKNOWN, a node
// that writes it is only in the body, so the test cannot know its value.
enum { UNSEEN = -1, UNKNOWN = -2 };

typedef struct Hoist {
    Module *module;
    IrFunction *function; // the test's own
    int *local;           // its local for each local of the body, UNSEEN or UNKNOWN
    Ir *tests;
    bool misses_wanted; // `matchcount 0` asks for games without a matching position
} Hoist;

// The result of the game is not known early: the end of the movetext can change it. Loops are left to the body.
static bool is_known_early(const Hoist *h, const Ir *tree)
{
    switch ((IrOp)tree->op) {
    case IR_LET:
        if (h->local[tree->number] < 0)
            return false;
        break;
    case IR_LOCAL:
        return h->local[tree->number] >= 0;
    case IR_GAME:
        return tree->number == IR_GAME_NUMBER;
    case IR_CALL:
        if (!ir_is_call_that(tree, TAGS_ONLY) || (tree->out >= 0 && h->local[tree->out] < 0))
            return false;
        break;
    default:
        if (ir_op_info[tree->op].effects != 0 || tree->op == IR_WHILE || tree->op == IR_EACH_ROW)
            return false;
    }
    for (int i = 0; i < tree->kid_count; i++) {
        if (!is_known_early(h, tree->kid[i]))
            return false;
    }
    return true;
}

// Gives the test's function a local for each local that the tree writes.
static void claim_locals(Hoist *h, const IrFunction *body, const Ir *tree)
{
    const int written = ir_written_local(tree);
    if (written >= 0 && h->local[written] == UNSEEN)
        h->local[written] = ir_new_local(h->function, body->local[written]);
    for (int i = 0; i < tree->kid_count; i++)
        claim_locals(h, body, tree->kid[i]);
}

static void forget_locals(Hoist *h, const Ir *tree)
{
    const int written = ir_written_local(tree);
    if (written >= 0)
        h->local[written] = UNKNOWN;
    for (int i = 0; i < tree->kid_count; i++)
        forget_locals(h, tree->kid[i]);
}

static bool takes_tags(const Ir *node, const void *unused)
{
    (void)unused;
    return node->op == IR_CALL || node->op == IR_GAME;
}

static void try_hoist(Hoist *h, const IrFunction *body, const Ir *conjunct)
{
    claim_locals(h, body, conjunct);
    if (!is_known_early(h, conjunct)) {
        forget_locals(h, conjunct);
        return;
    }
    Ir *copy = ir_copy(conjunct);
    ir_move_locals(copy, h->function, body, h->local);
    ir_add_kid(h->tests, copy);
}

// Is it part of comments as they are in the input, whose white space is folded and whose braces become `_`?
static bool is_comment_byte(char c)
{
    return c > ' ' && c < 127 && c != '_';
}

// Notes what the conjunct requires of the comments of a game: the longest part of a text that is in comments as it is.
static void note_comment(Module *m, const Ir *conjunct)
{
    IrText text = {0};
    const Ir *operand =
        conjunct->op == IR_CALL && conjunct->kid_count > 0 ? conjunct->kid[conjunct->kid_count - 1] : NULL;
    if (operand != NULL && conjunct->number == IR_CALL_comment_contains && operand->op == IR_STRING)
        text = m->text[operand->number];
    if (operand != NULL && conjunct->number == IR_CALL_comment_found && operand->op == IR_INT)
        text = ir_pattern_literal(m, operand->number);
    size_t most = m->info.comment_part != NULL ? strlen(m->info.comment_part) : 1;
    for (size_t i = 0, size; i < text.length; i += size + 1) {
        for (size = 0; i + size < text.length && is_comment_byte(text.bytes[i + size]);)
            size++;
        if (size > most) {
            m->info.comment_part = arena_copy(m->arena, text.bytes + i, size);
            most = size;
        }
    }
}

// Walks the conjuncts that are evaluated at every position. Returns false when one of them does more than read.
static bool walk(Hoist *h, const IrFunction *body, const Ir *node)
{
    if (node->op == IR_PLACE)
        return walk(h, body, node->kid[0]);
    if (node->op == IR_AND) {
        for (int i = 0; i < node->kid_count; i++) {
            if (!walk(h, body, node->kid[i]))
                return false;
        }
        return true;
    }
    if (ir_does_any(node, IR_WRITES_SLOT | IR_EFFECT | IR_INVOKES))
        return false;
    if (!h->misses_wanted)
        note_comment(h->module, node);
    try_hoist(h, body, node);
    return true;
}

void hoist_game_test(Module *m)
{
    const IrFunction *body = m->function[0];
    IrFunction function = {.name = "game_test", .arena = m->arena};
    Hoist h = {m, &function, arena_alloc(m->arena, sizeof(int) * (size_t)(body->local_count + 1)),
               ir_new(m->arena, IR_AND, IRT_BOOL, 0),
               m->info.flags & QUERY_HAS_MATCHCOUNT && m->info.matchcount_low <= 0};
    for (int i = 0; i < body->local_count; i++)
        h.local[i] = UNSEEN;
    walk(&h, body, body->body);
    if (m->game_test != NULL || h.misses_wanted || !ir_has_node(h.tests, takes_tags, NULL))
        return;
    if (!ir_does_any(h.tests, IR_READS_LOCAL | IR_WRITES_LOCAL)) {
        m->game_test = h.tests;
        return;
    }
    int number;
    IrFunction *test = ir_new_function(m, function.name, &number);
    test->local = function.local;
    test->local_count = function.local_count;
    test->body = h.tests;
    m->game_test = ir_new(m->arena, IR_INVOKE, IRT_BOOL, 0);
    m->game_test->number = number;
}
