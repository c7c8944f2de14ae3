// The builders of IR: parts of conditions that are joined, opposites, loops, cells; names of locals; how modules are printed.
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "compiler/middle/ir/build.h"

static Module *m;
static Arena *a;
static IrFunction *f; // with a number and a set

static int open_module(void **state)
{
    (void)state;
    a = arena_new();
    m = arena_alloc(a, sizeof *m);
    m->arena = a;
    f = ir_new_function(m, "body", NULL);
    ir_new_local(f, IRT_INT);
    ir_new_local(f, IRT_SET);
    return 0;
}

static int close_module(void **state)
{
    (void)state;
    arena_free(a);
    return 0;
}

// The module with this body, as it is printed; valid until the next call.
static const char *printed(Ir *body)
{
    static char text[20000];
    FILE *out = fmemopen(text, sizeof text, "w");
    f->body = body;
    ir_print(out, m);
    fclose(out);
    const char *tree = strstr(text, "\n  "); // after the head
    while (tree != NULL && strncmp(tree, "\n  local", 8) == 0)
        tree = strstr(tree + 1, "\n  ");
    return tree != NULL ? tree + 3 : "";
}

// ---- elsewhere, loops, cells ------------------------------------------------------------------------------

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(f->local_name_count, 0);
    ir_name_local(f, 1, "second");
    assert_int_equal(f->local_name_count, 2);
    assert_null(f->local_name[0]);
    assert_string_equal(f->local_name[1], "second");
    ir_name_local(f, 0, "first");
    assert_int_equal(f->local_name_count, 2);
    assert_string_equal(f->local_name[0], "first");
    assert_int_equal(ir_named_local(f, IRT_SET, "third"), 2);
    assert_int_equal(f->local[2], IRT_SET);
    assert_string_equal(f->local_name[2], "third");
    int number = -1;
    ir_new_function(m, "other", &number);
    assert_int_equal(number, 1);
    assert_string_equal(m->function[1]->name, "other");
    // equal texts are one
    assert_int_equal(ir_string(m, "a")->number, 0);
    assert_int_equal(ir_string(m, "b")->number, 1);
    assert_int_equal(ir_text(m, "ab", 1)->number, 0);
    assert_int_equal(m->text_count, 2);
}

// ---- printing ---------------------------------------------------------------------------------------------

// Below level 60 a number stands for the blanks.
static void test_depth(void **state)
{
    (void)state;
    Ir *tree = ir_not(ir_bool(a, true));
    for (int i = 0; i < 61; i++)
        tree = ir_not(tree);
    const char *text = printed(tree), *line = text;
    for (int level = 2; level <= 61; level++) {
        line = strchr(line, '\n') + 1;
        const int blanks = (int)strspn(line, " ");
        assert_int_equal(blanks, level <= 60 ? 2 * level : 120);
        if (level == 61)
            assert_string_equal(line + blanks, "(61) NOT(NOT(TRUE))\n");
        else
            assert_true(strncmp(line + blanks, "NOT\n", 4) == 0);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_module, close_module)
    const struct CMUnitTest tests[] = {
        TEST(test_names),
        TEST(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
