// The expansion of transforms: numbers and order of variants, names, errors (language reference 8). The
// expected numbers are those that the reference states or that follow from counting squares.
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "compiler/front/cql6/cql6.h"
#include "compiler/middle/transform/transforms.h"
#include "runtime/chess/chess.h"

typedef struct Expanded {
    Arena *arena;
    Query *query; // NULL: refused by the parser
    bool accepted;
} Expanded;

static Expanded expand(const char *filters)
{
    Expanded e = {.arena = arena_new()};
    const Source source = {"test", filters, strlen(filters), NULL};
    Source *kept = arena_alloc(e.arena, sizeof *kept);
    *kept = source;
    Diagnostics diagnostics = {.arena = e.arena, .source = kept};
    const ParseOptions options = {.variations = -1, .filters_only = true};
    e.query = parse_query(e.arena, kept, &options, &diagnostics);
    e.accepted = e.query != NULL && transform_query(e.query, &diagnostics);
    return e;
}

// The first VARIANTS node in preorder, or NULL.
static const Ast *find_variants(const Ast *node)
{
    if (node->op == OP_VARIANTS)
        return node;
    const Ast *found = NULL;
    const Ast *const roles[] = {node->kid_left, node->kid_right, node->kid_extra, node->kid_extra2};
    for (int i = 0; i < node->kid_count && found == NULL; i++)
        found = find_variants(node->kid[i]);
    for (int i = 0; i < 4 && found == NULL; i++)
        found = roles[i] != NULL ? find_variants(roles[i]) : NULL;
    return found;
}

// A transform with one variant and no range is replaced by that variant.
static int count_variants(const char *filters)
{
    Expanded e = expand(filters);
    assert_true(e.accepted);
    const Ast *node = find_variants(e.query->body);
    const int count = node != NULL ? node->kid_count : 1;
    arena_free(e.arena);
    return count;
}

static bool is_refused(const char *filters)
{
    Expanded e = expand(filters);
    arena_free(e.arena);
    return !e.accepted;
}

static void numbers_of_variants(void **state)
{
    (void)state;
    static const struct {
        const char *filters;
        int count;
    } cases[] = {
        {"flip K", 1},
        {"flip check", 1},
        {"flip .", 1},
        {"flip a1", 4},
        {"flip d4", 4},
        {"flip c2", 8},
        {"flip {up 1 K}", 4},
        {"flip {horizontal 1 K}", 2},
        {"flip {anydirection K}", 1},
        {"fliphorizontal [Kk][e1,e8]", 1},
        {"fliphorizontal {[Kk]e1 | [Kk]e8}", 2},
        {"flipcolor wtm", 2},
        {"flipcolor [Kk]e1", 2},
        {"flipcolor {K | k}", 2},
        {"flipcolor [Kk]", 1},
        {"flipcolor [Aa]", 1},
        {"fliphorizontal {P->k}", 1},
        {"flipcolor {P->k}", 2},
        {"rotate90 a2", 4},
        {"rotate45 {up 1 K}", 8},
        {"reversecolor K", 1},
        {"flipcolor {light B}", 2},
        {"flipcolor {power A > power a}", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (count_variants(cases[i].filters) != cases[i].count)
            fail_msg("%s: %d variants", cases[i].filters, count_variants(cases[i].filters));
    }
}

static void shifts_clip_and_drop(void **state)
{
    (void)state;
    assert_int_equal(count_variants("shift Kd4"), 64);
    assert_int_equal(count_variants("shift {#a1-2 >= 0}"), 72);
    assert_int_equal(count_variants("shift {Ka1 or kh8}"), 1);
    assert_int_equal(count_variants("shift {true or {a1 d1}}"), 40);
    assert_int_equal(count_variants("shift a-h2"), 8);
    assert_int_equal(count_variants("shifthorizontal b-h2"), 14);
    assert_int_equal(count_variants("shift {true or reversecolor {a1 b1}}"), 56);
    assert_int_equal(count_variants("shift K"), 1);
    assert_int_equal(count_variants("shiftvertical Pa2"), 8);
    // complete files and ranks move only sideways
    assert_int_equal(count_variants("shiftvertical a1-8"), 1);
    assert_int_equal(count_variants("shiftvertical a1-7"), 14);
    assert_int_equal(count_variants("shiftvertical a2-8"), 14);
    assert_int_equal(count_variants("shifthorizontal a1-8"), 8);
    assert_int_equal(count_variants("shift a1-8"), 8);
    assert_int_equal(count_variants("shifthorizontal a-h2"), 1);
    assert_int_equal(count_variants("shiftvertical a-h2"), 8);
    assert_int_equal(count_variants("shifthorizontal c-d2"), 9);
}

static void composition(void **state)
{
    (void)state;
    // Every image of d4 under a shift or a symmetry is one square, and each square is one.
    assert_int_equal(count_variants("flip shift Kd4"), 64);
    assert_int_equal(count_variants("flip flip c2"), 8);
    assert_int_equal(count_variants("flip flipcolor Kc2"), 16);
    assert_int_equal(count_variants("flip {flipcolor Kc2}"), 16);
    assert_int_equal(count_variants("flip (flipcolor Kc2)"), 16);
    assert_int_equal(count_variants("reversecolor reversecolor Ka1"), 1);
    assert_int_equal(count_variants("flipcolor reversecolor Ka1"), 2);
    // Not composed: the outer transform has two variants, each with an inner one of eight.
    assert_int_equal(count_variants("flipcolor {true flip count {Kc2}}"), 2);
    assert_int_equal(count_variants("flip notransform {Ka1}"), 1);
    assert_int_equal(count_variants("flipcolor {K->q notransform wtm}"), 2);
}

static Bitboard first_mask(const Ast *node)
{
    while (node->op != OP_DESIGNATOR)
        node = node->kid[0];
    return node->mask;
}

static void order_of_evaluation(void **state)
{
    (void)state;
    static const int squares[] = {3, 4, 24, 31, 32, 39, 59, 60}; // d1 e1 a4 h4 a5 h5 d8 e8
    Expanded e = expand("flip {e1 check}");
    const Ast *node = find_variants(e.query->body);
    assert_int_equal(node->kid_count, 8);
    for (int i = 0; i < 8; i++)
        assert_true(first_mask(node->kid[i]) == 1ULL << squares[i]);
    arena_free(e.arena);

    e = expand("flipcolor {A check}");
    node = find_variants(e.query->body);
    assert_int_equal(node->kid[0]->kid[0]->pieces, SYMBOL_BLACK);
    assert_int_equal(node->kid[1]->kid[0]->pieces, SYMBOL_WHITE);
    arena_free(e.arena);

    e = expand("flipcolor {K check}");
    node = find_variants(e.query->body);
    assert_int_equal(node->kid[0]->kid[0]->pieces, 1 << WHITE_KING);
    arena_free(e.arena);
}

static const char *name_of(const Ast *node)
{
    if (node->op == OP_STRING)
        return node->text;
    const char *name = NULL;
    for (int i = 0; i < node->kid_count && name == NULL; i++)
        name = name_of(node->kid[i]);
    return name;
}

static void names_of_maps(void **state)
{
    (void)state;
    static const char *const flip_a1[] = {"<>", "<counterclockwise90>", "<reflect_h>",
                                          "<rotate180>"}; // a1 h1 a8 h8
    Expanded e = expand("flip {Ka1 comment(currenttransform)}");
    const Ast *node = find_variants(e.query->body);
    assert_int_equal(node->kid_count, 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(name_of(node->kid[i]), flip_a1[i]);
    arena_free(e.arena);

    e = expand("flipvertical {true flipcolor {Ka1 comment(currenttransform)}}");
    node = find_variants(e.query->body); // a1 and h1, each with a8 or h8 of the other colour
    assert_int_equal(node->kid_count, 2);
    const Ast *inner = find_variants(node->kid[1]->kid[1]);
    assert_string_equal(name_of(inner->kid[0]), "<reflect_v>");
    assert_string_equal(name_of(inner->kid[1]), "<reflect_v invertcolor reflect_h>");
    arena_free(e.arena);

    e = expand("shift {Kd4 comment(currenttransform)}");
    node = find_variants(e.query->body);
    assert_string_equal(name_of(node->kid[0]), "<left^3 down^3>"); // a1
    assert_string_equal(name_of(node->kid[27]), "<>");
    assert_string_equal(name_of(node->kid[28]), "<right^1>");
    arena_free(e.arena);

    e = expand("flip notransform comment(currenttransform)");
    assert_string_equal(name_of(e.query->body), "<>");
    arena_free(e.arena);
}

// Variants are compared operand by operand, in the order of the text but for some (8.8). b1 comes before its image g1, g2 after its
// image b2: the variant as written is the first one where b1 is compared before g2.
static void order_of_operands(void **state)
{
    (void)state;
    static const struct {
        const char *filters;
        bool b1_first;
    } cases[] = {
        {"b1 g2", true},
        {"g2 b1", false},
        {"b1 or g2", true},
        {"b1 & g2", true},
        {"g2 | b1", false},
        {"b1 attacks g2", true},
        {"b1 attackedby g2", false},
        {"g2 attackedby b1", true},
        {"b1 -> g2", true},
        {"b1 <- g2", false},
        {"b1 -> d4 -> g2", true},
        {"b1 -> g2 -> d4", true},
        {"b1 <- d4 <- g2", false},
        {"d4 <- b1 <- g2", false},
        {"g2 <- d4 <- b1", true},
        {"between(b1 g2)", true},
        {"ray(b1 g2 K)", true},
        {"square x in b1 {x attacks g2}", false},
        {"square x in g2 {x attacks b1}", true},
        {"function ff(x) {x & g2} ff(b1)", false},
        {"function ff(x y) {x & y} ff(b1 g2)", true},
        {"max(#b1 #g2) > 0", true},
        {"if b1 then g2", true},
        {"#b1 > #g2", true},
        {"b1--g2", true},
        {"g2--b1", false},
        {"--b1(g2)", true},
        {"b1[x]g2", true},
        {"move from b1 to g2", true},
        {"move to g2 from b1", false},
        {"pin from b1 to g2", true},
        {"pin to g2 from b1", false},
        {"pin through b1 from g2", true},
        {"pin from g2 through b1", false},
        {"path b1 -- g2", true},
        {"path focus b1 -- g2", true},
        {"path max #b1 focus g2 --", true},
        {"path focus g2 max #b1 --", false},
        {"line --> b1 --> g2", true},
        {"line <-- g2 <-- b1", false},
        {"str(b1)[#g2:] == \"\"", true},
        {"str(g2)[0: #b1 ] == \"\"", false},
        {"\"x\"[#b1: #g2 ] == \"\"", true},
        {"v = \"x\" v[#b1: #g2 ] = \"y\"", true},
        {"v = \"x\" v[#b1:] = str(g2)", true},
        {"v = \"x\" v[ #g2 ] = str(b1)", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char filters[100];
        snprintf(filters, sizeof filters, "flipvertical {%s}", cases[i].filters);
        Expanded e = expand(filters);
        if (!e.accepted)
            fail_msg("%s is refused", filters);
        const Ast *node = find_variants(e.query->body);
        assert_int_equal(node->kid_count, 2);
        if (strcmp(node->kid[0]->variant, cases[i].b1_first ? "as written" : "flipvertical") != 0)
            fail_msg("%s: first %s", filters, node->kid[0]->variant);
        arena_free(e.arena);
    }
}

static void errors(void **state)
{
    (void)state;
    assert_true(is_refused("rotate45 Kb2"));
    assert_true(is_refused("rotate45 {up 1 K e4}"));
    assert_true(is_refused("rotate45 {light B}"));
    assert_true(is_refused("x = flip currentposition"));
    assert_false(is_refused("rotate45 {up 1 K notransform e4}"));
    assert_false(is_refused("rotate45 {ray up (R k)}"));
}

// All copies together have at most a million filters: here 225 shifts of 4444 filters, two copies of 48 filters and of two.
static void number_of_copies(void **state)
{
    (void)state;
    for (int beyond = 0; beyond < 2; beyond++) {
        char *text = malloc(60000), *end;
        assert_non_null(text);
        end = stpcpy(text, "shift {");
        for (int k = 0; k < 4443; k++)
            end = stpcpy(end, "check ");
        end = stpcpy(end, "} flipcolor notransform check");
        for (int k = 0; k < 48 + beyond; k++)
            end = stpcpy(end, " flipcolor check");
        if (is_refused(text) != beyond)
            fail_msg("%d beyond", beyond);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_variants),
        cmocka_unit_test(shifts_clip_and_drop),
        cmocka_unit_test(composition),
        cmocka_unit_test(order_of_evaluation),
        cmocka_unit_test(names_of_maps),
        cmocka_unit_test(order_of_operands),
        cmocka_unit_test(errors),
        cmocka_unit_test(number_of_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
