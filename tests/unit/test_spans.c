// The text that each node of a tree is about, and how high the trees are: what messages mark, and what bounds recursion.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void test_cql5(void **state)
{
    (void)state;
    CHECK(
        WITH_CQL5,
        {"K on {Q or R} check", "& `K on {Q or R`\n"
                                "  designator `K`\n"
                                "  | `Q or R`\n"
                                "    designator `Q`\n"
                                "    designator `R`\n"
                                "check `check`\n"},
        {"square 2 $x in A check", "== `square 2 $x in A check`\n"
                                   "  # `square 2 $x in A check`\n"
                                   "    ∊ `square 2 $x in A check`\n"
                                   "      designator `A`\n"
                                   "      check `check`\n"
                                   "  number `square 2 $x in A check`\n"},
        {"Kd4 lightsquares", "designator `Kd4`\n"
                             "light `lightsquares`\n"
                             "  . `lightsquares`\n"},
        {"power 1 5 {A or a}", "<= `power 1 5 {A or a}`\n"
                               "  >= `power 1 5 {A or a}`\n"
                               "    power `power 1 5 {A or a}`\n"
                               "      | `A or a`\n"
                               "        designator `A`\n"
                               "        designator `a`\n"
                               "    number `power 1 5 {A or a}`\n"
                               "  number `power 1 5 {A or a}`\n"},
        {"countsquares 2 up 1 P", "== `countsquares 2 up 1 P`\n"
                                  "  # `countsquares 2 up 1 P`\n"
                                  "    up `up 1 P`\n"
                                  "      designator `P`\n"
                                  "  number `countsquares 2 up 1 P`\n"},
        {"powerdifference 2 (A a)", "== `powerdifference 2 (A a)`\n"
                                    "  - `powerdifference 2 (A a)`\n"
                                    "    power `powerdifference 2 (A a)`\n"
                                    "      designator `A`\n"
                                    "    power `powerdifference 2 (A a)`\n"
                                    "      designator `a`\n"
                                    "  number `powerdifference 2 (A a)`\n"},
        {"flip 2 K", "flip `flip 2 K`\n"
                     "  designator `K`\n"},
        {"flip not K", "flip `flip not K`\n"
                       "  not `not K`\n"
                       "    designator `K`\n"},
        {"attack 2 (A a)", "== `attack 2 (A a)`\n"
                           "  attack pairs `attack 2 (A a)`\n"
                           "    designator `A`\n"
                           "    designator `a`\n"
                           "  number `attack 2 (A a)`\n"},
        {"attack (A up a)", "attackedby `attack (A up a)`\n"
                            "  up `up a`\n"
                            "    designator `a`\n"
                            "  designator `A`\n"},
        {"ray 2 up (R k)", "== `ray 2 up (R k)`\n"
                           "  ray pairs `ray 2 up (R k)`\n"
                           "    designator `R`\n"
                           "    designator `k`\n"
                           "  number `ray 2 up (R k)`\n"},
        {"ray attack (R k)", "ray `ray attack (R k)`\n"
                             "  designator `R`\n"
                             "  designator `k`\n"},
        {"square all $x check", "∊ `square all $x check`\n"
                                "  . `square`\n"
                                "  check `check`\n"},
        {"piece $p in N origin $p", "∊ `piece $p in N origin $p`\n"
                                    "  designator `N`\n"
                                    "  {…} `origin $p`\n"
                                    "    = `origin $p`\n"
                                    "      variable `origin $p`\n"
                                    "    variable `origin $p`\n"},
        {"not K", "not `not K`\n"
                  "  designator `K`\n"},
        {"not check", "not `not check`\n"
                      "  check `check`\n"},
        {"silent next* depth 3 mate", "{…} `silent next* depth 3 mate`\n"
                                      "  = `next* depth 3 mate`\n"
                                      "    ply `next* depth 3 mate`\n"
                                      "  find `next* depth 3 mate`\n"
                                      "    {…} `mate`\n"
                                      "      <= `mate`\n"
                                      "        ply `mate`\n"
                                      "        + `mate`\n"
                                      "          variable `next`\n"
                                      "          number `mate`\n"
                                      "      mate `mate`\n"},
        {"previous* check", "find `previous* check`\n"
                            "  check `check`\n"},
        {"next2 3 (check (mate btm+){2 3} K?*)", "line `next2 3 (check (mate btm+){2 3} K?*)`\n"
                                                 "  check `check`\n"
                                                 "  * + ? {n,m} `(mate btm+){2 3}`\n"
                                                 "    ( … ) `(mate btm+)`\n"
                                                 "      mate `mate`\n"
                                                 "      * + ? {n,m} `btm+`\n"
                                                 "        btm `btm`\n"
                                                 "  * + ? {n,m} `K?`\n"
                                                 "    designator `K`\n"},
        {"move from K to {Q or R} promote R", "{…} `move from K to {Q or R} promote R`\n"
                                              "  wtm `move from K to {Q or R} promote R`\n"
                                              "  move `move from K to {Q or R} promote R`\n"
                                              "    designator `K`\n"
                                              "    | `Q or R`\n"
                                              "      designator `Q`\n"
                                              "      designator `R`\n"},
        {"move previous enpassantsquare .", "move `move previous enpassantsquare .`\n"
                                            "  . `move`\n"
                                            "  . `.`\n"},
        {"comment \"x\"", "comment `comment \"x\"`\n"
                          "  string `\"x\"`\n"},
        {"comment K", "comment `comment K`\n"
                      "  designator `K`\n"},
        {"sort min \"n\" power 1 A", "sort `sort min \"n\" power 1 A`\n"
                                     "  == `power 1 A`\n"
                                     "    power `power 1 A`\n"
                                     "      designator `A`\n"
                                     "    number `power 1 A`\n"},
        {"player white \"x\" year 1990", "player `player white \"x\"`\n"
                                         "== `year 1990`\n"
                                         "  if `year 1990`\n"
                                         "    year `year 1990`\n"
                                         "    year `year 1990`\n"
                                         "    number `year 1990`\n"
                                         "  number `year 1990`\n"},
        {"movenumber 3", "== `movenumber 3`\n"
                         "  + `movenumber 3`\n"
                         "    / `movenumber 3`\n"
                         "      ply `movenumber 3`\n"
                         "      number `movenumber 3`\n"
                         "    number `movenumber 3`\n"
                         "  number `movenumber 3`\n"},
        {"relation check (sourcesquares a targetsquares U match 1 2 mismatch 0 3) (tomove match)",
         "relation `relation check (sourcesquares a targetsquares U match 1 2 mismatch 0 3) (tomove match)`\n"
         "  (match mismatch) `(sourcesquares a targetsquares U match 1 2 mismatch 0 3)`\n"
         "    designator `a`\n"
         "    designator `U`\n"
         "  (tomove) `(tomove match)`\n"
         "  {…} `check`\n"
         "    check `check`\n"},
        {"relation mate (sort max \"n\" lcasum 1 3) (ancestor) (lcamax 2) echoshift (sourcesquares not K)",
         "relation `relation mate (sort max \"n\" lcasum 1 3) (ancestor) (lcamax 2) echoshift (sourcesquares "
         "not K)`\n"
         "  sort `(sort max \"n\" lcasum 1 3)`\n"
         "    (lca) `lcasum 1 3`\n"
         "  (lca) `(ancestor)`\n"
         "  (lca) `(lcamax 2)`\n"
         "  (match mismatch) `echoshift (sourcesquares not K)`\n"
         "    ~ `not K`\n"
         "      designator `K`\n"
         "  {…} `mate`\n"
         "    mate `mate`\n"});
}

static void test_cql3(void **state)
{
    (void)state;
    CHECK(WITH_CQL3,
          {"(match (position K :attackcount A k 2))", "{…} `(position K :attackcount A k 2)`\n"
                                                      "  designator `K`\n"
                                                      "  == `:attackcount A k 2`\n"
                                                      "    attack pairs `:attackcount A k 2`\n"
                                                      "      designator `:attackcount A k 2`\n"
                                                      "      designator `:attackcount A k 2`\n"
                                                      "    number `:attackcount A k 2`\n"},
          {"(match (position :not (position R) :check))", "{…} `(position :not (position R) :check)`\n"
                                                          "  not `:not (position R)`\n"
                                                          "    designator `R`\n"
                                                          "  check `:check`\n"},
          {"(match (position [Kk]a1 :ray (R k) !:check))", "{…} `(position [Kk]a1 :ray (R k) !:check)`\n"
                                                           "  designator `[Kk]a1`\n"
                                                           "  ray `:ray (R k)`\n"
                                                           "    designator `:ray (R k)`\n"
                                                           "    designator `:ray (R k)`\n"
                                                           "  not `!:check`\n"
                                                           "    check `!:check`\n"},
          {"(match (position :sequence ((position R) (position q))))",
           "line `:sequence ((position R) (position q))`\n"
           "  designator `R`\n"
           "  designator `q`\n"},
          {"(match (position :movefrom R :moveto .a1 :promote Q))", "{…} `:movefrom R`\n"
                                                                    "  wtm `:movefrom R`\n"
                                                                    "  move `:movefrom R`\n"
                                                                    "    designator `:movefrom R`\n"
                                                                    "    designator `:movefrom R`\n"},
          {"(match (position K :relation (:pattern)))", "{…} `(position K :relation (:pattern))`\n"
                                                        "  designator `K`\n"
                                                        "  echo `:relation (:pattern)`\n"
                                                        "    {…} `:relation (:pattern)`\n"
                                                        "      > `:relation (:pattern)`\n"
                                                        "        variable `:relation (:pattern)`\n"
                                                        "        variable `:relation (:pattern)`\n"
                                                        "      mainline `:relation (:pattern)`\n"
                                                        "      == `:relation (:pattern)`\n"
                                                        "        sidetomove `:relation (:pattern)`\n"
                                                        "        : `:relation (:pattern)`\n"
                                                        "          variable `:relation (:pattern)`\n"
                                                        "          sidetomove `:relation (:pattern)`\n"
                                                        "      resembles `:relation (:pattern)`\n"
                                                        "        variable `:relation (:pattern)`\n"
                                                        "        designator `:relation (:pattern)`\n"
                                                        "        designator `:relation (:pattern)`\n"
                                                        "        designator `:relation (:pattern)`\n"});
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cql6), cmocka_unit_test(test_cql5),
                                       cmocka_unit_test(test_cql3), cmocka_unit_test(test_heights)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
