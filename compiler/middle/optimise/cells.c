// Reads of cells whose value is known. A cell that the body sets and always clears again is 0 wherever it is not set, such as
// the cell that says whether a variable of `echo` is bound.
#include "internal.h"

#include <string.h>

enum { UNKNOWN = -1 };

// What is known of a cell.
typedef struct Cell {
    const Ir *home; // the AND that sets and clears it; NULL: there is none
    int writes;     // in all functions
    int32_t value;  // while the body is visited: 0, 1 or UNKNOWN
} Cell;

static void count_writes(const Ir *tree, Cell *cell)
{
    if (tree->op == IR_STORE)
        cell[tree->number].writes++;
    for (int i = 0; i < tree->kid_count; i++)
        count_writes(tree->kid[i], cell);
}

static int writes_in(const Ir *tree, int slot)
{
    int sum = tree->op == IR_STORE && tree->number == slot;
    for (int i = 0; i < tree->kid_count; i++)
        sum += writes_in(tree->kid[i], slot);
    return sum;
}

static bool is_constant_write(const Ir *tree)
{
    return tree->op == IR_STORE && tree->kid[0]->op == IR_INT;
}

// Does the AND clear the cell with its operand `last`, whatever happens between that and its first write of the cell, and
// is there no other write?
static bool clears(const Ir *all, int last, const Cell *cell)
{
    const int slot = all->kid[last]->number;
    int writes = 1;
    for (int i = last - 1; i >= 0; i--) {
        if (writes == cell[slot].writes)
            return true;
        if (!ir_always_true(all->kid[i]))
            return false;
        writes += writes_in(all->kid[i], slot);
    }
    return writes == cell[slot].writes;
}

static bool find_homes(const Ir *tree, Cell *cell)
{
    bool found = false;
    for (int i = 0; i < tree->kid_count; i++) {
        const Ir *kid = tree->kid[i];
        found |= find_homes(kid, cell);
        if (tree->op == IR_AND && is_constant_write(kid) && kid->kid[0]->number == 0 &&
            cell[kid->number].home == NULL && clears(tree, i, cell)) {
            cell[kid->number].home = tree;
            found = true;
        }
    }
    return found;
}

static void forget_writes(const Ir *tree, Cell *cell)
{
    if (tree->op == IR_STORE)
        cell[tree->number].value = UNKNOWN;
    for (int i = 0; i < tree->kid_count; i++)
        forget_writes(tree->kid[i], cell);
}

// Puts in what is known of each cell when the tree is evaluated. Afterwards `cell` says what is known when it was true.
static void use_values(Ir *tree, Cell *cell)
{
    const bool is_sequence = tree->op == IR_AND || tree->op == IR_PLACE || tree->op == IR_STORE;
    if (!is_sequence)
        forget_writes(tree, cell); // by an earlier round or another operand
    for (int i = 0; tree->op == IR_AND && i < tree->kid_count; i++)
        if (is_constant_write(tree->kid[i]) && cell[tree->kid[i]->number].home == tree)
            cell[tree->kid[i]->number].value = 0;
    for (int i = 0; i < tree->kid_count; i++) {
        Ir *kid = tree->kid[i];
        const int32_t value =
            kid->op == IR_SLOT && cell[kid->number].home != NULL ? cell[kid->number].value : UNKNOWN;
        if (value != UNKNOWN && kid->type == IRT_INT)
            tree->kid[i] = ir_int(tree->arena, value);
        else
            use_values(kid, cell);
        if (!is_sequence)
            forget_writes(tree, cell);
    }
    if (is_constant_write(tree) && (tree->kid[0]->number & ~1) == 0)
        cell[tree->number].value = tree->kid[0]->number;
    else if (tree->op == IR_STORE)
        cell[tree->number].value = UNKNOWN;
}

void use_known_cells(Module *m)
{
    Cell *cell = arena_alloc(m->arena, sizeof *cell * (size_t)(m->info.slot_count + 1));
    memset(cell, 0, sizeof *cell * (size_t)(m->info.slot_count + 1));
    for (int i = 0; i < m->function_count; i++)
        count_writes(m->function[i]->body, cell);
    if (m->info.persistent_slots == 0 && find_homes(m->function[0]->body, cell))
        use_values(m->function[0]->body, cell);
}
