// Making, copying, searching and printing trees.
#include "ast.h"

#include <string.h>

Ast *ast_new(Arena *a, Op op, Type type, Span span)
{
    Ast *node = arena_alloc(a, sizeof *node);
    node->op = op;
    node->type = type;
    node->span = span;
    node->height = 1;
    return node;
}

void ast_add_kid(Arena *a, Ast *parent, Ast *kid)
{
    ARENA_PUSH(a, parent->kid, parent->kid_count, kid);
    if (parent->height <= kid->height)
        parent->height = kid->height + 1;
}

void ast_set_operand(Ast *node, Ast **role, Ast *operand)
{
    *role = operand;
    if (operand != NULL && node->height <= operand->height)
        node->height = operand->height + 1;
}

Ast *ast_unwrap(Ast *node)
{
    while (node->op == OP_COMPOUND && node->kid_count == 1)
        node = node->kid[0];
    return node;
}

bool ast_can_be_empty(const Ast *constituent)
{
    if (constituent->op == OP_REPEAT)
        return constituent->low == 0 || ast_can_be_empty(constituent->kid[0]);
    if (constituent->op != OP_GROUP_CHAIN)
        return false;
    for (int i = 0; i < constituent->kid_count; i++)
        if (!ast_can_be_empty(constituent->kid[i]))
            return false;
    return true;
}

// The operands by role, in the order in which they are written out.
enum { ROLES = 4 };
static Ast **role(Ast *node, int i)
{
    Ast **all[ROLES] = {&node->kid_left, &node->kid_right, &node->kid_extra, &node->kid_extra2};
    return all[i];
}

static const Ast *role_const(const Ast *node, int i)
{
    const Ast *all[ROLES] = {node->kid_left, node->kid_right, node->kid_extra, node->kid_extra2};
    return all[i];
}

Ast **ast_operand(const Ast *node, int i)
{
    if (i < node->kid_count)
        return &node->kid[i];
    i -= node->kid_count;
    for (int r = 0; r < ROLES; r++)
        if (role_const(node, r) != NULL && i-- == 0)
            return role((Ast *)node, r);
    return NULL;
}

Ast *ast_copy_node(Arena *a, const Ast *node)
{
    Ast *copy = arena_alloc(a, sizeof *copy);
    *copy = *node;
    copy->kept = 0;
    copy->kid = NULL;
    copy->kid_count = 0;
    for (int i = 0; i < node->kid_count; i++)
        ast_add_kid(a, copy, node->kid[i]);
    return copy;
}

Ast *ast_copy(Arena *a, const Ast *tree)
{
    Ast *copy = ast_copy_node(a, tree), **operand;
    for (int i = 0; (operand = ast_operand(copy, i)) != NULL; i++)
        *operand = ast_copy(a, *operand);
    return copy;
}

bool ast_contains(const Ast *tree, bool (*test)(const Ast *node, void *user), void *user)
{
    Ast **operand;
    bool found = test(tree, user);
    for (int i = 0; !found && (operand = ast_operand(tree, i)) != NULL; i++)
        found = ast_contains(*operand, test, user);
    return found;
}

bool ast_contains_kept(const Ast *tree, unsigned question, bool (*test)(const Ast *node, void *user),
                       void *user)
{
    const unsigned known = question, yes = question << 1;
    if (!(tree->kept & known)) {
        Ast **operand;
        bool found = test(tree, user);
        for (int i = 0; !found && (operand = ast_operand(tree, i)) != NULL; i++)
            found = ast_contains_kept(*operand, question, test, user);
        ((Ast *)tree)->kept |= known | (found ? yes : 0);
    }
    return (tree->kept & yes) != 0;
}

// ---- pieces and variables ---------------------------------------------------------------------------------

const char symbol_letters[BOARD_BLACK + 2] = "_PNBRQKpnbrqkAa";

uint32_t symbol_of(char letter)
{
    const char *at = letter == '\0' ? NULL : strchr(symbol_letters, letter);
    return at == NULL ? 0 : (uint32_t)1 << (at - symbol_letters);
}

uint32_t symbols_exchange_colours(uint32_t symbols)
{
    const uint32_t white = 0x3Fu << WHITE_PAWN, black = 0x3Fu << BLACK_PAWN;
    return (symbols & SYMBOL_EMPTY) | (symbols & white) << 6 | (symbols & black) >> 6 |
           (symbols & SYMBOL_WHITE ? SYMBOL_BLACK : 0) | (symbols & SYMBOL_BLACK ? SYMBOL_WHITE : 0);
}

Type variable_type(const Variable *v)
{
    switch (v->kind) {
    case VARIABLE_INT:
        return TYPE_INT;
    case VARIABLE_SET:
    case VARIABLE_PIECE:
        return TYPE_SET;
    case VARIABLE_STRING:
        return TYPE_STRING;
    case VARIABLE_POSITION:
        return TYPE_POSITION;
    default:
        return TYPE_BOOL;
    }
}

// ---- printing ---------------------------------------------------------------------------------------------

static void print_bound(FILE *out, const Bound *bound)
{
    if (bound->variable != NULL)
        fprintf(out, " %s", bound->variable->name);
    else
        fprintf(out, " %d", bound->value);
}

static void print_quoted(FILE *out, const char *text, uint32_t length)
{
    fputs(" \"", out);
    for (uint32_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < ' ' || text[i] == '"' || text[i] == '\\')
            fprintf(out, "\\x%02x", (unsigned char)text[i]);
        else
            putc(text[i], out);
    }
    putc('"', out);
}

// Squares as in the text of a set (7.12): `e4` or `[a1,h1]`.
static void print_squares(FILE *out, Bitboard squares)
{
    bool one = squares != 0 && (squares & (squares - 1)) == 0;
    fputs(one ? " " : " [", out);
    for (int s = 0, written = 0; s < 64; s++)
        if (squares >> s & 1)
            fprintf(out, "%s%c%c", written++ ? "," : "", 'a' + s % 8, '1' + s / 8);
    if (!one)
        putc(']', out);
}

static void print_symbols(FILE *out, uint32_t pieces)
{
    putc(' ', out);
    for (int i = 0; symbol_letters[i] != '\0'; i++)
        if (pieces >> i & 1)
            putc(symbol_letters[i], out);
}

static void print_flags(FILE *out, unsigned flags)
{
    static const char *const names[] = {
#define FLAG(name, shown, word) shown,
#include "flags.def"
    };
    for (int i = 0; i < AST_FLAGS; i++)
        if (flags >> i & 1)
            fprintf(out, " %s", names[i]);
}

static void print_tree(FILE *out, const Ast *tree, int level, const char *label)
{
    enum { DEEPEST = 60 }; // from here on a number shows the level
    if (level > DEEPEST)
        fprintf(out, "%*s(%d) ", 2 * DEEPEST, "", level);
    else
        fprintf(out, "%*s", 2 * level, "");
    fprintf(out, "%s%s : %s", label, op_info[tree->op].name, type_name(tree->type));
    if (tree->op == OP_DESIGNATOR) {
        print_symbols(out, tree->pieces);
        if (~tree->mask != 0)
            print_squares(out, tree->mask);
    } else if (tree->pieces != 0) {
        print_symbols(out, tree->pieces);
    }
    if (tree->number != 0 || tree->op == OP_NUMBER)
        fprintf(out, " %d", tree->number);
    if (tree->low != 0 || tree->high != 0)
        fprintf(out, " {%d,%d}", tree->low, tree->high);
    if (tree->range.present) {
        fputs(" range", out);
        if (tree->range.all) {
            fputs(" count", out);
        } else {
            print_bound(out, &tree->range.low);
            print_bound(out, &tree->range.high);
        }
    }
    if (tree->text != NULL)
        print_quoted(out, tree->text, tree->text_length);
    if (tree->variable != NULL)
        fprintf(out, " %s", tree->variable->hidden ? "(hidden)" : tree->variable->name);
    if (tree->variable2 != NULL)
        fprintf(out, " %s", tree->variable2->name);
    print_flags(out, tree->flags);
    putc('\n', out);
    static const char *const labels[ROLES] = {"left: ", "right: ", "extra: ", "extra2: "};
    for (int i = 0; i < ROLES; i++)
        if (role_const(tree, i) != NULL)
            print_tree(out, role_const(tree, i), level + 1, labels[i]);
    for (int i = 0; i < tree->kid_count; i++)
        print_tree(out, tree->kid[i], level + 1, "");
}

void ast_print(FILE *out, const Ast *tree)
{
    print_tree(out, tree, 0, "");
}
