// Limits of the passes and of the screens, at the limit and one above; trees that break the rules.
#include "ir_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

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

static Module *new_module(void)
{
    return module_of_text("", "", "TRUE");
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
            add_ir_function(m, "", "ANY([Q])");
            m->function[i]->body = ir_invoke(m->arena, i + 1);
        }
        assert_int_equal(has_screen(m), calls <= MOST_CALLS);
    }
}

// Functions one after the other are not within each other.
static void calls_in_a_row_go_on(void **state)
{
    (void)state;
    enum { MOST_CALLS = 1000, CALLS = MOST_CALLS + 1 };
    for (int writes = 0; writes < 2; writes++) { // one function: what it needs, and what it writes
        Module *m = module_of_text("i", "", writes ? "AND(STORE:0(0), TRUE)" : "AND(TRUE, TRUE)");
        add_ir_function(m, "", "AND(ANY([Q]), STORE:0(1))");
        Ir *body = m->function[0]->body;
        for (int i = 0; i < CALLS; i++)
            ir_add_kid(body, writes ? ir_always(ir_invoke(m->arena, 1)) : ir_invoke(m->arena, 1));
        if (writes)
            ir_add_kid(body, ir_slot_is(m, 0, 1));
        assert_true(has_screen(m));
    }
    Module *m = module_of_text("", "", "AND(TRUE, TRUE)"); // many functions that call another one
    for (int i = 1; i <= CALLS; i++) {
        add_ir_function(m, "", "TRUE");
        m->function[i]->body = ir_invoke(m->arena, CALLS + 1);
        ir_add_kid(m->function[0]->body, ir_invoke(m->arena, i));
    }
    add_ir_function(m, "", "ANY([Q])");
    assert_true(has_screen(m));
}

// Of functions that call each other in a circle, only the first one is visited twice.
static void circles_of_calls_take_little_work(void **state)
{
    (void)state;
    enum { FUNCTIONS = 20 };
    Module *m = new_module();
    for (int i = 1; i <= FUNCTIONS; i++) {
        add_ir_function(m, "x", "OR(ANY([Q]), EACH_CHILD:0,any(CURRENT, AT(%0, INVOKE:1())))");
        m->function[i - 1]->body = ir_invoke(m->arena, i);
    }
    assert_true(has_screen(m));
}

// Two million units of work: a number that is found takes one for each of its nodes, a copy eight.
static void copies_take_work(void **state)
{
    (void)state;
    enum {
        MOST_WORK = 2000000,
        COPY_WORK = 8,
        NODES = 1000,
        COPIES = (MOST_WORK - NODES) / (COPY_WORK * NODES) + 1
    };
    for (int copies = COPIES; copies <= COPIES + 1; copies++) {
        Module *m = module_of_text("", "ii", "TRUE");
        IrFunction *f = m->function[0];
        f->body = ir_and(ir_let(0, number_of_size(m->arena, NODES)), ir_let(1, ir_local(f, 0)));
        for (int i = 2; i < copies; i++)
            ir_add_kid(f->body, ir_let(1, ir_local(f, 0)));
        ir_add_kid(f->body, ir_with_int(IR_EQ, ir_local(f, 1), 3));
        assert_int_equal(has_screen(m), copies <= COPIES);
    }
}

// What is known of a local is said about the next position for 16 units of work: 1605 for each move here.
static void moves_take_work(void **state)
{
    (void)state;
    enum { LOCALS = 100, ENOUGH = 1200, TOO_MANY = 1290 };
    for (int moves = ENOUGH; moves <= TOO_MANY; moves += TOO_MANY - ENOUGH) {
        Module *m = module_of_text("", "", "AND(ANY([Q]), TRUE)");
        IrFunction *f = m->function[0];
        for (int i = 0; i < LOCALS; i++)
            ir_add_kid(f->body, ir_let(ir_new_local(f, IRT_INT), ir_int(m->arena, i)));
        for (int i = 0; i < moves; i++)
            ir_add_kid(f->body,
                       ir_at(ir_node(IR_NODE_FIRST_CHILD, ir_current(m->arena)), ir_bool(m->arena, true)));
        assert_int_equal(has_screen(m), moves == ENOUGH);
    }
}

// ---- the optimiser ----------------------------------------------------------------------------------------

// Conditions on single tags.
static void atoms_end(void **state)
{
    (void)state;
    enum { MOST_ATOMS = 64 };
    for (int atoms = MOST_ATOMS; atoms <= MOST_ATOMS + 1; atoms++) {
        Module *m = module_of_text("", "t", "OR(AND(player:0(0), contains(\"x\", %0)))");
        IrFunction *f = m->function[0];
        for (int i = 1; i < atoms; i++) {
            const int local = ir_new_local(f, IRT_INT);
            ir_add_kid(f->body, ir_and(ir_call_out(m->arena, IR_CALL_year, local, 0),
                                       ir_with_int(IR_EQ, ir_local(f, local), 1900 + i)));
        }
        assert_null(ir_verify(m));
        split_tags(m);
        assert_int_equal(m->info.tag_atom_count, atoms <= MOST_ATOMS ? atoms : 0);
        assert_int_equal(m->info.tags_decide, atoms <= MOST_ATOMS);
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
        add_ir_function(m, "", "in_check()");
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
            Module *m = module_of_text("", "", "TRUE");
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
        cmocka_unit_test(calls_in_a_row_go_on),
        cmocka_unit_test(circles_of_calls_take_little_work),
        cmocka_unit_test(copies_take_work),
        cmocka_unit_test(moves_take_work),
        cmocka_unit_test(atoms_end),
        cmocka_unit_test(searches_end),
        cmocka_unit_test(checked_runs_end_at_broken_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
