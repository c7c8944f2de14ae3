// Turns many alternatives that differ only in constants, such as the variants of a `shift`, into one body in a
// loop over a table of the constants.
#include "internal.h"
#include "runtime/value/account.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_ROWS = 12 };

// How often each local of a function is used in it, and memory for the comparison of two trees: between comparisons `other` is
// -1 and `here` and `there` are 0 everywhere.
typedef struct Uses {
    Module *module;
    const IrFunction *function;
    int *total;
    int *other;        // by local of the first tree: the one in its place in the second, or -1
    int *here, *there; // uses in the first tree and in the second
    int *seen;         // locals of the first tree
    int seen_count;
} Uses;

// ---- comparing -------------------------------------------------------------------------------------------

static bool is_cell(const Ir *node)
{
    return node->op == IR_SET || node->op == IR_INT;
}

// Equal except for constants and the numbers of locals, which it notes.
static bool same_form(Uses *uses, const Ir *a, const Ir *b)
{
    const int local_a = ir_used_local(a), local_b = ir_used_local(b);
    if (a->op != b->op || a->type != b->type || a->mode != b->mode || a->low != b->low ||
        a->kid_count != b->kid_count || (local_a >= 0) != (local_b >= 0))
        return false;
    if (local_a >= 0) {
        if (uses->other[local_a] >= 0 && uses->other[local_a] != local_b)
            return false;
        if (uses->other[local_a] < 0)
            uses->seen[uses->seen_count++] = local_a;
        uses->other[local_a] = local_b;
    }
    const bool number_is_local = a->op != IR_CALL && local_a >= 0;
    if (!is_cell(a) && !number_is_local && a->number != b->number)
        return false;
    for (int i = 0; i < a->kid_count; i++) {
        if (!same_form(uses, a->kid[i], b->kid[i]))
            return false;
    }
    return true;
}

// Locals that differ must not be used outside the two trees.
static bool locals_are_private(const Uses *uses)
{
    const IrFunction *f = uses->function;
    for (int k = 0; k < uses->seen_count; k++) {
        const int i = uses->seen[k], other = uses->other[i];
        if (other != i && (uses->here[i] != uses->total[i] || uses->there[other] != uses->total[other] ||
                           f->local[i] != f->local[other]))
            return false;
    }
    return true;
}

static bool alternatives_match(Uses *uses, const Ir *a, const Ir *b)
{
    bool match = same_form(uses, a, b);
    if (match) {
        ir_count_uses(a, uses->here, uses->here, 1);
        ir_count_uses(b, uses->there, uses->there, 1);
        match = locals_are_private(uses);
        ir_count_uses(a, uses->here, uses->here, -1);
        ir_count_uses(b, uses->there, uses->there, -1);
    }
    while (uses->seen_count > 0)
        uses->other[uses->seen[--uses->seen_count]] = -1;
    return match;
}

// ---- tables ----------------------------------------------------------------------------------------------

static uint64_t cell_of(const Ir *node)
{
    return node->op == IR_SET ? node->set : (uint64_t)(uint32_t)node->number;
}

static bool cells_differ(Ir *const *row, int rows)
{
    for (int i = 1; i < rows; i++) {
        if (cell_of(row[i]) != cell_of(row[0]))
            return true;
    }
    return false;
}

typedef struct Cells {
    Ir **node; // rows of one column
    IrType type;
} Cells;

typedef struct Roll {
    Module *module;
    int table, rows;
    Cells *column;
    int column_count;
} Roll;

static const char *joined_note(Arena *a, Ir *const *row, int rows)
{
    const char **note = NULL;
    int count = 0;
    for (int i = 0; i < rows && row[0]->note != NULL; i++)
        if (row[i]->note != NULL)
            ARENA_PUSH(a, note, count, row[i]->note);
    return ir_joined_note(a, note, count);
}

// Walks the alternatives in parallel and replaces each constant of the first one that differs by a ROW.
static Ir *roll_tree(Roll *r, Ir *const *row)
{
    Arena *a = r->module->arena;
    Ir *first = row[0];
    if (is_cell(first)) {
        if (!cells_differ(row, r->rows))
            return first;
        Ir *read = ir_new(a, IR_ROW, (IrType)first->type, 0);
        read->number = r->table;
        read->low = r->column_count;
        Cells column = {arena_alloc(a, sizeof(Ir *) * (size_t)r->rows), (IrType)first->type};
        memcpy(column.node, row, sizeof(Ir *) * (size_t)r->rows);
        ARENA_PUSH(a, r->column, r->column_count, column);
        return read;
    }
    if (first->type == IRT_BOOL)
        first->note = joined_note(a, row, r->rows);
    Ir **kids = account_new((size_t)r->rows, sizeof(Ir *));
    for (int k = 0; k < first->kid_count; k++) {
        for (int i = 0; i < r->rows; i++)
            kids[i] = row[i]->kid[k];
        first->kid[k] = roll_tree(r, kids);
    }
    account_free(kids);
    return first;
}

static void fill_table(Module *m, const Roll *r)
{
    IrTable *table = arena_alloc(m->arena, sizeof *table);
    const size_t columns = (size_t)r->column_count, rows = (size_t)r->rows;
    *table = (IrTable){.column_count = r->column_count, .row_count = r->rows};
    table->column = arena_alloc(m->arena, sizeof *table->column * columns + 1);
    table->cell = arena_alloc(m->arena, sizeof *table->cell * columns * rows + 1);
    for (size_t c = 0; c < columns; c++) {
        table->column[c] = r->column[c].type;
        for (size_t i = 0; i < rows; i++)
            table->cell[i * columns + c] = cell_of(r->column[c].node[i]);
    }
    ARENA_PUSH(m->arena, m->table, m->table_count, table);
}

// Tests that are the same for all rows are evaluated once, before the loop, but not before what assigns locals.
static Ir *factor_out(Module *m, Ir *loop)
{
    Ir *body = loop->kid[0];
    if (loop->mode != MODE_ANY || body->op != IR_AND)
        return loop;
    Ir *once = ir_new(m->arena, IR_AND, IRT_BOOL, 0), *each = ir_new(m->arena, IR_AND, IRT_BOOL, 0);
    bool assigns = false;
    for (int i = 0; i < body->kid_count; i++) {
        Ir *kid = body->kid[i];
        const bool common = !assigns && ir_is_fixed(kid) && (each->kid_count == 0 || ir_is_total(kid));
        ir_add_kid(common ? once : each, kid);
        assigns = assigns || !ir_is_droppable(kid);
    }
    if (once->kid_count == 0)
        return loop;
    once->note = loop->note;
    loop->note = NULL;
    loop->kid[0] = each;
    ir_add_kid(once, each->kid_count > 0 ? loop : ir_bool(m->arena, true));
    return once;
}

static Ir *make_loop(Module *m, Ir *const *row, int rows, IrMode mode)
{
    Roll r = {.module = m, .table = m->table_count, .rows = rows};
    Ir *body = roll_tree(&r, row);
    fill_table(m, &r);
    Ir *loop = ir_unary(IR_EACH_ROW, body);
    loop->number = r.table;
    loop->mode = (uint8_t)mode;
    loop->note = body->note;
    body->note = NULL;
    return factor_out(m, loop);
}

// ---- finding alternatives --------------------------------------------------------------------------------

// Can the operands be evaluated in another order?
static bool any_order(const Ir *node)
{
    if (node->op != IR_OR)
        return false;
    for (int i = 0; i < node->kid_count; i++) {
        if (ir_does_any(node->kid[i], IR_WRITES_SLOT | IR_EFFECT | IR_INVOKES) || !ir_is_total(node->kid[i]))
            return false;
    }
    return true;
}

// Moves the operands that match operand `from` to the places after it. Returns their number, including that one.
static int gather(Uses *uses, Ir *node, int from, bool regroup)
{
    int count = 1;
    for (int i = from + 1; i < node->kid_count; i++) {
        Ir *kid = node->kid[i];
        if (!alternatives_match(uses, node->kid[from], kid)) {
            if (regroup)
                continue;
            break;
        }
        memmove(&node->kid[from + count + 1], &node->kid[from + count],
                sizeof(Ir *) * (size_t)(i - from - count));
        node->kid[from + count++] = kid;
    }
    return count;
}

static Ir *roll_junction(Uses *uses, Ir *node)
{
    Module *m = uses->module;
    const bool regroup = any_order(node);
    Ir *list = ir_new(m->arena, (IrOp)node->op, IRT_BOOL, 0);
    for (int i = 0; i < node->kid_count;) {
        int count = 1;
        if (node->kid_count - i >= FEWEST_ROWS && (node->op == IR_OR || ir_always_true(node->kid[i])))
            count = gather(uses, node, i, regroup);
        if (count >= FEWEST_ROWS) {
            ir_add_kid(list, make_loop(m, node->kid + i, count, node->op == IR_OR ? MODE_ANY : MODE_EACH));
        } else {
            for (int k = 0; k < count; k++)
                ir_add_kid(list, node->kid[i + k]);
        }
        i += count;
    }
    return list->kid_count == 1 ? list->kid[0] : list;
}

static Ir *roll(Uses *uses, Ir *tree)
{
    for (int i = 0; i < tree->kid_count; i++)
        tree->kid[i] = roll(uses, tree->kid[i]);
    if ((tree->op == IR_AND || tree->op == IR_OR) && tree->kid_count >= FEWEST_ROWS)
        return roll_junction(uses, tree);
    return tree;
}

void roll_variants(Module *m)
{
    for (int i = 0; i < m->function_count; i++) {
        IrFunction *f = m->function[i];
        const size_t locals = (size_t)f->local_count + 1;
        int *memory = arena_alloc(m->arena, sizeof *memory * locals * 5);
        Uses uses = {.module = m,
                     .function = f,
                     .total = memory,
                     .here = memory + locals,
                     .there = memory + 2 * locals,
                     .seen = memory + 3 * locals,
                     .other = memory + 4 * locals};
        for (size_t k = 0; k < locals; k++)
            uses.other[k] = -1;
        ir_count_uses(f->body, uses.total, uses.total, 1);
        f->body = roll(&uses, f->body);
    }
}
