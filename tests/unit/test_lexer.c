// Tokens of query texts, row by row as the tables of chapter 1 of the language reference state them.
#include "test.h"

#include "compiler/language/ast.h"
#include "compiler/language/table.h"
#include "compiler/front/cql6/token.h"
#include "runtime/game/view.h"

typedef struct Lexed {
    Arena *arena;
    Source source;
    Diagnostics diagnostics;
    TokenList tokens;
} Lexed;

static void lex_bytes(Lexed *x, const char *text, size_t length)
{
    x->arena = arena_new();
    x->source = (Source){"test.cql", arena_copy(x->arena, text, length), length, NULL};
    x->diagnostics = (Diagnostics){x->arena, &x->source, NULL, 0, 0};
    x->tokens = lex(x->arena, &x->source, IN_CQL6, &x->diagnostics);
    token_check(&x->tokens, &x->diagnostics);
    assert_int_equal(x->tokens.token[x->tokens.count - 1].kind, TOKEN_END);
}

static void lex_text(Lexed *x, const char *text)
{
    lex_bytes(x, text, strlen(text));
}

// One token: words and punctuation as they are (ASCII), `'x` an identifier, <Ra1> a designator, {2,4} a
// repetition, (1-0) a result, \1 a group, "…" a string, input:x.pgn a file name, [Aa]: a declaration, ///2 a
// line comment with two tokens in its line. Flags: `&` before a move token: left tie, after it: right tie;
// `!` a wildcard.
static const char *show(const Lexed *x, int index)
{
    const Token *t = &x->tokens.token[index];
    const char *text = x->source.text + t->span.start;
    int length = (int)(t->span.end - t->span.start);
    const char *wild = t->flags & TOKEN_WILDCARD ? "!" : "";
    switch (t->kind) {
    case TOKEN_END:
        return "end";
    case TOKEN_ERROR:
        return "error";
    case TOKEN_WORD:
        assert_string_equal(t->bytes, op_info[t->op].name);
        return t->bytes;
    case TOKEN_IDENTIFIER:
        return arena_printf(x->arena, "'%s", t->bytes);
    case TOKEN_INTEGER:
        return arena_printf(x->arena, "%d", t->number);
    case TOKEN_STRING:
        return arena_printf(x->arena, "\"%s\"", t->bytes);
    case TOKEN_GROUP:
        return arena_printf(x->arena, "\\%d", t->number);
    case TOKEN_GROUP_OFFSET:
        return arena_printf(x->arena, "\\-%d", t->number);
    case TOKEN_DESIGNATOR:
        return arena_printf(x->arena, "<%.*s>", length, text);
    case TOKEN_RESULT:
        return t->number == RESULT_WHITE ? "(1-0)" : t->number == RESULT_BLACK ? "(0-1)" : "(1/2-1/2)";
    case TOKEN_REPETITION:
        return arena_printf(x->arena, "{%d,%d}", t->low, t->high);
    case TOKEN_FILE:
        return arena_printf(x->arena, "%s:%s", op_info[t->number].name, t->bytes);
    case TOKEN_PIECE_DECLARATION:
        return "[Aa]:";
    case TOKEN_LINE_COMMENT:
        return arena_printf(x->arena, "///%d", t->number - index - 1);
    case TOKEN_PUNCTUATION:
        return arena_printf(x->arena, "%s%s%s%s", t->flags & TOKEN_LEFT_TIE ? "&" : "",
                            punctuation_spelling[t->number], t->flags & TOKEN_RIGHT_TIE ? "&" : "", wild);
    }
    return "?";
}

static const char *show_all(const Lexed *x)
{
    const char *all = "";
    for (int i = 0; i + 1 < x->tokens.count; i++)
        all = arena_printf(x->arena, "%s%s%s", all, i ? " " : "", show(x, i));
    return all;
}

typedef struct Case {
    const char *text, *tokens;
} Case;

static void check_cases(const Case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Lexed x;
        lex_text(&x, cases[i].text);
        if (x.diagnostics.count > 0)
            fail_msg("%s: %s", cases[i].text, x.diagnostics.list[0].message);
        if (strcmp(show_all(&x), cases[i].tokens) != 0)
            fail_msg("%s: tokens %s, expected %s", cases[i].text, show_all(&x), cases[i].tokens);
        arena_free(x.arena);
    }
}

#define CHECK(...)                                                                                           \
    do {                                                                                                     \
        static const Case cases_[] = {__VA_ARGS__};                                                          \
        check_cases(cases_, sizeof cases_ / sizeof cases_[0]);                                               \
    } while (0)

// 1.3
static void test_white_space(void **state)
{
    (void)state;
    CHECK({"check // x y\nwtm", "check wtm"}, {"check ; x y\nwtm", "check wtm"},
          {"check //// x\nwtm", "check wtm"}, {"check ///// x\nwtm", "check wtm"}, {"//* check\nwtm", "wtm"},
          {"check /* a /* b */ wtm", "check wtm"}, {"check/**/wtm", "check wtm"},
          {"/***/ check /* a\nb */", "check"}, {"check // x\rwtm\n", "check"},
          {"\xEF\xBB\xBF\xEF\xBB\xBF"
           "check",
           "check"},
          {"check \t\v\f\r\n wtm\r\n", "check wtm"}, {"// \xFF\xFE\n/* \xFF */ check; \xC0", "check"},
          {"\"// /* ; ///\"", "\"// /* ; ///\""}, {"check{wtm}R|r", "check { wtm } <R> | <r>"},
          {"up{P}", "up { <P> }"}, {"r≥2and r≥2", "<r> >= 2 and <r> >= 2"});
}

static void test_line_comment(void **state)
{
    (void)state;
    CHECK({"/// \"x\" check\nbtm", "///2 \"x\" check btm"}, {"/// k", "///1 <k>"}, {"///k", "///1 <k>"},
          {"/// k // hides nothing\nbtm", "///1 <k> btm"}, {"/// k ; c\nbtm", "///1 <k> btm"},
          {"/// k //// c\nbtm", "///1 <k> btm"},
          {"/// \"a\" /* goes\n on */ mate\ncheck", "///2 \"a\" mate check"},
          {"/// k\n/// q", "///1 <k> ///1 <q>"}, {"/// k\r\nwtm", "///1 <k> wtm"},
          {"/// input x.pgn\nwtm", "///1 input:x.pgn wtm"});
    Lexed x;
    lex_text(&x, "wtm /// k q\nbtm");
    static const bool in_line[] = {false, false, true, true, false};
    for (int i = 0; i < 5; i++)
        assert_int_equal((x.tokens.token[i].flags & TOKEN_IN_COMMENT_LINE) != 0, in_line[i]);
    arena_free(x.arena);
    lex_text(&x, "/// k q\nbtm"); // the same at the beginning
    for (int i = 0; i < 4; i++)
        assert_int_equal((x.tokens.token[i].flags & TOKEN_IN_COMMENT_LINE) != 0, in_line[i + 1]);
    arena_free(x.arena);
}

// Is there a blank line before the second token?
static bool blank_before(const char *text)
{
    Lexed x;
    lex_text(&x, text);
    assert_int_equal(x.tokens.count, 3);
    bool blank = (x.tokens.token[1].flags & TOKEN_BLANK_BEFORE) != 0;
    arena_free(x.arena);
    return blank;
}

static void test_blank_lines(void **state)
{
    (void)state;
    assert_false(blank_before("check wtm"));
    assert_false(blank_before("check\nwtm"));
    assert_true(blank_before("check\n\nwtm"));
    assert_true(blank_before("check\n \t\r\nwtm"));
    assert_false(blank_before("check\n// c\nwtm"));
    assert_false(blank_before("check\n/* c */\nwtm"));
    assert_false(blank_before("check\n/* c\n\n c */ wtm"));
    assert_true(blank_before("check\n\n// c\nwtm"));
    assert_true(blank_before("check\n// c\n\nwtm"));
    assert_true(blank_before("check // c\n\nwtm"));
    assert_true(blank_before("check /* c */\n\nwtm"));
    assert_false(blank_before("\n\ncheck wtm"));
}

// 1.4
static void test_adjacency(void **state)
{
    (void)state;
    CHECK({"Qa1--f7", "<Qa1> &--& <f7>"}, {"Q--f7", "<Q> &--& <f7>"}, {"Q --f7", "<Q> --& <f7>"},
          {"Q-- f7", "<Q> &-- <f7>"}, {"Q -- f7", "<Q> -- <f7>"}, {"--(check)", "--& ( check )"},
          {"-- (check)", "-- ( check )"}, {"--f7(check)", "--& <f7> ( check )"}, {"{3}", "{3,3}"},
          {"{2,4}", "{2,4}"}, {"{ 3 }", "{ 3 }"}, {"{3 }", "{ 3 }"}, {"[Aa]x=R", "[Aa]: 'x = <R>"},
          {"◭x∊R", "[Aa]: 'x [element] <R>"}, {"[Aa] x=R", "<[Aa]> 'x = <R>"}, {"1-0", "(1-0)"},
          {"0-1", "(0-1)"}, {"1/2-1/2", "(1/2-1/2)"}, {"1 -0", "1 - 0"}, {"1- 0", "1 - 0"},
          {"(1)-0", "( 1 ) - 0"}, {"5-1-0", "5 - (1-0)"}, {"x<-1", "'x <- 1"}, {"x< -1", "'x < - 1"},
          {"x<--1", "'x <-- 1"}, {"x< - -1", "'x < - - 1"}, {"3--2", "3 &--& 2"}, {"x--y", "'x &--& 'y"},
          {"3- -2", "3 - - 2"}, {"a1-8", "<a1-8>"}, {"a1 -8", "<a1> - 8"}, {"a1-h8", "<a1> - <h8>"},
          {"[a1,b2]", "<[a1,b2]>"}, {"[a1, b2]", "[ <a1> , 'b2 ]"}, {"[ a1,b2]", "[ <a1> , 'b2 ]"},
          {"o-o", "o-o"}, {"o -o", "'o - 'o"}, {"s[a1]", "'s <[a1]>"}, {"D[a]", "'D <[a]>"},
          {"D[ a1 ]", "'D [ <a1> ]"}, {"D[ a1]", "'D [ 'a1 ]"}, {"x=?y", "'x =? 'y"}, {"x= ?y", "'x = ?! 'y"},
          {"R2", "'R2"}, {"checkmate", "'checkmate"}, {"R 2", "<R> 2"}, {"check mate", "check mate"});
}

// 1.9
static void test_strings(void **state)
{
    (void)state;
    CHECK({"\"\"", "\"\""}, {"\"\\n\" \"\\\"", "\"\\n\" \"\\\""}, {"\\n\\r\\t", "\"\n\" \"\r\" \"\t\""},
          {"\\\"\\\\", "\"\"\" \"\\\""}, {"\"say \"+\\\"+\"hi\"+\\\"", "\"say \" + \"\"\" + \"hi\" + \"\"\""},
          {"#\\n == 1", "# \"\n\" == 1"}, {"\"é\xFF\"", "\"Ã©ÿ\""}, {"\"é\"", "\"é\""},
          {"\\1 \\02 \\-2 \\-13", "\\1 \\2 \\-2 \\-13"}, {"\\1==\"b\"", "\\1 == \"b\""},
          {"check\"x\"wtm", "check \"x\" wtm"});
    Lexed x;
    lex_text(&x, "\"é\"");
    assert_int_equal(x.tokens.token[0].length, 2);
    arena_free(x.arena);
}

// 1.10.3
static void test_designator_ends(void **state)
{
    (void)state;
    CHECK({"a", "<a>"}, {"b", "<b>"}, {"a1", "<a1>"}, {"ab1", "<ab1>"}, {"bb1", "<bb1>"},
          {"aa1 Aa1", "<aa1> <Aa1>"}, {"b1-8", "<b1-8>"}, {"b1-b8", "<b1> - <b8>"}, {"Ba", "'Ba"},
          {"A1", "'A1"}, {"a-h", "<a> - 'h"}, {"Ra1x Rook R2", "'Ra1x 'Rook 'R2"}, {"[Qa]", "<[Qa]>"},
          {"[a] [ab]", "<[a]> <[ab]>"}, {"[a1] [b1,b2]", "<[a1]> <[b1,b2]>"}, {"[ab1]", "[ 'ab1 ]"},
          {"[Ra1]", "[ 'Ra1 ]"}, {"R[a1,h1] [RQ][a1,h1] ♖♕[a1,h1]", "<R[a1,h1]> <[RQ][a1,h1]> <♖♕[a1,h1]>"},
          {"R[x]q", "<R> &[x]& <q>"}, {"R×q", "<R> &[x]& <q>"}, {"R[1]", "'R [ 1 ]"}, {"a[0]", "'a [ 0 ]"},
          {"R[<]", "'R [<]"}, {"Rd4.", "<Rd4> ."}, {"R.", "<R> ."}, {"a∪b", "<a> | <b>"},
          {"R→r", "<R> -> <r>"}, {"K♔", "<K> <♔>"}, {"_x", "'_x"}, {"2a", "2 <a>"},
          {"♖♜ [♖♜]", "<♖♜> <[♖♜]>"}, {"♔ ♖", "<♔> <♖>"}, {"♔g1♚g8♕", "<♔g1> <♚g8> <♕>"},
          {"[Aa]d4", "<[Aa]d4>"}, {"◭d4", "<◭d4>"}, {"[Aa]x", "[Aa]: 'x"}, {"[Aa] mate", "<[Aa]> mate"},
          {"[aA]x", "[ 'aA ] 'x"}, {"[Aa]R", "[Aa]: <R>"},
          {"[forall][Aa]x[element]R", "[forall] [Aa]: 'x [element] <R>"},
          {"∀◭x∊r", "[forall] [Aa]: 'x [element] <r>"}, {"[Aa]→r", "<[Aa]> -> <r>"}, {"[RR]", "<[RR]>"},
          {"#[Rr]a-h1", "# <[Rr]a-h1>"});
}

static void test_path_level(void **state)
{
    (void)state;
    CHECK({"path x+1", "path 'x +! 1"}, {"path {x+1}*", "path { 'x + 1 } *!"},
          {"path (x+1)", "path ( 'x +! 1 )"}, {"path D[1+2] -- {*}", "path 'D [ 1 + 2 ] -- {*}!"},
          {"path ({x+1}*2)", "path ( { 'x + 1 } *! 2 )"}, {"path --\n\nx+1", "path -- 'x + 1"},
          {"{path --}x+1", "{ path -- } 'x + 1"}, {"path (--\n\nx+1)", "path ( -- 'x +! 1 )"},
          {"path {--\n\nx+1}*2", "path { -- 'x + 1 } *! 2"}, {"path {legal --}", "path { legal -- }"},
          {"legal --", "legal --"}, {"path x-1/2%3", "path 'x - 1 / 2 % 3"},
          {"path -- path x\n\n2*3", "path -- path 'x 2 * 3"}, {"path --\n\nlegal --", "path -- legal --"},
          {"⊢ x+1", "path 'x +! 1"}, {"(x+1)", "( 'x + 1 )"});
}

static void test_path_end(void **state)
{
    (void)state;
    Lexed x;
    lex_text(&x, "path -- path --\n\ncheck ( path x\n\nwtm ) x\n\ny");
    assert_int_equal(x.tokens.count, 13);
    for (int i = 0; i < 13; i++) {
        int flags = x.tokens.token[i].flags;
        assert_int_equal((flags & TOKEN_PATH_END) != 0, i == 4 || i == 8);
        assert_int_equal((flags & TOKEN_PATH_TOP) != 0, (i >= 1 && i <= 3) || i == 7);
    }
    arena_free(x.arena);
}

static void test_spans(void **state)
{
    (void)state;
    Lexed x;
    lex_text(&x, " ♔→ab");
    static const Span span[] = {{1, 4}, {4, 7}, {7, 9}, {9, 9}};
    assert_int_equal(x.tokens.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(x.tokens.token[i].span.start, span[i].start);
        assert_int_equal(x.tokens.token[i].span.end, span[i].end);
    }
    assert_true(x.tokens.token[0].flags & TOKEN_SPACE_BEFORE);
    assert_false(x.tokens.token[1].flags & TOKEN_SPACE_BEFORE);
    assert_string_equal(token_text(x.arena, &x.source, &x.tokens.token[1]), "`→`");
    assert_string_equal(token_text(x.arena, &x.source, &x.tokens.token[2]), "`ab`");
    assert_string_equal(token_text(x.arena, &x.source, &x.tokens.token[3]), "end of query");
    arena_free(x.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_white_space), cmocka_unit_test(test_line_comment),
        cmocka_unit_test(test_blank_lines), cmocka_unit_test(test_adjacency),
        cmocka_unit_test(test_strings),     cmocka_unit_test(test_designator_ends),
        cmocka_unit_test(test_path_level),  cmocka_unit_test(test_path_end),
        cmocka_unit_test(test_spans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
