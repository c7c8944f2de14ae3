// How statements of emitted C are printed, and where the locals are declared (back/emit_statements.c, emit_locals.c).
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "compiler/back/emit_internal.h"
#include "runtime/value/account.h"

static Emit emit;
static Module module;
static Code *body;

static int begin(void **state)
{
    (void)state;
    static const char text[] = "first\nsecond\n";
    static Source source = {"q.cql", text, sizeof text - 1, NULL};
    module = (Module){.source = &source};
    emit = (Emit){.arena = arena_new(), .is_read = true, .prefix = "", .m = &module};
    source_index(emit.arena, &source);
    ARENA_PUSH(emit.arena, emit.label, emit.label_count, (Label){0}); // labels count from 1
    body = emit.code = emit_code_new(&emit);
    return 0;
}

static int end(void **state)
{
    (void)state;
    account_free(emit.buffer);
    arena_free(emit.arena);
    return 0;
}

// What has been added is printed like this. Begins anew.
static void check_at(int indent, const char *wanted)
{
    char *text;
    size_t length;
    emit.out = open_memstream(&text, &length);
    emit_print(&emit, body, indent);
    fclose(emit.out);
    assert_string_equal(text, wanted);
    free(text);
    body = emit.code = emit_code_new(&emit);
}

static const char *repeated(char c, int times)
{
    char *text = arena_alloc(emit.arena, (size_t)times + 1);
    memset(text, c, (size_t)times);
    return text;
}

#define TEXT(...) arena_printf(emit.arena, __VA_ARGS__)

static void line(const char *text)
{
    emit_line(&emit, "%s", text);
}

static void begin_if(const char *condition)
{
    emit_if(&emit, emit_word(condition));
}

static Variable *variable(const char *name, const char *type)
{
    Variable *v = emit_new_variable(&emit, name);
    v->type = type;
    return v;
}

static void assign(Variable *v)
{
    emit_assignment(&emit, NULL, v, emit_word("7"));
}

static void use(Variable *v)
{
    emit_line(&emit, "use(%v);", v);
}

// ---- braces -----------------------------------------------------------------------------------------------

// A line of more than 110 columns is between braces.
static void test_width(void **state)
{
    (void)state;
    for (int indent = 0; indent < 3; indent++)
        for (int more = 0; more < 2; more++) {
            const char *text = repeated('x', 110 - 4 * (indent + 1) + more),
                       *space = TEXT("%*s", 4 * indent, "");
            begin_if("a");
            line(text);
            emit_close(&emit);
            check_at(indent, more ? TEXT("%sif (a) {\n%s    %s\n%s}\n", space, space, text, space)
                                  : TEXT("%sif (a)\n%s    %s\n", space, space, text));
            begin_if("a");
            line("y;");
            emit_else(&emit);
            line(text);
            emit_close(&emit);
            check_at(indent,
                     more ? TEXT("%sif (a) {\n%s    y;\n%s} else {\n%s    %s\n%s}\n", space, space, space,
                                 space, text, space)
                          : TEXT("%sif (a)\n%s    y;\n%selse\n%s    %s\n", space, space, space, space, text));
            const char *value = repeated('x', 110 - 4 * (indent + 1) - (int)strlen("name = ;") + more);
            begin_if("a");
            emit_assignment(&emit, NULL, &(Variable){.name = "name"}, emit_word(value));
            emit_close(&emit);
            check_at(indent, more ? TEXT("%sif (a) {\n%s    name = %s;\n%s}\n", space, space, value, space)
                                  : TEXT("%sif (a)\n%s    name = %s;\n", space, space, value));
        }
}

// ---- comments and labels ----------------------------------------------------------------------------------

// Only labels that something jumps to are printed, outside the code around them; each has a name of its own.
static void test_labels(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        ARENA_PUSH(emit.arena, emit.label, emit.label_count, (Label){0});
    begin_if("a");
    emit_jump(&emit, 3);
    emit_close(&emit);
    begin_if("b");
    emit_jump(&emit, 2);
    emit_close(&emit);
    emit_jump(&emit, 3);
    emit_label(&emit, 1);
    emit_label(&emit, 2);
    line("x;");
    emit_label(&emit, 3);
    check_at(1, "    if (a)\n        goto next;\n    if (b)\n        goto next_2;\n    goto "
                "next;\nnext_2:;\n    x;\nnext:;\n");
}

// ---- declarations -----------------------------------------------------------------------------------------

// At the top, when a jump leads over the first assignment to a place where the variable is known.
static void test_declared_around_jumps(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        ARENA_PUSH(emit.arena, emit.label, emit.label_count, (Label){0});
    Variable *before = variable("before", "int32_t"), *over = variable("over", "int32_t"),
             *behind = variable("behind", "int32_t"), *inner = variable("inner", "int32_t");
    line("x;");
    assign(before);
    begin_if("a");
    emit_jump(&emit, 1);
    emit_close(&emit);
    assign(over);
    begin_if("b");
    assign(inner);
    use(inner);
    emit_close(&emit);
    emit_label(&emit, 1);
    assign(behind);
    use(before);
    use(over);
    use(behind);
    emit_declare_locals(&emit, body);
    check_at(1, "    int32_t over = 0;\n    x;\n    const int32_t before = 7;\n    if (a)\n        goto "
                "next;\n    over = 7;\n"
                "    if (b) {\n        const int32_t inner = 7;\n        use(inner);\n    }\nnext:;\n    "
                "const int32_t behind = 7;\n"
                "    use(before);\n    use(over);\n    use(behind);\n");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_width),
        TEST(test_labels),
        TEST(test_declared_around_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
