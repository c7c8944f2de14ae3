// Limits of the passes and of the screens, at the limit and one above; trees that break the rules.
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/middle/ir/build.h"
#include "compiler/middle/optimise/internal.h"
#include "compiler/middle/screen/screen.h"

// A number as an expression of that many nodes.
static Ir *number_of_size(Arena *a, int nodes)
{
    const int left = (nodes - 1) / 2;
    return nodes == 1   ? ir_game(a, IR_GAME_COUNT)
           : nodes == 2 ? ir_node(IR_NODE_PLY, ir_current(a))
                        : ir_add(number_of_size(a, left), number_of_size(a, nodes - 1 - left));
}

static void add_function(Module *m, Ir *body)
{
    ir_new_function(m, "function", NULL)->body = body;
}

static Module *new_module(void)
{
    Arena *a = arena_new();
    Module *m = arena_alloc(a, sizeof *m);
    m->arena = a;
    add_function(m, ir_bool(a, true));
    return m;
}

static Ir *has_queen(Module *m)
{
    return ir_any(ir_board(m->arena, WHITE_QUEEN));
}

// ---- screens ----------------------------------------------------------------------------------------------

static bool has_screen(Module *m)
{
    assert_null(ir_verify(m));
    screen_module(m);
    const bool has = m->screen != NULL;
    arena_free(m->arena);
    return has;
}

// Nodes that are visited.
static void visits_end(void **state)
{
    (void)state;
    enum { MOST_VISITS = 20000 };
    for (int nodes = MOST_VISITS; nodes <= MOST_VISITS + 1; nodes++) {
        Module *m = new_module();
        Ir *body = ir_new(m->arena, IR_AND, IRT_BOOL, 0);
        for (int i = 1; i < nodes; i++)
            ir_add_kid(body, ir_bool(m->arena, true));
        m->function[0]->body = body;
        assert_int_equal(has_screen(m), nodes <= MOST_VISITS);
    }
}

// Functions within each other.
static void calls_end(void **state)
{
    (void)state;
    enum { MOST_CALLS = 1000 };
    for (int calls = MOST_CALLS; calls <= MOST_CALLS + 1; calls++) {
        Module *m = new_module();
        for (int i = 0; i < calls; i++) {
            add_function(m, has_queen(m));
            m->function[i]->body = ir_invoke(m->arena, i + 1);
        }
        assert_int_equal(has_screen(m), calls <= MOST_CALLS);
    }
}

// Of functions that call each other in a circle, only the first one is visited twice.
static void circles_of_calls_take_little_work(void **state)
{
    (void)state;
    enum { FUNCTIONS = 20 };
    Module *m = new_module();
    for (int i = 1; i <= FUNCTIONS; i++) {
        add_function(m, NULL);
        IrFunction *f = m->function[i];
        const int child = ir_new_local(f, IRT_POSITION);
        Ir *below = ir_at(ir_local(f, child), ir_invoke(m->arena, 1));
        f->body = ir_or(has_queen(m), ir_each_child(ir_current(m->arena), child, below, MODE_ANY));
        m->function[i - 1]->body = ir_invoke(m->arena, i);
    }
    assert_true(has_screen(m));
}

// ---- the optimiser ----------------------------------------------------------------------------------------

// Conditions on single tags; too many are one condition on all of them.
static void atoms_end(void **state)
{
    (void)state;
    enum { MOST_ATOMS = 64 };
    for (int atoms = MOST_ATOMS; atoms <= MOST_ATOMS + 1; atoms++) {
        Module *m = new_module();
        IrFunction *f = m->function[0];
        const int player = ir_new_local(f, IRT_STRING);
        Ir *named = ir_call(m->arena, IR_CALL_contains, 2, ir_string(m, "x"), ir_local(f, player));
        f->body =
            ir_new(m->arena, IR_OR, IRT_BOOL, 1,
                   ir_and(ir_call_out(m->arena, IR_CALL_player, player, 1, ir_int(m->arena, 0)), named));
        for (int i = 1; i < atoms; i++) {
            const int local = ir_new_local(f, IRT_INT);
            ir_add_kid(f->body, ir_and(ir_call_out(m->arena, IR_CALL_year, local, 0),
                                       ir_with_int(IR_EQ, ir_local(f, local), 1900 + i)));
        }
        assert_null(ir_verify(m));
        split_tags(m);
        assert_int_equal(m->info.tag_atom_count, atoms <= MOST_ATOMS ? atoms : 1);
        assert_true(m->info.tags_decide);
        arena_free(m->arena);
    }
}

// ---- searches ---------------------------------------------------------------------------------------------

// Is the search of function 0 at another position remembered?
static bool is_remembered(Module *m, int functions, Ir *more)
{
    m->slot_of_search = arena_alloc(m->arena, (size_t)m->info.slot_count + 1);
    memset(m->slot_of_search, true, (size_t)m->info.slot_count + 1);
    for (int i = 1; i <= functions; i++) {
        add_function(m, ir_call(m->arena, IR_CALL_in_check, 0));
        if (i > 1)
            m->function[i - 1]->body = ir_invoke(m->arena, i);
    }
    Ir *search = ir_binary(IR_AND, ir_invoke(m->arena, 1), more);
    m->function[0]->body = ir_at(ir_node(IR_NODE_PARENT, ir_current(m->arena)), search);
    assert_null(ir_verify(m));
    remember_conditions(m);
    const bool remembered = m->info.remembered_count > 0;
    arena_free(m->arena);
    return remembered;
}

static void searches_end(void **state)
{
    (void)state;
    enum { MOST_PARTS = 64, MOST_NODES = 1000 };
    for (int parts = MOST_PARTS; parts <= MOST_PARTS + 1; parts++) {
        Module *m = new_module();
        assert_int_equal(is_remembered(m, parts, ir_bool(m->arena, true)), parts <= MOST_PARTS);
        m = new_module();
        Ir *stores = ir_new(m->arena, IR_AND, IRT_BOOL, 0);
        for (int i = 0; i < parts; i++)
            ir_add_kid(stores, ir_store_int(m->arena, ir_new_slot(m, IRT_INT, "cell"), 1));
        assert_int_equal(is_remembered(m, 1, stores), parts <= MOST_PARTS);
    }
    for (int nodes = MOST_NODES; nodes <= MOST_NODES + 1; nodes++) {
        Module *m = new_module();
        Ir *test = ir_with_int(IR_EQ, number_of_size(m->arena, nodes - 4), 3);
        assert_int_equal(is_remembered(m, 1, test), nodes <= MOST_NODES);
    }
}

// With CQLGEN_CHECK a tree that breaks the rules of the IR ends the program, else not.
static void checked_runs_end_at_broken_trees(void **state)
{
    (void)state;
    for (int checked = 0; checked < 2; checked++) {
        const pid_t child = fork();
        if (child == 0) {
            if (checked)
                setenv("CQLGEN_CHECK", "1", 1);
            else
                unsetenv("CQLGEN_CHECK");
            freopen("/dev/null", "w", stderr);
            Module *m = new_module();
            m->function[0]->body = ir_int(m->arena, 5); // no condition
            optimise(m, NULL, NULL);
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(WIFSIGNALED(status) ? WTERMSIG(status) : 0, checked ? SIGABRT : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(visits_end),
        cmocka_unit_test(calls_end),
        cmocka_unit_test(circles_of_calls_take_little_work),
        cmocka_unit_test(atoms_end),
        cmocka_unit_test(searches_end),
        cmocka_unit_test(checked_runs_end_at_broken_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
