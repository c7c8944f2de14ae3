// Modules that run without a game of chess around them: a small mock of the runtime that writes down what it was asked to do,
// a game, and modules by hand.
#ifndef CQL_ENGINE_FIXTURE_H
#define CQL_ENGINE_FIXTURE_H

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "compiler/back/engine.h"
#include "compiler/middle/ir/build.h"
#include "compiler/middle/screen/screen.h"
#include "runtime/chess/chess.h"

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
    .reach_table = reach_table[0],
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

static inline void forget(Trace *t)
{
    for (int i = 0; i < t->text_count; i++)
        free(t->text[i]);
}

static inline void check_same_slots(const Trace *a, const Trace *b, int texts_from, int texts_to)
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

static inline void check_same(const Trace *a, const Trace *b)
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

static inline Engine open_engine(EngineKind kind, Module *const *module, int count)
{
    Engine e;
    char *message;
    const EngineOptions options = {.no_cache = true};
    if (!engine_open(&e, kind, module, count, &options, &message)) {
        char *text = emit_c(module, count, HEADER_INCLUDED, &(size_t){0}, NULL);
        print_error("%s\n%s", message, text);
        free(text);
        fail();
    }
    return e;
}

static inline void check_verified(const Module *m)
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

static inline Ir *board(Arena *a, int number)
{
    Ir *ir = ir_new(a, IR_BOARD, IRT_SET, 0);
    ir->number = number;
    return ir;
}

static inline Ir *numbered(Ir *ir, int32_t number, int32_t low)
{
    ir->number = number;
    ir->low = low;
    return ir;
}

static inline Ir *two(Arena *a, IrOp op, int32_t x, int32_t y)
{
    return ir_binary(op, ir_int(a, x), ir_int(a, y));
}

// Runs the module in all engines, which must agree, and leaves the interpreter's trace in *t (without its
// texts).
static inline void run_all(Module *m, int64_t steps, Trace *t)
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

// ---- folders ----------------------------------------------------------------------------------------------

static inline void make_folder(char path[64])
{
    strcpy(path, "/tmp/cqlgen-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

static inline void remove_folder(const char *path)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

#endif
