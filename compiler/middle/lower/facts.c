// What the syntax tree says before it is lowered: what evaluating a filter leaves besides its value, how
// variables are used, and the numbers of sort filters and keys.
#include "internal.h"

#include <string.h>

#include "compiler/language/hhdb.h"

// ---- effects ----------------------------------------------------------------------------------------------

CommentLevel facts_level(const Header *h)
{
    if (h->silent && (h->first_is_silent || !h->quiet))
        return LEVEL_SILENT;
    return h->quiet ? LEVEL_QUIET : LEVEL_NORMAL;
}

static bool names_position(const Ast *ast)
{
    for (int i = 0; i < ast->kid_count; i++)
        if (ast->kid[i]->type == TYPE_POSITION || ast->kid[i]->op == OP_DICTIONARY)
            return true;
    return false;
}

static bool node_adds_text(const Ast *node, void *user)
{
    const CommentLevel level = *(const CommentLevel *)user;
    if (level == LEVEL_SILENT)
        return false;
    switch (node->op) {
    case OP_COMMENT:
    case OP_SIMILARPOSITION:
        return true;
    case OP_FIND:
    case OP_ECHO:
    case OP_LINE:
        return level == LEVEL_NORMAL && !(node->flags & AST_QUIET);
    case OP_PATH:
        return (level == LEVEL_NORMAL && !(node->flags & AST_QUIET)) || node->text != NULL ||
               node->kid_left != NULL || (node->flags & (AST_VERBOSE | AST_PIECEPATH)) != 0;
    case OP_MOVE:
        return node->kid_count > 0;
    case OP_STR:
        return names_position(node);
    case OP_MESSAGE:
        return names_position(node) || !(node->flags & AST_QUIET);
    default:
        return false;
    }
}

bool facts_add_text(const Lower *l, const Ast *ast)
{
    CommentLevel level = facts_level(&l->query->header);
    return ast != NULL && ast_contains_kept(ast, KEPT_ADDS_TEXT, node_adds_text, &level);
}

bool facts_kids_add_text(const Lower *l, const Ast *ast, int count)
{
    for (int i = 0; i < count; i++)
        if (facts_add_text(l, ast->kid[i]))
            return true;
    return false;
}

static bool node_has_effects(const Ast *node, void *user)
{
    if (op_info[node->op].effect != EFFECT_MAY_WRITE)
        return op_info[node->op].effect == EFFECT_WRITES;
    switch (node->op) {
    case OP_ASSIGN: // hidden variables are read only by what follows
        return !node->variable->hidden;
    case OP_LINE:
        return (node->flags & AST_NESTBAN) != 0 || node_adds_text(node, user);
    case OP_HHDB:
        return node->range.present; // `hhdb sort`, see number_award_keys
    default:
        return node_adds_text(node, user);
    }
}

bool facts_have_effects(const Ast *ast)
{
    CommentLevel level = LEVEL_NORMAL;
    return ast != NULL && ast_contains_kept(ast, KEPT_HAS_EFFECTS, node_has_effects, &level);
}

bool facts_kids_have_effects(const Ast *ast)
{
    for (int i = 0; i < ast->kid_count; i++)
        if (facts_have_effects(ast->kid[i]))
            return true;
    return false;
}

bool facts_is_loud(const Lower *l, const Ast *ast)
{
    return !(ast->flags & AST_QUIET) && facts_level(&l->query->header) == LEVEL_NORMAL;
}

// ---- variables --------------------------------------------------------------------------------------------

static VariableUse use_by(const Ast *node)
{
    switch (node->op) {
    case OP_ASSIGN:
    case OP_PIECE_ASSIGN:
    case OP_INDEX_ASSIGN:
    case OP_SLICE_ASSIGN:
    case OP_ISBOUND:
    case OP_ISUNBOUND:
    case OP_ASSERT:
        return USE_OTHER;
    case OP_SET_LOOP:
    case OP_DICTIONARY_LOOP:
        return USE_LOOP;
    case OP_UNBIND:
        return USE_UNBOUND;
    case OP_ECHO:
    case OP_CONSECUTIVEMOVES:
    case OP_RELATION_SQUARES:
        return USE_ECHO;
    default:
        return 0;
    }
}

bool facts_keeps_position(const Ast *node)
{
    return node->op == OP_ASSIGN && node->kid[0]->type == TYPE_POSITION && !node->variable->hidden;
}

// loops: by variable, how many loops and echoes that bind it are around. binds: the use is such a loop.
static void note_use(Lower *l, const int *loops, const Variable *v, VariableUse use, bool binds)
{
    if (v == NULL)
        return;
    const bool local = binds ? loops[v->number] == 0 : loops[v->number] > 0;
    l->use[v->number] |= (VariableUse)(use | (local ? 0 : USE_OTHER));
}

// Enters or leaves the body of a loop or echo.
static void around_body(int *loops, const Ast *node, bool echo, int sign)
{
    loops[node->variable->number] += sign;
    if (echo)
        loops[node->variable2->number] += sign;
}

static void find_uses(Lower *l, const Ast *node, int *loops)
{
    const bool loop = node->op == OP_SET_LOOP || node->op == OP_DICTIONARY_LOOP, echo = node->op == OP_ECHO;
    note_use(l, loops, node->variable, use_by(node), loop || echo);
    if (l->imaginary && facts_keeps_position(node)) // it loses positions that vanish
        note_use(l, loops, node->variable, USE_UNBOUND, false);
    if (!loop)
        note_use(l, loops, node->variable2, use_by(node), echo);
    note_use(l, loops, node->range.low.variable, 0, false);
    note_use(l, loops, node->range.high.variable, 0, false);
    Ast **operand;
    for (int i = 0; (operand = ast_operand(node, i)) != NULL; i++) {
        const bool body = (loop || echo) && i == node->kid_count - 1;
        if (body)
            around_body(loops, node, echo, 1);
        find_uses(l, *operand, loops);
        if (body)
            around_body(loops, node, echo, -1);
    }
}

// ---- sort filters and keys --------------------------------------------------------------------------------

static int key_number(Lower *l, const Ast *at, SortKeyInfo wanted)
{
    bool is_new;
    const int number =
        text_map_number(l->arena, &l->sort_key_number, wanted.name, (uint32_t)strlen(wanted.name), &is_new);
    if (is_new) {
        ARENA_PUSH(l->arena, l->sort_key, l->sort_key_count, wanted);
    } else {
        const SortKeyInfo *key = &l->sort_key[number];
        if (key->is_string != wanted.is_string)
            value_error(l, at, "the sort key `%s` has numbers in one place and strings in another",
                        key->name);
        else if (key->is_min != wanted.is_min)
            value_error(l, at, "the sort key `%s` has `min` in one place and not in another", key->name);
    }
    return number;
}

// `hhdb sort` has three quiet keys of its own (9.7.3): category, rank, last rank. Ast.range.present marks it,
// and Ast.range.low and .high are the first key and the first filter number.
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

// In the order of the text: operands by role come before the kids. unnamed: how many unnamed sort filters the
// text has had so far.
static void number_sorts(Lower *l, Ast *node, int *unnamed)
{
    const int unnamed_before = *unnamed;
    Ast *const role[] = {node->kid_left, node->kid_right, node->kid_extra, node->kid_extra2};
    for (int i = 0; i < 4; i++)
        if (role[i] != NULL)
            number_sorts(l, role[i], unnamed);
    for (int i = 0; i < node->kid_count; i++) {
        // The variants of a transform are the same part of the text.
        if (node->op == OP_VARIANTS)
            *unnamed = unnamed_before;
        number_sorts(l, node->kid[i], unnamed);
    }
    if (node->op == OP_HHDB && node->number == HHDB_AWARD && node->high & AWARD_SORT)
        number_award_keys(l, node);
    if (node->op == OP_SIMILARPOSITION && !(node->flags & AST_NOSORT)) {
        // it sorts by the least number of a game of the file (6.15)
        node->low = l->sort_filter_count++;
        node->high = key_number(l, node, (SortKeyInfo){"submission game", 0, 1, 0});
    }
    if (node->op != OP_SORT || node->flags & AST_FIRSTMATCH)
        return;
    SortKeyInfo key = {node->text, node->kid[0]->type == TYPE_STRING, (node->flags & AST_MIN) != 0,
                       (node->flags & AST_QUIET) != 0};
    if (key.name == NULL)
        key.name = arena_printf(l->arena, "<sort-id-%d>", ++*unnamed);
    node->low = l->sort_filter_count++;
    node->high = key_number(l, node, key);
}

void facts_collect(Lower *l)
{
    int *loops = arena_alloc(l->arena, sizeof *loops * (size_t)l->query->variable_count);
    int unnamed = 0;
    find_uses(l, l->query->body, loops);
    number_sorts(l, l->query->body, &unnamed);
}
