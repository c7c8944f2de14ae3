// Finds a text that some comment of each game with a match contains: the search looks for it before it reads the game.
#include "internal.h"

#include <string.h>

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
static bool note_conjuncts(Module *m, const Ir *node)
{
    if (node->op != IR_AND && node->op != IR_PLACE) {
        note_comment(m, node);
        return !ir_does_any(node, IR_WRITES_SLOT | IR_EFFECT | IR_INVOKES);
    }
    for (int i = 0; i < node->kid_count; i++)
        if (!note_conjuncts(m, node->kid[i]))
            return false;
    return true;
}

// `matchcount 0` asks for games without a matching position.
void note_comments(Module *m)
{
    if (!(m->info.flags & QUERY_HAS_MATCHCOUNT) || m->info.matchcount_low > 0)
        note_conjuncts(m, m->function[0]->body);
}
