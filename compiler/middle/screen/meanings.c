// What is known of locals and slots: a tree whose nodes never change, so that a copy costs nothing and a change copies
// the way from the root alone.
#include <string.h>

#include "internal.h"

enum { BITS = 3, FAN = 1 << BITS, MOST_LEVELS = 32 / BITS + 1 };

typedef struct MeaningNode {
    const void *kid[FAN]; // MeaningNode, at level 0 Meaning; NULL: nothing is known
    uint64_t known;       // bit n % 64: something is known of such a number below
} MeaningNode;

Meanings meanings_new(int count)
{
    Meanings m = {0};
    while (count > FAN << m.level * BITS)
        m.level++;
    return m;
}

const Meaning *meanings_get(const Meanings *m, int number)
{
    static const Meaning nothing = {.kind = MEANS_NOTHING};
    const void *at = m->root;
    for (int level = m->level; level >= 0 && at != NULL; level--)
        at = ((const MeaningNode *)at)->kid[number >> level * BITS & (FAN - 1)];
    return at != NULL ? at : &nothing;
}

uint64_t meanings_known(const Meanings *m)
{
    return m->root != NULL ? m->root->known : 0;
}

// `number`: one of those below.
static void note_known(MeaningNode *node, int level, int number)
{
    const int first = number & ~(FAN - 1);
    node->known = 0;
    for (int i = 0; i < FAN; i++)
        if (node->kid[i] != NULL)
            node->known |=
                level > 0 ? ((const MeaningNode *)node->kid[i])->known : 1ULL << ((first + i) & 63);
}

void meanings_set(Arena *a, Meanings *m, int number, Meaning meaning)
{
    if (meaning.kind == MEANS_NOTHING && meanings_get(m, number)->kind == MEANS_NOTHING)
        return;
    MeaningNode *path[MOST_LEVELS]; // by level
    const void **at = (const void **)&m->root;
    for (int level = m->level; level >= 0; level--) {
        MeaningNode *copy = arena_alloc(a, sizeof *copy);
        if (*at != NULL)
            *copy = *(const MeaningNode *)*at;
        *at = path[level] = copy;
        at = &copy->kid[number >> level * BITS & (FAN - 1)];
    }
    Meaning *kept = meaning.kind != MEANS_NOTHING ? arena_alloc(a, sizeof *kept) : NULL;
    if (kept != NULL)
        *kept = meaning;
    *at = kept;
    for (int level = 0; level <= m->level; level++)
        note_known(path[level], level, number);
}

void meanings_clear(Meanings *m)
{
    m->root = NULL;
}

// The same, said about the next position, or about a position that has nothing to do with this one; NULL: nothing.
static const Meaning *moved_meaning(Search *s, const Meaning *from, bool to_next, int local)
{
    s->work -= 16; // translates a tree
    Meaning m = *from;
    if (m.kind == MEANS_VALUE && ir_is_constant(m.value))
        return from;
    Ir *value = to_next && m.kind == MEANS_VALUE ? translate_earlier(m.value) : NULL;
    if (value != NULL)
        m.value = value;
    else if (to_next && m.kind == MEANS_POSITION && m.before == HERE)
        m.before = BEFORE;
    else if (!to_next && m.kind == MEANS_POSITION && m.before == HERE)
        m.before = PARTNER;
    else if (!to_next && m.kind == MEANS_LOCAL && m.local == local)
        m = (Meaning){.kind = MEANS_POSITION, .before = HERE};
    else
        return NULL;
    Meaning *kept = arena_alloc(s->arena, sizeof *kept);
    *kept = m;
    return kept;
}

// `first`: the first number below.
static const MeaningNode *moved_node(Search *s, const MeaningNode *from, int level, int first, bool to_next,
                                     int local)
{
    if (from == NULL || s->work < 0)
        return NULL;
    MeaningNode *node = arena_alloc(s->arena, sizeof *node);
    bool empty = true;
    for (int i = 0; i < FAN; i++) {
        if (from->kid[i] != NULL)
            node->kid[i] = level > 0 ? (const void *)moved_node(s, from->kid[i], level - 1,
                                                                first + (i << level * BITS), to_next, local)
                                     : moved_meaning(s, from->kid[i], to_next, local);
        empty = empty && node->kid[i] == NULL;
    }
    note_known(node, level, first);
    return empty ? NULL : node;
}

void meanings_move(Search *s, Meanings *m, bool to_next, int local)
{
    m->root = moved_node(s, m->root, m->level, 0, to_next, local);
}
