// The parser: precedence, type-directed operators, contexts, errors (language reference 2, 5.2, 7.8). Trees
// are written as S-expressions: (operator operand …), with operands by role as left=, right= ….
#include "test.h"

#include <stdlib.h>

#include "compiler/front/cql6/cql6.h"
#include "compiler/language/ast.h"

typedef struct Text {
    char bytes[4096];
    size_t length;
} Text;

static void __attribute__((format(printf, 2, 3))) append(Text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(t->bytes + t->length, sizeof t->bytes - t->length, format, arguments);
    va_end(arguments);
    assert_true(n >= 0 && t->length + (size_t)n < sizeof t->bytes);
    t->length += (size_t)n;
}

static void write_designator(Text *t, const Ast *node)
{
    static const char letters[] = "_PNBRQKpnbrqkAa";
    for (int i = 0; letters[i] != '\0' && node->pieces != ANY_SQUARE; i++)
        if (node->pieces >> i & 1)
            append(t, "%c", letters[i]);
    for (int s = 0; s < 64 && ~node->mask != 0; s++)
        if (node->mask >> s & 1)
            append(t, "%c%c", 'a' + s % 8, '1' + s / 8);
}

static void write_bound(Text *t, const Bound *bound)
{
    if (bound->variable != NULL)
        append(t, " %s", bound->variable->name);
    else
        append(t, " %d", bound->value);
}

static void write_tree(Text *t, const Ast *node)
{
    static const char *const role_name[] = {"left", "right", "extra", "extra2"};
    const Ast *const role[] = {node->kid_left, node->kid_right, node->kid_extra, node->kid_extra2};
    switch (node->op) {
    case OP_NUMBER:
        append(t, "%d", node->number);
        return;
    case OP_STRING:
        append(t, "\"%s\"", node->text);
        return;
    case OP_DESIGNATOR:
        write_designator(t, node);
        return;
    case OP_VARIABLE:
        append(t, "%s", node->variable->hidden ? "hidden" : node->variable->name);
        return;
    default:
        break;
    }
    bool leaf = node->kid_count == 0 && !role[0] && !role[1] && !role[2] && !role[3] &&
                !node->range.present && node->variable == NULL && node->text == NULL;
    append(t, "%s%s", leaf ? "" : "(", node->op == OP_COMPOUND ? "{}" : op_info[node->op].name);
    if (node->variable != NULL)
        append(t, " %s", node->variable->hidden ? "hidden" : node->variable->name);
    if (node->text != NULL)
        append(t, " \"%s\"", node->text);
    if (node->op == OP_REPEAT)
        append(t, " %d %d", node->low, node->high);
    if (node->range.present) {
        append(t, " [");
        write_bound(t, &node->range.low);
        write_bound(t, &node->range.high);
        append(t, " ]");
    }
    for (int i = 0; i < 4; i++) {
        if (role[i] == NULL)
            continue;
        append(t, " %s=", role_name[i]);
        write_tree(t, role[i]);
    }
    for (int i = 0; i < node->kid_count; i++) {
        append(t, " ");
        write_tree(t, node->kid[i]);
    }
    if (!leaf)
        append(t, ")");
}

// ---- helpers ----------------------------------------------------------------------------------------------

static void check_tree_at(const char *text, const char *expected, int line)
{
    Arena *arena = arena_new();
    Source source = {"test", text, strlen(text), NULL};
    Diagnostics diagnostics = {.arena = arena, .source = &source};
    ParseOptions options = {.variations = 1, .filters_only = true};
    Query *query = parse_query(arena, &source, &options, &diagnostics);
    if (query == NULL) {
        diag_print(&diagnostics, stderr, false);
        fail_msg("line %d: `%s` was rejected", line, text);
    }
    Text tree = {0};
    for (int i = 0; i < query->body->kid_count; i++) {
        append(&tree, i > 0 ? " " : "%s", "");
        write_tree(&tree, query->body->kid[i]);
    }
    if (strcmp(tree.bytes, expected) != 0)
        fail_msg("line %d: `%s` is\n  %s, expected\n  %s", line, text, tree.bytes, expected);
    arena_free(arena);
}

// Parses a whole query (`cql(…) …`) or filters; returns the number of errors. The first message must contain
// `part`.
static int errors_of(const char *text, const char *part, int line)
{
    Arena *arena = arena_new();
    Source source = {"test", text, strlen(text), NULL};
    Diagnostics diagnostics = {.arena = arena, .source = &source};
    ParseOptions options = {.variations = -1, .filters_only = strncmp(text, "cql", 3) != 0};
    Query *query = parse_query(arena, &source, &options, &diagnostics);
    int errors = diagnostics.errors;
    if ((query == NULL) != (errors > 0))
        fail_msg("line %d: `%s`: %d errors do not agree with the result", line, text, errors);
    if (errors > 0 && part != NULL && strstr(diagnostics.list[0].message, part) == NULL)
        fail_msg("line %d: `%s`: \"%s\" does not contain \"%s\"", line, text, diagnostics.list[0].message,
                 part);
    arena_free(arena);
    return errors;
}

static void check_errors_at(const char *text, int expected, const char *part, int line)
{
    int errors = errors_of(text, part, line);
    if (errors != expected)
        fail_msg("line %d: `%s` has %d errors, expected %d", line, text, errors, expected);
}

#define TREE(text, expected) check_tree_at((text), (expected), __LINE__)
#define REJECT(text, part) check_errors_at((text), 1, (part), __LINE__)
#define ACCEPT(text) check_errors_at((text), 0, NULL, __LINE__)
#define ERRORS(text, count) check_errors_at((text), (count), NULL, __LINE__)

// ---- precedence (2.7, 2.11) -------------------------------------------------------------------------------

static void test_precedence(void **state)
{
    (void)state;
    TREE("check or wtm and btm", "(or check (and wtm btm))");
    TREE("not R in a1 or wtm", "(or (not (in R a1)) wtm)");
    TREE("R|r & a1", "(| R (& r a1))");
    TREE("R attacks P & e2", "(& (attacks R P) e2)");
    TREE("A->a|k", "(-> A (| a k))");
    TREE("#P>#p+1", "(> (# P) (+ (# p) 1))");
    TREE("10-3-2==5", "(== (- (- 10 3) 2) 5)");
    TREE("100/10/5==2", "(== (/ (/ 100 10) 5) 2)");
    TREE("parent:ply+1==ply", "(== (+ (: parent ply) 1) ply)");
    TREE("parent:R in a1", "(in (: parent R) a1)");
    TREE("parent:parent:check", "(: parent (: parent check))");
    TREE("\"a\"+\"bc\"[1]==\"ac\"", "(== (+ \"a\" (s[i] \"bc\" 1)) \"ac\")");
    TREE("event==\"abc\" ~~ \"b\" + \"x\"", "(== event (+ (~~ \"b\" \"abc\") \"x\"))");
    TREE("x=if check 3 else 4", "(= x (if check 3 4))");
}

static void test_prefix_operators(void **state)
{
    (void)state;
    TREE("not check and wtm", "(and (not check) wtm)");
    TREE("not ply==3", "(not (== ply 3))");
    TREE("~R & a1", "(& (~ R) a1)");
    TREE("~P attacks e5", "(~ (attacks P e5))");
    TREE("-ply*2==4", "(== (* (- ply) 2) 4)");
    TREE("#R|r==4", "(== (# (| R r)) 4)");
    TREE("#\"ab\"+\"c\"==3", "(== (# (+ \"ab\" \"c\")) 3)");
    TREE("#\"ab\"+1==3", "(== (+ (# \"ab\") 1) 3)");
    TREE("#R+1==3", "(== (+ (# R) 1) 3)");
    TREE("power A|a>3", "(> (power (| A a)) 3)");
    TREE("up 1 P & e3", "(& (up [ 1 1 ] P) e3)");
    TREE("light R|r", "(| (light R) r)");
    TREE("abs 3-5==2", "(== (abs (- 3 5)) 2)");
    TREE("position 3+4:check", "(: (position (+ 3 4)) check)");
    TREE("uppercase \"a\"+\"b\"==\"Ab\"", "(== (+ (uppercase \"a\") \"b\") \"Ab\")");
    TREE("flip A and B", "(flip (and A B))");
    TREE("K & flip R | q", "(& K (flip (| R q)))");
    TREE("if check then wtm or btm", "(if check (or wtm btm))");
    TREE("x=1 or wtm", "(or (= x 1) wtm)");
}

// Sequences take the longest expression (2.6).
static void test_beware(void **state)
{
    (void)state;
    TREE("y=1 x=2 -y", "(= y 1) (= x (- 2 y))");
    REJECT("max(3 -2)==1", "another argument of `max");
    TREE("check -1==ply", "check (== -1 ply)");
    TREE("{\"abc\" [1]}==\"b\"", "(== ({} (s[i] \"abc\" 1)) \"b\")");
    TREE("function f(x){x==1} f (1)", "function (call (= hidden 1) ({} (== hidden 1)))");
    TREE("f=R f (R)", "(= f R) f R");
    REJECT("x=3==3", "`==` cannot follow a condition");
}

static void test_relations(void **state)
{
    (void)state;
    TREE("3<ply<7", "(< 3 (< ply 7))");
    TREE("3!=ply<7", "(!= 3 (< ply 7))");
    REJECT("3<ply!=7", "cannot compare");
    TREE("R==r==2", "(== R (== r 2))");
    REJECT("1[<]2", "two positions");
    REJECT("R<r", "cannot compare two sets");
    REJECT("1==\"1\"", "cannot compare a number with a string");
    REJECT("3==check", "cannot compare");
    REJECT("a1 in a1 in .", "does not chain");
    TREE("currentposition[<]child", "([<] currentposition child)");
    TREE("currentposition & parent & Q", "(& (& currentposition parent) Q)");
}

// ---- operators depend on the type to their left -----------------------------------------------------------

static void test_directed_by_types(void **state)
{
    (void)state;
    TREE("find check:mate", "(: (find check) mate)");
    TREE("find parent:check", "(find (: parent check))");
    TREE("find all check == 2", "(== (find check) 2)");
    TREE("find all ply > 4 == 4", "(find (> ply (== 4 4)))");
    TREE("x=2 x-1==1", "(= x 2) (== (- x 1) 1)");
    TREE("x=R x -1==ply", "(= x R) x (== -1 ply)");
    REJECT("R+1", "`+` cannot follow a set");
    REJECT("terminal:check", "`:` cannot follow a condition");
    REJECT("\"a\"+1==\"a1\"", "must be a string");
    REJECT("1+R==3", "must be a number");
    REJECT("R:check", "`:` cannot follow a set");
}

static void test_chains(void **state)
{
    (void)state;
    TREE("R->N->k", "(-> R N k)");
    TREE("k<-N<-R", "(-> k N R)");
    TREE("R->(N->k)", "(-> R (-> N k))");
    REJECT("R->r<-R", "cannot be mixed");
    REJECT("R->check", "must be a set");
}

static void test_dashes(void **state)
{
    (void)state;
    TREE("R|Q--a1|h8", "(-- left=(| R Q) right=(| a1 h8))");
    TREE("Q --e4", "Q (-- right=e4)");
    TREE("Q-- e4", "(-- left=Q) e4");
    TREE("P--a8=Q(check)", "(-- left=P right=a8 extra=Q check)");
    TREE("y=b8 P--y=Q", "(= y b8) (-- left=P right=y extra=Q)");
    TREE("--(ply)==3", "(== (-- ply) 3)");
    TREE("parent:P--", "(-- left=(: parent P))");
    TREE("countmoves --(check) + 1==2", "(== (+ (countmoves (-- check)) 1) 2)");
    TREE("legal K-- & dark .", "(& (legal left=K) (dark .))");
    TREE("legal K--e2 & _", "(legal left=K right=(& e2 _))");
    REJECT("Q-- (check)", "parenthesis after a move filter");
    REJECT("check--", "must then be a set");
    REJECT("not--", "is attached to something that is not a set");
    REJECT("--=Q or check", "promoted piece");
    REJECT("P--=Qa8", "without squares");
    REJECT("P--check", "must be a set");
    REJECT("legal [x]", "`--`, not `[x]`");
    REJECT("move legal capture p", "move legal");
}

static void test_ranges(void **state)
{
    (void)state;
    TREE("up 1 (.)", "(up [ 1 1 ] .)");
    REJECT("up 1 .", "range of `up`");
    REJECT("up 3 1 e4", "reversed");
    REJECT("up 1 8 K", "at most 7");
    REJECT("up count K", "not `count`");
    TREE("find 1 3 K", "(find [ 1 3 ] K)");
    REJECT("find 1 ~K", "range of `find`");
    TREE("find 1 1==K", "(find [ 1 1 ] (== 1 K))");
    TREE("flip -1<K", "(flip (< -1 K))");
    TREE("x=1 find x K", "(= x 1) (find [ x x ] K)");
    TREE("x=1 find x<3", "(= x 1) (find (< x 3))");
    TREE("flip count {K}", "(flip [ 0 0 ] ({} K))");
    REJECT("flip 1 ~K", "range of `flip`");
    REJECT("reversecolor count K", "expected a filter, found `count`");
}

// ---- names (7) --------------------------------------------------------------------------------------------

static void test_functions(void **state)
{
    (void)state;
    TREE("function f(v){v+=1} x=1 f(x)", "function (= x 1) (call ({} (= x 1)))");
    TREE("x=1 function f(v w){v>w} f({x} 2)",
         "(= x 1) function (call (= hidden ({} x)) (= hidden 2) ({} (> hidden hidden)))");
    ACCEPT("function f(v w){v==w} w=1 v=2 f(w v)"); // parameters are replaced all at once
    ACCEPT("function f(v){#v>1} f(R) f(\"abc\")");  // types are checked at each call
    ACCEPT("function f(v){v+R}");                   // never called: never parsed
    REJECT("function f(v){v+R} f(3)==4", "must be a number");
    REJECT("function f(v){f(v)} f(3)", "calls itself");
    REJECT("function f(v){g(v)} function g(v){f(v)} g(3)", "calls itself");
    REJECT("function f(v){v} f(1 2)", "1 parameter, but 2 arguments");
    REJECT("function f(v){v} f(check)", "cannot be an argument");
    REJECT("function f(v v){v}", "two parameters");
    REJECT("function f(){3}", "body of a function");
    REJECT("function f(){true} f", "must follow in parentheses");
}

// ---- path and line (5) ------------------------------------------------------------------------------------

static void test_path_constituents(void **state)
{
    (void)state;
    TREE("path -- #A + 1 == 4", "(path (* + ? {n,m} 1 100000 (-- (# A))) (== 1 4))");
    TREE("path -- {#A + 1 == 4}", "(path (-- ({} (== (+ (# A) 1) 4))))");
    REJECT("path -- (#A + #a) == 4", "expected `)`");
    TREE("path -- #A - 1 == 4", "(path (-- (== (- (# A) 1) 4)))");
    TREE("path --* - 1 == -1", "(path (* + ? {n,m} 0 100000 --) (== -1 -1))");
    TREE("path -- check or wtm", "(path (-- (or check wtm)))");
    TREE("path --+ or wtm", "(or (path (* + ? {n,m} 1 100000 --)) wtm)");
    TREE("path -- or wtm", "(or (path --) wtm)");
    TREE("path -- check == 3", "(== (path (-- check)) 3)");
    TREE("path -- #A == 3", "(path (-- (== (# A) 3)))");
    TREE("path -- check or Q-- mate", "(path (-- (or check (-- left=Q)) mate))");
    TREE("path -- not Q-- mate", "(path (-- (not (-- left=Q)) mate))");
    TREE("path flip Q--d4", "(path (flip (-- left=Q right=d4)))");
}

// ---- errors -----------------------------------------------------------------------------------------------

// Independent errors are all reported, consequences are not.
static void test_recovery(void **state)
{
    (void)state;
    ERRORS("x=chek\nx==3\nR+1\nwtm", 2);
    ERRORS("path\n  -- chek\n  (-- mate)+\n\nfoo\nwtm", 2);
    ERRORS("foo foo\nbar", 2);
    ERRORS("{ foo\nbar }\ncheck", 1);
}

static void repeat(char *out, const char *text, int count)
{
    for (size_t n = strlen(text); count > 0; count--, out += n)
        memcpy(out, text, n + 1);
}

static void test_nesting(void **state)
{
    (void)state;
    static char text[300000];
    repeat(text, "(", 10000);
    repeat(text + strlen(text), "R", 1);
    repeat(text + strlen(text), ")", 10000);
    REJECT(text, "nested too deeply");
    repeat(text, "wtm or ", 20000);
    repeat(text + strlen(text), "btm", 1);
    REJECT(text, "nested too deeply");
    repeat(text, "not ", 500);
    repeat(text + strlen(text), "btm", 1);
    ACCEPT(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_prefix_operators),
        cmocka_unit_test(test_beware),
        cmocka_unit_test(test_relations),
        cmocka_unit_test(test_directed_by_types),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_dashes),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_path_constituents),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_nesting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
