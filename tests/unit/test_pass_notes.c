// What becomes of the notes of conditions, the comments of emitted C, where passes of the optimiser join or replace conditions.
#include "pass_fixture.h"

#include <stdio.h>

typedef struct NotesRow {
    const char *before, *notes; // the operations that have notes afterwards, with these
} NotesRow;

static void write_notes(const Ir *tree, char **end)
{
    if (tree->type == IRT_BOOL && tree->note != NULL) // of conditions alone: sets have squares in its place
        *end += sprintf(*end, "%s=%s ", ir_op_info[tree->op].name, tree->note);
    for (int i = 0; i < tree->kid_count; i++)
        write_notes(tree->kid[i], end);
}

static void check_notes(void (*pass)(Module *m), const NotesRow *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char notes[1000] = "", *end = notes;
        Module *m = module_of_text("", "iss", row[i].before);
        pass(m);
        write_notes(m->function[0]->body, &end);
        if (strcmp(notes, row[i].notes) != 0)
            fail_msg("%s: wanted %s, not %s", row[i].before, row[i].notes, notes);
        arena_free(m->arena);
    }
}

#define CHECK(pass, rows) check_notes(pass, rows, sizeof rows / sizeof *rows)

static void folded_conditions_have_notes(void **state)
{
    (void)state;
    static const NotesRow rows[] = {
        // An alternative of alternatives is one of the whole.
        {"OR(OR'x'(in_check(), EQ(%0, 1)), EQ(%0, 2))", "CALL=x EQ=x "},
        {"OR(OR'x'(in_check'y'(), EQ(%0, 1)), EQ(%0, 2))", "CALL=y EQ=x "},
        {"OR(OR'x'(OR'y'(in_check(), EQ(%0, 1)), EQ(%0, 2)), EQ(%0, 3))", "CALL=y EQ=y EQ=x "},
        {"OR(EQ'x'(%0, 1), OR'y'(EQ(%0, 2), NE(%0, 3)))", "EQ=x EQ=y NE=y "},
        {"OR'x'(OR(in_check(), EQ(%0, 1)), EQ(%0, 2))", "OR=x "},
        {"AND(AND'x'(in_check(), EQ(%0, 1)), EQ(%0, 2))", ""},
        // What takes the place of a condition has its note, unless it has another one.
        {"NOT'x'(NOT(in_check()))", "CALL=x "},
        {"NOT'x'(NOT(in_check'y'()))", "CALL=y "},
        {"AND'x'(in_check(), TRUE)", "CALL=x "},
        {"OR'x'(FALSE, in_check())", "CALL=x "},
        {"IF'x'(TRUE, in_check(), FALSE)", "CALL=x "},
        {"NOT'x'(EQ(%0, 1))", "NE=x "},
        {"EQ'x'(3, %0)", "EQ=x "},
        {"PLACE:5'x'(TRUE)", "TRUE=x "},
        {"AND'x'(in_check(), EQ(%0, 1))", "AND=x "},
    };
    CHECK(fold_module, rows);
}

#define ON(piece, squares) "ANY(SET_AND([" piece "], #" squares "))"

static void joined_alternatives_have_notes(void **state)
{
    (void)state;
    static const NotesRow rows[] = {
        {"OR(ANY'x'(SET_AND([K], #1)), ANY'y'(SET_AND([K], #2)))", "ANY=x; y "},
        {"OR(ANY'x'(SET_AND([K], #1)), ANY'y'(SET_AND([R], #1)))", "ANY=x; y "},
        {"OR(ANY'x'(SET_AND([K], #1)), ANY(SET_AND([K], #2)))", "ANY=x "},
        {"OR(ANY(SET_AND([K], #1)), ANY'y'(SET_AND([K], #2)))", "ANY=y "},
        {"OR(PLACE:5(ANY'x'(SET_AND([K], #1))), ANY'y'(SET_AND([K], #2)))", "ANY=x; y "},
        // By pieces first, then by squares.
        {"OR(ANY'w'(SET_AND([K], #1)), ANY'x'(SET_AND([R], #1)), ANY'y'(SET_AND([K], #2)), "
         "ANY'z'(SET_AND([R], #2)))",
         "ANY=4 variants: w; ...; z "},
        // What is left after a test of all.
        {"OR(AND'x'(in_check(), EQ(%0, 1)), AND'y'(in_check(), EQ(%0, 2)))", "EQ=x EQ=y "},
        {"OR(AND'x'(in_check(), EQ(%0, 1), NE(%0, 3)), AND'y'(in_check(), EQ(%0, 2)))", "AND=x EQ=y "},
        {"OR(AND'x'(in_check(), EQ(%0, 1)), AND'y'(NOT(in_check()), EQ(%0, 2)))", "EQ=x EQ=y "},
        {"OR(AND'x'(NOT(in_check()), EQ(%0, 1)), AND'y'(in_check(), NE(%0, 2)))", "NE=y EQ=x "},
        // One shape at several places.
        {"OR(AND'x'(" ON("K", "1") ", " ON("P", "300") "), AND'y'(" ON("K", "2") ", " ON("P", "600") "))",
         "ANY=x; y "},
        {"OR(AND(" ON("K", "1") ", " ON("P", "300") "), AND'y'(" ON("K", "2") ", " ON("P", "600") "))",
         "ANY=y "},
        {"OR(AND'x'(" ON("K", "1") ", ANY(attackers([r], #2))), AND'y'(" ON(
             "K", "2") ", ANY(attackers([r], #4))))",
         "AND=x; y "},
    };
    CHECK(combine_alternatives, rows);
}

// Twelve alternatives with the notes 0, 1 ... where the text has an `@`.
static void assert_table_notes(const char *one, const char *wanted)
{
    char text[1000], notes[1000] = "", *end = text + sprintf(text, "OR(");
    for (int i = 0; i < 12; i++)
        for (const char *from = one; *from != '\0'; from++)
            end += *from == '@' ? sprintf(end, "%d", i) : sprintf(end, "%c", *from);
    sprintf(end, ")");
    Module *m = module_of_text("", "iss", text);
    roll_variants(m);
    assert_null(ir_verify(m));
    end = notes;
    write_notes(m->function[0]->body, &end);
    assert_string_equal(notes, wanted);
    arena_free(m->arena);
}

static void tables_have_notes(void **state)
{
    (void)state;
    assert_table_notes("EQ'@'(%0, @) ", "EACH_ROW=12 variants: 0; ...; 11 ");
    assert_table_notes("EQ(%0, @) ", "");
    // A test of all comes before the loop, with the note; a part of each has its own.
    assert_table_notes("AND'@'(in_check(), EQ(%0, @)) ", "AND=12 variants: 0; ...; 11 ");
    assert_table_notes("NOT(EQ'@'(%0, @)) ", "EQ=12 variants: 0; ...; 11 ");
}

// What a function was for becomes the note of its body, unless that has one.
static void parts_have_notes(void **state)
{
    (void)state;
    static const NotesRow rows[] = {{"in_check()", "CALL=a path "}, {"in_check'x'()", "CALL=x "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char notes[100] = "", *end = notes;
        Module *m = module_of_text("i", "", "TRUE");
        m->slot_of_search = arena_alloc(m->arena, sizeof *m->slot_of_search);
        add_ir_function(m, "", rows[i].before);
        m->function[1]->comment = "a path";
        m->function[0]->body = ir_invoke(m->arena, 1);
        inline_searches(m);
        write_notes(m->function[0]->body, &end);
        assert_string_equal(notes, rows[i].notes);
        arena_free(m->arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folded_conditions_have_notes),
        cmocka_unit_test(joined_alternatives_have_notes),
        cmocka_unit_test(tables_have_notes),
        cmocka_unit_test(parts_have_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
