// Comparisons that are always true or always false, whatever the game: from the bounds of numbers; and an `if` that is.
#include "lint.h"

#include <string.h>

#include "compiler/language/table.h"

typedef struct Bounds {
    int64_t low, high;
    bool always; // there is a value in every position
} Bounds;

static const Bounds unknown = {INT32_MIN, INT32_MAX, false};

// Of a value that every position has.
static Bounds from_to(int64_t low, int64_t high)
{
    return (Bounds){low, high, true};
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// ---- sets -------------------------------------------------------------------------------------------------

enum { WHITE_MEN = 0x3Fu << WHITE_PAWN, BLACK_MEN = 0x3Fu << BLACK_PAWN };

// The letters of all pieces in a designator.
static uint32_t men(uint32_t symbols)
{
    return (symbols & (WHITE_MEN | BLACK_MEN | SYMBOL_EMPTY)) |
           (symbols & SYMBOL_WHITE ? (uint32_t)WHITE_MEN : 0) |
           (symbols & SYMBOL_BLACK ? (uint32_t)BLACK_MEN : 0);
}

// How many of these pieces of one side a position may have: a king, and at most 15 others (9.5).
static int64_t most_men(uint32_t symbols, uint32_t king)
{
    return (symbols & king ? 1 : 0) + (symbols & ~king ? 15 : 0);
}

static Bounds count_of_designator(const Ast *node)
{
    const int64_t squares = __builtin_popcountll(node->mask);
    const uint32_t symbols = men(node->pieces), white = symbols & WHITE_MEN, black = symbols & BLACK_MEN;
    const uint32_t white_king = symbol_of('K'), black_king = symbol_of('k');
    if (node->pieces == ANY_SQUARE)
        return from_to(squares, squares);
    if (symbols & SYMBOL_EMPTY)
        return from_to(0, squares);
    const int64_t kings = ((white & white_king) != 0) + ((black & black_king) != 0);
    return from_to(squares == 64 ? kings : 0,
                   least(squares, most_men(white, white_king) + most_men(black, black_king)));
}

static Bounds count_of(const Ast *set)
{
    Bounds a, b;
    switch (set->op) {
    case OP_DESIGNATOR:
        return count_of_designator(set);
    case OP_ALL_SQUARES:
        return from_to(64, 64);
    case OP_NO_SQUARES:
        return from_to(0, 0);
    case OP_INTERSECT:
        a = count_of(set->kid[0]), b = count_of(set->kid[1]);
        return from_to(0, least(a.high, b.high));
    case OP_UNION:
        a = count_of(set->kid[0]), b = count_of(set->kid[1]);
        return from_to(a.low > b.low ? a.low : b.low, least(64, a.high + b.high));
    case OP_ATTACKS:
    case OP_ATTACKED_BY:
    case OP_ARROW:
        return from_to(0, count_of(set->kid[0]).high);
    case OP_LIGHT:
    case OP_DARK:
        return from_to(0, least(32, count_of(set->kid[0]).high));
    default:
        return from_to(0, 64);
    }
}

static bool is_relation(const Ast *node)
{
    return node->op >= OP_LT && node->op <= OP_NE;
}

// ---- numbers ----------------------------------------------------------------------------------------------

static Bounds bounds_of(const Ast *number, bool exchanged)
{
    static const struct {
        Op op;
        Bounds bounds;
    } known[] = {{OP_PLY, {0, INT32_MAX, true}},
                 {OP_DEPTH, {0, INT32_MAX, true}},
                 {OP_MOVENUMBER, {1, INT32_MAX, true}},
                 {OP_POSITIONID, {0, INT32_MAX, false}},
                 {OP_GAMENUMBER, {1, INT32_MAX, true}},
                 {OP_COUNTMOVES, {0, INT32_MAX, true}},
                 {OP_POWER, {0, 64 * 9, true}},
                 {OP_SIDETOMOVE, {-1, 1, true}},
                 {OP_WHITE, {1, 1, true}},
                 {OP_BLACK, {-1, -1, true}},
                 {OP_FILE, {1, 8, false}},
                 {OP_RANK, {1, 8, false}},
                 {OP_TYPE, {0, 6, false}},
                 {OP_COLORTYPE, {-6, 6, false}},
                 {OP_YEAR, {1, 2047, false}},
                 {OP_ELO, {1, 4000, false}},
                 {OP_DISTANCE, {0, INT32_MAX, false}},
                 {OP_INDEXOF, {0, INT32_MAX, false}},
                 {OP_PIECEID, {0, INT32_MAX, false}},
                 {OP_COUNT_STRING, {0, INT32_MAX, false}},
                 {OP_PATHCOUNT, {0, INT32_MAX, false}}};
    if (number->type == TYPE_SET)
        return count_of(number);
    if (number->op == OP_NUMBER)
        return from_to(number->number, number->number);
    if (number->op == OP_COUNT_SET)
        return count_of(number->kid[0]);
    const Ast *left = number->kid_count > 0 ? number->kid[0] : NULL;
    if (is_relation(number) && number->type == TYPE_INT && !is_relation(left)) { // a chain: the left operand
        Bounds bounds = bounds_of(left, exchanged);
        bounds.always = false;
        return bounds;
    }
    if (exchanged && (number->op == OP_WHITE || number->op == OP_BLACK)) // copies exchange them
        return from_to(-1, 1);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].op == number->op)
            return known[i].bounds;
    return unknown;
}

typedef enum Verdict { UNDECIDED, ALWAYS, NEVER } Verdict;

static Verdict opposite(Verdict verdict)
{
    return verdict == ALWAYS ? NEVER : verdict == NEVER ? ALWAYS : UNDECIDED;
}

static Verdict is_less(Bounds a, Bounds b)
{
    return a.high < b.low ? ALWAYS : a.low >= b.high ? NEVER : UNDECIDED;
}

static Verdict is_equal(Bounds a, Bounds b)
{
    if (a.high < b.low || b.high < a.low)
        return NEVER;
    return a.low == a.high && b.low == b.high ? ALWAYS : UNDECIDED;
}

static Verdict compare(Op op, Bounds a, Bounds b)
{
    switch (op) {
    case OP_LT:
        return is_less(a, b);
    case OP_GT:
        return is_less(b, a);
    case OP_GE:
        return opposite(is_less(a, b));
    case OP_LE:
        return opposite(is_less(b, a));
    case OP_EQ:
        return is_equal(a, b);
    case OP_NE:
        return opposite(is_equal(a, b));
    default:
        return UNDECIDED;
    }
}

static bool is_number(const Ast *node)
{
    return node->type == TYPE_INT || node->type == TYPE_SET;
}

// ---- warnings ---------------------------------------------------------------------------------------------

static void warn(Diagnostics *d, const Ast *node, const char *what)
{
    diag_add(d, DIAG_WARNING, node->span, "%s", what);
}

// `R == r`: sets that share no square.
static bool is_apart(const Ast *a, const Ast *b)
{
    return a->op == OP_DESIGNATOR && b->op == OP_DESIGNATOR &&
           ((men(a->pieces) & men(b->pieces)) == 0 || (a->mask & b->mask) == 0) && count_of(a).low == 0 &&
           count_of(b).low == 0;
}

// `player == "Carlsen"`: the value of `player` alone has both names, with `\n` between them.
static bool is_half_a_name(const Ast *player, const Ast *name)
{
    return player->op == OP_PLAYER && !(player->flags & (AST_WHITE | AST_BLACK)) && player->text == NULL &&
           name->op == OP_STRING && strstr(name->text, "\\n") == NULL;
}

static void look_at(const Ast *node, bool exchanged, Diagnostics *d)
{
    const Ast *left = node->kid[0], *right = node->kid[1];
    if (node->op == OP_EQ && is_apart(left, right))
        warn(d, node,
             "these sets share no square, so they are equal only when both are empty; to compare numbers, "
             "write `#S == #T`");
    if (node->op == OP_EQ && (is_half_a_name(left, right) || is_half_a_name(right, left)))
        warn(d, node,
             "this comparison is always false: `player` alone is both names; write `player \"…\"` or `player "
             "white == \"…\"`");
    if (!is_number(left) || !is_number(right) || (left->type == TYPE_SET && right->type == TYPE_SET))
        return;
    const Bounds a = bounds_of(left, exchanged), b = bounds_of(right, exchanged);
    const Verdict verdict = compare(node->op, a, b);
    const bool certain = a.always && b.always;
    if (verdict == ALWAYS && (certain || node->op == OP_NE))
        warn(d, node, "this comparison is always true");
    if (verdict == NEVER && (certain || node->op != OP_NE))
        warn(d, node, "this comparison is always false");
}

static bool may_write(const Ast *node, void *user)
{
    (void)user;
    return op_info[node->op].effect != EFFECT_NONE;
}

// `if check mate` is also true at every position without check, which is rarely what its author wants. `then` or braces show
// that it is.
static void look_at_if(const Ast *node, Diagnostics *d)
{
    const Ast *test = node->kid[0], *then = node->kid[1];
    const char *between = d->source->text + test->span.end;
    if (node->kid_count == 2 && then->op != OP_COMPOUND && !(then->flags & AST_PAREN) &&
        test->span.end < then->span.start &&
        memmem(between, then->span.start - test->span.end, "then", 4) == NULL &&
        !ast_contains(then, may_write, NULL))
        warn(d, node,
             "without `else`, `if` is true wherever its test fails; to ask for both write `F and G`, "
             "else write `then` between them");
}

static bool imagines(const Ast *node, void *user)
{
    (void)user;
    return node->op == OP_IMAGINE;
}

// exchanged: inside a transform that exchanges the colours.
static void look_at_all(const Ast *node, bool exchanged, Diagnostics *d)
{
    // at the edge of the board a shift takes squares away
    if (node->op == OP_CALL || node->op == OP_SHIFT || node->op == OP_SHIFTHORIZONTAL ||
        node->op == OP_SHIFTVERTICAL)
        return;
    if (is_relation(node))
        look_at(node, exchanged, d);
    if (node->op == OP_IF)
        look_at_if(node, d);
    exchanged |= node->op == OP_FLIPCOLOR || node->op == OP_REVERSECOLOR;
    Ast **operand;
    for (int i = 0; (operand = ast_operand(node, i)) != NULL; i++)
        if (*operand != NULL)
            look_at_all(*operand, exchanged, d);
}

void lint_comparisons(const Ast *body, Diagnostics *diagnostics)
{
    if (!ast_contains(body, imagines, NULL)) // imagined positions may have any number of men
        look_at_all(body, false, diagnostics);
}
