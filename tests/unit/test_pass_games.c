// Passes of the optimiser on what depends on the game alone and on texts, on trees that queries seldom or never have.
#include "pass_fixture.h"

#include <stdio.h>

// ---- the game test ----------------------------------------------------------------------------------------

#define AB "contains(\"a\", \"b\")"
#define CD "contains(\"c\", \"d\")"

// What is tested before the moves are read: the tree, or the body of its function; NULL: nothing.
static void check_game_test(const char *cells, const char *locals, const char *body, const char *wanted,
                            int flags, int low)
{
    Module *m = module_of_text(cells, locals, body);
    m->info.flags = (uint32_t)flags;
    m->info.matchcount_low = low;
    hoist_game_test(m);
    assert_null(ir_verify(m));
    if ((m->game_test != NULL) != (wanted != NULL))
        fail_msg("%s: wanted %s", body, wanted != NULL ? wanted : "nothing");
    if (m->game_test != NULL && m->game_test->op == IR_INVOKE) {
        IrFunction *f = m->function[m->game_test->number];
        if (!ir_equal(f->body, ir_from_text(m, f, wanted)))
            fail_msg("%s: wanted %s", body, wanted);
    } else if (m->game_test != NULL) {
        assert_ir(m, m->game_test, wanted);
    }
    arena_free(m->arena);
}

static void tags_are_tested_first(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "", AB, "AND(" AB ")"},
        {"", "", "PLACE:5(AND(in_check(), AND(" AB ", " CD ")))", "AND(" AB ", " CD ")"},
        {"", "", "OR(" AB ", " CD ")", "AND(OR(" AB ", " CD "))"},
        {"", "", "OR(" AB ", in_check())", NULL},
        {"", "", "EQ(1, 2)", NULL},
        {"", "i", "AND(year:0(), EQ(%0, 1990))", "AND(year:0(), EQ(%0, 1990))"},
        {"", "ii", "AND(year:1(), EQ(%1, 1990))", "AND(year:0(), EQ(%0, 1990))"},
        {"", "iii", "AND(year:2(), LET:1(%2), EQ(%1, 1990))", "AND(year:0(), LET:1(%0), EQ(%1, 1990))"},
        {"", "ii", "AND(year:1(), year:0(), EQ(%0, 3))", "AND(year:0(), year:1(), EQ(%1, 3))"},
        {"", "ii", "AND(year:1(), LET:0(%1), EQ(%0, 3))", "AND(year:0(), LET:1(%0), EQ(%1, 3))"},
        // Nothing is known of a local that only the body writes, or that nothing has written.
        {"", "ii", "AND(NE(%0, 3), year:1())", "AND(year:0())"},
        {"", "ii", "AND(LET:0(.ply(CURRENT)), EQ(%0, 3), year:1())", "AND(year:1())"},
        {"", "ii", "AND(OR(AND(in_check(), LET:0(1)), LET:0(2)), EQ(%0, 1), year:1())", "AND(year:1())"},
        {"", "i", "AND(LET:0(.ply(CURRENT)), " AB ", year:0(), EQ(%0, 3))", "AND(" AB ")"},
        {"", "i", "AND(LET:0(.ply(CURRENT)), " AB ", LET:0(3), EQ(%0, 3), " CD ")", "AND(" AB ", " CD ")"},
        // Effects come first.
        {"i", "", "AND(STORE:0(1), " AB ")", NULL},
        {"i", "", "AND(" AB ", STORE:0(1), " CD ")", "AND(" AB ")"},
        {"i", "", "AND(" AB ", AND(STORE:0(1), TRUE), " CD ")", "AND(" AB ")"},
        {"", "i", "AND(LET:0(log_mark()), " AB ")", NULL},
        {"i", "", "AND(EQ($0, 1), " AB ")", "AND(" AB ")"},
        // Facts of the game: its number is known, its length and its result are not.
        {"", "", "EQ(@2, 5)", "AND(EQ(@2, 5))"},
        {"", "", "EQ(@0, 5)", NULL},
        {"", "", "EQ(@1, 5)", NULL},
        {"", "", "WHILE(" AB ", TRUE)", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_game_test(rows[i].cells, rows[i].locals, rows[i].before, rows[i].after, 0, 0);
    // Games without a matching position are asked for.
    check_game_test("", "", AB, NULL, QUERY_HAS_MATCHCOUNT, 0);
    check_game_test("", "", AB, "AND(" AB ")", QUERY_HAS_MATCHCOUNT, 1);
}

static void calls_are_known_early(void **state)
{
    (void)state;
    static const char *const early[] = {
        "tag:1(\"x\")",
        "player:1(1)",
        "elo:0(1)",
        "year:0()",
        "hhdb_code(\"x\")",
        "hhdb_award:0(1, 1)",
        "hhdb_award_holds(1, 1)",
        "contains(\"x\", \"y\")",
        "EQ(compare(\"x\", \"y\"), 0)",
        "EQ(length(\"x\"), 1)",
        "index_of:0(\"x\", \"y\")",
        "parse_int:0(\"3\")",
        "subscript:1(\"x\", 1)",
        "contains(lower(\"x\"), \"y\")",
    };
    static const char *const late[] = {"char_code:0(\"x\")", "regex_search(0, \"x\")", "hhdb_bool(1)",
                                       "hhdb_number:0(1)", "comment_contains(\"x\")"};
    for (size_t i = 0; i < sizeof early / sizeof *early; i++) {
        Module *m = module_of_text("", "it", early[i]);
        hoist_game_test(m);
        if (m->game_test == NULL)
            fail_msg("%s is known early", early[i]);
        arena_free(m->arena);
    }
    for (size_t i = 0; i < sizeof late / sizeof *late; i++)
        check_game_test("", "it", late[i], NULL, 0, 0);
}

static void parts_of_comments_are_required(void **state)
{
    (void)state;
    static const struct {
        const char *body, *part;
    } row[] = {
        {"comment_contains(\"abc\")", "abc"},
        {"comment_contains(\"ab\")", "ab"},
        {"comment_contains(\"a\")", NULL},
        {"comment_contains(\"abc defg\")", "defg"},
        {"comment_contains(\"abc def\")", "abc"},
        {"comment_contains(\"ab_cde\")", "cde"},
        {"comment_contains(\"ab!cd~\")", "ab!cd~"},
        {"comment_contains(\"ab\303\251cde\")", "cde"},
        {"comment_contains(\"ab\x7f"
         "cde\")",
         "cde"},
        {"AND(comment_contains(\"ab\"), comment_contains(\"xyz\"))", "xyz"},
        {"AND(comment_contains(\"abc\"), comment_contains(\"xy\"))", "abc"},
        {"AND(comment_contains(\"abc\"), comment_contains(\"xyz\"))", "abc"},
        {"NOT(comment_contains(\"abc\"))", NULL},
        {"OR(comment_contains(\"abc\"), in_check())", NULL},
        {"contains(\"abc\", \"def\")", NULL},
        {"AND(STORE:0(1), comment_contains(\"abc\"))", NULL},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Module *m = module_of_text("i", "", row[i].body);
        hoist_game_test(m);
        if (row[i].part == NULL)
            assert_null(m->info.comment_part);
        else
            assert_string_equal(m->info.comment_part, row[i].part);
        arena_free(m->arena);
    }
    Module *m = module_of_text("", "", "comment_contains(\"abc\")");
    m->info.flags = QUERY_HAS_MATCHCOUNT;
    hoist_game_test(m);
    assert_null(m->info.comment_part);
    arena_free(m->arena);
}

static String string_of(Arena *a, const char *text)
{
    const size_t length = strlen(text);
    CqlString *string = arena_alloc(a, sizeof *string + length);
    string->length = (uint32_t)length;
    memcpy(string->bytes, text, length + 1);
    return string;
}

// What every match of a pattern contains; in CQLi characters are code points.
static void parts_of_patterns_are_required(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        uint32_t flags;
        const char *part;
    } row[] = {
        {"abc", 0, "abc"},
        {"ab.cde", 0, "cde"},
        {"abcd|x", 0, NULL},
        {"a.b", 0, NULL},
        {"ab cde", 0, "cde"},
        // The bytes of a character that may be missing.
        {"a\342\202\254*bc", 0, NULL},
        {"a\342\202\254*bc", QUERY_CQLI, "bc"},
        {"(?<n>a)bcd", QUERY_CQLI, "bcd"},
        {"(?<n>a)bcd", 0, NULL},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int number = 0; number < 2; number++) {
            Module *m = module_of_text("", "", number == 0 ? "comment_found(0)" : "comment_found(1)");
            String *patterns = arena_alloc(m->arena, 2 * sizeof *patterns);
            patterns[number] = string_of(m->arena, row[i].pattern);
            patterns[!number] = string_of(m->arena, "other");
            m->info.pattern = patterns;
            m->info.pattern_count = 2;
            m->info.flags = row[i].flags;
            hoist_game_test(m);
            const char *part = m->info.comment_part;
            if (part == NULL || row[i].part == NULL ? part != row[i].part : strcmp(part, row[i].part) != 0)
                fail_msg("%s: %s", row[i].pattern, part != NULL ? part : "nothing");
            arena_free(m->arena);
        }
}

// ---- conditions on tags -----------------------------------------------------------------------------------

// Atoms by number, `!` for not, `b` for Black's values in the place of White's, `&` and `|` before their two operands.
static void write_formula(const Module *m, char *out)
{
    *out = '\0';
    for (int i = 0; i < m->info.tag_formula_count; i++) {
        const int32_t sign = m->info.tag_formula[i];
        if (sign >= 0)
            out += sprintf(out, "%d", sign);
        else
            out += sprintf(out, "%c",
                           sign == TAGS_AND   ? '&'
                           : sign == TAGS_OR  ? '|'
                           : sign == TAGS_NOT ? '!'
                                              : 'b');
    }
}

static void conditions_on_tags_are_split(void **state)
{
    (void)state;
    static const struct {
        const char *body, *formula, *first,
            *second; // formula `=`: none is needed, all games fit or none does
        int columns, other_columns;
        bool decides;
    } row[] = {
        {"player:2(0)", "0", "player:0(0)", NULL, 1 << COLUMN_WHITE, 0, true},
        {"player:2(1)", "b0", "player:0(0)", NULL, 1 << COLUMN_WHITE, 0, true},
        {"tag:2(\"White\")", "0", "tag:0(\"White\")", NULL, 1 << COLUMN_WHITE, 0, true},
        {"tag:2(\"Black\")", "b0", "tag:0(\"White\")", NULL, 1 << COLUMN_WHITE, 0, true},
        {"elo:0(1)", "b0", "elo:0(0)", NULL, 1 << COLUMN_WHITE_ELO, 0, true},
        {"elo:0(2)", "0", "elo:0(2)", NULL, 3 << COLUMN_WHITE_ELO, 0, true},
        {"tag:2(\"Event\")", "0", "tag:0(\"Event\")", NULL, 1 << COLUMN_EVENT, 0, true},
        {"tag:2(\"Site\")", "0", "tag:0(\"Site\")", NULL, 1 << COLUMN_SITE, 0, true},
        {"tag:2(\"ECO\")", "0", "tag:0(\"ECO\")", NULL, 1 << COLUMN_ECO, 0, true},
        {"tag:2(\"Result\")", "0", "tag:0(\"Result\")", NULL, 1 << COLUMN_RESULT, 0, true},
        {"tag:2(\"Events\")", "=", NULL, NULL, 0, 0, false},
        {"tag:2(\"Even\")", "=", NULL, NULL, 0, 0, false},
        {"year:0()", "0", "year:0()", NULL, 1 << COLUMN_DATE, 0, true},
        {"EQ(@1, 1)", "0", "EQ(@1, 1)", NULL, 1 << COLUMN_RESULT, 0, true},
        {"EQ(@2, 1)", "=", NULL, NULL, 0, 0, false},
        {"hhdb_code(\"x\")", "0", "hhdb_code(\"x\")", NULL, 1 << COLUMN_BLACK, 0, true},
        {"hhdb_award:0(1, 2)", "0", "hhdb_award:0(1, 2)", NULL, 1 << COLUMN_EVENT, 0, true},
        {"hhdb_award_holds(1, 2)", "0", "hhdb_award_holds(1, 2)", NULL, 1 << COLUMN_EVENT, 0, true},
        {"NOT(year:0())", "!0", "year:0()", NULL, 1 << COLUMN_DATE, 0, true},
        {"AND(year:0(), GT(%0, 1990))", "0", "AND(year:0(), GT(%0, 1990))", NULL, 1 << COLUMN_DATE, 0, true},
        {"AND(player:2(0), player:3(1))", "&0b0", "player:0(0)", NULL, 1 << COLUMN_WHITE, 0, true},
        {"OR(year:0(), player:2(0))", "|01", "year:0()", "player:0(0)", 1 << COLUMN_DATE, 1 << COLUMN_WHITE,
         true},
        {"NOT(AND(year:0(), player:2(0)))", "|!0!1", "year:0()", "player:0(0)", 1 << COLUMN_DATE,
         1 << COLUMN_WHITE, true},
        {"AND(year:0(), in_check())", "0", "year:0()", NULL, 1 << COLUMN_DATE, 0, false},
        {"AND(in_check(), year:0())", "0", "year:0()", NULL, 1 << COLUMN_DATE, 0, false},
        {"OR(year:0(), in_check())", "=", NULL, NULL, 0, 0, false},
        {"AND(year:0(), FALSE)", "0", "AND(year:0(), FALSE)", NULL, 1 << COLUMN_DATE, 0, true},
        {"AND(FALSE, in_check())", "=", NULL, NULL, 0, 0, false},
        {"FALSE", "=", NULL, NULL, 0, 0, false},
        {"TRUE", "=", NULL, NULL, 0, 0, true},
        {"IF(year:0(), player:2(0), in_check())", "|&01!0", "year:0()", "player:0(0)", 1 << COLUMN_DATE,
         1 << COLUMN_WHITE, false},
        // What a value depends on is part of the condition; what the position says is left out.
        {"AND(year:0(), elo:1(%0))", "0", "year:0()", NULL, 1 << COLUMN_DATE, 0, false},
        {"AND(year:0(), EQ(%0, .ply(CURRENT)))", "0", "year:0()", NULL, 1 << COLUMN_DATE, 0, false},
        {"AND(LET:0(.ply(CURRENT)), year:1(), EQ(%0, %1))", "0", "year:0()", NULL, 1 << COLUMN_DATE, 0,
         false},
        // A value that a part of an operand before it has found.
        {"AND(AND(year:0(), in_check()), EQ(%0, 3))", "&01", "year:0()", "AND(year:0(), EQ(%0, 3))",
         1 << COLUMN_DATE, 1 << COLUMN_DATE, false},
        {"AND(AND(in_check(), year:0()), EQ(%0, 3))", "&01", "year:0()", "AND(year:0(), EQ(%0, 3))",
         1 << COLUMN_DATE, 1 << COLUMN_DATE, false},
        {"AND(PLACE:5(year:0()), in_check(), EQ(%0, 3))", "&01", "year:0()", "AND(year:0(), EQ(%0, 3))",
         1 << COLUMN_DATE, 1 << COLUMN_DATE, false},
        {"AND(OR(year:0(), in_check()), EQ(%0, 3))", "=", NULL, NULL, 0, 0, false},
        // A value that is known in one alternative.
        {"OR(AND(year:0(), in_check()), EQ(%0, 3))", "=", NULL, NULL, 0, 0, false},
        {"OR(IF(year:0(), in_check(), has_legal_move()), EQ(%0, 3))", "=", NULL, NULL, 0, 0, false},
        {"IF(year:0(), has_legal_move(), EQ(%0, 3))", "|0!0", "year:0()", NULL, 1 << COLUMN_DATE, 0, false},
        {"AND(player:2(0), IF(year:0(), EQ(%0, 3), in_check()))", "&|&12!10", "player:0(0)", "year:0()",
         1 << COLUMN_WHITE, 1 << COLUMN_DATE, false},
        // Both names; a pattern that is not known is looked for in both together.
        {"player:2(2)", "&0b0", "player:0(0)", NULL, 1 << COLUMN_WHITE, 0, true},
        {"NOT(player:2(2))", "|!0!b0", "player:0(0)", NULL, 1 << COLUMN_WHITE, 0, true},
        {"AND(player:2(2), contains(\"ab\", %2))", "&|1b1&0b0", "player:0(0)",
         "AND(player:0(0), contains(\"ab\", %0))", 1 << COLUMN_WHITE, 1 << COLUMN_WHITE, true},
        {"AND(player:2(2), contains(\"a\\b\", %2))", "&1&0b0", "player:0(0)",
         "AND(player:0(2), contains(\"a\\b\", %0))", 1 << COLUMN_WHITE, 3 << COLUMN_WHITE, true},
        {"AND(player:2(2), regex_search(0, %2))", "&1&0b0", "player:0(0)",
         "AND(player:0(2), regex_search(0, %0))", 1 << COLUMN_WHITE, 3 << COLUMN_WHITE, true},
        // What changes more than the game comes first.
        {"AND(message(\"x\", 0), year:0())", "=", NULL, NULL, 0, 0, false},
        {"AND(player:2(0), message(\"x\", 0), year:0())", "0", "player:0(0)", NULL, 1 << COLUMN_WHITE, 0,
         false},
        {"AND(log_add(CURRENT, \"x\"), year:0())", "0", "year:0()", NULL, 1 << COLUMN_DATE, 0, true},
        {"AND(set_tag(\"x\", \"y\"), year:0())", "0", "year:0()", NULL, 1 << COLUMN_DATE, 0, true},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Module *m = module_of_text("", "iitt", row[i].body);
        char formula[100];
        split_tags(m);
        write_formula(m, formula);
        const bool none = *row[i].formula == '=';
        if (strcmp(formula, none ? "" : row[i].formula) != 0 || m->info.tags_decide != row[i].decides)
            fail_msg("%s: %s, decides: %d", row[i].body, formula, m->info.tags_decide);
        const char *const wanted[2] = {row[i].first, row[i].second};
        const int columns[2] = {row[i].columns, row[i].other_columns};
        for (int atom = 0; atom < 2 && wanted[atom] != NULL; atom++) {
            IrFunction *f = m->function[m->tag_atom[atom]];
            if (!ir_equal(f->body, ir_from_text(m, f, wanted[atom])) ||
                m->info.tag_columns[atom] != columns[atom])
                fail_msg("%s: atom %d reads %x", row[i].body, atom, (unsigned)m->info.tag_columns[atom]);
        }
        arena_free(m->arena);
    }
}

// ---- once a game ------------------------------------------------------------------------------------------

#define ONCE(condition)                                                                                      \
    "AND(IF(EQ($0, 0), ALWAYS(AND(STORE:0(1), " condition ", STORE:0(2))), TRUE), EQ($0, 2))"

static void facts_of_games_are_kept(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "", AB, ONCE(AB)},
        {"", "", "AND(in_check(), " AB ")", "AND(in_check(), " ONCE(AB) ")"},
        {"", "", "PLACE:5(" AB ")", "PLACE:5(" ONCE(AB) ")"},
        {"", "", "OR(" AB ", EQ(@0, 3))", ONCE("OR(" AB ", EQ(@0, 3))")},
        {"", "", "NOT(" AB ")", ONCE("NOT(" AB ")")},
        {"", "i", "AND(year:0(), EQ(%0, 1990))", ONCE("year:0(), EQ(%0, 1990)")},
        {"", "", "AT(POSITION_OF(0), in_check())", ONCE("AT(POSITION_OF(0), in_check())")},
        // Not what costs nothing, what depends on the position, or on what changes.
        {"", "", "EQ(@0, 3)", NULL},
        {"", "", "in_check()", NULL},
        {"", "", "has_nag(3)", NULL},
        {"", "", "AT(.parent(CURRENT), in_check())", NULL},
        {"", "", "comments_wanted()", NULL},
        {"", "", "log_wanted()", NULL},
        {"", "", "regex_search(0, \"x\")", NULL},
        {"", "i", "AND(in_check(), LET:0(length(\"x\")), EQ(%0, .ply(CURRENT)))", NULL},
        {"", "i", "AND(AND(LET:0(.ply(CURRENT)), in_check()), EQ(length(\"x\"), %0))", NULL},
    };
    CHECK_PASS(evaluate_once, rows);
}

// In the functions that the body calls and those whose results are remembered, each with a cell of its own, and in no others.
static void facts_of_functions_are_kept(void **state)
{
    (void)state;
    enum { FUNCTIONS = 5 };
    static int remembered[] = {2, 3};
    Module *m = module_of_text("", "", "TRUE");
    for (int i = 1; i < FUNCTIONS; i++)
        add_ir_function(m, "", AB);
    m->function[0]->body = ir_from_text(m, m->function[0], "AND(INVOKE:1(), in_check())");
    m->remembered = remembered;
    m->info.remembered_count = 2;
    evaluate_once(m);
    assert_null(ir_verify(m));
    for (int i = 1; i < FUNCTIONS; i++)
        assert_int_equal(m->function[i]->body->op, i < 4 ? IR_AND : IR_CALL);
    assert_int_equal(m->info.slot_count, 3);
    arena_free(m->arena);
}

// ---- texts ------------------------------------------------------------------------------------------------

#define TEXT "log_auto(CURRENT, \"x\")"
#define CUT(condition) "AND(LET:0(log_mark()), OR(" condition ", AND(log_cut(%0), FALSE)))"
#define KEPT(condition) "AND(OR(" condition "))"

static void certain_texts_are_kept(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "i", CUT("in_check()"), KEPT("in_check()")},
        {"", "i", CUT("AND(in_check(), " TEXT ")"), KEPT("AND(in_check(), " TEXT ")")},
        {"", "i", CUT("AND(" TEXT ", in_check())"), NULL},
        {"", "i", CUT("PLACE:5(AND(" TEXT ", in_check()))"), NULL},
        {"", "i", CUT("OR(in_check(), AND(" TEXT ", has_legal_move()))"), NULL},
        {"", "i", CUT("OR(in_check(), AND(has_legal_move(), " TEXT "))"),
         KEPT("OR(in_check(), AND(has_legal_move(), " TEXT "))")},
        {"", "i", CUT("NOT(AND(in_check(), " TEXT "))"), NULL},
        {"", "i", CUT("NOT(AND(in_check(), has_legal_move()))"),
         KEPT("NOT(AND(in_check(), has_legal_move()))")},
        // What comes after a condition that is always true is never reached.
        {"", "i", "AND(LET:0(log_mark()), OR(ALWAYS(AND(" TEXT ", in_check())), AND(log_cut(%0), FALSE)))",
         KEPT("ALWAYS(AND(" TEXT ", in_check()))")},
        {"", "i", CUT("OR(ALWAYS(" TEXT "), in_check())"), KEPT("OR(ALWAYS(" TEXT "))")},
        // The mark is that of the cut, and of nothing else.
        {"", "i", "AND(LET:0(log_mark()), OR(in_check(), AND(log_cut(%0), FALSE)), EQ(%0, 3))", NULL},
        {"", "ii", "AND(LET:0(log_mark()), LET:1(3), OR(in_check(), AND(log_cut(%0), FALSE)), EQ(%1, 3))",
         "AND(LET:1(3), OR(in_check()), EQ(%1, 3))"},
        {"", "ii",
         "AND(LET:0(log_mark()), LET:1(log_mark()), OR(in_check(), AND(log_cut(%0), FALSE)), EQ(%1, 3))",
         "AND(LET:1(log_mark()), OR(in_check()), EQ(%1, 3))"},
        {"", "ii", "AND(LET:0(log_mark()), OR(in_check(), AND(log_cut(%1), FALSE)))", NULL},
        {"", "i", "AND(LET:0(log_mark()), has_legal_move(), OR(in_check(), AND(log_cut(%0), FALSE)))", NULL},
        {"", "i", "AND(LET:0(3), OR(in_check(), AND(log_cut(%0), FALSE)))", NULL},
        {"", "i", "AND(LET:0(log_mark()), OR(in_check(), AND(log_cut(%0), has_legal_move())))", NULL},
        {"", "i", "AND(LET:0(log_mark()), OR(in_check(), AND(log_cut(%0), FALSE), has_legal_move()))", NULL},
        {"", "i", "AND(LET:0(log_mark()), OR(AND(log_cut(%0), FALSE)))", NULL},
        // Branches.
        {"", "i", CUT("IF(AND(in_check(), " TEXT "), TRUE, FALSE)"),
         KEPT("IF(AND(in_check(), " TEXT "), TRUE, FALSE)")},
        {"", "i", CUT("IF(AND(in_check(), " TEXT "), has_legal_move(), TRUE)"), NULL},
        {"", "i", CUT("IF(in_check(), AND(has_legal_move(), " TEXT "), FALSE)"),
         KEPT("IF(in_check(), AND(has_legal_move(), " TEXT "), FALSE)")},
        {"", "i", CUT("IF(in_check(), AND(" TEXT ", has_legal_move()), FALSE)"), NULL},
        {"", "i", CUT("IF(in_check(), FALSE, AND(" TEXT ", has_legal_move()))"), NULL},
        {"", "i", CUT("IF(AND(" TEXT ", in_check()), TRUE, TRUE)"),
         "AND(LET:0(log_mark()), OR(IF(AND(" TEXT ", in_check()), TRUE, TRUE)))"},
        // Loops.
        {"", "ii", CUT("EACH_SQUARE:1,each([P], AND(" TEXT ", in_check()))"),
         KEPT("EACH_SQUARE:1,each([P], AND(" TEXT ", in_check()))")},
        {"", "ii", CUT("EACH_SQUARE:1,any([P], AND(" TEXT ", in_check()))"), NULL},
        {"", "ii", CUT("EACH_SQUARE:1,any([P], AND(in_check(), " TEXT "))"),
         KEPT("EACH_SQUARE:1,any([P], AND(in_check(), " TEXT "))")},
        {"", "ii", CUT("EACH_SQUARE:1,all([P], AND(in_check(), " TEXT "))"), NULL},
        {"", "ii", CUT("EACH_SQUARE:1,all([P], " TEXT ")"), KEPT("EACH_SQUARE:1,all([P], " TEXT ")")},
        {"", "ii", CUT("EACH_SQUARE:1,all([P], in_check())"), KEPT("EACH_SQUARE:1,all([P], in_check())")},
        {"", "ix", CUT("AT(%1, AND(" TEXT ", in_check()))"), NULL},
        {"", "ix", CUT("AT(%1, AND(in_check(), " TEXT "))"), KEPT("AT(%1, AND(in_check(), " TEXT "))")},
        {"", "i", CUT("AT(POSITION_OF(length(text_position(CURRENT))), in_check())"), NULL},
    };
    CHECK_PASS(keep_certain_texts, rows);
}

static void calls_may_add_texts(void **state)
{
    (void)state;
    static const char *const silent[] = {"ALWAYS(LET:1(log_mark()))",
                                         "texts_keep(1, 2)",
                                         "trail_start(1)",
                                         "trail_push(1, CURRENT)",
                                         "trail_pop(1)",
                                         "trail_keep(1, CURRENT, 1, 1, 1)",
                                         "memo_begin(1)",
                                         "memo_follow(1, [P])",
                                         "memo_visit(1, 1)",
                                         "memo_find:2(1, 1)",
                                         "memo_keep(1, 1, CURRENT)",
                                         "mark(1, CURRENT)",
                                         "marked(1, CURRENT)",
                                         "legal_position()"};
    static const char *const adds[] = {"texts_put(1)",
                                       "log_add(CURRENT, \"x\")",
                                       TEXT,
                                       "set_tag(\"x\", \"y\")",
                                       "remove_comment()",
                                       "path_comments(CURRENT, CURRENT, 1, 2, 3, \"x\")",
                                       "INVOKE:1()"};
    for (size_t i = 0; i < (sizeof silent + sizeof adds) / sizeof *silent; i++) {
        char text[300];
        const bool is_silent = i < sizeof silent / sizeof *silent;
        snprintf(text, sizeof text,
                 "AND(LET:0(log_mark()), OR(AND(%s, in_check()), AND(log_cut(%%0), FALSE)))",
                 is_silent ? silent[i] : adds[i - sizeof silent / sizeof *silent]);
        Module *m = module_of_text("", "iix", "TRUE");
        add_ir_function(m, "", TEXT);
        m->function[0]->body = ir_from_text(m, m->function[0], text);
        assert_null(ir_verify(m));
        keep_certain_texts(m);
        if ((m->function[0]->body->kid_count == 1) != is_silent)
            fail_msg("%s", text);
        arena_free(m->arena);
    }
    // A function without texts, and another one that has some.
    for (int i = 0; i < 2; i++) {
        Module *m = module_of_text("", "i", "TRUE");
        add_ir_function(m, "", "in_check()");
        add_ir_function(m, "", i == 0 ? "has_legal_move()" : TEXT);
        m->function[0]->body = ir_from_text(m, m->function[0], CUT("AND(INVOKE:1(), in_check())"));
        keep_certain_texts(m);
        assert_int_equal(m->function[0]->body->kid_count, 1 + i);
        arena_free(m->arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_are_tested_first),
        cmocka_unit_test(calls_are_known_early),
        cmocka_unit_test(parts_of_comments_are_required),
        cmocka_unit_test(parts_of_patterns_are_required),
        cmocka_unit_test(conditions_on_tags_are_split),
        cmocka_unit_test(facts_of_games_are_kept),
        cmocka_unit_test(facts_of_functions_are_kept),
        cmocka_unit_test(certain_texts_are_kept),
        cmocka_unit_test(calls_may_add_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
