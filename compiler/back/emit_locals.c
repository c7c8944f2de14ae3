// Decides where the locals of a function are declared, in the tree of its statements. A local is declared at its first
// assignment if all other uses follow it; otherwise before the first statement that uses it, if that is outside loops;
// otherwise at the top of the function. In the last two cases its initial value is 0.
#include "emit_internal.h"

#include <stdlib.h>

// ---- uses ------------------------------------------------------------------------------------------------

static Code *common_block(Code *a, Code *b)
{
    while (a != b)
        if (a->depth > b->depth)
            a = a->in->code;
        else
            b = b->in->code;
    return a;
}

static void note_use(Emit *e, Statement *s, Variable *v, bool assigns)
{
    if (v->type == NULL)
        return;
    if (v->first == NULL) {
        *e->used_end = v;
        e->used_end = &v->next;
        v->first = s;
        v->home = s->code;
        v->begins_assigned = assigns;
    } else {
        v->begins_assigned &= v->first != s;
        v->home = common_block(v->home, s->code);
    }
}

static void note_mentions(Emit *e, Statement *s, const Mentions *m)
{
    for (; m != NULL; m = m->right) {
        if (m->variable != NULL)
            note_use(e, s, m->variable, false);
        if (m->left != NULL)
            note_mentions(e, s, m->left);
    }
}

static void note_place(Emit *e, Statement *s, int place)
{
    s->place = place;
    if (s->label == 0)
        return;
    Label *label = &e->label[s->label];
    if (s->kind == LABEL)
        label->to = place;
    else if (label->from == 0)
        label->from = place;
}

// Walks in the order of reading. Returns the place of the last statement.
static int read_code(Emit *e, Code *code, int place)
{
    for (Statement *s = code->first; s != NULL; s = s->next) {
        note_place(e, s, ++place);
        if (s->assigned != NULL)
            note_use(e, s, s->assigned, true);
        note_mentions(e, s, s->mentions);
        if (s->body != NULL)
            place = read_code(e, s->body, place);
        if (s->other != NULL)
            place = read_code(e, s->other, place);
    }
    return code->last = place;
}

// ---- declarations ----------------------------------------------------------------------------------------

static int by_place(const void *a, const void *b)
{
    const Label *x = *(const Label *const *)a, *y = *(const Label *const *)b;
    return (x->to > y->to) - (x->to < y->to);
}

// The first place from `place` on that is not yet below a jump. `next` leads from each place to such a one.
static int next_free(int *next, int place)
{
    while (next[place] != place) {
        next[place] = next[next[place]];
        place = next[place];
    }
    return place;
}

// By place: where the shortest jump over it ends; 0: none.
static const int *find_jumps(const Emit *e, int places)
{
    const Label **label = arena_alloc(e->arena, sizeof *label * (size_t)(e->label_count + 1));
    int count = 0, *end = arena_alloc(e->arena, sizeof *end * (size_t)(places + 1));
    int *next = arena_alloc(e->arena, sizeof *next * (size_t)(places + 2));
    for (int i = 1; i < e->label_count; i++)
        if (e->label[i].from != 0 && e->label[i].to > e->label[i].from)
            label[count++] = &e->label[i];
    qsort(label, (size_t)count, sizeof *label, by_place);
    for (int place = 0; place <= places + 1; place++)
        next[place] = place;
    for (int i = 0; i < count; i++)
        for (int place = label[i]->from + 1; (place = next_free(next, place)) < label[i]->to;) {
            end[place] = label[i]->to;
            next[place] = place + 1;
        }
    return end;
}

// Does a jump lead from before the statement to after it, inside the block?
static bool is_jumped_over(const Statement *s, const Code *block, const int *jump)
{
    return jump[s->place] != 0 && jump[s->place] <= block->last;
}

// The statement of the local's home that mentions it first.
static Statement *first_at_home(const Variable *v)
{
    Statement *s = v->first;
    while (s->code != v->home)
        s = s->code->in;
    return s;
}

static void declare(const Emit *e, Variable *v, Code *body, const int *jump)
{
    Statement *s = first_at_home(v);
    if (v->begins_assigned && s == v->first && !is_jumped_over(s, v->home, jump)) {
        const bool is_constant = v->assignments == 1 && !v->has_pointer;
        s->type = is_constant ? arena_printf(e->arena, "const %s", v->type) : v->type;
        return;
    }
    if (v->home->repeats || is_jumped_over(s, v->home, jump))
        s = body->first;
    Variable **end = s->declared_end != NULL ? s->declared_end : &s->declared;
    *end = v;
    s->declared_end = &v->next_declared;
}

void emit_declare_locals(Emit *e, Code *body)
{
    e->used = NULL;
    e->used_end = &e->used;
    const int *jump = find_jumps(e, read_code(e, body, 0));
    for (Variable *v = e->used; v != NULL; v = v->next)
        declare(e, v, body, jump);
}
