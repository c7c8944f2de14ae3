// What the positions of a game must look like (compiler/middle/screen), for bodies that queries seldom or never have.
#include "ir_text.h"

#include "compiler/middle/optimise/optimise.h"
#include "compiler/middle/screen/screen.h"

#include <stdio.h>

typedef struct Row {
    const char *cells, *locals, *body;
    const char *function; // number 1, with the same locals; NULL: there is none
    const char *
        wanted; // conditions with `;` between them, each at the three places with `|` between them if they differ;
                // `!` before: exact; NULL: no screen
} Row;

// The next part of a text that ends there or at the sign.
static char *next_part(Arena *a, const char **text, char sign)
{
    const char *end = strchr(*text, sign);
    const size_t length = end != NULL ? (size_t)(end - *text) : strlen(*text);
    char *part = arena_copy(a, *text, length);
    *text += length + (end != NULL);
    return part;
}

static void check_screen(Module *m, const char *wanted)
{
    screen_module(m);
    if ((wanted != NULL) != (m->screen != NULL)) {
        ir_print(stderr, m);
        fail_msg("wanted: %s", wanted != NULL ? wanted : "no screen");
    }
    if (wanted == NULL)
        return;
    if (m->screen->is_exact != (*wanted == '!'))
        ir_print(stderr, m);
    assert_int_equal(m->screen->is_exact, *wanted == '!');
    wanted += *wanted == '!';
    int count = 0;
    for (; *wanted != '\0'; count++) {
        const char *condition = next_part(m->arena, &wanted, ';');
        const bool is_same = strchr(condition, '|') == NULL;
        const char *all = condition;
        for (int place = 0; place < SCREEN_PLACES; place++)
            if (count < m->screen->count)
                assert_ir(m, m->screen->condition[count][place],
                          is_same ? all : next_part(m->arena, &condition, '|'));
    }
    if (count != m->screen->count)
        ir_print(stderr, m);
    assert_int_equal(count, m->screen->count);
}

static void check_rows(const Row *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Module *m =
            module_of_text(row[i].cells, row[i].locals, row[i].function != NULL ? "TRUE" : row[i].body);
        if (row[i].function != NULL) {
            add_ir_function(m, row[i].locals, row[i].function);
            m->function[0]->body = ir_from_text(m, m->function[0], row[i].body);
            assert_null(ir_verify(m));
        }
        check_screen(m, row[i].wanted);
        arena_free(m->arena);
    }
}

#define CHECK(rows) check_rows(rows, sizeof rows / sizeof *rows)

#define KD1 "ANY(SET_AND([K], #8))"
#define RA1 "ANY(SET_AND([R], #1))"
#define KD1_BEFORE "ANY(SET_AND([K*], #8))"
#define HAS_PARENT "GE(.parent(CURRENT), 0)"
// At some position of the game.
#define VISIT(condition) "EACH_POSITION:0,any(0, SUB(@0, 1), AT(%0, " condition "))"

// What needs an earlier success of the same kind is left out: one of them was the first.
static void first_successes_count(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), EQ(%0, 5), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), EQ(%0, 0), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, "OR(" RA1 ", " KD1 ")"},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), GE(%0, 0), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, "OR(" RA1 ", " KD1 ")"},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), GT(%0, 0), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"ii", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($1), EQ(%0, 5), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, "OR(" RA1 ", " KD1 ")"},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), GE(%0, 5), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), NE(%0, 0), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), LT(%0, 0), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), LE(%0, -1), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), PLACE:5(EQ(%0, 5)), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"", "x", "OR(memo_find:0(1, 1), " KD1 ")", NULL, KD1},
        {"", "x", "OR(" KD1 ", memo_find:0(1, 1))", NULL, KD1},
        {"", "x", "OR(AND(" RA1 ", memo_find:0(1, 1)), " KD1 ")", NULL, KD1},
        {"", "x", "AND(" RA1 ", memo_find:0(1, 1))", NULL, NULL},
        {"", "x", "OR(AND(" RA1 ", memo_find:0(1, 1)), memo_find:0(1, 1))", NULL, NULL},
        {"", "x", "OR(AND(FALSE, memo_find:0(1, 1)), " KD1 ")", NULL, KD1},
        {"", "x", "AND(OR(AND(FALSE, memo_find:0(1, 1)), FALSE), " KD1 ")", NULL, "FALSE"},
        {"", "x", "OR(AND(" RA1 ", memo_visit(1, 1)), " KD1 ")", NULL, "OR(" RA1 ", " KD1 ")"},
    };
    CHECK(rows);
}

static void effects_outside_count(void **state)
{
    (void)state;
    // What comes after is no reason to leave the game out, because something has been seen then.
    static const char *const seen[] = {
        "message(\"x\", 0)",
        "write_file(\"x\", \"y\")",
        "contains(read_file(\"x\"), \"y\")",
        "command_pipe:1(\"x\", \"y\")",
        "raise(1, \"x\")",
        "EQ(pattern(\"x\"), 1)",
        "group:1(1)",
        "group_offset:0(1)",
        "EQ(group_number(\"x\"), 1)",
        "ANY(direction([P], 1, 1, 7))",
        "RAISE:1,-1",
    };
    static const char *const unseen[] = {
        "ALWAYS(regex:1(0, \"x\"))",
        "log_add(CURRENT, \"x\")",
        "sort_int(0, 0, 1, 2)",
        "set_tag(\"x\", \"y\")",
    };
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        char body[400];
        snprintf(body, sizeof body, "AND(%s, %s, %s)", RA1, seen[i], KD1);
        const Row row = {"", "itx", body, NULL, RA1};
        check_rows(&row, 1);
        snprintf(body, sizeof body, "AND(%s, OR(AND(%s, FALSE), %s))", RA1, seen[i], KD1);
        check_rows(&row, 1);
    }
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        char body[400];
        snprintf(body, sizeof body, "AND(%s, %s, %s)", RA1, unseen[i], KD1);
        const Row row = {"", "itx", body, NULL, "AND(" RA1 ", " KD1 ")"};
        check_rows(&row, 1);
    }
    static const Row rows[] = {
        {"", "", "AND(" RA1 ", INVOKE:1(), " KD1 ")", "message(\"x\", 0)", RA1},
        {"", "", "AND(" RA1 ", INVOKE:1(), " KD1 ")", "TRUE", "AND(" RA1 ", " KD1 ")"},
        {"", "", "AND(message(\"x\", 0), " KD1 ")", NULL, NULL},
        {"", "", "OR(" KD1 ", message(\"x\", 0))", NULL, NULL},
        {"", "", "PLACE:5(AND(" RA1 ", message(\"x\", 0), " KD1 "))", NULL, RA1},
    };
    CHECK(rows);
}

static Module *module_with(void (*change)(Module *m), const char *body)
{
    Module *m = module_of_text("", "x", body);
    change(m);
    return m;
}

static void is_sequential(Module *m)
{
    m->info.flags |= QUERY_SEQUENTIAL;
}

static void finds_similar(Module *m)
{
    m->info.flags |= QUERY_SIMILAR_PLAIN;
}

static void finds_similar_of_file(Module *m)
{
    m->info.similar_file = "x.pgn";
}

static void wants_no_match(Module *m)
{
    m->info.flags |= QUERY_HAS_MATCHCOUNT;
}

static void wants_a_match(Module *m)
{
    m->info.flags |= QUERY_HAS_MATCHCOUNT;
    m->info.matchcount_low = 1;
}

static void keeps_a_value(Module *m)
{
    m->info.persistent_slots = 1;
}

static void imagines(Module *m)
{
    m->info.flags |= QUERY_IMAGINARY;
}

static void queries_need_all_games(void **state)
{
    (void)state;
    static const struct {
        void (*change)(Module *m);
        const char *body, *wanted;
    } row[] = {
        {is_sequential, KD1, NULL},
        {finds_similar, KD1, NULL},
        {finds_similar_of_file, KD1, NULL},
        {wants_no_match, KD1, NULL},
        {wants_a_match, KD1, "!" KD1},
        {keeps_a_value, KD1, NULL},
        // Positions elsewhere may be imaginary, those here, before and after are of the game.
        {imagines, KD1, "!" KD1},
        {imagines, "AND(" RA1 ", " VISIT(KD1) ")", RA1},
        {imagines, "AND(" RA1 ", EACH_CHILD:0,any(.last(CURRENT), AT(%0, " KD1 ")))", RA1},
        {imagines, "EACH_CHILD:0,any(CURRENT, AT(%0, " KD1 "))", "FALSE|" KD1 "|" KD1},
        {imagines, "AND(" HAS_PARENT ", AT(.parent(CURRENT), " KD1 "))", "!FALSE|" KD1_BEFORE "|" KD1_BEFORE},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Module *m = module_with(row[i].change, row[i].body);
        check_screen(m, row[i].wanted);
        assert_int_equal((m->info.flags & QUERY_EXACT_SCREEN) != 0,
                         row[i].wanted != NULL && *row[i].wanted == '!');
        arena_free(m->arena);
    }
}

// A condition of `size` nodes, and one more: at most 12000 at all places together.
static void large_conditions_are_left_out(void **state)
{
    (void)state;
    enum { NODES = 4, MOST = (12000 / SCREEN_PLACES - 1) / NODES };
    for (int count = MOST; count <= MOST + 1; count++) {
        Module *m = module_of_text("", "", "TRUE");
        Ir *all = ir_new(m->arena, IR_AND, IRT_BOOL, 0);
        for (int i = 1; i <= count; i++)
            ir_add_kid(all,
                       ir_any(ir_set_and(ir_board(m->arena, WHITE_PAWN), ir_set(m->arena, (Bitboard)i))));
        m->function[0]->body = all;
        screen_module(m);
        assert_int_equal(m->screen != NULL, count == MOST);
        arena_free(m->arena);
    }
}

// Functions that do not call themselves are entered once for each call: a chain of them takes work in proportion to its length,
// even if each calls another one twice.
static void calls_take_little_work(void **state)
{
    (void)state;
    enum { FUNCTIONS = 20 };
    for (int leaves = 0; leaves <= 2; leaves += 2) {
        Module *m = module_of_text("", "", "TRUE");
        for (int i = 1; i < FUNCTIONS; i++)
            add_ir_function(m, "", KD1);
        add_ir_function(m, "", RA1);
        for (int i = 0; i < FUNCTIONS - 1; i++) {
            Ir *all = ir_new(m->arena, IR_AND, IRT_BOOL, 0);
            for (int leaf = 0; leaf < leaves; leaf++)
                ir_add_kid(all, ir_invoke(m->arena, FUNCTIONS));
            ir_add_kid(all, ir_invoke(m->arena, i + 1));
            m->function[i]->body = all;
        }
        check_screen(m, leaves > 0 ? "AND(" RA1 ", " KD1 ")" : KD1);
        arena_free(m->arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_successes_count),  cmocka_unit_test(effects_outside_count),
        cmocka_unit_test(queries_need_all_games), cmocka_unit_test(large_conditions_are_left_out),
        cmocka_unit_test(calls_take_little_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
