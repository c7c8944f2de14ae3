// Functions that are called from one place become part of their caller, and cells that only the search of a path or line
// uses become locals of the function around it. Runs after the passes that look at calls and cells: the screen, remembered
// conditions.
#include "internal.h"

#include "runtime/value/account.h"

#include <string.h>

enum {
    MOST_NODES = 400, // of a function that others become part of; C compilers take long for larger ones
    ROOT = 1 << 24,   // Inline.callers of what is called from outside
    NOBODY = -1,
    SEVERAL = -2
};

typedef struct Inline {
    Module *m;
    int *callers; // by function: how many places call it, and ROOT
    int *size;    // by function: nodes, with those of the functions that have become part of it
    int *owner;   // by function: what it is part of, itself when it stays
    int *queue, queued;
    int *user; // by cell: the function that uses it, NOBODY or SEVERAL
} Inline;

// ---- which functions --------------------------------------------------------------------------------------

static void note_call(Inline *s, int function)
{
    if (s->callers[function]++ == 0)
        s->queue[s->queued++] = function;
}

// Counts the calls in a tree; returns its size.
static int count_calls(Inline *s, const Ir *tree)
{
    int size = 1;
    for (int i = 0; i < tree->kid_count; i++)
        size += count_calls(s, tree->kid[i]);
    if (tree->op == IR_INVOKE)
        note_call(s, tree->number);
    return size;
}

// What is called from outside never becomes part of a caller.
static void see_root(Inline *s, int function)
{
    note_call(s, function);
    s->callers[function] += ROOT - 1;
}

static void find_callers(Inline *s)
{
    const Module *m = s->m;
    see_root(s, 0);
    if (m->show_function > 0)
        see_root(s, m->show_function);
    for (int i = 0; i < m->info.tag_atom_count; i++)
        see_root(s, m->tag_atom[i]);
    for (int i = 0; i < m->info.remembered_count; i++)
        see_root(s, m->remembered[i]);
    for (int i = 0; i < s->queued; i++)
        s->size[s->queue[i]] = count_calls(s, m->function[s->queue[i]]->body);
    for (int i = 0; i < m->function_count; i++)
        if (s->callers[i] == 0)
            m->function[i]->body = ir_bool(m->arena, true);
}

// Finds the calls in `tree` whose functions can become part of the function `owner`.
static void find_parts(Inline *s, const Ir *tree, int owner)
{
    for (int i = 0; i < tree->kid_count; i++)
        find_parts(s, tree->kid[i], owner);
    if (tree->op != IR_INVOKE || s->callers[tree->number] != 1)
        return;
    const int part = tree->number, size = s->size[owner] + s->size[part];
    if (size > MOST_NODES || s->owner[part] != part)
        return;
    s->owner[part] = owner;
    s->size[owner] = size;
}

// Callers come before what they call, so owners are final.
static void find_owners(Inline *s)
{
    for (int i = 0; i < s->m->function_count; i++)
        s->owner[i] = i;
    for (int i = 0; i < s->queued; i++)
        find_parts(s, s->m->function[s->queue[i]]->body, s->owner[s->queue[i]]);
}

// ---- one function -----------------------------------------------------------------------------------------

// Gives the locals of a part to its owner.
static void join_locals(IrFunction *owner, const IrFunction *part)
{
    int *map = account_new((size_t)part->local_count + 1, sizeof *map);
    for (int i = 0; i < part->local_count; i++)
        map[i] = ir_copy_local(owner, part, i);
    ir_move_locals(part->body, owner, part, map);
    account_free(map);
}

static Ir *put_parts(const Inline *s, Ir *tree, int owner)
{
    for (int i = 0; i < tree->kid_count; i++)
        tree->kid[i] = put_parts(s, tree->kid[i], owner);
    if (tree->op != IR_INVOKE || s->owner[tree->number] != owner || tree->number == owner)
        return tree;
    IrFunction *part = s->m->function[tree->number];
    Ir *body = put_parts(s, part->body, owner);
    if (body->note == NULL && body->op != IR_SET)
        body->note = part->comment;
    part->body = ir_bool(s->m->arena, true);
    return body;
}

static void join_functions(const Inline *s)
{
    for (int i = 0; i < s->queued; i++) {
        const int part = s->queue[i], owner = s->owner[part];
        if (owner != part)
            join_locals(s->m->function[owner], s->m->function[part]);
    }
    for (int i = 0; i < s->queued; i++) {
        IrFunction *f = s->m->function[s->queue[i]];
        if (s->owner[s->queue[i]] == s->queue[i])
            f->body = put_parts(s, f->body, s->queue[i]);
    }
}

// ---- cells ------------------------------------------------------------------------------------------------

static bool is_cell(const Ir *tree)
{
    return tree->op == IR_SLOT || tree->op == IR_STORE;
}

static void note_users(Inline *s, const Ir *tree, int function)
{
    for (int i = 0; i < tree->kid_count; i++)
        note_users(s, tree->kid[i], function);
    if (!is_cell(tree))
        return;
    int *user = &s->user[tree->number];
    *user = *user == NOBODY || *user == function ? function : SEVERAL;
}

// The game test uses no cells: it runs before there is a state of the game.
static void find_users(Inline *s)
{
    for (int i = 0; i < s->m->info.slot_count; i++)
        s->user[i] = NOBODY;
    for (int i = 0; i < s->queued; i++)
        note_users(s, s->m->function[s->queue[i]]->body, s->queue[i]);
}

// Reads and writes of cells become those of the locals in `local`, by cell; -1: it stays.
static void use_locals(Ir *tree, const int *local)
{
    for (int i = 0; i < tree->kid_count; i++)
        use_locals(tree->kid[i], local);
    if (!is_cell(tree) || local[tree->number] < 0)
        return;
    tree->op = tree->op == IR_SLOT ? IR_LOCAL : IR_LET;
    tree->number = local[tree->number];
}

// A search gives its cells a value before it reads them, and what nothing calls is not called again meanwhile: no search
// needs the value of another one.
static void make_locals(Inline *s)
{
    Module *m = s->m;
    const int slots = m->info.slot_count;
    int *local = account_new((size_t)slots + 1, sizeof *local);
    bool *changed = account_new((size_t)m->function_count + 1, sizeof *changed);
    find_users(s);
    for (int i = 0; i < slots; i++) {
        const int user = s->user[i];
        local[i] = -1;
        if (user < 0 || s->callers[user] != ROOT || !m->slot_of_search[i])
            continue;
        const char *name = strchr(m->slot_name[i], ' ');
        local[i] =
            ir_named_local(m->function[user], m->slot_type[i], name != NULL ? name + 1 : m->slot_name[i]);
        changed[user] = true;
    }
    for (int i = 0; i < s->queued; i++)
        if (changed[s->queue[i]])
            use_locals(m->function[s->queue[i]]->body, local);
    account_free(local);
    account_free(changed);
}

static void renumber(Ir *tree, const int *number)
{
    if (is_cell(tree))
        tree->number = number[tree->number];
    for (int i = 0; i < tree->kid_count; i++)
        renumber(tree->kid[i], number);
}

// Cells that nothing uses any more are left out. Persistent ones come first and stay.
static void drop_unused_cells(Inline *s)
{
    Module *m = s->m;
    int *number = account_new((size_t)m->info.slot_count + 1, sizeof *number), count = 0;
    find_users(s);
    for (int i = 0; i < m->info.slot_count; i++) {
        number[i] = count;
        if (s->user[i] == NOBODY && m->slot_of_search[i])
            continue;
        m->slot_name[count] = m->slot_name[i];
        m->slot_type[count] = m->slot_type[i];
        m->slot_of_search[count++] = m->slot_of_search[i];
    }
    for (int i = 0; i < m->function_count; i++)
        renumber(m->function[i]->body, number);
    if (m->info.place_cell > 0)
        m->info.place_cell = number[m->info.place_cell - 1] + 1;
    m->info.slot_count = count;
    account_free(number);
}

// ---- the pass ---------------------------------------------------------------------------------------------

void inline_searches(Module *m)
{
    const size_t functions = (size_t)m->function_count, slots = (size_t)m->info.slot_count + 1;
    if (functions == 1 || m->slot_of_search == NULL) {
        keep_certain_texts(m);
        return;
    }
    Inline s = {.m = m,
                .callers = account_new(functions, sizeof(int)),
                .size = account_new(functions, sizeof(int)),
                .owner = account_new(functions, sizeof(int)),
                .queue = account_new(functions, sizeof(int)),
                .user = account_new(slots, sizeof(int))};
    find_callers(&s);
    find_owners(&s);
    join_functions(&s);
    make_locals(&s);
    drop_unused_cells(&s);
    remove_dead_locals(m);
    keep_certain_texts(m);
    account_free(s.callers);
    account_free(s.size);
    account_free(s.owner);
    account_free(s.queue);
    account_free(s.user);
}
