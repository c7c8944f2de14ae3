// Which locals of a condition have a value where they are read, and whether anything else uses them.
#include "closed.h"
#include "uses.h"

#include <string.h>

// ---- which locals have a value ----------------------------------------------------------------------------

enum { MOST_LOCALS = 64 };

// The locals that the tree uses, by bit.
typedef struct Locals {
    int number[MOST_LOCALS], uses[MOST_LOCALS], count;
    bool is_closed; // so far
} Locals;

// Locals that have a value after a condition, when it is true and when it is false.
typedef struct Given {
    uint64_t yes, no;
} Given;

static const uint64_t never = ~0ULL;

static uint64_t bit_of(Locals *l, int local)
{
    for (int i = 0; i < l->count; i++)
        if (l->number[i] == local) {
            l->uses[i]++;
            return 1ULL << i;
        }
    if (l->count == MOST_LOCALS) {
        l->is_closed = false;
        return 0;
    }
    l->number[l->count] = local;
    l->uses[l->count] = 1;
    return 1ULL << l->count++;
}

static Given walk(Locals *l, const Ir *tree, uint64_t given);

// All kids but the last ones, as values.
static uint64_t walk_values(Locals *l, const Ir *tree, int count, uint64_t given)
{
    for (int i = 0; i < count && l->is_closed; i++) {
        const Given g = walk(l, tree->kid[i], given);
        given = g.yes & g.no;
    }
    return given;
}

static Given walk_list(Locals *l, const Ir *tree, uint64_t given)
{
    const bool all = tree->op == IR_AND;
    Given result = all ? (Given){given, never} : (Given){never, given};
    for (int i = 0; i < tree->kid_count && l->is_closed; i++) {
        const Given g = walk(l, tree->kid[i], all ? result.yes : result.no);
        result = all ? (Given){g.yes, result.no & g.no} : (Given){result.yes & g.yes, g.no};
    }
    return result;
}

static Given walk_loop(Locals *l, const Ir *tree, uint64_t given)
{
    given = walk_values(l, tree, tree->kid_count - 1, given);
    const Given body = walk(l, tree->kid[tree->kid_count - 1], given | bit_of(l, tree->number));
    return tree->mode == MODE_ANY   ? (Given){body.yes, given}
           : tree->mode == MODE_ALL ? (Given){given, body.no}
                                    : (Given){given, never};
}

static Given walk(Locals *l, const Ir *tree, uint64_t given)
{
    Given g, no;
    uint64_t bit;
    if (ir_is_loop(tree))
        return walk_loop(l, tree, given);
    switch ((IrOp)tree->op) {
    case IR_TRUE:
        return (Given){given, never};
    case IR_FALSE:
        return (Given){never, given};
    case IR_LOCAL:
        if (!(given & bit_of(l, tree->number)))
            l->is_closed = false;
        return (Given){given, given};
    case IR_LET:
        given = walk_values(l, tree, 1, given);
        return (Given){given | bit_of(l, tree->number), never};
    case IR_CALL:
        given = walk_values(l, tree, tree->kid_count, given);
        bit = tree->out >= 0 ? bit_of(l, tree->out) : 0;
        return (Given){given | bit, given};
    case IR_AND:
    case IR_OR:
        return walk_list(l, tree, given);
    case IR_NOT:
        g = walk(l, tree->kid[0], given);
        return (Given){g.no, g.yes};
    case IR_IF:
    case IR_CHOOSE:
        g = walk(l, tree->kid[0], given);
        no = walk(l, tree->kid[2], g.no);
        g = walk(l, tree->kid[1], g.yes);
        return (Given){g.yes & no.yes, g.no & no.no};
    case IR_ALWAYS:
        g = walk(l, tree->kid[0], given);
        return (Given){g.yes & g.no, never};
    case IR_WHILE:
        g = walk(l, tree->kid[0], given);
        walk(l, tree->kid[1], g.yes);
        return (Given){g.no, never};
    case IR_AT:
        return walk(l, tree->kid[1], walk_values(l, tree, 1, given));
    case IR_PLACE:
        return walk(l, tree->kid[0], given);
    default:
        given = walk_values(l, tree, tree->kid_count, given);
        return (Given){given, given};
    }
}

bool depends_only_on_position(const Ir *tree, const int *uses)
{
    return !ir_does_any(tree, IR_READS_SLOT | IR_WRITES_SLOT | IR_EFFECT | IR_INVOKES) &&
           closed_locals(tree, uses);
}

bool closed_locals(const Ir *tree, const int *uses)
{
    Locals l = {.is_closed = true};
    walk(&l, tree, 0);
    for (int i = 0; i < l.count && l.is_closed; i++)
        l.is_closed = l.uses[i] == uses[l.number[i]];
    return l.is_closed;
}
