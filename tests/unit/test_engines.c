// The three back ends: each operation against values worked out by hand, and against each other on random
// modules. The runtime functions are a small mock that writes down what it was asked to do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/back/engine.h"
#include "compiler/middle/ir/build.h"
#include "compiler/middle/screen/screen.h"
#include "runtime/chess/chess.h"
#include "random_ir.h"

enum { CALL_DEPTH = 3000 }; // of calls of a query's own functions
enum { POSITIONS = 60, CELLS = 16 };

// What a run did. `run` of the Context points to it.
typedef struct Trace {
    jmp_buf out;
    int32_t raised;
    char detail[64];
    uint64_t log; // hash of all that was logged
    int32_t log_length;
    int32_t hit[POSITIONS], hit_count;
    Slot slot[CELLS];
    int64_t steps;
    CqlString *text[20000]; // made by the mock, freed after the run
    int text_count;
} Trace;

static Trace *trace_of(const Context *c)
{
    return (Trace *)c->run;
}

// ---- the mock ---------------------------------------------------------------------------------------------

static Bitboard mock_attacked(const Position *p, Bitboard from)
{
    Bitboard result = 0;
    for (; from; from &= from - 1)
        result |= attacks_from(p, bb_first(from));
    return result;
}

static Bitboard mock_attackers(const Position *p, Bitboard from, Bitboard to)
{
    Bitboard result = 0;
    for (; from; from &= from - 1)
        if (attacks_from(p, bb_first(from)) & to)
            result |= from & -from;
    return result;
}

static int32_t mock_in_check(const Position *p)
{
    return pos_in_check(p, p->side);
}

static Bitboard mock_chain_from(const Position *p, int32_t directions, int32_t sliders, const Bitboard *set,
                                int32_t count)
{
    Bitboard result = p->board[WHITE_KING] ^ (Bitboard)(directions + sliders);
    for (int i = 0; i < count; i++)
        result = result * 3 ^ set[i];
    return result;
}

static void mock_raise(Context *c, int32_t code, String detail)
{
    Trace *t = trace_of(c);
    t->raised = code;
    snprintf(t->detail, sizeof t->detail, "%s", detail->bytes);
    longjmp(t->out, 1);
}

static void note(Trace *t, const void *bytes, size_t length)
{
    for (const unsigned char *byte = bytes; length--; byte++)
        t->log = (t->log ^ *byte) * 0x100000001b3ULL;
}

static void mock_log_add(Context *c, int32_t position, String text)
{
    Trace *t = trace_of(c);
    note(t, &position, sizeof position);
    note(t, text->bytes, text->length + 1);
    t->log_length++;
}

static int32_t mock_log_mark(Context *c)
{
    return trace_of(c)->log_length;
}

static String keep_text(Context *c, const char *format, int32_t value)
{
    Trace *t = trace_of(c);
    if (t->text_count == (int)(sizeof t->text / sizeof *t->text))
        mock_raise(c, RAISE_MEMORY, (String) & (CqlString){0, ""});
    CqlString *text = calloc(1, sizeof *text + 32);
    text->length = (uint32_t)snprintf(text->bytes, 32, format, value);
    return t->text[t->text_count++] = text;
}

static String mock_text_int(Context *c, int32_t value)
{
    return keep_text(c, "%d", value);
}

static String mock_text_position(Context *c, int32_t position)
{
    note(trace_of(c), &position, sizeof position); // its order matters
    return keep_text(c, "position %d", position);
}

static int32_t mock_length(Context *c, String s)
{
    (void)c;
    return (int32_t)s->length;
}

static int32_t mock_compare(Context *c, String a, String b)
{
    (void)c;
    return strcmp(a->bytes, b->bytes);
}

static int32_t mock_parse_int(String s, int32_t *value)
{
    char *end;
    const long number = strtol(s->bytes, &end, 10);
    if (s->length == 0 || *end)
        return 0;
    *value = (int32_t)number;
    return 1;
}

static const Runtime mock = {
    .abi_version = CQL_ABI_VERSION,
    .size = sizeof(Runtime),
    .ray_table = ray_table[0],
    .attacked = mock_attacked,
    .attackers = mock_attackers,
    .in_check = mock_in_check,
    .chain_from = mock_chain_from,
    .raise = mock_raise,
    .log_add = mock_log_add,
    .log_mark = mock_log_mark,
    .text_int = mock_text_int,
    .text_position = mock_text_position,
    .length = mock_length,
    .compare = mock_compare,
    .parse_int = mock_parse_int,
};

// ---- a game -----------------------------------------------------------------------------------------------

typedef struct TestGame {
    GameView view;
    Position board[POSITIONS];
    const Position *position[POSITIONS];
    Node node[POSITIONS];
} TestGame;

// Adds the position after `move` and what follows: `plies` more, with a variation every fourth.
static void add_node(TestGame *g, int parent, int index, Move move, int plies, uint32_t *random)
{
    const int n = g->view.count++;
    Node *node = &g->node[n];
    *node = (Node){.parent = parent, .first_child = -1, .next_sibling = -1, .index = index, .move = move};
    g->position[n] = &g->board[n];
    if (parent < 0) {
        g->board[n] = pos_start;
    } else {
        pos_make(&g->board[n], &g->board[parent], move);
        node->ply = g->node[parent].ply + 1;
        node->depth = g->node[parent].depth + (index > 0);
    }
    Move moves[MAX_MOVES];
    const int count = plies > 0 ? pos_legal_moves(&g->board[n], moves) : 0;
    for (int i = 0, last = -1; i < (n % 4 == 1 ? 2 : 1) && i < count && g->view.count < POSITIONS; i++) {
        *random = *random * 1103515245 + 12345;
        const int child = g->view.count;
        add_node(g, n, i, moves[(*random >> 16) % (uint32_t)count], i ? 2 : plies - 1, random);
        if (last < 0)
            node->first_child = child;
        else
            g->node[last].next_sibling = child;
        last = child;
    }
    node->last = g->view.count - 1;
}

static TestGame *game(void)
{
    static TestGame g;
    if (g.view.count == 0) {
        uint32_t random = 5;
        add_node(&g, -1, 0, (Move){0}, 40, &random);
        g.view.result = RESULT_DRAW;
        g.view.number = 7;
        g.view.last_number = 9;
        g.view.position = g.position;
        g.view.node = g.node;
    }
    return &g;
}

// ---- running ----------------------------------------------------------------------------------------------

static void run(const QueryInfo *query, int64_t steps, Trace *t)
{
    memset(t, 0, sizeof *t);
    Context c = {.rt = &mock,
                 .game = &game()->view,
                 .position = game()->position,
                 .node = game()->node,
                 .slot = t->slot,
                 .hit = t->hit,
                 .steps = steps,
                 .depth = CALL_DEPTH,
                 .run = (struct RunState *)t,
                 .query = query};
    Context *volatile kept = &c;
    if (setjmp(t->out) == 0 && (query->game_test == NULL || query->game_test(&c)))
        query->match_game(&c);
    t->hit_count = kept->hit_count;
    t->steps = kept->steps;
}

static void forget(Trace *t)
{
    for (int i = 0; i < t->text_count; i++)
        free(t->text[i]);
}

static void check_same_slots(const Trace *a, const Trace *b, int texts_from, int texts_to)
{
    for (int i = 0; i < CELLS; i++)
        if (i >= texts_from && i < texts_to) {
            assert_int_equal(a->slot[i].t == NULL, b->slot[i].t == NULL);
            if (a->slot[i].t != NULL)
                assert_string_equal(a->slot[i].t->bytes, b->slot[i].t->bytes);
        } else {
            assert_int_equal(a->slot[i].s, b->slot[i].s);
        }
}

static void check_same(const Trace *a, const Trace *b)
{
    assert_int_equal(a->raised, b->raised);
    assert_string_equal(a->detail, b->detail);
    assert_int_equal(a->log_length, b->log_length);
    assert_int_equal(a->log, b->log);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->hit_count, b->hit_count);
    assert_memory_equal(a->hit, b->hit, sizeof *a->hit * (size_t)a->hit_count);
    check_same_slots(a, b, 6, 9);
}

static Engine open_engine(EngineKind kind, Module *const *module, int count)
{
    Engine e;
    char *message;
    const EngineOptions options = {.no_cache = true};
    if (!engine_open(&e, kind, module, count, &options, &message)) {
        char *text = emit_c(module, count, HEADER_INCLUDED, &(size_t){0});
        print_error("%s\n%s", message, text);
        free(text);
        fail();
    }
    return e;
}

static void check_verified(const Module *m)
{
    const char *wrong = ir_verify(m);
    if (wrong != NULL)
        fail_msg("%s", wrong);
}

// ---- modules by hand --------------------------------------------------------------------------------------

static Module *new_module(void)
{
    Arena *a = arena_new();
    Module *m = arena_alloc(a, sizeof *m);
    m->arena = a;
    m->info.name = "test";
    m->info.source = "";
    m->info.slot_count = CELLS;
    ir_new_function(m, "body", NULL);
    return m;
}

static Ir *board(Arena *a, int number)
{
    Ir *ir = ir_new(a, IR_BOARD, IRT_SET, 0);
    ir->number = number;
    return ir;
}

static Ir *numbered(Ir *ir, int32_t number, int32_t low)
{
    ir->number = number;
    ir->low = low;
    return ir;
}

static Ir *two(Arena *a, IrOp op, int32_t x, int32_t y)
{
    return ir_binary(op, ir_int(a, x), ir_int(a, y));
}

// Runs the module in all engines, which must agree, and leaves the interpreter's trace in *t (without its
// texts).
static void run_all(Module *m, int64_t steps, Trace *t)
{
    static Trace other;
    check_verified(m);
    Engine interpreter = open_engine(ENGINE_INTERP, &m, 1);
    run(interpreter.matcher->query, steps, t);
    for (int kind = ENGINE_TCC; kind <= ENGINE_CC; kind++) {
        Engine e = open_engine((EngineKind)kind, &m, 1);
        assert_int_equal(e.kind, kind);
        run(e.matcher->query, steps, &other);
        check_same(t, &other);
        forget(&other);
        engine_close(&e);
    }
    forget(t);
    engine_close(&interpreter);
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        IrOp op;
        int32_t a, b, result;
    } cases[] = {
        {IR_ADD, INT32_MAX, 1, INT32_MIN},
        {IR_SUB, INT32_MIN, 1, INT32_MAX},
        {IR_MUL, 65536, 65536, 0},
        {IR_DIV, -7, 2, -3},
        {IR_MOD, -7, 2, -1},
        {IR_DIV, INT32_MIN, -1, INT32_MIN},
        {IR_MOD, INT32_MIN, -1, 0},
        {IR_AND_BITS, -2, 7, 6},
        {IR_MOD, 7, -2, 1},
    };
    const int count = sizeof cases / sizeof *cases;
    Module *m = new_module();
    Arena *a = m->arena;
    Ir *all = ir_new(a, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < count; i++)
        ir_add_kid(all, ir_store(i < 6 ? i : i + 3, two(a, cases[i].op, cases[i].a, cases[i].b)));
    ir_add_kid(all, ir_store(12, numbered(ir_unary(IR_SHIFT_RIGHT, ir_int(a, -1)), 28, 0)));
    ir_add_kid(all, ir_store(13, ir_unary(IR_SQRT, ir_int(a, INT32_MAX))));
    ir_add_kid(all, ir_store(14, ir_int_of(ir_any(ir_set(a, 1ULL << 40)))));
    ir_add_kid(all, ir_store(15, numbered(ir_new(a, IR_GAME, IRT_INT, 0), IR_GAME_LAST_NUMBER, 0)));
    m->function[0]->body = all;
    static Trace t;
    run_all(m, 1000, &t);
    for (int i = 0; i < count; i++)
        assert_int_equal(t.slot[i < 6 ? i : i + 3].i, cases[i].result);
    assert_int_equal(t.slot[12].i, 15);
    assert_int_equal(t.slot[13].i, 46340); // 46340^2 = 2147395600, 46341^2 is more than 2^31
    assert_int_equal(t.slot[14].i, 1);
    assert_int_equal(t.slot[15].i, 9);
    assert_int_equal(t.hit_count, game()->view.count);
    arena_free(m->arena);
}

static void test_sets(void **state)
{
    (void)state;
    Module *m = new_module();
    Arena *a = m->arena;
    Ir *start = ir_with_int(IR_EQ, ir_current(a), 0);
    Ir *pawns = board(a, WHITE_PAWN);
    m->function[0]->body = ir_new(
        a, IR_AND, IRT_BOOL, 12, start,
        ir_store(0, numbered(ir_unary(IR_STEP, pawns), 1, 2)),   // a2-g2 to b4-h4
        ir_store(1, numbered(ir_unary(IR_STEP, pawns), -7, -1)), // h2 to a1
        ir_store(2, ir_set_not(board(a, BOARD_OCCUPIED))),
        ir_store(3, ir_binary(IR_SET_XOR, board(a, BOARD_WHITE), pawns)), ir_store(4, ir_bit(ir_int(a, 63))),
        ir_store(5, ir_bit(ir_int(a, 64))), ir_store(9, ir_count(board(a, EMPTY))),
        ir_store(10, ir_first(board(a, BLACK_KING))), ir_store(11, ir_unary(IR_SQUARE, ir_int(a, 3))),
        ir_store(12, ir_call(a, IR_CALL_attackers, 2, board(a, WHITE_KNIGHT), board(a, EMPTY))),
        ir_store(13, ir_call(a, IR_CALL_attacked, 1, board(a, WHITE_KNIGHT))));
    static Trace t;
    run_all(m, 1000, &t);
    assert_int_equal(t.slot[0].s, 0xfe000000);
    assert_int_equal(t.slot[1].s, 1);
    assert_int_equal(t.slot[2].s, 0x0000ffffffff0000);
    assert_int_equal(t.slot[3].s, 0xff);
    assert_int_equal(t.slot[4].s, 0x8000000000000000);
    assert_int_equal(t.slot[5].s, 0);
    assert_int_equal(t.slot[9].i, 32);
    assert_int_equal(t.slot[10].i, 60);
    assert_int_equal(t.slot[11].i, WHITE_QUEEN);
    assert_int_equal(t.slot[12].s, 0x42);
    assert_int_equal(t.slot[13].s, 0xa51800); // d2 a3 c3 e2 f3 h3
    assert_int_equal(t.hit_count, 1);
    arena_free(m->arena);
}

// Counts in slot 0 how often the body ran and stores the truth of the loop in slot 1.
static Ir *counted_loop(Module *m, Ir *loop, IrMode mode)
{
    Arena *a = m->arena;
    loop->mode = (uint8_t)mode;
    return ir_if(loop, ir_store(1, ir_int(a, 1)), ir_store(1, ir_int(a, 0)));
}

static void check_loop(IrMode mode, int stop, int rounds, int result)
{
    Module *m = new_module();
    Arena *a = m->arena;
    const int square = ir_new_local(m->function[0], IRT_INT);
    Ir *count = ir_store(0, ir_with_int(IR_ADD, ir_slot(a, IRT_INT, 0), 1));
    Ir *test = ir_binary(mode == MODE_ANY ? IR_EQ : IR_NE, ir_local(m->function[0], square), ir_int(a, stop));
    Ir *loop =
        ir_new(a, IR_EACH_SQUARE, IRT_BOOL, 2, ir_set(a, 0xf0), ir_new(a, IR_AND, IRT_BOOL, 2, count, test));
    loop->number = square;
    m->function[0]->body =
        ir_new(a, IR_AND, IRT_BOOL, 2, ir_with_int(IR_EQ, ir_current(a), 0), counted_loop(m, loop, mode));
    static Trace t;
    run_all(m, 1000, &t);
    assert_int_equal(t.slot[0].i, rounds);
    assert_int_equal(t.slot[1].i, result);
    assert_int_equal(t.steps, 1000 - rounds);
    arena_free(m->arena);
}

static void test_loops(void **state)
{
    (void)state;
    check_loop(MODE_EACH, 5, 4, 1);
    check_loop(MODE_ANY, 5, 2, 1);
    check_loop(MODE_ANY, 9, 4, 0);
    check_loop(MODE_ALL, 6, 3, 0);
    check_loop(MODE_ALL, 9, 4, 1);
}

// The sum of the plies of all nodes, once by a walk over all positions and once by recursion over the
// children.
static void test_tree(void **state)
{
    (void)state;
    Module *m = new_module();
    Arena *a = m->arena;
    IrFunction *body = m->function[0];
    const int at = ir_new_local(body, IRT_POSITION);
    Ir *ply = ir_node(IR_NODE_PLY, ir_current(a));
    Ir *add = ir_store(0, ir_add(ir_slot(a, IRT_INT, 0), ply));
    Ir *count = numbered(ir_new(a, IR_GAME, IRT_INT, 0), IR_GAME_COUNT, 0);
    Ir *walk = ir_new(a, IR_EACH_POSITION, IRT_BOOL, 3, ir_int(a, 0), ir_with_int(IR_SUB, count, 1),
                      ir_at(ir_local(body, at), add));
    walk->number = at;
    int number;
    IrFunction *down = ir_new_function(m, "down", &number);
    const int where = ir_new_local(down, IRT_POSITION), child = ir_new_local(down, IRT_POSITION);
    down->parameter_count = 1;
    Ir *ply_there = ir_node(IR_NODE_PLY, ir_local(down, where));
    Ir *sum = ir_store(1, ir_add(ir_slot(a, IRT_INT, 1), ply_there));
    Ir *children = ir_new(a, IR_EACH_CHILD, IRT_BOOL, 2, ir_local(down, where),
                          numbered(ir_unary(IR_INVOKE, ir_local(down, child)), number, 0));
    children->number = child;
    down->body = ir_new(a, IR_AND, IRT_BOOL, 2, sum, children);
    body->body = ir_new(a, IR_AND, IRT_BOOL, 3, ir_with_int(IR_EQ, ir_current(a), 0), walk,
                        numbered(ir_unary(IR_INVOKE, ir_int(a, 0)), number, 0));
    int expected = 0;
    for (int i = 0; i < game()->view.count; i++)
        expected += game()->node[i].ply;
    static Trace t;
    run_all(m, 100000, &t);
    assert_int_equal(t.slot[0].i, expected);
    assert_int_equal(t.slot[1].i, expected);
    assert_int_equal(t.hit_count, 1);
    arena_free(m->arena);
}

static void test_step_budget(void **state)
{
    (void)state;
    Module *m = new_module();
    Arena *a = m->arena;
    Ir *count = ir_store(0, ir_with_int(IR_ADD, ir_slot(a, IRT_INT, 0), 1));
    m->function[0]->body = ir_while(ir_bool(a, true), count);
    static Trace t;
    run_all(m, 100, &t);
    assert_int_equal(t.raised, RAISE_STEPS);
    assert_int_equal(t.slot[0].i, 99); // the hundredth round took the last step
    arena_free(m->arena);
}

static void test_depth(void **state)
{
    (void)state;
    Module *m = new_module();
    Arena *a = m->arena;
    int number;
    IrFunction *down = ir_new_function(m, "down", &number);
    Ir *count = ir_store(0, ir_with_int(IR_ADD, ir_slot(a, IRT_INT, 0), 1));
    // The NOT keeps compilers from making a loop of the recursion.
    Ir *more = ir_not(numbered(ir_new(a, IR_INVOKE, IRT_BOOL, 0), number, 0));
    down->body = ir_new(a, IR_AND, IRT_BOOL, 2, count, more);
    m->function[0]->body = numbered(ir_new(a, IR_INVOKE, IRT_BOOL, 0), number, 0);
    static Trace t;
    run_all(m, 1000000, &t);
    assert_int_equal(t.raised, RAISE_MEMORY);
    assert_int_equal(t.slot[0].i, CALL_DEPTH);
    arena_free(m->arena);
}

static void test_texts(void **state)
{
    (void)state;
    Module *m = new_module();
    Arena *a = m->arena;
    static const char hostile[] = "\"); } /* */ \\ %s ?"
                                  "?/ \n\r\t\x7f\xff\x01"
                                  "123 \\x41 #include";
    const Ir *text = ir_text(m, hostile, sizeof hostile - 1);
    assert_int_equal(ir_text(m, hostile, sizeof hostile - 1)->number, text->number);
    m->slot_name = arena_alloc(a, CELLS * sizeof *m->slot_name);
    m->slot_name[3] = "x y}; int main(";
    m->info.source = hostile;
    m->info.matchstring = hostile;
    m->function[0]->body =
        ir_new(a, IR_AND, IRT_BOOL, 3, ir_store(6, ir_copy(text)), ir_store(3, ir_int(a, 1)),
               numbered(ir_new(a, IR_RAISE, IRT_BOOL, 0), RAISE_UNBOUND, text->number));
    static Trace t;
    run_all(m, 1000, &t);
    assert_int_equal(t.raised, RAISE_UNBOUND);
    assert_string_equal(t.detail, hostile);
    Engine e = open_engine(ENGINE_TCC, &m, 1);
    assert_string_equal(e.matcher->query->source, hostile);
    assert_string_equal(e.matcher->query->matchstring, hostile);
    engine_close(&e);
    arena_free(m->arena);
}

static void test_game_test(void **state)
{
    (void)state;
    for (int wanted = RESULT_WHITE; wanted <= RESULT_DRAW; wanted++) {
        Module *m = new_module();
        Arena *a = m->arena;
        Ir *result = numbered(ir_new(a, IR_GAME, IRT_INT, 0), IR_GAME_RESULT, 0);
        m->game_test = ir_with_int(IR_EQ, result, wanted);
        m->function[0]->body = ir_bool(a, true);
        static Trace t;
        run_all(m, 1000, &t);
        assert_int_equal(t.hit_count, wanted == RESULT_DRAW ? game()->view.count : 0);
        arena_free(m->arena);
    }
}

// ---- random modules ---------------------------------------------------------------------------------------

static void make_folder(char path[64])
{
    strcpy(path, "/tmp/cqlgen-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

static void remove_folder(const char *path)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

// Compiles the C that people read.
static Engine open_c_file(Module *const *module, int count)
{
    char folder[64], path[128], *message;
    size_t length;
    make_folder(folder);
    snprintf(path, sizeof path, "%s/matcher.so", folder);
    char *text = emit_c(module, count, HEADER_EMBEDDED, &length);
    Engine e;
    if (!cc_build(text, length, path, NULL, &message) || !engine_load(&e, path, &message))
        fail_msg("%s", message);
    free(text);
    remove_folder(folder);
    return e;
}

static void compare_random(EngineKind kind, uint64_t seed, int count)
{
    static Trace expected, got;
    Module *module[64] = {0};
    for (int i = 0; i < count; i++) {
        module[i] = random_module(seed + (uint64_t)i);
        check_verified(module[i]);
    }
    Engine interpreter = open_engine(ENGINE_INTERP, module, count),
           compiled = kind == ENGINE_CC ? open_c_file(module, count) : open_engine(kind, module, count);
    for (int i = 0; i < count; i++) {
        run(&interpreter.matcher->query[i], 20000, &expected);
        run(&compiled.matcher->query[i], 20000, &got);
        const bool same =
            expected.log == got.log && expected.hit_count == got.hit_count && expected.steps == got.steps;
        if (!same)
            print_error("seed %llu\n", (unsigned long long)seed + (unsigned)i);
        check_same(&expected, &got);
        forget(&expected);
        forget(&got);
    }
    engine_close(&interpreter);
    engine_close(&compiled);
    for (int i = 0; i < count; i++)
        arena_free(module[i]->arena);
}

static void test_random_tcc(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        compare_random(ENGINE_TCC, (uint64_t)i * 64, 64);
}

static void test_random_cc(void **state)
{
    (void)state;
    compare_random(ENGINE_CC, 1, 24);
}

// ---- files and failures -----------------------------------------------------------------------------------

static Module *small_module(void)
{
    Module *m = new_module();
    m->function[0]->body = ir_any(board(m->arena, BLACK_QUEEN));
    return m;
}

static void test_shared_object(void **state)
{
    (void)state;
    char folder[64], path[128], *message;
    size_t length;
    make_folder(folder);
    snprintf(path, sizeof path, "%s/matcher.so", folder);
    Module *m = small_module();
    char *text = emit_c(&m, 1, HEADER_EMBEDDED, &length);
    assert_true(cc_build(text, length, path, NULL, &message));
    Engine e;
    assert_true(engine_load(&e, path, &message));
    assert_string_equal(e.matcher->query->name, "test");
    static Trace t;
    run(e.matcher->query, 100, &t);
    assert_true(t.hit_count > 0);
    engine_close(&e);

    assert_false(cc_build("this isn't C", 12, path, NULL, &message));
    assert_non_null(strstr(message, "failed"));
    free(message);
    assert_true(engine_load(&e, path, &message)); // what was there stays
    engine_close(&e);

    char *version = strstr(text, "CQL_ABI_VERSION = ");
    assert_non_null(version);
    version[strlen("CQL_ABI_VERSION = ")] = '9';
    assert_true(cc_build(text, length, path, NULL, &message));
    assert_false(engine_load(&e, path, &message));
    assert_non_null(strstr(message, "version 9"));
    free(message);

    assert_true(cc_build("int x;", 6, path, NULL, &message));
    assert_false(engine_load(&e, path, &message));
    assert_non_null(strstr(message, "cql_matcher"));
    free(message);
    free(text);
    arena_free(m->arena);
    remove_folder(folder);
}

static void test_bad_compiler(void **state)
{
    (void)state;
    Module *m = small_module();
    Engine e;
    char *message;
    const EngineOptions options = {.cc = "no-such-compiler; echo", .no_cache = true};
    assert_false(engine_open(&e, ENGINE_CC, &m, 1, &options, &message));
    assert_non_null(strstr(message, "no-such-compiler;"));
    free(message);
    assert_null(e.matcher);
    engine_close(&e);
    arena_free(m->arena);
}

// A command that compiles as cc does, but fails with a text that has a screen.
static void write_compiler(const char *path, const char *failure)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "#!/bin/sh\ncd \"$(dirname \"$0\")\" || exit 1\necho >> calls\ncat > text.c\n"
            "case \"$*\" in *CQL_NO_SCREENS*) ;; *) grep -q 'screen = SCREEN' text.c && %s ;; esac\n"
            "exec cc \"$@\" < text.c\n",
            failure);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0755), 0);
}

static int line_count(const char *folder, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    int lines = 0;
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    remove(path);
    return lines;
}

// A compiler that fails with a screen is used without it; one that is killed is not started again.
static void test_failing_screen(void **state)
{
    (void)state;
    char folder[64], path[128], *message;
    make_folder(folder);
    snprintf(path, sizeof path, "%s/compiler", folder);
    const EngineOptions options = {.cc = path, .no_cache = true};
    Module *m = small_module(), *without = small_module();
    screen_module(m);
    assert_non_null(m->screen);
    Engine e;

    write_compiler(path, "exit 1");
    assert_true(engine_open(&e, ENGINE_CC, &m, 1, &options, &message));
    assert_null(message);
    assert_true(e.matcher->query->screen == NULL);
    static Trace t;
    run(e.matcher->query, 100, &t);
    assert_true(t.hit_count > 0);
    engine_close(&e);
    assert_int_equal(line_count(folder, "calls"), 2);

    assert_true(engine_open(&e, ENGINE_CC, &without, 1, &options, &message));
    engine_close(&e);
    assert_int_equal(line_count(folder, "calls"), 1);

    write_compiler(path, "kill -9 $$");
    assert_false(engine_open(&e, ENGINE_CC, &m, 1, &options, &message));
    assert_non_null(strstr(message, "failed"));
    free(message);
    assert_int_equal(line_count(folder, "calls"), 1);

    write_compiler(path, "true");
    assert_true(engine_open(&e, ENGINE_CC, &m, 1, &options, &message));
    assert_true(e.matcher->query->screen != NULL);
    engine_close(&e);
    assert_int_equal(line_count(folder, "calls"), 1);
    arena_free(m->arena);
    arena_free(without->arena);
    remove_folder(folder);
}

// The one object of the cache folder; its name into path.
static void find_object(const char *folder, char path[512])
{
    char command[256];
    snprintf(command, sizeof command, "ls '%s'/cqlgen/*.so", folder);
    FILE *list = popen(command, "r");
    assert_non_null(list);
    assert_non_null(fgets(path, 512, list));
    path[strcspn(path, "\n")] = 0;
    char more[8];
    assert_null(fgets(more, sizeof more, list));
    pclose(list);
}

static void test_cache(void **state)
{
    (void)state;
    char folder[64], path[512], *message;
    struct stat first, second;
    make_folder(folder);
    setenv("XDG_CACHE_HOME", folder, 1);
    Module *m = small_module();
    Engine e;
    for (int round = 0; round < 3; round++) {
        assert_true(engine_open(&e, ENGINE_CC, &m, 1, NULL, &message));
        engine_close(&e);
        find_object(folder, path);
        assert_int_equal(stat(path, &second), 0);
        if (round == 1)
            assert_int_equal(first.st_ino, second.st_ino); // used again
        if (round == 2)
            assert_true(second.st_size > 1000); // built again
        first = second;
        if (round == 1)
            assert_int_equal(truncate(path, 700), 0);
    }
    unsetenv("XDG_CACHE_HOME");
    remove_folder(folder);

    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    assert_true(engine_open(&e, ENGINE_CC, &m, 1, NULL, &message));
    engine_close(&e);
    unsetenv("XDG_CACHE_HOME");
    arena_free(m->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_loops),          cmocka_unit_test(test_tree),
        cmocka_unit_test(test_step_budget),    cmocka_unit_test(test_depth),
        cmocka_unit_test(test_texts),          cmocka_unit_test(test_game_test),
        cmocka_unit_test(test_random_tcc),     cmocka_unit_test(test_random_cc),
        cmocka_unit_test(test_shared_object),  cmocka_unit_test(test_bad_compiler),
        cmocka_unit_test(test_failing_screen), cmocka_unit_test(test_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
