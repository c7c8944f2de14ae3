// The optimiser keeps what a module means: random conditions are interpreted before and after it over a game.
// Where a pass is there for a certain form, the form is checked too.
#include "optimise_fixture.h"

#include "compiler/cli/cli.h"

// ---- random conditions ------------------------------------------------------------------------------------

static Ir *random_int(Module *m, int depth)
{
    static const uint8_t operations[] = {IR_ADD, IR_SUB, IR_MUL, IR_AND_BITS};
    switch (depth > 0 ? random_below(5) : random_below(3)) {
    case 0:
        return ir_int(m->arena, (int32_t)random_below(5) - 1);
    case 1:
        return ir_side(m->arena);
    case 2:
    case 3:
        return ir_count(random_set(m, depth - 1));
    default:
        return ir_binary((IrOp)operations[random_below(4)], random_int(m, depth - 1),
                         random_int(m, depth - 1));
    }
}

static Ir *random_condition(Module *m, int depth)
{
    const IrOp comparison = (IrOp)(IR_EQ + random_below(IR_GE - IR_EQ + 1));
    switch (depth > 0 ? random_below(8) : random_below(3)) {
    case 0:
        return ir_any(random_set(m, 2));
    case 1:
        return ir_binary(comparison, random_int(m, 2), random_int(m, 1));
    case 2: {
        Ir *set = random_set(m, 1);
        Ir *part = ir_set_and(ir_copy(set), random_set(m, 1));
        return ir_binary(IR_SET_EQ, random_below(3) ? part : random_set(m, 1), set);
    }
    case 3:
    case 4:
        return random_list(m, IR_AND, IRT_BOOL, random_condition, depth);
    case 5:
        return random_list(m, IR_OR, IRT_BOOL, random_condition, depth);
    case 6:
        return ir_not(random_condition(m, depth - 1));
    default:
        return ir_if(random_condition(m, depth - 1), random_condition(m, depth - 1),
                     random_condition(m, depth - 1));
    }
}

static Ir *random_body(Module *m, IrFunction *f)
{
    (void)f;
    return random_condition(m, 3);
}

static void random_conditions_keep_their_meaning(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= 1500; i++) {
        seed = i * 0x9E3779B97F4A7C15ULL;
        Module *m = new_module(random_body);
        assert_unchanged(m);
        arena_free(m->arena);
    }
}

// ---- single passes ----------------------------------------------------------------------------------------

static Ir *some_queens(Module *m, IrFunction *f)
{
    (void)f;
    Ir *queens = ir_set_or(board_node(m, WHITE_QUEEN), board_node(m, WHITE_QUEEN));
    return ir_with_int(IR_GE, ir_count(queens), 1);
}

static Ir *white_pieces(Module *m, IrFunction *f)
{
    (void)f;
    Ir *all = ir_new(m->arena, IR_SET_OR, IRT_SET, 0);
    for (int code = WHITE_PAWN; code <= WHITE_KING; code++)
        ir_add_kid(all, board_node(m, code));
    return ir_binary(IR_SET_EQ, all, board_node(m, BOARD_WHITE));
}

static void folds_boards_and_counts(void **state)
{
    (void)state;
    Module *m = new_module(some_queens);
    assert_unchanged(m);
    assert_int_equal(m->function[0]->body->op, IR_ANY);
    assert_int_equal(m->function[0]->body->kid[0]->op, IR_BOARD);
    arena_free(m->arena);
    m = new_module(white_pieces);
    assert_unchanged(m);
    assert_int_equal(m->function[0]->body->op, IR_TRUE);
    arena_free(m->arena);
}

static Ir *queens_on_two_squares(Module *m, IrFunction *f)
{
    (void)f;
    return ir_any(ir_set_or(pieces_on(m, WHITE_QUEEN, 1ULL << 5), pieces_on(m, WHITE_QUEEN, 1ULL << 50)));
}

static Ir *two_queens_on_squares(Module *m, IrFunction *f)
{
    (void)f;
    return ir_any(ir_set_or(pieces_on(m, WHITE_QUEEN, 0xF0F0), pieces_on(m, BLACK_QUEEN, 0xF0F0)));
}

// Both pieces and squares differ.
static Ir *different_designators(Module *m, IrFunction *f)
{
    (void)f;
    return ir_any(ir_set_or(pieces_on(m, WHITE_QUEEN, 0xF0F0), pieces_on(m, BLACK_QUEEN, 0xF00)));
}

static void designators_are_joined(void **state)
{
    (void)state;
    Module *m = new_module(queens_on_two_squares);
    assert_unchanged(m);
    assert_int_equal(count_op(m->function[0]->body, IR_SET_OR), 0);
    assert_int_equal(count_op(m->function[0]->body, IR_SET_AND), 1);
    arena_free(m->arena);
    m = new_module(two_queens_on_squares);
    assert_unchanged(m);
    assert_int_equal(count_op(m->function[0]->body, IR_SET_AND), 1);
    assert_int_equal(count_op(m->function[0]->body, IR_SET), 1);
    arena_free(m->arena);
    m = new_module(different_designators);
    assert_unchanged(m);
    assert_int_equal(count_op(m->function[0]->body, IR_SET), 2);
    arena_free(m->arena);
}

// A pawn on a square of the board, for each of the 64 squares; each alternative keeps it in a local of its
// own.
static Ir *pawn_anywhere(Module *m, IrFunction *f)
{
    Ir *any = ir_new(m->arena, IR_OR, IRT_BOOL, 0);
    for (int square = 0; square < 64; square++) {
        const int local = ir_new_local(f, IRT_SET);
        Ir *pawn = ir_set_and(board_node(m, BLACK_PAWN), ir_set(m->arena, 1ULL << square));
        Ir *king = ir_any(ir_set_and(ir_local(f, local), ir_set_not(ir_set(m->arena, 0xFF000000000000ULL))));
        ir_add_kid(any, ir_new(m->arena, IR_AND, IRT_BOOL, 2, ir_let(local, pawn), king));
    }
    return any;
}

static void alternatives_become_a_table(void **state)
{
    (void)state;
    Module *m = new_module(pawn_anywhere);
    assert_unchanged(m);
    assert_int_equal(count_op(m->function[0]->body, IR_EACH_ROW), 1);
    assert_int_equal(m->table_count, 1);
    assert_int_equal(m->table[0]->row_count, 64);
    arena_free(m->arena);
}

// Counts the squares with pieces in a slot, then asks a question that alone would be cheaper.
static Ir *effect_before_test(Module *m, IrFunction *f)
{
    const int square = ir_new_local(f, IRT_INT);
    m->info.slot_count = 1;
    Ir *more = ir_with_int(IR_ADD, ir_slot(m->arena, IRT_INT, 0), 1);
    Ir *loop = ir_new(m->arena, IR_EACH_SQUARE, IRT_BOOL, 2, board_node(m, BLACK_QUEEN), ir_store(0, more));
    loop->number = square;
    loop->mode = MODE_EACH;
    Ir *side = ir_with_int(IR_EQ, ir_side(m->arena), BLACK);
    Ir *odd = ir_nonzero(ir_with_int(IR_AND_BITS, ir_slot(m->arena, IRT_INT, 0), 2));
    return ir_new(m->arena, IR_AND, IRT_BOOL, 3, loop, side, odd);
}

static void effects_stay_in_place(void **state)
{
    (void)state;
    Module *m = new_module(effect_before_test);
    assert_unchanged(m);
    assert_int_equal(count_op(m->function[0]->body, IR_STORE), 1);
    arena_free(m->arena);
}

static Ir *white_named(Module *m, const char *name, IrFunction *f)
{
    const int local = ir_new_local(f, IRT_STRING);
    Ir *read = ir_call_out(m->arena, IR_CALL_player, local, 1, ir_int(m->arena, WHITE));
    Ir *search =
        ir_call(m->arena, IR_CALL_contains, 2, ir_text(m, name, (uint32_t)strlen(name)), ir_local(f, local));
    return ir_new(m->arena, IR_AND, IRT_BOOL, 3, read, search, ir_call(m->arena, IR_CALL_in_check, 0));
}

static Ir *anderssen(Module *m, IrFunction *f)
{
    return white_named(m, "Anderssen", f);
}

static Ir *morphy(Module *m, IrFunction *f)
{
    return white_named(m, "Morphy", f);
}

static bool game_test_of(Module *m)
{
    assert_non_null(m->game_test);
    const Matcher *matcher = interp_new(&m, 1);
    Fixture f = {.query = matcher->query[0]};
    fixture_open(&f);
    fixture_parse(&f, pgn);
    const bool result = run_game_test(f.run, &f.game);
    fixture_close(&f);
    interp_free(matcher);
    return result;
}

static void tags_are_tested_before_the_moves(void **state)
{
    (void)state;
    Module *m = new_module(anderssen);
    assert_unchanged(m);
    assert_int_equal(hits_of(m).count, 5); // 3... Qh4+ 19... Qxa1+ 21. Nxg7+ 22. Qf6+ 23. Be7#
    assert_true(game_test_of(m));
    arena_free(m->arena);
    m = new_module(morphy);
    assert_unchanged(m);
    assert_false(game_test_of(m));
    arena_free(m->arena);
}

static Compiled compiled_query(const char *query, bool optimised)
{
    Compiled c;
    const CompileOptions options = {.optimize = optimised, .variations = -1, .show = show_diagnostics};
    assert_true(compile_query(&c, "-e", query, &options));
    return c;
}

// What every match needs in a comment of the input: the longest part that is there as it is in the query. White space and bytes that
// are not ASCII may be others in the input, and its braces are `_` in the query's view.
static void comments_are_looked_for_first(void **state)
{
    (void)state;
    static const struct {
        const char *query, *part;
    } rows[] = {
        {"originalcomment \"winning\"", "winning"},
        {"originalcomment \"a clear blunder of_White\"", "blunder"},
        {"originalcomment \"x y\"", NULL}, // a single byte says nothing
        {"originalcomment \"xy z\"", "xy"},
        {"originalcomment \"z xy\"", "xy"},
        {"originalcomment \"Zug\" originalcomment \"zwang\"", "zwang"},
        {"originalcomment \"zwang\" originalcomment \"Zug\"", "zwang"},
        {"originalcomment \"abc xyz\"", "abc"}, // of two as long the first
        {"originalcomment \"abc\" originalcomment \"xyz\"", "abc"},
        {"originalcomment \"ab\"", "ab"},
        {"originalcomment \"a\"", NULL},
        {"originalcomment \"!a~b\"", "!a~b"}, // the first and the last printable character
        {"originalcomment \"ab_cde_fg\"", "cde"},
        {"originalcomment \"ab\u00e9cde\"", "cde"},
        {"originalcomment \"abc\u00e9de\"", "abc"},
        {"originalcomment ~~ \"nov.*elty\"", "elty"},
        {"originalcomment ~~ \"novel|a\"", NULL},
        {"originalcomment ~~ \"ab\"", "ab"},
        {"originalcomment ~~ \"a\"", NULL},
        {"originalcomment ~~ \"a b cd\"", "cd"},
        {"originalcomment ~~ \".\"", NULL},
        {"{originalcomment \"abc\"} check", "abc"},
        {"message(\"x\") originalcomment \"abc\"", NULL},
        {"originalcomment \"one\" or originalcomment \"other\"", NULL},
        {"not originalcomment \"one\"", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Compiled c = compiled_query(rows[i].query, true);
        const char *part = c.module->info.comment_part;
        if ((part == NULL) != (rows[i].part == NULL) || (part && strcmp(part, rows[i].part) != 0))
            fail_msg("%s: %s", rows[i].query, part ? part : "nothing");
        compiled_free(&c);
    }
}

// ---- the algebra of alternatives ---------------------------------------------------------------------------

typedef struct Form {
    const char *query;
    int ors, tests, calls, ifs, rows; // OR, ANY, CALL, IF and EACH_ROW in the optimised body
} Form;

static const Form forms[] = {
    // the same pieces on several squares, several pieces on the same square
    {"Ka1 or Kh1", .tests = 1},
    {"not Ka1 and not Kh1", .tests = 1},
    {"Ra1 or na1 or Ba1", .tests = 1},
    {"shift Qc3", .tests = 1},
    // a pattern at several places
    {"shift {Kc3 Rc4}", .tests = 1},
    {"shift {Nc3 not kd5}", .tests = 1},
    {"shift {Nc3 attacks kd5}", .tests = 1},
    {"flip {Kg1 Rf1}", .ors = 1, .tests = 4},
    {"flip {Kg1 Rf2 Pg3}", .ors = 1, .tests = 24},
    // tests that all share
    {"flip {Ka1 R attacks k}", .tests = 2, .calls = 1},
    {"{check Ra1} or {Rb1 check}", .tests = 1, .calls = 1},
    {"flipcolor {mate Q attacks k}", .ors = 1, .tests = 2, .calls = 4},
    // tests that contradict each other, or that are known
    {"flipcolor {wtm R attacks k}", .tests = 2, .calls = 2, .ifs = 1},
    {"flipcolor flip {wtm Ka1 R attacks k}", .tests = 4, .calls = 2, .ifs = 1},
    {"{check Ra1} or {not check Rb1}", .tests = 2, .calls = 1, .ifs = 1},
    {"check or {check Ra1}", .calls = 1},
    {"check {check or Ra1}", .calls = 1},
    {"check {Rb1 or not check}", .tests = 1, .calls = 1},
    {"K", .tests = 0},
    // what remains is rolled
    {"shift {Kc3 R attacks kc5}", .tests = 2, .calls = 1, .rows = 1},
};

static void alternatives_are_joined(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const Form *form = &forms[i];
        Compiled plain = compiled_query(form->query, false), c = compiled_query(form->query, true);
        const Ir *body = c.module->function[0]->body;
        const int got[] = {count_op(body, IR_OR), count_op(body, IR_ANY), count_op(body, IR_CALL),
                           count_op(body, IR_IF), count_op(body, IR_EACH_ROW)};
        const int wanted[] = {form->ors, form->tests, form->calls, form->ifs, form->rows};
        if (memcmp(got, wanted, sizeof got) != 0)
            fail_msg("%s: %d ORs, %d tests, %d calls, %d IFs, %d loops", form->query, got[0], got[1], got[2],
                     got[3], got[4]);
        const Hits before = hits_of(plain.module), after = hits_of(c.module);
        assert_int_equal(before.count, after.count);
        assert_memory_equal(before.position, after.position,
                            sizeof before.position[0] * (size_t)before.count);
        compiled_free(&plain);
        compiled_free(&c);
    }
}

// An alternative that divides relies on the test before it; one that stores is seen by those after it.
static Ir *dependent_alternatives(Module *m, IrFunction *f)
{
    (void)f;
    m->info.slot_count = 1;
    Ir *pieces = ir_count(board_node(m, BLACK_QUEEN));
    Ir *none = ir_with_int(IR_EQ, pieces, 0);
    Ir *ratio = ir_with_int(IR_EQ, ir_binary(IR_DIV, ir_int(m->arena, 8), ir_copy(pieces)), 1);
    Ir *first =
        ir_and(ir_not(ir_call(m->arena, IR_CALL_in_check, 0)), ir_with_int(IR_EQ, ir_side(m->arena), WHITE));
    Ir *store = ir_then_false(m->arena, ir_store(0, ir_int(m->arena, 1)));
    Ir *stored = ir_and(ir_copy(first->kid[0]), ir_with_int(IR_EQ, ir_slot(m->arena, IRT_INT, 0), 1));
    Ir *list = ir_new(m->arena, IR_OR, IRT_BOOL, 0);
    ir_add_kid(list, none);
    ir_add_kid(list, ir_and(ratio, ir_copy(first->kid[0])));
    ir_add_kid(list, first);
    ir_add_kid(list, store);
    ir_add_kid(list, stored);
    return list;
}

static void dependent_alternatives_keep_their_order(void **state)
{
    (void)state;
    Module *m = new_module(dependent_alternatives);
    assert_unchanged(m);
    const Ir *body = m->function[0]->body;
    assert_int_equal(body->op, IR_OR);
    assert_int_equal(count_op(body, IR_DIV), 1);
    assert_int_equal(count_op(body->kid[body->kid_count - 1], IR_SLOT), 1);
    arena_free(m->arena);
}

// ---- equal calls ------------------------------------------------------------------------------------------

static Ir *attacked_by_white(Module *m)
{
    return ir_call(m->arena, IR_CALL_attackers, 2, board_node(m, BOARD_WHITE), board_node(m, BOARD_BLACK));
}

static Ir *at_root(Module *m, Ir *body)
{
    Ir *root = ir_position_of(ir_int(m->arena, 0));
    return ir_at(root, body);
}

static Ir *more_than(Ir *set, int32_t number)
{
    Ir *count = ir_count(set);
    return ir_with_int(IR_GT, count, number);
}

// #x > 2 and (#x > 5 or #x == 3): one call.
static Ir *three_calls(Module *m, IrFunction *f)
{
    (void)f;
    Ir *three = ir_with_int(IR_EQ, ir_count(attacked_by_white(m)), 3);
    Ir *either = ir_or(more_than(attacked_by_white(m), 5), three);
    return ir_new(m->arena, IR_AND, IRT_BOOL, 2, more_than(attacked_by_white(m), 2), either);
}

// The call at the root of the game is another one.
static Ir *two_positions(Module *m, IrFunction *f)
{
    (void)f;
    Ir *there = ir_not(at_root(m, more_than(attacked_by_white(m), 0)));
    return ir_new(m->arena, IR_AND, IRT_BOOL, 2, more_than(attacked_by_white(m), 2), there);
}

// A call that is made only sometimes is not made earlier for the sake of another.
static Ir *sometimes(Module *m, IrFunction *f)
{
    (void)f;
    Ir *white = ir_with_int(IR_EQ, ir_side(m->arena), WHITE);
    Ir *black = ir_not(ir_copy(white));
    Ir *first = ir_new(m->arena, IR_AND, IRT_BOOL, 2, white, more_than(attacked_by_white(m), 3));
    Ir *second = ir_new(m->arena, IR_AND, IRT_BOOL, 2, black, more_than(attacked_by_white(m), 4));
    return ir_or(first, second);
}

static void assert_calls(Ir *(*body)(Module *m, IrFunction *f), int expected)
{
    Module *m = new_module(body);
    assert_unchanged(m);
    assert_int_equal(calls_in(m->function[0]->body), expected);
    arena_free(m->arena);
}

static void test_equal_calls(void **state)
{
    (void)state;
    assert_calls(three_calls, 1);
    assert_calls(two_positions, 2);
    assert_calls(sometimes, 2);
}

// ---- placements -------------------------------------------------------------------------------------------

// A test of a mask, moved and cut off at the edges. NULL: nothing of it is left.
static Ir *moved_test(Module *m, int form, int board, Bitboard mask, int files, int ranks)
{
    mask = bb_step(mask, files, ranks);
    if (mask == 0)
        return NULL;
    Ir *set = board_node(m, board), *squares = ir_set(m->arena, mask);
    if (form == 1)
        return ir_any(ir_call(m->arena, IR_CALL_attackers, 2, set, squares));
    Ir *some = ir_any(ir_set_and(set, squares));
    return form == 2 ? ir_not(some) : some;
}

// Two to four tests relative to a square, at all places of the board, as `shift` makes them.
static Ir *random_shift(Module *m, IrFunction *f)
{
    (void)f;
    const int anchor = (int)random_below(64), tests = 1 + (int)random_below(3),
              first = (int)random_below(BOARD_COUNT);
    int form[3], board[3];
    Bitboard mask[3];
    for (int k = 0; k < tests; k++) {
        form[k] = (int)random_below(3);
        board[k] = (int)random_below(BOARD_COUNT);
        mask[k] = random_below(2) ? 1ULL << random_below(64)
                                  : 0x0101010101010101ULL >> 8 * random_below(6) << random_below(8);
        mask[k] |= random_below(3) ? 0 : 1ULL << random_below(64);
    }
    Ir *either = NULL;
    for (int files = -7; files <= 7; files++) {
        for (int ranks = -7; ranks <= 7; ranks++) {
            Ir *all = moved_test(m, 0, first, 1ULL << anchor, files, ranks);
            for (int k = 0; k < tests && all != NULL; k++) {
                Ir *one = moved_test(m, form[k], board[k], mask[k], files, ranks);
                all = one == NULL ? form[k] == 2 ? all : NULL : ir_and(all, one);
            }
            if (all != NULL)
                either = ir_or(either, all);
        }
    }
    return either != NULL ? either : ir_bool(m->arena, false);
}

static void placements_keep_their_meaning(void **state)
{
    (void)state;
    seed = 11;
    for (int i = 0; i < 300; i++) {
        Module *m = new_module(random_shift);
        assert_unchanged(m);
        arena_free(m->arena);
    }
}

// shift {Pc4 _b2-7 R attacks d4}: one test at all places.
static Ir *shifted(Module *m, IrFunction *f)
{
    (void)f;
    Ir *either = NULL;
    for (int files = -2; files <= 4; files++) {
        for (int ranks = -3; ranks <= 4; ranks++) {
            Ir *pawn = moved_test(m, 0, WHITE_PAWN, 1ULL << 26, files, ranks);
            Ir *empty = moved_test(m, 0, EMPTY, 0x0002020202020200ULL, files, ranks);
            Ir *rook = moved_test(m, 1, WHITE_ROOK, 1ULL << 27, files, ranks);
            if (pawn != NULL && empty != NULL && rook != NULL)
                either = ir_or(either, ir_all(3, pawn, empty, rook));
        }
    }
    return either;
}

static void placements_are_joined(void **state)
{
    (void)state;
    Module *m = new_module(shifted);
    assert_unchanged(m);
    assert_int_equal(count_op(m->function[0]->body, IR_OR), 0);
    assert_int_equal(count_op(m->function[0]->body, IR_EACH_ROW), 0);
    assert_int_equal(calls_in(m->function[0]->body), 1);
    arena_free(m->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alternatives_are_joined),
        cmocka_unit_test(dependent_alternatives_keep_their_order),
        cmocka_unit_test(test_equal_calls),
        cmocka_unit_test(random_conditions_keep_their_meaning),
        cmocka_unit_test(folds_boards_and_counts),
        cmocka_unit_test(designators_are_joined),
        cmocka_unit_test(alternatives_become_a_table),
        cmocka_unit_test(placements_keep_their_meaning),
        cmocka_unit_test(placements_are_joined),
        cmocka_unit_test(effects_stay_in_place),
        cmocka_unit_test(tags_are_tested_before_the_moves),
        cmocka_unit_test(comments_are_looked_for_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
