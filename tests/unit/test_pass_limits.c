// Limits of the passes and of the screens: at the limit and one above.
#include "pass_fixture.h"

#include <stdio.h>

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

// A condition that becomes small at each place: AND(TRUE, NOT(... EQ(number, number))).
static void conditions_end(void **state)
{
    (void)state;
    enum { MOST_NODES = 2 * 12000, OTHERS = 3 };
    for (int nodes = MOST_NODES; nodes <= MOST_NODES + 1; nodes++) {
        Module *m = module_of_text("", "i", "TRUE");
        IrFunction *f = m->function[0];
        const int nots = nodes - MOST_NODES + 1, number = (nodes - OTHERS - nots) / 2;
        Ir *test = ir_eq(ir_local(f, 0), ir_local(f, 0));
        for (int i = 0; i < nots; i++)
            test = ir_not(test);
        f->body = ir_and(ir_let(0, number_of_size(m->arena, number)), test);
        screen_module(m);
        assert_int_equal(m->screen != NULL && m->screen->is_exact, nodes <= MOST_NODES);
        arena_free(m->arena);
    }
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

static void rows_end(void **state)
{
    (void)state;
    enum { MOST_ROWS = 40 };
    for (int rows = MOST_ROWS; rows <= MOST_ROWS + 1; rows++) {
        Module *m = new_module();
        IrTable *table = arena_alloc(m->arena, sizeof *table);
        *table = (IrTable){.column_count = 1, .row_count = rows};
        table->column = arena_alloc(m->arena, sizeof *table->column);
        table->column[0] = IRT_SET;
        table->cell = arena_alloc(m->arena, sizeof *table->cell * (size_t)rows);
        for (int i = 0; i < rows; i++)
            table->cell[i] = 1ULL << i;
        ARENA_PUSH(m->arena, m->table, m->table_count, table);
        Ir *row = ir_new(m->arena, IR_ROW, IRT_SET, 0);
        Ir *loop = ir_unary(IR_EACH_ROW, ir_any(ir_set_and(ir_board(m->arena, WHITE_QUEEN), row)));
        loop->mode = MODE_ANY;
        m->function[0]->body = loop;
        assert_int_equal(has_screen(m), rows <= MOST_ROWS);
    }
}

// Bounds for kinds of men: the last one, for all of White's men, is above the limit or not.
static void bounds_end(void **state)
{
    (void)state;
    enum { MOST_BOUNDS = 32 };
    for (int bounds = MOST_BOUNDS; bounds <= MOST_BOUNDS + 1; bounds++) {
        Module *m = new_module();
        Ir *all = ir_new(m->arena, IR_AND, IRT_BOOL, 0);
        for (int i = 1; i < bounds; i++)
            ir_add_kid(all, ir_with_int(IR_LE, ir_count(ir_board(m->arena, WHITE_PAWN)), i));
        ir_add_kid(all, ir_with_int(IR_LE, ir_count(ir_board(m->arena, BOARD_WHITE)), 5));
        m->function[0]->body = all;
        screen_module(m);
        assert_int_equal(m->screen->condition[0][SCREEN_START]->kid_count, bounds + (bounds <= MOST_BOUNDS));
        arena_free(m->arena);
    }
}

// ---- the optimiser ----------------------------------------------------------------------------------------

// A condition of that many nodes is known where it comes again.
static void facts_end(void **state)
{
    (void)state;
    enum { MOST_NODES = 1000 };
    for (int nodes = MOST_NODES; nodes <= MOST_NODES + 1; nodes++) {
        Module *m = new_module();
        Ir *condition = ir_with_int(IR_EQ, number_of_size(m->arena, nodes - 2), 3);
        m->function[0]->body = ir_binary(IR_AND, condition, ir_copy(condition));
        use_known_conditions(m);
        assert_int_equal(m->function[0]->body->op, nodes <= MOST_NODES ? IR_EQ : IR_AND);
        arena_free(m->arena);
    }
}

// Bodies of loops in which the values of locals are looked for.
static void bodies_end(void **state)
{
    (void)state;
    enum { MOST_NODES = 300, OTHERS = 11 };
    for (int nodes = MOST_NODES; nodes <= MOST_NODES + 1; nodes++) {
        Module *m = module_of_text(
            "", "isss",
            "EACH_SQUARE:0,any(%1, AND(LET:3(STEP:0,1(BIT(%0))), ANY(SET_AND(%3, %2)), EQ(5, 3)))");
        Ir *loop = m->function[0]->body, *last = loop->kid[1]->kid[2];
        last->kid[0] = number_of_size(m->arena, nodes - OTHERS);
        restrict_loops(m);
        assert_int_equal(loop->kid[0]->op, nodes <= MOST_NODES ? IR_SET_AND : IR_LOCAL);
        arena_free(m->arena);
    }
}

// A set of the local 1 in a tree of that cost.
static Ir *set_of_cost(Module *m, int cost)
{
    Ir *set = ir_new(m->arena, IR_SET_OR, IRT_SET, 0);
    for (int i = 1; i < cost; i++)
        ir_add_kid(set, ir_local(m->function[0], 1));
    return set;
}

// What is expensive, at the cost of 30, is kept in a local, or asked for late.
static void expensive_sets_stay(void **state)
{
    (void)state;
    for (int cost = EXPENSIVE - 1; cost <= EXPENSIVE; cost++) {
        const bool cheap = cost < EXPENSIVE;
        // The domain of a loop, in the place of all pieces.
        Module *m = module_of_text("", "iss", "EACH_SQUARE:0,any(%1, ANY(attackers(BIT(%0), %2)))");
        m->function[0]->body->kid[0] = set_of_cost(m, cost);
        restrict_loops(m);
        const Ir *set = m->function[0]->body->kid[0];
        while (set->op == IR_SET_AND)
            set = set->kid[set->kid_count - 1];
        assert_int_equal(set->op, IR_CALL);
        assert_int_equal(set->kid[0]->op, cheap ? IR_SET_OR : IR_BOARD);
        arena_free(m->arena);
        // The domain of a loop that collects two values.
        m = module_of_text("ii", "is",
                           "EACH_SQUARE:0,each(%1, AND(STORE:0(ADD($0, 1)), STORE:1(ADD($1, 1))))");
        m->function[0]->body->kid[0] = set_of_cost(m, cost);
        restrict_loops(m);
        assert_int_equal(m->function[0]->body->kid_count, cheap ? 2 : 3);
        arena_free(m->arena);
        // A value that is the same in each round.
        m = module_of_text(
            "", "isss", "EACH_SQUARE:0,any(%1, AND(LET:3(%2), EQ(COUNT(SET_AND(%3, BIT(%0))), MOD(%0, 2))))");
        m->function[0]->body->kid[1]->kid[0]->kid[0] = set_of_cost(m, cost);
        restrict_loops(m);
        assert_int_equal(m->function[0]->body->op, cheap ? IR_AND : IR_EACH_SQUARE);
        arena_free(m->arena);
        // Tests of all squares: an expensive one is a test of its own, if the domain is cheap. The set costs 2 more.
        for (int of_domain = 0; of_domain < 2; of_domain++) {
            m = module_of_text(
                "", "isss",
                "EACH_SQUARE:0,all(%1, AND(ANY(SET_AND(BIT(%0), %2)), ANY(SET_AND(BIT(%0), %3))))");
            Ir *loop = m->function[0]->body;
            loop->kid[0] = of_domain ? set_of_cost(m, cost) : loop->kid[0];
            loop->kid[1]->kid[1]->kid[0]->kid[1] = set_of_cost(m, of_domain ? EXPENSIVE : cost - 2);
            restrict_loops(m);
            assert_int_equal(m->function[0]->body->op, cheap == of_domain ? IR_AND : IR_NOT);
            arena_free(m->arena);
        }
        // Operands of intersections.
        m = module_of_text("", "is", "ANY(SET_AND(%1, %1))");
        m->function[0]->body->kid[0]->kid[0] = set_of_cost(m, cost);
        m->function[0]->body->kid[0]->kid[1] = set_of_cost(m, EXPENSIVE);
        stage_intersections(m);
        assert_int_equal(m->function[0]->body->op, cheap ? IR_ANY : IR_AND);
        arena_free(m->arena);
    }
}

// Places of a shape that cost 28 and 30: two squares above each other.
static void expensive_places_come_last(void **state)
{
    (void)state;
    for (int cost = 13; cost <= 14; cost++) {
        Module *m = module_of_text("", "iss",
                                   "OR(AND(ANY(SET_AND([K], #1)), ANY(SET_AND(%1, #101))), "
                                   "AND(ANY(SET_AND([K], #2)), ANY(SET_AND(%1, #202))))");
        for (int i = 0; i < 2; i++)
            m->function[0]->body->kid[i]->kid[1]->kid[0]->kid[0] = set_of_cost(m, cost);
        combine_alternatives(m);
        assert_int_equal(m->function[0]->body->op, cost == 13 ? IR_ANY : IR_AND);
        arena_free(m->arena);
    }
}

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

// Functions that become part of others: together they have that many nodes.
static void parts_end(void **state)
{
    (void)state;
    enum { MOST_NODES = 400, OTHERS = 1 + 2 };
    for (int nodes = MOST_NODES; nodes <= MOST_NODES + 1; nodes++) {
        Module *m = module_of_text("i", "", "TRUE");
        m->slot_of_search = arena_alloc(m->arena, sizeof *m->slot_of_search);
        add_ir_function(m, "", "TRUE");
        m->function[0]->body = ir_invoke(m->arena, 1);
        m->function[1]->body = ir_with_int(IR_EQ, number_of_size(m->arena, nodes - OTHERS), 3);
        inline_searches(m);
        assert_int_equal(m->function[0]->body->op, nodes <= MOST_NODES ? IR_EQ : IR_INVOKE);
        arena_free(m->arena);
    }
}

// ---- loops over positions ---------------------------------------------------------------------------------

// Does a loop with these conditions on a value at the position that it visits, which is in %2, compare?
static bool compares_with(const char *value, const char *locals, const char *conditions)
{
    char text[4000];
    snprintf(text, sizeof text,
             "AND(LET:0(CURRENT), EACH_POSITION:1,any(0, SUB(@0, 1), AND(AT(%%1, LET:2(%s)), %s)))", value,
             conditions);
    Module *m = module_of_text("", locals, text);
    remember_conditions(m);
    assert_null(ir_verify(m));
    const bool found = m->info.remembered_count > 0;
    arena_free(m->arena);
    return found;
}

static bool compares(const char *locals, const char *conditions)
{
    return compares_with("COUNT([P])", locals, conditions);
}

static char *add_balanced(char *end, int terms)
{
    if (terms == 1)
        return end + sprintf(end, "%%2");
    end = add_balanced(end + sprintf(end, "ADD("), terms / 2);
    end = add_balanced(end + sprintf(end, ", "), terms - terms / 2);
    return end + sprintf(end, ")");
}

// Terms of the two sides, and how deep they are.
static void sums_end(void **state)
{
    (void)state;
    enum { MOST_TERMS = 16, DEEPEST = 12 };
    for (int terms = MOST_TERMS; terms <= MOST_TERMS + 1; terms++) {
        char text[1000], *end = add_balanced(text + sprintf(text, "GT(SUB("), terms - 1);
        sprintf(end, ", COUNT([P])), 0)");
        assert_int_equal(compares("xxi", text), terms <= MOST_TERMS);
    }
    for (int depth = DEEPEST; depth <= DEEPEST + 1; depth++) {
        char text[1000], *end = text + sprintf(text, "GT(SUB(");
        for (int i = 1; i < depth; i++)
            end += sprintf(end, "ADD(");
        end += sprintf(end, "1");
        for (int i = 2; i < depth; i++)
            end += sprintf(end, ", 1)");
        sprintf(end, ", %%2), COUNT([P])), 0)");
        assert_int_equal(compares("xxi", text), depth <= DEEPEST);
    }
}

// Locals that are copies of each other.
static void copies_end(void **state)
{
    (void)state;
    enum { DEEPEST = 12 };
    for (int copies = DEEPEST; copies <= DEEPEST + 1; copies++) {
        char text[1000], *end = text;
        for (int i = 1; i < copies; i++)
            end += sprintf(end, "LET:%d(%%%d) ", i + 2, i + 1);
        sprintf(end, "EQ(%%%d, COUNT([P]))", copies + 1);
        assert_int_equal(compares("xxiiiiiiiiiiiiii", text), copies <= DEEPEST);
        sprintf(end, "SET_EQ(%%%d, [P])", copies + 1);
        assert_int_equal(compares_with("[P]", "xxssssssssssssss", text), copies <= DEEPEST);
    }
}

// Values that are compared: sixteen that are equal, two others.
static void comparisons_end(void **state)
{
    (void)state;
    enum { MOST_KEYS = 16, NUMBERS = 2 };
    for (int values = MOST_KEYS; values <= MOST_KEYS + 1; values++) {
        char text[2000],
            *end = text +
                   sprintf(text,
                           "AND(LET:0(CURRENT), EACH_POSITION:1,any(0, SUB(@0, 1), AND(AT(%%1, LET:2([P])) ");
        for (int i = 0; i < values; i++)
            end += sprintf(end, "SET_EQ(SET_AND(%%2, #%x), [P]) ", i + 1);
        sprintf(end, ")))");
        Module *m = module_of_text("", "xxs", text);
        remember_conditions(m);
        const Ir *compared = m->function[m->remembered[0]]->body;
        assert_int_equal(compared->kid[0]->kid_count, MOST_KEYS);
        arena_free(m->arena);
    }
    for (int values = NUMBERS; values <= NUMBERS + 1; values++) {
        char text[1000] = "", *end = text;
        for (int i = 0; i < values; i++)
            end += sprintf(end, "GT(%%2, ADD(COUNT([P]), %d)) ", i + 5);
        Module *m = module_of_text(
            "", "xxi",
            "AND(LET:0(CURRENT), EACH_POSITION:1,any(0, SUB(@0, 1), AND(AT(%1, LET:2(COUNT([P]))))))");
        Ir *body = m->function[0]->body->kid[1]->kid[2];
        for (const char *from = text; *from != '\0';) {
            IrReader r = {m, m->function[0], from};
            ir_add_kid(body, read_ir(&r));
            from = r.at + 1;
        }
        remember_conditions(m);
        const Ir *compared = m->function[m->remembered[0]]->body;
        assert_int_equal(compared->kid[1]->number, 4 << 3 | 4);
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

// A condition on tags with the values that it reads.
static void values_of_tags_end(void **state)
{
    (void)state;
    enum { MOST_PARTS = 16 };
    for (int parts = MOST_PARTS; parts <= MOST_PARTS + 2; parts++) {
        Module *m = module_of_text("", "iiiiiiiiiiiiiiiiii", "AND(in_check())");
        IrFunction *f = m->function[0];
        Ir *sum = ir_int(m->arena, 0);
        for (int i = 0; i < parts - 1; i++) {
            ir_add_kid(f->body, ir_call_out(m->arena, IR_CALL_year, i, 0));
            sum = ir_add(sum, ir_local(f, i));
        }
        ir_add_kid(f->body, ir_with_int(IR_EQ, sum, 3));
        split_tags(m);
        assert_int_equal(m->info.tag_atom_count, parts <= MOST_PARTS ? 2 : 1);
        arena_free(m->arena);
    }
}

// The same where each value is that of the one before.
static void values_of_values_end(void **state)
{
    (void)state;
    enum { MOST_PARTS = 16 };
    for (int parts = MOST_PARTS - 1; parts <= MOST_PARTS + 1; parts++) {
        Module *m = module_of_text("", "iiiiiiiiiiiiiiii", "AND(in_check(), year:0())");
        IrFunction *f = m->function[0];
        for (int i = 1; i < parts - 1; i++)
            ir_add_kid(f->body, ir_let(i, ir_local(f, i - 1)));
        ir_add_kid(f->body, ir_with_int(IR_EQ, ir_local(f, parts - 2), 3));
        split_tags(m);
        assert_int_equal(m->info.tag_atom_count, parts <= MOST_PARTS ? parts : MOST_PARTS);
        arena_free(m->arena);
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
        cmocka_unit_test(conditions_end),
        cmocka_unit_test(rows_end),
        cmocka_unit_test(bounds_end),
        cmocka_unit_test(facts_end),
        cmocka_unit_test(bodies_end),
        cmocka_unit_test(atoms_end),
        cmocka_unit_test(expensive_sets_stay),
        cmocka_unit_test(expensive_places_come_last),
        cmocka_unit_test(parts_end),
        cmocka_unit_test(sums_end),
        cmocka_unit_test(copies_end),
        cmocka_unit_test(comparisons_end),
        cmocka_unit_test(searches_end),
        cmocka_unit_test(values_of_tags_end),
        cmocka_unit_test(values_of_values_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
