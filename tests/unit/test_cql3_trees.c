// Trees of CQL 3 (language reference 12): what made their copies, tags that are pawns at first, types.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/front/cql3/cql3.h"

// ---- copies (12.6) ----------------------------------------------------------------------------------------

static bool is_variants(const Ast *node, void *user)
{
    if (node->op == OP_VARIANTS)
        *(int *)user = node->number;
    return node->op == OP_VARIANTS;
}

// Copies say what made them.
static void test_origins(void **state)
{
    (void)state;
    static const struct {
        const char *keywords;
        int origin; // -1: there is one copy
    } rows[] = {{"fliphorizontal", COPIES_SYMMETRIES},
                {"flipvertical", COPIES_SYMMETRIES},
                {"flipdiagonal", COPIES_SYMMETRIES},
                {"flipoffdiagonal", COPIES_SYMMETRIES},
                {"flip", COPIES_SYMMETRIES},
                {"flipdihedral", COPIES_SYMMETRIES},
                {"flipcolor", COPIES_COLOURS},
                {"shifthorizontal", COPIES_SHIFTS},
                {"shiftvertical", COPIES_SHIFTS},
                {"shift", COPIES_SHIFTS},
                {"shiftmaindiagonal", COPIES_SHIFTS},
                {"shiftoffdiagonal", COPIES_SHIFTS},
                {"shiftdiagonal", COPIES_SHIFTS},
                {"flip :flipcolor", COPIES_SYMMETRIES | COPIES_COLOURS},
                {"shift :flipcolor", COPIES_SHIFTS | COPIES_COLOURS},
                {"shiftvertical :flipvertical", COPIES_SHIFTS | COPIES_SYMMETRIES},
                {"and ((position :wtm))", -1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        const char *text = arena_printf(arena, "(match (position Rb1 :%s))", rows[i].keywords);
        const Source source = {"test", text, strlen(text), NULL};
        const ParseOptions options = {.variations = 0};
        Diagnostics d = {.arena = arena, .source = &source};
        const Query *query = parse_cql3(arena, &source, &options, &d);
        int origin = -1;
        assert_non_null(query);
        ast_contains(query->body, is_variants, &origin);
        if (origin != rows[i].origin)
            fail_msg("%s: %d", rows[i].keywords, origin);
        arena_free(arena);
    }
    // copies that say the same are one, and its own variants are not made by a transformation
    Arena *arena = arena_new();
    const char *text = "(match (position :flipcolor :or ((position Ra1 ra8) (position Ra8 ra1))))";
    const Source source = {"test", text, strlen(text), NULL};
    const ParseOptions options = {.variations = 0};
    Diagnostics d = {.arena = arena, .source = &source};
    int origin = -1;
    ast_contains(parse_cql3(arena, &source, &options, &d)->body, is_variants, &origin);
    assert_int_equal(origin, 0);
    // ... and has the variables of one
    const char *same = "(match (position :flip :relation (:ignoresidetomove)))";
    const Source other = {"test", same, strlen(same), NULL};
    assert_int_equal(parse_cql3(arena, &other, &options, &d)->variable_count, 2);
    arena_free(arena);
}

static bool is_loop(const Ast *node, void *user)
{
    if (node->op == OP_SET_LOOP)
        *(uint32_t *)user = node->kid[0]->pieces;
    return node->op == OP_SET_LOOP && node->kid[0]->op == OP_DESIGNATOR;
}

static bool is_search_for_piece(const Ast *node, void *user)
{
    (void)user;
    return node->op == OP_INTERSECT && node->kid[0]->op == OP_VARIABLE && node->kid[1]->op == OP_DESIGNATOR;
}

// A tag may be a pawn that becomes such a piece later.
static void test_tags(void **state)
{
    (void)state;
    static const char kinds[] = "PNBRQKpnbrqkAa";
    for (int i = 0; kinds[i] != '\0'; i++) {
        Arena *arena = arena_new();
        const char *text = arena_printf(arena, "(match :forany x %c (position $x))", kinds[i]);
        const Source source = {"test", text, strlen(text), NULL};
        const ParseOptions options = {.variations = 0};
        Diagnostics d = {.arena = arena, .source = &source};
        const Query *query = parse_cql3(arena, &source, &options, &d);
        const bool may_be_pawn = strchr("NBRQnbrq", kinds[i]) != NULL;
        uint32_t pieces = 0;
        assert_non_null(query);
        assert_true(ast_contains(query->body, is_loop, &pieces));
        assert_int_equal(pieces,
                         symbol_of(kinds[i]) | (may_be_pawn ? symbol_of(kinds[i] < 'a' ? 'P' : 'p') : 0));
        assert_int_equal(ast_contains(query->body, is_search_for_piece, NULL), may_be_pawn);
        arena_free(arena);
    }
}

// Several tests have the type of the last; one of several lists is a condition.
static void test_types(void **state)
{
    (void)state;
    static const struct {
        const char *match;
        Type type;
    } rows[] = {{"(position :check :ray (R k))", TYPE_SET},
                {"(position :ray (R k) :check)", TYPE_BOOL},
                {"(position K :wtm :ray (R k))", TYPE_SET},
                {"(position K :attackcount A k 2)", TYPE_INT},
                {"(position K)", TYPE_SET},
                {"(position K R :check)", TYPE_BOOL},
                {"(position)", TYPE_BOOL},
                {"(position :or ((position K) (position R)))", TYPE_BOOL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        const char *text = arena_printf(arena, "(match %s)", rows[i].match);
        const Source source = {"test", text, strlen(text), NULL};
        const ParseOptions options = {.variations = 0};
        Diagnostics d = {.arena = arena, .source = &source};
        const Query *query = parse_cql3(arena, &source, &options, &d);
        assert_non_null(query);
        if (query->body->kid[0]->type != rows[i].type || query->body->type != rows[i].type)
            fail_msg("%s: %s", rows[i].match, type_name(query->body->kid[0]->type));
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_origins), cmocka_unit_test(test_tags),
                                       cmocka_unit_test(test_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
