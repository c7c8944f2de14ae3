// What the whole tree says before any of it is lowered: how variables are used, and the numbers of sort
// filters and keys.
#include "internal.h"

#include <string.h>

#include "compiler/language/hhdb.h"

enum { ROLES = 4 };

static Ast *role(const Ast *node, int i)
{
    Ast *const all[ROLES] = {node->kid_left, node->kid_right, node->kid_extra, node->kid_extra2};
    return all[i];
}

// ---- variables --------------------------------------------------------------------------------------------

static void note_use(Lower *l, const int *loops, const Variable *v, VariableUse use)
{
    if (v != NULL)
        l->use[v->number] |=
            (VariableUse)(use | (loops[v->number] == 0 && use != USE_LOOP ? USE_OUTSIDE : 0));
}

static VariableUse use_by(const Ast *node)
{
    switch (node->op) {
    case OP_ASSIGN:
    case OP_PIECE_ASSIGN:
    case OP_INDEX_ASSIGN:
    case OP_SLICE_ASSIGN:
        return USE_ASSIGNED;
    case OP_SET_LOOP:
    case OP_DICTIONARY_LOOP:
        return USE_LOOP;
    case OP_UNBIND:
        return USE_UNBOUND;
    case OP_ISBOUND:
    case OP_ISUNBOUND:
    case OP_ASSERT:
        return USE_TESTED;
    case OP_ECHO:
    case OP_CONSECUTIVEMOVES:
        return USE_ECHO;
    default:
        return 0;
    }
}

// loops: by variable, how many loops that bind it are around.
static void find_uses(Lower *l, const Ast *node, int *loops)
{
    const bool loop = node->op == OP_SET_LOOP || node->op == OP_DICTIONARY_LOOP;
    note_use(l, loops, node->variable, use_by(node));
    if (loop && loops[node->variable->number] > 0)
        note_use(l, loops, node->variable, USE_NESTED);
    if (!loop)
        note_use(l, loops, node->variable2, use_by(node));
    note_use(l, loops, node->range.low.variable, 0);
    note_use(l, loops, node->range.high.variable, 0);
    for (int i = 0; i < ROLES; i++)
        if (role(node, i) != NULL)
            find_uses(l, role(node, i), loops);
    for (int i = 0; i < node->kid_count; i++) {
        const bool body = loop && i == node->kid_count - 1;
        if (body)
            loops[node->variable->number]++;
        find_uses(l, node->kid[i], loops);
        if (body)
            loops[node->variable->number]--;
    }
}

// ---- sort filters and keys --------------------------------------------------------------------------------

static int key_number(Lower *l, const Ast *at, SortKeyInfo wanted)
{
    for (int i = 0; i < l->sort_key_count; i++) {
        SortKeyInfo *key = &l->sort_key[i];
        if (strcmp(key->name, wanted.name) != 0)
            continue;
        if (key->is_string != wanted.is_string)
            lower_error(l, at, "the sort key `%s` has numbers in one place and strings in another",
                        key->name);
        else if (key->is_min != wanted.is_min)
            lower_error(l, at, "the sort key `%s` has `min` in one place and not in another", key->name);
        return i;
    }
    ARENA_PUSH(l->arena, l->sort_key, l->sort_key_count, wanted);
    return l->sort_key_count - 1;
}

// `hhdb sort` has three quiet keys of its own (9.7.3): category, rank, last rank. Ast.range.present marks it,
// and Ast.range.low and .high hold the first key and the first filter number.
static void number_award_keys(Lower *l, Ast *node)
{
    static const char *const names[] = {"award category", "award rank", "award last rank"};
    node->range.present = true;
    node->range.high.value = l->sort_filter_count;
    for (int i = 0; i < 3; i++) {
        const int key = key_number(l, node, (SortKeyInfo){names[i], 0, 1, 1});
        if (i == 0)
            node->range.low.value = key;
    }
    l->sort_filter_count += 3;
}

// `similarposition` without nosort sorts by the least number of a game of the file (6.15).
static void number_similar_key(Lower *l, Ast *node)
{
    node->low = l->sort_filter_count++;
    node->high = key_number(l, node, (SortKeyInfo){"submission game", 0, 1, 0});
}

// unnamed: how many unnamed sort filters the text has had so far.
static void number_sorts(Lower *l, Ast *node, int *unnamed)
{
    const int unnamed_before = *unnamed;
    for (int i = 0; i < ROLES; i++)
        if (role(node, i) != NULL)
            number_sorts(l, role(node, i), unnamed);
    for (int i = 0; i < node->kid_count; i++) {
        // The variants of a transform are one stretch of the text.
        if (node->op == OP_VARIANTS)
            *unnamed = unnamed_before;
        number_sorts(l, node->kid[i], unnamed);
    }
    if (node->op == OP_HHDB && node->number == HHDB_AWARD && node->high & AWARD_SORT)
        number_award_keys(l, node);
    if (node->op == OP_SIMILARPOSITION && !(node->flags & AST_NOSORT))
        number_similar_key(l, node);
    if (node->op != OP_SORT)
        return;
    SortKeyInfo key = {node->text, node->kid[0]->type == TYPE_STRING, (node->flags & AST_MIN) != 0,
                       (node->flags & AST_QUIET) != 0};
    if (key.name == NULL)
        key.name = arena_printf(l->arena, "<sort-id-%d>", ++*unnamed);
    node->low = l->sort_filter_count++;
    node->high = key_number(l, node, key);
}

void collect_facts(Lower *l)
{
    int *loops = arena_alloc(l->arena, sizeof *loops * ((size_t)l->query->variable_count + 1));
    int unnamed = 0;
    find_uses(l, l->query->body, loops);
    number_sorts(l, l->query->body, &unnamed);
}
