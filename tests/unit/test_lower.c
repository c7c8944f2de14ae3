// What the lowering says about a whole query: what it needs from games; which filters keep their places; how tall values and
// concatenations become.
#include "test.h"

#include <stdio.h>

#include "compiler/front/detect/dialect.h"
#include "compiler/middle/ir/build.h"
#include "compiler/middle/lower/lower.h"
#include "compiler/middle/transform/transforms.h"
#include "runtime/game/view.h"

static Arena *arena; // of one test

// `variations` as in LowerOptions.
static const Module *lowered_with(Dialect dialect, const char *text, int variations)
{
    Source *source = arena_alloc(arena, sizeof *source);
    *source = (Source){"test", text, strlen(text), NULL};
    source_index(arena, source);
    Diagnostics d = {.arena = arena, .source = source};
    const ParseOptions parsing = {.variations = -1};
    const LowerOptions options = {.optimize = true, .variations = variations};
    Query *query = parse_any(arena, source, dialect, &parsing, &d, NULL, NULL);
    const Module *m = query != NULL && transform_query(query, &d) ? lower_query(query, &options, &d) : NULL;
    if (m == NULL)
        fail_msg("`%s`: %s", text, d.count > 0 ? d.list[0].message : "refused");
    assert_null(ir_verify(m));
    return m;
}

static const Module *lowered(const char *text)
{
    return lowered_with(DIALECT_CQL6, text, -1);
}

static int open_arena(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int close_arena(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

// ---- what a query needs -----------------------------------------------------------------------------------

enum {
    VARIATIONS = QUERY_VARIATIONS,
    QUIET = QUERY_QUIET,
    SILENT = QUERY_SILENT,
    BY_COUNT = QUERY_SORT_MATCHCOUNT | QUERY_COMMENTS,
    MATCHES = QUERY_HAS_MATCHCOUNT,
    NUMBERS = QUERY_HAS_GAMENUMBER,
    NOTES = QUERY_NEEDS_NOTES,
    TAGS = QUERY_NEEDS_TAGS,
    PIECES = QUERY_NEEDS_PIECES,
    WRITES = QUERY_COMMENTS,
    IN_ORDER = QUERY_SEQUENTIAL,
    LAST_NUMBER = QUERY_NEEDS_LAST_NUMBER,
    CLOCKS = QUERY_NEEDS_CLOCKS,
    KINGS = QUERY_NEEDS_CHECKS
};

typedef struct Need {
    const char *text;
    uint32_t flags;
} Need;

static void check_flags(Dialect dialect, const Need *row, size_t count, uint32_t of_dialect)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t flags = lowered_with(dialect, row[i].text, -1)->info.flags;
        if (flags != (row[i].flags | of_dialect))
            fail_msg("`%s`: flags %x, expected %x", row[i].text, flags, row[i].flags | of_dialect);
    }
}

static void test_needs(void **state)
{
    (void)state;
    static const Need rows[] = {
        {"cql() btm", 0},
        {"cql() find quiet check", KINGS},
        {"cql() mate", KINGS},
        {"cql(variations) btm", VARIATIONS},
        {"cql(quiet) btm", QUIET},
        {"cql(silent) btm", SILENT},
        {"cql(quiet silent) btm", QUIET}, // the first counts
        {"cql(silent quiet) btm", SILENT},
        {"cql(matchcount 2 5) btm", MATCHES},
        {"cql(gamenumber 2 5) btm", NUMBERS},
        {"cql(sort matchcount 2 5) btm", BY_COUNT | MATCHES},
        {"cql() originalcomment", NOTES},
        {"cql() \"a\" in originalcomment", NOTES},
        {"cql() hhdb gbr", NOTES | TAGS},
        {"cql() clock > 3", CLOCKS},
        {"cql() elapsed > 3", CLOCKS},
        {"cql() eval > 3", CLOCKS},
        // tags, and what is no tag
        {"cql() player \"a\"", TAGS},
        {"cql() elo > 3", TAGS},
        {"cql() year > 3", TAGS},
        {"cql() event \"a\"", TAGS},
        {"cql() site \"a\"", TAGS},
        {"cql() date \"a\"", TAGS},
        {"cql() eventdate \"a\"", TAGS},
        {"cql() eco \"a\"", TAGS},
        {"cql() tag \"a\" == \"b\"", TAGS},
        {"cql() gamenumber == 1", 0},
        {"cql() lastgamenumber == 1", LAST_NUMBER},
        {"cql() result 1-0", 0},
        {"cql() settag(\"a\" \"b\")", WRITES},
        {"cql() removecomment", WRITES},
        // identities of pieces
        {"cql() pieceid K == 1", PIECES},
        {"cql() piece x in A x", PIECES},
        {"cql() piece x = K", PIECES},
        {"cql() square x in A x", 0},
        {"cql() path quiet piecepath focus A --", PIECES | WRITES},
        {"cql() path quiet --", 0},
        // texts: automatic comments of filters at the level normal alone
        {"cql() comment(\"a\")", WRITES},
        {"cql(quiet) comment(\"a\")", QUIET | WRITES},
        {"cql(silent) comment(\"a\")", SILENT},
        {"cql() find btm", WRITES},
        {"cql() find quiet btm", 0},
        {"cql(quiet) find btm", QUIET},
        {"cql(silent) find btm", SILENT},
        {"cql() line --> btm", WRITES},
        {"cql() line quiet --> btm", 0},
        {"cql(quiet) line --> btm", QUIET},
        {"cql() echo (x y) btm", WRITES},
        {"cql() echo quiet (x y) btm", 0},
        {"cql(quiet) echo (x y) btm", QUIET},
        {"cql() path --", WRITES},
        {"cql(quiet) path --", QUIET},
        {"cql() path quiet title \"a\" --", WRITES},
        {"cql(quiet) path title \"a\" --", QUIET | WRITES},
        {"cql(quiet) path verbose --", QUIET | WRITES},
        {"cql(silent) path verbose title \"a\" --", SILENT},
        {"cql() move from K comment(\"a\")", WRITES},
        {"cql() move from K", 0},
        {"cql() str(currentposition) == \"a\"", WRITES}, // the name of a position leaves a link
        {"cql() str(3) == \"a\"", 0},
        {"cql(silent) str(currentposition) == \"a\"", SILENT},
        {"cql() dictionary D D[1]=2 str(D) == \"a\"", WRITES | IN_ORDER},
        {"cql() message(\"a\")", WRITES}, // and so does that of the current one
        {"cql() message quiet (\"a\")", 0},
        {"cql() message quiet (currentposition)", WRITES},
        {"cql() sort \"a\" ply", WRITES},
        {"cql() similarposition \"a.pgn\"", WRITES},
        {"cql() similarposition nosort notransform \"a.pgn\"", WRITES | QUERY_SIMILAR_PLAIN},
        {"cql(silent) sort \"a\" ply", SILENT | WRITES},
        {"cql() echo quiet (x y) {consecutivemoves quiet (x y)}", WRITES},
        // what one game leaves for the next
        {"cql() persistent x = 3", IN_ORDER},
        {"cql() persistent quiet x = 3", IN_ORDER},
        {"cql() x = 3", 0},
        {"cql() dictionary D D[1]=2", IN_ORDER},
        {"cql() local dictionary D D[1]=2", 0},
        {"cql() readfile \"a\" == \"b\"", IN_ORDER},
        {"cql() writefile(\"a\" \"b\")", IN_ORDER},
        // anywhere in the query, and together
        {"cql() not {btm or {K attacks k eval < 3}}", CLOCKS},
        {"cql(variations quiet) if btm then {sort \"a\" elo} else {piece x in A x}",
         VARIATIONS | QUIET | WRITES | TAGS | PIECES},
    };
    check_flags(DIALECT_CQL6, rows, sizeof rows / sizeof *rows, 0);
    static const Need of_cqli[] = {
        {"cql() btm", 0},
        {"cql() move legal : btm", QUERY_IMAGINARY | KINGS},
        {"cql() move from K : btm", QUERY_IMAGINARY},
        {"cql() imagine remove a1 : btm", QUERY_IMAGINARY},
        {"cql() move legal", KINGS},
        {"cql() removetag \"a\"", WRITES},
    };
    check_flags(DIALECT_CQLI, of_cqli, sizeof of_cqli / sizeof *of_cqli, QUERY_CQLI);
    static const Need of_cql5[] = {
        {"cql() btm", 0},
        {"cql() next (btm wtm)", WRITES},
        {"cql() relation (descendant)", WRITES},
    };
    check_flags(DIALECT_CQL5, of_cql5, sizeof of_cql5 / sizeof *of_cql5, QUERY_CQL5);
    static const Need of_cql3[] = {{"(match (position))", 0}, {"(match (position :variations))", VARIATIONS}};
    check_flags(DIALECT_CQL3, of_cql3, sizeof of_cql3 / sizeof *of_cql3, QUERY_CQL3);
}

// ---- places -----------------------------------------------------------------------------------------------

static Ir *with_kids(IrOp op, int local, Ir *first, int numbers, Ir *body)
{
    Ir *loop = ir_new(arena, op, IRT_BOOL, 0);
    loop->number = local;
    loop->mode = MODE_ANY;
    if (first != NULL)
        ir_add_kid(loop, first);
    for (int i = 0; i < numbers; i++)
        ir_add_kid(loop, ir_int(arena, i));
    ir_add_kid(loop, body);
    return loop;
}

// A loop of each kind.
static Ir *loop(int kind, Ir *body)
{
    switch (kind) {
    case 0:
        return with_kids(IR_EACH_SQUARE, 0, ir_set(arena, 3), 0, body);
    case 1:
        return with_kids(IR_EACH_POSITION, 0, ir_current(arena), 1, body);
    case 2:
        return with_kids(IR_EACH_ANCESTOR, 0, ir_current(arena), 0, body);
    case 3:
        return with_kids(IR_EACH_COMPARED, 0, NULL, 5, body);
    default:
        return with_kids(IR_EACH_CHILD, 0, ir_current(arena), 0, body);
    }
}
enum { LOOPS = 5 };

// The condition at place 7, after place_keep: whether it keeps its place.
static bool keeps_place(Ir *condition)
{
    Module *m = arena_alloc(arena, sizeof *m);
    m->arena = arena;
    IrFunction *f = ir_new_function(m, "body", NULL);
    ir_new_local(f, IRT_INT);
    Ir *place = ir_unary(IR_PLACE, condition);
    place->number = 7;
    f->body = ir_not(ir_new(arena, IR_AND, IRT_BOOL, 2, ir_bool(arena, true), place));
    place_keep(m);
    if (place->kid[0] == condition) {
        assert_int_equal(m->info.place_cell, 0);
        return false;
    }
    assert_int_equal(m->info.place_cell, 1);
    assert_int_equal(m->info.slot_count, 1);
    const Ir *store = place->kid[0]->kid[0];
    assert_int_equal(place->kid[0]->op, IR_AND);
    assert_int_equal(place->kid[0]->kid_count, 2);
    assert_ptr_equal(place->kid[0]->kid[1], condition);
    assert_int_equal(store->op, IR_STORE);
    assert_int_equal(store->number, 0);
    assert_int_equal(store->kid[0]->number, 7);
    return true;
}

// What may use up a budget: loops without an end, functions, loops in loops; and what may fail in a call.
static void test_kept_places(void **state)
{
    (void)state;
    Ir *yes = ir_bool(arena, true), *text = ir_new(arena, IR_STRING, IRT_STRING, 0),
       *number = ir_int(arena, 0);
    assert_false(keeps_place(yes));
    assert_false(keeps_place(ir_new(arena, IR_RAISE, IRT_BOOL, 0)));
    assert_true(keeps_place(ir_while(yes, yes)));
    assert_true(keeps_place(ir_invoke(arena, 0)));
    assert_true(keeps_place(ir_or(yes, ir_not(ir_invoke(arena, 0)))));
    for (int outer = 0; outer < LOOPS; outer++) {
        if (keeps_place(loop(outer, yes)) || keeps_place(ir_or(loop(outer, yes), loop(outer, yes))))
            fail_msg("loop %d", outer);
        if (!keeps_place(loop(outer, ir_while(yes, yes))))
            fail_msg("loop %d, and one without an end in it", outer);
        for (int inner = 0; inner < LOOPS; inner++)
            if (!keeps_place(loop(outer, ir_not(loop(inner, yes)))))
                fail_msg("loop %d in loop %d", inner, outer);
    }
    assert_true(keeps_place(ir_call(arena, IR_CALL_log_cut, 1, number))); // has an effect
    assert_false(keeps_place(ir_call(arena, IR_CALL_log_wanted, 0)));
    assert_false(keeps_place(ir_call(arena, IR_CALL_in_check, 0)));
    assert_false(keeps_place(ir_call(arena, IR_CALL_contains, 2, text, text)));
    assert_true(keeps_place(ir_call(arena, IR_CALL_regex_found, 2, number, text)));
    assert_true(keeps_place(ir_call(arena, IR_CALL_comment_found, 1, number)));
    assert_true(keeps_place(ir_call(arena, IR_CALL_fen_found, 1, number)));
}

// ---- heights ----------------------------------------------------------------------------------------------

static const char *repeated(const char *before, const char *text, int count, const char *after)
{
    char *all = arena_alloc(arena, strlen(before) + strlen(text) * (size_t)count + strlen(after) + 1);
    char *end = stpcpy(all, before);
    for (int i = 0; i < count; i++)
        end = stpcpy(end, text);
    stpcpy(end, after);
    return all;
}

// A value of more than 40 levels is held in a local.
static void test_tall_values(void **state)
{
    (void)state;
    for (int terms = 37; terms <= 42; terms++) { // a level more than terms
        const Module *m = lowered(repeated("cql() 3", "+ply", terms - 1, " == 5"));
        const int locals = terms <= 39 ? 0 : 1;
        if (m->function[0]->local_count != locals)
            fail_msg("%d terms: %d locals", terms, m->function[0]->local_count);
    }
}

// ---- errors of the program --------------------------------------------------------------------------------

// A filter without a value where one is wanted, which no parser makes, and nothing is compiled.
static void test_missing_value(void **state)
{
    (void)state;
    const char *text = "cql() ply > 3";
    Source *source = arena_alloc(arena, sizeof *source);
    *source = (Source){"test", text, strlen(text), NULL};
    Diagnostics d = {.arena = arena, .source = source};
    const ParseOptions parsing = {.variations = -1};
    Query *query = parse_any(arena, source, DIALECT_CQL6, &parsing, &d, NULL, NULL);
    assert_non_null(query);
    assert_non_null(lower_query(query, NULL, &d));
    query->body->kid[0]->kid[0]->op = OP_TRUE;
    assert_null(lower_query(query, NULL, &d));
    assert_int_equal(d.errors, 1);
    assert_string_equal(d.list[0].message, "`true` cannot be lowered for its value");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_arena, close_arena)
    const struct CMUnitTest tests[] = {
        TEST(test_needs),
        TEST(test_tall_values),
        TEST(test_kept_places),
        TEST(test_missing_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
