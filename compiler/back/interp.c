// The interpreter: walks the tree with one evaluator for each type of value. A frame has the cells of one
// function's locals; AT changes the frame's position while its operand is evaluated.
#include "interp.h"
#include "templates/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/chess/chess.h"

// What QueryInfo.implementation points to.
typedef struct InterpQuery {
    const Module *module;
    String *text; // by number in Module.text
} InterpQuery;

typedef struct Frame {
    Context *c;
    const InterpQuery *q;
    Slot *local;
    const Position *p;
    int32_t n;
    int32_t depth; // levels of INVOKE left
} Frame;

#define NEVER_INLINE __attribute__((noinline))

static bool test(Frame *f, const Ir *ir);
static int32_t compute_number(Frame *f, const Ir *ir);
static Bitboard compute_set(Frame *f, const Ir *ir);
static String text_of(Frame *f, const Ir *ir);

// Most operands are read without a call.
static inline int32_t number(Frame *f, const Ir *ir)
{
    return ir->op == IR_INT     ? ir->number
           : ir->op == IR_LOCAL ? f->local[ir->number].i
           : ir->op == IR_SLOT  ? f->c->slot[ir->number].i
                                : compute_number(f, ir);
}

static inline Bitboard set_of(Frame *f, const Ir *ir)
{
    return ir->op == IR_BOARD ? f->p->board[ir->number] : ir->op == IR_SET ? ir->set : compute_set(f, ir);
}

static inline Slot cell(Frame *f, const Ir *ir)
{
    switch ((IrType)ir->type) {
    case IRT_SET:
        return (Slot){.s = set_of(f, ir)};
    case IRT_STRING:
        return (Slot){.t = text_of(f, ir)};
    case IRT_BOOL:
        return (Slot){.i = test(f, ir)};
    default:
        return (Slot){.i = number(f, ir)};
    }
}

// ---- calls ------------------------------------------------------------------------------------------------

// The values of the operands from number `from` on; returns how many.
static int32_t sets_of(Frame *f, const Ir *ir, int from, Bitboard *set)
{
    for (int i = from; i < ir->kid_count; i++)
        set[i - from] = set_of(f, ir->kid[i]);
    return ir->kid_count - from;
}

#include "interp_calls.inc"

enum { FEW = 8 }; // locals, which are cleared without a call

// Runs a function in its own frame.
static NEVER_INLINE bool enter(Frame *frame, const IrFunction *function)
{
    const int locals = function->local_count;
    Slot local[locals < FEW ? FEW : locals];
    if (locals <= FEW)
        memset(local, 0, FEW * sizeof *local);
    else
        memset(local, 0, sizeof *local * (size_t)locals);
    frame->local = local;
    return test(frame, function->body);
}

static NEVER_INLINE bool invoke(Frame *f, const Ir *ir)
{
    Frame inner = *f;
    inner.depth = deeper(f->c, f->depth);
    return enter(&inner, f->q->module->function[ir->number]);
}

// ---- loops ------------------------------------------------------------------------------------------------

// One round. True: the loop ends here, with the opposite of the value that it has when it runs to its end.
static inline bool round_ends(Frame *f, const Ir *ir, const Ir *body)
{
    take_step(f->c);
    const bool result = test(f, body);
    return ir->mode == MODE_ANY ? result : ir->mode == MODE_ALL && !result;
}

static NEVER_INLINE bool each_square(Frame *f, const Ir *ir)
{
    for (Bitboard rest = set_of(f, ir->kid[0]); rest; rest &= rest - 1) {
        f->local[ir->number].i = __builtin_ctzll(rest);
        if (round_ends(f, ir, ir->kid[1]))
            return ir->mode == MODE_ANY;
    }
    return ir->mode != MODE_ANY;
}

// The first position from `first` to `last` that the loop visits; -1: none.
static inline int32_t next_position(const Frame *f, const Ir *ir, int64_t first, int32_t last)
{
    if (first > last)
        return -1;
    return ir->low == 0 ? (int32_t)first : f->c->rt->next_member(f->c, ir->low - 1, (int32_t)first, last);
}

static NEVER_INLINE bool each_position(Frame *f, const Ir *ir)
{
    const int32_t first = number(f, ir->kid[0]), last = number(f, ir->kid[1]);
    for (int32_t i = next_position(f, ir, first, last); i >= 0;
         i = next_position(f, ir, (int64_t)i + 1, last)) {
        f->local[ir->number].i = i;
        if (round_ends(f, ir, ir->kid[2]))
            return ir->mode == MODE_ANY;
    }
    return ir->mode != MODE_ANY;
}

static NEVER_INLINE bool each_compared(Frame *f, const Ir *ir)
{
    Context *c = f->c;
    const int32_t key = number(f, ir->kid[0]), low = number(f, ir->kid[1]), high = number(f, ir->kid[2]),
                  last = number(f, ir->kid[4]);
    for (int32_t i = number(f, ir->kid[3]);
         (i = c->rt->next_compared(c, ir->low - 1, key, low, high, i, last)) >= 0; i++) {
        f->local[ir->number].i = i;
        if (round_ends(f, ir, ir->kid[5]))
            return ir->mode == MODE_ANY;
    }
    return ir->mode != MODE_ANY;
}

static NEVER_INLINE bool each_ancestor(Frame *f, const Ir *ir)
{
    Context *c = f->c;
    for (int32_t i = number(f, ir->kid[0]);; i = i < c->game->count ? c->node[i].parent : -1) {
        if (ir->low > 0 && i >= 0)
            i = c->rt->last_member(c, ir->low - 1, i);
        if (i < 0)
            return ir->mode != MODE_ANY;
        f->local[ir->number].i = i;
        if (round_ends(f, ir, ir->kid[1]))
            return ir->mode == MODE_ANY;
    }
}

static NEVER_INLINE bool each_child(Frame *f, const Ir *ir)
{
    // The body may keep an imaginary position, which moves the nodes.
    for (int32_t i = f->c->node[number(f, ir->kid[0])].first_child; i >= 0; i = f->c->node[i].next_sibling) {
        f->local[ir->number].i = i;
        if (round_ends(f, ir, ir->kid[1]))
            return ir->mode == MODE_ANY;
    }
    return ir->mode != MODE_ANY;
}

static NEVER_INLINE void repeat(Frame *f, const Ir *ir)
{
    while (test(f, ir->kid[0])) {
        take_step(f->c);
        test(f, ir->kid[1]);
    }
}

static NEVER_INLINE bool at(Frame *f, const Ir *ir)
{
    const int32_t n = f->n;
    const Position *p = f->p;
    const int32_t there = number(f, ir->kid[0]);
    f->n = there;
    f->p = f->c->position[there];
    const bool result = test(f, ir->kid[1]);
    f->n = n;
    f->p = p;
    return result;
}

// ---- values -----------------------------------------------------------------------------------------------

static int32_t node_field(const Node *node, int32_t field)
{
#define FIELD_CASE(name, member)                                                                             \
    case IR_NODE_##name:                                                                                     \
        return node->member;
    switch (field) {
        IR_NODE_FIELD_LIST(FIELD_CASE)
    default:
        abort(); // no other has such a value
    }
}

static int32_t game_fact(const GameView *game, int32_t fact)
{
    switch (fact) {
    case IR_GAME_COUNT:
        return game->count;
    case IR_GAME_RESULT:
        return game->result;
    case IR_GAME_NUMBER:
        return game->number;
    default:
        return game->last_number;
    }
}

static int32_t as_number(Frame *f, const Ir *ir)
{
    if (ir->type == IRT_BOOL)
        return test(f, ir);
    return ir->type == IRT_STRING ? text_of(f, ir) != NULL : number(f, ir);
}

static int32_t compute_number(Frame *f, const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_CURRENT:
        return f->n;
    case IR_SQUARE:
        return f->p->square[number(f, ir->kid[0])];
    case IR_SIDE:
        return f->p->side;
    case IR_NODE:
        return node_field(&f->c->node[number(f, ir->kid[0])], ir->number);
    case IR_GAME:
        return game_fact(f->c->game, ir->number);
#define VALUES_i(...) __VA_ARGS__
#define VALUES_s(...)
#define VALUES_b(...)
#include "interp_values.def"
    case IR_CHOOSE:
        return number(f, ir->kid[test(f, ir->kid[0]) ? 1 : 2]);
    case IR_POSITION_OF:
        return number(f, ir->kid[0]);
    case IR_INT_OF:
        return as_number(f, ir->kid[0]);
    case IR_CALL:
        return call(f, ir).i;
    default:
        abort(); // no other has such a value
    }
}

static Bitboard compute_set(Frame *f, const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_LOCAL:
        return f->local[ir->number].s;
    case IR_SLOT:
        return f->c->slot[ir->number].s;
    case IR_SET_AND: {
        Bitboard set = set_of(f, ir->kid[0]);
        for (int i = 1; i < ir->kid_count; i++)
            set &= set_of(f, ir->kid[i]);
        return set;
    }
    case IR_SET_OR: {
        Bitboard set = set_of(f, ir->kid[0]);
        for (int i = 1; i < ir->kid_count; i++)
            set |= set_of(f, ir->kid[i]);
        return set;
    }
#define VALUES_i(...)
#define VALUES_s(...) __VA_ARGS__
#define VALUES_b(...)
#include "interp_values.def"
    case IR_CHOOSE:
        return set_of(f, ir->kid[test(f, ir->kid[0]) ? 1 : 2]);
    case IR_CALL:
        return call(f, ir).s;
    default:
        abort(); // no other has such a value
    }
}

static String text_of(Frame *f, const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_STRING:
        return f->q->text[ir->number];
    case IR_LOCAL:
        return f->local[ir->number].t;
    case IR_SLOT:
        return f->c->slot[ir->number].t;
    case IR_CHOOSE:
        return text_of(f, ir->kid[test(f, ir->kid[0]) ? 1 : 2]);
    case IR_CALL:
        return call(f, ir).t;
    default:
        abort(); // no other has such a value
    }
}

// ---- conditions -------------------------------------------------------------------------------------------

// Evaluates all kids but the last; false: one of them was `stop`.
static inline bool all_but_last(Frame *f, const Ir *ir, bool stop)
{
    for (int i = 0; i < ir->kid_count - 1; i++)
        if (test(f, ir->kid[i]) == stop)
            return false;
    return true;
}

// The last operand is evaluated by the loop, not by recursion, so long chains need no stack.
static bool test(Frame *f, const Ir *ir)
{
    for (;;) {
        switch ((IrOp)ir->op) {
        case IR_TRUE:
            return true;
        case IR_FALSE:
            return false;
        case IR_LOCAL:
            return f->local[ir->number].i != 0;
        case IR_SLOT:
            return f->c->slot[ir->number].i != 0;
#define VALUES_i(...)
#define VALUES_s(...)
#define VALUES_b(...) __VA_ARGS__
#include "interp_values.def"
        case IR_AND:
            if (!all_but_last(f, ir, false))
                return false;
            if (ir->kid_count == 0)
                return true;
            ir = ir->kid[ir->kid_count - 1];
            break;
        case IR_OR:
            if (!all_but_last(f, ir, true))
                return true;
            if (ir->kid_count == 0)
                return false;
            ir = ir->kid[ir->kid_count - 1];
            break;
        case IR_CHOOSE:
        case IR_IF:
            ir = ir->kid[test(f, ir->kid[0]) ? 1 : 2];
            break;
        case IR_LET:
            f->local[ir->number] = cell(f, ir->kid[0]);
            return true;
        case IR_STORE: {
            const Slot value = cell(f, ir->kid[0]);
            f->c->slot[ir->number] = value;
            return true;
        }
        case IR_ALWAYS:
            test(f, ir->kid[0]);
            return true;
        case IR_EACH_SQUARE:
            return each_square(f, ir);
        case IR_EACH_POSITION:
            return each_position(f, ir);
        case IR_EACH_COMPARED:
            return each_compared(f, ir);
        case IR_EACH_ANCESTOR:
            return each_ancestor(f, ir);
        case IR_EACH_CHILD:
            return each_child(f, ir);
        case IR_WHILE:
            repeat(f, ir);
            return true;
        case IR_AT:
            return at(f, ir);
        case IR_INVOKE:
            return invoke(f, ir);
        case IR_CALL:
            return call(f, ir).i != 0;
        case IR_RAISE:
            if (ir->low >= 0)
                f->c->rt->raise(f->c, ir->number, f->q->text[ir->low]);
            else
                abandon(f->c, ir->number);
            return false;
        case IR_PLACE:
            ir = ir->kid[0];
            break;
        default:
            abort(); // no other has such a value
        }
    }
}

// ---- the matcher ------------------------------------------------------------------------------------------

static int32_t interp_tag_atom(Context *c, int32_t atom)
{
    const InterpQuery *q = c->query->implementation;
    Frame frame = {.c = c, .q = q, .n = -1, .depth = c->depth};
    return enter(&frame, q->module->function[q->module->tag_atom[atom]]);
}

static int32_t interp_remembered(Context *c, int32_t condition, int32_t n)
{
    const InterpQuery *q = c->query->implementation;
    Frame frame = {.c = c, .q = q, .n = n, .p = c->position[n], .depth = c->depth};
    return enter(&frame, q->module->function[q->module->remembered[condition]]);
}

static void interp_match_game(Context *c)
{
    const InterpQuery *q = c->query->implementation;
    Frame frame = {.c = c, .q = q, .depth = c->depth};
    for (int32_t n = 0; n < c->game->count; n++) {
        frame.n = c->at = n;
        frame.p = c->position[n];
        if (!enter(&frame, q->module->function[0]))
            continue;
        c->hit[c->hit_count++] = n;
        if (c->show)
            c->rt->show(c);
    }
}

static int32_t interp_show(Context *c, int32_t n, const Position *p, int32_t depth)
{
    const InterpQuery *q = c->query->implementation;
    Frame frame = {.c = c, .q = q, .n = n, .p = p, .depth = depth};
    return enter(&frame, q->module->function[q->module->show_function]);
}

static InterpQuery *query_new(Arena *a, const Module *m)
{
    InterpQuery *q = arena_alloc(a, sizeof *q);
    q->module = m;
    q->text = arena_alloc(a, sizeof *q->text * (size_t)m->text_count + 1);
    for (int i = 0; i < m->text_count; i++) {
        CqlString *text = arena_alloc(a, sizeof *text + m->text[i].length);
        text->length = m->text[i].length;
        memcpy(text->bytes, m->text[i].bytes, m->text[i].length);
        q->text[i] = text;
    }
    return q;
}

typedef struct InterpMatcher {
    Matcher matcher; // first: interp_free gets its address
    Arena *arena;
} InterpMatcher;

const Matcher *interp_new(Module *const *module, int count)
{
    Arena *a = arena_new();
    InterpMatcher *im = arena_alloc(a, sizeof *im);
    QueryInfo *query = arena_alloc(a, sizeof *query * (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        query[i] = module[i]->info;
        query[i].tag_atom = interp_tag_atom;
        query[i].remembered = interp_remembered;
        query[i].match_game = interp_match_game;
        query[i].show = module[i]->show_function > 0 ? interp_show : NULL;
        query[i].implementation = query_new(a, module[i]);
    }
    im->arena = a;
    im->matcher =
        (Matcher){CQL_MAGIC, CQL_ABI_VERSION, (uint32_t)count, query, "cqlgen, interpreter", CQL_LAYOUT};
    return &im->matcher;
}

void interp_free(const Matcher *matcher)
{
    if (matcher != NULL)
        arena_free(((const InterpMatcher *)matcher)->arena);
}
