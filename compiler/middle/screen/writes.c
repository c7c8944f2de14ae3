// Which locals and slots the parts of functions write. A function is looked at once; then each of its parts is a range in the
// list of writes, because passes over deep trees ask at every level.
#include "internal.h"

// A write of a local, of a slot, or (ANY_SLOT) what a called function may write.
enum { ANY_SLOT = -1 };
struct Write {
    bool of_local;
    int number;
};

// Adds the writes of the tree, and notes the range of each part that has some.
static void list_writes(Search *s, const Ir *tree)
{
    const int first = s->write_count, local = ir_written_local(tree);
    if (local >= 0)
        ARENA_PUSH(s->arena, s->write, s->write_count, ((Write){true, local}));
    if (tree->op == IR_STORE || tree->op == IR_INVOKE)
        ARENA_PUSH(s->arena, s->write, s->write_count,
                   ((Write){false, tree->op == IR_STORE ? tree->number : ANY_SLOT}));
    for (int i = 0; i < tree->kid_count; i++)
        list_writes(s, tree->kid[i]);
    if (s->write_count > first)
        node_note_set(&s->range, tree, (uint64_t)first << 32 | (uint32_t)s->write_count);
}

void writes_forget(Frame *f, const Ir *tree)
{
    static const Meaning nothing = {.kind = MEANS_NOTHING};
    Search *s = f->search;
    s->work--;
    if ((f->local.root == NULL && f->slot.root == NULL) ||
        !ir_noted_any(tree, IR_WRITES_LOCAL | IR_WRITES_SLOT | IR_INVOKES))
        return;
    if (node_note(&s->range, f->f->body) == NULL)
        list_writes(s, f->f->body);
    const uint64_t range = *node_note(&s->range, tree);
    const uint64_t known = meanings_known(&f->local);
    for (int i = (int)(range >> 32); i < (int)(uint32_t)range; i++) {
        const Write *w = &s->write[i];
        if (w->of_local && !(known >> (w->number & 63) & 1))
            continue;
        if (w->of_local)
            meanings_set(s->arena, &f->local, w->number, nothing);
        else if (w->number == ANY_SLOT)
            meanings_clear(&f->slot);
        else
            meanings_set(s->arena, &f->slot, w->number, nothing);
    }
    s->work -= (int)((uint32_t)range - (range >> 32)) / 16;
}

// ---- variables of loops -----------------------------------------------------------------------------------

enum { NOT_WRITTEN, BY_ONE_LOOP, IN_ANOTHER_WAY };

static void find_writers(const Ir *tree, unsigned char *writer)
{
    const int local = ir_written_local(tree);
    if (local >= 0)
        writer[local] =
            writer[local] == NOT_WRITTEN && tree->op == IR_EACH_POSITION ? BY_ONE_LOOP : IN_ANOTHER_WAY;
    for (int i = 0; i < tree->kid_count; i++)
        find_writers(tree->kid[i], writer);
}

bool writes_by_loop(Search *s, const IrFunction *f, int local)
{
    const uint64_t *noted = node_note(&s->writers, f->body);
    unsigned char *writer = noted != NULL ? (unsigned char *)(uintptr_t)*noted : NULL;
    if (writer == NULL) {
        writer = arena_alloc(s->arena, (size_t)f->local_count + 1);
        find_writers(f->body, writer);
        node_note_set(&s->writers, f->body, (uintptr_t)writer);
    }
    return writer[local] == BY_ONE_LOOP;
}
