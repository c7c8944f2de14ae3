#include "random_ir.h"

#include <string.h>

#include "ir_maker.h"

static void add_locals(IrFunction *f)
{
    static const IrType type[LOCALS] = {IRT_INT,    IRT_INT,    IRT_POSITION, IRT_SET, IRT_SET, IRT_SET,
                                        IRT_STRING, IRT_STRING, IRT_STRING,   IRT_INT, IRT_INT, IRT_POSITION,
                                        IRT_INT,    IRT_INT,    IRT_STRING,   IRT_INT};
    for (int i = 0; i < LOCALS; i++)
        ir_new_local(f, type[i]);
}

// Every local of the function has a value where it is read, every text cell a text.
static Ir *prologue(Maker *k)
{
    Ir *ir = ir_new(k->a, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < LOCALS; i++) {
        Ir *value = k->f->local[i] == IRT_STRING     ? text(k, 0)
                    : k->f->local[i] == IRT_POSITION ? ir_current(k->a)
                    : k->f->local[i] == IRT_SET      ? random_board(k)
                                                     : ir_int(k->a, i == NO_PIECE ? -1 : 0);
        ir_add_kid(ir, ir_let(i, value));
        if (i >= 6 && i < 9)
            ir_add_kid(ir, ir_store(i, ir_copy(value)));
    }
    return ir;
}

// Texts that show the numbers and sets in cells and locals.
static Ir *epilogue(const Maker *k)
{
    Ir *ir = ir_new(k->a, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < 6; i++) {
        if (i == 2)
            continue;
        Ir *value[2] = {ir_local(k->f, i), ir_read_slot(k->m, i)};
        for (int j = 0; j < 2; j++) {
            Ir *shown = ir_call(k->a, i < 3 ? IR_CALL_text_int : IR_CALL_text_set, 1, value[j]);
            ir_add_kid(ir, ir_call(k->a, IR_CALL_log_add, 2, ir_current(k->a), shown));
        }
    }
    return ir;
}

// The recursive function ends when its limit is 0.
static Ir *recursion(const Maker *k)
{
    Ir *less = ir_shift_right(ir_read_slot(k->m, LIMIT), 4);
    Ir *more = again(k, less, ir_set_not(ir_read_slot(k->m, GIVEN)));
    Ir *go_on = ir_with_int(IR_NE, ir_read_slot(k->m, LIMIT), 0);
    Ir *note = ir_store(4, ir_read_slot(k->m, GIVEN));
    return ir_if(go_on, ir_and(note, more), ir_any(ir_read_slot(k->m, GIVEN)));
}

// Cells that it sets before it reads them.
static Ir *search(Maker *k)
{
    Ir *given = ir_store(SEARCHED, ir_count(random_board(k)));
    Ir *found = ir_store(FOUND, set_of_call(k, 2));
    Ir *enough = ir_with_int(IR_GE, ir_read_slot(k->m, SEARCHED), (int)random_below(k, 8));
    return ir_all(6, prologue(k), given, enough, found, ir_any(ir_read_slot(k->m, FOUND)),
                  pure_condition(k, 3));
}

// A large condition with effects, or a small tree whose value shows.
static Ir *whole_body(Maker *k)
{
    const int depth = 1 + (int)random_below(k, 3);
    Ir *shown;
    switch (random_below(k, 13)) {
    case 0:
        return pure_condition(k, depth);
    case 1:
        shown = ir_call(k->a, IR_CALL_text_set, 1, set(k, depth));
        return ir_call(k->a, IR_CALL_log_add, 2, ir_current(k->a), shown);
    case 2:
        shown = ir_call(k->a, IR_CALL_text_int, 1, number(k, depth));
        return ir_call(k->a, IR_CALL_log_add, 2, ir_current(k->a), shown);
    case 3:
        return condition(k, depth);
    case 4:
        return variants(k);
    case 5:
        return loop(k, depth + 1);
    case 6:
    case 7:
        return facts(k);
    default:
        return condition(k, DEPTH);
    }
}

static void add_functions(Maker *k)
{
    IrFunction *body = ir_new_function(k->m, "body", NULL), *recursive = ir_new_function(k->m, "again", NULL);
    IrFunction *searches = ir_new_function(k->m, "search", NULL);
    recursive->body = recursion(k);
    add_locals(body);
    add_locals(searches);
    k->square = SQUARE;
    k->piece = NO_PIECE;
    k->place = PLACE;
    k->f = searches;
    searches->body = search(k);
    memset(k->seen_count, 0, sizeof k->seen_count);
    k->f = body;
    k->may_search = k->may_flag = true;
    const bool shows = random_below(k, 2);
    Ir *all = whole_body(k);
    if (shows)
        all = ir_if(all, epilogue(k), ir_and(epilogue(k), ir_bool(k->a, random_below(k, 2))));
    Ir *test = random_below(k, 3) == 0 ? of_tags(k) : NULL;
    if (test != NULL && random_below(k, 3) == 0)
        test = ir_or(test, ir_and(of_tags(k), of_tags(k)));
    body->body = ir_all(3, test, prologue(k), all);
}

static void add_slots(Module *m)
{
    static const IrType type[SLOTS] = {IRT_INT,    IRT_INT,    IRT_INT, IRT_SET, IRT_SET, IRT_SET, IRT_STRING,
                                       IRT_STRING, IRT_STRING, IRT_INT, IRT_SET, IRT_INT, IRT_SET, IRT_INT};
    for (int i = 0; i < SLOTS; i++)
        ir_new_slot(m, type[i], "cell");
    m->slot_of_search = arena_alloc(m->arena, SLOTS * sizeof *m->slot_of_search);
    memset(m->slot_of_search, 0, SLOTS * sizeof *m->slot_of_search);
    m->slot_of_search[SEARCHED] = m->slot_of_search[FOUND] = true;
}

Module *random_module(uint64_t seed)
{
    static const Source source = {"random",
                                  "\"*/ int main( \\\n?"
                                  "?/ \xe2\x99\x94 R\xe2\x86\x92k \x01\nlast \\",
                                  34, NULL};
    Arena *a = arena_new();
    Maker k = {.m = arena_alloc(a, sizeof *k.m), .a = a, .state = seed * 0x9E3779B97F4A7C15ULL + 1};
    k.m->arena = a;
    k.m->source = &source;
    k.m->info.name = "random";
    k.m->info.source = source.text;
    k.m->info.flags = QUERY_VARIATIONS;
    add_slots(k.m);
    ir_text(k.m, "", 0);
    ir_text(k.m, "12", 2);
    ir_text(k.m,
            "\"; } */ \\ \xff\x01"
            "7?"
            "?/",
            15);
    ir_text(k.m, "-34", 3);
    for (int i = 4; i < 9; i++) // literals with the numbers of the locals that hold texts
        ir_text(k.m, &"x56789"[i - 4], (uint32_t)(10 - i));
    ir_text(k.m, "a", 1);
    ir_text(k.m, "Kasparov", 8);
    add_functions(&k);
    return k.m;
}
