// What a tree says, as text: two trees with equal signatures mean the same.
#include "ast.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/account.h"
#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"

// The hidden variables that the tree binds itself: each copy of a tree may have its own.
typedef struct Own {
    const Variable *variable[64];
    int count;
} Own;

static void sign_variable(FILE *out, Own *own, const Ast *node, const Variable *v)
{
    const bool binds = node->op == OP_ASSIGN || node->op == OP_ECHO || node->op == OP_SET_LOOP;
    const int most = (int)(sizeof own->variable / sizeof *own->variable);
    int i = 0;
    if (v == NULL)
        return;
    while (i < own->count && own->variable[i] != v)
        i++;
    if (i == own->count && binds && v->hidden && i < most)
        own->variable[own->count++] = v;
    fprintf(out, i < own->count ? " own %d" : " v%d", i < own->count ? i : v->number);
}

static void sign_tree(FILE *out, Own *own, const Ast *tree);

// In memory of account_new.
static char *text_of(Own own, const Ast *tree)
{
    char *text;
    size_t length;
    FILE *out = memory_stream(&text, &length);
    sign_tree(out, &own, tree);
    fflush(out);
    char *copy = account_new(length + 1, 1);
    memcpy(copy, text, length);
    fclose(out);
    free(text);
    return copy;
}

static bool is_assignment(const Ast *node, void *user)
{
    (void)user;
    return node->op == OP_ASSIGN;
}

static void sign_set(FILE *out, const Own *own, const Ast *tree)
{
    char **copy = account_new((size_t)tree->kid_count, sizeof *copy);
    for (int i = 0; i < tree->kid_count; i++)
        copy[i] = text_of(*own, tree->kid[i]);
    qsort(copy, (size_t)tree->kid_count, sizeof *copy, ascii_compare);
    for (int i = 0; i < tree->kid_count; i++)
        if (i == 0 || strcmp(copy[i - 1], copy[i]) != 0)
            fputs(copy[i], out);
    for (int i = 0; i < tree->kid_count; i++)
        account_free(copy[i]);
    account_free(copy);
}

static void sign_node(FILE *out, Own *own, const Ast *node)
{
    const unsigned unimportant = AST_PAREN | AST_LINKED | (node->op == OP_VARIANTS ? AST_COPIES : 0);
    const int32_t number = node->op == OP_VARIANTS ? 0 : node->number;
    fprintf(out, "%d %d %x %" PRIx64 " %x %d %d %d", node->op, node->type, node->flags & ~unimportant,
            (uint64_t)node->mask, node->pieces, number, node->low, node->high);
    if (node->range.present)
        fprintf(out, " range %d %d %d", node->range.all, node->range.low.value, node->range.high.value);
    if (node->text != NULL)
        fprintf(out, " \"%s\"", node->text);
    sign_variable(out, own, node, node->variable);
    sign_variable(out, own, node, node->variable2);
}

// Own variables are numbered in the order in which they are bound.
static void sign_tree(FILE *out, Own *own, const Ast *tree)
{
    const Ast *const roles[] = {tree->kid_left, tree->kid_right, tree->kid_extra, tree->kid_extra2};
    putc('(', out);
    sign_node(out, own, tree);
    // The operands have no order: copies of a filter, and filters that must all match.
    const bool set =
        tree->op == OP_VARIANTS || (tree->op == OP_COMPOUND && !ast_contains(tree, is_assignment, NULL));
    if (set)
        sign_set(out, own, tree);
    for (int i = 0; i < tree->kid_count && !set; i++)
        sign_tree(out, own, tree->kid[i]);
    for (size_t i = 0; i < sizeof roles / sizeof *roles && !set; i++) {
        putc('|', out);
        if (roles[i] != NULL)
            sign_tree(out, own, roles[i]);
    }
    putc(')', out);
}

const char *ast_signature(Arena *arena, const Ast *tree)
{
    char *text = text_of((Own){.count = 0}, tree);
    const char *copy = arena_copy(arena, text, strlen(text));
    account_free(text);
    return copy;
}
