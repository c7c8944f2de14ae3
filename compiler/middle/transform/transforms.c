// Replaces every transform by the list of its distinct variants (language reference 8).
//
// The pass works from the inside out. A transform first makes the list of images of its operand, in the order
// of its maps; a transform directly around it (8.9) maps the whole list again. During the pass, the kids of a
// VARIANTS node are in list order, because the first map in the list names a merged variant. kid_left has the
// same variants in the order of evaluation, because lists are compared in that order. The last step keeps
// only the latter.
#include "transforms.h"
#include "maps.h"
#include "runtime/chess/chess.h"
#include "runtime/game/view.h"
#include "runtime/value/account.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_VARIANTS = 100000 };
enum { MAX_COPIES = 1000000 }; // of filters, in all variants of a query together

typedef struct Transformer {
    Arena *arena;
    Diagnostics *diagnostics;
    bool cqli;
    const Ast *transform; // its variants are being made
    int copies;           // filters copied for all variants so far
} Transformer;

// ---- walking in the order of evaluation (8.8) ------------------------------------------------------------

enum { MOST_ROLES = 4 };

// The operands by role; in the order of the text where the language leaves the order free.
static int roles_in_order(const Ast *node, const Ast *out[MOST_ROLES])
{
    const bool free_order = node->op == OP_MOVE || node->op == OP_PIN || node->op == OP_PATH;
    Ast **operand;
    int count = 0;
    for (int i = node->kid_count; (operand = ast_operand(node, i)) != NULL; i++) {
        int at = count++;
        for (; free_order && at > 0 && out[at - 1]->span.start > (*operand)->span.start; at--)
            out[at] = out[at - 1];
        out[at] = *operand;
    }
    return count;
}

// The i-th kid in the order of evaluation.
static const Ast *kid_in_order(const Ast *node, int i)
{
    switch (node->op) {
    case OP_ARROW:
        return node->kid[node->flags & AST_LEFT_CHAIN ? node->kid_count - 1 - i : i];
    case OP_ATTACKED_BY:
    case OP_SET_LOOP: // the body before the set
        return node->kid[node->kid_count - 1 - i];
    case OP_CALL: // the body before the arguments
        return node->kid[i == 0 ? node->kid_count - 1 : i - 1];
    default:
        return node->kid[i];
    }
}

// ---- comparison (8.6, 8.8) -------------------------------------------------------------------------------

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

// Compares sorted lists of as many small numbers, given as bit sets.
static int compare_lists(unsigned a, unsigned b)
{
    if (a == b)
        return 0;
    // The lists agree below the first element that only one of them has. The other one has a greater element there.
    const unsigned lowest = (a ^ b) & -(a ^ b);
    return a & lowest ? -1 : 1;
}

// Compares the lists of the indexes of `values` whose bits are set.
static int compare_bits(unsigned a, unsigned b, const uint8_t *values, int count)
{
    unsigned list_a = 0, list_b = 0;
    for (int i = 0; i < count; i++) {
        list_a |= (a >> values[i] & 1) << i;
        list_b |= (b >> values[i] & 1) << i;
    }
    return compare_lists(list_a, list_b);
}

static int compare_pieces(uint32_t a, uint32_t b)
{
    static const uint8_t sorted[] = {WHITE_KING,   WHITE_QUEEN,  WHITE_ROOK, WHITE_BISHOP, WHITE_KNIGHT,
                                     WHITE_PAWN,   EMPTY,        BLACK_KING, BLACK_QUEEN,  BLACK_ROOK,
                                     BLACK_BISHOP, BLACK_KNIGHT, BLACK_PAWN};
    int first = order((a & SYMBOL_WHITE) != 0, (b & SYMBOL_WHITE) != 0);
    if (first == 0)
        first = order((a & SYMBOL_BLACK) != 0, (b & SYMBOL_BLACK) != 0);
    return first != 0 ? first : compare_bits(a, b, sorted, (int)sizeof sorted);
}

// Directions by file, then by rank.
static int compare_directions(unsigned a, unsigned b)
{
    static const uint8_t sorted[] = {SOUTH_WEST, WEST,       NORTH_WEST, SOUTH,
                                     NORTH,      SOUTH_EAST, EAST,       NORTH_EAST};
    return compare_bits(a, b, sorted, (int)sizeof sorted);
}

// Pairs that transforms exchange. The first of a pair is less than the second.
static const Op opposites[][2] = {{OP_DARK, OP_LIGHT}, {OP_WTM, OP_BTM}, {OP_WHITE, OP_BLACK}};

static Op opposite(Op op)
{
    for (size_t i = 0; i < sizeof opposites / sizeof *opposites; i++)
        for (int k = 0; k < 2; k++)
            if (opposites[i][k] == op)
                return opposites[i][!k];
    return op;
}

static bool precedes_opposite(Op op)
{
    for (size_t i = 0; i < sizeof opposites / sizeof *opposites; i++)
        if (opposites[i][0] == op)
            return true;
    return false;
}

static bool is_colour_tag(const Ast *node)
{
    return node->text != NULL && (strcmp(node->text, "White") == 0 || strcmp(node->text, "Black") == 0);
}

// Compares two images of the same node without their operands.
static int compare_element(const Ast *a, const Ast *b)
{
    switch (a->op) {
    case OP_DESIGNATOR:
        return a->mask != b->mask ? order(a->mask, b->mask) : compare_pieces(a->pieces, b->pieces);
    case OP_UP:
    case OP_RAY:
    case OP_RAY_PAIRS:
        return compare_directions((unsigned)a->number, (unsigned)b->number);
    case OP_ELO:
    case OP_EVAL:
        return order((a->flags & AST_BLACK) != 0, (b->flags & AST_BLACK) != 0);
    case OP_PLAYER:
        return order((a->flags & AST_WHITE) != 0, (b->flags & AST_WHITE) != 0);
    case OP_RESULT:
    case OP_EXACTFEN: // its castling rights
        return order((uint64_t)a->number, (uint64_t)b->number); // RESULT_WHITE < RESULT_BLACK
    case OP_TAG:
        return is_colour_tag(a) ? strcmp(a->text, b->text) : 0;
    default:
        return order(precedes_opposite(b->op), precedes_opposite(a->op));
    }
}

static int compare(const Ast *a, const Ast *b);

// Only lists of variants differ in length.
static int compare_kids(const Ast *a, const Ast *b)
{
    int first = 0;
    for (int i = 0; i < a->kid_count && i < b->kid_count && first == 0; i++)
        first = compare(kid_in_order(a, i), kid_in_order(b, i));
    return first != 0 ? first : (a->kid_count > b->kid_count) - (a->kid_count < b->kid_count);
}

static int compare_roles(const Ast *a, const Ast *b)
{
    const Ast *of_a[MOST_ROLES], *of_b[MOST_ROLES];
    const int count = roles_in_order(a, of_a);
    roles_in_order(b, of_b);
    int first = 0;
    for (int i = 0; i < count && first == 0; i++)
        first = compare(of_a[i], of_b[i]);
    return first;
}

static int compare(const Ast *a, const Ast *b)
{
    if (a == b || a->op == OP_NOTRANSFORM)
        return 0;
    if (a->op == OP_VARIANTS)
        return compare_kids(a->kid_left, b->kid_left);
    const bool kids_first = a->op == OP_SLICE; // the string, then its bounds
    int first = compare_element(a, b);
    if (first == 0)
        first = kids_first ? compare_kids(a, b) : compare_roles(a, b);
    if (first == 0)
        first = kids_first ? compare_roles(a, b) : compare_kids(a, b);
    return first;
}

// ---- lists of variants -----------------------------------------------------------------------------------

typedef struct Variant {
    Ast *tree;
    int index; // in list order
} Variant;

static int compare_by_form(const void *a, const void *b)
{
    const Variant *x = a, *y = b;
    const int first = compare(x->tree, y->tree);
    return first != 0 ? first : x->index - y->index;
}

static int compare_by_index(const void *a, const void *b)
{
    return ((const Variant *)a)->index - ((const Variant *)b)->index;
}

static Ast *list_node(Transformer *t, const Ast *like, const Variant *variant, int count)
{
    Ast *list = ast_new(t->arena, OP_VARIANTS, like->type, like->span);
    for (int i = 0; i < count; i++)
        ast_add_kid(t->arena, list, variant[i].tree);
    return list;
}

// In CQL 5, equal copies count separately (11.6): its transforms have `low` set.
static bool counts_copies(const Ast *node)
{
    return node->low != 0 && node->range.present;
}

// Merges equal variants into the first in the list, unless they count separately. The node gets its type,
// span and range from `like`.
static Ast *make_variants(Transformer *t, const Ast *like, Variant *variant, int count)
{
    if (count > 1)
        qsort(variant, (size_t)count, sizeof *variant, compare_by_form);
    const bool merge = !counts_copies(like);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept == 0 || !merge || compare(variant[kept - 1].tree, variant[i].tree) != 0)
            variant[kept++] = variant[i];
    }
    Ast *sorted = list_node(t, like, variant, kept);
    if (kept > 1)
        qsort(variant, (size_t)kept, sizeof *variant, compare_by_index);
    Ast *node = list_node(t, like, variant, kept);
    node->kid_left = sorted;
    node->range = like->range;
    node->low = like->low;
    return node;
}

// ---- images (8.4, 8.5) -----------------------------------------------------------------------------------

static Ast *image(Transformer *t, const Map *m, const Ast *node);

// The images of the kids, without those that vanish, and the indexes of the kids; malloc'd.
static Variant *images_of_kids(Transformer *t, const Map *m, const Ast *node, int *count)
{
    Variant *variant = account_new((size_t)(node->kid_count + 1), sizeof *variant);
    *count = 0;
    for (int i = 0; i < node->kid_count; i++) {
        Ast *tree = image(t, m, node->kid[i]);
        if (tree != NULL)
            variant[(*count)++] = (Variant){tree, i};
    }
    return variant;
}

// The image of the copies that the parser of CQL 3 made (12.6). They may differ in form, so they keep their
// order and are not merged. Only the parser may drop single copies.
static Ast *image_of_copies(Transformer *t, const Map *m, const Ast *node)
{
    int count;
    Variant *variant = images_of_kids(t, m, node, &count);
    if (count > 0 && count < node->kid_count)
        diag_add(t->diagnostics, DIAG_ERROR, node->span,
                 "this shift would drop some copies of the list, but not all");
    Ast *result = count > 0 ? list_node(t, node, variant, count) : NULL;
    if (result != NULL) {
        result->kid_left = list_node(t, node, variant, count);
        result->flags |= AST_COPIES;
        result->range = node->range;
        result->number = node->number;
    }
    account_free(variant);
    return result;
}

static Ast *image_of_variants(Transformer *t, const Map *m, const Ast *node)
{
    if (node->kid_left == NULL || node->flags & AST_COPIES)
        return image_of_copies(t, m, node);
    int count;
    Variant *variant = images_of_kids(t, m, node, &count);
    Ast *result = count > 0 ? make_variants(t, node, variant, count) : NULL;
    account_free(variant);
    return result;
}

static void map_colours(Ast *node)
{
    const unsigned both = AST_WHITE | AST_BLACK;
    switch (node->op) {
    case OP_WTM:
    case OP_BTM:
    case OP_WHITE:
    case OP_BLACK:
        node->op = opposite(node->op);
        break;
    case OP_ELO:
    case OP_PLAYER:
        if (node->flags & both)
            node->flags ^= both;
        break;
    case OP_EVAL:
        node->flags ^= AST_BLACK;
        break;
    case OP_TAG:
        if (is_colour_tag(node))
            node->text = node->text[0] == 'W' ? "Black" : "White"; // both have 5 bytes
        break;
    case OP_RESULT:
        if (node->number == RESULT_WHITE || node->number == RESULT_BLACK)
            node->number = RESULT_WHITE + RESULT_BLACK - node->number;
        break;
    case OP_EXACTFEN:
        node->number = (node->number >> 2 | node->number << 2) & 15;
        break;
    default:
        break;
    }
}

// Maps the node without its operands. False: it vanishes.
static bool map_element(Transformer *t, const Map *m, Ast *node)
{
    bool undefined = false;
    switch (node->op) {
    case OP_DESIGNATOR:
        node->mask = map_mask(m, node->mask, &undefined);
        node->pieces = map_pieces(m, node->pieces);
        break;
    case OP_UP:
    case OP_RAY:
    case OP_RAY_PAIRS:
        node->number = map_directions(m, (DirectionSet)node->number);
        break;
    case OP_LIGHT:
    case OP_DARK:
        undefined = m->turns != 0;
        if (map_exchanges_light(m))
            node->op = opposite(node->op);
        break;
    case OP_CURRENTTRANSFORM:
        if (node->text == NULL)
            node->text = map_name(t->arena, m);
        else if (!map_is_identity(m))
            node->text =
                arena_printf(t->arena, "%s%s%s", map_name(t->arena, m), node->text[0] ? " " : "", node->text);
        break;
    case OP_EXACTFEN: // only an exchange of colours has images of castling rights
        if (!m->colours && node->number != 0 && !map_is_identity(m))
            return false;
        break;
    default:
        break;
    }
    if (undefined && !t->cqli) // in CQLi, an eighth of a turn leaves squares where they are (13.16)
        diag_add(t->diagnostics, DIAG_ERROR, node->span,
                 "`rotate45` cannot turn particular squares: only designators without squares, directions "
                 "and rays");
    if (m->colours)
        map_colours(node);
    return node->op != OP_DESIGNATOR || node->mask != 0;
}

// Promotion types are not transformed, because their colour does not matter (4.9).
static bool is_promotion(const Ast *node, Ast *const *operand)
{
    return operand == &node->kid_extra && (node->op == OP_DASH || node->op == OP_PATH_DASH) &&
           node->kid_extra->op == OP_DESIGNATOR;
}

// Nested transforms multiply; the limit keeps memory bounded.
static bool may_copy(Transformer *t, int filters)
{
    if (t->copies > MAX_COPIES)
        return false;
    t->copies += filters;
    if (t->copies > MAX_COPIES)
        diag_add(t->diagnostics, DIAG_ERROR, t->transform->span,
                 "too many variants: with this transform, all copies together have more than %d filters",
                 MAX_COPIES);
    return t->copies <= MAX_COPIES;
}

static int filters_in(const Ast *node)
{
    Ast **operand;
    int count = 1;
    for (int i = 0; (operand = ast_operand(node, i)) != NULL; i++)
        count += filters_in(*operand);
    return count;
}

// The image of a tree, or NULL when one of its designators vanishes or an error has been reported.
static Ast *image(Transformer *t, const Map *m, const Ast *node)
{
    if (node->op == OP_NOTRANSFORM)
        return may_copy(t, filters_in(node)) ? ast_copy(t->arena, node) : NULL;
    if (node->op == OP_VARIANTS)
        return image_of_variants(t, m, node);
    if (!may_copy(t, 1))
        return NULL;
    Ast *copy = ast_copy_node(t->arena, node), **operand;
    if (!map_element(t, m, copy))
        return NULL;
    for (int i = 0; (operand = ast_operand(copy, i)) != NULL; i++) {
        *operand = is_promotion(copy, operand) ? ast_copy(t->arena, *operand) : image(t, m, *operand);
        if (*operand == NULL)
            return NULL;
    }
    return copy;
}

// ---- expansion -------------------------------------------------------------------------------------------

static Ast *expand(Transformer *t, Ast *node);

// Transforms inside the operand have one of their own.
static void check_operand(Transformer *t, const Ast *node)
{
    if (node->op == OP_NOTRANSFORM || op_is_transform(node->op))
        return;
    if (node->op == OP_SIMILARPOSITION)
        diag_add(t->diagnostics, DIAG_ERROR, node->span,
                 "`similarposition` is not allowed under a transform");
    Ast **operand;
    for (int i = 0; (operand = ast_operand(node, i)) != NULL; i++)
        check_operand(t, *operand);
}

// Names the image of an operand that may itself be a variant.
static const char *note_of(Transformer *t, const Map *m, const char *inner)
{
    const char *note = map_note(t->arena, m);
    if (inner == NULL || inner == map_identity_note)
        return note;
    return note == map_identity_note ? inner : arena_printf(t->arena, "%s, %s", inner, note);
}

// The variants of one transform over a list of operands. The result gets its type and range from `like`.
static Ast *map_operands(Transformer *t, const Ast *transform, const Ast *like, Ast *const *operand,
                         int operand_count)
{
    // In CQL 5, the list of `flip` begins with the identity twice.
    const bool identity_twice = counts_copies(transform) && transform->op == OP_FLIP;
    const MapList maps = map_list(t->arena, transform->op, identity_twice);
    if ((int64_t)maps.count * operand_count > MAX_VARIANTS) {
        diag_add(t->diagnostics, DIAG_ERROR, transform->span, "more than %d variants", MAX_VARIANTS);
        return make_variants(t, like, NULL, 0);
    }
    const int errors = t->diagnostics->errors;
    t->transform = transform;
    Variant *variant = account_new((size_t)(maps.count * operand_count + 1), sizeof *variant);
    int count = 0;
    for (int m = 0; m < maps.count && t->diagnostics->errors == errors; m++) {
        for (int i = 0; i < operand_count; i++) {
            Ast *tree = image(t, &maps.map[m], operand[i]);
            if (tree == NULL)
                continue;
            tree->variant = note_of(t, &maps.map[m], operand[i]->variant);
            variant[count] = (Variant){tree, count};
            count++;
        }
    }
    Ast *result = make_variants(t, like, variant, count);
    account_free(variant);
    return result;
}

static Ast *expand_transform(Transformer *t, Ast *node)
{
    Ast *operand = ast_unwrap(node->kid[0]);
    if (!node->range.present && op_is_transform(operand->op) && !counts_copies(operand)) {
        // Both are one transform with the inner maps first, the inner range and the outer type.
        Ast *inner = expand_transform(t, operand);
        Ast *list = map_operands(t, node, inner, inner->kid, inner->kid_count);
        list->type = node->type;
        return list;
    }
    check_operand(t, node->kid[0]);
    operand = expand(t, node->kid[0]);
    return map_operands(t, node, node, &operand, 1);
}

// Replaces the transforms of a tree in place, innermost first.
static Ast *expand(Transformer *t, Ast *node)
{
    if (op_is_transform(node->op))
        return expand_transform(t, node);
    Ast **operand;
    for (int i = 0; (operand = ast_operand(node, i)) != NULL; i++)
        *operand = expand(t, *operand);
    return node;
}

// ---- the last step ---------------------------------------------------------------------------------------

static void finish_name(Transformer *t, Ast *node)
{
    node->op = OP_STRING;
    node->text = arena_printf(t->arena, "<%s>", node->text != NULL ? node->text : "");
    node->text_length = (uint32_t)strlen(node->text);
}

// Sets AST_LINKED in the `move` filters that a forward line ties to its next move (5.13), and clears it in
// all others.
static void link_moves(Ast *node, bool linked)
{
    bool inside = linked, inside_roles = linked;
    switch (node->op) {
    case OP_DASH: // left and right are evaluated at the position of the line
        inside = false;
        break;
    case OP_LINE:
        inside = !(node->flags & AST_BACKWARD);
        break;
    case OP_FIND:
    case OP_ECHO:
    case OP_AT:
    case OP_PATH:
        inside = inside_roles = false;
        break;
    case OP_IMAGINE: // evaluated at another position, as are the targets of speculative moves
        inside = false;
        break;
    case OP_SPECULATIVE:
        link_moves(node->kid[0], linked);
        link_moves(node->kid[1], false);
        return;
    case OP_MOVE: {
        const bool of_game = !(node->flags & (AST_PREVIOUS | AST_LEGAL | AST_PSEUDOLEGAL | AST_BACKWARD));
        node->flags &= ~(unsigned)AST_LINKED;
        if (of_game && linked)
            node->flags |= AST_LINKED;
        inside = inside_roles = linked && !of_game && !(node->flags & (AST_PREVIOUS | AST_BACKWARD));
        break;
    }
    default:
        break;
    }
    Ast **operand;
    for (int i = 0; (operand = ast_operand(node, i)) != NULL; i++)
        link_moves(*operand, i < node->kid_count ? inside : inside_roles);
}

static Ast *finish(Transformer *t, Ast *node)
{
    while (node->op == OP_NOTRANSFORM)
        node = node->kid[0];
    if (node->op == OP_CURRENTTRANSFORM)
        finish_name(t, node);
    if (node->op == OP_VARIANTS) {
        if (node->kid_left != NULL) // NULL in lists that a parser made
            node->kid = node->kid_left->kid;
        node->kid_left = NULL;
        if (node->kid_count == 1 && !node->range.present && node->kid[0]->type == node->type)
            return finish(t, node->kid[0]);
    }
    Ast **operand;
    for (int i = 0; (operand = ast_operand(node, i)) != NULL; i++)
        *operand = finish(t, *operand);
    return node;
}

bool transform_query(Query *query, Diagnostics *diagnostics)
{
    Transformer t = {.arena = query->arena, .diagnostics = diagnostics, .cqli = query->cqli};
    const int errors = diagnostics->errors;
    query->body = expand(&t, query->body);
    if (diagnostics->errors != errors)
        return false;
    query->body = finish(&t, query->body);
    link_moves(query->body, false);
    return true;
}
