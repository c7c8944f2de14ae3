// How statements of emitted C are printed, and where the locals are declared (back/emit_statements.c, emit_locals.c).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void check(const char *wanted)
{
    check_at(0, wanted);
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

static void lines(int count)
{
    for (int i = 0; i < count; i++)
        line("x;");
}

// A branch of one line has no braces, unless the other one needs them.
static void test_braces(void **state)
{
    (void)state;
    static const struct {
        int yes, no; // lines; no -1: no else
        const char *text;
    } cases[] = {
        {1, -1, "if (a)\n    x;\n"},
        {2, -1, "if (a) {\n    x;\n    x;\n}\n"},
        {0, -1, "if (a) {\n}\n"},
        {1, 1, "if (a)\n    x;\nelse\n    x;\n"},
        {2, 1, "if (a) {\n    x;\n    x;\n} else {\n    x;\n}\n"},
        {1, 2, "if (a) {\n    x;\n} else {\n    x;\n    x;\n}\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int blanks = 0; blanks < 2; blanks++) {
            begin_if("a");
            if (blanks)
                emit_blank(&emit);
            lines(cases[i].yes);
            if (blanks)
                emit_blank(&emit);
            if (cases[i].no >= 0) {
                emit_else(&emit);
                lines(cases[i].no);
            }
            emit_close(&emit);
            check(cases[i].text);
        }
}

// `else if` continues the line, whatever the branches have; each `if` decides for itself.
static void test_chains(void **state)
{
    (void)state;
    static const struct {
        int yes, second, no;
        const char *text;
    } cases[] = {
        {1, 1, 1, "if (a)\n    x;\nelse if (b)\n    x;\nelse\n    x;\n"},
        {2, 1, 1, "if (a) {\n    x;\n    x;\n} else if (b)\n    x;\nelse\n    x;\n"},
        {1, 2, 1, "if (a)\n    x;\nelse if (b) {\n    x;\n    x;\n} else {\n    x;\n}\n"},
        {1, 1, 2, "if (a)\n    x;\nelse if (b) {\n    x;\n} else {\n    x;\n    x;\n}\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin_if("a");
        lines(cases[i].yes);
        emit_else(&emit);
        begin_if("b");
        lines(cases[i].second);
        emit_else(&emit);
        lines(cases[i].no);
        emit_close(&emit);
        emit_close(&emit);
        check(cases[i].text);
    }
    begin_if("a"); // an `if` and more is no chain
    line("x;");
    emit_else(&emit);
    begin_if("b");
    line("x;");
    emit_close(&emit);
    line("y;");
    emit_close(&emit);
    check("if (a) {\n    x;\n} else {\n    if (b)\n        x;\n    y;\n}\n");
}

// What is no line alone is between braces.
static void test_blocks(void **state)
{
    (void)state;
    begin_if("a");
    begin_if("b");
    line("x;");
    emit_close(&emit);
    emit_close(&emit);
    check("if (a) {\n    if (b)\n        x;\n}\n");
    begin_if("a");
    emit_loop(&emit, "for (%s)", ";;");
    line("x;");
    emit_close(&emit);
    emit_close(&emit);
    check("if (a) {\n    for (;;) {\n        x;\n    }\n}\n");
    begin_if("a");
    emit_comment(&emit, 0, "note");
    emit_close(&emit);
    check("if (a) {\n    // note\n}\n");
    begin_if("a");
    emit_assignment(&emit, "int32_t", variable("v", NULL), emit_word("7"));
    emit_close(&emit);
    check("if (a) {\n    int32_t v = 7;\n}\n");
    begin_if("a");
    assign(variable("w", NULL));
    emit_close(&emit);
    check("if (a)\n    w = 7;\n");
}

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

// A line of the query is shown once, until another one is; a note each time. Nothing in C that nobody reads.
static void test_comments(void **state)
{
    (void)state;
    emit_comment(&emit, 1, NULL);
    emit_comment(&emit, 1, NULL);
    emit_comment(&emit, 1, "note");
    emit_comment(&emit, 0, NULL);
    emit_comment(&emit, 2, "more");
    emit_comment(&emit, 0, "note");
    emit_comment(&emit, 2, NULL);
    emit_comment(&emit, 1, NULL);
    check("// 1: first\n// note\n// 2: second -- more\n// note\n// 1: first\n");
    emit.is_read = false;
    emit_comment(&emit, 2, "note");
    check("");
    emit.is_read = true;
    module.source = NULL;
    emit_comment(&emit, 2, NULL);
    emit_comment(&emit, 2, "note");
    check("// note\n");
}

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

static void check_declared(const char *wanted)
{
    emit_declare_locals(&emit, body);
    check(wanted);
}

// At the first assignment, where all else follows it; a constant, when nothing else changes it.
static void test_declared_at_assignment(void **state)
{
    (void)state;
    Variable *v = variable("v", "int32_t"), *twice = variable("twice", "Bitboard"),
             *given = variable("given", "int32_t");
    assign(v);
    assign(twice);
    assign(given);
    given->has_pointer = true;
    use(v);
    begin_if("a");
    assign(twice);
    emit_close(&emit);
    use(given);
    check_declared("const int32_t v = 7;\nBitboard twice = 7;\nint32_t given = 7;\nuse(v);\nif (a)\n    "
                   "twice = 7;\nuse(given);\n");
    Variable *itself = variable("itself", "int32_t");
    emit_assignment(&emit, NULL, itself, emit_primary(&emit, "f(%v)", itself));
    check_declared("int32_t itself = 0;\nitself = f(itself);\n");
}

// Before the first statement of the innermost block that has all uses.
static void test_declared_before(void **state)
{
    (void)state;
    Variable *v = variable("v", "int32_t"), *deep = variable("deep", "int32_t"),
             *none = variable("none", NULL);
    line("x;");
    begin_if("a");
    line("y;");
    begin_if("b");
    assign(v);
    assign(deep);
    use(deep);
    assign(none);
    emit_close(&emit);
    use(v);
    emit_close(&emit);
    check_declared("x;\nif (a) {\n    y;\n    int32_t v = 0;\n    if (b) {\n        v = 7;\n        const "
                   "int32_t deep = 7;\n"
                   "        use(deep);\n        none = 7;\n    }\n    use(v);\n}\n");
    Variable *branches = variable("branches", "int32_t");
    line("x;");
    begin_if("a");
    assign(branches);
    emit_else(&emit);
    use(branches);
    emit_close(&emit);
    check_declared("x;\nint32_t branches = 0;\nif (a)\n    branches = 7;\nelse\n    use(branches);\n");
}

// At the top, when the value must last from round to round of a loop.
static void test_declared_at_the_top(void **state)
{
    (void)state;
    Variable *used = variable("used", "int32_t"), *set = variable("set", "int32_t"),
             *after = variable("after", "int32_t");
    line("x;");
    emit_loop(&emit, "for (;;)");
    use(used);
    assign(used);
    assign(set);
    use(set);
    begin_if("a");
    use(after);
    emit_close(&emit);
    emit_close(&emit);
    check_declared("int32_t used = 0;\nint32_t after = 0;\nx;\nfor (;;) {\n    use(used);\n    used = 7;\n   "
                   " const int32_t set = 7;\n"
                   "    use(set);\n    if (a)\n        use(after);\n}\n");
}

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
        TEST(test_braces),
        TEST(test_chains),
        TEST(test_blocks),
        TEST(test_width),
        TEST(test_comments),
        TEST(test_labels),
        TEST(test_declared_at_assignment),
        TEST(test_declared_before),
        TEST(test_declared_at_the_top),
        TEST(test_declared_around_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
