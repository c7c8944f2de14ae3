// The parser of CQL 5 (language reference 11). A query of CQL 5 and its spelling in CQL 6.2 must give the
// same tree; what CQL 6.2 cannot say is written out as a tree.
#include "test.h"

#include <stdlib.h>

#include "compiler/front/cql6/cql6.h"
#include "compiler/front/cql5/cql5.h"

// ---- helpers ----------------------------------------------------------------------------------------------

typedef struct Parsed {
    Arena *arena;
    Source source;
    Diagnostics diagnostics;
    Query *query;
} Parsed;

static Parsed parse(const char *text, bool cql5, bool old)
{
    Parsed p = {.arena = arena_new(), .source = {"test", text, strlen(text), NULL}};
    const ParseOptions options = {.variations = 1, .filters_only = strncmp(text, "cql", 3) != 0};
    p.diagnostics.arena = p.arena;
    p.diagnostics.source = &p.source;
    p.query = cql5 ? parse_cql5(p.arena, &p.source, &options, &p.diagnostics, old)
                   : parse_query(p.arena, &p.source, &options, &p.diagnostics);
    return p;
}

// The printed trees of the filters; freed by the caller.
static char *print(Parsed *p, int line)
{
    if (p->query == NULL) {
        diag_print(&p->diagnostics, stderr, false);
        fail_msg("line %d: `%s` was rejected", line, p->source.text);
    }
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < p->query->body->kid_count; i++)
        ast_print(out, p->query->body->kid[i]);
    fclose(out);
    arena_free(p->arena);
    return text;
}

static void check_same(const char *cql5, bool old, const char *cql6, int line)
{
    Parsed a = parse(cql5, true, old), b = parse(cql6, false, false);
    char *tree = print(&a, line), *expected = print(&b, line);
    if (strcmp(tree, expected) != 0)
        fail_msg("line %d: `%s` is\n%s, expected\n%s", line, cql5, tree, expected);
    free(tree);
    free(expected);
}

static void check_tree(const char *cql5, const char *expected, int line)
{
    Parsed a = parse(cql5, true, false);
    char *tree = print(&a, line);
    if (strcmp(tree, expected) != 0)
        fail_msg("line %d: `%s` is\n%s, expected\n%s", line, cql5, tree, expected);
    free(tree);
}

static void check_rejected(const char *text, bool old, const char *part, int line)
{
    Parsed p = parse(text, true, old);
    if (p.query != NULL || p.diagnostics.errors == 0)
        fail_msg("line %d: `%s` was accepted", line, text);
    if (p.diagnostics.errors > 1)
        fail_msg("line %d: `%s`: also \"%s\"", line, text, p.diagnostics.list[1].message);
    if (strstr(p.diagnostics.list[0].message, part) == NULL)
        fail_msg("line %d: `%s`: \"%s\" does not contain \"%s\"", line, text, p.diagnostics.list[0].message,
                 part);
    arena_free(p.arena);
}

#define SAME(cql5, cql6) check_same((cql5), false, (cql6), __LINE__)
#define OLD(cql5, cql6) check_same((cql5), true, (cql6), __LINE__)
#define TREE(text, expected) check_tree((text), (expected), __LINE__)
#define REJECT(text, part) check_rejected((text), false, (part), __LINE__)
#define REJECT_OLD(text, part) check_rejected((text), true, (part), __LINE__)

// ---- tokens (11.1) ----------------------------------------------------------------------------------------

static void test_designators(void **state)
{
    (void)state;
    SAME("K Ra1 [Qq]a-h1-2 R[a1,h1-8,c-d4]", "K Ra1 [Qq]a-h1-2 R[a1,h1-8,c-d4]");
    SAME("b3 bb3 [b3]", "b3 bb3 [b3]");
    SAME("U Ue4 _ _d4 .", "[Aa] [Aa]e4 _ _d4 .");
    SAME("lightsquares darksquares", "light . dark .");
    REJECT("Rh1-a1", "`Rh1-a1`");
    REJECT("Rh-a1", "reversed range");
    REJECT("[R.]d4", "`_` is the empty square");
    REJECT("check;x", "`check;x`");
    REJECT("R[a1,", "`R[a1,`");
    REJECT("K$x", "`$x` is not bound");
    REJECT("+5", "expected a filter");
    REJECT("comment \"\"", "1 to 499 characters");
    REJECT("comment \"ab", "no closing quote");
}

static void test_versions(void **state)
{
    (void)state;
    REJECT("attack (K any)", "write `.`");
    REJECT(".d4", "`_` is the empty square");
    OLD(". .d4 [Q.]a1 any", "_ _d4 [Q_]a1 .");
    REJECT_OLD("_d4", "`.` is the empty square");
    OLD("future (check) past* mate", "line --> check find <-- mate");
    REJECT("future (check)", "write `next`");
}

static void test_comments_and_keywords(void **state)
{
    (void)state;
    SAME("; first\n:check ; ( { \"\n:not :wtm", "check not wtm");
    SAME("// a line before the first token\ncheck", "check");
}

// ---- binding (11.2, 11.3) ---------------------------------------------------------------------------------

static void test_swallowing(void **state)
{
    (void)state;
    TREE("not check or mate", "not : bool\n  or : bool\n    check : bool\n    mate : bool\n");
    TREE("A on q or P",
         "& : set\n  designator : set A\n  | : set\n    designator : set q\n    designator : set P\n");
    TREE("A or q on P",
         "or : bool\n  designator : set A\n  & : set\n    designator : set q\n    designator : set P\n");
    REJECT("move from P or check", "`from` of `move` needs a set");
    REJECT("check on K", "the left side of `on`");
    REJECT("K on check", "the right side of `on`");
}

static void test_two_readings(void **state)
{
    (void)state;
    SAME("countsquares 3 3 not K", "#~K==3");
    SAME("not K", "not K");
    SAME("K on not Q", "K & ~Q");
    TREE("countsquares 2 P or not k",
         "== : int\n  # : int\n    | : set\n      designator : set P\n      ~ : set\n"
         "        designator : set k\n  number : int 2\n");
    TREE("flip not K", "flip : bool {1,0}\n  not : bool\n    designator : set K\n");
    TREE("A on flip not K",
         "& : set\n  designator : set A\n  flip : set {1,0}\n    ~ : set\n      designator : set K\n");
}

static void test_ranges(void **state)
{
    (void)state;
    TREE("power 20 30 A",
         "<= : int\n  >= : int\n    power : int\n      designator : set A\n    number : int 20\n"
         "  number : int 30\n");
    SAME("countsquares 3 U", "#[Aa]==3");
    SAME("powerdifference 2 2 (A a)", "power A-power a==2");
    SAME("movenumber 4 4", "ply/2+1==4");
    TREE("attack 0 (A a)", "== : int\n  attack pairs : int\n    designator : set A\n    designator : set a\n"
                           "  number : int 0\n");
    REJECT("countsquares R", "one or two numbers after `countsquares` (in CQL 6.2 `#S >= low`)");
    REJECT("power A", "one or two numbers after `power`");
    REJECT("powerdifference (A a)", "one or two numbers after `powerdifference`");
    REJECT("movenumber check", "one or two numbers after `movenumber`");
    REJECT("year", "one or two numbers after `year`");
    REJECT("elo white", "one or two numbers after `elo`");
    REJECT("countsquares 5 3 R", "reversed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_designators),           cmocka_unit_test(test_versions),
        cmocka_unit_test(test_comments_and_keywords), cmocka_unit_test(test_swallowing),
        cmocka_unit_test(test_two_readings),          cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
