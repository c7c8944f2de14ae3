// What can never match because of the side to move. Each filter has the set of sides (bits) that may be to move where it matches;
// each constituent of a path or line says which side may be to move after it. Both are upper bounds.
#include "lint.h"

#include "compiler/language/table.h"

enum { NOBODY, WHITE_MOVES = 1, BLACK_MOVES = 2, EITHER = 3 };
typedef unsigned Sides;

// From the side to move where a constituent begins to the sides that may be to move after it.
typedef struct Steps {
    Sides after[2]; // by WHITE_MOVES - 1, BLACK_MOVES - 1
} Steps;

typedef struct Looker {
    Diagnostics *diagnostics; // NULL: nothing is reported
    int exchanged;            // inside how many transforms that exchange the colours
} Looker;

static Sides sides_of(Looker *l, const Ast *filter);
static Steps steps_of(Looker *l, const Ast *constituent, const Ast *sequence);

static Sides other(Sides sides)
{
    return (sides & WHITE_MOVES) << 1 | (sides & BLACK_MOVES) >> 1;
}

static void report(const Looker *l, const Ast *filter, const char *why)
{
    if (l->diagnostics != NULL)
        diag_add(l->diagnostics, DIAG_WARNING, filter->span, "this can never match here: %s", why);
}

// ---- moves ------------------------------------------------------------------------------------------------

// The sides that may have a piece on a square of the set.
static Sides owners(const Ast *set)
{
    if (set == NULL)
        return EITHER;
    const uint32_t all = set->pieces;
    switch (set->op) {
    case OP_DESIGNATOR:
        return (all & (SYMBOL_WHITE | 0x3Fu << WHITE_PAWN) ? WHITE_MOVES : 0) |
               (all & (SYMBOL_BLACK | 0x3Fu << BLACK_PAWN) ? BLACK_MOVES : 0);
    case OP_INTERSECT:
        return owners(set->kid[0]) & owners(set->kid[1]);
    case OP_UNION:
        return owners(set->kid[0]) | owners(set->kid[1]);
    case OP_ATTACKS:
    case OP_ATTACKED_BY:
    case OP_ARROW:
        return owners(set->kid[0]);
    case OP_COMPOUND:
        return set->kid_count == 1 ? owners(set->kid[0]) : EITHER;
    default:
        return EITHER;
    }
}

// All filters in a row; reports the one that contradicts those before it.
static Sides all_of(Looker *l, Ast *const *filter, int count)
{
    Sides sides = EITHER;
    for (int i = 0; i < count; i++) {
        const Sides these = sides_of(l, filter[i]);
        if (sides != NOBODY && these != NOBODY && (sides & these) == NOBODY)
            report(l, filter[i],
                   these == WHITE_MOVES
                       ? "White would be to move, but the filters before it need Black to move"
                       : "Black would be to move, but the filters before it need White to move");
        sides &= these;
    }
    return sides;
}

// The sides whose moves fit a dash with its targets.
static Sides movers(Looker *l, const Ast *dash)
{
    Sides sides = owners(dash->kid_left);
    if (dash->flags & AST_CAPTURE && sides != NOBODY) {
        const Sides takers = other(owners(dash->kid_right));
        if (takers != NOBODY && (sides & takers) == NOBODY)
            report(l, dash, "a piece takes none of its own colour");
        sides &= takers;
    }
    const Sides answer = other(all_of(l, dash->kid, dash->kid_count));
    if (sides != NOBODY && answer != NOBODY && (sides & answer) == NOBODY)
        report(l, dash, "after a move the other side is to move");
    return sides & answer;
}

static Sides sides_of_move(const Ast *move)
{
    const unsigned possible = move->flags & (AST_LEGAL | AST_PSEUDOLEGAL);
    if (move->flags & AST_BACKWARD || (possible && move->flags & AST_COUNT))
        return EITHER;
    Sides sides = owners(move->kid_left);
    if (move->kid_extra != NULL)
        sides &= other(owners(move->kid_extra));
    return move->flags & AST_PREVIOUS ? other(sides) : sides;
}

// `move … : F`
static Sides sides_of_tries(Looker *l, const Ast *filter)
{
    const Ast *move = filter->kid[0];
    const Sides target = sides_of(l, filter->kid[1]);
    if ((filter->flags | move->flags) & (AST_ALL | AST_COUNT | AST_BACKWARD | AST_PREVIOUS))
        return EITHER;
    return sides_of_move(move) & other(target);
}

// ---- sequences --------------------------------------------------------------------------------------------

static Steps stay(Sides sides)
{
    return (Steps){{sides & WHITE_MOVES, sides & BLACK_MOVES}};
}

static Sides after_either(const Steps *steps, Sides sides)
{
    return (sides & WHITE_MOVES ? steps->after[0] : NOBODY) |
           (sides & BLACK_MOVES ? steps->after[1] : NOBODY);
}

static Steps then(const Steps *first, const Steps *second)
{
    return (Steps){{after_either(second, first->after[0]), after_either(second, first->after[1])}};
}

static bool is_impossible(const Steps *steps)
{
    return (steps->after[0] | steps->after[1]) == NOBODY;
}

// Constituents in a row; reports the one that cannot follow those before it.
static Steps row_of(Looker *l, const Ast *list, const Ast *sequence)
{
    Steps whole = stay(EITHER);
    for (int i = 0; i < list->kid_count; i++) {
        const Steps next = steps_of(l, list->kid[i], sequence);
        const Steps longer = then(&whole, &next);
        if (is_impossible(&longer) && !is_impossible(&whole) && !is_impossible(&next))
            report(l, list->kid[i], "the side to move alternates");
        whole = longer;
    }
    return whole;
}

static Steps repeated(Looker *l, const Ast *repeat, const Ast *sequence)
{
    const Steps once = steps_of(l, repeat->kid[0], sequence);
    Steps times = stay(EITHER);
    // with two sides, the steps of n and n + 2 repetitions are the same from n = 2 on, and are all those of n or n + 1
    const int low = repeat->low < 2 ? repeat->low : 2 + repeat->low % 2;
    for (int i = 0; i < low; i++)
        times = then(&times, &once);
    if (is_impossible(&times) && !is_impossible(&once))
        report(l, repeat, "the side to move alternates, so this cannot be repeated");
    if (repeat->high <= repeat->low)
        return times;
    const Steps more = then(&times, &once);
    return (Steps){{times.after[0] | more.after[0], times.after[1] | more.after[1]}};
}

static Steps steps_of(Looker *l, const Ast *constituent, const Ast *sequence)
{
    const bool skips = sequence->flags & AST_SINGLECOLOR || sequence->kid_left != NULL; // singlecolor, focus
    if (constituent->op == OP_GROUP_CHAIN)
        return row_of(l, constituent, sequence);
    if (constituent->op == OP_REPEAT)
        return repeated(l, constituent, sequence);
    if (constituent->op != OP_PATH_DASH) {
        const Sides sides = sides_of(l, constituent);
        if (sequence->op == OP_PATH || skips)
            return stay(sides);
        return (Steps){
            {other(sides & WHITE_MOVES), other(sides & BLACK_MOVES)}}; // line: goes to the next position
    }
    const Sides sides = movers(l, constituent);
    if (skips)
        return (Steps){{other(sides), other(sides)}};
    return (Steps){{other(sides & WHITE_MOVES), other(sides & BLACK_MOVES)}};
}

static bool moves(const Ast *constituent)
{
    bool any = constituent->op == OP_PATH_DASH;
    const bool group =
        constituent->op == OP_PATH || constituent->op == OP_GROUP_CHAIN || constituent->op == OP_REPEAT;
    for (int i = 0; group && !any && i < constituent->kid_count; i++)
        any = moves(constituent->kid[i]);
    return any;
}

static Sides sides_of_sequence(Looker *l, const Ast *sequence)
{
    if (sequence->op == OP_PATH && !moves(sequence))
        report(l, sequence, "a path has at least one move, written `--`");
    const Steps steps = row_of(l, sequence, sequence);
    return (steps.after[0] ? WHITE_MOVES : NOBODY) | (steps.after[1] ? BLACK_MOVES : NOBODY);
}

// ---- filters ----------------------------------------------------------------------------------------------

// A transform. With a range no copy need match.
static Sides sides_of_transform(Looker *l, const Ast *filter)
{
    const bool exchanges = filter->op == OP_FLIPCOLOR || filter->op == OP_REVERSECOLOR;
    l->exchanged += exchanges;
    const Sides sides = sides_of(l, filter->kid[0]);
    l->exchanged -= exchanges;
    return filter->range.present ? EITHER : exchanges && sides != NOBODY ? EITHER : sides;
}

static Sides sides_of(Looker *l, const Ast *filter)
{
    switch (filter->op) {
    case OP_WTM:
        return WHITE_MOVES;
    case OP_BTM:
        return BLACK_MOVES;
    case OP_COMPOUND:
    case OP_AND:
        return all_of(l, filter->kid, filter->kid_count);
    case OP_OR: {
        const Sides left = sides_of(l, filter->kid[0]);
        return left | sides_of(l, filter->kid[1]);
    }
    case OP_NOT:
        return filter->kid[0]->op == OP_WTM   ? BLACK_MOVES
               : filter->kid[0]->op == OP_BTM ? WHITE_MOVES
                                              : EITHER;
    case OP_IF: {
        Looker quiet = {.diagnostics = NULL, .exchanged = l->exchanged};
        const Sides test = sides_of(&quiet, filter->kid[0]), chosen = sides_of(l, filter->kid[1]);
        const Sides otherwise = filter->kid_count > 2 ? sides_of(l, filter->kid[2]) : EITHER;
        return (test & chosen) | otherwise;
    }
    case OP_AT: {
        const Sides there = sides_of(l, filter->kid[1]);
        const bool next = filter->kid[0]->op == OP_PARENT || filter->kid[0]->op == OP_CHILD;
        return filter->kid[1]->type == TYPE_SET ? EITHER
               : next                           ? other(there)
               : there == NOBODY                ? NOBODY
                                                : EITHER;
    }
    case OP_FIND: // a range may hold 0
        return sides_of(l, filter->kid[0]) == NOBODY && !filter->range.present ? NOBODY : EITHER;
    case OP_ECHO:
        return sides_of(l, filter->kid[0]) == NOBODY ? NOBODY : EITHER;
    case OP_SET_LOOP: {
        const Sides body = sides_of(l, filter->kid[1]);
        return filter->flags & AST_ALL ? EITHER : body;
    }
    case OP_DASH:
        return movers(l, filter);
    case OP_CURRENTMOVE:
        return filter->kid[0]->op == OP_DASH ? other(movers(l, filter->kid[0])) : EITHER;
    case OP_LEGAL:
        return owners(filter->kid_left);
    case OP_MOVE:
        return sides_of_move(filter);
    case OP_SPECULATIVE:
        return sides_of_tries(l, filter);
    case OP_PATH:
    case OP_LINE:
        return sides_of_sequence(l, filter);
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ: { // no operand may lack a value; a set has one
        const Sides left = filter->kid[0]->type == TYPE_SET ? EITHER : sides_of(l, filter->kid[0]);
        return left & (filter->kid[1]->type == TYPE_SET ? EITHER : sides_of(l, filter->kid[1]));
    }
    case OP_ASSIGN:
    case OP_SORT:
        return filter->kid[0]->type == TYPE_SET ? EITHER : sides_of(l, filter->kid[0]);
    case OP_NOTRANSFORM: {
        const Sides sides = sides_of(l, filter->kid[0]);
        return l->exchanged > 0 ? EITHER : sides;
    }
    default:
        return op_is_transform(filter->op) ? sides_of_transform(l, filter) : EITHER;
    }
}

void lint_sides(const Ast *body, Diagnostics *diagnostics)
{
    Looker l = {.diagnostics = diagnostics};
    sides_of(&l, body);
}
