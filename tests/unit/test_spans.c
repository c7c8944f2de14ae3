// The text that each node of a tree is about, and how high the trees are: what messages mark, and what bounds recursion.
#include "test.h"

#include <stdlib.h>

#include "compiler/front/cql3/cql3.h"
#include "compiler/front/cql5/cql5.h"
#include "compiler/front/cql6/cql6.h"
#include "compiler/front/cqli/cqli.h"

// The height of a tree, which its nodes know; `exact`: else they may think that they are higher, as braces of a template are left out.
static int height_of(const Ast *tree, bool exact, const char *query)
{
    int highest = 0;
    Ast **operand;
    for (int i = 0; (operand = ast_operand(tree, i)) != NULL; i++) {
        const int height = height_of(*operand, exact, query);
        highest = height > highest ? height : highest;
    }
    if (exact ? tree->height != highest + 1 : tree->height <= highest)
        fail_msg("%s: %s has the height %d, not %d", query, op_info[tree->op].name, tree->height,
                 highest + 1);
    return highest + 1;
}

static void print_spans(FILE *out, const Source *source, const Ast *tree, int level)
{
    Ast **operand;
    fprintf(out, "%*s%s `%.*s`\n", 2 * level, "", op_info[tree->op].name,
            (int)(tree->span.end - tree->span.start), source->text + tree->span.start);
    for (int i = 0; (operand = ast_operand(tree, i)) != NULL; i++)
        print_spans(out, source, *operand, level + 1);
}

// A query, and its filters as lines: the operation and its text, the operands below it; NULL: only heights are checked.
typedef struct Spans {
    const char *query, *spans;
} Spans;

typedef enum With { WITH_CQL6, WITH_CQLI, WITH_CQL5, WITH_CQL3 } With;

static void check(const Spans *rows, size_t count, With with)
{
    for (size_t i = 0; i < count; i++) {
        Arena *arena = arena_new();
        const Source source = {"test", rows[i].query, strlen(rows[i].query), NULL};
        const ParseOptions options = {.variations = 1, .filters_only = true};
        Diagnostics d = {.arena = arena, .source = &source};
        const Query *query = with == WITH_CQL6   ? parse_query(arena, &source, &options, &d)
                             : with == WITH_CQLI ? parse_cqli(arena, &source, &options, &d)
                             : with == WITH_CQL5 ? parse_cql5(arena, &source, &options, &d, false)
                                                 : parse_cql3(arena, &source, &options, &d);
        if (query == NULL)
            fail_msg("%s: %s", rows[i].query, d.list[0].message);
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        for (int k = 0; k < query->body->kid_count; k++)
            print_spans(out, &source, query->body->kid[k], 0);
        fclose(out);
        height_of(query->body, with != WITH_CQL3, rows[i].query);
        if (rows[i].spans != NULL && strcmp(text, rows[i].spans) != 0)
            fail_msg("%s:\n%sexpected\n%s", rows[i].query, text, rows[i].spans);
        free(text);
        arena_free(arena);
    }
}

#define CHECK(with, ...)                                                                                     \
    do {                                                                                                     \
        static const Spans rows_[] = {__VA_ARGS__};                                                          \
        check(rows_, sizeof rows_ / sizeof *rows_, (with));                                                  \
    } while (0)

static void test_cql6(void **state)
{
    (void)state;
    CHECK(WITH_CQL6,
          {"{check mate}", "{…} `{check mate}`\n"
                           "  check `check`\n"
                           "  mate `mate`\n"},
          {"path focus K -- check N--=Q", "path `path focus K -- check N--=Q`\n"
                                          "  -- `-- check N`\n"
                                          "    check `check`\n"
                                          "  -- `N--=Q`\n"
                                          "    designator `N`\n"
                                          "    designator `Q`\n"
                                          "  designator `K`\n"},
          {"line --> K --> (q --> r){2}", "line `line --> K --> (q --> r){2}`\n"
                                          "  designator `K`\n"
                                          "  * + ? {n,m} `(q --> r){2}`\n"
                                          "    ( … ) `(q --> r)`\n"
                                          "      designator `q`\n"
                                          "      designator `r`\n"},
          {"(K) attacks q", "attacks `(K) attacks q`\n"
                            "  designator `(K)`\n"
                            "  designator `q`\n"},
          {"child:child:K", ": `child:child:K`\n"
                            "  child `child`\n"
                            "  : `child:K`\n"
                            "    child `child`\n"
                            "    designator `K`\n"},
          {"if check then mate else {btm}", "if `if check then mate else {btm}`\n"
                                            "  check `check`\n"
                                            "  mate `mate`\n"
                                            "  {…} `{btm}`\n"
                                            "    btm `btm`\n"},
          {"square x in K { x & q wtm}", "∊ `square x in K { x & q wtm}`\n"
                                         "  designator `K`\n"
                                         "  {…} `{ x & q wtm}`\n"
                                         "    & `x & q`\n"
                                         "      variable `x`\n"
                                         "      designator `q`\n"
                                         "    wtm `wtm`\n"},
          {"move from K to q promote Q", "move `move from K to q promote Q`\n"
                                         "  designator `K`\n"
                                         "  designator `q`\n"},
          {"x=\"abc\" x[1:2]=\"d\"", "= `x=\"abc\"`\n"
                                     "  string `\"abc\"`\n"
                                     "s[i:j]= `x[1:2]=\"d\"`\n"
                                     "  string `\"d\"`\n"
                                     "  number `1`\n"
                                     "  number `2`\n"});
}

// Each operand alone makes the tree higher.
static void test_heights(void **state)
{
    (void)state;
    CHECK(WITH_CQL6, {"move from (K | Q)", NULL}, {"move to (K | Q)", NULL}, {"move capture (K | Q)", NULL},
          {"move legal enpassantsquare (K | Q)", NULL}, {"move legal from (K | Q)", NULL},
          {"move legal to (K | Q)", NULL}, {"{K | Q}--", NULL}, {"--{K | Q}", NULL},
          {"--=(\"Q\" + \"R\")", NULL}, {"--(K | Q)", NULL}, {"path {K | Q}--", NULL},
          {"path --{K | Q}", NULL}, {"path -- (K | Q)--", NULL}, {"path (--)+", NULL},
          {"path focus (K | Q) --", NULL}, {"path max {ply + 1} --", NULL}, {"path --={\"Q\" + \"R\"}", NULL},
          {"pin from (K | Q)", NULL}, {"pin to (K | Q)", NULL}, {"pin through (K | Q)", NULL},
          {"legal {K | Q}--", NULL}, {"legal --{K | Q}", NULL}, {"countmoves {K | Q}--", NULL},
          {"x = \"abc\" x[ply + 1] = \"d\"", NULL}, {"x = \"abc\" x[ply + 1:] = \"d\"", NULL},
          {"x = \"abc\" x[:ply + 1] = \"d\"", NULL}, {"x = \"abc\" x[1:] = \"d\" + \"e\"", NULL},
          {"fen[ply + 1] == \"a\"", NULL}, {"fen[ply + 1:] == \"a\"", NULL}, {"fen[:ply + 1] == \"a\"", NULL},
          {"(fen + \"a\") ~~ \"b\"", NULL}, {"while ((fen + \"a\") ~~ \"b\") check", NULL},
          {"find 2 (K | Q)", NULL}, {"echo (v w) (K | Q)", NULL}, {"line --> check{2} --> (K | Q)", NULL},
          {"function fn(x) {x} fn(K | Q)", NULL}, {"dictionary D D[ply + 1] = 3", NULL},
          {"comment (ply + 1)", NULL}, {"square x in (K | Q) x", NULL}, {"[Aa]x = (K | Q)", NULL},
          {"sort \"n\" (ply + 1)", NULL}, {"move legal : (K | Q)", NULL},
          {"fen \"8/8/8/8/8/8/8/K....3\"", NULL});
    CHECK(WITH_CQLI, {"imagine remove (K | Q) : check", NULL}, {"imagine add Q (a1 | a2) : check", NULL},
          {"\"a\" ~~ (\"b\" + \"c\")", NULL}, {"while (\"a\" ~~ (\"b\" + \"c\")) check", NULL},
          {"move from (K | Q) : check", NULL}, {"move legal to (K | Q) : check", NULL},
          {"move capture (K | Q) count : (K | Q)", NULL});
    CHECK(WITH_CQL5, {"move from {Q or R}", NULL}, {"move to {Q or R}", NULL},
          {"move enpassantsquare {Q or R}", NULL}, {"move promote R from {Q or R}", NULL},
          {"relation (sourcesquares {Q or R})", NULL}, {"relation (targetsquares {Q or R})", NULL},
          {"relation flip not check (tomove match)", NULL}, {"next (check* {K or Q}+)", NULL},
          {"next* depth 3 {K or Q}", NULL}, {"piece $p in {N or R} origin $p", NULL},
          {"square all $x in {N or R}", NULL}, {"sort min power 1 {N or R}", NULL}, {"flip {N or R}", NULL});
    CHECK(WITH_CQL3, {"(match :forany x R (position :movefrom $x[a1] :moveto $x[a2]))", NULL},
          {"(match (position :relation (:pattern :newpiececount [QR]a1 2)))", NULL},
          {"(match (position :accumulate x :sumrange x 2 :flip R) (position :gappedsequence ((position) "
           "(position))))",
           NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cql6), cmocka_unit_test(test_heights)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
