// Modules made by hand or at random, and what the optimiser does to them.
#ifndef CQL_TEST_OPTIMISE_FIXTURE_H
#define CQL_TEST_OPTIMISE_FIXTURE_H

#include "run_fixture.h"

#include "compiler/back/interp.h"
#include "compiler/middle/ir/build.h"
#include "compiler/middle/optimise/optimise.h"
#include "runtime/chess/chess.h"

static const char pgn[] =
    "[Event \"?\"]\n[White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n[Result \"1-0\"]\n\n"
    "1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 (4... d6 5. d4) 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5\n"
    "9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 "
    "Qxb2\n"
    "18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0\n\n";

// ---- modules made by hand ---------------------------------------------------------------------------------

static inline Module *new_module(Ir *(*body)(Module *m, IrFunction *f))
{
    Arena *a = arena_new();
    Module *m = arena_alloc(a, sizeof *m);
    m->arena = a;
    m->info.name = "test";
    m->info.source = "";
    m->info.flags = QUERY_VARIATIONS;
    IrFunction *f = ir_new_function(m, "body", NULL);
    f->body = body(m, f);
    return m;
}

typedef struct Hits {
    int32_t position[128];
    int32_t count;
} Hits;

static inline Hits hits_of(Module *m)
{
    assert_null(ir_verify(m));
    const Matcher *matcher = interp_new(&m, 1);
    Fixture f = {.query = matcher->query[0]};
    fixture_open(&f);
    fixture_play(&f, pgn);
    assert_null(f.result.error);
    Hits hits = {.count = f.result.hit_count};
    assert_true(hits.count <= 128);
    memcpy(hits.position, f.result.hit, sizeof hits.position[0] * (size_t)hits.count);
    fixture_close(&f);
    interp_free(matcher);
    return hits;
}

static inline void assert_hits(Module *m, const Hits *expected)
{
    const Hits hits = hits_of(m);
    assert_int_equal(hits.count, expected->count);
    assert_memory_equal(hits.position, expected->position,
                        sizeof hits.position[0] * (size_t)expected->count);
}

// Leaves the module as `optimise` made it.
static inline void assert_unchanged(Module *m)
{
    const Hits before = hits_of(m);
    optimise(m, NULL, NULL);
    assert_hits(m, &before);
    Ir *optimised = ir_copy(m->function[0]->body);
    stage_intersections(m);
    assert_hits(m, &before);
    m->function[0]->body = optimised;
}

// ---- random sets ------------------------------------------------------------------------------------------

static uint64_t seed;

static inline uint32_t random_below(uint32_t limit)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(seed >> 33) % limit;
}

static inline Bitboard random_squares(void)
{
    static const Bitboard common[] = {0,         ~0ULL, 0xFFULL, 0x0101010101010101ULL, 0x0000001818000000ULL,
                                      1ULL << 28};
    const uint32_t which = random_below(8);
    if (which < 6)
        return common[which];
    const uint64_t low = random_below(1u << 30), high = random_below(1u << 30);
    return which == 6 ? low << 34 | high : low & high << 4;
}

static inline Ir *random_set(Module *m, int depth);

static inline Ir *random_board(Module *m)
{
    Ir *board = ir_new(m->arena, IR_BOARD, IRT_SET, 0);
    board->number = (int32_t)random_below(BOARD_COUNT);
    return board;
}

static inline Ir *random_list(Module *m, IrOp op, IrType type, Ir *(*kid)(Module *m, int depth), int depth)
{
    Ir *list = ir_new(m->arena, op, type, 0);
    for (int i = 2 + (int)random_below(3); i > 0; i--)
        ir_add_kid(list, kid(m, depth - 1));
    return list;
}

static inline Ir *random_set(Module *m, int depth)
{
    if (depth <= 0)
        return random_below(3) ? random_board(m) : ir_set(m->arena, random_squares());
    switch (random_below(10)) {
    case 0:
    case 1:
        return random_list(m, IR_SET_AND, IRT_SET, random_set, depth);
    case 2:
    case 3:
        return random_list(m, IR_SET_OR, IRT_SET, random_set, depth);
    case 4:
        return ir_binary(IR_SET_XOR, random_set(m, depth - 1), random_set(m, depth - 1));
    case 5:
        return ir_set_not(random_set(m, depth - 1));
    case 6: {
        Ir *step = ir_unary(IR_STEP, random_set(m, depth - 1));
        step->number = (int32_t)random_below(15) - 7;
        step->low = (int32_t)random_below(15) - 7;
        return step;
    }
    case 7:
        return ir_call(m->arena, IR_CALL_attackers, 2, random_board(m), random_set(m, 0));
    case 8:
        return ir_call(m->arena, IR_CALL_attacked, 1, random_board(m));
    default:
        return ir_set_and(random_board(m), ir_set(m->arena, random_squares()));
    }
}

// Nodes of one operation in a tree.
static inline int count_op(const Ir *tree, IrOp op)
{
    int count = tree->op == op;
    for (int i = 0; i < tree->kid_count; i++)
        count += count_op(tree->kid[i], op);
    return count;
}

static inline int calls_in(const Ir *tree)
{
    int count = tree->op == IR_CALL;
    for (int i = 0; i < tree->kid_count; i++)
        count += calls_in(tree->kid[i]);
    return count;
}

static inline Ir *board_node(Module *m, int number)
{
    Ir *board = ir_new(m->arena, IR_BOARD, IRT_SET, 0);
    board->number = number;
    return board;
}

// A designator of pieces on squares.
static inline Ir *pieces_on(Module *m, int number, Bitboard squares)
{
    return ir_set_and(board_node(m, number), ir_set(m->arena, squares));
}

#endif
